"""What ships of On Patrol do in a turn, told again: the fleet die, who hunts whom, an escort's move and memory.

Where the source leaves more than one way, all of them are given, and what the house chose among them is remembered.
"""

from __future__ import annotations
from functools import cache
from heapq import heappop, heappush
from itertools import product

from .exercised import by
from .on_patrol import (
    FLEET_TABLE,
    MODES,
    armament,
    barred,
    closeness,
    enter,
    far,
    flees,
    flight_speed,
    go,
    hexes_of,
    in_formation,
    in_zone,
    is_clear,
    is_way,
    pace,
    post,
    rammer,
    rams,
    ranks,
    reach,
    running,
    sector,
    shortest_ways,
    steered_for,
    stern,
    target_hex,
    top,
    turn,
    turn_to,
    vector,
    wanted_speed,
    williamson,
)  # fmt: skip

DETOUR = 20
"""A way back to a station may be that much longer than the straight one; if there is none, only its laws are asked."""


# The fleet die (104.3, 104.4) -----------------------------------------------------------------------------------


def fleet_cell(sea, die):
    """The cell of the Fleet Movement Table; with a base course a turn too far off it is made to the other side (B1)."""
    row = "emergency" if flees(sea) else sea["row"]
    cell = FLEET_TABLE[row][die - 1]
    by("104.3.1", *(["104.4.2"] if flees(sea) else []))
    sixths = -1 if "L" in cell else 1 if "R" in cell else 0
    if sea["base"] and abs(turn_to(sea["base"], turn(sea["guide"][1], sixths))) > 1:
        by("B1")
        cell = cell.translate(str.maketrans("LR", "RL"))
    return cell


def turns_of(cell):
    sixths = {"L": -1, "R": 1}
    return sixths.get(cell[0], 0), sixths.get(cell[-1], 0)


def sail_fleet(sea, die):
    """The fleet after its die; (ship, hex) for each hex that was entered."""
    cell, flight = fleet_cell(sea, die), flees(sea)
    before, after = turns_of(cell)
    course, ships = turn(sea["guide"][1], before), sea["ships"]
    sailing = [n for n, s in ships.items() if not (s["stopped"] or s["sunk"])
               and (s["role"] != "escort" or in_formation(sea, s))]  # fmt: skip
    step = go((0, 0), course)

    def how_far_ahead(name):
        q, r = ships[name]["place"][0]
        return 2 * (q * step[0] + r * step[1]) + q * step[1] + r * step[0]

    sailing.sort(key=lambda n: -how_far_ahead(n))
    most = {n: hexes_of(sea, ships[n], cell) for n in sailing}
    waiting: set = set()
    while True:
        moved, entered = _unison(sea, [n for n in sailing if n not in waiting], cell, course, most, flight)
        lying = set()
        for name, ship in ships.items():
            if name not in moved:
                lying |= {ship["place"][0], stern(ship["place"])}
        crossed = ""
        for name, (place, _) in moved.items():
            if lying & {place[0], stern(place)}:
                crossed = crossed or name
            lying |= {place[0], stern(place)}
        if not crossed:
            break
        waiting.add(crossed)
    by("104.3.2")
    hexes = flight_speed(sea) if "M" in cell else int(cell.strip("LR"))
    if any(s["role"] != "escort" for s in ships.values()) or any(
        s["role"] == "escort" and n in sailing for n, s in ships.items()
    ):
        sea["guide"] = go(sea["guide"][0], course, hexes), turn(course, after)
    sea["die"] = die
    for name in sailing:
        ship = ships[name]
        if name in waiting:
            ship["speed"], ship["held"] = 0, True
            by("104.3.3")
        else:
            ship["place"], ship["speed"] = moved[name]
            ship["held"] = ship["speed"] < most[name]
        by({"escort": "103.2.2", "capital": "104.4.1", "merchant": "104.3.1"}[ship["role"]], "108.1.4")
        if ship["held"]:
            by("104.4.5" if ship["role"] == "capital" else "104.3.3")
    sea["moved"] = [n for n in ships if n in sailing]
    return entered


def _unison(sea, sailing, cell, course, most, flight):
    """Name -> (place, hexes made), the foremost first, and what was entered."""
    ships, moved, entered = sea["ships"], {}, []

    def lies(name):
        place = moved[name][0] if name in moved else ships[name]["place"]
        return {place[0], stern(place)}

    dead = [n for n, s in ships.items() if s["stopped"] or s["sunk"]]
    aside = [n for n in ships if n not in sailing]
    afloat = [n for n in aside if n not in dead and ships[n]["role"] == "escort" and not in_formation(sea, ships[n])]
    for name in sailing:
        (bow, _), made = ships[name]["place"], 0
        halted = set().union(*[lies(n) for n in aside if n not in afloat])
        for other in moved:
            if moved[other][1] < most[other]:
                halted |= lies(other)
        if flight:  # each at her own speed: she looks out for all
            halted = halted.union(*[lies(n) for n in sailing if n != name])
        taken = set().union(*[lies(n) for n in aside])
        while made < most[name]:
            lane = [go(bow, course, n) for n in (1, 2, 3)]
            if lane[0] in taken or halted & set(lane):
                break
            bow, made = lane[0], made + 1
            entered.append((name, bow))
        moved[name] = (bow, turn(course, turns_of(cell)[1])), made
    return moved, entered


# Who hunts whom (104.2.1) ---------------------------------------------------------------------------------------


def consult(sea):
    """The Escort Action Table at the end of a turn: each escort's boat; a new one ends all that she was about."""
    by("104.2.1", "104.2.2", "105.3.1")
    ships = {n: s for n, s in sea["ships"].items() if s["role"] == "escort" and not s["sunk"]}
    able = {n: s for n, s in ships.items() if not s["stopped"]}
    markers = {boat: sea["markers"][boat] for boat in sorted(sea["markers"])}
    hunts = {n: s["boat"] if s["boat"] in markers else "" for n, s in able.items()}

    def near(name, boat):
        return closeness(able[name], steered_for(markers[boat]))

    for boat in markers:
        if boat in hunts.values():
            continue
        forces = [[n for n in able if hunts[n] == other] for other in markers if other in hunts.values()]
        sent = [n for force in forces for n in sorted(force, key=lambda n: near(n, boat))[: len(force) // 2]]
        hunts |= dict.fromkeys(sent if forces else able, boat)
    for name, boat in hunts.items():
        if not boat and markers:
            hunts[name] = min(markers, key=lambda boat: (near(name, boat), boat))
    for name, ship in ships.items():
        if ship["boat"] != hunts.get(name, ""):
            ship.update(boat=hunts.get(name, ""), ring=0, plan=(), aim=None, cleared="", ran=None)


# Whose turn it is (105.4.5) -------------------------------------------------------------------------------------


def next_escort(sea):
    """The escort that moves next in phase 3, "" for none: those that hunt, then those on their way back."""
    waiting = {}
    for name, ship in sea["ships"].items():
        apart = ship["role"] != "escort" or ship["sunk"] or ship["stopped"] or name in sea["moved"]
        if not apart and not in_formation(sea, ship):
            marker = sea["markers"].get(ship["boat"])
            at = steered_for(marker) if marker else post(sea, ship)[0]
            waiting[name] = not marker, *closeness(ship, at)
    if len(waiting) > 1:
        by("105.4.5")
    return min(waiting, key=lambda n: waiting[n], default="")


# Where she would go: every way of that many hexes, with what is left of a manoeuvre and whether she has run ------


class Steering:
    """What she steers by: the target hex, a circle or none, a zone to run through or none, and what is clear."""

    def __init__(self, target, ring, zone, clear):
        self.target, self.ring, self.zone, self.clear = target, ring, zone, clear

    def ways(self, place, hexes, plan=(), ran=False, chosen=None):
        """Yields (way, what is left of the plan, whether she has run and not turned back)."""
        if hexes == 0:
            yield (), plan, ran or self.zone and in_zone(place, self.target)
            return
        target = self.target
        d, _, b = sector(target, place[0])
        inward = turn_to(place[1], turn(d, 3)) if d else 0
        along = turn_to(place[1], self.side(place)) if self.ring and far(place[0], target) == self.ring else 9
        if abs(along) < 2:
            by("106.1.1", "106.1.2")
            yield from self.on(enter(place, along), hexes, (), ran, chosen)
        elif plan and not (self.ring and far(place[0], target) == self.ring):
            yield from self.on(plan[0], hexes, plan[1:], ran, chosen)
        elif self.ring and far(place[0], target) <= self.ring:
            by("106.2.2")
            yield from self.begin(place, hexes, self.onto_ring(place), ran)
        elif place[0] == target or self.zone and in_zone(place, target):
            by("105.4.9", "105.1.5")
            yield from self.on(enter(place, 0), hexes, (), self.zone, chosen)
        elif b == 0 and abs(inward) < 2:
            by("105.3.2b", "105.1.2")
            yield from self.on(enter(place, inward), hexes, (), ran, None)
        elif ran:
            by("105.4.9", "105.2")
            yield from self.begin(place, hexes, [self.about(place)], False)
        elif b == 0 and inward == 3:
            by("105.3.3", "105.2")
            yield from self.begin(place, hexes, [self.about(place)], False)
        elif b == 0:
            by("105.3.2b")
            there = lambda at: sector(target, at[0])[::2] == (d, 0) and at[1] == turn(d, 3)  # noqa: E731
            yield from self.begin(place, hexes, shortest_ways(place, there), ran)
        else:
            by("105.3.2a", "105.3.2", "105.1.4")
            radials = {d: turn(d, 4), turn(d, 1): turn(d, 3)}
            radial = chosen if chosen in radials else vector(place, target)[0]
            sixths = turn_to(place[1], radials[radial])
            yield from self.on(enter(place, -1 if sixths == 3 else max(-1, min(1, sixths))), hexes, (), ran, radial)

    def on(self, to, hexes, plan, ran, chosen):
        for way, left, has_run in self.ways(to, hexes - 1, plan, ran, chosen):
            yield (to, *way), left, has_run

    def begin(self, place, hexes, manoeuvres, ran):
        for way in manoeuvres:
            yield from self.on(way[0], hexes, tuple(way[1:]), ran, None)

    def about(self, place):
        """A Williamson turn: to port, unless only starboard is clear."""
        port, starboard = williamson(place, -1), williamson(place, 1)
        return starboard if not self.clear(place, port) and self.clear(place, starboard) else port

    def side(self, place):
        """Counter-clockwise: from a corner along the next side, or on along this one."""
        d, _, b = sector(self.target, place[0])
        return turn(d, -1) if b else turn(d, -2)

    def onto_ring(self, place):
        def there(at):
            on = far(at[0], self.target) == self.ring and at[0] != place[0]
            return on and abs(turn_to(at[1], self.side(at))) < 2

        return shortest_ways(place, there, most=16)


def all_ways(place, hexes, no_go, taken):
    """Every legal way of that many hexes, each with the number of its turns."""
    found = []
    for turns in product((-1, 0, 1), repeat=hexes):
        way, at = [], place
        for sixths in turns:
            at = enter(at, sixths)
            way.append(at)
        if is_clear(place, way, no_go, taken):
            found.append((tuple(way), sum(map(abs, turns))))
    return found


def beside(place, intended, no_go, taken, ending):
    """The ways as close beside an intended one as can be: as long, then by hexes, by heading, by turns."""
    for hexes in range(len(intended), 0, -1):
        free = [(way, turns) for way, turns in all_ways(place, hexes, no_go, taken)
                if not ending & {way[-1][0], stern(way[-1])}]  # fmt: skip
        worth = {way: (sum(far(a[0], b[0]) for a, b in zip(way, intended, strict=False)),
                       abs(turn_to(way[-1][1], intended[hexes - 1][1])), turns) for way, turns in free}  # fmt: skip
        if free:
            return {way for way in worth if worth[way] == min(worth.values())}
    return {()}


def hexes_home(place, home, no_go, taken):
    """Hexes of the shortest legal way to a place, None if there is none that is not too long."""
    straight = far(place[0], home[0])
    heap, done = [(straight, 0, place)], set()
    while heap:
        _, made, at = heappop(heap)
        if at == home:
            return made
        if at in done:
            continue
        done.add(at)
        for sixths in (-1, 0, 1):
            to = enter(at, sixths)
            least = made + 1 + far(to[0], home[0])
            if to not in done and least <= straight + DETOUR and is_clear(at, [to], no_go, taken):
                heappush(heap, (least, made + 1, to))
    return None


# An escort's move -----------------------------------------------------------------------------------------------


def move_escort(sea, name, way, charges, plan, same):
    """The move of an escort, held against the rules, and what she remembers after it.

    ``way``, ``charges`` as (weapon, hex) and ``plan`` (what is left of a manoeuvre) are the house's; ``same(about,
    house, referee)`` is told what of them is so.
    """
    ship = sea["ships"][name]
    marker = sea["markers"].get(ship["boat"])
    no_go, taken = barred(sea, name, rams(sea, ship), returns=not marker)
    ending = running(sea)
    same("a legal way", is_way(ship["place"], way) and is_clear(ship["place"], way, no_go, taken), True)
    if not marker:
        _return(sea, ship, way, no_go, taken, ending, same)
        same("charges of one that hunts nobody", (charges, plan), ([], ()))
        ship.update(ring=0, plan=(), aim=None, ran=None, cleared="")
    else:
        _hunt(sea, ship, marker, way, charges, plan, no_go, taken, ending, same)
    ship["charges"] -= sum(weapon == "one-ton charge" for weapon, _ in charges)
    ship["speed"] = len(way)
    ship["place"] = way[-1] if way else ship["place"]
    sea["charges"] += [(weapon, name, cell) for weapon, cell in charges]
    rammed = []
    for boat in sea["boats"].values():
        hit = [to[0] for to in way if to[0] in (boat["place"][0], stern(boat["place"]))]
        if hit and active(boat) and boat["depth"] == 0 and boat["id"] not in sea["moved"]:
            rammed.append(("ram", name, boat["id"], hit[0], ()))
            by("108.1.5", "R1")
    sea["moved"] += [name, *(task[2] for task in rammed)]
    sea["todo"] = rammed
    by("105.4.7")


def active(boat):
    return not (boat["sunk"] or boat["away"])


def _return(sea, ship, way, no_go, taken, ending, same):
    """Back to her station by a shortest way; too fast, she goes straight on past it (104.2.3)."""
    by("104.2.3")
    home, hexes = post(sea, ship), pace(ship, top(ship))
    if not ship["hits"]:  # a sound one gains a hex a turn on the fleet
        row = FLEET_TABLE["emergency" if flees(sea) else sea["row"]]
        fleet = max(flight_speed(sea) if "M" in cell else int(cell.strip("LR")) for cell in row)
        hexes = max(ship["speed"] - 2, min(ship["speed"] + 2, max(top(ship), fleet + 1)))
    far_home = hexes_home(ship["place"], home, no_go, taken)
    if far_home is None or ending:
        return  # no way is the shortest, or torpedoes bar it: she goes a legal way
    least = min(hexes, ship["speed"] - 2)
    steps = min(far_home, hexes)
    made = [*way[:steps]]
    past = [(go(home[0], home[1], n), home[1]) for n in range(1, max(0, least - steps) + 1)]
    if len(made) == steps and list(way[steps:]) == past:
        at = made[-1] if made else ship["place"]
        left = hexes_home(at, home, no_go, taken)
        same("a shortest way to her station", left, far_home - steps)
    else:  # past her station somebody lies in her way
        same("the way past her station", not is_clear(home, past, no_go, taken), True)


def _hunt(sea, ship, marker, way, charges, plan, no_go, taken, ending, same):
    mode, ramming = MODES[marker["kind"]], rams(sea, ship)
    by("104.2.1", "105.1.1" if mode < 5 else "106.2.1", "105.1.3")
    target = marker["place"][0] if ramming else target_hex(marker)
    radially, start = mode in (2, 3, 4), ship["place"]
    ring = 0
    if not radially and not ramming:
        ring = ship["ring"] or (6 if far(start[0], target) < 12 else 12)
        by("106.2.4")
    wanted = wanted_speed(ship, marker)
    if ring and mode == 5 and far(start[0], target) == ring:
        by("106.2.3")
        wanted = min(top(s) for s in _on_ring(sea, ship, target, ring))

    def clear(place, way):
        return is_clear(place, way, no_go, taken)

    def free(way):
        return clear(start, way) and not (ending & {way[-1][0], stern(way[-1])} if way else ending & {
            start[0], stern(start)})  # fmt: skip

    old = ship["plan"] if ship["aim"] == target else ()
    if ship["plan"] and not old:
        by("105.3.4")
    ran = radially and ship["ran"] == target
    steering = Steering(target, ring, radially, clear)
    answers = {}
    for intended, left, has_run in steering.ways(start, pace(ship, wanted), old, ran):
        if free(intended):
            answers[intended, left] = target if radially and has_run else None
        else:
            for other in _beside(start, intended, no_go, taken, ending):
                if other == intended:
                    continue
                run = ran or any(in_zone(place, target) for place in other)
                answers.setdefault((other, ()), target if radially and run else None)
    same("her way and the rest of her manoeuvre", (way, plan) if (way, plan) not in answers else True,
         True if (way, plan) in answers else sorted(answers))  # fmt: skip
    if radially:
        _charges(sea, ship, marker, way, charges, same)
    else:
        same("charges on a circle", charges, [])
    passed = radially and way and in_zone(start, target) and not in_zone(way[-1], target)
    ship.update(ring=ring, plan=plan, aim=target if plan else None, ran=answers[way, plan],
                cleared=ship["boat"] if passed and ship["boat"] not in ship["contact"] else "")  # fmt: skip


def _beside(start, intended, no_go, taken, ending):
    by("105.4.8")
    near = {c for c in no_go | taken if far(c, start[0]) <= len(intended) + 1}
    return _closest(start, intended, frozenset(near), frozenset(taken & near), frozenset(
        c for c in ending if far(c, start[0]) <= len(intended) + 1))  # fmt: skip


_closest = cache(beside)


def _on_ring(sea, ship, target, ring):
    """The ships on the same circle, herself among them; the one that rams is not."""
    apart = rammer(sea, ship["boat"])
    found = [ship]
    for name, other in sea["ships"].items():
        hunts = other["role"] == "escort" and other["boat"] == ship["boat"] and not (other["sunk"] or other["stopped"])
        if name not in (ship["id"], apart) and hunts and far(other["place"][0], target) == ring:
            found += [other] * (other["ring"] in (0, ring))
    return found


# Her charges (105.4) --------------------------------------------------------------------------------------------


def _charges(sea, ship, marker, way, charges, same):
    """Round by round: the best hexes that can be covered at once, then what is thrown onto marked ones."""
    others = {c for n, s in sea["ships"].items() if n != ship["id"] for c in (s["place"][0], stern(s["place"]))}
    marked = {cell for _, _, cell in sea["charges"]}
    weapons(ranks(marker), armament(ship), ship, way, charges, others, marked, same)


def weapons(rank, left, ship, way, charges, others, marked, same):
    order = sorted(rank, key=lambda cell: rank[cell])  # of a pair the one to port comes first
    cells = {}
    for weapon in left:
        cells[weapon] = {c for c in reach(ship, way, weapon) if c in rank}
        if weapon in ("hedgehog", "squid"):
            cells[weapon] -= others
    if any(left[w] and cells[w] for w in left):
        by("105.4.1", "105.4.4", "105.4.6", "105.4.11")
    left, rest = dict(left), list(charges)
    vacant = {w: cells[w] - marked for w in left}
    again = {w: cells[w] if w not in ("depth charge", "one-ton charge") else set() for w in left}
    for may in (vacant, again):
        while best := _best(order, [may[w] for w in left for _ in range(left[w])]):
            now, rest = rest[: len(best)], rest[len(best) :]
            same("hexes covered in a round", [cell for _, cell in now], best)
            for weapon, cell in now:
                same("a weapon within reach", left.get(weapon, 0) > 0 and cell in may[weapon], True)
                left[weapon] -= 1
            astern = [(cell, weapon) for weapon, cell in now if weapon in ("depth charge", "one-ton charge")]
            if "one-ton charge" in (weapon for _, weapon in astern):
                by("102.5")
                same("where the one-ton charge goes", astern[0][1], "one-ton charge")
            if marked & set(best):
                by("105.4.10")
    same("weapons of a turn", rest, [])


def _best(order, slots):
    """The hexes that can be covered at once, one weapon each: the best set, hex by hex in order of priority."""
    given = {}

    def give(cell, tried):
        for number, reached in enumerate(slots):
            if cell in reached and number not in tried:
                tried.add(number)
                if number not in given or give(given[number], tried):
                    given[number] = cell
                    return True
        return False

    return [cell for cell in order if give(cell, set())]
