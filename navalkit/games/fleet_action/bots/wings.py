"""What captains do with their flights: search, strike together, escort, guard, and bring them home (rules F54 to F67).

Flights are ordered one by one, those first whose order tells most to the others: landings that cannot wait, searches,
strikes with their escorts, launches and patrols, then decks. Each strike is weighed by what is left of it after patrol
and guns, and by what it may then do to the ship; it waits for those that could go with it, if a patrol is there.
"""

from __future__ import annotations
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np

from navalkit.core.trace import Decision, Fact, Finding, Mark, Option
from navalkit.grids.square import distance, line
from .. import planes, sight
from ..craft import Attack, Duty, Flight, Fly, Land, Launch, Patrol, Place, Raid, Range
from ..rules import flying, raiding
from ..state import Action, Done, Fate, Squadron, weapons
from .belief import SAY, Array, destroyed
from .orders import points
from .sea import Sea

URGENT, SEARCH, STRIKE, ESCORT, CALL, LAUNCH, GUARD, HOME, DECK, GO, FOLLOW = range(11)
"""What is ordered first."""
EDGE = 1  # squares short of as far as it can go to which a scout goes
SPARE = 1  # moves aloft that a flight keeps in hand
TOGETHER = 2  # moves for which a strike waits for others


@dataclass(frozen=True, slots=True)
class Wish:
    """The order that a flight would be given, and why."""

    rank: int
    action: Action
    worth: float  # in points of the scenario
    key: str  # of the sentence that says why
    target: str = ""


class Air:
    """The sky as one side sees it."""

    def __init__(self, sea: Sea, legal: Sequence[Action]) -> None:
        self.sea, self.battle, self.view, self.me = sea, sea.battle, sea.view, sea.me
        self.grid = self.battle.grid
        self.legal = frozenset(legal)
        self.own = [n for n, squadron in enumerate(self.battle.flights) if squadron.side == self.me]
        self.targets = [n for n in self.battle.fleet(1 - self.me) if self.view.ships[n].fate is Fate.AT_SEA
                        and self.view.ships[n].square >= 0 and not self.view.ships[n].dived]
        self._way_back: dict[int, Array] = {}

    def flight(self, n: int) -> tuple[Flight, Squadron]:
        return self.view.flights[n], self.battle.flights[n]

    def may(self, action: Action) -> bool:
        return action in self.legal

    # Where home is ----------------------------------------------------------------------------------------------

    def homes(self, n: int) -> list[int]:
        """Squares from which, or near which, a flight comes home."""
        squadron = self.battle.flights[n]
        if squadron.base < 0:
            return list(squadron.entry)
        if "floatplane" in squadron.plane.roles:
            ships = [squadron.base]
        else:
            ships = [ship for ship in self.sea.own
                     if self.battle.card(ship).deck and flying.deck_shut(self.battle, self.view, ship) is None]
        return [self.view.ships[ship].square for ship in ships if self.view.ships[ship].square >= 0]

    def way_back(self, n: int) -> Array:
        """Square -> in how many moves a flight is down again from it, the move of its landing counted."""
        if n not in self._way_back:
            homes, squares = self.homes(n), self.battle.flights[n].plane.squares
            away = self.sea.chart.distance[:, homes].min(axis=1) if homes else np.zeros(self.grid.size, dtype=np.int64)
            self._way_back[n] = np.maximum(1, -(-away // squares))
        return self._way_back[n]

    def back(self, n: int, square: int) -> int:
        """In how many moves a flight is down again from a square."""
        return int(self.way_back(n)[square])

    def spared(self, n: int) -> Array:
        """Square -> whether a flight that ends this move in it can still come home."""
        own, squadron = self.flight(n)
        keeps = SPARE if squadron.base >= 0 and self.homes(n) else 0
        return np.asarray(own.moves - 1 >= self.way_back(n) + keeps)

    def spare(self, n: int, square: int) -> bool:
        """Whether a flight that ends this move in a square can still come home."""
        return bool(self.spared(n)[square])

    # What a strike does -----------------------------------------------------------------------------------------

    def guards(self, ship: int) -> float:
        """Enemy fighters that are likely to meet an attack on a ship: those known, and unknown flights near her."""
        square = self.view.ships[ship].square
        known = sum(own.count for n, own in enumerate(self.view.flights)
                    if self.battle.flights[n].side != self.me and own.place is Place.ALOFT
                    and self.battle.flights[n].fighter and self._near(own.square, square))
        unknown = sum(count for place, count in self.sea.seen.sky if self._near(place, square)) if self.fighters else 0
        met = max(known + unknown, round(self.usual * self._by_a_deck(square)))
        return float(planes.engaged(met, True, raiding.weather(self.battle, self.view, square)))

    @cached_property
    def fighters(self) -> int:
        """Enemy fighters that are left."""
        return sum(own.count for own, squadron in zip(self.view.flights, self.battle.flights, strict=True)
                   if squadron.side != self.me and squadron.fighter)

    @cached_property
    def usual(self) -> float:
        """Fighters that are likely over each enemy deck, seen or not."""
        decks = sum(self.battle.card(n).deck > 0 and self.view.ships[n].fate is Fate.AT_SEA
                    for n in self.battle.fleet(1 - self.me))
        return self.sea.figures["patrol"] * self.fighters / decks if decks else 0.0

    def _by_a_deck(self, square: int) -> bool:
        return any(self.battle.card(n).deck and self._near(self.view.ships[n].square, square) for n in self.targets)

    def _near(self, place: int, square: int) -> bool:
        return place >= 0 and distance(self.grid, place, square) <= raiding.GUARDED

    def left(self, n: int, ship: int, strikers: int) -> float:
        """Aircraft of a flight that are likely to drop, if that many go at a ship together."""
        own, squadron = self.flight(n)
        dice = raiding.guns(self.battle, self.view, Raid(n, ship))
        lost = self.guards(ship) * 2 / 6 * own.count / max(own.count, strikers)
        return max(0.0, own.count - lost - dice / 6)

    def strike(self, n: int, ship: int, strikers: int = 0) -> float:
        """What an attack is worth, after what others have been ordered to do to the ship in this move."""
        card, value = self.battle.card(ship), self.sea.stakes
        left = card.sinking_rate + 1 - self.view.ships[ship].damage
        before = sum(self._damage(other, ship, 0) for other in self.own if other != n
                     and self.view.flights[other].duty is Duty.ATTACK and self.view.flights[other].mark == ship
                     and self.view.flights[other].acted and not self.battle.flights[other].fighter) / left
        share = self._damage(n, ship, strikers) / left
        with_it, without = (float(destroyed(np.minimum(done, 1.0))) for done in (before + share, before))
        worth = value.point[ship] * left * (with_it - without)
        if self.battle.flights[n].drops[0] == "torpedo" and not card.boat and not self.view.ships[ship].screws:
            telling = 1 - (35 / 36) ** self.left(n, ship, strikers)
            worth += self.sea.figures["screws"] * value.value[ship] * telling
        return worth

    def _damage(self, n: int, ship: int, strikers: int) -> float:
        """Mean damage points of a flight's attack."""
        own, squadron = self.flight(n)
        drops = self.left(n, ship, strikers)
        if self.battle.card(ship).boat:
            return drops / 9 * squadron.plane.load  # under in time in four dives of six
        weapon, load, piercing = squadron.drops
        each = planes.points_of(self.battle.card(ship), weapon, load, piercing)
        need = raiding.lowest(self.battle, self.view, ship)
        ranged = weapon != "torpedo" and bool(flying.ranged(self.battle, self.view, ship))
        mean = ((7 - need) / 6) * planes.TELLS if ranged else (7 - need) / 6 + (planes.TELLS - 1) / 36
        dice = ceil(drops / planes.TO_A_DIE) if weapon == "level" else drops
        return dice * mean * each

    def bombers(self) -> list[int]:
        """Own flights aloft that still have something to drop."""
        return [n for n in self.own if self.view.flights[n].place is Place.ALOFT and self.view.flights[n].loaded
                and self.battle.flights[n].armed and not self.battle.flights[n].fighter]

    def reaches(self, n: int, ship: int, moves: int = 0) -> bool:
        """Whether a flight can attack a ship in this move, or after that many more."""
        own, squadron = self.flight(n)
        if own.acted and not moves:
            return own.duty is Duty.ATTACK and own.mark == ship
        away = distance(self.grid, own.square, self.view.ships[ship].square)
        return away <= squadron.plane.squares * (moves + 1)

    def strikers(self, ship: int, moves: int = 0) -> int:
        """Aircraft that can attack a ship in this move, or within that many more."""
        ready = sum(self.view.flights[n].count for n in self.bombers() if self.reaches(n, ship, moves))
        coming = sum(own.count for own, squadron in map(self.flight, self.own) if moves and own.place is Place.COMING
                     and not squadron.fighter and own.ready <= self.view.move + moves - 1)
        return ready + coming

    # Who is looked for ------------------------------------------------------------------------------------------

    @cached_property
    def hidden(self) -> Array:
        """Square -> the chance that the enemy ships worth most are there, out of sight, times their worth."""
        total, belief = np.zeros(self.grid.size), self.sea.belief
        if belief is None:
            return total
        worth = self.sea.stakes.value
        for ship, places in zip(belief.ships, belief.places, strict=True):
            if not self.battle.card(ship).boat:
                total += worth[ship] * places.sum(axis=(1))
        return total

    @cached_property
    def wanted(self) -> bool:
        """Whether an enemy is looked for who is worth more than any that is known."""
        worth, belief = self.sea.stakes.value, self.sea.belief
        known = max((worth[n] for n in self.targets), default=0.0)
        return belief is not None and any(worth[n] > known for n in belief.ships)

    def aim(self, n: int) -> int:
        """The square to which a flight goes for an enemy that it cannot attack now; -1 if there is none."""
        own = self.view.flights[n]
        from_ = own.square if own.square >= 0 else self.homes(n)[0] if self.homes(n) else 0
        best = max(self.targets, key=lambda ship: (self.strike(n, ship), -distance(
            self.grid, from_, self.view.ships[ship].square)), default=None)
        if best is not None and not (self.wanted and self.hidden.any()):
            return self.view.ships[best].square
        return int(self.likely.argmax()) if self.hidden.any() else -1

    @cached_property
    def likely(self) -> Array:
        """Square -> what of those out of sight is near it."""
        return np.asarray(self.hidden @ (self.sea.chart.distance <= sight.FROM_ABOVE))


def fly(sea: Sea, legal: Sequence[Action], name: str) -> Decision:
    """The next order to a flight, with what the others wait for."""
    air = Air(sea, legal)
    wishes = [wish for n in air.own if not sea.view.flights[n].acted and (wish := _wish(air, n)) is not None]
    if not wishes:
        return Decision(Done(), name, SAY("why.fly_done"), options=(Option(Done()),), unit=SAY("unit.points"))
    wishes.sort(key=lambda wish: (wish.rank, -wish.worth))
    best = wishes[0]
    flight = best.action.flight  # type: ignore[union-attr]
    reason = SAY(f"why.{best.key}", flight=flight, target=best.target)
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

def _strike(air: Air, n: int) -> Wish | None:
    """The attack that is worth most; against a patrol it waits for those who could come with it."""
    own, squadron = air.flight(n)
    found = []
    for ship in air.targets:
        action = Attack(squadron.name, air.battle.units[ship].name)
        if own.loaded and squadron.armed and air.may(action) and (
                air.spare(n, air.view.ships[ship].square) or own.moves < 3 or squadron.base < 0):
            found.append((air.strike(n, ship, air.strikers(ship)), ship, action))
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
    value = air.sea.stakes.value
    at = {ship: air.view.ships[ship].square for ship in air.sea.own if not air.view.ships[ship].dived}
    guarded = {ship: sum(value[other] for other, place in at.items()
                         if distance(air.grid, square, place) <= raiding.GUARDED) for ship, square in at.items()}
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
    squadron = air.battle.flights[n]
    strikes = [other.enters for other in air.battle.flights if other.side != air.me and not other.fighter]
    seen = bool(air.sea.seen.sky) or any(own.shown and own.place is Place.ALOFT for own in air.view.flights)
    return seen or min(strikes, default=0) <= air.view.move + squadron.call + int(air.sea.figures["call"])


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

def _fact(air: Air, n: int, ship: int) -> Fact:
    own = air.view.flights[n]
    ends = (air.grid.names[own.square], air.grid.names[air.view.ships[ship].square])
    return Fact(SAY("fact.damage"), points(air._damage(n, ship, air.strikers(ship))), (Mark("line", ends),))


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
    found = [Finding("F61", SAY("air.met.ask"), SAY("air.met", n=round(met)), (met_fact,)),
             Finding("F62", SAY("air.guns.ask", ship=wish.target), SAY("air.guns", n=dice), (guns_fact,))]
    left = points(air.left(n, ship, air.strikers(ship)))
    found.append(Finding("F66", SAY("air.drops.ask", ship=wish.target),
                         SAY("air.drops", n=left, points=points(air._damage(n, ship, air.strikers(ship)))),
                         (_fact(air, n, ship),)))
    return found
