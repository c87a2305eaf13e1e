"""The explorer's questions about boats and aircraft: strikes, those who guard against them, searches, decks, a call."""

from __future__ import annotations
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navalkit.core.dist import Dist
from navalkit.core.words import Words, percent
from navalkit.explore.picture import Room, at_sea, type_size, word
from navalkit.explore.question import Answer, Choice, Plot, Question, Settings, Switch, Tally, Whole
from navalkit.view.scene import Line, Rect, Scene, Shape, Style
from .. import odds, planes, raids
from ..cards import TABLES, Gear, ShipCard, any_ship, quarters
from ..planes import AIRCRAFT, TO_A_DIE
from ..rules import hunting
from ..rules.boats import UP

GAME = "fleet-action"
SAY = Words.load("navalkit.games.fleet_action", "questions.toml")
CUP = 12  # aircraft of a flight at most (rule F54)
MOST = 24
STRUCK = ("Ajax", "Shokaku", "Yorktown", "Akagi", "Repulse", "Prince of Wales", "Bismarck")
_BOMBERS = [kind for kind in AIRCRAFT.values() if kind.weapon in ("torpedo", "dive")]
Ints = NDArray[np.int64]


def kinds(default: str, weapons: tuple[str, ...]) -> Choice:
    """A menu of aircraft that carry one of these weapons."""
    return Choice("kind", default, {each.name: each.name for each in _BOMBERS if each.weapon in weapons})


def targets(default: str, names: tuple[str, ...] = STRUCK) -> Choice:
    """A menu of ships, in order of their sinking rates."""
    cards = sorted(map(any_ship, names), key=lambda card: card.sinking_rate)
    return Choice("target", default, {card.name: f"{card.name}, {card.sinking_rate}" for card in cards}, True)


def weathers() -> Choice:
    return Choice("weather", "good", dict.fromkeys(planes.WEATHERS, ""))


def _points(settings: Settings, target: ShipCard) -> int:
    return int(target.sinking_rate * settings["damage"] // 100)


def flights(aircraft: int) -> list[int]:
    """That many aircraft in as few flights as there can be, as even as they can be."""
    number = -(-aircraft // CUP)
    return [aircraft // number + (n < aircraft % number) for n in range(number)] if number else []


def _sixes(rng: np.random.Generator, n: int, dice: int, need: int = 6) -> Ints:
    """How many of a number of dice show so much or more, in n throws."""
    return np.asarray((rng.integers(1, 7, (n, dice), dtype=np.int8) >= need).sum(axis=1), dtype=np.int64)


def _dropped(rng: np.random.Generator, left: Ints, need: int, weapon: str, tells: bool = False) -> tuple[Ints, Ints]:
    """Hits, and those that tell, of aircraft that are left to drop: each die by itself."""
    dice = -(-left // TO_A_DIE) if weapon == "level" else left
    most = int(dice.max(initial=0))
    first, again = rng.integers(1, 7, (2, len(left), max(most, 1)), dtype=np.int8)
    thrown = np.arange(max(most, 1)) < dice[:, None]
    hit = (first >= need) & thrown
    telling = hit if tells else hit & (first == 6) & (again == 6)
    return hit.sum(axis=1), telling.sum(axis=1)


# How many aircraft slow her, and how many sink her? ------------------------------------------------------------------

@lru_cache(maxsize=4096)
def _strike(kind: str, aircraft: int, target: str, damage: int, weather: str, ranged: bool = False) -> odds.Strike:
    return odds.strike([(kind, n) for n in flights(aircraft)], any_ship(target), damage, weather=weather, ranged=ranged)


def _wanted(settings: Settings, target: ShipCard) -> int:
    """The full quarters that count: one more than she has lost, or 5 for her sinking."""
    return 5 if settings["wanted"] == "sunk" else 1 + quarters(_points(settings, target), target.sinking_rate)


def _chance(found: odds.Strike, wanted: int) -> Fraction:
    return found.sunk if wanted > 4 else found.quarters[wanted - 1]


def _ends(found: odds.Strike) -> tuple[float, ...]:
    """The chance of none to four full quarters, and of sinking."""
    full = [1.0, *map(float, found.quarters)]
    exact = [full[k] - full[k + 1] for k in range(4)]
    return (*exact, full[4] - float(found.sunk), float(found.sunk))


def _ends_names() -> tuple[str, ...]:
    return tuple(SAY(f"quarters.{k}") for k in range(6))


def _air(settings: Settings) -> Answer:
    target, kind, n = any_ship(settings["target"]), AIRCRAFT[settings["kind"]], settings["aircraft"]
    damage, weather = _points(settings, target), settings["weather"]
    wanted = _wanted(settings, target)
    found = [_strike(kind.name, k, target.name, damage, weather) for k in range(MOST + 1)]
    chances = [_chance(each, wanted) for each in found]
    need = planes.need(raids.speed(target, quarters(damage, target.sinking_rate)))
    dice = planes.flak_dice(target, (), weather)
    each = planes.points_of(target, *kind.drops())
    return Answer(
        chances[n],
        (
            Plot("ends", _ends_names(), _ends(found[n])),
            Plot("by-aircraft", tuple(map(str, range(MOST + 1))), tuple(map(float, chances)), n),
        ),
        ("guns", "drop"), ("alone", "together"), ("dice", "need"),
        {"kind": kind.name, "aircraft": n, "target": target.name, "wanted": SAY(f"aim.{settings['wanted']}"),
         "dice": dice, "need": need, "points": each, "flights": len(flights(n))},
    )


def _air_thrown(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    target, kind = any_ship(settings["target"]), AIRCRAFT[settings["kind"]]
    damage = _points(settings, target)
    need = planes.need(raids.speed(target, quarters(damage, target.sinking_rate)))
    dice, each = planes.flak_dice(target, (), settings["weather"]), planes.points_of(target, *kind.drops())
    total = np.full(n, damage, dtype=np.int64)
    for aircraft in flights(settings["aircraft"]):
        left = aircraft - np.minimum(_sixes(rng, n, dice), aircraft)
        hits, telling = _dropped(rng, left, need, kind.weapon)
        total += each * (hits + (planes.TELLS - 1) * telling)
    return Tally.of(*_tallied(total, target, _wanted(settings, target)), None)


def _tallied(total: Ints, target: ShipCard, wanted: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Whether that much damage is what was wanted, and how many trials ended in each way."""
    rate = target.sinking_rate
    full = np.minimum(4, 4 * total // rate)
    sunk = total > rate
    ends = np.where(sunk, 5, full)
    return (sunk if wanted > 4 else full >= wanted), np.bincount(ends.astype(np.intp), minlength=6)


def _air_given(settings: Settings) -> dict[str, Any]:
    target, kind = any_ship(settings["target"]), AIRCRAFT[settings["kind"]]
    damage = _points(settings, target)
    wanted, rate = _wanted(settings, target), target.sinking_rate
    return {"flights": flights(settings["aircraft"]), "dice": planes.flak_dice(target, (), settings["weather"]),
            "need": planes.need(raids.speed(target, quarters(damage, rate))),
            "points": planes.points_of(target, *kind.drops()), "damage": damage,
            "enough": rate + 1 if wanted > 4 else -(-wanted * rate // 4)}


AIR = Question(
    "fleet-air", GAME, SAY,
    (
        kinds("Swordfish", ("torpedo", "dive")), Whole("aircraft", 15, 0, MOST), targets("Bismarck"),
        Whole("damage", 0, 0, 95, 5), weathers(), Choice("wanted", "slowed", dict.fromkeys(("slowed", "sunk"), "")),
    ),
    _air, _air_thrown, inverse="aircraft", gains=(("aircraft", 1, "aircraft"),), given=_air_given,
)


# Does another ship in company save more than another fighter? ---------------------------------------------------------

@lru_cache(maxsize=4096)
def _raid(kind: str, aircraft: int, target: str, consorts: int, fighters: int, radar: bool) -> Dist[int]:
    company = [any_ship("Fletcher")] * consorts
    return odds.attack(kind, aircraft, any_ship(target), company, patrol=fighters, radar=radar)


CONSORTS, FIGHTERS = 6, 12


def _cover(settings: Settings) -> Answer:
    kind, n, target = AIRCRAFT[settings["kind"]], settings["aircraft"], any_ship(settings["target"])
    ships, fighters, radar = settings["consorts"], settings["fighters"], settings["radar"]
    by_ships = [_raid(kind.name, n, target.name, k, fighters, radar)[0] for k in range(CONSORTS + 1)]
    by_fighters = [_raid(kind.name, n, target.name, ships, k, radar)[0] for k in range(FIGHTERS + 1)]
    found = _raid(kind.name, n, target.name, ships, fighters, radar)
    dice = planes.flak_dice(target, [any_ship("Fletcher")] * ships)
    met = planes.engaged(fighters, radar)
    return Answer(
        found[0],
        (
            Plot("by-fighters", tuple(map(str, range(FIGHTERS + 1))), tuple(map(float, by_fighters)), fighters),
            Plot("by-consorts", tuple(map(str, range(CONSORTS + 1))), tuple(map(float, by_ships)), ships),
        ),
        ("patrol", "guns", "drop"), ("whole", "unhurt"), ("mean",),
        {"kind": kind.name, "aircraft": n, "target": target.name, "dice": dice, "met": met,
         "need": planes.fight_need(2, kind.grade), "mean": float(found.mean)},
    )


def _cover_thrown(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Raids flown out against every number of fighters, so that the first chart is met as well."""
    kind, aircraft, target = AIRCRAFT[settings["kind"]], settings["aircraft"], any_ship(settings["target"])
    dice = planes.flak_dice(target, [any_ship("Fletcher")] * settings["consorts"])
    missed = []
    for fighters in range(FIGHTERS + 1):
        met = planes.engaged(fighters, settings["radar"])
        left = np.maximum(0, aircraft - _sixes(rng, n, met, planes.fight_need(2, kind.grade)))
        left = np.maximum(0, left - _sixes(rng, n, dice))
        hits, _ = _dropped(rng, left, planes.need(raids.speed(target, 0)), kind.weapon)
        missed.append(hits == 0)
    return Tally.of(missed[settings["fighters"]], [int(each.sum()) for each in missed], None)


def _cover_given(settings: Settings) -> dict[str, Any]:
    kind, target = AIRCRAFT[settings["kind"]], any_ship(settings["target"])
    return {"aircraft": settings["aircraft"], "met": planes.engaged(settings["fighters"], settings["radar"]),
            "fighter": planes.fight_need(2, kind.grade), "need": planes.need(raids.speed(target, 0)),
            "dice": planes.flak_dice(target, [any_ship("Fletcher")] * settings["consorts"])}


COVER = Question(
    "fleet-cover", GAME, SAY,
    (
        kinds("Val", ("torpedo", "dive")), Whole("aircraft", 9, 0, CUP), targets("Yorktown"),
        Whole("consorts", 2, 0, CONSORTS), Whole("fighters", 4, 0, FIGHTERS), Switch("radar", True),
    ),
    _cover, _cover_thrown, inverse="fighters", gains=(("consorts", 1, "consort"), ("fighters", 1, "fighter")),
    given=_cover_given,
)


# How long does a boat live, by the year of the gear? ------------------------------------------------------------------

_GEAR = [gear for gear in TABLES.gear.values() if gear.name != "German and Japanese"]
_BOATS = ("UC 65", "UB 116", "U 552", "U 156", "Gato")
HUNTED = 12


def gears(default: str) -> Choice:
    return Choice("gear", default, {gear.name: gear.name for gear in _GEAR}, True)


@lru_cache(maxsize=1024)
def _hunted(gear: str, hunters: int, boat: str) -> tuple[Fraction, ...]:
    return tuple(odds.hunted(gear, hunters, HUNTED, boat=any_ship(boat)))


def _boat(settings: Settings) -> Answer:
    gear, hunters, moves, boat = TABLES.gear[settings["gear"]], settings["hunters"], settings["moves"], settings["boat"]
    chances = _hunted(gear.name, hunters, boat)
    by_gear = [_hunted(each.name, hunters, boat)[moves - 1] for each in _GEAR]
    names = tuple(each.name for each in _GEAR)
    return Answer(
        chances[moves - 1],
        (
            Plot("by-move", tuple(map(str, range(1, HUNTED + 1))), tuple(map(float, chances)), moves - 1),
            Plot("by-gear", names, tuple(map(float, by_gear)), names.index(gear.name)),
        ),
        ("walk", "search", "weapon"), ("likeliest", "open"), ("rate",),
        {"gear": gear.name, "hunters": hunters, "moves": moves, "boat": boat, "need": gear.own,
         "points": hunting.BREAKS[gear.weapon], "rate": any_ship(boat).sinking_rate},
    )


_STEPS = ((0, 0), (-1, 0), (0, 1), (1, 0), (0, -1))
"""Where a dived boat goes, all alike: nowhere, or to a square beside hers, by row and column."""


def searched(gear: Gear, hunters: int, moves: int) -> Iterator[list[tuple[int, int]]]:
    """The squares searched in each move since contact, from it: the likeliest first, ties by row and column."""
    heard, places = float(hunting.contact(gear, 0, False)), {(0, 0): 1.0}
    for _ in range(moves):
        walked: dict[tuple[int, int], float] = {}
        for (row, column), chance in places.items():
            for down, right in _STEPS:
                to = row + down, column + right
                walked[to] = walked.get(to, 0.0) + chance / len(_STEPS)
        likeliest = sorted(walked, key=lambda to: (-round(walked[to], 12), to))[:hunters]
        yield likeliest
        places = {to: chance * ((1 - heard) if to in likeliest else 1.0) for to, chance in walked.items()}


def _boat_hunted(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Each boat walks, and each search and each charge is a die."""
    gear, boat = TABLES.gear[settings["gear"]], any_ship(settings["boat"])
    plan, need, rate = list(searched(gear, settings["hunters"], HUNTED)), gear.own, boat.sinking_rate
    away, since = np.zeros((n, 2), dtype=np.int64), np.zeros(n, dtype=np.int64)
    damage, lost = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=bool)
    curve = np.zeros(HUNTED, dtype=np.int64)
    for move in range(HUNTED):
        away += np.array(_STEPS)[rng.integers(len(_STEPS), size=n)]
        here = np.zeros(n, dtype=bool)
        for k in range(move + 1):
            rows = since == k
            here |= rows & np.any([(away == square).all(axis=1) for square in plan[k]] or [np.zeros(n, bool)], axis=0)
        contact = here & ~lost & (rng.integers(1, 7, n) >= need)
        if gear.weapon == "charges":
            blows = _sixes(rng, n, gear.dice)
            blows = np.array([rng.binomial(k, 1 / 6) for k in blows])
        else:
            blows = (rng.integers(1, 7, n) >= hunting.NEEDS[gear.weapon]).astype(np.int64)
        damage += contact * blows * hunting.BREAKS[gear.weapon]
        lost |= (damage > rate) | (np.minimum(4, 4 * damage // rate) >= UP)
        since = np.where(contact, 0, since + 1)
        away[contact] = 0
        curve[move] = lost.sum()
        if move == settings["moves"] - 1:
            done = lost.copy()
    return Tally.of(done, curve, None)


def _boat_given(settings: Settings) -> dict[str, Any]:
    gear, rate = TABLES.gear[settings["gear"]], any_ship(settings["boat"]).sinking_rate
    up = min(rate + 1, -(-UP * rate // 4))
    thrown = gear.dice if gear.weapon == "charges" else 0
    return {"need": gear.own, "dice": thrown, "hit": hunting.NEEDS.get(gear.weapon, 0),
            "points": hunting.BREAKS[gear.weapon], "enough": up, "moves": settings["moves"],
            "plan": list(searched(gear, settings["hunters"], settings["moves"]))}


BOAT = Question(
    "fleet-boat", GAME, SAY,
    (
        gears("asdic 1941"), Whole("hunters", 2, 0, 5), Whole("moves", 6, 1, HUNTED),
        Choice("boat", "U 552", {name: f"{name}, {any_ship(name).sinking_rate}" for name in _BOATS}, True),
    ),
    _boat, _boat_hunted, inverse="moves", gains=(("hunters", 1, "hunter"), ("moves", 1, "move")), given=_boat_given,
)


# Where is she now? ---------------------------------------------------------------------------------------------------

WALK, MIDDLE = 6, "L11"
_COLUMNS, _ROWS = 24, 20


@lru_cache(maxsize=1024)
def _where(gear: str, moves: int, searches: int) -> Mapping[str, Fraction]:
    return odds.where({MIDDLE: Fraction(1)}, [{MIDDLE: searches}] * moves, gear=gear, columns=_COLUMNS, rows=_ROWS)


def _away(square: str) -> tuple[int, int]:
    """Columns and rows from the middle."""
    return ord(square[0]) - ord(MIDDLE[0]), int(square[1:]) - int(MIDDLE[1:])


def _by_distance(chances: Mapping[str, Fraction]) -> tuple[float, ...]:
    found = [0.0] * (WALK + 1)
    for square, chance in chances.items():
        found[sum(map(abs, _away(square)))] += float(chance)
    return tuple(found)


def _place(settings: Settings) -> Answer:
    gear, moves, searches = TABLES.gear[settings["gear"]], settings["moves"], settings["searches"]
    found = _where(gear.name, moves, searches)
    by_move = [_where(gear.name, k, searches)[MIDDLE] for k in range(1, WALK + 1)]
    return Answer(
        found[MIDDLE],
        (
            Plot("by-distance", tuple(map(str, range(WALK + 1))), _by_distance(found)),
            Plot("by-walk", tuple(map(str, range(1, WALK + 1))), tuple(map(float, by_move)), moves - 1),
        ),
        ("walk", "vain"), ("alike", "middle"), ("squares",),
        {"gear": gear.name, "moves": moves, "searches": searches, "need": gear.own, "miss": gear.own - 1,
         "squares": len(found)},
    )


def _walked(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Boats that walk at random; those that a search would have heard do not count."""
    need = TABLES.gear[settings["gear"]].own
    away, unheard = np.zeros((n, 2), dtype=np.int64), np.ones(n, dtype=bool)
    for _ in range(settings["moves"]):
        away += np.array(_STEPS)[rng.integers(len(_STEPS), size=n)]
        there = (away == 0).all(axis=1)
        for _ in range(settings["searches"]):
            unheard &= ~(there & (rng.integers(1, 7, n) >= need))
    far = np.abs(away[unheard]).sum(axis=1)
    return Tally.of(far == 0, np.bincount(far.astype(np.intp), minlength=WALK + 1), None, tried=n)


def _board(settings: Settings, answer: Answer | None, room: Room) -> Scene:
    """The squares about the middle, each with its chance: the darker, the likelier."""
    (wide, high), size = room, type_size(room)
    found, moves = _where(settings["gear"], settings["moves"], settings["searches"]), settings["moves"]
    side = min((high - size) / (2 * WALK + 1), wide / (2 * WALK + 1))
    most = float(max(found.values()))
    shapes: list[Shape] = []
    for square, chance in found.items():
        column, row = _away(square)
        x, y = wide / 2 + side * (column - 0.5), high / 2 + side * (row - 0.5)
        shapes.append(Rect(x, y, side, side, Style("accent", "ink", 1, opacity=0.1 + 0.8 * float(chance) / most)))
        if side > 2.2 * size:
            shapes.append(word(x + side / 2, y + side / 2, percent(float(chance)), size))
    if side <= 2.2 * size:  # there is room beside the sea alone: at the end of her row, the middle's chance
        edge = wide / 2 + side * (WALK + 0.5)
        shapes.append(Line(((wide / 2, high / 2), (edge + size / 2, high / 2)), Style(None, "ink", 2)))
        shapes.append(word(edge + 2 * size, high / 2, percent(float(found[MIDDLE])), size))
    told = SAY("fleet-where.desc", moves=moves, chance=percent(float(found[MIDDLE])), squares=len(found))
    return at_sea(room, shapes, SAY("fleet-where.title"), told)


WHERE = Question(
    "fleet-where", GAME, SAY,
    (gears("asdic 1941"), Whole("moves", 2, 1, WALK), Whole("searches", 1, 0, 4)),
    _place, _walked, gains=(("searches", 1, "search"), ("moves", 1, "move")), picture=_board,
    given=lambda settings: {"need": TABLES.gear[settings["gear"]].own, "moves": settings["moves"],
                            "searches": settings["searches"]},
)


# What does a ranged deck risk? ----------------------------------------------------------------------------------------

_DECKS = ("Hiryu", "Yorktown", "Shokaku", "Lexington", "Akagi")
GONE = 3  # full quarters with which a carrier is as good as lost


def _deck(settings: Settings) -> Answer:
    target, kind, n = any_ship(settings["target"]), AIRCRAFT[settings["kind"]], settings["aircraft"]
    row = [_strike(kind.name, k, target.name, 0, settings["weather"], settings["ranged"]) for k in range(MOST + 1)]
    other = _strike(kind.name, n, target.name, 0, settings["weather"], not settings["ranged"])
    chances = [each.quarters[GONE - 1] for each in row]
    each = planes.points_of(target, *kind.drops())
    return Answer(
        chances[n],
        (
            Plot("ends", _ends_names(), _ends(row[n])),
            Plot("by-aircraft", tuple(map(str, range(MOST + 1))), tuple(map(float, chances)), n),
        ),
        ("ranged", "drop") if settings["ranged"] else ("clear", "drop"), ("alone",), ("other", "shut"),
        {"kind": kind.name, "aircraft": n, "target": target.name, "points": each, "rate": target.sinking_rate,
         "other": float(other.quarters[GONE - 1]), "shut": float(row[n].quarters[0])},
    )


def _deck_thrown(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    target, kind = any_ship(settings["target"]), AIRCRAFT[settings["kind"]]
    dice, each = planes.flak_dice(target, (), settings["weather"]), planes.points_of(target, *kind.drops())
    total = np.zeros(n, dtype=np.int64)
    for aircraft in flights(settings["aircraft"]):
        left = aircraft - np.minimum(_sixes(rng, n, dice), aircraft)
        hits, telling = _dropped(rng, left, planes.need(raids.speed(target, 0)), kind.weapon, settings["ranged"])
        total += each * (hits + (planes.TELLS - 1) * telling)
    return Tally.of(*_tallied(total, target, GONE), None)


def _deck_given(settings: Settings) -> dict[str, Any]:
    target, kind = any_ship(settings["target"]), AIRCRAFT[settings["kind"]]
    return {"flights": flights(settings["aircraft"]), "dice": planes.flak_dice(target, (), settings["weather"]),
            "need": planes.need(raids.speed(target, 0)), "points": planes.points_of(target, *kind.drops()),
            "ranged": settings["ranged"], "enough": -(-GONE * target.sinking_rate // 4)}


DECK = Question(
    "fleet-deck", GAME, SAY,
    (
        kinds("Dauntless", ("dive",)), Whole("aircraft", 13, 0, MOST), targets("Akagi", _DECKS),
        Switch("ranged", True), weathers(),
    ),
    _deck, _deck_thrown, inverse="aircraft", gains=(("aircraft", 1, "aircraft"),), given=_deck_given,
)


# When should Force Z call? -------------------------------------------------------------------------------------------

RAIDS = ((3, "Nell", 8, True), (4, "Nell", 9, False), (4, "Nell", 8, False), (5, "Nell", 8, False),
         (5, "Nell", 9, True), (6, "Betty", 9, False), (6, "Betty", 9, False), (6, "Betty", 8, False),
         (7, "Nell", 9, True), (7, "Nell", 8, True))
"""The raids on Force Z: the move in which each comes, its type, its aircraft, and whether they are level bombers."""
CALLS, COMES, FLIES, ALOFT = 8, 3, 1, 8  # moves: of a call at latest; until they come; to the ships; and aloft
_SHIP = "Prince of Wales"
Ends = dict[tuple[int, int], float]


def attacks(call: int) -> list[tuple[int, int]]:
    """For each raid its move, sooner for a call before any enemy is seen, and its number, in order."""
    soon = int(0 < call < RAIDS[0][0])
    return [(move - soon, n) for n, (move, *_) in enumerate(RAIDS)]


def guarded(call: int, move: int) -> bool:
    """Whether fighters that are called in a move are over the ships in another."""
    return bool(call) and call + COMES + FLIES <= move < call + COMES + ALOFT


@lru_cache(maxsize=4096)
def _met(fighters: int, raid: int, need: int) -> Mapping[tuple[int, int], float]:
    """Fighters lost and damage done by a raid that meets this many fighters."""
    _, name, aircraft, level = RAIDS[raid]
    kind, target = AIRCRAFT[name], any_ship(_SHIP)
    weapon, load, piercing = kind.drops(level)
    each, dice = planes.points_of(target, weapon, load, piercing), planes.flak_dice(target, (), level=level)

    def after(lost: tuple[int, int, int]) -> Dist[tuple[int, int]]:
        left = aircraft - lost[2]

        def drops(off: tuple[int, int]) -> Dist[tuple[int, int]]:
            hits = odds.drop(left - off[0], need, weapon)
            return hits.map(lambda pair: (lost[0], each * (pair[0] + (planes.TELLS - 1) * pair[1])))

        return odds.flak(left, dice).bind(drops)

    fight = odds.fight(0, fighters, aircraft, (0, 1, kind.grade), radar=False)
    return {end: float(chance) for end, chance in fight.bind(after).items()}


@lru_cache(maxsize=256)
def raided(call: int, fighters: int) -> tuple[float, ...]:
    """The chance that she is afloat after each raid."""
    target, afloat = any_ship(_SHIP), {(fighters, 0): 1.0}
    found = []
    for move, raid in attacks(call):
        after: Ends = {}
        for (own, damage), chance in afloat.items():
            need = planes.need(raids.speed(target, quarters(damage, target.sinking_rate)))
            for (lost, points), part in _met(own if guarded(call, move) else 0, raid, need).items():
                total = damage + points
                if total <= target.sinking_rate:
                    key = own - lost, total
                    after[key] = after.get(key, 0.0) + chance * part
        afloat = after
        found.append(sum(afloat.values()))
    return tuple(found)


def _call(settings: Settings) -> Answer:
    call, fighters = settings["call"], settings["fighters"]
    by_raid = raided(call, fighters)
    by_call = tuple(raided(k, fighters)[-1] for k in range(CALLS + 1))
    best = max(range(CALLS + 1), key=lambda k: (by_call[k], -k))
    return Answer(
        by_raid[-1],
        (
            Plot("by-raid", tuple(map(str, range(1, len(RAIDS) + 1))), by_raid),
            Plot("by-call", (SAY("fleet-call.never"), *map(str, range(1, CALLS + 1))), by_call, call),
        ),
        ("chain", "early" if call else "uncalled"), ("one", "far"), ("best",),
        {"call": call, "fighters": fighters, "target": _SHIP, "comes": call + COMES + FLIES,
         "stays": ALOFT - FLIES, "best": best, "chance": by_call[best]},
        exactness="nine",
    )


def _call_flown(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Each raid flown out, die by die."""
    target, call = any_ship(_SHIP), settings["call"]
    rate, own = target.sinking_rate, np.full(n, settings["fighters"], dtype=np.int64)
    damage, curve = np.zeros(n, dtype=np.int64), []
    slow = np.array([planes.need(raids.speed(target, k)) for k in range(5)])
    for move, raid in attacks(call):
        _, name, aircraft, level = RAIDS[raid]
        weapon, load, piercing = AIRCRAFT[name].drops(level)
        each, dice = planes.points_of(target, weapon, load, piercing), planes.flak_dice(target, (), level=level)
        met = -(-own // 2) if guarded(call, move) else np.zeros(n, dtype=np.int64)
        need = planes.fight_need(1, AIRCRAFT[name].grade)
        down = ((rng.integers(1, 7, (n, CUP)) >= need) & (np.arange(CUP) < met[:, None])).sum(axis=1)
        own -= np.minimum(met, (met > 0) * _sixes(rng, n, -(-aircraft // TO_A_DIE)))
        left = np.maximum(0, aircraft - down)
        left = np.maximum(0, left - _sixes(rng, n, dice))
        needs = slow[np.minimum(4, 4 * damage // rate)]
        done = np.zeros(n, dtype=np.int64)
        for lowest in (5, 6):
            hits, telling = _dropped(rng, left, lowest, weapon)
            done = np.where(needs == lowest, each * (hits + (planes.TELLS - 1) * telling), done)
        damage = np.where(damage <= rate, damage + done, damage)
        curve.append(int((damage <= rate).sum()))
    return Tally.of(damage <= rate, curve, None)


def _call_given(settings: Settings) -> dict[str, Any]:
    target, call = any_ship(_SHIP), settings["call"]
    rows = []
    for move, raid in attacks(call):
        _, name, aircraft, level = RAIDS[raid]
        weapon, load, piercing = AIRCRAFT[name].drops(level)
        rows.append((aircraft, int(level), guarded(call, move), planes.points_of(target, weapon, load, piercing),
                     planes.flak_dice(target, (), level=level), planes.fight_need(1, AIRCRAFT[name].grade)))
    return {"raids": rows, "fighters": settings["fighters"], "rate": target.sinking_rate,
            "needs": [planes.need(raids.speed(target, k)) for k in range(5)]}


CALL = Question(
    "fleet-call", GAME, SAY, (Whole("call", 1, 0, CALLS), Whole("fighters", 10, 0, CUP)),
    _call, _call_flown, inverse="fighters", gains=(("fighters", 1, "fighter"),), given=_call_given,
)

CRAFT = (AIR, COVER, BOAT, WHERE, DECK, CALL)
