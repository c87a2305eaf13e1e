"""Hidden movement: fog, night, the screen, and which enemy ships a side knows (rules F29 to F33)."""

from __future__ import annotations
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from navalkit.core.shown import OneLine
from navalkit.grids.square import clear, distance
from .state import HIDDEN, Fate, Minefield, Phase, Scenario, Ship, Shot, Sighting, State, Task, Told, with_ship

FOG = 6
HIGH_SEAS = (4, 5)
NIGHT_SIGHT = 2  # squares within which ships are known at night
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
    if is_screened(battle, state.move) or foggy(battle, state, own.square):
        return False
    if own.marked or not is_night(battle, state.move):
        return True
    return any(distance(battle.grid, own.square, other.square) <= NIGHT_SIGHT
               and sighted(battle, state, own.square, other.square)
               for unit, other in zip(battle.units, state.ships, strict=True)
               if unit.side != battle.side(ship) and other.fate is Fate.AT_SEA and other.square != HIDDEN)


def hides(battle: Scenario) -> bool:
    """Whether ships may be out of sight in a battle at all."""
    return battle.light != "day" or battle.weather or battle.screened > 0


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
    return Sighting(own.square, own.heading, state.move - 1 + done)


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


def observe(battle: Scenario, state: State, me: int) -> Observation:
    """What a side sees."""
    unknown = [n for n in battle.fleet(1 - me) if not known(battle, state, n)]
    discs = () if is_screened(battle, state.move) else tuple(sorted(state.ships[n].square for n in unknown))
    ships = list(state.ships)
    for number in battle.fleet(1 - me):
        ships[number] = _seen(ships[number], number in unknown)
    for number in battle.fleet(me):
        ships[number] = replace(ships[number], told=None, seen=None)
    view = replace(state, ships=tuple(ships),
                   fields=tuple(_field(field, me) for field in state.fields if field.side == me or field.known),
                   mined=(), shots=state.shots if state.phase is not Phase.FIRE else _own(battle, state.shots, me),
                   islands=tuple(replace(hold, claims=()) for hold in state.islands))
    return Observation(me, battle, view, discs)


def _seen(ship: Ship, unknown: bool) -> Ship:
    """An enemy ship: what she carries and does is her own side's business; her damage is known to who did it (F40)."""
    told = ship.told or Told(ship.damage, ship.out, ship.loaded)
    ship = replace(ship, damage=told.damage, out=told.out, loaded=told.loaded, mines=0, task=Task.NONE, told=None)
    return replace(ship, square=HIDDEN, heading=0, wake=(), fired=False, marked=False) if unknown else ship


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
        if number in unknown and ships[number].fate is Fate.AT_SEA:
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
                   islands=tuple(replace(hold, claims=()) for hold in state.islands))


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
        for number, there in zip(unknown, rng.permutation(unknown), strict=True):
            other = state.ships[there]
            ships[number] = replace(ships[number], square=other.square, heading=other.heading, wake=other.wake)
    moved = replace(state, ships=tuple(ships))
    return state if any(known(battle, moved, number) for number in unknown) else moved
