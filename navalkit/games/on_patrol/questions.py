"""The explorer's questions: will the torpedoes sink her, will the charges sink the boat, how deep to go?"""

from __future__ import annotations
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from navalkit.core.dist import Dist
from navalkit.core.words import Words
from navalkit.explore.question import Answer, Choice, Plot, Question, Settings, Tally, Whole
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from . import odds
from .combat.damage import below_limit, crush
from .combat.rolls import damage_of, depth_roll
from .combat.torpedoes import hit
from .odds import runs
from .sea.combat_tables import COMBAT
from .sea.scenario import DEPTHS
from .sea.state import Boat, Role
from .sea.tables import TABLES, Sea

GAME = "on-patrol"
Ints = NDArray[np.int64]
SAY = Words.load("navalkit.games.on_patrol", "questions.toml")


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
    _torpedo, _launch, inverse="spread", gains=(("spread", 1, "torpedo"), ("range", -5, "nearer")),
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


CHARGES = Question(
    "patrol-charges", GAME, SAY,
    (
        _WEAPON, Whole("on", 1, 0, 12), Whole("beside", 2, 0, 12), Whole("off", 0, 0, 12), _DEPTH,
        Whole("attacks", 1, 1, _ATTACKS), _HULL,
    ),
    _charges, _bomb, inverse="attacks", gains=(("on", 1, "charge"), ("attacks", 1, "attack"), ("hull", 1, "hull")),
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


DEPTH = Question(
    "patrol-depth", GAME, SAY,
    (
        Choice("boat", "viic", {b.id: f"{b.name}, {b.test_depth} ft" for b in TABLES.boats.values()}), _DEPTH,
        Whole("distance", 10, 1, 30), Whole("speed", 1, 0, 3), _WEAPON, _HULL,
    ),
    _dive, _lie, inverse="depth", gains=(("depth", 1, "deeper"), ("hull", 1, "hull")),
)

QUESTIONS: tuple[Question, ...] = (TORPEDO, CHARGES, DEPTH)
