"""Wolf Pack in figures, for learners (`core.coding`)."""

from __future__ import annotations
from collections.abc import Iterator

from navalkit.core.coding import Coding, Figure, hot
from .cards import Card
from .rules import WolfPack
from .state import Discard, Observation, Pass, Phase, Play


def CODING(game: WolfPack) -> Coding:
    """The coding of a game."""

    def look(seen: Observation) -> Iterator[Figure]:
        yield from hot("phase", seen.phase, list(Phase))
        for pile in ("hand", "known", "my_known", "discards", "pool"):
            counts = zip(Card, getattr(seen, pile), seen.cards, strict=True)
            yield from ((f"{pile}.{card}", n, max(1, of)) for card, n, of in counts)
        for side in (0, 1):
            yield f"row.{side}", seen.rows[side], 10
            yield f"sunk.{side}", seen.sunk[side], max(1, seen.goals[side])
        yield from (("their_size", seen.their_size, 10), ("deck", seen.deck_size, sum(seen.cards)),
                    ("turn", seen.turn, max(1, seen.turn_limit)), ("side", seen.me, 1),
                    ("mine", float(seen.me == seen.side), 1))

    return Coding(look, (*map(Discard, Card), *map(Play, Card), Pass()))
