"""A class with four phones goes through a piece of the night convoy: the teacher steps, the phones predict."""

from __future__ import annotations
import re

import pytest
from playwright.sync_api import expect

from navalkit.testing import said
from ..sentences import CLASSES, PATROL_WALK, SERVE_PHONE, UI_ROOMS, like
from .conftest import axe, open_page, shot, sideways, wait_for

OFFLINE = [
    "net::ERR_(INTERNET_DISCONNECTED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_(REFUSED|RESET|CLOSED|ABORTED)|SOCKET_NOT_CONNECTED|"
    "EMPTY_RESPONSE|NETWORK_CHANGED)",
    "status of (404|403|429|503)",
]

NAMED = CLASSES("kinds").split("|")[0]
"""How the first phone of a class is named."""


@pytest.fixture
def phones(browser):
    """Four phones, 360 px wide, watched for errors."""
    made, pages, seen = [], [], []
    for number in range(4):
        scheme = "dark" if number == 3 else "light"
        context = browser.new_context(
            viewport={"width": 360, "height": 720}, reduced_motion="reduce", has_touch=True, color_scheme=scheme
        )
        context.set_default_timeout(20_000)
        made.append(context)
        pages.append(context.new_page())
        pages[-1].on("pageerror", lambda error: seen.append(str(error)))
        pages[-1].on("console", lambda line: seen.append(line.text) if line.type == "error" else None)
    yield pages
    for context in made:
        context.close()
    assert not [line for line in seen if not any(re.search(pattern, line) for pattern in OFFLINE)]


def press(page, name: str) -> None:
    page.click(f".nk-key-{name}:visible")


def answer(phone, cell) -> str:
    """Tap a cell (or a button with these words), and confirm it; returns what the phone then says."""
    phone.locator(cell).first.dispatch_event("click")
    phone.click("#bar button.nk-phone-primary:enabled")
    expect(phone.locator("#bar button.nk-phone-primary")).to_contain_text(like(SERVE_PHONE, "mine"))
    return phone.inner_text("#bar button.nk-phone-primary")


@pytest.mark.slow
def test_a_teacher_and_four_phones_go_through_a_piece_of_a_hunt(page, voila, kernels, phones):
    open_page(page, voila.page("step_escorts.ipynb?position=mode-3&class=1"))
    page.wait_for_selector(".nk-room-code")
    code = page.inner_text(".nk-room-code")
    shot(page, "class-door")
    before = kernels()
    for phone in phones:
        phone.goto(f"{voila.url}/room/{code}")
        expect(phone.locator("main")).to_contain_text(SERVE_PHONE("wait.title"))
    expect(page.locator(".nk-room-text")).to_contain_text(UI_ROOMS("class.joined", n=4))
    shot(phones[0], "phone-wait", full_page=False)

    press(page, "class-where")
    for phone in phones:
        expect(phone.locator("h2")).to_contain_text(like(PATROL_WALK, "ask.where"))
        phone.wait_for_selector(".nk-phone-cell")
    cells = phones[0].eval_on_selector_all(".nk-phone-cell", "all => all.map(each => each.dataset.id)")
    shot(phones[0], "phone-open", full_page=False)
    assert not axe(phones[0]) and sideways(phones[0]) <= 0
    for number, phone in enumerate(phones[:3]):
        answer(phone, f'.nk-phone-cell[data-id="{cells[5 * number + 2]}"]')
    answer(phones[0], f'.nk-phone-cell[data-id="{cells[9]}"]')  # changed while it is open
    shot(phones[0], "phone-answered", full_page=False)
    expect(page.locator(".nk-room-come")).to_have_text(UI_ROOMS("class.come", n=3, of=4))
    phones[2].reload()  # on coming back, the question and the answer are there
    expect(phones[2].locator("#bar button.nk-phone-primary")).to_contain_text(like(SERVE_PHONE, "mine"))
    shot(page, "class-open")
    press(page, "class-tell")
    expect(page.locator(".nk-room-votes")).to_be_visible()
    for phone in phones:
        expect(phone.locator("main")).to_contain_text(like(PATROL_WALK, "told.where"))
    expect(phones[3].locator("main")).to_contain_text(SERVE_PHONE("mine.none"))
    phones[0].wait_for_selector(".nk-phone-board img")
    shot(phones[0], "phone-shown")
    shot(phones[3], "phone-shown-dark")
    shot(page, "class-shown")
    assert not axe(phones[0]) and sideways(phones[0]) <= 0

    press(page, "class-which")
    for number, phone in enumerate(phones):
        phone.wait_for_selector(".nk-phone-list button")
        answer(phone, f".nk-phone-list button:nth-child({number + 1})")
    shot(phones[1], "phone-rule")
    expect(page.locator(".nk-room-come")).to_have_text(UI_ROOMS("class.come", n=4, of=4))
    press(page, "class-tell")
    expect(phones[0].locator(".nk-phone-good, .nk-phone-bad")).to_be_visible()

    press(page, "class-more")
    press(page, "class-progress")
    expect(page.locator(".nk-room-progress tbody tr")).to_have_count(2)
    shot(page, "class-progress")
    assert not axe(page)

    assert kernels() == before  # no phone costs one
    with page.expect_download() as report:
        press(page, "class-end")
    text = report.value.path().read_text()
    said(text, PATROL_WALK, "ask.where")
    assert NAMED not in text
    for phone in phones:
        expect(phone.locator("main")).to_contain_text(SERVE_PHONE("over"))
    wait_for(lambda: page.locator(".nk-key-class-open:visible").count() == 1, 10, "the class has not ended")


def test_a_wrong_code_is_said_and_asked_for_again(phones, voila):
    phone = phones[0]
    phone.goto(f"{voila.url}/room")
    phone.fill("#code", "xxx xxx")
    phone.click("button.nk-phone-primary")
    expect(phone.get_by_role("alert")).to_contain_text(CLASSES("no.room", code="XXXXXX"))
    shot(phone, "phone-code", full_page=False)
    assert not axe(phone) and sideways(phone) <= 0
