"""The invitation to somebody on another device, and what it says of the clock."""

from __future__ import annotations

from pathlib import Path

import pytest

from navalkit.rooms import Rooms, Table
from navalkit.ui.bridge import Bridge
from navalkit.ui.play.controller import Controller
from navalkit.ui.rooms.invite import Invite
from navalkit.ui.widgets import Box


@pytest.mark.parametrize(
    "chosen, says",
    [("no clock", ""), ("10 minutes each", "10:00"), ("7 days each", "7 days 0 h"), ("30 days each", "30 days 0 h")],
)
def test_a_clock_of_minutes_or_of_days_is_chosen_and_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: str, says: str
) -> None:
    monkeypatch.setenv("NAVALKIT_ROOMS", str(tmp_path))
    control = Controller("wolf-pack")
    panel = Invite(control, Bridge(), Box())
    panel.minutes.label = chosen
    panel.begin.click()
    table = control.table
    assert table is not None
    rooms = Rooms()
    monkeypatch.setattr("time.time", lambda: table.rooms.room(table.code).kept["at"])  # not a moment has gone by
    rooms.sit(table.code, seats=range(1, 2))
    panel.show()
    assert panel.text.value.count(says or "clock") == 2 * bool(says)
    assert Table(rooms, table.code, 1).left(0) == panel.minutes.value * 60
    rooms.close()
