"""USS Lox in figures, for learners (`core.coding`)."""

from __future__ import annotations
from collections.abc import Iterator

from navalkit.core.coding import Coding, Figure, hot
from .game import UssLox
from .state import (
    GONE,
    MAX_OCEAN,
    MAX_TORPEDOES,
    Attack,
    Chase,
    Decline,
    Escape,
    Flip,
    Phase,
    Plan,
    Return,
    State,
    square_names,
)

CARDS = 54


def CODING(game: UssLox) -> Coding:
    """The coding of a patrol; where the captain plans the ocean, of the largest."""
    plans = tuple(range(1, MAX_OCEAN + 1)) if any(isinstance(a, Plan) for a in game.legal(game.initial())) else ()
    size = MAX_OCEAN if plans else len(game.initial().ocean)
    names = square_names(size)

    def look(seen: State) -> Iterator[Figure]:
        yield from hot("phase", seen.phase, list(Phase))
        lies = dict(zip(square_names(len(seen.ocean)) if seen.ocean else (), seen.ocean, strict=True))
        yield from ((f"ocean.{name}", float(lies.get(name, GONE) != GONE), 1) for name in names)
        yield from ((f"seen.{card}", float(seen.seen >> card & 1), 1) for card in range(CARDS))
        yield from ((f"ship.{card}", float(seen.ship == card), 1) for card in range(CARDS))
        yield from (("torpedoes", len(seen.supply), 15), ("deck", len(seen.deck), CARDS), ("tons", seen.tons, 100_000),
                    ("escorts", seen.met, 9), ("patrol", seen.patrol, 2))

    squares = dict.fromkeys(name for n in plans or (size,) for name in square_names(n))
    actions = (*map(Plan, plans), *map(Flip, squares), *map(Attack, range(MAX_TORPEDOES + 1)), Decline(), Escape(),
               Chase(), Return())
    return Coding(look, actions, reward=10_000)
