"""On Patrol: the tables, formations, stations and the fleet's move (101 to 104, and what 108 keeps clear of it)."""

from __future__ import annotations
from copy import deepcopy
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings, strategies as st

import navalkit as nk
from navalkit.core.errors import DataError, IllegalActionError
from navalkit.core.words import Phrase
from navalkit.games.on_patrol import formation, stations
from navalkit.games.on_patrol.odds.solution import solutions
from navalkit.games.on_patrol.sea.formation import Formation, capital_places
from navalkit.games.on_patrol.sea.rows import D66
from navalkit.games.on_patrol.sea.scenario import begin, scenario
from navalkit.games.on_patrol.sea.state import Hunt, MarkerKind, Role, State, Task, Vessel
from navalkit.games.on_patrol.sea.tables import (
    DATA,
    TABLES,
    Edges,
    Sea,
    cells,
    could_enter,
    fleeing,
    fleet_move,
    in_formation,
    leave_map,
    load,
    may_flee,
    move_fleet,
    on_station,
    pivot_hexes,
    station,
)
from navalkit.grids.hex import Hex, turned
from navalkit.grids.hex_moves import Place
from navalkit.testing import refused
from ...sentences import CORE, PATROL_WHY

DICE = st.integers(1, 6)


def sea(ships: list[str], escorts: list[str], speed: str = "slow", package: str = "basic", die: int = 1) -> State:
    """Ships and escorts in formation on turn 1, and a boat far away."""
    fields = {
        "title": "Test",
        "date": scenario("night-convoy").date,
        "package": package,
        "turns": 10,
        "points": 1,
        "speed": speed,
        "ships": ships,
        "escorts": escorts,
        "boat": [{"type": "viic", "place": "AAA500 3", "depth": 100}],
    }
    return begin(scenario(fields), die=die)


def changed(state: State, id: str, **fields: object) -> State:
    return state.with_vessel(replace(state.vessel(id), **fields))  # type: ignore[arg-type]


def on_course(state: State, *dice: int) -> State:
    """The sea after some fleet dice."""
    for die in dice:
        state, _, _ = move_fleet(state, die)
    return state


def offsets(state: State) -> dict[str, tuple[int, int]]:
    """Where each ship lies from the guide."""
    guide = state.fleet.guide.bow
    return {v.id: (v.place.bow.q - guide.q, v.place.bow.r - guide.r) for v in state.vessels}


def side_and_ahead(form: Formation, h: Hex) -> tuple[int, int]:
    """Hexes abreast of the centre line, positive to starboard, and half hexes ahead of the leads."""
    a, b = form.guide.bow.along(turned(form.direction, 1), h)
    return a + b, a - b


def labels(places: tuple[Place, ...]) -> list[str]:
    return [place.bow.label for place in places]


# The tables, cell by cell ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row, cells",
    [
        ("slow 1", "L1 R1 1 1 1L 1R"),
        ("slow 2", "L2 R2 2 2 2L 2R"),
        ("fast 2", "L2 R2 2 2 2L 2R"),
        ("fast 3", "L3 R3 3 3 3L 3R"),
        ("emergency", "LM RM M M ML MR"),
    ],
)
def test_104_3_1_every_cell_of_the_fleet_movement_table(row: str, cells: str) -> None:
    moves = TABLES.fleet[row]
    assert [move.text for move in moves] == cells.split()
    turns = {"L": -1, "R": 1}
    for move, text in zip(moves, cells.split(), strict=True):
        assert move.before == turns.get(text[0], 0)
        assert move.after == (turns.get(text[-1], 0) if len(text) > 1 else 0)
        assert str(move.hexes or "M") == text.strip("LR")
    assert TABLES.fleet_rows[row].starred is (row in ("slow 2", "fast 3"))
    assert TABLES.fleet_rows[row].source == "seed"


@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("row", ["slow 1", "slow 2", "fast 2", "fast 3"])
def test_104_3_1_every_cell_moves_the_ships_as_it_says(row: str, die: int) -> None:
    state = sea(["liner"], [], "fast")
    state = replace(state, fleet=state.fleet._replace(row=row))
    at, hexes = state.vessels[0].place, int(row[-1])
    course = turned(at.direction, {1: -1, 2: 1}.get(die, 0))
    moved, events, rams = move_fleet(state, die)
    assert moved.vessels[0].place == Place(at.bow.step(course, hexes), turned(course, {5: -1, 6: 1}.get(die, 0)))
    assert moved.vessels[0].speed == hexes
    assert moved.fleet.die == die and moved.moved == ("M1",) and not rams
    assert [(event.rule, event.kind) for event in events] == [("104.3.1", "fleet")]


@pytest.mark.parametrize("die", [0, 7, -1])
def test_104_3_1_a_die_has_six_faces(die: int) -> None:
    with refused(IllegalActionError, PATROL_WHY, "fleet.fleet_die_shows"):
        move_fleet(sea(["tramp"], []), die)


@pytest.mark.parametrize(
    "marker, mode, movement, speed, contact_speed, gunfire",
    [
        (None, 1, "formation", "convoy", "", False),
        (MarkerKind.TORPEDO, 2, "radial", "search", "", False),
        (MarkerKind.CONTACT, 3, "radial", "full", "search", False),
        (MarkerKind.VISIBLE, 4, "radial", "full", "", False),
        (MarkerKind.SURFACED, 5, "diameter", "full", "", True),
        (MarkerKind.INVERTED, 6, "diameter", "search", "", False),
    ],
)
def test_104_2_1_every_row_of_the_escort_action_table(
    marker: MarkerKind | None, mode: int, movement: str, speed: str, contact_speed: str, gunfire: bool
) -> None:
    row = TABLES.actions[marker]
    assert (row.mode, row.movement, row.speed, row.contact_speed) == (mode, movement, speed, contact_speed)
    assert row.gunfire is row.ram is gunfire
    assert row.source == "seed" and row.text and row.label


def test_104_2_1_the_rows_without_a_marker_of_their_own() -> None:
    assert len(TABLES.action_rows) == 9 and len(TABLES.actions) == 6
    end = TABLES.action("end")
    assert (end.mode, end.movement, end.speed) == (7, "run", "search")
    assert [(TABLES.action(id).boats, TABLES.action(id).mode) for id in ("double", "triple")] == [(2, 0), (3, 0)]
    assert all(row.boats == 1 for row in TABLES.action_rows if row.mode)
    with pytest.raises(KeyError):
        TABLES.action("fourfold")


@pytest.mark.parametrize(
    "id, phase, marker, hex, follows",
    [
        ("visible", 0, MarkerKind.VISIBLE, "boat", True),
        ("disappears", 8, MarkerKind.CONTACT, "boat before her move", False),
        ("found", 6, MarkerKind.CONTACT, "boat", False),
        ("missed", 6, MarkerKind.INVERTED, "marker", False),
        ("torpedoes", 8, MarkerKind.TORPEDO, "ahead of the bow", False),
        ("end", 10, None, "", False),
    ],
)
def test_104_1_3_every_row_of_the_submarine_detection_table(
    id: str, phase: int, marker: MarkerKind | None, hex: str, follows: bool
) -> None:
    row = TABLES.detected(id)
    assert (row.phase, row.marker, row.hex, row.follows, row.source) == (phase, marker, hex, follows, "seed")
    assert row.event and row.effect
    assert len(TABLES.detection) == 6


@pytest.mark.parametrize("roll", D66)
def test_105_4_12_every_roll_of_the_depth_table(roll: int) -> None:
    error = 0 if roll >= 54 else 25 if roll >= 41 else 50 if roll >= 24 else None
    assert [row.error for row in TABLES.depth if roll in row.rolls] == [error]


def test_105_4_12_each_row_of_the_depth_table_has_nine_of_the_36_rolls() -> None:
    assert {row.id: len(set(row.rolls) & set(D66)) for row in TABLES.depth} == dict.fromkeys(
        ("same", "near", "off", "miss"), 9
    )


def test_101_2_a_package_is_all_of_the_one_before_and_more() -> None:
    basic, optional, advanced = (set(TABLES.packages[id].parts) for id in ("basic", "optional", "advanced"))
    assert basic < optional < advanced
    assert optional == {"radar", "night", "star shells"}
    assert advanced - optional == {"atw", "starred speeds", "arming", "duds", "gunnery", "emergency", "special"}


@pytest.mark.parametrize("package, slow, fast", [("basic", 1, 2), ("optional", 1, 2), ("advanced", 2, 3)])
def test_101_2_starred_speeds_are_of_the_advanced_game(package: str, slow: int, fast: int) -> None:
    rules = Sea(package=package)
    assert (rules.row("slow"), rules.row("fast")) == (f"slow {slow}", f"fast {fast}")


def test_102_5_what_escorts_carry_depends_on_date_and_package() -> None:
    destroyer, corvette = TABLES.vessels["v-and-w"], TABLES.vessels["flower"]
    assert [destroyer.ahead_in(year) for year in (1941, 1942)] == ["", "hedgehog"]
    assert [TABLES.vessels["loch"].ahead_in(year) for year in (1943, 1944)] == ["", "squid"]
    assert Sea("advanced", 1943).one_ton(destroyer) == 1 and not Sea("optional", 1943).one_ton(destroyer)
    assert not Sea("advanced", 1940).one_ton(destroyer) and not Sea("advanced", 1943).one_ton(corvette)
    assert [type.id for type in TABLES.vessels.values() if type.one_ton] == ["v-and-w"]  # British destroyers alone
    assert Sea("optional", 1941).radar(corvette)
    assert not Sea("optional", 1940).radar(corvette) and not Sea("basic", 1943).radar(corvette)


def test_every_row_says_where_it_is_from() -> None:
    rows = [*TABLES.vessels.values(), *TABLES.boats.values(), *TABLES.packages.values(), *TABLES.formations.values()]
    rows += [*TABLES.fleet_rows.values(), *TABLES.action_rows, *TABLES.detection, *TABLES.depth]
    assert all(row.source.partition(":")[0] in ("seed", "ruling", "facts", "derived") for row in rows)


def test_values_follow_kind_then_tonnage() -> None:
    order = ["trawler", "corvette", "frigate", "destroyer"], ["freighter", "tanker", "cruiser", "battleship", "carrier"]
    for kinds in order:
        types = [type for type in TABLES.vessels.values() if type.kind in kinds]
        by_kind = sorted(types, key=lambda type: (kinds.index(type.kind), type.tons))
        assert [type.value for type in by_kind] == sorted({type.value for type in types})
    assert sum(len([t for t in TABLES.vessels.values() if t.kind in kinds]) for kinds in order) == len(TABLES.vessels)


@pytest.mark.parametrize("type", TABLES.vessels.values(), ids=lambda type: type.id)
def test_ships_are_as_fast_and_tough_as_their_figures(type: object) -> None:
    vessel = TABLES.vessels[type.id]  # type: ignore[attr-defined]
    assert abs(vessel.speed - vessel.knots / 6) <= 0.5
    assert [vessel.speed_after(hits) for hits in (0, vessel.hits, vessel.hits + 1)] == [vessel.speed, 0, 0]
    speeds = [vessel.speed_after(hits) for hits in range(vessel.hits)]
    assert speeds == sorted(speeds, reverse=True) and min(speeds) >= 1
    assert bool(vessel.sonar) is (vessel.role is Role.ESCORT) is bool(vessel.depth_charges)


@pytest.mark.parametrize(
    "path, value, reason",
    [
        (("fleet", 0, "source"), None, CORE.phrase("data.source", where="fleet 'slow 1'")),
        (("fleet", 0, "moves"), ["LL"], PATROL_WHY.phrase("tables.no_cell_fleet", text="LL")),
        (("depth", 2, "low"), None, PATROL_WHY.phrase("tables.data_toml_not", where="depth 'off'")),
        (
            ("vessel", "flower", "colour"),
            "grey",
            CORE.phrase("fields.unknown", where="vessel.flower", name="'colour'"),
        ),
        (
            ("endurance", 0, "source"),
            "",
            CORE.phrase("data.source", where=PATROL_WHY("tables.endurance_up_tons", step=4000)),
        ),
    ],
)
def test_a_table_that_is_wrong_is_refused(path: tuple[str | int, ...], value: object, reason: Phrase) -> None:
    data = deepcopy(DATA)
    row = data
    for key in path[:-1]:
        row = row[key]  # type: ignore[call-overload, index]
    if value is None:
        del row[path[-1]]  # type: ignore[arg-type]
    else:
        row[path[-1]] = value  # type: ignore[index]
    with refused(DataError, reason):
        load(data)


@pytest.mark.parametrize("text", ["", "L", "2LR", "0", "l2", "L 2", "2.5"])
def test_what_is_no_cell_is_refused(text: str) -> None:
    with refused(DataError, PATROL_WHY, "tables.no_cell_fleet"):
        fleet_move(text)


# Formations -----------------------------------------------------------------------------------------------------------

COLUMNS = {
    1: (18, "E M U AC AK AS", 3),
    2: (15, "E M U AC AK", 3),
    3: (12, "E M U AC", 3),
    4: (12, "E M U", 4),
    5: (9, "E M U", 3),
    6: (8, "E M U AC", 2),
    7: (6, "E M U", 2),
}


@pytest.mark.parametrize("number", COLUMNS)
def test_103_1_1_formations_1_to_7_sail_south_from_row_20(number: int) -> None:
    ships, letters, deep = COLUMNS[number]
    form = formation(ships, {3: 1, 4: 6}.get(number))
    assert form.number == number and form.direction == 3
    rows = [20, 13, 6, -1][:deep]
    assert [labels(column) for column in form.columns] == [[f"{c}{row}" for row in rows] for c in letters.split()]


@pytest.mark.parametrize(
    "ships, number, columns, direction",
    [
        (3, 8, [["X22", "Q26", "J29"]], 1),
        (5, 9, [["E20", "E13"], ["M20"], ["U20", "U13"]], 3),
        (4, 10, [["I40", "I47"], ["Q40", "Q47"]], 6),
    ],
)
def test_103_1_1_formations_8_to_10(ships: int, number: int, columns: list[list[str]], direction: int) -> None:
    form = formation(ships)
    assert (form.number, form.direction) == (number, direction)
    assert [labels(column) for column in form.columns] == columns


def test_103_1_1_ships_in_a_column_keep_a_gap_of_five_hexes() -> None:
    for ships in range(1, 61):
        for column in formation(ships, 1).columns:
            for ahead, astern in zip(column, column[1:], strict=False):
                assert ahead.stern.distance(astern.bow) == 6
                assert astern.ahead(7) == ahead


@pytest.mark.parametrize("die", range(1, 7))
def test_103_1_2_twelve_ships_roll_for_their_formation(die: int) -> None:
    assert formation(12, die).number == (3 if die <= 3 else 4)


@pytest.mark.parametrize("die", [None, 0, 7])
def test_103_1_2_twelve_ships_need_a_die(die: int | None) -> None:
    with refused(DataError, PATROL_WHY, "formation.twelve_ships_form"):
        formation(12, die)


def test_103_1_1_no_ships_no_formation() -> None:
    with refused(DataError, PATROL_WHY, "formation.formation_needs_least"):
        formation(0)


@pytest.mark.parametrize(
    "ships, columns",
    [
        (1, [1]),
        (2, [2]),
        (7, [1, 2, 2, 2]),
        (10, [2, 3, 3, 2]),
        (11, [4, 3, 4]),
        (13, [2, 3, 3, 3, 2]),
        (14, [3, 3, 2, 3, 3]),
        (16, [2, 3, 3, 3, 3, 2]),
        (17, [2, 3, 3, 3, 3, 3]),
        (19, [4, 4, 3, 4, 4]),
        (20, [5, 5, 5, 5]),
        (22, [3, 4, 4, 4, 4, 3]),
        (24, [4] * 6),
        (30, [5] * 6),
    ],
)
def test_103_1_1_other_numbers_empty_the_smallest_formation_that_holds_them(ships: int, columns: list[int]) -> None:
    assert [len(column) for column in formation(ships).columns] == columns


@given(st.integers(1, 60), DICE)
def test_103_1_1_a_formation_holds_all_its_ships_and_none_overlap(ships: int, die: int) -> None:
    form = formation(ships, die)
    assert len(form.places) == ships
    assert len({h for place in form.places for h in place.hexes}) == 2 * ships
    assert {side_and_ahead(form, column[0].bow)[1] for column in form.columns} == {0}  # the leads are level
    sides = sorted(side_and_ahead(form, column[0].bow)[0] for column in form.columns)
    assert sides == sorted(-side for side in sides)
    assert all(b - a == 8 for a, b in zip(sides, sides[1:], strict=False))
    port_first = [side_and_ahead(form, column[0].bow)[0] for column in form.from_port]
    assert port_first == sides


# Stations -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "escorts, names",
    [
        (0, []),
        (1, ["A"]),
        (2, ["A", "B"]),
        (3, ["A", "C port", "C starboard"]),
        (4, ["A", "B", "C port", "C starboard"]),
        (5, ["A", "C port", "C starboard", "D port", "D starboard"]),
        (8, ["A", "B", "C port", "C starboard", "D port", "D starboard", "E port", "E starboard"]),
        (
            11,
            ["A", "C port", "C starboard", "D port", "D starboard", "E port", "E starboard", "F port", "F starboard"]
            + ["C1 port", "C1 starboard"],
        ),
    ],
)
def test_103_2_1_stations_are_filled_in_order(escorts: int, names: list[str]) -> None:
    assert [station.name for station in stations(9, escorts).values()] == names


def test_103_2_1_where_the_stations_are() -> None:
    found = {name: place.bow.label for name, place in stations(9, 12).values()}
    assert all(place.direction == 3 for _, place in stations(9, 12).values())
    assert found == {
        "A": "M27",  # her stern six hexes ahead of M20
        "B": "M-1",  # her bow six hexes behind the stern of M6
        "C port": "AC20",
        "C starboard": "-D20",
        "D port": "AC6",
        "D starboard": "-D6",
        "E port": "U27",
        "E starboard": "E27",
        "F port": "U-1",
        "F starboard": "E-1",
        "C1 port": "AC13",  # between C and D, a gap of five hexes on either side
        "C1 starboard": "-D13",
    }


def test_103_2_1_an_even_number_of_columns_has_its_centre_line_between_them() -> None:
    found = {name: place.bow.label for name, place in stations(8, 2).values()}
    assert found == {"A": "Q27", "B": "Q6"}
    assert formation(8).guide == (Hex.parse("Q20"), 3)
    assert formation(4).guide == (Hex.parse("M40"), 6)


def test_103_2_f_is_level_with_b_where_the_outer_columns_are_shorter() -> None:
    """Sixteen ships: two are missing from the rear of the outer columns, none from that of the centre."""
    found = {name: place.bow for name, place in stations(16, 10).values()}
    assert {found[name].row for name in ("B", "F port", "F starboard")} == {found["B"].row}
    assert found["F port"].distance(found["E port"]) == 28
    shorter = {name: place.bow for name, place in stations(9, 10).values()}
    assert shorter["F port"].distance(shorter["E port"]) == 28  # formation 5: three ships a column


def test_103_2_1_one_column_has_no_stations_e_and_f() -> None:
    names = [name for name, _ in stations(3, 9).values()]
    assert names[:5] == ["A", "C port", "C starboard", "D port", "D starboard"]
    assert all(name.startswith("C") for name in names[5:])
    # A lone ship leads and trails: D would be C again.
    assert [name for name, _ in stations(1, 5).values()] == ["A", "C port", "C starboard", "C1 port", "C1 starboard"]


@pytest.mark.parametrize(
    "types, names",
    [
        (["trawler", "v-and-w", "flower"], ["C starboard", "A", "C port"]),
        (["flower", "flower", "fletcher", "captain"], ["C port", "C starboard", "A", "B"]),
        (["flower", "castle"], ["B", "A"]),
    ],
)
def test_103_2_3_the_most_valuable_escort_takes_station_a(types: list[str], names: list[str]) -> None:
    assert [station.name for station in stations(9, types).values()] == names
    assert list(stations(9, types)) == [f"E{n}" for n in range(1, len(types) + 1)]


def test_103_2_3_stations_are_for_ships_there_are() -> None:
    with refused(DataError, PATROL_WHY, "formation.no_type", type="'kraken'"):
        stations(9, ["kraken"])


def test_103_2_4_station_b_may_lie_inside_the_convoy() -> None:
    form = formation(5)
    b = stations(form, 2)["E2"].place
    assert b.bow.label == "M13"  # between the second ships of the outer columns
    # F keeps behind its own column, or it would lie on top of those ships.
    assert {s.place.bow.label for s in stations(form, 10).values() if s.name[0] == "F"} == {"E6", "U6"}


@given(st.integers(1, 60), st.integers(0, 20), DICE)
def test_103_2_1_stations_are_symmetrical_and_clear_of_all(ships: int, escorts: int, die: int) -> None:
    form = formation(ships, die)
    found = stations(form, escorts)
    assert len(found) == escorts
    at = {side_and_ahead(form, s.place.bow) for s in found.values()}
    assert at == {(-side, ahead) for side, ahead in at}
    hexes = [h for place in (*form.places, *(s.place for s in found.values())) for h in place.hexes]
    assert len(hexes) == len(set(hexes)) == 2 * (ships + escorts)
    names = {s.name: side_and_ahead(form, s.place.bow) for s in found.values()}
    assert all((side < 0) == name.endswith("port") for name, (side, _) in names.items() if name not in "AB")
    assert ("B" in names) == (escorts > 0 and escorts % 2 == 0)


# Capital ships --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form, ships, expected",
    [
        (formation(9), 1, "M20"),
        (formation(9), 3, "M20 U20 E20"),  # the centre, then to port of it, then to starboard
        (formation(9), 4, "M20 U20 E20 M6"),  # c) an odd one at the rear of the centre column
        (formation(9), 5, "M20 U20 E20 U13 E13"),  # b) in equal numbers in the outermost columns
        (formation(9), 6, "M20 U20 E20 U13 E13 M6"),
        (formation(15), 5, "U20 AC20 M20 AK20 E20"),
        (formation(15), 8, "U20 AC20 M20 AK20 E20 AK13 E13 U6"),
        (formation(8), 4, "U20 M20 AC20 E20"),  # the two in the middle, port first
        (formation(8), 5, "U20 M20 AC20 E20 U13"),
        (formation(4), 2, "I40 Q40"),  # sailing north, port is the other way
        (formation(3), 3, "X22 Q26 J29"),
    ],
)
def test_103_3_2_capital_ships_lead_their_columns(form: Formation, ships: int, expected: str) -> None:
    assert labels(capital_places(form, ships)) == expected.split()


@given(st.integers(1, 60), DICE)
def test_103_3_1_capital_ships_alone_take_every_place_of_a_formation(ships: int, die: int) -> None:
    form = formation(ships, die)
    assert sorted(capital_places(form, ships)) == sorted(form.places)


def test_103_3_3_capital_ships_are_placed_by_value_before_merchants() -> None:
    state = sea(["liner", "ajax", "liner", "carrier", "liner", "liner"], [], "fast")
    at = {v.id: v.place.bow.label for v in state.vessels}
    assert at == {"C2": "M20", "C1": "U20", "M1": "E20", "M2": "E13", "M3": "M13", "M4": "U13"}


# The fleet's move -----------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.lists(DICE, min_size=1, max_size=12), st.integers(1, 19), st.integers(0, 8), DICE)
def test_104_3_2_all_sail_in_unison(dice: list[int], ships: int, escorts: int, die: int) -> None:
    state = sea(["tramp"] * ships, ["flower"] * escorts, die=die)
    before = offsets(state)
    for roll in dice:
        state = on_course(state, roll)
        assert offsets(state) == before
        assert {v.place.direction for v in state.vessels} == {state.fleet.guide.direction}
        assert all(on_station(state, v) and station(state, v) == v.place for v in state.vessels)
        assert state.moved == tuple(v.id for v in state.vessels)


def test_103_2_2_escorts_keep_their_stations_until_they_hunt() -> None:
    state = sea(["tramp"] * 3, ["flower", "flower", "flower"])
    state = changed(state, "E2", hunt=Hunt(boat="S1"))
    assert [in_formation(state, v) for v in state.escorts] == [True, False, True]
    moved = on_course(state, 1)
    assert moved.vessel("E2").place == state.vessel("E2").place
    assert moved.vessel("E3").place == state.vessel("E3").place.turned(-1).ahead()
    assert not on_station(moved, moved.vessel("E2")) and "E2" not in moved.moved
    # Off her station she does not move with the fleet either, though she hunts nobody any more.
    again = on_course(changed(moved, "E2", hunt=Hunt()), 3)
    assert again.vessel("E2").place == state.vessel("E2").place


def test_104_4_1_capital_ships_sail_with_the_convoy() -> None:
    state = sea(["liner", "carrier", "liner", "ajax", "liner"], ["captain"], "fast", "advanced")
    state = replace(state, fleet=state.fleet._replace(emergency=True))  # torpedoes, but there are merchants
    assert not fleeing(state) and not may_flee(state)
    moved = on_course(state, 2, 6, 3)
    assert offsets(moved) == offsets(state) and {v.speed for v in moved.vessels} == {3}


def test_104_3_3_a_ship_stops_three_hexes_from_one_dead_in_the_water() -> None:
    state = changed(sea(["liner"] * 3, [], "fast", "advanced"), "M1", stopped=True)  # X22, Q26, J29, north-east
    lead = state.vessel("M1").place
    gaps, events = [], []
    for _ in range(3):
        state, happened, _ = move_fleet(state, 3)
        gaps.append(min(h.distance(state.vessel("M2").place.bow) for h in lead.hexes))
        events += [(event.kind, event.facts["ship"]) for event in happened if event.rule == "104.3.3"]
    assert gaps == [3, 3, 3]  # six, then three off: a gap of two hexes
    assert state.vessel("M1").place == lead and "M1" not in state.moved
    assert state.vessel("M2").held and state.vessel("M2").speed == 0
    # M3, seven hexes astern, stops behind M2 in the same way.
    assert state.vessel("M3").place.bow.distance(state.vessel("M2").place.stern) == 3
    assert events == [("held_up", "M2"), ("held_up", "M3")]


def test_104_3_3_it_stops_in_the_middle_of_its_move() -> None:
    state = changed(sea(["tramp"] * 3, [], "slow", "advanced"), "M1", stopped=True)
    state = on_course(state, 3)
    assert (state.vessel("M2").speed, state.vessel("M2").held) == (2, False)
    state = on_course(state, 3)
    assert (state.vessel("M2").speed, state.vessel("M2").held) == (1, True)


def test_104_3_3_a_stopped_ship_turns_with_the_others_and_goes_on_when_it_is_clear() -> None:
    state = changed(sea(["liner"] * 3, [], "fast", "advanced"), "M1", stopped=True)
    state = on_course(state, 3, 3)
    assert state.vessel("M2").held
    before = state.vessel("M2").place
    state = on_course(state, 5)  # 3L: no nearer, but the turn is made
    assert state.vessel("M2").place == before.turned(-1)
    state, events, _ = move_fleet(state, 3)  # the way is clear now
    assert state.vessel("M2").place == before.turned(-1).ahead(3) and not state.vessel("M2").held
    assert ("104.3.3", "resumed", "M2") in [(e.rule, e.kind, e.facts.get("ship")) for e in events]


def test_104_3_3_ships_of_other_columns_pass_by() -> None:
    state = changed(sea(["tramp"] * 9, []), "M4", stopped=True)
    moved = on_course(state, *[3] * 10)
    at = offsets(moved)
    for id in ("M1", "M2", "M3", "M7", "M8", "M9"):
        assert at[id] == offsets(state)[id]
    assert moved.vessel("M5").held and moved.vessel("M6").held


def hexes_of(state: State) -> list[Hex]:
    return [h for v in state.vessels for h in v.place.hexes]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(DICE, st.none() | st.integers(1, 12)), min_size=5, max_size=30),
    DICE,
    st.sampled_from(["basic", "advanced"]),
)
def test_104_3_3_nobody_collides_with_ships_that_lie_stopped(
    turns: list[tuple[int, int | None]], die: int, package: str
) -> None:
    state = sea(["liner"] * 12, ["flower"] * 4, "fast", package, die)
    for roll, stops in turns:
        if stops is not None:
            state = changed(state, f"M{stops}", stopped=True)
        lying = {v.id: v.place for v in state.vessels if v.stopped}
        state = on_course(state, roll)
        assert len(set(hexes_of(state))) == len(hexes_of(state))
        assert {id: state.vessel(id).place for id in lying} == lying
        for ship in (v for v in state.vessels if v.held):
            assert ship.speed < (TABLES.fleet_rows[state.fleet.row].speed)


@settings(max_examples=40, deadline=None)
@given(st.lists(DICE, min_size=5, max_size=25), st.integers(0, 4))
def test_104_4_5_capital_ships_that_flee_do_not_collide(dice: list[int], stopped: int) -> None:
    state = sea(["escort-carrier", "carrier", "kongo", "ajax"], ["fubuki"] * 3, "fast", "advanced")
    state = replace(state, fleet=state.fleet._replace(emergency=True))
    if stopped:
        state = changed(state, f"C{stopped}", stopped=True)
    for roll in dice:
        state = on_course(state, roll)
        assert len(set(hexes_of(state))) == len(hexes_of(state))
        assert all(on_station(state, e) or e.held for e in state.escorts)


def test_104_4_2_fleeing_capital_ships_gain_a_hex_a_turn_up_to_their_own_speed() -> None:
    state = sea(["carrier", "escort-carrier"], ["fubuki"], "fast", "advanced")
    assert not fleeing(state) and may_flee(state)
    state = changed(state, "C1", hits=1)
    state = replace(state, fleet=state.fleet._replace(emergency=True, row="fast 2"))
    state = changed(changed(state, "C1", speed=2), "C2", speed=2)
    speeds = []
    for _ in range(4):
        state, events, _ = move_fleet(state, 3)
        speeds.append((state.vessel("C1").speed, state.vessel("C2").speed, state.vessel("E1").speed))
    # One hit leaves the carrier three quarters of five hexes; escorts in formation keep with the slower ship.
    assert speeds == [(3, 3, 3), (4, 3, 3), (4, 3, 3), (4, 3, 3)]
    assert (events[0].rule, events[0].kind) == ("104.4.2", "flight")


@pytest.mark.parametrize("die, before, after", [(1, -1, 0), (2, 1, 0), (3, 0, 0), (4, 0, 0), (5, 0, -1), (6, 0, 1)])
def test_104_4_2_every_cell_of_the_emergency_row(die: int, before: int, after: int) -> None:
    state = sea(["carrier"], [], "fast", "advanced")
    state = replace(state, fleet=state.fleet._replace(emergency=True))
    moved = on_course(state, die)
    assert moved.vessels[0].place == state.vessels[0].place.turned(before).ahead(4).turned(after)


@pytest.mark.parametrize("package", ["basic", "optional"])
def test_104_4_2_there_is_no_emergency_but_in_the_advanced_game(package: str) -> None:
    state = sea(["carrier"], [], "fast", package)
    state = replace(state, fleet=state.fleet._replace(emergency=True))
    assert not fleeing(state)
    assert on_course(state, 3).vessels[0].speed == 2


def test_104_4_3_who_flees_off_the_map_is_gone() -> None:
    state = sea(["carrier", "ajax"], [], "fast", "advanced")
    rules = Sea("advanced", edges=Edges(north=24))
    assert leave_map(state, rules) == (state, ())  # she sails past the edge, but does not flee
    state = replace(state, fleet=state.fleet._replace(emergency=True))
    state = on_course(state, 3)
    left, events = leave_map(state, rules)
    assert [v.id for v in left.vessels] == ["C2"]
    assert [(e.rule, e.facts["ship"]) for e in events] == [("104.4.3", "C1")]


def test_104_4_4_a_capital_ship_is_known_by_her_own_id() -> None:
    state = sea(["carrier", "carrier", "carrier", "carrier"], [], "fast", "advanced")
    assert [v.id for v in state.vessels] == ["C1", "C2", "C3", "C4"]
    assert [v.id for v in on_course(state, 1, 6).vessels] == ["C1", "C2", "C3", "C4"]


def test_104_4_5_a_fast_ship_does_not_run_down_a_slow_one() -> None:
    state = sea(["carrier", "ajax", "ajax"], [], "fast", "advanced")
    state = changed(state, "C1", hits=2)  # the lead makes three hexes, the others five
    state = replace(state, fleet=state.fleet._replace(emergency=True))
    seen = set()
    for _ in range(12):
        state, events, _ = move_fleet(state, 3)
        seen |= {(e.rule, e.kind, e.facts["ship"]) for e in events[1:]}
        assert state.vessel("C2").place.bow.distance(state.vessel("C1").place.stern) >= 3
    assert ("104.4.5", "held_up", "C2") in seen


def test_104_2_4_escorts_alone_sail_at_fast_convoy_speed_in_unison() -> None:
    for package, speed in (("basic", 2), ("advanced", 3)):
        state = begin(scenario("hunter-group"), package)
        moved = on_course(state, 2, 5)
        assert offsets(moved) == offsets(state) and {v.speed for v in moved.vessels} == {speed}
    # While all of them hunt, the place they will come back to stays where it is.
    for v in state.escorts:
        state = changed(state, v.id, hunt=Hunt(boat="S1"))
    moved = on_course(state, 2)
    assert moved.fleet.guide == state.fleet.guide and moved.vessels == state.vessels and not moved.moved


def surfaced(state: State, place: Place, depth: int = 0) -> State:
    return state.with_boat(replace(state.boat("S1"), place=place, depth=depth))


@pytest.mark.parametrize("depth, rams", [(0, 1), (25, 0), (50, 0)])
def test_108_1_5_a_ship_rams_a_surfaced_boat_in_her_way(depth: int, rams: int) -> None:
    state = sea(["liner"], [], "fast", "advanced")
    at = state.vessels[0].place.ahead(2).bow
    moved, _, tasks = move_fleet(surfaced(state, Place(at, 5), depth), 3)
    assert tasks == (Task("ram", "M1", "S1", at),) * rams
    assert moved.vessels[0].speed == 3


def test_108_1_5_one_escort_at_most_rams_a_boat() -> None:
    state = sea(["tramp"], ["flower"] * 3)
    one, two = state.vessel("E2").place, state.vessel("E3").place
    state = changed(state, "E3", place=Place(one.ahead(2).bow, 4), offset=Hex(99, 99))
    boat = Place(one.ahead().bow, turned(one.direction, 1))
    _, _, tasks = move_fleet(surfaced(state, boat), 3)
    assert [task.actor for task in tasks] == ["E2"] and two != one


def test_104_3_3_hunting_escorts_are_not_run_down() -> None:
    state = sea(["liner"], ["captain"], "fast", "advanced")
    at = state.vessel("M1").place
    state = changed(state, "E1", place=Place(at.ahead(2).bow, turned(at.direction, 2)), hunt=Hunt(boat="S1"))
    moved = on_course(state, 3)
    assert len(set(hexes_of(moved))) == 4 and moved.vessel("M1").held


# What escorts must keep clear of --------------------------------------------------------------------------------------


def entered(state: State, id: str) -> set[Hex]:
    """By hand: the hexes a ship enters under each of the six dice."""
    hexes: set[Hex] = set()
    for die in range(1, 7):
        after = on_course(state, die).vessel(id).place.bow
        hexes |= set(state.vessel(id).place.bow.line(after)[1:])
    return hexes


@pytest.mark.parametrize("package", ["basic", "advanced"])
@pytest.mark.parametrize("dice", [(), (1,), (2, 2), (5, 3)])
def test_108_1_1_could_enter_is_what_the_six_dice_lead_to(package: str, dice: tuple[int, ...]) -> None:
    state = on_course(sea(["liner"] * 6, [], "fast", package), *dice)
    for vessel in state.vessels:
        assert set(could_enter(state, vessel)) == entered(state, vessel.id)


def test_108_1_1_could_enter_names_the_cells_of_the_table() -> None:
    state = sea(["tramp"], [])
    assert could_enter(state, state.vessels[0]) == {
        Hex.parse("Y22"): "1, 1L, 1R",
        Hex.parse("X21"): "L1",
        Hex.parse("Y23"): "R1",
    }
    stopped = changed(state, "M1", stopped=True)
    assert could_enter(stopped, stopped.vessel("M1")) == {}


def test_108_1_3_capital_ships_may_flee_next_turn() -> None:
    state = sea(["carrier"], [], "fast", "advanced")
    ahead = state.vessels[0].place.ahead(4).bow
    assert could_enter(state, state.vessels[0])[ahead] == "M, ML, MR"
    fled = replace(state, fleet=state.fleet._replace(emergency=True))
    assert set(could_enter(fled, fled.vessels[0])) == entered(fled, "C1")
    with_merchants = sea(["carrier", "liner"], [], "fast", "advanced")
    for vessel in with_merchants.vessels:
        assert set(could_enter(with_merchants, vessel)) == entered(with_merchants, vessel.id)


def test_108_1_2_the_stern_may_swing_into_a_hex_next_to_bow_and_stern() -> None:
    vessel: Vessel = sea(["tramp"], []).vessels[0]
    for h in pivot_hexes(vessel):
        assert h.distance(vessel.place.bow) == h.distance(vessel.place.stern) == 1
    assert len(set(pivot_hexes(vessel))) == 2


@settings(max_examples=30)
@given(st.lists(DICE, max_size=8), st.integers(1, 19), DICE)
def test_108_1_4_ships_in_unison_cannot_collide(dice: list[int], ships: int, die: int) -> None:
    state = on_course(sea(["tramp"] * ships, [], die=die), *dice)
    assert all(not set(a.place.hexes) & set(b.place.hexes) for a, b in combinations(state.vessels, 2))


# A base course --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", ["slow 1", "fast 3", "emergency"])
def test_B1_a_turn_away_from_the_base_course_is_made_to_the_other_side(row: str) -> None:
    table = [move.text for move in TABLES.fleet[row]]
    assert [move.text for move in cells(row, 1, 0)] == [move.text for move in cells(row, 3, 3)] == table
    port, starboard = ([move.text for move in cells(row, course, 3)] for course in (2, 4))
    assert port == [table[n] for n in (1, 1, 2, 3, 5, 5)] and starboard == [table[n] for n in (0, 0, 2, 3, 4, 4)]


def test_B1_the_fleet_never_sails_more_than_60_degrees_off() -> None:
    game = nk.load("on-patrol", scenario="lone-merchant", base_course=True)
    match, courses = nk.Match.new(game, seed=4), set()
    while not match.over:
        match.play("S1 ahead 1")
        courses.add(match.state.fleet.guide.direction)
    turned_back = [event for event in match.log if event.rule == "B1"]
    base = game.initial().fleet.base
    assert courses == {turned(base, off) for off in (-1, 0, 1)} and turned_back
    assert nk.Match.loads(match.dumps()).state == match.state
    assert game.parse_state(game.format_state(match.state)) == match.state


def test_B1_firing_solutions_know_the_base_course() -> None:
    game = nk.load("on-patrol", scenario="lone-merchant")
    state = game.initial()
    boat = replace(state.boats[0], place=Place(Hex.parse("AE22"), 5))
    fleet = state.fleet._replace(guide=state.fleet.guide.turned(1))
    on, off = (replace(state, fleet=fleet._replace(base=base), boats=(boat,)) for base in (1, 0))
    assert solutions(on, boat, game.sea) != solutions(off, boat, game.sea)
