"""The single pictures of Task Force: what a square shows, waves, hulls and check-boxes, which screen and paper share,
and where they lie on a screen."""

from __future__ import annotations
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import pi, sin
from typing import Any

import numpy as np

from navalkit.core.awaited import Awaited
from navalkit.core.words import number, percent
from navalkit.view.scene import Box, Circle, Flat, Line, Polygon, Rect, Style, Text
from . import odds
from .bots import Planner
from .game import TaskForce
from .odds import Posterior
from .state import CARRIER, CRUISER, EMPTY, HIT, MISSILES, OWN, SAY, SUBMARINE, UNSEEN, Observation, Phase

INK, MUTED = Style("ink"), Style("muted")
CROSS = Style(None, "ink", 2.5)
_COAT, _WAVE = Style("card_back", "card_line", 1.0), Style(None, "card_back_wave", 1.4, opacity=0.75)
_SUBMARINE = (
    (-0.42, 0.1), (-0.3, -0.1), (-0.12, -0.1), (-0.12, -0.32), (0.08, -0.32), (0.08, -0.1), (0.3, -0.1), (0.42, 0.1),
    (0.3, 0.3), (-0.3, 0.3),
)
_EDGED = Style("card_face", "black", 1.2)
HELICOPTER: tuple[Flat, ...] = (
    Polygon(((-2.5, -5), (2.5, -5), (3, 2), (1, 4), (1, 11), (3, 12), (-3, 12), (-1, 11), (-1, 4), (-3, 2)), _EDGED),
    Line(((-9, -8), (9, 5)), Style(None, "ink", 1.6)), Line(((9, -8), (-9, 5)), Style(None, "ink", 1.6)),
)
"""A helicopter from above, about (0, 0)."""
FIGHTER: tuple[Flat, ...] = (
    Polygon(((0, -9), (2, -2), (9, 5), (2, 4), (3, 8), (-3, 8), (-2, 4), (-9, 5), (-2, -2)), _EDGED),
)
"""A strike-fighter from above, about (0, 0)."""
_ROCKET = ((0.0, -0.46), (0.11, -0.29), (0.11, -0.08), (0.2, 0.03), (-0.2, 0.03), (-0.11, -0.08), (-0.11, -0.29))


def coat(x: float, y: float, side: float) -> Rect:
    """What is to be scratched off a square."""
    return Rect(x + 1.5, y + 1.5, side - 3, side - 3, _COAT, 0.14 * side)


def waves(x: float, y: float, side: float, deep: bool) -> tuple[Line, ...]:
    """Two waves for deep water, one for shallow."""
    n, left, right = 8, x + 0.26 * side, x + 0.74 * side

    def wave(share: float) -> Line:
        low, high = y + side * share, 0.045 * side
        return Line(tuple((left + (right - left) * i / n, low - high * sin(4 * pi * i / n)) for i in range(n + 1)),
                    _WAVE)

    return tuple(map(wave, (0.41, 0.59) if deep else (0.5,)))


def grid(left: float, top: float, side: float, rows: int, columns: int) -> tuple[Line, ...]:
    """The lines of the map."""
    right, low = left + side * columns, top + side * rows
    down = [((left + c * side, top), (left + c * side, low)) for c in range(columns + 1)]
    across = [((left, top + r * side), (right, top + r * side)) for r in range(rows + 1)]
    return tuple(Line(ends, Style(None, "grid", 1)) for ends in (*down, *across))


def labels(left: float, top: float, side: float, rows: int, columns: int) -> tuple[Text, ...]:
    """The letters of the columns and the numbers of the rows."""
    letters = (Text(left + (c + 0.5) * side, top - 11, chr(ord("A") + c), MUTED, 14, bold=True) for c in range(columns))
    numbers = (
        Text(left - 2, top + (r + 0.5) * side, str(r + 1), MUTED, 13, anchor="end", bold=True) for r in range(rows)
    )
    return (*letters, *numbers)


def cross(cx: float, cy: float, m: float) -> tuple[Line, Line]:
    """A cross of half the width ``m``."""
    return (Line(((cx - m, cy - m), (cx + m, cy + m)), CROSS), Line(((cx - m, cy + m), (cx + m, cy - m)), CROSS))


def mark(x: float, y: float, side: float, what: str) -> tuple[Flat, ...]:
    """What a square shows; ``what`` is a mark of `state.MARKS`."""
    cx, cy = x + side / 2, y + side / 2
    if what == EMPTY:
        return (Circle(cx, cy, 0.09 * side, MUTED),)
    if what == HIT:
        square = Rect(x + 0.1 * side, y + 0.1 * side, 0.8 * side, 0.8 * side, Style("vermilion", "ink", 1.5),
                      0.1 * side)
        return (square, *cross(cx, cy, 0.2 * side))
    if what == SUBMARINE:
        hull = tuple((cx + u * side, cy + v * side) for u, v in _SUBMARINE)
        letter = Text(cx, cy + 0.1 * side, "S", Style("black"), max(12.0, 0.36 * side), bold=True)
        return (Polygon(hull, Style("purple", "ink", 1.2)), letter)
    rocket = tuple((cx + u * side, cy + v * side) for u, v in _ROCKET)
    name = Text(cx, y + 0.73 * side, OWN[MISSILES.index(what)], INK, max(12.0, min(15.0, 0.36 * side)), bold=True)
    return (Polygon(rocket, Style("orange", "ink", 1.2)), name)


@cache
def mark_about(side: float, what: str) -> tuple[Flat, ...]:
    """The same about (0, 0), for a piece."""
    return mark(-side / 2, -side / 2, side, what)


def ship(x: float, y: float, side: float, across: int, down: int) -> Rect:
    """The outline of an enemy ship of that length, once she is known."""
    gap = 0.05 * side
    hull = Style(None, "ink", 3)
    return Rect(x + gap, y + gap, across * side - 2 * gap, down * side - 2 * gap, hull, 0.3 * side)


def own_ship(x: float, y: float, length: float, which: int, afloat: bool) -> tuple[Flat, ...]:
    """One of our ships, bow to the right: the carrier broad, destroyers slender; hollow and crossed once lost."""
    half, beam = length / 2, {CARRIER: 11.0, CRUISER: 9.0}.get(which, 7.0)
    bow = 6.0 if which == CARRIER else 18.0
    aft, fore = x - half, x + half - bow
    points = ((aft, y - beam), (fore, y - beam), (x + half, y), (fore, y + beam), (aft, y + beam))
    if not afloat:
        return (
            Polygon(points, Style(None, "muted", 1.5)),
            Line(((x - 16, y - 12), (x + 16, y + 12)), CROSS),
            Line(((x - 16, y + 12), (x + 16, y - 12)), CROSS),
        )
    deck = Style("card_face", "ink", 1)
    if which == CARRIER:
        line = Line(((aft + 8, y), (x + half - 10, y)), Style(None, "card_face", 1.5, (6, 5)))
        return (Polygon(points, Style("blue", "ink", 1.2)), line, Rect(x - 4, y + 0.45 * beam, 14, 0.45 * beam, deck))
    guns = tuple(Circle(x + at * length, y, 0.32 * beam, deck)
                 for at in ((-0.34, 0.22) if which != CRUISER else (-0.36, 0.1, 0.24)))
    house = Rect(x - 0.2 * length, y - 0.5 * beam, 0.22 * length, beam, deck)
    return (Polygon(points, Style("blue", "ink", 1.2)), house, *guns)


def box(x: float, y: float, w: float, h: float, on: bool, text: str, size: float) -> tuple[Flat, ...]:
    """A check-box with its text."""
    b, cy = 18.0, y + h / 2
    tick = (Line(((x + 11, cy), (x + 15, cy + 5), (x + 23, cy - 6)), Style(None, "ink", 3)),) if on else ()
    return (
        Rect(x, y, w, h, Style("card", "select" if on else "card_line", 2 if on else 1), 7),
        Rect(x + 8, cy - b / 2, b, b, Style(None, "ink", 1.5), 4),
        *tick,
        *((Text(x + 31, cy, text, INK, size, anchor="start"),) if text else ()),
    )


def spoken(what: str) -> str:
    """What a mark stands for, in words."""
    if what in MISSILES:
        return SAY("mark.missile", target=OWN[MISSILES.index(what)])
    return SAY({EMPTY: "mark.empty", HIT: "mark.hit", SUBMARINE: "mark.submarine"}[what])


# -- What the map can show of the squares not scratched: the chance of a ship, the danger, and what a scratch is worth

STEPS = 10  # colours of the ramp, heat0 to heat9
VALUE_SAMPLE = 3000  # fleets that the value of a scratch is calculated from
WORST = 0.4  # from this loss on, in ships, the colour of a value is the darkest
_PALE_STEPS = 5  # steps too pale for light figures
_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class Figure:
    """What the map shows of one square: its step on the ramp, the figure written there, and the same in words."""

    step: int
    text: str
    words: str

    @property
    def token(self) -> str:
        """The colour that figures on this step are read in."""
        return "on_heat_low" if self.step < _PALE_STEPS else "on_heat_high"


Figures = dict[int, Figure]  # by the number of the square; squares left out show nothing


@dataclass(frozen=True, slots=True)
class Heat:
    """One thing the map can show; its words are the sentences "heat.KEY.title" and so on."""

    asks: Callable[[TaskForce, Observation], Awaited[Any]]  # game and observation -> the numbers to wait for
    figures: Callable[[Observation, Any], Figures]  # observation and those numbers -> the figures
    note: Callable[[Observation, Any], str]  # observation and those numbers -> how exact the figures are, or their unit
    low: str  # what the lower end of the ramp means
    high: str  # what its upper end means


def likely(game: TaskForce, seen: Observation) -> Awaited[Posterior]:
    """The posterior that the map shows."""
    return Awaited(("task-force.posterior", seen, odds.SAMPLE), lambda: odds.shown(seen))


def values(game: TaskForce, seen: Observation) -> Awaited[dict[int, float]]:
    """What scratching each square that may be scratched now is worth to the planner."""
    planner, key = Planner(game, sample=VALUE_SAMPLE), ("task-force.values", game, seen, VALUE_SAMPLE)
    return Awaited(key, lambda: planner.valuing(seen, np.random.default_rng(0)))


def precision(found: Posterior) -> str:
    """How far off the figures may be, in words."""
    if found.exact:
        return SAY("heat.exact")
    return SAY("heat.sample", points=number(196 * float(found.errors.max()), ".1f"), n=found.worlds)


def _chances(name: str, top: float, of: Callable[[Posterior], np.ndarray]) -> Callable[..., Figures]:
    def figures(seen: Observation, found: Posterior) -> Figures:
        shown = {}
        for square in seen.squares(UNSEEN):
            p = min(float(of(found).flat[square]), 1.0)  # a sum of two chances may pass 1 by a hair
            words = SAY(f"heat.{name}.figure", chance=percent(p))
            shown[square] = Figure(min(STEPS - 1, int(STEPS * p / top)), _whole(p), words)
        return shown

    return figures


def _whole(p: float) -> str:
    """A probability in whole percent; 0 and 100 only for what is so."""
    if 0 < p < 0.005:
        return "<1"
    return ">99" if 0.995 <= p < 1 else f"{100 * p:.0f}"


def _worth(seen: Observation, worth: Mapping[int, float]) -> Figures:
    best, unit = max(worth.values(), default=0.0), _unit(seen)
    found = {}
    for square, value in worth.items():
        loss = best - value
        words = SAY("heat.value.best") if loss < 0.005 else SAY(f"heat.value.{unit}s", loss=number(loss, ".2f"))
        text = "0" if loss < 0.005 else f"{_MINUS}{100 * loss:.0f}"
        found[square] = Figure(STEPS - 1 - min(STEPS - 1, int(STEPS * loss / WORST)), text, words)
    return found


def _unit(seen: Observation) -> str:
    """What a value counts: in the air nothing does harm, and the planner gives points for what is learnt."""
    return "point" if seen.phase is Phase.FLIGHT else "ship"


HEATS: Mapping[str, Heat] = {
    "hit": Heat(likely, _chances("hit", 0.6, lambda found: found.hit), lambda seen, found: precision(found), "0 %",
                "60 %"),
    "danger": Heat(likely, _chances("danger", 0.5, lambda found: found.missile + found.submarine),
                   lambda seen, found: precision(found), "0 %", "50 %"),
    "value": Heat(values, _worth, lambda seen, found: SAY(f"heat.value.unit.{_unit(seen)}", n=VALUE_SAMPLE),
                  f"{_MINUS}{100 * WORST:.0f}", "0"),
}
"""What the map can show, by the value of the pick "heat"."""


# -- Where things lie on the card of Task Force, in px: one layout for screens, one for phones -----

LARGEST = 96.0  # side of a square of a small map


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of the parts, by their top left corners."""

    width: float
    height: float
    map: tuple[float, float, float, float]  # room for the squares: x, y, w, h
    switches: tuple[tuple[float, float], ...]  # the switches of the map
    switch: tuple[float, float]  # size of a switch: w, h
    key: tuple[float, float, float]  # legend of the map: x, y, w
    group: tuple[float, float, float]  # our carrier group: x, y, w
    high: float  # height of one of its ships
    notes: tuple[float, float] | None  # the check-boxes; None leaves them out
    note: tuple[float, float]  # size of a check-box with its name
    across: int  # check-boxes side by side
    both: bool = False  # whether legend and check-boxes have room of their own each
    bare: bool = False  # whether there is room for neither


def side(layout: Layout, rows: int, columns: int) -> float:
    """The side of a square of the map."""
    _, _, w, h = layout.map
    return min(w / columns, h / rows, LARGEST)


WIDE = Layout(800, 644, (30, 36, 480, 480), ((540, 36), (660, 36), (540, 72), (660, 72)), (116, 32), (540, 118, 236),
              (24, 550, 752), 84, (540, 218), (236, 30), 1)
STILL = Layout(521, 338, (24, 24, 306, 306), (), (0, 0), (0, 0, 0), (344, 34, 172), 54, None, (0, 0), 1)
"""For a class: the map and the carrier group alone. As large as the screen its type is legible."""
_PHONE = 390.0, 616.0
"""Room of a usual phone, where a page does not say how much there is: a large map makes it higher."""
_THUMB = 33.0
"""Least side of a square beside the notes; with less the notes give way, and the legend has their place."""
_SIDE, _NARROW_SIDE = 140.0, 74.0  # px beside the map of a phone lying down: of switches and notes, of switches alone
MARGIN = 12.0  # px between them and the column
_FINGER, _KEY = 24.0, 50.0  # px of the least square that a finger is asked about, and of the legend
_LEAST_SHIP = 54.0  # px of one of our ships in the column of a phone lying down
_LOW = 181.0  # height of all below the map without the notes


def tall(rows: int, columns: int, room: tuple[float, float] | None = None) -> Layout:
    """The layout for phones: the map as large as its room allows, all else below it in reach of the thumb."""
    width, height = room or (_PHONE[0], max(_PHONE[1], 20 + rows * _THUMB + _LOW))
    widest = min((width - 26) / columns, LARGEST)
    side = min(widest, (height - 256) / rows)
    notes = side >= _THUMB
    low = 236.0 if notes else _LOW
    if not notes:
        side = min(widest, (height - 20 - low) / rows)
    bare = side < _FINGER  # the legend gives way as well
    if bare:
        low -= _KEY
        side = min(widest, (height - 20 - low) / rows)
    y = 20 + rows * side
    group = 68.0 if notes else 58.0
    spare = max(0.0, (height - y - low) / 2)
    y, switch = y + spare, (width - 24) / 4
    places = tuple((6 + (switch + 4) * i, y + 5) for i in range(4))
    return Layout(width, height, (20, 20 + spare, width - 26, rows * side), places, (switch, 44),
                  (12, y + (154 if notes else 131 - _KEY * bare), width - 24), (6, y + 70, width - 12), group,
                  (8, y + 144) if notes else None, ((width - 40) / 5, 46), 5, bare=bare)


def lying(rows: int, columns: int, room: tuple[float, float], hole: Box) -> Layout:
    """The layout of a phone lying down: the map as high as the screen, beside it switches and notes, and in the column
    our ships and the legend."""
    (width, height), (left, top, right, low) = room, hole
    side = min((height - 26) / rows, (left - 32 - _SIDE) / columns, LARGEST)
    if side < (height - 26) / rows:
        side = min((height - 26) / rows, (left - 42 - _NARROW_SIDE) / columns, LARGEST)
    x = 20 + columns * side + 10
    beside = left - MARGIN - x
    two = beside >= _SIDE
    switch = (beside - 4) / 2 if two else beside
    places = tuple((x + (i % 2 if two else 0) * (switch + 4), 6 + (i // 2 if two else i) * 48) for i in range(4))
    bare = low - top - 36 - _KEY - 15 < _LEAST_SHIP  # after the end: the legend gives way
    high = min(78.0, low - top - 36 - _KEY * (not bare) - 15)
    return Layout(width, height, (20, 20, columns * side, rows * side), places, (switch, 44),
                  (left, top + high + 36, right - left), (left, top + 20, right - left), high,
                  (x, 108) if two else None, ((beside - 6) / 2, 45), 2, True, bare)
