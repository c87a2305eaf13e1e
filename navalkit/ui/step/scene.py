"""The stepper's board: a window that follows what is being explained, and the scene with its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from navalkit.games.on_patrol.board import moments
from navalkit.games.on_patrol.board.effects import performed
from navalkit.games.on_patrol.board.overlay import lit, overlay
from navalkit.games.on_patrol.board.scene import scene
from navalkit.games.on_patrol.board.shapes.labels import rim
from navalkit.games.on_patrol.board.shapes.view import SIZES, View, everything, fit
from navalkit.games.on_patrol.sea.state import Phase, State
from navalkit.grids.hex import Hex, Place
from navalkit.view.effect import Effect, Film, film
from navalkit.view.page import Moment
from navalkit.view.scene import Circle, Layer, Line, Polygon, Scene, Shape, Style, Text

from ..rooms.class_questions import reachable
from .hunts import Show
from .model import StepModel
from .say import STEP
from .told import ending
from .told.telling import WHAT_IF

WIDE, TALL = (720.0, 612.0), (326.0, 360.0)
"""Pixels of the board beside its explanation, and on a phone: never shown smaller, so that its texts are 12 px."""
CLOSEST = 5
"""The largest zoom that a window which follows chooses by itself."""
STAGE = 500.0
"""Height of the board in front of a class: it is stretched to the height there is, and its type with it."""
FAR = 2
"""Zoom steps by which a window may be farther off than it need be before it closes in."""
SMALLEST_RING = 22.0
"""Pixels of the ring about an escort, so that it is one about a ship in the whole sea, too."""
AROUND = 2
"""Hexes of water it keeps around what matters."""


class Camera:
    """Which part of the sea is looked at: it follows by itself until it is moved by hand.

    It stays where it is as long as it holds what matters and is near enough to read it, so that the sea does not jump
    from step to step.
    """

    def __init__(self) -> None:
        self.tall = False
        self.stage: tuple[float, float] | None = None
        self._views: dict[tuple[float, float], View] = {}  # by size: a screen that is turned back shows what it showed
        self._by_hand = False
        self._shown: object = None

    @property
    def _size(self) -> tuple[float, float]:
        return self.stage or (TALL if self.tall else WIDE)

    def fill(self, width: float, height: float) -> None:
        """Fill a room of this shape; one that is lower than the board, on a phone, pixel by pixel."""
        high = min(STAGE, height)
        self.stage = (round(high * width / height), high)

    def view(self, model: StepModel) -> View:
        """The window for what the model shows now."""
        if self._shown is not model.show:
            self._shown = model.show
            self.follow()
        view = self._views.get(self._size) or self._first(model)
        if not self._by_hand and model.mode != WHAT_IF:  # under a piece that is dragged the sea stays where it is
            needed = [near for h in matters(model) for near in (h.step(d, AROUND) for d in range(1, 7))]
            close = self._closed_in(needed)
            far = bool(needed) and close.zoom - view.zoom >= FAR
            if model.over or far or not all(map(view.holds, needed)):
                view = close
        self._views[self._size] = view
        return view

    def _first(self, model: StepModel) -> View:
        """All of it at the start; else what matters, if anything does."""
        needed = list(matters(model))
        return self._closed_in(needed if needed and model.at else everything(model.state))

    def _closed_in(self, needed: list[Hex]) -> View:
        view = fit(needed, self._size)
        return View(view.centre, min(view.zoom, CLOSEST), self._size)

    def follow(self) -> None:
        """Follow what is being explained again."""
        self._views, self._by_hand = {}, False

    def whole(self, model: StepModel) -> None:
        """Show everything, and stay."""
        self._stay(self._closed_in(everything(model.state)))

    def zoom(self, model: StepModel, steps: int) -> None:
        """Larger or smaller hexes, about what matters."""
        view = self.view(model)
        middle = view.centre
        if steps > 0 and (needed := list(matters(model))):
            middle = fit(needed, self._size).centre
        zoom = max(0, min(len(SIZES) - 1, view.zoom + steps))
        self._stay(View(middle, zoom, self._size))

    def move(self, model: StepModel, columns: float, rows: float) -> None:
        """The window moved by a share of its width and height."""
        self._stay(self.view(model).moved(columns, rows))

    def _stay(self, view: View) -> None:
        self._views[self._size], self._by_hand = view, True


def matters(model: StepModel) -> Iterable[Hex]:
    """The hexes that must be in sight: the escort, her way, her target and marker, and her boat."""
    decision, state = model.decision, model.state
    if model.over:
        for _, place in ending.wrecks(model.row):
            yield from place.hexes
    if decision is None or not model.who:
        return
    if model.asked:  # where she will go is not given away by the window
        yield from reachable(state, model.who)
        return
    ship = state.vessel(model.who)
    yield from ship.place.hexes
    if decision.target is not None:
        yield decision.target
    if decision.marker is not None:
        yield from decision.marker.place.hexes
    if decision.vector is not None:
        yield decision.vector.joins
    for leg in (*decision.path, *decision.intended):
        yield leg.place.bow


def board(model: StepModel, view: View) -> Scene:
    """The sea at the moment looked at, with the evidence of the decision."""
    state, decision = model.state, model.decision
    over = []
    if decision is not None:
        over.append(overlay(view, decision, state, model.shown_layers))
    over.append(Layer("told", tuple(_told(model, view))))
    over.append(lit(view, model.lit_hexes))
    night = model.show.game.sea.night and model.show.match is not None
    anywhere = model.asked or model.mode == WHAT_IF  # else what lies on the sea is all there is to click
    rings = [_ring(view, state, model.who)] if model.who else []
    if model.over:
        rings += [_wrecked(view, place) for _, place in ending.wrecks(model.row)]
    shunned = [box for ring in rings for box in rim(*ring)]
    return scene(
        state, view, wakes=model.wakes, over=tuple(over), shunned=shunned, pointable=anywhere, night=night
    )  # fmt: skip


class Shown(NamedTuple):
    """What was on the board before."""

    show: Show
    at: int
    view: View
    scene: Scene


def led_here(model: StepModel, before: Shown | None, now: Shown) -> Film | None:
    """What moved since another moment of the same hunt was shown, through the window of now; None where nothing did."""
    if before is None or before.show is not now.show or before.at == now.at or model.mode == WHAT_IF:
        return None
    first = before.scene
    if before.view != now.view:
        first = scene(model.row[before.at].state, now.view, wakes=())
    return film(first, now.scene, _played(model.row[before.at : now.at + 1], now))


def _played(row: Sequence[moments.Moment], now: Shown) -> Sequence[Effect]:
    """What happened from the first of them to the last; back, or over several turns, ships only go to their places."""
    if not row or row[-1].turn > row[0].turn + 1:
        return ()
    told = [*(moment.events for moment in row[1:]), ()]
    seen = [Moment(moment.state, events) for moment, events in zip(row, told, strict=True)]
    return performed(seen, now.view, now.scene)


def _told(model: StepModel, view: View) -> Iterable[Shape]:
    """Whose decision it is, what was predicted, and what it was before the what-if."""
    if model.who:
        x, y, r = _ring(view, model.state, model.who)
        yield Circle(x, y, r, Style(None, "select", 2.5))
    if model.over:
        for name, place in ending.wrecks(model.row):
            yield from _wreck(view, name, place)
    if model.supposed is not None and model.before is not None:
        start = model.moment.state.vessel(model.who).place.bow
        path = [start, *(leg.place.bow for leg in model.before.path)]
        if len(path) > 1:
            yield Line(tuple(map(view.layout.center, path)), Style(None, "muted", 3, dash=(5, 4)), arrow=True)
    if model.question is not None and model.room is None:
        for letter, label in model.question.choices.items():
            yield from _sign(view, Hex.parse(label), letter, 1.5)
    for h, n in model.answered.items():
        yield from _sign(view, h, str(n) if model.room else "?", 3)
    if model.piece is not None:
        for h in model.piece.place(model.state).hexes:
            yield Polygon(view.outline(h), Style(None, "select", 3, dash=(4, 3)))


def _wreck(view: View, name: str, place: Place) -> Iterable[Shape]:
    """Where she went down."""
    x, y, around = _wrecked(view, place)
    r = around / 2
    yield Circle(x, y, around, Style(None, "orange", 3, dash=(6, 4)))
    for sign in (1, -1):
        yield Line(((x - r, y - sign * r), (x + r, y + sign * r)), Style(None, "bad", 3))
    yield Text(x, y - 2.6 * r, name, Style("ink"), 15, bold=True)


def _wrecked(view: View, place: Place) -> tuple[float, float, float]:
    """The ring round a wreck, as `_ring`."""
    x, y, _ = view.pose(place)
    return x, y, 1.2 * view.layout.height


def _sign(view: View, h: Hex, sign: str, width: float) -> Iterable[Shape]:
    """A hex that is to be chosen, or was."""
    x, y = view.layout.center(h)
    yield Polygon(view.outline(h), Style("paper", "select", width, opacity=0.8))
    yield Text(x, y, sign, Style("select"), max(12.0, view.side), bold=True)


def _ring(view: View, state: State, who: str) -> tuple[float, float, float]:
    """A ring round the escort it is about, (x, y, radius): she is found at once from the back of the room."""
    x, y, _ = view.pose(state.vessel(who).place)
    return x, y, max(view.layout.height * 1.15, SMALLEST_RING)


def phase_name(phase: Phase) -> str:
    """A phase in words."""
    return STEP(f"phase.{phase.name.lower()}")
