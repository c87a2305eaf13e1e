"""A duel: a chain over the damage of both ships, or, for giants, duels fought."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navalkit.core.awaited import Steps
from navalkit.explore.controls import Settings, Whole
from navalkit.explore.question import Answer, Plot, Question, Tally

from .. import odds
from ..cards import ShipCard, ship
from .fire import BEARINGS, GAME, GUNNED, MOVES, RANGE, SAY, bears, fire_of, row_of, ships

_AFFORDABLE = 12e6
"""States of the chain, times moves, for which a duel is calculated exactly: about a second. Beyond, it is fought."""
_DUELS, _BATCH = 20_000, 500

Curves = NDArray[np.float64]
Ends = tuple[tuple[float, ...], Curves, float, float]
"""How it ends (first alone, second alone, none, both afloat), both curves, mean length, standard error."""


def _bearings(settings: Settings) -> tuple[int, int]:
    return BEARINGS.index(settings["bearing"]), BEARINGS.index(settings["from_second"])


def _cost(first: ShipCard, second: ShipCard, settings: Settings) -> float:
    """States of the chain times the moves it may take: till unhurt fire sinks the first of the two, and half more."""
    moves = 0.0
    for card, other, bearing in zip((first, second), (second, first), _bearings(settings), strict=True):
        mean = float(fire_of(card.name, settings["range"], bearing, 0).mean)
        if mean:
            needed = other.sinking_rate / mean
            moves = min(moves, needed) if moves else needed
    return 1.5 * moves * first.sinking_rate * second.sinking_rate


def _duel(settings: Settings) -> Steps[Answer]:
    first, second = ship(settings["first"]), ship(settings["second"])
    exact = _cost(first, second, settings) <= _AFFORDABLE
    ends, curves, length, error = yield from (chain if exact else fought)(settings)
    x = tuple(map(str, range(1, MOVES + 1)))
    other = second.name if second.name != first.name else SAY("fleet-duel.second-of-class", ship=second.name)
    names = (first.name, other, SAY("fleet-duel.neither"), SAY("fleet-duel.both"))
    return Answer(
        ends[0],
        (
            Plot("outcome", names, ends, 0), Plot("first-sunk", x, tuple(curves[0])),
            Plot("second-sunk", x, tuple(curves[1])),
        ),
        ("fire", "chain" if exact else "fought"),
        ("steady",),
        (*(["length"] if exact else []), "other", "neither"),
        {"first": first.name, "second": other, "duels": _DUELS, "length": length, "alone": ends[1], "none": ends[2]},
        error=error,
        n=0 if exact else _DUELS,
        exactness="nine" if exact else "estimate",
    )  # fmt: skip


def chain(settings: Settings) -> Steps[Ends]:
    """The duel as a chain, a step a move."""
    first, second = ship(settings["first"]), ship(settings["second"])
    damage = int(first.sinking_rate * settings["damage"] // 100), 0
    end = yield from odds.duel_steps(first, second, settings["range"], relative=_bearings(settings), damage=damage)
    total = end.a + end.b + end.both + end.neither
    # by the end of moves 1 to MOVES; after the last move of the chain nothing changes
    curves = [np.pad(sunk, (0, MOVES), "edge")[1 : MOVES + 1] for sunk in end.sunk]
    return (
        tuple(each / total for each in (end.a, end.b, end.both, end.neither)),
        np.minimum(curves, 1.0), end.time, 0.0,
    )  # fmt: skip


def fought(settings: Settings) -> Steps[Ends]:
    """The duel fought, a step a batch."""
    rng, tally = np.random.default_rng(1), None
    for done in range(0, _DUELS, _BATCH):
        batch = _fight(settings, rng, _BATCH)
        tally = batch if tally is None else tally + batch
        yield done / _DUELS
    assert tally is not None
    ends, one, two = (row / tally.n for row in tally.bars if row is not None)
    return tuple(ends.tolist()), np.array([one, two]), 0.0, tally.error


def _fight(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Duels fought side by side, damage drawn from the broadsides of each quarter."""
    cards = ship(settings["first"]), ship(settings["second"])
    rates = np.array([card.sinking_rate for card in cards])
    ends = [
        [np.cumsum(row_of(fire_of(card.name, settings["range"], bearing, quarter))) for quarter in range(5)]
        for card, bearing in zip(cards, _bearings(settings), strict=True)
    ]
    damage = np.zeros((n, 2), dtype=np.int64)
    damage[:, 0] = rates[0] * settings["damage"] // 100
    curves = np.zeros((2, MOVES), dtype=np.int64)
    move, going = 0, np.arange(n)
    while len(going):
        quarters = 4 * damage[going] // rates
        done = np.zeros((len(going), 2), dtype=np.int64)
        silent = np.ones(len(going), dtype=bool)
        for side in (0, 1):
            for quarter in range(5):
                lanes = np.flatnonzero(quarters[:, side] == quarter)
                row = ends[side][quarter]
                done[lanes, 1 - side] = np.minimum(np.searchsorted(row, rng.random(len(lanes)), "right"), len(row) - 1)
                if len(row) > 1:
                    silent[lanes] = False
        damage[going] += done
        if move < MOVES:
            curves[:, move] += (damage > rates).sum(axis=0)
        move += 1
        going = going[~silent & (damage[going] <= rates).all(axis=1)]
    curves[:, move:] = (damage > rates).sum(axis=0)[:, None]
    lost = damage > rates
    kinds = [~lost[:, 0] & lost[:, 1], lost[:, 0] & ~lost[:, 1], lost.all(axis=1), ~lost.any(axis=1)]
    return Tally.of(kinds[0], [int(kind.sum()) for kind in kinds], curves[0], curves[1])


DUEL = Question(
    "fleet-duel", GAME, SAY,
    (
        ships("first", "Baltimore", GUNNED), ships("second", "Prinz Eugen", GUNNED), RANGE, bears("bearing"),
        bears("from_second"), Whole("damage", 0, 0, 95, 5),
    ),
    _duel, _fight, inverse="range", gains=(("range", -1, "nearer"),),
)  # fmt: skip
