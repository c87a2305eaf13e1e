"""The captain who scratches where the posterior promises a hit at the least harm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navalkit.core.awaited import Steps, finish, part
from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.core.language.words import Text
from navalkit.core.player import Luck
from navalkit.core.trace import Decision, Fact, Mark, Option
from navalkit.prob.search import Ints

from ..odds.belief import Worlds, searching
from ..rules.game import TaskForce
from ..rules.say import SAY
from ..rules.state import CARRIER, CRUISER, FIRST_DESTROYER, UNSEEN, Action, Observation, Phase, Scratch

Floats = NDArray[np.float64]

SHOT = 0.6  # what an anti-air missile is worth, in ships
FLIGHT_WORTH = 0.3  # what a flight is worth that would be lost with its ship


@dataclass(frozen=True)
class View:
    """What a captain makes of an observation: arrays over worlds and squares.

    ``ships`` and ``harm`` have shape (n, squares), the latter in ships lost or their like if the square is scratched;
    ``weights`` shape (n,) and sum 1; ``hit`` and ``risk`` shape (squares,) are their means, ``danger`` the chance of
    a missile or submarine.
    """

    ships: Floats
    harm: Floats
    weights: Floats
    hit: Floats
    risk: Floats
    danger: Floats


def view(observation: Observation, found: Worlds) -> View:
    """Worlds as harm and hits."""
    weights = found.weights / found.weights.sum()
    share = found.missiles / np.maximum(found.launchers.sum(axis=1), 1)
    missile = found.launchers * share[:, None]
    new_submarines = found.submarines & np.array([mark == UNSEEN for mark in observation.marks])
    harm = missile * _missile_harm(observation) + new_submarines * _submarine_harm(observation)
    ships = found.ships.astype(float)
    return View(ships, harm, weights, weights @ ships, weights @ harm, weights @ (missile + new_submarines))


def _missile_harm(seen: Observation) -> float:
    """What the next missile costs on average, in ships, by the targets left."""
    left = seen.targets_left
    if not left:
        return 0.0
    covered = CRUISER in seen.afloat and seen.anti_air > 0
    return sum((SHOT if covered else _worth(seen, t)) for t in left if t in seen.afloat) / len(left)


def _submarine_harm(seen: Observation) -> float:
    return _worth(seen, seen.afloat[-1]) if seen.afloat else 0.0


def _worth(seen: Observation, ship: int) -> float:
    """What losing one of our ships costs: herself, and what goes with her."""
    if ship == CARRIER:
        return 1 + FLIGHT_WORTH * seen.strikes
    if ship == CRUISER:
        return 1 + SHOT * seen.anti_air
    return 1 + FLIGHT_WORTH * (ship - FIRST_DESTROYER + 1 in seen.helicopters)


class Bayes:
    """Scratches the square with the best balance of the chance of a hit against the harm to be expected.

    ``sample``: fleets in the sample its odds rest on, 100 or more. ``boldness``: what a hit is worth in ships; the
    more, the less it minds the risk. OptionError if a number is out of range.
    """

    name = "bayes"
    unit = "ships"

    def __init__(self, game: TaskForce, sample: int = 1500, boldness: float = 0.3) -> None:
        if not isinstance(sample, int) or sample < 100 or not boldness > 0:
            raise OptionError(SAY("bot.bad_sample", name=self.name))
        self.game, self.sample, self.boldness = game, sample, float(boldness)

    def decide(self, observation: Observation, legal: Sequence[Action], rng: Luck = None) -> Decision:
        """The square of the best balance; its options hold every square with its odds."""
        return finish(self.think(observation, legal, np.random.default_rng(rng)))

    def think(self, observation: Observation, legal: Sequence[Action], rng: np.random.Generator) -> Steps[Decision]:
        """As `decide`, in short steps."""
        scratches = scratches_of(legal)
        found = yield from part(searching(observation, self.sample, rng, groups=2), 0, 0.8)
        seen = view(observation, found)
        squares = np.array([observation.sea.grid.number(a.square) for a in scratches])
        values = yield from part(self._values(observation, seen, squares), 0.8, 1)
        best = int(values.argmax())
        flight = self._flight(observation, legal, seen, scratches[best], squares[best])
        said = "bot.best_flight" if observation.phase is Phase.FLIGHT else "bot.best"
        return flight or self._report(scratches, squares, values, best, seen, said, self._reason(observation))

    def weigh(
        self, observation: Observation, legal: Sequence[Action], actions: Sequence[Action]
    ) -> Steps[list[Option]]:
        """What orders are worth that the decision does not tell of: scratches before a flight, flights before those."""
        found = yield from part(searching(observation, self.sample, np.random.default_rng(0), groups=2), 0, 0.8)
        seen, scratches = view(observation, found), scratches_of(legal)
        squares = np.array([observation.sea.grid.number(a.square) for a in scratches])
        values = yield from part(self._values(observation, seen, squares), 0.8, 1)
        best = float(seen.risk[squares[int(values.argmax())]])
        worth, number = dict(zip(scratches, values.tolist(), strict=True)), observation.sea.grid.number
        return [
            self._option(action, number(action.square), worth[action], seen, "bot.not_worth_more")
            if isinstance(action, Scratch)
            else self._in_the_air(observation, seen, action, best)
            for action in actions
        ]

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

    def _flight(
        self, observation: Observation, legal: Sequence[Action], seen: View, scratch: Scratch, square: int
    ) -> Decision | None:
        """A flight instead of that scratch, if it pays."""
        return None

    def _reason(self, observation: Observation) -> Text:
        return SAY.phrase("bot.balance")

    def _report(
        self, actions: Sequence[Action], squares: Ints, values: Floats, best: int, seen: View, said: str, why: Text
    ) -> Decision:
        order = sorted(range(len(actions)), key=lambda i: (i != best, -values[i]))
        options = tuple(
            self._option(actions[i], int(squares[i]), values[i], seen, "" if i == best else "bot.not_worth_more")
            for i in order
        )
        square = squares[best]
        text = SAY.phrase(said, why=why, hit=f"{seen.hit[square]:.0%}", harm=in_ships(seen.risk[square]))
        return Decision(actions[best], self.name, text, options=options, unit=self.unit)

    def _option(self, action: Action, square: int, value: float, seen: View, rejected: str) -> Option:
        """A scratch with its odds, and the key of why it was not taken."""
        hit, harm = f"{seen.hit[square]:.0%}", in_ships(seen.risk[square])
        marks = (Mark("cell", (self._name(square),)),)
        facts = Fact(SAY.phrase("bot.hit"), hit, marks), Fact(SAY.phrase("bot.harm"), harm)
        return Option(action, float(value), facts, SAY.phrase(rejected) if rejected else "")

    def _name(self, square: int) -> str:
        return self.game.sea.grid.names[square]


def in_ships(number: float) -> Text:
    return SAY.phrase("bot.ships", n=f"{number:.2f}")


def unless(chosen: bool, key: str) -> Text:
    """Why an option was not taken, or nothing for the one that was."""
    return "" if chosen else SAY.phrase(key)


def scratches_of(legal: Sequence[Action]) -> list[Scratch]:
    scratches = [a for a in legal if isinstance(a, Scratch)]
    if not scratches:
        raise IllegalActionError(SAY("bot.nothing"))
    return scratches
