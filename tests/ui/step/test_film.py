"""The stepper's films: what moved between two moments, whatever the window, and nothing where nothing did."""

from __future__ import annotations

import pytest

from navalkit.ui.step import hunts
from navalkit.ui.step.model import StepModel
from navalkit.ui.step.scene import Camera, Shown, board, led_here
from navalkit.ui.step.told.telling import WHAT_IF
from navalkit.view.effect import LONGEST


@pytest.fixture
def model():
    made = StepModel(hunts.hunt(*hunts.FIRST))
    made.go(1 + next(n for n, moment in enumerate(made.row) if moment.who))
    return made


def shown(model, camera=None):
    view = (camera or Camera()).view(model)
    return Shown(model.show, model.at, view, board(model, view))


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
    other = StepModel(hunts.position("mode-1"))
    assert led_here(other, now, shown(other)) is None
    before = now._replace(at=now.at - 1)
    assert led_here(model, before, now) is not None
    model.mode = WHAT_IF
    assert led_here(model, before, now) is None


def test_a_window_that_was_moved_moves_no_ship(model):
    camera = Camera()
    before = shown(model, camera)
    camera.move(model, 0.2, 0.1)
    made = led_here(model, before._replace(at=before.at - 1), shown(model, camera))
    old, new = (model.row[n].state for n in (before.at - 1, before.at))
    still = {v.id for v in new.vessels if old.vessel(v.id).place == v.place}
    assert still and before.view != camera.view(model)
    assert not still & {each.after.id for each in made.goings if each.after and len(set(each.way)) > 1}


@pytest.mark.parametrize("unit", ["escort", "phase", "turn"])
def test_what_happened_on_the_way_is_played_and_on_the_way_back_is_not(model, unit):
    """Searches ping and charges splash, in the time of a turn; a step over several turns only moves the ships."""
    model.unit, seen, camera = unit, set(), Camera()
    model.go(0)
    before = shown(model, camera)
    while not model.at_end:
        model.forward()
        now = shown(model, camera)
        made = led_here(model, before, now)
        way = model.row[before.at + 1 : now.at + 1] if model.row[now.at].turn <= model.row[before.at].turn + 1 else ()
        kinds = {event.kind for moment in way for event in moment.events}
        marks = {mark.kind for mark in made.marks} if made else set()
        assert ("ping" in marks) == bool(kinds & {"search_found", "search_missed"}), (now.at, kinds)
        assert "splash" in marks or "attacks" not in kinds
        assert made is None or made.ms <= LONGEST
        back = led_here(model, now, before)
        assert back is None or not back.marks
        seen |= marks
        before = now
    assert seen >= {"ping", "splash"}
