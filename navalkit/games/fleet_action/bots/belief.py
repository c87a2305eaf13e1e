"""What a side believes of enemies it does not know: where each may be, how she heads, and which disc is which ship.

Each hidden ship is followed from where she was last known, or was set out, by a walk: step by step she holds her
course, turns, or lies to, as `FIGURES` say, as far as her allowance goes. All walks are summed over the board. Discs
then say where ships are, though not which: a way to give the ships to the discs is as likely as all its ships are to
have got there, and all ways are summed. Behind the screen there is nothing more to go by than her side of it.

Nothing enters but the observation: two states that look alike are believed alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from navalkit.grids.square import SquareGrid
from navalkit.grids.square_headings import ahead, step_cost

from ..cards.vessels import quarters
from ..rules.movement import full_speed, squares_a_move
from ..state import HIDDEN, Fate, sight, with_ship
from ..state.observation import Observation
from ..state.scenario import Scenario
from .chart import Array
from .say import FIGURES

TURNS = 0, 1, 7  # on ahead, to starboard, to port: eighths of a circle
UNLIKELY = 1e-9  # of a disc where no walk leads: weather and old damage may have slowed her on her way
EXACT = 10  # discs up to which all ways to give them ships are summed; beyond, each disc is looked at alone

Place = tuple[int, int]  # square, heading


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """What is believed about the enemies whose places are not known."""

    ships: tuple[int, ...]
    discs: tuple[int, ...]  # their squares; none behind the screen
    which: Array  # discs x ships: the chance that the disc is that ship; rows and columns sum to 1
    places: Array  # ships x squares x 8 headings: where each is, each summing to 1
    disc_headings: Array  # discs x 8: how each heads, whichever ship it is


def believe(seen: Observation) -> Belief:
    """What the side that looks may believe about hidden enemies."""
    battle, view, foe = seen.battle, seen.view, 1 - seen.me
    hidden = [n for n in battle.fleet(foe) if view.ships[n].fate is Fate.AT_SEA and view.ships[n].square == HIDDEN]
    walked = np.zeros((len(hidden), battle.grid.size, 8))
    done = sight.moved(view, foe)
    for row, ship in enumerate(hidden):
        for ended in (False, True) if done is None else (done,):
            walked[row] += _followed(seen, ship, view.move - 1 + ended)
    walked /= np.maximum(walked.sum(axis=(1, 2), keepdims=True), UNLIKELY)
    if not seen.discs:
        return Belief(tuple(hidden), (), np.zeros((0, len(hidden))), walked, np.zeros((0, 8)))
    which, headings = _told_by(seen.discs, walked)
    told = which[:, :, None] * headings
    places = np.zeros_like(walked)
    np.add.at(places.transpose(1, 0, 2), list(seen.discs), told)
    return Belief(tuple(hidden), seen.discs, which, places, told.sum(axis=1))


def onward(seen: Observation, ship: int, places: Array) -> Array:
    """Where a ship that is believed to be in those places may be when she has made the move that is due, in the weather
    of where she is likeliest to be."""
    there = with_ship(seen.view, ship, square=int(places.sum(axis=1).argmax()))
    return _move(seen.battle, 1 - seen.me, squares_a_move(seen.battle, there, ship), seen.view.move, places)


# Walks ----------------------------------------------------------------------------------------------------------


def _followed(seen: Observation, ship: int, until: int) -> Array:
    """Where a hidden ship may be after so many moves, from what is known of her."""
    unit, last = seen.battle.units[ship], seen.view.ships[ship].seen
    starts: tuple[Place, ...]
    if last:
        starts, since = ((last.square, last.heading),), last.moves
    elif unit.enters:
        starts, since = tuple((square, unit.heading) for square in unit.entry), unit.enters - 1
    else:
        starts, since = ((unit.square, unit.heading),), 0
    allowances = tuple(_allowance(seen, ship, move) for move in range(since + 1, until + 1))
    return _walked(seen.battle, seen.battle.side(ship), starts, since, allowances)


def _allowance(seen: Observation, ship: int, move: int) -> int:
    """The squares she goes in a move in calm weather, as hurt as she is taken to be now."""
    card = seen.battle.card(ship)
    full, lost = full_speed(card.speed, move), quarters(seen.view.ships[ship].damage, card.sinking_rate)
    return min(full, 1) if lost >= 3 else min(full, max(1, full - lost))


@lru_cache(maxsize=512)
def _walked(
    battle: Scenario, side: int, starts: tuple[Place, ...], since: int, allowances: tuple[int, ...]
) -> Array:
    """The chance of every square and heading after moves of those lengths from any of the starts."""
    if not allowances:
        found = np.zeros((battle.grid.size, 8))
        np.add.at(found, tuple(np.array(starts).T), 1 / len(starts))
        return found
    before = _walked(battle, side, starts, since, allowances[:-1])
    return _move(battle, side, allowances[-1], since + len(allowances), before)


def _move(battle: Scenario, side: int, allowance: int, move: int, places: Array) -> Array:
    """One move of a walk from places with their chances: squares x 8 before and after.

    Ships that have spent equally much are moved on together, those that have spent least first.
    """
    closed = battle.land | battle.halves[1 - side] if sight.is_screened(battle, move) else battle.land
    to, chance = _steps(battle.grid, closed)
    spent = np.zeros((allowance + 1, *places.shape))
    spent[0] = places
    if allowance:
        about = FIGURES["belief_about"] * places
        spent[0] -= about
        spent[1] += np.roll(about, 4, axis=1)
    ended = spent[allowance].copy()
    for cost in range(allowance):
        left = spent[cost].copy()
        for turn in TURNS:
            for heading in range(8):
                course = (heading + turn) % 8
                after = cost + step_cost(course)
                if after > allowance and not (allowance == 1 and cost == 0):
                    continue
                going = spent[cost][:, heading] * chance[:, heading, turn]
                left[:, heading] -= going
                end = ended if after >= allowance else spent[after]
                end[:, course] += np.bincount(to[:, course], going, len(going))
        ended += left
    return np.asarray(ended)


@lru_cache(maxsize=32)
def _steps(grid: SquareGrid, closed: frozenset[int]) -> tuple[Array, Array]:
    """The next square on every heading, squares x 8, and the chance of a step: squares x headings x turns before it.

    What is wanting to 1 is the chance to lie to.
    """
    to, may = np.zeros((grid.size, 8), dtype=np.int64), np.zeros((grid.size, 8), dtype=bool)
    for square in range(grid.size):
        for heading in range(8):
            beyond = [ahead(grid, square, (heading + side) % 8) for side in (0, -1, 1)]
            cuts = heading % 2 == 1 and all(each in closed for each in beyond[1:])
            if beyond[0] is not None and beyond[0] not in closed and not cuts:
                to[square, heading], may[square, heading] = beyond[0], True
    chance = np.zeros((grid.size, 8, 8))
    for turn in TURNS:
        weight = FIGURES["belief_turn"] if turn else 1.0
        chance[:, :, turn] = weight * np.roll(may, -turn, axis=1)
    return to, chance / (chance.sum(axis=2, keepdims=True) + FIGURES["belief_stop"])


# Discs ----------------------------------------------------------------------------------------------------------


def _told_by(discs: Sequence[int], walked: Array) -> tuple[Array, Array]:
    """What discs say: the chance that a disc is a ship, discs x ships; and how each ship would head there, x 8."""
    there = walked[:, list(discs)].transpose(1, 0, 2) + UNLIKELY
    weights = there.sum(axis=2)
    return assigned(weights), there / weights[:, :, None]


def assigned(weights: Array) -> Array:
    """The chance that each disc is each ship, if a way to give ships to discs is as likely as the product of its
    weights; discs x ships.

    Sets of ships are numbers in binary. ``before[k]`` sums the ways to give the first k discs to each set, ``after[k]``
    those to give the others to the ships that are left.
    """
    count = len(weights)
    weights = weights / weights.max(axis=1, keepdims=True, initial=0.0) if count else weights
    if count > EXACT:
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))
    sets = np.arange(1 << count)
    without = [sets[sets >> ship & 1 == 0] for ship in range(count)]
    before, after = np.zeros((2, count + 1, 1 << count))
    before[0, 0] = after[count, -1] = 1.0
    for k in range(count):
        for ship, free in enumerate(without):
            before[k + 1, free | 1 << ship] += before[k, free] * weights[k, ship]
            after[count - 1 - k, free] += after[count - k, free | 1 << ship] * weights[count - 1 - k, ship]
    found = [
        [before[k, free] @ after[k + 1, free | 1 << ship] * weights[k, ship] for ship, free in enumerate(without)]
        for k in range(count)
    ]
    return np.array(found).reshape(count, count) / max(float(after[0, 0]), np.finfo(float).tiny)
