"""Typed loader of data.toml: figures and options of USS Lox."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from navalkit.core.files.datafile import read, sourced
from navalkit.core.options import OptionSpec

from .say import SAY


@dataclass(frozen=True, slots=True)
class Yardstick:
    """A patrol to measure against: ``tons`` sunk on one patrol."""

    key: str
    tons: int

    @property
    def name(self) -> str:
        """Whose patrols they are, said now."""
        return SAY(f"yard.{self.key}")

    @property
    def note(self) -> str:
        """What else is known of them, said now."""
        return SAY.get(f"yard.{self.key}.note")


@dataclass(frozen=True, slots=True)
class Tables:
    """All of data.toml."""

    supply: int
    ocean: int
    yardsticks: tuple[Yardstick, ...]
    options: tuple[OptionSpec, ...]


def _load() -> Tables:
    data = read("navalkit.games.uss_lox", "data/data.toml")
    setup = {key: sourced(row, f"setup.{key}")["value"] for key, row in data["setup"].items()}
    options = [sourced(row, f"option {row.get('name')}") for row in data["option"]]
    return Tables(
        supply=setup["supply"],
        ocean=setup["ocean"],
        yardsticks=tuple(Yardstick(**sourced(row, f"yardstick {row.get('key')}")) for row in data["yardstick"]),
        options=tuple(_option(**row) for row in options),
    )


def _option(name: str, **row: Any) -> OptionSpec:
    return OptionSpec(name, label=SAY.phrase(f"option.{name}"), help=SAY.phrase(f"option.{name}.help"), **row)


TABLES = _load()
