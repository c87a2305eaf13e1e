"""The exact odds of Fleet Action: what a salvo, a ship's fire, a torpedo set or a mine does, and who sinks whom.

Ships may be given as cards or by name, guns and torpedoes as themselves or by name. Ranges are in squares.
"""

from __future__ import annotations

from fractions import Fraction

from navalkit.core.luck.dist import Dist

from ..cards import ShipCard
from ..rules.salvos import ASPECTS, broadside, guns_left, mine, salvo, ship_card, torpedoes, whole
from ..words import SAY
from .duel import DuelResult, duel, duel_steps, steady

__all__ = [
    "ASPECTS", "DuelResult", "broadside", "duel", "duel_steps", "guns_left", "mine", "salvo", "sink_chance",
    "sink_within", "torpedoes",
]  # fmt: skip


def sink_chance(target: ShipCard | str, damage: int, *hits: Dist[int]) -> Fraction:
    """The chance that a ship so damaged is sunk by the damage of this move, that of all who fire at her together.

    Parameters
    ----------
    target : ShipCard or str
    damage : int
        Points she has already taken.
    hits : Dist of int
        Damage of each salvo, torpedo set or mine; they are independent.

    Returns
    -------
    Fraction
        That the damage comes to more than her sinking rate (rule F19).

    Raises
    ------
    DataError
        If there is no such ship.
    OptionError
        If the damage is no whole number, 0 or more.

    >>> round(float(sink_chance("Ajax", 190, broadside("Exeter", 3))), 3)
    0.868
    """
    whole("damage", damage)
    left = ship_card(target).sinking_rate - damage
    return sum(hits, Dist.point(0)).at_least(left + 1)


def sink_within(
    attacker: ShipCard | str,
    target: ShipCard | str,
    range: int,
    moves: int,
    *,
    relative: int | tuple[int, int] = 2,
    damage: int = 0,
    answered: bool = False,
) -> list[Fraction] | list[float]:
    """The chance that steady fire at a fixed range sinks a ship within 1, 2 ... ``moves`` moves.

    Parameters
    ----------
    attacker, target : ShipCard or str
        By name: "Exeter".
    range : int
        Squares between them.
    moves : int
        0 or more.
    relative : int or tuple of two ints
        The target's bearing from the attacker's heading in eighth-turns, and the attacker's from the target's; on the
        beam if not given.
    damage : int
        Points the target has already taken, 0 to her sinking rate.
    answered : bool
        Whether the target fires back, so that the attacker loses guns and may be sunk first.

    Returns
    -------
    list of Fraction
        Exact, by convolution; if ``answered``, floats from the chain of `duel`.

    Raises
    ------
    DataError
        If there is no such ship.
    OptionError
        If a number is out of range.

    >>> [round(float(p), 3) for p in sink_within("Exeter", "Ajax", 3, 8)]
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.002, 0.16, 0.724]
    """
    first, second = ship_card(attacker), ship_card(target)
    theirs, ours = relative if isinstance(relative, tuple) else (relative, relative)
    whole("range", range)
    whole("moves", moves)
    whole(SAY("odds.damage", name=second.name), damage, second.sinking_rate)
    if not answered:
        return steady(first, second, range, moves, theirs, damage)
    sunk: list[float] = duel(first, second, range, relative=(theirs, ours), damage=(0, damage)).sunk[1].tolist()
    return (sunk[1:] + sunk[-1:] * moves)[:moves]


ODDS = {
    "sink_within": sink_within, "broadside": broadside, "salvo": salvo, "torpedoes": torpedoes, "mine": mine,
}  # fmt: skip
"""The questions that the command line asks, too."""
