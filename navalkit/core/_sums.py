"""The arithmetic behind ``Dist``: exact weights, and the sums of independent variables.

Weights over whole numbers are laid out as a row of cells, one cell a value. Adding two variables then
convolves their rows, and a convolution of whole numbers is a product of two polynomials.
"""

from __future__ import annotations
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm
from numbers import Integral, Rational
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from .errors import DataError, brief
from .words import SAY

if TYPE_CHECKING:
    from .dist import Dist


X = TypeVar("X")
Weights = Mapping[Any, int]

INT64_LIMIT = 2**63
SMALL = 256  # up to this many pairs of outcomes, a dictionary is quicker than laying out rows
SPARSE = 16  # rows with fewer than one filled cell in this many stay dictionaries


def checked_weight(weight: object, outcome: object) -> int | Fraction:
    """``weight`` as an int or Fraction >= 0, or DataError."""
    exact: int | Fraction
    if isinstance(weight, Integral):
        exact = int(weight)
    elif isinstance(weight, Rational):
        exact = Fraction(weight)
    else:
        raise DataError(SAY("dist.weight", outcome=brief(outcome), weight=brief(weight)))
    if exact < 0:
        raise DataError(SAY("dist.negative", outcome=brief(outcome), weight=brief(exact)))
    return exact


def whole(weights: Iterable[int | Fraction]) -> list[int]:
    """Integers in the same proportion."""
    weights = list(weights)
    scale = lcm(*(w.denominator for w in weights))
    return [w.numerator * (scale // w.denominator) for w in weights]


def number(x: object) -> int | Fraction:
    """A numeric outcome exactly, out of reach of numpy's overflow, or DataError."""
    if isinstance(x, Integral):
        return int(x)
    if isinstance(x, Rational | float):
        return Fraction(x)
    raise DataError(SAY("dist.no_number", outcome=brief(x)))


def copies(k: object) -> int:
    """A number of copies to add up, or DataError."""
    if not isinstance(k, Integral) or int(k) < 0:
        raise DataError(SAY("dist.copies", k=brief(k)))
    return int(k)


def power(base: X, k: int, times: Callable[[X, X], X]) -> X:
    """``base`` to the power ``k >= 1`` under an associative ``times``, by repeated squaring."""
    result: X | None = None
    while True:
        if k & 1:
            result = base if result is None else times(result, base)
        k >>= 1
        if not k:
            assert result is not None
            return result
        base = times(base, base)


def repeat(a: Weights, k: int) -> dict[Any, int]:
    """Weights of the sum of ``k >= 0`` independent copies; the empty sum is 0."""
    return power(dict(a), k, add) if k else {0: 1}


def add(a: Weights, b: Weights) -> dict[Any, int]:
    """Weights of the sum of two independent variables: as rows where that pays, else by dictionary."""
    if len(a) * len(b) <= SMALL or not (is_whole(a) and is_whole(b)):
        return add_by_dictionary(a, b)
    step = gcd(step_of(a), step_of(b))
    if is_sparse(a, step) or is_sparse(b, step):
        return add_by_dictionary(a, b)
    row_a = cells(a, step)
    row = convolve(row_a, row_a if a is b else cells(b, step))
    start = min(a) + min(b)
    return {start + i * step: weight for i, weight in enumerate(row) if weight}


def add_by_dictionary(a: Weights, b: Weights) -> dict[Any, int]:
    """Every pair of outcomes in turn: the plain way, for any outcomes that can be added."""
    result: dict[Hashable, int] = {}
    for x, v in a.items():
        for y, w in b.items():
            z = x + y
            result[z] = result.get(z, 0) + v * w
    return result


def is_whole(weights: Weights) -> bool:
    return all(type(x) is int for x in weights)


def step_of(weights: Weights) -> int:
    """The widest step of a lattice that holds all the outcomes (0 for a single one, which any step holds)."""
    start: int = min(weights)
    return gcd(*(x - start for x in weights))


def is_sparse(weights: Weights, step: int) -> bool:
    span: int = max(weights) - min(weights)
    return span > step * SPARSE * len(weights)


def cells(weights: Weights, step: int) -> list[int]:
    """The weights as a row from the smallest outcome to the largest, ``step >= 1`` apart."""
    start = min(weights)
    row = [0] * ((max(weights) - start) // step + 1)
    for x, weight in weights.items():
        row[(x - start) // step] = weight
    return row


def convolve(a: list[int], b: list[int]) -> list[int]:
    """Exact convolution of two rows of weights >= 0; no cell of it exceeds ``sum(a) * sum(b)``."""
    return convolve_int64(a, b) if sum(a) * sum(b) < INT64_LIMIT else convolve_big(a, b)


def convolve_int64(a: list[int], b: list[int]) -> list[int]:
    row: list[int] = np.convolve(np.array(a, dtype=np.int64), np.array(b, dtype=np.int64)).tolist()
    return row


def convolve_big(a: list[int], b: list[int]) -> list[int]:
    """Kronecker substitution: read each row as the digits of one big integer, and multiply the two. A digit is wide
    enough for the largest cell of the product, so that nothing carries into its neighbour."""
    width = (sum(a) * sum(b)).bit_length() // 8 + 1  # bytes

    def pack(row: list[int]) -> int:
        return int.from_bytes(b"".join(cell.to_bytes(width, "little") for cell in row), "little")

    packed = pack(a)
    product = packed * (packed if a is b else pack(b))  # Python squares faster than it multiplies
    digits = product.to_bytes(width * (len(a) + len(b) - 1), "little")
    return [int.from_bytes(digits[i : i + width], "little") for i in range(0, len(digits), width)]


def sum_floats(dist: Dist[int], k: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The sum of ``k`` independent copies in floating point, for sums too big to want exactly.

    Parameters
    ----------
    dist : Dist over ints
        Its outcomes lie on ``s + 1`` equally spaced values; best if most of these are outcomes.
    k : int
        Number of copies, >= 0.

    Returns
    -------
    values, probabilities : arrays of shape (k * s + 1,)
        The possible sums in rising order, and the probability of each (0 where a sum cannot happen).

    Raises
    ------
    DataError
        If k is no whole number >= 0, or an outcome is no int.

    Notes
    -----
    Direct convolution by repeated squaring only adds and multiplies positive numbers, so that far tails keep
    their digits: the error of a probability p is at most ``k (s + 1) (1 + log2 k) 2**-53`` times p, or times
    1e-290 for a p below that, which may vanish. (A convolution of rows of a and b cells adds ``min(a, b)``
    roundings to the errors of its factors, and
    ``min(a, b) <= ((a + b) log2(a + b) - a log2 a - b log2 b) / 2`` adds these up with room to spare.)
    """
    weights, total, n = dist.weights, dist.total, copies(k)
    if not is_whole(weights):
        raise DataError(SAY("dist.sum_floats"))
    step = step_of(weights) or 1
    row = np.array([weight / total for weight in cells(weights, step)])
    probabilities = power(row, n, np.convolve) if n else np.ones(1)
    return n * min(weights) + step * np.arange(len(probabilities), dtype=np.int64), probabilities


# -- Uniform draws of any size from a random generator: the tickets by which outcomes are sampled --

class IntegerSource(Protocol):
    """What sampling needs of a random generator; ``numpy.random.Generator`` has it."""

    def integers(self, high: int, /) -> Any:
        """A uniform integer from 0 to ``high - 1``, for any ``high`` up to 2**63."""


def below(rng: IntegerSource, high: int) -> int:
    """A uniform integer from 0 to ``high - 1``; beyond int64, wide words are drawn until one fits."""
    if high <= INT64_LIMIT:
        return int(rng.integers(high))
    bits = (high - 1).bit_length()
    while True:
        word = 0
        for _ in range(0, bits, 32):
            word = word << 32 | int(rng.integers(2**32))
        word >>= -bits % 32
        if word < high:
            return word
