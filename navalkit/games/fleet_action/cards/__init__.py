"""The tables of Fleet Action: guns, torpedoes and ship cards by name, and the formulas that rate them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .figures import FIGURES, find, points, range_squares, sinking_rate, worth
from .ships import SHIPS
from .vessels import ARCS, BATTERIES, Gun, Mount, ShipCard, Torpedo, TorpedoSet, allowance, guns_out, quarters

__all__ = [
    "ARCS", "BATTERIES", "TABLES", "Gun", "Mount", "ShipCard", "Tables", "Torpedo", "TorpedoSet",
    "allowance", "find", "guns_out", "points", "quarters", "range_squares", "ship", "sinking_rate", "worth",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tables:
    """All that has a name: guns, torpedoes and ships, read-only."""

    guns: Mapping[str, Gun]
    torpedoes: Mapping[str, Torpedo]
    ships: Mapping[str, ShipCard]
    types: Mapping[str, str]  # type of ship -> the letters that stand for it on the board


TABLES = Tables(FIGURES.guns, FIGURES.torpedoes, MappingProxyType({s.name: s for s in SHIPS}), FIGURES.types)


def ship(name: str) -> ShipCard:
    """The card of the ship of that name, whatever its case.

    Raises
    ------
    DataError
        If there is no such ship; the sentence lists names that come near.
    """
    return find(name, TABLES.ships, "ship")
