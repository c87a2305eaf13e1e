"""A reader's personal bests in one game: they are kept in the browser, and nowhere else."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from navalkit.core.match import Match

MOST = 5


class Bests:
    """The best games, the best first.

    Parameters
    ----------
    unit : str
        What scores are counted in.

    Attributes
    ----------
    rows : list of dict
        Each with ``score`` (words), ``points``, ``seed``, ``result`` and ``day``.
    """

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.rows: list[dict[str, Any]] = []
        self._last: Any = None  # the game that was noted last: it is looked at again and again

    def loads(self, text: str | None) -> None:
        """Take what the browser kept; what is damaged is dropped."""
        try:
            rows = json.loads(text or "[]")
            sound = [row for row in rows if isinstance(row, dict) and isinstance(row.get("points"), int | float)]
        except (ValueError, TypeError):
            sound = []
        self.rows = sound[:MOST]

    def dumps(self) -> str:
        """What the browser is to keep."""
        return json.dumps(self.rows)

    def note(self, match: Match) -> bool:
        """Put a finished game among them, once, and say whether it is new there.

        An analysis does not count, nor luck that is not the seed's.
        """
        outcome = match.outcome
        played = (match.seed, match.game, match.record().actions)
        if match.analysis or not match.true_to_seed or outcome is None or played == self._last:
            return False
        self._last = played
        points = outcome.scores[0]
        row = {
            "score": f"{points:,.0f} {self.unit}", "points": points, "seed": match.seed, "result": outcome.result,
            "day": date.today().isoformat(),
        }  # fmt: skip
        if any(all(kept.get(name) == row[name] for name in ("seed", "points", "result")) for kept in self.rows):
            return False
        self.rows = sorted([*self.rows, row], key=lambda kept: -float(kept.get("points", 0)))[:MOST]
        return True
