"""The tables of Fleet Action: guns, torpedoes and ship cards by name, and the formulas that rate them."""

from __future__ import annotations
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeVar

from navalkit.core.errors import DataError, brief, near
from navalkit.core.files import Fields, read, sourced
from navalkit.core.words import Words

# -- What guns, torpedoes and ships are: the values of the tables, and the open formulas that rate them
# Bearings relative to a ship are eighth-turns clockwise from her heading: 0 right ahead, 2 on the starboard beam, 4
# right astern, 6 on the port beam. Each stands for the sector of 45 degrees about it.

YARDS_A_SQUARE = 5000
POUNDS_A_POINT = 100
BATTERIES = ("main", "secondary")
BOAT = "submarine"

ARCS = MappingProxyType(
    {
        "forward": frozenset({0, 1, 2, 3, 5, 6, 7}),
        "aft": frozenset({1, 2, 3, 4, 5, 6, 7}),
        "port": frozenset({5, 6, 7}),
        "starboard": frozenset({1, 2, 3}),
        "amidships": frozenset({1, 2, 3, 5, 6, 7}),
    }
)
"""Arc -> the relative bearings it covers. Ruling: the superstructure masks a fore turret right astern only and an
after turret right ahead only; guns amidships bear on both sides but neither ahead nor astern, wing guns on their own
side of that."""


def nearest(value: int, unit: int) -> int:
    """How often ``unit`` goes into ``value``, to the nearest whole number (halves up), and at least 1."""
    return max(1, (2 * value + unit) // (2 * unit))


@dataclass(frozen=True, slots=True)
class Gun:
    """A kind of gun."""

    name: str
    calibre_in: float  # bore in inches
    shell_lb: int  # weight of its shell in pounds
    range_yd: int  # greatest range in yards
    firings: int  # firings a move, 1 to 4
    source: str  # where the figures are from

    @property
    def range(self) -> int:
        """Greatest range in squares."""
        return nearest(self.range_yd, YARDS_A_SQUARE)

    @property
    def damage(self) -> int:
        """Damage of one hit in points."""
        return nearest(self.shell_lb, POUNDS_A_POINT)

    def mean_damage(self, range: int) -> Fraction:
        """Mean damage points of one gun in a move, all firings at one target that many squares off."""
        if range > self.range:
            return Fraction(0)
        first = Fraction(2 if range < self.range else 1, 6)
        return self.damage * (first + Fraction(self.firings - 1, 2))


@dataclass(frozen=True, slots=True)
class Torpedo:
    """A kind of torpedo: range in yards, damage of one hit in points."""

    name: str
    range_yd: int
    damage: int
    source: str

    @property
    def range(self) -> int:
        """Greatest range in squares of 5,000 yards."""
        return self.squares(YARDS_A_SQUARE)

    def squares(self, yards: int) -> int:
        """Greatest range where a square is that many yards of its run (rule F17); it reaches the next square."""
        return max(1, nearest(self.range_yd, yards))


@dataclass(frozen=True, slots=True)
class Mount:
    """The guns of one kind that share an arc of fire."""

    gun: str  # name of the `Gun`
    guns: int  # how many
    arc: str  # "forward", "aft", "port", "starboard" or "amidships"
    battery: str  # "main" or "secondary"

    def bears(self, relative: int) -> bool:
        """Whether they bear on a target ``relative`` eighth-turns clockwise from the ship's heading."""
        return relative % 8 in ARCS[self.arc]


@dataclass(frozen=True, slots=True)
class TorpedoSet:
    """Torpedo tubes that are fired together at one target."""

    kind: str
    tubes: int


@dataclass(frozen=True, slots=True)
class ShipCard:
    """All that is known of a ship before the action."""

    name: str
    ship_class: str
    nation: str
    year: int  # the year the figures stand for
    type: str  # "battleship", "destroyer" ...: one of ``TABLES.types``
    displacement: int  # tons
    speed: float  # knots
    armour: str  # a note on her protection
    mounts: tuple[Mount, ...]
    torpedoes: tuple[TorpedoSet, ...]
    mines: int  # mines aboard
    aircraft: int  # aircraft aboard
    anti_aircraft: int  # anti-aircraft rating, 0 to 10
    sinking_rate: int  # more damage points than this sink her
    source: str  # where the figures are from
    protection: str = ""  # the grade her sinking rate was calculated with, or "" if it was given outright
    battery: int = 0  # squares a boat goes dived before she is empty
    spares: int = 0  # torpedoes besides those in her tubes
    gear: str = ""  # what she hunts boats with, one of ``TABLES.gear``; "" for nothing
    radar: bool = False
    deck: int = 0  # flights that a carrier launches or lands in a move; 0 for what has no flight deck
    armoured_deck: bool = False

    @property
    def boat(self) -> bool:
        """Whether she is a submarine (rule F41)."""
        return self.type == BOAT

    @property
    def main_guns(self) -> int:
        """How many guns her main battery has."""
        return sum(mount.guns for mount in self.mounts if mount.battery == "main")


@dataclass(frozen=True, slots=True)
class Gear:
    """What a hunter listens with, and what she then throws (rules F49 to F52)."""

    name: str
    limit: int  # half squares a move, short and long on the average, up to which she hears
    own: int  # the lowest die that makes contact in her own square
    next: int  # and in the next square; 7 if she does not hear so far
    weapon: str  # "charges", "hedgehog" or "squid"
    charges: int  # depth charges of a pattern, or bombs
    source: str

    @property
    def dice(self) -> int:
        """Dice of a pattern: three charges to a die; what is thrown ahead has one."""
        return -(-self.charges // 3) if self.weapon == "charges" else 1

    def squares(self, move: int) -> int:
        """Squares she may have gone in that move to hear anything: the first is a short one (rule F49)."""
        return self.limit // 2 if move % 2 else self.limit - self.limit // 2


def allowance(knots: float) -> tuple[int, int]:
    """Squares a ship of that speed goes in a short and in a long move. Ruling: half a square a move for every 4 knots
    and half a square more, so that 16 to 19 knots are 2 squares and 3; never more than 5 squares. A ship of no speed
    stays where she is."""
    if knots <= 0:
        return 0, 0
    halves = min(int(knots // 4) + 1, 10)
    return halves // 2, halves - halves // 2


def quarters(damage: int, sinking_rate: int) -> int:
    """How many full quarters of the sinking rate the damage makes up, 0 to 4 (ruling)."""
    return min(4, 4 * damage // sinking_rate)


def guns_out(guns: int, quarters: int) -> int:
    """How many main guns are out after 0 to 4 full quarters of damage: to the nearest gun, halves up."""
    return (2 * guns * quarters + 4) // 8


HOME = "navalkit.games.fleet_action"
SAY = Words.load(HOME, "data/words.toml")


# -- The figures of data.toml that rate guns, torpedoes and ships, and the open formulas that use them

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Figures:
    """What data.toml says besides its ships."""

    guns: Mapping[str, Gun]
    torpedoes: Mapping[str, Torpedo]
    types: Mapping[str, str]  # type of ship -> the letters that stand for it on the board
    grades: Mapping[str, Fraction]  # grade of protection -> factor of the sinking rate
    yardstick: tuple[int, int]  # displacement in tons and sinking rate of the ship all others are measured by
    step: int  # sinking rates are rounded to a multiple of this
    gear: Mapping[str, Gear]
    worth: Mapping[str, Fraction]  # points of value for a unit of each characteristic


def _load(data: Mapping[str, Any]) -> Figures:
    limits = sourced(data["firings"], "firings")["upto"]

    def gun(row: dict[str, Any]) -> Gun:
        figures = sourced(row, f"gun {row.get('name')}")
        rate = figures.pop("rounds_a_minute")
        return Gun(**figures, firings=1 + sum(rate > limit for limit in limits), source=row["source"])

    def torpedo(row: dict[str, Any]) -> Torpedo:
        return Torpedo(**sourced(row, f"torpedo {row.get('name')}"), source=row["source"])

    rates = sourced(data["sinking_rate"], "sinking_rate")
    return Figures(
        guns=MappingProxyType({row["name"]: gun(row) for row in data["gun"]}),
        torpedoes=MappingProxyType({row["name"]: torpedo(row) for row in (*data["torpedo"], *LATE["torpedo"])}),
        gear=MappingProxyType({row["name"]: Gear(**sourced(row, f"gear {row.get('name')}"), source=row["source"])
                               for row in LATE["gear"]}),
        types=MappingProxyType(sourced(data["types"], "types")),
        grades=MappingProxyType({k: Fraction(v) for k, v in sourced(data["protection"], "protection").items()}),
        yardstick=(rates["displacement"], rates["rate"]),
        step=rates["step"],
        worth=MappingProxyType({k: Fraction(v) for k, v in sourced(data["points"], "points").items()}),
    )


DATA: Mapping[str, Any] = MappingProxyType(read(HOME, "data/data.toml"))
LATE: Mapping[str, Any] = MappingProxyType(read(HOME, "data/sea_and_air.toml"))
"""What the chapters of boats and aircraft add (rules F41 to F68)."""
FIGURES = _load(DATA)


def find(name: object, table: Mapping[str, T], what: str) -> T:
    """The entry of that name, whatever its case; DataError if there is none, with the names that come near."""
    found = {key.casefold(): key for key in table}
    if isinstance(name, str) and (key := found.get(name.strip().casefold())) is not None:
        return table[key]
    raise DataError(SAY("table.unknown", what=SAY(f"table.{what}"), name=brief(name), names=near(name, table)))


def sinking_rate(displacement: int, protection: str) -> int:
    """The sinking rate of a ship of that tonnage and grade of protection (ruling). rate = 400 x grade x (displacement /
    12,625 t) to the power 2/3, to the nearest 5: Roma is the yardstick, and a destroyer of 1,300 t without armour comes
    to 55. A hull's sides grow as its tonnage to the power 2/3."""
    tons, rate = FIGURES.yardstick
    points = rate * float(find(protection, FIGURES.grades, "grade")) * (displacement / tons) ** (2 / 3)
    return int(max(FIGURES.step, round(points / FIGURES.step) * FIGURES.step))


def range_squares(gun: Gun | str) -> int:
    """How many squares a gun reaches."""
    return (find(gun, FIGURES.guns, "gun") if isinstance(gun, str) else gun).range


def worth(card: ShipCard) -> dict[str, Fraction]:
    """Points value of a ship, characteristic by characteristic (ruling; the factors are in data.toml). Guns count by
    the mean damage they do in a move on the broadside that bears most, times their range in squares; torpedoes by
    damage times range in squares."""
    factor = FIGURES.worth
    broadside = max(
        sum(
            (mount.guns * gun.mean_damage(0) * gun.range
             for mount in card.mounts if mount.bears(beam) for gun in (FIGURES.guns[mount.gun],)),
            Fraction(0),
        )
        for beam in (2, 6)
    )
    torpedoes = sum(tubes.tubes * FIGURES.torpedoes[tubes.kind].damage * FIGURES.torpedoes[tubes.kind].range
                    for tubes in card.torpedoes)
    amounts = {
        "speed": Fraction(str(card.speed)), "sinking_rate": Fraction(card.sinking_rate), "guns": broadside,
        "torpedoes": Fraction(torpedoes), "mines": Fraction(card.mines), "anti_aircraft": Fraction(card.anti_aircraft)
    }
    return {key: amount * factor[key] for key, amount in amounts.items()}


HIDING = 30  # what a boat is worth beyond her card, for hiding (rule F68)


def points(card: ShipCard, flown: bool = True) -> int:
    """Points value of a ship, to the nearest point: the sum of `worth`; of a boat what hiding is worth as well. Where
    nobody flies (``flown`` False) anti-aircraft guns cost nothing (rule F68)."""
    of = worth(card)
    return round(sum(of.values()) - (0 if flown else of["anti_aircraft"])) + HIDING * card.boat


# -- Ships given as TOML: read and checked field by field. The ships of data.toml come in the same way
# A ship is a table ``[[ship]]`` such as
#
#     [[ship]]
#     name = "Zephyr"
#     like = "Fletcher"       # every field not given here is hers
#     displacement = 2200
#     main = [{ gun = "5in/38", forward = 2, aft = 2 }]
#     torpedoes = [{ kind = "Mk 15", tubes = 5, sets = 2 }]
#
# ``protection`` names a grade from which the sinking rate is calculated; ``sinking_rate`` gives it outright instead.

LONGEST = 200_000  # characters of TOML; a fleet of a hundred ships has about 40,000
NAME = r"[^\W\d_](?:[^\W_]|[ '-]){0,27}"  # nothing in it that means something in an order
PLAYERS = SAY("ships.by_players")

# What a field may be. Anything bolder than these is surely a slip of the pen.
NUMBERS = {
    "year": range(1850, 2101), "displacement": range(1, 100_001), "mines": range(1001), "aircraft": range(201),
    "anti_aircraft": range(11), "battery": range(101), "spares": range(101), "deck": range(5)
}
RATES = range(1, 2001)
TEXTS = {"name": 28, "class": 24, "nation": 16, "armour": 32, "protection": 24, "source": 200}  # characters
KINDS = range(5)  # kinds of gun in a battery, and of torpedo set: as many as a card has room for
DEFAULTS: Mapping[str, Any] = {
    "class": "", "nation": "", "year": 1940, "armour": "", "protection": "unarmoured", "mines": 0, "aircraft": 0,
    "anti_aircraft": 0, "battery": 0, "spares": 0, "deck": 0, "source": PLAYERS,
}


def ship_card(f: Fields) -> ShipCard:
    """The card of one ``[[ship]]``; DataError if a field is missing, unknown or out of range: the sentence names it."""
    text = {name: f.text(name, DEFAULTS.get(name), most) for name, most in TEXTS.items()}
    if not re.fullmatch(NAME, text["name"]):
        raise f.wrong("name", SAY("ships.name"))
    number = {name: f.whole(name, numbers, DEFAULTS.get(name)) for name, numbers in NUMBERS.items()}
    protection = ""
    if "sinking_rate" in f:
        rate = f.whole("sinking_rate", RATES)
    else:
        protection = text["protection"]
        f.read("protection", find, protection, FIGURES.grades, "grade")
        rate = sinking_rate(number["displacement"], protection)
    gear = f.read("gear", find, f.text("gear"), FIGURES.gear, "gear").name if "gear" in f else ""
    card = ShipCard(
        name=text["name"], ship_class=text["class"], nation=text["nation"], year=number["year"],
        type=f.one_of("type", FIGURES.types), displacement=number["displacement"],
        speed=float(f.number("speed", 0, 80)), armour=text["armour"],
        mounts=tuple(mount for battery in BATTERIES for mount in _mounts(f, battery)), torpedoes=tuple(_sets(f)),
        mines=number["mines"], aircraft=number["aircraft"], anti_aircraft=number["anti_aircraft"], sinking_rate=rate,
        source=text["source"], protection=protection, battery=number["battery"], spares=number["spares"], gear=gear,
        radar=f.flag("radar"), deck=number["deck"], armoured_deck=f.flag("armoured_deck")
    )
    f.done()
    return card


def read_ships(text: str, like: Mapping[str, Mapping[str, Any]] | None = None) -> tuple[ShipCard, ...]:
    """The ships of a TOML text, in its order. ``text``: tables ``[[ship]]``, as the head of this module shows.
    ``like``: the ships that ``like`` may name, as tables; those of data.toml if not given. DataError if the text is no
    TOML, too long, holds no ship or one twice, or a field is wrong: the sentence names ship and field."""
    if len(text) > LONGEST:
        raise DataError(SAY("ships.long", n=len(text), most=LONGEST))
    file = Fields.of(text, SAY("ships.file"))
    rows = file.rows("ship", range(1, LONGEST), SAY.phrase("ships.tables"))
    file.done()
    for f in rows:
        if isinstance(name := f.data.get("name"), str):
            f.where = SAY("ships.ship", name=brief(name))
    return ships_of(rows, like)


def ships_of(rows: Iterable[Fields], like: Mapping[str, Mapping[str, Any]] | None = None) -> tuple[ShipCard, ...]:
    """The ships of some tables; as `read_ships`."""
    cards: dict[str, ShipCard] = {}
    for f in rows:
        if "like" in f:
            f.data = {**_model(f, ROWS if like is None else like), **f.data}
        card = ship_card(f)
        if card.name.casefold() in cards:
            raise DataError(SAY("ships.twice", where=f.where))
        cards[card.name.casefold()] = card
    return tuple(cards.values())


def _model(f: Fields, known: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The table of the ship that ``like`` names, without the rating that the new ship's own fields overrule."""
    model = {**f.read("like", find, f.data["like"], known, "ship"), "source": PLAYERS}
    for given, overruled in (("protection", "sinking_rate"), ("sinking_rate", "protection")):
        if given in f.data:
            model.pop(overruled, None)
    return model


def _mounts(f: Fields, battery: str) -> Iterator[Mount]:
    """The mounts of a battery: one for each arc of each kind of gun."""
    for row in f.rows(battery, KINDS, SAY.phrase("ships.guns", most=KINDS[-1])):
        gun = row.read("gun", find, row.text("gun"), FIGURES.guns, "gun").name
        arcs = [arc for arc in row.data if arc in ARCS]
        yield from (Mount(gun, row.whole(arc, range(1, 61)), arc, battery) for arc in arcs)
        row.known.update(ARCS)
        row.done()
        if not arcs:
            raise DataError(SAY("ships.arc", where=row.where, arcs=", ".join(ARCS)))


def _sets(f: Fields) -> Iterator[TorpedoSet]:
    """The torpedo sets, those of ``sets = 2`` one by one."""
    for row in f.rows("torpedoes", KINDS, SAY.phrase("ships.sets", most=KINDS[-1])):
        kind = row.read("kind", find, row.text("kind"), FIGURES.torpedoes, "torpedo").name
        yield from [TorpedoSet(kind, row.whole("tubes", range(1, 21)))] * row.whole("sets", range(1, 11), 1)
        row.done()


def _own(rows: Iterable[dict[str, Any]]) -> tuple[ShipCard, ...]:
    """The ships of data.toml, or of the chapters of boats and aircraft."""
    for row in rows:
        sourced(row, f"ship {row.get('name')}")
    return ships_of([Fields(row, SAY("ships.row", name=row.get("name"))) for row in rows])


def _rows() -> Mapping[str, Mapping[str, Any]]:
    """The tables of all ships, those that are like another filled up from hers."""
    found: dict[str, Mapping[str, Any]] = {}
    for row in (*DATA["ship"], *LATE["ship"]):
        own = {key: value for key, value in row.items() if key != "like"}
        found[row["name"]] = {**found[row["like"]], **own} if "like" in row else row
    return MappingProxyType(found)


ROWS = _rows()
SHIPS = _own(DATA["ship"])


@dataclass(frozen=True, slots=True)
class Tables:
    """All that has a name: guns, torpedoes and ships, read-only."""

    guns: Mapping[str, Gun]
    torpedoes: Mapping[str, Torpedo]
    ships: Mapping[str, ShipCard]
    types: Mapping[str, str]  # type of ship -> the letters that stand for it on the board
    late: Mapping[str, ShipCard]  # ships of the chapters of boats and aircraft, for scenarios that have them
    gear: Mapping[str, Gear]


TABLES = Tables(FIGURES.guns, FIGURES.torpedoes, MappingProxyType({s.name: s for s in SHIPS}), FIGURES.types,
                MappingProxyType({s.name: s for s in _own(LATE["ship"])}), FIGURES.gear)


def ship(name: str) -> ShipCard:
    """The card of the ship of that name, whatever its case.

    Raises
    ------
    DataError
        If there is no such ship; the sentence lists names that come near.
    """
    return find(name, TABLES.ships, "ship")


def any_ship(name: str) -> ShipCard:
    """As `ship`, among the ships of the chapters of boats and aircraft too."""
    return find(name, {**TABLES.ships, **TABLES.late}, "ship")
