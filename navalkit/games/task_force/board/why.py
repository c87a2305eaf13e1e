"""Why a square is certain: its proof in words, and the squares that it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from navalkit.core.trace import Finding

from ..odds.deduce import deduce
from ..rules.state import Observation, Phase

KINDS = ("hit", "empty", "no_ship")
"""What can be certain of a square, the most useful first."""
_SHOWN = 8  # squares that a proof in words names


@lru_cache(maxsize=64)
def proofs(seen: Observation) -> Mapping[str, Finding]:
    """The squares that are certain now, each with its proof; none while no order can be given."""
    if seen.phase not in (Phase.TURN, Phase.FLIGHT):
        return {}
    return {str(finding.facts[0].value): finding for finding in deduce(seen)}


def kind(proof: Finding) -> str:
    """What is certain: one of `KINDS`."""
    return str(proof.facts[1].value)


def because(proof: Finding) -> str:
    """The proof in short: its last steps, and the squares it all rests on."""
    steps = " ".join(dict.fromkeys(f"{child.verdict} [{child.rule}]" for child in proof.children))
    squares = evidence(proof)
    more = f" and {len(squares) - _SHOWN} more" if len(squares) > _SHOWN else ""
    return f"{steps} Seen: {', '.join(squares[:_SHOWN])}{more}."


def evidence(proof: Finding) -> tuple[str, ...]:
    """The squares seen that a proof rests on."""
    return _cells(finding for finding in _steps(proof) if not finding.children)


def between(proof: Finding) -> tuple[str, ...]:
    """The squares not seen that a proof leads over: what must be so there is a step of it."""
    ends = {*evidence(proof), str(proof.facts[0].value)}
    return tuple(cell for cell in _cells(_steps(proof)) if cell not in ends)


def _steps(proof: Finding) -> Iterator[Finding]:
    """The proof and all it is made from, each once: many conclusions share their grounds."""
    met, left = set[int](), [proof]
    while left:
        finding = left.pop()
        if id(finding) not in met:
            met.add(id(finding))
            yield finding
            left += reversed(finding.children)


def _cells(findings: Iterable[Finding]) -> tuple[str, ...]:
    facts = (fact for finding in findings for fact in finding.facts)
    return tuple(dict.fromkeys(cell for fact in facts for mark in fact.marks for cell in mark.at))
