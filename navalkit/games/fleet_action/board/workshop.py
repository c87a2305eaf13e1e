"""What there is in a scenario of Fleet Action, for those who make one: its kinds and fields as `scenarios` checks them,
and its board."""

from __future__ import annotations
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import Any

from navalkit.grids.square import HEADINGS, LETTERS
from navalkit.view.page import override
from navalkit.view.scene import Cell, Layer, Rect, Scene, Shape, Style, rect_outline
from navalkit.view.workshop import Doc, Edit, Field, Kind, Set, Sketch, Workshop, listed, rows_of
from .. import scenarios
from ..cards import HOME, TABLES
from ..craft import DEPTHS, Depth
from ..planes import AIRCRAFT
from ..scenarios import LONGEST, YARDS, read_scenario
from ..sight import Observation
from ..state import AIMS, DAYLIGHT, Scenario
from . import SAY, afloat
from .afloat import LARGEST, LEFT, SMALLEST, TOP, TOUCH, Window
from .choice import Choice, describe, spoken
from .pieces import ghost
from .seascape import seascape, tags

BLANK = (resources.files(HOME) / "data" / "blank.toml").read_text(encoding="utf-8")

Row = Mapping[str, Any]


def _rows(doc: Doc, kind: str) -> list[dict[str, Any]]:
    """The tables of a list of the document, as far as it is one."""
    found = doc.get(kind)
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _sides(doc: Doc, row: Row) -> Sequence[str]:
    return listed(doc, "sides")


def _cards(doc: Doc, row: Row) -> Sequence[str]:
    """All ships, those of the scenario's own first."""
    mine = [str(each.get("name")) for each in _rows(doc, "card")]
    return tuple(dict.fromkeys((*mine, *sorted({*TABLES.ships, *TABLES.late}))))


def _is_boat(doc: Doc, row: Row) -> bool:
    card = _card(row)
    return bool(card and card.boat) or row.get("depth", Depth.SURFACE) != Depth.SURFACE


def _card(row: Row) -> Any:
    name = row.get("card", row.get("name"))
    return TABLES.ships.get(name) or TABLES.late.get(name)


def _bases(doc: Doc, row: Row) -> Sequence[str]:
    """Ships of a flight's side that can have one; "" for over the horizon."""
    return ("", *(str(ship.get("name")) for ship in _rows(doc, "ship") if ship.get("side") == row.get("side")))


def _meant(doc: Doc, row: Row) -> Sequence[str]:
    """What an aim may be about."""
    if row.get("aim") == "island":
        return tuple(str(each.get("name")) for each in _rows(doc, "island"))
    enemies = row.get("aim") in ("sink", "damage")
    ships = (ship for ship in _rows(doc, "ship") if (ship.get("side") != row.get("side")) == enemies)
    return tuple(str(ship.get("name")) for ship in ships)


def _offers(*names: str) -> Any:
    return lambda doc, row: names


SIDE, NAME = Field("side", "one", choices=_sides), Field("name")
ENTERS = Field("enters", "whole", 0, range(LONGEST + 1))
ENTRY = Field("entry", "cells", [])
SQUARES = Field("squares", "cells")


class FleetWorkshop(Workshop):
    """Scenarios of Fleet Action."""

    game, option, words, ways, blank = "fleet-action", "custom", SAY, HEADINGS, BLANK
    first = "sides", "sections"
    kinds = (
        Kind("", (
            Field("title"), Field("blurb", "long"), Field("sides", "list"), Field("sections", "list"),
            Field("moves", "whole", numbers=range(1, LONGEST + 1)), Field("total", "whole", 0, range(10**6 + 1)),
            Field("light", "one", "day", choices=_offers(*DAYLIGHT)), Field("weather", "flag", False),
            Field("wide", "flag", False), Field("hidden", "whole", 0, range(LONGEST + 1)),
            Field("screen", "one", "", choices=_offers("", *LETTERS[1:]),
                  asked=lambda doc, row: bool(doc.get("hidden"))),
            Field("empty_tubes", "flag", False), Field("torpedo_yards", "whole", 5000, YARDS),
            Field("coast", "cells", []),
        )),
        Kind("ship", (
            NAME, SIDE, Field("card", "one", choices=_cards), Field("at"), Field("division", usual=""),
            Field("depth", "one", "surface", choices=_offers(*DEPTHS), asked=_is_boat),
            Field("damage", "whole", 0, range(2001)), ENTERS, ENTRY,
        ), place="at", sided=True),
        Kind("flight", (
            NAME, SIDE, Field("aircraft", "one", choices=_offers(*AIRCRAFT)),
            Field("count", "whole", numbers=range(1, 13)),
            Field("base", "one", "", choices=_bases, names=("ship",)),
            Field("level", "flag", False), Field("ranged", "flag", False, asked=lambda doc, row: bool(row.get("base"))),
            ENTERS, Field("call", "whole", 0, range(LONGEST + 1)), ENTRY,
        ), sided=True),
        Kind("exit", (SIDE, Field("name", usual=""), SQUARES), area="squares", sided=True),
        Kind("harbour", (SIDE, SQUARES), area="squares", sided=True),
        Kind("mines", (SIDE, SQUARES), area="squares", sided=True),
        Kind("island", (NAME, SQUARES), area="squares"),
        Kind("objective", (
            SIDE, Field("aim", "one", choices=_offers(*AIMS)),
            Field("of", "some", choices=_meant, names=("ship", "island"),
                  asked=lambda doc, row: row.get("aim") != "aircraft"),
            Field("points", "whole", 0, range(10_001)),
        ), sided=True),
    )

    @override
    def read(self, doc: Doc, *, checked: bool = True) -> Scenario:
        return read_scenario(doc, checked=checked)

    @override
    def examples(self) -> Mapping[str, str]:
        texts = (scenarios.text(key) for key in scenarios.names() if key != scenarios.OWN)
        return {read_scenario(text).title: text for text in texts}

    @override
    def fresh(self, doc: Doc, kind: Kind, side: int, cell: str) -> Any:
        sides = _sides(doc, {})
        row: dict[str, Any] = {"side": sides[min(side, len(sides) - 1)]} if kind.sided and sides else {}
        own = [each for each in _rows(doc, "ship") if each.get("side") == row.get("side")]
        if kind.key == "ship":
            card = str(own[-1].get("card", own[-1].get("name"))) if own else "Exeter"
            way = str(own[-1].get("at", "")).partition(" ")[2] if own else HEADINGS[(2, 6)[side]]
            return {**row, "name": _unique(doc, card), "card": card, "at": f"{cell or self._free(doc)} {way}"}
        if kind.key == "flight":
            decks = [ship for ship in own if (card := _card(ship)) and card.deck]
            plane = next(each.name for each in AIRCRAFT.values() if decks or "floatplane" in each.roles)
            at = {"base": (decks or own)[0]["name"]} if own else {"enters": 1, "entry": [cell or "A1"]}
            return {**row, "name": _unique(doc, plane), "aircraft": plane, "count": 6 if decks else 1, **at}
        if kind.key == "objective":
            return {**row, "aim": "sink"}
        named = {"name": _unique(doc, SAY("draft.island"))} if kind.key == "island" else {}
        return {**row, **named, "squares": [cell]}

    def _free(self, doc: Doc) -> str:
        """A square of the sea with nothing on it."""
        made: Scenario = self.outline(doc)
        taken = made.land | {unit.square for unit in made.units}
        return made.grid.names[next((square for square in range(made.grid.size) if square not in taken), 0)]

    @override
    def mended(self, old: Doc, new: Doc, edit: Edit) -> Doc:
        """A ship that is renamed keeps her card; what belongs to a side that is renamed still belongs to it; a flight
        that is given a base needs no entry, and one that loses it comes from over the horizon."""
        match edit:
            case Set(("ship", int(n), "name"), _) if "card" not in new["ship"][n]:
                new["ship"][n]["card"] = old["ship"][n].get("name")
            case Set(("sides",), [_, _] as sides) if len(_sides(old, {})) == 2:
                names = dict(zip(old["sides"], sides, strict=True))
                for kind in self.kinds:
                    for row in rows_of(new, kind) if kind.sided else ():
                        row["side"] = names.get(row.get("side"), row.get("side"))
            case Set(("flight", int(n), "base"), _) | Set(("ship", int(n), "enters"), _):
                row = new[str(edit.path[0])][n]
                comes = not row.get("base") if edit.path[0] == "flight" else bool(row.get("enters"))
                if not comes:
                    for name in ("entry", "enters", "call"):
                        row.pop(name, None)
                elif not row.get("entry"):
                    at = str(row.get("at", "A1")).partition(" ")[0]
                    row |= {"entry": [at]} | ({} if row.get("enters") or row.get("call") else {"enters": 1})
            case Set(("objective", int(n), "aim" | "side"), _):
                new["objective"][n].pop("of", None)
        return new

    @override
    def called(self, kind: Kind, row: Any) -> str:
        if kind.key == "objective":
            names = ", ".join(listed(row, "of")) or SAY("draft.every")
            points = row.get("points") or SAY("strip.value")
            return SAY("draft.aim", aim=self.value(str(row.get("aim"))), names=names, points=points)
        if kind.area and "name" not in row:
            return SAY("draft.squares", n=len(listed(row, "squares")))
        card = str(row.get("card", ""))
        return f"{row.get('name')} ({card})" if card and card != row.get("name") else str(row.get("name"))

    @override
    def way(self, way: str) -> str:
        return SAY.named(way)

    @override
    def value(self, value: str) -> str:
        card = TABLES.ships.get(value) or TABLES.late.get(value)
        return f"{value} ({SAY.named(card.ship_class)})" if card else super().value(value)

    @override
    def scene(self, made: Scenario, sketch: Sketch) -> Scene:
        grid, (width, height) = made.grid, sketch.room
        fits = min((width - LEFT - 4) / grid.columns, (height - TOP - 4) / grid.rows)
        side = min(LARGEST, max(TOUCH if sketch.touch else SMALLEST[0], fits) * sketch.zoom)
        w = Window(grid, 0, 0, grid.rows, grid.columns, side, max(width, grid.columns * side + LEFT + 4))
        seen = Observation(0, made, made.start())
        waiting = [shape for unit in made.units if unit.enters for shape in ghost(
            *w.centre(unit.square), unit.heading, unit.card.type, unit.side, side)]
        marks = (*waiting, *_frames(w, sketch.chosen, "accent"), *_frames(w, sketch.wrong, "bad"))
        told = spoken(seen, w.squares())
        cells = tuple(Cell(grid.names[s], rect_outline(*w.corner(s), side, side), told[s]) for s in w.squares())
        layers = (Layer("sea", (*seascape(w, seen), *tags(w, seen))), Layer("ships", afloat.pieces(w, seen, Choice())),
                  Layer("marks", marks), Layer("names", afloat.names(w, seen, Choice())))
        return Scene(w.width, w.height, layers, cells, SAY.named(made.title), describe(seen))


def _frames(w: Window, squares: Sequence[str], token: str) -> Iterator[Shape]:
    for square in sorted({*squares} & {*w.grid.names}):
        x, y = w.corner(w.grid.number(square))
        yield Rect(x + 1.5, y + 1.5, w.side - 3, w.side - 3, Style(None, token, 3), 4)


def _unique(doc: Doc, name: str) -> str:
    """A name that no ship, division, flight or island has yet."""
    taken = {str(row.get(key, "")).casefold() for kind in ("ship", "flight", "island") for row in _rows(doc, kind)
             for key in ("name", "division")}
    plain = re.sub(r"[^\w .'-]|^[^A-Za-z]+|[\d\s]+$", "", name)[:36] or "X"
    numbered = (f"{plain} {n}" for n in range(2, 1000))
    return next(each for each in (name if plain == name.strip() else plain, *numbered) if each.casefold() not in taken)


WORKSHOP = FleetWorkshop()
