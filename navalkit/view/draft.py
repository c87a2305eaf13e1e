"""A scenario that somebody is making: its document, edits that can be undone, and what is wrong with it, at its place.

What there is in a scenario its game says (`navalkit.view.workshop`). Here are no widgets, and no game.
"""

from __future__ import annotations
import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import tomli_w

from navalkit.core.errors import DataError, OptionError
from navalkit.core.files import linked
from navalkit.core.words import SAY as CORE
from .scene import Scene
from .workshop import (
    Add,
    Doc,
    Drop,
    Edit,
    Field,
    Kind,
    Path,
    Set,
    Sketch,
    Whole,
    Workshop,
    applied,
    listed,
    loads,
    rows_of,
)

_LISTED = re.compile(r"\[\n((?:    [^\s\[\]{][^\n]*,\n)+)\]")
_LINE = 100  # characters of a list in one line


def _in_a_line(found: re.Match[str]) -> str:
    parts = [line.strip().removesuffix(",") for line in found[1].splitlines()]
    return f"[{line}]" if len(line := ", ".join(parts)) <= _LINE else found[0]


class Draft:
    """A document with its history, what is chosen in it, and what a press on the board does: with a ``tool`` (a kind,
    or "KIND.FIELD" with places to paint) it puts or paints, without one it chooses, and moves what is chosen to a place
    where nothing lies. ``side``: whose is what is put. ``doc`` is never changed: each edit makes another. ``typed``: a
    text that is no TOML: it does not count, and no other edit is made until it is mended or undone; "" for none."""

    def __init__(self, shop: Workshop, doc: Doc | None = None) -> None:
        self.shop = shop
        self.doc = loads(shop.blank) if doc is None else doc
        self.past: list[tuple[Doc, str]] = []
        self.ahead: list[tuple[Doc, str]] = []
        self.typed = ""
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
        return self.complaint(self.wrong) if self.wrong else ""

    @property
    def unread(self) -> DataError | None:
        """Why what was typed does not count; None if nothing was."""
        try:
            loads(self.typed)
        except DataError as error:
            return error
        return None

    def named(self, error: DataError) -> str:
        """What is wrong, where it does not stand beside what it is about: with the name of that."""
        row = self.row(error.place[:2]) if error.place[1:] and any(
            kind.key == error.place[0] for kind in self.shop.kinds) else None
        if row is None:
            return self.complaint(error)
        kind = self.kind(error.place[0])
        return f"{self.shop.words(f'draft.{kind.key}')} {self.shop.called(kind, row)}: {self.complaint(error)}"

    def told_at(self, path: Path) -> str:
        """What is wrong at a place or within it; "" for nothing."""
        return " ".join(self.complaint(error) for error in self.wrongs if error.place[: len(path)] == path)

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
                return self.complaint(error)
        return None

    def label(self, place: Path) -> str:
        """What a form calls the field at a place; "" for none."""
        parts, key = place[2:], str(place[0]) if place else ""
        if all(kind.key != key for kind in self.shop.kinds):
            key, parts = "all", place
        key = f"draft.{key}.{'.'.join(map(str, parts)) or 'type'}"
        return self.shop.words(key) if key in self.shop.words else ""

    def complaint(self, error: DataError) -> str:
        """What an error says after the place ("scenario, ship 3: ..."), where it stands at that; of a field with the
        name that a form has for it, without what that explains."""
        told, label = error.args[0], re.split(r" \(|, ", self.label(error.place))[0]
        if label and error.key in ("fields.must", "fields.at"):
            told = told.words(error.key, **{**error.facts, "name": label})
        where, _, rest = str(told).partition(": ")
        said = rest if rest and where.startswith("scenario") else str(told)
        return said[:1].upper() + said[1:]

    def do(self, edit: Edit, *, joined: bool = False) -> None:
        """Make an edit; OptionError if it is refused. ``joined``: whether it is undone with the one before it."""
        if self.typed:
            raise OptionError(CORE("view.typed"))
        if reason := self.why_not(edit):
            raise OptionError(reason)
        if (new := applied(self.shop, self.doc, edit)) == self.doc:
            return
        self._go(new, "", joined=joined)

    def type(self, text: str) -> None:
        """The whole document was typed: what is no TOML stays as it is, and does not count."""
        try:
            now = loads(text), ""
        except DataError:
            now = self.doc, text
        if now != (self.doc, self.typed):
            self._go(*now)

    def _go(self, doc: Doc, typed: str, *, joined: bool = False) -> None:
        if not joined:
            self.past.append((self.doc, self.typed))
        self.doc, self.typed, self.ahead = doc, typed, []
        self._keep_chosen()

    def undo(self) -> None:
        """Go back by an edit."""
        self._back(self.past, self.ahead)

    def redo(self) -> None:
        """Make an edit again that was undone."""
        self._back(self.ahead, self.past)

    def _back(self, source: list[tuple[Doc, str]], target: list[tuple[Doc, str]]) -> None:
        if source:
            target.append((self.doc, self.typed))
            self.doc, self.typed = source.pop()
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
        if isinstance(typed, str) and name and name == self.kind(self.chosen[0] if self.chosen else "").place:
            at, _, way = typed.strip().partition(" ")
            ways = {self.shop.way(each).upper(): each for each in self.shop.ways}
            typed = f"{at} {ways.get(way.strip().upper(), way.strip())}".strip()
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
            shown = _shown(field, value, choices)
            if field.name and field.name == kind.place:
                at, _, way = shown.partition(" ")
                shown = f"{at} {shop.way(way)}".strip()
            none = f"draft.{kind.key}.{field.name}.none"
            found.append({
                "name": field.name, "kind": field.kind, "wrong": self.told_at(path),
                "label": shop.words(f"draft.{kind.key or 'all'}.{field.name or 'type'}"), "value": shown, "choices": [
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
