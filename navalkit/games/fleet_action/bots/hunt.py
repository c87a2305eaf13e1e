"""Hunters of boats: where a boat is believed to be, which square each searches, and where a screen stands (F49 to F52).

What is believed comes from `belief`: an exact walk from where she was last known, less what was searched in vain.
"""

from __future__ import annotations
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from navalkit.core.trace import Decision, Fact, Finding, Mark, Option
from navalkit.core.words import percent
from navalkit.grids.square import distance
from .. import sight
from ..cards import Gear
from ..craft import Seek
from ..rules import hunting
from ..rules.sailing import can_move, reach
from ..state import Action, Fate, Phase
from .belief import SAY, Array, onward
from .sea import UNARMED, Places, Sea

LEAST = 0.002  # a chance of contact below that is not worth an order
TOLD = 5  # squares told of


@dataclass(frozen=True, slots=True, eq=False)
class Prey:
    """A boat out of sight: the chance of every square, and how likely she is dived."""

    ship: int
    squares: Array
    dived: float


@lru_cache(maxsize=2)
def prey(sea: Sea) -> tuple[Prey, ...]:
    """The enemy boats that can only be searched for, where they are once all have moved; those announced are known."""
    battle, view, found = sea.battle, sea.view, []
    dived = 1 - sea.figures["belief_surfaced"] if sea.dark else 1.0
    waits = view.phase is Phase.MOVE and view.side == view.first
    if sea.belief is not None:
        for ship, places in zip(sea.belief.ships, sea.belief.places, strict=True):
            if battle.card(ship).boat:
                there = onward(sea.seen, ship, places) if waits else places
                found.append(Prey(ship, there.sum(axis=1), dived))
    for ship in battle.boats:
        own = view.ships[ship]
        if battle.side(ship) != sea.me and own.fate is Fate.AT_SEA and own.dived and own.square >= 0:
            squares = np.zeros(battle.grid.size)
            squares[own.square] = 1.0
            found.append(Prey(ship, squares, 1.0))
    return tuple(found)


@lru_cache(maxsize=64)
def heard(gear: Gear, rough: bool) -> tuple[float, float]:
    """The chances of contact in her own square and in the next."""
    return float(hunting.contact(gear, 0, rough)), float(hunting.contact(gear, 1, rough))


@lru_cache(maxsize=64)
def breaks(gear: Gear) -> float:
    """Mean damage points of a pattern."""
    return float(hunting.pattern(gear).map(lambda sixes: sixes[1]).mean) * hunting.BREAKS[gear.weapon]


def _worth(sea: Sea, gear: Gear, boat: int, here: bool, armed: bool) -> float:
    """What contact is worth: a pattern in her own square, and that the boat is known and kept down."""
    left = sea.battle.card(boat).sinking_rate + 1 - sea.view.ships[boat].damage
    pattern = min(breaks(gear), left) * sea.stakes.point[boat] if here and armed else 0.0
    return pattern + sea.figures["found"] * sea.stakes.value[boat]


# Where to go ----------------------------------------------------------------------------------------------------

def stations(sea: Sea, ship: int, at: Places) -> Array:
    """What places are worth to a hunter, besides what can be fired at: a search there, the chase, and her station."""
    battle, view, gear = sea.battle, sea.view, hunting.gear_of(sea.battle, ship)
    total = np.zeros(len(at.squares))
    if gear is None or not (boats := prey(sea)):
        return total
    ways = reach(battle, view, ship)
    went = np.array([ways[s, h].cost if (s, h) in ways else 0
                     for s, h in zip(at.squares.tolist(), at.headings.tolist(), strict=True)])
    own, near = heard(gear, sight.rough(battle, view, view.ships[ship].square))
    missed = np.ones(battle.grid.size)
    for other in sea.own:
        if other != ship and hunting.gear_of(battle, other) and not can_move(view, other):
            missed[view.ships[other].square] *= 1 - own
    here, beside = np.zeros((2, battle.grid.size))
    for boat in boats:
        likely = boat.squares * boat.dived * missed
        here += likely * own * _worth(sea, gear, boat.ship, True, view.ships[ship].patterns > 0)
        beside += likely * near * _worth(sea, gear, boat.ship, False, False)
        far = sea.chart.distance[at.squares]
        chase = (boat.squares * missed * sea.figures["patience"] ** (3 * far)).sum(axis=1)
        total += sea.figures["chase"] * sea.stakes.value[boat.ship] * chase
    best = here[at.squares]
    if near:
        best = np.maximum(best, (beside * (sea.chart.distance[at.squares] == 1)).max(axis=1))
    total += best * (went <= gear.squares(view.move))
    return total - _off_station(sea, at)


def _off_station(sea: Sea, at: Places) -> Array:
    """What it costs to be further from those she guards than a screen is: near the convoy's middle."""
    charges = [n for n in sea.own if sea.battle.card(n).type in UNARMED or hunting.gear_of(sea.battle, n) is None]
    if not charges:
        return np.zeros(len(at.squares))
    far = np.array([sea.chart.distance[at.squares, sea.view.ships[n].square] for n in charges])
    worth = np.array([sea.stakes.value[n] for n in charges])
    beyond = np.maximum(0, far - sea.figures["screen"])
    return np.asarray(sea.figures["station"] * (worth[:, None] * beyond).sum(axis=0))


# What to search -------------------------------------------------------------------------------------------------

def seek(sea: Sea, legal: Sequence[Action], name: str) -> Decision | None:
    """The next search: the hunter and the square with the best chance of contact; None if none is worth an order."""
    searches = [action for action in legal if isinstance(action, Seek)]
    boats = prey(sea) if searches else ()
    if not boats:
        return None
    weighed = sorted(((chance_of(sea, boats, action), action) for action in searches), key=lambda row: -row[0])
    chance, action = weighed[0]
    if chance < LEAST:
        return None
    rows = [(chance, action), *(row for row in weighed if row[1].ship == action.ship and row[1] != action)]
    options = tuple(option(sea, likely, each, "" if each == action else SAY("not.search")) for likely, each in rows)
    reason = SAY("why.search", ship=action.ship, square=action.square, chance=percent(chance))
    return Decision(action, name, reason, tuple(told(sea, boat) for boat in boats), options, SAY("unit.contact"))


def option(sea: Sea, chance: float, action: Seek, rejected: str = "") -> Option:
    """A search with its chance of contact, and the square on the board."""
    marks = (Mark("cell", (action.square,), percent(chance)),)
    return Option(action, 100 * chance, (Fact(SAY("fact.contact"), percent(chance), marks),), rejected,
                  "F50" if rejected else "")


def chance_of(sea: Sea, boats: Sequence[Prey], action: Seek) -> float:
    """The chance that a search makes contact with a boat, after those that are ordered already."""
    battle, view = sea.battle, sea.view
    ship, square = battle.numbers[action.ship], battle.grid.number(action.square)
    gear = hunting.gear_of(battle, ship)
    assert gear is not None
    if square in view.fouled:
        return 0.0
    missed = 1.0
    for each in view.hunts:
        if each.square == square and (other := hunting.gear_of(battle, each.ship)):
            missed *= 1 - _hears(sea, other, each.ship, square)
    likely = sum(float(boat.squares[square]) * boat.dived for boat in boats)
    return likely * missed * _hears(sea, gear, ship, square)


def _hears(sea: Sea, gear: Gear, ship: int, square: int) -> float:
    own = sea.view.ships[ship].square
    away = distance(sea.battle.grid, own, square)
    return heard(gear, sight.rough(sea.battle, sea.view, own))[away] if away < 2 else 0.0


def told(sea: Sea, boat: Prey) -> Finding:
    """Where a boat is thought to be."""
    names, name = sea.battle.grid.names, sea.battle.units[boat.ship].name
    best = [int(square) for square in np.argsort(-boat.squares, kind="stable")[:TOLD] if boat.squares[square] > 0]
    chances = [(names[square], percent(float(boat.squares[square]))) for square in best]
    facts = tuple(Fact(square, chance, (Mark("cell", (square,), chance),)) for square, chance in chances)
    vain = sum(search.move <= sea.view.move for search in sea.view.searched)
    verdict = SAY("boat.at", square=chances[0][0], chance=chances[0][1], n=vain)
    return Finding("F50", SAY("boat.ask", ship=name), verdict, facts)
