"""What a game's page says, as data: orders with their odds, charts, tables. Widgets show it; they know no game.

A game's page is a subclass of `Page`, and its package names one object of it ``PAGE``. All that one look at a position
needs is in a `Glance`, made once a change and shared by all hooks; how one looks (width, window, what is picked) is in
a `Look`. A hook that may take longer than 20 ms gives an `Awaited` in the place of its answer: the board and the
status line come first.
"""

from __future__ import annotations
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from navalkit.core.awaited import Awaited
from navalkit.core.errors import OptionError
from navalkit.core.game import Game
from navalkit.core.match import Match
from navalkit.core.registry import package
from navalkit.core.trace import Decision
from navalkit.core.words import SAY, Event, Text
from .film import Effect
from .scene import Box, Picks, Point, Scene

if TYPE_CHECKING:
    from typing_extensions import override
else:

    def override(method: Any) -> Any:
        """Says that a method is a hook of `Page`; the type checker refuses one that is misspelt."""
        return method


__all__ = [
    "Aims", "Camp", "Chart", "Glance", "Look", "Moment", "Order", "Page", "Table", "glance_at", "override", "page_of",
]


S = TypeVar("S")
A = TypeVar("A")
G = TypeVar("G", bound=Game[Any, Any])
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Order:
    """One legal action as a button."""

    action: Any
    """The action itself."""
    label: str
    """What the button says."""
    odds: str | Awaited[str] = ""
    """The exact odds, written under the label ("72 %"), or ""."""
    help: str = ""
    """A sentence for the tooltip."""
    group: str = ""
    """Orders of one group stand together ("fire", "flip")."""
    primary: bool = False
    """Whether it is the one to press if in doubt: at most one of a moment."""
    on_board: bool = False
    """Whether the board's cells give it just as well: on a phone, where room is short, it has no button then."""

    @property
    def text(self) -> str:
        """Its notation."""
        return str(self.action)


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars over a few categories."""

    key: str
    """Names the chart ("sink")."""
    title: str
    x_label: str
    """What stands on it, units included."""
    x: tuple[str, ...]
    """The categories; without any, title and note stand alone."""
    y: tuple[float, ...]
    """A value each."""
    labels: tuple[str, ...]
    """What is written over each bar."""
    percent: bool = False
    """Whether y is a probability, drawn from 0 to 100 %."""
    note: str = ""
    """The assumptions, in one sentence."""


@dataclass(frozen=True, slots=True)
class Table:
    """A small table with a title; ``rows`` hold as many cells as ``head``."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Camp:
    """A side of a game as the strip over the board tells of it."""

    name: str
    score: str  # what it has so far ("15", "3 of 6"); "" for a side that counts nothing
    aims: tuple[str, ...]  # what it is after, with what that brings ("sink Graf Spee 100"), as far as it is not hidden
    tone: str = "accent"  # a theme's token: its colour


@dataclass(frozen=True, slots=True)
class Aims:
    """What it is all about, in one strip over the board: what the sides have and what gives them more, and what is
    left of the game."""

    camps: tuple[Camp, ...]  # the reader's own, and the other, if there is one
    left: str  # how much of the game is gone, or is left ("4 of 16")
    of: str  # of what ("moves")


Report = Table | None | Awaited[Table | None]
"""A table, there or awaited; None where there is nothing to tell."""


@dataclass(frozen=True, slots=True)
class Moment(Generic[S]):
    """One action as a player was told of it: what they saw before it, and the events it brought."""

    seen: S
    events: tuple[Event, ...]


@dataclass(frozen=True, eq=False)
class Glance(Generic[G, S, A]):
    """One look at a position: made once a change, and shared by all that shows it."""

    game: G
    seen: S
    """What the player may know (`Game.observe`)."""
    me: int = 0
    """The player who looks."""
    legal: tuple[A, ...] = ()
    """What they can do now: nothing while they look back, or while it is another's turn."""
    live: bool = True
    """Whether it is the present."""
    _known: dict[Any, Any] = field(default_factory=dict, repr=False)

    def once(self, make: Callable[[Glance[G, S, A]], T]) -> T:
        """``make(self)``, calculated the first time it is asked for and remembered as long as this glance lives.
        ``make``: a function with a name: it is its own key."""
        if make not in self._known:
            self._known[make] = make(self)
        known: T = self._known[make]
        return known


def glance_at(match: Match, player: int | None = None, ply: int | None = None) -> Glance[Any, Any, Any]:
    """A moment of a match for a picture, with nothing to press: now, as whose turn it is sees it, unless said."""
    game, state = match.game, match.state if ply is None else match.at(ply)
    me = max(game.turn(state), 0) if player is None else player
    return Glance(game, game.observe(state, me), me, live=False)


SIGNS = 24
"""Signs in the line of a game of the day."""


@dataclass(frozen=True, slots=True)
class Look:
    """How one looks at a position."""

    tall: bool = False
    """Whether the board is the tall one, for a phone."""
    picks: Picks = field(default_factory=Picks)
    """What is picked on the page."""
    hover: str = ""
    """Id of the cell under the pointer, or ""."""
    window: Any = None
    """The window on a large board, as `Page.window` makes it; None is the usual one."""
    reasons: Decision | None = None
    """The hint, or after the end the reasons of the machine player whose move is looked at."""
    answers: Mapping[Hashable, Any] = field(default_factory=dict)
    """What has been answered of what `Page.awaits` asked for, by key; `known` reads it."""
    room: tuple[float, float] | None = None
    """Width and height, px, that there is for the board; None while no browser has said. A scene of that size is shown
    as it is, another one larger or smaller."""
    still: bool = False
    """Whether it is a picture for a class: without switches, buttons and hints on what to press, and of large type."""
    earlier: Mapping[Hashable, Any] = field(default_factory=dict, compare=False)
    """The answers of the position before, by the first part of their keys; `before` reads it."""
    told: tuple[Event, ...] = ()
    """What the player has been told of the game so far, for a board that writes it down (`Page.writes_log`)."""
    hole: Box | None = None
    """On a phone lying down the board fills the window, and the page's column lies over its right end. Of that column
    this is what the page leaves free, px: what is pressed beside a map goes there, and nothing else of the board lies
    to the right of its left edge. None: the board has its room to itself."""

    def known(self, awaited: Awaited[T]) -> T | None:
        """The answer to an awaited number that the board shows, or None while it is being calculated."""
        return awaited.then(self.answers[awaited.key]) if awaited.key in self.answers else None

    def before(self, awaited: Awaited[T]) -> T | None:
        """The answer of the position before, to be shown until that of this one is there; None if there is none."""
        kind = awaited.key[0] if isinstance(awaited.key, tuple) else awaited.key
        return awaited.then(self.earlier[kind]) if kind in self.earlier else None


def page_of(name: str) -> Page[Any, Any, Any]:
    """The page of a game, by the game's name ("uss-lox"); OptionError if there is no such game, or it has no page."""
    page: Page[Any, Any, Any] | None = package(name).offered("PAGE", None)
    if page is None:
        raise OptionError(SAY("registry.no_page", name=name))
    return page


def gravest(events: Sequence[Event], kinds: Sequence[str]) -> Event | None:
    """The last event of the gravest kind that occurs; of ``kinds`` the gravest is the first."""
    last = {event.kind: event for event in events}
    return next((last[kind] for kind in kinds if kind in last), None)


class Page(ABC, Generic[G, S, A]):
    """A game's page: a game overrides what it needs, each with ``@override``. Only `scene` and `now` have no default. A
    public name that this class has not is refused when a subclass is made."""

    example: str = ""
    """An order as one types it, shown in the order box."""
    adviser: str = "greedy"
    """The machine player whose hint is asked for, and who plays the same seed after the end."""
    seats: tuple[str, ...] = ()
    """By player number the machine player who sits there at first, or "" for a person; () is people in all."""
    rows: int = 3
    """Rows of orders that have room beside the board, 1 to 3: more than that scroll, and nothing moves."""
    thumb_rows: int = 1
    """The same on a phone that stands upright, 1 or 2, for the orders that the board does not give; 0: one, and another
    while there are more of them than one row holds."""
    unit: Text = "points"
    """What a score counts, said in the reader's language."""
    languages: tuple[str, ...] = ("en",)
    """The languages the page can be read in, the usual one first."""
    writes_log: bool = False
    """Whether the board writes down what happened (`Look.told`)."""
    hovers: bool = False
    """Whether the board shows something of the cell under the pointer."""
    drags: bool = False
    """Whether the board can be dragged over; see `goes_on`."""
    draws_reasons: bool = False
    """Whether the board draws the reasons of a hint."""
    prints_card: bool = False
    """Whether there is a card to print; see `card`."""
    prints_sheets: bool = False
    """Whether there are sheets to print; see `sheets`."""

    def __init_subclass__(cls) -> None:
        unknown = [name for name in vars(cls) if not name.startswith("_") and name not in dir(Page)]
        if unknown:
            raise TypeError(f"{cls.__name__}: a page has no hook {unknown[0]!r}; names of its own begin with '_'.")

    # The position ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def scene(self, glance: Glance[G, S, A], look: Look) -> Scene:
        """The board; its cells carry what a press on them does."""

    def pieces(self, glance: Glance[G, S, A], look: Look) -> Scene:
        """The scene of what was seen before, as a film begins with it: of the size of the others, its pieces alone."""
        return self.scene(glance, look)

    def map(self, glance: Glance[G, S, A]) -> Scene:
        """A small picture of how a game begins, for the card that offers it: the board without a word."""
        return self.scene(glance, Look()).bare()

    def awaits(self, glance: Glance[G, S, A], look: Look) -> Sequence[Awaited[Any]]:
        """What the board will show besides once it is calculated: the scene is made again with each answer."""
        return ()

    @abstractmethod
    def now(self, glance: Glance[G, S, A]) -> str:
        """What can be done now, in a sentence."""

    def orders(self, glance: Glance[G, S, A]) -> Sequence[Order]:
        """The buttons: every legal action, or the most useful where the board or the order box takes the others."""
        return tuple(Order(action, str(action)) for action in glance.legal)

    def together(self, glance: Glance[G, S, A], action: A) -> str:
        """What the button says that has orders take effect all at once, of which this is one ("Fire as ordered"): the
        page shows them all before it does. "" for an order that takes effect by itself."""
        return ""

    def spoken(self, glance: Glance[G, S, A], action: A) -> str:
        """An action in a button's words, for a hint: those of its button, where it has one."""
        return next((order.label for order in glance.once(self.orders) if order.action == action), str(action))

    def because(self, glance: Glance[G, S, A], decision: Decision[A]) -> str:
        """Why, in a sentence or two of what can be seen and counted on the board: not what an order was found to be
        worth, which stands beside it under Why."""
        return str(decision.reason)

    def lit(self, glance: Glance[G, S, A], look: Look, scene: Scene, action: A) -> Sequence[str]:
        """Ids of the cells of a board's scene that are lit for an order: that which gives it, or where it takes several
        presses, those to press."""
        return [cell.id for cell in scene.cells if cell.action is not None and cell.action == action][:1]

    def guide(self, glance: Glance[G, S, A]) -> str:
        """For a first game: what one sees here, and what to think of; "" for nothing."""
        return ""

    def charts(self, glance: Glance[G, S, A]) -> Sequence[Chart | Awaited[Chart]]:
        """The charts, always as many."""
        return ()

    def facts(self, glance: Glance[G, S, A]) -> Report:
        """The figures of the position."""
        return None

    def happened(self, events: Sequence[Event]) -> str:
        """In few words what the events since the player's last action brought."""
        return " ".join(event.text for event in events)

    def headline(self, events: Sequence[Event]) -> str:
        """What matters most of it, in one line; the rest is a press away."""
        return self.happened(events)

    def aims(self, glance: Glance[G, S, A]) -> Aims | None:
        """The strip over the board; None for a game without one."""
        return None

    def opening(self, glance: Glance[G, S, A]) -> str:
        """The first headline of a game: its aim and its limit; "" for what happened before it."""
        return ""

    def why(self, game: G, match: Match, me: int) -> str:
        """Why a game that is over ended as it did, in one sentence that names a ship or a place; "" for nothing to
        say."""
        return ""

    def players(self, game: G) -> tuple[str, ...]:
        """The players by the names the page gives them, in the game's order."""
        return game.players

    # Orders ---------------------------------------------------------------------------------------------------------

    def read(self, glance: Glance[G, S, A], text: str) -> Sequence[A]:
        """The actions of a typed line; those after the first wait until they are `due`. NotationError for what is no
        order."""
        action: A = glance.game.parse_action(text)
        return (action,)

    def unfold(self, glance: Glance[G, S, A], action: Any) -> Sequence[A]:
        """The actions that a button or cell stands for: those after the first wait until they are `due`."""
        return (action,)

    def ahead(self, glance: Glance[G, S, A]) -> Sequence[A]:
        """Orders that the player may give now for their next turn, though the other side comes first: of two at one
        screen each then sits down once a turn. Whatever the other side does until then, each must stay legal."""
        return ()

    def due(self, given: S, glance: Glance[G, S, A], action: A) -> bool | None:
        """Whether an action of an earlier line, typed when ``given`` was seen, is to be given now; None: never."""
        return True

    def goes_on(self, before: Glance[G, S, A], after: Glance[G, S, A], look: Look) -> bool:
        """Whether a drag over the board may go on after an order, from what was seen before and after it."""
        return False

    def window(self, glance: Glance[G, S, A], look: Look, move: Any) -> Any:
        """The window after a press on a cell with that ``window``; `Look.window` is the one before."""
        return look.window

    def frame(self, glance: Glance[G, S, A], look: Look) -> Any:
        """The window for a new position, from the one before (`Look.window`): best the same, while it shows enough, for
        what moved is seen to move only in a window that stands still."""
        return look.window

    def effects(self, game: G, moments: Sequence[Moment[S]], look: Look, before: Scene,
                last: Scene) -> Sequence[Effect]:
        """What is played besides pieces that go to their new places (`view.effect`), on the way from ``before`` to
        ``last``: shots, splashes, pings, the ways of ships, and when each begins. Everything comes from ``moments``,
        which hold what the player saw and was told: a film shows nothing hidden."""
        return ()

    def card(self, game: G, match: Match) -> tuple[Scene, ...]:
        """The sheets to print of a match: one to play on, then its solution."""
        return ()

    def sheets(self, glance: Glance[G, S, A]) -> tuple[Scene, ...]:
        """Sheets to print of how the game stands."""
        return ()

    # After the end --------------------------------------------------------------------------------------------------

    pattern: Mapping[str, str] = MappingProxyType({})
    """How a game is told in signs, to be shared without telling what was where: by the kind of an event its sign, by
    ``KIND.other`` that for the same of the other side's."""

    def signs(self, events: Sequence[Event], me: int) -> str:
        """A game in signs (`pattern`), the last `SIGNS` of them."""
        signs = [self.pattern.get(f"{event.kind}.other" if event.facts.get("by", me) != me else event.kind, "")
                 for event in events]
        return "".join([sign for sign in signs if sign][-SIGNS:])

    def report(self, game: G, match: Match, others: Sequence[tuple[str, Match]]) -> Report:
        """How it went, beside the matches of others (name, match) on the same seed."""
        return None

    def track(self, game: G, match: Match) -> Scene | None:
        """The board at the end, with the ways that led there or the order of searches; None for no such chart."""
        return None

    def compare(self, game: G, name: str, mine: Match, other: Match) -> Table | None:
        """Two matches on one seed, step by step; None where they have no steps in common."""
        return None


# -- A question to a class, and what is shown when it is answered: games make them, phones and pages show them

@dataclass(frozen=True, slots=True)
class Choice:
    """One answer that can be given."""

    id: str
    """Names it ("0712", "105.3.4")."""
    label: str
    """What a reader is told."""
    at: Point | None = None
    """Where its cell has its middle, on the question's board."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a class is asked."""

    kind: str
    """What is asked: one of those that a walk asks (`navalkit.walks.walk.Walk.asks`), "own" or "lesson"."""
    text: str
    choices: tuple[Choice, ...]
    board: Scene | None = None
    """What is seen while the question is open: nothing in it may depend on the answer."""
    shape: tuple[Point, ...] = ()
    """The outline of a cell about its middle."""
    more: str = ""
    """What stands under the question, in smaller type."""
    key: str = ""
    """Which question of a lesson it is, by which a reloaded page finds its place."""
    scale: str = ""
    """Where the choices are numbers on a scale, the unit behind them ("%"): a phone has a slider for them."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a wrong answer would have needed: the rule, a sentence, and the mistake in a few words if it has a name."""

    rule: str
    text: str
    slip: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What is shown when a question is answered."""

    right: tuple[str, ...]
    """Ids of the right choices."""
    text: str
    """The answer and the rule that decided, in a sentence."""
    rule: str = ""
    notes: Mapping[str, Note] | None = None
    """Wrong choice -> what it would have needed."""
    board: Scene | None = None
    """With the answers and the true way drawn."""
