"""Guided tours: lists of steps with a teacher's note for each, ready-made or a teacher's own, in TOML.

A stop says what to show as a link does ("position=mode-3", "scenario=night-convoy&seed=2"), and in a hunt where:
"contact 1" is the first moment with a contact, "contact 1 escort" the next after it at which an escort decides.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from urllib.parse import parse_qs

import tomli_w

from navalkit.core.awaited import Steps, finish
from navalkit.core.echo import brief
from navalkit.core.errors import DataError, OptionError
from navalkit.core.files.datafile import Fields
from navalkit.games.on_patrol.board.moments import Key

from . import hunts
from .say import STEP

MOST = 60_000
"""Characters of a tour at most."""
ESCORT, START, END = "escort", "start", "end"


@dataclass(frozen=True, slots=True)
class Stop:
    """One step of a tour."""

    query: str
    """What is shown, as in a link."""
    title: str
    """What the class reads."""
    note: str
    """What the teacher alone reads."""
    minutes: int = 2
    at: str = ""
    """Where in a hunt: "start", "end", or a kind of key moment and its number (-1: the last), with "escort" for the
    decision after it."""
    predict: bool = False
    """Whether the class is asked first."""

    def find(self) -> tuple[hunts.Show, int]:
        """What to show, and the moment; OptionError, DataError, RecordError if there is no such thing to show, or the
        hunt has no such moment."""
        return finish(self.finding())

    def finding(self) -> Steps[tuple[hunts.Show, int]]:
        """As `find`, in steps."""
        asked = yield from hunts.from_query(f"?{self.query}")
        if asked is None:
            raise DataError(STEP("tour.shows-nothing", query=brief(self.query)))
        return asked.show, self._moment(asked.show) if self.at else asked.step

    def _moment(self, show: hunts.Show) -> int:
        kind, *more = self.at.split()
        row = show.row
        if kind in (START, END):
            at = 0 if kind == START else len(row) - 1
        else:
            number = int(more.pop(0)) if more and more[0].lstrip("-").isdecimal() else 1
            keyed = [i for i, moment in enumerate(row) if kind in moment.keys]
            if kind not in set(Key) or not 1 <= abs(number) <= len(keyed):
                raise DataError(STEP("tour.no-moment", at=brief(self.at), show=show.title))
            at = keyed[number - (number > 0)]
        if ESCORT in more:
            at = next((i for i in range(at, len(row)) if row[i].who), at)
        return at


@dataclass(frozen=True, slots=True)
class Tour:
    """A tour: its stops, and what a teacher reads before choosing it."""

    id: str
    title: str
    about: str
    stops: tuple[Stop, ...] = ()

    @property
    def minutes(self) -> int:
        """How long it takes."""
        return sum(stop.minutes for stop in self.stops)

    @property
    def item(self) -> hunts.Item:
        """Its entry of the chooser."""
        return hunts.Item(hunts.Kind.TOUR, self.id)

    @property
    def query(self) -> str:
        """What a link to it holds: its name, or all of it."""
        return f"?tour={self.id if self.id in names() else '~' + self._packed()}"

    def with_stop(self, stop: Stop) -> Tour:
        """The tour with one stop more."""
        return replace(self, stops=(*self.stops, stop))

    def dumps(self) -> str:
        """The tour as TOML."""
        stops = [
            {"show": stop.query} | ({"at": stop.at} if stop.at else {}) | ({"predict": True} if stop.predict else {})
            | {"minutes": stop.minutes, "title": stop.title, "note": stop.note}
            for stop in self.stops
        ]  # fmt: skip
        return tomli_w.dumps({"title": self.title, "about": self.about, "stop": stops})

    def _packed(self) -> str:
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        return base64.urlsafe_b64encode(packer.compress(self.dumps().encode()) + packer.flush()).decode().rstrip("=")


def draft() -> Tour:
    """An empty tour, to be put together by a teacher."""
    return Tour("", STEP("tour.own"), STEP("tour.own.about"))


@cache
def choices() -> tuple[tuple[str, hunts.Item], ...]:
    """What the chooser offers: (label, entry), tours first."""
    made = map(find, names())
    offered = tuple((STEP("show.tour", title=tour.title, minutes=tour.minutes), tour.item) for tour in made)
    return (*offered, *hunts.choices())


@cache
def names() -> tuple[str, ...]:
    """The ready-made tours."""
    found = (resources.files(__package__) / "tours").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in found if file.name.endswith(".toml")))


@cache
def find(name: str) -> Tour:
    """A ready-made tour; DataError if there is none of that name."""
    if name not in names():
        raise DataError(STEP("tour.unknown", name=brief(name), names=", ".join(names())))
    text = (resources.files(__package__) / "tours" / f"{name}.toml").read_text(encoding="utf-8")
    return replace(loads(text), id=name)


def is_tour(data: bytes) -> bool:
    """Whether a file is a tour: it has stops."""
    return b"[[stop]]" in data


def loads(text: str) -> Tour:
    """A tour from its TOML text; DataError if it is no tour; it names the stop and what is wrong with it."""
    if len(text) > MOST:
        raise DataError(STEP("tour.long", n=len(text), most=MOST))
    f = Fields.of(text, STEP("tour.itself"))
    stops = tuple(map(_stop, f.rows("stop", range(1, MOST), STEP.phrase("tour.stops"))))
    return Tour("", f.text("title", STEP("tour.own")), f.text("about", ""), stops)


def _stop(f: Fields) -> Stop:
    show, title, note = (f.take(name, str, STEP("tour.text")) for name in ("show", "title", "note"))
    minutes, at, predict = f.whole("minutes", range(1000), 2), f.text("at", ""), f.flag("predict")
    f.done()
    return Stop(show.lstrip("?"), title, note, minutes, at, predict)


def faults(tour: Tour) -> Iterator[str]:
    """What cannot be shown of a tour, stop by stop."""
    for number, stop in enumerate(tour.stops, 1):
        try:
            stop.find()
        except (DataError, OptionError) as error:
            yield STEP("tour.fault", n=number, why=error)


def from_query(query: str) -> tuple[Tour, int, int] | None:
    """The tour that a query string asks for, the stop, and how many lines are told; None if it asks for none. DataError
    if there is no such tour, or what the link holds is none."""
    asked = {key: values[-1] for key, values in parse_qs(query.lstrip("?")).items()}
    name = asked.get("tour", "")
    if not name:
        return None
    stop, line = (int(asked[key]) if asked.get(key, "").isdecimal() else 0 for key in ("stop", "line"))
    return (_unpacked(name[1:]) if name.startswith("~") else find(name)), min(stop, 999), min(line, 999)


def _unpacked(text: str) -> Tour:
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        return loads(zlib.decompressobj(-15).decompress(packed, MOST).decode())
    except (binascii.Error, zlib.error, ValueError):
        raise DataError(STEP("tour.damaged")) from None
