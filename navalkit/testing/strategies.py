"""Hypothesis strategies: random legal walks through any game.

>>> from hypothesis import given
>>> @given(walks(load("uss-lox")))          # doctest: +SKIP
... def test_tonnage_never_shrinks(match): ...
"""

from __future__ import annotations
from typing import Any

from hypothesis import strategies as st

from navalkit.core.game import Game
from navalkit.core.match import Match
from navalkit.core.seeds import MAX_SEED

__all__ = ["states", "walks"]


@st.composite
def walks(draw: st.DrawFn, game: Game[Any, Any], max_decisions: int = 100) -> Match:
    """A match after a number of random decisions; chance comes from its seed.

    Parameters
    ----------
    game : Game
        What is played.
    max_decisions : int
        The walk ends here at the latest. Shrinking makes it shorter and takes actions listed earlier.
    """
    match = Match.new(game, draw(st.integers(0, MAX_SEED)))
    for _ in range(draw(st.integers(0, max_decisions))):
        if match.over:
            break
        match.play(draw(st.sampled_from(match.legal())))
    return match


def states(game: Game[Any, Any], max_decisions: int = 100) -> st.SearchStrategy[Any]:
    """A state that random legal play leads to, chance's turns among them."""
    walk = walks(game, max_decisions)
    return walk.flatmap(lambda match: st.integers(0, match.ply).map(match.at))
