"""Hidden movement: fog, night, the screen, and which enemy ships a side knows (rules F29 to F33)."""

from __future__ import annotations

from functools import lru_cache

from navalkit.grids.square_headings import distance
from navalkit.grids.square_lines import clear

from . import HIDDEN, Fate, Phase, Sighting, State, Task, with_ship
from .scenario import Scenario

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
    return any(
        distance(battle.grid, own.square, other.square) <= NIGHT_SIGHT
        and sighted(battle, state, own.square, other.square)
        for unit, other in zip(battle.units, state.ships, strict=True)
        if unit.side != battle.side(ship) and other.fate is Fate.AT_SEA and other.square != HIDDEN
    )


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
