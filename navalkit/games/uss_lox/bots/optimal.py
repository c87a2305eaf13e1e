"""The optimal captain of USS Lox as a policy over arrays: tables of `solve`, with the unseen cards put in."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from ..odds.counting import SALVO, by_rank, salvoes
from ..rules import cards
from ..rules.game import UssLox
from ..rules.state import Phase, State
from .boats import DECLINE, ESCAPE, PIPS, RANK, Boats, Bools, Ints, Lanes
from .endgame import Endgame, solvable
from .solve import NEVER, Aim, Floats, Solution

_ORDERS = [DECLINE, ESCAPE, *SALVO]  # of equally good orders the first is given
_EQUAL = 1e-9
_LANE = np.zeros(1, dtype=np.intp)
_BLOCK = 4096  # boats at a time: what is worked out for them then stays in cache


class Worth(NamedTuple):
    """What the orders of one position are worth, with the tonnage so far: in thousands of tons, or a chance.

    ``orders`` has the keys of `Endgame.values`, of equally good ones the preferred first; ``exact`` says whether they
    are exact, not those of a simpler sea.
    """

    orders: dict[Any, float]
    exact: bool

    @property
    def best(self) -> Any:
        good = max(self.orders.values()) - _EQUAL
        return next(order for order, value in self.orders.items() if value >= good)


class OptimalPolicy:
    """Dynamic programming over (ocean left, torpedoes left) with the cards really unseen put in.

    The chances of the shot at hand are exact given every card seen; so are the chances of each rank for the
    card turned up next, in the ocean or as an escort. What it is worth to have turned up such a card comes
    from `Solution`: for a fresh pack where many boats sail at once, for the cards really unseen where `at` gives the
    policy of one position.

    ``objective`` and ``loss_weight``: as for `Aim.of`.
    """

    counts = True

    def __init__(self, game: UssLox, objective: Any = "tonnage", loss_weight: Any = 1.0) -> None:
        self.game, self.aim = game, Aim.of(objective, loss_weight)
        self.solution = Solution(game, self.aim)
        # Letting ships go is free, and in a fresh pack every rank can be hit: sailing on is worth more than home.
        self.carefree = self.aim == Aim() and not (game.options["jokers"] or game.options["king_ships"])

    def at(self, state: State) -> Worth:
        """What every order of one position is worth: exact with few cards unseen, else by tables for those that are."""
        boats = Boats.of(self.game, state)
        if exact := solvable(self.game, self.aim, state):
            orders, so_far = Endgame(self.game, self.aim, state).values(), 0.0 if self.aim.top else boats.pips[0]
        else:
            policy = copy(self)
            if state.seen:
                policy.solution = Solution(self.game, self.aim, state, self.solution)
            orders, so_far = policy._weighed(state.phase, boats), policy.so_far(boats, _LANE)[0]
        fight = state.phase in (Phase.TARGET, Phase.ESCORT)
        preferred = sorted(orders, key=lambda order: (fight and order < DECLINE, order))
        return Worth({order: float(orders[order] + so_far) for order in preferred}, exact)

    def _weighed(self, phase: Phase, boats: Boats) -> dict[Any, float]:
        """What is allowed on the one lane there is, by the names of `Endgame.values`."""
        if phase is Phase.PLAN:
            return dict(enumerate(self.weigh_plan(boats, _LANE)[:, 0], 1))
        if phase in (Phase.TARGET, Phase.ESCORT):
            weigh = self.weigh_target if phase is Phase.TARGET else self.weigh_escort
            return {order: value for order, value in enumerate(weigh(boats, _LANE)[:, 0]) if value > NEVER / 2}
        weigh = self.weigh_chase if phase is Phase.QUEEN else self.weigh_debrief
        on, leave = weigh(boats, _LANE)[:, 0]
        return {True: on} if phase is Phase.PERISCOPE else {False: leave, True: on}

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
        return _picked(self.weigh_target, boats, lanes)

    def escort(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        return _picked(self.weigh_escort, boats, lanes)

    def chase(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        chase, leave = self.weigh_chase(boats, lanes)
        return np.asarray(chase > leave + _EQUAL)

    def sail_on(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        if self.carefree:
            return np.ones(len(lanes), dtype=bool)
        sail, home = self.weigh_debrief(boats, lanes)
        return np.asarray(sail > home + _EQUAL)

    # What they are worth, in the unit of the aim: shape (orders, lanes)

    def weigh_plan(self, boats: Boats, lanes: Lanes) -> Floats:
        """Every size of ocean from 1 up: for boats with one supply on one patrol."""
        first = lanes[0]
        values = self.solution.plans(int(boats.patrol[first]) - 1, int(boats.torpedoes[first]))
        return np.asarray(values[:, self.pips(boats, lanes)])

    def weigh_target(self, boats: Boats, lanes: Lanes) -> Floats:
        """Attacks with 0 to 3, `DECLINE`, `ESCAPE` (never)."""
        ahead = _Ahead(self, boats, lanes)
        values = self._attacks(ahead, boats, lanes, at_escort=False)
        values[DECLINE] = ahead.flip(ahead.torpedoes)
        if boats.extra[lanes].any():
            values[DECLINE] = np.where(boats.extra[lanes], ahead.debrief(ahead.torpedoes), values[DECLINE])
        return values

    def weigh_escort(self, boats: Boats, lanes: Lanes) -> Floats:
        """Attacks with 0 to 3, `DECLINE` (never), `ESCAPE`."""
        ahead = _Ahead(self, boats, lanes)
        values = self._attacks(ahead, boats, lanes, at_escort=True)
        left = ahead.torpedoes - PIPS[RANK[boats.ship[lanes]]]
        values[ESCAPE] = np.where(left >= 0, ahead.debrief(np.maximum(left, 0)), NEVER)
        return values

    def weigh_chase(self, boats: Boats, lanes: Lanes) -> Floats:
        """Turning up the extra target, and leaving it."""
        ahead = _Ahead(self, boats, lanes)
        return np.array([ahead.extra(ahead.torpedoes), ahead.debrief(ahead.torpedoes)])

    def weigh_debrief(self, boats: Boats, lanes: Lanes) -> Floats:
        """Sailing on, and returning."""
        ahead = _Ahead(self, boats, lanes)
        return np.array([ahead.flip(ahead.torpedoes), ahead.home])

    def _attacks(self, ahead: _Ahead, boats: Boats, lanes: Lanes, at_escort: bool) -> Floats:
        chances = salvo_chances(self.game, boats, lanes)
        rank = RANK[boats.ship[lanes]]
        jack, queen = rank == cards.JACK, (rank == cards.QUEEN) & (boats.deck[lanes] > 0)
        left = ahead.torpedoes - np.array(SALVO)[:, None]
        never = left < 0
        never[1:] |= jack
        left = np.maximum(left, 0)
        after = ahead.credited(self.solution.worth[rank])
        sunk = after.debrief(left)
        if self.game.options["queen_ships"] and queen.any():
            sunk = np.where(queen, np.maximum(sunk, after.extra(left)), sunk)
        missed = ahead.lost if at_escort else ahead.hunted(left)
        values = np.full((6, len(lanes)), NEVER)
        values[:4] = np.where(never, NEVER, chances * (sunk + after.plus) + (1 - chances) * missed)
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


class _Ahead:
    """The tables of a solution, read for some boats: methods take torpedoes left, shape (..., lanes)."""

    def __init__(self, policy: OptimalPolicy, boats: Boats, lanes: Lanes) -> None:
        assert boats.unseen is not None
        self.tables, self.patrol = policy.solution, boats.patrol[lanes].astype(np.intp) - 1
        self.ocean, self.torpedoes = boats.ocean[lanes].astype(np.intp), boats.torpedoes[lanes].astype(np.intp)
        self.deck, unseen = boats.deck[lanes], boats.unseen[lanes]
        self.left = by_rank(unseen).astype(float)  # unseen cards of each rank
        self.total = np.maximum(np.bitwise_count(unseen), 1)
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
        if escort and left[13].any():  # a joker drawn as escort is set aside
            left, total = left * (np.arange(14) < 13)[:, None], np.maximum(total - left[13], 1)
        if self.sea is None:
            rows = table[self.patrol, self.ocean, torpedoes, self.pips]
            return np.asarray(np.einsum("...lr,rl->...l", rows, left) / total)
        if id(table) not in self.grids:
            self.grids[id(table)] = table[self.sea][:, 0] @ left
        return np.asarray(self.grids[id(table)][torpedoes, np.arange(len(total))] / total)

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


def _picked(weigh: Callable[[Boats, Lanes], Floats], boats: Boats, lanes: Lanes) -> Ints:
    """The best order of each lane; ties go to the first in `_ORDERS`."""
    order = np.empty(len(lanes), dtype=np.intp)
    by_ship = np.argsort(boats.ship[lanes], kind="stable")  # odds are counted ship by ship
    for start in range(0, len(lanes), _BLOCK):
        some = by_ship[start : start + _BLOCK]
        values = weigh(boats, lanes[some])
        good = values >= values.max(axis=0) - _EQUAL
        order[some] = np.select([good[each] for each in _ORDERS], _ORDERS)
    return order


def salvo_chances(game: UssLox, boats: Boats, lanes: Lanes) -> Floats:
    """The exact chance that 0 to 3 torpedoes sink the ship, given all cards seen: shape (4, lanes).

    Salvoes larger than the unseen pool get 0, a jack 1: she is sunk by the deck gun.
    """
    assert boats.unseen is not None
    hits, deals = salvoes(boats.ship[lanes], boats.unseen[lanes], game.options["nob"])
    return np.asarray(hits / np.maximum(deals, 1))
