"""Machine players as characters: each game names a few, with a temperament and a level, in TOML beside it.

    [[captain]]
    name = "scheer"                  # as one asks for the player
    title = "Scheer"                 # as a page calls him
    temperament = "Turns away in time, and comes back."
    level = 4                        # 1 (a beginner) to 5, in the order of measured strength
    player = "admiral"               # which of the game's machine players
    options = { figures = { pull = 0.02 } }
    slips = 0.2                      # the share of his orders that he gives without a look
    source = "ruling"

A captain's name is a player's name too: `navalkit.player("scheer", game)`. The players' own names stay as they are.
"""

from __future__ import annotations
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.files import read, sourced
from navalkit.core.game import Game
from navalkit.core.match import Match
from navalkit.core.trace import Decision, Machine, Teller, thinking
from navalkit.core.words import voice
from . import player
from .generic import careless

LEVELS = range(1, 6)


@dataclass(frozen=True, slots=True)
class Captain:
    """A named machine player."""

    name: str
    title: str
    temperament: str
    level: int
    """1 to 5, in the order of strength: figures.toml has what was measured (`meeting.strengths`)."""
    player: str
    """Which of the game's machine players."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of that player: what makes the temperament, and how long is thought."""
    slips: float = 0.0
    """The share of orders given without a look (`careless`)."""
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
    """The captains in a game's TOML file, by level. ``package`` and ``path``: as for `core.files.read`:
    "navalkit.games.fleet_action", "data/captains.toml"."""
    found = (Captain(**sourced(row, f"captain {row.get('name')}")) for row in read(package, path)["captain"])
    return tuple(sorted(found, key=lambda captain: captain.level))


def with_captains(makers: Mapping[str, Callable[..., Any]],
                  named: tuple[Captain, ...]) -> Mapping[str, Callable[..., Any]]:
    """The makers of a game's players, its captains among them: what a game offers as ``BOTS``."""
    return {**makers, **{each.name: _maker(makers[each.player], each) for each in named}}


def _maker(of: Callable[..., Any], captain: Captain) -> Callable[..., Any]:
    return partial(careless, of, captain.slips, **captain.options) if captain.slips else partial(of, **captain.options)


# -- The machine players of one game: made once a game, asked again and again, and always of the same mind

class Crew:
    """The machine players of one game, and what they said last: a page asks for the same thing several times."""

    def __init__(self) -> None:
        self._game: Game[Any, Any] | None = None
        self._players: dict[str, Machine] = {}
        self._decided: tuple[Any, Decision] | None = None

    def player(self, name: str, game: Game[Any, Any]) -> Machine:
        """The player of that name: one that plans ahead takes a moment to make, so it is made once a game."""
        if game != self._game:
            self._game, self._players = game, {}
        if name not in self._players:
            self._players[name] = player(name, game)
        return self._players[name]

    def decision(self, name: str, match: Match, ply: int, seat: int) -> Awaited[Decision]:
        """What the player in that seat decides after ``ply`` plies: the same whenever it is asked. Who has numbers that
        a page shows too tells those (`Teller`)."""
        game, state = match.game, match.at(ply)
        asked = game, state, ply, name

        def steps() -> Steps[Decision]:
            if self._decided is None or self._decided[0] != asked:
                seen, legal = game.observe(state, seat), game.legal(state)
                rng = np.random.default_rng(ply)
                captain = self.player(name, game)
                tell = captain.telling if isinstance(captain, Teller) else partial(thinking, captain)
                self._decided = asked, (yield from tell(seen, legal, rng))
            return self._decided[1]

        return Awaited(asked, steps)

    def alone(self, name: str, game: Game[Any, Any], seed: int, against: str = "", me: int = 0) -> Awaited[Match]:
        """The player's game on that seed, from start to end, in seat ``me``; ``against`` sits in all others."""

        def steps() -> Steps[Match]:
            match, rng = Match.new(game, seed), np.random.default_rng(0)
            mine, theirs = self.player(name, game), self.player(against or name, game)
            while not match.over:
                captain = mine if match.turn == me else theirs
                decided = yield from thinking(captain, match.observe(), match.legal(), rng)
                match.play(decided.action)
                yield None
            return match

        return Awaited(("alone", name, game, seed, against, me), steps)
