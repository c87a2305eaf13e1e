"""From one game to the next: what the end pulled up goes down, and a friend's game is not dropped by a button."""

from __future__ import annotations
from pathlib import Path

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.match import Store
from navalkit.rooms.store import Rooms
from navalkit.rooms.table import Table
from navalkit.testing import said
from navalkit.ui.play.app import GameApp
from navalkit.ui.widgets import is_shown
from ....sentences import UI
from ...pages import Browser, named


def test_the_drawer_that_the_end_pulled_up_goes_down_with_the_next_game(tmp_path: Path) -> None:
    app = GameApp("wolf-pack", Store(tmp_path), seats=("", "greedy"))
    browser, rng = Browser(app), np.random.default_rng(2)
    browser.hello()
    while not app.control.match.over:
        app.control.give(app.control.legal[rng.integers(len(app.control.legal))])
    assert browser.heard("sheet")[-1]["open"]
    app.control.new()
    assert not browser.heard("sheet")[-1]["open"]
    before = len(browser.heard("sheet"))
    app.control.give(app.control.legal[0])
    assert len(browser.heard("sheet")) == before, "what the reader pulls up stays"


def test_new_leaves_a_game_with_somebody_on_another_device_at_the_second_press_alone(tmp_path: Path) -> None:
    rooms = Rooms(tmp_path / "rooms.sqlite3")
    app = GameApp("wolf-pack", Store(tmp_path))
    app.control.sit_down(table := Table.lay(rooms, nk.Match.new("wolf-pack", 7, ("host", "guest")), 0))
    named(app, "nk-key-new").click()
    said(app.status.value, UI, "new.table")
    assert app.control.table is table and is_shown(app.play)
    named(app, "nk-key-new").click()
    assert app.control.table is table and not is_shown(app.play), "what to play next is chosen first"
    named(app, "nk-key-start").click()
    assert app.control.table is None and not app.control.match.over
    rooms.close()


@pytest.fixture(autouse=True)
def raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAVALKIT_RAISE", "1")
