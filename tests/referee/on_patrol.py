"""On Patrol, told again from the source and the rulings: plain functions over plain dicts, no speed.

Hexes are pairs (q, r), places pairs (bow, direction); directions 1 NE, 2 SE, 3 S, 4 SW, 5 NW, 6 N. Here are the fleet
die, the markers, the Escort Action Table, and what escorts do: order, speed, radial movement, circles, charges. Where
the source leaves more than one way, all of them are given. A ship whose way is barred is asked only whether she went a
legal way and no shorter one than she had to.
"""

from __future__ import annotations
from itertools import product
from math import atan2, degrees, sqrt

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


# The fleet ------------------------------------------------------------------------------------------------------


def sail(place, cell, hexes):
    """A ship's place after a cell of the Fleet Movement Table: turn before or after, each in place."""
    bow, direction = place
    if cell[0] in "LR":
        direction = turn(direction, -1 if cell[0] == "L" else 1)
    bow = go(bow, direction, hexes)
    if cell[-1] in "LR":
        direction = turn(direction, -1 if cell[-1] == "L" else 1)
    return bow, direction


def fleet_moves(sea, die):
    """Id -> place after the fleet die, of those that nothing stops (what hits cost a ship in speed is not ours)."""
    emergency = sea["emergency"]
    cell = FLEET_TABLE["emergency" if emergency else sea["row"]][die - 1]
    moved = {}
    for name, ship in sea["ships"].items():
        if ship["stopped"] or ship["sunk"] or emergency and ship["hits"] or not in_unison(sea, ship):
            continue
        hexes = min(ship["full"], ship["speed"] + 1) if emergency else int(cell.strip("LR"))
        moved[name] = sail(ship["place"], cell, hexes)
    return moved


def in_unison(sea, ship):
    """Merchants and capital ships always; escorts that hunt nobody and are on their station."""
    if ship["role"] != "escort":
        return True
    bow = sea["guide"][0][0] + ship["offset"][0], sea["guide"][0][1] + ship["offset"][1]
    return not ship["boat"] and not sea["emergency"] and ship["place"] == (bow, sea["guide"][1])


# Markers --------------------------------------------------------------------------------------------------------


def is_visible(sea, place, depth):
    """By day down to 25 ft; by night near a ship, near one torpedoed last turn, or where it is as light as day."""
    afloat = [s for s in sea["ships"].values() if not s["sunk"]]
    if depth > 25 or not afloat:
        return False
    if not sea["night"] or any(far(place[0], cell) <= radius for cell, radius in sea["lights"]):
        return True
    return any(near(place[0], s) <= (7 if s["torpedoed"] == sea["turn"] - 1 > 0 else 4) for s in afloat)


def near(cell, ship):
    """From a hex to the nearer end of a ship."""
    return min(far(cell, ship["place"][0]), far(cell, stern(ship["place"])))


def star_shells(marker):
    """(hex, radius) of the lights over the target hex and three hexes ahead of it."""
    target = target_hex(marker)
    return [(target, 3), (go(target, marker["place"][1], 3), 3)]


def target_hex(marker):
    return marker["place"][0] if marker["kind"] == "torpedo" else go(*marker["place"])


def marker_after_orders(sea, boat, place, depth, fired):
    """The marker of a boat after her orders; None for none."""
    old = sea["markers"].get(boat["id"])
    if is_visible(sea, place, depth):
        return {"kind": "surfaced" if depth == 0 else "visible", "place": place}
    if old and old["kind"] in ("surfaced", "visible"):
        return {"kind": "contact", "place": boat["place"]}  # where her move began
    if fired and (old is None or old["kind"] in ("torpedo", "inverted")):
        return {"kind": "torpedo", "place": (go(*place), place[1])}
    return old


def marker_after_search(sea, boat, found, missed):
    """The marker of a boat after phase 6."""
    old = sea["markers"].get(boat["id"])
    if old and old["kind"] in ("surfaced", "visible"):
        return old
    if found:
        return {"kind": "contact", "place": boat["place"]}
    if old and old["kind"] == "contact" and missed:
        return {"kind": "inverted", "place": old["place"]}
    return old


def has_missed(sea, boat, ship):
    """Whether she searched for this boat, or has run through her zone: if nobody found her, she was missed."""
    if ship["cleared"] == boat["id"]:
        return True
    by_sonar = ship["sonar"] and ship["speed"] <= SEARCH
    by_radar = ship["radar"] and boat["depth"] <= 25
    return ship["boat"] == boat["id"] and not ship["sunk"] and (by_sonar or by_radar)


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


def assign(ships, before, markers):
    """Escort -> the boat she hunts: the nearest half of a force for a second boat, of each force for a third.

    ``before`` is escort -> boat until now. None if it is open who takes escorts whose boat has no marker any more.
    """
    forces = {boat: [n for n in ships if before.get(n) == boat] for boat in markers}
    free = [n for n in ships if before.get(n) not in markers]
    if not markers:
        return dict.fromkeys(ships, "")
    if free and any(forces.values()):
        return None
    for boat, marker in sorted(markers.items()):
        if free:
            forces[boat], free = free, []
        elif not forces[boat]:
            for force in [f for f in forces.values() if f]:
                nearest = sorted(force, key=lambda n: closeness(ships[n], steered_for(marker)))
                for name in nearest[: len(force) // 2]:
                    force.remove(name)
                    forces[boat].append(name)
    return {name: boat for boat, force in forces.items() for name in force}


def pace(ship, wanted):
    """Hexes of this turn: two more or less than the last at most."""
    return max(ship["speed"] - 2, min(ship["speed"] + 2, wanted, ship["full"]), 0)


def wanted_speed(ship, marker):
    """By the Escort Action Table, the circle at full speed apart."""
    mode = MODES[marker["kind"]]
    if mode in (2, 6) or mode == 3 and ship["boat"] in ship["contact"]:
        return SEARCH
    return ship["full"]


def circle_speed(sea, ship, marker):
    """Search speed, or full speed, on the circle that of the slowest ship on it; the one that rams is on none."""
    if marker["kind"] == "inverted":
        return SEARCH
    target = target_hex(marker)
    hunting = [s for n, (m, _) in hunters(sea).items() if m is marker and not rams(sea, (s := sea["ships"][n]))]
    on = [s for s in hunting if far(s["place"][0], target) == s["ring"] == ship["ring"]]
    return min([s["full"] for s in on] if ship in on else [ship["full"]])


def rams(sea, ship):
    """Whether she is the one that rams a surfaced boat: the first to move of those that hunt it."""
    marker = sea["markers"].get(ship["boat"], {"kind": ""})
    hunting = {n: s for n, s in sea["ships"].items() if s["role"] == "escort" and s["boat"] == ship["boat"]}
    if marker["kind"] != "surfaced":
        return False
    moved = [n for n in sea["moved"] if n in hunting]
    waiting = [n for n in hunting if not hunting[n]["sunk"]]
    return ship["id"] == (moved or sorted(waiting, key=lambda n: closeness(hunting[n], marker["place"][0])))[0]


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


def turns_about(place, clear):
    """The Williamson turns she may choose: port, unless it is not clear to its end."""
    port, starboard = williamson(place, -1), williamson(place, 1)
    return [port] if clear(place, port) else [starboard, port]


def radial_ways(place, target, hexes, plan, ran, clear, chosen=None):
    """Every way of that many hexes that radial movement allows; ``clear`` says whether ships bar one.

    ``ran`` says whether she has run into the assault zone since she last turned back; None if there is none to run
    through, since she is to ram.
    """
    if hexes == 0:
        yield ()
        return

    def on(to, plan=(), ran=ran, chosen=chosen):
        for rest in radial_ways(to, target, hexes - 1, plan, ran, clear, chosen):
            yield (to, *rest)

    d, _, b = sector(target, place[0])
    if plan:
        yield from on(plan[0], plan[1:], ran=ran and False)
    elif place[0] == target or ran is not None and in_zone(place, target):
        yield from on(enter(place, 0), ran=None if ran is None else True)
    elif ran:
        for way in turns_about(place, clear):
            yield from on(way[0], way[1:], ran=False)
    elif b == 0:
        sixths = turn_to(place[1], turn(d, 3))
        if abs(sixths) < 2:
            yield from on(enter(place, sixths), chosen=None)
        elif sixths == 3:
            for way in turns_about(place, clear):
                yield from on(way[0], way[1:], chosen=None)
        else:
            def is_there(at):
                e, _, beside = sector(target, at[0])
                return e == d and beside == 0 and at[1] == turn(d, 3)

            for way in shortest_ways(place, is_there):
                yield from on(way[0], way[1:])
    else:
        radial, course = chosen or vector(place, target)
        sixths = turn_to(place[1], course)
        step = 0 if sixths == 0 else -1 if sixths in (3, -1, -2) else 1
        yield from on(enter(place, step), chosen=(radial, course))


def ring_way(place, target, radius, hexes):
    """The way of a ship that is on her circle and on its course, counter-clockwise; None for any other ship."""
    way = []
    for _ in range(hexes):
        d, _, b = sector(target, place[0])
        side = turn(d, -2) if b == 0 else turn(d, -1)  # from a corner along the next side, or on along this one
        sixths = turn_to(place[1], side)
        if far(place[0], target) != radius or abs(sixths) > 1 or (b and sixths):
            return None
        place = enter(place, sixths)
        way.append(place)
    return tuple(way)


# What bars the way ----------------------------------------------------------------------------------------------


def barred(sea, mover, rams=False):
    """(hexes no bow may enter, those no stern may swing into either): ships and where they go, charges, torpedoes."""
    taken, no_go = set(), set()
    for name, ship in sea["ships"].items():
        if name != mover:
            taken |= {ship["place"][0], stern(ship["place"])}
    for ship in sea["ships"].values():
        if ship["role"] == "escort" or ship["sunk"] or ship["stopped"]:
            continue
        no_go |= {stern((ship["place"][0], turn(ship["place"][1], s))) for s in (-1, 1)}
        course = sea["guide"][1]  # one that had to wait falls in with the others
        rows = ([] if sea["emergency"] else [sea["row"]]) + ["emergency"] * sea["may flee"]
        for cell in (cell for row in rows for cell in FLEET_TABLE[row]):
            most = min(ship["full"], ship["speed"] + 1) if "M" in cell else int(cell.strip("LR"))
            no_go |= {sail((ship["place"][0], course), cell, n)[0] for n in range(1, most + 1)}
    for marker in sea["markers"].values():  # only the one that rams may run a surfaced boat down
        if marker["kind"] == "surfaced" and not rams:
            no_go |= {marker["place"][0], stern(marker["place"])}
    no_go |= {t["at"] for t in sea["torpedoes"]}
    no_go |= {cell for weapon, who, cell in sea["charges"] if weapon != "hedgehog" and who != mover}
    return no_go | taken, taken


def running(sea):
    """The hexes where a torpedo lies or will run in the next phase 4."""
    return {go(t["at"], t["direction"], n) for t in sea["torpedoes"] for n in range(t["speed"] + 1)}


def beside(way, intended):
    """How far a way keeps from the one she meant to go: distances of the hexes, added up."""
    return sum(far(a[0], b[0]) for a, b in zip(way, intended, strict=True))


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


def all_ways(place, hexes, no_go, taken):
    """Every legal way of that many hexes."""
    found = []
    for turns in product((-1, 0, 1), repeat=hexes):
        way, at = [], place
        for sixths in turns:
            at = enter(at, sixths)
            way.append(at)
        if is_clear(place, way, no_go, taken):
            found.append(tuple(way))
    return found


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


def covered(sea, ship, marker, way):
    """The ranks of the hexes that can be covered at best, one weapon each, in order of rank."""
    rank = ranks(marker)
    ships = {c for n, s in sea["ships"].items() if n != ship["id"] for c in (s["place"][0], stern(s["place"]))}
    ships |= {ship["place"][0]} if not way else set()
    slots = []
    for weapon, number in armament(ship).items():
        cells = {c for c in reach(ship, way, weapon) if c in rank}
        slots += [cells - ships if weapon in ("hedgehog", "squid") else cells] * number
    given = {}

    def give(cell, tried):
        for number, cells in enumerate(slots):
            if cell in cells and number not in tried:
                tried.add(number)
                if number not in given or give(given[number], tried):
                    given[number] = cell
                    return True
        return False

    return [rank[cell] for cell in sorted(rank, key=lambda c: rank[c]) if give(cell, set())]
