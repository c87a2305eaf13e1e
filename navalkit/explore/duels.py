"""The question of a duel in Fleet Action: a chain over the damage of both ships, or, for giants, duels fought."""

from __future__ import annotations

import numpy as np

from navalkit.core.chances import percent
from navalkit.games.fleet_action import odds
from navalkit.games.fleet_action.cards import ShipCard, ship

from .controls import Choice, Settings, Whole
from .fleet import BEARINGS, GAME, GUNNED, MOVES, fire_of, row_of, ship_choice
from .question import Answer, Plot, Question, Tally

_AFFORDABLE = 12e6
"""States of the chain, times moves, for which a duel is reckoned exactly: about a second. Beyond, it is fought."""
_DUELS = 20_000


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


def _duel(settings: Settings) -> Answer:
    first, second = ship(settings["first"]), ship(settings["second"])
    exact = _cost(first, second, settings) <= _AFFORDABLE
    ends, curves, length, error = (_chain if exact else _fought)(first, second, settings)
    x = tuple(map(str, range(1, MOVES + 1)))
    other = second.name if second.name != first.name else f"{second.name} (second)"
    return Answer(
        ends[0],
        f"The chance that {first.name} alone is left afloat.",
        (
            Plot("outcome", "How it ends", "left afloat", (first.name, other, "neither", "both"), ends, 0),
            Plot("first-sunk", f"Chance that {first.name} is sunk by move", "move", x, curves[0]),
            Plot("second-sunk", f"Chance that {other} is sunk by move", "move", x, curves[1]),
        ),
        (
            "In each move both fire at once, each with what her damage has left her: a quarter of the main guns is "
            "gone at each full quarter of the sinking rate (F20). It ends when one is sunk (F19) or nobody can fire.",
            "A chain over the damage of both: what each state leads to is the two distributions of damage, convolved."
            if exact
            else f"So large a chain takes too long: {_DUELS:,} duels were fought instead, for an estimate.",
        ),
        ("Range and bearings stay as they are; both fire all they have at each other.",),
        error=error,
        n=0 if exact else _DUELS,
        exactness="exact to nine decimals" if exact else "estimate",
        facts=(
            *((("Mean length", f"{length:.1f} moves"),) if exact else ()),
            (f"{other} alone afloat", percent(ends[1])), ("Both sunk", percent(ends[2])),
        ),
    )  # fmt: skip


_Ends = tuple[tuple[float, ...], tuple[tuple[float, ...], tuple[float, ...]], float, float]
"""How it ends (first alone, second alone, none, both afloat), both curves, mean length, standard error."""


def _chain(first: ShipCard, second: ShipCard, settings: Settings) -> _Ends:
    damage = int(first.sinking_rate * settings["damage"] // 100), 0
    end = odds.duel(first, second, settings["range"], relative=_bearings(settings), damage=damage)
    total = end.a + end.b + end.both + end.neither
    ends = tuple(each / total for each in (end.a, end.b, end.both, end.neither))
    one, two = (tuple(min(1.0, p) for p in _to(sunk.tolist())) for sunk in end.sunk)
    return ends, (one, two), end.time, 0.0


def _fought(first: ShipCard, second: ShipCard, settings: Settings) -> _Ends:
    tally = _fight(settings, np.random.default_rng(1), _DUELS)
    ends, one, two = (tuple((row / tally.n).tolist()) for row in tally.bars if row is not None)
    return ends, (one, two), 0.0, tally.error


def _to(sunk: list[float]) -> list[float]:
    """By the end of moves 1 to `MOVES`; after the last move of the chain nothing changes."""
    return (sunk[1:] + sunk[-1:] * MOVES)[:MOVES]


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
    "fleet-duel", GAME, "Who wins a duel?",
    (
        ship_choice("first", "First ship", "Baltimore", GUNNED),
        ship_choice("second", "Second ship", "Prinz Eugen", GUNNED),
        Whole(name="range", label="Range", default=4, low=0, high=9, unit="squares"),
        Choice(name="bearing", label="She bears from the first", default="starboard beam", ordered=True,
               choices=tuple((word, word) for word in BEARINGS)),
        Choice(name="from_second", label="The first bears from her", default="starboard beam", ordered=True,
               choices=tuple((word, word) for word in BEARINGS)),
        Whole(name="damage", label="Damage of the first", default=0, low=0, high=95, step=5, unit="%"),
    ),
    _duel, _fight, inverse="range", gains=(("range", -1, "a square nearer"),), slow=True,
)  # fmt: skip

QUESTIONS: tuple[Question, ...] = (DUEL,)
