"""The review of a game that is over: what it was worth at every turn, what was skill and what was luck.

The plies of a game fall into spans of one decider each: the reviewed player, another, or chance. Values
(`Judge`) are asked for between spans, at first between a few, and then within those where they changed
most: time goes where it matters. A mistake is an own action in whose place the adviser's would have been worth more.

Where something lies hidden, own actions are measured over what the player could know: play-outs begin in worlds that
look alike to the player (`Worlds`), the same for every action that is compared, with the same dice. What turns up
afterwards is luck or the other side's doing. What is named is beyond three standard errors (`SURE`), mistakes and luck
alike; otherwise nobody can tell.
"""

from __future__ import annotations
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from math import hypot, sqrt
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from navalkit.core.awaited import Awaited, Steps, part
from navalkit.core.game import CHANCE, TERMINAL, Game
from navalkit.core.match import Match
from navalkit.core.trace import Decision, ordered, thinking
from navalkit.core.words import Text
from . import player
from .generic import LONGEST, scores

# -- What a position of a game is worth to a player, for the review of the game once it is over ----
# A game says in its package's ``REVIEW`` how that is measured (`Yardstick`): as a chance to win or in a unit of its
# own, by play-outs of a quick captain, or exactly by a captain whose options say what they are worth. The same dice
# are rolled in every play-out of that number, so that differences are surer than the values themselves.

Worth = Callable[[Any, Any, int], float]
"""Of a game and the state at its end: what it counts for a player, in the yardstick's unit."""
Worlds = Callable[[Any, Any, int, np.random.Generator], Steps[Sequence[Any]]]
"""Of a game and what a player who decides sees of it: n states that look the same to them, drawn by what they could
know. It gets no state, so that nothing hidden can enter."""
Rest = Callable[[Any, Any, int, Sequence[Any], np.random.Generator], float]
"""Of a game, a state in which somebody decides, a player, the machine captains in all seats, and dice: what it is worth
to that player, played on by a quicker way than the rules."""
Doubt = Callable[[Any, Any], float]
"""Of a game and a state: the standard error of what an adviser's options are said to be worth there, 0 if exact."""
SURE = 3.0
"""Standard errors beyond which a cause is named: many are looked at."""
WORLDS = 8
"""Worlds that are drawn at first, and then as many again as there are, up to eight times as many."""


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

    captains: tuple[str | tuple[str, Mapping[str, Any]], ...]
    """The machine players who play out, by name or with options; quick ones. They take turns in every seat, so that no
    order is judged in the adviser's company alone. Between them a scenario comes out as its card says, so that a curve
    begins where the card has it: `tests/players/test_one_chance.py`."""
    by: Text = ""
    """Who they are, in a sentence that a page adds to its curve."""
    adviser: str = ""
    """The one whose orders a player's are held against; left out, the first captain."""
    hints: str = ""
    """The one who gives the page's hints, where that is not the adviser: who obeys a hint makes no mistake."""
    rivals: Mapping[str, str] = field(default_factory=dict)
    """Who plays out in others' seats, by the player who sat there. Of anybody who is not named here nobody knows how
    they play: the captains play for them, and a mistake must be one against every one of these."""
    unit: Text = ""
    """What is counted ("tons"), said in the reader's language, or "" for a chance to win, 0 to 1."""
    least: float = 0.1
    """A turning point changes the value by at least so much."""
    trifle: float = 0.03
    """An order that cost less is no mistake, however sure that is."""
    doubt: Doubt | None = None
    """Where the adviser's options say what they are worth, so that nothing is played out: how far to trust that."""
    level: Doubt | None = None
    """With ``doubt``, which is of differences between orders: how far what a position is worth is off, as curves draw
    it. Left out, as far."""
    worth: Worth = won
    """See `Worth`."""
    worlds: Worlds | None = None
    """Where something lies hidden: see `Worlds`. A position is worth what it is on the average over them, so that
    nobody is blamed for what they could not know."""
    rest: Rest | None = None
    """A quicker way to play on: see `Rest`."""
    ahead: int = 0
    """After how many turns that way breaks off and judges what it has; 0 if it plays to the end. Pages say so."""
    times: int = 1
    """How many times as many play-outs are made as of a game without a quick way: those that fit into the same time."""

    @property
    def told_apart(self) -> bool:
        """Whether an action is worth something of its own, before it is known what it turned up."""
        return self.doubt is not None or self.worlds is not None

    @property
    def otherwise(self) -> bool:
        """Whether the adviser plays otherwise than the captains who say what a position is worth."""
        crew = (each if isinstance(each, str) else each[0] for each in self.captains)
        return bool(self.adviser) and self.adviser not in crew


Estimate = tuple[float, float]
"""A value and its standard error; 0 where it is exact."""


class Judge:
    """Says what the positions of one match are worth to a player, and remembers what was played out. ``match`` is
    over; ``me`` is the player; ``seed`` is that of the play-outs. ``given``: plies whose action was given to the player
    by a lesson, and is nobody's mistake."""

    def __init__(self, match: Match, me: int, yardstick: Yardstick, seed: int = 1,
                 given: Collection[int] = ()) -> None:
        self.match, self.me, self.yardstick, self.given = match, me, yardstick, frozenset(given)
        self._seed, self._game = seed, match.game
        crew = [(each, {}) if isinstance(each, str) else each for each in yardstick.captains]
        self._captains = [[player(name, match.game, **of) for name, of in crew] for _ in match.game.players]
        self._adviser = player(yardstick.adviser or crew[0][0], match.game)
        self._hints = player(yardstick.hints, match.game) if yardstick.hints else None
        rivals = {name: player(name, match.game) for name in yardstick.rivals.values()}
        self._rivals: list[Any] = [None]  # who may be in others' seats, besides those who play out there
        for seat, sat in enumerate(match.players):
            if rivals and seat != me and sat in yardstick.rivals:
                self._captains[seat] = [rivals[yardstick.rivals[sat]]]
            elif seat != me:
                self._rivals = [None, *(each for name, each in rivals.items() if name not in dict(crew))]
        self._ends: dict[Any, list[float]] = {}
        self._advice: dict[int, Decision] = {}
        self._hinted: dict[int, Decision] = {}
        self._worlds: dict[int, list[Any]] = {}

    def value(self, ply: int, n: int, action: Any = None) -> Steps[Estimate]:
        """What the position after ``ply`` plies is worth, or an action there, by ``n`` play-outs in all. With hidden
        things told apart, an action is worth what could be hoped of it before it was taken."""
        state = self.match.at(ply)
        if action is None and self._game.turn(state) == TERMINAL:
            return self.yardstick.worth(self._game, state, self.me), 0.0
        if self.yardstick.doubt is not None:
            decided = yield from self.advice(ply)
            values = {option.action: float(option.value) for option in decided.options if option.value is not None}
            doubt = (self.yardstick.level or self.yardstick.doubt)(self._game, state)
            return (max(values.values()) if action is None else values[action]), doubt
        return _estimate((yield from self._hoped(ply, n, action)), self.yardstick)

    def gain(self, ply: int, n: int, taken: Any, other: Any, first: int = 0) -> Steps[Estimate]:
        """What another action would have been worth more there, in the same worlds and with the same dice, by pairs
        of play-outs ``first`` to ``n`` - 1."""
        if self.yardstick.doubt is not None:
            mine, others = (yield from self.value(ply, n, taken)), (yield from self.value(ply, n, other))
            return others[0] - mine[0], self.yardstick.doubt(self._game, self.match.at(ply))
        found = []
        for rival in self._rivals:
            one = yield from self._hoped(ply, n, taken, rival=rival)
            two = yield from self._hoped(ply, n, other, rival=rival)
            changes = [b - a for a, b in zip(one[first:n], two[first:n], strict=True)]
            found.append(_estimate(changes, self.yardstick, pairs=True))
        return min(found, key=lambda each: each[0] - SURE * each[1])

    def dice(self, first: int, last: int, n: int) -> Steps[Estimate]:
        """What chance alone changed in plies ``first`` to ``last`` (from 1) against what was to be expected of it, all
        cards on the table: the dice as they fell, against dice thrown anew."""
        thrown = [each.by == CHANCE for each in self.match.plies[first - 1 : last]]
        runs = np.flatnonzero(np.diff([False, *thrown, False])).reshape(-1, 2) + first - 1
        found = []
        for before, after in runs.tolist():
            expected = yield from self._hoped(before, n, None, shown=True)
            fell = yield from self._hoped(after, n, None, shown=True)
            changes = [b - a for a, b in zip(expected[:n], fell[:n], strict=True)]
            found.append(_estimate(changes, self.yardstick, pairs=True))
        return sum(each[0] for each in found), hypot(*(each[1] for each in found))

    def _hoped(self, ply: int, n: int, action: Any, shown: bool = False, rival: Any = None) -> Steps[list[float]]:
        """What the ends of play-outs count, at least ``n`` of them. An action that was taken is worth its outcome,
        unless the two are told apart. ``shown``: as it lay, and not as the player could know it. ``rival`` plays in
        all other seats."""
        if not self.yardstick.told_apart and action is not None and action == self.match.plies[ply].action:
            ply, action = ply + 1, None
        ends = self._ends.setdefault((ply, action, shown, rival and rival.name), [])
        turns = sum(each.by == self.me for each in self.match.plies[:ply])
        for number in range(len(ends), n):
            start = self.match.at(ply) if shown else (yield from self._start(ply, number))
            ends.append((yield from self._played(start, action, number, turns, rival)))
            yield None
        return ends

    def advice(self, ply: int) -> Steps[Decision]:
        """What the adviser would have done after ``ply`` plies, knowing no more than the player did."""
        if ply not in self._advice:
            state = self.match.at(ply)
            seen, legal = self._game.observe(state, self.me), self._game.legal(state)
            self._advice[ply] = yield from thinking(self._adviser, seen, legal, np.random.default_rng(ply))
        return self._advice[ply]

    def obeyed(self, ply: int) -> Steps[bool]:
        """Whether the action after ``ply`` plies is one that the adviser would have taken, or the page's hint gives."""
        action, advised = self.match.plies[ply].action, (yield from self.advice(ply)).action
        if self._hints is None or action == advised:
            return bool(action == advised)
        if ply not in self._hinted:
            state = self.match.at(ply)
            seen, legal = self._game.observe(state, self.me), self._game.legal(state)
            self._hinted[ply] = yield from thinking(self._hints, seen, legal, np.random.default_rng(ply))
        return bool(action == self._hinted[ply].action)

    def advised(self, ply: int) -> Decision | None:
        """The same, if it has been asked for."""
        return self._advice.get(ply)

    def _start(self, ply: int, number: int) -> Steps[Any]:
        """Where the play-out of that number begins: the same world whatever is played in it."""
        state, worlds = self.match.at(ply), self.yardstick.worlds
        if worlds is None or self._game.turn(state) != self.me:
            return state
        known = self._worlds.setdefault(ply, [])
        while len(known) <= number:
            rng = np.random.default_rng([self._seed, ply, len(known)])
            more = min(max(WORLDS, len(known)), 8 * WORLDS)
            known += yield from worlds(self._game, self._game.observe(state, self.me), more, rng)
        return known[number]

    def _played(self, state: Any, action: Any, number: int, turns: int, rival: Any = None) -> Steps[float]:
        """What a play-out from a state comes to, after an action there if one is given. However many dice an action
        takes, after the player's next decision, of which ``turns`` are made, the same are rolled as after any other;
        captains have dice of their own."""
        game, rest, seed = self._game, self.yardstick.rest, (self._seed, number)
        crew = [each[number // len(each) ** seat % len(each)] if rival is None or seat == self.me else rival
                for seat, each in enumerate(self._captains)]
        dice, luck = np.random.default_rng([*seed, turns]), np.random.default_rng([*seed, turns, 1])
        for _ in range(LONGEST):
            turn = game.turn(state)
            if turn == TERMINAL:
                break
            if action is not None:
                chosen, action = action, None
            elif turn == CHANCE:
                chosen = game.chance(state).sample(dice)
            elif turn in game.automatic:
                chosen = game.legal(state)[0]
            elif rest is not None:
                return rest(game, state, self.me, crew, dice)
            else:
                chosen = ordered(crew[turn], game.observe(state, turn), partial(game.legal, state), luck)
            state = game.apply(state, chosen).state
            if turn == self.me:
                turns += 1
                dice, luck = np.random.default_rng([*seed, turns]), np.random.default_rng([*seed, turns, 1])
            yield None
        return self.yardstick.worth(game, state, self.me)


FEW = 2.7
"""A few play-outs say little of their own spread. With errors widened by n / (n - 2.7), a mean of n of them lies beyond
three errors by chance as seldom as a normal one does: so Student's distribution has it from four on."""


def _estimate(ends: Sequence[float], yardstick: Yardstick, pairs: bool = False) -> Estimate:
    """Their mean and its standard error; a few that are all alike are not taken for certain. ``pairs``: differences,
    which have twice the range, and of which many are looked at."""
    mean, n = fmean(ends), len(ends)
    doubt = ((2 if pairs else 1) * (yardstick.least if yardstick.unit else 1.0)) ** 2 / (4 * n)
    error = sqrt((fmean((end - mean) ** 2 for end in ends) + doubt) / n)
    return mean, error * n / max(n - FEW, n / 10)


SEVERAL = -2
"""Who decided a turn in which several did, and nobody can tell whose part was greatest."""


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
    trifle: float = 0.0
    """What costs less is no mistake."""
    evidence: Estimate | None = None
    """The same by all pairs there are, where ``cost`` is by those alone that had no part in its being named: who names
    the worst of many names one that came out worse than it is."""

    def _beyond(self, errors: float) -> bool:
        cost, error = self.evidence or (self.cost, self.error)
        return cost > errors * error and self.cost >= self.trifle

    @property
    def sure(self) -> bool:
        """Whether it surely cost something, and more than a trifle."""
        return self._beyond(SURE)

    @property
    def likely(self) -> bool:
        """Whether it may be spoken of as perhaps one."""
        return self._beyond(2)

    @property
    def open(self) -> bool:
        """Whether neither that is known, nor that it cost no more than a trifle."""
        return not self.sure and self.cost + SURE * self.error > self.trifle


@dataclass(frozen=True, slots=True)
class Turn:
    """What changed between two points: plies ``first`` to ``last`` (from 1), decided ``by`` one (-1: chance), or where
    several decided, by who or what is known to have made the greater part of it."""

    first: int
    last: int
    by: int
    change: float
    error: float

    @property
    def sure(self) -> bool:
        """Whether it changed anything at all."""
        return abs(self.change) > SURE * self.error


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
    unit: Text = ""
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

    def apart(self, match: Match) -> float:
        """The share of the player's decisions whose change is known by itself: of few of them ``skill`` says little."""
        by = [ply.by == self.me for ply in match.plies]
        return sum(sum(by[turn.first - 1 : turn.last]) for turn in self.turns if turn.by == self.me) / max(1, sum(by))

    @property
    def turning(self) -> tuple[Turn, ...]:
        """The turning points, the greatest first: they changed more than play-outs make of nothing."""
        telling = (turn for turn in self.turns if turn.sure and abs(turn.change) >= self.least)
        return tuple(sorted(telling, key=lambda turn: -abs(turn.change)))

    @property
    def deciding(self) -> Turn | None:
        """The turn that decided the game: the greatest in the direction of its result, however sure; where the value
        ends as it began, the greatest turning point."""
        way = self.points[-1].value - self.points[0].value
        on_its_way = (turn for turn in self.turns if turn.change * way > 0)
        return max(on_its_way, key=lambda turn: abs(turn.change), default=next(iter(self.turning), None))


DEEPEST = 4
"""How many times as many games the ends of the deciding turn, and its dice, are played out with, at most."""
LEADING = 3
"""Turning points whose cause is asked for, besides what decided the game; and mistakes whose cost is measured anew."""
ANEW = 2
"""As many times as many pairs, so that few of those that were named must be taken back."""
FIRST_LOOK = 1 / 3
"""The share of a budget of pairs that all orders looked at get alike; the rest goes where it may tell most."""


class _At(NamedTuple):
    """A moment of a match: after `ply` plies, or where things are told apart, after the next action too, before
    anybody knows what it turned up."""

    ply: int
    acted: bool = False


Told = Callable[[Review], None]
"""Hears how far a review has come: it as it would be if nothing more were played out."""


def review(judge: Judge, n: int = 12, points: int = 24, told: Told = lambda found: None) -> Awaited[Review]:
    """The review of a match that is over. A second one of the same judge uses what the first has played out. ``n``:
    play-outs a point, `Yardstick.times` as many where they are quick. ``points``: at how many points the value is asked
    for, start and end included. ``told`` is called with what has been found so far after each point, the end first, and
    after each mistake."""
    return Awaited(("review", judge, n, points), lambda: _reviewed(judge, n * judge.yardstick.times, points, told))


def _reviewed(judge: Judge, n: int, most: int, told: Told) -> Steps[Review]:
    moments, played_out = _moments(judge.match, judge.me, judge.yardstick), judge.yardstick.doubt is None
    looked = most // 2 if played_out else len(moments)  # a short game's orders get no fewer games than a long one's
    most = min(most, len(moments)) if played_out else len(moments)
    known: dict[_At, Estimate] = {}
    wanted = [moments[-1], moments[0]]  # the end takes no time
    while wanted:
        for at in wanted:
            known[at] = yield from _valued(judge, at, n)
            told(_found(judge, moments, known))
            yield len(known) / (most + looked)
        wanted = _next(moments, known, most) or _closer(moments, known)
    found = _found(judge, moments, known)
    if played_out:
        found = yield from _caused(judge, (yield from _surer(judge, moments, known, n)), known, n)
        told(found)
    return (yield from part(mistakes(judge, found, n, looked, told), most / (most + looked), 1))


def _valued(judge: Judge, at: _At, n: int) -> Steps[Estimate]:
    return (yield from judge.value(at.ply, n, judge.match.plies[at.ply].action if at.acted else None))


def _surer(judge: Judge, moments: Sequence[_At], known: dict[_At, Estimate], n: int) -> Steps[Review]:
    """The review, with more play-outs at the ends of the turn that decided the game until it is sure."""
    found, times = _found(judge, moments, known), 1
    while times < DEEPEST and (turn := found.deciding) and not turn.sure:
        times *= 2
        for at in sorted(known)[(place := found.turns.index(turn)) : place + 2]:
            known[at] = yield from _valued(judge, at, times * n)
            yield None
        found = _found(judge, moments, known)
    return found


def _caused(judge: Judge, found: Review, known: dict[_At, Estimate], n: int) -> Steps[Review]:
    """The review, with the part of the dice in what lies between two decisions of the player's, in leading turns."""
    leading, turns = {found.deciding, *found.turning[:LEADING]}, []
    for (a, b), turn in zip(pairwise(sorted(known)), found.turns, strict=True):
        between = a.acted and not b.acted and b.ply == _following(judge, a.ply)
        if between and turn.by == SEVERAL and turn in leading and turn.sure:
            turn = replace(turn, by=(yield from _cause(judge, turn, n)))
        turns.append(turn)
    return replace(found, turns=tuple(turns))


def _cause(judge: Judge, turn: Turn, n: int) -> Steps[int]:
    """Which of chance and another player surely made the greater part of a turn in which both had one."""
    rivals = {each.by for each in judge.match.plies[turn.first : turn.last]} - {CHANCE, *judge.match.game.automatic}
    for times in (1, 2, DEEPEST):
        luck, doubt = yield from judge.dice(turn.first, turn.last, times * n)
        theirs = turn.change - luck, hypot(turn.error, doubt)
        for by, (change, error) in ((CHANCE, (luck, doubt)), (min(rivals), theirs)):
            if change * turn.change > 0 and 2 * abs(change) >= abs(turn.change) and abs(change) > SURE * error:
                return by
    return SEVERAL


def _found(judge: Judge, moments: Sequence[_At], known: dict[_At, Estimate]) -> Review:
    """The review as far as values are known, without mistakes."""
    asked = [at for at in moments if at in known]
    turns = tuple(_turn(judge, known, a, b) for a, b in pairwise(asked))
    points = tuple(Point(at.ply, *known[at]) for at in asked if not at.acted)
    return Review(judge.me, points, turns, (), judge.yardstick.unit, judge.yardstick.least)


def mistakes(judge: Judge, so_far: Review, n: int, most: int, told: Told) -> Steps[Review]:
    """Among own actions that the adviser would not have taken, those in the turns that cost most first. As many pairs
    of games are played out as ``most`` actions would need with ``n`` pairs each: some for each of them, then twice as
    many again and again for the one that may have cost most and is still open, until none is. What those that head the
    list cost is then measured anew, by other pairs."""
    left, pairs, found = list[int](), dict[int, int](), dict[int, Mistake]()
    budget = n * most if judge.yardstick.doubt is None else 0
    own = (turn for turn in so_far.turns if turn.by in (judge.me, SEVERAL))
    for turn in sorted(own, key=lambda turn: turn.change):
        for ply in range(turn.first - 1, turn.last):
            mine = judge.match.plies[ply].by == judge.me and ply not in judge.given and ply not in left
            if mine and len(left) < n * most:
                left += [ply] * (not (yield from judge.obeyed(ply)))
                yield 0.0
    share = max(1, int(FIRST_LOOK * budget / max(1, len(left))))
    while left or (spent := sum(pairs.values())) < budget:
        if left:
            ply, more = left.pop(0), share
        elif still := [ply for ply, each in found.items() if each.open]:
            ply = max(still, key=lambda ply: found[ply].cost + found[ply].error)
            more = min(pairs[ply], budget - spent)
        else:
            break
        pairs[ply] = pairs.get(ply, 0) + more
        taken, better = judge.match.plies[ply].action, (yield from judge.advice(ply)).action
        cost, error = yield from judge.gain(ply, pairs[ply], taken, better)
        found[ply] = Mistake(ply + 1, taken, better, cost, error, judge.yardstick.trifle)
        told(replace(so_far, mistakes=_listed(found)))
        yield min(0.9, sum(pairs.values()) / max(1, budget))
    while budget and (heads := [each for each in _listed(found)[:LEADING] if each.likely and each.evidence is None]):
        each, ply = heads[0], heads[0].ply - 1
        orders, n = (each.taken, each.better), ANEW * pairs[ply]
        cost, error = yield from judge.gain(ply, pairs[ply] + n, *orders, first=pairs[ply])
        evidence = yield from judge.gain(ply, pairs[ply] + n, *orders)
        found[ply] = replace(each, cost=cost, error=error, evidence=evidence)
        told(replace(so_far, mistakes=_listed(found)))
        yield 0.9
    return replace(so_far, mistakes=_listed(found))


def _listed(found: dict[int, Mistake]) -> tuple[Mistake, ...]:
    """What cost something, the worst and surest first; but what was measured anew and stays heads the list, for the
    best of many measurements would be too good again."""
    kept = [each for each in found.values() if each.cost > 0]
    return tuple(sorted(kept, key=lambda each: (not (each.evidence and each.likely), each.error - each.cost)))


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
    gaps = [(change / scale + 0.2 * (b - a) / len(moments), (a + b) // 2)
            for change, a, b in zip(changes, places, places[1:], strict=False) if b - a > 1]
    return [moments[max(gaps)[1]]] if gaps else []


def _closer(moments: Sequence[_At], known: dict[_At, Estimate]) -> list[_At]:
    """The middle of the greatest change in the direction of the result, until one decision made it: that is named."""
    way = known[moments[-1]][0] - known[moments[0]][0]
    places = [number for number, at in enumerate(moments) if at in known]
    changes = [((known[moments[b]][0] - known[moments[a]][0]) * way, a, b) for a, b in pairwise(places)]
    change, a, b = max(changes, key=lambda each: each[0])
    return [moments[(a + b) // 2]] if change > 0 and b - a > 1 else []


def _turn(judge: Judge, known: dict[_At, Estimate], a: _At, b: _At) -> Turn:
    """Between two moments. After an action whose outcome is not known yet comes luck, or what others do."""
    deciders, by = {ply.by for ply in judge.match.plies[a.ply + a.acted : b.ply + b.acted]}, SEVERAL
    if judge.yardstick.told_apart and a.acted and not b.acted and b.ply == _following(judge, a.ply):
        deciders = deciders if deciders - {CHANCE, *judge.match.game.automatic} else {CHANCE}
    elif judge.yardstick.told_apart and (a.ply, a.acted, b.acted) != (b.ply, False, True):
        deciders = set()
    if len(deciders) == 1:
        (by,) = deciders
    change, error = known[b][0] - known[a][0], hypot(known[a][1], known[b][1])
    return Turn(a.ply + 1, b.ply + b.acted, by, change, error)


def _following(judge: Judge, ply: int) -> int:
    """The ply of the player's next decision, or the end."""
    plies = judge.match.plies
    return next((i for i in range(ply + 1, len(plies)) if plies[i].by == judge.me), len(plies))
