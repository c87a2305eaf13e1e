"""Faults before a class, alone and in pairs: it stands where it stood, with what it was asked and told, and says so.

Each pair begins while a question is open; a key is pressed while both last. Afterwards one press or none brings the
class on: it was told once, and the next press tells its first reason. The worst are tried with every `make test`.
"""

from __future__ import annotations
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import combinations
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.sync_api import expect

from navalkit.rooms.store import Rooms
from navalkit.teach.papers import DOOR
from navalkit.ui.rooms.held import REPORT
from ..sentences import CLASSES, UI_ROOMS, like
from ..servers import ROOT, serve
from .conftest import open_page, shot
from .driver import PATIENCE
from .test_class import press
from .test_faults import FAULTS, FORGOTTEN, SAID, Trial

STEP = "step_escorts.ipynb?position=mode-3&class=1"
HUNT = "step_escorts.ipynb?scenario=night-convoy&seed=2&step=27&class=1"
LESSON = "lessons/class.ipynb?lesson=machine&class=1"
ON_SCREEN = "&view=class"
LOST = ["net::ERR_", "WebSocket", "status of", "Failed to fetch"]


class Lesson(Trial):
    """A page of a class with two phones, and all that can befall it."""

    def __init__(self, context: Any, page: Any, server: Any, started: ExitStack, notebook: str) -> None:
        self.context, self.page, self.server, self.started = context, page, server, started
        self.port, self.notebook = int(server.url.rpartition(":")[2]), notebook
        self.ends, self.limited, self.second = ExitStack(), None, None
        page.expected_errors += LOST + FORGOTTEN
        if ON_SCREEN in notebook:
            page.goto(server.page(notebook), wait_until="commit")
            page.wait_for_selector(".nk-wall[data-sees=door]")
        else:
            open_page(page, server.page(notebook))
            page.wait_for_selector(".nk-room-code")
            page.wait_for_selector("html[data-nk-stands]", state="attached")  # what it opens with is there
        self.rooms = Rooms(server.home / "rooms.sqlite3")
        started.callback(self.rooms.close)
        (self.code,) = self.rooms.codes("class")
        for _ in range(2):
            self.rooms.sit(self.code)

    def file(self) -> Any:
        """Where the class is by its file: how many questions it was asked, the phase, the question, who answered, how
        many reasons were told."""
        room = self.rooms.room(self.code)
        ask, asked = room.shown.get("ask", {}), room.kept["asked"]
        last = asked[-1]["round"] if asked else 0
        answers = self.rooms.answers(self.code, last)
        return (len(asked), room.shown["phase"], ask.get("text"), ask.get("more"), answers,
                room.kept.get("there", {}).get("told"))

    def vote(self) -> None:
        room = self.rooms.room(self.code)
        for seat, (id, _) in enumerate(room.shown["ask"]["choices"][:2], 1):
            self.rooms.answer(self.code, room.shown["round"], seat, id)

    def stands(self, **wanted: Any) -> None:
        """Wait until the class is there by its file."""
        names = ("asked", "phase", "text", "more", "answers", "told")
        try:
            self.wait(lambda: wanted.items() <= dict(zip(names, self.file(), strict=True)).items(), f"{wanted}")
        except AssertionError as error:
            raise AssertionError(f"{error}; by its file {self.file()}") from None

    def reload(self) -> None:
        self.page.evaluate("window.unloaded = false")
        self.page.reload(wait_until="commit")
        self.back()

    def tab(self) -> None:
        """Another tab takes the class over, and is what is looked at from now on."""
        self.page = self.context.new_page()
        self.page.expected_errors = []
        self.page.goto(self.server.page(self.notebook), wait_until="commit")
        self.back()

    def taken_back(self) -> None:
        """Another tab takes the class over, and this one has it again."""
        other = self.context.new_page()
        other.goto(self.server.page(self.notebook), wait_until="commit")
        expect(self.page.locator(".nk-key-class-here")).to_be_visible(timeout=PATIENCE)
        self.page.click(".nk-key-class-here")
        expect(self.page.locator(".nk-key-class-here")).to_be_hidden(timeout=PATIENCE)
        other.close()

    def killed(self) -> None:
        self.page.evaluate("window.unloaded = false")
        self._killed()
        self.page.wait_for_function("() => window.unloaded === undefined", timeout=PATIENCE)
        self.back()

    def back(self) -> None:
        self.page.wait_for_selector("#nk-loading", state="detached", timeout=PATIENCE)
        self.page.wait_for_selector("html[data-nk-stands]", state="attached", timeout=PATIENCE)  # its place is found
        expect(self.page.locator(".nk-room-text")).to_contain_text(UI_ROOMS("class.joined", n=2), timeout=PATIENCE)

    # What its screen shows ------------------------------------------------------------------------------------------

    def tells(self) -> Any:
        """Whether the class can read that something is wrong, or nothing is."""
        script = "['.nk-wall-line', '.nk-wall-wrong'].some((each) => document.querySelector(`.nk-wall ${each}`))"
        loading = "!document.querySelector('.nk-wall') || window.unloaded === undefined"
        elsewhere = "document.querySelector('.nk-wall')?.dataset.stand === 'lost'"
        return self.look(f"{script} || {loading} || {elsewhere}", True) or self.file()[1] == "shown"

    @property
    def phase(self) -> Any:
        """What the screen shows, where nothing is wrong with it."""
        script = """(() => { const wall = document.querySelector('.nk-wall');
          return wall && !wall.querySelector('.nk-wall-line, .nk-wall-wrong') && wall.dataset.sees === 'board'
            ? (wall.dataset.stand === 'lost' ? 'lost' : wall.dataset.phase) : ''; })()"""
        return self.look(script, "") if self.line == "fine" else ""

    def _tab(self) -> None:
        self.second = self.context.new_page()
        self.second.goto(self.server.page(self.notebook), wait_until="commit")
        expect(self.page.locator(".nk-wall h1")).to_have_text(like(CLASSES, "no.held"), timeout=PATIENCE)
        self.ends.callback(self.second.close)


@pytest.fixture
def begun(context, page, tmp_path, monkeypatch):
    """Begins a class on a page of a server of its own."""
    monkeypatch.setenv(DOOR, str(ROOT / "teaching"))
    with ExitStack() as started:
        def begin(notebook: str) -> Lesson:
            server = started.enter_context(serve(ROOT / "notebooks", tmp_path))
            made = Lesson(context, page, server, started, notebook)
            started.callback(made.ends.close)
            return made

        yield begin


# -- What it was asked and told

def own(page: Any) -> None:
    if not page.locator(".nk-key-class-put").is_visible():
        press(page, "class-more")
    page.locator(".nk-room-more input[type=text]").fill("Is the boat deep?")
    page.locator(".nk-room-more input[type=text]").press("Tab")
    press(page, "class-put")


FAST = "killed"


@pytest.mark.parametrize("fault", [pytest.param(each, marks=() if each == FAST else pytest.mark.slow)
                                   for each in ("reload", "tab", "taken_back", "killed")])
def test_a_question_of_ones_own_and_a_wager_go_on_as_the_class_is_taken_up(begun, fault):
    trial = begun(HUNT)
    asked = 0
    for kind, put in (("own", own), ("hit", lambda page: press(page, "class-hit"))):
        put(trial.page)
        asked += 1
        trial.stands(asked=asked, phase="open")
        trial.vote()
        before = trial.file()
        getattr(trial, fault)()
        expect(trial.page.locator(".nk-room-come")).to_have_text(UI_ROOMS("class.come", n=2, of=2), timeout=PATIENCE)
        assert trial.file()[:5] == before[:5]
        shot(trial.page, f"class-{fault}-{kind}")
        press(trial.page, "class-tell")
        trial.stands(asked=asked, phase="shown", answers=before[4])
        told = trial.page.locator(".nk-room-votes")
        expect(told).to_be_visible()
        if kind == "hit":
            getattr(trial, fault)()
            expect(trial.page.locator(".nk-room-votes")).to_be_visible()
            trial.stands(asked=asked, phase="shown", text=before[2], answers=before[4])


def seen(key):
    """Whether it is shown, once the page has come to rest."""
    with suppress(AssertionError):
        expect(key).to_be_visible(timeout=3000)
    return key.is_visible()


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["reload", "tab", "taken_back", "killed"])
def test_an_exercise_with_other_numbers_goes_on_with_them(begun, fault):
    """The one whose choices are the same words with all numbers: the right answer is another."""
    trial = begun(LESSON)
    page = trial.page
    asked = page.locator(".nk-lesson-asked")
    while not ("mode 1" in asked.inner_text() and seen(page.locator(".nk-key-lesson-fresh"))):
        head = page.inner_text(".nk-lesson-question .nk-note")
        press(page, "lesson-next")
        expect(page.locator(".nk-lesson-question .nk-note")).not_to_have_text(head)
    first = asked.inner_text()
    press(page, "lesson-fresh")
    expect(asked).not_to_have_text(first)
    # Pressed before the page stands there, it would be an order for the numbers before; drawn anew once: its last word.
    page.wait_for_function("() => document.documentElement.dataset.nkStands.endsWith(' 1')")
    press(page, "lesson-ask")
    trial.stands(asked=1, phase="open")
    trial.vote()
    text, before = asked.inner_text(), trial.file()
    getattr(trial, fault)()
    page = trial.page
    expect(page.locator(".nk-room-come")).to_have_text(UI_ROOMS("class.come", n=2, of=2), timeout=PATIENCE)
    assert page.locator(".nk-lesson-asked").inner_text() == text and trial.file() == before
    shot(page, f"lesson-{fault}-numbers")
    press(page, "class-tell")
    trial.stands(asked=1, phase="shown", answers=before[4], more=before[3])
    expect(page.locator(".nk-lesson-told")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["reload", "tab", "taken_back", "killed"])
def test_reasons_that_were_told_stay_told(begun, fault):
    trial = begun(STEP)
    press(trial.page, "class-where")
    trial.stands(asked=1, phase="open")

    def on(key, **stands):
        """A press, what the file then says, and the page: before it stands there, a press is for the place before."""
        stood = trial.page.get_attribute("html", "data-nk-stands")
        press(trial.page, key)
        trial.stands(**stands)
        trial.page.wait_for_function("(stood) => document.documentElement.dataset.nkStands !== stood", arg=stood)

    on("class-tell", phase="shown", told=0)
    for lines in (1, 2, 3):
        on("bar-on", told=lines)
    getattr(trial, fault)()
    trial.stands(asked=1, phase="shown", told=3)
    trial.page.click(".nk-key-bar-on")
    trial.stands(asked=1, phase="shown", told=4)


@pytest.mark.parametrize("fault", ["reload", "killed", "frozen"])
def test_a_tab_that_another_one_has_replaced_takes_the_class_back_by_a_press_alone(begun, fault):
    trial = begun(STEP)
    first = trial.page
    press(first, "class-where")
    trial.stands(asked=1, phase="open")
    (kernel,) = trial.kernels()
    if fault == "frozen":  # it never hears of the other tab
        os.kill(kernel, signal.SIGSTOP)
        trial.tab()
    else:
        trial.tab()
        expect(first.locator(".nk-key-class-here")).to_be_visible(timeout=PATIENCE)
    first.evaluate("window.unloaded = false")
    first.reload(wait_until="commit") if fault == "reload" else os.kill(kernel, signal.SIGKILL)
    first.wait_for_function("() => window.unloaded === undefined", timeout=PATIENCE)
    first.wait_for_selector("#nk-loading", state="detached", timeout=PATIENCE)
    expect(first.locator(".nk-key-class-here")).to_be_visible(timeout=PATIENCE)
    shot(first, f"class-replaced-{fault}")
    assert trial.page.locator(".nk-key-class-here").is_hidden()
    press(first, "class-here")
    expect(trial.page.locator(".nk-key-class-here")).to_be_visible(timeout=PATIENCE)
    press(first, "class-tell")
    trial.stands(asked=1, phase="shown", told=0)


# -- Its line

@pytest.mark.slow
def test_presses_on_the_page_of_a_class_that_nobody_heard_are_made_once(begun):
    """Of those made while the line was cut, by the kernel that comes after the one that was killed meanwhile."""
    trial = begun(STEP)
    page = trial.page
    press(page, "class-which")
    trial.stands(asked=1, phase="open")
    page.wait_for_selector(".nk-key-class-tell:enabled")  # the page has it, too
    trial.begin("line")
    page.wait_for_selector("html[data-nk-line=away]")
    press(page, "class-tell")
    expect(page.locator("#nk-waiting b")).to_have_text("1")
    trial._killed()
    page.wait_for_timeout(2000)
    shot(page, "class-page-cut")
    trial.ends.close()
    trial.stands(asked=1, phase="shown")
    trial.back()
    trial.begin("line")
    page.wait_for_selector("html[data-nk-line=away]")
    for _ in range(3):
        press(page, "class-where")
        page.wait_for_timeout(600)
    trial.ends.close()
    trial.stands(asked=2, phase="open")
    page.wait_for_timeout(3000)
    assert trial.file()[0] == 2
    expect(page.locator("#nk-waiting")).to_be_hidden()
    assert json.loads(page.evaluate(
        "sessionStorage.getItem('navalkit:journal:' + location.pathname + location.search)"))["orders"] == []


@pytest.mark.slow
def test_a_class_that_was_ended_while_nobody_heard_it_has_ended_and_its_report_is_there(begun):
    """By the kernel that comes after the one that was killed meanwhile."""
    trial = begun(STEP)
    page, files = trial.page, list[str]()
    page.on("download", lambda file: files.append(file.suggested_filename))
    press(page, "class-more")
    page.wait_for_selector(".nk-key-class-end:visible")
    trial.begin("line")
    page.wait_for_selector("html[data-nk-line=away]")
    press(page, "class-end")
    expect(page.locator("#nk-waiting b")).to_have_text("1")
    trial._killed()
    page.wait_for_timeout(2000)
    assert not trial.rooms.over(trial.code)
    trial.ends.close()
    trial.wait(lambda: trial.rooms.over(trial.code) and files, "the class is over, and its report is handed over")
    expect(page.locator(".nk-room-code")).to_have_count(0)
    assert files == [REPORT]


@pytest.mark.parametrize("there", [STEP, pytest.param(STEP + ON_SCREEN, marks=pytest.mark.slow)])
def test_a_press_in_the_moment_in_which_the_kernel_of_a_class_dies_is_made_once(begun, there):
    """Nothing is known of it yet."""
    trial = begun(there)
    trial._killed()
    trial.page.wait_for_timeout(60)
    if ON_SCREEN in there:
        trial.page.keyboard.press("Space")
    else:
        press(trial.page, "class-which")
    assert trial.line == "fine"
    trial.stands(asked=1, phase="open")


@pytest.mark.parametrize("context", [(1280, 800), pytest.param((1920, 1080), marks=pytest.mark.slow)], indirect=True)
def test_a_screen_that_was_taken_up_in_vain_says_so_and_comes_back_with_a_press(begun, context):
    trial = begun(STEP + ON_SCREEN)
    page, wide = trial.page, trial.page.viewport_size["width"]
    page.keyboard.press("Space")
    page.wait_for_selector(".nk-wall[data-phase=open]")
    says = page.locator(".nk-wall-line")
    page.evaluate("""() => {
      const drop = Storage.prototype.removeItem; // a page that has been well for a while forgets its tries
      Storage.prototype.removeItem = function (key) { if (key !== "navalkit:resumed") drop.call(this, key); };
      sessionStorage.setItem("navalkit:resumed", 3);
      window.unloaded = false;
    }""")
    trial._killed()
    expect(says).to_have_text(UI_ROOMS("screen.line.stuck"))
    shot(page, f"screen-stuck-{wide}", full_page=False)
    page.keyboard.press("Space")
    page.wait_for_function("() => window.unloaded === undefined", timeout=PATIENCE)
    page.wait_for_selector(".nk-wall[data-phase=open]")
    expect(says).to_have_count(0)
    trial.stands(asked=1, phase="open")


@pytest.mark.parametrize("context", [(1280, 800), pytest.param((1920, 1080), marks=pytest.mark.slow)], indirect=True)
def test_a_line_that_is_cut_and_a_press_that_waits_for_it_are_told_on_the_class_s_screen(begun, context):
    trial = begun(STEP + ON_SCREEN)
    page, wide = trial.page, trial.page.viewport_size["width"]
    page.keyboard.press("Space")
    page.wait_for_selector(".nk-wall[data-phase=open]")
    trial.begin("line")
    says, away, waits = page.locator(".nk-wall-line"), UI_ROOMS("screen.line.away"), UI_ROOMS("screen.line.waits")
    expect(says).to_have_text(away)
    assert says.evaluate("(each) => parseFloat(getComputedStyle(each).fontSize)") >= (38 if wide > 1800 else 27)
    shot(page, f"screen-cut-{wide}", full_page=False)
    page.keyboard.press("Space")
    expect(says).to_have_text(f"{away} {waits}")
    shot(page, f"screen-waits-{wide}", full_page=False)
    trial.ends.close()
    trial.stands(asked=1, phase="shown", told=0)
    expect(says).to_have_count(0)


@contextmanager
def for_others(home: Path, port: int) -> Iterator[tuple[Any, str, str]]:
    """`navalkit play` as a class needs it, open to its network: the launcher, the pages' address, and the token."""
    order = [sys.executable, "-m", "navalkit", "play", "--no-browser", "--host", "0.0.0.0", "--port", str(port)]
    launcher = subprocess.Popen(order, cwd=ROOT, env=os.environ | {"NAVALKIT_HOME": str(home)}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        token = launcher.stdout.readline().split("?token=")[1].split()[0]
        yield launcher, f"http://127.0.0.1:{port}/voila/render/", token
    finally:
        launcher.terminate()
        launcher.communicate(timeout=120)


@pytest.mark.parametrize("ended", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["died", "ended"])
def test_a_screen_whose_server_died_comes_back_by_itself_and_after_its_end_says_what_to_do(page, tmp_path, ended):
    """As the server of a class is really run: it asks for a token, which is another one after an end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    page.expected_errors += LOST + FORGOTTEN
    says = page.locator(".nk-wall-line")
    with for_others(tmp_path, port) as (launcher, address, token):
        page.goto(f"{address}{STEP}{ON_SCREEN}&token={token}", wait_until="commit")
        page.wait_for_selector(".nk-wall[data-sees=door]")
        page.keyboard.press("Space")
        page.wait_for_selector(".nk-wall[data-phase=open]")
        if not ended:
            (server,) = psutil.Process(launcher.pid).children()
            launcher.kill()
            server.kill()
    expect(says).to_have_text(UI_ROOMS("screen.line.away"), timeout=PATIENCE)
    page.evaluate("window.unloaded = false")
    with for_others(tmp_path, port):
        if ended:
            expect(says).to_have_text(UI_ROOMS("screen.line.refused"), timeout=PATIENCE)
            page.keyboard.press("Space")  # it is not kept: it would be for another page
            page.wait_for_timeout(1000)
            expect(says).to_have_text(UI_ROOMS("screen.line.refused"))
            kept = page.evaluate("Object.entries(sessionStorage).filter(([key]) => /journal/.test(key))")
            assert kept and all(json.loads(each)["orders"] == [] for _, each in kept)
            shot(page, "screen-refused", full_page=False)
            return
        page.wait_for_function("() => window.unloaded === undefined", timeout=PATIENCE)
        page.wait_for_selector(".nk-wall[data-phase=open]", timeout=PATIENCE)
        expect(says).to_have_count(0)
        page.keyboard.press("Space")
        page.wait_for_selector(".nk-wall[data-phase=shown]")


@pytest.mark.slow
def test_a_screen_whose_kernels_are_killed_again_and_again_comes_back_by_itself(begun):
    """Nobody need be at its keyboard."""
    trial = begun(STEP + ON_SCREEN)
    page = trial.page
    page.keyboard.press("Space")
    trial.stands(asked=1, phase="open")
    for _ in range(5):
        page.wait_for_selector(".nk-wall[data-phase=open]")
        page.evaluate("window.unloaded = false")
        trial._killed()
        page.wait_for_function("() => window.unloaded === undefined", timeout=PATIENCE)
    page.wait_for_selector(".nk-wall[data-phase=open]")
    trial.stands(asked=1, phase="open")


# -- Pairs

PAIRS = [pair for pair in combinations([each for each in FAULTS if each not in ("home", "clock")], 2)]
"""A home that takes nothing holds no class, and no clock of the browser's is asked for anything here."""
WORST = {("disk", "killed")}


@pytest.mark.parametrize("faults", [pytest.param(each, id="+".join(each),
                                                 marks=() if each in WORST else pytest.mark.slow) for each in PAIRS])
def test_a_class_before_which_two_things_fail_stands_where_it_stood(begun, faults):
    trial = begun(STEP + ON_SCREEN)
    page = trial.page
    page.keyboard.press("Space")
    trial.stands(asked=1, phase="open")
    page.wait_for_selector(".nk-wall[data-phase=open]")
    trial.vote()
    before = trial.file()
    page.evaluate("window.unloaded = false")
    for fault in sorted(faults, key=FAULTS.index):
        trial.begin(fault)
    page.keyboard.press("Space")
    trial.wait(trial.tells, "what is wrong is said", SAID)
    page.wait_for_timeout(1500)
    shot(page, f"class-{'-'.join(faults)}", full_page=False)
    trial.ends.close()
    trial.wait(lambda: trial.phase in ("open", "shown", "lost"), "the screen is back")
    if trial.phase == "lost":
        page.keyboard.press("Space")
        trial.wait(lambda: trial.phase in ("open", "shown"), "the class is here again")
    page.wait_for_timeout(2500)  # whatever was kept of the press has come
    if trial.phase == "open":
        assert trial.file() == before
        page.keyboard.press("Space")
    trial.stands(asked=1, phase="shown", answers=before[4], told=0)
    trial.wait(lambda: trial.phase == "shown", "it is told")
    page.wait_for_timeout(1000)
    page.keyboard.press("Space")
    trial.stands(asked=1, phase="shown", told=1)
    page.wait_for_timeout(1000)
    assert trial.file()[5] == 1
