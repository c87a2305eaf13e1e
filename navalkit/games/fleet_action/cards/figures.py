"""The figures of data.toml that rate guns, torpedoes and ships, and the open formulas that use them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeVar

from navalkit.core.echo import brief, near
from navalkit.core.errors import DataError
from navalkit.core.files.datafile import read, sourced

from ..words import HOME, SAY
from .vessels import Gun, ShipCard, Torpedo

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
        torpedoes=MappingProxyType({row["name"]: torpedo(row) for row in data["torpedo"]}),
        types=MappingProxyType(sourced(data["types"], "types")),
        grades=MappingProxyType({k: Fraction(v) for k, v in sourced(data["protection"], "protection").items()}),
        yardstick=(rates["displacement"], rates["rate"]),
        step=rates["step"],
        worth=MappingProxyType({k: Fraction(v) for k, v in sourced(data["points"], "points").items()}),
    )


DATA: Mapping[str, Any] = MappingProxyType(read(HOME, "data/data.toml"))
FIGURES = _load(DATA)


def find(name: object, table: Mapping[str, T], what: str) -> T:
    """The entry of that name, whatever its case; DataError if there is none, with the names that come near."""
    found = {key.casefold(): key for key in table}
    if isinstance(name, str) and (key := found.get(name.strip().casefold())) is not None:
        return table[key]
    raise DataError(SAY("table.unknown", what=SAY(f"table.{what}"), name=brief(name), names=near(name, table)))


def sinking_rate(displacement: int, protection: str) -> int:
    """The sinking rate of a ship of that tonnage and grade of protection (ruling).

    rate = 400 x grade x (displacement / 12,625 t) to the power 2/3, to the nearest 5: Roma is the yardstick, and a
    destroyer of 1,300 t without armour comes to 55. A hull's sides grow as its tonnage to the power 2/3.
    """
    tons, rate = FIGURES.yardstick
    points = rate * float(find(protection, FIGURES.grades, "grade")) * (displacement / tons) ** (2 / 3)
    return int(max(FIGURES.step, round(points / FIGURES.step) * FIGURES.step))


def range_squares(gun: Gun | str) -> int:
    """How many squares a gun reaches."""
    return (find(gun, FIGURES.guns, "gun") if isinstance(gun, str) else gun).range


def worth(card: ShipCard) -> dict[str, Fraction]:
    """Points value of a ship, characteristic by characteristic (ruling; the factors are in data.toml).

    Guns count by the mean damage they do in a move on the broadside that bears most, times their range in squares;
    torpedoes by damage times range in squares.
    """
    factor = FIGURES.worth
    broadside = max(
        sum(
            (
                mount.guns * gun.mean_damage(0) * gun.range
                for mount in card.mounts
                if mount.bears(beam)
                for gun in (FIGURES.guns[mount.gun],)
            ),
            Fraction(0),
        )
        for beam in (2, 6)
    )
    torpedoes = sum(
        tubes.tubes * FIGURES.torpedoes[tubes.kind].damage * FIGURES.torpedoes[tubes.kind].range
        for tubes in card.torpedoes
    )
    amounts = {
        "speed": Fraction(str(card.speed)),
        "sinking_rate": Fraction(card.sinking_rate),
        "guns": broadside,
        "torpedoes": Fraction(torpedoes),
        "mines": Fraction(card.mines),
        "anti_aircraft": Fraction(card.anti_aircraft),
    }
    return {key: amount * factor[key] for key, amount in amounts.items()}


def points(card: ShipCard) -> int:
    """Points value of a ship, to the nearest point: the sum of `worth`."""
    return round(sum(worth(card).values()))
