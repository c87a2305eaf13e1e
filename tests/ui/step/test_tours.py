"""Guided tours: the ready-made ones can be played from end to end, and one of a teacher's own is read with care."""

from __future__ import annotations

import pytest

from navalkit.core.errors import DataError
from navalkit.testing import refused, said
from navalkit.ui.step import hunts, tours
from navalkit.ui.step.model import StepModel
from navalkit.ui.step.scene import Camera, board
from navalkit.ui.step.told.telling import CLASS, RULE

from ...sentences import PATROL_WHY, UI_STEP

OWN = '[[stop]]\nshow = "position=mode-3"\ntitle = "One"\nnote = "Look."\n'


def test_there_are_at_least_six_of_ten_or_twenty_minutes():
    assert len(tours.names()) >= 6
    assert all(tours.find(name).minutes in (10, 20) for name in tours.names())


@pytest.mark.parametrize("name", tours.names())
def test_a_ready_made_tour_can_be_played(name):
    tour = tours.find(name)
    assert list(tours.faults(tour)) == []
    assert tour.about and all(stop.note.endswith((".", "?")) and len(stop.title) < 60 for stop in tour.stops)
    model = StepModel(hunts.position("mode-1"), sees=CLASS)
    model.take(tour)
    camera, seen = Camera(), [0]
    camera.fill(966, 744)
    for _ in range(400):
        if model.stop != seen[-1]:
            seen.append(model.stop)
        assert model.unit == RULE and board(model, camera.view(model)).layers
        if model.asked:
            model.point(next(iter(model.question.choices.values())))
            model.confirm()
            assert model.guess.votes.total() == 1
        if model.at_end or (model.stop == len(tour.stops) - 1 and not model.untold):
            break
        model.forward()
    assert seen == list(range(len(tour.stops)))


def test_stops_of_a_hunt_are_where_they_say():
    for name in tours.names():
        for stop in tours.find(name).stops:
            show, at = stop.find()
            kind = stop.at.split()[0] if stop.at else ""
            if stop.predict:
                assert show.row[at].who
            if kind not in ("", "start", "end") and "escort" not in stop.at:
                assert kind in show.row[at].keys


def test_a_link_to_a_tour_leads_to_its_stop_and_line():
    model = StepModel(hunts.position("mode-1"))
    model.take(tours.find("the-ring"), 2)
    model.use("explain")
    model.forward()
    model.forward()
    there = StepModel(hunts.position("mode-1"))
    assert there.open_query(model.link().replace("&by=rule", "")) and "tour=the-ring&stop=2&line=2" in model.link()
    assert (there.stop, there.told, there.state) == (2, 0, model.state)  # at this stop the class is asked first
    model.take(tours.find("the-ring"), 1)
    model.forward()
    assert there.open_query(model.link()) and (there.stop, there.told) == (1, 1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("title = 3 3", UI_STEP.phrase("tour.no-toml")),
        ('title = "x"', UI_STEP.phrase("tour.no-stops")),
        (OWN.replace("note", "notes"), UI_STEP.phrase("tour.field", n=1, field="'notes'")),
        (OWN + '[[stop]]\nshow = "position=mode-3"\ntitle = "Two"\n', UI_STEP.phrase("tour.lacks", n=2)),
        (OWN + "minutes = 'two'", UI_STEP.phrase("tour.field", n=1, field="'minutes'")),
        ("x" * 70_000, UI_STEP.phrase("tour.no-stops", most=60000)),
    ],
)
def test_what_is_wrong_with_a_tour_is_said(text, says):
    with refused(DataError, says):
        tours.loads(text)


@pytest.mark.parametrize(
    ("show", "at", "says"),
    [
        ("position=atlantis", "", PATROL_WHY.phrase("positions.no_position_name")),
        ("nothing", "", UI_STEP.phrase("tour.shows-nothing")),
        ("scenario=hunter-group&seed=1", "contact 99", UI_STEP.phrase("tour.no-moment", at="'contact 99'")),
        ("scenario=hunter-group&seed=1", "tea", UI_STEP.phrase("tour.no-moment", at="'tea'")),
        ("scenario=hunter-group&seed=1", "loss 0", UI_STEP.phrase("tour.no-moment", at="'loss 0'")),
    ],
)
def test_a_stop_that_cannot_be_shown_is_named(show, at, says):
    tour = tours.loads(OWN.replace("position=mode-3", show) + f'at = "{at}"')
    (fault,) = tours.faults(tour)
    said(fault, UI_STEP, "tour.fault", n=1)
    said(fault, says)


def test_a_wrong_link_to_a_tour_is_refused():
    for query in ("?tour=nowhere", "?tour=~abc", "?tour=~!!"):
        with pytest.raises(DataError):
            tours.from_query(query)
    assert tours.from_query("?position=mode-3") is None
