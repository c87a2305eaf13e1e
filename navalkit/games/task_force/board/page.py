"""What the page of Task Force says: what can be done, what is left to find, what is certain and why, the report."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import groupby

import numpy as np

from navalkit.core.match import Match
from navalkit.view.page import Chart, Order, Table

from .. import odds
from ..bots import Planner
from ..rules.game import TaskForce, daily_seed
from ..rules.sea import OWN
from ..rules.state import EMPTY, HIT, Action, Fly, Observation, Phase, Scratch, Strike
from ..rules.tables import SAY
from . import why
from .card import card
from .heat import HEATS
from .pieces import spoken
from .scene import scene

__all__ = [
    "card", "charts", "compare", "complete", "daily", "facts", "goes_on", "guide", "now", "orders", "report", "scene",
]  # fmt: skip
daily = daily_seed

NOTES = True
"""The board holds notes of the player's own: check-boxes, the switches of the heat map, the aim of a flight."""
UNIT = "ships left"
FIRST = 1
"""The helicopter named where none can fly, so that the refusal says so."""
MAX_BUTTONS = 12
"""More legal actions than these have no buttons: the board takes them by a click, and the order box."""
SAMPLE = 1500
"""Fleets in each sample of the report."""
NOISE = 0.03
"""A move is not called worse for less than this, in ships: so much may be the samples' doing."""
KEY_MOMENTS = 5
"""So many most telling scratches are in the report, and so many that were worse than the best."""


def now(game: TaskForce, seen: Observation) -> str:
    """What can be done now, in a sentence."""
    if seen.phase is Phase.TURN and not (seen.strikes or seen.helicopters):
        return SAY("now.turn.bare")
    return SAY.get(f"now.{seen.phase}") or SAY("now.hiding")


def guide(game: TaskForce, seen: Observation) -> str:
    """For a first game: what one sees here, and what to think of."""
    return SAY.get(f"guide.{seen.phase}")


def orders(game: TaskForce, seen: Observation, legal: Sequence[Action]) -> tuple[Order, ...]:
    """Every legal action; buttons only where they are few."""
    few = len(legal) <= MAX_BUTTONS
    return tuple(_order(action, few) for action in legal)


def _order(action: Action, button: bool) -> Order:
    match action:
        case Scratch(square=square):
            label, help, group = square, f"Scratch off {square} (T4a).", "flip"
        case Fly(number=number, square=square):
            label, help, group = f"Fly {number}: {square}", f"Helicopter {number} takes off at {square} (T7a).", "fly"
        case Strike(square=square):
            label, help, group = f"Strike {square}", f"Scratch all squares around {square} without harm (T8).", "fly"
        case _:
            raise TypeError(f"no order for {action!r}")
    return Order(str(action), label, "", help, group if button else "board")


def charts(game: TaskForce, seen: Observation) -> tuple[Chart, ...]:
    """None: the map itself is the chart."""
    return ()


def facts(game: TaskForce, seen: Observation) -> Table:
    """What is left to find, and the squares that are certain with the hints that prove it."""
    targets = seen.targets_left
    names = [name.replace("-", "\N{NON-BREAKING HYPHEN}") for name in OWN]
    missiles = ", ".join(f"{names[t]}\u00a0×\u00a0{targets.count(t)}" for t in sorted(set(targets))) or "none"
    rows = [
        ("Enemy squares not hit yet", f"{seen.hits_left} of {seen.sea.waters.squares}"),
        ("Missiles not seen yet", missiles),
        ("Submarines not seen yet", str(seen.submarines_left)),
    ]
    rows += _certain(seen)
    return Table("What is left, and what is certain", ("what", "how many, or why"), tuple(rows), SAY("note.facts"))


@lru_cache(maxsize=64)
def _certain(seen: Observation) -> tuple[tuple[str, str], ...]:
    """One row for all squares that the same hints prove, hits first."""
    found = [
        (why.KINDS.index(why.kind(proof)), why.because(proof), square) for square, proof in why.proofs(seen).items()
    ]
    rows = []
    for (kind, because), group in groupby(sorted(found, key=lambda row: row[:2]), key=lambda row: row[:2]):
        squares = ", ".join(square for _, _, square in group)
        rows.append((f"{squares}: certain, {why.KINDS[kind]}", because))
    return tuple(rows)


# Orders on the board, and typed ---------------------------------------------------------------------------------

_ANY = re.compile(r"\s*fly\s+(?:helicopter\s+)?(?:from\s+)?([a-z][0-9]{1,2})\s*", re.I)


def complete(game: TaskForce, seen: Observation, text: str) -> str:
    """A flight typed without its number is the rightmost destroyer's that can send one: a torpedo takes her first."""
    match = _ANY.fullmatch(text)
    if match is None:
        return text
    return f"fly helicopter {max(seen.helicopters, default=FIRST)} from {match[1].upper()}"


def goes_on(game: TaskForce, before: Observation, after: Observation, notes: Collection[str]) -> bool:
    """A drag scratches one harmless square after the other.

    It stops at the first missile or submarine, and at the end of a flight, so that no press of the button meets more
    than one danger; and it takes no second step while the map shows figures, which each scratch changes.
    """
    new = [mark for was, mark in zip(before.marks, after.marks, strict=True) if was != mark]
    harmless = len(new) == 1 and new[0] in (EMPTY, HIT)
    landed = bool(before.flying) and not after.flying
    return harmless and not landed and after.phase is not Phase.END and HEATS.keys().isdisjoint(notes)


# After the end --------------------------------------------------------------------------------------------------


def report(game: TaskForce, match: Match, others: Sequence[tuple[str, Match]] = ()) -> Table | None:
    """The outcome; the scratches that taught most, in bits, and those that were furthest from the best one."""
    outcome = match.outcome
    if outcome is None:
        return None
    fleet = next(str(ply.action) for ply in reversed(match.plies) if str(ply.action).startswith("fleet"))
    note = f"{outcome.text} The enemy lay at {', '.join(fleet.split()[1:])}. {SAY('note.report', n=SAMPLE)}"
    head = ("step", "you scratched", "it taught", "best by the odds")
    return Table(_title(match), head, _moments(game, _scratches(game, match)), note)


def _title(match: Match) -> str:
    outcome = match.outcome
    rank = outcome.facts["rank"] if outcome else ""
    return f"Your report, {rank}" if rank else "Your report: the group is lost"


def _scratches(game: TaskForce, match: Match) -> tuple[tuple[int, Observation, str, str, bool], ...]:
    """Every square scratched alone: step, what was known before, square, what was there, whether all were free."""
    found = []
    for number, ply in enumerate(match.plies):
        if isinstance(ply.action, Scratch | Fly):
            before, after = (game.observe(match.at(n), 0) for n in (number, number + 1))
            mark = after.marks[before.sea.grid.number(ply.action.square)]
            free = isinstance(ply.action, Scratch) and before.phase is Phase.TURN
            found.append((number + 1, before, ply.action.square, mark, free))
    return tuple(found)


@lru_cache(maxsize=4)
def _moments(
    game: TaskForce, scratches: tuple[tuple[int, Observation, str, str, bool], ...]
) -> tuple[tuple[str, ...], ...]:
    """The rows of the report: the most telling scratches and the worst ones, in the order they were made."""
    planner = Planner(game)
    weighed = []
    for step, seen, square, mark, free in scratches:
        found = odds.worlds(seen, SAMPLE, np.random.default_rng(step), groups=2)
        number, all_odds = seen.sea.grid.number(square), odds.posterior_of(seen, found)
        bits = odds.taught(all_odds, number, mark)
        values = planner.values_in(seen, found)
        best = max(values, key=lambda square: values[square])
        worse = values[best] - values[number] if free else 0.0
        weighed.append((step, square, mark, bits, seen.sea.grid.names[best], worse))
    telling = sorted(weighed, key=lambda row: -row[3])[:KEY_MOMENTS]
    worst = sorted((row for row in weighed if row[5] > NOISE), key=lambda row: -row[5])[:KEY_MOMENTS]
    return tuple(
        (
            str(step),
            f"{square}: {spoken(mark)}",
            f"{bits:.1f} bits" if np.isfinite(bits) else f"over {np.log2(SAMPLE):.0f} bits",
            f"{best}: yours was worse by {worse:.2f} ships" if worse > NOISE else "as good as any",
        )
        for step, square, mark, bits, best, worse in sorted({*telling, *worst})
    )


def compare(game: TaskForce, name: str, mine: Match, other: Match) -> Table | None:
    """Two captains on one map."""
    if not (mine.outcome and other.outcome):
        return None
    rows = []
    figures = {"rank": "rank", "ships left": "ships", "squares hit": "hits", "squares scratched": "scratched"}
    for what, key in figures.items():
        found = (match.outcome.facts[key] for match in (mine, other) if match.outcome)
        rows.append((what, *("none" if fact == "" else str(fact) for fact in found)))
    return Table("The same map", ("", "you", name), tuple(rows), "An analysis is yours alone." if mine.analysis else "")
