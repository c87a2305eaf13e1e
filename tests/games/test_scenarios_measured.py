"""What each way to begin came to between machine captains, within bounds; docs/figures.md says the same."""

from __future__ import annotations

import pytest

from navalkit.core.registry import load
from navalkit.games.fleet_action import FleetAction
from navalkit.players import makers
from navalkit.players.meeting import Measured, measured
from navalkit.sim.balance import starts
from navalkit.sim.figures import PAGE, tables

FLEET_ACTION = tuple(name for name in starts("fleet-action") if name != "build_your_own")
ON_PATROL = tuple(starts("on-patrol"))


def even(figures: Measured, lasts: int = 6) -> bool:
    """Whether games between equals are fair, last that many moves at least, and are not decided by one blow."""
    fair = figures.games >= 60 and 0.4 <= figures.value <= 0.6
    return fair and figures.length[0] >= lasts and figures.one_blow <= 0.25


def told(game: str, name: str) -> Measured:
    found = measured(game, starts(game)[name])
    assert found and found.players[0] in makers(load(game))
    return found


@pytest.mark.parametrize("name", FLEET_ACTION)
def test_a_battle_between_equals_is_even_long_and_not_one_blow(name: str) -> None:
    figures = told("fleet-action", name)
    assert figures.unit == "moves" and figures.decided and len(figures.sides) == len(figures.length) == 2
    late = FleetAction(scenario=name).battle
    chapters = bool(late.boats or late.flights)  # dear to play; two boats may be driven off in five moves
    assert even(figures, 5 if chapters else 6) and figures.games >= (75 if chapters else 300)
    assert len(figures.runs) == 3 and figures.sample
    assert figures.clock is not None and figures.clock <= 0.5


@pytest.mark.parametrize("name", starts("wolf-pack"))
def test_each_start_of_wolf_pack_is_even(name: str) -> None:
    figures = told("wolf-pack", name)
    assert even(figures) and figures.games >= 450 and len(figures.runs) == 3 and figures.sample


@pytest.mark.parametrize("name", ON_PATROL)
def test_a_hunt_can_be_won(name: str) -> None:
    figures = told("on-patrol", name)
    assert figures.value >= 0.2 and not figures.sides
    if name == load("on-patrol").options["scenario"]:
        low, high = figures.interval  # a run of 60 hunts is known to 12 points or so
        assert low <= 0.65 and high >= 0.45


def test_the_page_of_figures_says_what_the_file_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert tables(text) == text and text.count("<!-- figures: ") == 8
