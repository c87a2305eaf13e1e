"""The review of a game that is over: the chance to win at every turn of it, what was skill and what was luck.

The plies of a game fall into spans of one decider each: the reviewed player, another, or chance. The chance to win is
asked for between spans: exactly, where the game can say (``CHANCE`` of its package), else by play-outs of the state by
a quick machine player, with the same dice for all states, so that differences are surer than the chances themselves.
It is asked for at first between game moves, and then within those where it changed most: time goes where it matters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.game import CHANCE, TERMINAL, Game
from navalkit.core.match import Match
from navalkit.core.registry import package_of

from . import player
from .base import LONGEST, scores

Won = Callable[[Game[Any, Any], Any, int], float]
"""``WON`` of a game's package: what the end of a game counts for a player, from 0 (lost) to 1 (won)."""
Exact = Callable[[Game[Any, Any], Any, int], float | None]
"""``CHANCE`` of a game's package: a player's exact chance to win from a state, or None where it takes too long."""

LEAST = 0.1
"""A turning point changes the chance to win by at least this much, and by twice its error."""


@dataclass(frozen=True, slots=True)
class Point:
    """The chance to win after `ply` plies, and its standard error; 0 where it is exact."""

    ply: int
    chance: float
    error: float


@dataclass(frozen=True, slots=True)
class Turn:
    """What changed between two points: plies ``first`` to ``last`` (from 1), all decided ``by`` one (-1: chance)."""

    first: int
    last: int
    by: int
    change: float
    error: float

    @property
    def telling(self) -> bool:
        """Whether the change is more than chance in the play-outs would make of nothing."""
        return abs(self.change) >= max(LEAST, 2 * self.error)


@dataclass(frozen=True, slots=True)
class Review:
    """How a game went for a player.

    Parameters
    ----------
    me : int
    points : tuple of Point
        In the order of the game, from its start to its end.
    turns : tuple of Turn
        Between neighbouring points.
    """

    me: int
    points: tuple[Point, ...]
    turns: tuple[Turn, ...]

    @property
    def skill(self) -> float:
        """The sum of what the player's own decisions changed."""
        return sum(turn.change for turn in self.turns if turn.by == self.me)

    @property
    def luck(self) -> float:
        """The sum of what the dice and the cards changed."""
        return sum(turn.change for turn in self.turns if turn.by < 0)

    @property
    def others(self) -> float:
        """The sum of what others decided."""
        return sum(turn.change for turn in self.turns if turn.by >= 0 and turn.by != self.me)

    @property
    def turning(self) -> tuple[Turn, ...]:
        """The turning points, the greatest first."""
        return tuple(sorted((t for t in self.turns if t.telling), key=lambda t: -abs(t.change)))

    @property
    def mistakes(self) -> tuple[Turn, ...]:
        """The player's own decisions that cost most, the worst first."""
        return tuple(turn for turn in self.turning if turn.by == self.me and turn.change < 0)

    @property
    def deciding(self) -> Turn | None:
        """The turn that decided the game: the greatest in the direction of its result."""
        way = self.points[-1].chance - self.points[0].chance
        return next((turn for turn in self.turning if turn.change * way > 0), next(iter(self.turning), None))


def review(match: Match, me: int, captain: str, n: int = 12, points: int = 24, seed: int = 1) -> Awaited[Review]:
    """The review of a match that is over.

    Parameters
    ----------
    match : Match
    me : int
        For whom.
    captain : str
        The machine player who plays out for everybody; a quick one.
    n : int
        Play-outs a point.
    points : int
        At how many points the chance is asked for, start and end included.
    seed : int
        Of the play-outs.
    """
    key = "review", id(match.game), match.seed, match.ply, str(match.state), me, captain, n, points
    return Awaited(key, lambda: _reviewed(match, me, captain, n, points, seed))


def _reviewed(match: Match, me: int, captain: str, n: int, most: int, seed: int) -> Steps[Review]:
    judge = _Judge(match.game, me, captain, n, seed)
    ends = _spans(match)
    known: dict[int, Point] = {}
    wanted = [0, match.ply]
    while wanted:
        for ply in wanted:
            known[ply] = Point(ply, *(yield from judge.chance(match.at(ply))))
            yield len(known) / most
        wanted = _next(ends, known, most)
    points = tuple(known[ply] for ply in sorted(known))
    turns = tuple(_turn(match, a, b) for a, b in zip(points, points[1:], strict=False))
    return Review(me, points, turns)


def _spans(match: Match) -> list[int]:
    """After which plies another decides, the start and the end included."""
    by = [ply.by for ply in match.plies]
    return [0, *(i for i in range(1, len(by)) if by[i] != by[i - 1]), len(by)]


def _next(ends: Sequence[int], known: dict[int, Point], most: int) -> list[int]:
    """The points asked for next: the middle of where the chance changes most, or of the widest gap."""
    if len(known) >= min(most, len(set(ends))):
        return []
    places = sorted(known)
    gaps = []
    for a, b in zip(places, places[1:], strict=False):
        inside = [ply for ply in ends if a < ply < b]
        if inside:
            change = abs(known[a].chance - known[b].chance)
            gaps.append((change + 0.02 * len(inside), inside[len(inside) // 2]))
    return [max(gaps)[1]] if gaps else []


def _turn(match: Match, a: Point, b: Point) -> Turn:
    """Between two points: decided by one, or by several and then put down to the last of them who is not chance."""
    deciders = [ply.by for ply in match.plies[a.ply : b.ply]]
    people = [by for by in deciders if by != CHANCE]
    by = deciders[0] if len(set(deciders)) == 1 else people[-1] if people else CHANCE
    return Turn(a.ply + 1, b.ply, by, b.chance - a.chance, sqrt(a.error**2 + b.error**2))


class _Judge:
    """Says how likely a player is to win from a state."""

    def __init__(self, game: Game[Any, Any], me: int, captain: str, n: int, seed: int) -> None:
        self.game, self.me, self.n, self.seed = game, me, n, seed
        offered = package_of(game).offered
        self.exact: Exact | None = offered("CHANCE", None)
        self.won: Won = offered("WON", _won)
        self.players = [player(captain, game) for _ in game.players]

    def chance(self, state: Any) -> Steps[tuple[float, float]]:
        if self.game.turn(state) == TERMINAL:
            return self.won(self.game, state, self.me), 0.0
        if self.exact is not None and (exact := self.exact(self.game, state, self.me)) is not None:
            return exact, 0.0
        found = []
        for number in range(self.n):
            end = yield from self._played(state, number)
            found.append(self.won(self.game, end, self.me))
        mean = sum(found) / self.n
        return mean, sqrt((mean * (1 - mean) + 1 / (4 * self.n)) / self.n)

    def _played(self, state: Any, number: int) -> Steps[Any]:
        """The end of one game from a state."""
        game = self.game
        dice = np.random.default_rng([self.seed, number])
        for _ in range(LONGEST):
            turn = game.turn(state)
            if turn == TERMINAL:
                return state
            if turn == CHANCE:
                action = game.chance(state).sample(dice)
            elif turn in game.automatic:
                action = game.legal(state)[0]
            else:
                action = self.players[turn].decide(game.observe(state, turn), game.legal(state), dice).action
            state = game.apply(state, action).state
            yield None
        return state


def _won(game: Game[Any, Any], state: Any, me: int) -> float:
    """Of a game without an own rule: with several deciders the highest score wins; alone, any score above 0."""
    got = scores(game, state)
    if game.deciders < 2:
        return float(got[0] > 0)
    best = max(got)
    return 0.0 if got[me] < best else 1.0 / sum(score == best for score in got)
