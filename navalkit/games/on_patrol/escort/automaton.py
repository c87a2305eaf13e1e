"""The escort automaton: one ordered list of rules gives an escort's move and the reasons for it together.

``decide`` reads no boat: escorts steer by the markers, by what lies on the sea and by their own contacts alone.
"""

from __future__ import annotations
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from navalkit.core.trace import Decision, Fact, Finding, Mark, Option
from navalkit.core.words import Text
from navalkit.grids.hex import Circle, Hex, Radial, Vector, assault_zone, radials, vectors
from navalkit.grids.hex_moves import Place
from ..combat.damage import top_speed
from ..data import words
from ..sea.state import Charge, EscortMove, Hunt, Marker, MarkerKind, State, Vessel, replace
from ..sea.tables import TABLES, fleet_speed, station
from . import manoeuvre, pattern
from .manoeuvre import Intention, Leg
from .pattern import Ban, Hindrances, Placement, Unit, aim, hindrances, nearest_parallel, rammer, rams

ACTIONS = TABLES.actions
SAY = words("escort.toml")


class Thought:
    """A decision in the making: what has been settled so far, and the findings that settled it."""

    def __init__(self, state: State, ship: Vessel, trace: bool) -> None:
        self.state, self.ship, self.trace = state, ship, trace
        self.marker = state.marker(ship.hunt.boat)
        self.row = ACTIONS[self.marker.kind if self.marker else None]
        self.ramming = rams(state, ship)
        self.target = aim(self.marker, self.ramming) if self.marker else None
        self.circling = self.row.movement == "diameter" and not self.ramming
        self.attacking = self.row.movement == "radial"
        self.ring = 0
        self.speed = 0
        self.closed = Hindrances({}, {}, {})
        self.intention = Intention(())
        self.path: tuple[Leg, ...] = ()
        self.zone: tuple[tuple[int, Hex], ...] = ()
        self.weapons: tuple[Placement, ...] = ()
        self.findings: list[Finding] = []
        self.rejected: list[Option] = []

    def say(self, rule: str, key: str, /, marks: Iterable[Mark] = (), children: Iterable[Finding] = (),
            **facts: Any) -> None:
        """Note what a rule answered; ``marks`` is its evidence on the board."""
        if self.trace:
            self.findings.append(self.finding(rule, key, marks, children, **facts))

    @staticmethod
    def finding(rule: str, key: str, /, marks: Iterable[Mark] = (), children: Iterable[Finding] = (),
                **facts: Any) -> Finding:
        topic = key.partition(".")[0]
        told = tuple(Fact(name, value) for name, value in facts.items())
        shown = (Fact("board", key, tuple(marks)),)
        return Finding(rule, SAY.phrase(f"{topic}.ask"), SAY.phrase(key, **facts), told + shown, tuple(children))

    @property
    def plan(self) -> tuple[Place, ...]:
        """What is left of a manoeuvre begun for this very target hex (105.3.4)."""
        hunt = self.ship.hunt
        return hunt.plan if hunt.aim == self.target else ()

    @property
    def ran(self) -> bool:
        """Whether she has been in the assault zone of this very target hex, and not turned back yet (105.4.9)."""
        return self.attacking and self.ship.hunt.ran == self.target


def cells(*hexes: Hex, label: str = "") -> Mark:
    return Mark("cell", tuple(h.label for h in hexes), label)


def tell_radials(t: Thought) -> None:
    """105.1.2, 105.3.2a: the six radials by distance, and the vector taken with the one that was not: seen from where
    she chose, which may be where a manoeuvre ended."""
    assert t.target is not None
    chosen, bow = t.intention.radial, t.intention.chosen_at
    if chosen is None or bow is None:
        return
    distance = chosen.distance(bow)
    row = cells(*chosen.hexes(max(2, t.target.distance(bow))), label="radial")
    key = "radial.then" if bow != t.ship.place.bow else "radial.nearest" if distance else "radial.on"
    t.say("105.1.2", key, (row,), direction=chosen.direction, distance=distance, at=bow)
    for radial in radials(t.target):
        if radial != chosen:
            further = radial.distance(bow)
            t.rejected.append(Option(f"radial {radial.direction}", further, rejected=SAY.phrase(
                "radial.further" if further > distance else "radial.equal", distance=further, least=distance
            ), rule="105.3.2a"))
    taken, sailed = t.intention.chosen, t.intention.vector
    if taken is None:
        return
    if sailed is None:
        t.say("105.1.4", "vector.none", course=taken.course)
    else:
        ends = manoeuvre.ends(sailed, Circle(t.target, t.ring) if t.ring else None)
        way = "circle" if ends != sailed.joins else "taken" if sailed.start == taken.start else "turned"
        key = "anew" if way == "turned" and sailed.radial != taken.radial else way
        line = cells(*islice(sailed.way(), sailed.start.distance(ends)), label="vector")
        first: dict[str, Any] = {"towards": taken.course} if key == "anew" else {}
        t.say("105.1.4", f"vector.{key}", (line,), course=sailed.course, length=sailed.length, joins=ends, **first)
    for other in (v for v in vectors(taken.start, t.target) if v.radial != taken.radial):
        key = "vector.longer" if other.length > taken.length else "vector.wider"
        what = SAY.phrase("automaton.vector_on_course", course=other.course)
        why = SAY.phrase(key, length=other.length, least=taken.length)
        t.rejected.append(Option(what, other.length, rejected=why, rule="105.3.2a"))


def tell_steering(t: Thought, diverted: bool) -> None:
    """How she steers; with it each hex she enters and the rule of its course, unless she is diverted from there."""
    if t.target is None:
        return  # that she returns to her station has been said
    if t.intention.legs:
        legs = t.intention.legs
        row = (cells(*(leg.place.bow for leg in legs), label="path"),) if diverted else ()
        t.say(legs[0].rule, f"steer.{legs[0].why}", row, () if diverted else each_leg(t), hexes=len(legs))
    else:
        t.say("105.3.5", "steer.still")


def each_leg(t: Thought) -> list[Finding]:
    """A finding for each hex she enters."""
    return [
        t.finding(leg.rule, f"leg.{leg.why}", (cells(leg.place.bow, label="path"),), place=leg.place) for leg in t.path
    ]


SEARCH_SPEED = 3  # hexes a turn (105.3.5)
CHANGE = 2  # hexes a turn an escort's speed may change by


@dataclass(frozen=True, slots=True)
class EscortDecision(Decision):
    """An escort's move with everything it was made from."""

    escort: str = ""
    mode: int = 1  # of the Escort Action Table, 1 to 6
    marker: Marker | None = None  # what set it
    target: Hex | None = None  # the target hex (the boat's bow for the ship that rams)
    radial: Radial | None = None  # the radial she is on or makes for
    distances: tuple[tuple[Radial, int], ...] = ()  # all six radials with their distance from her bow in hexes
    vector: Vector | None = None  # the vector onto the radial, if she is off all six
    circle: Circle | None = None  # the circle of diameter movement
    speed: int = 0  # hexes she enters
    path: tuple[Leg, ...] = ()  # the places she enters, each with its rule
    intended: tuple[Leg, ...] = ()  # the path before anybody stood in her way
    forbidden: tuple[tuple[Hex, Ban], ...] = ()  # hexes closed to her within reach, with the rule and whose fault it is
    weapons: tuple[Placement, ...] = ()  # her attacks, in the order of priority
    zone: tuple[tuple[int, Hex], ...] = ()  # the assault zone with its ranks, if she attacks
    rejected: tuple[Option, ...] = ()  # what else could have been done, with the rule that rejected it
    hunt: Hunt = Hunt()  # what she is about after the move


# The rules, in order -------------------------------------------------------------------------------------------------

def _mode(t: Thought) -> None:
    """104.2.1: the marker sets the mode."""
    if t.marker is None:
        t.say("104.2.1", "mode.gone" if t.state.found else "mode.none", mode=t.row.mode)
        return
    place = t.marker.place
    key = f"mode.{t.marker.kind}" + (f".{t.marker.cause}" if t.marker.kind is MarkerKind.CONTACT else "")
    t.say("104.2.1", key, (cells(*place.hexes, label="marker"),),
          boat=t.marker.boat, mode=t.row.mode, place=place, by=", ".join(t.marker.by))


def _target(t: Thought) -> None:
    """105.1.3: the marker sets the target hex."""
    if t.marker is None or t.target is None:
        return
    key = "target.ram" if t.ramming else "target.launch" if t.marker.kind is MarkerKind.TORPEDO else "target.ahead"
    mark = cells(t.target, label="target")
    t.say("104.2.1" if t.ramming else "105.1.3", key, (mark,), target=t.target, bow=t.marker.place.bow)


def _ring(t: Thought) -> None:
    """106.2.4: which circle."""
    if not t.circling or t.target is None:
        return
    distance = t.target.distance(t.ship.place.bow)
    t.ring = manoeuvre.ring_for(t.target, t.ship.place.bow, t.ship.hunt.ring)
    key = "ring.kept" if t.ship.hunt.ring else "ring.inner" if t.ring == manoeuvre.RINGS[0] else "ring.outer"
    mark = cells(*Circle(t.target, t.ring).hexes(), label="circle") if t.trace else None
    t.say("106.2.4", key, (mark,) if mark else (), distance=distance, ring=t.ring)


def _speed(t: Thought) -> None:
    """105.3.5, 106.2.3: how fast, and how fast she can be by now."""
    top = top_speed(t.ship)
    if t.marker is None and not t.ship.hits:  # else she never comes up with a fleet as fast as herself
        top = max(top, fleet_speed(t.state) + 1)
    rule, key, wanted = "105.3.5", "speed.full", top
    if t.row.speed == "search":
        rule, key, wanted = "104.2.1", "speed.search", min(top, SEARCH_SPEED)
    elif t.marker and t.marker.kind is MarkerKind.CONTACT and t.marker.boat in t.ship.hunt.contact:
        rule, key, wanted = "104.2.1", "speed.contact", min(top, SEARCH_SPEED)
    elif t.circling and t.target is not None and t.target.distance(t.ship.place.bow) == t.ring:
        slowest = min(_on_ring(t), key=lambda v: (top_speed(v), v.id))
        if slowest.id != t.ship.id and top_speed(slowest) < top:
            t.speed = wanted = top_speed(slowest)
            rule, key = "106.2.3", "speed.slowest"
            t.say(rule, key, speed=wanted, ship=slowest.id)
    now = t.ship.speed
    t.speed = max(now - CHANGE, min(now + CHANGE, wanted))
    if t.marker is None:
        return  # how far it is to her station says how fast she goes
    if key != "speed.slowest":
        t.say(rule, key, speed=wanted, top=top)
    if t.speed != wanted:
        t.say("105.3.5", "change.limited", now=now, speed=t.speed, wanted=wanted)


def _on_ring(t: Thought) -> list[Vessel]:
    """The escorts on the same circle, herself among them; one that is there only to ram is not on it (106.2.3)."""
    assert t.target is not None
    boat = t.ship.hunt.boat
    others = (v for v in t.state.escorts if v.id != t.ship.id and v.hunt.boat == boat and not v.stopped)
    apart = rammer(t.state, boat)
    return [t.ship, *(v for v in others if t.target.distance(v.place.bow) == t.ring and v.id != apart)]


def _closed(t: Thought) -> None:
    """105.4.2, 105.4.8, 105.4.11, 108: the hexes closed to her."""
    t.closed = hindrances(t.state, t.ship, ramming=t.ramming)


def _steer(t: Thought) -> None:
    """105.3.2 to 105.3.4, 105.4.9, 106.2: where she would go."""
    place, closed = t.ship.place, t.closed
    forbidden, taken = closed.forbidden.keys(), closed.taken.keys()
    if t.target is None:
        least = min(t.speed, t.ship.speed - CHANGE)
        t.intention = manoeuvre.to_station(place, station(t.state, t.ship), t.speed, forbidden, taken, least)
        at = station(t.state, t.ship)
        t.say("104.2.3", "speed.station", speed=len(t.intention.legs), top=t.speed)
        t.say("104.2.3", "steer.station", (cells(*at.hexes, label="station"),), station=t.ship.station, place=at)
        return
    if t.circling:
        t.intention = manoeuvre.circle(place, t.target, t.speed, t.ring,
                                       plan=t.plan, forbidden=forbidden, taken=taken)
    else:
        t.intention = manoeuvre.approach(place, t.target, t.speed,
                                         plan=t.plan, zone=not t.ramming, ran=t.ran, forbidden=forbidden, taken=taken)
    if t.trace:
        tell_radials(t)


def _avoid(t: Thought) -> None:
    """105.4.8, 108.1, 108.2: the nearest legal path beside it, if somebody stands in the way."""
    legs = t.intention.legs
    intended = [leg.place for leg in legs]
    trouble = t.closed.first(t.ship.place, intended)
    if trouble is None:
        t.path = legs
        if t.trace:
            tell_steering(t, diverted=False)
        if past := sum(leg.why == "past_station" for leg in legs):
            t.say("105.3.5", "speed.past", hexes=past)
        return
    entered, hex_ = trouble
    ban = t.closed.ban(hex_)
    path = nearest_parallel(t.ship.place, intended, t.closed)
    kept = [leg.place == place for leg, place in zip(legs, path, strict=False)]
    t.path = tuple(
        legs[i] if all(kept[max(0, i - 1) : i + 1]) else Leg(path[i], ban.rule, "rejoined" if on_it else "parallel")
        for i, on_it in enumerate(kept)
    )
    if t.trace:
        tell_steering(t, diverted=True)
        text = " ".join(str(place.bow) for place in intended)
        sentence = SAY.phrase(f"closed.{ban.rule}", hex=hex_, whose=ban.whose)
        t.rejected.insert(0, Option(text, None, (Fact("closed", hex_.label, (cells(hex_, label="closed"),)),),
                                    rejected=sentence, rule=ban.rule))
        key = "avoid.stop" if not path else "avoid.slow" if len(path) < len(legs) else "avoid.parallel"
        mark = cells(hex_, label="closed")
        facts = {"hex": hex_, "whose": ban.whose, "why": sentence, "hexes": len(path), "speed": len(legs),
                 "entered": entered}
        t.say(ban.rule, key, (mark,), each_leg(t), **facts)
        if t.ship.speed - len(path) > CHANGE:
            t.say("105.3.5", "speed.hemmed", now=t.ship.speed, hexes=len(path))


def _attack(t: Thought) -> None:
    """105.4: weapons into the assault zone."""
    if not t.attacking or t.marker is None or t.target is None:
        return
    zone = assault_zone(t.target, t.marker.place.direction)
    hexes = frozenset(h for _, h in zone)
    path = [leg.place for leg in t.path]
    others = frozenset(h for v in t.state.vessels if v.id != t.ship.id for h in v.place.hexes)
    units = []
    for weapon, count in arms(t.state, t.ship):
        reached = pattern.reach(weapon, path, hexes, others)
        units += [Unit(weapon, reached)] * (count if reached else 0)
    if not units:
        if any(manoeuvre.in_zone(place, t.target) for place in path):
            t.say("105.4.1", "attack.nothing")
        return
    t.zone = tuple(zone)
    marked = frozenset(charge.at for charge in t.state.charges)
    t.weapons = tuple(pattern.cover(units, zone, marked))
    if t.trace:
        children = [
            t.finding("105.4.10" if w.at in marked else "105.4.4", "weapon.again" if w.round > 1 or w.at in marked
                      else "weapon.first", (cells(w.at, label=f"rank {w.rank}"),),
                      weapon=w.weapon, hex=w.at, rank=w.rank, step=w.step)
            for w in t.weapons
        ]
        covered = len({w.at for w in t.weapons})
        t.say("105.4.6", "attack.spread", (cells(*hexes, label="zone"),), children,
              weapons=len(t.weapons), hexes=covered)


def arms(state: State, ship: Vessel) -> list[tuple[str, int]]:
    """What an escort can use in one turn: weapon and number, the heaviest first (102.5, 101.2)."""
    type_ = TABLES.vessels[ship.type]
    parts = TABLES.packages[state.package].parts
    ahead = type_.ahead_in(state.year) if "atw" in parts else ""
    named = [
        (pattern.ONE_TON, min(1, ship.charges) if "special" in parts else 0),
        (pattern.DEPTH_CHARGE, type_.depth_charges),
        (pattern.K_GUN, type_.k_guns),
        (ahead, 1 if ahead else 0),
    ]
    return [(weapon, count) for weapon, count in named if count]


RULES: tuple[Callable[[Thought], None], ...] = (_mode, _target, _ring, _speed, _closed, _steer, _avoid, _attack)
"""Asked in this order for every escort; each settles one thing and says so."""


def decide(state: State, ship: str | Vessel, *, trace: bool = True) -> EscortDecision:
    """What an escort does in phase 3, and why.

    Parameters
    ----------
    state : State
        Boats in it are not looked at.
    ship : str or Vessel
        The escort, or her id.
    trace : bool
        False leaves the reasons out, for speed; the move is the same.

    Returns
    -------
    EscortDecision
        The same for the same sea, whatever the escorts cannot know.

    Raises
    ------
    KeyError
        If the state has no ship of that id.

    Examples
    --------
    >>> from navalkit.games.on_patrol.escort.positions import find
    >>> decision = decide(find("mode-1").state, "E1")
    >>> decision.mode, [str(leg.place.bow) for leg in decision.path]
    (1, ['S28', 'S27', 'R26'])
    """
    vessel = state.vessel(ship) if isinstance(ship, str) else ship
    known = replace(state, boats=(), todo=(), points=(), launched=0)
    return _reasoned(known, vessel) if trace else _decide(Thought(known, vessel, trace=False))


@lru_cache(maxsize=256)
def _reasoned(state: State, ship: Vessel) -> EscortDecision:
    """Kept, for pages ask for it again and again; without reasons the move is found sooner than the hash of a state."""
    return _decide(Thought(state, ship, trace=True))


def _decide(t: Thought) -> EscortDecision:
    ship = t.ship
    for rule in RULES:
        rule(t)
    charges = tuple(Charge(w.weapon, ship.id, w.at) for w in t.weapons)
    action = EscortMove(ship.id, tuple(leg.place for leg in t.path), charges)
    hunt = _after(t)
    if not t.trace:
        return EscortDecision(action, ship.id, "", escort=ship.id, mode=t.row.mode, speed=len(t.path), hunt=hunt)
    bow = ship.place.bow
    shown = {**t.closed.ending, **t.closed.forbidden, **t.closed.taken}
    return EscortDecision(
        action, ship.id, _summary(t), tuple(t.findings), (Option(action), *t.rejected), escort=ship.id, mode=t.row.mode,
        marker=t.marker, target=t.target, radial=t.intention.radial,
        distances=tuple((r, r.distance(bow)) for r in radials(t.target)) if t.target else (), vector=t.intention.vector,
        circle=Circle(t.target, t.ring) if t.ring and t.target else None, speed=len(t.path), path=t.path,
        intended=t.intention.legs,
        forbidden=tuple(sorted((h, ban) for h, ban in shown.items() if h.distance(bow) <= t.speed + 2)),
        weapons=t.weapons, zone=t.zone, rejected=tuple(t.rejected), hunt=hunt
    )


def _after(t: Thought) -> Hunt:
    """What she is about after the move: the rest of a manoeuvre, her circle, a one-ton charge less is the rules'."""
    path = tuple(leg.place for leg in t.path)
    kept = t.path == t.intention.legs
    left_zone = (
        t.attacking and t.target is not None and bool(path) and manoeuvre.in_zone(t.ship.place, t.target)
        and not manoeuvre.in_zone(path[-1], t.target)
    )
    boat = t.ship.hunt.boat
    ran = t.intention.ran
    if not kept and t.target is not None:
        ran = t.ran or any(manoeuvre.in_zone(place, t.target) for place in path)
    return replace(t.ship.hunt, ring=t.ring, ran=t.target if t.attacking and ran else None,
                   plan=t.intention.plan if kept else (), aim=t.target if kept and t.intention.plan else None,
                   cleared=boat if left_zone and boat not in t.ship.hunt.contact else "")


def _summary(t: Thought) -> Text:
    """The one sentence: mode, movement, speed, attacks."""
    movement = "ram" if t.ramming else "station" if t.marker is None else t.row.movement
    key = f"summary.{movement}" + ("_attack" if t.weapons else "")
    return SAY.phrase(key, mode=t.row.mode, target=t.target, hexes=len(t.path), weapons=len(t.weapons),
               covered=len({w.at for w in t.weapons}), ring=t.ring, station=t.ship.station)
