"""The machine captains of USS Lox, with their reasons. Their orders are those of the policies in `policy`."""

from __future__ import annotations
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from navalkit.core.errors import IllegalActionError
from navalkit.core.trace import Decision, Fact, Luck, Option
from navalkit.core.words import Phrase, Text
from navalkit.players.captains import captains, with_captains
from . import cards
from .cards import SAY
from .endgame import DECLINE, ESCAPE, Aim, Boats, unseen_by
from .game import UssLox
from .odds import salvoes_by_ship
from .optimal import GreedyPolicy, OptimalPolicy, Worth
from .state import Action, Attack, Chase, Decline, Escape, Flip, Phase, Plan, Return, State

_LANE = np.zeros(1, dtype=np.intp)
_ORDERS: Mapping[int, Action] = {n: Attack(n) for n in range(4)} | {DECLINE: Decline(), ESCAPE: Escape()}


class _Captain(ABC):
    """Decides for one state, and says why."""

    name: str
    unit: Phrase  # what the options' values are measured in

    def __init__(self, game: UssLox) -> None:
        self.game = game

    def decide(self, observation: State, legal: Sequence[Action], rng: Luck = None) -> Decision:
        """The captain's order; the options hold every legal action with its odds and, where known, its value."""
        if not legal:
            raise IllegalActionError(SAY("wrong.nothing", phase=observation.phase))
        order, values = self._weigh(observation, np.random.default_rng(rng))
        action = next(a for a in legal if _kind(a) == order)
        options = tuple(
            Option(a,
                   values.get(_kind(a)),
                   self._facts(observation, a),
                   self._rejection(observation, a, action, values),
                   "")
            for a in sorted(legal, key=lambda a: (a != action, -values.get(_kind(a), 0.0)))
        )
        return Decision(action, self.name, self._reason(observation, action, values), options=options, unit=self.unit)

    def _facts(self, state: State, action: Action) -> tuple[Fact, ...]:
        if isinstance(action, Attack):
            return (Fact(SAY.phrase("captain.fact.chance"), self._chance(state, action.torpedoes)),)
        if isinstance(action, Escape):
            return (Fact(SAY.phrase("captain.fact.left"), state.torpedoes - cards.pips(state.ship)),)
        if isinstance(action, Plan):
            return (Fact(SAY.phrase("captain.fact.torpedoes"), state.torpedoes - action.size),)
        return ()

    def _chance(self, state: State, torpedoes: int) -> Fraction:
        """The exact chance of the shot, given all cards seen."""
        hits, deals = salvoes_by_ship(unseen_by(self.game, state) & ~(1 << state.ship), self.game.options["nob"])
        return Fraction(int(hits[torpedoes, state.ship]), int(deals[torpedoes, state.ship]))

    @abstractmethod
    def _weigh(self, state: State, rng: np.random.Generator) -> tuple[Any, Mapping[Any, float]]:
        """The kind of order given, and what kinds are worth; all squares of the ocean are of the kind `Flip`."""

    @abstractmethod
    def _reason(self, state: State, action: Action, values: Mapping[Any, float]) -> Phrase: ...

    @abstractmethod
    def _rejection(self, state: State, action: Action, chosen: Action, values: Mapping[Any, float]) -> Text: ...


class Greedy(_Captain):
    """Fires as soon as the odds are good enough: see `policy.GreedyPolicy`. ``threshold``: the chance to sink that is
    good enough, 0 to 1. ``counting``: whether the chances it goes by are those of the cards really unseen, or those of
    a fresh pack. OptionError if the threshold is no chance."""

    name = "greedy"

    def __init__(self, game: UssLox, threshold: float = 0.6, counting: bool = False) -> None:
        super().__init__(game)
        self.policy: GreedyPolicy = GreedyPolicy(game, threshold, counting)
        self.unit = SAY.phrase("captain.unit.chance" if self.policy.counts else "captain.unit.fresh")

    def _weigh(self, state: State, rng: np.random.Generator) -> tuple[Any, Mapping[Any, float]]:
        boats, policy, phase = Boats.of(self.game, state), self.policy, state.phase
        if phase is Phase.PLAN:
            return Plan(int(policy.plan(boats, _LANE, rng)[0])), {}
        if phase is Phase.QUEEN:
            return Chase() if policy.chase(boats, _LANE, rng)[0] else Decline(), {}
        if phase is Phase.DEBRIEF and not policy.sail_on(boats, _LANE, rng)[0]:
            return Return(), {}
        if phase not in (Phase.TARGET, Phase.ESCORT):
            return Flip, {}
        order = (policy.target if phase is Phase.TARGET else policy.escort)(boats, _LANE, rng)
        chances = enumerate(policy.odds(boats, _LANE)[:, 0])
        return _ORDERS[int(order[0])], {Attack(n): float(chance) for n, chance in chances}

    def _reason(self, state: State, action: Action, values: Mapping[Any, float]) -> Phrase:
        threshold, pack = self.policy.threshold, "" if self.policy.counts else ".fresh"
        if isinstance(action, Attack):
            if cards.by_gun(state.ship, action.torpedoes):
                return SAY.phrase("captain.gun")
            key = "least" if values[action] >= threshold else "cornered"
            return SAY.phrase(f"captain.{key}{pack}", threshold=threshold, chance=values[action])
        if isinstance(action, Escape):
            return SAY.phrase(f"captain.pay{pack}", threshold=threshold)
        if isinstance(action, Decline) and state.phase is Phase.TARGET:
            return SAY.phrase(f"captain.poor{pack}", threshold=threshold)
        if isinstance(action, Plan):
            return SAY.phrase("captain.plan")
        return SAY.phrase("captain.wary" if isinstance(action, (Return, Decline)) else "captain.hope")

    def _rejection(self, state: State, action: Action, chosen: Action, values: Mapping[Any, float]) -> Text:
        if action == chosen:
            return ""
        if type(action) is type(chosen) is Flip:
            return SAY.phrase("captain.alike")
        if isinstance(action, Attack):
            if values[action] < self.policy.threshold:
                return SAY.phrase("captain.poorer")
            like = isinstance(chosen, Escape) and action.torpedoes == cards.pips(state.ship)
            return SAY.phrase("captain.unsure" if like else "captain.more")
        return SAY.phrase("captain.other")


class Optimal(_Captain):
    """Dynamic programming with the cards really unseen put in: see `optimal.OptimalPolicy`.

    ``objective``: "tonnage", or "home:20000" or ("home", 20000): the chance of coming home with at least that tonnage.
    ``loss_weight``: with "tonnage": what a ton counts when the boat is lost, 0 to 1; left out, as the game's goal has
    it. OptionError if there is no such
    objective or the weight is out of range.
    """

    name = "optimal"

    def __init__(self, game: UssLox, objective: Any = "tonnage", loss_weight: float | None = None) -> None:
        super().__init__(game)
        if loss_weight is None:  # what the captain at the screen plays for
            loss_weight = game.loss_weight if objective == "tonnage" else 1.0
        self.policy: OptimalPolicy = OptimalPolicy(game, objective, loss_weight)
        self.unit = self.policy.aim.unit
        self._last: tuple[State, Worth] | None = None

    def _at(self, state: State) -> Worth:
        if self._last is None or self._last[0] != state:
            self._last = state, self.policy.at(state)
        return self._last[1]

    def _weigh(self, state: State, rng: np.random.Generator) -> tuple[Any, Mapping[Any, float]]:
        worth, phase = self._at(state), state.phase
        scale = 1000 if self.policy.aim.home_tons is None else 1
        kinds: Mapping[Any, Any]
        if phase is Phase.PLAN:
            kinds = {size: Plan(size) for size in worth.orders}
        elif phase in (Phase.TARGET, Phase.ESCORT):
            kinds = _ORDERS
        else:
            kinds = {True: Chase(), False: Decline()} if phase is Phase.QUEEN else {True: Flip, False: Return()}
        return kinds[worth.best], {kinds[order]: scale * value for order, value in worth.orders.items()}

    def _reason(self, state: State, action: Action, values: Mapping[Any, float]) -> Phrase:
        others = {order: value for order, value in values.items() if order != _kind(action)}
        sure = "captain.exactly" if self._at(state).exact else "captain.about"
        worth = SAY.phrase(sure, worth=self._say(values[_kind(action)]))
        goal = ".home" if self.policy.aim == Aim(None, 0.0) else ""
        if not others:
            return SAY.phrase(f"captain.expects{goal}", worth=worth)
        second = max(others, key=lambda order: others[order])
        return SAY.phrase(f"captain.expects.next{goal}", worth=worth, order=button(state, second),
                          other=self._say(others[second]))

    def _rejection(self, state: State, action: Action, chosen: Action, values: Mapping[Any, float]) -> Text:
        if action == chosen:
            return ""
        if type(action) is type(chosen) is Flip:
            return SAY.phrase("captain.alike")
        return SAY.phrase("captain.worth", worth=self._say(values[_kind(action)]))

    def _say(self, value: float) -> Phrase:
        if self.policy.aim.home_tons is None:
            return SAY.phrase("captain.tons", value=value)
        return SAY.phrase("captain.home", value=value, tons=self.policy.aim.home_tons)


def button(state: State, order: Any) -> Text:
    """An order, or `Flip` for any square, in the words of its button."""
    if isinstance(order, Attack):
        return SAY.phrase("order.gun" if cards.by_gun(state.ship, order.torpedoes) else "order.fire", n=order.torpedoes)
    if isinstance(order, Decline):
        return SAY.phrase("order.decline" if state.phase is Phase.TARGET else "order.leave")
    words = {Escape: "order.escape", Chase: "order.chase", Return: "order.return"}
    if type(order) in words:
        return SAY.phrase(words[type(order)])
    match order:
        case Plan(size=size):
            return str(size)
        case Flip(square=square):
            return square
    return SAY.phrase("order.on")


def _kind(action: Action) -> Any:
    return Flip if type(action) is Flip else action


CAPTAINS = captains("navalkit.games.uss_lox", "data/captains.toml")
BOTS: Mapping[str, Callable[..., Any]] = with_captains({"greedy": Greedy, "optimal": Optimal}, CAPTAINS)
"""The game's own machine players, the named captains among them: name -> maker(game, **options)."""
