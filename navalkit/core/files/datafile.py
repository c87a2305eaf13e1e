"""A game's data.toml: every row says where its figures are from."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

from ..echo import brief
from ..errors import DataError
from ..language.say import SAY

SOURCES = ("seed", "ruling", "facts", "derived")


def read(package: str, file: str = "data.toml") -> dict[str, Any]:
    """A TOML file of a game package ("navalkit.games.uss_lox")."""
    return tomllib.loads((resources.files(package) / file).read_text(encoding="utf-8"))


def sourced(row: dict[str, Any], where: str) -> dict[str, Any]:
    """The figures of a row, without its source and its rule id; DataError if the row names no source; ``where`` says
    which row it is."""
    source = str(row.get("source", ""))
    if source.partition(":")[0] not in SOURCES:
        raise DataError(SAY("data.source", where=where, sources=", ".join(SOURCES), source=brief(source)))
    return {key: value for key, value in row.items() if key not in ("source", "rule")}


def values(table: dict[str, Any], where: str) -> dict[str, Any]:
    """The values of a table of single figures, each a row of its own with its source."""
    return {key: sourced(row, f"{where}.{key}")["value"] for key, row in table.items()}
