"""Many games on many machines: a Dask cluster as the arena's executor (the extra ``cluster``)."""

from __future__ import annotations
import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from types import TracebackType
from typing import Any

from navalkit.core.errors import OptionError, brief
from navalkit.core.words import SAY

__all__ = ["Cluster"]

PATIENCE = 10
"""Seconds in which a scheduler must answer."""


class Cluster:
    """The workers of a Dask scheduler, for ``executor=`` of `navalkit.sim.play`. A `with` statement leaves them.

    Parameters
    ----------
    address : str
        Of the scheduler, such as "tcp://10.0.0.5:8786".

    Raises
    ------
    OptionError
        If the library is not installed, or no scheduler answers.
    """

    def __init__(self, address: str) -> None:
        try:
            distributed = import_module("distributed")
        except ImportError:
            raise OptionError(SAY("cluster.library")) from None
        try:
            with ThreadPoolExecutor(1) as beside:  # a notebook has a loop of its own in this thread
                beside.submit(asyncio.run, _knock(distributed, address)).result()
            self._client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:  # ValueError: it is no address; TypeError: it needs a key
            raise OptionError(SAY("cluster.nobody", address=brief(address), error=brief(str(error)))) from error
        # What is asked twice is done twice: a game is played again because it was lost, not to be told the same.
        self._pool = self._client.get_executor(pure=False)
        self._log = logging.getLogger("distributed.client")
        self._loud = self._log.level

    @property
    def jobs(self) -> int:
        """How many games its workers play at a time."""
        return sum(self._client.nthreads().values()) or 1

    @property
    def lost(self) -> bool:
        """Whether the scheduler is gone."""
        return bool(self._client.status != "running")

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Any:
        """As executors of ``concurrent.futures`` do."""
        return self._pool.submit(function, *args)

    def __enter__(self) -> Cluster:
        self._log.setLevel(logging.CRITICAL)  # that the scheduler is gone is said once, by the arena
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown(wait=False)
        with suppress(TimeoutError):  # of a scheduler that is gone
            self._client.close()
        self._log.setLevel(self._loud)


async def _knock(distributed: Any, address: str) -> None:
    """OSError if nothing that speaks as Dask does answers in time: a client waits for its greeting without end, and one
    that was never greeted cannot be closed."""
    how = distributed.Security().get_connection_args("client")
    try:
        async with asyncio.timeout(PATIENCE):
            line = await distributed.comm.connect(address, timeout=PATIENCE, **how)
    except TimeoutError as error:
        raise OSError(SAY("cluster.silent", seconds=PATIENCE)) from error
    await line.close()
