"""The reasons of a decision, drawn on the board: the course or fire advised, what it rests on, what was not taken.

In one accent colour over everything else; places that were weighed and rejected are thin and grey.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from navalkit.core.trace import Decision, Mark
from navalkit.grids.square_headings import HEADINGS
from navalkit.view.scene import Line, Rect, Shape, Style

from ...state import Move
from ...state.observation import Observation
from ..choice import formation, unit_ships
from .overlay import tag
from .pieces import ghost
from .window import Window

_CHOSEN, _ABOUT = Style(None, "accent", 3.0), Style(None, "accent", 1.5)
_REJECTED = Style(None, "muted", 1.5, (3, 3), 0.8)
_LINE = Style(None, "accent", 2.5)
_LABEL = 12.0  # px


def evidence(w: Window, seen: Observation, reasons: Decision | None) -> tuple[Shape, ...]:
    """What shows why; nothing without a decision. ``reasons``: its marks name squares."""
    return () if reasons is None else (*_weighed(w, reasons), *_advised(w, seen, reasons))


def _cells(marks: Iterable[Mark]) -> dict[str, str]:
    """Square -> label of the marks of squares."""
    return {cell: mark.label for mark in marks if mark.kind == "cell" for cell in mark.at}


def _weighed(w: Window, reasons: Decision) -> Iterator[Shape]:
    """The places not taken."""
    taken = _cells(_own(reasons))
    for cell in _cells(m for o in reasons.options if o.rejected for fact in o.facts for m in fact.marks):
        if cell not in taken:
            yield from _frame(w, cell, _REJECTED)


def _own(reasons: Decision) -> tuple[Mark, ...]:
    """The marks of the option that was taken."""
    return tuple(m for option in reasons.options if not option.rejected for fact in option.facts for m in fact.marks)


def _advised(w: Window, seen: Observation, reasons: Decision) -> Iterator[Shape]:
    """The course or the fire advised. Figures stand at the places of a move alone: targets carry odds of their own."""
    found = tuple(mark for finding in reasons.findings for mark in finding.marks())
    lines = [mark for mark in (*found, *_own(reasons)) if mark.kind == "line"]
    places = _cells(_own(reasons))
    for cell in _cells(found):
        yield from _frame(w, cell, _ABOUT) if cell not in places else ()
    for ends in dict.fromkeys(mark.at for mark in lines):
        yield from _line(w, *ends)
    for cell in places:
        yield from _frame(w, cell, _CHOSEN)
    if isinstance(reasons.action, Move):
        yield from _course(w, seen, reasons.action)
        yield from _worth(w, places, lines)


def _worth(w: Window, places: Mapping[str, str], lines: Sequence[Mark]) -> Iterator[Shape]:
    """What a place is worth above it; on the line to an enemy what one does to her from there, and what she does."""
    for cell, label in places.items():
        if w.holds(square := w.grid.number(cell)):
            x, y = w.centre(square)
            yield from tag(w, x, y - 0.5 * w.side, label, _LABEL)
    told: dict[tuple[str, ...], list[float]] = {}
    for mark in dict.fromkeys(lines):
        if mark.worth is not None:
            told.setdefault(tuple(sorted(mark.at)), [0.0, 0.0])[mark.at[0] not in places] += mark.worth
    for ends, (does, takes) in told.items():
        squares = [w.grid.number(end) for end in ends]
        if all(map(w.holds, squares)):
            x, y = (sum(each) / 2 for each in zip(*map(w.centre, squares), strict=True))
            words = (f"+{does:.1f}" if does else "", f"−{takes:.1f}" if takes else "")
            yield from tag(w, x, y, " ".join(filter(None, words)), _LABEL)


def _course(w: Window, seen: Observation, move: Move) -> Iterator[Shape]:
    """Where each ship of the order would go, and how she would head there."""
    for ship, square in formation(seen, unit_ships(seen, move.who), w.grid.number(move.square)):
        here, name = seen.view.ships[ship].square, w.grid.names[square]
        if w.holds(square):
            if here >= 0:
                yield from _line(w, w.grid.names[here], name)
            type_ = seen.battle.card(ship).type
            yield from ghost(*w.centre(square), HEADINGS.index(move.heading), type_, seen.me, w.side)


def _frame(w: Window, cell: str, style: Style) -> Iterator[Shape]:
    if w.holds(square := w.grid.number(cell)):
        x, y = w.corner(square)
        yield Rect(x + 2, y + 2, w.side - 4, w.side - 4, style, 0.15 * w.side)


def _line(w: Window, start: str, end: str) -> Iterator[Line]:
    a, b = w.grid.number(start), w.grid.number(end)
    if a != b and w.holds(a) and w.holds(b):
        yield Line((w.centre(a), w.centre(b)), _LINE, arrow=True)
