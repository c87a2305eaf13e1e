"""The explorer's questions about Task Force, against plain loops over every world."""

from __future__ import annotations
import itertools
from math import log2

import numpy as np
import pytest

from navalkit import explore
from navalkit.core.errors import NavalkitError
from navalkit.core.match import Match
from navalkit.games.task_force.game import TaskForce
from navalkit.games.task_force.questions import NAMES, SEA, known_from
from navalkit.games.task_force.state import UNSEEN
from navalkit.testing import said
from ...sentences import TASK_ASK


def test_what_a_scratch_teaches_and_the_best_square_afterwards_by_plain_loops():
    known = known_from("A1- C3x B5m")
    unseen = [i for i, mark in enumerate(known.seen.marks) if mark == UNSEEN]
    worlds = []  # weight, and what lies on each square: each way to lay a missile is a world of its own
    for i, weight in enumerate(known.found.weights):
        free = np.flatnonzero(known.found.launchers[i])
        laid = list(itertools.combinations(free.tolist(), known.found.missiles))
        for missiles in laid:
            kinds = [0 if known.found.ships[i, s] else 1 if s in missiles else 2 if known.found.submarines[i, s] else 3
                     for s in range(SEA.grid.size)]  # fmt: skip
            worlds.append((weight / len(laid), kinds))
    total = sum(weight for weight, _ in worlds)
    answer = explore.answer("task-look", square="B2", seen="A1- C3x B5m")
    for square in (unseen[0], unseen[7], unseen[-1]):
        bits = best = 0.0
        for kind in range(4):
            fits = [(weight, kinds) for weight, kinds in worlds if kinds[square] == kind]
            share = sum(weight for weight, _ in fits) / total
            if share:
                bits -= share * log2(share)
                best += max(sum(w for w, kinds in fits if kinds[s] == 0) for s in unseen if s != square) / total
        assert answer.plots[0].y[square] == pytest.approx(bits, abs=1e-9)
        assert answer.plots[1].y[square] == pytest.approx(best, abs=1e-9)


def _every_world(seen):
    """Weight and kinds of every world: each way to lay a missile is a world of its own."""
    found = known_from(seen).found
    for i, weight in enumerate(found.weights):
        laid = list(itertools.combinations(np.flatnonzero(found.launchers[i]).tolist(), found.missiles))
        for missiles in laid:
            yield (
                weight / len(laid),
                [
                    0 if found.ships[i, s] else 1 if s in missiles else 2 if found.submarines[i, s] else 3
                    for s in range(SEA.grid.size)
                ],
            )


def _sure(worlds, unseen):
    """The weight of a ship on the square most likely to hide one."""
    return max((sum(w for w, kinds in worlds if kinds[s] == 0) for s in unseen), default=0.0)


def _looked(worlds, unseen, number):
    """The same after a number of scratches, each the best by a look one step ahead."""
    if not number or not unseen:
        return _sure(worlds, unseen)

    def outcomes(s):
        return [[each for each in worlds if each[1][s] == kind] for kind in range(4)]

    def after(s, number):
        left = [each for each in unseen if each != s]
        return sum(_looked(part, left, number) for part in outcomes(s) if part)

    best = max(unseen, key=lambda s: (round(after(s, 0) / sum(w for w, _ in worlds), 9), -s))
    return after(best, number - 1)


@pytest.mark.parametrize("seen", ["B2- C4s", "A1x E5m D3-"])
def test_the_plan_of_scratches_by_plain_loops(seen):
    worlds = list(_every_world(seen))
    unseen = [i for i, mark in enumerate(known_from(seen).seen.marks) if mark == UNSEEN]
    total = sum(weight for weight, _ in worlds)
    y = explore.answer("task-scratches", seen=seen).plots[0].y
    for number in range(3):
        assert y[number] == pytest.approx(_looked(worlds, unseen, number) / total, abs=1e-8)
    assert y[1] == pytest.approx(max(explore.answer("task-look", seen=seen).plots[1].y), abs=1e-8)


def test_more_scratches_make_the_next_one_surer_and_80_percent_takes_one():
    y = explore.answer("task-scratches").plots[0].y
    assert list(y) == sorted(y) and y[-1] == 1.0
    found = explore.inverse("task-scratches", 0.8)
    assert found.least == 1 and y[0] < 0.8 <= found.reached == y[1]


def test_a_map_of_which_little_is_left_is_planned_too():
    ships = "B1x B2x B3x"  # scratch by scratch until nothing is left to find
    marks = [f"{name}-" for name in NAMES if not known_from(ships).odds.hit.ravel()[NAMES.index(name)]]
    assert explore.answer("task-scratches", seen=ships, scratches=4).value <= 1
    assert marks or explore.answer("task-scratches", seen=ships).value > 0


def test_on_a_map_the_sensitivity_tells_which_square_matters_and_one_more_scratch_moves_nothing_on_average():
    here = explore.answer("task-hit", square="C3", seen="A1-")
    found = {each.name: each for each in explore.sensitivity("task-hit", square="C3", seen="A1-")}
    b2, c3, a1 = (TASK_ASK("scratch", square=square) for square in ("B2", "C3", "A1"))
    assert b2 in found and c3 not in found and a1 not in found
    mean = 0.0
    for sign, p in zip("xms-", explore.answer("task-hit", square="B2", seen="A1-").plots[0].y, strict=True):
        mean += p * explore.answer("task-hit", square="C3", seen=f"A1- B2{sign}").value if p else 0.0
    assert mean == pytest.approx(here.value, abs=1e-9)
    assert found[b2].up == ("A1- B2x", explore.answer("task-hit", square="C3", seen="A1- B2x").value)


def test_all_errors_are_sentences_of_ours():
    for given in ({"seen": "A1x A2x A3x A4x A5x B1x"}, {"seen": "A1s B1s"}):
        with pytest.raises(NavalkitError, match=r"\.$"):
            explore.answer("task-hit", **given)


def _near(square: tuple[int, int]) -> set[tuple[int, int]]:
    r, c = square
    return {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}


def _as_told(cruiser: str, missiles: int = 5, hits: str = "", empty: str = "") -> int:
    """The worlds that a student counts on the map of 5 by 5 from what is said alone: fleets and submarines that leave
    room for the missiles, on squares that are not scratched. ``hits``, ``empty``: squares that are, and hold that."""
    board, ways = set(itertools.product(range(5), range(5))), {"row": (0, 1), "column": (1, 0)}

    struck, bare = ({(int(name[1]) - 1, "ABCDE".index(name[0])) for name in each.split()} for each in (hits, empty))

    def places(length, along, columns):
        for (r, c), way in itertools.product(sorted(board), along.split()):
            ship = {(r + i * ways[way][0], c + i * ways[way][1]) for i in range(length)}
            if ship <= board and all(column in columns for _, column in ship):
                yield ship

    def apart(one, other):
        return not other & one.union(*map(_near, one))

    found = 0
    for one in places(4, cruiser, range(5)):
        for two in places(3, "row column", range(5)):
            for three in places(2, "row column", (3, 4)) if apart(one, two) else ():
                ships = one | two | three
                fits = apart(one | two, three) and struck <= ships and not bare & ships
                for sub in board - ships - bare if fits else ():
                    room = [s for s in board - ships - bare - {sub} if _near(s) & ships and sub not in _near(s)]
                    found += not _near(sub) & ships and len(room) >= missiles
    return found


def test_counting_by_what_is_said_gives_the_worlds_of_the_page():
    """Without the rule that the cruiser lies along a row (T1e) a student would count 1,362."""
    answer = explore.answer("task-hit")
    assert answer.facts["worlds"] == _as_told("row") == 752 and _as_told("row column") == 1362
    said(answer.assumes, TASK_ASK, "assumes.map", columns=5)
    said(answer.assumes, TASK_ASK, "assumes.beside")


def test_a_world_without_room_for_the_missiles_left_is_not_counted():
    """Of 41 fleets with their submarine one leaves too few squares for five missiles, these being known to be empty."""
    known = known_from("D1x E1- E2- C4- E4- A5-")
    assert len(known.found.weights) == 41 and (known.found.weights == 0).sum() == 1
    answer = explore.answer("task-hit", seen="D1x E1- E2- C4- E4- A5-")
    assert answer.facts["worlds"] == _as_told("row", hits="D1", empty="E1 E2 C4 E4 A5") == 40


def test_the_real_map_is_that_of_the_fleets_hidden_in_play():
    """What the page weighs from a sample, against fleets that games hid, counted square by square."""
    answer = explore.answer("task-real", column="H", row=5)
    game, games = TaskForce(), 200
    covered = np.zeros((10, 10))
    for seed in range(games):
        for ship in Match.new(game, seed).state.fleet:
            for square in ship:
                covered[divmod(square, 10)] += 1
    for shown, counted in zip(answer.plots, (covered[:, 7], covered[4]), strict=True):
        y = np.array(shown.y)
        assert np.all(np.abs(counted / games - y) < 4.5 * np.sqrt(y * (1 - y) / games) + 0.02)
    said(answer.assumes, TASK_ASK, "task-real.assumes.map")
    assert answer.value == answer.plots[0].y[4]
