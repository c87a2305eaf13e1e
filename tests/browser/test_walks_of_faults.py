"""Faults that follow on each other, as a saboteur tries them: what no pair has, and the recipes that once went wrong.

The trials, their faults and what they look at are those of the pairs (`test_faults`, `test_guest_faults`).
"""

from __future__ import annotations
import json
import re
import resource
import signal
from contextlib import ExitStack, suppress
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import expect

from navalkit.core.record import GameRecord
from navalkit.rooms.store import Rooms
from navalkit.serve.server import KERNEL
from ..sentences import SERVE_PHONE, UI
from ..serve.phones import phones
from ..servers import ROOT, children, serve
from .conftest import shot
from .driver import PATIENCE, Driver
from .test_faults import FORGOTTEN, SAID, Trial, busy
from .test_guest_faults import Guest, workers

THREES = [("line", "killed", "server"), ("frozen", "disk", "killed"), ("disk", "server", "line"),
          ("clock", "frozen", "server"), ("home", "killed", "line"), ("frozen", "line", "killed")]


@pytest.fixture
def trial(context, page, tmp_path):
    """A page of a server of its own, with one order given."""
    with ExitStack() as started:
        server = started.enter_context(serve(ROOT / "notebooks", tmp_path))
        made = Trial(context, page, server, int(server.url.rpartition(":")[2]))
        made.started = started
        page.expected_errors += FORGOTTEN
        yield made
        made.ends.close()


def give(trial, order):
    """Give an order in the page as it is, heard or not."""
    trial.shots.append(order)
    trial.type(order)


def comes_back(trial):
    """All that was given is played once, in its order, and is on the disk."""
    trial.ends.close()
    trial.wait(trial.settled, "all orders are safe")
    trial.page.wait_for_selector("#nk-loading", state="detached")
    give(trial, "J10")
    trial.wait(trial.settled, "one more order is safe")
    record = GameRecord.load(trial.server.home / "games" / f"{trial.token}.toml")
    assert [text for text in record.actions if text[1:].isdigit()] == trial.shots
    assert trial.page.locator("#nk-lost").is_hidden()


@pytest.mark.slow
def test_a_kernel_that_is_killed_while_the_line_is_cut_loses_no_order(trial):
    """Offline, kill -9, four seconds, online: for 70 seconds nothing was said, and orders went."""
    trial.begin("line")
    trial.begin("killed")
    trial.page.wait_for_timeout(4000)
    give(trial, "B1")
    assert trial.tells()
    comes_back(trial)


@pytest.mark.slow
def test_of_a_kernel_that_is_frozen_for_a_minute_the_page_speaks_soon_and_all_the_while(trial):
    """SIGSTOP for 62 seconds: nothing was said."""
    trial.begin("frozen")
    give(trial, "B1")
    trial.wait(trial.tells, "what is wrong is said", SAID)
    for second in range(62):
        trial.page.wait_for_timeout(1000)
        assert trial.tells(), second
    assert trial.page.locator("#nk-waiting b").inner_text() == "1"
    comes_back(trial)


@pytest.mark.slow
def test_three_kernels_killed_one_after_the_other_lose_no_order(trial):
    """Each as soon as the page has its game again: it resumes by itself three times."""
    for order in ("B1", "C1", "D1"):
        trial.begin("killed")
        give(trial, order)
        trial.wait(trial.settled, f"{order} is safe")
        trial.page.wait_for_selector("#nk-loading", state="detached")
    comes_back(trial)


@pytest.mark.slow
@pytest.mark.parametrize("faults", [pytest.param(each, id="+".join(each)) for each in THREES])
def test_three_faults_in_a_row_with_an_order_after_each(trial, faults):
    for fault, order in zip(faults, ("B1", "C1", "D1"), strict=True):
        trial.begin(fault)
        box = trial.page.locator(".nk-order input")
        with suppress(Exception):  # a page that is being loaded has no box for orders; what it has taken counts
            box.fill(order, timeout=2000)
            box.press("Enter", timeout=2000)
            if f'"{order}"' in json.dumps(trial.journal or "") or trial.ply == 4 + len(trial.shots):
                trial.shots.append(order)
        trial.page.wait_for_timeout(1500)
    shot(trial.page, f"walk-{'-'.join(faults)}")
    trial.ends.close()
    print(faults, trial.shots)
    trial.wait(lambda: trial.line == "fine" and trial.ply == 3 + len(trial.shots), "the page is back")
    comes_back(trial)


@pytest.mark.slow
def test_two_tabs_that_lose_their_server_keep_each_its_own_game(trial):
    """The second one is a copy, and both give orders while nobody hears them."""
    trial.begin("tab")
    other = trial.second
    address = other.page.url
    other.type("A2")
    trial.begin("server")
    give(trial, "B1")
    other.page.locator(".nk-order input").fill("B2")
    other.page.locator(".nk-order input").press("Enter")
    trial.wait(trial.tells, "what is wrong is said", SAID)
    trial.ends.pop_all()  # the second tab is kept
    trial.server = trial.started.enter_context(serve(ROOT / "notebooks", trial.server.home, port=trial.port))
    trial.wait(trial.settled, "the first tab is back")
    read = "document.querySelector('.nk-play-stepper .widget-readout')?.textContent.trim()"
    other.page.bring_to_front()

    def back():
        with suppress(Exception):
            return other.page.evaluate(read) == "6"
        return False

    trial.wait(back, "the second tab is back")
    assert other.page.url == address
    trial.page.bring_to_front()
    games = sorted(tuple(text for text in GameRecord.load(each).actions if text[1:].isdigit())
                   for each in (trial.server.home / "games").glob("*.toml"))
    assert games == [("A1", "A2", "B2"), ("A1", "B1")]
    other.page.close()
    comes_back(trial)


@pytest.mark.slow
def test_an_old_journal_is_refused_after_the_clock_has_jumped_and_the_game_has_gone_on(trial):
    """An order that waited, for a position that the game has left since: it is not played, and that is said."""
    trial.begin("line")
    trial.type("B1")
    trial.wait(trial.tells, "what is wrong is said", SAID)
    name = "'navalkit:journal:' + location.pathname + location.search"
    waited = trial.page.evaluate(f"sessionStorage.getItem({name})")
    assert len(json.loads(waited)["orders"]) == 1
    trial.ends.close()
    trial.shots.append("B1")
    trial.wait(trial.settled, "B1 is safe")
    give(trial, "C1")
    trial.wait(trial.settled, "C1 is safe")
    old = json.loads(waited) | {"id": "0123456789abcdef"}  # the journal of another tab, as a browser may bring it back
    old["orders"] = [order | {"journal": old["id"], "do": json.loads(json.dumps(order["do"]).replace("B1", "D1"))}
                     for order in old["orders"]]  # fmt: skip
    trial.begin("clock")
    trial.page.add_init_script("(() => { const now = Date.now; Date.now = () => now() + 3 * 86400000; })()")
    trial.page.evaluate(f"(text) => window.addEventListener('pagehide', () => sessionStorage.setItem({name}, text))",
                        json.dumps(old))
    trial.page.reload()
    trial.page.wait_for_selector("#nk-loading", state="detached")
    expect(trial.page.locator(".nk-status").first).to_contain_text(UI("order.stale"), timeout=PATIENCE)
    trial.wait(trial.settled, "the journal is empty")
    comes_back(trial)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["killed", "line", "frozen"])
def test_what_fails_while_a_film_runs_loses_no_order(fault, trial):
    """The order that made the film, and one that is given at once thereafter."""
    page = trial.page
    page.emulate_media(reduced_motion="no-preference")
    page.reload()
    page.wait_for_selector("#nk-loading", state="detached")
    trial.wait(trial.settled, "it has its game")
    trial.shots.append("E5")
    page.evaluate("""() => { window.nkPlayed = new Promise((done) => new MutationObserver(() => {
        if (document.querySelector(".nk-board.nk-playing")) done(true);
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["class"] })); }""")
    trial.type("E5")
    assert page.evaluate("window.nkPlayed")
    trial.begin(fault)
    trial.wait(trial.tells, "what is wrong is said", SAID)
    trial.wait(lambda: not trial.look("!!document.querySelector('.nk-board.nk-playing')", True), "the film has its end")
    page.wait_for_selector("#nk-loading", state="detached")
    give(trial, "F5")
    page.wait_for_timeout(1000)
    comes_back(trial)


@pytest.mark.slow
@pytest.mark.parametrize("query", ["rows=14", "rows=14&columns=14", "rows=13&columns=13&deep=12"])
def test_the_largest_map_of_a_link_takes_no_more_memory_than_the_server_reckons_with(query, page, voila):
    """Its Python at its most, from the start to the first hint and the first orders; 304 and 366 MB were seen."""
    before = set(children(voila.process.pid))
    game = Driver(page, voila.page("play_task_force.ipynb") + f"?seed=42&{query}")
    (kernel,) = set(children(voila.process.pid)) - before
    game.click(page.locator(".nk-key-hint"))
    game.type("A1")
    game.type("B2")
    game.click(page.locator(".nk-key-hint"))
    most = 1024 * int(Path(f"/proc/{kernel}/status").read_text().partition("VmHWM:")[2].split()[0])
    print(query, most >> 20, "MB")
    assert most <= KERNEL, f"{most >> 20} MB"


# A guest ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_disk_that_is_full_while_a_guest_moves_and_then_the_process_is_frozen_and_killed(page, tmp_path):
    with phones(tmp_path) as (_port, shared):
        rooms = Rooms(shared.rooms.path)
        guest = Guest(page, _port, rooms)
        for each in workers():
            resource.prlimit(each.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        guest.tap()
        expect(page.locator("#line")).to_be_visible(timeout=1000 * SAID * busy())
        assert guest.mine == 0
        for send in (signal.SIGSTOP, signal.SIGKILL):
            for each in workers():
                with suppress(psutil.NoSuchProcess):
                    each.send_signal(send)
            page.wait_for_timeout(2000)
        guest.played()
        expect(page.locator("#line")).to_be_hidden(timeout=PATIENCE)
        for _ in range(2):
            guest.turn()
            guest.tap()
            guest.played()
        rooms.close()


@pytest.mark.slow
def test_a_phone_that_tries_again_very_often_says_all_the_same_that_it_is_not_heard(page, tmp_path):
    """Each try put off what was to be said of the one before: a phone with a dead server looked well for minutes."""
    page.add_init_script("""(() => { const later = window.setTimeout;
      window.setTimeout = (call, ms, ...rest) => later(call, ms === AGAIN ? 300 : ms, ...rest); })()
    """.replace("AGAIN", re.search(r"const AGAIN = (\d+)", (ROOT / "navalkit/serve/static/game.js").read_text())[1]))
    with phones(tmp_path) as (port, shared):
        rooms = Rooms(shared.rooms.path)
        guest = Guest(page, port, rooms)
        page.route("**/game?*", lambda route: route.abort())
        guest.tap()
        expect(page.locator("#line")).to_have_text(SERVE_PHONE("game.unheard"), timeout=1000 * SAID * busy())
        page.unroute("**/game?*")
        guest.played()
        expect(page.locator("#line")).to_be_hidden()
        rooms.close()


@pytest.mark.slow
def test_a_guest_on_two_devices_whose_process_dies_at_each_order_plays_each_once(page, browser, tmp_path):
    """The link opened on a second device gets no seat; the first goes on through a line that is cut and a process that
    dies three times in a row."""
    with phones(tmp_path) as (port, shared):
        rooms = Rooms(shared.rooms.path)
        guest = Guest(page, port, rooms)
        strange = browser.new_context(viewport={"width": 390, "height": 844})
        second = strange.new_page()
        second.goto(guest.url)
        for cut in (False, True, False):
            page.context.set_offline(cut)
            for each in workers():
                each.kill()
            guest.tap()
            if cut:
                expect(page.locator("#line")).to_have_text(SERVE_PHONE("game.lost"), timeout=10_000 * busy())
                page.context.set_offline(False)
            guest.played()
            guest.turn()
        assert second.locator(".nk-phone-orders button").count() == 0
        strange.close()
        rooms.close()
