"""The single pictures of Fleet Action: hulls, discs, wrecks, mines, harbours, waves. Each is drawn about a point.

What moves is drawn about (0, 0), bow up, and is the same object whenever it looks the same (`view.scene.Piece`).
"""

from __future__ import annotations
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import cos, hypot, pi, sin

from navalkit.view.scene import Circle, Flat, Line, Point, Polygon, Rect, Style, Text
from ..craft import Depth

INK, MUTED = Style("ink"), Style("muted")
SIDE_COLOURS = ("blue", "vermilion")
"""Blue and red. Blue hulls have a square stern and straight bands, red ones a pointed stern and slanting bands."""
_EM, _BOLD = 0.58, 0.64  # mean width of a sign, of its size
_NARROW, _LESS = frozenset(" .,:;·'!|Iijlft"), 0.45  # signs that are less wide, and by how much
ON_BAND = (Style("on_heat_low"), Style("black"))
_LENGTHS = {  # of a square's side
    "battleship": 0.96, "battlecruiser": 0.96, "carrier": 0.96, "cruiser": 0.88, "light cruiser": 0.82,
    "depot ship": 0.8, "raider": 0.78, "merchant": 0.78, "minelayer": 0.72, "destroyer": 0.72, "escort": 0.64,
    "minesweeper": 0.62, "motor torpedo boat": 0.62, "submarine": 0.62, "airfield": 0.8,
}
_BEAMS = {"battleship": 0.40, "battlecruiser": 0.38, "carrier": 0.42, "cruiser": 0.34, "merchant": 0.36, "raider": 0.36}
_BEAM = 0.30
LEAST, SMALLEST_TEXT = 26.0, 12.0  # px: the shortest ship, and the smallest text of the board
_TURRETS = {  # where guns stand, of half the length
    "battleship": (0.52, 0.28, -0.52), "battlecruiser": (0.52, 0.28, -0.3, -0.52), "cruiser": (0.5, 0.26, -0.52),
    "light cruiser": (0.5, -0.34, -0.56), "destroyer": (0.48, -0.5), "escort": (0.45,), "raider": (0.55, -0.55),
    "minelayer": (0.5,),
}
_GREY = Style("card_line", "ink", 0.8)
_STERNS = (((-1.0, 0.7), (-1.0, -0.7)), ((-0.72, 0.95), (-1.0, 0.0), (-0.72, -0.95)))
_BOW = ((0.35, -1.0), (0.72, -0.62), (1.0, 0.0), (0.72, 0.62), (0.35, 1.0))


def turned(x: float, y: float, heading: int, points: Sequence[Point], along: float, across: float) -> tuple[Point, ...]:
    """Points given forward and to starboard, in units of ``along`` and ``across`` px, about (x, y) on a heading."""
    angle = heading * pi / 4
    ahead, abeam = (sin(angle), -cos(angle)), (cos(angle), sin(angle))
    return tuple((x + ahead[0] * u * along + abeam[0] * v * across, y + ahead[1] * u * along + abeam[1] * v * across)
                 for u, v in points)


def length(type_: str, size: float) -> float:
    """Px from bow to stern of a ship in a square of ``size`` px: never too small to be made out."""
    return max(LEAST, _LENGTHS[type_] * size)


def hull(x: float, y: float, heading: int, type_: str, side: int, size: float) -> tuple[Point, ...]:
    """The outline of a ship of that type, of a square of ``size`` px."""
    half = length(type_, size) / 2
    return turned(x, y, heading, (*_BOW, *_STERNS[side]), half, half * _beam(type_))


def _beam(type_: str) -> float:
    """How broad a ship is, of her length."""
    return _BEAMS.get(type_, _BEAM) / _LENGTHS[type_]


_SHADES = {Depth.SURFACE: 1.0, Depth.PERISCOPE: 0.6, Depth.DEEP: 0.3}  # how much of a boat's colour is left


@cache
def ship(type_: str, side: int, size: float, letters: str, *, chosen: bool = False, hurt: int = 0,
         depth: Depth = Depth.SURFACE, shut: bool = False) -> tuple[Flat, ...]:
    """A ship from above, her bow up: deck in her side's colour, turrets, bridge, and the letters of her type. ``hurt``
    is in quarters of her sinking rate: as many clouds of smoke. A dived boat is paler the deeper she is, with a wave
    over her for each level, and at periscope depth her periscope. ``shut``: a carrier's deck burns."""
    half = length(type_, size) / 2
    beam, slant = half * _beam(type_), 0.22 * side
    if depth is not Depth.SURFACE:
        return _dived(type_, side, size, letters, chosen=chosen, depth=depth)

    def at(*points: Point) -> tuple[Point, ...]:
        return turned(0, 0, 0, points, half, beam)

    edge = Style("card", "accent" if chosen else "ink", 3.0 if chosen else 1.2)
    deck = at((0.46 + slant, -0.9), (0.46 - slant, 0.9), (-0.66 - slant, 0.9), (-0.66 + slant, -0.9))
    parts: list[Flat] = [Polygon(hull(0, 0, 0, type_, side, size), edge), Polygon(deck, Style(SIDE_COLOURS[side]))]
    fits = max(SMALLEST_TEXT, min(0.30 * size, 14.0))
    for along in _TURRETS.get(type_, ()):
        if abs(along) * half > 0.6 * fits + 2:
            (gx, gy), r = at((along, 0.0))[0], 0.42 * beam
            bore = 1 if along < 0 else -1
            parts += [Line(((gx, gy), (gx, gy + bore * 2.4 * r)), Style(None, "ink", 1.6)), Circle(gx, gy, r, _GREY)]
    parts.append(Text(*at((-0.11, 0.0))[0], letters, ON_BAND[side], fits, bold=True))
    if shut:
        flames = ((0.3, 0.55), (0.05, -0.5), (-0.5, 0.45))
        parts += [Polygon(tuple((x + u * 0.16 * size, y + v * 0.16 * size) for u, v in _FLAME),
                          Style("orange", "bad", 1.2)) for x, y in at(*flames)]
    for n in range(min(hurt, 3)):
        (sx, sy), r = at((-0.45 - 0.32 * n, 0.5 - n % 2))[0], beam * (0.6 + 0.2 * n)
        parts.append(Circle(sx, sy, r, Style("ink", opacity=0.45 - 0.1 * n)))
    return tuple(parts)


_FLAME = ((-0.6, 0.7), (-0.75, 0.1), (-0.3, -0.2), (-0.2, -0.9), (0.3, -0.3), (0.45, -0.6), (0.75, 0.1), (0.6, 0.7))


def _dived(type_: str, side: int, size: float, letters: str, *, chosen: bool, depth: Depth) -> tuple[Flat, ...]:
    """A boat under water, her bow up."""
    half, shade = length(type_, size) / 2, _SHADES[depth]
    edge = "accent" if chosen else "ink"
    parts: list[Flat] = [
        Polygon(hull(0, 0, 0, type_, side, size), Style(SIDE_COLOURS[side], opacity=shade)),
        Polygon(hull(0, 0, 0, type_, side, size),
                Style(None, edge, 3.0 if chosen else 1.2, () if depth is Depth.PERISCOPE else (4, 3))),
    ]
    for level in range(1 + (depth is Depth.DEEP)):
        y = (0.42 + 0.3 * level) * half
        wave = tuple((0.34 * half * (k / 3 - 1), y - 2.0 * (-1) ** k) for k in range(7))
        parts += [Line(wave, Style(None, "ink", 3.5)), Line(wave, Style(None, "card", 1.8))]
    if depth is Depth.PERISCOPE:
        r, (x, y) = 0.1 * half + 1.5, (0.0, -0.62 * half)
        parts.append(Line(((x, y), (x, y + 3.2 * r)), Style(None, "card", 2.5)))
        parts.append(Circle(x, y, r, Style("card", "ink", 1.5)))
    parts.append(Text(0, -0.05 * half, letters, Style("ink", "halo", 3), max(SMALLEST_TEXT, min(0.28 * size, 13.0)),
                      bold=True))
    return tuple(parts)


@cache
def contact(side: int, size: float, letters: str, *, chosen: bool = False) -> tuple[Flat, ...]:
    """A dived enemy boat of which only the square is known."""
    r = max(12.0, 0.3 * size)
    edge = Style(SIDE_COLOURS[side], "accent" if chosen else "ink", 3.0 if chosen else 1.2, (4, 3), 0.45)
    wave = tuple((0.5 * r * (k / 3 - 1), 0.62 * r - 2.0 * (-1) ** k) for k in range(7))
    return (Circle(0, 0, r, edge), Line(wave, Style(None, "card", 2.0)),
            Text(0, -0.1 * r, letters, Style("ink", "halo", 3), SMALLEST_TEXT, bold=True))


def ghost(x: float, y: float, heading: int, type_: str, side: int, size: float) -> tuple[Flat, ...]:
    """Where a ship would lie."""
    return (Polygon(hull(x, y, heading, type_, side, size), Style("card", "accent", 2.0, (4, 3), 0.9)),)


@cache
def wreck(type_: str, side: int, size: float) -> tuple[Flat, ...]:
    """A sunk ship, her bow up: hollow, with a cross."""
    arm, cross = 0.26 * size, Style(None, "muted", 2)
    return (
        Polygon(hull(0, 0, 0, type_, side, size), Style(None, "muted", 1.2)),
        Line(((-arm, -arm), (arm, arm)), cross),
        Line(((-arm, arm), (arm, -arm)), cross),
    )


@cache
def disc(side: int, size: float, text: str = "?") -> tuple[Flat, ...]:
    """An enemy ship that nobody can tell; or a flight, with its number."""
    least, font = (13.0, 14.0) if text == "?" else (9.0, 12.0)  # a flight's leaves the ship beneath it to be seen
    r = max(least, 0.32 * size)
    return (
        Circle(1, 2, r, Style("shadow", opacity=0.6)),
        Circle(0, 0, r, Style(SIDE_COLOURS[side], "card", 2)),
        Text(0, 0, text, ON_BAND[side], max(font, 0.36 * size), bold=True),
    )


@cache
def mine(side: int, size: float) -> tuple[Flat, ...]:
    """A moored mine with its horns, ringed in its side's colour."""
    r = 0.13 * size
    horns = tuple(Line(((0, 0), (1.7 * r * cos(k * pi / 4), 1.7 * r * sin(k * pi / 4))), Style(None, "ink", 1.5))
                  for k in range(8))
    return (*horns, Circle(0, 0, r, Style("ink", SIDE_COLOURS[side], 2.0)))


def anchor(x: float, y: float, side: int, size: float) -> tuple[Flat, ...]:
    """A harbour of that side."""
    style, r = Style(None, SIDE_COLOURS[side], 2.0), 0.22 * size
    flukes = tuple((x + r * cos(k * pi / 8), y + r * sin(k * pi / 8)) for k in range(9))
    return (
        Circle(x, y - 1.1 * r, 0.3 * r, style),
        Line(((x, y - 0.8 * r), (x, y + r)), style),
        Line(((x - 0.5 * r, y - 0.35 * r), (x + 0.5 * r, y - 0.35 * r)), style),
        Line(flukes, style),
    )


def gate(x: float, y: float, outward: Point, side: int, size: float) -> tuple[Flat, ...]:
    """An exit: a chevron that points off the board; ``outward`` is one step of rows down and columns right."""
    down, right = outward
    length = hypot(down, right) or 1.0
    ahead = (right / length, down / length)
    abeam = (-ahead[1], ahead[0])
    tip, wing, back = 0.44 * size, 0.2 * size, 0.28 * size
    points = (
        (x + ahead[0] * back - abeam[0] * wing, y + ahead[1] * back - abeam[1] * wing),
        (x + ahead[0] * tip, y + ahead[1] * tip),
        (x + ahead[0] * back + abeam[0] * wing, y + ahead[1] * back + abeam[1] * wing),
    )
    return (Line(points, Style(None, SIDE_COLOURS[side], 2.5)),)


def swell(x: float, y: float, size: float, opacity: float = 0.55) -> Line:
    """A wave, of high seas."""
    n, w, h = 8, 0.3 * size, 0.07 * size
    points = tuple((x - w + 2 * w * i / n, y - h * sin(2 * pi * i / n)) for i in range(n + 1))
    return Line(points, Style(None, "muted", 1.2, opacity=opacity))


def berths(count: int, size: float) -> tuple[tuple[Point, float], ...]:
    """Where in a square its ships are drawn: offset of each from the centre, and the size of her picture's square."""
    if count <= 1:
        return (((0.0, 0.0), size),)
    if count == 2:
        return (((-0.0, -0.22 * size), 0.8 * size), ((0.0, 0.22 * size), 0.8 * size))
    step = 0.24 * size
    return tuple(((step * (2 * (i % 2) - 1), step * (2 * (i // 2 % 2) - 1)), 0.66 * size) for i in range(count))


def chip(x: float, y: float, w: float, h: float, lines: Sequence[str], *, on: bool = False,
         live: bool = True, foot: float = 0.0) -> tuple[Flat, ...]:
    """A place to press: a rounded box with a bold line and one or two more; a chosen one has a thick edge. A bold line
    that does not fit is broken, where there is room for a line more; the lines then stay that far off the bottom,
    where ``foot`` is what is drawn."""
    style = Style("card", "select" if on else "card_line" if live else "grid", 2.5 if on else 1.0)
    step, middle = 15.0, x + w / 2
    parts = lines[0].split(" ")
    breaks = ((" ".join(parts[:n]), " ".join(parts[n:])) for n in range(1, len(parts)))
    head, tail = min(breaks, key=lambda two: max(map(len, two)), default=("", ""))
    if head and shortened(lines[0], w - 2, SMALLEST_TEXT, bold=True) != lines[0] and step * (len(lines) + 1) <= h + 1:
        lines, step, room = (head, tail, *lines[1:]), min(step, (h - max(foot, 2) - 2) / (len(lines) + 1)), h - foot
    else:
        room = h
    top = y + room / 2 - step * (len(lines) - 1) / 2
    shapes: list[Flat] = [Rect(x, y, w, h, style, 7)]
    for i, line in enumerate(lines):
        size = fitting(line, w - 8, min(step, 14.0 - i), bold=not i)
        words = shortened(line, w - 2, size, bold=not i)
        shapes.append(Text(middle, top + i * step, words, INK if live and not i else MUTED, size, bold=not i))
    return tuple(shapes)


def shortened(words: str, width: float, size: float, *, bold: bool = False) -> str:
    """The words, cut off with an ellipsis where they do not fit into a width."""
    if _ems(words, bold=bold) * size <= width:
        return words
    kept = next((n for n in range(len(words) - 1, 1, -1) if _ems(f"{words[:n]}…", bold=bold) * size <= width), 1)
    return f"{words[:kept].rstrip()}…"


def fitting(words: str, width: float, most: float, *, bold: bool = False) -> float:
    """The size, at most ``most``, at which words fit into a width."""
    return max(SMALLEST_TEXT, min(most, width / max(_EM, _ems(words, bold=bold))))


def _ems(words: str, *, bold: bool) -> float:
    """About how wide words are, of their size."""
    return (_BOLD if bold else _EM) * (len(words) - _LESS * sum(sign in _NARROW for sign in words))


def quarters_bar(x: float, y: float, w: float, damage: int, rate: int) -> tuple[Flat, ...]:
    """Damage as a bar of four boxes, each a quarter of the sinking rate."""
    each = w / 4
    shares = (min(1.0, max(0.0, 4 * damage / rate - quarter)) for quarter in range(4))
    return tuple(
        shape
        for quarter, share in enumerate(shares) for shape in (
            Rect(x + quarter * each, y, share * each, 5, Style("vermilion")),
            Rect(x + quarter * each, y, each, 5, Style(None, "card_line", 1)),
        )
    )


def moved(shape: Flat, dx: float, dy: float) -> Flat:
    """The shape, so much further to the right and down."""
    match shape:
        case Rect(x, y) | Circle(x, y) | Text(x, y):
            return replace(shape, x=x + dx, y=y + dy)
        case Polygon(points) | Line(points):
            return replace(shape, points=tuple((x + dx, y + dy) for x, y in points))
