"""The same for a guest: two faults at once, and each order of the phone is played once, in the game that two share."""

from __future__ import annotations
import os
import resource
import signal
import time
from contextlib import ExitStack, suppress
from itertools import combinations

import psutil
import pytest
from playwright.sync_api import expect

import navalkit as nk
from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.store import Rooms
from navalkit.rooms.table import PLAY, Table
from navalkit.ui.rooms.door import Desk
from ..sentences import SERVE_PHONE
from ..serve.phones import phones
from ..servers import ROOT, serve
from ..ui.play.test_journal import aiming
from .conftest import shot
from .test_faults import JUMP, SAID, busy

FAULTS = ("tab", "clock", "disk", "frozen", "killed", "line", "server")
"""A second tab with the same seat, a clock that jumps, a disk that is full for the process behind the light page, that
process frozen or killed, a line that is cut, a server that is killed."""
PAIRS = list(combinations(FAULTS, 2))
BACK = 60.0


class Guest:
    """A phone in a game of Wolf Pack, whose host is played here."""

    def __init__(self, page, port, rooms):
        self.page, self.rooms = page, rooms
        page.expected_errors += ["net::ERR_", "status of 50", "status of 409", "Failed to fetch"]
        self.table = Table.lay(rooms, nk.Match.new("wolf-pack", 7, ("host", "guest")), 0)
        self.url = f"http://127.0.0.1:{port}/room/{self.table.code}"
        self.given = 0
        page.goto(self.url)
        self.turn()

    @property
    def mine(self):
        """How many moves of the guest are in the file."""
        return sum(move.seat == 1 for move in self.rooms.moves(self.table.code))

    def turn(self):
        """Have the host play until it is the guest's turn, and the phone shows it."""
        self.table.catch_up()
        while self.table.match.turn == 0:
            self.table.play(self.table.match.legal()[0])
        expect(self.page.locator("h2")).to_have_text(SERVE_PHONE("game.turn"), timeout=60_000)
        self.page.wait_for_selector(".nk-phone-orders button")

    def tap(self):
        """Press the first order, and once more: a double tap is one order."""
        button = self.page.locator(".nk-phone-orders button").first
        button.evaluate("(button) => { button.click(); button.click(); }")  # at once: after the answer it may be gone
        self.given += 1

    def played(self):
        end = time.monotonic() + BACK * busy()
        while self.mine < self.given:
            assert time.monotonic() < end, "an order was lost"
            self.page.wait_for_timeout(50)
        self.page.wait_for_timeout(500)
        assert self.mine == self.given, "an order was played twice"


def workers():
    """The processes that make the boards of guests."""
    found = []
    for each in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # one that has just ended, and is not waited for yet
            if "navalkit.ui.rooms.door" in each.cmdline():
                found.append(each)
    return found


@pytest.mark.parametrize("pair", [pytest.param(pair, id="+".join(pair), marks=() if pair == ("killed", "line")
                                  else pytest.mark.slow) for pair in PAIRS])  # fmt: skip
def test_two_faults_at_once_for_a_guest(pair, context, page, tmp_path):
    with ExitStack() as started:
        if "server" in pair:
            server = started.enter_context(serve(ROOT / "notebooks", tmp_path))
            port, rooms = int(server.url.rpartition(":")[2]), Rooms(tmp_path / "rooms.sqlite3")
        else:
            port, shared = started.enter_context(phones(tmp_path))
            rooms = Rooms(shared.rooms.path)
        started.callback(rooms.close)
        guest = Guest(page, port, rooms)
        guest.tap()
        guest.played()
        guest.turn()
        struck, other = [], None
        for fault in pair:
            if fault == "tab":
                other = context.new_page()
                other.goto(guest.url)
                other.wait_for_selector(".nk-phone-orders button")
            elif fault == "clock":
                page.evaluate(JUMP, 3 * 3600 * 1000)
            elif fault == "line":
                context.set_offline(True)
            elif fault == "server":
                server.process.kill()
                server.process.wait()
            else:
                for each in workers():
                    if fault == "disk":
                        resource.prlimit(each.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
                    else:
                        each.send_signal(signal.SIGSTOP if fault == "frozen" else signal.SIGKILL)
                    struck.append(each.pid)
        guest.tap()
        told = page.locator("#line")
        if {"line", "server"} & {*pair}:
            expect(told).to_have_text(SERVE_PHONE("game.lost"), timeout=10_000 * busy())
        elif "disk" in pair and "killed" not in pair:
            expect(told).to_be_visible(timeout=1000 * SAID * busy())
            assert guest.mine == 1
        page.wait_for_timeout(1000)
        shot(page, f"guest-{'-'.join(pair)}")
        context.set_offline(False)
        for each in struck:
            with suppress(psutil.NoSuchProcess, ProcessLookupError):
                os.kill(each, signal.SIGCONT)
                resource.prlimit(each, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        if "server" in pair:
            started.enter_context(serve(ROOT / "notebooks", tmp_path, port=port))
        guest.played()
        expect(told).to_be_hidden(timeout=30_000)
        if other is not None:  # it shows the same game, and what it had in sight before is refused
            guest.turn()
            expect(other.locator("h2")).to_have_text(SERVE_PHONE("game.turn"), timeout=30_000)
            other.close()
        guest.turn()
        guest.tap()
        guest.played()


def lost(times):
    """A handler of requests that reach the server while their first answers are lost."""
    asked = []

    def handle(route):
        asked.append(route)
        if len(asked) > times:
            route.continue_()
            return
        route.fetch()
        route.abort()

    return handle


def test_whose_seat_was_taken_and_the_answer_lost_has_that_seat(page, tmp_path):
    """The first try had taken the only one, and every other was told for ever that both were taken."""
    with phones(tmp_path) as (port, shared):
        rooms = Rooms(shared.rooms.path)
        page.route("**/seat", lost(1))
        guest = Guest(page, port, rooms)
        guest.tap()
        guest.played()
        page.reload()
        guest.turn()
        lesson = ClassRoom("Class", rooms)
        page.unroute("**/seat")
        page.route("**/seat", lost(2))
        page.goto(f"http://127.0.0.1:{port}/room/{lesson.code}")
        expect(page.locator("#main")).to_contain_text(SERVE_PHONE("wait.title"))
        assert lesson.joined == 1  # no seat is left behind that is nobody's
        rooms.close()


FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
NOTHING = FULL + "History.prototype.replaceState = () => { throw new DOMException('no', 'SecurityError'); };"


def test_a_guest_whose_browser_keeps_nothing_comes_back_and_is_told_what_is_true(context, page, tmp_path):
    with phones(tmp_path) as (port, shared):
        rooms = Rooms(shared.rooms.path)
        context.add_init_script(FULL)
        guest, told = Guest(page, port, rooms), page.locator("#line")
        expect(told).to_have_text(SERVE_PHONE("line.tab"))
        shot(page, "guest-tab")
        page.reload()  # the seat is this tab's
        guest.turn()
        guest.tap()
        guest.played()
        guest.turn()
        expect(told).to_be_hidden(timeout=20_000 * busy())
        context.set_offline(True)
        guest.tap()
        expect(told).to_have_text(SERVE_PHONE("game.lost.unkept"), timeout=10_000 * busy())
        shot(page, "guest-unkept")
        context.set_offline(False)
        guest.played()
        expect(told).to_be_hidden(timeout=20_000 * busy())
        page.route("**/game?*", lambda route: None if route.request.method == "POST" else route.continue_())
        guest.turn()
        guest.tap()
        expect(told).to_have_text(SERVE_PHONE("line.silent.unkept"), timeout=1000 * SAID * busy())
        page.goto("about:blank")

        context.add_init_script(NOTHING)
        nowhere = context.new_page()
        nowhere.goto(f"http://127.0.0.1:{port}/room/{ClassRoom('Class', rooms).code}")
        expect(nowhere.locator("#line")).to_have_text(SERVE_PHONE("line.unkept"))
        nowhere.close()
        rooms.close()


def until(page, condition, sentence):
    end = time.monotonic() + BACK * busy()
    while not condition():
        assert time.monotonic() < end, sentence
        page.wait_for_timeout(50)


@pytest.mark.parametrize("fault", ["killed", "disk"])
def test_an_order_that_was_held_is_given_again_to_a_process_that_has_forgotten_it(fault, page, tmp_path):
    """What is held until all of a fleet's orders are given is in no file."""
    page.expected_errors += ["status of 50"]
    with phones(tmp_path) as (port, shared):
        rooms = Rooms(shared.rooms.path)
        table = aiming(rooms)
        page.goto(f"http://127.0.0.1:{port}/room/{table.code}")
        orders, before = page.locator(".nk-phone-orders button"), len(rooms.moves(table.code))
        aim = orders.first.inner_text(timeout=60_000)
        with page.expect_response(lambda told: '"n":1' in (told.request.post_data or "")) as heard:
            orders.first.click()
        assert heard.value.status == 200
        expect(orders.first).not_to_have_text(aim, use_inner_text=True)
        shot(page, f"guest-held-{fault}")
        assert len(rooms.moves(table.code)) == before, "it is held"
        struck = workers()
        for each in struck:
            if fault == "killed":
                each.kill()
            else:
                resource.prlimit(each.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        orders.first.click()
        if fault == "disk":
            expect(page.locator("#line")).to_be_visible(timeout=1000 * SAID * busy())
            assert len(rooms.moves(table.code)) == before
            for each in struck:
                resource.prlimit(each.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        until(page, lambda: len(rooms.moves(table.code)) > before, "they were not given")
        page.wait_for_timeout(500)
        assert [move.seat for move in rooms.moves(table.code)[before:]] == [1], "an order was played twice"
        expect(page.locator("#line")).to_be_hidden(timeout=30_000)
        rooms.close()


@pytest.mark.parametrize("then", ["again", "look", "reload"])
def test_an_order_that_was_refused_is_told_as_refused_though_the_answer_was_lost(then, page, tmp_path):
    """Whether the phone asks again, looks as the room has changed, or is loaded again."""
    page.expected_errors += ["status of 400"]
    with phones(tmp_path) as (port, shared):
        rooms = Rooms(shared.rooms.path)
        guest, refused = Guest(page, port, rooms), []

        def lose(route):
            if route.request.method == "POST" and not refused:
                refused.append(route.fetch().status)
                if then == "look":
                    guest.table.ask_undo()
                route.abort()
            else:
                route.continue_()

        page.route("**/game?*", lose)
        page.locator("#bar input, #main input").first.fill("nonsense")
        page.keyboard.press("Enter")
        until(page, lambda: refused, "it was not sent")
        if then == "reload":
            page.reload()
        expect(page.locator("#line")).to_contain_text("nonsense", timeout=20_000 * busy())
        assert refused == [400] and guest.mine == 0
        guest.tap()
        guest.played()
        page.unroute_all(behavior="ignoreErrors")
        rooms.close()


def test_an_order_that_is_not_heard_stays_said_while_the_rest_of_the_line_lives(page, tmp_path):
    """Each sign of life took back what was said of it."""
    with phones(tmp_path) as (port, shared):
        rooms = Rooms(shared.rooms.path)
        guest, told = Guest(page, port, rooms), page.locator("#line")
        page.route("**/game?*", lambda route: route.abort())
        guest.tap()
        expect(told).to_have_text(SERVE_PHONE("game.unheard"), timeout=1000 * SAID * busy())
        shot(page, "guest-unheard")
        page.evaluate("""() => { const line = document.querySelector('#line'); window.told = [];
            new MutationObserver(() => window.told.push(line.textContent))
                .observe(line, { childList: true, characterData: true, subtree: true }); }""")
        page.wait_for_timeout(7000)  # three signs of life, and more tries
        assert page.evaluate("window.told") == [] and told.is_visible()
        page.unroute("**/game?*")
        guest.played()
        expect(told).to_be_hidden()
        rooms.close()


def test_the_same_press_twice_is_one_and_nothing_is_said_of_it(page, tmp_path):
    """The second was refused, in a sentence that made the first look refused."""
    with phones(tmp_path) as (port, shared):
        rooms = Rooms(shared.rooms.path)
        guest, told = Guest(page, port, rooms), []
        page.expose_function("nkTold", lambda text: told.append(text))
        page.evaluate("""() => new MutationObserver(() => window.nkTold(document.querySelector('#line').textContent))
            .observe(document.querySelector('#line'), { childList: true, characterData: true, subtree: true })""")
        guest.tap()
        guest.played()
        match, other = guest.table.match, Table(rooms, guest.table.code, 1)
        while not match.over:
            for side in (guest.table, other):
                side.catch_up()
                if not side.match.over and side.match.turn == side.me:
                    side.play(side.match.legal()[0])
        again = page.locator("#bar .nk-phone-even button").first
        expect(again).to_have_text(SERVE_PHONE("game.swap"), timeout=60_000)
        again.evaluate("(button) => { button.click(); button.click(); }")
        expect(page.locator("#bar")).to_contain_text(SERVE_PHONE("game.offered.swap"))
        page.wait_for_timeout(500)
        assert [move.kind for move in rooms.moves(guest.table.code)].count("again") == 1 and not told
        rooms.close()


def test_a_guest_is_told_soon_that_nobody_answers_and_the_order_comes_all_the_same(page, tmp_path):
    with phones(tmp_path) as (port, shared):
        rooms = Rooms(shared.rooms.path)
        guest = Guest(page, port, rooms)
        frozen = workers()
        for each in frozen:
            each.send_signal(signal.SIGSTOP)
        guest.tap()
        expect(page.locator("#line")).to_have_text(SERVE_PHONE("line.silent"), timeout=1000 * SAID * busy())
        assert guest.mine == 0
        for each in frozen:
            each.send_signal(signal.SIGCONT)
        guest.played()
        expect(page.locator("#line")).to_be_hidden()
        rooms.close()


HELD = {"the stream opens late": "**/events", "the stream never opens": "**/events", "a look comes late": "**/game?*"}


@pytest.mark.parametrize("held", HELD)
def test_a_guest_has_orders_though_the_host_moved_before_the_phone_could_hear_of_it(held, page, tmp_path):
    with phones(tmp_path) as (port, shared):
        rooms = Rooms(shared.rooms.path)
        guest, kept, holds = Guest(page, port, rooms), [], True
        page.route(HELD[held], lambda route: kept.append(route) if holds else route.continue_())
        page.reload()
        while not kept:
            page.wait_for_timeout(20)
        old = kept[0].fetch() if held == "a look comes late" else None  # what the phone was to see before the move
        table = guest.table
        while table.match.turn == 1:  # the turn goes round once: the guest plays by another way, then the host
            order = table.match.game.format_action(table.match.legal()[0])
            rooms.move(table.code, table.done + 1, 1, PLAY, order)
            table.catch_up()
        before = table.done
        while table.match.turn == 0:
            table.play(table.match.legal()[0])
        assert table.done > before
        if held != "the stream never opens":
            holds = False
            for each in kept:
                each.fulfill(response=old) if old else each.continue_()
        wanted = [order["label"] for order in shown(rooms, table.code)]
        expect(page.locator(".nk-phone-orders button")).to_have_count(len(wanted), timeout=20_000 * busy())
        page.wait_for_timeout(300)
        guest.given = guest.mine
        guest.tap()
        guest.played()
        page.unroute_all(behavior="ignoreErrors")
        rooms.close()


def shown(rooms, code):
    """The orders that the guest's phone is to show."""
    return Desk(rooms).answer({"room": code, "seat": 1, "size": [390, 480], "do": {}})["view"]["orders"]


@pytest.mark.parametrize("times", [2, 99])
def test_an_order_at_which_the_game_fails_is_sent_again_and_in_the_end_refused(times, page, tmp_path):
    with phones(tmp_path) as (port, shared):
        rooms = Rooms(shared.rooms.path)
        guest = Guest(page, port, rooms)
        page.expected_errors += ["status of 500"]
        failed = []

        def fail(route):
            if route.request.method == "POST" and len(failed) < times:
                failed.append(route.request.post_data_json["n"])
                route.fulfill(status=500, json={"error": "It broke."})
            else:
                route.continue_()

        page.route("**/game?*", fail)
        guest.tap()
        if times == 2:
            guest.played()
            assert failed == [1, 1]
        else:
            expect(page.locator("#line")).to_have_text(SERVE_PHONE("game.failed"), timeout=30_000 * busy())
            page.unroute("**/game?*")
            assert guest.mine == 0 and failed.count(1) == 5
            guest.given = 0
            guest.turn()
            guest.tap()
            guest.played()
        rooms.close()


@pytest.mark.slow
def test_what_was_tapped_without_a_line_survives_a_reload(context, page, tmp_path):
    with phones(tmp_path) as (port, shared):
        rooms = Rooms(shared.rooms.path)
        guest = Guest(page, port, rooms)
        page.route("**/game?*", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
        guest.tap()
        page.wait_for_timeout(1000)
        assert guest.mine == 0
        page.unroute("**/game?*")
        page.reload()
        guest.played()
        rooms.close()


@pytest.mark.slow
def test_a_tab_made_from_a_guests_own_gives_orders_of_its_own(context, page, tmp_path):
    """A browser gives it the other one's journal: neither swallows what is tapped in it."""
    with phones(tmp_path) as (port, shared):
        rooms = Rooms(shared.rooms.path)
        guest = Guest(page, port, rooms)
        guest.tap()
        guest.played()
        with context.expect_page() as opened:
            page.evaluate("void window.open(location.href)")
        for tab in (page, opened.value, page, opened.value):
            guest.page = tab
            guest.turn()
            guest.tap()
            guest.played()
        rooms.close()
