"""The review of a game that is over: what it was worth at every turn, what was skill and what was luck.

The plies of a game fall into spans of one decider each: the reviewed player, another, or chance. Values
(`navalkit.players.judge`) are asked for between spans, at first between a few, and then within those where they changed
most: time goes where it matters. A mistake is an own action in whose place the adviser's would have been worth more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot
from typing import Any, NamedTuple

from navalkit.core.awaited import Awaited, Steps, part
from navalkit.core.game import CHANCE
from navalkit.core.match import Match

from .judge import Estimate, Judge, Yardstick

SEVERAL = -2
"""Who decided a turn in which several did, because it was not looked at more closely."""


@dataclass(frozen=True, slots=True)
class Point:
    """The value after `ply` plies, and its standard error; 0 where it is exact."""

    ply: int
    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Mistake:
    """An own action that the adviser would not have taken, and that cost something."""

    ply: int
    """Which ply, from 1."""
    taken: Any
    better: Any
    """The action, and the adviser's."""
    cost: float
    error: float
    """What the adviser's would have been worth more, and the standard error of that."""

    @property
    def sure(self) -> bool:
        """Whether it cost something by more than three times the error: many are looked at."""
        return self.cost > 3 * self.error


@dataclass(frozen=True, slots=True)
class Turn:
    """What changed between two points: plies ``first`` to ``last`` (from 1), decided ``by`` one (-1: chance)."""

    first: int
    last: int
    by: int
    change: float
    error: float


@dataclass(frozen=True, slots=True)
class Review:
    """How a game went for a player."""

    me: int
    points: tuple[Point, ...]
    """In the order of the game, from its start to its end."""
    turns: tuple[Turn, ...]
    """Between neighbouring points."""
    mistakes: tuple[Mistake, ...] = ()
    """Those among the actions looked at, the worst and surest first."""
    unit: str = ""
    """Of the values: "" for a chance to win, 0 to 1."""
    least: float = 0.1
    """A turning point changes the value by at least so much."""

    @property
    def skill(self) -> float:
        """The sum of what the player's own decisions changed."""
        return sum(turn.change for turn in self.turns if turn.by == self.me)

    @property
    def luck(self) -> float:
        """The sum of what the dice and the cards changed."""
        return sum(turn.change for turn in self.turns if turn.by == CHANCE)

    @property
    def others(self) -> float:
        """The sum of what others decided, and of turns that were not told apart."""
        return sum(turn.change for turn in self.turns if turn.by not in (self.me, CHANCE))

    @property
    def turning(self) -> tuple[Turn, ...]:
        """The turning points, the greatest first: they changed more than play-outs make of nothing."""
        telling = (turn for turn in self.turns if abs(turn.change) >= max(self.least, 2 * turn.error))
        return tuple(sorted(telling, key=lambda turn: -abs(turn.change)))

    @property
    def deciding(self) -> Turn | None:
        """The turn that decided the game: the greatest in the direction of its result, however sure; where the value
        ends as it began, the greatest turning point."""
        way = self.points[-1].value - self.points[0].value
        on_its_way = (turn for turn in self.turns if turn.change * way > 0)
        return max(on_its_way, key=lambda turn: abs(turn.change), default=next(iter(self.turning), None))


DEEPEST = 4
"""How many times as many games a mistake is played out with as a point, at most."""


class _At(NamedTuple):
    """A moment of a match: after `ply` plies, or where things are told apart, after the next action too, before
    anybody knows what it turned up."""

    ply: int
    acted: bool = False


Told = Callable[[Review], None]
"""Hears how far a review has come: it as it would be if nothing more were played out."""


def review(judge: Judge, n: int = 12, points: int = 24, told: Told = lambda found: None) -> Awaited[Review]:
    """The review of a match that is over. A second one of the same judge uses what the first has played out.

    ``n``: play-outs a point. ``points``: at how many points the value is asked for, start and end included. ``told`` is
    called with what has been found so far after each point, the end first, and after each mistake.
    """
    return Awaited(("review", judge, n, points), lambda: _reviewed(judge, n, points, told))


def _reviewed(judge: Judge, n: int, most: int, told: Told) -> Steps[Review]:
    moments, exact = _moments(judge.match, judge.me, judge.yardstick), judge.yardstick.exact
    most = len(moments) if exact else min(most, len(moments))
    looked = most if exact else most // 2
    known: dict[_At, Estimate] = {}
    wanted = [moments[-1], moments[0]]  # the end takes no time
    while wanted:
        for at in wanted:
            action = judge.match.plies[at.ply].action if at.acted else None
            known[at] = yield from judge.value(at.ply, n, action)
            told(_found(judge, moments, known))
            yield len(known) / (most + looked)
        wanted = _next(moments, known, most) or _closer(moments, known)
    found = _found(judge, moments, known)
    return (yield from part(_mistakes(judge, found, n, looked, told), most / (most + looked), 1))


def _found(judge: Judge, moments: Sequence[_At], known: dict[_At, Estimate]) -> Review:
    """The review as far as values are known, without mistakes."""
    asked = [at for at in moments if at in known]
    turns = tuple(_turn(judge, known, a, b) for a, b in pairwise(asked))
    points = tuple(Point(at.ply, *known[at]) for at in asked if not at.acted)
    return Review(judge.me, points, turns, (), judge.yardstick.unit, judge.yardstick.least)


def _mistakes(judge: Judge, so_far: Review, n: int, most: int, told: Told) -> Steps[Review]:
    """Among own actions that the adviser would not have taken, those in the turns that cost most first.

    As many pairs of games are played out as ``most`` actions would need with ``n`` pairs each. All share the first of
    them alike; again and again the half that may have cost least drops out, and the rest share as many pairs anew.
    """
    found: dict[int, Mistake] = {}
    listed, left = list[Mistake](), list[int]()
    own = (turn for turn in so_far.turns if turn.by in (judge.me, SEVERAL))
    for turn in sorted(own, key=lambda turn: turn.change):
        for ply in range(turn.first - 1, turn.last):
            if judge.match.plies[ply].by == judge.me and len(left) < n * most:
                better = (yield from judge.advice(ply)).action
                left += [ply] * (judge.match.plies[ply].action != better)
                yield 0.0
    rounds, pairs = max(1, len(left).bit_length() - 1), 0
    for nth in range(rounds):
        pairs = min(DEEPEST * n, pairs + max(1, n * most // (rounds * max(1, len(left)))))
        for number, ply in enumerate(left):
            taken, better = judge.match.plies[ply].action, (yield from judge.advice(ply)).action
            cost, error = yield from judge.gain(ply, pairs, taken, better)
            found[ply] = Mistake(ply + 1, taken, better, cost, error)
            listed = sorted((each for each in found.values() if each.cost > 0), key=lambda each: each.error - each.cost)
            told(replace(so_far, mistakes=tuple(listed)))
            yield (nth + (number + 1) / len(left)) / rounds
        left = sorted(left, key=lambda ply: -found[ply].cost - found[ply].error)[: (len(left) + 1) // 2]
    return replace(so_far, mistakes=tuple(listed))


def _moments(match: Match, me: int, yardstick: Yardstick) -> list[_At]:
    """After which plies another decides, the start and the end included; told apart, every own decision's two sides."""
    by = [ply.by for ply in match.plies]
    end = _At(len(by))
    if yardstick.told_apart:
        return [*(_At(ply, acted) for ply, who in enumerate(by) if who == me for acted in (False, True)), end]
    return [_At(0), *(_At(i) for i in range(1, len(by)) if by[i] != by[i - 1]), end]


def _next(moments: Sequence[_At], known: dict[_At, Estimate], most: int) -> list[_At]:
    """The moments asked for next: the middle of where the value changes most, or of the widest gap."""
    if len(known) >= most:
        return []
    places = [number for number, at in enumerate(moments) if at in known]
    changes = [abs(known[moments[a]][0] - known[moments[b]][0]) for a, b in pairwise(places)]
    scale = sum(changes) or 1.0
    gaps = [
        (change / scale + 0.2 * (b - a) / len(moments), (a + b) // 2)
        for change, a, b in zip(changes, places, places[1:], strict=False)
        if b - a > 1
    ]
    return [moments[max(gaps)[1]]] if gaps else []


def _closer(moments: Sequence[_At], known: dict[_At, Estimate]) -> list[_At]:
    """The middle of the greatest change in the direction of the result, until one decision made it: that is named."""
    way = known[moments[-1]][0] - known[moments[0]][0]
    places = [number for number, at in enumerate(moments) if at in known]
    changes = [((known[moments[b]][0] - known[moments[a]][0]) * way, a, b) for a, b in pairwise(places)]
    change, a, b = max(changes, key=lambda each: each[0])
    return [moments[(a + b) // 2]] if change > 0 and b - a > 1 else []


def _turn(judge: Judge, known: dict[_At, Estimate], a: _At, b: _At) -> Turn:
    """Between two moments. After an action whose outcome is not known yet comes luck."""
    deciders = {ply.by for ply in judge.match.plies[a.ply : b.ply + b.acted]}
    if judge.yardstick.told_apart:
        by = CHANCE if a.acted and not b.acted and b.ply == _following(judge, a.ply) else SEVERAL
        by = judge.me if (a.ply, a.acted, b.acted) == (b.ply, False, True) else by
    else:
        by = deciders.pop() if len(deciders) == 1 else SEVERAL
    change, error = known[b][0] - known[a][0], hypot(known[a][1], known[b][1])
    return Turn(a.ply + 1, b.ply + b.acted, by, change, error)


def _following(judge: Judge, ply: int) -> int:
    """The ply of the player's next decision, or the end."""
    plies = judge.match.plies
    return next((i for i in range(ply + 1, len(plies)) if plies[i].by == judge.me), len(plies))
