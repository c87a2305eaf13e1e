"""The order of play (rule F2a): what an action does, and what comes after it."""

from __future__ import annotations
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from navalkit.core.words import Event
from navalkit.grids.square import SquareGrid, step_cost
from .. import sight
from ..cards import SAY, points as card_points, quarters
from ..craft import (
    DEPTHS,
    Attack,
    Bombs,
    Charges,
    Contact,
    CrashDive,
    Down,
    Flak,
    Fly,
    Land,
    Launch,
    Load,
    Patrol,
    Periscope,
    Place,
    Range,
    Seek,
)
from ..state import (
    OFF,
    SIDES,
    Action,
    Done,
    Enter,
    Fate,
    First,
    Guns,
    Hits,
    Hold,
    Lay,
    Leave,
    Mine,
    Move,
    Objective,
    Phase,
    Reload,
    Scenario,
    State,
    Step,
    Sweep,
    Task,
    Torpedoes,
    Turret,
    Weather,
    with_ship,
)
from . import boats, firing, flying, hunting, mines, raiding, sailing

# -- Islands, points and victory (rules F35 to F37) ------------------------------------------------

DRAW = "draw"
Spot = tuple[int, int]
"""A square, and a heading there."""


def capture(battle: Scenario, state: State) -> Step:
    """Who lies next to an island at the end of a move, and who has held on for two (rule F35)."""
    events: list[Event] = []
    holds = []
    for island, shore, hold in zip(battle.islands, battle.shores, state.islands, strict=True):
        near = tuple(n for n, s in enumerate(state.ships)
                     if s.fate is Fate.AT_SEA and s.square in shore and not s.dived)
        sides = {battle.side(ship) for ship in near}
        claims = near if len(sides) == 1 else ()
        owner = hold.owner
        if set(claims) & set(hold.claims) and sides != {owner}:
            (owner,) = sides
            events.append(SAY.event("F35", "captured", island=island.name, side=battle.sides[owner], by=owner))
        holds.append(Hold(owner, claims))
    return replace(state, islands=tuple(holds)), tuple(events)


def score(battle: Scenario, state: State, side: int) -> int:
    """The points of a side as things stand (rule F36)."""
    return sum(earned(battle, state, aim) for aim in battle.objectives if aim.side == side)


def earned(battle: Scenario, state: State, aim: Objective) -> int:
    """The points of an objective as things stand."""
    return sum(points for points, _ in parts(battle, state, aim))


def parts(battle: Scenario, state: State, aim: Objective) -> list[tuple[int, int]]:
    """The points of an objective, and which ship or island brought them; -1 for aircraft, counted together."""
    if aim.aim == "island":
        return [(aim.points * (state.islands[island].owner == aim.side), island) for island in aim.of]
    if aim.aim == "aircraft":
        lost = sum(own.lost for own, squadron in zip(state.flights, battle.flights, strict=True)
                   if squadron.side != aim.side)
        return [(aim.points * lost, -1)]
    return [(earned_by(battle, state, aim, ship), ship) for ship in aim.of]


def earned_by(battle: Scenario, state: State, aim: Objective, ship: int) -> int:
    """The points that one ship brings for an objective about ships."""
    return (aim.points or value(battle, ship)) * _times(battle, state, aim.aim, ship)


def value(battle: Scenario, ship: int) -> int:
    """Points value of a ship; in a battle of boats in which nobody flies anti-aircraft guns cost nothing (rule F68)."""
    return card_points(battle.card(ship), flown=bool(battle.flights) or not battle.boats)


def _times(battle: Scenario, state: State, aim: str, ship: int) -> int:
    """How often a ship's points are earned."""
    own = state.ships[ship]
    if aim == "damage":
        rate = battle.card(ship).sinking_rate
        full = 4 if own.fate is Fate.SUNK else min(3, quarters(own.damage, rate))
        return max(0, full - quarters(battle.units[ship].damage, rate))
    if aim == "survive":
        return int(state.phase is Phase.END and own.fate in (Fate.AT_SEA, Fate.LEFT))
    return int(own.fate is (Fate.SUNK if aim == "sink" else Fate.LEFT))


def verdict(battle: Scenario, state: State) -> Step:
    """Ends the battle if it is over: a side has its points, nobody of a side is left, or that was the last move."""
    left = [any(state.ships[n].fate in (Fate.AT_SEA, Fate.WAITING) for n in battle.fleet(side))
            or flies(battle, state, side) for side in (0, 1)]
    reached = battle.total and max(score(battle, state, side) for side in (0, 1)) >= battle.total
    if not reached and all(left) and state.move < battle.moves:
        return state, ()
    bare = "both" if not any(left) else SIDES[left.index(False)] if not all(left) else ""
    free = [n for side in (0, 1) if not reached and not left[1 - side] for n in battle.fleet(side)
            if leaves_in_time(battle, state, n)]
    for n in free:
        state = with_ship(state, n, fate=Fate.LEFT, square=OFF, task=Task.NONE)
    state = replace(state, phase=Phase.END, ended="points" if reached else bare or "moves")
    blue, red = (score(battle, state, side) for side in (0, 1))
    state = replace(state, result=DRAW if blue == red else SIDES[red > blue])
    away = tuple(SAY.event("F37", "away", ship=battle.units[n].name) for n in free)
    key, facts = why(battle, state)
    closing = SAY.event("F37", f"report.{state.result}", by=winner(state), **report(battle, state))
    return state, (*away, SAY.event("F37", key, **facts), closing)


def why(battle: Scenario, state: State) -> tuple[str, dict[str, Any]]:
    """Why a battle that is over has ended: the sentence's key, and what it is made from."""
    if state.ended not in SIDES:
        return f"ended.{state.ended}", {"total": battle.total} if state.ended == "points" else {}
    side = SIDES.index(state.ended)
    home = any(squadron.side == side and own.place is Place.HOME
               for squadron, own in zip(battle.flights, state.flights, strict=True))
    return "ended.home" if home else "ended.bare", {"side": battle.sides[side]}


def leaves_in_time(battle: Scenario, state: State, ship: int) -> bool:
    """Whether a ship that brings points by leaving could still do so from the next move on, if nothing stopped her.

    She sails by the rules of movement, at the speed that her damage leaves her, in clear weather; ships and mines in
    her way do not count. To leave takes a move of its own (F12). A boat comes up one level a move: on the surface she
    is nowhere slower than dived. Of a ship that is still to come, every square where she may come in must do.
    """
    unit, own = battle.units[ship], state.ships[ship]
    if own.fate not in (Fate.AT_SEA, Fate.WAITING) or not any(
            aim.aim == "exit" and ship in aim.of for aim in battle.objectives):
        return False
    coming = own.fate is Fate.WAITING
    state = replace(with_ship(state, ship, task=Task.NONE, wake=(), loading=-1, still=False), weather=())
    moves = range(max(state.move + 1, unit.enters * coming), battle.moves + 1)
    return bool(moves) and all(_arrives(battle, with_ship(state, ship, square=square), ship, moves)
                               for square in (unit.entry if coming else (own.square,)))


def _arrives(battle: Scenario, state: State, ship: int, moves: range) -> bool:
    """Whether she can be at an exit when one of those moves begins."""
    own, exits = state.ships[ship], battle.exits[battle.side(ship)]
    level, reached = DEPTHS.index(own.depth), {(own.square, own.heading)}
    for move in moves:
        if any(square in exits for square, _ in reached):
            return True
        level = max(0, level - 1)
        state = with_ship(replace(state, move=move), ship, depth=DEPTHS[level])
        onward = _onward(battle.grid, sailing.closed_to(battle, state, ship))
        reached = _sailed(onward, reached, sailing.squares_a_move(battle, state, ship))
    return False


@lru_cache(maxsize=16)
def _onward(grid: SquareGrid, closed: frozenset[int]) -> Mapping[Spot, tuple[tuple[Spot, int], ...]]:
    """Spot -> the places a step away, and what each step costs (F5)."""
    return {
        (square, heading): tuple(
            ((to, course), step_cost(course)) for course in ((heading + turn) % 8 for turn in (7, 0, 1))
            if (to := sailing.step(grid, square, course, closed)) is not None
        )
        for square in range(grid.size) for heading in range(8)
    }


def _sailed(onward: Mapping[Spot, tuple[tuple[Spot, int], ...]], places: set[Spot], squares: int) -> set[Spot]:
    """Where ships at those places can be a move later, with that many squares to go."""
    if not squares:
        return places
    spent: list[set[Spot]] = [set(places), *(set[Spot]() for _ in range(max(2, squares)))]
    spent[1] |= {(square, (heading + 4) % 8) for square, heading in places}  # about, before she goes ahead (F7)
    for cost in range(squares):
        for place in spent[cost]:
            for there, price in onward[place]:
                if cost + price <= squares or not cost:  # one square alone allows a diagonal step (F6)
                    spent[cost + price].add(there)
    return set[Spot]().union(*spent)


def flies(battle: Scenario, state: State, side: int) -> bool:
    """Whether a side has flights that need no ship of its own to be there: aloft, or over the horizon and not home."""
    return any(squadron.side == side and own.count
               and (own.place is Place.ALOFT or squadron.base < 0 and own.place not in (Place.HOME, Place.LOST))
               for squadron, own in zip(battle.flights, state.flights, strict=True))


def winner(state: State) -> int:
    """The side that has won; -1 for neither."""
    return SIDES.index(state.result) if state.result in SIDES else -1


def report(battle: Scenario, state: State) -> dict[str, Any]:
    """What the last sentence of a battle is made from."""
    return {
        "move": state.move, "blue": battle.sides[0], "red": battle.sides[1], "blue_points": score(battle, state, 0),
        "red_points": score(battle, state, 1)
    }


ZONES = 4


# What actions do of which no other module knows -----------------------------------------------------------------

def _first(battle: Scenario, state: State, action: First) -> Step:
    state = replace(state, first=action.side)
    return _begin(battle, state), (SAY.event("F2", "first", side=battle.sides[action.side], by=action.side),)


def _weather(battle: Scenario, state: State, action: Weather) -> Step:
    key = "fog" if action.pips == sight.FOG else "rough" if action.pips in sight.HIGH_SEAS else "clear"
    state = replace(state, weather=(*state.weather, action.pips))
    if len(state.weather) == ZONES:
        state = replace(state, phase=Phase.ENTRY)
    return state, (SAY.event("F28", key, zone=action.zone, pips=action.pips),)


def _done(battle: Scenario, state: State, action: Done) -> Step:
    if state.phase is Phase.FIRE:
        return _after(state, Phase.RAID), ()
    if state.phase is Phase.FLY:
        return _after(state, Phase.SEEN), ()
    return _after(state, Phase.FLY), (SAY.event("F2a", "stayed", side=battle.sides[state.side], by=state.side),)


def _enter(battle: Scenario, state: State, action: Enter) -> Step:
    if action.ship in battle.wings:
        return flying.come(battle, state, battle.wings[action.ship], battle.grid.number(action.square))
    return sailing.enter(battle, state, action)


DEEDS: Mapping[type, Callable[[Scenario, State, Any], Step]] = {
    First: _first, Weather: _weather, Enter: _enter, Move: sailing.move, Lay: mines.lay, Sweep: sailing.sweep,
    Reload: sailing.reload, Leave: sailing.leave, Done: _done, Mine: mines.strike, Guns: firing.aim,
    Torpedoes: firing.aim, Hits: firing.throw, Turret: firing.choose, Load: boats.load, Periscope: boats.look,
    Seek: hunting.seek, Contact: hunting.listen, Charges: hunting.drop, Range: flying.act, Launch: flying.act,
    Fly: flying.act, Patrol: flying.act, Attack: flying.act, Land: flying.act, Down: raiding.fought,
    Flak: raiding.shot_at, CrashDive: raiding.dived, Bombs: raiding.dropped
}
"""What each action does. It must be legal."""


# What comes after it --------------------------------------------------------------------------------------------

def act(battle: Scenario, state: State, action: Action) -> Step:
    """What a legal action does, up to where something is to be decided or diced for again."""
    before = state
    state, events = _go_on(battle, *DEEDS[type(action)](battle, state, action))
    for number, ship in enumerate(state.ships):
        if ship.told and not ship.dived and sight.known(battle, state, number):
            state = with_ship(state, number, told=None)
    return sight.remembered(battle, before, state), events


def _go_on(battle: Scenario, state: State, events: tuple[Event, ...]) -> Step:
    while True:
        more: tuple[Event, ...] = ()
        if state.phase is Phase.ENTRY:
            if sailing.entering(battle, state) or flying.coming(battle, state) is not None:
                return state, events
            state = replace(state, phase=Phase.MOVE, side=state.first)
        elif state.phase in (Phase.MOVE, Phase.MINES):
            state = mines.next_strike(battle, state)
            if state.mined:
                return replace(state, phase=Phase.MINES), events
            state = replace(state, phase=Phase.MOVE)
            if any(sailing.orders(battle, state)):
                return state, events
            state = _after(state, Phase.FLY)
        elif state.phase is Phase.FLY:
            if any(flying.orders(battle, state)):
                return state, events
            state = _after(state, Phase.SEEN) if battle.flights else replace(state, phase=Phase.SEEN)
        elif state.phase is Phase.SEEN:
            state = boats.next_look(battle, state)
            if boats.looking(battle, state) is not None:
                return state, events
            state = replace(state, phase=Phase.FIRE, looked=0)
        elif state.phase is Phase.FIRE:
            if any(firing.orders(battle, state)):
                return state, events
            state = _after(state, Phase.RAID)
        elif state.phase is Phase.RAID:
            if not state.raids and not state.fights:
                state = raiding.begin(battle, state)
            if raiding.due(battle, state):
                return state, events
            state = replace(state, phase=Phase.SALVO)
        elif state.phase is Phase.SALVO:
            state = boats.fired(battle, state)
            if firing.next_shot(state):
                return state, events
            state = replace(state, phase=Phase.HUNT)
        elif state.phase is Phase.HUNT:
            if hunting.due(battle, state):
                return state, events
            state, more = firing.take_effect(battle, state, raiding.damage(battle, state))
            state, ashes = raiding.aftermath(battle, state)
            more += ashes
            state = replace(state, phase=Phase.TURRETS)
        elif state.phase is Phase.TURRETS:
            state, more, ship = firing.settle(battle, state)
            if ship is not None:
                return replace(state, side=battle.side(ship)), events + more
            state, ending = _end_move(battle, state)
            more += ending
        else:
            return state, events
        events += more


def _after(state: State, phase: Phase) -> State:
    """The side on turn has done: the other's turn in this phase, or that next phase, where the first begins again."""
    if state.side == state.first:
        return replace(state, side=1 - state.first)
    return replace(state, phase=phase, side=state.first)


def _begin(battle: Scenario, state: State) -> State:
    """The beginning of a move when it is known who is first."""
    return replace(state, phase=Phase.WEATHER if battle.weather else Phase.ENTRY, side=state.first)


def _end_move(battle: Scenario, state: State) -> Step:
    """Harbours, sweepers, islands and victory; then the next move."""
    events: tuple[Event, ...] = ()
    for part in (sailing.work, boats.rest, flying.rest, mines.sweep_all, capture, verdict):
        state, more = part(battle, state)
        events += more
    if state.phase is Phase.END:
        return state, events
    hides, last = sight.hides(battle), state
    for number, ship in enumerate(state.ships):
        if ship.fate is Fate.AT_SEA:
            seen = sight.sighting(battle, last, number) if hides else None
            state = with_ship(state, number, task=Task.NONE, wake=(), marked=ship.fired, fired=False, seen=seen,
                              still=False, announced=False, heard=False, loading=-1, went=0,
                              turned=False, launched=0, landed=0)
    state = replace(state, move=state.move + 1, weather=(), fouled=())
    if not battle.alternate:
        return replace(state, phase=Phase.FIRST), events
    return _begin(battle, replace(state, first=1 - state.first)), events
