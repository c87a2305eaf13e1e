"""What a game's page says, as data: orders with their odds, charts, tables. Widgets show it; they know no game.

A game's page is a subclass of `Page`, and its package names one object of it ``PAGE``. All that one look at a position
needs is in a `Glance`, made once a change and shared by all hooks; how one looks (width, window, what is picked) is in
a `Look`. A hook that may take longer than 20 ms gives an `Awaited` in the place of its answer: the board and the
status line come first.
"""

from __future__ import annotations
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from navalkit.core.awaited import Awaited
from navalkit.core.errors import OptionError
from navalkit.core.game import Game
from navalkit.core.match import Match
from navalkit.core.registry import package
from navalkit.core.trace import Decision
from navalkit.core.words import SAY, Event
from .scene import Box, Flat, Layer, Picks, Piece, Point, Scene

if TYPE_CHECKING:
    from typing_extensions import override
else:

    def override(method: Any) -> Any:
        """Says that a method is a hook of `Page`; the type checker refuses one that is misspelt."""
        return method


__all__ = [
    "Aims", "Beat", "Camp", "Chart", "Effect", "Film", "Glance", "LONGEST", "Look", "Mark", "Moment", "Order", "Page",
    "Pose", "Table", "Travel", "film", "glance_at", "override", "page_of",
]


# -- How a board comes from one picture to the next: pieces that travel, and marks that come and go, as data with times
# A film says nothing that the log does not say, and the scene under it is already the last one: a page that plays
# none, or is stopped half way, is right all the same. Most of a film nobody writes: a piece that is elsewhere in the
# new scene goes there, a new one appears, one that is gone fades. A game adds what pictures alone do not tell
# (`Page.effects`): the order of events, the way a ship took, shots, splashes, pings. Places are those of the scene;
# times are milliseconds.

Pose = tuple[float, float, float]
"""x, y and heading in degrees."""
Kind = Literal[
    "ring", "flash", "shell", "track", "splash", "hit", "sink", "ping", "light", "note",
    "bar", "die", "join", "count",
]
"""What a mark is: a ring about a place; the flash of a gun; a shell in flight and a torpedo's track, both from a place
to another; a splash; a hit; the rings where something sinks; sonar or radar; a lit circle; words that rise and fade.
And what stands still to be read: a bar from a place to another, filled to a share; a die; a bracket over what belongs
together, from a place to another; a number that runs."""

LONGEST = 3000
"""Milliseconds that the film of a turn may take at normal speed: a longer one is played faster."""
FADE = 200
"""Milliseconds in which a piece comes to look otherwise."""
_STEP, _PER_PIXEL = 160, 1.2
_LINE, _SIGN = 24, 8.5  # px of a line of a mark's words, and of a sign


@dataclass(frozen=True, slots=True)
class Travel:
    """A piece comes to where the new scene shows it."""

    piece: str
    """Its id. One that the new scene has not goes its way and fades at its end; a new one appears when it sets out."""
    way: tuple[Pose, ...] = ()
    """The places it comes through, from the first to the last; () is straight from where it was."""
    at: float = 0
    ms: float = 0
    """When it sets out, and for how long it goes; 0 ms is by the length of the way."""
    was: str = ""
    """Id of the piece that it was before, where that is another: a card dealt was the top of its pile, which may
    stay."""
    changes: float = -1
    """When it begins to look as it will; -1: little by little on its way."""
    looks: tuple[tuple[Flat, ...], ...] = ()
    """What it looks like until then, and from then to the film's end, if not as before and as after it."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign that comes and goes, at a place or from there to another."""

    kind: Kind
    """One of `Kind`; it also says what is heard."""
    x: float
    y: float
    to: Point | None = None
    """Where a shell or a track goes."""
    r: float = 24
    """Its size."""
    tone: str = "accent"
    """A theme's token."""
    text: str = ""
    """What a note says ("100 ft", "miss"). In that of a number that runs "{}" is the number."""
    at: float = 0
    ms: float = 500
    """When it comes, and for how long it is seen."""
    share: tuple[float, float] = (0, 0)
    """Of a bar how much is filled, from 0 to 1, and of a number that runs the number: at first, and soon after."""


@dataclass(frozen=True, slots=True)
class Beat:
    """What the headline says from a moment on. Whatever tells the result (log, scores, orders, tags on the board) keeps
    what it showed before the film until the verdict, which is a beat without a text; left out, the film's end."""

    text: str = ""
    at: float = 0


Effect = Travel | Mark | Beat


@dataclass(frozen=True, slots=True)
class Going:
    """One piece in a film: how it looks before and after (None: it is not there), and its way."""

    before: Piece | None
    after: Piece | None
    way: tuple[Pose, ...]
    at: float = 0
    ms: float = 0
    changes: float = -1


@dataclass(frozen=True, slots=True)
class Film:
    """All that moves between two scenes: every piece of both, those that stand still too, in the order of painting."""

    goings: tuple[Going, ...]
    marks: tuple[Mark, ...]
    beats: tuple[Beat, ...] = ()
    """What the headline says meanwhile, in order."""
    told: float = -1
    """When the verdict comes; -1: at the end."""
    under: tuple[Layer, ...] = ()
    """The layers of the scene it begins with, in this window: what tells the result is shown as there until then."""

    @property
    def ms(self) -> float:
        """How long it takes."""
        ends = [max(each.at + each.ms, each.changes + FADE if each.changes >= 0 else 0) for each in self.goings]
        return max((*ends, *(each.at + each.ms for each in self.marks)), default=0)

    def hurried(self, most: float) -> Film:
        """The same, no longer than ``most``: everything quicker alike."""
        share = (most - 1e-6) / self.ms if self.ms > most else 1.0

        def quick(going: Going) -> Going:
            changes = min(going.changes * share, most - FADE) if going.changes >= 0 else -1
            return replace(going, at=going.at * share, ms=going.ms * share, changes=changes)

        if share == 1:
            return self
        marks = (replace(mark, at=mark.at * share, ms=mark.ms * share) for mark in self.marks)
        beats = (replace(beat, at=beat.at * share) for beat in self.beats)
        told = self.told * share if self.told >= 0 else -1
        return Film(tuple(map(quick, self.goings)), tuple(marks), tuple(beats), told, self.under)


def film(before: Scene | None, last: Scene, effects: Sequence[Effect] = (), most: float = LONGEST) -> Film:
    """The film from one scene to another.

    ``before``: what was shown; None, or a scene of another size, and nothing moves. ``last``: what is shown now.
    ``effects``: what the game adds. Of several travels of one piece the last counts. ``most``: milliseconds it may
    take.
    """
    told = {each.piece: each for each in effects if isinstance(each, Travel)}
    marks = tuple(_apart([each for each in effects if isinstance(each, Mark)], last))
    beats = sorted((each for each in effects if isinstance(each, Beat)), key=lambda beat: beat.at)
    if before is None or (before.width, before.height) != (last.width, last.height):
        return Film((), ())
    old, new = before.pieces(), last.pieces()
    was = {each.piece: each.was or each.piece for each in told.values()}
    gone = [id for id in old if id not in new and id not in was.values()]
    gone += [id for id, before in was.items() if id not in new and before in old]
    ends = [*(each.at + each.ms for each in told.values()), *(mark.at + mark.ms for mark in marks)]
    verdict = min((beat.at for beat in beats if not beat.text), default=-1.0)
    end = verdict if verdict >= 0 else max(0.0, max(ends, default=0.0) - FADE)
    goings = tuple(_going(old.get(was.get(id, id)), new.get(id), told.get(id), end) for id in (*gone, *new))
    if not marks and all(each.ms == 0 for each in goings):
        return Film((), ())
    said = tuple(beat for beat in beats if beat.text)
    return Film(goings, marks, said, verdict, before.layers).hurried(most)


def _going(before: Piece | None, after: Piece | None, told: Travel | None, end: float) -> Going:
    """``end``: when what nobody told of comes, goes, and looks otherwise: not before it has been shown why."""
    if told and told.looks and before is not None and after is not None:
        first, second = told.looks
        before, after = replace(before, shapes=first), replace(after, shapes=second)
    ends = [piece for piece in (before, after) if piece is not None]
    way = told.way if told and told.way else tuple(piece.pose for piece in ends)
    long = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(way, way[1:], strict=False))
    still = before is not None and after is not None and before.shapes == after.shapes and len(set(way)) == 1
    usual = 0.0 if still and told is None else max(FADE, min(_STEP + _PER_PIXEL * long, 900))
    other = before is not None and after is not None and before.shapes != after.shapes
    if told is None and end and (len(ends) == 1 or (other and len(set(way)) == 1)):
        return Going(before, after, way, end, FADE)
    changes = told.changes if told and other else end if other and end and not ends[0].flips else -1
    return Going(before, after, way, told.at if told else 0, (told.ms if told else 0) or usual, changes)


def _apart(marks: Sequence[Mark], last: Scene) -> Iterator[Mark]:
    """The marks, their words inside the picture and none over others that are read at the same time."""
    said: list[Mark] = []
    for mark in marks:
        if mark.text:
            half = _SIGN * len(mark.text) / 2
            x, y = max(half, min(last.width - half, mark.x)), mark.y
            if mark.kind == "note":
                y = max(1.5 * _LINE, y)
                while any(_meet(each, mark, x, y) for each in said):
                    y += _LINE if mark.y < 3 * _LINE else -_LINE
                mark = replace(mark, x=x, y=y)
                said.append(mark)
        yield mark


def _meet(one: Mark, mark: Mark, x: float, y: float) -> bool:
    at_once = one.at < mark.at + mark.ms and mark.at < one.at + one.ms
    return at_once and abs(one.y - y) < _LINE and abs(one.x - x) < _SIGN * (len(one.text) + len(mark.text)) / 2


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
    """The same on a phone that stands upright, 1 or 2, for the orders that the board does not give."""
    unit: str = "points"
    """What a score counts."""
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
