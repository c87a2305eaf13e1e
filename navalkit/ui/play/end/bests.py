"""A reader's personal bests in one game, by scenario and captain: they are kept in the browser, and nowhere else."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from navalkit.core.match import Match

MOST, KEPT = 5, 60
"""Games that are kept of one scenario and captain, and in all."""


class Bests:
    """The best games, the best first. ``unit``: what scores are counted in. ``rows``: each with ``of`` (scenario and
    captain), ``score`` (words), ``points``, ``seed``, ``result`` and ``day``."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.rows: list[dict[str, Any]] = []
        self._last: Any = None  # the game that was noted last: it is looked at again and again

    def loads(self, text: str | None) -> None:
        """Take what the browser kept; what is damaged is dropped."""
        try:
            rows = json.loads(text or "[]")
            sound = [row for row in rows if isinstance(row, dict) and _sound(row)]
        except (ValueError, TypeError):
            sound = []
        self.rows = sound[:KEPT]

    def dumps(self) -> str:
        """What the browser is to keep."""
        return json.dumps(self.rows)

    def of(self, what: str) -> list[dict[str, Any]]:
        """Those of one scenario and captain."""
        return [row for row in self.rows if row["of"] == what]

    def note(self, match: Match, what: str, me: int = 0) -> bool:
        """Put a finished game among those of ``what``, once, and say whether it is new there.

        An analysis does not count, nor luck that is not the seed's, nor against somebody a game that was not won.
        """
        outcome = match.outcome
        played = (match.seed, match.game, match.record().actions)
        if match.analysis or not match.true_to_seed or outcome is None or played == self._last:
            return False
        self._last = played
        points = outcome.scores[me]
        if match.game.deciders > 1 and points <= min(outcome.scores):
            return False
        row = {
            "of": what, "score": f"{points:,.0f} {self.unit}", "points": points, "seed": match.seed,
            "result": outcome.result, "day": date.today().isoformat(),
        }  # fmt: skip
        same = self.of(what)
        if any(all(kept.get(name) == row[name] for name in ("seed", "points", "result")) for kept in same):
            return False
        others = [kept for kept in self.rows if kept not in same]
        self.rows = [*sorted([*same, row], key=lambda kept: -float(kept["points"]))[:MOST], *others][:KEPT]
        return True


def _sound(row: dict[str, Any]) -> bool:
    return isinstance(row.get("of"), str) and isinstance(row.get("points"), int | float)
