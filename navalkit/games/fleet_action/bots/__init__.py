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
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from navalkit.core.awaited import Steps
from navalkit.core.errors import IllegalActionError
from navalkit.core.trace import Decision, Fact, Finding, Luck, Mark, Option
from navalkit.core.words import Text
from navalkit.grids.square import HEADINGS
from navalkit.players.captains import captains, with_captains
from ..cards import HOME
from ..craft import Seek
from ..sight import Observation
from ..state import SIDES, Action, Done, Move, Phase, Turret, weapons
from . import decks, hunt, orders, prowl, wings
from .belief import FAR, FIGURES, SAY, UNREACHED, Array, Plan, gun_power, sailing_distance, share_out
from .orders import weigh, worth
from .sea import UNARMED, Foe, Places, Sea

if TYPE_CHECKING:
    from ..game import FleetAction


# -- How the gunnery player moves: each ship to where her guns do most to an enemy as the enemies lie now

@dataclass(frozen=True, slots=True)
class Berth:
    """Where the gunnery player would send a ship."""

    action: Move
    guns: float  # points of damage a move at the enemy she does most to
    foe: Foe | None  # that enemy, or the nearest if she reaches none; None if none is known or she goes about a task
    better: tuple[float, float]  # what she gains against staying: damage, then nearness to her best range


def berths(sea: Sea, legal: Sequence[object]) -> list[Berth]:
    """For each ship that can move the best place; those that gain nothing are left out. Ships ahead come first."""
    moves: dict[int, list[Move]] = {}
    for action in legal:
        if isinstance(action, Move) and action.who in sea.battle.numbers:
            moves.setdefault(sea.battle.numbers[action.who], []).append(action)
    order = sorted(moves, key=lambda ship: (_nearest(sea, ship), ship))
    return [berth for ship in order if (berth := _berth(sea, ship, moves[ship])) is not None]


def berth_at(sea: Sea, action: Move) -> Berth:
    """A place that a ship may be sent to, whatever it is worth."""
    ship, grid = sea.battle.numbers[action.who], sea.battle.grid
    at = Places(*np.array([(grid.number(action.square), HEADINGS.index(action.heading))]).T)
    guns = [float(_damage(sea, ship, at, foe)[0]) for foe in sea.foes]
    most = max(guns, default=0.0)
    return Berth(action, most, sea.foes[guns.index(most)] if most else None, (0.0, 0.0))


def _nearest(sea: Sea, ship: int) -> int:
    square = sea.view.ships[ship].square
    return min((int(sea.chart.distance[square, foe.square]) for foe in sea.foes), default=0)


def _berth(sea: Sea, ship: int, moves: Sequence[Move]) -> Berth | None:
    own, grid = sea.view.ships[ship], sea.battle.grid
    places = [(own.square, own.heading), *((grid.number(m.square), HEADINGS.index(m.heading)) for m in moves)]
    at = Places(*np.array(places).T)
    guns = np.array([_damage(sea, ship, at, foe) for foe in sea.foes]).reshape(len(sea.foes), len(places)).T
    ranges = [int(w.gun.range) for w in weapons(sea.battle.card(ship)) if w.battery == "main"]
    best_range = max(ranges, default=FAR) - 1
    if (task := _task(sea, ship)) is not None:
        worth = -task[at.squares].astype(float)
        guns = np.zeros_like(guns)
    elif sea.foes and (all(map(sea.under, sea.foes)) or sea.battle.card(ship).deck):
        worth = hunt.stations(sea, ship, at) + decks.places(sea, ship, at)
    elif sea.foes:
        far = np.array([sea.chart.distance[at.squares, foe.square] for foe in sea.foes]).min(axis=0)
        worth = -np.abs(far - best_range).astype(float)
    else:
        return None
    most = guns.max(axis=1, initial=0.0)
    best = min(range(len(places)), key=lambda i: (-most[i], -worth[i], i))
    if best == 0:
        return None
    foe = None
    if task is None:
        near = [-sea.chart.distance[at.squares[best], foe.square] for foe in sea.foes]
        foe = sea.foes[int(np.argmax(guns[best])) if most[best] else int(np.argmax(near))]
    gained = (float(most[best] - most[0]), float(worth[best] - worth[0]))
    return Berth(moves[best - 1], float(most[best]), foe, gained)


def _damage(sea: Sea, ship: int, at: Places, foe: Foe) -> Array:
    """Mean damage of her guns from each place at an enemy where it lies."""
    if sea.under(foe):
        return np.zeros(len(at.squares))
    table = gun_power(sea.battle.card(ship), sea.view.ships[ship].out)
    far = np.minimum(sea.chart.distance[at.squares, foe.square], FAR)
    relative = (sea.chart.bearing[at.squares, foe.square] - at.headings) % 8
    return np.asarray(table[far, relative] * sea.chart.sight(at.squares, sea.masked)[:, foe.square])


def _task(sea: Sea, ship: int) -> Array | None:
    """How far each square is from her exit, for a ship that is to leave and was not built to fight."""
    goals = sea.battle.exits[sea.me]
    unarmed = sea.battle.card(ship).type in UNARMED or not sea.foes
    if not (sea.stakes.exit[ship] and goals and unarmed):
        return None
    return np.minimum(sailing_distance(sea.battle.grid, sea.battle.land, goals), UNREACHED)


class _Captain(ABC):
    """What both players share: how they fire, and which turrets they give up."""

    name: str
    unit: Text = SAY.phrase("unit.points")

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
        if phase is Phase.FLY:
            return wings.fly(sea, legal, self.name)
        if phase is Phase.MOVE:
            if sea.battle.boats:
                if decision := prowl.prowl(sea, legal, self.name):
                    return decision
                legal = [action for action in legal if not prowl.is_boats(sea, action)]
            return self._move(sea, legal)
        if phase is Phase.FIRE and sea.battle.boats and (decision := hunt.seek(sea, legal, self.name)):
            return decision
        return self._fire(sea, legal) if phase is Phase.FIRE else self._turret(sea, legal)

    def weigh(self, observation: Observation, legal: Sequence[Action],
              actions: Sequence[Action]) -> Steps[Sequence[Option]]:
        """What orders are worth that the decision does not tell of, one a step."""
        sea, phase, found = Sea(observation, self.figures), observation.view.phase, list[Option]()
        plan = self._plan(sea) if phase is Phase.FIRE else None
        turrets = self._turret(sea, legal).options if phase is Phase.TURRETS and len(legal) > 1 else ()
        for action in actions:
            yield len(found) / len(actions)
            if phase is Phase.FLY:
                found.append(wings.worth(sea, legal, action))
            elif isinstance(action, Seek):
                found.append(hunt.option(sea, hunt.chance_of(sea, hunt.prey(sea), action), action, SAY("not.search")))
            elif phase is Phase.MOVE and prowl.is_boats(sea, action):
                found.append(prowl.worth(sea, action))
            elif phase is Phase.MOVE:
                found.append(self._worth(sea, legal, action))
            elif plan is not None:
                searches = hunt.seek(sea, legal, self.name) is not None if sea.battle.boats else False
                found.append(orders.aim_option(sea.battle, sea.view, action, plan, searches))
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
        options = orders.fire_options(sea.battle, sea.view, legal, plan, action)
        reason, findings = orders.why_fire(sea, plan, legal), orders.of_fire(sea, plan)
        return Decision(action, self.name, reason, findings, options, SAY("unit.damage"))

    def _turret(self, sea: Sea, legal: Sequence[Action]) -> Decision:
        losses = orders.turret_losses(sea, [action for action in legal if isinstance(action, Turret)])
        lost, _, action, foe = losses[0]
        question, verdict = SAY("turret.ask", ship=action.ship), SAY("turret", lost=orders.points(lost), foe=foe)
        options = tuple(
            Option(a, -cost, (Fact(SAY("fact.damage"), orders.points(cost)),), SAY("not.turret") * (a != action))
            for cost, _, a, _ in losses
        )
        reason = SAY("why.turret", n=action.mount, ship=action.ship)
        return Decision(action, self.name, reason, (Finding("F20", question, verdict),), options, SAY("unit.damage"))


class Gunnery(_Captain):
    """Brings the most guns to bear and fires them where they do most: see `belief`."""

    name = "gunnery"

    def __init__(self, game: FleetAction, figures: Mapping[str, float] | None = None) -> None:
        super().__init__(game, {"belief": 0.0, **(figures or {})})

    def _move(self, sea: Sea, legal: Sequence[Action]) -> Decision:
        found = berths(sea, legal)
        if not found:
            return Decision(Done(), self.name, SAY("why.stay"), options=(Option(Done()),), unit=SAY("unit.damage"))
        best = found[0]
        options = tuple(Option(b.action, b.guns, (self._fact(sea, b),), "" if b is best else SAY("not.later"))
                        for b in found)
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
        foe = orders.foe_name(sea, berth.foe)
        return SAY("why.close", who=berth.action.who, guns=orders.points(berth.guns), foe=foe)

    def _fact(self, sea: Sea, berth: Berth) -> Fact:
        marks = [Mark("cell", (berth.action.square,))]
        if berth.foe is not None:
            marks.append(Mark("line", (berth.action.square, sea.battle.grid.names[berth.foe.square])))
        return Fact(SAY("fact.damage"), orders.points(berth.guns), tuple(marks))

    def _plan(self, sea: Sea) -> Plan:
        return share_out(sea.battle, sea.view)


class Admiral(_Captain):
    """Weighs every place, the enemy's answer and the scenario's aims: see `orders` and `sea`."""

    name = "admiral"

    def _move(self, sea: Sea, legal: Sequence[Action]) -> Decision:
        weighed, known = weigh(sea, legal), (orders.standing(sea), *orders.believed(sea))
        if not weighed or weighed[0].gain <= 0:
            options = (Option(Done(), 0.0), *orders.move_options(sea, weighed, None))
            return Decision(Done(), self.name, SAY("why.stay"), known, options, self.unit)
        best = weighed[0]
        key = "together" if len(best.places) > 1 else best.key
        if best.gain < orders.LEAST and best.places:  # less than would be told
            key += ".little"
        reason = SAY(f"why.{key}", who=best.who, gain=orders.points(best.gain))
        findings = (*known, *orders.of_moves(sea, best))
        options = orders.move_options(sea, weighed, best)
        return Decision(best.action, self.name, reason, findings, options, self.unit)

    def _worth(self, sea: Sea, legal: Sequence[Action], action: Action) -> Option:
        return orders.worth_option(sea, action, worth(sea, legal, action))

    def _plan(self, sea: Sea) -> Plan:
        values = dict(enumerate(sea.stakes.value))
        last = sea.view.move >= sea.battle.moves
        price = 0.0 if last else self.figures["torpedo_price"] * self._broadside(sea)
        if any(sea.battle.card(n).boat for n in sea.own) and not last:
            price = prowl.price(sea)
        return share_out(sea.battle, sea.view, worth=values, torpedo_price=price)

    def _broadside(self, sea: Sea) -> float:
        """What a torpedo set may hope to do to an enemy of middling worth: half of her."""
        worths = [sea.stakes.value[n] for foe in sea.foes for n in foe.ships]
        return float(np.mean(worths)) / 2 if worths else 0.0


CAPTAINS = captains(HOME, "data/captains.toml")
BOTS: Mapping[str, Callable[..., Any]] = with_captains({"gunnery": Gunnery, "admiral": Admiral}, CAPTAINS)
"""The game's own machine players, the named captains among them: name -> maker(game, **options)."""
