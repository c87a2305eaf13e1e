"""What a class may try: predict a decision, on its own screens or at the page, or suppose something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from navalkit.core.errors import OptionError
from navalkit.view.questions import Question, Result

from .told import Change, Moment
from .walk import Walk


class Voter(Protocol):
    """Those who answer a question."""

    def ask(self, question: Question, changed: Callable[[], None]) -> None:
        """Put a question; ``changed`` is called whenever an answer comes or changes."""

    def answers(self) -> Mapping[str, str]:
        """The answers so far: who -> id of a choice."""

    def close(self) -> Mapping[str, str]:
        """The answers as they are now; from here on none is taken."""


class Hand:
    """One person at the page, who may choose anew until the answer is confirmed."""

    def __init__(self) -> None:
        self.choice = ""
        self._changed: Callable[[], None] = lambda: None

    def ask(self, question: Question, changed: Callable[[], None]) -> None:
        self.choice, self._changed = "", changed

    def choose(self, choice: str) -> None:
        """Answer, or answer something else; "" takes the answer back."""
        self.choice = choice
        self._changed()

    def answers(self) -> Mapping[str, str]:
        return {"": self.choice} if self.choice else {}

    def close(self) -> Mapping[str, str]:
        return self.answers()


@dataclass(frozen=True, slots=True)
class Guess:
    """What was predicted of a decision, and what it was."""

    question: Question
    result: Result
    votes: Counter[str]
    """How many gave each answer."""
    shared: bool
    """Whether a class answered, not one person."""

    @property
    def right(self) -> int:
        """Answers that were right."""
        return sum(self.votes[answer] for answer in self.result.right)

    def off(self, walk: Walk[Any, Any, Any], answer: str) -> int | None:
        """How far off an answer was, where that can be said."""
        return min((off for right in self.result.right if (off := walk.off(answer, right)) is not None), default=None)


class Asking:
    """The question of the moment, who answers it, and what was answered before in this show.

    ``changed`` is called when an answer comes.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self.hand = Hand()
        self.room: Voter | None = None
        """A class that answers on its own screens."""
        self.kind = ""
        """Which question is asked; "" is the walk's first."""
        self.question: Question | None = None
        """What is asked now."""
        self.guesses: dict[int, Guess] = {}
        """By the index of the moment."""

    @property
    def voter(self) -> Voter:
        """Who is asked."""
        return self.room or self.hand

    def put(self, walk: Walk[Any, Any, Any], game: Any, moment: Moment[Any], where: str) -> None:
        """Ask about a moment; a question that is open goes on. ``where``: what tells the moment from all others."""
        kind = self.kind or walk.asks[0]
        key = f"{where}&ask={kind}"
        if self.question is None or self.question.key != key:
            self.question = replace(walk.ask(kind, game, moment, moment.who), key=key)
            self.voter.ask(self.question, self._changed)

    def close(self, walk: Walk[Any, Any, Any], nobody: bool) -> tuple[Question, Counter[str]] | None:
        """Take no more answers: the question, and how many gave each answer; None if nothing is asked. OptionError if
        there are no answers, unless ``nobody`` need answer."""
        if self.question is None:
            return None
        if not self.voter.answers() and not nobody:
            raise OptionError(walk.say("predict.unanswered"))
        return self.question, Counter(self.voter.close().values())

    def note(self, at: int, question: Question, votes: Counter[str], result: Result) -> None:
        """Remember what came of a question."""
        self.guesses[at] = Guess(question, result, votes, self.room is not None)
        self.question = None

    def seen(self, at: int, asked: bool) -> Mapping[str, int]:
        """The answers to be seen on the board: a class's once they are closed; one person's own counts 0."""
        if guess := self.guesses.get(at):
            return guess.votes if guess.shared else dict.fromkeys(guess.votes, 0)
        return dict.fromkeys(self.hand.answers().values(), 0) if asked and self.room is None else {}

    def _made(self, walk: Walk[Any, Any, Any]) -> list[Guess]:
        """The predictions of what is asked in "Predict"."""
        return [guess for guess in self.guesses.values() if guess.question.kind == walk.asks[0]]

    def score(self, walk: Walk[Any, Any, Any]) -> tuple[int, int]:
        """Predictions that were right, and all of them."""
        made = self._made(walk)
        return sum(guess.right for guess in made), sum(guess.votes.total() for guess in made)

    def near(self, walk: Walk[Any, Any, Any]) -> int | None:
        """Predictions that were at most one off; None where there is nothing between right and wrong."""
        offs = [(n, guess.off(walk, vote)) for guess in self._made(walk) for vote, n in guess.votes.items()]
        told = [(n, off) for n, off in offs if off is not None]
        return sum(n for n, off in told if off <= 1) if told else None

    def told(self, at: int, walk: Walk[Any, Any, Any]) -> str:
        """What came of a question, in a sentence; "" if none was closed there."""
        guess = self.guesses.get(at)
        if guess is None:
            return ""
        if guess.question.kind != walk.asks[0]:
            return guess.result.text
        most = max(guess.votes.values(), default=0)
        commonest = [answer for answer, n in guess.votes.items() if n == most]
        off = min((off for answer in commonest if (off := guess.off(walk, answer)) is not None), default=0)
        hit = any(answer in guess.result.right for answer in commonest)
        key = "predict.class" if guess.shared else "predict.hit" if hit else "predict.off"
        ends, of = next(iter(guess.result.right), ""), guess.votes.total()
        return walk.say(key, off=off, ends=ends, right=guess.right, of=of, told=guess.result.text)


class Supposing:
    """What is supposed in place of what is: another state, another captain, a piece elsewhere."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Nothing."""
        self.state: Any = None
        """The state once something was changed in it."""
        self.captain = ""
        """The player who decides, if another one does."""
        self.piece: Any = None
        """What is being put elsewhere."""
        self.dragged = False
        """Whether it was dragged since it was lifted: then the next press does not put it down once more."""

    @property
    def key(self) -> tuple[Any, str]:
        """What a decision depends on besides its moment."""
        return self.state, self.captain

    @property
    def anything(self) -> bool:
        """Whether something is supposed."""
        return self.state is not None or bool(self.captain)

    def change(self, walk: Walk[Any, Any, Any], game: Any, moment: Moment[Any], who: str, change: Change) -> None:
        """Suppose something that the walk offers."""
        if change.captain:
            self.captain = change.captain
        else:
            here = moment.state if self.state is None else self.state
            self.state = walk.suppose(game, here, moment, who, change.key, self.piece)

    def put(self, walk: Walk[Any, Any, Any], state: Any, cell: str) -> None:
        """Have the piece elsewhere."""
        self.state = walk.put(state, self.piece, cell)
