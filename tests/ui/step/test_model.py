"""The stepper without a widget: stepping, telling rule by rule, predicting, supposing, and links to a step."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest

from navalkit.core.errors import DataError, NotationError, OptionError
from navalkit.games.on_patrol.board.moments import stops
from navalkit.games.on_patrol.board.overlay import LAYERS
from navalkit.games.on_patrol.escort import whatif
from navalkit.games.on_patrol.escort.automaton import decide
from navalkit.games.on_patrol.sea.state import MarkerKind
from navalkit.grids.hex import Hex
from navalkit.testing import refused, said
from navalkit.ui.step import hunts
from navalkit.ui.step.hunts import Item, Kind
from navalkit.ui.step.model import StepModel
from navalkit.ui.step.scene import CLOSEST, Camera, board, matters, phase_name
from navalkit.ui.step.told import tables
from navalkit.ui.step.told.lines import TOPICS, lines
from navalkit.ui.step.told.telling import CLASS, EXPLAIN, ME, PREDICT, RULE, UNITS, WHAT_IF
from navalkit.view.hit_test import hit
from navalkit.view.painters.svg import svg

from ...sentences import PATROL_WHY, UI, UI_STEP


@pytest.fixture
def model():
    return StepModel(hunts.position("mode-3"))


@pytest.fixture
def hunting():
    return StepModel(hunts.hunt("hunter-group", 1))


# Stepping ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit != RULE])
def test_next_goes_through_all_stops_of_the_unit_and_back_the_same_way(hunting, unit):
    hunting.step_by(unit)
    way = [hunting.at]
    while not hunting.at_end:
        hunting.forward()
        way.append(hunting.at)
    assert tuple(way) == stops(hunting.row, unit)
    for at in reversed(way[:-1]):
        hunting.back()
        assert hunting.at == at
    assert hunting.at_start
    hunting.back()
    assert hunting.at == 0


def test_by_rule_one_line_is_told_at_a_time_each_with_its_evidence(model):
    model.step_by(RULE)
    told = lines(decide(model.state, "E1"))
    assert model.lines == () and model.untold == len(told) and not model.lit_hexes
    for n, line in enumerate(told, 1):
        model.forward()
        assert model.lines == told[:n] and model.lit == n - 1
        assert model.lit_hexes == line.hexes
    assert model.at == 0 and model.untold == 0
    model.forward()
    assert model.at == 1 and model.who == "E2" and model.lines == ()
    model.back()
    assert model.at == 0 and model.lines == told
    model.back()
    assert model.lines == told[:-1]


def test_by_rule_a_layer_is_drawn_once_its_rule_is_told(model):
    model.step_by(RULE)
    seen = []
    while model.untold:
        model.forward()
        seen += [layer for layer in model.shown_layers if layer not in seen]
    assert seen.index("target hex") < seen.index("radials") < seen.index("vector") < seen.index("path")
    assert model.shown_layers == model.layers
    assert set(TOPICS) | {"path"} == set(LAYERS)


def test_every_line_says_something_and_all_findings_have_evidence_or_a_figure(model):
    for id in ("mode-3", "the-attack", "merchant-ahead", "mode-6", "back-to-station"):
        model.open_item(Item(Kind.POSITION, id))
        kinds = [line.kind for line in model.lines]
        assert kinds == sorted(kinds, key=["finding", "rejected", "move"].index) and kinds[-1] == "move"
        assert all(line.ask and line.text for line in model.lines)
        assert all(line.hexes for line in model.lines if line.topic in ("target", "vector", "steer", "avoid"))
        assert all(part.hexes and part.ask and part.text for line in model.lines for part in line.parts)


def test_a_line_lights_up_and_goes_out(model):
    model.light(1)
    assert model.lit_hexes == (Hex.parse("R33"),)
    model.light(1)
    assert model.lit_hexes == ()


def test_layers_are_switched_and_unknown_ones_refused(model):
    assert "radials" in model.shown_layers and "sonar reach" not in model.shown_layers
    model.switch("radials")
    model.switch("sonar reach")
    assert "radials" not in model.shown_layers and "sonar reach" in model.shown_layers
    for call, wrong in ((model.switch, "ice"), (model.step_by, "year"), (model.use, "sing")):
        with pytest.raises(OptionError, match=wrong):
            call(wrong)


def test_a_click_on_an_escort_shows_what_she_would_do(model):
    model.point("A24")
    assert model.who == "E2" and model.decision == decide(model.state, "E2")
    model.point("A2")
    assert model.who == "E1"
    model.point("I20")
    said(model.status.text, UI_STEP, "merchant")
    assert model.who == "E1"


def test_the_ways_of_this_turn_are_drawn(model):
    model.last()
    assert [way[0] for way in model.wakes] == [
        hunts.position("mode-3").row[i].state.vessel(f"E{i + 1}").place for i in (1, 0)
    ]
    assert all(way[-1] == model.state.vessel(f"E{2 - n}").place for n, way in enumerate(model.wakes))


# Predicting --------------------------------------------------------------------------------------------------------


def test_a_prediction_hides_the_decision_until_it_is_made_and_is_scored(model):
    model.use(PREDICT)
    assert model.asked and model.lines == () and model.shown_layers == frozenset()
    end = decide(model.state, "E1").path[-1].place.bow
    assert end.label in model.question.choices.values() and len(set(model.question.choices.values())) >= 4
    with refused(OptionError, UI_STEP, "predict.unanswered"):
        model.confirm()
    for wrong in (3, 2):  # chosen, and chosen anew
        model.point(str(end.step(1, wrong)))
    assert model.asked and not model.lines
    model.confirm()
    assert not model.asked and model.guess.off == 2 and model.score == (0, 1)
    said(model.status.text, UI_STEP, "predict.off", off=2)
    assert str(end) in model.status.text
    assert model.lines and model.shown_layers
    model.forward()
    assert model.asked and model.who == "E2"
    model.point(str(decide(model.state, "E2").path[-1].place.bow))
    model.confirm()
    assert model.score == (1, 2)
    said(model.status.text, UI_STEP, "predict.hit")
    model.back()
    assert not model.asked and model.guess.off == 2  # it is not asked twice
    model.use(EXPLAIN)
    assert model.lines


def test_another_hunt_begins_a_new_score(model):
    model.use(PREDICT)
    model.point("M29")
    model.confirm()
    assert model.score == (1, 1)
    model.open_item(Item(Kind.POSITION, "mode-4"))
    assert model.score == (0, 0) and model.asked


class Room:
    """A class of five on its own screens, as far as the stepper knows it."""

    def __init__(self):
        self.asked, self.given, self.closed = [], {}, 0

    def ask(self, question, changed):
        self.asked.append(question)
        self.given, self.changed = {}, changed

    def answers(self):
        return self.given

    def close(self):
        self.closed += 1
        return self.given


def test_a_whole_class_predicts_as_one_person_does(model):
    room = Room()
    model.answer_by(room)
    assert not room.asked
    model.use(PREDICT)
    (question,) = room.asked
    assert "E1" in question.text and question.id.endswith("step=0")
    end = decide(model.state, "E1").path[-1].place.bow
    wrong = next(label for label in question.choices.values() if label != end.label)
    room.given = {"Ada": end.label, "Bo": wrong, "Cy": end.label}
    count = model.status.count
    room.changed()
    assert model.status.count == count + 1 and not model.answered  # who sees the others' answers copies them
    model.point("A2")
    said(model.status.text, UI_STEP, "predict.room")
    assert model.asked
    model.confirm()
    assert room.closed == 1 and model.score == (2, 3) and model.guess.votes[end] == 2
    said(model.status.text, UI_STEP, "predict.class", right=2, of=3)
    assert model.lines
    model.forward()
    assert len(room.asked) == 2 and room.asked[1].id != question.id
    model.answer_by(None)
    model.point("A24")
    assert model.answered


def test_the_class_sees_nothing_before_it_is_told(model):
    model.look_as(CLASS)
    assert model.lines == () and model.shown_layers == frozenset() and model.untold == len(model.all_lines)
    model.forward()
    assert len(model.lines) == 1 and model.lit == 0
    model.look_as(ME)
    model.look_as(CLASS)
    assert len(model.lines) == 1  # what was told stays told
    with pytest.raises(OptionError, match="them"):
        model.look_as("them")


# What if -----------------------------------------------------------------------------------------------------------


def test_what_if_a_marker_is_lifted_by_one_click_and_put_down_by_another(model):
    real = model.moment.state
    model.use(WHAT_IF)
    model.point("Q33")
    assert model.piece == ("marker", "S1") and model.supposed is None
    model.point("K36")
    assert model.piece is None and model.state.markers[0].place.bow == Hex.parse("K36")
    rows = {row.field.key.removeprefix("whatif.field."): row for row in model.differences}
    assert rows["target"].changed and rows["target"].before == "R33" and not rows["mode"].changed
    assert model.moment.state == real and model.before == decide(real, "E1")
    model.reset()
    assert model.state == real and model.differences == ()


def test_what_if_an_escort_is_dragged_over_the_sea_but_not_onto_a_ship(model):
    model.use(WHAT_IF)
    model.point("M26")
    for label in ("L25", "J22", "I20", "G20"):  # over the freighter M1 she does not follow
        model.drag(label)
    assert model.state.vessel("E1").place.bow == Hex.parse("G20")
    with pytest.raises(OptionError, match="W40"):
        model.point("W40")  # the drag has put her down already
    assert model.state.vessel("E1").place.bow == Hex.parse("G20")


def test_what_if_a_click_on_open_sea_says_what_can_be_lifted(model):
    model.use(WHAT_IF)
    model.guard(model.point)("A2")
    said(model.status.text, PATROL_WHY, "whatif.no_escort_no", h="A2")
    assert model.status.error
    with pytest.raises(NotationError):
        model.point("nowhere")


def test_what_if_pieces_turn_and_modes_change(model):
    model.use(WHAT_IF)
    model.turn_piece(1)
    assert model.state.vessel("E1").place.direction == 4
    for mode, kind in whatif.KINDS.items():
        model.suppose_mode(mode)
        assert model.decision.mode == mode
        assert [m.kind for m in model.state.markers] == [kind] * (kind is not None)
    model.suppose_mode(3)
    assert model.state.markers[0].kind is MarkerKind.CONTACT
    model.forward()
    assert model.supposed is None and model.differences == ()


# Links -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "item", [Item(Kind.POSITION, "the-attack"), Item(Kind.SCENARIO, "hunter-group"), Item(Kind.FILE)]
)
@pytest.mark.parametrize("unit", UNITS)
def test_a_link_leads_to_the_very_step(item, unit):
    shown = hunts.hunt("hunter-group", 1)
    model = StepModel(hunts.saved(shown.match) if item.kind == Kind.FILE else shown)
    if item.kind == Kind.POSITION:
        model.open_item(item)
    model.step_by(unit)
    for _ in range(9):
        model.forward()
    there = StepModel(hunts.position("mode-1"))
    assert there.open_query(model.link())
    assert (there.at, there.unit, there.told, there.lit) == (model.at, model.unit, model.told, model.lit)
    assert there.state == model.state and there.lines == model.lines
    assert parse_qs(model.link()[1:])["step"] == [str(model.at)]


def test_a_wrong_link_leaves_everything_as_it_was(model):
    before = model.show
    wrong = {
        "?position=atlantis": DataError,
        "?scenario=small-convoy&seed=x": OptionError,
        "?position=mode-3&line=zz": OptionError,
    }
    for query, error in wrong.items():
        with pytest.raises(error):
            model.open_query(query)
        assert model.show is before
    assert not model.open_query("") and not model.open_query("?theme=dark")
    assert model.open_query("?position=mode-3&step=99999&line=7&by=century")
    assert model.at == len(model.row) - 1


# Tables and board --------------------------------------------------------------------------------------------------


def test_the_row_that_fired_is_lit_in_the_whole_table(model):
    now = tables.fired(model.row, model.at, model.decision)
    assert now.action == {"contact"} and now.fleet == ("slow 1", 3)
    action, fleet, detection, depth = tables.tables(now)
    assert action.count("<tr") == 1 + len(tables.TABLES.action_rows) and action.count("nk-fired") == 1
    assert fleet.count("nk-cell") == 1 and "<b class=nk-cell>1</b>" in fleet
    assert detection.count("<tr") == 1 + 6 and depth.count("<tr") == 1 + 4
    assert all(UI_STEP("origin.seed") in text for text in (action, fleet, detection, depth))


def test_two_markers_fire_the_row_of_two_as_well(model):
    model.open_item(Item(Kind.POSITION, "two-boats"))
    assert tables.fired(model.row, 0, model.decision).action == {"contact", "double"}


def test_tables_fire_as_the_hunt_goes_on():
    show = hunts.hunt("night-convoy", 2)
    detected, depths = set(), set()
    for at, moment in enumerate(show.row):
        now = tables.fired(show.row, at, None)
        detected |= now.detection
        depths |= now.depth
        assert now.fleet[1] == moment.state.fleet.die
        for event in moment.events:
            if event.kind.startswith("depth."):
                assert len(now.depth) >= 1
    assert {"found", "missed", "end"} <= detected
    assert {"same", "miss"} <= depths


def test_the_board_shows_what_matters_and_stays_while_it_does(hunting):
    camera = Camera()
    views, decided = [], 0
    for _ in range(30):
        view = camera.view(hunting)
        views.append(view)
        for h in matters(hunting):
            assert view.holds(h)
            decided += 1
        assert view.zoom <= CLOSEST
        hunting.forward()
    assert decided and sum(a != b for a, b in zip(views, views[1:], strict=False)) < len(views) / 2


def test_the_window_can_be_moved_by_hand_and_follows_again(model):
    camera = Camera()
    first = camera.view(model)
    camera.move(model, 0.5, 0)
    moved = camera.view(model)
    assert moved.centre != first.centre
    model.forward()
    assert camera.view(model) == moved
    camera.zoom(model, 1)
    assert camera.view(model).zoom == moved.zoom + 1
    camera.whole(model)
    camera.follow()
    assert all(map(camera.view(model).holds, matters(model)))
    camera.tall = True
    assert camera.view(model).size[0] < first.size[0]


@pytest.mark.parametrize(("turn", "on", "off"), [("tall", True, False), ("stage", (640.0, 500.0), None)])
def test_a_screen_that_is_turned_back_shows_what_it_showed(model, turn, on, off):
    camera = Camera()
    model.open_item(Item(Kind.POSITION, "mode-3"))
    model.use(WHAT_IF)
    first = camera.view(model)
    for label in ("Q33", "L31"):  # with the marker elsewhere, all of it would need another window
        model.point(label)
    setattr(camera, turn, on)
    assert camera.view(model).size != first.size
    setattr(camera, turn, off)
    assert camera.view(model) == first


def test_every_hex_can_be_pointed_at_when_it_must_be(model):
    camera = Camera()
    explained = board(model, camera.view(model))
    assert not hit(explained, 400, 500) or hit(explained, 400, 500).alt
    model.use(PREDICT)
    scene = board(model, camera.view(model))
    for cell in scene.cells[:: len(scene.cells) // 40]:
        assert hit(scene, *cell.centre).id == cell.id
    assert len(scene.cells) > 400


def test_what_is_predicted_and_supposed_stands_on_the_board(model):
    camera = Camera()
    model.use(PREDICT)
    plain = svg(board(model, camera.view(model)))
    model.point("O30")
    assert ">?</text>" in svg(board(model, camera.view(model))) and ">?</text>" not in plain
    model.use(WHAT_IF)
    before = svg(board(model, camera.view(model)))
    model.suppose_mode(6)
    assert svg(board(model, camera.view(model))) != before


def test_every_phase_has_a_name(hunting):
    assert all(phase_name(moment.phase) for moment in hunting.row)


def test_the_boundary_says_what_was_wrong_and_raises_what_we_did_wrong_in_tests(model, monkeypatch):
    monkeypatch.delenv("NAVALKIT_RAISE", raising=False)

    def broken():
        raise ZeroDivisionError

    model.guard(broken)()
    assert model.status.error
    said(model.status.text, UI, "inside")
    monkeypatch.setenv("NAVALKIT_RAISE", "1")
    with pytest.raises(ZeroDivisionError):
        model.guard(broken)()
