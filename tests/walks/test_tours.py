"""Guided tours of every game: the ready-made ones can be played from end to end, and one's own is read with care."""

from __future__ import annotations

import pytest

from navalkit.core.errors import DataError, NavalkitError, OptionError
from navalkit.core.registry import load, names
from navalkit.testing import refused, said
from navalkit.ui.step import panels
from navalkit.view.painters import svg
from navalkit.walks import shows
from navalkit.walks.stepper import CLASS, RULE, Stepper
from navalkit.walks.walk import WORDS, walk_of

OWN = '[[stop]]\nshow = "position=mode-3"\ntitle = "One"\nnote = "Look."\n'
TOURS = [(game, name) for game in names() for name in shows.tour_names(game)]


def position(name):
    return shows.position("on-patrol", name)


def test_every_game_has_two_tours_and_six_where_it_has_positions():
    for game in names():
        tours = [shows.find(game, name) for name in shows.tour_names(game)]
        assert len(tours) >= (6 if walk_of(load(game)).positions() else 2)
        assert all(8 <= tour.minutes <= 22 for tour in tours)


@pytest.mark.parametrize(("game", "name"), TOURS)
def test_a_ready_made_tour_can_be_played(game, name):
    """Every stop is opened, asked where it asks, told to its last line, and drawn."""
    tour = shows.find(game, name)
    assert list(shows.faults(game, tour)) == []
    assert tour.about and all(stop.note.endswith((".", "?")) and len(stop.title) < 60 for stop in tour.stops)
    stepper = Stepper(shows.blank(game), sees=CLASS)
    stepper.take(tour)
    camera, seen, asked = stepper.walk.camera(), [0], 0
    camera.fill(966, 744)
    for _ in range(400):
        if stepper.stop != seen[-1]:
            seen.append(stepper.stop)
        assert stepper.unit == RULE and svg(stepper.walk.scene(stepper.sight, camera))
        if stepper.asked:
            stepper.answer(stepper.asking.question.choices[0].id)
            stepper.confirm()
            assert stepper.guess.votes.total() == 1
            asked += 1
        if stepper.at_end or (stepper.stop == len(tour.stops) - 1 and not stepper.untold):
            break
        stepper.forward()
    assert seen == list(range(len(tour.stops))) and asked == sum(stop.predict for stop in tour.stops)


def test_what_came_of_a_decision_belongs_to_its_stop():
    """`steps` moments are gone through before the next stop, and nothing is asked or told there."""
    tour = shows.find("wolf-pack", "three-in-a-row")
    number, stop = next((n, stop) for n, stop in enumerate(tour.stops) if stop.steps > 1)
    stepper = Stepper(shows.blank("wolf-pack"), sees=CLASS)
    stepper.take(tour, number)
    there = stepper.at
    stepper.confirm(nobody=True)
    while stepper.untold:
        stepper.forward()
    for n in range(1, stop.steps + 1):
        stepper.forward()
        assert (stepper.at, stepper.stop) == (there + n, number) and stepper.at_stop and stepper.stepping_on
        assert not (stepper.asked or stepper.lines or stepper.untold or stepper.who or stepper.thinking)
    stepper.forward()
    assert stepper.stop == number + 1
    stepper.go_on(-1)
    assert stepper.at == there


def test_who_leaves_a_stop_steps_freely_and_finds_the_way_back():
    stepper = Stepper(shows.blank("wolf-pack"))
    tour = shows.find("wolf-pack", "what-do-they-hold")
    stepper.take(tour, 1)
    there = stepper.at
    assert stepper.at_stop and not stepper.stepping_on
    stepper.use("explain")
    stepper.step_by("decision")
    stepper.go(there + 1)
    stepper.forward()
    assert not stepper.at_stop and stepper.stop == 1 and stepper.at > there + 1
    stepper.go_on(-1)
    assert (stepper.stop, stepper.at) == (1, there)
    stepper.go(there - 3)
    stepper.back()
    assert stepper.stop == 1 and stepper.at < there - 3
    stepper.go_on(1)
    assert stepper.stop == 2


def test_a_tour_ends_with_its_last_stop():
    stepper = Stepper(shows.blank("wolf-pack"))
    tour = shows.find("wolf-pack", "what-do-they-hold")
    stepper.take(tour, len(tour.stops) - 1)
    assert stepper.last_stop and not stepper.at_end
    stepper.confirm(nobody=True)
    while stepper.untold:
        stepper.forward()
    at = stepper.at
    assert stepper.at_end
    stepper.forward()
    assert (stepper.at, stepper.stop) == (at, len(tour.stops) - 1) and not stepper.untold


def test_a_note_that_may_tell_the_answer_waits_for_the_vote():
    stepper = Stepper(shows.blank("wolf-pack"))
    stepper.take(shows.find("wolf-pack", "three-in-a-row"), 0)
    note = stepper.here.note[:30]
    assert note not in panels.stop(stepper) and note in panels.stop(stepper, mine=True)
    stepper.confirm(nobody=True)
    assert stepper.untold and note not in panels.stop(stepper)
    while stepper.untold:
        stepper.forward()
    assert note in panels.stop(stepper)


def test_what_is_worth_as_much_is_a_right_prediction():
    stepper = Stepper(shows.blank("wolf-pack"))
    stepper.take(shows.find("wolf-pack", "three-in-a-row"), 0)
    told = stepper.before
    values = {told.walk.answer(told.game, each.action): each.value for each in told.decision.options}
    equal = {answer for answer, value in values.items() if value == values[told.right]}
    assert set(told.as_good) == equal and len(equal) > 1
    other = next(answer for answer in told.as_good if answer != told.right)
    stepper.answer(other)
    stepper.confirm()
    assert stepper.asking.score(stepper.walk) == (1, 1)
    said(stepper.guess.result.text, WORDS, "told.equal", n=len(equal) - 1)


def test_no_reason_of_an_admiral_lights_where_the_ship_will_go():
    stepper = Stepper(shows.blank("fleet-action"))
    stepper.take(shows.find("fleet-action", "out-of-reach"), 0)
    *reasons, order = stepper.truth
    assert order.cells and not any(set(order.cells) & set(line.cells) for line in reasons if line.kind == "finding")


def test_a_tour_is_written_as_it_was_read():
    for game, name in TOURS:
        tour = shows.find(game, name)
        assert shows.loads(tour.dumps()).stops == tour.stops


def test_a_tour_of_ones_own_says_of_which_game_it_is_and_no_other_takes_it():
    made = Stepper(shows.blank("wolf-pack"))
    made.open_query("?seed=1&step=12&by=decision")
    made.add_stop("Two must go", "", 2, made.walk.asks[0])
    made.name_draft("Cards")
    file = made.draft.dumps().encode()
    assert shows.loads(file.decode()).game == "wolf-pack"
    other = Stepper(position("mode-1"))
    with refused(OptionError, WORDS, "tour.other"):
        other.open_file(file)
    assert other.tour is None
    again = Stepper(shows.blank("wolf-pack"))
    again.open_file(file)
    assert again.tour is not None and again.tour.stops == made.draft.stops
    with refused(DataError, WORDS, "tour.asks-nothing"):  # as one written by hand, which does not say so
        other.open_file(file.replace(b'game = "wolf-pack"', b""))


@pytest.mark.parametrize(("game", "name"), TOURS)
def test_stops_of_a_match_are_where_they_say(game, name):
    for stop in shows.find(game, name).stops:
        show, at = stop.find(game)
        kind, *more = stop.at.split() or ("",)
        if stop.predict:
            assert show.askable(at)
        if kind in show.walk.keys and "decision" not in more:
            assert kind in show.row[at].keys
        if kind == "decision" or "decision" in more:
            assert show.row[at].who


def test_a_link_to_a_tour_leads_to_its_stop_and_line():
    model = Stepper(position("mode-1"))
    model.take(shows.find("on-patrol", "the-ring"), 2)
    model.use("explain")
    model.forward()
    model.forward()
    there = Stepper(position("mode-1"))
    assert there.open_query(model.link.replace("&by=rule", "")) and "tour=the-ring&stop=2&line=2" in model.link
    assert (there.stop, there.told, there.state) == (2, 0, model.state)  # at this stop the class is asked first
    model.take(shows.find("on-patrol", "the-ring"), 1)
    model.forward()
    assert there.open_query(model.link) and (there.stop, there.told) == (1, 1)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("title = 3 3", "fields.toml"),
        ('title = "x"', "fields.must"),
        (OWN.replace("note", "notes"), "fields.must"),
        (OWN + '[[stop]]\nshow = "position=mode-3"\ntitle = "Two"\n', "fields.must"),
        (OWN + "minutes = 'two'", "fields.must"),
        ("x" * 70_000, "tour.long"),
    ],
)
def test_what_is_wrong_with_a_tour_is_said(text, key):
    with pytest.raises(DataError) as refused:
        shows.loads(text)
    assert refused.value.key == key


@pytest.mark.parametrize(
    ("show", "at"),
    [
        ("position=atlantis", ""),
        ("nothing", ""),
        ("scenario=hunter-group&seed=1", "contact 99"),
        ("scenario=hunter-group&seed=1", "tea"),
        ("scenario=hunter-group&seed=1", "loss 0"),
    ],
)
def test_a_stop_that_cannot_be_shown_is_named(show, at):
    tour = shows.loads(OWN.replace("position=mode-3", show) + f'at = "{at}"')
    with pytest.raises(NavalkitError) as refused:
        tour.stops[0].find("on-patrol")
    assert list(shows.faults("on-patrol", tour)) == [WORDS("tour.fault", n=1, why=refused.value)]


def test_a_wrong_link_to_a_tour_is_refused():
    for query in ("?tour=nowhere", "?tour=~abc", "?tour=~!!"):
        with pytest.raises(DataError):
            shows.tour_of("on-patrol", query)
    assert shows.tour_of("on-patrol", "?position=mode-3") is None


def test_the_next_stop_is_not_gone_to_past_an_open_question():
    stepper = Stepper(shows.blank("wolf-pack"), sees=CLASS)
    stepper.take(shows.find("wolf-pack", "what-do-they-hold"), 1)
    assert stepper.asked
    with refused(OptionError, WORDS, "predict.leaving"):
        stepper.go_on(1)
    assert stepper.asked and stepper.stop == 1
    stepper.go_on(1)
    assert stepper.stop == 2
