"""The captains of USS Lox as policies over arrays: random, greedy and optimal, and the text that names them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from navalkit.core.errors import OptionError

from . import cards, odds
from .boats import DECLINE, ESCAPE, PIPS, RANK, Boats, Bools, Ints, Lanes, Policy
from .rules import UssLox
from .solve import NEVER, Aim, Floats, Solution
from .state import MAX_TORPEDOES
from .tables import TABLES

SALVO = range(MAX_TORPEDOES + 1)
_ORDERS = np.array([DECLINE, ESCAPE, *SALVO])  # of equally good orders the first is given
_EQUAL = 1e-9


def salvo_chances(game: UssLox, boats: Boats, lanes: Lanes) -> Floats:
    """The exact chance that 0 to 3 torpedoes sink the ship, given all cards seen: shape (lanes, 4).

    Salvoes larger than the unseen pool get 0, a jack 1: she is sunk by the deck gun.
    """
    assert boats.unseen is not None
    unseen = boats.unseen[lanes]
    chances = odds.sink_many(boats.ship[lanes], unseen[:, :52], unseen[:, 52:].sum(axis=1), nob=game.options["nob"])
    return np.nan_to_num(chances)


class RandomPolicy:
    """Any legal order with equal chances, each square of the ocean being an order of its own."""

    counts = False

    def __init__(self, game: UssLox) -> None:
        self.game = game

    def plan(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        return rng.integers(1, boats.torpedoes[lanes])

    def target(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        salvoes = self._salvoes(boats, lanes)
        order = rng.integers(0, salvoes + 1)
        return np.where(order == salvoes, DECLINE, order)

    def escort(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        salvoes = self._salvoes(boats, lanes)
        order = rng.integers(0, salvoes + (PIPS[RANK[boats.ship[lanes]]] <= boats.torpedoes[lanes]))
        return np.where(order == salvoes, ESCAPE, order)

    def chase(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        return rng.integers(0, 2, len(lanes)) == 0

    def sail_on(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        return rng.integers(0, boats.ocean[lanes] + 1) > 0

    def _salvoes(self, boats: Boats, lanes: Lanes) -> Ints:
        most = np.minimum(boats.torpedoes[lanes], MAX_TORPEDOES)
        return np.where(RANK[boats.ship[lanes]] == cards.JACK, 0, most) + 1


class GreedyPolicy:
    """Fires as soon as the odds are good enough, and thinks no further.

    A target is attacked with the fewest torpedoes whose chance reaches the threshold, and let go if there are none.
    An escort is attacked so too, if that takes fewer torpedoes than escaping; else she is escaped from; else attacked with
    the best chance there is. Where an escort may come unasked (king ships, jokers) the boat returns, and leaves an extra
    target alone, with fewer than three torpedoes left.

    Parameters
    ----------
    game : UssLox
    threshold : float
        0 to 1.
    counting : bool
        Whether the chances are those of the cards really unseen; else those of a fresh pack (`odds.table`).
    """

    def __init__(self, game: UssLox, threshold: Any = 0.6, counting: Any = False) -> None:
        try:
            self.threshold = float(threshold)
        except (TypeError, ValueError):
            self.threshold = -1.0
        if not 0 <= self.threshold <= 1:
            raise OptionError(f"greedy's threshold is a chance from 0 to 1, not {threshold!r}.")
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        known = words.get(str(counting).lower())
        if known is None:
            raise OptionError(f"greedy's counting is true or false, not {counting!r}.")
        self.game, self.counts = game, known
        pack = set(game.pack)
        jokers = sum(map(cards.is_joker, pack))
        absent = [card for card in range(52 + jokers) if card not in pack]
        self._table = np.nan_to_num(odds.table(absent, jokers, game.options["nob"]))
        # What to fire by (rank, torpedoes left): a target, and an escort
        every = np.repeat(np.arange(13), MAX_TORPEDOES + 1), np.tile(np.array(SALVO), 13)
        shape = 13, MAX_TORPEDOES + 1
        self._fewest = self._reaching(self._table[every[0]], *every).reshape(shape).astype(np.int8)
        self._best = _best_salvo(self._table[every[0]], *every).reshape(shape).astype(np.int8)
        self.wary = bool(game.options["king_ships"] or game.options["jokers"])

    def odds(self, boats: Boats, lanes: Lanes) -> Floats:
        """The chances the policy goes by, shape (lanes, 4)."""
        return salvo_chances(self.game, boats, lanes) if self.counts else self._table[RANK[boats.ship[lanes]]]

    def plan(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        """The usual ocean."""
        return np.minimum(TABLES.ocean, boats.torpedoes[lanes] - 1)

    def target(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        rank, most = RANK[boats.ship[lanes]], np.minimum(boats.torpedoes[lanes], MAX_TORPEDOES)
        if self.counts:
            return self._reaching(self.odds(boats, lanes), rank, most)
        return self._fewest[rank, most]

    def escort(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        rank, left = RANK[boats.ship[lanes]], boats.torpedoes[lanes]
        most = np.minimum(left, MAX_TORPEDOES)
        if self.counts:
            chances = self.odds(boats, lanes)
            fewest, best = self._reaching(chances, rank, most), _best_salvo(chances, rank, most)
        else:
            fewest, best = self._fewest[rank, most], self._best[rank, most]
        price = PIPS[rank]
        fight = (fewest != DECLINE) & (fewest < price)
        return np.where(fight, fewest, np.where(price <= left, ESCAPE, best))

    def chase(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        return (boats.torpedoes[lanes] >= MAX_TORPEDOES) | (not self.game.options["jokers"])

    def sail_on(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        return (boats.torpedoes[lanes] >= MAX_TORPEDOES) | (not self.wary)

    def _reaching(self, chances: Floats, rank: Ints, most: Ints) -> Ints:
        """The fewest torpedoes, at most ``most``, whose chance reaches the threshold, or `DECLINE`."""
        good = (chances >= self.threshold - _EQUAL) & (np.array(SALVO) <= np.asarray(most)[:, None])
        good[:, 0] = rank == cards.JACK
        return np.where(good.any(axis=1), good.argmax(axis=1), DECLINE)


def _best_salvo(chances: Floats, rank: Ints, most: Ints) -> Ints:
    """The number of torpedoes, at most ``most``, with the best chance; the deck gun for a jack."""
    open_ = np.where(np.array(SALVO) <= np.asarray(most)[:, None], chances, -1.0)
    return np.where(rank == cards.JACK, 0, open_.argmax(axis=1))


class OptimalPolicy:
    """Dynamic programming over (ocean left, torpedoes left) with the cards really unseen put in.

    The chances of the shot at hand are exact given every card seen; so are the chances of each rank for the card turned up next, in the
    ocean or as an escort. What it is worth to have turned up such a card comes from `Solution`, for a fresh pack.

    Parameters
    ----------
    game : UssLox
    objective, loss_weight
        As for `Aim.of`.
    """

    counts = True

    def __init__(self, game: UssLox, objective: Any = "tonnage", loss_weight: Any = 1.0) -> None:
        self.game, self.aim = game, Aim.of(objective, loss_weight)
        self.solution = Solution(game, self.aim)

    # Orders ---------------------------------------------------------------------------------------------------------

    def plan(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        dealt = boats.torpedoes[lanes]
        sizes = np.zeros(len(lanes), dtype=np.intp)
        for cards_dealt in np.unique(dealt):
            for patrol in np.unique(boats.patrol[lanes]):
                here = (dealt == cards_dealt) & (boats.patrol[lanes] == patrol)
                values = self.solution.plans(int(patrol) - 1, int(cards_dealt))
                sizes[here] = 1 + values.argmax(axis=0)[self.pips(boats, lanes[here])]
        return sizes

    def target(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        return _pick(self.weigh_target(boats, lanes))

    def escort(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        return _pick(self.weigh_escort(boats, lanes))

    def chase(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        chase, leave = self.weigh_chase(boats, lanes)
        return chase > leave + _EQUAL

    def sail_on(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        sail, home = self.weigh_debrief(boats, lanes)
        return sail > home + _EQUAL

    # What they are worth, in the unit of the aim; shape (lanes, 6), or two of shape (lanes,) ------------------------

    def weigh_target(self, boats: Boats, lanes: Lanes) -> Floats:
        """Attacks with 0 to 3, `DECLINE`, `ESCAPE` (never)."""
        ahead = _Ahead(self, boats, lanes)
        values = self._attacks(ahead, boats, lanes, at_escort=False)
        values[:, DECLINE] = ahead.flip(ahead.torpedoes)
        if boats.extra[lanes].any():
            values[:, DECLINE] = np.where(boats.extra[lanes], ahead.debrief(ahead.torpedoes), values[:, DECLINE])
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

    def pips(self, boats: Boats, lanes: Lanes) -> Ints:
        """The tonnage so far as the tables tell it apart."""
        if not self.solution.top:
            return np.zeros(len(lanes), dtype=np.intp)
        guess = np.rint(boats.estimates[lanes] * self.solution.mean).astype(np.intp)
        return np.minimum(boats.pips[lanes] + guess, self.solution.top)


class _Ahead:
    """The tables of a solution, read for some boats: methods take torpedoes left, shape (lanes,)."""

    def __init__(self, policy: OptimalPolicy, boats: Boats, lanes: Lanes) -> None:
        assert boats.unseen is not None
        self.tables, self.patrol = policy.solution, boats.patrol[lanes].astype(np.intp) - 1
        self.ocean, self.torpedoes = boats.ocean[lanes].astype(np.intp), boats.torpedoes[lanes].astype(np.intp)
        self.deck = boats.deck[lanes]
        unseen = boats.unseen[lanes]
        left = np.empty((len(lanes), 14))
        left[:, :13] = unseen[:, :52].reshape(-1, 13, 4).sum(axis=2)
        left[:, 13] = unseen[:, 52] + unseen[:, 53]
        self.weights = left / np.maximum(left.sum(axis=1, keepdims=True), 1)
        self.plain = left[:, :13] / np.maximum(left[:, :13].sum(axis=1, keepdims=True), 1)
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

    def flip(self, torpedoes: Ints) -> Floats:
        """Value of turning up an ocean card, or of coming home if none is left."""
        rows = self.tables.flip[self.patrol, self.ocean, torpedoes, self.pips]
        return np.einsum("lr,lr->l", rows, self.weights)

    def extra(self, torpedoes: Ints) -> Floats:
        """Value of turning up an extra target."""
        rows = self.tables.extra[self.patrol, self.ocean, torpedoes, self.pips]
        return np.einsum("lr,lr->l", rows, self.weights)

    def debrief(self, torpedoes: Ints) -> Floats:
        """Value after an encounter."""
        over = (self.ocean == 0) | (torpedoes == 0)
        return np.where(over, self.home, np.maximum(self.flip(torpedoes), self.home))

    def hunted(self, torpedoes: Ints) -> Floats:
        """Value when an escort comes; with an empty deck none does (rules L4e, A7)."""
        rows = self.tables.escort[self.patrol, self.ocean, torpedoes, self.pips, :13]
        value: Floats = np.einsum("lr,lr->l", rows, self.plain)
        if (self.deck > 0).all():
            return value
        return np.where(self.deck > 0, value, np.where(self.patrol > 0, self.lost, self.debrief(torpedoes)))


def _pick(values: Floats) -> Ints:
    """The best order of each lane; of equals the first in `_ORDERS`."""
    ordered = values[:, _ORDERS]
    good = ordered >= ordered.max(axis=1, keepdims=True) - _EQUAL
    return _ORDERS[good.argmax(axis=1)]


POLICIES: Mapping[str, tuple[Callable[..., Policy], tuple[str, ...]]] = {
    "random": (RandomPolicy, ()),
    "greedy": (GreedyPolicy, ("threshold", "counting")),
    "optimal": (OptimalPolicy, ("objective", "loss_weight")),
}
"""Maker and parameters of every policy by name."""


def policy(spec: str | Policy, game: UssLox) -> Policy:
    """The policy that a text names.

    Parameters
    ----------
    spec : str or Policy
        A name, and after a colon its parameters, in order or by name: "random", "greedy", "greedy:0.7",
        "greedy:threshold=0.7,counting=yes", "optimal", "optimal:home:20000", "optimal:loss_weight=0". A policy is returned as it is.
    game : UssLox

    Raises
    ------
    OptionError
        If there is no such policy or parameter, or a value is out of range.
    """
    if not isinstance(spec, str):
        return spec
    name, _, rest = spec.strip().partition(":")
    if name not in POLICIES:
        raise OptionError(f"there is no policy {name!r}; there are: {', '.join(POLICIES)}.")
    make, names = POLICIES[name]
    given: dict[str, str] = {}
    for place, part in enumerate(rest.split(",") if rest else []):
        key, equals, value = (text.strip() for text in part.partition("="))
        if not equals and place < len(names):
            key, value = names[place], key
        if key not in names or key in given:
            raise OptionError(f"{spec!r}: {part!r} is no parameter of {name}, or stands twice; it has: {', '.join(names) or 'none'}.")
        given[key] = value
    return make(game, **given)
