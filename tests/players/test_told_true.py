"""What hints say of the sea is so: their figures are counted again from what the player sees."""

from __future__ import annotations
import re

import numpy as np

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.games.fleet_action.board.page import PAGE as FLEET
from navalkit.games.fleet_action.state import Fate, Move
from navalkit.games.on_patrol.board.page import PAGE as PATROL
from navalkit.games.uss_lox.cards import by_gun
from navalkit.games.uss_lox.page import PAGE as LOX_PAGE
from navalkit.games.uss_lox.state import Attack, Phase
from navalkit.games.wolf_pack.cards import ROWS
from navalkit.games.wolf_pack.page import PAGE as WOLF_PAGE
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
