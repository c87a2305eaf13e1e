"""`check`: says right, or what kind of wrong, with one more hint after each wrong try; never the answer."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from difflib import get_close_matches
from html import escape
from importlib import import_module
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.errors import DataError

from ..exercises import book
from ..exercises.exercise import Exercise
from ..exercises.reading import Misread
from ..papers.pages import read_only
from ..say import SAY
from .progress import PROGRESS

UNANSWERED, OTHER = "unanswered", "other"
_WIDGETS = "navalkit.ui.widgets.answer_box"


class _Short(reprlib.Repr):
    """For telling an answer from the one before, whatever it is."""

    def repr_int(self, x: int, level: int) -> str:
        return hex(x) if x.bit_length() > 999 else super().repr_int(x, level)  # Python refuses to write out more


_SHORT = _Short()
_SHORT.maxtuple = _SHORT.maxlist = _SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 200
_LOOKS = {"right": ("#009E73", "✓"), UNANSWERED: ("#0072B2", "…"), OTHER: ("#D55E00", "✗")}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a check; a notebook shows it as a box.

    Parameters
    ----------
    exercise : str
        Its id.
    right : bool
    slip : str
        What kind of wrong: a slip's name, "unanswered", "unknown", "other"; "" if right.
    text : str
        What the student reads.
    """

    exercise: str
    right: bool
    slip: str
    text: str

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """On a page of Voila, where nobody can write into a cell, a box to answer in; else nothing besides the HTML."""
        question = book.everything().get(self.exercise)
        if self.slip != UNANSWERED or not read_only() or question is None:
            return {}
        widgets = import_module(_WIDGETS)  # which a kernel of Jupyter may not have, and nothing else here needs
        return dict(widgets.AnswerBox(question).widget._repr_mimebundle_())

    def _repr_html_(self) -> str:
        colour, sign = _LOOKS["right" if self.right else self.slip if self.slip == UNANSWERED else OTHER]
        lines = "<br>".join(map(escape, self.text.splitlines()))
        if self.slip == UNANSWERED and read_only():
            lines += f' <a href="../index.ipynb" style="text-decoration:underline">{escape(SAY("how_to_write"))}</a>'
        box = f"border-left:6px solid {colour};padding:6px 14px;font-size:16px;line-height:1.5"
        return f'<div role="status" style="{box}"><b aria-hidden="true">{sign}</b> {lines}</div>'


def check(exercise_id: str, answer: Any = ...) -> Verdict:
    """Check an answer. Nothing that is answered makes it fail, and no network is asked.

    Parameters
    ----------
    exercise_id : str
        Such as "cards.1".
    answer : object
        What is asked for; left out, ``...`` or None, it is not answered yet.

    Returns
    -------
    Verdict
        True if right. It never holds the answer; after each wrong try it holds the next hint.

    Examples
    --------
    >>> check("cards.2", 12.2).slip
    'percentage'
    """
    try:
        return _checked(str(exercise_id), answer)
    except (Exception, SystemExit):  # an answer may be any object, which may do anything when it is looked at
        return Verdict("", False, "unreadable", SAY("unreadable"))


def _checked(id: str, answer: Any) -> Verdict:
    plain = book.everything().get(id)
    if plain is None:
        return Verdict(id, False, "unknown", unknown(id))
    retest = PROGRESS.retest_of(plain)
    try:
        question = plain.drawn(PROGRESS.seed, retest)
        slip, say, mine = judge(question, answer)
    except DataError:
        return Verdict(id, False, "broken", SAY("broken", id=id))
    if slip == UNANSWERED:
        return Verdict(id, False, slip, say)
    wrong_tries = PROGRESS.note(id, retest, slip, _SHORT.repr(mine))
    if not slip:
        return Verdict(id, True, "", " ".join(filter(None, (SAY("right"), question.after))))
    wrong = " ".join(filter(None, (SAY("wrong"), say)))
    return Verdict(id, False, slip, f"{wrong}\n{_hint(question, wrong_tries)}")


def unknown(id: str) -> str:
    """The sentence on an id that no exercise has."""
    everything = book.everything()
    near = get_close_matches(id[:40], everything, 1, 0) or [next(iter(everything))]
    return SAY("unknown", id=brief(id), near=near[0])


def judge(question: Exercise, answer: Any) -> tuple[str, str, Any]:
    """The slip ("" if right), the sentence on it, and the answer as far as it could be read; DataError if the exercise
    itself cannot be worked out."""
    if _is_blank(answer):
        return UNANSWERED, SAY("read_only" if read_only() else "unanswered"), answer
    try:
        mine = question.kind.read(answer)
    except Misread as error:
        return error.slip, str(error), answer
    if _is_blank(mine):
        return UNANSWERED, SAY("unanswered"), mine
    if question.reference.right(mine):
        return "", "", mine
    for mistake in question.mistakes:
        if mistake.made(mine):
            return mistake.slip, mistake.say, mine
    for name, undo in question.kind.slips.items():
        if question.reference.right(undo(mine)):
            return name, "" if question.kind.tells(name, mine) else SAY(name), mine
    return OTHER, question.reference.remark(mine), mine


def _is_blank(answer: Any) -> bool:
    """Whether an answer, or part of it, is still to be written."""
    parts = answer if isinstance(answer, list | tuple) and answer else [answer]
    return any(part is None or part is ... for part in parts)  # no ==, which arrays understand in ways of their own


def _hint(question: Exercise, number: int) -> str:
    of = len(question.hints)
    if number > of:
        return SAY("no_more_hints")
    return SAY("hint", number=number, of=of, hint=question.hints[number - 1])
