"""What lessons ask of On Patrol, and of decision tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from navalkit.core.errors import DataError
from navalkit.core.luck.dist import Dist
from navalkit.core.match import Match

from ..say import SAY


def escorts_to_move(match: Match) -> Any:
    """The state of a match of On Patrol at which escorts were about to move for the first time."""
    return next(state for state in map(match.at, range(1, match.ply)) if state.phase.name == "ESCORTS")


def mode_after(events: Sequence[str], count: int = 0) -> str:
    """The escorts' mode ("mode 3") after events of the Submarine Detection Table, or after the first ``count``."""
    from navalkit.games.on_patrol.sea.tables import TABLES

    markers = [TABLES.detected(event).marker for event in events[: count or None]]
    last = next(marker for marker in reversed(markers) if marker)
    return f"mode {TABLES.actions[last].mode}"


def radial_at(position: str) -> str:
    """The radial ("radial 3") that the escort of a ready-made position makes for."""
    from navalkit.games.on_patrol.escort.positions import find

    radial = find(position).decision.radial
    if radial is None:
        raise DataError(SAY("formula.no_radial", position=repr(position)))
    return f"radial {radial.direction}"


def turned(radial: str, by: int) -> str:
    """The radial that lies ``by`` times sixty degrees to starboard of another."""
    return f"radial {(int(radial.split()[1]) - 1 + by) % 6 + 1}"


def courses_after(dice: int) -> Dist[int]:
    """How far the convoy has turned after rolls on the first row of the Fleet Movement Table, in sixty degrees."""
    from navalkit.games.on_patrol.sea.tables import TABLES

    turn = Dist.uniform(move.before + move.after for move in TABLES.fleet["slow 1"])
    total: Dist[int] = dice @ turn
    return total


def rows_that_fit(table: str, count: int) -> int:
    """In how many cases exactly ``count`` rows of a decision table fit. ``table``: rows such as "yy-- --ny": y for yes,
    n for no, - for a condition that does not matter."""
    rows = table.split()
    fits = (sum(all(r in ("-", c) for r, c in zip(row, case, strict=True)) for row in rows) for case in
            product("yn", repeat=len(rows[0])))  # fmt: skip
    return sum(fit == count for fit in fits)


def table_shown(table: str, heads: Sequence[str], results: Sequence[int]) -> str:
    """A decision table in Markdown, its rows as for `rows_that_fit`, with what each sets."""
    words = {"y": "yes", "n": "no", "-": "–"}
    lines = [["row", *heads], ["---:", *["---"] * (len(heads) - 1), "---:"]]
    for number, (row, result) in enumerate(zip(table.split(), results, strict=True), 1):
        lines.append([str(number), *(words[each] for each in row), str(result)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
