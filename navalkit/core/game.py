"""What a game is: eight methods over immutable states, and explicit chance."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, TypeVar

from .event import Event
from .language.rulebook import Rule, home, rulebook
from .luck.dist import Dist
from .luck.seeds import Stream, permutation
from .options import OptionSpec, check_options

CHANCE: Final = -1
"""``turn`` where chance decides."""
TERMINAL: Final = -2
"""``turn`` where the game is over."""

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Transition(Generic[S]):
    """What applying an action gives: the new state, and what happened on the way."""

    state: S
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    Parameters
    ----------
    scores : tuple of float
        One a player, higher is better, in the game's own unit.
    result : str
        One word: "win", "loss", "draw", or the winner's name.
    text : str
        One sentence.
    facts : mapping
        What else the report tells, by name; plain numbers and texts.
    """

    scores: tuple[float, ...]
    result: str
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)


class Draw(Dist[Any]):
    """A chance node: a `Dist` over actions that knows which slot of the seed decides it.

    With ``deck``, the draw is one card of a shuffled deck: ``deck`` holds the actions for all cards, in the
    deck's fixed order, and ``index`` says which place of the shuffled deck is turned up. So a place holds the
    same card whatever was turned up before, and yet no card exists in the state before it is turned.

    Parameters
    ----------
    weights : mapping of action to int, or Dist
        What can happen, as for `Dist`; a ``Dist.uniform`` is the quickest.
    slot : str
        Names what is decided: equal slots of one seed give equal draws.
    deck, index
        See above.
    """

    __slots__ = ("slot", "deck", "index")
    listed: ClassVar[bool] = True
    """Whether its outcomes can be listed; `navalkit.prob.unlisted` has one whose cannot."""

    def __init__(self, weights: Any, *, slot: str, deck: Sequence[Any] = (), index: int = 0) -> None:
        super().__init__(weights)
        self.slot = slot
        self.deck = deck
        self.index = index

    def pick(self, seed: int) -> Any:
        """The action that ``seed`` has in this slot."""
        if self.deck:
            action = self.deck[permutation(seed, self.slot, len(self.deck))[self.index]]
            if action in (self._urn or self):  # the bare urn, if there is one, spares merging it into weights
                return action
            # Only in a record that did not come from its seed: its cards are not where the seed put them.
        return self.sample(Stream(seed, f"{self.slot} {self.index}"))


class Game(ABC, Generic[S, A]):
    """A game with its options. Subclasses give eight methods, a notation and a few words about themselves.

    States and actions are frozen values; players are numbered from 0.

    Parameters
    ----------
    **options
        See ``specs``.

    Raises
    ------
    OptionError
        For an unknown option or a value out of range.
    """

    name: ClassVar[str]
    """As in ``navalkit.load`` ("uss-lox")."""
    title: ClassVar[str]
    blurb: ClassVar[str]
    """One line for the lobby."""
    rules_version: ClassVar[str] = "1"
    """Of its rules and data: a record carries it, and one of another version is refused. From the first release on, a
    change after which a record might play differently (of a rule, a figure, a scenario, a notation) gives the game's
    class the next number. If an earlier version is to stay playable, all that was different is one subclass in one
    module; rules, states and data never ask for a version."""
    players: ClassVar[tuple[str, ...]] = ("captain",)
    specs: ClassVar[tuple[OptionSpec, ...]] = ()
    automatic: ClassVar[frozenset[int]] = frozenset()
    """Players whose one legal action is prescribed; `Match` plays it for them."""
    hides: ClassVar[bool] = False
    """Whether the actions or the seed of an unfinished game tell what a player must not know."""

    def __init__(self, /, **options: Any) -> None:
        self.options: Mapping[str, Any] = check_options(self.name, self.specs, options)

    # The protocol --------------------------------------------------------------------------------------

    @abstractmethod
    def initial(self) -> S:
        """The state before the first action."""

    @abstractmethod
    def turn(self, state: S) -> int:
        """Whose turn it is: a player's number, `CHANCE` or `TERMINAL`."""

    @abstractmethod
    def legal(self, state: S) -> tuple[A, ...]:
        """What the player on turn may do; empty when it is chance's turn or the game is over."""

    def tells(self, action: A) -> bool:
        """Whether giving this action may tell its player something hidden; then to take it back is to peek."""
        return self.hides

    @abstractmethod
    def why_not(self, state: S, action: A) -> str | None:
        """None if ``action`` may be applied now (chance's on chance's turn), else one sentence why not."""

    @abstractmethod
    def chance(self, state: S) -> Draw:
        """The distribution over actions on chance's turn."""

    @abstractmethod
    def apply(self, state: S, action: A) -> Transition[S]:
        """The state after ``action`` and the events on the way; IllegalActionError with the sentence of ``why_not``."""

    @abstractmethod
    def observe(self, state: S, player: int) -> Any:
        """What ``player`` may know of the state. Where nothing is hidden it is the state itself."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    # Notation ------------------------------------------------------------------------------------------

    @abstractmethod
    def parse_action(self, text: str) -> A:
        """The action of that notation (NotationError if it is none)."""

    def format_action(self, action: A) -> str:
        """The notation of an action: its str()."""
        return str(action)

    @abstractmethod
    def parse_state(self, text: str) -> S:
        """The state of that notation (NotationError if it is none)."""

    @abstractmethod
    def format_state(self, state: S) -> str:
        """The notation of a state."""

    # About the game ------------------------------------------------------------------------------------

    def rules(self) -> Mapping[str, Rule]:
        """Rules by id, from the RULES.md of the game's package."""
        return rulebook(self.package)

    @property
    def package(self) -> str:
        """The package that holds everything of the game ("navalkit.games.uss_lox"): the nearest one around its class,
        or around the class this one is made from, with a RULES.md."""
        return next(filter(None, (home(cls.__module__) for cls in type(self).__mro__)), type(self).__module__)

    @property
    def chosen(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        return {spec.name: self.options[spec.name] for spec in self.specs if self.options[spec.name] != spec.default}

    @property
    def deciders(self) -> int:
        """How many players decide something: all but the automatic ones."""
        return len(self.players) - len(self.automatic)

    def __repr__(self) -> str:
        return f"<{' '.join([self.name, *(f'{name}={value!r}' for name, value in self.chosen.items())])}>"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Game) and other.options == self.options

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.options.items())))

    def __reduce__(self) -> Any:
        return _remake, (type(self), dict(self.options))


def _remake(cls: type[Game[Any, Any]], options: dict[str, Any]) -> Game[Any, Any]:
    return cls(**options)
