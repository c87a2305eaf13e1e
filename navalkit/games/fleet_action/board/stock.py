"""The ships that squadrons of one's own are put together from (rule F39)."""

from __future__ import annotations

from collections import Counter

from navalkit.view.starts import Stock, Stocked

from ..cards import TABLES, points
from ..cards.vessels import ShipCard
from ..scenarios.squadrons import OWN
from . import SAY


def _guns(card: ShipCard) -> str:
    """Her main guns, or those she has, and her torpedo tubes."""
    battery = min((mount.battery for mount in card.mounts), default="")  # "main" before "secondary"
    bores = Counter[float]()
    for mount in card.mounts:
        bores[TABLES.guns[mount.gun].calibre_in] += mount.guns * (mount.battery == battery)
    told = [SAY("stock.guns", n=n, bore=f"{bore:g}") for bore, n in bores.items() if n]
    tubes = sum(each.tubes for each in card.torpedoes)
    return ", ".join([*told, *([SAY("stock.tubes", n=tubes)] if tubes else [])]) or SAY("stock.none")


def _stocked(card: ShipCard) -> Stocked:
    worth = points(card)
    cells = str(worth), _guns(card), SAY("stock.speed", knots=f"{card.speed:g}")
    about = SAY("stock.about", ship_class=card.ship_class, nation=card.nation, year=card.year)
    return Stocked(card.name, card.type, about, cells, worth)


STOCK = Stock(
    ("blue", "red"), {"scenario": OWN}, tuple(SAY("stock.head").split("|")), tuple(map(_stocked, TABLES.ships.values()))
)
