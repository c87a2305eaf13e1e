"""Machine players as characters: each game names a few, with a temperament and a level, in TOML beside it.

    [[captain]]
    name = "scheer"                  # as one asks for the player
    title = "Scheer"                 # as a page calls him
    temperament = "Turns away in time, and comes back."
    level = 4                        # 1 (a beginner) to 5, in the order of measured strength
    player = "admiral"               # which of the game's machine players
    options = { figures = { pull = 0.02 } }
    slips = 0.2                      # the share of his orders that he gives without a look
    strength = "62 % against admiral, n = 200"
    source = "ruling"

A captain's name is a player's name too: `navalkit.player("scheer", game)`. The players' own names stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from navalkit.core.files.datafile import read, sourced
from navalkit.core.language.words import voice

from .careless import careless

LEVELS = range(1, 6)


@dataclass(frozen=True, slots=True)
class Captain:
    """A named machine player."""

    name: str
    title: str
    temperament: str
    level: int
    """1 to 5."""
    player: str
    """Which of the game's machine players."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of that player: what makes the temperament, and how long is thought."""
    slips: float = 0.0
    """The share of orders given without a look (`careless`)."""
    strength: str = ""
    """What proves the level: measured games, with their number."""
    tongues: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Title and temperament in other languages ("de")."""

    @property
    def called(self) -> str:
        """The title, for the present reader."""
        return self.tongues.get(voice().lang, {}).get("title", self.title)

    @property
    def told(self) -> str:
        """The temperament, for the present reader."""
        return self.tongues.get(voice().lang, {}).get("temperament", self.temperament)


def captains(package: str, path: str) -> tuple[Captain, ...]:
    """The captains in a game's TOML file, by level. ``package`` and ``path``: as for `core.datafile.read`:
    "navalkit.games.fleet_action", "data/captains.toml"."""
    found = (Captain(**sourced(row, f"captain {row.get('name')}")) for row in read(package, path)["captain"])
    return tuple(sorted(found, key=lambda captain: captain.level))


def with_captains(
    makers: Mapping[str, Callable[..., Any]], named: tuple[Captain, ...]
) -> Mapping[str, Callable[..., Any]]:
    """The makers of a game's players, its captains among them: what a game offers as ``BOTS``."""
    return {**makers, **{each.name: _maker(makers[each.player], each) for each in named}}


def _maker(of: Callable[..., Any], captain: Captain) -> Callable[..., Any]:
    return partial(careless, of, captain.slips, **captain.options) if captain.slips else partial(of, **captain.options)
