"""The page of On Patrol without a browser: the window on the sea, the panel beneath it, charts and orders."""

from __future__ import annotations
from dataclasses import replace

import pytest

from navalkit.core.awaited import Awaited, run
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.core.words import percent
from navalkit.games.on_patrol import scenario
from navalkit.games.on_patrol.board import window as windows
from navalkit.games.on_patrol.board.conn import Plan
from navalkit.games.on_patrol.board.page import CLOSE, LONGEST_PLAN, PAGE, alarmed
from navalkit.games.on_patrol.board.shapes import SIZES
from navalkit.games.on_patrol.odds.solution import solutions
from navalkit.games.on_patrol.sea.state import Marker, MarkerKind, Role, Shot
from navalkit.grids.hex_moves import Place
from navalkit.testing import heard, said
from navalkit.ui.play.controller import Controller
from navalkit.view.page import Glance, Look
from navalkit.view.scene import Text
from ...boxes import outside
from ...sentences import PATROL, PATROL_PAGE

SCENARIOS = ("lone-merchant", "small-convoy", "night-convoy", "hunter-group", "wolf-pack", "three-boats")


@pytest.fixture(params=[False, True], ids=["wide", "tall"])
def tall(request):
    return request.param


def hunting(name, tall, seed=3):
    control = Controller("on-patrol", adviser="skipper")
    control.tall = tall
    control.new(seed, {"scenario": name})
    return control


def window(control):
    return windows.framed(control.seen, control.look).view


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


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_phone_begins_with_both_sides_or_arrows_to_them_and_goes_on_with_hexes_for_a_finger(name):
    control = hunting(name, tall=True)
    for turn in range(3):
        control.window = PAGE.frame(control.glance(), control.look)
        view, shown = window(control), control.scene()
        arrows = next(layer for layer in shown.layers if layer.name == "beyond").shapes
        roles = {vessel.role for vessel in control.seen.vessels if not vessel.sunk}
        held = {vessel.role for vessel in control.seen.vessels if view.holds(vessel.place.bow)}
        assert roles - held == set() or len(arrows) == 2 * len(roles - held)
        assert turn == 0 or view.zoom >= windows.FINGER
        for boat in [boat for boat in control.seen.boats if boat.active]:
            control.order(f"{boat.id} ahead 2")


def test_arrows_move_the_window(tall):
    control = hunting("night-convoy", tall)
    first = window(control)
    for move, (dx, dy) in windows.ARROWS.items():
        control.window = windows.Window(first, None)
        control.window = PAGE.window(control.glance(), control.look, move)
        (x, y), (x0, y0) = (first.layout.center(each.centre) for each in (window(control), first))
        assert (x - x0) * dx >= 0 and (y - y0) * dy >= 0 and abs(x - x0) + abs(y - y0) > 0.2 * first.size[bool(dy)]


def test_all_shows_all_and_boat_comes_near_until_they_are_pressed_again(tall):
    control = hunting("night-convoy", tall)
    first, boat = window(control), control.seen.boats[0].place.bow
    for move, holds in (("all", [v.place.bow for v in control.seen.vessels]), ("boat", [boat])):
        control.point(f"view:{move}")
        assert all(map(window(control).holds, holds)) and (window(control) != first or tall and move == "all")
        control.point(f"view:{move}")
        assert window(control) == first


def test_the_sea_stands_still_while_it_holds_the_boat_and_what_is_near(tall):
    control = hunting("small-convoy", tall)
    seas = []
    for _ in range(12):
        control.window = PAGE.frame(control.glance(), control.look)
        scene = control.scene()
        seas.append(scene.layers[0])
        bow = window(control).layout.center(control.seen.boats[0].place.bow)
        assert 0 < bow[0] < scene.width and 0 < bow[1] < scene.height
        control.order("S1 ahead 2")
    assert len(set(map(id, seas))) <= 4 + tall  # of twelve turns; a phone begins with both sides


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_panel_lies_within_the_picture_and_every_place_can_be_pressed(name, tall):
    control = hunting(name, tall)
    shown = control.scene()
    assert outside(shown.layers[-1].shapes, (0, 0, shown.width, shown.height), 2) == []
    pads = [cell for cell in shown.cells if cell.id.startswith("view:")]
    assert len(pads) == len(windows.Move) - (len(windows.ARROWS) if tall else 0)
    for cell in shown.cells:
        x, y = cell.centre
        assert cell.alt and -60 <= x <= shown.width + 60 and -60 <= y <= shown.height + 60, cell.id
    orders = [cell.action for cell in shown.cells if cell.action]
    assert len(orders) > 4 and all(control.game.why_not(control.seen, order) is None for order in orders)


def test_the_panel_has_room_for_tubes_that_are_reloaded(tall):
    control = hunting("lone-merchant", tall)
    control.order(f"S1 ahead 1, fire 4 at {control.seen.boats[0].place.direction}")
    shown = control.scene()
    assert outside(shown.layers[-1].shapes, (0, 0, shown.width, shown.height), 2) == []
    words = [shape.text for shape in shown.layers[-1].shapes if isinstance(shape, Text)]
    assert heard(words, PATROL_PAGE, "panel.tubes.wait", "panel.tubes.wait.short")


def glance_of(match):
    return Glance(match.game, match.observe(0), 0, match.legal())


def here(value):
    return run(value) if isinstance(value, Awaited) else value


def test_what_is_picked_on_the_panel_goes_with_the_next_order_alone(tall):
    control = hunting("lone-merchant", tall)
    boat = control.seen.boats[0]
    course = boat.place.direction
    control.point(f"depth={boat.depth + 25}")
    control.point(f"fire {course}")
    control.point(f"fire {course}")
    ahead = boat.place.ahead().bow.label
    order = control.scene().cell(ahead).action
    assert (order.depth, order.shots) == (boat.depth + 25, (Shot(2, course),))
    control.point(ahead)
    assert control.match.plies[-1].by != 0 or str(order) in [str(ply.action) for ply in control.match.plies]
    assert control.seen.boats[0].depth == boat.depth + 25 and control.seen.launched == 2
    assert control.scene().cell(control.seen.boats[0].place.ahead().bow.label).action.shots == ()


def test_the_panel_shows_the_chance_of_a_hit_once_it_is_calculated():
    match = Match.new(load("on-patrol", scenario="lone-merchant"), 3)
    state, prey = match.state, match.state.vessels[0].place
    bow = prey.bow.step(prey.direction, 10)
    facing = (replace(state.boats[0], place=Place(bow, course)) for course in range(1, 7))
    boat = next(b for b in facing if any(s.total for s in solutions(state.with_boat(b), b, match.game.sea)))
    glance = Glance(match.game, state.with_boat(boat), 0, match.legal())
    (asked,) = PAGE.awaits(glance, Look())
    texts = [shape.text for shape in PAGE.scene(glance, Look()).layers[-1].shapes if isinstance(shape, Text)]
    assert "…" in texts
    answered = PAGE.scene(glance, Look(answers={asked.key: run(asked)}))
    shown = [shape.text for shape in answered.layers[-1].shapes if isinstance(shape, Text)]
    totals = [percent(s.total) for s in solutions(glance.seen, boat, match.game.sea) if s.total]
    assert "…" not in shown and totals and set(totals) <= set(shown)


@pytest.mark.parametrize("name", SCENARIOS)
def test_charts_have_a_value_and_a_label_for_every_bar(name):
    match = Match.new(load("on-patrol", scenario=name), 3)
    for _ in range(6):
        for chart in map(here, PAGE.charts(glance_of(match))):
            assert len(chart.x) == len(chart.y) == len(chart.labels) and len(set(chart.x)) == len(chart.x)
            assert all(0 <= y <= 1 for y in chart.y) and chart.note
        if match.over:
            break
        match.play(str(match.legal()[0]))


def test_what_the_page_says_follows_the_hunt_to_its_end():
    match = Match.new(load("on-patrol", scenario="lone-merchant"), 2)
    first = glance_of(match)
    assert "S1" in PAGE.now(first) and PAGE.guide(first)
    while not match.over:
        for order in PAGE.orders(glance_of(match)):
            assert match.game.why_not(match.state, PAGE.unfold(glance_of(match), order.action)[0]) is None
        match.play(str(match.legal()[0]))
    last = glance_of(match)
    assert PAGE.now(last) != "" and "S1" not in PAGE.now(last)
    assert PAGE.facts(last).rows != PAGE.facts(first).rows
    assert PAGE.orders(last) == ()
    report = PAGE.report(match.game, match, [("skipper", match)])
    assert all(row[1] == row[2] for row in report.rows) and report.head[2] == "skipper"
    assert scenario("lone-merchant").title


def test_a_turn_is_told_without_its_routine():
    match = Match.new(load("on-patrol", scenario="small-convoy"), 3)
    before = len(match.log)
    match.play("S1 ahead 2")
    told = PAGE.happened(match.log[before:])
    said(told, PATROL, "moves", boat="S1")
    assert len(told) < 400


def carried_on(control):
    """Have the boat carry on; how many turns she sailed, and what the captain saw before and after them."""
    before, ply = control.seen, control.match.ply
    (order,) = (row.action for row in control.orders() if row.label == PATROL_PAGE("order.carry_on"))
    control.give(order)
    assert not control.status.error, control.status.text
    return sum(step.by == 0 for step in control.match.plies[ply:]), before, control.seen


def test_carry_on_sails_until_something_happens_and_not_beyond():
    turns = {}
    for name in ("lone-merchant", "small-convoy"):
        for seed in range(1, 7):
            sailed, before, now = carried_on(hunting(name, False, seed))
            turns[name, seed] = sailed
            assert 1 <= sailed <= LONGEST_PLAN and (sailed == LONGEST_PLAN or alarmed(before, now))
    assert max(turns.values()) == LONGEST_PLAN and min(turns.values()) < LONGEST_PLAN, turns


def test_a_course_of_several_turns_ends_on_the_hex_that_was_pressed(tall):
    control = hunting("lone-merchant", tall, 2)
    assert not [cell for cell in control.scene().cells if isinstance(cell.action, Plan)]
    control.point("aid:plot")
    far = [cell for cell in control.scene().cells if isinstance(cell.action, Plan) and len(cell.action.orders) == 2]
    control.point(far[0].id)
    own = [str(ply.action) for ply in control.match.plies if ply.by == 0]
    assert own == [str(order) for order in far[0].action.orders]
    assert control.seen.boats[0].place.bow.label == far[0].id


HUNTED = {"approach", "deep", "surfaced", "visible", "contact", "contact.deep"}
BLIND, TO_DIVE, TO_FIRE = {"deep", "deep_alone"}, {"visible", "contact"}, {"hunters", "seen_alone", "solution"}
"""What the guide says of escorts, of a boat too deep to see, of diving, and of firing."""


def counsel(match, state):
    return PAGE.guide(Glance(match.game, state, 0, match.legal()))


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_guide_speaks_of_what_there_is_at_every_depth(name):
    """Escorts only where some are afloat, the depth she is at, and firing only with a torpedo in a tube."""
    match, told = Match.new(load("on-patrol", scenario=name), 3), set()
    start = match.state
    boat = start.boats[0]
    alone = replace(start, vessels=tuple(v for v in start.vessels if v.role is not Role.ESCORT))
    sunk = replace(start, vessels=tuple(v if v.role is Role.ESCORT else replace(v, sunk=1) for v in start.vessels))
    lost = replace(alone, vessels=tuple(replace(v, sunk=1) for v in alone.vessels))
    empty = tuple(tube._replace(torpedo="") for tube in boat.tubes)
    for depth in (0, 25, 50, 75, 100, 200, 300):
        for kind in (None, *MarkerKind):
            if depth > {MarkerKind.SURFACED: 0, MarkerKind.VISIBLE: 50}.get(kind, depth):
                continue  # such a marker goes when she dives
            for sea in filter(lambda state: state.vessels, (start, alone, sunk, lost)):
                for tubes, reloads in ((boat.tubes, boat.reloads), (empty, ())):
                    state = sea.with_boat(replace(boat, depth=depth, tubes=tubes, reloads=reloads))
                    state = state.with_marker(Marker(boat.id, kind, boat.place)) if kind else state
                    guide = counsel(match, state)
                    key = guide.key.removeprefix("guide.")
                    told.add(guide)
                    here = depth, kind, key
                    assert state.escorts or key not in HUNTED, here
                    assert depth > 50 or key not in BLIND, here
                    assert depth < 200 or key not in TO_DIVE, here
                    assert guide.facts.get("depth", depth) == depth, here
                    assert tubes is not empty or key not in TO_FIRE, here
    assert len(told) > 5


def test_the_guide_speaks_of_firing_only_where_a_tube_is_ready():
    match = Match.new(load("on-patrol", scenario="lone-merchant"), 2)
    state, prey = match.state, match.state.vessels[0].place
    near = replace(state.boats[0], place=Place(prey.bow.step(prey.direction, CLOSE - 2), 1))
    waiting = replace(near, tubes=tuple(tube._replace(ready=3) for tube in near.tubes))
    spent = replace(near, reloads=(), tubes=tuple(tube._replace(torpedo="") for tube in near.tubes))
    for boat, key in ((near, "guide.solution"), (waiting, "guide.loading"), (spent, "guide.spent")):
        said(counsel(match, state.with_boat(boat)), PATROL_PAGE, key)


def test_an_order_is_spoken_with_the_courses_that_are_on_the_board():
    control = hunting("lone-merchant", False)
    spoken = control.page.spoken
    order = control.game.parse_action("S1 ahead 1, fire 4 at 5")
    assert spoken(control.glance(), order) == f"S1 ahead 1, {PATROL_PAGE('order.shot', number=4, course='NW')}"
