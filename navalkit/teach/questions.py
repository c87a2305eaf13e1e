"""Questions that lessons ask of the library and no single function answers: thin, for formulas and for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, erf, exp, factorial, sqrt
from typing import Any

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError, OptionError
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.grids.hex import Hex, Place, any_heading, opposite, shortest_path
from navalkit.prob import placements
from navalkit.prob.placements import ShipClass, Waters

from .tables import SAY

Number = int | float | Fraction
_MOST_TRIES = 10_000

# -- distributions -----------------------------------------------------------------------------------


def mean(dist: Dist[Any]) -> Fraction:
    """The mean of a distribution."""
    return dist.mean


def deviation(dist: Dist[Any]) -> float:
    """The standard deviation of a distribution."""
    return dist.sd


def at_most(dist: Dist[Any], most: Number) -> Fraction:
    """The chance of ``most`` or less."""
    return dist.cdf(most)


def or_more(dist: Dist[Any], least: Number) -> Fraction:
    """The chance of ``least`` or more."""
    return dist.at_least(least)


def dice(chances: Sequence[Number], worth: int = 1) -> Dist[int]:
    """What dice are worth together, each worth ``worth`` with its own chance, else nothing."""
    exact = [chance if isinstance(chance, Fraction) else Fraction(chance) for chance in chances]
    one = {chance: Dist({0: 1 - chance, worth: chance}) for chance in exact}
    total: Dist[int] = Dist.point(0)
    for chance in exact:
        total = total + one[chance]
    return total


def binomial(n: int, chance: Number) -> Dist[int]:
    """How many of ``n`` independent tries succeed, each with the same chance.

    Parameters
    ----------
    n : int
        0 to 10,000.
    chance : int, Fraction or float
        0 to 1.

    Raises
    ------
    DataError
        If one is out of range.
    """
    if type(n) is not int or not 0 <= n <= _MOST_TRIES or not 0 <= chance <= 1:
        raise DataError(SAY("formula.binomial", most=_MOST_TRIES))
    p = Fraction(chance)
    hit, miss, of = p.numerator, p.denominator - p.numerator, range(n + 1)
    return Dist({k: comb(n, k) * hit**k * miss ** (n - k) for k in of})


def poisson(k: int, mean: Number) -> float:
    """The chance of ``k`` events where ``mean`` are expected."""
    return exp(-mean) * float(mean) ** k / factorial(k)


def normal(z: Number) -> float:
    """The share of a normal distribution up to ``z`` standard deviations above its mean."""
    return (1 + erf(z / sqrt(2))) / 2


def first_at(chance: Number, k: int) -> Number:
    """The chance that the first success comes at try ``k``: the geometric distribution."""
    return (1 - chance) ** (k - 1) * chance


# -- words -------------------------------------------------------------------------------------------


def counted(n: int, one: str, many: str = "") -> str:
    """A number with its noun: "three dice"."""
    words = SAY("formula.counts").split()
    return f"{words[n] if 0 <= n < len(words) else f'{n:,}'} {one if n == 1 else many or one + 's'}"


def cards_named(codes: str) -> str:
    """Cards in words: "5H KS" is "the five of hearts and the king of spades"."""
    from navalkit.games.uss_lox.rules.cards import as_card, name

    words = [f"the {name(as_card(code))}" for code in codes.split()]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


# -- USS Lox -----------------------------------------------------------------------------------------


def torpedoes_for(ship: str, chance: float, seen: str = "") -> int:
    """The fewest torpedoes, 0 to 3, that sink a ship with at least this chance; OptionError if three are too few."""
    from navalkit.games.uss_lox.odds import sink

    for torpedoes in range(4):
        if sink(ship, torpedoes, seen=seen) >= chance:
            return torpedoes
    raise OptionError(SAY("formula.three_few", ship=ship, chance=chance))


def worth_going_on(left: int, tons: Number, sink: Number, lost: Number, worth: Number) -> Number:
    """The value of the best way to end a patrol that may stop before every encounter, by dynamic programming.

    Parameters
    ----------
    left : int
        Encounters still possible, 0 or more.
    tons : number
        Sunk so far. They count only if the boat comes home.
    sink, lost : number
        Chances that one encounter sinks a ship, and that it loses the boat; else nothing happens.
    worth : number
        Tons of a ship.
    """
    if left == 0:
        return tons
    return max(tons, _sail(left, tons, sink, lost, worth))


def _sail(left: int, tons: Number, sink: Number, lost: Number, worth: Number) -> Number:
    won = worth_going_on(left - 1, tons + worth, sink, lost, worth)
    return sink * won + (1 - sink - lost) * worth_going_on(left - 1, tons, sink, lost, worth)


def always_sails_on(left: int, tons: Number, sink: Number, lost: Number, worth: Number) -> Number:
    """The mean tonnage of a captain who never turns home early; parameters as for `worth_going_on`."""
    if left == 0:
        return tons
    won = always_sails_on(left - 1, tons + worth, sink, lost, worth)
    return sink * won + (1 - sink - lost) * always_sails_on(left - 1, tons, sink, lost, worth)


def turns_home_at(left: int, sink: Number, lost: Number, worth: Number) -> Number:
    """The fewest tons, in whole ships, with which to turn home rather than risk another of ``left`` encounters."""
    tons: Number = 0
    while _sail(left, tons, sink, lost, worth) > tons:
        tons += worth
    return tons


def best_patrol(loss_weight: float = 1.0) -> float:
    """Mean tonnage, in thousands of tons, of a patrol of the basic USS Lox played as well as can be.

    Parameters
    ----------
    loss_weight : float
        What a ton counts when the boat is lost, 0 to 1.
    """
    best = _best(loss_weight)
    return float(best.start(0, best.game.supply_size)[0])


def tons_to_come(ocean: int, torpedoes: int) -> float:
    """Mean thousands of tons still to come in the basic USS Lox played as well as can be.

    Parameters
    ----------
    ocean, torpedoes : int
        Ocean cards and torpedoes that are left.
    """
    best = _best(1.0)
    return float(best.flip[0, ocean, torpedoes, 0] @ best.weights)


@lru_cache(maxsize=4)
def _best(loss_weight: float) -> Any:
    from navalkit.games.uss_lox import UssLox
    from navalkit.games.uss_lox.bots.solve import Aim, Solution

    return Solution(UssLox(), Aim.of("tonnage", loss_weight))


@lru_cache(maxsize=16)
def _patrols(policy: str, n: int, seed: int) -> tuple[float, float]:
    from navalkit.games.uss_lox import simulate

    average, error = simulate(policy, n, seed).mean("tonnage")
    return average, error


def patrols_mean(policy: str, n: int, seed: int) -> float:
    """Mean tonnage of ``n`` simulated patrols; the same seed gives the same patrols."""
    return _patrols(policy, n, seed)[0]


def patrols_error(policy: str, n: int, seed: int) -> float:
    """Its standard error."""
    return _patrols(policy, n, seed)[1]


def share_of_hits(ship: str, torpedoes: int, n: int, seed: int) -> Fraction:
    """The share of ``n`` salvoes, drawn at random from a fresh pack without the ship, that sink her."""
    import numpy as np

    from navalkit.games.uss_lox import cards, cribbage

    target = cards.as_card(ship)
    rng, pool = np.random.default_rng(seed), [card for card in cards.PACK if card != target]
    salvoes = (rng.choice(pool, torpedoes, replace=False).tolist() for _ in range(n))
    return Fraction(sum(cribbage.is_hit(target, salvo) for salvo in salvoes), n)


# -- Task Force --------------------------------------------------------------------------------------


def fleets(rows: int, columns: int, lengths: Sequence[int], ship: str = "", water: str = "") -> int:
    """How many ways ships of these lengths can lie on a map, none touching another along an edge (rules T1b, T1c).

    Parameters
    ----------
    rows, columns : int
    lengths : sequence of int
        2 to 7 each.
    ship, water : str
        Squares known to hold a ship, and none, such as "A1 B2".
    """
    classes = tuple(ShipClass(f"length {n}", n, list(lengths).count(n)) for n in sorted(set(lengths), reverse=True))
    waters = Waters(rows, columns, classes)
    known = [[waters.grid.number(label) for label in text.split()] for text in (ship, water)]
    return placements.count(waters, *known)


def squares(rows: int, columns: int) -> list[str]:
    """The names of the squares of a map."""
    return [f"{chr(65 + column)}{row + 1}" for row in range(rows) for column in range(columns)]


def map_of(text: str, **options: Any) -> Any:
    """A map of Task Force as it is seen: its `Observation`, from a text such as "x.-/.../...".

    Parameters
    ----------
    text : str
        As `task_force.rules.state.Observation.parse` reads it.
    **options
        Of `task_force.rules.sea.sea`: rows, columns, deep, fleet, submarines, missiles.
    """
    from navalkit.games.task_force.rules.sea import sea
    from navalkit.games.task_force.rules.state import Observation

    return Observation.parse(text, sea(**options))


def _posterior(text: str, options: dict[str, Any]) -> tuple[Any, Any]:
    from navalkit.games.task_force.odds import posterior

    seen = map_of(text, **options)
    return seen, posterior(seen)


def likeliest(text: str, **options: Any) -> str:
    """The unscratched square of a map that most likely hides an enemy ship; the first of equals.

    Parameters
    ----------
    text : str
        The map, as `task_force.rules.state.Observation.parse` reads it.
    **options
        Of `task_force.rules.sea.sea`: rows, columns, deep, fleet, submarines, missiles.
    """
    seen, odds = _posterior(text, options)
    best = max(seen.squares("."), key=lambda square: (round(odds.hit.flat[square], 9), -square))
    return str(seen.sea.grid.names[best])


def chance_at(square: str, what: str, text: str, **options: Any) -> float:
    """The probability that a square holds "hit", "missile", "submarine" or "empty"; the rest as in `likeliest`."""
    seen, odds = _posterior(text, options)
    chances = odds.of(seen.sea.grid.number(square))
    if what not in chances:
        raise DataError(SAY("formula.square", names=", ".join(chances), name=repr(what)))
    return float(chances[what])


# -- Wolf Pack ---------------------------------------------------------------------------------------


LESSON_DECK = "periscope=12 torpedo=14 transport=14"
"""The deck of the lessons, the same whatever the default deck becomes."""


def wolf_pack(seed: int, orders: Sequence[str], side: int) -> Any:
    """What one side sees of a game of Wolf Pack after these orders: its `Observation`."""
    match = Match.new(load("wolf-pack", deck=LESSON_DECK), seed=seed)
    for order in orders:
        match.play(order)
    return match.observe(side)


def unseen(card: str, observation: Any) -> int:
    """How many cards of a kind are unseen: in the deck or, unknown, in the opponent's hand."""
    from navalkit.games.wolf_pack.rules.cards import parse

    return int(observation.unseen[parse(card)])


# -- On Patrol ---------------------------------------------------------------------------------------


def escorts_to_move(match: Match) -> Any:
    """The state of a match of On Patrol at which escorts were about to move for the first time."""
    return next(state for state in map(match.at, range(1, match.ply)) if state.phase.name == "ESCORTS")


def mode_after(events: Sequence[str], count: int = 0) -> str:
    """The escorts' mode ("mode 3") after events of the Submarine Detection Table, or after the first ``count``."""
    from navalkit.games.on_patrol.sea.tables import TABLES

    markers = [TABLES.detected(event).marker for event in events[: count or None]]
    last = next(marker for marker in reversed(markers) if marker)
    return f"mode {TABLES.actions[last].mode}"


def radial_at(position: str) -> str:
    """The radial ("radial 3") that the escort of a ready-made position makes for."""
    from navalkit.games.on_patrol.escort.positions import find

    radial = find(position).decision.radial
    if radial is None:
        raise DataError(SAY("formula.no_radial", position=repr(position)))
    return f"radial {radial.direction}"


def turned(radial: str, by: int) -> str:
    """The radial that lies ``by`` times sixty degrees to starboard of another."""
    return f"radial {(int(radial.split()[1]) - 1 + by) % 6 + 1}"


def courses_after(dice: int) -> Dist[int]:
    """How far the convoy has turned after rolls on the first row of the Fleet Movement Table, in sixty degrees."""
    from navalkit.games.on_patrol.sea.tables import TABLES

    turn = Dist.uniform(move.before + move.after for move in TABLES.fleet["slow 1"])
    total: Dist[int] = dice @ turn
    return total


def rows_that_fit(table: str, count: int) -> int:
    """In how many cases exactly ``count`` rows of a decision table fit.

    Parameters
    ----------
    table : str
        Rows such as "yy-- --ny": y for yes, n for no, - for a condition that does not matter.
    count : int
    """
    rows = table.split()
    fits = (sum(all(r in ("-", c) for r, c in zip(row, case, strict=True)) for row in rows) for case in
            product("yn", repeat=len(rows[0])))  # fmt: skip
    return sum(fit == count for fit in fits)


def table_shown(table: str, heads: Sequence[str], results: Sequence[int]) -> str:
    """A decision table in Markdown, its rows as for `rows_that_fit`, with what each sets."""
    words = {"y": "yes", "n": "no", "-": "–"}
    lines = [["row", *heads], ["---:", *["---"] * (len(heads) - 1), "---:"]]
    for number, (row, result) in enumerate(zip(table.split(), results, strict=True), 1):
        lines.append([str(number), *(words[each] for each in row), str(result)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# -- hexes -------------------------------------------------------------------------------------------


def axial(label: str) -> list[int]:
    """The axial coordinates [q, r] of a hex."""
    return list(Hex.parse(label))


def hex_distance(q1: int, r1: int, q2: int, r2: int) -> int:
    """Hexes from one to another, both in axial coordinates."""
    return Hex(q1, r1).distance(Hex(q2, r2))


def square_distance(q1: int, r1: int, q2: int, r2: int) -> int:
    """What a king on a chessboard would need: no distance of hexes, but a mistake to expect."""
    return max(abs(q1 - q2), abs(r1 - r2))


def street_distance(q1: int, r1: int, q2: int, r2: int) -> int:
    """What it would be along streets: another mistake to expect."""
    return abs(q1 - q2) + abs(r1 - r2)


def hexes_apart(a: str, b: str) -> int:
    """Hexes from one to another, by their labels."""
    return Hex.parse(a).distance(Hex.parse(b))


def hex_ring(label: str, radius: int) -> list[str]:
    """The labels of the hexes at a distance."""
    return [h.label for h in Hex.parse(label).ring(radius)]


def neighbours_otherwise(label: str, count: int = 6) -> list[str]:
    """A hex's neighbours if the other columns lay lower, or the four that a square would have: mistakes to expect."""
    here = Hex.parse(label)
    beside = [Hex.at(here.column + by, here.row) for by in (-1, 1)]
    plain = [here.step(6), here.step(3), *beside]
    others = [h.step(6 if here.column % 2 == 0 else 3) for h in beside]
    return [h.label for h in (plain if count == 4 else [*plain, *others])]


def hex_line(a: str, b: str) -> list[str]:
    """The labels of the hexes of a straight line, both ends included."""
    return [h.label for h in Hex.parse(a).line(Hex.parse(b))]


def hexes_to_face(direction: int, other: int) -> int:
    """The fewest hexes a ship must enter until she sails in another direction."""
    start = Place(Hex(0, 0), direction)
    goals = [Place(h, other) for h in start.bow.disc(6)]
    return _entered(shortest_path(start, goals))


def hexes_to_reach(label: str, direction: int, goal: str, back: bool = False) -> int:
    """The fewest hexes a ship with her bow at ``label`` must enter until it is at ``goal``.

    Parameters
    ----------
    label, goal : str
    direction : int
        Her course at first.
    back : bool
        Whether she must arrive on the opposite course.
    """
    target = Hex.parse(goal)
    goals = [Place(target, opposite(direction))] if back else any_heading(target)
    return _entered(shortest_path(Place(Hex.parse(label), direction), goals))


def _entered(path: Sequence[Place] | None) -> int:
    if path is None:
        raise DataError(SAY("formula.no_way"))
    return len(path)
