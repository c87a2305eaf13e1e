"""A class of a hundred runs the night convoy from first contact to sinking, while two people play Wolf Pack."""

from __future__ import annotations
from collections import Counter
from collections.abc import Callable

import psutil
import pytest
from playwright.sync_api import expect

from navalkit.core.awaited import finish
from navalkit.rooms.store import Rooms
from navalkit.rooms.table import PLAY, Table
from navalkit.walks import shows
from ..crowd import Crowd
from ..sentences import SERVE_PHONE, UI_ROOMS, like
from ..servers import ROOT, serve, wait_for
from .account import account
from .conftest import open_page, shot
from .driver import PATIENCE, Driver
from .test_class import press
from .test_two_devices import invite, play

PHONES = 100
SEED = 2
LONG = 240.0
"""Seconds that something may take on a machine that has much else to do."""
ACTIONS = 2
"""Actions of the other game for each question to the class."""


@pytest.fixture
def others(browser):
    """Two more devices: a computer and a phone."""
    sizes = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
    made = [browser.new_context(viewport=size, reduced_motion="reduce", has_touch=True) for size in sizes]
    for context in made:
        context.set_default_timeout(PATIENCE)
    yield [context.new_page() for context in made]
    for context in made:
        context.close()


@pytest.mark.slow
def test_a_hundred_phones_predict_a_whole_hunt_while_two_people_play_on_two_devices(page, others, tmp_path):
    hunt = finish(shows.from_query("on-patrol", f"?scenario=night-convoy&seed={SEED}")).show
    contact, sinking = (next(i for i, m in enumerate(hunt.row) if key in m.keys) for key in ("contact", "sinking"))
    asked = [i for i in hunt.stops("decision") if contact <= i < sinking and hunt.row[i].who]
    host, guest = others
    with serve(ROOT / "notebooks", tmp_path) as server:
        rooms = Rooms(tmp_path / "rooms.sqlite3")
        game = Driver(host, server.page("play_wolf_pack.ipynb"))
        table = invite(game)
        guest.goto(f"{server.url}/room/{table}")
        expect(guest.locator("#who")).to_contain_text(like(SERVE_PHONE, "game.you"))
        played = Table(rooms, table, 0)
        open_page(page, server.page(f"step_escorts.ipynb?scenario=night-convoy&seed={SEED}&step={asked[0]}&class=1"))
        code = page.inner_text(".nk-room-code")

        def stand() -> tuple[int, str]:
            """The question asked last, and the step at which the page is."""
            room = rooms.room(code)
            return room.shown["round"], str(room.kept.get("link"))

        def at(step: int) -> bool:
            """Whether the page is at a step of the hunt."""
            return f"&step={step}&" in f"{stand()[1]}&"

        crowd = Crowd(int(server.url.rpartition(":")[2]), code, PHONES, think=(0.0, 0.5), changing=10)

        def wait(condition: Callable[[], bool], sentence: str) -> None:
            """Wait for a fact; in vain, it is told what each side believes."""
            wait_for(condition, LONG, lambda: f"{sentence}; {stand()}\n{account(page, server, rooms, code, crowd)}")

        with crowd.beside():
            expect(page.locator(".nk-room-text")).to_contain_text(UI_ROOMS("class.joined", n=PHONES))
            assert server.kernels() == 2  # the teacher's and the host's: no phone costs one
            turns: Counter[str] = Counter()
            press(page, "class-where")
            for round in range(1, len(asked) + 1):
                come = page.locator(".nk-room-come")
                expect(come).to_have_text(UI_ROOMS("class.come", n=PHONES, of=PHONES))
                for _ in range(ACTIONS):
                    turns[play(game, guest, played)] += 1
                press(page, "class-tell")
                expect(page.locator(".nk-room-votes")).to_be_visible()
                while round < len(asked) and not at(asked[round]):  # past her reasons, one by one
                    before, stood = stand(), page.get_attribute("html", "data-nk-stands")
                    page.click(".nk-key-bar-on")  # once for each: one more would tell the next answer
                    wait(lambda before=before: stand() != before, "the press has brought nothing")
                    page.wait_for_function("(stood) => document.documentElement.dataset.nkStands !== stood", arg=stood,
                                           timeout=1000 * LONG)  # before, a press is for the place before
                if round < len(asked):
                    asks = round + 1  # at its step, it is asked
                    wait(lambda asks=asks: stand()[0] == asks, "the next question has not been asked")
            shot(page, "lesson-end")
            # Every answer that was acknowledged is in the file, and every question was told with what she did.
            wait(lambda: len(crowd.acknowledged) == PHONES * len(asked), "answers are missing")
            assert crowd.missing(rooms) == []
            report = rooms.room(code).kept["asked"]
            ends = [hunt.row[i + 1].state.vessel(hunt.row[i].who).place.bow.label for i in asked]
            assert [each["right"] for each in report] == [[end] for end in ends]
            press(page, "class-more")
            with page.expect_download() as saved:
                press(page, "class-end")
            assert saved.value.path().read_text().count("<section>") == len(asked)
        assert rooms.joined(code) == 0 and rooms.answers(code, len(asked)) == {}  # as the phones are told
        # So is every move of the other game, and both devices show the same.
        sides = [Table(rooms, table, me) for me in (0, 1)]
        moves = [move for move in rooms.moves(table) if move.kind == PLAY]
        assert len(moves) >= turns.total() and {"host", "guest"} <= set(turns)
        assert sides[0].match.state == sides[1].match.state
        page.goto("about:blank")
        host.goto("about:blank")
        wait_for(lambda: server.kernels() == 0, LONG, "a kernel is left")
        family = psutil.Process(server.process.pid).children(recursive=True)
        rooms.close()
    wait_for(lambda: not any(each.is_running() for each in family), LONG, "a process is left")
