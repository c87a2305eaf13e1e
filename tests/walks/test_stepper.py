"""The stepper without a widget, with On Patrol's escorts: stepping, telling by rule, predicting, supposing, links."""

from __future__ import annotations
from urllib.parse import parse_qs

import pytest

from navalkit.core.errors import DataError, NotationError, OptionError
from navalkit.games.on_patrol.board.camera import CLOSEST, SeaCamera, matters, wakes
from navalkit.games.on_patrol.board.overlay import LAYERS
from navalkit.games.on_patrol.escort import whatif
from navalkit.games.on_patrol.escort.automaton import decide
from navalkit.games.on_patrol.sea.state import MarkerKind
from navalkit.games.on_patrol.sea.tables import TABLES
from navalkit.games.on_patrol.walk import SAY, WALK, fired
from navalkit.grids.hex import Hex
from navalkit.testing import refused
from navalkit.view.painters import svg
from navalkit.view.scene import hit
from navalkit.walks import shows
from navalkit.walks.shows import Item, Kind
from navalkit.walks.stepper import CLASS, EXPLAIN, ME, PREDICT, RULE, WHAT_IF, Stepper
from navalkit.walks.walk import WORDS

UNITS = (RULE, *WALK.units)


TARGET, MODE = (whatif.WHY(f"whatif.field.{key}") for key in ("target", "mode"))


def position(name):
    return shows.position("on-patrol", name)


def hunt(name, seed):
    return shows.finish(shows.from_query("on-patrol", f"?scenario={name}&seed={seed}")).show


def board(stepper, camera):
    return stepper.walk.scene(stepper.sight, camera)



@pytest.fixture
def model():
    return Stepper(position("mode-3"))


@pytest.fixture
def hunting():
    return Stepper(hunt("hunter-group", 1))


# Stepping ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit != RULE])
def test_next_goes_through_all_stops_of_the_unit_and_back_the_same_way(hunting, unit):
    hunting.step_by(unit)
    way = [hunting.at]
    while not hunting.at_end:
        hunting.forward()
        way.append(hunting.at)
    assert tuple(way) == hunting.show.stops(unit)
    for at in reversed(way[:-1]):
        hunting.back()
        assert hunting.at == at
    assert hunting.at_start
    hunting.back()
    assert hunting.at == 0


def test_by_rule_one_line_is_told_at_a_time_each_with_its_evidence(model):
    model.step_by(RULE)
    told = model.decided.lines
    assert model.decided.decision == decide(model.state, "E1")
    assert model.lines == () and model.untold == len(told) and not model.lit_cells
    for n, line in enumerate(told, 1):
        model.forward()
        assert model.lines == told[:n] and model.lit == n - 1
        assert model.lit_cells == line.cells
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
    assert {layer for layer in LAYERS if WALK.topics(layer)} | {"path"} == set(LAYERS)


def test_every_line_says_something_and_all_findings_have_evidence_or_a_figure(model):
    for id in ("mode-3", "the-attack", "merchant-ahead", "mode-6", "back-to-station"):
        model.open_item(Item(Kind.POSITION, id))
        kinds = [line.kind for line in model.lines]
        assert kinds == sorted(kinds, key=["finding", "rejected", "move"].index) and kinds[-1] == "move"
        assert all(line.ask and line.text for line in model.lines)
        assert all(line.cells for line in model.lines if line.topic in ("target", "vector", "steer", "avoid"))
        assert all(part.cells and part.ask and part.text for line in model.lines for part in line.parts)


def test_a_line_lights_up_and_goes_out(model):
    model.light(1)
    assert model.lit_cells == ("R33",)
    model.light(1)
    assert model.lit_cells == ()


def test_layers_are_switched_and_unknown_ones_refused(model):
    assert "radials" in model.shown_layers and "sonar reach" not in model.shown_layers
    model.switch("radials")
    model.switch("sonar reach")
    assert "radials" not in model.shown_layers and "sonar reach" in model.shown_layers
    wrong = {"layer": (model.switch, "ice"), "unit": (model.step_by, "year"), "mode": (model.use, "sing"),
             "change": (model.suppose, "rain")}  # fmt: skip
    for what, (call, asked) in wrong.items():
        with refused(OptionError, WORDS, f"unknown.{what}", asked=repr(asked)):
            call(asked)


def test_a_click_on_an_escort_shows_what_she_would_do(model):
    model.point("A24")
    assert model.who == "E2" and model.decided.decision == decide(model.state, "E2")
    model.point("A2")
    assert model.who == "E1"
    model.point("I20")
    ship = model.state.vessel("M1")
    assert model.said == SAY("merchant", ship="M1", type=TABLES.vessels[ship.type].name) and model.who == "E1"


def test_the_ways_of_this_turn_are_drawn(model):
    model.last()
    assert [way[0] for way in wakes(model.sight)] == [
        position("mode-3").row[i].state.vessel(f"E{i + 1}").place for i in (1, 0)
    ]
    assert all(way[-1] == model.state.vessel(f"E{2 - n}").place for n, way in enumerate(wakes(model.sight)))


# Predicting --------------------------------------------------------------------------------------------------------


def test_a_prediction_hides_the_decision_until_it_is_made_and_is_scored(model):
    model.use(PREDICT)
    assert model.asked and model.lines == () and model.shown_layers == frozenset()
    end = decide(model.state, "E1").path[-1].place.bow
    assert end.label in {choice.id for choice in model.asking.question.choices}
    letters = model.sight.letters
    assert end.label in letters.values() and len(set(letters.values())) >= 4
    with refused(OptionError, WORDS, "predict.unanswered"):
        model.confirm()
    for wrong in (3, 2):  # chosen, and chosen anew
        model.point(str(end.step(1, wrong)))
    assert model.asked and not model.lines
    model.confirm()
    wrong = str(end.step(1, 2))
    assert not model.asked and model.guess.off(WALK, wrong) == 2 and model.asking.score(WALK) == (0, 1)
    assert model.said == SAY("predict.off", off=2, ends=end.label)
    assert model.lines and model.shown_layers
    model.forward()
    assert model.asked and model.who == "E2"
    model.point(str(decide(model.state, "E2").path[-1].place.bow))
    model.confirm()
    assert model.asking.score(WALK) == (1, 2) and model.said == SAY("predict.hit", ends=model.guess.result.right[0])
    model.back()
    assert not model.asked and model.guess.votes[wrong] == 1  # it is not asked twice
    model.use(EXPLAIN)
    assert model.lines


def test_next_never_goes_past_a_question(model):
    """It closes one that is answered; one that is not, only when it is pressed twice."""
    model.use(PREDICT)
    model.point("M29")
    model.forward()
    assert not model.asked and model.at == 0 and model.guess.votes.total() == 1
    model.forward()
    asked = model.at
    assert model.asked and asked > 0
    with refused(OptionError, WORDS, "predict.unanswered"):
        model.forward()
    assert model.asked and model.at == asked
    model.forward()
    assert not model.asked and model.at == asked and not model.guess.votes
    assert model.result == model.guess.result.text and model.asking.score(WALK)[1] == 1


def test_another_hunt_begins_a_new_score(model):
    model.use(PREDICT)
    model.point("M29")
    model.confirm()
    assert model.asking.score(WALK) == (1, 1)
    model.open_item(Item(Kind.POSITION, "mode-4"))
    assert model.asking.score(WALK) == (0, 0) and model.asked


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
    assert question.text == SAY("ask.where", who="E1") and "step=0" in question.key
    end = decide(model.state, "E1").path[-1].place.bow
    wrong = next(each.id for each in question.choices if each.id != end.label)
    room.given = {"Ada": end.label, "Bo": wrong, "Cy": end.label}
    changed = []
    model.changed = lambda: changed.append(1)
    room.changed()
    assert changed and not model.sight.votes  # who sees the others' answers copies them
    model.point("A2")
    assert model.said == WORDS("predict.room") and model.asked
    model.confirm()
    assert room.closed == 1 and model.asking.score(WALK) == (2, 3) and model.guess.votes[end.label] == 2
    assert model.said == SAY("predict.class", right=2, of=3, ends=end.label) and model.lines
    model.forward()
    assert len(room.asked) == 2 and room.asked[1].key != question.key
    model.answer_by(None)
    model.point("A24")
    assert list(model.sight.votes) == ["A24"]


def test_the_class_sees_nothing_before_it_is_told(model):
    model.look_as(CLASS)
    assert model.lines == () and model.shown_layers == frozenset() and model.untold == len(model.all_lines)
    model.forward()
    assert len(model.lines) == 1 and model.lit == 0
    model.look_as(ME)
    model.look_as(CLASS)
    assert len(model.lines) == 1  # what was told stays told
    with refused(OptionError, WORDS, "unknown.eyes", asked="'them'"):
        model.look_as("them")


# What if -----------------------------------------------------------------------------------------------------------


def test_what_if_a_marker_is_lifted_by_one_click_and_put_down_by_another(model):
    real = model.moment.state
    model.use(WHAT_IF)
    model.point("Q33")
    assert model.supposed.piece == ("marker", "S1") and not model.supposed.anything
    model.point("K36")
    assert model.supposed.piece is None and model.state.markers[0].place.bow == Hex.parse("K36")
    rows = {row.field: row for row in model.differences}
    assert rows[TARGET].changed and rows[TARGET].before == "R33" and not rows[MODE].changed
    assert model.moment.state == real and model.before.decision == decide(real, "E1")
    model.reset()
    assert model.state == real and model.differences == ()


def test_what_if_an_escort_is_dragged_over_the_sea_but_not_onto_a_ship(model):
    model.use(WHAT_IF)
    model.point("M26")
    for label in ("L25", "J22", "I20", "G20"):  # over the freighter M1 she does not follow
        model.drag(label)
    assert model.state.vessel("E1").place.bow == Hex.parse("G20")
    with pytest.raises(OptionError):
        model.point("W40")  # the drag has put her down already
    assert model.state.vessel("E1").place.bow == Hex.parse("G20")


def test_what_if_a_click_on_open_sea_says_what_can_be_lifted(model):
    model.use(WHAT_IF)
    with refused(OptionError, whatif.WHY, "whatif.no_escort_no", h=Hex.parse("A2")):
        model.point("A2")
    with pytest.raises(NotationError):
        model.point("nowhere")


def test_what_if_pieces_turn_and_modes_change(model):
    model.use(WHAT_IF)
    model.suppose("starboard")
    assert model.state.vessel("E1").place.direction == 4
    for mode, kind in whatif.KINDS.items():
        model.suppose(f"mode {mode}")
        assert model.decided.decision.mode == mode
        assert [m.kind for m in model.state.markers] == [kind] * (kind is not None)
    model.suppose("mode 3")
    assert model.state.markers[0].kind is MarkerKind.CONTACT
    model.forward()
    assert not model.supposed.anything and model.differences == ()


# Links -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "item", [Item(Kind.POSITION, "the-attack"), Item(Kind.START, "scenario=hunter-group"), Item(Kind.FILE)]
)
@pytest.mark.parametrize("unit", UNITS)
def test_a_link_leads_to_the_very_step(item, unit):
    shown = hunt("hunter-group", 1)
    model = Stepper(shows.saved("on-patrol", shown.match) if item.kind is Kind.FILE else shown)
    if item.kind == Kind.POSITION:
        model.open_item(item)
    model.step_by(unit)
    for _ in range(9):
        model.forward()
    there = Stepper(position("mode-1"))
    assert there.open_query(model.link)
    assert (there.at, there.unit, there.told, there.lit) == (model.at, model.unit, model.told, model.lit)
    assert there.state == model.state and there.lines == model.lines
    assert parse_qs(model.link[1:])["step"] == [str(model.at)]


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
    now = fired(model.row, model.at, model.decided.decision)
    assert now.action == {"contact"} and now.fleet == ("slow 1", 3)
    action, fleet, detection, depth = model.tables
    assert len(action.rows) == len(TABLES.action_rows) and len(action.fired) == 1
    row, column = fleet.cell
    assert fleet.rows[row][column] == "1" and fleet.fired == {row}
    assert len(detection.rows) == 6 and len(depth.rows) == 4
    assert all(table.origin == SAY("origin.seed") for table in model.tables)


def test_two_markers_fire_the_row_of_two_as_well(model):
    model.open_item(Item(Kind.POSITION, "two-boats"))
    assert fired(model.row, 0, model.decided.decision).action == {"contact", "double"}


def test_tables_fire_as_the_hunt_goes_on():
    show = hunt("night-convoy", 2)
    detected, depths = set(), set()
    for at, moment in enumerate(show.row):
        now = fired(show.row, at, None)
        detected |= now.detection
        depths |= now.depth
        assert now.fleet[1] == moment.state.fleet.die
        for event in moment.events:
            if event.kind.startswith("depth."):
                assert len(now.depth) >= 1
    assert {"found", "missed", "end"} <= detected
    assert {"same", "miss"} <= depths


def test_the_board_shows_what_matters_and_stays_while_it_does(hunting):
    camera = SeaCamera()
    views, decided = [], 0
    for _ in range(30):
        view = camera.view(hunting.sight)
        views.append(view)
        for h in matters(hunting.sight):
            assert view.holds(h)
            decided += 1
        assert view.zoom <= CLOSEST
        hunting.forward()
    assert decided and sum(a != b for a, b in zip(views, views[1:], strict=False)) < len(views) / 2


def test_the_window_can_be_moved_by_hand_and_follows_again(model):
    camera = SeaCamera()
    first = camera.view(model.sight)
    camera.press("right", model.sight)
    moved = camera.view(model.sight)
    assert moved.centre != first.centre
    model.forward()
    assert camera.view(model.sight) == moved
    camera.press("larger", model.sight)
    assert camera.view(model.sight).zoom == moved.zoom + 1
    camera.press("all", model.sight)
    camera.press("follow", model.sight)
    assert all(map(camera.view(model.sight).holds, matters(model.sight)))
    camera.tall = True
    assert camera.view(model.sight).size[0] < first.size[0]


@pytest.mark.parametrize(("turn", "on", "off"), [("tall", True, False), ("stage", (640.0, 500.0), None)])
def test_a_screen_that_is_turned_back_shows_what_it_showed(model, turn, on, off):
    camera = SeaCamera()
    model.open_item(Item(Kind.POSITION, "mode-3"))
    model.use(WHAT_IF)
    first = camera.view(model.sight)
    for label in ("Q33", "L31"):  # with the marker elsewhere, all of it would need another window
        model.point(label)
    setattr(camera, turn, on)
    assert camera.view(model.sight).size != first.size
    setattr(camera, turn, off)
    assert camera.view(model.sight) == first


def test_every_hex_can_be_pointed_at_when_it_must_be(model):
    camera = SeaCamera()
    explained = board(model, camera)
    assert not hit(explained, 400, 500) or hit(explained, 400, 500).alt
    model.use(PREDICT)
    scene = board(model, camera)
    for cell in scene.cells[:: len(scene.cells) // 40]:
        assert hit(scene, *cell.centre).id == cell.id
    assert len(scene.cells) > 400


def test_what_is_predicted_and_supposed_stands_on_the_board(model):
    camera = SeaCamera()
    model.use(PREDICT)
    plain = svg(board(model, camera))
    model.point("O30")
    assert ">?</text>" in svg(board(model, camera)) and ">?</text>" not in plain
    with refused(OptionError, WORDS, "predict.leaving"):
        model.use(WHAT_IF)
    assert model.mode == PREDICT and model.asked
    model.use(WHAT_IF)
    before = svg(board(model, camera))
    model.suppose("mode 6")
    assert svg(board(model, camera)) != before


def test_every_phase_has_a_place(hunting):
    assert len({WALK.place(hunting.row, at) for at in range(len(hunting.row))}) > len({m.turn for m in hunting.row})
