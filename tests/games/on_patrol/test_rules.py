"""The rules of On Patrol as a game: the turn, orders, what the escorts are made to do, light, search, and the end.

Tests of tables, formations, escorts and combat stand in the files beside this one; together they name every rule id.
"""

from __future__ import annotations
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.core.game import CHANCE, TERMINAL
from navalkit.core.words import Event
from navalkit.games.on_patrol.board.conn import Choice, moves
from navalkit.games.on_patrol.combat.damage import lit, star_shells, visible
from navalkit.games.on_patrol.combat.rolls import searchers
from navalkit.games.on_patrol.escort import prolonged
from navalkit.games.on_patrol.escort.automaton import decide
from navalkit.games.on_patrol.escort.manoeuvre import in_zone
from navalkit.games.on_patrol.escort.pattern import mode, next_to_move
from navalkit.games.on_patrol.rules.game import OnPatrol, orders, points as points_of, top_speed
from navalkit.games.on_patrol.sea.scenario import names
from navalkit.games.on_patrol.sea.state import (
    CAPTAIN,
    ESCORTS,
    Boat,
    EscortMove,
    MarkerKind,
    Order,
    Phase,
    Roll,
    Score,
    Shot,
    State,
    Torpedo,
    Vessel,
)
from navalkit.games.on_patrol.sea.tables import move_fleet, on_station
from navalkit.grids.hex import Circle, Hex, assault_zone, radials, vectors
from navalkit.grids.hex_moves import Place, williamson
from navalkit.players import player
from navalkit.testing import refused, said
from ...sentences import CORE, PATROL, PATROL_WHY

DESIGN = """
title = "Test"
date = {date}
package = "{package}"
night = {night}
turns = {turns}
points = {points}
speed = "{speed}"
ships = {ships}
escorts = {escorts}
places = {places}
edges = {edges}
"""
BOAT = """
[[boat]]
type = "viic"
place = "{place}"
depth = {depth}
"""


def design(
    *boats: tuple[str, int],
    ships: list[str] | None = None,
    escorts: list[str] | None = None,
    places: list[str] | None = None,
    edges: str = "{}",
    **fields: Any,
) -> str:
    """The text of a scenario; by default a freighter under way on M20, course 1, in 1943."""
    lines = {"date": "1943-05-01", "package": "advanced", "night": "false", "turns": 10, "points": 5} | fields
    lines |= {"ships": ["liberty"] if ships is None else ships, "escorts": escorts or [], "places": places or []}
    lines = {"speed": "slow" if lines["ships"] else "fast"} | lines
    text = DESIGN.format(edges=edges, **lines)
    return text + "".join(BOAT.format(place=place, depth=depth) for place, depth in boats)


class Story:
    """Plays orders; escorts move by rule, and each kind of roll gives what the story wants, else what is likeliest."""

    def __init__(self, game: OnPatrol | str, state: State | None = None, **wanted: Any) -> None:
        self.game = OnPatrol(scenario=game) if isinstance(game, str) else game
        self.state = state or self.game.initial()
        self.wanted: dict[str, Any] = {"fleet": 3} | wanted
        self.events: list[Event] = []
        self.seen: list[State] = []
        self.resolve()

    def play(self, text: str, **wanted: Any) -> Story:
        self.wanted |= wanted
        self.apply(self.game.parse_action(text))
        self.resolve()
        return self

    def apply(self, action: Any) -> None:
        step = self.game.apply(self.state, action)
        self.state = step.state
        self.seen.append(step.state)
        self.events += step.events

    def resolve(self) -> None:
        while (who := self.game.turn(self.state)) not in (CAPTAIN, TERMINAL):
            if who == ESCORTS:
                (action,) = self.game.legal(self.state)
            else:
                draw = self.game.chance(self.state)
                wish = Roll(self.state.todo[0], self.wanted.get(self.state.todo[0].kind, ""))
                action = wish if wish in draw else max(draw.items(), key=lambda item: item[1])[0]
            self.apply(action)

    def kinds(self, rule: str = "") -> list[str]:
        return [event.kind for event in self.events if rule in ("", event.rule)]

    def refusal(self, text: str) -> str:
        action = self.game.parse_action(text)
        reason = self.game.why_not(self.state, action)
        assert reason is not None, f"{text} is legal"
        with pytest.raises(IllegalActionError, match=re.escape(reason)):
            self.game.apply(self.state, action)
        return reason


def hunted(depth: int = 100, escorts: int = 2, **fields: Any) -> Story:
    """A boat that some frigates, which sail alone, hold in contact."""
    fields = {"ships": [], "escorts": ["captain"] * escorts, "turns": 60, **fields}
    places = [f"{Hex.at(13 + 8 * n, 20)} 3" for n in range(escorts)]
    game = OnPatrol(scenario=design(("M40 6", depth), places=places, **fields) + 'marker = "contact"\n')
    state = game.initial()
    for v in state.escorts:
        state = state.with_vessel(replace(v, hunt=replace(v.hunt, contact=("S1",))))
    return Story(game, state, sonar="found")


# The turn ------------------------------------------------------------------------------------------------------------


def test_Q1_phases_come_in_order_turn_after_turn() -> None:
    story = hunted()
    for _ in range(7):
        story.play("S1 ahead 1")
    moments = [(state.turn, state.phase) for state in story.seen]
    assert moments == sorted(moments)
    rolled = {state.todo[0].kind: state.phase for state in story.seen if state.todo}
    assert rolled["fleet"] is Phase.CONVOY and rolled["sonar"] is Phase.SEARCH and rolled["depth"] is Phase.ATTACKS
    begun = [(event.kind, event.facts["turn"]) for event in story.events if event.rule == "Q1"]
    assert begun == [("turn", turn) for turn in range(2, 9)]


def test_100_the_captain_moves_the_boats_and_sees_the_whole_sea() -> None:
    story = hunted()
    assert story.game.observe(story.state, CAPTAIN) == story.state
    assert {type(action) for action in story.game.legal(story.state)} == {Order}
    assert story.game.automatic == {ESCORTS}
    said(story.refusal("E1 stays"), PATROL_WHY, "game.captain_turn_give", boat="S1")


def test_101_1_every_kind_of_roll_has_odds_and_rules_of_ours() -> None:
    story = hunted()
    for _ in range(4):
        story.play("S1 ahead 2")
    assert {event.rule for event in story.events} <= set(story.game.rules())
    assert {"L1", "A2", "105.4.12"} <= {event.rule for event in story.events}


def test_101_2_the_package_is_an_option() -> None:
    assert nk_options("night-convoy").package == "optional"
    assert nk_options("night-convoy", "advanced").package == "advanced"
    with refused(OptionError, CORE, "options.wrong", name="package", value="'simple'"):
        OnPatrol(package="simple")


def nk_options(name: str, package: str = "") -> Any:
    return OnPatrol(scenario=name, package=package).sea


def test_101_3_a_design_of_ones_own_is_an_option() -> None:
    text = design(("M40 6", 50))
    game = OnPatrol(scenario=f"\n{text}")
    assert game.scenario.title == "Test" and game.options["scenario"] == text.strip()
    with refused(OptionError, PATROL_WHY, "scenario.unknown", name="'atlantis'") as info:
        OnPatrol(scenario="atlantis")
    assert "lone-merchant" in said(info.value, CORE, "options.wrong", name="scenario")["values"]


def test_102_2_a_boat_lies_open_on_the_board() -> None:
    story = Story(design(("M40 6", 200)))
    assert not story.game.hides
    assert "place=M40/6 depth=200" in story.game.format_state(story.state)


def test_102_3_torpedoes_stay_on_the_board_and_escorts_see_them() -> None:
    story = Story(design(("M36 6", 50)))
    story.play("S1 fire 2 at 6", torpedo="miss")
    tracks = story.state.torpedoes
    assert [t.id for t in tracks] == ["T1", "T2"] and tracks[0].run == 5
    assert story.game.observe(story.state, ESCORTS).torpedoes == tracks


def test_103_2_escorts_take_the_stations_of_the_chart() -> None:
    state = OnPatrol(scenario="small-convoy").initial()
    assert [v.station for v in state.escorts] == ["A", "C port", "C starboard"]
    assert all(on_station(state, v) for v in state.escorts)


# Orders --------------------------------------------------------------------------------------------------------------


def test_104_1_1_what_a_boat_may_be_ordered() -> None:
    story = Story(design(("M40 6", 100), ships=["liberty", "liberty"]))
    said(story.refusal("S1 ahead 3"), PATROL_WHY, "orders.makes_hexes_turn", most=2, turns=3)
    said(story.refusal("S1 dive 175"), PATROL_WHY, "orders.too_far", at=100, most=50, depth=175)
    said(story.refusal("S1 rise 60"), PATROL_WHY, "orders.cannot_go_ft", depth=60)
    said(story.refusal("S1 dive 650"), PATROL_WHY, "orders.cannot_go_ft", depth=650)
    said(story.refusal("S2 ahead 1"), PATROL_WHY, "game.captain_turn_give", boat="S1")
    assert story.play("S1 port 2, dive 150").state.boat("S1").place == Place(Hex.parse("K39"), 5)
    assert story.state.boat("S1").depth == 150


def test_104_1_1_a_boat_is_fast_only_if_she_stays_on_the_surface() -> None:
    story = Story(design(("M40 6", 0)))
    boat = story.state.boat("S1")
    assert (top_speed(boat, 0), top_speed(boat, 25), top_speed(replace(boat, depth=25), 0)) == (3, 2, 2)
    said(story.refusal("S1 ahead 3, dive 25"), PATROL_WHY, "orders.makes_hexes_turn", most=2)
    assert story.play("S1 ahead 3").state.boat("S1").speed == 3


def test_104_1_1_a_boat_cannot_be_where_a_ship_lies_on_the_surface() -> None:
    story = Story(design(("M23 6", 25), ships=["liberty"], package="basic"), fleet=3)
    ship = story.state.vessel("M1")
    state = story.state.with_boat(replace(story.state.boat("S1"), place=ship.place.ahead(2)))
    story = Story(story.game, state)
    at = ship.place.bow
    blocked = Order("S1", (0, 0), 0)
    state = state.with_boat(replace(state.boat("S1"), place=ship.place.ahead(2).turned(3)))
    said(story.game.why_not(state, blocked), PATROL_WHY, "orders.cannot_on_ft", taken=at, depth=0)
    assert story.game.why_not(state, blocked._replace(depth=25)) is None


def test_104_1_1_boats_at_one_depth_keep_clear_of_each_other() -> None:
    story = Story(design(("M40 6", 100), ("M38 3", 125)))
    said(story.refusal("S1 ahead 2, dive 125"), PATROL_WHY, "orders.cannot_on_ft", taken="M38", depth=125)
    assert story.game.why_not(story.state, Order("S1", (0, 0), 100)) is None


def test_104_1_1_every_order_listed_is_legal_and_every_plain_one_listed() -> None:
    story = Story(design(("M26 6", 50)))
    listed = orders(story.state, story.state.boat("S1"), story.game.sea)
    assert len(set(listed)) == len(listed) and all(story.game.why_not(story.state, o) is None for o in listed)
    ways = {order.turns for order in listed if not order.shots}
    assert ways == {(), (0,), (1,), (-1,), (0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)}
    assert {order.depth for order in listed} == {0, 25, 50, 75, 100}
    assert {order.shots for order in listed if order.depth == 75} > {(Shot(4, 6),), (Shot(1, 3),), ()}
    assert (Shot(2, 3),) not in {order.shots for order in listed}  # a VIIC has one stern tube


def test_104_1_5_without_a_ship_in_sight_nothing_is_fired() -> None:
    story = Story(design(("M300 6", 50)))
    said(story.refusal("S1 fire 1 at 6"), PATROL_WHY, "orders.has_no_ship", boat="S1")
    near = Story(design(("M40 6", 200)))
    said(near.refusal("S1 fire 1 at 6"), PATROL_WHY, "torpedoes.ft_torpedoes_launched", depth=200, deepest=100)
    seen = Story(design(("M40 6", 50)))
    seen.play("S1 dive 100, fire 1 at 6")  # she saw the ship before she dived
    assert seen.state.launched == 1


def test_104_1_5_a_course_is_one_of_six() -> None:
    story = Story(design(("M40 6", 50)))
    said(story.refusal("S1 fire 1 at 7"), PATROL_WHY, "orders.cannot_fire_on", wrong=7)


def test_104_2_2_the_table_is_consulted_before_the_first_turn() -> None:
    state = OnPatrol(scenario=design(("M40 6", 25), escorts=["flower"])).initial()
    assert (state.markers[0].kind, state.escorts[0].hunt.boat) == (MarkerKind.VISIBLE, "S1")
    calm = OnPatrol(scenario=design(("M40 6", 50), escorts=["flower"])).initial()
    assert (calm.markers, calm.escorts[0].hunt.boat) == ((), "")


# Escorts -------------------------------------------------------------------------------------------------------------


def test_105_1_1_the_rules_prescribe_every_move() -> None:
    story = hunted()
    state = next(s for s in story.seen if story.game.turn(s) == ESCORTS)
    (move,) = story.game.legal(state)
    assert isinstance(move, EscortMove) and move.escort == next_to_move(state)
    other = move._replace(path=move.path[:-1])
    for action in (other, Order("S1")):
        said(story.game.why_not(state, action), PATROL_WHY, "game.escorts_rules_prescribe", move=move)


def test_105_1_2_six_radials_run_from_the_target() -> None:
    state = hunted().state
    decision = decide(state, "E1")
    assert decision.target is not None
    assert [r for r, _ in decision.distances] == list(radials(decision.target))
    assert len({r.direction for r, _ in decision.distances}) == 6


def test_105_1_4_a_vector_leaves_one_turn_to_make() -> None:
    target = Hex.parse("M33")
    for h in target.ring(9):
        for vector in vectors(h, target):
            assert (vector.course - vector.radial.course) % 6 in (1, 5)
            assert vector.radial.holds(vector.joins) and h.step(vector.course, vector.length) == vector.joins


def test_105_1_5_the_assault_zone_is_all_hexes_within_two() -> None:
    target = Hex.parse("M33")
    assert {h for _, h in assault_zone(target, 3)} == set(target.disc(2))


def test_105_2_a_williamson_turn_comes_back_in_the_same_row() -> None:
    path = williamson(Hex.parse("M20"), 6, "port")
    assert path[-1] == (Hex.parse("M19"), 3) and len(path) == 6


@pytest.mark.parametrize(("depth", "expected"), [(0, 5), (25, 4), (50, 1)])
def test_104_2_2_a_boat_at_25_ft_or_less_at_the_start_is_hunted_at_once(depth: int, expected: int) -> None:
    """Even by night, far from any ship, where nobody could see her."""
    text = design(("M300 6", depth), ships=["liberty"] * 3, escorts=["flower"], night="true")
    game = OnPatrol(scenario=text)
    state = game.initial()
    assert mode(state, "S1") == expected
    assert state.escorts[0].hunt.boat == ("S1" if expected > 1 else "")


def test_105_3_1_modes_are_settled_at_the_end_of_a_turn() -> None:
    """The convoy steams up to a boat on the surface at night: nobody moves for her before the turn is over."""
    text = design(("M300 6", 50), ships=["liberty"] * 3, escorts=["flower"], night="true")
    game = OnPatrol(scenario=text)
    state = game.initial()
    bow, course = state.vessel("M1").place
    boat = replace(state.boat("S1"), depth=0, place=Place(bow.abreast(course, 4).step(course, 3), course))
    state = state.with_boat(boat)
    assert not visible(state, boat, game.sea)
    story = Story(game, state, gun=0)
    after = story.state
    assert visible(after, boat, game.sea) and mode(after, "S1") == 5  # once the convoy has moved
    assert after.phase is Phase.BOATS and after.escorts[0].place == state.escorts[0].place.ahead(2)
    assert not after.escorts[0].hunt.boat
    assert story.play("S1").state.escorts[0].hunt.boat == "S1"


def fleet(die: int) -> Roll:
    return Roll(OnPatrol(scenario="lone-merchant").initial().todo[0], die)


def test_105_4_3_ahead_thrown_weapons_wait_for_phase_5() -> None:
    story = hunted()
    for _ in range(6):
        story.play("S1 ahead 1")
    marked = [state for state in story.seen if any(charge.weapon == "hedgehog" for charge in state.charges)]
    assert {state.phase for state in marked} == {Phase.ESCORTS, Phase.ATTACKS}
    assert all(not s.charges for s in story.seen if s.phase > Phase.ATTACKS)
    hulls = {s.boat("S1").hull for s in story.seen if s.phase is Phase.ESCORTS and s.turn == marked[0].turn}
    assert len(hulls) == 1


def test_105_4_4_weapons_go_by_the_rank_of_their_hexes() -> None:
    escort = attacker()
    decision = decide(escort, "E1")
    first = [w.rank for w in decision.weapons if w.round == 1]
    assert first and first == sorted(first)
    assert decision.zone[0] == (1, decision.target)


def attacker() -> State:
    """An escort about to run through the assault zone."""
    story = hunted(escorts=1)
    state = next(s for s in story.seen if s.phase is Phase.ESCORTS)
    target = state.markers[0].target
    return state.with_vessel(replace(state.vessel("E1"), place=Place(target.step(6, 3), 3)))


def test_105_4_7_what_has_moved_or_attacked_stays_so() -> None:
    state = attacker()
    game = hunted(escorts=1).game
    move = game.prescribed(state)
    after = game.apply(state, move).state
    assert after.charges == move.charges and after.vessel("E1").place == move.path[-1]
    said(game.why_not(after, move), PATROL_WHY, "game.roll_due", task=after.todo[0])


def test_105_4_11_weapons_stay_in_the_zone_and_one_ton_charges_are_spent() -> None:
    state = attacker()
    ship = replace(state.vessel("E1"), type="v-and-w", charges=1)
    game, state = hunted(escorts=1).game, state.with_vessel(ship)
    move = game.prescribed(state)
    weapons = [charge.weapon for charge in move.charges]
    assert weapons.count("one-ton charge") == 1
    assert {charge.at for charge in move.charges} <= set(state.markers[0].target.disc(2))
    assert game.apply(state, move).state.vessel("E1").charges == 0


def test_106_1_1_a_diameter_is_a_ring_of_hexes() -> None:
    target = Hex.parse("M33")
    assert set(Circle(target, 6).hexes()) == {h for h in target.disc(6) if h.distance(target) == 6}


def test_106_2_1_escorts_circle_as_long_as_the_marker_is_inverted() -> None:
    story = hunted(depth=500)
    inverted = story.state.with_marker(story.state.markers[0]._replace(kind=MarkerKind.INVERTED))
    story = Story(story.game, inverted, sonar="missed")
    for _ in range(12):
        story.play("S1")
        assert [decide(story.state, v).circle is not None for v in story.state.escorts] == [True, True]


def test_106_2_2_they_come_by_radial_and_follow_the_ring_counter_clockwise() -> None:
    story = hunted(depth=500)
    inverted = story.state.with_marker(story.state.markers[0]._replace(kind=MarkerKind.INVERTED))
    story = Story(story.game, inverted, sonar="missed")
    target = inverted.markers[0].target
    ways: list[list[Hex]] = [[], []]
    for _ in range(20):
        story.play("S1")
        for way, escort in zip(ways, story.state.escorts, strict=True):
            way.append(escort.place.bow)
    for way in ways:
        assert len({h.distance(target) for h in way[-8:]}) == 1 and way[-1].distance(target) in (6, 12)
        bearings = [target.bearing(h) for h in way[-8:]]
        assert all((b - a) % 360 > 180 for a, b in pairwise(bearings))


def test_108_1_5_the_nearest_escort_rams_a_surfaced_boat() -> None:
    story = hunted(depth=0, escorts=1)
    boat = story.state.boat("S1")
    state = next(s for s in story.seen if s.phase is Phase.ESCORTS)
    near = replace(state.vessel("E1"), place=boat.place.ahead(3).turned(3))
    story = Story(story.game, state.with_vessel(near), ram=0)
    assert "ram_missed" in story.kinds("R1")
    assert {"S1"} & {h for s in story.seen for h in s.moved if s.phase is Phase.ESCORTS}


def test_108_2_2_the_convoy_takes_no_notice_of_torpedoes() -> None:
    state = OnPatrol(scenario=design(("M40 6", 50))).initial()
    track = replace(state, torpedoes=(Torpedo("T1", "G7e", "S1", state.vessel("M1").place.ahead().bow, 3),))
    assert move_fleet(track, 3)[0].vessels == move_fleet(state, 3)[0].vessels


def test_108_2_2_the_first_torpedoes_put_capital_ships_to_flight() -> None:
    story = Story(design(("X40 1", 50), ships=["carrier", "kongo"]), torpedo="miss")
    story.play("S1 fire 1 at 6")
    assert story.state.fleet.emergency and "alarm" in story.kinds("104.4.2")
    story.play("S1")
    assert [v.speed for v in story.state.vessels] == [4, 4]


# Light and search ----------------------------------------------------------------------------------------------------


def at_night(*vessels: Vessel) -> Story:
    """A boat at 50 ft by night, with two escorts in contact with her."""
    return hunted(depth=50, night="true")


def test_107_1_1_star_shells_are_fired_in_every_turn_with_a_marker() -> None:
    story = at_night()
    shells = [s.lights for s in story.seen if s.phase is Phase.CONVOY or s.turn > 1]
    story.play("S1")
    assert story.state.lights and all(light.until == story.state.turn for light in story.state.lights)
    assert not shells or story.kinds("107.1")
    quiet = Story(design(("M40 6", 200), escorts=["flower"], night="true")).play("S1")
    assert not quiet.state.markers and not quiet.state.lights


def test_107_1_2_the_furthest_escort_fires_them() -> None:
    story = at_night().play("S1")
    target = story.state.markers[0].target
    furthest = max(story.state.escorts, key=lambda v: target.distance(v.place.bow))
    (event,) = star_shells(story.state, story.game.sea).events
    assert event.facts["escort"] == furthest.id


def test_107_1_3_they_burst_over_the_target_and_three_hexes_ahead() -> None:
    story = at_night().play("S1")
    marker = story.state.markers[0]
    lights = star_shells(story.state, story.game.sea).state.lights
    assert [light.at for light in lights] == [marker.target, marker.target.step(marker.place.direction, 3)]


def test_107_2_1_who_is_seen_at_night_is_104_1_4() -> None:
    story = Story(design(("M300 6", 0), night="true"))
    state, boat = story.state, story.state.boat("S1")
    ship = state.vessel("M1").place
    near = replace(boat, place=ship.ahead(4))
    assert visible(state.with_boat(near), near, story.game.sea) == "104.1.4b"
    assert not visible(state, boat, story.game.sea)


@pytest.mark.parametrize(("fuel", "rule", "radius"), [(False, "107.2.2", 7), (True, "107.2.3", 20)])
def test_107_2_2_and_107_2_3_a_torpedoed_tanker_lights_the_sea(fuel: bool, rule: str, radius: int) -> None:
    story = Story(design(("M300 6", 50), ships=["t2"], night="true"))
    tanker = story.state.vessel("M1")
    burning = story.state.with_vessel(replace(tanker, fuel=fuel, torpedoed=1))
    later = replace(burning, turn=2)
    edge, beyond = tanker.place.ahead(radius).bow, tanker.place.ahead(radius + 1).bow
    assert (lit(later, edge), lit(later, beyond), lit(burning, edge)) == (rule, "", "")
    sunk = later.with_vessel(replace(later.vessel("M1"), sunk=2))
    assert lit(replace(sunk, turn=3, phase=Phase.BOATS), edge) == rule
    assert lit(replace(sunk, turn=3, phase=Phase.STAR_SHELLS), edge) == ""


def test_108_3_1_every_slow_ship_with_sonar_searches() -> None:
    story = hunted(escorts=3)
    state = story.state.with_vessel(replace(story.state.vessel("E1"), speed=4))
    state = state.with_boat(replace(state.boat("S1"), place=state.vessel("E2").place.ahead(8)))
    assert "E1" not in {task.actor for task in searchers(state, story.game.sea) if task.kind == "sonar"}
    assert "E2" in {task.actor for task in searchers(state, story.game.sea) if task.kind == "sonar"}
    assert any(s.phase is Phase.SEARCH and s.todo for s in story.seen)


def test_108_3_2_every_ship_with_radar_searches() -> None:
    story = hunted(depth=25, escorts=3)
    kinds = [(task.kind, task.actor) for task in searchers(story.state, story.game.sea)]
    assert {actor for kind, actor in kinds if kind == "radar"} == {
        v.id for v in story.state.escorts if v.place.bow.distance(story.state.boat("S1").place.bow) <= 20
    }
    basic = OnPatrol(scenario=story.game.options["scenario"], package="basic")
    assert not any(task.kind == "radar" for task in searchers(story.state, basic.sea))


# The end -------------------------------------------------------------------------------------------------------------


def test_D3_a_ship_that_has_sunk_goes_in_phase_10_of_the_turn_after() -> None:
    story = Story(design(("M20 6", 50), ships=["coaster", "coaster"]))
    sunk = replace(story.state.vessel("M1"), sunk=story.state.turn)
    story = Story(story.game, story.state.with_vessel(sunk))
    story.play("S1")
    assert story.state.turn == 2 and story.state.vessel("M1").sunk == 1
    story.play("S1")
    assert [v.id for v in story.state.vessels] == ["M2"]
    assert "gone" in story.kinds("D3")


def ended(*boats: Boat, **fields: Any) -> tuple[State, OnPatrol]:
    game = OnPatrol(scenario=design(("M40 6", 50), ("M60 6", 50), turns=5))
    return replace(game.initial(), boats=boats, over=True, todo=(), **fields), game


@pytest.mark.parametrize(
    ("points", "hull", "sunk", "result"),
    [
        (8, 10, 0, "win"),
        (4, 10, 0, "draw"),
        (0, 10, 0, "draw"),
        (5, 9, 0, "draw"),
        (0, 9, 0, "loss"),
        (8, 10, 3, "loss"),
    ],
)
def test_W1_points_for_ships_against_damage_taken(points: int, hull: int, sunk: int, result: str) -> None:
    boat = replace(OnPatrol(scenario=design(("M40 6", 50))).initial().boat("S1"), hull=hull, sunk=sunk)
    state, game = ended(boat, points=(Score("sunk", "M1", points),) if points else ())
    outcome = game.outcome(state)
    assert outcome is not None and outcome.result == result
    assert outcome.scores == (points_of(state), -points_of(state))
    assert points_of(state) == points - (10 - hull) * (not sunk)


def test_W1_the_report_says_what_was_sunk_and_lost() -> None:
    state, game = ended(
        replace(OnPatrol(scenario=design(("M40 6", 50))).initial().boat("S1"), sunk=4, hull=0),
        points=(Score("sunk", "M1", 8), Score("lost", "S1", -20)),
    )
    outcome = game.outcome(state)
    assert outcome is not None
    said(outcome.text, PATROL, "result.loss", points=-12, goal=5)
    said(outcome.text, PATROL_WHY, "victory.ships_sunk", ids="M1")
    said(outcome.text, PATROL_WHY, "victory.boats_lost", ids="S1")
    assert (outcome.facts["ships_sunk"], outcome.facts["boats_lost"], outcome.facts["boats_away"]) == (1, 1, 0)


def test_104_1_3_boats_once_marked_are_counted_as_found() -> None:
    story = hunted()
    assert story.play("S1").state.found == ("S1",)
    quiet = Story(design(("M300 6", 200), turns=1)).play("S1")
    outcome = quiet.game.outcome(quiet.state)
    assert outcome is not None and outcome.facts["boats_found"] == 0


def test_W2_a_boat_that_leaves_the_map_has_got_away() -> None:
    story = Story(design(("M40 3", 25), escorts=["flower"], edges="{ south = 41 }"))
    assert story.state.markers
    said(story.refusal("S1 ahead 2, fire 1 at 3"), PATROL_WHY, "orders.leaves_map_cannot", bow="M42")
    story.play("S1 ahead 2")
    assert story.state.boat("S1").away == 1 and not story.state.boat("S1").active
    assert not story.state.markers and story.game.turn(story.state) == TERMINAL
    outcome = story.game.outcome(story.state)
    assert outcome is not None and outcome.facts["boats_away"] == 1


def test_W3_the_game_ends_at_the_turn_limit() -> None:
    story = Story(design(("M300 6", 200), turns=2))
    assert story.play("S1").state.turn == 2 and not story.state.over
    story.play("S1")
    assert story.state.over and story.events[-1].text == PATROL("end_turns", turn=2)
    assert story.game.legal(story.state) == () and story.refusal("S1") == PATROL_WHY("game.game_over")


def test_W3_the_game_ends_when_no_ship_floats() -> None:
    story = Story(design(("M300 6", 200)))
    sunk = story.state.with_vessel(replace(story.state.vessel("M1"), sunk=1))
    assert Story(story.game, sunk).play("S1").kinds("W3") == ["end_ships"]


def test_W3_torpedoes_still_run_when_no_boat_is_left() -> None:
    story = Story(design(("M60 3", 25), edges="{ south = 60 }"))
    track = Torpedo("T1", "G7a", "S1", Hex.parse("M50"), 3)
    story = Story(story.game, replace(story.state, torpedoes=(track,)))
    story.play("S1 ahead 1")
    assert story.kinds("W3") == ["end_boats"] and story.state.turn == 9  # a G7a runs 55 hexes, seven a turn


# The prolonged attack ------------------------------------------------------------------------------------------------


def last_turn(**fields: Any) -> Story:
    """The end of the last turn, with the boat in contact."""
    return hunted(turns=1, **fields)


def test_P1_when_time_is_up_and_contact_is_held_each_escort_makes_a_run() -> None:
    story = last_turn(escorts=3).play("S1")
    assert not story.state.over and story.state.phase is Phase.END
    assert "prolonged" in story.kinds("P1")
    assert story.state.last_run == ("E1",)
    while not story.state.over:
        story.play("S1 ahead 2")
    assert [e.facts["escort"] for e in story.events if e.rule == "P3"] == ["E1", "E2", "E3"]


def test_P1_there_is_none_without_an_upright_marker() -> None:
    story = last_turn()
    for kind in (MarkerKind.INVERTED, MarkerKind.TORPEDO):
        state = story.state.with_marker(story.state.markers[0]._replace(kind=kind))
        assert Story(story.game, state).play("S1").state.over
    assert Story(story.game, story.state.without_marker("S1")).play("S1").state.over


def test_P1_the_escort_of_the_highest_value_begins() -> None:
    text = design(("M40 6", 100), ships=[], escorts=["flower", "fletcher"], places=["M20 3", "U20 3"], turns=1)
    story = Story(text + 'marker = "contact"\n', sonar="found").play("S1")
    assert story.state.last_run == ("E2",)


def test_P2_she_searches_from_six_hexes_out_on_a_clear_radial() -> None:
    story = last_turn(escorts=1)
    story.play("S1")
    search = next(s for s in story.seen if s.phase is Phase.END and s.todo and s.todo[0].kind == "sonar")
    ship, target = search.vessel("E1"), search.markers[0].target
    assert ship.place.bow.distance(target) == 6 and ship.place.ahead(6).bow == target and ship.speed == 3


def test_P2_a_search_that_fails_ends_it() -> None:
    story = last_turn(escorts=3).play("S1", sonar="missed")
    assert story.state.over and story.kinds("P3") == []
    assert story.state.markers[0].kind is MarkerKind.INVERTED
    assert story.kinds("P2")[-1] == "lost"


def test_P2_other_ships_on_a_radial_send_her_to_the_next() -> None:
    state = last_turn(escorts=2).state
    target = state.markers[0].target
    free = prolonged.begin(state, OnPatrol().sea).state.vessel("E1").place
    wall = state.with_vessel(replace(state.vessel("E2"), place=Place(free.ahead(3).bow, 1)))
    other = prolonged.begin(wall, OnPatrol().sea).state.vessel("E1").place
    assert other != free and other.bow.distance(target) == 6


def test_P2_a_surfaced_boat_in_sight_needs_no_search() -> None:
    story = last_turn(depth=0).play("S1")
    assert "held" not in story.kinds("P2") and "P3" in {event.rule for event in story.events}


def test_P3_the_run_crosses_the_zone_with_all_weapons_of_a_turn() -> None:
    story = last_turn(escorts=1)
    story.play("S1")
    state = next(s for s in story.seen if s.phase is Phase.END and story.game.turn(s) == ESCORTS)
    marker = state.markers[0]
    assert marker.place == state.boat("S1").place
    move = story.game.prescribed(state)
    assert {charge.at for charge in move.charges} <= set(marker.target.disc(2))
    assert len(move.charges) == 6 + 4 + 1  # depth charges, K-guns, Hedgehog
    assert not in_zone(move.path[-1], marker.target) and marker.target in {place.bow for place in move.path}
    after = story.game.apply(state, move).state
    assert {task.kind for task in after.todo} <= {"depth", "damage"} and after.charges == move.charges


def test_P3_between_two_runs_the_boat_evades_and_does_not_fire() -> None:
    story = last_turn(escorts=2, depth=100).play("S1")
    before = story.state.boat("S1").place
    assert story.game.turn(story.state) == CAPTAIN
    said(story.refusal("S1 fire 1 at 6"), PATROL_WHY, "game.cannot_fire_between")
    assert all(isinstance(order, Order) and not order.shots for order in story.game.legal(story.state))
    assert story.play("S1 port 2, dive 150").state.over
    assert story.state.boat("S1").place == before.entering(-1).ahead()


def test_P3_on_the_surface_she_goes_two_hexes_too() -> None:
    story = last_turn(escorts=2, depth=0).play("S1", depth="miss")
    if story.game.turn(story.state) == CAPTAIN:
        said(story.refusal("S1 ahead 3"), PATROL_WHY, "game.goes_hexes_most", most=2)
    assert story.game.turn(story.state) == CAPTAIN
    game, state = story.game, story.state
    boat, legal = state.boat("S1"), game.legal(state)
    assert legal and all(game.why_not(state, order) is None for order in legal)
    on_board = moves(state, boat, game.sea, Choice(0, ())).values()
    assert on_board and all(game.why_not(state, order) is None for order in on_board)
    rng, refuse = np.random.default_rng(1), lambda: pytest.fail("an order of the plan is there")
    for name in ("skipper", "tamm", "brook", "lindqvist"):
        captain = player(name, game)
        assert game.why_not(state, captain.decide(state, legal, rng).action) is None
    assert game.why_not(state, player("skipper", game).order(state, refuse, rng)) is None


# The game as a game --------------------------------------------------------------------------------------------------


def test_a_roll_must_be_the_one_that_is_due() -> None:
    game = OnPatrol(scenario="lone-merchant")
    state = game.initial()
    assert game.turn(state) == CHANCE
    assert game.why_not(state, fleet(7)) == PATROL_WHY("game.no_result", result=7, task="fleet")
    assert game.why_not(state, Order("S1")) == PATROL_WHY("game.roll_due", task="fleet")
    assert game.chance(state).slot == "turn 1 fleet"


def test_103_1_2_the_formation_of_twelve_is_a_roll_of_the_game() -> None:
    match = nk.Match.new(OnPatrol(scenario="night-convoy"), seed=3)
    assert match.plies[0].action.task.kind == "formation"
    assert match.plies[0].events[0].rule == "103.1.2" and len(match.state.vessels) == 16


def test_one_seed_is_one_sea() -> None:
    """What is rolled depends on seed, turn and task, not on what was rolled before."""
    dice = []
    for order in ("S1", "S1 ahead 1"):
        match = nk.Match.new(OnPatrol(scenario="lone-merchant"), seed=5)
        for _ in range(8):
            match.play(order)
        dice.append([ply.action.result for ply in match.plies if ply.by == CHANCE and ply.action.task.kind == "fleet"])
    assert dice[0] == dice[1]


@pytest.mark.parametrize("name", names())
def test_the_default_options_are_a_scenario_and_its_package(name: str) -> None:
    game = OnPatrol(scenario=name)
    assert game.options["package"] == "" and game.sea.package == game.scenario.package
    assert game.parse_state(game.format_state(game.initial())) == game.initial()


def test_every_rule_has_a_test_by_its_name() -> None:
    files = Path(__file__).parent.glob("test_*.py")
    tests = "\n".join(re.findall(r"^def (test_\w+)", "\n".join(f.read_text(encoding="utf-8") for f in files), re.M))
    named = {
        rule
        for rule in OnPatrol().rules()
        if re.search(rf"_{rule.replace('.', '_')}(?![0-9a-z]|_[0-9](?![0-9]))", tests)
    }
    assert set(OnPatrol().rules()) - named == set()
