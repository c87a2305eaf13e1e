"""A decision as lines to tell one after another, each with the hexes that are its evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from navalkit.core.trace import Finding, Mark
from navalkit.games.on_patrol.escort.automaton import EscortDecision
from navalkit.grids.hex import Hex, Radial

from ..say import STEP

TOPICS = {
    "target hex": "target",
    "radials": "radial",
    "vector": "vector",
    "circle": "ring",
    "sonar reach": "mode",
    "forbidden hexes": "avoid",
    "rejected path": "avoid",
    "assault zone": "attack",
}
"""Layer of the overlay -> the topic that has to be told before it is drawn. The path comes with the last line."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a decision."""

    kind: str
    """"finding", "rejected" or "move"."""
    rule: str
    """Id of the rule, "" for the move itself."""
    ask: str
    text: str
    """What was asked, and the answer."""
    hexes: tuple[Hex, ...] = ()
    """The evidence."""
    topic: str = ""
    """What it is about ("target")."""
    parts: tuple[Line, ...] = ()
    """What it is made of, weapon by weapon or hex by hex: a count that opens."""


def lines(decision: EscortDecision) -> tuple[Line, ...]:
    """The findings in the order of the rules, then what was rejected, then the move."""
    found = map(_finding, decision.findings)
    path = tuple(leg.place.bow for leg in decision.path)
    move = Line("move", "", STEP("line.move"), str(decision.reason), path, "move")
    return (*found, *_rejected(decision), move)


def _finding(finding: Finding) -> Line:
    own = tuple(mark for fact in finding.facts for mark in fact.marks) or tuple(finding.marks())
    topic = next((str(fact.value) for fact in finding.facts if fact.name == "board"), "").partition(".")[0]
    ask, text, parts = str(finding.question), str(finding.verdict), tuple(map(_finding, finding.children))
    return Line("finding", finding.rule, ask, text, _hexes(own), topic, parts)


def _hexes(marks: tuple[Mark, ...]) -> tuple[Hex, ...]:
    return tuple(Hex.parse(label) for mark in marks if mark.kind == "cell" for label in mark.at)


def _rejected(decision: EscortDecision) -> Iterator[Line]:
    """What was weighed and not taken; options that differ in nothing but their name share a line."""
    radials = {f"radial {radial.direction}": radial for radial, _ in decision.distances}
    for _, group in groupby(decision.rejected, key=lambda o: (o.rejected, o.rule, o.facts)):
        options = list(group)
        names = ", ".join(str(option.action) for option in options)
        evidence = _hexes(tuple(mark for option in options for fact in option.facts for mark in fact.marks))
        rows = [radials[str(option.action)] for option in options if str(option.action) in radials]
        hexes = evidence or tuple(h for radial in rows for h in _near(radial))
        why = str(options[0].rejected)
        said = STEP("line.because", why=why[:1].upper() + why[1:])
        yield Line("rejected", options[0].rule, STEP("line.rejected", names=names), said, hexes, "rejected")


def _near(radial: Radial) -> list[Hex]:
    return radial.hexes(8)
