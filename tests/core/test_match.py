"""`Match`: play, undo, redo, branch, at, analysis, records and links."""

from __future__ import annotations
from dataclasses import replace
from types import ModuleType
from urllib.parse import parse_qs

import pytest

import navalkit as nk
from navalkit.core.errors import IllegalActionError, NotationError, OptionError, PeekError, RecordError
from navalkit.core.game import CHANCE, TERMINAL
from navalkit.core.record import GameRecord
from navalkit.core.words import Phrase
from navalkit.testing import refused
from ..sentences import CORE

PLAYED = ("flip B2", "decline", "flip A1", "attack 1")


def patrol(*orders: str, seed: int = 7, **options: object) -> nk.Match:
    match = nk.Match.new(nk.load("uss-lox", **options), seed=seed)
    for order in orders:
        match.play(order)
    return match


def finished(toys: ModuleType, *said: str, seed: int = 1) -> nk.Match:
    match = nk.Match.new("toy", seed=seed)
    for word in said:
        match.play(word)
    return match


# Playing


def test_chance_resolves_itself_after_every_action() -> None:
    match = patrol("flip B2")
    assert [ply.by for ply in match.plies] == [0, CHANCE]
    assert match.turn == 0


def test_play_takes_notation_and_actions_alike() -> None:
    one, other = patrol(), patrol()
    one.play("flip C3")
    other.play(next(action for action in other.legal() if str(action) == "flip C3"))
    assert one.plies == other.plies


def test_an_automatic_player_plays_his_prescribed_action(toys: ModuleType) -> None:
    match = finished(toys, "check")
    assert [str(ply.action) for ply in match.plies[2:]] == ["check", "settle"]
    assert [ply.by for ply in match.plies] == [CHANCE, CHANCE, 0, 2]
    assert match.over and match.turn == TERMINAL


@pytest.mark.parametrize("order, error", [("flip Z9", NotationError), ("escape", IllegalActionError)])
def test_after_an_error_the_match_is_as_it_was(order: str, error: type[Exception]) -> None:
    match = patrol("flip B2")
    before = match.plies
    assert match.why_not(order)
    with pytest.raises(error):
        match.play(order)
    assert match.plies == before
    assert match.why_not("decline") is None


def test_nothing_can_be_played_after_the_end(toys: ModuleType) -> None:
    match = finished(toys, "bet", "fold")
    with pytest.raises(IllegalActionError):
        match.play("bet")


@pytest.mark.parametrize("seed", [-1, 2**128, True, 1.5, "7", pytest.param(10**5000, id="huge")])
def test_a_seed_out_of_range_is_refused(seed: object) -> None:
    with refused(OptionError, CORE, "seed"):
        nk.Match.new("uss-lox", seed=seed)  # type: ignore[arg-type]


def test_the_number_of_players_is_checked(toys: ModuleType) -> None:
    with refused(OptionError, CORE, "arena.roles", roles=3):
        nk.Match.new("toy", seed=1, players=["Ann"])
    assert nk.Match.new("toy", seed=1, players=["Ann", "Ben", "Cat"]).players == ("Ann", "Ben", "Cat")


def test_a_fresh_seed_makes_a_fresh_game() -> None:
    assert len({nk.Match.new("uss-lox").seed for _ in range(5)}) > 1


def test_at_gives_every_state_so_far() -> None:
    match = patrol(*PLAYED)
    assert match.at(0) == match.game.initial()
    assert [match.at(i + 1) for i in range(match.ply)] == [ply.state for ply in match.plies]
    for outside in (-1, match.ply + 1):
        with pytest.raises(IndexError):
            match.at(outside)
    before = match.ply
    match.undo(analysis=True)
    with pytest.raises(IndexError):
        match.at(before)  # what was undone is no state of this game


def test_who_agrees_to_an_analysis_and_takes_back_nothing_seen_plays_on() -> None:
    match = nk.Match.new(nk.load("uss-lox", plan_patrol=True), seed=1)
    match.play("plan 5")
    match.undo(analysis=True)
    assert not match.analysis


# What is hidden


def test_the_log_keeps_what_others_may_not_know(toys: ModuleType) -> None:
    match = finished(toys, "bet")
    texts = {player: [event.text for event in match.log_for(player)] for player in (0, 1, None)}
    assert len(texts[None]) == 3
    assert [text[:5] for text in texts[0]] == ["north", "bet."]
    assert [text[:5] for text in texts[1]] == ["south", "bet."]


def test_an_observation_holds_the_own_card_alone(toys: ModuleType) -> None:
    match = finished(toys, "bet")
    assert match.observe(0) == (match.state.north, ("bet",))
    assert match.observe() == match.observe(1) == (match.state.south, ("bet",))


def test_the_link_of_a_hidden_game_in_play_holds_no_moves(toys: ModuleType) -> None:
    match = finished(toys, "bet")
    assert match.secret
    assert set(parse_qs(match.share()[1:])) == {"seed"}
    match.play("call")
    assert not match.secret
    assert set(parse_qs(match.share()[1:])) == {"record"}


def test_the_saved_text_of_a_hidden_game_in_play_is_sealed(toys: ModuleType) -> None:
    match = finished(toys, "bet")
    text = match.dumps()
    assert "sealed" in text and "north=" not in text and "seed" not in text and "bet" not in text
    twin = nk.Match.loads(text)
    assert twin.plies == match.plies and twin.seed == match.seed
    match.play("call")
    assert "north=" in match.dumps() and "sealed" not in match.dumps()


# Going back


def test_undoing_what_has_been_seen_asks_first() -> None:
    match = patrol("flip B2")
    assert match.undo_reveals()
    with refused(PeekError, CORE, "match.peek"):
        match.undo()
    assert match.ply == 2 and not match.analysis
    match.undo(analysis=True)
    assert match.ply == 0 and match.analysis
    assert match.record().analysis


def test_undoing_what_shows_nothing_is_free() -> None:
    match = nk.Match.new(nk.load("uss-lox", plan_patrol=True), seed=1)
    match.play("plan 5")
    assert not match.undo_reveals()
    match.undo()
    assert not match.analysis and match.ply == 0


def test_in_a_game_that_hides_every_undo_asks(toys: ModuleType) -> None:
    match = finished(toys, "bet")
    with pytest.raises(PeekError):
        match.undo()


def test_in_an_analysis_undo_is_free() -> None:
    match = nk.Match.new("uss-lox", seed=1, analysis=True)
    match.play("flip B2")
    match.undo()
    assert match.ply == 0


def test_undo_and_redo_step_over_chance_and_automatic_players(toys: ModuleType) -> None:
    match = finished(toys, "bet", "call")
    end = match.plies
    match.undo(analysis=True)
    assert match.turn == 1 and match.can_redo()
    match.undo()
    assert match.turn == 0 and not match.can_undo()  # the deal alone is nobody's decision
    with refused(IllegalActionError, CORE, "match.undo_nothing"):
        match.undo()
    match.redo()
    assert match.turn == 1
    match.redo()
    assert match.plies == end
    with refused(IllegalActionError, CORE, "match.redo_nothing"):
        match.redo()


def test_the_same_seed_brings_the_same_cards_after_undo() -> None:
    match = patrol(*PLAYED)
    plies = match.plies
    for _ in PLAYED:
        match.undo(analysis=True)
    for order in PLAYED:
        match.play(order)
    assert match.plies == plies


def test_playing_on_forgets_what_was_undone() -> None:
    match = patrol("flip B2", "decline")
    match.undo(analysis=True)
    match.play("attack 0")
    assert not match.can_redo()


def test_a_branch_leaves_the_match_alone() -> None:
    match = patrol(*PLAYED)
    plies, twin = match.plies, match.branch(2)
    assert twin.plies == plies[:2] and twin.analysis and not match.analysis
    twin.play("attack 3")
    assert match.plies == plies
    assert not match.branch().analysis


def test_a_branch_inside_a_turn_of_chance_resolves_it() -> None:
    match = patrol(*PLAYED)
    assert match.branch(1).plies == match.plies[:2]


def test_comments_go_with_the_plies_they_are_on() -> None:
    match = patrol("flip B2", "decline")
    match.comments = {0: "start", 2: "a ship", 3: "gone"}
    assert nk.Match.loads(match.dumps()).comments == match.comments
    assert match.branch(2).comments == {0: "start", 2: "a ship"}
    match.undo()
    match.play("attack 0")
    assert match.comments == {0: "start", 2: "a ship"}


# Records and links


def test_a_record_replays_to_the_same_match() -> None:
    match = patrol(*PLAYED, jokers=True)
    twin = nk.Match.loads(match.dumps())
    assert (twin.plies, twin.game, twin.seed) == (match.plies, match.game, match.seed)
    assert (
        nk.Match.replay(GameRecord.from_link_text(parse_qs(match.share()[1:])["record"][0])).plies
        == match.plies
    )


def test_the_link_of_a_new_game_holds_seed_and_options() -> None:
    match = patrol(seed=42, jokers=True, patrols=2)
    assert parse_qs(match.share()[1:]) == {"seed": ["42"], "jokers": ["true"], "patrols": ["2"]}


def test_a_record_follows_its_actions_not_its_seed() -> None:
    """Draws of a newer program cannot break an old record; what comes after it still follows the seed."""
    record = patrol("flip B2").record()
    card = "5H" if "5H" not in record.actions[1] else "5D"
    other = replace(record, actions=("flip B2", f"B2={card}"))
    match = nk.Match.replay(other)
    assert str(match.plies[1].action) == f"B2={card}"
    while not match.over:
        match.play(match.legal()[0])
    assert nk.Match.loads(match.dumps()).plies == match.plies


def test_a_record_that_ends_in_a_turn_of_chance_goes_on() -> None:
    match = patrol("flip B2")
    cut = replace(match.record(), actions=match.record().actions[:1])
    assert nk.Match.replay(cut).plies == match.plies


def test_a_match_is_saved_and_loaded(tmp_path) -> None:  # type: ignore[no-untyped-def]
    match = patrol(*PLAYED)
    match.save(tmp_path / "patrol.toml")
    assert nk.Match.load(tmp_path / "patrol.toml").plies == match.plies
    assert [path.name for path in tmp_path.iterdir()] == ["patrol.toml"]
    with refused(RecordError, CORE, "match.cannot_read") as refusal:
        nk.Match.load("no/such/folder/none.toml")
    assert refusal.value.facts["name"] == repr("no/such/folder/none.toml")
    with refused(RecordError, CORE, "match.cannot_read"):
        nk.Match.load(tmp_path)


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"game": "checkers"}, CORE.phrase("registry.unknown", name="'checkers'")),
        ({"rules": "0"}, CORE.phrase("match.rules", version="'0'")),
        ({"options": {"jokers": 3}}, CORE.phrase("options.wrong", name="jokers", values=CORE("options.true_false"))),
        ({"options": {"name": "x"}}, CORE.phrase("options.unknown", name="'name'")),
        ({"options": {"self": "x"}}, CORE.phrase("options.unknown", name="'self'")),
        ({"players": ("a", "b")}, CORE.phrase("match.players", n=2)),
        ({"actions": ("flip B2", "B2=8D", "escape")}, CORE.phrase("match.wrong_ply", number=3)),
        ({"actions": ("flip Q9",)}, CORE.phrase("match.wrong_ply", number=1)),
        ({"actions": ("flip B2", "B2=8D", "decline", "flip B2")}, CORE.phrase("match.wrong_ply", number=4)),
        ({"result": "win", "scores": (9000.0,)}, CORE.phrase("match.result", result="unfinished")),
        ({"comments": {999: "far"}}, CORE.phrase("match.comment", ply=999)),
    ],
)
def test_a_record_that_does_not_replay_is_refused_with_the_place(
    change: dict[str, object], sentence: Phrase
) -> None:
    with refused(RecordError, sentence):
        nk.Match.replay(replace(patrol("flip B2").record(), **change))


def test_a_changed_result_and_actions_after_the_end_are_refused(toys: ModuleType) -> None:
    record = finished(toys, "bet", "call").record()
    with refused(RecordError, CORE, "match.result"):
        nk.Match.replay(replace(record, scores=(9.0, -9.0, 0.0)))
    with refused(RecordError, CORE, "match.after_end", number=6, text="'bet'"):
        nk.Match.replay(replace(record, actions=(*record.actions, "bet")))


# Honest luck


def foreign() -> nk.Match:
    """A patrol whose first card its seed has elsewhere."""
    record = patrol("flip B2", "decline").record()
    card = "5H" if "5H" not in record.actions[1] else "5D"
    return nk.Match.replay(replace(record, actions=("flip B2", f"B2={card}", "decline")))


def test_luck_that_is_the_seeds_is_known_and_luck_that_is_not() -> None:
    assert nk.Match.loads(patrol(*PLAYED).dumps()).true_to_seed
    match = foreign()
    assert not match.true_to_seed and match.stray_luck == 2
    match.play("flip A1")
    assert match.stray_luck == 2 and nk.Match.loads(match.dumps()).stray_luck == 2


def test_another_seed_in_a_record_makes_its_luck_foreign() -> None:
    record = replace(patrol(*PLAYED).record(), seed=8)
    assert nk.Match.replay(record).stray_luck == 2


def test_going_back_before_foreign_luck_makes_a_match_true_again() -> None:
    match = foreign()
    match.undo(analysis=True)
    assert match.stray_luck == 2
    match.undo(analysis=True)
    assert match.true_to_seed
    match.redo()
    assert not match.true_to_seed
    match.undo()
    match.play("flip B2")
    assert match.true_to_seed and nk.Match.loads(match.dumps()).true_to_seed


def test_luck_not_looked_at_before_an_undo_is_compared_no_more() -> None:
    match = foreign()
    match.undo(analysis=True)
    match.undo(analysis=True)
    match.play("flip B2")
    assert match.true_to_seed


def test_a_branch_knows_whose_luck_it_is() -> None:
    match = foreign()
    assert match.branch(2).stray_luck == 2 and match.branch(0).true_to_seed
    assert not match.true_to_seed and match.branch(2).stray_luck == 2


def test_a_match_played_here_is_true_to_its_seed(toys: ModuleType) -> None:
    assert finished(toys, "bet", "call").true_to_seed and patrol(*PLAYED, seed=2**127).true_to_seed


def test_seeds_of_games_that_hide_something_cannot_be_guessed(toys: ModuleType) -> None:
    assert min(nk.Match.new("toy").seed.bit_length() for _ in range(3)) > 64
    assert nk.Match.new("uss-lox").seed < 10**9


def test_what_is_hidden_is_committed_to_and_opened(toys: ModuleType) -> None:
    match = finished(toys, "bet", seed=5)
    early = GameRecord.loads(match.dumps()).commitment
    assert early == match.commitment and f'commitment = "{early}"' in match.dumps()  # shown while the seed is sealed
    match.play("call")
    record = match.record()
    assert record.commitment == early == nk.Match.loads(match.dumps()).commitment
    assert patrol().commitment == "" and "commitment" not in patrol().dumps()
    others = {nk.Match.new("toy", 6).commitment, nk.Match.new(nk.load("toy", cards=4), 5).commitment}
    assert len({early, *others}) == 3


@pytest.mark.parametrize("change", [{"seed": 6}, {"commitment": "ab"}, {"options": {"cards": 4}}])
def test_a_record_that_breaks_its_commitment_is_refused(toys: ModuleType, change: dict[str, object]) -> None:
    record = replace(finished(toys, "bet", seed=5).record(), actions=())
    with refused(RecordError, CORE, "match.commitment"):
        nk.Match.replay(replace(record, **change))
    assert nk.Match.replay(replace(record, **change, commitment="") if "commitment" not in change else record).ply


def test_a_replay_says_how_far_it_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a pace that always gives way: a share after each action, then the same match as at once."""
    monkeypatch.setattr("navalkit.core.match.Pace", lambda: lambda: True)
    match, shares = patrol(*PLAYED), []
    steps = nk.Match.replaying(match.record())
    while True:
        try:
            shares.append(next(steps))
        except StopIteration as stop:
            again = stop.value
            break
    assert shares == [n / match.ply for n in range(1, match.ply + 1)] and match.ply > 3
    assert again.record() == match.record() and again.log == match.log

def test_a_record_that_cannot_be_written_says_so(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with refused(RecordError, CORE, "match.cannot_write"):
        nk.Match.new("uss-lox", 1).save(tmp_path / "nowhere" / "x.toml")
