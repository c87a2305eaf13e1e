"""On Patrol: what makes the rules quicker changes nothing in them."""

from __future__ import annotations
from dataclasses import replace as slow

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.trace import ordered
from navalkit.games.on_patrol.escort import pattern
from navalkit.games.on_patrol.escort.automaton import decide
from navalkit.games.on_patrol.escort.positions import find
from navalkit.games.on_patrol.sea.state import Hunt, Latest, Role, State, Vessel, replace
from navalkit.games.on_patrol.sea.tables import could_enter
from navalkit.grids.hex import Hex


def test_the_latest_answer_is_kept_for_what_is_equal_and_for_nothing_else() -> None:
    asked: list[tuple[int, ...]] = []

    @Latest
    def total(of: tuple[int, ...]) -> int:
        asked.append(of)
        return sum(of)

    answers = [total((1, 2)), total(tuple([1, 2])), total((3, 2)), total((1, 2))]
    assert answers == [3, 3, 5, 3] and asked == [(1, 2), (3, 2), (1, 2)]


def test_a_quick_copy_is_the_copy() -> None:
    state = find("mode-1").state
    vessel = state.escorts[0]
    for old, changes in [(state, {"turn": 7}), (vessel, {"speed": 1}), (Hunt("S1"), {"ring": 6})]:
        assert replace(old, **changes) == slow(old, **changes)  # type: ignore[type-var]


def test_what_the_fleet_might_enter_is_worked_out_once_for_all_escorts_of_a_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Vessel] = []

    def counted(state: State, vessel: Vessel) -> dict[Hex, str]:
        asked.append(vessel)
        return could_enter(state, vessel)

    monkeypatch.setattr(pattern, "could_enter", counted)
    state = nk.Match.new(nk.load("on-patrol", scenario="night-convoy"), seed=2).state
    state = replace(state, turn=state.turn + 1, fleet=state.fleet._replace(die=9))  # a fleet nobody has asked about yet
    ships = sum(v.role is not Role.ESCORT for v in state.vessels)
    for ship in state.escorts:
        state = state.with_vessel(replace(ship, speed=ship.speed + 1, hunt=Hunt("S1")))
        pattern.hindrances(state, ship)
    assert sum(v.role is not Role.ESCORT for v in asked) == ships > 0


@pytest.mark.parametrize("scenario", ["three-boats", "hunter-group"])
def test_escorts_move_alike_with_and_without_their_reasons(scenario: str) -> None:
    match, rng = nk.Match.new(nk.load("on-patrol", scenario=scenario), seed=5), np.random.default_rng(5)
    for _ in range(12):
        if match.over:
            break
        for ship in match.state.escorts:
            quick, told = decide(match.state, ship, trace=False), decide(match.state, ship)
            assert (quick.action, quick.hunt) == (told.action, told.hunt)
        legal = match.legal()
        match.play(legal[int(rng.integers(len(legal)))])


def test_an_order_without_reasons_is_the_order_that_is_decided_and_nothing_is_listed_for_it() -> None:
    asked, listed = 0, list[int]()
    for seed in (2, 3, 4):
        match, rng = nk.Match.new(nk.load("on-patrol", scenario="small-convoy"), seed), np.random.default_rng(seed)
        skipper = nk.player("skipper", match.game)
        while not match.over and match.ply < 60:
            decided = skipper.decide(match.observe(), match.legal(), rng)
            quick = ordered(skipper, match.observe(), lambda ply=match.ply: listed.append(ply) or (), rng)
            assert quick == decided.action
            values = [option.value for option in decided.options]
            assert values == sorted(values, reverse=True)
            match.play(decided.action)
            asked += 1
    assert asked > 20 and not listed
