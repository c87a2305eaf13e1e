"""Scenarios of one's own: built on the board, refused where they are wrong, tried, kept in the lobby, played, sent."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ..sentences import CORE, UI_EDIT
from .conftest import axe, shot, sideways
from .driver import Driver

SIZES = {"1280": (1280, 800), "1920": (1920, 1080), "390": (390, 844), "844": (844, 390)}
LEAST = 44
"""Px of a place to press."""


def small(page):
    """What is pressed and is too small, or not in the window, of what is seen at once."""
    return page.evaluate(f"""() => [...document.querySelectorAll('.nk-edit button, .nk-edit select, .nk-edit-on')]
        .filter((each) => each.offsetWidth && !each.closest('.lm-TabBar'))
        .filter((each) => Math.min(each.offsetWidth, each.offsetHeight) < {LEAST} - 1)
        .map((each) => each.textContent || each.className)""")


class Workshop(Driver):
    """The page on which scenarios are made."""

    def tab(self, name):
        self.page.get_by_role("tab", name=UI_EDIT(f"tab.{name}"), exact=True).click()

    def tool(self, label):
        self.click(self.page.locator(".nk-edit-tool").get_by_text(label, exact=True))

    def press(self, cell):
        """Press a place of the board, by its id."""
        x, y, box = ord(cell[0]) - ord("A"), int(cell[1:]) - 1, self.canvas.bounding_box()
        side = (box["height"] - 24) / self.rows
        left = 24 + max(0.0, (box["width"] - 28 - self.columns * side) / 2)
        at = {"x": left + (x + 0.5) * side, "y": 20 + (y + 0.5) * side}
        with self.answer():
            (self.canvas.tap if self.touch else self.canvas.click)(position=at)

    rows, columns, touch = 10, 16, False

    def part(self, kind, n):
        self.click(self.page.locator(f".nk-edit-list button[data-path='{kind} {n}']"))

    def set(self, name, value):
        field = self.page.locator(f".nk-edit-field[data-name='{name}']").locator("input, select, textarea").first
        with self.answer():
            if field.evaluate("each => each.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
                field.blur()

    @property
    def text(self):
        return self.page.locator(".nk-edit-text textarea").input_value()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["fleet-action", "on-patrol"])
def test_it_fits_on_every_screen(browser, voila, game, size):
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 900)
    page = context.new_page()
    driver = Workshop(page, voila.page("edit.ipynb") + f"?game={game}")
    shot(page, f"edit-{game}-{size}", full_page=False)
    assert sideways(page) <= 0 and small(page) == []
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    if size == "1280":
        assert axe(page) == []
    driver.tab("test")
    shot(page, f"edit-{game}-{size}-test", full_page=False)
    assert sideways(page) <= 0 and small(page) == []
    context.close()


def test_a_convoy_with_a_boat_and_a_floatplane_is_built_played_on_a_phone_and_sent(browser, voila):
    """With fingers alone, on a phone; and the link opens the same battle for somebody else."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce",
                                  permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(60_000)
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    driver = Workshop(page, voila.page("edit.ipynb") + "?game=fleet-action")
    driver.touch = True
    driver.part("ship", 1)  # the Germans' cruiser becomes a boat, dived
    driver.set("card", "U 552")
    driver.set("name", "U 552")
    driver.set("depth", "periscope")
    driver.click(page.locator(".nk-edit-blue"))
    driver.tool("Ship")
    for cell in ("B4", "B6"):
        driver.press(cell)
    for n, name in ((2, "Patrick Henry"), (3, "Robert Peary")):
        driver.part("ship", n)
        driver.set("card", "Patrick Henry")
        driver.set("name", name)
        driver.set("division", "Convoy")
    driver.click(page.locator(".nk-edit-add[data-path='+ flight']"))  # Exeter's floatplane
    driver.tool("Exit")
    for cell in ("A4", "A5"):
        driver.press(cell)
    driver.part("objective", 0)
    driver.set("aim", "survive")
    driver.set("points", "20")
    driver.part("", -1)
    driver.set("title", "A convoy, a boat and a plane")
    expect(page.locator(".nk-status")).to_contain_text(UI_EDIT("right"))
    shot(page, "edit-convoy-390", full_page=False)
    assert all(part in driver.text for part in ('card = "U 552"', 'base = "Exeter"', "[[exit]]", 'depth = "periscope"'))
    driver.tab("menu")
    with driver.answer():
        page.locator(".nk-key-link").tap()
    link = page.evaluate("navigator.clipboard.readText()")
    assert len(link) < 1500

    page.goto(voila.page("lobby.ipynb"), wait_until="commit")  # it is listed there
    own = page.locator(".nk-lobby-own li")
    expect(own).to_have_count(1)
    expect(own).to_contain_text("A convoy, a boat and a plane")
    own.scroll_into_view_if_needed()
    shot(page, "edit-lobby-390", full_page=False)
    assert sideways(page) <= 0
    played = own.get_by_role("link").first.get_attribute("href")

    game = Driver(page, played)  # against the admiral, to its second move
    expect(page.locator(".nk-play-aims").first).to_contain_text("12")
    for _ in range(40):
        if page.locator(".nk-play-aims").first.inner_text().count("2/12"):
            break
        done = game.buttons.last
        game.click(done)
        if "3" in page.locator(".nk-play-left b").first.inner_text():
            break
    shot(page, "edit-played-390", full_page=False)
    context.close()

    friend = browser.new_context(viewport={"width": 1280, "height": 800})
    friend.set_default_timeout(60_000)
    other = friend.new_page()
    opened = Workshop(other, link)
    expect(other.locator(".nk-edit-list")).to_contain_text("Robert Peary")
    expect(other.locator(".nk-status")).to_contain_text(UI_EDIT("right"))
    opened.click(other.locator(".nk-key-turn-left")) if other.locator(".nk-key-turn-left").is_enabled() else None
    shot(other, "edit-convoy-1280", full_page=False)
    friend.close()
    assert errors == []


@pytest.mark.parametrize("context", [(1280, 800)], indirect=True)
def test_what_is_wrong_stands_where_it_is_and_undo_takes_it_back(page, voila):
    driver = Workshop(page, voila.page("edit.ipynb") + "?game=fleet-action")
    before = driver.text
    driver.set("moves", "0")
    driver.tells("100")  # what would be right
    expect(page.locator(".nk-edit-field[data-name=moves] input")).to_have_value("12")
    assert driver.text == before, "refused: nothing is half-applied"
    driver.tool("Coast")
    driver.press("D5")  # under a ship: let in, and told at her
    expect(page.locator(".nk-edit-list button[data-path='ship 0'] .nk-bad")).to_be_visible()
    expect(page.locator(".nk-edit-on")).to_have_count(0)
    driver.part("ship", 0)
    wrong = page.locator(".nk-edit-field[data-name=at] .nk-bad")
    expect(wrong).to_contain_text("Exeter")
    shot(page, "edit-wrong-1280", full_page=False)
    assert axe(page) == []
    driver.click(page.locator(".nk-key-undo"))
    expect(page.locator(".nk-edit-on")).to_have_count(2)
    assert driver.text == before

    driver.canvas.focus()  # by keys: to a square, and put there what is chosen
    driver.tool(UI_EDIT("tool.choose"))
    driver.canvas.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    with driver.answer():
        page.keyboard.press("Enter")
    with driver.answer():
        page.keyboard.press("]")
    assert 'at = "B1 SE"' in driver.text
    with driver.answer():
        page.keyboard.press("u")
    assert 'at = "B1 E"' in driver.text

    driver.tab("text")
    box = page.locator(".nk-edit-text textarea")
    box.fill(driver.text.replace("My battle", "Typed"))
    with driver.answer():
        box.blur()
    driver.tab("plan")
    expect(page.locator(".nk-edit-list")).to_contain_text("Typed")
    page.reload(wait_until="commit")  # nothing is lost
    page.wait_for_selector(".nk-edit-list")
    expect(page.locator(".nk-edit-list")).to_contain_text("Typed")


@pytest.mark.parametrize("context", [(1280, 800)], indirect=True)
def test_captains_try_it_twenty_times_while_the_page_stays_alive(page, voila):
    driver = Workshop(page, voila.page("edit.ipynb") + "?game=fleet-action")
    driver.tab("test")
    for seat in page.locator(".nk-edit-trial select").all():
        seat.select_option(index=0)
    page.locator(".nk-key-test").click()
    page.wait_for_selector(".nk-edit-trial h3")
    driver.tab("plan")  # meanwhile
    driver.part("ship", 0)
    expect(page.locator(".nk-edit-field[data-name=at] input")).to_have_value("D5 E")
    driver.tab("test")
    expect(page.locator(".nk-edit-trial h3")).to_have_text(UI_EDIT("test.title", n=20, of=20), timeout=400_000)
    shot(page, "edit-tested-1280", full_page=False)
    told = page.locator(".nk-edit-trial li").all_inner_texts()
    assert len(told) >= 5 and any("British" in each for each in told)


@pytest.mark.parametrize("context", [(1280, 800), (390, 844)], indirect=True)
def test_a_typed_text_that_does_not_count_is_not_given_up_by_a_press_on_the_board(page, voila):
    driver = Workshop(page, voila.page("edit.ipynb") + "?game=fleet-action")
    before = driver.text
    driver.tool("Ship")
    driver.tab("text")
    page.locator(".nk-edit-text textarea").fill(slip := before.replace("My battle", 'My "battle'))
    driver.press("B4")  # at once, from within the box
    driver.tells(CORE("view.typed")[1:])
    assert driver.text == slip
    expect(page.locator(".nk-edit-unread .nk-bad")).to_be_visible()
    shot(page, f"edit-typed-{page.viewport_size['width']}", full_page=False)
    driver.click(page.locator(".nk-key-undo"))
    assert driver.text == before
    driver.press("B4")
    assert 'at = "B4' in driver.text
