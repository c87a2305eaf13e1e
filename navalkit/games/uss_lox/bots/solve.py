"""Dynamic programming for USS Lox: what ocean cards and torpedoes left are worth.

The true state of a patrol holds every card seen so far, far too many cases to list (but see `endgame` for the last
of them). The tables here belong to a simpler sea, in which every card turned up comes from the same pool: what is
turned up on the way does not change what comes next. There a patrol is no more than (ocean left, torpedoes left,
tonnage so far), and the last only where the aim is not plain expected tonnage. `optimal.OptimalPolicy` puts the cards
really unseen back in, for the decision at hand.

Values are in thousands of tons (pips), or chances, as the aim has it. Simplifications besides the pool: the
deck never runs out, a face-down estimate counts its mean at once, and a second patrol has a full supply.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from navalkit.core.echo import brief
from navalkit.core.errors import OptionError
from navalkit.core.language.words import Phrase

from .. import odds
from ..odds.counting import SALVO, by_rank
from ..rules import cards
from ..rules.game import UssLox
from ..rules.round import JOKER, PIPS, Round, most_fired
from ..rules.say import SAY
from ..rules.state import Phase, State
from .boats import unseen_by

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
