"""Exact finite distributions: the same ``Dist`` is sampled in play, summed in the odds, enumerated in tests.

>>> die = Dist.uniform(range(1, 7))
>>> (2 @ die)[7]
Fraction(1, 6)
>>> describe((3 @ die).at_least(10))
'63 % · 5/8 · 5 in 8'
"""

from __future__ import annotations
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from fractions import Fraction
from itertools import accumulate
from math import gcd, sqrt
from numbers import Integral, Number
from operator import ge, le
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _sums
from ._sums import IntegerSource, below, sum_floats
from .errors import DataError, brief
from .files import written
from .shown import Shown
from .words import SAY, describe, one_in, percent

__all__ = ["Dist", "IntegerSource", "Row", "describe", "one_in", "percent", "sum_floats"]


T_co = TypeVar("T_co", bound=Hashable, covariant=True)
U = TypeVar("U", bound=Hashable)
V = TypeVar("V", bound=Hashable)


class Row(NamedTuple):
    """One line of ``Dist.table()``."""

    outcome: Any
    probability: Fraction
    decimal: float
    odds: str


class Dist(Shown, Generic[T_co]):
    """An immutable exact probability distribution over finitely many hashable outcomes.

    The weights are whole numbers without a common divisor, in the order the outcomes were given. Sampling
    follows that order: where a seed must mean the same draw again, give outcomes in a definite one (no bare
    ``set``). Two distributions are equal, and hash alike, when they give every outcome the same probability,
    in whatever order. Operations return a plain ``Dist``, also on a subclass.

    Parameters
    ----------
    weights : mapping outcome -> weight, iterable of (outcome, weight), or Dist
        Weights are ints or Fractions >= 0. Repeated outcomes add up; outcomes of weight 0 are dropped.

    Raises
    ------
    DataError
        If these are no outcomes with weights, a weight is negative or neither int nor Fraction, or no outcome has a
        positive weight.
    """

    __slots__ = ("_weights", "_total", "_urn", "_ends")
    __array_ufunc__ = None  # so that numpy numbers leave +, - and @ to us

    # A uniform distribution is first just an urn: a tuple to draw from. Merging repeats into weights, which
    # hashes every outcome, waits until someone asks; a chance node that is only sampled never pays for it.
    _weights: dict[T_co, int] | None
    _total: int
    _urn: tuple[T_co, ...] | None
    _ends: list[int] | None  # running totals of the weights along the urn; None if all are equally likely

    def __init__(self,
                 weights: Mapping[T_co, int | Fraction] | Iterable[tuple[T_co, int | Fraction]] | Dist[T_co]) -> None:
        if isinstance(weights, Dist):
            self._weights, self._total = weights._weights, weights._total
            self._urn, self._ends = weights._urn, weights._ends
            return
        merged: dict[T_co, int | Fraction] = {}
        if not isinstance(weights, Iterable):
            raise DataError(SAY("dist.weights", weights=brief(weights)))
        for pair in weights.items() if isinstance(weights, Mapping) else weights:
            try:
                outcome, weight = pair
            except (TypeError, ValueError):
                raise DataError(SAY("dist.pair", pair=brief(pair))) from None
            weight = _sums.checked_weight(weight, outcome)
            if weight:
                merged[outcome] = merged.get(outcome, 0) + weight
        self._urn = self._ends = None
        self._set_weights(dict(zip(merged, _sums.whole(merged.values()), strict=True)))

    def _set_weights(self, weights: dict[T_co, int]) -> None:
        """Take over positive integer weights, reduced by their common divisor."""
        if not weights:
            raise DataError(SAY("dist.empty"))
        divisor = gcd(*weights.values())
        self._weights = weights if divisor == 1 else {x: w // divisor for x, w in weights.items()}
        self._total = sum(self._weights.values())

    def _counts(self) -> dict[T_co, int]:
        """The reduced weights, merged from the urn on first use."""
        if self._weights is None:
            assert self._urn is not None
            self._set_weights(dict(Counter(self._urn)))
        return cast(dict[T_co, int], self._weights)

    # -- making ------------------------------------------------------------------------------------

    @staticmethod
    def uniform(outcomes: Iterable[U]) -> Dist[U]:
        """All outcomes equally likely; one given twice is twice as likely. DataError if there are none."""
        dist: Dist[U] = Dist.__new__(Dist)
        dist._urn = tuple(outcomes)
        if not dist._urn:
            raise DataError(SAY("dist.empty_uniform"))
        dist._weights = dist._ends = None
        dist._total = 0
        return dist

    @staticmethod
    def point(outcome: U) -> Dist[U]:
        """The distribution that always gives ``outcome``."""
        return _from_weights({outcome: 1})

    @staticmethod
    def mixture(parts: Iterable[tuple[int | Fraction, Dist[U]]]) -> Dist[U]:
        """Choose a part with chances in proportion to its weight, int or Fraction >= 0, and draw from it."""
        chosen = [(_sums.checked_weight(weight, dist), dist._counts(), dist._total) for weight, dist in parts]
        weights = _sums.whole([Fraction(weight, total) for weight, _, total in chosen])
        merged: dict[U, int] = {}
        for weight, (_, counts, _) in zip(weights, chosen, strict=True):
            if weight:
                for x, w in counts.items():
                    merged[x] = merged.get(x, 0) + weight * w
        return _from_weights(merged)

    @staticmethod
    def from_counts(values: ArrayLike, counts: ArrayLike) -> Dist[Any]:
        """From two arrays of one shape (n,), else DataError: values, and their integer counts >= 0."""
        value_array, count_array = np.asarray(values), np.asarray(counts)
        if value_array.ndim != 1 or value_array.shape != count_array.shape:
            raise DataError(SAY("dist.counts", shape=value_array.shape, shape2=count_array.shape))
        return Dist(zip(value_array.tolist(), count_array.tolist(), strict=True))

    # -- looking -----------------------------------------------------------------------------------

    @property
    def weights(self) -> Mapping[T_co, int]:
        """Outcome -> reduced integer weight (read-only)."""
        return MappingProxyType(self._counts())

    @property
    def total(self) -> int:
        """The sum of the weights: the common denominator of all probabilities."""
        self._counts()
        return self._total

    @property
    def support(self) -> tuple[T_co, ...]:
        """The outcomes of positive probability, sorted where they can be, else as given."""
        try:
            return self._sorted()
        except DataError:
            return tuple(self._counts())

    def _sorted(self) -> tuple[T_co, ...]:
        outcomes = tuple(self._counts())
        # Sets compare by inclusion, which sorted() accepts in silence though it puts them in no order.
        if not any(isinstance(x, Set) for x in outcomes):
            try:
                return tuple(sorted(cast("tuple[Any, ...]", outcomes)))
            except TypeError:
                pass
        raise DataError(SAY("dist.order", outcome=brief(outcomes[0])))

    def prob(self, outcome: object) -> Fraction:
        """The probability of ``outcome``, 0 if it cannot happen. Also written ``dist[outcome]``."""
        weight = self._counts().get(cast(T_co, outcome), 0)
        return Fraction(weight, self._total)

    __getitem__ = prob

    def items(self) -> Iterator[tuple[T_co, Fraction]]:
        """Pairs (outcome, probability), in the order given."""
        return ((x, Fraction(w, self._total)) for x, w in self._counts().items())

    def __len__(self) -> int:
        return len(self._counts())

    def __iter__(self) -> Iterator[T_co]:
        return iter(self._counts())

    def __contains__(self, outcome: object) -> bool:
        return outcome in self._counts()

    def __eq__(self, other: object) -> bool:
        return self._counts() == other._counts() if isinstance(other, Dist) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._counts().items()))

    # -- new from old ------------------------------------------------------------------------------

    def map(self, f: Callable[[T_co], U]) -> Dist[U]:
        """The distribution of ``f(outcome)``."""
        merged: dict[U, int] = {}
        for x, w in self._counts().items():
            y = f(x)
            merged[y] = merged.get(y, 0) + w
        return _from_weights(merged)

    def bind(self, f: Callable[[T_co], Dist[U]]) -> Dist[U]:
        """Draw an outcome, then draw from ``f(outcome)``."""
        return Dist.mixture((w, f(x)) for x, w in self._counts().items())

    def given(self, predicate: Callable[[T_co], bool]) -> Dist[T_co]:
        """Conditioned on ``predicate(outcome)``. DataError if no outcome fulfils it."""
        kept = {x: w for x, w in self._counts().items() if predicate(x)}
        if not kept:
            raise DataError(SAY("dist.condition", value=len(self)))
        return _from_weights(kept)

    def product(self, other: Dist[U]) -> Dist[tuple[T_co, U]]:
        """The joint distribution of independent pairs (outcome, other's outcome)."""
        theirs = other._counts()
        return _from_weights({(x, y): v * w for x, v in self._counts().items() for y, w in theirs.items()})

    def __add__(self, other: Any) -> Dist[Any]:
        """The sum with an independent Dist, or with a number."""
        if isinstance(other, Dist):
            return _from_weights(_sums.add(self._counts(), other._counts()))
        if isinstance(other, Number):
            return cast("Dist[Any]", self).map(lambda x: x + other)
        return NotImplemented

    __radd__ = __add__

    def __neg__(self) -> Dist[Any]:
        return cast("Dist[Any]", self).map(lambda x: -x)

    def __sub__(self, other: Any) -> Dist[Any]:
        return self + (-cast(Any, other)) if isinstance(other, Dist | Number) else NotImplemented

    def __rsub__(self, other: Any) -> Dist[Any]:
        return -self + other if isinstance(other, Number) else NotImplemented

    def __rmatmul__(self, k: Any) -> Dist[Any]:
        """``k @ dist``: the sum of ``k >= 0`` independent copies; ``0 @ dist`` is always 0. Exact at any size. Many
        whole-number outcomes are convolved (int64 where that is exact, else big integers), all others added pair by
        pair."""
        if not isinstance(k, Integral):
            return NotImplemented
        return _from_weights(_sums.repeat(self._counts(), _sums.copies(k)))

    # -- numbers -----------------------------------------------------------------------------------

    def chance(self, predicate: Callable[[T_co], bool]) -> Fraction:
        """The probability that ``predicate(outcome)`` holds."""
        return Fraction(sum(w for x, w in self._counts().items() if predicate(x)), self._total)

    def cdf(self, x: Any) -> Fraction:
        """P(outcome <= x); DataError if ``x`` does not compare with the outcomes."""
        return self._beside(x, le)

    def at_least(self, x: Any) -> Fraction:
        """P(outcome >= x); DataError if ``x`` does not compare with the outcomes."""
        return self._beside(x, ge)

    def _beside(self, x: Any, holds: Callable[[Any, Any], bool]) -> Fraction:
        try:
            return cast("Dist[Any]", self).chance(lambda outcome: holds(outcome, x))
        except TypeError:
            raise DataError(SAY("dist.compare", x=brief(x), outcome=brief(next(iter(self._counts()))))) from None

    def _moment(self, n: int) -> Fraction:
        return Fraction(sum(_sums.number(x) ** n * w for x, w in self._counts().items())) / self._total

    @property
    def mean(self) -> Fraction:
        """The exact mean, a float outcome taken as the binary fraction it is; DataError if an outcome is no number."""
        return self._moment(1)

    @property
    def variance(self) -> Fraction:
        """The exact variance, in squared units of the outcomes."""
        return self._moment(2) - self._moment(1) ** 2

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return sqrt(self.variance)

    def quantile(self, q: Fraction | float) -> T_co:
        """The smallest outcome x with ``cdf(x) >= q``, for ``0 <= q <= 1``; for q = 0 the smallest of all.

        A float is read as the decimal it prints as: 0.1 means a tenth. DataError if q is out of range or the
        outcomes have no order.
        """
        if not 0 <= q <= 1:
            raise DataError(SAY("dist.quantile", q=q))
        level = Fraction(str(q)) if isinstance(q, float) else Fraction(q)
        outcomes, counts = self._sorted(), self._counts()
        reached = accumulate(counts[x] for x in outcomes)
        return next(x for x, so_far in zip(outcomes, reached, strict=True) if so_far >= level * self._total)

    @property
    def median(self) -> T_co:
        """The lower median, ``quantile(1/2)``."""
        return self.quantile(Fraction(1, 2))

    @property
    def mode(self) -> T_co:
        """The likeliest outcome; of several, the first in ``support``."""
        return max(self.support, key=self._counts().__getitem__)

    def arrays(self) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """Arrays of shape (n,): the support (numbers as numbers, else dtype object) and the probabilities."""
        support = self.support
        numbers = all(isinstance(x, int | float) for x in support)
        values = np.array(support) if numbers else np.fromiter(support, dtype=object, count=len(support))
        counts = self._counts()
        return values, np.array([counts[x] / self._total for x in support])

    # -- drawing -----------------------------------------------------------------------------------

    @overload
    def sample(self, rng: IntegerSource) -> T_co: ...
    @overload
    def sample(self, rng: IntegerSource, size: int) -> list[T_co]: ...
    def sample(self, rng: IntegerSource, size: int | None = None) -> T_co | list[T_co]:
        """Draw one outcome, or a list of ``size`` of them, each with exactly its probability.

        ``rng`` is a numpy Generator or anything else with ``integers(high)``. Its state and the order of the
        outcomes determine the draw; a list need not equal as many single draws. DataError if ``rng`` is none.
        """
        if not hasattr(rng, "integers"):
            raise DataError(SAY("dist.rng", rng=brief(rng)))
        if self._urn is None:
            counts = self._counts()
            if self._total != len(counts):
                self._ends = list(accumulate(counts.values()))
            self._urn = tuple(counts)
        urn, ends = self._urn, self._ends
        high = len(urn) if ends is None else self._total
        if size is None:
            ticket = below(rng, high)
            return urn[ticket if ends is None else bisect_right(ends, ticket)]
        if isinstance(rng, np.random.Generator) and high <= _sums.INT64_LIMIT:
            tickets: list[int] = rng.integers(high, size=size).tolist()
        else:
            tickets = [below(rng, high) for _ in range(size)]
        return [urn[t] for t in tickets] if ends is None else [urn[bisect_right(ends, t)] for t in tickets]

    # -- text --------------------------------------------------------------------------------------

    def table(self) -> list[Row]:
        """Rows (outcome, probability, decimal, odds in words), in the order of ``support``."""
        return [Row(x, p, float(p), one_in(p)) for x in self.support for p in [self[x]]]

    def markdown(self) -> str:
        """The table in Markdown."""
        lines = ["| outcome | chance | exactly | odds |", "|---|---:|---:|---|"]
        for outcome, p, _, odds in self.table():
            lines.append(f"| {str(outcome).replace('|', chr(92) + '|')} | {percent(p)} | {p} | {odds} |")
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        """The table as comma-separated values with a header line."""
        return written([Row._fields, *self.table()])

    def __str__(self) -> str:
        """A short table: at most a dozen outcomes, then mean and standard deviation where there are any."""
        shown = self.support[:12]
        width = max(len(str(x)) for x in shown)
        lines = [f"{x!s:>{width}}  {describe(self[x])}" for x in shown]
        if len(self) > len(shown):
            lines.append(f"... and {len(self) - len(shown):,} more outcomes")
        try:
            lines.append(f"mean {float(self.mean):,.2f} · sd {self.sd:,.2f}")
        except DataError:
            pass  # outcomes that are no numbers have no mean
        return "\n".join(lines)

    def __repr__(self) -> str:
        name = type(self).__name__
        if len(self) <= 12:
            return f"{name}({self._counts()!r})"
        return f"<{name} of {len(self):,} outcomes from {self.support[0]!r} to {self.support[-1]!r}>"


def _from_weights(weights: dict[U, int]) -> Dist[U]:
    """A Dist that takes over a dictionary of positive ints, unchecked."""
    dist: Dist[U] = Dist.__new__(Dist)
    dist._urn = dist._ends = None
    dist._set_weights(weights)
    return dist
