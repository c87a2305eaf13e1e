"""Reads scenarios, TOML that is checked field by field."""

from __future__ import annotations
from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

from navalkit.core.errors import DataError, brief
from navalkit.core.files import Fields
from navalkit.grids.hex import DIRECTIONS, Hex
from navalkit.grids.hex_moves import Place
from ..data import listed, read
from .formation import TWELVE_SHIPS, Formation, Station, capital_places, formation, stations
from .state import Boat, Fleet, Marker, MarkerKind, Phase, Role, State, Task, Tube, Vessel, laid, replace
from .tables import FLEET_DIE, TABLES, WHY, BoatStart, Edges, Scenario

# -- The sea at the start of a scenario: ships in formation, escorts on their stations, boats with all tubes loaded

def begin(made: Scenario, package: str = "", die: int | None = None, base: bool = False) -> State:
    """The sea at the start, before the Escort Action Table is consulted for the first time (104.2.2).

    ``package``: "" for the scenario's own. ``die``: the formation roll for twelve ships (103.1.2), where the scenario
    leaves it open. ``base``: whether the fleet keeps to the course it begins on (B1).
    It is turn 1, with the fleet die to be rolled. If the formation has still to be rolled for, only the boats are at
    sea, and the one task is "formation": begin again with its result. DataError if there is no such package.
    """
    sea = made.sea(package)
    row = sea.row(made.speed)
    boats = tuple(_boat(f"S{n}", boat, sea.year) for n, boat in enumerate(made.boats, 1))
    state = State(turn=1, phase=Phase.CONVOY, fleet=Fleet(Place(Hex(0, 0), DIRECTIONS[0]), row), vessels=(),
                  boats=boats, todo=(Task("formation"),), package=sea.package, year=sea.year)
    roll = made.die or die
    if len(made.ships) == TWELVE_SHIPS and roll is None:
        return state
    if made.ships:
        form = formation(len(made.ships), roll)
        guide, escorts = form.guide, stations(form, made.escorts)
        fleet_places = _ships(made, form)
    else:
        guide, fleet_places = made.places[0], {}
        escorts = {f"E{n}": Station(str(n), place) for n, place in enumerate(made.places, 1)}
    speed = TABLES.fleet_rows[row].speed
    vessels = []
    for role, letter, types in (
        (Role.MERCHANT, "M", made.merchants),
        (Role.CAPITAL, "C", made.capitals),
        (Role.ESCORT, "E", made.escorts),
    ):
        for n, type in enumerate(types, 1):
            id = f"{letter}{n}"
            name, place = escorts[id] if role is Role.ESCORT else ("", fleet_places[id])
            offset = Hex(place.bow.q - guide.bow.q, place.bow.r - guide.bow.r)
            fuel = role is Role.MERCHANT and n in made.fuel
            charges = sea.one_ton(TABLES.vessels[type])
            vessels.append(
                Vessel(id, role, type, place, speed, station=name, offset=offset, fuel=fuel, charges=charges)
            )
    return replace(state, fleet=Fleet(guide, row, base=guide.direction if base else 0), vessels=tuple(vessels),
                   todo=(Task("fleet"),), markers=tuple(_markers(made, boats)))


def _ships(made: Scenario, form: Formation) -> dict[str, Place]:
    """Places of capital ships by value, then of merchants in order in what is left (103.3.3)."""
    values = [TABLES.vessels[type].value for type in made.capitals]
    by_value = sorted(range(len(values)), key=lambda n: -values[n])
    capital = capital_places(form, len(values))
    places = {f"C{n + 1}": place for n, place in zip(by_value, capital, strict=True)}
    left = [place for place in form.places if place not in capital]
    return places | {f"M{n}": place for n, place in enumerate(left, 1)}


def _boat(id: str, start: BoatStart, year: int) -> Boat:
    """A boat with all tubes loaded and all racks full (102.5)."""
    hers = TABLES.boats[start.type]
    torpedo = start.torpedoes or hers.carries(year)[0]
    tubes = tuple(Tube(end, torpedo) for end, n in (("bow", hers.bow), ("stern", hers.stern)) for _ in range(n))
    return Boat(id, hers.id, start.place, start.depth, 0, hers.hull, tubes, ((torpedo, hers.reloads),))


def _markers(made: Scenario, boats: tuple[Boat, ...]) -> Iterator[Marker]:
    """The markers of boats that the scenario says are in contact."""
    for start, boat in zip(made.boats, boats, strict=True):
        if start.marker is not None:
            own = boat.place.ahead() if start.marker is MarkerKind.TORPEDO else boat.place
            yield laid(boat.id, start.marker, start.marked or own)


SPEEDS = ("slow", "fast")
DEPTHS = range(0, 601, 25)
MOST_SHIPS, MOST_ESCORTS, MOST_BOATS, MOST_TURNS = 60, 20, 3, 500


def names() -> tuple[str, ...]:
    """The names of the scenarios that come with the game."""
    return listed("scenarios")


def scenario(source: Mapping[str, Any] | str | PathLike[str], checked: bool = True) -> Scenario:
    """A scenario, checked.

    Parameters
    ----------
    source : mapping, str or path
        Its fields; or the name of one that comes with the game; or its TOML text; or a path (``pathlib.Path``)
        to a file of it.
    checked : bool
        Whether the parts of one that is given by its fields must fit together.

    Raises
    ------
    DataError
        If a field is missing, wrong or unknown: the sentence names it; or if there is no such scenario.
    """
    if isinstance(source, Mapping):
        return _read(source, checked=checked)
    if isinstance(source, PathLike):
        path = Path(source)
        try:
            return _read(Fields.of(path.read_text(encoding="utf-8"), f"scenario {path.name}").data, path.stem)
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(WHY("scenario.scenario_cannot_read", path=path.name, error=error)) from None
    return _of_text(source)


@lru_cache(maxsize=32)
def _of_text(source: str) -> Scenario:
    """Kept, for a click of a page asks several times which of the offered games it is in."""
    if "=" in source:
        return _read(Fields.of(source, WHY("scenario.this_text")).data)
    if source not in names():
        raise DataError(WHY("scenario.unknown", name=brief(source), listed=", ".join(names())))
    return _read(read(f"scenarios/{source}.toml"), source)


def _read(data: Mapping[str, Any], name: str = "", checked: bool = True) -> Scenario:
    """A scenario from its fields; ``name`` serves where it has none of its own."""
    f = Fields(data, f"scenario {name}".strip())
    escorts = {id: t.role is Role.ESCORT for id, t in TABLES.vessels.items()}
    made = Scenario(
        name=f.text("name", name or "own"),
        title=f.text("title"),
        about=f.text("about", ""),
        date=f.take("date", date, WHY("scenario.date")),
        package=f.one_of("package", TABLES.packages),
        night=f.flag("night"),
        turns=f.whole("turns", range(1, MOST_TURNS + 1)),
        points=f.whole("points", range(1, 1000)),
        speed=f.one_of("speed", SPEEDS),
        ships=f.texts("ships", [id for id in escorts if not escorts[id]], MOST_SHIPS, []),
        escorts=f.texts("escorts", [id for id in escorts if escorts[id]], MOST_ESCORTS, []),
        boats=_boats(f),
        fuel=tuple(f.take("fuel", list, WHY("scenario.list_merchants_numbers"), [])),
        die=f.whole("die", FLEET_DIE, 0),
        places=tuple(as_place(f, "places", each) for each in f.take("places", list, WHY("scenario.list"), [])),
        edges=_edges(f),
        away=f.whole("away", range(1000), 0),
        weather=f.text("weather", "clear"),
    )
    f.done()
    if checked:
        _check(made, f)
    return made


def _boats(f: Fields) -> tuple[BoatStart, ...]:
    boats = []
    for b in f.rows("boat", range(1, MOST_BOATS + 1), WHY("scenario.list_boats", most=MOST_BOATS)):
        type = TABLES.boats[b.one_of("type", TABLES.boats)]
        boats.append(
            BoatStart(type=type.id, place=as_place(b, "place", b.take("place", str, WHY("fields.bow_hex_course"))),
                      depth=b.whole("depth", DEPTHS), torpedoes=b.one_of("torpedoes", type.torpedoes, ""),
                      marker=MarkerKind(m) if (m := b.one_of("marker", tuple(MarkerKind), "")) else None,
                      marked=as_place(b, "marked", b.data["marked"]) if "marked" in b else None)
        )
        b.done()
    return tuple(boats)


def as_place(f: Fields, name: str, value: object) -> Place:
    """A value of a field as a place, written as bow hex and course; DataError if it is none."""

    def read(bow: str, _: str, course: str) -> Place:
        return Place(Hex.parse(bow), DIRECTIONS[DIRECTIONS.index(int(course))])

    return f.read(name, read, *str(value).strip().partition(" "), right=WHY("fields.bow_hex_course_2", value=value))


def _edges(f: Fields) -> Edges:
    e = Fields(f.take("edges", dict, "a table such as { north = -20, west = '-T' }", {}), f"{f.where}, edges",
               (*f.at, "edges"))
    found = {side: e.take(side, int, WHY("scenario.number_row")) for side in ("north", "south") if side in e}
    for side in ("east", "west"):
        if side in e:
            label = e.take(side, str, WHY("scenario.letters_column")) + "1"
            found[side] = e.read(side, Hex.parse, label, right=WHY("scenario.letters_column_az")).column
    e.done()
    return Edges(**found)


def _check(made: Scenario, f: Fields) -> None:
    """What no field can say alone."""
    vessels, year = TABLES.vessels, made.date.year
    if not (made.ships or made.escorts):
        raise DataError(WHY("scenario.ships_escorts_sea", where=f.where), place=("ships",))
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
            raise DataError(WHY("scenario.boats_met_on", where=where, hers=hers.name, year=hers.year, year2=year),
                            place=("boat", number - 1, "type"))
        if boat.torpedoes and boat.torpedoes not in hers.carries(year):
            right = WHY("scenario.torpedoes", year=year, listed=", ".join(hers.carries(year)))
            raise Fields({"torpedoes": boat.torpedoes}, where, ("boat", number - 1)).wrong("torpedoes", right)
        if boat.depth > hers.test_depth:
            right = WHY("scenario.test_depth", most=hers.test_depth)
            raise Fields({"depth": boat.depth}, where, ("boat", number - 1)).wrong("depth", right)
    for die in FLEET_DIE[::3]:  # one for each formation of twelve ships
        _check_hexes(begin(made, die=die), made.edges, f.where)


def _check_hexes(state: State, edges: Edges, where: str) -> None:
    """Ships and surfaced boats lie on the map, and none on another."""
    lying: dict[Hex, str] = {}
    ships: tuple[Vessel | Boat, ...] = (*state.vessels, *state.boats)
    for ship in ships:
        for h in ship.place.hexes:
            if edges.outside(h):
                raise DataError(WHY("scenario.lies_off_map", where=where, ship=ship.id, h=h), place=_place(ship.id))
            if isinstance(ship, Vessel) or ship.depth == 0:
                other = lying.setdefault(h, ship.id)
                if other != ship.id:
                    raise DataError(WHY("scenario.lies_on_move", where=where, ship=ship.id, other=other, h=h),
                                    place=_place(ship.id))


def _place(id: str) -> tuple[str | int, ...]:
    """Which part of a scenario says where a ship lies: of one in a formation, nothing but which ships there are."""
    return {"S": ("boat", int(id[1:]) - 1, "place"), "E": ("escorts",)}.get(id[0], ("ships",))
