"""The board of Fleet Action: snapshots in characters, and promises that hold for many moments of every scenario."""

from __future__ import annotations
import os
import re
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from navalkit.core.errors import NavalkitError
from navalkit.core.match import Match, Store
from navalkit.core.registry import load
from navalkit.core.words import Voice, speaking
from navalkit.games.fleet_action import sight
from navalkit.games.fleet_action.board import seascape
from navalkit.games.fleet_action.board.afloat import first, window
from navalkit.games.fleet_action.board.choice import (
    CARDS,
    aim_pick,
    by_unit,
    choose,
    foe_pick,
    look_pick,
    places,
    targets,
    unit_pick,
)  # fmt: skip
from navalkit.games.fleet_action.board.page import PAGE
from navalkit.games.fleet_action.prospects import chance_to_sink, full_fire, prospect, volley
from navalkit.games.fleet_action.state import Done, Fate, Lay, Leave, Move, Phase, Reload, Sweep
from navalkit.grids.square import distance
from navalkit.testing import heard, refused, said
from navalkit.ui.play.app import GameApp
from navalkit.ui.play.controller import Controller
from navalkit.view.files import printed
from navalkit.view.lobby import tutorial
from navalkit.view.page import Glance, Look
from navalkit.view.painters import text
from navalkit.view.scene import Line, Picks, Polygon, Style, Text, contains, hit
from ....boxes import box, outside
from ....sentences import FLEET, FLEET_PAGE, UI, wordless
from ..battles import GUNS

SNAPSHOTS = Path(__file__).with_name("snapshots")
LAYOUTS = pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])
PLATE = "first blue; First Division: H4 E; Exeter: G6 E; Graf Spee: K8 W"
OPENING = {  # what each snapshot shows: scenario, actions, picks
    "start": ("river_plate", "first blue", ()),
    "heading": ("river_plate", "first blue", (aim_pick(55),)),
    "fire": ("river_plate", PLATE, ()),
    "cards": ("river_plate", PLATE, (unit_pick("Exeter"), CARDS)),
    "night": ("night_action", "first red", ()),
    "mines": ("mined_strait", "first blue", (unit_pick("Abdiel"),)),
}


def glance(game, state, me=None):
    """What the page is made of, for the side on turn."""
    me = max(0, game.turn(state)) if me is None else me
    return Glance(game, game.observe(state, me), me, game.legal(state) if game.turn(state) == me else ())


def shown(game, state, tall=False, picks=(), me=None):
    """The scene as the page shows it to the side on turn."""
    return PAGE.scene(glance(game, state, me), Look(tall, Picks.of(*picks)))


def layer(drawn, name):
    """A layer of a scene by its name."""
    return next(each for each in drawn.layers if each.name == name)


@LAYOUTS
@pytest.mark.parametrize("name", OPENING)
def test_board_in_characters(name, tall):
    """After a wanted change renew the snapshots with ``NAVALKIT_RENEW=1`` and look at them."""
    scenario, actions, picks = OPENING[name]
    game = load("fleet-action", scenario=scenario)
    state = game.initial()
    for action in actions.split("; "):
        state = game.apply(state, game.parse_action(action)).state
    with wordless():
        drawn = text(shown(game, state, tall, picks)) + "\n"
    path = SNAPSHOTS / f"{name}_{'tall' if tall else 'wide'}.txt"
    if os.environ.get("NAVALKIT_RENEW"):
        path.write_text(drawn, encoding="utf-8")
    assert drawn == path.read_text(encoding="utf-8")


# Moments of many battles ----------------------------------------------------------------------------------------


@lru_cache
def battles():
    """A battle of every scenario of guns between captains who fire whenever they can, and else go anywhere."""
    found = []
    for number, scenario in enumerate(GUNS):
        rng = np.random.default_rng(number)
        match = Match.new(load("fleet-action", scenario=scenario), number)
        while not match.over and match.ply < 400:
            legal = match.legal()
            eager = [a for a in legal if not isinstance(a, Done)] if rng.random() < 0.9 else legal
            match.play((eager or legal)[int(rng.integers(len(eager or legal)))])
        found.append(match)
    return found


@lru_cache
def moments():
    """Some states of those battles, with their games: about ten of each, some in which somebody chooses a turret."""
    found = []
    for match in battles():
        turrets = [n for n in range(match.ply) if match.at(n).phase is Phase.TURRETS][:2]
        fires = [n for n in range(match.ply) if match.at(n).phase is Phase.FIRE][::9]
        plies = {0, 1, *range(2, match.ply, 1 + match.ply // 5), *turrets, *fires[:3], match.ply}
        found += [(match.game, match.at(n)) for n in sorted(plies)]
    return found


@lru_cache
def pictures(tall):
    """The moments as one or the other side sees them, with one or other pick."""
    found = []
    for i, (game, state) in enumerate(moments()):
        me = i % 2 if game.turn(state) < 0 or i % 5 == 0 else state.side
        names = [unit.name for unit in game.battle.units]
        square = (37 * i) % game.battle.grid.size
        if state.phase is Phase.MOVE and me == state.side:  # somewhere she can go
            moves = (action for action in game.legal(state)[3 * i % 7 :] if isinstance(action, Move))
            square = next((game.battle.grid.number(move.square) for move in moves), square)
        picks = unit_pick(names[i % len(names)]), foe_pick(len(names) - 1 - i % len(names)), aim_pick(square)
        found.append((game, state, shown(game, state, tall, (*picks, look_pick(square) if i % 3 else CARDS), me)))
    return found


def test_the_moments_come_through_every_phase_in_which_somebody_decides():
    assert {state.phase for _, state in moments()} >= {Phase.MOVE, Phase.FIRE, Phase.TURRETS, Phase.END}
    assert any(ship.fate is Fate.SUNK for _, state in moments() for ship in state.ships)
    assert any(game.observe(state, 0).discs for game, state in moments())


@LAYOUTS
def test_every_cell_has_its_own_id_and_a_name_and_orders_only_what_is_legal(tall):
    for game, state, drawn in pictures(tall):
        legal = game.legal(state) if game.turn(state) >= 0 else ()
        assert len({cell.id for cell in drawn.cells}) == len(drawn.cells)
        for cell in drawn.cells:
            assert cell.alt and (cell.action is None or cell.action in legal), cell


@LAYOUTS
def test_every_cell_is_hit_at_its_centre(tall):
    for game, state in moments():
        drawn = shown(game, state, tall)
        cards = {cell for cell in drawn.cells if " mount " in cell.id}
        for cell in drawn.cells:
            assert cell in cards or hit(drawn, *cell.centre) == cell


@LAYOUTS
def test_places_to_press_are_large_enough_for_a_finger(tall):
    """Squares 36 px on a phone, 28 at the least, for a second press confirms; 24 in a phone's first picture, of both
    sides. The rest 44 px."""
    for _, state, drawn in pictures(tall):
        squares = 24 if tall and state.move <= 1 and state.phase is Phase.MOVE else 28
        for cell in drawn.cells:
            xs, ys = zip(*cell.outline, strict=True)
            least = min(max(xs) - min(xs), max(ys) - min(ys))
            if cell.id.startswith(("fire ", "head ", "turret ", "do ", "ahead")):
                assert least >= 44, (cell.id, least)
            elif " mount " not in cell.id and " set " not in cell.id:
                assert least >= squares, (cell.id, least)


@LAYOUTS
def test_nothing_lies_outside_the_picture(tall):
    for _, state, drawn in pictures(tall):
        assert outside(drawn.shapes(), (0, 0, drawn.width, drawn.height), 2) == [], state


@LAYOUTS
def test_every_order_can_be_given_by_picking_and_pressing(tall):
    """Pick the ship, then the square or the target: the order is there, or one that does exactly the same."""
    for game, state in moments():
        if state.phase not in (Phase.MOVE, Phase.FIRE):
            continue
        battle, seen = game.battle, game.observe(state, state.side)
        own = by_unit(glance(game, state))
        for unit in list(own)[:2]:

            def given(*picks, game=game, state=state, unit=unit):
                drawn = shown(game, state, tall, (unit_pick(unit), *picks))
                return {cell.action for cell in drawn.cells if cell.action}

            for square, moves in list(places(battle, own[unit]).items())[::7]:
                assert set(moves.values()) <= given(aim_pick(square))
            for target, ways in targets(battle, own[unit]).items():
                offered = {prospect(battle, seen.view, order) for order in given(foe_pick(target))}
                assert {prospect(battle, seen.view, way) for way in ways} <= offered
            assert {order for order in own[unit] if isinstance(order, Lay | Sweep | Reload | Leave)} <= given()


def test_the_picture_and_all_that_is_said_hold_nothing_that_is_hidden():
    rng = np.random.default_rng(3)
    for i, (game, state) in enumerate(moments()):
        for me in (0, 1):
            other, tall = sight.permute(game.battle, state, me, rng), bool(i % 2)
            assert shown(game, state, tall, me=me) == shown(game, other, tall, me=me)
            seen, same = game.observe(state, me), game.observe(other, me)
            for told in (PAGE.now, PAGE.guide, PAGE.facts, PAGE.charts):
                assert told(Glance(game, seen, me)) == told(Glance(game, same, me))


def test_the_odds_shown_are_those_of_the_dice():
    told = 0
    for game, state in moments():
        if state.phase is not Phase.FIRE:
            continue
        for action in game.legal(state)[:20]:
            if isinstance(action, Done):
                continue
            found, damage = prospect(game.battle, state, action), volley(game.battle, state, action).damage
            target = game.battle.numbers[action.target]
            assert found.hit == damage.chance(lambda points: points > 0) and found.mean == damage.mean
            assert found.sink == chance_to_sink(game.battle, state, target, action)
            told += 1
    assert told > 50


def test_all_fire_at_one_enemy_is_the_sum_of_what_every_ship_can_order_at_her():
    """Against ordering it ship by ship through the rules."""
    compared = 0
    for game, state in moments():
        if state.phase is not Phase.FIRE or state.shots:
            continue
        for target, damage in full_fire(game.battle, state, state.side).items():
            name, now = game.battle.units[target].name, state
            mean = 0
            while now.phase is Phase.FIRE and now.side == state.side:
                at_her = [a for a in game.legal(now) if not isinstance(a, Done) and a.target == name]
                if not at_her:
                    break
                mean += volley(game.battle, now, at_her[0]).mean
                now = game.apply(now, at_her[0]).state
            assert mean == damage.mean
            compared += 1
    assert compared > 5


def test_buttons_are_legal_orders_each_once():
    for game, state in moments():
        if game.turn(state) >= 0:
            legal, now = game.legal(state), glance(game, state)
            found = [order.action for order in PAGE.orders(now)]
            given = {action for each in found for action in PAGE.unfold(now, each)}  # some are orders to many at once
            assert found and len(set(found)) == len(found) and given <= set(legal)
            assert (Done() in found) == (Done() in legal)


def test_a_typed_order_without_a_name_is_for_the_next_ship():
    game = load("fleet-action", scenario="river_plate")
    now = glance(game, game.apply(game.initial(), game.parse_action("first blue")).state)
    for line, orders in (
        ("H4 E", ["First Division: H4 E"]), ("Exeter: G6 E", ["Exeter: G6 E"]), ("done", ["done"]),
        ("Exeter: G6 E; guns Graf Spee", ["Exeter: G6 E", "Exeter: guns Graf Spee"]),
        ("Exeter: g6 o; guns Graf Spee", ["Exeter: G6 E", "Exeter: guns Graf Spee"]),
        ("Exeter: F5 SO", ["Exeter: F5 SE"]),
    ):  # fmt: skip
        assert list(map(str, PAGE.read(now, line))) == orders


def test_headings_have_their_german_names_wherever_they_are_shown():
    game = load("fleet-action", scenario="river_plate")
    state = game.apply(game.initial(), game.parse_action("first blue")).state
    now, aim = glance(game, state), aim_pick(game.battle.grid.number("G6"))
    east, north_east, south_east = (Move("Exeter", "G6", heading) for heading in ("E", "NE", "SE"))
    with speaking(Voice("de")):
        for move, name in ((east, "O"), (north_east, "NO"), (south_east, "SO")):
            assert said("" + PAGE.spoken(now, move), FLEET_PAGE, "move.alt")["heading"] == name  # as it is read
        drawn = shown(game, state, picks=(unit_pick("Exeter"), aim))
    told = {word for cell in drawn.cells for word in re.findall(r"\w+", f"{cell.alt} {cell.ask}")}
    with speaking(Voice("de")):
        layers = *drawn.layers, *shown(game, state, picks=(unit_pick("Exeter"),)).layers
    texts = (shape.text for each in layers for shape in each.shapes if isinstance(shape, Text))
    written = {word for text in texts for word in text.split()}
    assert {"O", "NO", "SO"} <= told & written and not {"E", "NE", "SE"} & told and not {"NE", "SE"} & written


@pytest.mark.parametrize("top", [96, 127])  # under two lines of status, and under a led game's five
@pytest.mark.parametrize("lang", ["en", "de"])
def test_on_a_phone_lying_down_what_fires_is_read_whole_and_lies_in_the_column(lang, top):
    hole, told = (552, top, 780, 280), 0
    with speaking(Voice(lang)):
        for game, state in moments():
            if game.turn(state) >= 0 and state.phase in (Phase.FIRE, Phase.TURRETS):
                drawn = PAGE.scene(glance(game, state), Look(True, room=(792, 390), hole=hole))
                told += len(written := [shape.text for shape in layer(drawn, "conn").flat if isinstance(shape, Text)])
                assert not [words for words in written if words.endswith("…")]
                ends = [box(Polygon(cell.outline, Style())) for cell in drawn.cells]
                assert all(y0 >= hole[1] and y1 <= hole[3] for x0, y0, x1, y1 in ends if x0 >= hole[0])
    assert told > 50


def test_what_happened_is_short_however_much_was_fired():
    for match in battles():
        events = [event for ply in match.plies for event in ply.events if event.kind in ("salvo", "torpedoes", "moved")]
        assert len(events) > 20
        told = PAGE.happened(events)
        assert len(told) < 0.3 * sum(len(event.text) for event in events)
        total = sum(event.facts["points"] for event in events if event.kind != "moved")
        fires = [fire for part in told.split(". ") for fire in heard(f"{part}.", FLEET_PAGE, "happened.fire").values()]
        assert sum(int(fire["damage"]) for fire in fires) == total


def test_the_damage_sheet_has_a_row_for_every_ship():
    for game, state in moments():
        sheet = PAGE.facts(glance(game, state, 0))
        named = {row[0].partition(" (")[0] for row in sheet.rows}
        assert {unit.name for unit in game.battle.units} <= named
        sunk = [unit.name for unit, ship in zip(game.battle.units, state.ships, strict=True) if ship.fate is Fate.SUNK]
        assert all(f"{name} (sunk)" in {row[0] for row in sheet.rows} for name in sunk)


def test_printed_sheets_have_a_row_a_ship_and_cross_out_what_is_lost():
    crossed = 0
    for game, state in moments():
        for side, drawn in zip((0, 1), PAGE.sheets(glance(game, state, 0)), strict=True):
            words = {shape.text for shape in drawn.shapes() if isinstance(shape, Text)}
            fleet = game.battle.fleet(side)
            assert {game.battle.units[n].name for n in fleet} <= words
            crosses = sum(isinstance(s, Line) and s.style.stroke == "bad" for s in drawn.shapes()) // 2
            lost = sum(sum(state.ships[n].out) for n in fleet)
            fired = sum(
                tubes.tubes
                for n in fleet
                for k, tubes in enumerate(game.battle.card(n).torpedoes)
                if not state.ships[n].loaded >> k & 1
            )
            assert crosses == lost + fired
            crossed += crosses
            assert outside(drawn.shapes(), (0, 0, drawn.width, drawn.height)) == []
    assert crossed > 20


def test_the_damage_sheets_print_on_one_sheet_a_side_with_every_ship():
    for match in battles():
        drawn = PAGE.sheets(glance(match.game, match.state, 0))
        head, *sheets = printed(drawn).split("<svg ")
        assert len(sheets) == len(drawn) == 2
        for side, told in enumerate(sheets):
            for number in match.game.battle.fleet(side):
                assert f">{match.game.battle.units[number].name}</text>" in told


def test_the_report_tells_of_every_ship_and_only_after_the_end():
    match = next(match for match in battles() if match.over)
    report = PAGE.report(match.game, match, ())
    assert len(report.rows) == len(match.game.battle.units) and report.note == match.outcome.text
    match = Match.new(match.game, 1)
    assert PAGE.report(match.game, match, ()) is None


# The window of a phone ------------------------------------------------------------------------------------------


def test_a_window_lies_on_the_board_and_holds_what_it_is_about():
    for game in {game for game, _ in moments()}:
        grid = game.battle.grid
        for tall in (False, True):
            for square in range(0, grid.size, 3):
                w = window(grid, tall, square)
                assert w.holds(square) and w.row >= 0 and w.column >= 0
                assert w.row + w.rows <= grid.rows and w.column + w.columns <= grid.columns
                assert len(list(w.squares())) == w.rows * w.columns
                assert not tall or w.columns < grid.columns


@pytest.mark.parametrize("scenario", ["rudder", "river_plate"])
def test_a_phones_first_picture_holds_the_ship_to_be_ordered(scenario):
    control, room = Controller("fleet-action", seats=("", "random")), (360.0, 410.0)
    control.new(3, {"scenario": scenario})
    state, battle = control.match.state, control.game.battle
    assert first(control.game.observe(state, 0))
    seen = glance(control.game, state, 0)
    at = PAGE.frame(seen, Look(True, room=room))
    ship = choose(seen, Picks()).ships[0]
    assert window(battle.grid, True, at, room, None, True).holds(state.ships[ship].square)
    assert PAGE.frame(seen, Look(True, room=room, window=at)) == at, "and stays"


def test_fire_by_many_guns_is_drawn_at_full_size_on_the_lowest_phone():
    control, room = Controller("fleet-action", seats=("", "random")), (360.0, 364.0)
    control.new_first()
    for step in tutorial("fleet-action").steps[:2]:
        control.order(step.order)
    assert control.match.state.phase is Phase.FIRE
    seen = glance(control.game, control.match.state, 0)
    drawn = PAGE.scene(seen, Look(True, room=room))
    assert (drawn.width, drawn.height) == room


def test_a_press_on_the_overview_moves_the_window_and_an_order_lets_it_follow_again():
    control = Controller("fleet-action", seats=("", "random"))
    control.new(3)
    control.tall = True
    start = control.scene()
    control.point([cell.id for cell in start.cells if cell.id.startswith("look ")][-1])
    assert control.scene().layers[0] != start.layers[0]
    control.order("First Division: G4 E")
    assert not set(control.picks)


# Picks, through the controller ----------------------------------------------------------------------------------


@pytest.fixture
def control():
    made = Controller("fleet-action", seats=("", "random"))
    made.new(3)
    return made


def press(control, square):
    """Press a square of the board: whatever cell lies there."""
    drawn = control.scene()
    w = window(control.game.battle.grid, False, None)
    control.point(hit(drawn, *w.centre(control.game.battle.grid.number(square))).id)


def test_square_then_heading_moves_a_division(control):
    press(control, "H3")
    assert aim_pick(39) in control.picks and control.match.ply == 2
    press(control, "I3")
    assert str(control.match.plies[-1].action) == "First Division: H3 E" and not set(control.picks)


def test_a_square_with_one_heading_is_ordered_by_one_press(control):
    press(control, "H4")
    assert str(control.match.plies[-1].action) == "First Division: H4 E" and not set(control.picks)


def test_a_second_press_on_the_square_takes_the_natural_heading(control):
    press(control, "H2"), press(control, "H2")
    assert str(control.match.plies[-1].action) == "First Division: H2 NE"


def test_a_press_on_a_ship_picks_her_and_one_on_the_enemy_shows_how_far_she_reaches(control):
    press(control, "D6")
    assert choose(control.glance(), control.picks).unit == "Exeter"
    before = control.scene().layers[1]
    press(control, "K8")
    assert control.scene().layers[1] != before and control.match.ply == 2


def test_a_press_on_another_target_picks_her_and_the_next_one_fires():
    control = Controller("fleet-action", seats=())
    control.new(4, {"scenario": "iowa_convoy"})
    rng = np.random.default_rng(0)
    while True:  # until a ship has two targets
        control.take_seat()
        aims = choose(control.glance(), control.picks).targets
        if control.match.state.phase is Phase.FIRE and len({control.match.state.ships[n].square for n in aims}) > 1:
            break
        legal = [str(action) for action in control.legal]
        control.order(legal[int(rng.integers(len(legal)))])
    chosen = choose(control.glance(), control.picks).foe
    ships = control.match.state.ships
    other = next(n for n in aims if ships[n].square != ships[chosen].square)
    name, square = control.game.battle.units[other].name, control.game.battle.grid.names[ships[other].square]
    ply = control.match.ply
    press(control, square)
    assert choose(control.glance(), control.picks).foe == other
    assert control.match.ply == ply and not heard(control.status.text, UI, "inside")
    press(control, square)
    assert str(control.match.plies[ply].action).endswith(f"guns {name}")


def test_two_at_one_screen_see_their_own_side_after_the_cover():
    control = Controller("fleet-action", seats=())
    control.new(3, {"scenario": "night_action"})
    control.take_seat()
    first = control.me
    assert not control.covered
    control.order("done")
    assert control.covered and control.me == 1 - first and not control.legal
    with refused(NavalkitError, UI, "order.covered"):
        control.order("done")
    control.take_seat()
    assert control.legal and control.game.battle.sides[control.me] in control.scene().desc


def test_ship_cards_are_shown_on_demand(control):
    assert not any(" mount " in cell.id for cell in control.scene().cells)
    press(control, "K8")
    control.point("cards")
    cards = {cell.id.partition(" mount ")[0] for cell in control.scene().cells if " mount " in cell.id}
    assert cards == {"Ajax", "Graf Spee"}


def test_the_owner_picks_a_turret_on_her_card():
    game, state = next(
        (game, state) for game, state in moments() if state.phase is Phase.TURRETS and game.turn(state) >= 0
    )
    drawn = shown(game, state, picks=(CARDS,))
    legal = sorted(map(str, game.legal(state)))
    assert sorted(str(cell.action) for cell in drawn.cells if cell.action and " mount " in cell.id) == legal
    assert all(contains(cell.outline, *cell.centre) for cell in drawn.cells)


# Lines of several orders ----------------------------------------------------------------------------------------


def test_fire_in_a_line_waits_for_the_firing_phase(control):
    control.order("Exeter: G6 E; guns Graf Spee")
    assert str(control.match.plies[-1].action) == "Exeter: G6 E" and len(control.later) == 1
    control.order("First Division: H4 E; Ajax: guns Graf Spee")  # out of range
    given = [str(ply.action) for ply in control.match.plies]
    assert given.count("Exeter: guns Graf Spee") == 1 and not control.later


def test_what_cannot_be_given_later_is_told(control):
    control.order("Exeter: G6 E; Ajax: guns Graf Spee; Exeter: guns Graf Spee")
    control.order("First Division: H4 E")
    assert "Ajax: guns Graf Spee" in control.status.text
    said(control.status.text, UI, "order.refused")
    assert "Exeter: guns Graf Spee" in [str(ply.action) for ply in control.match.plies] and not control.later


def test_at_one_screen_a_line_waits_for_its_own_player():
    control = Controller("fleet-action", seats=())
    control.new(3)
    control.take_seat()
    assert control.me == 1
    control.order("Graf Spee: J7 W; guns Exeter")
    control.take_seat()
    control.order("Exeter: F5 E; guns Graf Spee")
    control.order("done")
    while control.match.state.move == 1:
        control.take_seat()  # each in turn, whose fire is then ordered at once
    given = [str(ply.action) for ply in control.match.plies]
    assert given.count("Exeter: guns Graf Spee") == given.count("Graf Spee: guns Exeter") == 1


def test_a_line_that_begins_wrong_gives_nothing(control):
    with refused(NavalkitError, FLEET, "no.reach"):
        control.order("Exeter: P9 E; guns Graf Spee")
    assert control.match.ply == 2 and not control.later


def test_orders_of_a_line_are_forgotten_with_the_move_and_by_undo(control):
    control.order("Exeter: G6 E; torpedoes 1 Graf Spee")
    control.undo(agreed=True)
    assert not control.later
    control.order("Exeter: G6 E; torpedoes 1 Graf Spee")
    control.order("done")
    while control.match.state.move == 1:
        control.order("done")
    control.order("done")
    assert not control.later


def test_the_button_for_the_sheets_sends_what_the_player_knows_as_a_page_to_print(tmp_path):
    app = GameApp("fleet-action", store=Store(tmp_path), seats=("", "random"))
    sent = []
    app.bridge.send = lambda content, buffers=None: sent.append((content, buffers))
    find(app.widget, "nk-key-sheets").click()
    (content, (data,)) = next(each for each in sent if each[0]["do"] == "download")
    assert content["name"].startswith("fleet-action-sheets-") and content["mime"] == "text/html"
    assert data.count(b"<svg ") == 2


def find(widget, name):
    """The widget with that class, in or below another."""
    if name in getattr(widget, "_dom_classes", ()):
        return widget
    return next((found for child in getattr(widget, "children", ()) if (found := find(child, name))), None)


def test_threats_are_shown_on_demand_guns_that_bear_and_water_within_torpedoes_after_a_move(control):
    control.new(1, {"scenario": "denmark_strait"}, ("", ""))
    before = control.scene()
    control.point("threats")
    after = control.scene()
    assert not control.status.error
    under = {len(layer.shapes) for drawn in (before, after) for layer in drawn.layers if layer.name == "under"}
    assert len(under) == 2, "there is more on the sea"
    armed = load("fleet-action", scenario="mined_strait")  # where there are torpedoes to fire
    seen = armed.observe(armed.apply(armed.initial(), armed.parse_action("first blue")).state, 0)
    battle, number = seen.battle, seen.battle.numbers["Z 25"]
    lies, water = seen.view.ships[number], seascape.torpedo_water(seen)
    assert lies.loaded and lies.square in water and not water & battle.land and len(water) < battle.grid.size
    run = battle.torpedo_range(number, 0)
    assert any(distance(battle.grid, lies.square, at) > run for at in water), "she moves before she fires"
    control.point("threats")
    assert "threats" in {cell.id for cell in control.scene().cells}


@pytest.mark.parametrize("width", [360, 390])
@pytest.mark.parametrize("name", ["river_plate", "iowa_convoy", "raider_hunt", "night_action", "build_your_own"])
def test_both_switches_stand_beside_the_head_on_a_phone(name, width):
    game = load("fleet-action", scenario=name)
    drawn = PAGE.scene(glance(game, game.initial(), 0), Look(True, room=(width, 560)))
    left = min(x for id in ("cards", "threats") for x, _ in drawn.cell(id).outline)
    top = min(y for _, y in drawn.cell("cards").outline)
    beside = [each for each in drawn.shapes() if isinstance(each, Text) and top <= each.y < top + 48 and each.x < left]
    said(beside[0].text, FLEET_PAGE, "head.move", move=1)
    assert all(box(each)[2] <= left for each in beside), beside


def test_the_page_counts_the_ships_that_can_still_fire():
    game, told = load("fleet-action", scenario="river_plate"), []
    state = game.initial()
    for order in PLATE.split("; "):
        state = game.apply(state, game.parse_action(order)).state
    while state.phase is Phase.FIRE and state.side == 0:
        here = glance(game, state)
        told.append((len(by_unit(here)), PAGE.now(here)))
        state = game.apply(state, here.legal[0]).state
    assert told and 0 < told[0][0] < 3, "not all of the three British ships bear"
    for number, now in told:
        said(now, FLEET_PAGE, "now.fire", n=number)
