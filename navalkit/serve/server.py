"""The server of the pages: Voila, guarded (`guard`), with a limit on its kernels (`kernels`), and quick to end.

`navalkit play` starts it (`navalkit.serve`) and holds the other end of its standard input: when that closes, because
the launcher stopped it or was killed, the server ends and takes its kernels with it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from asyncio import to_thread
from collections.abc import AsyncIterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

from jupyter_core.utils import run_sync
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, authenticated
from traitlets import List, Unicode
from voila.app import Voila
from voila.static_file_handler import TemplateStaticFileHandler
from voila.tornado.handler import TornadoVoilaHandler

from navalkit.rooms.door import tell

from . import phones
from .guard import HEADERS, LARGEST_BODY, GuardedApplication
from .kernels import Kernels

TOKEN = "NAVALKIT_TOKEN"
"""Environment variable with the token that pages ask for: a command line could be read by others."""
RETRY_AFTER = 20
"""Seconds after which a reader who found no room is asked to try again."""
LOBBY = "lobby.ipynb"
MANY_FILES = 8192
_BEAT = '<i data-nk-beat hidden></i>\n'


@cache
def lobby(folder: Path) -> str:
    """The lobby of a folder of notebooks, as HTML: the games found when it is first asked for."""
    from navalkit.view.lobby import page  # when asked for: it finds and reads all games

    return page(folder)


COMPRESSION = {"compression_level": 3, "mem_level": 6}
"""Of a page's line to its kernel, whose messages are much alike: some 160 kB of memory for each page."""


class PageHandler(TornadoVoilaHandler):
    """A notebook's page; the lobby's, which only links, needs no kernel and is there at once."""

    @authenticated
    async def get(self, path: str | None = None) -> None:
        if (path or "").strip("/") != LOBBY or self.get_argument("game", ""):
            await super().get(path)
            return
        folder = Path(str(self.contents_manager.root_dir))
        self.write(self.render_template("lobby.html", lobby=await to_thread(lobby, folder), path=LOBBY))

    async def get_generator(self, path: str | None = None) -> AsyncIterator[str]:
        """The page piece by piece; signs of life in between are elements, for no script in a page may run."""
        async for html in super().get_generator(path):
            yield _BEAT if html.startswith("<script>window.voila_heartbeat") else html

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """The page of an error; without room, it says when to try again."""
        if status_code == 503:
            self.set_header("Retry-After", str(RETRY_AFTER))
        super().write_error(status_code, **kwargs)


class TemplateFiles(TemplateStaticFileHandler):
    """The template's files; what cannot be one of them is not found."""

    def parse_url_path(self, path: str) -> str:
        parts = path.split("/")
        if len(parts) < 3 or parts[1] != "static" or ".." in parts:
            raise HTTPError(404)
        return str(super().parse_url_path(path))


def many_files() -> None:
    """Have leave for many open files, as far as the system gives it: each phone of a class keeps a line."""
    if find_spec("resource") is not None:  # there is none on Windows, which counts otherwise
        resource = import_module("resource")
        soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MANY_FILES if most == resource.RLIM_INFINITY else min(MANY_FILES, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), most))


class Server(Voila):
    """Voila with our handlers, our kernels and our way to end."""

    hosts = List(Unicode()).tag(config=True)
    """Names it answers to besides its own."""

    def initialize(self, argv: Any = None) -> None:
        """Read the settings; the token comes from the environment, and kernels inherit none."""
        super().initialize(argv)
        self.token = os.environ.pop(TOKEN, None)
        self.voila_configuration.multi_kernel_manager_class = Kernels

    def init_handlers(self) -> list[Any]:
        """Those of phones, and Voila's, two of them ours."""
        ours = {TornadoVoilaHandler: PageHandler, TemplateStaticFileHandler: TemplateFiles}
        voila = [(path, ours.get(handler, handler), *rest) for path, handler, *rest in super().init_handlers()]
        return [*phones.handlers(self.base_url, self.port), *voila]

    def start(self) -> None:
        """Serve until a signal comes or the launcher is gone."""
        self.connection_dir = tempfile.mkdtemp(prefix="navalkit_", dir=self.connection_dir_root)
        ours = {
            "headers": HEADERS,
            "static_path": self.static_root,
            "static_immutable_cache": [f"{self.base_url}voila/labextensions/"],  # their names hold a hash
            "websocket_compression_options": COMPRESSION,
        }
        settings = self.init_settings() | ours
        hosts = [name.lower() for name in self.hosts]
        self.app = GuardedApplication(hosts, f"{self.base_url}voila/render/", **settings)
        self.app.settings.update(self.tornado_settings)
        self.app.add_handlers(".*$", self.init_handlers())
        HTTPServer(self.app, max_body_size=LARGEST_BODY).listen(self.port, self.ip)
        many_files()
        tell(self.port, self.ip, self.base_url)
        self.ioloop = IOLoop.current()
        Thread(target=self._outlive_no_launcher, daemon=True).start()
        self.ioloop.add_callback(self.kernel_manager.warm_up)
        self.ioloop.run_in_executor(None, lobby, Path(self.root_dir))
        try:
            self.ioloop.start()
        except KeyboardInterrupt:
            pass
        finally:
            self.stop()

    def stop(self) -> None:
        """End all kernels at once; their games are on the disk."""
        run_sync(self.kernel_manager.shutdown_all)(now=True)
        shutil.rmtree(self.connection_dir, ignore_errors=True)

    def _outlive_no_launcher(self) -> None:
        while os.read(0, 1):
            pass
        self.ioloop.add_callback(self.ioloop.stop)


if __name__ == "__main__":
    Server.launch_instance()
