"""On Patrol, told again from the source and the rulings: plain functions over plain dicts, no speed.

Hexes are pairs (q, r), places pairs (bow, direction); directions 1 NE, 2 SE, 3 S, 4 SW, 5 NW, 6 N. Here are the hexes,
the markers' target hexes, and what escorts go by: who moves first and how fast, ways, what bars them, charges. The sea
as it begins is in ``patrol_sea``, what ships do in a turn in ``patrol_moves``, a whole hunt in ``patrol_hunt``.
"""

from __future__ import annotations
from itertools import product
from math import atan2, degrees, sqrt

from .exercised import by

STEPS = {1: (1, -1), 2: (1, 0), 3: (0, 1), 4: (-1, 1), 5: (-1, 0), 6: (0, -1)}
SEARCH = 3
ZONE = 2
MODES = {"torpedo": 2, "contact": 3, "visible": 4, "surfaced": 5, "inverted": 6}
FLEET_TABLE = {
    "slow 1": ["L1", "R1", "1", "1", "1L", "1R"], "slow 2": ["L2", "R2", "2", "2", "2L", "2R"],
    "fast 2": ["L2", "R2", "2", "2", "2L", "2R"], "fast 3": ["L3", "R3", "3", "3", "3L", "3R"],
    "emergency": ["LM", "RM", "M", "M", "ML", "MR"],
}  # fmt: skip


# Hexes ----------------------------------------------------------------------------------------------------------


def go(cell, direction, hexes=1):
    q, r = STEPS[direction]
    return cell[0] + q * hexes, cell[1] + r * hexes


def turn(direction, sixths):
    return (direction - 1 + sixths) % 6 + 1


def turn_to(old, new):
    """Sixths of a circle from one direction to another, -2 to 3; negative to port."""
    return (new - old + 2) % 6 - 2


def far(one, other):
    q, r = other[0] - one[0], other[1] - one[1]
    return max(abs(q), abs(r), abs(q + r))


def bearing(one, other):
    """Degrees clockwise from north."""
    q, r = other[0] - one[0], other[1] - one[1]
    return degrees(atan2(q * sqrt(3), -(2 * r + q))) % 360


def stern(place):
    return go(place[0], turn(place[1], 3))


def enter(place, sixths):
    """The place after a turn of at most 60 degrees and one hex ahead."""
    direction = turn(place[1], sixths)
    return go(place[0], direction), direction


def sector(target, cell):
    """Direction and steps (d, a, b): the hex lies a hexes along radial d, and b along the next one clockwise."""
    q, r = cell[0] - target[0], cell[1] - target[1]
    for d in STEPS:
        (q1, r1), (q2, r2) = STEPS[d], STEPS[turn(d, 1)]
        a, b = q * r2 - r * q2, q1 * r - r1 * q
        if a > 0 and b >= 0:
            return d, a, b
    return 0, 0, 0


# Markers --------------------------------------------------------------------------------------------------------


def near(cell, ship):
    """From a hex to the nearer end of a ship."""
    return min(far(cell, ship["place"][0]), far(cell, stern(ship["place"])))


def target_hex(marker):
    return marker["place"][0] if marker["kind"] == "torpedo" else go(*marker["place"])


# Escorts: who, how fast, where to -------------------------------------------------------------------------------


def closeness(ship, target):
    """What makes an escort move before another: hexes from the bow, where her bow points, her station."""
    off = 0.0
    if ship["place"][0] != target:
        off = abs((bearing(ship["place"][0], target) - 60 * ship["place"][1] + 180) % 360 - 180)
    return far(ship["place"][0], target), round(off, 6), ship["station"]


def steered_for(marker):
    """The hex that nearness is counted to: the target hex, but the bow of a surfaced boat, which one is to ram."""
    return marker["place"][0] if marker["kind"] == "surfaced" else target_hex(marker)


def hunters(sea):
    """Escort -> (her marker, the hex that her nearness is counted to)."""
    found = {}
    for name, ship in sea["ships"].items():
        marker = sea["markers"].get(ship["boat"])
        if ship["role"] == "escort" and not ship["sunk"] and marker:
            found[name] = marker, steered_for(marker)
    return found


def full(ship):
    """Her best speed: the share that torpedo hits leave of it, rounded up."""
    return max(0, -(-ship["best"] * (ship["most"] - ship["hits"]) // ship["most"]))


def top(ship):
    """Hexes she can make at most: none stopped or sunk."""
    return 0 if ship["stopped"] or ship["sunk"] else full(ship)


def pace(ship, wanted):
    """Hexes of this turn: two more or less than the last at most."""
    by("105.3.5")
    return max(ship["speed"] - 2, min(ship["speed"] + 2, wanted, top(ship)))


def wanted_speed(ship, marker):
    """By the Escort Action Table, the circle at full speed apart."""
    mode = MODES[marker["kind"]]
    if mode in (2, 6) or mode == 3 and ship["boat"] in ship["contact"]:
        return min(SEARCH, top(ship))
    return top(ship)


# The fleet ------------------------------------------------------------------------------------------------------


def may_flee(sea):
    """Whether torpedoes would put capital ships to flight: none of the merchants is with them (104.4.2)."""
    roles = {ship["role"] for ship in sea["ships"].values() if not ship["sunk"]}
    return "emergency" in sea["parts"] and "capital" in roles and "merchant" not in roles


def flees(sea):
    return sea["alarm"] and may_flee(sea)


def post(sea, ship):
    """Her place in the formation now."""
    (q, r), direction = sea["guide"]
    return (q + ship["offset"][0], r + ship["offset"][1]), direction


def in_formation(sea, ship):
    """An escort sails with the fleet when she hunts nobody and is on her station, on its course."""
    return not ship["boat"] and not ship["plan"] and ship["place"] == post(sea, ship)


def flight_speed(sea):
    """In an emergency the formation goes as its slowest capital ship under way."""
    ships = [s for s in sea["ships"].values() if s["role"] == "capital" and not (s["stopped"] or s["sunk"])]
    return min((min(full(s), s["speed"] + 1) for s in ships), default=0)


def hexes_of(sea, ship, cell):
    """Hexes that a cell of the Fleet Movement Table sends a ship."""
    if "M" not in cell:
        return int(cell.strip("LR"))
    return flight_speed(sea) if ship["role"] == "escort" else min(full(ship), ship["speed"] + 1)


def rammer(sea, boat):
    """The escort that rams a surfaced boat this turn, "" for none: the first to move of those that hunt it."""
    if sea["markers"].get(boat, {"kind": ""})["kind"] != "surfaced":
        return ""
    bow = sea["markers"][boat]["place"][0]
    hunting = {n: s for n, s in sea["ships"].items()
               if s["role"] == "escort" and s["boat"] == boat and not (s["sunk"] or s["stopped"])}  # fmt: skip
    moved = [n for n in sea["moved"] if n in hunting]
    return moved[0] if moved else min(hunting, key=lambda n: closeness(hunting[n], bow), default="")


def rams(sea, ship):
    return ship["id"] not in sea["moved"] and rammer(sea, ship["boat"]) == ship["id"]


def williamson(place, side):
    """One turn, a hex straight on, then four turns the other way."""
    places = []
    for sixths in (side, 0, -side, -side, -side, -side):
        place = enter(place, sixths)
        places.append(place)
    return tuple(places)


def in_zone(place, target):
    """Whether bow or stern is in the assault zone."""
    return min(far(place[0], target), far(stern(place), target)) <= ZONE


def shortest_ways(place, is_there, most=8):
    """All shortest legal ways to a place of that kind, each a tuple of places."""
    ways = {place: [()]}
    for _ in range(most):
        further = {}
        for at, hows in ways.items():
            for sixths in (-1, 0, 1):
                further.setdefault(enter(at, sixths), []).extend((*how, enter(at, sixths)) for how in hows)
        there = [way for at, hows in further.items() if is_there(at) for way in hows]
        if there:
            return there
        ways = further
    return []


def vector(place, target):
    """(radial, course) of the vector she takes: the shorter, then the smaller turn, then port."""
    d, a, b = sector(target, place[0])
    courses = [(b, d, turn(d, 4)), (a, turn(d, 1), turn(d, 3))]

    def worth(one):
        sixths = turn_to(place[1], one[2])
        return one[0], abs(sixths), sixths

    _, radial, course = min(courses, key=worth)
    return radial, course


# What bars the way ----------------------------------------------------------------------------------------------


def barred(sea, mover, rams=False, returns=False):
    """(hexes no bow may enter, those no stern may swing into either): ships and where they go, charges, torpedoes."""
    closed = list(closures(sea, mover, rams, returns))
    taken = {cell for cell, clause, _ in closed if clause in ("105.4.8", "105.4.11")}
    return {cell for cell, _, _ in closed}, taken


def closures(sea, mover, rams=False, returns=False):
    """Every reason why a hex is closed to her: (hex, clause, what closes it)."""
    for name, ship in sea["ships"].items():
        if name != mover:
            clause = "105.4.8" if ship["role"] == "escort" and name in sea["moved"] else "105.4.11"
            by(clause)
            yield from ((cell, clause, name) for cell in (ship["place"][0], stern(ship["place"])))
    for name, ship in sea["ships"].items():
        if ship["role"] == "escort":
            if not (returns and not ship["sunk"] and in_formation(sea, ship)):
                continue
            enters = swings = "104.2.3"
        elif ship["sunk"] or ship["stopped"]:
            continue
        else:
            enters, swings = ("108.1.1", "108.1.2") if ship["role"] == "merchant" else ("108.1.3", "108.1.3")
        by(*{enters, swings})
        yield from ((stern((ship["place"][0], turn(ship["place"][1], s))), swings, name) for s in (-1, 1))
        if ship["stopped"]:
            continue
        course = sea["guide"][1]  # one that had to wait falls in with the others
        rows = ([] if flees(sea) else [sea["row"]]) + ["emergency"] * may_flee(sea)
        for cell in (cell for row in rows for cell in FLEET_TABLE[row]):
            bow, _ = ship["place"]
            first = turn(course, {"L": -1, "R": 1}.get(cell[0], 0))
            yield from ((go(bow, first, n), enters, name) for n in range(1, hexes_of(sea, ship, cell) + 1))
    for boat, marker in sea["markers"].items():  # only the one that rams may run a surfaced boat down
        if marker["kind"] == "surfaced" and not rams:
            by("108.1.5")
            yield from ((cell, "108.1.5", boat) for cell in (marker["place"][0], stern(marker["place"])))
    if sea["torpedoes"]:
        by("108.2.1")
    yield from ((torpedo["at"], "108.2.1", torpedo["id"]) for torpedo in sea["torpedoes"])
    if sea["charges"]:
        by("105.4.2")
    yield from ((cell, "105.4.2", who) for weapon, who, cell in sea["charges"] if weapon != "hedgehog" and who != mover)


def running(sea):
    """The hexes that a torpedo will enter in the next phase 4."""
    return {go(t["at"], t["direction"], n) for t in sea["torpedoes"] for n in range(1, t["speed"] + 1)}


def is_way(place, way):
    """Whether each hex is entered after a turn of at most 60 degrees."""
    for to in way:
        if to not in (enter(place, -1), enter(place, 0), enter(place, 1)):
            return False
        place = to
    return True


def is_clear(place, way, no_go, taken):
    for to in way:
        swung = stern((place[0], to[1]))
        if to[0] in no_go or to[1] != place[1] and swung in taken:
            return False
        place = to
    return True


# Charges --------------------------------------------------------------------------------------------------------


def ranks(marker):
    """Hex of the assault zone -> its priority, 1 to 12."""
    target, ahead = target_hex(marker), marker["place"][1]
    found = {target: 1}
    for rank, sixths in ((2, (0,)), (3, (-1, 1)), (4, (-2, 2)), (5, (3,))):
        found |= {go(target, turn(ahead, s)): rank for s in sixths}
    outer = {go(target, ahead, 2): 6, go(target, turn(ahead, 3), 2): 12}
    for rank, side in product(range(7, 12), (-1, 1)):
        first, second = turn(ahead, side * ((rank - 6) // 2)), turn(ahead, side * ((rank - 5) // 2))
        outer[go(go(target, first), second)] = rank
    return found | outer


def reach(ship, way, weapon):
    """The hexes that a weapon of hers can be put into on this way."""
    if weapon in ("hedgehog", "squid"):
        return {go(*place, ship["throws"]) for place in way}
    if weapon == "k-gun":
        return {go(stern(place), turn(place[1], side)) for place in way for side in (-2, 2)}
    return {stern(place) for place in way}


def armament(ship):
    """Weapon -> how many of them she has in a turn."""
    found = {"depth charge": ship["depth charges"], "k-gun": ship["k-guns"], "one-ton charge": ship["charges"]}
    return found | ({ship["ahead"]: 1} if ship["ahead"] else {})
