"""Reads scenarios, TOML that is checked field by field."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from os import PathLike
from pathlib import Path
from typing import Any

from navalkit.core.errors import DataError, NavalkitError
from navalkit.grids.hex import Hex

from ..data import listed, read
from .fields import Fields
from .setting import BoatStart, Edges, Scenario, Sea
from .start import begin
from .state import EDITION, Boat, MarkerKind, Role, State, Vessel
from .tables import FLEET_DIE, TABLES

__all__ = ["BoatStart", "Edges", "Scenario", "Sea", "begin", "names", "scenario"]

SPEEDS = ("slow", "fast")
DEPTHS = range(0, 601, 25)
MOST_SHIPS, MOST_ESCORTS, MOST_BOATS, MOST_TURNS = 60, 20, 3, 500


def names() -> tuple[str, ...]:
    """The names of the scenarios that come with the game."""
    return listed("scenarios")


def scenario(source: Mapping[str, Any] | str | PathLike[str], edition: int = EDITION) -> Scenario:
    """A scenario, checked.

    Parameters
    ----------
    source : mapping, str or path
        Its fields; or the name of one that comes with the game; or its TOML text; or a path (``pathlib.Path``)
        to a file of it.
    edition : int
        Of the rules: the first one allowed what 104.2.4 does not, and had two boats begin on the surface.

    Raises
    ------
    DataError
        If a field is missing, wrong or unknown: the sentence names it; or if there is no such scenario.
    """
    if isinstance(source, Mapping):
        return _read(source, edition)
    if isinstance(source, PathLike):
        path = Path(source)
        try:
            return _read(_parse(path.read_text(encoding="utf-8"), path.name), edition, path.stem)
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"scenario {path.name} cannot be read: {error}.") from None
    if "=" in source:
        return _read(_parse(source, "this text"), edition)
    if source not in names():
        raise DataError(f"there is no scenario {source[:80]!r}; there are {', '.join(names())}.")
    folder = "first" if edition == 1 and source in listed("first") else "scenarios"
    return _read(read(f"{folder}/{source}.toml"), edition, source)


def _parse(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"scenario {where} is no TOML: {error}.") from None


def _read(data: Mapping[str, Any], edition: int, name: str = "") -> Scenario:
    """A scenario from its fields; ``name`` serves where it has none of its own."""
    f = Fields(data, f"scenario {name}".strip())
    fleets = {id for id, t in TABLES.vessels.items() if t.role is not Role.ESCORT}
    made = Scenario(
        name=f.take("name", str, "a word", name or "own"),
        title=f.take("title", str, "a line of text"),
        about=f.take("about", str, "a text", ""),
        date=f.take("date", date, "a date such as 1942-11-03"),
        package=f.word("package", TABLES.packages),
        night=f.take("night", bool, "true or false", False),
        turns=f.number("turns", range(1, MOST_TURNS + 1)),
        points=f.number("points", range(1, 1000)),
        speed=f.word("speed", SPEEDS),
        ships=f.words("ships", {id: t for id, t in TABLES.vessels.items() if id in fleets}, MOST_SHIPS),
        escorts=f.words("escorts", {id: t for id, t in TABLES.vessels.items() if id not in fleets}, MOST_ESCORTS),
        boats=_boats(f),
        fuel=tuple(f.take("fuel", list, "a list of merchants' numbers, such as [2, 5]", [])),
        die=f.number("die", FLEET_DIE, 0),
        places=tuple(f.as_place("places", p) for p in f.take("places", list, "a list such as ['M20 3']", [])),
        edges=_edges(f),
        weather=f.take("weather", str, "a word or two", "clear"),
    )
    f.done()
    _check(made, f, edition)
    return made


def _boats(f: Fields) -> tuple[BoatStart, ...]:
    right = f"a list of 1 to {MOST_BOATS} boats"
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
            found[side] = e.take(side, int, "the number of a row")
    for side in ("east", "west"):
        if side in e.data:
            try:
                found[side] = Hex.parse(e.take(side, str, "the letters of a column") + "1").column
            except NavalkitError:
                raise e.wrong(side, "the letters of a column, such as 'AZ' or '-T'") from None
    e.known |= set(Edges._fields)
    e.done()
    return Edges(**found)


def _check(made: Scenario, f: Fields, edition: int) -> None:
    """What no field can say alone."""
    vessels, year = TABLES.vessels, made.date.year
    if not (made.ships or made.escorts):
        raise DataError(f"{f.where}: there must be ships or escorts at sea besides the boats.")
    if made.ships and made.places:
        raise f.wrong("places", "left out: escorts of ships take the stations of 103.2")
    if not made.ships and len(made.places) != len(made.escorts):
        raise f.wrong("places", f"a list with the place of each of the {len(made.escorts)} escorts (103.2.5)")
    if not made.ships and made.speed != "fast" and edition > 1:
        raise f.wrong("speed", "fast: escorts alone move at fast convoy speed (104.2.4)")
    if len({place.direction for place in made.places}) > 1:
        raise f.wrong("places", "all on one course: escorts alone sail in unison (104.2.4)")
    tankers = [n for n, type in enumerate(made.merchants, 1) if vessels[type].kind == "tanker"]
    if any(number not in tankers for number in made.fuel):
        raise f.wrong("fuel", f"numbers of merchants that are tankers: {tankers}")
    hexes = max(row.speed for row in TABLES.fleet_rows.values() if row.id.startswith(made.speed))
    for slow in (vessels[type] for type in made.ships if vessels[type].speed < hexes):
        raise f.wrong("speed", f"one that every ship can keep: {slow.name} makes {slow.speed} hexes, not {hexes}")
    for number, boat in enumerate(made.boats, 1):
        hers, where = TABLES.boats[boat.type], f"{f.where}, boat {number}"
        if year < hers.year:
            raise DataError(f"{where}: {hers.name} boats are met from {hers.year} on, not in {year}.")
        if boat.torpedoes and boat.torpedoes not in hers.carries(year):
            right = ", ".join(hers.carries(year))
            raise DataError(f"{where}: torpedoes must be of a type there was in {year}, {right}; not {boat.torpedoes}.")
        if boat.depth > hers.test_depth:
            raise DataError(f"{where}: depth must be at most her test depth, {hers.test_depth} ft; it is {boat.depth}.")
    for die in FLEET_DIE[::3]:  # one for each formation of twelve ships
        _check_hexes(begin(made, die=die), made.edges, f.where)


def _check_hexes(state: State, edges: Edges, where: str) -> None:
    """Ships and surfaced boats lie on the map, and none on another."""
    lying: dict[Hex, str] = {}
    ships: tuple[Vessel | Boat, ...] = (*state.vessels, *state.boats)
    for ship in ships:
        for h in ship.place.hexes:
            if edges.outside(h):
                raise DataError(f"{where}: {ship.id} lies off the map at {h}: move her, or the edges.")
            if isinstance(ship, Vessel) or ship.depth == 0:
                other = lying.setdefault(h, ship.id)
                if other != ship.id:
                    raise DataError(f"{where}: {ship.id} lies on {other} at {h}: move one of them.")
