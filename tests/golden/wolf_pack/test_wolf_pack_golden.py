"""Golden games of Wolf Pack."""

from __future__ import annotations
from pathlib import Path

import navalkit as nk
from ..suite import Golden, WholeSuite

SHORT = {"transports": 3, "u_boats": 2}
LEAST = "periscope=2 torpedo=2 transport=2 sonar=2 charges=2 u-boat=2 dive=1 sweep=1 mouse=1 miss=0 water=0"
GAMES = (
    Golden("wolf_pack_wins", 1, ("W3a", "W4", "W5", "W8", "W12"), "U-boats", ("careful", "careful")),
    Golden("convoy_wins", 2, ("W3a", "W6", "W7", "W9", "W10", "W12"), "convoy", ("careful", "careful")),
    Golden("short", 1, ("W6", "W7", "W12"), "U-boats", ("greedy", "careful"), SHORT),
    Golden("least_deck", 7, ("W3a", "W3b", "W12"), "U-boats", ("random", "random"), {"deck": LEAST, **SHORT}),
    Golden("last_turn", 1, ("W12a",), "draw", ("random", "greedy"), {"turn_limit": 10}),
)


class TestGoldenGames(WholeSuite):
    game = "wolf-pack"
    folder = Path(__file__).parent
    goldens = GAMES
    # The deck's make-up, the order of play, what cannot be played and what is known leave no event.
    silent = {"W1", "W1a", "W2", "W11", "W13"}


def test_an_unfinished_record_seals_its_cards() -> None:
    match = nk.Match.new("wolf-pack", seed=9)
    assert "sealed" in match.dumps() and "draw" not in match.dumps()
    assert nk.Match.loads(match.dumps()).plies == match.plies
    assert "record" not in match.share()
