"""The players of Wolf Pack: honest, repeatable, in the right order; and the quick simulator, held against the rules."""

from __future__ import annotations
from random import Random

import numpy as np
import pytest

import navalkit as nk
from navalkit.core import awaited
from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.core.game import CHANCE, TERMINAL
from navalkit.games.wolf_pack import measures, odds, quick, search
from navalkit.games.wolf_pack.bots import BOTS, as_action, as_move
from navalkit.games.wolf_pack.cards import (
    CONVOY,
    NONE,
    RAIDS,
    SIDES,
    UBOATS,
    Card,
    counts,
    less,
    listed,
    row_counts,
    total,
)
from navalkit.games.wolf_pack.odds import permute
from navalkit.games.wolf_pack.quick import ACT, DISCARD, HAND, OVER, PASS, Table
from navalkit.games.wolf_pack.rules import WolfPack
from navalkit.games.wolf_pack.state import TABLES, Drawn, Lost, Pass, Phase, Play, State
from navalkit.players import player
from navalkit.players.meeting import Meeting
from navalkit.testing import refused, said
from ...samples import sizes
from ...sentences import WOLF

SMALL = "periscope=3 torpedo=3 transport=3 sonar=3 charges=3 u-boat=3 dive=1 sweep=1 mouse=1 miss=2 water=0"
LEAST = "periscope=2 torpedo=2 transport=2 sonar=2 charges=2 u-boat=2 dive=1 sweep=1 mouse=1 miss=0 water=0"
NAMES = ("random", "greedy", "careful", "ismcts")
QUICK = {"ismcts": {"iterations": 120}}


def bot(name, game):
    return player(name, game, **QUICK.get(name, {}))


def positions(game, seeds, every):
    """Decisions along games of careful players with a random move now and then."""
    careful = player("careful", game)
    for seed in seeds:
        match, rng = nk.Match.new(game, seed), np.random.default_rng(seed)
        while not match.over:
            if match.ply % every == 0:
                yield match
            legal = match.legal()
            if rng.random() < 0.15:
                match.play(legal[int(rng.integers(len(legal)))])
            else:
                match.play(careful.decide(match.observe(), legal, rng).action)


# The quick simulator ----------------------------------------------------------------------------------------------


class Chance(Random):
    """Keeps every deck it has shuffled."""

    def __init__(self, seed):
        super().__init__(seed)
        self.decks = []

    def shuffle(self, deck):
        super().shuffle(deck)
        self.decks.append(list(deck))


class Watched(Table):
    """Keeps every card that was lost at random."""

    lost: list[int]

    def lose(self, side):
        card = super().lose(side)
        self.lost.append(card)
        return card


def both(deck, seed):
    """One game with random moves, in the quick simulator and under the rules: yields both at every decision."""
    game = WolfPack(deck=deck, transports=3, u_boats=3, turn_limit=60)
    rng = Chance(seed)
    table = Watched.new(game.cards, game.goals, 60, rng)
    table.lost = []
    state = catch_up(game, game.initial(), table)
    while True:
        yield game, state, table
        if table.stage == OVER:
            return
        moves = table.moves()
        move = moves[int(rng.random() * len(moves))]
        seen = game.observe(state, table.side)
        state = game.apply(state, as_action(seen, move)).state
        table.move(move)
        state = catch_up(game, state, table)


def catch_up(game, state, table):
    """Under the rules, what chance did in the quick game."""
    while game.turn(state) == CHANCE:
        if state.phase is Phase.LOSS:
            action = Lost(1 - state.side, Card(table.lost[state.losses]))
        else:
            action = Drawn(state.side, Card(table.rng.decks[state.shuffles - 1][sum(state.deck) - 1]))
        state = game.apply(state, action).state
    return state


def agree(state: State, table: Table) -> bool:
    stage = {Phase.DISCARD: DISCARD + state.side, Phase.ACTION: ACT + state.side, Phase.END: OVER}[state.phase]
    deck = counts([Card(card) for card in table.deck])
    return (stage, state.hands, state.deck, state.discards, state.rows, state.sunk, state.turn) == (
        table.stage,
        tuple(map(tuple, table.hands)),
        deck,
        tuple(table.pile),
        tuple(table.rows),
        tuple(table.sunk),
        table.turn,
    )


@pytest.mark.parametrize("deck", ["default", SMALL, LEAST])
@pytest.mark.parametrize("seed", range(3))
def test_the_quick_simulator_plays_by_the_rules(deck, seed):
    decisions = 0
    for game, state, table in both(deck, seed):
        decisions += 1
        assert agree(state, table)
        if table.stage == OVER:
            assert game.turn(state) == TERMINAL
            assert state.result == ("U-boats", "convoy", "draw")[table.winner]
        else:
            assert game.turn(state) == table.side
            legal = {as_move(action) for action in game.legal(state)}
            if Card.MOUSE in legal and state.phase is Phase.ACTION:
                legal.discard(Card.MISS)  # it does the same
            assert set(table.moves()) == legal
    assert decisions > 50


def test_a_guess_is_a_game_that_looks_the_same():
    rng = Random(3)
    for match in positions(nk.load("wolf-pack"), range(2), 7):
        seen = match.observe()
        held = match.state.hands[1 - seen.me]
        table = Table.guess(seen, held, rng)
        assert tuple(table.hands[seen.me]) == seen.hand and table.hands[1 - seen.me] == list(held)
        lying = total(counts([Card(c) for c in table.deck]), tuple(table.pile))
        assert total(total(lying, row_counts(seen.rows)), total(*map(tuple, table.hands))) == seen.cards
        assert len(table.deck) == seen.deck_size and table.side == seen.me


# Honesty ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_no_player_sees_more_than_its_observation(name):
    """The other hand and the deck exchanged: the decision, its reasons and its figures stay the same."""
    game = nk.load("wolf-pack", deck=SMALL)
    someone, rng = bot(name, game), np.random.default_rng(4)
    changed = 0
    for match in positions(game, [1], 11 if name == "ismcts" else 4):
        state, me = match.state, match.turn
        other = permute(state, me, rng)
        changed += other != state
        decisions = [
            someone.decide(game.observe(s, me), game.legal(s), np.random.default_rng(9)) for s in (state, other)
        ]
        assert decisions[0] == decisions[1] and decisions[0].explain() == decisions[1].explain()
    assert changed > 5


@pytest.mark.parametrize("name", NAMES)
def test_a_decision_is_legal_weighs_every_action_and_repeats_itself(name):
    game = nk.load("wolf-pack")
    someone = bot(name, game)
    for match in positions(game, [3], 29 if name == "ismcts" else 5):
        legal = match.legal()
        one, two = (someone.decide(match.observe(), legal, np.random.default_rng(5)) for _ in range(2))
        assert one == two and one.explain() == two.explain()
        assert one.action in legal and one.by == name
        assert sorted(map(str, legal)) == sorted(str(option.action) for option in one.options)
        if name != "random":
            assert one.options[0].action == one.action and not one.options[0].rejected
            assert all(option.rejected for option in one.options[1:])
        for finding in one.findings:
            assert finding.rule in game.rules()


def test_the_players_of_a_match_are_those_of_the_simulator():
    game = nk.load("wolf-pack")
    for name, simple in (("greedy", quick.GREEDY), ("careful", quick.CAREFUL)):
        someone = player(name, game)
        for match in positions(game, [6], 3):
            seen = match.observe()
            table = Table.guess(seen, match.state.hands[1 - seen.me], Random(1))
            action = someone.decide(seen, match.legal(), np.random.default_rng(1)).action
            assert action == as_action(seen, quick.choose(table, simple))


def test_a_player_out_of_turn_is_refused():
    match = nk.Match.new("wolf-pack", seed=1)
    for name in BOTS:
        with refused(IllegalActionError, WOLF, "bot.nothing"):
            player(name, match.game).decide(match.observe(1 - match.turn), match.legal(), np.random.default_rng(1))


@pytest.mark.parametrize(
    "options, sentence",
    [
        ({"iterations": 0}, WOLF.phrase("bot.whole", what="iterations")),
        ({"iterations": 1.5}, WOLF.phrase("bot.whole", what="iterations")),
        ({"horizon": True}, WOLF.phrase("bot.whole", what="horizon")),
        ({"seconds": -1}, WOLF.phrase("bot.seconds", value=-1)),
    ],
)
def test_a_search_without_a_budget_is_refused(options, sentence):
    with refused(OptionError, sentence):
        player("ismcts", nk.load("wolf-pack"), **options)


# What they do -----------------------------------------------------------------------------------------------------


def decide(name, u_boats, convoy, rows, side, **options):
    game = nk.load("wolf-pack")
    hands = (counts(u_boats), counts(convoy))
    deck = less(game.cards, total(total(*hands), row_counts(rows)))
    state = State(Phase.ACTION, side=side, turn=5, hands=hands, rows=rows, pool=game.cards, deck=deck, **options)
    return bot(name, game).decide(game.observe(state, side), game.legal(state), np.random.default_rng(1))


def test_careful_keeps_the_sweep_until_it_hurts_and_greedy_does_not():
    early = ("water", "sweep water water", (1, 0), CONVOY)
    late = ("water", "sweep water water", (2, 0), CONVOY)
    assert str(decide("greedy", *early).action) == "play sweep"
    assert str(decide("careful", *early).action) == "pass"
    assert str(decide("careful", *late).action) == "play sweep"
    said(str(decide("careful", *late).reason), WOLF, "bot.clear")


@pytest.mark.parametrize("name", ["greedy", "careful", "ismcts"])
def test_everybody_takes_the_last_transport(name):
    decision = decide(name, "transport dive mouse", "water", (2, 2), UBOATS, sunk=(5, 3))
    assert str(decision.action) == "play transport"


def test_the_search_says_what_it_tried_and_what_it_guessed():
    decision = decide("ismcts", "periscope dive mouse", "sonar water charges", (0, 2), UBOATS)
    visits = [fact.value for option in decision.options for fact in option.facts if fact.name.key == "bot.visits"]
    assert str(decision.unit) == WOLF("bot.chance") and sum(visits) <= 120 and min(visits) >= 16
    assert all(0 <= option.value <= 1 for option in decision.options)
    assert decision.findings[0].rule == "W13" and "U-BOAT" in str(decision.findings[0].verdict)


def test_the_race_grows_with_each_strike_and_is_decided_at_the_end():
    win = [[odds.race((6 - sunk, 4 - lost), (0, 0), 0, 9) for lost in range(5)] for sunk in range(7)]
    assert win[6][0] == 1 and win[0][4] == 0
    assert all(win[i + 1][j] > win[i][j] > win[i][j + 1] for i in range(6) for j in range(4))
    assert odds.race((2, 2), (2, 0), 0, 9) > odds.race((2, 2), (0, 0), 0, 9) > odds.race((2, 2), (0, 2), 0, 9)


@pytest.mark.parametrize("goals", [(2, 2), (3, 2), (6, 4), (9, 6)])
def test_the_race_is_what_careful_players_come_to(goals):
    """From the beginning, and from a standing in the middle; ruling: one estimator serves every start."""
    rng, games, begun = Random(2027), 1500, odds.race(goals, (0, 0), 0, 1)
    won, judged, later = 0, [], []
    for _ in range(games):
        table = quick.Table.new(TABLES.deck, goals, 200, rng)
        quick.play_out(table, (quick.CAREFUL, quick.CAREFUL), 5)
        judged.append(search.worth(table))
        quick.play_out(table, (quick.CAREFUL, quick.CAREFUL), 200)
        won += table.winner == UBOATS
        later.append(float(table.winner == UBOATS))
    assert won / games == pytest.approx(begun, abs=0.05)  # 3 standard errors are 0.039, and the fit's own is 0.02
    surprise = sum(a - b for a, b in zip(later, judged, strict=True)) / games
    assert abs(surprise) < 0.05
    ahead = [b for a, b in zip(judged, later, strict=True) if a > sum(judged) / games]
    behind = [b for a, b in zip(judged, later, strict=True) if a <= sum(judged) / games]
    assert sum(ahead) / len(ahead) > sum(behind) / len(behind) + 0.05


def test_the_chance_is_the_same_for_all_who_look_and_sums_to_one():
    match = nk.Match.new(WolfPack(transports=3, u_boats=2), 5)
    bot, rng = player("careful", match.game), np.random.default_rng(5)
    while not match.over:
        game, state, me = match.game, match.state, match.turn
        shown = odds.chance(game, match.observe(me), me)
        assert shown == odds.chance(game, state, me) == pytest.approx(1 - odds.chance(game, state, 1 - me))
        assert shown == odds.chance(game, odds.permute(state, me, rng), me)
        match.play(bot.decide(match.observe(me), match.legal(), rng).action)
    assert {odds.chance(match.game, match.state, side) for side in (0, 1)} == {0.0, 1.0}


# Who beats whom ---------------------------------------------------------------------------------------------------


def share(one, two, games, seed=1):
    """The first policy's share of the points, both sides played."""
    as_u_boats = measures.measure(TABLES.deck, games, seed, (one, two)).share
    return (as_u_boats + 1 - measures.measure(TABLES.deck, games, seed, (two, one)).share) / 2


def test_careful_beats_greedy():
    assert share(quick.CAREFUL, quick.GREEDY, 1500) > 0.55  # 0.60 ± 0.009


def test_greedy_beats_random():
    assert Meeting("wolf-pack").meet("greedy", "random", 30, 1)[0].share > 0.8


@sizes("simulations, games", (40, 12), (150, 24))
def test_the_search_beats_greedy(simulations, games):
    """Short games, and few of them, from fixed seeds; the full table comes from `navalkit tournament`."""
    goals, tuned = {"transports": 3, "u_boats": 2}, {"ismcts": {"iterations": simulations}}
    short = Meeting("wolf-pack", options=goals, tuned=tuned)
    result, _, _ = short.meet("ismcts", "greedy", games, 1)
    assert result.games == games and result.share > 0.55


def test_the_default_deck_is_fair_and_of_the_right_length():
    result = measures.measure(TABLES.deck, 1500, 11)
    assert all(TABLES.deck) and TABLES.deck[Card.SONAR] == 12
    assert measures.FAIR[0] <= result.share <= measures.FAIR[1]
    assert measures.LENGTH[0] <= result.length <= measures.LENGTH[1]


@pytest.mark.slow
def test_what_careful_players_keep_is_what_data_toml_says():
    for side, measured in enumerate(measures.measure_kept(TABLES.deck, 200, 2)):
        table, soon = TABLES.kept[side], TABLES.soon[side]
        known = {f"{row} {'drawn' if drawn else 'left'} {did}" for row, drawn, did in table}
        assert set(measured) <= known | {f"turn {turn} {'drawn' if drawn else 'left'}" for turn, drawn in soon}
        again = {row: measured[f"{row} drawn any"] for row in range(3)}
        said = {row: table[row, True, "any"] for row in range(3)}
        for row in range(3):
            kept, found = np.array(said[row], dtype=float)[:, 0], again[row][:, 0]
            usual = kept > 0.5  # what is seldom kept is seldom met
            assert found[usual] / found[usual].sum() == pytest.approx(kept[usual] / kept[usual].sum(), rel=0.3)


def _first_turns(games, seed):
    """Whose hands, their turns, and for each kind: the chance that it is held by what is known in that turn, the same
    as if hands were as select as they become, and whether it is held."""
    cases = [case for case in measures._hands(TABLES.deck, games, seed) if case[1] < odds.SETTLED]
    unseen, known, hand = measures._columns([case[4:] for case in cases])

    def chance(early):
        weights = np.array([odds.kept(side, row, drawn, did, turn if early else odds.SETTLED)
                            for side, turn, (row, drawn), did, *_ in cases], dtype=float)
        return np.where(known > 0, 1, 1 - measures.held(unseen, known, weights, hand.sum(axis=1))[:, :, 0])

    return np.array([case[1] for case in cases]), chance(True), chance(False), known + hand > 0


def test_in_the_first_turns_hands_are_less_select_and_it_is_known():
    """On games that the weights were not fitted to."""
    turns, early, late, held = _first_turns(250, 4242)
    soon = turns <= 3
    for low, high in ((0.0, 0.1), (0.6, 0.8), (0.8, 0.98)):
        said = (low < early) & (early <= high) & soon[:, None]
        off = float((held - early)[said].sum())
        assert abs(off) < 5 * float((early * (1 - early))[said].sum()) ** 0.5, (low, off, said.sum())
    sure = (0.8 < late) & (late < 0.98) & soon[:, None]
    assert late[sure].mean() - held[sure].mean() > 0.04


def test_the_floats_of_the_fit_are_those_of_the_belief():
    match = nk.Match.new("wolf-pack", seed=5)
    careful = nk.player("careful", match.game)
    while match.state.shuffles < 2:  # some of the hand is known then
        match.play(careful.decide(match.observe(), match.legal()).action)
    for side in range(2):
        seen = match.observe(side)
        weights = odds.likely(seen)
        hand = odds.Belief(seen, weights)
        [floats] = measures.held(np.array([seen.unseen]), np.array([seen.known]), np.array(weights, dtype=float),
                                 np.array([hand.size]))
        for card in Card:
            exact = hand.held(card)
            for n, chance in enumerate(floats[card]):
                assert chance == pytest.approx(float(exact[seen.known[card] + n]))


def test_a_table_watched_knows_what_a_match_knows():
    for seed in range(3):
        match = nk.Match.new("wolf-pack", seed=seed)
        rng = Random(seed)
        while match.state.phase is not Phase.END and match.state.shuffles < 4:
            seen = match.observe()
            table = measures._Watched.guess(seen, match.state.hands[1 - seen.me], rng)
            table.known = [list(known) for known in match.state.known]
            action = rng.choice(match.legal())
            raids = isinstance(action, Play) and action.card in RAIDS
            match.play(action)
            if match.state.shuffles == seen.shuffles and not raids and match.state.phase is not Phase.END:
                table.move(as_move(action))
                assert table.known == [list(known) for known in match.state.known]


@pytest.mark.parametrize("side, row, last, said", [
    (0, 0, None, "none"), (0, 1, Pass(), "pass"), (1, 2, Play(Card.MISS), "raid"), (1, 0, Play(Card.SWEEP), "clear"),
    (0, 1, Play(Card.PERISCOPE), "lay"), (0, 0, Play(Card.TRANSPORT), "struck"), (1, 0, Play(Card.SONAR), "cleared"),
])
def test_what_a_side_did_last_is_told_apart(side, row, last, said):
    assert odds.did(side, row, (last, None) if side == 0 else (None, last)) == said


def test_who_passes_has_nothing_to_lay():
    due = odds.kept(0, 2, False, "pass")
    assert due[Card.TRANSPORT][0] < odds.kept(0, 2, False)[Card.TRANSPORT][0] / 20


def test_calibration_runs_as_a_script(capsys):
    measures.main(["-n", "60"])
    said(capsys.readouterr().out, WOLF, "calibrate.both", name="careful")


def test_hands_are_never_above_the_limit_after_discarding():
    rng = Random(2)
    table = Table.new(TABLES.deck, (6, 4), 200, rng)
    while table.stage != OVER:
        assert (max(table.sizes) > HAND) == (table.stage < ACT)
        assert [sum(hand) for hand in table.hands] == table.sizes
        table.move(quick.choose(table, quick.GREEDY))
    assert NONE == (0,) * PASS and list(listed(NONE)) == []


def test_hint_and_review_share_one_chance_to_win() -> None:
    """From the same sight, the hint's own figure and the curve's, by a search and by play-outs: three points apart in
    the mean at most, and never farther than their errors and what the search found explain."""
    found = []
    for seed, goals in enumerate([(2, 2), (3, 2), (6, 4), (9, 6)] * 3):
        match = next(m for m in positions(WolfPack(transports=goals[0], u_boats=goals[1]), [seed], 17)
                     if m.ply > 20 and len(m.legal()) > 1)
        game, seen, rng = match.game, match.observe(), np.random.default_rng(seed)
        hint = player("ismcts", game, iterations=400).decide(seen, match.legal(), rng).options[0].value
        worlds = awaited.finish(measures.imagined(game, seen, 120, rng))
        crew = [player(*measures.REVIEW.captains, game) for _ in SIDES]
        curve = np.mean([measures.rest(game, world, seen.me, crew, rng) for world in worlds])
        found.append(hint - curve)
    assert abs(np.mean(found)) < 0.03 and max(map(abs, found)) < 0.15


def test_an_order_is_proved_by_games_to_their_end() -> None:
    """The proof of a loss breaks nothing off: all its ends are wins and losses."""
    match = next(m for m in positions(WolfPack(transports=2, u_boats=2), [3], 7) if m.ply > 20)
    rng, seen = np.random.default_rng(1), match.observe()
    crew = [player("careful", match.game)] * 2
    worlds = awaited.finish(measures.imagined(match.game, seen, 20, rng))
    ends = [measures.rest(match.game, world, seen.me, crew, rng, ahead=200) for world in worlds]
    cut = [measures.rest(match.game, world, seen.me, crew, rng, ahead=1) for world in worlds]
    assert set(ends) <= {0.0, 0.5, 1.0} and not set(cut) <= {0.0, 0.5, 1.0}
