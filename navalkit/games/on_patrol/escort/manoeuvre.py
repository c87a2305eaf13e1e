"""How an escort steers when nothing is in her way: radial and diameter movement, hex by hex (rules 105 and 106).

Each manoeuvre gives the legs of her intended path, every leg with the rule that set its course, and what is left of a
manoeuvre that takes more than this turn. Who stands in the way is the business of ``avoid``.
"""

from __future__ import annotations
from collections.abc import Iterable
from typing import NamedTuple

from navalkit.grids.hex import Circle, Hex, HexSet, Radial, Side, Vector, radial_at, turn_between, turned, vectors
from navalkit.grids.hex_moves import Place, shortest_path, why_not_path, williamson

ZONE = 2  # radius of the assault zone in hexes (105.1.5)
RINGS = (6, 12)  # radii of the circles of diameter movement (106.2.4)
_WAY_BACK = 8  # hexes out along a radial in which a ship 120 degrees off it may come onto her course


class Leg(NamedTuple):
    """One hex entered: the place, the rule that set the course, and why, as a key of the sentences."""

    place: Place
    rule: str
    why: str


class Intention(NamedTuple):
    """An intended path."""

    legs: tuple[Leg, ...]
    plan: tuple[Place, ...] = ()  # what is left of a manoeuvre begun and not ended this turn
    radial: Radial | None = None  # the radial she is on or makes for
    chosen: Vector | None = None  # the vector chosen from where her bow was, if she was off the radials
    vector: Vector | None = None  # the vector she sails: that one, or the one she lies on once she has turned
    ran: bool = False  # whether she has run into the assault zone and has still to turn back (105.4.9)
    # where her bow was when she chose the radial: at the start of the move, or where a manoeuvre ended
    chosen_at: Hex | None = None


def in_zone(place: Place, target: Hex) -> bool:
    """Whether bow or stern is inside the assault zone: until both are out she holds her course (105.4.9)."""
    return any(target.distance(h) <= ZONE for h in place.hexes)


def side_of_turn(place: Place, forbidden: HexSet, taken: HexSet) -> Side:
    """Where a Williamson turn begins: to port, unless only starboard is clear."""
    if why_not_path(place, williamson(*place, "port"), forbidden, taken) is None:
        return "port"
    clear = why_not_path(place, williamson(*place, "starboard"), forbidden, taken) is None
    return "starboard" if clear else "port"


def onto_course(place: Place, radial: Radial) -> tuple[Place, ...]:
    """The shortest legal way onto the course to the target from 120 degrees off it, on the same radial."""
    reach = radial.target.distance(place.bow) + _WAY_BACK
    path = shortest_path(place, [Place(h, radial.course) for h in radial.hexes(reach)])
    assert path  # open water: nothing but the turns themselves takes room
    return tuple(path)


class _Steering:
    """A move in the making: where she has come to, and what of a longer manoeuvre is still to do."""

    def __init__(self, start: Place, plan: Iterable[Place] = ()) -> None:
        self.place = start
        self.legs: list[Leg] = []
        self.plan = list(plan)
        self.rule = "105.2"  # of the plan
        self.why = "plan"

    def enter(self, place: Place, rule: str, why: str) -> None:
        self.legs.append(Leg(place, rule, why))
        self.place = place

    def begin(self, plan: Iterable[Place], rule: str, why: str) -> None:
        self.plan, self.rule, self.why = list(plan), rule, why

    def follow(self) -> None:
        self.enter(self.plan.pop(0), self.rule, self.why)

    def turn_to(self, course: int, rule: str, why: str) -> None:
        """One hex with the turn nearest to ``course`` (to port if it lies right astern)."""
        turn = turn_between(self.place.direction, course)
        self.enter(self.place.entering(-1 if turn == 3 else max(-1, min(1, turn))), rule, why)


def way_onto(place: Place, target: Hex, held: Vector | None) -> Vector:
    """The vector she goes by, off the radials: as long as one leads to the radial she has chosen it is that one."""
    ways = vectors(place.bow, target, place.direction)
    return next((v for v in ways if held is not None and v.radial == held.radial), ways[0])


def after_turning(place: Place, target: Hex, chosen: Vector, left: int, speed: int, zone: bool = False,
                  stop_at: int = 0) -> Vector | None:
    """The vector she sails from a place: the one chosen there, or, as she turns by 60 degrees a hex and every hex has
    vectors of its own, that of the hex from which the last turn leads onto it. She has ``left`` hexes in this move and
    ``speed`` in the next, at whose start she chooses anew: it may lead onto another radial. None if she comes onto a
    radial, into the assault zone or to the circle before she lies on one."""
    sailed: Vector | None = None
    while True:
        turn = turn_between(place.direction, chosen.course)
        if sailed is None and abs(turn) <= 1:
            sailed = chosen
        place, left = place.entering(-1 if turn == 3 else max(-1, min(1, turn))), left - 1
        met = stop_at and target.distance(place.bow) == stop_at
        if met or radial_at(place.bow, target) is not None or (zone and in_zone(place, target)):
            return sailed
        held, chosen = chosen, way_onto(place, target, chosen if left else None)
        if chosen.radial != held.radial:
            sailed = None
        left = left or speed


def ends(vector: Vector, around: Circle | None) -> Hex:
    """Where she leaves a vector: on the radial, or where it meets the circle that she makes for."""
    return next((h for h in vector.way() if around is not None and around.holds(h)), vector.joins)


def approach(start: Place, target: Hex, hexes: int, *, plan: tuple[Place, ...] = (), zone: bool = True,
             ran: bool = False, stop_at: int = 0, speed: int = 0, forbidden: HexSet = frozenset(),
             taken: HexSet = frozenset()) -> Intention:
    """Radial movement (105.3, 105.4.9): a vector onto the nearest radial, along it to the target, through, and back.

    * ``target``: the target hex.
    * ``hexes``: how many she enters.
    * ``plan``: what is left of a manoeuvre begun for this target.
    * ``zone``: whether there is an attack to run through; a ramming ship has none.
    * ``ran``: whether she has been in the assault zone of this target since she last turned back: she turns about as
      soon as bow and stern are out of it.
    * ``stop_at``: a distance of the bow from the target at which radial movement ends (the circle of 106.2.2); 0 for
      none.
    * ``speed``: hexes of a whole move, if these are the rest of one.
    * ``forbidden`` and ``taken``: what makes a Williamson turn begin to starboard.
    """
    steering = _Steering(start, plan)
    chosen: Vector | None = None
    aimed: Radial | None = None
    first: Vector | None = None
    sailed: Vector | None = None
    chosen_at: Hex | None = None
    while len(steering.legs) < hexes:
        place = steering.place
        if stop_at and target.distance(place.bow) == stop_at:
            steering.plan = []
            break
        if steering.plan:
            steering.follow()
            continue
        if place.bow == target or (zone and in_zone(place, target)):
            steering.enter(place.ahead(), "105.4.9", "through")
            ran = zone
            continue
        on = radial_at(place.bow, target)
        if on is not None:
            aimed, chosen_at = (aimed, chosen_at) if aimed else (on, place.bow)
            turn = turn_between(place.direction, on.course)
            if abs(turn) <= 1:
                steering.enter(place.entering(turn), "105.3.2b", "inward" if turn else "on_course")
            elif abs(turn) == 2 and not ran:
                steering.begin(onto_course(place, on), "105.3.2b", "shortest")
            else:
                side = side_of_turn(place, forbidden, taken)
                rule, why = ("105.4.9", "back") if ran else ("105.3.3", "williamson")
                steering.begin(williamson(*place, side), rule, f"{why}_{side}")
                ran = False
            continue
        if ran:
            side = side_of_turn(place, forbidden, taken)
            steering.begin(williamson(*place, side), "105.4.9", f"back_{side}")
            ran = False
            continue
        chosen = way_onto(place, target, chosen)
        if first is None:
            left = hexes - len(steering.legs)
            first, sailed = chosen, after_turning(place, target, chosen, left, speed or hexes, zone, stop_at)
        aimed, chosen_at = (aimed, chosen_at) if aimed else (chosen.radial, place.bow)
        steering.turn_to(chosen.course, "105.3.2a", "vector" if place.direction == chosen.course else "onto_vector")
    ran = ran or (zone and in_zone(steering.place, target))
    return Intention(tuple(steering.legs), tuple(steering.plan), aimed, first, sailed, ran, chosen_at)


def ring_for(target: Hex, bow: Hex, kept: int) -> int:
    """The circle a ship follows: the one she began with, else 6 if she begins within 12, otherwise 12 (106.2.4)."""
    return kept or (RINGS[0] if target.distance(bow) < RINGS[1] else RINGS[1])


def circle(start: Place, target: Hex, hexes: int, ring: int, *, plan: tuple[Place, ...] = (),
           forbidden: HexSet = frozenset(), taken: HexSet = frozenset()) -> Intention:
    """Diameter movement (106): as in radial movement up to the circle, then along it counter-clockwise. ``start``,
    ``target``, ``hexes``, ``plan``, ``forbidden`` and ``taken``: as in ``approach``. ``ring``: radius of the circle in
    hexes."""
    around = Circle(target, ring)
    steering = _Steering(start, plan)
    aimed: Radial | None = None
    chosen: Vector | None = None
    sailed: Vector | None = None
    chosen_at: Hex | None = None
    while len(steering.legs) < hexes:
        place = steering.place
        there = around.holds(place.bow)
        along = there and abs(turn_between(place.direction, around.course(place.bow))) <= 1
        if steering.plan and not there:
            steering.follow()
        elif along:
            steering.plan = []
            steering.turn_to(around.course(place.bow), "106.1.2", "along_circle")
        elif target.distance(place.bow) > ring:
            rest = approach(place, target, hexes - len(steering.legs),
                            zone=False, stop_at=ring, speed=hexes, forbidden=forbidden, taken=taken)
            if aimed is None:
                aimed, chosen, sailed, chosen_at = rest.radial, rest.chosen, rest.vector, rest.chosen_at
            for leg in rest.legs:
                steering.enter(*leg)
            steering.plan = list(rest.plan)
        else:
            steering.begin(onto_circle(place, around), "106.2.2", "to_circle")
            steering.follow()
    return Intention(tuple(steering.legs), tuple(steering.plan), aimed, chosen, sailed, chosen_at=chosen_at)


def onto_circle(place: Place, around: Circle) -> tuple[Place, ...]:
    """The shortest legal way onto a circle, ending so that one turn at most leads on along it."""
    goals = [Place(h, turned(course, turn))
             for h in around.hexes() for course in (around.course(h),) for turn in (-1, 0, 1) if h != place.bow]
    path = shortest_path(place, goals)
    assert path
    return tuple(path)


def to_station(start: Place, station: Place, hexes: int, forbidden: HexSet, taken: HexSet, least: int = 0) -> Intention:
    """The shortest legal way back to a station, after the last marker has gone. ``least``: hexes that she makes at
    least, for she brakes no faster (105.3.5): past her station she goes straight on, until the fleet has come up."""
    path = shortest_path(start, [station], forbidden, taken) or shortest_path(start, [station]) or []
    legs = [Leg(place, "104.2.3", "to_station") for place in path[:hexes]]
    while len(legs) < least:
        legs.append(Leg((legs[-1].place if legs else start).ahead(), "105.3.5", "past_station"))
    return Intention(tuple(legs))
