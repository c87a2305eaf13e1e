"""Where things lie on the table of USS Lox: the ocean and a column beside it, which holds the more the higher it is."""

from __future__ import annotations
from collections.abc import Sequence
from dataclasses import dataclass, replace

from navalkit.view.drawings import RATIO
from navalkit.view.page import Look
from navalkit.view.scene import Box
from .state import MAX_TORPEDOES


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things lie, in px; a box is left, top, width, height."""

    width: float
    height: float
    ocean: Box  # room for its cards
    gap: float  # between them
    attack: tuple[float, float]  # top left of the attack row
    card: float  # width of its cards
    told: tuple[float, float]  # top left of what is said of the attack
    lines: int  # lines that have room there
    missed: tuple[float, float, float]  # the cards of an attack that failed: top left, and their width
    rack: Box
    deck: Box
    floor: Box  # the sea floor
    text: float  # size of ordinary text
    scope: Box | None = None  # the view through the periscope
    unseen: Box | None = None
    log: Box | None = None


_ROOM = {False: (800.0, 600.0), True: (390.0, 560.0)}  # the room of a picture that no page shows, wide and tall
GAP = 8.0  # between the cards of the attack row
_ROW = 1 + MAX_TORPEDOES
_EDGE, _HEAD = 12.0, 24.0  # px about the board, and of a heading over what it heads
OVER = 14.0  # px from its middle to the cards of the attack, whose rings it clears
LINE = 18.0  # px from one line to the next
_FINGER = 44.0
_PILES, _LOG = 52.0, 60.0  # px that rack and deck need beside the board, and the log over them
_SAID, _BESIDE = 6, 130.0  # lines for what is said of an attack on a phone that lies down, and px for them


def size(names: Sequence[str]) -> tuple[int, int]:
    """Columns and rows of the ocean, at least three of each."""
    return max(3, *(1 + "ABCDE".index(name[0]) for name in names), 3), max(3, *(int(name[1]) for name in names), 3)


def _wide(room: tuple[float, float], names: Sequence[str]) -> Layout:
    """The ocean on the left, everything else beside it, and the sea floor along the foot."""
    width, height = (max(given, least) for given, least in zip(room, _ROOM[False], strict=True))
    columns, rows = size(names)
    foot = max(110.0, 0.19 * height)
    floor = 24.0, height - 16 - foot, width - 48, foot
    top, low, gap = 52.0, floor[1] - 20, 10.0
    card = (low - top - gap * (rows - 1)) / rows / RATIO
    across = min(columns * (card + gap) - gap, 0.46 * width)
    x = 24 + across + 32
    beside = width - 24 - x
    row = min((beside - (_ROW - 1) * GAP) / _ROW, 0.15 * height)
    y = top + row * RATIO + 14
    scope = min(0.3 * beside, 0.17 * height / 0.75, 190.0)
    told = x + scope + 14, y + 10
    rack = y + 0.75 * scope + 16
    rest = rack + 62 + 12
    unseen = min(0.58 * beside, 300.0)
    return Layout(width, height, (24, top, across, low - top), gap, (x, top), row, told, int(0.75 * scope / LINE),
                   (told[0], told[1] + 2 * LINE - 4, min(0.75 * scope - 2 * LINE, 60.0) / RATIO),
                   (x, rack, beside - 112, 62), (x + beside - 102, rack, 102, 62), floor, 16,
                   (x, y, scope, 0.75 * scope), (x, rest, unseen, low - rest),
                   (x + unseen + 10, rest, beside - unseen - 10, low - rest))


def _still(names: Sequence[str]) -> Layout:
    """For a class: all of it smaller but its type, and so, as large as the screen, all of it legible."""
    card, high, gap = 62.0, 318.0, 8.0
    columns, rows = size(names)
    row = _ROW * card + (_ROW - 1) * GAP
    across = min(607 - row - 68, ((high - gap * (rows - 1)) / rows / RATIO + gap) * max(columns, 3) - gap)
    x, y = 20 + across + 32, 44 + card * RATIO
    return Layout(607, 394, (20, 52, across, high), gap, (x, 44), card, (x, y + 16), 2, (x, y + 2 * LINE + 14, 34),
                   (x, y + 106, row - 104, 46), (x + row - 96, y + 106, 96, 46), (x, y + 160, row, 82), 15)


def _tall(room: tuple[float, float], names: Sequence[str], least: float = _FINGER) -> Layout:
    """On a phone: the attack row on top, under it the ocean, its cards at least so wide, with a column beside it."""
    width, height = room
    columns, rows = size(names)
    gap, spare = (7.0, 4.0) if height > 360 else (4.0, 0.0)
    free = (height - 8 - 2 * _HEAD - spare - rows * (least * RATIO + gap) + gap) / RATIO  # the ocean is for fingers
    card = min((width - 2 * _EDGE - (_ROW - 1) * GAP) / _ROW, max(least, min(0.15 * height, free)))
    top = _HEAD + card * RATIO + _HEAD + spare
    column = max(96.0, min(max(118.0, 0.3 * width), width - 2 * _EDGE - 22 - columns * (_FINGER + 7)))
    low = max(height - 8, top + rows * (least * RATIO + gap) - gap)
    ocean = _EDGE + 4, top, width - column - 2 * _EDGE - 22, low - top
    beside = width - column - _EDGE, top - 14, column, low - top + 14
    return replace(_column(width, low + 8, ocean, (_EDGE, _HEAD), card, beside), gap=gap)


def _lying(room: tuple[float, float], hole: Box, names: Sequence[str]) -> Layout:
    """On a phone lying down: the ocean as high as the screen; beside it the attack over the sea floor; and in what the
    page's column leaves free the log of the crossing, with rack and deck under it."""
    columns, rows = size(names)
    width, height = hole[0] - _EDGE, room[1]
    row = _ROW * _FINGER + (_ROW - 1) * GAP
    gap = 7.0
    card = (height - _HEAD - 12 - gap * (rows - 1)) / rows / RATIO
    across = min(columns * (card + gap) - gap, width - 2 * _EDGE - 24 - row)
    x = _EDGE + across + 20
    beside = width - 8 - x
    card = min((beside - (_ROW - 1) * GAP) / _ROW, 0.16 * height)
    y = _HEAD + OVER - 10  # its heading and that of the ocean on one line
    top = y + card * RATIO + 8
    laid = _column(width, height, (_EDGE, _HEAD, across, height - _HEAD - 10), (x, y), card,
                   (x, top, beside, height - 8 - top))
    left, high, right, low = hole
    if low - high < _PILES:
        return laid
    pile, at, said = 46.0, low - 46.0, _SAID * LINE + 4
    scope = min(0.46 * beside, beside - _BESIDE, said / 0.75)
    told = x + scope + 10, top + 8
    floor = top + said + 8
    log = (left, high, right - left, at - 6 - high) if at - 6 - high >= _LOG else None
    missed = min((x + beside - told[0]) / 4 - 6, 24.0)
    return replace(laid, told=told, lines=_SAID, missed=(told[0], top + said - missed * RATIO, missed),
                   rack=(left, at, right - left - 98, pile), deck=(right - 92, at, 92.0, pile),
                   floor=(x, floor, beside, height - 8 - floor), scope=(x, top, scope, 0.75 * scope), log=log)


def _column(width: float, height: float, ocean: Box, attack: tuple[float, float], card: float,
            beside: Box) -> Layout:
    """What a phone's column holds: what is said of the attack, rack and deck, and at its foot the sea floor."""
    x, y, w, h = beside
    rack, deck = 46.0, 46.0
    two = w >= 200  # rack and deck side by side
    piles = rack if two else rack + 6 + deck
    said = min(h - piles - 6 - 56, 3 * LINE + 30)
    at = y + said
    floor = x, at + piles + 6, w, h - said - piles - 6
    racks = (x, at, w - 98, rack) if two else (x, at, w, rack)
    decks = (x + w - 92, at, 92.0, deck) if two else (x, at + rack + 6, w, deck)
    return Layout(width, height, ocean, 7, attack, card, (x, y + 8), 3,
                   (x, y + 2 * LINE + 2, max(23.0, min(w / 4 - 6, (said - 2 * LINE - 8) / RATIO, 34.0))),
                   racks, decks, floor,
                   15 if w >= 150 else 14)


def laid_out(look: Look, names: Sequence[str], *, over: bool) -> Layout:
    """Where all lies on a page that looks like this. ``names``: the squares of the ocean. ``over``: whether the patrol
    is over, and nothing is pressed any more."""
    room = look.room or _ROOM[look.tall]
    if look.hole:
        return _lying(room, look.hole, names)
    if look.still:
        return _still(names)
    return _tall(room, names, _FINGER * (0.7 if over else 1)) if look.tall else _wide(room, names)
