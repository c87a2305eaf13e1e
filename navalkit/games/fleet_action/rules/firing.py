"""The orders of the firing phase, and what the dice do (rules F13 to F19, F38)."""

from __future__ import annotations
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from navalkit.core.errors import brief
from navalkit.core.words import Event
from .. import sight
from ..cards import BATTERIES, SAY, guns_out, quarters
from ..craft import Seek
from ..state import (
    OFF,
    Action,
    Done,
    Fate,
    Guns,
    Hits,
    Scenario,
    Shot,
    State,
    Step,
    Torpedoes,
    Turret,
    weapons,
    with_ship,
)
from . import boats, gunnery, hunting
from .gunnery import armed, firings_left, may_be_fired_at, may_fire, torpedo_reaches

# -- Damage: sinking, speed lost, guns out of action in the owner's choice (rules F19, F20) --------

def hit(battle: Scenario, state: State, ship: int, points: int, square: int | None = None) -> Step:
    """A ship takes damage; if it exceeds her sinking rate she sinks (rule F19), in ``square`` if not in her own."""
    unit, own = battle.units[ship], state.ships[ship]
    total, rate = own.damage + points, unit.card.sinking_rate
    if total > rate:
        there = own.square if square is None else square
        state = with_ship(state, ship, damage=total, marked=True, square=there)
        wreck = (there,) if sight.known(battle, state, ship) else ()
        state = with_ship(state, ship, fate=Fate.SUNK, square=OFF, wake=wreck)
        return state, (SAY.event("F19", "sunk", ship=unit.name, damage=total, rate=rate),)
    before, after = quarters(own.damage, rate), quarters(total, rate)
    state = with_ship(state, ship, damage=total, told=own.told and replace(own.told, damage=total, out=own.out))
    if after == before:
        return state, ()
    event = SAY.event("F19", "quarter", ship=unit.name, quarters=after, damage=total, rate=rate)
    if unit.card.boat:
        state, more = boats.forced(battle, state, ship, before)
        return state, (event, *more)
    return state, (event,)


def main_mounts(battle: Scenario, ship: int) -> tuple[int, ...]:
    """The mounts of a ship's main battery, by number from 0."""
    return tuple(n for n, mount in enumerate(battle.card(ship).mounts) if mount.battery == "main")


def due(battle: Scenario, state: State, ship: int) -> int:
    """How many of a ship's main guns have still to go out of action; below 0, how many come back."""
    own, card = state.ships[ship], battle.card(ship)
    return guns_out(card.main_guns, quarters(own.damage, card.sinking_rate)) - sum(own.out)


def mounts_left(battle: Scenario, state: State, ship: int) -> tuple[int, ...]:
    """The mounts of her main battery with guns in action."""
    mounts, out = battle.card(ship).mounts, state.ships[ship].out
    return tuple(n for n in main_mounts(battle, ship) if mounts[n].guns > out[n])


def failing(battle: Scenario, state: State) -> tuple[int, ...]:
    """The ships that have main guns to lose, blue's first."""
    return tuple(ship for side in (0, 1) for ship in battle.fleet(side)
                 if state.ships[ship].fate is Fate.AT_SEA and due(battle, state, ship) > 0)


def knock_out(battle: Scenario, state: State, ship: int, mount: int) -> Step:
    """A mount loses as many guns as are due, or all it has."""
    unit, own = battle.units[ship], state.ships[ship]
    guns = min(due(battle, state, ship), unit.card.mounts[mount].guns - own.out[mount])
    out = tuple(n + guns * (m == mount) for m, n in enumerate(own.out))
    row = unit.card.mounts[mount]
    facts: dict[str, Any] = {"ship": unit.name, "gun": row.gun, "mount": mount + 1, "arc": row.arc}
    return with_ship(state, ship, out=out), (SAY.event("F20", "turret", guns=guns, **facts),)


def choose(battle: Scenario, state: State, action: Turret) -> Step:
    """The owner has named the mount that loses guns."""
    return knock_out(battle, state, battle.numbers[action.ship], action.mount - 1)


def settle(battle: Scenario, state: State) -> tuple[State, tuple[Event, ...], int | None]:
    """Put guns out of action where the owner has no choice; the ship whose owner must choose, if any."""
    events: tuple[Event, ...] = ()
    while ships := failing(battle, state):
        left = mounts_left(battle, state, ships[0])
        if battle.choose and len(left) > 1:
            return state, events, ships[0]
        state, more = knock_out(battle, state, ships[0], left[-1])  # of her own accord a ship loses after guns first
        events += more
    return state, events, None


def why_not_turret(battle: Scenario, state: State, action: Turret) -> str | None:
    """Why that turret cannot be the one, or None."""
    ship = failing(battle, state)[0]
    if action.ship != battle.units[ship].name:
        return SAY("no.loses", ship=battle.units[ship].name, name=action.ship)
    left = mounts_left(battle, state, ship)
    if action.mount - 1 not in left:
        numbers = ", ".join(str(n + 1) for n in left)
        return SAY("no.turret", name=action.ship, numbers=numbers, mount=action.mount)
    return None


def restore(battle: Scenario, state: State, ship: int) -> State:
    """Guns that damage no longer keeps out of action come back, those of the first mounts first (rule F22)."""
    back = -due(battle, state, ship)
    out = list(state.ships[ship].out)
    for mount, lost in enumerate(out):
        mended = max(0, min(back, lost))
        out[mount] -= mended
        back -= mended
    return with_ship(state, ship, out=tuple(out))


def orders(battle: Scenario, state: State) -> Iterator[Action]:
    """All orders the side on turn can give in the firing phase, but for `Done`."""
    yield from hunting.orders(battle, state)
    targets = [n for n in battle.fleet(1 - state.side) if may_be_fired_at(battle, state, n)]
    for ship in battle.fleet(state.side) if targets else ():
        if may_fire(battle, state, ship):
            continue
        name = battle.units[ship].name
        for target in targets:
            aim = battle.units[target].name
            for battery in batteries(battle, ship):
                if ready := armed(battle, state, ship, target, battery):
                    yield Guns(name, aim, battery)
                    if max(firings_left(battle, state, ship, weapon) for weapon in ready) > 1:
                        yield Guns(name, aim, battery, once=True)
            for number in range(len(battle.card(ship).torpedoes)):
                if _tubes_left(state, ship, number) and torpedo_reaches(battle, state, ship, number, target):
                    yield Torpedoes(name, number + 1, aim)


def batteries(battle: Scenario, ship: int) -> tuple[str, ...]:
    """What a ship's guns can be ordered by: "" for all of them, and her batteries if she has both."""
    found = {weapon.battery for weapon in weapons(battle.card(ship))}
    return ("", *BATTERIES) if len(found) > 1 else ("",)


def _tubes_left(state: State, ship: int, number: int) -> bool:
    """Whether a torpedo set is loaded and not ordered to fire yet."""
    ordered = any(s.ship == ship and s.torpedo and s.number == number for s in state.shots)
    return bool(state.ships[ship].loaded >> number & 1) and not ordered


def why_not(battle: Scenario, state: State, action: Action) -> str | None:
    """Why the side on turn cannot give that order of the firing phase, or None."""
    if isinstance(action, Done):
        return None
    if isinstance(action, Seek):
        return hunting.why_not(battle, state, action)
    assert isinstance(action, Guns | Torpedoes)
    for name, side, key in ((action.ship, state.side, "no.own"), (action.target, 1 - state.side, "no.enemy")):
        if name not in battle.numbers:
            return SAY("no.ship", name=brief(name))
        if battle.side(battle.numbers[name]) != side:
            return SAY(key, name=name)
    ship, target = battle.numbers[action.ship], battle.numbers[action.target]
    if reason := may_fire(battle, state, ship):
        return reason
    if not may_be_fired_at(battle, state, target):
        known = state.ships[target].dived and sight.known(battle, state, target)
        return SAY("no.dived" if known else "no.seen", name=action.target)
    if isinstance(action, Guns):
        return _why_not_guns(battle, state, action, ship, target)
    card = battle.card(ship)
    if not 1 <= action.number <= len(card.torpedoes):
        key = "no.set" if card.torpedoes else "no.set_none"
        return SAY(key, name=action.ship, n=len(card.torpedoes), number=action.number)
    if not _tubes_left(state, ship, action.number - 1):
        return SAY("no.fired", name=action.ship, number=action.number)
    if not torpedo_reaches(battle, state, ship, action.number - 1, target):
        return SAY("no.torpedo", name=action.ship, target=action.target)
    return None


def _why_not_guns(battle: Scenario, state: State, action: Guns, ship: int, target: int) -> str | None:
    if action.battery not in batteries(battle, ship):
        return SAY("no.battery", name=action.ship, battery=action.battery)
    ready = armed(battle, state, ship, target, action.battery)
    if not ready:
        key = "no.battery_guns" if action.battery else "no.guns"
        return SAY(key, name=action.ship, battery=action.battery, target=action.target)
    if action.once and max(firings_left(battle, state, ship, weapon) for weapon in ready) < 2:
        return SAY("no.once", name=action.ship)
    return None


def shots(battle: Scenario, state: State, action: Guns | Torpedoes) -> tuple[Shot, ...]:
    """The shots that an order to fire is made of."""
    ship, target = battle.numbers[action.ship], battle.numbers[action.target]
    if isinstance(action, Torpedoes):
        return (Shot(ship, target, True, action.number - 1),)
    return tuple(Shot(ship, target, False, weapon, firing)
                 for weapon in armed(battle, state, ship, target, action.battery)
                 for firing in _firings(battle, state, ship, weapon, action.once))


def aim(battle: Scenario, state: State, action: Guns | Torpedoes) -> Step:
    """Fire is ordered; the other side learns of it when both have ordered (rule F38)."""
    event = SAY.event("F38", "ordered", to=frozenset((state.side,)), order=str(action), ship=action.ship,
                      target=action.target)
    return replace(state, shots=(*state.shots, *shots(battle, state, action))), (event,)


def _firings(battle: Scenario, state: State, ship: int, weapon: int, once: bool) -> range:
    fired = len(gunnery.shots_of(state, ship, weapon))
    left = firings_left(battle, state, ship, weapon)
    return range(fired + 1, fired + 1 + (1 if once else left))


def next_shot(state: State) -> Shot | None:
    """The shot whose dice are thrown next; None if all have been."""
    return next((shot for shot in state.shots if shot.hits < 0), None)


def outcome(battle: Scenario, shot: Shot, hits: int) -> Hits:
    """The action that gives a shot its hits."""
    names = [battle.units[n].name for n in (shot.ship, shot.target)]
    return Hits(names[0], shot.torpedo, shot.number + 1, shot.firing, names[1], hits)


def slot(state: State, shot: Shot) -> str:
    """Names the dice of a shot: by what fires, not by when it is worked out, so that order changes nothing (F19)."""
    kind = "torpedoes" if shot.torpedo else "guns"
    return f"move {state.move} {shot.ship} {kind} {shot.number}.{shot.firing} at {shot.target}"


def throw(battle: Scenario, state: State, action: Hits) -> Step:
    """The hits of a shot are known; they take effect when all are (rule F19)."""
    shot = next_shot(state)
    assert shot is not None
    thrown, points = gunnery.dice(battle, state, shot), action.hits * gunnery.damage(battle, shot)
    facts: dict[str, Any] = {"ship": action.ship, "target": action.target, "hits": action.hits}
    facts |= {"dice": thrown, "points": points}
    if shot.torpedo:
        event = SAY.event("F17", "torpedoes", number=action.number, **facts)
        own, rest = state.ships[shot.ship], ~(1 << shot.number)
        told = own.told and replace(own.told, loaded=own.told.loaded & rest)
        state = with_ship(state, shot.ship, loaded=own.loaded & rest, told=told)
    else:
        rule = "F16" if gunnery.follows_up(state, shot) else "F15"
        event = SAY.event(rule, "salvo", gun=weapons(battle.card(shot.ship))[shot.number].gun.name, **facts)
    shots = tuple(replace(s, hits=action.hits) if s is shot else s for s in state.shots)
    return with_ship(replace(state, shots=shots), shot.ship, fired=True), (event,)


def take_effect(battle: Scenario, state: State, blows: Mapping[int, int]) -> Step:
    """All hits at once, with what fell from the air: ships sink, no matter who fired first (rule F19)."""
    points = dict(blows)
    for shot in state.shots:
        points[shot.target] = points.get(shot.target, 0) + shot.hits * gunnery.damage(battle, shot)
    events: list[Event] = []
    for boat, more_points in hunting.damage(battle, state).items():
        points[boat] = points.get(boat, 0) + more_points
    state = replace(state, shots=(), hunts=())
    for ship in sorted(points):
        state, more = hit(battle, state, ship, points[ship])
        events += more
    return state, tuple(events)
