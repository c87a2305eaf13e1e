"""Typed loader of data.toml: the ships and boats, the four tables of the source, formations and packages."""

from __future__ import annotations
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from functools import lru_cache
from math import floor
from typing import Any, NamedTuple, TypeAlias, TypeVar

from navalkit.core.errors import DataError, IllegalActionError
from navalkit.core.files import Fields, sourced, values
from navalkit.core.words import Event
from navalkit.grids.hex import Hex, HexSet, turn_between, turned
from navalkit.grids.hex_moves import Place
from ..data import read, words
from .rows import (
    D66,
    ActionRow,
    BoatType,
    DepthRow,
    DetectionRow,
    FleetMove,
    FleetRow,
    FormationRow,
    Package,
    VesselType,
)
from .state import Fleet, MarkerKind, Role, State, Task, Vessel, replace

__all__ = [
    "ActionRow", "BoatType", "D66", "DepthRow", "DetectionRow", "FLEET_DIE", "FleetMove", "FleetRow",
    "FormationRow", "Package", "TABLES", "Tables", "VesselType", "fleet_move", "load",
]

SAY = words("log.toml")
WHY = words("refusals.toml")


Row = TypeVar("Row")

FLEET_DIE = range(1, 7)  # the faces of the fleet die


@dataclass(frozen=True, slots=True)
class Tables:
    """All of data.toml.

    Parameters
    ----------
    scale : mapping of str to int
        "search", "ship_gap", "column_gap", "beside" and "clear", in hexes; "knots" a hex.
    vessels : mapping of str to VesselType
    boats : mapping of str to BoatType
    packages : mapping of str to Package
    fleet_rows : mapping of str to FleetRow
    fleet : mapping of str to tuple of FleetMove
        The Fleet Movement Table: row -> its six cells, the one of the die at index die - 1.
    action_rows : tuple of ActionRow
        In the order of the source.
    actions : mapping of MarkerKind or None to ActionRow
        The Escort Action Table by marker, None for no marker: modes 1 to 6.
    detection, depth : tuple of rows
        In the order of the source.
    formations : mapping of int to FormationRow
    """

    scale: Mapping[str, int]
    vessels: Mapping[str, VesselType]
    boats: Mapping[str, BoatType]
    packages: Mapping[str, Package]
    fleet_rows: Mapping[str, FleetRow]
    fleet: Mapping[str, tuple[FleetMove, ...]]
    action_rows: tuple[ActionRow, ...]
    actions: Mapping[MarkerKind | None, ActionRow]
    detection: tuple[DetectionRow, ...]
    depth: tuple[DepthRow, ...]
    formations: Mapping[int, FormationRow]

    def action(self, id: str) -> ActionRow:
        """The row of the Escort Action Table with that id, such as "end" or "double" (KeyError if there is none)."""
        return {row.id: row for row in self.action_rows}[id]

    def detected(self, id: str) -> DetectionRow:
        """The row of the Submarine Detection Table with that id (KeyError if there is none)."""
        return {row.id: row for row in self.detection}[id]


def fleet_move(text: str) -> FleetMove:
    """A cell of the Fleet Movement Table from its text ("L2", "2R", "M").

    Raises
    ------
    DataError
        If the text is no cell.
    """
    match = re.fullmatch(r"([LR]?)([1-9]|M)([LR]?)", text)
    if match is None:
        raise DataError(WHY("tables.no_cell_fleet", text=text))
    turns = {"L": -1, "": 0, "R": 1}
    before, hexes, after = match.groups()
    return FleetMove(turns[before], None if hexes == "M" else int(hexes), turns[after], text)


def _make(kind: type[Row], row: Mapping[str, Any], where: str) -> Row:
    """A row as its dataclass, its source checked; DataError if the row lacks a field, has one too many, or names no
    source."""
    figures = sourced(dict(row), where) | {"source": row["source"]}
    f = Fields(figures, where)
    f.known.update(field.name for field in fields(kind))  # type: ignore[arg-type]
    f.done()
    try:
        return kind(**figures)
    except TypeError as error:
        raise DataError(WHY("tables.data_toml_not", where=where, error=error)) from None


def _marked(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with the word for its marker, if it has one, as a ``MarkerKind``."""
    return {**row, "marker": MarkerKind(row["marker"])} if "marker" in row else dict(row)


def load(data: Mapping[str, Any]) -> Tables:
    """The tables from the content of data.toml.

    Raises
    ------
    DataError
        If a row is incomplete, has an unknown field or names no source.
    """
    scale = values(data["scale"], "scale")

    def hexes(knots: float) -> int:
        return floor(knots / int(scale["knots"]) + 0.5)

    def vessel(id: str, row: Mapping[str, Any]) -> VesselType:
        hits = next(step["hits"] for step in data["endurance"] if row["tons"] <= step["tons"])
        made = {**row, "id": id, "role": Role(row["role"]), "speed": hexes(row["knots"]), "hits": hits}
        return _make(VesselType, made, f"vessel.{id}")

    def boat(id: str, row: Mapping[str, Any]) -> BoatType:
        made = {**row, "id": id, "surfaced": hexes(row["surfaced_knots"])}
        del made["surfaced_knots"]
        made |= {"torpedoes": tuple(row["torpedoes"]), "since": tuple(row["torpedoes"].values())}
        return _make(BoatType, made, f"boat.{id}")

    def formation(row: Mapping[str, Any]) -> FormationRow:
        made = {**row, "bows": tuple(map(Hex.parse, row["bows"])), "ships": tuple(row["ships"])}
        return _make(FormationRow, made, f"formation {row['number']}")

    def fleet(row: Mapping[str, Any]) -> FleetRow:
        return _make(FleetRow, {**row, "moves": tuple(map(fleet_move, row["moves"]))}, f"fleet {row['id']!r}")

    for step in data["endurance"]:
        sourced(step, WHY("tables.endurance_up_tons", step=step['tons']))
    fleet_rows = tuple(fleet(row) for row in data["fleet"])
    action_rows = tuple(_make(ActionRow, _marked(row), f"action {row['id']!r}") for row in data["action"])
    return Tables(
        scale=scale,
        vessels={id: vessel(id, row) for id, row in data["vessel"].items()},
        boats={id: boat(id, row) for id, row in data["boat"].items()},
        packages={id: _make(Package, {**row, "id": id, "parts": tuple(row["parts"])}, f"package.{id}")
                  for id, row in data["package"].items()},
        fleet_rows={row.id: row for row in fleet_rows},
        fleet={row.id: row.moves for row in fleet_rows},
        action_rows=action_rows,
        actions={row.marker: row for row in action_rows if row.mode in range(1, 7)},
        detection=tuple(_make(DetectionRow, _marked(row), f"detection {row['id']!r}") for row in data["detection"]),
        depth=tuple(_make(DepthRow, row, f"depth {row['id']!r}") for row in data["depth"]),
        formations={row["number"]: formation(row) for row in data["formation"]},
    )


TABLES = load(DATA := read("data.toml"))


# -- What a scenario is: its ships, boats and edges, and what stays the same through the whole game 

class Edges(NamedTuple):
    """The edges of the map, the last row or column still on it; None where the sea goes on for ever."""

    north: int | None = None
    east: int | None = None
    south: int | None = None
    west: int | None = None

    def outside(self, h: Hex) -> bool:
        """Whether a hex lies off the map."""
        north, east, south, west = self
        return (
            (north is not None and h.row < north) or (south is not None and h.row > south)
            or (west is not None and h.column < west) or (east is not None and h.column > east)
        )


@dataclass(frozen=True, slots=True)
class Sea:
    """What stays the same through a game: the package of rules, the date, night, and when it ends."""

    package: str = "basic"  # "basic", "optional" or "advanced" (101.2)
    year: int = 1942
    night: bool = False  # whether the scenario is at night and the package knows night
    turns: int = 40  # the turn limit
    points: int = 1  # points the captain needs to win
    edges: Edges = Edges()  # of the map; a boat that leaves it has got away
    away: int = 0  # points for each boat that gets away (W2)

    def has(self, part: str) -> bool:
        """Whether the package has a part: "radar", "night", "star shells", "atw", "starred speeds", "arming",
        "duds", "gunnery", "emergency" or "special"."""
        return part in TABLES.packages[self.package].parts

    def radar(self, type: VesselType) -> bool:
        """Whether a ship of that type has radar here."""
        return self.has("radar") and type.radar(self.year)

    def one_ton(self, type: VesselType) -> int:
        """One-ton charges aboard a ship of that type here."""
        return type.one_ton_in(self.year) if self.has("special") else 0

    def row(self, speed: str) -> str:
        """The row of the Fleet Movement Table for a "slow" or "fast" fleet: the starred one if it is in force."""
        starred = self.has("starred speeds")
        return next(r.id for r in TABLES.fleet_rows.values() if r.id.startswith(speed) and r.starred is starred)


@dataclass(frozen=True, slots=True)
class BoatStart:
    """A submarine at the start."""

    type: str
    place: Place
    depth: int  # feet
    torpedoes: str = ""  # the type in all tubes and racks; "" for the best she may carry
    # the marker she begins with, where the scenario says that contact was made (104.2.2)
    marker: MarkerKind | None = None
    marked: Place | None = None  # where that marker lies; None for her own place


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario, checked."""

    name: str
    title: str
    date: date
    package: str  # the package it is meant for
    night: bool
    turns: int  # the turn limit
    points: int  # points the captain needs to win
    speed: str  # "slow" or "fast"
    ships: tuple[str, ...]  # types of the merchants and capital ships
    escorts: tuple[str, ...]  # their types
    boats: tuple[BoatStart, ...]
    about: str = ""
    fuel: tuple[int, ...] = ()  # which of the merchants (from 1) are tankers with aviation fuel
    die: int = 0  # the formation of twelve ships, as on the die of 103.1.2; 0 to roll for it
    places: tuple[Place, ...] = ()  # the escorts' places where there is nothing else at sea (103.2.5); else empty
    edges: Edges = Edges()
    weather: str = "clear"  # only to be shown: the rules know calm seas alone (102.4)
    away: int = 0  # points for each boat that leaves the map (W2)

    def sea(self, package: str = "") -> Sea:
        """What stays the same, under the scenario's own package or another; DataError if there is no such package."""
        package = package or self.package
        if package not in TABLES.packages:
            raise DataError(WHY("setting.no_package_one", package=package, listed=', '.join(TABLES.packages)))
        night = self.night and "night" in TABLES.packages[package].parts
        return Sea(package, self.date.year, night, self.turns, self.points, self.edges, self.away)

    @property
    def merchants(self) -> tuple[str, ...]:
        """Types of the merchants, M1, M2 ... in order."""
        return tuple(t for t in self.ships if TABLES.vessels[t].role is Role.MERCHANT)

    @property
    def capitals(self) -> tuple[str, ...]:
        """Types of the capital ships, C1, C2 ... in order."""
        return tuple(t for t in self.ships if TABLES.vessels[t].role is Role.CAPITAL)


# -- The fleet's move (104.3, 104.4): one die for all that sails in unison, and what escorts must keep clear of
# Merchants, capital ships and the escorts in formation make the same turns and enter as many hexes, so that their
# places relative to one another stay the same. Only a ship dead in the water, or something else in the way, makes a
# ship fall behind; and capital ships that flee go each at her own speed.

Entry: TypeAlias = tuple[Vessel, Hex]  # a hex that a ship entered

EMERGENCY = "emergency"
CLEAR = TABLES.scale["clear"]


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
    return tuple(other[-cell.before, -cell.after]
                 if base and abs(turn_between(base, turned(course, cell.before + cell.after))) > 1
                 else cell
                 for cell in moves)


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


def fleet_speed(state: State) -> int:
    """Hexes that the fleet makes a turn, by its row of the Fleet Movement Table."""
    row = EMERGENCY if fleeing(state) else state.fleet.row
    return max(_hexes_of(state, cell) for cell in TABLES.fleet[row])


def _hexes_of(state: State, cell: FleetMove) -> int:
    return _flight_speed(state) if cell.hexes is None else cell.hexes


def _flight_speed(state: State) -> int:
    """The guide's hexes in an emergency: those of the slowest capital ship under way."""
    cell = TABLES.fleet[EMERGENCY][0]
    ships = [v for v in state.vessels if v.role is Role.CAPITAL and not (v.stopped or v.sunk)]
    return min((_hexes(state, v, cell) for v in ships), default=0)


def _new_fleet(state: State, cell: FleetMove, die: int, vessels: Iterable[Vessel]) -> Fleet:
    """The fleet after a cell; its guide stays where it is while nothing but hunting escorts is at sea."""
    guide = state.fleet.guide
    if any(v.role is not Role.ESCORT for v in vessels) or any(_sails(state, v) for v in state.escorts):
        hexes = _hexes_of(state, cell)
        guide = guide.turned(cell.before).ahead(hexes).turned(cell.after)
    return state.fleet._replace(guide=guide, die=die)


def _sail(state: State, movers: list[Vessel], cell: FleetMove, course: int,
          flight: bool) -> tuple[dict[str, Vessel], list[Entry]]:
    """The ships after their move, by id, and all the hexes they entered. Ships in unison are not in one another's way.
    But where some have fallen behind, a stern may still swing into another ship: such a ship waits where she is, and
    all is worked out anew with her lying there."""
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


def _move(vessel: Vessel, cell: FleetMove, course: int, hexes: int, still: HexSet,
          taken: HexSet) -> tuple[Vessel, list[Hex]]:
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
