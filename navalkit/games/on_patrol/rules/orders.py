"""What a captain may order a boat (104.1.1): how far she goes, how deep, and what she fires."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from navalkit.core.event import Event
from navalkit.grids.hex import DIRECTIONS, Hex, why_not_path

from ..combat.hull import STEP, limits
from ..combat.sight import sees
from ..combat.torpedoes import LAUNCH_DEPTH, launch, why_not_launch
from ..escort.markers import Step, sight, torpedoes_appear
from ..sea.actions import Order, Shot
from ..sea.fleet import may_flee
from ..sea.say import SAY, WHY
from ..sea.scenario import DEPTHS
from ..sea.setting import Sea
from ..sea.state import Boat, Score, State
from ..sea.swift import replace

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
    """What is wrong with an order to the boat it names, in one sentence; None if she may carry it out.

    The one verifier: whether it is her turn is for the rules to say, all else is asked here.
    """
    boat = state.boat(order.boat)
    reason = _why_not_dive(boat, order) or _why_not_move(state, boat, order)
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
    for order in moves if low <= LAUNCH_DEPTH else ():
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
