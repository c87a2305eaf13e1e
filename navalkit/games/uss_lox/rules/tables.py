"""Typed loader of data.toml: figures and options of USS Lox."""

from __future__ import annotations

from dataclasses import dataclass

from navalkit.core.files.datafile import read, sourced, values
from navalkit.core.options import OptionSpec, read_options

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
    said = {
        row["name"]: {key: SAY.phrase(f"option.{row['name']}{end}") for key, end in (("label", ""), ("help", ".help"))}
        for row in data["option"]
    }
    return Tables(
        **values(data["setup"], "setup"),
        yardsticks=tuple(Yardstick(**sourced(row, f"yardstick {row.get('key')}")) for row in data["yardstick"]),
        options=read_options(data["option"], **said),
    )


TABLES = _load()
