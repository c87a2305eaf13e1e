"""How a side best shares out its fire, by its expected worth with exact chances to sink.

The worth of fire at a ship is her points value times the expected share of her that it destroys: all of her if she
sinks, else ``AFLOAT`` of the share of her sinking rate that the damage makes up. With the damage from everything
ordered so far, V(x) is the worth still to come if a further x points are done. Another fire with damage probabilities
f is then worth sum f(x) V(x) - V(0), and turns V into sum f(y) V(x + y): one scalar product to weigh it, one
correlation to take it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..cards.figures import points
from ..odds.prospects import Order, left, ordered, volley
from ..rules import firing
from ..state import Guns, State, Torpedoes
from ..state.scenario import Scenario

Source = tuple[str, str, int]  # ship, battery, torpedo set: what can be ordered at one target only
Row = NDArray[np.float64]

AFLOAT = 0.5  # what damage to a ship that stays afloat counts, against the same share of sinking her
TOLERANCE = 1e-9  # a change of targets must gain more than rounding


@dataclass(frozen=True, slots=True)
class Plan:
    """How a side shares out its fire."""

    orders: tuple[Order, ...]  # guns or torpedoes, to be given in this order
    # expected worth of all fire of the side in this move, in points of value; orders given before included
    worth: float
    sunk: Mapping[int, float]  # target -> the chance that it is sunk


def sources(battle: Scenario, state: State) -> dict[Source, dict[int, Order]]:
    """What the side on turn can still fire: each ship's batteries and torpedo sets -> target -> the order."""
    found: dict[Source, dict[int, Order]] = {}
    for order in firing.orders(battle, state):
        match order:
            case Torpedoes(ship, number, aim):
                source = (ship, "", number)
            case Guns(ship, aim, battery, False) if battery or len(firing.batteries(battle, battle.numbers[ship])) == 1:
                source = (ship, battery, 0)
            case _:
                continue
        found.setdefault(source, {})[battle.numbers[aim]] = order
    return found


def share_out(
    battle: Scenario, state: State, *, worth: Mapping[int, float] | None = None, torpedo_price: float = 0.0
) -> Plan:
    """The best fire of the side on turn: greedily, then each source in turn moved to where it does most.

    ``state``: in the firing phase; a player gives the view of his observation. ``worth``: target -> what sinking her is
    worth; the points value of her card where it is not given. ``torpedo_price``: expected worth that a torpedo set must
    add to be fired. In the plan no single source would do better at another target, or held
    back.
    """
    choices = sources(battle, state)
    ships = sorted({target for options in choices.values() for target in options})
    given = worth or {}
    sharing = _Sharing(
        choices,
        {n: _value(battle, state, n, given.get(n, points(battle.card(n)))) for n in ships},
        {
            (source, target): volley(battle, state, order).row(left(battle, state, target))
            for source, options in choices.items()
            for target, order in options.items()
        },
        torpedo_price,
    )
    sharing.greedily()
    sharing.settle()
    sunk = {}
    for n in ships:
        chance = np.append(np.zeros(left(battle, state, n)), 1.0)
        chance = sharing.after(_after(chance, ordered(battle, state, n).row(len(chance) - 1)), n)
        sunk[n] = min(1.0, float(chance[0]))  # not above 1 by rounding
    orders = tuple(choices[source][target] for source, target in sharing.aim.items() if target is not None)
    return Plan(orders, sum(float(value[0]) for value in sharing.values.values()), sunk)


class _Sharing:
    """Which source fires at which target, on the way to the best.

    ``choices`` are as from `sources`, ``fresh`` the worth V of each target before any of them fires, ``rows`` the
    damage probabilities of each source at each target.
    """

    def __init__(
        self,
        choices: Mapping[Source, Mapping[int, Order]],
        fresh: Mapping[int, Row],
        rows: Mapping[tuple[Source, int], Row],
        torpedo_price: float,
    ) -> None:
        self.choices, self.fresh, self.rows, self.torpedo_price = choices, fresh, rows, torpedo_price
        self.values = dict(fresh)
        self.aim: dict[Source, int | None] = dict.fromkeys(choices)

    def after(self, value: Row, target: int, but: Source | None = None) -> Row:
        """That V when all have fired that aim at the target, but one."""
        for source, aim in self.aim.items():
            if aim == target and source != but:
                value = _after(value, self.rows[source, target])
        return value

    def gain(self, source: Source, target: int | None, values: Mapping[int, Row]) -> float:
        """What a source adds at a target, less the price of torpedoes; held back, nothing."""
        if target is None:
            return 0.0
        row, value = self.rows[source, target], values[target]
        return float(row @ value[: len(row)] - value[0]) - (self.torpedo_price if source[2] else 0.0)

    def best(self, source: Source, values: Mapping[int, Row]) -> tuple[float, int | None]:
        """Where a source adds most, and how much."""
        aims: list[int | None] = [None, *self.choices[source]]
        gains = [self.gain(source, aim, values) for aim in aims]
        most = max(gains)
        return most, aims[gains.index(most)]

    def greedily(self) -> None:
        """Whatever adds most is ordered next, until nothing adds anything."""
        idle = list(self.choices)
        while idle:
            offers = [self.best(source, self.values) for source in idle]
            n = max(range(len(idle)), key=lambda i: offers[i][0])
            target = offers[n][1]
            if target is None:
                return
            source = idle.pop(n)
            self.aim[source] = target
            self.values[target] = _after(self.values[target], self.rows[source, target])

    def settle(self) -> None:
        """Sources change their targets one by one, as long as one gains by it."""
        moved = True
        while moved:
            moved = False
            for source, aim in self.aim.items():
                values = dict(self.values)
                if aim is not None:
                    values[aim] = self.after(self.fresh[aim], aim, source)
                gain, target = self.best(source, values)
                if gain > self.gain(source, aim, values) + TOLERANCE:
                    moved = True
                    self.aim[source] = target
                    if target is not None:
                        values[target] = _after(values[target], self.rows[source, target])
                    self.values = values


def _value(battle: Scenario, state: State, ship: int, worth: float) -> Row:
    """V of a ship: the worth of 0, 1, 2 ... further points, the last of which sinks her."""
    enough = left(battle, state, ship)
    share = AFLOAT / battle.card(ship).sinking_rate
    fresh = worth * np.append(share * np.arange(enough), 1.0)
    return _after(fresh, ordered(battle, state, ship).row(enough))


def _after(value: Row, fire: Row) -> Row:
    """What V becomes when that fire is ordered; beyond its end V stays as it is there."""
    return np.correlate(np.append(value, np.full(len(fire) - 1, value[-1])), fire, "valid")
