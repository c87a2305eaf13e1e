"""On Patrol before its first turn, told again: figures of ships and boats, formations, stations, the sea as it begins.

A sea is a plain dict and what lies on it too: "ships" and "boats" by id, "markers" by boat; hexes are pairs (q, r),
places pairs (bow, direction). Figures that are ours to choose are read from the files of figures as they stand there;
those of the source are written out.
"""

from __future__ import annotations
import re
import tomllib
from importlib.resources import files
from itertools import count
from math import floor

from .exercised import by
from .on_patrol import go, turn

_DATA = files("navalkit.games.on_patrol") / "data"
FIGURES = tomllib.loads((_DATA / "data.toml").read_text(encoding="utf-8"))
COMBAT = tomllib.loads((_DATA / "combat.toml").read_text(encoding="utf-8"))
KNOTS, GAP, BESIDE, COLUMNS = 6, 7, 8, 8
"""Knots a hex; hexes from bow to bow in a column (five between), from the outer columns to C and D, between columns."""
SOURCE_FORMATIONS = {7: ("E20 M20 U20", 3, (2, 2, 2)), 8: ("X22", 1, (3,)), 9: ("E20 M20 U20", 3, (2, 1, 2)),
                     10: ("I40 Q40", 6, (2, 2))}  # fmt: skip


def hex_of(label):
    """A hex by its label: of the columns A, B, C the second lies half a hex lower than the others."""
    sign, letters, row = re.fullmatch(r"(-?)([A-Z]+)(-?\d+)", label).groups()
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - 64
    q = -column if sign else column - 1
    return q, int(row) - 1 - q // 2


def place_of(text):
    bow, direction = text.split()
    return hex_of(bow), int(direction)


def outside(edges, cell):
    """Whether a hex lies off the map."""
    row, column = cell[1] + 1 + cell[0] // 2, cell[0]
    return (row < edges.get("north", row) or row > edges.get("south", row)
            or column < edges.get("west", column) or column > edges.get("east", column))  # fmt: skip


def full_speed(knots):
    return floor(knots / KNOTS + 0.5)


def role(type_):
    return FIGURES["vessel"][type_]["role"]


# Formations (103) -----------------------------------------------------------------------------------------------


def formation(ships, die):
    """(direction, columns of places from front to rear, in the order of the source's columns)."""
    rows = {row["number"]: (" ".join(row["bows"]), row["direction"], tuple(row["ships"]))
            for row in FIGURES["formation"]} | SOURCE_FORMATIONS  # fmt: skip
    by("103.1.1")
    if ships == 12:
        by("103.1.2")
        rows = {3: rows[3]} if die <= 3 else {4: rows[4]}
    fit = {number: (bows, direction, thinned(columns, sum(columns) - ships))
           for number, (bows, direction, columns) in rows.items() if sum(columns) >= ships}  # fmt: skip
    size = {number: sum(rows[number][2]) for number in fit}
    number = min(fit, key=lambda n: (size[n], fit[n][2] != fit[n][2][::-1], n))
    bows, direction, columns = fit[number]
    astern = turn(direction, 3)
    return direction, [[(go(hex_of(bow), astern, GAP * n), direction) for n in range(long)]
                       for bow, long in zip(bows.split(), columns, strict=True)]  # fmt: skip


def thinned(columns, spare):
    """The rear of the two outermost columns is left empty; of an odd number one at the rear of the centre, or first."""
    left = list(columns)
    left[0] -= spare // 2
    left[-1] -= spare // 2
    left[len(left) // 2 if len(left) % 2 else 0] -= spare % 2
    return tuple(left)


def abreast(cell, direction, hexes):
    """Hexes to starboard, an even number: two are one step 60 and one 120 degrees off the course."""
    return go(go(cell, turn(direction, 1), hexes // 2), turn(direction, 2), hexes // 2)


def across(direction, cell):
    """How far to starboard a hex lies, in hexes abreast."""
    (q1, r1), (q2, r2) = go((0, 0), turn(direction, 1)), go((0, 0), turn(direction, 2))
    a, b = cell[0] * r2 - cell[1] * q2, q1 * cell[1] - r1 * cell[0]
    return a + b


def capital_places(columns, ships):
    """Places of the capital ships, the most valuable first; ``columns`` from port to starboard."""
    middle = (len(columns) - 1) / 2
    outward = sorted(range(len(columns)), key=lambda n: (abs(n - middle), n))
    chosen = [columns[n][0] for n in outward]
    further = []
    for n in range((len(columns) + 1) // 2):
        pair = [columns[n]] + ([columns[-1 - n]] if n != len(columns) - 1 - n else [])
        further += [column[i] for i in range(1, max(map(len, pair))) for column in pair if i < len(column)]
    left, rear = ships - len(chosen), columns[outward[0]][-1]
    if left > 0 and left % 2 and rear in further:
        further.remove(rear)
        further.insert(left - 1, rear)
    by("103.3.1", "103.3.2", "103.3.3")
    return (chosen + further)[:ships]


def stations(direction, columns, guide, escorts):
    """The stations in the order in which they are taken, (name, place); ``columns`` from port to starboard."""
    length = {n: GAP * (len(column) - 1) for n, column in enumerate(columns)}
    middle = [n for n in length if abs(2 * n + 1 - len(columns)) <= 1]
    wings, centre = max(length[0], length[len(columns) - 1]), max(length[n] for n in middle)
    sides = (("port", columns[0][0][0], -1), ("starboard", columns[-1][0][0], 1))

    def pair(name, off, aft):
        by("103.2")
        return [(f"{name} {side}", abreast(go(bow, direction, -aft), direction, sign * off))
                for side, bow, sign in sides]  # fmt: skip

    found = [("A", go(guide, direction, GAP))]
    if escorts % 2 == 0:
        by("103.2.4")
        found += [("B", go(guide, direction, -centre - GAP))]
    found += pair("C", BESIDE, 0) + pair("D", BESIDE, wings)
    if len(columns) > 1:
        found += pair("E", 0, -GAP) + pair("F", 0, max(wings, centre) + GAP)
    for n in count(1):
        seen = set()
        free = [(name, cell) for name, cell in found if not (cell in seen or seen.add(cell))]
        if len(free) >= escorts:
            return [(name, (cell, direction)) for name, cell in free[:escorts]]
        found += pair(f"C{n}", BESIDE, n * GAP)
    return []


# The sea as it begins -------------------------------------------------------------------------------------------


def begin(scenario, package, base, die=0):
    """The sea before the Escort Action Table is consulted; without ships while their formation is to be diced for."""
    package = package or scenario["package"]
    parts = FIGURES["package"][package]["parts"]
    year, ships = scenario["date"].year, scenario.get("ships", [])
    starred = "starred speeds" in parts
    row = {"slow": "slow 2" if starred else "slow 1", "fast": "fast 3" if starred else "fast 2"}[scenario["speed"]]
    edges = dict(scenario.get("edges", {}))
    edges |= {side: hex_of(edges[side] + "1")[0] for side in ("east", "west") if side in edges}
    by("101.2", "101.3", "102.5")
    sea = {
        "turn": 1, "phase": 1, "guide": ((0, 0), 1), "row": row, "die": 0, "alarm": False, "base": 0, "ships": {},
        "boats": {f"S{n}": _boat(f"S{n}", each, year) for n, each in enumerate(scenario["boat"], 1)}, "markers": {},
        "torpedoes": [], "charges": [], "lights": [], "todo": [("formation", "", "", None, ())], "moved": [],
        "points": [], "launched": 0, "last run": [], "over": False, "found": set(), "package": package, "year": year,
        "parts": set(parts), "night": scenario.get("night", False) and "night" in parts, "turns": scenario["turns"],
        "goal": scenario["points"], "away": scenario.get("away", 0), "edges": edges, "scenario": scenario,
        "with base": base,
    }  # fmt: skip
    die = scenario.get("die", 0) or die
    if len(ships) == 12 and not die:
        return sea
    sea["todo"] = [("fleet", "", "", None, ())]
    types = {"M": [t for t in ships if role(t) == "merchant"], "C": [t for t in ships if role(t) == "capital"],
             "E": scenario.get("escorts", [])}  # fmt: skip
    if ships:
        direction, columns = formation(len(ships), die)
        places = [place for column in columns for place in column]
        columns = sorted(columns, key=lambda column: across(direction, column[0][0]))
        odd = len(columns) % 2
        guide = columns[(len(columns) - 1) // 2][0][0]
        guide = guide if odd else abreast(guide, direction, COLUMNS // 2)
        capital = capital_places(columns, len(types["C"]))
        posts = stations(direction, columns, guide, len(types["E"]))
        by("102.1", "103.2.1", "103.2.3")
        lie = dict(zip(_by_value("C", types["C"]), capital, strict=True))
        lie |= dict(zip((f"M{n}" for n in count(1)), (p for p in places if p not in capital), strict=False))
        named = dict(zip(_by_value("E", types["E"]), posts, strict=True))
    else:
        by("103.2.5", "104.2.4")
        named = {f"E{n}": (str(n), place_of(text)) for n, text in enumerate(scenario["places"], 1)}
        (_, (guide, direction)), lie = named["E1"], {}
    sea["guide"] = guide, direction
    sea["base"] = direction if base else 0
    for letter, each in types.items():
        for n, type_ in enumerate(each, 1):
            name = f"{letter}{n}"
            station, place = named[name] if letter == "E" else ("", lie[name])
            sea["ships"][name] = _ship(sea, name, type_, place, station, int(row[-1]))
            sea["ships"][name]["fuel"] = letter == "M" and n in scenario.get("fuel", [])
    by("104.4.4")
    for boat, each in zip(sea["boats"].values(), scenario["boat"], strict=True):
        if kind := each.get("marker"):
            ahead = (go(*boat["place"]), boat["place"][1])
            own = place_of(each["marked"]) if "marked" in each else ahead if kind == "torpedo" else boat["place"]
            cause = {"surfaced": "seen", "visible": "seen", "torpedo": "torpedoes"}.get(kind, "given")
            sea["markers"][boat["id"]] = {"kind": kind, "place": own, "cause": cause, "by": ()}
    return sea


def _by_value(letter, types):
    """Ids by value, the highest first."""
    return [f"{letter}{n + 1}" for n in sorted(range(len(types)), key=lambda n: -FIGURES["vessel"][types[n]]["value"])]


def _ship(sea, name, type_, place, station, speed):
    row, year, parts = FIGURES["vessel"][type_], sea["year"], sea["parts"]
    guide = sea["guide"][0]
    most = next(step["hits"] for step in FIGURES["endurance"] if row["tons"] <= step["tons"])
    ahead = row.get("ahead", "") if "atw" in parts and row.get("ahead_from", 0) <= year else ""
    one_ton = row.get("one_ton", 0) if "special" in parts and row.get("one_ton_from", 0) <= year else 0
    return {
        "id": name, "role": row["role"], "type": type_, "kind": row["kind"], "tons": row["tons"], "most": most,
        "value": row["value"], "best": full_speed(row["knots"]), "guns": row.get("guns", 0), "place": place,
        "speed": speed, "hits": 0, "stopped": False, "held": False, "sunk": 0, "torpedoed": 0, "fuel": False,
        "station": station, "offset": (place[0][0] - guide[0], place[0][1] - guide[1]), "boat": "", "contact": set(),
        "echoes": set(), "ring": 0, "plan": (), "aim": None, "cleared": "", "ran": None, "charges": one_ton,
        "depth charges": row.get("depth_charges", 0), "k-guns": row.get("k_guns", 0), "ahead": ahead,
        "throws": {"hedgehog": 2, "squid": 3, "": 0}[ahead], "sonar": row.get("sonar", False),
        "radar": "radar" in parts and 0 < row.get("radar_from", 0) <= year,
    }  # fmt: skip


def _boat(name, each, year):
    row = FIGURES["boat"][each["type"]]
    torpedo = each.get("torpedoes") or next(t for t, since in row["torpedoes"].items() if since <= year)
    ends = ["bow"] * row["bow"] + ["stern"] * row["stern"]
    return {
        "id": name, "type": each["type"], "place": place_of(each["place"]), "depth": each["depth"], "speed": 0,
        "hull": row["hull"], "whole": row["hull"], "test": row["test_depth"],
        "surfaced": full_speed(row["surfaced_knots"]), "submerged": row["submerged"],
        "value": row["value"], "tubes": [[end, torpedo, 0] for end in ends],
        "racks": {torpedo: row["reloads"]}, "sunk": 0, "away": 0,
    }  # fmt: skip
