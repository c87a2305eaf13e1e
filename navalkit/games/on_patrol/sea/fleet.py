"""The fleet's move (104.3, 104.4): one die for all that sails in unison, and what escorts must keep clear of.

Merchants, capital ships and the escorts in formation make the same turns and enter as many hexes, so that their
places relative to one another stay the same. Only a ship dead in the water, or something else in the way, makes a
ship fall behind; and capital ships that flee go each at her own speed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from navalkit.core.errors import IllegalActionError
from navalkit.core.event import Event
from navalkit.grids.hex import Hex, HexSet, Place, turn_between, turned

from .say import SAY, WHY
from .setting import Sea
from .state import Fleet, Role, State, Task, Vessel
from .swift import replace
from .tables import FLEET_DIE, TABLES, FleetMove

Entry: TypeAlias = tuple[Vessel, Hex]  # a hex that a ship entered

EMERGENCY = "emergency"
CLEAR = TABLES.scale["clear"]


# Stations ------------------------------------------------------------------------------------------------------------


def station(state: State, vessel: Vessel) -> Place:
    """A ship's place in the formation now: her offset from the guide, on the fleet's course."""
    guide = state.fleet.guide
    return Place(Hex(guide.bow.q + vessel.offset.q, guide.bow.r + vessel.offset.r), guide.direction)


def on_station(state: State, vessel: Vessel) -> bool:
    """Whether a ship is in her place in the formation, on the fleet's course."""
    return vessel.place == station(state, vessel)


def in_formation(state: State, vessel: Vessel) -> bool:
    """Whether an escort moves with the fleet: she is on station and hunts no boat (103.2.2)."""
    return not vessel.hunt.boat and not vessel.hunt.plan and on_station(state, vessel)


def fleeing(state: State) -> bool:
    """Whether capital ships move at emergency speed: torpedoes were launched, and no merchant is with them
    (104.4.2)."""
    return state.fleet.emergency and may_flee(state)


def may_flee(state: State) -> bool:
    """Whether capital ships would flee from torpedoes: the package knows it, and no merchant is with them."""
    roles = {v.role for v in state.vessels if not v.sunk}
    return "emergency" in TABLES.packages[state.package].parts and Role.CAPITAL in roles and Role.MERCHANT not in roles


@lru_cache(maxsize=512)
def cells(row: str, course: int, base: int) -> tuple[FleetMove, ...]:
    """The moves of a row for the dice 1 to 6 from a course; with a base course (B1; 0: none) a turn that would take
    the fleet more than 60 degrees off it is made to the other side."""
    moves = TABLES.fleet[row]
    other = {(cell.before, cell.after): cell for cell in moves}
    return tuple(
        other[-cell.before, -cell.after]
        if base and abs(turn_between(base, turned(course, cell.before + cell.after))) > 1
        else cell
        for cell in moves
    )


# The move ------------------------------------------------------------------------------------------------------------


def move_fleet(state: State, die: int) -> tuple[State, tuple[Event, ...], tuple[Task, ...]]:
    """The sea after the fleet die: phases 1 and 2 of a turn.

    ``die``: 1 to 6, else IllegalActionError. The state's ``moved`` names the ships that took part, those that stood
    still for one in the way too. There is a task "ram" for each surfaced boat that a ship ran over, at the hex it
    happened in (108.1.5); of the escorts only one may ram a boat.
    """
    if die not in FLEET_DIE:
        raise IllegalActionError(WHY("fleet.fleet_die_shows", die=die))
    flight = fleeing(state)
    row, heading = EMERGENCY if flight else state.fleet.row, state.fleet.guide.direction
    cell = cells(row, heading, state.fleet.base)[die - 1]
    course = turned(heading, cell.before)
    movers = sorted((v for v in state.vessels if _sails(state, v)), key=lambda v: -_ahead(v.place.bow, course))
    moved, entered = _sail(state, movers, cell, course, flight)
    vessels = tuple(moved.get(v.id, v) for v in state.vessels)
    fleet = _new_fleet(state, cell, die, vessels)
    events = [SAY.event("104.3.1", "fleet", die=die, cell=cell.text, course=fleet.guide.direction)]
    if flight:
        events[0] = SAY.event("104.4.2", "flight", die=die, cell=cell.text, course=fleet.guide.direction)
    if cell is not TABLES.fleet[row][die - 1]:
        events.append(SAY.event("B1", "base", course=state.fleet.base))
    for v in state.vessels:
        if v.id in moved and moved[v.id].held != v.held:
            rule = "104.4.5" if v.role is Role.CAPITAL else "104.3.3"
            events.append(SAY.event(rule, "held_up" if moved[v.id].held else "resumed", ship=v.id))
    ids = tuple(v.id for v in vessels if v.id in moved)
    return replace(state, vessels=vessels, fleet=fleet, moved=ids), tuple(events), tuple(_tasks(state, entered))


def _sails(state: State, vessel: Vessel) -> bool:
    """Whether the fleet die moves a ship."""
    return not (vessel.stopped or vessel.sunk) and (vessel.role is not Role.ESCORT or in_formation(state, vessel))


def _ahead(h: Hex, course: int) -> int:
    """How far ahead a hex lies, in half hexes along a course."""
    a, b = Hex(0, 0).along(course, h)
    return 2 * a + b


def _hexes(state: State, vessel: Vessel, cell: FleetMove) -> int:
    """Hexes a cell sends a ship: M is one more than last turn up to her greatest speed; escorts go as the guide."""
    if cell.hexes is not None:
        return cell.hexes
    if vessel.role is Role.ESCORT:
        return _flight_speed(state)
    return min(TABLES.vessels[vessel.type].speed_after(vessel.hits), vessel.speed + 1)


def _flight_speed(state: State) -> int:
    """The guide's hexes in an emergency: those of the slowest capital ship under way."""
    cell = TABLES.fleet[EMERGENCY][0]
    ships = [v for v in state.vessels if v.role is Role.CAPITAL and not (v.stopped or v.sunk)]
    return min((_hexes(state, v, cell) for v in ships), default=0)


def _new_fleet(state: State, cell: FleetMove, die: int, vessels: Iterable[Vessel]) -> Fleet:
    """The fleet after a cell; its guide stays where it is while nothing but hunting escorts is at sea."""
    guide = state.fleet.guide
    if any(v.role is not Role.ESCORT for v in vessels) or any(_sails(state, v) for v in state.escorts):
        hexes = _flight_speed(state) if cell.hexes is None else cell.hexes
        guide = guide.turned(cell.before).ahead(hexes).turned(cell.after)
    return state.fleet._replace(guide=guide, die=die)


def _sail(
    state: State, movers: list[Vessel], cell: FleetMove, course: int, flight: bool
) -> tuple[dict[str, Vessel], list[Entry]]:
    """The ships after their move, by id, and all the hexes they entered.

    Ships in unison are not in one another's way. But where some have fallen behind, a stern may still swing into
    another ship: such a ship waits where she is, and all is worked out anew with her lying there.
    """
    waiting: set[str] = set()
    while True:
        moved, entered = {v.id: replace(v, speed=0, held=True) for v in movers if v.id in waiting}, list[Entry]()
        sailing = {v.id: v for v in movers if v.id not in waiting}
        still = {h for v in state.vessels if v.stopped or v.sunk or v.id in waiting for h in v.place.hexes}
        lying = {h for v in state.vessels if v.id not in sailing for h in v.place.hexes}
        for vessel in sailing.values():  # the foremost first, so that those astern see who fell behind
            # Ships that flee go at different speeds, so that each must look out for all (104.4.5).
            others = [moved.get(v.id, v) for v in sailing.values() if v is not vessel] if flight else []
            near = still.union(h for v in others for h in v.place.hexes)
            moved[vessel.id], hexes = _move(vessel, cell, course, _hexes(state, vessel, cell), near, lying)
            if moved[vessel.id].held:
                still.update(moved[vessel.id].place.hexes)
            entered += [(vessel, h) for h in hexes]
        clash = _clash(lying, [moved[id] for id in sailing])
        if clash is None:
            return moved, entered
        waiting.add(clash)


def _move(
    vessel: Vessel, cell: FleetMove, course: int, hexes: int, still: HexSet, taken: HexSet
) -> tuple[Vessel, list[Hex]]:
    """A ship after her move as far as she can make it (104.3.3), and the hexes she entered: she stops ``CLEAR`` hexes
    short of a ship that lies ``still`` ahead of her bow, and enters no hex that is ``taken``. She makes all turns."""
    place, entered = Place(vessel.place.bow, course), list[Hex]()
    while len(entered) < hexes:
        lane = [place.bow.step(course, n) for n in range(1, CLEAR + 1)]
        if lane[0] in taken or any(h in still for h in lane):
            break
        place = place.ahead()
        entered.append(place.bow)
    return replace(vessel, place=place.turned(cell.after), speed=len(entered), held=len(entered) < hexes), entered


def _clash(lying: HexSet, ships: list[Vessel]) -> str | None:
    """The first ship that lies on another, or on what was there before."""
    taken = set(lying)
    for vessel in ships:
        if not taken.isdisjoint(vessel.place.hexes):
            return vessel.id
        taken.update(vessel.place.hexes)
    return None


def _tasks(state: State, entered: list[Entry]) -> list[Task]:
    """The rammings, in the ships' order: a boat is rammed by every ship that enters her hex, but by one escort at
    most."""
    tasks: dict[tuple[str, str], Task] = {}
    order = [v.id for v in state.vessels]
    for vessel, h in sorted(entered, key=lambda entry: order.index(entry[0].id)):
        for boat in state.boats:
            if boat.active and boat.depth == 0 and h in boat.place.hexes:
                by = "escort" if vessel.role is Role.ESCORT else vessel.id
                tasks.setdefault((by, boat.id), Task("ram", vessel.id, boat.id, h))
    return list(tasks.values())


def leave_map(state: State, sea: Sea) -> tuple[State, tuple[Event, ...]]:
    """The sea without the capital ships that fled off the map: they do not come back (104.4.3)."""
    if not fleeing(state):
        return state, ()
    gone = [v.id for v in state.vessels if v.role is Role.CAPITAL and sea.edges.outside(v.place.bow)]
    events = tuple(SAY.event("104.4.3", "fled", ship=id) for id in gone)
    return replace(state, vessels=tuple(v for v in state.vessels if v.id not in gone)), events


# What escorts must keep clear of -------------------------------------------------------------------------------------


def could_enter(state: State, vessel: Vessel) -> dict[Hex, str]:
    """Every hex a merchant or capital ship might enter with the next fleet die (108.1.1, 108.1.3).

    Capital ships that torpedoes would put to flight may go at emergency speed next turn, so that row counts too.

    Each with the cells of the table that lead there ("L2", or "2, 2L"). Empty for a ship that lies stopped.
    """
    if vessel.stopped or vessel.sunk:
        return {}
    rows = [] if fleeing(state) else [state.fleet.row]
    if may_flee(state):
        rows.append(EMERGENCY)
    cells = {cell.text: (cell.before, _hexes(state, vessel, cell)) for row in rows for cell in TABLES.fleet[row]}
    return dict(_lanes(Place(vessel.place.bow, state.fleet.guide.direction), tuple(sorted(cells.items()))))


@lru_cache(maxsize=1024)
def _lanes(place: Place, cells: tuple[tuple[str, tuple[int, int]], ...]) -> dict[Hex, str]:
    """The hexes entered by any of the cells, each with the cells it is entered by."""
    found: dict[Hex, list[str]] = {}
    for text, (before, hexes) in cells:
        for n in range(1, hexes + 1):
            found.setdefault(place.turned(before).ahead(n).bow, []).append(text)
    return {h: ", ".join(texts) for h, texts in found.items()}


def pivot_hexes(vessel: Vessel) -> tuple[Hex, Hex]:
    """The hexes a ship's stern might swing into when she turns, port and starboard (108.1.2, 108.1.3)."""
    return vessel.place.pivots
