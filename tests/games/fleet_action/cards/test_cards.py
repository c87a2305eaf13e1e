"""The tables of Fleet Action: every figure recomputed from its source, and ships given by players."""

from __future__ import annotations
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from navalkit.core.errors import DataError
from navalkit.core.files import SOURCES, read
from navalkit.games.fleet_action.cards import (
    ARCS,
    TABLES,
    Mount,
    allowance,
    guns_out,
    nearest,
    points,
    quarters,
    range_squares,
    read_ships,
    ship,
    sinking_rate,
    worth,
)
from navalkit.testing import refused, said
from ....sentences import CORE, FLEET

DATA = read("navalkit.games.fleet_action", "data/data.toml")
SHIPS = pytest.mark.parametrize("row", DATA["ship"], ids=lambda row: row["name"])

ZEPHYR = """
[[ship]]
name = "Zephyr"
type = "destroyer"
displacement = 1300
speed = 35.5
main = [{ gun = "4.7in", forward = 2, aft = 2 }]
torpedoes = [{ kind = "Mk IX", tubes = 4, sets = 2 }]
"""


# Guns and torpedoes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", DATA["gun"], ids=lambda row: row["name"])
def test_a_gun_is_what_its_figures_make_of_it(row):
    gun = TABLES.guns[row["name"]]
    squares, damage = row["range_yd"] / 5000, row["shell_lb"] / 100
    assert abs(gun.range - squares) <= 0.5 and gun.range >= 1
    assert gun.damage == 1 if damage < 1 else abs(gun.damage - damage) <= 0.5
    rate = row["rounds_a_minute"]
    assert gun.firings == (1 if rate <= 2 else 2 if rate <= 4 else 3 if rate <= 8 else 4)
    assert range_squares(gun) == range_squares(row["name"].upper()) == gun.range


def test_guns_of_the_facts():
    known = {
        "18.1in/45 Type 94": (9, 32, 1),
        "16in/50 Mk 7": (8, 27, 1),
        "11in SK C/28": (8, 7, 2),
        "5in/38": (4, 1, 4),
    }
    for name, figures in known.items():
        gun = TABLES.guns[name]
        assert (gun.range, gun.damage, gun.firings) == figures


def test_halves_round_up():
    assert [nearest(value, 100) for value in (1, 149, 150, 249, 250)] == [1, 1, 2, 2, 3]


def test_a_torpedo_does_a_hundred_points_and_the_japanese_120():
    assert {fish.damage for fish in TABLES.torpedoes.values()} == {100, 120}
    assert [fish.name for fish in TABLES.torpedoes.values() if fish.damage == 120] == ["Type 93", "Type 95"]
    assert TABLES.torpedoes["Type 93"].range == 5 and TABLES.torpedoes["Mk 15"].range == 2


# Ships ------------------------------------------------------------------------------------------------------------


def test_there_are_ships_of_every_kind():
    assert len(TABLES.ships) >= 40
    types = {card.type for card in TABLES.ships.values()}
    assert types == set(TABLES.types) - {"carrier", "submarine", "airfield"}  # those are in the trial scenarios alone
    years = {card.year for card in TABLES.ships.values()}
    assert min(years) == 1906 and max(years) <= 1945


@SHIPS
def test_every_ship_says_where_her_figures_are_from(row):
    assert row["source"].partition(":")[0] in SOURCES


@SHIPS
def test_every_sinking_rate_follows_from_displacement_and_protection(row):
    if row["name"] == "Iowa":  # the source gives hers
        assert ship("Iowa").sinking_rate == 900 and "the source's" in row["source"]
        return
    grade = Fraction(DATA["protection"][row["protection"]])
    yardstick = DATA["sinking_rate"]
    rate = yardstick["rate"] * float(grade) * (row["displacement"] / yardstick["displacement"]) ** (2 / 3)
    card = TABLES.ships[row["name"]]
    assert card.sinking_rate % 5 == 0 and abs(card.sinking_rate - rate) <= max(2.5, 5 - rate)


def test_the_sources_sinking_rates_come_out():
    assert ship("Roma").sinking_rate == 400
    assert sinking_rate(1300, "unarmoured") == 55
    for card in TABLES.ships.values():
        if card.type == "battleship" and card.displacement >= 27000:
            assert 700 <= card.sinking_rate <= 1200
    assert ship("Musashi").sinking_rate == max(card.sinking_rate for card in TABLES.ships.values())
    assert ship("Seydlitz").sinking_rate > ship("Lion").sinking_rate  # smaller, but better protected


@SHIPS
def test_a_card_carries_all_that_its_row_says(row):
    card = TABLES.ships[row["name"]]
    assert (card.ship_class, card.nation, card.displacement) == (row["class"], row["nation"], row["displacement"])
    for battery in ("main", "secondary"):
        guns = sum(n for entry in row.get(battery, []) for arc, n in entry.items() if arc != "gun")
        assert sum(mount.guns for mount in card.mounts if mount.battery == battery) == guns
    tubes = sum(entry["tubes"] * entry.get("sets", 1) for entry in row.get("torpedoes", []))
    assert sum(tube_set.tubes for tube_set in card.torpedoes) == tubes


def test_the_ships_of_the_facts_have_their_guns_and_tubes():
    def armament(name):
        card = ship(name)
        return [sum(m.guns for m in card.mounts if m.battery == b) for b in ("main", "secondary")], len(card.torpedoes)

    assert armament("Iowa") == ([9, 20], 0) and armament("Musashi") == ([9, 12], 0)
    assert armament("Fletcher") == armament("Jenkins") == armament("Radford") == ([5, 0], 2)
    assert armament("Admiral Graf Spee") == ([6, 8], 2) and armament("Fubuki") == ([6, 0], 3)
    assert armament("Seydlitz") == ([10, 12], 4) and armament("Roma") == ([2, 12], 2)


def test_a_ship_is_found_whatever_the_case_and_a_slip_is_answered_with_near_names():
    assert ship("  iowa ") is TABLES.ships["Iowa"]
    with refused(DataError, FLEET, "table.unknown", name="'Fletscher'"):
        ship("Fletscher")
    with refused(DataError, FLEET, "table.unknown", name="'88'"):
        range_squares("88")


# Mountings, speeds, damage ----------------------------------------------------------------------------------------


def test_each_arc_bears_where_the_superstructure_lets_it():
    bears = {arc: [Mount("4in", 1, arc, "main").bears(relative) for relative in range(8)] for arc in ARCS}
    assert bears["forward"].index(False) == 4 and bears["aft"].index(False) == 0
    assert bears["port"] == [arc for arc in reversed(bears["starboard"][1:] + bears["starboard"][:1])]
    assert bears["amidships"] == [a or b for a, b in zip(bears["port"], bears["starboard"], strict=True)]
    assert Mount("4in", 1, "starboard", "main").bears(-6) and not Mount("4in", 1, "starboard", "main").bears(8)


@pytest.mark.parametrize(
    "knots, moves",
    [
        (0, (0, 0)), (3, (0, 1)), (11, (1, 2)), (12, (2, 2)), (15.9, (2, 2)), (16, (2, 3)), (19, (2, 3)), (20, (3, 3)),
        (24, (3, 4)), (28, (4, 4)), (31.9, (4, 4)), (32, (4, 5)), (36, (5, 5)), (50, (5, 5)),
    ],
)  # fmt: skip
def test_speed_bands_are_four_knots_wide(knots, moves):
    assert allowance(knots) == moves


@given(st.integers(0, 30), st.integers(0, 4))
def test_guns_go_out_by_quarters(guns, lost):
    out = guns_out(guns, lost)
    assert abs(out - guns * lost / 4) <= 0.5 and (lost < 4 or out == guns)


@given(st.integers(1, 1500), st.integers(0, 3000))
def test_quarters_are_full_quarters(rate, damage):
    assert quarters(damage, rate) == sum(4 * damage >= k * rate for k in (1, 2, 3, 4))


# Points -----------------------------------------------------------------------------------------------------------


def test_the_points_of_a_ship_add_up_in_the_open():
    card = ship("Fletcher")
    # five 5in on the broadside, four firings of a point: a third, then three halves; four squares of range
    guns = 5 * (Fraction(1, 3) + Fraction(3, 2)) * 4
    factor = {key: Fraction(value) for key, value in DATA["points"].items() if key != "source"}
    assert worth(card) == {
        "speed": 36 * factor["speed"],
        "sinking_rate": 75 * factor["sinking_rate"],
        "guns": guns * factor["guns"],
        "torpedoes": 10 * 100 * 2 * factor["torpedoes"],
        "mines": 0,
        "anti_aircraft": 3 * factor["anti_aircraft"],
    }
    assert points(card) == round(sum(worth(card).values()))


def test_more_of_anything_is_worth_more():
    base = read_ships(ZEPHYR)[0]
    for more in ("speed = 36.5", "mines = 40", "anti_aircraft = 4", 'protection = "light"'):
        key = more.split()[0]
        text = "\n".join(line for line in ZEPHYR.splitlines() if not line.startswith(key)) + f"\n{more}\n"
        assert points(read_ships(text)[0]) > points(base)


def test_one_bismarck_balances_hood_and_prince_of_wales():
    assert abs(points(ship("Bismarck")) / (points(ship("Hood")) + points(ship("Prince of Wales"))) - 1) < 0.2


# Ships of the players ---------------------------------------------------------------------------------------------


def test_players_add_ships_by_toml():
    (card,) = read_ships(ZEPHYR)
    assert (card.name, card.speed, card.sinking_rate, card.main_guns) == ("Zephyr", 35.5, 55, 4)
    assert [tubes.tubes for tubes in card.torpedoes] == [4, 4]
    assert card.source == FLEET("ships.by_players")


def test_players_edit_ships_of_the_tables():
    (card,) = read_ships('[[ship]]\nname = "Iowa 1950"\nlike = "iowa"\nanti_aircraft = 8\nsinking_rate = 1000\n')
    iowa = ship("Iowa")
    assert (card.mounts, card.displacement) == (iowa.mounts, iowa.displacement)
    assert (card.sinking_rate, card.protection, card.anti_aircraft) == (1000, "", 8)


ZEPHYRS = FLEET("ships.ship", name="'Zephyr'")


@pytest.mark.parametrize(
    "change, field",
    [
        ("speed = 35.5|speed = -1", CORE.phrase("fields.must", name="speed", value="-1")),
        ("speed = 35.5|speed = nan", CORE.phrase("fields.must", name="speed")),
        ("speed = 35.5|speed = true", CORE.phrase("fields.must", name="speed")),
        ("displacement = 1300|displacement = 13.5", CORE.phrase("fields.must", name="displacement")),
        ("displacement = 1300|", CORE.phrase("fields.must", name="displacement", value=CORE("fields.missing"))),
        ('type = "destroyer"|type = "raft"', CORE.phrase("fields.must", name="type")),
        ('name = "Zephyr"|name = "A: B; C"', CORE.phrase("fields.must", name="name")),
        ('gun = "4.7in"|gun = "4.8in"', CORE.phrase("fields.at", name="gun", where=f"{ZEPHYRS}, main 1")),
        ("aft = 2|abaft = 2", CORE.phrase("fields.meant", name="'abaft'", names="aft")),
        ("aft = 2|aft = 0", CORE.phrase("fields.must", name="aft")),
        ("sets = 2|sets = 0", CORE.phrase("fields.must", name="sets")),
        ("tubes = 4, sets = 2|tubes = 4, spare = 2", CORE.phrase("fields.unknown", name="'spare'")),
        ('kind = "Mk IX"|kind = "Mk 9"', CORE.phrase("fields.at", name="kind")),
        (
            'torpedoes = [{ kind = "Mk IX", tubes = 4, sets = 2 }]|torpedoes = 8',
            CORE.phrase("fields.must", name="torpedoes"),
        ),
        ("speed = 35.5|speed = 35.5\nprotection = 'thick'", CORE.phrase("fields.at", name="protection")),
        ("speed = 35.5|speed = 35.5\nlike = 'Fletsher'", CORE.phrase("fields.at", name="like")),
        ("speed = 35.5|speed = 35.5\ncolour = 'grey'", CORE.phrase("fields.unknown", name="'colour'")),
        ("speed = 35.5|speed = 35.5\narmour = 5", CORE.phrase("fields.must", name="armour")),
    ],
)
def test_a_wrong_field_is_named(change, field):
    old, new = change.split("|")
    assert old in ZEPHYR
    with refused(DataError, field) as error:
        read_ships(ZEPHYR.replace(old, new))
    said(error.value.facts["where"], FLEET, "ships.ship")


@pytest.mark.parametrize(
    "text, says",
    [
        ("[[ship]\n", CORE.phrase("fields.toml")),
        ("x = 1\n", CORE.phrase("fields.must", name="ship")),
        ("ship = 3\n", CORE.phrase("fields.must", name="ship")),
        (ZEPHYR + ZEPHYR.lower().replace("mk ix", "Mk IX"), FLEET.phrase("ships.twice")),
        ("#" * 200_001, FLEET.phrase("ships.long", most=200000)),
    ],
)
def test_a_text_that_is_no_list_of_ships_is_refused(text, says):
    with refused(DataError, says):
        read_ships(text)
