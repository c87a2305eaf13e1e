"""The machine players of Fleet Action, with their reasons. They see an `Observation` and nothing else.

* `Gunnery` sends each ship to where her guns do most to the enemies as they lie now, and shares out the fire of all by
  what it does to them. It looks no further.
* `Admiral` weighs every place of every ship: the worth of the fire dealt and taken there when the enemy has answered,
  what the range promises for later moves, what the scenario asks of the ship, mines, and the order of her division.
  Of enemies he does not see he believes where they have gone since he knew them (`belief`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from navalkit.core.awaited import Steps
from navalkit.core.errors import IllegalActionError
from navalkit.core.player import Luck
from navalkit.core.trace import Decision, Fact, Finding, Mark, Option
from navalkit.players.captains import captains, with_captains

from ..state import SIDES, Action, Done, Move, Phase, Turret
from ..state.observation import Observation
from ..words import HOME
from . import reasons
from .fire import Plan, share_out
from .gunner import Berth, berth_at, berths
from .orders import weigh, worth
from .say import FIGURES, SAY
from .sea import Sea

if TYPE_CHECKING:
    from ..game import FleetAction


class _Captain(ABC):
    """What both players share: how they fire, and which turrets they give up."""

    name: str
    unit = "points"

    def __init__(self, game: FleetAction, figures: Mapping[str, float] | None = None) -> None:
        self.game = game
        self.figures = {**FIGURES, **(figures or {})}

    def decide(self, observation: Observation, legal: Sequence[Action], rng: Luck = None) -> Decision:
        """The order it gives next, with its reasons; nothing is drawn."""
        phase = observation.view.phase
        if not legal or observation.view.side != observation.me:
            raise IllegalActionError(SAY("out_of_turn", side=SIDES[observation.me], phase=phase))
        if len(legal) == 1:
            return Decision(legal[0], self.name, SAY("why.only"), options=(Option(legal[0]),), unit=self.unit)
        sea = Sea(observation, self.figures)
        if phase is Phase.MOVE:
            return self._move(sea, legal)
        return self._fire(sea, legal) if phase is Phase.FIRE else self._turret(sea, legal)

    def weigh(
        self, observation: Observation, legal: Sequence[Action], actions: Sequence[Action]
    ) -> Steps[Sequence[Option]]:
        """What orders are worth that the decision does not tell of, one a step."""
        sea, phase, found = Sea(observation, self.figures), observation.view.phase, list[Option]()
        turrets = self._turret(sea, legal).options if phase is Phase.TURRETS and len(legal) > 1 else ()
        for action in actions:
            yield len(found) / len(actions)
            if phase is Phase.MOVE:
                found.append(self._worth(sea, legal, action))
            elif phase is Phase.FIRE:
                found.append(reasons.aim_option(sea.battle, sea.view, action))
            else:
                found.append(next((option for option in turrets if option.action == action), Option(action)))
        return found

    @abstractmethod
    def _worth(self, sea: Sea, legal: Sequence[Action], action: Action) -> Option: ...

    @abstractmethod
    def _move(self, sea: Sea, legal: Sequence[Action]) -> Decision: ...

    @abstractmethod
    def _plan(self, sea: Sea) -> Plan: ...

    def _fire(self, sea: Sea, legal: Sequence[Action]) -> Decision:
        plan = self._plan(sea)
        action: Action = plan.orders[0] if plan.orders else Done()
        options = reasons.fire_options(sea.battle, sea.view, legal, plan, action)
        reason, findings = reasons.why_fire(sea, plan), reasons.of_fire(sea, plan)
        return Decision(action, self.name, reason, findings, options, SAY("unit.damage"))

    def _turret(self, sea: Sea, legal: Sequence[Action]) -> Decision:
        losses = reasons.turret_losses(sea, [action for action in legal if isinstance(action, Turret)])
        lost, _, action, foe = losses[0]
        question, verdict = SAY("turret.ask", ship=action.ship), SAY("turret", lost=reasons.points(lost), foe=foe)
        options = tuple(
            Option(a, -cost, (Fact(SAY("fact.damage"), reasons.points(cost)),), SAY("not.turret") * (a != action))
            for cost, _, a, _ in losses
        )
        reason = SAY("why.turret", n=action.mount, ship=action.ship)
        return Decision(action, self.name, reason, (Finding("F20", question, verdict),), options, SAY("unit.damage"))


class Gunnery(_Captain):
    """Brings the most guns to bear and fires them where they do most: see `ai_gunner` and `ai_fire`."""

    name = "gunnery"

    def __init__(self, game: FleetAction, figures: Mapping[str, float] | None = None) -> None:
        super().__init__(game, {"belief": 0.0, **(figures or {})})

    def _move(self, sea: Sea, legal: Sequence[Action]) -> Decision:
        found = berths(sea, legal)
        if not found:
            return Decision(Done(), self.name, SAY("why.stay"), options=(Option(Done()),), unit=SAY("unit.damage"))
        best = found[0]
        options = tuple(
            Option(b.action, b.guns, (self._fact(sea, b),), "" if b is best else SAY("not.later")) for b in found
        )
        return Decision(best.action, self.name, self._why(sea, best), options=options, unit=SAY("unit.damage"))

    def _worth(self, sea: Sea, legal: Sequence[Action], action: Action) -> Option:
        """For a move of a ship the guns that would bear; it does nothing else."""
        if not (isinstance(action, Move) and action.who in sea.battle.numbers):
            return Option(action, None, (), SAY("not.guns"))
        found = berth_at(sea, action)
        return Option(action, found.guns, (self._fact(sea, found),), SAY("not.less"))

    def _why(self, sea: Sea, berth: Berth) -> str:
        if berth.foe is None:
            return SAY("why.task", who=berth.action.who)
        if not berth.guns:
            return SAY("why.approach", who=berth.action.who)
        foe = reasons.foe_name(sea, berth.foe)
        return SAY("why.close", who=berth.action.who, guns=reasons.points(berth.guns), foe=foe)

    def _fact(self, sea: Sea, berth: Berth) -> Fact:
        marks = [Mark("cell", (berth.action.square,))]
        if berth.foe is not None:
            marks.append(Mark("line", (berth.action.square, sea.battle.grid.names[berth.foe.square])))
        return Fact(SAY("fact.damage"), reasons.points(berth.guns), tuple(marks))

    def _plan(self, sea: Sea) -> Plan:
        return share_out(sea.battle, sea.view)


class Admiral(_Captain):
    """Weighs every place, the enemy's answer and the scenario's aims: see `ai_move`, `ai_approach` and `ai_tasks`."""

    name = "admiral"

    def _move(self, sea: Sea, legal: Sequence[Action]) -> Decision:
        weighed, known = weigh(sea, legal), (reasons.standing(sea), *reasons.believed(sea))
        if not weighed or weighed[0].gain <= 0:
            options = (Option(Done(), 0.0), *reasons.move_options(sea, weighed, None))
            return Decision(Done(), self.name, SAY("why.stay"), known, options, self.unit)
        best = weighed[0]
        key = "together" if len(best.places) > 1 else best.key
        reason = SAY(f"why.{key}", who=best.who, gain=reasons.points(best.gain))
        findings = (*known, *reasons.of_moves(sea, best))
        options = reasons.move_options(sea, weighed, best)
        return Decision(best.action, self.name, reason, findings, options, self.unit)

    def _worth(self, sea: Sea, legal: Sequence[Action], action: Action) -> Option:
        return reasons.worth_option(sea, action, worth(sea, legal, action))

    def _plan(self, sea: Sea) -> Plan:
        values = dict(enumerate(sea.stakes.value))
        last = sea.view.move >= sea.battle.moves
        price = 0.0 if last else self.figures["torpedo_price"] * self._broadside(sea)
        return share_out(sea.battle, sea.view, worth=values, torpedo_price=price)

    def _broadside(self, sea: Sea) -> float:
        """What a torpedo set may hope to do to an enemy of middling worth: half of her."""
        worths = [sea.stakes.value[n] for foe in sea.foes for n in foe.ships]
        return float(np.mean(worths)) / 2 if worths else 0.0


CAPTAINS = captains(HOME, "data/captains.toml")
BOTS: Mapping[str, Callable[..., Any]] = with_captains({"gunnery": Gunnery, "admiral": Admiral}, CAPTAINS)
"""The game's own machine players, the named captains among them: name -> maker(game, **options)."""
