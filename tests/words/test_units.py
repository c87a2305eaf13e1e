"""What values are counted in is said in the reader's language, not in that of the first one who loaded the game."""

from __future__ import annotations
from typing import Any

import pytest

from navalkit.core.registry import load, names, package
from navalkit.core.trace import Option
from navalkit.core.words import Phrase, Voice, speaking
from navalkit.players.generic import best_of
from navalkit.ui import SAY as UI
from navalkit.ui.play.controls import bests

SIGNS = ("", "t")
"""Written alike in both languages."""


@pytest.mark.parametrize("name", names())
def test_units_of_reviews_pages_and_captains_are_said_when_they_are_read(name: str) -> None:
    ours = package(name)
    game = load(name)
    said: list[Any] = [ours.offered("REVIEW", None).unit]
    if game.deciders == 1:  # else nobody's score is told
        said.append(ours.offered("PAGE", None).unit)
    said += [getattr(made(game), "unit", "") for made in ours.bots.values()]
    assert [unit for unit in said if unit not in SIGNS and not isinstance(unit, Phrase)] == []


def test_a_general_players_score_is_said_when_it_is_read() -> None:
    assert isinstance(best_of("greedy", [Option("flip", 1.0)], "").unit, Phrase)


@pytest.mark.parametrize("result", ["win", "loss"])
def test_a_best_is_said_in_the_language_of_the_day(result: str) -> None:
    unit = package("task-force").offered("REVIEW", None).unit
    kept = {"score": "3 ships left", "points": 3.0, "seed": 9, "result": result}
    for lang in ("en", "de"):
        with speaking(Voice(lang)):
            told = UI("bests.row", score=f"3 {unit}", seed=9, result=UI(f"day.{result}"))
            assert told in bests([kept], "a game", unit)
