"""Machines on both sides: the page plays on when it is told to, stops, and shows every turn."""

from __future__ import annotations
import asyncio

import pytest

from navalkit.core.match import Store
from navalkit.testing import said
from navalkit.ui.play.app import GameApp
from navalkit.ui.play.controller import Controller
from ..sentences import UI


@pytest.mark.parametrize(("name", "seats"), [("wolf-pack", ("brandt", "winter")), ("uss-lox", ("harper",))])
def test_machines_play_a_turn_at_a_time_and_nobody_else_can(name: str, seats: tuple[str, ...]) -> None:
    control = Controller(name, seats=seats)
    assert control.watched and not control.legal and not control.orders()
    start = control.match.ply
    control.play_on()
    by = {ply.by for ply in control.match.plies[start:] if ply.by >= 0}
    assert len(by) == 1 and not control.match.over and not control.can_undo()
    while not control.match.over:
        control.play_on()
    end = control.match.ply
    control.play_on()
    assert control.match.ply == end


def test_a_hunt_is_watched_and_saved_with_its_captain(tmp_path) -> None:
    control = Controller("on-patrol", Store(tmp_path), seats=("skipper",))
    control.play_on()
    control.play_on()
    again = Controller("on-patrol", Store(tmp_path))
    assert control.match.ply > 0 and again.resume(control.token) and again.watched


def test_the_page_plays_on_by_itself_until_it_is_stopped(tmp_path) -> None:
    app = GameApp("wolf-pack", Store(tmp_path), seats=("brandt", "brandt"))
    assert app.watch.layout.display == ""
    said(app.status.value, UI, "watch.now")

    async def watch() -> tuple[int, int]:
        app.stepper.speed.value = min(value for _, value in app.stepper.speed.options)
        app.stepper.linger = 0.0
        app._start("4", dict(app.control.game.options), ("brandt", "brandt"))
        assert app.stepper.playing and app.watch.description == UI("watch.stop")
        said(app.watch.tooltip, UI, "watch.stop.help")
        while app.control.match.ply < 20:
            await asyncio.sleep(0.05)
        app.watch.click()
        stopped = app.control.match.ply
        await asyncio.sleep(1)
        return stopped, app.control.match.ply

    stopped, later = asyncio.run(asyncio.wait_for(watch(), 60))
    assert stopped == later and not app.stepper.playing and app.watch.description == UI("watch")
    assert app.watch.tooltip == UI("watch.help")
    app.control.look_at(2)
    said(app.status.value, UI, "look.back")
