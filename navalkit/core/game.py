"""What a game is: eight methods over immutable states, and explicit chance."""

from __future__ import annotations
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic

from typing_extensions import TypeVar

from .dist import Dist
from .errors import OptionError, brief
from .files import PACKED, Rule, home, rulebook, sourced, unpacked
from .seeds import Stream, permutation
from .words import SAY, Event, Said, Text, suggested, voice

if TYPE_CHECKING:
    from .words import Text

__all__ = ["CHANCE", "TERMINAL", "Draw", "Game", "OptionSpec", "Outcome", "Transition"]


# -- A game's options: names, defaults and ranges, checked in one place ----------------------------

MOST_PACKED = 200_000  # bytes of a text that a link has packed
_BOOLS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a game."""

    name: str
    """As written in Python and in records."""
    default: bool | int | str
    """Its value when nothing is said; its type is the option's type."""
    label: Text
    """What a page writes beside it."""
    help: Text
    """One sentence on what it does."""
    low: int | None = None
    high: int | None = None
    """Inclusive range of a whole number."""
    choices: tuple[str, ...] = ()
    """The values of a text option; with ``read`` those that a page offers first."""
    read: Callable[[str], str] | None = None
    """For a text option of endless values: text -> the same value in its one standard form, so that equal values are
    equal texts. Raises OptionError with the reason for a text it cannot take."""
    form: str = ""
    """What ``read`` takes, in words."""
    long: bool = False
    """Whether the text has many lines, as a file has."""
    tongues: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Label and help in other languages ("de")."""

    def told(self, name: str) -> str:
        """Its ``label`` or ``help``, for the present reader."""
        return self.tongues.get(voice().lang, {}).get(name) or str(getattr(self, name))

    def values(self) -> str:
        """The valid values in words."""
        if isinstance(self.default, bool):
            return SAY("options.true_false")
        if isinstance(self.default, int):
            return SAY("options.whole_number", low=self.low, high=self.high)
        if self.read:  # its form may have been said when its game was imported, to another reader
            return self.form.anew() if isinstance(self.form, Said) else self.form
        return SAY("options.one_of") + ", ".join(self.choices)

    def check(self, value: Any) -> bool | int | str:
        """``value`` if it is valid (texts such as "yes" or "12" are read); OptionError otherwise."""
        if isinstance(value, str) and not isinstance(self.default, str):
            value = self._read(value)
        if isinstance(self.default, bool):
            ok = isinstance(value, bool)
        elif isinstance(self.default, int):
            low, high = self.low, self.high
            ok = type(value) is int and low is not None and high is not None and low <= value <= high
        elif self.read and isinstance(value, str):
            try:
                return self.read(_unlinked(value))
            except OptionError as error:
                wrong = brief(value)
                said = SAY("options.wrong", name=self.name, values=self.values(), value=wrong, near="").rstrip(".")
                raise OptionError(f"{said}: {error}") from None
        else:
            ok = value in self.choices
        if not ok:
            wrong, meant = brief(value), suggested(value, self.choices)
            raise OptionError(SAY("options.wrong", name=self.name, values=self.values(), value=wrong, near=meant))
        return value  # type: ignore[no-any-return]

    def _read(self, text: str) -> Any:
        word = text.strip().lower()
        if isinstance(self.default, bool):
            return _BOOLS.get(word, text)
        return int(word) if word.isascii() and word.isdigit() and len(word) < 10 else text


def _unlinked(value: str) -> str:
    """A text as it is, or as it was before it was packed for a link; OptionError if that is damaged."""
    try:
        return unpacked(value.removeprefix(PACKED), MOST_PACKED) if value.startswith(PACKED) else value
    except ValueError:
        raise OptionError(SAY("options.damaged")) from None


def read_options(rows: Iterable[dict[str, Any]], **more: Mapping[str, Any]) -> tuple[OptionSpec, ...]:
    """The options in the rows of a game's TOML; ``more`` adds fields to some by name, such as readers of texts."""
    found = (sourced(row, f"option {row.get('name')}") for row in rows)
    known = {each.name for each in fields(OptionSpec)}
    return tuple(OptionSpec(**{**{name: value for name, value in row.items() if name in known},
                               "choices": tuple(row.get("choices", ())),
                               "tongues": {name: value for name, value in row.items() if name not in known},
                               **more.get(row["name"], {})})
                 for row in found)


def check_options(owner: str, specs: Sequence[OptionSpec], given: Mapping[str, Any]) -> Mapping[str, Any]:
    """All options of ``owner`` with their values, defaults filled in; OptionError for an unknown name (the sentence
    lists the valid ones) or a value out of range."""
    known = {spec.name: spec for spec in specs}
    for name in given:
        if name not in known:
            valid = ", ".join(f"{spec.name} ({spec.values()})" for spec in specs) or "–"
            meant = suggested(name, known)
            raise OptionError(SAY("options.unknown", owner=owner, name=brief(name), near=meant, valid=valid))
    return MappingProxyType({name: spec.check(given.get(name, spec.default)) for name, spec in known.items()})


CHANCE: Final = -1
"""``turn`` where chance decides."""
TERMINAL: Final = -2
"""``turn`` where the game is over."""

S = TypeVar("S", bound=Hashable, default=Any)
"""What a game's states are."""
A = TypeVar("A", bound=Hashable, default=Any)
"""What its actions are."""
O = TypeVar("O", default=Any)  # noqa: E741
"""What its players see: its observations."""


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
    """Whether its outcomes can be listed; `navalkit.prob.placements` has one whose cannot."""

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


Permute = Callable[[Any, int, Any], Any]
"""(state, player, numpy generator) -> a state that differs only in what the player cannot see."""


class Game(ABC, Generic[S, A, O]):
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
    blurb: ClassVar[Text]
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

    @property
    def sides(self) -> tuple[str, ...]:
        """What its players are called here, the first first: a scenario may have names of its own."""
        return self.players

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
    def observe(self, state: S, player: int) -> O:
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
        return partial(type(self), **self.options), ()
