"""A class behind one address, and somebody among them who wants to spoil it: all of them vote all the same."""

from __future__ import annotations
import asyncio
import gc
import http.client
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.store import Ballot, Rooms
from navalkit.serve.phones import KEY
from navalkit.serve.watch import GLANCE, Lines, Rush, Seen, Unhurried, Urn, Watch, solved, zeros
from navalkit.view.page import Choice, Question
from .phones import Line, phones

HONEST = 30
HIT = Question("hit", "Hit or miss?", (Choice("hit", "A hit"), Choice("miss", "A miss")))


class Honest(threading.Thread):
    """A pupil as the page on the phone is: mistypes the code first, takes a seat, works for it if asked to, opens a
    line, or asks now and then where there is none to be had, and answers once."""

    def __init__(self, port: int, code: str) -> None:
        super().__init__(daemon=True)
        self.port, self.code, self.statuses = port, code, []
        self.voted, self.seated = False, threading.Event()

    def run(self) -> None:
        line, patience = Line(self.port), 0.2
        self.statuses.append(line.ask("/ZZZZZZ/state").status)
        answer = line.sit(self.code)
        while answer.status != 200:
            if puzzle := answer.json().get("puzzle"):
                answer = line.sit(self.code, puzzle=puzzle["text"], number=solved(**puzzle))
            else:
                time.sleep(patience)
                answer = line.sit(self.code)
        self.seated.set()
        state: dict[str, Any] = {}
        while state.get("phase") != "open":
            time.sleep(patience)
            state = line.ask(f"/{self.code}/state").json()
        while line.ask(f"/{self.code}/answer", {"round": state["round"], "choice": "hit"}).status != 200:
            time.sleep(patience)
        self.voted = True
        line.close()


def seats(port: int, code: str, stop: threading.Event) -> None:
    """Take seats as fast as it goes, without doing anything for them."""
    line = Line(port)
    while not stop.is_set():
        line.key = ""
        line.sit(code)
    line.close()


def worker(port: int, code: str, stop: threading.Event) -> None:
    """Take seats as fast as it goes, doing what is asked for, and vote with all of them."""
    line = Line(port)
    while not stop.is_set():
        line.key = ""
        if (puzzle := line.sit(code).json().get("puzzle")) is not None:
            line.sit(code, puzzle=puzzle["text"], number=solved(**puzzle))
        line.ask(f"/{code}/answer", {"round": 1, "choice": "miss"})
    line.close()


def guesses(port: int, code: str, stop: threading.Event) -> None:
    """Guess codes."""
    line = Line(port)
    while not stop.is_set():
        line.ask("/YYYYYY/state")
    line.close()


def streams(port: int, code: str, stop: threading.Event) -> None:
    """Keep every line that can be had."""
    asyncio.run(_streams(port, code, stop))


async def _streams(port: int, code: str, stop: threading.Event) -> None:
    line, writers = Line(port), []
    key = line.sit(code).json().get("key", "")
    while not stop.is_set():
        if len(writers) < 300:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET /room/{code}/events HTTP/1.1\r\nHost: localhost\r\n{KEY}: {key}\r\n\r\n".encode())
            writers.append(writer)
        await asyncio.sleep(0.002)
    for writer in writers:
        writer.close()
    line.close()


@contextmanager
def attacked(port: int, code: str, attack: Any) -> Iterator[None]:
    stop = threading.Event()
    attacker = threading.Thread(target=attack, args=(port, code, stop), daemon=True)
    attacker.start()
    time.sleep(0.3)  # it is there first
    yield
    stop.set()
    attacker.join(20)


@pytest.mark.parametrize("attack", [seats, guesses, streams, worker])
def test_a_whole_class_votes_beside_one_who_wants_to_spoil_it(tmp_path: Path, attack: Any) -> None:
    with phones(tmp_path) as (port, shared):
        shared.lines = Lines(seat=3, room=40, address=40, all=40)  # the attacker has them all, if he may
        room = ClassRoom("Class", shared.rooms)
        with attacked(port, room.code, attack):
            people = [Honest(port, room.code) for _ in range(HONEST)]
            for each in people:
                each.start()
            assert all(each.seated.wait(60) for each in people)
            file = Rooms(shared.rooms.path)
            asking = ClassRoom("", file, room.code)
            asking.ask(HIT)
            for each in people:
                each.join(60)
            asking.question = HIT
            assert all(each.voted for each in people)
        assert list(file.answers(room.code, 1).values()).count("hit") == HONEST
        file.close()


def test_the_first_of_an_address_just_come_in_and_more_of_them_work_the_harder() -> None:
    rush = Rush(free=5)
    assert all(rush.stops("ABC", "school", {}) is None for _ in range(5))
    assert rush.stops("ABC", "elsewhere", {}) is None and rush.stops("DEF", "school", {}) is None
    puzzle = rush.stops("ABC", "school", {})
    assert puzzle is not None and puzzle["bits"] == Rush.LEAST
    number = solved(**puzzle)
    assert zeros(puzzle["text"], number, puzzle["bits"])
    told = {"puzzle": puzzle["text"], "number": number}
    for wrong in (told | {"number": number - 1}, told | {"number": True}, {"puzzle": ["x"], "number": 1}):
        assert rush.stops("ABC", "school", wrong) is not None
    assert rush._solved("DEF", puzzle["text"], number, time.monotonic()) is False, "it is for one room"
    assert rush.stops("ABC", "school", told) is None
    assert rush.stops("ABC", "school", told) is not None, "one puzzle is one seat"
    bits = []
    for _ in range(60):
        rush._crowds["ABC", "school"].came.append(time.monotonic())
        bits.append(rush.stops("ABC", "school", {})["bits"])
    assert bits == sorted(bits) and bits[0] > Rush.LEAST and bits[-1] == Rush.MOST


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets seconds pass, for what counts them there."""
    late = [0.0]
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + late[0])
    monkeypatch.setattr("navalkit.serve.watch.time", clock)

    def wait(seconds: float) -> None:
        late[0] += seconds

    return wait


def test_free_seats_come_again_one_by_one(wait: Callable[[float], None]) -> None:
    rush = Rush()

    def free() -> int:
        """How many there are; all of them are taken."""
        return next(n for n in itertools.count() if rush.stops("ABC", "school", {}) is not None)

    assert free() == 60
    came = 60
    for _ in range(6):
        wait(Rush.SPAN)
        came += free()
    assert 60 + 6 * Rush.SPAN / Rush.AGAIN - 1 <= came <= 60 + 6 * Rush.SPAN / Rush.AGAIN
    wait(60 * Rush.AGAIN)
    assert free() == 60


def taken(port: int, code: str, tries: int) -> list[str]:
    """The keys of the seats that one gets who tries so often and works for none."""
    keys, line = [], Line(port)
    for _ in range(tries):
        line.key = ""
        if line.sit(code).status == 200:
            keys.append(line.key)
    line.close()
    return keys


def worked(port: int, code: str) -> str:
    """The key of a seat that was worked for, if there was anything to do."""
    line = Line(port)
    if (puzzle := line.sit(code).json().get("puzzle")) is not None:
        assert line.sit(code, puzzle=puzzle["text"], number=solved(**puzzle)).status == 200
    line.close()
    return line.key


def vote(port: int, code: str, keys: Sequence[str], choice: str, round: int = 1) -> None:
    line = Line(port)
    for line.key in keys:
        assert line.ask(f"/{code}/answer", {"round": round, "choice": choice}).status == 200
    line.close()


def test_seats_forged_while_a_question_is_open_are_seen_and_all_of_them_set_apart(
    tmp_path: Path, wait: Callable[[float], None]
) -> None:
    with phones(tmp_path) as (port, shared):
        room = ClassRoom("Class", Rooms(shared.rooms.path))
        class_ = taken(port, room.code, HONEST)
        wait(11)
        room.ask(HIT)
        forged: list[str] = []
        for _ in range(3):
            forged += taken(port, room.code, 60)
            wait(10.2)
        vote(port, room.code, forged, "miss")
        vote(port, room.code, class_, "hit")
        assert len(class_) == HONEST and room.votes() == {"hit": HONEST} and room.rush[1] == len(forged) < 40
        room.ask(HIT)
        vote(port, room.code, class_ + forged, "hit", 2)
        assert room.votes() == {"hit": HONEST + len(forged)}, "to the next question all of them were there"
        room.rooms.close()


def test_who_makes_a_rush_goes_with_those_who_come_on_top_of_it(tmp_path: Path, wait: Callable[[float], None]) -> None:
    with phones(tmp_path) as (port, shared):
        room = ClassRoom("Class", Rooms(shared.rooms.path))
        forged = taken(port, room.code, 60)
        wait(20)  # however long they wait
        class_ = [worked(port, room.code) for _ in range(10)]
        assert (len(forged), room.joined, room.rush) == (60, 70, (70 - 4, 0)), "four are free again"
        room.dismiss()
        assert room.joined == 4
        line = Line(port)
        line.key = class_[-1]
        refused = line.sit(room.code)
        assert refused.status == 403 and refused.json()["out"] is True and "puzzle" not in refused.json()
        for path, body in (("state", None), ("events", None), ("answer", {"round": 1, "choice": "hit"})):
            assert line.ask(f"/{room.code}/{path}", body).json().get("out") is True
        assert worked(port, room.code) not in class_ and room.joined == 5
        line.close()
        room.rooms.close()


def test_a_phone_hears_at_once_that_its_seat_was_taken_away(tmp_path: Path) -> None:
    with phones(tmp_path) as (port, shared):
        room = ClassRoom("Class", Rooms(shared.rooms.path))
        lines = [http.client.HTTPConnection("127.0.0.1", port, timeout=10) for _ in range(2)]
        for line, key in zip(lines, taken(port, room.code, 2), strict=True):
            line.request("GET", f"/room/{room.code}/events", headers={KEY: key})
        streams = [line.getresponse() for line in lines]
        room.remove(1)
        told = streams[0].read().decode()  # to the end of the line
        assert json.loads(told.rpartition("data: ")[2]) == {"out": True}
        room.end()
        while b'"over"' not in (text := streams[1].readline()):
            assert b'"out"' not in text and text != b""
        for line in lines:
            line.close()
        room.rooms.close()


def test_a_seat_without_a_line_goes_before_one_that_has_several() -> None:
    ended: list[Any] = []
    lines = Lines(seat=3, room=4, address=9, all=9)
    for name in ("a1", "a2", "a3"):
        assert lines.enter("ABC", 1, "here", name, ended.append)
    assert lines.enter("ABC", 2, "here", "b1", ended.append)
    assert lines.enter("ABC", 3, "here", "c1", ended.append) and ended == ["a1"]
    assert lines.enter("ABC", 4, "here", "d1", ended.append) and ended == ["a1", "a2"]
    assert not lines.enter("ABC", 5, "here", "e1", ended.append), "nobody has one to spare"
    assert not lines.enter("ABC", 4, "here", "d2", ended.append), "who has one takes no other's"


def test_while_anybody_listens_garbage_is_looked_for_more_rarely_and_afterwards_as_before(tmp_path: Path) -> None:
    rooms = Rooms(tmp_path / "rooms.sqlite3")
    code, before = ClassRoom("Class", rooms).code, gc.get_threshold()

    class Phone:
        def tell(self, seen: Any) -> None:
            pass

    async def listen() -> None:
        phone, other, watches = Phone(), Phone(), (Watch(rooms), Watch(rooms, Rooms.desk))
        for watch, each in zip(watches, (phone, other), strict=True):
            watch.join(code, each)
        await asyncio.sleep(2 * GLANCE)
        assert gc.get_threshold() == Unhurried.RARELY and gc.get_freeze_count() > 0
        watches[0].leave(code, phone)
        await asyncio.sleep(4 * GLANCE)
        assert gc.get_threshold() == Unhurried.RARELY, "somebody still listens"
        watches[1].leave(code, other)
        while any(not watch._task.done() for watch in watches):  # type: ignore[union-attr]
            await asyncio.sleep(GLANCE)

    asyncio.run(listen())
    assert gc.get_threshold() == before and gc.get_freeze_count() == 0
    rooms.close()


class Told:
    """Somebody who listens, and the revisions they were told; a sign of life is none."""

    def __init__(self) -> None:
        self.revs: list[int] = []

    def tell(self, seen: Seen | None) -> None:
        if seen is not None:
            self.revs.append(seen.rev)


@pytest.mark.parametrize("how", ["another joins before the next look", "the server itself wrote it"])
def test_who_listens_is_told_of_a_change_whatever_else_happens_in_the_same_moment(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("navalkit.serve.watch.BEAT", 3600.0)  # with a sign of life they would be told late
    mine, theirs = (Rooms(tmp_path / "rooms.sqlite3") for _ in range(2))
    room = ClassRoom("Class", theirs)

    async def listen() -> None:
        watch, phone, late = Watch(mine), Told(), Told()
        watch.join(room.code, phone)
        await asyncio.sleep(2 * GLANCE)
        if how.startswith("another"):
            room.ask(HIT)
            watch.join(room.code, late)
        else:
            mine.leave(room.code, 1)
        await asyncio.sleep(4 * GLANCE)
        assert phone.revs == [mine.rev(room.code)]
        for each in (phone, late):
            watch.leave(room.code, each)
        await asyncio.sleep(2 * GLANCE)

    asyncio.run(listen())
    for rooms in (mine, theirs):
        rooms.close()


def test_answers_that_come_together_are_taken_together_and_acknowledged_when_they_are_in_the_file(
    tmp_path: Path,
) -> None:
    rooms = Rooms(tmp_path / "rooms.sqlite3")
    room = ClassRoom("Class", rooms)
    numbers = [rooms.sit(room.code)[1].number for _ in range(50)]
    room.ask(HIT)
    went: list[int] = []
    count = rooms.count
    rooms.count = lambda ballots: went.append(len(ballots)) or count(ballots)  # type: ignore[method-assign,func-returns-value]

    async def vote() -> None:
        urn = Urn(rooms)
        told = await asyncio.gather(*(urn.cast(Ballot(room.code, 1, n, "hit")) for n in numbers),
                                    urn.cast(Ballot(room.code, 7, numbers[0], "miss")))
        assert told == [True] * 50 + [False] and room.votes() == {"hit": 50}

        def full(_: Any) -> list[bool]:
            raise OSError("disk full")

        rooms.count = full  # type: ignore[method-assign]
        with pytest.raises(OSError):
            await urn.cast(Ballot(room.code, 1, numbers[0], "miss"))

    asyncio.run(vote())
    assert went == [51] and room.votes() == {"hit": 50}
    rooms.close()

