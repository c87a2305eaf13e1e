"""What a notebook shows of a game, a distribution and a decision that come last in a cell, and ``print`` of a game."""

from __future__ import annotations

from functools import singledispatch
from html import escape

from navalkit.core.luck.dist import Dist
from navalkit.core.match import Match
from navalkit.core.shown import Shown, listing, paragraph
from navalkit.core.trace import Decision, Finding

from .pictures import bars, board
from .say import SAY

_MOST = 24
"""Bars that are taken in at a glance; of more outcomes the most likely are shown."""


@singledispatch
def html(value: Shown) -> str:
    """The value as HTML without scripts or styles of a page; TypeError for one that nothing here draws."""
    raise TypeError(f"nothing draws a {type(value).__name__}")


@html.register
def _match(value: Match) -> str:
    """The board as it lies for the player whose turn it is, and the last event."""
    said = value.outcome.text if value.outcome else value.log[-1].text if value.log else ""
    return board(value)._repr_html_() + paragraph(said)


@html.register
def _dist(value: Dist) -> str:  # type: ignore[type-arg]  # singledispatch reads the class alone
    shown = sorted(value.support, key=value.__getitem__, reverse=True)[:_MOST]
    kept = {x: value[x] for x in value.support if x in shown}
    title = SAY("shown.some" if len(kept) < len(value) else "shown.all", n=len(kept), outcomes=len(value))
    return bars(kept, title)._repr_html_()


@html.register
def _decision(value: Decision) -> str:
    """The reason, the rules that were asked, and every option, the one taken in bold."""
    options = [f"<b>{escape(line)}</b>" if chosen else escape(line) for line, chosen in value.weighed()]
    head = paragraph(f"{value.by}: {value.action}. {value.reason}")
    return head + listing("ul", map(_finding, value.findings)) + listing("ol", options)


def text(value: Match) -> str:
    """The match on one line, its board as it lies for the player whose turn it is, and the last event."""
    said = value.outcome.text if value.outcome else value.log[-1].text if value.log else ""
    return "\n".join(filter(None, (repr(value), repr(board(value)), said)))


def _finding(finding: Finding) -> str:
    said = escape(f"{finding.question} {finding.verdict} [{finding.rule}]")
    return said + listing("ul", map(_finding, finding.children))
