"""The explorer's half without widgets: questions with sliders over every game's exact odds.

>>> from navalkit import explore
>>> explore.answer("lox-sink", ship="QH", torpedoes=2, seen="5C 5D 5H").value
Fraction(43, 141)

A question is data (`Question`); what can be asked of any of them is in `ask`.
"""

from __future__ import annotations
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from navalkit.core import registry
from navalkit.core.errors import OptionError, brief
from navalkit.view.page import Glance
from . import ask
from .ask import Gain, Influence, Inverse
from .question import SAY, Answer, Control, Plot, Proof, Question, Tally

__all__ = [
    "QUESTIONS", "Answer", "Control", "Gain", "Influence", "Inverse", "Plot", "Proof", "Question", "Tally",
    "answer", "gain", "inverse", "opened", "proof", "question", "sensitivity", "simulate",
]


class _Questions(Mapping[str, Question]):
    """Every question by its id, game by game: the ``QUESTIONS`` of the games' packages."""

    def __getitem__(self, id: str) -> Question:
        return self._all()[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> dict[str, Question]:
        games = (registry.package(name) for name in registry.names())
        return {each.id: each for game in games for each in game.offered("QUESTIONS", ())}


QUESTIONS: Mapping[str, Question] = _Questions()


def question(id: str) -> Question:
    """The question of that id; OptionError, with a list, if there is none."""
    if id not in QUESTIONS:
        raise OptionError(SAY("error.question", id=brief(id), ids=", ".join(QUESTIONS)))
    return QUESTIONS[id]


def opened(glance: Glance[Any, Any, Any]) -> str:
    """The query that opens the explorer from a position of a game.

    Parameters
    ----------
    glance : Glance
        What a player may know of the position: nothing else is in the query.

    Returns
    -------
    str
        Such as "?q=lox-sink&ship=QH&seen=5C": of the game's questions the first that arises there, with its settings;
        "" where none does.
    """
    for each in registry.package_of(glance.game).offered("QUESTIONS", ()):
        if each.here is not None and (settings := each.here(glance)) is not None:
            return str(each.link(each.settings(settings)))
    return ""


def answer(id: str, **settings: Any) -> Answer:
    """The exact answer of a question.

    Parameters
    ----------
    id : str
        Such as "lox-sink"; `QUESTIONS` has them all.
    **settings
        Its controls by name; what is left out has its default.

    Returns
    -------
    Answer

    Raises
    ------
    OptionError
        For an unknown question, control or value; the sentence says what there is. What the game itself finds wrong
        (a card seen twice) comes as the game's own error.
    """
    asked = question(id)
    return ask.answer(asked, asked.settings(settings))


def proof(id: str, **settings: Any) -> Proof:
    """What an answer rests on: its rules, and Python that reproduces it without the odds of this library.

    Parameters
    ----------
    id : str
        Of the question.
    **settings
        As `answer` takes them.

    Returns
    -------
    Proof

    Examples
    --------
    >>> print(proof("fleet-torpedoes", tubes=4).code.splitlines()[-1][:22])
    print(Fraction(sum(com
    """
    asked = question(id)
    return asked.proof(asked.settings(settings))


def simulate(id: str, n: int = 20_000, seed: int = 1, **settings: Any) -> Tally:
    """Trials of the question's Monte Carlo twin: ``.mean`` estimates the answer's value, within ``.error``.

    Parameters
    ----------
    id : str
        A key of `QUESTIONS`.
    n : int
        How many trials, 1 or more.
    seed : int
        The same seed gives the same tally.
    **settings
        Of the question; those left out stand as the page opens with them.

    Returns
    -------
    Tally

    Raises
    ------
    OptionError
        If there is no such question or setting, or ``n`` is no whole number from 1 up.

    Examples
    --------
    >>> tally = simulate("lox-sink", 2000, ship="QH", torpedoes=2, seen="5C 5D 5H")
    >>> abs(tally.mean - 43 / 141) < 4 * tally.error
    True
    """
    asked = question(id)
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise OptionError(SAY("error.trials", n=brief(n)))
    return ask.simulate(asked, asked.settings(settings), n, seed)


def inverse(id: str, target: Fraction | float, **settings: Any) -> Inverse:
    """The smallest value of the question's own control that reaches a target: "how many torpedoes for 80 %?".

    Parameters
    ----------
    id : str
        Of the question.
    target : Fraction or float
        A probability, or a number of the answer's unit.
    **settings
        The other controls, as `answer` takes them.

    Returns
    -------
    Inverse
        ``least`` is None if no value reaches the target; ``reached`` is then the most there is.

    Raises
    ------
    OptionError
        If the question has no inverse, or no value of the control goes with the other settings.

    Examples
    --------
    >>> found = inverse("lox-sink", 0.5, ship="QH", seen="5C 5D 5H")
    >>> found.least, found.reached
    (3, Fraction(10555, 17296))
    """
    asked = question(id)
    return ask.inverse(asked, asked.settings(settings), target)


def gain(id: str, **settings: Any) -> tuple[Gain, ...]:
    """What one more torpedo, gun or row brings."""
    asked = question(id)
    return ask.gain(asked, asked.settings(settings))


def sensitivity(id: str, **settings: Any) -> tuple[Influence, ...]:
    """Which control matters most here: the answer a step down and up of each, the greatest change first."""
    asked = question(id)
    return ask.sensitivity(asked, asked.settings(settings))
