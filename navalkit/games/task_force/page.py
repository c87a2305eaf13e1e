"""What the page of Task Force says: what can be done, what is left to find, what is certain and why, the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby

import numpy as np

from navalkit.core.match import Match
from navalkit.core.trace import Finding
from navalkit.view.page import Chart, Order, Table

from . import odds
from .ai import Bayes, view
from .deduce import deduce
from .rules import TaskForce
from .scene import scene, spoken
from .sea import OWN
from .state import UNSEEN, Action, Fly, Observation, Phase, Scratch, Strike
from .tables import SAY

__all__ = ["charts", "compare", "facts", "guide", "now", "orders", "report", "scene"]

NOTES = True
"""The board holds notes of the player's own: check-boxes, the switches of the heat map, the aim of a flight."""
UNIT = "ships left"
MAX_BUTTONS = 12
"""More legal actions than these have no buttons: the board takes them by a click, and the order box."""
SAMPLE = 3000
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
    missiles = ", ".join(f"{OWN[t]}\u00a0×\u00a0{targets.count(t)}" for t in sorted(set(targets))) or "none"
    rows = [
        ("Enemy squares not hit yet", f"{seen.hits_left} of {seen.sea.waters.squares}"),
        ("Missiles not seen yet", missiles),
        ("Submarines not seen yet", str(seen.submarines_left)),
    ]
    if seen.phase in (Phase.TURN, Phase.FLIGHT):
        rows += _certain(seen)
    return Table("What is left, and what is certain", ("what", "how many, or why"), tuple(rows), SAY("note.facts"))


_WORTH = ("hit", "empty", "no ship")


@lru_cache(maxsize=64)
def _certain(seen: Observation) -> tuple[tuple[str, str], ...]:
    """One row for all squares that the same hints prove, hits first."""
    found = []
    for finding in deduce(seen):
        square, what = (str(fact.value) for fact in finding.facts)
        found.append((_WORTH.index(what), _because(finding), square, what))
    rows = []
    for (_, why), group in groupby(sorted(found), key=lambda row: row[:2]):
        members = list(group)
        squares = ", ".join(square for _, _, square, _ in members)
        rows.append((f"{squares}: certain, {members[0][3]}", why))
    return tuple(rows)


def _because(finding: Finding) -> str:
    """The proof in short: its last steps, and the squares it all rests on."""
    steps = " ".join(dict.fromkeys(f"{child.verdict} [{child.rule}]" for child in finding.children))
    squares = list(dict.fromkeys(_leaves(finding)))
    more = f" and {len(squares) - 8} more" if len(squares) > 8 else ""
    return f"{steps} Seen: {', '.join(squares[:8])}{more}."


def _leaves(finding: Finding) -> Iterator[str]:
    """The squares seen that a proof rests on."""
    if not finding.children:
        yield from (cell for mark in finding.marks() for cell in mark.at)
    for child in finding.children:
        yield from _leaves(child)


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
    boldness = Bayes(game).boldness
    weighed = []
    for step, seen, square, mark, free in scratches:
        found = odds.worlds(seen, SAMPLE, np.random.default_rng(step), groups=2)
        number, all_odds = seen.sea.grid.number(square), odds.posterior_of(seen, found)
        bits = odds.taught(all_odds, number, mark)
        mine = view(seen, found)
        values = np.where([m == UNSEEN for m in seen.marks], boldness * mine.hit - mine.risk, -np.inf)
        best = int(values.argmax())
        worse = float(values[best] - values[number]) if free else 0.0
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
        rows.append((what, *(str(match.outcome.facts[key] or "none") for match in (mine, other) if match.outcome)))
    return Table("The same map", ("", "you", name), tuple(rows), "An analysis is yours alone." if mine.analysis else "")
