"""The sea at the start of a scenario: ships in formation, escorts on their stations, boats with all tubes loaded."""

from __future__ import annotations

from collections.abc import Iterator

from navalkit.grids.hex import DIRECTIONS, Hex, Place

from .formation import TWELVE_SHIPS, Formation, Station, capital_places, formation, stations
from .setting import BoatStart, Scenario
from .state import Boat, Fleet, Marker, MarkerKind, Phase, Role, State, Task, Tube, Vessel
from .swift import replace
from .tables import TABLES


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
    state = State(
        turn=1,
        phase=Phase.CONVOY,
        fleet=Fleet(Place(Hex(0, 0), DIRECTIONS[0]), row),
        vessels=(),
        boats=boats,
        todo=(Task("formation"),),
        package=sea.package,
        year=sea.year,
    )
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
    return replace(
        state,
        fleet=Fleet(guide, row, base=guide.direction if base else 0),
        vessels=tuple(vessels),
        todo=(Task("fleet"),),
        markers=tuple(_markers(made, boats)),
    )


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
            yield Marker(boat.id, start.marker, start.marked or own)
