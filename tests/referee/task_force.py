"""Task Force, told again from the source and the rulings: plain functions over plain dicts, no speed.

Squares are names ("C7"); what lies on the map is kept as sets of names. `worlds` walks through every map there could
be, so that what a player may be sure of can be looked up instead of proved: for small maps only.
"""

from __future__ import annotations
from copy import deepcopy
from itertools import combinations

from .exercised import by, decides

LETTERS = "ABCDEFGHIJKLMN"
OWN = ["AIR", "CRU", "D-1", "D-2", "D-3"]
RANKS = {5: "Admiral", 4: "Captain", 3: "Commander", 2: "Lieutenant", 1: "Ensign"}
LENGTH = {"battlecruiser": 5, "cruiser across": 4, "cruiser down": 4, "destroyer": 3, "frigate": 2}
FLEETS = {
    "full": {"battlecruiser": 1, "cruiser across": 1, "cruiser down": 1, "destroyer": 3, "frigate": 4},
    "small": {"cruiser across": 1, "destroyer": 1, "frigate": 1},
    "tiny": {"destroyer": 1, "frigate": 1},
}


def begin(options):
    return {
        "options": dict(options), "phase": "fleet", "tries": 1, "fleet": [], "submarines": set(), "missiles": {},
        "scratched": set(), "afloat": list(OWN), "anti air": options["anti_air"], "strikes": options["strike_fighters"],
        "helicopters": [1, 2, 3] if options["helicopters"] else [], "flying": 0, "flight": [], "result": "",
    }


def rank(game):
    """What the captain is called when it is over."""
    if game["phase"] != "end":
        return ""
    by("T9c")
    return RANKS.get(len(game["afloat"]), "")


# The map --------------------------------------------------------------------------------------------------------


def squares(options):
    return [f"{LETTERS[c]}{r + 1}" for r in range(options["rows"]) for c in range(options["columns"])]


def place(square):
    return LETTERS.index(square[0]), int(square[1:]) - 1


def beside(square):
    """The four squares that share an edge, on the map or off it."""
    column, row = place(square)
    around = ((column, row - 1), (column, row + 1), (column - 1, row), (column + 1, row))
    return {f"{LETTERS[c]}{r + 1}" for c, r in around if 0 <= c < len(LETTERS)}


def around(options, square):
    """The up to eight squares around it."""
    column, row = place(square)
    nine = [(c, r) for r in (row - 1, row, row + 1) for c in (column - 1, column, column + 1)]
    return [f"{LETTERS[c]}{r + 1}" for c, r in nine
            if (c, r) != (column, row) and 0 <= c < options["columns"] and 0 <= r < options["rows"]]


def at_edge(options, square):
    column, row = place(square)
    return row in (0, options["rows"] - 1) or column in (0, options["columns"] - 1)


def span(text):
    """The squares from the first to the last of "A1-A5"; None if they are not in one line."""
    first, last = map(place, text.split("-"))
    if first[0] == last[0] and first[1] <= last[1]:
        return [f"{LETTERS[first[0]]}{r + 1}" for r in range(first[1], last[1] + 1)]
    if first[1] == last[1] and first[0] <= last[0]:
        return [f"{LETTERS[c]}{first[1] + 1}" for c in range(first[0], last[0] + 1)]
    return None


@decides("T1d", "T1e", "T1f")
def may_be(options, name, ship):
    """Whether a ship of that name can lie on these squares, as far as they alone can tell."""
    columns, rows = {place(s)[0] for s in ship}, {place(s)[1] for s in ship}
    if len(ship) != LENGTH[name] or not set(ship) <= set(squares(options)):
        return False
    if name == "cruiser across" and len(rows) > 1 or name == "cruiser down" and len(columns) > 1:
        return False
    if name == "battlecruiser":
        return max(columns) < options["deep"]
    return name != "frigate" or min(columns) >= options["deep"]


def touch(one, other):
    return any(s in one or beside(s) & set(one) for s in other)


@decides("T1a", "T1c")
def is_fleet(options, ships):
    """Whether these ships are the whole fleet, lying as they may."""
    wanted = [name for name, number in FLEETS[options["fleet"]].items() for _ in range(number)]
    if any(ship is None for ship in ships) or any(touch(a, b) for a, b in combinations(ships, 2)):
        return False
    return names_fit(options, wanted, list(ships))


@decides("T1b")
def names_fit(options, wanted, ships):
    if not ships or not wanted:
        return not ships and not wanted
    return any(
        may_be(options, name, ships[0]) and names_fit(options, wanted[:i] + wanted[i + 1 :], ships[1:])
        for i, name in enumerate(wanted)
    )


@decides("T2a", "T2b")
def are_submarines(options, fleet, submarines):
    """Nothing lies on the four squares beside a submarine."""
    hit = {s for ship in fleet for s in ship}
    return (
        len(set(submarines)) == options["submarines"] == len(submarines)
        and set(submarines) <= set(squares(options)) - hit
        and not any(beside(s) & (hit | set(submarines)) for s in submarines)
    )


def lairs(options, fleet):
    hit = {s for ship in fleet for s in ship}
    return [s for s in squares(options) if s not in hit and not beside(s) & hit]


def submarines_fit(options, lairs_left, number):
    """Whether that many submarines find room in these squares without touching."""
    if not number:
        return True
    for i, square in enumerate(lairs_left):
        if submarines_fit(options, [s for s in lairs_left[i + 1 :] if s not in beside(square)], number - 1):
            return True
    return False


def launch_squares(options, fleet, submarines):
    """Where a missile may lie: beside a ship, not beside a submarine."""
    hit = {s for ship in fleet for s in ship}
    return {s for s in squares(options) if s not in hit and s not in submarines
            and beside(s) & hit and not beside(s) & set(submarines)}


@decides("T2c", "T2d")
def are_missiles(options, fleet, submarines, missiles):
    targets = sorted(target for _, target in missiles)
    return (
        targets == sorted(OWN * options["missiles"])
        and len({square for square, _ in missiles}) == len(missiles)
        and {square for square, _ in missiles} <= launch_squares(options, fleet, submarines)
    )


# Hiding ---------------------------------------------------------------------------------------------------------


def may_hide(game, text):
    """Whether chance may hide this here and now."""
    word, *parts = text.split()
    options = game["options"]
    if word != game["phase"]:
        return False
    if word == "fleet":
        ships = [span(part) for part in parts]
        return parts == sorted(parts, key=in_order) and is_fleet(options, ships)
    if word == "submarines":
        return parts == sorted(parts, key=in_order) and are_submarines(options, game["fleet"], parts)
    missiles = [tuple(part.split("=")) for part in parts]
    return parts == sorted(parts, key=in_order) and are_missiles(options, game["fleet"], game["submarines"], missiles)


def in_order(text):
    """Row by row, as everything hidden is written down."""
    column, row = place(text.split("=")[0].split("-")[0])
    return row, column


def hide(game, text):
    assert may_hide(game, text), f"{text} may not be hidden here"
    options, parts = game["options"], text.split()[1:]
    if game["phase"] == "fleet":
        game["fleet"] = [span(part) for part in parts]
        game["phase"] = "submarines"
        if not submarines_fit(options, lairs(options, game["fleet"]), options["submarines"]):
            hide_anew(game)
    elif game["phase"] == "submarines":
        game["submarines"] = set(parts)
        game["phase"] = "missiles"
        if len(launch_squares(options, game["fleet"], parts)) < 5 * options["missiles"]:
            hide_anew(game)
    else:
        game["missiles"] = dict(part.split("=") for part in parts)
        game["phase"] = "turn"


@decides("T2e")
def hide_anew(game):
    game["phase"], game["tries"], game["fleet"], game["submarines"] = "fleet", game["tries"] + 1, [], set()


# Play -----------------------------------------------------------------------------------------------------------


def turn(game):
    return {"turn": 0, "flight": 0, "end": "over"}.get(game["phase"], "chance")


@decides("T4a", "T7a", "T7b", "T8")
def moves(game):
    options = game["options"]
    fresh = [s for s in squares(options) if s not in game["scratched"]]
    if game["phase"] == "flight":
        return ahead(game)
    edge = [s for s in fresh if at_edge(options, s)]
    flights = {f"fly helicopter {n} from {s}" for n in game["helicopters"] for s in edge if f"D-{n}" in game["afloat"]}
    strikes = {
        f"strike {s}" for s in game["scratched"] if not set(around(options, s)) <= game["scratched"]
    } if game["strikes"] and "AIR" in game["afloat"] else set()
    return set(fresh) | flights | strikes


def ahead(game):
    """Where the helicopter in the air can go on to."""
    near = set().union(*(beside(s) for s in game["flight"])) & set(squares(game["options"]))
    return near - game["scratched"]


def play(game, text):
    game = deepcopy(game)
    words = text.split()
    if turn(game) == "chance":
        hide(game, text)
    elif words[0] == "fly":
        game["flying"] = int(words[2])
        game["helicopters"].remove(game["flying"])
        game["phase"] = "flight"
        fly_on(game, words[4])
    elif words[0] == "strike":
        game["strikes"] -= 1
        for square in around(game["options"], words[1]):
            game["scratched"].add(square)
    elif game["phase"] == "flight":
        fly_on(game, text)
    else:
        game["scratched"].add(text)
        suffer(game, text)
    if game["phase"] in ("turn", "flight"):
        look_for_the_end(game)
    return game


def fly_on(game, square):
    game["flight"].append(square)
    game["scratched"].add(square)
    if square in game["missiles"] or square in game["submarines"] or not ahead(game):
        game["phase"], game["flying"], game["flight"] = "turn", 0, []


@decides("T5a", "T6")
def suffer(game, square):
    """What a missile or a submarine does to the carrier group."""
    afloat = game["afloat"]
    if square in game["submarines"]:
        destroy(game, afloat[-1])
    elif square in game["missiles"] and game["missiles"][square] in afloat:
        if "CRU" in afloat and game["anti air"]:
            game["anti air"] -= 1
        else:
            destroy(game, game["missiles"][square])


@decides("T3b", "T5c")
def destroy(game, ship):
    """She takes her aircraft with her."""
    game["afloat"].remove(ship)
    if ship == "AIR":
        game["strikes"] = 0
    if ship.startswith("D-"):
        game["helicopters"] = [n for n in game["helicopters"] if n != int(ship[2:])]


@decides("T9a", "T9b")
def look_for_the_end(game):
    if all(s in game["scratched"] for ship in game["fleet"] for s in ship):
        game["result"] = "win"
    elif not game["afloat"]:
        game["result"] = "loss"
    if game["result"]:
        game["phase"], game["flying"], game["flight"] = "end", 0, []


# What is certain ------------------------------------------------------------------------------------------------


def fleets(options):
    """Every fleet there could be."""
    names = [name for name, number in FLEETS[options["fleet"]].items() for _ in range(number)]
    spots = []
    for name in dict.fromkeys(names):
        lines = [span(f"{a}-{b}") for a in squares(options) for b in squares(options)]
        spots.append((name, [ship for ship in lines if ship and may_be(options, name, ship)]))

    def grow(ships, left):
        if not left:
            yield list(ships)
            return
        (name, places), rest = left[0], left[1:]
        for some in combinations(places, names.count(name)):
            together = [*ships, *some]
            if not any(touch(a, b) for a, b in combinations(together, 2)):
                yield from grow(together, rest)

    yield from grow([], spots)


def certain(options, seen, all_fleets):
    """Square -> "hit", "empty" or "no ship" where every map that fits what is seen agrees.

    ``seen`` is square -> "hit", "empty", "submarine" or the ship that a missile names.
    """
    options_of = {s: set() for s in squares(options) if s not in seen}
    targets_left = 5 * options["missiles"] - sum(what in OWN for what in seen.values())
    for fleet in all_fleets:
        hit = {s for ship in fleet for s in ship}
        if any((s in hit) != (what == "hit") for s, what in seen.items()):
            continue
        for submarines in combinations(lairs(options, fleet), options["submarines"]):
            if not are_submarines(options, fleet, submarines):
                continue
            if any((s in submarines) != (what == "submarine") for s, what in seen.items()):
                continue
            launch = launch_squares(options, fleet, submarines)
            free = launch - set(seen)
            if len(free) < targets_left or any(s not in launch for s, what in seen.items() if what in OWN):
                continue
            for square, what in options_of.items():
                if square in hit:
                    what.add("hit")
                elif square in submarines:
                    what.add("submarine")
                else:
                    what |= {"missile"} if square in free and targets_left else set()
                    what |= {"empty"} if square not in free or len(free) > targets_left else set()
    sure = {}
    for square, what in options_of.items():
        if len(what) == 1 and what <= {"hit", "empty"}:
            sure[square] = next(iter(what))
        elif "hit" not in what:
            sure[square] = "no ship"
    return sure
