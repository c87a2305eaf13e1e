"""What lessons ask of On Patrol: what escorts are about to do, and the sea around them."""

from __future__ import annotations
from collections.abc import Sequence

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError
from navalkit.core.match import Match
from navalkit.grids.hex import Hex, Radial
from .board.overlay import goal_chart, sea_chart
from .escort.positions import find, positions
from .sea.state import Phase, State
from .sea.tables import TABLES, WHY

__all__ = ["escorts_to_move", "find", "goal_chart", "positions", "sea_chart"]


def escorts_to_move(match: Match[State]) -> State:
    """The state of a match of On Patrol at which escorts were about to move for the first time."""
    return next(state for state in map(match.at, range(1, match.ply)) if state.phase is Phase.ESCORTS)


def mode_after(events: Sequence[str], count: int = 0) -> str:
    """The escorts' mode ("mode 3") after events of the Submarine Detection Table, or after the first ``count``."""
    markers = [TABLES.detected(event).marker for event in events[: count or None]]
    last = next(marker for marker in reversed(markers) if marker)
    return f"mode {TABLES.actions[last].mode}"


def radial_at(position: str) -> int:
    """The radial, by its direction outward, that the escort of a ready-made position makes for."""
    return _radial(position)[0].direction


def off_radial(position: str) -> int:
    """Hexes from her bow to that radial."""
    radial, bow = _radial(position)
    return radial.distance(bow)


def off_target(position: str) -> int:
    """Hexes from her bow to the target hex."""
    radial, bow = _radial(position)
    return radial.target.distance(bow)


def _radial(position: str) -> tuple[Radial, Hex]:
    """The radial that the escort makes for, and the hex of her bow."""
    found = find(position)
    if found.decision.radial is None:
        raise DataError(WHY("lesson.no_radial", position=repr(position)))
    return found.decision.radial, found.state.vessel(found.escort).place.bow


def courses_after(dice: int) -> Dist[int]:
    """How far the convoy has turned after rolls on the first row of the Fleet Movement Table, in sixty degrees."""
    turn = Dist.uniform(move.before + move.after for move in TABLES.fleet["slow 1"])
    total: Dist[int] = dice @ turn
    return total
