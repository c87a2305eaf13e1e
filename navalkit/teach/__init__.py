"""Exercises that check themselves without giving the answer away, and what a teacher needs around them.

``begin``, ``ask``, ``check``, ``fresh`` and ``report`` are for students; ``use(path)`` takes in a teacher's own
exercises, which `exercise` makes in Python; ``board``, ``bars`` and ``hex_map`` draw; ``plans`` shows a teacher every
``instructor.md``. ``from navalkit.teach.lesson import *`` brings a lesson all it needs. See docs/teaching.md.
"""

from __future__ import annotations
import os
import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from navalkit.core.errors import DataError
from navalkit.core.shown import Markup, html, many, paragraph
from .checking import PROGRESS, RETESTS, Verdict, check, named, summed_up, unknown
from .exercises import book
from .exercises.book import use
from .exercises.exercise import Exercise, exercise
from .papers import plans, read_only
from .pictures import Picture, bars, board, hex_map
from .say import SAY, to_student

__all__ = [
    "Exercise", "Picture", "Question", "Verdict", "ask", "bars", "begin", "board", "check", "exercise", "fresh",
    "hex_map", "plans", "report", "use",
]


# -- What a student calls beside `check`: `begin`, `ask`, `fresh` and `report` ---------------------

_FIRST = re.compile(r"[a-zA-Z0-9]")


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence to a student; ``files`` are those that were written."""

    text: str
    files: tuple[Path, ...] = ()

    def __repr__(self) -> str:
        return self.text

    @to_student
    def _repr_html_(self) -> Markup:
        """What was written stands below it to be saved: a browser's notebooks lie where no file manager finds them."""
        written = [(path.name, b64encode(path.read_bytes()).decode()) for path in self.files if path.exists()]
        rows = [(name, data, SAY("save", file=name)) for name, data in written]
        links = many('<a download="{}" href="data:application/json;base64,{}" style="display:inline-block;'
                     'padding:8px 0;margin:4px 16px 4px 0;text-decoration:underline">{}</a>', rows)
        return paragraph(self.text) + html("<p>{}</p>", links)


@dataclass(frozen=True, slots=True)
class Question:
    """An exercise's question; a notebook shows it as text, and ``question["n"]`` is a number in it."""

    text: str
    numbers: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        return self.numbers[name]

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return self.text


@to_student
def begin(
    name: str = ..., group: str = "", numbers: str | int = "own", folder: str | os.PathLike[str] = ".",  # type: ignore[assignment]
    course: str = ""
) -> Note:
    """Say who works here: from now on every try is kept, and the exercises have this student's numbers.

    Run again, in this kernel or another, it takes up what was tried before.

    Parameters
    ----------
    name : str
        The student's.
    group : str
        A class, a number, anything that tells two students of one name apart.
    numbers : "own", "lesson" or int
        "own" draws them from name and group; "lesson" takes those of the lesson's text; a whole number gives all
        students who write it the same.
    folder : path
        Where tries are kept; left out, beside the notebook.
    course : str
        A word of the teacher's, from which the student's own numbers are drawn besides: another course, other numbers.

    Returns
    -------
    Note
        What was begun, or what to mend before it can be.

    Examples
    --------
    >>> begin("Ada", numbers="none")
    Write your name in quotes; numbers is "own", "lesson" or a whole number.
    """
    if read_only():
        return Note(SAY("read_only"))
    try:
        student = named(name, group, numbers, course)
    except ValueError:
        return Note(SAY("no_name" if numbers == "own" else "no_numbers"))
    PROGRESS.begin(student, folder)
    if PROGRESS.trouble:
        return Note(SAY("not_kept", trouble=PROGRESS.trouble))
    before = sum(each.session != PROGRESS.session for each in PROGRESS.tries)
    beside = PROGRESS.student and PROGRESS.student.id and PROGRESS.tries == PROGRESS.unnamed
    key = "begun_again" if before else "begun_beside" if beside else "begun"
    return Note(SAY(key, name=student.name, before=before))


@to_student
def ask(exercise_id: str) -> Question:
    """The question of an exercise, with this student's numbers.

    Parameters
    ----------
    exercise_id : str
        Such as "cards.1".
    """
    plain = book.everything().get(str(exercise_id))
    if plain is None:
        return Question(unknown(str(exercise_id)))
    try:
        question = plain.drawn(PROGRESS.seed, PROGRESS.retest_of(plain))
    except DataError:
        return Question(SAY("broken", id=plain.id))
    text = (question.ask or question.title).strip()
    return Question(_FIRST.sub(lambda found: found[0].upper(), text, count=1), question.numbers)


@to_student
def fresh(exercise_id: str = "", retest: int = 1) -> Question:
    """New numbers for a retest: of one exercise (and those that share its numbers), or of all.

    Parameters
    ----------
    exercise_id : str
        Left out, all exercises.
    retest : int
        1 for the first retest, 2 for the next; 0 goes back. The same student gets the same numbers each time.

    Returns
    -------
    Question
        The exercise with its new numbers.
    """
    if not isinstance(retest, int) or not 0 <= retest < RETESTS:
        return Question(SAY("no_retest"))
    if not exercise_id:
        PROGRESS.retest, PROGRESS.retests = retest, {}
        return Question(SAY("all_fresh", retest=retest))
    question = book.everything().get(str(exercise_id))
    if question is not None and not question.family:
        return Question(SAY("no_family", id=question.id))
    if question is not None:
        PROGRESS.retests[question.family] = retest
    return ask(exercise_id)


@to_student
def report(name: str = "", group: str = "", folder: str | os.PathLike[str] = "") -> Note:
    """Write what was tried, now and before, to a small file for the teacher: one for each lesson.

    Parameters
    ----------
    name, group : str
        Needed only if `begin` was not called.
    folder : path
        Where the file goes; left out, beside the notebook.

    Returns
    -------
    Note
        What was written (``files``), or what is missing.

    Examples
    --------
    >>> report()  # doctest: +SKIP
    Written: ada.cards.report.json. 3 right of 4 tried. Hand it in as it is: what is changed in it by hand shows.
    """
    if read_only():
        return Note(SAY("read_only"))
    if PROGRESS.student is None or name:
        try:
            now = PROGRESS.student
            numbers, course = (now.numbers, now.course) if now else ("lesson", "")
            PROGRESS.begin(named(name, group, numbers, course), folder or PROGRESS.folder)
        except ValueError:
            return Note(SAY("no_name"))
    if not PROGRESS.tries:
        return Note(SAY("nothing_tried"))
    files = PROGRESS.save()
    if PROGRESS.trouble:
        return Note(SAY("not_kept", trouble=PROGRESS.trouble))
    tried = summed_up(PROGRESS.tries)
    right = sum(each.right > 0 for each in tried.values())
    names = ", ".join(path.name for path in files)
    return Note(SAY("written", file=names, right=right, tried=len(tried)), tuple(files))
