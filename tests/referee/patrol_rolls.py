"""What is diced for in On Patrol, told again: torpedoes, charges, searches, guns, rammings, the sea; and who sees whom.

Each roll is a task, (kind, who, against whom, hex, detail); `chances` gives its odds and `settle` what a result does.
"""

from __future__ import annotations
from collections import Counter
from fractions import Fraction

from .exercised import by
from .on_patrol import far, go, sector, stern, turn, turn_to
from .patrol_moves import active
from .patrol_sea import COMBAT, outside

DICE = [10 * tens + units for tens in range(1, 7) for units in range(1, 7)]
DEPTHS = {0: (54, 66), 25: (41, 53), 50: (24, 36), "miss": (11, 23)}
"""The Submarine Depth Combat Table (105.4.12): error in feet, or a miss, with the rolls from and to."""
THROWN_DEPTH = ("depth charge", "k-gun", "squid", "one-ton charge")
VALUES = {key: row["value"] for part in ("torpedo_rules", "sonar_rules", "hull") for key, row in COMBAT[part].items()}
DAMAGE = {(weapon, row["distance"], row["error"]): row["rolls"]
          for row in COMBAT["damage"] for weapon in row["weapons"]}  # fmt: skip
REACH = {weapon: max(d for w, d, _ in DAMAGE if w == weapon) for weapon, _, _ in DAMAGE}
TORPEDOES = {
    name: {**row, "speed": int(row["knots"] / 6 + 0.5), "range": row["yards"] // 100}
    for name, row in COMBAT["torpedo"].items()
}


def upto(roll):
    """The chance of two dice, read as tens and units, to show that or less."""
    return Fraction(sum(each <= roll for each in DICE), 36)


def banded(row, distance, shift=0):
    """The chance of a row at a distance, or ``shift`` bands further (nearer, if negative)."""
    for n, limit in enumerate(row["within"]):
        if distance <= limit:
            n = max(0, n + shift)
            return upto(row["upto"][n]) if n < len(row["upto"]) else Fraction(0)
    return Fraction(0)


def first(rows, key, value):
    """The first row whose limit is not exceeded."""
    return next((row for row in rows if value <= row[key]), None)


def hull_points(rolls):
    """Hull points -> chance, of a row of damage."""
    odds = Counter()
    for roll in DICE:
        odds[next(points for limit, points in rolls if roll <= limit)] += Fraction(1, 36)
    return dict(odds)


def either(chance, yes, no):
    return {what: p for what, p in ((yes, chance), (no, 1 - chance)) if p}


def near(cell, ship):
    """From a hex to the nearer end of a ship."""
    return min(far(cell, ship["place"][0]), far(cell, stern(ship["place"])))


# Who sees whom (104.1.4, 104.1.5, 107) --------------------------------------------------------------------------


def alight(sea, cell):
    """Whether star shells or a burning tanker make a hex as light as day."""
    for at, radius, until in sea["lights"]:
        if (sea["turn"], sea["phase"]) <= (until, 8) and far(at, cell) <= radius:
            by("104.1.4c", "107.1")
            return True
    for ship in sea["ships"].values():
        gone = ship["sunk"] and (sea["turn"], sea["phase"]) > (ship["sunk"] + 1, 8)
        if ship["kind"] == "tanker" and 0 < ship["torpedoed"] < sea["turn"] and not gone:
            by("107.2.3" if ship["fuel"] else "107.2.2")
            if near(cell, ship) <= (20 if ship["fuel"] else 7):
                return True
    return False


def seen(sea, boat):
    """None if the escorts do not see a boat, else the ships that are near enough by night."""
    afloat = [s for s in sea["ships"].values() if not s["sunk"]]
    if not active(boat) or boat["depth"] > 25 or not afloat:
        return None
    if not sea["night"]:
        by("104.1.4a")
        return ()
    by("104.1.4b", "107.2.1")
    for ship in afloat:
        if near(boat["place"][0], ship) <= 4:
            return (ship["id"],)
        if ship["torpedoed"] == sea["turn"] - 1 > 0 and near(boat["place"][0], ship) <= 7:
            return ()
    return () if alight(sea, boat["place"][0]) else None


def makes_out(sea, boat, ship):
    """Whether a boat makes out a ship, and so may attack her."""
    row = first(COMBAT["sight"], "depth", boat["depth"])
    by("104.1.5", "V1")
    if not row or not active(boat):
        return False
    away = near(boat["place"][0], ship)
    if away <= row["night"] or away > row["day"]:
        return away <= row["night"]
    bright = not sea["night"] or ship["torpedoed"] == sea["turn"] - 1 > 0
    return bright or any(alight(sea, cell) for cell in (ship["place"][0], stern(ship["place"])))


def in_the_way(one, other, cells):
    """Whether ships hide one hex from another: hexes that the line cuts, or two that it runs between."""

    def centre(cell):
        return 3 * cell[0], 2 * cell[1] + cell[0]  # in half sides and half heights

    (x0, y0), (x1, y1) = centre(one), centre(other)
    dx, dy = x1 - x0, y1 - y0

    def left(x, y):
        return dx * (y - y0) - dy * (x - x0)

    touched = []
    for cell in cells:
        x, y = centre(cell)
        if not 0 < dx * (x - x0) + 3 * dy * (y - y0) < dx * dx + 3 * dy * dy:
            continue
        corners = [left(x + i, y + j) for i, j in ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))]
        if min(corners) < 0 < max(corners):
            return True
        if 0 in corners:
            touched.append((cell, max(corners) > 0))
    return any(a_left != b_left and far(a, b) == 1 for a, a_left in touched for b, b_left in touched)


# What a phase has to roll for -----------------------------------------------------------------------------------


def run_torpedo(sea, torpedo, hexes):
    """Run it on, up to ``hexes`` hexes or to the next ship it has not met: the roll to be made there, if any."""
    while True:
        for ship in sea["ships"].values():
            if torpedo["at"] in (ship["place"][0], stern(ship["place"])) and ship["id"] not in torpedo["met"]:
                by("T2", "T3")
                return [("torpedo", torpedo["id"], ship["id"], torpedo["at"], (hexes,))]
        if torpedo["run"] >= TORPEDOES[torpedo["type"]]["range"]:
            by("T2")
            sea["torpedoes"].remove(torpedo)
            return []
        if not hexes:
            return []
        torpedo["at"] = go(torpedo["at"], torpedo["direction"])
        torpedo["run"] += 1
        hexes -= 1
        by("102.3", "T2")


def attacks(sea):
    """A roll for each charge and each boat that it may harm, at her bow hex."""
    found = []
    for number, (weapon, escort, cell) in enumerate(sea["charges"], 1):
        by("105.4.3" if weapon in ("hedgehog", "squid") else "A1", "A1")
        for boat in sea["boats"].values():
            away = far(cell, boat["place"][0])
            if active(boat) and away <= REACH[weapon] and boat["depth"] <= COMBAT["weapon"][weapon]["deepest"]:
                kind, detail = ("depth", ()) if weapon in THROWN_DEPTH else ("damage", (0,))
                found.append((kind, escort, boat["id"], cell, (weapon, away, number, *detail)))
    return found


def sonar(sea, ship, boat):
    """The chance that a ship's sonar finds a boat."""
    if not ship["sonar"] or ship["sunk"] or ship["speed"] > VALUES["speed"] or boat["depth"] == 0:
        return Fraction(0)
    by("108.3.1", "L1")
    marker = sea["markers"].get(boat["id"])
    listens = ship["boat"] == boat["id"] and marker and marker["kind"] != "inverted" or boat["id"] in ship["contact"]
    rows = {duty: first([r for r in COMBAT["sonar"] if r["duty"] == duty], "depth", boat["depth"])
            for duty in ("sweep", "hunt")}  # fmt: skip
    away, row = far(ship["place"][0], boat["place"][0]), rows["hunt" if listens else "sweep"]
    if not row or not rows["hunt"]["blind"] < away <= rows["hunt"]["within"][-1]:
        return Fraction(0)
    d, a, b = sector(ship["place"][0], boat["place"][0])
    if (d if a >= b else turn(d, 1)) == turn(ship["place"][1], 3):
        return Fraction(0)
    return banded(row, away, -1 if boat["speed"] >= VALUES["noisy"] else boat["speed"] == 0)


def radar(ship, boat):
    row = first(COMBAT["radar"], "depth", boat["depth"])
    if not ship["radar"] or ship["sunk"] or not row:
        return Fraction(0)
    by("108.3.2", "L2")
    return banded(row, far(ship["place"][0], boat["place"][0]))


def searches(sea):
    found = []
    for ship in sea["ships"].values():
        for boat in sea["boats"].values():
            if active(boat) and sonar(sea, ship, boat):
                found.append(("sonar", ship["id"], boat["id"], None, ()))
            if active(boat) and radar(ship, boat):
                found.append(("radar", ship["id"], boat["id"], None, ()))
    return found


def gun(sea, ship, boat):
    """(row, chance) of a ship's guns at a boat."""
    part = "gunnery" if "gunnery" in sea["parts"] else ""
    row = next((r for r in COMBAT["gun"] if (r["part"], r["rating"]) == (part, ship["guns"])), None)
    return row, banded(row, far(ship["place"][0], boat["place"][0])) if row else Fraction(0)


def gunfire(sea):
    """Each ship at the nearest boat that is marked as surfaced, in sight, in range, and with no ship between."""
    found = []
    for ship in sea["ships"].values():
        marked = [b for b in sea["boats"].values()
                  if active(b) and sea["markers"].get(b["id"], {}).get("kind") == "surfaced"]  # fmt: skip
        others = [c for s in sea["ships"].values() if s is not ship for c in (s["place"][0], stern(s["place"]))]
        for boat in sorted(marked, key=lambda b: (far(ship["place"][0], b["place"][0]), b["id"])):
            by("G1")
            clear = not in_the_way(ship["place"][0], boat["place"][0], others)
            sighted = boat["depth"] == 0 and seen(sea, boat) is not None
            if sighted and clear and not ship["sunk"] and gun(sea, ship, boat)[1]:
                found.append(("gun", ship["id"], boat["id"], None, ()))
                break
    return found


def limit(boat):
    """The depth that a boat can still stand: the share of her test depth that is left of her hull."""
    return max(VALUES["least_depth"], boat["test"] * max(0, boat["hull"]) // boat["whole"] // 25 * 25)


def crushes(sea):
    by("H1")
    return [("crush", b["id"], b["id"], None, ()) for b in sea["boats"].values() if active(b) and b["depth"] > limit(b)]


# The odds of a roll ---------------------------------------------------------------------------------------------


def chances(sea, task):
    """Result -> its chance."""
    kind, who, whom, _, detail = task
    if kind in ("fleet", "formation"):
        return dict.fromkeys(range(1, 7), Fraction(1, 6))
    if kind == "torpedo":
        return _strike(sea, next(t for t in sea["torpedoes"] if t["id"] == who), sea["ships"][whom])
    if kind == "stop":
        ship = sea["ships"][whom]
        by("D2")
        return either(banded(COMBAT["stop"], ship["most"] - ship["hits"]), "stopped", "under way")
    if kind == "depth":
        by("105.4.12")
        return {error: Fraction(sum(a <= roll <= b for roll in DICE), 36) for error, (a, b) in DEPTHS.items()}
    if kind == "damage":
        by("A2")
        return hull_points(DAMAGE[detail[0], detail[1], detail[3]])
    boat = sea["boats"][whom]
    if kind == "crush":
        by("H2")
        return hull_points(first(COMBAT["crush"], "below", boat["depth"] - limit(boat))["rolls"])
    ship = sea["ships"][who]
    if kind == "ram":
        by("R1")
        return hull_points(first(COMBAT["ram"], "tons", ship["tons"])["rolls"])
    if kind == "gun":
        row, hits = gun(sea, ship, boat)
        return either(hits, row["points"], 0)
    return either(sonar(sea, ship, boat) if kind == "sonar" else radar(ship, boat), "found", "missed")


def _strike(sea, torpedo, ship):
    by("T3")
    sixths = abs(turn_to(ship["place"][1], torpedo["direction"])) % 3
    row = next(row for row in COMBAT["aspect"] if row["turn"] == sixths)
    shift = (ship["tons"] <= VALUES["small"]) - (ship["tons"] >= VALUES["large"])
    strikes = banded(row, torpedo["run"], shift)
    if "arming" in sea["parts"] and torpedo["run"] < VALUES["arming"]:
        by("T4")
        return either(strikes, "unarmed", "miss")
    dud = Fraction(0)
    if "duds" in sea["parts"]:
        by("T5")
        rows = TORPEDOES[torpedo["type"]]["duds"]
        dud = upto(next((roll for year, roll in rows if sea["year"] <= year), rows[-1][1]))
    odds = {"hit": strikes * (1 - dud), "dud": strikes * dud, "miss": 1 - strikes}
    return {what: p for what, p in odds.items() if p}


# What a result does ---------------------------------------------------------------------------------------------


def settle(sea, task, result):
    """The sea after a roll; the rolls that follow from it come first."""
    kind, who, whom, _, detail = task
    if kind == "torpedo":
        return _torpedo(sea, next(t for t in sea["torpedoes"] if t["id"] == who), sea["ships"][whom], detail[0], result)
    if kind == "stop":
        if result == "stopped":
            sea["ships"][whom].update(stopped=True, speed=0)
        return []
    if kind == "depth":
        harms = (detail[0], detail[1], result) in DAMAGE
        return [("damage", who, whom, task[3], (*detail, result))] if harms else []
    if kind in ("sonar", "radar"):
        held = sea["ships"][who]["contact" if kind == "sonar" else "echoes"]
        (held.add if result == "found" else held.discard)(whom)
        return []
    boat = sea["boats"][whom]
    boat["hull"] = max(0, boat["hull"] - result)
    if not boat["hull"]:
        by("H3")
        boat["sunk"] = sea["turn"]
        sea["markers"].pop(whom, None)
        sea["points"].append(("lost", whom, -boat["value"]))
    return []


def _torpedo(sea, torpedo, ship, left, result):
    if result == "miss":
        torpedo["met"].append(ship["id"])
        return run_torpedo(sea, torpedo, left)
    sea["torpedoes"].remove(torpedo)
    if result != "hit" or ship["sunk"]:
        return []
    by("D1")
    ship["hits"] += 1
    ship["torpedoed"] = sea["turn"]
    if ship["hits"] >= ship["most"]:
        ship["sunk"] = sea["turn"]
        sea["points"].append(("sunk", ship["id"], ship["value"]))
        return []
    return [] if ship["stopped"] else [("stop", ship["id"], ship["id"], None, (ship["hits"],))]


def still_due(sea, task):
    """Whether a roll still matters: not for a boat that is gone, nor for a ship that is sinking."""
    if task[0] == "stop":
        return not sea["ships"][task[2]]["sunk"]
    return task[0] == "torpedo" or task[2] not in sea["boats"] or active(sea["boats"][task[2]])


# A captain's order (104.1.1) ------------------------------------------------------------------------------------


def way_of(place, turns):
    way = []
    for sixths in turns:
        direction = turn(place[1], sixths)
        place = go(place[0], direction), direction
        way.append(place)
    return way


def may_order(sea, boat, turns, depth, shots):
    """Whether a boat may carry out an order: one turn of at most 60 degrees a hex, her speed, 50 ft, and her tubes."""
    by("104.1.1")
    if depth % 25 or not 0 <= depth <= 600 or abs(depth - boat["depth"]) > 50 or any(abs(t) > 1 for t in turns):
        return False
    surfaced = boat["depth"] == depth == 0
    most = -(-boat["surfaced" if surfaced else "submerged"] * boat["hull"] // boat["whole"])
    if len(turns) > (min(2, most) if sea["phase"] == 10 else most) or shots and sea["phase"] == 10:
        return False
    way = way_of(boat["place"], turns)
    end = way[-1] if way else boat["place"]
    lying = [b["place"] for b in sea["boats"].values() if active(b) and b is not boat and b["depth"] == depth]
    lying += [s["place"] for s in sea["ships"].values()] if depth == 0 else []
    taken = {cell for place in lying for cell in (place[0], stern(place))}
    at = boat["place"]
    for to in way if surfaced else ():
        if to[0] in taken or to[1] != at[1] and stern((at[0], to[1])) in taken:
            return False
        at = to
    if taken & {end[0], stern(end)}:
        return False
    return not shots or _may_fire(sea, boat, end, depth, len(turns), shots)


def _may_fire(sea, boat, place, depth, speed, shots):
    by("T1", "104.1.5")
    if depth > VALUES["launch_depth"] or outside(sea["edges"], place[0]):
        return False
    tubes = [list(tube) for tube in boat["tubes"]]
    for number, direction, type_ in shots:
        if direction not in range(1, 7) or type_ and type_ not in TORPEDOES:
            return False
        fit = ready(tubes, place, direction, type_)
        if not 1 <= number <= len(fit):
            return False
        for n in fit[:number]:
            tubes[n][2] = 1
    after = {**boat, "place": place, "depth": depth, "speed": speed}
    afloat = [s for s in sea["ships"].values() if not s["sunk"]]
    return any(makes_out(sea, at, ship) for at in (boat, after) for ship in afloat)


def end_for(place, direction):
    return "bow" if abs(turn_to(place[1], direction)) <= 1 else "stern"


def ready(tubes, place, direction, type_=""):
    end = end_for(place, direction)
    return [n for n, tube in enumerate(tubes) if tube[0] == end and tube[1] and not tube[2] and type_ in ("", tube[1])]


def fire(sea, boat, shots):
    """Torpedoes leave from the hex ahead of the bow, or behind the stern; tubes are reloaded at once."""
    for number, direction, type_ in shots:
        by("T1", "T6")
        place = boat["place"]
        bow = end_for(place, direction) == "bow"
        at = go(*place) if bow else go(stern(place), turn(place[1], 3))
        for n in ready(boat["tubes"], place, direction, type_)[:number]:
            sea["launched"] += 1
            torpedo = {"id": f"T{sea['launched']}", "type": boat["tubes"][n][1], "boat": boat["id"], "at": at,
                       "direction": direction, "run": 0, "met": []}  # fmt: skip
            sea["torpedoes"].append(torpedo | {"speed": TORPEDOES[torpedo["type"]]["speed"]})
            new = next((t for t, left in boat["racks"].items() if left), "")
            boat["tubes"][n] = [boat["tubes"][n][0], new, VALUES["reload"] if new else 0]
            if new:
                boat["racks"][new] -= 1

