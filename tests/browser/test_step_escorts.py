"""The escort stepper in a real Chromium: stepping by keys, predicting, what-if by drag, links, a phone, a projector."""

from __future__ import annotations
import re

import pytest
from playwright.sync_api import expect

from navalkit.core.awaited import finish
from navalkit.games.on_patrol.board.camera import TALL, WIDE, SeaCamera
from navalkit.games.on_patrol.escort.automaton import decide
from navalkit.grids.hex import Hex
from navalkit.testing import heard, said
from navalkit.walks import shows
from navalkit.walks.stepper import Stepper as Walked
from ..sentences import PATROL_ESCORT, PATROL_WALK, PATROL_WHY, UI, UI_STEP, WALKS, like
from .conftest import axe, open_page, set_theme, shot, sideways
from .driver import Driver

OPENED = "() => getComputedStyle(document.querySelector('.nk-waiting')).visibility === 'hidden'"
"""What the address asks for is there, however long its hunt was played."""


class Stepper(Driver):
    """One page of the stepper, with a twin of its model that knows where a hex lies on the board."""

    def __init__(self, page, voila, query):
        super().__init__(page, voila.page("step_escorts.ipynb") + query)
        self.twin = Walked(shows.position("on-patrol", "mode-1"))
        self.twin.open_query(query)
        page.wait_for_function(OPENED)

    def click(self, css):
        super().click(self.page.locator(css).first)

    def where(self, label):
        """Where on the page a hex of the twin's window lies."""
        view = SeaCamera().view(self.twin.sight)
        x, y = view.layout.center(Hex.parse(label))
        box = self.page.locator(".nk-canvas").bounding_box()
        return box["x"] + x * box["width"] / view.size[0], box["y"] + y * box["height"] / view.size[1]

    def point(self, label):
        with self.answer():
            self.page.mouse.click(*self.where(label))

    @property
    def headline(self):
        return self.page.inner_text(".nk-step-headline")

    @property
    def lines(self):
        return self.page.locator(".nk-step-told > li")


def test_a_class_steps_through_the_night_convoy(page, voila):
    stepper = Stepper(page, voila, "")
    said(stepper.status, UI_STEP, "now.first")
    left, right, places = page.evaluate(TIMELINE)
    assert right - left > 400 and max(places) - min(places) > 200, "moments lie apart on the timeline"
    shot(page, "step-1280-start")
    assert axe(page) == []
    stepper.click(".nk-key-bar-on")
    assert re.match(r"E\d", stepper.headline) and stepper.lines.count() > 4
    rules = [line.inner_text() for line in page.locator(".nk-step-told .nk-step-rule-text > summary").all()]
    assert rules[0].startswith("104.2.1")
    first = stepper.headline
    for name in ("ArrowRight", "PageDown"):
        stepper.key(name)
    assert stepper.headline != first
    for name in ("PageUp", "ArrowLeft"):
        stepper.key(name)
    assert stepper.headline == first
    stepper.click(".nk-step-told li button")
    assert page.locator(".nk-step-told .nk-step-lit").count() == 1
    assert page.get_attribute(".nk-step-told .nk-step-lit button", "aria-pressed") == "true"
    rule = page.locator(".nk-step-told .nk-step-lit .nk-step-rule-text")
    page.keyboard.press("r")
    expect(rule.locator("p")).to_contain_text("Escort Action Table")
    rule.locator("summary").click()
    expect(rule.locator("p")).to_be_hidden()
    rule.locator("summary").press("Enter")
    expect(rule.locator("p")).to_be_visible()
    page.locator(".nk-step-told .nk-step-lit .nk-step-term > summary").click()
    expect(page.locator(".nk-step-term-picture svg").first).to_be_visible(timeout=60_000)
    page.locator(".nk-step-headline").click()
    assert page.locator(".nk-step-lane").count() >= 2
    assert page.locator("tr.nk-step-fired").count() >= 1
    set_theme(page, "dark")
    shot(page, "step-1280-dark")
    assert axe(page) == []
    stepper.key("End")
    said(stepper.status, UI_STEP, "now.end")
    board = page.locator(".nk-canvas")
    assert board.evaluate("canvas => canvas.width") == 2 * WIDE[0] <= 2 * board.bounding_box()["width"]


@pytest.mark.slow
def test_the_arrow_keys_step_after_a_click_on_the_board_too(page, voila):
    stepper = Stepper(page, voila, "?position=mode-3")
    stepper.point("A24")
    assert stepper.headline.startswith("E2")
    stepper.key("ArrowRight")  # the canvas has the focus, but was not reached by keys
    said(stepper.status, PATROL_WALK, "now.decides", who="E2")
    assert stepper.headline.startswith("E2")


@pytest.mark.slow
def test_rule_by_rule_by_keys_and_the_space_bar_plays(page, voila):
    stepper = Stepper(page, voila, "?position=the-attack&by=rule")
    said(stepper.headline, PATROL_WALK, "headline.asks")
    assert stepper.lines.count() == 0
    for n in (1, 2, 3):
        stepper.key("ArrowRight")
        assert stepper.lines.count() == n
        assert "nk-step-lit" in page.locator(".nk-step-told > li").nth(n - 1).get_attribute("class")
    page.locator(".nk-key-menu").click()
    page.locator(".nk-speed select").select_option(label=UI("speed.fast"))
    page.locator(".nk-step-headline").click()  # the focus leaves the list
    page.keyboard.press(" ")
    page.wait_for_function("() => document.querySelectorAll('.nk-step-told > li').length > 4", timeout=60_000)
    page.keyboard.press(" ")
    expect(page.locator(".nk-key-play")).to_have_text(UI("play"))


@pytest.mark.slow
def test_the_class_predicts_and_the_score_is_kept(page, voila):
    stepper = Stepper(page, voila, "?position=mode-3")
    stepper.click(".nk-key-mode-predict")
    said(stepper.status, PATROL_WALK, "now.asked.board")
    assert stepper.lines.count() == 0
    shot(page, "step-1280-predict")
    end = decide(stepper.twin.state, "E1").path[-1].place.bow
    stepper.point("I23")
    stepper.point(str(end))
    said(stepper.status, UI_STEP, "now.chosen")
    assert stepper.lines.count() == 0
    stepper.click(".nk-key-predict-confirm")
    said(stepper.status, PATROL_WALK, "predict.hit")
    assert stepper.lines.count() > 4
    assert "1 of 1" in page.inner_text(".nk-step-predict")
    stepper.key("ArrowRight")
    said(stepper.status, PATROL_WALK, "now.asked.board", who="E2")
    shot(page, "step-1280-predicted")
    assert axe(page) == []


@pytest.mark.slow
def test_what_if_by_drag_by_click_and_by_mode(page, voila):
    stepper = Stepper(page, voila, "?position=mode-3")
    stepper.click(".nk-key-mode-what-if")
    target = page.locator(".nk-step-changes tr", has_text=PATROL_WHY("whatif.field.target"))
    with stepper.answer():
        page.mouse.move(*stepper.where("Q33"))
        page.mouse.down()
    for label in ("P32", "N32", "L31"):
        with stepper.answer():
            page.mouse.move(*stepper.where(label), steps=4)
    page.mouse.up()
    end = Hex.parse("L31").step(2).label
    expect(target).to_contain_text(re.compile(rf"≠ {PATROL_WHY('whatif.field.target')}\s*R33\s*{end}"), timeout=60_000)
    shot(page, "step-1280-what-if")
    assert axe(page) == []
    stepper.click(".nk-key-what-if-reset")
    expect(target).to_have_count(0)
    stepper.point("M26")
    stepper.point("G24")
    expect(page.locator(".nk-step-changes")).to_contain_text(f"≠ {PATROL_WHY('whatif.field.path')}", timeout=60_000)
    stepper.click("button.nk-step-mode:has-text('6')")
    said(stepper.headline, PATROL_ESCORT, "summary.diameter", mode=6)
    assert "Inverted" in page.inner_text("tr.nk-step-fired")


@pytest.mark.slow
def test_a_window_that_is_made_narrow_and_wide_again_shows_what_it_showed(page, voila):
    stepper = Stepper(page, voila, "?position=mode-3")
    stepper.click(".nk-key-mode-what-if")
    for label in ("Q33", "L31"):
        stepper.point(label)
    for width, board in ((390, TALL), (1280, WIDE), (1, WIDE), (1280, WIDE)):  # a photograph makes it 1 px for a moment
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(300)
        page.wait_for_function("n => document.querySelector('.nk-canvas').width === n", arg=2 * board[0])
    stepper.point("M26")
    stepper.tells(like(PATROL_WALK, "what-if.lifted", piece="E1"))


@pytest.mark.slow
def test_a_link_leads_to_the_very_step_and_files_are_handed_over(page, voila):
    stepper = Stepper(page, voila, "?scenario=hunter-group&seed=1&step=30&by=rule&line=3")
    assert stepper.lines.count() == len(stepper.twin.lines)
    assert page.input_value(".nk-step-unit select") == UI_STEP("bar.unit.rule")
    page.locator(".nk-key-menu").click()
    stepper.click(".nk-key-link")
    assert "scenario=hunter-group&seed=1&step=30&by=rule" in stepper.status
    for css, ending in ((".nk-key-svg", ".svg"), (".nk-key-report", "report.html"), (".nk-key-sheets", "sheets.html")):
        with page.expect_download() as handed:
            page.locator(css).click()
        assert handed.value.suggested_filename.endswith(ending)
    with page.expect_file_chooser() as chooser:
        page.locator(".nk-key-open").click()
    before = stepper.count
    data = stepper.twin.show.match.dumps().encode()
    chooser.value.set_files({"name": "hunt.toml", "mimeType": "application/toml", "buffer": data})
    stepper.answered(before)
    expect(page.locator(".nk-step-chooser select")).to_have_value(like(WALKS, "show.saved"))


@pytest.mark.slow
@pytest.mark.parametrize("context", [(390, 844)], indirect=True)
def test_on_a_phone(page, voila):
    stepper = Stepper(page, voila, "?position=mode-4")
    assert sideways(page) <= 0
    for css in (".nk-key-bar-on", ".nk-key-bar-back", ".nk-key-play", ".nk-step-modes button"):
        box = page.locator(css).first.bounding_box()
        assert box["height"] >= 44 and box["width"] >= 44
    stepper.click(".nk-key-bar-on")
    assert sideways(page) <= 0
    shot(page, "step-390")
    assert axe(page) == []


CUT = """[...document.querySelectorAll('.nk-step-projector .nk-right, .nk-step-projector .nk-right *')].filter(
  (e) => e.clientHeight > 1 && getComputedStyle(e).overflowY !== 'visible' &&
    (e.scrollHeight > e.clientHeight + 2 || e.scrollWidth > e.clientWidth + 2)).map((e) => e.className)"""
LABELS = 15
"""Pixels of a ship's name on the screen at least."""
LINES, RULES = 18, 14
"""Pixels of a line in front of a class, and of its rule, at least."""
TYPE = """[...document.querySelectorAll('.nk-step-current :is(.nk-step-line, .nk-step-rule-text[open] > p)')].map(
  (e) => parseFloat(getComputedStyle(e).fontSize))"""


TIMELINE = """(() => {
  const {left, right} = document.querySelector('.nk-step-lane-line').getBoundingClientRect();
  const marks = [...document.querySelectorAll('.nk-step-lane-line > i')];
  return [left, right, marks.map((mark) => mark.getBoundingClientRect().x)];
})()"""
"""From where to where the timeline goes, and where its moments are."""


def in_sight(page, size):
    """In front of a class the board has over 70 % of the screen, and nothing scrolls or is cut."""
    board = page.locator(".nk-board").bounding_box()
    assert board["width"] * board["height"] > 0.7 * size[0] * size[1]
    canvas = page.locator(".nk-canvas").bounding_box()
    assert abs(canvas["height"] - board["height"]) < 4 and abs(canvas["width"] - board["width"]) < 4
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
    assert page.evaluate(CUT) == []
    for css in (".nk-step-moments", ".nk-key-bar-on", ".nk-key-eyes-me"):
        box = page.locator(css).bounding_box()
        assert box["y"] + box["height"] <= size[1] and box["x"] + box["width"] <= size[0]
    now = page.locator(".nk-step-current[data-kind=move], .nk-step-so:not([hidden])")
    if page.locator(".nk-step-count").inner_text() or page.locator(".nk-key-predict-confirm").is_visible():
        said(now.first.inner_text(), PATROL_WALK, "line.move")
        assert now.first.is_visible()
    sizes = page.evaluate(TYPE)
    unfolded = page.locator(".nk-step-current :is(.nk-step-count-of, .nk-step-term)[open]")
    more = unfolded.count()  # it takes room
    assert more or all(size >= least for size, least in zip(sizes, (LINES, RULES), strict=False)), sizes
    if page.locator(".nk-step-current:not([data-kind=move])").count() and not page.locator(".nk-step-teacher").count():
        assert len(sizes) == 2, "her rule is unfolded"
    left, right, places = page.evaluate(TIMELINE)
    assert right - left > 0.25 * size[0]
    assert places == sorted(places) and (len(places) < 3 or places[-1] - places[0] > 2), places


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 800), (1920, 1080)], indirect=True)
def test_the_night_convoy_is_taught_from_first_contact_to_sinking_without_scrolling(page, voila):
    size = page.viewport_size["width"], page.viewport_size["height"]
    stepper = Stepper(page, voila, "?tour=night-convoy&view=class")
    page.wait_for_function(f"() => document.querySelector('.nk-canvas').clientWidth > {0.7 * size[0]}")
    stops = []
    for _ in range(150):
        in_sight(page, size)
        title = page.inner_text(".nk-step-tour h3")
        if title not in stops:
            stops.append(title)
            shot(page, f"step-class-{size[0]}-{len(stops)}", full_page=False)
        asked = heard(stepper.status, PATROL_WALK, "now.asked.board")
        if asked and page.locator(".nk-key-predict-confirm").is_visible():
            canvas = page.locator(".nk-canvas").bounding_box()
            with stepper.answer():
                page.mouse.click(canvas["x"] + canvas["width"] / 2, canvas["y"] + canvas["height"] / 2)
            stepper.click(".nk-key-predict-confirm")
        if page.locator(".nk-step-ending").is_visible():
            break
        stepper.key("PageDown")
    said(page.inner_text(".nk-step-ending"), PATROL_WALK, "ending.decided")
    assert len(stops) == 8
    stepper.key("i")
    in_sight(page, size)
    assert page.locator(".nk-step-teacher").is_visible()
    assert axe(page) == []
    stepper.click(".nk-key-leave")
    expect(page.locator(".nk-step-projector")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 800)], indirect=True)
def test_the_longest_lines_and_rules_of_the_whole_hunt_can_be_read(page, voila):
    show = finish(shows.from_query("on-patrol", "")).show
    rules = show.game.rules()
    found = [
        (1.4 * len(line.ask + line.text) + 0.75 * len(rules[line.rule].text), at, told)
        for at, moment in enumerate(show.row)
        if moment.who
        for told, line in enumerate(finish(show.walk.deciding(show.game, moment, moment.who)).lines, 1)
        if line.rule
    ]
    for _, at, told in sorted(found)[-2:]:
        Stepper(page, voila, f"?scenario=night-convoy&seed=2&step={at}&by=rule&line={told}&view=class")
        page.wait_for_function("() => document.querySelector('.nk-canvas').clientWidth > 896")
        expect(page.locator(".nk-step-current .nk-step-rule-text[open] > p")).to_be_visible()
        page.wait_for_timeout(500)
        in_sight(page, (1280, 800))


@pytest.mark.slow
def test_the_teacher_has_a_window_of_their_own(page, voila):
    stepper = Stepper(page, voila, "?tour=night-convoy&view=class")
    with page.expect_popup() as opened:
        page.click(".nk-step-tools .nk-key-notes")
    mine = opened.value
    expect(mine.locator("body")).to_contain_text("Name what lies on the sea")
    assert "Name what lies" not in page.inner_text(".nk-right")
    for _ in range(3):  # keys step in either window
        with stepper.answer():
            mine.keyboard.press("PageDown")
    expect(mine.locator("li.nk-notes-move")).to_contain_text(PATROL_WALK("line.move"))
    expect(mine.locator("body")).to_contain_text("To come: The first hit")
    said(stepper.status, PATROL_WALK, "now.asked.board")
    assert stepper.lines.count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("context", [(390, 844)], indirect=True)
def test_in_class_on_a_phone_nothing_scrolls_and_the_line_is_there(page, voila):
    stepper = Stepper(page, voila, "?position=the-attack&view=class")
    for _ in range(5):
        stepper.key("ArrowRight")
    assert page.locator(".nk-step-told .nk-step-current").is_visible() and sideways(page) <= 0
    assert page.evaluate(CUT) == [] and page.evaluate(TYPE)[0] >= 16
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
    box = page.locator(".nk-step-tools").bounding_box()
    assert box["y"] + box["height"] <= 844
    shot(page, "step-class-390", full_page=False)
    assert axe(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 800)], indirect=True)
def test_ten_weapons_are_a_count_that_opens_and_the_whole_sea_names_its_ships(page, voila):
    stepper = Stepper(page, voila, "?position=the-attack&view=class")
    while "10 weapons" not in page.locator(".nk-step-told").inner_text():
        stepper.key("ArrowRight")
    parts = page.locator(".nk-step-current .nk-step-parts button")
    assert parts.count() == 10 and not parts.first.is_visible()
    page.locator(".nk-step-current .nk-step-count-of > summary").click()
    page.wait_for_timeout(300)
    in_sight(page, (1280, 800))
    stepper.click(".nk-step-current .nk-step-parts button >> nth=3")
    assert parts.nth(3).get_attribute("aria-pressed") == "true"
    shot(page, "step-class-weapons", full_page=False)
    scale = page.evaluate("document.querySelector('.nk-canvas').clientHeight") / 500
    assert 12 * scale >= LABELS
    assert axe(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("context", [(844, 390)], indirect=True)
def test_on_a_phone_lying_down_the_whole_board_is_seen_over_what_steps_on(page, voila):
    open_page(page, voila.page("step_escorts.ipynb?scenario=night-convoy&seed=2&step=12&class=1"))
    page.wait_for_selector(".nk-room-code")
    page.wait_for_function("""() => { const box = (css) => document.querySelector(css).getBoundingClientRect();
        const board = box("canvas.nk-canvas");
        return board.height > 200 && board.top >= 0 && board.bottom <= box(".nk-step-bar").top; }""")


def test_a_page_that_is_loaded_again_stands_at_its_step(page, voila):
    stepper = Stepper(page, voila, "")
    for _ in range(3):
        stepper.click(".nk-key-bar-on")
    stood = page.text_content(".nk-step-headline")
    page.reload()
    page.wait_for_selector("#nk-loading", state="detached")
    page.wait_for_function(OPENED)
    expect(page.locator(".nk-step-headline")).to_have_text(stood)
