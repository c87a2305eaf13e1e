"""Exercises that check themselves without giving the answer away, and what a teacher needs around them.

``check(exercise_id, answer)`` and ``report(name)`` are for students; ``use(path)`` takes in a teacher's own exercises,
which `exercise` makes in Python; ``board``, ``bars`` and ``hex_map`` draw; ``plans`` shows a teacher every
``instructor.md``. See docs/teaching.md.
"""

from __future__ import annotations

from .book import use
from .checking import Verdict, check
from .exercise import Exercise, exercise
from .pages import plans
from .pictures import Picture, bars, board, hex_map
from .progress import report

__all__ = ["Exercise", "Picture", "Verdict", "bars", "board", "check", "exercise", "hex_map", "plans", "report", "use"]
