"""The machine players of Wolf Pack, with their reasons. They see an `Observation` and nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.core.options import brief
from navalkit.core.trace import Decision, Fact, Finding, Option

from ..odds.belief import EVEN, Belief, kept
from ..rules.cards import CLEARS, RAIDS, ROWS, SIDES, Card
from ..rules.game import WolfPack
from ..rules.state import Action, Discard, Observation, Pass, Phase, Play
from . import policy
from .ismcts import Search
from .quick import PASS


def as_action(observation: Observation, move: int) -> Action:
    """The action of a move as `quick` numbers it."""
    if observation.phase is Phase.DISCARD:
        return Discard(Card(move))
    return Pass() if move == PASS else Play(Card(move))


def as_move(action: Action) -> int:
    """The number of an action in `quick`."""
    return PASS if isinstance(action, Pass) else int(action.card)


class _Simple(ABC):
    """Gives a policy's move for one observation, and says why."""

    name: str
    policy: policy.Keeper
    unit: str

    def __init__(self, game: WolfPack) -> None:
        self.game = game

    def decide(self, observation: Observation, legal: Sequence[Action], rng: np.random.Generator) -> Decision:
        """The policy's action; options hold every legal action with its value where the player has one.

        Parameters
        ----------
        observation : Observation
        legal : sequence of Action
        rng : numpy Generator
            Not used: these players draw nothing.

        Raises
        ------
        IllegalActionError
            If it is not this side's turn.
        """
        _check_turn(observation, legal)
        if observation.phase is Phase.DISCARD:
            return self._discard(observation, legal)
        return self._play(observation, legal)

    def _discard(self, seen: Observation, legal: Sequence[Action]) -> Decision:
        mine, theirs = _rows(seen)
        worth = {
            a: self.policy.keep(a.card, min(seen.hand[a.card], 3), seen.me, mine)
            for a in legal
            if isinstance(a, Discard)
        }
        action = Discard(Card(self.policy.discard(seen.hand, seen.me, mine, theirs)))
        ranked = sorted(worth, key=lambda a: (a != action, worth[a]))
        options = tuple(
            Option(a, float(-worth[a]), (Fact("worth keeping", worth[a]),), "" if a == action else "it is worth more")
            for a in ranked
        )
        reason = f"Of the cards in hand, {action.card.title} is worth least to keep ({worth[action]} of 100)."
        return Decision(action, self.name, reason, options=options, unit="worth keeping, negative")

    @abstractmethod
    def _play(self, seen: Observation, legal: Sequence[Action]) -> Decision: ...


class Greedy(_Simple):
    """Plays what gains most at once: see `policy.Greedy`.

    Parameters
    ----------
    game : WolfPack
    """

    name = "greedy"
    policy = policy.GREEDY

    def _play(self, seen: Observation, legal: Sequence[Action]) -> Decision:
        mine, theirs = _rows(seen)
        gains = dict(policy.GREEDY.gains(seen.hand, seen.me, mine, theirs, seen.their_size))
        move = policy.GREEDY.play(seen.hand, seen.me, mine, theirs, seen.their_size)
        action = as_action(seen, move)
        if Play(Card.MISS) in legal and Card.MOUSE in gains:
            gains[Card.MISS] = gains[Card.MOUSE]
        ranked = sorted(legal, key=lambda a: (a != action, -gains[as_move(a)]))
        options = tuple(
            Option(a, gain, (Fact("gain", f"{gain:g}"),), "" if a == action else "it gains no more")
            for a, gain in ((a, gains[as_move(a)]) for a in ranked)
        )
        reason = f"It gains most at once: {gains[move]:g} card{'s' * (gains[move] != 1)}."
        return Decision(action, self.name, reason, options=options, unit="cards gained")


class Careful(_Simple):
    """Builds, and keeps DIVE or SWEEP for when it hurts: see `policy.Careful`.

    Parameters
    ----------
    game : WolfPack
    """

    name = "careful"
    policy = policy.CAREFUL

    def _play(self, seen: Observation, legal: Sequence[Action]) -> Decision:
        mine, theirs = _rows(seen)
        move = policy.CAREFUL.play(seen.hand, seen.me, mine, theirs, seen.their_size)
        action = as_action(seen, move)
        ranked = sorted(legal, key=lambda a: a != action)
        options = tuple(Option(a, rejected="" if a == action else self._rejection(seen, a)) for a in ranked)
        return Decision(action, self.name, self._reason(seen, move), self._findings(seen), options)

    def _findings(self, seen: Observation) -> tuple[Finding, ...]:
        me, other = seen.me, 1 - seen.me
        mine, theirs = _rows(seen)
        due = ROWS[other][theirs]
        holds = Belief(seen).holds(due)
        danger = "Yes" if theirs == 2 else "No"
        fact = Fact(f"chance that they hold {due.title}, by counting", holds)
        chance = f"{due.title} is in their hand with chance {float(holds):.0%}"
        verdict = f"{danger}: {theirs} of 3 cards lie there; {chance}."
        row = Finding(("W6", "W7")[other], f"Do the {SIDES[other]} wait for their last card?", verdict, (fact,))
        own = ROWS[me][mine]
        held = "Yes" if seen.hand[own] else "No"
        return (row, Finding(("W6", "W7")[me], f"Is {own.title}, the next card of the own row, in hand?", f"{held}."))

    def _reason(self, seen: Observation, move: int) -> str:
        mine, theirs = _rows(seen)
        if move == PASS:
            return "Nothing in hand helps now."
        card = Card(move)
        if card in RAIDS:
            return "The own row cannot grow now, so the opponent loses a card."
        if card is CLEARS[seen.me]:
            others = SIDES[1 - seen.me]
            return f"The {others} wait for their last card, and their row has more to lose: 2 cards against {mine}."
        return "The third card strikes." if mine == 2 else "The row grows."

    def _rejection(self, seen: Observation, action: Action) -> str:
        mine, theirs = _rows(seen)
        if isinstance(action, Pass):
            return "something useful can be played"
        assert isinstance(action, Play)
        if action.card is CLEARS[seen.me]:
            return "it does not hurt enough yet" if theirs < 2 else "it would cost the own row"
        if action.card in RAIDS:
            return "another card does more"
        return "breaking their row comes first"


class Ismcts:
    """Information-set tree search: see `ismcts`.

    Parameters
    ----------
    game : WolfPack
    iterations : int
        Games looked at for one decision; with ``seconds``, the most.
    seconds : float, optional
        Time for one decision. With it the same position may be decided differently on another machine.
    horizon : int
        Turns after which a game is judged instead of played on.
    kept : bool
        Whether guesses at the opponent's hand weigh what is worth keeping, or go by counting alone.
    tree : bool
        Whether the moves after the first are searched too, or played as careful players would.

    Raises
    ------
    OptionError
        If a number is out of range.
    """

    name = "ismcts"
    unit = "chance to win"

    def __init__(
        self,
        game: WolfPack,
        iterations: int = 1000,
        seconds: float | None = None,
        horizon: int = 6,
        kept: bool = True,
        tree: bool = True,
    ) -> None:
        for what, value in (("iterations", iterations), ("horizon", horizon)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise OptionError(f"the player ismcts takes {what} as a whole number from 1 up, not {brief(value)}.")
        if seconds is not None and not (isinstance(seconds, (int, float)) and seconds > 0):
            raise OptionError(f"the player ismcts takes seconds as a number above 0, not {brief(seconds)}.")
        self.game = game
        self.iterations = iterations
        self.seconds = seconds
        self.horizon = horizon
        self.kept = kept
        self.tree = tree

    def decide(self, observation: Observation, legal: Sequence[Action], rng: np.random.Generator) -> Decision:
        """The action tried most, with the visits and the mean worth of each.

        Parameters
        ----------
        observation : Observation
        legal : sequence of Action
        rng : numpy Generator
            Equal generators give equal decisions, unless ``seconds`` is set.

        Raises
        ------
        IllegalActionError
            If it is not this side's turn.
        """
        _check_turn(observation, legal)
        if len(legal) == 1:
            return Decision(legal[0], self.name, "There is no choice.", options=(Option(legal[0]),), unit=self.unit)
        seen = observation
        weights = kept(1 - seen.me, seen.rows[1 - seen.me]) if self.kept else EVEN
        belief = Belief(seen, weights)
        search = Search(seen, belief, Random(int(rng.integers(2**62))), self.horizon, tree=self.tree)
        best = search.run(self.iterations, self.seconds)
        node, action = search.root, as_action(seen, best)
        options = sorted(
            (self._option(a, search, best) for a in legal), key=lambda o: (o.action != action, -(o.value or 0.0))
        )
        tried = node[best]
        if best != search.careful:
            ahead = f"{tried.mean_gain:.1%} ± {tried.error:.1%} ahead of {as_action(seen, search.careful)}"
        else:
            ahead = "as a careful player would, and nothing looked clearly better"
        came = f"its {tried.visits:,} came out at {tried.mean:.1%}"
        reason = f"Of {search.iterations:,} games played on from here, {came}: {ahead}."
        return Decision(action, self.name, reason, (self._guess(seen, belief),), tuple(options), self.unit)

    def _option(self, action: Action, search: Search, best: int) -> Option:
        move = as_move(action)
        if move not in search.root:
            return Option(action, search.root[Card.MOUSE].mean, (), "it does the same as CAT AND MOUSE", "W10")
        tried = search.root[move]
        facts = [Fact("visits", tried.visits), Fact("chance to win", f"{tried.mean:.1%}")]
        if move != search.careful:
            facts.append(Fact("against the careful move", f"{tried.mean_gain:+.1%} ± {tried.error:.1%}"))
        rejected = "" if move == best else "it was given up" if tried.dropped else "it did not look clearly better"
        return Option(action, tried.mean, tuple(facts), rejected)

    def _guess(self, seen: Observation, belief: Belief) -> Finding:
        """What it takes the opponent to hold."""
        other = 1 - seen.me
        due = ROWS[other][seen.rows[other]]
        how = "weighing what is worth keeping" if self.kept else "counting alone"
        facts = tuple(Fact(f"chance of {card.title}", belief.holds(card)) for card in (due, CLEARS[other]))
        chances = ", ".join(f"{str(fact.name).removeprefix('chance of ')} {float(fact.value):.0%}" for fact in facts)
        return Finding("W13", f"What may the {SIDES[other]} hold, {how}?", f"{chances}.", facts)


def _rows(seen: Observation) -> tuple[int, int]:
    return seen.rows[seen.me], seen.rows[1 - seen.me]


def _check_turn(seen: Observation, legal: Sequence[Action]) -> None:
    if not legal or seen.side != seen.me or seen.phase not in (Phase.DISCARD, Phase.ACTION):
        raise IllegalActionError(f"there is nothing for the {SIDES[seen.me]} to decide in this phase ({seen.phase}).")


BOTS: Mapping[str, Callable[..., Any]] = {"greedy": Greedy, "careful": Careful, "ismcts": Ismcts}
"""The game's own machine players: name -> maker(game, **options)."""
