"""Flights: ranged, launched, flown, on patrol, at the enemy and landed (rules F54 to F61)."""

from __future__ import annotations
from collections.abc import Iterator
from typing import Any

from navalkit.core.errors import brief
from navalkit.core.words import Event
from navalkit.grids.square import distance
from .. import sight
from ..cards import SAY, quarters
from ..craft import Attack, Duty, Flight, Fly, Land, Launch, Patrol, Place, Range
from ..state import OFF, Action, Done, Fate, Scenario, State, Step, with_flight, with_ship

TURN_ROUND, FIGHTERS = 3, 2  # moves after landing in which a flight can be ranged again
PICKED_UP = 1  # squares of a ship that picks up a floatplane
FIELD = "airfield"
HOME = "home"


# Decks (F55, F57, F59) ------------------------------------------------------------------------------------------

def deck_shut(battle: Scenario, state: State, ship: int) -> str | None:
    """Why nothing can be ranged on, launched from or landed on a ship's deck, or None."""
    own, card, name = state.ships[ship], battle.card(ship), battle.units[ship].name
    if own.fate is not Fate.AT_SEA:
        return SAY("no.board", name=name)
    if not card.deck:
        return SAY("no.deck", name=name)
    if quarters(own.damage, card.sinking_rate) >= (2 if card.armoured_deck else 1):
        return SAY("no.shut", name=name)
    return SAY("no.fog_air", name=name) if sight.foggy(battle, state, own.square) else None


def _into_wind(battle: Scenario, state: State, ship: int) -> str | None:
    """Why a deck cannot work in this move: it must go straight ahead; an airfield lies where it lies."""
    own = state.ships[ship]
    if battle.card(ship).type != FIELD and (own.turned or not own.wake):
        return SAY("no.straight", name=battle.units[ship].name)
    return None


def ranged(battle: Scenario, state: State, ship: int) -> list[int]:
    """The flights ranged on a ship's deck."""
    return [n for n, squadron in enumerate(battle.flights)
            if squadron.base == ship and state.flights[n].place is Place.RANGED]


# Orders ---------------------------------------------------------------------------------------------------------

def orders(battle: Scenario, state: State) -> Iterator[Action]:
    """All orders that the side on turn can give its flights, but for `Done`."""
    side, grid = state.side, battle.grid
    known = [n for n in battle.fleet(1 - side) if state.ships[n].fate is Fate.AT_SEA and sight.known(battle, state, n)]
    for number, squadron in enumerate(battle.flights):
        own = state.flights[number]
        if squadron.side != side or own.acted:
            continue
        if own.place is not Place.ALOFT:
            base = battle.units[squadron.base].name if squadron.base >= 0 else HOME
            for action in (Range(base, squadron.name), Launch(squadron.name)):
                if why_not(battle, state, action) is None:
                    yield action
            continue
        reach = squadron.plane.squares
        places = (s for s in range(grid.size) if 0 < distance(grid, own.square, s) <= reach)
        yield from (Fly(squadron.name, grid.names[square]) for square in places)
        ships = [*battle.fleet(side), *known]
        names = [battle.units[ship].name for ship in ships]
        for kind in (Patrol, Attack, Land):
            for name in (*names, *[HOME] * (kind is Land)):
                if why_not(battle, state, kind(squadron.name, name)) is None:
                    yield kind(squadron.name, name)


def why_not(battle: Scenario, state: State, action: Action) -> str | None:
    """Why the side on turn cannot give that order to a flight, or None."""
    if isinstance(action, Done):
        return None
    assert isinstance(action, Range | Launch | Fly | Patrol | Attack | Land)
    if action.flight not in battle.wings:
        return SAY("no.flight", name=brief(action.flight))
    number = battle.wings[action.flight]
    own, squadron = state.flights[number], battle.flights[number]
    if squadron.side != state.side:
        return SAY("no.own_flight", name=action.flight)
    if own.acted:
        return SAY("no.flown", name=action.flight)
    if isinstance(action, Range):
        return _why_not_range(battle, state, action, number)
    if isinstance(action, Launch):
        return _why_not_launch(battle, state, number)
    if own.place is not Place.ALOFT:
        return SAY("no.aloft", name=action.flight)
    if isinstance(action, Fly):
        if action.square not in battle.grid.names:
            return SAY("no.square", square=brief(action.square))
        away = distance(battle.grid, own.square, battle.grid.number(action.square))
        there = 0 < away <= squadron.plane.squares
        return None if there else SAY("no.far", name=action.flight, n=squadron.plane.squares)
    if isinstance(action, Land) and action.base == HOME:
        near = [square for square in squadron.entry
                if distance(battle.grid, own.square, square) <= squadron.plane.squares]
        return None if squadron.base < 0 and near else SAY("no.home", name=action.flight)
    target = action.base if isinstance(action, Land) else action.target
    if target not in battle.numbers:
        return SAY("no.ship", name=brief(target))
    ship = battle.numbers[target]
    other = state.ships[ship]
    if isinstance(action, Attack):
        if battle.side(ship) == state.side:
            return SAY("no.enemy", name=target)
        if other.fate is not Fate.AT_SEA or other.dived or not sight.known(battle, state, ship):
            return SAY("no.seen", name=target)
    elif battle.side(ship) != state.side:
        return SAY("no.own", name=target)
    elif other.fate is not Fate.AT_SEA or other.dived:
        return SAY("no.board", name=target)
    if distance(battle.grid, own.square, other.square) > squadron.plane.squares:
        return SAY("no.far", name=action.flight, n=squadron.plane.squares)
    if isinstance(action, Patrol):
        return None if squadron.fighter else SAY("no.fighter", name=action.flight)
    if isinstance(action, Land):
        return _why_not_land(battle, state, number, ship)
    return _why_not_attack(battle, state, number, ship)


def _why_not_range(battle: Scenario, state: State, action: Range, number: int) -> str | None:
    own, squadron = state.flights[number], battle.flights[number]
    ship = battle.numbers.get(action.ship, -1)
    if ship < 0 or ship != squadron.base or own.place is not Place.BELOW or "floatplane" in squadron.plane.roles:
        return SAY("no.below", name=action.flight, ship=brief(action.ship))
    if reason := deck_shut(battle, state, ship):
        return reason
    if own.ready > state.move:
        return SAY("no.ready", name=action.flight, move=own.ready)
    full = len(ranged(battle, state, ship)) >= battle.card(ship).deck
    return SAY("no.deck_full", name=action.ship, n=battle.card(ship).deck) if full else None


def _why_not_launch(battle: Scenario, state: State, number: int) -> str | None:
    own, squadron, ship = state.flights[number], battle.flights[number], battle.flights[number].base
    if squadron.base < 0:
        return None if squadron.call and own.place is Place.BELOW else SAY("no.call", name=squadron.name)
    if sight.is_night(battle, state.move) and "night" not in squadron.plane.roles:
        return SAY("no.night", name=squadron.name)
    other = state.ships[ship]
    if "floatplane" in squadron.plane.roles:
        ok = own.place is Place.BELOW and own.ready <= state.move and other.fate is Fate.AT_SEA and not other.dived
        return None if ok else SAY("no.catapult", name=squadron.name)
    if own.place is not Place.RANGED or own.ready > state.move:
        return SAY("no.ranged", name=squadron.name)
    if reason := deck_shut(battle, state, ship) or _into_wind(battle, state, ship):
        return reason
    if other.landed or other.launched >= battle.card(ship).deck:
        return SAY("no.deck_busy", name=battle.units[ship].name, n=battle.card(ship).deck)
    return None


def _why_not_land(battle: Scenario, state: State, number: int, ship: int) -> str | None:
    squadron, other, name = battle.flights[number], state.ships[ship], battle.units[ship].name
    if "floatplane" in squadron.plane.roles:
        slow = other.went <= PICKED_UP and not sight.rough(battle, state, other.square)
        return None if ship == squadron.base and slow else SAY("no.pick_up", name=name)
    if reason := deck_shut(battle, state, ship) or _into_wind(battle, state, ship):
        return reason
    if other.launched or other.landed >= battle.card(ship).deck:
        return SAY("no.deck_busy", name=name, n=battle.card(ship).deck)
    return None


def _why_not_attack(battle: Scenario, state: State, number: int, ship: int) -> str | None:
    own, squadron, target = state.flights[number], battle.flights[number], battle.units[ship].name
    if sight.is_night(battle, state.move) and "night" not in squadron.plane.roles:
        return SAY("no.night", name=squadron.name)
    if sight.foggy(battle, state, state.ships[ship].square):
        return SAY("no.fog_air", name=target)
    charges = squadron.plane.weapon == "charges"
    if not squadron.fighter and (not own.loaded or not squadron.armed or charges is not battle.card(ship).boat):
        return SAY("no.load", name=squadron.name, target=target)
    return None


# What orders do -------------------------------------------------------------------------------------------------

def act(battle: Scenario, state: State, action: Any) -> Step:
    """An order to a flight is carried out."""
    number = battle.wings[action.flight]
    own, squadron = state.flights[number], battle.flights[number]
    if isinstance(action, Range):
        state = with_flight(state, number, place=Place.RANGED, ready=state.move + 1, acted=True)
        return state, (_told(battle, squadron.side, "F55", "ranges", ship=action.ship, flight=action.flight),)
    if isinstance(action, Launch):
        return _launch(battle, state, number)
    if isinstance(action, Land):
        return _land(battle, state, number, action)
    square = battle.grid.number(action.square) if isinstance(action, Fly) else -1
    duty, mark = Duty.NONE, -1
    if not isinstance(action, Fly):
        mark = battle.numbers[action.target]
        square = state.ships[mark].square
        duty = Duty.PATROL if isinstance(action, Patrol) else Duty.ATTACK
    state = with_flight(state, number, square=square, came=own.square, duty=duty, mark=mark, acted=True)
    key = {Fly: "flies", Patrol: "patrols", Attack: "attacks"}[type(action)]
    facts = {"flight": action.flight, "square": battle.grid.names[square]}
    facts["target"] = battle.units[mark].name if mark >= 0 else ""
    return state, (_told(battle, squadron.side, "F56", key, **facts),)


def _told(battle: Scenario, side: int, rule: str, key: str, **facts: Any) -> Event:
    """What only a flight's own side knows for sure; the enemy sees a disc at most (rule F58)."""
    return SAY.event(rule, key, to=frozenset((side,)), **facts)


def heard(battle: Scenario, state: State, side: int) -> bool:
    """Whether a call of that side is heard, and brings the enemy's flights sooner: none is in sight yet (rule F57)."""
    return not any(other.side != side and sight.flight_known(battle, state, n)
                   for n, other in enumerate(battle.flights))


def _launch(battle: Scenario, state: State, number: int) -> Step:
    squadron = battle.flights[number]
    if squadron.base < 0:  # called from over the horizon
        state = with_flight(state, number, place=Place.COMING, ready=state.move + squadron.call, acted=True)
        if heard(battle, state, squadron.side):
            for n, other in enumerate(battle.flights):
                if other.side != squadron.side and state.flights[n].place is Place.COMING:
                    state = with_flight(state, n, ready=max(state.move + 1, state.flights[n].ready - 1))
        return state, (SAY.event("F57", "calls", flight=squadron.name, move=state.flights[number].ready),)
    ship = squadron.base
    square = state.ships[ship].square
    state = with_flight(state, number, place=Place.ALOFT, square=square, came=square, moves=squadron.plane.moves,
                        ready=0, acted=True, duty=Duty.NONE, mark=-1)
    if battle.card(ship).deck:
        state = with_ship(state, ship, launched=state.ships[ship].launched + 1)
    facts = {"ship": battle.units[ship].name, "flight": squadron.name}
    return state, (_told(battle, squadron.side, "F55", "launches", **facts),)


def _land(battle: Scenario, state: State, number: int, action: Land) -> Step:
    squadron = battle.flights[number]
    gone: dict[str, Any] = dict(square=OFF, came=OFF, moves=0, duty=Duty.NONE, mark=-1, acted=True, shown=False)
    if action.base == HOME:
        state = with_flight(state, number, place=Place.HOME, **gone)
        return state, (_told(battle, squadron.side, "F57", "homeward", flight=squadron.name),)
    ship = battle.numbers[action.base]
    wait = FIGHTERS if squadron.fighter else TURN_ROUND
    state = with_flight(state, number, place=Place.BELOW, ready=state.move + wait, loaded=True, **gone)
    if battle.card(ship).deck:
        state = with_ship(state, ship, landed=state.ships[ship].landed + 1)
    return state, (_told(battle, squadron.side, "F55", "lands", ship=action.base, flight=squadron.name),)


# Coming onto the board, and the end of a move -------------------------------------------------------------------

def coming(battle: Scenario, state: State) -> int | None:
    """The next flight that comes onto the board in this move."""
    return next((n for n, own in enumerate(state.flights)
                 if own.place is Place.COMING and own.ready <= state.move and battle.flights[n].entry), None)


def come(battle: Scenario, state: State, number: int, square: int) -> Step:
    """A flight comes onto the board from over the horizon."""
    squadron = battle.flights[number]
    state = with_flight(state, number, place=Place.ALOFT, square=square, came=square, moves=squadron.plane.moves,
                        ready=0)
    facts = {"ship": squadron.name, "square": battle.grid.names[square]}
    return state, (SAY.event("F57", "entered", to=frozenset((squadron.side,)), **facts),)


def rest(battle: Scenario, state: State) -> Step:
    """The end of a move: flights aboard a sunk ship are lost with her, others have a move less aloft (F54, F56)."""
    events: list[Event] = []
    for number, squadron in enumerate(battle.flights):
        own = state.flights[number]
        sunk = squadron.base >= 0 and state.ships[squadron.base].fate is Fate.SUNK
        if own.place in (Place.BELOW, Place.RANGED) and sunk:
            state = lose(state, number, own.count)
            events.append(SAY.event("F54", "drowned", flight=squadron.name, n=own.count))
        elif own.place is Place.ALOFT:
            duty, mark = (own.duty, own.mark) if own.duty is Duty.PATROL else (Duty.NONE, -1)
            state = with_flight(state, number, moves=own.moves - 1, came=own.square, duty=duty, mark=mark, acted=False)
            if own.moves <= 1:
                state = lose(state, number, own.count)
                events.append(SAY.event("F56", "ditched", flight=squadron.name, n=own.count))
        else:
            state = with_flight(state, number, acted=False)
    return state, tuple(events)


def lose(state: State, number: int, aircraft: int) -> State:
    """The state with these aircraft of a flight lost; a flight without any is gone."""
    own: Flight = state.flights[number]
    left = own.count - aircraft
    state = with_flight(state, number, count=left, lost=own.lost + aircraft)
    if left:
        return state
    return with_flight(state, number, place=Place.LOST, square=OFF, came=OFF, moves=0, duty=Duty.NONE, mark=-1, ready=0)
