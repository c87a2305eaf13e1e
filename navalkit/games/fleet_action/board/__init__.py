"""The board and the page of Fleet Action as data: nothing else of the game draws. Here, the sentences of all of it, and
its figures as the present reader writes them."""

from __future__ import annotations
from fractions import Fraction

from navalkit.core.words import Words, local, percent as plain
from ..cards import HOME

SAY = Words.load(HOME, "data/page.toml")


def percent(chance: Fraction | float) -> str:
    """A chance in percent."""
    return local(plain(chance))


def points(mean: Fraction | float) -> str:
    """A mean of damage points."""
    return local(f"{float(mean):.1f}" if mean < 10 else f"{float(mean):.0f}")
