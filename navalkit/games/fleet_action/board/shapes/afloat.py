"""What lies and sails on the sea, as pieces that stay themselves: ships, discs, wrecks, mines; and the ships' names.

A piece bears the name of its ship. A disc is named by its square: nobody may tell from its id which ship it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from navalkit.view.scene import Piece, Style, Text

from ...cards import TABLES
from ...cards.vessels import quarters
from ...state.observation import Observation
from ..choice import Choice, located
from .pieces import SMALLEST_TEXT, berths, disc, length, mine, ship, wreck
from .window import Window

Box = tuple[float, float, float, float]
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
                look = ship(
                    unit.card.type, unit.side, size, TABLES.types[unit.card.type],
                    chosen=number in (*choice.ships, choice.foe), hurt=quarters(own.damage, unit.card.sinking_rate),
                )  # fmt: skip
                yield Piece(unit.name, x + dx, y + dy, look, 45.0 * own.heading)


def _discs(w: Window, seen: Observation) -> Iterator[Piece]:
    for square in sorted(set(seen.discs)):
        if w.holds(square):
            x, y = w.centre(square)
            for n, ((dx, dy), size) in enumerate(berths(seen.discs.count(square), w.side)):
                yield Piece(f"disc/{w.grid.names[square]}/{n}", x + dx, y + dy, disc(1 - seen.me, size))


# Names ----------------------------------------------------------------------------------------------------------


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
        name = battle.units[n].name
        half = _EM * SMALLEST_TEXT * len(name) / 2
        x, y = w.centre(squares[n])
        low, aside = 0.42 * w.side + 3, 0.5 * w.side + half
        for dx, dy in ((0.0, low), (0.0, -low), (aside, 0.0), (-aside, 0.0)):
            at = min(max(x + dx, w.left + half), w.left + w.columns * w.side - half), y + dy
            box = _about(*at, half + _PAD, SMALLEST_TEXT / 2)
            if w.top <= box[1] and box[3] <= w.bottom and not any(_meet(box, other) for other in boxes):
                boxes.append(box)
                found.append(Piece(name_piece(name), *at, _name(name, ships[n].wreck >= 0)))
                break
    return tuple(found)


@cache
def _name(name: str, sunk: bool) -> tuple[Text, ...]:
    return (Text(0, 0, name, Style("muted" if sunk else "ink"), SMALLEST_TEXT, bold=not sunk),)


def _about(x: float, y: float, half: float, high: float) -> Box:
    return x - half, y - high, x + half, y + high


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
