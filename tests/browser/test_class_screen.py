"""A lesson from bell to bell: the class's screen, the console, five phones; each keeps to its own, and comes back.

Pictures of every step are kept where $NAVALKIT_STRIP says.
"""

from __future__ import annotations
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from navalkit.rooms.store import Rooms
from navalkit.serve.lead import LEAD
from navalkit.teach.clicker import clickers
from navalkit.teach.papers import DOOR
from ..sentences import CLASSES, PATROL_WALK, SERVE, SERVE_PHONE, UI_ROOMS, like
from ..servers import ROOT, Server, serve, wait_for
from .conftest import axe
from .test_class import phones

__all__ = ["phones"]
CONVOY = "step_escorts.ipynb?scenario=night-convoy&seed=2&step=30&class=1&view=class"
SIZES = [(1280, 800), (1920, 1080)]
KILLED = 5
"""The question of lesson 2 during which the server is killed."""
PATIENCE = 240_000
"""Milliseconds that something may take on a machine that has much else to do: a hunt is played before it is shown."""
CONTROLS = "() => [...document.querySelectorAll('button, input, select, textarea, a, summary')].length"
LEAST = """() => Math.min(...[...document.querySelectorAll('.nk-wall *')].flatMap((each) => {
  const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!own || !each.getClientRects().length || each.closest('title, desc')) return [];
  const matrix = each.getScreenCTM?.();
  return [parseFloat(getComputedStyle(each).fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1)];
}))"""
OVER = """() => {
  const parts = '.nk-wall-top, .nk-wall-join, .nk-wall-rows, .nk-wall-low, .nk-wall-text';
  const found = [...document.querySelectorAll(parts)];
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const boxes = found.map((each) => each.getBoundingClientRect());
  const beyond = (b) => b.left < -1 || b.top < -1 || b.right > innerWidth + 1 || b.bottom > innerHeight + 1;
  const cut = found.filter((e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1);
  const over = boxes.filter((a, i) => boxes.some((b, j) => i < j && meet(a, b)));
  return [boxes.filter(beyond).length, over.length, cut.map((each) => each.className)];
}"""
COVERED = """() => {
  const parts = '.nk-wall-top, .nk-wall-join, .nk-wall-rows, .nk-wall-low';
  const over = [...document.querySelectorAll(parts)].map((each) => each.getBoundingClientRect());
  return [...document.querySelectorAll('.nk-wall-ask, .nk-wall-edge')].filter((each) => {
    const b = each.getBoundingClientRect(), x = (b.left + b.right) / 2, y = (b.top + b.bottom) / 2;
    return over.some((o) => x > o.left && x < o.right && y > o.top && y < o.bottom);
  }).length;
}"""


class Strip:
    """Keeps pictures, numbered, where somebody wants them."""

    def __init__(self, name: str) -> None:
        self.folder, self.name, self.number = os.environ.get("NAVALKIT_STRIP", ""), name, 0

    def __call__(self, page: Any, what: str) -> None:
        if self.folder:
            page.wait_for_timeout(400)
            page.screenshot(path=str(Path(self.folder) / f"{self.name}-{self.number:02}-{what}.png"))
            self.number += 1


@pytest.fixture
def screens(browser: Any) -> Iterator[Callable[[int, int], Any]]:
    """Makes pages of a size, each a device of its own."""
    made, wrong = [], []
    expect.set_options(timeout=PATIENCE)

    def page(width: int, height: int) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE)
        made.append(context)
        opened_ = context.new_page()
        opened_.on("pageerror", lambda error: wrong.append(str(error)))
        opened_.on("console", lambda line: wrong.append(line.text) if "Security Policy" in line.text else None)
        return opened_

    yield page
    expect.set_options(timeout=60_000)  # as `browser` sets it
    for context in made:
        context.close()
    assert not wrong, "\n".join(wrong)


def fits(screen: Any, *, covered: bool = True) -> None:
    """What holds of the class's screen at every step."""
    screen.evaluate("() => document.fonts.ready")
    assert screen.evaluate(CONTROLS) == 0
    width = screen.viewport_size["width"]
    least = (28 if width >= 1800 else 20) - 0.1
    wait_for(lambda: screen.evaluate(LEAST) >= least, 120, "some type is too small")  # the kernel hears of the size
    assert screen.evaluate(OVER) == [0, 0, []]
    if covered:
        assert screen.evaluate(COVERED) == 0, "a hex to choose lies under something"


def opened(screen: Any, server: Server, query: str) -> str:
    """Open the class's screen; returns its code."""
    screen.goto(server.page(query), wait_until="commit")
    screen.wait_for_selector(".nk-wall[data-sees=door]")
    return str(screen.inner_text(".nk-wall-code").replace(" ", ""))


def paired(console: Any, server: Server, rooms: Rooms, code: str) -> None:
    """Give the lead to a device by a new ticket, as its picture does."""
    console.goto(f"{server.url}/room/{code}/lead#{rooms.ticket(code)}")
    expect(console.locator("#go")).to_be_visible()
    assert "#" not in console.url


def press(console: Any, phase: Any, screen: Any) -> None:
    """The one filled button, and what the class then sees."""
    console.click("#go")
    screen.wait_for_selector(f".nk-wall[data-phase={phase}]")


def tap(phone: Any, number: int, round: int) -> None:
    """Answer a question, as soon as it has come, with a cell of the board or a choice, by its number, and confirm."""
    phone.wait_for_selector(f"#main[data-drawn='{round} open']")
    found = phone.locator(".nk-phone-cell, .nk-phone-list button")
    found.nth(number % found.count()).dispatch_event("click")
    phone.click("#bar button.nk-phone-primary:enabled")
    expect(phone.locator("#bar button.nk-phone-primary")).to_contain_text(like(SERVE_PHONE, "mine"))


def come(screen: Any, n: int, of: int) -> None:
    expect(screen.locator(".nk-wall-ringed b")).to_have_text(UI_ROOMS("screen.come", n=n, of=of))


def aboard(server: Server, code: str, *people: Any) -> None:
    """Come into the class, before anything is asked."""
    for phone in people:
        phone.set_default_timeout(PATIENCE)
        phone.goto(f"{server.url}/room/{code}")
        expect(phone.locator("main")).to_contain_text(SERVE_PHONE("wait.title"))


def on_to(console: Any, screen: Any, phase: str, most: int = 30) -> None:
    """Press the one button until the class sees a question that is open, or what was right."""
    for _ in range(most):
        before = console.get_attribute(".nk-wall", "data-stand")
        console.click("#go")
        console.wait_for_function("b => document.querySelector('.nk-wall').dataset.stand !== b", arg=before)
        stand = console.get_attribute(".nk-wall", "data-stand")
        screen.wait_for_function("s => document.querySelector('.nk-wall').dataset.stand === s", arg=stand)
        if screen.get_attribute(".nk-wall", "data-phase") == phase:
            return
    pytest.fail(f"the class never saw {phase}")


def ended(console: Any, screen: Any) -> str:
    """End the class from the console, and return the report that the projector's page hands over."""
    console.click("#room summary")
    console.click(f"button:text-is('{SERVE_PHONE('lead.end')}')")
    with screen.expect_download() as saved:
        console.click(f"button:text-is('{SERVE_PHONE('lead.sure')}')")
    return str(saved.value.path().read_text())


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_a_piece_of_the_night_convoy_from_the_door_to_the_report(screens, phones, tmp_path, size):
    """A phone sleeps, one is loaded again, one comes late, somebody has a wrong key; console and server die."""
    strip, screen, console = Strip(f"convoy-{size[0]}"), screens(*size), screens(390, 844)
    late = screens(360, 720)
    sleeper, *awake = phones
    with serve(ROOT / "notebooks", tmp_path) as server:
        rooms = Rooms(tmp_path / "rooms.sqlite3")
        code = opened(screen, server, CONVOY)
        fits(screen, covered=False)
        strip(screen, "door")
        aboard(server, code, *phones)
        screen.wait_for_function("() => document.querySelectorAll('.nk-wall-names span').length === 4")
        strip(screen, "aboard")
        paired(console, server, rooms, code)
        strip(console, "console")
        wrong = console.evaluate(f"""async () => (await fetch('/room/{code}/lead/order', {{ method: 'POST',
            headers: {{ 'Content-Type': 'application/json', '{LEAD}': 'a wrong key' }},
            body: JSON.stringify({{ order: 'end', id: 'x' }}) }})).status""")
        assert wrong == 403 and rooms.room(code).shown["phase"] == "wait"

        press(console, "open", screen)
        fits(screen)
        assert screen.locator(".nk-wall-way, .nk-wall-rows").count() == 0  # nothing is told before it is asked
        sleeper.context.set_offline(True)
        for number, phone in enumerate(awake):
            tap(phone, 5 * number + 2, 1)
        awake[0].reload()
        come(screen, 3, 4)
        late.goto(f"{server.url}/room/{code}")
        tap(late, 7, 1)
        come(screen, 4, 5)
        fits(screen)
        strip(screen, "asked")
        strip(awake[1], "phone")
        strip(console, "console-asked")
        console.click(f"button:text-is('{SERVE_PHONE('lead.again')}')")
        come(screen, 0, 5)
        for number, phone in enumerate((*awake, late)):
            tap(phone, 3 * number + 1, 2)
        come(screen, 4, 5)
        console.reload()  # the console dies, and comes back by the key of its tab
        expect(console.locator("#go")).to_be_visible()
        press(console, "shown", screen)
        expect(screen.locator(".nk-wall-flows, .nk-wall-legend").first).to_be_visible()
        assert screen.locator(".nk-wall-true").count() >= 1 and screen.locator(".nk-wall-way").count() <= 1
        fits(screen)
        strip(screen, "told")
        strip(console, "console-told")
        sleeper.context.set_offline(False)  # it wakes, and sees what was right
        expect(sleeper.locator("main")).to_contain_text(like(PATROL_WALK, "told.where"))
        expect(sleeper.locator("main")).to_contain_text(SERVE_PHONE("mine.none"))
        strip(sleeper, "phone-woken")
        asked = screen.inner_text(".nk-wall-top h1")
        screen.keyboard.press("PageDown")  # a presenter's remote: the first line that explains
        screen.wait_for_function("asked => document.querySelector('.nk-wall-top h1').textContent !== asked", arg=asked)
        expect(screen.locator(".nk-wall-low b")).to_be_in_viewport()
        fits(screen)
        strip(screen, "line")
        assert not axe(console)

        on_to(console, screen, "open")  # the other lines, what came of it, and the next decision
        fits(screen)
        for number, phone in enumerate((sleeper, *awake)):
            tap(phone, number, 3)
        come(screen, 4, 5)
        strip(screen, "next")
        port = int(server.url.rpartition(":")[2])
        screen.evaluate("() => { window.before = true; }")
        server.process.kill()
        server.process.wait()
        strip(late, "phone-without-a-server")
    with serve(ROOT / "notebooks", tmp_path, port=port) as server:
        screen.wait_for_function("() => !window.before && document.querySelector('.nk-wall')?.dataset.phase === 'open'")
        come(screen, 4, 5)  # nothing that was acknowledged is lost, and the question goes on
        fits(screen)
        strip(screen, "after-the-server-died")
        tap(late, 9, 3)
        come(screen, 5, 5)
        expect(console.locator("#line")).to_be_hidden()
        expect(console.locator("#go")).to_have_attribute("data-order", "reveal")
        press(console, "shown", screen)
        fits(screen)
        strip(screen, "next-told")
        assert rooms.joined(code) == 5 and [len(rooms.answers(code, n)) for n in (1, 2, 3)] == [4, 4, 5]
        assert ended(console, screen).count("<section>") == 3
        wait_for(lambda: rooms.joined(code) == 0, 120, "the class has not ended")
        expect(console.locator("main")).to_contain_text(SERVE("phone.ended"))
        strip(late, "phone-over")
    rooms.close()


def rows_of(screen: Any) -> str:
    """The answers beside the board, without what they are said to be."""
    return str(screen.inner_text(".nk-wall-rows").partition("\n")[2])


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_who_leads_looks_back_and_the_question_that_is_open_goes_on(screens, phones, tmp_path, size):
    strip, screen, console = Strip(f"back-{size[0]}"), screens(*size), screens(390, 844)
    with serve(ROOT / "notebooks", tmp_path) as server:
        rooms = Rooms(tmp_path / "rooms.sqlite3")
        code = opened(screen, server, CONVOY)
        aboard(server, code, *phones)
        paired(console, server, rooms, code)
        expect(console.locator(".nk-lead-steps button").first).to_be_disabled()  # behind the way in nothing moves
        press(console, "open", screen)
        for number, phone in enumerate(phones):
            tap(phone, 3 * number + 2, 1)
        come(screen, 4, 4)
        press(console, "shown", screen)
        first = rows_of(screen)
        on_to(console, screen, "open")
        for number, phone in enumerate(phones[:2]):
            tap(phone, number, 2)
        come(screen, 2, 4)
        strip(screen, "asked")
        screen.keyboard.press("PageUp")
        screen.wait_for_selector(".nk-wall[data-phase=shown]")
        assert rows_of(screen) == first
        fits(screen)
        strip(screen, "looked-back")
        strip(console, "console-looked-back")
        for lying in ({"width": 844, "height": 390}, {"width": 360, "height": 640}, {"width": 390, "height": 844}):
            console.set_viewport_size(lying)  # the next step is within reach, however the phone is held
            expect(console.locator("#go")).to_be_in_viewport(ratio=1)
        for phone, says in (phones[3], "mine.rests"), (phones[0], "mine"):
            expect(phone.locator("main")).to_contain_text(SERVE_PHONE("rests"))
            expect(phone.locator("main")).to_contain_text(like(SERVE_PHONE, says))
        strip(phones[3], "phone-meanwhile")
        screen.reload()
        screen.wait_for_selector(".nk-wall[data-phase=shown]")
        assert rows_of(screen) == first
        on_to(console, screen, "open")
        come(screen, 2, 4)
        tap(phones[3], 5, 2)
        come(screen, 3, 4)
        strip(screen, "goes-on")
        press(console, "shown", screen)
        fits(screen)
        assert ended(console, screen).count("<section>") == 2
    rooms.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_lesson_two_from_the_door_to_the_report(screens, phones, monkeypatch, tmp_path, size):
    """All its questions, led from a second window by a presenter's remote. One phone sleeps, one is loaded again, one
    comes late with a wrong code; the screen is loaded again, and the server is killed while a question is open."""
    monkeypatch.setenv(DOOR, str(ROOT / "teaching"))
    strip, screen, console = Strip(f"lesson-{size[0]}"), screens(*size), screens(1280, 900)
    late, query = screens(360, 720), "lessons/class.ipynb?lesson=2&class=1&view=class"
    sleeper, people = phones[3], [*phones]
    questions = len(clickers("2", ROOT / "notebooks" / "lessons"))
    with serve(ROOT / "notebooks", tmp_path) as server:
        rooms = Rooms(tmp_path / "rooms.sqlite3")
        code = opened(screen, server, query)
        aboard(server, code, *phones)
        paired(console, server, rooms, code)
        port = int(server.url.rpartition(":")[2])

        def question(number: int) -> None:
            console.locator("body").press("PageDown")
            screen.wait_for_selector(f".nk-wall[data-phase=open][data-beat^='{number + 1} ']")
            fits(screen)
            if number == 1:
                sleeper.context.set_offline(True)
                people.remove(sleeper)
            elif number == 2:
                late.goto(f"{server.url}/room/ZZZZZZ")
                expect(late.get_by_role("alert")).to_contain_text(CLASSES("no.room", code="ZZZZZZ"))
                late.fill("#code", code.lower())
                late.click("button.nk-phone-primary")
                people.append(late)
            for each, phone in enumerate(people):
                tap(phone, each * (number + 1), number + 1)
            if number == 3:
                people[0].reload()
                sleeper.context.set_offline(False)
                people.append(sleeper)
                tap(sleeper, 1, number + 1)
            come(screen, len(people), 4 if number < 2 else 5)
            strip(screen, f"{number}-asked")

        def answer(number: int) -> None:
            expect(console.locator("#go")).to_have_attribute("data-order", "reveal")
            console.locator("body").press("PageDown")
            screen.wait_for_selector(".nk-wall[data-phase=shown]")
            fits(screen)
            assert screen.locator(".nk-wall-words").count() == 1  # what was asked can still be read
            strip(screen, f"{number}-told")
            strip(console, f"{number}-console")
            expect(console.locator("#go")).to_have_attribute("data-order", "on")

        for number in range(KILLED):
            question(number)
            if number == 1:
                screen.goto(server.page(query), wait_until="commit")
                screen.wait_for_selector(".nk-wall[data-phase=open]")
                come(screen, 3, 4)
            answer(number)
        question(KILLED)
        strip(people[1], "phone")
        screen.evaluate("() => { window.before = true; }")
        server.process.kill()
        server.process.wait()
    with serve(ROOT / "notebooks", tmp_path, port=port) as server:
        screen.wait_for_function("() => !window.before && document.querySelector('.nk-wall')?.dataset.phase === 'open'")
        come(screen, 5, 5)
        expect(console.locator("#line")).to_be_hidden()
        answer(KILLED)
        for number in range(KILLED + 1, questions):
            question(number)
            answer(number)
        given = [len(rooms.answers(code, number)) for number in range(1, questions + 1)]
        assert given == [4, 3, 4, *[5] * (questions - 3)]
        assert ended(console, screen).count("<section>") == questions
        expect(late.locator("main")).to_contain_text(SERVE_PHONE("over"))
        rooms.close()


@pytest.mark.slow
def test_a_lone_window_has_a_bar_while_it_is_wanted_and_gives_the_page_back(screens, voila):
    screen = screens(1280, 800)
    opened(screen, voila, "step_escorts.ipynb?position=mode-3&class=1&view=class")
    assert screen.evaluate(CONTROLS) == 0
    screen.mouse.move(640, 790)
    screen.wait_for_selector(".nk-wall-bar")
    screen.click(".nk-wall-bar button:nth-child(2)")
    screen.wait_for_selector(".nk-wall[data-phase=open]")
    screen.mouse.move(600, 100)
    screen.wait_for_selector(".nk-wall-bar", state="detached")
    assert screen.evaluate(CONTROLS) == 0
    screen.keyboard.press("Escape")
    screen.wait_for_selector(".nk-wall", state="detached")
    expect(screen.locator(".nk-key-class-tell:visible")).to_be_enabled()


@pytest.mark.slow
def test_a_presenters_keys_go_on_and_back_and_a_plan_fills_its_minutes(screens, monkeypatch, tmp_path):
    monkeypatch.setenv(DOOR, str(ROOT / "teaching"))
    screen, console = screens(1280, 800), screens(1280, 900)
    with serve(ROOT / "notebooks", tmp_path) as server:
        rooms = Rooms(tmp_path / "rooms.sqlite3")
        code = opened(screen, server, "lessons/class.ipynb?lesson=2&class=1&view=class")
        paired(console, server, rooms, code)
        for minutes in ("20", "90", "45"):
            console.click(f".nk-lead-row button:text-is('{minutes}′')")
            expect(console.locator(f"button[aria-pressed=true]:text-is('{minutes}′')")).to_be_visible()
            ends = [float(each.rstrip("′")) for each in console.locator(".nk-lead-plan time").all_inner_texts()]
            parts = len(clickers("2", ROOT / "notebooks" / "lessons"))
            assert ends == sorted(ends) and ends[0] == pytest.approx(float(minutes) / parts, abs=0.6)
            expect(console.locator("#clock")).to_have_text(SERVE_PHONE("lead.left", n=int(minutes)))

        def key(name: str, beat: str) -> None:
            console.locator("body").press(name)
            screen.wait_for_selector(f".nk-wall[data-beat='{beat}']")
            wanted = screen.get_attribute(".nk-wall", "data-stand")
            console.wait_for_function("s => document.querySelector('.nk-wall').dataset.stand === s", arg=wanted)

        first = screen.locator(".nk-wall-top h1")
        key("PageDown", "1 open")
        title = first.inner_text()
        key("PageDown", "1 shown")
        key("PageDown", "2 open")
        assert first.inner_text() != title
        key("PageUp", "2 free")  # back at the first, which nobody is asked any more
        expect(first).to_have_text(title)
        key("PageDown", "3 open")
        rooms.close()
