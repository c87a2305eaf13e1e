"""A whole hunt as one HTML document to print or to keep: what happened, turn by turn, and every escort's reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby
from typing import Any

from navalkit.core.event import Event
from navalkit.walks.told import Moment

from ..escort.explain import explain
from ..sea.actions import EscortMove
from ..sea.state import ESCORTS, Phase, State
from ..sea.tables import TABLES
from .scene import scene
from .shapes.view import everything, fit
from .words import SAY

PICTURE = (1000.0, 580.0)  # size of a turn's picture in pixels
SIGNS = {"contact": "◆", "loss": "◇", "attack": "●", "hit": "✚", "sinking": "✖"}
"""What makes a moment a key moment, each with its sign, the gravest last."""
_DETECTION = "104.1.3"
_MARKER = {
    "visible": "contact", "surfaced": "contact", "found": "contact", "torpedoes": "contact", "disappears": "loss",
    "missed": "loss",
}  # fmt: skip
_KEYS = {
    "attacks": "attack", "launched": "attack", "hit": "hit", "damage": "hit", "gun_hit": "hit", "ram_hit": "hit",
    "crush": "hit", "sunk_ship": "sinking", "sunk_boat": "sinking",
}  # fmt: skip
_STYLE = """
/* nk-hunt: a hunt to print. */
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
body { color: #14222c; background: #fff; }
h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 2rem; border-top: 1px solid #cad8e1; padding-top: 1rem; }
svg { width: 100%; height: auto; border: 1px solid #cad8e1; border-radius: 8px; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 10px 4px 0; border-bottom: 1px solid #cad8e1; text-align: left; vertical-align: top; }
pre { white-space: pre-wrap; font: inherit; margin: 0 0 8px; } summary { cursor: pointer; }
.nk-hunt-key { white-space: nowrap; } :is(.nk-hunt-rule, .nk-hunt-quiet) { color: #4a5d6a; }
.nk-hunt-rule { font-size: 13px; }
@media print {
  body { margin: 0; max-width: none; font-size: 11px; }
  h2, tr, figure { break-inside: avoid; } h2 { break-after: avoid; }
}
"""

Step = tuple[Moment[State], Moment[State]]
"""What somebody did: the moments before and after it."""


def key_of(event: Event) -> str:
    """What an event makes of its moment, "" for nothing: a single search that finds or misses makes nothing, a marker
    laid does."""
    laid = _MARKER.get(event.kind, "") if event.rule == _DETECTION else ""
    return laid or _KEYS.get(event.kind, "")


def report(row: Sequence[Moment[State]], game: Any, title: str, about: str, paint: Callable[[Any], str]) -> str:
    """The document. ``row``: the hunt. ``paint`` gives a picture as SVG."""
    turns = "".join(_turn(number, list(group), game, paint) for number, group in _turns(row))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{escape(title)}</h1><p>{escape(about)}</p>"
        f"{_summary(row, game)}{_key_moments(row)}{turns}</body></html>\n"
    )


def _turns(row: Sequence[Moment[State]]) -> Iterator[tuple[int, Iterator[Step]]]:
    """The steps of the hunt, each as (before, after), by the turn they were taken in."""
    return groupby(zip(row, row[1:], strict=False), key=lambda step: step[0].turn)


def _summary(row: Sequence[Moment[State]], game: Any) -> str:
    last = row[-1].state
    outcome = game.outcome(last)
    counts = {key: sum(key in m.keys for m in row) for key in SIGNS}
    by_night = SAY("hunt_report.by_night") if game.sea.night else ""
    facts = [
        (SAY("hunt_report.package"), game.sea.package),
        (SAY("hunt_report.date"), f"{game.scenario.date:%-d %B %Y}{by_night}"),
        (SAY("hunt_report.turns"), str(last.turn)),
        *((f"{SIGNS[key]} {key}", str(n)) for key, n in counts.items()),
        (SAY("hunt_report.how_ended"), outcome.text if outcome else SAY("hunt_report.goes_on")),
    ]
    cells = "".join(f"<tr><th scope=row>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts)
    return f"<table>{cells}</table>"


def _key_moments(row: Sequence[Moment[State]]) -> str:
    lines = [
        f"<tr><td>{m.turn}</td><td class=nk-hunt-key>{SIGNS[m.keys[-1]]} {m.keys[-1]}</td>"
        f"<td>{_told(m, only_key=True)}</td></tr>"
        for m in row
        if m.keys
    ]
    return f"<h2>{SAY('hunt_report.moments')}</h2>{_table('moments', lines)}" if lines else ""


def _table(name: str, lines: Sequence[str]) -> str:
    """A table of rows in HTML, under the headings of that name."""
    head = "".join(f"<th>{escape(each)}</th>" for each in SAY(f"hunt_report.head.{name}").split(" | "))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _told(moment: Moment[State], only_key: bool = False) -> str:
    """The events of a moment with their rules; of a key moment, if wished, only those that make it one."""
    events = [event for event in moment.events if not only_key or key_of(event)]
    return " ".join(f"{escape(e.text)} <span class=nk-hunt-rule>[{escape(e.rule)}]</span>" for e in events)


def _turn(number: int, steps: list[Step], game: Any, paint: Callable[[Any], str]) -> str:
    """One turn: its picture once the escorts have moved, its log, and the escorts' decisions."""
    events = "".join(f"<li>{_told(after)}</li>" for _, after in steps if after.events)
    moves = [(before, after.action) for before, after in steps if after.by == ESCORTS]
    hunted = any(before.state.markers for before, _ in steps)
    head = f"<h2>{SAY('hunt_report.turn', number=number)}</h2>"
    if not hunted and not moves:
        return f"{head}<ul class=nk-hunt-quiet>{events}</ul>"
    picture = f"<figure>{paint(_picture(steps, game))}</figure>"
    return f"{head}{picture}<ul>{events}</ul>{_decisions(moves, game)}"


def _picture(steps: list[Step], game: Any) -> Any:
    """The sea after the escorts' moves, with the ways they have come; without its grid, which would be most of it."""
    moved = [(before, after) for before, after in steps if after.by == ESCORTS]
    state = moved[-1][1].state if moved else steps[0][0].state
    wakes = [(before.state.vessel(after.action.escort).place, *after.action.path) for before, after in moved]
    shown = scene(state, fit(everything(state), PICTURE), wakes=wakes, night=game.sea.night)
    sea, *others = shown.layers
    water = tuple(shape for shape in sea.flat if shape.style.stroke != "grid")
    return replace(shown, layers=(replace(sea, shapes=water), *others), title="", desc="", cells=())


def _decisions(moves: list[tuple[Moment[State], EscortMove]], game: Any) -> str:
    if not moves:
        return ""
    rows = []
    for moment, move in moves:
        decision = explain(moment.state, move.escort, game.sea)
        name = TABLES.vessels[moment.state.vessel(move.escort).type].name
        rules = " ".join(dict.fromkeys(finding.rule for finding in decision.findings))
        reason = escape(str(decision.reason))
        why = f"<details><summary>{reason}</summary><pre>{escape(decision.explain())}</pre></details>"
        rows.append(
            f"<tr><td><b>{escape(move.escort)}</b> {escape(name)}</td><td>{decision.mode}</td><td>{why}</td>"
            f"<td class=nk-hunt-rule>{escape(rules)}</td></tr>"
        )
    return _table("prolonged" if moves[0][0].phase is Phase.END else "escorts", rows)
