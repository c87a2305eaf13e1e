"""The quick way to play Task Force out, held against the rules and the hunter himself, scratch by scratch."""

from __future__ import annotations

import numpy as np
import pytest

from navalkit.core.match import Match
from navalkit.games.task_force import SMALL, TaskForce
from navalkit.games.task_force.bots import Hunter, pressing
from navalkit.games.task_force.measures import rest
from navalkit.games.task_force.state import UNSEEN, Phase


def slowly(match: Match, order: list[float]) -> float:
    """The same by the rules: the hunter's options, ties by that order of the squares."""
    game, state, hunter, grid = match.game, match.state, Hunter(match.game), match.game.sea.grid
    while game.turn(state) == 0:
        seen = game.observe(state, 0)
        options = hunter.decide(seen, game.legal(state), 0).options
        best = max(options, key=lambda option: (option.value, order[grid.number(option.action.square)]))
        state = game.apply(state, best.action).state
    return float(len(state.afloat)) if state.result == "win" else 0.0


@pytest.mark.parametrize(("options", "games"), [
    (SMALL, 4), ({"rows": 6, "columns": 6, "deep": 3, "fleet": "tiny"}, 4), pytest.param({}, 6, marks=pytest.mark.slow),
])
def test_played_out_in_plain_numbers_it_ends_as_by_the_rules(options: dict[str, object], games: int) -> None:
    """T4 to T7, T9: from the start, after scratches and strikes, in the air, with missiles shot down and not."""
    flights, ends = 0, set()
    for seed in range(games):
        match, rng = Match.new(TaskForce(**options), seed), np.random.default_rng(seed)
        while not match.over:
            if (flying := match.state.phase is Phase.FLIGHT) or rng.random() < 0.1:
                flights += flying
                found = rest(match.game, match.state, 0, (), np.random.default_rng(seed))
                drawn = np.random.default_rng(seed).random(match.game.sea.grid.size).tolist()
                assert found == slowly(match, drawn)
                ends.add(found)
            legal = match.legal()
            match.play(legal[int(rng.integers(len(legal)))])
    assert len(ends) > 2 and bool(flights) == match.game.options["helicopters"]


def test_what_presses_depends_on_nothing_farther_than_two_squares() -> None:
    """The quick way looks anew at squares so near to a scratch alone."""
    game, rng = TaskForce(**SMALL), np.random.default_rng(5)
    grid = game.sea.grid
    for _ in range(300):
        marks = rng.choice(list(".-xsAC1"), grid.size, p=[0.4, 0.2, 0.2, 0.05, 0.05, 0.05, 0.05]).tolist()
        square, changed = (int(each) for each in rng.integers(grid.size, size=2))
        (a, b), (c, d) = grid.place(square), grid.place(changed)
        before = pressing(grid, marks, square)
        marks[changed] = UNSEEN if marks[changed] != UNSEEN else "x"
        assert abs(a - c) + abs(b - d) <= 2 or pressing(grid, marks, square) == before
