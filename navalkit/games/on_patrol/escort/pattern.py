"""Where an escort's weapons go in the assault zone (105.4.4 to 105.4.11): hexes by priority, one weapon each, evenly.

Which hexes can be covered at once is a matching of hexes with weapons; taking hexes in their order of priority and
making room by moving earlier weapons aside (an augmenting path) covers the best hexes there are. What is left after
a round begins the next, so that no hex gets a second weapon before every hex that can be reached has its first.
"""

from __future__ import annotations
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from navalkit.core.words import Event
from navalkit.grids.hex import Hex, turn_between, turned
from navalkit.grids.hex_moves import Place, obstacle
from ..combat.damage import sighting, visible
from ..combat.rolls import searching, sweeping
from ..sea.combat_tables import COMBAT
from ..sea.state import Boat, Cause, Hunt, Latest, Marker, MarkerKind, Phase, Role, State, Vessel, replace
from ..sea.tables import SAY, TABLES, Sea, could_enter, in_formation, pivot_hexes, station

DEPTH_CHARGE, K_GUN, HEDGEHOG, SQUID, ONE_TON = "depth charge", "k-gun", "hedgehog", "squid", "one-ton charge"
THROWN = (K_GUN, HEDGEHOG, SQUID)
"""What may go where another attack is marked already, if nothing else can be reached (105.4.10)."""


class Unit(NamedTuple):
    """One weapon to be used once this turn, and the hexes of the zone it can reach, each with the step (from 1) of the
    path on which it does."""

    weapon: str
    reach: Mapping[Hex, int]


class Placement(NamedTuple):
    """A weapon placed: on which hex, of which rank, on which step of the path, and in which round (1 = first on it)."""

    weapon: str
    at: Hex
    rank: int
    step: int
    round: int


def reach(weapon: str, path: Sequence[Place], zone: Collection[Hex], closed: Collection[Hex] = ()) -> dict[Hex, int]:
    """The hexes of the zone a weapon reaches along a path.

    Depth charges leave the stern after each hex entered; K-guns throw one hex to either quarter of the stern;
    ahead-throwing weapons fire along the heading.

    ``path``: the places entered. ``zone``: the assault zone. ``closed``: hexes with other ships, for ahead-throwing
    weapons (105.4.11).
    """
    found: dict[Hex, int] = {}
    ahead = COMBAT.weapons[weapon].ahead
    for step, place in enumerate(path, 1):
        if weapon in (DEPTH_CHARGE, ONE_TON):
            at: tuple[Hex, ...] = (place.stern,)
        elif weapon == K_GUN:
            at = tuple(place.stern.step(turned(place.direction, turn)) for turn in (-2, 2))
        else:
            at = (place.bow.step(place.direction, ahead),)
        for h in at:
            if h in zone and not (ahead and h in closed):
                found.setdefault(h, step)
    return found


def cover(units: Sequence[Unit], ranked: Sequence[tuple[int, Hex]], marked: Collection[Hex] = ()) -> list[Placement]:
    """Spread weapons over the zone. ``ranked``: the zone by priority, (rank, hex), as ``assault_zone`` gives it.
    ``marked``: hexes with earlier escorts' attacks: only what is thrown goes there, and only what can reach no vacant
    hex. They come in the order of rounds and priority."""
    vacant = [Unit(unit.weapon, {h: step for h, step in unit.reach.items() if h not in marked}) for unit in units]
    placed, left = _rounds(vacant, ranked)
    again = [units[i] for i in left if units[i].weapon in THROWN and units[i].reach]
    return placed + _rounds(again, ranked)[0]


def _rounds(units: Sequence[Unit], ranked: Sequence[tuple[int, Hex]]) -> tuple[list[Placement], list[int]]:
    """Rounds of matching until nothing more can be placed: the placements, and the units left over (by index)."""
    placed: list[Placement] = []
    left = list(range(len(units)))
    number, order = 1, [h for _, h in ranked]
    while left:
        holder = _match(units, left, order)
        if not holder:
            break
        _heaviest_first(units, holder, order)
        for rank, h in ranked:
            if h in holder:
                unit = units[holder[h]]
                placed.append(Placement(unit.weapon, h, rank, unit.reach[h], number))
        used = set(holder.values())
        left = [i for i in left if i not in used]
        number += 1
    return placed, left


def _heaviest_first(units: Sequence[Unit], holder: dict[Hex, int], order: Sequence[Hex]) -> None:
    """A one-ton charge goes off the stern as depth charges do: of their hexes it gets that of highest priority."""
    astern = [h for h in order if h in holder and units[holder[h]].weapon in (DEPTH_CHARGE, ONE_TON)]
    for h in astern:
        if units[holder[h]].weapon == ONE_TON:
            holder[h], holder[astern[0]] = holder[astern[0]], holder[h]
            return


def _match(units: Sequence[Unit], free: Sequence[int], order: Sequence[Hex]) -> dict[Hex, int]:
    """One weapon each for the best set of hexes: hex -> unit. Kuhn's algorithm, hexes by priority."""
    holder: dict[Hex, int] = {}
    held: dict[int, Hex] = {}

    def find(h: Hex, tried: set[int]) -> bool:
        for i in free:
            if i in tried or h not in units[i].reach:
                continue
            tried.add(i)
            if i not in held or find(held[i], tried):
                holder[h], held[i] = i, h
                return True
        return False

    for h in order:
        find(h, set())
    return holder


# -- Whose turn it is among the escorts, what each steers for, and which of them rams (105.4.5 and mode 5)

class Turn(NamedTuple):
    """What orders escorts in phase 3: those that hunt before those that return, the nearest first (105.4.5)."""

    returning: bool
    distance: int
    turn: float
    station: str
    id: str


def aim(marker: Marker, ramming: bool = False) -> Hex:
    """The hex an escort steers for: the target hex, or the bow of the boat she means to ram."""
    return marker.place.bow if ramming else marker.target


def turn_order(state: State, ship: Vessel) -> Turn:
    """Her place in the order: hexes from her bow to what she steers for, then how far her bow points off it."""
    marker = state.marker(ship.hunt.boat)
    at = station(state, ship).bow if marker is None else aim(marker, marker.kind is MarkerKind.SURFACED)
    bow = ship.place.bow
    return Turn(marker is None, bow.distance(at), _off(ship.place, at), ship.station, ship.id)


def _off(place: Place, at: Hex) -> float:
    """How far a bow points off a hex, in order of the true angle: -1 straight at it, 1 straight away. A quotient of
    whole numbers far below 2**26: as floats equal ones are equal, and others differ as they should."""
    if place.bow == at:
        return -1.0
    (q, r), ahead = (at.q - place.bow.q, at.r - place.bow.r), Hex(0, 0).step(place.direction)
    dot = 2 * (q * ahead.q + r * ahead.r) + q * ahead.r + r * ahead.q  # of the two as vectors in the plane
    cosine_squared = dot * dot / (4 * (q * q + q * r + r * r))
    return -cosine_squared if dot > 0 else cosine_squared


def waiting(state: State) -> list[Vessel]:
    """The escorts that have still to move in phase 3, in order."""
    ships = [v for v in state.escorts if v.id not in state.moved and not v.stopped and not in_formation(state, v)]
    return sorted(ships, key=lambda ship: turn_order(state, ship))


@Latest
def next_to_move(state: State) -> str | None:
    """The escort that moves next in phase 3 (105.4.5), or None if all have moved."""
    ships = waiting(state)
    return ships[0].id if ships else None


def rams(state: State, ship: Vessel) -> bool:
    """Whether she is the one that steers for a surfaced boat: the first to move of those after her (mode 5)."""
    return ship.id not in state.moved and rammer(state, ship.hunt.boat) == ship.id


def rammer(state: State, boat: str) -> str:
    """The escort that steers for a surfaced boat this turn, "" if the boat is not marked as surfaced."""
    marker = state.marker(boat)
    if marker is None or marker.kind is not MarkerKind.SURFACED:
        return ""
    group = {v.id: v for v in state.escorts if v.hunt.boat == boat and not v.stopped}
    moved = (id for id in state.moved if id in group)
    return next(moved, "") or min(group, key=lambda id: turn_order(state, group[id]), default="")


# -- What the escorts find out (104.1.3), row by row, and who hunts which boat by which mode (104.2.1)

IN_SIGHT = (MarkerKind.SURFACED, MarkerKind.VISIBLE)  # markers that move with the boat
UPRIGHT = (*IN_SIGHT, MarkerKind.CONTACT)  # markers of boats whose whereabouts are known


class Step(NamedTuple):
    """A new state, and what happened on the way to it."""

    state: State
    events: tuple[Event, ...] = ()


def mode(state: State, boat: str) -> int:
    """The mode, 1 to 6, that a boat's marker sets for the escorts that hunt her (104.2.1)."""
    marker = state.marker(boat)
    return TABLES.actions[marker.kind if marker else None].mode


# The Submarine Detection Table -----------------------------------------------------------------------------------

def sight(state: State, sea: Sea) -> Step:
    """Rows "visible" and "disappears": boats in sight carry their own marker with them; one that is lost from
    sight leaves a contact marker where she was seen last, which in phase 8 is where her move began."""
    events = []
    for boat in _active(state):
        old, seen = state.marker(boat.id), sighting(state, boat, sea)
        if seen:
            kind = MarkerKind.VISIBLE if boat.depth else MarkerKind.SURFACED
            state = state.with_marker(Marker(boat.id, kind, boat.place, Cause.SEEN, seen.by))
            if old is None or old.kind is not kind:
                events.append(SAY.event("104.1.3", kind.value, boat=boat.id, place=boat.place, why=seen.text))
        elif old and old.kind in IN_SIGHT:
            state = state.with_marker(old._replace(kind=MarkerKind.CONTACT))
            events.append(SAY.event("104.1.3", "disappears", boat=boat.id, place=old.place))
    return Step(state, tuple(events))


def search_ends(state: State, sea: Sea) -> Step:
    """Rows "found" and "missed", when all searches of phase 6 are rolled. A search has missed a boat if an escort that
    hunts her really searched, by sonar or by radar, and found nothing, wherever the boat may be, or if one has run
    through the assault zone and holds no contact. A torpedo marker stays: it is no submarine marker."""
    events = []
    searched = {v.hunt.boat for v in state.escorts if searching(v)} | {v.hunt.cleared for v in state.escorts}
    for boat in _active(state):
        if any(v.hunt.boat == boat.id and sweeping(v, boat, sea) for v in state.escorts):
            searched.add(boat.id)
        if visible(state, boat, sea):
            continue
        old = state.marker(boat.id)
        finders = [v.id for v in state.vessels if v.hunt.found(boat.id)]
        if finders:
            state = state.with_marker(found_by(state, boat))
            ships = ", ".join(finders)
            events.append(SAY.event("104.1.3", "found", boat=boat.id, ships=ships, place=boat.place))
        elif boat.id in searched and old and old.kind is MarkerKind.CONTACT:
            state = invert(state, old)
            events.append(SAY.event("104.1.3", "missed", boat=boat.id, place=old.place))
    for vessel in state.vessels:
        if vessel.hunt.cleared:
            state = state.with_vessel(replace(vessel, hunt=replace(vessel.hunt, cleared="")))
    return Step(state, tuple(events))


def found_by(state: State, boat: Boat) -> Marker:
    """The contact marker of a boat that was found in the last search: by sonar, or by radar alone."""
    finders = tuple(v.id for v in state.vessels if v.hunt.found(boat.id))
    heard = tuple(v.id for v in state.vessels if boat.id in v.hunt.contact)
    return Marker(boat.id, MarkerKind.CONTACT, boat.place, Cause.SONAR if heard else Cause.RADAR, heard or finders)


def invert(state: State, marker: Marker) -> State:
    """The state with a marker turned over: contact is lost."""
    return state.with_marker(marker._replace(kind=MarkerKind.INVERTED))


def torpedoes_appear(state: State, id: str) -> Step:
    """Row "torpedoes": a boat that is neither in sight nor in contact has launched, and hex B becomes the target."""
    old, boat = state.marker(id), state.boat(id)
    if old and old.kind in UPRIGHT:
        return Step(state)
    at = boat.place.ahead()
    event = SAY.event("104.1.3", "torpedoes", boat=id, hex=at.bow)
    return Step(state.with_marker(Marker(id, MarkerKind.TORPEDO, at, Cause.TORPEDOES)), (event,))


def _active(state: State) -> list[Boat]:
    return [boat for boat in state.boats if boat.active]


# The Escort Action Table -----------------------------------------------------------------------------------------

def assign(state: State) -> Step:
    """Consult the table at the start and at the end of each turn: which escort hunts which boat (104.2.1, 104.2.2).

    With one marker all escorts hunt that boat. For a second one the nearest half of them, rounded down, leaves;
    for a third the nearest half of either force. They stay with their boat until her marker is gone; then they
    join the force whose target is nearest, or return to their stations.
    """
    marked = [marker.boat for marker in state.markers]
    ships = [v for v in state.escorts if not v.stopped]
    hunted = {v.id: v.hunt.boat if v.hunt.boat in marked else "" for v in ships}
    for boat in marked:
        if boat in hunted.values():
            continue
        forces = [[v for v in ships if hunted[v.id] == other] for other in marked if other in hunted.values()]
        nearest = (sorted(force, key=lambda v: _way(state, v, boat)) for force in forces)
        sent = [v for force in nearest for v in force[: len(force) // 2]]
        hunted |= dict.fromkeys((v.id for v in (sent if forces else ships)), boat)
    for v in ships:
        if not hunted[v.id] and marked:
            hunted[v.id] = min(marked, key=lambda boat: _way(state, v, boat))
    return _set_out(state, ships, hunted)


def _set_out(state: State, ships: Sequence[Vessel], hunted: dict[str, str]) -> Step:
    """The state with each ship after her boat, and a sentence for each boat that ships were sent after."""
    new = [v for v in ships if v.hunt.boat != hunted[v.id]]
    for v in state.escorts:
        boat = hunted.get(v.id, "")
        if v.hunt.boat != boat:
            state = state.with_vessel(replace(v, hunt=Hunt(boat, v.hunt.contact, v.hunt.echoes)))
    events = []
    for boat in sorted({hunted[v.id] for v in new}):
        escorts = ", ".join(v.id for v in new if hunted[v.id] == boat)
        key = "assigned" if boat else "return"
        events.append(SAY.event("104.2.1", key, mode=mode(state, boat), escorts=escorts, boat=boat))
    return Step(state, tuple(events))


def _way(state: State, ship: Vessel, boat: str) -> tuple[object, ...]:
    """What orders ships by nearness to a boat's marker, ties by the smaller turn and the station; and boats for a
    ship, ties by number."""
    return (*turn_order(state, replace(ship, hunt=Hunt(boat=boat))), boat)


# -- Who stands in an escort's way, and the nearest legal path beside the one she would take (105.4, 108.1, 108.2)

_HEDGEHOG = "hedgehog"
_TURNS = (0, -1, 1)


class Ban(NamedTuple):
    """Why a hex is closed: the rule, and whose fault it is."""

    rule: str
    whose: str


@dataclass(frozen=True, slots=True)
class Hindrances:
    """The hexes closed to one escort, each with its reason."""

    taken: Mapping[Hex, Ban]  # others lie there: she may neither enter nor swing her stern into them
    forbidden: Mapping[Hex, Ban]  # her bow may not enter them
    ending: Mapping[Hex, Ban]  # she may cross them, but neither bow nor stern may end its move there

    def ban(self, h: Hex) -> Ban:
        """Why a hex is closed (KeyError if it is open)."""
        return self.taken[h] if h in self.taken else self.forbidden[h] if h in self.forbidden else self.ending[h]

    def first(self, start: Place, path: Sequence[Place]) -> tuple[int, Hex] | None:
        """The first trouble on a path: how many hexes are entered before it, and the closed hex; None if clear."""
        place = start
        for i, to in enumerate(path):
            turn = turn_between(place.direction, to.direction)
            hex_ = obstacle(place, turn, self.forbidden.keys(), self.taken.keys())
            if hex_ is not None:
                return i, hex_
            place = to
        return next(((len(path), h) for h in place.hexes if h in self.ending), None)


def _fleet(state: State) -> State:
    """What hangs on merchants and capital ships alone is the same for all escorts of a turn."""
    ships = tuple(v for v in state.vessels if v.role is not Role.ESCORT)
    return State(0, Phase.ESCORTS, state.fleet, ships, (), package=state.package)


@Latest
def _fleet_bans(fleet: State) -> Mapping[Hex, Ban]:
    """What merchants and capital ships might enter or swing into with the next fleet die; one that is dead in the water
    or sunk does neither."""
    bans: dict[Hex, Ban] = {}
    for ship in fleet.vessels:
        if not (ship.stopped or ship.sunk):
            merchant = ship.role is Role.MERCHANT
            enter = Ban("108.1.1" if merchant else "108.1.3", ship.id)
            swing = Ban("108.1.2" if merchant else "108.1.3", ship.id)
            bans.update(dict.fromkeys(pivot_hexes(ship), swing))
            bans.update(dict.fromkeys(could_enter(fleet, ship), enter))
    return bans


def _station_bans(state: State) -> dict[Hex, Ban]:
    """What escorts in formation might enter or swing into: one that returns does not push them off their stations."""
    bans: dict[Hex, Ban] = {}
    for ship in state.escorts:
        if in_formation(state, ship):
            bans.update(dict.fromkeys((*pivot_hexes(ship), *could_enter(state, ship)), Ban("104.2.3", ship.id)))
    return bans


def hindrances(state: State, ship: Vessel, *, ramming: bool = False) -> Hindrances:
    """What is closed to an escort now; ``ramming``: she is the one that may run down a surfaced boat (108.1.5)."""
    taken: dict[Hex, Ban] = {}
    for other in state.vessels:
        if other.id != ship.id:
            moved = other.role is Role.ESCORT and other.id in state.moved
            bow, stern = other.place.hexes
            taken[bow] = taken[stern] = Ban("105.4.8" if moved else "105.4.11", other.id)
    returning = state.marker(ship.hunt.boat) is None
    forbidden = {**(_station_bans(state) if returning else {}), **_fleet_bans(_fleet(state))}
    for charge in state.charges:
        if charge.weapon != _HEDGEHOG:
            forbidden[charge.at] = Ban("105.4.2", charge.escort)
    ending: dict[Hex, Ban] = {}
    for torpedo in state.torpedoes:
        forbidden[torpedo.at] = Ban("108.2.1", torpedo.id)
        for n in range(1, COMBAT.torpedoes[torpedo.type].speed + 1):
            ending.setdefault(torpedo.at.step(torpedo.direction, n), Ban("108.2.1", torpedo.id))
    if not ramming:
        for marker in state.markers:
            if marker.kind is MarkerKind.SURFACED:
                for h in marker.place.hexes:
                    forbidden[h] = Ban("108.1.5", marker.boat)
    return Hindrances(taken, forbidden, ending)


def nearest_parallel(start: Place, intended: Sequence[Place], closed: Hindrances) -> tuple[Place, ...]:
    """The legal path that keeps closest to an intended one.

    Paths as long as the intended one come before shorter ones; among those of one length the path whose hexes are
    nearest to the intended hexes (distances added up), then the one whose last heading is nearest, then the one with
    fewer turns, then straight on before port before starboard. If nothing is legal the ship stays where she is.
    """
    for length in range(len(intended), 0, -1):
        found = min(_paths(start, intended[:length], closed), default=None)
        if found is not None:
            return found[-1]
    return ()


def _paths(start: Place, intended: Sequence[Place],
           closed: Hindrances) -> Iterator[tuple[int, int, int, tuple[int, ...], tuple[Place, ...]]]:
    """All legal paths as long as ``intended`` that are not yet worse than the best, as sortable tuples."""
    best = [10**6]
    taken, forbidden, ending = closed.taken.keys(), closed.forbidden.keys(), closed.ending

    def extend(path: tuple[Place, ...], ranks: tuple[int, ...],
               cost: int) -> Iterator[tuple[int, int, int, tuple[int, ...], tuple[Place, ...]]]:
        place = path[-1] if path else start
        if len(path) == len(intended):
            if not any(h in ending for h in place.hexes):
                best[0] = min(best[0], cost)
                off = abs(turn_between(place.direction, intended[-1].direction))
                yield cost, off, sum(rank > 0 for rank in ranks), ranks, path
            return
        for rank, turn in enumerate(_TURNS):
            to = place.entering(turn)
            more = cost + to.bow.distance(intended[len(path)].bow)
            if more <= best[0] and obstacle(place, turn, forbidden, taken) is None:
                yield from extend((*path, to), (*ranks, rank), more)

    return extend((), (), 0)
