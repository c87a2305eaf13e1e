"""The machine captains of Task Force, with their reasons. They get observations, never states.

* `Hunter` follows hits and else searches in a checkered pattern, as most people do. It calculates nothing.
* `Bayes` scratches where the posterior promises a hit at the least harm. It never flies.
* `Planner` also weighs what the next scratch will be worth after this one, and flies while the risk is high.
"""

from __future__ import annotations
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navalkit.core.awaited import Pace, Steps, finish, part
from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.core.trace import Decision, Fact, Finding, Luck, Mark, Option
from navalkit.core.words import Text, local, percent
from navalkit.grids.square import SquareGrid
from navalkit.players.captains import captains, with_captains
from navalkit.prob.search import Ints
from . import odds
from .belief import Worlds, searching
from .game import TaskForce
from .state import (
    CARRIER,
    CRUISER,
    FIRST_DESTROYER,
    HIT,
    MISSILES,
    SAY,
    SUBMARINE,
    UNSEEN,
    Action,
    Fly,
    Observation,
    Phase,
    Scratch,
    Strike,
)

# -- The captain who scratches where the posterior promises a hit at the least harm ----------------

Floats = NDArray[np.float64]

SHOT = 0.6  # what an anti-air missile is worth, in ships
FLIGHT_WORTH = 0.3  # what a flight is worth that would be lost with its ship


@dataclass(frozen=True)
class View:
    """What a captain makes of an observation: arrays over worlds and squares. ``ships`` and ``harm`` have shape (n,
    squares), the latter in ships lost or their like if the square is scratched; ``weights`` shape (n,) and sum 1;
    ``hit`` and ``risk`` shape (squares,) are their means, ``danger`` the chance of a missile or submarine; ``told`` is
    what is said of a hit."""

    ships: Floats
    harm: Floats
    weights: Floats
    hit: Floats
    risk: Floats
    danger: Floats
    told: Floats


def view(observation: Observation, found: Worlds) -> View:
    """Worlds as harm and hits. Nothing does harm in the air, and so there no figure says otherwise."""
    weights = found.weights / found.weights.sum()
    share = found.missiles / np.maximum(found.launchers.sum(axis=1), 1)
    missile = found.launchers * share[:, None]
    new_submarines = found.submarines & np.array([mark == UNSEEN for mark in observation.marks])
    last = _worth(observation, observation.afloat[-1]) if observation.afloat else 0.0
    harm = (missile * _missile_harm(observation) + new_submarines * last) * (observation.phase is not Phase.FLIGHT)
    ships = found.ships.astype(float)
    hit = weights @ ships
    return View(ships, harm, weights, hit, weights @ harm, weights @ (missile + new_submarines), hit)


def _chance(p: float) -> str:
    """A chance as it is said; a sum of many weights is off by a hair."""
    return percent(round(float(p), 9))


def _missile_harm(seen: Observation) -> float:
    """What the next missile costs on average, in ships, by the targets left."""
    left = seen.targets_left
    if not left:
        return 0.0
    covered = CRUISER in seen.afloat and seen.anti_air > 0
    return sum((SHOT if covered else _worth(seen, t)) for t in left if t in seen.afloat) / len(left)


def _worth(seen: Observation, ship: int) -> float:
    """What losing one of our ships costs: herself, and what goes with her."""
    if ship == CARRIER:
        return 1 + FLIGHT_WORTH * seen.strikes
    if ship == CRUISER:
        return 1 + SHOT * seen.anti_air
    return 1 + FLIGHT_WORTH * (ship - FIRST_DESTROYER + 1 in seen.helicopters)


class Bayes:
    """Scratches the square with the best balance of the chance of a hit against the harm to be expected. ``sample``:
    fleets in the sample its odds rest on, 100 or more. ``boldness``: what a hit is worth in ships; the more, the less
    it minds the risk. OptionError if a number is out of range."""

    name = "bayes"
    unit: Text = SAY.phrase("bot.unit.ships")

    def __init__(self, game: TaskForce, sample: int = 1500, boldness: float = 0.3) -> None:
        if not isinstance(sample, int) or sample < 100 or not boldness > 0:
            raise OptionError(SAY("bot.bad_sample", name=self.name))
        self.game, self.sample, self.boldness = game, sample, float(boldness)

    def decide(self, observation: Observation, legal: Sequence[Action], rng: Luck = None) -> Decision:
        """The square of the best balance; its options hold every square with its odds."""
        return finish(self.think(observation, legal, np.random.default_rng(rng)))

    def think(self, observation: Observation, legal: Sequence[Action], rng: np.random.Generator) -> Steps[Decision]:
        """As `decide`, in short steps."""
        return self._thinking(observation, legal, rng)

    def telling(self, observation: Observation, legal: Sequence[Action], rng: np.random.Generator) -> Steps[Decision]:
        """The same decision as a page tells it: with the chances of a hit that the map beside it shows."""
        shown = yield from part(odds.shown(observation), 0, 0.9)
        return (yield from part(self._thinking(observation, legal, rng, shown.hit.ravel()), 0.9, 1))

    def _thinking(self, observation: Observation, legal: Sequence[Action], rng: np.random.Generator,
                  told: Floats | None = None) -> Steps[Decision]:
        scratches = scratches_of(legal)
        found = yield from part(searching(observation, self.sample, rng, groups=2), 0, 0.8)
        seen = view(observation, found)
        seen = seen if told is None else replace(seen, told=told)
        squares = np.array([observation.sea.grid.number(a.square) for a in scratches])
        values = yield from part(self._values(observation, seen, squares), 0.8, 1)
        best = int(values.argmax())
        flight = self._flight(observation, legal, seen, scratches[best], squares[best])
        said = "bot.best_flight" if observation.phase is Phase.FLIGHT else "bot.best"
        return flight or self._report(scratches, squares, values, best, seen, said, self._reason(observation))

    def weigh(self, observation: Observation, legal: Sequence[Action],
              actions: Sequence[Action]) -> Steps[list[Option]]:
        """What orders are worth that the decision does not tell of: scratches before a flight, flights before those."""
        found = yield from part(searching(observation, self.sample, np.random.default_rng(0), groups=2), 0, 0.8)
        seen, scratches = view(observation, found), scratches_of(legal)
        squares = np.array([observation.sea.grid.number(a.square) for a in scratches])
        values = yield from part(self._values(observation, seen, squares), 0.8, 1)
        best = float(seen.risk[squares[int(values.argmax())]])
        worth, number = dict(zip(scratches, values.tolist(), strict=True)), observation.sea.grid.number
        return [self._option(action, number(action.square), worth[action], seen, "bot.not_worth_more")
                if isinstance(action, Scratch)
                else self._in_the_air(observation, seen, action, best)
                for action in actions]

    def _in_the_air(self, observation: Observation, seen: View, action: Action, risk: float) -> Option:
        """A flight as an option; ``risk``: of the best scratch."""
        return Option(action, None, (), SAY.phrase("bot.never_flies"), "T7")

    def valuing(self, observation: Observation, rng: np.random.Generator) -> Steps[dict[int, float]]:
        """What scratching is worth, in ``unit``, by the number of each square that may be scratched now."""
        found = yield from part(searching(observation, self.sample, rng, groups=2), 0, 0.8)
        return (yield from part(self.valuing_in(observation, found), 0.8, 1))

    def valuing_in(self, observation: Observation, found: Worlds) -> Steps[dict[int, float]]:
        """The same, as those worlds have it."""
        squares = observation.ahead if observation.phase is Phase.FLIGHT else observation.squares(UNSEEN)
        values = yield from self._values(observation, view(observation, found), np.array(squares, dtype=np.intp))
        return dict(zip(squares, values.tolist(), strict=True))

    def _values(self, observation: Observation, seen: View, squares: Ints) -> Steps[Floats]:
        """What scratching each of the squares is worth."""
        yield from ()
        return self._balance(seen, squares)

    def _balance(self, seen: View, squares: Ints) -> Floats:
        """Hits against harm."""
        return self.boldness * seen.hit[squares] - seen.risk[squares]

    def _flight(self, observation: Observation, legal: Sequence[Action], seen: View, scratch: Scratch,
                square: int) -> Decision | None:
        """A flight instead of that scratch, if it pays."""
        return None

    def _reason(self, observation: Observation) -> Text:
        return SAY.phrase("bot.balance")

    def _report(self, actions: Sequence[Action], squares: Ints, values: Floats, best: int, seen: View, said: str,
                why: Text) -> Decision:
        order = sorted(range(len(actions)), key=lambda i: (i != best, -values[i]))
        options = tuple(
            self._option(actions[i], int(squares[i]), values[i], seen, "" if i == best else "bot.not_worth_more")
            for i in order
        )
        square = squares[best]
        hit, harm = _chance(seen.told[square]), in_ships(seen.risk[square])
        text = (SAY.phrase("bot.sure", why=why, hit=hit) if hit == percent(1)  # where a ship is, nothing else can be
                else SAY.phrase(said, why=why, hit=hit, harm=harm))
        return Decision(actions[best], self.name, text, options=options, unit=self.unit)

    def _option(self, action: Action, square: int, value: float, seen: View, rejected: str) -> Option:
        """A scratch with its odds, and the key of why it was not taken."""
        hit, harm = _chance(seen.told[square]), in_ships(seen.risk[square])
        marks = (Mark("cell", (self._name(square),)),)
        facts = Fact(SAY.phrase("bot.hit"), hit, marks), Fact(SAY.phrase("bot.harm"), harm)
        return Option(action, float(value), facts, SAY.phrase(rejected) if rejected else "")

    def _name(self, square: int) -> str:
        return self.game.sea.grid.names[square]


def in_ships(number: float) -> Text:
    return SAY.phrase("bot.ships", n=local(f"{number:.2f}"))


def unless(chosen: bool, key: str) -> Text:
    """Why an option was not taken, or nothing for the one that was."""
    return "" if chosen else SAY.phrase(key)


def scratches_of(legal: Sequence[Action]) -> list[Scratch]:
    scratches = [a for a in legal if isinstance(a, Scratch)]
    if not scratches:
        raise IllegalActionError(SAY("bot.nothing"))
    return scratches


# -- The captain who also weighs what the next scratch will be worth, and flies while the risk is high

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

    def _flight(self, observation: Observation, legal: Sequence[Action], seen: View, scratch: Scratch,
                square: int) -> Decision | None:
        if observation.phase is Phase.FLIGHT or seen.risk[square] <= self.caution:
            return None
        flights = [a for a in legal if isinstance(a, Strike)] + self._take_offs(legal)
        if not flights:
            return None
        learnt = _learnt(seen)
        values = [self._flight_value(observation, seen, learnt, a) for a in flights]
        order = sorted(range(len(flights)), key=lambda i: -values[i])
        options = tuple(
            Option(flights[i],
                   value,
                   (Fact(SAY.phrase("bot.gain"), in_ships(value)),),
                   unless(i == order[0], "bot.gains_less"))
            for i in order[:20] for value in [values[i]]
        )
        finding = Finding("T5c",
                          SAY.phrase("bot.is_safe", square=str(scratch)),
                          SAY.phrase("bot.not_safe", harm=in_ships(seen.risk[square])),
                          (Fact(SAY.phrase("bot.harm"), in_ships(seen.risk[square])),))
        best, facts = flights[order[0]], {"square": str(scratch), "harm": in_ships(seen.risk[square])}
        if isinstance(best, Strike):
            cleared = len(_cleared(observation, best))
            text = SAY.phrase("bot.flies.strike", **facts, around=best.square, n=cleared)
        else:
            text = SAY.phrase("bot.flies", **facts, number=best.number, first=best.square)
        return Decision(best, self.name, text, (finding,), options, self.unit)

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
        new = _cleared(observation, action)
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


def _cleared(seen: Observation, strike: Strike) -> list[int]:
    """The squares that a strike scratches."""
    grid = seen.sea.grid
    return [s for s in grid.around[grid.number(strike.square)] if seen.marks[s] == UNSEEN]


def _products(a: Floats, b: Floats) -> Steps[Floats]:
    """``a.T @ b``, a few rows at a time: so little that BLAS wakes no second thread for it. On a busy machine waiting
    for one took forty times as long as the whole product."""
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


class Hunter:
    """Follows hits; searches every other square."""

    name = "hunter"
    unit: Text = SAY.phrase("bot.unit.points")

    def __init__(self, game: TaskForce) -> None:
        self.game = game

    def decide(self, observation: Observation, legal: Sequence[Action], rng: Luck = None) -> Decision:
        """The most pressing square; of several alike, one at random."""
        scratches = scratches_of(legal)
        points = {a: self._points(observation, a) for a in scratches}
        best = max(value for value, _ in points.values())
        alike = [a for a in scratches if points[a][0] == best]
        action = alike[int(np.random.default_rng(rng).integers(len(alike)))]
        ranked = sorted(scratches, key=lambda a: (a != action, -points[a][0]))
        options = tuple(
            Option(a, value, (Fact(SAY.phrase("bot.because"), SAY.phrase(why)),),
                   unless(a == action, "bot.less_pressing"))
            for a in ranked for value, why in [points[a]]
        )
        reason = SAY.phrase("bot.it_is", why=SAY.phrase(points[action][1]))
        return Decision(action, self.name, reason, options=options, unit=self.unit)

    def weigh(self, observation: Observation, legal: Sequence[Action],
              actions: Sequence[Action]) -> Steps[list[Option]]:
        """Of flights alone: it never thinks of them."""
        yield from ()
        return [Option(action, None, (), SAY.phrase("bot.never_flies"), "T7") for action in actions]

    def _points(self, seen: Observation, action: Scratch) -> tuple[float, str]:
        return pressing(seen.sea.grid, seen.marks, seen.sea.grid.number(action.square))


def pressing(grid: SquareGrid, marks: Sequence[str], square: int) -> tuple[float, str]:
    """How much `Hunter` wants to scratch a square, and the key of why; all that counts lies within two squares."""
    near = grid.neighbours[square]
    if any(marks[s] == SUBMARINE for s in near):
        return -2.0, "bot.by_submarine"
    hits = [s for s in near if marks[s] == HIT]
    for hit in hits:
        beyond = 2 * hit - square
        if any(marks[s] == HIT for s in grid.neighbours[hit] if abs(s - hit) != abs(square - hit)):
            return -1.0, "bot.by_line"
        if beyond in grid.neighbours[hit] and marks[beyond] == HIT:
            return 3.0, "bot.in_line"
    if hits:
        return 2.0, "bot.by_hit"
    if any(marks[s] in MISSILES for s in near):
        return 1.0, "bot.by_missile"
    row, column = grid.place(square)
    return (0.5, "bot.on_pattern") if (row + column) % 2 else (0.0, "bot.off_pattern")


CAPTAINS = captains("navalkit.games.task_force", "data/captains.toml")
BOTS: Mapping[str, Callable[..., Any]] = with_captains({"hunter": Hunter, "bayes": Bayes, "planner": Planner}, CAPTAINS)
"""The game's own machine players, the named captains among them: name -> maker(game, **options)."""
