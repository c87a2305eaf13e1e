"""The server of the pages: Voila, guarded (`guard`), with a limit on its kernels (`kernels`), and quick to end.

`navalkit play` starts it (`navalkit.serve`) and holds the other end of its standard input: when that closes, because
the launcher stopped it or was killed, the server ends and takes its kernels with it.
"""

from __future__ import annotations
import asyncio
import json
import os
import shutil
import tempfile
import time
from asyncio import to_thread
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from inspect import isawaitable
from math import inf
from pathlib import Path
from queue import Empty
from threading import Thread
from typing import Any, cast
from uuid import uuid4

import psutil
from jinja2.bccache import Bucket, BytecodeCache
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_core.utils import ensure_async, run_sync
from jupyter_events import EventLogger
from jupyter_server.base.handlers import AuthenticatedFileHandler
from jupyter_server.services.kernels.handlers import KernelHandler
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, StaticFileHandler, authenticated
from traitlets import Bool, Integer, List, Unicode
from voila import handler as voila_handler
from voila.app import Voila
from voila.notebook_renderer import NotebookRenderer
from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler
from voila.static_file_handler import AllowListFileHandler, TemplateStaticFileHandler
from voila.tornado.handler import TornadoVoilaHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from navalkit.core.words import ENGLISH, Voice, Words, speaking
from navalkit.rooms.door import KERNEL_ID, tell
from . import SAY, phones
from .gate import Gate, GateHandler
from .guard import HEADERS, LARGEST_BODY, GuardedApplication, well_framed

# -- The kernels behind the pages: as many as there is memory for, and one kept warm for the next reader


KERNEL = 192 << 20
"""Bytes a page's Python takes: 67 to 190 MB were measured, the most where a link asks for a large map that is full."""
RESERVE = 256 << 20
"""Bytes left to the rest of the machine."""
CELL_NAME = "IPYKERNEL_CELL_NAME"
"""How a kernel names the cells it runs: else it looks for a folder for that, and on a full disk runs none."""
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
        self.ended: Callable[[str], None] = lambda kernel: None
        """Called with the id of a kernel that has ended."""
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
        kernel = kwargs.pop("kernel_id", None) or str(uuid4())  # Jupyter's own server names it itself
        kwargs["env"] = {**(kwargs.get("env") or os.environ), KERNEL_ID: kernel, CELL_NAME: "<cell>"}
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
        await self.end(kernel)
        return None

    async def lives(self, kernel_id: str) -> bool:
        """Whether there is such a kernel and its process runs. What watches it looks every three seconds only."""
        return kernel_id in self._starting or (
            kernel_id in self and await ensure_async(self.get_kernel(kernel_id).is_alive()))

    def remove_kernel(self, kernel_id: str) -> Any:
        """Forget a kernel that has ended, and close what a page left waiting for it: its line may have broken off while
        the kernel was ending, and would then be kept for a page that comes back."""
        for stream in self._kernel_buffers.pop(kernel_id, {}).get("channels", {}).values():
            stream.close()
        self.ended(kernel_id)
        return super().remove_kernel(kernel_id)

    def _handle_kernel_died(self, kernel_id: str) -> None:
        """End what is left of it (none is started anew: see `Server.start`); if it was the warm one, warm another."""
        self.log.warning(SAY("log.died", kernel=kernel_id))
        if self._warm and self._warm[0] == kernel_id:
            self._warm[1].stop_channels()
            self._warm = None
            asyncio.get_running_loop().call_later(REST, self.warm_up)
        asyncio.ensure_future(self.end(kernel_id))

    async def end(self, kernel_id: str) -> None:
        """Shut a kernel down that nobody needs any more, unless that is done."""
        with suppress(KeyError):
            if kernel_id in self:
                await self.shutdown_kernel(kernel_id, now=True)

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """Cull an idle kernel, but not the warm one: it waits for its page."""
        if self._warm is None or self._warm[0] != kernel_id:
            await super().cull_kernel_if_idle(kernel_id)


TOKEN = "NAVALKIT_TOKEN"
"""Environment variable with the token that pages ask for: a command line could be read by others."""
RETRY_AFTER = 20
"""Seconds after which a reader who found no room is asked to try again."""
LOBBY = "lobby.ipynb"
MANY_FILES = 8192
_BEAT, _FAILED = '<i data-nk-beat hidden></i>\n', '<i data-nk-failed hidden></i>\n'
LONGEST_PATH = 100
"""Bytes of a socket's path, at most, on any system that has such sockets."""


@cache
def lobby(folder: Path, lang: str = ENGLISH) -> str:
    """The lobby of a folder of notebooks, as HTML: the games found when it is first asked for. ``lang``: in a language
    that it does not speak it is English."""
    from navalkit.view.lobby import SAY as LOBBY_SAYS, page  # when asked for: it finds and reads all games

    if lang not in LOBBY_SAYS.languages:
        return lobby(folder)
    with speaking(Voice(lang)):
        return page(folder)


@cache
def frame(lang: str) -> str:
    """What the pages' template says in a language, by its ``data-nk-word``, as JSON: the lobby has no kernel to say
    it."""
    said = Words.load("navalkit.ui")
    with speaking(Voice(lang)):
        keys = [key for key in said.tables[ENGLISH] if key.startswith("frame.")]
        return json.dumps({key.removeprefix("frame."): said(key) for key in keys})


COMPRESSION = {"compression_level": 3, "mem_level": 6}
"""Of a page's line to its kernel, whose messages are much alike: some 160 kB of memory for each page."""


LARGEST_MESSAGE = 2 << 20
"""Bytes of a page's message to its kernel: a file of a saved game has at most half of it."""
PROTOCOL = "v1.kernel.websocket.jupyter.org"
LOOK = 0.5
"""Seconds between two looks whether a kernel still lives to which a line is being made."""
SLOWEST = 30.0
"""Seconds that a request may take to come, and that a line is kept on which none comes."""
LIMITS: dict[str, Any] = {"max_body_size": LARGEST_BODY, "idle_connection_timeout": SLOWEST, "body_timeout": SLOWEST}


class PageHandler(TornadoVoilaHandler):
    """A notebook's page; the lobby's, which only links, needs no kernel and is there at once."""

    reading, left = "", False
    """The kernel that reads the notebook, and whether the page's reader did not wait for it."""

    def on_connection_close(self) -> None:
        """Who leaves before the page is there has not been told of its kernel, and cannot end it."""
        super().on_connection_close()
        self.left = True
        if self.reading:
            asyncio.ensure_future(self.kernel_manager.end(self.reading))

    @authenticated
    async def get(self, path: str | None = None) -> None:
        if (path or "").strip("/") != LOBBY or self.get_argument("game", ""):
            await super().get(path)
            return
        folder = Path(str(self.contents_manager.root_dir))
        self.set_header("Vary", "Accept-Language")
        shown = await to_thread(lobby, folder, self._lang())
        self.write(self.render_template("lobby.html", lobby=shown, frame=frame(self._lang()), path=LOBBY))

    def _lang(self) -> str:
        """The language that the address asks for, else the browser; so few are kept that nobody can fill them."""
        wanted = phones.language(self.request.headers.get("Accept-Language", ""), phones.PHONE.languages)
        lang = str(self.get_argument("lang", wanted))
        return lang if len(lang) == 2 and lang.isascii() and lang.isalpha() and lang.islower() else ENGLISH

    async def get_generator(self, path: str | None = None) -> AsyncIterator[str]:
        """The page piece by piece; signs of life in between are elements, for no script in a page may run."""
        async for html in super().get_generator(path):
            yield _BEAT if html.startswith("<script>window.voila_heartbeat") else html

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """The page of an error; without room, it says when to try again."""
        if status_code == 503:
            self.set_header("Retry-After", str(RETRY_AFTER))
        super().write_error(status_code, **kwargs)


class Compiled(BytecodeCache):
    """The templates' code, compiled once for all pages: for each one anew it took two thirds of the server's work."""

    def __init__(self) -> None:
        self._code: dict[str, tuple[str, Any]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """The code of a template's present text, if it is there."""
        checksum, code = self._code.get(bucket.key, ("", None))
        bucket.code = code if checksum == bucket.checksum else None

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it for the next page."""
        self._code[bucket.key] = bucket.checksum, bucket.code


COMPILED = Compiled()


class Reader(NotebookRenderer):
    """Reads a notebook for a page, and tells the page if Python fails meanwhile: else it would wait for the rest for
    ever, or go on with half of it and with a Python started anew, to which its widgets mean nothing."""

    async def initialize(self, **kwargs: Any) -> None:
        """Read the notebook and take its template, which is compiled already for all pages but the first."""
        await super().initialize(**kwargs)
        self.exporter.environment.bytecode_cache = COMPILED

    async def generate_content_generator(self, kernel_id: str, kernel_future: Any) -> AsyncIterator[Any]:
        """The page piece by piece, each with what the template knows besides."""
        kernel = await kernel_future if isawaitable(kernel_future) else kernel_future
        kernels, page = kernel.parent, self.request_handler
        page.reading = kernel_id
        kernel.stop_restarter()  # who reads would wait for what the one that died was asked
        try:
            if not page.left:
                async for piece in super().generate_content_generator(kernel_id, kernel_future):
                    yield piece
                kernel.start_restarter()
                if kernel_id not in kernels or await kernel.is_alive():
                    return  # all is well, or the reader has left
        except Exception as error:
            if not page.left:
                self.log.warning(SAY("log.not-read", error=error))
        await kernels.end(kernel_id)
        yield _FAILED, {}


class PageEnd(VoilaShutdownKernelHandler):
    """Ends a page's kernel."""

    @authenticated
    async def post(self, kernel_id: str) -> None:
        """One that has ended already is no fault: a tab's next page asks once more where the line was not sound."""
        if kernel_id in self.kernel_manager:
            await super().post(kernel_id)
        else:
            self.set_status(204)
            self.finish()


class KernelState(KernelHandler):
    """What a page is told of its kernel."""

    @authenticated
    async def get(self, kernel_id: str) -> None:
        """Its state; 404 as soon as it has ended."""
        if not await cast(Kernels, self.kernel_manager).lives(kernel_id):
            raise HTTPError(404)
        await ensure_async(super().get(kernel_id))


class KernelLine(VoilaKernelWebsocketHandler):
    """A page's line to its kernel."""

    begun, left = False, False
    """Whether the line was opened, and whether the page has given it up before that."""

    async def pre_get(self) -> None:
        """Get ready for a line; 404 as soon as the kernel has ended: its page would wait a minute for it to live."""
        ready = None
        while await self.kernel_manager.lives(self.kernel_id):
            ready = ready or asyncio.ensure_future(super().pre_get())
            await asyncio.wait([ready], timeout=LOOK)
            if ready.done():
                await ready
                if self.left:  # it would be given what is kept for the page's next line
                    raise HTTPError(400)
                return
        if ready:
            ready.cancel()
            if asked := self.connection.kernel_info_channel:
                asked.close()
        raise HTTPError(404)

    async def open(self, kernel_id: str) -> None:
        """Begin."""
        self.begun = True
        await super().open(kernel_id)

    def on_close(self) -> None:
        """The line is over. One that was never open was not counted: it would end what is kept for the page."""
        if self.begun:
            super().on_close()
        self.left = True

    def on_message(self, ws_message: str | bytes) -> None:
        """A message of the page; a line on which something else comes is closed."""
        if self.selected_subprotocol == PROTOCOL and well_framed(ws_message):
            super().on_message(ws_message)
        else:
            self.close(1003)  # data that cannot be accepted


class Files(AllowListFileHandler, AuthenticatedFileHandler):
    """The notebooks' own files: where pages ask for a token, these do."""

    @authenticated
    async def get(self, path: str, include_body: bool = True) -> None:  # type: ignore[override]
        """A file, for all who may see the pages, from anywhere."""
        await StaticFileHandler.get(self, path, include_body)


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
        self.event_logger = EventLogger(parent=self)  # else every kernel makes one, and a logger that is never freed
        self.token = os.environ.pop(TOKEN, None)
        if self.token:  # the same token, as after a death, lets the pages of before in again; another one does not
            self.cookie_secret = sha256(f"navalkit {self.token}".encode()).digest()
        self.voila_configuration.multi_kernel_manager_class = Kernels

    def init_handlers(self) -> list[Any]:
        """Those of phones, and Voila's, some of them ours."""
        ours = {TornadoVoilaHandler: PageHandler, TemplateStaticFileHandler: TemplateFiles,
                VoilaKernelWebsocketHandler: KernelLine, AllowListFileHandler: Files,
                VoilaShutdownKernelHandler: PageEnd, KernelHandler: KernelState}
        voila_handler.NotebookRenderer = Reader  # there is no setting for it
        voila = [(path, ours.get(handler, handler), *rest) for path, handler, *rest in super().init_handlers()]
        shared, base = phones.Phones(), self.base_url
        self.kernel_manager.ended = shared.ended
        self.gate = Gate(base, self.port, self.ip, [name.lower() for name in self.hosts], shared, **LIMITS)
        rooms = phones.handlers(base, self.port, shared, f"{base}voila/render/")
        return [*rooms, (f"{base}voila/gate", GateHandler, {"gate": self.gate}), *voila]

    def start(self) -> None:
        """Serve until a signal comes or the launcher is gone."""
        self.connection_dir = tempfile.mkdtemp(prefix="navalkit_", dir=self.connection_dir_root)
        longest = Path(self.connection_dir) / f"kernel-{uuid4()}-ipc-5"
        if os.name == "posix" and len(os.fsencode(longest)) <= LONGEST_PATH:
            # Another program may take a port before the kernel that was to have it; nobody else has these files.
            self.config.KernelManager.transport = "ipc"
        # A kernel that died is not started anew: it would know nothing of the page's widgets, and a page that was just
        # being connected took it for its own and stayed dead. The page is told, and is loaded with one of its own.
        self.config.KernelRestarter.restart_limit = 0
        ours = {
            "headers": HEADERS,
            "static_path": self.static_root,
            "static_immutable_cache": [f"{self.base_url}voila/labextensions/"],  # their names hold a hash
            "websocket_compression_options": COMPRESSION,
            "websocket_max_message_size": LARGEST_MESSAGE,
        }
        settings = self.init_settings() | ours
        hosts = [name.lower() for name in self.hosts]
        self.app = GuardedApplication(hosts, f"{self.base_url}voila/render/", **settings)
        self.app.settings.update(self.tornado_settings)
        self.app.add_handlers(".*$", self.init_handlers())
        HTTPServer(self.app, **LIMITS).listen(self.port, self.ip)
        many_files()
        tell(self.port, self.ip, self.base_url, self.gate.name)
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
