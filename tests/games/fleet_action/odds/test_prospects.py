"""What orders of fire do, and how a side shares out its fire: against all ways there are."""

from __future__ import annotations
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from navalkit.core.dist import Dist
from navalkit.games.fleet_action import FleetAction, odds, points, prospects
from navalkit.games.fleet_action.bots import belief as ai_fire
from navalkit.games.fleet_action.rules import firing, gunnery
from navalkit.games.fleet_action.rules.gunnery import hits
from navalkit.games.fleet_action.state import Done, Guns, Phase, Torpedoes
from navalkit.players import player
from navalkit.testing import heard
from ....sentences import FLEET_BOTS

GAME = FleetAction(scenario="iowa_convoy")
BATTLE = GAME.battle


def position(side, **ships):
    """The firing phase with no ships on the board but those given: square, heading, damage."""
    headings = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
    state = BATTLE.start()
    placed = [replace(own, square=-1, fate=type(own.fate).LEFT) for own in state.ships]
    for name, words in ships.items():
        square, heading, damage = (*words.split(), "0")[:3]
        number = BATTLE.numbers[name]
        fresh = state.ships[number]
        placed[number] = replace(
            fresh,
            square=BATTLE.grid.number(square),
            heading=headings.index(heading),
            damage=int(damage),
            fate=type(fresh.fate).AT_SEA,
        )
    return replace(state, phase=Phase.FIRE, side=side, ships=tuple(placed))


BLUE = BATTLE.side(BATTLE.numbers["Iowa"])


def test_an_order_does_what_the_odds_of_its_guns_say():
    state = position(BLUE, Iowa="E5 N", Musashi="H5 N")
    assert prospects.volley(BATTLE, state, Guns("Iowa", "Musashi")).damage == odds.broadside("Iowa", 3)
    once = prospects.volley(BATTLE, state, Guns("Iowa", "Musashi", "secondary", once=True)).damage
    assert once == odds.salvo("5in/38", 10, 3, firings=1)
    ahead = position(BLUE, Iowa="E5 E", Musashi="H5 N")
    assert prospects.volley(BATTLE, ahead, Guns("Iowa", "Musashi")).damage == odds.broadside("Iowa", 3, 0)


def test_later_firings_of_guns_that_have_fired_go_on_where_they_left_off():
    state = position(BLUE, Fletcher="E5 N", Musashi="F5 N")
    after, _ = firing.aim(BATTLE, state, Guns("Fletcher", "Musashi", once=True))
    rest = prospects.volley(BATTLE, after, Guns("Fletcher", "Musashi")).damage
    assert rest == hits(15, 4)
    whole = odds.salvo("5in/38", 5, 1)
    assert prospects.ordered(BATTLE, after, BATTLE.numbers["Musashi"]).damage + rest == whole


@pytest.mark.parametrize("heading, aspect", [("N", "beam"), ("E", "end"), ("SE", "diagonal")])
def test_torpedoes_and_guns_add_up_to_the_chance_to_sink(heading, aspect):
    state = position(BLUE, Fletcher="E5 N", Musashi=f"F5 {heading} 900")
    musashi = BATTLE.numbers["Musashi"]
    set_one = Torpedoes("Fletcher", 1, "Musashi")
    fish = odds.torpedoes("Mk 15", 5, aspect)
    assert prospects.volley(BATTLE, state, set_one).damage == fish
    assert prospects.chance_to_sink(BATTLE, state, musashi) == 0
    assert prospects.chance_to_sink(BATTLE, state, musashi, set_one) == odds.sink_chance("Musashi", 900, fish)
    after, _ = firing.aim(BATTLE, state, set_one)
    both = odds.sink_chance("Musashi", 900, fish, odds.broadside("Fletcher", 1))
    assert prospects.chance_to_sink(BATTLE, after, musashi, Guns("Fletcher", "Musashi")) == both


@cache
def damage_of(state, order):
    return prospects.volley(BATTLE, state, order).damage


def worth_of(state, assignment, torpedo_price=0.0):
    """Expected worth of an assignment source -> target, by the definition, and the chance to sink each target."""
    choices = ai_fire.sources(BATTLE, state)
    hit: dict[int, Dist[int]] = {}
    total = 0.0
    for source, target in assignment.items():
        if target is not None:
            fire = damage_of(state, choices[source][target])
            hit[target] = hit.get(target, Dist.point(0)) + fire
            total -= torpedo_price * bool(source[2])
    for target, fire in hit.items():
        card, enough = BATTLE.card(target), prospects.left(BATTLE, state, target)
        for damage, chance in fire.items():
            share = 1.0 if damage >= enough else 0.5 * damage / card.sinking_rate
            total += points(card) * share * float(chance)
    return total, {t: float(f.at_least(prospects.left(BATTLE, state, t))) for t, f in hit.items()}


def assigned(state, plan):
    """The plan as an assignment source -> target."""
    choices = ai_fire.sources(BATTLE, state)
    return {
        source: next((t for t, order in options.items() if order in plan.orders), None)
        for source, options in choices.items()
    }


def enemies(side):
    return [BATTLE.units[n].name for n in BATTLE.fleet(1 - side)]


DESTROYERS = [name for name in enemies(BLUE) if name != "Musashi"]
SITUATIONS = {
    "one against two": position(BLUE, Iowa="E5 N", **{DESTROYERS[0]: "H5 N 40", "Musashi": "J5 N"}),
    "a cripple and a fresh one": position(BLUE, Fletcher="E5 N", **{DESTROYERS[0]: "F5 N 60", DESTROYERS[1]: "E6 N"}),
    "three against three": position(
        BLUE,
        Fletcher="E5 N",
        Jenkins="E6 N",
        Iowa="C5 N",
        **{DESTROYERS[0]: "F5 N 30", DESTROYERS[1]: "F6 E", "Musashi": "G5 N 1100"},
    ),
}


@pytest.mark.parametrize("price", [0.0, 15.0])
@pytest.mark.parametrize("name", SITUATIONS)
def test_fire_is_shared_out_as_well_as_can_be(name, price):
    state = SITUATIONS[name]
    plan = ai_fire.share_out(BATTLE, state, torpedo_price=price)
    choices = ai_fire.sources(BATTLE, state)
    chosen = assigned(state, plan)
    worth, sunk = worth_of(state, chosen, price)
    fired = sum(source[2] > 0 and target is not None for source, target in chosen.items())
    assert plan.worth == pytest.approx(worth + price * fired)
    for target, chance in plan.sunk.items():
        assert chance == pytest.approx(sunk.get(target, 0.0), abs=1e-12)
    for source, options in choices.items():  # no single change is better
        for target in (None, *options):
            assert worth_of(state, chosen | {source: target}, price)[0] <= worth + 1e-6
    if len(choices) <= 4:  # all ways at once
        every = product(*((None, *options) for options in choices.values()))
        best = max(worth_of(state, dict(zip(choices, way, strict=True)), price)[0] for way in every)
        assert worth >= 0.97 * best


def test_an_order_does_most_where_it_destroys_most_of_ships_value():
    """What a hint says of its target: not the most damage, but the most of ships' value, whatever else fires."""
    captain, told, elsewhere = player("gunnery", GAME), 0, 0
    for first in SITUATIONS.values():
        state, given, choices = first, [], ai_fire.sources(BATTLE, first)
        while state.side == first.side and state.phase is Phase.FIRE:
            hint = captain.decide(GAME.observe(state, state.side), GAME.legal(state), 1)
            if isinstance(hint.action, Done):
                break
            facts = heard(hint.reason, FLEET_BOTS, "why.fire.next").get("why.fire.next")
            assert bool(facts) == bool(given)
            if facts:
                assert (facts["ship"], facts["foe"]) == (hint.action.ship, hint.action.target)
                told += 1
            orders = {*given, *ai_fire.share_out(BATTLE, state).orders}
            aims = {source: next((t for t, order in options.items() if order in orders), None)
                    for source, options in choices.items()}
            source = next(each for each, options in choices.items() if hint.action in options.values())
            worth = worth_of(first, aims)[0]
            assert all(worth_of(first, aims | {source: target})[0] <= worth + 1e-6 for target in choices[source])
            elsewhere += any(option.value > hint.options[0].value + 0.1 for option in hint.options
                             if option.action in choices[source].values())
            given.append(hint.action)
            state = GAME.apply(state, hint.action).state
    assert told and elsewhere


def test_every_order_of_a_plan_is_legal_after_those_before():
    state = SITUATIONS["three against three"]
    for order in ai_fire.share_out(BATTLE, state).orders:
        assert GAME.why_not(state, order) is None
        state, _ = firing.aim(BATTLE, state, order)


def test_nobody_wastes_fire_on_the_doomed_and_dear_torpedoes_stay_aboard():
    state = position(BLUE, Iowa="E5 N", Fletcher="E6 N", **{DESTROYERS[0]: "F5 N 65", DESTROYERS[1]: "F6 N"})
    plan = ai_fire.share_out(BATTLE, state)
    assert {order.target for order in plan.orders} == set(DESTROYERS[:2])
    frugal = ai_fire.share_out(BATTLE, state, torpedo_price=1e6)
    assert not any(isinstance(order, Torpedoes) for order in frugal.orders)
    assert all(isinstance(order, Guns) for order in frugal.orders) and frugal.orders


def test_what_is_ordered_already_counts():
    state = SITUATIONS["a cripple and a fresh one"]
    cripple = DESTROYERS[0]
    after, _ = firing.aim(BATTLE, state, Torpedoes("Fletcher", 1, cripple))
    plan = ai_fire.share_out(BATTLE, after)
    number = BATTLE.numbers[cripple]
    alone = float(prospects.chance_to_sink(BATTLE, after, number))
    assert plan.sunk[number] >= alone - 1e-12
    assert not any(isinstance(order, Torpedoes) and order.number == 1 for order in plan.orders)


def test_sinkings_come_as_often_as_the_plan_says():
    state = SITUATIONS["a cripple and a fresh one"]
    plan = ai_fire.share_out(BATTLE, state)
    for order in plan.orders:
        state, _ = firing.aim(BATTLE, state, order)
    rng, n = np.random.default_rng(3), 20_000
    for target, chance in plan.sunk.items():
        done = np.zeros(n, dtype=int)
        for shot in state.shots:
            if shot.target == target:
                thrown = rng.integers(1, 7, (n, gunnery.dice(BATTLE, state, shot)))
                hit = (thrown >= gunnery.need(BATTLE, state, shot)).sum(axis=1)
                done += hit * gunnery.damage(BATTLE, shot)
        share = (done >= prospects.left(BATTLE, state, target)).mean()
        assert abs(share - chance) <= 4 * (chance * (1 - chance) / n) ** 0.5 + 1e-12
