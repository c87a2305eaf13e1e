"""The odds of Fleet Action against dice thrown one by one: all of them, or very many."""

from __future__ import annotations
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError, OptionError
from navalkit.games.fleet_action import odds
from navalkit.games.fleet_action.cards import TABLES, guns_out, quarters, read_ships, ship
from navalkit.testing import refused
from ....sentences import FLEET

BOATS = """
[[ship]]
name = "Ant"
type = "destroyer"
displacement = 500
speed = 30
sinking_rate = 6
main = [{ gun = "5in/38", forward = 1 }, { gun = "8in/45", aft = 1 }]

[[ship]]
name = "Bee"
type = "destroyer"
displacement = 500
speed = 30
sinking_rate = 9
main = [{ gun = "5in/50 3rd Year", forward = 1, aft = 1, port = 1 }]

[[ship]]
name = "Wasp"
type = "destroyer"
displacement = 500
speed = 30
sinking_rate = 5
main = [{ gun = "6in/50", forward = 1 }]
secondary = [{ gun = "3in", starboard = 1 }]
"""
ANT, BEE, WASP = read_ships(BOATS)


# One move -----------------------------------------------------------------------------------------------------------


def thrown(gun, guns, squares, firings, same_target=True):
    """Every throw of the dice of a salvo."""
    dice = [[1, 2, 3, 4, 5, 6]] * (guns * firings)
    totals = Counter()
    for throw in product(*dice):
        total = 0
        for i, die in enumerate(throw):
            later = same_target and i >= guns
            need = 4 if later else 5 if squares < gun.range else 6
            total += gun.damage * (die >= need and squares <= gun.range)
        totals[total] += 1
    return Dist(totals)


@pytest.mark.parametrize("same_target", [True, False])
@pytest.mark.parametrize("name", ["5in/38", "16in/50 Mk 7", "8in Mk VIII", "3in"])
@pytest.mark.parametrize("guns, firings", [(0, 1), (1, 0), (1, 1), (1, 4), (2, 2), (5, 1), (1, 3)])
def test_a_salvo_is_every_throw_of_its_dice(name, guns, firings, same_target):
    gun = TABLES.guns[name]
    firings = min(firings, gun.firings)
    for squares in (0, gun.range - 1, gun.range, gun.range + 1):
        counted = thrown(gun, guns, squares, firings, same_target)
        assert odds.salvo(name, guns, squares, firings=firings, same_target=same_target) == counted


def test_a_salvo_fires_as_often_as_the_gun_can():
    gun = TABLES.guns["6in/50 Mk XXIII"]
    assert odds.salvo(gun, 2, 3) == odds.salvo(gun.name, 2, 3, firings=3) == thrown(gun, 2, 3, 3)


@given(st.sampled_from(list(TABLES.guns.values())), st.integers(0, 12), st.integers(0, 10))
def test_mean_damage_is_the_mean_of_the_salvo(gun, guns, squares):
    assert odds.salvo(gun, guns, squares).mean == guns * gun.mean_damage(squares)


@pytest.mark.parametrize("aspect, need", [("beam", 4), ("diagonal", 5), ("end", 6)])
@pytest.mark.parametrize("tubes", [0, 1, 2, 5])
def test_torpedoes_are_every_throw_of_their_dice(aspect, need, tubes):
    throws = Counter(120 * sum(die >= need for die in throw) for throw in product(range(1, 7), repeat=tubes))
    assert odds.torpedoes("Type 93", tubes, aspect) == Dist(throws)


def test_a_mine_is_two_dice_by_ten_and_a_double_six_nothing():
    damage = odds.mine()
    assert damage[0] == damage[20] == Fraction(1, 36) and damage[120] == 0 and damage[110] == Fraction(2, 36)
    assert damage.mean == Fraction(2520 - 120, 36)


def test_a_broadside_is_the_sum_of_the_mounts_that_bear():
    iowa = ship("Iowa")
    main, secondary = "16in/50 Mk 7", "5in/38"
    assert odds.broadside("iowa", 3, 2) == odds.salvo(main, 9, 3) + odds.salvo(secondary, 10, 3)
    assert odds.broadside(iowa, 3, 0) == odds.salvo(main, 6, 3)
    assert odds.broadside(iowa, 3, 4) == odds.salvo(main, 3, 3)
    assert odds.broadside(iowa, 8, 6) == odds.salvo(main, 9, 8)
    assert odds.broadside(iowa, 3, -2, guns=(4, 1, 3, 0)) == odds.salvo(main, 5, 3) + odds.salvo(secondary, 3, 3)


def test_guns_are_lost_where_they_cost_least():
    assert odds.guns_left(ANT, 2) == (0, 1)  # the 8in does more in a move than the 5in
    assert odds.guns_left(ANT, 2, 3, relative=0) == (1, 0)  # but right aft it does not bear right ahead
    assert odds.guns_left(ANT, 4) == (0, 0)
    assert odds.guns_left(BEE, 2, 3, relative=2) == (1, 0, 0)  # the port gun does not bear
    assert odds.guns_left(BEE, 1, 3, relative=0) == (1, 1, 0)  # nor does the after gun; of two alike the last listed
    assert odds.guns_left(WASP, 4) == (0, 1)  # secondary guns stay


@given(st.sampled_from(list(TABLES.ships.values())), st.integers(0, 4), st.integers(0, 9), st.integers(0, 7))
def test_only_main_guns_are_lost_and_as_many_as_due(card, quarter, squares, relative):
    left = odds.guns_left(card, quarter, squares, relative)
    lost = [mount.guns - n for mount, n in zip(card.mounts, left, strict=True)]
    assert all(n >= 0 for n in lost) and sum(lost) == guns_out(card.main_guns, quarter)
    assert all(mount.battery == "main" for mount, n in zip(card.mounts, lost, strict=True) if n)


def test_sinking_needs_more_than_the_rate():
    nine_hits = Dist.point(900)
    (awash,) = read_ships(BOATS.split("\n\n")[0].replace("= 6", "= 900"))
    assert odds.sink_chance(awash, 0, nine_hits) == 0 and odds.sink_chance(awash, 1, nine_hits) == 1
    two = odds.sink_chance("Fletcher", 0, odds.torpedoes("Type 93", 3, "end"), odds.mine())
    assert two == 1 - Fraction(5, 6) ** 3 * odds.mine().cdf(ship("Fletcher").sinking_rate)
    assert odds.sink_chance("Fletcher", 75) == 0


def test_odds_shown_are_what_100_000_shots_give():
    rng = np.random.default_rng(4)
    n, card, squares = 100_000, ship("Admiral Graf Spee"), 4
    damage = np.zeros(n, dtype=int)
    for name, guns in (("11in SK C/28", 6), ("15 cm SK C/28", 4)):
        gun = TABLES.guns[name]
        for firing in range(gun.firings):
            dice = rng.integers(1, 7, (n, guns))
            damage += gun.damage * (dice >= (4 if firing else 5)).sum(axis=1)
    exact = odds.broadside(card, squares)
    assert abs(damage.mean() - float(exact.mean)) < 4 * exact.sd / n**0.5
    for points in (20, 35, 50, 60):
        p = float(exact.at_least(points))
        assert abs((damage >= points).mean() - p) < 4 * (p * (1 - p) / n) ** 0.5


# Many moves ---------------------------------------------------------------------------------------------------------


def fire(card, squares, relative, quarter):
    """Damage of a ship's fire in one move, by every throw of her dice."""
    left = odds.guns_left(card, quarter, squares, relative)
    total = Dist.point(0)
    for mount, guns in zip(card.mounts, left, strict=True):
        if mount.bears(relative):
            gun = TABLES.guns[mount.gun]
            total = total + thrown(gun, guns, squares, gun.firings)
    return total


def duelled(a, b, squares, relative=(2, 2), damage=(0, 0)):
    """The ends of a duel, (a alone, b alone, both, neither) and mean moves, by going through every state."""
    fires = [[fire(card, squares, r, q) for q in range(5)] for card, r in zip((a, b), relative, strict=True)]

    @cache
    def ends(i, j):
        if i > a.sinking_rate or j > b.sinking_rate:
            sunk = (i > a.sinking_rate, j > b.sinking_rate)
            return tuple(Fraction(sunk == end) for end in ((False, True), (True, False), (True, True))) + (0, 0)
        ours = fires[0][quarters(i, a.sinking_rate)]
        theirs = fires[1][quarters(j, b.sinking_rate)]
        again = ours[0] * theirs[0]
        if again == 1:
            return 0, 0, 0, 1, 0
        sums = [Fraction(0)] * 5
        for x, p in theirs.items():
            for y, q in ours.items():
                if x or y:
                    sums = [s + p * q * value for s, value in zip(sums, ends(i + x, j + y), strict=True)]
        sums[4] += 1
        return tuple(s / (1 - again) for s in sums)

    return ends(*damage)


@pytest.mark.parametrize(
    "a, b, squares, options",
    [
        (ANT, BEE, 2, {}),
        (BEE, ANT, 4, {}),
        (ANT, WASP, 3, {}),
        (WASP, WASP, 2, {"relative": (0, 2)}),
        (BEE, BEE, 3, {"relative": (0, 6), "damage": (3, 0)}),
        (WASP, BEE, 2, {"damage": (5, 8)}),
        (ANT, ANT, 1, {"relative": (4, 0)}),
    ],
)
def test_a_duel_is_the_sum_over_all_its_states(a, b, squares, options):
    result = odds.duel(a, b, squares, **options)
    exact = duelled(a, b, squares, **options)
    for ours, theirs in zip((result.a, result.b, result.both, result.neither, result.time), exact, strict=True):
        assert ours == pytest.approx(float(theirs), abs=1e-10)
    assert result.sunk[0][-1] == pytest.approx(float(exact[1] + exact[2]), abs=1e-10)
    assert result.sunk[1][-1] == pytest.approx(float(exact[0] + exact[2]), abs=1e-10)


def test_ships_that_cannot_reach_each_other_have_no_duel():
    result = odds.duel("Ajax", "MTB 102", 9)
    assert (result.a, result.b, result.both, result.neither, result.time) == (0, 0, 0, 1, 0)


def test_a_duel_of_equals_is_even_and_turning_it_round_turns_the_result():
    even = odds.duel("Ajax", "Ajax", 4)
    assert even.a == pytest.approx(even.b, abs=1e-12)
    there, back = odds.duel("Suffolk", "Prinz Eugen", 5), odds.duel("Prinz Eugen", "Suffolk", 5)
    assert (there.a, there.b, there.time) == pytest.approx((back.b, back.a, back.time), abs=1e-10)
    assert there.a + there.b + there.both + there.neither == pytest.approx(1, abs=1e-9)


def test_a_duel_is_what_many_thrown_duels_give():
    """Ajax, already hit, against Achilles; eight 6in and two 4in each, all dice thrown."""
    n, squares, start = 4000, 3, (20, 0)
    cards = (ship("Ajax"), ship("Achilles"))
    rng = np.random.default_rng(9)
    damage = np.tile(np.array(start), (n, 1))
    rates = np.array([card.sinking_rate for card in cards])
    alive, moves = np.ones(n, dtype=bool), np.zeros(n)
    while alive.any():
        moves += alive
        dealt = np.zeros((n, 2), dtype=int)
        for side in (0, 1):
            full = np.minimum(4, 4 * damage[:, side] // rates[side])
            main = 8 - (2 * 8 * full + 4) // 8
            for name, guns in (("6in/50 Mk XXIII", main), ("4in", np.full(n, 2))):
                gun = TABLES.guns[name]
                for firing in range(gun.firings):
                    dice = rng.integers(1, 7, (n, 8)) * (np.arange(8) < guns[:, None])
                    need = 4 if firing else 5 if squares < gun.range else 6
                    dealt[:, 1 - side] += gun.damage * (dice >= need).sum(axis=1)
        damage += dealt * alive[:, None]
        alive &= (damage <= rates).all(axis=1)
    sunk = damage > rates
    exact = odds.duel(*cards, squares, damage=start)
    shares = {
        (sunk[:, 1] & ~sunk[:, 0]).mean(): exact.a,
        (sunk[:, 0] & ~sunk[:, 1]).mean(): exact.b,
        sunk.all(axis=1).mean(): exact.both,
    }
    for share, p in shares.items():
        assert 0.01 < p < 0.99 and abs(share - p) < 4 * (p * (1 - p) / n) ** 0.5
    assert abs(moves.mean() - exact.time) < 4 * moves.std() / n**0.5
    by_move = odds.sink_within(*reversed(cards), squares, 30, damage=start[0], answered=True)
    k = int(exact.time)
    share = (sunk[:, 0] & (moves <= k)).mean()
    p = by_move[k - 1]
    assert 0.01 < p < 0.99 and abs(share - p) < 4 * (p * (1 - p) / n) ** 0.5


def test_steady_fire_is_a_convolution():
    fires = fire(ANT, 2, 2, 0)
    done, expected = Dist.point(0), []
    for _ in range(5):
        done = done + fires
        expected.append(done.at_least(BEE.sinking_rate + 1 - 3))
    assert odds.sink_within(ANT, BEE, 2, 5, damage=3) == expected
    assert all(isinstance(chance, Fraction) for chance in expected)
    assert odds.sink_within(ANT, BEE, 2, 0) == []


def test_an_answer_can_only_lower_the_chance_to_sink():
    alone = odds.sink_within("Exeter", "Admiral Graf Spee", 5, 25)
    answered = odds.sink_within("Exeter", "Admiral Graf Spee", 5, 25, answered=True)
    assert all(a <= b + 1e-12 for a, b in zip(answered, alone, strict=True)) and answered[-1] < alone[-1]
    assert answered == sorted(answered) and len(answered) == 25
    assert odds.sink_within("Ajax", "MTB 102", 9, 3, answered=True) == [0, 0, 0]
    # against a ship that cannot reach there is no difference
    far = {"relative": (2, 2), "damage": 10}
    one, other = (odds.sink_within("Iowa", "Fletcher", 7, 6, answered=flag, **far) for flag in (False, True))
    assert other == pytest.approx([float(chance) for chance in one], abs=1e-10)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([ANT, BEE, WASP]), st.sampled_from([ANT, BEE, WASP]), st.integers(0, 5), st.integers(0, 7))
def test_the_ends_of_a_duel_add_up(a, b, squares, relative):
    result = odds.duel(a, b, squares, relative=(relative, relative))
    ends = (result.a, result.b, result.both, result.neither)
    assert sum(ends) == pytest.approx(1, abs=1e-10) and min(ends) >= 0
    assert all((np.diff(row) >= 0).all() and row[0] == 0 for row in result.sunk)


# Refusals -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ask, error, says",
    [
        (
            lambda: odds.salvo("8in", 1, 1),
            DataError,
            FLEET.phrase("table.unknown", what=FLEET("table.gun"), name="'8in'"),
        ),
        (lambda: odds.salvo("4in", -1, 1), OptionError, FLEET.phrase("odds.number", name="guns", value="-1")),
        (lambda: odds.salvo("4in", 1, 1, firings=5), OptionError, FLEET.phrase("odds.limit", name="firings", high=4)),
        (lambda: odds.salvo("4in", 1, 1.5), OptionError, FLEET.phrase("odds.number", name="range")),
        (
            lambda: odds.torpedoes("Mk 15", 5, "bow"),
            OptionError,
            FLEET.phrase("odds.aspect", names="beam, diagonal, end"),
        ),
        (
            lambda: odds.torpedoes("Mk 16", 5, "end"),
            DataError,
            FLEET.phrase("table.unknown", what=FLEET("table.torpedo"), name="'Mk 16'"),
        ),
        (lambda: odds.broadside("Iowa", 5, guns=(9, 20)), OptionError, FLEET.phrase("odds.guns", name="Iowa", n=4)),
        (
            lambda: odds.broadside("Ioway", 5),
            DataError,
            FLEET.phrase("table.unknown", what=FLEET("table.ship"), name="'Ioway'", names="Iowa"),
        ),
        (lambda: odds.duel("Iowa", "Musashi", -1), OptionError, FLEET.phrase("odds.number", name="range")),
        (
            lambda: odds.duel("Iowa", "Musashi", 5, damage=(936, 0)),
            OptionError,
            FLEET.phrase("odds.limit", name=FLEET("odds.damage", name="Iowa")),
        ),
        (lambda: odds.sink_within("Iowa", "Musashi", 5, -1), OptionError, FLEET.phrase("odds.number", name="moves")),
    ],
)
def test_questions_without_an_answer_say_why(ask, error, says):
    with refused(error, says):
        ask()
