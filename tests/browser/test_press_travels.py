"""Each press of a class's leader makes one step, and is found in the file whole, however slowly its page writes."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from navalkit.core.awaited import finish
from navalkit.rooms.store import Rooms
from navalkit.walks import shows
from ..crowd import Crowd
from ..sentences import UI_ROOMS
from ..servers import ROOT, serve, wait_for
from .account import account
from .conftest import open_page
from .test_class import press

PHONES, QUESTIONS, SEED = 8, 4, 2
SECONDS = 60.0
_LATE = """
import time
from navalkit.rooms.classroom import ClassRoom
def _late(step, seconds):
    def call(*given, **named):
        time.sleep(seconds)
        return step(*given, **named)
    return call
ClassRoom.keep, ClassRoom.ask = _late(ClassRoom.keep, 0.3), _late(ClassRoom.ask, 0.3)
"""
"""Run first of all by the kernel: what looks between two of its writes has time to."""


@pytest.mark.slow
def test_a_press_is_one_step_however_slowly_its_page_writes(page, tmp_path):
    hunt = finish(shows.from_query("on-patrol", f"?scenario=night-convoy&seed={SEED}")).show
    contact = next(i for i, m in enumerate(hunt.row) if "contact" in m.keys)
    asked = [i for i in hunt.stops("decision") if i >= contact and hunt.row[i].who][: QUESTIONS + 1]
    slow = tmp_path / "ipython" / "profile_default" / "startup" / "late.py"
    slow.parent.mkdir(parents=True)
    slow.write_text(_LATE)
    with serve(ROOT / "notebooks", tmp_path) as server:
        rooms = Rooms(tmp_path / "rooms.sqlite3")
        open_page(page, server.page(f"step_escorts.ipynb?scenario=night-convoy&seed={SEED}&step={asked[0]}&class=1"))
        code, seen = page.inner_text(".nk-room-code"), set()

        def stand() -> tuple[int, str]:
            room = rooms.room(code)
            seen.add((room.shown["round"], str(room.kept.get("link")).partition("&by=")[0]))
            return room.shown["round"], str(room.kept.get("link"))

        crowd = Crowd(int(server.url.rpartition(":")[2]), code, PHONES, think=(0.0, 0.1))

        def wait(condition, sentence):
            wait_for(condition, SECONDS, lambda: f"{sentence}; {stand()}\n{account(page, server, rooms, code, crowd)}")

        with crowd.beside():
            expect(page.locator(".nk-room-text")).to_contain_text(UI_ROOMS("class.joined", n=PHONES))
            press(page, "class-where")
            for round, at in enumerate(asked[1:], 1):
                wait(lambda round=round: len(crowd.acknowledged) == PHONES * round, "answers are missing")
                press(page, "class-tell")
                expect(page.locator(".nk-room-votes")).to_be_visible()
                while f"&step={at}&" not in f"{stand()[1]}&":
                    before = stand()
                    page.click(".nk-key-bar-on")
                    wait(lambda before=before: stand() != before, "the press has brought nothing")
                wait(lambda round=round: stand()[0] == round + 1, "the next question has not been asked")
            press(page, "class-more")
            with page.expect_download():
                press(page, "class-end")
        page.goto("about:blank")
        rooms.close()
    # Each question is found at its own step, and at no other one.
    assert {round for round, link in seen if round} == set(range(1, len(asked) + 1))
    assert all(link.endswith(f"&step={asked[round - 1]}") for round, link in seen if round)
