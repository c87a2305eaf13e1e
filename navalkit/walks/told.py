"""What there is to see of a decision: moments of a match, lines that tell it, and all that a board is drawn from."""

from __future__ import annotations
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from navalkit.core.awaited import Steps
from navalkit.core.trace import Decision, Machine, Option, Weigher
from navalkit.core.words import Event, Voice, voice
from navalkit.view.page import Glance
from navalkit.view.scene import Picks, Scene

if TYPE_CHECKING:
    from .walk import Walk

S = TypeVar("S")
D = TypeVar("D", bound=Decision)


@dataclass(frozen=True, slots=True)
class Moment(Generic[S]):
    """One moment of a match."""

    ply: int
    """Actions that led here."""
    state: S
    by: int
    """Who did the last of them: a player, or `CHANCE`; at the start, chance."""
    action: Any
    """The last of them; None at the start."""
    events: tuple[Event, ...]
    """What came of it."""
    who: str
    """Who decides next, by a name that readers know; "" where nobody does."""
    seat: int
    """The player through whose eyes it is seen: who decides, or will decide next."""
    turn: int
    phase: Hashable
    keys: tuple[str, ...] = ()
    """What there is of note in the events, each once, the gravest last (`Walk.keys`)."""
    captain: str = ""
    """The machine player who decides, or in a person's place explains; "" where the rules decide."""
    person: bool = False
    """Whether a person decides: then the decision explained is the captain's, not theirs."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a decision."""

    kind: str
    """"finding", "rejected" or "move"."""
    rule: str
    """Id of the rule, "" where none is named."""
    ask: str
    text: str
    """What was asked, and the answer."""
    cells: tuple[str, ...] = ()
    """Ids of the board's cells that are the evidence."""
    topic: str = ""
    """What it is about ("target")."""
    parts: tuple[Line, ...] = ()
    """What it is made of: a count that opens."""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that may be supposed."""

    key: str
    label: str
    help: str = ""
    group: str = ""
    """Changes of one group stand together."""
    captain: str = ""
    """The player who decides instead; "" where the position is another."""


class Difference(NamedTuple):
    """One field of two decisions."""

    field: str
    before: str
    after: str

    @property
    def changed(self) -> bool:
        """Whether the two say different things."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the rules, with the rows that apply now."""

    name: str
    """What its tab says."""
    title: str
    origin: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    fired: frozenset[int] = frozenset()
    """Numbers of the rows that apply."""
    cell: tuple[int, int] | None = None
    """The one cell that applies, (row, column), where one does."""
    note: str = ""


class Ending(NamedTuple):
    """How a match ended."""

    head: str
    lines: tuple[str, ...]
    at: int
    """The moment that decided it."""


class Term(NamedTuple):
    """The entry of a term: a sentence, and a picture as SVG or ""."""

    text: str
    svg: str


@dataclass(frozen=True, eq=False)
class Told(Generic[S, D]):
    """A decision, and what it was made on."""

    walk: Walk[Any, S, D]
    game: Any
    moment: Moment[S]
    who: str
    state: S
    """The moment's, or one that is supposed."""
    decision: D
    captain: str
    """Who decided: a machine player's name, or "" for the rules."""
    player: Machine | None = None
    _known: dict[str, Option] = field(default_factory=dict, repr=False)
    _lines: dict[Voice, tuple[Line, ...]] = field(default_factory=dict, repr=False)

    @cached_property
    def glance(self) -> Glance[Any, Any, Any]:
        """The position as the side that decides sees it."""
        return self.walk.glance(self.game, self.state, self.moment.seat)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The decision in lines, the order itself last, for the present reader: readers share what is explained."""
        to = voice()
        if to not in self._lines:
            self._lines[to] = tuple(self.walk.lines(self))
        return self._lines[to]

    @property
    def right(self) -> str:
        """The answer that it is."""
        return self.walk.answer(self.game, self.decision.action)

    @cached_property
    def as_good(self) -> tuple[str, ...]:
        """The answer that it is, and those that were worth exactly as much: to predict one of them is right too."""
        values = {self.walk.answer(self.game, each.action): each.value for each in reversed(self.decision.options)}
        worth = values.get(self.right)
        equal = (answer for answer, value in values.items() if worth is not None and value == worth)
        return tuple(dict.fromkeys((self.right, *equal)))

    @property
    def played(self) -> bool:
        """Whether this is what was really done."""
        return self.state == self.moment.state and self.captain == self.moment.captain and not self.moment.person

    def weighing(self, answers: Sequence[str]) -> Steps[Mapping[str, Option]]:
        """What each answer was worth: as the decision says, and of the others as its player says when asked. An answer
        of which neither says anything is left out."""
        known, game, walk = self._known, self.game, self.walk
        if not known:
            for option in self.decision.options:
                known.setdefault(walk.answer(game, option.action), option)
        if isinstance(self.player, Weigher) and (wanted := set(answers) - known.keys()):
            legal = game.legal(self.state)
            actions = [action for action in legal if walk.answer(game, action) in wanted]
            found = yield from self.player.weigh(self.glance.seen, legal, actions)
            for option in sorted(found, key=lambda option: -float(option.value or 0.0)):
                known.setdefault(walk.answer(game, option.action), option)
        return {answer: known[answer] for answer in answers if answer in known}


@dataclass(frozen=True, eq=False)
class Sight(Generic[S]):
    """What is to be seen at one step, all that a board is drawn from."""

    game: Any
    row: Sequence[Moment[S]]
    at: int
    who: str
    """Whose decision is shown, "" if none is."""
    state: S
    """The sea looked at, with what was supposed of it."""
    told: Told[S, Any] | None = None
    """None while it is asked for, or awaited, and where nobody decides."""
    before: Told[S, Any] | None = None
    """The decision as it is, while something else is supposed."""
    asked: bool = False
    """Whether it is to be predicted: then nothing that is seen depends on it."""
    supposing: bool = False
    """Whether pieces may be put elsewhere."""
    ended: bool = False
    """Whether this is the end of a whole match."""
    complete: bool = False
    """Whether all lines of the decision are told, the order too."""
    lit: tuple[str, ...] = ()
    """Ids of the cells that the lit line points to."""
    layers: frozenset[str] = frozenset()
    """The layers of evidence to draw (`Walk.layers`)."""
    letters: Mapping[str, str] = field(default_factory=dict)
    """Letter -> answer, for a class without phones."""
    votes: Mapping[str, int] = field(default_factory=dict)
    """Answer -> how many gave it; one person's own answer counts 0."""
    piece: Any = None
    """What is being put elsewhere."""

    @property
    def moment(self) -> Moment[S]:
        """The moment looked at."""
        return self.row[self.at]


class Camera:
    """Which part of a board is looked at. This one shows it as its page does; large boards have their own.

    ``keys``: the moves of the window, each a sentence of the page ("larger"). ``tall``: whether the page is a phone's.
    ``stage``: width and height, px, of the room in front of a class. ``picks``: what is picked on the board itself,
    ``window``: the window on it, and ``answers``: what is known of what it awaits, all as its page has them.
    ``still``: whether nothing on it can be pressed, as before a class.
    """

    keys: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        self.tall = False
        self.stage: tuple[float, float] | None = None
        self.picks, self.window = Picks(), None
        self.answers: dict[Hashable, Any] = {}
        self.still = False

    def fill(self, width: float, height: float, *, beside: float = 0, below: float = 0) -> None:
        """Fill the room in front of a class; what matters keeps clear of what lies over its right edge (``beside``) and
        its lower one (``below``)."""
        self.stage = (width - beside, height - below)

    def press(self, key: str, sight: Sight[Any]) -> None:
        """Move the window."""

    def frame(self, sight: Sight[Any]) -> Hashable:
        """The window: as long as it is the same, what moved is seen to move."""
        return self.tall, self.stage, self.window


class Shown(NamedTuple):
    """What is on the board, or was."""

    sight: Sight[Any]
    frame: Hashable
    scene: Scene

def seated(row: Sequence[Moment[S]]) -> Iterator[Moment[S]]:
    """The moments, those of chance seen by who decides next; after the last decision by who made it."""
    found, seat = [], next((moment.seat for moment in reversed(row) if moment.seat >= 0), 0)
    for moment in reversed(row):
        seat = moment.seat if moment.seat >= 0 else seat
        found.append(moment if moment.seat == seat else replace(moment, seat=seat))
    yield from reversed(found)
