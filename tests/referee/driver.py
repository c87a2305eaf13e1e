"""Plays random games through the house and asks the referee about every position on the way.

The referee (one module a game, written from the sources and the rulings alone) follows each game from its own
beginning: before an action the two must agree on whose turn it is, what may be done and how likely chance's actions
are; after it, on everything that lies on the table; at the end, on who has won. The first disagreement is played again
under many seeds, and the shortest position that shows the same thing is printed: with it,
``house.parse_state(text)`` and the action are all that is needed.
"""

from __future__ import annotations
from collections import Counter
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import navalkit as nk
from navalkit.core.errors import OptionError
from navalkit.core.game import CHANCE, TERMINAL, Game


class Disagreement(AssertionError):
    """Where house and referee part."""

    def __init__(self, about: str, position: str, house: Any, referee: Any) -> None:
        super().__init__(f"{about}\n  position: {position}\n  house:   {house}\n  referee: {referee}")
        self.about, self.position = about, position


@dataclass(frozen=True)
class Table:
    """One game, and how the two sides of the comparison meet.

    Parameters
    ----------
    game : str
        As in ``nk.load``.
    options : callable
        Generator -> options of a random game, so that all of them come up.
    begin : callable
        House, generator -> the house's state before the first action, and the referee's position.
    read : callable
        House, state -> what must lie on the table, in the referee's words.
    shown : callable
        The referee's position -> what of it `read` gives.
    turn, moves, luck, play : callable
        The referee: position -> side, "chance" or "over"; -> set of notations; -> notation -> probability;
        position, notation -> position.
    ending : callable
        The referee's final position -> (result, scores); None if that is not its business.
    dull : tuple of str
        Notations that random players choose seldom, or games would end before they begin.
    longest : int
        Games are broken off after at most that many positions, each at its own number: many beginnings, some ends.
    resume : callable, optional
        House, state -> the referee's position, for a referee that decides only part of a game: it begins anew from
        every position of the house, and what it says nothing about is not compared. If the house has gone on
        beyond what the referee gives under "while", what it gives under "ended" counts (a function), or nothing.
    views : two callables, optional
        House, state -> what each side may see; the referee's position -> the same.
    asked : callable, optional
        House, state -> what may be done, for a house that need not list it all.
    """

    game: str
    options: Callable[[np.random.Generator], Mapping[str, Any]]
    begin: Callable[[Game[Any, Any], np.random.Generator], tuple[Any, dict[str, Any]]]
    read: Callable[[Game[Any, Any], Any], dict[str, Any]]
    shown: Callable[[dict[str, Any]], dict[str, Any]]
    turn: Callable[[dict[str, Any]], Any]
    moves: Callable[[dict[str, Any]], set[str]]
    luck: Callable[[dict[str, Any]], Mapping[str, Any] | None]
    play: Callable[[dict[str, Any], str], dict[str, Any]]
    ending: Callable[[dict[str, Any]], tuple[str, tuple[float, ...]]] | None
    dull: tuple[str, ...] = ()
    longest: int = 10**9
    resume: Callable[[Game[Any, Any], Any], dict[str, Any]] | None = None
    views: tuple[Callable[[Game[Any, Any], Any], Any], Callable[[dict[str, Any]], Any]] | None = None
    asked: Callable[[Game[Any, Any], Any], set[str]] | None = None


def agree(table: Table, positions: int, seed: int = 0, *, silent: Set[str], rare: Set[str] = frozenset()) -> None:
    """Compare random games until ``positions`` positions have agreed.

    Raises
    ------
    Disagreement
        With the smallest position found that shows it.
    AssertionError
        If not all rules but the ``silent`` ones came up in the events on the way (``rare`` ones may, or may not).
    """
    rules: Counter[str] = Counter()
    agreed, number = 0, seed
    while agreed < positions:
        try:
            agreed += one_game(table, number, rules)
        except Disagreement as first:
            raise smallest(table, first, number) from None
        number += 1
    print(f"{table.game}: house and referee agree over {agreed:,} positions of {number - seed:,} games.")
    unseen = set(nk.load(table.game).rules()) - set(rules)
    wrong = sorted((unseen ^ silent) - rare)
    assert not wrong, f"{table.game}: {wrong} came up where they should not, or did not."


def smallest(table: Table, first: Disagreement, seed: int, games: int = 12) -> Disagreement:
    """Of the positions of more games that show the same disagreement, the one with the shortest text."""
    found = [first]
    for number in range(seed + 1, seed + 1 + games):
        try:
            one_game(table, number, Counter())
        except Disagreement as other:
            found.append(other)
    return min((one for one in found if one.about == first.about), key=lambda one: len(one.position))


def one_game(table: Table, seed: int, rules: Counter[str]) -> int:
    """Compare one random game; the number of positions in it. Its events are counted in ``rules``."""
    rng = np.random.default_rng([seed, len(table.game)])
    house = load(table, rng)
    state, game = table.begin(house, rng)
    agreed, end = 0, int(rng.integers(table.longest // 8, table.longest))
    known, ask = dict[str, Any](), np.random.default_rng([seed, 77])
    while True:
        position = _Position(house, seed, state)
        by, turn = house.turn(state), table.turn(game)
        _same("whose turn it is", position, by, {"chance": CHANCE, "over": TERMINAL}.get(turn, turn))
        if table.views:
            _same("what is seen", position, table.views[0](house, state), table.views[1](game))
        agreed += 1
        if by == TERMINAL:
            outcome = house.outcome(state)
            assert outcome is not None
            if table.ending:
                _same("how it ended", position, (outcome.result, outcome.scores), table.ending(game))
        if by == TERMINAL or agreed > end:
            return agreed
        if by == CHANCE:
            odds = table.luck(game)
            if odds is not None:
                chances = {str(outcome): p for outcome, p in house.chance(state).items()}
                _same("what chance may do", position, chances, dict(odds))
            action = house.chance(state).pick(int(rng.integers(2**40)))
        else:
            legal = house.legal(state)
            listed = table.asked(house, state) if table.asked else set(map(str, legal))
            may = table.moves(game)
            _same("what may be done", position, listed, may)
            known |= {str(each): each for each in legal[:40]} if len(known) < 400 else {}
            for text in ask.choice(list(known), min(3, len(known))) if not table.asked else ():  # where all is listed
                after = position.before(each := known[text])
                about = f"whether {type(each).__name__.lower()} may be done"
                _same(about, after, house.why_not(state, each) is None, text in may)
            lively = [each for each in legal if str(each).split(" ")[0] not in table.dull]
            pool = lively if lively and rng.random() < 0.9 else legal
            action = pool[int(rng.integers(len(pool)))]
        step = house.apply(state, action)
        rules.update(event.rule for event in step.events)
        state, game = step.state, table.play(game, str(action))
        there, here = table.read(house, state), table.shown(game)
        ended = here.pop("ended", dict)
        if any(there[key] != value for key, value in here.pop("while", {}).items()):
            here = ended()
        verb = type(action).__name__.lower()
        for key in sorted(here.keys() if table.resume else there.keys() | here.keys()):
            about = f"{key.split(' ')[-1]} after {verb}"
            _same(about, position.before(action), there.get(key), here.get(key))
        if table.resume:
            game = table.resume(house, state)


def load(table: Table, rng: np.random.Generator) -> Game[Any, Any]:
    """A game with random options; those that the house finds impossible together are drawn again."""
    while True:
        try:
            return nk.load(table.game, **table.options(rng))
        except OptionError:
            continue


@dataclass(frozen=True)
class _Position:
    """A position, and what was done there, written down only if house and referee part."""

    house: Game[Any, Any]
    seed: int
    state: Any
    action: Any = None

    def before(self, action: Any) -> _Position:
        return replace(self, action=action)

    def __str__(self) -> str:
        done = f"\n  action:   {self.action}" if self.action is not None else ""
        return f"{self.house!r} seed {self.seed}: {self.house.format_state(self.state)}{done}"


def _same(about: str, position: _Position, house: Any, referee: Any) -> None:
    if house != referee:
        if isinstance(house, set) and isinstance(referee, set):
            house, referee = f"also {sorted(house - referee)}", f"also {sorted(referee - house)}"
        raise Disagreement(about, str(position), house, referee)


def flips(rng: np.random.Generator, *names: str) -> dict[str, bool]:
    """Each of these options on or off."""
    return {name: bool(rng.integers(2)) for name in names}
