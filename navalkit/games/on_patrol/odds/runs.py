"""How deadly is a run in play? What history counts as one attack, made by the escorts' own rules.

One escort holds contact six hexes off a boat that lies under her marker. She runs in by the rules, and drops what they
say; the boat makes off at full speed, turning and diving by chance. The run ends when the escort turns back, when she
has lost the boat, or when the boat is sunk; without an attack it does not count. `calibrate` has the exact chance of
one full pattern, the charges of one turn; a run is one to three of these, some of them on hexes that she has left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from navalkit.core.game import CHANCE
from navalkit.prob.intervals import wilson

from ..combat.hull import limits
from ..data import words
from ..escort.automaton import SEARCH_SPEED
from ..rules.game import OnPatrol
from ..rules.orders import DIVE, top_speed
from ..sea.scenario import DEPTHS
from ..sea.state import CAPTAIN, MarkerKind, Order, State

HIGHEST = 50
"""Feet: the boat stays under water."""
SAY = words("runs.toml")
LONGEST = 8
"""Turns after which a run is over in any case."""


@dataclass(frozen=True, slots=True)
class Armament:
    """Whose runs are counted.

    Parameters
    ----------
    label : str
        A key of the sentences.
    ship : str
        Type of the escort.
    year : int
    history : Fraction
        Kills for an attack in the war (facts).
    """

    label: str
    ship: str
    year: int
    history: Fraction


ARMAMENTS = (
    Armament("corvette", "flower", 1941, Fraction(2, 121)),
    Armament("destroyer", "v-and-w", 1941, Fraction(2, 121)),
    Armament("hedgehog", "buckley", 1943, Fraction(10, 57)),
    Armament("squid", "loch", 1944, Fraction(10, 26)),
)


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs that were played: how many, and how many of them sank the boat."""

    made: int
    sunk: int

    @property
    def share(self) -> float:
        """Kills for a run."""
        return self.sunk / self.made

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of that share (Wilson)."""
        return wilson(self.share, self.made)


def design(armament: Armament, depth: int = 150) -> str:
    """The scenario of a run: one escort six hexes from the target, one boat with a contact marker on her."""
    return (
        f'title = "run"\ndate = {armament.year}-06-01\npackage = "advanced"\nturns = {LONGEST}\npoints = 1\n'
        f'speed = "fast"\nships = []\nescorts = ["{armament.ship}"]\nplaces = ["M27 3"]\n'
        f'[[boat]]\ntype = "viic"\nplace = "M32 3"\ndepth = {depth}\nmarker = "contact"\n'
    )


def play(armament: Armament, n: int, seed: int = 1) -> Runs:
    """Play ``n`` runs.

    Parameters
    ----------
    armament : Armament
    n : int
        Runs begun; those without an attack are left out of the answer.
    seed : int
        Of the rolls and of the boat's turns.

    Returns
    -------
    Runs
        The same for the same seed.
    """
    game, rng = OnPatrol(scenario=design(armament)), np.random.default_rng(seed)
    ends = [_run(game, rng) for _ in range(n)]
    return Runs(sum(end is not None for end in ends), sum(end is True for end in ends))


def _run(game: OnPatrol, rng: np.random.Generator) -> bool | None:
    """Whether the boat is sunk in one run; None if nothing was dropped."""
    state, ran, attacked = game.initial(), False, None
    escort = state.escorts[0]
    state = state.with_vessel(replace(escort, speed=SEARCH_SPEED, hunt=replace(escort.hunt, contact=("S1",))))
    while not state.over:
        who = game.turn(state)
        if who == CHANCE:
            draw = game.chance(state)
            actions = list(draw)
            action = actions[rng.choice(len(actions), p=[float(draw[each]) for each in actions])]
        elif who == CAPTAIN:
            hunt, marker = state.escorts[0].hunt, state.marker("S1")
            if (ran and hunt.ran is None) or marker is None or marker.kind is MarkerKind.INVERTED:
                return attacked
            ran = hunt.ran is not None
            action = _evade(state, game, rng)
        else:
            action = game.prescribed(state)
            attacked = False if action.charges else attacked
        state = game.apply(state, action).state
        if state.boats[0].sunk:
            return True
    return attacked


def _evade(state: State, game: OnPatrol, rng: np.random.Generator) -> Order:
    """As far as she can go, turning as she likes, and up to 50 ft deeper or higher: under water, and not too deep."""
    boat = state.boats[0]
    depths = [d for d in DEPTHS if abs(d - boat.depth) <= DIVE and HIGHEST <= d <= max(HIGHEST, limits(boat).depth)]
    depth = int(rng.choice(depths)) if depths else boat.depth
    turns = tuple(int(turn) for turn in rng.choice((-1, 0, 1), top_speed(boat, depth)))
    return Order(boat.id, turns, depth)


def report(n: int = 1000, seed: int = 1) -> str:
    """A line for every armament: the runs, the kills for a run with their interval, and what history says."""
    lines = [SAY("title", n=n)]
    for armament in ARMAMENTS:
        runs = play(armament, n, seed)
        low, high = runs.interval
        lines.append(
            SAY(
                "line",
                what=SAY(armament.label), year=armament.year, made=runs.made, sunk=runs.sunk,
                share=runs.share, low=low, high=high, history=float(armament.history),
            )  # fmt: skip
        )
    return "\n".join(lines)
