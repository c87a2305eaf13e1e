"""What there is in a scenario of On Patrol, for those who make one: its kinds and fields as `sea.scenario` checks them,
and its board. Ships lie where their formation puts them; boats, and escorts alone at sea, lie where they are put."""

from __future__ import annotations
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any

from navalkit.core.errors import DataError, NotationError
from navalkit.grids.hex import Hex
from navalkit.view.page import override
from navalkit.view.scene import Cell, Circle, Layer, Scene, Shape, Style
from navalkit.view.workshop import (
    Add,
    Doc,
    Drop,
    Edit,
    Field,
    Kind,
    Path,
    Set,
    Sketch,
    Workshop,
    first,
    listed,
    rows_of,
)
from .. import data
from ..sea.scenario import DEPTHS, MOST_TURNS, SPEEDS, begin, scenario
from ..sea.state import MarkerKind, Phase, Role, State
from ..sea.tables import FLEET_DIE, TABLES, Scenario
from .scene import SAY, outlook, scene
from .shapes import SIZES, View, everything, fit

BLANK = data.text("blank.toml")
AROUND = 7  # hexes of water about what lies on the sea


def _types(role: Role | None) -> tuple[str, ...]:
    """The types of escorts, or of all other ships."""
    return tuple(id for id, type in TABLES.vessels.items() if (type.role is Role.ESCORT) == (role is Role.ESCORT))


def _offers(*names: str) -> Any:
    return lambda doc, row: names


def _carried(doc: Doc, row: Mapping[str, Any]) -> Sequence[str]:
    """The torpedoes of a boat's type in the scenario's year, "" for the best."""
    type, day = TABLES.boats.get(str(row.get("type"))), doc.get("date")
    return ("", *(type.carries(day.year) if type and isinstance(day, date) else ()))


ROWS = range(-500, 501)


class PatrolWorkshop(Workshop):
    """Scenarios of On Patrol."""

    game, option, words, blank = "on-patrol", "scenario", SAY, BLANK
    ways = tuple(map(str, range(1, 7)))
    kinds = (
        Kind("", (
            Field("title"), Field("about", "long", ""), Field("date", "date"),
            Field("package", "one", choices=_offers(*TABLES.packages)), Field("night", "flag", False),
            Field("turns", "whole", numbers=range(1, MOST_TURNS + 1)), Field("points", "whole", numbers=range(1, 1000)),
            Field("away", "whole", 0, range(1000)), Field("speed", "one", choices=_offers(*SPEEDS)),
            Field("die", "whole", 0, range(FLEET_DIE[-1] + 1), asked=lambda doc, row: len(listed(doc, "ships")) == 12),
            Field("fuel", "list", [], asked=lambda doc, row: bool(listed(doc, "ships"))),
            Field("edges.north", "whole", "", ROWS), Field("edges.south", "whole", "", ROWS),
            Field("edges.west", usual=""), Field("edges.east", usual=""),
        )),
        Kind("boat", (
            Field("type", "one", choices=_offers(*TABLES.boats)), Field("place"),
            Field("depth", "whole", numbers=DEPTHS), Field("torpedoes", "one", "", choices=_carried),
            Field("marker", "one", "", choices=_offers("", *MarkerKind)),
            Field("marked", usual="", asked=lambda doc, row: bool(row.get("marker"))),
        ), place="place"),
        Kind("ships", (Field("", "one", choices=_offers(*_types(None))),), plain=True),
        Kind("escorts", (Field("", "one", choices=_offers(*_types(Role.ESCORT))),), plain=True),
        Kind("places", (Field(""),), place="*", plain=True),
    )

    @override
    def read(self, doc: Doc, *, checked: bool = True) -> Scenario:
        return scenario(doc, checked)

    @override
    def examples(self) -> Mapping[str, str]:
        texts = (data.text(f"scenarios/{name}.toml") for name in data.listed("scenarios"))
        return {scenario(each).title: each for each in texts}

    @override
    def fresh(self, doc: Doc, kind: Kind, side: int, cell: str) -> Any:
        if kind.key == "boat":
            boats = rows_of(doc, kind)
            place = f"{cell or Hex.parse(first(boats[-1]['place'])).step(2, 6).label} 6" if boats or cell else "T34 5"
            return {"type": boats[-1].get("type", "viic") if boats else "viic", "place": place, "depth": 50}
        last = listed(doc, kind.key)[-1:]
        return last[0] if last else {"ships": "tramp", "escorts": "flower"}.get(kind.key, f"{cell or 'M20'} 3")

    @override
    def mended(self, old: Doc, new: Doc, edit: Edit) -> Doc:
        """Tankers with fuel stay the same ships; escorts alone at sea have a place each, and turn together."""
        if isinstance(edit, Set) and edit.path[:1] == ("places",):
            way = str(edit.value).partition(" ")[2]
            new["places"] = [f"{first(each)} {way}" for each in listed(new, "places")]
        if isinstance(edit, Drop) and edit.path[0] == "ships" and isinstance(old.get("fuel"), list):
            before, gone = _merchants(old), edit.path[1]
            numbers = {n: place for place, n in enumerate((n for n in before if n != gone), 1)}
            kept = [numbers[before[n - 1]] for n in old["fuel"]
                    if type(n) is int and 0 < n <= len(before) and before[n - 1] != gone]
            new.pop("fuel")
            new |= {"fuel": kept} if kept else {}
        if not isinstance(edit, Add | Drop) or str(edit.kind if isinstance(edit, Add) else edit.path[0]) == "boat":
            return {key: value for key, value in new.items() if value != {}}
        places = listed(new, "places")
        if isinstance(edit, Drop) and edit.path[0] == "escorts" and isinstance(edit.path[1], int):
            places = [each for n, each in enumerate(places) if n != edit.path[1]]
        escorts, alone = listed(new, "escorts"), not listed(new, "ships")
        while alone and len(places) < len(escorts):
            at, way = Hex.parse(first(places[-1] if places else "I20 3")), (places or ["I20 3"])[-1].partition(" ")[2]
            places.append(f"{Hex.at(at.column + 4, at.row).label} {way}")
        new.pop("places", None)
        return new | ({"places": places[: len(escorts)], "speed": "fast"} if alone and escorts else {})

    @override
    def at(self, doc: Doc, cell: str) -> Sequence[Path]:
        """Boats, and ships on both their hexes."""
        state = _begun(self.outline(doc))
        found: list[Path] = []
        lying = {ship.id: ship.place for ship in state.boats} | {ship.id: ship.place for ship in state.vessels}
        for id, place in lying.items():
            if cell in (h.label for h in place.hexes) and (path := _path(doc, id)):
                found.append(path)
        return found

    @override
    def about(self, doc: Doc, kind: Kind, row: Any) -> Iterator[str]:
        if kind.place:
            yield from super().about(doc, kind, row)

    @override
    def cells_of(self, doc: Doc, path: Path) -> Sequence[str]:
        """Of a ship in a formation where that puts her."""
        if path[:1] not in (("ships",), ("escorts",)) or len(path) < 2:
            return super().cells_of(doc, path)
        state = _begun(self.outline(doc))
        return tuple(ship.place.bow.label for ship in state.vessels if _path(doc, ship.id) == path)

    @override
    def called(self, kind: Kind, row: Any) -> str:
        if kind.plain:
            return self.value(str(row))
        place, depth = row.get("place"), row.get("depth")
        return SAY("draft.boat.called", type=self.value(str(row.get("type"))), place=place, depth=depth)

    @override
    def value(self, value: str) -> str:
        known = TABLES.vessels.get(value) or TABLES.boats.get(value) or TABLES.packages.get(value)
        if known is None:
            return super().value(value)
        return SAY.named(known.label if value in TABLES.packages else known.name)  # type: ignore[union-attr]

    @override
    def scene(self, made: Scenario, sketch: Sketch) -> Scene:
        state = _begun(made)
        width, height = (max(280.0, each * max(1.0, sketch.zoom)) for each in sketch.room)
        lying = everything(state) or [Hex(0, 0)]
        view = fit([h.step(way, AROUND) for h in lying for way in range(1, 7)], (width, height))
        if sketch.zoom < 1:
            view = View(view.centre, max(0, view.zoom - 1), view.size)
        view = View(view.centre, min(view.zoom, len(SIZES) - 1), view.size)
        sea, boxes = outlook(view, state, made.sea())
        frames = Layer("marks", (*_rings(view, sketch.chosen, "accent"), *_rings(view, sketch.wrong, "bad")))
        drawn = scene(state, view, over=(sea, frames), shunned=boxes, night=made.night)
        cells = _open_sea(view) | {cell.id: cell for cell in drawn.cells}
        return Scene(drawn.width, drawn.height, drawn.layers, tuple(cells.values()), drawn.title, drawn.desc)


@lru_cache(maxsize=8)
def _open_sea(view: View) -> dict[str, Cell]:
    """A cell for each hex in a window: of some thousands, which stay the same from edit to edit."""
    hexes = sorted((view.layout.center(h)[::-1], h) for h in view.hexes() if view.holds(h))
    return {h.label: Cell(h.label, view.outline(h), h.label) for _, h in hexes}


def _rings(view: View, hexes: Sequence[str], token: str) -> Iterator[Shape]:
    for label in hexes:
        try:
            x, y = view.layout.center(Hex.parse(label))
        except NotationError:
            continue
        yield Circle(x, y, max(16.0, 1.4 * view.layout.height), Style(None, token, 3))


def _merchants(doc: Doc) -> list[int]:
    """Which of the ships are merchants, in order."""
    return [n for n, type in enumerate(listed(doc, "ships"))
            if type in TABLES.vessels and TABLES.vessels[type].role is Role.MERCHANT]


def _path(doc: Doc, id: str) -> Path:
    """The part of a document that a ship on the sea is: "M3" the third merchant."""
    n, ships = int(id[1:]) - 1, listed(doc, "ships")
    if id[0] == "S":
        return "boat", n
    if id[0] == "E":
        return ("escorts" if ships else "places"), n
    merchants = _merchants(doc)
    of = merchants if id[0] == "M" else [each for each in range(len(ships)) if each not in merchants]
    return ("ships", of[n]) if n < len(of) else ()


def _begun(made: Scenario) -> State:
    """The sea as it begins, by the die of one formation of twelve where that is to be rolled; without its ships where
    they cannot be put."""
    try:
        return begin(made, die=made.die or FLEET_DIE[0])
    except (DataError, LookupError):
        return State(1, Phase.CONVOY, begin(scenario(BLANK)).fleet, (), ())


WORKSHOP = PatrolWorkshop()
