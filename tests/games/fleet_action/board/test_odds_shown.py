"""The chances that the page shows before anybody fires, against 100,000 throws of the dice that the rules call for."""

from __future__ import annotations
from functools import lru_cache

import numpy as np

from navalkit.core.match import Match
from navalkit.games.fleet_action import FleetAction, prospects
from navalkit.games.fleet_action.board.choice import foe_pick, unit_pick
from navalkit.games.fleet_action.board.forecast import Fleet
from navalkit.games.fleet_action.board.page import PAGE
from navalkit.games.fleet_action.prospects import prospect
from navalkit.games.fleet_action.rules import gunnery
from navalkit.games.fleet_action.state import Done, Phase
from navalkit.players import player
from navalkit.testing import heard, said
from navalkit.view.page import Glance, Look
from navalkit.view.scene import Picks, Text
from ....samples import sizes
from ....sentences import FLEET_PAGE
from ..battles import GUNS

N = 100_000
SIDES = np.uint8(6)


@lru_cache
def firing_moments():
    """In each scenario of guns some moments at which a side orders fire, the first of them with nothing ordered yet."""
    found = []
    for number, name in enumerate(GUNS):
        game = FleetAction(scenario=name, moves=6)
        seats, rng = [player("gunnery", game)] * 2, np.random.default_rng(number)
        match, here = Match.new(game, number), []
        while not match.over and len(here) < 40:
            if match.state.phase is Phase.FIRE and len(match.legal()) > 1:
                here.append(match.state)
            match.play(seats[match.turn].decide(match.observe(), match.legal(), rng).action)
        found += [(game, state) for state in here[:: max(1, len(here) // 4)][:5]]
    return found


def shown(game, state):
    """Order -> hit, mean, sink as the buttons and the conning panel write them; None where that does not say."""
    glance = Glance(game, game.observe(state, state.side), state.side, game.legal(state))
    found = {}
    for order in PAGE.orders(glance):
        if order.odds:
            odds = said(order.odds, FLEET_PAGE, "target.odds" if isinstance(order.action, Fleet) else "order.odds")
            found[order.action] = (None, odds["points"], odds["sink"])
    orders = [action for action in game.legal(state) if not isinstance(action, Done)]
    for ship, target in dict.fromkeys((order.ship, order.target) for order in orders):
        picks = Picks.of(unit_pick(ship), foe_pick(game.battle.numbers[target]))
        for cell in PAGE.scene(glance, Look(picks=picks)).cells:
            if cell.action and (words := heard(cell.alt, FLEET_PAGE, "fire.hit", "fire.sink")):
                hit, sink = words["fire.hit"], words["fire.sink"]["sink"]
                found[cell.action] = hit["hit"], hit["points"], sink
    return found


def simulated(game, state, order, rng):
    """What an order brought, and all that was ordered at her with it: damage of each of N trials."""
    target, after = game.battle.numbers[order.target], state
    for each in order.orders if isinstance(order, Fleet) else (order,):
        after = game.apply(after, each).state
    own, whole = np.zeros(N, dtype=int), np.zeros(N, dtype=int)
    for shot in after.shots:
        if shot.target != target:
            continue
        thrown = rng.integers(1, SIDES, (N, gunnery.dice(game.battle, after, shot)), dtype=np.uint8, endpoint=True)
        lowest = gunnery.need(game.battle, after, shot)
        points = (thrown >= lowest).sum(axis=1) * gunnery.damage(game.battle, shot)
        whole += points
        if shot not in state.shots:
            own += points
    return own, whole, prospects.left(game.battle, state, target)


def share_fits(chance, share):
    """Within four standard errors of a share of N, which are at least as for one case in N.

    What cannot happen never does, and what must always does.
    """
    if chance in (0, 1):
        return share == chance
    return abs(share - chance) <= 4 * (max(chance * (1 - chance), 1 / N) / N) ** 0.5


def percent_fits(words, share):
    """A share of N trials against a percentage as it is written: within four standard errors of its rounding."""
    words = str(words).removesuffix("%").strip()
    value = float(words.lstrip("<>")) / 100
    room = 0.5 * 10.0 ** -(2 + len(words.partition(".")[2]))
    low = 0.0 if words[0] == "<" else value if words[0] == ">" else value - room
    high = value if words[0] == "<" else 1.0 if words[0] == ">" else value + room
    low, high = max(0.0, low), min(1.0, high)
    return any(share_fits(chance, share) for chance in (low, high)) or low <= share <= high


@sizes("every", 3, 1)
def test_every_shot_has_the_chances_that_100_000_throws_give(every):
    rng, compared, sinkings = np.random.default_rng(1939), 0, 0
    for game, state in firing_moments()[::every]:
        told = shown(game, state)
        orders = sorted(told, key=str)
        for text in orders[:: max(1, len(orders) // 5)]:
            hit, mean, sink = told[text]
            own, whole, left = simulated(game, state, text, rng)
            exact = text.told if isinstance(text, Fleet) else prospect(game.battle, state, text)
            assert share_fits(float(exact.hit), (own > 0).mean()), text
            assert share_fits(float(exact.sink), (whole >= left).mean()), text
            assert abs(own.mean() - float(exact.mean)) <= 4 * own.std() / N**0.5, text
            # and as the player reads it
            assert hit is None or percent_fits(hit, (own > 0).mean()), (text, hit)
            assert percent_fits(sink, (whole >= left).mean()), (text, sink)
            room = 0.5 * 10.0 ** -len(mean.partition(".")[2])
            assert abs(own.mean() - float(mean)) <= room + 4 * own.std() / N**0.5, (text, mean)
            compared += 1
            sinkings += 0 < exact.sink < 1
    assert compared > 60 / every and sinkings > 5 / every


def test_every_order_to_fire_shows_its_chances():
    """On a button or on the panel: no shot has to be ordered unseen."""
    for game, state in firing_moments():
        told = shown(game, state)
        same = {prospect(game.battle, state, text) for text in told if not isinstance(text, Fleet)}
        for action in game.legal(state):
            assert isinstance(action, Done) or prospect(game.battle, state, action) in same


def test_the_odds_of_a_way_to_fire_are_whole_on_a_phone():
    for room in ((360.0, 512.0), (390.0, 616.0)):
        told = []
        for game, state in firing_moments()[:12]:
            glance = Glance(game, game.observe(state, state.side), state.side, game.legal(state))
            orders = [each for each in glance.legal if not isinstance(each, Done)]
            for ship, target in dict.fromkeys((each.ship, each.target) for each in orders):
                picks = Picks.of(unit_pick(ship), foe_pick(game.battle.numbers[target]))
                scene = PAGE.scene(glance, Look(tall=True, room=room, picks=picks))
                lines = [each.text for each in scene.shapes() if isinstance(each, Text)]
                told += [line for line in lines if heard(line, FLEET_PAGE, "fire.hit", "target.odds")]
        assert told and not [text for text in told if text.endswith("…")]
