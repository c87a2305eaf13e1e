"""What must hold whatever is played: captains through all scenarios, and the conformance suite."""

from __future__ import annotations
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.match import Ply
from navalkit.games.on_patrol.combat.damage import as_escorts_see, visible
from navalkit.games.on_patrol.escort.automaton import decide
from navalkit.games.on_patrol.escort.pattern import IN_SIGHT
from navalkit.games.on_patrol.rules.game import OnPatrol
from navalkit.games.on_patrol.sea.scenario import names
from navalkit.games.on_patrol.sea.state import (
    CAPTAIN,
    ESCORTS,
    Cause,
    EscortMove,
    Marker,
    MarkerKind,
    Order,
    Phase,
    Score,
    State,
)
from navalkit.games.on_patrol.sea.tables import TABLES, fleet_speed, on_station
from navalkit.grids.hex_moves import Place, why_not_path
from navalkit.testing import check_game

PACKAGES = ("", "basic", "optional", "advanced")


class Walk(NamedTuple):
    """A scenario, its package and who commands."""

    name: str
    package: str = ""
    captain: str = "random"


WALKS = [Walk(name, package) for n, name in enumerate(names()) for package in ("", PACKAGES[n % 4])]
WALKS += [Walk(name, captain="skipper") for name in ("hunter-group", "small-convoy", "wolf-pack")]


@lru_cache
def walk(which: Walk) -> nk.Match:
    """A whole match. The random captain fires in one order of four at most."""
    rng = np.random.default_rng([WALKS.index(which), 1])
    game = OnPatrol(scenario=which.name, package=which.package)
    captain = nk.player(which.captain, game)
    match = nk.Match.new(game, seed=int(rng.integers(10**6)))
    while not match.over:
        legal = match.legal()
        fires = which.captain != "random" or rng.random() < 0.25
        some = legal if fires else [order for order in legal if not order.shots]
        match.play(captain.decide(match.observe(), some, rng).action)
    return match


def steps(match: nk.Match) -> Iterator[tuple[State, Ply]]:
    """Each ply with the state before it."""
    for number, ply in enumerate(match.plies):
        yield match.at(number), ply


every_walk = pytest.mark.parametrize("which", WALKS, ids=lambda which: " ".join(filter(None, which)))


@every_walk
def test_no_two_ships_lie_in_one_hex(which: Walk) -> None:
    for ply in walk(which).plies:
        hexes = Counter(h for vessel in ply.state.vessels for h in vessel.place.hexes)
        assert all(n == 1 for n in hexes.values()), ply.state


@every_walk
def test_boats_at_one_depth_lie_apart(which: Walk) -> None:
    for ply in walk(which).plies:
        hexes = Counter((boat.depth, h) for boat in ply.state.boats if boat.active for h in boat.place.hexes)
        assert all(n == 1 for n in hexes.values()), ply.state


@every_walk
def test_nobody_makes_an_illegal_turn_or_leap_of_speed(which: Walk) -> None:
    for state, ply in steps(walk(which)):
        if isinstance(ply.action, EscortMove):
            ship = state.vessel(ply.action.escort)
            assert why_not_path(ship.place, ply.action.path) is None
            if state.phase is Phase.ESCORTS:
                top = TABLES.vessels[ship.type].speed
                if state.marker(ship.hunt.boat) is None:  # 104.2.3: back to her station
                    top = max(top, fleet_speed(state) + 1)
                assert len(ply.action.path) <= min(ship.speed + 2, top)
        elif isinstance(ply.action, Order):
            boat = state.boat(ply.action.boat)
            assert why_not_path(boat.place, ply.action.path(boat.place)) is None
            after = ply.state.boat(boat.id)
            assert abs(after.depth - boat.depth) <= 50


@every_walk
def test_a_boat_has_one_marker_at_most_and_only_in_play(which: Walk) -> None:
    for ply in walk(which).plies:
        marked = [marker.boat for marker in ply.state.markers]
        assert marked == sorted(set(marked))
        assert set(marked) <= {boat.id for boat in ply.state.boats if boat.active}


@every_walk
def test_a_boat_in_sight_is_marked_where_she_lies_when_she_is_to_move(which: Walk) -> None:
    match = walk(which)
    for state, ply in steps(match):
        if ply.by == CAPTAIN and state.phase is Phase.BOATS:
            for boat in state.boats:
                marker = state.marker(boat.id)
                if visible(state, boat, match.game.sea):
                    kind = MarkerKind.VISIBLE if boat.depth else MarkerKind.SURFACED
                    assert marker._replace(by=()) == Marker(boat.id, kind, boat.place, Cause.SEEN)
                else:
                    assert marker is None or marker.kind not in IN_SIGHT


@every_walk
def test_escorts_keep_their_stations_until_something_is_found(which: Walk) -> None:
    """And a ship that lies in the way, or a fleet in flight, is the only thing that keeps them from it."""
    for ply in walk(which).plies:
        state = ply.state
        if state.markers or any(v.stopped or v.sunk or v.held or v.hits for v in state.vessels):
            break
        assert all(on_station(state, v) for v in state.escorts)


@every_walk
def test_weapons_go_into_the_assault_zone_of_radial_movement_alone(which: Walk) -> None:
    for state, ply in steps(walk(which)):
        if isinstance(ply.action, EscortMove) and ply.action.charges:
            marker = state.marker(state.vessel(ply.action.escort).hunt.boat)
            assert marker is not None
            assert {charge.at for charge in ply.action.charges} <= set(marker.target.disc(2))
            assert state.phase is Phase.END or TABLES.actions[marker.kind].movement == "radial"
            ships = {h for v in state.vessels if v.id != ply.action.escort for h in v.place.hexes}
            assert not any(c.weapon in ("hedgehog", "squid") and c.at in ships for c in ply.action.charges)


@every_walk
def test_escorts_that_hunt_hunt_boats_that_are_marked(which: Walk) -> None:
    for state, ply in steps(walk(which)):
        if ply.by == ESCORTS and state.phase is Phase.ESCORTS:
            hunted = {v.hunt.boat for v in state.escorts} - {""}
            assert hunted <= {boat.id for boat in state.boats}
            active = {v.id for v in state.escorts if not v.stopped and v.hunt.boat}
            assert not state.markers or active or all(v.stopped for v in state.escorts)


@every_walk
def test_torpedoes_are_counted(which: Walk) -> None:
    match = walk(which)
    loaded = [stock(match.at(n)) + match.at(n).launched for n in range(match.ply + 1)]
    assert set(loaded) == {loaded[0]}


def stock(state: State) -> int:
    return sum(sum(bool(tube.torpedo) for tube in boat.tubes) + sum(n for _, n in boat.reloads) for boat in state.boats)


@every_walk
def test_time_and_points_go_one_way(which: Walk) -> None:
    match = walk(which)
    moments = [(ply.state.turn, ply.state.phase) for ply in match.plies]
    assert moments == sorted(moments)
    last = match.state
    scored = [(score.kind, score.of) for score in last.points]
    assert len(set(scored)) == len(scored)
    assert {of for kind, of in scored if kind == "lost"} == {b.id for b in last.boats if b.sunk}
    assert all((boat.hull == 0) == bool(boat.sunk) for boat in last.boats)


@every_walk
def test_the_escorts_move_the_same_whatever_they_cannot_know(which: Walk) -> None:
    match = walk(which)
    rng = np.random.default_rng(7)
    for state, ply in steps(match):
        if ply.by != ESCORTS:
            continue
        other = unknown_changed(state, match.game, rng)
        assert match.game.legal(other) == (ply.action,)
        assert as_escorts_see(other, match.game.sea) == as_escorts_see(state, match.game.sea)
        if state.phase is Phase.ESCORTS:
            assert decide(other, ply.action.escort).explain() == decide(state, ply.action.escort).explain()


def unknown_changed(state: State, game: OnPatrol, rng: np.random.Generator) -> State:
    """Other boats where nobody sees them, and other hulls and torpedoes in those in sight."""
    for boat in state.boats:
        if not boat.active:
            continue
        hull, speed = int(rng.integers(1, 10)), int(rng.integers(3))
        changed = replace(boat, hull=hull, speed=speed, tubes=boat.tubes[:1], reloads=())
        if not visible(state, boat, game.sea):
            place = Place(boat.place.bow.step(int(rng.integers(1, 7)), int(rng.integers(30))), int(rng.integers(1, 7)))
            changed = replace(changed, place=place, depth=25 * int(rng.integers(2, 20)))
        state = state.with_boat(changed)
    return replace(state, points=(Score("sunk", "M99", 3),), launched=17)


@pytest.mark.parametrize(("name", "package"), [("hunter-group", ""), ("carrier-group", "basic")])
def test_games_conform(name: str, package: str) -> None:
    check_game(OnPatrol(scenario=name, package=package), seeds=range(1), walks=1)


def test_several_boats_conform() -> None:
    check_game(OnPatrol(scenario=SHORT), seeds=range(1), walks=1)


SHORT = """
title = "Three boats, two escorts, four turns"
date = 1943-05-01
package = "advanced"
night = true
turns = 4
points = 5
speed = "slow"
ships = ["coaster", "t2", "coaster"]
escorts = ["v-and-w", "flower"]
fuel = [2]

[[boat]]
type = "viic"
place = "AA26 5"
depth = 0

[[boat]]
type = "viic"
place = "T22 1"
depth = 25

[[boat]]
type = "ixc"
place = "X40 6"
depth = 75
marker = "contact"
"""
