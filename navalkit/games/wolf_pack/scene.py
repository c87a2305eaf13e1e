"""The card table of Wolf Pack as a `Scene`: rows with what they threaten, the own hand, the ships each side is after.

A wide page has the hand side by side, each card with what it does; a phone has it fanned.

Pieces: "hand sonar 1" (the first SONAR of the own hand), "theirs 3" (a card of theirs, by its place), "row 1 0" (the
first card of the convoy's row), "played 0 7" (the U-boats' card of turn 7), "deck", "discards", "target 0 2".
"""

from __future__ import annotations
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from math import cos, radians, sin
from textwrap import wrap

from navalkit.core.words import Event
from navalkit.view.drawings import HEIGHT, RATIO, drawing, empty_place, face_down
from navalkit.view.page import Glance, Look
from navalkit.view.scene import (
    Box,
    Cell,
    Circle,
    Flat,
    Lasts,
    Layer,
    Line,
    Pick,
    Piece,
    Point,
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
_NAMED, _ROOMY = 58.0, 90.0  # pixels of a card that is wide enough for its name, and for capitals of 12 px
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
    if w < _ROOMY:
        return _small(card)
    name = _BREAKS.get(card, card.title) if card.named == card.title else card.named.upper().replace(" ", "\n")
    return tuple(name.split("\n"))


def _small(card: Card) -> tuple[str, ...]:
    """The same in small letters, in one line or two."""
    plain = _BREAKS.get(card, card.title).capitalize()
    named = SAY.named(plain.replace("\n", " "))
    return tuple(plain.split("\n") if card.named == card.title else named.rsplit(" ", 1))


def _named(card: Card, w: float) -> bool:
    """Whether all cards of this one's row have room for their names at that width."""
    longest = max(len(line) for row in ROWS if card in row for each in row for line in _small(each))
    return w >= max(_NAMED, 0.53 * 12 * longest + 4)


def face(card: Card, w: float, pale: bool = False, does: str = "") -> tuple[Flat, ...]:
    """A card face up, its drawing over its name; a pale one cannot be played now. ``does``: what it does, under it."""
    return _face(card, w, pale, does, card.named)


@cache
def _face(card: Card, w: float, pale: bool, does: str, named: str) -> tuple[Flat, ...]:
    h, edge = w * RATIO, 0.045 * w
    picture, left, top = w - 2 * edge, 1.6 * edge - w / 2, edge - h / 2
    low = top + HEIGHT * picture * (0.86 if does else 1)
    names, (letter, most) = lines(card, w), (0.72, 16.0) if w >= _ROOMY else (0.6, 13.0)
    if does:
        names = (" ".join(_small(card)),)
        letter, most = 0.6, 14.0
    size = max(12.0, min(most, (w - 3.2 * edge) / (letter * max(map(len, names)))))
    told = max(12.0, min(13.0, w / 10))
    said = _wrap(does, int((w - 2 * edge) / (0.53 * told)))
    low = min(low, h / 2 - 2 * size - (told + 2) * (len(said) - 0.5) - 7) if said else low  # over the drawing
    written = tuple(
        Text(left, low + (i + 0.7) * (size + 1), line, Style("card_ink"), size, "start", True, i == 0)
        for i, line in enumerate(names)
    )
    written += tuple(
        Text(left, low + 2 * size + (told + 2) * i + 4, line, Style("card_ink"), told, "start", glyph=False)
        for i, line in enumerate(said)
    )
    veil = (Rect(-w / 2, -h / 2, w, h, Style("card_face", opacity=0.6), 0.09 * w),) if pale else ()
    drawn = drawing(WORDS[card], picture, 0, top + HEIGHT * picture / 2)
    plate = (Rect(-w / 2 + 1, low, w - 2, h / 2 - low - 2, Style("card_face"), 4),) if does else ()
    narrow = w < _ROOMY and len(names) > 1  # the second line of its name needs the corner
    corner = () if does or narrow else _pip(card, w / 2 - 0.17 * w, h / 2 - 0.17 * w, 0.12 * w)
    return (
        Rect(-w / 2, -h / 2, w, h, Style("card_face", "card_line", 1.5), 0.09 * w),
        *drawn, *plate,
        *_pip(card, -w / 2 + 0.2 * w, -h / 2 + 0.2 * w, 0.13 * w),
        *corner, *written, *veil,
    )


def fanned(card: Card, w: float, h: float, pale: bool = False, lifted: bool = False) -> tuple[Flat, ...]:
    """A card of a fan: sign and name stand along its left edge, so that each is read in the strip that shows."""
    return _fanned(card, w, h, pale, lifted, _small(card))


@cache
def _fanned(card: Card, w: float, h: float, pale: bool, lifted: bool, names: tuple[str, ...]) -> tuple[Flat, ...]:
    left = -w / 2 + _STRIP / 2
    rim = Style("card_face", "select", 3.0) if lifted else Style("card_face", "card_ink", 1.0)
    size = 13.0 if 13 * _EM * max(map(len, names)) <= h - 42 else 12.0
    written = tuple(  # between the sign and the card's lower edge
        Text(left + (i - (len(names) - 1) / 2) * 15, 16.0 if h < 120 else 12.0, name,
             Style("card_ink"), size, bold=True, turn=-90.0, glyph=i == 0)
        for i, name in enumerate(names)
    )
    picture = w - _STRIP - 6
    return (
        Rect(-w / 2, -h / 2, w, h, rim, 8),
        Rect(-w / 2 + _STRIP, -h / 2 + 5, picture, h - 10, Style("drawn_deep"), 3),
        *drawing(WORDS[card], picture, _STRIP / 2 - 3, -h / 2 + 5 + HEIGHT * picture / 2),
        *_pip(card, left, -h / 2 + 20, 12.5),
        *written,
        *((Rect(-w / 2, -h / 2, w, h, Style("card_face", opacity=0.55), 8),) if pale else ()),
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
    ink = "on_heat_low" if side == UBOATS else "black"
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
_STRIP, _STEP, _TILT, _LIFT = 38.0, 41.0, 2.6, 26.0  # of a fan: px of a strip, to the next card, degrees, px
_EM, _wrap = 0.54, partial(wrap, break_on_hyphens=False)  # mean width of a letter, of its size; U-boats stay whole
_KINDS, _LINE, _PAD = 117.0, 16.0, 6.0  # px of the cards gone, a line of what was done, its edges
DEEDS = {"laid", "struck", "dive", "sweep", "raid", "raid_in_vain", "lost", "passed", "discarded"}
"""What a side can be said to have done."""
PILE = Pick("discards", lasts=Lasts.ORDER)  # the discards are looked through


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things lie, in px."""

    width: float
    height: float
    card: float  # width of a card in a row; heights are 1.4 times that
    held: float  # of a card in the own hand
    small: float  # of a card of theirs
    theirs: tuple[float, float]  # the first of them
    rows: tuple[tuple[float, float], tuple[float, float]]  # the opponent's, the own
    across: float  # px that a row has
    played: float  # width of the card played last, and
    beside: float  # its x beyond the row's left edge
    piles: tuple[Box, Box]  # deck and discards: left, top, width, height
    tally: Box  # beside or beneath a row, from its top left corner: what it threatens
    hand: tuple[float, float]
    text: float  # size of ordinary text
    fan: float = 0.0  # height of the cards of a fan; 0: the hand lies side by side
    aside: Box | None = None  # of a phone lying down: left, top, width, height of what its page leaves free


_ROOM = {False: (800.0, 640.0), True: (390.0, 560.0)}  # of a picture that no page shows
_STILL = _Layout(521, 348, 68, 70, 26, (8, 22), ((8, 88), (270, 88)), 242, 0, 0,
                 ((397, 8, 58, 54), (459, 8, 58, 54)), (0, 98, 240, 40), (6, 248), 15)
"""For a class: rows side by side, no card that was played last. As large as the screen its type is legible."""


def _wide(room: tuple[float, float]) -> _Layout:
    width, height = (max(given, least) for given, least in zip(room, _ROOM[False], strict=True))
    held = min((width - 48 - 6 * 8) / 7, 0.21 * height)
    hand = height - 16 - held * RATIO
    first = 90.0
    card = min((hand - 34 - first - 34) / 2 / RATIO, 0.18 * width)
    second = first + card * RATIO + 34
    beside = 3 * (card + 8) + 16
    wide = width - 48 - beside
    return _Layout(width, height, card, held, 30, (24, 22), ((24, first), (24, second)), width - 48, 0.44 * card,
                   width - 48 - 0.44 * card - 14, ((width - 224, 16, 96, 48), (width - 120, 16, 96, 48)),
                   (beside, 0, wide, card * RATIO), (24, hand), 16)


def _tall(room: tuple[float, float]) -> _Layout:
    """Upright: one row under the other, what they threaten beside them, and the fan at the foot."""
    width, height = room
    fan = min(168.0, max(108.0, 0.27 * height))
    first = 78.0
    card = min((height - fan - first - (68 if height > 420 else 46)) / 2 / RATIO, 0.23 * width)
    second = first + card * RATIO + 24
    beside, last = 3 * (card + 6) + 2, 0.42 * card  # under four lines of what the row threatens
    return _Layout(width, height, card, 0.64 * fan, 22, (12, 24), ((12, first), (12, second)), width - 24, last,
                   width - 24 - last, ((width - 116, 6, 52, 46), (width - 60, 6, 52, 46)),
                   (beside, 0, width - 24 - beside, card * RATIO), (width / 2, height - fan / 2 - 10), 14, fan)


def _lying(room: tuple[float, float], hole: Box) -> _Layout:
    """Lying down: the rows side by side over the fan, and beside them what was done, and the cards gone."""
    width, height = hole[0] - 12, room[1]
    half = (width - 24 - 14) / 2
    fan = min(150.0, 0.33 * height)
    top = 76.0
    card = min((half - 12) / 3.7, (height - fan - 18 - top - 40) / RATIO)
    low = top + card * RATIO + 4
    return _Layout(width, height, card, 0.66 * fan, 20, (12, 24), ((12 + half + 14, top), (12, top)), half,
                   0.6 * card, half - 0.6 * card, ((width - 116, 6, 52, 44), (width - 60, 6, 52, 44)),
                   (0, low - top, half, height - fan - 14 - low), (width / 2, height - fan / 2 - 8), 13, fan,
                   (hole[0], hole[1], hole[2] - hole[0], hole[3] - hole[1]))


def scene(glance: Glance[WolfPack, Observation, Action], look: Look) -> Scene:
    """The table as one side sees it."""
    room = look.room or _ROOM[look.tall]
    usual = _tall if look.tall else _wide
    layout = _STILL if look.still and not look.tall else _lying(room, look.hole) if look.hole else usual(room)
    table, me = _Table(glance, layout, look), glance.seen.me
    pieces = (*table.theirs(), *table.row(1 - me, 0), *table.row(me, 1), *table.piles(), *table.hand())
    width, height = room if look.hole else (layout.width, layout.height)
    beside = (Rect(layout.width, 0, width - layout.width, height, Style("paper")),) if look.hole else ()
    through = table.through() if PILE in look.picks else ()
    table.aside(look.told)
    layers = (
        Layer("table", (Rect(0, 0, layout.width, height, Style("sea_shallow")), *beside, *table.flat)),
        Layer("cards", pieces),
        Layer("counts", tuple(table.counts)),
        Layer("through", through),
    )
    return Scene(width, height, layers, tuple(table.cells), glance.game.title, _describe(glance.seen))


def _sentences(text: str, letters: int, most: int) -> Sequence[str]:
    """The lines of a text: its first sentences that ``most`` lines hold, for a piece of one may say something else."""
    whole = text.split(". ")
    for n in range(len(whole), 0, -1):
        kept = ". ".join(whole[:n])
        if len(lines := _wrap(kept if n == len(whole) else f"{kept}.", letters)) <= most:
            return lines
    return ()


class _Table:
    """Collects shapes, pieces and cells of one scene."""

    def __init__(self, glance: Glance[WolfPack, Observation, Action], layout: _Layout, look: Look) -> None:
        self.seen, self.layout, self.legal, self.look = glance.seen, layout, glance.legal, look
        self.cells: list[Cell] = []
        self.flat: list[Shape] = []
        self.counts: list[Shape] = []

    def _heading(self, x: float, y: float, text: str) -> None:
        self.flat.append(Text(x, y, text, _INK, self.layout.text, anchor="start", bold=True))

    def _cell(self, id: str, box: Box, alt: str, action: Action | None = None, pick: Pick | None = None) -> None:
        self.cells.append(Cell(id, rect_outline(*box), alt, action=action, pick=pick))

    def theirs(self) -> tuple[Piece, ...]:
        """Their hand, face down but for the cards that they are known to hold."""
        (x, y), w = self.layout.theirs, self.layout.small
        size, known = self.seen.their_size, tuple(listed(self.seen.known))
        key = "table.theirs_known" if known and not self.layout.fan else "table.theirs"
        side = SIDES[1 - self.seen.me]
        self._heading(x, y - 12, SAY(key, side=side, n=size, known=len(known)))
        step, found = min(w + 4, (self.layout.piles[0][0] - x - w - 8) / max(1, size - 1)), []
        for i in range(size):
            look = small(known[i], w) if i < len(known) else back(w)
            cx = x + i * step
            found.append(Piece(f"theirs {i}", cx + w / 2, y + w * RATIO / 2, look, flips=True, what="theirs"))
            if i < len(known):
                self._cell(f"theirs {i}", (cx, y, w, w * RATIO), SAY("table.held", card=known[i].title, side=side))
        return tuple(found)

    def row(self, side: int, place: int) -> tuple[Piece, ...]:
        """One side: the attack that lies, ghosts of the cards still missing, its last card, what it threatens."""
        (x, y), w, seen = self.layout.rows[place], self.layout.card, self.seen
        laid, whose = seen.rows[side], SAY("table.row", side=SIDES[side], by=side)
        gap = 6 if self.layout.fan else 8
        self._heading(x, y - 11, whose)
        found = []
        for i, card in enumerate(ROWS[side]):
            cx = x + i * (w + gap)
            if i < laid:
                found.append(self._laid(f"row {side} {i}", cx, y, w, card, ("row", side)))
            else:
                self._ghost(cx, y, w, card)
            said = SAY("table.laid" if i < laid else "table.open", row=whose, place=i + 1, card=card.title)
            self._cell(f"{SIDES[side]} {i + 1}", (cx, y, w, w * RATIO), said)
        last = _played(seen, side) if self.layout is not _STILL else None
        if last is not None:
            played, small_ = f"played {side} {_turn_of(seen, side)}", self.layout.played
            at = x + self.layout.beside, y + w * RATIO - small_ * RATIO - (8 if not self.layout.fan else 0)
            found.append(Piece(played, at[0] + small_ / 2, at[1] + small_ * RATIO / 2, small(last, small_), flips=True,
                               what=("played", side)))
            self._cell(f"played {side}", (*at, small_, small_ * RATIO),
                       SAY("table.last", side=SIDES[side], by=side, card=last.title))
        return (*self._tally(side, x, y, last is not None), *found)

    def _ghost(self, x: float, y: float, w: float, card: Card) -> None:
        """The place of a card that is still to come, with its drawing, pale, and its name."""
        if w < 24:
            return  # no sign could be read there
        self.flat += empty_place(x, y, w, w * RATIO)
        if w >= 76:
            picture = 0.56 * w
            drawn = drawing(WORDS[card], picture, x + w / 2, y + 0.45 * w)
            self.flat += drawn
            self.flat.append(Rect(x + w / 2 - picture / 2 - 1, y + 0.45 * w - picture / 2, picture + 2, picture,
                                  Style("sea_shallow", opacity=0.55)))
        if not _named(card, w):  # its sign alone: the sentence beside it names it
            self.flat += _pip(card, x + w / 2, y + 0.7 * w, 0.26 * w)
            return
        names = lines(card, min(w, _ROOMY - 1))
        top = 0.86 * w if w >= 76 else 0.62 * w
        self.flat += (Text(x + w / 2, y + top + 15 * n, line, _MUTED, 12, bold=True) for n, line in enumerate(names))

    def _laid(self, id: str, x: float, y: float, w: float, card: Card, what: Hashable) -> Piece:
        look = face(card, w) if _named(card, w) else small(card, w)
        return Piece(id, x + w / 2, y + w * RATIO / 2, look, flips=True, what=what)

    def _tally(self, side: int, x: float, y: float, played: bool) -> tuple[Piece, ...]:
        """The ships that a side is after, and what its row threatens or wants next."""
        dx, dy, w, h = self.layout.tally
        done, goal = self.seen.sunk[side], self.seen.goals[side]
        left, top = x + dx, y + dy
        said = SAY(f"table.worth.{side}", left=goal - done, goal=goal)
        if self.layout is _STILL:
            self._heading(left, top + 8, SAY(_GOALS[side], done=done, goal=goal))
            step, at, start = min(38.0, w / goal), top + 28, left
            self.cells.append(Cell(f"targets {side}", rect_outline(start, at - 16, goal * step, 32), said))
            return tuple(Piece(f"target {side} {i}", start + (i + 0.5) * step, at, target(side, step - 5, i < done))
                         for i in range(goal))
        spare = self.layout.played + 16 if played and not self.layout.fan else 0.0
        if not self.layout.fan:
            self.flat.append(Rect(left, top, w, h, Style("card", "card_line", 1, opacity=0.9), 8))
            self._heading(left + 14, top + 22, SAY(_GOALS[side], done=done, goal=goal))
            step, at, start = min(66.0, (w - 28) / goal), top + 56, left + 14
            room, line, size = w - 28 - spare, top + 88, 14.0
        else:
            named = 0.6 * self.layout.text * len(SAY("table.row", side=SIDES[side], by=side)) + 8
            step = min(28.0, (self.layout.across - max(110.0, named)) / goal)
            start, at = x + self.layout.across - step * goal, y - 11
            if dy:  # beneath the row
                room, line, size = w, top + 6, 12.0
            else:
                room, line, size = w, y + (8 if not played else 6), 12.0
        most = int((y + (self.layout.card * RATIO if not dy else dy + h) - line + 8) / (size + 4))
        if played and self.layout.fan and not dy:
            most = min(most, int((self.layout.card - self.layout.played) * RATIO / (size + 4)))
        for i, text in enumerate(_sentences(self._says(side), max(8, int(room / (_EM * size))), max(0, most))):
            at_x = left + (14 if not self.layout.fan else 0)
            self.flat.append(Text(at_x, line + (size + 4) * i, text, _INK, size, "start"))
        self.cells.append(Cell(f"targets {side}", rect_outline(start, at - 16, goal * step, 32), said))
        long = step - (6 if not self.layout.fan else 3)
        return tuple(Piece(f"target {side} {i}", start + (i + 0.5) * step, at, target(side, long, i < done))
                     for i in range(goal))

    def _says(self, side: int) -> str:
        seen, laid = self.seen, self.seen.rows[side]
        if seen.phase is Phase.END:
            return ""
        if side == seen.me:
            left = seen.goals[side] - seen.sunk[side]
            if self.layout.fan:
                return SAY("tally.next", card=ROWS[side][min(laid, 2)].title, n=left)
            cards = SAY("tally.then").join(card.named for card in ROWS[side][laid:])
            return SAY("tally.mine", cards=cards, n=left)
        clear = CLEARS[seen.me].title
        return SAY(f"tally.theirs.{laid}", card=ROWS[side][min(laid, 2)].title, clear=clear)

    def piles(self) -> tuple[Piece, ...]:
        """Deck and discards with their counts; the discards can be looked through."""
        seen, found = self.seen, []
        counts = {"deck": seen.deck_size, "discards": sum(seen.discards)}
        for (x, y, w, h), (id, count) in zip(self.layout.piles, counts.items(), strict=True):
            on = id == "discards" and PILE in self.look.picks
            self.flat.append(Rect(x, y, w, h, Style("card", "select" if on else "card_line", 2.5 if on else 1), 8))
            card = (h - 10) / RATIO if w > 70 else 0.0
            label = SAY(f"table.{id}")
            if card and count:
                plain = Rect(-card / 2, -card * 0.7, card, card * RATIO, Style("card_face", "card_line", 1.5), 3)
                look = back(card) if id == "deck" else (plain,)
                found.append(Piece(id, x + 6 + card / 2, y + h / 2, look, flips=True))
            elif count:  # a film has to begin and end somewhere
                found.append(Piece(id, x + w / 2, y + h / 2, (Rect(-1, -1, 2, 2, Style("card")),)))
            at = x + (card + 12 if card else w / 2)
            anchor = "start" if card else "middle"
            self.counts += (Text(at, y + h / 2 - 10, str(count), _INK, 15, anchor, True),
                            Text(at, y + h / 2 + 10, SAY(f"table.{id}.short"), _MUTED, 12, anchor))
            said = SAY("table.pile", pile=label, n=count)
            pick = PILE if id == "discards" else None
            self._cell(id, (x, y, w, h), f"{said} {SAY('table.through')}" if pick else said, pick=pick)
        return tuple(found)

    def through(self) -> tuple[Flat, ...]:
        """The discards by kind, with how many of each nobody has seen yet: over the rows."""
        layout, seen = self.layout, self.seen
        left, top = 12.0, self.layout.piles[0][1] + self.layout.piles[0][3] + 8
        low = layout.hand[1] - (layout.fan / 2 + 8 if layout.fan else 30)
        w, h = layout.width - 24, low - top
        shapes: list[Flat] = [Rect(left, top, w, h, Style("card", "ink", 1.5), 10)]
        shapes.append(Text(left + 12, top + 15, SAY("table.through.title"), _INK, 13, "start", True))
        across = 6 if w > 420 else 4
        step, rise = (w - 16) / across, (h - 30) / -(-len(Card) // across)
        card_w = min(56.0, (rise - 22) / RATIO, step - 8)
        for n, card in enumerate(Card):
            cx, cy = left + 8 + (n % across + 0.5) * step, top + 28 + (n // across + 0.5) * rise
            shapes += Piece("", cx, cy - 8, small(card, card_w)).placed()
            told = SAY("table.through.card", n=seen.discards[card], unseen=seen.unseen[card])
            shapes.append(Text(cx, cy + card_w * 0.7 + 3, told, _INK, 12))
        return tuple(shapes)

    def aside(self, told: Sequence[Event]) -> None:
        """What both sides did last, and the cards gone and not seen yet; as much of it as has room."""
        if self.layout.aside is None:
            return
        left, top, w, h = self.layout.aside
        low, done = top + h, deeds(told, self.seen.me)
        if h >= _KINDS + (2 * _LINE + _PAD if done else 0):
            low -= _KINDS
            self.flat.append(Rect(left, low, w, _KINDS, Style("card", "card_line", 1), 8))
            self.flat.append(Text(left + 8, low + 11, SAY("table.through.short"), _INK, 12, "start", True))
            for n, card in enumerate(Card):
                x, y = left + 8 + n % 4 * (w - 12) / 4, low + 30 + n // 4 * 32
                told_ = SAY("table.through.card", n=self.seen.discards[card], unseen=self.seen.unseen[card])
                self.flat += _pip(card, x + 8, y, 7.5)
                self.flat += (Text(x + 19, y, told_, _INK, 12, "start"),
                              Text(x, y + 15, SAY(f"short.{card}"), _MUTED, 12, "start"))
            low -= 6
        lines, room = list[tuple[str, str]](), int((low - top - _PAD) / _LINE)
        who = 8 + 12 * 0.56 * max([len(name) for name, _ in done], default=0)
        for name, what in reversed(done):  # the last ones, whole
            more = _wrap(what, int((w - 16 - who) / (_EM * 12)))
            if len(lines) + len(more) > room:
                break
            lines = [*zip((name, *[""] * len(more)), more, strict=False), *lines]
        if not lines:
            return
        self.flat.append(Rect(left, top, w, low - top, Style("card", "card_line", 1), 8))
        for i, (name, line) in enumerate(lines):
            y = top + _PAD / 2 + (i + 0.5) * _LINE
            self.flat.append(Text(left + 8, y, name, _INK, 12, "start", True))
            self.flat.append(Text(left + 8 + who, y, line, _INK, 12, "start"))

    def hand(self) -> tuple[Piece, ...]:
        """The own cards: side by side with what they do, or fanned."""
        seen, found, copies = self.seen, list[Piece](), dict.fromkeys(Card, 0)
        held = tuple(listed(seen.hand))
        places = self._fan(len(held)) if self.layout.fan else self._side_by_side(len(held))
        for i, (card, (cx, cy, tilt, outline)) in enumerate(zip(held, places, strict=True)):
            action = next((a for a in (Discard(card), Play(card)) if a in self.legal), None)
            pale = action is None and seen.phase is not Phase.END and (seen.side == seen.me or bool(self.legal))
            copies[card] += 1
            does = SAY(f"does.{seen.me}.{card}")
            if self.layout.fan:
                up = self.look.hover == f"hand {i + 1}"
                look = fanned(card, self.layout.held, self.layout.fan, pale, up)
                cy -= _LIFT * up
            else:
                look = face(card, self.layout.held, pale, does if self.layout is not _STILL else "")
            id = f"hand {card} {copies[card]}"
            found.append(Piece(id, cx, cy, look, tilt, flips=True, what=("hand", card)))
            verb = "" if action is None else f"{'play' if isinstance(action, Play) else 'discard'}"
            said = SAY(f"table.{verb or 'card'}", card=card.title)
            ask = SAY(f"order.{verb}", card=card.title) if verb else ""
            self.cells.append(Cell(f"hand {i + 1}", outline, f"{said}. {does}", action=action, ask=ask))
        return tuple(found)

    def _side_by_side(self, n: int) -> Sequence[tuple[float, float, float, tuple[Point, ...]]]:
        (x, y), w = self.layout.hand, self.layout.held
        self._heading(x, y - 14, SAY("table.hand", side=SIDES[self.seen.me]))
        step = min(w + 8, (self.layout.width - 2 * x - w) / max(1, n - 1))
        return [(x + i * step + w / 2, y + w * RATIO / 2, 0.0,
                 rect_outline(x + i * step, y, w if i == n - 1 else min(w, step), w * RATIO)) for i in range(n)]

    def _fan(self, n: int) -> Sequence[tuple[float, float, float, tuple[Point, ...]]]:
        """Middle, tilt and visible strip of each card of a fan; the last is seen whole."""
        (middle, low), w, h = self.layout.hand, self.layout.held, self.layout.fan
        step = min(_STEP, (self.layout.width - 20 - w) / max(1, n - 1))
        first, found = middle - ((n - 1) * step) / 2, []
        for i in range(n):
            off = i - (n - 1) / 2
            x, y, tilt = first + i * step, low + 1.3 * off * off - 14, _TILT * off
            c, s = cos(radians(tilt)), sin(radians(tilt))
            right = w / 2 if i == n - 1 else -w / 2 + step
            corners = ((-w / 2, -h / 2), (right, -h / 2), (right, h / 2), (-w / 2, h / 2))
            found.append((x, y, tilt, tuple((x + c * u - s * v, y + s * u + c * v) for u, v in corners)))
        return found


def deeds(told: Sequence[Event], me: int) -> Sequence[tuple[str, str]]:
    """What was done, turn by turn: by whom, and what, in parts of a sentence."""
    found = list[tuple[str, str]]()
    for by, events in groupby((each for each in told if each.kind in DEEDS), lambda event: event.facts["by"]):
        parts = []
        for kind, group in groupby(events, lambda event: event.kind):
            facts = [event.facts for event in group]
            cards = together([str(each["card"]) for each in facts if "card" in each])
            parts.append(SAY(f"did.{kind}", **{**facts[-1], "card": cards}))
        name = SAY("log.you") if by == me else SAY.named(SIDES[int(by)])
        found.append((name[:1].upper() + name[1:], ", ".join(parts)))
    return found


def together(cards: Sequence[str]) -> str:
    """Cards in one phrase; two of a kind are said once."""
    said = [SAY("twice", card=card) if cards.count(card) > 1 else card for card in dict.fromkeys(cards)]
    *some, last = said or [""]
    return SAY("and", some=", ".join(some), last=last) if some else last


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
