"""The strip over the board agrees with the data of the scenario: what brings points, what is wanted, what is left."""

from __future__ import annotations
import re

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.match import Match
from navalkit.games.fleet_action.cards import points as card_points
from navalkit.games.on_patrol.board.window import way_out
from navalkit.games.on_patrol.sea.state import Role
from navalkit.games.on_patrol.sea.tables import TABLES
from navalkit.testing import heard, said
from navalkit.view.lobby import starts
from navalkit.view.page import Aims, Look, glance_at, page_of
from navalkit.view.scene import Text
from ..sentences import FLEET_PAGE, LOX, PATROL_PAGE, TASK, WOLF

SEED = 3


def begun(name: str, options: dict) -> Match:
    return Match.new(nk.load(name, **options), SEED)


def strip(match: Match, me: int = 0) -> Aims:
    aims = page_of(match.game.name).aims(glance_at(match, me))
    assert aims is not None
    return aims


def cards(name: str) -> list:
    return [pytest.param(each.options, id=each.title) for each in starts(name)]


@pytest.mark.parametrize("options", cards("fleet-action"))
@pytest.mark.parametrize("me", [0, 1])
def test_every_objective_of_a_battle_has_its_points_in_the_strip(options, me):
    match = begun("fleet-action", options)
    battle = match.game.battle
    own, other = strip(match, me).camps
    for side, camp in ((me, own), (1 - me, other)):
        wanted = [aim for aim in battle.objectives if aim.side == side]
        assert len(wanted) == 0 or camp.aims
        told = " · ".join(camp.aims)
        for aim in wanted:
            if aim.points:
                assert re.search(rf"(?<!\d){aim.points}(?!\d)", told), (aim, told)
            else:
                prices = {str(card_points(battle.card(n))) for n in aim.of}
                assert any(price in told for price in prices) or FLEET_PAGE("strip.value") in told, (aim, told)
    said(strip(match, me).left, FLEET_PAGE, "strip.move", move=1, moves=battle.moves)


@pytest.mark.parametrize("options", cards("on-patrol"))
def test_a_hunt_tells_what_ships_are_worth_when_they_are_gone_and_the_way_out(options):
    match = begun("on-patrol", options)
    sea, state = match.game.sea, match.state
    own, other = strip(match).camps
    said(own.score, PATROL_PAGE, "strip.points", goal=sea.points)
    told = " · ".join(own.aims)
    prey = [v for v in state.vessels if v.role is not Role.ESCORT]
    for vessel in prey:
        points = TABLES.vessels[vessel.type].value
        assert any(facts["points"] == str(points) for facts in heard(told, PATROL_PAGE, "strip.sink").values()) or (
            re.search(rf"(?<!\d){points}(?!\d)", told)), (vessel.id, told)
    assert bool(heard(told, PATROL_PAGE, "strip.away")) == bool(sea.away)
    for n, boat in enumerate(state.boats):
        assert str(TABLES.boats[boat.type].value) in other.aims[-len(state.boats) + n]
    hexes, course = way_out(state, sea.edges)
    bow = state.boats[0].place.bow
    assert sea.edges.outside(bow.step(course, hexes)) and not sea.edges.outside(bow.step(course, hexes - 1))
    assert not any(sea.edges.outside(bow.step(way, hexes - 1)) for way in range(1, 7)), "no way is shorter"
    said(told, PATROL_PAGE, "strip.out", hexes=hexes)
    gone = heard(" · ".join(other.aims), PATROL_PAGE, "strip.gone")
    assert bool(gone) == bool(prey)


def test_the_turns_until_the_convoy_is_gone_run_down_on_strip_and_board_to_the_last_one():
    match = begun("on-patrol", {"scenario": "lone-merchant"})
    captain, sea, seen = nk.player("skipper", match.game), match.game.sea, {}
    page, rng = page_of("on-patrol"), np.random.default_rng(1)
    while not match.over:
        if match.turn == 0:
            aims, scene = strip(match), page.scene(glance_at(match, 0), Look())
            left = sea.turns - match.state.turn + 1
            if any(not v.sunk for v in match.state.vessels):
                said(aims.camps[1].aims[0], PATROL_PAGE, "strip.gone", turns=left)
                words = [shape.text for layer in scene.layers for shape in layer.flat if isinstance(shape, Text)]
                seen[left] = seen.get(left, False) or PATROL_PAGE("sea.gone", turns=left) in words
        match.play(captain.decide(match.observe(), match.legal(), rng).action)
    assert sum(seen.values()) >= 3


@pytest.mark.parametrize("options", cards("wolf-pack"))
@pytest.mark.parametrize("me", [0, 1])
def test_wolf_packs_strip_has_both_goals_and_the_last_turn(options, me):
    match = begun("wolf-pack", options)
    aims = strip(match, me)
    for side, camp in zip((me, 1 - me), aims.camps, strict=True):
        assert camp.score == f"0/{match.game.goals[side]}"
        said(camp.aims[0], WOLF, f"strip.sink.{side}", goal=match.game.goals[side])
    said(aims.left, WOLF, "strip.turn", turns=match.game.options["turn_limit"])


@pytest.mark.parametrize("options", cards("task-force"))
def test_task_forces_strip_counts_the_squares_of_their_fleet_and_what_lies_in_wait(options):
    match = begun("task-force", options)
    own, other = strip(match).camps
    said(own.score, TASK, "strip.of", n=0, all=sum(map(len, match.state.fleet)))
    said(" · ".join(other.aims), TASK, "strip.submarines", n=len(match.state.submarines))
    said(" · ".join(other.aims), TASK, "strip.missiles", n=len(match.state.missiles))


@pytest.mark.parametrize("options", cards("uss-lox"))
def test_loxs_strip_names_the_goal_that_was_chosen_and_her_torpedoes(options):
    match = begun("uss-lox", options)
    aims = strip(match)
    goal = "home" if options.get("home") else "tonnage"
    said(aims.camps[0].aims[0], LOX, f"strip.goal.{goal}")
    assert aims.left == str(match.state.torpedoes)


def test_the_two_goals_of_lox_are_two_cards():
    offered = [each.options for each in starts("uss-lox")]
    assert {} in offered and {"home": True} in offered
