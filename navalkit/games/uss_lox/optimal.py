"""The optimal captain of USS Lox as a policy over arrays: tables of `endgame`, with the unseen cards put in."""

from __future__ import annotations
from collections.abc import Callable, Mapping
from copy import copy
from functools import cached_property, reduce
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from navalkit.core.errors import OptionError, brief
from . import cards, odds
from .cards import SAY
from .endgame import (
    DECLINE,
    ESCAPE,
    NEVER,
    Aim,
    Boats,
    Endgame,
    Floats,
    Ints,
    Lanes,
    Policy,
    Solution,
    solvable,
    unseen_by,
)
from .game import UssLox
from .odds import BIT, CHOICES, PACK_SIZE, SALVO, Counts, by_rank, salvoes
from .round import JOKER, PIPS, RANK, Bools, Round, most_fired, usual_ocean
from .state import MAX_TORPEDOES, Phase, State

_EQUAL = 1e-9
_BLOCK = 1 << 16  # boats at a time
_PIECE = 16_000  # entries of a product that are calculated at once
Values = dict[Any, Floats]
"""By order what it is worth to each boat, in the unit of the aim; `NEVER` where it is not allowed. Of equally good
orders the first is given. Orders are those of `Endgame.values`."""


class Worth(NamedTuple):
    """What the orders of one position are worth, with the tonnage so far: in thousands of tons, or a chance. ``orders``
    has the keys of `Endgame.values`, of equally good ones the preferred first; ``exact`` says whether they are exact,
    not those of a simpler sea."""

    orders: dict[Any, float]
    exact: bool

    @property
    def best(self) -> Any:
        good = max(self.orders.values()) - _EQUAL
        return next(order for order, value in self.orders.items() if value >= good)


class OptimalPolicy:
    """Dynamic programming over (ocean left, torpedoes left) with the cards really unseen put in.

    The chances of the shot at hand are exact given every card seen; so are the chances of each rank for the card turned
    up next, in the ocean or as an escort. What it is worth to have turned up such a card comes from `Solution`: for a
    fresh pack where many boats sail at once, for the cards really unseen where `at` gives the policy of one position.

    ``objective`` and ``loss_weight``: as for `Aim.of`.
    """

    counts = True

    def __init__(self, game: UssLox, objective: Any = "tonnage", loss_weight: Any = 1.0) -> None:
        self.game, self.aim, self.round = game, Aim.of(objective, loss_weight), Round(game)
        self.whole = np.uint64(unseen_by(game, game.initial()))
        self.solution = Solution(game, self.aim)
        # Letting ships go is free, and in a fresh pack every rank can be hit: sailing on is worth more than home.
        self.carefree = self.aim == Aim() and not (game.options["jokers"] or game.options["king_ships"])

    def at(self, state: State) -> Worth:
        """What every order of one position is worth: exact with few cards unseen, else by tables for those that are."""
        boats = Boats.of(self.game, state)
        if exact := solvable(self.game, self.aim, state):
            orders, so_far = Endgame(self.game, self.aim, state).values(), 0.0 if self.aim.top else boats.pips[0]
        else:
            policy = copy(self)
            if state.seen:
                policy.solution = Solution(self.game, self.aim, state, self.solution)
            weighed = policy.weigh(state.phase, boats, self.hits(state.phase, boats)).items()
            orders = {order: np.max(value) for order, value in weighed if np.max(value) > NEVER / 2}
            so_far = policy.so_far(boats)[0]
        return Worth({order: float(value + so_far) for order, value in orders.items()}, exact)

    # Orders

    def plan(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        return self._picked(Phase.PLAN, boats, lanes)

    def target(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        return self._picked(Phase.TARGET, boats, lanes)

    def escort(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        return self._picked(Phase.ESCORT, boats, lanes)

    def chase(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        return self._picked(Phase.QUEEN, boats, lanes) > 0

    def sail_on(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        if self.carefree:
            return np.ones(len(lanes), dtype=bool)
        return self._picked(Phase.DEBRIEF, boats, lanes) > 0

    def _picked(self, phase: Phase, boats: Boats, lanes: Lanes) -> Ints:
        """The best order of each lane."""
        assert boats.unseen is not None
        cell = 64 * (64 * boats.patrol[lanes] + boats.ocean[lanes]) + boats.torpedoes[lanes]
        ship = boats.ship[lanes]
        if len(lanes) > PACK_SIZE and (cell == cell[0]).all() and (boats.unseen[lanes] | BIT[ship] == self.whole).all():
            _, one, which = np.unique(ship, return_index=True, return_inverse=True)
            return self._picked(phase, boats, lanes[one])[which]  # the first ship in sight, and nothing else seen
        picked = np.empty(len(lanes), dtype=np.int8)
        order = np.argsort(cell, kind="stable")
        for start in range(0, len(lanes), _BLOCK):
            places = order[start : start + _BLOCK]
            here = boats.some(lanes[places])
            hits = self.hits(phase, here)
            for first, last in pairwise([0, *np.flatnonzero(np.diff(cell[places])) + 1, len(places)]):
                alike = slice(first, last)
                picked[places[alike]] = _best(self.weigh(phase, here.some(alike), hits[:, alike]))
        return picked

    # What they are worth, in the unit of the aim

    def hits(self, phase: Phase, boats: Boats) -> Counts:
        """How many salvoes of 0 to 3 sink the ships in sight, shape (4, lanes)."""
        assert boats.unseen is not None
        fight = phase in (Phase.TARGET, Phase.ESCORT)
        return salvoes(boats.ship, boats.unseen, self.round.nob)[0] if fight else np.empty((4, 0), np.int16)

    def weigh(self, phase: Phase, boats: Boats, hits: Counts) -> Values:
        """Every order of boats on one sea with as many torpedoes left. ``hits``: theirs."""
        ahead = _Ahead(self, boats, phase)
        if phase is Phase.PLAN:
            values = self.solution.plans(ahead.patrol - 1, ahead.torpedoes)
            return {size: value[ahead.pips] for size, value in enumerate(values, 1)}
        if phase is Phase.QUEEN:
            return {False: ahead.debrief[0], True: ahead.extra[0]}
        if phase in (Phase.PERISCOPE, Phase.DEBRIEF):
            home = {} if phase is Phase.PERISCOPE else {False: ahead.home}
            return {**home, True: ahead.flip[0]}
        rank, salvo = RANK[boats.ship], slice(min(ahead.torpedoes, SALVO[-1]) + 1)
        if phase is Phase.TARGET:
            ways = lambda: ahead.debrief[0], ahead.home, lambda: ahead.flip[0]  # noqa: E731
            avoid, missed = {DECLINE: self.round.let_go(boats.extra, ahead.ocean, *ways)}, ahead.hunted
        else:
            paid = ahead.debrief.take(np.minimum(PIPS[rank], ahead.torpedoes) * len(rank) + np.arange(len(rank)))
            avoid, missed = {ESCAPE: np.where(PIPS[rank] > ahead.torpedoes, NEVER, paid)}, ahead.lost
        after = ahead.credited(self.solution.worth[rank])
        sunk = debrief = after.debrief[salvo] + after.plus
        if self.round.queens:
            queen = lambda: np.maximum(debrief, after.extra[salvo] + after.plus)  # noqa: E731
            sunk = self.round.sunk(rank, boats.deck, queen, debrief)
        value = missed + hits[salvo] / CHOICES[salvo].take(ahead.total, axis=1) * (sunk - missed)
        value[np.array(SALVO[salvo])[:, None] > most_fired(rank, ahead.torpedoes)] = NEVER
        return {**avoid, **dict(enumerate(value))}

    def so_far(self, boats: Boats) -> Floats:
        """Pips to add to the values, which are those of what is yet to come where the aim is plain tonnage."""
        if self.solution.top:
            return np.zeros(len(boats.pips))
        return np.asarray(boats.pips + boats.estimates * self.solution.mean)

    def pips(self, boats: Boats) -> Ints:
        """The tonnage so far as the tables tell it apart."""
        if not self.solution.top:
            return np.zeros((), dtype=np.intp)
        guess = np.rint(boats.estimates * self.solution.mean).astype(np.intp)
        return np.asarray(np.minimum(boats.pips + guess, self.solution.top))


class _Ahead:
    """The tables of a solution, read for boats on one sea with as many torpedoes. Values are by the torpedoes that are
    then spent, shape (spent, lanes): as many as can be."""

    def __init__(self, policy: OptimalPolicy, boats: Boats, phase: Phase) -> None:
        assert boats.unseen is not None
        self.tables, self.round, self.deck = policy.solution, policy.round, boats.deck
        self.held = by_rank(boats.unseen).astype(float)  # unseen cards of each rank
        self.total = np.maximum(np.bitwise_count(boats.unseen), 1)
        self.patrol, self.ocean, self.torpedoes = (int(n[0]) for n in (boats.patrol, boats.ocean, boats.torpedoes))
        most = min(self.torpedoes, int(PIPS.max()) if phase is Phase.ESCORT else SALVO[-1])
        self.left = self.torpedoes - np.arange(most + 1)
        self._at(policy.pips(boats), np.zeros(()))

    def _at(self, pips: Ints, plus: Floats) -> None:
        self.pips, self.plus = pips, plus
        self.home, self.lost = self.tables.home[self.patrol - 1, pips], self.tables.lost[pips]

    def credited(self, worth: Floats) -> _Ahead:
        """The same boats after a sinking; ``plus`` is what to add to every value then."""
        after = copy(self)
        if self.tables.top:  # what was read for other tonnage so far
            for name in ("flip", "extra", "debrief", "hunted"):
                vars(after).pop(name, None)
        after._at(*self.tables.credit(self.pips, worth))
        return after

    def _mean(self, table: Floats, escort: bool = False) -> Floats:
        """A table's values, averaged over the card that is turned up."""
        held, total = self.held, self.total
        if escort and held[JOKER].any():  # a joker drawn as escort is set aside
            held, total = held * (np.arange(14) < JOKER)[:, None], np.maximum(total - held[JOKER], 1)
        here = table[self.patrol - 1, self.ocean, self.left]
        told = np.einsum("...lr,rl->...l", here[:, self.pips], held) if self.tables.top else _product(here[:, 0], held)
        return np.asarray(told / total)

    @cached_property
    def flip(self) -> Floats:
        """Of turning up an ocean card, or of coming home if none is left."""
        return self._mean(self.tables.flip)

    @cached_property
    def extra(self) -> Floats:
        """Of turning up an extra target."""
        return self._mean(self.tables.extra)

    @cached_property
    def debrief(self) -> Floats:
        """After an encounter."""
        asked = lambda: np.maximum(self.flip, self.home)  # noqa: E731
        value = self.round.debrief(self.ocean, self.left[:, None], self.home, asked)
        return np.broadcast_to(value, (len(self.left), len(self.total)))

    @cached_property
    def hunted(self) -> Floats:
        """When an escort comes, if one does."""
        escort = lambda: self._mean(self.tables.escort, escort=True)  # noqa: E731
        value: Floats = self.round.hunted(self.deck, self.patrol, escort, self.lost, lambda: self.debrief)
        return value


def _best(values: Values) -> Ints:
    """The order of each lane that is worth most."""
    good = reduce(np.maximum, values.values()) - _EQUAL
    *others, last = values
    best = np.array(last, dtype=np.int8)
    for order in reversed(others):
        best = np.where(values[order] >= good, np.int8(order), best)
    return best


def _product(rows: Floats, columns: Floats) -> Floats:
    """A matrix product in pieces too small to be shared out among threads, which would cost more than it gives."""
    piece = _PIECE // len(rows)
    pieces = [rows @ columns[:, start : start + piece] for start in range(0, columns.shape[1], piece)]
    return np.concatenate(pieces, axis=1) if len(pieces) > 1 else pieces[0]


# -- The captains of USS Lox as policies over arrays: random, greedy, optimal, and the text that names them

_ALIKE = 1e-9


class RandomPolicy:
    """Any legal order with equal chances, each square of the ocean being an order of its own."""

    counts = False

    def __init__(self, game: UssLox) -> None:
        self.game = game

    def plan(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        return rng.integers(1, boats.torpedoes[lanes])

    def target(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        salvoes = self._salvoes(boats, lanes)
        order = rng.integers(0, salvoes + 1)
        return np.where(order == salvoes, DECLINE, order)

    def escort(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        salvoes = self._salvoes(boats, lanes)
        order = rng.integers(0, salvoes + (PIPS[RANK[boats.ship[lanes]]] <= boats.torpedoes[lanes]))
        return np.where(order == salvoes, ESCAPE, order)

    def chase(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        return np.asarray(rng.integers(0, 2, len(lanes)) == 0)

    def sail_on(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        return rng.integers(0, boats.ocean[lanes] + 1) > 0

    def _salvoes(self, boats: Boats, lanes: Lanes) -> Ints:
        return np.asarray(most_fired(RANK[boats.ship[lanes]], boats.torpedoes[lanes]) + 1)


class GreedyPolicy:
    """Fires as soon as the odds are good enough, and thinks no further.

    A target is attacked with the fewest torpedoes whose chance reaches the threshold, and let go if there are
    none. An escort is attacked so too, if that takes fewer torpedoes than escaping; else she is escaped from;
    else attacked with the best chance there is. Where an escort may come unasked (king ships, jokers) the
    boat returns, and leaves an extra target alone, with fewer than three torpedoes left.

    ``threshold``: 0 to 1. ``counting``: whether the chances are those of the cards really unseen; else those of a fresh
    pack (`odds.table`).
    """

    def __init__(self, game: UssLox, threshold: Any = 0.6, counting: Any = False) -> None:
        try:
            self.threshold = float(threshold)
        except (TypeError, ValueError):
            self.threshold = -1.0
        if not 0 <= self.threshold <= 1:
            raise OptionError(SAY("wrong.threshold", value=brief(threshold)))
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        known = words.get(str(counting).lower())
        if known is None:
            raise OptionError(SAY("wrong.counting", value=brief(counting)))
        self.game, self.counts = game, known
        pack = set(game.pack)
        jokers = sum(map(cards.is_joker, pack))
        absent = [card for card in range(52 + jokers) if card not in pack]
        self._table = np.nan_to_num(odds.table(absent, jokers, game.options["nob"]))
        # What to fire by (rank, torpedoes left): a target, and an escort
        every = np.repeat(np.arange(13), MAX_TORPEDOES + 1), np.tile(np.array(SALVO), 13)
        shape = 13, MAX_TORPEDOES + 1
        self._fewest = self._reaching(self._table.T[:, every[0]], every[1]).reshape(shape).astype(np.int8)
        self._best = _best_salvo(self._table.T[:, every[0]], every[1]).reshape(shape).astype(np.int8)
        self.wary = bool(game.options["king_ships"] or game.options["jokers"])

    def odds(self, boats: Boats, lanes: Lanes) -> Floats:
        """The chances the policy goes by, shape (4, lanes)."""
        ship = boats.ship[lanes]
        if boats.unseen is None or not self.counts:
            return self._table.T[:, RANK[ship]]
        hits, deals = salvoes(ship, boats.unseen[lanes], self.game.options["nob"])
        return np.asarray(hits / np.maximum(deals, 1))

    def plan(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        """The usual ocean."""
        return np.asarray(usual_ocean(boats.torpedoes[lanes]))

    def target(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        rank, most = RANK[boats.ship[lanes]], np.minimum(boats.torpedoes[lanes], MAX_TORPEDOES)
        if self.counts:
            return self._reaching(self.odds(boats, lanes), most)
        fewest: Ints = self._fewest[rank, most]
        return fewest

    def escort(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        rank, left = RANK[boats.ship[lanes]], boats.torpedoes[lanes]
        most = np.minimum(left, MAX_TORPEDOES)
        if self.counts:
            chances = self.odds(boats, lanes)
            fewest, best = self._reaching(chances, most), _best_salvo(chances, most)
        else:
            fewest, best = self._fewest[rank, most], self._best[rank, most]
        price = PIPS[rank]
        fight = (fewest != DECLINE) & (fewest < price)
        return np.where(fight, fewest, np.where(price <= left, ESCAPE, best))

    def chase(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        return (boats.torpedoes[lanes] >= MAX_TORPEDOES) | (not self.game.options["jokers"])

    def sail_on(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        return (boats.torpedoes[lanes] >= MAX_TORPEDOES) | (not self.wary)

    def _reaching(self, chances: Floats, most: Ints) -> Ints:
        """The fewest torpedoes, at most ``most``, whose chance reaches the threshold, or `DECLINE`."""
        good = (chances >= self.threshold - _ALIKE) & (np.array(SALVO)[:, None] <= most)
        good[0] = chances[0] == 1  # no torpedo at all: a jack and her alone, whatever the threshold
        return np.where(good.any(axis=0), good.argmax(axis=0), DECLINE)


def _best_salvo(chances: Floats, most: Ints) -> Ints:
    """The fewest torpedoes, at most ``most``, with the best chance."""
    best: Ints = np.where(np.array(SALVO)[:, None] <= most, chances, -1.0).argmax(axis=0)
    return best


POLICIES: Mapping[str, tuple[Callable[..., Policy], tuple[str, ...]]] = {
    "random": (RandomPolicy, ()),
    "greedy": (GreedyPolicy, ("threshold", "counting")),
    "optimal": (OptimalPolicy, ("objective", "loss_weight")),
}
"""Maker and parameters of every policy by name."""


def policy(spec: str | Policy, game: UssLox) -> Policy:
    """The policy that a text names.

    ``spec``: a name, and after a colon its parameters, in order or by name: "random", "greedy", "greedy:0.7",
    "greedy:threshold=0.7,counting=yes", "optimal", "optimal:home:20000", "optimal:loss_weight=0". A policy is returned
    as it is. OptionError if there is no such policy or parameter, or a value is out of range.
    """
    if not isinstance(spec, str):
        return spec
    name, _, rest = spec.strip().partition(":")
    if name not in POLICIES:
        raise OptionError(SAY("wrong.policy", name=brief(name), names=", ".join(POLICIES)))
    make, names = POLICIES[name]
    given: dict[str, str] = {}
    for place, part in enumerate(rest.split(",") if rest else []):
        key, equals, value = (text.strip() for text in part.partition("="))
        if not equals and place < len(names):
            key, value = names[place], key
        if key not in names or key in given:
            raise OptionError(
                SAY("wrong.policy.part", spec=brief(spec), part=brief(part), name=name,
                    names=", ".join(names) or SAY("wrong.policy.none"))
            )
        given[key] = value
    return make(game, **given)
