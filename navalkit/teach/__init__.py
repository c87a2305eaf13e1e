"""Exercises that check themselves without giving the answer away, and what a teacher needs around them.

``begin``, ``ask``, ``check``, ``fresh`` and ``report`` are for students; ``use(path)`` takes in a teacher's own
exercises, which `exercise` makes in Python; ``board``, ``bars`` and ``hex_map`` draw; ``plans`` shows a teacher every
``instructor.md``. ``from navalkit.teach.lesson import *`` brings a lesson all it needs. See docs/teaching.md.
"""

from __future__ import annotations

from .desk.calls import Question, ask, begin, fresh, report
from .desk.checking import Verdict, check
from .exercises.book import use
from .exercises.exercise import Exercise, exercise
from .papers.pages import plans
from .pictures import Picture, bars, board, hex_map

__all__ = [
    "Exercise",
    "Picture",
    "Question",
    "Verdict",
    "ask",
    "bars",
    "begin",
    "board",
    "check",
    "exercise",
    "fresh",
    "hex_map",
    "plans",
    "report",
    "use",
]
