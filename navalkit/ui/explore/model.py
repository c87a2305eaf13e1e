"""What the explorer is at: the question, its settings, what is pinned, the target. No widgets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from navalkit.core.options import OptionSpec
from navalkit.explore import QUESTIONS, Answer, Question, question
from navalkit.explore.controls import Marks

from ..files import asked
from ..model import Model

_AIM = "aim"  # what a link calls the target: some questions have a control of that name


@dataclass(frozen=True)
class Pinned:
    """A setting kept to compare with, and its answer."""

    question: Question
    settings: dict[str, Any]
    answer: Answer


@dataclass(eq=False)
class ExploreModel(Model):
    """One reader's explorer."""

    question: Question = field(default_factory=lambda: next(iter(QUESTIONS.values())))
    all_settings: dict[str, dict[str, Any]] = field(
        default_factory=lambda: {id: each.settings() for id, each in QUESTIONS.items()}
    )
    targets: dict[str, int] = field(default_factory=lambda: {id: each.targets[2] for id, each in QUESTIONS.items()})
    pinned: Pinned | None = None

    @property
    def languages(self) -> tuple[str, ...]:
        """Those of the present question."""
        return self.question.words.languages

    @property
    def settings(self) -> dict[str, Any]:
        """The present question's settings."""
        return self.all_settings[self.question.id]

    @property
    def target(self) -> int:
        """What the inverse question asks for: percent, or the answer's unit."""
        return self.targets[self.question.id]

    # What the reader does ------------------------------------------------------------------------------------------

    def choose(self, id: str) -> None:
        """Turn to a question; each keeps its own settings."""
        self.question = question(id)
        if self.pinned and self.pinned.question is not self.question:
            self.pinned = None
        self.say("")

    def set(self, name: str, value: Any) -> None:
        """Move one control."""
        self.all_settings[self.question.id] = {**self.settings, name: self.question.control(name).check(value)}
        self.say("")

    def mark(self, name: str, cell: str, by: int) -> None:
        """Take a cell of a board of marks to its next mark, or by some marks further."""
        control = self.question.control(name)
        assert isinstance(control, Marks)
        levels = control.levels(self.settings[name])
        levels[cell] = (levels.get(cell, 0) + by) % len(control.marks)
        self.set(name, control.write(levels))

    def aim(self, target: int) -> None:
        """Ask the inverse question for another target."""
        self.targets[self.question.id] = target
        self.say("")

    def reset(self) -> None:
        """All controls back to their defaults."""
        self.all_settings[self.question.id] = self.question.settings()
        self.say("")

    def pin(self, answer: Answer) -> None:
        """Keep the present setting and its answer, to compare with."""
        self.pinned = Pinned(self.question, self.settings, answer)
        self.say("")

    def unpin(self) -> None:
        """Let the pinned setting go."""
        self.pinned = None
        self.say("")

    # Links ---------------------------------------------------------------------------------------------------------

    def link(self) -> str:
        """A query that brings back the question, and every control and the target if it is not at its default."""
        own = {
            control.name: control.text(self.settings[control.name])
            for control in self.question.controls
            if self.settings[control.name] != control.default
        }
        aim = {_AIM: str(self.target)} if self.target != self.question.targets[2] else {}
        return "?" + urlencode({"q": self.question.id} | own | aim)

    def open_query(self, query: str) -> None:
        """What a page's address asks for; OptionError for a link that is wrong, and nothing is changed."""
        words, _ = asked(query)
        chosen = question(words.pop("q")) if "q" in words else self.question
        names = {control.name for control in chosen.controls}
        settings = chosen.settings({name: value for name, value in words.items() if name in names})
        low, high, usual = chosen.targets
        aim = int(OptionSpec(_AIM, usual, "target", "", low, high).check(words.get(_AIM, usual)))
        self.question = chosen
        self.all_settings[chosen.id], self.targets[chosen.id] = settings, aim
        self.say("")
