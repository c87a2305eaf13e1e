"""The four tables of the game as HTML, each whole, with its origin and the row or cell that fired."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from navalkit.core.event import Event
from navalkit.games.on_patrol.board.moments import Moment
from navalkit.games.on_patrol.escort.automaton import EscortDecision
from navalkit.games.on_patrol.sea.fleet import EMERGENCY, fleeing
from navalkit.games.on_patrol.sea.state import Phase
from navalkit.games.on_patrol.sea.tables import FLEET_DIE, TABLES

from ..say import STEP

TABLE_NAMES = ("action", "fleet", "detection", "depth")
_DETECTED = {"surfaced": "visible"}
"""Kinds of event that fire another row of the Submarine Detection Table than their own name's."""


class Fired(NamedTuple):
    """What fired at a moment: ids of rows, and for the fleet the row and the die."""

    action: frozenset[str] = frozenset()
    fleet: tuple[str, int] = ("", 0)
    detection: frozenset[str] = frozenset()
    depth: frozenset[str] = frozenset()


def fired(row: Sequence[Moment], at: int, decision: EscortDecision | None) -> Fired:
    """What has fired at a moment. ``at``: index of the moment. ``decision``: the decision shown, if there is one: its
    mode is the row of the Escort Action Table."""
    state = row[at].state
    action = set()
    if decision is not None:
        kind = decision.marker.kind if decision.marker else None
        action = {"end"} if decision.mode > max(r.mode for r in TABLES.actions.values()) else {TABLES.actions[kind].id}
        action |= {r.id for r in TABLES.action_rows if r.boats == len(state.markers) > 1}
    events = list(_this_phase(row, at))
    known = {r.id for r in TABLES.detection}
    detection = {_DETECTED.get(e.kind, e.kind) for e in events if e.rule == "104.1.3"} & known
    if state.phase is Phase.END:
        detection |= {"end"}
    depth = {r.id for r in TABLES.depth for e in events if e.kind == _depth_event(r.error)}
    fleet = (EMERGENCY if fleeing(state) else state.fleet.row, state.fleet.die)
    return Fired(frozenset(action), fleet, frozenset(detection), frozenset(depth))


def _this_phase(row: Sequence[Moment], at: int) -> Iterable[Event]:
    """The events of the moment's phase up to it, and of the step that led into the phase."""
    for i in range(at, -1, -1):
        yield from row[i].events
        if (row[i].turn, row[i].phase) != (row[at].turn, row[at].phase):
            return


def _depth_event(error: int | None) -> str:
    return "depth.miss" if error is None else f"depth.{error}"


# HTML --------------------------------------------------------------------------------------------------------------


def tables(now: Fired) -> tuple[str, ...]:
    """The four tables, in the order of `TABLE_NAMES`."""
    return _action(now), _fleet(now), _detection(now), _depth(now)


def _table(
    name: str, rows: Iterable[tuple[bool, Sequence[str]]], sources: Iterable[str], more: Iterable[str] = ()
) -> str:
    """A table, ``more`` being further heads; a row is (whether it fired, its cells as HTML)."""
    heads = "".join(f"<th scope=col>{escape(cell)}</th>" for cell in (*STEP(f"table.{name}.head").split("|"), *more))
    sign = f"<b aria-label='{escape(STEP('table.fired'))}'>▶</b>"
    body = "".join(
        f"<tr{' class=nk-step-fired' * hit}>{''.join(f'<td>{cell}</td>' for cell in (sign * hit, *cells))}</tr>"
        for hit, cells in rows
    )
    origin = ", ".join(dict.fromkeys(STEP(f"origin.{source.partition(':')[0]}") for source in sources))
    return (
        f"<div class=nk-table><h3>{escape(STEP(f'table.{name}'))} "
        f"<span class=nk-step-origin>{escape(origin)}</span></h3>"
        f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _action(now: Fired) -> str:
    rows = [(r.id in now.action, (escape(r.label), str(r.mode or r.id), escape(r.text))) for r in TABLES.action_rows]
    return _table("action", rows, (r.source for r in TABLES.action_rows))


def _fleet(now: Fired) -> str:
    rows = []
    name, die = now.fleet
    for r in TABLES.fleet_rows.values():
        hit = r.id == name
        cells = [
            f"<b class=nk-step-cell>{escape(move.text)}</b>" if hit and die == face else escape(move.text)
            for face, move in zip(FLEET_DIE, r.moves, strict=True)
        ]
        rows.append((hit, (escape(r.label) + " *" * r.starred, *cells)))
    table = _table("fleet", rows, (r.source for r in TABLES.fleet_rows.values()), map(str, FLEET_DIE))
    said = STEP("table.fleet.die" if die else "table.fleet.undiced", die=die, key=STEP.phrase("table.fleet.key"))
    return f"{table}<p class=nk-note>{escape(said)}</p>"


def _detection(now: Fired) -> str:
    rows = [
        (r.id in now.detection, (str(r.phase or STEP("table.detection.any")), escape(r.event), escape(r.effect)))
        for r in TABLES.detection
    ]
    return _table("detection", rows, (r.source for r in TABLES.detection))


def _depth(now: Fired) -> str:
    rows = []
    for r in TABLES.depth:
        span, chance = STEP("table.depth.range", low=r.low, high=r.high), STEP("table.depth.chance", n=len(r.rolls))
        rows.append((r.id in now.depth, (span, chance, escape(r.text))))
    return _table("depth", rows, (r.source for r in TABLES.depth))
