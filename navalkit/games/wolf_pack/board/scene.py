"""The card table of Wolf Pack as a `Scene`: rows, the own hand, deck and discards, and the tracks of what was sunk."""

from __future__ import annotations

from dataclasses import dataclass

from navalkit.view.cards import badge, empty_place, face_down
from navalkit.view.page import Glance
from navalkit.view.scene import Cell, Circle, Layer, Line, Polygon, Rect, Scene, Shape, Style, Text, rect_outline

from ..rules.cards import CONVOY, RAIDS, ROWS, SIDES, UBOATS, Card, listed
from ..rules.game import WolfPack
from ..rules.state import Action, Discard, Observation, Phase, Play
from ..rules.tables import SAY

_INK, _MUTED, _EDGE = Style("ink"), Style("muted"), Style("card", "card_line", 1.5)
_BANDS = {UBOATS: "blue", CONVOY: "vermilion", None: "purple"}
_SIGNS = {UBOATS: "U", CONVOY: "C", None: "±"}
_SHORT = {
    Card.CHARGES: ("DEPTH", "CHARGES"),
    Card.SWEEP: ("DESTROYER", "SWEEP"),
    Card.MOUSE: ("CAT AND", "MOUSE"),
    Card.MISS: ("NEAR", "MISS"),
}
_GOALS = ("goal.transports", "goal.u_boats")


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things lie, in px: one for wide pages, one for phones."""

    width: float
    height: float
    card: float  # width of a card; its height is 1.4 times that
    theirs: tuple[float, float]
    rows: tuple[tuple[float, float], tuple[float, float]]  # the opponent's, the own
    piles: tuple[float, float]
    tracks: tuple[float, float]
    hand: tuple[float, float]
    across: int  # cards of the hand side by side


_WIDE = _Layout(800, 612, 92, (24, 42), ((24, 132), (24, 297)), (380, 196), (560, 176), (24, 464), 7)
_TALL = _Layout(390, 800, 84, (16, 40), ((16, 130), (16, 284)), (292, 150), (16, 428), (16, 540), 4)
_RATIO = 1.4
_SMALL = 34.0


def scene(glance: Glance[WolfPack, Observation, Action], tall: bool = False) -> Scene:
    """The table as one side sees it; ``tall`` is the layout for phones."""
    seen = glance.seen
    table = _Table(glance, _TALL if tall else _WIDE)
    layout = table.layout
    layers = (
        Layer("table", (Rect(0, 0, layout.width, layout.height, Style("sea_shallow")),)),
        Layer("tracks", table.tracks()),
        Layer("rows", (*table.theirs(), *table.row(1 - seen.me, 0), *table.row(seen.me, 1))),
        Layer("piles", table.piles()),
        Layer("hand", table.hand()),
    )
    return Scene(layout.width, layout.height, layers, tuple(table.cells), glance.game.title, _describe(seen))


class _Table:
    """Collects shapes and cells of one scene."""

    def __init__(self, glance: Glance[WolfPack, Observation, Action], layout: _Layout) -> None:
        self.seen, self.layout, self.legal = glance.seen, layout, glance.legal
        self.cells: list[Cell] = []

    def _heading(self, x: float, y: float, text: str) -> Text:
        return Text(x, y, text, _INK, 16, anchor="start", bold=True)

    def theirs(self) -> tuple[Shape, ...]:
        x, y = self.layout.theirs
        size, known = self.seen.their_size, sum(self.seen.known)
        key = "table.theirs_known" if known else "table.theirs"
        title = SAY(key, side=SIDES[1 - self.seen.me], n=size, known=known)
        shapes: list[Shape] = [self._heading(x, y - 18, title)]
        for i in range(size):
            shapes += face_down(x + i * (_SMALL + 6), y, _SMALL, _SMALL * _RATIO)
        return tuple(shapes)

    def row(self, side: int, place: int) -> tuple[Shape, ...]:
        """The attack of one side: the cards that lie, and the places still to fill."""
        x, y = self.layout.rows[place]
        w, laid = self.layout.card, self.seen.rows[side]
        whose = SAY("table.row", side=SIDES[side], by=side)
        shapes: list[Shape] = [self._heading(x, y - 16, whose)]
        for i, card in enumerate(ROWS[side]):
            cx = x + i * (w + 8)
            if i < laid:
                shapes += _face(cx, y, w, card)
            else:
                shapes += empty_place(cx, y, w, w * _RATIO)
                shapes += _title(cx, y + 0.1 * w, w, card, _MUTED)
            said = SAY("table.laid" if i < laid else "table.open", row=whose, place=i + 1, card=card.title)
            self.cells.append(Cell(f"{SIDES[side]} {i + 1}", rect_outline(cx, y, w, w * _RATIO), said))
        return tuple(shapes)

    def piles(self) -> tuple[Shape, ...]:
        x, y = self.layout.piles
        w, seen = 60.0, self.seen
        lying = sum(seen.discards)
        shapes: list[Shape] = []
        down = self.layout is _TALL
        for i, (id, count) in enumerate((("deck", seen.deck_size), ("discards", lying))):
            cx, cy = (x, y + i * 150) if down else (x + i * (w + 22), y)
            back = face_down if i == 0 and count else empty_place
            shapes += back(cx, cy, w, w * _RATIO)
            shapes += badge(cx + w / 2, cy + w * _RATIO / 2, str(count), fill="card", ink="ink", size=16)
            label = SAY(f"table.{id}")
            shapes.append(Text(cx + w / 2, cy + w * _RATIO + 14, label, _INK, 14))
            self.cells.append(
                Cell(id, rect_outline(cx, cy, w, w * _RATIO), SAY("table.pile", pile=label, n=count))
            )
        return tuple(shapes)

    def tracks(self) -> tuple[Shape, ...]:
        """What each side has sunk of what it must sink."""
        x, y = self.layout.tracks
        shapes: list[Shape] = []
        for side, label in enumerate(_GOALS):
            cy = y + side * (44 if self.layout is _TALL else 62)
            done, goal = self.seen.sunk[side], self.seen.goals[side]
            shapes.append(Text(x, cy, SAY(label, done=done, goal=goal), _INK, 15, anchor="start", bold=True))
            step = min(34.0, 340 / goal) if self.layout is _TALL else min(34.0, 220 / goal)
            for i in range(goal):
                shapes += _hull(x + i * step, cy + 20, min(step - 6, 28.0), _BANDS[1 - side], i < done)
        turn = SAY("table.turn", turn=self.seen.turn)
        if self.layout is _TALL:
            shapes.append(Text(self.layout.width - 16, y, turn, _MUTED, 14, anchor="end"))
        else:
            shapes.append(Text(x, y + 128, turn, _MUTED, 14, anchor="start"))
        return tuple(shapes)

    def hand(self) -> tuple[Shape, ...]:
        x, y = self.layout.hand
        w, seen = self.layout.card, self.seen
        shapes: list[Shape] = [self._heading(x, y - 16, SAY("table.hand", side=SIDES[seen.me]))]
        for i, card in enumerate(listed(seen.hand)):
            cx = x + i % self.layout.across * (w + 8)
            cy = y + i // self.layout.across * (w * _RATIO + 12)
            action = next((a for a in (Discard(card), Play(card)) if a in self.legal), None)
            shapes += _face(cx, cy, w, card, action is not None or seen.phase is Phase.END or seen.side != seen.me)
            verb = "table.card" if action is None else f"table.{'play' if isinstance(action, Play) else 'discard'}"
            outline = rect_outline(cx, cy, w, w * _RATIO)
            self.cells.append(Cell(f"hand {i + 1}", outline, SAY(verb, card=card.title), action=action))
        return tuple(shapes)


def side_of(card: Card) -> int | None:
    """Whose card it is: 0 the U-boats', 1 the convoy's, None either's or nobody's."""
    if card is Card.WATER or card in RAIDS:
        return None
    return UBOATS if card in (*ROWS[UBOATS], Card.DIVE) else CONVOY


def _face(x: float, y: float, w: float, card: Card, bright: bool = True) -> tuple[Shape, ...]:
    """A card with its title, a band in its side's colour and its side's sign; a pale one cannot be played now."""
    h, side = w * _RATIO, side_of(card)
    band = "sky" if card is Card.WATER else _BANDS[side]
    sign = "~" if card is Card.WATER else _SIGNS[side]
    opacity = 1.0 if bright else 0.45
    return (
        Rect(x, y, w, h, _EDGE, 0.09 * w),
        Rect(x + 5, y + 5, w - 10, 0.2 * w, Style(band, opacity=opacity), 3),
        *_title(x, y + 0.2 * w, w, card, Style("ink", opacity=1.0 if bright else 0.7)),
        Circle(x + w / 2, y + h - 0.27 * w, 0.17 * w, Style(None, "ink", 1.5, opacity=opacity)),
        Text(x + w / 2, y + h - 0.27 * w, sign, Style("ink", opacity=opacity), 0.2 * w, bold=True, glyph=False),
    )


def _title(x: float, y: float, w: float, card: Card, style: Style) -> tuple[Text, ...]:
    lines = _SHORT.get(card, (card.title,))
    size = min(14.0, 1.25 * w / max(map(len, lines)))
    return tuple(
        Text(x + w / 2, y + 0.28 * w + i * (size + 4), line, style, size, bold=True) for i, line in enumerate(lines)
    )


def _hull(x: float, y: float, length: float, token: str, sunk: bool) -> tuple[Shape, ...]:
    """A ship on the track: a full hull while she is afloat, hollow with a cross once she is sunk."""
    points = ((x, y - 5), (x + length - 7, y - 5), (x + length, y), (x + length - 7, y + 5), (x, y + 5))
    if not sunk:
        return (Polygon(points, Style(token, "ink", 1)),)
    cross = Style(None, "ink", 2)
    return (
        Polygon(points, Style(None, "muted", 1.5)),
        Line(((x + 4, y - 7), (x + length - 8, y + 7)), cross),
        Line(((x + 4, y + 7), (x + length - 8, y - 7)), cross),
    )


def _describe(seen: Observation) -> str:
    """The table in words, for screen readers."""
    hand = ", ".join(card.title for card in listed(seen.hand)) or SAY("table.no_card")
    (mine, theirs), (transports, u_boats) = seen.rows, seen.sunk
    return SAY(
        "table.said", side=SIDES[seen.me], hand=hand, u_row=mine, c_row=theirs, transports=transports, u_boats=u_boats
    )
