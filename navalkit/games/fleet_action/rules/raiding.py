"""Raids: patrol and escorts, guns, then bombs, torpedoes and charges from the air (rules F53, F61 to F67)."""

from __future__ import annotations
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from navalkit.core.dist import Dist
from navalkit.core.words import Event
from navalkit.grids.square import distance
from .. import planes, sight
from ..cards import SAY
from ..craft import Bombs, CrashDive, Depth, Down, Duty, Fight, Flak, Place, Raid
from ..state import Fate, Scenario, State, Step, with_flight, with_ship
from .flying import lose, ranged
from .hunting import BREAKS
from .sailing import squares_a_move

GUARDED = 2  # squares about a patrol in which it meets attackers
CONSORTS = 1  # squares within which other ships' guns help
UNDER = 3  # the lowest die with which a boat is under in time
EARLY, HALF = 1942, 20  # aircraft's charges before that year, and their points


def weather(battle: Scenario, state: State, square: int) -> str:
    """What the dice of a raid go by."""
    if sight.is_night(battle, state.move):
        return "night"
    return "rough" if sight.rough(battle, state, square) else "good"


# The order of a raid (F65) --------------------------------------------------------------------------------------

def begin(battle: Scenario, state: State) -> State:
    """The state with all raids and fights of this move set out; everybody now sees what the flights are."""
    attackers = [n for n, own in enumerate(state.flights) if own.duty is Duty.ATTACK and own.acted and own.count]
    targets = sorted({state.flights[n].mark for n in attackers})
    fights = [fight for ship in targets for fight in _fights(battle, state, ship, attackers)]
    raids = [Raid(n, state.flights[n].mark) for n in attackers if not battle.flights[n].fighter]
    for n in {*attackers, *(fight.flight for fight in fights), *(fight.other for fight in fights)}:
        state = with_flight(state, n, shown=True)
    return replace(state, fights=tuple(fights), raids=tuple(raids))


def _fights(battle: Scenario, state: State, ship: int, attackers: list[int]) -> Iterator[Fight]:
    """Escorts pair off with the patrol, a die each; those left over fire on (rules F61, F64)."""
    square, side = state.ships[ship].square, battle.side(ship)
    met = _met(battle, state, side, square)
    raid = [n for n in attackers if state.flights[n].mark == ship]
    escorts = [[n, state.flights[n].count] for n in raid if battle.flights[n].fighter]
    bombers = [[n, state.flights[n].count] for n in raid if not battle.flights[n].fighter]
    first = met[0][0] if met else -1

    def needs(own: int, other: int) -> int:
        return planes.fight_need(battle.flights[own].plane.grade, battle.flights[other].plane.grade)

    for fighter in met:
        while fighter[1] and escorts:
            pairs = min(fighter[1], escorts[0][1])
            yield Fight(escorts[0][0], fighter[0], pairs, needs(escorts[0][0], fighter[0]))
            yield Fight(fighter[0], escorts[0][0], pairs, needs(fighter[0], escorts[0][0]))
            fighter[1] -= pairs
            escorts[0][1] -= pairs
            if not escorts[0][1]:
                escorts.pop(0)
        while fighter[1] and bombers:
            free = fighter[1] if len(bombers) == 1 else min(fighter[1], bombers[0][1])
            yield Fight(fighter[0], bombers[0][0], free, needs(fighter[0], bombers[0][0]))
            gunners = -(-state.flights[bombers[0][0]].count // planes.TO_A_DIE)
            yield Fight(bombers[0][0], fighter[0], gunners, 6)
            fighter[1] -= free
            if len(bombers) > 1:
                bombers.pop(0)
    for n, left in escorts:
        if first >= 0:
            yield Fight(n, first, left, needs(n, first))


def _met(battle: Scenario, state: State, side: int, square: int) -> list[list[int]]:
    """The fighters of each patrol that meets what attacks a square: with radar all, else half, by night none (F61)."""
    here = weather(battle, state, square)
    radar = any(battle.card(n).radar and state.ships[n].fate is Fate.AT_SEA
                and distance(battle.grid, square, state.ships[n].square) <= GUARDED for n in battle.fleet(side))
    found = []
    for n, own in enumerate(state.flights):
        near = own.place is Place.ALOFT and distance(battle.grid, own.square, square) <= GUARDED
        if battle.flights[n].side == side and own.duty is Duty.PATROL and near:
            if fighters := planes.engaged(own.count, radar, here):
                found.append([n, fighters])
    return found


def due(battle: Scenario, state: State) -> tuple[str, int] | None:
    """Which dice of a raid are thrown next: of which fight or raid; None if all are."""
    for number, fight in enumerate(state.fights):
        if fight.down < 0:
            return "fight", number
    for number, raid in enumerate(state.raids):
        if raid.off < 0:
            return "flak", number
    for number, raid in enumerate(state.raids):
        boat = battle.card(raid.target).boat
        if raid.hits < 0 and boat and raid.dive < 0:
            return "dive", number
        if raid.hits < 0:
            return "drop", number
    return None


# Dice -----------------------------------------------------------------------------------------------------------

def chance(battle: Scenario, state: State) -> Dist[Any]:
    """The dice that are due."""
    found = due(battle, state)
    assert found is not None
    what, number = found
    if what == "fight":
        fight = state.fights[number]
        names = battle.flights[fight.flight].name, battle.flights[fight.other].name
        return planes.binomial(fight.dice, fight.need).map(lambda down: Down(*names, down))
    raid = state.raids[number]
    ship, flight = battle.units[raid.target].name, battle.flights[raid.flight].name
    if what == "flak":
        dice = guns(battle, state, raid)
        return planes.flak(state.flights[raid.flight].count, dice).map(lambda off: Flak(ship, flight, *off))
    if what == "dive":
        return Dist.uniform(CrashDive(ship, pips) for pips in range(1, 7))
    left = state.flights[raid.flight].count - raid.off
    if battle.card(raid.target).boat:
        caught = planes.binomial(left, 6)
        under = _telling(left)
        return (caught if raid.dive < UNDER else under).map(lambda hits: Bombs(flight, ship, hits, hits))
    weapon, _, _ = battle.flights[raid.flight].drops
    tells = weapon != "torpedo" and bool(ranged(battle, state, raid.target))
    drops = planes.drop(left, lowest(battle, state, raid.target), weapon, tells)
    return drops.map(lambda hits: Bombs(flight, ship, *hits))


def _telling(aircraft: int) -> Dist[int]:
    """Second sixes, a die for each aircraft."""
    return planes.binomial(aircraft, 6).bind(lambda sixes: planes.binomial(sixes, 6))


def guns(battle: Scenario, state: State, raid: Raid) -> int:
    """The dice of the target's guns and her consorts' at a flight (rule F62); ships in harbour fire too."""
    square, side = state.ships[raid.target].square, battle.side(raid.target)
    mates = [battle.card(n) for n in battle.fleet(side) if n != raid.target and state.ships[n].fate is Fate.AT_SEA
             and not state.ships[n].dived and distance(battle.grid, square, state.ships[n].square) <= CONSORTS]
    level = battle.flights[raid.flight].level
    return planes.flak_dice(battle.card(raid.target), mates, weather(battle, state, square), level)


def lowest(battle: Scenario, state: State, target: int) -> int:
    """The lowest die that hits a ship from the air (rule F66)."""
    harbour = state.ships[target].square in battle.harbours[battle.side(target)]
    return planes.need(squares_a_move(battle, state, target), harbour)


def slot(battle: Scenario, state: State) -> str:
    """Names the dice of a raid."""
    found = due(battle, state)
    assert found is not None
    what, number = found
    if what == "fight":
        fight = state.fights[number]
        return f"move {state.move} fight {number} {fight.flight} {fight.other}"
    raid = state.raids[number]
    return f"move {state.move} {what} {raid.flight} {raid.target}"


# What they do ---------------------------------------------------------------------------------------------------

def fought(battle: Scenario, state: State, action: Down) -> Step:
    """A fight's dice are known; who is hit is lost once all have fought."""
    _, number = due(battle, state) or ("", 0)
    fights = list(state.fights)
    fights[number] = replace(fights[number], down=action.down)
    state = replace(state, fights=tuple(fights))
    facts: dict[str, Any] = {"flight": action.flight, "other": action.other, "down": action.down}
    event = SAY.event("F64", "fight", dice=fights[number].dice, **facts)
    if all(fight.down >= 0 for fight in fights):
        down: dict[int, int] = {}
        for fight in fights:
            down[fight.other] = down.get(fight.other, 0) + fight.down
        for flight, lost in down.items():
            state = lose(state, flight, min(lost, state.flights[flight].count))
        raids = tuple(raid for raid in state.raids if state.flights[raid.flight].count)
        state = replace(state, raids=raids)
    return state, (event,)


def shot_at(battle: Scenario, state: State, action: Flak) -> Step:
    """What the guns break off does not drop; some of it is lost (rule F63)."""
    _, number = due(battle, state) or ("", 0)
    raid = state.raids[number]
    state = _put(state, number, replace(raid, off=action.off - action.lost))
    state = lose(state, raid.flight, action.lost)
    if not state.flights[raid.flight].count:
        state = replace(state, raids=tuple(r for r in state.raids if r.flight != raid.flight))
    facts: dict[str, Any] = {"ship": action.ship, "flight": action.flight, "off": action.off, "lost": action.lost}
    return state, (SAY.event("F63", "flak", **facts),)


def dived(battle: Scenario, state: State, action: CrashDive) -> Step:
    """A boat is under in time, or caught (rule F53)."""
    _, number = due(battle, state) or ("", 0)
    ship = battle.numbers[action.ship]
    raids = tuple(replace(raid, dive=action.pips) if raid.target == ship else raid for raid in state.raids)
    under = action.pips >= UNDER
    if under:
        state = with_ship(state, ship, depth=Depth.DEEP, announced=True)
    key = "under" if under else "caught"
    return replace(state, raids=raids), (SAY.event("F53", key, ship=action.ship, pips=action.pips),)


def dropped(battle: Scenario, state: State, action: Bombs) -> Step:
    """Bombs and torpedoes have hit or missed; they take effect with all else of the move (rules F66, F67)."""
    _, number = due(battle, state) or ("", 0)
    raid = replace(state.raids[number], hits=action.hits, telling=action.telling)
    state = with_flight(_put(state, number, raid), raid.flight, loaded=False)
    facts: dict[str, Any] = {"flight": action.flight, "target": action.target, "hits": action.hits}
    facts |= {"telling": action.telling, "points": points(battle, raid)}
    events: list[Event] = [SAY.event("F66", "bombs", **facts)]
    return state, tuple(events)


def points(battle: Scenario, raid: Raid) -> int:
    """Damage points of what a flight has dropped."""
    squadron, card = battle.flights[raid.flight], battle.card(raid.target)
    if card.boat:
        return raid.hits * (HALF if squadron.plane.year < EARLY else BREAKS["charges"])
    weapon, load, piercing = squadron.drops
    each = planes.points_of(card, weapon, load, piercing)
    return each * (raid.hits + (planes.TELLS - 1) * raid.telling)


def damage(battle: Scenario, state: State) -> dict[int, int]:
    """Ship -> damage points of this move's raids."""
    found: dict[int, int] = {}
    for raid in state.raids:
        found[raid.target] = found.get(raid.target, 0) + points(battle, raid)
    return found


def aftermath(battle: Scenario, state: State) -> Step:
    """What raids do besides damage: screws wrecked, and flights that burn on deck (rules F66, F67)."""
    events: list[Event] = []
    for raid in state.raids:
        name = battle.units[raid.target].name
        torpedo = not battle.card(raid.target).boat and battle.flights[raid.flight].drops[0] == "torpedo"
        if torpedo and raid.telling and not state.ships[raid.target].screws:
            state = with_ship(state, raid.target, screws=True)
            events.append(SAY.event("F66", "screws", ship=name))
        if not torpedo and raid.hits:
            for flight in ranged(battle, state, raid.target):
                squadron, lost = battle.flights[flight], state.flights[flight].count
                state = lose(state, flight, lost)
                events.append(SAY.event("F67", "burn", ship=name, flight=squadron.name, n=lost))
    return replace(state, raids=(), fights=()), tuple(events)


def _put(state: State, number: int, raid: Raid) -> State:
    raids = list(state.raids)
    raids[number] = raid
    return replace(state, raids=tuple(raids))
