"""What the map can show of the squares not scratched: the chance of a ship, the danger, and what a scratch is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from navalkit.core.chances import percent

from ..bots import Planner
from ..odds import Posterior, posterior
from ..rules.game import TaskForce
from ..rules.state import UNSEEN, Observation, Phase

STEPS = 10
"""Colours of the ramp, heat0 to heat9."""
VALUE_SAMPLE = 3000
"""Fleets that the value of a scratch is reckoned from."""
WORST = 0.4
"""From this loss on, in ships, the colour of a value is the darkest."""
_PALE_STEPS = 5  # so many steps are dark enough for light figures


@dataclass(frozen=True, slots=True)
class Figure:
    """What the map shows of one square: its step on the ramp, the figure written there, and the same in words."""

    step: int
    text: str
    words: str

    @property
    def token(self) -> str:
        """The colour that figures on this step are read in."""
        return "on_heat_low" if self.step < _PALE_STEPS else "on_heat_high"


@dataclass(frozen=True, slots=True)
class Heat:
    """One thing the map can show.

    Parameters
    ----------
    title : str
        The word on its switch.
    said : str
        What it is, for screen readers.
    low, high : str
        What the two ends of the ramp mean.
    figures : callable
        Game and observation -> the figure of each square, by number; squares left out show nothing.
    note : callable
        Game and observation -> how exact the figures are, or their unit.
    """

    title: str
    said: str
    low: str
    high: str
    figures: Callable[[TaskForce, Observation], dict[int, Figure]]
    note: Callable[[TaskForce, Observation], str]


@lru_cache(maxsize=32)
def likely(seen: Observation) -> Posterior:
    """The posterior that the map shows."""
    return posterior(seen)


@lru_cache(maxsize=32)
def values(game: TaskForce, seen: Observation) -> dict[int, float]:
    """What scratching each square that may be scratched now is worth to the planner."""
    return Planner(game, sample=VALUE_SAMPLE).values(seen, np.random.default_rng(0))


def precision(odds: Posterior) -> str:
    """How far off the figures may be, in words."""
    if odds.exact:
        return "exact"
    return f"± {196 * float(odds.errors.max()):.1f} points (sample, n = {odds.worlds:,})"


def _chances(name: str, top: float, of: Callable[[Posterior], np.ndarray]) -> Callable[..., dict[int, Figure]]:
    def figures(game: TaskForce, seen: Observation) -> dict[int, Figure]:
        found = {}
        for square in seen.squares(UNSEEN):
            p = min(float(of(likely(seen)).flat[square]), 1.0)  # a sum of two chances may pass 1 by a hair
            found[square] = Figure(min(STEPS - 1, int(STEPS * p / top)), _whole(p), f"{name} {percent(p)}")
        return found

    return figures


def _whole(p: float) -> str:
    """A probability in whole percent; 0 and 100 only for what is so."""
    if 0 < p < 0.005:
        return "<1"
    return ">99" if 0.995 <= p < 1 else f"{100 * p:.0f}"


def _worth(game: TaskForce, seen: Observation) -> dict[int, Figure]:
    worth = values(game, seen)
    best = max(worth.values(), default=0.0)
    unit = _unit(seen)
    found = {}
    for square, value in worth.items():
        loss = best - value
        words = "as good as the best scratch" if loss < 0.005 else f"worse than the best scratch by {loss:.2f} {unit}s"
        text = "0" if loss < 0.005 else f"\N{MINUS SIGN}{100 * loss:.0f}"
        found[square] = Figure(STEPS - 1 - min(STEPS - 1, int(STEPS * loss / WORST)), text, words)
    return found


def _unit(seen: Observation) -> str:
    """What a value counts: in the air nothing does harm, and the planner gives points for what is learnt."""
    return "point" if seen.phase is Phase.FLIGHT else "ship"


HEATS = {
    "note:heat=hit": Heat(
        "Ship", "chance of a ship", "0 %", "60 % and more",
        _chances("chance of a ship", 0.6, lambda odds: odds.hit), lambda game, seen: precision(likely(seen)),
    ),
    "note:heat=danger": Heat(
        "Danger", "danger of a missile or submarine", "0 %", "50 % and more",
        _chances("danger", 0.5, lambda odds: odds.missile + odds.submarine),
        lambda game, seen: precision(likely(seen)),
    ),
    "note:heat=value": Heat(
        "Value", "value of a scratch", f"\N{MINUS SIGN}{100 * WORST:.0f} and worse", "0: best",
        _worth, lambda game, seen: f"in hundredths of a {_unit(seen)}; n = {VALUE_SAMPLE:,}",
    ),
}  # fmt: skip
"""What the map can show, by the note that switches it on."""
