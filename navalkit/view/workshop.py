"""What a game's scenarios are made of, for those who make one: kinds and fields, edits of a document, its faults.

The document is the table that the scenario's TOML is. What there is in one, how it is read and what it looks like its
game says in a `Workshop`, which a package offers as ``WORKSHOP``. Here are no widgets, and no game.
"""

from __future__ import annotations
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from navalkit.core.errors import DataError
from navalkit.core.files import Fields
from navalkit.core.words import SAY as CORE, Words
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

    def way(self, way: str) -> str:
        """What a heading is called."""
        return way

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
    return dict(Fields.of(text, CORE("toml.this")).data)
