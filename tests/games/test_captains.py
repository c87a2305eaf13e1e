"""The machine captains of the games: each is asked for by name, decides, and rises in level with strength."""

from __future__ import annotations
from itertools import pairwise

import numpy as np
import pytest

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.games.fleet_action.bots import CAPTAINS as FLEET_ACTION
from navalkit.games.on_patrol.bots import CAPTAINS as ON_PATROL
from navalkit.games.task_force.bots import CAPTAINS as TASK_FORCE
from navalkit.games.uss_lox.bots import CAPTAINS as USS_LOX
from navalkit.games.wolf_pack.bots import CAPTAINS as WOLF_PACK
from navalkit.players import player
from navalkit.players.captains import Captain
from navalkit.players.meeting import strengths

NAMED = {
    "fleet-action": FLEET_ACTION, "on-patrol": ON_PATROL, "task-force": TASK_FORCE, "uss-lox": USS_LOX,
    "wolf-pack": WOLF_PACK,
}  # fmt: skip
ALL = [(game, each) for game, named in NAMED.items() for each in named]


@pytest.mark.parametrize(("game", "captain"), ALL, ids=[each.name for _, each in ALL])
def test_a_captain_plays_under_the_own_name(game: str, captain: Captain) -> None:
    match = Match.new(load(game), seed=4)
    decided = player(captain.name, match.game).decide(
        match.game.observe(match.state, match.turn), match.legal(), np.random.default_rng(1)
    )
    assert match.game.why_not(match.state, decided.action) is None
    assert captain.title and captain.temperament.endswith(".")


@pytest.mark.parametrize("game", NAMED)
def test_levels_rise_with_what_was_measured_and_no_interval_touches_the_next(game: str) -> None:
    named, found = NAMED[game], strengths(game)
    assert 3 <= len(named) <= 5 and [each.level for each in named] == sorted({each.level for each in named})
    rated = [found.get(each.name) or found[each.player] for each in named]
    ends = [(each.elo - each.half, each.elo + each.half) for each in rated]
    assert all(above[0] > below[1] for below, above in pairwise(ends)), ends
