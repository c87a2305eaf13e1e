"""The exact odds of Fleet Action: what a salvo, a ship's fire, a torpedo set or a mine does, and who sinks whom.

Ships may be given as cards or by name, guns and torpedoes as themselves or by name. Ranges are in squares.
"""

from __future__ import annotations
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product, repeat

import numpy as np
from numpy.typing import NDArray

from navalkit.core.awaited import Steps, finish
from navalkit.core.dist import Dist
from .cards import SAY, ShipCard
from .raids import Strike, attack, charges, drop, fight, flak, hunt, hunted, strike, where
from .rules.gunnery import ASPECTS, broadside, guns_left, mine, salvo, ship_card, torpedoes, whole

__all__ = [
    "ASPECTS", "DuelResult", "Strike", "attack", "broadside", "charges", "drop", "duel", "duel_steps", "fight", "flak",
    "guns_left", "hunt", "hunted", "mine", "salvo", "sink_chance", "sink_within", "strike", "torpedoes", "where",
]


# -- Steady fire at a fixed range: one ship at another, and two at each other, as Markov chains over damage
# One-sided fire is a convolution a move, exact in whole numbers. A duel is a chain over the damage (i, j) of both
# ships. What a ship does in a move depends on her own damage only, by the full quarters of her sinking rate, which
# put main guns out; and the two fires are independent. So the next distribution is, for each pair of quarters (q, r),
# the block of states in them convolved along i with B's fire in quarter r and along j with A's fire in quarter q: one
# product of Fourier transforms. The mass moves as a narrow hill through the table, and of each block only the rows
# and columns between its outermost `NEGLIGIBLE` parts are carried on. What is dropped, below 1e-9 in all unless a
# duel lasts for more than 600 moves, is the only error besides rounding.

Row = NDArray[np.float64]

NEGLIGIBLE = 1e-13  # probability dropped at each edge of a block
UNDECIDED = 1e-11  # the chain ends when no more than this is left
SIZES = sorted(2**a * 3**b * 5**c for a in range(13) for b in range(4) for c in range(3))  # quick to transform


@dataclass(frozen=True, slots=True)
class DuelResult:
    """How a duel ends.

    Parameters
    ----------
    a, b : float
        Probability that the first, or the second, ship alone is left afloat.
    both : float
        Probability that both sink, in the same move.
    neither : float
        Probability that both live because neither can fire any more.
    time : float
        Mean number of moves until then.
    sunk : tuple of arrays of shape (moves + 1,)
        For the first and the second ship: the probability that she is sunk by the end of each move, from move 0.
    """

    a: float
    b: float
    both: float
    neither: float
    time: float
    sunk: tuple[Row, Row]


def steady(attacker: ShipCard, target: ShipCard, range: int, moves: int, relative: int, damage: int) -> list[Fraction]:
    """The chance that the target, already damaged so, is sunk by the end of each move, unanswered."""
    fire = broadside(attacker, range, relative)
    enough = target.sinking_rate + 1 - damage
    done: Dist[int] = Dist.point(0)
    chances = []
    for _ in repeat(None, moves):
        done = (done + fire).map(lambda points: min(points, enough))
        chances.append(done[enough])
    return chances


def duel(a: ShipCard | str, b: ShipCard | str, range: int, *, relative: tuple[int, int] = (2, 2),
         damage: tuple[int, int] = (0, 0)) -> DuelResult:
    """How two ships fare that fire all they have at each other, at a fixed range, until one sinks or both are silent.

    Fire is simultaneous; more damage than her sinking rate sinks a ship (rule F19); at each full quarter of it she
    loses a quarter of her main guns (rule F20; `salvos.guns_left` says which).

    Parameters
    ----------
    a, b : ShipCard or str
        The ships, or their names in the tables.
    range : int
        Squares between them.
    relative : tuple of two ints
        Bearing of B from A's heading and of A from B's heading in eighth-turns; on the beam if not given.
    damage : tuple of two ints
        Damage points each has at the start, 0 to her sinking rate.

    Returns
    -------
    DuelResult
        Exact to 1e-9 and better.

    Raises
    ------
    DataError
        If there is no such ship.
    OptionError
        If range or damage is out of range.

    >>> round(duel("Exeter", "Ajax", 3).time, 2)
    8.82
    """
    return _duel(*_checked(a, b, range, relative, damage))


def duel_steps(a: ShipCard | str, b: ShipCard | str, range: int, *, relative: tuple[int, int] = (2, 2),
               damage: tuple[int, int] = (0, 0)) -> Steps[DuelResult]:
    """As `duel`, a step a move.

    Parameters
    ----------
    a, b, range, relative, damage
        As in `duel`.

    Yields
    ------
    float or None
        The share done; the generator returns the `DuelResult`.

    >>> from navalkit.core.awaited import finish
    >>> round(finish(duel_steps("Exeter", "Ajax", 3)).time, 2)
    8.82
    """
    return (yield from _chain(*_checked(a, b, range, relative, damage)))


_Given = tuple[ShipCard, ShipCard, int, tuple[int, int], tuple[int, int]]


def _checked(a: ShipCard | str, b: ShipCard | str, range: int, relative: tuple[int, int],
             damage: tuple[int, int]) -> _Given:
    first, second = ship_card(a), ship_card(b)
    whole("range", range)
    for points, card in zip(damage, (first, second), strict=True):
        whole(SAY("odds.damage", name=card.name), points, card.sinking_rate)
    return first, second, range, (relative[0] % 8, relative[1] % 8), damage


@lru_cache(maxsize=256)
def _duel(*given: *_Given) -> DuelResult:
    return finish(_chain(*given))


def _chain(a: ShipCard, b: ShipCard, range: int, relative: tuple[int, int],
           damage: tuple[int, int]) -> Steps[DuelResult]:
    rates = (a.sinking_rate, b.sinking_rate)
    fires = [_fires(card, range, bearing) for card, bearing in zip((a, b), relative, strict=True)]
    bounds = [[_first(quarter, rate) for quarter in (0, 1, 2, 3, 4, 5)] for rate in rates]
    hill = np.zeros((rates[0] + 1, rates[1] + 1))  # the chance of each damage of A and B, both afloat
    hill[damage] = 1.0
    a_sunk, b_sunk = [0.0], [0.0]
    a_alone = b_alone = both = neither = time = 0.0
    while True:
        yield None
        after = np.zeros((rates[0] + 2, rates[1] + 2))  # its last row and column: sunk
        undecided = 0.0
        for q, r, rows, columns in _blocks(hill, bounds):
            block = hill[rows, columns]
            if len(fires[0][q]) == len(fires[1][r]) == 1:
                neither += float(block.sum())
                continue
            undecided += float(block.sum())
            moved = _spread(block, fires[1][r], fires[0][q])
            moved = _fold(_fold(moved, rates[0] + 1 - rows.start).T, rates[1] + 1 - columns.start).T
            places = (np.r_[s.start : s.start + k - 1, -1] for s, k in zip((rows, columns), moved.shape, strict=True))
            after[np.ix_(*places)] += moved
        if undecided <= UNDECIDED:
            break
        time += undecided
        a_alone += float(after[:-1, -1].sum())
        b_alone += float(after[-1, :-1].sum())
        both += float(after[-1, -1])
        a_sunk.append(a_sunk[-1] + float(after[-1].sum()))
        b_sunk.append(b_sunk[-1] + float(after[:, -1].sum()))
        hill = after[:-1, :-1]
    sunk = (np.array(a_sunk), np.array(b_sunk))
    for row in sunk:
        row.flags.writeable = False
    return DuelResult(a_alone, b_alone, both, neither, time, sunk)


def _fires(card: ShipCard, range: int, relative: int) -> list[Row]:
    """The distribution of her fire in each quarter: probabilities of 0, 1, 2 ... damage points."""
    rows = []
    for quarter in (0, 1, 2, 3, 4):
        fire = broadside(card, range, relative, guns=guns_left(card, quarter, range, relative))
        row = np.zeros(max(fire) + 1)
        for points, chance in fire.items():
            row[points] = float(chance)
        rows.append(row)
    return rows


def _first(quarter: int, rate: int) -> int:
    """The least damage that makes up that many full quarters of the rate; one past the rate for the fifth."""
    return rate + 1 if quarter == 5 else -(-quarter * rate // 4)


def _blocks(hill: Row, bounds: list[list[int]]) -> Iterator[tuple[int, int, slice, slice]]:
    """The parts of the hill that hold any mass: quarter of A and of B, rows and columns."""
    for q, r in product(range(5), repeat=2):
        block = hill[bounds[0][q] : bounds[0][q + 1], bounds[1][r] : bounds[1][r + 1]]
        rows, columns = _core(block.sum(axis=1), bounds[0][q]), _core(block.sum(axis=0), bounds[1][r])
        if rows.start < rows.stop and columns.start < columns.stop:
            yield q, r, rows, columns


def _core(mass: Row, start: int) -> slice:
    """The states from ``start`` on that hold all the mass but a negligible part at either edge."""
    below, above = np.cumsum(mass), np.cumsum(mass[::-1])
    first, last = np.searchsorted(below, NEGLIGIBLE, "right"), np.searchsorted(above, NEGLIGIBLE, "right")
    return slice(start + int(first), start + len(mass) - int(last))


def _spread(block: Row, down: Row, across: Row) -> Row:
    """The block convolved with one row of probabilities along its first axis and with another along its second."""
    shape = (block.shape[0] + len(down) - 1, block.shape[1] + len(across) - 1)
    n, m = (next(size for size in SIZES if size >= length) for length in shape)
    waves = np.fft.rfft2(block, (n, m)) * np.fft.fft(down, n)[:, None] * np.fft.rfft(across, m)
    # what is no more than rounding must not turn up as a chance below 0
    return np.maximum(np.fft.irfft2(waves, (n, m))[: shape[0], : shape[1]], 0)


def _fold(moved: Row, afloat: int) -> Row:
    """Rows of new damage, those that no longer leave the ship afloat added up in one last row."""
    return np.vstack([moved[:afloat], moved[afloat:].sum(axis=0)])


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


def sink_within(attacker: ShipCard | str, target: ShipCard | str, range: int, moves: int, *,
                relative: int | tuple[int, int] = 2, damage: int = 0,
                answered: bool = False) -> list[Fraction] | list[float]:
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


ODDS = {"sink_within": sink_within, "broadside": broadside, "salvo": salvo, "torpedoes": torpedoes, "mine": mine}
"""The questions that the command line asks, too."""
