"""What befalls a class's phone and its console: the newest answer counts, and the page says what is wrong."""

from __future__ import annotations
import os
import re
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import expect

from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.store import Rooms
from navalkit.serve import watch
from navalkit.serve.phones import Phones
from navalkit.view.page import Choice, Question, Result
from navalkit.view.scene import Scene
from ..sentences import CLASSES, SERVE, SERVE_PHONE, UI_ROOMS, like
from ..serve.phones import phones
from ..servers import children
from .conftest import shot
from .test_faults import SAID, busy
from .test_guest_faults import FULL

QUESTION = Question("own", "Where is she?", tuple(Choice(each, f"Sector {each}") for each in ("ab", "cd", "ef")))
DESK = {
    "code": "", "joined": "", "view": {"title": "Night convoy", "sees": "blank"}, "next": ["ask", "Ask"], "open": False,
    "asking": False,
    "again": False, "asks": [["hit", "A hit?"]], "lines": [], "locked": False, "rush": [0, 0], "say": "", "waiting": 0,
    "seats": [], "rows": [], "answer": "", "note": "", "plan": [], "minutes": 45, "since": 0, "stand": "1", "board": "",
    "told": ["", False],
}


class Phone:
    """A phone in a class whose question is open."""

    def __init__(self, page: Any, port: int, shared: Phones) -> None:
        self.page, self.rooms = page, Rooms(shared.rooms.path)
        page.set_viewport_size({"width": 390, "height": 844})
        page.expected_errors += ["net::ERR_", "status of (409|503)", "Failed to fetch"]
        self.room = ClassRoom("Night convoy", self.rooms)
        self.room.ask(QUESTION)
        self.url = f"http://127.0.0.1:{port}/room/{self.room.code}"
        self.sent: list[str] = []
        page.on("request", self.note)

    def note(self, sent: Any) -> None:
        if sent.url.endswith("/answer"):
            self.sent.append(sent.post_data_json["choice"])

    def come(self) -> None:
        self.page.goto(self.url)
        self.page.wait_for_selector(".nk-phone-list button")

    def confirm(self, choice: str, page: Any = None) -> None:
        (page or self.page).click(f'.nk-phone-list button[data-id="{choice}"]')
        (page or self.page).click("#bar button.nk-phone-primary:enabled")

    def has(self, choice: str, page: Any = None) -> None:
        """The phone says that this is the answer, the file has it, and nothing is wrong."""
        send = (page or self.page).locator("#bar button.nk-phone-primary")
        expect(send).to_have_text(like(SERVE_PHONE, "mine", choice=f"Sector {choice}"), timeout=30_000)
        expect((page or self.page).locator("#line")).to_be_hidden()
        assert self.room.votes() == {choice: 1}

    def says(self, sentence: Any) -> None:
        expect(self.page.locator("#line")).to_have_text(sentence, timeout=1000 * SAID * busy())


@pytest.fixture
def served(tmp_path: Any) -> Iterator[tuple[int, Phones]]:
    with phones(tmp_path) as each:
        yield each


@pytest.fixture
def phone(page: Any, served: tuple[int, Phones]) -> Iterator[Phone]:
    made = Phone(page, *served)
    yield made
    made.rooms.close()


@contextmanager
def full(shared: Phones) -> Iterator[None]:
    """The server can write nothing into its file."""
    shared.rooms.sql.execute("PRAGMA query_only = ON")
    try:
        yield
    finally:
        shared.rooms.sql.execute("PRAGMA query_only = OFF")


def lost(route: Any) -> None:
    """The server takes it, and its answer does not come back."""
    route.fetch()
    route.abort()


def test_of_two_answers_without_a_line_the_last_one_counts(context, phone):
    phone.come()
    phone.confirm("ab")
    phone.has("ab")
    context.set_offline(True)
    phone.confirm("cd")
    phone.says(SERVE_PHONE("line.away"))
    expect(phone.page.locator("#bar")).to_contain_text(SERVE_PHONE("mine.way", choice="Sector cd"))
    shot(phone.page, "class-phone-offline", full_page=False)
    phone.confirm("ef")
    tried = len(phone.sent)
    context.set_offline(False)
    phone.has("ef")
    phone.page.wait_for_timeout(4000)  # as long as a try of the first one could have waited
    assert phone.room.votes() == {"ef": 1} and set(phone.sent[tried:]) == {"ef"}


def test_an_answer_that_nobody_hears_is_spoken_of_soon(phone):
    phone.come()
    held = []
    phone.page.route("**/answer", lambda route: held.append(route))
    phone.confirm("ab")
    phone.says(SERVE_PHONE("line.unheard"))
    phone.confirm("cd")  # goes at once, whatever becomes of the one before
    phone.page.wait_for_timeout(500)
    phone.page.unroute("**/answer")
    phone.has("cd")
    assert [each.request.post_data_json["choice"] for each in held][:2] == ["ab", "cd"]


def test_a_full_disk_is_told_in_the_servers_words_to_who_answers_and_to_who_comes(phone, served):
    unwritten = like(SERVE, "phone.unwritten")
    with full(served[1]):
        phone.page.goto(phone.url)
        phone.says(unwritten)
        shot(phone.page, "class-phone-no-seat", full_page=False)
    phone.page.wait_for_selector(".nk-phone-list button")
    expect(phone.page.locator("#line")).to_be_hidden()
    with full(served[1]):
        phone.confirm("ab")
        phone.says(unwritten)
        shot(phone.page, "class-phone-full", full_page=False)
        phone.page.wait_for_timeout(6500)  # longer than a sentence stays that nothing depends on
        phone.says(unwritten)
    phone.has("ab")


def test_an_answer_on_its_way_survives_a_reload_and_so_does_its_number(phone):
    phone.come()
    phone.page.route("**/answer", lambda route: route.abort())
    phone.confirm("ab")
    phone.confirm("cd")
    phone.page.wait_for_timeout(200)
    phone.page.reload()
    expect(phone.page.locator("#bar")).to_contain_text(SERVE_PHONE("mine.way", choice="Sector cd"))
    assert not phone.room.votes()
    phone.page.unroute("**/answer")
    phone.has("cd")
    assert phone.rooms.answered(phone.room.code, 1, 1) == ("cd", 2)
    phone.page.evaluate("sessionStorage.clear()")
    phone.page.reload()  # the server knows the number, too
    phone.has("cd")
    phone.confirm("ef")
    phone.has("ef")
    assert phone.rooms.answered(phone.room.code, 1, 1) == ("ef", 3)


@pytest.mark.parametrize("shown", [False, True])
def test_an_answer_whose_receipt_is_lost_when_the_question_is_closed_is_asked_for(shown, phone):
    phone.come()
    phone.confirm("ab")
    phone.has("ab")
    phone.page.route("**/answer", lost)
    phone.page.route("**/seat", lambda route: route.abort())
    phone.confirm("cd")
    end = time.monotonic() + 30
    while phone.room.votes() != {"cd": 1}:
        assert time.monotonic() < end
        phone.page.wait_for_timeout(50)
    if shown:
        phone.room.reveal(Result(("cd",), "She was there."))
    else:
        phone.room.close()
    expect(phone.page.locator("main")).to_contain_text(SERVE_PHONE("mine.asking"))  # not what it had before
    phone.page.unroute("**/seat")
    told = SERVE_PHONE("shown.right") if shown else like(SERVE_PHONE, "mine", choice="Sector cd")
    expect(phone.page.locator("main")).to_contain_text(told, timeout=30_000)
    expect(phone.page.locator("#line")).to_be_hidden(timeout=10_000)


def test_an_answer_that_came_too_late_is_not_said_to_count(context, phone):
    phone.come()
    phone.confirm("ab")
    phone.has("ab")
    context.set_offline(True)
    phone.confirm("cd")
    phone.room.close()
    context.set_offline(False)
    expect(phone.page.locator("main")).to_contain_text(SERVE_PHONE("closed"), timeout=30_000)
    expect(phone.page.locator("main")).to_contain_text(like(SERVE_PHONE, "mine", choice="Sector ab"), timeout=30_000)
    assert phone.room.votes() == {"ab": 1}
    phone.room.ask(QUESTION, again=True)
    phone.page.wait_for_selector(".nk-phone-list button")
    expect(phone.page.locator("#bar")).to_contain_text(SERVE_PHONE("pick.none"))
    assert not phone.room.votes()


@pytest.mark.parametrize("came", [False, True])
def test_an_answer_to_a_question_that_is_past_is_told_to_be_late_if_it_was(came, phone):
    """It had been given up without a word, whether it had come or not."""
    cut, told = [True], list[int]()

    def handle(route: Any) -> None:
        if not cut:
            told.append((answer := route.fetch()).status)
            route.fulfill(response=answer)
        elif came:
            lost(route)
        else:
            route.abort()

    def until(condition: Callable[[], bool]) -> None:
        end = time.monotonic() + 30 * busy()
        while not condition():
            assert time.monotonic() < end
            phone.page.wait_for_timeout(50)

    phone.come()
    phone.page.route("**/answer", handle)
    phone.confirm("cd")
    until(lambda: bool(phone.sent) and phone.room.votes() == ({"cd": 1} if came else {}))
    phone.room.ask(QUESTION, again=True)
    expect(phone.page.locator("#main")).to_have_attribute("data-drawn", "2 open", timeout=30_000)
    expect(phone.page.locator("#bar")).to_contain_text(SERVE_PHONE("pick.none"))
    cut.clear()
    until(lambda: bool(told))
    if came:
        phone.page.wait_for_timeout(500)
        expect(phone.page.locator("#line")).to_be_hidden(timeout=10_000)
    else:
        phone.says(SERVE_PHONE("mine.late"))
        shot(phone.page, "class-phone-late", full_page=False)
    assert told == [200 if came else 409] and not phone.room.votes()
    phone.page.unroute_all(behavior="ignoreErrors")


def test_a_phone_whose_storage_is_full_does_not_say_that_answers_are_kept(context, phone):
    context.add_init_script(FULL)
    phone.come()
    expect(phone.page.locator("#line")).to_be_hidden(timeout=20_000 * busy())  # that its seat is this tab's
    context.set_offline(True)
    phone.confirm("cd")
    phone.says(SERVE_PHONE("line.away.unkept"))
    context.set_offline(False)
    phone.has("cd")
    phone.page.route("**/answer", lambda route: None)
    phone.confirm("ab")
    phone.says(SERVE_PHONE("line.unheard.unkept"))
    phone.page.unroute_all(behavior="ignoreErrors")


def test_of_two_tabs_with_one_seat_the_one_that_was_pressed_last_counts(context, phone):
    phone.come()
    other = context.new_page()
    other.goto(phone.url)
    other.wait_for_selector(".nk-phone-list button")
    for choice in ("ab", "cd", "ab"):
        phone.confirm(choice)
        phone.has(choice)
    phone.confirm("ef", other)  # its first, the seat's fourth
    phone.has("ef", other)
    other.close()


def seen(title: str) -> Scene:
    """A board that no other is like."""
    return Scene(300, 200, (), title=title)


def asked(number: int) -> Question:
    return replace(QUESTION, text=f"Where is she at turn {number}?", board=seen(f"Turn {number}"))


def refused_for_now(route: Any) -> None:
    route.fulfill(status=503, json={"error": ""})


@pytest.mark.parametrize("fault", [lambda route: route.abort(), refused_for_now], ids=["cut", "refused"])
def test_of_two_states_the_newer_one_stays_whenever_their_boards_come(phone, fault):
    """The line lets the states through, and no board for a while."""
    page, room = phone.page, phone.room
    room.ask(asked(1))
    phone.come()
    head = page.locator("main h2")
    expect(head).to_have_text("Where is she at turn 1?")
    page.route("**/board/*", fault)
    room.reveal(Result(("ab",), "She was there.", board=seen("Her way")))
    old = phone.rooms.room(room.code).shown["result"]["board"]
    phone.says(like(SERVE_PHONE, "line.away") if fault is not refused_for_now else re.compile("."))
    page.unroute("**/board/*")
    page.route(f"**/board/{old}", fault)
    room.ask(asked(2))
    expect(head).to_have_text("Where is she at turn 2?", timeout=30_000)
    expect(page.locator("#line")).to_be_hidden()
    page.unroute(f"**/board/{old}")
    page.wait_for_timeout(8000)  # as long as a try of the old one could have waited
    expect(head).to_have_text("Where is she at turn 2?")
    assert page.get_attribute("#main", "data-drawn") == f"{room.round} open"
    phone.confirm("cd")
    phone.has("cd")
    page.route("**/board/*", fault)
    room.reveal(Result(("cd",), "She was there.", board=seen("Her way again")))
    page.wait_for_timeout(4000)
    page.unroute("**/board/*")  # nothing else is said by the room: it is asked for again
    expect(page.locator("main")).to_contain_text(SERVE_PHONE("shown.right"), timeout=30_000)
    expect(page.locator("#line")).to_be_hidden()


@pytest.fixture
def console(page: Any, served: tuple[int, Phones]) -> Iterator[tuple[Any, Rooms, str]]:
    """The console of a class whose kernel only lays out a desk."""
    rooms = Rooms(served[1].rooms.path)
    code = ClassRoom("Night convoy", rooms).code
    page.expected_errors += ["net::ERR_", "status of 503", "Failed to fetch"]
    ticket = rooms.ticket(code)
    rooms.lay(code, DESK | {"code": code, "since": time.time()})
    page.goto(f"http://127.0.0.1:{served[0]}/room/{code}/lead#{ticket}")
    page.wait_for_selector("#go")
    yield page, rooms, code
    rooms.close()


@pytest.mark.parametrize("fault", [lambda route: route.abort(), refused_for_now], ids=["cut", "refused"])
def test_a_console_asks_for_its_picture_until_it_is_there_and_shows_no_other(console, fault):
    page, rooms, code = console
    view = {"title": "Night convoy", "sees": "board", "phase": "free", "key": "1", "stand": "1", "side": "",
            "in": {"code": code}}

    def lay(number: int) -> None:
        hash = rooms.keep_board(code, {"svg": "<svg xmlns='http://www.w3.org/2000/svg'/>", "width": 30, "height": 20,
                                       "alt": f"Turn {number}"})
        rooms.lay(code, DESK | {"code": code, "since": time.time(), "walled": True, "board": hash,
                                "view": view | {"head": f"Turn {number}"}})

    picture = page.locator(".nk-lead-small .nk-wall-board img")
    lay(1)
    expect(picture).to_have_attribute("alt", "Turn 1")
    page.route("**/board/*", fault)
    lay(2)
    expect(page.locator(".nk-lead-small h1")).to_have_text("Turn 2")
    expect(picture).to_have_count(0)
    page.unroute("**/board/*")
    expect(picture).to_have_attribute("alt", "Turn 2", timeout=20_000)


@pytest.fixture
def pairing(page: Any, served: tuple[int, Phones]) -> Iterator[tuple[Any, Rooms, str, str]]:
    """The page of who is to lead a class, its file, its code, and the address with a ticket."""
    rooms = Rooms(served[1].rooms.path)
    code = ClassRoom("Night convoy", rooms).code
    page.expected_errors += ["net::ERR_", "Failed to fetch"]
    ticket = rooms.ticket(code)
    rooms.lay(code, DESK | {"code": code, "since": time.time()})
    yield page, rooms, code, f"http://127.0.0.1:{served[0]}/room/{code}/lead#{ticket}"
    rooms.close()


def first_one(page: Any, call: Callable[[Any], None]) -> list[str]:
    """What becomes of the first request to lead; the others arrive. Returns the bodies of all."""
    sent: list[str] = []

    def route(each: Any) -> None:
        sent.append(each.request.post_data)
        call(each) if len(sent) == 1 else each.continue_()

    page.route("**/lead/order", route)
    return sent


UNKEPT = "for (const name of ['localStorage', 'sessionStorage']) " \
         "Object.defineProperty(window, name, { get() { throw new Error('off'); } });"


@pytest.mark.parametrize("storage", ["kept", "off"])
def test_a_console_whose_pairing_was_not_answered_leads_with_the_next_try_and_after_a_reload(pairing, storage):
    page, rooms, code, url = pairing
    if storage == "off":
        page.add_init_script(UNKEPT)
    sent = first_one(page, lost)
    page.goto(url)
    page.wait_for_selector("#go")
    assert len(sent) == 2 and sent[0] == sent[1] and rooms.led(code) and "#" not in page.url
    expect(page.locator("#line")).to_be_hidden()
    page.reload()
    page.wait_for_selector("#go")
    assert len(sent) == 2
    page.click("#go")
    end = time.monotonic() + 10
    while not [each.word for each in rooms.orders(code)] == ["next"]:
        assert time.monotonic() < end
        page.wait_for_timeout(50)


def test_a_console_whose_first_try_takes_too_long_leads_with_the_next_one(pairing):
    page, rooms, code, url = pairing
    held: list[Any] = []

    def slow(route: Any) -> None:
        route.fetch()  # the server has acted
        held.append(route)

    sent = first_one(page, slow)
    page.goto(url)
    expect(page.locator("#line")).to_have_text(SERVE_PHONE("line.door"), timeout=1000 * SAID * busy())
    page.wait_for_selector("#go", timeout=60_000)
    assert len(sent) == 2 and sent[0] == sent[1] and held
    page.unroute_all(behavior="ignoreErrors")


def test_a_console_that_is_loaded_again_while_it_pairs_leads(pairing):
    page, rooms, code, url = pairing
    sent = first_one(page, lambda route: route.fetch())  # and hears nothing
    page.goto(url)
    end = time.monotonic() + 20
    while not rooms.led(code):
        assert time.monotonic() < end
        page.wait_for_timeout(50)
    page.reload()
    page.wait_for_selector("#go")
    assert sent[0] == sent[1] and "#" not in page.url
    page.unroute_all(behavior="ignoreErrors")


def test_a_ticket_that_is_used_up_says_where_another_is_and_that_one_is_taken_in_the_same_window(pairing):
    page, rooms, code, url = pairing
    page.expected_errors += ["status of 403"]
    rooms.pair(code, url.partition("#")[2])
    page.goto(url)
    expect(page.locator("#main")).to_have_text(CLASSES("no.ticket"))
    shot(page, "console-used", full_page=False)
    page.reload()
    expect(page.locator("#main")).to_have_text(SERVE("phone.lead"))
    shot(page, "console-leads-not", full_page=False)
    page.goto(f"{url.partition('#')[0]}#{rooms.ticket(code)}")  # the same document: nothing is loaded by that alone
    page.wait_for_selector("#go")


def taken(rooms: Rooms, code: str) -> Callable[[], list[str]]:
    seen: list[str] = []

    def words() -> list[str]:
        for order in rooms.orders(code):
            seen.append(order.word)
            rooms.carry(code, order.number)
        return seen

    return words


def test_a_console_whose_order_nobody_hears_says_so_and_that_no_other_is_taken(console):
    page, rooms, code = console
    words, held = taken(rooms, code), []
    page.route("**/lead/order", lambda route: held.append(route))
    page.click("#go")
    expect(page.locator("#line")).to_have_text(SERVE_PHONE("lead.unheard"), timeout=1000 * SAID * busy())
    page.keyboard.press("PageUp")
    page.wait_for_timeout(200)
    expect(page.locator("#line")).to_have_text(SERVE_PHONE("lead.unheard"))  # the graver
    shot(page, "console-busy", full_page=False)
    page.unroute("**/lead/order")
    end = time.monotonic() + 30
    while words() != ["next"]:
        assert time.monotonic() < end
        page.wait_for_timeout(50)
    expect(page.locator("#line")).to_be_hidden()
    assert len(held) == 1
    expect(page.locator("body[data-sending]")).to_have_count(0)  # the kernel has taken it
    page.keyboard.press("PageUp")
    end = time.monotonic() + 10
    while words() != ["next", "back"]:
        assert time.monotonic() < end
        page.wait_for_timeout(50)


def test_a_console_that_is_loaded_again_sends_what_nobody_has_heard(console):
    page, rooms, code = console
    page.route("**/lead/order", lambda route: route.abort())
    page.click("#go")
    expect(page.locator("#line")).to_have_text(SERVE_PHONE("lead.away"), timeout=1000 * SAID * busy())
    page.reload()
    page.wait_for_selector("#go")
    assert rooms.orders(code) == []
    page.unroute("**/lead/order")
    words = taken(rooms, code)
    end = time.monotonic() + 30
    while not (came := words()):
        assert time.monotonic() < end
        page.wait_for_timeout(50)
    page.reload()  # it has arrived, and is sent no more
    page.wait_for_selector("#go")
    page.wait_for_timeout(2000)
    assert came == words() == ["next"]


def test_a_console_tells_a_full_disk_in_the_servers_words(console, served):
    page, rooms, code = console
    words = taken(rooms, code)
    with full(served[1]):
        page.click("#go")
        expect(page.locator("#line")).to_have_text(like(SERVE, "phone.unwritten"), timeout=1000 * SAID * busy())
        assert words() == []
    expect(page.locator("#line")).not_to_have_text(like(SERVE, "phone.unwritten"), timeout=30_000)
    assert words() == ["next"]
    expect(page.locator("#line")).to_be_hidden(timeout=30_000)


def test_a_console_tells_of_a_kernel_that_takes_no_order_and_gives_it_one_press(console):
    page, rooms, code = console
    words = taken(rooms, code)
    page.click("#go")
    expect(page.locator("#line")).to_have_text(SERVE_PHONE("lead.frozen"), timeout=1000 * SAID * busy())
    shot(page, "console-frozen", full_page=False)
    page.click("#go")
    page.wait_for_timeout(200)
    expect(page.locator("#line")).to_have_text(SERVE_PHONE("lead.frozen"))
    page.reload()  # a console that was loaded again waits for it too, and has it done once
    page.wait_for_selector("#go")
    expect(page.locator("#line")).to_have_text(SERVE_PHONE("lead.frozen"), timeout=1000 * SAID * busy())
    page.click("#go")
    page.wait_for_timeout(200)
    ((word, stand),) = [(order.word, order.stand) for order in rooms.orders(code)]
    rooms.carry(code, rooms.orders(code)[-1].number)
    assert (word, stand) == ("next", DESK["stand"])
    expect(page.locator("#line")).to_be_hidden(timeout=30_000)
    expect(page.locator("body[data-sending]")).to_have_count(0)
    page.keyboard.press("PageUp")
    page.wait_for_function("() => document.body.dataset.sending === 'back'")
    end = time.monotonic() + 10
    while words() != ["back"]:
        assert time.monotonic() < end
        page.wait_for_timeout(50)


def test_a_console_tells_of_a_page_that_has_fallen_silent_before_any_order_is_given(console):
    page, rooms, code = console
    rooms.here(code)
    line, quiet = page.locator("#line"), SERVE_PHONE("lead.quiet")
    expect(line).to_have_text(quiet, timeout=1000 * SAID * busy())
    rooms.here(code)
    expect(line).to_be_hidden(timeout=3000 * busy())


def test_a_press_that_a_console_does_not_take_is_spoken_of_until_something_graver_is_or_its_order_has_come(console):
    page, rooms, code = console
    words, line = taken(rooms, code), page.locator("#line")
    page.click("#go")
    page.wait_for_timeout(700)  # before it is said of the kernel that it does not answer
    page.keyboard.press("PageUp")
    expect(line).to_have_text(SERVE_PHONE("lead.busy"))
    expect(line).to_have_text(SERVE_PHONE("lead.frozen"), timeout=1000 * SAID * busy())
    assert words() == ["next"]
    expect(line).to_be_hidden()


def test_a_console_goes_by_no_clock_that_is_set(console):
    """Its phone's clock is hours wrong, and set back while it leads: the minutes are the class's."""
    page, rooms, code = console
    clock = page.locator("#clock").text_content()
    page.clock.install(time=time.time() + 7200)
    page.reload()
    page.wait_for_selector("#go")
    expect(page.locator("#clock")).to_have_text(clock)
    words, line = taken(rooms, code), page.locator("#line")
    page.keyboard.press("PageUp")
    page.wait_for_function("() => document.body.dataset.sending === 'back'")
    page.evaluate("() => { const now = Date.now; Date.now = () => now() - 3600e3; }")
    page.clock.run_for(700)
    page.keyboard.press("PageUp")
    expect(line).to_have_text(SERVE_PHONE("lead.busy"))
    assert words() == ["back"]
    expect(line).to_be_hidden()


@pytest.mark.parametrize("key", ["\u2603", "a\nb"])
def test_a_damaged_key_of_a_seat_takes_a_new_one(phone, key):
    phone.come()
    phone.page.evaluate("(key) => { for (const name in localStorage) localStorage.setItem(name, key); }", key)
    phone.page.reload()
    phone.page.wait_for_selector(".nk-phone-list button")
    phone.confirm("cd")
    phone.has("cd")
    assert phone.room.joined == 2


def test_a_damaged_key_of_a_console_says_how_to_come_by_another(console):
    page, _, _ = console
    page.expected_errors += ["status of 403"]
    page.evaluate("() => { for (const each of Object.keys(sessionStorage)) sessionStorage.setItem(each, '\u2603'); }")
    page.reload()
    expect(page.locator("#main")).to_have_text(SERVE("phone.lead"))


def test_a_console_that_is_loaded_again_after_the_end_says_that_the_class_has_ended(console):
    page, rooms, code = console
    page.expected_errors += ["status of 410"]
    ClassRoom("Night convoy", rooms, code).end("report")
    for _ in range(2):
        expect(page.locator("#main")).to_have_text(SERVE("phone.ended"), timeout=20_000 * busy())
        page.reload()


def test_a_line_on_which_nothing_comes_is_spoken_of_soon_and_not_once_something_does(phone, served, monkeypatch):
    """The server's signs of life are withheld, as by a line that is dead without an end."""
    monkeypatch.setattr(watch, "BEAT", 1000.0)
    phone.come()
    phone.says(SERVE_PHONE("line.away"))
    phone.room.let_in(names=True)
    expect(phone.page.locator("#line")).to_be_hidden()
    phone.says(SERVE_PHONE("line.away"))
    expect(phone.page.locator("#line")).to_be_hidden(timeout=30_000)  # asked, the server answers


def test_a_console_on_whose_line_nothing_comes_says_so(served, page, monkeypatch):
    monkeypatch.setattr(watch, "BEAT", 1000.0)
    rooms = Rooms(served[1].rooms.path)
    code = ClassRoom("Night convoy", rooms).code
    ticket = rooms.ticket(code)
    rooms.lay(code, DESK | {"code": code, "since": time.time()})
    page.goto(f"http://127.0.0.1:{served[0]}/room/{code}/lead#{ticket}")
    page.wait_for_selector("#go")
    expect(page.locator("#line")).to_have_text(SERVE_PHONE("lead.away"), timeout=1000 * SAID * busy())
    rooms.lay(code, DESK | {"code": code, "since": time.time(), "say": "now"})
    expect(page.locator("#line")).to_be_hidden()
    rooms.close()


SCREEN = "step_escorts.ipynb?scenario=night-convoy&seed=2&step=30&class=1&view=class"


def writes(server: Any, most: int) -> None:
    """How large a file the kernels may write: none at all is as on a full disk."""
    for kernel in children(server.process.pid):
        resource.prlimit(kernel, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def test_the_screen_of_a_class_on_a_full_disk_and_in_two_tabs(page, context, voila):
    page.goto(voila.page(SCREEN), wait_until="commit")
    page.wait_for_selector(".nk-wall[data-sees=door]")
    page.wait_for_selector("html[data-nk-stands]", state="attached")  # its place is found
    writes(voila, 0)
    try:
        page.keyboard.press("Space")
        wrong = like(UI_ROOMS, "class.refused")
        expect(page.locator(".nk-wall-wrong")).to_have_text(wrong, timeout=1000 * SAID * busy())
        shot(page, "screen-full-disk", full_page=False)
        assert page.locator(".nk-wall").get_attribute("data-sees") == "door"
    finally:
        writes(voila, resource.RLIM_INFINITY)
    expect(page.locator(".nk-wall-wrong")).to_have_count(0)
    page.keyboard.press("Space")
    page.wait_for_selector(".nk-wall[data-phase=open]")
    asked = page.locator(".nk-wall h1").inner_text()

    other = context.new_page()
    other.goto(voila.page(SCREEN), wait_until="commit")
    other.wait_for_selector(".nk-wall[data-phase=open]")
    expect(page.locator(".nk-wall h1")).to_have_text(like(CLASSES, "no.held"), timeout=1000 * SAID * busy())
    shot(page, "screen-elsewhere", full_page=False)
    page.keyboard.press("Space")
    expect(page.locator(".nk-wall h1")).to_have_text(asked)
    expect(other.locator(".nk-wall h1")).to_have_text(like(CLASSES, "no.held"), timeout=1000 * SAID * busy())
    page.keyboard.press("Escape")
    expect(page.locator(".nk-room-come")).to_be_visible()
    other.keyboard.press("Escape")
    expect(other.locator(".nk-key-class-here")).to_be_visible()
    shot(other, "class-elsewhere", full_page=False)
    other.click(".nk-key-class-here")
    expect(other.locator(".nk-room-come")).to_be_visible()
    expect(page.locator(".nk-key-class-here")).to_be_visible(timeout=1000 * SAID * busy())
    other.close()


def test_a_tab_finds_its_class_again_where_storage_takes_nothing_and_says_so(page, voila):
    page.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };")
    page.goto(voila.page("step_escorts.ipynb?scenario=night-convoy&seed=2&class=1"))
    page.wait_for_selector(".nk-room-code")
    first = page.inner_text(".nk-room-code")
    expect(page.locator(".nk-status").first).to_have_text(like(UI_ROOMS, "class.unstored", code=first))
    shot(page, "class-unstored", full_page=False)
    assert first not in page.url
    page.reload()
    page.wait_for_selector(".nk-room-code")
    assert page.inner_text(".nk-room-code") == first


def test_a_second_window_is_given_the_lead_of_a_class_that_is_on_and_hears_that_its_report_is_there(page, voila):
    files: list[str] = []
    page.on("download", lambda file: files.append(file.suggested_filename))
    page.goto(voila.page(SCREEN.removesuffix("&view=class")), wait_until="commit")
    page.wait_for_selector(".nk-room-code:visible")
    page.click(".nk-key-class-more")
    page.click(".nk-key-class-lead-window")
    link = page.locator("a[target=navalkit-lead]:visible")
    expect(link).to_have_text(UI_ROOMS("lead.open"))
    link.scroll_into_view_if_needed()
    shot(page, "class-lead-window", full_page=False)
    with page.expect_popup() as opened:
        link.click()
    console = opened.value
    console.wait_for_selector("#go")
    expect(link).to_have_count(0)
    for kernel in (frozen := children(voila.process.pid)):
        os.kill(kernel, signal.SIGSTOP)
    try:
        expect(console.locator("#line")).to_have_text(SERVE_PHONE("lead.quiet"), timeout=1000 * SAID * busy())
    finally:
        for kernel in frozen:
            os.kill(kernel, signal.SIGCONT)
    expect(console.locator("#line")).to_be_hidden()
    console.click("#room summary")
    console.click(f"#room button:text-is('{SERVE_PHONE('lead.report')}')")
    expect(console.locator(".nk-lead-told")).to_have_text(UI_ROOMS("class.reported"))
    assert len(files) == 1
