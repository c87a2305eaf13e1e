"""Why a player or a machine did what it did: reasons as data, sentences as a view of them.

A `Decision` is a tree. Its findings say which rules were asked and what they answered, its options say what
else was weighed and which rule rejected it, and facts may carry marks, so that a board can draw the evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, Generic

from .game import A
from .language.words import Text, odds
from .shown import Shown


@dataclass(frozen=True, slots=True)
class Mark:
    """Evidence to draw: ``kind`` is "cell", "line" or "dice", ``at`` the cell ids it touches.

    ``worth`` is the number on it, where it is one that is summed with others.
    """

    kind: str
    at: tuple[str, ...]
    label: str = ""
    worth: float | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A named value a reason rests on, with the marks that show it."""

    name: Text
    value: Any
    marks: tuple[Mark, ...] = ()

    def __str__(self) -> str:
        value = self.value
        return f"{self.name} {odds(value) if isinstance(value, Fraction) and 0 <= value <= 1 else value}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One question put to one rule, and its answer.

    Parameters
    ----------
    rule : str
        Id of the rule asked.
    question : str or Phrase
        What was asked.
    verdict : str or Phrase
        What the rule answered, as a sentence.
    facts : tuple of Fact
        What the answer rests on.
    children : tuple of Finding
        The findings this one was made from.
    """

    rule: str
    question: Text
    verdict: Text
    facts: tuple[Fact, ...] = ()
    children: tuple[Finding, ...] = ()

    def lines(self, depth: int = 0) -> Iterator[str]:
        """The finding and what lies under it, one line each, indented by depth."""
        yield f"{'  ' * depth}{self.question} {self.verdict} [{self.rule}]"
        for child in self.children:
            yield from child.lines(depth + 1)

    def marks(self) -> Iterator[Mark]:
        """All marks of this finding and those under it."""
        for fact in self.facts:
            yield from fact.marks
        for child in self.children:
            yield from child.marks()


@dataclass(frozen=True, slots=True, repr=False)
class Option(Generic[A]):
    """An action that was weighed.

    Parameters
    ----------
    action : object
        The action; its str() is its notation.
    value : Fraction, float or None
        What it was judged worth, in the unit the decision names.
    facts : tuple of Fact
        The odds and figures behind the value.
    rejected : str or Phrase
        Why it was not taken, or "" for the one that was.
    rule : str
        Id of the rule that rejected it, where one did.
    """

    action: A
    value: Fraction | float | None = None
    facts: tuple[Fact, ...] = ()
    rejected: Text = ""
    rule: str = ""

    def __str__(self) -> str:
        return self.told(str(self.action))

    def __repr__(self) -> str:
        return f"<Option {self}>"

    def told(self, action: str) -> str:
        """The option as a line, its action in these words."""
        facts = ", ".join(str(fact) for fact in self.facts)
        head = action + (f": {facts}" if facts else "")
        return head + (f" — {self.rejected}" + (f" [{self.rule}]" if self.rule else "") if self.rejected else "")


@dataclass(frozen=True, slots=True, repr=False)
class Decision(Shown, Generic[A]):
    """What a player chose, and why.

    Parameters
    ----------
    action : object
        The action chosen.
    by : str
        Who decided.
    reason : str or Phrase
        The one sentence that sums it up.
    findings : tuple of Finding
        The rules asked, in order.
    options : tuple of Option
        All that was weighed, the chosen one among them, best first.
    unit : str or Phrase
        What the options' values are measured in ("t", "chance of a hit").
    """

    action: A
    by: str
    reason: Text
    findings: tuple[Finding, ...] = ()
    options: tuple[Option[A], ...] = ()
    unit: Text = ""

    def __repr__(self) -> str:
        return f"<Decision of {self.by}: {self.action}. {self.reason}>"

    def explain(self) -> str:
        """The decision as plain sentences; the same decision always gives the same text."""
        lines = [f"{self.by}: {self.action}. {self.reason}"]
        for finding in self.findings:
            lines.extend(finding.lines(1))
        lines.extend(f"  - {line}" for line, _chosen in self.weighed())
        return "\n".join(lines)

    def weighed(self, spoken: Callable[[Any], str] = str) -> Iterator[tuple[str, bool]]:
        """Each option as a line, its action as ``spoken`` says it, and whether it was the one taken; options that
        differ in nothing but the action share a line."""
        for _, group in groupby(
            self.options, key=lambda o: (o.value, o.facts, o.rejected, o.rule, o.action == self.action)
        ):
            first, *others = group
            names = ", ".join(spoken(option.action) for option in (first, *others))
            yield first.told(names), first.action == self.action

    def marks(self) -> tuple[Mark, ...]:
        """All evidence, to be drawn on the board."""
        own = [mark for option in self.options for fact in option.facts for mark in fact.marks]
        return tuple(mark for finding in self.findings for mark in finding.marks()) + tuple(own)
