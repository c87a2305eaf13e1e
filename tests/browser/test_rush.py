"""A phone of a class that others come into by hundreds."""

from __future__ import annotations
import time

from playwright.sync_api import expect

from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.store import Rooms
from navalkit.serve.watch import Lines, Rush, solved
from navalkit.view.page import Choice, Question
from ..serve.phones import Line, phones

HIT = Question("hit", "Hit or miss?", (Choice("hit", "A hit"), Choice("miss", "A miss")))


def test_it_works_for_its_seat_and_hears_of_the_question_without_a_line_to_be_had(page, tmp_path):
    with phones(tmp_path) as (port, shared):
        page.expected_errors += ["429", "503"]
        shared.rush, shared.lines = Rush(free=1), Lines(room=0)
        rooms = Rooms(shared.rooms.path)
        room = ClassRoom("Class", rooms)
        first = Line(port)
        assert first.sit(room.code).status == 200  # from now on there is something to be done for a seat
        first.close()
        page.goto(f"http://127.0.0.1:{port}/room/{room.code}")
        expect(page.locator(".nk-phone-big")).to_have_count(1)
        assert room.joined == 2
        expect(page.locator("#line")).to_be_hidden()  # nothing is lost
        room.ask(HIT)
        page.locator("[data-id=hit]").click(timeout=15_000)
        page.locator(".nk-phone-primary").click()
        for _ in range(100):
            if room.votes():
                break
            time.sleep(0.1)
        assert room.votes() == {"hit": 1}
        rooms.close()


def test_a_phone_whose_seat_is_taken_away_says_so_at_once_and_comes_in_again_at_a_press(page, tmp_path):
    with phones(tmp_path) as (port, shared):
        page.expected_errors += ["403", "410"]
        rooms = Rooms(shared.rooms.path)
        room = ClassRoom("Class", rooms)
        page.goto(f"http://127.0.0.1:{port}/room/{room.code}")
        expect(page.locator(".nk-phone-big")).to_have_count(1)
        room.ask(HIT)
        page.locator("[data-id=hit]").click()
        page.locator(".nk-phone-primary").click()
        expect(page.locator("#bar .nk-phone-primary")).to_be_disabled()
        room.remove(1)
        again = page.locator("#main button")
        expect(again).to_have_count(1)
        expect(page.locator("#bar")).to_be_hidden()
        page.reload()  # nor is it lost so
        expect(again).to_have_count(1)
        expect(page.locator("input")).to_have_count(0)
        room.let_in(locked=True)
        again.click()
        expect(page.locator("#code")).to_have_count(1)
        room.let_in(locked=False)
        page.reload()
        page.locator("[data-id=miss]").click()
        page.locator(".nk-phone-primary").click()
        for _ in range(100):
            if room.votes():
                break
            time.sleep(0.1)
        assert room.votes() == {"miss": 1} and [seat.number for seat in room.seats()] == [2]
        room.end()
        over, line = page.locator("#main[data-drawn$=over]"), page.locator("#line")
        expect(over).to_have_count(1)
        page.evaluate("dispatchEvent(new Event('online'))")  # a line that comes back is given no seat any more
        time.sleep(3)
        expect(over).to_have_count(1)
        expect(line).to_be_hidden()
        rooms.close()


def test_both_know_the_same_sums(page, tmp_path):
    with phones(tmp_path) as (port, _):
        page.goto(f"http://127.0.0.1:{port}/room/")
        puzzles = [{"text": f"{n:024x}", "bits": 9} for n in range(8)]
        page.evaluate("async () => { window.solve = (await import('/room/static/puzzle.js')).solve; }")
        assert page.evaluate("(all) => Promise.all(all.map(solve))", puzzles) == [solved(**each) for each in puzzles]
