"""Typed loader of data.toml: figures, options and sentences of USS Lox."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any

from navalkit.core.errors import DataError
from navalkit.core.options import OptionSpec
from navalkit.core.trace import Sentences

_SOURCES = ("seed", "ruling", "facts", "derived")


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


def _row(row: dict[str, Any], where: str) -> dict[str, Any]:
    source = str(row.get("source", ""))
    if source.partition(":")[0] not in _SOURCES:
        raise DataError(
            f"data.toml of uss_lox: {where} needs a source ({', '.join(_SOURCES)}), not {source!r}."
        )
    return {key: value for key, value in row.items() if key not in ("source", "rule")}


def _load() -> tuple[Tables, Sentences]:
    data = tomllib.loads((resources.files(__package__) / "data.toml").read_text(encoding="utf-8"))
    setup = {key: _row(row, f"setup.{key}")["value"] for key, row in data["setup"].items()}
    tables = Tables(
        supply=setup["supply"],
        ocean=setup["ocean"],
        yardsticks=tuple(Yardstick(**_row(row, f"yardstick {row.get('key')}")) for row in data["yardstick"]),
        options=tuple(OptionSpec(**_row(row, f"option {row.get('name')}")) for row in data["option"]),
    )
    return tables, Sentences(data["sentences"])


TABLES, SAY = _load()
