"""The machine players of a page: made once a game, asked again and again, and always of the same mind."""

from __future__ import annotations

from typing import Any

import numpy as np

from navalkit.core.game import Game
from navalkit.core.match import Match
from navalkit.core.player import Player
from navalkit.core.trace import Decision
from navalkit.players import player


class Crew:
    """The machine players of one game, and what they said last: a page asks for the same thing several times."""

    def __init__(self) -> None:
        self._game: Game[Any, Any] | None = None
        self._players: dict[str, Player] = {}
        self._decided: tuple[Any, Decision] | None = None
        self._alone: tuple[Any, Match] | None = None

    def player(self, name: str, game: Game[Any, Any]) -> Player:
        """The player of that name: one that plans ahead takes a moment to make, so it is made once a game."""
        if game != self._game:
            self._game, self._players = game, {}
        if name not in self._players:
            self._players[name] = player(name, game)
        return self._players[name]

    def decision(self, name: str, match: Match, ply: int, seat: int) -> Decision:
        """What the player in that seat decides after so many plies: the same whenever it is asked."""
        game, state = match.game, match.at(ply)
        asked = game, state, ply, name
        if self._decided is None or self._decided[0] != asked:
            rng = np.random.default_rng(ply)
            decided = self.player(name, game).decide(game.observe(state, seat), game.legal(state), rng)
            self._decided = asked, decided
        return self._decided[1]

    def alone(self, name: str, game: Game[Any, Any], seed: int) -> Match:
        """The player's game on that seed, from start to end."""
        asked = name, game, seed
        if self._alone is None or self._alone[0] != asked:
            match, captain, rng = Match.new(game, seed), self.player(name, game), np.random.default_rng(0)
            while not match.over:
                match.play(captain.decide(match.observe(), match.legal(), rng).action)
            self._alone = asked, match
        return self._alone[1]
