"""Runs that are played: by the rules, the same for the same seed, and in the order history has."""

from __future__ import annotations

import pytest

from navalkit.games.on_patrol.odds import runs
from navalkit.games.on_patrol.rules.game import OnPatrol


@pytest.mark.parametrize("armament", runs.ARMAMENTS, ids=lambda armament: armament.label)
def test_a_run_is_one_attack_on_a_boat_in_contact(armament: runs.Armament) -> None:
    state = OnPatrol(scenario=runs.design(armament)).initial()
    assert [v.type for v in state.escorts] == [armament.ship]
    assert state.escorts[0].place.bow.distance(state.markers[0].target) == 6
    played = runs.play(armament, 12, seed=2)
    assert played == runs.play(armament, 12, seed=2)
    assert 0 < played.made <= 12 and 0 <= played.sunk <= played.made
    low, high = played.interval
    assert 0 <= low <= played.share <= high <= 1


def test_a_report_has_a_line_for_every_armament() -> None:
    lines = runs.report(5).split("\n")
    assert len(lines) == 1 + len(runs.ARMAMENTS) and all("in the war" in line for line in lines[1:])


def test_depth_charges_kill_least() -> None:
    shares = {armament.label: runs.play(armament, 40).share for armament in runs.ARMAMENTS}
    assert max(shares["corvette"], shares["destroyer"]) < min(shares["hedgehog"], shares["squid"])
