"""The escort automaton: what each mode makes escorts do, what stands in their way, and how little they know."""

from __future__ import annotations
import random
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from navalkit.games.on_patrol.combat.damage import top_speed
from navalkit.games.on_patrol.escort import manoeuvre, positions
from navalkit.games.on_patrol.escort.automaton import EscortDecision, arms, decide
from navalkit.games.on_patrol.escort.pattern import (
    DEPTH_CHARGE,
    HEDGEHOG,
    K_GUN,
    Ban,
    Hindrances,
    hindrances,
    nearest_parallel,
    next_to_move,
    waiting,
)
from navalkit.games.on_patrol.sea.combat_tables import COMBAT
from navalkit.games.on_patrol.sea.state import (
    Boat,
    Charge,
    Fleet,
    Hunt,
    Marker,
    MarkerKind,
    Phase,
    Role,
    Score,
    State,
    Torpedo,
    Vessel,
)
from navalkit.games.on_patrol.sea.tables import TABLES, in_formation, move_fleet, station
from navalkit.grids.hex import Circle, Hex, assault_zone, turn_between
from navalkit.grids.hex_moves import Place, obstacle, why_not_path
from navalkit.testing import said
from ...sentences import PATROL_ESCORT

GUIDE = Place(Hex.parse("M20"), 3)


def at(text: str, direction: int) -> Place:
    return Place(Hex.parse(text), direction)


def ship(id: str, place: Place, *, type: str = "", speed: int = 3, boat: str = "S1", **fields: Any) -> Vessel:
    role = {"M": Role.MERCHANT, "C": Role.CAPITAL, "E": Role.ESCORT}[id[0]]
    type = type or {"M": "liberty", "C": "kongo", "E": "flower"}[id[0]]
    hunt = fields.pop("hunt", Hunt(boat=boat if role is Role.ESCORT else ""))
    offset = Hex(place.bow.q - GUIDE.bow.q, place.bow.r - GUIDE.bow.r)
    return Vessel(id, role, type, place, speed, station=fields.pop("station", id), offset=offset, hunt=hunt, **fields)


def sea(*vessels: Vessel, marker: tuple[MarkerKind, Place] | None = None, **fields: Any) -> State:
    markers = (Marker("S1", *marker),) if marker else ()
    fields.setdefault("package", "advanced")
    return State(4, Phase.ESCORTS, Fleet(GUIDE, "slow 1"), vessels, (), markers=markers, **fields)


CONTACT = (MarkerKind.CONTACT, at("M32", 3))
TARGET = Hex.parse("M33")


# What the table says -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "mode", "movement", "speed"),
    [
        (MarkerKind.TORPEDO, 2, "radial", 3),
        (MarkerKind.CONTACT, 3, "radial", 5),
        (MarkerKind.VISIBLE, 4, "radial", 5),
        (MarkerKind.SURFACED, 5, "diameter", 5),
        (MarkerKind.INVERTED, 6, "diameter", 3),
    ],
)
def test_104_2_1_the_marker_sets_mode_movement_and_speed(
    kind: MarkerKind, mode: int, movement: str, speed: int
) -> None:
    first, second = ship("E1", at("M10", 3), type="fletcher"), ship("E2", at("A1", 3), type="fletcher")
    state = sea(first, second, marker=(kind, at("M32", 3)))
    decision = decide(state, "E2")
    assert (decision.mode, decision.speed) == (mode, speed)
    assert (decision.circle is not None) == (movement == "diameter")
    assert decision.marker == state.markers[0]


def test_104_2_1_escorts_in_contact_keep_to_search_speed() -> None:
    near = ship("E1", at("M20", 3), type="fletcher", hunt=Hunt(boat="S1", contact=("S1",)))
    assert decide(sea(near, marker=CONTACT), "E1").speed == 3
    other = replace(near, hunt=Hunt(boat="S1", contact=("S2",)))
    assert decide(sea(other, marker=CONTACT), "E1").speed == 5
    radar = replace(near, hunt=Hunt(boat="S1", echoes=("S1",)))
    assert decide(sea(radar, marker=CONTACT), "E1").speed == 5


def test_105_1_3_the_target_is_ahead_of_the_marker_or_where_torpedoes_were_launched() -> None:
    escort = ship("E1", at("A1", 3))
    assert decide(sea(escort, marker=CONTACT), "E1").target == TARGET
    launch = (MarkerKind.TORPEDO, at("M32", 3))
    assert decide(sea(escort, marker=launch), "E1").target == Hex.parse("M32")


@pytest.mark.parametrize(("now", "got"), [(0, 2), (1, 3), (3, 5), (4, 6), (6, 6)])
def test_105_3_5_speed_changes_by_two_at_most(now: int, got: int) -> None:
    escort = ship("E1", at("A1", 3), type="fletcher", speed=now)
    assert top_speed(escort) == 6
    assert decide(sea(escort, marker=CONTACT), "E1").speed == got


@pytest.mark.parametrize(("now", "told"), [(2, False), (4, True)])
def test_105_3_5_hemmed_in_she_brakes_harder_and_says_so(now: int, told: bool) -> None:
    hemmed = positions.find("stopping").state
    state = replace(hemmed, vessels=tuple(replace(v, speed=now) if v.id == "E1" else v for v in hemmed.vessels))
    decision = decide(state, "E1")
    assert decision.path == ()
    assert (("105.3.5", "speed.hemmed") in set(positions.answers(decision))) is told


def test_104_2_3_after_the_last_marker_the_shortest_way_back_to_station() -> None:
    escort = ship("E1", at("M26", 3), boat="")
    away = replace(escort, place=at("Q30", 4))
    decision = decide(sea(away), "E1")
    assert decision.mode == 1
    assert decision.path[-1].place.bow.distance(escort.place.bow) < away.place.bow.distance(escort.place.bow)
    assert next_to_move(sea(away)) == "E1"
    assert next_to_move(sea(escort)) is None  # on station she moves with the fleet, not in phase 3


@pytest.mark.parametrize(("row", "made"), [("slow 1", 2), ("slow 2", 3), ("fast 3", 4)])
def test_104_2_3_who_returns_makes_a_hex_more_than_the_fleet(row: str, made: int) -> None:
    """Or her own best speed, where that is more; a damaged ship makes what she can."""
    away = replace(ship("E1", at("M26", 3), type="trawler", boat="", speed=2), place=at("Q40", 3))
    assert top_speed(away) == 2
    state = replace(sea(away), fleet=Fleet(GUIDE, row))
    assert decide(state, "E1").speed == made
    hurt = replace(away, hits=1)
    assert decide(replace(state, vessels=(hurt,)), "E1").speed <= top_speed(hurt)


@pytest.mark.parametrize("seed", range(4))
def test_104_2_3_a_trawler_finds_her_station_in_a_convoy_as_fast_as_herself(seed: int) -> None:
    dice = random.Random(seed)
    station_of = ship("E1", at("M26", 3), type="trawler", boat="", speed=2)
    tanker = ship("M1", GUIDE, type="liberty", speed=2)
    state = replace(sea(replace(station_of, place=at("Q34", 3)), tanker), fleet=Fleet(GUIDE, "slow 2"))
    for _turn in range(30):
        state, _, _ = move_fleet(replace(state, phase=Phase.CONVOY, moved=()), dice.randint(1, 6))
        state = replace(state, phase=Phase.ESCORTS)
        if in_formation(state, state.vessel("E1")):
            return
        decision = decide(state, "E1")
        assert decision.path
        escort = replace(state.vessel("E1"), place=decision.path[-1].place, speed=decision.speed)
        state = state.with_vessel(escort)
    pytest.fail("she never comes up")


def test_105_4_5_the_nearest_moves_first_then_the_one_that_points_there() -> None:
    a = ship("E1", Place(TARGET.step(6, 9), 3), station="C")
    b = ship("E2", Place(TARGET.step(1, 5), 1), station="B")
    c = ship("E3", Place(TARGET.step(2, 5), 5), station="D")
    state = sea(a, b, c, marker=CONTACT)
    assert [v.id for v in waiting(state)] == ["E3", "E2", "E1"]
    assert next_to_move(replace(state, moved=("E3",))) == "E2"


def test_105_4_5_those_that_return_move_after_those_that_hunt() -> None:
    """However near to her station she is."""
    far = ship("E1", Place(TARGET.step(6, 9), 3))
    back = replace(ship("E2", at("Q28", 3), boat=""), offset=Hex(at("Q30", 3).bow.q - GUIDE.bow.q, 8))
    state = sea(back, far, marker=CONTACT)
    assert back.place.bow.distance(station(state, back).bow) < far.place.bow.distance(TARGET)
    assert [v.id for v in waiting(state)] == ["E1", "E2"]


def test_105_4_5_bows_are_compared_by_their_true_angle() -> None:
    """Both bows are within the same 60 degrees of the target: the one that points closer goes first, on either side."""
    near, wide = TARGET.step(6, 6).step(5, 2), TARGET.step(6, 5).step(5, 3)  # eight hexes off: 19 and 25 degrees
    for first, second in ((near, wide), (_mirrored(near), _mirrored(wide))):
        assert first.distance(TARGET) == second.distance(TARGET) == 8
        state = sea(ship("E1", Place(second, 3), station="A"), ship("E2", Place(first, 3), station="B"), marker=CONTACT)
        assert [v.id for v in waiting(state)] == ["E2", "E1"]


def _mirrored(h: Hex) -> Hex:
    """The hex as far to the other side of the target's row."""
    a, b = TARGET.along(6, h)
    return TARGET.step(6, a + b).step(1, 0).step(5, 0) if not b else TARGET.step(6, a).step(1, b)


def test_106_2_3_the_ship_that_rams_is_not_on_the_circle() -> None:
    """She lies on the same ring as the others and is slower, but only steers for the bow."""
    ring = Circle(TARGET, 6)
    hexes = ring.hexes()
    slow = ship("E1", Place(TARGET.step(6, 6), 3), type="flower", speed=3)
    fast = [
        ship(f"E{n}", Place(h, ring.course(h)), type="fletcher", speed=5, hunt=Hunt(boat="S1", ring=6))
        for n, h in enumerate((hexes[9], hexes[18]), 2)
    ]
    state = sea(slow, *fast, marker=(MarkerKind.SURFACED, at("M32", 3)))
    assert ring.holds(slow.place.bow) and next_to_move(state) == "E1" and top_speed(slow) < top_speed(fast[0])
    for now in (state, replace(state, moved=("E1",))):
        assert {decide(now, v).speed for v in fast} == {top_speed(fast[0])}


def test_105_4_9_a_ship_that_never_was_in_the_zone_makes_for_a_radial() -> None:
    beside = Place(TARGET.step(3, 3).step(2, 1), 3)
    fresh = ship("E1", beside, speed=3)
    ran = replace(fresh, hunt=Hunt(boat="S1", ran=TARGET))
    other = replace(fresh, hunt=Hunt(boat="S1", ran=TARGET.step(1)))  # the zone of a target there is no more
    for escort in (fresh, other):
        assert decide(sea(escort, marker=CONTACT), "E1").path[0].rule == "105.3.2a"
    first = decide(sea(ran, marker=CONTACT), "E1").path[0]
    assert (first.rule, first.why) == ("105.4.9", "back_port")


def test_105_4_9_whether_she_ran_is_known_until_she_turns_back() -> None:
    state = sea(ship("E1", Place(TARGET.step(6, 5), 3), speed=3), marker=CONTACT)
    ran, why = [], []
    for _ in range(6):
        decision = decide(state, "E1")
        ran.append(decision.hunt.ran == TARGET)
        why.append(next((leg.why for leg in decision.path if leg.rule == "105.4.9" and leg.why != "through"), ""))
        moved = replace(state.vessel("E1"), place=decision.path[-1].place, speed=len(decision.path), hunt=decision.hunt)
        state = state.with_vessel(moved)
    turns = why.index("back_port")
    assert ran[0] and all(ran[:turns]) and not ran[turns]
    told = decide(sea(ship("E1", at("M37", 3), speed=3, hunt=Hunt(boat="S1", ran=TARGET)), marker=CONTACT), "E1")
    said(told.findings, PATROL_ESCORT, "steer.back_port", hexes=3)


def test_104_2_3_a_returning_escort_keeps_clear_of_stations() -> None:
    """Where the fleet die may send an escort in formation, one that returns does not lie in her way."""
    home = ship("E2", at("Q27", 3), type="flower", boat="", speed=1)
    offset = Hex(at("M26", 3).bow.q - GUIDE.bow.q, at("M26", 3).bow.r - GUIDE.bow.r)
    back = replace(ship("E1", at("S29", 4), type="flower", boat="", speed=3), offset=offset)
    state = sea(home, back)
    closed_ = hindrances(state, back).forbidden
    assert closed_[Hex.parse("Q28")].rule == "104.2.3" and closed_[Hex.parse("Q28")].whose == "E2"
    assert not {leg.place.bow for leg in decide(state, "E1").path} & set(closed_)
    hunting = replace(back, hunt=Hunt(boat="S1"))
    assert Hex.parse("Q28") not in hindrances(sea(home, hunting, marker=CONTACT), hunting).forbidden


@pytest.mark.parametrize(("speed", "made"), [(3, 1), (4, 2), (5, 3), (0, 1)])
def test_104_2_3_a_ship_that_returns_tells_the_speed_she_makes(speed: int, made: int) -> None:
    """A hex from her station she makes one, but brakes by two at most (105.3.5): faster, she goes past it."""
    home = at("M26", 3)
    offset = Hex(home.bow.q - GUIDE.bow.q, home.bow.r - GUIDE.bow.r)
    near = replace(ship("E1", at("M25", 3), type="fletcher", boat="", speed=speed), offset=offset)
    decision = decide(sea(near), "E1")
    assert len(decision.path) == decision.speed == made and decision.path[0].place == home
    told = [f.facts[0].value for f in decision.findings if "speed.station" in [fact.value for fact in f.facts]]
    assert told == [made]


def test_104_2_1_only_if_nothing_was_ever_sighted_does_the_trace_say_so() -> None:
    away = ship("E1", at("Q30", 4), boat="")
    state = sea(replace(away, offset=Hex(0, 6)))
    said(str(decide(state, "E1").findings[0].verdict), PATROL_ESCORT, "mode.none")
    said(str(decide(replace(state, found=("S1",)), "E1").findings[0].verdict), PATROL_ESCORT, "mode.gone")


def test_105_4_8_a_diverted_ship_explains_the_hexes_she_sails() -> None:
    first, second = ship("E1", at("M24", 3), type="captain"), ship("E2", at("M27", 3), type="captain")
    decision = decide(replace(sea(first, second, marker=CONTACT), moved=("E2",)), "E1")
    assert decision.path and [leg.place for leg in decision.path] != [leg.place for leg in decision.intended]
    children = [child for finding in decision.findings for child in finding.children]
    told = [fact.value for child in children for fact in child.facts if fact.name == "place"]
    assert told == [leg.place for leg in decision.path]


def test_106_2_3_on_a_circle_all_keep_to_the_slowest() -> None:
    marker = (MarkerKind.SURFACED, at("M32", 3))
    ring = Circle(TARGET, 12)
    hexes = ring.hexes()
    ships = [
        ship(f"E{n}", Place(h, ring.course(h)), type=type, speed=5, hunt=Hunt(boat="S1", ring=12))
        for n, (h, type) in enumerate(zip(hexes[::18], ["fletcher", "flower", "fletcher", "buckley"], strict=True), 1)
    ]
    near = ship("E9", at("M26", 3), type="fletcher")  # the one that goes to ram
    state = sea(*ships, near, marker=marker)
    slowest = min(top_speed(v) for v in ships)
    assert {decide(state, v).speed for v in ships} == {slowest}
    assert all(ring.holds(leg.place.bow) for v in ships for leg in decide(state, v).path)


def test_104_2_1_mode_5_the_nearest_rams_and_drops_nothing() -> None:
    marker = (MarkerKind.SURFACED, at("M32", 3))
    near, far = ship("E1", at("M28", 3), speed=3), ship("E2", at("M14", 3))
    state = sea(near, far, marker=marker)
    ram = decide(state, "E1")
    assert ram.target == Hex.parse("M32")
    assert [leg.place.bow.label for leg in ram.path] == ["M29", "M30", "M31"]
    assert not ram.weapons
    assert decide(state, "E2").circle is not None
    after = replace(state, moved=("E1",)).with_vessel(replace(near, place=ram.path[-1].place))
    assert decide(after, "E2").circle is not None  # one alone rams


# What stands in the way ----------------------------------------------------------------------------------------------


def closed(state: State, escort: str = "E1", **fields: Any) -> dict[Hex, Ban]:
    h = hindrances(state, state.vessel(escort), **fields)
    return {**h.ending, **h.forbidden, **h.taken}


def test_105_4_2_no_escort_crosses_a_hex_under_attack_but_by_hedgehog() -> None:
    marked = [(DEPTH_CHARGE, "M30"), (K_GUN, "N30"), (HEDGEHOG, "L30")]
    charges = tuple(Charge(weapon, "E2", Hex.parse(h)) for weapon, h in marked)
    found = closed(sea(ship("E1", at("M20", 3)), marker=CONTACT, charges=charges))
    assert {h.label for h, ban in found.items() if ban.rule == "105.4.2"} == {"M30", "N30"}


def test_105_4_8_nor_where_an_escort_has_moved_and_105_4_11_where_anybody_lies() -> None:
    state = sea(ship("E1", at("M20", 3)), ship("E2", at("M24", 3)), ship("E3", at("A4", 3)), moved=("E2",))
    found = closed(state)
    assert found[Hex.parse("M24")] == found[Hex.parse("M23")] == Ban("105.4.8", "E2")
    assert found[Hex.parse("A4")] == Ban("105.4.11", "E3")


def test_108_1_1_and_108_1_2_where_a_merchant_might_go_or_swing() -> None:
    found = closed(sea(ship("E1", at("M20", 3)), ship("M1", at("A10", 3))))
    assert {h for h, ban in found.items() if ban.rule == "108.1.1"} == {Hex.parse("A10").step(d) for d in (2, 3, 4)}
    swings = {h for h, ban in found.items() if ban.rule == "108.1.2"}
    assert swings == {Hex.parse("A10").step(d) for d in (5, 1)}


@pytest.mark.parametrize("fields", [{"stopped": True}, {"sunk": 3}], ids=["stopped", "sunk"])
@pytest.mark.parametrize("id", ["M1", "C1"])
def test_108_1_2_and_108_1_3_a_ship_that_lies_still_swings_nowhere(id: str, fields: dict[str, Any]) -> None:
    """Dead in the water or going down she enters nothing and pivots nowhere, but is in the way where she lies."""
    still = ship(id, at("A10", 3), **fields)
    found = {h: ban.rule for h, ban in closed(sea(ship("E1", at("M20", 3)), still)).items() if ban.whose == id}
    assert found == dict.fromkeys(still.place.hexes, "105.4.11")


@pytest.mark.parametrize("fields", [{"stopped": True}, {"sunk": 3}], ids=["stopped", "sunk"])
def test_108_1_2_an_escort_passes_close_beside_a_ship_that_lies_still(fields: dict[str, Any]) -> None:
    """The hex her stern would swing into bars the way beside a ship that sails, and not beside one that does not."""
    course = Place(TARGET.step(6, 9), 3)
    beside = Place(course.ahead().bow.step(1), 6)
    assert course.ahead().bow in beside.pivots
    for other, clear in ((ship("M1", beside), False), (ship("M1", beside, **fields), True)):
        decision = decide(sea(ship("E1", course), other, marker=CONTACT), "E1")
        assert ([leg.place for leg in decision.path] == [leg.place for leg in decision.intended]) is clear


def test_108_1_3_where_a_capital_ship_might_go() -> None:
    found = closed(sea(ship("E1", at("M20", 3)), ship("C1", at("A10", 3))))
    assert {ban.rule for ban in found.values() if ban.whose == "C1"} == {"108.1.3", "105.4.11"}
    assert Hex.parse("A10").step(3) in found


def test_108_1_5_one_escort_alone_may_run_down_a_surfaced_boat() -> None:
    state = sea(ship("E1", at("M20", 3)), marker=(MarkerKind.SURFACED, at("M32", 3)))
    assert closed(state)[Hex.parse("M32")] == Ban("108.1.5", "S1")
    assert Hex.parse("M32") not in closed(state, ramming=True)


def test_108_2_1_no_escort_crosses_a_torpedo_or_ends_ahead_of_one() -> None:
    torpedo = Torpedo("T1", next(iter(COMBAT.torpedoes)), "S1", Hex.parse("M30"), 6)
    state = sea(ship("E1", at("M20", 3)), marker=CONTACT, torpedoes=(torpedo,))
    h = hindrances(state, state.vessel("E1"))
    assert h.forbidden[Hex.parse("M30")] == Ban("108.2.1", "T1")
    assert Hex.parse("M29") in h.ending and Hex.parse("M29") not in h.forbidden
    near = sea(ship("E1", at("M22", 3)), marker=CONTACT, torpedoes=(torpedo,))
    path = decide(near, "E1").path
    assert all(x not in hindrances(near, near.vessel("E1")).ending for x in path[-1].place.hexes)


@pytest.mark.parametrize("kind", [MarkerKind.CONTACT, MarkerKind.SURFACED, MarkerKind.INVERTED])
def test_108_2_1_on_a_radial_as_on_the_circle_she_goes_beside_her_path_or_slower(kind: MarkerKind) -> None:
    """Wherever a torpedo lies on her path or is about to run over its end, she ends clear of it."""
    marker = (kind, at("M32", 3))
    first = ship("E2", Place(TARGET.step(5, 9), 5), speed=1)  # it rams where one has to
    course = Circle(TARGET, 6).course(TARGET.step(6, 6))
    start = Place(TARGET.step(6, 6), course) if kind is not MarkerKind.CONTACT else Place(TARGET.step(6, 9), 3)
    hunter = ship("E1", start, speed=3, hunt=Hunt(boat="S1", ring=6 if kind is not MarkerKind.CONTACT else 0))
    moved = ("E2",) if kind is MarkerKind.SURFACED else ()
    free = decide(sea(hunter, first, marker=marker, moved=moved), "E1").path
    assert len(free) == 3
    for n, heading in product(range(3), (1, 4)):
        fish = Torpedo("T1", next(iter(COMBAT.torpedoes)), "S1", free[n].place.bow, heading)
        state = sea(hunter, first, marker=marker, moved=moved, torpedoes=(fish,))
        bars = hindrances(state, hunter)
        decision = decide(state, "E1")
        assert decision.path != free and fish.at not in {leg.place.bow for leg in decision.path}
        assert not set(decision.path[-1].place.hexes if decision.path else ()) & set(bars.ending)


places = st.builds(lambda q, r, d: Place(Hex(q, r), d), st.integers(-2, 2), st.integers(-2, 2), st.integers(1, 6))


@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_105_4_8_she_keeps_as_near_beside_her_path_as_the_sea_allows(data: st.DataObject) -> None:
    start = Place(Hex(0, 0), 3)
    turns = data.draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=4))
    intended = [start]
    for turn in turns:
        intended.append(intended[-1].entering(turn))
    near = st.sampled_from([h for h in start.bow.disc(4) if h not in start.hexes])
    ban = Ban("105.4.8", "E2")
    taken, ending = (dict.fromkeys(data.draw(st.sets(near, max_size=12)), ban) for _ in range(2))
    forbidden = dict.fromkeys(data.draw(st.sets(near, max_size=6)), ban)
    found = nearest_parallel(start, intended[1:], Hindrances(taken, forbidden, ending))
    for length in range(len(turns), 0, -1):
        costs = []
        for choice in product((0, -1, 1), repeat=length):
            path, legal = [start], True
            for turn in choice:
                legal = legal and obstacle(path[-1], turn, forbidden.keys(), taken.keys()) is None
                path.append(path[-1].entering(turn))
            if legal and not any(h in ending for h in path[-1].hexes):
                pairs = zip(path[1:], intended[1:], strict=False)
                off = abs(turn_between(path[-1].direction, intended[length].direction))
                costs.append((sum(a.bow.distance(b.bow) for a, b in pairs), off, sum(map(abs, choice)), path[1:]))
        if costs:
            least = min(cost[:3] for cost in costs)
            assert list(found) in [cost[3] for cost in costs if cost[:3] == least]
            return
    assert found == ()


# Attacks -------------------------------------------------------------------------------------------------------------


def test_105_4_1_every_weapon_that_reaches_the_zone_is_used_and_no_other_hex_is_hit() -> None:
    escort = ship("E1", Place(TARGET.step(6, 2), 3), type="fletcher", speed=5)
    state = sea(escort, marker=CONTACT, year=1944)
    decision = decide(state, "E1")
    zone = {h for _, h in assault_zone(TARGET, 3)}
    assert {w.at for w in decision.weapons} <= zone
    carried = dict(arms(state, escort))
    used = {w: sum(p.weapon == w for p in decision.weapons) for w in carried}
    assert used[DEPTH_CHARGE] == carried[DEPTH_CHARGE] and used[K_GUN] == carried[K_GUN]
    ranks = {w.at: w.rank for w in decision.weapons}
    assert min(ranks.values()) == 1  # the target itself is reached, and comes first (105.4.4)


def test_105_4_11_no_attack_without_radial_movement() -> None:
    escort = ship("E1", Place(TARGET.step(6, 2), 3))
    for kind in (MarkerKind.INVERTED, MarkerKind.SURFACED):
        assert not decide(sea(escort, marker=(kind, at("M32", 3))), "E1").weapons


def test_101_2_ahead_throwing_weapons_belong_to_the_advanced_game() -> None:
    type = next(t for t in TABLES.vessels.values() if t.ahead == HEDGEHOG)
    escort = ship("E1", Place(TARGET.step(6, 4), 3), type=type.id)
    for package, has in (("basic", False), ("optional", False), ("advanced", True)):
        state = sea(escort, marker=CONTACT, package=package, year=1945)
        assert (HEDGEHOG in dict(arms(state, escort))) is has


def test_105_4_9_having_left_the_zone_without_contact_counts_as_a_search() -> None:
    escort = ship("E1", Place(TARGET.step(3, 2), 3))
    assert decide(sea(escort, marker=CONTACT), "E1").hunt.cleared == "S1"
    held = replace(escort, hunt=Hunt(boat="S1", contact=("S1",)))
    assert decide(sea(held, marker=CONTACT), "E1").hunt.cleared == ""


# The reasons ---------------------------------------------------------------------------------------------------------

kinds = st.sampled_from(list(MarkerKind))


@st.composite
def hunts(draw: st.DrawFn) -> State:
    """A convoy column and three escorts somewhere about a marker."""
    marker = Marker("S1", draw(kinds), Place(GUIDE.bow.step(3, 12), draw(st.integers(1, 6))))
    used = {h for n in range(3) for h in Place(GUIDE.bow.step(6, 7 * n), 3).hexes}
    vessels = [ship(f"M{n + 1}", Place(GUIDE.bow.step(6, 7 * n), 3), speed=1) for n in range(3)]
    near = st.integers(-9, 9)
    somewhere = st.builds(lambda q, r, d: Place(Hex(12 + q, 19 + r), d), near, near, st.integers(1, 6))
    for n in range(3):
        place = draw(somewhere.filter(lambda p: used.isdisjoint(p.hexes)))
        used.update(place.hexes)
        type = draw(st.sampled_from(["flower", "fletcher", "captain"]))
        vessels.append(ship(f"E{n + 1}", place, type=type, speed=draw(st.integers(1, 3))))
    return replace(sea(*vessels), markers=(marker,))


@settings(deadline=None, max_examples=80)
@given(state=hunts())
def test_every_move_is_legal_explained_and_the_same_without_the_reasons(state: State) -> None:
    for escort in state.escorts:
        decision = decide(state, escort)
        path = [leg.place for leg in decision.path]
        h = hindrances(state, escort, ramming=decision.target == state.markers[0].place.bow)
        assert why_not_path(escort.place, path, h.forbidden.keys(), h.taken.keys()) is None
        assert abs(len(path) - escort.speed) <= 2 or decision.path != decision.intended
        quick = decide(state, escort, trace=False)
        assert (quick.action, quick.hunt) == (decision.action, decision.hunt)
        assert all(leg.rule in decision.explain() for leg in decision.path)
        assert decision.explain() == decide(replace(state, points=(Score("sunk", "M9", 1),)), escort).explain()
        labels = {mark.label for mark in decision.marks()}
        assert {"marker", "target"} <= labels


def test_decisions_read_no_boat() -> None:
    state = sea(ship("E1", at("M26", 3)), marker=CONTACT)
    there = replace(state, boats=(Boat("S1", "viic", at("M30", 3), 150, 2, 8),))
    elsewhere = replace(state, boats=(Boat("S1", "viic", at("A1", 1), 0, 0, 1),))
    assert decide(there, "E1") == decide(elsewhere, "E1") == decide(state, "E1")


def test_105_3_2a_the_rejected_radials_are_the_other_five() -> None:
    decision = decide(sea(ship("E1", at("A1", 3)), marker=CONTACT), "E1")
    assert isinstance(decision, EscortDecision)
    rejected = [o for o in decision.rejected if str(o.action).startswith("radial")]
    assert len(rejected) == 5 and all(o.rule == "105.3.2a" for o in rejected)
    assert len(decision.distances) == 6
    least = min(distance for _, distance in decision.distances)
    assert dict(decision.distances)[decision.radial] == least
    assert manoeuvre.in_zone(Place(TARGET, 3), TARGET)
