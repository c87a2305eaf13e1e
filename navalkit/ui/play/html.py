"""Texts of a page as HTML; everything from a game or a file is escaped here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any

from navalkit.core.event import Event
from navalkit.core.language.rulebook import Rule
from navalkit.core.trace import Decision, Finding
from navalkit.view.page import Table

from ..say import SAY

_SHOWN = 12  # options of a decision that a page shows


LINE = 42
"""Letters of a message that surely fit one line of the status, on a phone too; a longer one takes both lines."""


def status(headline: str, happened: str, now: str, message: str, error: bool, count: int, *, over: bool = False) -> str:
    """The status: a message or the headline, then what can be done now, a line each; all of it is a press away. Under
    a message in a game that is ``over`` there is room to read how it ended."""
    first = escape(message or headline)
    look = "nk-bad" if error else "nk-said" if message else "nk-play-end" if over else ""
    long = " nk-play-long" * (len(message) > LINE)
    whole = escape(message or happened)
    more = f"<p class=nk-play-whole>{whole}</p>" if whole != first else ""
    return (
        f"<div{' class=nk-play-over' * over} data-count='{count}'><p class='{look}{long}' title='{whole}'>{first}</p> "
        f"<p class=nk-now title='{escape(now)}'>{escape(now)}</p>{more}</div>"
    )


def table(data: Table | None) -> str:
    """A table with its title and note."""
    if data is None or not data.rows:
        return ""
    head = "".join(f"<th scope=col>{escape(cell)}</th>" for cell in data.head)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in data.rows)
    note = f"<p class=nk-note>{escape(data.note)}</p>" if data.note else ""
    body = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f"<div class=nk-table><h3>{escape(data.title)}</h3>{body}{note}</div>"


def log(events: Iterable[Event], rules: Mapping[str, Rule]) -> str:
    """The log, latest last, each line with its rule id and the rule's text as a tooltip."""
    lines = "".join(f"<li>{escape(event.text)} {_rule(event.rule, rules[event.rule].text)}</li>" for event in events)
    return f"<ol class=nk-lines>{lines}</ol>" if lines else f"<p class=nk-note>{escape(SAY('log.none'))}</p>"


def decision(decision: Decision | None, spoken: Callable[[Any], str] = str) -> str:
    """A decision with its findings and options, the actions as ``spoken`` says them; without one, how to get one."""
    if decision is None:
        return f"<p class=nk-note>{escape(SAY('hint.none'))}</p>"
    findings = "".join(_finding(finding) for finding in decision.findings)
    weighed = list(decision.weighed(spoken))
    lines = [f"<li{' class=nk-play-chosen' * chosen}>{escape(line)}</li>" for line, chosen in weighed[:_SHOWN]]
    left = len(weighed) - _SHOWN
    more = f"<p class=nk-note>{escape(SAY('hint.more', n=left))}</p>" if left > 0 else ""
    options = "".join(lines)
    chosen = f"<strong>{escape(str(decision.by))}: {escape(spoken(decision.action))}.</strong>"
    head = SAY("hint.unit", unit=decision.unit) if decision.unit else SAY("hint.weighed")
    return (
        f"<p>{chosen} {escape(str(decision.reason))}</p>"
        + (f"<ul class=nk-lines>{findings}</ul>" if findings else "")
        + (f"<h3>{escape(head)}</h3><ol class=nk-lines>{options}</ol>{more}" if options else "")
    )


def _finding(finding: Finding) -> str:
    children = "".join(map(_finding, finding.children))
    inner = f"<ul>{children}</ul>" if children else ""
    return f"<li>{escape(str(finding.question))} {escape(str(finding.verdict))} {_rule(finding.rule)}{inner}</li>"


def _rule(id: str, text: str = "") -> str:
    title = f" title='{escape(text, quote=True)}'" if text else ""
    return f"<abbr{title} class=nk-play-rule>{escape(id)}</abbr>"


def bests(rows: Iterable[Mapping[str, Any]], of: str) -> str:
    """The personal bests in one scenario against one captain, as the browser keeps them."""
    facts = ({name: row.get(name, "") for name in ("score", "seed", "result")} for row in rows)
    items = "".join(f"<li>{escape(SAY('bests.row', **each))}</li>" for each in facts)
    return f"<h3>{escape(SAY('bests.title', of=of))}</h3><ol class=nk-lines>{items}</ol>" if items else ""
