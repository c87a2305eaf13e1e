"""What a value says of itself at a prompt: one line, and nothing hidden."""

from __future__ import annotations
from typing import Any

import pytest

import navalkit as nk
from navalkit.core.dist import Dist
from navalkit.core.errors import OptionError
from navalkit.explore import answer

GAMES = nk.games()


def shows(value: Any) -> str:
    said = repr(value)
    assert "\n" not in said and len(said) <= 200 and " object at 0x" not in said
    return said


@pytest.mark.parametrize("name", GAMES)
def test_every_object_of_a_game_is_one_line(name: str) -> None:
    match = nk.Match.new(name, seed=42)
    decision = nk.player("random", name).decide(match.observe(), match.legal())
    match.play(decision.action)
    assert name in shows(match) and "ply=" in shows(match)
    for value in (match.game, match.state, match.observe(), match.log[-1]):
        shows(value)
    assert str(decision.action) in shows(decision)


@pytest.mark.parametrize("name", GAMES)
def test_a_match_in_play_shows_no_seed_that_hides_something(name: str) -> None:
    match = nk.Match.new(name, seed=1234567)
    assert ("1234567" in repr(match)) == (not match.game.hides)


def test_print_shows_the_board() -> None:
    match = nk.Match.new("uss-lox", seed=42)
    assert all(cell in str(match) for cell in ("A1", "C3")) and str(match).startswith(repr(match))


def test_an_answer_and_a_distribution_are_one_line() -> None:
    assert "%" in shows(answer("lox-sink"))
    assert "outcomes" in shows(10 @ Dist.uniform(range(1, 7)))


def test_games_can_be_asked_for_and_imported() -> None:
    import navalkit.games.uss_lox as lox

    assert lox.GAME.name in nk.games() and nk.load(lox.GAME.name) == lox.GAME()


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        (lambda: nk.load("uss-lx"), "uss-lox"),
        (lambda: nk.load("uss-lox", joker=True), "jokers"),
        (lambda: nk.player("optmal", "uss-lox"), "optimal"),
        (lambda: nk.player("expectimax", "uss-lox", dept=2), "depth"),
    ],
)
def test_a_near_name_is_suggested(wrong: Any, near: str) -> None:
    with pytest.raises(OptionError) as info:
        wrong()
    assert repr(near) in str(info.value).partition(";")[0]


@pytest.mark.parametrize("who", [7, -1, "captain"])
def test_nobody_sees_as_a_player_that_there_is_not(who: Any) -> None:
    with pytest.raises(OptionError):
        nk.Match.new("wolf-pack", seed=1).observe(who)
