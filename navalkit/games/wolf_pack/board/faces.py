"""What cards and ships of Wolf Pack look like, about (0, 0): equal looks are one object, and reach the browser once."""

from __future__ import annotations

from functools import cache

from navalkit.view.drawn.cards import RATIO, face_down
from navalkit.view.drawn.drawings import HEIGHT, drawing
from navalkit.view.scene import Circle, Flat, Line, Polygon, Rect, Style, Text

from ..rules.cards import CLEARS, CONVOY, RAIDS, ROWS, UBOATS, WORDS, Card

BANDS = {UBOATS: "blue", CONVOY: "vermilion", None: "purple"}
_ROOMY = 90.0  # pixels of a card that is wide enough for capitals of 12 px
_BREAKS = {
    Card.CHARGES: "DEPTH\nCHARGES",
    Card.SWEEP: "DESTROYER\nSWEEP",
    Card.MOUSE: "CAT AND\nMOUSE",
    Card.MISS: "NEAR\nMISS",
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
    name = _BREAKS.get(card, card.title)
    return tuple((name if w >= _ROOMY else name.capitalize()).split("\n"))


@cache
def face(card: Card, w: float, pale: bool = False) -> tuple[Flat, ...]:
    """A card face up, its drawing over its name; a pale one cannot be played now."""
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
    points = (
        (-half, -0.7 * beam), (0.3 * length, -beam), (half, 0.0), (0.3 * length, beam), (-half, 0.7 * beam),
    )  # fmt: skip
    if sunk:
        cross = tuple(
            Line(((-0.3 * length, s * 2 * beam), (0.3 * length, -s * 2 * beam)), Style(None, "ink", 2)) for s in (1, -1)
        )
        return (Polygon(points, Style(None, "muted", 1.5)), *cross)
    house = Rect(-0.24 * length, -0.45 * beam, 0.2 * length, 0.9 * beam, Style("card_face", "ink", 1))
    return (Polygon(points, Style(BANDS[1 - side], "ink", 1.2)), house)
