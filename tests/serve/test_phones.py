"""What phones may ask of the server, and what hostile ones are told."""

from __future__ import annotations
import http.client
import itertools
import json
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import navalkit as nk
from navalkit.core.seeds import fresh_seed
from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.store import Ballot, Rooms
from navalkit.rooms.table import GONE, GRACE, HERE, QUIET, Table
from navalkit.serve.phones import KEY, LARGEST_BODY, Phones
from navalkit.serve.watch import Pace, Urn
from navalkit.testing import said
from navalkit.view.page import Choice, Question, Result
from ..sentences import CLASSES, SERVE
from .phones import Answer, Line, phones

HIT = Question("hit", "Hit or miss?", (Choice("hit", "A hit"), Choice("miss", "A miss")))


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    folder = tmp_path_factory.mktemp("rooms")
    with phones(folder) as (number, _):
        yield number, folder


@pytest.fixture
def rooms(port: tuple[int, Path]) -> Iterator[Rooms]:
    opened = Rooms(port[1] / "rooms.sqlite3")
    yield opened
    opened.close()


@pytest.fixture
def line(port: tuple[int, Path]) -> Iterator[Line]:
    made = Line(port[0])
    yield made
    made.close()


@pytest.fixture
def room(rooms: Rooms) -> ClassRoom:
    return ClassRoom("Night convoy", rooms)


def test_the_page_is_the_same_for_every_code_and_lets_no_script_in_it_run(line: Line) -> None:
    page = line.ask("")
    assert page == line.ask("/ABCDEF")._replace(headers=page.headers)
    assert page.status == 200 and b'<script type="module" src="/room/static/room.js">' in page.body
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert b"<style" not in page.body and b"onclick" not in page.body
    for name, kind in (("room.js", "text/javascript"), ("room.css", "text/css"), ("game.js", "text/javascript")):
        assert line.ask(f"/static/{name}").headers["content-type"].startswith(kind)
    assert line.ask("/words").json()["gone"]


def test_a_phone_takes_a_seat_answers_and_changes_its_mind_until_the_question_is_closed(
    line: Line, room: ClassRoom
) -> None:
    seat = line.sit(room.code.lower()).json()
    first = CLASSES("name", kind=CLASSES("kinds").split("|")[0], number=1)
    assert (seat["name"], seat["code"], seat["choice"]) == (first, room.code, None)
    room.ask(HIT)
    for choice in ("hit", "miss"):
        assert line.ask(f"/{room.code}/answer", {"round": 1, "choice": choice}).status == 200
        assert room.votes() == {choice: 1}
    assert line.sit(room.code).json()["choice"] == "miss"  # as after a reload
    numbered = [line.ask(f"/{room.code}/answer", {"round": 1, "choice": choice, "number": number}).json()
                for choice, number in (("hit", 7), ("miss", 6), ("miss", 8))]
    assert [(each["choice"], each["number"]) for each in numbered] == [("hit", 7), ("hit", 7), ("miss", 8)]
    seat = line.sit(room.code).json()
    assert (seat["choice"], seat["number"]) == ("miss", 8)
    room.close()
    late = line.ask(f"/{room.code}/answer", {"round": 1, "choice": "hit"})
    said(late.json()["error"], CLASSES, "no.closed")
    assert late.status == 409
    for choice, number, status in (("miss", 8, 200), ("hit", 9, 409), ("hit", 7, 409)):  # a receipt that was lost
        sent = {"round": 1, "choice": choice, "number": number}
        assert line.ask(f"/{room.code}/answer", sent).status == status
    assert room.votes() == {"miss": 1}


def test_the_state_is_pushed_and_polled_and_tells_no_counts_while_a_question_is_open(
    port: tuple[int, Path], line: Line, room: ClassRoom
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port[0], timeout=10)
    line.sit(room.code)
    connection.request("GET", f"/room/{room.code}/events", headers={KEY: line.key})
    stream = connection.getresponse()
    assert stream.getheader("Content-Type") == "text/event-stream"

    def pushed() -> dict[str, Any]:
        while not (text := stream.readline()).startswith(b"data: "):
            pass
        state: dict[str, Any] = json.loads(text[6:])
        return state

    assert pushed()["phase"] == "wait"
    room.ask(HIT)
    state = pushed()
    assert state["phase"] == "open" and "result" not in state
    line.ask(f"/{room.code}/answer", {"round": 1, "choice": "hit"})
    assert "votes" not in line.ask(f"/{room.code}/state").body.decode()
    room.reveal(Result(("hit",), "She was hit."))
    while state["phase"] != "shown":
        state = pushed()
    assert state["result"]["votes"] == {"hit": 1}
    assert line.ask(f"/{room.code}/state?rev=0").json() == state
    room.rooms.sql.execute("UPDATE room SET used = 0 WHERE code = ?", (room.code,))
    forgotten(room.rooms)  # its time is over
    assert b'{"gone":true}' in stream.read()
    connection.close()


def test_a_poll_waits_for_the_next_state(port: tuple[int, Path], line: Line, room: ClassRoom) -> None:
    rev = line.ask(f"/{room.code}/state").json()["rev"]
    connection = http.client.HTTPConnection("127.0.0.1", port[0], timeout=10)
    line.sit(room.code)
    rev = line.ask(f"/{room.code}/state").json()["rev"]
    connection.request("GET", f"/room/{room.code}/state?rev={rev}", headers={KEY: line.key})
    time.sleep(0.2)
    room.ask(HIT)
    assert json.loads(connection.getresponse().read())["phase"] == "open"
    connection.close()


def test_a_board_is_fetched_once(line: Line, room: ClassRoom) -> None:
    hash = room.rooms.keep_board(room.code, {"svg": "<svg/>"})
    packed = line.ask(f"/{room.code}/board/{hash}", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip" and "immutable" in packed.headers["cache-control"]
    assert line.ask(f"/{room.code}/board/{hash}").json() == {"svg": "<svg/>"}
    assert line.ask(f"/{room.code}/board/{'0' * 24}").status == 404


def test_who_is_no_phone_of_the_room_cannot_answer(line: Line, room: ClassRoom, rooms: Rooms) -> None:
    room.ask(HIT)
    answer = f"/{room.code}/answer", {"round": 1, "choice": "hit"}
    assert line.ask(*answer).status == 403
    line.sit(ClassRoom("Another", rooms).code)
    assert line.ask(*answer).status == 403
    assert room.votes() == {}


def test_an_answer_to_a_question_that_is_not_asked_yet_is_not_kept_for_it(
    port: tuple[int, Path], line: Line, room: ClassRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was not looked up among the choices, and the question may be asked before the file is written."""
    line.sit(room.code)
    cast = Urn.cast

    async def later(urn: Urn, ballot: Ballot) -> bool:
        with closing(Rooms(port[1] / "rooms.sqlite3")) as others:
            ClassRoom(rooms=others, code=room.code).ask(HIT)
        return await cast(urn, ballot)

    monkeypatch.setattr(Urn, "cast", later)
    said = {"round": room.round + 1, "choice": "nonsense", "number": 9}
    assert line.ask(f"/{room.code}/answer", said).status == 409
    assert room.rooms.answers(room.code, room.round + 1) == {}


HOSTILE: list[tuple[str, Any, str, dict[str, str], int]] = [
    ("/{code}/answer", b"{", "POST", {}, 400),
    ("/{code}/answer", b"[1]", "POST", {}, 400),
    ("/{code}/answer", b"[" * 4000, "POST", {}, 400),
    ("/{code}/answer", b'{"round": 0, "choice": "\\ud800"}', "POST", {}, 400),  # half a character: no file holds it
    ("/{code}/seat", b'{"name": "\\ud800"}', "POST", {}, 400),
    ("/{code}/answer", b"\xff\xfe", "POST", {}, 400),
    ("/{code}/answer", {"round": "1", "choice": "hit"}, "POST", {}, 400),
    ("/{code}/answer", {"round": True, "choice": "hit"}, "POST", {}, 400),
    ("/{code}/answer", {"round": 1, "choice": ["hit"]}, "POST", {}, 400),
    ("/{code}/answer", {"round": 1, "choice": "hit", "number": -1}, "POST", {}, 400),
    ("/{code}/answer", {"round": 1, "choice": "hit", "number": True}, "POST", {}, 400),
    ("/{code}/answer", {"round": 1, "choice": "hit", "number": 1 << 63}, "POST", {}, 400),
    ("/{code}/answer", {"round": 1, "choice": "sunk"}, "POST", {}, 400),
    ("/{code}/answer", {"round": 1, "choice": "' OR 1=1; DROP TABLE answer; --"}, "POST", {}, 400),
    ("/{code}/answer", {"round": 10**30, "choice": "hit"}, "POST", {}, 409),
    ("/{code}/answer", {"round": -(10**30), "choice": "hit", "number": 1}, "POST", {}, 409),
    ("/{code}/answer", b"round=1&choice=hit", "POST", {"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ("/{code}/answer", b"x" * (LARGEST_BODY + 1), "POST", {}, 413),
    ("/{code}/answer", None, "GET", {}, 405),
    ("/{code}/seat", {"name": ["Ann"]}, "POST", {}, 400),
    ("/{code}/seat", b"null", "POST", {}, 400),
    ("/{code}/state?rev=%00'\"", None, "GET", {}, 200),
    ("/{code}/board/../../etc/passwd", None, "GET", {}, 404),
    ("/{code}/game", None, "GET", {}, 404),
    ("/{code}/game", {"give": "x"}, "POST", {}, 404),
    ("/static/../phones.py", None, "GET", {}, 404),
    ("/static/%2e%2e/phones.py", None, "GET", {}, 404),
    ("/static/phones.py", None, "GET", {}, 404),
    ("/static/no.js", None, "GET", {}, 404),
    ("/XXXXXX/state", None, "GET", {}, 404),
    ("/XXXXXX/events", None, "GET", {}, 404),
    ("/XXXXXX/seat", {}, "POST", {}, 404),
    ("/{code}/nothing", None, "DELETE", {}, 404),
]


@pytest.mark.parametrize("path, body, method, headers, status", HOSTILE, ids=[f"{p} {s}" for p, *_, s in HOSTILE])
def test_hostile_input_is_refused_in_one_sentence(
    line: Line, room: ClassRoom, path: str, body: Any, method: str, headers: dict[str, str], status: int
) -> None:
    line.sit(room.code)
    room.ask(HIT)
    answer = line.ask(path.format(code=room.code), body, method, headers)
    assert answer.status == status
    if status != 200:
        told = answer.json()["error"]
        assert told.endswith(".") and len(told) < 200 and "Traceback" not in told
    assert room.votes() == {} and room.joined == 1


def test_a_guests_screen_has_a_size(line: Line, rooms: Rooms) -> None:
    table = Table.lay(rooms, nk.Match.new("wolf-pack", seed=1), 0)
    line.sit(table.code)
    for size in ("x", "0x0", "390x", "390x480x1", "99999x480", "-390x480"):
        assert line.ask(f"/{table.code}/game?size={size}").status == 400


@pytest.mark.parametrize("lengths", [("2", "2"), ("2", "3"), ("2,2",), ("-2",), ("two",), ("9" * 5000,)],
                         ids=["equal", "unequal", "listed", "negative", "word", "long"])
def test_a_length_that_is_none_is_refused(port: tuple[int, Path], room: ClassRoom, lengths: tuple[str, ...]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port[0], timeout=10)
    connection.putrequest("POST", f"/room/{room.code}/seat")
    connection.putheader("Content-Type", "application/json")
    for length in lengths:
        connection.putheader("Content-Length", length)
    connection.endheaders()
    connection.send(b"{}")
    assert connection.getresponse().status in (400, 413)
    connection.close()
    assert room.joined == 0


def test_a_large_body_is_not_read(port: tuple[int, Path], room: ClassRoom) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port[0], timeout=10)
    connection.putrequest("POST", f"/room/{room.code}/answer")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", str(60 << 20))
    connection.endheaders()
    connection.send(b"x" * 1024)  # and not the rest: the answer comes from the header alone
    assert connection.getresponse().status in (400, 413)
    connection.close()


def test_guessing_codes_and_tapping_for_fun_are_slowed_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with phones(tmp_path) as (number, shared):
        shared.wrong, shared.taps = Pace(3, 0.0), Pace(3, 0.0)
        room, line = ClassRoom("Pace", shared.rooms), Line(number)
        assert [line.ask(f"/XXXXX{n}/state").status for n in range(5)] == [404] * 3 + [429] * 2
        line.sit(room.code)  # the right code is let in all the same
        room.ask(HIT)
        answer = f"/{room.code}/answer", {"round": 1, "choice": "hit"}
        assert [line.ask(*answer).status for _ in range(5)] == [200] * 3 + [429] * 2
        line.close()


def test_a_guest_plays_over_the_line_and_a_second_one_is_not_let_in(line: Line, rooms: Rooms) -> None:
    table = Table.lay(rooms, nk.Match.new("wolf-pack", fresh_seed(True), ("host", "guest")), 0)
    assert line.ask(f"/{table.code}/game").status == 403
    line.sit(table.code)
    assert table.joined
    second = Line(line._connection.port)
    assert second.sit(table.code).status == 403
    second.close()
    for _ in range(6):
        table.catch_up()
        if table.match.turn == 0:
            table.play(table.match.legal()[0])
            continue
        seen = line.ask(f"/{table.code}/game").json()
        assert seen["mine"] and "record" not in seen and "seed" not in seen
        assert order(line, table.code, {"give": "nonsense"}).status == 409
        assert order(line, table.code, {"give": seen["orders"][0]["text"]}).status == 200
    table.catch_up()
    assert len(table.match.plies) > 5


def test_a_guest_who_leaves_the_page_has_left_their_own_seat_alone(line: Line, rooms: Rooms) -> None:
    table = Table.lay(rooms, nk.Match.new("wolf-pack", fresh_seed(True), ("host", "guest")), 0)
    assert line.ask(f"/{table.code}/leave", {}).status == 403
    line.sit(table.code)
    assert line.ask(f"/{table.code}/game").json()["where"] == QUIET  # nothing is known of the host
    assert line.ask(f"/{table.code}/leave", {}).status == 200
    assert rooms.left(table.code, 1) is not None and rooms.left(table.code, 0) is None and table.doubt > 0
    line.ask(f"/{table.code}/game")  # the page was loaded again
    assert rooms.left(table.code, 1) is None and table.where == HERE
    table.here()
    rooms.plays("kernel", table.code, 0)
    rooms.ended("kernel")
    seen = line.ask(f"/{table.code}/game").json()
    assert seen["where"] == HERE and 0 < seen["doubt"] <= GRACE
    rooms.here(table.code, 0)
    table.leave()
    assert line.ask(f"/{table.code}/game").json()["where"] == GONE
    lesson = ClassRoom("Leave", rooms)
    line.sit(lesson.code)
    assert line.ask(f"/{lesson.code}/leave", {}).status == 404


NUMBERS = itertools.count(1)


def order(line: Line, code: str, do: dict[str, Any], n: int = 0, at: str = "", journal: str = "0" * 16) -> Answer:
    """Give an order as the guest's page does: numbered, and for the position that it sees."""
    at = at or line.ask(f"/{code}/game").json()["standing"]["at"]
    return line.ask(f"/{code}/game", {"journal": journal, "n": n or next(NUMBERS), "at": at, "do": do})


DAY = 24 * 3600.0


def forgotten(rooms: Rooms) -> None:
    """Forget the rooms whose time is over, at the second of two looks that are far enough apart."""
    Rooms(rooms.path).close()
    rooms.sql.execute("UPDATE said SET value = 0 WHERE key LIKE 'idle %'")
    Rooms(rooms.path).close()


def older(rooms: Rooms, code: str, seconds: float) -> None:
    """As if that much time had gone by since all that was done in a game: clocks of other processes agree."""
    kept = rooms.room(code).kept
    kept["at"] -= seconds
    with rooms.writing():
        rooms.sql.execute("UPDATE room SET used = used - ?, kept = ? WHERE code = ?", (seconds, json.dumps(kept), code))
        rooms.sql.execute("UPDATE move SET at = at - ? WHERE room = ?", (seconds, code))


def test_a_game_is_played_by_correspondence_for_days_over_restarts_of_the_server(tmp_path: Path) -> None:
    with phones(tmp_path) as (number, shared):
        match = nk.Match.new("wolf-pack", fresh_seed(True), ("host", "guest"))
        table = Table.lay(shared.rooms, match, 0, minutes=round(30 * DAY / 60))
        code, ticket, line = table.code, table.ticket, Line(number)
        left = Table.lay(shared.rooms, match, 0).code  # a game that nobody goes on with
        key = line.sit(code).json()["key"]
        line.close()
    spent, done = [0.0, 0.0], 0
    for wait in (5 * DAY, 2 * DAY, 11 * DAY):
        with phones(tmp_path) as (number, shared):  # both come back, each by what their browser has kept
            table, line = Table.again(shared.rooms, ticket), Line(number)
            assert table is not None and table.code == code and table.done == done
            line.key = key
            assert line.sit(code).json()["key"] == key
            seen, clock = line.ask(f"/{code}/game").json(), [table.left(player) for player in (0, 1)]
            assert seen["clock"] == pytest.approx(clock, abs=60)
            assert clock == pytest.approx([30 * DAY - each for each in spent], abs=60)
            for turn in (0, 1, 0, 1):  # on, until it has been both sides' turn
                while table.match.turn == turn and not table.match.over:
                    if turn == 0:
                        table.play(table.match.legal()[0])
                    else:
                        text = line.ask(f"/{code}/game").json()["orders"][0]["text"]
                        assert order(line, code, {"give": text}).status == 200
                        table.catch_up()
            assert not table.match.over and table.done > done + 2
            done = table.done
            line.close()
            spent[table.match.turn] += wait
            older(shared.rooms, code, wait)
            older(shared.rooms, left, 25 * DAY)
    with phones(tmp_path) as (_, shared):
        assert Table(shared.rooms, code, 1).match.state == table.match.state
        forgotten(shared.rooms)
        assert shared.rooms.rev(left) == 0  # for 75 days; the other one for 11
        older(shared.rooms, code, 61 * DAY)
        forgotten(shared.rooms)
    with phones(tmp_path) as (number, shared):
        line = Line(number)
        assert Table.again(shared.rooms, ticket) is None and line.ask(f"/{code}/state").status == 404
        line.close()


def test_below_another_base_all_is_found_there(tmp_path: Path) -> None:
    with phones(tmp_path, "/user/reader/") as (number, shared):
        room, line = ClassRoom("Hub", shared.rooms), Line(number, "/user/reader/")
        assert b'src="/user/reader/room/static/room.js"' in line.ask(f"/{room.code}").body
        assert line.sit(room.code).status == 200
        line.close()


# Anything at all ------------------------------------------------------------------------------------------------------

PATHS = ["", "/{code}", "/{code}/seat", "/{code}/answer", "/{code}/state", "/{code}/board/{hash}", "/{code}/game",
         "/static/room.js", "/words", "/{game}/game", "/{game}/seat", "/{game}/answer"]  # fmt: skip
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=12), inside, max_size=4),
    max_leaves=12,
)
_KEYS = st.sampled_from(["round", "choice", "name", "point", "give", "type", "undo", "agree", "rules", "do", "room"])
BODIES = (
    st.binary(max_size=2 * LARGEST_BODY)
    | _JSON.map(lambda value: json.dumps(value).encode())
    | st.dictionaries(_KEYS, _JSON, max_size=4).map(lambda value: json.dumps(value).encode())
)
_PRINTED = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60)
HEADERS = st.dictionaries(
    st.sampled_from(
        ["Content-Type", "Accept-Encoding", "Cookie", "Origin", "Host", "Range", "If-None-Match", "Expect",
         "X-Forwarded-For", "X-HTTP-Method-Override", "Authorization", KEY]
    ), _PRINTED, max_size=3,
)  # fmt: skip
ENDS = st.sampled_from(["", "", "", "/", "?rev=", "//", "/%00", "%2e%2e/", "/../.."])
METHODS = st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "BREW"])


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from(PATHS), more=ENDS | _PRINTED,
    method=METHODS, body=st.none() | BODIES, headers=HEADERS, seat=st.integers(0, 2),
)  # fmt: skip
def test_nothing_that_is_sent_breaks_the_server_or_changes_what_others_see(
    port: tuple[int, Path], rooms: Rooms, path: str, more: str, method: str, body: bytes | None,
    headers: dict[str, str], seat: int,
) -> None:  # fmt: skip
    """Every answer is a refusal in a sentence or what was asked for; the room, its answers and the game stay."""
    room, table, line, keys = _stage(rooms, port[0])
    before = rooms.room(room.code).shown, rooms.room(table.code).shown, rooms.moves(table.code)
    asked = path.format(code=room.code, game=table.code, hash="0" * 24) + quote(more, safe="/%?=.")
    line.key = keys[seat]
    try:
        answer = line.ask(asked, body, method, headers)
    except (OSError, http.client.HTTPException):  # it hung up, as it may before it has read what it does not want
        answer = None
    if answer is not None:
        assert answer.status < 500, (answer.status, answer.body)
        assert b"Traceback" not in answer.body and str(table.match.seed).encode() not in answer.body
        if answer.status >= 400 and method != "HEAD":
            assert len(answer.body) < 400
    assert (rooms.room(room.code).shown, rooms.room(table.code).shown, rooms.moves(table.code)) == before
    assert set(room.votes()) <= {"hit", "miss"}
    line.close()
    assert line.ask("/words").status == 200
    line.close()


_staged: dict[int, tuple[ClassRoom, Table, Line, tuple[str, str, str]]] = {}


def _stage(rooms: Rooms, port: int) -> tuple[ClassRoom, Table, Line, tuple[str, str, str]]:
    """A class with an open question, a game, a line, and three keys: none, a phone's and the guest's."""
    if port not in _staged:
        file = Rooms(rooms.path)
        room, line = ClassRoom("Fuzz", file), Line(port)
        table = Table.lay(file, nk.Match.new("wolf-pack", fresh_seed(True), ("host", "guest")), 0)
        phone, guest = (line.sit(code).json()["key"] for code in (room.code, table.code))
        room.ask(HIT)
        _staged[port] = room, table, line, ("", phone, guest)
    return _staged[port]


def test_a_machine_that_tries_its_own_address_is_no_other_that_has_got_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("navalkit.serve.phones.lan_addresses", lambda: ["192.0.2.7"])
    shared = Phones()
    shared.rooms = Rooms(tmp_path / "rooms.sqlite3")
    for address, reached in (("127.0.0.1", None), ("192.0.2.7", None), ("192.0.2.8", "192.0.2.8")):
        shared.reach(SimpleNamespace(remote_ip=address), 8866)  # type: ignore[arg-type]
        assert shared.rooms.said("reached 8866") == reached
    shared.rooms.close()


def test_a_damaged_file_is_told_to_phone_and_console_without_its_path(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "rooms.sqlite3").write_bytes(b"no database " * 400)
    monkeypatch.setenv("NAVALKIT_ROOMS", str(tmp_path / "damaged"))
    with phones(tmp_path) as (port, shared):
        line, whole = Line(port), shared.rooms
        del shared.rooms  # as a server that comes to the file with its first phone
        for answer in (line.ask("/BBBBBB/state"), line.ask("/BBBBBB/seat", {}), line.ask("/BBBBBB/lead/events")):
            assert answer.status == 500 and answer.json()["error"] == SERVE("phone.damaged")
        shared.rooms = whole
        line.close()
