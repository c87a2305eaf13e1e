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

Ships of the scenario's own are given in tables ``[[card]]``, as in a file of ships (see cards.py).
Besides there are: ``coast`` (squares), ``[[island]]`` (name, squares), ``[[harbour]]`` (side, squares), ``[[exit]]``
(side, squares), ``[[mines]]`` (side, squares), ``weather``, ``light``, ``hidden`` (moves), ``screen`` (a column),
``total``, ``torpedo_yards`` (of a run, a square), ``empty_tubes``; and for a
ship ``enters`` (a move) with ``entry`` (squares), ``depth`` of a boat, ``damage`` she begins with. ``wide`` is a sea
on which ships out of sight do not show as discs. Flights are tables ``[[flight]]`` (side, name, aircraft, count,
``base``, a ship, or ``entry`` with ``enters`` or ``call``, and ``level``, ``ranged``).
"""

from __future__ import annotations
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from typing import Any

from navalkit.core.errors import DataError, NotationError, OptionError, brief
from navalkit.core.files import Fields, sourced
from navalkit.grids.square import HEADINGS, LETTERS, SquareGrid, heading, sections
from .cards import HOME, SAY, YARDS_A_SQUARE, ShipCard, any_ship, points, ship, ships_of
from .craft import DEPTHS, Depth
from .planes import AIRCRAFT
from .rules.sailing import ROOM, has_room, room
from .state import AIMS, DAYLIGHT, Island, Objective, Scenario, Squadron, State, Unit

_FOLDER = resources.files(HOME) / "data" / "scenarios"
LONGEST = 100  # moves of a battle
YARDS = range(1_000, 20_001)  # of a torpedo's run that may count as a square
LARGEST = 40  # ships in one
MOST = 30_000  # characters of a scenario of one's own
_NAME = re.compile(r"(?!(?:main|secondary|once|at)\b)[^\W\d_][\w .'-]{0,39}", re.IGNORECASE)  # orders use those words


def names() -> tuple[str, ...]:
    """The scenarios that come with the game, in the order of their file names."""
    found = (file.name for file in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


@lru_cache
def scenario(key: str) -> Scenario:
    """The scenario of that name that comes with the game."""
    found = text(key)
    sourced(tomllib.loads(found), f"scenario {key}")
    return read_scenario(found, key)


def text(key: str) -> str:
    """Its file."""
    return (_FOLDER / f"{key}.toml").read_text(encoding="utf-8")


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


def read_scenario(text: str | Mapping[str, Any], key: str = "scenario", checked: bool = True) -> Scenario:
    """The scenario in a TOML text, or in the table that it is, as the head of this module shows; its name ``key``
    begins every complaint. DataError if it is no TOML, or a field is missing, unknown or wrong: the sentence names it,
    and it knows the place. ``checked``: whether its parts must fit together."""
    file = Fields.of(text, key) if isinstance(text, str) else Fields(text, key)
    sides = file.texts("sides")
    if len(sides) != 2 or sides[0] == sides[1]:
        raise file.wrong("sides", SAY("scenario.two_names"))
    grid = _grid(file)
    islands = tuple(Island(row.text("name"), frozenset(_squares(row, "squares", grid)))
                    for row in _rows(file, "island"))
    cards = {card.name: card for card in ships_of(file.rows("card"))}
    units = tuple(_unit(row, grid, sides, cards) for row in _rows(file, "ship"))
    flights = tuple(_squadron(row, grid, sides, units) for row in _rows(file, "flight"))
    found = Scenario(
        key=key,
        flights=flights,
        title=file.text("title"),
        blurb=file.text("blurb"),
        sides=(sides[0], sides[1]),
        grid=grid,
        coast=frozenset(_squares(file, "coast", grid, [])),
        islands=islands,
        harbours=_areas(file, "harbour", grid, sides),
        exits=_areas(file, "exit", grid, sides),
        exit_names=_called(file, "exit", sides),
        units=units,
        fields=tuple((square, side) for side, area in enumerate(_areas(file, "mines", grid, sides)) for square in area),
        objectives=tuple(_objective(row, sides, units, islands) for row in _rows(file, "objective")),
        total=file.whole("total", range(10**6 + 1), 0),
        moves=file.whole("moves", range(1, LONGEST + 1)),
        weather=file.flag("weather"),
        light=file.one_of("light", DAYLIGHT, "day"),
        wide=file.flag("wide"),
        empty_tubes=file.flag("empty_tubes"),
        torpedo_yards=file.whole("torpedo_yards", YARDS, YARDS_A_SQUARE),
        screened=file.whole("hidden", range(LONGEST + 1), 0),
        screen=file.read("screen", _column, file.text("screen", LETTERS[grid.columns // 2]), grid),
    )
    file.known |= {"source"}  # where it is from
    file.done()
    if checked:
        check(found)
    return found


def _rows(file: Fields, name: str) -> Iterator[Fields]:
    """A list of tables, each of which has nothing but what is asked for."""
    for row in file.rows(name):
        yield row
        row.done()


def _grid(file: Fields) -> SquareGrid:
    value = file.take("sections", list, SAY("scenario.sections"), [3, 1])
    if len(value) != 2 or not all(type(n) is int for n in value):
        raise file.wrong("sections", SAY("scenario.sections"))
    return file.read("sections", sections, *value)


def _column(letter: str, grid: SquareGrid) -> int:
    if len(letter) != 1 or letter not in LETTERS[1 : grid.columns]:
        raise NotationError(SAY("scenario.column", name=brief(letter), last=LETTERS[grid.columns - 1]))
    return LETTERS.index(letter)


def _squares(row: Fields, name: str, grid: SquareGrid, default: list[str] | None = None) -> tuple[int, ...]:
    return tuple(row.read(name, grid.number, square) for square in row.texts(name, default=default))


def _called(file: Fields, name: str, sides: Sequence[str]) -> tuple[str, str]:
    """What the areas of each side are called, if they have a name."""
    found = {row.text("side"): row.text("name", "") for row in file.rows(name)}
    return found.get(sides[0], ""), found.get(sides[1], "")


def _areas(file: Fields, name: str, grid: SquareGrid, sides: Sequence[str]) -> tuple[frozenset[int], frozenset[int]]:
    found: list[set[int]] = [set(), set()]
    for row in _rows(file, name):
        found[sides.index(row.one_of("side", sides))].update(_squares(row, "squares", grid))
        row.text("name", "")
    return frozenset(found[0]), frozenset(found[1])


def _unit(row: Fields, grid: SquareGrid, sides: Sequence[str], cards: Mapping[str, ShipCard]) -> Unit:
    name, division = (" ".join(row.text(key, default).split()) for key, default in (("name", None), ("division", "")))
    for key, value in (("name", name), ("division", division or name)):
        if not _NAME.fullmatch(value):
            raise row.wrong(key, SAY("scenario.named"))
    square, _, course = row.text("at").partition(" ")
    card = row.text("card", name)
    enters = row.whole("enters", range(LONGEST + 1), 0)
    entry = _squares(row, "entry", grid, [])
    if bool(enters) != bool(entry):
        raise row.wrong("entry", SAY("scenario.entry"))
    way = row.read("at", heading, course.strip(), right=SAY("scenario.at", ways=", ".join(HEADINGS)))
    return Unit(name=name, card=cards[card] if card in cards else row.read("card", any_ship, card),
                side=sides.index(row.one_of("side", sides)), square=row.read("at", grid.number, square),
                heading=way, division=division, enters=enters, entry=entry,
                depth=Depth(row.one_of("depth", DEPTHS, Depth.SURFACE)), damage=row.whole("damage", range(2001), 0))


def _squadron(row: Fields, grid: SquareGrid, sides: Sequence[str], units: Sequence[Unit]) -> Squadron:
    """A flight; without a base it comes from over the horizon, in a move or when it is called."""
    name = " ".join(row.text("name").split())
    if not _NAME.fullmatch(name):
        raise row.wrong("name", SAY("scenario.named"))
    side = sides.index(row.one_of("side", sides))
    own = {unit.name: number for number, unit in enumerate(units) if unit.side == side}
    base = own[row.one_of("base", list(own))] if "base" in row else -1
    kind = AIRCRAFT[row.one_of("aircraft", list(AIRCRAFT))]
    enters, call = (row.whole(key, range(LONGEST + 1), 0) for key in ("enters", "call"))
    entry = _squares(row, "entry", grid, [])
    if (base < 0) != bool(entry) or bool(entry) != (bool(enters) != bool(call)):
        raise row.wrong("entry", SAY("scenario.horizon"))
    if base >= 0 and not units[base].card.deck and "floatplane" not in kind.roles:
        raise row.wrong("base", SAY("scenario.deck"))
    level, ranged = row.flag("level"), row.flag("ranged")
    if level and not kind.bombs:
        raise row.wrong("level", SAY("scenario.level"))
    return Squadron(name, kind, side, base, row.whole("count", range(1, 13)), level, ranged, enters, call, entry)


def _objective(row: Fields, sides: Sequence[str], units: Sequence[Unit], islands: Sequence[Island]) -> Objective:
    side, aim = sides.index(row.one_of("side", sides)), row.one_of("aim", AIMS)
    enemies = aim in ("sink", "damage")
    if aim == "aircraft":
        return Objective(side, aim, (), row.whole("points", range(1, 10_001)))
    if aim == "island":
        known = {island.name: number for number, island in enumerate(islands)}
    else:
        known = {unit.name: n for n, unit in enumerate(units) if (unit.side != side) == enemies}
    of = row.texts("of", default=list(known))
    if wrong := [name for name in of if name not in known]:
        key = "scenario.among" if known else "scenario.among_none"
        raise DataError(SAY(key, where=row.where, name=brief(wrong[0]), names=", ".join(known)),
                        place=(*row.at, "of"))
    points = row.whole("points", range(1, 10_001)) if aim == "island" else row.whole("points", range(10_001), 0)
    return Objective(side, aim, tuple(known[name] for name in of), points)


def check(battle: Scenario) -> None:
    """See that the parts of a scenario fit together; DataError naming what does not."""
    taken: set[str] = set()
    lying: dict[int, list[int]] = {}
    fields = set(State.__dataclass_fields__)

    def wrong(key: str, *place: str | int, **facts: Any) -> DataError:
        return DataError(SAY(f"scenario.{key}", where=battle.key, **facts), place=place)

    for number, unit in enumerate(battle.units):
        where = ("ship", number, "entry" if unit.entry else "at")
        if unit.name.replace(" ", "_").casefold() in taken | fields:
            raise wrong("twice", "ship", number, "name", name=unit.name)
        taken.add(unit.name.replace(" ", "_").casefold())
        if unit.depth is not Depth.SURFACE and not unit.card.boat:
            raise wrong("dived", "ship", number, "depth", name=unit.name)
        if unit.damage > unit.card.sinking_rate:
            raise wrong("damaged", "ship", number, "damage", name=unit.name)
        for square in unit.entry or (unit.square,):
            if square in battle.land:
                raise wrong("on_land", *where, name=unit.name, square=battle.grid.names[square])
        if not unit.enters and unit.depth is Depth.SURFACE:
            lying.setdefault(unit.square, []).append(number)
        if battle.screened and not {unit.square, *unit.entry} <= battle.halves[unit.side]:
            raise wrong("screen", *where, name=unit.name)
    for number, squadron in enumerate(battle.flights):
        if squadron.name.replace(" ", "_").casefold() in taken | fields | {"home"}:
            raise wrong("twice", "flight", number, "name", name=squadron.name)
        taken.add(squadron.name.replace(" ", "_").casefold())
    for name, ships in battle.divisions.items():
        if name.casefold() in taken or len({battle.side(ship) for ship in ships}) > 1:
            raise wrong("division", "ship", ships[-1], "division", name=name)
    for square, there in lying.items():
        if not has_room(battle, square, there[1:], there[:1]):
            raise wrong("crowded", "ship", there[-1], "at", square=battle.grid.names[square])
    for number, aim in enumerate(battle.objectives):
        if aim.aim == "exit" and not battle.exits[aim.side]:
            raise wrong("no_exit", "objective", number, "aim", side=battle.sides[aim.side])
        if aim.aim == "aircraft" and all(squadron.side == aim.side for squadron in battle.flights):
            raise wrong("no_aircraft", "objective", number, "aim", side=battle.sides[1 - aim.side])
        about = 1 - aim.side if aim.aim in ("sink", "damage") else aim.side
        if aim.aim != "aircraft" and not aim.of and (aim.aim == "island" or battle.fleet(about)):
            raise wrong("aim_at_none", "objective", number, "of")
    airborne = {squadron.side for squadron in battle.flights if squadron.base < 0}
    if any(not battle.fleet(side) and side not in airborne for side in (0, 1)) or len(battle.units) > LARGEST:
        raise wrong("ships", "ship", most=LARGEST)
    mined = frozenset(square for square, _ in battle.fields)
    areas: dict[str, tuple[frozenset[int], ...]] = {"harbour": battle.harbours, "exit": battle.exits, "mines": (mined,)}
    for area, parts in areas.items():
        if any(battle.land & part for part in parts):
            raise wrong("land", area)
    if not battle.objectives:
        raise wrong("objective", "objective")


# -- Build your own: squadrons given as lists of ships, and set out on the board (rule F39) --------

OWN = "build_your_own"
FORM = SAY("squadron.form")
MOST_SHIPS = 12  # ships in a squadron


def canonical_squadron(text: str) -> str:
    """The list of ships as it is written best; OptionError if there is no such ship, one stands twice, or there are too
    many."""
    return ", ".join(card.name for card in cards(text))


def cards(text: str) -> tuple[ShipCard, ...]:
    """The cards of the ships in a list; OptionError as in `canonical`."""
    try:
        found = tuple(ship(name.strip()) for name in text[:1000].split(","))
    except DataError as error:
        raise OptionError(str(error)) from None
    if len({card.name for card in found}) < len(found):
        raise OptionError(SAY("squadron.twice"))
    if len(found) > MOST_SHIPS:
        raise OptionError(SAY("squadron.many", most=MOST_SHIPS, n=len(found)))
    return found


def muster(battle: Scenario, blue: str, red: str, budget: int) -> Scenario:
    """The battle between two squadrons given as lists, on the board of ``battle``. Each lines up along its own edge of
    the board, heading for the other. Sinking an enemy ship brings her points value. OptionError if a squadron costs
    more than ``budget`` (0: no limit), or a ship is in both."""
    squads = (cards(blue), cards(red))
    if both := {card.name for card in squads[0]} & {card.name for card in squads[1]}:
        raise OptionError(SAY("squadron.both", name=sorted(both)[0]))
    for name, squad in zip(("blue", "red"), squads, strict=True):
        cost = sum(map(points, squad))
        if budget and cost > budget:
            raise OptionError(SAY(f"squadron.{name}_costs", cost=cost, budget=budget))
    units = tuple(unit for side in (0, 1) for unit in _line(battle.grid, squads[side], side))
    foes = [tuple(n for n, unit in enumerate(units) if unit.side != side) for side in (0, 1)]
    worth = {"sink": 0, "damage": 10}  # a ship's points value, and something for each quarter of damage
    aims = tuple(Objective(side, aim, foes[side], worth[aim]) for side in (0, 1) for aim in worth)
    return replace(battle, units=units, objectives=aims)


def _line(grid: SquareGrid, squad: Sequence[ShipCard], side: int) -> list[Unit]:
    """A squadron set out along its edge, from the middle outward, two columns in."""
    column, course, division = ((2, 2, SAY("squadron.blue")), (grid.columns - 3, 6, SAY("squadron.red")))[side]
    rows = iter(sorted(range(grid.rows), key=lambda row: (abs(2 * row - grid.rows), row)))
    found: list[Unit] = []
    square, taken = next(rows) * grid.columns + column, 0
    for card in squad:
        if taken + room(card) > ROOM:
            square, taken = next(rows) * grid.columns + column, 0
        taken += room(card)
        found.append(Unit(card.name, card, side, square, course, division))
    return found
