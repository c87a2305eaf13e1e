"""The page of On Patrol without a browser: the window on the sea, the panel beneath it, charts and orders."""

from __future__ import annotations

import pytest

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.games.on_patrol import scenario
from navalkit.games.on_patrol.board import page
from navalkit.games.on_patrol.board.scene import SIZES
from navalkit.ui.controller import Controller

from ..boxes import outside

SCENARIOS = ("lone-merchant", "small-convoy", "night-convoy", "hunter-group", "wolf-pack", "three-boats")


@pytest.fixture(params=[False, True], ids=["wide", "tall"])
def tall(request):
    return request.param


def hunting(name, tall, seed=3):
    control = Controller("on-patrol", adviser="skipper", tall=tall)
    control.new(seed, {"scenario": name})
    return control


def window(control):
    return page._window(control.seen, control.window, page._sea(control.tall))


@pytest.mark.parametrize("name", SCENARIOS)
def test_larger_and_smaller_begin_with_what_is_shown(name, tall):
    control = hunting(name, tall)
    first = window(control)
    assert first.zoom < len(SIZES) - 1
    control.point("view:in")
    assert (window(control).centre, window(control).zoom) == (first.centre, first.zoom + 1)
    control.point("view:out")
    control.point("view:out")
    assert (window(control).centre, window(control).zoom) == (first.centre, max(0, first.zoom - 1))


def test_arrows_move_the_window_and_the_last_two_show_all_or_the_boat_until_they_are_pressed_again(tall):
    control = hunting("night-convoy", tall)
    first = window(control)
    for move, (dx, dy) in page._ARROWS.items():
        control.window = first
        control.point(f"view:{move}")
        (x, y), (x0, y0) = (first.layout.center(each.centre) for each in (window(control), first))
        assert (x - x0) * dx >= 0 and (y - y0) * dy >= 0 and abs(x - x0) + abs(y - y0) > 0.2 * first.size[bool(dy)]
    boat = control.seen.boats[0].place.bow
    for move, holds in (("all", [v.place.bow for v in control.seen.vessels]), ("boat", [boat])):
        control.point(f"view:{move}")
        assert all(map(window(control).holds, holds))
        control.point(f"view:{move}")
        assert window(control) == page._window(control.seen, None, first.size)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_panel_lies_within_the_picture_and_every_place_can_be_pressed(name, tall):
    control = hunting(name, tall)
    shown = control.scene()
    assert outside(shown.layers[-1].shapes, (0, 0, shown.width, shown.height), 2) == []
    pads = [cell for cell in shown.cells if cell.id.startswith("view:")]
    assert len(pads) == len(page.PAD)
    for cell in shown.cells:
        x, y = cell.centre
        assert cell.alt and -60 <= x <= shown.width + 60 and -60 <= y <= shown.height + 60, cell.id
    orders = [cell for cell in shown.cells if cell.order]
    legal = set(map(str, control.legal))
    assert len(orders) > 4 and all(control.game.parse_action(cell.order) is not None for cell in orders)
    assert legal, "the boat is to be ordered"


def test_the_panel_has_room_for_tubes_that_are_reloaded(tall):
    control = hunting("lone-merchant", tall)
    control.order(f"S1 ahead 1, fire 4 at {control.seen.boats[0].place.direction}")
    shown = control.scene()
    assert outside(shown.layers[-1].shapes, (0, 0, shown.width, shown.height), 2) == []
    assert any("next in" in getattr(shape, "text", "") for shape in shown.layers[-1].shapes)


@pytest.mark.parametrize("name", SCENARIOS)
def test_charts_have_a_value_and_a_label_for_every_bar(name):
    match = Match.new(load("on-patrol", scenario=name), 3)
    for _ in range(6):
        for chart in page.charts(match.game, match.observe(0)):
            assert len(chart.x) == len(chart.y) == len(chart.labels) and len(set(chart.x)) == len(chart.x)
            assert all(0 <= y <= 1 for y in chart.y) and chart.note
        if match.over:
            break
        match.play(str(match.legal()[0]))


def test_what_the_page_says_follows_the_hunt_to_its_end():
    match = Match.new(load("on-patrol", scenario="lone-merchant"), 2)
    assert "S1" in page.now(match.game, match.observe(0)) and page.guide(match.game, match.observe(0))
    first = page.facts(match.game, match.observe(0))
    while not match.over:
        match.play(str(match.legal()[0]))
    seen = match.observe(0)
    assert page.now(match.game, seen) != "" and "S1" not in page.now(match.game, seen)
    assert page.facts(match.game, seen).rows != first.rows
    assert page.orders(match.game, seen, ()) == ()
    assert scenario("lone-merchant").title
