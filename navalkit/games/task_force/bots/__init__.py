"""The machine captains of Task Force, with their reasons. They get observations, never states.

* `Hunter` follows hits and else searches in a checkered pattern, as most people do. It calculates nothing.
* `Bayes` scratches where the posterior promises a hit at the least harm. It never flies.
* `Planner` also weighs what the next scratch will be worth after this one, and flies while the risk is high.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from navalkit.core.awaited import Steps
from navalkit.core.player import Luck
from navalkit.core.trace import Decision, Fact, Option
from navalkit.players.captains import captains, with_captains

from ..rules.game import TaskForce
from ..rules.say import SAY
from ..rules.state import HIT, MISSILES, SUBMARINE, Action, Observation, Scratch
from .bayes import Bayes, scratches_of, unless
from .planner import Planner

__all__ = ["BOTS", "CAPTAINS", "Bayes", "Hunter", "Planner"]


class Hunter:
    """Follows hits; searches every other square."""

    name = "hunter"
    unit = "points"

    def __init__(self, game: TaskForce) -> None:
        self.game = game

    def decide(self, observation: Observation, legal: Sequence[Action], rng: Luck = None) -> Decision:
        """The most pressing square; of several alike, one at random."""
        scratches = scratches_of(legal)
        points = {a: self._points(observation, a) for a in scratches}
        best = max(value for value, _ in points.values())
        alike = [a for a in scratches if points[a][0] == best]
        action = alike[int(np.random.default_rng(rng).integers(len(alike)))]
        ranked = sorted(scratches, key=lambda a: (a != action, -points[a][0]))
        options = tuple(
            Option(
                a, value, (Fact(SAY.phrase("bot.because"), SAY.phrase(why)),), unless(a == action, "bot.less_pressing")
            )
            for a in ranked
            for value, why in [points[a]]
        )
        reason = SAY.phrase("bot.it_is", why=SAY.phrase(points[action][1]))
        return Decision(action, self.name, reason, options=options, unit=self.unit)

    def weigh(
        self, observation: Observation, legal: Sequence[Action], actions: Sequence[Action]
    ) -> Steps[list[Option]]:
        """Of flights alone: it never thinks of them."""
        yield from ()
        return [Option(action, None, (), SAY.phrase("bot.never_flies"), "T7") for action in actions]

    def _points(self, seen: Observation, action: Scratch) -> tuple[float, str]:
        grid, marks = seen.sea.grid, seen.marks
        square = grid.number(action.square)
        near = grid.neighbours[square]
        if any(marks[s] == SUBMARINE for s in near):
            return -2.0, "bot.by_submarine"
        hits = [s for s in near if marks[s] == HIT]
        for hit in hits:
            beyond = 2 * hit - square
            if any(marks[s] == HIT for s in grid.neighbours[hit] if abs(s - hit) != abs(square - hit)):
                return -1.0, "bot.by_line"
            if beyond in grid.neighbours[hit] and marks[beyond] == HIT:
                return 3.0, "bot.in_line"
        if hits:
            return 2.0, "bot.by_hit"
        if any(marks[s] in MISSILES for s in near):
            return 1.0, "bot.by_missile"
        row, column = grid.place(square)
        return (0.5, "bot.on_pattern") if (row + column) % 2 else (0.0, "bot.off_pattern")


CAPTAINS = captains("navalkit.games.task_force", "data/captains.toml")
BOTS: Mapping[str, Callable[..., Any]] = with_captains({"hunter": Hunter, "bayes": Bayes, "planner": Planner}, CAPTAINS)
"""The game's own machine players, the named captains among them: name -> maker(game, **options)."""
