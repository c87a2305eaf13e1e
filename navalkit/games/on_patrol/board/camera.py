"""The sea as it is walked through: a window that follows what is being explained, and the evidence of the decision."""

from __future__ import annotations
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from navalkit.view.film import Effect, Film, film
from navalkit.view.page import Moment as Seen
from navalkit.view.scene import Cell, Circle, Layer, Line, Polygon, Scene, Shape, Style, Text
from navalkit.walks import boards
from navalkit.walks.told import Camera, Moment, Shown, Sight
from ..combat.damage import top_speed
from ..escort.automaton import EscortDecision
from ..sea.state import EscortMove, Phase, State
from .film import performed
from .overlay import lit, overlay
from .scene import SAY, key_of, scene
from .shapes import SIZES, View, everything, fit, pointer, rim

WIDE, TALL = (720.0, 612.0), (326.0, 360.0)
"""Pixels of the board beside its explanation, and on a phone: never shown smaller, so that its texts are 12 px."""
PHONE = (390.0, 430.0)
"""Pixels of the board of a question."""
TAPPED = 14.0
"""The least size of a hex, in pixels, that can be tapped."""
SEEN = 7.0
"""The least size of a hex on a class's screen: there nobody taps it, but it is told from its neighbours."""
FASTER = 2
"""Hexes a turn by which an escort's speed may rise."""
CLOSEST = 5
"""The largest zoom that a window which follows chooses by itself."""
STAGE = 500.0
"""Height of the board in front of a class: it is stretched to the height there is, and its type with it."""
FAR = 2
"""Zoom steps by which a window may be farther off than it need be before it closes in."""
SMALLEST_RING = 22.0
"""Pixels of the ring about an escort, so that it is one about a ship in the whole sea, too."""
EDGE = 28.0
"""Pixels from the edge to an arrow, clear of the coordinates."""
AROUND = 2
"""Hexes of water it keeps around what matters."""
PAN = 0.3
"""The share of the window by which it is moved."""

Hunted = Sight[State]


class SeaCamera(Camera):
    """Which part of the sea is looked at: it follows by itself until it is moved by hand. It stays where it is as long
    as it holds what matters and is near enough to read it, so that the sea does not jump from step to step."""

    keys = ("smaller", "larger", "left", "right", "up", "down", "all", "follow")

    def __init__(self) -> None:
        super().__init__()
        self._views: dict[tuple[float, float], View] = {}  # by size: a screen that is turned back shows what it showed
        self._by_hand = False
        self._row: object = None
        self._over = (0.0, 0.0)  # what lies over the right edge and the lower one

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the board, px."""
        return self.stage or (TALL if self.tall else WIDE)

    def fill(self, width: float, height: float, *, beside: float = 0, below: float = 0) -> None:
        """Fill a room of this shape; one that is lower than the board, on a phone, pixel by pixel."""
        high = min(STAGE, height)
        share = high / height
        self._over = (beside * share, below * share)
        self.stage = (round(high * width / height - self._over[0]), round(high - self._over[1]))

    def frame(self, sight: Hunted) -> Hashable:
        return self.view(sight)

    def view(self, sight: Hunted) -> View:
        """The window for what is to be seen now."""
        if self._row is not sight.row:
            self._row = sight.row
            self.follow()
        view = self._views.get(self.size) or self._first(sight)
        if not self._by_hand and not sight.supposing:  # under a piece that is dragged the sea stays where it is
            around = 1 if any(self._over) else AROUND
            needed = [near for h in self._needed(sight) for near in (h.step(d, around) for d in range(1, 7))]
            close = self._closed_in(needed)
            # A class's board comes as near as it can with each question, and stays there until the next.
            nearer = FAR if not any(self._over) else 1 if sight.asked else len(SIZES)
            far = bool(needed) and close.zoom - view.zoom >= nearer
            if sight.ended or far or not all(map(view.holds, needed)):
                view = close
        self._views[self.size] = view
        return view.widened(*self._over) if self.stage and any(self._over) else view

    def _needed(self, sight: Hunted) -> list[Hex]:
        """What must be in sight: for a class what she is asked about. So the board stays where it is when the answer is
        shown, until a line lights more."""
        if not any(self._over) or not sight.who or sight.ended or sight.supposing:
            return list(matters(sight))
        state = sight.state
        return [*asked_about(state, sight.who, self.size, SEEN), *map(Hex.parse, sight.lit)]

    @property
    def edge(self) -> tuple[float, float, float] | None:
        """On a class's screen, pixels at the top, the right and the foot that something else lies over."""
        right, low = self._over
        return (EDGE, right + EDGE, low + EDGE) if any(self._over) else None

    def _first(self, sight: Hunted) -> View:
        """All of it at the start; else what matters, if anything does."""
        needed = self._needed(sight)
        if needed and any(self._over):
            return self._closed_in(needed)
        return self._closed_in(needed if needed and sight.at else everything(sight.state))

    def _closed_in(self, needed: list[Hex]) -> View:
        view = fit(needed, self.size)
        return View(view.centre, min(view.zoom, CLOSEST), self.size)

    def follow(self) -> None:
        """Follow what is being explained again."""
        self._views, self._by_hand = {}, False

    def press(self, key: str, sight: Hunted) -> None:
        """Move the window by hand: one of `keys`."""
        if key == "follow":
            self.follow()
        elif key == "all":
            self._stay(self._closed_in(everything(sight.state)))
        elif key in ("smaller", "larger"):
            self.zoom(sight, 1 if key == "larger" else -1)
        else:
            ways = {"left": (-PAN, 0.0), "right": (PAN, 0.0), "up": (0.0, -PAN), "down": (0.0, PAN)}
            self._stay(self.view(sight).moved(*ways[key]))

    def zoom(self, sight: Hunted, steps: int) -> None:
        """Larger or smaller hexes, about what matters."""
        view = self.view(sight)
        middle = view.centre
        if steps > 0 and (needed := list(matters(sight))):
            middle = fit(needed, self.size).centre
        zoom = max(0, min(len(SIZES) - 1, view.zoom + steps))
        self._stay(View(middle, zoom, self.size))

    def _stay(self, view: View) -> None:
        self._views[self.size], self._by_hand = view, True


def reachable(state: State, who: str) -> list[Hex]:
    """The hexes an escort's bow might end on, as far as her speed goes, in reading order: hers is one of them."""
    ship = state.vessel(who)
    found = {ship.place.bow}
    for _ in range(max(1, min(top_speed(ship), ship.speed + FASTER))):
        found |= {h.step(direction, 1) for h in found for direction in range(1, 7)}
    return sorted(found)


def asked_about(state: State, who: str, size: tuple[float, float], least: float) -> list[Hex]:
    """What a class must see of a question: the escort, all she can reach, and the markers with their target hexes, the
    nearest first, as many as fit where hexes are of that size at least. It hangs on the sea alone, not on what she is
    about to do: neither her mode nor the boat she hunts is looked at."""
    ship = state.vessel(who)
    found = [*reachable(state, who), *ship.place.hexes]
    for marker in sorted(state.markers, key=lambda each: (each.target.distance(ship.place.bow), each.boat)):
        more = [*found, *marker.place.hexes, marker.target]
        if fit(more, size).side < least:
            break
        found = more
    return found


def outside(view: View, state: State, who: str, rim: tuple[float, float, float]) -> Layer:
    """Arrows to the target hexes that the window does not hold, each with how far she is from it."""
    shapes: list[Shape] = []
    for target in dict.fromkeys(marker.target for marker in state.markers):
        if not view.holds(target):
            words = SAY("sea.pointed", hex=target.label, n=target.distance(state.vessel(who).place.bow))
            shapes += pointer(view, target, words, "orange", rim, 1.5 * EDGE)
    return Layer("outside", tuple(shapes))


def matters(sight: Hunted) -> Iterable[Hex]:
    """The hexes that must be in sight: the escort, her way, her target and marker, and her boat; at the end
    what decided it, and the boats that are left."""
    state = sight.state
    if sight.ended:
        for _, place in wrecks(sight.row):
            yield from place.hexes
        for boat in state.boats:
            if not boat.sunk:
                yield from boat.place.hexes
    if sight.asked and sight.who:  # where she will go is not given away by the window
        yield from reachable(state, sight.who)
    if sight.told is None:
        if not sight.asked:
            yield from noted(sight)
        return
    decision: EscortDecision = sight.told.decision
    yield from state.vessel(sight.who).place.hexes
    if decision.target is not None:
        yield decision.target
    if decision.marker is not None:
        yield from decision.marker.place.hexes
    if decision.vector is not None:
        yield decision.vector.joins
    for leg in (*decision.path, *decision.intended):
        yield leg.place.bow


def noted(sight: Hunted) -> Iterator[Hex]:
    """Where what makes a moment of note came to pass: the hexes that its events tell, else where the boat is."""
    moment = sight.row[sight.at]
    for event in moment.events:
        if not (key_of(event) and event.seen_by(moment.seat)):
            continue
        facts, charges = event.facts.values(), event.facts.get("marked", ())
        places = [fact.hexes for fact in facts if isinstance(fact, Place)]
        hexes = [*(fact for fact in facts if isinstance(fact, Hex)), *(charge.at for charge in charges)]
        if not (places or hexes):
            places = [boat.place.hexes for boat in sight.state.boats if boat.id in facts]
        yield from (*hexes, *(each for place in places for each in place))


def decisive(row: Sequence[Moment[State]]) -> int:
    """The moment that decided a hunt: the last sinking, else the last hit, else the last time contact was lost."""
    for key in ("sinking", "hit", "loss"):
        found = [i for i, moment in enumerate(row) if key in moment.keys]
        if found:
            return found[-1]
    return len(row) - 1


def wrecks(row: Sequence[Moment[State]]) -> Iterator[tuple[str, Place]]:
    """What the deciding moment sank, by name; without a sinking, the boats that are left."""
    at = decisive(row)
    now, before = row[at].state, row[max(0, at - 1)].state
    floating = {v.id for v in before.vessels if not v.sunk} | {b.id for b in before.boats if not b.sunk}
    found = [(v.id, v.place) for v in now.vessels if v.sunk and v.id in floating]
    found += [(b.id, b.place) for b in now.boats if b.sunk and b.id in floating]
    yield from found or [(b.id, b.place) for b in row[-1].state.boats]


def board(sight: Hunted, view: View, edge: tuple[float, float, float] | None = None) -> Scene:
    """The sea at the moment looked at, with the evidence of the decision. ``edge``: where arrows point to the targets
    outside the window, pixels as for `outside`."""
    state, over = sight.state, []
    if sight.told is not None or sight.asked:
        shown = overlay(view, sight.told.decision, state, sight.layers) if sight.told else Layer("evidence")
        over.append(shown)
    over.append(Layer("told", tuple(_told(sight, view))))
    over.append(lit(view, map(Hex.parse, sight.lit)))
    if edge and sight.who:
        over.append(outside(view, state, sight.who, edge))
    anywhere = sight.asked or sight.supposing  # else what lies on the sea is all there is to press
    rings = [_ring(view, state, sight.who)] if sight.who else []
    if sight.ended:
        rings += [_wrecked(view, place) for _, place in wrecks(sight.row)]
    shunned = [box for ring in rings for box in rim(*ring)]
    ways, night = wakes(sight), sight.game.sea.night
    return scene(state, view, wakes=ways, over=tuple(over), shunned=shunned, pointable=anywhere, night=night)


def wakes(sight: Hunted) -> tuple[tuple[Place, ...], ...]:
    """The ways escorts have come this turn."""
    found, row, now = [], sight.row, sight.moment
    for i in range(sight.at, 0, -1):
        if row[i].turn != now.turn or now.state.phase < Phase.ESCORTS:
            break
        action = row[i].action
        if isinstance(action, EscortMove):
            found.append((row[i - 1].state.vessel(action.escort).place, *action.path))
    return tuple(found)


def moved(before: Shown | None, now: Shown, view: View) -> Film | None:
    """What moved since another moment of the same hunt was shown, through the window of now; None where nothing did."""
    sight = now.sight
    if before is None or before.sight.row is not sight.row or before.sight.at == sight.at or sight.supposing:
        return None
    at, row = before.sight.at, sight.row
    first = before.scene if before.frame == now.frame else scene(row[at].state, view, wakes=())
    return film(first, now.scene, _played(row[at : sight.at + 1], view, now.scene))


def _played(row: Sequence[Moment[State]], view: View, last: Scene) -> Sequence[Effect]:
    """What happened from the first of them to the last; back, or over several turns, ships only go to their places."""
    if not row or row[-1].turn > row[0].turn + 1:
        return ()
    told = [*(moment.events for moment in row[1:]), ()]
    return performed([Seen(moment.state, events) for moment, events in zip(row, told, strict=True)], view, last)


def _told(sight: Hunted, view: View) -> Iterable[Shape]:
    """Whose decision it is, what was predicted, and what it was before the what-if."""
    if sight.who:
        yield Circle(*_ring(view, sight.state, sight.who), Style(None, "select", 2.5))
    if sight.ended:
        for name, place in wrecks(sight.row):
            yield from _wreck(view, name, place)
    if sight.before is not None:
        start = sight.moment.state.vessel(sight.who).place.bow
        path = [start, *(leg.place.bow for leg in sight.before.decision.path)]
        if len(path) > 1:
            yield Line(tuple(map(view.layout.center, path)), Style(None, "muted", 3, dash=(5, 4)), arrow=True)
    for letter, label in sight.letters.items():
        yield from _sign(view, Hex.parse(label), letter, 1.5)
    for label, n in sight.votes.items():
        yield from _sign(view, Hex.parse(label), str(n or "?"), 3)
    if sight.piece is not None:
        for h in sight.piece.place(sight.state).hexes:
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


def window(state: State, who: str) -> View:
    """The part of the sea a phone sees: as the class's screen, but with cells to tap."""
    return fit(asked_about(state, who, PHONE, TAPPED), PHONE)


def phone(state: State, who: str, night: bool, over: Sequence[Layer] = ()) -> Scene:
    """The sea about an escort, as a phone is asked and told."""
    view = window(state, who)
    (x0, y0), (x1, y1) = map(view.layout.center, state.vessel(who).place.hexes)
    ring = Circle((x0 + x1) / 2, (y0 + y1) / 2, view.layout.height * 1.15, Style(None, "select", 2.5))
    beyond = outside(view, state, who, (EDGE, EDGE, EDGE))
    return scene(state, view, over=(Layer("asked", (ring,)), beyond, *over), night=night)


def answered(view: View, state: State, decision: EscortDecision, votes: Mapping[str, int]) -> Layer:
    """How many answered each hex (the more, the fuller, with the number on it), and where she went."""
    way = [state.vessel(decision.escort).place.bow, *(leg.place.bow for leg in decision.path)]
    ends = way[-1].label
    cells = {label: Cell(label, tuple(view.outline(Hex.parse(label))), label) for label in (*votes, ends)}
    led = boards.led(tuple(map(view.layout.center, way))) if len(way) > 1 else ()
    return Layer("answers", (*led, *boards.heat(cells, votes), *boards.ring(cells, ends)))
