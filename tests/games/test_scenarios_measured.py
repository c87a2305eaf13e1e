"""Each scenario tells what it came to between machine captains, within bounds, and docs/figures.md says the same."""

from __future__ import annotations
from pathlib import Path

import pytest

from navalkit.core.registry import load
from navalkit.players import makers
from navalkit.players.meeting import Measured, measured
from navalkit.sim.balance import scenarios, stated

FIGURES = Path(__file__).parents[2] / "docs/figures.md"
FLEET_ACTION = tuple(name for name in scenarios("fleet-action") if name != "build_your_own")
ON_PATROL = scenarios("on-patrol")


def even(figures: Measured) -> bool:
    """Whether a battle between equals is fair, lasts, and is not decided by one blow."""
    fair = figures.games >= 60 and 0.4 <= figures.share <= 0.6
    return fair and figures.length[0] >= 6 and figures.one_blow <= 0.25


def told(game: str, name: str) -> Measured:
    found = measured(game, name)
    assert found and found.captain in makers(load(game))
    return found


@pytest.mark.parametrize("name", FLEET_ACTION)
def test_a_battle_between_equals_is_even_long_and_not_one_blow(name: str) -> None:
    figures = told("fleet-action", name)
    assert figures.unit == "moves" and figures.decided and len(figures.sides) == len(figures.length) == 2
    assert even(figures)


@pytest.mark.parametrize("name", ON_PATROL)
def test_a_hunt_can_be_won(name: str) -> None:
    figures = told("on-patrol", name)
    assert figures.share >= 0.2 and not figures.sides
    if name == load("on-patrol").options["scenario"]:
        assert 0.45 <= figures.share <= 0.65


@pytest.mark.parametrize("game", ["fleet-action", "on-patrol"])
def test_readme_says_what_the_files_say(game: str) -> None:
    _, _, *rows = stated(game).splitlines()  # under a head and a rule
    assert rows and "\n".join(rows) in FIGURES.read_text(encoding="utf-8")
