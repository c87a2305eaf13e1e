"""Typed loader of data.toml: ships, fleets and options of Task Force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from navalkit.core.errors import DataError
from navalkit.core.files.datafile import read, sourced
from navalkit.core.options import OptionSpec, read_options

from .say import SAY


@dataclass(frozen=True, slots=True)
class EnemyShip:
    """A kind of enemy ship: ``water`` is "deep", "shallow" or "any", ``lies`` "across", "down" or "any"."""

    name: str
    length: int
    water: str
    lies: str


@dataclass(frozen=True, slots=True)
class Tables:
    """All of data.toml."""

    ships: Mapping[str, EnemyShip]  # by name
    fleets: Mapping[str, Mapping[str, int]]  # fleet -> ship -> how many
    counts: Mapping[int, int]  # rows -> exact number of full fleets on the usual columns
    own: Mapping[str, str]  # our ships from left to right: "AIR" -> "aircraft carrier"
    ranks: Mapping[int, str]  # ships left -> rank
    presets: Mapping[str, Mapping[str, Any]]  # name -> options
    options: tuple[OptionSpec, ...]


def _load() -> Tables:
    data = read("navalkit.games.task_force", "data/data.toml")

    def rows(key: str) -> list[dict[str, Any]]:
        return [sourced(row, f"{key} {i}") for i, row in enumerate(data[key], 1)]

    counts = sourced(data["counts"], "counts")
    tables = Tables(
        ships={row["name"]: EnemyShip(**row) for row in rows("ship")},
        fleets={row["key"]: row["ships"] for row in rows("fleet")},
        counts=dict(zip(counts["rows"], counts["fleets"], strict=True)),
        own={row["key"]: row["name"] for row in rows("own")},
        ranks={row["ships"]: row["name"] for row in rows("rank")},
        presets=data["preset"],
        options=read_options(data["option"]),
    )
    for key, fleet in tables.fleets.items():
        if unknown := ", ".join(sorted(set(fleet) - set(tables.ships))):
            raise DataError(SAY("wrong.fleet", fleet=key, ships=unknown))
    return tables


TABLES = _load()
