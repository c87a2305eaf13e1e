"""The explorer before a class in a real Chromium: to be read from the back row, and moved by keys alone."""

from __future__ import annotations
import re

import pytest
from playwright.sync_api import expect

from navalkit import explore
from navalkit.explore import QUESTIONS, ask
from ..sentences import EXPLORE, SERVE_PHONE
from .conftest import axe, open_page, set_theme, shot, sideways
from .test_class import phones

__all__ = ["phones"]
HEARD = """() => Object.entries(sessionStorage).every(([key, kept]) =>
  !key.startsWith("navalkit:journal:") || !JSON.parse(kept).orders.length)"""

SMALL = """() => {
  const grown = (svg) => svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
  const scale = (it) => grown(it.ownerSVGElement);
  const texts = [...document.querySelectorAll('.nk-explore-stage :is(p, h2, b, span, button, text)')]
    .filter((it) => it.getClientRects().length && it.textContent.trim() && !it.querySelector(':is(p, b, span, text)'));
  return Math.min(...texts.map((it) => parseFloat(getComputedStyle(it).fontSize) * scale(it)));
}"""
"""Pixels of the smallest words that a class sees."""
CUT = """() => [...document.querySelectorAll('.nk-lectern-slider :is(.nk-lectern-label, .nk-lectern-value, i, span)')]
  .filter((it) => it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).display !== 'inline')
  .map((it) => it.textContent)"""
"""What a slider says that cannot be read to its end."""
COVERED = """() => [...document.querySelectorAll('.nk-lectern-slider > *')]
  .filter((it) => it.textContent && it.getClientRects().length && it.getBoundingClientRect().top <
    document.querySelector('.nk-explore-map').getBoundingClientRect().bottom)
  .map((it) => it.textContent)"""
"""What a slider says that the map covers."""
OVER = """() => {
  const parts = '.nk-lectern-label, .nk-lectern-value, .nk-lectern-note, .nk-lectern-ends > span';
  const said = [...document.querySelectorAll(`.nk-lectern-slider :is(${parts})`)]
    .filter((it) => it.textContent && it.getClientRects().length).map((it) => {
      const range = document.createRange();
      range.selectNodeContents(it);
      return [it.textContent, range.getBoundingClientRect()];
    });
  return said.flatMap(([text, a], i) => said.slice(i + 1)
    .filter(([, b]) => a.left + 1 < b.right && b.left + 1 < a.right && a.top + 4 < b.bottom && b.top + 4 < a.bottom)
    .map(([other]) => `${text} | ${other}`));
}"""
"""What sliders say that lies over each other."""
LIES_OVER = """() => {
  const parts = ['.nk-lectern-picture', '.nk-lectern-card', '.nk-lectern-columns', '.nk-lectern-sliders']
    .map((part) => [part, document.querySelector(part).getBoundingClientRect()]);
  return parts.flatMap(([name, a], i) => parts.slice(i + 1)
    .filter(([, b]) => a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom)
    .map(([other]) => `${name} | ${other}`));
}"""
"""What of the class's picture lies over another part of it."""
FAR = """() => [...document.querySelectorAll('.nk-lectern-all > *')].filter((it) => it.getClientRects().length)
  .map((it) => it.getBoundingClientRect())
  .filter((box) => box.bottom > innerHeight + 1 || box.right > innerWidth + 1).length"""


def in_class(page, voila, query):
    page.set_default_timeout(90_000)
    open_page(page, voila.page("explore_sinking.ipynb") + query)
    page.wait_for_selector(".nk-status .nk-explore-big")
    page.locator(".nk-left .nk-key-button-class").click()
    expect(page.locator(".nk-lectern-picture svg")).to_be_visible()
    expect(page.locator(".nk-lectern-columns svg")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(("context", "least"), [((1280, 800), 20), ((1920, 1080), 28)], indirect=["context"])
@pytest.mark.parametrize("query", ["?q=fleet-broadside", "?q=lox-sink", "?q=patrol-torpedo", "?q=task-look"])
def test_it_can_be_read_from_the_back_row_in_every_theme(page, voila, query, least):
    in_class(page, voila, query)
    page.wait_for_function("() => document.querySelector('.nk-lectern-picture svg').viewBox.baseVal.width > 700")
    assert page.evaluate(SMALL) >= least - 0.5
    assert page.evaluate(FAR) == 0 and not sideways(page) and page.evaluate(CUT) == []
    assert page.evaluate(OVER) == []
    assert page.evaluate("() => ((it) => it.scrollWidth <= it.clientWidth)(document.querySelector('.nk-lectern-big'))")
    for theme in ("dark", "contrast", "light"):
        set_theme(page, theme)
        assert axe(page) == []
    shot(page, f"explore-class{query.replace('?q=', '-')}-{least}")


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 800)], indirect=True)
def test_a_slider_goes_by_keys_and_picture_number_and_column_follow(page, voila):
    in_class(page, voila, "?q=fleet-salvo")
    slider = page.locator(".nk-lectern-slider[data-name=guns] input")
    slider.focus()
    for keys, guns in (("ArrowRight", 7), ("Home", 0), ("End", 24), ("ArrowLeft", 23)):
        slider.press(keys)
        answer = explore.answer("fleet-salvo", guns=guns)
        expect(page.locator(".nk-lectern-big")).to_have_text(ask.amount(answer.value, ""))
        expect(page.locator(".nk-lectern-picture circle")).to_have_count(guns + 2)  # and the two dots of the ships
        expect(page.locator(".nk-lectern-columns text[font-weight=bold]").first).to_be_visible()
        control = QUESTIONS["fleet-salvo"].control("guns")
        expect(slider).to_have_attribute("aria-valuetext", control.shown(guns))


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 800)], indirect=True)
def test_a_map_is_read_by_keys_and_a_press_goes_there(page, voila):
    in_class(page, voila, "?q=lox-sink")
    page.click(".nk-explore-stage-bar .nk-key-button-map")
    cells = page.locator(".nk-explore-map button[data-cell]")
    expect(cells).to_have_count(12)
    page.wait_for_function(f"() => !({COVERED})().length")
    small = "all => Math.min(...all.map((each) => parseFloat(getComputedStyle(each).fontSize)))"
    assert cells.evaluate_all(small) >= 20
    assert cells.evaluate_all("all => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length") == 0
    page.locator(".nk-explore-map button[data-cell='2 0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    value = ask.amount(explore.answer("lox-sink", torpedoes=3).value, "")
    expect(page.locator(".nk-lectern-big")).to_have_text(value)
    assert value in page.locator(".nk-explore-map button[data-cell='3 0']").get_attribute("title")
    assert axe(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("context", [(390, 844), (360, 640), (844, 390)], indirect=True)
def test_on_a_phone_nothing_is_out_of_reach_or_lies_over_something_else(page, voila):
    in_class(page, voila, "?q=patrol-charges")
    assert not sideways(page)
    for n in range(2):
        page.click(".nk-explore-stage-bar .nk-key-button-pin")
        expect(page.locator(".nk-lectern-pinned")).to_have_count(n + 1)
        page.locator(".nk-lectern-slider input").first.press("ArrowRight" if n else "ArrowLeft")
        page.wait_for_timeout(1500)
    assert page.evaluate(LIES_OVER) == []
    slider = page.locator(".nk-lectern-slider input").last
    slider.scroll_into_view_if_needed()
    expect(slider).to_be_in_viewport()
    assert slider.bounding_box()["height"] >= 40


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 800)], indirect=True)
def test_the_class_predicts_on_its_phones_before_a_slider_moves(page, voila, phones):
    open_page(page, voila.page("explore_sinking.ipynb") + "?q=lox-sink&class=1")
    before = ask.amount(explore.answer("lox-sink").value, "")
    big, show = page.locator(".nk-lectern-big"), page.locator(".nk-explore-stage .nk-key-button-show")
    expect(big).to_have_text("?")
    expect(page.locator("body")).not_to_contain_text(before)
    show.click()
    expect(big).to_have_text(before)
    page.wait_for_function(HEARD)  # pressed again before that, it is the same press
    show.click()
    expect(big).to_have_text("?")
    expect(page.locator(".nk-lectern-code")).to_have_text(re.compile(r"\w{3} \w{3}"))
    code = page.locator(".nk-lectern-code").inner_text().replace(" ", "")
    for phone in phones[:2]:
        phone.goto(f"{voila.url}/room/{code}")
        expect(phone.locator("main")).to_contain_text(SERVE_PHONE("wait.title"))
    page.locator(".nk-explore-stage .nk-key-button-guess").click()
    for phone, guess in zip(phones, (20, 60), strict=False):
        slider = phone.locator(".nk-phone-scale")
        slider.fill(str(guess))
        phone.click("#bar button.nk-phone-primary:enabled")
        expect(phone.locator("#bar button.nk-phone-primary")).to_contain_text(f"{guess} %")
        expect(phone.locator("main")).not_to_contain_text(before)
    expect(page.locator(".nk-lectern-sub")).to_have_text(EXPLORE("guess.come", n=2, of=2))
    expect(page.locator("body")).not_to_contain_text(before)  # no number, chart or sentence tells it
    slider = page.locator(".nk-lectern-slider[data-name=torpedoes] input")
    value = slider.input_value()
    expect(slider).to_be_disabled()
    shot(page, "explore-class-guessing", full_page=False)
    page.locator(".nk-explore-stage .nk-key-button-reveal").click()
    expect(page.locator(".nk-lectern-big")).to_have_text(before)
    assert slider.input_value() == value
    expect(phones[0].locator("main")).to_contain_text(EXPLORE("guess.told", value=before, middle=40))
    shot(page, "explore-class-revealed", full_page=False)
    slider.focus()
    slider.press("ArrowRight")
    expect(big).to_have_text("?")
    show.click()
    expect(big).to_have_text(re.compile(r"\d"))
    expect(big).not_to_have_text(before)


CUT = """() => [...document.querySelectorAll(".nk-explore-map [data-kind=heat] button")].filter((each) =>
  each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right >
  document.querySelector(".nk-left").getBoundingClientRect().left).map((each) => each.textContent)"""
COVERED = """() => { const box = document.querySelector(".nk-lectern-big").getBoundingClientRect();
  return !document.elementFromPoint(box.left + 8, box.top + box.height / 2)?.closest(".nk-lectern-card"); }"""


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 800), (1920, 1080)], indirect=True)
def test_way_in_and_map_stand_whole_beside_the_settings(page, voila):
    open_page(page, voila.page("explore_sinking.ipynb") + "?q=fleet-broadside&class=1")
    page.locator(".nk-explore-stage .nk-key-button-drawer").click()
    expect(page.locator(".nk-explore-phones img")).to_be_in_viewport(ratio=1)
    page.locator(".nk-explore-stage .nk-key-button-show").click()
    expect(page.locator(".nk-lectern-big")).to_have_text(re.compile(r"\d"))
    page.locator(".nk-explore-stage .nk-key-button-map").click()
    expect(page.locator(".nk-explore-map [data-kind=heat] button").first).to_be_visible()
    page.wait_for_timeout(500)
    shot(page, "explore-class-settings-map", full_page=False)
    assert page.evaluate(CUT) == [] and not page.evaluate(COVERED)
    expect(page.locator(".nk-lectern-big")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 800)], indirect=True)
def test_a_tab_that_goes_back_to_an_earlier_page_of_its_class_has_it_still(page, voila):
    """It is the same tab, whatever address of the page it is on."""
    page.set_default_timeout(90_000)
    stage, code = page.locator(".nk-explore-stage"), ""
    for question in ("task-look", "patrol-torpedo"):
        open_page(page, voila.page("explore_sinking.ipynb") + f"?q={question}&class=1")
        expect(stage).to_contain_text(code := code or re.search(r"\b\w{3} \w{3}\n", shown(stage))[0].strip())
    for go in (page.go_back, page.reload):
        page.wait_for_timeout(1000)  # the place is kept
        go()
        expect(stage).to_contain_text(code)  # it is not on a page that has lost the class


def shown(stage):
    """What is in front of the class, with its code."""
    expect(stage).to_contain_text(re.compile(r"\b[2-9A-Z]{3} [2-9A-Z]{3}\b"))
    return stage.inner_text()
