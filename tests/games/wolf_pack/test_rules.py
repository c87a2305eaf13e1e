"""The rules of Wolf Pack, each under its id, and what must hold whatever is played."""

from __future__ import annotations
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import navalkit as nk
from navalkit.core.errors import IllegalActionError, NotationError, OptionError
from navalkit.core.game import CHANCE, TERMINAL
from navalkit.core.words import Event, Phrase
from navalkit.games.wolf_pack import WolfPack, cards
from navalkit.games.wolf_pack.cards import CONVOY, NONE, SIDES, UBOATS, Card, Counts, counts, less, total
from navalkit.games.wolf_pack.odds import permute
from navalkit.games.wolf_pack.state import TABLES, Discard, Drawn, Lost, Pass, Phase, Play, State
from navalkit.testing import check_game, refused, said
from navalkit.testing.strategies import walks
from ...sentences import CORE, WOLF

SMALL = "periscope=3 torpedo=3 transport=3 sonar=3 charges=3 u-boat=3 dive=1 sweep=1 mouse=1 miss=2 water=0"
LEAST = "periscope=2 torpedo=2 transport=2 sonar=2 charges=2 u-boat=2 dive=1 sweep=1 mouse=1 miss=0 water=0"


def table(
    u_boats: str = "",
    convoy: str = "",
    *,
    rows: tuple[int, int] = (0, 0),
    discards: str | Counts = "",
    phase: Phase = Phase.ACTION,
    side: int = UBOATS,
    game: WolfPack | None = None,
    **fields: Any,
) -> Story:
    """A story from a given position; what lies nowhere else is in the deck."""
    game = game or WolfPack()
    hands = (counts(u_boats), counts(convoy))
    pile = counts(discards)
    lying = total(total(*hands), total(pile, cards.row_counts(rows)))
    state = State(
        phase=phase,
        side=side,
        turn=fields.pop("turn", 5),
        hands=hands,
        rows=rows,
        discards=pile,
        deck=less(game.cards, lying),
        pool=game.cards,
        **fields,
    )
    assert game.parse_state(game.format_state(state)) == state  # the position can be
    return Story(game, state)


class Story:
    """Plays given actions, chance's included, and keeps what happened."""

    def __init__(self, game: WolfPack, state: State) -> None:
        self.game, self.state = game, state
        self.events: list[Event] = []

    def play(self, *actions: str) -> Story:
        for text in actions:
            step = self.game.apply(self.state, self.game.parse_action(text))
            self.state = step.state
            self.events += step.events
        return self

    @property
    def legal(self) -> set[str]:
        return set(map(str, self.game.legal(self.state)))

    @property
    def rules(self) -> list[str]:
        return [event.rule for event in self.events]

    def refusal(self, text: str) -> str:
        reason = self.game.why_not(self.state, self.game.parse_action(text))
        assert reason is not None, f"{text} is legal"
        with pytest.raises(IllegalActionError, match=re.escape(reason)):
            self.game.apply(self.state, self.game.parse_action(text))
        return reason


# Rules by id ------------------------------------------------------------------------------------------------------


def test_W0_each_side_is_dealt_five_cards_the_u_boats_first() -> None:
    match = nk.Match.new("wolf-pack", seed=1)
    dealt = [ply.action for ply in match.plies[:10]]
    assert all(isinstance(action, Drawn) for action in dealt)
    assert [action.side for action in dealt] == [0] * 5 + [1] * 5
    assert [event.to for ply in match.plies[:10] for event in ply.events] == [{0}] * 5 + [{1}] * 5
    rules = [event.rule for ply in match.plies if isinstance(ply.action, Drawn) for event in ply.events]
    assert rules[:12] == ["W0"] * 10 + ["W3"] * 2


def test_W0_one_seed_lays_out_one_deck_whatever_is_played() -> None:
    drawn = []
    for choice in (0, -1):
        match = nk.Match.new("wolf-pack", seed=7)
        while match.state.shuffles == 1:
            match.play(match.legal()[choice])
        first = [p.action.card for p in match.plies if isinstance(p.action, Drawn)]
        drawn.append(first[: sum(match.game.cards)])
    assert drawn[0] == drawn[1]


def test_W1_the_deck_is_an_option() -> None:
    assert nk.load("wolf-pack").cards[Card.SONAR] == 12  # the one count the source has
    assert all(nk.load("wolf-pack").cards)
    game = nk.load("wolf-pack", deck="sonar=9, water=0")
    assert game.cards == cards.plus(cards.plus(TABLES.deck, Card.SONAR, -3), Card.WATER, -TABLES.deck[Card.WATER])
    assert game.options["deck"] == "sonar=9 water=0"
    assert nk.load("wolf-pack", deck=" WATER=0  sonar=9 sweep=4") == game != nk.load("wolf-pack")
    assert nk.load("wolf-pack", deck="sonar=12").options["deck"] == "default"
    match = nk.Match.new(game, seed=4)
    assert nk.Match.loads(match.record().dumps()).game == game


@pytest.mark.parametrize(
    "deck, reason",
    [
        ("transport=0", WOLF.phrase("deck.none", card="TRANSPORT", side="U-boats")),
        ("u-boat=0", WOLF.phrase("deck.none", card="U-BOAT", side="convoy")),
        (LEAST.replace("mouse=1", "mouse=0").replace("dive=1", "dive=0"), WOLF.phrase("deck.small", size=13, least=15)),
        ("sonar=61", WOLF.phrase("deck.kind", most=60, n=61, card="SONAR")),
        ("sonar=3 sonar=4", WOLF.phrase("deck.twice", card="sonar")),
        ("sonar", WOLF.phrase("deck.count", part="'sonar'")),
        ("sonar=-1", WOLF.phrase("deck.count", part="'sonar=-1'")),
        ("kraken=3", WOLF.phrase("wrong.card", card="'kraken'")),
        ("water=²", WOLF.phrase("deck.count", part="'water=²'")),
    ],
)
def test_W1a_a_deck_that_cannot_be_won_with_is_refused(deck: str, reason: Phrase) -> None:
    with refused(OptionError, reason) as info:
        nk.load("wolf-pack", deck=deck)
    said(info.value, CORE, "options.wrong", name="deck")


def test_W1a_a_deck_is_a_text() -> None:
    with refused(OptionError, CORE, "options.wrong", name="deck", value="12"):
        nk.load("wolf-pack", deck=12)


def test_W2_both_draw_then_both_act_the_u_boats_first() -> None:
    match = nk.Match.new("wolf-pack", seed=3)
    order: list[tuple[str, int, int]] = []
    while match.state.turn < 4:
        match.play("pass" if match.state.phase is Phase.ACTION else match.legal()[0])
    for ply, before in zip(match.plies, [match.at(i) for i in range(match.ply)], strict=True):
        if before.turn in (1, 2) and not isinstance(ply.action, Discard):
            order.append((before.phase.value, before.side, before.turn))
    turn = [("draw", 0), ("draw", 0), ("draw", 1), ("draw", 1), ("action", 0), ("action", 1)]
    assert order == [(*step, number) for number in (1, 2) for step in turn]


def test_W3_the_draw_is_two_cards_which_only_the_drawer_sees() -> None:
    story = table("water", "water sonar", side=CONVOY).play("pass")
    assert (story.state.phase, story.state.side, story.state.to_draw) == (Phase.DRAW, UBOATS, 2)
    story.play("u-boats draw torpedo", "u-boats draw water")
    assert story.state.hands[UBOATS] == counts("torpedo water water")
    drawn = [event for event in story.events if event.rule == "W3"]
    assert [event.to for event in drawn] == [{UBOATS}, {UBOATS}]
    assert not any(event.seen_by(CONVOY) for event in drawn)
    assert story.state.side == CONVOY and story.state.to_draw == 2
    assert "U-boats's draw" not in story.refusal("u-boats draw water")


def test_W3_the_card_drawn_is_any_of_the_deck() -> None:
    story = table("water", side=CONVOY).play("pass")
    chance = story.game.chance(story.state)
    deck = story.state.deck
    assert {action.card: p * sum(deck) for action, p in chance.items()} == dict(zip(Card, deck, strict=True))


def test_W3a_the_discards_make_a_new_deck_when_the_old_one_is_used_up() -> None:
    game = WolfPack(deck=SMALL)
    held, hers = counts("periscope torpedo"), counts("sonar charges")
    pile = less(less(game.cards, total(held, hers)), counts("miss"))
    story = table("periscope torpedo", "sonar charges", discards=pile, game=game, side=CONVOY).play("pass")
    assert story.state.deck == counts("miss")
    story.play("u-boats draw miss")
    assert story.rules[-1] == "W3a" and sum(pile) in story.events[-1].facts.values()
    assert story.state.deck == story.state.pool == pile and story.state.discards == NONE
    assert (story.state.shuffles, story.state.to_draw) == (2, 1)
    assert game.chance(story.state).slot == "cards 2"


def test_W3b_with_no_card_left_anywhere_the_draw_is_skipped() -> None:
    game = WolfPack(deck=LEAST)  # 15 cards
    story = table(
        "periscope transport transport dive mouse",
        "sonar u-boat u-boat sweep torpedo charges",
        rows=(2, 2),
        game=game,
        side=CONVOY,
    )
    assert story.state.deck == NONE
    story.play("pass")
    assert story.rules[-2:] == ["W3b", "W3b"]  # neither side draws
    assert (story.state.phase, story.state.turn, story.state.side) == (Phase.DISCARD, 6, CONVOY)
    story.play("discard torpedo")
    assert (story.state.phase, story.state.side) == (Phase.ACTION, UBOATS)


def test_W3b_a_draw_that_finds_one_card_takes_it() -> None:
    story = table(
        "periscope transport transport mouse",
        "sonar u-boat u-boat torpedo charges",
        rows=(2, 2),
        discards="dive sweep",
        game=WolfPack(deck=LEAST),
        side=CONVOY,
    )
    story.play("pass")
    assert story.rules[-1] == "W3a"
    story.play("u-boats draw dive")
    assert story.state.to_draw == 1
    story.play("u-boats draw sweep", "discard sweep")
    story.play("convoy draw sweep")
    assert story.rules[-1] == "W3b" and story.state.hands[CONVOY][Card.SWEEP] == 1


def test_W4_a_side_discards_down_to_five_face_up() -> None:
    story = table("sonar water water water water", side=CONVOY).play("pass")
    story.play("u-boats draw dive", "u-boats draw dive")
    assert story.state.phase is Phase.DISCARD
    assert story.legal == {"discard sonar", "discard dive", "discard water"}
    said(story.refusal("discard torpedo"), WOLF, "no.card", card="TORPEDO")
    story.play("discard sonar")
    assert story.state.phase is Phase.DISCARD
    said(story.refusal("pass"), WOLF, "no.now.discard", side="U-boats", hand=5)
    story.play("discard water")
    assert story.state.discards == counts("sonar water") and story.state.phase is Phase.DRAW
    assert all(event.to is None for event in story.events if event.rule == "W4")


def test_W4_a_hand_of_five_or_less_is_kept() -> None:
    story = table("sonar water", side=CONVOY).play("pass", "u-boats draw dive", "u-boats draw dive")
    assert (story.state.phase, story.state.side) == (Phase.DRAW, CONVOY)


def test_W5_one_card_is_played_or_none() -> None:
    story = table("periscope torpedo dive mouse water", "sonar")
    assert story.legal == {"play periscope", "play dive", "play mouse", "pass"}
    story.play("play periscope")
    assert (story.state.phase, story.state.side) == (Phase.ACTION, CONVOY)  # one card, and the turn goes on
    story.play("pass")
    assert story.rules == ["W6", "W5"] and story.state.last == (Play(Card.PERISCOPE), Pass())


def test_W6_the_u_boats_row_grows_in_order_and_strikes_with_the_third() -> None:
    story = table("periscope torpedo transport", "water")
    said(story.refusal("play torpedo"), WOLF, "no.order", due="PERISCOPE")
    for number, card in enumerate(("periscope", "torpedo"), 1):
        story.state = replace(story.state, phase=Phase.ACTION, side=UBOATS, to_draw=0)
        story.play(f"play {card}")
        assert story.state.rows == (number, 0) and story.state.discards == NONE
    story.state = replace(story.state, phase=Phase.ACTION, side=UBOATS)
    story.play("play transport")
    assert story.state.rows == (0, 0) and story.state.sunk == (1, 0)
    assert story.state.discards == counts("periscope torpedo transport")
    assert story.rules == ["W6"] * 3


def test_W7_the_convoys_row_grows_in_order_and_strikes_with_the_third() -> None:
    story = table("water", "u-boat charges sonar", rows=(1, 1), side=CONVOY)
    assert story.legal == {"play charges", "pass"}
    story.play("play charges")
    assert story.state.rows == (1, 2)
    story.state = replace(story.state, phase=Phase.ACTION, side=CONVOY, to_draw=0)
    story.play("play u-boat")
    assert story.state.rows == (1, 0) and story.state.sunk == (0, 1)
    assert story.state.discards == counts("sonar charges u-boat")
    assert story.rules == ["W7", "W7"]


def test_W8_dive_clears_both_rows() -> None:
    story = table("dive", "water", rows=(1, 2)).play("play dive")
    assert story.state.rows == (0, 0)
    assert story.state.discards == counts("dive periscope sonar charges") and story.rules == ["W8"]


def test_W9_sweep_clears_both_rows() -> None:
    story = table("water", "sweep", rows=(2, 1), side=CONVOY).play("play sweep")
    assert story.state.rows == (0, 0)
    assert story.state.discards == counts("sweep periscope torpedo sonar") and story.rules == ["W9"]


def test_W9_with_nothing_in_the_rows_it_is_only_spent() -> None:
    story = table("water", "sweep", side=CONVOY).play("play sweep")
    assert story.state.discards == counts("sweep")
    said(story.events[0].text, WOLF, "cleared_none")


@pytest.mark.parametrize("card", ["mouse", "miss"])
@pytest.mark.parametrize("side", [UBOATS, CONVOY])
def test_W10_the_opponent_gives_up_a_random_card(side: int, card: str) -> None:
    hands = [card, "sonar sonar transport"]
    story = table(hands[side], hands[1 - side], side=side).play(f"play {card}")
    assert story.state.phase is Phase.LOSS and story.game.turn(story.state) == CHANCE
    chance = {action.card: p for action, p in story.game.chance(story.state).items()}
    assert (3 * chance[Card.SONAR], 3 * chance[Card.TRANSPORT]) == (2, 1) and len(chance) == 2
    said(story.refusal(f"{SIDES[1 - side]} lose water"), WOLF, "no.card", card="WATER")
    said(story.refusal(f"{SIDES[side]} lose sonar"), WOLF, "no.victim")
    story.play(f"{SIDES[1 - side]} lose sonar")
    assert story.state.hands[1 - side] == counts("sonar transport")
    assert story.state.discards == counts([card, "sonar"]) and story.state.phase is not Phase.LOSS
    assert story.rules == ["W10", "W10"] and story.state.losses == 1


def test_W10_from_an_empty_hand_nothing_is_lost() -> None:
    story = table("mouse", "").play("play mouse")
    assert (story.state.phase, story.state.side) == (Phase.ACTION, CONVOY)
    said(story.events[0].text, WOLF, "raid_in_vain")
    assert story.state.losses == 0


def test_W11_water_and_the_other_sides_cards_are_never_played() -> None:
    story = table("water sonar sweep")
    assert story.legal == {"pass"}
    said(story.refusal("play water"), WOLF, "no.water")
    said(story.refusal("play sonar"), WOLF, "no.theirs", side="convoy")
    said(story.refusal("play sweep"), WOLF, "no.theirs", side="convoy")
    said(table("", "dive", side=CONVOY).refusal("play dive"), WOLF, "no.theirs", side="U-boats")


def test_W12_the_sixth_transport_wins_for_the_wolf_pack() -> None:
    assert table("transport", rows=(2, 0), sunk=(4, 3)).play("play transport").state.phase is not Phase.END
    story = table("transport", rows=(2, 0), sunk=(5, 3)).play("play transport")
    assert story.game.turn(story.state) == TERMINAL and story.rules == ["W6", "W12"]
    outcome = story.game.outcome(story.state)
    assert outcome is not None and (outcome.result, outcome.scores) == ("U-boats", (1.0, 0.0))
    assert outcome.facts["transports"] == 6 and outcome.facts["u_boats"] == 3


def test_W12_the_fourth_u_boat_wins_for_the_convoy() -> None:
    story = table("", "u-boat", rows=(0, 2), sunk=(5, 3), side=CONVOY).play("play u-boat")
    outcome = story.game.outcome(story.state)
    assert outcome is not None and (outcome.result, outcome.scores) == ("convoy", (0.0, 1.0))


def test_W12_the_goals_are_options() -> None:
    game = WolfPack(transports=1, u_boats=2)
    story = table("transport", rows=(2, 0), game=game).play("play transport")
    assert story.state.result == "U-boats"


def test_W12a_after_the_last_turn_the_game_is_a_draw() -> None:
    story = table("water", "water", side=CONVOY, turn=10, game=WolfPack(turn_limit=10)).play("pass")
    outcome = story.game.outcome(story.state)
    assert story.rules == ["W5", "W12a"]
    assert outcome is not None and (outcome.result, outcome.scores) == ("draw", (0.5, 0.5))


def test_W13_a_reshuffle_tells_what_the_opponent_holds() -> None:
    game = WolfPack(deck=SMALL)
    pile = less(game.cards, counts("periscope torpedo sonar sonar u-boat miss"))
    story = table("periscope torpedo", "sonar sonar u-boat", discards=pile, game=game, side=CONVOY)
    story.play("pass", "u-boats draw miss")
    seen = game.observe(story.state, UBOATS)
    assert seen.known == counts("sonar sonar u-boat")
    by_counting = less(less(less(seen.cards, seen.pool), seen.hand), cards.row_counts(seen.rows))
    assert seen.known == by_counting  # and it needed nothing but what all can see
    story.play("u-boats draw dive", "convoy draw sonar", "convoy draw miss")
    seen = game.observe(story.state, UBOATS)
    assert seen.their_size == 5 and seen.known == counts("sonar sonar u-boat")  # the new ones are not known
    story.play("pass", "play sonar")
    assert game.observe(story.state, UBOATS).known == counts("sonar u-boat")
    story.state = replace(story.state, phase=Phase.LOSS, side=UBOATS)
    story.play("convoy lose u-boat")  # the only one known
    assert game.observe(story.state, UBOATS).known == counts("sonar")


# What must hold always --------------------------------------------------------------------------------------------


def test_every_rule_has_a_test() -> None:
    tests = set(re.findall(r"def test_(W\w*?)_", Path(__file__).read_text(encoding="utf-8")))
    assert tests == set(nk.load("wolf-pack").rules())


def lying(state: State) -> Counts:
    """All cards, wherever they are."""
    pile = total(total(state.deck, state.discards), cards.row_counts(state.rows))
    return total(pile, total(*state.hands))


@settings(max_examples=25)
@given(walks(nk.load("wolf-pack", deck=LEAST, turn_limit=100), max_decisions=300))
def test_no_card_is_ever_lost_or_made(match: nk.Match) -> None:
    for ply in range(match.ply + 1):
        state = match.at(ply)
        assert lying(state) == match.game.cards
        assert min(map(min, (state.deck, state.discards, *state.hands, *state.known))) >= 0


def random_walk(options: dict[str, Any], seed: int) -> Iterator[tuple[nk.Match, State]]:
    match, rng = nk.Match.new(nk.load("wolf-pack", **options), seed), np.random.default_rng(seed)
    while not match.over:
        yield match, match.state
        legal = match.legal()
        match.play(legal[int(rng.integers(len(legal)))])


@pytest.mark.parametrize("deck", ["default", SMALL, LEAST])
def test_cards_are_conserved_along_long_games(deck: str) -> None:
    shuffles = 0
    for seed in range(3):
        for match, state in random_walk({"deck": deck, "transports": 12, "u_boats": 12}, seed):
            assert lying(state) == match.game.cards
            shuffles = max(shuffles, state.shuffles)
    assert shuffles > 5


def test_what_is_known_by_counting_follows_from_the_public_record() -> None:
    """Counting every public card since the last reshuffle gives the same as `State.known`, for both sides."""
    for match, state in random_walk({"deck": SMALL}, 5):
        game = match.game
        for player in range(2):
            known = list(NONE)
            before = match._start
            for ply in match.plies:
                after = ply.state
                if after.shuffles > before.shuffles:  # the pool, the rows and one's own hand: the rest is his
                    rest = less(less(game.cards, after.pool), cards.row_counts(after.rows))
                    known = list(less(rest, after.hands[player]))
                if isinstance(ply.action, (Discard, Play, Lost)):
                    who = ply.action.side if isinstance(ply.action, Lost) else before.side
                    if who != player and known[ply.action.card]:
                        known[ply.action.card] -= 1
                before = after
            assert game.observe(state, player).known == tuple(known)
        if match.ply > 400:
            break


@pytest.mark.parametrize(
    "options",
    [
        {"transports": 2, "u_boats": 1},
        {"deck": SMALL, "turn_limit": 30},
        {"deck": LEAST, "turn_limit": 20, "transports": 3},
    ],
    ids=["default deck", "small deck", "least deck"],
)
def test_it_conforms_and_observations_hide_what_they_must(options: dict[str, Any]) -> None:
    check_game(nk.load("wolf-pack", **options), seeds=range(2), walks=1, permute=permute)


def test_permuting_exchanges_only_what_is_hidden() -> None:
    rng, changed = np.random.default_rng(8), 0
    for _, state in random_walk({"deck": SMALL, "turn_limit": 40}, 2):
        for player in range(2):
            other = permute(state, player, rng)
            assert lying(other) == lying(state) and other.hands[player] == state.hands[player]
            assert sum(other.deck) == sum(state.deck)
            assert replace(other, hands=state.hands, deck=state.deck) == state
            changed += other != state
    assert changed > 100


def test_no_observation_holds_the_seed_or_the_other_hand() -> None:
    match = nk.Match.new("wolf-pack", seed=12)
    names = set(type(match.observe()).__dataclass_fields__)
    assert not names & {"hands", "deck", "seed", "rng"}
    for event in match.log_for(CONVOY):
        assert event.to is None or CONVOY in event.to


@pytest.mark.parametrize(
    "text, action",
    [
        ("PLAY  depth charges", "play charges"),
        ("lay u-boat", "play u-boat"),
        ("play uboat", "play u-boat"),
        ("discard cat and mouse", "discard mouse"),
        ("Convoy loses near_miss", "convoy lose miss"),
        ("u-boats draws destroyer-sweep", "u-boats draw sweep"),
        (" Pass ", "pass"),
    ],
)
def test_notation_is_lenient(text: str, action: str) -> None:
    assert str(nk.load("wolf-pack").parse_action(text)) == action


@pytest.mark.parametrize("text", ["", "play", "play kraken", "convoy draw", "sink transport", "pass water", "x" * 5000])
def test_what_is_no_order_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        nk.load("wolf-pack").parse_action(text)


@pytest.mark.parametrize(
    "change, reason",
    [
        (("turn=1 ", "turn=x "), CORE.phrase("codec.invalid", token="'x'")),
        (("phase=action", ""), CORE.phrase("codec.said", where="state", name="phase")),
        (("rows=1/0", "rows=3/0"), WOLF.phrase("wrong.row")),
        (("rows=1/0", "rows=2/0"), WOLF.phrase("wrong.count", card="TORPEDO")),
        (("phase=action", "phase=end"), WOLF.phrase("wrong.result")),
        (("phase=action", "phase=draw"), WOLF.phrase("wrong.to_draw")),
        (("rows=1/0", "rows=1/0 kraken=1"), CORE.phrase("codec.field", name="'kraken'")),
        (("rows=1/0", "rows=1/0 known=-/5*water"), WOLF.phrase("wrong.known")),
        (("rows=1/0", "rows=1/0 sunk=9/0"), WOLF.phrase("wrong.sunk")),
    ],
)
def test_a_state_that_cannot_be_is_refused(change: tuple[str, str], reason: Phrase) -> None:
    story = table("water", "water", rows=(1, 0), turn=1)
    text = story.game.format_state(story.state)
    assert change[0] in text
    with refused(NotationError, reason):
        story.game.parse_state(text.replace(*change))


def test_what_is_no_action_is_refused() -> None:
    game = nk.load("wolf-pack")
    with refused(IllegalActionError, WOLF, "no.action", game="Wolf Pack"):
        game.apply(game.initial(), "pass")
