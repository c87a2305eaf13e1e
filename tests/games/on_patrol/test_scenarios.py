"""On Patrol: scenarios as TOML, and the sea at the start (rules 101.3, 102 and 103)."""

from __future__ import annotations
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from navalkit.core.errors import DataError
from navalkit.core.words import Phrase
from navalkit.games.on_patrol import scenario, stations
from navalkit.games.on_patrol.sea.formation import formation
from navalkit.games.on_patrol.sea.scenario import begin, names
from navalkit.games.on_patrol.sea.state import Marker, MarkerKind, Phase, Role, State, Task, Tube
from navalkit.games.on_patrol.sea.tables import TABLES, Edges, in_formation, move_fleet, on_station
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from navalkit.testing import refused
from ...sentences import CORE, PATROL_WHY

TEXT = """
title = "Two ships"
date = 1942-05-01
package = "optional"
turns = 12
points = 9
speed = "slow"
ships = ["tramp", "tanker"]
fuel = [2]
escorts = ["flower"]
edges = { north = -5, west = "-C", east = "BA" }

[[boat]]
type = "viic"
place = "m30 6"
depth = 75
torpedoes = "G7a"
"""


def fields(**changes: Any) -> dict[str, Any]:
    """The fields of TEXT with some changed; None leaves one out."""
    made = tomllib.loads(TEXT) | changes
    return {key: value for key, value in made.items() if value is not None}


def boat(**changes: Any) -> list[dict[str, Any]]:
    made = fields()["boat"][0] | changes
    return [{key: value for key, value in made.items() if value is not None}]


# What comes with the game ---------------------------------------------------------------------------------------------


def test_there_are_scenarios_of_every_kind() -> None:
    made = {name: scenario(name) for name in names()}
    assert {"lone-merchant", "small-convoy", "night-convoy", "fast-carrier", "hunter-group", "wolf-pack"} <= set(made)
    assert len(made["lone-merchant"].ships) == 1 and not made["lone-merchant"].escorts
    assert not made["small-convoy"].night
    assert len(made["night-convoy"].ships) == 12 and made["night-convoy"].night
    fast = made["fast-carrier"]
    assert fast.speed == "fast" and any(TABLES.vessels[type].kind == "carrier" for type in fast.ships)
    assert not made["hunter-group"].ships and made["hunter-group"].places
    assert len(made["wolf-pack"].boats) == 2 and len(made["three-boats"].boats) == 3
    assert {s.package for s in made.values()} == set(TABLES.packages)


@pytest.mark.parametrize("package", TABLES.packages)
@pytest.mark.parametrize("name", names())
def test_every_scenario_begins_under_every_package(name: str, package: str) -> None:
    made = scenario(name)
    assert made.name == name and made.title and made.about
    state = begin(made, package, die=5)
    assert (state.turn, state.phase, state.todo) == (1, Phase.CONVOY, (Task("fleet"),))
    assert (state.package, state.year) == (package, made.date.year)
    assert len(state.vessels) == len(made.ships) + len(made.escorts)
    assert all(on_station(state, v) for v in state.vessels) and all(in_formation(state, e) for e in state.escorts)
    hexes = [h for ship in (*state.vessels, *state.boats) for h in ship.place.hexes]
    assert len(hexes) == len(set(hexes))
    assert not any(made.sea().edges.outside(h) for h in hexes)
    assert hash(state) == hash(begin(made, package, die=5))
    for die in range(1, 7):
        moved, _, _ = move_fleet(state, die)
        assert all(on_station(moved, v) for v in moved.vessels)


@pytest.mark.parametrize("name", names())
def test_102_1_escorts_begin_on_the_stations_of_the_chart(name: str) -> None:
    made = scenario(name)
    state = begin(made, die=2)
    if made.ships:
        expected = stations(formation(len(made.ships), 2), made.escorts)
        assert {e.id: (e.station, e.place) for e in state.escorts} == expected


# The start ------------------------------------------------------------------------------------------------------------


def test_102_5_all_tubes_are_loaded_and_all_racks_full() -> None:
    (hers,) = begin(scenario(TEXT)).boats
    assert hers.tubes == (Tube("bow", "G7a"),) * 4 + (Tube("stern", "G7a"),)
    assert hers.reloads == (("G7a", 9),) and hers.hull == TABLES.boats["viic"].hull
    assert (hers.place, hers.depth, hers.speed) == ((Hex.parse("M30"), 6), 75, 0)
    # Without a choice she carries the best there was.
    (hers,) = begin(scenario(fields(boat=boat(torpedoes=None)))).boats
    assert {tube.torpedo for tube in hers.tubes} == {"G7e"}


@pytest.mark.parametrize("package, charges", [("basic", 0), ("optional", 0), ("advanced", 1)])
def test_102_5_a_british_destroyer_carries_one_one_ton_charge(package: str, charges: int) -> None:
    state = begin(scenario(fields(escorts=["v-and-w", "flower"])), package)
    assert [e.charges for e in state.escorts] == [charges, 0]


@pytest.mark.parametrize("package, row", [("basic", "slow 1"), ("optional", "slow 1"), ("advanced", "slow 2")])
def test_101_2_the_package_may_be_another_than_the_scenarios(package: str, row: str) -> None:
    state = begin(scenario(TEXT), package)
    assert (state.package, state.fleet.row, state.fleet.guide) == (package, row, (Hex.parse("X22"), 1))
    assert {v.speed for v in state.vessels} == {int(row[-1])}
    assert begin(scenario(TEXT)) == begin(scenario(TEXT), "optional")


def test_101_2_there_is_no_other_package() -> None:
    with refused(DataError, PATROL_WHY, "setting.no_package_one", package="expert"):
        begin(scenario(TEXT), "expert")


def test_101_2_night_is_an_optional_rule() -> None:
    made = scenario(fields(night=True))
    assert [made.sea(package).night for package in ("basic", "optional", "advanced")] == [False, True, True]
    assert not scenario(TEXT).sea().night
    sea = made.sea()
    assert (sea.package, sea.year, sea.turns, sea.points) == ("optional", 1942, 12, 9)


def test_103_1_2_twelve_ships_wait_for_their_die() -> None:
    made = scenario(fields(ships=["tramp"] * 12, fuel=None))
    waiting = begin(made)
    assert waiting.todo == (Task("formation"),) and not waiting.vessels and waiting.boats
    seas = [begin(made, die=die) for die in range(1, 7)]
    columns = [len({v.place.bow.column for v in sea.vessels if v.role is Role.MERCHANT}) for sea in seas]
    assert columns == [4, 4, 4, 3, 3, 3]
    # A scenario may say how they lie.
    fixed = scenario(fields(ships=["tramp"] * 12, fuel=None, die=4))
    assert begin(fixed) == begin(fixed, die=1) == begin(made, die=4)


def test_103_3_3_merchants_take_the_places_capital_ships_leave() -> None:
    state = begin(scenario(fields(ships=["liner", "ajax", "liner", "liner"], fuel=None)))
    assert {v.id: v.place.bow.label for v in state.vessels if v.role is not Role.ESCORT} == {
        "C1": "I40",
        "M1": "I47",
        "M2": "Q40",
        "M3": "Q47",
    }


def test_103_2_5_escorts_alone_lie_where_the_scenario_says() -> None:
    made = scenario("hunter-group")
    state = begin(made)
    assert tuple(e.place for e in state.escorts) == made.places
    assert state.fleet.guide == made.places[0]
    assert state.fleet.row == "fast 3"  # 104.2.4
    assert [e.station for e in state.escorts] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("kind", [*MarkerKind, None])
def test_104_2_2_contact_at_the_start_is_for_the_scenario_to_say(kind: MarkerKind | None) -> None:
    state: State = begin(scenario(fields(boat=boat(marker=kind and str(kind)))))
    marker = state.marker("S1")
    if kind is None:
        assert not state.markers
    else:
        assert marker is not None and marker.kind is kind
        assert marker.target == Hex.parse("M29")  # one hex ahead of her bow, whatever the marker


def test_104_2_2_a_marker_may_lie_where_the_boat_is_not() -> None:
    state = begin(scenario(fields(boat=boat(marker="inverted", marked="P20 2"))))
    assert state.markers == (Marker("S1", MarkerKind.INVERTED, Place(Hex.parse("P20"), 2)),)
    under = scenario(fields(boat=boat(place="X22 1")))  # a submerged boat may be under a ship
    assert begin(under).boats[0].place == begin(under).vessels[0].place


def test_104_2_4_escorts_alone_are_fast_and_slow_is_refused() -> None:
    alone = HUNTERS | {"places": ["E20 3", "M20 3"]}
    assert begin(scenario(fields(**alone))).fleet.row.startswith("fast")
    with refused(DataError, CORE, "fields.must", name="speed"):
        scenario(fields(**alone | {"speed": "slow"}))


def test_102_4_weather_is_only_shown() -> None:
    rough = scenario(fields(weather="rough"))
    assert rough.weather == "rough" and scenario(TEXT).weather == "clear"
    assert begin(rough) == begin(scenario(TEXT)) and rough.sea() == scenario(TEXT).sea()


def test_aviation_fuel_is_in_the_tankers_named() -> None:
    state = begin(scenario(TEXT))
    assert [(v.id, v.fuel) for v in state.vessels] == [("M1", False), ("M2", True), ("E1", False)]


def test_edges_of_the_map() -> None:
    edges = scenario(TEXT).edges
    assert edges == Edges(north=-5, east=53, south=None, west=-2)
    off = {"A-6": True, "A-5": False, "BB1": True, "BA1": False, "-D1": True, "-C1": False, "A900": False}
    assert {label: edges.outside(Hex.parse(label)) for label in off} == off
    assert not Edges().outside(Hex.parse("AAA-900"))


# Design your own: one format, checked field by field ------------------------------------------------------------------


def test_101_3_a_scenario_is_a_name_a_text_a_file_or_fields(tmp_path: Path) -> None:
    path = tmp_path / "two-ships.toml"
    path.write_text(TEXT, encoding="utf-8")
    made = scenario(TEXT)
    assert made == scenario(fields())
    assert scenario(path).name == "two-ships"
    assert scenario(path).boats == made.boats == (made.boats[0],)
    assert made.boats[0].place == Place(Hex.parse("M30"), 6)
    assert scenario(fields(name="mine")).name == "mine"


@pytest.mark.parametrize(
    "text, reason",
    [
        ("atlantis", PATROL_WHY.phrase("scenario.unknown", name="'atlantis'")),
        ("title = ", CORE.phrase("fields.toml", where=PATROL_WHY("scenario.this_text"))),
        ("../night-convoy", PATROL_WHY.phrase("scenario.unknown")),
        ("", PATROL_WHY.phrase("scenario.unknown", name="''")),
    ],
)
def test_101_3_what_is_no_scenario_is_refused(text: str, reason: Phrase) -> None:
    with refused(DataError, reason):
        scenario(text)


def test_101_3_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with refused(DataError, PATROL_WHY, "scenario.scenario_cannot_read", path="none.toml"):
        scenario(tmp_path / "none.toml")
    (tmp_path / "odd.toml").write_bytes(b"\xff\xfe")
    with refused(DataError, PATROL_WHY, "scenario.scenario_cannot_read", path="odd.toml"):
        scenario(tmp_path / "odd.toml")


HUNTERS = {"ships": None, "fuel": None, "speed": "fast", "escorts": ["flower", "flower"]}


@pytest.mark.parametrize(
    "changes, reason",
    [
        (
            {"title": None},
            CORE.phrase("fields.must", where="scenario", name="title", value=CORE("fields.missing")),
        ),
        (
            {"date": "1942"},
            CORE.phrase("fields.must", name="date", right=PATROL_WHY("scenario.date"), value="'1942'"),
        ),
        (
            {"package": "expert"},
            CORE.phrase(
                "fields.must",
                name="package",
                value="'expert'",
            ),
        ),
        (
            {"night": 1},
            CORE.phrase("fields.must", name="night", value="1"),
        ),
        ({"turns": 0}, CORE.phrase("fields.must", name="turns", value="0")),
        ({"turns": True}, CORE.phrase("fields.must", name="turns", value="True")),
        ({"points": 1.5}, CORE.phrase("fields.must", name="points")),
        (
            {"speed": "warp"},
            CORE.phrase("fields.must", name="speed", value="'warp'"),
        ),
        (
            {"speed": "fast"},
            CORE.phrase(
                "fields.must",
                name="speed",
                right=PATROL_WHY("scenario.one_every_ship", slow="Tramp steamer", speed=2, hexes=3),
            ),
        ),
        ({"ships": ["flower"]}, CORE.phrase("fields.must", name="ships", value="['flower']")),
        ({"ships": ["tramp"] * 61}, CORE.phrase("fields.must", name="ships")),
        ({"ships": "tramp"}, CORE.phrase("fields.must", name="ships")),
        ({"escorts": ["tramp"]}, CORE.phrase("fields.must", name="escorts")),
        ({"escorts": [["flower"]]}, CORE.phrase("fields.must", name="escorts")),
        ({"fuel": [1]}, CORE.phrase("fields.must", name="fuel", value="[1]")),
        ({"fuel": ["M2"]}, CORE.phrase("fields.must", name="fuel")),
        ({"die": 7}, CORE.phrase("fields.must", name="die", value="7")),
        (
            {"places": ["M20 3"]},
            CORE.phrase("fields.must", name="places", right=PATROL_WHY("scenario.left_out_escorts")),
        ),
        (
            {"colour": "grey"},
            CORE.phrase("fields.unknown", where="scenario", name="'colour'"),
        ),
        ({"boat": []}, CORE.phrase("fields.must", name="boat", right=PATROL_WHY("scenario.list_boats", most=3))),
        (
            {"boat": None},
            CORE.phrase(
                "fields.must",
                name="boat",
                right=PATROL_WHY("scenario.list_boats", most=3),
                value=CORE("fields.missing"),
            ),
        ),
        (
            {"boat": boat() * 4},
            CORE.phrase("fields.must", name="boat", right=PATROL_WHY("scenario.list_boats", most=3)),
        ),
        ({"boat": ["viic"]}, CORE.phrase("fields.table", value="'viic'")),
        ({"boat": boat(type="nautilus")}, CORE.phrase("fields.must", where="scenario, boat 1", name="type")),
        (
            {"boat": boat(place=None)},
            CORE.phrase(
                "fields.must", name="place", right=PATROL_WHY("fields.bow_hex_course"), value=CORE("fields.missing")
            ),
        ),
        ({"boat": boat(place="M20")}, CORE.phrase("fields.must", name="place")),
        ({"boat": boat(place="M20 7")}, CORE.phrase("fields.must", name="place")),
        ({"boat": boat(place="20M 3")}, CORE.phrase("fields.must", name="place")),
        ({"boat": boat(depth=30)}, CORE.phrase("fields.must", name="depth", value="30")),
        (
            {"boat": boat(depth=600)},
            CORE.phrase("fields.must", name="depth", right=PATROL_WHY("scenario.test_depth", most=500), value=600),
        ),
        (
            {"boat": boat(torpedoes="Mk14")},
            CORE.phrase("fields.must", name="torpedoes", value="'Mk14'"),
        ),
        (
            {"boat": boat(marker="seen")},
            CORE.phrase(
                "fields.must",
                name="marker",
            ),
        ),
        ({"boat": boat(crew=44)}, CORE.phrase("fields.unknown", name="'crew'")),
        (
            {"boat": boat(type="gato", torpedoes="Mk18")},
            CORE.phrase(
                "fields.must", right=PATROL_WHY("scenario.torpedoes", year=1942, listed="Mk14"), value="'Mk18'"
            ),
        ),
        (
            {"boat": boat(type="ixc"), "date": date(1939, 9, 3)},
            PATROL_WHY.phrase("scenario.boats_met_on", hers="Type IXC", year=1941),
        ),
        ({"edges": {"up": 3}}, CORE.phrase("fields.unknown", name="'up'", names="east, north, south, west")),
        (
            {"edges": {"north": "A"}},
            CORE.phrase("fields.must", name="north", right=PATROL_WHY("scenario.number_row"), value="'A'"),
        ),
        (
            {"edges": {"east": "12"}},
            CORE.phrase("fields.must", name="east", right=PATROL_WHY("scenario.letters_column_az"), value="'12'"),
        ),
        ({"edges": [1]}, CORE.phrase("fields.must", name="edges")),
        ({"ships": None, "fuel": None, "escorts": None}, PATROL_WHY.phrase("scenario.ships_escorts_sea")),
        (
            HUNTERS,
            CORE.phrase(
                "fields.must",
                name="places",
                right=PATROL_WHY("scenario.list_with_place", escorts=2),
                value=CORE("fields.missing"),
            ),
        ),
        (HUNTERS | {"places": ["E20 3", "M20 4"]}, CORE.phrase("fields.must", name="places")),
        (HUNTERS | {"places": ["E20 3", 5]}, CORE.phrase("fields.must", name="places")),
        (
            HUNTERS | {"places": ["E20 3", "E21 3"]},
            PATROL_WHY.phrase("scenario.lies_on_move", ship="E2", other="E1", h="E20"),
        ),
        (
            {"boat": boat(depth=0, place="X23 3")},
            PATROL_WHY.phrase("scenario.lies_on_move", ship="S1", other="M1", h="X22"),
        ),
        ({"boat": boat(place="BC30 3")}, PATROL_WHY.phrase("scenario.lies_off_map", ship="S1", h="BC30")),
        ({"edges": {"south": 21}}, PATROL_WHY.phrase("scenario.lies_off_map", ship="M1", h="X22")),
    ],
)
def test_101_3_a_wrong_field_is_named(changes: dict[str, Any], reason: Phrase) -> None:
    with refused(DataError, reason):
        scenario(fields(**changes))


def test_a_scenario_is_read_once() -> None:
    assert scenario(TEXT) is scenario(TEXT) and scenario("night-convoy") is scenario("night-convoy")
    with pytest.raises(DataError):
        scenario("no-such-convoy")
    with pytest.raises(DataError):
        scenario("no-such-convoy")
