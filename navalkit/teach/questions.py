"""Questions that lessons ask of the library and no single function answers: thin, for formulas and for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError, OptionError
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.grids.hex import Hex, Place, any_heading, opposite, shortest_path
from navalkit.prob import placements
from navalkit.prob.placements import ShipClass, Waters

Number = int | float | Fraction

# -- distributions -----------------------------------------------------------------------------------


def mean(dist: Dist[Any]) -> Fraction:
    """The mean of a distribution."""
    return dist.mean


# -- USS Lox -----------------------------------------------------------------------------------------


def torpedoes_for(ship: str, chance: float, seen: str = "") -> int:
    """The fewest torpedoes, 0 to 3, that sink a ship with at least this chance; OptionError if three are too few."""
    from navalkit.games.uss_lox.odds import sink

    for torpedoes in range(4):
        if sink(ship, torpedoes, seen=seen) >= chance:
            return torpedoes
    raise OptionError(f"three torpedoes sink the {ship} with a chance below {chance}.")


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
    from navalkit.games.uss_lox import UssLox
    from navalkit.games.uss_lox.solve import Aim, Solution

    game = UssLox()
    return float(Solution(game, Aim.of("tonnage", loss_weight)).start(0, game.supply_size)[0])


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


def _posterior(text: str, options: dict[str, Any]) -> tuple[Any, Any]:
    from navalkit.games.task_force.odds import posterior
    from navalkit.games.task_force.sea import sea
    from navalkit.games.task_force.state import Observation

    seen = Observation.parse(text, sea(**options))
    return seen, posterior(seen)


def likeliest(text: str, **options: Any) -> str:
    """The unscratched square of a map that most likely hides an enemy ship; the first of equals.

    Parameters
    ----------
    text : str
        The map, as `task_force.state.Observation.parse` reads it.
    **options
        Of `task_force.sea.sea`: rows, columns, deep, fleet, submarines, missiles.
    """
    seen, odds = _posterior(text, options)
    best = max(seen.squares("."), key=lambda square: (round(odds.hit.flat[square], 9), -square))
    return str(seen.sea.grid.names[best])


def chance_at(square: str, what: str, text: str, **options: Any) -> float:
    """The probability that a square holds "hit", "missile", "submarine" or "empty"; the rest as in `likeliest`."""
    seen, odds = _posterior(text, options)
    chances = odds.of(seen.sea.grid.number(square))
    if what not in chances:
        raise DataError(f"a square holds one of {', '.join(chances)}, not {what!r}.")
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
    from navalkit.games.wolf_pack.cards import parse

    return int(observation.unseen[parse(card)])


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
        raise DataError("there is no such way.")
    return len(path)
