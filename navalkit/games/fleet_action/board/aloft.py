"""Above the sea and under it: flights as counters with a silhouette by role, where they reach and guard; searches, oil,
foul water, and where somebody was last known who is out of sight.

Only what a side knows is drawn: it is made of an `Observation`.
"""

from __future__ import annotations
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from navalkit.view.scene import Box, Circle, Flat, Line, Piece, Polygon, Rect, Shape, Style, Text
from ..craft import Duty, Place
from ..rules.raiding import GUARDED
from ..sight import Observation
from ..state import HIDDEN, Fate, Phase, Squadron
from . import SAY
from .afloat import Window
from .choice import Choice
from .pieces import INK, ON_BAND, SIDE_COLOURS, SMALLEST_TEXT, disc

_PLATE = 30.0, 17.0  # px of a flight's counter
_WING = 6.5  # px from the middle of a silhouette to a wing's end
_LAST = 5  # moves for which it is shown where somebody was last known


def role(squadron: Squadron) -> str:
    """What a flight is for, as its silhouette shows it."""
    roles = squadron.plane.roles
    if squadron.fighter:
        return "fighter"
    if squadron.level:
        return "level"
    if "floatplane" in roles:
        return "floatplane"
    return squadron.plane.weapon or "scout"


_WINGS: Mapping[str, tuple[tuple[float, float], ...]] = {  # a half of each outline, from the nose, of a wing's length
    "fighter": ((0.0, -0.8), (0.2, -0.25), (0.85, -0.05), (0.85, 0.2), (0.2, 0.2), (0.4, 0.75), (0.0, 0.7)),
    "torpedo": ((0.0, -1.0), (0.2, -0.3), (1.0, -0.25), (1.0, 0.15), (0.2, 0.2), (0.45, 0.9), (0.0, 0.85)),
    "dive": ((0.0, -1.0), (0.2, -0.1), (1.0, -0.5), (1.0, -0.15), (0.2, 0.35), (0.45, 0.9), (0.0, 0.85)),
    "level": ((0.0, -0.9), (0.2, -0.35), (0.4, -0.35), (0.45, -0.7), (0.6, -0.7), (0.62, -0.3), (1.15, -0.2),
              (1.15, 0.1), (0.2, 0.15), (0.5, 0.9), (0.0, 0.85)),
    "charges": ((0.0, -0.9), (0.2, -0.35), (1.15, -0.35), (1.15, 0.0), (0.2, 0.05), (0.6, 0.9), (0.0, 0.85)),
    "floatplane": ((0.0, -0.8), (0.2, -0.25), (0.55, -0.25), (0.55, -0.6), (0.75, -0.6), (0.75, -0.2), (1.0, -0.2),
                   (1.0, 0.1), (0.2, 0.15), (0.4, 0.75), (0.0, 0.7)),
    "scout": ((0.0, -0.9), (0.2, -0.2), (1.1, -0.2), (1.1, 0.0), (0.2, 0.1), (0.4, 0.8), (0.0, 0.75)),
}


@cache
def counter(role: str, side: int, count: int, chosen: bool = False) -> tuple[Flat, ...]:
    """A flight: a plate in its side's colour with a silhouette by role, and how many aircraft there are. Two engines
    are a level bomber's, wings bent forward a dive bomber's, floats a floatplane's, a line below a torpedo."""
    (wide, high), ink = _PLATE, ON_BAND[side].fill or "ink"
    half = tuple((x * _WING, y * _WING) for x, y in _WINGS[role])
    shift = -wide / 4 - 0.5
    outline = (*((shift + x, y) for x, y in half), *((shift - x, y) for x, y in reversed(half)))
    parts: list[Flat] = [
        Rect(-wide / 2 + 1, -high / 2 + 2, wide, high, Style("shadow", opacity=0.6), 5),
        Rect(-wide / 2, -high / 2, wide, high,
             Style(SIDE_COLOURS[side], "accent" if chosen else "card", 3.0 if chosen else 1.5), 5),
        Polygon(outline, Style(ink)),
    ]
    if role == "torpedo":
        parts.append(Line(((shift - 5, 6.3), (shift + 5, 6.3)), Style(None, ink, 1.8)))
    parts.append(Text(wide / 4 - 1, 0, str(count), ON_BAND[side], SMALLEST_TEXT, bold=True))
    return tuple(parts)


def flights(w: Window, seen: Observation, choice: Choice) -> Iterator[Piece]:
    """Flights aloft, those of a square about its ship, the chosen one first; of the enemy's that nobody has made out a
    disc with their number. Where there is no room for one more, the last place says how many there are besides."""
    battle, view = seen.battle, seen.view
    found: dict[int, list[tuple[bool, str, tuple[Flat, ...]]]] = {}
    for number, (squadron, own) in enumerate(zip(battle.flights, view.flights, strict=True)):
        if own.place is Place.ALOFT and w.holds(own.square):
            chosen = number == choice.flight
            look = counter(role(squadron), squadron.side, own.count, chosen)
            found.setdefault(own.square, []).append((not chosen, squadron.name, look))
    for n, (square, count) in enumerate(seen.sky):
        if w.holds(square):
            look = disc(1 - seen.me, 0.7 * w.side, str(count))
            found.setdefault(square, []).append((True, f"flight/{battle.grid.names[square]}/{n}", look))
    for square, there in found.items():
        (x, y), known = w.centre(square), any(name in battle.wings for _, name, _ in there)
        spots = slots(w.side) if known else quarters(w.side)
        last = len(spots) - 1
        for n, (_, name, look) in enumerate(sorted(there, key=lambda each: each[0])):
            dx, dy = spots[min(n, last)]
            if n == len(there) - 1 > last:  # on top of those it stands for
                look = more(len(there) - last)
            yield Piece(name, *_inside(w, x + dx, y + dy), look)


def slots(side: float) -> tuple[tuple[float, float], ...]:
    """Where the flights of a square of that many px are drawn, from its middle: at its corners, so that of her who lies
    in it the letters are seen; in a small square there is one place above and one below."""
    wide, high = _PLATE
    right, up = side / 2 - wide / 2 + 6, max(high / 2 + 1, side / 2 - high / 2 + 2)
    if side < 2 * wide + 4:
        return (right, -up), (right, up)
    return (right, -up), (right, up), (-right, up), (-right, -up)


def quarters(side: float) -> tuple[tuple[float, float], ...]:
    """The same of discs alone, which are smaller: a quarter of the square for each."""
    return tuple((dx * side / 4, dy * side / 4) for dx, dy in ((1, -1), (1, 1), (-1, 1), (-1, -1)))


def _inside(w: Window, x: float, y: float) -> tuple[float, float]:
    half, high = _PLATE[0] / 2 + 2, _PLATE[1] / 2 + 1
    return (min(max(x, w.left + half), w.left + w.columns * w.side - half),
            min(max(y, w.top + high), w.bottom - high))


def plates(pieces: Iterable[Piece]) -> Iterator[Box]:
    """Left, top, right and bottom of counters."""
    half, high = _PLATE[0] / 2, _PLATE[1] / 2
    return ((each.x - half, each.y - high, each.x + half, each.y + high) for each in pieces)


@cache
def more(n: int) -> tuple[Flat, ...]:
    """How many flights more there are in a square than have a place."""
    wide, high = _PLATE
    return (Rect(-wide / 2, -high / 2, wide, high, Style("card", "ink", 1.5), 5),
            Text(0, 0, f"+{n}", INK, SMALLEST_TEXT, bold=True))


def flown(seen: Observation, choice: Choice) -> dict[int, str]:
    """Square -> an own flight there that can still be given an order."""
    battle, flights = seen.battle, seen.view.flights
    waiting = (name for name in choice.orders if name in battle.wings)
    return {flights[n].square: name for name in waiting for n in [battle.wings[name]] if flights[n].square >= 0}


def about(seen: Observation, choice: Choice) -> int | None:
    """The square that the window shows for a flight: where it is, or its ship; between it and its target."""
    assert choice.flight is not None
    own, squadron = seen.view.flights[choice.flight], seen.battle.flights[choice.flight]
    base = seen.view.ships[squadron.base].square if squadron.base >= 0 else next(iter(squadron.entry), -1)
    square = own.square if own.square >= 0 else base
    if square < 0:
        return None
    if choice.foe in choice.targets and choice.foe is not None:
        ends = seen.battle.grid.place(square), seen.battle.grid.place(seen.view.ships[choice.foe].square)
        row, column = (sum(each) // 2 for each in zip(*ends, strict=True))
        return row * seen.battle.grid.columns + column
    return square


def reach(w: Window, seen: Observation, choice: Choice) -> Iterator[Shape]:
    """How far the chosen flight goes, the own ship it is to go to; the squares that the chosen hunter can search."""
    for square in choice.hunts:
        if w.holds(square):
            yield from _frame(w, square, Style("sky", "select", 2.0, (4, 3), 0.25))
    if choice.flight is None:
        return
    own, plane = seen.view.flights[choice.flight], seen.battle.flights[choice.flight].plane
    if own.place is Place.ALOFT and choice.flies:
        for square in choice.flies:
            if w.holds(square):
                yield Rect(*w.corner(square), w.side, w.side, Style("select", opacity=0.09))
        yield from w.border(own.square, plane.squares, Style(None, "select", 2.0, opacity=0.8))
    if choice.ward is not None and w.holds(seen.view.ships[choice.ward].square):
        yield from _frame(w, seen.view.ships[choice.ward].square, Style(None, "accent", 3.0))


def _frame(w: Window, square: int, style: Style) -> Iterator[Shape]:
    x, y = w.corner(square)
    yield Rect(x + 2, y + 2, w.side - 4, w.side - 4, style, 0.15 * w.side)


# What is known of the deep, and what guards the air ------------------------------------------------------------------

def signs(w: Window, seen: Observation) -> Iterator[Shape]:
    """Patrols, searches and contacts of this move, foul water, oil, periscopes, and where somebody was last known."""
    battle, view = seen.battle, seen.view
    guarded = {(own.square, squadron.side) for own, squadron in zip(view.flights, battle.flights, strict=True)
               if own.duty is Duty.PATROL and own.square >= 0}
    for square, side in sorted(guarded):
        yield from w.border(square, GUARDED, Style(None, SIDE_COLOURS[side], 2.0, (7, 5), 0.85))
    for square in view.fouled:
        if w.holds(square):
            yield from _bubbles(w, square)
    for hunt in view.hunts:
        if w.holds(hunt.square):
            yield from _searched(w, hunt.square, hunt.heard > 0)
    for boat in battle.boats:
        own = view.ships[boat]
        if own.oil and own.fate is Fate.AT_SEA and w.holds(own.square):
            yield from _oil(w, own.square)
    yield from _last(w, seen)


def _bubbles(w: Window, square: int) -> Iterator[Shape]:
    x, y = w.corner(square)
    for dx, dy, r in ((0.2, 0.75, 0.06), (0.35, 0.85, 0.045), (0.7, 0.8, 0.06), (0.82, 0.65, 0.04), (0.55, 0.9, 0.035)):
        yield Circle(x + dx * w.side, y + dy * w.side, r * w.side, Style("card", "muted", 1.0, opacity=0.9))


def _searched(w: Window, square: int, heard: bool) -> Iterator[Shape]:
    """A square that is searched: rings of sound; an orange frame once a boat has been heard in it."""
    x, y = w.centre(square)
    style = Style(None, "accent", 2.5) if heard else Style(None, "select", 1.5, (3, 3))
    for share in (0.2, 0.32, 0.44):
        yield Circle(x, y, share * w.side, style)
    if heard:
        yield from _frame(w, square, style)


def _oil(w: Window, square: int) -> Iterator[Shape]:
    x, y = w.centre(square)
    for dx, dy, r in ((-0.2, 0.2, 0.16), (0.02, 0.26, 0.2), (0.22, 0.18, 0.12)):
        yield Circle(x + dx * w.side, y + dy * w.side, r * w.side, Style("purple", opacity=0.35))


def _last(w: Window, seen: Observation) -> Iterator[Shape]:
    """Where an enemy that now shows not even as a disc was last known, and how many moves ago: a boat, or a ship beyond
    the sight of a wide sea."""
    battle, view = seen.battle, seen.view
    for number in battle.fleet(1 - seen.me):
        own = view.ships[number]
        if own.square != HIDDEN or own.seen is None or not (battle.wide or battle.card(number).boat):
            continue
        ago = view.move - own.seen.moves - (view.phase is Phase.MOVE)
        if 0 <= ago <= _LAST and w.holds(own.seen.square):
            x, y = w.centre(own.seen.square)
            r = max(11.0, 0.3 * w.side)
            yield Circle(x, y, r, Style(None, SIDE_COLOURS[1 - seen.me], 2.0, (3, 3)))
            yield Text(x, y, SAY("sea.last", n=ago), INK, SMALLEST_TEXT, bold=True)
