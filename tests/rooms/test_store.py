"""The file of all rooms: codes, seats, answers, moves; what is gone is gone."""

from __future__ import annotations
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.door import LETTERS, folder, spelt
from navalkit.rooms.refused import RoomError
from navalkit.rooms.store import AGAIN, SHORT, Ballot, Rooms, generated
from navalkit.testing import refused
from navalkit.view.page import Choice, Question
from ..sentences import CLASSES

HIT = Question("hit", "Hit or miss?", (Choice("hit", "A hit"), Choice("miss", "A miss")))


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Rooms]:
    opened = Rooms(tmp_path / "rooms.sqlite3")
    yield opened
    opened.close()


@pytest.fixture
def code(rooms: Rooms) -> str:
    return rooms.open("class", {"phase": "wait"}, {"secret": 1}, SHORT)


def test_a_code_has_six_letters_that_are_read_as_nothing_else(rooms: Rooms, code: str) -> None:
    assert len(code) == 6 and set(code) <= set(LETTERS) and not set("AEIOU015") & set(LETTERS)
    assert rooms.room(f" {code[:3].lower()}-{code[3:].lower()} ").code == code
    assert spelt("ab-c 1") == "ABC1"


def test_an_unknown_code_is_refused_in_a_sentence(rooms: Rooms) -> None:
    with refused(RoomError, CLASSES, "no.room", code="XXXXXX") as raised:
        rooms.room("xxxxxx")
    assert raised.value.status == 404


def test_a_seat_is_known_by_its_key_and_the_file_holds_no_key(rooms: Rooms, code: str) -> None:
    key, seat = rooms.sit(code)
    assert (seat.number, seat.name) == (1, generated(1)) and len(key) >= 32
    assert rooms.sit(code, key) == (key, seat) and rooms.joined(code) == 1
    assert rooms.sit(code)[1].number == 2
    other = rooms.open("class", {}, {}, SHORT)
    assert rooms.seat(other, key) is None and rooms.seat(code, "x") is None
    rooms.sql.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert key.encode() not in rooms.path.read_bytes()
    assert os.stat(rooms.path).st_mode & 0o077 == 0


def test_a_key_that_the_phone_has_drawn_is_that_of_one_seat(rooms: Rooms, code: str) -> None:
    """However often it asks, as it does where the answers are lost."""
    drawn = "a-_9" * 8
    first = rooms.sit(code, drawn)
    assert first == (drawn, rooms.seats(code)[0]) and rooms.sit(code, drawn) == first and rooms.joined(code) == 1
    game = rooms.open("game", {}, {}, SHORT)
    other = "0" * 32
    assert {rooms.sit(game, other, seats=range(1, 2))[0] for _ in range(3)} == {other}
    for bad in ("", "0" * 31, "0" * 33, "é" * 32, "0" * 31 + "\n", "0" * 31 + " ", other):  # none, or another room's
        key, seat = rooms.sit(code, bad)
        assert key != bad and len(key) == 32 and rooms.seat(code, key) == seat
    assert rooms.joined(code) == 8 and rooms.joined(game) == 1
    rooms.remove(code, 1)
    with refused(RoomError, CLASSES, "no.removed"):
        rooms.sit(code, drawn)
    rooms.empty(code)  # the seats were cleared away: the phones that come again keep their keys
    assert rooms.sit(code, drawn)[0] == drawn


def test_an_answer_that_comes_after_its_seat_was_taken_away_counts_for_nobody(rooms: Rooms, code: str) -> None:
    one, two = (rooms.sit(code)[1].number for _ in range(2))
    rooms.show(code, {"kind": "class", "phase": "open"}, None, 1)
    rooms.remove(code, one)
    assert rooms.count([Ballot(code, 1, one, "hit", 1), Ballot(code, 1, two, "miss", 1)]) == [False, True]
    assert rooms.answers(code, 1) == {two: "miss"}
    with refused(RoomError, CLASSES, "no.closed"):
        rooms.answer(code, 1, one, "hit")


def test_a_locked_room_lets_nobody_new_in(rooms: Rooms, code: str) -> None:
    key, seat = rooms.sit(code)
    rooms.let_in(code, locked=True, names=False)
    assert rooms.sit(code, key)[1] == seat
    with refused(RoomError, CLASSES, "no.locked"):
        rooms.sit(code)


def test_own_names_are_taken_where_they_are_allowed_and_cut_to_size(rooms: Rooms, code: str) -> None:
    assert rooms.sit(code, own="Ann")[1].own == ""
    rooms.let_in(code, locked=False, names=True)
    assert rooms.sit(code, own="  Ann \n B " + "x" * 99)[1].own == "Ann B " + "x" * 18


def test_a_game_has_as_many_seats_as_it_has(rooms: Rooms, code: str) -> None:
    key, seat = rooms.sit(code, seats=range(1, 2))
    assert seat.number == 1 and rooms.sit(code, key, seats=range(1, 2))[1] == seat
    with refused(RoomError, CLASSES, "no.taken"):
        rooms.sit(code, seats=range(1, 2))


def test_an_answer_counts_while_its_question_is_open_and_may_be_changed(rooms: Rooms, code: str) -> None:
    for round in (0, 1):
        with refused(RoomError, CLASSES, "no.closed"):
            rooms.answer(code, round, 1, "a")
    rooms.show(code, {"round": 1}, round=1)
    rooms.answer(code, 1, 1, "a")
    rooms.answer(code, 1, 1, "b")
    rooms.show(code, {"round": 1})
    with refused(RoomError, CLASSES, "no.closed"):
        rooms.answer(code, 1, 1, "c")
    assert rooms.answers(code, 1) == {1: "b"} and rooms.answered(code, 1, 1) == ("b", 0)


def test_an_earlier_answer_that_comes_late_takes_no_place_of_a_later(rooms: Rooms, code: str) -> None:
    rooms.show(code, {"round": 1}, round=1)

    def given(choice: str, number: int) -> tuple[str, int] | None:
        assert rooms.count([Ballot(code, 1, 1, choice, number)]) == [True]  # done with, either way
        return rooms.answered(code, 1, 1)

    assert given("b", 2) == ("b", 2) and given("a", 1) == ("b", 2)
    assert given("c", 2) == ("b", 2)  # of two with one number the first: the phone is told, and gives another number
    assert given("c", 3) == ("c", 3) and given("c", 3) == ("c", 3)
    assert given("d", 0) == ("d", 3) and given("c", 3) == ("d", 3) and given("e", 4) == ("e", 4)
    assert rooms.count([Ballot(code, 1, 2, "x", 1), Ballot(code, 2, 2, "x", 1)]) == [True, False]
    assert rooms.answers(code, 1) == {1: "e", 2: "x"}  # each seat counts for itself


def test_a_file_from_before_answers_were_numbered_is_gone_on_with(tmp_path: Path) -> None:
    before = Rooms(tmp_path / "old.sqlite3")
    code = before.open("class", {"phase": "open"}, {}, SHORT)
    before.show(code, {"round": 1}, round=1)
    before.answer(code, 1, 1, "a")
    before.sql.execute("ALTER TABLE answer DROP COLUMN number")
    before.close()
    after = Rooms(tmp_path / "old.sqlite3")
    assert after.answered(code, 1, 1) == ("a", 0)
    after.count([Ballot(code, 1, 1, "b", 1)])
    assert after.answered(code, 1, 1) == ("b", 1)
    after.close()


def test_each_side_notices_what_the_other_writes(rooms: Rooms, code: str) -> None:
    other = Rooms(rooms.path)
    before, rev = rooms.version, rooms.rev(code)
    other.show(code, {"phase": "open"})
    assert rooms.version != before and rooms.rev(code) == rev + 1
    assert rooms.room(code).shown == {"phase": "open"} and rooms.room(code).kept == {"secret": 1}
    other.close()


def test_a_board_comes_back_by_its_hash(rooms: Rooms, code: str) -> None:
    hash = rooms.keep_board(code, {"svg": "<svg/>"})
    assert rooms.keep_board(code, {"svg": "<svg/>"}) == hash
    assert json.loads(gzip.decompress(rooms.board(code, hash))) == {"svg": "<svg/>"}
    with pytest.raises(RoomError):
        rooms.board(code, "0" * 24)
    with refused(RoomError, CLASSES, "no.large"):
        rooms.keep_board(code, {"svg": os.urandom(1 << 20).hex()})


def test_the_number_of_a_move_is_the_lock(rooms: Rooms, code: str) -> None:
    rooms.move(code, 1, 0, "play", "a")
    with refused(RoomError, CLASSES, "no.moved") as raised:
        rooms.move(code, 1, 1, "play", "b")
    assert raised.value.status == 409
    assert [move[:4] for move in rooms.moves(code)] == [(1, 0, "play", "a")]
    with pytest.raises(RoomError) as raised:
        rooms.move("XXXXXX", 1, 0, "play", "a")
    assert raised.value.status == 404


def test_what_phones_have_left_is_deleted_so_that_the_file_holds_none_of_it(rooms: Rooms, code: str) -> None:
    rooms.sit(code)
    rooms.show(code, {}, round=1)
    rooms.answer(code, 1, 1, "remember me")
    rooms.empty(code)
    assert rooms.joined(code) == 0 and rooms.answers(code, 1) == {}
    rooms.sql.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"remember me" not in rooms.path.read_bytes()


def look_again(rooms: Rooms, monkeypatch: pytest.MonkeyPatch, at: float) -> list[str]:
    """The classes there are after the file was opened at that time."""
    monkeypatch.setattr("time.time", lambda: at)
    Rooms(rooms.path).close()
    return rooms.codes("class")


def test_rooms_are_forgotten_when_their_time_is_over(rooms: Rooms, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time() + SHORT + 1
    assert look_again(rooms, monkeypatch, now) == look_again(rooms, monkeypatch, now + AGAIN / 2) == [code]
    assert look_again(rooms, monkeypatch, now + AGAIN + 1) == []
    look_again(rooms, monkeypatch, now + AGAIN + 2)
    assert rooms.sql.execute("SELECT count(*) FROM said WHERE key LIKE 'idle %'").fetchone() == (0,)


def test_a_class_opened_while_the_clock_was_behind_outlives_its_being_set_right(
        rooms: Rooms, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = time.time() + 13 * 3600
    assert look_again(rooms, monkeypatch, right) == [code]
    rooms.show(code, {}, round=1)  # the class goes on
    assert look_again(rooms, monkeypatch, right + AGAIN + 1) == [code]
    later = right + AGAIN + SHORT + 1
    assert look_again(rooms, monkeypatch, later) == [code], "what was noted before it was used counts no more"
    assert look_again(rooms, monkeypatch, later + AGAIN + 1) == []


def test_a_sign_of_life_from_a_clock_that_was_ahead_grows_old(rooms: Rooms, code: str,
                                                             monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now)
    rooms.here(code, 1)
    now -= 3600
    assert rooms.away(code, 1) == 0
    now += 60
    assert rooms.away(code, 1) == 60


def test_what_was_acknowledged_survives_a_writer_that_is_killed(rooms: Rooms, code: str) -> None:
    rooms.show(code, {}, round=1)
    script = (
        "import sys, time; from pathlib import Path; from navalkit.rooms.store import Rooms\n"
        "rooms = Rooms(Path(sys.argv[1]))\n"
        "for seat in range(1, 10**6): rooms.answer(sys.argv[2], 1, seat, 'a'); print(seat, flush=True)"
    )
    writer = subprocess.Popen([sys.executable, "-c", script, rooms.path, code], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    while int(writer.stdout.readline()) < 50:
        pass
    writer.send_signal(signal.SIGKILL)
    last = int((writer.communicate()[0].split() or ["50"])[-1])
    assert set(range(1, last + 1)) <= set(rooms.answers(code, 1))


def test_the_file_lies_where_it_is_told_to_or_beside_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAVALKIT_HOME", str(tmp_path / "home"))
    assert folder() == tmp_path / "home"
    monkeypatch.setattr("navalkit.rooms.door._foreign", lambda path: True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert folder().parent == tmp_path and folder().stat().st_mode & 0o077 == 0
    monkeypatch.setenv("NAVALKIT_ROOMS", str(tmp_path / "x"))
    assert folder() == tmp_path / "x"


def test_answers_of_seats_taken_in_a_rush_while_the_question_was_open_are_set_apart(rooms: Rooms) -> None:
    room = ClassRoom("Class", rooms)
    early, calm = (rooms.sit(room.code, rush=rush)[1].number for rush in (True, False))
    room.ask(HIT)
    late, calmly_late = (rooms.sit(room.code, rush=rush)[1].number for rush in (True, False))
    for seat in (early, calm, late, calmly_late):
        rooms.answer(room.code, room.round, seat, "hit")
    assert sorted(room.answers()) == [early, calm, calmly_late] and room.rush == (2, 1)
    room.ask(HIT)  # the next one is theirs, too
    rooms.answer(room.code, room.round, late, "hit")
    assert sorted(room.answers()) == [late] and room.rush == (2, 0)
    assert [sorted(each.answers) for each in room.report()] == [[early, calm, calmly_late], [late]]
    rooms.dismiss(room.code)
    assert [seat.number for seat in room.seats()] == [calm, calmly_late] and room.rush == (0, 0)
    assert room.answers() == {}
    third = rooms.sit(room.code, rush=True)[1].number
    rooms.answer(room.code, room.round, third, "hit")
    assert room.answers() == {} and room.rush == (1, 1)
    rooms.admit(room.code)
    assert sorted(room.answers()) == [third] and room.rush == (0, 0)
    assert third > max(early, late), "no number is given twice"


def test_who_turns_out_to_have_made_a_rush_is_set_apart_like_who_came_on_top_and_who_belongs_here_never_again(
    rooms: Rooms,
) -> None:
    room = ClassRoom("Class", rooms)
    before = rooms.sit(room.code)[1].number
    room.ask(HIT)
    first, top = rooms.sit(room.code)[1].number, rooms.sit(room.code, rush=True)[1].number
    for seat in (before, first, top):
        rooms.answer(room.code, room.round, seat, "hit")
    assert sorted(room.answers()) == [before, first]
    rooms.mark(room.code, [before, first, 99])
    assert sorted(room.answers()) == [before] and room.rush == (3, 2), "who came before the question counts"
    room.ask(HIT)
    for seat in (before, first, top):
        rooms.answer(room.code, room.round, seat, "hit")
    assert sorted(room.answers()) == [before, first, top] and room.rush == (3, 0)
    rooms.admit(room.code)
    rooms.mark(room.code, [before, first, top])
    assert room.rush == (0, 0)
    assert [sorted(each.answers) for each in room.report()] == [[before, first, top]] * 2


def test_seats_taken_away_do_not_fill_a_room(rooms: Rooms, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("navalkit.rooms.store.MOST_SEATS", 3)
    for round in range(3):
        seats = [rooms.sit(code)[1].number for _ in range(3)]
        assert seats == list(range(3 * round + 1, 3 * round + 4)), "no number is given twice"
        with refused(RoomError, CLASSES, "no.full"):
            rooms.sit(code)
        for seat in seats:
            rooms.remove(code, seat)
    assert rooms.joined(code) == 0 and rooms.out(code) == set(range(1, 10))


def test_a_class_that_has_ended_gives_no_seat_and_keeps_no_name(rooms: Rooms) -> None:
    room = ClassRoom("Class", rooms)
    room.let_in(names=True)
    key, _ = rooms.sit(room.code, own="Ann")
    room.end()
    for each in ("", key):
        with refused(RoomError, CLASSES, "no.over") as raised:
            rooms.sit(room.code, each, own="Ann")
        assert raised.value.status == 410
    assert rooms.seats(room.code) == []


def test_a_file_of_an_earlier_edition_is_taken_on(tmp_path: Path) -> None:
    path = tmp_path / "rooms.sqlite3"
    before = Rooms(path)
    for column in ("rush", "came"):
        before.sql.execute(f"ALTER TABLE seat DROP COLUMN {column}")
    before.close()
    after = Rooms(path)
    assert ClassRoom("Class", after).rush == (0, 0)
    after.close()


def test_what_cannot_be_written_is_refused_as_a_whole_and_the_file_is_as_before(rooms: Rooms, code: str) -> None:
    rooms.sql.execute("PRAGMA query_only = ON")
    with refused(RoomError, CLASSES, "no.written") as raised:
        rooms.move(code, 1, 0, "play", "x")
    assert raised.value.status == 503 and not rooms.sql.in_transaction
    rooms.sql.execute("PRAGMA query_only = OFF")
    rooms.move(code, 1, 0, "play", "x")
    assert len(rooms.moves(code)) == 1
