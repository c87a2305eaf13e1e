"""What a hunt is summed up by: its goal, the boats, or time."""

from __future__ import annotations
from dataclasses import replace

import pytest

import navalkit as nk
from navalkit.core.errors import OptionError
from navalkit.core.match import Match
from navalkit.games.on_patrol.measures import ACCOUNT
from navalkit.games.on_patrol.sea.state import Score, State
from navalkit.testing import refused
from ...sentences import PATROL_SKIPPER


class Over(Match):
    """A hunt as if it had ended so."""

    end: State

    @property
    def state(self) -> State:
        return self.end


@pytest.mark.parametrize(
    ("sunk", "hull", "decided"),
    [(20, None, "goal"), (0, None, "time"), (0, 0, "boats"), (0, 1, "damage"), (4, 0, "boats")],
)
def test_w1_what_decided_a_hunt(sunk: int, hull: int | None, decided: str) -> None:
    match = Over.new(nk.load("on-patrol", scenario="small-convoy"), seed=1)
    state = Match.new(match.game, seed=1).state
    (boat,) = state.boats
    boat = boat if hull is None else replace(boat, hull=hull, sunk=0 if hull else 17)
    match.end = replace(state, turn=17, boats=(boat,), points=(Score("sunk", "M1", sunk),) * bool(sunk))
    account = ACCOUNT(match)
    assert (account.decided, account.winner, account.length) == (decided, int(decided != "goal"), 17)
    assert account.unit == "turns" and not account.one_blow


@pytest.mark.parametrize("numbers", [{"patience": 1.5}, {"patience": -0.1}, {"care": -1.0}, {"salvo": 0}])
def test_a_skipper_out_of_range_is_refused(numbers: dict[str, float]) -> None:
    with refused(OptionError, PATROL_SKIPPER, "skipper.numbers"):
        nk.player("skipper", nk.load("on-patrol"), **numbers)
