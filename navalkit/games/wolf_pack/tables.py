"""Typed loader of data.toml: figures, default deck, options and sentences of Wolf Pack."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from typing import Any

from navalkit.core.errors import DataError
from navalkit.core.options import OptionSpec
from navalkit.core.trace import Sentences

from . import decks
from .cards import Counts, parse

_SOURCES = ("seed", "ruling", "facts", "derived")


@dataclass(frozen=True, slots=True)
class Tables:
    """All of data.toml but its sentences."""

    hand: int
    draw: int
    deck: Counts
    kept: tuple[Mapping[str, Fraction], ...]
    options: tuple[OptionSpec, ...]


def _row(row: dict[str, Any], where: str) -> dict[str, Any]:
    source = str(row.get("source", ""))
    if source.partition(":")[0] not in _SOURCES:
        raise DataError(f"data.toml of wolf_pack: {where} needs a source ({', '.join(_SOURCES)}), not {source!r}.")
    return {key: value for key, value in row.items() if key not in ("source", "rule")}


def _load() -> tuple[Tables, Sentences]:
    data = tomllib.loads((resources.files(__package__) / "data.toml").read_text(encoding="utf-8"))
    setup = {key: _row(row, f"setup.{key}")["value"] for key, row in data["setup"].items()}
    hand = setup["hand"]
    deck = decks.check({parse(key): _row(row, f"deck.{key}")["value"] for key, row in data["deck"].items()}, hand)

    def canonical(text: str) -> str:
        return decks.write(decks.read(text, deck, hand), deck)

    kept = tuple(
        {role: Fraction(str(weight)) for role, weight in _row(data["kept"][side], f"kept.{side}").items()}
        for side in ("u_boats", "convoy")
    )
    options = []
    for row in data["option"]:
        words = _row(row, f"option {row.get('name')}")
        if words["name"] == "deck":
            words |= {"read": canonical, "form": decks.FORM}
        options.append(OptionSpec(**words))
    return Tables(hand, setup["draw"], deck, kept, tuple(options)), Sentences(data["sentences"])


TABLES, SAY = _load()
