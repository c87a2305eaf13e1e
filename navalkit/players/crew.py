"""The machine players of one game: made once a game, asked again and again, and always of the same mind."""

from __future__ import annotations

from typing import Any

import numpy as np

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.game import Game
from navalkit.core.match import Match
from navalkit.core.player import Player, thinking
from navalkit.core.trace import Decision

from . import player


class Crew:
    """The machine players of one game, and what they said last: a page asks for the same thing several times."""

    def __init__(self) -> None:
        self._game: Game[Any, Any] | None = None
        self._players: dict[str, Player] = {}
        self._decided: tuple[Any, Decision] | None = None

    def player(self, name: str, game: Game[Any, Any]) -> Player:
        """The player of that name: one that plans ahead takes a moment to make, so it is made once a game."""
        if game != self._game:
            self._game, self._players = game, {}
        if name not in self._players:
            self._players[name] = player(name, game)
        return self._players[name]

    def decision(self, name: str, match: Match, ply: int, seat: int) -> Awaited[Decision]:
        """What the player in that seat decides after ``ply`` plies: the same whenever it is asked."""
        game, state = match.game, match.at(ply)
        asked = game, state, ply, name

        def steps() -> Steps[Decision]:
            if self._decided is None or self._decided[0] != asked:
                seen, legal = game.observe(state, seat), game.legal(state)
                rng = np.random.default_rng(ply)
                self._decided = asked, (yield from thinking(self.player(name, game), seen, legal, rng))
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
