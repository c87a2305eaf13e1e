"""The rules of USS Lox, each by its id in RULES.md. Chance is explicit, so every card that matters is
named."""

from __future__ import annotations
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

import navalkit as nk
from navalkit.core.errors import IllegalActionError
from navalkit.core.game import CHANCE, TERMINAL
from navalkit.core.words import Event
from navalkit.games.uss_lox import UssLox, cards
from navalkit.games.uss_lox.game import TABLES
from navalkit.games.uss_lox.state import GONE, Phase, State
from navalkit.testing import refused, said
from ...sentences import LOX


class Story:
    """A patrol told by its actions; the captain's and chance's alike."""

    def __init__(self, *orders: str, **options: object) -> None:
        self.game = nk.load("uss-lox", **options)
        assert isinstance(self.game, UssLox)
        self.state: State = self.game.initial()
        self.events: list[Event] = []
        self.play(*orders)

    def play(self, *orders: str) -> Story:
        for order in orders:
            step = self.game.apply(self.state, self.game.parse_action(order))
            self.state = step.state
            self.events += step.events
        return self

    @property
    def rules(self) -> list[str]:
        return [event.rule for event in self.events]

    @property
    def legal(self) -> set[str]:
        return {str(action) for action in self.game.legal(self.state)}

    def why_not(self, order: str) -> str | None:
        return self.game.why_not(self.state, self.game.parse_action(order))

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def sunk(self) -> list[str]:
        return [cards.text(card) for card in self.state.sunk]


def shots(*torpedoes: str) -> list[str]:
    return [f"torpedo={card}" for card in torpedoes]


def attack(ship: str, *torpedoes: str, square: str = "A1", **options: object) -> Story:
    """A ship turned up and attacked with these torpedoes."""
    return Story(f"flip {square}", f"{square}={ship}", f"attack {len(torpedoes)}", *shots(*torpedoes), **options)


SQUARES = [f"{column}{row}" for row in "123" for column in "ABC"]


def emptied(story: Story, squares: Iterable[str], ships: Iterable[str]) -> Story:
    """Let one ship after another go."""
    for square, ship in zip(squares, ships, strict=True):
        story.play(f"flip {square}", f"{square}={ship}", "decline")
    return story


# The basic patrol --------------------------------------------------------------------------------------


def test_L0_nine_ocean_cards_fifteen_torpedoes_and_a_deck_of_28() -> None:
    state = Story().state
    assert (state.ocean_left, state.torpedoes, len(state.deck)) == (9, 15, 28)
    assert state.squares == ("A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3")
    assert sorted((*state.ocean, *state.supply, *state.deck)) == list(range(52))


def test_L0_any_unseen_card_may_lie_anywhere() -> None:
    story = Story("flip A1", "A1=8D", "decline", "flip B1")
    dist = story.game.chance(story.state)
    assert len(dist) == 51 and dist.total == 51
    assert story.why_not("B1=8D") == LOX("not.seen", card="8D")


@pytest.mark.parametrize("seed", range(20))
def test_L0_one_seed_is_one_sea_whatever_the_captain_does(seed: int) -> None:
    """Two captains who do quite different things find the same card on B2, and the same torpedoes and
    escorts."""
    timid, bold = nk.Match.new("uss-lox", seed=seed), nk.Match.new("uss-lox", seed=seed)
    for order in ("flip C3", "decline", "flip A1", "decline", "flip B2"):
        timid.play(order)
    bold.play("flip B2")
    assert str(timid.plies[-1].action) == str(bold.plies[-1].action)

    def deals(match: nk.Match, place: str) -> list[str]:
        return [str(ply.action) for ply in match.plies if ply.by == CHANCE and str(ply.action).startswith(place)]

    def fight(match: nk.Match, salvo: int, flees: bool) -> None:
        while not match.over:
            legal = match.legal()
            salvos = [action for action in legal if str(action) in [f"attack {n}" for n in range(salvo + 1)]]
            match.play("escape" if flees and not match.why_not("escape") else salvos[-1] if salvos else legal[0])

    first, second = nk.Match.new("uss-lox", seed=seed), nk.Match.new("uss-lox", seed=seed)
    first.play("flip A1")
    second.play("flip C2")
    fight(first, 3, flees=False)
    fight(second, 1, flees=True)
    for place in ("escort", "torpedo"):  # the n-th of one is the n-th of the other, as far as both went
        assert all(one == other for one, other in zip(deals(first, place), deals(second, place), strict=False))


def test_L1_any_face_down_card_may_be_turned_up_once() -> None:
    story = Story()
    assert {f"flip {square}" for square in SQUARES} == story.legal
    story.play("flip B2", "B2=8D")
    assert (story.phase, story.state.role, cards.text(story.state.ship)) == (Phase.TARGET, "target", "8D")
    assert story.state.ocean[story.state.squares.index("B2")] == GONE
    story.play("decline")
    assert "flip B2" not in story.legal
    left = "A1, B1, C1, A2, C2, A3, B3, C3"
    assert story.why_not("flip B2") == LOX("not.turned", square="B2", left=left)
    said(story.why_not("flip E5"), LOX, "not.square", first="A1", last="C3")


def test_L2a_a_ship_let_go_is_gone_and_another_card_must_be_turned() -> None:
    story = Story("flip A1", "A1=8D", "decline")
    assert story.phase is Phase.PERISCOPE
    assert story.legal == {f"flip {square}" for square in SQUARES[1:]}
    assert "return" not in story.legal
    said(str(story.why_not("return")), LOX, "not.now.periscope")
    assert story.sunk == [] and story.state.torpedoes == 15


def test_L2b_nought_to_three_torpedoes_and_never_more_than_are_left() -> None:
    story = Story("flip A1", "A1=8D")
    assert {"attack 0", "attack 1", "attack 2", "attack 3", "decline"} == story.legal
    said(str(story.why_not("attack 4")), LOX, "not.salvo", most=3, n="4")
    few = Story("plan 22", "flip A1", "A1=8D", plan_patrol=True)
    assert {"attack 0", "attack 1", "attack 2", "decline"} == few.legal
    assert few.why_not("attack 3") == LOX("not.few", left=2, n=3)


def test_L2b_all_torpedoes_fired_are_spent_even_if_fewer_would_have_hit() -> None:
    story = attack("8D", "8C", "KS", "2H")
    assert story.sunk == ["8D"]
    assert story.state.torpedoes == 12 and story.state.spent == 3


def test_L2b_no_torpedo_sinks_nothing_but_a_jack() -> None:
    story = Story("flip A1", "A1=8D", "attack 0")
    assert story.rules[-1] == "L2b" and story.state.drawing == "escort"


def test_L3a_a_jack_is_sunk_by_the_deck_gun() -> None:
    story = Story("flip A1", "A1=JD")
    assert story.legal == {"attack 0", "decline"}
    said(str(story.why_not("attack 1")), LOX, "not.gun")
    story.play("attack 0")
    assert story.sunk == ["JD"] and story.state.torpedoes == 15 and "L3a" in story.rules


def test_L3a_a_jack_as_escort_too() -> None:
    story = Story("flip A1", "A1=8D", "attack 0", "escort=JS")
    assert story.legal == {"attack 0", "escape"}
    story.play("attack 0")
    assert story.sunk == ["JS"] and story.phase is Phase.DEBRIEF


@pytest.mark.parametrize(
    "ship, torpedoes",
    [
        ("8D", "8C"),  # a pair
        ("8D", "KC KS"),  # a pair without the ship
        ("8D", "7C"),  # fifteen of two
        ("8D", "2C 5S"),  # of three
        ("AD", "2C 3S 9H"),  # of four, the ace one
        ("5D", "KC"),  # face cards ten
        ("2D", "TS 5H"),  # fifteen without the ship
        ("8D", "9C TS"),  # a run of three
        ("TD", "JC QS"),
        ("QD", "JC KS"),
        ("AD", "2C 3S"),  # the ace low
        ("2D", "QC JS KH"),  # a run without the ship
        ("AD", "2S 3C 4H"),  # a run of four
        ("2D", "4D 8D TD"),  # four of one suit
    ],
)
def test_L3b_a_pair_a_fifteen_a_run_or_four_of_a_suit_sinks(ship: str, torpedoes: str) -> None:
    story = attack(ship, *torpedoes.split())
    assert story.sunk == [ship] and "L3b" in story.rules


@pytest.mark.parametrize(
    "ship, torpedoes",
    [
        ("8D", "6C"),
        ("8D", "9C"),  # a run of two is none
        ("QD", "KC AS"),  # the ace is not high
        ("KD", "AC 2S"),  # and a run does not go round the corner
        ("2D", "4D 8D"),  # three of a suit are too few
        ("2D", "4D 8D TS"),  # and so are three of four
        ("8D", "JD"),  # his nob is an option
        ("5D", "AC 2S"),
    ],
)
def test_L3c_nothing_that_scores_leaves_the_ship_unharmed(ship: str, torpedoes: str) -> None:
    story = attack(ship, *torpedoes.split())
    assert story.sunk == [] and story.rules[-1] == "L3c"
    assert story.phase is Phase.DRAW and story.state.drawing == "escort"


def test_L4a_a_sunk_ship_goes_into_the_score_pile_and_no_escort_comes() -> None:
    story = attack("8D", "7C")
    assert story.rules[-2:] == ["L3b", "L4a"]
    assert story.sunk == ["8D"] and story.phase is Phase.DEBRIEF and story.state.met == 0


def test_L4b_a_failed_attack_brings_the_top_card_of_the_deck_as_escort() -> None:
    story = attack("8D", "6C")
    assert story.game.turn(story.state) == CHANCE
    story.play("escort=4S")
    assert (story.phase, story.state.role, cards.text(story.state.ship)) == (Phase.ESCORT, "escort", "4S")
    assert story.state.met == 1 and len(story.state.deck) == 27
    assert "decline" not in story.legal and not any(order.startswith("flip") for order in story.legal)


@pytest.mark.parametrize("escort, cost", [("AS", 1), ("4S", 4), ("TS", 10), ("JS", 10), ("QS", 10), ("KS", 10)])
def test_L4c_escaping_costs_as_many_torpedoes_as_the_escort_counts(escort: str, cost: int) -> None:
    story = attack("8D", "6C").play(f"escort={escort}")
    deck = story.state.deck
    under = story.state.supply[14 - cost :]
    story.play("escape")
    assert story.state.torpedoes == 14 - cost
    assert story.state.deck == deck + under  # face down under the deck
    assert story.phase is Phase.DEBRIEF and story.state.spent == 1


def test_L4c_exactly_enough_is_enough_and_one_fewer_is_not() -> None:
    enough = Story("plan 18", "flip A1", "A1=8D", "attack 0", "escort=6S", plan_patrol=True)
    assert enough.state.torpedoes == 6 and "escape" in enough.legal
    short = Story("plan 18", "flip A1", "A1=8D", "attack 0", "escort=7S", plan_patrol=True)
    assert short.why_not("escape") == LOX("not.escape", ship="7S", cost=7, left=6)


def test_L4d_an_escort_can_be_attacked_like_any_ship() -> None:
    story = attack("8D", "6C").play("escort=4S", "attack 2", *shots("4D", "KH"))
    assert story.sunk == ["4S"] and story.phase is Phase.DEBRIEF


def test_L4d_a_failed_attack_on_an_escort_loses_the_boat() -> None:
    story = attack("8D", "6C").play("escort=4S", "attack 2", *shots("9D", "KH"))
    assert story.state.result == "loss" and story.phase is Phase.END
    assert story.rules[-3:] == ["L3c", "L4d", "L7"]
    assert Story("flip A1", "A1=8D", "attack 0", "escort=4S", "attack 0").state.result == "loss"


@pytest.mark.parametrize("called", [("A1=8D", "attack 0"), ("A1=X1",)], ids=["a miss", "a joker"])
def test_L4e_an_empty_deck_sends_no_escort(called: tuple[str, ...]) -> None:
    class NoDeck(UssLox):
        supply_size = 54

        def rules(self):  # type: ignore[no-untyped-def]
            return UssLox().rules()

    story = Story()
    story.game = NoDeck(jokers=True)
    story.state = story.game.initial()
    assert story.state.deck == ()
    story.play("flip A1", *called)
    assert story.rules[-1] == "L4e" and story.phase is Phase.DEBRIEF
    NoDeck.supply_size = 53
    story.state = story.game.initial()
    assert len(story.state.deck) == 1
    story.play("flip A1", *called)
    assert story.phase is Phase.DRAW and story.state.drawing == "escort"  # the last card there is


def test_L5_after_an_encounter_you_return_or_turn_up_the_next_card() -> None:
    story = attack("8D", "7C")
    assert story.legal == {"return", *(f"flip {square}" for square in SQUARES[1:])}
    story.play("return")
    assert "L5" in story.rules and story.state.result == "win"
    assert story.game.turn(story.state) == TERMINAL and story.legal == set()


def test_L6_won_when_the_captain_returns() -> None:
    outcome = Story().game.outcome(attack("8D", "7C").play("return").state)
    assert outcome is not None and outcome.result == "win"


OTHERS = ["AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C"]


def test_L6_won_when_no_ocean_card_is_left() -> None:
    by_declining = emptied(Story(), SQUARES, OTHERS)
    assert by_declining.state.result == "win" and by_declining.rules[-2:] == ["L6", "L7"]
    by_sinking = emptied(Story(), SQUARES[:8], OTHERS[:8]).play("flip C3", "C3=9C", "attack 1", "torpedo=9D")
    assert by_sinking.state.result == "win" and by_sinking.sunk == ["9C"]


def test_L6_won_when_no_torpedo_is_left_at_the_debrief() -> None:
    story = Story("plan 22", "flip A1", "A1=8D", "attack 2", *shots("8C", "2D"), plan_patrol=True)
    assert story.state.torpedoes == 0 and story.state.result == "win" and story.rules[-2] == "L6"


def test_L6_a_boat_without_torpedoes_must_still_face_her_escort() -> None:
    story = Story("plan 22", "flip A1", "A1=8D", "attack 2", *shots("6C", "2D"), "escort=4S", plan_patrol=True)
    assert story.legal == {"attack 0"}
    assert story.play("attack 0").state.result == "loss"


def test_L6_lost_when_an_escort_destroys_the_boat_and_the_tonnage_counts_all_the_same() -> None:
    story = attack("8D", "7C").play("flip B1", "B1=KD", "attack 0", "escort=KS", "attack 0")
    outcome = story.game.outcome(story.state)
    assert outcome is not None
    assert (outcome.result, outcome.scores, outcome.facts["won"]) == ("loss", (8000.0,), False)


@pytest.mark.parametrize(
    "ship, hit, tons", [("AD", "AC", 1000), ("9D", "9C", 9000), ("TD", "TC", 10000), ("KD", "KC", 10000)]
)
def test_L7_a_thousand_tons_a_point(ship: str, hit: str, tons: int) -> None:
    outcome = Story().game.outcome(attack(ship, hit).play("return").state)
    assert outcome is not None and outcome.scores == (tons,) and outcome.facts["tonnage"] == tons


def test_L7_the_sources_example_adds_up() -> None:
    """An ace, a three and a queen are 14,000 tons."""
    story = attack("AD", "AC").play("flip B1", "B1=3D", "attack 1", "torpedo=3C")
    story.play("flip C1", "C1=QD", "attack 1", "torpedo=QC", "return")
    assert story.state.tons == 14_000


def test_L7_the_yardsticks_are_those_of_the_source() -> None:
    tons = {yardstick.key: yardstick.tons for yardstick in TABLES.yardsticks}
    assert tons == {"average": 3298, "flasher": 16_689, "tang": 19_326}
    assert abs(tons["flasher"] - 100_131 / 6) <= 0.5 and abs(tons["tang"] - 96_628 / 5) <= 0.5


# Options -----------------------------------------------------------------------------------------------


def test_A1_two_jokers_are_in_the_pack() -> None:
    story = Story("flip A1", jokers=True)
    assert len(story.game.chance(story.state)) == 54 and len(story.state.deck) == 30
    said(str(Story("flip A1").why_not("A1=X1")), LOX, "not.pack", card="X1")


def test_A1_a_joker_in_the_ocean_brings_an_escort_at_once() -> None:
    story = Story("flip A1", "A1=X1", jokers=True)
    assert story.rules[-1] == "A1" and story.state.drawing == "escort"
    assert story.play("escort=4S").phase is Phase.ESCORT


def test_A1_a_joker_among_the_torpedoes_is_a_dud_whatever_else_was_fired() -> None:
    story = attack("8D", "8C", "X1", jokers=True)
    assert story.sunk == [] and story.rules[-1] == "A1" and story.state.drawing == "escort"
    lost = Story("flip A1", "A1=8D", "attack 0", "escort=8S", "attack 2", *shots("X2", "8C"), jokers=True)
    assert lost.state.result == "loss"


def test_A1_a_joker_as_escort_is_set_aside() -> None:
    story = attack("8D", "6C", jokers=True).play("escort=X1")
    assert story.state.drawing == "escort" and story.state.met == 0
    story.play("escort=X2", "escort=4S")
    assert story.phase is Phase.ESCORT and len(story.state.deck) == 27


def test_A1_a_joker_as_extra_target_brings_an_escort() -> None:
    story = attack("QD", "QC", jokers=True, queen_ships=True).play("chase", "extra=X1")
    assert story.state.drawing == "escort" and story.rules[-1] == "A1"


def test_A1_a_joker_as_estimate_counts_nothing() -> None:
    story = attack("KD", "KC", jokers=True, face_estimates=True).play("return", "estimate=X1")
    assert story.state.tons == 0 and story.state.result == "win"


def test_A2_a_sunk_face_card_is_replaced_by_an_unseen_card_turned_up_at_the_end() -> None:
    story = attack("KD", "KC", face_estimates=True)
    assert story.sunk == [] and len(story.state.estimates) == 1 and len(story.state.deck) == 27
    assert story.state.tons == 0 and story.rules[-1] == "A2"
    story.play("return")
    assert story.state.drawing == "estimate" and story.game.outcome(story.state) is None
    story.play("estimate=4S")
    outcome = story.game.outcome(story.state)
    assert outcome is not None and outcome.scores == (4000.0,) and outcome.facts["ships"] == 1


@pytest.mark.parametrize("ship, kept", [("TD", True), ("JD", False), ("QD", False), ("KD", False)])
def test_A2_holds_for_jack_queen_and_king_alone(ship: str, kept: bool) -> None:
    torpedoes = ["2C", "4D", "6S"][: cards.GUN_TORPEDOES] if ship == "JD" else [ship[0] + "C"]
    assert (attack(ship, *torpedoes, face_estimates=True).sunk == [ship]) is kept


def test_A2_estimates_are_turned_up_after_a_loss_too() -> None:
    story = attack("KD", "KC", face_estimates=True).play("flip B1", "B1=8D", "attack 0", "escort=4S", "attack 0")
    assert story.state.drawing == "estimate"
    assert story.play("estimate=9S").state.tons == 9000 and story.state.result == "loss"


def test_A2_with_no_card_left_in_the_deck_she_counts_herself() -> None:
    class NoDeck(UssLox):
        supply_size = 54

    story = Story()
    story.game = NoDeck(face_estimates=True)
    story.state = story.game.initial()
    story.play("flip A1", "A1=KD", "attack 1", "torpedo=KC")
    assert story.sunk == ["KD"] and story.state.estimates == ()


def test_A3_the_ocean_takes_1_to_23_of_the_24_cards() -> None:
    story = Story(plan_patrol=True)
    assert story.phase is Phase.PLAN and story.legal == {f"plan {n}" for n in range(1, 24)}
    assert story.why_not("plan 24") == LOX("not.plan", most=23, cards=24, size="24")
    story.play("plan 20")
    assert (story.state.ocean_left, story.state.torpedoes) == (20, 4)


@pytest.mark.parametrize("size, last", [(1, "A1"), (3, "A2"), (4, "B2"), (9, "C3"), (10, "B3"), (17, "B4"), (23, "C5")])
def test_A3_the_ocean_lies_in_the_smallest_square_that_holds_it(size: int, last: str) -> None:
    assert Story(f"plan {size}", plan_patrol=True).state.squares[-1] == last


def test_A4_a_king_turned_up_in_the_ocean_is_an_escort_at_once() -> None:
    story = Story("flip A1", "A1=KD", king_ships=True)
    assert (story.phase, story.state.role, story.rules[-1]) == (Phase.ESCORT, "escort", "A4")
    assert "escape" in story.legal and "decline" not in story.legal
    assert story.play("escape").state.torpedoes == 5
    assert Story("flip A1", "A1=KD", "attack 0", king_ships=True).state.result == "loss"
    assert Story("flip A1", "A1=KD").phase is Phase.TARGET


def test_A4_does_not_hold_for_a_king_as_extra_target() -> None:
    story = attack("QD", "QC", king_ships=True, queen_ships=True).play("chase", "extra=KD")
    assert (story.phase, story.state.role) == (Phase.TARGET, "extra")


def test_A5_a_sunk_queen_offers_an_extra_target() -> None:
    story = attack("QD", "QC", queen_ships=True)
    assert story.phase is Phase.QUEEN and story.legal == {"chase", "decline"}
    story.play("chase", "extra=8D")
    assert "A5" in story.rules and len(story.state.deck) == 27
    assert story.legal == {"attack 0", "attack 1", "attack 2", "attack 3", "decline"}


def test_A5_with_no_card_left_in_the_deck_there_is_no_extra_target() -> None:
    story = Story("flip A1", "A1=QD", "attack 1", queen_ships=True)
    story.state = replace(story.state, deck=())
    assert story.play("torpedo=QC").phase is Phase.DEBRIEF


def test_A5_letting_the_extra_target_go_leads_to_the_debrief() -> None:
    assert attack("QD", "QC", queen_ships=True).play("decline").phase is Phase.DEBRIEF
    assert attack("QD", "QC", queen_ships=True).play("chase", "extra=8D", "decline").phase is Phase.DEBRIEF


def test_A5_a_failed_attack_on_the_extra_target_brings_an_escort() -> None:
    story = attack("QD", "QC", queen_ships=True).play("chase", "extra=8D", "attack 0")
    assert story.state.drawing == "escort" and story.state.result == ""


def test_A5_holds_for_a_queen_that_came_as_an_escort_and_for_a_queen_chased() -> None:
    story = Story("flip A1", "A1=8D", "attack 0", "escort=QD", "attack 1", "torpedo=QC", queen_ships=True)
    assert story.phase is Phase.QUEEN and story.sunk == ["QD"]
    assert story.play("chase", "extra=QH", "attack 1", "torpedo=QS").phase is Phase.QUEEN


def test_A6_a_jack_fired_hits_a_ship_of_its_suit() -> None:
    story = attack("8D", "JD", nob=True)
    assert story.sunk == ["8D"] and "A6" in story.rules and "L3b" not in story.rules
    assert attack("8D", "JC", nob=True).sunk == []
    assert "L3b" in attack("8D", "JD", "7C", nob=True).rules  # what hits by the basic rule is said so
    assert attack("8D", "JD", "X1", nob=True, jokers=True).sunk == []


def test_A7_a_patrol_that_comes_home_sails_again() -> None:
    story = attack("8D", "7C", patrols=2).play("return")
    assert story.rules[-2:] == ["L5", "A7"] and story.phase is Phase.PERISCOPE
    state = story.state
    assert (state.patrol, state.ocean_left, state.torpedoes, len(state.deck)) == (2, 9, 15, 4)
    assert story.sunk == ["8D"] and story.game.outcome(state) is None
    assert story.why_not("flip A1") is None
    story.play("flip A1", "A1=9D", "attack 1", "torpedo=6C", "return")
    assert story.state.result == "win" and story.state.tons == 17_000


def test_A7_all_of_a_deck_that_has_fewer_cards_is_dealt() -> None:
    story = attack("8D", "7C", patrols=2)
    story.state = replace(story.state, deck=story.state.deck[:12])
    state = story.play("return").state
    assert (state.patrol, state.ocean_left, state.torpedoes, state.deck) == (2, 9, 3, ())


def test_A7_the_second_ocean_is_planned_too() -> None:
    story = Story("plan 23", "flip A1", "A1=8D", "attack 1", "torpedo=7C", plan_patrol=True, patrols=2)
    assert story.phase is Phase.PLAN and story.state.patrol == 2  # the last torpedo was gone
    assert story.legal == {f"plan {n}" for n in range(1, 24)}


def test_A7_a_lost_boat_does_not_sail_again() -> None:
    story = Story("flip A1", "A1=8D", "attack 0", "escort=4S", "attack 0", patrols=2)
    assert story.state.result == "loss" and story.phase is Phase.END


@pytest.mark.parametrize("called", [("B2=3C", "attack 0"), ("B2=X1",)], ids=["a miss", "a joker"])
def test_A7_on_the_second_patrol_an_empty_deck_loses_the_boat(called: tuple[str, ...]) -> None:
    jokers = "B2=X1" in called
    story = attack("8D", "7C", patrols=2, jokers=jokers).play("return")
    if jokers:  # two cards more are in the deck
        story.play("flip C2", "C2=4C", "attack 0", "escort=X2", "escort=4S", "attack 2", *shots("JC", "JS"))
    meetings = [  # (ship, escort, the two torpedoes whose pair sinks her): each takes a card from the deck
        ("2C", "AC", ("KC", "KS")),
        ("2S", "AS", ("TC", "TS")),
        ("2H", "AH", ("9C", "9S")),
        ("2D", "AD", ("QC", "QS")),
    ]
    for square, (ship, escort, pair) in zip(SQUARES, meetings, strict=False):
        story.play(f"flip {square}", f"{square}={ship}", "attack 0", f"escort={escort}", "attack 2", *shots(*pair))
    assert story.state.deck == () and len(story.sunk) == 5 + jokers and story.phase is Phase.DEBRIEF
    story.play("flip B2", *called)
    assert story.rules[-2:] == ["A7", "L7"] and story.state.result == "loss"


# The list ----------------------------------------------------------------------------------------------


def test_every_rule_has_a_test() -> None:
    tests = set(re.findall(r"def test_([A-Z]\w*?)_", Path(__file__).read_text(encoding="utf-8")))
    assert tests == set(nk.load("uss-lox").rules())


def test_what_is_no_action_is_refused() -> None:
    game = nk.load("uss-lox")
    with refused(IllegalActionError, LOX, "not.action"):
        game.apply(game.initial(), "flip A1")
