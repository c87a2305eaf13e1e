"""The invitation to somebody on another device, and what it says of the clock."""

from __future__ import annotations
from pathlib import Path

import pytest

from navalkit.rooms.door import KERNEL_ID
from navalkit.rooms.store import Rooms
from navalkit.rooms.table import GONE, HERE, LEFT, Table
from navalkit.testing import heard, said
from navalkit.ui.play.controller import Controller
from navalkit.ui.rooms.door import Invite
from navalkit.ui.shell import Bridge
from navalkit.ui.widgets import Box
from ...sentences import UI_ROOMS


@pytest.mark.parametrize(
    "chosen, says",
    [
        (UI_ROOMS("invite.none"), None),
        (UI_ROOMS("invite.clock", n=10), "10:00"),
        (UI_ROOMS("invite.days", n=7), UI_ROOMS("invite.long", days=7, hours=0)),
        (UI_ROOMS("invite.days", n=30), UI_ROOMS("invite.long", days=30, hours=0)),
    ],
)
def test_a_clock_of_minutes_or_of_days_is_chosen_and_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: str, says: str | None
) -> None:
    monkeypatch.setenv("NAVALKIT_ROOMS", str(tmp_path))
    control = Controller("wolf-pack")
    panel = Invite(control, Bridge(), Box(), Box(), lambda inviting: None)
    panel.toggle()
    panel.minutes.label = chosen
    panel.begin.click()
    table = control.table
    assert table is not None
    rooms = Rooms()
    monkeypatch.setattr("time.time", lambda: table.rooms.room(table.code).kept["at"])  # not a moment has gone by
    rooms.sit(table.code, seats=range(1, 2))
    panel.show()
    if says:
        said(panel.told.value, UI_ROOMS, "invite.left", mine=says, theirs=says)
    else:
        assert not heard(panel.told.value, UI_ROOMS, "invite.left")
    assert Table(rooms, table.code, 1).left(0) == panel.minutes.value * 60
    rooms.close()


def test_the_strip_says_when_the_friend_has_left_and_another_game_tells_the_friend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAVALKIT_ROOMS", str(tmp_path))
    monkeypatch.setenv(KERNEL_ID, "kernel")
    control = Controller("wolf-pack")
    panel = Invite(control, Bridge(), Box(), Box(), lambda inviting: None)
    panel.toggle()
    panel.begin.click()
    table = control.table
    assert table is not None
    rooms = Rooms()
    rooms.sit(table.code, seats=range(1, 2))
    guest = Table(rooms, table.code, 1)
    guest.here()
    panel._heard()
    said(panel.told.value, UI_ROOMS, "invite.here")
    rooms.leave(table.code, 1)
    panel._heard()
    said(panel.told.value, UI_ROOMS, "invite.here")  # the page may be loading
    monkeypatch.setattr("navalkit.rooms.table.GRACE", 0.0)
    panel.show()
    said(panel.told.value, UI_ROOMS, "invite.out")
    guest.here()
    panel._heard()
    said(panel.told.value, UI_ROOMS, "invite.here")
    rooms.ended("kernel")
    assert guest.where == LEFT
    panel._heard()  # another page of the host's goes on
    assert guest.where == HERE
    control.new_start()
    panel.show()
    assert guest.where == GONE
    rooms.close()
