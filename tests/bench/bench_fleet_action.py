"""How fast the odds of Fleet Action are, against icepool on the same dice, or plain dictionaries where it is missing.

icepool is a development dependency only. Both sides must agree before they are timed: salvos to the last digit, duels
to 1e-9.
"""

from __future__ import annotations
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from navalkit.games.fleet_action import odds, odds as duels
from navalkit.games.fleet_action.cards import TABLES, ShipCard, quarters, read_ships, ship
from navalkit.games.fleet_action.rules import gunnery

try:
    import icepool
except ImportError:
    icepool = None

SALVOS = [("16in/50 Mk 7", 9, 5), ("11in SK C/28", 6, 8), ("6in/50 Mk XXIII", 8, 3), ("5in/38", 10, 2), ("3in", 24, 1)]
DUEL = ("Fletcher", "Fubuki", 3)
BOATS = """
[[ship]]
name = "Sweeper"
like = "Auk"
sinking_rate = 14

[[ship]]
name = "Trawler"
like = "Halcyon"
sinking_rate = 15
main = [{ gun = "4in", forward = 1 }]
"""


def bench_salvo() -> dict[str, Any]:
    """`odds.salvo` of five batteries, its cache emptied each time, against the same dice thrown by the other."""
    plain = _icepool_salvo if icepool else _plain_salvo
    for question in SALVOS:
        theirs = plain(*question)
        assert {x: p for x, p in theirs.items() if p} == dict(odds.salvo(*question).items()), question

    def ours() -> None:
        gunnery._salvo.cache_clear()
        for question in SALVOS:
            odds.salvo(*question)

    baseline = _seconds(lambda: [plain(*question) for question in SALVOS], repeats=20)
    return _row(
        "fleet_action odds.salvo", _seconds(ours, repeats=20), baseline, "five batteries; equal to the last digit"
    )


def bench_duel() -> dict[str, Any]:
    """`odds.duel` of two destroyers, its cache emptied each time, against the same chain run by the other."""
    plain = _icepool_duel if icepool else _plain_duel
    theirs = plain(*DUEL)
    result = odds.duel(*DUEL)
    for a, b in zip((result.a, result.b, result.both, result.neither), theirs, strict=True):
        assert abs(a - b) < 1e-9, (result, theirs)

    def ours() -> None:
        duels._duel.cache_clear()
        odds.duel(*DUEL)

    baseline = _seconds(lambda: plain(*DUEL), repeats=1)
    return _row(
        "fleet_action odds.duel", _seconds(ours, repeats=5), baseline, f"{DUEL[0]} and {DUEL[1]}; equal to 1e-9"
    )


def bench_duel_mapped() -> list[dict[str, Any]]:
    """`odds.duel` of two small craft against ``icepool.map(repeat="inf")``, which cannot do bigger ones in minutes."""
    if not icepool:
        return []
    a, b = read_ships(BOATS)
    result = odds.duel(a, b, 2)
    for ours, theirs in zip((result.a, result.b, result.both, result.neither), _mapped_duel(a, b, 2), strict=True):
        assert abs(ours - theirs) < 1e-9, result

    def again() -> None:
        duels._duel.cache_clear()
        odds.duel(a, b, 2)

    baseline = _seconds(lambda: _mapped_duel(a, b, 2), repeats=1)
    return [_row("fleet_action odds.duel, small craft", _seconds(again, repeats=5), baseline, "equal to 1e-9")]


# The same with icepool --------------------------------------------------------------------------------------------


def _icepool_salvo(name: str, guns: int, squares: int) -> dict[int, Fraction]:
    die = _icepool_fire(name, guns, squares)
    return {outcome: die.probability(outcome) for outcome in die}


def _icepool_fire(name: str, guns: int, squares: int) -> Any:
    gun = TABLES.guns[name]
    if squares > gun.range:
        return icepool.Die([0])
    first = guns @ (icepool.d6 >= (5 if squares < gun.range else 6))
    later = (guns * (gun.firings - 1)) @ (icepool.d6 >= 4)
    return (first + later) * gun.damage


def _icepool_duel(a: str, b: str, squares: int) -> tuple[float, ...]:
    """The chain with icepool's dice as weights: each state's mass goes on by the product of both ships' fires."""

    def fire(card: ShipCard, quarter: int) -> dict[int, float]:
        total = icepool.Die([0])
        for name, guns in _bearing(card, quarter, squares).items():
            total = total + _icepool_fire(name, guns, squares)
        return {outcome: float(total.probability(outcome)) for outcome in total}

    return _chain(ship(a), ship(b), fire)


def _mapped_duel(a: ShipCard, b: ShipCard, squares: int) -> tuple[float, ...]:
    """The chain as a die of states that is mapped for ever."""
    rates = (a.sinking_rate, b.sinking_rate)

    def fire(card: ShipCard, damage: int, left: int) -> Any:
        guns = _bearing(card, quarters(damage, card.sinking_rate), squares)
        total = sum((_icepool_fire(name, n, squares) for name, n in guns.items()), icepool.Die([0]))
        return total.map(lambda points: min(points, left))

    def step(i: int, j: int) -> Any:
        if i > rates[0] or j > rates[1]:
            return (i, j)
        return icepool.tupleize(i + fire(b, j, rates[0] + 1 - i), j + fire(a, i, rates[1] + 1 - j))

    ends = icepool.map(step, icepool.Die([(0, 0)]), star=True, repeat="inf")
    chances: Counter[tuple[bool, bool]] = Counter()
    for i, j in ends:
        chances[i > rates[0], j > rates[1]] += ends.probability((i, j))
    return tuple(float(chances[end]) for end in ((False, True), (True, False), (True, True), (False, False)))


# The same with dictionaries ---------------------------------------------------------------------------------------


def _plain_salvo(name: str, guns: int, squares: int) -> dict[int, Fraction]:
    """Die by die: each splits every total so far in two."""
    gun = TABLES.guns[name]
    needs = [5 if squares < gun.range else 6] * guns + [4] * guns * (gun.firings - 1)
    totals = Counter({0: 1})
    for need in needs if squares <= gun.range else ():
        after: Counter[int] = Counter()
        for total, ways in totals.items():
            after[total] += ways * (need - 1)
            after[total + gun.damage] += ways * (7 - need)
        totals = after
    ways = sum(totals.values())
    return {total: Fraction(count, ways) for total, count in totals.items()}


def _plain_duel(a: str, b: str, squares: int) -> tuple[float, ...]:
    def fire(card: ShipCard, quarter: int) -> dict[int, float]:
        total = {0: 1.0}
        for name, guns in _bearing(card, quarter, squares).items():
            after: Counter[int] = Counter()
            for x, p in total.items():
                for y, q in _plain_salvo(name, guns, squares).items():
                    after[x + y] += p * float(q)
            total = dict(after)
        return total

    return _chain(ship(a), ship(b), fire)


def _bearing(card: ShipCard, quarter: int, squares: int) -> dict[str, int]:
    return gunnery.mounts_that_bear(card.mounts, odds.guns_left(card, quarter, squares, 2), 2)


def _chain(a: ShipCard, b: ShipCard, fire: Callable[[ShipCard, int], dict[int, float]]) -> tuple[float, ...]:
    """Every state in order of damage: damage only grows, so that each is done with when its turn comes."""
    fires = [[fire(card, quarter) for quarter in range(5)] for card in (a, b)]
    mass: Counter[tuple[int, int]] = Counter({(0, 0): 1.0})
    ends = [0.0, 0.0, 0.0, 0.0]
    for i in range(a.sinking_rate + 1):
        for j in range(b.sinking_rate + 1):
            here = mass.pop((i, j), 0.0)
            if not here:
                continue
            ours = fires[0][quarters(i, a.sinking_rate)]
            theirs = fires[1][quarters(j, b.sinking_rate)]
            again = ours[0] * theirs[0]
            if again == 1:
                ends[3] += here
                continue
            for x, p in theirs.items():
                for y, q in ours.items():
                    if x or y:
                        sunk = (i + x > a.sinking_rate, j + y > b.sinking_rate)
                        share = here * p * q / (1 - again)
                        if any(sunk):
                            ends[[(False, True), (True, False), (True, True)].index(sunk)] += share
                        else:
                            mass[i + x, j + y] += share
    return tuple(ends)


# Measuring --------------------------------------------------------------------------------------------------------


def _seconds(work: Callable[[], object], repeats: int) -> float:
    """The best time of several runs: the one that other work on the machine disturbed least."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def _row(name: str, ours: float, baseline: float, note: str) -> dict[str, Any]:
    return {
        "name": name,
        "ours_seconds": ours,
        "baseline": "icepool" if icepool else "plain dictionaries",
        "baseline_seconds": baseline,
        "ratio": baseline / ours,
        "note": note,
    }
