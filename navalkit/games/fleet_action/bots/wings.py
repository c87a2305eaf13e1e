"""What captains do with their flights: search, strike together, escort, guard, and bring them home (rules F54 to F67).

Flights are ordered one by one, those first whose order tells most to the others: landings that cannot wait, searches,
strikes with their escorts, launches and patrols, then decks. Each strike is weighed by what is left of it after patrol
and guns, and by what it may then do to the ship; it waits for those that could go with it, if a patrol is there.
"""

from __future__ import annotations
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from navalkit.core.trace import Decision, Fact, Finding, Mark, Option
from navalkit.grids.square import distance, line
from .. import sight
from ..craft import Attack, Duty, Fly, Land, Launch, Patrol, Place, Raid, Range
from ..rules import raiding
from ..state import Action, Done, weapons
from .air import SPARE, Air
from .belief import SAY
from .orders import points
from .sea import Sea

URGENT, SEARCH, STRIKE, ESCORT, CALL, LAUNCH, GUARD, HOME, DECK, GO, FOLLOW = range(11)
"""What is ordered first."""
EDGE = 1  # squares short of as far as it can go to which a scout goes
TOGETHER = 2  # moves for which a strike waits for others


@dataclass(frozen=True, slots=True)
class Wish:
    """The order that a flight would be given, and why."""

    rank: int
    action: Action
    worth: float  # in points of the scenario
    key: str  # of the sentence that says why
    target: str = ""


def fly(sea: Sea, legal: Sequence[Action], name: str) -> Decision:
    """The next order to a flight, with what the others wait for."""
    air = Air(sea, legal)
    wishes = [wish for n in air.own if not sea.view.flights[n].acted and (wish := _wish(air, n)) is not None]
    if not wishes:
        return Decision(Done(), name, _why_done(air), options=(Option(Done()),), unit=SAY("unit.points"))
    wishes.sort(key=lambda wish: (wish.rank, -wish.worth))
    best = wishes[0]
    flight = best.action.flight  # type: ignore[union-attr]
    why = {"attack": _why_attack, "patrol": _why_patrol, "call": _why_call}.get(best.key)
    reason = why(air, best) if why else SAY(f"why.{best.key}", flight=flight, target=best.target)
    options = tuple(_option(air, wish, SAY("not.flight") if wish is not best else "") for wish in wishes)
    return Decision(best.action, name, reason, tuple(_findings(air, best)), options, SAY("unit.points"))


def worth(sea: Sea, legal: Sequence[Action], action: Action) -> Option:
    """What an order to a flight is worth that the decision does not tell of."""
    if isinstance(action, Attack):
        air = Air(sea, legal)
        n, ship = sea.battle.wings[action.flight], sea.battle.numbers[action.target]
        if not sea.battle.flights[n].fighter:
            return Option(action, air.strike(n, ship), (_fact(air, n, ship),), SAY("not.less"))
    return Option(action, 0.0 if isinstance(action, Done) else None, (), SAY("not.flight"))


def _wish(air: Air, n: int) -> Wish | None:
    own, squadron = air.flight(n)
    if own.place is Place.ALOFT:
        if squadron.fighter:
            return _home(air, n) or _escort(air, n) or _follow(air, n) or _guard(air, n)
        if "floatplane" in squadron.plane.roles:
            return _home(air, n) or _spot(air, n)
        return _home(air, n) or _strike(air, n) or _search(air, n) or _go(air, n)
    if air.may(Launch(squadron.name)):
        return _launch(air, n)
    base = air.battle.units[squadron.base].name if squadron.base >= 0 else ""
    if air.may(Range(base, squadron.name)) and _goes(air, n, 1):
        return Wish(DECK, Range(base, squadron.name), 1.0, "range")
    return None


# Home ------------------------------------------------------------------------------------------------------------

def _home(air: Air, n: int) -> Wish | None:
    """A flight lands that has nothing to drop, or could not come home later."""
    own, squadron = air.flight(n)
    last = own.moves - 1 <= air.back(n, own.square) + (SPARE if squadron.base >= 0 else 0)
    useless = not own.loaded and squadron.armed and "floatplane" not in squadron.plane.roles
    if not (last or useless) or (squadron.base < 0 and squadron.fighter and own.moves > 1):
        return None
    bases = [action for action in air.legal if isinstance(action, Land) and action.flight == squadron.name]
    if bases:
        base = air.battle.units[squadron.base].name if squadron.base >= 0 else "home"
        action = min(bases, key=lambda land: (land.base != base, land.base))
        return Wish(URGENT if last else HOME, action, 1.0, "land", action.base)
    homes = air.homes(n)
    if not homes:
        return None
    goal = min(homes, key=lambda square: distance(air.grid, own.square, square))
    return _fly(air, n, goal, "homeward", URGENT if last else HOME)


def _fly(air: Air, n: int, goal: int, key: str, rank: int, short: int = 0) -> Wish | None:
    """A flight goes towards a square, as far as it may, and stops that many squares short of it."""
    own, squadron = air.flight(n)
    away = distance(air.grid, own.square, goal)
    far = air.sea.chart.distance
    may = (far[own.square] <= squadron.plane.squares) & (far[goal] >= min(short, away))
    if key != "homeward":
        may &= air.spared(n)
    way = np.flatnonzero(may)
    rows, columns = np.divmod(way, air.grid.columns)
    row, column = air.grid.place(goal)
    straight = (rows - row) ** 2 + (columns - column) ** 2  # of those as near, the one on the straight line
    best = int(way[np.lexsort((way, straight, far[goal][way]))[0]]) if way.size else own.square
    if best == own.square:
        return None
    action = Fly(squadron.name, air.grid.names[best])
    return Wish(rank, action, 0.5, key, air.grid.names[goal]) if air.may(action) else None


# Strikes ---------------------------------------------------------------------------------------------------------

def _marks(air: Air, n: int) -> list[tuple[float, int, Attack]]:
    """The ships that a flight can attack and come home from, each with what that is worth."""
    own, squadron = air.flight(n)
    found = []
    for ship in air.targets:
        action = Attack(squadron.name, air.battle.units[ship].name)
        if own.loaded and squadron.armed and air.may(action) and (
                air.spare(n, air.view.ships[ship].square) or own.moves < 3 or squadron.base < 0):
            found.append((air.strike(n, ship, air.strikers(ship)), ship, action))
    return found


def _strike(air: Air, n: int) -> Wish | None:
    """The attack that is worth most; against a patrol it waits for those who could come with it."""
    own, squadron = air.flight(n)
    found = _marks(air, n)
    if not found:
        return None
    value, ship, action = max(found, key=lambda row: (row[0], -row[1]))
    dearer = air.wanted and air.hidden.any() and own.moves > 2 * TOGETHER + air.back(n, own.square)
    if dearer and air.sea.stakes.value[ship] < max(air.sea.stakes.value[k] for k in air.sea.belief.ships) / 2:  # type: ignore[union-attr]
        return None
    now, soon = air.strikers(ship), air.strikers(ship, TOGETHER)
    waits = air.sea.figures["wave"] and air.guards(ship) > 0 and now < air.sea.figures["wave"] * soon
    if waits and own.moves > TOGETHER + air.back(n, own.square) + SPARE and air.view.move + TOGETHER < air.battle.moves:
        return None
    return Wish(STRIKE, action, value, "attack", action.target)


def _escort(air: Air, n: int) -> Wish | None:
    """Fighters go with bombers that attack, all but those that guard."""
    own, squadron = air.flight(n)
    if _keeper(air, n):
        return None
    marks = [air.view.flights[k].mark for k in air.own if air.view.flights[k].duty is Duty.ATTACK
             and air.view.flights[k].acted and not air.battle.flights[k].fighter]
    for ship in sorted(set(marks), key=lambda mark: -marks.count(mark)):
        action = Attack(squadron.name, air.battle.units[ship].name)
        if air.may(action) and air.spare(n, air.view.ships[ship].square) and air.view.ships[ship].square >= 0:
            return Wish(ESCORT, action, 1.0, "escort", action.target)
    return None


def _follow(air: Air, n: int) -> Wish | None:
    """Escorts keep with the bombers of their base until these attack."""
    own, squadron = air.flight(n)
    bombers = [k for k in air.bombers() if air.battle.flights[k].base == squadron.base]
    if _keeper(air, n) or not bombers:
        return None
    lead = max(bombers, key=lambda k: (air.view.flights[k].count, -k))
    goal = air.view.flights[lead].square
    if distance(air.grid, own.square, goal) <= 1:
        return None
    return _fly(air, n, goal, "follow", FOLLOW)


def _keeper(air: Air, n: int) -> bool:
    """Whether a fighter flight guards rather than escorts: the first of each base, where the enemy has aircraft."""
    squadron = air.battle.flights[n]
    threatened = any(other.side != air.me and other.armed and not other.fighter for other in air.battle.flights)
    mates = [k for k in air.own if air.battle.flights[k].fighter and air.battle.flights[k].base == squadron.base]
    strikers = any(air.battle.flights[k].armed and not air.battle.flights[k].fighter for k in air.own)
    return threatened and (not strikers or n == mates[0])


def _search(air: Air, n: int) -> Wish | None:
    """A scout flies where it sees most of what is looked for."""
    own, squadron = air.flight(n)
    if "scout" not in squadron.plane.roles or not (air.wanted and air.hidden.any()):
        return None
    best, most = None, 0.0
    away, squares = air.sea.chart.distance[own.square], squadron.plane.squares
    for square in np.flatnonzero((squares - EDGE <= away) & (away <= squares) & (away > 0) & air.spared(n)).tolist():
        passed = [own.square, *line(air.grid, own.square, square).squares, square]
        near = air.sea.chart.distance[passed].min(axis=0) <= sight.FROM_ABOVE
        worth = float(air.hidden[near].sum())
        if worth > most + 1e-9:
            best, most = square, worth
    if best is None:
        return None
    action = Fly(squadron.name, air.grid.names[best])
    return Wish(SEARCH, action, most, "scout", action.square) if air.may(action) else None


def _go(air: Air, n: int) -> Wish | None:
    """Towards the enemy, as far as it can come home from; or home, if there is none that it can reach."""
    own, squadron = air.flight(n)
    goal = air.aim(n)
    if goal < 0 or not own.loaded:
        return None
    short = min(squadron.plane.squares - 2, distance(air.grid, own.square, goal))
    return _fly(air, n, goal, "go", GO, max(0, short))


def _spot(air: Air, n: int) -> Wish | None:
    """A floatplane stays by the enemy at which its ship's guns may fire, or scouts."""
    own, squadron = air.flight(n)
    base = air.view.ships[squadron.base].square
    near = min(air.targets, key=lambda ship: (distance(air.grid, base, air.view.ships[ship].square), ship),
               default=None)
    if near is None or base < 0:
        return _search(air, n)
    square = air.view.ships[near].square
    if distance(air.grid, own.square, square) <= sight.SPOTS:
        return None
    return _fly(air, n, square, "spot", GO, sight.SPOTS)


# Patrols, launches and decks -----------------------------------------------------------------------------------

def _guard(air: Air, n: int) -> Wish | None:
    """A patrol over the place where it guards most; it stays there."""
    own, squadron = air.flight(n)
    if not any(other.side != air.me and not other.fighter for other in air.battle.flights):
        return None
    at = {ship: air.view.ships[ship].square for ship in air.sea.own if not air.view.ships[ship].dived}
    guarded = _guarded(air)
    if own.duty is Duty.PATROL and own.mark in guarded and guarded[own.mark] >= max(guarded.values()) - 1e-9 \
            and at[own.mark] == own.square:
        return None
    if not guarded:
        return None
    base = squadron.base if squadron.base in guarded else -1
    ships = sorted(guarded, key=lambda ship: (-guarded[ship], ship != base, ship))
    if base >= 0 and guarded[base] >= 0.5 * guarded[ships[0]]:
        ships.insert(0, base)
    for ship in ships:
        action = Patrol(squadron.name, air.battle.units[ship].name)
        if air.may(action):
            if own.duty is Duty.PATROL and own.mark == ship and at[ship] == own.square:
                return None
            return Wish(GUARD, action, guarded[ship], "patrol", action.target)
    return _fly(air, n, at[ships[0]], "go", GUARD)


def _covered(air: Air, ship: int) -> list[int]:
    """The own ships that a patrol over one of them guards, herself among them."""
    square = air.view.ships[ship].square
    return [other for other in air.sea.own if not air.view.ships[other].dived
            and distance(air.grid, square, air.view.ships[other].square) <= raiding.GUARDED]


def _guarded(air: Air) -> dict[int, float]:
    """Own ship -> the worth of all that a patrol over her guards."""
    value = air.sea.stakes.value
    return {ship: sum(value[other] for other in _covered(air, ship)) for ship in air.sea.own
            if not air.view.ships[ship].dived}


def _launch(air: Air, n: int) -> Wish | None:
    own, squadron = air.flight(n)
    action = Launch(squadron.name)
    if squadron.base < 0:
        return Wish(CALL, action, 1.0, "call") if _called(air, n) else None
    if "floatplane" in squadron.plane.roles:
        square = air.view.ships[squadron.base].square
        guns = [weapon.gun.range for weapon in weapons(air.battle.card(squadron.base)) if weapon.battery == "main"]
        far = max(guns, default=0) + squadron.plane.squares
        near = any(distance(air.grid, square, air.view.ships[ship].square) <= far for ship in air.targets)
        useful = near and bool(guns) or air.wanted
        goes = useful and not sight.foggy(air.battle, air.view, square)
        return Wish(LAUNCH, action, 1.0, "catapult") if goes else None
    return Wish(LAUNCH, action, 1.0, "launch") if _goes(air, n, 0) else None


def _called(air: Air, n: int) -> bool:
    """Whether fighters are called from over the horizon: so that they are there when the first strike can be."""
    strikes, call = _bombers(air), air.battle.flights[n].call
    return _in_sight(air) or min(strikes, default=0) <= air.view.move + call + int(air.sea.figures["call"])


def _bombers(air: Air) -> list[int]:
    """In which moves enemy flights that are no fighters come onto the board; 0 for those that begin on it."""
    return [other.enters for other in air.battle.flights if other.side != air.me and not other.fighter]


def _in_sight(air: Air) -> bool:
    """Whether an enemy flight is in sight."""
    return bool(air.sea.seen.sky) or any(own.shown and own.place is Place.ALOFT for own in air.view.flights)


def _goes(air: Air, n: int, moves: int) -> bool:
    """Whether a flight has something to do aloft, launched after that many moves."""
    own, squadron = air.flight(n)
    left = air.battle.moves - air.view.move - moves
    if squadron.fighter:
        if _keeper(air, n):
            return left > 0 and not _relieved(air, n)
        return left > 1 and any(air.battle.flights[k].base == squadron.base and not air.battle.flights[k].fighter
                                and air.view.flights[k].loaded
                                and air.view.flights[k].place in (Place.RANGED, Place.ALOFT)
                                for k in air.own)
    if squadron.plane.weapon == "charges":
        return bool(air.battle.boats)
    goal = air.aim(n)
    if goal < 0:
        return False
    away = distance(air.grid, air.view.ships[squadron.base].square, goal)
    out = ceil(away / squadron.plane.squares)
    return out + 1 <= left and 2 * out + SPARE <= squadron.plane.moves


def _relieved(air: Air, n: int) -> bool:
    """Whether another patrol of that base is aloft for some moves more, and enough of them."""
    base = air.battle.flights[n].base
    return any(k != n and air.battle.flights[k].fighter and air.battle.flights[k].base == base
               and air.view.flights[k].duty is Duty.PATROL and air.view.flights[k].moves > 3 for k in air.own)


# Reasons ---------------------------------------------------------------------------------------------------------

def _why_done(air: Air) -> str:
    """Why no flight has an order; where one in the air keeps its load because nobody is known to drop it on, that."""
    full = next((n for n in air.own if air.view.flights[n].place is Place.ALOFT and air.view.flights[n].loaded
                 and not air.view.flights[n].acted and air.battle.flights[n].armed
                 and not air.battle.flights[n].fighter), -1)
    if full < 0 or air.targets:
        return SAY("why.fly_done")
    return SAY("why.fly_done.load", flight=air.battle.flights[full].name)


def _why_attack(air: Air, wish: Wish) -> str:
    """What the attack is chosen by; and why not the ship that would take more damage, as the page shows it."""
    assert isinstance(wish.action, Attack)
    n, ship = air.battle.wings[wish.action.flight], air.battle.numbers[wish.target]
    reached = [mark for mark in air.targets if air.may(Attack(wish.action.flight, air.name(mark)))]
    does = {mark: air.mean(n, mark) for mark in reached}
    other = max(reached, key=lambda mark: (round(does[mark], does[mark] < 10), mark == ship))
    facts = {"flight": wish.action.flight, "target": wish.target, "other": air.name(other)}
    if other == ship and not any(air.guards(mark) for mark in reached):
        return SAY("why.attack", **facts)
    fuel = other not in (mark for _, mark, _ in _marks(air, n))
    why = "most" if other == ship else "fuel" if fuel else "sent" if air.sent(n, other) >= 1 else "less"
    more = SAY(f"why.attack.{why}", **facts)
    return SAY(f"why.attack.{'joins' if air.sent(n, ship) else 'value'}", more=more, **facts)


def _why_patrol(air: Air, wish: Wish) -> str:
    """What makes the place the best of those in reach; or that it is the base."""
    assert isinstance(wish.action, Patrol)
    ship, flight = air.battle.numbers[wish.target], wish.action.flight
    reached = (worth for mark, worth in _guarded(air).items() if air.may(Patrol(flight, air.name(mark))))
    others = len(_covered(air, ship)) - 1
    key = "base" if max(reached) > wish.worth + 1e-9 else "with" if others else "alone"
    return SAY(f"why.patrol.{key}", flight=flight, target=wish.target, n=others)


def _why_call(air: Air, wish: Wish) -> str:
    """When they come, and when the enemy's bombers can: a call before any is in sight brings these a move sooner."""
    n, now = air.battle.wings[wish.action.flight], air.view.move  # type: ignore[union-attr]
    there, strikes = now + air.battle.flights[n].call, _bombers(air)
    first = max(now + 1, min(strikes, default=0) - 1)
    called = any(air.view.flights[k].place is not Place.BELOW for k in air.own if air.battle.flights[k].call and k != n)
    if not strikes:
        key = "none"
    elif _in_sight(air):
        key = "seen"
    elif called or min(strikes) <= now:
        key = "any"
    else:
        key = "before" if there <= first else "after"
    return SAY("why.call", flight=air.battle.flights[n].name, move=there, more=SAY(f"why.call.{key}", move=first))


def _fact(air: Air, n: int, ship: int) -> Fact:
    own = air.view.flights[n]
    ends = (air.grid.names[own.square], air.grid.names[air.view.ships[ship].square])
    return Fact(SAY("fact.damage"), points(air.told(n, ship)), (Mark("line", ends),))


def _option(air: Air, wish: Wish, rejected: str) -> Option:
    facts: tuple[Fact, ...] = ()
    if isinstance(wish.action, Attack) and wish.rank == STRIKE:
        facts = (_fact(air, air.battle.wings[wish.action.flight], air.battle.numbers[wish.action.target]),)
    return Option(wish.action, wish.worth, facts, rejected, "F56" if rejected else "")


def _findings(air: Air, wish: Wish) -> list[Finding]:
    """What a strike has against it, and may do."""
    if wish.rank != STRIKE or not isinstance(wish.action, Attack):
        return []
    n, ship = air.battle.wings[wish.action.flight], air.battle.numbers[wish.action.target]
    dice, met = raiding.guns(air.battle, air.view, Raid(n, ship)), air.guards(ship)
    met_fact, guns_fact = Fact(SAY("fact.fighters"), f"{met:.0f}"), Fact(SAY("fact.guns"), str(dice))
    likely = ".likely" if air.likely_over(ship) > air.seen_over(ship) else ""
    found = [Finding("F61", SAY("air.met.ask"), SAY(f"air.met{likely}", n=round(met)), (met_fact,)),
             Finding("F62", SAY("air.guns.ask", ship=wish.target), SAY("air.guns", n=dice), (guns_fact,))]
    left = points(air.left(n, ship, air.strikers(ship)))
    found.append(Finding("F66", SAY("air.drops.ask", ship=wish.target),
                         SAY("air.drops", n=left, points=points(air.told(n, ship))),
                         (_fact(air, n, ship),)))
    return found
