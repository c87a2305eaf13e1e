"""Golden games of Task Force."""

from __future__ import annotations
from pathlib import Path

from navalkit.core.match import Match
from navalkit.games.task_force import SMALL
from ..suite import Golden, WholeSuite

GAMES = (
    Golden("hunter_win", 3, ("T4b", "T4c", "T5b", "T9a"), "win", ("hunter",)),
    Golden("random_loss", 4, ("T5a", "T5c", "T6", "T7a", "T7c", "T8", "T9b"), "loss", ("random",)),
    Golden("small_again", 0, ("T2e",), "win", ("hunter",), {**SMALL, "submarines": 3}),
)


class TestGoldenGames(WholeSuite):
    game = "task-force"
    folder = Path(__file__).parent
    goldens = GAMES
    # How the fleet lies, what is hidden with it, the ranks and the map of the day leave no event.
    silent = {
        "T1a",
        "T1b",
        "T1c",
        "T1d",
        "T1e",
        "T1f",
        "T2a",
        "T2b",
        "T2c",
        "T2d",
        "T3b",
        "T4a",
        "T7b",
        "T9c",
        "T9d",
        "T10",
    }

    def test_an_unfinished_record_seals_the_map(self) -> None:
        match = Match.new("task-force", seed=9)
        assert "sealed" in match.dumps() and "fleet A" not in match.dumps()
        assert Match.loads(match.dumps()).plies == match.plies
