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
from ..rules.state import MAX_TORPEDOES, Phase, State
from ..rules.tables import TABLES
from .boats import DECLINE, ESCAPE
from .solve import NEVER, Aim, Floats

MOST_UNSEEN = 11, 10
"""How many unseen cards are solved in two seconds at the most, with plain tonnage and with another aim."""
SALVO = range(MAX_TORPEDOES + 1)


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
        self.game, self.aim, self.options = game, aim, game.options
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
        joker = np.array([cards.is_joker(card) for card in self.pool], dtype=bool)
        self.draws = bits / np.maximum(self.count, 1)[:, None]  # chance of each card to be turned up next
        self.plain = bits * ~joker
        self.pips = np.array([cards.pips(card) for card in self.pool])
        self.without = row[self.sets[:, None] & ~(1 << np.arange(size))]
        self.jokers = tuple(np.flatnonzero(joker))
        self.salvoes = [self._salvo(n, row) for n in SALVO]
        self.choices = np.array([[max(comb(held, n), 1) for held in range(size + 1)] for n in SALVO])
        self.plain_tons = not aim.top
        # Ships by what their sinking leads to: tons told apart in the cell, a face-down estimate, an extra target.
        # Other tons are added to the value, so that most ships need one product.
        self.kinds: dict[tuple[int, bool, bool], list[int]] = {}
        self.credit = np.zeros(len(self.ships))
        for i, ship in enumerate(self.ships):
            if not cards.is_joker(ship):
                rank, worth = cards.rank(ship), cards.pips(ship)
                estimated = bool(self.options["face_estimates"]) and rank >= cards.JACK
                told = worth if estimated or not self.plain_tons else 0
                self.credit[i] = worth - told
                queen = bool(self.options["queen_ships"]) and rank == cards.QUEEN
                self.kinds.setdefault((told, estimated, queen), []).append(i)
        self.duds = [i for i, ship in enumerate(self.ships) if cards.is_joker(ship)]
        self.jacks = [i for i, ship in enumerate(self.ships) if cards.by_gun(ship)]
        self.state = state
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
        nob = bool(self.options["nob"])
        hits = [[self._sinks(ship, shot, nob) for ship in self.ships] for shot in fired]
        sinks = np.array(hits, dtype=float).reshape(len(shots), len(self.ships))
        return left, sinks, (left < len(self.sets)).astype(float) @ sinks

    def _sinks(self, ship: int, shot: list[int], nob: bool) -> bool:
        return not cards.is_joker(ship) and cribbage.sinks(ship, shot, nob)

    # The decision at hand

    def values(self) -> dict[Any, float]:
        """The exact value of every kind of order, in the unit of the aim.

        Keys are 0 to 3 (torpedoes), `DECLINE` and `ESCAPE` with a ship face up; True and False where the question is
        whether to turn up a card (rules A5, L5); the size of the ocean under rule A3.
        """
        state, cell = self.state, self._cell(self.state)
        ship = len(self.ships) - 1
        if state.phase is Phase.TARGET:
            attacks = self._attacks(cell, self.hunted)[:, self.whole, ship]
            leave = self.debrief(cell) if state.role == "extra" else self.flip(cell)
            return {**self._allowed(attacks), DECLINE: float(leave[self.whole])}
        if state.phase is Phase.ESCORT:
            known = self._allowed(self._attacks(cell, self._lost)[:, self.whole, ship])
            if (price := cards.pips(state.ship)) <= cell.torpedoes:
                known[ESCAPE] = float(self.debrief(_spent(cell, price))[self.whole])
            return known
        if state.phase is Phase.PLAN:
            sizes = range(1, cell.torpedoes)
            return {n: float(self.flip(_laid(cell, n))[self.whole]) for n in sizes}
        on = self.extra(cell) if state.phase is Phase.QUEEN else self.flip(cell)
        stay = self.debrief(cell) if state.phase is Phase.QUEEN else self.home(cell)
        forced = {} if state.phase is Phase.PERISCOPE else {False: float(stay[self.whole])}
        return {True: float(on[self.whole]), **forced}

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
        """Coming home: the end, or the second patrol (rules L6, A7)."""
        value: Floats = self._end(cell, won=True)
        if cell.patrol < self.options["patrols"]:
            deck = self._deck(cell)
            for left in range(2, len(self.pool) + 1):
                if (deck == left).any():
                    value = np.where(deck == left, self._dealt(cell, left), value)
        return value

    def _dealt(self, cell: _Cell, deck: int) -> Floats:
        supply = min(self.game.supply_size, deck)
        gone = cell.gone + cell.ocean + cell.torpedoes
        begun = replace(cell, ocean=0, torpedoes=supply, gone=gone, patrol=cell.patrol + 1)
        sizes = range(1, supply) if self.options["plan_patrol"] else [min(TABLES.ocean, supply - 1)]
        return np.asarray(np.max([self.flip(_laid(begun, size)) for size in sizes], axis=0))

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
        """After an encounter (rules L5, L6)."""
        home = self.home(cell)
        return np.maximum(home, self.flip(cell)) if cell.ocean and cell.torpedoes else home

    def flip(self, cell: _Cell) -> Floats:
        """Turning up an ocean card, or coming home where none is left (rules L1, A1, A4)."""
        if not cell.ocean:
            return self.home(cell)
        after = replace(cell, ocean=cell.ocean - 1)
        return self._turned(after, self.flip, kings=bool(self.options["king_ships"]))

    def extra(self, cell: _Cell) -> Floats:
        """Turning up an extra target (rule A5)."""
        return self._turned(cell, self.debrief, kings=False)

    def _turned(self, cell: _Cell, leave: Callable[[_Cell], Floats], kings: bool) -> Floats:
        """Some card of the set as a target that may be left alone."""
        target = np.maximum(self._target(cell), leave(cell)[:, None])
        value = np.zeros(len(self.sets))
        for i, card in enumerate(self.pool):
            rest = self.without[:, i]
            if cards.is_joker(card):
                met = self.hunted(cell)[rest]
            elif kings and cards.rank(card) == cards.KING:
                met = self._escort(cell)[rest, i]
            else:
                met = target[rest, i]
            value += self.draws[:, i] * met
        return value

    def hunted(self, cell: _Cell) -> Floats:
        """An escort comes, if the deck holds one (rules L4b, L4e, A1, A7)."""
        escort = self._escort(cell)
        none = self._lost(cell) if cell.patrol > 1 else self.debrief(cell)
        value = none.copy()
        # Sets with fewer jokers first: a joker drawn as escort is set aside and another card drawn.
        held = sum((self.sets >> i & 1 for i in self.jokers), np.zeros(len(self.sets), dtype=int))
        for jokers in range(len(self.jokers) + 1):
            drawn = np.zeros(len(self.sets))
            for i in range(len(self.pool)):
                drawn += self.draws[:, i] * (value if i in self.jokers else escort[:, i])[self.without[:, i]]
            value = np.where((held == jokers) & (self._deck(cell) > 0), drawn, value)
        return value

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
        for n in SALVO[: cell.torpedoes + 1]:
            (left, sinks, ways), after = self.salvoes[n], _spent(cell, n)
            left = left[some]
            miss = _padded(missed(after))[left]
            value = miss.sum(axis=1)[:, None] - miss @ sinks + ways[some] * self.credit
            for kind, ships in self.kinds.items():
                if sinks[:, ships].any():
                    value[:, ships] += _padded(self._sunk(after, *kind))[left] @ sinks[:, ships]
            values[n, some] = value / self.choices[n][self.count[some], None]
            values[n][:, [*self.jacks * (n > 0), *self.duds]] = NEVER
        return values

    def _sunk(self, cell: _Cell, pips: int, estimated: bool, queen: bool) -> Floats:
        """A ship of that kind is sunk (rules L4a, A2, A5)."""
        if self.plain_tons:
            value = self._credited(cell, queen) + pips
        else:
            value = self._credited(replace(cell, pips=cell.pips + pips), queen)
        if estimated:
            known = self._credited(replace(cell, estimates=cell.estimates + 1), queen)
            value = np.where(self._deck(cell) > 0, known, value)
        return value

    def _credited(self, cell: _Cell, queen: bool) -> Floats:
        value = self.debrief(cell)
        return np.where(self._deck(cell) > 0, np.maximum(value, self.extra(cell)), value) if queen else value


def _laid(cell: _Cell, size: int) -> _Cell:
    return replace(cell, ocean=size, torpedoes=cell.torpedoes - size)


def _spent(cell: _Cell, torpedoes: int) -> _Cell:
    return replace(cell, torpedoes=cell.torpedoes - torpedoes)


def _padded(values: Floats) -> Floats:
    """With a last value of 0, for what is impossible."""
    padded = np.zeros(len(values) + 1)
    padded[:-1] = values
    return padded
