"""Why a player or a machine did what it did: reasons as data, sentences as a view of them.

A `Decision` is a tree. Its findings say which rules were asked and what they answered, its options say what
else was weighed and which rule rejected it, and facts may carry marks, so that a board can draw the evidence.
"""

from __future__ import annotations
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, Generic, Protocol, runtime_checkable

import numpy as np
from typing_extensions import TypeVar

from .awaited import Steps
from .game import A
from .shown import Shown
from .words import Text, odds

__all__ = ["Curt", "Decision", "Fact", "Finding", "Machine", "Mark", "Option", "Player", "Thinker", "Weigher"]


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
        for _, group in groupby(self.options,
                                key=lambda o: (o.value, o.facts, o.rejected, o.rule, o.action == self.action)):
            first, *others = group
            names = ", ".join(spoken(option.action) for option in (first, *others))
            yield first.told(names), first.action == self.action

    def marks(self) -> tuple[Mark, ...]:
        """All evidence, to be drawn on the board."""
        own = [mark for option in self.options for fact in option.facts for mark in fact.marks]
        return tuple(mark for finding in self.findings for mark in finding.marks()) + tuple(own)


# -- What every machine player implements ----------------------------------------------------------

O_in = TypeVar("O_in", contravariant=True, default=Any)
"""What a player sees."""
A_in = TypeVar("A_in", contravariant=True, default=Any)
"""What it may do."""


Luck = np.random.Generator | None
"""Where a player's own chance comes from; None is a fresh generator."""


class Player(Protocol[O_in, A_in]):
    """Chooses one of the legal actions from what it may see. A player of your own needs no more than this: a method of
    that name with three places, called as you like. The library plays with `Machine`, which `navalkit.player` makes of
    it."""

    def decide(self, observation: O_in, legal: Sequence[A_in], rng: np.random.Generator, /) -> Any:
        """The action it takes.

        Parameters
        ----------
        observation : object
            What ``game.observe(state, player)`` gave; never the state of a game that hides something.
        legal : sequence of actions
            Not empty.
        rng : numpy Generator
            For players that need chance of their own.

        Returns
        -------
        Decision, action or str
            One of the legal actions with its reasons, the action alone, or its notation.
        """
        ...


class Machine(Player[O_in, A], Protocol[O_in, A]):
    """A player as the library plays with it: it has a name and gives reasons. One that draws nothing by chance needs no
    generator, another then takes a fresh one."""

    name: str

    def decide(self, observation: O_in, legal: Sequence[A], rng: Luck = None, /) -> Decision[A]:
        """As `Player.decide`; always a decision.

        Raises
        ------
        IllegalActionError
            If it is not the turn of whose observation it is, or a player of somebody's own chose what is not legal.
        PlayerError
            If a player of somebody's own failed.
        """
        ...


@runtime_checkable
class Thinker(Machine, Protocol):
    """A player who may need more than 20 ms, and so can be asked to decide a step at a time."""

    def think(self, observation: Any, legal: Sequence[Any], rng: np.random.Generator) -> Steps[Decision]:
        """As `Player.decide`, in steps (`navalkit.core.awaited`)."""
        ...


@runtime_checkable
class Teller(Machine, Protocol):
    """A player whose numbers a page shows too, and who tells those where it is asked for advice."""

    def telling(self, observation: Any, legal: Sequence[Any], rng: np.random.Generator) -> Steps[Decision]:
        """The decision of `Player.decide`, in steps, told with the page's numbers."""
        ...


@runtime_checkable
class Weigher(Machine, Protocol):
    """A player whose decision does not tell of every legal action, but who says what any is worth when asked."""

    def weigh(self, observation: Any, legal: Sequence[Any], actions: Sequence[Any]) -> Steps[Sequence[Option]]:
        """What actions are worth to it, in steps.

        Parameters
        ----------
        observation, legal
            As `Player.decide` takes them.
        actions : sequence of actions
            Some of the legal ones.

        Returns
        -------
        steps of a sequence of Option
            One for each action, with its value, its facts, and why it is not taken.

        Examples
        --------
        >>> from navalkit import Match, player
        >>> from navalkit.core.awaited import finish
        >>> match = Match.new("task-force", seed=1)
        >>> hunter = player("hunter", match.game)
        >>> (option,) = finish(hunter.weigh(match.observe(), match.legal(), match.legal()[-1:]))
        >>> option.rule
        'T7'
        """
        ...


class Curt(Machine, Protocol):
    """A player who can give orders without reasons, many times as fast: for games that are only played out."""

    def order(self, observation: Any, legal: Callable[[], Sequence[Any]], rng: np.random.Generator) -> Any:
        """An order as `decide` might give it, by the same chances, though not by the same draws.

        Parameters
        ----------
        observation, rng
            As `Player.decide` takes them.
        legal : callable
            Lists the legal actions, for who has to look at all.

        Returns
        -------
        object
            One of the legal actions.

        Examples
        --------
        >>> import numpy as np
        >>> from navalkit import Match, load, player
        >>> match = Match.new(load("on-patrol", scenario="lone-merchant"), seed=1)
        >>> skipper = player("skipper", match.game)
        >>> order = skipper.order(match.observe(), match.legal, np.random.default_rng(0))
        >>> order == skipper.decide(match.observe(), match.legal()).action
        True
        """
        ...


def ordered(player: Machine, observation: Any, legal: Callable[[], Sequence[Any]], rng: np.random.Generator) -> Any:
    """The action of any player, without reasons where that is quicker.

    Parameters
    ----------
    player : Machine
    observation, legal, rng
        As `Curt.order` takes them.

    Returns
    -------
    object
        One of the legal actions.

    Examples
    --------
    >>> from navalkit import Match, player
    >>> match, rng = Match.new("task-force", seed=1), np.random.default_rng(0)
    >>> action = ordered(player("hunter", match.game), match.observe(), match.legal, rng)
    >>> action in match.legal()
    True
    """
    order = getattr(player, "order", None)  # a runtime check of the protocol takes longer than many an order
    return order(observation, legal, rng) if order else player.decide(observation, legal(), rng).action


def thinking(player: Machine, observation: Any, legal: Sequence[Any], rng: np.random.Generator) -> Steps[Decision]:
    """The decision of any player in steps: of one who needs no time in a single one.

    Parameters
    ----------
    player : Machine
    observation, legal, rng
        As `Player.decide` takes them.

    Returns
    -------
    Steps of Decision

    Examples
    --------
    >>> from navalkit import Match
    >>> from navalkit.core.awaited import finish
    >>> from navalkit.players import player
    >>> match, rng = Match.new("uss-lox", seed=1), np.random.default_rng(0)
    >>> str(finish(thinking(player("random", "uss-lox"), match.observe(0), match.legal(), rng)).action)
    'flip B3'
    """
    if isinstance(player, Thinker):
        return (yield from player.think(observation, legal, rng))
    return player.decide(observation, legal, rng)
