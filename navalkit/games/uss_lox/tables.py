"""Typed loader of data.toml: figures, options and sentences of USS Lox."""

from __future__ import annotations

from dataclasses import dataclass

from navalkit.core.datafile import read, sourced
from navalkit.core.options import OptionSpec
from navalkit.core.trace import Sentences


@dataclass(frozen=True, slots=True)
class Yardstick:
    """A patrol to measure against: ``tons`` sunk on one patrol."""

    key: str
    name: str
    tons: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tables:
    """All of data.toml but its sentences."""

    supply: int
    ocean: int
    yardsticks: tuple[Yardstick, ...]
    options: tuple[OptionSpec, ...]


def _load() -> tuple[Tables, Sentences]:
    data = read(__package__)
    setup = {key: sourced(row, f"setup.{key}")["value"] for key, row in data["setup"].items()}
    tables = Tables(
        supply=setup["supply"],
        ocean=setup["ocean"],
        yardsticks=tuple(Yardstick(**sourced(row, f"yardstick {row.get('key')}")) for row in data["yardstick"]),
        options=tuple(OptionSpec(**sourced(row, f"option {row.get('name')}")) for row in data["option"]),
    )
    return tables, Sentences(data["sentences"])


TABLES, SAY = _load()
