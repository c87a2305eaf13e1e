"""The card table of Wolf Pack as a `Scene`: rows, the own hand, deck and discards, and the ships each side is after.

Pieces: "hand sonar 1" (the first SONAR of the own hand), "theirs 3" (a card of theirs, by its place), "row 1 0" (the
first card of the convoy's row), "played 0 7" (the U-boats' card of turn 7), "deck", "discards", "target 0 2".
"""

from __future__ import annotations
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache

from navalkit.view.drawings import HEIGHT, RATIO, badge, drawing, empty_place, face_down
from navalkit.view.page import Glance
from navalkit.view.scene import (
    Cell,
    Circle,
    Flat,
    Layer,
    Line,
    Piece,
    Polygon,
    Rect,
    Scene,
    Shape,
    Style,
    Text,
    rect_outline,
)
from .cards import CLEARS, CONVOY, RAIDS, ROWS, SAY, SIDES, UBOATS, WORDS, Card, listed
from .rules import WolfPack
from .state import Action, Discard, Observation, Phase, Play

# -- What cards and ships of Wolf Pack look like, about (0, 0): equal looks are one object, and reach the browser once

BANDS = {UBOATS: "blue", CONVOY: "vermilion", None: "purple"}
_ROOMY = 90.0  # pixels of a card that is wide enough for capitals of 12 px
_BREAKS = {
    Card.CHARGES: "DEPTH\nCHARGES", Card.SWEEP: "DESTROYER\nSWEEP", Card.MOUSE: "CAT AND\nMOUSE",
    Card.MISS: "NEAR\nMISS"
}


def side_of(card: Card) -> int | None:
    """Whose card it is: 0 the U-boats', 1 the convoy's, None either's or nobody's."""
    if card is Card.WATER or card in RAIDS:
        return None
    return UBOATS if card in (*ROWS[UBOATS], Card.DIVE) else CONVOY


def index(card: Card) -> str:
    """What stands in a card's corners: its place in its row, × (it clears), − (it costs a card), ~ (water)."""
    for row in ROWS:
        if card in row:
            return str(row.index(card) + 1)
    return "×" if card in CLEARS else "−" if card in RAIDS else "~"


def lines(card: Card, w: float) -> tuple[str, ...]:
    """The card's whole name, in lines that fit its width; on a small one in small letters, which are narrower."""
    name = _BREAKS.get(card, card.title) if card.named == card.title else card.named.upper().replace(" ", "\n")
    return tuple((name if w >= _ROOMY else name.capitalize()).split("\n"))


def face(card: Card, w: float, pale: bool = False) -> tuple[Flat, ...]:
    """A card face up, its drawing over its name; a pale one cannot be played now."""
    return _face(card, w, pale, card.named)


@cache
def _face(card: Card, w: float, pale: bool, named: str) -> tuple[Flat, ...]:
    h, edge = w * RATIO, 0.045 * w
    picture = w - 2 * edge
    top = -h / 2 + edge
    low = top + HEIGHT * picture
    names, (letter, most) = lines(card, w), (0.72, 16.0) if w >= _ROOMY else (0.6, 13.0)
    size = max(12.0, min(most, (w - 3.2 * edge) / (letter * max(map(len, names)))))
    written = tuple(
        Text(-w / 2 + 1.6 * edge, low + (i + 0.7) * (size + 1), line, Style("card_ink"), size, "start", True, i == 0)
        for i, line in enumerate(names)
    )
    veil = (Rect(-w / 2, -h / 2, w, h, Style("card_face", opacity=0.6), 0.09 * w),) if pale else ()
    return (
        Rect(-w / 2, -h / 2, w, h, Style("card_face", "card_line", 1.5), 0.09 * w),
        *drawing(WORDS[card], picture, 0, top + HEIGHT * picture / 2),
        *_pip(card, -w / 2 + 0.2 * w, -h / 2 + 0.2 * w, 0.13 * w),
        *_pip(card, w / 2 - 0.17 * w, h / 2 - 0.17 * w, 0.12 * w),
        *written,
        *veil,
    )


@cache
def small(card: Card, w: float) -> tuple[Flat, ...]:
    """A small card face up: its drawing and its index."""
    h = w * RATIO
    glyph = Text(0, h * 0.36, WORDS[card], Style())
    return (
        Rect(-w / 2, -h / 2, w, h, Style("card_face", "card_line", 1.5), 0.09 * w),
        *drawing(WORDS[card], w - 6, 0, -h / 2 + 3 + HEIGHT * (w - 6) / 2),
        *_pip(card, 0, h * 0.27, 0.24 * w),
        glyph,
    )


@cache
def back(w: float) -> tuple[Flat, ...]:
    """Any card face down."""
    return face_down(-w / 2, -w * RATIO / 2, w, w * RATIO)


def _pip(card: Card, x: float, y: float, r: float) -> tuple[Flat, ...]:
    """The index in its side's shape: a disc for the U-boats, a square for the convoy, a rhombus for either."""
    side = side_of(card)
    style = Style("drawn_sea" if card is Card.WATER else BANDS[side], "card_face", 1.5)
    shape: Flat
    if side == UBOATS:
        shape = Circle(x, y, r, style)
    elif side == CONVOY:
        shape = Rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r, style, 0.2 * r)
    else:
        shape = Polygon(((x, y - 1.25 * r), (x + 1.25 * r, y), (x, y + 1.25 * r), (x - 1.25 * r, y)), style)
    ink = "on_heat_low" if side is not None else "black"
    return (shape, Text(x, y, index(card), Style(ink), max(12.0, 1.35 * r), bold=True, glyph=False))


@cache
def target(side: int, length: float, sunk: bool) -> tuple[Flat, ...]:
    """A ship that ``side`` is after, bow to the right: a transport, or a U-boat; sunk she is hollow, with a cross."""
    half, beam = length / 2, (0.19 if side == UBOATS else 0.12) * length
    points = ((-half, -0.7 * beam), (0.3 * length, -beam), (half, 0.0), (0.3 * length, beam), (-half, 0.7 * beam))
    if sunk:
        cross = tuple(Line(((-0.3 * length, s * 2 * beam), (0.3 * length, -s * 2 * beam)), Style(None, "ink", 2))
                      for s in (1, -1))
        return (Polygon(points, Style(None, "muted", 1.5)), *cross)
    house = Rect(-0.24 * length, -0.45 * beam, 0.2 * length, 0.9 * beam, Style("card_face", "ink", 1))
    return (Polygon(points, Style(BANDS[1 - side], "ink", 1.2)), house)


_INK, _MUTED = Style("ink"), Style("muted")
_GOALS = ("goal.transports", "goal.u_boats")


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things lie, in px: one for wide pages, one for phones."""

    width: float
    height: float
    card: float  # width of a card in a row; heights are 1.4 times that
    held: float  # of a card in the own hand
    small: float  # of a card of theirs
    step: float  # from one of them to the next
    theirs: tuple[float, float]
    rows: tuple[tuple[float, float], tuple[float, float]]  # the opponent's, the own
    played: float  # x of the card played last, beside the row
    piles: tuple[tuple[float, float], tuple[float, float]]
    pile: float  # width of deck and discards
    targets: tuple[float, float]  # x of the ships a side is after, and their y under the top of its row
    ship: float  # most room for a ship
    hand: tuple[float, float]
    across: int  # cards of the hand side by side


_WIDE = _Layout(800, 606, 98, 102, 46, 52, (24, 30), ((24, 128), (24, 292)), 348, ((560, 20), (650, 20)), 60, (480, 44),
                46, (24, 456), 7)
_STILL = _Layout(521, 338, 62, 66, 26, 30, (8, 22), ((8, 98), (270, 98)), 0, ((410, 10), (466, 10)), 30, (0, 12), 34,
                 (6, 242), 7)
"""For a class: rows side by side, no card that was played last. As large as the screen its type is legible."""
_PHONE = 390.0, 616.0  # room of a usual phone, where a page does not say how much there is


def _tall(room: tuple[float, float] | None) -> _Layout:
    """The layout for phones: in a low room with less air and smaller cards, so that both rows of a hand can be read."""
    width, height = room or _PHONE
    air = min(1.0, max(0.0, (height - 500) / 100))
    small, card, gap = 24 + 10 * air, min(70 + 14 * air**3, (width - 52) / 4), 18 + 10 * air
    first = 22 + 2 * air + small * RATIO + gap
    second = first + card * RATIO + gap
    hand = second + card * RATIO + gap
    held = (width - 30 - 3 * 7) / 4
    return _Layout(width, height, card, held, small, small + 4, (12, 22 + 2 * air), ((12, first), (12, second)),
                   24 + 3 * (card + 8),
                   ((width - 76, 2 + 6 * air), (width - 38, 2 + 6 * air)), 30, (276, 0), 18, (15, hand), 4)


def scene(glance: Glance[WolfPack, Observation, Action], tall: bool = False,
          room: tuple[float, float] | None = None, still: bool = False) -> Scene:
    """The table as one side sees it; ``tall`` is the layout for phones, in the room (w, h) that there is, ``still`` the
    one for a class."""
    table = _Table(glance, _STILL if still else _tall(room) if tall else _WIDE)
    layout, me = table.layout, glance.seen.me
    pieces = (*table.theirs(), *table.row(1 - me, 0), *table.row(me, 1), *table.piles(), *table.hand())
    layers = (
        Layer("table", (Rect(0, 0, layout.width, layout.height, Style("sea_shallow")), *table.flat)),
        Layer("cards", pieces),
        Layer("counts", tuple(table.counts)),
    )
    return Scene(layout.width, layout.height, layers, tuple(table.cells), glance.game.title, _describe(glance.seen))


class _Table:
    """Collects shapes, pieces and cells of one scene."""

    def __init__(self, glance: Glance[WolfPack, Observation, Action], layout: _Layout) -> None:
        self.seen, self.layout, self.legal = glance.seen, layout, glance.legal
        self.cells: list[Cell] = []
        self.flat: list[Shape] = []
        self.counts: list[Shape] = []
        self.above = 13.0 if layout is _WIDE else 10.0  # pixels from the middle of a heading to what it is of

    def _heading(self, x: float, y: float, text: str) -> None:
        self.flat.append(Text(x, y, text, _INK, 16 if self.layout is _WIDE else 15, anchor="start", bold=True))

    def _cell(self, id: str, x: float, y: float, w: float, alt: str, action: Action | None = None) -> None:
        self.cells.append(Cell(id, rect_outline(x, y, w, w * RATIO), alt, action=action))

    def theirs(self) -> tuple[Piece, ...]:
        """Their hand, face down but for the cards that they are known to hold."""
        (x, y), w, step = self.layout.theirs, self.layout.small, self.layout.step
        size, known = self.seen.their_size, tuple(listed(self.seen.known))
        key = "table.theirs_known" if known else "table.theirs"
        self._heading(x, y - self.above, SAY(key, side=SIDES[1 - self.seen.me], n=size, known=len(known)))
        found = []
        for i in range(size):
            look = small(known[i], w) if i < len(known) else back(w)
            found.append(Piece(f"theirs {i}", x + i * step + w / 2, y + w * RATIO / 2, look, flips=True, what="theirs"))
            if i < len(known):
                self._cell(f"theirs {i}",
                           x + i * step,
                           y,
                           w,
                           SAY("table.held", card=known[i].title, side=SIDES[1 - self.seen.me]))
        return tuple(found)

    def row(self, side: int, place: int) -> tuple[Piece, ...]:
        """One side: the attack that lies, the places still to fill, its last card, its targets."""
        (x, y), w, seen = self.layout.rows[place], self.layout.card, self.seen
        laid, whose = seen.rows[side], SAY("table.row", side=SIDES[side], by=side)
        self._heading(x, y - self.above, whose)
        found = []
        for i, card in enumerate(ROWS[side]):
            cx = x + i * (w + 8)
            if i < laid:
                found.append(self._laid(f"row {side} {i}", cx, y, card, ("row", side)))
            else:
                self.flat += empty_place(cx, y, w, w * RATIO)
                self.flat += (Text(cx + w / 2, y + (0.55 + 0.2 * n) * w, line, _MUTED, 12, bold=self.layout is _WIDE)
                              for n, line in enumerate(lines(card, w)))
            said = SAY("table.laid" if i < laid else "table.open", row=whose, place=i + 1, card=card.title)
            self._cell(f"{SIDES[side]} {i + 1}", cx, y, w, said)
        last = _played(seen, side) if self.layout is not _STILL else None
        if last is not None:
            played = f"played {side} {_turn_of(seen, side)}"
            found.append(self._laid(played, self.layout.played, y, last, ("played", side)))
            self._cell(f"played {side}",
                       self.layout.played,
                       y,
                       w,
                       SAY("table.last", side=SIDES[side], by=side, card=last.title))
            if self.layout is _WIDE:
                self.flat.append(Text(self.layout.played, y - 13, SAY("table.last.short"), _MUTED, 14, anchor="start"))
        return (*found, *self._targets(side, x, y))

    def _laid(self, id: str, x: float, y: float, card: Card, what: Hashable) -> Piece:
        w = self.layout.card
        return Piece(id, x + w / 2, y + w * RATIO / 2, face(card, w), flips=True, what=what)

    def _targets(self, side: int, x: float, y: float) -> tuple[Piece, ...]:
        """The ships that a side is after, and those that it has sunk: beside its row, or under it before a class."""
        layout, still = self.layout, self.layout is _STILL
        (left, down), wide = layout.targets, still or layout is _WIDE
        done, goal = self.seen.sunk[side], self.seen.goals[side]
        if wide:
            left, at = (x, y + layout.card * RATIO + down) if still else (left, y + down)
            step, low = min(layout.ship + 4, (layout.width - left - 12) / goal), at + (16 if still else 30)
            said = SAY(_GOALS[side], done=done, goal=goal)
            self.flat.append(Text(left, at, said, _INK, 15, anchor="start", bold=True))
        else:  # the ships alone, at the end of the row's heading
            left, step, low = 216, min(28.0, (layout.width - 228) / goal), y - self.above
        length = step - (5 if wide else 3)
        said = SAY(f"table.worth.{side}", left=goal - done, goal=goal)
        self.cells.append(Cell(f"targets {side}", rect_outline(left, low - 16, goal * step, 32), said))
        return tuple(Piece(f"target {side} {i}", left + (i + 0.5) * step, low, target(side, length, i < done))
                     for i in range(goal))

    def piles(self) -> tuple[Piece, ...]:
        (w, seen), found = (self.layout.pile, self.seen), []
        counts = {"deck": seen.deck_size, "discards": sum(seen.discards)}
        for (x, y), (id, count) in zip(self.layout.piles, counts.items(), strict=True):
            self.flat += empty_place(x, y, w, w * RATIO)
            if count:
                look = (
                    back(w)
                    if id == "deck"
                    else (Rect(-w / 2, -w * 0.7, w, w * RATIO, Style("card_face", "card_line", 1.5), 0.09 * w),)
                )
                found.append(Piece(id, x + w / 2, y + w * RATIO / 2, look, flips=True))
            self.counts += badge(x + w / 2, y + w * RATIO / 2, str(count), fill="card", ink="ink",
                                 size=16 if w > 40 else 12)
            label = SAY(f"table.{id}")
            shown = label if self.layout is _WIDE else SAY(f"table.{id}.short")
            self.flat.append(Text(x + w / 2, y + w * RATIO + 11, shown, _INK, 14 if w > 40 else 12))
            self._cell(id, x, y, w, SAY("table.pile", pile=label, n=count))
        return tuple(found)

    def hand(self) -> tuple[Piece, ...]:
        (x, y), w, seen = self.layout.hand, self.layout.held, self.seen
        self._heading(x, y - self.above, SAY("table.hand", side=SIDES[seen.me]))
        gap = 8 if self.layout is _WIDE else 7
        rows = -(-sum(seen.hand) // self.layout.across)
        step = w * RATIO - 8  # a second row covers an edge of the first, or more where the room is low
        if rows > 1:
            step = min(step, (self.layout.height - 2 - y - w * RATIO) / (rows - 1))
        found, copies = [], dict.fromkeys(Card, 0)
        for i, card in enumerate(listed(seen.hand)):
            cx = x + i % self.layout.across * (w + gap)
            cy = y + i // self.layout.across * step
            action = next((a for a in (Discard(card), Play(card)) if a in self.legal), None)
            pale = action is None and seen.phase is not Phase.END and seen.side == seen.me
            copies[card] += 1
            look = face(card, w, pale)
            id = f"hand {card} {copies[card]}"
            found.append(Piece(id, cx + w / 2, cy + w * RATIO / 2, look, flips=True, what=("hand", card)))
            verb = "table.card" if action is None else f"table.{'play' if isinstance(action, Play) else 'discard'}"
            self._cell(f"hand {i + 1}", cx, cy, w, SAY(verb, card=card.title, use=SAY(f"use.{card}")), action)
        return tuple(found)


def _played(seen: Observation, side: int) -> Card | None:
    """The last card a side played, unless it lies in its row."""
    last = seen.last[side]
    if not isinstance(last, Play) or (seen.rows[side] and last.card is ROWS[side][seen.rows[side] - 1]):
        return None
    return last.card


def _turn_of(seen: Observation, side: int) -> int:
    """The turn in which a side acted last."""
    acted = seen.phase in (Phase.ACTION, Phase.LOSS) and (side < seen.side or seen.phase is Phase.LOSS)
    if seen.phase is Phase.END:
        acted = side == 0 or seen.result != SIDES[0]
    return seen.turn - (not acted)


def _describe(seen: Observation) -> str:
    """The table in words, for screen readers."""
    hand = ", ".join(card.named for card in listed(seen.hand)) or SAY("table.no_card")
    (mine, theirs), (transports, u_boats) = seen.rows, seen.sunk
    return SAY("table.said", side=SIDES[seen.me], hand=hand, u_row=mine, c_row=theirs, transports=transports,
               u_boats=u_boats)
