"""Typed loader of ai.toml: the figures the players go by, and the sentences that give their reasons."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from navalkit.core.datafile import read, sourced
from navalkit.core.trace import Sentences

_DATA = read("navalkit.games.fleet_action", "data/ai.toml")
FIGURES: Mapping[str, float] = MappingProxyType(
    {row["name"]: float(sourced(row, f"figure {row['name']}")["value"]) for row in _DATA["figure"]}
)
"""Name -> value; ai.toml says what each is for."""
SAY = Sentences(_DATA["say"])
