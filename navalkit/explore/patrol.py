"""The questions about On Patrol: will the torpedoes sink her, will the charges sink the boat, how deep to go?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from navalkit.core.dist import Dist
from navalkit.games.on_patrol import odds
from navalkit.games.on_patrol.combat.attacks import damage as damage_of
from navalkit.games.on_patrol.combat.attacks import depth_roll
from navalkit.games.on_patrol.combat.hull import below_limit, crush
from navalkit.games.on_patrol.combat.torpedoes import hit
from navalkit.games.on_patrol.sea.combat_tables import COMBAT
from navalkit.games.on_patrol.sea.scenario import DEPTHS
from navalkit.games.on_patrol.sea.setting import Sea
from navalkit.games.on_patrol.sea.state import Boat, Role
from navalkit.games.on_patrol.sea.tables import TABLES
from navalkit.grids.hex import Hex, Place

from .controls import Choice, Settings, Whole
from .question import Answer, Plot, Question, Tally

GAME = "on-patrol"
Ints = NDArray[np.int64]
_FLOATS = "exact to twelve decimals: a chain in floating point"


# Torpedoes -----------------------------------------------------------------------------------------------------------

_SPREAD = 10
_KEYS = ("type", "range", "aspect", "ship", "package", "year")


def _hits(settings: Settings, spread: int) -> Dist[int]:
    given = {key: settings[key] for key in _KEYS}
    return odds.torpedo(given.pop("type"), given.pop("range"), given.pop("aspect"), spread, **given)


def _torpedo(settings: Settings) -> Answer:
    spread, target = settings["spread"], TABLES.vessels[settings["ship"]]
    chances = [_hits(settings, k).at_least(target.hits) for k in range(_SPREAD + 1)]
    hits, one = _hits(settings, spread), _hits(settings, 1)[1]
    fish = COMBAT.torpedoes[settings["type"]]
    return Answer(
        chances[spread],
        f"The chance that a spread of {spread} {fish.name} sinks the {target.name}.",
        (
            Plot("hits", f"Hits of {spread} torpedoes", "hits", tuple(map(str, range(spread + 1))),
                 tuple(float(hits[k]) for k in range(spread + 1))),
            Plot("by-spread", f"Chance to sink the {target.name}", "torpedoes", tuple(map(str, range(_SPREAD + 1))),
                 tuple(map(float, chances)), spread),
        ),
        (*_one_torpedo(settings, float(one)), _sum(spread, target.hits, one.numerator, one.denominator)),
        (
            "All the torpedoes reach her, each hits or misses on its own, and she is unhurt.",
            f"{target.tons:,} tons sink at {target.hits} {'hit' if target.hits == 1 else 'hits'} (D1).",
        ),
        facts=(("One torpedo hits and explodes", f"{one.numerator}/{one.denominator}"),
               ("Hits that sink her", str(target.hits)), ("Mean hits", f"{float(hits.mean):.1f}")),
    )  # fmt: skip


def _one_torpedo(settings: Settings, one: float) -> tuple[str, ...]:
    fish, sea = COMBAT.torpedoes[settings["type"]], Sea(settings["package"], settings["year"])
    if settings["range"] > fish.range:
        return (f"{fish.name} run {fish.range} hexes: at {settings['range']} nothing hits.",)
    word = COMBAT.aspects[settings["aspect"]].text[0].lower() + COMBAT.aspects[settings["aspect"]].text[1:]
    lines = [f"One torpedo at {settings['range']} hexes, with a {word}, hits and explodes with {one:.4f} (T3 to T5)."]
    if sea.has("duds"):
        lines.append(f"Duds are in it: {float(fish.dud(sea.year)):.3f} of the hits of {fish.name} in {sea.year}.")
    if sea.has("arming") and settings["range"] < COMBAT.figures["arming"]:
        lines.append(f"It must run {COMBAT.figures['arming']} hexes before it is live.")
    return tuple(lines)


def _sum(spread: int, need: int, p: int, q: int) -> str:
    if spread < need:
        return f"She takes {need} hits, and {spread} torpedoes cannot make them."
    return (
        f"Hits of {spread} are binomial with p = {p}/{q}: the sum of C({spread}, k) p^k (1 − "
        f"p)^({spread} − k) for k from "
        f"{need} to {spread}."
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
    "patrol-torpedo", GAME, "Will the torpedoes sink her?",
    (
        Choice(name="type", label="Torpedo", default="Mk14",
               choices=tuple((t.id, f"{t.name}, {t.nation}") for t in COMBAT.torpedoes.values())),
        Whole(name="spread", label="Spread", default=3, low=0, high=_SPREAD, unit="torpedoes"),
        Whole(name="range", label="Run", default=12, low=0, high=100, unit="hexes", help="A hex is 100 yards."),
        Choice(name="aspect", label="Track", default="beam", ordered=True,
               choices=tuple((a.id, a.text) for a in COMBAT.aspects.values())),
        Choice(name="ship", label="Ship", default="tramp",
               choices=tuple((v.id, f"{v.name}, {v.tons:,} t") for v in _SHIPS)),
        Whole(name="year", label="Year", default=1943, low=1939, high=1945),
        Choice(name="package", label="Rules", default="advanced",
               choices=tuple((p.id, p.label) for p in TABLES.packages.values())),
    ),
    _torpedo, _launch, inverse="spread",
    gains=(("spread", 1, "one more torpedo"), ("range", -5, "five hexes nearer")),
)  # fmt: skip


# Charges -------------------------------------------------------------------------------------------------------------

_ATTACKS = 20
_WEAPON = Choice(
    name="weapon",
    label="Weapon",
    default="depth charge",
    choices=tuple((w.id, w.text) for w in COMBAT.weapons.values()),
)
_DEPTH = Whole(name="depth", label="Depth", default=200, low=25, high=DEPTHS[-1], step=25, unit="ft")
_HULL = Whole(name="hull", label="Hull points left", default=10, low=1, high=12)


@lru_cache(maxsize=1024)
def _left(weapon: str, distance: int, charges: int, depth: int, points: int) -> Dist[int]:
    return odds.attack([(weapon, distance)] * charges, depth=depth, points=points)


def _after(weapon: str, distance: int, charges: int, depth: int, points: int) -> list[float]:
    """The chance that a boat is sunk after 1, 2 ... attacks."""
    step = np.zeros((points + 1, points + 1))  # from so many hull points to so many
    step[0, 0] = 1.0
    for n in range(1, points + 1):
        for left, chance in _left(weapon, distance, charges, depth, n).items():
            step[n, left] = float(chance)
    now, chances = np.eye(points + 1)[points], []
    for _ in range(_ATTACKS):
        now = now @ step
        chances.append(min(1.0, float(now[0])))
    return chances


def _charges(settings: Settings) -> Answer:
    weapon, distance, depth, hull = (settings[key] for key in ("weapon", "distance", "depth", "hull"))
    number, attacks = settings["charges"], settings["attacks"]
    left = _left(weapon, distance, number, depth, hull)
    curve = _after(weapon, distance, number, depth, hull)
    text = COMBAT.weapons[weapon].text
    one = _left(weapon, distance, 1, depth, hull)
    how = [f"One charge costs hull points with {float(1 - one[hull]):.4f} (A2)."]
    if depth > COMBAT.weapons[weapon].deepest:
        how = [f"{text}: it does nothing below {COMBAT.weapons[weapon].deepest} ft."]
    elif COMBAT.weapons[weapon].depth_first:
        how.insert(0, f"Each charge: the depth table first ({_depth_words()}), then the damage by two dice (105.4.12).")
    how.append(
        f"The losses of {number} charges add up; {attacks} attacks are as many steps of a chain over {hull} points."
    )
    return Answer(
        left[0] if attacks == 1 else curve[attacks - 1],
        f"The chance that the boat is sunk within {attacks} {'attack' if attacks == 1 else 'attacks'} of {number} "
        f"{'charge' if number == 1 else 'charges'}.",
        (
            Plot("hull-left", "Hull points left after one attack", "hull points", tuple(map(str, range(hull + 1))),
                 tuple(float(left[k]) for k in range(hull + 1))),
            Plot("sunk-after", "Chance that the boat is sunk by attack", "attacks",
                 tuple(map(str, range(1, _ATTACKS + 1))), tuple(curve), attacks - 1),
        ),
        tuple(how),
        ("The boat stays at her depth, and all charges fall at the same distance from her bow hex.",),
        exactness="exact" if attacks == 1 else _FLOATS,
        facts=(("Mean loss of one attack", f"{float(hull - left.mean):.2f} points"),
               ("One charge sinks her", f"{100 * float(one[0]):.2f} %")),
    )  # fmt: skip


def _depth_words() -> str:
    words = {"miss": "too far off", 0: "at her depth"}
    return ", ".join(
        f"{words.get(error, f'within {error} ft')} {p.numerator}/{p.denominator}" for error, p in depth_roll().items()
    )


def _bomb(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Every charge rolled: the depth table, then the damage, and hull points taken one attack after another."""
    weapon, distance, depth, hull = (settings[key] for key in ("weapon", "distance", "depth", "hull"))
    points = _points(weapon, distance, depth)
    left = np.full(n, hull)
    sunk, first = [], None
    for _ in range(_ATTACKS):
        for _ in range(settings["charges"]):
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
    "patrol-charges", GAME, "Will the attack sink the boat?",
    (
        _WEAPON, Whole(name="distance", label="Distance from her bow", default=0, low=0, high=2, unit="hexes"), _DEPTH,
        Whole(name="charges", label="Charges in an attack", default=6, low=1, high=12),
        Whole(name="attacks", label="Attacks", default=1, low=1, high=_ATTACKS), _HULL,
    ),
    _charges, _bomb, inverse="attacks",
    gains=(("charges", 1, "one more charge"), ("attacks", 1, "one more attack"), ("hull", 1, "one more hull point")),
)  # fmt: skip


# How deep? -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _depths(type: str, hull: int, distance: int, speed: int, weapon: str) -> tuple[odds.Depth, ...]:
    return odds.depth_to_go(type, points=hull, distance=distance, speed=speed, weapon=weapon)


def _dive(settings: Settings) -> Answer:
    boat = TABLES.boats[settings["boat"]]
    hull = min(settings["hull"], boat.hull)
    rows = _depths(boat.id, hull, settings["distance"], settings["speed"], settings["weapon"])
    hurts = [1 - (1 - row.crush) * (1 - row.found * row.lost) for row in rows]
    at = [row.depth for row in rows].index(settings["depth"])
    row, best = rows[at], min(range(len(rows)), key=lambda i: (hurts[i], rows[i].depth))
    x = tuple(str(each.depth) for each in rows)
    return Answer(
        1 - hurts[at],
        f"The chance that the boat, at {settings['depth']} ft, comes through a turn unhurt.",
        (
            Plot("unhurt", "Chance to come through unhurt, by depth", "feet", x,
                 tuple(float(1 - p) for p in hurts), at),
            Plot("found", "Chance that the sonar finds her, by depth", "feet", x,
                 tuple(float(r.found) for r in rows), at),
            Plot("crush", "Chance that the sea takes hull points, by depth", "feet", x,
                 tuple(float(r.crush) for r in rows), at),
        ),
        (
            f"Found by the sonar: {row.found} (S1). Hurt then by one charge on her bow hex: {row.lost} (A2). "
            f"Hurt by the sea at this depth: {row.crush} (H2).",
            f"Unhurt = (1 − {row.crush}) × (1 − {row.found} × {row.lost}) = {1 - hurts[at]}.",
        ),
        (
            "One escort with her contact, the boat right ahead of her; if she finds her, one charge "
            "falls on her bow hex.",
            f"Her limit is reckoned from {boat.test_depth} ft test depth and the hull points she has left.",
        ),
        facts=(("Best depth here", f"{rows[best].depth} ft ({100 * float(1 - hurts[best]):.1f} %)"),
               ("Within her limit", "yes" if row.safe else "no")),
    )  # fmt: skip


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
    "patrol-depth", GAME, "How deep should the boat go?",
    (
        Choice(name="boat", label="Boat", default="viic",
               choices=tuple((b.id, f"{b.name}, {b.test_depth} ft") for b in TABLES.boats.values())),
        _DEPTH, Whole(name="distance", label="Distance of the escort", default=10, low=1, high=30, unit="hexes"),
        Whole(name="speed", label="Speed of the boat", default=1, low=0, high=3, unit="hexes"),
        _WEAPON, _HULL,
    ),
    _dive, _lie, inverse="depth", gains=(("depth", 1, "25 ft deeper"), ("hull", 1, "one more hull point")),
)  # fmt: skip

QUESTIONS: tuple[Question, ...] = (TORPEDO, CHARGES, DEPTH)
