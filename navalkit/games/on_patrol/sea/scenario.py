"""Reads scenarios, TOML that is checked field by field."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.errors import DataError, NavalkitError
from navalkit.grids.hex import Hex

from ..data import listed, read
from .fields import Fields
from .say import WHY
from .setting import BoatStart, Edges, Scenario, Sea
from .start import begin
from .state import Boat, MarkerKind, Role, State, Vessel
from .tables import FLEET_DIE, TABLES

__all__ = ["BoatStart", "Edges", "Scenario", "Sea", "begin", "names", "scenario"]

SPEEDS = ("slow", "fast")
DEPTHS = range(0, 601, 25)
MOST_SHIPS, MOST_ESCORTS, MOST_BOATS, MOST_TURNS = 60, 20, 3, 500


def names() -> tuple[str, ...]:
    """The names of the scenarios that come with the game."""
    return listed("scenarios")


def scenario(source: Mapping[str, Any] | str | PathLike[str]) -> Scenario:
    """A scenario, checked.

    Parameters
    ----------
    source : mapping, str or path
        Its fields; or the name of one that comes with the game; or its TOML text; or a path (``pathlib.Path``)
        to a file of it.

    Raises
    ------
    DataError
        If a field is missing, wrong or unknown: the sentence names it; or if there is no such scenario.
    """
    if isinstance(source, Mapping):
        return _read(source)
    if isinstance(source, PathLike):
        path = Path(source)
        try:
            return _read(_parse(path.read_text(encoding="utf-8"), path.name), path.stem)
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(WHY("scenario.scenario_cannot_read", path=path.name, error=error)) from None
    return _of_text(source)


@lru_cache(maxsize=32)
def _of_text(source: str) -> Scenario:
    """Kept, for a click of a page asks several times which of the offered games it is in."""
    if "=" in source:
        return _read(_parse(source, WHY("scenario.this_text")))
    if source not in names():
        raise DataError(WHY("scenario.unknown", name=brief(source), listed=", ".join(names())))
    return _read(read(f"scenarios/{source}.toml"), source)


def _parse(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(WHY("scenario.scenario_no_toml", where=where, error=error)) from None


def _read(data: Mapping[str, Any], name: str = "") -> Scenario:
    """A scenario from its fields; ``name`` serves where it has none of its own."""
    f = Fields(data, f"scenario {name}".strip())
    fleets = {id for id, t in TABLES.vessels.items() if t.role is not Role.ESCORT}
    made = Scenario(
        name=f.take("name", str, "a word", name or "own"),
        title=f.take("title", str, WHY("scenario.line_text")),
        about=f.take("about", str, "a text", ""),
        date=f.take("date", date, WHY("scenario.date")),
        package=f.word("package", TABLES.packages),
        night=f.take("night", bool, WHY("scenario.true_false"), False),
        turns=f.number("turns", range(1, MOST_TURNS + 1)),
        points=f.number("points", range(1, 1000)),
        speed=f.word("speed", SPEEDS),
        ships=f.words("ships", {id: t for id, t in TABLES.vessels.items() if id in fleets}, MOST_SHIPS),
        escorts=f.words("escorts", {id: t for id, t in TABLES.vessels.items() if id not in fleets}, MOST_ESCORTS),
        boats=_boats(f),
        fuel=tuple(f.take("fuel", list, WHY("scenario.list_merchants_numbers"), [])),
        die=f.number("die", FLEET_DIE, 0),
        places=tuple(f.as_place("places", p) for p in f.take("places", list, WHY("scenario.list"), [])),
        edges=_edges(f),
        away=f.number("away", range(1000), 0),
        weather=f.take("weather", str, WHY("scenario.word_two"), "clear"),
    )
    f.known.add("measured")  # what machine captains came to in it: see `players.measured`
    f.done()
    _check(made, f)
    return made


def _boats(f: Fields) -> tuple[BoatStart, ...]:
    right = WHY("scenario.list_boats", most=MOST_BOATS)
    rows = f.take("boat", list, right)
    if not 1 <= len(rows) <= MOST_BOATS:
        raise f.wrong("boat", right)
    boats = []
    for number, row in enumerate(rows, 1):
        b = Fields(row, f"{f.where}, boat {number}")
        type = TABLES.boats[b.word("type", TABLES.boats)]
        boats.append(
            BoatStart(
                type=type.id,
                place=b.place("place"),
                depth=b.number("depth", DEPTHS),
                torpedoes=b.word("torpedoes", type.torpedoes, ""),
                marker=MarkerKind(m) if (m := b.word("marker", tuple(MarkerKind), "")) else None,
                marked=b.place("marked") if "marked" in row else None,
            )
        )
        b.known.add("marked")
        b.done()
    return tuple(boats)


def _edges(f: Fields) -> Edges:
    e = Fields(f.take("edges", dict, "a table such as { north = -20, west = '-T' }", {}), f"{f.where}, edges")
    found: dict[str, int] = {}
    for side in ("north", "south"):
        if side in e.data:
            found[side] = e.take(side, int, WHY("scenario.number_row"))
    for side in ("east", "west"):
        if side in e.data:
            try:
                found[side] = Hex.parse(e.take(side, str, WHY("scenario.letters_column")) + "1").column
            except NavalkitError:
                raise e.wrong(side, WHY("scenario.letters_column_az")) from None
    e.known |= set(Edges._fields)
    e.done()
    return Edges(**found)


def _check(made: Scenario, f: Fields) -> None:
    """What no field can say alone."""
    vessels, year = TABLES.vessels, made.date.year
    if not (made.ships or made.escorts):
        raise DataError(WHY("scenario.ships_escorts_sea", where=f.where))
    if made.ships and made.places:
        raise f.wrong("places", WHY("scenario.left_out_escorts"))
    if not made.ships and len(made.places) != len(made.escorts):
        raise f.wrong("places", WHY("scenario.list_with_place", escorts=len(made.escorts)))
    if not made.ships and made.speed != "fast":
        raise f.wrong("speed", WHY("scenario.fast_escorts_alone"))
    if len({place.direction for place in made.places}) > 1:
        raise f.wrong("places", WHY("scenario.all_on_one"))
    tankers = [n for n, type in enumerate(made.merchants, 1) if vessels[type].kind == "tanker"]
    if any(number not in tankers for number in made.fuel):
        raise f.wrong("fuel", WHY("scenario.numbers_merchants_tankers", tankers=tankers))
    hexes = max(row.speed for row in TABLES.fleet_rows.values() if row.id.startswith(made.speed))
    for slow in (vessels[type] for type in made.ships if vessels[type].speed < hexes):
        raise f.wrong("speed", WHY("scenario.one_every_ship", slow=slow.name, speed=slow.speed, hexes=hexes))
    for number, boat in enumerate(made.boats, 1):
        hers, where = TABLES.boats[boat.type], f"{f.where}, boat {number}"
        if year < hers.year:
            raise DataError(WHY("scenario.boats_met_on", where=where, hers=hers.name, year=hers.year, year2=year))
        if boat.torpedoes and boat.torpedoes not in hers.carries(year):
            right = ", ".join(hers.carries(year))
            right = WHY("scenario.torpedoes", year=year, listed=right)
            raise DataError(WHY("fields.must", where=where, name="torpedoes", right=right, value=boat.torpedoes))
        if boat.depth > hers.test_depth:
            right = WHY("scenario.test_depth", most=hers.test_depth)
            raise DataError(WHY("fields.must", where=where, name="depth", right=right, value=boat.depth))
    for die in FLEET_DIE[::3]:  # one for each formation of twelve ships
        _check_hexes(begin(made, die=die), made.edges, f.where)


def _check_hexes(state: State, edges: Edges, where: str) -> None:
    """Ships and surfaced boats lie on the map, and none on another."""
    lying: dict[Hex, str] = {}
    ships: tuple[Vessel | Boat, ...] = (*state.vessels, *state.boats)
    for ship in ships:
        for h in ship.place.hexes:
            if edges.outside(h):
                raise DataError(WHY("scenario.lies_off_map", where=where, ship=ship.id, h=h))
            if isinstance(ship, Vessel) or ship.depth == 0:
                other = lying.setdefault(h, ship.id)
                if other != ship.id:
                    raise DataError(WHY("scenario.lies_on_move", where=where, ship=ship.id, other=other, h=h))
