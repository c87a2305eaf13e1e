"""Players against each other: every seed twice, sides swapped, here or in other processes."""

from __future__ import annotations
from typing import Any

import pytest

from navalkit.core.errors import OptionError
from navalkit.players.meeting import Meeting, Scores, Sequential, strengths
from navalkit.testing import refused
from ..sentences import CORE

SHORT = Meeting("wolf-pack", "turns", "turns", {"transports": 2, "u_boats": 2})


def test_a_meeting_counts_what_its_games_say() -> None:
    both, first, second = SHORT.meet("careful", "random", 6, 5)
    forth = [SHORT.play(("careful", "random"), seed) for seed in (5, 6, 7)]
    back = [SHORT.play(("random", "careful"), seed) for seed in (5, 6, 7)]
    assert first.share == pytest.approx(sum(points for points, _ in forth) / 3) and first.games == 3
    assert second.share == pytest.approx(sum(1 - points for points, _ in back) / 3)
    assert both.share == pytest.approx((first.share + second.share) / 2) and both.games == 6
    lengths = sorted(length for _, length in forth + back)
    assert both.length == (lengths[2] + lengths[3]) / 2
    assert f"{both.share:.1%} (95 %: " in str(both) and str(both).endswith("turns, n = 6")


def test_swapping_the_players_swaps_the_share() -> None:
    one, two = (SHORT.meet(*names, 8, 1) for names in (("careful", "greedy"), ("greedy", "careful")))
    assert one[0].share == pytest.approx(1 - two[0].share) and one[1].share == pytest.approx(1 - two[2].share)


def test_other_processes_give_the_same_games() -> None:
    tuned = Meeting("wolf-pack", "turns", "turns", SHORT.options, {"ismcts": {"iterations": 20}})
    assert tuned.meet("ismcts", "greedy", 4, 3) == tuned.meet("ismcts", "greedy", 4, 3, workers=2)
    assert SHORT.even("greedy", 6, 1) == SHORT.even("greedy", 6, 1, workers=2)


def test_an_unknown_player_is_refused() -> None:
    with refused(OptionError, CORE, "players.unknown"):
        SHORT.meet("admiral", "random", 2, 1)


def test_scores_on_the_same_games_are_met_game_by_game() -> None:
    met = Scores((3.0, 1.0, 2.0, 0.0)).against(Scores((1.0, 1.0, 2.5, -4.0)))
    assert met.games == 4 and met.share == (1 + 0.5 + 0 + 1) / 4
    with pytest.raises(ValueError, match="longer"):
        Scores((1.0,)).against(Scores((1.0, 2.0)))


@pytest.mark.parametrize("game, how, arguments, key", [
    ("uss-lox", "meet", ("random", "greedy", 2, 1), "meeting.sides"),
    ("uss-lox", "even", ("random", 2, 1), "meeting.sides"),
    ("wolf-pack", "alone", ("random", 2, 1), "meeting.sides"),
    ("wolf-pack", "meet", ("random", "greedy", 0, 1), "meeting.pairs"),
    ("wolf-pack", "meet", ("random", "greedy", 3, 1), "meeting.pairs"),
    ("wolf-pack", "even", ("random", 0, 1), "meeting.games"),
    ("uss-lox", "alone", ("random", True, 1), "meeting.games"),
    ("wolf-pack", "meet", ("random", "greedy", 2, 1, 0), "arena.jobs"),
])
def test_what_cannot_be_measured_is_refused(game: str, how: str, arguments: tuple[Any, ...], key: str) -> None:
    with refused(OptionError, CORE, key):
        getattr(Meeting(game), how)(*arguments)


def test_strengths_are_those_of_a_game() -> None:
    assert strengths("task_force") == strengths("task-force") != {}
    with refused(OptionError, CORE, "registry.unknown"):
        strengths("chess")


@pytest.mark.parametrize("wrong", [("x",), (0.1, None), (0.0,), (0.1, 0.5)])
def test_a_margin_is_a_number(wrong: Any) -> None:
    with refused(OptionError, CORE, "sequential.range"):
        Sequential(*wrong)
