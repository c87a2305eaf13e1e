"""The stepper's films: what moved between two moments, whatever the window, and nothing where nothing did."""

from __future__ import annotations
from dataclasses import replace

import pytest

from navalkit.games.on_patrol.board.camera import SeaCamera
from navalkit.view.film import LONGEST
from navalkit.walks import shows
from navalkit.walks.stepper import WHAT_IF, Stepper
from navalkit.walks.told import Shown


@pytest.fixture
def model():
    made = Stepper(shows.finish(shows.from_query("on-patrol", "")).show)
    made.go(1 + next(n for n, moment in enumerate(made.row) if moment.who))
    return made


def shown(model, camera=None):
    camera = camera or SeaCamera()
    return Shown(model.sight, camera.frame(model.sight), model.walk.scene(model.sight, camera))


def led_here(model, before, now):
    return model.walk.film(before, now, SeaCamera())


def earlier(now):
    """The same board as of the moment before."""
    return now._replace(sight=replace(now.sight, at=now.sight.at - 1))


def test_an_escort_that_moved_goes_to_her_place(model):
    ids = [moment.who for moment in model.row]
    at = next(n for n in range(1, len(ids)) if model.row[n - 1].state.vessels != model.row[n].state.vessels)
    model.go(at - 1)
    before = shown(model)
    model.go(at)
    made = led_here(model, before, shown(model))
    assert made is not None and made.ms > 0
    old, new = (model.row[n].state for n in (at - 1, at))
    moved = {v.id for v in new.vessels if old.vessel(v.id).place != v.place}
    assert moved & {each.after.id for each in made.goings if each.after and len(set(each.way)) > 1}


def test_nothing_moves_for_the_same_moment_another_hunt_or_a_what_if(model):
    now = shown(model)
    assert led_here(model, None, now) is None and led_here(model, now, now) is None
    other = Stepper(shows.position("on-patrol", "mode-1"))
    assert led_here(other, now, shown(other)) is None
    before = earlier(now)
    assert led_here(model, before, now) is not None
    model.use(WHAT_IF)
    assert led_here(model, before, shown(model)) is None


def test_a_window_that_was_moved_moves_no_ship(model):
    camera = SeaCamera()
    before = shown(model, camera)
    camera.press("right", model.sight)
    made = led_here(model, earlier(before), shown(model, camera))
    old, new = (model.row[n].state for n in (before.sight.at - 1, before.sight.at))
    still = {v.id for v in new.vessels if old.vessel(v.id).place == v.place}
    assert still and before.frame != camera.view(model.sight)
    assert not still & {each.after.id for each in made.goings if each.after and len(set(each.way)) > 1}


@pytest.mark.parametrize("unit", ["decision", "phase", "turn"])
def test_what_happened_on_the_way_is_played_and_on_the_way_back_is_not(model, unit):
    """Searches ping and charges splash, in the time of a turn; a step over several turns only moves the ships."""
    model.unit, seen, camera = unit, set(), SeaCamera()
    model.go(0)
    before = shown(model, camera)
    while not model.at_end:
        model.forward()
        now = shown(model, camera)
        made = led_here(model, before, now)
        way = model.row[before.sight.at + 1 : now.sight.at + 1]
        way = way if model.moment.turn <= before.sight.moment.turn + 1 else ()
        kinds = {event.kind for moment in way for event in moment.events}
        marks = {mark.kind for mark in made.marks} if made else set()
        assert ("ping" in marks) == bool(kinds & {"search_found", "search_missed"}), (now.sight.at, kinds)
        assert "splash" in marks or "attacks" not in kinds
        assert made is None or made.ms <= LONGEST
        back = led_here(model, now, before)
        assert back is None or not back.marks
        seen |= marks
        before = now
    assert seen >= {"ping", "splash"}
