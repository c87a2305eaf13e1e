"""What a class is asked of a hunt, and what it is told: where an escort goes, which rule decides, hit or miss.

A question is made of the sea alone, never of the decision: its board, its window and its choices are the same whatever
she is about to do. What is told afterwards is made of the decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from navalkit.core.errors import IllegalActionError
from navalkit.games.on_patrol.board.moments import Moment
from navalkit.games.on_patrol.board.scene import scene
from navalkit.games.on_patrol.board.shapes.view import View, fit
from navalkit.games.on_patrol.combat.hull import top_speed
from navalkit.games.on_patrol.data import words
from navalkit.games.on_patrol.escort import whatif
from navalkit.games.on_patrol.escort.automaton import EscortDecision
from navalkit.games.on_patrol.escort.explain import explain
from navalkit.games.on_patrol.sea.setting import Sea
from navalkit.games.on_patrol.sea.state import State
from navalkit.grids.hex import Hex
from navalkit.view.questions import Choice, Note, Question, Result
from navalkit.view.scene import Circle, Layer, Line, Polygon, Scene, Shape, Style, Text

from .say import ROOM

SIZE = (390.0, 430.0)
"""Pixels of a phone's board."""
TAPPED = 14.0
"""The least size of a hex, in pixels, that can be tapped."""
FASTER = 2
"""Hexes a turn by which an escort's speed may rise."""
WAYS = ("avoid", "plan", "station", "circle", "radial", "vector", "turn", "through", "still")
"""What may decide her way: the same nine are offered whatever she does."""
_WAY = {
    "through": "through", "inward": "radial", "on_course": "radial", "shortest": "radial", "vector": "vector",
    "onto_vector": "vector", "plan": "plan", "along_circle": "circle", "to_circle": "circle", "to_station": "station",
    "parallel": "avoid",
}  # fmt: skip
_ATTACKED, _HIT = ("depth.", "damage", "harmless"), ("damage", "sunk_boat")
_CLOSED = words("escort.toml")


# Questions ----------------------------------------------------------------------------------------------------------


def reachable(state: State, who: str) -> list[Hex]:
    """The hexes an escort's bow might end on, as far as her speed goes, in reading order: hers is one of them."""
    ship = state.vessel(who)
    found = {ship.place.bow}
    for _ in range(max(1, min(top_speed(ship), ship.speed + FASTER))):
        found |= {h.step(direction, 1) for h in found for direction in range(1, 7)}
    return sorted(found)


def window(state: State, who: str) -> View:
    """The part of the sea a phone sees: all she can reach, and the markers where that leaves cells to tap."""
    own = [*reachable(state, who), *state.vessel(who).place.hexes]
    wide = fit([*own, *(h for marker in state.markers for h in (*marker.place.hexes, marker.target))], SIZE)
    return wide if wide.side >= TAPPED else fit(own, SIZE)


def where(state: State, who: str, night: bool = False) -> Question:
    """Where will she go?"""
    view = window(state, who)
    choices = tuple(Choice(h.label, h.label, view.layout.center(h)) for h in reachable(state, who))
    x, y = view.layout.center(Hex(0, 0))
    shape = tuple((a - x, b - y) for a, b in view.outline(Hex(0, 0)))
    return Question("where", ROOM("ask.where", who=who), choices, _sea(state, who, view, night), shape)


def which(state: State, who: str, night: bool = False) -> Question:
    """Which rule will decide?"""
    choices = tuple(Choice(way, ROOM(f"way.{way}")) for way in WAYS)
    return Question("which", ROOM("ask.which", who=who), choices, _sea(state, who, window(state, who), night))


def hit() -> Question:
    """Will the attack that comes now hit?"""
    return Question("hit", ROOM("ask.hit"), tuple(Choice(each, ROOM(f"hit.{each}")) for each in ("hit", "miss")))


def own(text: str, number: int) -> Question:
    """A question asked aloud, answered by letters."""
    return Question("own", text, tuple(Choice(letter, letter) for letter in "ABCDEF"[:number]))


def _sea(state: State, who: str, view: View, night: bool, over: Sequence[Layer] = ()) -> Scene:
    (x0, y0), (x1, y1) = map(view.layout.center, state.vessel(who).place.hexes)
    ring = Circle((x0 + x1) / 2, (y0 + y1) / 2, view.layout.height * 1.15, Style(None, "select", 2.5))
    return scene(state, view, over=(Layer("asked", (ring,)), *over), night=night)


# Answers ------------------------------------------------------------------------------------------------------------


def told_where(
    state: State, who: str, sea: Sea, decision: EscortDecision, votes: Mapping[str, int], night: bool = False
) -> Result:
    """Where she went and why, with all answers on the board, and what each wrong one would have needed."""
    ends = end(state, decision)
    rule, way = decided(decision)
    text = ROOM("told.where", who=who, hex=ends, way=ROOM(f"way.{way}"), reason=str(decision.reason))
    view = window(state, who)
    over = (Layer("answers", (*_heat(view, votes), *_path(view, state, decision))),)
    notes = {label: need(state, who, sea, decision, Hex.parse(label)) for label in votes if label != ends.label}
    return Result((ends.label,), text, rule, notes, _sea(state, who, view, night, over))


def told_which(state: State, decision: EscortDecision, votes: Iterable[str], night: bool = False) -> Result:
    """Which rule decided, and when each of the others would have."""
    rule, way = decided(decision)
    text = ROOM("told.which", way=ROOM(f"way.{way}"), reason=str(decision.reason))
    notes = {each: Note("", ROOM(f"need.{each}")) for each in votes if each != way}
    view = window(state, decision.escort)
    over = (Layer("answers", tuple(_path(view, state, decision))),)
    return Result((way,), text, rule, notes, _sea(state, decision.escort, view, night, over))


def told_hit(hits: bool) -> Result:
    """Whether it hit."""
    return Result(("hit" if hits else "miss",), ROOM("told.hit" if hits else "told.miss"), "105.4.12")


def told_own(right: str) -> Result:
    """Which letter was right; "" for none in particular."""
    return Result((right,) if right else (), ROOM("told.own", letter=right) if right else ROOM("told.all"))


def attack_comes(row: Sequence[Moment], at: int) -> bool | None:
    """Whether an attack on a boat that comes later this turn hits; None if none comes."""
    kinds = [e.kind for m in row[at + 1 :] if m.turn == row[at].turn for e in m.events]
    if not any(kind.startswith(_ATTACKED) for kind in kinds):
        return None
    return any(kind in _HIT for kind in kinds)


def end(state: State, decision: EscortDecision) -> Hex:
    """Where her bow ends."""
    return decision.path[-1].place.bow if decision.path else state.vessel(decision.escort).place.bow


def decided(decision: EscortDecision) -> tuple[str, str]:
    """The rule that decided her way, and which of `WAYS` that is."""
    if decision.path != decision.intended:
        closing = {ban.rule for _, ban in decision.forbidden}
        return next((option.rule for option in decision.rejected if option.rule in closing), "105.4.8"), "avoid"
    if not decision.path:
        return "105.3.5", "still"
    leg = decision.path[0]
    return leg.rule, _WAY.get(leg.why, "turn")


def need(state: State, who: str, sea: Sea, decision: EscortDecision, h: Hex) -> Note:
    """What her going to ``h`` would have needed: the first rule that would have led her there."""
    closed = dict(decision.forbidden)
    if h in closed:
        ban = closed[h]
        return Note(ban.rule, ROOM("lacks.closed", why=_CLOSED(f"closed.{ban.rule}", hex=h, whose=ban.whose)))
    if decision.intended and h == decision.intended[-1].place.bow:
        return Note(decided(decision)[0], ROOM("lacks.free"))
    if h in {leg.place.bow for leg in decision.path}:
        return Note("105.3.5", ROOM("lacks.slower", n=len(decision.path)))
    for mode, goes in _other_modes(state, who, sea, decision):
        if h == end(state, goes):
            return Note("104.2.1", ROOM("lacks.mode", mode=mode, reason=str(goes.reason)))
    bow = state.vessel(who).place.bow
    if h.distance(bow) > len(decision.path):
        return Note("105.3.5", ROOM("lacks.faster", n=len(decision.path)))
    chosen = decision.radial
    nearing = [(n, radial) for radial, n in decision.distances if radial != chosen and radial.distance(h) < n]
    if chosen is not None and nearing:
        n, other = min(nearing, key=lambda each: each[0])
        return Note("105.3.2a", ROOM("lacks.radial", other=other.direction, n=n, mine=chosen.distance(bow)))
    return Note("", ROOM("lacks.none"))


def _other_modes(state: State, who: str, sea: Sea, decision: EscortDecision) -> Iterator[tuple[int, EscortDecision]]:
    """What she would do in each of the other modes."""
    place = state.vessel(who).place
    boat = state.vessel(who).hunt.boat or next((b.id for b in state.boats), "S1")
    for mode in whatif.KINDS:
        if mode != decision.mode:
            try:
                supposed = whatif.with_mode(state, boat, mode, place.ahead(8))
            except IllegalActionError:
                continue
            yield mode, explain(supposed, who, sea)


def _heat(view: View, votes: Mapping[str, int]) -> Iterator[Shape]:
    """How many answered each hex: the more, the fuller, with the number on it."""
    most = max(votes.values(), default=1)
    for label, n in votes.items():
        h = Hex.parse(label)
        yield Polygon(view.outline(h), Style("orange", "ink", 1, opacity=0.25 + 0.6 * n / most))
        x, y = view.layout.center(h)
        yield Text(x, y, str(n), Style("ink", "paper", 3), max(12.0, view.side * 0.9), bold=True)


def _path(view: View, state: State, decision: EscortDecision) -> Iterator[Shape]:
    way = [state.vessel(decision.escort).place.bow, *(leg.place.bow for leg in decision.path)]
    if len(way) > 1:
        yield Line(tuple(map(view.layout.center, way)), Style(None, "select", 4), arrow=True)
    yield Polygon(view.outline(way[-1]), Style(None, "select", 3))
