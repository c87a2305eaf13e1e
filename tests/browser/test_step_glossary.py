"""The stepper's glossary opened by click, key and tap, and tours played to their ends, on a computer and a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from navalkit.testing import heard
from navalkit.walks import shows
from ..sentences import PATROL_WALK
from .conftest import shot, sideways
from .driver import PATIENCE, Driver

TERMS = {
    "who-moves-first": ("mode", "radial", "vector", "assault-zone"),
    "outer-circle": ("inverted-marker",),
    "back-to-station": ("station",),
}
"""Ready-made positions, and terms that their decisions use, by key."""
SIZES = [(1280, 800), (390, 844)]
ENTRY = """(e) => { const picture = e.querySelector('svg').getBoundingClientRect();
  return [e.open, e.querySelector('p').textContent, picture.left, picture.right, picture.height,
    Math.max(0, picture.bottom - innerHeight)]; }"""
FILLED = "(e) => e.open && e.querySelector('svg') && e.querySelector('p').textContent"


@pytest.fixture(params=SIZES, ids=lambda size: str(size[0]))
def device(browser, request):
    """A page on a computer or a phone, which can be tapped."""
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", has_touch=True)
    context.set_default_timeout(PATIENCE)
    made = context.new_page()
    made.errors = []
    made.on("pageerror", lambda error: made.errors.append(str(error)))
    yield made
    assert made.errors == []
    context.close()


@pytest.mark.slow
def test_every_term_opens_by_click_by_key_and_by_tap(device, voila):
    width = device.viewport_size["width"]
    for position, names in TERMS.items():
        Driver(device, voila.page(f"step_escorts.ipynb?position={position}"))
        for key in names:
            name = PATROL_WALK(f"term.{key}.name")
            term = device.locator(".nk-step-told .nk-step-term", has_text=name).first
            head = term.locator("summary")
            expect(head).to_have_text(name)
            for way in ("click", "key", "tap"):
                head.scroll_into_view_if_needed()
                {"click": head.click, "key": lambda head=head: head.press("Enter"), "tap": head.tap}[way]()
                device.wait_for_function(FILLED, arg=term.element_handle())
                opened, text, left, right, height, below = device.evaluate(ENTRY, term.element_handle())
                assert opened and len(text) > 40 and left >= 0 and right <= width and height > 60, (name, way)
                assert below <= 1, "its picture is in sight"
                if way == "tap":
                    shot(device, f"term-{width}-{key}", full_page=False)
                head.press("Enter")
                expect(term.locator("p").first).to_be_hidden()
    assert sideways(device) <= 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["an-attack", "two-boats"])
def test_a_tour_is_played_from_the_page_to_its_end(device, voila, name):
    tour = shows.find("on-patrol", name)
    phone = device.viewport_size["width"] < 900
    stepper = Driver(device, voila.page(f"step_escorts.ipynb?tour={name}&view=class"))
    seen = []
    for _ in range(200):
        title = device.inner_text(".nk-step-tour h3")
        if title not in seen:
            seen.append(title)
            shot(device, f"tour-{name}-{device.viewport_size['width']}-{len(seen)}", full_page=False)
        assert device.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0 and sideways(device) <= 0
        asked = heard(stepper.status, PATROL_WALK, "now.asked.board")
        if asked and device.locator(".nk-key-predict-confirm").is_visible():
            with stepper.answer():
                device.locator(".nk-canvas").click()
            with stepper.answer():
                device.click(".nk-key-predict-confirm")
        if not device.locator(".nk-key-bar-on").is_enabled():
            break
        with stepper.answer():
            if phone:
                device.tap(".nk-key-bar-on")
            else:
                device.keyboard.press("PageDown")
    assert seen == [stop.title for stop in tour.stops]
