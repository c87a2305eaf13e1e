"""Distributions over many numbers, drawn together to as many bars as a chart has room for."""

from __future__ import annotations

from collections.abc import Mapping

_MOST = 32


def binned(weights: Mapping[int, float], most: int = _MOST) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """The weights of whole numbers as named bars, neighbours drawn together if there are more than ``most``.

    ``weights``: numbers from 0 up; the bars depend on which there are, not on their weights. Returns "12", or "12–15"
    for bars that hold several numbers; and the weight of each.
    """
    numbers = sorted(weights)
    if len(numbers) <= most:
        return tuple(map(str, numbers)), tuple(weights[number] for number in numbers)
    width = -(-(numbers[-1] + 1) // most)
    bars = [0.0] * -(-(numbers[-1] + 1) // width)
    for number, weight in weights.items():
        bars[number // width] += weight
    return tuple(f"{i * width}–{(i + 1) * width - 1}" for i in range(len(bars))), tuple(bars)
