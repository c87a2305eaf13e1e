"""The driver finds what differs, and prints a small position of it."""

from __future__ import annotations
from collections import Counter
from dataclasses import replace

import pytest

import navalkit as nk
from . import uss_lox, wolf_pack
from .driver import Disagreement, agree, one_game
from .tables import USS_LOX, WOLF_PACK


def test_a_move_the_house_would_lack_is_found() -> None:
    other = replace(WOLF_PACK, moves=lambda game: wolf_pack.moves(game) | {"play water"})
    with pytest.raises(Disagreement, match="what may be done(.|\n)*also \\['play water'\\]"):
        agree(other, 1_000, silent=set())


def test_a_wrong_result_is_found_and_its_position_can_be_set_up_again() -> None:
    def play(game, text):
        game = uss_lox.play(game, text)
        return {**game, "torpedoes": game["torpedoes"] + (text == "attack 3")}

    with pytest.raises(Disagreement, match="torpedoes after attack") as found:
        agree(replace(USS_LOX, play=play), 1_000, silent=set())
    position = found.value.position.split(": ", 1)[1].split("\n")[0]
    assert nk.load("uss-lox", jokers=True).parse_state(position).torpedoes >= 3


def test_chance_that_would_be_wrong_is_found() -> None:
    with pytest.raises(Disagreement, match="what chance may do"):
        one_game(replace(USS_LOX, luck=lambda game: {"A1=2C": 1}), 0, Counter())


def test_a_rule_that_never_comes_up_is_named() -> None:
    with pytest.raises(AssertionError, match="W12"):
        agree(WOLF_PACK, 50, silent=set())
