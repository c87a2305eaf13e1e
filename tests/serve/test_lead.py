"""Who leads a class from a second device: a ticket good once, a key for one room, orders carried out once."""

from __future__ import annotations
import http.client
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.refused import RoomError
from navalkit.rooms.store import ORDERS, Rooms
from navalkit.serve.lead import LEAD, PAIR
from navalkit.serve.phones import Phones
from navalkit.serve.watch import Pace
from navalkit.testing import refused, said
from ..sentences import CLASSES, SERVE
from .phones import Answer, Line, phones
from .test_phones import HIT

Served = tuple[int, Path, Phones]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("rooms")
    with phones(folder) as (number, shared):
        yield number, folder, shared


@pytest.fixture
def room(port: Served) -> Iterator[ClassRoom]:
    port[2].wrong = Phones().wrong  # as nobody has guessed yet
    rooms = Rooms(port[1] / "rooms.sqlite3")
    yield ClassRoom("Night convoy", rooms)
    rooms.close()


@pytest.fixture
def line(port: Served) -> Iterator[Line]:
    made = Line(port[0])
    yield made
    made.close()


def lead(line: Line, code: str, key: str, order: str, what: str = "", id: str = "1") -> Answer:
    return line.ask(f"/{code}/lead/order", {"order": order, "what": what, "id": id}, headers={LEAD: key})


def paired(line: Line, room: ClassRoom) -> str:
    answer = lead(line, room.code, room.rooms.ticket(room.code), PAIR)
    assert answer.status == 200
    return str(answer.json()["key"])


def test_a_ticket_is_good_once_and_a_new_key_ends_the_old(line: Line, room: ClassRoom) -> None:
    ticket = room.rooms.ticket(room.code)
    assert not room.rooms.led(room.code)
    first = lead(line, room.code, ticket, PAIR).json()["key"]
    again = lead(line, room.code, ticket, PAIR)
    assert again.status == 403 and room.rooms.led(room.code)
    said(again.json()["error"], CLASSES, "no.ticket")
    unused = room.rooms.ticket(room.code)
    assert lead(line, room.code, first, "next").status == 200  # a ticket that nobody took ends nothing
    second = lead(line, room.code, unused, PAIR).json()["key"]
    assert lead(line, room.code, first, "next").status == 403
    assert lead(line, room.code, second, "next").status == 200


def test_a_ticket_is_taken_again_with_the_key_it_was_taken_with_and_no_other(line: Line, room: ClassRoom) -> None:
    """A console whose answer was lost asks once more; it has drawn its key, and kept it."""
    def pairs(ticket: str, key: Any) -> Answer:
        return line.ask(f"/{room.code}/lead/order", {"order": PAIR, "key": key}, headers={LEAD: ticket})

    mine, other, ticket = "k" * 32, "o" * 32, room.rooms.ticket(room.code)
    for _ in range(3):
        assert pairs(ticket, mine).json() == {"key": mine}
    assert lead(line, room.code, mine, "next").status == 200
    for wrong in ((ticket, other), (ticket, ""), ("", mine), ("t" * 32, mine)):
        assert pairs(*wrong).status == 403, wrong
    assert pairs(ticket, 7).status == 400 and room.rooms.leads(room.code, mine)
    later = room.rooms.ticket(room.code)
    assert room.rooms.offers(room.code, later)
    assert pairs(ticket, mine).status == 200  # as long as nobody has used the later one
    assert room.rooms.offers(room.code, later)
    assert pairs(later, other).json() == {"key": other} and not room.rooms.offers(room.code, later)
    assert pairs(ticket, mine).status == 403 and pairs(later, mine).status == 403
    assert room.rooms.leads(room.code, other)
    damaged = pairs(room.rooms.ticket(room.code), "no key").json()["key"]
    assert len(damaged) == 32 and room.rooms.leads(room.code, damaged)


def test_every_order_is_refused_without_the_key_of_this_class(line: Line, port: Served, room: ClassRoom) -> None:
    port[2].wrong = Pace(1000, 1.0)  # so that all are answered
    other = ClassRoom("Another", room.rooms)
    old, foreign, seat = paired(line, room), paired(line, other), line.sit(room.code).json()["key"]
    key = paired(line, room)
    for order in ORDERS:
        for wrong in ("", seat, old, foreign, key.swapcase(), room.rooms.ticket(room.code)):
            answer = lead(line, room.code, wrong, order)
            assert answer.status == 403, (order, wrong)
            said(answer.json()["error"], SERVE, "phone.lead")
    assert not room.rooms.orders(room.code)
    assert lead(line, room.code, key, "no-order").status == 400
    assert lead(line, room.code, key, "next", id="").status == 400
    assert lead(line, room.code, key, "next", what="x" * 999).status == 400
    assert line.ask(f"/{room.code}/lead/events", headers={LEAD: seat}).status == 403
    assert lead(line, room.code, seat, PAIR).status == 403


def test_who_led_a_class_that_has_ended_is_told_so(line: Line, room: ClassRoom) -> None:
    key = paired(line, room)
    room.end("its report")
    for answer in (lead(line, room.code, key, "next"), line.ask(f"/{room.code}/lead/events", headers={LEAD: key})):
        assert answer.status == 410
        said(answer.json()["error"], SERVE, "phone.ended")


def test_a_guesser_is_slowed_down_and_the_leader_is_not(line: Line, room: ClassRoom) -> None:
    key = paired(line, room)
    found = {lead(line, room.code, f"guess {n}", "next").status for n in range(200)}
    assert found == {403, 429}
    assert lead(line, room.code, key, "next").status == 200


def test_an_order_sent_twice_is_carried_out_once_however_late(line: Line, room: ClassRoom) -> None:
    key = paired(line, room)
    for id in ("a", "b", "a", "b", "b"):  # the line is lost, and they are sent again
        assert lead(line, room.code, key, "next", id=id).status == 200
    lead(line, room.code, key, "see", "door", id="c")
    taken = [(each.word, each.what) for each in room.orders()]
    room.carried(room.orders()[-1].number)
    assert taken == [("next", ""), ("next", ""), ("see", "door")]
    lead(line, room.code, key, "next", id="a")  # once more, after it was carried out
    other = Rooms(room.rooms.path)  # a kernel that was started anew
    assert not other.orders(room.code) and not room.rooms.orders(room.code)
    other.close()


def test_a_removed_seat_stays_out_and_the_room_may_be_locked(line: Line, port: Served, room: ClassRoom) -> None:
    line.sit(room.code)
    quiet = Line(port[0])
    quiet.sit(room.code)
    room.ask(HIT)
    line.ask(f"/{room.code}/answer", {"round": 1, "choice": "hit"})
    assert room.votes() == {"hit": 1} and room.joined == 2
    room.rooms.remove(room.code, 1)
    assert not room.votes() and room.joined == 1 and [seat.number for seat in room.seats()] == [2]
    assert line.ask(f"/{room.code}/answer", {"round": 1, "choice": "hit"}).status == 403
    back = line.sit(room.code)  # with the key it has
    said(back.json()["error"], CLASSES, "no.removed")
    assert back.status == 403
    room.let_in(locked=True)
    line.key = ""
    assert line.sit(room.code).status == 403 and room.joined == 1
    room.let_in(locked=False)
    line.sit(room.code)
    assert [seat.number for seat in room.seats()] == [2, 3]  # the number is not given anew
    assert quiet.ask(f"/{room.code}/answer", {"round": 1, "choice": "miss"}).status == 200
    quiet.close()


def test_the_desk_is_pushed_to_the_leader_alone(line: Line, port: Served, room: ClassRoom) -> None:
    key = paired(line, room)
    connection = http.client.HTTPConnection("127.0.0.1", port[0], timeout=10)
    connection.request("GET", f"/room/{room.code}/lead/events", headers={LEAD: key})
    stream = connection.getresponse()
    assert stream.status == 200

    def pushed() -> str:
        while not (text := stream.readline()).startswith(b"data: "):
            assert text, "the line has ended"
        return text.decode()

    first = pushed()
    secret = {"right": "M29 and nothing else"}
    room.rooms.lay(room.code, secret)
    assert secret["right"] in pushed() and secret["right"] not in first
    line.sit(room.code)
    for path in ("state", "events"):
        text: Any = line.ask(f"/{room.code}/state").body if path == "state" else b""
        assert secret["right"].encode() not in text
    paired(line, room)  # another device leads: this line is over, and says no more
    room.rooms.lay(room.code, {"right": "the next one"})
    assert b"the next one" not in stream.read()
    connection.close()


def test_the_key_ends_with_the_class(line: Line, room: ClassRoom) -> None:
    key = paired(line, room)
    room.end()
    assert lead(line, room.code, key, "next").status == 410 and room.rooms.desk(room.code) == (0, "{}")
    with refused(RoomError, CLASSES, "no.ticket"):
        room.rooms.pair(room.code, "")
