"""The optimal captain against a solver that tracks every card, on a pack small enough for it."""

from __future__ import annotations
import itertools
from functools import cache

import numpy as np
import pytest

from navalkit.core.game import CHANCE, TERMINAL
from navalkit.games.uss_lox import UssLox, cards, cribbage, odds, optimal
from navalkit.games.uss_lox.bots import Optimal
from navalkit.games.uss_lox.endgame import DECLINE, ESCAPE, Aim, Boats, Solution
from navalkit.games.uss_lox.odds import BIT, packed
from navalkit.games.uss_lox.optimal import GreedyPolicy, OptimalPolicy
from navalkit.games.uss_lox.state import Flip, Plan

FULL = (1 << 16) - 1


class SmallLox(UssLox):
    """A few ranks. Rule A3 lets the tests lay out an ocean of any size."""

    def __init__(self, ranks=(0, 4, 5, 9), supply=7, suits=4, **options):
        self.supply_size = supply
        super().__init__(plan_patrol=True, **options)
        self.pack = tuple(4 * rank + suit for rank in ranks for suit in range(suits))
        self.suits = suits


class Exhaustive:
    """Exact values of the small basic game, tracking the whole set of unseen cards (suits may be swapped).

    Sets of unseen cards are bit masks over the pack; ``row`` numbers those that can come up, the rest are -1.
    """

    def __init__(self, game, oceans, torpedoes):
        self.pack, self.shape = game.pack, (oceans, torpedoes + 1)
        size = len(self.pack)
        masks = np.arange(1 << size)
        bits = masks[:, None] >> np.arange(size) & 1
        canon, self.turn = masks.copy(), np.zeros(len(masks), dtype=int)
        suits = game.suits
        self.turns = [
            np.array([card // suits * suits + turn[card % suits] for card in range(size)])
            for turn in itertools.permutations(range(suits))
        ]
        for number, turn in enumerate(self.turns):
            turned = bits @ (1 << turn)
            better = turned < canon
            canon[better], self.turn[better] = turned[better], number
        count = bits.sum(axis=1)
        fewest = max(size - 1 - 2 * oceans - torpedoes, 1)
        sets = np.unique(canon[count >= fewest])
        self.sets = sets[np.argsort(count[sets], kind="stable")]
        self.row = np.full(len(masks), -1)
        self.row[self.sets] = np.arange(len(self.sets))
        self.row = self.row[canon]
        self.salvoes = []
        for n in range(4):
            shots = list(itertools.combinations(range(size), n))
            hit = [
                [cribbage.is_hit(ship, [self.pack[i] for i in shot]) for shot in shots] for ship in self.pack
            ]
            self.salvoes.append((np.array([sum(1 << i for i in shot) for shot in shots]), np.array(hit)))
        self.pips = np.array([cards.pips(card) for card in self.pack])

    def orders(self, policy):
        """The policy's orders for every target and every escort, by [ocean, torpedoes, row, ship]."""
        size = len(self.pack)
        shape = (*self.shape, len(self.sets), size)
        ocean, left, row, ship = (grid.reshape(-1) for grid in np.indices(shape))
        unseen = (self.sets[row, None] >> np.arange(size) & 1).astype(np.uint64) @ BIT[list(self.pack)]
        zero = np.zeros(len(row), dtype=int)
        boats = Boats(
            ship=np.array(self.pack, dtype=np.uint8)[ship], extra=zero > 0, ocean=ocean, torpedoes=left,
            deck=zero + 5, pips=zero, estimates=zero, patrol=zero + 1, unseen=unseen,
        )  # fmt: skip
        faced = np.flatnonzero(
            self.sets[row] >> ship & 1 == 0
        )  # the ship that lies face up is no more unseen
        orders = np.zeros((2, len(row)), dtype=int)
        orders[:, faced] = policy.target(boats, faced, None), policy.escort(boats, faced, None)
        return orders.reshape(2, *shape)

    def values(self, policy=None):
        """Expected tonnage yet to come, in thousands, by [ocean, torpedoes, row].

        With a policy its orders are followed, without one the best is done. She always sails on, which is
        never worse than to return: declining is free.
        """
        size, rows, (oceans, stores) = len(self.pack), len(self.sets), self.shape
        orders = self.orders(policy) if policy else None
        flip = np.zeros((oceans + 1, stores, rows + 1))
        debrief, hunted = np.zeros((2, oceans, stores, rows + 1))
        target, escort = np.zeros((2, oceans, stores, rows + 1, size))
        for here, mask in enumerate(self.sets):
            unseen = np.flatnonzero(mask >> np.arange(size) & 1)
            rest = mask ^ 1 << unseen
            ships = np.array([self.turns[self.turn[r]][s] for r, s in zip(rest, unseen, strict=True)])
            flip[1:, :, here] = target[:, :, self.row[rest], ships].mean(axis=-1)
            hunted[:, :, here] = escort[:, :, self.row[rest], ships].mean(axis=-1)
            debrief[1:, 1:, here] = flip[1:-1, 1:, here]
            attacked, fought = np.full((2, 6, oceans, stores, size), -np.inf)
            for n, (shots, hit) in enumerate(self.salvoes):
                fit = shots & ~mask == 0
                after, hits = self.row[mask ^ shots[fit]], hit[:, fit].T
                for left in range(n, stores) if fit.any() else ():
                    sunk = debrief[:, left - n][:, after] @ hits
                    fought[n, :, left] = (sunk + hits.sum(axis=0) * self.pips) / len(after)
                    missed = hunted[:, left - n][:, after] @ ~hits
                    attacked[n, :, left] = fought[n, :, left] + missed / len(after)
            attacked[DECLINE] = flip[:-1, :, here, None]
            for place, price in enumerate(self.pips):
                fought[ESCAPE, :, price:, place] = debrief[:, : max(stores - price, 0), here]
            if orders is None:
                target[:, :, here], escort[:, :, here] = attacked.max(axis=0), fought.max(axis=0)
            else:
                for values, table, given in zip((target, escort), (attacked, fought), orders, strict=True):
                    values[:, :, here] = np.take_along_axis(table, given[None, :, :, here], axis=0)[0]
        return {"flip": flip[..., :-1], "debrief": debrief[..., :-1], "hunted": hunted[..., :-1]}


@pytest.mark.parametrize("options", [{}, {"jokers": True, "queen_ships": True, "nob": True}])
def test_among_many_boats_each_gets_the_order_she_would_get_alone(options, monkeypatch):
    monkeypatch.setattr(optimal, "_BLOCK", 16)
    game, rng, n = UssLox(**options), np.random.default_rng(4), 60
    policy = OptimalPolicy(game)
    unseen = packed(rng.random((n, 54)) < 0.5) & np.uint64(sum(1 << card for card in game.pack))
    zero = np.zeros(n, dtype=int)
    boats = Boats(
        ship=rng.integers(0, 52, n).astype(np.uint8), extra=zero > 0, ocean=zero + 4,
        torpedoes=rng.integers(1, 16, n), deck=zero + 9, pips=zero, estimates=zero, patrol=zero + 1, unseen=unseen,
    )  # fmt: skip
    lanes = rng.permutation(n)[:50]
    for ask in (policy.target, policy.escort):
        assert ask(boats, lanes, rng).tolist() == [int(ask(boats, lanes[[i]], rng)[0]) for i in range(50)]


@pytest.fixture(scope="module")
def small():
    """Values of three captains in the small game, the exhaustive solver first; the last row is the start."""
    game = SmallLox()
    exhaustive = Exhaustive(game, 3, 4)
    captains = {
        "best": None,
        "optimal": OptimalPolicy(game),
        "greedy": GreedyPolicy(game, 0.6, counting=True),
    }
    return {name: exhaustive.values(policy) for name, policy in captains.items()}


@pytest.mark.slow
def test_the_optimal_captain_loses_little_by_not_tracking_every_card(small):
    best, optimal, greedy = (values["flip"][3, 4, -1] for values in small.values())
    assert best == pytest.approx(11.8348, abs=1e-4)
    assert 0 <= best - optimal < 0.002 * best
    assert best - greedy > 0.1 * best


@pytest.mark.slow
def test_nobody_beats_the_exhaustive_solver_anywhere(small):
    for name in ("optimal", "greedy"):
        for table, best in small["best"].items():
            assert (best - small[name][table]).min() > -1e-9


def through_the_rules(game, state):
    """The most further pips that can be expected, by trying every order and every card through the rules."""

    @cache
    def value(key):
        now = positions[key]
        who = game.turn(now)
        if who == TERMINAL:
            return 0.0
        if who == CHANCE:
            draw = game.chance(now)
            return sum(float(draw[action]) * step(now, action) for action in draw)
        orders = game.legal(now)
        flips = [order for order in orders if isinstance(order, Flip)]
        return max(step(now, order) for order in orders if not isinstance(order, Flip) or order == flips[0])

    def step(now, action):
        after = game.apply(now, action).state
        key = (
            after.phase, after.drawing, after.ship, after.role, after.firing, tuple(sorted(after.fired)),
            after.seen, after.ocean_left, after.torpedoes, len(after.deck),
        )  # fmt: skip
        positions.setdefault(key, after)
        return (after.tons - now.tons) / 1000 + value(key)

    positions = {0: state}
    return value(0)


def test_the_exhaustive_solver_agrees_with_the_rules():
    # No fifteen and no run, so that pairs and four of one suit are all that scores.
    for ocean, torpedoes in ((2, 1), (1, 3)):
        game = SmallLox(ranks=(0, 2, 6, 8), supply=ocean + torpedoes, suits=2)
        start = game.apply(game.initial(), Plan(ocean)).state
        exact = Exhaustive(game, ocean, torpedoes).values()["flip"][ocean, torpedoes, -1]
        assert through_the_rules(game, start) == pytest.approx(exact, abs=1e-12)


class Twin:
    """`Solution` for one patrol, one number at a time, straight from the rules of its simpler sea."""

    def __init__(self, game, aim):
        self.game, self.aim, self.options = game, aim, game.options
        pack = game.pack
        jokers = sum(map(cards.is_joker, pack))
        self.jokers = jokers / len(pack)
        self.share = [sum(card < 52 and card >> 2 == rank for card in pack) / len(pack) for rank in range(13)]
        absent = [card for card in range(52) if card not in pack]
        self.chances = odds.table(absent, jokers, game.options["nob"])
        self.mean = sum(map(cards.pips, pack)) / len(pack)
        for name in ("flip", "debrief", "hunted", "extra"):
            setattr(self, name, cache(getattr(self, name)))

    def end(self, pips, won):
        if self.aim.home_tons is not None:
            needed = -(-self.aim.home_tons // 1000)
            return (won and pips >= needed) + 1e-7 * min(pips, needed)
        return pips if won else self.aim.loss_weight * pips

    def sunk(self, rank, ocean, torpedoes, pips):
        worth = cards.pips(4 * rank)
        if self.options["face_estimates"] and rank >= cards.JACK:
            worth = self.mean if self.aim == Aim() else round(self.mean)
        after = self.debrief(ocean, torpedoes, pips + worth)
        if self.options["queen_ships"] and rank == cards.QUEEN:
            after = max(after, self.extra(ocean, torpedoes, pips + worth))
        return after

    def attacks(self, rank, ocean, torpedoes, pips, missed):
        most = cards.GUN_TORPEDOES if rank == cards.JACK else 3
        for n in range(min(most, torpedoes) + 1):
            if n == 0 or cards.by_gun(4 * rank, n):  # nothing left to chance
                sure = cards.by_gun(4 * rank, n)
                yield self.sunk(rank, ocean, torpedoes - n, pips) if sure else missed(torpedoes)
                continue
            chance = self.chances[rank, n]
            yield chance * self.sunk(rank, ocean, torpedoes - n, pips) + (1 - chance) * missed(torpedoes - n)

    def debrief(self, ocean, torpedoes, pips):
        home = self.end(pips, True)
        return home if not ocean or not torpedoes else max(home, self.flip(ocean, torpedoes, pips))

    def fight(self, rank, ocean, torpedoes, pips):
        orders = list(self.attacks(rank, ocean, torpedoes, pips, lambda left: self.end(pips, False)))
        if (price := cards.pips(4 * rank)) <= torpedoes:
            orders.append(self.debrief(ocean, torpedoes - price, pips))
        return max(orders)

    def hunted(self, ocean, torpedoes, pips):
        fights = ((share, rank) for rank, share in enumerate(self.share) if share)
        return sum(share * self.fight(rank, ocean, torpedoes, pips) for share, rank in fights) / sum(
            self.share
        )

    def turned_up(self, ocean, torpedoes, pips, leave, kings):
        total = self.jokers and self.jokers * self.hunted(ocean, torpedoes, pips)
        for rank, share in enumerate(self.share):
            if share and rank == cards.KING and kings:
                total += share * self.fight(rank, ocean, torpedoes, pips)
            elif share:
                missed = lambda left: self.hunted(ocean, left, pips)  # noqa: E731
                total += share * max(leave, *self.attacks(rank, ocean, torpedoes, pips, missed))
        return total

    def extra(self, ocean, torpedoes, pips):
        return self.turned_up(ocean, torpedoes, pips, self.debrief(ocean, torpedoes, pips), False)

    def flip(self, ocean, torpedoes, pips):
        """With that many ocean cards, one of which must be turned up."""
        if not ocean:
            return self.end(pips, True)
        leave = self.flip(ocean - 1, torpedoes, pips)
        return self.turned_up(ocean - 1, torpedoes, pips, leave, self.options["king_ships"])


SEAS = [
    (UssLox(), Aim()),
    (UssLox(jokers=True, queen_ships=True, face_estimates=True), Aim()),
    (UssLox(king_ships=True, nob=True), Aim(25_000)),
    (
        SmallLox((0, 4, 8, 10, 11, 12), 9, king_ships=True, queen_ships=True, face_estimates=True),
        Aim(None, 0.3),
    ),
]


@pytest.mark.parametrize("game, aim", SEAS, ids=str)
def test_the_tables_hold_what_a_plain_recursion_finds(game, aim):
    supply = min(game.supply_size, 12)
    solution, twin = Solution(game, aim), Twin(game, aim)
    for ocean in range(1, min(9, supply - 1) + 1):
        for torpedoes in {1, min(2, supply - ocean), supply - ocean}:
            expected = twin.flip(ocean, torpedoes, 0)
            assert solution.flip[0, ocean, torpedoes, 0] @ solution.weights == pytest.approx(
                expected, abs=1e-8
            )


def test_a_second_patrol_is_what_coming_home_from_the_first_is_worth():
    one, two = Solution(UssLox(), Aim()), Solution(UssLox(patrols=2), Aim())
    assert two.home[1] == 0 and two.home[0] == one.start(0, 24)
    assert two.start(0, 24) > 1.7 * one.start(0, 24)


def test_the_captain_lays_out_the_ocean_worth_most():
    game = SmallLox((0, 4, 8, 10, 11, 12), supply=12)
    decision = Optimal(game).decide(game.initial(), game.legal(game.initial()), np.random.default_rng(0))
    twin = Twin(game, Aim())
    values = {size: twin.flip(size, 12 - size, 0) for size in range(1, 12)}
    assert decision.action == Plan(max(values, key=values.get))
    assert decision.options[0].value == pytest.approx(1000 * max(values.values()))
