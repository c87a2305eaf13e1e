"""The odds of On Patrol against slow twins: every roll of the dice counted, and trees of rolls played out."""

from __future__ import annotations
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError, OptionError
from navalkit.games.on_patrol import odds
from navalkit.games.on_patrol.combat import torpedoes
from navalkit.games.on_patrol.combat.damage import crush, gun, ram
from navalkit.games.on_patrol.combat.rolls import HANDLERS, SONAR_REACH, depth_roll, one_attack, opening, still_due
from navalkit.games.on_patrol.data import read
from navalkit.games.on_patrol.odds import runs
from navalkit.games.on_patrol.sea import combat_tables
from navalkit.games.on_patrol.sea.combat_tables import COMBAT
from navalkit.games.on_patrol.sea.state import Boat, Charge, Fleet, Phase, Role, State, Vessel
from navalkit.games.on_patrol.sea.tables import Sea
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from navalkit.testing import refused
from ...sentences import PATROL_RUNS, PATROL_WHY

ROLLS = tuple(int(f"{tens}{units}") for tens in "123456" for units in "123456")
RAW = read("combat.toml")
DEPTH: list[dict[str, Any]] = read("data.toml")["depth"]
AT = Place(Hex.parse("M20"), 3)
ADVANCED = Sea("advanced", 1942)


def counted(values: Iterator[Any] | list[Any]) -> Dist[Any]:
    """The distribution of equally likely values, counted one by one."""
    return Dist(Counter(values))


def lost(weapon: str, distance: int, error: int, roll: int) -> int:
    """Hull points by one roll, looked up in the file by hand."""
    for row in RAW["damage"]:
        if weapon in row["weapons"] and (row["distance"], row["error"]) == (distance, error):
            for upto, points in row["rolls"]:
                if roll <= upto:
                    return int(points)
    return 0


def guessed(roll: int) -> int | None:
    """The error in depth by one roll, looked up in the source's table by hand; None for a miss."""
    return next(row.get("error") for row in DEPTH if row["low"] <= roll <= row["high"])


def upto(row: dict[str, Any], distance: int, shift: int = 0) -> int:
    """The greatest roll that succeeds, by counting bands by hand."""
    for band, limit in enumerate(row["within"]):
        if distance <= limit:
            band = max(0, band + shift)
            return int(row["upto"][band]) if band < len(row["upto"]) else 0
    return 0


def played(state: State, sea: Sea, what: Callable[[State], Any]) -> Dist[Any]:
    """What a phase leads to: every roll, one after the other, through the handlers; the whole tree."""
    first = opening(state, sea)
    return _played(first.state, first.tasks, sea, what)


def _played(state: State, tasks: tuple[Any, ...], sea: Sea, what: Callable[[State], Any]) -> Dist[Any]:
    while tasks and not still_due(state, tasks[0]):
        tasks = tasks[1:]
    if not tasks:
        return Dist.point(what(state))
    task, *rest = tasks
    handler = HANDLERS[task.kind]

    def follow(result: Any) -> Dist[Any]:
        after, more, _ = handler.resolve(state, task, result, sea)
        return _played(after, (*more, *rest), sea, what)

    return handler.odds(state, task, sea).bind(follow)


def afloat(boats: tuple[Boat, ...], vessels: tuple[Vessel, ...] = (), **fields: Any) -> State:
    return State(5, fields.pop("phase", Phase.ATTACKS), Fleet(AT, "slow 1"), vessels, boats, **fields)


# Dice ----------------------------------------------------------------------------------------------------------------


def test_chances_count_the_36_results_of_two_dice() -> None:
    for greatest in (0, *ROLLS):
        assert combat_tables.chance(greatest) == Fraction(sum(roll <= greatest for roll in ROLLS), 36)


@pytest.mark.parametrize("roll", [10, 17, 20, 67, 99])
def test_a_roll_that_dice_do_not_show_is_refused(roll: int) -> None:
    data = {**RAW, "stop": {**RAW["stop"], "upto": [roll, 36, 26]}}
    with refused(DataError, PATROL_WHY, "combat_tables.has_which_two", where="stop", upto=roll):
        combat_tables.load(data)


def test_rows_that_do_not_grow_or_end_at_66_are_refused() -> None:
    for rolls in ([[66, 1], [23, 2]], [[23, 1]], [[23, 1], [63, 2]]):
        damage = [{**RAW["damage"][0], "rolls": rolls}, *RAW["damage"][1:]]
        with refused(DataError, PATROL_WHY, "combat_tables.rolls_grow_last"):
            combat_tables.load({**RAW, "damage": damage})
    with refused(DataError, PATROL_WHY, "combat_tables.needs_growing_distances"):
        combat_tables.load({**RAW, "stop": {**RAW["stop"], "within": [2, 1, 9]}})


def test_every_row_says_where_it_is_from() -> None:
    def rows(data: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
        if isinstance(data, dict):
            if any(not isinstance(value, dict | list) for value in data.values()) or "within" in data:
                yield path, data
                return
            for key, value in data.items():
                yield from rows(value, f"{path}.{key}")
        elif isinstance(data, list):
            for i, value in enumerate(data):
                yield from rows(value, f"{path}[{i}]")

    found = [pair for key, part in RAW.items() if key != "sentences" for pair in rows(part, key)]
    assert len(found) > 60
    for where, row in found:
        source = row.get("source", "")
        assert source in ("seed", "facts") or source.startswith(("ruling: ", "derived: ")), where


# Torpedoes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("type", "year"), [("G7a", 1940), ("Mk14", 1942), ("Mk14", 1943), ("MkVIII", 1944)])
@pytest.mark.parametrize("aspect", ["beam", "quarter", "end"])
@pytest.mark.parametrize("ship", ["flower", "tramp", "kongo"])
def test_one_torpedo_is_what_all_pairs_of_rolls_give(type: str, year: int, aspect: str, ship: str) -> None:
    shift = {"flower": 1, "tramp": 0, "kongo": -1}[ship]
    row = next(row for row in RAW["aspect"] if row["id"] == aspect)
    fails = next(greatest for last, greatest in RAW["torpedo"][type]["duds"] if year <= last)
    for run in (1, 3, 15, 16, 31, 45):
        strikes = upto(row, run, shift)
        armed = run >= 3
        twin = counted([int(armed and one <= strikes and two > fails) for one, two in product(ROLLS, ROLLS)])
        assert odds.torpedo(type, run, aspect, ship=ship, year=year) == twin


def test_a_spread_is_binomial_and_sinks_by_tonnage() -> None:
    one = odds.torpedo("G7e", 20, "quarter", year=1941)[1]
    for spread in range(6):
        hits = odds.torpedo("G7e", 20, "quarter", spread, year=1941)
        for k in range(spread + 1):
            assert hits[k] == comb(spread, k) * one**k * (1 - one) ** (spread - k)
        assert odds.sink("G7e", 20, "quarter", spread, year=1941, ship="tramp") == hits.at_least(2)


def test_packages_without_arming_and_duds_have_neither() -> None:
    assert odds.torpedo("Mk14", 1, package="basic")[1] == Fraction(27, 36)
    assert odds.torpedo("Mk14", 2, package="advanced")[1] == 0
    assert odds.torpedo("Mk14", 46)[0] == 1, "beyond its range"


def test_two_torpedoes_played_through_the_rules_sink_as_often_as_the_odds_say() -> None:
    target = Vessel("M1", Role.MERCHANT, "tramp", Place(Hex.parse("M20"), 3), 1)
    from_m21 = [Hex.parse("M20").step(5, 6), Hex.parse("M20").step(5, 6)]
    fired = tuple(
        torpedoes.Torpedo(f"T{i}", "G7a", "S1", at, 2, run=4) for i, at in enumerate(from_m21, 1)
    )  # they reach her bow hex after 10 hexes
    state = afloat((), (target,), phase=Phase.TORPEDOES, torpedoes=fired)
    sunk = played(state, ADVANCED, lambda s: bool(s.vessel("M1").sunk))
    assert sunk[True] == odds.sink("G7a", 10, "quarter", 2, ship="tramp")


# Attacks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("distance", [0, 1, 2, 3])
@pytest.mark.parametrize("weapon", list(RAW["weapon"]))
def test_one_charge_is_what_all_pairs_of_rolls_give(weapon: str, distance: int) -> None:
    first = RAW["weapon"][weapon]["depth_first"]
    rolls = []
    for at_depth, damage_roll in product(ROLLS, ROLLS):
        error = guessed(at_depth) if first else 0
        rolls.append(0 if error is None else lost(weapon, distance, error, damage_roll))
    assert one_attack(weapon, distance) == counted(rolls)


def test_the_depth_table_has_four_quarters() -> None:
    assert depth_roll() == Dist.uniform([0, 25, 50, "miss"])
    assert depth_roll() == counted(["miss" if guessed(r) is None else guessed(r) for r in ROLLS])


def test_two_hedgehogs_are_what_all_pairs_of_rolls_give() -> None:
    both = [lost("hedgehog", 0, 0, a) + lost("hedgehog", 1, 0, b) for a, b in product(ROLLS, ROLLS)]
    twin = counted([max(0, 10 - points) for points in both])
    assert odds.attack([("hedgehog", 0), ("hedgehog", 1)]) == twin


@pytest.mark.parametrize("depth", [100, 425])
def test_a_pattern_played_roll_by_roll_leaves_what_the_odds_say(depth: int) -> None:
    boat = Boat("S1", "viic", AT, depth, 1, 9)
    bow = AT.bow
    charges = (
        Charge("depth charge", "E1", bow), Charge("depth charge", "E1", bow), Charge("squid", "E2", bow.step(1, 2)),
        Charge("hedgehog", "E3", bow.step(2)), Charge("k-gun", "E1", bow.step(4)),
    )  # fmt: skip
    left = played(afloat((boat,), charges=charges), ADVANCED, lambda s: s.boat("S1").hull)
    pattern = [(charge.weapon, charge.at.distance(bow)) for charge in charges]
    assert left == odds.attack(pattern, depth=depth, points=9)
    assert odds.attack([("squid", 0), ("hedgehog", 0)], depth=425) == Dist.point(10)


def test_sunk_after_is_the_chain_of_attacks() -> None:
    pattern = [("depth charge", 0), ("k-gun", 0)]
    chances = odds.sunk_after(pattern, 4)
    assert list(chances) == [odds.attack(pattern * n)[0] for n in range(5)]
    assert list(chances) == sorted(chances)


# Search, guns, hull --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("duty", ["sweep", "hunt"])
@pytest.mark.parametrize("speed", [0, 1, 2])
@pytest.mark.parametrize("depth", [25, 100, 125, 400, 575])
def test_sonar_reads_its_table(duty: str, speed: int, depth: int) -> None:
    row = next(row for row in RAW["sonar"] if row["duty"] == duty and depth <= row["depth"])
    shift = {0: 1, 1: 0, 2: -1}[speed]
    for distance in range(1, 28):
        greatest = upto(row, distance, shift) if distance > row["blind"] else 0
        twin = Fraction(sum(roll <= greatest for roll in ROLLS), 36)
        assert odds.found(distance, depth=depth, speed=speed, duty=duty) == twin
        assert odds.found(distance, depth=depth, speed=speed, duty=duty, times=3) == 1 - (1 - twin) ** 3


def test_an_escort_finds_about_half_of_the_boats_that_creep_in_and_fewer_deep_ones() -> None:
    def detected(depth: int) -> Fraction:
        missed = Fraction(1)
        for distance in range(25, 3, -3):  # a convoy of 2 hexes a turn and a boat of 1, bow to bow
            missed *= 1 - odds.found(distance, depth=depth)
        return 1 - missed

    chances = [detected(depth) for depth in (100, 250, 400, 600)]
    assert Fraction(2, 5) < chances[0] < Fraction(3, 5)
    assert chances == sorted(chances, reverse=True) and len(set(chances)) == 4


def test_a_ship_that_hunts_holds_contact_for_some_turns() -> None:
    for depth in range(25, 601, 25):
        for distance in range(5, 26):
            hunts, sweeps = (odds.found(distance, depth=depth, duty=duty) for duty in ("hunt", "sweep"))
            assert hunts > sweeps or hunts == sweeps == 0
    assert odds.found(10, depth=100, duty="hunt", times=3) > Fraction(9, 10)


def test_guns_ramming_and_crush_read_their_tables() -> None:
    for row in RAW["gun"]:
        for distance in range(1, 60):
            hits = upto(row, distance)
            twin = counted([row["points"] if roll <= hits else 0 for roll in ROLLS])
            assert gun(row["rating"], distance, row["part"] == "gunnery") == twin
    assert gun(0, 1) == Dist.point(0)
    for tons in (500, 1000, 1001, 20000):
        rolls = next(row["rolls"] for row in RAW["ram"] if tons <= row["tons"])
        assert ram(tons) == counted([next(p for u, p in rolls if roll <= u) for roll in ROLLS])
    for below in (25, 50, 75, 100, 125):
        boat = Boat("S1", "viic", AT, 500 + below, 1, 10)
        rolls = next(row["rolls"] for row in RAW["crush"] if below <= row["below"])
        assert crush(boat) == counted([next(p for u, p in rolls if roll <= u) for roll in ROLLS])


def test_depth_to_go_says_what_each_depth_costs() -> None:
    rows = odds.depth_to_go("viic", points=5, distance=8, weapon="squid")
    assert [row.depth for row in rows] == list(range(25, 601, 25))
    for row in rows:
        boat = Boat("S1", "viic", AT, row.depth, 1, 5)
        assert row.safe is (row.depth <= 250)
        assert row.crush == crush(boat).at_least(1)
        assert row.found == odds.found(8, depth=row.depth, duty="hunt")
        assert (row.sunk > 0) is (row.depth <= 400)
        assert row.lost == odds.attack([("squid", 0)], depth=row.depth, points=5).chance(lambda left: left < 5)


# Calibration ---------------------------------------------------------------------------------------------------------


def test_patterns_kill_in_the_order_of_history() -> None:
    found = {line.label: runs.measure(line) for line in runs.lines()}
    charges, hedgehog, squid = (found[PATROL_RUNS(key)].sunk for key in ("pattern.destroyer", "hedgehog", "squid"))
    assert Fraction(1, 70) < charges < Fraction(1, 50)
    assert Fraction(1, 7) < hedgehog < Fraction(1, 5)
    assert Fraction(1, 3) < squid < Fraction(2, 5)
    assert found[PATROL_RUNS("pattern.corvette")].sunk < charges
    for measured in found.values():
        assert measured.sunk < measured.worst <= 1 and 0 < measured.lost < 10


def test_a_boat_sunk_by_depth_charges_takes_many_patterns() -> None:
    """Damage accumulates: a fresh boat lasts several patterns, and far fewer than sixty."""
    for line in runs.lines()[:2]:
        measured = runs.measure(line)
        assert 5 < measured.patterns < 15
        assert Fraction(1, 3) < measured.untouched < Fraction(2, 3)


def test_the_measure_agrees_with_patterns_rolled_with_dice() -> None:
    line = runs.lines()[1]
    rng = np.random.default_rng(7)
    reached = runs.escapes(runs.MARKER, 2)
    patterns = [runs.fullest(line.weapons, line.speed, direction) for direction in range(1, 7)]
    n, sunk, total = 10_000, 0, 0
    dice = iter(np.array(ROLLS)[rng.integers(36, size=n * 20)].tolist())
    for _ in range(n):
        at, points = reached[rng.integers(len(reached))], 0
        for placed in patterns[rng.integers(6)]:
            if (error := guessed(next(dice))) is not None:
                points += lost(placed.weapon, placed.at.distance(at), error, next(dice))
        sunk += points >= 10
        total += min(points, 10)
    measured = runs.measure(line)
    expected = float(measured.sunk)
    assert abs(sunk / n - expected) < 4 * (expected * (1 - expected) / n) ** 0.5
    assert abs(total / n - float(measured.lost)) < 4 * measured.left.sd / n**0.5


def test_the_hexes_a_boat_can_reach_are_all_turns_tried() -> None:
    ends = set()
    for n in range(3):
        for turns in product((-1, 0, 1), repeat=n):
            place = runs.MARKER
            for turn in turns:
                place = Place(place.bow, (place.direction - 1 + turn) % 6 + 1).ahead()
            ends.add(place.bow)
    assert runs.escapes(runs.MARKER, 2) == tuple(sorted(ends)) and len(ends) == 11


def test_mean_patterns_to_sink_agree_with_the_chain_summed_turn_by_turn() -> None:
    left = [odds.attack([("depth charge", 0)] * 3, points=points) for points in range(1, 11)]
    chances = odds.sunk_after([("depth charge", 0)] * 3, 60)
    summed = float(sum(1 - chance for chance in chances))
    assert abs(float(runs._until_sunk(left)) - summed) < 1e-6


def test_the_report_prints_ours_beside_the_war() -> None:
    text = runs.patterns()
    assert all(PATROL_RUNS("pattern.one_in", n=n) in text for n in (60.5, 5.7, 2.6))
    assert len(text.splitlines()) == 2 + len(runs.lines())


# What is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "word"),
    [
        (lambda: odds.torpedo("Mk99", 10), "Mk99"),
        (lambda: odds.torpedo("G7a", -1), PATROL_WHY("exact.range")),
        (lambda: odds.torpedo("G7a", 10, "bow"), "bow"),
        (lambda: odds.torpedo("G7a", 10, spread=21), PATROL_WHY("exact.number_torpedoes")),
        (lambda: odds.torpedo("G7a", 10, ship="ark"), "ark"),
        (lambda: odds.torpedo("G7a", 10, package="all"), "all"),
        (lambda: odds.attack([("mine", 0)]), "mine"),
        (lambda: odds.attack([("squid", 0)], points=51), PATROL_WHY("exact.hull")),
        (lambda: odds.found(5, depth=30), PATROL_WHY("exact.depth")),
        (lambda: odds.found(5, duty="sleep"), "sleep"),
        (lambda: odds.depth_to_go("nautilus"), "nautilus"),
        (lambda: odds.depth_to_go(points=True), PATROL_WHY("exact.hull")),
    ],
)  # fmt: skip
def test_odds_name_what_is_wrong(ask: Callable[[], Any], word: str) -> None:
    with pytest.raises(OptionError, match=word):
        ask()


def test_sonar_reaches_no_further_than_it_says() -> None:
    assert odds.found(SONAR_REACH, depth=25, duty="hunt") > 0
    assert all(odds.found(SONAR_REACH + 1, depth=d, speed=2, duty="hunt") == 0 for d in range(25, 601, 25))
    assert COMBAT.reach("squid") == 2 and COMBAT.reach("depth charge") == 1
