"""Faults in pairs: whatever breaks, the page says so, no order is lost, none is played twice, and the page comes back.

Each trial gives an order before two faults, one while they last, and one after they are over. Then the game on the disk
has the three, each once. The pairs that went wrong worst are tried with every `make test`, all of them with `test-all`.
"""

from __future__ import annotations
import json
import os
import resource
import shutil
import signal
import subprocess
import time
from contextlib import ExitStack, suppress
from itertools import combinations

import psutil
import pytest
from playwright.sync_api import Error, expect

from navalkit.core.record import GameRecord
from navalkit.testing import said
from ..sentences import UI
from ..servers import ROOT, children, serve
from .conftest import shot
from .driver import Driver

GAME = "play_task_force.ipynb?seed=42"
FAULTS = ("tab", "clock", "disk", "home", "frozen", "killed", "line", "server")
"""A second tab, a clock that jumps, a full disk, a folder that takes nothing, a kernel that is frozen or killed, a line
that is cut, a server that is killed; in the order in which they come, if they come together."""
WORST = {("killed", "line"), ("frozen", "killed"), ("frozen", "line"), ("disk", "killed"), ("tab", "killed"),
         ("home", "line")}
SAID = 5.0
"""Seconds until the page says what is wrong: of a machine with a core to itself (`busy`)."""
LOOK = 5000
"""Milliseconds that a page is given for an answer."""
BACK = 90.0
"""Seconds until the page is back, at most."""
JUMP = "(ms) => { const now = window.nkNow ??= Date.now; Date.now = () => now() + ms; }"
NOTICE = "document.documentElement?.dataset.nkLine ?? 'fine'"


def busy() -> float:
    """How many times as long as on an idle machine things take, as far as that can be known; nobody waits for ever."""
    return min(4.0, max(1.0, 2 * os.getloadavg()[0] / (os.cpu_count() or 1)))


class Trial:
    """A page with one order given, and all that can befall it."""

    def __init__(self, context, page, server, port=0):
        self.context, self.page, self.server, self.port = context, page, server, port
        self.ends = ExitStack()
        self.limited: set[int] | None = None
        self.second = None
        page.expected_errors += ["net::ERR_", "WebSocket", "status of", "Failed to fetch"]
        self.game = Driver(page, server.page(GAME))
        self.shots = ["A1"]
        self.type("A1")
        self.wait(self.settled, "the first order is safe")
        assert not page.evaluate("window.unloaded = false")
        self.token = page.evaluate("sessionStorage.getItem('navalkit:task-force:token' + location.search)")

    # What the page shows ------------------------------------------------------------------------------------------

    def type(self, order):
        """Give an order, heard or not: in one go, for the page may be loaded anew between a text and its Enter."""
        self.wait(lambda: self.look(GIVE.replace("ORDER", order), False), f"{order} can be given")

    def look(self, script, default=None):
        """What a script finds on the page; the default while the page is on its way, or says nothing."""
        with suppress(Error):
            found = self.page.wait_for_function(f"() => ({{ found: {script} }})", polling=50, timeout=LOOK)
            return found.json_value()["found"]
        return default

    @property
    def line(self):
        return self.look(NOTICE, "resume")

    @property
    def journal(self):
        """The orders that the tab still keeps."""
        script = "JSON.parse(sessionStorage.getItem('navalkit:journal:' + location.pathname + location.search))?.orders"
        return self.look(script)

    @property
    def ply(self):
        text = self.look("document.querySelector('.nk-play-stepper .widget-readout')?.textContent", "")
        return int(text) if text and text.strip().isdigit() else -1

    def settled(self):
        """Whether all that was given is played and safe, and nothing is said of the line."""
        return self.line == "fine" and self.journal == [] and self.ply == 3 + len(self.shots)

    def tells(self):
        """Whether the page says that something is wrong, or is taking up its game, or nothing is wrong with it."""
        told = f"document.querySelector('#nk-lost')?.hidden === false && ({NOTICE}) !== 'fine'"
        return self.look(told, True) or self.settled() or self.look("window.unloaded", None) is None

    def wait(self, condition, sentence, seconds=BACK):
        end = time.monotonic() + seconds * busy()
        while not condition():
            self.hold()
            assert time.monotonic() < end, f"not in time: {sentence}; {self.line}, {self.journal}, ply {self.ply}"
            self.page.wait_for_timeout(50)

    # The faults ---------------------------------------------------------------------------------------------------

    def kernels(self):
        return children(self.server.process.pid) if self.server.process.poll() is None else []

    def hold(self):
        """A full disk is full for kernels that are started meanwhile, too."""
        if self.limited is not None:
            for kernel in set(self.kernels()) - self.limited:
                with suppress(psutil.NoSuchProcess, ProcessLookupError):
                    resource.prlimit(kernel, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
                    self.limited.add(kernel)

    def begin(self, fault):
        getattr(self, f"_{fault}")()

    def _tab(self):
        self.second = Driver(self.context.new_page(), self.server.page(GAME))
        said(self.second.status, UI, "open.copy")
        self.ends.callback(self.second.page.close)

    def _clock(self):
        self.page.evaluate(JUMP, 3 * 3600 * 1000)
        self.ends.callback(lambda: self.look(f"({JUMP})({-3 * 3600 * 1000})"))

    def _disk(self):
        self.limited = set()
        self.hold()

        def room():
            for kernel in self.limited:
                with suppress(psutil.NoSuchProcess, ProcessLookupError):
                    resource.prlimit(kernel, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            self.limited = None

        self.ends.callback(room)

    def _home(self):
        games = self.server.home / "games"
        if os.geteuid():
            games.chmod(0o500)
            self.ends.callback(games.chmod, 0o700)
        elif shutil.which("chattr") and not subprocess.run(["chattr", "+i", games], capture_output=True).returncode:
            self.ends.callback(subprocess.run, ["chattr", "-i", games], check=True)
        else:
            pytest.skip("a folder cannot be closed to the machine's administrator here")

    def _frozen(self):
        for kernel in (frozen := self.kernels()):
            os.kill(kernel, signal.SIGSTOP)

        def thaw():
            for kernel in frozen:
                with suppress(ProcessLookupError):
                    os.kill(kernel, signal.SIGCONT)

        self.ends.callback(thaw)

    def _killed(self):
        for kernel in self.kernels():
            os.kill(kernel, signal.SIGKILL)

    def _line(self):
        self.context.set_offline(True)
        self.ends.callback(self.context.set_offline, False)

    def _server(self):
        self.server.process.kill()
        self.server.process.wait()

        def again():
            self.server = self.started.enter_context(serve(ROOT / "notebooks", self.server.home, port=self.port))

        self.ends.callback(again)


GIVE = """(() => {
  const box = document.querySelector('.nk-order input'), given = 'nk given ORDER';
  try { if (sessionStorage.getItem(given)) return true; } catch { /* none is kept */ }
  if (!box || document.querySelector('#nk-loading')) return false;
  try { sessionStorage.setItem(given, 1); } catch { /* it is full */ }
  box.value = 'ORDER';
  box.dispatchEvent(new Event('input', { bubbles: true }));
  box.dispatchEvent(new KeyboardEvent('keypress', { key: 'Enter', bubbles: true, cancelable: true }));
  return true;
})()"""
"""Once, if the page is uncovered; whether it was."""


def tried(trial, faults):
    """Give an order while both faults last, end them, and see what came of it."""
    for fault in sorted(faults, key=FAULTS.index):
        trial.begin(fault)
    since = time.monotonic()
    trial.shots.append("B1")
    trial.type("B1")
    if "disk" in faults or "home" in faults:
        bad = "!!document.querySelector('.nk-status .nk-bad')"
        trial.wait(lambda: trial.tells() or trial.look(bad, False), "what is wrong is said", SAID)
    else:
        trial.wait(trial.tells, "what is wrong is said", SAID)
    print(f"{'+'.join(faults)}: said after {time.monotonic() - since:.1f} s: {trial.line}")
    trial.page.wait_for_timeout(1000)
    shot(trial.page, f"fault-{'-'.join(faults)}")
    trial.ends.close()
    back = time.monotonic()
    closed = "disk" in faults or "home" in faults  # the next order brings all to the disk
    ready = (lambda: trial.line == "fine" and trial.ply == 3 + len(trial.shots)) if closed else trial.settled
    pressed = 0

    def again():
        nonlocal pressed
        if ready():
            return True
        button = trial.page.locator("#nk-lost [data-nk-reload]")
        if not pressed and time.monotonic() - back > BACK / 3 * busy() and button.is_visible():
            button.click()
            pressed = 1
        return False

    trial.wait(again, "the page is back")
    print(f"{'+'.join(faults)}: back after {time.monotonic() - back:.1f} s, presses: {pressed}")
    trial.shots.append("C1")
    trial.game.page.wait_for_selector("#nk-loading", state="detached")
    trial.type("C1")
    trial.wait(trial.settled, "C1 is safe")
    record = GameRecord.load(trial.server.home / "games" / f"{trial.token}.toml")
    assert [text for text in record.actions if len(text) == 2] == trial.shots
    assert trial.page.locator("#nk-lost").is_hidden()


def test_a_kernel_that_dies_just_before_the_line_is_back_is_replaced_at_once(context, page, voila):
    """The server did not know yet that it was dead, and kept the page waiting for a minute."""
    trial = Trial(context, page, voila)
    trial.begin("line")
    trial.wait(lambda: trial.line == "away", "it knows of it", SAID)
    trial.shots.append("B1")
    trial.type("B1")
    trial.begin("killed")
    page.wait_for_timeout(300)
    trial.ends.close()
    since = time.monotonic()
    trial.wait(lambda: trial.look("window.unloaded", None) is None, "the page has come again", SAID)
    trial.wait(trial.settled, "the page is back", BACK / 3)
    print(f"back after {time.monotonic() - since:.1f} s")
    record = GameRecord.load(voila.home / "games" / f"{trial.token}.toml")
    assert [text for text in record.actions if len(text) == 2] == trial.shots and page.locator("#nk-lost").is_hidden()


def test_a_page_to_which_nothing_came_for_a_while_shows_what_is_so(context, page, voila):
    """A line that is dead without an end: what Python said meanwhile nobody keeps."""
    page.add_init_script("""
      const Native = window.WebSocket;
      window.WebSocket = class extends Native {
        set onmessage(call) { super.onmessage = (event) => { if (!window.nkDeaf) call(event); }; }
      };""")
    trial = Trial(context, page, voila)
    page.wait_for_timeout(3000)  # a beat was answered
    page.evaluate("window.nkDeaf = true")
    trial.shots.append("B1")
    trial.type("B1")
    kept = voila.home / "games" / f"{trial.token}.toml"
    trial.wait(lambda: "B1" in GameRecord.load(kept).actions, "it is played")
    page.evaluate("window.nkDeaf = false")
    trial.wait(trial.settled, "the page shows it", BACK / 3)


PAIRS = list(combinations(FAULTS, 2))


@pytest.mark.slow
def test_a_tab_made_from_another_one_plays_a_copy_of_its_own(context, page, voila):
    """A browser gives it all that the other one has kept for itself, the other one's journal included."""
    game = Driver(page, voila.page(GAME))
    game.type("A1")
    with context.expect_page() as opened:
        page.evaluate("void window.open(location.href)")
    other = opened.value
    other.wait_for_selector("#nk-loading", state="detached")
    other.wait_for_function("() => Object.keys(sessionStorage).some((key) => key.startsWith('navalkit:journal'))")
    second = Driver.__new__(Driver)
    second.page = other
    second.tells(UI("open.copy"))
    journals = [each.evaluate("sessionStorage.getItem('navalkit:journal:' + location.pathname + location.search)")
                for each in (page, other)]
    assert len({json.loads(each)["id"] for each in journals}) == 2
    game.type("B1")
    other.reload()  # it goes on with its own
    other.wait_for_selector("#nk-loading", state="detached")
    second.tells(UI("open.resumed"))
    assert other.inner_text(".nk-play-stepper .widget-readout").strip() == "4"
    other.close(run_before_unload=True)


WHILE = [("killed", "begun"), ("killed", "read"), ("killed", "shown"), ("frozen", "read"), ("line", "read"),
         ("line", "shown"), ("server", "read"), ("server", "shown")]
"""What fails while a page is loaded, and when: as its Python begins, as it reads the notebook, as the page is shown."""
FORGOTTEN = ["failed to activate", "model for kernel id", "Canceled future"]
"""What the front end says of a kernel that has ended, before its page is loaded again."""


@pytest.mark.parametrize(("fault", "moment"), [pytest.param(*each, marks=() if each in WHILE[:2] else pytest.mark.slow)
                                               for each in WHILE])
def test_a_page_that_is_being_loaded_survives(fault, moment, context, page, tmp_path):
    """It has heard of no Python before: to it a new one, which knows nothing of its widgets, is the only one."""
    with ExitStack() as started:
        server = started.enter_context(serve(ROOT / "notebooks", tmp_path))
        trial = Trial(context, page, server, int(server.url.rpartition(":")[2]))
        trial.started = started
        page.expected_errors += [*FORGOTTEN, "end of JSON input"]  # settings that were cut off
        settings = "[...document.querySelectorAll('#jupyter-config-data')].pop()?.textContent"  # none while it comes
        kernel = f"JSON.parse({settings} ?? '{{}}').kernelId ?? null"
        before, old = page.evaluate(kernel), set(trial.kernels())
        page.reload(wait_until="commit")
        if moment == "shown":
            page.wait_for_load_state("domcontentloaded")
        while not set(trial.kernels()) - old or (moment != "begun" and trial.look(kernel) in (None, before)):
            page.wait_for_timeout(10)
        trial.begin(fault)
        if fault in ("line", "server"):
            notice = "document.querySelector('#nk-lost')?.hidden === false"
            trial.wait(lambda: trial.look(notice, False), "what is wrong is said", SAID)
            page.wait_for_timeout(2000)
        elif fault == "frozen":
            page.wait_for_timeout(4000)
        trial.ends.close()
        trial.wait(trial.settled, "it has its game")
        trial.wait(lambda: len(trial.kernels()) == 1, "the other Pythons have ended")


@pytest.mark.slow
def test_a_page_whose_python_always_dies_gives_up_and_says_so(context, page, tmp_path):
    with serve(ROOT / "notebooks", tmp_path) as server:
        trial, loads = Trial(context, page, server), []
        page.expected_errors += FORGOTTEN
        page.on("request", lambda asked: loads.append(asked.url) if asked.is_navigation_request() else None)
        page.reload(wait_until="commit")
        while trial.line != "stuck":
            trial._killed()
            page.wait_for_timeout(100)
        shot(page, "stuck")
        page.wait_for_timeout(3000)
        assert len(loads) == 4 and trial.line == "stuck"
        page.locator("#nk-lost [data-nk-reload]").click()
        trial.wait(trial.settled, "it has its game")


def test_undo_waits_its_turn_behind_an_order_that_waits(context, page, voila):
    """Else it would take back the order before."""
    page.expected_errors += ["net::ERR_", "WebSocket", "Failed to fetch"]
    game = Driver(page, voila.page(GAME))
    for order in ("A1", "B1"):
        game.type(order)
    page.wait_for_function("() => !document.querySelector('.nk-key-undo').disabled")
    context.set_offline(True)
    page.wait_for_selector("html[data-nk-line=away]")
    give(page, "C1")
    page.locator(".nk-key-undo").click()
    page.wait_for_function("() => document.querySelector('#nk-waiting b').textContent === '2'")
    context.set_offline(False)
    page.wait_for_selector("html[data-nk-line=fine]")
    asks = page.locator(".nk-key-undo-yes:visible")
    page.wait_for_function("() => document.querySelector('#nk-waiting').hidden")
    try:
        asks.wait_for(timeout=10_000)
    except Error:  # a page that missed something that Python said is loaded again, without the question: one press asks
        page.locator(".nk-key-undo").click()
    asks.click()
    reads(page, 5)
    give(page, "D1")
    reads(page, 6)


# What is lost on a line that lives --------------------------------------------------------------------------------

LOSES = """
  const send = WebSocket.prototype.send, text = new TextDecoder();
  window.nkLost = [];
  WebSocket.prototype.send = function (data) {
    const found = (typeof data === 'string' ? data : text.decode(data));
    const n = (window.nkLoses ?? []).findIndex((each) => found.includes(each));
    if (n < 0) return send.call(this, data);
    window.nkLost.push(...window.nkLoses.splice(n, 1));
  };
"""
"""From then on each of the frames in ``window.nkLoses`` (a text that it holds) is lost, once."""


def give(page, order):
    """Give an order, heard or not."""
    box = page.locator(".nk-order input")
    box.fill(order)
    box.press("Enter")


def reads(page, ply):
    """Wait until the page has come so far, and no further."""
    script = f"() => document.querySelector('.nk-play-stepper .widget-readout').textContent.trim() === '{ply}'"
    page.wait_for_function(script)


def test_an_order_lost_on_a_living_line_is_sent_again_and_those_after_it_wait(page, voila):
    page.add_init_script(LOSES)
    game = Driver(page, voila.page(GAME))
    game.type("A1")
    page.evaluate("""window.nkLoses = ['"type":"B1"']""")
    give(page, "B1")
    give(page, "C1")
    reads(page, 6)
    assert page.evaluate("[window.nkLost.length, window.nkLoses.length]") == [1, 0]
    reads(page, 6)
    page.evaluate("""window.nkLoses = ['"press":"undo"', '"press":"undo-yes"']""")
    page.locator(".nk-key-undo").click()
    page.locator(".nk-key-undo-yes").click()
    reads(page, 5)
    assert page.evaluate("window.nkLost.length") == 3
    token = page.evaluate("sessionStorage.getItem('navalkit:task-force:token' + location.search)")
    record = GameRecord.load(voila.home / "games" / f"{token}.toml")
    assert [text for text in record.actions if len(text) == 2] == ["A1", "B1"]
    assert page.locator("#nk-lost").is_hidden()


def test_a_page_that_was_not_answered_is_fine_again_with_the_next_answer(page, voila):
    """Python is as well as before: no press is needed."""
    page.add_init_script(LOSES)
    game = Driver(page, voila.page(GAME))
    page.evaluate("""window.nkLoses = Array(3).fill('"event":"ping"')""")
    page.wait_for_selector("html[data-nk-line=silent]", timeout=1000 * SAID * busy())
    expect(page.locator("#nk-lost")).to_be_visible()
    page.wait_for_selector("html[data-nk-line=fine]", timeout=10_000 * busy())
    expect(page.locator("#nk-lost")).to_be_hidden()
    assert page.evaluate("window.nkLost.length") == 3
    game.type("A1")
    page.evaluate("""window.nkLost = []; window.nkLoses = ['"event":"ping"']""")
    page.wait_for_function("() => window.nkLost.length === 1")
    page.wait_for_timeout(5000)
    assert page.evaluate(NOTICE) == "fine" and page.locator("#nk-lost").is_hidden()


DEAF = """
  const send = WebSocket.prototype.send;
  window.nkOpen = new Set();
  WebSocket.prototype.send = function (data) { window.nkOpen.add(this); if (!this.nkDeaf) send.call(this, data); };
"""
"""From then on a socket sends nothing that is marked with ``nkDeaf``."""
FILL = """() => { for (let size = 1 << 20, i = 0; size;)
  try { sessionStorage.setItem(`fill ${i++}`, 'x'.repeat(size)); } catch { size >>= 1; } }"""
EMPTY = "for (const key of Object.keys(sessionStorage)) if (key.startsWith('fill')) delete sessionStorage[key]"
DAMAGE = """() => { const key = 'navalkit:journal:' + location.pathname + location.search;
  addEventListener('pagehide', () => {
    const { id } = JSON.parse(sessionStorage.getItem(key)), n = 2 ** 31 + 5;
    const orders = [{ journal: id, n, at: '9.x.y', do: { type: 'I1' } }];
    sessionStorage.setItem(key, JSON.stringify({ id, n, orders }));
  }); }"""


@pytest.mark.slow
def test_a_dead_line_a_full_storage_and_a_damaged_journal_lose_nothing_unsaid(context, page, tmp_path):
    page.add_init_script(DEAF)
    with serve(ROOT / "notebooks", tmp_path) as server:
        trial = Trial(context, page, server)
        page.evaluate("for (const each of window.nkOpen) each.nkDeaf = true")  # it is dead, and nobody says so
        trial.shots.append("B1")
        trial.type("B1")
        trial.wait(lambda: trial.line == "silent", "nobody answers", SAID)
        trial.wait(trial.settled, "there is a new line")
        assert page.evaluate("window.unloaded") is False

        page.evaluate(FILL)
        kernels = trial.kernels()
        for kernel in kernels:
            os.kill(kernel, signal.SIGSTOP)
        trial.shots.append("C1")
        trial.type("C1")
        trial.wait(lambda: trial.line == "silent", "nobody answers", SAID)
        notice = page.locator("#nk-lost")
        expect(notice).to_contain_text(UI("frame.unkept"))
        expect(notice.get_by_text(UI("frame.silent"))).to_be_hidden()
        expect(page.locator("#nk-lost [data-nk-reload]")).to_be_hidden()
        shot(page, "unkept")
        for kernel in kernels:
            os.kill(kernel, signal.SIGCONT)
        trial.wait(lambda: trial.line == "fine" and trial.ply == 6, "it is played")
        page.evaluate(EMPTY)

        page.evaluate(DAMAGE)
        page.reload()
        trial.game.tells(UI("open.resumed"))
        trial.shots.append("D1")
        trial.type("D1")
        trial.wait(trial.settled, "the damaged one is dropped")
        record = GameRecord.load(tmp_path / "games" / f"{trial.token}.toml")
        assert [text for text in record.actions if len(text) == 2] == trial.shots
        trial.wait(lambda: len(trial.kernels()) == 1, "the kernel of the page before has ended")


def test_a_tab_is_uncovered_with_its_own_game(page, voila):
    """It shows no other position before."""
    game = Driver(page, voila.page(GAME))
    game.type("A1")
    page.add_init_script("""
      window.nkShown = [];
      const look = () => {
        const ply = document.querySelector('.nk-play-stepper .widget-readout')?.textContent.trim();
        if (ply && !document.querySelector('#nk-loading') && !window.nkShown.includes(ply)) window.nkShown.push(ply);
        requestAnimationFrame(look);
      };
      look();
    """)
    page.reload()
    game.tells(UI("open.resumed"))
    page.wait_for_function("() => window.nkShown.length")  # once it is uncovered, in a frame of its own
    assert page.evaluate("window.nkShown") == ["4"]


def test_a_page_is_not_uncovered_before_it_has_greeted_python(page, voila):
    """On a slow machine its board may be there long before the script that does so: what is pressed then is lost."""
    page.add_init_script("""
      window.Blob = class extends Blob {
        constructor(parts, options) {
          const late = "await new Promise((on) => setTimeout(on, 12000));";
          super(String(parts?.[0]).includes("nkGreets") ? [late, ...parts] : parts, options);
        }
      };
      new MutationObserver((_, seen) => {
        if (!document.querySelector("#nk-cells") || document.querySelector("#nk-loading")) return;
        seen.disconnect();
        window.nkUncovered = { ...document.documentElement.dataset };
      }).observe(document, { childList: true, subtree: true });
    """)
    Driver(page, voila.page(GAME))
    page.wait_for_function("() => window.nkUncovered")
    found = page.evaluate("window.nkUncovered")
    assert "nkMet" in found and "nkGreets" not in found and page.evaluate("performance.now()") > 12000


def test_on_a_phone_a_notice_covers_no_order(browser, voila):
    for width, height in ((390, 844), (844, 390)):
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
        page = context.new_page()
        Driver(page, voila.page("play_wolf_pack.ipynb?seed=42"))
        for state in ("away", "silent"):  # the second has a button, too
            if state == "away":
                context.set_offline(True)
            else:
                page.evaluate("document.documentElement.dataset.nkLine = 'silent'")
                for part in page.locator("#nk-lost [data-nk-when]").all():
                    part.evaluate("(part) => { part.hidden = !part.dataset.nkWhen.includes('silent'); }")
            page.locator("#nk-lost").wait_for(state="visible")
            notice = page.locator("#nk-lost").bounding_box()
            for part in (".nk-play-orders", ".nk-play-controls", ".nk-play-top"):
                for each in page.locator(f"{part}:visible").all():
                    box = each.bounding_box()
                    below = box["y"] >= notice["y"] + notice["height"]
                    aside = box["x"] >= notice["x"] + notice["width"] or box["x"] + box["width"] <= notice["x"]
                    assert below or aside, (part, box, notice)
        context.close()


@pytest.mark.parametrize("pair", [pytest.param(pair, id="+".join(pair), marks=() if pair in WORST else pytest.mark.slow)
                                  for pair in PAIRS])  # fmt: skip
def test_two_faults_at_once(pair, request, context, page, tmp_path):
    with ExitStack() as started:
        if "server" in pair:
            server = started.enter_context(serve(ROOT / "notebooks", tmp_path))
        else:
            server = request.getfixturevalue("voila")
        trial = Trial(context, page, server, int(server.url.rpartition(":")[2]))
        trial.started = started
        try:
            tried(trial, pair)
        finally:
            trial.ends.close()


def test_there_are_all_pairs():
    assert len(PAIRS) == 28 and set(PAIRS) >= WORST and len(WORST) == 6
