"""Typed loader of data.toml: figures, default deck, options and sentences of Wolf Pack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from navalkit.core.files.datafile import read, sourced, values
from navalkit.core.options import OptionSpec, read_options

from . import decks
from .cards import Counts, parse
from .say import SAY


@dataclass(frozen=True, slots=True)
class Tables:
    """All of data.toml but its sentences."""

    hand: int
    draw: int
    deck: Counts
    kept: tuple[Mapping[str, tuple[Fraction, Fraction]], ...]
    options: tuple[OptionSpec, ...]


def _load() -> Tables:
    data = read("navalkit.games.wolf_pack", "data/data.toml")
    setup = values(data["setup"], "setup")
    hand = setup["hand"]
    deck = decks.check({parse(key): number for key, number in values(data["deck"], "deck").items()}, hand)

    def canonical(text: str) -> str:
        return decks.write(decks.read(text, deck, hand), deck)

    kept = tuple(
        {
            role: (Fraction(str(first)), Fraction(str(again)))
            for role, (first, again) in sourced(data["kept"][side], f"kept.{side}").items()
        }
        for side in ("u_boats", "convoy")
    )
    options = read_options(data["option"], deck={"read": canonical, "form": SAY("deck.form")})
    return Tables(hand, setup["draw"], deck, kept, options)


TABLES = _load()
