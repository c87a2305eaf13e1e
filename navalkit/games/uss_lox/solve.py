"""Dynamic programming for USS Lox: what it is worth to have so many ocean cards and torpedoes left.

The true state of a patrol holds every card seen so far, far too many cases to list. The tables here belong to a
simpler sea, in which every card turned up comes from one and the same pool (a fresh pack, or the cards unseen at
some moment): what was turned up before does not change what comes next. There a patrol is no more than (ocean left,
torpedoes left, tonnage so far), and the last only where the aim is not plain expected tonnage. `policy.Optimal` puts the cards really
unseen back in, for the decision at hand.

Values are in thousands of tons (pips), or chances, as the aim has it. Simplifications besides the pool: the deck never runs
out, a face-down estimate counts its mean at once, and a second patrol has a full supply.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from navalkit.core.errors import OptionError

from . import cards, odds
from .boats import PIPS, RANK
from .rules import UssLox
from .state import MAX_TORPEDOES
from .tables import TABLES

Floats = npt.NDArray[np.float64]

NEVER = -1e9
"""Value of what the rules forbid: finite, so that chances of 0 can be multiplied with it."""
_TIE = 1e-7  # in the aim of coming home: what a thousand tons add, to break ties between equal chances
_JOKER = 13


@dataclass(frozen=True, slots=True)
class Aim:
    """What a captain plays for.

    Parameters
    ----------
    home_tons : int, optional
        Maximise the chance of coming home with at least so many tons; left out, the expected tonnage.
    loss_weight : float
        With expected tonnage: what a ton counts when the boat is lost; 1 as in the rules, 0 if it is lost with her.
    """

    home_tons: int | None = None
    loss_weight: float = 1.0

    @classmethod
    def of(cls, objective: Any = "tonnage", loss_weight: Any = 1.0) -> Aim:
        """The aim in words: "tonnage", "home:20000" or ("home", 20000); OptionError for anything else."""
        kind, _, tons = objective.partition(":") if isinstance(objective, str) else (*objective, "")[:1] + ("", *objective[1:])
        try:
            weight = float(loss_weight)
            if kind == "tonnage" and not tons and 0 <= weight <= 1:
                return cls(None, weight)
            if kind == "home" and 0 < int(tons) <= 340_000 and weight == 1:
                return cls(int(tons))
        except (TypeError, ValueError):
            pass
        raise OptionError(
            'the objective is "tonnage", with a loss_weight from 0 to 1, or "home:20000" (1 to 340000 t) without one, '
            f"not {objective!r} with loss_weight {loss_weight!r}."
        )

    @property
    def top(self) -> int:
        """The highest tonnage so far, in pips, that is told apart; 0 where it does not matter."""
        if self.home_tons is not None:
            return -(-self.home_tons // 1000)
        return 0 if self.loss_weight == 1 else int(4 * PIPS.sum())

    @property
    def unit(self) -> str:
        """What values are measured in."""
        return "t" if self.home_tons is None else f"chance of home with {self.home_tons:,} t"

    def ends(self) -> tuple[Floats, Floats]:
        """Value of coming home, and of being lost, with 0 to `top` pips sunk."""
        pips = np.arange(self.top + 1.0)
        if self.home_tons is not None:
            return (pips == self.top) + _TIE * pips, _TIE * pips
        return pips, self.loss_weight * pips


class Solution:
    """Tables of values for one game, one aim and one pool.

    Parameters
    ----------
    game : UssLox
    aim : Aim
    unseen : array of 0 and 1, shape (54,), optional
        The pool; left out, the game's whole pack.

    Attributes
    ----------
    flip, extra, escort : array of float, shape (patrols, ocean + 1, torpedoes + 1, top + 1, 14)
        The best value when the last index is the rank turned up (13: a joker) in the ocean, as an extra target, or
        as an escort; ocean cards are those left besides it. `flip` is indexed by the ocean *before* it is turned up.
    home : array of float, shape (patrols, top + 1)
        Value of coming home: on the first of two patrols, of sailing again.
    lost : array of float, shape (top + 1,)
    worth : array of float, shape (14,)
        Pips a sunk ship of each rank adds, on average.
    """

    def __init__(self, game: UssLox, aim: Aim, unseen: npt.ArrayLike | None = None) -> None:
        self.game, self.aim, options = game, aim, game.options
        pool = np.zeros(54, dtype=int)
        pool[list(game.pack)] = 1
        if unseen is not None:
            pool &= np.asarray(unseen) != 0
        self.top = aim.top
        self.weights = np.bincount(RANK, weights=pool, minlength=14)
        self.weights /= max(self.weights.sum(), 1.0)
        jokers = sum(map(cards.is_joker, game.pack))
        absent = [card for card in range(52 + jokers) if not pool[card]]
        self.chances = odds.table(seen=absent, jokers=jokers, nob=options["nob"])
        self.possible = ~np.isnan(self.chances)
        self.possible[cards.JACK, 1:] = False  # the deck gun takes none
        self.possible[:, 0] = True
        self.chances = np.where(self.possible, np.nan_to_num(self.chances), 0.0)
        self.mean = float(PIPS[RANK[list(game.pack)]].mean())
        self.worth = PIPS.astype(float)
        if options["face_estimates"]:
            self.worth[cards.JACK : cards.KING + 1] = round(self.mean) if self.top else self.mean
        supply = game.supply_size
        most = supply - 1 if options["plan_patrol"] else min(TABLES.ocean, supply - 1)
        self.shape = (most + 1, supply if options["plan_patrol"] else supply - most + 1, self.top + 1)
        patrols = options["patrols"]
        tables = np.empty((3, patrols, *self.shape, 14))
        self.flip, self.extra, self.escort = tables
        self.home = np.empty((patrols, self.top + 1))
        self.home[-1], self.lost = aim.ends()
        for patrol in reversed(range(patrols)):
            self._fill(patrol)
            if patrol:
                self.home[patrol - 1] = self.start(patrol, supply)

    def start(self, patrol: int, cards_dealt: int) -> Floats:
        """Value of a patrol (0 or 1) that begins with so many cards, shape (top + 1,)."""
        return self.plans(patrol, cards_dealt).max(axis=0)

    def plans(self, patrol: int, cards_dealt: int) -> Floats:
        """The same for every ocean that may be laid out, shape (oceans, top + 1): one row without rule A3."""
        planned = self.game.options["plan_patrol"]
        size = min(TABLES.ocean, cards_dealt - 1)
        oceans = np.arange(1, cards_dealt) if planned else np.array([size])
        values: Floats = self.flip[patrol, oceans, cards_dealt - oceans] @ self.weights
        return values

    def credit(self, pips: npt.NDArray[Any], worth: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Floats]:
        """Where ``worth`` more pips lead: the new index of the last axis but one, and what to add to the value there."""
        if self.top:
            return np.minimum(pips + worth.astype(int), self.top), np.zeros(())
        return np.minimum(pips, 0), np.asarray(worth)

    def _fill(self, patrol: int) -> None:
        """All tables of one patrol, from an empty ocean upwards. Inside, axes are (torpedoes, pips[, rank])."""
        options, home = self.game.options, self.home[patrol]
        oceans, stores, _ = self.shape
        plain = self.weights[:_JOKER] / max(self.weights[:_JOKER].sum(), 1e-300)
        pips, plus = self.credit(np.arange(self.top + 1)[:, None], self.worth[:_JOKER])
        pips = np.broadcast_to(pips, (self.top + 1, _JOKER))
        go_on = np.broadcast_to(home, (stores, self.top + 1))
        self.flip[patrol, 0] = home[:, None]
        for ocean in range(oceans):
            debrief = np.maximum(go_on, home) if ocean else go_on
            debrief = np.where(np.arange(stores)[:, None] == 0, home, debrief)
            sunk = debrief[:, pips] + plus
            escape = np.stack([_spend(debrief, cost) for cost in PIPS[:_JOKER]], axis=-1)
            # A sunk queen may offer the next target, which may be a queen: each round settles one torpedo more.
            for _ in range(stores if options["queen_ships"] else 1):
                escort = np.maximum(escape, self._attack(sunk, self.lost))
                hunted = escort @ plain
                target = self._attack(sunk, hunted)
                extra = np.concatenate([np.maximum(target, debrief[..., None]), hunted[..., None]], axis=-1)
                if options["queen_ships"]:
                    queen = np.maximum(debrief, extra @ self.weights)
                    sunk[..., cards.QUEEN] = (queen[:, pips] + plus)[..., cards.QUEEN]
            self.escort[patrol, ocean, ..., :_JOKER] = escort
            self.escort[patrol, ocean, ..., _JOKER] = hunted
            self.extra[patrol, ocean] = extra
            if ocean + 1 < oceans:
                flip = self.flip[patrol, ocean + 1]
                flip[..., :_JOKER] = np.maximum(target, go_on[..., None])
                flip[..., _JOKER] = hunted
                if options["king_ships"]:
                    flip[..., cards.KING] = escort[..., cards.KING]
                go_on = flip @ self.weights

    def _attack(self, sunk: Floats, missed: Floats) -> Floats:
        """The best number of torpedoes at each rank: ``sunk`` (.., rank) if she sinks, ``missed`` if not."""
        best = np.full(sunk.shape, NEVER)
        missed = np.broadcast_to(missed, sunk.shape[:-1])
        for n in range(MAX_TORPEDOES + 1):
            chance = self.chances[:, n]
            value = chance * _spend(sunk, n) + (1 - chance) * _spend(missed, n)[..., None]
            best = np.where(self.possible[:, n], np.maximum(best, value), best)
        return best


def _spend(values: Floats, torpedoes: int) -> Floats:
    """Values by torpedoes left (axis 0), seen from before so many were spent."""
    before = np.full(values.shape, NEVER)
    if torpedoes < len(values):
        before[torpedoes:] = values[: len(values) - torpedoes]
    return before
