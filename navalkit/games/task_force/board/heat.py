"""What the map can show of the squares not scratched: the chance of a ship, the danger, and what a scratch is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from navalkit.core.awaited import Awaited
from navalkit.core.language.chances import percent

from .. import odds
from ..bots import Planner
from ..odds import Posterior
from ..rules.game import TaskForce
from ..rules.say import SAY
from ..rules.state import UNSEEN, Observation, Phase

STEPS = 10  # colours of the ramp, heat0 to heat9
SAMPLE = odds.SAMPLE  # fleets that chances are calculated from
VALUE_SAMPLE = 3000  # fleets that the value of a scratch is calculated from
WORST = 0.4  # from this loss on, in ships, the colour of a value is the darkest
_PALE_STEPS = 5  # steps too pale for light figures
_MINUS = "\N{MINUS SIGN}"


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


Figures = dict[int, Figure]  # by the number of the square; squares left out show nothing


@dataclass(frozen=True, slots=True)
class Heat:
    """One thing the map can show; its words are the sentences "heat.KEY.title" and so on."""

    asks: Callable[[TaskForce, Observation], Awaited[Any]]  # game and observation -> the numbers to wait for
    figures: Callable[[Observation, Any], Figures]  # observation and those numbers -> the figures
    note: Callable[[Observation, Any], str]  # observation and those numbers -> how exact the figures are, or their unit
    low: str  # what the lower end of the ramp means
    high: str  # what its upper end means


def likely(game: TaskForce, seen: Observation) -> Awaited[Posterior]:
    """The posterior that the map shows."""
    sample = SAMPLE
    return Awaited(("task-force.posterior", seen, sample), lambda: odds.weighing(seen, sample=sample))


def values(game: TaskForce, seen: Observation) -> Awaited[dict[int, float]]:
    """What scratching each square that may be scratched now is worth to the planner."""
    planner, key = Planner(game, sample=VALUE_SAMPLE), ("task-force.values", game, seen, VALUE_SAMPLE)
    return Awaited(key, lambda: planner.valuing(seen, np.random.default_rng(0)))


def precision(found: Posterior) -> str:
    """How far off the figures may be, in words."""
    if found.exact:
        return SAY("heat.exact")
    return SAY("heat.sample", points=f"{196 * float(found.errors.max()):.1f}", n=found.worlds)


def _chances(name: str, top: float, of: Callable[[Posterior], np.ndarray]) -> Callable[..., Figures]:
    def figures(seen: Observation, found: Posterior) -> Figures:
        shown = {}
        for square in seen.squares(UNSEEN):
            p = min(float(of(found).flat[square]), 1.0)  # a sum of two chances may pass 1 by a hair
            words = SAY(f"heat.{name}.figure", chance=percent(p))
            shown[square] = Figure(min(STEPS - 1, int(STEPS * p / top)), _whole(p), words)
        return shown

    return figures


def _whole(p: float) -> str:
    """A probability in whole percent; 0 and 100 only for what is so."""
    if 0 < p < 0.005:
        return "<1"
    return ">99" if 0.995 <= p < 1 else f"{100 * p:.0f}"


def _worth(seen: Observation, worth: Mapping[int, float]) -> Figures:
    best, unit = max(worth.values(), default=0.0), _unit(seen)
    found = {}
    for square, value in worth.items():
        loss = best - value
        words = SAY("heat.value.best") if loss < 0.005 else SAY(f"heat.value.{unit}s", loss=f"{loss:.2f}")
        text = "0" if loss < 0.005 else f"{_MINUS}{100 * loss:.0f}"
        found[square] = Figure(STEPS - 1 - min(STEPS - 1, int(STEPS * loss / WORST)), text, words)
    return found


def _unit(seen: Observation) -> str:
    """What a value counts: in the air nothing does harm, and the planner gives points for what is learnt."""
    return "point" if seen.phase is Phase.FLIGHT else "ship"


HEATS: Mapping[str, Heat] = {
    "hit": Heat(
        likely, _chances("hit", 0.6, lambda found: found.hit), lambda seen, found: precision(found), "0 %", "60 %"
    ),
    "danger": Heat(
        likely, _chances("danger", 0.5, lambda found: found.missile + found.submarine),
        lambda seen, found: precision(found), "0 %", "50 %",
    ),
    "value": Heat(
        values, _worth, lambda seen, found: SAY(f"heat.value.unit.{_unit(seen)}", n=VALUE_SAMPLE),
        f"{_MINUS}{100 * WORST:.0f}", "0",
    ),
}  # fmt: skip
"""What the map can show, by the value of the pick "heat"."""
