"""What an attack leads to, exactly, and the captains of USS Lox: their orders, odds and reasons."""

from __future__ import annotations
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.core.game import CHANCE
from navalkit.core.match import Match
from navalkit.core.registry import package_of
from navalkit.games.uss_lox import UssLox, cards, odds
from navalkit.games.uss_lox.bots import BOTS, Greedy, Optimal
from navalkit.games.uss_lox.endgame import Aim
from navalkit.games.uss_lox.optimal import policy
from navalkit.games.uss_lox.page import PAGE
from navalkit.games.uss_lox.state import GONE, Attack, Decline, Escape, Flip, Phase, Return, State
from navalkit.testing import refused
from ...samples import sizes
from ...sentences import LOX

RNG = np.random.default_rng(0)
EVERYTHING = dict(
    jokers=True, face_estimates=True, plan_patrol=True, king_ships=True, queen_ships=True, nob=True, patrols=2
)


def position(ship, unseen, *, role="target", ocean=1, torpedoes=3, deck=2, patrol=1, pack=54):
    """A ship face up, everything seen but the cards named."""
    slots = iter(range(pack))
    hidden = {cards.parse(card) for card in unseen.split()}
    return State(
        Phase.ESCORT if role == "escort" else Phase.TARGET,
        patrol=patrol,
        ocean=(GONE, *(next(slots) for _ in range(ocean))),
        supply=tuple(next(slots) for _ in range(torpedoes)),
        deck=tuple(next(slots) for _ in range(deck)),
        ship=cards.parse(ship),
        role=role,
        seen=sum(1 << card for card in range(pack) if card not in hidden),
    )


# What an attack leads to ------------------------------------------------------------------------------------


def twin_outcomes(game, state, torpedoes):
    """Every card that chance can turn up, one after the other, through the rules."""
    chances = {}

    def follow(now, chance):
        if game.turn(now) == CHANCE and now.drawing in ("torpedo", "escort"):
            draw = game.chance(now)
            for action in draw:
                follow(game.apply(now, action).state, chance * draw[action])
            return
        if now.phase is Phase.ESCORT:
            jack, price = cards.by_gun(now.ship, now.torpedoes), cards.pips(now.ship)
            label = "deck gun" if jack else "escape" if price <= now.torpedoes else "fight"
        elif now.sunk != state.sunk:
            label = "sunk"
        else:
            label = "lost" if now.result == "loss" else "slip away"
        chances[label] = chances.get(label, 0) + chance

    follow(game.apply(state, Attack(torpedoes)).state, Fraction(1))
    return chances


POOLS = [
    "5H 6C 7D 9S TC JH KD",
    "AS 2H X1 QC 8C",
    "X1 X2 3D 4D 5D JC",
    "2C 2D X2 KS KC KH TD 9H",
    "X1 X2 8H 9D",
]


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize(
    "ship, role", [("3S", "target"), ("8S", "target"), ("JD", "target"), ("9C", "escort")]
)
def test_an_attack_leads_where_every_draw_leads(pool, ship, role):
    for nob, deck, patrol in ((False, 2, 1), (True, 1, 2), (False, 0, 1), (False, 0, 2), (True, 2, 1)):
        game = UssLox(jokers=True, nob=nob, patrols=2)
        most = min(3, len(pool.split()) - deck)
        state = position(ship, pool, role=role, ocean=1, torpedoes=most, deck=deck, patrol=patrol)
        state = replace(state, ocean=(*state.ocean, 40))
        for n in range(min(most, cards.GUN_TORPEDOES if ship == "JD" else 3) + 1):
            outcomes = odds.attack_outcomes(state, n, game)
            assert {label: outcomes[label] for label in outcomes} == twin_outcomes(game, state, n), (state, n)


@settings(max_examples=25, deadline=None)
@given(
    st.sets(st.integers(0, 53), min_size=6, max_size=9),
    st.integers(0, 51),
    st.integers(0, 3),
    st.integers(0, 2),
)
def test_an_attack_on_any_ship_leads_where_every_draw_leads(pool, ship, n, deck):
    pool -= {ship}
    if cards.rank(ship) == cards.JACK:
        n = min(n, cards.GUN_TORPEDOES)
    state = position(cards.text(ship), " ".join(map(cards.text, pool)), ocean=2, torpedoes=3, deck=deck)
    game = UssLox(jokers=True)
    outcomes = odds.attack_outcomes(state, n, game)
    assert {label: outcomes[label] for label in outcomes} == twin_outcomes(game, state, n)


def test_the_chance_to_be_sunk_agrees_with_sink():
    match = Match.new("uss-lox", 5)
    match.play("flip A1")
    outcomes = odds.attack_outcomes(match.state, 2)
    assert outcomes["sunk"] == odds.sink(match.state.ship, 2)
    assert set(outcomes) == {"sunk", "deck gun", "escape"}  # thirteen torpedoes left pay any escort


def test_no_outcome_is_told_of_what_cannot_be_done():
    state = position("8D", "5H 6C X1 9S TC JH", torpedoes=2)
    with refused(IllegalActionError, LOX, "not.few", left=2, n=3):
        odds.attack_outcomes(state, 3, UssLox(jokers=True))
    with refused(IllegalActionError, LOX, "not.now.periscope"):
        odds.attack_outcomes(UssLox().initial(), 1)
    with refused(OptionError, LOX, "wrong.pack"):
        odds.attack_outcomes(state, 1)


# The captains -----------------------------------------------------------------------------------------------


@sizes("seeds", range(1), range(1, 4))
@pytest.mark.parametrize("options", [{}, EVERYTHING])
@pytest.mark.parametrize(
    "make",
    [
        Greedy,
        lambda game: Greedy(game, 0.5, counting=True),
        Optimal,
        lambda game: Optimal(game, ("home", 20_000)),
        lambda game: Optimal(game, loss_weight=0),
    ],
)
def test_decisions_weigh_every_legal_order_with_exact_odds(make, options, seeds):
    game = UssLox(**options)
    bot, again = make(game), make(game)
    jokers = 2 if options else 0
    for seed in seeds:
        match = Match.new(game, seed)
        while not match.over:
            legal, state = match.legal(), match.observe()
            decision = bot.decide(state, legal, RNG)
            assert decision.options[0].action == decision.action and not decision.options[0].rejected
            assert sorted(map(str, legal)) == sorted(str(option.action) for option in decision.options)
            assert all(option.rejected for option in decision.options[1:])
            assert again.decide(state, legal, np.random.default_rng(seed)).explain() == decision.explain()
            for option in decision.options:
                if isinstance(option.action, Attack):
                    seen = set(state.seen_cards) - {state.ship}
                    n = option.action.torpedoes
                    chance = odds.sink(state.ship, n, seen=seen, jokers=jokers, nob=game.options["nob"])
                    assert [fact.value for fact in option.facts] == [chance]
            if isinstance(bot, Optimal) and decision.options[0].value is not None:
                best = decision.options[0].value
                assert all(option.value <= best + 1e-5 for option in decision.options)
            match.play(decision.action)


def decide(bot, state):
    return bot.decide(state, bot.game.legal(state), RNG)


def test_greedy_fires_the_fewest_torpedoes_that_are_good_enough():
    game = UssLox()
    state = Match.new(game, 1)
    state.play("flip A1")
    ship = replace(state.state, ship=cards.parse("5D"), seen=1 << cards.parse("5D"))
    chances = [float(odds.sink("5D", n)) for n in range(4)]
    for n in (1, 2, 3):
        assert decide(Greedy(game, threshold=chances[n] - 1e-3, counting=True), ship).action == Attack(n)
    assert decide(Greedy(game, threshold=chances[3] + 1e-3, counting=True), ship).action == Decline()


def test_greedy_shells_a_jack_whatever_the_threshold():
    match = Match.new("uss-lox", 1)
    match.play("flip A1")
    jack = replace(match.state, ship=cards.parse("JD"), seen=1 << cards.parse("JD"))
    assert decide(Greedy(UssLox(), threshold=1), jack).action == Attack(cards.GUN_TORPEDOES)


def test_greedy_pays_an_escort_that_it_cannot_sink_cheaply():
    pool = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC AH 2H 3H 4H 5H 6H 7H 8H 9H TH"
    game = UssLox()
    assert decide(Greedy(game), position("AD", pool, role="escort", torpedoes=2, pack=52)).action == Escape()
    assert decide(
        Greedy(game, 0.5), position("KD", pool, role="escort", torpedoes=12, pack=52)
    ).action == Attack(3)
    assert (
        decide(Greedy(game, 0.9), position("KD", pool, role="escort", torpedoes=12, pack=52)).action
        == Escape()
    )
    assert decide(
        Greedy(game, 0.9), position("KD", pool, role="escort", torpedoes=9, pack=52)
    ).action == Attack(3)


def debrief(game, torpedoes, sunk, ocean=6):
    start = game.initial()
    ships = tuple(cards.parse(card) for card in sunk.split())
    return replace(
        start,
        phase=Phase.DEBRIEF,
        ocean=(GONE,) * 3 + start.ocean[3 : 3 + ocean],
        supply=start.supply[:torpedoes],
        sunk=ships,
        seen=sum(1 << card for card in ships),
    )


def test_optimal_goes_home_where_the_tonnage_would_be_lost_and_only_there():
    game = UssLox(jokers=True, king_ships=True)
    state = debrief(game, 1, "TC TD TH")
    assert decide(Optimal(game, loss_weight=0), state).action == Return()
    assert isinstance(decide(Optimal(game), state).action, Flip)


def test_optimal_goes_home_with_the_tonnage_it_was_asked_for():
    game = UssLox(jokers=True, king_ships=True)
    decision = decide(Optimal(game, "home:20000"), debrief(game, 12, "TC TD"))
    assert decision.action == Return() and decision.options[0].value == pytest.approx(1, abs=1e-4)
    assert isinstance(decide(Optimal(game, "home:20000"), debrief(game, 12, "TC 9D")).action, Flip)


def test_optimal_holds_its_fire_where_every_unseen_card_misses():
    game = UssLox()
    aces = position("9C", "AD AH AS 2D 2H 2S", torpedoes=1, deck=2, pack=52)
    assert all(odds.sink("9C", 1, seen=set(aces.seen_cards) - {aces.ship}) == 0 for _ in range(1))
    assert decide(Optimal(game), aces).action != Attack(1)


def test_the_bots_of_the_game_are_these():
    assert package_of(UssLox()).bots is BOTS and set(BOTS) >= {"greedy", "optimal", "vance"}
    assert BOTS["greedy"](UssLox(), threshold=0.7).policy.threshold == 0.7


@pytest.mark.parametrize(
    "spec, wrong",
    [
        ("brave", LOX.phrase("wrong.policy", name="'brave'", names="random, greedy, optimal")),
        ("greedy:1.5", LOX.phrase("wrong.threshold")),
        ("greedy:much", LOX.phrase("wrong.threshold")),
        ("greedy:counting=perhaps", LOX.phrase("wrong.counting")),
        ("greedy:0.5,threshold=0.6", LOX.phrase("wrong.policy.part")),
        ("random:3", LOX.phrase("wrong.policy.part", name="random")),
        ("optimal:speed=3", LOX.phrase("wrong.policy.part", name="optimal")),
        ("optimal:fame", LOX.phrase("wrong.aim")),
        ("optimal:home", LOX.phrase("wrong.aim")),
        ("optimal:home:0", LOX.phrase("wrong.aim")),
        ("optimal:loss_weight=2", LOX.phrase("wrong.aim")),
        ("optimal:home:20000,loss_weight=0", LOX.phrase("wrong.aim")),
    ],
)
def test_a_policy_that_does_not_exist_is_refused_in_one_sentence(spec, wrong):
    with refused(OptionError, wrong):
        policy(spec, UssLox())


def test_policies_are_named_by_one_text():
    game = UssLox()
    assert policy("greedy:0.7,yes", game).counts and policy(" greedy:threshold=0.7", game).threshold == 0.7
    assert policy("optimal", game).aim == Aim()
    assert policy("optimal:home:20000", game).aim == Aim.of(("home", 20_000)) == Aim(20_000)
    assert policy("optimal:loss_weight=0.5", game).aim == Aim(None, 0.5)
    own = policy("random", game)
    assert policy(own, game) is own


@pytest.mark.parametrize("objective", [None, 3, ("home",), ("home", "much"), [], "home:1:2"])
def test_an_aim_that_is_none_is_refused(objective):
    with refused(OptionError, LOX, "wrong.aim"):
        Aim.of(objective)


def test_greedy_says_whether_its_chance_is_that_of_a_fresh_pack():
    """The chance in its reason is the one it goes by, and the option's own is that of the cards unseen."""
    game, ship = UssLox(), position("AD", "2C 3C 4C 5C 6C 7C 8C", torpedoes=3, pack=52)
    for counting, key in ((False, "captain.least.fresh"), (True, "captain.least")):
        decision = decide(Greedy(game, 0.01, counting=counting), ship)
        assert decision.reason.key == key
        assert decision.reason.facts["chance"] == decision.options[0].value
        assert isinstance(decision.action, Attack)


def test_two_captains_are_compared_ship_by_ship_also_on_a_second_patrol():
    """What one captain did with a ship stands in the row of that very ship: rows of one square may be two."""
    game = UssLox(patrols=2)
    pairs = 0
    for seed in range(1, 9):
        matches = [Match.new(game, seed) for _ in range(2)]
        for match, bot in zip(matches, (Greedy(game), Optimal(game)), strict=True):
            while not match.over:
                match.play(bot.decide(match.observe(), match.legal(), np.random.default_rng(1)).action)
        table = PAGE.compare(game, "the other", *matches)
        for n, match in enumerate(matches):
            met = {
                (ply.state.patrol, str(ply.action.place), cards.symbol(ply.action.card))
                for ply in match.plies if type(ply.action).__name__ == "Deal" and str(ply.action.place)[0] in "ABC"
            }  # fmt: skip
            told = {(2 if " " in row[0] else 1, row[0].split()[0], row[1]) for row in table.rows
                    if row[2 + n] != LOX("compare.nothing")}  # fmt: skip
            assert told <= met
        squares = [row[0] for row in table.rows]
        pairs += len(squares) != len(set(squares))
    assert pairs
