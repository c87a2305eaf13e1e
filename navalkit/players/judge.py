"""What a position of a game is worth to a player, for the review of the game once it is over.

A game says in its package's ``REVIEW`` how that is measured (`Yardstick`): as a chance to win or in a unit of its own,
by play-outs of a quick captain, or exactly by a captain whose options say what they are worth. The same dice are
rolled in every play-out of that number, so that differences are surer than the values themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean
from typing import Any

import numpy as np

from navalkit.core.awaited import Steps
from navalkit.core.game import CHANCE, TERMINAL, Game
from navalkit.core.match import Match
from navalkit.core.player import thinking
from navalkit.core.trace import Decision

from . import player
from .base import LONGEST, scores

Worth = Callable[[Any, Any, int], float]
"""Of a game and the state at its end: what it counts for a player, in the yardstick's unit."""
Worlds = Callable[[Any, Any, int, np.random.Generator], Steps[Sequence[Any]]]
"""From what a player sees of a state, and the state itself: n states that look the same to them, drawn at random."""


def won(game: Game[Any, Any], state: Any, me: int) -> float:
    """1 for who has the highest score, shared by several who have it; alone, for any score above 0."""
    got = scores(game, state)
    if game.deciders < 2:
        return float(got[0] > 0)
    best = max(got)
    return 0.0 if got[me] < best else 1.0 / sum(score == best for score in got)


@dataclass(frozen=True, slots=True)
class Yardstick:
    """How the review of a game measures: what its package offers as ``REVIEW``."""

    captain: str
    """The machine player who plays out for everybody; a quick one."""
    adviser: str = ""
    """The one whose orders a player's are held against; left out, the captain."""
    unit: str = ""
    """What is counted ("tons"), or "" for a chance to win, 0 to 1."""
    least: float = 0.1
    """A turning point changes the value by at least so much."""
    exact: bool = False
    """Whether the values of the adviser's options are what they are worth, so that nothing is played out."""
    worth: Worth = won
    """See `Worth`."""
    worlds: Worlds | None = None
    """Where something lies hidden from a lone player: see `Worlds`. A position is worth what it is on the average over
    them, so that nobody is blamed for what they could not know."""

    @property
    def told_apart(self) -> bool:
        """Whether an action is worth something of its own, before it is known what it turned up."""
        return self.exact or self.worlds is not None


Estimate = tuple[float, float]
"""A value and its standard error; 0 where it is exact."""


class Judge:
    """Says what the positions of one match are worth to a player, and remembers what was played out. ``match`` is
    over; ``me`` is the player; ``seed`` is that of the play-outs."""

    def __init__(self, match: Match, me: int, yardstick: Yardstick, seed: int = 1) -> None:
        self.match, self.me, self.yardstick = match, me, yardstick
        self._seed, self._game = seed, match.game
        self._captains = [player(yardstick.captain, match.game) for _ in match.game.players]
        self._adviser = player(yardstick.adviser or yardstick.captain, match.game)
        self._ends: dict[Any, list[float]] = {}
        self._advice: dict[int, Decision] = {}

    def value(self, ply: int, n: int, action: Any = None) -> Steps[Estimate]:
        """What the position after ``ply`` plies is worth, or an action there, by ``n`` play-outs in all.

        With hidden things told apart, an action is worth what could be hoped of it before it was taken.
        """
        state = self.match.at(ply)
        if action is None and self._game.turn(state) == TERMINAL:
            return self.yardstick.worth(self._game, state, self.me), 0.0
        if self.yardstick.exact:
            decided = yield from self.advice(ply)
            values = {option.action: float(option.value) for option in decided.options if option.value is not None}
            return (max(values.values()) if action is None else values[action]), 0.0
        return _estimate((yield from self._hoped(ply, n, action)), self.yardstick)

    def gain(self, ply: int, n: int, taken: Any, other: Any) -> Steps[Estimate]:
        """What another action would have been worth more there, the same dice rolled for both."""
        if self.yardstick.exact:
            mine, others = (yield from self.value(ply, n, taken)), (yield from self.value(ply, n, other))
            return others[0] - mine[0], 0.0
        one, two = (yield from self._hoped(ply, n, taken)), (yield from self._hoped(ply, n, other))
        return _estimate([b - a for a, b in zip(one, two, strict=False)], self.yardstick, 2)

    def _hoped(self, ply: int, n: int, action: Any) -> Steps[list[float]]:
        """What the ends of play-outs count, at least ``n`` of them. An action that was taken is worth its outcome,
        unless the two are told apart."""
        if not self.yardstick.told_apart and action == self.match.plies[ply].action:
            ply, action = ply + 1, None
        ends = self._ends.setdefault((ply, action), [])
        starts: Sequence[Any] = ()
        if len(ends) < n:
            starts = yield from self._starts(self.match.at(ply), ply, n)
        turns = sum(each.by == self.me for each in self.match.plies[:ply])
        for number in range(len(ends), n):
            end = yield from self._played(starts[number % len(starts)], action, number, turns)
            ends.append(self.yardstick.worth(self._game, end, self.me))
        return ends

    def advice(self, ply: int) -> Steps[Decision]:
        """What the adviser would have done after ``ply`` plies, knowing no more than the player did."""
        if ply not in self._advice:
            state = self.match.at(ply)
            seen, legal = self._game.observe(state, self.me), self._game.legal(state)
            self._advice[ply] = yield from thinking(self._adviser, seen, legal, np.random.default_rng(ply))
        return self._advice[ply]

    def _starts(self, state: Any, ply: int, n: int) -> Steps[Sequence[Any]]:
        worlds, turn = self.yardstick.worlds, self._game.turn(state)
        if worlds is None or turn != self.me:
            return (state,)
        seen = self._game.observe(state, self.me)
        return (yield from worlds(seen, state, n, np.random.default_rng([self._seed, ply])))

    def _played(self, state: Any, action: Any, number: int, turns: int) -> Steps[Any]:
        """The end of a play-out from a state, after an action there if one is given. However many dice an action takes,
        after the player's next decision, of which ``turns`` are made, the same are rolled as after any other."""
        game, dice = self._game, np.random.default_rng([self._seed, number, turns])
        for _ in range(LONGEST):
            turn = game.turn(state)
            if turn == TERMINAL:
                return state
            if action is not None:
                chosen, action = action, None
            elif turn == CHANCE:
                chosen = game.chance(state).sample(dice)
            elif turn in game.automatic:
                chosen = game.legal(state)[0]
            else:
                chosen = self._captains[turn].decide(game.observe(state, turn), game.legal(state), dice).action
            state = game.apply(state, chosen).state
            if turn == self.me:
                turns += 1
                dice = np.random.default_rng([self._seed, number, turns])
            yield None
        return state


def _estimate(ends: Sequence[float], yardstick: Yardstick, range_: float = 1) -> Estimate:
    """Their mean and its standard error; a few that are all alike are not taken for certain, and less so where they
    have twice the range, as differences have."""
    mean, n = fmean(ends), len(ends)
    doubt = (range_ * (yardstick.least if yardstick.unit else 1.0)) ** 2 / (4 * n)
    return mean, sqrt((fmean((end - mean) ** 2 for end in ends) + doubt) / n)
