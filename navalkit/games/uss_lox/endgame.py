"""The last cards of a patrol, exactly: every order and every draw, with the very cards the pool still holds.

With few unseen cards all sets of them can be listed: a set is a bit mask over the pool. For each *cell* (ocean and
torpedoes left, estimates, tonnage, patrol) a table holds the value for every set at once; how many cards the deck has
follows from the size of the set. A salvo takes a subset out of a set, so that all salvoes at all ships are one matrix
product. The cells depend on each other in the order of the rules, and are worked out when they are asked for.
"""

from __future__ import annotations
import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from math import comb
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from navalkit.core.errors import OptionError, brief
from navalkit.core.words import Phrase
from . import cards, cribbage, odds
from .cards import SAY
from .game import UssLox
from .odds import SALVO, by_rank
from .round import JOKER, PIPS, RANK, Bools, Round, most_fired
from .state import MAX_TORPEDOES, Phase, State

# -- Many patrols side by side, as arrays: what the policies look at and the simulator moves on ----
# One lane is one boat. A single `State` is the case of one lane, so that a player in a match and the same
# policy in the simulator run through the same lines of code.

Ints = npt.NDArray[np.integer[Any]]
Lanes = npt.NDArray[np.intp]

DECLINE, ESCAPE = 4, 5  # orders beside 0..3, the torpedoes of an attack


@dataclass(slots=True)
class Boats:
    """Struct of arrays, one entry a lane."""

    ship: npt.NDArray[np.uint8]  # shape (lanes,): the card that lies face up
    extra: Bools  # whether it is the extra target of a sunk queen
    ocean: Ints  # cards face down in the ocean
    torpedoes: Ints  # cards in the supply
    deck: Ints  # cards in the deck
    pips: Ints  # thousands of tons in the score pile, without face-down estimates
    estimates: Ints  # face-down cards in the score pile (rule A2)
    patrol: Ints  # 1 or 2
    # a bit for each card of the pack not seen yet; None where the policy does not count cards
    unseen: npt.NDArray[np.uint64] | None

    def some(self, lanes: Any) -> Boats:
        """Some of the boats."""
        columns: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        for name in columns.keys() - {"unseen"} if self.unseen is None else columns:
            columns[name] = columns[name][lanes]
        return Boats(**columns)

    @classmethod
    def of(cls, game: UssLox, state: State) -> Boats:
        """The one lane of a state."""
        return cls(ship=np.array([max(state.ship, 0)], dtype=np.uint8), extra=np.array([state.role == "extra"]),
                   ocean=np.array([state.ocean_left]), torpedoes=np.array([state.torpedoes]),
                   deck=np.array([len(state.deck)]), pips=np.array([state.tons // 1000]),
                   estimates=np.array([len(state.estimates) - len(state.estimated)]), patrol=np.array([state.patrol]),
                   unseen=np.array([unseen_by(game, state)], dtype=np.uint64))


def unseen_by(game: UssLox, state: State) -> int:
    """The cards of the pack not seen yet, a bit for each."""
    return _whole(game.pack) & ~state.seen


@cache
def _whole(pack: tuple[int, ...]) -> int:
    return sum(1 << card for card in pack)


class Policy(Protocol):
    """Orders for many boats at once. Every method answers for the boats in ``lanes`` only, in that order."""

    counts: bool  # whether it looks at `Boats.unseen`

    def plan(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        """Ocean cards to lay out of the cards dealt, which lie in ``torpedoes`` (rule A3)."""
        ...

    def target(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        """0 to 3 torpedoes at the ship, or `DECLINE`."""
        ...

    def escort(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        """0 to 3 torpedoes at the escort, or `ESCAPE`."""
        ...

    def chase(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        """Whether to turn up the extra target of a sunk queen (rule A5)."""
        ...

    def sail_on(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        """At a debrief: whether to turn up another ocean card rather than to return (rule L5)."""
        ...


# -- Dynamic programming for USS Lox: what ocean cards and torpedoes left are worth ----------------
# The true state of a patrol holds every card seen so far, far too many cases to list (but see `endgame` for the last
# of them). The tables here belong to a simpler sea, in which every card turned up comes from the same pool: what is
# turned up on the way does not change what comes next. There a patrol is no more than (ocean left, torpedoes left,
# tonnage so far), and the last only where the aim is not plain expected tonnage. `optimal.OptimalPolicy` puts the cards
# really unseen back in, for the decision at hand.
#
# Values are in thousands of tons (pips), or chances, as the aim has it. Simplifications besides the pool: the
# deck never runs out, a face-down estimate counts its mean at once, and a second patrol has a full supply.

Floats = npt.NDArray[np.float64]

NEVER = -1e9  # value of what the rules forbid: finite, so that chances of 0 can be multiplied with it
_TIE = 1e-7  # in the aim of coming home: what a thousand tons add, to break ties between equal chances
_MOST_PIPS = 160  # more is hardly ever sunk, even on two patrols: 133 was the most in 60,000 pairs of them


@dataclass(frozen=True, slots=True)
class Aim:
    """What a captain plays for."""

    # maximise the chance of coming home with at least that tonnage; left out, the expected tonnage
    home_tons: int | None = None
    # with expected tonnage: what a ton counts when the boat is lost; 1 as in the rules, 0 if it is lost with her
    loss_weight: float = 1.0

    @classmethod
    def of(cls, objective: Any = "tonnage", loss_weight: Any = 1.0) -> Aim:
        """The aim in words: "tonnage", "home:20000" or ("home", 20000); OptionError for anything else."""
        try:
            words = objective.split(":") if isinstance(objective, str) else list(objective)
            weight = float(loss_weight)
            if words == ["tonnage"] and 0 <= weight <= 1:
                return cls(None, weight)
            kind, tons = words
            if kind == "home" and 0 < int(tons) <= 340_000 and weight == 1:
                return cls(int(tons))
        except (TypeError, ValueError):
            pass
        raise OptionError(SAY("wrong.aim", objective=brief(objective), weight=brief(loss_weight)))

    @property
    def top(self) -> int:
        """The highest tonnage so far, in pips, that is told apart; 0 where it does not matter."""
        if self.home_tons is not None:
            return -(-self.home_tons // 1000)
        return 0 if self.loss_weight == 1 else _MOST_PIPS

    @property
    def unit(self) -> Phrase:
        """What values are measured in."""
        if self.home_tons is None:
            return SAY.phrase("captain.unit.tons")
        return SAY.phrase("captain.unit.home", tons=self.home_tons)

    def ends(self) -> tuple[Floats, Floats]:
        """Value of coming home, and of being lost, with 0 to `top` pips sunk."""
        pips = np.arange(self.top + 1.0)
        if self.home_tons is not None:
            return (pips == self.top) + _TIE * pips, _TIE * pips
        return pips, self.loss_weight * pips


class Solution:
    """Tables of values for one game and one aim.

    ``now``: the position they are for, if any: they know the cards unseen there, and go no further than its ocean and
    torpedoes; a second patrol that is yet to come is that of ``fresh``, the tables of the whole game.

    ``flip``, ``extra`` and ``escort``, shape (patrols, ocean + 1, torpedoes + 1, top + 1, 14), hold the best value when
    the last index is the rank turned up (13: a joker) in the ocean, which includes that card, as an extra target (with
    queen ships), or as an escort. ``home``, (patrols, top + 1): value of coming home: on the first of two patrols, of
    sailing again; ``lost``, (top + 1,): that of being lost. ``worth``, (14,): pips a sunk ship of each rank adds on
    average.
    """

    def __init__(self, game: UssLox, aim: Aim, now: State | None = None, fresh: Solution | None = None) -> None:
        self.aim, self.round = aim, Round(game)
        pool = unseen_by(game, now or game.initial())
        self.top = aim.top
        self.weights: Floats = by_rank(np.array([pool], dtype=np.uint64))[:, 0] / max(pool.bit_count(), 1)
        chances = odds.ranks_sunk(pool, self.round.nob)
        enough = ~np.isnan(chances)  # cards for such a salvo, and such a ship; firing nothing is always possible
        enough[:, 0] = True
        self._hits = np.nan_to_num(chances).T[:, None, None]  # by torpedoes fired and rank
        self._misses = 1 - self._hits
        self.mean = float(self.weights @ PIPS)
        self.worth = PIPS.astype(float)
        later = self.round.replaced(np.arange(14), 1) & (np.arange(14) < JOKER)
        self.worth[later] = round(self.mean) if self.top else self.mean
        patrols, supply = self.round.patrols, self.round.supply_size
        oceans = self.round.oceans(supply)
        most, stores = oceans[-1], supply - oceans[0] + 1
        if now is not None:
            supply, stores = now.ocean_left + now.torpedoes, now.torpedoes + 1
            most = now.torpedoes - 1 if now.phase is Phase.PLAN else now.ocean_left
        self.supply, self.shape = supply, (most + 1, stores, self.top + 1)
        # What orders leave of a store of torpedoes, and which of them it does not allow, by torpedoes left
        store, salvo = np.arange(stores), np.array(SALVO)[:, None]
        self._fired = np.maximum(store - salvo, 0)
        self._unfit = (salvo[:, None] > most_fired(np.arange(JOKER), store[:, None])) | ~enough.T[:, None]
        left = np.arange(stores)[:, None] - PIPS[:JOKER]
        self._paid, self._unpaid = np.maximum(left, 0), left < 0
        tables = np.zeros((3, patrols, *self.shape, 14))
        self.flip, self.extra, self.escort = tables
        self.home = np.empty((patrols, self.top + 1))
        self.home[-1], self.lost = aim.ends()
        if now is not None and fresh is not None:
            self.home = fresh.home
            self._fill(now.patrol - 1)
            return
        for patrol in reversed(range(patrols)):
            self._fill(patrol)
            if patrol:
                self.home[patrol - 1] = self.start(patrol, supply)

    def start(self, patrol: int, cards_dealt: int) -> Floats:
        """Value of a patrol (0 or 1) that begins with that many cards, shape (top + 1,)."""
        return np.asarray(self.plans(patrol, cards_dealt).max(axis=0))

    def plans(self, patrol: int, cards_dealt: int) -> Floats:
        """The same for every ocean that may be laid out, shape (oceans, top + 1): one row without rule A3."""
        oceans = np.array(self.round.oceans(cards_dealt))
        values: Floats = self.flip[patrol, oceans, cards_dealt - oceans] @ self.weights
        return values

    def credit(self, pips: npt.NDArray[Any], worth: Floats) -> tuple[npt.NDArray[Any], Floats]:
        """Where ``worth`` more pips lead: the new index, and what to add to the value there."""
        if self.top:
            return np.minimum(pips + worth.astype(np.intp), self.top), np.zeros(())
        return pips, np.asarray(worth)

    def _fill(self, patrol: int) -> None:
        """All tables of one patrol, from an empty ocean upwards; axes are (torpedoes, pips[, rank])."""
        home, (oceans, most, _) = self.home[patrol], self.shape
        # Where every rank leads: to a target, an escort or what comes for her
        ocean_way, extra_way = (self.round.turned(np.arange(JOKER + 1), 0, 1, 2, extra) for extra in (False, True))
        # Whether a debrief is the end of the patrol, by ocean cards (none, some) and torpedoes
        over = np.ones((2, most), dtype=bool)
        over[1] = self.round.debrief(1, np.arange(most), True, False)
        plain = self.weights[:JOKER] / max(self.weights[:JOKER].sum(), 1e-300)
        pips, plus = self.credit(np.arange(self.top + 1)[:, None], self.worth[:JOKER])
        pips = np.broadcast_to(pips, (self.top + 1, JOKER))
        go_on = np.broadcast_to(home, (most, self.top + 1))
        lost = self._misses * self.lost[:, None]
        self.flip[patrol, 0] = home[:, None]
        for ocean in range(oceans):
            stores = min(most, self.supply - ocean + 1)  # torpedoes there can be, and none
            go_on = go_on[:stores]
            debrief = np.where(over[min(ocean, 1), :stores, None], home, np.maximum(go_on, home))
            sunk = debrief[:, pips] + plus
            escape = np.where(self._unpaid[:stores, None], NEVER, debrief[self._paid[:stores]].swapaxes(1, 2))
            fired, unfit = self._fired[:, :stores], self._unfit[:, :stores, None]
            while True:
                hit = np.where(unfit, NEVER, self._hits * sunk[fired])
                escort = np.maximum(escape, (hit + lost).max(axis=0))
                hunted = escort @ plain
                target = (hit + self._misses * hunted[fired][..., None]).max(axis=0)
                if not self.round.queens:
                    break
                may = _with_joker(np.maximum(target, debrief[..., None]), hunted)
                extra = self.extra[patrol, ocean, :stores] = np.choose(extra_way, (may, may, hunted[..., None]))
                # A sunk queen offers a target that may be a queen: repeat, and the rest soon does not count.
                queen = (np.maximum(debrief, extra @ self.weights)[:, pips] + plus)[..., cards.QUEEN]
                if np.allclose(queen, sunk[..., cards.QUEEN], rtol=0, atol=1e-9):
                    break
                sunk[..., cards.QUEEN] = queen
            met = self.escort[patrol, ocean, :stores] = _with_joker(escort, hunted)
            if ocean + 1 < oceans:
                may = _with_joker(np.maximum(target, go_on[..., None]), hunted)
                flip = self.flip[patrol, ocean + 1, :stores] = np.choose(ocean_way, (may, met, hunted[..., None]))
                go_on = flip @ self.weights


def _with_joker(values: Floats, joker: Any) -> Floats:
    """Values by rank, and that of a joker."""
    table = np.empty((*values.shape[:-1], JOKER + 1))
    table[..., :JOKER], table[..., JOKER] = values, joker
    return table


MOST_UNSEEN = 11, 10
"""How many unseen cards are solved in two seconds at the most, with plain tonnage and with another aim."""
_FIRED = range(MAX_TORPEDOES + 1)


def solvable(game: UssLox, aim: Aim, state: State) -> bool:
    """Whether few enough cards are unseen for `Endgame`."""
    return len(game.pack) - len(state.seen_cards) <= MOST_UNSEEN[aim.top > 0]


@dataclass(frozen=True, slots=True)
class _Cell:
    """What of a state is no card: everything face down is told by its number. ``gone`` counts the cards left over from
    the first patrol, which nobody will see; ``pips`` stays 0 where the aim is plain tonnage, whose values are those of
    what is yet to come."""

    ocean: int
    torpedoes: int
    estimates: int
    gone: int
    pips: int
    patrol: int

    @property
    def laid(self) -> int:
        """Face-down cards that are not in the deck."""
        return self.ocean + self.torpedoes + self.estimates + self.gone


class Endgame:
    """Exact values of one position and of all that can follow. ``state``: one where the captain decides."""

    def __init__(self, game: UssLox, aim: Aim, state: State) -> None:
        self.aim, self.round, self.state = aim, Round(game), state
        self.pool = tuple(card for card in game.pack if not state.seen >> card & 1)
        self.ships = self.pool if state.ship < 0 else (*self.pool, state.ship)
        size = len(self.pool)
        # Sets by the number of their cards, so that those of a size or larger are a slice.
        self.sets = np.array(sorted(range(1 << size), key=int.bit_count))
        row = np.append(np.argsort(self.sets), len(self.sets))  # and one past the last, for what is impossible
        bits = self.sets[:, None] >> np.arange(size) & 1
        self.count = bits.sum(axis=1)
        self.first = np.searchsorted(self.count, np.arange(size + 2))
        self.whole = len(self.sets) - 1
        self.jokers = np.array([cards.is_joker(card) for card in self.pool], dtype=bool)
        self.held_jokers = bits @ self.jokers
        self.draws = bits / np.maximum(self.count, 1)[:, None]  # chance of each card to be turned up next
        self.pips = np.array([cards.pips(card) for card in self.pool])
        self.places = np.arange(size)
        self.without = row[self.sets[:, None] & ~(1 << self.places)]
        self.salvoes = [self._salvo(n, row) for n in _FIRED]
        self.choices = np.array([[max(comb(held, n), 1) for held in range(size + 1)] for n in _FIRED])
        self.plain_tons = not aim.top
        # Ships by what their sinking leads to: tons told apart in the cell, a face-down estimate, an extra target.
        # Other tons are added to the value, so that most ships need one product.
        self.kinds: dict[tuple[int, bool, bool], list[int]] = {}
        self.credit = np.zeros(len(self.ships))
        for i, ship in enumerate(self.ships):
            if not cards.is_joker(ship):
                rank, worth = cards.rank(ship), cards.pips(ship)
                estimated = self.round.replaced(rank, 1)
                told = worth if estimated or not self.plain_tons else 0
                self.credit[i] = worth - told
                self.kinds.setdefault((told, estimated, self.round.sunk(rank, 1, True, False)), []).append(i)
        self.ranks = RANK[list(self.ships)]
        self.duds = self.ranks == JOKER
        for name in ("home", "_end", "flip", "debrief", "hunted", "extra", "_target", "_escort", "_sunk"):
            setattr(self, name, cache(getattr(self, name)))

    def _salvo(self, n: int, row: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Floats, Floats]:
        """What a salvo leaves, by set and salvo (one past the last set: impossible), and what it sinks, by ship. Last,
        how many salvoes of a set sink a ship."""
        shots = list(itertools.combinations(range(len(self.pool)), n))
        masks = np.array([sum(1 << i for i in shot) for shot in shots], dtype=np.intp)
        left = row[np.where(masks & ~self.sets[:, None], len(self.sets), self.sets[:, None] & ~masks)]
        fired = [[self.pool[i] for i in shot] for shot in shots]
        nob = self.round.nob
        hits = [[not cards.is_joker(s) and cribbage.sinks(s, shot, nob) for s in self.ships] for shot in fired]
        sinks = np.array(hits, dtype=float).reshape(len(shots), len(self.ships))
        return left, sinks, (left < len(self.sets)).astype(float) @ sinks

    # The decision at hand

    def values(self) -> dict[Any, float]:
        """The exact value of every kind of order, in the unit of the aim. Keys are 0 to 3 (torpedoes), `DECLINE` and
        `ESCAPE` with a ship face up; True and False where the question is whether to turn up a card (rules A5, L5); the
        size of the ocean under rule A3."""
        state, cell = self.state, self._cell(self.state)
        ship = len(self.ships) - 1
        if state.phase is Phase.TARGET:
            ways = lambda: self.debrief(cell), lambda: self.home(cell), lambda: self.flip(cell)  # noqa: E731
            avoid = {DECLINE: self.round.let_go(state.role == "extra", cell.ocean, *ways)[self.whole]}
            return avoid | self._allowed(self._attacks(cell, self.hunted)[:, self.whole, ship])
        if state.phase is Phase.ESCORT:
            pays = (price := cards.pips(state.ship)) <= cell.torpedoes
            avoid = {ESCAPE: self.debrief(_spent(cell, price))[self.whole]} if pays else {}
            return avoid | self._allowed(self._attacks(cell, self._lost)[:, self.whole, ship])
        if state.phase is Phase.PLAN:
            return {n: float(self.flip(_laid(cell, n))[self.whole]) for n in range(1, cell.torpedoes)}
        on = self.extra(cell) if state.phase is Phase.QUEEN else self.flip(cell)
        stay = self.debrief(cell) if state.phase is Phase.QUEEN else self.home(cell)
        forced = {} if state.phase is Phase.PERISCOPE else {False: float(stay[self.whole])}
        return {**forced, True: float(on[self.whole])}

    def _cell(self, state: State) -> _Cell:
        ocean, torpedoes, estimates = state.ocean_left, state.torpedoes, len(state.estimates) - len(state.estimated)
        gone = len(self.pool) - ocean - torpedoes - estimates - len(state.deck)
        pips = 0 if self.plain_tons else state.tons // 1000
        return _Cell(ocean, torpedoes, estimates, gone, pips, state.patrol)

    def _allowed(self, attacks: Floats) -> dict[Any, float]:
        return {n: float(value) for n, value in enumerate(attacks) if value > NEVER / 2}

    # Values by set of unseen cards, shape (sets,)

    def _deck(self, cell: _Cell) -> npt.NDArray[Any]:
        return np.asarray(self.count - cell.laid)

    def home(self, cell: _Cell) -> Floats:
        """Coming home: the end, or the second patrol."""
        value: Floats = self._end(cell, won=True)
        for deck in range(max(self.count[-1] - cell.laid, 0) + 1):
            again = self.round.home(cell.patrol, deck, True, False)
            value = np.where(self._deck(cell) == deck, self._dealt(cell, deck), value) if again else value
        return value

    def _dealt(self, cell: _Cell, deck: int) -> Floats:
        supply = int(self.round.supply(deck))
        gone = cell.gone + cell.ocean + cell.torpedoes
        begun = replace(cell, ocean=0, torpedoes=supply, gone=gone, patrol=cell.patrol + 1)
        return np.asarray(np.max([self.flip(_laid(begun, size)) for size in self.round.oceans(supply)], axis=0))

    def _end(self, cell: _Cell, won: bool) -> Floats:
        """The aim's value, the estimates turned up (rules L7, A2)."""
        if self.aim.home_tons is None:
            tons: Floats = cell.pips + cell.estimates * (self.draws @ self.pips)
            return tons if won else self.aim.loss_weight * tons
        goal, lost = self.aim.ends()
        worth = goal if won else lost
        if not cell.estimates:
            return np.full(len(self.sets), worth[min(cell.pips, self.aim.top)])
        value = np.zeros(len(self.sets))
        for i, pips in enumerate(self.pips):
            fewer = replace(cell, pips=cell.pips + int(pips), estimates=cell.estimates - 1)
            value += self.draws[:, i] * self._end(fewer, won)[self.without[:, i]]
        return value

    def _lost(self, cell: _Cell) -> Floats:
        return self._end(cell, won=False)

    def debrief(self, cell: _Cell) -> Floats:
        """After an encounter."""
        home = self.home(cell)
        value: Floats = self.round.debrief(cell.ocean, cell.torpedoes, home, lambda: np.maximum(home, self.flip(cell)))
        return value

    def flip(self, cell: _Cell) -> Floats:
        """Turning up an ocean card, or coming home where none is left."""
        if not cell.ocean:
            return self.home(cell)
        return self._turned(replace(cell, ocean=cell.ocean - 1), self.flip, extra=False)

    def extra(self, cell: _Cell) -> Floats:
        """Turning up an extra target."""
        return self._turned(cell, self.debrief, extra=True)

    def _turned(self, cell: _Cell, leave: Callable[[_Cell], Floats], extra: bool) -> Floats:
        """Some card of the set, as a target that may be left alone."""
        target = np.maximum(self._target(cell), leave(cell)[:, None])[:, self.places]
        others = lambda: self._escort(cell)[:, self.places], lambda: self.hunted(cell)[:, None]  # noqa: E731
        return self._drawn(self.round.turned(RANK[list(self.pool)], target, *others, extra))

    def hunted(self, cell: _Cell) -> Floats:
        """An escort comes, if the deck holds one."""
        escort, deck = self._escort(cell)[:, self.places], self._deck(cell)
        none = self.round.hunted(0, cell.patrol, 0, lambda: self._lost(cell), lambda: self.debrief(cell))
        value: Floats = none
        # Sets with fewer jokers first: a joker drawn as escort is set aside and another card drawn.
        for jokers in range(self.jokers.sum() + 1):
            drawn = self._drawn(np.where(self.jokers, value[:, None], escort))
            met = self.round.hunted(deck, cell.patrol, drawn, none, none)
            value = np.where(self.held_jokers == jokers, met, value)
        return value

    def _drawn(self, values: Floats) -> Floats:
        """The mean over the cards of a set, each drawn from it: of values by what is left and by card drawn."""
        return np.asarray((self.draws * values[self.without, self.places]).sum(axis=1))

    # Values by set and ship, shape (sets, ships); the ship is not in the set

    def _target(self, cell: _Cell) -> Floats:
        return np.asarray(self._attacks(cell, self.hunted).max(axis=0))

    def _escort(self, cell: _Cell) -> Floats:
        value = self._attacks(cell, self._lost).max(axis=0)
        for i, ship in enumerate(self.ships):
            if not cards.is_joker(ship) and (price := cards.pips(ship)) <= cell.torpedoes:
                value[:, i] = np.maximum(value[:, i], self.debrief(_spent(cell, price)))
        return np.asarray(value)

    def _attacks(self, cell: _Cell, missed: Callable[[_Cell], Floats]) -> Floats:
        """Attacks with 0 to 3 torpedoes, shape (4, sets, ships) (rules L2b, L3, L4a)."""
        values = np.full((4, len(self.sets), len(self.ships)), NEVER)
        some = slice(self.first[max(cell.laid, 0)], None)  # the sets that hold the cards laid out
        for n in _FIRED[: cell.torpedoes + 1]:
            (left, sinks, ways), after = self.salvoes[n], _spent(cell, n)
            left = left[some]
            miss = _padded(missed(after))[left]
            value = miss.sum(axis=1)[:, None] - miss @ sinks + ways[some] * self.credit
            for kind, ships in self.kinds.items():
                if sinks[:, ships].any():
                    value[:, ships] += _padded(self._sunk(after, *kind))[left] @ sinks[:, ships]
            values[n, some] = value / self.choices[n][self.count[some], None]
            values[n][:, self.duds | (n > most_fired(self.ranks, cell.torpedoes))] = NEVER
        return values

    def _sunk(self, cell: _Cell, pips: int, estimated: bool, queen: bool) -> Floats:
        """A ship of that kind is sunk."""
        if self.plain_tons:
            value = self._credited(cell, queen) + pips
        else:
            value = self._credited(replace(cell, pips=cell.pips + pips), queen)
        if estimated:
            known = self._credited(replace(cell, estimates=cell.estimates + 1), queen)
            value = np.where(self.round.replaced(cards.KING, self._deck(cell)), known, value)
        return value

    def _credited(self, cell: _Cell, queen: bool) -> Floats:
        debrief = self.debrief(cell)
        if not queen:
            return debrief
        asked = lambda: np.maximum(debrief, self.extra(cell))  # noqa: E731
        value: Floats = self.round.sunk(cards.QUEEN, self._deck(cell), asked, debrief)
        return value


def _laid(cell: _Cell, size: int) -> _Cell:
    return replace(cell, ocean=size, torpedoes=cell.torpedoes - size)


def _spent(cell: _Cell, torpedoes: int) -> _Cell:
    return replace(cell, torpedoes=cell.torpedoes - torpedoes)


def _padded(values: Floats) -> Floats:
    """With a last value of 0, for what is impossible."""
    padded = np.zeros(len(values) + 1)
    padded[:-1] = values
    return padded
