"""Boats: depths, the battery, what a periscope risks, torpedoes from the spares, and oil (rules F41 to F48)."""

from __future__ import annotations
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from navalkit.core.dist import Dist
from navalkit.core.words import Event
from navalkit.grids.square import HEADINGS, distance
from .. import sight
from ..cards import SAY, quarters
from ..craft import DEPTHS, Depth, Load, Periscope
from ..state import Fate, Move, Scenario, State, Step, Task, with_ship

CHARGED = 2  # squares of dived going that a move on the surface gives back (rule F42)
FEATHER = 1  # squares within which a periscope may be seen (rule F44)
UP = 3  # quarters of damage with which a boat stays on the surface (rule F48)


# Depths (F41, F42, F48) -----------------------------------------------------------------------------------------

def levels(a: Depth, b: Depth) -> int:
    """How many levels lie between two depths."""
    return abs(DEPTHS.index(a) - DEPTHS.index(b))


def forced_up(battle: Scenario, state: State, ship: int) -> bool:
    """Whether a boat is so damaged that she cannot dive (rule F48)."""
    card = battle.card(ship)
    return card.boat and quarters(state.ships[ship].damage, card.sinking_rate) >= UP


def depths(battle: Scenario, state: State, ship: int) -> tuple[Depth, ...]:
    """The depths to which a boat can change now."""
    own = state.ships[ship]
    if not battle.card(ship).boat or forced_up(battle, state, ship):
        return ()
    most = 2 if own.loading < 0 else 1
    return tuple(depth for depth in DEPTHS if 0 < levels(depth, own.depth) <= most)


def at_depth(state: State, ship: int, depth: Depth) -> State:
    """The state with a boat at that depth; two levels take all her time."""
    return with_ship(state, ship, depth=depth, still=levels(depth, state.ships[ship].depth) > 1)


def why_not_depth(battle: Scenario, state: State, ship: int, action: Move) -> str | None:
    """Why a boat cannot go to the depth of that order, or None."""
    own, name = state.ships[ship], action.who
    if action.depth not in list(DEPTHS):
        return SAY("no.depth", depth=action.depth, depths=", ".join(DEPTHS))
    if not battle.card(ship).boat:
        return SAY("no.boat", name=name)
    depth = Depth(action.depth)
    if depth is own.depth:
        return SAY("no.there", name=name, depth=depth)
    if forced_up(battle, state, ship):
        return SAY("no.dive", name=name)
    if levels(depth, own.depth) < 2:
        return None
    if own.loading >= 0:
        return SAY("no.loading", name=name)
    stays = (action.square, action.heading) == (battle.grid.names[own.square], HEADINGS[own.heading])
    return None if stays else SAY("no.two_levels", name=name)


def squares(battle: Scenario, state: State, ship: int) -> int:
    """How many squares a dived boat may go (rule F42)."""
    return int(state.ships[ship].battery > 0)


# Torpedoes from the spares (F45) --------------------------------------------------------------------------------

def load_orders(battle: Scenario, state: State, ship: int) -> Iterator[Load]:
    """The torpedo sets that a boat can begin to load."""
    own, card = state.ships[ship], battle.card(ship)
    if card.boat and own.fate is Fate.AT_SEA and not own.still and own.loading < 0 and _slow(battle, state, ship):
        for number, tubes in enumerate(card.torpedoes):
            if not own.loaded >> number & 1 and own.spares >= tubes.tubes:
                yield Load(battle.units[ship].name, number + 1)


def _slow(battle: Scenario, state: State, ship: int) -> bool:
    """Whether a boat has gone no more than a square, and has not begun to do anything else."""
    own = state.ships[ship]
    return len(own.wake) <= 1 and own.task in (Task.NONE, Task.MOVE)


def why_not_load(battle: Scenario, state: State, action: Load) -> str | None:
    """Why a boat of the side on turn cannot load that set, or None."""
    ship = battle.numbers[action.ship]
    own, card = state.ships[ship], battle.card(ship)
    if action in load_orders(battle, state, ship):
        return None
    if not card.boat:
        return SAY("no.boat", name=action.ship)
    if not 1 <= action.number <= len(card.torpedoes):
        return SAY("no.set", name=action.ship, n=len(card.torpedoes), number=action.number)
    if own.loaded >> (action.number - 1) & 1:
        return SAY("no.loaded", name=action.ship, number=action.number)
    if own.spares < card.torpedoes[action.number - 1].tubes:
        return SAY("no.spares", name=action.ship, n=own.spares, number=action.number)
    return SAY("no.busy", name=action.ship)


def load(battle: Scenario, state: State, action: Load) -> Step:
    """A boat begins to load; nobody else hears of it."""
    ship = battle.numbers[action.ship]
    event = SAY.event("F45", "loads", to=frozenset((battle.side(ship),)), ship=action.ship, number=action.number)
    return with_ship(state, ship, loading=action.number - 1), (event,)


# Periscopes, and oil (F43, F44, F48) ----------------------------------------------------------------------------

def next_look(battle: Scenario, state: State) -> State:
    """The state at the next boat whose periscope dice are due; oil shows first. By night there are no such dice."""
    if not state.looked:
        for ship in battle.boats:
            own = state.ships[ship]
            if own.fate is Fate.AT_SEA and own.oil:
                state = with_ship(state, ship, oil=False, announced=own.dived)
    at = state.looked
    if sight.is_night(battle, state.move):
        at = len(battle.boats)
    while at < len(battle.boats) and state.ships[battle.boats[at]].fate is not Fate.AT_SEA:
        at += 1
    return replace(state, looked=at)


def looking(battle: Scenario, state: State) -> int | None:
    """The boat whose periscope dice are thrown now."""
    return battle.boats[state.looked] if state.looked < len(battle.boats) else None


def periscope(battle: Scenario, state: State) -> Dist[Periscope]:
    """Whether her periscope is seen: a die for each enemy ship within a square that is not dived. The dice are there
    every day for every boat, so that they tell nothing by themselves."""
    ship = looking(battle, state)
    assert ship is not None
    missed = Fraction(5, 6) ** watchers(battle, state, ship)
    results = {"unseen": missed, "seen": 1 - missed}
    name = battle.units[ship].name
    return Dist((Periscope(name, result), chance) for result, chance in results.items())


def watchers(battle: Scenario, state: State, ship: int) -> int:
    """How many enemy ships may see a boat's periscope."""
    own = state.ships[ship]
    here = own.square
    if own.depth is not Depth.PERISCOPE or sight.rough(battle, state, here) or sight.foggy(battle, state, here):
        return 0
    ships = (state.ships[other] for other in battle.fleet(1 - battle.side(ship)))
    there = [other.square for other in ships if other.fate is Fate.AT_SEA and not other.dived]
    return sum(distance(battle.grid, here, square) <= FEATHER and not sight.foggy(battle, state, square)
               and sight.sighted(battle, state, here, square) for square in there)


def look(battle: Scenario, state: State, action: Periscope) -> Step:
    """Her periscope is seen, or it is not, which her own side alone learns; without one up there is nothing to tell."""
    ship = battle.numbers[action.ship]
    state = replace(state, looked=state.looked + 1)
    if state.ships[ship].depth is not Depth.PERISCOPE:
        return state, ()
    facts: dict[str, Any] = {"ship": action.ship, "square": battle.grid.names[state.ships[ship].square]}
    if action.result == "unseen":
        return state, (SAY.event("F44", "unseen", to=frozenset((battle.side(ship),)), **facts),)
    return with_ship(state, ship, announced=True), (SAY.event("F44", "periscope", **facts),)


def fired(battle: Scenario, state: State) -> State:
    """The state with boats announced that have been ordered to fire torpedoes (rule F43)."""
    for shot in state.shots:
        if shot.torpedo and state.ships[shot.ship].dived and not state.ships[shot.ship].announced:
            state = with_ship(state, shot.ship, announced=True)
    return state


# The end of a move ----------------------------------------------------------------------------------------------

def rest(battle: Scenario, state: State) -> Step:
    """What boats have done by the end of a move: batteries charged, tubes loaded; those too damaged to dive are up."""
    events: list[Event] = []
    for ship in battle.boats:
        own, card, name = state.ships[ship], battle.card(ship), battle.units[ship].name
        if own.fate is not Fate.AT_SEA:
            continue
        if not own.dived:
            state = with_ship(state, ship, battery=min(card.battery, own.battery + CHARGED))
        if own.loading >= 0 and not own.heard and not own.fired:
            spares = own.spares - card.torpedoes[own.loading].tubes
            state = with_ship(state, ship, loaded=own.loaded | 1 << own.loading, spares=spares)
            facts = {"ship": name, "number": own.loading + 1, "spares": spares}
            events.append(SAY.event("F45", "loaded", to=frozenset((battle.side(ship),)), **facts))
    return state, tuple(events)


def forced(battle: Scenario, state: State, ship: int, before: int) -> Step:
    """What damage does to a boat: a full quarter leaves oil, three bring her up (rule F48)."""
    own, card = state.ships[ship], battle.card(ship)
    if own.fate is not Fate.AT_SEA or quarters(own.damage, card.sinking_rate) == before:
        return state, ()
    state = with_ship(state, ship, oil=True)
    if not own.dived or not forced_up(battle, state, ship):
        return state, ()
    facts: dict[str, Any] = {"ship": battle.units[ship].name, "square": battle.grid.names[own.square]}
    return with_ship(state, ship, depth=Depth.SURFACE), (SAY.event("F48", "forced", **facts),)
