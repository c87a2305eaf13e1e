"""The stepper's page without a browser: what its widgets show and send, worked by their own callbacks."""

from __future__ import annotations

import asyncio
import html
import re
from importlib.resources import files

import pytest
from comm import DummyComm
from ipywidgets.widgets.widget import _instances

from navalkit.games.on_patrol.board.moments import Key
from navalkit.games.on_patrol.board.overlay import LAYERS
from navalkit.games.on_patrol.board.shapes.view import View
from navalkit.testing import said
from navalkit.ui.step import hunts
from navalkit.ui.step.app import EscortStepper, step_escorts
from navalkit.ui.step.hunts import Item, Kind
from navalkit.ui.step.say import STEP
from navalkit.ui.step.scene import FAR, Camera, matters
from navalkit.ui.step.told.ending import decisive, wrecks
from navalkit.ui.step.told.glossary import TERMS, entry
from navalkit.ui.step.told.telling import CLASS, ME, PREDICT, RULE, UNITS, WHAT_IF
from navalkit.ui.widgets.playback import SPEEDS

from ...sentences import PATROL, PATROL_ESCORT, PATROL_WHY, UI, UI_STEP
from ..pages import Browser, all_of, named, words


@pytest.fixture(autouse=True)
def raise_what_we_did_wrong(monkeypatch):
    monkeypatch.setenv("NAVALKIT_RAISE", "1")


@pytest.fixture
def app():
    return EscortStepper(hunts.position("mode-3"))


@pytest.fixture
def browser(app):
    browser = Browser(app)
    browser.hello()
    return browser


def test_the_page_says_at_once_what_to_press_and_explains_the_first_move(app, browser):
    said(app.status.value, UI_STEP, "now.decides")
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


def test_keys_and_key_moments_step_as_the_buttons_do(app, browser):
    app.track._handle_custom_msg({"event": "key", "step": "forward"}, [])
    assert app.model.at == 1
    for step, at in (("last", len(app.model.row) - 1), ("back", 1), ("first", 0)):
        app.track._handle_custom_msg({"event": "key", "step": step}, [])
        assert app.model.at == at
    app.track._handle_custom_msg({"event": "look", "at": 2}, [])
    assert app.model.at == 2
    app.bar.slider.value = 1
    assert app.model.at == 1


def test_the_key_moments_stand_over_the_slider():
    app = EscortStepper(hunts.hunt("hunter-group", 1))
    keyed = [m for m in app.model.row if m.keys]
    assert [at for at, _, _ in app.track.marks] == [i for i, m in enumerate(app.model.row) if m in keyed]
    assert {key for _, key, _ in app.track.marks} <= {"contact", "loss", "attack", "hit", "sinking"}
    assert app.track.last == app.bar.slider.max == len(app.model.row) - 1


def test_by_rule_the_lines_come_one_by_one_and_the_last_is_lit(app, browser):
    app.bar.unit.value = RULE
    assert app.lines.rows == []
    said(app.headline.value, UI_STEP, "asks")
    app.bar.on.click()
    app.bar.on.click()
    assert len(app.lines.rows) == 2 and app.lines.lit == 1
    app.lines._handle_custom_msg({"event": "line", "line": 0}, [])
    assert app.lines.lit == 0
    assert app.bar.unit.options == tuple((UI_STEP("bar.unit", unit=unit), unit) for unit in UNITS)


def test_it_steps_by_itself_and_stops(app, browser):
    async def play():
        app.bar.speed.value = SPEEDS["fast"]
        app.bar.toggle()
        assert app.bar.playing and app.bar.play.description == UI("play.stop")
        app.bar.tick()
        assert app.model.at == 1 and app.bar.playing
        app.bar.toggle()
        assert not app.bar.playing
        app.track.pressed("play")
        app.bar.tick()
        assert app.model.at_end and not app.bar.playing and app.bar.play.description == UI("play")

    asyncio.run(play())


def test_predict_hides_the_reasons_until_the_class_has_clicked(app, browser):
    named(app, "nk-use-predict").click()
    assert app.model.mode == PREDICT and app.lines.rows == [] and app.panels.predict.layout.display == ""
    said(app.status.value, UI_STEP, "now.asked")
    assert app.panels.confirm.disabled
    assert "nk-fired" not in app.tables[0].value  # the mode would tell half of it
    app.board.on_point("I23")
    app.board.on_point("M29")
    said(app.status.value, UI_STEP, "predict.chosen", hex="M29")
    said(app.status.value, UI_STEP, "now.chosen")
    assert app.lines.rows == []
    app.panels.change.click()
    assert app.panels.confirm.disabled
    app.board.on_point("M29")
    app.panels.confirm.click()
    said(app.panels.score.value, UI_STEP, "predict.score", good=1, asked=1)
    said(app.panels.score.value, UI_STEP, "predict.right")
    assert app.lines.rows
    said(app.status.value, UI_STEP, "predict.hit")


def test_what_if_shows_the_new_decision_beside_the_old(app, browser):
    named(app, "nk-use-what-if").click()
    assert app.model.mode == WHAT_IF
    said(app.panels.changes.value, UI_STEP, "what-if.none")
    app.panels.modes[6].click()
    changed = re.findall(r"<tr class=nk-changed><th scope=row>≠ (.*?)</th>", app.panels.changes.value)
    assert changed == [PATROL_WHY(f"whatif.field.{field}") for field in ("mode", "marker", "circle")]
    assert app.panels.modes[6].button_style == "primary" and "nk-fired" in app.tables[0].value
    app.board.on_point("M26")
    app.board.on_drag("K24")
    assert "K24" in words(app.headline.value) or app.model.state.vessel("E1").place.bow.label == "K24"
    named(app, "nk-turn").click()
    named(app, "nk-reset").click()
    assert app.model.supposed is None
    named(app, "nk-use-explain").click()
    assert app.panels.what_if.layout.display == "none"


def test_layers_are_switched_by_their_buttons(app, browser):
    assert list(app.layers) == list(LAYERS)
    assert app.layers["radials"].description == "☑ radials"
    frames = app.board.painter.frames
    app.layers["radials"].click()
    assert app.layers["radials"].description == "☐ radials" and app.board.painter.frames == frames + 1


def test_a_drawer_opens_and_closes(app, browser):
    drawer = next(w for w in all_of(app.widget) if "nk-layers" in getattr(w, "_dom_classes", ()))
    for is_open in (True, False):
        named(app, "nk-open-layers").click()
        assert ("nk-open" in drawer._dom_classes) is is_open


def test_the_chooser_opens_a_hunt_or_a_position_and_the_next_one(app, browser):
    assert app.chooser.value == Item(Kind.POSITION, "mode-3")
    named(app, "nk-another").click()
    assert app.chooser.value == Item(Kind.POSITION, "mode-3-in-contact")
    app.chooser.value = Item(Kind.SCENARIO, "hunter-group")
    first = app.model.show.match.seed
    assert named(app, "nk-another").description == UI_STEP("another.seed")
    named(app, "nk-another").click()
    said(app.status.value, UI_STEP, "another.said", seed=first + 1)
    assert app.model.show.match.seed == first + 1


def test_a_link_opens_its_step_and_a_page_that_comes_back_stays_where_it_was(app):
    browser = Browser(app)
    browser.hello(query="?position=williamson-port&step=1", width=390, theme="dark")
    assert app.model.show.item == Item(Kind.POSITION, "williamson-port") and app.model.at == 1
    assert app.camera.tall and app.board.theme == "dark"
    app.bar.back.click()
    browser.hello(query="?position=williamson-port&step=1")
    assert app.model.at == 0
    named(app, "nk-link").click()
    ((content, _),) = browser.got("copy")
    assert content["text"].startswith("?position=williamson-port&step=0") and content["link"]
    browser.says("copied", ok=True, text="http://x/" + content["text"], what="link")
    assert said(app.model.status.text, UI, "copy.short", what=UI("copy.link"))["text"].startswith("http://x/?position")


def test_a_wrong_link_is_said_in_one_sentence(app):
    Browser(app).hello(query="?position=atlantis")
    said(app.status.value, PATROL_WHY, "positions.no_position_name", name="atlantis")
    assert "nk-bad" in app.status.value
    assert app.model.show.item == Item(Kind.POSITION, "mode-3")


@pytest.mark.slow
def test_step_report_and_sheets_are_handed_over_as_files(app, browser):
    for css in ("nk-svg", "nk-png", "nk-report-button", "nk-sheets"):
        named(app, css).click()
    handed = {content["name"]: (content["mime"], data[0]) for content, data in browser.got("download")}
    step = "position-mode-3-step-0"
    assert set(handed) == {f"{step}.svg", f"{step}.png", "position-mode-3-report.html", "on-patrol-sheets.pdf"}
    assert handed["position-mode-3-step-0.svg"][1].startswith(b"<svg")
    assert handed["position-mode-3-step-0.png"][1].startswith(b"\x89PNG")
    assert handed["position-mode-3-report.html"][1].startswith(b"<!doctype html>")
    assert handed["on-patrol-sheets.pdf"][1].startswith(b"%PDF")


def test_a_saved_game_is_opened_from_a_file_and_a_broken_one_refused(app, browser):
    match = hunts.hunt("hunter-group", 1).match
    data = match.dumps().encode()
    browser.says("file", [data], name="hunt.toml", size=len(data))
    assert app.model.show.item == Item(Kind.FILE) and app.model.row[-1].state == match.state
    assert app.chooser.options[0] == (app.model.show.title, Item(Kind.FILE)) and app.chooser.value == Item(Kind.FILE)
    browser.says("file", [b"game = 3"], name="broken.toml", size=8)
    assert app.model.status.error and app.model.show.item == Item(Kind.FILE)
    browser.says("file", [b""], name="huge.toml", size=10**9)
    said(app.model.status.text, UI, "open.large")


def test_a_scenario_of_ones_own_is_played_and_shown(app, browser):
    text = (files("navalkit.games.on_patrol.data") / "scenarios" / "lone-merchant.toml").read_bytes()
    text = text.replace(b'title = "Lone merchant"', b'title = "Our own sea"')
    browser.says("file", [text], name="ours.toml", size=len(text))
    assert app.model.show.title == "Our own sea" and app.model.show.match.over
    assert app.chooser.value == Item(Kind.FILE)
    kept = app.model.show.match
    app.model.open(hunts.position("mode-1"))
    browser.says("file", [kept.dumps().encode()], name="ours-played.toml", size=9)
    assert "Our own sea" in app.model.show.title and app.model.show.match.record() == kept.record()
    app.model.open_file(text)
    broken = text.replace(b"turns", b"trunks")
    browser.says("file", [broken], name="ours.toml", size=len(broken))
    said(app.model.status.text, PATROL_WHY, "fields.must", name="turns")
    assert app.model.status.error and app.model.show.title == "Our own sea"


def test_the_table_of_the_phase_comes_forward_unless_the_log_is_read():
    app = EscortStepper(hunts.hunt("hunter-group", 1))
    app.model.step_by("phase")
    shown = {}
    while not app.model.at_end:
        app.bar.on.click()
        shown[app.model.moment.phase.name] = app.tabs.selected_index
    assert (shown["CONVOY"], shown["ESCORTS"], shown["SEARCH"]) == (1, 0, 2)
    app.tabs.selected_index = 4
    app.bar.start.click()
    app.bar.on.click()
    assert app.tabs.selected_index == 4


def test_in_front_of_a_class_the_board_takes_the_room_there_is_and_nothing_is_given_away(app, browser):
    size = app.scene().width
    app.projector.click()
    assert "nk-projector" in app.widget._dom_classes and app.model.sees == CLASS
    app.track._handle_custom_msg({"event": "stage", "width": 966, "height": 744}, [])
    assert app.scene().width / app.scene().height == pytest.approx(966 / 744, rel=0.01) and app.scene().width < size
    unsaid = f"{UI_STEP('line.move')} {UI_STEP('line.hidden')}"
    assert app.lines.rows == [] and app.lines.one and app.lines.so == unsaid
    said(app.lines.next, UI_STEP, "line.next", ask=PATROL_ESCORT("mode.ask"))
    assert "nk-fired" not in app.tables[0].value and app.model.show.about[:20] not in words(app.status.value)
    app.bar.on.click()
    assert len(app.lines.rows) == 1 and app.lines.count == UI_STEP("line.count", who="E1", n=1, of=12)
    named(app, "nk-eyes").click()
    said(app.lines.so, PATROL_ESCORT, "summary.radial", target="R33", hexes=3)
    said(app.lines.next, PATROL_ESCORT, "target.ahead", target="R33")
    app.track._handle_custom_msg({"event": "key", "step": "eyes"}, [])
    assert app.model.sees == CLASS and app.lines.so == unsaid
    while app.model.untold:
        app.bar.on.click()
    app.track._handle_custom_msg({"event": "key", "step": "up"}, [])
    assert app.model.lit == len(app.lines.rows) - 2
    named(app, "nk-leave").click()
    assert "nk-projector" not in app.widget._dom_classes and app.scene().width == size and app.model.sees == ME


def test_moments_to_come_are_not_given_away_to_a_class():
    app = EscortStepper(query="?scenario=hunter-group&seed=1&step=60&view=class")
    assert app.model.at == 60 and app.track.single and max(at for at, _, _ in app.track.marks) <= 60
    named(app, "nk-eyes").click()
    assert max(at for at, _, _ in app.track.marks) > 60


def test_a_link_s_step_is_the_first_thing_to_be_seen_and_nothing_before_it():
    query = "?scenario=hunter-group&seed=1&step=30&by=rule&line=3"
    app = EscortStepper(query=query)
    assert (app.model.at, len(app.lines.rows), app.board.painter.frames) == (30, 3, 1)
    app.bar.on.click()  # pressed before the browser has said hello
    browser = Browser(app)
    browser.hello(query=query)
    assert (app.model.at, len(app.lines.rows)) == (30, 4)


def test_a_rule_and_a_term_unfold_and_parts_are_a_count_that_opens():
    app = EscortStepper(query="?position=the-attack")
    rules = app.model.show.game.rules()
    assert all(row["title"] == rules[row["rule"]].text for row in app.lines.rows if row["rule"])
    attack = next(row for row in app.lines.rows if len(row["parts"]) == 10)
    assert [term for term, _ in attack["terms"]] == ["assault-zone"] and attack["opens"] == UI_STEP("line.opens", n=10)
    at = app.lines.rows.index(attack)
    app.lines._handle_custom_msg({"event": "line", "line": at, "part": 2}, [])
    assert (app.lines.lit, app.lines.part) == (at, 2) and len(app.model.lit_hexes) == 1
    app.lines._handle_custom_msg({"event": "term", "term": "assault-zone"}, [])
    assert app.lines.entries["assault-zone"]["svg"].startswith("<svg")
    app.lines._handle_custom_msg({"event": "term", "term": "<b>"}, [])
    assert set(app.lines.entries) == {"assault-zone"}


def test_every_term_has_a_sentence_and_a_picture():
    for term in TERMS:
        for theme in ("light", "dark"):
            found = entry(term, theme)
            assert found["text"] and 2_000 < len(found["svg"]) < 120_000


def test_the_end_of_a_hunt_is_an_ending(browser, app):
    assert app.panels.ending.layout.display == "none"
    app.model.open(hunts.hunt("hunter-group", 1))
    app.bar.end.click()
    told = words(app.panels.end.value)
    said(told, UI_STEP, "ending.head", points=-24)
    said(told, PATROL, "sunk_boat", boat="S1")
    assert app.panels.ending.layout.display == ""
    row = app.model.row
    ((name, wreck),) = wrecks(row)
    assert name == "S1" and all(map(app.camera.view(app.model).holds, wreck.hexes))
    named(app, "nk-look").click()
    assert app.model.at == decisive(row) and Key.SINKING in app.model.moment.keys


def test_a_tour_is_taken_stop_by_stop_and_its_notes_are_the_teacher_s(app, browser):
    app.chooser.value = Item(Kind.TOUR, "two-boats")
    tour = app.model.tour
    assert tour.title == "Two boats" and tour.stops[0].note in html.unescape(app.panels.stop.value)
    app.projector.click()
    shown = html.unescape(app.panels.stop.value)
    assert tour.stops[0].note not in shown and tour.stops[0].title in shown
    while app.model.stop == 0:
        app.bar.on.click()
    assert app.model.stop == 1 and app.chooser.value == Item(Kind.TOUR, "two-boats")
    named(app, "nk-stop-back").click()
    assert app.model.stop == 0


def test_the_teacher_s_own_window_has_notes_and_answers_while_the_class_sees_none():
    app = EscortStepper(query="?tour=night-convoy&view=class")
    assert app.track.notes == ""  # nothing is sent before somebody opens it
    app.track._handle_custom_msg({"event": "notes"}, [])
    while not app.model.asked:
        app.bar.on.click()
    mine, stop = html.unescape(app.track.notes), app.model.here
    assert stop.note in mine and stop.note not in html.unescape(app.panels.stop.value)
    assert app.model.truth[-1].text in mine and app.lines.rows == []
    assert app.lines.so == f"{UI_STEP('line.move')} {UI_STEP('line.hidden')}"
    said(mine, UI_STEP, "notes.next", what=app.model.tour.stops[app.model.stop + 1].title)
    app.model.point(app.model.truth[0].hexes[0].label if app.model.truth[0].hexes else "A1")
    app.panels.confirm.click()
    app.bar.on.click()
    assert app.track.notes.count("class='told") == len(app.model.lines) == 1


def test_the_window_closes_in_where_hexes_would_be_too_small_to_read(app, browser):
    camera, model = Camera(), app.model
    camera.whole(model)
    whole = camera.view(model)
    camera.follow()
    camera._views[camera._size] = View(whole.centre, 0, whole.size)  # it holds all that matters, illegibly
    near = camera.view(model)
    assert near.zoom >= FAR and all(map(near.holds, matters(model)))
    assert camera.view(model) == near


def test_a_teacher_makes_a_tour_and_hands_it_on(app, browser):
    named(app, "nk-tour-save").click()
    said(app.model.status.text, UI_STEP, "tour.empty")
    drawer = app.tour_drawer.children
    drawer[0].value, drawer[1].value, drawer[2].value = "First", 'Say "why".', 4
    named(app, "nk-tour-add").click()
    app.chooser.value = Item(Kind.SCENARIO, "hunter-group")
    app.model.go(60)
    named(app, "nk-tour-add").click()
    named(app, "nk-tour-save").click()
    ((content, (data,)),) = browser.got("download")
    assert content["name"] == "tour.toml"
    named(app, "nk-tour-link").click()
    query = browser.got("copy")[0][0]["text"]
    other = EscortStepper(query=query)
    assert other.model.tour.stops[0].title == "First"
    assert other.model.show.item == Item(Kind.POSITION, "mode-3")
    other.model.go_on(1)
    assert other.model.at == 60 and other.model.show.item == Item(Kind.SCENARIO, "hunter-group")
    browser.says("file", [data], name="tour.toml", size=len(data))
    assert app.model.tour == other.model.tour and app.model.tour.stops[0].note == 'Say "why".'
    assert app.chooser.options[0] == (UI_STEP("tour.own"), Item(Kind.TOUR, ""))


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
    monkeypatch.setattr(hunts, "FIRST", ("hunter-group", 1))
    found = []
    monkeypatch.setattr(hunts, "hunt", lambda *args, real=hunts.hunt: found.append(args) or real(*args))
    assert "nk-step-page" in step_escorts()._dom_classes
    assert bool(found) is played


def test_another_language_takes_its_sentences_alone_and_the_address_asks_for_it(monkeypatch):
    monkeypatch.setitem(STEP.tables, "de", {"bar.on": "Weiter", "tab.log": "Verlauf", "now.next": "Weiter geht es."})
    for query, on, log in (("?lang=de", "Weiter", "Verlauf"), ("?lang=en", STEP("bar.on"), STEP("tab.log"))):
        monkeypatch.setenv("QUERY_STRING", f"{query}&position=mode-3")
        parts = list(all_of(step_escorts()))
        (next_,) = (each for each in parts if "nk-step-forward" in each._dom_classes)
        (tabs,) = (each for each in parts if "nk-tabs" in each._dom_classes)
        assert next_.description == on and tabs.titles[-1] == log and tabs.titles[0] == STEP("tab.action")
