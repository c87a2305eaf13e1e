"""A million patrols of USS Lox: the rounds of `round` sailed by many boats at once.

Face-down cards are alike until they are turned, so whatever is turned up next, at sea, as torpedo or as escort, is a
uniform choice of the unseen cards, and the squares of the ocean may be taken in any order. Each lane therefore has one
shuffled pack, from which it draws, and counts of what lies face down where.

All boats go through the same steps of a round, each as far as she comes. In a basic game a round is one encounter;
boats with more to do (extra targets, jokers for escorts) come to it in the next round.
"""

from __future__ import annotations
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from math import sqrt
from os import cpu_count
from typing import Any

import numpy as np
import numpy.typing as npt

from navalkit.core.errors import OptionError, brief
from navalkit.core.seeds import MAX_SEED
from .cards import SAY
from .endgame import DECLINE, ESCAPE, Boats, Ints, Lanes, Policy, unseen_by
from .game import UssLox
from .odds import BIT
from .optimal import policy as named_policy
from .round import JOKER, NO_SHOT, PIPS, RANK, Bools, Round, sunk_by, usual_ocean
from .state import MAX_TORPEDOES, Phase, State

CHUNK = 1 << 16
"""Patrols at a time: enough to be worth a step, few enough to stay near the processor. Fixed: each chunk has its own
generator."""

_STEPS = "deal", "periscope", "target", "hunted", "escort", "sunk", "queen", "debrief", "asked", "home"
_DEAL, _PERISCOPE, _TARGET, _HUNTED, _ESCORT, _SUNK, _QUEEN, _DEBRIEF, _ASKED, _HOME = range(len(_STEPS))
_LOST, _WON = len(_STEPS), len(_STEPS) + 1


class Simulation(Mapping[str, npt.NDArray[Any]]):
    """What came of many patrols: arrays of shape (n,) by name. Of int32: ``tonnage`` (tons), ``torpedoes_fired``,
    ``torpedoes_left``, ``ships`` (sunk), ``escorts_met``, ``patrols``. Of bool: ``won``, ``returned`` (by order, with
    ocean and torpedoes left)."""

    def __init__(self, columns: Mapping[str, npt.NDArray[Any]]) -> None:
        self._columns = dict(columns)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def mean(self, name: str) -> tuple[float, float]:
        """Mean of a column and its standard error."""
        column = self[name].astype(float)
        return float(column.mean()), float(column.std()) / sqrt(len(column))

    def __repr__(self) -> str:
        (tons, error), (won, _) = self.mean("tonnage"), self.mean("won")
        return f"<{len(self['won']):,} patrols: {tons:,.0f} ± {error:,.0f} t, {won:.1%} home>"


def simulate(policy: str | Policy, n: int, seed: int = 1, *, options: Mapping[str, Any] | UssLox | None = None,
             progress: Callable[[int, int], None] | None = None) -> Simulation:
    """Play ``n`` patrols with one policy.

    Parameters
    ----------
    policy : str or Policy
        As for `policy.policy`: "random", "greedy:0.6", "optimal", "optimal:home:20000" ...
    n : int
        How many patrols, 1 or more.
    seed : int
        0 to 2**128 - 1. The same seed and ``n`` give the same arrays.
    options : mapping or UssLox, optional
        The game's options by name, or the game.
    progress : callable, optional
        Called as ``progress(done, n)`` now and then, at the end with ``done == n``.

    Returns
    -------
    Simulation
        Equal in distribution to patrols played through the rules by the same policy.

    Raises
    ------
    OptionError
        For an unknown policy or option, or a number out of range.

    Examples
    --------
    >>> simulate("random", 100, seed=1)
    <100 patrols: 7,030 ± 795 t, 20.0% home>
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise OptionError(SAY("wrong.patrols", n=brief(n)))
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise OptionError(SAY("wrong.seed", most=MAX_SEED, seed=brief(seed)))
    game = options if isinstance(options, UssLox) else UssLox(**(options or {}))
    captain = named_policy(policy, game)

    def sail(start: int) -> dict[str, npt.NDArray[Any]]:
        return _Fleet(game, captain, min(CHUNK, n - start), np.random.default_rng([seed, start // CHUNK])).play()

    reports, starts = [], range(0, n, CHUNK)
    crew = min(cpu_count() or 1, len(starts))  # chunks are sailed side by side: numpy lets go of Python's lock
    with ThreadPoolExecutor(crew) if crew > 1 else nullcontext() as pool:
        for report in (pool.map if pool else map)(sail, starts):
            reports.append(report)
            if progress:
                progress(min(len(reports) * CHUNK, n), n)
    return Simulation({name: np.concatenate([report[name] for report in reports]) for name in reports[0]})


_DECIDED = {Phase.PERISCOPE: _PERISCOPE, Phase.TARGET: _TARGET, Phase.ESCORT: _ESCORT, Phase.QUEEN: _QUEEN,
            Phase.DEBRIEF: _ASKED}


class _Once:
    """A captain who gives one order first, and then goes on as another would."""

    def __init__(self, policy: Policy, order: Any) -> None:
        self._policy, self._order, self.counts = policy, order, policy.counts

    def __getattr__(self, name: str) -> Any:
        return getattr(self._policy, name) if self._order is None else self._first

    def _first(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Any:
        order, self._order = self._order, None
        return np.full(len(lanes), order)


def outlook(policy: str | Policy, game: UssLox, state: State, order: Any, n: int, seed: int = 1) -> Ints:
    """What patrols bring home, in tons, if this order is given now and the captain goes on as he pleases.

    Parameters
    ----------
    policy : str or Policy
        As for `simulate`.
    state : State
        Where a captain decides, but for the plan.
    order : int or bool
        As a policy gives it there: torpedoes, `endgame.DECLINE` or `endgame.ESCAPE`; at a queen or a debrief whether
        to go on.
    n : int
        Patrols, 1 or more. Of equal ``n`` and ``seed`` patrol i draws the same cards whatever the order.

    Returns
    -------
    ndarray of int32, shape (n,)
    """
    captain = named_policy(policy, game)
    fleet = _Fleet(game, _Once(captain, order), n, np.random.default_rng(seed))
    fleet.begin(game, state, _DECIDED[state.phase])
    return fleet.play()["tonnage"]


@dataclass(slots=True)
class _Log:
    """What is counted on the way, beside `Boats`."""

    fired: Ints
    ships: Ints
    met: Ints
    returned: Bools


class _Fleet:
    """One chunk of patrols, from the first deal to the reports."""

    def __init__(self, game: UssLox, policy: Policy, size: int, rng: np.random.Generator) -> None:
        self.policy, self.rng, self.round = policy, rng, Round(game)
        packs = _shuffled(game.pack, size, rng)
        self.cards, self.top = packs.reshape(-1), np.arange(size) * packs.shape[1]  # each lane's next card
        ocean, torpedoes, deck, pips, estimates, patrol, fired, ships, met = np.zeros((9, size), dtype=np.int16)
        deck += len(game.pack)
        unseen = np.full(size, unseen_by(game, game.initial()), dtype=np.uint64) if policy.counts else None
        none = np.zeros(size, dtype=bool)
        self.boats = Boats(none.astype(np.uint8), none, ocean, torpedoes, deck, pips, estimates, patrol, unseen)
        self.log = _Log(fired, ships, met, returned=none.copy())
        self.phase = np.full(size, _DEAL, dtype=np.uint8)

    def begin(self, game: UssLox, state: State, phase: int) -> None:
        """Have all boats where a patrol stands; the packs hold what its captain has not seen."""
        size, here = len(self.phase), Boats.of(game, state)
        self.boats = here.some(np.zeros(size, dtype=np.intp))
        if not self.policy.counts:
            self.boats.unseen = None
        packs = _shuffled(tuple(card for card in game.pack if not state.seen >> card & 1), size, self.rng)
        self.cards, self.top = packs.reshape(-1), np.arange(size) * packs.shape[1]
        self.phase[:] = phase

    def play(self) -> dict[str, npt.NDArray[Any]]:
        """Run all patrols to their end and report."""
        steps = [getattr(self, f"_{name}") for name in _STEPS]
        while (self.phase <= _HOME).any():
            for phase, step in enumerate(steps):
                lanes = np.flatnonzero(self.phase == phase)
                if len(lanes):
                    step(lanes)
        return self._report()

    # Cards

    def _draw(self, lanes: Lanes) -> npt.NDArray[np.uint8]:
        """The next card of each lane's pack."""
        top = self.top[lanes]
        self.top[lanes] = top + 1
        card: npt.NDArray[np.uint8] = self.cards[top]
        if self.boats.unseen is not None:
            self.boats.unseen[lanes] &= ~BIT[card]
        return card

    def _turn_up(self, lanes: Lanes, extra: bool = False) -> Ints:
        """The rank of the next card, which is the ship in sight now."""
        card = self._draw(lanes)
        self.boats.ship[lanes], self.boats.extra[lanes] = card, extra
        return card >> 2

    def _attack(self, lanes: Lanes, torpedoes: Ints, missed: int) -> None:
        """Spend torpedoes at the ships that lie face up (rules L2b, L3)."""
        top, place = self.top[lanes], np.arange(MAX_TORPEDOES)[:, None]
        self.top[lanes] = top + torpedoes
        shots = np.where(place < torpedoes, self.cards[top + place], NO_SHOT)
        if self.boats.unseen is not None:
            self.boats.unseen[lanes] &= ~np.bitwise_or.reduce(_BIT[shots], axis=0)
        self.boats.torpedoes[lanes] -= torpedoes
        self.log.fired[lanes] += torpedoes
        sunk = sunk_by(self.boats.ship[lanes], shots, self.round.nob)
        self.phase[lanes] = np.where(sunk, _SUNK, missed)

    # The round

    def _deal(self, lanes: Lanes) -> None:
        boats = self.boats
        supply = self.round.supply(boats.deck[lanes])
        boats.deck[lanes] -= supply
        boats.torpedoes[lanes] = supply
        boats.ocean[lanes] = 0
        boats.patrol[lanes] += 1
        ocean = self.policy.plan(boats, lanes, self.rng) if self.round.plans else usual_ocean(supply)
        boats.ocean[lanes] = ocean
        boats.torpedoes[lanes] = supply - ocean
        self.log.returned[lanes] = False
        self.phase[lanes] = _PERISCOPE

    def _periscope(self, lanes: Lanes) -> None:
        self.boats.ocean[lanes] -= 1
        self.phase[lanes] = self.round.turned(self._turn_up(lanes), _TARGET, _ESCORT, _HUNTED)

    def _target(self, lanes: Lanes) -> None:
        boats, order = self.boats, self.policy.target(self.boats, lanes, self.rng)
        let_go = order == DECLINE
        gone = lanes[let_go]
        self.phase[gone] = self.round.let_go(boats.extra[gone], boats.ocean[gone], _DEBRIEF, _HOME, _PERISCOPE)
        self._attack(lanes[~let_go], order[~let_go], _HUNTED)

    def _hunted(self, lanes: Lanes) -> None:
        boats = self.boats
        self.phase[lanes] = self.round.hunted(boats.deck[lanes], boats.patrol[lanes], _ESCORT, _LOST, _DEBRIEF)
        met = lanes[self.phase[lanes] == _ESCORT]
        boats.deck[met] -= 1
        self.phase[met[self._turn_up(met) == JOKER]] = _HUNTED  # set aside: another card is drawn

    def _escort(self, lanes: Lanes) -> None:
        boats, order = self.boats, self.policy.escort(self.boats, lanes, self.rng)
        self.log.met[lanes] += 1
        fled = order == ESCAPE
        away = lanes[fled]
        price = PIPS[RANK[boats.ship[away]]]
        boats.torpedoes[away] -= price
        boats.deck[away] += price
        self.phase[away] = _DEBRIEF
        self._attack(lanes[~fled], order[~fled], _LOST)

    def _sunk(self, lanes: Lanes) -> None:
        boats, rank = self.boats, RANK[self.boats.ship[lanes]]
        self.log.ships[lanes] += 1
        later = self.round.replaced(rank, boats.deck[lanes])
        boats.estimates[lanes] += later
        boats.deck[lanes] -= later
        boats.pips[lanes] += np.where(later, 0, PIPS[rank])
        self.phase[lanes] = self.round.sunk(rank, boats.deck[lanes], _QUEEN, _DEBRIEF)

    def _queen(self, lanes: Lanes) -> None:
        self.phase[lanes] = _DEBRIEF
        chasing = lanes[self.policy.chase(self.boats, lanes, self.rng)]
        self.boats.deck[chasing] -= 1
        rank = self._turn_up(chasing, extra=True)
        self.phase[chasing] = self.round.turned(rank, _TARGET, _ESCORT, _HUNTED, extra=True)

    def _debrief(self, lanes: Lanes) -> None:
        boats = self.boats
        self.phase[lanes] = self.round.debrief(boats.ocean[lanes], boats.torpedoes[lanes], _HOME, _ASKED)

    def _asked(self, lanes: Lanes) -> None:
        on = self.policy.sail_on(self.boats, lanes, self.rng)
        self.phase[lanes] = np.where(on, _PERISCOPE, _HOME)
        self.log.returned[lanes] = ~on

    def _home(self, lanes: Lanes) -> None:
        self.phase[lanes] = self.round.home(self.boats.patrol[lanes], self.boats.deck[lanes], _DEAL, _WON)

    def _report(self) -> dict[str, npt.NDArray[Any]]:
        """Rules L7, A2."""
        boats, log = self.boats, self.log
        for place in range(int(boats.estimates.max(initial=0))):
            lanes = np.flatnonzero(boats.estimates > place)
            boats.pips[lanes] += PIPS[RANK[self._draw(lanes)]]
        counts = {
            "tonnage": boats.pips.astype(np.int32) * 1000, "torpedoes_fired": log.fired,
            "torpedoes_left": boats.torpedoes, "ships": log.ships, "escorts_met": log.met, "patrols": boats.patrol
        }
        report = {name: column.astype(np.int32) for name, column in counts.items()}
        return {**report, "won": self.phase == _WON, "returned": log.returned}


_BIT = np.append(BIT, np.zeros(NO_SHOT + 1 - len(BIT), dtype=np.uint64))  # and none for what is no card
_ROWS = 1 << 10  # packs shuffled at a time
_LOW = np.uint64(63)  # the bits that hold a card's number


def _shuffled(pack: tuple[int, ...], size: int, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Shuffled packs, a row each: cards in the order of 58 random bits. Some blanks follow, where nothing is drawn."""
    packs = np.full((size, len(pack) + MAX_TORPEDOES), NO_SHOT, dtype=np.uint8)
    for start in range(0, size, _ROWS):
        rows = packs[start : start + _ROWS, : len(pack)]
        keys = rng.integers(0, 1 << 64, rows.shape, dtype=np.uint64)
        keys &= ~_LOW
        keys |= np.array(pack, dtype=np.uint64)
        keys.sort(axis=1)
        keys &= _LOW
        rows[:] = keys
    return packs
