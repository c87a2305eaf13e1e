"""A scenario that somebody is making: its document, edits that can be undone, and what is wrong with it, at its place.

The document is the table that the scenario's TOML is. What there is in one, how it is read and what it looks like its
game says in a `Workshop`, which a package offers as ``WORKSHOP``. Here are no widgets, and no game.
"""

from __future__ import annotations
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from typing import Any

import tomli_w

from navalkit.core.errors import DataError, OptionError
from navalkit.core.files import Fields, linked
from navalkit.core.words import Words
from .scene import Scene

Doc = dict[str, Any]
Path = tuple[str | int, ...]
"""The way to a part of a document: ("moves",), ("ship", 2), ("ship", 2, "at")."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a part of a document."""

    name: str
    kind: str = "text"
    """"text", "long", "whole", "flag", "date", "one" or "some" of ``choices``, "list" or "cells" of the board."""
    usual: Any = None
    """What it is where it is left out; None: it must be there."""
    numbers: range = range(0)
    """Of a whole number."""
    choices: Callable[[Doc, Mapping[str, Any]], Sequence[str]] = lambda doc, row: ()
    """What may be chosen, in that document, by the part that has the field."""
    names: tuple[str, ...] = ()
    """The kinds of which it names some by their ``name``."""
    asked: Callable[[Doc, Mapping[str, Any]], bool] = lambda doc, row: True
    """Whether there is any use of it."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of parts: a list of the document; or, with the key "", what it has once."""

    key: str
    fields: tuple[Field, ...]
    place: str = ""
    """The field that says where one lies, if it is put on the board."""
    area: str = ""
    """The field with the places that one is made of, if it is painted."""
    sided: bool = False
    """Whether each belongs to a side."""
    plain: bool = False
    """Whether each is a value, not a table: then its one field has no name."""

    def field(self, name: str) -> Field:
        return next(each for each in self.fields if each.name == name)


@dataclass(frozen=True, slots=True)
class Set:
    """Another value; None takes it away."""

    path: Path
    value: Any


@dataclass(frozen=True, slots=True)
class Add:
    """One more of a kind."""

    kind: str
    row: Any


@dataclass(frozen=True, slots=True)
class Drop:
    """One less: what names it names it no more, and what named it alone goes too."""

    path: Path


@dataclass(frozen=True, slots=True)
class Whole:
    """Another document: a file, a text, an example."""

    doc: Doc


Edit = Set | Add | Drop | Whole


@dataclass(frozen=True, slots=True)
class Sketch:
    """How one looks at a draft: px of the room, how many times as near as is usual, whether by touch, and the places of
    what is chosen and of what is wrong."""

    room: tuple[float, float]
    zoom: float = 1.0
    touch: bool = False
    chosen: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


class Workshop(ABC):
    """What a game's scenarios are made of."""

    game: str
    option: str
    """The option of the game that takes the text."""
    words: Words
    """``draft.KIND.FIELD`` and ``draft.KIND`` are what things are called, ``draft.is.VALUE`` what values are."""
    kinds: tuple[Kind, ...]
    ways: tuple[str, ...]
    """The headings, clockwise, as a place has them behind its first word."""
    blank: str
    """A small scenario without a fault, in TOML."""
    first: tuple[str, ...] = ()
    """What there is once and all the rest depends on: while it is wrong nothing else is said to be."""

    @abstractmethod
    def read(self, doc: Doc, *, checked: bool = True) -> Any:
        """The scenario; DataError that knows the place. ``checked``: whether its parts must fit together."""

    @abstractmethod
    def scene(self, made: Any, sketch: Sketch) -> Scene:
        """The board of what could be read: its cells are all that can be pressed."""

    @abstractmethod
    def examples(self) -> Mapping[str, str]:
        """The scenarios that come with the game: title -> TOML."""

    @abstractmethod
    def fresh(self, doc: Doc, kind: Kind, side: int, cell: str) -> Any:
        """A new part of a kind, at a place if it is put there."""

    def side_of(self, doc: Doc, row: Any) -> int:
        """Whose it is; -1 for nobody's."""
        sides = doc.get("sides")
        known = isinstance(sides, list) and isinstance(row, dict) and row.get("side") in sides
        return sides.index(row["side"]) if known and isinstance(sides, list) else -1

    def at(self, doc: Doc, cell: str) -> Sequence[Path]:
        """What lies at a place of the board, and can be chosen there."""
        lying = [(kind.key, n) for kind in self.kinds if kind.place and not kind.plain
                 for n, row in enumerate(rows_of(doc, kind)) if first(row.get(kind.place)) == cell]
        return (*lying, *((kind.key, n) for kind in self.kinds if kind.area
                          for n, row in enumerate(rows_of(doc, kind)) if cell in listed(row, kind.area)))

    def cells_of(self, doc: Doc, path: Path) -> Sequence[str]:
        """The places on the board that a part of the document is about: of an aim those of the ships it names."""
        if not path or (kind := next((each for each in self.kinds if each.key == path[0]), None)) is None:
            return listed(doc, str(path[0])) if path else ()
        rows = rows_of(doc, kind)
        rows = rows if len(path) < 2 else [row for n, row in enumerate(rows) if n == path[1]]
        return tuple(cell for row in rows for cell in self.about(doc, kind, row))

    def about(self, doc: Doc, kind: Kind, row: Any) -> Iterator[str]:
        """Those of a part of a kind."""
        if kind.place:
            yield first(row if kind.plain else row.get(kind.place))
        for field in () if kind.plain else kind.fields:
            value = row.get(field.name, ())
            if field.kind == "cells":
                yield from listed(row, field.name)
            for key in field.names:
                other = next(each for each in self.kinds if each.key == key)
                for named in rows_of(doc, other) if other.place else ():
                    if named.get("name") == value or (isinstance(value, list) and named.get("name") in value):
                        yield first(named.get(other.place))

    def mended(self, old: Doc, new: Doc, edit: Edit) -> Doc:
        """The new document, put right where an edit means something for other parts too."""
        return new

    def called(self, kind: Kind, row: Any) -> str:
        """What a part is called in a list."""
        return str(row.get("name", "")) if isinstance(row, dict) else self.value(str(row))

    def value(self, value: str) -> str:
        """What a value is called."""
        return self.words.get(f"draft.is.{value or 'none'}") or value.replace("_", " ")

    def outline(self, doc: Doc) -> Any:
        """The scenario of what can be read of a document, however wrong the rest is: to be drawn, not to be played."""
        return self.faults(doc, checked=False)[1]

    def faults(self, doc: Doc, *, checked: bool = True) -> tuple[list[DataError], Any]:
        """All that is wrong with a document, one error a place, and the scenario of the rest: in the place of what is
        wrong stands what a new part has, so that nothing is said to be wrong that only depends on it. What is only
        drawn (not ``checked``) is left out if nobody can say where it lies."""
        found: dict[Path, DataError] = {}
        doc, usual, again, gone = deepcopy(doc), loads(self.blank), Counter[Path](), set[Path]()
        while True:
            try:
                return list(found.values()), self.read(doc, checked=checked)
            except DataError as error:
                place = error.place
                if place not in gone and not gone.intersection({place[:1]} if len(place) < 2 else ()):
                    found.setdefault(place, error)
                if place[:1] in gone or not self._patched(
                        doc, usual, place, 2 if not checked and self._lies(place) else again[place], gone):
                    return list(found.values()), self.read(usual, checked=False)
                again[place] += 1

    def _lies(self, place: Path) -> bool:
        """Whether a place is the field that says where a part lies."""
        return any(place[::2] == (kind.key, kind.place) for kind in self.kinds if kind.place)

    def _patched(self, doc: Doc, usual: Doc, place: Path, times: int, gone: set[Path]) -> bool:
        """Put something right at a place where something is wrong: first the field, then its row, and then without it;
        ``gone`` is told of what is left out, or is such that all the rest depends on it."""
        name, rest = str(place[0]) if place else "", place[1:]
        rows, kind = doc.get(name), next((each for each in self.kinds if each.key == name and name), None)
        if rest and isinstance(n := rest[0], int) and kind and isinstance(rows, list) and n < len(rows):
            fresh, row = self.fresh(usual, kind, 0, ""), rows[n]
            if times > 1:
                del rows[n]
                gone.add((name,))
                if isinstance(row, dict) and isinstance(row.get("name"), str):
                    _forget(self, doc, name, row["name"])
            elif not isinstance(row, dict) or not isinstance(fresh, dict) or times:
                kept = {key: row[key] for key in ("name", "side") if key in row} if isinstance(row, dict) else {}
                rows[n] = fresh | kept if isinstance(fresh, dict) else fresh
            elif rest[1:] and str(rest[1]) in fresh:
                row[str(rest[1])] = fresh[str(rest[1])]
            else:
                row.pop(str(rest[-1]), None)
            return True
        if kind and not rest and not kind.plain:  # all of them
            return False
        inside = doc.get(name) if rest else None
        if isinstance(inside, dict) and rest[0] in inside:
            del inside[rest[0]]
        elif name in usual and doc.get(name) != usual[name]:
            doc[name] = usual[name]
        elif name in doc and name not in usual:
            del doc[name]
        else:
            return False
        return name not in self.first


_LISTED = re.compile(r"\[\n((?:    [^\s\[\]{][^\n]*,\n)+)\]")
_LINE = 100  # characters of a list in one line


def _in_a_line(found: re.Match[str]) -> str:
    parts = [line.strip().removesuffix(",") for line in found[1].splitlines()]
    return f"[{line}]" if len(line := ", ".join(parts)) <= _LINE else found[0]


def rows_of(doc: Doc, kind: Kind) -> list[Any]:
    """The parts of a kind, as far as they are what they should be; () of what there is once."""
    found = doc.get(kind.key) if kind.key else ()
    whole = isinstance(found, list) and all(isinstance(row, str if kind.plain else dict) for row in found)
    return found if whole and isinstance(found, list) else []


def listed(row: Mapping[str, Any], name: str) -> list[str]:
    """The texts in a field of a part; none where it is no list."""
    found = row.get(name)
    return [str(each) for each in found] if isinstance(found, list) else []


def first(value: object) -> str:
    """The place in a value: "B5" of "B5 E"."""
    return value.partition(" ")[0] if isinstance(value, str) else ""


def applied(shop: Workshop, doc: Doc, edit: Edit) -> Doc:
    """The document after an edit; the one before it stays as it is."""
    new = deepcopy(edit.doc if isinstance(edit, Whole) else doc)
    match edit:
        case Set(path, value):
            _rename(shop, new, path, value)
            inside: Any = new  # a table, or a list of them
            for step in path[:-1]:
                inside = inside.setdefault(step, {}) if isinstance(inside, dict) else inside[step]
            if value is None:
                inside.pop(path[-1], None)
            else:
                inside[path[-1]] = deepcopy(value)
        case Add(kind, row):
            new.setdefault(kind, []).append(deepcopy(row))
        case Drop((str(key), int(n))):
            row = new[key].pop(n)
            if isinstance(row, dict) and isinstance(row.get("name"), str):
                _forget(shop, new, key, row["name"])
            if not new[key]:
                del new[key]
    return shop.mended(doc, new, edit)


def _named(shop: Workshop, doc: Doc, kind: str) -> Iterator[tuple[Kind, int, Any, str]]:
    """The fields that name parts of a kind: whose, in which row, the row, and the field."""
    for other in shop.kinds:
        for field in other.fields:
            if kind in field.names:
                yield from ((other, n, row, field.name) for n, row in enumerate(rows_of(doc, other)))


def _rename(shop: Workshop, doc: Doc, path: Path, value: Any) -> None:
    """Have what names a part name it by its new name."""
    if len(path) != 3 or path[2] != "name" or not isinstance(value, str):
        return
    old = doc[str(path[0])][path[1]].get("name")
    for _, _, row, field in _named(shop, doc, str(path[0])):
        if row.get(field) == old:
            row[field] = value
        elif isinstance(row.get(field), list):
            row[field] = [value if each == old else each for each in row[field]]


def _forget(shop: Workshop, doc: Doc, kind: str, name: str) -> None:
    for other, n, row, field in reversed(list(_named(shop, doc, kind))):
        left = [each for each in row[field] if each != name] if isinstance(row.get(field), list) else None
        if row.get(field) == name or left == []:
            del doc[other.key][n]
        elif left is not None:
            row[field] = left
        if not doc[other.key]:
            del doc[other.key]
            return


def loads(text: str) -> Doc:
    """The document in a text of TOML; DataError if it is none."""
    return dict(Fields.of(text, "").data)


class Draft:
    """A document with its history, what is chosen in it, and what a press on the board does: with a ``tool`` (a kind,
    or "KIND.FIELD" with places to paint) it puts or paints, without one it chooses, and moves what is chosen to a place
    where nothing lies. ``side``: whose is what is put. ``doc`` is never changed: each edit makes another."""

    def __init__(self, shop: Workshop, doc: Doc | None = None) -> None:
        self.shop = shop
        self.doc = loads(shop.blank) if doc is None else doc
        self.past: list[Doc] = []
        self.ahead: list[Doc] = []
        self.chosen: Path = ()
        self.tool, self.side = "", 0
        self._clears: bool | None = None  # whether the stroke under way takes places away
        self._known: tuple[Doc, Sequence[DataError]] | None = None

    @property
    def text(self) -> str:
        """The document as TOML, in the order of its game's kinds and fields."""
        order = [field.name for kind in self.shop.kinds if not kind.key for field in kind.fields]
        order += [kind.key for kind in self.shop.kinds if kind.key]
        known = sorted(self.doc, key=lambda key: order.index(key) if key in order else len(order))
        return _LISTED.sub(_in_a_line, tomli_w.dumps({key: self.doc[key] for key in known}))

    @property
    def link(self) -> str:
        """The text for a link."""
        return linked(self.text)

    @property
    def wrongs(self) -> Sequence[DataError]:
        """All that is wrong with it; () if it can be played."""
        if self._known is None or self._known[0] is not self.doc:
            self._known = self.doc, self.shop.faults(self.doc)[0]
        return self._known[1]

    @property
    def wrong(self) -> DataError | None:
        """What is wrong with it, first of all; None if it can be played."""
        return next(iter(self.wrongs), None)

    @property
    def told(self) -> str:
        """The first of it, in a sentence that needs not say where; "" for nothing."""
        return complaint(self.wrong) if self.wrong else ""

    def named(self, error: DataError) -> str:
        """What is wrong, where it does not stand beside what it is about: with the name of that."""
        row = self.row(error.place[:2]) if error.place[1:] and any(
            kind.key == error.place[0] for kind in self.shop.kinds) else None
        if row is None:
            return complaint(error)
        kind = self.kind(error.place[0])
        return f"{self.shop.words(f'draft.{kind.key}')} {self.shop.called(kind, row)}: {complaint(error)}"

    def told_at(self, path: Path) -> str:
        """What is wrong at a place or within it; "" for nothing."""
        return " ".join(complaint(error) for error in self.wrongs if error.place[: len(path)] == path)

    def scene(self, room: tuple[float, float], zoom: float = 1.0, *, touch: bool = False) -> Scene:
        """The board, with what is chosen and what is wrong."""
        chosen = tuple(self.shop.cells_of(self.doc, self.chosen))
        wrong = tuple(cell for error in self.wrongs for cell in self.shop.cells_of(self.doc, error.place))
        return self.shop.scene(self.shop.outline(self.doc), Sketch(room, zoom, touch, chosen, wrong))

    # Edits ------------------------------------------------------------------------------------------------------------

    def why_not(self, edit: Edit) -> str | None:
        """Why an edit is refused: its game's reader complains of the very thing that it changes. What does not fit to
        other parts is let in, and told at its place."""
        if isinstance(edit, Drop | Whole):
            return None
        path = edit.path if isinstance(edit, Set) else (edit.kind, len(self.doc.get(edit.kind, ())))
        before = {(error.place, str(error)) for error in self.wrongs}
        for error in self.shop.faults(applied(self.shop, self.doc, edit))[0]:
            least = min(len(path), len(error.place))
            if least and path[:least] == error.place[:least] and (error.place, str(error)) not in before:
                return complaint(error)
        return None

    def do(self, edit: Edit, *, joined: bool = False) -> None:
        """Make an edit; OptionError if it is refused. ``joined``: whether it is undone with the one before it."""
        if reason := self.why_not(edit):
            raise OptionError(reason)
        if (new := applied(self.shop, self.doc, edit)) == self.doc:
            return
        if not joined:
            self.past.append(self.doc)
        self.doc, self.ahead = new, []
        self._keep_chosen()

    def undo(self) -> None:
        """Go back by an edit."""
        if self.past:
            self.ahead.append(self.doc)
            self.doc = self.past.pop()
            self._keep_chosen()

    def redo(self) -> None:
        """Make an edit again that was undone."""
        if self.ahead:
            self.past.append(self.doc)
            self.doc = self.ahead.pop()
            self._keep_chosen()

    def _keep_chosen(self) -> None:
        if self.chosen and self.row(self.chosen) is None:
            self.chosen = ()

    def kind(self, key: str | int) -> Kind:
        """The kind of that key."""
        return next(kind for kind in self.shop.kinds if kind.key == key)

    def row(self, path: Path) -> Any:
        """The part at a path of two steps, or None; at () the document."""
        if not path:
            return self.doc
        found, n = rows_of(self.doc, self.kind(path[0])), path[1]
        return found[n] if isinstance(n, int) and n < len(found) else None

    def choose(self, path: Path) -> None:
        """Choose a part; () for what there is once."""
        self.chosen = path if self.row(path) is not None else ()
        if self.chosen and (side := self.shop.side_of(self.doc, self.row(self.chosen))) >= 0:
            self.side = side

    def add(self, key: str, cell: str = "") -> None:
        """One more of a kind, which is then chosen."""
        kind = self.kind(key)
        self.do(Add(key, self.shop.fresh(self.doc, kind, self.side, cell)))
        self.chosen = key, len(self.doc[key]) - 1

    def remove(self) -> None:
        """Take away what is chosen."""
        if self.chosen:
            self.do(Drop(self.chosen))
            self.chosen = ()

    def turn(self, steps: int) -> None:
        """Turn what is chosen, clockwise."""
        path, at, way = self._lies()
        if path:
            now = self.shop.ways.index(way.upper()) if way.upper() in self.shop.ways else -steps
            self.do(Set(path, f"{at} {self.shop.ways[(now + steps) % len(self.shop.ways)]}"))

    @property
    def turns(self) -> bool:
        """Whether what is chosen can be turned and moved."""
        return bool(self._lies()[0])

    def _lies(self) -> tuple[Path, str, str]:
        """Where what is chosen lies: the field that says so, the place, and the heading; () for nothing that does."""
        kind = self.kind(self.chosen[0]) if self.chosen else None
        if kind is None or not kind.place:
            return (), "", ""
        row = self.row(self.chosen)
        at, _, way = str(row if kind.plain else row.get(kind.place, "")).partition(" ")
        return (self.chosen if kind.plain else (*self.chosen, kind.place)), at, way.strip()

    def set(self, name: str, value: Any) -> None:
        """Set a field of what is chosen to what was typed or picked; its usual value is left out. OptionError if it is
        refused."""
        field = self.kind(self.chosen[0] if self.chosen else "").field(name)
        typed = _typed(field, value)
        path = (*self.chosen, *name.split(".")) if name else self.chosen
        self.do(Set(path, None if field.usual is not None and typed == field.usual else typed))

    # The board --------------------------------------------------------------------------------------------------------

    def press(self, cell: str) -> None:
        """What a press on a place does; OptionError if it is refused."""
        self._clears = None
        kind, _, field = self.tool.partition(".")
        if not self.tool:
            there = list(self.shop.at(self.doc, cell))
            if there:
                self.choose(there[(there.index(self.chosen) + 1) % len(there) if self.chosen in there else 0])
            elif self.turns:
                path, _, way = self._lies()
                self.do(Set(path, f"{cell} {way or self.shop.ways[0]}"))
        elif field or self.kind(kind).area:
            self._paint(cell)
        else:
            self.add(kind, cell)

    def drag(self, cell: str) -> None:
        """What coming to a further place does: a brush paints it, too."""
        if self._clears is not None:
            self._paint(cell)

    def _paint(self, cell: str) -> None:
        path, there = self._painted()
        clears = cell in there if self._clears is None else self._clears
        joined, self._clears = self._clears is not None, clears
        if clears == (cell not in there):
            return
        left = [each for each in there if each != cell] if clears else [*there, cell]
        whole = len(path) == 3 and path[2] == self.kind(path[0]).area  # an area without places is none
        if isinstance(path[1] if len(path) > 1 else 0, int) and len(path) > 1 and self.row(path[:2]) is None:
            row = self.shop.fresh(self.doc, self.kind(path[0]), self.side, cell)
            self.do(Add(str(path[0]), row), joined=joined)
        elif whole and not left:
            self.do(Drop(path[:2]), joined=joined)
            self.chosen = ()
            return
        else:
            self.do(Set(path, left or None), joined=joined)
        self.chosen = path[:2] if len(path) == 3 else self.chosen

    def _painted(self) -> tuple[Path, list[str]]:
        """Which field the brush paints, and what is in it."""
        key, _, field = self.tool.partition(".")
        kind = self.kind(key)
        if not key:
            return (field,), listed(self.doc, field)
        rows, name = rows_of(self.doc, kind), field or kind.area
        n = self.chosen[1] if self.chosen[:1] == (key,) else None
        if not field and kind.sided:
            sided = [i for i, row in enumerate(rows) if self.shop.side_of(self.doc, row) == self.side]
            n = n if n in sided else next(iter(sided), None)
        if not isinstance(n, int) or n >= len(rows):
            return (key, len(rows), name), []
        return (key, n, name), listed(rows[n], name)

    def tools(self) -> Iterator[str]:
        """The tools there are now: those of a field only where one of its kind is chosen."""
        for kind in self.shop.kinds:
            if kind.area or (kind.place and not kind.plain):
                yield kind.key
            for field in kind.fields:
                of_chosen = not kind.key or self.chosen[:1] == (kind.key,)
                if field.kind == "cells" and field.name != kind.area and of_chosen:
                    yield f"{kind.key}.{field.name}"

    # What a form and a list show --------------------------------------------------------------------------------------

    def form(self) -> list[dict[str, Any]]:
        """The fields of what is chosen, for a form: name, label, kind, value, choices with what they are called, least
        and largest number, and what is wrong there."""
        kind, row = self.kind(self.chosen[0] if self.chosen else ""), self.row(self.chosen)
        shop, found = self.shop, []
        for field in kind.fields:
            if not field.asked(self.doc, row if isinstance(row, dict) else {}):
                continue
            steps = tuple(filter(None, field.name.split(".")))
            value = _inside(row, steps, field.usual)
            choices = field.choices(self.doc, row if isinstance(row, dict) else {})
            path = (*self.chosen, *steps)
            none = f"draft.{kind.key}.{field.name}.none"
            found.append({
                "name": field.name, "kind": field.kind, "wrong": self.told_at(path),
                "label": shop.words(f"draft.{kind.key or 'all'}.{field.name or 'type'}"),
                "value": _shown(field, value, choices), "choices": [
                    [each, shop.words(none) if not each and none in shop.words else shop.value(each)]
                    for each in choices],
                "low": field.numbers.start, "high": field.numbers.stop - 1, "step": field.numbers.step,
            })
        return found

    def things(self) -> Iterator[tuple[Kind, int, str, int, str]]:
        """All parts: kind, number, what it is called, whose it is, what is wrong with it."""
        for kind in self.shop.kinds:
            for n, row in enumerate(rows_of(self.doc, kind)):
                told = self.told_at((kind.key, n))
                yield kind, n, self.shop.called(kind, row), self.shop.side_of(self.doc, row), told


def complaint(error: DataError) -> str:
    """What an error says after the place ("scenario, ship 3: ..."), where it stands at that."""
    where, _, rest = str(error).partition(": ")
    said = rest if rest and where.startswith("scenario") else str(error)
    return said[:1].upper() + said[1:]


def _typed(field: Field, value: Any) -> Any:
    """What was typed or picked, as a document has it; what is not so is left to the game's reader to complain of."""
    if field.kind in ("list", "cells") and isinstance(value, str):
        parts = [part.strip() for part in value.split(",") if part.strip()]
        return [int(part) if part.isascii() and part.isdigit() else part for part in parts]
    if field.kind == "whole" and re.fullmatch(r"\s*-?[0-9]{1,9}\s*", str(value)):
        return int(value)
    if field.kind == "date":
        try:
            return date.fromisoformat(str(value))
        except ValueError:
            return value
    return value


def _inside(row: Any, steps: Path, usual: Any) -> Any:
    for step in steps:
        row = row.get(step, usual) if isinstance(row, dict) else usual
    return row


def _shown(field: Field, value: Any, choices: Sequence[str]) -> Any:
    if field.kind in ("list", "cells"):
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else ""
    if field.kind == "some":
        return list(choices) if value is None else value
    if field.kind == "flag":
        return bool(value)
    return "" if value is None else str(value)
