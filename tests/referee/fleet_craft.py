"""Boats and aircraft of Fleet Action, told again from RULES.md (F41 to F67): plain functions over plain dicts.

The battle is that of `fleet_action`, with what these chapters add to ships, and the flights.
"""

from __future__ import annotations
from fractions import Fraction
from math import comb

from . import fleet_action as fa
from .exercised import by, decides

SIXTH, THIRD = Fraction(1, 6), Fraction(1, 3)
LEVELS = ["surface", "periscope", "deep"]
BREAK = {"charges": 40, "hedgehog": 60, "squid": 80}


def dived(ship):
    return ship["depth"] != "surface"


def dark(battle):
    return fa.is_night(battle)


def sea_at(battle, square):
    return "night" if dark(battle) else "rough" if fa.weather(battle, square) == "high seas" else "good"


def enemies_at_sea(battle, side):
    return fa.at_sea(battle, 1 - side)


# Who knows whom -------------------------------------------------------------------------------------------------


@decides("F32", "F43", "F44", "F58")
def looks(battle, eye, target):
    """How far a ship sees another by herself."""
    if eye["depth"] == "deep":
        return -1
    if dark(battle) and target is not None and target["boat"]:
        far = 2 if eye["radar"] else 1
    elif battle["wide"]:
        sea = fa.weather(battle, eye["square"])
        far = (4 if eye["radar"] else 1) if dark(battle) else {"fog": 0, "high seas": 1, "good": 5}[sea]
    else:
        far = 2 if dark(battle) else 999
    return min(far, 2) if dived(eye) else far


@decides("F58")
def from_above(battle, flight, square):
    if flight["place"] != "aloft":
        return False
    sea = fa.weather(battle, flight["square"])
    far = 0 if sea == "fog" else 1 if dark(battle) or sea == "high seas" else 3
    (x, y), (u, v) = flight["came"] or flight["square"], flight["square"]
    way = [flight["square"]]
    if "scout" in flight["roles"] and flight["came"]:
        way += [(x + c, y + r) for c in range(min(0, u - x), max(0, u - x) + 1)
                for r in range(min(0, v - y), max(0, v - y) + 1) if fa.crosses(u - x, v - y, c, r)]
        way.append(flight["came"])
    return any(fa.squares_between(place, square) <= far for place in way)


@decides("F43")
def is_known(battle, name):
    ship = battle["ships"][name]
    if ship["fate"] != "at sea":
        return True
    if dived(ship):
        return ship["announced"]
    if fa.weather(battle, ship["square"]) == "fog":
        return False
    if ship["marked"] or not (battle["wide"] or dark(battle)):
        return True
    for eye in enemies_at_sea(battle, ship["side"]).values():
        near = fa.squares_between(eye["square"], ship["square"]) <= looks(battle, eye, ship)
        if near and fa.in_sight(battle, eye["square"], ship["square"]):
            return True
    return any(f["side"] != ship["side"] and from_above(battle, f, ship["square"]) for f in battle["flights"].values())


@decides("F58")
def is_seen(battle, flight):
    """Whether the enemy sees that there is a flight."""
    if flight["place"] != "aloft":
        return False
    if not battle["wide"] and not dark(battle):
        return fa.weather(battle, flight["square"]) != "fog"
    for eye in enemies_at_sea(battle, flight["side"]).values():
        far = 8 if eye["radar"] else looks(battle, eye, None)
        if not dived(eye) and fa.squares_between(eye["square"], flight["square"]) <= far:
            return True
    return any(f["side"] != flight["side"] and from_above(battle, f, flight["square"])
               for f in battle["flights"].values())


# Boats ----------------------------------------------------------------------------------------------------------


@decides("F41", "F48")
def depths(ship):
    """The depths to which she may change, and by how many levels."""
    if fa.quarters(ship) >= 3:
        return {}
    found = {d: abs(LEVELS.index(d) - LEVELS.index(ship["depth"])) for d in LEVELS if d != ship["depth"]}
    return {d: n for d, n in found.items() if n == 1 or ship["loading"] < 0}


@decides("F42", "F43")
def boat_moves(battle, ship):
    """Every order of movement to a boat: (square, course, depth or "")."""
    closed = {**battle, "land": battle["land"] | battle["harbours"][1 - ship["side"]]}
    found = set()
    for depth, levels in {ship["depth"]: 0, **depths(ship)}.items():
        places = set()
        if levels < 2:
            speed = ship["speed"]
            if depth != "surface":
                speed = 1 if ship["battery"] > 0 else 0
            elif ship["loading"] >= 0 or ship["screws"]:
                speed = 1
            places = set(fa.ways(closed, {**ship, "speed": speed}))
        if levels:
            places.add((ship["square"], ship["heading"]))
        for square, course in places:
            if depth != "surface" or has_room(battle, ship, square):
                found.add((square, course, depth if levels else ""))
    return found


@decides("F9", "F43")
def has_room(battle, ship, square):
    """Whether a surfaced boat may end there: nothing blocks of which her side sees nothing, nor what is dived."""
    there = [s for n, s in battle["ships"].items()
             if s["fate"] == "at sea" and s["square"] == square and s is not ship and s["name"] != ship["name"]
             and not dived(s)
             and (s["side"] == ship["side"] or not (battle["wide"] or s["boat"]) or is_known(battle, n))]
    if any(other["side"] != ship["side"] for other in there):
        return False
    return square in battle["harbours"][ship["side"]] or sum(map(fa.room, [*there, ship])) <= 4


@decides("F45")
def may_load(ship):
    if not ship["boat"] or ship["fate"] != "at sea" or ship["still"] or ship["loading"] >= 0:
        return set()
    if len(ship["wake"]) > 1 or ship["task"] not in ("none", "move"):
        return set()
    return {n for n, tubes in enumerate(ship["sets"], 1)
            if not ship["loaded"] >> (n - 1) & 1 and ship["spares"] >= tubes["tubes"]}


@decides("F44")
def periscope_odds(battle, boat):
    ship, watchers = battle["ships"][boat], 0
    calm = fa.weather(battle, ship["square"]) == "good"
    if ship["depth"] == "periscope" and calm:
        for other in enemies_at_sea(battle, ship["side"]).values():
            near = fa.squares_between(other["square"], ship["square"]) <= 1
            clear = fa.weather(battle, other["square"]) != "fog"
            watchers += near and not dived(other) and clear and fa.in_sight(battle, ship["square"], other["square"])
    unseen = (1 - SIXTH) ** watchers
    return {f"{boat}: periscope unseen": unseen, f"{boat}: periscope seen": 1 - unseen}


# Hunting --------------------------------------------------------------------------------------------------------


@decides("F49")
def may_hunt(battle, side):
    """Every search that side may order: (ship, square)."""
    if not any(s["boat"] for s in enemies_at_sea(battle, side).values()):
        return set()
    found = set()
    for name, ship in fa.at_sea(battle, side).items():
        gear = ship["gear"]
        if not gear or ship["square"] in battle["harbours"][side] or ship["task"] == "reload":
            continue
        half = Fraction(gear["limit"], 2)
        limit = int(half) if battle["move"] % 2 else -int(-half // 1)
        if ship["went"] > limit or any(h["ship"] == name for h in battle["hunts"]):
            continue
        x, y = ship["square"]
        found.add((name, (x, y)))
        if gear["next"] < 7:
            by("F50")
            for there in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                inside = 0 <= there[0] < battle["columns"] and 0 <= there[1] < battle["rows"]
                if inside and there not in battle["land"]:
                    found.add((name, there))
    return found


def hunted_boat(battle, hunt):
    side = battle["ships"][hunt["ship"]]["side"]
    return next((n for n, s in enemies_at_sea(battle, side).items()
                 if s["boat"] and dived(s) and s["square"] == hunt["square"]), None)


@decides("F50", "F51")
def needed(battle, hunt):
    """The lowest die of contact."""
    ship = battle["ships"][hunt["ship"]]
    if hunt["square"] in battle["fouled"]:
        return 7
    die = ship["gear"]["own"] if hunt["square"] == ship["square"] else ship["gear"]["next"]
    rough = fa.weather(battle, ship["square"]) == "high seas"
    return min(die + 1, 6) if rough and die <= 6 else die


@decides("F50")
def contact_odds(battle, hunt, square):
    heard = Fraction(max(0, 7 - needed(battle, hunt)), 6) if hunted_boat(battle, hunt) else Fraction(0)
    words = f"{hunt['ship']}: hunt {square}"
    return {f"{words} contact": heard, f"{words} nothing": 1 - heard}


@decides("F51", "F52")
def charge_odds(battle, hunt, square):
    gear, found = battle["ships"][hunt["ship"]]["gear"], {}
    words = f"{hunt['ship']}: charges {square}"
    if gear["weapon"] != "charges":
        hit = THIRD if gear["weapon"] == "squid" else SIXTH
        return {f"{words} oil 0 telling 0": 1 - hit, f"{words} oil 1 telling 1": hit}
    dice = -(-gear["charges"] // 3)
    for sixes in range(dice + 1):
        for telling in range(sixes + 1):
            found[f"{words} oil {sixes} telling {telling}"] = chance(dice, SIXTH, sixes) * chance(sixes, SIXTH, telling)
    return found


def chance(n, p, k):
    return comb(n, k) * p**k * (1 - p) ** (n - k)


# Flights --------------------------------------------------------------------------------------------------------


def is_armed(flight):
    return bool(flight["bombs"] if flight["level"] else flight["weapon"])


@decides("F57", "F59")
def deck_open(battle, ship):
    if ship["fate"] != "at sea" or not ship["deck"] or fa.weather(battle, ship["square"]) == "fog":
        return False
    return fa.quarters(ship) < (2 if ship["armoured"] else 1)


@decides("F55")
def into_wind(ship):
    return ship["type"] == "airfield" or (bool(ship["wake"]) and not ship["turned"])


def may_fly_now(battle, flight):
    return not dark(battle) or "night" in flight["roles"]


@decides("F54", "F55", "F56", "F57")
def flight_orders(battle, name):
    """Every order to a flight, as it is written."""
    flight, ships, side = battle["flights"][name], battle["ships"], battle["side"]
    if flight["side"] != side or flight["acted"]:
        return set()
    base = ships.get(flight["base"])
    floats = "floatplane" in flight["roles"]
    if flight["place"] != "aloft":
        found = set()
        if not base:
            return {f"{name}: launch"} if flight["call"] and flight["place"] == "below" else set()
        on_deck = sum(f["base"] == flight["base"] and f["place"] == "ranged" for f in battle["flights"].values())
        if flight["place"] == "below" and not floats and deck_open(battle, base) and flight["ready"] <= battle["move"]:
            if on_deck < base["deck"]:
                found.add(f"{flight['base']}: range {name}")
        if may_fly_now(battle, flight):
            ready = flight["ready"] <= battle["move"]
            if floats:
                if flight["place"] == "below" and ready and base["fate"] == "at sea" and not dived(base):
                    found.add(f"{name}: launch")
            elif flight["place"] == "ranged" and ready and deck_open(battle, base) and into_wind(base):
                if not base["landed"] and base["launched"] < base["deck"]:
                    found.add(f"{name}: launch")
        return found
    reach = {(x, y) for x in range(battle["columns"]) for y in range(battle["rows"])
             if 0 < fa.squares_between(flight["square"], (x, y)) <= flight["squares"]}
    found = {f"{name}: {chr(65 + x)}{y + 1}" for x, y in reach}
    near = reach | {flight["square"]}
    if not base and flight["base"] == "" and near & flight["entry"]:
        found.add(f"{name}: land home")
    fighter = "fighter" in flight["roles"]
    for other, ship in ships.items():
        if ship["fate"] != "at sea" or dived(ship) or ship["square"] not in near:
            continue
        if ship["side"] == side:
            if fighter:
                found.add(f"{name}: patrol {other}")
            if may_land(battle, flight, other):
                found.add(f"{name}: land {other}")
        elif is_known(battle, other) and may_attack(battle, flight, ship):
            found.add(f"{name}: attack {other}")
    return found


@decides("F55")
def may_land(battle, flight, name):
    ship = battle["ships"][name]
    if "floatplane" in flight["roles"]:
        calm = fa.weather(battle, ship["square"]) != "high seas"
        return name == flight["base"] and ship["went"] <= 1 and calm
    return deck_open(battle, ship) and into_wind(ship) and not ship["launched"] and ship["landed"] < ship["deck"]


@decides("F53", "F65", "F66")
def may_attack(battle, flight, ship):
    if not may_fly_now(battle, flight) or fa.weather(battle, ship["square"]) == "fog":
        return False
    if "fighter" in flight["roles"]:
        return True
    return flight["loaded"] and is_armed(flight) and (flight["weapon"] == "charges") == ship["boat"]


# Raids ----------------------------------------------------------------------------------------------------------


@decides("F61")
def patrol_over(battle, side, square):
    """The flights that meet a raid there, and how many of each."""
    sea = sea_at(battle, square)
    led = any(s["radar"] and fa.squares_between(s["square"], square) <= 2 for s in fa.at_sea(battle, side).values())
    found = []
    for name, flight in battle["flights"].items():
        if flight["side"] == side and flight["place"] == "aloft" and flight["duty"] == "patrol":
            if fa.squares_between(flight["square"], square) <= 2 and flight["count"] and sea != "night":
                all_of_them = led and sea == "good"
                found.append([name, flight["count"] if all_of_them else -(-flight["count"] // 2)])
    return found


def better(battle, own, other):
    """The lowest die that hits, by grades."""
    by = battle["flights"][own]["grade"] - battle["flights"][other]["grade"]
    return {0: 6, 1: 5}.get(max(0, by), 4)


@decides("F61", "F64")
def fights(battle):
    """Every fight of this move: (flight, other, dice, lowest die), in their order."""
    raiders = {n: f for n, f in battle["flights"].items() if f["duty"] == "attack" and f["acted"] and f["count"]}
    found = []
    for ship in [n for n in battle["ships"] if any(f["mark"] == n for f in raiders.values())]:
        square, side = battle["ships"][ship]["square"], battle["ships"][ship]["side"]
        here = [n for n, f in raiders.items() if f["mark"] == ship]
        escorts = [[n, raiders[n]["count"]] for n in here if "fighter" in raiders[n]["roles"]]
        bombers = [n for n in here if "fighter" not in raiders[n]["roles"]]
        met = patrol_over(battle, side, square)
        first = met[0][0] if met else None
        for guard, left in met:
            while left and escorts:
                pairs = min(left, escorts[0][1])
                one = escorts[0][0]
                found.append((one, guard, pairs, better(battle, one, guard)))
                found.append((guard, one, pairs, better(battle, guard, one)))
                left -= pairs
                escorts[0][1] -= pairs
                escorts = [each for each in escorts if each[1]]
            while left and bombers:
                one = bombers[0]
                count = raiders[one]["count"]
                at_it = left if len(bombers) == 1 else min(left, count)
                found += [(guard, one, at_it, better(battle, guard, one)), (one, guard, -(-count // 3), 6)]
                left -= at_it
                if len(bombers) > 1:
                    bombers = bombers[1:]
        if first:
            found += [(one, first, left, better(battle, one, first)) for one, left in escorts]
    return found


@decides("F64")
def fight_odds(battle, number):
    own, other, dice, die = fights(battle)[number]
    p = Fraction(7 - die, 6)
    return {f"{own}: fight {other} down {k}": chance(dice, p, k) for k in range(dice + 1)}


@decides("F62", "F63")
def flak_odds(battle, raid):
    ship, flight = battle["ships"][raid["target"]], battle["flights"][raid["flight"]]
    dice = ship["aa"] + sum(
        s["aa"] // 2 for n, s in fa.at_sea(battle, ship["side"]).items()
        if n != raid["target"] and not dived(s) and fa.squares_between(s["square"], ship["square"]) <= 1
    )
    if flight["level"] or sea_at(battle, ship["square"]) != "good":
        dice //= 2
    found = {}
    for sixes in range(dice + 1):
        off = min(sixes, flight["count"])
        for lost in range(off + 1):
            key = f"{raid['target']}: fire at {raid['flight']} off {off} lost {lost}"
            found[key] = found.get(key, 0) + chance(dice, SIXTH, sixes) * chance(off, THIRD, lost)
    return found


@decides("F19", "F66")
def target_die(battle, ship):
    if ship["square"] in battle["harbours"][ship["side"]]:
        return 4
    squares = 1 if ship["screws"] or ship["loading"] >= 0 else fa.allowance(battle, ship)
    return 6 if squares >= 3 else 5


@decides("F53", "F66", "F67")
def drop_odds(battle, raid):
    ship, flight = battle["ships"][raid["target"]], battle["flights"][raid["flight"]]
    left = flight["count"] - raid["off"]
    words = f"{raid['flight']}: at {raid['target']} hits"
    if ship["boat"]:
        p = SIXTH if raid["dive"] < 3 else SIXTH**2
        return {f"{words} {k} telling {k}": chance(left, p, k) for k in range(left + 1)}
    torpedo = not flight["level"] and flight["weapon"] == "torpedo"
    dice = -(-left // 3) if flight["level"] else left
    hit = Fraction(7 - target_die(battle, ship), 6)
    on_deck = any(f["base"] == raid["target"] and f["place"] == "ranged" for f in battle["flights"].values())
    again = Fraction(1) if on_deck and not torpedo else SIXTH**2 / hit
    return {f"{words} {k} telling {t}": chance(dice, hit, k) * chance(k, again, t)
            for k in range(dice + 1) for t in range(k + 1)}
