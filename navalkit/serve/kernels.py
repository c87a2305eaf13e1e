"""The kernels behind the pages: as many as there is memory for, and one kept warm for the next reader."""

from __future__ import annotations

import asyncio
import os
import time
from math import inf
from pathlib import Path
from queue import Empty
from typing import Any
from uuid import uuid4

import psutil
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import HTTPError
from traitlets import Bool, Integer

from navalkit.core.language.words import Words

SAY = Words.load("navalkit.serve")

KERNEL = 130 << 20
"""Bytes a page's Python takes: 67 to 125 MB were measured."""
RESERVE = 256 << 20
"""Bytes left to the rest of the machine."""
YOUNG = 10.0
"""Seconds until a kernel has taken the memory that it needs."""
REST = 2.0
"""Seconds after which the next kernel is warmed: first the page that took the last one is to be drawn."""
RETRY = 30.0
ANSWER, SILENCE = 1.0, 0.2
"""Seconds after which a kernel is asked anew: one that starts, and one whose public line may not be connected yet."""
_PRELOAD = "__import__('navalkit.ui.warm', fromlist=['warm']).warm()"


def available() -> int:
    """Bytes of memory that can still be taken, by the machine's account and by that of the container."""
    free: int = psutil.virtual_memory().available
    group = Path("/sys/fs/cgroup")
    try:
        most = int((group / "memory.max").read_text())
        stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        taken = int((group / "memory.current").read_text()) - int(stat.get("inactive_file", 0))
    except (OSError, ValueError):  # no such container, or one without a limit ("max")
        return free
    return min(free, most - taken)


class PromptClient(AsyncKernelClient):
    """Ready as soon as the kernel has answered on both lines; the usual one then listens for 0.2 seconds of silence."""

    async def wait_for_ready(self, timeout: float | None = None) -> None:
        """Wait for that; RuntimeError if the kernel dies, or takes longer than ``timeout`` seconds."""
        end = time.monotonic() + (inf if timeout is None else timeout)
        while time.monotonic() < end:
            asked = self.kernel_info()
            if (reply := await _answer(self.shell_channel, asked, ANSWER)) is not None:
                self._handle_kernel_info_reply(reply)
                if await _answer(self.iopub_channel, asked, SILENCE) is not None:
                    return
            if not await self.is_alive():
                break
        raise RuntimeError(SAY("log.not-ready"))


async def _answer(channel: Any, asked: str, seconds: float) -> Any:
    """What a channel brings in answer to a request, the kernel's rest after it on the public one; None if nothing."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            message = await channel.get_msg(timeout=left)
        except Empty:
            return None
        of = message["parent_header"].get("msg_id")
        if of == asked and message["content"].get("execution_state", "idle") == "idle":
            return message
    return None


class Kernels(AsyncMappingKernelManager):
    """Starts kernels while there is room, and keeps one warm: started, with the pages' modules imported."""

    limit = Integer(0).tag(config=True)
    """Kernels at most; 0 leaves it to the memory."""
    keep_warm = Bool(True).tag(config=True)
    """Whether one kernel is kept ready for the next page."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._started: list[float] = []  # when the young ones were
        self._warm: tuple[str, Any] | None = None  # its id, and a client that talks to it
        self._warming: asyncio.Task[None] | None = None
        self._starting: set[str] = set()  # ids of those that may not be among ours yet

    def room(self, kernels: int = 1) -> bool:
        """Whether this many more kernels can be started."""
        if self.limit and len(self._starting.union(self.list_kernel_ids())) + kernels > self.limit:
            return False
        self._started = [at for at in self._started if at > time.monotonic() - YOUNG]
        return available() - len(self._started) * KERNEL >= RESERVE + kernels * KERNEL

    async def start_kernel(self, **kwargs: Any) -> str:  # type: ignore[override]
        """A kernel for a page: the warm one if there is one; HTTPError 503 if there is no room for one more."""
        if self._warming and not self.room():
            await asyncio.wait([self._warming])
        if taken := await self._take(**kwargs):
            return taken
        if not self.room():
            raise HTTPError(503, SAY("refuse.full"))
        return await self._start(**kwargs)

    async def _start(self, **kwargs: Any) -> str:
        kernel = str(uuid4())
        self._starting.add(kernel)
        self._started.append(time.monotonic())
        try:
            await super().start_kernel(kernel_id=kernel, **kwargs)
            self.get_kernel(kernel).client_factory = PromptClient
        finally:
            self._starting.discard(kernel)
        return kernel

    def warm_up(self) -> None:
        """Have a kernel ready soon, if there is room for it and for a page beside it; else try again later."""
        if not self.keep_warm or self._warm or self._warming:
            return
        if self.room(2):
            self._warming = asyncio.ensure_future(self._warm_one())
        else:
            asyncio.get_running_loop().call_later(RETRY, self.warm_up)

    async def _warm_one(self) -> None:
        try:
            kernel = await self._start(path="", env=dict(os.environ))
            client: Any = self.get_kernel(kernel).client()
            client.start_channels()
            await client.wait_for_ready(timeout=60)
            await client.execute(_PRELOAD, silent=True, reply=True, timeout=60)
            self._warm = kernel, client
        except (RuntimeError, TimeoutError) as error:  # it died or is too slow: pages start their own
            self.log.warning(SAY("log.not-warm", error=error))
        finally:
            self._warming = None

    async def _take(self, path: str = "", env: dict[str, str] | None = None, **kwargs: Any) -> str | None:
        """The warm kernel, made to look as if it had been started for this page."""
        if self._warm is None or kwargs.get("kernel_name", self.default_kernel_name) != self.default_kernel_name:
            return None
        (kernel, client), self._warm = self._warm, None
        asyncio.get_running_loop().call_later(REST, self.warm_up)
        new = {str(name): str(value) for name, value in (env or {}).items() if os.environ.get(name) != value}
        os_ = "__import__('os')"
        code = f"{os_}.environ.update({new!r}), {os_}.chdir({self.cwd_for_path(path)!r})"
        try:
            reply = await client.execute(code, silent=True, reply=True, timeout=5)
            if reply["content"]["status"] == "ok":
                return kernel
            self.log.warning(SAY("log.not-prepared", error=reply["content"].get("evalue")))
        except (RuntimeError, TimeoutError) as error:
            self.log.warning(SAY("log.no-answer", error=error))
        finally:
            client.stop_channels()
        await self.shutdown_kernel(kernel, now=True)
        return None

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """Cull an idle kernel, but not the warm one: it waits for its page."""
        if self._warm is None or self._warm[0] != kernel_id:
            await super().cull_kernel_if_idle(kernel_id)
