"""Why a square is certain: its proof in words, and the squares that it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.trace import Finding

from ..odds.deduce import deducing
from ..rules.say import SAY
from ..rules.state import Observation, Phase

KINDS = ("hit", "empty", "no_ship")  # what can be certain of a square, the most useful first
_SHOWN = 8  # squares that a proof in words names


def proofs(seen: Observation) -> Awaited[Mapping[str, Finding]]:
    """The squares that are certain now, each with its proof; none while no order can be given."""
    return Awaited(("task-force.proofs", seen), lambda: _proving(seen))


def _proving(seen: Observation) -> Steps[Mapping[str, Finding]]:
    if seen.phase not in (Phase.TURN, Phase.FLIGHT):
        return {}
    found = yield from deducing(seen)
    return {str(finding.facts[0].value): finding for finding in found}


def kind(proof: Finding) -> str:
    """What is certain: one of `KINDS`."""
    return str(proof.facts[1].value)


def because(proof: Finding) -> str:
    """The proof in short: its last steps, and the squares it all rests on."""
    steps = " ".join(dict.fromkeys(f"{child.verdict} [{child.rule}]" for child in proof.children))
    squares = evidence(proof)
    key, more = ("why.seen_more", len(squares) - _SHOWN) if len(squares) > _SHOWN else ("why.seen_at", 0)
    return SAY(key, steps=steps, squares=", ".join(squares[:_SHOWN]), more=more)


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
