"""The player that looks several decisions ahead, through every turn of chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from navalkit.core.awaited import Steps, finish
from navalkit.core.errors import OptionError
from navalkit.core.game import CHANCE, TERMINAL, Game
from navalkit.core.language.say import SAY
from navalkit.core.player import Luck
from navalkit.core.trace import Decision, Fact, Option

from .base import Evaluate, best_of, check_count, check_open, play_out, scores

Worth = tuple[float, ...]


class Expectimax:
    """Looks ahead over explicit chance, every player taking what is best for himself.

    Exact where the search reaches the end of the game and no chance node has more than ``width`` outcomes; of
    wider ones it draws ``width`` outcomes (sparse sampling, Kearns, Mansour and Ng 2002) and says so.

    Parameters
    ----------
    game : Game
        What it plays; nothing in it may be hidden.
    depth : int
        How many decisions it looks ahead, its own the first.
    width : int
        The largest chance node it goes through in full.
    nodes : int
        How many states it may look at. It deepens its search step by step and decides by the deepest one that
        fits.
    evaluate : callable, optional
        State -> what it is worth, one number a player, where the search stops. Left out, the mean of some
        games played from there to the end at random.
    playouts : int
        How many such games.

    Raises
    ------
    OptionError
        If the game hides something, or a number is no whole number from 1 up; when deciding, if ``nodes`` is
        too small for even one decision.
    """

    name = "expectimax"

    def __init__(
        self,
        game: Game[Any, Any],
        depth: int = 2,
        width: int = 8,
        nodes: int = 50_000,
        evaluate: Evaluate | None = None,
        playouts: int = 4,
    ) -> None:
        check_open(game, self.name)
        self.game = game
        self.depth = check_count(self.name, "depth", depth)
        self.width = check_count(self.name, "width", width)
        self.nodes = check_count(self.name, "nodes", nodes)
        self.playouts = check_count(self.name, "playouts", playouts)
        self.evaluate = evaluate

    def decide(self, observation: Any, legal: Sequence[Any], rng: Luck = None) -> Decision:
        return finish(self.think(observation, legal, np.random.default_rng(rng)))

    def think(self, observation: Any, legal: Sequence[Any], rng: np.random.Generator) -> Steps[Decision]:
        """As `decide`, in steps: one a legal action and depth."""
        game, me = self.game, self.game.turn(observation)
        deepest: _Search | None = None
        values: list[float] = []
        left = self.nodes
        for depth in range(1, self.depth + 1):
            search = _Search(self, left, rng)
            try:
                found = []
                for number, action in enumerate(legal):
                    found.append(search.worth(game.apply(observation, action).state, depth - 1)[me])
                    yield (depth - 1 + number / len(legal)) / self.depth
            except _OutOfNodes:
                break
            values, deepest, reached = found, search, depth
            left -= search.looked_at
            if not search.cut:
                break  # every line has been followed to its end
        if deepest is None:
            raise OptionError(SAY("expectimax.nodes", player=self.name, nodes=self.nodes))
        guessed = deepest.sampled or (deepest.cut and not self.evaluate)
        kind = SAY.phrase("expectimax.estimate" if guessed else "expectimax.unit")
        options = [Option(a, v, (Fact(kind, f"{v:,.5g}"),)) for a, v in zip(legal, values, strict=True)]
        return best_of(self.name, options, SAY.phrase("expectimax.best", ahead=reached, states=deepest.looked_at))


class _OutOfNodes(Exception):
    """The node budget does not reach for this depth."""


class _Search:
    """One search to one depth; remembers the worth of every state it has met."""

    def __init__(self, owner: Expectimax, nodes: int, rng: np.random.Generator) -> None:
        self.game, self.width, self.playouts = owner.game, owner.width, owner.playouts
        self.evaluate = owner.evaluate
        self.nodes = nodes
        self.rng = rng
        self.known: dict[tuple[Any, int], Worth] = {}
        self.cut = False
        """Whether a line was stopped before the end of the game."""
        self.sampled = False
        """Whether a chance node was too wide to go through in full."""

    @property
    def looked_at(self) -> int:
        return len(self.known)

    def worth(self, state: Any, depth: int) -> Worth:
        """What ``state`` is worth to each player, ``depth`` decisions before the search stops."""
        key = (state, depth)
        if key not in self.known:
            if len(self.known) >= self.nodes:
                raise _OutOfNodes
            self.known[key] = ()  # counts at once, so that the budget holds for what lies under it too
            self.known[key] = self._look(state, depth)
        return self.known[key]

    def _look(self, state: Any, depth: int) -> Worth:
        game, turn = self.game, self.game.turn(state)
        if turn == TERMINAL:
            return tuple(scores(game, state))
        if turn == CHANCE:
            return self._mean((p, self.worth(game.apply(state, a).state, depth)) for a, p in self._chances(state))
        if turn in game.automatic:
            return self.worth(game.apply(state, game.legal(state)[0]).state, depth)
        if not depth:
            self.cut = True
            if self.evaluate:
                return tuple(self.evaluate(state))
            share = 1 / self.playouts
            return self._mean((share, tuple(play_out(game, state, self.rng))) for _ in range(self.playouts))
        ahead = [self.worth(game.apply(state, action).state, depth - 1) for action in game.legal(state)]
        return max(ahead, key=lambda worth: worth[turn])

    def _chances(self, state: Any) -> list[tuple[Any, float]]:
        """Actions of chance with their probabilities: all, or a sample of equal weights."""
        dist = self.game.chance(state)
        if len(dist) <= self.width:
            return [(action, float(p)) for action, p in dist.items()]
        self.sampled = True
        return [(action, 1 / self.width) for action in dist.sample(self.rng, self.width)]

    @staticmethod
    def _mean(parts: Iterable[tuple[float, Worth]]) -> Worth:
        weighted = [[p * value for value in worth] for p, worth in parts]
        return tuple(map(sum, zip(*weighted, strict=True)))
