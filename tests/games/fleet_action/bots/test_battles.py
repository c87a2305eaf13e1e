"""Every machine player fights every scenario under every option to the end."""

from __future__ import annotations
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.errors import OptionError
from navalkit.games.fleet_action import FleetAction
from navalkit.games.fleet_action.scenarios import names

PAIRS = (("admiral", "gunnery"), ("gunnery", "random"), ("random", "admiral"))  # each on either side
TEXTS = ("scenario", "blue", "red", "custom")  # which battle it is; all other options are tried with all their values
MIXED = {"weather": "on", "light": "night", "first_mover": "dice"}
"""Discs in one square, fog over land, ships nobody knows of: the options that hide most."""


def options() -> Iterator[dict[str, Any]]:
    """Each value of each option by itself, and many at once."""
    yield {}
    yield MIXED
    for spec in FleetAction.specs:
        if spec.name not in TEXTS:
            values = spec.choices or (spec.default, 5000 if spec.name == "budget" else 3)
            yield from ({spec.name: value} for value in values if value != spec.default)


def fight(scenario: str, players: tuple[str, str], given: dict[str, Any], seed: int) -> int:
    """How many plies a battle took; 0 if the scenario does not take these options."""
    try:
        game = nk.load("fleet-action", scenario=scenario, **given)
    except OptionError:
        return 0
    match, seats = nk.Match.new(game, seed, players), [nk.player(name, game) for name in players]
    rng = np.random.default_rng(seed)
    while not match.over:
        match.play(seats[match.turn].decide(match.observe(), match.legal(), rng).action)
    assert match.outcome is not None
    return match.ply


@pytest.mark.parametrize("scenario", names())
@pytest.mark.parametrize("players", [("admiral", "gunnery"), ("gunnery", "admiral")], ids="-".join)
def test_two_players_come_to_the_end_of_a_short_battle(scenario: str, players: tuple[str, str]) -> None:
    assert fight(scenario, players, {**MIXED, "moves": 4}, 3)


@pytest.mark.slow
@pytest.mark.parametrize("scenario", names())
@pytest.mark.parametrize("players", PAIRS, ids="-".join)
def test_all_players_come_to_the_end_under_every_option(scenario: str, players: tuple[str, str]) -> None:
    fought = [fight(scenario, players, given, seed) > 0 for seed, given in enumerate(options())]
    assert sum(fought) >= len(fought) - 2  # a hidden start and a limit of points do not fit every scenario
