"""The file of all rooms: SQLite in WAL mode, written by the server and by kernels, each noticing what the other did.

Seats are known by a key of 192 bits that only the phone has; the file holds its hash. What only this machine may know
(a game's seed, right answers before they are shown) stands in columns that no answer to a phone is made of.
"""

from __future__ import annotations
import json
import os
import re
import secrets
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b, sha256
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from . import Move, Order
from .door import LENGTH, LETTERS, folder, spelt
from .refused import SAY, DamagedError, RemovedError, RoomError, UnwrittenError

if TYPE_CHECKING:
    import sqlite3

SHORT, LONG = 12 * 3600.0, 60 * 24 * 3600.0
"""Seconds after its last use that a class and a game are forgotten."""
AGAIN = 1800.0
"""Seconds, at least, after which a room that was found unused is looked at again, and forgotten if it still is."""
MOST_SEATS = 2000
ORDERS = ("next", "back", "ask", "again", "close", "reveal", "see", "lock", "remove", "plan", "report", "end",
          "admit", "dismiss")
"""What a class's leader may ask of its kernel."""
LARGEST_BOARD = 1 << 20
LONGEST_NAME = 24
_KEY = re.compile(r"[\w-]{32}", re.ASCII)  # 192 bits, as they are sent
_SCHEMA = """
CREATE TABLE IF NOT EXISTS room (
    code TEXT PRIMARY KEY, kind TEXT NOT NULL, rev INTEGER NOT NULL DEFAULT 1, shown TEXT NOT NULL, kept TEXT NOT NULL,
    round INTEGER NOT NULL DEFAULT 0, locked INTEGER NOT NULL DEFAULT 0, names INTEGER NOT NULL DEFAULT 0,
    lasts REAL NOT NULL, used REAL NOT NULL, hold INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seat (
    room TEXT NOT NULL REFERENCES room ON DELETE CASCADE, number INTEGER NOT NULL, key BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL, own TEXT NOT NULL DEFAULT '', rush INTEGER, came INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (room, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answer (
    room TEXT NOT NULL REFERENCES room ON DELETE CASCADE, round INTEGER NOT NULL, seat INTEGER NOT NULL,
    choice TEXT NOT NULL, number INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (room, round, seat)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS board (
    room TEXT NOT NULL REFERENCES room ON DELETE CASCADE, hash TEXT NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (room, hash)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS move (
    room TEXT NOT NULL REFERENCES room ON DELETE CASCADE, number INTEGER NOT NULL, seat INTEGER NOT NULL,
    kind TEXT NOT NULL, text TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (room, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS given (
    room TEXT NOT NULL REFERENCES room ON DELETE CASCADE, seat INTEGER NOT NULL, journal TEXT NOT NULL,
    number INTEGER NOT NULL, move INTEGER NOT NULL, PRIMARY KEY (room, seat, journal)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS leader (
    room TEXT PRIMARY KEY REFERENCES room ON DELETE CASCADE, ticket BLOB, key BLOB, done INTEGER NOT NULL DEFAULT 0,
    rev INTEGER NOT NULL DEFAULT 1, desk TEXT NOT NULL DEFAULT '{}', used BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lead (
    number INTEGER PRIMARY KEY AUTOINCREMENT, room TEXT NOT NULL REFERENCES room ON DELETE CASCADE, id TEXT NOT NULL,
    word TEXT NOT NULL, what TEXT NOT NULL, stand TEXT NOT NULL DEFAULT '', UNIQUE (room, id));
CREATE TABLE IF NOT EXISTS said (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
_ADDED = (("seat", "rush INTEGER"), ("answer", "number INTEGER NOT NULL DEFAULT 0"), ("leader", "used BLOB"),
          ("room", "hold INTEGER NOT NULL DEFAULT 0"), ("lead", "stand TEXT NOT NULL DEFAULT ''"),
          ("seat", "came INTEGER NOT NULL DEFAULT 0"))  # since the first
_ORDERS = ("SELECT number, word, what, stand FROM lead WHERE room = ? AND number > "
           "(SELECT done FROM leader WHERE leader.room = lead.room) ORDER BY number")
_COUNT = (
    "INSERT INTO answer (room, round, seat, choice, number) "
    "SELECT code, round, ?, ?, ? FROM room WHERE code = ? AND round = ? AND round > 0 AND NOT EXISTS "
    "(SELECT 1 FROM seat WHERE seat.room = code AND number = -?) "  # taken away while its answer was on its way
    # An older one is as good as counted: of the question it is known that it is open.
    "ON CONFLICT DO UPDATE SET number = max(number, excluded.number), "
    "choice = CASE WHEN excluded.number = 0 OR excluded.number > number THEN excluded.choice ELSE choice END"
)


class Room(NamedTuple):
    """A room as it stands."""

    code: str
    kind: str
    """"class" or "game"."""
    rev: int
    """Goes up with every change that phones are to see."""
    shown: dict[str, Any]
    """What anybody in the room may see."""
    kept: dict[str, Any]
    """What stays on this machine."""
    locked: bool
    names: bool
    """Whether nobody new is let in, and whether phones may give themselves a name."""


class Ballot(NamedTuple):
    """What a seat answers to a question of its room."""

    code: str
    round: int
    seat: int
    choice: str
    number: int = 0
    """Of the seat's answers to this question, which one: what comes late takes the place of none that was given after
    it. 0: whenever it comes, it is the last."""


class Stands(NamedTuple):
    """The answer of a seat that counts, and its number."""

    choice: str
    number: int


class Seat(NamedTuple):
    """A phone in a room: ``own`` is the name it gave itself, for the teacher alone."""

    number: int
    name: str
    own: str


class Rooms:
    """All rooms of this machine's user. ``path``: the file; `folder` says where it is by default. RoomError 503 if
    there is none and none can be made."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or folder() / "rooms.sqlite3"
        import sqlite3  # here, as a page in a browser without a server has none, and needs none

        self._taken: type[sqlite3.Error] = sqlite3.IntegrityError
        self._unwritten: type[sqlite3.Error] = sqlite3.OperationalError
        try:
            self._set_up()
        except (OSError, self._unwritten) as error:
            raise UnwrittenError(str(error)) from error
        except sqlite3.DatabaseError as error:
            self.close()
            raise DamagedError(self.path, str(error)) from error
        with suppress(RoomError):  # on a full disk they are forgotten later
            self._clear()

    def _set_up(self) -> None:
        import sqlite3

        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self.path.exists():
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        self.sql: sqlite3.Connection = sqlite3.connect(
            self.path, timeout=5.0, isolation_level=None, check_same_thread=False)
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "secure_delete=ON"):
            self.sql.execute(f"PRAGMA {pragma}")
        self.sql.executescript(_SCHEMA)
        for table, added in _ADDED:
            if added.split()[0] not in {column for _, column, *_ in self.sql.execute(f"PRAGMA table_info({table})")}:
                self.sql.execute(f"ALTER TABLE {table} ADD COLUMN {added}")

    def _clear(self) -> None:
        """Forget the rooms that were unused for long at two looks, and signs of who was there. One look is not enough:
        the machine's clock may have been behind when a room was opened, and set right only now."""
        now = time.time()
        idle = {code for (code,) in self.sql.execute("SELECT code FROM room WHERE used + lasts < ?", (now,))}
        noted = dict(self.sql.execute("SELECT substr(key, 6), CAST(value AS REAL) FROM said WHERE key LIKE 'idle %'"))
        for code in idle | noted.keys():
            first = noted.get(code, now)
            if code not in idle:  # it was used since, or is gone
                self._write("DELETE FROM said WHERE key = ?", f"idle {code}")
            elif now - first > AGAIN:
                self._write("DELETE FROM room WHERE code = ? AND used + lasts < ?", code, now)
            elif code not in noted or first > now:
                self.say(f"idle {code}", now)
        self._write("DELETE FROM said WHERE key LIKE 'here %' AND CAST(value AS REAL) < ?", now - SHORT)
        self._write("DELETE FROM said WHERE (key LIKE 'left %' OR key LIKE 'page %') AND NOT EXISTS "
                    "(SELECT 1 FROM room WHERE instr(key || value, code))")

    def close(self) -> None:
        """Let go of the file."""
        self.sql.close()

    @property
    def version(self) -> int:
        """Another number whenever somebody else has written to the file (13 microseconds)."""
        return int(self._row("PRAGMA data_version")[0])

    def _row(self, query: str, *facts: Any) -> Any:
        """The first row that a query finds, or None."""
        return self.sql.execute(query, facts).fetchone()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All of it, or nothing; RoomError 503 if it cannot be written now, as on a full disk. A step within a step is
        a part of it."""
        within: bool = self.sql.in_transaction
        if within:
            yield
            return
        try:
            self.sql.execute("BEGIN IMMEDIATE")
            yield
            self.sql.execute("COMMIT")
        except self._unwritten as error:
            raise UnwrittenError(str(error)) from error
        finally:
            if self.sql.in_transaction:  # of some errors the file's own reader rolls back by itself
                self.sql.execute("ROLLBACK")

    def _write(self, query: str, *facts: Any) -> int:
        """Write one thing (`writing`); returns how many rows it has changed."""
        with self.writing():
            return self.sql.execute(query, facts).rowcount

    def open(self, kind: str, shown: Mapping[str, Any], kept: Mapping[str, Any], lasts: float) -> str:
        """A new room; returns its code."""
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            try:
                self._write("INSERT INTO room (code, kind, shown, kept, lasts, used) VALUES (?, ?, ?, ?, ?, ?)",
                            code, kind, _dump(shown), _dump(kept), lasts, time.time())
            except self._taken:
                continue  # one in 400 million is taken
            return code

    def room(self, code: str) -> Room:
        """A room by its code, read as people type it; RoomError 404 if there is none."""
        code = spelt(code)
        row = self._row("SELECT code, kind, rev, shown, kept, locked, names FROM room WHERE code = ?", code)
        if row is None:
            raise RoomError(SAY("no.room", code=code[:12]), 404)
        code, kind, rev, shown, kept, locked, names = row
        return Room(code, kind, rev, json.loads(shown), json.loads(kept), bool(locked), bool(names))

    def codes(self, kind: str) -> list[str]:
        """The codes of all rooms of a kind."""
        return [code for (code,) in self.sql.execute("SELECT code FROM room WHERE kind = ?", (kind,))]

    def lately(self, kind: str, seconds: float) -> list[str]:
        """The codes of the rooms of a kind that were used within these seconds, the last one first."""
        query = "SELECT code FROM room WHERE kind = ? AND used > ? ORDER BY used DESC"
        return [code for (code,) in self.sql.execute(query, (kind, time.time() - seconds))]

    def rev(self, code: str) -> int:
        """How often a room has changed; 0 if it is gone."""
        row = self._row("SELECT rev FROM room WHERE code = ?", code)
        return int(row[0]) if row else 0

    def show(self, code: str, shown: Mapping[str, Any], kept: Mapping[str, Any] | None = None, round: int = 0) -> None:
        """What phones see from now on; ``round`` is the number of the question they may answer, 0 for none."""
        self._write(
            "UPDATE room SET rev = rev + 1, shown = ?, kept = coalesce(?, kept), round = ?, used = ? WHERE code = ?",
            _dump(shown), None if kept is None else _dump(kept), round, time.time(), code)

    def keep(self, code: str, kept: Mapping[str, Any]) -> None:
        """What stays on this machine from now on; phones are not told that anything has changed."""
        self._write("UPDATE room SET kept = ? WHERE code = ?", _dump(kept), code)

    def over(self, code: str) -> bool:
        """Whether a class has ended."""
        return code in self.codes("class") and self.room(code).shown["phase"] == "over"

    def hold(self, code: str) -> int:
        """Take a class over: whose page had it before holds it no more (`held`). Returns the number to hold it by."""
        with self.writing():
            self._write("UPDATE room SET hold = hold + 1 WHERE code = ?", code)
            return self.held(code)

    def held(self, code: str) -> int:
        """The number by which a class is held; 0 if it is gone."""
        row = self._row("SELECT hold FROM room WHERE code = ?", code)
        return int(row[0]) if row else 0

    def let_in(self, code: str, *, locked: bool, names: bool) -> None:
        """Whether nobody new is let in, and whether phones may name themselves."""
        self._write("UPDATE room SET rev = rev + 1, locked = ?, names = ? WHERE code = ?", locked, names, code)

    def empty(self, code: str) -> None:
        """Delete all that phones have left in a room, and what its leader has."""
        with self.writing():
            for table in ("answer", "seat", "board", "lead", "leader"):
                self._write(f"DELETE FROM {table} WHERE room = ?", code)

    def sit(self, code: str, key: str = "", own: str = "", seats: range | None = None, *,
            rush: bool = False) -> tuple[str, Seat]:
        """Take a seat, or the one that ``key`` is for; returns the key to it and the seat. ``key``: drawn by the phone,
        which keeps it before it asks: whose answer was lost has the same seat the next time. One that is no key, or
        another room's, is exchanged for a new one. ``own``: a name of one's own, where the room allows it. ``seats``:
        the numbers there are; left out, as many at once as a room holds, from 1 on. ``rush``: whether it is one of very
        many at once. RoomError 404 if there is no such room; what else is refused `claim` says."""
        with self.writing():
            room = self.room(code)
            own = " ".join(own.split())[:LONGEST_NAME] if room.names else ""
            if (known := self.claim(room, key, seats)) is not None:
                if own and own != known.own:
                    self.sql.execute("UPDATE seat SET own = ? WHERE room = ? AND number = ?",
                                     (own, room.code, known.number))
                return key, known._replace(own=own or known.own)
            query = "SELECT coalesce(max(abs(number)) + 1, ?) FROM seat WHERE room = ?"  # none is given twice
            (free,) = self._row(query, seats[0] if seats else 1, room.code)
            if not _KEY.fullmatch(key) or self._row("SELECT 1 FROM seat WHERE key = ?", _hashed(key)):
                key = secrets.token_urlsafe(24)
            seat = Seat(free, generated(free), own)
            (came,) = self._row("SELECT round FROM room WHERE code = ?", room.code)
            self.sql.execute("INSERT INTO seat (room, number, key, name, own, rush, came) VALUES (?, ?, ?, ?, ?, ?, ?)",
                             (room.code, free, _hashed(key), seat.name, own, came if rush else None, came))
            return key, seat

    def claim(self, room: Room, key: str, seats: range | None = None) -> Seat | None:
        """The seat that a key has; None if it has none and may take one (`sit`). RoomError if it may not: 410 once the
        class has ended, 403 if its seat was taken away, if the room is locked or full."""
        if (seat := self.seat(room.code, key)) is not None:
            return seat
        if room.kind == "class" and room.shown.get("phase") == "over":
            raise RoomError(SAY("no.over"), 410)
        if self.removed(room.code, key):
            raise RemovedError
        if room.locked:
            raise RoomError(SAY("no.locked"), 403)
        if self.joined(room.code) >= (MOST_SEATS if seats is None else len(seats)):
            raise RoomError(SAY("no.full" if seats is None else "no.taken"), 403)
        return None

    def seat(self, code: str, key: str) -> Seat | None:
        """The seat of a key, if there is one in this room."""
        row = self._row("SELECT number, name, own FROM seat WHERE key = ? AND room = ? AND number >= 0",
                        _hashed(key), code)
        return Seat(*row) if row else None

    def seats(self, code: str) -> list[Seat]:
        """All seats of a room, by number."""
        query = "SELECT number, name, own FROM seat WHERE room = ? AND number >= 0 ORDER BY number"
        return [Seat(*row) for row in self.sql.execute(query, (code,))]

    def joined(self, code: str) -> int:
        """How many seats are taken."""
        return int(self._row("SELECT count(*) FROM seat WHERE room = ? AND number >= 0", code)[0])

    def remove(self, code: str, seat: int) -> None:
        """Take a seat of a class away, and what it has answered. Its key is known from then on, and opens nothing."""
        self._take_away(code, "number = ?", seat)

    def removed(self, code: str, key: str) -> bool:
        """Whether the seat of a key was taken away."""
        return self._row("SELECT 1 FROM seat WHERE key = ? AND room = ? AND number < 0", _hashed(key), code) is not None

    def out(self, code: str) -> frozenset[int]:
        """The numbers of the seats that were taken away."""
        query = "SELECT -number FROM seat WHERE room = ? AND number < 0"
        return frozenset(number for (number,) in self.sql.execute(query, (code,)))

    def _take_away(self, code: str, which: str, *facts: Any) -> None:
        with self.writing():
            self.sql.execute(f"DELETE FROM answer WHERE room = ? AND seat IN (SELECT number FROM seat WHERE room = ? "
                             f"AND {which})", (code, code, *facts))
            self.sql.execute(f"UPDATE seat SET number = -number WHERE room = ? AND number > 0 AND {which}",
                             (code, *facts))
            self._told(code)

    # Those who came very many at once: `seat.rush` is the question that was open then, 0 for none; NULL for all others,
    # -1 for those who belong here whatever comes

    def mark(self, code: str, seats: Iterable[int]) -> None:
        """Seats turn out to be some of very many at once (`sit`), but for those of whom it is known that they belong
        here (`admit`)."""
        with self.writing():
            self.sql.executemany("UPDATE seat SET rush = came WHERE room = ? AND number = ? AND rush IS NULL",
                                 [(code, seat) for seat in seats])

    def rush(self, code: str, round: int = 0) -> tuple[int, int]:
        """How many seats were taken in a rush, and how many of them have answered a question that was open already:
        these answers are set apart (`answers`)."""
        query = "SELECT count(*), count(choice) FROM seat LEFT JOIN answer ON answer.room = seat.room " \
                "AND seat = seat.number AND answer.round = ? AND rush = ? " \
                "WHERE seat.room = ? AND seat.number > 0 AND rush >= 0"
        seats, apart = self._row(query, round, round, code)
        return int(seats), int(apart)

    def admit(self, code: str) -> None:
        """Those who came in a rush are as all others from now on."""
        with self.writing():
            self._write("UPDATE seat SET rush = -1 WHERE room = ? AND rush >= 0", code)
            self._told(code)

    def dismiss(self, code: str) -> None:
        """Take the seats away that were taken in a rush, and their answers."""
        self._take_away(code, "rush >= 0")

    def answer(self, code: str, round: int, seat: int, choice: str) -> None:
        """Note an answer, in the place of an earlier one of the same seat; RoomError 409 if the question is no longer
        open."""
        if not self.count([Ballot(code, round, seat, choice)])[0]:
            raise RoomError(SAY("no.closed"), 409)

    def count(self, ballots: Sequence[Ballot]) -> list[bool]:
        """Note answers, all in one go, each in the place of an earlier one of the same seat (`Ballot.number`); returns
        for each whether its question was still open, and its seat there."""
        with self.writing():
            return [self.sql.execute(_COUNT, (seat, choice, number, code, round, seat)).rowcount > 0
                    for code, round, seat, choice, number in ballots]

    def answered(self, code: str, round: int, seat: int) -> Stands | None:
        """What a seat has answered."""
        row = self._row("SELECT choice, number FROM answer WHERE room = ? AND round = ? AND seat = ?",
                        code, round, seat)
        return None if row is None else Stands(*row)

    def answers(self, code: str, round: int) -> dict[int, str]:
        """Seat -> its answer to a question, but for seats that were taken in a rush while it was open."""
        query = "SELECT seat, choice FROM answer WHERE room = ? AND round = ? AND NOT EXISTS (SELECT 1 FROM seat " \
                "WHERE seat.room = answer.room AND number = answer.seat AND rush = answer.round)"
        return dict(self.sql.execute(query, (code, round)).fetchall())

    def keep_board(self, code: str, board: Mapping[str, Any]) -> str:
        """Keep a board for the phones; returns the hash it is fetched by."""
        text = _dump(board).encode()
        if len(text) > LARGEST_BOARD:
            raise RoomError(SAY("no.large", size=len(text), most=LARGEST_BOARD), 413)
        hash = blake2b(text, digest_size=12).hexdigest()
        packer = zlib.compressobj(6, wbits=31)  # as gzip, which browsers unpack
        body = packer.compress(text) + packer.flush()
        self._write("INSERT OR IGNORE INTO board (room, hash, body) VALUES (?, ?, ?)", code, hash, body)
        return hash

    def board(self, code: str, hash: str) -> bytes:
        """A board, packed as gzip; RoomError (404) if it is gone."""
        row = self._row("SELECT body FROM board WHERE room = ? AND hash = ?", code, hash)
        if row is None:
            raise RoomError(SAY("no.room", code=code[:12]), 404)
        return bytes(row[0])

    def moves(self, code: str, after: int = 0) -> list[Move]:
        """What was done in a game after the first moves."""
        query = "SELECT number, seat, kind, text, at FROM move WHERE room = ? AND number > ? ORDER BY number"
        return [Move(*row) for row in self.sql.execute(query, (code, after))]

    def move(self, code: str, number: int, seat: int, kind: str, text: str = "",
             given: tuple[str, int] | None = None) -> None:
        """Do something as the game's move of that number: the second to try is refused; RoomError 409 if there is such
        a move already, 404 if the room is gone. ``given``: the journal and the number of the order it came of; it is
        noted with the move, so that it is known again (`given`)."""
        try:
            with self.writing():
                self.sql.execute("INSERT INTO move VALUES (?, ?, ?, ?, ?, ?)",
                                 (code, number, seat, kind, text, time.time()))
                if given is not None:
                    noted = code, seat, *given, number
                    self.sql.execute("INSERT OR REPLACE INTO given VALUES (?, ?, ?, ?, ?)", noted)
                self.sql.execute("UPDATE room SET rev = rev + 1, used = ? WHERE code = ?", (time.time(), code))
        except self._taken:
            if not self.rev(code):
                raise RoomError(SAY("no.room", code=code), 404) from None
            raise RoomError(SAY("no.moved"), 409) from None

    def given(self, code: str, seat: int) -> dict[str, int]:
        """Journal -> the number of its last order that became a move of this seat, the journal of the last one last."""
        query = "SELECT journal, number FROM given WHERE room = ? AND seat = ? ORDER BY move"
        return dict(self.sql.execute(query, (code, seat)).fetchall())

    # Who leads a class from a second window or a phone ---------------------------------------------------------------

    def ticket(self, code: str) -> str:
        """A new ticket to lead a class: good for one device, once. The one before is no longer good."""
        ticket = secrets.token_urlsafe(24)
        self._write("INSERT INTO leader (room, ticket) VALUES (?, ?) ON CONFLICT DO UPDATE "
                    "SET ticket = excluded.ticket", code, _hashed(ticket))
        return ticket

    def offers(self, code: str, ticket: str) -> bool:
        """Whether a ticket is good still: nobody has used it, and there is no later one."""
        return self._row("SELECT 1 FROM leader WHERE room = ? AND ticket = ?", code, _hashed(ticket)) is not None

    def pair(self, code: str, ticket: str, key: str = "") -> str:
        """Have a key lead, which a ticket is good for: it ends the key before it; returns it. ``key``: drawn by the
        device, which keeps it before it asks: whose answer was lost is told the same the next time, and nobody else.
        One that is no key is exchanged for a new one. RoomError 403 if the ticket is not good."""
        key = key if _KEY.fullmatch(key) else secrets.token_urlsafe(24)
        query = "UPDATE leader SET key = ?, used = ticket, ticket = NULL, rev = rev + 1 WHERE room = ? AND ticket = ?"
        if not self._write(query, _hashed(key), code, _hashed(ticket)) and not self._row(
                "SELECT 1 FROM leader WHERE room = ? AND used = ? AND key = ?", code, _hashed(ticket), _hashed(key)):
            raise RoomError(SAY("no.ticket"), 403)
        return key

    def leads(self, code: str, key: str) -> bool:
        """Whether a key is the one that leads this class now."""
        return self._row("SELECT 1 FROM leader WHERE room = ? AND key = ?", code, _hashed(key)) is not None

    def led(self, code: str) -> bool:
        """Whether a class has a leader elsewhere."""
        return self._row("SELECT 1 FROM leader WHERE room = ? AND key IS NOT NULL", code) is not None

    def order(self, code: str, id: str, word: str, what: str = "", stand: str = "") -> int:
        """Give an order to the kernel of a class; returns its number (`done`). ``id``: by which an order that is sent
        twice counts once. ``stand``: see `Order`."""
        with self.writing():
            self._write("INSERT OR IGNORE INTO lead (room, id, word, what, stand) VALUES (?, ?, ?, ?, ?)",
                        code, id, word, what, stand)
            return int(self._row("SELECT number FROM lead WHERE room = ? AND id = ?", code, id)[0])

    def waits(self, code: str) -> bool:
        """Whether there are orders that are not carried out yet."""
        return self._row(_ORDERS, code) is not None

    def orders(self, code: str) -> list[Order]:
        """The orders that are not carried out yet."""
        return [Order(*row) for row in self.sql.execute(_ORDERS, (code,))]

    def carry(self, code: str, number: int) -> None:
        """Note that the orders up to this one are carried out: they never are again."""
        self._write("UPDATE leader SET done = ?, rev = rev + 1 WHERE room = ? AND done < ?", number, code, number)

    def done(self, code: str) -> int:
        """The number of the last order that the kernel of a class has carried out: it answered then."""
        row = self._row("SELECT done FROM leader WHERE room = ?", code)
        return int(row[0]) if row else 0

    def lay(self, code: str, desk: Mapping[str, Any]) -> None:
        """Lay out what the leader is to see: no answer to a phone is made of it."""
        text = _dump(desk)
        self._write("UPDATE leader SET rev = rev + 1, desk = ? WHERE room = ? AND desk != ?", text, code, text)

    def desk(self, code: str) -> tuple[int, str]:
        """What the leader is to see, as JSON, and how often it has changed; 0 if nobody leads."""
        row = self._row("SELECT rev, desk FROM leader WHERE room = ?", code)
        return (int(row[0]), str(row[1])) if row else (0, "{}")

    # What the server says of itself ---------------------------------------------------------------------------------

    def say(self, key: str, value: Any) -> None:
        """Note something for the kernels."""
        self._write("INSERT OR REPLACE INTO said VALUES (?, ?)", key, json.dumps(value))

    def said(self, key: str) -> Any:
        """What the server has noted, or None."""
        row = self._row("SELECT value FROM said WHERE key = ?", key)
        return json.loads(row[0]) if row else None

    def gate(self, name: str) -> list[str]:
        """The addresses by which a server's gate lets the network in; [] while it is closed."""
        return list(self.said(f"gate {name}") or ()) if name else []

    # Who is there ---------------------------------------------------------------------------------------------------

    def here(self, code: str, seat: int = 0) -> None:
        """Note that somebody in a seat (0: the page of a class) is there just now; who had left is back, as is told."""
        with self.writing():
            self.say(f"here {code} {seat}", time.time())
            if self._write("DELETE FROM said WHERE key = ?", f"left {code} {seat}"):
                self._told(code)

    def leave(self, code: str, seat: int, *, for_good: bool = False) -> None:
        """Note that somebody has left their page, and tell the room: a page that is loaded again says `here` soon.
        ``for_good``: they play something else, and have no way back to this game."""
        if (self.left(code, seat) or (0, False))[1]:
            return  # their page may end later
        with self.writing():
            self.say(f"left {code} {seat}", [time.time(), for_good])
            self._told(code)

    def left(self, code: str, seat: int) -> tuple[float, bool] | None:
        """Seconds since somebody in a seat has left their page, and whether for good; None if they have not."""
        told = self.said(f"left {code} {seat}")
        return None if told is None else (max(0.0, time.time() - told[0]), bool(told[1]))

    def plays(self, kernel: str, code: str, seat: int) -> None:
        """Note whose page a kernel is, for `ended`."""
        self.say(f"page {kernel}", [code, seat])

    def ended(self, kernel: str) -> None:
        """A kernel has ended, and with it its page: who had that has left it."""
        if (told := self.said(f"page {kernel}")) is not None:
            self.leave(*told)

    def _told(self, code: str) -> None:
        self._write("UPDATE room SET rev = rev + 1 WHERE code = ?", code)

    def away(self, code: str, seat: int = 0) -> float:
        """Seconds since somebody in a seat was last known to be there; infinity if never."""
        at, now = self.said(f"here {code} {seat}"), time.time()
        if at is None:
            return inf
        if at > now:  # the clock was set back: the sign is of now at most, and grows old from now on
            with suppress(RoomError):
                self.here(code, seat)
        return max(0.0, now - float(at))


def generated(number: int) -> str:
    """The name of a seat: "Corvette 1", "Frigate 2"."""
    kinds = SAY("kinds").split("|")
    return SAY("name", kind=kinds[(number - 1) % len(kinds)], number=number)


def _hashed(key: str) -> bytes:
    return sha256(key.encode()).digest()


def _dump(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
