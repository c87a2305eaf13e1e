"""Hidden movement: fog, night, the screen, dived boats, and which enemy ships a side knows (rules F29 to F33, F43)."""

from __future__ import annotations
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from navalkit.core.shown import OneLine
from navalkit.grids.square import SquareGrid, clear, distance, line
from .craft import Depth, Duty, Flight, Hunt, Place
from .state import HIDDEN, Fate, Minefield, Phase, Scenario, Ship, Shot, Sighting, State, Task, Told, with_ship

FOG = 6
HIGH_SEAS = (4, 5)
NIGHT_SIGHT = 2  # squares within which ships are known at night
LOW = 1, 2  # squares within which a surfaced boat is known at night: without radar, and with it
PERISCOPE = 2  # squares that a boat sees from periscope depth
WIDE, WIDE_NIGHT, RADAR = 5, 1, 4  # squares that ships see on a wide sea: by day, at night and in high seas, by radar
FROM_ABOVE, AIR_RADAR = 3, 8  # squares that flights see; in which radar sees flights
SPOTS = 2  # squares about a target in which a floatplane spots for her guns
FASTEST = 5  # squares that any ship goes in a move
UNDECIDED = Phase.FIRST, Phase.WEATHER, Phase.ENTRY  # before its weather is known, nobody can say who sees whom
NIGHT, DAY = 4, 8  # game moves of a night and of a day


def foggy(battle: Scenario, state: State, square: int) -> bool:
    """Whether a square lies in fog."""
    return _pips(battle, state, square) == FOG


@lru_cache(maxsize=256)
def masked(battle: Scenario, weather: tuple[int, ...]) -> frozenset[int]:
    """The squares that nobody sees or fires across: land (rule F14), and fog in that weather (F30)."""
    fog = (square for square, zone in enumerate(battle.zones) if zone < len(weather) and weather[zone] == FOG)
    return battle.land.union(fog)


def sighted(battle: Scenario, state: State, a: int, b: int) -> bool:
    """Whether neither land nor fog masks the line between two squares (rules F14, F30)."""
    return clear(battle.grid, a, b, masked(battle, state.weather))


def rough(battle: Scenario, state: State, square: int) -> bool:
    """Whether the seas are high there."""
    return _pips(battle, state, square) in HIGH_SEAS


def _pips(battle: Scenario, state: State, square: int) -> int:
    zone = battle.zones[square]
    return state.weather[zone] if zone < len(state.weather) else 0


def is_night(battle: Scenario, move: int) -> bool:
    """Whether that move falls into the night: four moves of night, eight of day, in turn (rule F31)."""
    if battle.light in ("day", "night"):
        return battle.light == "night"
    return (move - 1 + (NIGHT if battle.light == "dawn" else 0)) % (NIGHT + DAY) < NIGHT


def is_screened(battle: Scenario, move: int) -> bool:
    """Whether the screen still stands in that move (rule F33)."""
    return move <= battle.screened


def known(battle: Scenario, state: State, ship: int) -> bool:
    """Whether the enemy knows where that ship is; True for one that is not on the board."""
    own = state.ships[ship]
    if own.fate is not Fate.AT_SEA:
        return True
    if own.square == HIDDEN:
        return False
    if own.dived:
        return own.announced
    if is_screened(battle, state.move) or foggy(battle, state, own.square):
        return False
    if own.marked or not (battle.wide or is_night(battle, state.move)):
        return True
    side = 1 - battle.side(ship)
    return any(sees(battle, state, viewer, ship) for viewer in battle.fleet(side)) or any(
        _from_above(battle, state, n, own.square) for n, squadron in enumerate(battle.flights) if squadron.side == side)


def _from_above(battle: Scenario, state: State, number: int, square: int) -> bool:
    """Whether a flight sees a ship in that square: where it ends, a scout along its whole way (rule F58)."""
    own = state.flights[number]
    if own.place is not Place.ALOFT:
        return False
    places, far = _overflown(battle, state, number)
    return any(distance(battle.grid, place, square) <= far for place in places)


def _overflown(battle: Scenario, state: State, number: int) -> tuple[list[int], int]:
    """The squares from which a flight looks in this move, and how far it sees."""
    own = state.flights[number]
    dull = is_night(battle, state.move) or rough(battle, state, own.square)
    far = 0 if foggy(battle, state, own.square) else WIDE_NIGHT if dull else FROM_ABOVE
    places = [own.square]
    if "scout" in battle.flights[number].plane.roles and own.came >= 0:
        places += [own.came, *line(battle.grid, own.came, own.square).squares]
    return places, far


def watched(battle: Scenario, state: State, side: int) -> frozenset[int]:
    """The squares of a wide sea in which a side would see an enemy ship that is there (rule F58)."""
    found = set[int]()
    for number in battle.fleet(side):
        eye = state.ships[number]
        if eye.fate is Fate.AT_SEA and eye.depth is not Depth.DEEP:
            near = _disc(battle.grid, eye.square, _far(battle, state, number, False))
            found.update(square for square in near - found if sighted(battle, state, eye.square, square))
    for number, squadron in enumerate(battle.flights):
        if squadron.side == side and state.flights[number].place is Place.ALOFT:
            places, far = _overflown(battle, state, number)
            found.update(*(_disc(battle.grid, place, far) for place in places))
    return frozenset(square for square in found if not foggy(battle, state, square))


@lru_cache(maxsize=4096)
def _disc(grid: SquareGrid, square: int, far: int) -> frozenset[int]:
    """The squares within that distance."""
    return frozenset(other for other in range(grid.size) if distance(grid, square, other) <= far)


def flight_known(battle: Scenario, state: State, number: int) -> bool:
    """Whether the enemy sees a flight as a disc with its number, within sight or by radar (rule F58)."""
    own, side = state.flights[number], battle.flights[number].side
    if own.place is not Place.ALOFT or own.square < 0:
        return False
    if not battle.wide and not is_night(battle, state.move):
        return not is_screened(battle, state.move) and not foggy(battle, state, own.square)
    for ship in battle.fleet(1 - side):
        eye = state.ships[ship]
        if eye.fate is Fate.AT_SEA and eye.square >= 0 and not eye.dived:
            far = AIR_RADAR if battle.card(ship).radar else _far(battle, state, ship, False)
            if distance(battle.grid, eye.square, own.square) <= far:
                return True
    return any(_from_above(battle, state, n, own.square) for n, squadron in enumerate(battle.flights)
               if squadron.side != side)


def spotted(battle: Scenario, state: State, ship: int, target: int) -> bool:
    """Whether a ship's own floatplane is near enough to her target to spot for her guns (rule F60)."""
    square = state.ships[target].square
    return any(squadron.base == ship and "floatplane" in squadron.plane.roles and own.place is Place.ALOFT
               and distance(battle.grid, own.square, square) <= SPOTS
               for squadron, own in zip(battle.flights, state.flights, strict=True))


def sees(battle: Scenario, state: State, viewer: int, ship: int) -> bool:
    """Whether a ship sees an enemy ship that is neither dived nor in fog, by herself (rules F32, F43, F44, F58)."""
    eye, other = state.ships[viewer], state.ships[ship]
    if eye.fate is not Fate.AT_SEA or eye.square == HIDDEN or eye.depth is Depth.DEEP:
        return False
    far = _far(battle, state, viewer, battle.card(ship).boat)
    return distance(battle.grid, eye.square, other.square) <= far and sighted(battle, state, eye.square, other.square)


def _far(battle: Scenario, state: State, viewer: int, low: bool) -> int:
    """How many squares a ship sees another; ``low``: a surfaced boat."""
    eye, radar = state.ships[viewer], battle.card(viewer).radar
    night = is_night(battle, state.move)
    if night and low:
        far = LOW[radar]
    elif not battle.wide:
        far = NIGHT_SIGHT if night else battle.grid.rows + battle.grid.columns
    elif night:
        far = RADAR if radar else WIDE_NIGHT
    elif foggy(battle, state, eye.square):
        return 0
    else:
        far = WIDE_NIGHT if rough(battle, state, eye.square) else WIDE
    return min(far, PERISCOPE) if eye.dived else far


def lost(battle: Scenario, state: State, ship: int) -> bool:
    """Whether the enemy sees nothing at all of a ship, not even a disc: a boat, or one beyond a wide sea's sight."""
    return (battle.wide or battle.card(ship).boat) and not known(battle, state, ship)


def hides(battle: Scenario) -> bool:
    """Whether ships may be out of sight in a battle at all."""
    chapters = battle.wide or bool(battle.boats or battle.flights)
    return battle.light != "day" or battle.weather or battle.screened > 0 or chapters


def moved(state: State, side: int) -> bool | None:
    """Whether a side has done with its movement of this move; None while it moves."""
    if state.phase in UNDECIDED:
        return False
    if state.phase not in (Phase.MOVE, Phase.MINES):
        return True
    return None if state.side == side else state.first == side


def sighting(battle: Scenario, state: State, ship: int) -> Sighting | None:
    """Where the enemy knows that ship to be; what he keeps in mind of her if he does not."""
    own = state.ships[ship]
    if own.fate is not Fate.AT_SEA or not known(battle, state, ship):
        return own.seen
    done = moved(state, battle.side(ship)) or own.task is not Task.NONE
    return Sighting(own.square, 0 if own.dived else own.heading, state.move - 1 + done)


def remembered(battle: Scenario, before: State, after: State) -> State:
    """The state after an action, with where ships were that it has taken out of sight."""
    if not hides(battle) or after.phase in UNDECIDED:
        return after
    for number, ship in enumerate(after.ships):
        seen = None
        if ship.fate is Fate.AT_SEA and not known(battle, after, number):
            seen = ship.seen if before.phase in UNDECIDED else sighting(battle, before, number)
        if seen != ship.seen:
            after = with_ship(after, number, seen=seen)
    return after


def audience(battle: Scenario, state: State, ship: int) -> frozenset[int] | None:
    """Who may know what that ship does: everybody (None), or her own side alone."""
    return None if known(battle, state, ship) else frozenset((battle.side(ship),))


@dataclass(frozen=True, slots=True, repr=False)
class Observation(OneLine):
    """All that one side may know, and nothing else."""

    me: int  # the side that looks
    battle: Scenario  # what never changes; known to both
    # the state as that side knows it: an enemy ship whose place is not known has the square `HIDDEN`; enemy mines,
    # cargoes, orders and claims to islands are left out
    view: State
    # the squares of enemy ships that show as discs, in rising order, a square once for each ship
    discs: tuple[int, ...] = ()
    # square and number of the enemy flights that are seen, and not yet known for what they are
    sky: tuple[tuple[int, int], ...] = ()


def observe(battle: Scenario, state: State, me: int) -> Observation:
    """What a side sees."""
    unknown = [n for n in battle.fleet(1 - me) if not known(battle, state, n)]
    shown = [] if is_screened(battle, state.move) else [n for n in unknown if not lost(battle, state, n)]
    discs = tuple(sorted(state.ships[n].square for n in shown))
    ships = list(state.ships)
    for number in battle.fleet(1 - me):
        ships[number] = _seen(ships[number], number in unknown)
        if battle.card(number).boat:
            ships[number] = _boat_seen(battle, ships[number], number)
    for number in battle.fleet(me):
        ships[number] = replace(ships[number], told=None, seen=None)
    view = replace(state, ships=tuple(ships),
                   fields=tuple(_field(field, me) for field in state.fields if field.side == me or field.known),
                   mined=(), shots=state.shots if state.phase is not Phase.FIRE else _own(battle, state.shots, me),
                   islands=tuple(replace(hold, claims=()) for hold in state.islands),
                   hunts=tuple(hunt for hunt in state.hunts if heard_of(battle, hunt, me)),
                   searched=tuple(search for search in state.searched if battle.side(search.ship) == me),
                   flights=tuple(_flight_seen(battle, state, n, me) for n in range(len(state.flights))))
    sky = sorted((own.square, own.count) for n, own in enumerate(state.flights)
                 if battle.flights[n].side != me and not own.shown and flight_known(battle, state, n))
    return Observation(me, battle, view, discs, tuple(sky))


def _flight_seen(battle: Scenario, state: State, number: int, me: int) -> Flight:
    """A flight as a side knows it: of the enemy's no more than its losses, until it has attacked or fought (F58)."""
    own, squadron = state.flights[number], battle.flights[number]
    if squadron.side == me:
        return own if own.place is Place.LOST or not own.shown else replace(own, shown=False)
    bare = Flight(squadron.count - own.lost, lost=own.lost)
    if own.place is Place.LOST:
        return replace(bare, place=Place.LOST)
    if own.shown and flight_known(battle, state, number):
        return replace(bare, place=Place.ALOFT, square=own.square, shown=True)
    return bare


def heard_of(battle: Scenario, hunt: Hunt, me: int) -> bool:
    """Whether a side knows of a search: its own, and one that has made contact (rule F50)."""
    return battle.side(hunt.ship) == me or hunt.heard > 0


def _boat_seen(battle: Scenario, ship: Ship, number: int) -> Ship:
    """An enemy boat: of a dived one no more than her square is known, and of none what she has loaded (rule F43)."""
    card = battle.card(number)
    ship = replace(ship, loaded=(1 << len(card.torpedoes)) - 1, battery=card.battery, spares=card.spares, loading=-1,
                   still=False, oil=False)
    if ship.fate is not Fate.AT_SEA or (not ship.dived and ship.square != HIDDEN):
        return ship
    return replace(ship, heading=0, wake=(), fired=False, marked=False, went=0, depth=Depth.DEEP)


def _seen(ship: Ship, unknown: bool) -> Ship:
    """An enemy ship: what she carries and does is her own side's business; her damage is known to who did it (F40)."""
    told = ship.told or Told(ship.damage, ship.out, ship.loaded)
    ship = replace(ship, damage=told.damage, out=told.out, loaded=told.loaded, mines=0, task=Task.NONE, told=None,
                   launched=0, landed=0)
    if not unknown:
        return ship
    return replace(ship, square=HIDDEN, heading=0, wake=(), fired=False, marked=False, went=0, turned=False)


def _field(field: Minefield, me: int) -> Minefield:
    """A minefield as that side knows it: whether the enemy sweeps one's own is not known until it is done."""
    return replace(field, swept=0, known=False) if field.side == me else field


def _own(battle: Scenario, shots: tuple[Shot, ...], me: int) -> tuple[Shot, ...]:
    return tuple(shot for shot in shots if battle.side(shot.ship) == me)


def permute(battle: Scenario, state: State, me: int, rng: Any) -> State:
    """Another state that looks the same to that side: for tests of honesty, and to guess at what is hidden. Enemy ships
    that show as discs change places, those behind the screen go anywhere behind it, all may have been repaired; unknown
    enemy mines lie elsewhere; in the firing phase the enemy has ordered nothing."""
    unknown = [n for n in battle.fleet(1 - me) if not known(battle, state, n)]
    ships = list(_elsewhere(battle, state, me, unknown, rng).ships)
    for number in battle.fleet(1 - me):
        ships[number] = replace(ships[number], mines=10 * int(rng.integers(10)), task=Task.NONE)
        if battle.card(number).boat and ships[number].fate is Fate.AT_SEA:
            ships[number] = _boat_elsewise(battle, ships[number], number, rng)
        elif number in unknown and ships[number].fate is Fate.AT_SEA:
            ships[number] = _repaired(ships[number], (1 << len(battle.card(number).torpedoes)) - 1, rng)
    open_fields = [field for field in state.fields if field.side == me or field.known]
    hidden = [field for field in state.fields if field not in open_fields]
    taken = battle.land | {field.square for field in state.fields}
    sea = [square for square in range(battle.grid.size) if square not in taken]
    for field, square in zip(hidden, rng.choice(sea, len(hidden), replace=False), strict=True):
        open_fields.append(replace(field, square=int(square), swept=int(rng.integers(2))))
    return replace(state, ships=tuple(ships),
                   fields=tuple(sorted(open_fields, key=lambda field: (field.square, field.side))),
                   shots=_own(battle, state.shots, me) if state.phase is Phase.FIRE else state.shots,
                   islands=tuple(replace(hold, claims=()) for hold in state.islands),
                   hunts=tuple(hunt for hunt in state.hunts if heard_of(battle, hunt, me)),
                   searched=tuple(search for search in state.searched if battle.side(search.ship) == me),
                   flights=_flights_elsewise(battle, state, me, rng))


def _flights_elsewise(battle: Scenario, state: State, me: int, rng: Any) -> tuple[Flight, ...]:
    """Enemy flights that look the same: those of one number, seen and not known, change places; all else about those
    that are not known is anyhow."""
    flights = list(state.flights)
    theirs = [n for n, own in enumerate(flights) if battle.flights[n].side != me and not own.shown]
    seen = [n for n in theirs if flight_known(battle, state, n)]
    for count in {flights[n].count for n in seen}:
        alike = [n for n in seen if flights[n].count == count]
        for n, there in zip(alike, rng.permutation(alike), strict=True):
            other = state.flights[there]
            moves = int(rng.integers(1, battle.flights[n].plane.moves + 1))
            flights[n] = replace(flights[n], square=other.square, came=other.square, moves=moves, duty=Duty.NONE,
                                 mark=-1)
    for n in theirs:
        if n not in seen and flights[n].place in (Place.BELOW, Place.RANGED):
            place = (Place.BELOW, Place.RANGED)[int(rng.integers(2))] if battle.flights[n].base >= 0 else Place.BELOW
            flights[n] = replace(flights[n], place=place, ready=int(rng.integers(1, state.move + 4)))
    return tuple(flights)


def _boat_elsewise(battle: Scenario, ship: Ship, number: int, rng: Any) -> Ship:
    """A boat of whose inside the enemy knows nothing; of a dived one not her heading or depth either."""
    card = battle.card(number)
    ship = replace(ship, loaded=int(rng.integers(1 << len(card.torpedoes))),
                   battery=int(rng.integers(card.battery + 1)),
                   spares=int(rng.integers(card.spares + 1)), oil=bool(rng.integers(2)))
    if not ship.dived:
        return ship
    return replace(ship, heading=int(rng.integers(8)), depth=(Depth.PERISCOPE, Depth.DEEP)[int(rng.integers(2))])


def _repaired(ship: Ship, full: int, rng: Any) -> Ship:
    """A ship that may have been repaired and have taken on torpedoes since the enemy last knew of her."""
    told = ship.told or Told(ship.damage, ship.out, ship.loaded)
    loaded = told.loaded | int(rng.integers(full + 1))
    return replace(ship, told=told, damage=int(rng.integers(told.damage + 1)), out=(0,) * len(told.out), loaded=loaded)


def _elsewhere(battle: Scenario, state: State, me: int, unknown: list[int], rng: Any) -> State:
    """Unknown ships in other places, as long as none of them would be known there."""
    ships = list(state.ships)
    if is_screened(battle, state.move):
        behind = sorted(battle.halves[1 - me] - battle.land)
        for number, square in zip(unknown, rng.choice(behind, len(unknown), replace=False), strict=True):
            ships[number] = replace(ships[number], square=int(square), heading=int(rng.integers(8)), wake=())
    else:
        discs = [number for number in unknown if not lost(battle, state, number)]
        for number, there in zip(discs, rng.permutation(discs), strict=True):
            other = state.ships[there]
            ships[number] = replace(ships[number], square=other.square, heading=other.heading, wake=other.wake)
        for number in unknown:
            if number not in discs and state.ships[number].fate is Fate.AT_SEA:
                square = int(rng.choice(_places(battle, state, number)))
                ships[number] = replace(ships[number], square=square, heading=int(rng.integers(8)), wake=())
    moved = replace(state, ships=tuple(ships))
    return state if any(known(battle, moved, number) for number in unknown) else moved


def _places(battle: Scenario, state: State, ship: int) -> list[int]:
    """The squares in which a ship of which the enemy sees nothing may be, wherever she was last known."""
    own = state.ships[ship]
    sea = [square for square in range(battle.grid.size) if square not in battle.land]
    if own.seen is None:
        return sea
    far = FASTEST * (state.move - own.seen.moves + 1)
    return [square for square in sea if distance(battle.grid, own.seen.square, square) <= far]
