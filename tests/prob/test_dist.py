"""Dist: exact arithmetic against plain enumeration, laws, sampling, text."""

from __future__ import annotations
import copy
import csv
import io
import math
import pickle
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from navalkit.core import _sums
from navalkit.core._sums import sum_floats
from navalkit.core.dist import Dist
from navalkit.core.errors import DataError, brief
from navalkit.core.words import describe, odds, one_in, percent
from navalkit.explore.ask import parts
from navalkit.testing import refused
from ..sentences import CORE

F = Fraction
DIE = Dist.uniform(range(1, 7))
WEIGHTS = st.dictionaries(st.integers(-20, 20), st.integers(1, 9), min_size=1, max_size=6)
DISTS = WEIGHTS.map(Dist)
LEVELS = st.fractions(0, 1)


def enumerated(dists, combine):
    """The slow twin: every combination of outcomes with the product of its probabilities."""
    result: dict = {}
    for combo in product(*(list(d.items()) for d in dists)):
        z = combine([x for x, _ in combo])
        result[z] = result.get(z, 0) + math.prod((p for _, p in combo), start=F(1))
    return result



# -- making and looking ----------------------------------------------------------------------------


def test_weights_are_reduced_and_zero_weights_dropped():
    d = Dist({"a": 4, "b": 6, "c": 0})
    assert dict(d.weights) == {"a": 2, "b": 3} and d.total == 5 and len(d) == 2
    assert "c" not in d and d["c"] == 0 and d["b"] == d.prob("b") == F(3, 5)


def test_fraction_and_numpy_weights_are_exact_and_repeats_add_up():
    d = Dist([("a", F(1, 3)), ("b", np.int64(1)), ("a", F(1, 6))])
    assert dict(d.weights) == {"a": 1, "b": 2} and type(d.weights["b"]) is int


def test_uniform_counts_repeats_and_keeps_the_order_given():
    d = Dist.uniform("banana")
    assert list(d) == ["b", "a", "n"] and dict(d.weights) == {"b": 1, "a": 3, "n": 2}
    assert d.support == ("a", "b", "n")
    assert dict(Dist.uniform("abab").weights) == {"a": 1, "b": 1}


def test_weights_are_read_only():
    with pytest.raises(TypeError):
        DIE.weights[1] = 5  # type: ignore[index]


@given(WEIGHTS, st.randoms())
def test_equality_and_hash_ignore_order_and_scale(weights, random):
    pairs = [(x, 3 * w) for x, w in weights.items()]
    random.shuffle(pairs)
    assert Dist(pairs) == Dist(weights) and hash(Dist(pairs)) == hash(Dist(weights))
    assert Dist(pairs) != Dist({**weights, 99: 1}) and Dist(weights) != weights


def test_a_uniform_dist_equals_its_weighted_twin_before_and_after_sampling():
    d = Dist.uniform("aab")
    d.sample(np.random.default_rng(0))
    assert d == Dist({"b": 1, "a": 2}) and hash(d) == hash(Dist({"b": 1, "a": 2}))


@given(DISTS)
def test_probabilities_sum_to_one(d):
    assert sum(p for _, p in d.items()) == 1
    assert sum(d.weights.values()) == d.total and math.gcd(*d.weights.values()) == 1


def test_survives_pickle_and_copy():
    for d in (DIE, Dist.uniform("aab"), Dist({1: 1, 2: 3})):
        assert pickle.loads(pickle.dumps(d)) == copy.deepcopy(d) == d


def test_a_subclass_adds_attributes_and_its_operations_give_plain_dists():
    class Chance(Dist):
        __slots__ = ("slot",)

        def __init__(self, weights, slot):
            super().__init__(weights)
            self.slot = slot

    for source in ({1: 1, 2: 1}, Dist.uniform([1, 2]), Dist({1: 3, 2: 3})):
        c = Chance(source, "deck")
        assert c == Dist.uniform([1, 2]) and c.slot == "deck"
        assert type(c + 1) is type(2 @ c) is type(c.map(str)) is type(c.given(bool)) is Dist
        assert pickle.loads(pickle.dumps(c.map(str))) == Dist.uniform("12")
        assert repr(c) == "Chance({1: 1, 2: 1})"
        assert not hasattr(c, "__dict__")


def test_arrays_and_from_counts_are_inverse():
    values, p = Dist({3: 1, -1: 3}).arrays()
    assert values.tolist() == [-1, 3] and values.dtype == np.int64 and p.tolist() == [0.75, 0.25]
    assert Dist.from_counts(values, np.array([3, 1])) == Dist({3: 1, -1: 3})
    labels, _ = Dist.uniform([(1, 2), (0, 1)]).arrays()
    assert labels.dtype == object and labels.tolist() == [(0, 1), (1, 2)]


def test_from_counts_gives_plain_ints_so_that_nothing_overflows():
    d = Dist.from_counts(np.array([2**62, 2**61]), np.array([1, 1]))
    assert (3 @ d).support[-1] == 3 * 2**62


# -- new from old ----------------------------------------------------------------------------------


@given(DISTS, DISTS)
def test_sum_and_difference_match_enumeration_and_sums_commute(a, b):
    assert dict((a + b).items()) == enumerated([a, b], sum)
    assert dict((a - b).items()) == enumerated([a, b], lambda xy: xy[0] - xy[1])
    assert a + b == b + a


@given(DISTS, st.integers(0, 4))
def test_repeat_and_add_matches_enumeration(d, k):
    assert dict((k @ d).items()) == enumerated([d] * k, sum)


@given(DISTS, st.integers(0, 6), st.integers(0, 6))
def test_copies_add_up(d, j, k):
    assert (j @ d) + (k @ d) == (j + k) @ d


@given(DISTS, DISTS, st.integers(0, 20))
def test_mean_and_variance_add_up(a, b, k):
    assert (a + b).mean == a.mean + b.mean and (a - b).mean == a.mean - b.mean
    assert (a + b).variance == (a - b).variance == a.variance + b.variance
    assert (k @ a).mean == k * a.mean and (k @ a).variance == k * a.variance
    assert math.isclose(a.sd**2, a.variance, abs_tol=1e-12)


@given(DISTS)
def test_moments_match_their_definitions(d):
    mean = sum(x * p for x, p in d.items())
    assert d.mean == mean and d.variance == sum((x - mean) ** 2 * p for x, p in d.items())


def test_numbers_shift_on_either_side():
    assert DIE + 1 == 1 + DIE == Dist.uniform(range(2, 8))
    assert 7 - DIE == DIE and DIE - 7 == -DIE
    assert DIE + F(1, 2) == Dist.uniform(F(2 * x + 1, 2) for x in range(1, 7))
    assert np.int64(1) + DIE == DIE + np.int64(1) == DIE + 1 and np.int64(2) @ DIE == 2 @ DIE
    assert sum([DIE, DIE, DIE]) == 3 @ DIE


def test_outcomes_that_support_plus_can_be_summed():
    words = Dist({"x": 1, "y": 2})
    assert (words + words)["xy"] == F(2, 9)
    assert dict((3 @ words).items()) == enumerated([words] * 3, "".join)
    halves = Dist.uniform([F(1, 2), F(1, 3)])
    assert dict((3 @ halves).items()) == enumerated([halves] * 3, sum)
    assert 2 @ Dist.uniform([False, True]) == Dist({0: 1, 1: 2, 2: 1})


@pytest.mark.parametrize("wrong", ["1", None, [1]])
def test_only_numbers_and_dists_can_be_added(wrong):
    for operation in (lambda: DIE + wrong, lambda: wrong - DIE, lambda: wrong @ DIE, lambda: 1.5 @ DIE):
        with pytest.raises(TypeError):
            operation()


@given(DISTS)
def test_map_keeps_identity_and_composition(d):
    assert d.map(lambda x: x) == d
    assert d.map(abs).map(lambda x: x % 3) == d.map(lambda x: abs(x) % 3)
    assert dict(d.map(abs).items()) == enumerated([d], lambda x: abs(x[0]))


@given(DISTS)
def test_bind_fulfils_the_monad_laws(d):
    def f(x):
        return Dist({x: 1, x + 1: 2})

    def g(x):
        return Dist({x % 2: 3, 7: abs(x) + 1})

    assert Dist.point(5).bind(f) == f(5)
    assert d.bind(Dist.point) == d
    assert d.bind(f).bind(g) == d.bind(lambda x: f(x).bind(g))
    assert d.bind(lambda x: Dist.point(x * x)) == d.map(lambda x: x * x)


@given(DISTS, DISTS, st.integers(0, 5), st.fractions(F(1, 9), 5))
def test_mixture_weighs_its_parts(a, b, v, w):
    mixed = Dist.mixture([(v, a), (w, b)])
    for x in {*a, *b}:
        assert mixed[x] == (v * a[x] + w * b[x]) / (v + w)


@given(DISTS, DISTS)
def test_product_is_joint_and_independent(a, b):
    joint = a.product(b)
    assert all(joint[x, y] == a[x] * b[y] for x in a for y in b)
    assert joint.map(lambda xy: xy[0]) == a and joint.map(sum) == a + b


@given(DISTS, st.integers(-20, 20))
def test_conditioning_follows_bayes_and_total_probability(d, cut):
    low, high = d.chance(lambda x: x < cut), d.chance(lambda x: x >= cut)
    assert low + high == 1
    if low and high:
        below, above = d.given(lambda x: x < cut), d.given(lambda x: x >= cut)
        assert all(below[x] == (d[x] / low if x < cut else 0) for x in d)
        assert Dist.mixture([(low, below), (high, above)]) == d


# -- one sum, several ways -------------------------------------------------------------------------


def convolved_by_hand(a: list[int], b: list[int]) -> list[int]:
    row = [0] * (len(a) + len(b) - 1)
    for i, v in enumerate(a):
        for j, w in enumerate(b):
            row[i + j] += v * w
    return row


@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=30),
    st.lists(st.integers(0, 50), min_size=1, max_size=30),
)
def test_all_convolutions_agree(a, b):
    assert _sums.convolve_int64(a, b) == _sums.convolve_big(a, b) == convolved_by_hand(a, b)


@given(st.integers(1, 12), st.integers(1, 4), st.integers(-30, 30), st.integers(1, 12))
def test_rows_and_dictionary_agree_on_any_lattice(sides, step, start, k):
    d = Dist({start + step * i: 1 + i % 3 for i in range(sides)})
    plain = _sums.power(dict(d.weights), k, _sums.add_by_dictionary)
    assert k @ d == Dist(plain)


def test_int64_gives_way_to_big_integers_where_it_would_overflow():
    a, b = [2**31, 2**31 - 1], [2**31, 2**31 - 2]  # the product of the sums straddles 2**63
    for x, y in ((a, a), (a, b), ([2**32], [2**31]), ([2**32], [2**31 - 1]), ([3, 1], [2**63, 5])):
        assert _sums.convolve(x, y) == convolved_by_hand(x, y)


@pytest.mark.parametrize("k", [23, 24, 25, 26, 60])  # 6**24 < 2**63 < 6**25
def test_sums_of_dice_about_63_bits_are_exact(k):
    total, n = k @ DIE, 2 * k
    assert total[k] == F(1, 6**k)
    ways = sum((-1) ** j * math.comb(k, j) * math.comb(n - 6 * j - 1, k - 1) for j in range((n - k) // 6 + 1))
    assert total[n] == F(ways, 6**k)  # inclusion and exclusion
    plain = _sums.power(dict(DIE.weights), k, _sums.add_by_dictionary)
    assert total == Dist(plain) and all(type(x) is int for x in total)


def test_sparse_outcomes_far_apart_stay_exact_and_small():
    d = Dist({x: 1 for x in (0, 1, 10**12, 10**15 + 1)})
    e = Dist({x * x * 10**9 + x: 1 for x in range(20)})
    assert dict((3 @ d).items()) == enumerated([d] * 3, sum)
    assert dict((e + e).items()) == enumerated([e, e], sum)


def test_different_lattices_meet_on_a_common_one():
    a, b = Dist.uniform(range(0, 90, 3)), Dist.uniform(range(1, 61, 2))
    assert dict((a + b).items()) == enumerated([a, b], sum)
    assert Dist.point(4) + Dist.uniform(range(300)) == Dist.uniform(range(4, 304))


@pytest.mark.parametrize("k", [0, 1, 2, 7, 50, 100])
@pytest.mark.parametrize("d", [DIE, Dist({-4: 3, 2: 1, 8: 10**6}), Dist.point(3)], ids=["die", "skew", "one"])
def test_float_sums_keep_within_their_error_bound(d, k):
    values, p = sum_floats(d, k)
    exact = k @ d
    span = len(values) - 1
    bound = (span + k) * (1 + math.log2(max(k, 1))) * F(1, 2**53)  # k (s + 1) = span + k
    assert values.tolist() == sorted(values.tolist()) and set(exact) <= set(values.tolist())
    for x, q in zip(values.tolist(), p.tolist(), strict=True):
        assert abs(F(q) - exact[x]) <= bound * max(exact[x], F(1, 10**290))


def test_a_big_float_sum_keeps_its_moments():
    values, p = sum_floats(DIE, 2000)
    assert p.sum() == pytest.approx(1, rel=1e-11)
    assert (values * p).sum() == pytest.approx(7000, rel=1e-11)
    assert ((values - 7000.0) ** 2 * p).sum() == pytest.approx(2000 * 35 / 12, rel=1e-9)


# -- numbers ---------------------------------------------------------------------------------------


@given(DISTS, LEVELS)
def test_quantile_is_the_inverse_of_cdf(d, q):
    x = d.quantile(q)
    assert d.cdf(x) >= q and all(d.cdf(y) < q for y in d if y < x)
    assert all(d.quantile(d.cdf(y)) == y for y in d)


@given(DISTS, st.integers(-25, 25))
def test_cdf_and_at_least_share_the_outcome_itself(d, x):
    assert d.cdf(x) + d.at_least(x) == 1 + d[x]
    assert d.cdf(x) == sum(p for y, p in d.items() if y <= x)


def test_quantile_reads_floats_as_decimals():
    tenths = Dist.uniform(range(10))
    assert tenths.quantile(0.1) == 0 and tenths.quantile(0.3) == 2 and tenths.quantile(np.float64(0.7)) == 6
    assert tenths.quantile(0) == 0 and tenths.quantile(1) == 9


def test_median_and_mode():
    assert DIE.median == 3 and (2 @ DIE).median == 7 and (2 @ DIE).mode == 7 and DIE.mode == 1
    assert Dist.uniform("banana").mode == "a" and Dist.uniform("ba").mode == "a"


def test_float_outcomes_have_exact_moments():
    assert Dist.uniform([0.5, 0.25]).mean == F(3, 8) and Dist.uniform([0.5, 0.0]).variance == F(1, 16)


def test_sets_count_as_having_no_order():
    d = Dist.uniform([frozenset("b"), frozenset("a")])
    assert d.support == (frozenset("b"), frozenset("a"))
    with refused(DataError, CORE, "dist.order"):
        d.quantile(F(1, 2))


# -- drawing ---------------------------------------------------------------------------------------


class Plain:
    """Nothing but ``integers(high)``."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def integers(self, high: int) -> int:
        return int(self._rng.integers(high))


SKEWED = Dist({"a": 1, "b": 5, "c": 14})
HUGE = Dist({"a": 2**70 + 1, "b": 2**71, "c": 3 * 2**70})
SAMPLED = {
    "urn": Dist.uniform(range(13)),
    "repeats": Dist.uniform("banana"),
    "weighted": SKEWED,
    "beyond int64": HUGE,
}


@pytest.mark.parametrize("how", ["one", "many", "plain"])
@pytest.mark.parametrize("d", SAMPLED.values(), ids=SAMPLED)
def test_sample_frequencies_are_within_four_sigma_of_chi_squared(d, how):
    n = 5000
    rng = np.random.default_rng(20)
    if how == "one":
        drawn = [d.sample(rng) for _ in range(n)]
    else:
        drawn = d.sample(rng if how == "many" else Plain(21), size=n)
    assert len(drawn) == n and set(drawn) == set(d)
    chi2 = sum((drawn.count(x) - n * p) ** 2 / (n * p) for x, p in d.items())
    freedom = len(d) - 1
    assert abs(chi2 - freedom) < 4 * math.sqrt(2 * freedom)


class Script:
    """A source that deals prepared words and checks the bounds it is asked for."""

    def __init__(self, *words: tuple[int, int]) -> None:
        self.words = list(words)

    def integers(self, high: int) -> int:
        expected, word = self.words.pop(0)
        assert high == expected
        return word


@pytest.mark.parametrize(("ticket", "outcome"), [(0, "a"), (1, "b"), (5, "b"), (6, "c"), (19, "c")])
def test_each_ticket_is_one_unit_of_weight(ticket, outcome):
    assert SKEWED.sample(Script((20, ticket))) == outcome


def test_wide_words_are_cut_to_size_and_drawn_again_when_too_high():
    d = Dist({"low": 2**64, "high": 2**64 + 1})  # total 2**65 + 1 needs 66 bits: three words less 30 bits
    word = 2**32

    def words(ticket: int) -> list[tuple[int, int]]:
        wide = ticket << 30
        return [(word, wide >> 64), (word, wide >> 32 & word - 1), (word, wide & word - 1)]

    assert d.sample(Script(*words(2**64 - 1))) == "low"
    assert d.sample(Script(*words(2**64))) == "high"
    rejected_first = Script(*words(2**65 + 1), *words(2**65))
    assert d.sample(rejected_first) == "high" and not rejected_first.words


def test_totals_up_to_the_edge_of_int64_take_one_draw():
    d = Dist({"a": 2**63 - 1, "b": 1})
    assert d.sample(Script((2**63, 2**63 - 1))) == "b" and d.sample(Script((2**63, 0))) == "a"
    assert set(d.sample(np.random.default_rng(1), size=50)) == {"a"}


def test_one_seed_means_one_draw():
    def draws(d):
        rng = np.random.default_rng(5)
        return d.sample(rng, size=20), [d.sample(rng) for _ in range(20)]

    merged = Dist.uniform("banana")
    assert len(merged) == 3  # merging repeats changes nothing in what is drawn
    assert draws(merged) == draws(Dist.uniform("banana"))
    assert DIE.sample(np.random.default_rng(1), size=0) == []


# -- text ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0, "0 %"), (1, "100 %"), (F(4787, 6622), "72 %"), (F(1, 2), "50 %"), (F(1, 8), "13 %"),
        (F(3, 8), "38 %"),
        (F(1, 10**9), "<0.1 %"), (F(1, 1000), "0.1 %"), (F(1, 1001), "<0.1 %"), (F(999, 1000), "99.9 %"),
        (F(9991, 10000), ">99.9 %"), (F(1, 36), "2.8 %"), (F(1, 20), "5.0 %"), (F(9996, 100000), "10 %"),
        (F(1, 10), "10 %"), (F(9, 10), "90 %"), (F(19, 20), "95.0 %"), (0.25, "25 %"),
    ],
)  # fmt: skip
def test_percent(p, text):
    assert percent(p) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0, "never"), (1, "always"), (F(1, 6), "1 in 6"), (F(1, 2), "1 in 2"), (F(3, 4), "3 in 4"),
        (F(33, 100), "about 1 in 3"), (F(4787, 6622), "about 13 in 18"), (F(2, 5), "2 in 5"),
        (F(3, 5), "3 in 5"),
        (F(21, 50), "about 5 in 12"), (F(51, 100), "about 18 in 35"), (F(2, 7), "2 in 7"), (0.29, "about 2 in 7"),
        (F(99, 100), "99 in 100"), (F(1, 3838380), "1 in 3,838,380"), (F(2, 7676761), "about 1 in 3,840,000"),
        (F(2, 1999), "about 1 in 1,000"), (F(999, 1000), "999 in 1,000"), (0.3, "about 3 in 10"),
        (0.34, "about 10 in 29"),
    ],
)  # fmt: skip
def test_one_in(p, text):
    assert one_in(p) == text


@given(st.fractions(0, 1, max_denominator=5000))
def test_one_in_tells_the_truth(p):
    text = one_in(p)
    if p in (0, 1):
        assert text == ("always" if p else "never")
        return
    hits, of = (int(part.replace(",", "")) for part in text.removeprefix("about ").split(" in "))
    assert (F(hits, of) == p) == (not text.startswith("about"))
    if of <= 1000:
        assert percent(F(hits, of)) == percent(p), "the words and the percentage beside them agree"
    assert abs(F(hits, of) - p) <= F(1, 12)
    rarer = min(p, 1 - p)
    assert abs(F(hits, of) - p) <= rarer / 4  # never off by more than a quarter of the rarer side


def test_describe_is_the_line_on_the_page():
    assert describe(F(4787, 6622)) == "72 % · 4787/6622 · about 13 in 18"
    assert describe(F(1, 6)) == "17 % · 1/6 · 1 in 6"
    assert describe(F(1, 99_999_999)) == "<0.1 % · 1/99999999 · 1 in 99,999,999"
    assert describe(F(1, 100_000_000)) == "<0.1 % · 1 in 100,000,000"
    assert describe(F(1, 100_000_000), whole=True) == "<0.1 % · 1/100000000 · 1 in 100,000,000"
    assert describe(0) == "0 % · never" and describe(F(1)) == "100 % · always"


@given(st.one_of(st.fractions(0, 1, max_denominator=5000), st.floats(0, 1)))
def test_a_chance_is_told_in_words_once_and_agrees_with_its_percent(p):
    """Not "1 in 3.50 · about 1 in 4": whole numbers, one way, the same on every page."""
    way = re.search(r"([\d,]+) in ([\d,]+)$", describe(p))
    assert (way is None) == (p in (0, 1))
    if way:
        hits, of = (int(number.replace(",", "")) for number in way.groups())
        assert abs(F(hits, of) - F(p)) <= min(F(p), 1 - F(p)) / 4
        ends = tuple(CORE(f"chance.{key}", hits=hits, of=of) for key in ("about", "exact"))
        assert odds(p).endswith(ends) and parts(p, "")[-1][1] in ends


def test_table_markdown_and_csv_tell_the_same():
    d = Dist({"x|y": 1, "a": 2})
    assert d.table() == [("a", F(2, 3), 2 / 3, "2 in 3"), ("x|y", F(1, 3), 1 / 3, "1 in 3")]
    assert d.markdown().splitlines() == [
        "| outcome | chance | exactly | odds |",
        "|---|---:|---:|---|",
        "| a | 67 % | 2/3 | 2 in 3 |",
        r"| x\|y | 33 % | 1/3 | 1 in 3 |",
    ]
    header, *rows = csv.reader(io.StringIO(Dist.uniform(["a,b", 'q"']).csv()))
    assert header == ["outcome", "probability", "decimal", "odds"]
    assert rows == [["a,b", "1/2", "0.5", "1 in 2"], ['q"', "1/2", "0.5", "1 in 2"]]


def test_str_is_a_short_table_with_mean_and_sd():
    assert str(Dist({9: 1, 10: 1})).splitlines() == [
        " 9  50 % · 1/2 · 1 in 2",
        "10  50 % · 1/2 · 1 in 2",
        "mean 9.50 · sd 0.50",
    ]
    assert str(Dist.point("a")) == "a  100 % · always"
    long = str(Dist.uniform(range(1012))).splitlines()
    assert len(long) == 14 and long[12] == "... and 1,000 more outcomes"


def test_repr_of_a_small_dist_can_be_evaluated():
    for d in (DIE, Dist.uniform("aab"), Dist({"x": 2, "y": 5})):
        assert eval(repr(d)) == d and "Counter" not in repr(d)
    assert repr(10 @ DIE) == "<Dist of 51 outcomes from 10 to 60>"


# -- errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Dist({"a": -1}), CORE.phrase("dist.negative", outcome="'a'", weight="-1")),
        (lambda: Dist({"a": F(-1, 2)}), CORE.phrase("dist.negative", outcome="'a'", weight="-1/2")),
        (lambda: Dist({"a": 0.5}), CORE.phrase("dist.weight", outcome="'a'", weight="0.5")),
        (lambda: Dist({"a": "1"}), CORE.phrase("dist.weight", outcome="'a'", weight="'1'")),
        (lambda: Dist({}), CORE.phrase("dist.empty")),
        (lambda: Dist({"a": 0}), CORE.phrase("dist.empty")),
        (lambda: Dist([1, 2, 3]), CORE.phrase("dist.pair", pair="1")),
        (lambda: Dist.uniform([]), CORE.phrase("dist.empty_uniform")),
        (lambda: Dist.mixture([]), CORE.phrase("dist.empty")),
        (lambda: Dist.mixture([(0, DIE)]), CORE.phrase("dist.empty")),
        (lambda: Dist.mixture([(0.5, DIE)]), CORE.phrase("dist.weight")),
        (lambda: DIE.given(lambda x: x > 6), CORE.phrase("dist.condition", value=6)),
        (lambda: -1 @ DIE, CORE.phrase("dist.copies", k="-1")),
        (lambda: DIE.quantile(1.5), CORE.phrase("dist.quantile", q=1.5)),
        (lambda: DIE.quantile(math.nan), CORE.phrase("dist.quantile", q=math.nan)),
        (lambda: Dist.uniform([1, "a"]).median, CORE.phrase("dist.order")),
        (lambda: Dist.uniform("ab").mean, CORE.phrase("dist.no_number", outcome="'a'")),
        (lambda: sum_floats(Dist.point(0.5), 2), CORE.phrase("dist.sum_floats")),
        (lambda: sum_floats(DIE, -2), CORE.phrase("dist.copies", k="-2")),
        (lambda: Dist.from_counts([1, 2], [1]), CORE.phrase("dist.counts", shape="(2,)", shape2="(1,)")),
        (lambda: Dist.from_counts([1, 2], [0.5, 0.5]), CORE.phrase("dist.weight")),

    ],
)
def test_errors_say_what_is_wrong_in_one_sentence(make, message):
    with refused(DataError, message) as error:
        make()
    assert str(error.value).endswith(".") and "\n" not in str(error.value)


@pytest.mark.parametrize(("say", "p"), [(percent, 1.5), (one_in, F(-1, 2)), (describe, math.nan)])
def test_what_is_no_probability_is_refused(say, p):
    with pytest.raises(DataError, match=f"{re.escape(brief(p))}\\.$"):
        say(p)


@pytest.mark.parametrize("of", [Dist.at_least, Dist.cdf])
def test_what_does_not_compare_with_the_outcomes_is_said(of):
    with pytest.raises(DataError) as refused:
        of(Dist.uniform([1, 2, 3]), "a")
    assert refused.value.key == "dist.compare"
