"""What a page shows first is true, its sheets come in one order, and loaded again it stands where it stood."""

from __future__ import annotations

import pytest

from ..browser.conftest import shot
from ..sentences import UI
from .conftest import PAGE, failed, loaded, open_page, order, until, watched

FIRST = """() => addEventListener("navalkit:ready", () => {
  const canvas = document.querySelector(".nk-canvas");
  window.nkFirst = { count: +document.querySelector(".nk-status [data-count]").dataset.count,
                     now: document.querySelector(".nk-status").textContent, shape: canvas.width / canvas.height };
})"""
SHAPE = "() => { const canvas = document.querySelector('.nk-canvas'); return canvas.width / canvas.height; }"
SHEETS = "() => [...document.querySelectorAll('head > style[id^=\"navalkit.\"]')].map((each) => each.id)"


@pytest.mark.parametrize("name", [PAGE, pytest.param("play_on_patrol", marks=pytest.mark.slow),
                                  pytest.param("play_wolf_pack", marks=pytest.mark.slow)])
@pytest.mark.parametrize("width, height", [(1280, 800), (390, 844)])
def test_the_first_board_that_is_seen_is_the_readers_own(browser, site, url, name, width, height):
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    context.set_default_timeout(120_000)
    page = watched(context, url)
    page.add_init_script(f"({FIRST})()")
    open_page(page, f"{url}/{name}.html")
    first = page.evaluate("nkFirst")
    shot(page, f"lite_first_{name}_{width}", full_page=False)
    page.wait_for_timeout(2000)
    assert first["count"] > 0  # it knows its address and its width
    assert first["now"] == page.inner_text(".nk-status") or first["now"] == page.text_content(".nk-status")
    assert abs(first["shape"] - page.evaluate(SHAPE)) < 0.01
    assert not failed(page, site)
    context.close()


@pytest.mark.parametrize("width, height", [(1280, 800), (1920, 1080)])
def test_a_stepper_in_front_of_a_class_has_its_whole_board(page, url, width, height):
    page.set_viewport_size({"width": width, "height": height})
    open_page(page, f"{url}/step_escorts.html")
    sheets = page.evaluate(SHEETS)
    assert sheets[0] == "navalkit.ui.shell.Bridge" and len(sheets) > 2
    page.click(".nk-key-large")
    page.wait_for_selector(".nk-step-projector")
    page.wait_for_timeout(1500)
    shot(page, f"lite_class_{width}", full_page=False)
    assert page.evaluate("() => getComputedStyle(document.querySelector('.nk-left')).display") == "contents"
    board, bar = (page.locator(each).bounding_box() for each in (".nk-step-projector .nk-board", ".nk-step-bar"))
    assert board["width"] * board["height"] > 0.6 * width * height and bar["y"] >= board["y"] + board["height"] - 1


def test_a_stepper_that_is_loaded_again_stands_at_its_step(page, url):
    open_page(page, f"{url}/step_escorts.html")
    for _ in range(3):
        before = page.text_content(".nk-step-headline")
        page.click(".nk-step button.nk-key-bar-on")
        page.wait_for_function("(before) => document.querySelector('.nk-step-headline').textContent !== before",
                               arg=before)
    page.click(".nk-key-mode-predict")
    page.wait_for_selector(".nk-key-mode-predict.mod-primary")
    stood = page.text_content(".nk-step-headline")
    page.reload(wait_until="commit")
    loaded(page)
    page.wait_for_selector(".nk-key-mode-predict.mod-primary")  # its match is played again
    assert page.text_content(".nk-step-headline") == stood


def test_a_stepper_that_is_opened_anew_begins_anew_however_often_a_script_loads_it(page, url):
    open_page(page, f"{url}/step_escorts.html")
    begun = page.text_content(".nk-step-headline")
    page.click(".nk-step button.nk-key-bar-on")
    page.wait_for_function("(begun) => document.querySelector('.nk-step-headline').textContent !== begun", arg=begun)
    stood = page.text_content(".nk-step-headline")
    page.goto(f"{url}/index.html")
    page.goto(f"{url}/step_escorts.html", wait_until="commit")
    page.wait_for_function("() => window.navalkitLite?.worker")
    for _ in range(2):  # as an update or a snapshot that cannot be taken up does it
        with page.expect_navigation(wait_until="commit"):
            page.evaluate("navalkitLite.reload()")
        page.wait_for_function("() => window.navalkitLite?.worker")
    loaded(page)
    assert page.text_content(".nk-step-headline") == begun
    page.goto(f"{url}/step_escorts.html?again", wait_until="commit")
    loaded(page)
    page.goto(f"{url}/step_escorts.html", wait_until="commit")
    loaded(page)
    page.click(".nk-step button.nk-key-bar-on")
    page.wait_for_function("(begun) => document.querySelector('.nk-step-headline').textContent !== begun", arg=begun)
    page.reload(wait_until="commit")  # its reader's wish
    loaded(page)
    page.wait_for_function("(stood) => document.querySelector('.nk-step-headline').textContent === stood", arg=stood)


def test_a_game_goes_on_in_its_page_though_the_one_before_is_slow_to_end(page, url, context):
    open_page(page, f"{url}/{PAGE}.html?seed=5")
    order(page, "flip A1")
    names = page.evaluate("""async () => (await navigator.locks.query()).held.map(({ name }) => name)
      .filter((name) => name.includes("?") && !name.includes("://"))""")
    assert len(names) == 1
    slow = context.new_page()
    slow.goto(f"{url}/index.html")
    slow.evaluate("""([name]) => { navigator.locks.request(name, () => new Promise((done) => { window.nkEnd = done; }));
                     return true; }""", names)
    page.reload(wait_until="commit")
    until(slow, """async ([name]) => !!window.nkEnd
      && (await navigator.locks.query()).pending.some((each) => each.name === name)""", names)
    slow.wait_for_timeout(1500)
    slow.evaluate("nkEnd()")
    loaded(page)
    page.wait_for_timeout(500)
    assert UI("open.copy") not in page.text_content(".nk-status")


def test_an_explorer_that_is_loaded_again_has_its_question_and_its_figures(page, url):
    open_page(page, f"{url}/explore_sinking.html?q=lox-sink&ship=QH")
    page.wait_for_selector(".nk-explore-big")
    asked = page.text_content(".nk-explore-big")
    page.locator(".nk-key-control-torpedoes .noUi-handle").press("ArrowRight")
    page.wait_for_function("(asked) => document.querySelector('.nk-explore-big').textContent !== asked", arg=asked)
    moved = page.text_content(".nk-explore-big")
    page.reload(wait_until="commit")
    loaded(page)
    page.wait_for_function("(moved) => document.querySelector('.nk-explore-big')?.textContent === moved", arg=moved)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_on_a_phone_what_continues_a_game_stands_clear_of_its_name(page, url, lang):
    page.set_viewport_size({"width": 390, "height": 844})
    address = f"{url}/{'index' if lang == 'en' else f'index.{lang}'}.html"
    page.goto(address)
    page.evaluate("""() => { for (const card of document.querySelectorAll("[data-game]"))
        localStorage.setItem(`navalkit:${card.dataset.game}:begun${new URL(card.querySelector("h3 a").href).search}`,
                             "1"); }""")
    page.goto(address)
    assert page.locator(".nk-lobby-begun").count() == page.locator("[data-game]").count()
    shot(page, f"lite_lobby_begun_{lang}")
    over = """cards => cards.filter((card) => {
        const box = (css) => { const range = document.createRange(); range.selectNodeContents(card.querySelector(css));
                               return range.getBoundingClientRect(); };
        const [a, b] = [box("h3 a"), box(".nk-lobby-state")];
        return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; }).length"""
    assert page.locator(".nk-lobby-begun").evaluate_all(over) == 0
