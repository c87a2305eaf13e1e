"""What is at the other end of a page: all that differs between a kernel with a server and a worker in the browser.

A page asks `current`, and knows no third thing. The clipboard, files and the address bar are the browser's in both, and
so they are the bridge's (`shell.Bridge`).
"""

from __future__ import annotations
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import comm

from navalkit.core.match import Store


class Frontend(ABC):
    """What a page needs of whatever shows it."""

    rooms: bool
    """Whether phones, and a second player, can be let in."""
    beforehand = False
    """Whether a page may have been made before its reader came: then chance has to be drawn anew."""

    @property
    @abstractmethod
    def query(self) -> str:
        """The query string of the page's address, "" while a page is made for every address."""

    @abstractmethod
    def unheard(self) -> AbstractContextManager[None]:
        """Say nothing of the widgets that are made meanwhile: the page asks for all of them once it is there."""

    @abstractmethod
    def store(self) -> Store:
        """Where the reader's games in progress are kept."""

    def said(self) -> int:
        """How much has been said to widgets since this was asked first: a page that has heard less has lost some."""
        return 0


_TOLD = {"comm_open", "comm_msg", "comm_close"}


class Kernel(Frontend):
    """A kernel behind Voila or Jupyter."""

    rooms = True

    @property
    def query(self) -> str:
        return os.environ.get("QUERY_STRING", "")

    def __init__(self) -> None:
        self._said: int | None = None

    def store(self) -> Store:
        return Store()  # the reader's own folder on the server

    def said(self) -> int:
        if self._said is None:
            self._said = 0
            from ipykernel.kernelbase import Kernel as Running  # here, as there is none of it in a browser

            if Running.initialized():
                session: Any = Running.instance().session
                usual = session.send

                def send(stream: Any, what: Any, *given: Any, **named: Any) -> Any:
                    self._said = (self._said or 0) + ((what if isinstance(what, str) else what["msg_type"]) in _TOLD)
                    return usual(stream, what, *given, **named)

                session.send = send
        return self._said

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """Say nothing of the widgets that are made meanwhile, where nobody would hear it. A page in Voila asks for all
        of them at once when it is there. The 320 messages by which a game's page is made would be read by the server
        alone, and take three times as long as all the rest."""
        if not os.environ.get("SERVER_SOFTWARE", "").startswith("voila/"):
            yield
            return
        from ipykernel.comm.comm import BaseComm  # here, as there is none of it in a browser
        from ipykernel.kernelbase import Kernel

        usual, made = comm.create_comm, []

        def line(data: object = None, metadata: object = None, buffers: object = None, **keys: Any) -> BaseComm:
            """A line that exists here only, until the page asks for it; on one without a kernel a widget says
            nothing."""
            made.append(BaseComm(primary=False, **keys))
            comm.get_comm_manager().register_comm(made[-1])
            return made[-1]

        comm.create_comm = line
        try:
            yield
        finally:
            comm.create_comm = usual
            for each in made:
                each.kernel = Kernel.instance() if Kernel.initialized() else None


_frontend: Frontend = Kernel()


def current() -> Frontend:
    """The one of this process."""
    return _frontend


def use(frontend: Frontend) -> None:
    """Have this process speak to another one."""
    global _frontend
    _frontend = frontend
