"""The explorer's questions: will the torpedoes sink her, will the charges sink the boat, how deep to go?"""

from __future__ import annotations
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navalkit.core.dist import Dist
from navalkit.core.words import Words
from navalkit.explore.picture import PHONE, Room, at_sea, type_size, word
from navalkit.explore.question import Answer, Choice, Plot, Question, Settings, Tally, Whole
from navalkit.grids.hex import Hex, Layout
from navalkit.grids.hex_moves import Place
from navalkit.view.page import Glance
from navalkit.view.scene import Circle, Line, Piece, Polygon, Rect, Scene, Shape, Style
from . import odds
from .board.shapes import ship as hull, submarine
from .combat.damage import below_limit, crush
from .combat.rolls import damage_of, depth_roll
from .combat.torpedoes import hit
from .odds import runs
from .sea.combat_tables import COMBAT
from .sea.scenario import DEPTHS
from .sea.state import Boat, Role, State
from .sea.tables import TABLES, Sea

GAME = "on-patrol"
Ints = NDArray[np.int64]
SAY = Words.load("navalkit.games.on_patrol", "questions.toml")


# What it looks like ---------------------------------------------------------------------------------------------------

_BOAT, _SHIP = "blue", "vermilion"


def _run(settings: Settings, answer: Answer | None, room: Room) -> Scene:
    """The boat on the left, her spread on its tracks over a ruler of hexes, and the ship as she lies to it."""
    (wide, high), size = room, type_size(room)
    far = (0.7 if wide >= PHONE else 0.6) * wide
    near, middle, long = 0.1 * wide, 0.44 * high, min(0.18 * wide, 0.55 * high)
    target, run, spread = TABLES.vessels[settings["ship"]], settings["range"], settings["spread"]
    shapes: list[Shape] = [*Piece("boat", near, middle, submarine(0.8 * long, _BOAT, 50), 90.0).placed()]
    turn = {"beam": 0.0, "quarter": 45.0, "end": 90.0}[settings["aspect"]]
    shapes += Piece("ship", far, middle, hull(target.kind, long, _SHIP), turn).placed()
    start, end = near + 0.45 * long, far - 0.16 * long
    reach = min(1.0, COMBAT.torpedoes[settings["type"]].range / max(run, 1))
    for i in range(spread):
        share = (i + 0.5) / spread - 0.5
        tip = start + (end - start) * reach * (0.55 + 0.4 * ((7 * i + 3) % 10) / 10)
        y = middle + 0.55 * high * share
        shapes.append(Line(((start, middle + 0.1 * high * share), (tip, y)), Style(None, "foam", 2, (6, 4))))
        shapes.append(Rect(tip, y - 3, 22, 6, Style("accent", "ink", 1.2), 3))
    shapes.append(word(far + 0.3 * long + 8, middle - 0.6 * size, target.name, size, "start", True))
    shapes.append(word(far + 0.3 * long + 8, middle + 0.7 * size, SAY("picture.need", n=target.hits), size, "start"))
    rule = high - 2.1 * size
    shapes.append(Line(((start, rule), (end, rule)), Style(None, "ink", 3)))
    for n in range(0, run + 1, 10 if run > 30 else 5 if run > 12 else 1):
        x = start + (end - start) * n / max(run, 1)
        shapes.append(Line(((x, rule - 8), (x, rule + 8)), Style(None, "ink", 3)))
    shapes.append(word((start + end) / 2, rule + size, SAY("picture.run", n=run), size))
    told = SAY("picture.told", n=spread, ship=target.name, run=run)
    return at_sea(room, shapes, SAY("patrol-torpedo.title"), told)


def _zone(settings: Settings, answer: Answer | None, room: Room) -> Scene:
    """The hexes about the boat's bow, and how many charges fall where; her depth beside them."""
    (wide, high), size = room, type_size(room)
    side = min(high / (5 * 3**0.5), wide / 16)
    layout, bow = Layout(side, 0.3 * wide, 0.5 * high), Hex(0, 0)
    shapes: list[Shape] = []
    rings = [[bow], bow.ring(1), bow.ring(2)]
    tints = (0.75, 0.4, 0.18)
    for ring, tint in zip(rings, tints, strict=True):
        for each in ring:
            shapes.append(Polygon(tuple(layout.corners(each)), Style("orange", opacity=tint)))
            shapes.append(Polygon(tuple(layout.corners(each)), Style(None, "ink", 1.2)))
    x, y = layout.center(bow)
    shapes += Piece("boat", x, y + 0.9 * side, submarine(2.6 * side, _BOAT, settings["depth"]), 0.0).placed()
    for ring, key in zip(rings, _FALL, strict=True):
        for i in range(settings[key]):
            cx, cy = layout.center(ring[(5 * i) % len(ring)])
            turn, out = i // len(ring), 0.42 * side
            dx, dy = ((0.0, 0.0), (out, 0.0), (-out, 0.0), (0.0, out), (0.0, -out), (out, out), (-out, -out),
                      (out, -out), (-out, out), (0.0, 1.6 * out), (0.0, -1.6 * out), (1.6 * out, 0.0))[turn % 12]
            shapes.append(Circle(cx + dx, cy + dy, 0.2 * side, Style("ink", "paper", 1.5)))
    lines = [SAY("picture.fall", n=sum(settings[key] for key in _FALL)), SAY("picture.depth", n=settings["depth"]),
             SAY("picture.hull", n=settings["hull"])]
    for row, line in enumerate(lines):
        shapes.append(word(0.6 * wide, 0.5 * high + 1.6 * size * (row - 1), line, size, "start", not row))
    return at_sea(room, shapes, SAY("patrol-charges.title"), ". ".join(lines))


def _below(settings: Settings, answer: Answer | None, room: Room) -> Scene:
    """The sea from the side: the escort above, the boat at her depth, the test depth as a line."""
    (wide, high), size = room, type_size(room)
    boat, top = TABLES.boats[settings["boat"]], 0.2 * high
    deepest = max(DEPTHS[-1], boat.test_depth)

    def y(feet: float) -> float:
        return top + (high - top - size) * feet / (deepest + 50)

    long, x = 0.12 * wide, 0.2 * wide
    shapes: list[Shape] = [Rect(0, top, wide, high - top, Style("sea_deep"))]
    for feet in range(0, deepest + 1, 100):
        shapes.append(Line(((0, y(feet)), (wide, y(feet))), Style(None, "grid", 1)))
        if feet % 200 == 0 or wide >= PHONE:
            shapes.append(word(0.5 * size, y(feet), str(feet), size - 2, "start"))
    shapes.append(Line(((0, y(boat.test_depth)), (wide, y(boat.test_depth))), Style(None, "bad", 3, (10, 6))))
    shapes.append(word(wide - 8, y(boat.test_depth) - 0.7 * size, SAY("picture.test", n=boat.test_depth), size, "end"))
    away = x + long + (0.55 * wide - long) * settings["distance"] / 30
    deep = y(settings["depth"])
    for place, height, tone, beam in ((x, deep, _BOAT, 0.16), (away, top, _SHIP, 0.2)):
        outline = ((-0.5, 0.0), (-0.4, -0.5), (-0.1, -0.5), (-0.1, -1.0), (0.06, -1.0), (0.06, -0.5), (0.4, -0.5),
                   (0.5, 0.0), (0.4, 0.4), (-0.4, 0.4))
        hull_ = tuple((place + long * u, height + beam * long * v) for u, v in outline)
        shapes.append(Polygon(hull_, Style(tone, "ink", 1.5)))
    shapes.append(Line(((away, top + 6), (x + 0.3 * long, deep - 0.1 * long)), Style(None, "accent", 2.5, (3, 6))))
    shapes.append(word(x + 0.6 * long, deep, SAY("picture.depth", n=settings["depth"]), size, "start", True))
    shapes.append(word(away + 0.6 * long, top - 0.7 * size, SAY("picture.run", n=settings["distance"]), size, "start"))
    told = SAY("picture.below", depth=settings["depth"], run=settings["distance"], test=boat.test_depth)
    return at_sea(room, shapes, SAY("patrol-depth.title"), told)


# Where it arises: the captain's first boat, what hunts her, and what she could fire at --------------------------------

def _own(glance: Glance[Any, State, Any]) -> Boat | None:
    """The captain's first boat; nobody else's question."""
    return next((boat for boat in glance.seen.boats if boat.active), None) if glance.me == 0 else None


def _torpedo_here(glance: Glance[Any, State, Any]) -> dict[str, Any] | None:
    """The nearest ship that is no escort, and the torpedoes in the boat's tubes; not while she hides from a contact."""
    boat, seen = _own(glance), glance.seen
    prey = [v for v in seen.vessels if v.role is not Role.ESCORT and not v.sunk]
    loaded = [tube.torpedo for tube in boat.tubes if tube.torpedo and not tube.ready] if boat else []
    if boat is None or not prey or not loaded or boat.depth > _PERISCOPE:
        return None
    ship = min(prey, key=lambda v: (v.place.bow.distance(boat.place.bow), v.id))
    run = ship.place.bow.distance(boat.place.bow)
    if run > _FARTHEST:
        return None
    return {"type": loaded[0], "spread": min(loaded.count(loaded[0]), 3), "range": run, "ship": ship.type,
            "year": seen.year, "package": seen.package}


def _charges_here(glance: Glance[Any, State, Any]) -> dict[str, Any] | None:
    boat = _own(glance)
    if boat is None or glance.seen.marker(boat.id) is None or not 25 <= boat.depth:
        return None
    return {"depth": boat.depth, "hull": min(boat.hull, _HULL.high)}


def _depth_here(glance: Glance[Any, State, Any]) -> dict[str, Any] | None:
    """How deep to go: the nearest escort, at the boat's speed and with the points she has left."""
    boat = _own(glance)
    if boat is None or not glance.seen.escorts:
        return None
    near = min(v.place.bow.distance(boat.place.bow) for v in glance.seen.escorts)
    return {"boat": boat.type, "depth": max(25, boat.depth), "distance": min(max(near, 1), 30),
            "speed": min(boat.speed, 3), "hull": min(boat.hull, _HULL.high)}


_PERISCOPE, _FARTHEST = 50, 100
_SPREAD = 10
_KEYS = ("type", "range", "aspect", "ship", "package", "year")


def _hits(settings: Settings, spread: int) -> Dist[int]:
    given = {key: settings[key] for key in _KEYS}
    return odds.torpedo(given.pop("type"), given.pop("range"), given.pop("aspect"), spread, **given)


def _torpedo(settings: Settings) -> Answer:
    spread, target = settings["spread"], TABLES.vessels[settings["ship"]]
    chances = [_hits(settings, k).at_least(target.hits) for k in range(_SPREAD + 1)]
    hits, one = _hits(settings, spread), _hits(settings, 1)[1]
    fish, sea, run = COMBAT.torpedoes[settings["type"]], Sea(settings["package"], settings["year"]), settings["range"]
    aspect = COMBAT.aspects[settings["aspect"]].text
    how = ["out"] if run > fish.range else ["one"]
    if how == ["one"]:
        how += [key for key, is_so in (
            ("duds", sea.has("duds")), ("arming", sea.has("arming") and run < COMBAT.figures["arming"]),
        ) if is_so]
    return Answer(
        chances[spread],
        (
            Plot("hits", tuple(map(str, range(spread + 1))), tuple(float(hits[k]) for k in range(spread + 1))),
            Plot("by-spread", tuple(map(str, range(_SPREAD + 1))), tuple(map(float, chances)), spread),
        ),
        (*how, "few" if spread < target.hits else "sum"),
        ("reach", "sinks"),
        ("one", "need", "mean"),
        {
            "spread": spread, "torpedo": fish.name, "ship": target.name, "tons": target.tons, "need": target.hits,
            "reach": fish.range, "run": run, "aspect": aspect[0].lower() + aspect[1:], "chance": float(one), "one": one,
            "dud": float(fish.dud(sea.year)), "year": sea.year, "arming": COMBAT.figures["arming"],
            "mean": float(hits.mean),
        },
    )


def _launch(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Two dice for the hit of every torpedo, two for the dud, as in play."""
    spread, target, fish = settings["spread"], TABLES.vessels[settings["ship"]], COMBAT.torpedoes[settings["type"]]
    sea = Sea(settings["package"], settings["year"])
    words = hit(settings["type"], settings["aspect"], settings["range"], sea, target.tons)
    strikes, dud = int(36 * (1 - words["miss"])), int(36 * fish.dud(sea.year)) if sea.has("duds") else 0
    live = settings["range"] <= fish.range and not words["unarmed"]
    shape = n, _SPREAD
    works = (_d36(rng, shape) < strikes) & (_d36(rng, shape) >= dud) & live
    hits = np.concatenate([np.zeros((n, 1), dtype=np.int64), works.cumsum(axis=1)], axis=1)
    sunk = hits >= target.hits
    number = np.bincount(hits[:, spread].astype(np.intp), minlength=spread + 1)
    return Tally.of(sunk[:, spread], number, sunk.sum(axis=0))


def _d36(rng: np.random.Generator, shape: tuple[int, ...]) -> Ints:
    """Two dice each, as one of 36 equal cases, 0 to 35."""
    return 6 * rng.integers(0, 6, shape) + rng.integers(0, 6, shape)


def _torpedo_given(settings: Settings) -> dict[str, Any]:
    """Of 36 throws of two dice those that strike, and those that are duds; whether it runs that far and arms."""
    target, fish = TABLES.vessels[settings["ship"]], COMBAT.torpedoes[settings["type"]]
    sea = Sea(settings["package"], settings["year"])
    words = hit(settings["type"], settings["aspect"], settings["range"], sea, target.tons)
    return {"spread": settings["spread"], "need": target.hits, "strikes": int(36 * (1 - words["miss"])),
            "duds": int(36 * fish.dud(sea.year)) if sea.has("duds") else 0,
            "live": settings["range"] <= fish.range and not words["unarmed"]}


_SHIPS = sorted((v for v in TABLES.vessels.values()), key=lambda v: (v.role is Role.ESCORT, v.hits, v.tons))
TORPEDO = Question(
    "patrol-torpedo", GAME, SAY,
    (
        Choice("type", "Mk14", {t.id: f"{t.name}, {t.nation}" for t in COMBAT.torpedoes.values()}),
        Whole("spread", 3, 0, _SPREAD), Whole("range", 12, 0, 100),
        Choice("aspect", "beam", {a.id: a.text for a in COMBAT.aspects.values()}, True),
        Choice("ship", "tramp", {v.id: f"{v.name}, {v.tons:,} t" for v in _SHIPS}), Whole("year", 1943, 1939, 1945),
        Choice("package", "advanced", {p.id: p.label for p in TABLES.packages.values()}),
    ),
    _torpedo, _launch, inverse="spread", gains=(("spread", 1, "torpedo"), ("range", -5, "nearer")), picture=_run,
    here=_torpedo_here, given=_torpedo_given,
)


_ATTACKS = 20
_WEAPON = Choice("weapon", next(iter(COMBAT.weapons)), {w.id: w.text for w in COMBAT.weapons.values()})
_DEPTH = Whole("depth", 200, 25, DEPTHS[-1], 25)
_HULL = Whole("hull", 10, 1, 12)
_FALL = ("on", "beside", "off")  # controls: how many charges fall on her bow hex, one hex from it, and two
Fall = tuple[int, ...]


@lru_cache(maxsize=1024)
def _left(weapon: str, fall: Fall, depth: int, points: int) -> Dist[int]:
    pattern = [(weapon, distance) for distance, number in enumerate(fall) for _ in range(number)]
    return odds.attack(pattern, depth=depth, points=points)


def _after(weapon: str, fall: Fall, depth: int, points: int) -> list[float]:
    """The chance that a boat is sunk after 1, 2 ... attacks."""
    step = np.zeros((points + 1, points + 1))  # from hull points before to hull points after
    step[0, 0] = 1.0
    for n in range(1, points + 1):
        for left, chance in _left(weapon, fall, depth, n).items():
            step[n, left] = float(chance)
    now, chances = np.eye(points + 1)[points], []
    for _ in range(_ATTACKS):
        now = now @ step
        chances.append(min(1.0, float(now[0])))
    return chances


def _fall(settings: Settings) -> Fall:
    return tuple(settings[key] for key in _FALL)


def _charges(settings: Settings) -> Answer:
    weapon, fall, depth, hull = settings["weapon"], _fall(settings), settings["depth"], settings["hull"]
    attacks, gear = settings["attacks"], COMBAT.weapons[weapon]
    left, one = _left(weapon, fall, depth, hull), _left(weapon, (1,), depth, hull)
    curve = _after(weapon, fall, depth, hull)
    rolls = [("within" if error not in (0, "miss") else str(error), error, p) for error, p in depth_roll().items()]
    played = [each for each in runs.ARMAMENTS if weapon in each.weapons]
    return Answer(
        left[0] if attacks == 1 else curve[attacks - 1],
        (
            Plot("hull-left", tuple(map(str, range(hull + 1))), tuple(float(left[k]) for k in range(hull + 1))),
            Plot("sunk-after", tuple(map(str, range(1, _ATTACKS + 1))), tuple(curve), attacks - 1),
        ),
        (*(["deep"] if depth > gear.deepest else ["table", "one"] if gear.depth_first else ["one"]), "sum"),
        ("fall",),
        ("loss", "one", *(["played"] if played else [])),
        {
            "charges": sum(fall), "attacks": attacks, "hull": hull, "weapon": gear.text, "deepest": gear.deepest,
            "hurts": float(1 - one[hull]), "sinks": 100 * float(one[0]), "loss": float(hull - left.mean),
            "rolls": ", ".join(SAY(f"rolls.{key}", feet=error, p=p) for key, error, p in rolls),
            "played": "; ".join(runs.measured(each) for each in played),
        },
        exactness="exact" if attacks == 1 else "chain",
    )


def _bomb(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Every charge rolled: the depth table, then the damage, and hull points taken one attack after another."""
    hull = settings["hull"]
    tables = [_points(settings["weapon"], distance, settings["depth"]) for distance in range(len(_FALL))]
    left = np.full(n, hull)
    sunk, first = [], None
    for _ in range(_ATTACKS):
        for points, number in zip(tables, _fall(settings), strict=True):
            for _ in range(number):
                left = np.maximum(left - points[_d36(rng, (n,)), _d36(rng, (n,))], 0)
        first = np.bincount(left.astype(np.intp), minlength=hull + 1) if first is None else first
        sunk.append(left == 0)
    done = np.array(sunk)
    return Tally.of(done[settings["attacks"] - 1], first, done.sum(axis=1))


@lru_cache(maxsize=256)
def _points(weapon: str, distance: int, depth: int) -> Ints:
    """Points lost by (depth roll, damage roll), shape (36, 36)."""
    table = np.zeros((36, 36), dtype=np.int64)
    if depth > COMBAT.weapons[weapon].deepest:
        return table
    errors = _cases(depth_roll()) if COMBAT.weapons[weapon].depth_first else [0] * 36
    for row, error in zip(table, errors, strict=True):
        if isinstance(error, int):
            row[:] = _cases(damage_of(weapon, error, distance))
    return table


def _cases(dist: Dist[int] | Dist[int | str]) -> Sequence[int | str]:
    """A distribution of two dice as its 36 equal cases."""
    return [outcome for outcome, p in dist.items() for _ in range(int(36 * p))]


def _losses(weapon: str, distance: int, depth: int) -> list[tuple[int, dict[int, int]]]:
    """For each error in depth, in 36ths how likely it is, and in 36ths the hull points that it costs."""
    if depth > COMBAT.weapons[weapon].deepest:
        return [(36, {0: 36})]
    errors = depth_roll().items() if COMBAT.weapons[weapon].depth_first else [(0, 1)]
    return [(int(36 * p), {0: 36} if not isinstance(error, int) else
             {points: int(36 * each) for points, each in damage_of(weapon, error, distance).items()})
            for error, p in errors]


def _charges_given(settings: Settings) -> dict[str, Any]:
    weapon, depth = settings["weapon"], settings["depth"]
    return {"hull": settings["hull"], "attacks": settings["attacks"],
            "charges": [(number, _losses(weapon, distance, depth)) for distance, number in enumerate(_fall(settings))
                        if number]}


CHARGES = Question(
    "patrol-charges", GAME, SAY,
    (
        _WEAPON, Whole("on", 1, 0, 12), Whole("beside", 2, 0, 12), Whole("off", 0, 0, 12), _DEPTH,
        Whole("attacks", 1, 1, _ATTACKS), _HULL,
    ),
    _charges, _bomb, inverse="attacks", gains=(("on", 1, "charge"), ("attacks", 1, "attack"), ("hull", 1, "hull")),
    picture=_zone, here=_charges_here, given=_charges_given,
)


_depths = lru_cache(maxsize=512)(odds.depth_to_go)


def _dive(settings: Settings) -> Answer:
    boat = TABLES.boats[settings["boat"]]
    hull = min(settings["hull"], boat.hull)
    rows = _depths(boat.id, points=hull, **{key: settings[key] for key in ("distance", "speed", "weapon")})
    hurts = [1 - (1 - row.crush) * (1 - row.found * row.lost) for row in rows]
    at = [row.depth for row in rows].index(settings["depth"])
    row, best = rows[at], min(range(len(rows)), key=lambda i: (hurts[i], rows[i].depth))
    x = tuple(str(each.depth) for each in rows)
    return Answer(
        1 - hurts[at],
        (
            Plot("unhurt", x, tuple(float(1 - p) for p in hurts), at),
            Plot("found", x, tuple(float(r.found) for r in rows), at),
            Plot("crush", x, tuple(float(r.crush) for r in rows), at),
        ),
        ("parts", "product"),
        ("escort", "limit"),
        ("best", "safe" if row.safe else "unsafe"),
        {
            "depth": settings["depth"], "found": row.found, "lost": row.lost, "crush": row.crush,
            "unhurt": 1 - hurts[at],
            "test": boat.test_depth, "best": rows[best].depth, "chance": 100 * float(1 - hurts[best]),
        },
    )


def _lie(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    type_ = TABLES.boats[settings["boat"]]
    hull = min(settings["hull"], type_.hull)
    unhurt, found, crushed = [], [], []
    for depth in DEPTHS[1:]:
        boat = Boat("S1", type_.id, Place(Hex(0, 0), 6), depth, settings["speed"], hull)
        sonar = odds.found(settings["distance"], depth=depth, speed=settings["speed"], duty="hunt")
        heard = _d36(rng, (n,)) < int(36 * sonar)
        hurt = _points(settings["weapon"], 0, depth)[_d36(rng, (n,)), _d36(rng, (n,))] > 0
        sea = np.array(_cases(crush(boat)))[_d36(rng, (n,))] > 0 if below_limit(boat) else np.zeros(n, dtype=bool)
        unhurt.append(~sea & ~(heard & hurt))
        found.append(int(heard.sum()))
        crushed.append(int(sea.sum()))
    kept = np.array(unhurt)
    return Tally.of(kept[DEPTHS[1:].index(settings["depth"])], kept.sum(axis=1), found, crushed)


def _depth_given(settings: Settings) -> dict[str, Any]:
    """How likely she is found and, in 36ths, that the sea hurts her; what a charge on her costs."""
    type_ = TABLES.boats[settings["boat"]]
    boat = Boat("S1", type_.id, Place(Hex(0, 0), 6), settings["depth"], settings["speed"],
                min(settings["hull"], type_.hull))
    pressed = int(36 * sum(p for points, p in crush(boat).items() if points)) if below_limit(boat) else 0
    sonar = odds.found(settings["distance"], depth=settings["depth"], speed=settings["speed"], duty="hunt")
    return {"found": sonar, "crushed": pressed, "damage": _losses(settings["weapon"], 0, settings["depth"])}


DEPTH = Question(
    "patrol-depth", GAME, SAY,
    (
        Choice("boat", "viic", {b.id: f"{b.name}, {b.test_depth} ft" for b in TABLES.boats.values()}), _DEPTH,
        Whole("distance", 10, 1, 30), Whole("speed", 1, 0, 3), _WEAPON, _HULL,
    ),
    _dive, _lie, inverse="depth", gains=(("depth", 1, "deeper"), ("hull", 1, "hull")), picture=_below,
    here=_depth_here, given=_depth_given,
)

QUESTIONS: tuple[Question, ...] = (TORPEDO, CHARGES, DEPTH)
