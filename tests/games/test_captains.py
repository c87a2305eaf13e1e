"""The machine captains of four games: each is asked for by name, decides, and rises in level with strength."""

from __future__ import annotations

import re

import numpy as np
import pytest

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.games.fleet_action.bots import CAPTAINS as FLEET_ACTION
from navalkit.games.task_force.bots import CAPTAINS as TASK_FORCE
from navalkit.games.uss_lox.bots import CAPTAINS as USS_LOX
from navalkit.games.wolf_pack.bots import CAPTAINS as WOLF_PACK
from navalkit.players import player
from navalkit.players.captains import Captain

NAMED = {
    "fleet-action": FLEET_ACTION, "task-force": TASK_FORCE, "uss-lox": USS_LOX, "wolf-pack": WOLF_PACK,
}  # fmt: skip
ALL = [(game, each) for game, named in NAMED.items() for each in named]


@pytest.mark.parametrize(("game", "captain"), ALL, ids=[each.name for _, each in ALL])
def test_a_captain_plays_under_the_own_name(game: str, captain: Captain) -> None:
    match = Match.new(load(game), seed=4)
    decided = player(captain.name, match.game).decide(
        match.game.observe(match.state, match.turn), match.legal(), np.random.default_rng(1)
    )
    assert decided.action in match.legal()
    assert captain.title and captain.temperament.endswith(".")


@pytest.mark.parametrize("named", NAMED.values(), ids=NAMED)
def test_levels_rise_with_what_was_measured(named: tuple[Captain, ...]) -> None:
    assert 3 <= len(named) <= 5 and all(re.search(r"n = [0-9,]+$", each.strength) for each in named)
    figures = [float(each.strength.split()[0].replace(",", "")) for each in named]
    assert figures == sorted(figures) and [each.level for each in named] == sorted({each.level for each in named})
