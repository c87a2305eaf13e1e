"""The rules of On Patrol: who may do what, and what comes of it. Rule ids are those of RULES.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from navalkit.core.errors import DataError, IllegalActionError, NotationError, OptionError
from navalkit.core.event import Event
from navalkit.core.game import CHANCE, TERMINAL, Draw, Game, Outcome, Transition
from navalkit.core.luck.dist import Dist
from navalkit.core.options import OptionSpec, read_options

from ..combat.handlers import Resolution
from ..combat.rolls import HANDLERS
from ..combat.sight import as_escorts_see
from ..data import read
from ..escort import prolonged
from ..escort.automaton import EscortDecision, decide
from ..escort.markers import Step
from ..escort.pattern import ONE_TON
from ..escort.precedence import next_to_move
from ..sea.actions import EscortMove, Order, Roll
from ..sea.fleet import move_fleet
from ..sea.say import SAY, WHY
from ..sea.scenario import names, scenario
from ..sea.setting import Scenario, Sea
from ..sea.start import begin
from ..sea.state import CAPTAIN, ESCORTS, Phase, State, Task
from ..sea.swift import Latest, replace
from ..sea.tables import FLEET_DIE, TABLES
from . import notation, victory
from .notation import Action
from .orders import carry_out, orders, why_not_order
from .sequence import boat_moved, next_boat, on_turn, proceed, start


@Latest
def _settled(state: State) -> EscortDecision:
    """What the escort does that is to move now."""
    ship = next_to_move(state)
    assert ship is not None, "the escorts are on turn"
    return decide(state, ship, trace=False)


DICE = ("formation", "fleet")  # kinds of task that are one die


def _named(text: str) -> str:
    """A scenario option in its standard form: a built-in name, or TOML text that is a scenario."""
    text = text.strip()
    try:
        scenario(text)
    except DataError as error:
        raise OptionError(str(error)) from None
    return text


class OnPatrol(Game[State, Action]):
    """On Patrol: a submarine on a hex sea against escorts that hunt by rule."""

    name = "on-patrol"
    title = "On Patrol"
    blurb = WHY("game.submarine_against_convoy")
    players: ClassVar[tuple[str, ...]] = ("captain", "escorts")
    automatic: ClassVar[frozenset[int]] = frozenset({ESCORTS})
    specs: ClassVar[tuple[OptionSpec, ...]] = read_options(
        read("options.toml")["option"],
        scenario={
            "read": _named, "choices": names(), "form": WHY("game.one_scenario_toml", listed=", ".join(names())),
        },
    )  # fmt: skip

    def __init__(self, /, **options: Any) -> None:
        super().__init__(**options)
        self.scenario: Scenario = scenario(self.options["scenario"])
        """What is played."""
        self.sea: Sea = self.scenario.sea(self.options["package"])
        """What stays the same through the game."""

    # The protocol ------------------------------------------------------------------------------------------------

    def initial(self) -> State:
        state = begin(self.scenario, self.sea.package, None, self.options["base_course"])
        return start(state, self.sea).state if state.vessels else state

    def turn(self, state: State) -> int:
        who = None if state.over else on_turn(state)
        return TERMINAL if who is None else who

    def legal(self, state: State) -> tuple[Action, ...]:
        who = self.turn(state)
        if who == ESCORTS:
            return (self.prescribed(state),)
        boat = next_boat(state) if who == CAPTAIN else None
        if boat is None:
            return ()
        listed = orders(state, state.boat(boat), self.sea)
        if state.phase is Phase.END:
            return tuple(order for order in listed if _why_not_evade(order) is None)
        return listed

    def prescribed(self, state: State) -> EscortMove:
        """The one move of the escort that is to move now (105.4.7)."""
        if state.phase is Phase.END:
            return prolonged.run(state)
        move: EscortMove = _settled(state).action
        return move

    def why_not(self, state: State, action: Action) -> str | None:
        who = self.turn(state)
        if who == TERMINAL:
            return WHY("game.game_over")
        if who == CHANCE:
            return self._why_not_roll(state, action)
        if who == ESCORTS:
            move = self.prescribed(state)
            same = isinstance(action, EscortMove) and action == move
            return None if same else WHY("game.escorts_rules_prescribe", move=move)
        boat = next_boat(state)
        if not isinstance(action, Order) or action.boat != boat:
            return WHY("game.captain_turn_give", boat=boat)
        return (_why_not_evade(action) if state.phase is Phase.END else None) or why_not_order(state, action, self.sea)

    def chance(self, state: State) -> Draw:
        task = state.todo[0]
        odds = self.odds(state, task)
        return Draw(odds.map(lambda result: Roll(task, result)), slot=f"turn {state.turn} {task}")

    def odds(self, state: State, task: Task) -> Dist[Any]:
        """The results of a task, as words or numbers, with their chances."""
        return Dist.uniform(FLEET_DIE) if task.kind in DICE else HANDLERS[task.kind].odds(state, task, self.sea)

    def apply(self, state: State, action: Action) -> Transition[State]:
        if reason := self.why_not(state, action):
            raise IllegalActionError(reason)
        done = self._APPLY[type(action)](self, state, action)
        after = proceed(done.state, self.sea)
        return Transition(after.state, done.events + after.events)

    def observe(self, state: State, player: int) -> State:
        """The captain moves all and sees all (100); the escorts know what ``as_escorts_see`` leaves."""
        return as_escorts_see(state, self.sea) if player == ESCORTS else state

    def outcome(self, state: State) -> Outcome | None:
        return victory.outcome(state, self.sea) if self.turn(state) == TERMINAL else None

    # Notation and players ----------------------------------------------------------------------------------------

    def parse_action(self, text: str) -> Action:
        return notation.parse_action(text)

    def parse_state(self, text: str) -> State:
        state = notation.parse_state(text)
        if (state.package, state.year) != (self.sea.package, self.sea.year):
            raise NotationError(
                WHY(
                    "game.state_played_with",
                    package=state.package, year=state.year, package2=self.sea.package, year2=self.sea.year,
                )  # fmt: skip
            )
        if not state.over and on_turn(state) is None:
            raise NotationError(WHY("game.state_does_not", phase=state.phase))
        return state

    def format_state(self, state: State) -> str:
        return notation.format_state(state)

    # What actions do ---------------------------------------------------------------------------------------------

    def _why_not_roll(self, state: State, action: Action) -> str | None:
        task = state.todo[0]
        if not isinstance(action, Roll) or action.task != task:
            return WHY("game.roll_due", task=task)
        if action.result in self.odds(state, task):
            return None
        return WHY("game.no_result", result=action.result, task=task)

    def _roll(self, state: State, action: Roll) -> Step:
        task, result = action
        rest = replace(state, todo=state.todo[1:])
        done = self._resolved(rest, task, result)
        step = Step(replace(done.state, todo=(*done.tasks, *done.state.todo)), done.events)
        if state.phase is Phase.END and task.kind in ("sonar", "radar"):
            searched = prolonged.searched(step.state)
            return Step(searched.state, step.events + searched.events)
        return step

    def _resolved(self, state: State, task: Task, result: Any) -> Resolution:
        if task.kind == "formation":
            begun = start(begin(self.scenario, self.sea.package, result, self.options["base_course"]), self.sea)
            return Resolution(begun.state, (), (SAY.event("103.1.2", "formation", die=result), *begun.events))
        if task.kind == "fleet":
            moved, events, rams = move_fleet(state, result)
            return Resolution(moved, rams, events)
        return HANDLERS[task.kind].resolve(state, task, result, self.sea)

    def _escort_move(self, state: State, action: EscortMove) -> Step:
        ship = state.vessel(action.escort)
        place = action.path[-1] if action.path else ship.place
        one_ton = sum(charge.weapon == ONE_TON for charge in action.charges)
        moved = replace(ship, place=place, charges=ship.charges - one_ton)
        events = self._tell(state, action)
        if state.phase is Phase.END:
            state = replace(state.with_vessel(moved), charges=action.charges)
            ran = prolonged.ran(state, self.sea)
            return Step(ran.state, events + ran.events)
        hunt = _settled(state).hunt
        moved = replace(moved, speed=len(action.path), hunt=hunt)
        rammed = _rammed(state, action)
        return Step(
            replace(
                state.with_vessel(moved),
                charges=(*state.charges, *action.charges),
                moved=(*state.moved, action.escort, *(task.target for task in rammed)),
                todo=rammed,
            ),
            events,
        )

    def _tell(self, state: State, action: EscortMove) -> tuple[Event, ...]:
        marker = state.marker(state.vessel(action.escort).hunt.boat)
        movement = TABLES.actions[marker.kind if marker else None].movement
        rule = "P3" if state.phase is Phase.END else _MOVEMENTS[movement]
        place = action.path[-1] if action.path else state.vessel(action.escort).place
        key = "escort_moves" if action.path else "escort_stays"
        events = (SAY.event(rule, key, escort=action.escort, hexes=len(action.path), place=place, way=action.path),)
        if not action.charges:
            return events
        charges = ", ".join(f"{charge.weapon} on {charge.at}" for charge in action.charges)
        return (*events, SAY.event("105.4.6", "attacks", escort=action.escort, charges=charges, marked=action.charges))

    def _order(self, state: State, action: Order) -> Step:
        done = carry_out(state, action, self.sea)
        if state.phase is not Phase.END:
            return Step(boat_moved(done.state, action.boat), done.events)
        next_run = prolonged.prepare(done.state, self.sea)
        return Step(next_run.state, done.events + next_run.events)

    _APPLY: ClassVar[Mapping[type, Callable[..., Step]]] = {Roll: _roll, EscortMove: _escort_move, Order: _order}


_MOVEMENTS = {"formation": "104.2.3", "radial": "105.3.2", "diameter": "106.2.2"}
"""The rule of each kind of movement."""


def _why_not_evade(order: Order) -> str | None:
    """What is wrong with an order between two runs of the prolonged attack (P3)."""
    if order.shots:
        return WHY("game.cannot_fire_between", boat=order.boat)
    if len(order.turns) > prolonged.EVADE:
        return WHY("game.goes_hexes_most", boat=order.boat, most=prolonged.EVADE)
    return None


def _rammed(state: State, action: EscortMove) -> tuple[Task, ...]:
    """The surfaced boats an escort runs down: one escort alone may ram a boat (108.1.5)."""
    tasks = []
    for boat in state.boats:
        at = next((place.bow for place in action.path if place.bow in boat.place.hexes), None)
        if at is not None and boat.active and boat.depth == 0 and boat.id not in state.moved:
            tasks.append(Task("ram", action.escort, boat.id, at))
    return tuple(tasks)
