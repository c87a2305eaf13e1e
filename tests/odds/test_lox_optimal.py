"""The optimal captain against a solver that tracks every card, on a pack small enough for it."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest

from navalkit.core.errors import OptionError
from navalkit.core.game import CHANCE, TERMINAL
from navalkit.games.uss_lox import UssLox, cards, cribbage
from navalkit.games.uss_lox.boats import DECLINE, ESCAPE, Boats
from navalkit.games.uss_lox.policy import OptimalPolicy
from navalkit.games.uss_lox.state import Flip, Phase


class SmallLox(UssLox):
    """Sixteen cards: four ranks. Rule A3 lets the tests lay out three ocean cards."""

    supply_size = 7
    ranks = (0, 4, 5, 9)

    def __init__(self, **options):
        super().__init__(plan_patrol=True, **options)
        self.pack = tuple(4 * rank + suit for rank in self.ranks for suit in range(4))


class Exhaustive:
    """Exact values of the small game, tracking the whole set of unseen cards (suits being alike as a whole).

    With a policy its orders are followed, without one the best is done. Expected tonnage in thousands. ``debrief`` and
    ``hunted`` are indexed [ocean, torpedoes, set]; ``target`` and ``escort`` also by the ship's place in the pack.
    """

    def __init__(self, game, oceans, torpedoes, policy=None):
        self.pack, self.shape = game.pack, (oceans, torpedoes + 1)
        size = len(self.pack)
        masks = np.arange(1 << size)
        bits = masks[:, None] >> np.arange(size) & 1
        self.canon, self.turn = masks.copy(), np.zeros(len(masks), dtype=int)
        self.turns = [
            np.array([card // 4 * 4 + suits[card % 4] for card in range(size)])
            for suits in itertools.permutations(range(4))
        ]
        for number, turn in enumerate(self.turns):
            turned = (bits << turn).sum(axis=1)
            better = turned < self.canon
            self.canon[better], self.turn[better] = turned[better], number
        count = bits.sum(axis=1)
        fewest = size - 1 - 2 * oceans - torpedoes
        self.sets = sorted(
            (mask for mask in np.unique(self.canon) if count[mask] >= fewest), key=lambda mask: count[mask]
        )
        self.salvoes = []
        for n in range(4):
            shots = list(itertools.combinations(range(size), n))
            hit = [[cribbage.is_hit(ship, [self.pack[i] for i in shot]) for shot in shots] for ship in self.pack]
            self.salvoes.append((np.array([sum(1 << i for i in shot) for shot in shots]), np.array(hit)))
        self.pips = np.array([cards.pips(card) for card in self.pack])
        self.orders = self.all_orders(game, policy) if policy else None
        self.solve(bits)

    def all_orders(self, game, policy):
        """The policy's orders for every target and every escort, and whether it sails on."""
        rows = np.array([mask for mask in self.sets])
        ocean, left, mask, ship = (
            grid.reshape(-1) for grid in np.meshgrid(*map(np.arange, self.shape), rows, np.arange(len(self.pack)), indexing="ij")
        )
        keep = (mask >> ship & 1) == 0
        ocean, left, mask, ship = ocean[keep], left[keep], mask[keep], ship[keep]
        unseen = np.zeros((len(mask), 54), dtype=np.uint8)
        unseen[:, list(self.pack)] = mask[:, None] >> np.arange(len(self.pack)) & 1
        zero = np.zeros(len(mask), dtype=int)
        boats = Boats(
            ship=np.array(self.pack, dtype=np.uint8)[ship], extra=zero > 0, ocean=ocean, torpedoes=left,
            deck=zero + 5, pips=zero, estimates=zero, patrol=zero + 1, unseen=unseen,
        )  # fmt: skip
        lanes, orders = np.arange(len(mask)), np.full((2, *self.shape, 1 << len(self.pack), len(self.pack)), -1, dtype=np.int8)
        orders[0, ocean, left, mask, ship] = policy.target(boats, lanes, None)
        orders[1, ocean, left, mask, ship] = policy.escort(boats, lanes, None)
        return orders

    def solve(self, bits):
        size, (oceans, stores) = len(self.pack), self.shape
        self.flip = np.zeros((oceans + 1, stores, len(bits)))
        self.debrief, self.hunted = np.zeros((2, oceans, stores, len(bits)))
        target, escort = np.zeros((2, oceans, stores, len(bits), size))
        for mask in self.sets:
            unseen = np.flatnonzero(bits[mask])
            rest = mask ^ 1 << unseen
            ships = np.array([self.turns[self.turn[r]][s] for r, s in zip(rest, unseen, strict=True)])
            rest = self.canon[rest]
            self.flip[1:, :, mask] = target[:, :, rest, ships].mean(axis=-1)
            self.hunted[:, :, mask] = escort[:, :, rest, ships].mean(axis=-1)
            # Going on is never worse than returning: declining is free.
            self.debrief[1:, 1:, mask] = self.flip[1:-1, 1:, mask]
            attacked, fought = np.full((2, 6, oceans, stores, size), -np.inf)
            for n, (shots, hit) in enumerate(self.salvoes):
                fit = shots & ~mask == 0
                after, hit_here = self.canon[mask ^ shots[fit]], hit[:, fit].T
                for left in range(n, stores):
                    sunk = self.debrief[:, left - n][:, after]
                    sure = (sunk @ hit_here + hit_here.sum(axis=0) * self.pips) / len(after)
                    fought[n, :, left] = sure
                    attacked[n, :, left] = sure + self.hunted[:, left - n][:, after] @ ~hit_here / len(after)
            attacked[DECLINE] = self.flip[:-1, :, mask, None]
            for place, price in enumerate(self.pips):
                fought[ESCAPE, :, price:, place] = self.debrief[:, : max(stores - price, 0), mask]
            if self.orders is None:
                target[:, :, mask], escort[:, :, mask] = attacked.max(axis=0), fought.max(axis=0)
            else:
                out = np.flatnonzero(~bits[mask].astype(bool))
                for values, table, orders in ((target, attacked, self.orders[0]), (escort, fought, self.orders[1])):
                    order = orders[:, :, mask, out][None]
                    values[:, :, mask, out] = np.take_along_axis(table[..., out], order.astype(int), axis=0)[0]
        self.target, self.escort = target, escort


@cache
def exhaustive(torpedoes=4):
    return Exhaustive(SmallLox(), 3, torpedoes)
