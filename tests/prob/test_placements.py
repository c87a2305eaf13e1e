"""Hidden fleets: counted, drawn and searched for, against a slow enumeration of small boards."""

from __future__ import annotations
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from navalkit.core.errors import DataError, NotationError
from navalkit.core.seeds import Stream
from navalkit.games.task_force.state import sea
from navalkit.grids.square import SquareGrid
from navalkit.prob import _transfer, placements
from navalkit.prob.placements import ShipClass, Waters
from navalkit.prob.search import Fleets
from navalkit.testing import refused
from ..sentences import CORE

DESTROYER, FRIGATE = ShipClass("destroyer", 3), ShipClass("frigate", 2, count=2, first=2)
BOARDS = {
    "one ship": Waters(2, 3, (DESTROYER,)),
    "two frigates": Waters(4, 4, (FRIGATE,)),
    "two classes": Waters(4, 4, (DESTROYER, ShipClass("frigate", 2, first=2))),
    "a class of two": Waters(4, 5, (DESTROYER, ShipClass("frigate", 2, count=2))),
    "each way": Waters(
        5, 6, (ShipClass("across", 4, down=False), ShipClass("down", 4, across=False), ShipClass("boat", 2))
    ),
    "deep and shallow": Waters(5, 5, (ShipClass("big", 4, last=3), ShipClass("small", 2, count=2, first=3))),
    "full": Waters(2, 3, (ShipClass("boat", 2, count=2),)),
}
boards = pytest.mark.parametrize("waters", BOARDS.values(), ids=BOARDS.keys())


def slow_fleets(waters: Waters) -> Iterator[frozenset[frozenset[tuple[int, int]]]]:
    """Every legal fleet, by trying every choice of ships: ships are sets of (row, column)."""
    choices = []
    for kind in waters.classes:
        last = waters.columns if kind.last < 0 else kind.last
        lines = set()
        for r, c in product(range(waters.rows), range(waters.columns)):
            for dr, dc, allowed in ((0, 1, kind.across), (1, 0, kind.down)):
                line = frozenset((r + i * dr, c + i * dc) for i in range(kind.length))
                if allowed and all(y < waters.rows and kind.first <= x < last for y, x in line):
                    lines.add(line)
        choices.append(list(combinations(lines, kind.count)))
    for sets in product(*choices):
        ships = [ship for part in sets for ship in part]
        if all(abs(y - v) + abs(x - u) > 1 for a, b in combinations(ships, 2) for y, x in a for v, u in b):
            yield frozenset(ships)


def covered(waters: Waters, fleet: frozenset[frozenset[tuple[int, int]]]) -> frozenset[int]:
    return frozenset(r * waters.columns + c for ship in fleet for r, c in ship)


def fits(waters: Waters, squares: frozenset[int], hits: set[int], water: set[int], beside: set[int]) -> bool:
    near = waters.grid.neighbours
    return hits <= squares and not water & squares and all(squares & set(near[s]) for s in beside)


def ships_of(waters: Waters, fleet: np.ndarray) -> frozenset[frozenset[tuple[int, int]]]:
    cells = waters.placements.cells
    return frozenset(frozenset(divmod(s, waters.columns) for s in cells[p]) for p in fleet.tolist())


def chi_squared(seen: Counter, kinds: list) -> float:
    """In standard deviations above what is to be expected."""
    n, k = seen.total(), len(kinds)
    assert set(seen) <= set(kinds)
    value = sum((seen[x] - n / k) ** 2 for x in kinds) / (n / k)
    return (value - (k - 1)) / (2 * (k - 1)) ** 0.5 if k > 1 else 0.0


# -- the board -------------------------------------------------------------------------------------


@given(st.integers(1, 9), st.integers(1, 9))
def test_squares_are_named_and_found_again(rows: int, columns: int) -> None:
    grid = SquareGrid(rows, columns)
    assert [grid.number(name) for name in grid.names] == list(range(grid.size))
    for s in range(grid.size):
        r, c = grid.place(s)
        assert grid.names[s] == "ABCDEFGHI"[c] + str(r + 1)
        others = [t for t in range(grid.size) if t != s]
        apart = {t: (abs(grid.place(t)[0] - r), abs(grid.place(t)[1] - c)) for t in others}
        assert list(grid.neighbours[s]) == [t for t in others if sum(apart[t]) == 1]
        assert list(grid.around[s]) == [t for t in others if max(apart[t]) == 1]
        assert (s in grid.rim) == (r in (0, rows - 1) or c in (0, columns - 1))


def test_what_is_no_square_or_no_board_is_refused() -> None:
    with refused(NotationError, CORE, "square.notation", names="J10"):
        SquareGrid(10, 10).number("K1")
    with pytest.raises(DataError):
        SquareGrid(0, 4)
    with pytest.raises(DataError):
        ShipClass("boat", 1)


# -- counting --------------------------------------------------------------------------------------


@boards
def test_the_count_is_that_of_a_slow_enumeration(waters: Waters) -> None:
    assert placements.count(waters) == len(set(slow_fleets(waters)))


@boards
@given(st.data())
@settings(max_examples=15, deadline=None)
def test_a_count_with_squares_known_is_that_of_the_fleets_that_fit(waters: Waters, data: st.DataObject) -> None:
    squares = st.sets(st.integers(0, waters.grid.size - 1), max_size=4)
    ship, water = data.draw(squares), data.draw(squares)
    slow = sum(fits(waters, covered(waters, f), ship, water, set()) for f in slow_fleets(waters))
    assert placements.count(waters, ship, water) == slow


def test_eight_rows_of_the_full_game_are_counted_as_printed() -> None:
    from navalkit.games.task_force.odds import count_fleets
    from navalkit.games.task_force.state import TABLES

    assert count_fleets(8) == TABLES.counts[8] == 275_722_824


@pytest.mark.slow
@pytest.mark.parametrize("rows", range(9, 15))
def test_the_other_printed_counts_are_exact(rows: int) -> None:
    from navalkit.games.task_force.odds import count_fleets
    from navalkit.games.task_force.state import TABLES

    assert count_fleets(rows) == TABLES.counts[rows]


@boards
def test_counts_that_may_pass_64_bits_are_taken_in_big_integers(
    waters: Waters, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_transfer, "_fits_int64", lambda waters: False)
    assert placements.count(waters) == len(set(slow_fleets(waters)))


def test_it_is_known_when_64_bits_are_enough() -> None:
    assert _transfer._fits_int64(sea(rows=14).waters)
    assert not _transfer._fits_int64(Waters(40, 14, tuple(ShipClass(str(i), 2) for i in range(7))))
    with refused(DataError, CORE, "placements.too_wide"):
        placements.count(Waters(25, 25, (DESTROYER,)))


def test_identify_knows_a_fleet_from_what_is_none() -> None:
    waters = BOARDS["two classes"]
    legal = [[0, 1, 2], [10, 11]]
    assert placements.identify(waters, legal) is not None
    for wrong in (
        [[0, 1, 2]],
        [[0, 1, 2], [6, 7]],
        [[0, 1, 2], [2, 3]],
        [[0, 1, 2], [8, 9]],
        [[0, 1, 2], [10, 11, 12]],
    ):
        assert placements.identify(waters, wrong) is None


# -- one at random ---------------------------------------------------------------------------------


@boards
def test_every_fleet_is_drawn_equally_often(waters: Waters) -> None:
    kinds = sorted(set(slow_fleets(waters)), key=str)
    n = min(40 * len(kinds), 40_000)
    many = placements.sample(waters, n, np.random.default_rng(1))
    assert chi_squared(Counter(ships_of(waters, fleet) for fleet in many), kinds) < 4.5


def test_every_fleet_is_drawn_equally_often_from_a_seed() -> None:
    waters = BOARDS["two classes"]
    kinds = sorted(set(slow_fleets(waters)), key=str)
    stream = Stream(7, "test")
    drawn = Counter(ships_of(waters, np.array(placements.draw(waters, stream))) for _ in range(20 * len(kinds)))
    assert chi_squared(drawn, kinds) < 4.5


@boards
@pytest.mark.parametrize(
    ("narrow", "most"),
    [(0, 60), (16, 300), pytest.param(16, 1500, marks=pytest.mark.slow)],
    ids=["tries by the thousand", "the sweep", "many sweeps"],
)
def test_where_tries_fail_every_fleet_is_drawn_equally_often_too(
    waters: Waters, narrow: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(placements, "TRIES", 0)
    monkeypatch.setattr(placements, "_NARROW", narrow)
    kinds = sorted(set(slow_fleets(waters)), key=str)
    rng, n = np.random.default_rng(1), min(20 * len(kinds), most)
    drawn = Counter(ships_of(waters, np.array(placements.draw(waters, rng))) for _ in range(n))
    assert chi_squared(drawn, kinds) < 4.5


@boards
def test_a_sweep_draws_in_big_integers_too(waters: Waters, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_transfer, "_fits_int64", lambda waters: False)
    swept = _transfer.Sweep(waters, frozenset(), frozenset(), keep=True)
    fleets = set(slow_fleets(waters))
    assert swept.total == len(fleets)
    assert {ships_of(waters, np.array(swept.draw(np.random.default_rng(s)))) for s in range(20)} <= fleets


def test_a_narrow_board_is_swept_along_its_longer_side_whichever_that_is() -> None:
    tall, wide = (Waters(r, c, (ShipClass("boat", 3, count=2),)) for r, c in ((9, 4), (4, 9)))
    assert placements.count(tall) == placements.count(wide) == len(set(slow_fleets(tall)))


@pytest.mark.parametrize(("rows", "columns", "deep"), [(7, 10, 7), (6, 11, 5), (12, 6, 4)])
def test_fleets_for_which_tries_would_take_minutes_are_drawn_from_the_sweep(rows: int, columns: int, deep: int) -> None:
    waters, rng = sea(rows=rows, columns=columns, deep=deep).waters, np.random.default_rng(2)
    fleets = {placements.draw(waters, rng) for _ in range(5)}
    assert len(fleets) == 5
    assert all(placements.identify(waters, [waters.placements.cells[p] for p in fleet]) == fleet for fleet in fleets)


@boards
def test_tries_succeed_as_often_as_the_count_says(waters: Waters, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all choices of sets, one from each list, exactly one is a given fleet."""
    check_tries(waters, monkeypatch, 0)


@boards
def test_a_class_cut_into_halves_is_drawn_evenly_too(waters: Waters, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its sets are too many to list: each fleet is then several choices of sets, but all equally many."""
    monkeypatch.setattr(placements, "MAX_LIST", 1)
    check_tries(waters, monkeypatch, sum(kind.count - 1 for kind in waters.classes))


def test_the_largest_maps_have_fleets() -> None:
    wide = sea(rows=14, columns=14, deep=7).waters
    fleet = placements.draw(wide, np.random.default_rng(1))
    assert placements.identify(wide, [wide.placements.cells[p] for p in fleet]) == fleet


def check_tries(waters: Waters, monkeypatch: pytest.MonkeyPatch, cuts: int) -> None:
    monkeypatch.setattr(placements, "MERGE", 0)
    parts = placements._Parts(waters)
    legal = 0
    for choice in product(*(range(len(part)) for part in parts.parts)):
        sets = [part[i] for part, i in zip(parts.parts, choice, strict=True)]
        legal += not any(waters.placements.conflict[np.ix_(a, b)].any() for a, b in combinations(sets, 2))
    assert len(parts.parts) == len(waters.classes) + cuts and legal == placements.count(waters) * parts.repeats
    n = min(parts.ways, 20_000)
    drawn = Counter(ships_of(waters, fleet) for fleet in parts.sample(n, np.random.default_rng(4)))
    assert chi_squared(drawn, sorted(set(slow_fleets(waters)), key=str)) < 4.5


def test_tries_for_the_full_fleet_succeed_as_often_as_the_count_says() -> None:
    waters = sea().waters
    parts = placements._parts(waters)
    rng, n = np.random.default_rng(3), 1_000_000
    covered_, alive = np.zeros((n, 2), dtype=np.uint64), np.ones(n, dtype=bool)
    for part, cover, reach in zip(parts.parts, parts.covers, parts.reaches, strict=True):
        pick = rng.integers(len(part), size=n)
        alive &= ~(covered_ & reach[pick]).any(axis=1)
        covered_ |= cover[pick]
    chance = float(358_714_693_566 / placements.tries(waters))
    assert abs(alive.sum() - n * chance) < 4 * (n * chance) ** 0.5


def test_waters_without_a_fleet_are_refused() -> None:
    with refused(DataError, CORE, "placements.no_room"):
        placements.draw(Waters(2, 2, (DESTROYER,)), np.random.default_rng(0))
    assert not placements.possible(Waters(2, 3, (ShipClass("boat", 2, count=3),)))


# -- those that fit --------------------------------------------------------------------------------


@boards
@given(st.data())
@settings(max_examples=20, deadline=None)
def test_the_search_finds_each_fleet_that_fits_once(waters: Waters, data: st.DataObject) -> None:
    squares = st.sets(st.integers(0, waters.grid.size - 1), max_size=3)
    hits, water, beside = data.draw(squares), data.draw(squares), data.draw(squares)
    found = Fleets(waters, hits, water, beside).sample(10**6, np.random.default_rng(0))
    slow = [covered(waters, f) for f in slow_fleets(waters)]
    slow = [squares_ for squares_ in slow if fits(waters, squares_, hits, water, beside)]
    assert found.exact and found.total == len(slow)
    assert Counter(frozenset(np.flatnonzero(row).tolist()) for row in found.ships) == Counter(slow)


@pytest.mark.parametrize("name", ["a class of two", "each way", "deep and shallow"])
@pytest.mark.parametrize("seen", [((), (), ()), ((6,), (), ()), ((), (3,), (7,))])
def test_a_thinned_search_is_unbiased(name: str, seen: tuple[tuple[int, ...], ...]) -> None:
    waters = BOARDS[name]
    task = Fleets(waters, *seen)
    whole = task.sample(10**6, np.random.default_rng(0))
    assert whole.total >= 20
    rng = np.random.default_rng(5)
    runs = [task.sample(12, rng, groups=2) for _ in range(400)]
    assert not any(run.exact for run in runs)
    for truth, estimates in (
        (whole.total, [run.total for run in runs]),
        *((whole.ships[:, s].sum(), [run.weights @ run.ships[:, s] / run.groups for run in runs]) for s in (0, 6, 14)),
    ):
        error = np.std(estimates) / len(runs) ** 0.5
        assert abs(np.mean(estimates) - truth) <= 4 * error + 1e-9


def test_a_thinned_search_counts_the_full_fleet() -> None:
    found = Fleets(sea().waters).sample(10_000, np.random.default_rng(2))
    by_group = np.bincount(found.group, found.weights)
    assert not found.exact and found.ships.sum(axis=1).tolist() == [30] * found.size
    error = by_group.std(ddof=1) / len(by_group) ** 0.5
    assert abs(found.total - 358_714_693_566) < 4.5 * error < 0.2 * 358_714_693_566


def test_squares_that_are_put_together_when_asked_for_are_those_that_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    waters = Waters(6, 5, (ShipClass("three", 3), ShipClass("two", 2, 2)))
    kept, asked = placements._Parts(waters), placements._Parts(waters)
    for one in [*kept.covers, *kept.reaches]:
        assert (one[0] == one[np.arange(1)]).all() and one._known is not None
    monkeypatch.setattr(placements, "KNOWN", 0)
    for one, other in zip([*kept.covers, *kept.reaches], [*asked.covers, *asked.reaches], strict=True):
        which = np.arange(len(one._sets))
        assert (one[which] == other[which]).all() and (one[0] == other[0]).all() and other._known is None
    rngs = [np.random.default_rng(3) for _ in range(2)]
    assert [kept.draw(rngs[0]) for _ in range(20)] == [asked.draw(rngs[1]) for _ in range(20)]
    assert (kept.sample(50, rngs[0]) == asked.sample(50, rngs[1])).all()


@pytest.mark.slow
@pytest.mark.parametrize("rows, columns", [(14, 10), (12, 12), (13, 12)])
def test_the_largest_maps_of_a_link_take_no_more_memory_than_a_page_may(rows: int, columns: int) -> None:
    """They once took 300 MB; an empty page has 113, and the server counts on 180 in all."""
    waters = sea(rows=rows, columns=columns, deep=7, fleet="full").waters
    assert waters.placements is not None
    tracemalloc.start()
    placements._Parts(waters)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 67 << 20
