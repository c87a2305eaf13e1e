"""The captains of USS Lox as policies over arrays: random, greedy, optimal, and the text that names them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from navalkit.core.echo import brief
from navalkit.core.errors import OptionError

from .. import odds
from ..odds.counting import SALVO, salvoes
from ..rules import cards
from ..rules.game import UssLox
from ..rules.round import PIPS, RANK, most_fired, usual_ocean
from ..rules.say import SAY
from ..rules.state import MAX_TORPEDOES
from .boats import DECLINE, ESCAPE, Boats, Bools, Ints, Lanes, Policy
from .optimal import OptimalPolicy
from .solve import Floats

_EQUAL = 1e-9


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
        return np.asarray(rng.integers(0, 2, len(lanes)) == 0)

    def sail_on(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        return rng.integers(0, boats.ocean[lanes] + 1) > 0

    def _salvoes(self, boats: Boats, lanes: Lanes) -> Ints:
        return np.asarray(most_fired(RANK[boats.ship[lanes]], boats.torpedoes[lanes]) + 1)


class GreedyPolicy:
    """Fires as soon as the odds are good enough, and thinks no further.

    A target is attacked with the fewest torpedoes whose chance reaches the threshold, and let go if there are
    none. An escort is attacked so too, if that takes fewer torpedoes than escaping; else she is escaped from;
    else attacked with the best chance there is. Where an escort may come unasked (king ships, jokers) the
    boat returns, and leaves an extra target alone, with fewer than three torpedoes left.

    ``threshold``: 0 to 1. ``counting``: whether the chances are those of the cards really unseen; else those of a fresh
    pack (`odds.table`).
    """

    def __init__(self, game: UssLox, threshold: Any = 0.6, counting: Any = False) -> None:
        try:
            self.threshold = float(threshold)
        except (TypeError, ValueError):
            self.threshold = -1.0
        if not 0 <= self.threshold <= 1:
            raise OptionError(SAY("wrong.threshold", value=brief(threshold)))
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        known = words.get(str(counting).lower())
        if known is None:
            raise OptionError(SAY("wrong.counting", value=brief(counting)))
        self.game, self.counts = game, known
        pack = set(game.pack)
        jokers = sum(map(cards.is_joker, pack))
        absent = [card for card in range(52 + jokers) if card not in pack]
        self._table = np.nan_to_num(odds.table(absent, jokers, game.options["nob"]))
        # What to fire by (rank, torpedoes left): a target, and an escort
        every = np.repeat(np.arange(13), MAX_TORPEDOES + 1), np.tile(np.array(SALVO), 13)
        shape = 13, MAX_TORPEDOES + 1
        self._fewest = self._reaching(self._table.T[:, every[0]], *every).reshape(shape).astype(np.int8)
        self._best = _best_salvo(self._table.T[:, every[0]], *every).reshape(shape).astype(np.int8)
        self.wary = bool(game.options["king_ships"] or game.options["jokers"])

    def odds(self, boats: Boats, lanes: Lanes) -> Floats:
        """The chances the policy goes by, shape (4, lanes)."""
        ship = boats.ship[lanes]
        if boats.unseen is None or not self.counts:
            return self._table.T[:, RANK[ship]]
        hits, deals = salvoes(ship, boats.unseen[lanes], self.game.options["nob"])
        return np.asarray(hits / np.maximum(deals, 1))

    def plan(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        """The usual ocean."""
        return np.asarray(usual_ocean(boats.torpedoes[lanes]))

    def target(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        rank, most = RANK[boats.ship[lanes]], np.minimum(boats.torpedoes[lanes], MAX_TORPEDOES)
        if self.counts:
            return self._reaching(self.odds(boats, lanes), rank, most)
        fewest: Ints = self._fewest[rank, most]
        return fewest

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
        good = (chances >= self.threshold - _EQUAL) & (np.array(SALVO)[:, None] <= most)
        good[0] = rank == cards.JACK
        return np.where(good.any(axis=0), good.argmax(axis=0), DECLINE)


def _best_salvo(chances: Floats, rank: Ints, most: Ints) -> Ints:
    """The number of torpedoes, at most ``most``, with the best chance; the deck gun for a jack."""
    open_ = np.where(np.array(SALVO)[:, None] <= most, chances, -1.0)
    return np.where(rank == cards.JACK, 0, open_.argmax(axis=0))


POLICIES: Mapping[str, tuple[Callable[..., Policy], tuple[str, ...]]] = {
    "random": (RandomPolicy, ()),
    "greedy": (GreedyPolicy, ("threshold", "counting")),
    "optimal": (OptimalPolicy, ("objective", "loss_weight")),
}
"""Maker and parameters of every policy by name."""


def policy(spec: str | Policy, game: UssLox) -> Policy:
    """The policy that a text names.

    ``spec``: a name, and after a colon its parameters, in order or by name: "random", "greedy", "greedy:0.7",
    "greedy:threshold=0.7,counting=yes", "optimal", "optimal:home:20000", "optimal:loss_weight=0". A policy is returned
    as it is. OptionError if there is no such policy or parameter, or a value is out of range.
    """
    if not isinstance(spec, str):
        return spec
    name, _, rest = spec.strip().partition(":")
    if name not in POLICIES:
        raise OptionError(SAY("wrong.policy", name=brief(name), names=", ".join(POLICIES)))
    make, names = POLICIES[name]
    given: dict[str, str] = {}
    for place, part in enumerate(rest.split(",") if rest else []):
        key, equals, value = (text.strip() for text in part.partition("="))
        if not equals and place < len(names):
            key, value = names[place], key
        if key not in names or key in given:
            raise OptionError(
                SAY(
                    "wrong.policy.part", spec=brief(spec), part=brief(part), name=name,
                    names=", ".join(names) or SAY("wrong.policy.none"),
                )
            )  # fmt: skip
        given[key] = value
    return make(game, **given)
