"""The decision behind any move of an escort, in every mode: what a stepper shows."""

from __future__ import annotations

from dataclasses import replace

from navalkit.core.trace import Fact, Finding, Mark, Option
from navalkit.grids.hex import Hex, assault_zone, radial_at, radials

from ..combat.sight import as_escorts_see
from ..data import words
from ..sea.setting import Sea
from ..sea.state import Charge, Phase, State
from ..sea.tables import TABLES
from . import prolonged
from .automaton import EscortDecision, decide
from .manoeuvre import Leg
from .pattern import Placement
from .precedence import aim

SAY = words("explain.toml")
PROLONGED = 7


def explain(state: State, escort: str, sea: Sea) -> EscortDecision:
    """What an escort does in a state, and why.

    Parameters
    ----------
    state : State
        Of any phase: the answer is what she would do if she were to move. In the prolonged attack, her run.
    escort : str
        Her id.
    sea : Sea
        What stays the same: the decision rests on what escorts know under it.

    Returns
    -------
    EscortDecision
        As `decide` gives it.

    Raises
    ------
    KeyError
        If the state has no ship of that id.

    Examples
    --------
    >>> from navalkit.games.on_patrol import OnPatrol
    >>> from navalkit.games.on_patrol.escort.positions import find
    >>> explain(find("mode-1").state, "E1", OnPatrol().sea).mode
    1
    """
    runs = state.phase is Phase.END and state.moved[:1] == (escort,) and not state.todo
    if runs and state.marker(state.vessel(escort).hunt.boat) is not None:  # none if it is supposed to be gone
        return _run(state, escort)
    return decide(as_escorts_see(replace(state, moved=_others(state, escort)), sea), escort)


def _others(state: State, escort: str) -> tuple[str, ...]:
    return tuple(id for id in state.moved if id != escort)


def _run(state: State, escort: str) -> EscortDecision:
    """Her run in the prolonged attack (P1 to P3)."""
    ship, move = state.vessel(escort), prolonged.run(state)
    marker = state.marker(ship.hunt.boat)
    assert marker is not None, "she runs at a boat whose marker lies upright"
    target = aim(marker)
    zone = tuple(assault_zone(target, marker.place.direction))
    legs = tuple(Leg(place, "P3", "through") for place in move.path)
    weapons = _placements(legs, zone, move.charges)
    radial = radial_at(ship.place.bow, target)

    def finding(rule: str, key: str, label: str, at: tuple[Hex, ...], **facts: object) -> Finding:
        mark = Mark("cell", tuple(h.label for h in at), label)
        return Finding(rule, SAY.phrase(f"{key}.ask"), SAY.phrase(key, **facts), (Fact("board", key, (mark,)),))

    findings = (
        finding("P1", "mode", "marker", marker.place.hexes, boat=marker.boat, mode=PROLONGED),
        finding("P1", "order", "path", ship.place.hexes, escort=escort, value=TABLES.vessels[ship.type].value),
        finding("P2", "target", "target", (target,), target=target, out=prolonged.OUT),
        finding("P3", "run", "path", tuple(leg.place.bow for leg in legs), hexes=len(legs)),
        finding("P3", "weapons", "zone", tuple(w.at for w in weapons), weapons=len(weapons),
                covered=len({w.at for w in weapons})),
    )  # fmt: skip
    reason = SAY.phrase("summary", mode=PROLONGED, target=target, hexes=len(legs), weapons=len(weapons))
    return EscortDecision(
        move,
        escort,
        reason,
        findings,
        (Option(move),),
        escort=escort,
        mode=PROLONGED,
        marker=marker,
        target=target,
        radial=radial,
        distances=tuple((r, r.distance(ship.place.bow)) for r in radials(target)),
        speed=len(legs),
        path=legs,
        intended=legs,
        weapons=weapons,
        zone=zone,
        hunt=ship.hunt,
    )


def _placements(
    legs: tuple[Leg, ...], zone: tuple[tuple[int, Hex], ...], charges: tuple[Charge, ...]
) -> tuple[Placement, ...]:
    """The charges of a run with the rank of their hexes, in the order in which they were placed."""
    ranks = {h: rank for rank, h in zone}
    count: dict[Hex, int] = {}
    placed = []
    for charge in charges:
        count[charge.at] = count.get(charge.at, 0) + 1
        step = min(range(len(legs)), key=lambda i: legs[i].place.stern.distance(charge.at)) + 1
        placed.append(Placement(charge.weapon, charge.at, ranks[charge.at], step, count[charge.at]))
    return tuple(placed)
