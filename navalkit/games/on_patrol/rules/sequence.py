"""The turn, phase by phase (Q1): what each phase begins with, who is on turn in it, and what it ends with."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from navalkit.core.event import Event
from navalkit.core.game import CHANCE

from ..combat import rolls as combat
from ..combat.handlers import Resolution
from ..combat.hull import crush_tasks
from ..combat.sight import AWASH, star_shells
from ..combat.torpedoes import reload
from ..escort import prolonged
from ..escort.markers import Step, assign, search_ends, sight
from ..escort.precedence import next_to_move
from ..sea.fleet import leave_map
from ..sea.say import SAY
from ..sea.setting import Sea
from ..sea.state import CAPTAIN, ESCORTS, Marker, MarkerKind, Phase, State, Task
from ..sea.swift import replace


def on_turn(state: State) -> int | None:
    """Who is to do something in this phase: `CHANCE`, a player, or nobody (None)."""
    if state.todo:
        return CHANCE
    if state.phase is Phase.ESCORTS and next_to_move(state):
        return ESCORTS
    if state.phase is Phase.BOATS and next_boat(state):
        return CAPTAIN
    if state.phase is Phase.END:
        return ESCORTS if state.moved else CAPTAIN if prolonged.next_boat(state) else None
    return None


def next_boat(state: State) -> str | None:
    """The boat to be given her order: in phase 8 by number, in the prolonged attack the one that is hunted next."""
    if state.phase is Phase.END:
        return prolonged.next_boat(state)
    return next((boat.id for boat in state.boats if boat.active and boat.id not in state.moved), None)


def start(state: State, sea: Sea) -> Step:
    """The first state: boats in sight are marked and the Escort Action Table consulted (104.2.2).

    A boat at 25 ft or less is taken for seen at the start, even by night.
    """
    seen = sight(state, sea)
    for boat in seen.state.boats:
        if boat.depth <= AWASH and seen.state.marker(boat.id) is None:
            kind = MarkerKind.VISIBLE if boat.depth else MarkerKind.SURFACED
            event = SAY.event("104.2.2", "seen_at_start", boat=boat.id, place=boat.place)
            seen = Step(seen.state.with_marker(Marker(boat.id, kind, boat.place)), (*seen.events, event))
    sent = assign(seen.state)
    return Step(_noted(sent.state), seen.events + sent.events)


def _noted(state: State) -> State:
    """The state that remembers which boats have ever been found."""
    new = {marker.boat for marker in state.markers}.difference(state.found)
    return replace(state, found=tuple(sorted((*state.found, *new)))) if new else state


def proceed(state: State, sea: Sea) -> Step:
    """Go on from phase to phase until somebody is on turn or the game is over."""
    events: list[Event] = []
    state = _noted(state)
    while not state.over:
        while state.todo and not combat.still_due(state, state.todo[0]):
            state = replace(state, todo=state.todo[1:])
        if on_turn(state) is not None:
            break
        closed = _CLOSE.get(state.phase, _nothing)(state, sea)
        state = closed.state
        events += closed.events
        if not state.over:
            opened = _open(state, sea)
            state = replace(opened.state, todo=opened.tasks)
            events += opened.events
    return Step(_noted(state), tuple(events))


# How phases begin ------------------------------------------------------------------------------------------------


def _open(state: State, sea: Sea) -> Resolution:
    """The phase that follows, as it begins."""
    if state.phase is Phase.END:
        state = replace(state, turn=state.turn + 1, phase=Phase.CONVOY, moved=())
    else:
        state = replace(state, phase=Phase(state.phase + 1))
    return _OPEN.get(state.phase, combat.opening)(state, sea)


def _convoy(state: State, _sea: Sea) -> Resolution:
    return Resolution(state, (Task("fleet"),), (SAY.event("Q1", "turn", turn=state.turn),))


def _capital(state: State, sea: Sea) -> Resolution:
    left, events = leave_map(state, sea)
    return Resolution(left, (), events)


def _boats(state: State, _sea: Sea) -> Resolution:
    return reload(replace(state, moved=()))


def _star_shells(state: State, sea: Sea) -> Resolution:
    return star_shells(replace(state, moved=()), sea)


def _end(state: State, sea: Sea) -> Resolution:
    """Ships that sank last turn leave the sea; after the last turn the prolonged attack begins."""
    gone = [v.id for v in state.vessels if 0 < v.sunk < state.turn]
    events = tuple(SAY.event("D3", "gone", ship=id) for id in gone)
    state = replace(state, vessels=tuple(v for v in state.vessels if v.id not in gone))
    if state.turn < sea.turns or _ended(state):
        return Resolution(state, (), events)
    begun = prolonged.begin(state, sea)
    return Resolution(begun.state, begun.state.todo, (*events, *begun.events))


_OPEN: Mapping[Phase, Callable[[State, Sea], Resolution]] = {
    Phase.CONVOY: _convoy,
    Phase.CAPITAL: _capital,
    Phase.BOATS: _boats,
    Phase.STAR_SHELLS: _star_shells,
    Phase.END: _end,
}


# How phases end --------------------------------------------------------------------------------------------------


def _nothing(state: State, _sea: Sea) -> Step:
    return Step(state)


def _exploded(state: State, sea: Sea) -> Step:
    """The charges of the turn are gone."""
    return sight(replace(state, charges=()), sea)


def _searched(state: State, sea: Sea) -> Step:
    seen = sight(state, sea)
    ended = search_ends(seen.state, sea)
    return Step(ended.state, seen.events + ended.events)


def _consult(state: State, sea: Sea) -> Step:
    """The game ends, or the Escort Action Table is consulted for the turn that follows."""
    if key := _ended(state) or ("end_turns" if state.turn >= sea.turns else ""):
        return Step(replace(state, over=True), (SAY.event("W3", key, turn=state.turn),))
    return assign(state)


def _ended(state: State) -> str:
    """Why nothing is left to do, "" if something is: torpedoes under way may still hit when the boats are gone."""
    if not any(not v.sunk for v in state.vessels):
        return "end_ships"
    return "" if state.torpedoes or any(boat.active for boat in state.boats) else "end_boats"


_CLOSE: Mapping[Phase, Callable[[State, Sea], Step]] = {
    Phase.TORPEDOES: sight,
    Phase.ATTACKS: _exploded,
    Phase.SEARCH: _searched,
    Phase.GUNFIRE: sight,
    Phase.BOATS: sight,
    Phase.STAR_SHELLS: sight,
    Phase.END: _consult,
}
"""Boats in sight are marked at the end of every phase from the fourth on: while ships move, markers lie still, for
modes are fixed at the end of a turn (104.2.1)."""


def boat_moved(state: State, id: str) -> State:
    """The state once a boat has carried out her order in phase 8: after the last one, the sea presses on those that
    are too deep (H2)."""
    state = replace(state, moved=(*state.moved, id))
    return state if next_boat(state) else replace(state, todo=crush_tasks(state))
