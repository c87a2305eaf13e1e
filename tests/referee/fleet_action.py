"""Fleet Action, told again from the source and the rulings: plain functions over plain dicts, no speed.

A battle is a dict: the board, the ships' cards by name, and what has become of each ship. Squares are (column, row)
from the top left, headings words. What the machine chooses for an owner who leaves his turrets to it is no rule, and
not here.
"""

from __future__ import annotations
from fractions import Fraction
from math import atan2, comb, degrees

from .exercised import decides

COURSES = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
STEPS = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
AHEAD = dict(zip(COURSES, STEPS, strict=True))
BEARS = {  # the eighths of the horizon, clockwise from right ahead
    "forward": {0, 1, 2, 3, 5, 6, 7}, "aft": {1, 2, 3, 4, 5, 6, 7}, "amidships": {1, 2, 3, 5, 6, 7},
    "port": {5, 6, 7}, "starboard": {1, 2, 3},
}


def round_up(number):
    """To the nearest whole number, halves upwards, and at least 1."""
    return max(1, int(number + Fraction(1, 2)))


def turned(course, eighths):
    return COURSES[(COURSES.index(course) + eighths) % 8]


@decides("F1a")
def squares_between(one, other):
    """Columns plus rows."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def bearing(course, here, there):
    """On which eighth of the horizon ``there`` lies from a ship ``here`` on that course."""
    angle = degrees(atan2(there[0] - here[0], here[1] - there[1])) - 45 * COURSES.index(course)
    return round(angle / 45) % 8


@decides("F28")
def zone(battle, square):
    """One of the four quarters of the board."""
    return 2 * (2 * square[1] >= battle["rows"]) + (2 * square[0] >= battle["columns"])


def weather(battle, square):
    pips = ([*battle["weather"]] + [1] * 4)[zone(battle, square)]  # a zone not diced for yet counts as clear
    return "fog" if pips == 6 else "high seas" if pips >= 4 else "good"


@decides("F31")
def is_night(battle):
    """A night has four moves, a day eight."""
    move = (battle["move"] - 1) % 12
    return {"day": False, "night": True, "dawn": move >= 8, "dusk": move < 4}[battle["light"]]


def quarters(ship):
    return min(4, int(Fraction(ship["damage"] * 4, ship["rate"])))


# Movement -------------------------------------------------------------------------------------------------------


@decides("F4", "F29")
def allowance(battle, ship):
    """Squares in this move: bands of four knots, half a square each; damage and weather take their part."""
    if ship["speed"] <= 0:
        return 0
    halves = min(10, ship["speed"] // 4 + 1)
    squares = int(halves // 2 if battle["move"] % 2 else -(-halves // 2))
    squares = 1 if quarters(ship) == 3 else max(1, squares - quarters(ship))
    sea = weather(battle, ship["square"])
    if sea == "fog":
        return min(1, squares)
    return max(1, squares - 1) if sea == "high seas" and ship["tons"] < 10_000 else squares


@decides("F3", "F5")
def may_step(battle, ship, here, course):
    """The square one step that way; None where land, the edge or the screen is."""
    across, down = AHEAD[course]
    there = here[0] + across, here[1] + down
    if not (0 <= there[0] < battle["columns"] and 0 <= there[1] < battle["rows"]) or there in battle["land"]:
        return None
    if across and down and {(there[0], here[1]), (here[0], there[1])} <= battle["land"]:
        return None
    if screened(battle) and (there[0] >= battle["screen"]) != (ship["side"] == 1):
        return None
    return there


@decides("F33")
def screened(battle):
    return battle["move"] <= battle["screened"]


@decides("F6", "F7")
def ways(battle, ship):
    """Every way of this move: (square, course) -> list of (cost, turns step by step, squares entered)."""
    allowed = allowance(battle, ship)
    found = {}

    def go_on(here, course, cost, turns, wake):
        found.setdefault((here, course), []).append((cost, turns, wake))
        for turn in (0, -1, 1):
            way = turned(course, turn)
            there = may_step(battle, ship, here, way)
            price = 2 if len(way) == 2 else 1
            lone = allowed == 1 and cost == 0
            if there and (cost + price <= allowed or lone):
                go_on(there, way, cost + price, (*turns, turn != 0), (*wake, there))

    go_on(ship["square"], ship["heading"], 0, (), ())
    if allowed:
        go_on(ship["square"], turned(ship["heading"], 4), 1, (True,), ())
    del found[ship["square"], ship["heading"]]
    return found


@decides("F8")
def best_ways(battle, ship, ways_there):
    """Fewest squares known to be mined by the enemy, then cheapest, then turning latest; those that are equal."""
    mined = {f["square"] for f in battle["fields"] if f["side"] != ship["side"] and f["known"]}

    def rank(way):
        cost, turns, wake = way
        return sum(square in mined for square in wake), cost, turns

    best = min(map(rank, ways_there))
    return [way for way in ways_there if rank(way) == best]


@decides("F9")
def room(ship):
    """How much of a square she takes, in quarters."""
    if ship["type"] == "depot ship":
        return 0
    if ship["type"] in ("motor torpedo boat", "minesweeper"):
        return 1
    return 4 if ship["tons"] > 3500 else 2


@decides("F10")
def may_end(battle, moved):
    """Whether ships may lie on these squares: name -> square; guests go along, all others stay where they are."""
    moved = {**moved, **{guest: square for name, square in moved.items() for guest in guests(battle, name)}}
    for name, square in moved.items():
        side = battle["ships"][name]["side"]
        there = [moved.get(n, s["square"]) == square for n, s in battle["ships"].items()]
        company = [s for here, s in zip(there, battle["ships"].values(), strict=True) if here]
        if any(other["side"] != side for other in company):
            return False
        depots = sum(other["type"] == "depot ship" for other in company)
        if square not in battle["harbours"][side] and (sum(map(room, company)) > 4 or depots > 1):
            return False
    return True


def depot(battle, ship):
    """The depot ship of her side in her square, if there is one."""
    for name, other in at_sea(battle, ship["side"]).items():
        if name != ship["name"] and other["type"] == "depot ship" and other["square"] == ship["square"]:
            return name
    return ""


def guests(battle, name):
    """The ships that take on torpedoes beside her: they go where she goes."""
    return [n for n, s in at_sea(battle, battle["ships"][name]["side"]).items()
            if s["task"] == "reload" and depot(battle, s) == name]


def at_sea(battle, side):
    return {n: s for n, s in battle["ships"].items() if s["fate"] == "at sea" and s["side"] == side}


def destinations(battle):
    """Every order to a ship or division: (who, square, course) -> name -> best ways; found once for a position."""
    if "destinations" not in battle:
        battle["destinations"] = find_destinations(battle)
    return battle["destinations"]


@decides("F11")
def find_destinations(battle):
    fresh = {n: s for n, s in at_sea(battle, battle["side"]).items() if s["task"] == "none"}
    reach = {n: ways(battle, s) for n, s in fresh.items()}
    found = {}
    for name in fresh:
        for (square, course), there in reach[name].items():
            if may_end(battle, {name: square}):
                found[name, square, course] = {name: best_ways(battle, fresh[name], there)}
    for division in {s["division"] for s in fresh.values()} - {""}:
        members = [n for n in battle["divisions"][division] if n in fresh]
        if len(members) < 2:
            continue
        guide = fresh[members[0]]["square"]
        for square, course in reach[members[0]]:
            by = square[0] - guide[0], square[1] - guide[1]
            to = {n: (fresh[n]["square"][0] + by[0], fresh[n]["square"][1] + by[1]) for n in members}
            if all((to[n], course) in reach[n] for n in members) and may_end(battle, to):
                found[division, square, course] = {
                    n: best_ways(battle, fresh[n], reach[n][to[n], course]) for n in members
                }
    return found


# Sight ----------------------------------------------------------------------------------------------------------


def masks(battle):
    """Squares that nobody sees across: land, and fog."""
    if 6 not in battle["weather"]:
        return battle["land"]
    board = {(x, y) for x in range(battle["columns"]) for y in range(battle["rows"])}
    return battle["land"] | {square for square in board if weather(battle, square) == "fog"}


@decides("F14")
def in_sight(battle, one, other):
    """Whether the line between the centres crosses nothing that masks, nor a corner with such on both sides of it."""
    (x, y), (u, v) = one, other
    columns, rows = u - x, v - y
    masked = masks(battle) - {one, other}
    for square in masked:
        if crosses(columns, rows, square[0] - x, square[1] - y):
            return False
    for cx in range(min(x, u), max(x, u)):  # corners that the line runs through, between columns cx and cx + 1
        for cy in range(min(y, v), max(y, v)):
            if columns * (2 * (cy - y) + 1) == rows * (2 * (cx - x) + 1):
                sides = [{(cx, cy), (cx + 1, cy + 1)}, {(cx + 1, cy), (cx, cy + 1)}]
                if sides[columns * rows > 0] <= masked:
                    return False
    return True


def crosses(columns, rows, column, row):
    """Whether the line from the centre of (0, 0) to that of (columns, rows) runs through the inside of a square."""
    if not (min(0, columns) <= column <= max(0, columns) and min(0, rows) <= row <= max(0, rows)):
        return False
    corners = [(2 * column + i, 2 * row + j) for i in (-1, 1) for j in (-1, 1)]
    sides = [columns * cy - rows * cx for cx, cy in corners]
    return min(sides) < 0 < max(sides)


@decides("F32", "F40")
def is_known(battle, name):
    """Whether the enemy knows which ship lies there."""
    ship = battle["ships"][name]
    if ship["fate"] != "at sea":
        return True
    if screened(battle) or weather(battle, ship["square"]) == "fog":
        return False
    if not is_night(battle) or ship["marked"]:
        return True
    return any(
        squares_between(s["square"], ship["square"]) <= 2 and in_sight(battle, s["square"], ship["square"])
        for s in at_sea(battle, 1 - ship["side"]).values()
    )


# Fire -----------------------------------------------------------------------------------------------------------


@decides("F30")
def may_fire_at(battle, ship, target):
    """Whether anything at all of hers may be fired at that enemy now, ranges and arcs apart."""
    return (
        ship["task"] != "reload" and ship["square"] not in battle["harbours"][ship["side"]]
        and target["fate"] == "at sea" and is_known(battle, target["name"])
        and weather(battle, ship["square"]) != "fog" and in_sight(battle, ship["square"], target["square"])
    )  # fmt: skip


@decides("F13")
def batteries(ship):
    """Guns of one kind and battery fire together: (battery, gun) -> numbers of the mounts."""
    groups = {}
    for number, mount in enumerate(ship["mounts"]):
        groups.setdefault((mount["battery"], mount["gun"]), []).append(number)
    return list(groups.items())


def gun_range(gun):
    return round_up(Fraction(gun["range_yd"], 5000))


def firings(gun):
    """Firings a move: one, and one more above 2, 4 and 8 rounds a minute."""
    return 1 + sum(gun["rounds_a_minute"] > limit for limit in (2, 4, 8))


def dice(battle, ship, mounts, target):
    """How many of these guns can fire at her."""
    relative = bearing(ship["heading"], ship["square"], target["square"])
    return sum(
        ship["mounts"][m]["guns"] - ship["out"][m] for m in mounts if relative in BEARS[ship["mounts"][m]["arc"]]
    )


@decides("F16")
def guns_order(battle, name, target, battery, once):
    """The firings that such an order gives: (weapon, firing); none if it is not possible."""
    ship, enemy = battle["ships"][name], battle["ships"][target]
    if not may_fire_at(battle, ship, enemy):
        return []
    given = []
    for number, ((kind, gun), mounts) in enumerate(batteries(ship)):
        if battery not in ("", kind) or not dice(battle, ship, mounts, enemy):
            continue
        if squares_between(ship["square"], enemy["square"]) > gun_range(battle["guns"][gun]):
            continue
        done = sum(s["ship"] == name and not s["torpedo"] and s["number"] == number for s in battle["shots"])
        left = firings(battle["guns"][gun]) - done
        given += [(number, done + 1 + i) for i in range(min(left, 1) if once else left)]
    return given


@decides("F17")
def may_launch(battle, name, number, target):
    ship, enemy = battle["ships"][name], battle["ships"][target]
    fired = any(s["ship"] == name and s["torpedo"] and s["number"] == number - 1 for s in battle["shots"])
    return (
        may_fire_at(battle, ship, enemy) and number <= len(ship["sets"]) and ship["loaded"] >> (number - 1) & 1
        and not fired and squares_between(ship["square"], enemy["square"]) <= max(1, round_up(
            Fraction(battle["torpedoes"][ship["sets"][number - 1]["kind"]]["range_yd"], battle["yards"])))
    )  # fmt: skip


def throw(battle, shot):
    """(number of dice, how many sides of a die hit, damage of a hit)."""
    ship, target = battle["ships"][shot["ship"]], battle["ships"][shot["target"]]
    away = squares_between(ship["square"], target["square"])
    if shot["torpedo"]:
        tubes = ship["sets"][shot["number"]]
        aspect = bearing(target["heading"], target["square"], ship["square"])
        return tubes["tubes"], {0: 1, 2: 3}.get(aspect % 4, 2), battle["torpedoes"][tubes["kind"]]["damage"]
    (_, gun), mounts = batteries(ship)[shot["number"]]
    gun = battle["guns"][gun]
    before = {"ship": shot["ship"], "torpedo": False, "number": shot["number"], "firing": shot["firing"] - 1}
    last = [s["target"] for s in battle["shots"] if before.items() <= s.items()]
    again = last == [shot["target"]]  # firing at another target in between starts afresh
    sides = 3 if again else 1 if away == gun_range(gun) else 2
    return dice(battle, ship, mounts, target), sides, round_up(Fraction(gun["shell_lb"], 100))


@decides("F15", "F18")
def salvo_odds(battle, shot):
    number, sides, _ = throw(battle, shot)
    hit = Fraction(sides, 6)
    return {k: comb(number, k) * hit**k * (1 - hit) ** (number - k) for k in range(number + 1)}


# Damage ---------------------------------------------------------------------------------------------------------


@decides("F19")
def after_fire(battle):
    """All hits take effect together: name -> (damage, sunk)."""
    damage = {name: ship["damage"] for name, ship in battle["ships"].items()}
    for shot in battle["shots"]:
        damage[shot["target"]] += shot["hits"] * throw(battle, shot)[2]
    return {name: (points, points > battle["ships"][name]["rate"]) for name, points in damage.items()}


@decides("F20")
def guns_to_lose(ship):
    """How many more main guns are out of action by now: a quarter of them for each full quarter of damage."""
    main = sum(m["guns"] for m in ship["mounts"] if m["battery"] == "main")
    out = sum(o for o, m in zip(ship["out"], ship["mounts"], strict=True) if m["battery"] == "main")
    share = Fraction(main * quarters(ship), 4)
    return int(share + Fraction(1, 2)) - out


def turrets(ship):
    """The mounts, from 1, one of which her owner gives up now."""
    return {
        n for n, (m, out) in enumerate(zip(ship["mounts"], ship["out"], strict=True), 1)
        if m["battery"] == "main" and out < m["guns"]
    }


def lose_turret(ship, mount):
    """Guns out in each mount after that choice; where only one mount is left to choose, it goes at once."""
    ship = {**ship, "out": list(ship["out"])}
    while mount:
        ship["out"][mount - 1] += min(guns_to_lose(ship), ship["mounts"][mount - 1]["guns"] - ship["out"][mount - 1])
        mount = min(turrets(ship)) if guns_to_lose(ship) and len(turrets(ship)) == 1 else 0
    return ship["out"]


def strike_mine(ship, pips):
    """(damage, sunk) after two dice on a mined square; two sixes miss."""
    damage = ship["damage"] + (0 if pips == 12 else 10 * pips)
    return damage, damage > ship["rate"]


@decides("F24", "F25", "F27")
def mines_struck(battle, side, ship, wake):
    """The squares of her way where mines of the enemy lie; sweepers do not set them off."""
    if ship["type"] == "minesweeper":
        return []
    mined = {f["square"] for f in battle["fields"] if f["side"] != side}
    return [square for square in wake if square in mined]


# Mines laid and swept -------------------------------------------------------------------------------------------


@decides("F23")
def may_lay(battle, ship):
    """In how many squares she may sow mines now."""
    cargo = ship["mines"] // 10
    if ship["speed"] >= 30:
        return set(range(1, min(cargo, len(ship["wake"])) + 1)) if ship["task"] == "move" else set()
    return {1} if cargo and ship["task"] == "none" else set()


def lay(battle, name, squares):
    """Ten mines each in her last squares, or where she lies."""
    ship = battle["ships"][name]
    ship["task"] = "lay"
    ship["mines"] -= 10 * squares
    for square in ship["wake"][-squares:] or [ship["square"]]:
        mine = {"square": square, "side": ship["side"], "left": 0, "swept": 0, "known": False}
        field = next((f for f in battle["fields"] if (f["square"], f["side"]) == (square, ship["side"])), mine)
        field["left"] += 10
        if field is mine:
            battle["fields"].append(field)


def swept_in_passing(battle, side):
    """Squares that four sweepers have entered in this move."""
    wakes = [s["wake"] for s in at_sea(battle, side).values() if s["type"] == "minesweeper"]
    return {square for wake in wakes for square in wake if sum(square in other for other in wakes) >= 4}


@decides("F26")
def sweep(battle):
    """The end of a move: one sweeper has done half of it, two or more all."""
    at_work = {}
    for ship in (*at_sea(battle, 0).values(), *at_sea(battle, 1).values()):
        if ship["task"] == "sweep":
            place = ship["square"], ship["side"]
            at_work[place] = at_work.get(place, 0) + 1
    for (square, side), sweepers in at_work.items():
        here = [f for f in battle["fields"] if f["square"] == square]
        halves = min(2, sweepers)
        if here and min(f["swept"] for f in here) + halves >= 2:
            battle["fields"] = [f for f in battle["fields"] if f["square"] != square]
        for field in here:
            field["swept"] += halves
            field["known"] |= field["side"] != side  # who sweeps it has found it


# The end of a move ----------------------------------------------------------------------------------------------


def full_load(ship):
    return (1 << len(ship["sets"])) - 1


def in_own_harbour(battle, ship):
    return ship["square"] in battle["harbours"][ship["side"]]


@decides("F21")
def may_reload(battle, ship):
    return ship["task"] == "none" and ship["loaded"] != full_load(ship) and depot(battle, ship) != ""


@decides("F12")
def may_leave(battle, ship):
    return ship["task"] == "none" and ship["square"] in battle["exits"][ship["side"]]


@decides("F2a", "F22", "F32", "F35", "F37")
def end_of_move(battle):
    """What harbours, sweepers and islands have done, and whether that is the end; the guns are settled already."""
    for ship in (*at_sea(battle, 0).values(), *at_sea(battle, 1).values()):
        idle = ship["task"] in ("none", "reload") and not ship["wake"]
        stays = in_own_harbour(battle, ship) and idle
        if stays or ship["task"] == "reload" and depot(battle, ship):
            ship["loaded"] = full_load(ship)
        if stays:
            m, rate = battle["move"], ship["rate"]
            ship["damage"] = max(0, ship["damage"] - (m * rate // 10 - (m - 1) * rate // 10))
        ship["guns out"] = sum(ship["out"]) + guns_to_lose(ship)  # those that fail, and those that come back
    sweep(battle)
    for island in battle["islands"]:
        near = {n: s["side"] for n, s in battle["ships"].items()
                if s["fate"] == "at sea" and any(is_next(s["square"], land) for land in island["squares"])}  # fmt: skip
        alone = set(near) if len(set(near.values())) == 1 else set()
        if alone & island["claims"]:
            island["owner"] = near[min(alone)]
        island["claims"] = alone
    reached = any(battle["total"] and points(battle, side) >= battle["total"] for side in (0, 1))
    last = [side for side in (0, 1) if not left(battle, 1 - side) and not in_the_air(battle, 1 - side)]
    for ship in [s for side in last for s in left(battle, side) if not reached and gets_away(battle, s)]:
        ship |= {"fate": "left", "square": None}
    over = reached or last or battle["move"] >= battle["moves"]
    for ship in () if over else battle["ships"].values():  # who fired in this move is known in the next
        if ship["fate"] == "at sea":
            ship |= {"marked": ship["fired"], "fired": False, "task": "none", "wake": []}
    if over:
        blue, red = (points(battle, side) + survivors(battle, side) for side in (0, 1))
        battle["result"] = "draw" if blue == red else "blue" if blue > red else "red"
    return bool(over)


def is_next(one, other):
    """Whether two squares share an edge or a corner."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def gets_away(battle, ship):
    """Whether she is paid for leaving, and could still begin a move at an exit if she sailed on alone."""
    if not any(aim["aim"] == "exit" and ship["name"] in aim["of"] for aim in battle["aims"]):
        return False
    waits = ship["fate"] == "waiting"
    first = max(battle["move"] + 1, ship["enters"] * waits)
    exits = battle["exits"][ship["side"]]

    def in_time(square):
        places = {(square, ship["heading"])}
        for move in range(first, battle["moves"] + 1):
            if any(here in exits for here, _ in places):
                return True
            fair = {**battle, "weather": [], "move": move}
            for here, course in sorted(places):
                places |= set(ways(fair, {**ship, "square": here, "heading": course}))
        return False

    return all(map(in_time, ship["entry"] if waits else [ship["square"]]))


def left(battle, side):
    return [s for s in battle["ships"].values() if s["side"] == side and s["fate"] in ("at sea", "waiting")]


@decides("F37")
def in_the_air(battle, side):
    """Flights that fight on without a ship of their side: those aloft, and those that come, or may, from beyond."""
    return [name for name, f in battle.get("flights", {}).items() if f["side"] == side
            and (f["place"] == "aloft" or not f["base"] and f["place"] not in ("home", "lost"))]


@decides("F36")
def points(battle, side):
    """What a side has earned, but for ships left at the end."""
    total = 0
    for aim in battle["aims"]:
        if aim["side"] != side or aim["aim"] == "survive":
            continue
        if aim["aim"] == "island":
            total += aim["points"] * sum(battle["islands"][i]["owner"] == side for i in aim["of"])
            continue
        for name in aim["of"]:
            ship = battle["ships"][name]
            times = {
                "sink": ship["fate"] == "sunk", "exit": ship["fate"] == "left",
                "damage": 4 if ship["fate"] == "sunk" else min(3, quarters(ship)),
            }[aim["aim"]]  # fmt: skip
            total += (aim["points"] or ship["value"]) * times
    return total


def survivors(battle, side):
    """The points for ships left at the end."""
    kept = [(a, battle["ships"][name]) for a in battle["aims"] for name in a["of"] if a["aim"] == "survive"
            and a["side"] == side]  # fmt: skip
    return sum(a["points"] or ship["value"] for a, ship in kept if ship["fate"] in ("at sea", "left"))
