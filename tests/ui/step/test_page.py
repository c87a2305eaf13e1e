"""The stepper's page without a browser: what its widgets show and send, worked by their own callbacks."""

from __future__ import annotations
import asyncio
import html
import re
from collections import OrderedDict
from contextlib import suppress
from importlib.resources import files

import pytest
from comm import DummyComm
from ipywidgets.widgets.widget import _instances

from navalkit.core.errors import DataError, OptionError
from navalkit.games.on_patrol.board.camera import FAR, SeaCamera, decisive, matters, wrecks
from navalkit.games.on_patrol.board.overlay import LAYERS
from navalkit.games.on_patrol.board.shapes import View
from navalkit.games.on_patrol.escort import positions as ready_made
from navalkit.games.on_patrol.walk import SAY, TERMS, WALK
from navalkit.testing import heard, refused, said
from navalkit.ui.step.page import StepPage, step
from navalkit.ui.step.panels import STEP
from navalkit.ui.widgets import SPEEDS
from navalkit.walks import shows
from navalkit.walks.shows import Item, Kind
from navalkit.walks.stepper import CLASS, ME, PREDICT, RULE, WHAT_IF, Stepper
from ...sentences import PATROL, PATROL_ESCORT, PATROL_WALK, PATROL_WHY, UI, UI_STEP, WALKS
from ..pages import Browser, all_of, named, words

GAME = "on-patrol"


def position(name):
    return shows.position(GAME, name)


def hunt(name, seed):
    return shows.finish(shows.from_query(GAME, f"?scenario={name}&seed={seed}")).show


@pytest.fixture(autouse=True)
def raise_what_we_did_wrong(monkeypatch):
    monkeypatch.setenv("NAVALKIT_RAISE", "1")


@pytest.fixture
def app():
    return StepPage(GAME, position("mode-3"))


@pytest.fixture
def browser(app):
    browser = Browser(app)
    browser.hello()
    return browser


def test_the_page_says_at_once_what_to_press_and_explains_the_first_move(app, browser):
    said(app.status.value, PATROL_WALK, "now.decides")
    said(app.headline.value, PATROL_ESCORT, "summary.radial", mode=3)
    assert words(app.headline.value).startswith("E1 Flower corvette")
    assert [row["rule"] for row in app.lines.rows][:3] == ["104.2.1", "105.1.3", "105.3.5"]
    assert all(row["title"] for row in app.lines.rows if row["rule"])  # the rule's own text, on hover
    assert app.bar.on.button_style == "primary" and app.bar.back.disabled


def test_next_steps_and_everything_follows(app, browser):
    before = app.headline.value, app.lines.rows, app.status.value, app.board.painter.frames, app.track.at
    app.bar.on.click()
    after = app.headline.value, app.lines.rows, app.status.value, app.board.painter.frames, app.track.at
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert app.bar.slider.value == app.track.at == 1
    app.bar.back.click()
    assert app.headline.value == before[0] and app.bar.slider.value == 0
    app.bar.end.click()
    said(app.status.value, UI_STEP, "now.end")
    assert app.bar.on.disabled
    app.bar.start.click()
    assert app.bar.start.disabled


def test_an_address_that_asks_for_an_unknown_tour_says_so_and_where_to_choose():
    app = StepPage("wolf-pack", query="?game=wolf-pack&tour=nope")
    said(app.status.value, WALKS, "tour.unknown")
    said(app.status.value, UI_STEP, "now.choose")


def test_the_last_stop_of_a_tour_says_that_it_is_the_last():
    app = StepPage("wolf-pack", query="?game=wolf-pack&tour=three-in-a-row&stop=99&view=class")
    stepper = app.stepper
    assert stepper.last_stop
    while not stepper.at_end:
        with suppress(OptionError):  # an open question wants a second press
            stepper.forward()
        app.refresh()
        assert stepper.at_end or "line.over" not in heard(app.lines.next, UI_STEP)
    said(app.lines.next, UI_STEP, "line.over")
    said(app.status.value, UI_STEP, "now.over")


def test_keys_and_key_moments_step_as_the_buttons_do(app, browser):
    app.track._handle_custom_msg({"event": "key", "step": "forward"}, [])
    assert app.stepper.at == 1
    for key, at in (("last", len(app.stepper.row) - 1), ("back", 1), ("first", 0)):
        app.track._handle_custom_msg({"event": "key", "step": key}, [])
        assert app.stepper.at == at
    app.track._handle_custom_msg({"event": "look", "at": 2}, [])
    assert app.stepper.at == 2
    app.bar.slider.value = 1
    assert app.stepper.at == 1


def test_the_key_moments_stand_over_the_slider():
    app = StepPage(GAME, hunt("hunter-group", 1))
    keyed = [m for m in app.stepper.row if m.keys]
    assert [at for at, _, _ in app.track.marks] == [i for i, m in enumerate(app.stepper.row) if m in keyed]
    assert {key for _, key, _ in app.track.marks} <= {"contact", "loss", "attack", "hit", "sinking"}
    assert app.track.last == app.bar.slider.max == len(app.stepper.row) - 1


def test_by_rule_the_lines_come_one_by_one_and_the_last_is_lit(app, browser):
    app.bar.unit.value = RULE
    assert app.lines.rows == []
    said(app.headline.value, PATROL_WALK, "headline.asks")
    app.bar.on.click()
    app.bar.on.click()
    assert len(app.lines.rows) == 2 and app.lines.lit == 1
    app.lines._handle_custom_msg({"event": "line", "line": 0}, [])
    assert app.lines.lit == 0
    assert [unit for _, unit in app.bar.unit.options] == list(app.stepper.units)


def test_it_steps_by_itself_and_stops(app, browser):
    async def play():
        app.bar.speed.value = SPEEDS["fast"]
        app.bar.toggle()
        assert app.bar.playing and app.bar.play.description == UI("play.stop")
        app.bar.tick()
        assert app.stepper.at == 1 and app.bar.playing
        app.bar.toggle()
        assert not app.bar.playing
        app.track.pressed("play")
        app.bar.tick()
        assert app.stepper.at_end and not app.bar.playing and app.bar.play.description == UI("play")

    asyncio.run(play())


def test_predict_hides_the_reasons_until_the_class_has_clicked(app, browser):
    named(app, "nk-key-mode-predict").click()
    assert app.stepper.mode == PREDICT and app.lines.rows == [] and app.panels.predict.layout.display == ""
    said(app.status.value, PATROL_WALK, "now.asked.board")
    assert app.panels.confirm.disabled
    assert "nk-step-fired" not in app.tables[0].value  # the mode would tell half of it
    app.board.on_point("I23")
    app.board.on_point("M29")
    said(app.status.value, WALKS, "predict.chosen", choice="M29")
    said(app.status.value, UI_STEP, "now.chosen")
    assert app.lines.rows == []
    app.panels.change.click()
    assert app.panels.confirm.disabled
    app.board.on_point("M29")
    app.panels.confirm.click()
    said(app.panels.score.value, UI_STEP, "predict.score", good=1, asked=1)
    said(app.panels.score.value, WALKS, "votes.right")
    assert app.lines.rows
    said(app.status.value, PATROL_WALK, "predict.hit")


def test_what_if_shows_the_new_decision_beside_the_old(app, browser):
    named(app, "nk-key-mode-what-if").click()
    assert app.stepper.mode == WHAT_IF
    said(app.panels.compared.value, UI_STEP, "what-if.none")
    app.panels.suppose["mode 6"].click()
    changed = re.findall(r"<tr class=nk-step-changed><th scope=row>≠ (.*?)</th>", app.panels.compared.value)
    assert changed == [PATROL_WHY(f"whatif.field.{each}") for each in ("mode", "marker", "circle")]
    assert app.panels.suppose["mode 6"].button_style == "primary" and "nk-step-fired" in app.tables[0].value
    app.board.on_point("M26")
    app.board.on_drag("K24")
    assert app.stepper.state.vessel("E1").place.bow.label == "K24"
    app.panels.suppose["port"].click()
    named(app, "nk-key-what-if-reset").click()
    assert not app.stepper.supposed.anything
    named(app, "nk-key-mode-explain").click()
    assert app.panels.what_if.layout.display == "none"


def test_layers_are_switched_by_their_buttons(app, browser):
    assert list(app.layers) == list(LAYERS)
    assert app.layers["radials"].description == "☑ radials"
    frames = app.board.painter.frames
    app.layers["radials"].click()
    assert app.layers["radials"].description == "☐ radials" and app.board.painter.frames == frames + 1


def test_a_drawer_opens_and_closes(app, browser):
    drawer = next(w for w in all_of(app.widget) if "nk-step-layers" in getattr(w, "_dom_classes", ()))
    for is_open in (True, False):
        named(app, "nk-key-layers").click()
        assert ("nk-open" in drawer._dom_classes) is is_open


def test_the_chooser_opens_a_hunt_or_a_position_and_the_next_one(app, browser):
    assert app.chooser.value == Item(Kind.POSITION, "mode-3")
    named(app, "nk-step-another").click()
    assert app.chooser.value == Item(Kind.POSITION, "mode-3-in-contact")
    app.chooser.value = Item(Kind.START, "scenario=hunter-group")
    first = app.stepper.show.match.seed
    assert named(app, "nk-step-another").description == UI_STEP("another.seed")
    named(app, "nk-step-another").click()
    assert app.stepper.show.match.seed == first + 1
    said(app.status.value, PATROL_WALK, "another.said", seed=first + 1)


def test_a_link_opens_its_step_and_a_page_that_comes_back_stays_where_it_was(app):
    browser = Browser(app)
    browser.hello(query="?position=williamson-port&step=1", width=390, theme="dark")
    assert app.stepper.show.item == Item(Kind.POSITION, "williamson-port") and app.stepper.at == 1
    assert app.camera.tall and app.board.theme == "dark"
    app.bar.back.click()
    browser.hello(query="?position=williamson-port&step=1")
    assert app.stepper.at == 0
    named(app, "nk-key-link").click()
    ((content, _),) = browser.got("copy")
    assert content["text"].startswith("?position=williamson-port&step=0") and content["link"]
    browser.says("copied", ok=True, text="http://x/" + content["text"], what="link")
    assert said(app.model.status.text, UI, "copy.short", what=UI("copy.link"))["text"].startswith("http://x/?position")


def test_a_wrong_link_is_said_in_one_sentence(app):
    Browser(app).hello(query="?position=atlantis")
    said(app.status.value, PATROL_WHY, "positions.no_position_name", name="atlantis")
    assert "nk-bad" in app.status.value
    assert app.stepper.show.item == Item(Kind.POSITION, "mode-3")


@pytest.mark.slow
def test_step_report_and_sheets_are_handed_over_as_files(app, browser):
    for css in ("nk-key-svg", "nk-key-png", "nk-key-report", "nk-key-sheets"):
        named(app, css).click()
    handed = {content["name"]: (content["mime"], data[0]) for content, data in browser.got("download")}
    step = "position-mode-3-step-0"
    assert set(handed) == {f"{step}.svg", f"{step}.png", "position-mode-3-report.html", "position-mode-3-sheets.html"}
    assert handed["position-mode-3-step-0.svg"][1].startswith(b"<svg")
    assert handed["position-mode-3-step-0.png"][1].startswith(b"\x89PNG")
    assert handed["position-mode-3-report.html"][1].startswith(b"<!doctype html>")
    assert handed["position-mode-3-sheets.html"][1].count(b"<svg") == 2


def test_a_saved_game_is_opened_from_a_file_and_a_broken_one_refused(app, browser):
    match = hunt("hunter-group", 1).match
    data = match.dumps().encode()
    browser.says("file", [data], name="hunt.toml", size=len(data))
    assert app.stepper.show.item == Item(Kind.FILE) and app.stepper.row[-1].state == match.state
    assert app.chooser.options[0] == (app.stepper.show.title, Item(Kind.FILE)) and app.chooser.value == Item(Kind.FILE)
    browser.says("file", [b"game = 3"], name="broken.toml", size=8)
    assert app.model.status.error and app.stepper.show.item == Item(Kind.FILE)
    browser.says("file", [b""], name="huge.toml", size=10**9)
    said(app.model.status.text, UI, "open.large")


def test_a_scenario_of_ones_own_is_played_and_shown(app, browser):
    text = (files("navalkit.games.on_patrol.data") / "scenarios" / "lone-merchant.toml").read_bytes()
    text = text.replace(b'title = "Lone merchant"', b'title = "Our own sea"')
    browser.says("file", [text], name="ours.toml", size=len(text))
    assert app.stepper.show.title == "Our own sea" and app.stepper.show.match.over
    assert app.chooser.value == Item(Kind.FILE)
    kept = app.stepper.show.match
    app.stepper.open(position("mode-1"))
    browser.says("file", [kept.dumps().encode()], name="ours-played.toml", size=9)
    assert "Our own sea" in app.stepper.show.title and app.stepper.show.match.record() == kept.record()
    app.stepper.open_file(text)
    broken = text.replace(b"turns", b"trunks")
    browser.says("file", [broken], name="ours.toml", size=len(broken))
    assert app.model.status.error and "turns" in app.model.status.text and app.stepper.show.title == "Our own sea"


def test_the_table_of_the_phase_comes_forward_unless_the_log_is_read():
    app = StepPage(GAME, hunt("hunter-group", 1))
    app.stepper.step_by("phase")
    shown = {}
    while not app.stepper.at_end:
        app.bar.on.click()
        shown[app.stepper.moment.phase.name] = app.tabs.selected_index
    assert (shown["CONVOY"], shown["ESCORTS"], shown["SEARCH"]) == (1, 0, 2)
    app.tabs.selected_index = 4
    app.bar.start.click()
    app.bar.on.click()
    assert app.tabs.selected_index == 4


def test_in_front_of_a_class_the_board_takes_the_room_there_is_and_nothing_is_given_away(app, browser):
    size = app.scene().width
    app.projector.click()
    assert "nk-step-projector" in app.widget._dom_classes and app.stepper.sees == CLASS
    app.track._handle_custom_msg({"event": "stage", "width": 966, "height": 744}, [])
    assert app.scene().width / app.scene().height == pytest.approx(966 / 744, rel=0.01) and app.scene().width < size
    unsaid = f"{PATROL_WALK('line.move')} {UI_STEP('line.hidden')}"
    assert app.lines.rows == [] and app.lines.one and app.lines.so == unsaid
    said(app.lines.next, UI_STEP, "line.next", ask=PATROL_ESCORT("mode.ask"))
    assert "nk-step-fired" not in app.tables[0].value and app.stepper.show.about[:20] not in words(app.status.value)
    app.bar.on.click()
    assert len(app.lines.rows) == 1 and app.lines.count == UI_STEP("line.count", who="E1", n=1, of=12)
    named(app, "nk-key-eyes-me").click()
    said(app.lines.so, PATROL_ESCORT, "summary.radial", target="R33", hexes=3)
    said(app.lines.next, PATROL_ESCORT, "target.ahead", target="R33")
    app.track._handle_custom_msg({"event": "key", "step": "eyes"}, [])
    assert app.stepper.sees == CLASS and app.lines.so.endswith("?")
    while app.stepper.untold:
        app.bar.on.click()
    app.track._handle_custom_msg({"event": "key", "step": "up"}, [])
    assert app.stepper.lit == len(app.lines.rows) - 2
    named(app, "nk-key-leave").click()
    assert "nk-step-projector" not in app.widget._dom_classes and app.scene().width == size and app.stepper.sees == ME


def test_moments_to_come_are_not_given_away_to_a_class():
    app = StepPage(GAME, query="?scenario=hunter-group&seed=1&step=60&view=class")
    assert app.stepper.at == 60 and app.track.single and max(at for at, _, _ in app.track.marks) <= 60
    named(app, "nk-key-eyes-me").click()
    assert max(at for at, _, _ in app.track.marks) > 60


def test_a_link_s_step_is_the_first_thing_to_be_seen_and_nothing_before_it():
    query = "?scenario=hunter-group&seed=1&step=30&by=rule&line=3"
    app = StepPage(GAME, query=query)
    assert (app.stepper.at, len(app.lines.rows), app.board.painter.frames) == (30, 3, 1)
    app.bar.on.click()  # pressed before the browser has said hello
    browser = Browser(app)
    browser.hello(query=query)
    assert (app.stepper.at, len(app.lines.rows)) == (30, 4)


def test_a_rule_and_a_term_unfold_and_parts_are_a_count_that_opens():
    app = StepPage(GAME, query="?position=the-attack")
    rules = app.stepper.show.game.rules()
    assert all(row["title"] == rules[row["rule"]].text for row in app.lines.rows if row["rule"])
    attack = next(row for row in app.lines.rows if len(row["parts"]) == 10)
    assert [term for term, _ in attack["terms"]] == ["assault-zone"] and attack["opens"] == UI_STEP("line.opens", n=10)
    at = app.lines.rows.index(attack)
    app.lines._handle_custom_msg({"event": "line", "line": at, "part": 2}, [])
    assert (app.lines.lit, app.lines.part) == (at, 2) and len(app.stepper.lit_cells) == 1
    app.lines._handle_custom_msg({"event": "term", "term": "assault-zone"}, [])
    assert app.lines.entries["assault-zone"]["svg"].startswith("<svg")
    app.lines._handle_custom_msg({"event": "term", "term": "<b>"}, [])
    assert set(app.lines.entries) == {"assault-zone"}


def test_every_term_has_a_sentence_and_a_picture_and_is_found_in_some_line():
    met = set()
    for name in ready_made.positions():
        for line in Stepper(position(name)).lines:
            met |= {term for term, _ in WALK.terms(f"{line.ask} {line.text}")}
    assert met == set(TERMS)
    for term in TERMS:
        for theme in ("light", "dark"):
            found = WALK.term(term, theme)
            assert found.text.endswith(".") and 2_000 < len(found.svg) < 120_000


def test_the_end_of_a_hunt_is_an_ending(browser, app):
    assert app.panels.ending.layout.display == "none"
    app.stepper.open(hunt("hunter-group", 1))
    app.bar.end.click()
    said(app.panels.end.value, PATROL_WALK, "ending.head", points=-24)
    said(app.panels.end.value, PATROL, "result.loss", points=-24)
    assert app.panels.ending.layout.display == ""
    row = app.stepper.row
    ((name, wreck),) = wrecks(row)
    assert name == "S1" and all(map(app.camera.view(app.stepper.sight).holds, wreck.hexes))
    named(app, "nk-key-ending-look").click()
    assert app.stepper.at == decisive(row) and "sinking" in app.stepper.moment.keys


def test_a_tour_is_taken_stop_by_stop_and_its_notes_are_the_teacher_s(app, browser):
    app.chooser.value = Item(Kind.TOUR, "two-boats")
    tour = app.stepper.tour
    assert tour.title == "Two boats" and tour.stops[0].note in html.unescape(app.panels.stop.value)
    app.projector.click()
    shown = html.unescape(app.panels.stop.value)
    assert tour.stops[0].note not in shown and tour.stops[0].title in shown
    while app.stepper.stop == 0:
        app.bar.on.click()
    assert app.stepper.stop == 1 and app.chooser.value == Item(Kind.TOUR, "two-boats")
    named(app, "nk-key-tour-back").click()
    assert app.stepper.stop == 0


def test_the_teacher_s_own_window_has_notes_and_answers_while_the_class_sees_none():
    app = StepPage(GAME, query="?tour=night-convoy&view=class")
    assert app.track.notes == ""  # nothing is sent before somebody opens it
    app.track._handle_custom_msg({"event": "notes"}, [])
    while not app.stepper.asked:
        app.bar.on.click()
    mine, stop = html.unescape(app.track.notes), app.stepper.here
    assert stop.note in mine and stop.note not in html.unescape(app.panels.stop.value)
    assert app.stepper.truth[-1].text in mine and app.lines.rows == []
    assert app.lines.so == f"{PATROL_WALK('line.move')} ?"
    said(mine, UI_STEP, "notes.next", what=app.stepper.tour.stops[app.stepper.stop + 1].title)
    app.stepper.point(app.stepper.truth[0].cells[0] if app.stepper.truth[0].cells else "A1")
    app.panels.confirm.click()
    app.bar.on.click()
    assert app.track.notes.count("class='nk-notes-told") == len(app.stepper.lines) == 1


def test_the_window_closes_in_where_hexes_would_be_too_small_to_read(app, browser):
    camera, sight = SeaCamera(), app.stepper.sight
    camera.press("all", sight)
    whole = camera.view(sight)
    camera.follow()
    camera._views[camera.size] = View(whole.centre, 0, whole.size)  # it holds all that matters, illegibly
    near = camera.view(sight)
    assert near.zoom >= FAR and all(map(near.holds, matters(sight)))
    assert camera.view(sight) == near


def test_a_teacher_makes_a_tour_and_hands_it_on(app, browser):
    named(app, "nk-key-tour-save").click()
    said(app.model.status.text, UI_STEP, "tour.empty")
    own = app.own
    own.title.value, own.note.value, own.minutes.value = "First", 'Say "why".', 4
    named(app, "nk-key-tour-add").click()
    app.chooser.value = Item(Kind.START, "scenario=hunter-group")
    app.stepper.go(60)
    named(app, "nk-key-tour-add").click()
    own.name.value = "Our class"
    named(app, "nk-key-tour-save").click()
    ((content, (data,)),) = browser.got("download")
    assert content["name"] == "tour.toml"
    named(app, "nk-key-tour-link").click()
    query = browser.got("copy")[0][0]["text"]
    other = StepPage(GAME, query=query)
    assert other.stepper.tour.stops[0].title == "First" and other.stepper.tour.title == "Our class"
    assert other.stepper.show.item == Item(Kind.POSITION, "mode-3")
    other.stepper.go_on(1)
    assert other.stepper.at == 60 and other.stepper.show.item == Item(Kind.START, "scenario=hunter-group")
    browser.says("file", [data], name="tour.toml", size=len(data))
    assert app.stepper.tour == other.stepper.tour and app.stepper.tour.stops[0].note == 'Say "why".'
    assert app.chooser.options[0] == ("Our class", Item(Kind.TOUR, ""))


def test_a_teacher_asks_here_and_changes_what_was_put_together(app, browser):
    own, stepper = app.own, app.stepper
    assert [kind for _, kind in own.ask.options] == ["", *WALK.asks]
    own.ask.value, own.title.value = "which", "Why there?"
    said(named(app, "nk-key-tour-add").description, UI_STEP, "tour.ask-here")
    named(app, "nk-key-tour-add").click()
    app.chooser.value = Item(Kind.POSITION, "new-target")
    own.ask.value, own.title.value = "", "Second"
    named(app, "nk-key-tour-add").click()
    assert [(stop.title, stop.predict, stop.ask) for stop in stepper.draft.stops] == [
        ("Why there?", True, "which"), ("Second", False, "")]  # fmt: skip
    own.stops.value = 2
    assert (own.title.value, own.ask.value) == ("Second", "")
    own.note.value, own.ask.value = "Wait for it.", "where"
    named(app, "nk-key-tour-change").click()
    named(app, "nk-key-tour-up").click()
    assert [(stop.title, stop.note, stop.ask) for stop in stepper.draft.stops] == [
        ("Second", "Wait for it.", "where"), ("Why there?", "", "which")]  # fmt: skip
    assert own.stops.value == 1
    own.stops.value = 2
    named(app, "nk-key-tour-try").click()
    assert stepper.mode == PREDICT and stepper.asking.question.kind == "which"
    assert shows.loads(stepper.draft.dumps()).stops == stepper.draft.stops
    named(app, "nk-key-tour-drop").click()
    assert [stop.title for stop in stepper.draft.stops] == ["Second"]
    kept = browser.kept()[f"tour-{GAME}"]
    again = StepPage(GAME, position("mode-3"))
    after = Browser(again)
    after.hello(stored={f"tour-{GAME}": kept})
    assert again.stepper.draft.stops == stepper.draft.stops  # a reload loses nothing
    again.stepper.open_item(Item(Kind.TOUR, shows.tour_names(GAME)[0]))
    named(again, "nk-key-tour-edit").click()
    assert again.stepper.draft.stops == again.stepper.tour.stops and not again.stepper.draft.id
    again.own.stops.value = 1
    named(again, "nk-key-tour-drop").click()
    assert len(again.stepper.draft.stops) == len(again.stepper.tour.stops) - 1


def test_a_stop_that_asks_what_is_no_question_here_says_so(app, browser):
    stop = shows.Stop("position=mode-3", "One", "", predict=True, ask="whither")
    with refused(DataError, WALKS, "tour.asks-nothing"):
        app.stepper.take(shows.draft().with_stop(stop))


def test_themes(app, browser):
    for name in ("dark", "contrast", "light"):
        app.theme_switch.click()
        assert app.board.theme == name


def test_what_comes_from_a_file_is_escaped(app, browser):
    app.model.say("<b>bold</b>")
    assert "&lt;b&gt;bold" in app.status.value


def test_refreshing_what_has_not_changed_sends_nothing(app, browser):
    def listen(widget):
        heard = []
        comm = DummyComm()
        comm.publish_msg = lambda *args, **kw: heard.append(kw.get("data", args))
        widget.comm = comm
        return heard

    widgets = [w for w in all_of(app.widget) if w.model_id in _instances]
    heard = [listen(w) for w in widgets]
    frames = app.board.painter.frames
    app.refresh()
    assert app.board.painter.frames == frames and not any(heard)


@pytest.mark.parametrize(("query", "played"), [("", True), ("?theme=dark", True), ("?position=mode-3", False)])
def test_the_notebook_shows_the_page_and_plays_no_hunt_that_is_not_asked_for(query, played, monkeypatch):
    monkeypatch.setenv("QUERY_STRING", query)
    monkeypatch.setattr(type(WALK), "first", "scenario=hunter-group&seed=1")
    monkeypatch.setattr(shows, "_played", OrderedDict())
    assert "nk-step" in step(GAME)._dom_classes
    assert bool(shows._played) is played


def test_another_language_takes_its_sentences_alone_and_the_address_asks_for_it(monkeypatch):
    monkeypatch.setitem(STEP.tables, "qx", {"bar.on": "Weiter", "tab.log": "Verlauf", "now.next": "Und nun?"})
    for query, on, log in (("?lang=qx", "Weiter", "Verlauf"), ("?lang=en", STEP("bar.on"), STEP("tab.log"))):
        monkeypatch.setenv("QUERY_STRING", f"{query}&position=mode-3")
        parts = list(all_of(step(GAME)))
        (next_,) = (each for each in parts if "nk-key-bar-on" in each._dom_classes)
        (tabs,) = (each for each in parts if "nk-tabs" in each._dom_classes)
        assert next_.description == on and tabs.titles[-1] == log and tabs.titles[0] == SAY("tab.action")


# A board that is its page's ------------------------------------------------------------------------------------------


@pytest.fixture
def search():
    """A game whose board has switches of its own, at a decision."""
    page = StepPage("task-force", shows.finish(shows.from_query("task-force", "?step=20")).show)
    page.stepper.go(20)
    assert page.stepper.decided is not None
    return page


def test_what_only_changes_the_look_of_a_board_works_as_on_its_page(search):
    plain = search.scene()
    search.board.on_point("heat.hit")
    assert search.camera.picks.get("heat") == "hit" and not search.stepper.asked
    search.desk.settle()
    assert len(search.camera.answers) == 1 and search.scene() != plain
    search.board.on_point("D-1")
    assert search.camera.picks.get("aim") is not None
    search.bar.on.click()
    assert search.camera.picks.get("aim") is None and search.camera.picks.get("heat") == "hit"


def test_a_press_on_an_order_says_what_it_was_worth_and_predicts_it_when_asked(search):
    stepper = search.stepper
    right = stepper.decided.right
    search.board.on_point(right)
    reason = str(stepper.decided.decision.reason)
    assert reason[:1].upper() + reason[1:] == search.model.status.text
    search.switches["predict"].click()
    assert stepper.asked and search.panels.choices.children, "what has no place on the board is a list"
    search.board.on_point(right)
    assert stepper.asking.hand.choice == right
    search.panels.confirm.click()
    assert stepper.guess is not None and stepper.guess.right == 1


def test_a_press_is_painted_once(app, browser):
    painted = []
    scene = app.scene
    app.scene = lambda: painted.append(1) or scene()
    for press in (app.bar.on.click, app.switches["predict"].click, lambda: app.board.on_point("M26")):
        before, count = len(painted), app.model.status.count
        press()
        assert (len(painted) - before, app.model.status.count - count) == (1, 1)


def test_what_was_said_of_a_moment_goes_with_it(app, browser):
    app.model.say("x")
    app.bar.end.click()
    assert app.model.status.text == ""
