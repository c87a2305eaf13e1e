"""The explorer's questions about Fleet Action; their sentences are in ``questions.toml``."""

from __future__ import annotations
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navalkit.core.awaited import Steps
from navalkit.core.dist import Dist
from navalkit.explore.picture import PHONE, Room, at_sea, binned, type_size, word
from navalkit.explore.question import Answer, Choice, Plot, Question, Settings, Tally, Whole
from navalkit.grids import square
from navalkit.view.page import Glance
from navalkit.view.scene import Circle, Line, Piece, Rect, Scene, Shape, Style, Text
from .. import odds
from ..board.choice import located
from ..board.pieces import ship as hull
from ..cards import TABLES, Gun, ShipCard, ship
from ..rules.gunnery import AGAIN, ASPECTS, FAR, NEAR, mounts_that_bear
from .craft import CRAFT, GAME, SAY

# -- Fire at a ship that does not answer: how soon steady fire sinks her, how many guns or torpedoes it takes

Row = NDArray[np.float64]
_CARRIED = {tubes.kind for card in TABLES.ships.values() for tubes in card.torpedoes}
_TORPEDOES = [torpedo for torpedo in TABLES.torpedoes.values() if torpedo.name in _CARRIED]
_FLEET = sorted(TABLES.ships.values(), key=lambda card: (card.sinking_rate, card.name))
GUNNED = [card for card in _FLEET if card.mounts]
_SIDE = ("bow", "beam", "quarter")
BEARINGS = ("ahead", *(f"starboard {part}" for part in _SIDE), "astern", *(f"port {part}" for part in _SIDE[::-1]))
_FEW = 2  # moves for which the chance is calculated in fractions
MOVES = 20
RANGE = Whole("range", 4, 0, 9)
_DAMAGE = Whole("damage", 0, 0, 95, 5)
_NEARER = ("range", -1, "nearer")


def ships(name: str, default: str, cards: list[ShipCard], ordered: bool = False) -> Choice:
    """A menu of ships, in order of their sinking rates; ``ordered`` if that order is what matters."""
    return Choice(name, default, {c.name: f"{c.name}, {c.type}, {c.sinking_rate}" for c in cards}, ordered)


def bears(name: str) -> Choice:
    """Where a ship bears from another."""
    return Choice(name, BEARINGS[2], dict.fromkeys(BEARINGS, ""), True)


def _points(settings: Settings, target: ShipCard) -> int:
    """Damage points that a percentage of her sinking rate makes."""
    return int(target.sinking_rate * settings["damage"] // 100)


# What it looks like: who fires, how far off, what is in flight, and what is left of her ------------------------------

def _drawn(room: Room, settings: Settings, question: str, flying: int, fish: bool = False) -> Scene:
    """Who fires on the left, the target on the right; between them a ruler, and what is in flight: a shell a gun, or a
    torpedo a tube. A ship that the question does not name is a dot, with the name of the weapon."""
    (wide, high), size = room, type_size(room)
    far = (0.66 if wide >= PHONE else 0.56) * wide
    near, middle, long = 0.13 * wide, 0.47 * high, min(0.16 * wide, 0.5 * high)
    duel = "first" in settings
    shooter, target = (settings.get(a if duel else b, "") for a, b in (("first", "attacker"), ("second", "target")))
    hurt = {target if not duel else shooter: settings.get("damage", 0)}
    shapes: list[Shape] = []
    shown = settings.get("bearing", BEARINGS[0]), settings.get("from_second", _SHOWN[settings.get("aspect", "")])
    for name, x, side in ((shooter, near, 0), (target, far, 1)):
        heading = (90.0, 270.0)[side] - 45.0 * BEARINGS.index(shown[side])
        if not name:
            shapes.append(Circle(x, middle, 0.1 * long, Style("ink")))
            continue
        card = ship(name)
        gone = settings.get("guns_lost", 0) if not side else 4 * hurt.get(name, 0) // 100
        look = hull(card.type, side, long, TABLES.types[card.type], hurt=gone)
        drawn = Piece(name, x, middle, look, heading).placed()
        shapes += [replace(each, size=size - 2) if isinstance(each, Text) and wide >= PHONE else each for each in drawn]
        if not side:
            shapes.append(word(x, max(middle - 0.5 * long - 0.7 * size, 0.8 * size), name, size, bold=True))
        else:
            left = x + 0.42 * long + 10
            bar, lost = min(0.24 * wide, wide - left - 14), _points({"damage": hurt.get(name, 0)}, card)
            shapes.append(word(left, middle - 0.9 * size, name, size, "start", True))
            shapes.append(Rect(left, middle - 0.1 * size, bar, 0.9 * size, Style("paper", "ink", 2), 4))
            shapes.append(Rect(left, middle - 0.1 * size, bar * lost / card.sinking_rate, 0.9 * size, Style("bad"), 4))
            shapes.append(word(left, middle + 1.7 * size, SAY("picture.damage", lost=lost, of=card.sinking_rate), size,
                               "start"))
    weapon = settings.get("gun") or settings.get("torpedo", "")
    shapes.append(word(near, middle - 0.1 * long - size if not shooter else -size, weapon, size, bold=True))
    start, end, rule, range_ = near + 0.55 * long, far - 0.4 * long, high - 2.1 * size, settings["range"]
    shapes.append(Line(((start, rule), (end, rule)), Style(None, "ink", 3)))
    for i in range(range_ + 1):
        x = start + (end - start) * i / max(range_, 1)
        shapes.append(Line(((x, rule - 8), (x, rule + 8)), Style(None, "ink", 3)))
    shapes.append(word((start + end) / 2, rule + size, SAY("picture.range", n=range_), size))
    shapes += _flying(start, end, middle, 0.2 * high, flying, fish)
    told = SAY("picture.desc", ship=shooter or weapon, target=target, range=range_, flying=flying)
    return at_sea(room, shapes, SAY(f"{question}.title"), told)


_SHOWN = {"": BEARINGS[2], "beam": BEARINGS[2], "diagonal": BEARINGS[1], "end": BEARINGS[0]}
"""Aspect that a target shows -> where its enemy bears from it."""


def _flying(start: float, end: float, level: float, rise: float, number: int, fish: bool) -> list[Shape]:
    """Shells on their arcs, or torpedoes on their tracks: each is drawn, as many as there are."""
    shapes: list[Shape] = []
    for i in range(number):
        share = (i + 0.5) / number
        along, spread = 0.3 + 0.5 * ((7 * i + 3) % 11) / 11, share - 0.5
        if fish:
            y = level + 2.2 * rise * spread
            tip = start + (end - start) * along
            shapes.append(Line(((start, level + 0.8 * rise * spread), (tip, y)), Style(None, "foam", 2, (6, 4))))
            shapes.append(Rect(tip, y - 3, 22, 6, Style("accent", "ink", 1.2), 3))
            continue
        arc = [(start + (end - start) * t, level + 14 * spread - (rise + 40 * spread) * 4 * t * (1 - t))
               for t in np.linspace(0, 1, 17).tolist()]
        shapes.append(Line(tuple(arc), Style(None, "foam", 1.5, (2, 5))))
        x = start + (end - start) * along
        y = level + 14 * spread - (rise + 40 * spread) * 4 * along * (1 - along)
        shapes.append(Circle(x, y, 7, Style("accent", "ink", 1.5)))
    return shapes


# Where it arises in a battle: a ship on our side and the nearest enemy that is seen ----------------------------------

def _duellists(glance: Glance[Any, Any, Any]) -> tuple[Any, Any, dict[str, Any]] | None:
    """Of what a side sees the two ships nearest to each other, one of each side, and how they lie: hers is the fire,
    or where she has no guns what she is under; None if it sees no enemy. Only guns, range and bearings are taken, as
    both sides know them."""
    seen = glance.seen
    ships, grid = seen.view.ships, seen.battle.grid
    pairs = [(not ours, square.distance(grid, ships[a].square, ships[b].square), a, b) for ours in (True, False)
             for a in located(seen, seen.me if ours else 1 - seen.me) if seen.battle.card(a).mounts
             for b in located(seen, 1 - seen.me if ours else seen.me)]
    if not pairs:
        return None
    _, range_, a, b = min(pairs)
    cards = seen.battle.card(a), seen.battle.card(b)
    if any(TABLES.ships.get(card.name) != card for card in cards):
        return None  # a ship of a scenario of its own
    own, other = ships[a], ships[b]
    relative = (square.bearing(grid, own.square, other.square) - own.heading) % 8 if own.square != other.square else 2
    hurt = 5 * (20 * other.damage // cards[1].sinking_rate)
    return cards[0], cards[1], {
        "range": min(range_, RANGE.high), "bearing": BEARINGS[relative], "damage": min(hurt, _DAMAGE.high),
    }


def _broadside_here(glance: Glance[Any, Any, Any]) -> dict[str, Any] | None:
    found = _duellists(glance)
    if found is None:
        return None
    return {"attacker": found[0].name, "target": found[1].name} | found[2]


# A broadside, and steady fire ----------------------------------------------------------------------------------------

@lru_cache(maxsize=4096)
def fire_of(attacker: str, range: int, bearing: int, quarters: int) -> Dist[int]:
    """Damage of a ship's broadside after some full quarters of damage; ``bearing`` in eighth-turns."""
    card = ship(attacker)
    return odds.broadside(card, range, bearing, guns=odds.guns_left(card, quarters, range, bearing))


def row_of(dist: Dist[int]) -> Row:
    """The probabilities of 0, 1, 2 ... points."""
    row = np.zeros(max(dist) + 1)
    for points, weight in dist.weights.items():
        row[points] = weight / dist.total
    return row


def _steady(fire: Row, enough: int, moves: int) -> list[float]:
    """The chance that ``enough`` points are reached by the end of each move."""
    done, chances = np.array([1.0]), []
    sunk = 0.0
    for _ in range(moves):
        done = np.convolve(done, fire)
        sunk += float(done[enough:].sum())
        done = done[:enough]
        chances.append(min(sunk, 1.0))
    return chances


def _bearing_guns(settings: Settings) -> dict[str, int]:
    attacker, bearing = ship(settings["attacker"]), BEARINGS.index(settings["bearing"])
    return mounts_that_bear(attacker.mounts,
                            odds.guns_left(attacker, settings["guns_lost"], settings["range"], bearing), bearing)


def _in_reach(guns: Mapping[str, int], range_: int) -> int:
    """How many of the guns fire: none that the target is out of range of."""
    return sum(number for name, number in guns.items() if range_ <= TABLES.guns[name].range)


def _broadside(settings: Settings) -> Answer:
    target, attacker, moves = ship(settings["target"]), ship(settings["attacker"]), settings["moves"]
    fire = fire_of(attacker.name, settings["range"], BEARINGS.index(settings["bearing"]), settings["guns_lost"])
    enough = target.sinking_rate + 1 - _points(settings, target)
    by_move = _steady(row_of(fire), enough, MOVES)
    few = (moves @ fire).at_least(enough) if moves <= _FEW else None
    guns = _bearing_guns(settings)
    names, heights = binned({points: float(p) for points, p in fire.items()})
    return Answer(
        by_move[moves - 1] if few is None else few,
        (
            Plot("damage", names, heights),
            Plot("sunk-by", tuple(map(str, range(1, MOVES + 1))), tuple(by_move), moves - 1),
        ),
        (*(["guns"] if guns else []), "sum"),
        ("steady", "least"),
        ("guns" if guns else "no-guns", "mean", "enough"),
        {
            "attacker": attacker.name, "target": target.name, "moves": moves, "enough": enough,
            "mean": float(fire.mean), "sd": fire.sd, "guns": ", ".join(f"{n} × {name}" for name, n in guns.items()),
            "dice": " ".join(_how(TABLES.guns[name], n, settings["range"]) for name, n in guns.items()),
        },
        exactness="exact" if few is not None else "convolved",
    )


def _how(gun: Gun, number: int, range: int) -> str:
    """What hits, in words."""
    key = "dice.out" if range > gun.range else "dice.again" if gun.firings > 1 else "dice.once"
    first = "6" if range == gun.range else "5 or 6"
    return SAY(key, guns=number, gun=gun.name, reach=gun.range, first=first, more=number * (gun.firings - 1),
               points=gun.damage)


def _roll(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Every die of every gun, thrown: independent of the convolutions above."""
    target, moves, range_ = ship(settings["target"]), settings["moves"], settings["range"]
    damage = np.zeros((n, MOVES), dtype=np.int64)
    for name, number in _bearing_guns(settings).items():
        gun = TABLES.guns[name]
        for need in _needs(gun, range_) if number else ():
            damage += gun.damage * (rng.integers(1, 7, (n, MOVES, number), dtype=np.int8) >= need).sum(axis=2)
    sunk = damage.cumsum(axis=1) >= target.sinking_rate + 1 - _points(settings, target)
    fire = fire_of(settings["attacker"], range_, BEARINGS.index(settings["bearing"]), settings["guns_lost"])
    return Tally.of(sunk[:, moves - 1], _counts(fire, damage[:, 0]), sunk.sum(axis=0))


def _needs(gun: Gun, range: int) -> list[int]:
    """What each die of a gun must show, firing by firing."""
    return [NEAR if range < gun.range else FAR] + [AGAIN] * (gun.firings - 1) if range <= gun.range else []


def _dice(guns: Mapping[str, int], range: int) -> list[tuple[int, int, list[int]]]:
    """For each kind of gun how many fire, the points of a hit, and what each firing's die must show."""
    kinds = ((number, TABLES.guns[name]) for name, number in guns.items() if number)
    return [(number, gun.damage, _needs(gun, range)) for number, gun in kinds if _needs(gun, range)]


def _broadside_given(settings: Settings) -> dict[str, Any]:
    target = ship(settings["target"])
    return {"guns": _dice(_bearing_guns(settings), settings["range"]), "moves": settings["moves"],
            "enough": target.sinking_rate + 1 - _points(settings, target)}


def _counts(exact: Dist[int], damage: NDArray[np.int64]) -> list[float]:
    """How many of those damages fall to each bar of the exact distribution."""
    found = dict(zip(*(a.tolist() for a in np.unique(damage, return_counts=True)), strict=True))
    return list(binned({points: float(found.get(points, 0)) for points in exact})[1])


BROADSIDE = Question(
    "fleet-broadside", GAME, SAY,
    (
        ships("attacker", "Exeter", GUNNED), ships("target", "Admiral Graf Spee", _FLEET, True), RANGE,
        bears("bearing"), Whole("guns_lost", 0, 0, 4), _DAMAGE, Whole("moves", 12, 1, MOVES),
    ),
    _broadside, _roll, inverse="moves", gains=(("moves", 1, "move"), ("guns_lost", -1, "guns"), _NEARER),
    picture=lambda settings, answer, room: _drawn(room, settings, "fleet-broadside",
                                                  _in_reach(_bearing_guns(settings), settings["range"])),
    here=_broadside_here, given=_broadside_given,
)


# A salvo: how many guns? ---------------------------------------------------------------------------------------------

_GUNS = 24


def _salvo(settings: Settings) -> Answer:
    gun, number, range_, points = TABLES.guns[settings["gun"]], settings["guns"], settings["range"], settings["points"]
    dists = [odds.salvo(gun, k, range_) for k in range(_GUNS + 1)]
    names, heights = binned({p: float(chance) for p, chance in dists[number].items()})
    return Answer(
        dists[number].at_least(points),
        (
            Plot("damage", names, heights),
            Plot("by-guns", tuple(map(str, range(_GUNS + 1))), tuple(float(d.at_least(points)) for d in dists), number),
        ),
        ("dice", "binomial"),
        ("bear",),
        ("mean",),
        {
            "guns": number, "gun": gun.name, "points": points, "mean": float(dists[number].mean),
            "dice": _how(gun, number, range_),
        },
    )


def _throw(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    gun, number, range_, points = TABLES.guns[settings["gun"]], settings["guns"], settings["range"], settings["points"]
    damage = np.zeros((n, _GUNS + 1), dtype=np.int64)  # of the first k guns
    for need in _needs(gun, range_):
        damage[:, 1:] += gun.damage * (rng.integers(1, 7, (n, _GUNS)) >= need).cumsum(axis=1)
    done = damage >= points
    return Tally.of(done[:, number], _counts(odds.salvo(gun, number, range_), damage[:, number]), done.sum(axis=0))


SALVO = Question(
    "fleet-salvo", GAME, SAY,
    (
        Choice("gun", "8in Mk VIII", {g.name: f"{g.name}, {g.damage}" for g in [*TABLES.guns.values()][::-1]}, True),
        Whole("guns", 6, 0, _GUNS), RANGE, Whole("points", 20, 1, 200),
    ),
    _salvo, _throw, inverse="guns", gains=(("guns", 1, "gun"), _NEARER),
    picture=lambda settings, answer, room: _drawn(room, settings, "fleet-salvo",
                                                  _in_reach({settings["gun"]: settings["guns"]}, settings["range"])),
    given=lambda settings: {"guns": _dice({settings["gun"]: settings["guns"]}, settings["range"]),
                            "points": settings["points"]},
)


_TUBES = 16


def _set(settings: Settings, tubes: int) -> Dist[int]:
    fish = TABLES.torpedoes[settings["torpedo"]]
    return odds.torpedoes(fish, tubes if settings["range"] <= fish.range else 0, settings["aspect"])


def _torpedoes(settings: Settings) -> Answer:
    target, tubes, fish = ship(settings["target"]), settings["tubes"], TABLES.torpedoes[settings["torpedo"]]
    damage = _points(settings, target)
    chances = [odds.sink_chance(target, damage, _set(settings, k)) for k in range(_TUBES + 1)]
    hits = _set(settings, tubes)
    need, enough = ASPECTS[settings["aspect"]], target.sinking_rate + 1 - damage
    return Answer(
        chances[tubes],
        (
            Plot("hits", tuple(map(str, range(tubes + 1))),
                 tuple(float(hits[k * fish.damage]) for k in range(tubes + 1))),
            Plot("by-tubes", tuple(map(str, range(_TUBES + 1))), tuple(map(float, chances)), tubes),
        ),
        ("binomial", "enough"),
        ("reach", "alone"),
        ("hits", "mean"),
        {
            "tubes": tubes, "torpedo": fish.name, "target": target.name, "points": fish.damage, "reach": fish.range,
            "face": need, "ways": 7 - need, "others": need - 1, "enough": enough,
            "need": -(-enough // fish.damage), "mean": float(hits.mean / fish.damage),
        },
    )


def _launch(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    target, tubes, fish = ship(settings["target"]), settings["tubes"], TABLES.torpedoes[settings["torpedo"]]
    struck = rng.integers(1, 7, (n, _TUBES)) >= ASPECTS[settings["aspect"]]
    if settings["range"] > fish.range:
        struck[:] = False
    hits = np.concatenate([np.zeros((n, 1), dtype=np.int64), struck.cumsum(axis=1)], axis=1)
    sunk = hits * fish.damage > target.sinking_rate - _points(settings, target)
    return Tally.of(sunk[:, tubes], np.bincount(hits[:, tubes].astype(np.intp), minlength=tubes + 1), sunk.sum(axis=0))


def _torpedoes_given(settings: Settings) -> dict[str, Any]:
    fish, target = TABLES.torpedoes[settings["torpedo"]], ship(settings["target"])
    return {"tubes": settings["tubes"] if settings["range"] <= fish.range else 0, "need": ASPECTS[settings["aspect"]],
            "points": fish.damage, "enough": target.sinking_rate + 1 - _points(settings, target)}


TORPEDOES = Question(
    "fleet-torpedoes", GAME, SAY,
    (
        Choice("torpedo", "Type 93", {t.name: f"{t.name}, {t.damage}" for t in _TORPEDOES}),
        Whole("tubes", 8, 0, _TUBES), Choice("aspect", "beam", dict.fromkeys(ASPECTS, ""), True),
        Whole("range", 2, 0, 9), ships("target", "Kongo", _FLEET, True), _DAMAGE,
    ),
    _torpedoes, _launch, inverse="tubes", gains=(("tubes", 1, "torpedo"),),
    picture=lambda settings, answer, room: _drawn(room, settings, "fleet-torpedoes", settings["tubes"], True),
    given=_torpedoes_given,
)


# -- A duel: a chain over the damage of both ships, or, for giants, duels fought -------------------

_AFFORDABLE = 12e6
"""States of the chain, times moves, for which a duel is calculated exactly: about a second. Beyond, it is fought."""
_DUELS, _BATCH = 20_000, 500

Curves = NDArray[np.float64]
Ends = tuple[tuple[float, ...], Curves, float, float]
"""How it ends (first alone, second alone, none, both afloat), both curves, mean length, standard error."""


def _bearings(settings: Settings) -> tuple[int, int]:
    return BEARINGS.index(settings["bearing"]), BEARINGS.index(settings["from_second"])


def _cost(first: ShipCard, second: ShipCard, settings: Settings) -> float:
    """States of the chain times the moves it may take: till unhurt fire sinks the first of the two, and half more."""
    moves = 0.0
    for card, other, bearing in zip((first, second), (second, first), _bearings(settings), strict=True):
        mean = float(fire_of(card.name, settings["range"], bearing, 0).mean)
        if mean:
            needed = other.sinking_rate / mean
            moves = min(moves, needed) if moves else needed
    return 1.5 * moves * first.sinking_rate * second.sinking_rate


def _duel(settings: Settings) -> Steps[Answer]:
    first, second = ship(settings["first"]), ship(settings["second"])
    exact = _cost(first, second, settings) <= _AFFORDABLE
    ends, curves, length, error = yield from (chain if exact else fought)(settings)
    x = tuple(map(str, range(1, MOVES + 1)))
    other = second.name if second.name != first.name else SAY("fleet-duel.second-of-class", ship=second.name)
    names = (first.name, other, SAY("fleet-duel.neither"), SAY("fleet-duel.both"))
    return Answer(
        ends[0],
        (
            Plot("outcome", names, ends, 0), Plot("first-sunk", x, tuple(curves[0])),
            Plot("second-sunk", x, tuple(curves[1])),
        ),
        ("fire", "chain" if exact else "fought"),
        ("steady",),
        (*(["length"] if exact else []), "other", "neither"),
        {"first": first.name, "second": other, "duels": _DUELS, "length": length, "alone": ends[1], "none": ends[2]},
        error=error,
        n=0 if exact else _DUELS,
        exactness="nine" if exact else "estimate",
    )


def chain(settings: Settings) -> Steps[Ends]:
    """The duel as a chain, a step a move."""
    first, second = ship(settings["first"]), ship(settings["second"])
    damage = int(first.sinking_rate * settings["damage"] // 100), 0
    end = yield from odds.duel_steps(first, second, settings["range"], relative=_bearings(settings), damage=damage)
    total = end.a + end.b + end.both + end.neither
    # by the end of moves 1 to MOVES; after the last move of the chain nothing changes
    curves = [np.pad(sunk, (0, MOVES), "edge")[1 : MOVES + 1] for sunk in end.sunk]
    return (
        tuple(each / total for each in (end.a, end.b, end.both, end.neither)),
        np.minimum(curves, 1.0), end.time, 0.0,
    )


def fought(settings: Settings) -> Steps[Ends]:
    """The duel fought, a step a batch."""
    rng, tally = np.random.default_rng(1), None
    for done in range(0, _DUELS, _BATCH):
        batch = _fight(settings, rng, _BATCH)
        tally = batch if tally is None else tally + batch
        yield done / _DUELS
    assert tally is not None
    ends, one, two = (row / tally.n for row in tally.bars if row is not None)
    return tuple(ends.tolist()), np.array([one, two]), 0.0, tally.error


def _fight(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Duels fought side by side, damage drawn from the broadsides of each quarter."""
    cards = ship(settings["first"]), ship(settings["second"])
    rates = np.array([card.sinking_rate for card in cards])
    ends = [[np.cumsum(row_of(fire_of(card.name, settings["range"], bearing, quarter))) for quarter in range(5)]
            for card, bearing in zip(cards, _bearings(settings), strict=True)]
    damage = np.zeros((n, 2), dtype=np.int64)
    damage[:, 0] = rates[0] * settings["damage"] // 100
    curves = np.zeros((2, MOVES), dtype=np.int64)
    move, going = 0, np.arange(n)
    while len(going):
        quarters = 4 * damage[going] // rates
        done = np.zeros((len(going), 2), dtype=np.int64)
        silent = np.ones(len(going), dtype=bool)
        for side in (0, 1):
            for quarter in range(5):
                lanes = np.flatnonzero(quarters[:, side] == quarter)
                row = ends[side][quarter]
                done[lanes, 1 - side] = np.minimum(np.searchsorted(row, rng.random(len(lanes)), "right"), len(row) - 1)
                if len(row) > 1:
                    silent[lanes] = False
        damage[going] += done
        if move < MOVES:
            curves[:, move] += (damage > rates).sum(axis=0)
        move += 1
        going = going[~silent & (damage[going] <= rates).all(axis=1)]
    curves[:, move:] = (damage > rates).sum(axis=0)[:, None]
    lost = damage > rates
    kinds = [~lost[:, 0] & lost[:, 1], lost[:, 0] & ~lost[:, 1], lost.all(axis=1), ~lost.any(axis=1)]
    return Tally.of(kinds[0], [int(kind.sum()) for kind in kinds], curves[0], curves[1])


def _duel_given(settings: Settings) -> dict[str, Any]:
    """What each ship fires after 0 to 4 full quarters of damage, what sinks her, and how hurt the first is."""
    cards, range_ = (ship(settings["first"]), ship(settings["second"])), settings["range"]
    fires = [[_dice(mounts_that_bear(card.mounts, odds.guns_left(card, quarter, range_, bearing), bearing), range_)
              for quarter in range(5)] for card, bearing in zip(cards, _bearings(settings), strict=True)]
    return {"fires": fires, "rates": [card.sinking_rate for card in cards],
            "hurt": int(cards[0].sinking_rate * settings["damage"] // 100)}


DUEL = Question(
    "fleet-duel", GAME, SAY,
    (
        ships("first", "Baltimore", GUNNED), ships("second", "Prinz Eugen", GUNNED), RANGE, bears("bearing"),
        bears("from_second"), Whole("damage", 0, 0, 95, 5),
    ),
    _duel, _fight, inverse="range", gains=(("range", -1, "nearer"),),
    picture=lambda settings, answer, room: _drawn(room, settings, "fleet-duel", 0),
    given=_duel_given,
)


QUESTIONS = (BROADSIDE, SALVO, TORPEDOES, DUEL, *CRAFT)
