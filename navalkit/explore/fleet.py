"""The questions about Fleet Action: what a broadside does, who is sunk when, torpedoes, and a duel."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from navalkit.core.dist import Dist
from navalkit.games.fleet_action import odds
from navalkit.games.fleet_action.cards import TABLES, ShipCard, Torpedo, ship
from navalkit.games.fleet_action.rules.salvos import AGAIN, ASPECTS, FAR, NEAR, bearing_guns

from .bins import binned
from .controls import Choice, Settings, Whole
from .question import Answer, Plot, Question, Tally

GAME = "fleet-action"
Row = NDArray[np.float64]
_FLEET = sorted(TABLES.ships.values(), key=lambda card: (card.sinking_rate, card.name))
GUNNED = [card for card in _FLEET if card.mounts]
BEARINGS = ("ahead", "starboard bow", "starboard beam", "starboard quarter", "astern", "port quarter", "port beam",
             "port bow")  # fmt: skip
_FEW = 2  # moves for which the chance is reckoned in fractions
MOVES = 20
_FLOATS = "exact to twelve decimals: convolved in floating point"


def ship_choice(name: str, label: str, default: str, cards: list[ShipCard], ordered: bool = False) -> Choice:
    """A menu of ships, in order of their sinking rates; ``ordered`` if that order is what matters."""
    choices = tuple((card.name, f"{card.name}, {card.type}, {card.sinking_rate}") for card in cards)
    return Choice(name=name, label=label, default=default, choices=choices, ordered=ordered,
                  help="In order of the damage she can take." if ordered else "")  # fmt: skip


_DAMAGE = Whole(name="damage", label="Damage she has already", default=0, low=0, high=95, step=5, unit="%")


def _points(settings: Settings, target: ShipCard) -> int:
    """Damage points that a percentage of her sinking rate makes."""
    return int(target.sinking_rate * settings["damage"] // 100)


# A broadside, and steady fire ----------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def fire_of(attacker: str, range: int, bearing: int, quarters: int) -> Dist[int]:
    """Damage of a ship's broadside after so many full quarters of damage; ``bearing`` in eighth-turns."""
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


def _broadside(settings: Settings) -> Answer:
    target, attacker, moves = ship(settings["target"]), ship(settings["attacker"]), settings["moves"]
    bearing, gone = BEARINGS.index(settings["bearing"]), settings["guns_lost"]
    fire = fire_of(attacker.name, settings["range"], bearing, gone)
    enough = target.sinking_rate + 1 - _points(settings, target)
    by_move = _steady(row_of(fire), enough, MOVES)
    few = (moves @ fire).at_least(enough) if moves <= _FEW else None
    guns = bearing_guns(attacker.mounts, odds.guns_left(attacker, gone, settings["range"], bearing), bearing)
    names, heights = binned({points: float(p) for points, p in fire.items()})
    return Answer(
        by_move[moves - 1] if few is None else few,
        f"The chance that {attacker.name} sinks {target.name} within {_moves(moves)}.",
        (
            Plot("damage", f"Damage of one broadside of {attacker.name}", "points", names, heights),
            Plot("sunk-by", f"Chance that {target.name} is sunk by move", "move",
                 tuple(map(str, range(1, MOVES + 1))), tuple(by_move), moves - 1),
        ),
        (
            *(_how(name, number, settings["range"]) for name, number in guns.items()),
            f"The damage of {_moves(moves)} is the sum of as many independent broadsides: each distribution convolved "
            f"with the next. {target.name} sinks at {enough} points more (rule F19).",
        ),
        (
            "Range and bearing stay as they are, all fire is at her, and she does not fire back.",
            "Guns lost are those that cost least (rule F20).",
        ),
        exactness="exact" if few is not None else _FLOATS,
        facts=(
            ("Guns that bear", ", ".join(f"{n} × {name}" for name, n in guns.items()) or "none"),
            ("Mean damage of a broadside", f"{float(fire.mean):.1f} points (sd {fire.sd:.1f})"),
            ("Points to sink her", str(enough)),
        ),
    )  # fmt: skip


def _moves(moves: int) -> str:
    return "1 move" if moves == 1 else f"{moves} moves"


def _how(name: str, number: int, range: int) -> str:
    gun = TABLES.guns[name]
    if range > gun.range:
        return f"{number} × {name}: out of range ({gun.range} squares)."
    first = "6" if range == gun.range else "5 or 6"
    again = f", {number * (gun.firings - 1)} more dice that hit on 4, 5 or 6" if gun.firings > 1 else ""
    dice = "1 die that hits" if number == 1 else f"{number} dice that hit"
    return f"{number} × {name}: {dice} on {first}{again}; {gun.damage} points a hit."


def _roll(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Every die of every gun, thrown: independent of the convolutions above."""
    target, attacker, moves, range_ = (
        ship(settings["target"]), ship(settings["attacker"]), settings["moves"], settings["range"]
    )  # fmt: skip
    bearing = BEARINGS.index(settings["bearing"])
    guns = bearing_guns(attacker.mounts, odds.guns_left(attacker, settings["guns_lost"], range_, bearing), bearing)
    damage = np.zeros((n, MOVES), dtype=np.int64)
    for name, number in guns.items():
        gun = TABLES.guns[name]
        if range_ <= gun.range and number:
            needs = [NEAR if range_ < gun.range else FAR] + [AGAIN] * (gun.firings - 1)
            for need in needs:
                damage += gun.damage * (rng.integers(1, 7, (n, MOVES, number), dtype=np.int8) >= need).sum(axis=2)
    sunk = damage.cumsum(axis=1) >= target.sinking_rate + 1 - _points(settings, target)
    fire = fire_of(attacker.name, range_, bearing, settings["guns_lost"])
    return Tally.of(sunk[:, moves - 1], _counts(fire, damage[:, 0]), sunk.sum(axis=0))


def _counts(exact: Dist[int], damage: NDArray[np.int64]) -> list[float]:
    """How many of those damages fall to each bar of the exact distribution."""
    found = dict(zip(*(a.tolist() for a in np.unique(damage, return_counts=True)), strict=True))
    return list(binned({points: float(found.get(points, 0)) for points in exact})[1])


BROADSIDE = Question(
    "fleet-broadside", GAME, "How soon does steady fire sink her?",
    (
        ship_choice("attacker", "Attacker", "Exeter", GUNNED),
        ship_choice("target", "Target", "Admiral Graf Spee", _FLEET, True),
        Whole(name="range", label="Range", default=4, low=0, high=9, unit="squares"),
        Choice(name="bearing", label="Target bears", default="starboard beam", ordered=True,
               choices=tuple((word, word) for word in BEARINGS)),
        Whole(name="guns_lost", label="Main guns lost", default=0, low=0, high=4, unit="quarters"),
        _DAMAGE,
        Whole(name="moves", label="Moves", default=12, low=1, high=MOVES),
    ),
    _broadside, _roll, inverse="moves",
    gains=(
        ("moves", 1, "one more move"), ("guns_lost", -1, "a quarter of the main guns more"),
        ("range", -1, "a square nearer"),
    ),
)  # fmt: skip


# A salvo: how many guns? ---------------------------------------------------------------------------------------------

_GUNS = 24


def _salvo(settings: Settings) -> Answer:
    gun, number, range_, points = TABLES.guns[settings["gun"]], settings["guns"], settings["range"], settings["points"]
    dists = [odds.salvo(gun, k, range_) for k in range(_GUNS + 1)]
    names, heights = binned({p: float(chance) for p, chance in dists[number].items()})
    return Answer(
        dists[number].at_least(points),
        f"The chance that {number} × {gun.name} do {points} points or more in one move.",
        (
            Plot("damage", f"Damage of {number} × {gun.name}", "points", names, heights),
            Plot("by-guns", f"Chance of {points} points or more", "guns", tuple(map(str, range(_GUNS + 1))),
                 tuple(float(dist.at_least(points)) for dist in dists), number),
        ),
        (
            _how(gun.name, number, range_),
            "The weight of k hits of n dice that hit on d or more is C(n, k) (7 − d)^k (d − 1)^(n − k) in 6^n.",
        ),
        ("All of them bear, and fire at one target.",),
        facts=(("Mean damage", f"{float(dists[number].mean):.1f} points"),),
    )  # fmt: skip


def _throw(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    gun, number, range_, points = TABLES.guns[settings["gun"]], settings["guns"], settings["range"], settings["points"]
    needs = [NEAR if range_ < gun.range else FAR] + [AGAIN] * (gun.firings - 1) if range_ <= gun.range else []
    damage = np.zeros((n, _GUNS + 1), dtype=np.int64)  # of the first k guns
    for need in needs:
        damage[:, 1:] += gun.damage * (rng.integers(1, 7, (n, _GUNS)) >= need).cumsum(axis=1)
    done = damage >= points
    return Tally.of(done[:, number], _counts(odds.salvo(gun, number, range_), damage[:, number]), done.sum(axis=0))


SALVO = Question(
    "fleet-salvo", GAME, "How many guns does it take?",
    (
        Choice(name="gun", label="Gun", default="8in Mk VIII", ordered=True,
               choices=tuple((g.name, f"{g.name}, {g.damage} a hit") for g in reversed(list(TABLES.guns.values())))),
        Whole(name="guns", label="Guns", default=6, low=0, high=_GUNS),
        Whole(name="range", label="Range", default=4, low=0, high=9, unit="squares"),
        Whole(name="points", label="Damage wanted", default=20, low=1, high=200, unit="points"),
    ),
    _salvo, _throw, inverse="guns", gains=(("guns", 1, "one more gun"), ("range", -1, "a square nearer")),
)  # fmt: skip


# Torpedoes -----------------------------------------------------------------------------------------------------------

_TUBES = 16


def _set(settings: Settings, tubes: int) -> Dist[int]:
    fish: Torpedo = TABLES.torpedoes[settings["torpedo"]]
    return odds.torpedoes(fish, tubes if settings["range"] <= fish.range else 0, settings["aspect"])


def _torpedoes(settings: Settings) -> Answer:
    target, tubes, fish = ship(settings["target"]), settings["tubes"], TABLES.torpedoes[settings["torpedo"]]
    damage = _points(settings, target)
    chances = [odds.sink_chance(target, damage, _set(settings, k)) for k in range(_TUBES + 1)]
    hits = _set(settings, tubes)
    need, enough = ASPECTS[settings["aspect"]], target.sinking_rate + 1 - damage
    ways = 7 - need
    return Answer(
        chances[tubes],
        f"The chance that a set of {tubes} {fish.name} sinks {target.name} at once.",
        (
            Plot("hits", f"Hits of {tubes} torpedoes", "hits", tuple(map(str, range(tubes + 1))),
                 tuple(float(hits[k * fish.damage]) for k in range(tubes + 1))),
            Plot("by-tubes", f"Chance to sink {target.name}", "tubes", tuple(map(str, range(_TUBES + 1))),
                 tuple(map(float, chances)), tubes),
        ),
        (
            f"Each torpedo hits on {' or '.join(map(str, range(need, 7)))}: {ways} of 6 cases. "
            f"The weight of k hits of {tubes} is C({tubes}, k) {ways}^k {6 - ways}^({tubes} − k) in 6^{tubes}.",
            f"A hit does {fish.damage} points; {target.name} sinks at {enough}: at "
            f"{-(-enough // fish.damage)} hits (F19).",
        ),
        (
            f"The whole set runs at her; beyond its {fish.range} squares nothing hits." ,
            "No guns fire at her in this move.",
        ),
        facts=(("Hits that sink her", str(-(-enough // fish.damage))),
               ("Mean hits", f"{float(hits.mean / fish.damage):.1f}")),
    )  # fmt: skip


def _launch(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    target, tubes, fish = ship(settings["target"]), settings["tubes"], TABLES.torpedoes[settings["torpedo"]]
    struck = rng.integers(1, 7, (n, _TUBES)) >= ASPECTS[settings["aspect"]]
    if settings["range"] > fish.range:
        struck[:] = False
    hits = np.concatenate([np.zeros((n, 1), dtype=np.int64), struck.cumsum(axis=1)], axis=1)
    sunk = hits * fish.damage > target.sinking_rate - _points(settings, target)
    return Tally.of(sunk[:, tubes], np.bincount(hits[:, tubes].astype(np.intp), minlength=tubes + 1), sunk.sum(axis=0))


TORPEDOES = Question(
    "fleet-torpedoes", GAME, "How many torpedoes sink her?",
    (
        Choice(name="torpedo", label="Torpedo", default="Type 93",
               choices=tuple((t.name, f"{t.name}, {t.damage} a hit") for t in TABLES.torpedoes.values())),
        Whole(name="tubes", label="Tubes", default=8, low=0, high=_TUBES),
        Choice(name="aspect", label="She shows", default="beam", ordered=True,
               choices=tuple((word, f"her {word}, hit on {need} or more") for word, need in ASPECTS.items())),
        Whole(name="range", label="Range", default=2, low=0, high=9, unit="squares"),
        ship_choice("target", "Target", "Kongo", _FLEET, True), _DAMAGE,
    ),
    _torpedoes, _launch, inverse="tubes", gains=(("tubes", 1, "one more torpedo"),),
)  # fmt: skip

QUESTIONS: tuple[Question, ...] = (BROADSIDE, SALVO, TORPEDOES)
