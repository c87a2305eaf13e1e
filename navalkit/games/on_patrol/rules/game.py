"""The rules of On Patrol: who may do what, and what comes of it. Rule ids are those of RULES.md."""

from __future__ import annotations
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any, ClassVar

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError, IllegalActionError, NotationError, OptionError
from navalkit.core.game import CHANCE, TERMINAL, Draw, Game, OptionSpec, Outcome, Transition, read_options
from navalkit.core.words import Event
from navalkit.grids.hex import DIRECTIONS, Hex
from navalkit.grids.hex_moves import why_not_path
from ..combat.damage import STEP, Resolution, as_escorts_see, damage_points, limits, sees
from ..combat.rolls import HANDLERS
from ..combat.torpedoes import LAUNCH_DEPTH, launch, why_not_launch
from ..data import read
from ..escort import prolonged
from ..escort.automaton import EscortDecision, decide
from ..escort.pattern import ONE_TON, Step, next_to_move, sight, torpedoes_appear
from ..sea.scenario import DEPTHS, begin, names, scenario
from ..sea.state import (
    CAPTAIN,
    ESCORTS,
    Boat,
    EscortMove,
    Latest,
    Order,
    Phase,
    Roll,
    Score,
    Shot,
    State,
    Task,
    replace,
)
from ..sea.tables import FLEET_DIE, SAY, TABLES, WHY, Scenario, Sea, may_flee, move_fleet
from . import sequence
from .sequence import Action, boat_moved, next_boat, on_turn, proceed, start

# -- What a captain may order a boat (104.1.1): how far she goes, how deep, and what she fires -----

DIVE = 50  # feet a boat's depth may change by in a turn
LISTED_TURNS = 1
LISTED_SALVOES = (1, 2, 4)


def top_speed(boat: Boat, depth: int) -> int:
    """Hexes a boat may enter in a turn at whose end she is at ``depth``: she is fast only if she stays surfaced."""
    limit = limits(boat)
    return limit.surfaced if boat.depth == depth == 0 else limit.submerged


def carried_out(boat: Boat, order: Order) -> Boat:
    """The boat after her move, before she fires."""
    path = order.path(boat.place)
    depth = boat.depth if order.depth is None else order.depth
    return replace(boat, place=path[-1] if path else boat.place, depth=depth, speed=len(path))


def why_not_order(state: State, order: Order, sea: Sea) -> str | None:
    """What is wrong with an order to the boat it names, in one sentence; None if she may carry it out. The one
    verifier: whether it is her turn is for the rules to say, all else is asked here."""
    boat = state.boat(order.boat)
    reason = _why_not_evade(order) if state.phase is Phase.END else None
    reason = reason or _why_not_dive(boat, order) or _why_not_move(state, boat, order)
    if reason or not order.shots:
        return reason
    after = carried_out(boat, order)
    return _why_not_fire(after, order.shots, sea) or _why_no_target(state, boat, after, sea)


def _why_not_dive(boat: Boat, order: Order) -> str | None:
    depth = boat.depth if order.depth is None else order.depth
    if depth not in DEPTHS:
        return WHY("orders.cannot_go_ft", boat=boat.id, depth=depth, deepest=DEPTHS[-1], by_feet=STEP)
    if abs(depth - boat.depth) > DIVE:
        return WHY("orders.too_far", boat=boat.id, at=boat.depth, most=DIVE, depth=depth)
    return None


def _why_not_move(state: State, boat: Boat, order: Order) -> str | None:
    after = carried_out(boat, order)
    most = top_speed(boat, after.depth)
    if any(turn not in (-1, 0, 1) for turn in order.turns):
        return WHY("orders.turns_degrees_most", boat=boat.id)
    if len(order.turns) > most:
        where = WHY("orders.on_surface") if boat.depth == after.depth == 0 else WHY("orders.under_water")
        return WHY("orders.makes_hexes_turn", boat=boat.id, most=most, where=where, turns=len(order.turns))
    path = order.path(boat.place)
    if boat.depth == after.depth == 0 and (reason := why_not_path(boat.place, path, taken=_taken(state, boat, 0))):
        return reason
    taken = sorted(_taken(state, boat, after.depth).intersection(after.place.hexes))
    return WHY("orders.cannot_on_ft", boat=boat.id, taken=taken[0], depth=after.depth) if taken else None


def _taken(state: State, boat: Boat, depth: int) -> set[Hex]:
    """Hexes taken at a depth: by other boats there, and on the surface by ships."""
    others = {h for b in state.boats if b.active and b.id != boat.id and b.depth == depth for h in b.place.hexes}
    return others | {h for v in state.vessels for h in v.place.hexes} if depth == 0 else others


def _why_not_fire(after: Boat, shots: tuple[Shot, ...], sea: Sea) -> str | None:
    wrong = next((shot.direction for shot in shots if shot.direction not in DIRECTIONS), None)
    if wrong is not None:
        return WHY("orders.cannot_fire_on", after=after.id, wrong=wrong)
    if sea.edges.outside(after.place.bow):
        return WHY("orders.leaves_map_cannot", after=after.id, bow=after.place.bow)
    return why_not_launch(after, shots)


def _why_no_target(state: State, boat: Boat, after: Boat, sea: Sea) -> str | None:
    if any(sees(state, at, vessel, sea) for at in (boat, after) for vessel in state.vessels if not vessel.sunk):
        return None
    return WHY("orders.has_no_ship", boat=boat.id)


def orders(state: State, boat: Boat, sea: Sea) -> tuple[Order, ...]:
    """Orders to choose from, a few hundred at most: every way with one turn at most at every depth she may
    go to, and one salvo of 1, 2 or 4 on any course, going one hex ahead. ``why_not_order`` takes all others too."""
    low, high = max(0, boat.depth - DIVE), min(DEPTHS[-1], boat.depth + DIVE)
    depths = range(low, high + 1, STEP)
    ways = (Order(boat.id, turns, depth) for depth in depths for turns in _ways(top_speed(boat, depth)))
    moves = [order for order in ways if why_not_order(state, order, sea) is None]
    salvoes = []
    for order in moves if low <= LAUNCH_DEPTH and state.phase is not Phase.END else ():
        if order.turns == (0,):  # whether a ship is in sight does not hang on the salvo, and takes longest to say
            after = carried_out(boat, order)
            fit = [shot for shot in _SHOTS if _why_not_fire(after, (shot,), sea) is None]
            if fit and _why_no_target(state, boat, after, sea) is None:
                salvoes += [order._replace(shots=(shot,)) for shot in fit]
    return (*moves, *salvoes)


_SHOTS = tuple(Shot(number, direction) for number in LISTED_SALVOES for direction in DIRECTIONS)


@lru_cache(maxsize=16)
def _ways(most: int) -> tuple[tuple[int, ...], ...]:
    """All ways of up to ``most`` hexes that make one turn at most, straight on first."""

    def ways() -> Iterator[tuple[int, ...]]:
        for n in range(most + 1):
            yield from (way for way in product((0, -1, 1), repeat=n) if sum(map(abs, way)) <= LISTED_TURNS)

    return tuple(ways())


def carry_out(state: State, order: Order, sea: Sea) -> Step:
    """The sea after an order that ``why_not_order`` has nothing against, with the rows of 104.1.3 for phase 8."""
    way = order.path(state.boat(order.boat).place)
    boat = carried_out(state.boat(order.boat), order)
    if sea.edges.outside(boat.place.bow):
        state = state.with_boat(replace(boat, away=state.turn)).without_marker(boat.id)
        if sea.away:
            state = replace(state, points=(*state.points, Score("away", boat.id, sea.away)))
        return Step(state, (SAY.event("W2", "away", boat=boat.id, place=boat.place),))
    moved = SAY.event("104.1.1", "moves", boat=boat.id, place=boat.place, depth=boat.depth, way=way)
    events: tuple[Event, ...] = (moved,)
    state = state.with_boat(boat)
    if order.shots:
        fired = launch(state, boat.id, order.shots)
        state, events = fired.state, (*events, *fired.events)
        if may_flee(state) and not state.fleet.emergency:
            events = (*events, SAY.event("104.4.2", "alarm"))
        state = replace(state, fleet=state.fleet._replace(emergency=True))
    seen = sight(state, sea)
    state, events = seen.state, (*events, *seen.events)
    if order.shots:
        marked = torpedoes_appear(state, boat.id)
        state, events = marked.state, (*events, *marked.events)
    return Step(state, events)


# -- Points and victory (W1): ships sunk against boats lost or damaged -----------------------------

def parts(state: State) -> dict[str, int]:
    """What the captain's points are made of: those for ships "sunk", for boats "away", for boats "lost", and for
    "damage" to the others; the last two are negative, or 0."""
    found = dict.fromkeys(("sunk", "away", "lost"), 0)
    for score in state.points:
        found[score.kind] += score.value
    return {**found, "damage": -sum(map(damage_points, state.boats))}


def points(state: State) -> int:
    """The captain's points so far."""
    return sum(parts(state).values())


def result(state: State, sea: Sea) -> str:
    """ "win" with the points the scenario asks for and a boat afloat, "draw" with a boat afloat and no points lost,
    otherwise "loss"."""
    if all(boat.sunk for boat in state.boats) or points(state) < 0:
        return "loss"
    return "win" if points(state) >= sea.points else "draw"


def outcome(state: State, sea: Sea) -> Outcome:
    """How a game that is over ended."""
    total, how = points(state), result(state, sea)
    ships = [score.of for score in state.points if score.kind == "sunk"]
    boats = [boat.id for boat in state.boats if boat.sunk]
    away = sum(boat.away > 0 for boat in state.boats)
    lost = WHY("victory.boats_lost", ids=", ".join(boats)) if boats else WHY("victory.no_boat_lost")
    if less := -parts(state)["damage"]:
        lost = WHY("victory.damage", lost=lost, points=less)
    sunk = WHY("victory.ships_sunk", ids=", ".join(ships)) if ships else WHY("victory.no_ship_sunk")
    text = SAY(f"result.{how}", points=total, goal=sea.points, sunk=sunk, lost=lost)
    facts = {
        "points": total, "ships_sunk": len(ships), "boats_lost": len(boats), "boats_away": away,
        "boats_found": len(state.found), "turns": state.turn
    }
    return Outcome((float(total), float(-total)), how, text, facts)


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


class OnPatrol(Game[State, Action, State]):
    """On Patrol: a submarine on a hex sea against escorts that hunt by rule."""

    name = "on-patrol"
    title = "On Patrol"
    blurb = WHY.phrase("game.submarine_against_convoy")
    players: ClassVar[tuple[str, ...]] = ("captain", "escorts")
    automatic: ClassVar[frozenset[int]] = frozenset({ESCORTS})
    specs: ClassVar[tuple[OptionSpec, ...]] = read_options(
        read("options.toml")["option"],
        scenario={"read": _named, "choices": names(), "form": WHY("game.one_scenario_toml", listed=", ".join(names()))},
    )

    def __init__(self, /, **options: Any) -> None:
        super().__init__(**options)
        self.scenario: Scenario = scenario(self.options["scenario"])
        """What is played."""
        self.sea: Sea = self.scenario.sea(self.options["package"])
        """What stays the same through the game."""

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
        return orders(state, state.boat(boat), self.sea)

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
        return why_not_order(state, action, self.sea)

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
        return outcome(state, self.sea) if self.turn(state) == TERMINAL else None

    def parse_action(self, text: str) -> Action:
        return sequence.parse_action(text)

    def parse_state(self, text: str) -> State:
        state = sequence.parse_state(text)
        if (state.package, state.year) != (self.sea.package, self.sea.year):
            raise NotationError(
                WHY("game.state_played_with",
                    package=state.package, year=state.year, package2=self.sea.package, year2=self.sea.year)
            )
        if not state.over and on_turn(state) is None:
            raise NotationError(WHY("game.state_does_not", phase=state.phase))
        return state

    def format_state(self, state: State) -> str:
        return sequence.format_state(state)

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
            replace(state.with_vessel(moved), charges=(*state.charges, *action.charges),
                    moved=(*state.moved, action.escort, *(task.target for task in rammed)), todo=rammed),
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
