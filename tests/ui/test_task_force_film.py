"""The films of Task Force: a missile flies to its ship, a flight goes its way, a strike clears its squares."""

from __future__ import annotations
import random
import re

import pytest

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.games.task_force import PAGE
from navalkit.view.film import LONGEST, Mark, Travel, film
from navalkit.view.page import Glance, Look, Moment

IDS = re.compile(r"[A-J][0-9]{1,2}|AIR|CRU|D-[123]|fighter [01]|helicopter [123]")


def films(seed: int, tall: bool):
    """A game of a random captain, order by order."""
    rng, match, before = random.Random(seed), Match.new(load("task-force"), seed=seed), None
    while not match.over:
        since, legal = match.ply, match.legal()
        flights = [action for action in legal if not re.fullmatch("[A-Z][0-9]+", str(action))]
        match.play(rng.choice(flights if flights and rng.random() < 0.3 else legal))
        seen = match.game.observe(match.state, 0)
        scene = PAGE.scene(Glance(match.game, seen, 0, () if match.over else tuple(match.legal())), Look(tall=tall))
        moments = tuple(Moment(match.game.observe(ply.state, 0), ply.events) for ply in match.plies[since:])
        if before is not None:
            yield before, scene, moments, PAGE.effects(match.game, moments, Look(tall=tall), before, scene)
        before = scene


@pytest.mark.parametrize("tall", [False, True])
def test_what_was_told_is_seen_and_nothing_hidden_is_named(tall: bool) -> None:
    told: set[str] = set()
    for seed in range(3):
        for before, scene, moments, effects in films(seed, tall):
            kinds = [event.kind for moment in moments for event in moment.events]
            there, marks = {**before.pieces(), **scene.pieces()}, [each for each in effects if isinstance(each, Mark)]
            assert all(IDS.fullmatch(id) for id in there)
            assert all(each.piece in there for each in effects if isinstance(each, Travel))
            assert all(0 <= mark.x <= scene.width and 0 <= mark.y <= scene.height for mark in marks)
            assert film(before, scene, effects).ms <= LONGEST
            for event in (event for moment in moments for event in moment.events):
                if event.kind in ("missile_lost", "submarine"):  # it runs from its square to the ship that it sinks
                    run = next(mark for mark in marks if mark.kind in ("shell", "track") and mark.to)
                    ship = scene.pieces()[str(event.facts["target"])]
                    assert run.to == (ship.x, ship.y) and any(mark.kind == "sink" for mark in marks)
                if event.kind == "missile_shot":
                    assert any(mark.kind == "flash" for mark in marks)
                    assert not any(mark.kind == "sink" for mark in marks)
            told.update(kinds)
    assert {"hit", "empty", "submarine", "missile_lost", "missile_shot", "fly", "strike", "ignored"} <= told


def test_a_helicopter_flies_from_its_destroyer_over_the_squares_it_scratches() -> None:
    flown = 0
    for before, _, moments, effects in films(1, False):
        for event in (event for moment in moments for event in moment.events if event.kind == "fly"):
            id = f"helicopter {event.facts['number']}"
            way = next(each.way for each in effects if isinstance(each, Travel) and each.piece == id)
            assert way[0][:2] == (before.pieces()[id].x, before.pieces()[id].y)
            square = before.cell(str(event.facts["square"]))
            assert square is None or way[1][:2] == pytest.approx(square.centre, abs=1)
            flown += 1
    assert flown
