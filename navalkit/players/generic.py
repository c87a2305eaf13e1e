"""What the generic players share: whom they can play for, what a position is worth by playing it out, and how a game
went."""

from __future__ import annotations
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from navalkit.core.awaited import Steps, finish
from navalkit.core.errors import IllegalActionError, OptionError, brief
from navalkit.core.game import CHANCE, TERMINAL, Game
from navalkit.core.match import Match
from navalkit.core.trace import Decision, Fact, Luck, Machine, Option, Weigher, ordered, thinking
from navalkit.core.words import SAY, Text

Evaluate = Callable[[Any], Sequence[float]]
"""What a state is worth: one number a player, in the unit of the game's scores."""

LONGEST = 100_000
"""Plies after which a game that is played out counts as one that never ends."""


def check_open(game: Game[Any, Any], who: str) -> None:
    """OptionError if ``game`` hides something: a player that looks ahead needs the whole state."""
    if game.hides:
        raise OptionError(SAY("players.hides", who=who, game=game.name))


def check_count(who: str, name: str, value: Any) -> int:
    """``value`` if it is a whole number from 1 up; OptionError otherwise."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise OptionError(SAY("players.whole_number", who=who, name=name, value=brief(value)))
    return value


def settle(game: Game[Any, Any], state: Any, rng: np.random.Generator) -> Any:
    """The state after chance, and players whose action is prescribed, have acted."""
    for _ in range(LONGEST):
        turn = game.turn(state)
        if turn == CHANCE:
            state = game.apply(state, game.chance(state).sample(rng)).state
        elif turn in game.automatic:
            state = game.apply(state, game.legal(state)[0]).state
        else:
            return state
    raise OptionError(SAY("players.no_decision", game=game.name, longest=LONGEST))


def play_out(game: Game[Any, Any], state: Any, rng: np.random.Generator) -> Sequence[float]:
    """The scores of one game played from ``state`` to its end by players who take any legal action."""
    for _ in range(LONGEST):
        state = settle(game, state, rng)
        if game.turn(state) == TERMINAL:
            return scores(game, state)
        legal = game.legal(state)
        state = game.apply(state, legal[int(rng.integers(len(legal)))]).state
    raise OptionError(SAY("players.endless", game=game.name, longest=LONGEST))


def scores(game: Game[Any, Any], state: Any) -> Sequence[float]:
    """The scores of a game that is over."""
    outcome = game.outcome(state)
    assert outcome is not None  # the protocol: a terminal state has an outcome
    return outcome.scores


def best_of(by: str, options: Sequence[Option], reason: Text) -> Decision:
    """The decision for the option of the highest value; of several, the one named first."""
    ranked = sorted(options, key=lambda option: -(option.value or 0.0))
    best, rest = ranked[0], ranked[1:]
    worse = [Option(o.action, o.value, o.facts, rejected=SAY.phrase("players.not_better")) for o in rest]
    return Decision(best.action, by, reason, options=(best, *worse), unit=SAY.phrase("players.score"))


class Random:
    """Takes every legal action with the same chance: the yardstick for all others.

    Parameters
    ----------
    game : Game
        What it plays; any game will do.

    Raises
    ------
    IllegalActionError
        When asked to decide where no action is legal.
    """

    name = "random"

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game

    def decide(self, observation: Any, legal: Sequence[Any], rng: Luck = None) -> Decision:
        """One of the legal actions, all alike likely."""
        if not legal:
            raise IllegalActionError(SAY("players.none"))
        chance = Fraction(1, len(legal))
        return Decision(action=legal[int(np.random.default_rng(rng).integers(len(legal)))], by=self.name,
                        reason=SAY.phrase("random.any", legal=len(legal)),
                        options=tuple(Option(action, chance) for action in legal), unit=SAY("random.unit"))


class Greedy:
    """Tries every legal action many times and takes the one with the best mean score.

    Parameters
    ----------
    game : Game
        What it plays; nothing in it may be hidden.
    samples : int
        How often each action is tried. The standard error of a value shrinks with its square root.
    evaluate : callable, optional
        State -> what it is worth, one number a player. Left out, the game is played to its end at random.

    Raises
    ------
    OptionError
        If the game hides something, or ``samples`` is no whole number from 1 up.
    """

    name = "greedy"

    def __init__(self, game: Game[Any, Any], samples: int = 50, evaluate: Evaluate | None = None) -> None:
        check_open(game, self.name)
        self.game = game
        self.samples = check_count(self.name, "samples", samples)
        self.evaluate = evaluate

    def decide(self, observation: Any, legal: Sequence[Any], rng: Luck = None) -> Decision:
        """The action with the best mean score of what was tried."""
        return finish(self.think(observation, legal, np.random.default_rng(rng)))

    def think(self, observation: Any, legal: Sequence[Any], rng: np.random.Generator) -> Steps[Decision]:
        """As `decide`, in steps: one a try."""
        options = []
        for number, action in enumerate(legal):
            tries = []
            for tried in range(self.samples):
                tries.append(self._try(observation, action, rng))
                yield (number + (tried + 1) / self.samples) / len(legal)
            values = np.array(tries)
            error = float(values.std(ddof=1)) / sqrt(self.samples) if self.samples > 1 else float("nan")
            fact = Fact(SAY.phrase("greedy.unit"), f"{values.mean():,.4g} ± {error:,.2g} (n = {self.samples:,})")
            options.append(Option(action, float(values.mean()), (fact,)))
        how = SAY("greedy.played_out") if self.evaluate is None else SAY("greedy.ahead")
        return best_of(self.name, options, SAY("greedy.best", samples=self.samples, how=how))

    def _try(self, state: Any, action: Any, rng: np.random.Generator) -> float:
        """What one try of ``action`` was worth to the player on turn."""
        game = self.game
        after = settle(game, game.apply(state, action).state, rng)
        if game.turn(after) == TERMINAL:
            worth = scores(game, after)
        else:
            worth = self.evaluate(after) if self.evaluate else play_out(game, after, rng)
        return worth[game.turn(state)]


# -- A player that now and then gives an order without a look: what makes a beginner of a machine captain
# It is weaker by not looking, and not by a thumb on the dice: every order it gives is legal, and says how it came
# about.

class Careless:
    """Another player, but for a share of its orders that are any legal ones. ``player``: who looks, when somebody does.
    ``game``: what it plays. ``slips``: the chance, for every order, that nobody looks: 0 to 1. OptionError if the
    chance is out of range."""

    def __init__(self, player: Machine, game: Any, slips: float) -> None:
        if not 0 <= slips <= 1:
            raise OptionError(SAY("careless.slips", slips=slips))
        self.name, self.slips = player.name, slips
        self._careful, self._any = player, Random(game)

    def decide(self, observation: Any, legal: Sequence[Any], rng: Luck = None) -> Decision:
        """The player's own decision, or any legal order."""
        return finish(self.think(observation, legal, np.random.default_rng(rng)))

    def think(self, observation: Any, legal: Sequence[Any], rng: np.random.Generator) -> Steps[Decision]:
        """As `decide`, in steps; where there is one order alone, nobody can slip."""
        if len(legal) > 1 and rng.random() < self.slips:
            return replace(self._any.decide(observation, legal, rng), by=self.name)
        return (yield from thinking(self._careful, observation, legal, rng))

    def order(self, observation: Any, legal: Callable[[], Sequence[Any]], rng: np.random.Generator) -> Any:
        """As `decide`, without reasons."""
        if rng.random() >= self.slips:
            return ordered(self._careful, observation, legal, rng)
        listed = legal()
        return listed[int(rng.integers(len(listed)))]

    def weigh(self, observation: Any, legal: Sequence[Any], actions: Sequence[Any]) -> Steps[Sequence[Option]]:
        """What orders are worth to the player who looks."""
        if isinstance(self._careful, Weigher):
            return (yield from self._careful.weigh(observation, legal, actions))
        return ()


def careless(maker: Callable[..., Machine], slips: float, game: Any, **options: Any) -> Machine:
    """A player of a maker's, made to slip; ``options`` are the maker's own."""
    return Careless(maker(game, **options), game, slips)


# -- The player that looks several decisions ahead, through every turn of chance -------------------

Worth = tuple[float, ...]


class Expectimax:
    """Looks ahead over explicit chance, every player taking what is best for himself.

    Exact where the search reaches the end of the game and no chance node has more than ``width`` outcomes; of
    wider ones it draws ``width`` outcomes (sparse sampling, Kearns, Mansour and Ng 2002) and says so.

    Parameters
    ----------
    game : Game
        What it plays; nothing in it may be hidden.
    depth : int
        How many decisions it looks ahead, its own the first.
    width : int
        The largest chance node it goes through in full.
    nodes : int
        How many states it may look at. It deepens its search step by step and decides by the deepest one that fits.
    evaluate : callable, optional
        State -> what it is worth, one number a player, where the search stops. Left out, the mean of some
        games played from there to the end at random.
    playouts : int
        How many such games.

    Raises
    ------
    OptionError
        If the game hides something, or a number is no whole number from 1 up; when deciding, if ``nodes`` is
        too small for even one decision.
    """

    name = "expectimax"

    def __init__(self, game: Game[Any, Any], depth: int = 2, width: int = 8, nodes: int = 50_000,
                 evaluate: Evaluate | None = None, playouts: int = 4) -> None:
        check_open(game, self.name)
        self.game = game
        self.depth = check_count(self.name, "depth", depth)
        self.width = check_count(self.name, "width", width)
        self.nodes = check_count(self.name, "nodes", nodes)
        self.playouts = check_count(self.name, "playouts", playouts)
        self.evaluate = evaluate

    def decide(self, observation: Any, legal: Sequence[Any], rng: Luck = None) -> Decision:
        """The action with the best expected score, as far as it looks ahead."""
        return finish(self.think(observation, legal, np.random.default_rng(rng)))

    def think(self, observation: Any, legal: Sequence[Any], rng: np.random.Generator) -> Steps[Decision]:
        """As `decide`, in steps: one a legal action and depth."""
        game, me = self.game, self.game.turn(observation)
        deepest: _Search | None = None
        values: list[float] = []
        left = self.nodes
        for depth in range(1, self.depth + 1):
            search = _Search(self, left, rng)
            try:
                found = []
                for number, action in enumerate(legal):
                    found.append(search.worth(game.apply(observation, action).state, depth - 1)[me])
                    yield (depth - 1 + number / len(legal)) / self.depth
            except _OutOfNodes:
                break
            values, deepest, reached = found, search, depth
            left -= search.looked_at
            if not search.cut:
                break  # every line has been followed to its end
        if deepest is None:
            raise OptionError(SAY("expectimax.nodes", player=self.name, nodes=self.nodes))
        guessed = deepest.sampled or (deepest.cut and not self.evaluate)
        kind = SAY.phrase("expectimax.estimate" if guessed else "expectimax.unit")
        options = [Option(a, v, (Fact(kind, f"{v:,.5g}"),)) for a, v in zip(legal, values, strict=True)]
        return best_of(self.name, options, SAY.phrase("expectimax.best", ahead=reached, states=deepest.looked_at))


class _OutOfNodes(Exception):
    """The node budget does not reach for this depth."""


class _Search:
    """One search to one depth; remembers the worth of every state it has met."""

    def __init__(self, owner: Expectimax, nodes: int, rng: np.random.Generator) -> None:
        self.game, self.width, self.playouts = owner.game, owner.width, owner.playouts
        self.evaluate = owner.evaluate
        self.nodes = nodes
        self.rng = rng
        self.known: dict[tuple[Any, int], Worth] = {}
        self.cut = False
        """Whether a line was stopped before the end of the game."""
        self.sampled = False
        """Whether a chance node was too wide to go through in full."""

    @property
    def looked_at(self) -> int:
        return len(self.known)

    def worth(self, state: Any, depth: int) -> Worth:
        """What ``state`` is worth to each player, ``depth`` decisions before the search stops."""
        key = (state, depth)
        if key not in self.known:
            if len(self.known) >= self.nodes:
                raise _OutOfNodes
            self.known[key] = ()  # counts at once, so that the budget holds for what lies under it too
            self.known[key] = self._look(state, depth)
        return self.known[key]

    def _look(self, state: Any, depth: int) -> Worth:
        game, turn = self.game, self.game.turn(state)
        if turn == TERMINAL:
            return tuple(scores(game, state))
        if turn == CHANCE:
            return self._mean((p, self.worth(game.apply(state, a).state, depth)) for a, p in self._chances(state))
        if turn in game.automatic:
            return self.worth(game.apply(state, game.legal(state)[0]).state, depth)
        if not depth:
            self.cut = True
            if self.evaluate:
                return tuple(self.evaluate(state))
            share = 1 / self.playouts
            return self._mean((share, tuple(play_out(game, state, self.rng))) for _ in range(self.playouts))
        ahead = [self.worth(game.apply(state, action).state, depth - 1) for action in game.legal(state)]
        return max(ahead, key=lambda worth: worth[turn])

    def _chances(self, state: Any) -> list[tuple[Any, float]]:
        """Actions of chance with their probabilities: all, or a sample of equal weights."""
        dist = self.game.chance(state)
        if len(dist) <= self.width:
            return [(action, float(p)) for action, p in dist.items()]
        self.sampled = True
        return [(action, 1 / self.width) for action in dist.sample(self.rng, self.width)]

    @staticmethod
    def _mean(parts: Iterable[tuple[float, Worth]]) -> Worth:
        weighted = [[p * value for value in worth] for p, worth in parts]
        return tuple(map(sum, zip(*weighted, strict=True)))


GENERIC: Mapping[str, Callable[..., Machine]] = {"random": Random, "greedy": Greedy, "expectimax": Expectimax}
"""Those that play any game, by name."""


# -- How a game went, for the balance of a game -----------------------------------------------------

DRAW = -1


@dataclass(frozen=True, slots=True)
class Account:
    """How a game went."""

    winner: int
    """The player who won; `DRAW` for nobody."""
    length: float
    """In ``unit``."""
    unit: str
    """"moves", "turns"."""
    leads: tuple[float, ...] = ()
    """The first player's lead after each of these units, in points of the game."""
    decided: str = ""
    """What decided it ("guns"); "" where the game tells no such thing."""
    one_blow: bool = False
    """Whether one blow alone did."""
    clock: bool = False
    """Whether the last move or turn came with nothing decided."""

    @property
    def lead_changes(self) -> int:
        """How often the lead passed from one player to the other."""
        signs = [lead > 0 for lead in self.leads if lead]
        return sum(a != b for a, b in zip(signs, signs[1:], strict=False))


def plain(match: Match) -> Account:
    """Of a game that has no account of its own: with two deciders the higher score wins; alone, any score above 0."""
    outcome = match.outcome
    assert outcome is not None
    scores = outcome.scores
    if match.game.deciders > 1:
        winner = DRAW if scores[0] == scores[1] else int(scores[1] > scores[0])
    else:
        winner = 0 if scores[0] > 0 else 1
    return Account(winner, match.ply, "plies", decided=outcome.result)


Accountant = Callable[[Match], Account]
"""What a game's package offers as ``ACCOUNT``; `plain` where it offers none."""
