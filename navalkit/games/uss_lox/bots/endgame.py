"""The last cards of a patrol, exactly: every order and every draw, with the very cards the pool still holds.

With few unseen cards all sets of them can be listed: a set is a bit mask over the pool. For each *cell* (ocean and
torpedoes left, estimates, tonnage, patrol) a table holds the value for every set at once; how many cards the deck has
follows from the size of the set. A salvo takes a subset out of a set, so that all salvoes at all ships are one matrix
product. The cells depend on each other in the order of the rules, and are worked out when they are asked for.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from ..rules import cards, cribbage
from ..rules.game import UssLox
from ..rules.round import JOKER, RANK, Round, most_fired
from ..rules.state import MAX_TORPEDOES, Phase, State
from .boats import DECLINE, ESCAPE
from .solve import NEVER, Aim, Floats

MOST_UNSEEN = 11, 10
"""How many unseen cards are solved in two seconds at the most, with plain tonnage and with another aim."""
_FIRED = range(MAX_TORPEDOES + 1)


def solvable(game: UssLox, aim: Aim, state: State) -> bool:
    """Whether few enough cards are unseen for `Endgame`."""
    return len(game.pack) - len(state.seen_cards) <= MOST_UNSEEN[aim.top > 0]


@dataclass(frozen=True, slots=True)
class _Cell:
    """What of a state is no card: everything face down is told by its number.

    ``gone`` counts the cards left over from the first patrol, which nobody will see; ``pips`` stays 0 where the aim is
    plain tonnage, whose values are those of what is yet to come.
    """

    ocean: int
    torpedoes: int
    estimates: int
    gone: int
    pips: int
    patrol: int

    @property
    def laid(self) -> int:
        """Face-down cards that are not in the deck."""
        return self.ocean + self.torpedoes + self.estimates + self.gone


class Endgame:
    """Exact values of one position and of all that can follow. ``state``: one where the captain decides."""

    def __init__(self, game: UssLox, aim: Aim, state: State) -> None:
        self.aim, self.round, self.state = aim, Round(game), state
        self.pool = tuple(card for card in game.pack if not state.seen >> card & 1)
        self.ships = self.pool if state.ship < 0 else (*self.pool, state.ship)
        size = len(self.pool)
        # Sets by the number of their cards, so that those of a size or larger are a slice.
        self.sets = np.array(sorted(range(1 << size), key=int.bit_count))
        row = np.append(np.argsort(self.sets), len(self.sets))  # and one past the last, for what is impossible
        bits = self.sets[:, None] >> np.arange(size) & 1
        self.count = bits.sum(axis=1)
        self.first = np.searchsorted(self.count, np.arange(size + 2))
        self.whole = len(self.sets) - 1
        self.jokers = np.array([cards.is_joker(card) for card in self.pool], dtype=bool)
        self.held_jokers = bits @ self.jokers
        self.draws = bits / np.maximum(self.count, 1)[:, None]  # chance of each card to be turned up next
        self.pips = np.array([cards.pips(card) for card in self.pool])
        self.places = np.arange(size)
        self.without = row[self.sets[:, None] & ~(1 << self.places)]
        self.salvoes = [self._salvo(n, row) for n in _FIRED]
        self.choices = np.array([[max(comb(held, n), 1) for held in range(size + 1)] for n in _FIRED])
        self.plain_tons = not aim.top
        # Ships by what their sinking leads to: tons told apart in the cell, a face-down estimate, an extra target.
        # Other tons are added to the value, so that most ships need one product.
        self.kinds: dict[tuple[int, bool, bool], list[int]] = {}
        self.credit = np.zeros(len(self.ships))
        for i, ship in enumerate(self.ships):
            if not cards.is_joker(ship):
                rank, worth = cards.rank(ship), cards.pips(ship)
                estimated = self.round.replaced(rank, 1)
                told = worth if estimated or not self.plain_tons else 0
                self.credit[i] = worth - told
                self.kinds.setdefault((told, estimated, self.round.sunk(rank, 1, True, False)), []).append(i)
        self.ranks = RANK[list(self.ships)]
        self.duds = self.ranks == JOKER
        for name in ("home", "_end", "flip", "debrief", "hunted", "extra", "_target", "_escort", "_sunk"):
            setattr(self, name, cache(getattr(self, name)))

    def _salvo(self, n: int, row: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Floats, Floats]:
        """What a salvo leaves, by set and salvo (one past the last set: impossible), and what it sinks, by ship.

        Last, how many salvoes of a set sink a ship.
        """
        shots = list(itertools.combinations(range(len(self.pool)), n))
        masks = np.array([sum(1 << i for i in shot) for shot in shots], dtype=np.intp)
        left = row[np.where(masks & ~self.sets[:, None], len(self.sets), self.sets[:, None] & ~masks)]
        fired = [[self.pool[i] for i in shot] for shot in shots]
        hits = [[self._sinks(ship, shot) for ship in self.ships] for shot in fired]
        sinks = np.array(hits, dtype=float).reshape(len(shots), len(self.ships))
        return left, sinks, (left < len(self.sets)).astype(float) @ sinks

    def _sinks(self, ship: int, shot: list[int]) -> bool:
        return not cards.is_joker(ship) and cribbage.sinks(ship, shot, self.round.nob)

    # The decision at hand

    def values(self) -> dict[Any, float]:
        """The exact value of every kind of order, in the unit of the aim.

        Keys are 0 to 3 (torpedoes), `DECLINE` and `ESCAPE` with a ship face up; True and False where the question is
        whether to turn up a card (rules A5, L5); the size of the ocean under rule A3.
        """
        state, cell = self.state, self._cell(self.state)
        ship = len(self.ships) - 1
        if state.phase is Phase.TARGET:
            ways = lambda: self.debrief(cell), lambda: self.home(cell), lambda: self.flip(cell)  # noqa: E731
            avoid = {DECLINE: self.round.let_go(state.role == "extra", cell.ocean, *ways)[self.whole]}
            return avoid | self._allowed(self._attacks(cell, self.hunted)[:, self.whole, ship])
        if state.phase is Phase.ESCORT:
            pays = (price := cards.pips(state.ship)) <= cell.torpedoes
            avoid = {ESCAPE: self.debrief(_spent(cell, price))[self.whole]} if pays else {}
            return avoid | self._allowed(self._attacks(cell, self._lost)[:, self.whole, ship])
        if state.phase is Phase.PLAN:
            return {n: float(self.flip(_laid(cell, n))[self.whole]) for n in range(1, cell.torpedoes)}
        on = self.extra(cell) if state.phase is Phase.QUEEN else self.flip(cell)
        stay = self.debrief(cell) if state.phase is Phase.QUEEN else self.home(cell)
        forced = {} if state.phase is Phase.PERISCOPE else {False: float(stay[self.whole])}
        return {**forced, True: float(on[self.whole])}

    def _cell(self, state: State) -> _Cell:
        ocean, torpedoes, estimates = state.ocean_left, state.torpedoes, len(state.estimates) - len(state.estimated)
        gone = len(self.pool) - ocean - torpedoes - estimates - len(state.deck)
        pips = 0 if self.plain_tons else state.tons // 1000
        return _Cell(ocean, torpedoes, estimates, gone, pips, state.patrol)

    def _allowed(self, attacks: Floats) -> dict[Any, float]:
        return {n: float(value) for n, value in enumerate(attacks) if value > NEVER / 2}

    # Values by set of unseen cards, shape (sets,)

    def _deck(self, cell: _Cell) -> npt.NDArray[Any]:
        return np.asarray(self.count - cell.laid)

    def home(self, cell: _Cell) -> Floats:
        """Coming home: the end, or the second patrol."""
        value: Floats = self._end(cell, won=True)
        for deck in range(max(self.count[-1] - cell.laid, 0) + 1):
            again = self.round.home(cell.patrol, deck, True, False)
            value = np.where(self._deck(cell) == deck, self._dealt(cell, deck), value) if again else value
        return value

    def _dealt(self, cell: _Cell, deck: int) -> Floats:
        supply = int(self.round.supply(deck))
        gone = cell.gone + cell.ocean + cell.torpedoes
        begun = replace(cell, ocean=0, torpedoes=supply, gone=gone, patrol=cell.patrol + 1)
        return np.asarray(np.max([self.flip(_laid(begun, size)) for size in self.round.oceans(supply)], axis=0))

    def _end(self, cell: _Cell, won: bool) -> Floats:
        """The aim's value, the estimates turned up (rules L7, A2)."""
        if self.aim.home_tons is None:
            tons: Floats = cell.pips + cell.estimates * (self.draws @ self.pips)
            return tons if won else self.aim.loss_weight * tons
        goal, lost = self.aim.ends()
        worth = goal if won else lost
        if not cell.estimates:
            return np.full(len(self.sets), worth[min(cell.pips, self.aim.top)])
        value = np.zeros(len(self.sets))
        for i, pips in enumerate(self.pips):
            fewer = replace(cell, pips=cell.pips + int(pips), estimates=cell.estimates - 1)
            value += self.draws[:, i] * self._end(fewer, won)[self.without[:, i]]
        return value

    def _lost(self, cell: _Cell) -> Floats:
        return self._end(cell, won=False)

    def debrief(self, cell: _Cell) -> Floats:
        """After an encounter."""
        home = self.home(cell)
        value: Floats = self.round.debrief(cell.ocean, cell.torpedoes, home, lambda: np.maximum(home, self.flip(cell)))
        return value

    def flip(self, cell: _Cell) -> Floats:
        """Turning up an ocean card, or coming home where none is left."""
        if not cell.ocean:
            return self.home(cell)
        return self._turned(replace(cell, ocean=cell.ocean - 1), self.flip, extra=False)

    def extra(self, cell: _Cell) -> Floats:
        """Turning up an extra target."""
        return self._turned(cell, self.debrief, extra=True)

    def _turned(self, cell: _Cell, leave: Callable[[_Cell], Floats], extra: bool) -> Floats:
        """Some card of the set, as a target that may be left alone."""
        target = np.maximum(self._target(cell), leave(cell)[:, None])[:, self.places]
        others = lambda: self._escort(cell)[:, self.places], lambda: self.hunted(cell)[:, None]  # noqa: E731
        return self._drawn(self.round.turned(RANK[list(self.pool)], target, *others, extra))

    def hunted(self, cell: _Cell) -> Floats:
        """An escort comes, if the deck holds one."""
        escort, deck = self._escort(cell)[:, self.places], self._deck(cell)
        none = self.round.hunted(0, cell.patrol, 0, lambda: self._lost(cell), lambda: self.debrief(cell))
        value: Floats = none
        # Sets with fewer jokers first: a joker drawn as escort is set aside and another card drawn.
        for jokers in range(self.jokers.sum() + 1):
            drawn = self._drawn(np.where(self.jokers, value[:, None], escort))
            met = self.round.hunted(deck, cell.patrol, drawn, none, none)
            value = np.where(self.held_jokers == jokers, met, value)
        return value

    def _drawn(self, values: Floats) -> Floats:
        """The mean over the cards of a set, each drawn from it: of values by what is left and by card drawn."""
        return np.asarray((self.draws * values[self.without, self.places]).sum(axis=1))

    # Values by set and ship, shape (sets, ships); the ship is not in the set

    def _target(self, cell: _Cell) -> Floats:
        return np.asarray(self._attacks(cell, self.hunted).max(axis=0))

    def _escort(self, cell: _Cell) -> Floats:
        value = self._attacks(cell, self._lost).max(axis=0)
        for i, ship in enumerate(self.ships):
            if not cards.is_joker(ship) and (price := cards.pips(ship)) <= cell.torpedoes:
                value[:, i] = np.maximum(value[:, i], self.debrief(_spent(cell, price)))
        return np.asarray(value)

    def _attacks(self, cell: _Cell, missed: Callable[[_Cell], Floats]) -> Floats:
        """Attacks with 0 to 3 torpedoes, shape (4, sets, ships) (rules L2b, L3, L4a)."""
        values = np.full((4, len(self.sets), len(self.ships)), NEVER)
        some = slice(self.first[max(cell.laid, 0)], None)  # the sets that hold the cards laid out
        for n in _FIRED[: cell.torpedoes + 1]:
            (left, sinks, ways), after = self.salvoes[n], _spent(cell, n)
            left = left[some]
            miss = _padded(missed(after))[left]
            value = miss.sum(axis=1)[:, None] - miss @ sinks + ways[some] * self.credit
            for kind, ships in self.kinds.items():
                if sinks[:, ships].any():
                    value[:, ships] += _padded(self._sunk(after, *kind))[left] @ sinks[:, ships]
            values[n, some] = value / self.choices[n][self.count[some], None]
            values[n][:, self.duds | (n > most_fired(self.ranks, cell.torpedoes))] = NEVER
        return values

    def _sunk(self, cell: _Cell, pips: int, estimated: bool, queen: bool) -> Floats:
        """A ship of that kind is sunk."""
        if self.plain_tons:
            value = self._credited(cell, queen) + pips
        else:
            value = self._credited(replace(cell, pips=cell.pips + pips), queen)
        if estimated:
            known = self._credited(replace(cell, estimates=cell.estimates + 1), queen)
            value = np.where(self.round.replaced(cards.KING, self._deck(cell)), known, value)
        return value

    def _credited(self, cell: _Cell, queen: bool) -> Floats:
        debrief = self.debrief(cell)
        if not queen:
            return debrief
        asked = lambda: np.maximum(debrief, self.extra(cell))  # noqa: E731
        value: Floats = self.round.sunk(cards.QUEEN, self._deck(cell), asked, debrief)
        return value


def _laid(cell: _Cell, size: int) -> _Cell:
    return replace(cell, ocean=size, torpedoes=cell.torpedoes - size)


def _spent(cell: _Cell, torpedoes: int) -> _Cell:
    return replace(cell, torpedoes=cell.torpedoes - torpedoes)


def _padded(values: Floats) -> Floats:
    """With a last value of 0, for what is impossible."""
    padded = np.zeros(len(values) + 1)
    padded[:-1] = values
    return padded
