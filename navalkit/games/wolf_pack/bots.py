"""The machine players of Wolf Pack, with their reasons. They see an `Observation` and nothing else."""

from __future__ import annotations
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from navalkit.core.awaited import Steps, finish
from navalkit.core.errors import IllegalActionError, OptionError, brief
from navalkit.core.trace import Decision, Fact, Finding, Luck, Option
from navalkit.core.words import Text, number
from navalkit.players.captains import captains, with_captains
from . import quick
from .cards import CLEARS, RAIDS, ROWS, SAY, SIDES, Card
from .odds import EVEN, Belief, likely
from .quick import PASS
from .rules import WolfPack
from .search import HORIZON, Search
from .state import Action, Discard, Observation, Pass, Phase, Play


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
    policy: quick.Keeper
    unit: str

    def __init__(self, game: WolfPack) -> None:
        self.game = game

    def decide(self, observation: Observation, legal: Sequence[Action], rng: Luck = None) -> Decision:
        """The policy's action; options hold every legal action with its value where the player has one."""
        _check_turn(observation, legal)
        if observation.phase is Phase.DISCARD:
            return self._discard(observation, legal)
        return self._play(observation, legal)

    def _discard(self, seen: Observation, legal: Sequence[Action]) -> Decision:
        mine, theirs = _rows(seen)
        worth = {a: self.policy.keep(a.card, min(seen.hand[a.card], 3), seen.me, mine)
                 for a in legal if isinstance(a, Discard)}
        action = Discard(Card(self.policy.discard(seen.hand, seen.me, mine, theirs)))
        ranked = sorted(worth, key=lambda a: (a != action, worth[a]))
        why = {a: "bot.worth_more" if worth[a] > worth[action] else "bot.worth_same" for a in ranked}
        options = tuple(
            Option(a, float(-worth[a]), (Fact(SAY.phrase("bot.worth"), worth[a]),), _unless(a == action, why[a]))
            for a in ranked
        )
        reason = SAY.phrase("bot.worth_least", card=action.card.title, worth=worth[action])
        return Decision(action, self.name, reason, options=options, unit=SAY("bot.worth_unit"))

    @abstractmethod
    def _play(self, seen: Observation, legal: Sequence[Action]) -> Decision: ...


class Greedy(_Simple):
    """Plays what gains most at once: see `policy.Greedy`."""

    name = "greedy"
    policy = quick.GREEDY

    def _play(self, seen: Observation, legal: Sequence[Action]) -> Decision:
        mine, theirs = _rows(seen)
        gains = dict(quick.GREEDY.gains(seen.hand, seen.me, mine, theirs, seen.their_size))
        move = quick.GREEDY.play(seen.hand, seen.me, mine, theirs, seen.their_size)
        action = as_action(seen, move)
        if Play(Card.MISS) in legal and Card.MOUSE in gains:
            gains[Card.MISS] = gains[Card.MOUSE]
        ranked = sorted(legal, key=lambda a: (a != action, -gains[as_move(a)]))
        options = tuple(
            Option(a, gain, (Fact(SAY.phrase("bot.gain"), f"{gain:g}"),), _unless(a == action, "bot.gains_no_more"))
            for a, gain in ((a, gains[as_move(a)]) for a in ranked)
        )
        reason = SAY.phrase("bot.gains_most", gain=f"{gains[move]:g}")
        return Decision(action, self.name, reason, options=options, unit=SAY("bot.gain_unit"))


class Careful(_Simple):
    """Builds, and keeps DIVE or SWEEP for when it hurts: see `policy.Careful`."""

    name = "careful"
    policy = quick.CAREFUL

    def _play(self, seen: Observation, legal: Sequence[Action]) -> Decision:
        mine, theirs = _rows(seen)
        move = quick.CAREFUL.play(seen.hand, seen.me, mine, theirs, seen.their_size)
        action = as_action(seen, move)
        ranked = sorted(legal, key=lambda a: a != action)
        options = tuple(Option(a, rejected="" if a == action else self._rejection(seen, a)) for a in ranked)
        return Decision(action, self.name, self._reason(seen, move), self._findings(seen), options)

    def _findings(self, seen: Observation) -> tuple[Finding, ...]:
        me, other = seen.me, 1 - seen.me
        mine, theirs = _rows(seen)
        due = ROWS[other][theirs]
        holds = Belief(seen).holds(due)
        fact = Fact(SAY.phrase("bot.chance_of", card=due.title), holds)
        question = SAY.phrase("bot.do_they_wait", side=SIDES[other])
        verdict = SAY.phrase(f"bot.wait.{theirs == 2}", n=theirs, card=due.title, chance=holds)
        own = ROWS[me][mine]
        in_hand = SAY.phrase("bot.is_next_held", card=own.title)
        return (
            Finding(("W6", "W7")[other], question, verdict, (fact,)),
            Finding(("W6", "W7")[me], in_hand, SAY.phrase(f"bot.held.{bool(seen.hand[own])}")),
        )

    def _reason(self, seen: Observation, move: int) -> Text:
        mine, theirs = _rows(seen)
        if move == PASS:
            return SAY.phrase("bot.pass")
        card = Card(move)
        if card in RAIDS:
            return SAY.phrase("bot.raid")
        if card is CLEARS[seen.me]:
            return SAY.phrase("bot.clear", side=SIDES[1 - seen.me], mine=mine)
        return SAY.phrase("bot.strike" if mine == 2 else "bot.grow")

    def _rejection(self, seen: Observation, action: Action) -> Text:
        mine, theirs = _rows(seen)
        if isinstance(action, Pass):
            return SAY.phrase("bot.no_pass")
        assert isinstance(action, Play)
        if action.card is CLEARS[seen.me]:
            return SAY.phrase("bot.no_clear" if theirs < 2 else "bot.no_clear_own")
        return SAY.phrase("bot.no_raid" if action.card in RAIDS else "bot.no_lay")


class Ismcts:
    """Information-set tree search: see `ismcts`.

    ``iterations``: games looked at for one decision; with ``seconds``, the most. ``seconds``: time for one decision.
    With it the same position may be decided differently on another machine. ``horizon``: turns after which a game is
    judged instead of played on. ``kept``: whether guesses at the opponent's hand weigh what is worth keeping, or go by
    counting alone. ``tree``: whether the moves after the first are searched too, or played as careful players would.
    OptionError if a number is out of range.
    """

    name = "ismcts"
    unit = SAY.phrase("bot.chance")

    def __init__(self, game: WolfPack, iterations: int = 1000, seconds: float | None = None, horizon: int = HORIZON,
                 kept: bool = True, tree: bool = True) -> None:
        for what, value in (("iterations", iterations), ("horizon", horizon)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise OptionError(SAY("bot.whole", what=what, value=brief(value)))
        if seconds is not None and not (isinstance(seconds, (int, float)) and seconds > 0):
            raise OptionError(SAY("bot.seconds", value=brief(seconds)))
        self.game = game
        self.iterations = iterations
        self.seconds = seconds
        self.horizon = horizon
        self.kept = kept
        self.tree = tree

    def decide(self, observation: Observation, legal: Sequence[Action], rng: Luck = None) -> Decision:
        """The action tried most, with the visits and the mean worth of each; equal generators give equal decisions,
        unless ``seconds`` is set."""
        return finish(self.think(observation, legal, np.random.default_rng(rng)))

    def think(self, observation: Observation, legal: Sequence[Action], rng: np.random.Generator) -> Steps[Decision]:
        """As `decide`, in short steps."""
        _check_turn(observation, legal)
        if len(legal) == 1:
            options: tuple[Option, ...] = (Option(legal[0]),)
            return Decision(legal[0], self.name, SAY.phrase("bot.no_choice"), options=options, unit=self.unit)
        seen = observation
        belief = Belief(seen, likely(seen) if self.kept else EVEN)
        search = Search(seen, belief, Random(int(rng.integers(2**62))), self.horizon, tree=self.tree)
        best = yield from search.running(self.iterations, self.seconds)
        action, tried = as_action(seen, best), search.root[best]
        found = (self._option(a, search, best) for a in legal)
        options = tuple(sorted(found, key=lambda o: (o.action != action, -(o.value or 0.0))))
        reason = SAY.phrase("bot.as_careful" if best == search.careful else "bot.ahead", games=search.iterations,
                            turns=self.horizon, tries=tried.visits, chance=tried.mean,
                            gain=number(100 * tried.mean_gain, ".1f"), error=number(100 * tried.error, ".1f"))
        return Decision(action, self.name, reason, (self._guess(seen, belief),), options, self.unit)

    def _option(self, action: Action, search: Search, best: int) -> Option:
        move = as_move(action)
        if move not in search.root:
            mean = search.root[Card.MOUSE].mean
            return Option(action, mean, (), SAY.phrase("bot.same", card=Card.MOUSE.title), "W10")
        tried = search.root[move]
        facts = [Fact(SAY.phrase("bot.visits"), tried.visits),
                 Fact(SAY.phrase("bot.chance"), number(tried.mean, ".1%"))]
        if move != search.careful:
            gain, error = number(100 * tried.mean_gain, "+.1f"), number(100 * tried.error, ".1f")
            against = SAY.phrase("bot.against.points", gain=gain, error=error)
            facts.append(Fact(SAY.phrase("bot.against"), against))
        rejected = "bot.given_up" if tried.dropped else "bot.not_better"
        return Option(action, tried.mean, tuple(facts), _unless(move == best, rejected))

    def _guess(self, seen: Observation, belief: Belief) -> Finding:
        """What it takes the opponent to hold."""
        other = 1 - seen.me
        due = ROWS[other][seen.rows[other]]
        pair = (due, CLEARS[other])
        chances = tuple(map(belief.holds, pair))
        facts = tuple(Fact(SAY.phrase("bot.chance_of", card=card.title), chance)
                      for card, chance in zip(pair, chances, strict=True))
        verdict = SAY.phrase("bot.may_hold", due=due.title, p=chances[0], clear=CLEARS[other].title, q=chances[1])
        question = SAY.phrase("bot.guess_weighed" if self.kept else "bot.guess_counted", side=SIDES[other])
        return Finding("W13", question, verdict, facts)


def _unless(chosen: bool, key: str) -> Text:
    """Why an option was not taken, or nothing for the one that was."""
    return "" if chosen else SAY.phrase(key)


def _rows(seen: Observation) -> tuple[int, int]:
    return seen.rows[seen.me], seen.rows[1 - seen.me]


def _check_turn(seen: Observation, legal: Sequence[Action]) -> None:
    if not legal or seen.side != seen.me or seen.phase not in (Phase.DISCARD, Phase.ACTION):
        raise IllegalActionError(SAY("bot.nothing", side=SIDES[seen.me]))


CAPTAINS = captains("navalkit.games.wolf_pack", "data/captains.toml")
_PLAYERS: Mapping[str, Callable[..., Any]] = {"greedy": Greedy, "careful": Careful, "ismcts": Ismcts}
BOTS = with_captains(_PLAYERS, CAPTAINS)
"""The game's own machine players, the named captains among them: name -> maker(game, **options)."""
