"""What lies and sails on the sea, as pieces that stay themselves: ships, discs, wrecks, mines; and the ships' names.

A piece bears the name of its ship. A disc is named by its square: nobody may tell from its id which ship it is.
"""

from __future__ import annotations
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from navalkit.grids.square import STEPS, SquareGrid, distance, shifted
from navalkit.view.scene import Box, Line, Piece, Polygon, Shape, Style, Text, meet
from ..cards import TABLES, quarters
from ..sight import Observation
from ..state import Phase
from . import SAY
from .choice import Choice, located
from .pieces import SIDE_COLOURS, SMALLEST_TEXT, berths, contact, disc, length, mine, ship, wreck

# -- The part of the board that the page shows, and where its squares lie in px --------------------

LEFT, TOP = 24.0, 20.0  # px beside and above the squares, for the numbers of rows and the letters of columns
ROOMS = (800.0, 660.0), (390.0, 560.0)
"""Px of the scene where the page says nothing of its room: wide, and on a phone."""
PANELS = 160.0, 172.0  # px kept free below the squares for the conning panel: wide, and on a phone
MOST_ROWS, MOST_COLUMNS, LARGEST = 20, 24, 80.0
TALL_ROWS, TOUCH = 10, 36.0  # rows of the window on a phone, and the smallest square there
FINGER = 24.0  # px of the least square that a finger is asked about before it orders (`Cell.ask`)
MARGIN = 12.0  # px between the sea of a phone lying down and the panel beside it
_FEWEST = 6, 5  # rows of the window on a phone, and on one that has not that many px for them and the least panel
_LEAST_PANEL = 153.0
SMALLEST = 28.0, 20.0  # px of a square, if it can be pressed and if not


@dataclass(frozen=True, slots=True)
class Window:
    """A window on the board."""

    grid: SquareGrid
    row: int  # of the square in its top left corner
    column: int  # of the same
    rows: int  # how many it shows
    columns: int  # how many of these
    side: float  # px of a square
    width: float  # px of the picture

    @property
    def left(self) -> float:
        """Px from the left edge of the picture to the squares, which stand in its middle."""
        return LEFT + max(0.0, (self.width - LEFT - 4 - self.columns * self.side) / 2)

    @property
    def height(self) -> float:
        """Px of the squares and of the letters above them."""
        return TOP + self.rows * self.side + 4

    @property
    def top(self) -> float:
        """Px from the upper edge of the picture to the squares."""
        return TOP

    @property
    def bottom(self) -> float:
        """Px from the upper edge of the picture to the lower end of the squares."""
        return TOP + self.rows * self.side

    @property
    def whole(self) -> bool:
        """Whether it shows the whole board."""
        return self.rows == self.grid.rows and self.columns == self.grid.columns

    def holds(self, square: int) -> bool:
        """Whether a square is in the window."""
        if square < 0:
            return False
        row, column = self.grid.place(square)
        return 0 <= row - self.row < self.rows and 0 <= column - self.column < self.columns

    def corner(self, square: int) -> tuple[float, float]:
        """The top left corner of a square."""
        row, column = self.grid.place(square)
        return self.left + (column - self.column) * self.side, TOP + (row - self.row) * self.side

    def centre(self, square: int) -> tuple[float, float]:
        """The middle of a square, in the window or beyond it."""
        x, y = self.corner(square)
        return x + self.side / 2, y + self.side / 2

    def border(self, square: int, range_: int, style: Style) -> Iterator[Line]:
        """The edge between the squares within a range of one and those beyond it."""
        side = self.side
        for at in self.squares():
            if distance(self.grid, square, at) != range_:
                continue
            x, y = self.corner(at)
            corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
            for k, heading in enumerate((0, 2, 4, 6)):
                beyond = shifted(self.grid, at, *STEPS[heading])
                if beyond is not None and self.holds(beyond) and distance(self.grid, square, beyond) > range_:
                    yield Line((corners[k], corners[(k + 1) % 4]), style)

    def squares(self) -> Iterator[int]:
        """The squares in the window, in reading order."""
        for row in range(self.row, self.row + self.rows):
            yield from range(row * self.grid.columns + self.column,
                             row * self.grid.columns + self.column + self.columns)


def window(grid: SquareGrid, tall: bool, middle: int | None, room: tuple[float, float] | None = None,
           hole: Box | None = None, far: bool = False, still: bool = False) -> Window:
    """The whole board where there is room for it, else a window with the square ``middle`` near its middle. ``tall``:
    for a phone. ``room``: px of the scene, the panel below included; ``still``: whether it has none. ``hole``: where
    the panel lies beside the sea of a phone lying down. ``far``: whether a phone shows as much as there can be, its
    squares as small as they may be."""
    width, height = room or ROOMS[tall]
    if hole:
        width = hole[0] - MARGIN
        side = min((width - LEFT - 4) / grid.columns, (height - TOP - 4) / grid.rows, LARGEST)
        whole = side >= FINGER
        side = side if whole else TOUCH
        rows, columns = grid.rows, grid.columns
        if not whole:
            rows = min(rows, int((height - TOP - 4) // side))
            columns = min(columns, int((width - LEFT - 4) // side))
        return _around(grid, middle, rows, columns, side, width)
    rows = min(TALL_ROWS if tall else MOST_ROWS, grid.rows)
    across, down = width - LEFT - 4, height - TOP - 4 - (0 if still else PANELS[tall])
    if tall:  # fewer rows rather than a picture that is higher than its room
        fewest = _FEWEST[height - TOP - 4 - _LEAST_PANEL < _FEWEST[0] * TOUCH]
        rows = min(grid.rows if far else rows, max(fewest, int(down // (FINGER if far else TOUCH))))
    side = float(down // rows)
    columns = min(MOST_COLUMNS, grid.columns)
    if tall:
        side = max(FINGER, min(side, across / grid.columns)) if far else max(TOUCH, min(side, across // 6))
        columns = min(columns, int(across // side))
    side = min(LARGEST, side if tall else max(SMALLEST[still], min(side, across // columns)))
    return _around(grid, middle, rows, columns, side, width)


def _around(grid: SquareGrid, middle: int | None, rows: int, columns: int, side: float, width: float) -> Window:
    """The window of that size with the square ``middle`` near its middle."""
    row, column = grid.place(middle) if middle is not None and middle >= 0 else (0, 0)
    top, left = (
        min(max(0, row - rows // 2), grid.rows - rows),
        min(max(0, column - columns // 2), grid.columns - columns),
    )
    return Window(grid, top, left, rows, columns, side, width)


def first(seen: Observation) -> bool:
    """Whether it is the first move: a phone begins with a picture of both sides."""
    return seen.view.move <= 1 and seen.view.phase is Phase.MOVE


_EM, _PAD = 0.58, 2.0  # mean width of a sign of a name, of its size; px kept free about it


def pieces(w: Window, seen: Observation, choice: Choice) -> tuple[Piece, ...]:
    """Mines and wrecks, ships, discs, in the order of painting."""
    return (*_mines(w, seen), *_wrecks(w, seen), *_ships(w, seen, choice), *_discs(w, seen))


def name_piece(ship_name: str) -> str:
    """The id of the piece that is a ship's name, as the ship's own piece has her name for its id."""
    return f"name/{ship_name}"


def wrecks(seen: Observation) -> Mapping[int, list[int]]:
    """The ships that lie sunk in each square."""
    return _by_square((n, own.wreck) for n, own in enumerate(seen.view.ships) if own.wreck >= 0)


def _by_square(ships: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for number, square in ships:
        found.setdefault(square, []).append(number)
    return found


def _mines(w: Window, seen: Observation) -> Iterator[Piece]:
    for field in seen.view.fields:
        if w.holds(field.square):
            square = w.grid.names[field.square]
            yield Piece(f"mines/{field.side}/{square}", *w.centre(field.square), mine(field.side, w.side))


def _wrecks(w: Window, seen: Observation) -> Iterator[Piece]:
    for square, numbers in wrecks(seen).items():
        if w.holds(square):
            x, y = w.centre(square)
            for number, ((dx, dy), size) in zip(numbers, berths(len(numbers), w.side), strict=True):
                unit, heading = seen.battle.units[number], seen.view.ships[number].heading
                yield Piece(unit.name, x + dx, y + dy, wreck(unit.card.type, unit.side, size), 45.0 * heading)


def _ships(w: Window, seen: Observation, choice: Choice) -> Iterator[Piece]:
    battle, ships = seen.battle, seen.view.ships
    lying = _by_square((n, ships[n].square) for side in (0, 1) for n in located(seen, side))
    for square, numbers in lying.items():
        if w.holds(square):
            x, y = w.centre(square)
            for number, ((dx, dy), size) in zip(numbers, berths(len(numbers), w.side), strict=True):
                unit, own = battle.units[number], ships[number]
                chosen, letters = number in (*choice.ships, choice.foe, choice.ward), TABLES.types[unit.card.type]
                if own.dived and unit.side != seen.me:  # of her no more than the square is known
                    yield Piece(unit.name, x + dx, y + dy, contact(unit.side, size, letters, chosen=chosen))
                    continue
                look = ship(unit.card.type, unit.side, size, letters, chosen=chosen, depth=own.depth,
                            hurt=quarters(own.damage, unit.card.sinking_rate), shut=shut(seen, number))
                yield Piece(unit.name, x + dx, y + dy, look, 45.0 * own.heading)


def shut(seen: Observation, number: int) -> bool:
    """Whether damage has closed a carrier's deck (rule F59)."""
    card, own = seen.battle.card(number), seen.view.ships[number]
    return bool(card.deck) and quarters(own.damage, card.sinking_rate) >= (2 if card.armoured_deck else 1)


def _discs(w: Window, seen: Observation) -> Iterator[Piece]:
    for square in sorted(set(seen.discs)):
        if w.holds(square):
            x, y = w.centre(square)
            for n, ((dx, dy), size) in enumerate(berths(seen.discs.count(square), w.side)):
                yield Piece(f"disc/{w.grid.names[square]}/{n}", x + dx, y + dy, disc(1 - seen.me, size))


def names(w: Window, seen: Observation, choice: Choice, taken: Iterable[Box] = ()) -> tuple[Piece, ...]:
    """The names of ships, each where it hides no ship and no other name; one that has no such place is left out.
    ``taken``: left, top, right and bottom of what else is to be read."""
    battle, ships = seen.battle, seen.view.ships
    shown = [n for n in (*located(seen, 0), *located(seen, 1)) if w.holds(ships[n].square)]
    shown += [n for numbers in wrecks(seen).values() for n in numbers if w.holds(ships[n].wreck)]
    squares = {n: ships[n].square if ships[n].wreck < 0 else ships[n].wreck for n in shown}
    boxes = [*taken]
    for n in shown:
        half = length(battle.card(n).type, w.side) / 2 - 4
        boxes.append(_about(*w.centre(squares[n]), half, half))
    boxes += [_about(*w.centre(square), 13.0, 13.0) for square in seen.discs if w.holds(square)]
    first = {*choice.ships[:1], choice.foe}
    found = []
    for n in sorted(shown, key=lambda n: (n not in first, ships[n].wreck >= 0)):
        name, told = battle.units[n].name, SAY.named(battle.units[n].name)
        half = _EM * SMALLEST_TEXT * len(told) / 2
        x, y = w.centre(squares[n])
        low, aside = 0.42 * w.side + 3, 0.5 * w.side + half
        for dx, dy in ((0.0, low), (0.0, -low), (aside, 0.0), (-aside, 0.0)):
            at = min(max(x + dx, w.left + half), w.left + w.columns * w.side - half), y + dy
            box = _about(*at, half + _PAD, SMALLEST_TEXT / 2)
            if w.top <= box[1] and box[3] <= w.bottom and not any(meet(box, other) for other in boxes):
                boxes.append(box)
                found.append(Piece(name_piece(name), *at, _name(told, ships[n].wreck >= 0)))
                break
    return tuple(found)


@cache
def _name(name: str, sunk: bool) -> tuple[Text, ...]:
    return (Text(0, 0, name, Style("muted" if sunk else "ink"), SMALLEST_TEXT, bold=not sunk),)


def _about(x: float, y: float, half: float, high: float) -> Box:
    return x - half, y - high, x + half, y + high


def beyond(w: Window, seen: Observation) -> Iterator[Shape]:
    """Arrows at the edge to ships that the window does not hold, each with a name: of a side the nearest to it."""
    box = w.left + 14, w.top + 14, w.left + w.columns * w.side - 14, w.bottom - 14
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    for side in (0, 1):
        out = [n for n in located(seen, side) if not w.holds(seen.view.ships[n].square)]
        if not out or len(out) < len(located(seen, side)) and side == seen.me:
            continue
        found = {n: w.centre(seen.view.ships[n].square) for n in out}
        n = min(found, key=lambda n: (found[n][0] - middle[0]) ** 2 + (found[n][1] - middle[1]) ** 2)
        dx, dy = found[n][0] - middle[0], found[n][1] - middle[1]
        share = min(abs((box[2] - box[0]) / 2 / dx) if dx else 9e9, abs((box[3] - box[1]) / 2 / dy) if dy else 9e9)
        x, y, way = middle[0] + share * dx, middle[1] + share * dy, (dx * dx + dy * dy) ** 0.5
        ux, uy = dx / way, dy / way
        wings = ((x - 9 * (ux + k * uy), y - 9 * (uy - k * ux)) for k in (1, -1))
        yield Polygon(((x + 11 * ux, y + 11 * uy), *wings), Style(SIDE_COLOURS[side], "ink", 1.5))
        end = x > middle[0]
        name = SAY.named(seen.battle.units[n].name)
        style, anchor = Style("ink", "halo", 3), "end" if end else "start"
        yield Text(x + (-18 if end else 18), y, name, style, SMALLEST_TEXT, anchor, True)
