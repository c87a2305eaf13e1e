"""Scenarios given as TOML: read, checked field by field, and made into battles.

A scenario is a file such as

    title = "River Plate"
    blurb = "Three cruisers hunt a pocket battleship."
    sides = ["British", "German"]     # blue and red
    sections = [2, 1]                 # across and down, 10 rows by 8 columns each
    moves = 15
    source = "facts"

    [[ship]]
    side = "British"
    name = "Ajax"                     # her card has this name too, unless `card` gives it
    at = "B5 E"
    division = "Cruisers"

    [[objective]]
    side = "British"
    aim = "sink"                      # of all enemy ships, unless `of` lists them; for their value, unless `points`

Ships of the scenario's own are given in tables ``[[card]]``, as in a file of ships (see ships.py).
Besides there are: ``coast`` (squares), ``[[island]]`` (name, squares), ``[[harbour]]`` (side, squares), ``[[exit]]``
(side, squares), ``[[mines]]`` (side, squares), ``weather``, ``light``, ``hidden`` (moves), ``screen`` (a column),
``total``, ``torpedo_yards`` (of a run, a square), ``empty_tubes``, ``measured`` (see `players.measured`); and for a
ship ``enters`` (a move) with ``entry`` (squares).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, TypeVar

import tomli_w

from navalkit.core.echo import brief
from navalkit.core.errors import DataError, NotationError, OptionError
from navalkit.core.files.datafile import sourced
from navalkit.grids.square import LETTERS, SquareGrid
from navalkit.grids.square_headings import heading, sections

from ..cards import ShipCard, ship
from ..cards.ships import read_ships
from ..cards.vessels import YARDS_A_SQUARE
from ..rules.movement import has_room
from ..state import State
from ..state.scenario import AIMS, DAYLIGHT, Island, Objective, Scenario, Unit
from ..words import HOME, SAY

T = TypeVar("T")

_FOLDER = resources.files(HOME) / "data" / "scenarios"
LONGEST = 100  # moves of a battle
YARDS = 1_000, 20_000  # of a torpedo's run that may count as a square
LARGEST = 40  # ships in one
MOST = 30_000  # characters of a scenario of one's own
_NAME = re.compile(r"(?!(?:main|secondary|once|at)\b)[^\W\d_][\w .'-]{0,39}", re.IGNORECASE)  # orders use those words
_FIELDS = {
    "": "title blurb sides sections moves source coast island harbour exit mines weather light hidden screen total "
    "torpedo_yards empty_tubes measured "
    "card ship objective",
    "ship": "side name card at division enters entry",
    "island": "name squares",
    "harbour": "side squares",
    "exit": "side squares",
    "mines": "side squares",
    "objective": "side aim of points",
}


class _Row:
    """One table of the file, with the words that say where in it something is wrong."""

    def __init__(self, row: Any, where: str, kind: str) -> None:
        self.where = where
        if not isinstance(row, dict):
            raise DataError(SAY("scenario.table", where=where))
        known = _FIELDS[kind].split()
        if unknown := [key for key in row if key not in known]:
            raise DataError(SAY("scenario.field", where=where, name=brief(unknown[0]), names=", ".join(known)))
        self.row: Mapping[str, Any] = row

    def wrong(self, key: str, needs: str, **facts: Any) -> DataError:
        must = SAY(f"scenario.{needs}", **facts)
        return DataError(SAY("scenario.must", where=self.where, field=key, needs=must, value=brief(self.row.get(key))))

    def text(self, key: str, default: str | None = None) -> str:
        value = self.row.get(key, default)
        if not isinstance(value, str) or not value.strip() and default is None:
            raise self.wrong(key, "text")
        return value.strip()

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int:
        value = self.row.get(key, default)
        if type(value) is not int or not low <= value <= high:
            raise self.wrong(key, "whole", low=low, high=high)
        return value

    def flag(self, key: str) -> bool:
        value = self.row.get(key, False)
        if not isinstance(value, bool):
            raise self.wrong(key, "flag")
        return value

    def words(self, key: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        value = self.row.get(key, default)
        if not isinstance(value, list | tuple) or not all(isinstance(word, str) for word in value):
            raise self.wrong(key, "texts")
        return tuple(value)

    def one_of(self, key: str, names: Sequence[str], default: str | None = None) -> int:
        value = self.text(key, default)
        if value not in names:
            raise self.wrong(key, "one_of", names=", ".join(names))
        return list(names).index(value)

    def squares(self, key: str, grid: SquareGrid, default: Sequence[str] | None = None) -> tuple[int, ...]:
        words = self.words(key, default)
        return self.read(key, lambda: tuple(map(grid.number, words)))

    def read(self, key: str, reader: Callable[[], T]) -> T:
        try:
            return reader()
        except (NotationError, DataError) as error:
            raise DataError(SAY("ships.at", where=f"{self.where}: {key}", wrong=error)) from None

    def tables(self, key: str) -> list[Any]:
        value = self.row.get(key, [])
        if not isinstance(value, list):
            raise self.wrong(key, "tables")
        return value

    def rows(self, key: str) -> list[_Row]:
        return [_Row(row, f"{self.where}, {key} {number}", key) for number, row in enumerate(self.tables(key), 1)]


def names() -> tuple[str, ...]:
    """The scenarios that come with the game, in the order of their file names."""
    found = (file.name for file in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


@lru_cache
def scenario(key: str) -> Scenario:
    """The scenario of that name that comes with the game."""
    text = (_FOLDER / f"{key}.toml").read_text(encoding="utf-8")
    sourced(tomllib.loads(text), f"scenario {key}")
    return read_scenario(text, key)


def canonical(text: str) -> str:
    """The text of a scenario of one's own, or "" for none; OptionError if it cannot be fought, saying what is wrong."""
    if len(text) > MOST:
        raise OptionError(SAY("scenario.long", n=len(text), most=MOST))
    try:
        if text.strip():
            own(text.strip())
    except DataError as error:
        raise OptionError(str(error)) from None
    return text.strip()


@lru_cache
def own(text: str) -> Scenario:
    """The scenario in a text of one's own; DataError as `read_scenario`."""
    return read_scenario(text, "custom")


def read_scenario(text: str, key: str = "scenario") -> Scenario:
    """The scenario in a TOML text, as the head of this module shows; its name ``key`` begins every complaint.

    DataError if it is no TOML, or a field is missing, unknown or wrong: the sentence names it.
    """
    try:
        file = _Row(tomllib.loads(text), key, "")
    except tomllib.TOMLDecodeError as error:
        raise DataError(SAY("scenario.toml", where=key, error=error)) from None
    sides = file.words("sides")
    if len(sides) != 2 or sides[0] == sides[1]:
        raise file.wrong("sides", "two_names")
    grid = _grid(file)
    islands = tuple(Island(row.text("name"), frozenset(row.squares("squares", grid))) for row in file.rows("island"))
    cards = file.read("card", lambda: _cards(file.tables("card")))
    units = tuple(_unit(row, grid, sides, cards) for row in file.rows("ship"))
    found = Scenario(
        key=key,
        title=file.text("title"),
        blurb=file.text("blurb"),
        sides=(sides[0], sides[1]),
        grid=grid,
        coast=frozenset(file.squares("coast", grid, ())),
        islands=islands,
        harbours=_areas(file, "harbour", grid, sides),
        exits=_areas(file, "exit", grid, sides),
        units=units,
        fields=tuple((square, side) for side, area in enumerate(_areas(file, "mines", grid, sides)) for square in area),
        objectives=tuple(_objective(row, sides, units, islands) for row in file.rows("objective")),
        total=file.whole("total", 0, 10**6, 0),
        moves=file.whole("moves", 1, LONGEST),
        weather=file.flag("weather"),
        light=DAYLIGHT[file.one_of("light", DAYLIGHT, "day")],
        empty_tubes=file.flag("empty_tubes"),
        torpedo_yards=file.whole("torpedo_yards", *YARDS, YARDS_A_SQUARE),
        screened=file.whole("hidden", 0, LONGEST, 0),
        screen=file.read("screen", lambda: _column(file.text("screen", LETTERS[grid.columns // 2]), grid)),
    )
    check(found)
    return found


def _grid(file: _Row) -> SquareGrid:
    value = file.row.get("sections", [3, 1])
    if not isinstance(value, list) or len(value) != 2 or not all(type(n) is int for n in value):
        raise file.wrong("sections", "sections")
    return file.read("sections", lambda: sections(*value))


def _column(letter: str, grid: SquareGrid) -> int:
    if len(letter) != 1 or letter not in LETTERS[1 : grid.columns]:
        raise NotationError(SAY("scenario.column", name=brief(letter), last=LETTERS[grid.columns - 1]))
    return LETTERS.index(letter)


def _areas(file: _Row, key: str, grid: SquareGrid, sides: Sequence[str]) -> tuple[frozenset[int], frozenset[int]]:
    found: list[set[int]] = [set(), set()]
    for row in file.rows(key):
        found[row.one_of("side", sides)].update(row.squares("squares", grid))
    return frozenset(found[0]), frozenset(found[1])


def _cards(rows: list[Any]) -> Mapping[str, ShipCard]:
    return {card.name: card for card in read_ships(tomli_w.dumps({"ship": rows}))} if rows else {}


def _unit(row: _Row, grid: SquareGrid, sides: Sequence[str], cards: Mapping[str, ShipCard]) -> Unit:
    name, division = (" ".join(row.text(key, default).split()) for key, default in (("name", None), ("division", "")))
    for key, value in (("name", name), ("division", division or name)):
        if not _NAME.fullmatch(value):
            raise row.wrong(key, "named")
    square, _, course = row.text("at").partition(" ")
    card = row.text("card", name)
    enters = row.whole("enters", 0, LONGEST, 0)
    entry = row.squares("entry", grid, ())
    if bool(enters) != bool(entry):
        raise row.wrong("entry", "entry")
    return Unit(
        name=name,
        card=cards[card] if card in cards else row.read("card", lambda: ship(card)),
        side=row.one_of("side", sides),
        square=row.read("at", lambda: grid.number(square)),
        heading=row.read("at", lambda: heading(course.strip())),
        division=division,
        enters=enters,
        entry=entry,
    )


def _objective(row: _Row, sides: Sequence[str], units: Sequence[Unit], islands: Sequence[Island]) -> Objective:
    side, aim = row.one_of("side", sides), AIMS[row.one_of("aim", AIMS)]
    enemies = aim in ("sink", "damage")
    if aim == "island":
        known = {island.name: number for number, island in enumerate(islands)}
    else:
        known = {unit.name: n for n, unit in enumerate(units) if (unit.side != side) == enemies}
    of = row.words("of", tuple(known))
    if wrong := [name for name in of if name not in known]:
        key = "scenario.among" if known else "scenario.among_none"
        raise DataError(SAY(key, where=row.where, name=brief(wrong[0]), names=", ".join(known)))
    points = row.whole("points", 1, 10_000) if aim == "island" else row.whole("points", 0, 10_000, 0)
    return Objective(side, aim, tuple(known[name] for name in of), points)


def check(battle: Scenario) -> None:
    """See that the parts of a scenario fit together; DataError naming what does not."""
    taken: set[str] = set()
    lying: dict[int, list[int]] = {}
    fields = set(State.__dataclass_fields__)
    for number, unit in enumerate(battle.units):
        if unit.name.replace(" ", "_").casefold() in taken | fields:
            raise DataError(SAY("scenario.twice", where=battle.key, name=unit.name))
        taken.add(unit.name.replace(" ", "_").casefold())
        for square in unit.entry or (unit.square,):
            if square in battle.land:
                facts = {"name": unit.name, "square": battle.grid.names[square]}
                raise DataError(SAY("scenario.on_land", where=battle.key, **facts))
        if not unit.enters:
            lying.setdefault(unit.square, []).append(number)
        if battle.screened and not {unit.square, *unit.entry} <= battle.halves[unit.side]:
            raise DataError(SAY("scenario.screen", where=battle.key, name=unit.name))
    for name, ships in battle.divisions.items():
        if name.casefold() in taken or len({battle.side(ship) for ship in ships}) > 1:
            raise DataError(SAY("scenario.division", where=battle.key, name=name))
    for square, there in lying.items():
        if not has_room(battle, square, there[1:], there[:1]):
            raise DataError(SAY("scenario.crowded", where=battle.key, square=battle.grid.names[square]))
    if any(not battle.fleet(side) for side in (0, 1)) or len(battle.units) > LARGEST:
        raise DataError(SAY("scenario.ships", where=battle.key, most=LARGEST))
    squares = [s for area in (*battle.harbours, *battle.exits) for s in area] + [s for s, _ in battle.fields]
    if any(square in battle.land for square in squares):
        raise DataError(SAY("scenario.land", where=battle.key))
    if not battle.objectives:
        raise DataError(SAY("scenario.objective", where=battle.key))
