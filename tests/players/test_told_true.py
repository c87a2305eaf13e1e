"""What hints say of the sea is so: their figures are counted again from what the player sees."""

from __future__ import annotations
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.games.fleet_action.board.page import PAGE as FLEET
from navalkit.games.fleet_action.state import Fate, Move, Phase as Step
from navalkit.games.on_patrol.board.page import PAGE as PATROL
from navalkit.games.on_patrol.bots import Forecast, Skipper
from navalkit.games.on_patrol.combat.damage import limits
from navalkit.games.on_patrol.odds.solution import Solution
from navalkit.games.on_patrol.rules.game import carried_out
from navalkit.games.on_patrol.sea.state import Role
from navalkit.games.uss_lox.cards import by_gun
from navalkit.games.uss_lox.page import PAGE as LOX_PAGE
from navalkit.games.uss_lox.state import Attack, Phase
from navalkit.games.wolf_pack.cards import ROWS
from navalkit.games.wolf_pack.page import PAGE as WOLF_PAGE
from navalkit.grids.hex import Hex
from navalkit.players import player
from navalkit.testing import heard, said
from navalkit.view.page import Glance
from ..samples import sizes
from ..sentences import FLEET_PAGE, LOX, PATROL_PAGE, PATROL_SKIPPER, WOLF
from .test_told_once import hints

MOVES = ("because.bear", "because.cross", "because.under", "because.closes")


def glance(match: Match) -> Glance:
    return Glance(match.game, match.observe(), match.turn, match.legal())


def number(told: object) -> int:
    """The number at the beginning of a fact."""
    return int(str(told).split()[0])


def square(name: str) -> tuple[int, int]:
    """Column and row."""
    letters, row = re.fullmatch(r"([A-Z]+)(\d+)", name).groups()
    return sum((ord(letter) - 64) * 26**n for n, letter in enumerate(reversed(letters))), int(row)


def apart(a: str, b: str) -> int:
    """Columns plus rows (rule F1a)."""
    return sum(abs(x - y) for x, y in zip(square(a), square(b), strict=True))


@sizes("games", 1, 8)
def test_fleet_action_says_how_far_the_enemy_is_and_whether_she_has_still_to_move(games: int) -> None:
    told = 0
    for match, hint in hints("fleet-action", {"scenario": "denmark_strait"}, "gunnery", "admiral", range(games), 2):
        if not isinstance(hint.action, Move):
            continue
        text, seen = FLEET.because(glance(match), hint), match.observe()
        for facts in heard(text, FLEET_PAGE, *MOVES).values():
            battle, view = seen.battle, seen.view
            foe = view.ships[next(n for n, unit in enumerate(battle.units) if unit.name == facts["foe"])]
            there = battle.grid.names[foe.square]
            assert number(facts["n"]) == apart(hint.action.square, there)
            assert ("because.later" in heard(text, FLEET_PAGE, "because.later")) == (view.side == view.first)
            told += 1
    assert told


@sizes("games", 3, 12)
def test_fleet_action_says_why_it_ended_with_sums_that_hold(games: int) -> None:
    told = 0
    for seed in range(games):
        game = {"scenario": "denmark_strait"}
        (match, _), = [*hints("fleet-action", game, "gunnery", "gunnery", range(seed, seed + 1), 1)][-1:]
        facts = heard(FLEET.why(match.game, match, 0), FLEET_PAGE, "why.sunk", "why.damage")
        sunk = {unit.name for unit, ship in zip(match.game.battle.units, match.state.ships, strict=True)
                if ship.fate is Fate.SUNK}
        for key, each in facts.items():
            assert (key == "why.sunk") == (each["name"] in sunk)
            assert key != "why.sunk" or number(each["n"]) * number(each["each"]) == number(each["points"])
            told += 1
    assert told


@pytest.mark.parametrize(("fate", "key"), [(Fate.LEFT, "why.survive.away"), (Fate.AT_SEA, "why.survive")])
def test_fleet_action_says_of_a_ship_that_left_that_she_got_away(fate: Fate, key: str) -> None:
    match = Match.new(load("fleet-action", scenario="force_z"), 1)
    battle, ships = match.game.battle, list(match.state.ships)
    (ship,) = next(aim.of for aim in battle.objectives if aim.aim == "survive")
    ships[ship] = replace(ships[ship], fate=fate)
    ended = replace(match.state, ships=tuple(ships), phase=Step.END, result="blue")
    told = heard(FLEET.why(match.game, SimpleNamespace(state=ended), 0), FLEET_PAGE, "why.survive", "why.survive.away")
    assert set(told) == {key} and told[key]["name"] == battle.units[ship].name


@pytest.mark.parametrize(("lost", "hurt", "key"),
                         [(3, 1, "why.damage"), (6, 1, "why.aircraft"), (3, 0, "why.aircraft")])
def test_fleet_action_says_of_aircraft_too_that_they_brought_most(lost: int, hurt: int, key: str) -> None:
    """An objective without ships or islands of its own is weighed against one ship of another."""
    match = Match.new(load("fleet-action", scenario="carriers_in_the_cloud"), 1)
    battle, state = match.game.battle, match.state
    ship = next(n for aim in battle.objectives if aim.side == 0 and aim.aim == "damage" for n in aim.of)
    theirs = next(n for n, flight in enumerate(battle.flights) if flight.side == 1)
    flights, ships = list(state.flights), list(state.ships)
    flights[theirs] = replace(flights[theirs], lost=lost)
    ships[ship] = replace(ships[ship], damage=-(-battle.card(ship).sinking_rate * hurt // 4))
    ended = replace(state, flights=tuple(flights), ships=tuple(ships), phase=Step.END, result="blue")
    told = heard(FLEET.why(match.game, SimpleNamespace(state=ended), 0), FLEET_PAGE, "why.damage", "why.aircraft")
    assert set(told) == {key}
    facts = told[key]
    assert key != "why.aircraft" or number(facts["n"]) == lost
    assert number(facts["n"]) * number(facts["each"]) == number(facts["points"])


@sizes("games", 1, 10)
def test_on_patrol_counts_the_torpedoes_that_can_be_fired_now(games: int) -> None:
    """T1: a tube that is being reloaded is not ready; and who is near is what the skipper's rule of thumb asks."""
    told = 0
    seeds = range(7000, 7000 + games)
    for match, hint in hints("on-patrol", {"scenario": "small-convoy"}, "skipper", "skipper", seeds, 2):
        state = match.state
        boat = state.boat(hint.action.boat)
        for facts in heard(PATROL.because(glance(match), hint), PATROL_PAGE, "because.approaches").values():
            assert number(facts["ready"]) == sum(tube.torpedo != "" and tube.ready == 0 for tube in boat.tubes)
            told += 1
        near = min((ship.place.bow.distance(boat.place.bow) for ship in state.escorts), default=99)
        for key, facts in heard(hint.findings, PATROL_SKIPPER, "hunted.no", "hunted.yes").items():
            assert key == "hunted.yes" or near > int(facts["upon"])
    assert told


PLANS = "evades", "evades.near", "leaves", "leaves.out", "approaches"
WEIGHED = "deep", "bearable", "search", "here", "escort", "ships", "out", "meet", "fear"


@sizes("games", 1, 8)
def test_the_skipper_says_what_its_order_gains_and_costs(games: int) -> None:
    """Deeper or not, further from the target hex or not, and what is to be feared: counted again from the sea."""
    told = Counter[str]()
    for name in ("small-convoy", "hunter-group", "night-convoy"):
        seeds = range(700_302, 700_302 + games)
        for match, hint in hints("on-patrol", {"scenario": name}, "skipper", "skipper", seeds, 1):
            plan = next(iter(heard(hint.reason, PATROL_SKIPPER, *PLANS)), "")
            if not plan:
                continue
            state, order = match.state, hint.action
            boat, marker = state.boat(order.boat), state.marker(order.boat)
            after = carried_out(boat, order)
            gains, costs = ({each for each in WEIGHED if heard(hint.reason, PATROL_SKIPPER, f"{kind}.{each}")}
                            for kind in ("gain", "cost"))
            told.update(f"gain.{each}" for each in gains)
            told.update(f"cost.{each}" for each in costs)
            more = {}  # how much more of it after the order
            if plan != "approaches" and boat.depth <= limits(boat).depth:
                more["deep"] = after.depth - boat.depth
            if marker and plan.startswith("evades"):
                goal = marker.target
                more["search"] = after.place.bow.distance(goal) - boat.place.bow.distance(goal)
            if plan.startswith("evades") and state.escorts:
                here, there = (min(ship.place.bow.distance(each.place.bow) for ship in state.escorts)
                               for each in (boat, after))
                more["escort"] = there - here
            forecast = Forecast(state, boat, match.game.sea)
            here, there = (forecast.loss(each) * (1 + 4 / max(1, boat.hull)) + 2 * forecast.found(each)
                           for each in (replace(boat, speed=0), after))
            more["fear"] = here - there
            for each, by in more.items():
                assert (each in gains, each in costs) == (by > 1e-9, by < -1e-9), (name, plan, each, by)
    assert {"gain.deep", "gain.search", "cost.search", "gain.fear", "cost.fear", "gain.out"} <= told.keys(), told


@sizes("games", 1, 4)
def test_the_skipper_says_truly_why_she_leaves(games: int) -> None:
    """No torpedo, no prey, or escorts alone, which it never fires at; and what getting away is worth."""
    met = set()
    for name in ("hunter-group", "small-convoy"):
        seeds = range(704_001, 704_001 + games)
        for match, hint in hints("on-patrol", {"scenario": name}, "skipper", "skipper", seeds, 2):
            state, sea = match.state, match.game.sea
            boat = state.boat(hint.action.boat)
            armed = bool(boat.reloads) or any(tube.torpedo for tube in boat.tubes)
            prey = [ship for ship in state.vessels if ship.role is not Role.ESCORT and not ship.sunk]
            key = ("armed.no" if not armed else "armed.hunters" if name == "hunter-group"
                   else "armed.yes" if prey else "armed.sunk")
            asked = heard(hint.findings, PATROL_SKIPPER, "armed.no", "armed.hunters", "armed.sunk", "armed.yes")
            assert set(asked) == {key}
            away = heard(hint.reason, PATROL_SKIPPER, "leaves", "leaves.out")
            assert set(away) == (set() if key == "armed.yes" else {"leaves.out"} if sea.away else {"leaves"})
            if away:
                assert heard(PATROL.because(glance(match), hint), PATROL_SKIPPER, key), "the page says the same"
            if sea.away and away:
                assert away["leaves.out"]["points"] == sea.away
            met.add(key)
    assert {"armed.hunters", "armed.yes"} <= met, met


@pytest.mark.parametrize(("chance", "key"), [("0.3", "yes"), ("0.2999", "short"), ("0.2", "no")])
def test_the_skipper_waits_for_more_than_the_chance_it_tells(monkeypatch, chance: str, key: str) -> None:
    match = Match.new(load("on-patrol", scenario="lone-merchant"), 1)
    monkeypatch.setattr(Skipper, "_solution", lambda *_: Solution(1, Hex(0, 0), {"M1": Fraction(chance)}, 1))
    monkeypatch.setattr(Skipper, "_solutions", lambda *_: ())
    findings = player("skipper", match.game).decide(match.observe(), match.legal()).findings
    (found,) = heard(findings, PATROL_SKIPPER, "fire.yes", "fire.short", "fire.no").items()
    assert found[0] == f"fire.{key}"
    assert key != "no" or found[1]["chance"] != found[1]["enough"]


def test_on_patrol_says_of_hunters_whose_boat_got_away_that_she_did_and_else_that_she_did_not() -> None:
    (match, _), = [*hints("on-patrol", {"scenario": "hunter-group"}, "random", "skipper", range(3, 4), 1)][-1:]
    gone = [boat for boat in match.state.boats if boat.away]
    sunk = [boat for boat in match.state.boats if boat.sunk]
    key = "why.boat" if sunk else "why.away" if gone else "why.held"
    assert key in heard(PATROL.why(match.game, match, 0), PATROL_PAGE, "why.boat", "why.away", "why.held", "why.none")


@sizes("games", 2, 20)
def test_wolf_pack_counts_the_cards_that_are_unseen(games: int) -> None:
    """W13: not in hand, in the discards, laid in a row, or known to be held by the others."""
    told = 0
    options, seeds = {"transports": 3, "u_boats": 2}, range(300, 300 + games)
    for match, hint in hints("wolf-pack", options, "careful", "careful", seeds, 1):
        seen = match.observe()
        text = WOLF_PAGE.because(glance(match), hint)
        for facts in heard(text, WOLF, "because.theirs", "because.many", "because.later", "because.pass").values():
            card = next(card for card in type(ROWS[0][0]) if card.title == facts["card"])
            laid = sum(ROWS[side][:n].count(card) for side, n in enumerate(seen.rows))
            there = seen.hand[card] + seen.discards[card] + seen.known[card] + laid
            assert number(facts["left"]) == seen.cards[card] - there
            told += 1
    assert told > games


WITHOUT_ESCORT = {"patrols": 2, "jokers": True, "face_estimates": True, "king_ships": True, "queen_ships": True}


def test_uss_lox_says_what_a_miss_leads_to_when_no_card_is_left_for_an_escort() -> None:
    """L4e, A7: on the first patrol she slips away, on the second the boat is lost."""
    met = set()
    game = load("uss-lox", **WITHOUT_ESCORT)
    greedy = player("greedy", game)
    for seed in range(800_040, 800_055):
        match, rng = Match.new(game, seed), np.random.default_rng(seed)
        while not match.over:
            state = match.state
            if state.phase is Phase.TARGET:
                fire = next((order for order in LOX_PAGE.orders(glance(match)) if isinstance(order.action, Attack)
                             and order.action.torpedoes and not by_gun(state.ship, order.action.torpedoes)), None)
                key = "target" if state.deck else "away" if state.patrol == 1 else "last"
                if fire:
                    said(fire.help, LOX, f"order.fire.{key}")
                    met.add(key)
            match.play(greedy.decide(match.observe(), match.legal(), rng).action)
        if any(event.kind == "no_escort_lost" for event in match.log):
            assert heard(LOX_PAGE.why(match.game, match, 0), LOX, "ended.alone.none", "ended.alone.tonnage")
            met.add("lost")
    assert {"target", "last", "lost"} <= met, met
