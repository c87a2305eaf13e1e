"""A million patrols of USS Lox: the rules moved on for many boats at once.

Face-down cards are alike until they are turned, so whatever is turned up next, at sea, as torpedo or as
escort, is a uniform choice of the unseen cards, and the squares of the ocean may be taken in any order. Each
lane therefore has one pack that is shuffled only as far as it is used (Fisher-Yates, one step a card), and
counts of what lies face down where.

All boats go through the same round: periscope, target, escort, sinking, debrief. In a basic game a round is
one encounter; boats with more to do (extra targets) come to it in the next round.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from navalkit.core.echo import brief
from navalkit.core.errors import OptionError
from navalkit.core.luck.seeds import MAX_SEED

from ..odds.counting import BIT
from ..rules import cards, cribbage
from ..rules.game import UssLox
from ..rules.say import SAY
from ..rules.tables import TABLES
from .boats import DECLINE, ESCAPE, PIPS, RANK, Boats, Bools, Ints, Lanes, Policy, unseen_by
from .policy import policy as named_policy

CHUNK = 1 << 14
"""Patrols at a time: their packs stay in the processor's cache. Fixed: each chunk has its own generator."""

_BLANK = 14  # stands for a torpedo not fired in the table of hits
NO_SHOT = 4 * _BLANK
_ROUND = _PERISCOPE, _TARGET, _HUNTED, _ESCORT, _SUNK, _DEBRIEF, _HOME = range(7)
_LOST, _WON = 7, 8


class Simulation(Mapping[str, npt.NDArray[Any]]):
    """What came of many patrols: arrays of shape (n,) by name.

    Of int32: ``tonnage`` (tons), ``torpedoes_fired``, ``torpedoes_left``, ``ships`` (sunk), ``escorts_met``,
    ``patrols``. Of bool: ``won``, ``returned`` (by order, with ocean and torpedoes left).
    """

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


def simulate(
    policy: str | Policy,
    n: int,
    seed: int = 1,
    *,
    options: Mapping[str, Any] | UssLox | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Simulation:
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
    <100 patrols: 7,860 ± 920 t, 26.0% home>
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise OptionError(SAY("wrong.patrols", n=brief(n)))
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise OptionError(SAY("wrong.seed", most=MAX_SEED, seed=brief(seed)))
    game = options if isinstance(options, UssLox) else UssLox(**(options or {}))
    captain = named_policy(policy, game)
    reports = []
    for chunk, done in enumerate(range(0, n, CHUNK)):
        lanes = min(CHUNK, n - done)
        reports.append(_Fleet(game, captain, lanes, np.random.default_rng([seed, chunk])).play())
        if progress:
            progress(done + lanes, n)
    return Simulation({name: np.concatenate([report[name] for report in reports]) for name in reports[0]})


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
        self.game, self.policy, self.rng, self.options = game, policy, rng, game.options
        self.cards = len(game.pack)
        self.packs = np.tile(np.array(game.pack, dtype=np.uint8), (size, 1)).reshape(-1)
        self.first = np.arange(size) * self.cards  # where each lane's pack begins
        self.drawn = self.first.copy()  # and its next card
        count = np.zeros((9, size), dtype=np.int16)
        whole = np.uint64(unseen_by(game, game.initial()))
        unseen = np.full(size, whole) if policy.counts else None
        none = np.zeros(size, dtype=bool)
        ocean, torpedoes, deck, pips, estimates, patrol, fired, ships, met = count
        deck += self.cards
        self.boats = Boats(none.astype(np.uint8), none, ocean, torpedoes, deck, pips, estimates, patrol, unseen)
        self.log = _Log(fired, ships, met, returned=none.copy())
        self.phase = np.zeros(size, dtype=np.uint8)
        self._deal(np.arange(size))

    def play(self) -> dict[str, npt.NDArray[Any]]:
        """Run all patrols to their end and report."""
        steps = (self._periscope, self._target, self._hunted, self._escort, self._sunk, self._debrief, self._come_home)
        while (self.phase <= _HOME).any():
            for phase, step in zip(_ROUND, steps, strict=True):
                lanes = np.flatnonzero(self.phase == phase)
                if len(lanes):
                    step(lanes)
        return self._report()

    # Cards

    def _draw(self, lanes: Lanes) -> npt.NDArray[np.uint8]:
        """The next card of each lane's pack."""
        top = self.drawn[lanes]
        there = top + (self.rng.random(len(lanes)) * (self.first[lanes] + self.cards - top)).astype(np.intp)
        card = self.packs[there]
        self.packs[there] = self.packs[top]
        self.drawn[lanes] = top + 1
        if self.boats.unseen is not None:
            self.boats.unseen[lanes] &= ~BIT[card]
        return card

    def _fire(self, lanes: Lanes, torpedoes: Ints) -> Bools:
        """Spend torpedoes at the ships that lie face up: which are sunk."""
        ship = self.boats.ship[lanes]
        shots = np.full((3, len(lanes)), NO_SHOT, dtype=np.uint8)
        for place in range(3):
            firing = np.flatnonzero(torpedoes > place)
            if len(firing):
                shots[place, firing] = self._draw(lanes[firing])
        self.boats.torpedoes[lanes] -= torpedoes.astype(np.int16)
        self.log.fired[lanes] += torpedoes.astype(np.int16)
        return sunk_by(ship, shots, self.options["nob"])

    # The round

    def _deal(self, lanes: Lanes) -> None:
        """Rules L0, A3, A7: a supply from the deck, and the ocean from the supply."""
        boats = self.boats
        supply = np.minimum(self.game.supply_size, boats.deck[lanes])
        boats.deck[lanes] -= supply
        boats.torpedoes[lanes] = supply
        boats.ocean[lanes] = 0
        boats.patrol[lanes] += 1
        plan = self.options["plan_patrol"]
        ocean = self.policy.plan(boats, lanes, self.rng) if plan else np.minimum(TABLES.ocean, supply - 1)
        boats.ocean[lanes] = ocean
        boats.torpedoes[lanes] = supply - ocean
        self.phase[lanes] = _PERISCOPE

    def _periscope(self, lanes: Lanes) -> None:
        """Rules L1, A1, A4."""
        card = self._draw(lanes)
        self.boats.ocean[lanes] -= 1
        self.boats.ship[lanes] = card
        self.boats.extra[lanes] = False
        self.phase[lanes] = np.where(card >= 52, _HUNTED, _TARGET)
        if self.options["king_ships"]:
            kings = lanes[RANK[card] == cards.KING]
            self.phase[kings] = _ESCORT
            self.log.met[kings] += 1

    def _target(self, lanes: Lanes) -> None:
        """Rules L2a to L3c."""
        boats = self.boats
        order = self.policy.target(boats, lanes, self.rng)
        declined = order == DECLINE
        passed = lanes[declined]
        self.phase[passed] = np.where(
            boats.extra[passed], _DEBRIEF, np.where(boats.ocean[passed] == 0, _HOME, _PERISCOPE)
        )
        attacking, torpedoes = lanes[~declined], order[~declined]
        self.phase[attacking] = np.where(self._fire(attacking, torpedoes), _SUNK, _HUNTED)

    def _hunted(self, lanes: Lanes) -> None:
        """Rules L4b, L4e, A1, A7: the next card of the deck that is no joker is the escort."""
        boats = self.boats
        while len(lanes):
            none = lanes[boats.deck[lanes] == 0]
            self.phase[none] = np.where(boats.patrol[none] > 1, _LOST, _DEBRIEF)
            lanes = lanes[boats.deck[lanes] > 0]
            card = self._draw(lanes)
            boats.deck[lanes] -= 1
            plain = card < 52
            met = lanes[plain]
            boats.ship[met], boats.extra[met] = card[plain], False
            self.log.met[met] += 1
            self.phase[met] = _ESCORT
            lanes = lanes[~plain]

    def _escort(self, lanes: Lanes) -> None:
        """Rules L4c, L4d."""
        boats = self.boats
        order = self.policy.escort(boats, lanes, self.rng)
        fled = order == ESCAPE
        away = lanes[fled]
        price = PIPS[RANK[boats.ship[away]]].astype(np.int16)
        boats.torpedoes[away] -= price
        boats.deck[away] += price
        self.phase[away] = _DEBRIEF
        attacking, torpedoes = lanes[~fled], order[~fled]
        self.phase[attacking] = np.where(self._fire(attacking, torpedoes), _SUNK, _LOST)

    def _sunk(self, lanes: Lanes) -> None:
        """Rules L4a, A2, A5."""
        boats, options = self.boats, self.options
        rank = RANK[boats.ship[lanes]]
        self.log.ships[lanes] += 1
        estimated = np.zeros(len(lanes), dtype=bool)
        if options["face_estimates"]:
            estimated = (rank >= cards.JACK) & (boats.deck[lanes] > 0)
            boats.estimates[lanes] += estimated
            boats.deck[lanes] -= estimated
        boats.pips[lanes] += np.where(estimated, 0, PIPS[rank]).astype(np.int16)
        self.phase[lanes] = _DEBRIEF
        if options["queen_ships"]:
            offered = lanes[(rank == cards.QUEEN) & (boats.deck[lanes] > 0)]
            if len(offered):
                self._extra(offered[self.policy.chase(boats, offered, self.rng)])

    def _extra(self, lanes: Lanes) -> None:
        """Rule A5: one more target from the deck."""
        card = self._draw(lanes)
        self.boats.deck[lanes] -= 1
        self.boats.ship[lanes], self.boats.extra[lanes] = card, True
        self.phase[lanes] = np.where(card >= 52, _HUNTED, _TARGET)

    def _debrief(self, lanes: Lanes) -> None:
        """Rules L5, L6."""
        boats = self.boats
        over = (boats.ocean[lanes] == 0) | (boats.torpedoes[lanes] == 0)
        self.phase[lanes[over]] = _HOME
        asked = lanes[~over]
        on = self.policy.sail_on(boats, asked, self.rng)
        self.phase[asked] = np.where(on, _PERISCOPE, _HOME)
        self.log.returned[asked[~on]] = True

    def _come_home(self, lanes: Lanes) -> None:
        """Rules L6, A7."""
        again = (self.boats.patrol[lanes] < self.options["patrols"]) & (self.boats.deck[lanes] > 1)
        self.phase[lanes[~again]] = _WON
        if again.any():
            self.log.returned[lanes[again]] = False
            self._deal(lanes[again])

    def _report(self) -> dict[str, npt.NDArray[Any]]:
        """Rules L7, A2."""
        boats, log = self.boats, self.log
        for place in range(int(boats.estimates.max(initial=0))):
            lanes = np.flatnonzero(boats.estimates > place)
            boats.pips[lanes] += PIPS[RANK[self._draw(lanes)]].astype(np.int16)
        counts = {
            "tonnage": boats.pips.astype(np.int32) * 1000,
            "torpedoes_fired": log.fired,
            "torpedoes_left": boats.torpedoes,
            "ships": log.ships,
            "escorts_met": log.met,
            "patrols": boats.patrol,
        }
        report = {name: column.astype(np.int32) for name, column in counts.items()}
        return {**report, "won": self.phase == _WON, "returned": log.returned}


def sunk_by(ship: npt.NDArray[np.uint8], shots: npt.NDArray[np.uint8], nob: bool) -> Bools:
    """Rules L3a, L3b, A1, A6 for ships (lanes,) and shots (3, lanes), some of them `NO_SHOT`."""
    first, second, third = shots
    place = ((ship >> 2).astype(np.int32) * 15 + (first >> 2)) * 15 + (second >> 2)
    hit: Bools = _rank_hits()[place * 15 + (third >> 2)]
    suit = ship & 3
    flush = ((first & 3) == suit) & ((second & 3) == suit) & ((third & 3) == suit) & (third < 52)
    if nob:
        his_nob = (shots == 4 * cards.JACK + suit).any(axis=0)
        flush |= his_nob
    dud = (shots == 52).any(axis=0) | (shots == 53).any(axis=0)
    return np.asarray(hit | flush & ~dud)


@cache
def _rank_hits() -> Bools:
    """Whether ranks score: flat, [ship, shot, shot, shot] in base 15; 13 is a joker and 14 no shot."""
    table = np.zeros((13, 15, 15, 15), dtype=bool)
    for size in range(4):
        for ship in range(13):
            for ranks in itertools.combinations(range(13), size):
                # A suit unlike the ship's for every shot, so that nothing but ranks scores.
                if cribbage.is_hit(4 * ship, [4 * rank + 1 for rank in ranks]):
                    for order in itertools.permutations((*ranks, *[_BLANK] * (3 - size))):
                        table[(ship, *order)] = True
    # Two shots of one rank are a pair.
    for first, second, third in itertools.product([*range(13), _BLANK], repeat=3):
        if first == second < 13 or second == third < 13 or first == third < 13:
            table[:, first, second, third] = True
    table[cards.JACK] = True  # the deck gun
    return np.asarray(table.reshape(-1))
