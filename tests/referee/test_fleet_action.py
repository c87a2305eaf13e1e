"""House and referee agree on Fleet Action: ways of ships and divisions, arcs, fire, mines, damage, turrets, sight."""

from __future__ import annotations
from collections import Counter

import pytest

from .craft_tables import FLEET_CRAFT
from .driver import agree, one_game
from .fleet_tables import FLEET_ACTION

SILENT = {f"F{rule}" for rule in "1 1a 3 4 6 7 8 9 10 11 13 14 18 25 27 29 30 31 32 33 36 39 40".split()}
"""Rules that no event belongs to: the board, how far and where ships go, what guns bear, what is seen."""
SILENT |= {f"F{rule}" for rule in range(41, 69)}  # boats and aircraft have a table of their own
RARE = {"F12", "F21", "F22", "F34", "F35"}
"""Harbours, islands and exits are not the referee's business; random ships seldom come there."""


def test_house_and_referee_agree() -> None:
    agree(FLEET_ACTION, 1_500, silent=SILENT, rare=RARE)


@pytest.mark.slow
def test_house_and_referee_agree_over_a_long_run() -> None:
    agree(FLEET_ACTION, 120_000, seed=1_000_000, silent=SILENT, rare=RARE)


def test_house_and_referee_agree_on_boats_and_aircraft() -> None:
    """Orders to boats, hunters and flights, all their dice, who sees whom, and what orders leave."""
    counted: Counter[str] = Counter()
    agreed = sum(one_game(FLEET_CRAFT, seed, counted) for seed in range(12))
    assert agreed > 300 and {f"F{rule}" for rule in (44, 50, 55, 56, 63, 64, 66)} <= set(counted)


@pytest.mark.slow
def test_house_and_referee_agree_on_boats_and_aircraft_over_a_long_run() -> None:
    agreed, seed, counted = 0, 1_000_000, Counter[str]()
    while agreed < 30_000:
        agreed += one_game(FLEET_CRAFT, seed, counted)
        seed += 1
    assert {f"F{rule}" for rule in (41, 44, 45, 48, 50, 51, 55, 56, 57, 63, 64, 66, 67)} <= set(counted)
