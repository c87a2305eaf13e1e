"""The quick copy of the rules, held against the rules: every ply of patrols played at random goes the way it says."""

from __future__ import annotations
import random
from itertools import product

import numpy as np
import pytest

from navalkit.core.game import CHANCE, TERMINAL
from navalkit.games.uss_lox import UssLox, cards, cribbage
from navalkit.games.uss_lox.round import RANK, Round, most_fired
from navalkit.games.uss_lox.state import Attack, Deal, Decline, Escape, Phase, Return

SWITCHES = ("jokers", "face_estimates", "plan_patrol", "king_ships", "queen_ships", "nob")


class ShortLox(UssLox):
    """Few cards, of which many are queens, kings and jokers: the deck runs out."""

    supply_size = 8

    def __init__(self, rng, **options):
        super().__init__(**options)
        self.pack = tuple(rng.sample((3, 8, 21, *range(40, 52 + 2 * options["jokers"])), rng.randint(10, 15)))


def went(before, after):
    """Where a ply has led."""
    if after.result:
        return {"win": "won", "loss": "lost"}[after.result]
    if after.patrol > before.patrol:
        return "again"
    return "drawn" if after.phase is Phase.DRAW else str(after.phase)


class Pilot:
    """Says where a ply leads, and counts the cards, by the quick copy alone."""

    def __init__(self, game):
        self.round, self.told = Round(game), set()

    def says(self, before, action):
        """The way, and (ocean, torpedoes, deck) after it."""
        self.counts = [before.ocean_left, before.torpedoes, len(before.deck)]
        self.patrol = before.patrol
        match action:
            case Decline() if before.phase is Phase.TARGET:
                extra = before.role == "extra"
                way = self.round.let_go(extra, self.counts[0], self.debrief, self.home, "periscope")
            case Decline():
                way = self.debrief()
            case Return():
                way = self.home()
            case Escape():
                self.counts[1] -= cards.pips(before.ship)
                self.counts[2] += cards.pips(before.ship)
                way = self.debrief()
            case Attack(torpedoes) if not torpedoes:
                way = self.fired(before, ())
            case Deal("torpedo", card):
                self.counts[1] -= 1
                fired = (*before.fired, card)
                way = self.fired(before, fired) if len(fired) == before.firing else "drawn"
            case Deal("escort" | "extra" as place, card):
                self.counts[2] -= 1
                if place == "extra":
                    way = self.round.turned(card >> 2, "target", "escort", self.hunted, extra=True)
                else:
                    way = self.hunted() if cards.is_joker(card) else "escort"
            case Deal("estimate"):
                return None
            case Deal(_, card):
                self.counts[0] -= 1
                way = self.round.turned(card >> 2, "target", "escort", self.hunted)
            case _:
                return None
        return way

    def fired(self, before, fired):
        if not cribbage.sinks(before.ship, fired, self.round.nob):
            return "lost" if before.role == "escort" else self.hunted()
        rank = cards.rank(before.ship)
        self.counts[2] -= self.round.replaced(rank, self.counts[2])
        return self.round.sunk(rank, self.counts[2], "queen", self.debrief)

    def hunted(self):
        return self.round.hunted(self.counts[2], self.patrol, "drawn", "lost", self.debrief)

    def debrief(self):
        return self.round.debrief(*self.counts[:2], self.home, "debrief")

    def home(self):
        return self.round.home(self.patrol, self.counts[2], "again", "won")


def test_every_ply_goes_the_way_of_the_quick_copy():
    rng, seen = random.Random(1), set()
    for number in range(600):
        options = {name: rng.random() < 0.5 for name in SWITCHES} | {"patrols": rng.choice((1, 2))}
        game = ShortLox(rng, **options) if number % 15 else UssLox(**options)
        pilot, state = Pilot(game), game.initial()
        while game.turn(state) != TERMINAL:
            legal = list(game.chance(state)) if game.turn(state) == CHANCE else game.legal(state)
            if state.phase in (Phase.TARGET, Phase.ESCORT):
                fire = [each.torpedoes for each in legal if isinstance(each, Attack)]
                assert fire == list(range(most_fired(state.ship >> 2, state.torpedoes) + 1))
            bold = [each for each in legal if not isinstance(each, Return | Escape)]
            action = rng.choice(bold if bold and rng.random() < 0.9 else legal)
            before, state = state, game.apply(state, action).state
            way = pilot.says(before, action)
            if way is not None:
                assert way == went(before, state), (game.options, game.format_state(before), str(action))
                seen.add(way)
                if not state.result and way != "again":
                    assert pilot.counts == [state.ocean_left, state.torpedoes, len(state.deck)]
            if state.phase is Phase.PLAN or way == "again":
                dealt = state.torpedoes + state.ocean_left
                assert dealt == pilot.round.supply(dealt + len(state.deck))
                sizes = [order.size for order in game.legal(state)] if state.phase is Phase.PLAN else [state.ocean_left]
                assert sizes == list(pilot.round.oceans(dealt))
    assert seen >= {"target", "escort", "drawn", "queen", "debrief", "periscope", "again", "won", "lost"}


@pytest.mark.parametrize("switched", [*product((False, True), repeat=3)])
def test_many_boats_go_where_each_would_go_alone(switched):
    ways = Round(UssLox(**dict(zip(("king_ships", "queen_ships", "face_estimates"), switched, strict=True)), patrols=2))
    ranks, counts = np.unique(RANK), np.arange(4)
    rank, first, second = (grid.ravel() for grid in np.meshgrid(ranks, counts, counts))
    boats = list(zip(rank.tolist(), first.tolist(), second.tolist(), strict=True))
    for ask in (
        lambda r, a, b: ways.turned(r, 1, 2, 3),
        lambda r, a, b: ways.turned(r, 1, 2, 3, extra=True),
        lambda r, a, b: ways.let_go(a > 1, b, 1, 2, 3),
        lambda r, a, b: ways.hunted(a, b, 1, 2, 3),
        lambda r, a, b: ways.replaced(r, a),
        lambda r, a, b: ways.sunk(r, a, 1, 2),
        lambda r, a, b: ways.debrief(a, b, 1, 2),
        lambda r, a, b: ways.home(a, b, 1, 2),
    ):
        assert np.broadcast_to(ask(rank, first, second), rank.shape).tolist() == [ask(*boat) for boat in boats]
