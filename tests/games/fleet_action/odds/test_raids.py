"""The odds of boats and aircraft, each beside a slow twin that throws every die, and history's yardsticks."""

from __future__ import annotations
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError, OptionError
from navalkit.games.fleet_action import odds, planes, raids
from navalkit.games.fleet_action.cards import TABLES, any_ship, quarters
from navalkit.games.fleet_action.rules import hunting
from navalkit.testing import refused
from ....sentences import FLEET

SIDES = range(1, 7)
F = Fraction


def throws(dice: int) -> Iterator[tuple[int, ...]]:
    return product(SIDES, repeat=dice)


def brute_flak(aircraft: int, dice: int) -> Dist[tuple[int, int]]:
    """Every die, one after another."""
    found: Counter[tuple[int, int]] = Counter()
    for thrown in throws(dice):
        off = min(aircraft, thrown.count(6))
        for again in throws(off):
            found[off, sum(side >= 5 for side in again)] += 6 ** (dice - off)
    return Dist(found)


def brute_drop(dice: int, need: int, telling: bool) -> Dist[tuple[int, int]]:
    found: Counter[tuple[int, int]] = Counter()
    for pairs in product(product(SIDES, repeat=2), repeat=dice):
        hits = [(first, again) for first, again in pairs if first >= need]
        tells = len(hits) if telling else sum(first == again == 6 for first, again in hits)
        found[len(hits), tells] += 1
    return Dist(found)


@pytest.mark.parametrize("aircraft, dice", [(0, 2), (1, 3), (2, 3), (5, 2)])
def test_flak_is_what_the_dice_say(aircraft: int, dice: int) -> None:
    assert odds.flak(aircraft, dice) == brute_flak(aircraft, dice)


@pytest.mark.parametrize("need, telling", [*product((4, 5, 6), (False, True))])
def test_what_drops_hits_as_the_dice_say(need: int, telling: bool) -> None:
    assert odds.drop(2, need, "dive", telling) == brute_drop(2, need, telling)
    assert odds.drop(4, need, "level", telling) == brute_drop(2, need, telling)  # a part of three counts as three
    assert odds.drop(0, need) == Dist.point((0, 0))


def test_a_fight_is_what_the_dice_say() -> None:
    escorts, patrol, bombers, grades = 1, 2, 2, (2, 1, 0)
    found: Counter[tuple[int, int, int]] = Counter()
    for escort, pair, free, gunner in throws(4):
        down = int(escort >= 5) + int(gunner == 6)  # grade 2 at grade 1: fives too
        found[min(2, down), int(pair == 6), int(free >= 5)] += 1
    assert odds.fight(escorts, patrol, bombers, grades) == Dist(found)


def test_half_a_patrol_meets_a_raid_without_radar_or_in_high_seas_and_none_by_night() -> None:
    cases = [*product((True, False), ("good", "rough", "night"))]
    assert [planes.engaged(5, radar, weather) for radar, weather in cases] == [5, 3, 0, 3, 3, 0]
    assert odds.fight(3, 5, 6, weather="night") == Dist.point((0, 0, 0))


def brute_attack(aircraft: int, dice: int, need: int, each: int) -> Dist[int]:
    found: Counter[int] = Counter()
    for thrown in throws(dice):
        left = aircraft - min(aircraft, thrown.count(6))
        for pairs in product(product(SIDES, repeat=2), repeat=left):
            hits = [again if first == 6 else 0 for first, again in pairs if first >= need]
            found[each * sum(3 if again == 6 else 1 for again in hits)] += 36 ** (aircraft - left)
    return Dist(found)


def test_an_attack_is_guns_and_then_what_is_left_drops() -> None:
    mtb = TABLES.ships["S 38"]  # one die; fast
    assert odds.attack("Swordfish", 2, mtb) == brute_attack(2, 1, 6, 100)
    slow = TABLES.ships["Patrick Henry"]  # 11 knots, one die; no armour to pierce
    assert odds.attack("Dauntless", 2, slow) == brute_attack(2, 1, 5, 60)


def test_a_strike_adds_up_flights_at_the_speed_she_had() -> None:
    target = TABLES.ships["S 38"]
    one = brute_attack(1, 1, 6, 100)
    found = odds.strike([("Swordfish", 1), ("Swordfish", 1)], target)
    both = one + one
    assert found.sunk == both.at_least(target.sinking_rate + 1)
    quarter = [both.chance(lambda p, q=q: 4 * p >= q * target.sinking_rate) for q in (1, 2, 3, 4)]  # type: ignore[misc]
    assert found.quarters == tuple(quarter)
    tells = odds.flak(1, 1).chance(lambda off: off[0] == 0) * F(1, 36)
    assert found.screws == 1 - (1 - tells) ** 2
    assert odds.strike([], target, target.sinking_rate).quarters[3] == 1


def test_a_hunt_is_the_boat_being_there_and_the_die() -> None:
    lies = {"F6": F(1, 5), "F7": F(4, 5)}
    assert odds.hunt("asdic 1941", lies, "F6") == F(1, 5) * F(2, 6)
    assert odds.hunt("asdic 1943", lies, "F7", own="F6") == F(4, 5) * F(1, 6)
    assert odds.hunt("asdic 1941", lies, "F7", own="F6") == 0 == odds.hunt("asdic 1941", lies, "A1")
    assert odds.hunt("asdic 1941", lies, "F6", rough=True) == F(1, 5) * F(1, 6)


def test_where_she_is_follows_every_path() -> None:
    paths: Counter[tuple[int, int]] = Counter()
    steps = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
    searched = ({(5, 5): 2}, {(5, 5): 1, (5, 6): 1})
    for way in product(steps, repeat=2):
        at, weight = (5, 5), F(1)
        for (down, right), squares in zip(way, searched, strict=True):
            at = at[0] + down, at[1] + right
            weight *= F(2, 3) ** squares.get(at, 0)
        paths[at] += weight  # type: ignore[assignment]
    total = sum(paths.values())
    found = odds.where({"F6": F(1)}, [{"F6": 2}, {"F6": 1, "G6": 1}])
    assert found == {f"{'ABCDEFGH'[column]}{row + 1}": chance / total for (row, column), chance in paths.items()}
    with refused(OptionError, FLEET.phrase("air.start")):
        odds.where({"F6": F(1, 2)}, [])


def test_a_boat_is_hunted_along_every_path() -> None:
    """Two moves of one hunter, who searches the likeliest square, ties by row and column."""
    broken = 1 - F(35, 36) ** 4
    steps = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
    first = F(1, 5) * F(1, 3)  # in any of the five, the first of them searched
    again = F(0)
    after = {step: (F(2, 3) if step == (-1, 0) else F(1)) for step in steps}
    spread: Counter[tuple[int, int]] = Counter()
    for (row, column), weight in after.items():
        for down, right in steps:
            spread[row + down, column + right] += weight / 5  # type: ignore[assignment]
    likeliest = max(spread.values())
    again += (F(1) / 5) * likeliest * F(1, 3) * broken
    again += first * (1 - broken) * F(1, 5) * F(1, 3) * broken
    assert odds.hunted("asdic 1941", 1, 2) == [first * broken, first * broken + again]
    assert odds.hunted("asdic 1941", 0, 3) == [0, 0, 0]


@pytest.mark.parametrize("call, error", [
    (lambda: odds.flak(-1, 2), OptionError), (lambda: odds.drop(2, 3), OptionError),
    (lambda: odds.charges(-1), OptionError), (lambda: odds.attack("Zero", 3, "Bismarck"), OptionError),
    (lambda: odds.attack("Val", 3, "Bismarck", level=True), OptionError),
    (lambda: odds.attack("Val", 3, "Bismarck", weather="fog"), OptionError),
    (lambda: odds.attack("Spad", 3, "Bismarck"), DataError),
    (lambda: odds.hunted("radio", 1, 1), DataError), (lambda: odds.fight(1, -1, 1), OptionError),
    (lambda: odds.strike([], "Bismarck", 5000), OptionError),
])  # fmt: skip
def test_what_cannot_be_asked_is_refused(call: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()  # type: ignore[operator]


# Rules that these dice are ----------------------------------------------------------------------------------------


def test_F62_half_the_guns_fire_at_night_in_high_seas_and_at_level_bombers() -> None:
    target, consort = any_ship("Prince of Wales"), any_ship("Repulse")
    assert planes.flak_dice(target, (consort,)) == target.anti_aircraft + consort.anti_aircraft // 2
    full = planes.flak_dice(target, (consort,))
    assert {planes.flak_dice(target, (consort,), weather, level) for weather, level in
            (("night", False), ("rough", False), ("good", True), ("night", True))} == {full // 2}


def test_F63_a_six_breaks_off_and_then_a_five_loses() -> None:
    assert odds.flak(9, 1) == Dist({(0, 0): 15, (1, 0): 2, (1, 1): 1})


def test_F64_grades_make_fives_and_fours_hit() -> None:
    assert [planes.fight_need(own, other) for own, other in ((1, 1), (0, 2), (2, 1), (2, 0), (3, 0))] == [6, 6, 5, 4, 4]


def test_F66_a_slow_ship_is_hit_by_fives_and_one_in_harbour_by_fours() -> None:
    assert [planes.need(squares) for squares in (5, 3, 2, 1)] == [6, 6, 5, 5] and planes.need(5, True) == 4


def test_F67_bombs_do_half_to_heavy_armour_and_all_of_it_tells_on_a_ranged_deck() -> None:
    heavy, light = any_ship("Bismarck"), any_ship("Shokaku")
    assert [planes.points_of(ship, "dive", 60, piercing) for ship in (heavy, light) for piercing in (False, True)] == [
        30, 60, 60, 60]
    assert planes.points_of(heavy, "torpedo", 100, False) == 100
    assert odds.drop(1, 6, "dive", True)[1, 1] == F(1, 6)


# History ----------------------------------------------------------------------------------------------------------


def hits(flights: tuple[int, ...], dice: int, need: int = 6) -> float:
    """Mean hits of flights of that many at so many dice each."""
    return sum(float(odds.flak(n, dice).bind(lambda off, n=n: odds.drop(n - off[0], need)).map(lambda h: h[0]).mean)  # type: ignore[misc]
               for n in flights)


def lost(flights: tuple[int, ...], dice: int) -> float:
    return sum(float(odds.flak(n, dice).map(lambda off: off[1]).mean) for n in flights)


@pytest.mark.parametrize("what, here", [
    (hits((8, 7, 9), 3), 3.75),  # Swordfish at Bismarck in high seas: history 3, perhaps 4
    (lost((8, 7, 9), 3), 0.5),  # none
    (hits((11, 11, 11), 12), 4.5), (hits((9, 9), 12), 2.3),  # Coral Sea, Vals and Kates: 3 and 2
    (hits((8, 8, 8, 4), 9), 3.7),  # Dauntlesses at Shokaku: 3
    (hits((9, 9, 7), 4), 3.8), (hits((9, 4), 4), 1.9),  # Midway, Kaga and Soryu: 4 and 3
    (hits((11,), 0, 4), 5.5),  # Taranto: 5 or 6
    (lost((9,), 7) / 9, 0.04), (lost((9,), 18) / 9, 0.11), (lost((9,), 22) / 9, 0.14),  # 3 to 15 %
    (lost((11, 11, 11, 9, 9), 12) / 51, 0.07),
])  # fmt: skip
def test_history_in_the_air(what: float, here: float) -> None:
    assert what == pytest.approx(here, abs=0.05 if here > 1 else 0.006)


def test_history_of_ranged_decks_and_screws() -> None:
    """Midway: past three quarters of 630 and 350 points; the rudder of Bismarck."""
    for flights, rate, here in (((9, 9, 7), 630, 0.76), ((9, 4), 350, 0.60)):
        points: Dist[int] = Dist.point(0)
        for n in flights:
            points = points + odds.flak(n, 4).bind(
                lambda off, n=n: odds.drop(n - off[0], 6, "dive", True).map(lambda h: 180 * h[0]))  # type: ignore[misc]
        assert float(points.at_least(3 * rate / 4)) == pytest.approx(here, abs=0.006)
    swordfish = odds.strike([("Swordfish", 8), ("Swordfish", 7)], "Bismarck", weather="rough")
    assert float(swordfish.screws) == pytest.approx(0.33, abs=0.006)
    val = odds.fight(4, 20, 18, (2, 2, 0)).map(lambda down: down[2]).mean  # Hiryu's Vals: 10 or 11 shot down
    assert float(val) == pytest.approx(8.0, abs=0.05)


@pytest.mark.parametrize("n, here", [(5, 0.055), (10, 0.107), (14, 0.131)])
def test_history_under_the_sea(n: int, here: float) -> None:
    assert float(odds.charges(n).chance(lambda sixes: sixes[1] > 0)) == pytest.approx(here, abs=0.0006)


def test_history_of_searches() -> None:
    after = odds.where({"F6": F(1)}, [{"F6": 2}])
    assert after["F6"] == F(1, 10) and {after[square] for square in ("E6", "G6", "F5", "F7")} == {F(9, 40)}
    late, early = (odds.hunted(gear, 2, 8)[-1] for gear in ("asdic 1943", "asdic 1939"))
    assert late > 2 * early > 0 and odds.hunted("Squid 1944", 2, 8)[-1] > late
    assert raids.speed(any_ship("Bismarck"), 3) == 1


def test_history_of_hedgehog_and_squid() -> None:
    """47 of 268 attacks, and one in 2.6."""
    for gear, here, history in (("Hedgehog 1943", 1 / 6, 0.175), ("Squid 1944", 1 / 3, 0.38)):
        kills = float(hunting.pattern(TABLES.gear[gear]).chance(lambda hits: hits[1] > 0))
        assert kills == pytest.approx(here) and kills == pytest.approx(history, abs=0.05)


def test_history_of_torpedoes_by_night() -> None:
    """About two in five hit: more against the beam, fewer as the target turns away."""
    shares = [float(odds.torpedoes("G7a", 2, aspect).mean) / 200 for aspect in ("beam", "diagonal", "end")]
    assert shares == pytest.approx([1 / 2, 1 / 3, 1 / 6])
    assert shares[1] < 0.37 < 0.4 < shares[0]


PLAYS = 3_000
RAIDS = ((3, 8, True), (4, 9, False), (4, 8, False), (5, 8, False), (5, 9, True), (6, 9, False), (6, 9, False),
         (6, 8, False), (7, 9, True), (7, 8, True))
"""Move, aircraft, and whether they bomb: 51 with torpedoes, 34 with bombs."""
FOCUS = 0.6  # how often they keep to a ship that is slowed already


def force_z(rng: np.random.Generator) -> tuple[int, int, int]:
    """The day of Force Z with nobody to guard it, by fixed habits: torpedo hits, aircraft lost, ships sunk."""
    nell, cards = planes.plane("Nell"), [any_ship(name) for name in ("Prince of Wales", "Repulse")]
    damage, screws, to_go, away, hits, lost = [0, 0], [False, False], [24, 24], [False, False], 0, 0

    def speed(n: int) -> int:
        return 1 if screws[n] else raids.speed(cards[n], min(3, quarters(damage[n], cards[n].sinking_rate)))

    def afloat() -> list[int]:
        return [n for n in (0, 1) if damage[n] <= cards[n].sinking_rate and not away[n]]

    waiting: list[tuple[int, bool]] = []
    for move in range(1, 13):
        fog = rng.integers(6) == 0
        for n in afloat():  # who lies in the last squares leaves in the next move
            away[n] = to_go[n] <= 0
            to_go[n] -= 1 if fog else speed(n)
        waiting += [(count, level) for when, count, level in RAIDS if when == move]
        if fog:
            continue
        needs = [planes.need(speed(n)) for n in (0, 1)]  # as she was when the fire began (F19)
        there = afloat()
        for count, level in waiting if there else ():
            up = afloat() or there  # all damage falls at the end of the move
            slowed = [n for n in up if needs[n] == 5]
            to = slowed[0] if slowed and rng.random() < FOCUS else int(rng.choice(up))
            dice = planes.flak_dice(cards[to], [cards[n] for n in up if n != to], level=level)
            off = min(count, int(rng.binomial(dice, 1 / 6)))
            lost += int(rng.binomial(off, 1 / 3))
            thrown = -(-(count - off) // 3) if level else count - off
            first, again = rng.integers(1, 7, thrown), rng.integers(1, 7, thrown)
            hit, told = int((first >= needs[to]).sum()), int(((first == 6) & (again == 6)).sum())
            weapon, load, piercing = nell.drops(level)
            damage[to] += planes.points_of(cards[to], weapon, load, piercing) * (hit + (planes.TELLS - 1) * told)
            if weapon == "torpedo":
                hits, screws[to] = hits + hit, screws[to] or told > 0
        waiting = []
    return hits, lost, sum(damage[n] > cards[n].sinking_rate for n in (0, 1))


def test_history_of_force_z() -> None:
    """About 8 of 49 torpedoes hit, three aircraft were lost, and both ships: as the design worked it out."""
    rng = np.random.default_rng(1941)
    hits, lost, sunk = np.array([force_z(rng) for _ in range(PLAYS)]).T
    for found, here in ((hits, 8.5), (lost, 2.6), (sunk >= 1, 0.71), (sunk == 2, 0.17)):
        rounding = 0.05 if here > 1 else 0.005
        assert abs(found.mean() - here) <= 4 * found.std() * sqrt(1 / PLAYS + 1 / 4_000) + rounding  # its plays
