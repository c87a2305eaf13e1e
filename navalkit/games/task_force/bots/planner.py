"""The captain who also weighs what the next scratch will be worth, and flies while the risk is high."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from navalkit.core.awaited import Pace, Steps
from navalkit.core.errors import OptionError
from navalkit.core.language.words import Text
from navalkit.core.trace import Decision, Fact, Finding, Option
from navalkit.prob.search import Ints

from ..rules.game import TaskForce
from ..rules.say import SAY
from ..rules.state import UNSEEN, Action, Fly, Observation, Phase, Scratch, Strike
from .bayes import Bayes, Floats, View, in_ships, unless

FORESIGHT = 0.7  # how much `Planner` counts the next scratch
CUT_SHORT = 1.0  # how much `Planner` minds that a flight is cut short
LONGEST_TOUR = 14  # squares `Planner` thinks ahead for a flight
_ROWS = 24  # times 100 by 100 squares: OpenBLAS takes a second thread from 262,144 products on


class Planner(Bayes):
    """Looks one scratch further, and flies where no scratch is safe.

    What it will know after a scratch makes the next one better: it weighs each square with the best it could do after
    a hit there, and after a miss. Flights cost nothing but themselves, so it flies as soon as the best scratch is
    risky, and lets the flight take the risk.

    ``sample`` and ``boldness``: as in `Bayes`. ``caution``: the harm, in ships, above which a flight is better than the
    best scratch.
    """

    name = "planner"

    def __init__(self, game: TaskForce, sample: int = 1500, boldness: float = 0.3, caution: float = 0.03) -> None:
        super().__init__(game, sample, boldness)
        if not caution >= 0:
            raise OptionError(SAY("bot.bad_caution", name=self.name))
        self.caution = float(caution)

    def _values(self, observation: Observation, seen: View, squares: Ints) -> Steps[Floats]:
        now = self._balance(seen, squares)
        if observation.phase is Phase.FLIGHT:  # nothing there does harm: what it teaches is what counts
            hit, danger = seen.hit[squares], seen.danger[squares]
            learnt: Floats = hit + _entropy(hit) - CUT_SHORT * danger
            return learnt
        # After a hit at s, and after a miss, the worlds left give every other square its new value.
        ships = seen.ships[:, squares]  # (n, candidates)
        value = self.boldness * ships - seen.harm[:, squares]
        after_hit = yield from _products(seen.weights[:, None] * ships, value)
        after_miss = (seen.weights @ value)[None, :] - after_hit
        np.fill_diagonal(after_hit, -1.0)
        np.fill_diagonal(after_miss, -1.0)
        ahead: Floats = after_hit.max(axis=1) + after_miss.max(axis=1)
        return now + FORESIGHT * ahead

    def _reason(self, observation: Observation) -> Text:
        return SAY.phrase("bot.learns" if observation.phase is Phase.FLIGHT else "bot.balance_ahead")

    def _flight(
        self, observation: Observation, legal: Sequence[Action], seen: View, scratch: Scratch, square: int
    ) -> Decision | None:
        if observation.phase is Phase.FLIGHT or seen.risk[square] <= self.caution:
            return None
        flights = [a for a in legal if isinstance(a, Strike)] + self._take_offs(legal)
        if not flights:
            return None
        learnt = _learnt(seen)
        values = [self._flight_value(observation, seen, learnt, a) for a in flights]
        order = sorted(range(len(flights)), key=lambda i: -values[i])
        options = tuple(
            Option(
                flights[i],
                value,
                (Fact(SAY.phrase("bot.gain"), in_ships(value)),),
                unless(i == order[0], "bot.gains_less"),
            )
            for i in order[:20]
            for value in [values[i]]
        )
        finding = Finding(
            "T5c",
            SAY.phrase("bot.is_safe", square=str(scratch)),
            SAY.phrase("bot.not_safe", harm=in_ships(seen.risk[square])),
            (Fact(SAY.phrase("bot.harm"), in_ships(seen.risk[square])),),
        )
        text = SAY.phrase("bot.flies")
        return Decision(flights[order[0]], self.name, text, (finding,), options, self.unit)

    def _in_the_air(self, observation: Observation, seen: View, action: Action, risk: float) -> Option:
        assert isinstance(action, Strike | Fly)
        value = self._flight_value(observation, seen, _learnt(seen), action)
        later = isinstance(action, Fly) and action.number != max(observation.helicopters)
        why = "bot.safe_enough" if risk <= self.caution else "bot.not_yet" if later else "bot.gains_less"
        return Option(action, value, (Fact(SAY.phrase("bot.gain"), in_ships(value)),), SAY.phrase(why))

    def _flight_value(self, observation: Observation, seen: View, learnt: Floats, action: Strike | Fly) -> float:
        """What a flight gains."""
        if isinstance(action, Strike):
            return self._strike_value(observation, seen, learnt, action)
        return self._tour_value(observation, seen, learnt, action)

    def _take_offs(self, legal: Sequence[Action]) -> list[Fly]:
        """The flights of one helicopter: that of the rightmost destroyer, whose turn for a torpedo comes first."""
        flights = [a for a in legal if isinstance(a, Fly)]
        number = max((a.number for a in flights), default=0)
        return [a for a in flights if a.number == number]

    def _strike_value(self, observation: Observation, seen: View, learnt: Floats, action: Strike) -> float:
        grid = observation.sea.grid
        new = [s for s in grid.around[grid.number(action.square)] if observation.marks[s] == UNSEEN]
        return float(seen.risk[new].sum() + self.boldness * learnt[new].sum())

    def _tour_value(self, observation: Observation, seen: View, learnt: Floats, action: Fly) -> float:
        """What a flight gains that goes where most is to be learnt, as if squares were independent."""
        grid = observation.sea.grid
        path, in_the_air, total = [grid.number(action.square)], 1.0, 0.0
        appeal = learnt - CUT_SHORT * seen.danger
        ahead: set[int] = set()
        for _ in range(LONGEST_TOUR):
            square = path[-1]
            total += in_the_air * float(seen.risk[square] + self.boldness * learnt[square])
            in_the_air *= 1 - float(seen.danger[square])
            ahead |= {s for s in grid.neighbours[square] if observation.marks[s] == UNSEEN}
            ahead -= set(path)
            if not ahead:
                break
            path.append(max(ahead, key=lambda s: (appeal[s], s)))
        return total


def _products(a: Floats, b: Floats) -> Steps[Floats]:
    """``a.T @ b``, a few rows at a time: so little that BLAS wakes no second thread for it.

    On a busy machine waiting for one took forty times as long as the whole product.
    """
    total: Floats = np.zeros((a.shape[1], b.shape[1]))
    pace = Pace()
    for start in range(0, len(a), _ROWS):
        if pace():
            yield start / len(a)
        total += a[start : start + _ROWS].T @ b[start : start + _ROWS]
    return total


def _learnt(seen: View) -> Floats:
    """What is learnt at every square, a hit among it."""
    return np.asarray(seen.hit + _entropy(seen.hit))


def _entropy(p: Floats) -> Floats:
    """What a yes or no of that chance teaches, in bits."""
    q = np.clip(p, 1e-12, 1 - 1e-12)
    return np.where((p > 0) & (p < 1), -q * np.log2(q) - (1 - q) * np.log2(1 - q), 0.0)
