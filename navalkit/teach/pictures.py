"""Boards, hex maps and bar charts as pictures in a notebook; no widgets."""

from __future__ import annotations
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch
from typing import Any

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError
from navalkit.core.match import Match
from navalkit.core.shown import Markup, OneLine, Shown, html as filled, listing, many, paragraph, told
from navalkit.core.trace import Decision, Finding
from navalkit.core.words import Event, Events, local, percent
from navalkit.grids.hex import Hex, Layout
from navalkit.grids.hex_moves import Place
from navalkit.players.arena import Rows
from navalkit.view.page import Look, glance_at, page_of
from navalkit.view.painters import image, text as characters
from navalkit.view.scene import Circle, Layer, Line, Polygon, Rect, Scene, Shape, Style, Text
from .say import SAY


@dataclass(frozen=True, slots=True)
class Picture:
    """A scene that a notebook shows as an image, with its description for those who do not see it."""

    scene: Scene

    def __repr__(self) -> str:
        return characters(self.scene)

    def _repr_html_(self) -> Markup:
        return image(self.scene)


def board(match: Match, player: int | None = None, ply: int | None = None) -> Picture:
    """The board of a match.

    Parameters
    ----------
    match : Match
    player : int, optional
        Who looks; left out, whose turn it is.
    ply : int, optional
        The moment; left out, now.

    Returns
    -------
    Picture
        It shows itself in a notebook.

    Raises
    ------
    IndexError
        If the match has no such ply.

    Examples
    --------
    >>> from navalkit import Match
    >>> board(Match.new("uss-lox", seed=1)).scene.width
    800.0
    """
    return Picture(page_of(match.game.name).scene(glance_at(match, player, ply), Look()))


_BAR, _GAP, _LEFT, _NUMBER = 30.0, 8.0, 200.0, 110.0
_WIDE = 720.0


def bars(values: Mapping[Any, float | Fraction], title: str, unit: str = "probability") -> Picture:
    """Horizontal bars, one a category, each with its number.

    Parameters
    ----------
    values : mapping of category to number >= 0
    title : str
    unit : str
        What the numbers are; those of "probability" are written in percent.

    Returns
    -------
    Picture
        It shows itself in a notebook.

    Examples
    --------
    >>> "hit" in repr(bars({"hit": 0.25, "miss": 0.75}, "One shot"))
    True
    """
    room = _WIDE - _LEFT - _NUMBER
    most = max(max(map(float, values.values()), default=0.0), 1e-12)
    shapes: list[Shape] = [Text(12, 24, title, Style("ink"), 18, "start", True)]
    said = []
    for i, (name, number) in enumerate(values.items()):
        y = 48 + i * (_BAR + _GAP)
        plain = local(f"{float(number):,.0f}" if number >= 100 else f"{float(number):.3g}")
        figure = percent(number) if unit == "probability" else plain
        shapes += [
            Text(_LEFT - 12, y + _BAR / 2, str(name), Style("ink"), 16, "end"),
            Rect(_LEFT, y, max(room * float(number) / most, 1), _BAR, Style("blue"), 3),
            Text(_LEFT + room * float(number) / most + 10, y + _BAR / 2, figure, Style("ink"), 16, "start"),
        ]
        said.append(f"{name}: {figure}")
    height = 56 + len(values) * (_BAR + _GAP)
    ground = Rect(0, 0, _WIDE, height, Style("paper"))
    return Picture(Scene(_WIDE, height, (Layer("bars", (ground, *shapes)),), (), title, "; ".join(said) + "."))


_SIZE = 34.0


def hex_map(hexes: Iterable[Hex], ships: Mapping[str, Place] | None = None, marked: Iterable[Hex] = (),
            figures: Mapping[Hex, Any] | None = None, title: str = "Hexes") -> Picture:
    """Hexes with their labels, and ships on them.

    Parameters
    ----------
    hexes : iterable of Hex
        The sea.
    ships : mapping of str to Place
        A letter or short name for each.
    marked : iterable of Hex
        Outlined in the colour of evidence.
    figures : mapping of Hex to object
        Written large in a hex instead of its label.
    title : str

    Returns
    -------
    Picture
        It shows itself in a notebook.

    Raises
    ------
    DataError
        If there is no hex.

    Examples
    --------
    >>> "M20" in repr(hex_map([Hex.parse("M20")]))
    True
    """
    sea, ships, marked, figures = sorted(set(hexes)), ships or {}, set(marked), figures or {}
    if not sea:
        raise DataError(SAY("picture.no_hexes"))
    plain = Layout(_SIZE)
    corners = [corner for h in sea for corner in plain.corners(h)]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    layout = Layout(_SIZE, 8 - left, 8 - top)
    width, height = max(x for x, _ in corners) - left + 16, max(y for _, y in corners) - top + 16
    ground = [Rect(0, 0, width, height, Style("paper"))]
    sides = [Polygon(tuple(layout.corners(h)), Style("sea_deep", "grid")) for h in sea]
    evidence = [Polygon(tuple(layout.corners(h)), Style(None, "accent", 3)) for h in sea if h in marked]
    said = [
        SAY("picture.ship", name=name, bow=at.bow, course=at.direction, stern=at.stern) for name, at in ships.items()
    ]
    said += [SAY("picture.marked", hexes=", ".join(h.label for h in sea if h in marked))] if marked else []
    said += [f"{h.label}: {figure}" for h, figure in figures.items()]
    layers = (
        Layer("sea", (*ground, *sides)),
        Layer("evidence", tuple(evidence)),
        Layer("words", tuple(_word(layout, h, figures) for h in sea)),
        Layer("ships", tuple(shape for name, place in ships.items() for shape in _ship(layout, name, place))),
    )
    return Picture(Scene(width, height, layers, (), title, "; ".join(said) + "." if said else ""))


def _word(layout: Layout, h: Hex, figures: Mapping[Hex, Any]) -> Text:
    x, y = layout.center(h)
    if h in figures:
        return Text(x, y, str(figures[h]), Style("ink"), 20, bold=True)
    return Text(x, y + layout.height / 2 - 10, h.label, Style("muted"), 12)


def _ship(layout: Layout, name: str, place: Place) -> Sequence[Shape]:
    """A hull from stern to bow with an arrow at the bow, and her letter."""
    (x1, y1), (x2, y2) = layout.center(place.stern), layout.center(place.bow)
    dx, dy = (x2 - x1) / layout.height, (y2 - y1) / layout.height
    tip = (x2 + dx * _SIZE * 0.6, y2 + dy * _SIZE * 0.6)
    return (
        Line(((x1, y1), (x2, y2)), Style(None, "blue", 16)),
        Line(((x2, y2), tip), Style(None, "blue", 5), arrow=True),
        Circle(x1, y1, 8, Style("blue")),
        Text((x1 + x2) / 2, (y1 + y2) / 2, name, Style("paper"), 14, bold=True),
    )


# -- What a notebook shows of a game, a distribution and a decision that come last in a cell, and ``print`` of a game

_LINES = 20
"""Events, and rows of a table, that are shown of many."""
_MOST = 24
"""Bars that are taken in at a glance; of more outcomes the most likely are shown."""


@singledispatch
def html(value: Shown) -> str:
    """The value as HTML without scripts or styles of a page; TypeError for one that nothing here draws."""
    raise TypeError(f"nothing draws a {type(value).__name__}")


@html.register
def _match(value: Match) -> str:
    """The board as it lies for the player whose turn it is, and the last event."""
    said = value.outcome.text if value.outcome else value.log[-1].text if value.log else ""
    return board(value)._repr_html_() + paragraph(said)


@html.register
def _dist(value: Dist) -> str:  # type: ignore[type-arg]  # singledispatch reads the class alone
    shown = sorted(value.support, key=value.__getitem__, reverse=True)[:_MOST]
    kept = {x: value[x] for x in value.support if x in shown}
    title = SAY("shown.some" if len(kept) < len(value) else "shown.all", n=len(kept), outcomes=len(value))
    return bars(kept, title)._repr_html_()


@html.register
def _decision(value: Decision) -> str:
    """The reason, the rules that were asked, and every option, the one taken in bold."""
    options = [filled("<b>{}</b>", line) if chosen else line for line, chosen in value.weighed()]
    head = paragraph(f"{value.by}: {value.action}. {value.reason}")
    return head + listing("ul", map(_finding, value.findings)) + listing("ol", options)


@html.register
def _event(value: Event) -> str:
    return filled("<p>{} <small>[{}]</small></p>", value.text, value.rule)


@html.register
def _events(value: Events) -> str:
    """A list, the latest last; of many the last ones, and how many come before."""
    before = paragraph(SAY("shown.before", n=len(value) - _LINES) if len(value) > _LINES else "")
    return before + listing("ul", (filled("{} <small>[{}]</small>", each.text, each.rule) for each in value[-_LINES:]))


@html.register
def _fields(value: OneLine) -> str:
    """A state, or what a player sees of it: what is worth saying of each field."""
    rows = many("<tr><th style='text-align:left'>{}</th><td style='text-align:left'>{}</td></tr>", told(value))
    return filled("<table>{}</table>", rows) or paragraph(repr(value))


@html.register
def _rows(value: Rows) -> str:
    """A table of the first and the last rows, without the records of games that failed."""
    names = [name for name in dict.fromkeys(name for row in value for name in row) if name != "record"]
    half = _LINES // 2
    shown = [*value] if len(value) <= _LINES else [*value[:half], dict.fromkeys(names, "…"), *value[-half:]]
    cells = [(many("<td>{}</td>", (_cell(row.get(name)) for name in names)),) for row in shown]
    head = filled("<tr>{}</tr>", many("<th>{}</th>", names))
    return paragraph(SAY("shown.rows", n=len(value))) + filled("<table>{}{}</table>", head, many("<tr>{}</tr>", cells))


def _cell(value: Any) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def plain(value: Match) -> str:
    """The match on one line, its board as it lies for the player whose turn it is, and the last event."""
    said = value.outcome.text if value.outcome else value.log[-1].text if value.log else ""
    return "\n".join(filter(None, (repr(value), repr(board(value)), said)))


def _finding(finding: Finding) -> Markup:
    said = filled("{} {} [{}]", finding.question, finding.verdict, finding.rule)
    return said + listing("ul", map(_finding, finding.children))
