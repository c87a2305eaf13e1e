"""Reasons to return: the game of the day with a streak, bests by scenario and captain, the scenario to begin with."""

from __future__ import annotations
from datetime import date

import pytest

from navalkit.core.registry import names, package
from navalkit.testing import said
from navalkit.ui.play import ending
from navalkit.ui.play.app import GameApp
from navalkit.ui.play.controller import Streak, today
from ...sentences import UI

GAMES = [name for name in names() if package(name).module.startswith("navalkit.games.")]
DAYS = [date(2026, 11, day) for day in (18, 20, 21)]


def test_a_streak_is_of_days_in_a_row_and_today_may_still_come() -> None:
    streak = Streak()
    streak.loads(" ".join(day.isoformat() for day in DAYS))
    assert [streak.length(date(2026, 11, day)) for day in (18, 19, 20, 21, 22, 23)] == [1, 1, 1, 2, 2, 0]
    assert streak.note(date(2026, 11, 22), date(2026, 11, 22)) and streak.length(date(2026, 11, 22)) == 3
    assert not streak.note(date(2026, 11, 22), date(2026, 11, 22)), "a day counts once"
    assert not streak.note(date(2026, 11, 1), date(2026, 11, 22)), "an old day's game is no day in a row"
    again = Streak()
    again.loads(streak.dumps())
    assert again.days == streak.days
    again.loads("yesterday")
    assert again.days == []


def test_the_line_of_the_day_tells_the_streak_and_nothing_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    app, copied = GameApp("uss-lox"), []
    monkeypatch.setattr(app.bridge, "copy", lambda text, what, **_: copied.append(text))
    app.ending.streak.days = [date.fromordinal(today().toordinal() - 1)]
    app.control.new_daily()
    while not app.control.match.over:
        app.control.order(str(app.control.match.legal()[0]))
    said(app.ending.report.value, UI, "day.streak", days=2)
    assert app.ending.streak.days[-1] == today()
    app.ending.share.click()
    said(copied[0], UI, "day.line.streak", days=2)
    assert "USS Lox" in copied[0]
    assert not any(card in copied[0] for card in ("♠", "♥", "♦", "♣", str(app.control.match.seed)))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_game_of_the_day(name: str) -> None:
    one, two = GameApp(name).control, GameApp(name).control
    for control in (one, two):
        control.new_daily()
    assert one.day == today() and one.match.seed == two.match.seed


def test_bests_are_kept_by_scenario_and_captain() -> None:
    app = GameApp("wolf-pack")
    app.control.new(1, {"transports": 2, "u_boats": 2}, ("", "greedy"))
    control = app.control
    assert "greedy" in said(control.played, UI, "bests.against")["captains"]
    bests = app.ending.bests
    bests.rows = [{"of": control.played, "points": 2}, {"of": "The convoy", "points": 6}]
    assert [row["points"] for row in bests.of(control.played)] == [2]
    assert ending.Ending.keys("wolf-pack") == ("wolf-pack:bests", "wolf-pack:days")


def test_a_page_asked_for_nothing_begins_with_the_scenario_made_for_learning() -> None:
    app = GameApp("on-patrol")
    app.met("", {}, another_tab=False)
    assert app.control.game.options["scenario"] == "lone-merchant" and app.control.played == "Lone merchant"
    app.met("?seed=4", {}, another_tab=False)
    assert app.control.match.seed == 4 and app.control.game.options["scenario"] == "small-convoy"
