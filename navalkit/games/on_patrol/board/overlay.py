"""The evidence of an escort's decision, drawn over the sea: one layer for each thing a teacher may switch on or off."""

from __future__ import annotations
from collections.abc import Callable, Iterable, Mapping

from navalkit.grids.hex import DIRECTIONS, Hex, Radial
from navalkit.view.scene import Circle, Layer, Line, Point, Polygon, Scene, Shape, Style, Text
from ..escort.automaton import EscortDecision
from ..escort.manoeuvre import ends
from ..sea.combat_tables import COMBAT
from ..sea.state import State
from . import scene
from .shapes import View, fit

EVIDENCE = "orange"


def _target(view: View, decision: EscortDecision, _state: State) -> list[Shape]:
    """The target hex, in cross hairs."""
    if decision.target is None:
        return []
    x, y = view.layout.center(decision.target)
    r = view.side * 0.9
    style = Style(None, EVIDENCE, 2.5)
    return [
        Circle(x, y, r * 0.7, style),
        Line(((x - r * 1.2, y), (x + r * 1.2, y)), style),
        Line(((x, y - r * 1.2), (x, y + r * 1.2)), style),
    ]


def _ray(view: View, radial: Radial) -> tuple[Point, Point]:
    """A radial from its target to beyond the edge of the window."""
    far = round(max(view.size) / view.layout.height) + 2
    return view.layout.center(radial.target), view.layout.center(radial.target.step(radial.direction, far))


def _radials(view: View, decision: EscortDecision, _state: State) -> list[Shape]:
    """The six radials, the one chosen heavy, each with its distance from her bow."""
    if decision.target is None or not decision.distances:
        return []
    shapes: list[Shape] = []
    for radial, distance in decision.distances:
        chosen = decision.radial == radial
        style = Style(None, EVIDENCE, 2.5 if chosen else 1, dash=() if chosen else (6, 5), opacity=1 if chosen else 0.7)
        shapes.append(Line(_ray(view, radial), style))
        at = radial.target.step(radial.direction, 5)
        x, y = view.layout.center(at)
        shapes.append(Text(x, y, str(distance), Style("ink"), 13, bold=chosen))
    return shapes


def _vector(view: View, decision: EscortDecision, _state: State) -> list[Shape]:
    vector = decision.vector
    if vector is None:
        return []
    line = view.layout.center(vector.start), view.layout.center(ends(vector, decision.circle))
    return [Line(line, Style(None, EVIDENCE, 3), arrow=True)]


def _zone(view: View, decision: EscortDecision, _state: State) -> list[Shape]:
    """The assault zone with its ranks, hexes attacked filled."""
    hit = {w.at for w in decision.weapons}
    shapes: list[Shape] = []
    for rank, h in decision.zone:
        fill = EVIDENCE if h in hit else None
        shapes.append(Polygon(view.outline(h), Style(fill, None, opacity=0.35)))
        shapes.append(Polygon(view.outline(h), Style(None, EVIDENCE, 1.5)))
        if view.side >= 12:
            x, y = view.layout.center(h)
            shapes.append(Text(x, y, str(rank), Style("ink"), max(12, view.side * 0.6), bold=h in hit))
    return shapes


def _circle(view: View, decision: EscortDecision, _state: State) -> list[Shape]:
    if decision.circle is None:
        return []
    return [Polygon(tuple(map(view.layout.center, decision.circle.hexes())), Style(None, EVIDENCE, 2, dash=(8, 4)))]


def _sonar(view: View, decision: EscortDecision, state: State) -> list[Shape]:
    """How far her sonar reaches."""
    bow = state.vessel(decision.escort).place.bow
    reach = max(row.reach for row in COMBAT.sonar.values())
    corners = [bow.step(d, reach) for d in DIRECTIONS]
    return [Polygon(tuple(map(view.layout.center, corners)), Style(None, "sky", 1.5, dash=(2, 4)))]


def _forbidden(view: View, decision: EscortDecision, _state: State) -> list[Shape]:
    """Hexes closed to her, crossed out."""
    shapes: list[Shape] = []
    for h, _ban in decision.forbidden:
        if view.holds(h):
            shapes.append(Polygon(view.outline(h), Style("bad", None, opacity=0.16)))
            x, y = view.layout.center(h)
            r = view.side * 0.4
            shapes.append(Line(((x - r, y - r), (x + r, y + r)), Style(None, "bad", 1, opacity=0.7)))
    return shapes


def _track(view: View, decision: EscortDecision, hexes: Iterable[Hex], state: State) -> tuple[Point, ...]:
    return tuple(view.layout.center(h) for h in (state.vessel(decision.escort).place.bow, *hexes))


def _path(view: View, decision: EscortDecision, state: State) -> list[Shape]:
    """The planned path, hex by hex."""
    hexes = [leg.place.bow for leg in decision.path]
    if not hexes:
        return []
    shapes: list[Shape] = [Polygon(view.outline(h), Style(None, EVIDENCE, 2)) for h in hexes]
    return [*shapes, Line(_track(view, decision, hexes, state), Style(None, EVIDENCE, 3.5), arrow=True)]


def _rejected(view: View, decision: EscortDecision, state: State) -> list[Shape]:
    """The path she would have taken, if somebody stood in the way."""
    if decision.intended == decision.path or not decision.intended:
        return []
    hexes = [leg.place.bow for leg in decision.intended]
    return [Line(_track(view, decision, hexes, state), Style(None, "muted", 1.5, dash=(4, 4)), arrow=True)]


LAYERS: Mapping[str, Callable[[View, EscortDecision, State], list[Shape]]] = {
    "forbidden hexes": _forbidden, "radials": _radials, "circle": _circle, "sonar reach": _sonar,
    "rejected path": _rejected, "vector": _vector, "path": _path, "assault zone": _zone, "target hex": _target
}
"""Name of a layer -> what draws it, from back to front."""


def overlay(view: View, decision: EscortDecision, state: State, shown: Iterable[str] = LAYERS) -> Layer:
    """The evidence of a decision. ``state``: the sea the decision was made on. ``shown`` names of ``LAYERS``."""
    wanted = set(shown)
    drawn = [shape for name, draw in LAYERS.items() if name in wanted for shape in draw(view, decision, state)]
    return Layer("evidence", tuple(drawn))


def lit(view: View, hexes: Iterable[Hex]) -> Layer:
    """Single hexes as evidence: what one line of the reasons points to."""
    return Layer("lit", tuple(Polygon(view.outline(h), Style(EVIDENCE, EVIDENCE, 2.5, opacity=0.5)) for h in hexes))


def sea_chart(state: State, decision: EscortDecision | None = None, ships: Iterable[str] | None = None,
              around: Hex | None = None, marked: Iterable[Hex] = ()) -> Scene:
    """The sea around some ships and the escorts' target hexes, as lessons show it.

    Parameters
    ----------
    state : State
    decision : EscortDecision, optional
        Her evidence is drawn over the sea.
    ships : iterable of str, optional
        Ids of those that must be seen; left out, all.
    around : Hex, optional
        The middle of a closer view; ``ships`` then do not count.
    marked : iterable of Hex
        Hexes to point out.

    Returns
    -------
    Scene

    Examples
    --------
    >>> from navalkit.games.on_patrol.escort.positions import find
    >>> len(sea_chart(find("mode-1").state).layers) > 1
    True
    """
    wanted = [h for ship in state.vessels if ships is None or ship.id in ships for h in ship.place.hexes]
    targets = [marker.target for marker in state.markers]
    view = View(around, zoom=6) if around is not None else fit([*wanted, *targets])
    over = [overlay(view, decision, state)] if decision is not None else []
    return scene.scene(state, view, over=[*over, scene.marked(view, marked)])


def goal_chart(state: State, goal: str) -> Scene:
    """The sea about the first boat, with the hex (its label) that she is to reach marked."""
    return sea_chart(state, around=state.boats[0].place.bow, marked=[Hex.parse(goal)])
