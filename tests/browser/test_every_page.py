"""Every kind of page in three themes: axe finds nothing serious, and no page is wider than its window."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from navalkit.teach.papers import DOOR
from ..sentences import SERVE_PHONE, TEACH, like
from ..servers import ROOT, serve
from ..sheets import known
from .conftest import axe, chromium, open_page, set_theme, shot, sideways, wait_for_board
from .driver import Driver
from .test_class import press
from .test_two_devices import invite

THEMES = ("light", "dark", "contrast")
NOT_THERE = "status of (404|503)"
CLASSES = "() => [...document.querySelectorAll('[class]')].flatMap((each) => [...each.classList])"


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A server whose teachers' door is open, and which has room for some pages."""
    chromium()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(DOOR, str(ROOT / "teaching"))
        with serve(ROOT / "notebooks", tmp_path_factory.mktemp("house")) as started:
            yield started


@pytest.fixture
def phone(browser):
    """A phone, which follows the system's theme and has no switch of its own."""
    made = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce", has_touch=True)
    made.set_default_timeout(60_000)
    yield made.new_page()
    made.close()


def lobby(page, house):
    page.goto(house.url, wait_until="commit")
    page.wait_for_selector("#nk-cells a")


def game(name):
    def opened(page, house):
        driver = Driver(page, house.page(f"play_{name}.ipynb") + "?seed=5")
        if driver.buttons.count():
            driver.click(driver.buttons.first)

    return opened


def drawer(name, tab):
    def opened(page, house):
        Driver(page, house.page(f"play_{name}.ipynb") + "?seed=5").drawer(tab=tab)

    return opened


def hint(page, house):
    driver = Driver(page, house.page("play_wolf_pack.ipynb") + "?seed=5")
    driver.click(page.locator(".nk-key-hint"))
    driver.drawer(tab="reasons")


def new_game(page, house):
    Driver(page, house.page("play_fleet_action.ipynb") + "?seed=5").new_game()


def review(page, house):
    driver = Driver(page, house.page("play_wolf_pack.ipynb") + "?seed=7&transports=2&u_boats=2")
    while not driver.over:
        driver.click(driver.buttons.first)
    page.click(".nk-key-review")
    page.wait_for_selector(".nk-play-review svg")


def workshop(page, house):
    Driver(page, house.page("edit.ipynb") + "?game=fleet-action")


def stepper(page, house):
    open_page(page, house.page("step_escorts.ipynb"))
    wait_for_board(page)
    press(page, "bar-on")
    expect(page.locator(".nk-step-headline")).to_contain_text("E")


def projector(page, house):
    stepper(page, house)
    page.click(".nk-key-large:visible")
    page.wait_for_selector(".nk-step-projector")


def explorer(page, house):
    open_page(page, house.page("explore_sinking.ipynb"))
    page.wait_for_selector(".nk-explore-big")


def lesson(page, house):
    open_page(page, house.page("lessons/06_hexes/student.ipynb"))
    box = page.locator(".nk-answer").first
    box.locator("input").fill("12345")
    box.locator("button").click()
    expect(box).to_contain_text(like(TEACH, "hint", number=1))


def read(address, words):
    def opened(page, house):
        open_page(page, house.page(address))
        page.wait_for_selector(f"text={words}")

    return opened


def class_in_front(page, house):
    open_page(page, house.page("lessons/class.ipynb?lesson=cards&class=1"))
    page.wait_for_selector(".nk-room-code")
    press(page, "lesson-ask")
    expect(page.locator(".nk-room-come")).to_be_visible()


def missing(page, house):
    page.expected_errors.append(NOT_THERE)
    page.goto(house.page("nothing.ipynb"))
    expect(page.locator("main")).to_contain_text("There is no page at this address")


def damaged_link(page, house):
    driver = Driver(page, house.page("play_uss_lox.ipynb") + "?seed=nonsense&g=%3Cb%3E")
    assert driver.status


PAGES = {
    "lobby": lobby,
    "on_patrol": game("on_patrol"),
    "missing": missing,
}
"""Looked at by `make test`: a page of cards, a game, and one without Python."""

MORE = {
    "uss_lox": game("uss_lox"),
    "stepper": stepper,
    "workshop": workshop,
    "wolf_pack": game("wolf_pack"),
    "task_force": game("task_force"),
    "fleet_action": game("fleet_action"),
    "log": drawer("on_patrol", "log"),
    "rule_book": drawer("on_patrol", "rules"),
    "options": drawer("fleet_action", "options"),
    "hint": hint,
    "new_game": new_game,
    "review": review,
    "projector": projector,
    "explorer": explorer,
    "lesson": lesson,
    "lessons": read("lessons/index.ipynb", "To work through one"),
    "teachers": read("lessons/teachers.ipynb", "for the instructor"),
    "class": class_in_front,
    "damaged_link": damaged_link,
}


def strange(page):
    """The classes on a page that no sheet knows; a button has that of its key."""
    found = {name for name in page.evaluate(CLASSES) if name.split("-")[0] == "nk"}
    return {name for name in found - known() if not name.startswith("nk-key-")}


def clean(page, name):
    """Look at a page in each theme."""
    for theme in THEMES:
        set_theme(page, theme)
        shot(page, f"every-{name}-{page.viewport_size['width']}-{theme}", full_page=False)
        assert axe(page) == [], theme
        assert sideways(page) <= 0, theme
    assert strange(page) == set(), "no sheet knows them"


@pytest.mark.parametrize("name", [*PAGES, *(pytest.param(each, marks=pytest.mark.slow) for each in MORE)])
def test_axe_finds_nothing_serious_in_any_theme(page, house, name):
    (PAGES | MORE)[name](page, house)
    clean(page, name)


@pytest.mark.slow
@pytest.mark.parametrize("context", [(390, 844)], indirect=True, ids=["phone"])
@pytest.mark.parametrize("name", sorted({*PAGES, *MORE} - {"projector"}))
def test_axe_finds_nothing_serious_on_a_phone(page, house, name):
    (PAGES | MORE)[name](page, house)
    clean(page, name)


@pytest.mark.slow
def test_what_is_printed_is_light_whatever_the_screen_is(page, house):
    open_page(page, house.page("lessons/01_counting_cards/student.ipynb"))
    inks = set()
    for theme in THEMES:
        page.emulate_media(media="screen")
        set_theme(page, theme)
        page.emulate_media(media="print")
        shot(page, f"every-paper-{theme}", full_page=False)
        inks.add(page.evaluate("getComputedStyle(document.querySelector('.jp-MarkdownCell p')).color"))
        assert axe(page) == [], theme
    assert inks == {"rgb(15, 31, 42)"}


def followed(phone, name):
    """Look at a page of a phone by each of the system's wishes."""
    for theme in THEMES:
        scheme = "light" if theme == "light" else "dark"
        phone.emulate_media(color_scheme=scheme, contrast="more" if theme == "contrast" else "no-preference")
        shot(phone, f"every-{name}-360-{theme}", full_page=False)
        assert axe(phone) == [], theme
        assert sideways(phone) <= 0, theme
    assert strange(phone) == set(), "no sheet knows them"


@pytest.mark.slow
def test_axe_finds_nothing_serious_on_the_phones_of_a_class(page, house, phone):
    phone.goto(f"{house.url}/room")
    phone.wait_for_selector("#code")
    followed(phone, "phone-code")
    open_page(page, house.page("step_escorts.ipynb?position=mode-3&class=1"))
    phone.goto(f"{house.url}/room/{page.inner_text('.nk-room-code')}")
    expect(phone.locator("main")).to_contain_text(SERVE_PHONE("wait.title"))
    followed(phone, "phone-wait")
    press(page, "class-which")
    phone.wait_for_selector(".nk-phone-list button")
    followed(phone, "phone-question")
    phone.locator(".nk-phone-list button").first.click()
    phone.click("#bar button.nk-phone-primary:enabled")
    press(page, "class-tell")
    expect(phone.locator(".nk-phone-good, .nk-phone-bad")).to_be_visible()
    followed(phone, "phone-told")
    press(page, "class-more")
    press(page, "class-end")


@pytest.mark.slow
def test_axe_finds_nothing_serious_on_a_guests_page(page, house, phone):
    code = invite(Driver(page, house.page("play_wolf_pack.ipynb")))
    phone.goto(f"{house.url}/room/{code}")
    expect(phone.locator("#who")).to_contain_text(like(SERVE_PHONE, "game.you"))
    phone.wait_for_selector(".nk-phone-board img")
    followed(phone, "guest")
