"""What an order of a battle with boats and aircraft would do, exactly, before it is given; and orders to many at once.

Everything is calculated from what a side knows: guns of ships it does not see, and fighters whose task it does not
know, are not in it.
"""

from __future__ import annotations
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from navalkit.core.dist import Dist
from navalkit.grids.square import distance
from .. import planes, prospects, sight
from ..craft import Attack, Duty, Launch, Patrol, Raid, Range, Seek
from ..prospects import Prospect, left, volley
from ..rules import flying, hunting, raiding
from ..rules.play import value
from ..sight import Observation
from ..state import HIDDEN, Action, Fate, Guns, Scenario, State, Torpedoes
from . import SAY

Aimed = Guns | Torpedoes | Attack
"""An order that has a target."""
Blow = Dist[tuple[int, bool]]
"""Damage points, and whether the screws are wrecked."""
T = TypeVar("T", bound=Action)
MOST = 2  # orders to all of a kind, at the targets where they bring most


@dataclass(frozen=True, slots=True)
class Search:
    """What a hunter's search of a square does if a boat is there."""

    heard: Fraction  # that she is heard
    oil: Fraction  # that she is then shaken, so that she leaves oil
    breaks: Fraction  # that she is heard, and broken: `points` of damage at least
    points: int  # of what breaks her; 0 where nothing is dropped


def search(seen: Observation, order: Seek) -> Search:
    """What a search does if a dived boat is in that square (rules F50 to F52)."""
    battle, state = seen.battle, seen.view
    ship = battle.numbers[order.ship]
    own, gear = state.ships[ship], hunting.gear_of(battle, ship)
    assert gear is not None
    square = battle.grid.number(order.square)
    away, rough = distance(battle.grid, own.square, square), sight.rough(battle, state, own.square)
    heard = hunting.contact(gear, away, rough)
    if away or not own.patterns:
        return Search(heard, Fraction(0), Fraction(0), 0)
    thrown = hunting.pattern(gear)
    oil, told = (thrown.chance(lambda sixes, n=n: sixes[n] > 0) for n in (0, 1))  # type: ignore[misc]
    return Search(heard, heard * oil, heard * told, hunting.BREAKS[gear.weapon])


# Attacks from the air -------------------------------------------------------------------------------------------

def _in_sight(state: State) -> State:
    """The state without the ships whose places are not known: their guns count for nothing."""
    ships = tuple(replace(ship, fate=Fate.WAITING) if ship.square == HIDDEN else ship for ship in state.ships)
    return replace(state, ships=ships)


@lru_cache(maxsize=2048)
def blow(battle: Scenario, state: State, flight: int, target: int) -> Blow:
    """What a flight does to a ship that no fighters guard: first her guns and her consorts', then what it drops (rules
    F53, F62 to F67)."""
    known = _in_sight(state)
    raid, count = Raid(flight, target), state.flights[flight].count
    dice, squadron = raiding.guns(battle, known, raid), battle.flights[flight]
    after = planes.flak(count, dice).map(lambda off: count - off[0])
    if battle.card(target).boat:
        return after.bind(lambda n: _charges(battle, raid, n))
    weapon, _, _ = squadron.drops
    tells = weapon != "torpedo" and bool(flying.ranged(battle, known, target))
    lowest = raiding.lowest(battle, known, target)

    def done(hits: tuple[int, int]) -> tuple[int, bool]:
        points = raiding.points(battle, replace(raid, hits=hits[0], telling=hits[1]))
        return points, weapon == "torpedo" and hits[1] > 0

    return after.bind(lambda n: planes.drop(n, lowest, weapon, tells).map(done))


def _charges(battle: Scenario, raid: Raid, aircraft: int) -> Blow:
    """Of that many aircraft over a surfaced boat: caught a six hits, under in time a telling one alone."""
    caught = planes.binomial(aircraft, 6)
    under = caught.bind(lambda sixes: planes.binomial(sixes, 6))
    hits = Dist({True: raiding.UNDER - 1, False: 7 - raiding.UNDER}).bind(lambda early: caught if early else under)
    return hits.map(lambda n: (raiding.points(battle, replace(raid, hits=n, telling=n)), False))


@lru_cache(maxsize=512)
def together(battle: Scenario, state: State, flights: tuple[int, ...], target: int) -> Blow:
    """What several flights do to a ship in one move."""
    most, done = left(battle, state, target), Dist.point((0, False))
    for flight in flights:
        both = done.product(blow(battle, state, flight, target))
        done = both.map(lambda two: (min(two[0][0] + two[1][0], most), two[0][1] or two[1][1]))
    return done


def bound(seen: Observation, target: int) -> tuple[int, ...]:
    """The own flights that have been ordered at a ship in this move, but for escorts."""
    return tuple(n for n, own in enumerate(seen.view.flights)
                 if own.duty is Duty.ATTACK and own.mark == target and own.acted and bombs(seen.battle, n))


def bombs(battle: Scenario, flight: int) -> bool:
    """Whether a flight drops something: fighters escort."""
    return not battle.flights[flight].fighter


@lru_cache(maxsize=4096)
def _raid(battle: Scenario, state: State, flight: int, target: int, others: tuple[int, ...]) -> Prospect:
    own = blow(battle, state, flight, target)
    most = left(battle, state, target)
    all_of_it = own if not others else together(battle, state, (*others, flight), target)
    return Prospect(own.chance(lambda hit: hit[0] > 0), own.map(lambda hit: hit[0]).mean,
                    all_of_it.chance(lambda hit: hit[0] >= most))


def foretold(seen: Observation, order: Aimed) -> Prospect:
    """What a legal order at a ship does to her; an escort does nothing to her."""
    battle, state = seen.battle, seen.view
    if not isinstance(order, Attack):
        return prospects.prospect(battle, state, order)
    flight, target = battle.wings[order.flight], battle.numbers[order.target]
    if not bombs(battle, flight):
        return Prospect(Fraction(0), Fraction(0), Fraction(0))
    return _raid(battle, state, flight, target, bound(seen, target))


def fire_reason(seen: Observation, order: Guns | Torpedoes) -> str:
    """How far off the target is, what a firing does to it by itself, and what is left to be done; or, where other fire
    at the target is ordered already, what all of it does: that is the chance to sink on the order's button."""
    battle, state, found = seen.battle, seen.view, prospects.prospect(seen.battle, seen.view, order)
    ship, target = battle.numbers[order.ship], battle.numbers[order.target]
    n = distance(battle.grid, state.ships[ship].square, state.ships[target].square)
    before = any(shot.target == target and battle.side(shot.ship) == seen.me for shot in state.shots)
    more = (SAY("because.fire.ordered", sink=float(found.sink)) if before else
            SAY("because.fire.left", left=left(battle, state, target)))
    return SAY("because.fire" if n else "because.fire.here", target=order.target, n=n, hit=float(found.hit),
               mean=float(found.mean), more=more)


# Orders to many at once -----------------------------------------------------------------------------------------

@dataclass(frozen=True, slots=True)
class Fleet:
    """Several orders that one press gives, one after the other."""

    kind: str  # "fire", "strike", "guard", "launch", "range" or "hunt"
    orders: tuple[Action, ...]
    target: str = ""  # whom they are about, where it is one ship
    told: Prospect | None = None  # what all of it does to her

    def __str__(self) -> str:
        return "; ".join(map(str, self.orders))


def fire_at(seen: Observation, legal: Sequence[Action], target: int) -> Fleet | None:
    """All guns that bear on an enemy and have not fired yet; None where that is not two ships' at least."""
    name = seen.battle.units[target].name
    guns = tuple(order for order in _of(legal, Guns) if order.target == name and not order.battery and not order.once)
    if len(guns) < 2:
        return None
    battle, state = seen.battle, seen.view
    fire = sum((volley(battle, state, order) for order in guns), prospects.Volley())
    sinks = (prospects.ordered(battle, state, target) + fire).sinks(left(battle, state, target))
    return Fleet("fire", guns, name, Prospect(fire.hit, fire.mean, sinks))


def strike_at(seen: Observation, legal: Sequence[Action], target: int) -> Fleet | None:
    """All that is aloft, armed and in reach of an enemy; fighters that guard nobody go with it."""
    battle, state, name = seen.battle, seen.view, seen.battle.units[target].name
    going = [order for order in _of(legal, Attack) if order.target == name]
    strikers = tuple(battle.wings[order.flight] for order in going if bombs(battle, battle.wings[order.flight]))
    if len(going) < 2 or not strikers:
        return None
    going = [order for order in going if bombs(battle, battle.wings[order.flight])
             or state.flights[battle.wings[order.flight]].duty is not Duty.PATROL]
    all_of_it, most = together(battle, state, (*bound(seen, target), *strikers), target), left(battle, state, target)
    new = together(battle, state, strikers, target)
    found = Prospect(new.chance(lambda hit: hit[0] > 0),
                     sum((blow(battle, state, n, target).map(lambda hit: hit[0]).mean for n in strikers), Fraction(0)),
                     all_of_it.chance(lambda hit: hit[0] >= most))
    return Fleet("strike", tuple(going), name, found)


def guard(seen: Observation, legal: Sequence[Action], ship: int) -> Fleet | None:
    """All fighters aloft that do not guard a ship yet, over her."""
    name = seen.battle.units[ship].name
    idle = tuple(order for order in _of(legal, Patrol) if order.target == name
                 and seen.view.flights[seen.battle.wings[order.flight]].mark != ship)
    return Fleet("guard", idle, name) if len(idle) > 1 else None


def decks(seen: Observation, legal: Sequence[Action], kind: type[Launch] | type[Range]) -> Fleet | None:
    """All that is ranged goes up, or all that has room is ranged: as many as the decks take."""
    battle, state, given = seen.battle, seen.view, list[Action]()
    for order in _of(legal, kind):
        called = isinstance(order, Launch) and battle.flights[battle.wings[order.flight]].base < 0
        if not called and flying.why_not(battle, state, order) is None:
            state, _ = flying.act(battle, state, order)
            given.append(order)
    return Fleet("launch" if kind is Launch else "range", tuple(given)) if len(given) > 1 else None


def hunts(seen: Observation, legal: Sequence[Action]) -> Fleet | None:
    """Every hunter that can listen does so in her own square."""
    ships, names = seen.view.ships, seen.battle.grid.names
    own = tuple(order for order in _of(legal, Seek)
                if order.square == names[ships[seen.battle.numbers[order.ship]].square])
    return Fleet("hunt", own) if len(own) > 1 else None


def fleet_orders(seen: Observation, legal: Sequence[Action]) -> Iterator[Fleet]:
    """The orders to many at once that can be given now, of a kind those that bring most."""
    def best(make: Callable[[Observation, Sequence[Action], int], Fleet | None], ships: Iterable[int]) -> list[Fleet]:
        found = [(n, fleet) for n in ships if (fleet := make(seen, legal, n)) is not None]
        return [fleet for _, fleet in sorted(found, key=lambda each: gain(seen, *each), reverse=True)]

    foes, own = seen.battle.fleet(1 - seen.me), seen.battle.fleet(seen.me)
    yield from best(fire_at, foes)[:MOST]
    yield from best(strike_at, foes)[:MOST]
    yield from filter(None, (decks(seen, legal, kind) for kind in (Launch, Range)))
    yield from best(guard, own)[:1]
    if (all_hunt := hunts(seen, legal)) is not None:
        yield all_hunt


def gain(seen: Observation, target: int, what: Fleet | Prospect | None) -> tuple[Fraction, Fraction, int]:
    """By what orders at several ships are compared: the points that the scenario gives for what they do, as far as a
    mean tells it; then the damage, and the worth of the ship."""
    battle, told, points = seen.battle, what.told if isinstance(what, Fleet) else what, Fraction(0)
    worth = value(battle, target)
    if told is None:  # of an own ship what is lost with her
        lost = (aim.points or worth for aim in battle.objectives if target in aim.of and aim.aim in ("sink", "survive"))
        return Fraction(sum(lost)), points, worth
    for aim in battle.objectives:
        if aim.side == seen.me and target in aim.of and aim.aim in ("sink", "damage"):
            share = told.sink if aim.aim == "sink" else 4 * told.mean / battle.card(target).sinking_rate
            points += (aim.points or worth) * min(share, Fraction(4))
    return points, told.mean, worth


def _of(legal: Sequence[Action], kind: type[T]) -> list[T]:
    return [order for order in legal if isinstance(order, kind)]
