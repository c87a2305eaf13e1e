"""A whole hunt of On Patrol, told again from turn 1: the ten phases, the markers, star shells, the prolonged attack.

The referee keeps its own memory of everything: plans, circles, runs, contacts, markers with their causes, lights, what
is still to be rolled. From the house it hears what was rolled, what captains order, and which of several ways that the
rules leave open an escort went.
"""

from __future__ import annotations

from . import patrol_rolls as rolls
from .exercised import by
from .on_patrol import armament, far, flees, full, go, ranks, stern, target_hex, top, turn
from .patrol_moves import active, consult, move_escort, next_escort, sail_fleet, weapons
from .patrol_sea import begin, outside

IN_SIGHT, UPRIGHT = ("surfaced", "visible"), ("surfaced", "visible", "contact")


def new_hunt(scenario, package, base, die=0):
    """The sea before its first action."""
    sea = begin(scenario, package, base, die)
    if not sea["ships"]:
        return sea
    sight(sea)
    for boat in sea["boats"].values():
        if boat["depth"] <= 25 and boat["id"] not in sea["markers"]:
            by("104.2.2")
            _mark(sea, boat, "visible" if boat["depth"] else "surfaced", boat["place"], "seen")
    consult(sea)
    sea["found"] |= set(sea["markers"])
    return sea


# Whose turn it is -----------------------------------------------------------------------------------------------


def on_turn(sea):
    """-2 nobody, "over", "chance", 0 the captain, 1 the escorts."""
    if sea["over"]:
        return "over"
    if sea["todo"]:
        return "chance"
    if sea["phase"] == 3 and next_escort(sea):
        return 1
    if sea["phase"] == 8 and next_boat(sea):
        return 0
    if sea["phase"] == 10:
        return 1 if sea["moved"] else 0 if next_boat(sea) else -2
    return -2


def next_boat(sea):
    """The boat whose order is due; in the prolonged attack, once a run was made, the one that is hunted next."""
    if sea["phase"] == 10:
        ships = runners(sea)
        return ships[0]["boat"] if sea["last run"] and ships else ""
    return next((b["id"] for b in sea["boats"].values() if active(b) and b["id"] not in sea["moved"]), "")


# What is done ---------------------------------------------------------------------------------------------------


def roll(sea, result):
    """The first of what is to be rolled gave that result."""
    task = sea["todo"].pop(0)
    if task[0] == "formation":
        sea.update(new_hunt(sea["scenario"], sea["package"], sea["with base"], result))
    elif task[0] == "fleet":
        by("Q1")
        entered = sail_fleet(sea, result)
        sea["todo"] = _run_down(sea, entered)
    else:
        sea["todo"][:0] = rolls.settle(sea, task, result)
        if sea["phase"] == 10 and task[0] in ("sonar", "radar"):
            _searched(sea)
    go_on(sea)


def _run_down(sea, entered):
    """The surfaced boats that ships of the fleet run over: one escort at most rams a boat."""
    found, order = {}, list(sea["ships"])
    for name, cell in sorted(entered, key=lambda one: order.index(one[0])):
        for boat in sea["boats"].values():
            if active(boat) and boat["depth"] == 0 and cell in (boat["place"][0], stern(boat["place"])):
                by("108.1.5", "R1")
                who = "" if sea["ships"][name]["role"] == "escort" else name
                found.setdefault((who, boat["id"]), ("ram", name, boat["id"], cell, ()))
    return list(found.values())


def move(sea, name, way, charges, plan, same):
    """An escort's move in phase 3, or her run in the prolonged attack."""
    if sea["phase"] == 10:
        _run(sea, name, way, charges, same)
    else:
        same("who moves first", name, next_escort(sea))
        move_escort(sea, name, way, charges, plan, same)
    go_on(sea)


def order(sea, name, turns, depth, shots):
    """A boat does as her captain ordered: she moves, dives and fires."""
    boat = sea["boats"][name]
    way = rolls.way_of(boat["place"], turns)
    boat.update(place=way[-1] if way else boat["place"], depth=depth, speed=len(turns))
    by("104.1.1", "104.1.2", "102.2")
    if outside(sea["edges"], boat["place"][0]):
        by("W2")
        boat["away"] = sea["turn"]
        sea["markers"].pop(name, None)
        sea["points"] += [("away", name, sea["away"])] * (sea["away"] > 0)
    else:
        if shots:
            rolls.fire(sea, boat, shots)
            sea["alarm"] = True
            by("108.2.2")
        sight(sea)
        if shots and sea["markers"].get(name, {}).get("kind") not in UPRIGHT:
            by("104.1.3")
            _mark(sea, boat, "torpedo", (go(*boat["place"]), boat["place"][1]), "torpedoes")
    if sea["phase"] == 10:
        _prepare(sea)
    else:
        sea["moved"].append(name)
        if not next_boat(sea):
            sea["todo"] = rolls.crushes(sea)
    go_on(sea)


def go_on(sea):
    """From phase to phase until somebody is on turn."""
    sea["found"] |= set(sea["markers"])
    while not sea["over"]:
        while sea["todo"] and not rolls.still_due(sea, sea["todo"][0]):
            sea["todo"].pop(0)
        if on_turn(sea) != -2:
            break
        _close(sea)
        if not sea["over"]:
            sea["turn"] += sea["phase"] == 10
            sea["phase"] = sea["phase"] % 10 + 1
            _open(sea)
    sea["found"] |= set(sea["markers"])


def _open(sea):
    by("Q1")
    phase = sea["phase"]
    if phase == 1:
        sea["moved"], sea["todo"] = [], [("fleet", "", "", None, ())]
    elif phase == 2 and flees(sea):
        gone = [n for n, s in sea["ships"].items() if s["role"] == "capital" and outside(sea["edges"], s["place"][0])]
        by("104.4.2", *["104.4.3"] * len(gone))
        sea["ships"] = {n: s for n, s in sea["ships"].items() if n not in gone}
    elif phase == 4:
        sea["todo"] = [task for t in list(sea["torpedoes"]) for task in rolls.run_torpedo(sea, t, t["speed"])]
    elif phase == 5:
        sea["todo"] = rolls.attacks(sea)
    elif phase == 6:
        sea["todo"] = rolls.searches(sea)
        for ship in sea["ships"].values():
            ship["contact"] &= {task[2] for task in sea["todo"] if task[:2] == ("sonar", ship["id"])}
            ship["echoes"] = set()
    elif phase == 7:
        sea["todo"] = rolls.gunfire(sea)
    elif phase == 8:
        sea["moved"] = []
        for boat in sea["boats"].values():
            for tube in boat["tubes"] if active(boat) else ():
                tube[2] = max(0, tube[2] - 1)
    elif phase == 9:
        sea["moved"] = []
        _star_shells(sea)
    elif phase == 10:
        gone = [n for n, s in sea["ships"].items() if 0 < s["sunk"] < sea["turn"]]
        by(*["D3"] * len(gone))
        sea["ships"] = {n: s for n, s in sea["ships"].items() if n not in gone}
        if sea["turn"] >= sea["turns"] and not _nothing_left(sea):
            sea.update({"moved": [], "last run": [], "charges": []})
            if runners(sea):
                by("P1")
                _prepare(sea)


def _close(sea):
    phase = sea["phase"]
    if phase == 5:
        sea["charges"] = []
    if 4 <= phase <= 9:
        sight(sea)
    if phase == 6:
        _search_ends(sea)
    if phase == 10:
        by("W3")
        sea["over"] = _nothing_left(sea) or sea["turn"] >= sea["turns"]
        if not sea["over"]:
            consult(sea)


def _nothing_left(sea):
    """No ship floats, or no boat is left and no torpedo runs."""
    afloat = any(not s["sunk"] for s in sea["ships"].values())
    return not afloat or not sea["torpedoes"] and not any(map(active, sea["boats"].values()))


# Markers (104.1.3) ----------------------------------------------------------------------------------------------


def _mark(sea, boat, kind, place, cause, who=()):
    sea["markers"][boat["id"]] = {"kind": kind, "place": place, "cause": cause, "by": tuple(who)}


def sight(sea):
    """A boat in sight carries her own marker; one that is lost from sight leaves it where her move began."""
    for boat in sea["boats"].values():
        who, old = rolls.seen(sea, boat), sea["markers"].get(boat["id"])
        if who is not None:
            by("104.1.3")
            _mark(sea, boat, "visible" if boat["depth"] else "surfaced", boat["place"], "seen", who)
        elif active(boat) and old and old["kind"] in IN_SIGHT:
            by("104.1.3")
            old["kind"] = "contact"


def _search_ends(sea):
    """Phase 6 is over: who was found, and who was missed (104.1.3)."""
    escorts = [s for s in sea["ships"].values() if s["role"] == "escort" and not s["sunk"]]
    for boat in sea["boats"].values():
        if not active(boat) or rolls.seen(sea, boat) is not None:
            continue
        old = sea["markers"].get(boat["id"])
        looked = [s for s in escorts if s["cleared"] == boat["id"] or s["boat"] == boat["id"] and (
            s["sonar"] and s["speed"] <= 3 or s["radar"] and boat["depth"] <= 25)]  # fmt: skip
        by("104.1.3")
        if not _found(sea, boat) and looked and old and old["kind"] == "contact":
            old["kind"] = "inverted"
    for ship in sea["ships"].values():
        ship["cleared"] = ""


def _found(sea, boat):
    """Whether the last search found a boat: then a contact marker lies on her."""
    heard = [n for n, s in sea["ships"].items() if boat["id"] in s["contact"]]
    either = [n for n, s in sea["ships"].items() if boat["id"] in s["contact"] | s["echoes"]]
    if either:
        _mark(sea, boat, "contact", boat["place"], "sonar" if heard else "radar", heard or either)
    return bool(either)


def _star_shells(sea):
    """By night over each target hex, and three hexes ahead of it, until phase 8 of the next turn."""
    escorts = [s for s in sea["ships"].values() if s["role"] == "escort" and not s["sunk"]]
    sea["lights"] = []
    if sea["night"] and "star shells" in sea["parts"] and escorts:
        for boat in sorted(sea["markers"]):
            by("107.1", "107.1.1", "107.1.3")
            marker = sea["markers"][boat]
            target = target_hex(marker)
            sea["lit by"].append(_furthest(escorts, target))
            for cell in (target, go(target, marker["place"][1], 3)):
                sea["lights"].append((cell, 3, sea["turn"] + 1))


def _furthest(escorts, target):
    """The escorts of which one fires star shells: the furthest from the target hex."""
    by("107.1.2")
    most = max(far(ship["place"][0], target) for ship in escorts)
    return {ship["id"] for ship in escorts if far(ship["place"][0], target) == most}


# The prolonged attack (mode 7) ----------------------------------------------------------------------------------


def runners(sea):
    """The escorts that have still to run, by value: those whose boat's marker lies upright."""
    found = [s for s in sea["ships"].values() if s["role"] == "escort" and top(s) and s["id"] not in sea["last run"]
             and sea["markers"].get(s["boat"], {}).get("kind") in UPRIGHT]  # fmt: skip
    return sorted(found, key=lambda s: (-s["value"], s["id"]))


def _prepare(sea):
    """The next escort lies off her target and searches; one that cannot find the boat ends the attack on it."""
    sea["moved"] = []
    while ships := runners(sea):
        by("P2")
        ship = ships[0]
        marker, boat = sea["markers"][ship["boat"]], sea["boats"][ship["boat"]]
        place = _lane(sea, ship, target_hex(marker))
        if not place:
            sea["last run"].append(ship["id"])
            continue
        ship.update(place=place, speed=min(3, full(ship)), contact=set(), echoes=set(), ring=0, plan=(), aim=None,
                    cleared="", ran=None)  # fmt: skip
        if rolls.seen(sea, boat) is not None:
            sea["moved"] = [ship["id"]]
            return
        for kind, chance in (("sonar", rolls.sonar(sea, ship, boat)), ("radar", rolls.radar(ship, boat))):
            if chance:
                sea["moved"], sea["todo"] = [ship["id"]], [(kind, ship["id"], boat["id"], None, ())]
                return
        marker["kind"] = "inverted"
        sea["last run"].append(ship["id"])


def _lane(sea, ship, target):
    """Six hexes off the target on the nearest radial along which no other ship lies."""
    others = {c for n, s in sea["ships"].items() if n != ship["id"] for c in (s["place"][0], stern(s["place"]))}
    away = {d: min(far(ship["place"][0], go(target, d, n)) for n in range(1, far(ship["place"][0], target) + 2))
            for d in range(1, 7)}  # fmt: skip
    for d in sorted(away, key=lambda d: away[d]):
        place = go(target, d, 6), turn(d, 3)
        if not others & {stern(place), *(go(*place, n) for n in range(11))}:
            return place
    return None


def _searched(sea):
    ship = sea["ships"][sea["moved"][0]]
    boat = sea["boats"][ship["boat"]]
    if boat["id"] not in ship["contact"] | ship["echoes"]:
        sea["markers"][boat["id"]]["kind"] = "inverted"
    elif _found(sea, boat) and (place := _lane(sea, ship, target_hex(sea["markers"][boat["id"]]))):
        ship.update(place=place, speed=min(3, full(ship)))
        return
    sea["moved"] = []
    sea["last run"].append(ship["id"])


def _run(sea, name, way, charges, same):
    """Straight through the assault zone, with the weapons of one turn (P3)."""
    by("P3")
    ship = sea["ships"][name]
    marker = sea["markers"][ship["boat"]]
    same("who runs", [name], sea["moved"])
    same("the way of a run", list(way), [(go(*ship["place"], n), ship["place"][1]) for n in range(1, 11)])
    others = {c for n, s in sea["ships"].items() if n != name for c in (s["place"][0], stern(s["place"]))}
    weapons(ranks(marker), armament(ship), ship, way, charges, others, set(), same)
    ship["place"] = way[-1]
    ship["charges"] -= sum(weapon == "one-ton charge" for weapon, _ in charges)
    sea["charges"] = [(weapon, name, cell) for weapon, cell in charges]
    sea["moved"] = []
    sea["last run"].append(name)
    sight(sea)
    sea["todo"] = rolls.attacks(sea)


# The end (W1) ---------------------------------------------------------------------------------------------------


def points(sea):
    """What was won and lost, less a share of half a boat's value for the hull points that she lost."""
    by("W1")
    afloat = [b for b in sea["boats"].values() if not b["sunk"]]
    hurt = sum(b["value"] * (b["whole"] - b["hull"]) // (2 * b["whole"]) for b in afloat)
    return sum(worth for _, _, worth in sea["points"]) - hurt


def result(sea):
    if all(b["sunk"] for b in sea["boats"].values()) or points(sea) < 0:
        return "loss"
    return "win" if points(sea) >= sea["goal"] else "draw"


# The sea as anybody may compare it ------------------------------------------------------------------------------


def shown(sea):
    """Everything that a state says, under the names that it says it by."""
    return {
        "turn": sea["turn"], "phase": sea["phase"],
        "fleet": {"guide": sea["guide"], "row": sea["row"], "die": sea["die"], "emergency": sea["alarm"],
                  "base": sea["base"]},
        "vessels": [_ship(ship) for ship in sea["ships"].values()],
        "boats": [_boat(boat) for boat in sea["boats"].values()],
        "torpedoes": [{key: t[key] for key in ("id", "type", "boat", "at", "direction", "run", "met")}
                      for t in sea["torpedoes"]],
        "charges": [dict(zip(("weapon", "escort", "at"), charge, strict=True)) for charge in sea["charges"]],
        "markers": [{"boat": boat, "kind": m["kind"], "place": m["place"], "cause": m["cause"], "by": list(m["by"])}
                    for boat, m in sorted(sea["markers"].items())],
        "lights": [dict(zip(("at", "radius", "until"), light, strict=True)) for light in sea["lights"]],
        "todo": [dict(zip(("kind", "actor", "target", "at", "detail"), (*task[:4], list(task[4])), strict=True))
                 for task in sea["todo"]],
        "moved": sea["moved"], "points": [dict(zip(("kind", "of", "value"), p, strict=True)) for p in sea["points"]],
        "launched": sea["launched"], "last_run": sea["last run"], "over": sea["over"], "found": sorted(sea["found"]),
        "package": sea["package"], "year": sea["year"],
    }  # fmt: skip


def _ship(ship):
    same = ("id", "role", "type", "place", "speed", "hits", "stopped", "held", "sunk", "torpedoed", "fuel", "station",
            "offset", "charges")  # fmt: skip
    hunt = {"boat": ship["boat"], "contact": sorted(ship["contact"]), "echoes": sorted(ship["echoes"]),
            "ring": ship["ring"], "plan": list(ship["plan"]), "aim": ship["aim"], "cleared": ship["cleared"],
            "ran": ship["ran"]}  # fmt: skip
    return {key: ship[key] for key in same} | {"hunt": hunt}


def _boat(boat):
    same = ("id", "type", "place", "depth", "speed", "hull", "sunk", "away")
    tubes = [dict(zip(("end", "torpedo", "ready"), tube, strict=True)) for tube in boat["tubes"]]
    racks = [[type_, left] for type_, left in boat["racks"].items() if left]
    return {key: boat[key] for key in same} | {"tubes": tubes, "reloads": racks}
