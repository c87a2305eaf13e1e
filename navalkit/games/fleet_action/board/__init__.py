"""The board and the page of Fleet Action as data: nothing else of the game draws. Here, the sentences of all of it, and
its figures as the present reader writes them."""

from __future__ import annotations
from fractions import Fraction

from navalkit.core.words import Words, local, percent
from ..cards import HOME

__all__ = ["SAY", "percent", "points"]
SAY = Words.load(HOME, "data/page.toml")


def points(mean: Fraction | float) -> str:
    """A mean of damage points."""
    return local(f"{float(mean):.1f}" if mean < 10 else f"{float(mean):.0f}")
