"""Formations (103): where merchants, capital ships and escorts lie at the start.

A formation is columns of places, all on one course. Its guide is a place that is no ship: level with the foremost
ships, on the centre line, which with an even number of columns runs between the middle two.
"""

from __future__ import annotations
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from navalkit.core.errors import DataError, brief
from navalkit.grids.hex import turned
from navalkit.grids.hex_moves import Place
from .rows import FormationRow
from .tables import FLEET_DIE, TABLES, WHY

GAP = TABLES.scale["ship_gap"]
TWELVE = {3: FLEET_DIE[:3], 4: FLEET_DIE[3:]}  # 103.1.2: the formation of twelve ships by the die
TWELVE_SHIPS = 12
DEEP = (4, 5)  # ships in a column where there are more than formation 1 holds


class Station(NamedTuple):
    """An escort's station: "A", "B", "C port" ..., and where it is."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class Formation:
    """Ships in columns."""

    number: int  # 1 to 10; 0 for more ships than those hold
    columns: tuple[tuple[Place, ...], ...]  # in the order of the source's columns, each from front to rear

    @property
    def places(self) -> tuple[Place, ...]:
        """All places, column by column."""
        return tuple(place for column in self.columns for place in column)

    @property
    def direction(self) -> int:
        """The course of all."""
        return self.columns[0][0].direction

    @property
    def from_port(self) -> tuple[tuple[Place, ...], ...]:
        """The columns from port to starboard."""
        origin, starboard = self.columns[0][0].bow, turned(self.direction, 1)
        return tuple(sorted(self.columns, key=lambda column: sum(origin.along(starboard, column[0].bow))))

    @property
    def centre(self) -> tuple[tuple[Place, ...], ...]:
        """The column on the centre line, or the two beside it."""
        columns = self.from_port
        middle, odd = divmod(len(columns), 2)
        return columns[middle : middle + 1] if odd else columns[middle - 1 : middle + 1]

    @property
    def guide(self) -> Place:
        """Level with the foremost ships, on the centre line."""
        port = self.centre[0][0]
        half = TABLES.scale["column_gap"] // 2 if len(self.centre) == 2 else 0
        return Place(port.bow.abreast(self.direction, half), self.direction)


def formation(ships: int, die: int | None = None) -> Formation:
    """The formation of a number of ships (103.1; by ruling for numbers that no formation has).

    Parameters
    ----------
    ships : int
        Merchants and capital ships together, at least 1.
    die : int, optional
        The roll for twelve ships: 1 to 3 formation 3, 4 to 6 formation 4 (103.1.2); of no account for others.

    Raises
    ------
    DataError
        If there are no ships, or twelve and no die.
    """
    if ships < 1:
        raise DataError(WHY("formation.formation_needs_least", ships=ships))
    row = _row(ships, die)
    columns = zip(row.bows, _thinned(row, row.total - ships), strict=True)
    return Formation(
        row.number,
        tuple(tuple(Place(bow, row.direction).ahead(-GAP * n) for n in range(count)) for bow, count in columns),
    )


def _row(ships: int, die: int | None) -> FormationRow:
    """The formation used: for twelve ships by die, else the smallest that holds them, symmetrically if one can."""
    if ships == TWELVE_SHIPS:
        for number, faces in TWELVE.items():
            if die in faces:
                return TABLES.formations[number]
        raise DataError(WHY("formation.twelve_ships_form", die=die))
    rows = [row for row in (*TABLES.formations.values(), *_large(ships)) if row.total >= ships]
    return min(rows, key=lambda r: (r.total, not _symmetrical(_thinned(r, r.total - ships)), r.number, len(r.bows)))


def _large(ships: int) -> Iterator[FormationRow]:
    """Formations in the spirit of formation 1 with columns of four or five, where it is too small."""
    first = TABLES.formations[1]
    if ships > first.total:
        for deep in DEEP:
            columns = -(-ships // deep)
            bows = (first.bows[0].abreast(first.direction, -n * TABLES.scale["column_gap"]) for n in range(columns))
            yield FormationRow(0, tuple(bows), first.direction, (deep,) * columns, "ruling")


def _thinned(row: FormationRow, spare: int) -> tuple[int, ...]:
    """Ships in each column when there are ``spare`` too few: the rear of the two outermost columns is left empty,
    and for an odd one that of the centre column or, where the columns are even in number, of the first."""
    ships = list(row.ships)
    for end in (0, -1):
        ships[end] -= spare // 2
    ships[len(ships) // 2 if len(ships) % 2 else 0] -= spare % 2
    return tuple(ships)


def _symmetrical(ships: tuple[int, ...]) -> bool:
    """Whether the columns are as long to port as to starboard."""
    return ships == ships[::-1]


def capital_places(form: Formation, ships: int) -> tuple[Place, ...]:
    """The places of capital ships, the one of greatest value first (103.3.2, 103.3.3).

    Lead places from the centre outward, then the outermost columns in equal numbers; one left over goes to the rear
    of the centre column. Where the outermost columns are full (no merchants), the next ones inward follow.

    ``ships``: capital ships, at most as many as the formation has places.
    """
    columns = form.from_port
    outward = sorted(columns, key=lambda column: abs(2 * columns.index(column) + 1 - len(columns)))
    leads = [column[0] for column in outward]
    others: list[Place] = []
    for n in range((len(columns) + 1) // 2):
        pair = (columns[n], columns[-1 - n]) if columns[n] != columns[-1 - n] else (columns[n],)
        others += [place for rank in zip_longest(*(column[1:] for column in pair)) for place in rank if place]
    left = ships - len(leads)
    rear = outward[0][-1]
    if left > 0 and left % 2 and rear in others:
        others.remove(rear)
        others.insert(left - 1, rear)
    return tuple((leads + others)[:ships])


def stations(ships: int | Formation, escorts: int | Sequence[str]) -> dict[str, Station]:
    """The stations of the escorts (Chart 103.2), the most valuable first in A.

    Parameters
    ----------
    ships : int or Formation
        What they screen; a number stands for its formation.
    escorts : int or sequence of str
        Their types; a number stands for that many alike.

    Returns
    -------
    dict of str to Station
        By id, E1 for the first of ``escorts``.

    Raises
    ------
    DataError
        If the number of ships is twelve (give their formation) or below one, or a type is no vessel.
    """
    form = formation(ships) if isinstance(ships, int) else ships
    values = [0] * escorts if isinstance(escorts, int) else [_value(type) for type in escorts]
    by_value = sorted(range(len(values)), key=lambda n: -values[n])
    order = _stations(form, with_b=len(values) % 2 == 0)
    placed = {f"E{n + 1}": station for n, station in zip(by_value, order, strict=False)}
    return dict(sorted(placed.items(), key=lambda item: int(item[0][1:])))


def _value(type: str) -> int:
    if type not in TABLES.vessels:
        raise DataError(WHY("formation.no_type", type=brief(type), listed=", ".join(TABLES.vessels)))
    return TABLES.vessels[type].value


def _stations(form: Formation, with_b: bool) -> Iterator[Station]:
    """The stations in the order they are filled, without end; a place that is taken is passed over."""
    taken: set[Place] = set()
    for station in _all_stations(form, with_b):
        if station.place not in taken:
            taken.add(station.place)
            yield station


def _all_stations(form: Formation, with_b: bool) -> Iterator[Station]:
    """As ``_stations``, but with places named twice. The wings are measured from the outermost columns and reach as far
    aft as the longer of the two, so that both sides are alike."""
    course, columns = form.direction, form.from_port
    sides = {"port": columns[0][0].bow, "starboard": columns[-1][0].bow}
    length = GAP * (max(len(columns[0]), len(columns[-1])) - 1)
    centre_length = GAP * (max(map(len, form.centre)) - 1)

    def pair(name: str, beyond: int, aft: int) -> Iterator[Station]:
        for side, sign in (("port", -1), ("starboard", 1)):
            bow = sides[side].abreast(course, sign * beyond).step(course, -aft)
            yield Station(f"{name} {side}", Place(bow, course))

    beside = TABLES.scale["beside"]
    yield Station("A", form.guide.ahead(GAP))
    if with_b:
        yield Station("B", form.guide.ahead(-centre_length - GAP))
    yield from pair("C", beside, 0)
    yield from pair("D", beside, length)
    if len(columns) > 1:
        yield from pair("E", 0, -GAP)
        yield from pair("F", 0, max(length, centre_length) + GAP)  # level with B, and behind the outer columns
    number = 0
    while True:
        number += 1
        yield from pair(f"C{number}", beside, number * GAP)
