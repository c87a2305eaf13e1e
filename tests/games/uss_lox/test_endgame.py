"""The last cards of a patrol, solved exactly: against a plain recursion through the rules, and as a yardstick."""

from __future__ import annotations
import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from navalkit.core.game import CHANCE, TERMINAL
from navalkit.games.uss_lox import UssLox
from navalkit.games.uss_lox.bots import Optimal
from navalkit.games.uss_lox.endgame import DECLINE, ESCAPE, MOST_UNSEEN, Aim, Boats, Endgame, Solution, solvable
from navalkit.games.uss_lox.optimal import OptimalPolicy
from navalkit.games.uss_lox.state import GONE, NO_CARD, Flip, Phase, State
from navalkit.testing import heard
from ...sentences import LOX

SWITCHES = ("jokers", "face_estimates", "king_ships", "queen_ships", "nob")
AIMS = (Aim(), Aim(None, 0.0), Aim(None, 0.4), Aim(9_000), Aim(31_000))
ONE = np.zeros(1, dtype=np.intp)


def late(game, rng, unseen, torpedoes, ocean):
    """A position with that many unseen cards, and at the most that many torpedoes and ocean cards."""
    pack = rng.sample(game.pack, len(game.pack))
    seen = pack[unseen:]
    plain = [card for card in seen if card < 52]
    k, t = rng.randint(0, ocean), rng.randint(1, min(torpedoes, unseen - ocean))
    e = rng.randint(0, int(game.options["face_estimates"] and k + t < unseen))
    sunk = tuple(rng.sample(plain, rng.randint(0, 4)))
    slots = tuple(range(unseen))
    state = State(
        Phase.DEBRIEF, patrol=rng.randint(1, game.options["patrols"]), ocean=slots[:k] + (GONE,) * (9 - k),
        supply=slots[k : k + t], estimates=slots[k + t : k + t + e], deck=slots[k + t + e :],
        seen=sum(1 << card for card in seen), sunk=sunk,
    )  # fmt: skip
    ships = {Phase.TARGET: "target", Phase.ESCORT: "escort"}
    phases = [*ships, *ships] + [Phase.DEBRIEF] * (k > 0)
    phases += [Phase.QUEEN] * bool(game.options["queen_ships"] and state.deck)
    phase = rng.choice(phases)
    ship = rng.choice([card for card in plain if card not in sunk]) if phase in ships else NO_CARD
    return replace(state, phase=phase, ship=ship, role=ships.get(phase, ""))


def through_the_rules(game, aim, state):
    """The value of every order, by trying every order and every card through the rules."""
    goal, lost = aim.ends()

    def ended(now):
        pips, win = now.tons // 1000, now.result == "win"
        if aim.home_tons is not None:
            return (goal if win else lost)[min(pips, aim.top)]
        return pips * (1 if win else aim.loss_weight)

    @cache
    def value(key):
        now = positions[key]
        who = game.turn(now)
        if who == TERMINAL:
            return ended(now)
        if who == CHANCE:
            draw = game.chance(now)
            return sum(float(draw[action]) * step(now, action) for action in draw)
        return max(orders(now).values())

    def orders(now):
        flips = [order for order in game.legal(now) if isinstance(order, Flip)][1:]
        return {named(order): step(now, order) for order in game.legal(now) if order not in flips}

    def step(now, action):
        after = game.apply(now, action).state
        key = (
            after.phase, after.drawing, after.ship, after.role, after.firing, tuple(sorted(after.fired)), after.seen,
            after.ocean_left, after.torpedoes, len(after.deck), len(after.estimates), len(after.estimated),
            after.patrol, after.tons, after.result,
        )  # fmt: skip
        positions.setdefault(key, after)
        return value(key)

    positions: dict[object, State] = {}
    return orders(state)


def named(order):
    return "flip" if isinstance(order, Flip) else str(order)


def solved(game, aim, state):
    """The same by `Endgame`."""
    words = {n: f"attack {n}" for n in range(4)} | {DECLINE: "decline", ESCAPE: "escape"}
    if state.phase is Phase.QUEEN:
        words = {True: "chase", False: "decline"}
    elif state.phase is Phase.DEBRIEF:
        words = {True: "flip", False: "return"}
    so_far = 0 if aim.top else state.tons // 1000
    return {words[order]: value + so_far for order, value in Endgame(game, aim, state).values().items()}


@pytest.mark.parametrize("positions", [20, pytest.param(600, marks=pytest.mark.slow)])
def test_every_value_is_that_of_a_recursion_through_the_rules(positions):
    rng = random.Random(positions)
    for _ in range(positions):
        options = {name: rng.random() < 0.5 for name in SWITCHES}
        game = UssLox(**options, patrols=rng.choice([1, 1, 2]))
        aim, state = rng.choice(AIMS), late(game, rng, rng.randint(3, 5), 3, 2)
        assert solved(game, aim, state) == pytest.approx(through_the_rules(game, aim, state), abs=1e-9)


def test_a_second_patrol_is_planned_exactly():
    game = UssLox(patrols=2, plan_patrol=True)
    state = late(game, random.Random(2), 5, 1, 0)
    state = replace(state, phase=Phase.PLAN, patrol=2, ship=NO_CARD, role="", ocean=(), supply=state.deck, deck=())
    for aim in AIMS:
        told = {f"plan {n}": value for n, value in Endgame(game, aim, state).values().items()}
        exact = through_the_rules(game, aim, state)
        so_far = 0 if aim.top else state.tons // 1000
        assert {order: value + so_far for order, value in told.items()} == pytest.approx(exact, abs=1e-9)


def test_the_captain_is_exact_with_few_cards_unseen_and_says_so():
    game, rng = UssLox(), random.Random(3)
    bot = Optimal(game)
    for _ in range(20):
        state = late(game, rng, 8, 5, 2)
        values = solved(game, Aim(), state)
        decision = bot.decide(state, game.legal(state), np.random.default_rng(0))
        assert values[named(decision.action)] == pytest.approx(max(values.values()), abs=1e-9)
        assert decision.options[0].value == pytest.approx(1000 * max(values.values()))
        assert heard(decision.reason, LOX, "captain.exactly", "captain.about").keys() == {"captain.exactly"}
    start = game.initial()
    early = bot.decide(start, game.legal(start), np.random.default_rng(0))
    assert heard(early.reason, LOX, "captain.exactly", "captain.about").keys() == {"captain.about"}


def test_what_is_solved_exactly_depends_on_the_aim():
    most, fewer = MOST_UNSEEN
    state = late(UssLox(), random.Random(1), most, 4, 2)
    assert solvable(UssLox(), Aim(), state) and not solvable(UssLox(), Aim(None, 0.5), state)
    assert not solvable(UssLox(), Aim(), UssLox().initial())
    assert solvable(UssLox(), Aim(20_000), late(UssLox(), random.Random(1), fewer, 4, 2))


@pytest.mark.parametrize(
    "positions, weight", [(25, 1.0), *(pytest.param(400, weight, marks=pytest.mark.slow) for weight in (1.0, 0.0))]
)
def test_tables_for_the_cards_unseen_lose_little(positions, weight):
    """Where too many cards are unseen to be exact, the tables know what the pool holds."""
    game, rng, aim = UssLox(), random.Random(5), Aim(None, weight)
    fresh = OptimalPolicy(game, loss_weight=weight)
    lost = {"fresh": [], "now": []}
    for _ in range(positions):
        state = late(game, rng, rng.choice((8, 9, 10)), 6, 3)
        values, boats = Endgame(game, aim, state).values(), Boats.of(game, state)
        now = OptimalPolicy(game, loss_weight=weight)
        now.solution = Solution(game, aim, state, fresh.solution)
        for name, policy in (("fresh", fresh), ("now", now)):
            ask = {Phase.TARGET: policy.target, Phase.ESCORT: policy.escort}.get(state.phase, policy.sail_on)
            given = ask(boats, ONE, np.random.default_rng(0))[0]
            lost[name].append(max(values.values()) - values[bool(given) if state.phase is Phase.DEBRIEF else given])
    best = {name: np.mean(np.array(losses) < 1e-9) for name, losses in lost.items()}
    assert min(map(min, lost.values())) > -1e-9
    assert np.mean(lost["now"]) <= np.mean(lost["fresh"]) and best["now"] >= max(best["fresh"], 0.95)


def test_tables_for_a_position_are_those_of_the_game_where_nothing_was_seen():
    for options in ({}, {"queen_ships": True, "patrols": 2}, {"king_ships": True, "face_estimates": True}):
        game = UssLox(**options)
        whole = Solution(game, Aim())
        state = replace(game.initial(), ocean=tuple(range(4)), supply=tuple(range(4, 10)), deck=tuple(range(10, 20)))
        part = Solution(game, Aim(), state, whole)
        assert part.flip[0, :5, :7] == pytest.approx(whole.flip[0, :5, :7])
        assert part.escort[0, :4, :6] == pytest.approx(whole.escort[0, :4, :6])
