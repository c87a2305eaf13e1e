"""What is likely where in Task Force, and what is certain: against every world of small maps, listed slowly."""

from __future__ import annotations
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, lcm

import numpy as np
import pytest

import navalkit as nk
from navalkit.core import awaited
from navalkit.core.errors import DataError, NotationError
from navalkit.core.trace import Finding
from navalkit.games.task_force import SMALL, TaskForce, belief, cases, odds
from navalkit.games.task_force.bots import in_ships
from navalkit.games.task_force.deduce import deduce
from navalkit.games.task_force.state import EMPTY, HIT, MARKS, MISSILES, SUBMARINE, UNSEEN, Observation, Phase, Sea, sea
from navalkit.prob import placements
from navalkit.testing import heard, refused, said
from ...samples import sizes
from ...sentences import TASK

SEAS = {
    "one submarine": Sea(sea(rows=4, columns=4, deep=2, fleet="tiny").waters, 1, (0, 3)),
    "two submarines": Sea(sea(rows=4, columns=5, deep=2, fleet="tiny").waters, 2, (1, 1)),
    "three submarines": Sea(sea(rows=5, columns=4, deep=2, fleet="tiny").waters, 3, (4,)),
    "no submarine": Sea(sea(rows=4, columns=4, deep=2, fleet="tiny").waters, 0, (0, 1, 2)),
    "three ships": Sea(sea(rows=4, columns=6, deep=3, fleet="small").waters, 1, (2,)),
}
SLOW = {"two submarines": [pytest.mark.slow]}  # it has by far the most maps
seas = pytest.mark.parametrize("sea_", [pytest.param(s, id=name, marks=SLOW.get(name, ())) for name, s in SEAS.items()])


def beside(sea_: Sea, square: int) -> set[int]:
    r, c = divmod(square, sea_.grid.columns)
    steps = ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
    return {y * sea_.grid.columns + x for y, x in steps if 0 <= y < sea_.grid.rows and 0 <= x < sea_.grid.columns}


@lru_cache(maxsize=8)
def slow_worlds(sea_: Sea) -> list[tuple[str, int]]:
    """Every map there can be with its probability up to a common factor, by the rules one after the other.

    The map shows where things are; missiles are all marked "A", since targets are dealt to them evenly afterwards.
    """
    cells = sea_.waters.placements.cells
    fleets = []
    for choice in combinations(range(len(cells)), sea_.waters.ships):
        ships = [cells[p] for p in choice]
        if placements.identify(sea_.waters, ships):
            fleets.append(frozenset(s for ship in ships for s in ship))
    found = []
    for fleet in set(fleets):
        water = [s for s in range(sea_.grid.size) if s not in fleet]
        lairs = [s for s in water if not beside(sea_, s) & fleet]
        ways = [
            c
            for c in combinations(lairs, sea_.submarines)
            if all(b not in beside(sea_, a) for a, b in combinations(c, 2))
        ]
        for subs in ways:
            launchers = [
                s for s in water if s not in subs and beside(sea_, s) & fleet and not beside(sea_, s) & set(subs)
            ]
            choices = list(combinations(launchers, sea_.missiles))
            for missiles in choices:
                marks = [EMPTY] * sea_.grid.size
                for s in fleet:
                    marks[s] = HIT
                for s in subs:
                    marks[s] = SUBMARINE
                for s in missiles:
                    marks[s] = "A"
                found.append(("".join(marks), len(ways) * len(choices)))
    factor = lcm(*{among for _, among in found})  # whole numbers are added up faster than fractions
    return [(world, factor // among) for world, among in found]


@lru_cache(maxsize=64)
def slow_posterior(seen: Observation) -> dict[str, list[Fraction]]:
    marks = "".join("A" if m in MISSILES else m for m in seen.marks)
    kept = [(w, p) for w, p in slow_worlds(seen.sea) if all(m in (UNSEEN, x) for m, x in zip(marks, w, strict=True))]
    total, sums = sum(p for _, p in kept), {mark: [0] * seen.sea.grid.size for mark in (HIT, "A", SUBMARINE, EMPTY)}
    for world, p in kept:
        for s, mark in enumerate(world):
            sums[mark][s] += p
    names = {"hit": HIT, "missile": "A", "submarine": SUBMARINE, "empty": EMPTY}
    return {name: [Fraction(each, total) for each in sums[mark]] for name, mark in names.items()}


def glimpses(sea_: Sea, n: int, seed: int) -> list[Observation]:
    """Maps that can be, with some squares scratched."""
    rng, found = np.random.default_rng(seed), []
    every = slow_worlds(sea_)
    for _ in range(n):
        world = every[int(rng.integers(len(every)))][0]
        open_ = rng.random(sea_.grid.size) < rng.choice([0.05, 0.15, 0.3, 0.6])
        targets = list(rng.permutation(sea_.targets))
        marks = [
            (MISSILES[targets.pop()] if m == "A" else m) if seen else UNSEEN
            for m, seen in zip(world, open_, strict=True)
        ]
        found.append(Observation(sea_, "".join(marks)))
    return found


# -- the posterior ---------------------------------------------------------------------------------


@sizes("number", 5, 12)
@seas
def test_the_posterior_is_that_of_a_slow_enumeration(sea_: Sea, number: int) -> None:
    for seen in [Observation(sea_, UNSEEN * sea_.grid.size), *glimpses(sea_, number, 1)]:
        fast, slow = odds.posterior(seen), slow_posterior(seen)
        assert fast.exact and not fast.errors.any()
        for name, values in slow.items():
            assert np.allclose(getattr(fast, name).ravel(), np.array(values, dtype=float), atol=1e-9), (str(seen), name)


@sizes("number", 2, 5)
@seas
def test_a_sampled_posterior_is_right_within_its_errors(
    sea_: Sea, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(belief, "EXACT", 0)
    worst = []
    for seen in [Observation(sea_, UNSEEN * sea_.grid.size), *glimpses(sea_, number, 2)]:
        slow = slow_posterior(seen)
        for sample in (200, 4000):  # the first thins the fleets too
            fast = odds.posterior(seen, seed=3, sample=sample)
            assert not fast.exact
            if fast.worlds < 100:
                continue
            for i, (name, values) in enumerate(slow.items()):
                off = np.abs(getattr(fast, name).ravel() - np.array(values, dtype=float))
                worst.append(np.divide(off, fast.errors[i].ravel() + 2e-3).max())
    assert worst and max(worst) < 6


def test_the_standard_errors_are_honest() -> None:
    seen = Observation.parse("/".join(["." * 10] * 3 + ["....xx...."] + ["." * 10] * 6))
    runs = [odds.posterior(seen, seed=s, sample=2000) for s in range(24)]
    spread = np.std([run.hit for run in runs], axis=0, ddof=1)
    told = np.sqrt(np.mean([run.se**2 for run in runs], axis=0))
    inside = spread > 0.002
    assert inside.sum() > 50 and 0.8 < np.median(spread[inside] / told[inside]) < 1.25


def test_probabilities_add_up_and_scratched_squares_are_certain() -> None:
    game = nk.load("task-force")
    match, rng = nk.Match.new(game, 11), np.random.default_rng(0)
    while not match.over:
        if match.ply % 9 == 3:
            seen = match.observe()
            p = odds.posterior(seen, sample=2000)
            assert np.allclose(p.hit + p.missile + p.submarine + p.empty, 1)
            assert p.hit.sum() == pytest.approx(30)
            assert p.missile.sum() == pytest.approx(10) and p.submarine.sum() == pytest.approx(3)
            for s, mark in enumerate(seen.marks):
                if mark != UNSEEN:
                    assert set(p.of(s).values()) == {0.0, 1.0}
        match.play(match.legal()[int(rng.integers(len(match.legal())))])


@sizes("games", 1, 2)
def test_no_probability_passes_one_and_what_is_certain_is_exactly_so(games: int) -> None:
    """Sums of many weights are off by a hair: the arrays are not."""
    game = nk.load("task-force")
    for seed in range(games):
        match, captain = nk.Match.new(game, seed), nk.player("bayes", game, sample=200)
        rng = np.random.default_rng(seed)
        while not match.over:
            seen = match.observe()
            if match.ply % 6 == 0:
                p = odds.posterior(seen, sample=1000)
                for values in (p.hit, p.missile, p.submarine, p.empty):
                    assert values.min() >= 0 and values.max() <= 1
                for finding in deduce(seen):
                    square, certain = seen.sea.grid.number(finding.facts[0].value), finding.facts[1].value
                    assert p.hit.flat[square] == (certain == "hit")
            match.play(captain.decide(seen, match.legal(), rng).action)


def test_a_second_sample_is_taken_where_the_first_errs_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Observation.parse("/".join(["." * 10] * 3 + ["....xx...."] + ["." * 10] * 6))
    monkeypatch.setattr(odds, "ERROR", 1.0)
    one = odds.posterior(seen, seed=5, sample=4000)
    monkeypatch.setattr(odds, "ERROR", 0.001)
    two = odds.posterior(seen, seed=5, sample=4000)
    assert two.worlds > 1.9 * one.worlds and np.median(two.se[two.se > 0]) < 0.85 * np.median(one.se[one.se > 0])
    assert two.hit.sum() == pytest.approx(30)


@sizes("games", 1, 3)
def test_the_true_map_is_never_called_impossible(games: int) -> None:
    """What is hidden has a positive probability wherever it lies, to the end of the game."""
    game = nk.load("task-force")
    for seed in range(games):
        match, rng = nk.Match.new(game, seed), np.random.default_rng(seed)
        while not match.over:
            legal = match.legal()
            if match.ply % 12 == 0:
                p = odds.posterior(match.observe(), sample=20_000)
                for square in {s for ship in match.state.fleet for s in ship}:
                    assert p.hit.flat[square] > 0
            match.play(legal[int(rng.integers(len(legal)))])


def test_errors_stay_small_in_a_real_game() -> None:
    match = nk.Match.new(nk.load("task-force"), 5)
    hidden = match.state
    errors = []
    for order in ("C3", "I2"):
        match.play(order)
        errors.append(odds.posterior(match.observe()).errors.max())
    assert hidden.fleet and max(errors) < 0.01


@pytest.mark.slow
def test_the_empty_map_has_its_exact_marginals() -> None:
    """Nothing seen: ships lie as in a fleet drawn evenly, for there is practically always room (T2e)."""
    seen = Observation(sea(), UNSEEN * 100)
    waters, p, total = sea().waters, odds.posterior(seen, sample=100_000), sea().fleets
    for name in ("A1", "D5", "G6", "H1", "I5", "J10"):
        s = waters.grid.number(name)
        exact = placements.count(waters, ship=[s]) / total
        assert abs(p.hit.flat[s] - exact) < 4.5 * p.se.flat[s] + 1e-4


def test_games_are_dealt_as_the_odds_say() -> None:
    """On a map so small that many a fleet leaves no room, so that everything is drawn anew (T2e)."""
    game, n = TaskForce(**{**SMALL, "submarines": 3}), 1500
    p = odds.posterior(Observation(game.sea, UNSEEN * 25))
    assert p.exact
    dealt, again = np.zeros((3, 25)), 0
    for seed in range(n):
        state = nk.Match.new(game, seed).state
        again += state.tries - 1
        dealt[0, [s for ship in state.fleet for s in ship]] += 1 / n
        dealt[1, [s for s, _ in state.missiles]] += 1 / n
        dealt[2, list(state.submarines)] += 1 / n
    expected = np.stack([p.hit.ravel(), p.missile.ravel(), p.submarine.ravel()])
    z = (dealt - expected) / np.sqrt(expected * (1 - expected) / n)
    assert again > 100 and abs(z).max() < 4.5 and 0.7 < z.std() < 1.3


def test_what_cannot_be_is_refused() -> None:
    with refused(DataError, TASK, "wrong.marks"):
        odds.posterior(Observation.parse("/".join(["xx........", "xx........", *["." * 10] * 8])))
    for text in ("...", "/".join(["." * 10] * 6), "/".join(["." * 9] * 10), "/".join(["?" * 10] * 10)):
        with pytest.raises(NotationError):
            Observation.parse(text)


@pytest.mark.parametrize("sample", [300, 20_000])
def test_the_posterior_is_calculated_in_steps_and_may_be_stopped(sample: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same figures as at once, and the shares that are done."""
    monkeypatch.setattr(awaited.Pace, "__call__", lambda pace: True)  # give way wherever it can be done
    seen = Observation.parse("/".join(["." * 10] * 3 + ["....xx..-."] + ["." * 10] * 6))
    shares: list[float | None] = []

    def watched() -> awaited.Steps[odds.Posterior]:
        steps = odds.weighing(seen, sample=sample)
        while True:
            try:
                shares.append(next(steps))
            except StopIteration as stop:
                return stop.value
            yield

    found = awaited.finish(watched())
    assert len(shares) > 30 and all(share is None or 0 <= share <= 1 for share in shares)
    assert (found.hit == odds.posterior(seen, sample=sample).hit).all()
    given_up = odds.weighing(seen, sample=sample)
    next(given_up)
    given_up.close()
    with pytest.raises(StopIteration):
        next(given_up)


def test_an_observation_reads_back_as_it_was_written() -> None:
    match = nk.Match.new(TaskForce(**SMALL), 1)
    for order in ("A1", "B2", "C3", "E5"):
        match.play(order)
    seen = match.observe()
    assert Observation.parse(str(seen), seen.sea).marks == seen.marks and set(seen.marks) <= set(MARKS)
    assert "|".join(odds.chart(odds.posterior(seen).hit)).count("|") == 4


def test_what_a_scratch_taught_is_measured_in_bits() -> None:
    sea_ = SEAS["one submarine"]
    p = odds.posterior(Observation(sea_, UNSEEN * 16))
    for s in range(16):
        assert 2 ** -odds.taught(p, s, HIT) == pytest.approx(p.hit.flat[s])
        assert 2 ** -odds.taught(p, s, "C") == pytest.approx(p.missile.flat[s])
    sure = odds.posterior(Observation(sea_, UNSEEN * 15 + EMPTY))
    assert odds.taught(sure, 15, EMPTY) == 0 and odds.taught(sure, 15, HIT) == float("inf")


# -- fleets and counts -----------------------------------------------------------------------------


def test_fleets_are_sampled_as_they_are_counted() -> None:
    fleets = odds.sample_fleets(3000, seed=1)
    assert fleets.shape == (3000, 10, 10) and (fleets.sum(axis=(1, 2)) == 30).all()
    assert (fleets == odds.sample_fleets(3000, seed=1)).all()
    small = dict(rows=5, columns=5, deep=3, fleet="small")
    drawn = odds.sample_fleets(20_000, seed=2, **small)
    kinds = Counter(row.tobytes() for row in drawn)
    k = odds.count_fleets(**small)
    z = (sum((v - 20_000 / k) ** 2 for v in kinds.values()) / (20_000 / k) - (k - 1)) / (2 * (k - 1)) ** 0.5
    assert len(kinds) == k and abs(z) < 4.5


def test_chance_says_how_likely_each_hiding_place_was() -> None:
    game = TaskForce(rows=4, columns=4, deep=2, fleet="tiny", submarines=1, missiles=0)
    state = game.initial()
    draw = game.chance(state)
    assert draw[draw.pick(1)] == Fraction(1, draw.total) == Fraction(1, placements.count(game.sea.waters))
    sea_ = SEAS["two submarines"]
    fleets = {w for w, _ in slow_worlds(sea_)}
    assert fleets
    for ships in [sea_.draw_fleet(np.random.default_rng(s)) for s in range(20)]:
        taken = {s for ship in ships for s in ship}
        lairs = [s for s in range(20) if s not in taken and not beside(sea_, s) & taken]
        ways = [c for c in combinations(lairs, 2) if c[1] not in beside(sea_, c[0])]
        assert sea_.count_submarines(ships) == len(ways)
        for subs in ways[:3]:
            places = [
                s for s in range(20) if s not in taken and beside(sea_, s) & taken and not beside(sea_, s) & set(subs)
            ]
            assert sea_.launchers(ships, subs) == tuple(sorted(set(places) - set(subs)))
            assert sea_.count_missiles(ships, subs) == comb(len(places), 2)  # both are aimed at the same ship
    assert sea().count_missiles(((0, 1),), ()) == 0  # three squares for ten missiles
    three = SEAS["no submarine"]
    ships = three.draw_fleet(np.random.default_rng(1))
    assert three.count_missiles(ships, ()) == len(list(permutations(three.launchers(ships, ()), 3)))


@seas
def test_three_submarines_are_counted_without_listing_them(sea_: Sea) -> None:
    wanted = Sea(sea_.waters, 3, sea_.targets)
    for seed in range(10):
        ships = wanted.draw_fleet(np.random.default_rng(seed))
        slow = [
            c
            for c in combinations(wanted.lairs(ships), 3)
            if all(b not in beside(sea_, a) for a, b in combinations(c, 2))
        ]
        assert wanted.count_submarines(ships) == len(slow)


# -- deduction -------------------------------------------------------------------------------------


def leaves(finding: Finding) -> list[Finding]:
    return [leaf for child in finding.children for leaf in leaves(child)] or [finding]


def sure_of(seen: Observation) -> dict[str, str]:
    """What is certain of unscratched squares, from the chances of a slow enumeration."""
    chances, found = slow_posterior(seen), {}
    for s, name in enumerate(seen.sea.grid.names):
        if seen.marks[s] == UNSEEN and chances["hit"][s] in (0, 1):
            found[name] = "hit" if chances["hit"][s] else "empty" if chances["empty"][s] == 1 else "no_ship"
    return found


@sizes("number", 10, 40)
@seas
def test_what_is_deduced_is_all_that_is_certain(sea_: Sea, number: int) -> None:
    """Every square whose chance is 0 or 1 is found, and no other."""
    found = Counter()
    for seen in glimpses(sea_, number, 3):
        told = {f.facts[0].value: f.facts[1].value for f in deduce(seen)}
        assert told == sure_of(seen), str(seen)
        found.update(told.values())
    assert found["hit"] and found["no_ship"] and found["empty"]


def test_a_proof_by_cases_names_what_is_supposed_and_why_it_fails() -> None:
    """On a map of four rows and six columns, where the rules that go step by step are at an end."""
    proved, why = 0, [key for key in TASK.tables["en"] if key.startswith("why.") and not key.endswith(".you")]
    for seen in glimpses(SEAS["three ships"], 40, 3):
        for finding in deduce(seen):
            keys = heard(finding, TASK, *why)
            if any(key.startswith("why.suppose.") for key in keys):
                proved += 1
                assert any(key.startswith(("why.none.", "why.many.", "why.one.")) for key in keys)
                assert all(leaf.question.key == "why.seen" or not seen.marks.strip(UNSEEN) for leaf in leaves(finding))
    assert proved > 5


def test_a_walk_that_takes_too_long_is_given_up_and_nothing_untrue_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "MOST", 3)
    for seen in glimpses(SEAS["three ships"], 20, 4):
        sure = sure_of(seen)
        for finding in deduce(seen):
            square, what = finding.facts[0].value, finding.facts[1].value
            assert sure[square] == what or (what, sure[square]) == ("no_ship", "empty")


def test_every_deduction_rests_on_rules_and_ends_in_what_was_seen() -> None:
    game = nk.load("task-force")
    match, rng = nk.Match.new(game, 4), np.random.default_rng(4)
    for _ in range(45):
        scratches = [a for a in match.legal() if len(str(a)) < 4]
        match.play(scratches[int(rng.integers(len(scratches)))])
    findings = deduce(match.observe())
    assert len(findings) > 10
    for finding in findings:
        assert finding.rule in game.rules()
        for leaf in leaves(finding):
            assert leaf.question.key == "why.seen" or leaf.rule in ("T1b", "T2a", "T2c")
        text = "\n".join(finding.lines())
        assert finding.facts[0].value in text


@pytest.mark.parametrize(
    ("rows", "square", "certain"),
    [
        ({1: "x........."}, None, None),
        ({1: "-x-.......", 2: ".........."}, "B2", "hit"),  # a hit in the top row goes on downward
        ({4: "..xx......"}, "C3", "no_ship"),  # beside the line of a ship
        ({4: ".....s...."}, "F3", "empty"),  # beside a submarine
        ({1: "2-........"}, "A2", "hit"),  # a missile needs a ship
        ({1: "s.........", 5: "....s.....", 9: ".........s"}, None, None),
    ],
)
def test_the_hints_lead_where_a_player_goes(rows: dict[int, str], square: str | None, certain: str | None) -> None:
    text = "\n".join(rows.get(row, "." * 10) for row in range(1, 11))
    findings = {f.facts[0].value: f.facts[1].value for f in deduce(Observation.parse(text))}
    if square:
        assert findings[square] == certain
    else:
        assert "hit" not in findings.values()


def test_a_known_class_rules_out_others_of_it() -> None:
    """The battlecruiser is seen whole, so that no other ship lies beside it or goes on from it."""
    text = ["xxxxx.....", *["." * 10] * 9]
    lines = "\n".join("\n".join(f.lines()) for f in deduce(Observation.parse("\n".join(text))))
    said(lines, TASK, "why.must.no_ship", square="F1")
    said(lines, TASK, "why.must.no_ship", square="A2")


def test_no_figure_of_a_captain_tells_of_harm_in_the_air() -> None:
    match, rng = nk.Match.new("task-force", 4), np.random.default_rng(0)
    match.play(next(each for each in match.legal() if str(each).startswith("fly")))
    assert match.state.phase is Phase.FLIGHT
    for name in ("planner", "bayes"):
        decided = nk.player(name, match.game).decide(match.observe(), match.legal(), rng)
        told = {str(fact.value) for option in decided.options for fact in option.facts[1:]}
        assert told == {str(in_ships(0.0))}, name
