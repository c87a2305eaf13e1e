"""What phones may ask of the server: a page, a seat, the state of their room, an answer, a move. Never a kernel.

Registered twice: in the server of ``navalkit play`` and as an extension of Jupyter's own (Binder, JupyterHub). Asking,
closing and showing have no address here: only a kernel can. Nobody needs a login, and nobody has a cookie: a seat is
known by its key, sent as a header.
"""

from __future__ import annotations
import asyncio
import gzip
import json
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from importlib import resources
from ipaddress import ip_address
from math import inf
from pathlib import Path
from typing import Any

from jupyter_core.paths import jupyter_path
from jupyter_server.auth.decorator import allow_unauthenticated
from tornado.httputil import HTTPServerRequest
from tornado.web import HTTPError, RequestHandler, stream_request_body

from navalkit.core.errors import NavalkitError
from navalkit.core.words import ENGLISH, Voice, Words, speak
from navalkit.rooms.door import lan_addresses, spelt
from navalkit.rooms.refused import SAY as CLASSES, DamagedError, RemovedError, RoomError, UnwrittenError, damage
from navalkit.rooms.store import Ballot, Rooms, Seat, Stands
from . import SAY
from .watch import Guests, Lines, Pace, Rush, Seen, Urn, Watch

PHONE = Words.load("navalkit.serve", "phone.toml")
"""What the page on the phone says itself: it is sent there as it is."""

KEY = "X-Navalkit-Seat"
"""The header with the key of a seat."""
LARGEST_BODY = 4096
LONGEST_LENGTH = 12
"""Digits of a length that are read."""
LAST = (1 << 53) - 1
"""The largest number that a browser counts to."""
QUIET = 3.5
"""Seconds without a sign of life of a class's page, which gives one every second, until its leader is told."""
SMALLEST, LARGEST = 300, 1600
"""Pixels of a guest's board, each way."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "html": "text/html",
         "woff2": "font/woff2"}
FONTS = {"sans.woff2": "public-sans-latin-wght-normal.woff2", "serif.woff2": "source-serif-4-latin-wght-normal.woff2"}
"""The fonts of all pages, by their names here: they are files of the pages' template."""


def laid_out(rooms: Rooms, code: str) -> tuple[int, str]:
    """What a class's leader is told: the desk that its kernel has laid out, the last order that it has taken and the
    last one that waits (one that is given and not taken tells of a kernel that does not answer), and what time it is by
    this machine's clock, by which the desk tells when the lesson began; and whether nothing comes from the class's
    page, be it frozen or unable to write, which is another revision."""
    rev, desk = rooms.desk(code)
    quiet = QUIET < rooms.away(code) < inf
    waits = max((order.number for order in rooms.orders(code)), default=0)
    told = f'"done":{rooms.done(code)},"waits":{waits},"now":{time.time()},"quiet":{json.dumps(quiet)},"desk":{desk}'
    return 2 * rev + quiet, f"{{{told}}}"


class Phones:
    """What all handlers share; made when the first phone comes."""

    def __init__(self) -> None:
        # Wrong codes by address; taps by seat, for a class may sit behind one address.
        self.wrong, self.taps = Pace(60, 1.0), Pace(20, 4.0)
        self.lines, self.rush = Lines(), Rush()
        self.reached = False

    @cached_property
    def rooms(self) -> Rooms:
        return Rooms()

    @cached_property
    def watch(self) -> Watch:
        return Watch(self.rooms)

    @cached_property
    def urn(self) -> Urn:
        return Urn(self.rooms)

    @cached_property
    def desks(self) -> Watch:
        return Watch(self.rooms, laid_out)

    @cached_property
    def guests(self) -> Guests:
        return Guests(self.rooms.path)

    def ended(self, kernel: str) -> None:
        """A kernel has ended; what cannot be noted now is known later by its silence."""
        if "rooms" in vars(self):  # before the first phone there is nobody to tell
            with suppress(RoomError):
                self.rooms.ended(kernel)

    def reach(self, request: HTTPServerRequest, port: int) -> None:
        """Note, for the teacher's panel, that somebody from another machine has got here: this one, which tries its own
        address (`ui.rooms.door`), is none."""
        if self.reached:
            return
        try:
            far = not ip_address(request.remote_ip or "").is_loopback
        except ValueError:
            far = False
        if far and request.remote_ip not in lan_addresses():
            with suppress(RoomError):
                self.rooms.say(f"reached {port}", request.remote_ip)
                self.reached = True


@cache
def static(name: str) -> bytes:
    """A file of the phones' page; OSError if there is none."""
    if name in FONTS:
        folders = (Path(each, "navalkit", "static", "fonts") for each in jupyter_path("voila", "templates"))
        return next((path for each in folders if (path := each / FONTS[name]).exists()), Path(name)).read_bytes()
    return resources.files("navalkit.serve").joinpath("static", name).read_bytes()


@stream_request_body
class PhoneHandler(RequestHandler):
    """What all of them do alike: small bodies, one sentence for what is refused, nothing from elsewhere."""

    def initialize(self, phones: Phones, base: str, port: int, pages: str = "") -> None:
        self.phones, self.base, self.port, self.pages = phones, base, port, pages
        self._body = b""

    def set_default_headers(self) -> None:
        self.set_header("Content-Security-Policy", POLICY)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cache-Control", "no-store")

    def check_xsrf_cookie(self) -> None:
        """There is no cookie that another site could use; what it could send without asking is no JSON."""

    def prepare(self) -> None:
        speak(Voice(self.lang))  # for this request: it is a task of its own
        self.request.connection.set_max_body_size(LARGEST_BODY)  # type: ignore[union-attr]
        length = self.request.headers.get("Content-Length") or "0"
        if not re.fullmatch("[0-9]+", length):  # two of them, say
            raise HTTPError(400)
        if len(length) > LONGEST_LENGTH or int(length) > LARGEST_BODY:
            raise HTTPError(413)

    def data_received(self, chunk: bytes) -> None:
        self._body += chunk

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        error = kwargs.get("exc_info", (None, None))[1]
        if isinstance(error, RoomError):
            self.set_status(error.status)
        elif isinstance(error, NavalkitError):
            self.set_status(400)
        key = f"phone.{status_code}" if f"phone.{status_code}" in SAY else "phone.500"
        told = str(error) if isinstance(error, NavalkitError) else SAY(key)
        if isinstance(error, UnwrittenError):  # phones and consoles do so
            told = SAY("phone.unwritten", told=told)
        elif isinstance(error, DamagedError) or (error is not None and damage(error)):  # a path is nobody's elsewhere
            told = SAY("phone.damaged")
        self.finish({"error": told} | ({"out": True} if isinstance(error, RemovedError) else {}))

    def log_exception(self, typ: Any, value: Any, tb: Any) -> None:
        if not isinstance(value, NavalkitError | HTTPError):
            super().log_exception(typ, value, tb)

    def json(self) -> dict[str, Any]:
        """What was sent; HTTPError 400 or 415 if it is no JSON object of whole characters."""
        if self.request.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
            raise HTTPError(415)
        try:
            sent = json.loads(self._body)
            json.dumps(sent, ensure_ascii=False).encode()  # half a character is in no text, and fits in no file
        except (ValueError, RecursionError):
            raise HTTPError(400) from None
        if not isinstance(sent, dict):
            raise HTTPError(400)
        return sent

    @property
    def lang(self) -> str:
        """The language that the browser wants, if there is one."""
        return language(self.request.headers.get("Accept-Language", ""), PHONE.languages)

    def code(self, typed: str) -> str:
        """The code of an existing room; guessing is slowed down."""
        code = spelt(typed)
        if self.phones.watch.latest(code) is None and not self.phones.rooms.rev(code):
            if not self.phones.wrong.allows(self.request.remote_ip):
                raise HTTPError(429)
            self.phones.rooms.room(code)
        return code

    def seat(self, code: str) -> Seat:
        """Whose key was sent; RoomError (403) if it fits no seat of the room."""
        seat = self.phones.rooms.seat(code, self.request.headers.get(KEY, ""))
        if seat is None:
            self.out(code)
            raise RoomError(SAY("phone.seat"), 403)
        if self.request.method == "POST" and not self.phones.taps.allows((code, seat.number)):
            raise HTTPError(429)
        return seat


    def out(self, code: str) -> None:
        """RemovedError if the seat was taken away whose key was sent."""
        if self.phones.rooms.removed(code, self.request.headers.get(KEY, "")):
            raise RemovedError


class PagePart(PhoneHandler):
    """The page, which is the same for all rooms, and its files."""

    @allow_unauthenticated
    def get(self, name: str = "room.html") -> None:
        try:
            body = static(name)
        except OSError:
            raise HTTPError(404) from None
        kind = TYPES[name.rpartition(".")[2]]
        self.set_header("Content-Type", kind if name in FONTS else f"{kind}; charset=utf-8")
        self.set_header("Cache-Control", "no-cache")
        if name.endswith(".html"):
            self.phones.reach(self.request, self.port)
            body = body.replace(b"{base}", f"{self.base}room/".encode()).replace(b"{pages}", self.pages.encode())
        self.finish(body)


@lru_cache(maxsize=256)
def language(wanted: str, known: Sequence[str]) -> str:
    """The first language that a browser wants (an Accept-Language header) and there is; else the first there is.

    >>> language("fr;q=0.9, de-AT, en;q=0.8", ("en", "de"))
    'de'
    """
    asked = []
    for number, part in enumerate(wanted.split(",")[:20]):
        name, _, rest = part.strip().partition(";")
        share = re.fullmatch(r"\s*q=([01](?:\.\d{0,3})?)\s*", rest)
        asked.append((-float(share[1]) if share else -1.0, number, name.partition("-")[0].lower()))
    return next((name for share, _, name in sorted(asked) if share and name in known), known[0])


class WordsHandler(PhoneHandler):
    """What the page says, by key, in the browser's language."""

    @allow_unauthenticated
    def get(self) -> None:
        self.set_header("Vary", "Accept-Language")
        self.finish(PHONE.tables[ENGLISH] | PHONE.tables[self.lang] | {"lang": self.lang})


class RoomPage(PagePart):
    """The page at the address of a room."""

    @allow_unauthenticated
    def get(self, code: str = "") -> None:
        super().get("room.html")


class SeatHandler(PhoneHandler):
    """Takes a seat, or the one that there is."""

    @allow_unauthenticated
    async def post(self, typed: str) -> None:
        sent, code = self.json(), self.code(typed)
        own = sent.get("name", "")
        if not isinstance(own, str):
            raise HTTPError(400)
        rooms, rush, address = self.phones.rooms, self.phones.rush, self.request.remote_ip or ""
        room, key, seats = rooms.room(code), self.request.headers.get(KEY, ""), None
        if room.kind == "game":
            host = room.kept["host"]
            seats = range(1 - host, 2 - host)
        new = rooms.claim(room, key, seats) is None  # who gets none is told so before there is anything to do for it
        if new and (puzzle := rush.stops(code, address, sent)) is not None:
            if makers := rush.makers(code, address):  # it begins with the first of them, not with who comes on top
                rooms.mark(code, makers)
                makers.clear()
            self.set_status(429)
            self.finish({"error": SAY("phone.rush"), "puzzle": puzzle})
            return
        key, seat = rooms.sit(code, key, own, seats, rush="puzzle" in sent)
        if new and "puzzle" not in sent:
            rush.came(code, address, seat.number)
        round = room.shown.get("round", 0)
        mine = rooms.answered(code, round, seat.number) if round else None
        told = {"key": key, "name": seat.name, "own": seat.own, "code": code, "kind": room.kind, "round": round}
        self.finish(told | {"choice": mine and mine.choice, "number": mine.number if mine else 0})


class AnswerHandler(PhoneHandler):
    """Takes an answer to the open question; another one later takes its place. It says which one stands: one that was
    given later may have come before, and an earlier one is then done with."""

    @allow_unauthenticated
    async def post(self, typed: str) -> None:
        sent, code = self.json(), self.code(typed)
        seat, seen = self.seat(code), self.phones.watch.latest(code)
        round, choice, number = sent.get("round"), sent.get("choice"), sent.get("number", 0)
        if type(round) is not int or not isinstance(choice, str) or type(number) is not int or not 0 <= number <= LAST:
            raise HTTPError(400)
        if seen is None or seen.round != round:  # what was told last may be a glance old
            seen = self.phones.watch.now(code)
        if round == seen.round and choice not in seen.choices:
            raise RoomError(SAY("phone.choice"), 400)
        asked = min(max(round, -1), 1 << 31)
        # Only what could be looked up is counted: the next question may be there before the file is written.
        cast = round == seen.round and await self.phones.urn.cast(Ballot(code, asked, seat.number, choice, number))
        stands = self.phones.rooms.answered(code, asked, seat.number)
        if not cast and (not number or stands != Stands(choice, number)):  # else it came in time: its receipt was lost
            raise RoomError(CLASSES("no.closed"), 409)
        stands = stands or Stands(choice, number)  # but for one removed
        self.finish({"round": round} | stands._asdict())


class StateHandler(PhoneHandler):
    """The state of a room; with ``?rev=N`` once it is another than that, for lines that hold streams back."""

    @allow_unauthenticated
    async def get(self, typed: str) -> None:
        code = self.code(typed)
        self.out(code)
        rev = self.get_query_argument("rev", "")
        seen = self.phones.watch.now(code)
        if rev == str(seen.rev):
            seat = self.seat(code)  # one who waits takes a line
            if not self.phones.lines.enter(code, seat.number, self.request.remote_ip, self, StateHandler._over):
                raise HTTPError(503)
            try:
                seen = await self.phones.watch.next(code, seen.rev)
            finally:
                self.phones.lines.leave(self)
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.finish(seen.text)

    def _over(self) -> None:
        """A newer line takes the place of this one, which answers as soon as it has waited."""


class EventsHandler(PhoneHandler):
    """The state of a room whenever it changes. A slow phone misses what lies between."""

    _over: asyncio.Future[None] | None = None  # done when the line is, or the room
    _sending: asyncio.Future[None] | None = None
    _sent, _who = -1, 0

    @property
    def watch(self) -> Watch:
        """What is told here."""
        return self.phones.watch

    def who(self, code: str) -> int:
        """Whose line it is; RoomError (403) if nobody's who may listen."""
        return self.seat(code).number

    @allow_unauthenticated
    async def get(self, typed: str) -> None:
        self._code, watch = self.code(typed), self.watch
        who = self._who = self.who(self._code)
        if not self.phones.lines.enter(self._code, who, self.request.remote_ip, self, EventsHandler._end):
            raise HTTPError(503)
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("X-Accel-Buffering", "no")
        over = self._over = asyncio.get_running_loop().create_future()
        self.write(b"retry: 1000\n\n")
        await self.flush()
        self.tell(watch.join(self._code, self))
        try:
            await over
        finally:
            watch.leave(self._code, self)
            self.phones.lines.leave(self)

    def tell(self, seen: Seen | None) -> None:
        """Send it, unless what was sent before is still on its way: then the latest is sent after that."""
        if self._over is None or self._over.done() or (self._sending is not None and not self._sending.done()):
            return
        if seen is None and self.watch.gone(self._code):
            self.write(b'data: {"gone":true}\n\n')
            self._end()
            return
        if seen is not None and self._who in seen.out:
            self.write(b'data: {"out":true}\n\n')
            self._end()
            return
        self._sent = self._sent if seen is None else seen.rev
        told = b":\n\n" if seen is None else b"data: %b\n\n" % seen.text
        # Past the handler's own buffer, through which a thousand phones are told a good deal later.
        self._sending = self.request.connection.write(told)  # type: ignore[union-attr]
        self._sending.add_done_callback(self._flushed)

    def _flushed(self, sent: asyncio.Future[None]) -> None:
        if sent.cancelled() or sent.exception() is not None:
            self._end()
            return
        latest = self.watch.latest(self._code)
        if latest is not None and latest.rev != self._sent:
            self.tell(latest)

    def _end(self) -> None:
        if self._over is not None and not self._over.done():
            self._over.set_result(None)

    def on_connection_close(self) -> None:
        self._end()


class BoardHandler(PhoneHandler):
    """A board by its hash: it never changes, so that it is fetched once."""

    @allow_unauthenticated
    def get(self, typed: str, hash: str) -> None:
        body = self.phones.rooms.board(self.code(typed), hash)
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.set_header("Cache-Control", "private, max-age=86400, immutable")
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
        else:
            body = gzip.decompress(body)
        self.finish(body)


class GameHandler(PhoneHandler):
    """The game as a guest sees it, and what the guest does."""

    @allow_unauthenticated
    async def get(self, typed: str) -> None:
        await self._ask(typed, {})

    @allow_unauthenticated
    async def post(self, typed: str) -> None:
        await self._ask(typed, self.json())

    async def _ask(self, typed: str, do: dict[str, Any]) -> None:
        code = self.code(typed)
        seat = self.seat(code)
        if self.phones.rooms.room(code).kind != "game":
            raise HTTPError(404)
        asked = {"room": code, "seat": seat.number, "do": do, "size": self._size(), "lang": self.lang}
        self.finish(await self.phones.guests.ask(asked))

    def _size(self) -> list[int]:
        """Width and height, px, that the guest has for the board, and of a phone lying down `Look.hole` besides;
        HTTPError 400 if they are none."""
        size = re.fullmatch(r"(\d{3,4})x(\d{3,4})((?:,\d{1,4}){4})?", self.get_query_argument("size", "390x480"))
        if size is None:
            raise HTTPError(400)
        room = [min(max(int(each), SMALLEST), LARGEST) for each in size.groups()[:2]]
        left, top, right, low = map(int, size[3][1:].split(",")) if size[3] else (0, 0, 0, 0)
        free = SMALLEST <= left < right <= room[0] and top < low <= room[1]
        return [*room, left, top, right, low] if free else room


class LeaveHandler(PhoneHandler):
    """Takes note of a guest who leaves their page of a game."""

    @allow_unauthenticated
    def post(self, typed: str) -> None:
        self.json()
        code = self.code(typed)
        seat = self.seat(code)
        if self.phones.rooms.room(code).kind != "game":
            raise HTTPError(404)
        self.phones.rooms.leave(code, seat.number)
        self.finish({})


class RoomNotFound(PhoneHandler):
    """Anything else below the rooms."""

    @allow_unauthenticated
    def get(self) -> None:
        raise HTTPError(404)

    post = put = delete = patch = get


def handlers(base: str, port: int, phones: Phones | None = None, pages: str = "") -> list[Any]:
    """All addresses of the phones. ``base``: the server's base URL, with slashes at both ends. ``port``: that it
    listens on. ``pages``: where guests find its pages; "" where they ask for a password that no guest has, or cannot be
    reached."""
    from .lead import leading  # which builds on what is above

    code, shared = r"([A-Za-z0-9-]{1,20})", {"phones": phones or Phones(), "base": base, "port": port, "pages": pages}
    found = [
        (rf"/{code}/answer", AnswerHandler),  # first what a thousand phones ask for at once
        (rf"/{code}/board/([0-9a-f]{{24}})", BoardHandler),
        (rf"/{code}/events", EventsHandler),
        (r"", RoomPage),
        (r"/", RoomPage),
        (r"/static/([a-z]+\.[a-z]+2?)", PagePart),
        (r"/words", WordsHandler),
        (rf"/{code}", RoomPage),
        (rf"/{code}/seat", SeatHandler),
        (rf"/{code}/state", StateHandler),
        (rf"/{code}/game", GameHandler),
        (rf"/{code}/leave", LeaveHandler),
        *((rf"/{code}{path}", handler) for path, handler in leading()),
        (r"/.*", RoomNotFound),
    ]
    return [(f"{base}room{path}", handler, shared) for path, handler in found]
