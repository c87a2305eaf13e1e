"""The order of play (rule F2a): what an action does, and what comes after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from navalkit.core.event import Event

from ..state import (
    Action,
    Done,
    Enter,
    Fate,
    First,
    Guns,
    Hits,
    Lay,
    Leave,
    Mine,
    Move,
    Phase,
    Reload,
    State,
    Step,
    Sweep,
    Task,
    Torpedoes,
    Turret,
    Weather,
    sight,
    with_ship,
)
from ..state.scenario import Scenario
from ..words import SAY
from . import damage, firing, harbour, mines, sailing, victory

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
        return _after(state, Phase.SALVO), ()
    return _after(state, Phase.FIRE), (SAY.event("F2a", "stayed", side=battle.sides[state.side], by=state.side),)


DEEDS: Mapping[type, Callable[[Scenario, State, Any], Step]] = {
    First: _first,
    Weather: _weather,
    Enter: sailing.enter,
    Move: sailing.move,
    Lay: mines.lay,
    Sweep: sailing.sweep,
    Reload: sailing.reload,
    Leave: sailing.leave,
    Done: _done,
    Mine: mines.strike,
    Guns: firing.aim,
    Torpedoes: firing.aim,
    Hits: firing.throw,
    Turret: damage.choose,
}
"""What each action does. It must be legal."""


# What comes after it --------------------------------------------------------------------------------------------


def act(battle: Scenario, state: State, action: Action) -> Step:
    """What a legal action does, up to where something is to be decided or diced for again."""
    before = state
    state, events = _go_on(battle, *DEEDS[type(action)](battle, state, action))
    for number, ship in enumerate(state.ships):
        if ship.told and sight.known(battle, state, number):
            state = with_ship(state, number, told=None)
    return sight.remembered(battle, before, state), events


def _go_on(battle: Scenario, state: State, events: tuple[Event, ...]) -> Step:
    while True:
        more: tuple[Event, ...] = ()
        if state.phase is Phase.ENTRY:
            if sailing.entering(battle, state):
                return state, events
            state = replace(state, phase=Phase.MOVE, side=state.first)
        elif state.phase in (Phase.MOVE, Phase.MINES):
            state = mines.next_strike(battle, state)
            if state.mined:
                return replace(state, phase=Phase.MINES), events
            state = replace(state, phase=Phase.MOVE)
            if any(sailing.orders(battle, state)):
                return state, events
            state = _after(state, Phase.FIRE)
        elif state.phase is Phase.FIRE:
            if any(firing.orders(battle, state)):
                return state, events
            state = _after(state, Phase.SALVO)
        elif state.phase is Phase.SALVO:
            if firing.next_shot(state):
                return state, events
            state, more = firing.take_effect(battle, state)
            state = replace(state, phase=Phase.TURRETS)
        elif state.phase is Phase.TURRETS:
            state, more, ship = damage.settle(battle, state)
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
    for part in (harbour.work, mines.sweep_all, victory.capture, victory.verdict):
        state, more = part(battle, state)
        events += more
    if state.phase is Phase.END:
        return state, events
    hides, last = sight.hides(battle), state
    for number, ship in enumerate(state.ships):
        if ship.fate is Fate.AT_SEA:
            seen = sight.sighting(battle, last, number) if hides else None
            state = with_ship(state, number, task=Task.NONE, wake=(), marked=ship.fired, fired=False, seen=seen)
    state = replace(state, move=state.move + 1, weather=())
    if not battle.alternate:
        return replace(state, phase=Phase.FIRST), events
    return _begin(battle, replace(state, first=1 - state.first)), events
