"""How deadly is a run in play? What history counts as one attack, made by the escorts' own rules in whole hunts.

One escort holds contact six hexes off a boat that lies under her marker, and hunts her for `TURNS` turns by the rules,
run after run, while a captain evades. A run is what she drops in turns that follow one another; it sinks the boat or
does not. `calibrate` has the exact chance of one full pattern, the charges of one turn, on a boat that makes off to any
hex alike. In play a run is one to three patterns, and a captain who foresees the escort's way is not where they fall:
so two captains are measured, one who steers at random, and skipper, who steers clear. History lies between masters and
beginners, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from navalkit.core.match import Match
from navalkit.players import player
from navalkit.prob.intervals import wilson

from ..data import read, words
from ..escort.pattern import DEPTH_CHARGE, HEDGEHOG, K_GUN, SQUID
from ..rules.game import OnPatrol
from ..sea.actions import EscortMove, Roll

SAY = words("runs.toml")
TURNS = 30
CAPTAINS = ("skipper", "random")
CHARGES = (DEPTH_CHARGE, K_GUN)


@dataclass(frozen=True, slots=True)
class Armament:
    """Whose runs are counted.

    Parameters
    ----------
    label : str
        A key of the sentences.
    ship : str
        Type of the escort.
    weapons : tuple of str
        What tells her runs from others'.
    year : int
    kills, attacks : float
        In the war, as far as it is known (facts); of Squid only the share is known, and ``attacks`` is 0.
    """

    label: str
    ship: str
    weapons: tuple[str, ...]
    year: int
    kills: float
    attacks: int

    @property
    def history(self) -> float:
        """Kills for an attack in the war."""
        return self.kills / self.attacks if self.attacks else self.kills

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of that share; None where nobody counted."""
        return wilson(self.history, self.attacks) if self.attacks else None


ARMAMENTS = (
    Armament("corvette", "flower", CHARGES, 1941, 85.5, 5174),
    Armament("destroyer", "v-and-w", CHARGES, 1941, 85.5, 5174),
    Armament("hedgehog", "captain", (HEDGEHOG,), 1943, 47, 268),
    Armament("squid", "loch", (SQUID,), 1944, 1 / 2.6, 0),
)


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs that were played: how many of them sank the boat, and how many there were."""

    sunk: int
    made: int

    @property
    def share(self) -> float:
        """Kills for a run."""
        return self.sunk / self.made if self.made else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of that share (Wilson); anything is possible where none was made."""
        return wilson(self.share, self.made) if self.made else (0.0, 1.0)


def design(armament: Armament, depth: int = 150) -> str:
    """The scenario of a hunt: one escort six hexes from the target, one boat with a contact marker on her."""
    return (
        f'title = "run"\ndate = {armament.year}-06-01\npackage = "advanced"\nturns = {TURNS}\npoints = 1\n'
        f'speed = "fast"\nships = []\nescorts = ["{armament.ship}"]\nplaces = ["M27 3"]\n'
        f'[[boat]]\ntype = "viic"\nplace = "M32 3"\ndepth = {depth}\nmarker = "contact"\n'
    )


def play(armament: Armament, n: int, captain: str = "skipper", seed: int = 1) -> Runs:
    """Play ``n`` hunts and count their runs.

    Parameters
    ----------
    armament : Armament
    n : int
        Hunts.
    captain : str
        Who commands the boat: a machine player by name.
    seed : int
        Of the first hunt; the others follow.

    Returns
    -------
    Runs
        The same for the same seed.

    Raises
    ------
    OptionError
        If there is no such player.

    Examples
    --------
    >>> play(ARMAMENTS[0], 0)
    Runs(sunk=0, made=0)
    """
    game = OnPatrol(scenario=design(armament))
    ends = [end for number in range(seed, seed + n) for end in runs(_hunt(game, captain, number))]
    return Runs(sum(ends), len(ends))


def _hunt(game: OnPatrol, captain: str, seed: int) -> Match:
    match, rng, master = Match.new(game, seed), np.random.default_rng(seed), player(captain, game)
    while not match.over:
        match.play(master.decide(match.observe(), match.legal(), rng).action)
    return match


def runs(match: Match) -> Iterator[bool]:
    """The runs of all escorts in a hunt, in the order they end: whether each sank a boat."""
    last: dict[str, int] = {}  # escort -> the turn in which she dropped last
    for number, ply in enumerate(match.plies):
        before, action = match.at(number), ply.action
        if isinstance(action, EscortMove) and action.charges:
            if before.turn - last.get(action.escort, before.turn) > 1:
                yield False
            last[action.escort] = before.turn
        elif isinstance(action, Roll) and action.task.kind == "damage" and action.task.actor in last:
            boat = action.task.target
            if ply.state.boat(boat).sunk and not before.boat(boat).sunk:
                del last[action.task.actor]
                yield True
    yield from (False for _ in last)


def measured(armament: Armament) -> str:
    """What was measured of an armament when the tables were made (measured.toml), beside the war: one sentence."""
    shares = []
    for captain in CAPTAINS:
        found = Runs(*read("measured.toml")[armament.label][captain])
        low, high = found.interval
        shares.append(SAY("against", captain=captain, share=found.share, low=low, high=high))
    return SAY(
        "measured.line", what=SAY(armament.label), year=armament.year, shares=", ".join(shares), war=_war(armament)
    )


def _war(armament: Armament) -> str:
    war = armament.interval
    return SAY("war", share=armament.history, low=war[0], high=war[1]) if war else SAY("about", share=armament.history)


def report(n: int = 100, seed: int = 1) -> str:
    """A line for every armament and captain: the runs, the kills for a run, and the war's, each with its interval."""
    return "\n".join(
        [
            SAY("title", n=n),
            *(_line(each, play(each, n, captain, seed), captain) for each in ARMAMENTS for captain in CAPTAINS),
        ]
    )


def _line(armament: Armament, found: Runs, captain: str) -> str:
    """One line of the report."""
    low, high = found.interval
    return SAY(
        "line", what=SAY(armament.label), year=armament.year, captain=captain, made=found.made, sunk=found.sunk,
        share=found.share, low=low, high=high, war=_war(armament),
    )  # fmt: skip


if __name__ == "__main__":  # how deadly the escorts' weapons are, a pattern and a run, beside what history shows
    from .calibrate import report as patterns

    print(patterns(), report(), sep="\n\n")
