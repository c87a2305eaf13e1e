"""The optimal captain of USS Lox as a policy over arrays: tables of `solve`, with the unseen cards put in."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from .. import odds
from ..rules import cards
from ..rules.game import UssLox
from ..rules.state import MAX_TORPEDOES, State
from .boats import DECLINE, ESCAPE, PIPS, RANK, Boats, Bools, Ints, Lanes
from .endgame import Endgame, solvable
from .solve import NEVER, Aim, Floats, Solution

SALVO = range(MAX_TORPEDOES + 1)
_ORDERS = np.array([DECLINE, ESCAPE, *SALVO])  # of equally good orders the first is given
_EQUAL = 1e-9


class OptimalPolicy:
    """Dynamic programming over (ocean left, torpedoes left) with the cards really unseen put in.

    The chances of the shot at hand are exact given every card seen; so are the chances of each rank for the
    card turned up next, in the ocean or as an escort. What it is worth to have turned up such a card comes
    from `Solution`: for a fresh pack where many boats sail at once, for the cards really unseen where `at` gives the
    policy of one position.

    Parameters
    ----------
    game : UssLox
    objective, loss_weight
        As for `Aim.of`.
    """

    counts = True
    exact = False
    """Whether the values are exact, not those of a simpler sea."""

    def __init__(self, game: UssLox, objective: Any = "tonnage", loss_weight: Any = 1.0) -> None:
        self.game, self.aim = game, Aim.of(objective, loss_weight)
        self.solution = Solution(game, self.aim)
        # Letting ships go is free, and in a fresh pack every rank can be hit: sailing on is worth more than home.
        self.carefree = self.aim == Aim() and not (game.options["jokers"] or game.options["king_ships"])

    def at(self, state: State) -> OptimalPolicy:
        """The policy for one position: exact with few cards unseen, else with tables for those that are."""
        if solvable(self.game, self.aim, state):
            return _Exact(self, state)
        policy = copy(self)
        policy.carefree = False
        if state.seen:
            policy.solution = Solution(self.game, self.aim, state, self.solution)
        return policy

    # Orders

    def plan(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        dealt = boats.torpedoes[lanes]
        sizes = np.zeros(len(lanes), dtype=np.intp)
        for cards_dealt in np.unique(dealt):
            for patrol in np.unique(boats.patrol[lanes]):
                here = (dealt == cards_dealt) & (boats.patrol[lanes] == patrol)
                sizes[here] = 1 + self.weigh_plan(boats, lanes[here]).argmax(axis=0)
        return sizes

    def target(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        return _pick(self.weigh_target(boats, lanes))

    def escort(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        return _pick(self.weigh_escort(boats, lanes))

    def chase(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        chase, leave = self.weigh_chase(boats, lanes)
        return chase > leave + _EQUAL

    def sail_on(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        if self.carefree:
            return np.ones(len(lanes), dtype=bool)
        sail, home = self.weigh_debrief(boats, lanes)
        return sail > home + _EQUAL

    # What they are worth, in the unit of the aim: shape (lanes, 6), or two of shape (lanes,)

    def weigh_plan(self, boats: Boats, lanes: Lanes) -> Floats:
        """Every size of ocean from 1 up, shape (sizes, lanes): for boats with one supply on one patrol."""
        first = lanes[0]
        values = self.solution.plans(int(boats.patrol[first]) - 1, int(boats.torpedoes[first]))
        return np.asarray(values[:, self.pips(boats, lanes)])

    def weigh_target(self, boats: Boats, lanes: Lanes) -> Floats:
        """Attacks with 0 to 3, `DECLINE`, `ESCAPE` (never)."""
        ahead = _Ahead(self, boats, lanes)
        values = self._attacks(ahead, boats, lanes, at_escort=False)
        values[:, DECLINE] = ahead.flip(ahead.torpedoes)
        if boats.extra[lanes].any():
            values[:, DECLINE] = np.where(
                boats.extra[lanes], ahead.debrief(ahead.torpedoes), values[:, DECLINE]
            )
        return values

    def weigh_escort(self, boats: Boats, lanes: Lanes) -> Floats:
        """Attacks with 0 to 3, `DECLINE` (never), `ESCAPE`."""
        ahead = _Ahead(self, boats, lanes)
        values = self._attacks(ahead, boats, lanes, at_escort=True)
        left = ahead.torpedoes - PIPS[RANK[boats.ship[lanes]]]
        values[:, ESCAPE] = np.where(left >= 0, ahead.debrief(np.maximum(left, 0)), NEVER)
        return values

    def weigh_chase(self, boats: Boats, lanes: Lanes) -> tuple[Floats, Floats]:
        """Turning up the extra target, and leaving it."""
        ahead = _Ahead(self, boats, lanes)
        return ahead.extra(ahead.torpedoes), ahead.debrief(ahead.torpedoes)

    def weigh_debrief(self, boats: Boats, lanes: Lanes) -> tuple[Floats, Floats]:
        """Sailing on, and returning."""
        ahead = _Ahead(self, boats, lanes)
        return ahead.flip(ahead.torpedoes), ahead.home

    def _attacks(self, ahead: _Ahead, boats: Boats, lanes: Lanes, at_escort: bool) -> Floats:
        values = np.full((len(lanes), 6), NEVER)
        chances = salvo_chances(self.game, boats, lanes)
        rank = RANK[boats.ship[lanes]]
        jack, queen = rank == cards.JACK, rank == cards.QUEEN
        after = ahead.credited(self.solution.worth[rank])
        queen &= boats.deck[lanes] > 0
        for n in SALVO:
            left = np.maximum(ahead.torpedoes - n, 0)
            sunk = after.debrief(left)
            if self.game.options["queen_ships"] and queen.any():
                sunk = np.where(queen, np.maximum(sunk, after.extra(left)), sunk)
            missed = ahead.lost if at_escort else ahead.hunted(left)
            value = chances[:, n] * (sunk + after.plus) + (1 - chances[:, n]) * missed
            values[:, n] = np.where((ahead.torpedoes >= n) & ~(jack & (n > 0)), value, NEVER)
        return values

    def so_far(self, boats: Boats, lanes: Lanes) -> Floats:
        """Pips to add to the values, which are those of what is yet to come where the aim is plain tonnage."""
        if self.solution.top:
            return np.zeros(len(lanes))
        return np.asarray(boats.pips[lanes] + boats.estimates[lanes] * self.solution.mean)

    def pips(self, boats: Boats, lanes: Lanes) -> Ints:
        """The tonnage so far as the tables tell it apart."""
        if not self.solution.top:
            return np.zeros(len(lanes), dtype=np.intp)
        guess = np.rint(boats.estimates[lanes] * self.solution.mean).astype(np.intp)
        return np.asarray(np.minimum(boats.pips[lanes] + guess, self.solution.top))


class _Exact(OptimalPolicy):
    """The policy of one position, the only lane there is, with the values of `Endgame`."""

    exact = True

    def __init__(self, policy: OptimalPolicy, state: State) -> None:
        self.game, self.aim, self.carefree = policy.game, policy.aim, False
        self.worth = Endgame(self.game, self.aim, state).values()

    def weigh_plan(self, boats: Boats, lanes: Lanes) -> Floats:
        return np.array([[self.worth[size]] for size in sorted(self.worth)])

    def weigh_target(self, boats: Boats, lanes: Lanes) -> Floats:
        return np.array([[self.worth.get(order, NEVER) for order in range(6)]])

    weigh_escort = weigh_target

    def weigh_chase(self, boats: Boats, lanes: Lanes) -> tuple[Floats, Floats]:
        return np.array([self.worth[True]]), np.array([self.worth.get(False, NEVER)])

    weigh_debrief = weigh_chase

    def so_far(self, boats: Boats, lanes: Lanes) -> Floats:
        return np.zeros(1) if self.aim.top else boats.pips[lanes].astype(float)


class _Ahead:
    """The tables of a solution, read for some boats: methods take torpedoes left, shape (lanes,)."""

    def __init__(self, policy: OptimalPolicy, boats: Boats, lanes: Lanes) -> None:
        assert boats.unseen is not None
        self.tables, self.patrol = policy.solution, boats.patrol[lanes].astype(np.intp) - 1
        self.ocean, self.torpedoes = (
            boats.ocean[lanes].astype(np.intp),
            boats.torpedoes[lanes].astype(np.intp),
        )
        self.deck = boats.deck[lanes]
        unseen = boats.unseen[lanes]
        self.left = np.zeros((14, len(lanes)))  # unseen cards of each rank
        self.left[:13] = odds.by_rank(unseen[:, :52]).T
        self.jokers = unseen[:, 52] + unseen[:, 53]
        self.left[13] = self.jokers
        self.total = np.maximum(self.left.sum(axis=0), 1)
        # Where all boats are on one sea, as in a basic game, one product tells what any torpedoes left are worth.
        same = (self.patrol == self.patrol[:1]).all() and (self.ocean == self.ocean[:1]).all()
        self.sea = (self.patrol[0], self.ocean[0]) if same and len(lanes) and not self.tables.top else None
        self.grids: dict[int, Floats] = {}
        self._at(policy.pips(boats, lanes), np.zeros(()))

    def _at(self, pips: Ints, plus: Floats) -> None:
        self.pips, self.plus = pips, plus
        self.home, self.lost = self.tables.home[self.patrol, pips], self.tables.lost[pips]

    def credited(self, worth: Floats) -> _Ahead:
        """The same boats after a sinking; ``plus`` is what to add to every value then."""
        after = object.__new__(_Ahead)
        after.__dict__.update(self.__dict__)
        after._at(*self.tables.credit(self.pips, worth))
        return after

    def _mean(self, table: Floats, torpedoes: Ints, escort: bool = False) -> Floats:
        """A table's values, averaged over the card that is turned up."""
        left, total = self.left, self.total
        if escort and self.jokers.any():  # a joker drawn as escort is set aside
            left, total = left * (np.arange(14) < 13)[:, None], np.maximum(total - self.jokers, 1)
        if self.sea is None:
            rows = table[self.patrol, self.ocean, torpedoes, self.pips]
            return np.asarray(np.einsum("lr,rl->l", rows, left) / total)
        if id(table) not in self.grids:
            self.grids[id(table)] = table[self.sea][:, 0] @ left / total
        return np.asarray(self.grids[id(table)][torpedoes, np.arange(len(torpedoes))])

    def flip(self, torpedoes: Ints) -> Floats:
        """Value of turning up an ocean card, or of coming home if none is left."""
        return self._mean(self.tables.flip, torpedoes)

    def extra(self, torpedoes: Ints) -> Floats:
        """Value of turning up an extra target."""
        return self._mean(self.tables.extra, torpedoes)

    def debrief(self, torpedoes: Ints) -> Floats:
        """Value after an encounter."""
        over = (self.ocean == 0) | (torpedoes == 0)
        return np.where(over, self.home, np.maximum(self.flip(torpedoes), self.home))

    def hunted(self, torpedoes: Ints) -> Floats:
        """Value when an escort comes; with an empty deck none does (rules L4e, A7)."""
        value = self._mean(self.tables.escort, torpedoes, escort=True)
        if (self.deck > 0).all():
            return value
        return np.where(self.deck > 0, value, np.where(self.patrol > 0, self.lost, self.debrief(torpedoes)))


def _pick(values: Floats) -> Ints:
    """The best order of each lane; ties go to the first in `_ORDERS`."""
    ordered = values[:, _ORDERS]
    good = ordered >= ordered.max(axis=1, keepdims=True) - _EQUAL
    return np.asarray(_ORDERS[good.argmax(axis=1)])


def salvo_chances(game: UssLox, boats: Boats, lanes: Lanes) -> Floats:
    """The exact chance that 0 to 3 torpedoes sink the ship, given all cards seen: shape (lanes, 4).

    Salvoes larger than the unseen pool get 0, a jack 1: she is sunk by the deck gun.
    """
    assert boats.unseen is not None
    unseen = boats.unseen[lanes]
    jokers = unseen[:, 52:].sum(axis=1, dtype=np.intp)
    chances = odds.sink_many(boats.ship[lanes], unseen[:, :52], jokers, nob=game.options["nob"])
    return np.nan_to_num(chances)
