"""A class with its phones alone: a lesson's hook and exercises at the teacher's pace, and the board of progress."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from navalkit.rooms.store import Rooms
from navalkit.teach.papers import DOOR
from ..sentences import CLASSES, CLICKERS, SERVE_PHONE, UI_ROOMS
from ..servers import ROOT, serve
from .conftest import axe, open_page, set_theme, shot, sideways
from .test_class import NAMED, answer, phones, press

__all__ = ["phones"]
PAGE = "lessons/class.ipynb?lesson={}&class=1"


@pytest.fixture
def server(monkeypatch, tmp_path):
    """As `navalkit class --exercises` starts it: the teachers' door is open."""
    monkeypatch.setenv(DOOR, str(ROOT / "teaching"))
    with serve(ROOT / "notebooks", tmp_path) as started:
        yield started


def chosen(phone, label: str) -> None:
    answer(phone, f".nk-phone-list button:text-is('{label}')")


@pytest.mark.slow
def test_four_phones_answer_a_lessons_hook_and_exercises(page, server, phones):
    open_page(page, server.page(PAGE.format("cards")))
    code = page.inner_text(".nk-room-code")
    shot(page, "lesson-class-door")
    for phone in phones:
        phone.goto(f"{server.url}/room/{code}")
        expect(phone.locator("main")).to_contain_text(SERVE_PHONE("wait.title"))
    expect(page.locator(".nk-room-text")).to_contain_text(UI_ROOMS("class.joined", n=4))

    press(page, "lesson-ask")
    for phone, label in zip(phones, ("One", "Two", "Two", "Three"), strict=True):
        expect(phone.locator("h2")).to_have_text("How many torpedoes?")
        chosen(phone, label)
    shot(phones[0], "lesson-phone-hook")
    expect(page.locator(".nk-room-come")).to_have_text(UI_ROOMS("class.come", n=4, of=4))
    shot(page, "lesson-class-hook")
    press(page, "class-tell")
    expect(page.locator(".nk-lesson-told")).to_contain_text("they make a pair")
    expect(phones[1].locator("main")).to_contain_text(SERVE_PHONE("shown.same", n=1))
    expect(phones[1].locator(".nk-phone-good, .nk-phone-bad")).to_have_count(0)  # in a vote nobody is wrong

    press(page, "lesson-next")
    expect(phones[0].locator("main")).to_contain_text(SERVE_PHONE("wait.title"))
    press(page, "lesson-ask")
    for phone, label in zip(phones, ("7", "7", "6", CLICKERS("else")), strict=True):
        expect(phone.locator("h2")).to_have_text("Cards that hit alone")
        chosen(phone, label)
    assert "forgot" not in page.content() and "forgot" not in phones[0].content()
    shot(phones[0], "lesson-phone-exercise")
    assert not axe(phones[0]) and sideways(phones[0]) <= 0
    press(page, "class-tell")
    expect(phones[0].locator(".nk-phone-bad")).to_be_visible()
    expect(phones[0].locator("main")).to_contain_text("if no card but the ship had been seen")
    expect(phones[2].locator(".nk-phone-good")).to_be_visible()
    row = page.locator(".nk-room-progress tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(CLASSES("progress.right", right=1, of=4))
    expect(row).to_contain_text("forgot the cards seen (2 phones)")
    assert NAMED not in page.content()  # nobody is named in front
    shot(phones[0], "lesson-phone-shown")
    assert not axe(phones[0]) and sideways(phones[0]) <= 0 and not axe(page) and sideways(page) <= 0
    shot(page, "lesson-class-shown")
    set_theme(page, "dark")
    shot(page, "lesson-class-shown-dark")

    # The same with other numbers; a phone that was away lands in it.
    press(page, "lesson-fresh")
    press(page, "lesson-ask")
    phones[3].reload()
    expect(phones[3].locator("h2")).to_have_text("Cards that hit alone")
    # A reloaded page finds its class and its place, with what was asked before.
    page.reload()
    expect(page.locator(".nk-room-text")).to_contain_text(UI_ROOMS("class.joined", n=4))
    expect(page.locator(".nk-lesson-question h2")).to_have_text("Cards that hit alone")
    expect(row).to_contain_text("forgot the cards seen (2 phones)")

    assert server.kernels() == 1
    press(page, "class-more")
    with page.expect_download() as report:
        press(page, "class-end")
    text = report.value.path().read_text()
    assert "forgot the cards seen" in text and NAMED not in text
    expect(phones[0].locator("main")).to_contain_text(SERVE_PHONE("over"))
    rooms = Rooms(server.home / "rooms.sqlite3")
    assert rooms.joined(code) == 0
    rooms.close()


@pytest.mark.slow
@pytest.mark.parametrize("lesson", ["unseen", "machine"])
def test_a_hook_on_a_board_is_answered_by_a_tap_on_it(page, server, phones, lesson):
    open_page(page, server.page(PAGE.format(lesson)))
    code = page.inner_text(".nk-room-code")
    phone = phones[0]
    phone.goto(f"{server.url}/room/{code}")
    press(page, "lesson-ask")
    phone.wait_for_selector(".nk-phone-cell")
    shot(phone, f"lesson-phone-{lesson}")
    answer(phone, ".nk-phone-cell:nth-child(9)")
    press(page, "class-tell")
    expect(page.locator(".nk-lesson-told")).to_be_visible()
    phone.wait_for_selector(".nk-phone-board img")
    shot(phone, f"lesson-phone-{lesson}-shown")
    shot(page, f"lesson-class-{lesson}-shown")
