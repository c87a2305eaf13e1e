"""Runs that are played: by the rules, the same for the same seed, in the order of history, and as measured."""

from __future__ import annotations

import pytest

from navalkit.games.on_patrol.escort.pattern import HEDGEHOG
from navalkit.games.on_patrol.odds import runs
from navalkit.games.on_patrol.rules.game import OnPatrol
from navalkit.games.on_patrol.sea.state import EscortMove, Roll
from navalkit.players.meeting import Measured, figures
from navalkit.prob.intervals import wilson
from navalkit.testing import heard
from ...sentences import PATROL_RUNS


def told(armament: runs.Armament, captain: str) -> Measured:
    return figures()[f"on-patrol/kills/{captain}/{armament.label}"]


@pytest.mark.parametrize("armament", runs.ARMAMENTS, ids=lambda armament: armament.label)
def test_a_hunt_begins_with_a_boat_in_contact(armament: runs.Armament) -> None:
    state = OnPatrol(scenario=runs.design(armament)).initial()
    assert [v.type for v in state.escorts] == [armament.ship]
    assert state.escorts[0].place.bow.distance(state.markers[0].target) == 6
    played = runs.play(armament, 3, "random", seed=2)
    assert played == runs.play(armament, 3, "random", seed=2)
    assert 0 <= played.sunk <= played.made and played.made


def test_a_run_is_what_is_dropped_in_turns_that_follow_one_another() -> None:
    game = OnPatrol(scenario=runs.design(runs.ARMAMENTS[0]))
    match = runs._hunt(game, "random", 3)
    moves = [(match.at(n).turn, ply.action) for n, ply in enumerate(match.plies) if isinstance(ply.action, EscortMove)]
    turns = sorted({turn for turn, move in moves if move.charges})
    stretches = sum(turn - 1 not in turns for turn in turns)
    every = {charge.weapon for _, move in moves for charge in move.charges}
    assert stretches and len(list(runs.runs(match, every))) == stretches
    assert sum(runs.runs(match, every)) <= sum(boat.sunk > 0 for boat in match.state.boats)


def test_a_boat_sunk_by_another_weapon_is_no_kill_of_these() -> None:
    """A frigate with Hedgehog drops charges too: kills are shared out by the weapon whose damage sank the boat."""
    hunts = [runs._hunt(OnPatrol(scenario=runs.design(runs.ARMAMENTS[2])), "random", n) for n in range(1, 25)]
    shared = [sum(sum(runs.runs(hunt, weapons)) for hunt in hunts) for weapons in ((HEDGEHOG,), runs.CHARGES)]
    by = [ply.action.task.detail[0] for hunt in hunts for n, ply in enumerate(hunt.plies)
          if isinstance(ply.action, Roll) and ply.action.task.kind == "damage" and ply.state.boats[0].sunk
          and not hunt.at(n).boats[0].sunk]  # fmt: skip
    assert shared == [by.count(HEDGEHOG), sum(weapon in runs.CHARGES for weapon in by)] and all(shared)


def test_a_report_has_a_line_for_every_armament_and_captain() -> None:
    lines = runs.report(1).split("\n")
    assert len(lines) == 1 + len(runs.ARMAMENTS) * len(runs.CAPTAINS)
    assert all(heard(line, PATROL_RUNS, "war") for line in lines[1:])


@pytest.mark.parametrize("armament", runs.ARMAMENTS, ids=lambda armament: armament.label)
@pytest.mark.parametrize("captain", runs.CAPTAINS)
def test_what_is_printed_was_measured_by_these_rules(armament: runs.Armament, captain: str) -> None:
    figure = told(armament, captain)
    low, high = wilson(figure.value, figure.made, z=4)
    below, above = runs.play(armament, 6, captain, seed=1001).interval
    assert below <= high and low <= above
    assert armament.history and f"{armament.year}" in runs.measured(armament)


@pytest.mark.slow
@pytest.mark.parametrize("armament", runs.ARMAMENTS, ids=lambda armament: armament.label)
@pytest.mark.parametrize("captain", runs.CAPTAINS)
def test_the_measured_figures_come_out_again_exactly(armament: runs.Armament, captain: str) -> None:
    figure = told(armament, captain)
    found = runs.play(armament, figure.games, captain, *figure.seeds)
    assert (round(found.share, 4), found.made) == (figure.value, figure.made)


def test_every_armament_was_measured_against_every_captain() -> None:
    kills = [each for each in figures().values() if each.kind == "kills"]
    assert kills == [told(armament, captain) for captain in runs.CAPTAINS for armament in runs.ARMAMENTS]
    assert all(each.made >= 30 and each.sample for each in kills) and set(runs.KILLS) == {each.of for each in kills}


def test_the_order_is_that_of_history() -> None:
    for captain in runs.CAPTAINS:
        shares = {each.label: told(each, captain).value for each in runs.ARMAMENTS}
        assert max(shares["corvette"], shares["destroyer"]) < shares["hedgehog"] < shares["squid"]
