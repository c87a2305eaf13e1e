"""What the explorer says, as HTML: the number, what goes with it, and what lies beside it."""

from __future__ import annotations

from html import escape
from typing import Any

from navalkit.core.chances import percent
from navalkit.core.errors import NavalkitError
from navalkit.explore import Answer, Inverse, Question, Tally, ask
from navalkit.explore.ask import Influence
from navalkit.explore.question import Sides
from navalkit.explore.text import amount, change, estimate, parts

from .explore_model import Pinned

BARS = 8
"""Rows of the sensitivity bar, at most."""


def number(answer: Answer, pinned: Pinned | None, settings: dict[str, Any], count: int) -> str:
    """The number: large, then as fraction, decimal and in words; and the pinned one, if there is one."""
    big = (
        estimate(float(answer.value), answer.error, answer.n, answer.unit)
        if answer.n
        else amount(answer.value, answer.unit)
    )
    large, _, trials = big.partition(" (")
    ways = [f"<span title='{name}'>{escape(text)}</span>" for name, text in (parts(answer.value, answer.unit))]
    if trials:
        ways.append(f"<span>({escape(trials)}</span>")
    ways.append(f"<span class=nk-exact>{escape(answer.exactness)}</span>")
    return (
        f"<div data-count='{count}'><p class=nk-said>{escape(answer.said)}</p>"
        f"<p class=nk-big>{escape(large)}</p><p class=nk-ways>{' '.join(ways)}</p>"
        f"{_pinned(answer, pinned, settings)}</div>"
    )


def _pinned(answer: Answer, pinned: Pinned | None, settings: dict[str, Any]) -> str:
    if pinned is None:
        return ""
    unit = pinned.answer.unit
    differing = [
        f"{control.label.lower()} {control.shown(pinned.settings[control.name])}"
        for control in pinned.question.controls
        if pinned.settings[control.name] != settings[control.name]
    ]
    where = f" with {'; '.join(differing)}" if differing else ": the same setting, so far"
    by = f" Now {change(answer.value, pinned.answer.value, unit)}." if differing else ""
    return (
        f"<p class=nk-pinned><b>Pinned {escape(amount(pinned.answer.value, unit))}</b>{escape(where)}.{escape(by)}</p>"
    )


def trouble(text: str, count: int) -> str:
    """What is wrong, in place of the number."""
    return f"<div data-count='{count}'><p class='nk-said nk-bad'>{escape(text)}</p></div>"


def waiting(count: int) -> str:
    """That a slow answer is on its way."""
    return f"<div data-count='{count}'><p class=nk-said>Counting …</p><p class=nk-big>…</p></div>"


def words(answer: Answer) -> str:
    """The formula with the numbers put in, the facts beside it, and the assumptions."""
    facts = "".join(f"<li>{escape(name)}: <b>{escape(text)}</b></li>" for name, text in answer.facts)
    how = "".join(f"<li>{escape(line)}</li>" for line in answer.how)
    assumes = "".join(f"<li>{escape(line)}</li>" for line in answer.assumes)
    return (
        f"<ul class=nk-facts>{facts}</ul>" if facts else ""
    ) + f"<h3>How it is reckoned</h3><ol>{how}</ol><h3>What it takes for granted</h3><ul>{assumes}</ul>"


def inverse(question: Question, settings: dict[str, Any], target: int, unit: str) -> str:
    """How much of the question's own control a target takes, or why that cannot be asked, in a sentence."""
    if not question.inverse:
        return f"<p>{escape(question.no_inverse)}</p>"
    goal = f"{target:,} {unit}" if unit else f"{target} %"
    try:
        found: Inverse = ask.inverse(question, settings, target if unit else target / 100)
    except NavalkitError as error:
        return f"<p>{escape(str(error))}</p>"
    name = found.control.label.lower()
    if found.least is None:
        best = f"the best is {found.control.shown(found.best)}, with {amount(found.reached, unit)}"
        return f"<p><b>{escape(goal)} cannot be reached</b> with {escape(name)} alone: {escape(best)}.</p>"
    shown = found.control.shown(found.least)
    gives = amount(found.reached, unit)
    return f"<p>For {escape(goal)}: <b>{escape(name)} {escape(shown)}</b>, which gives {escape(gives)}.</p>"


def gains(question: Question, settings: dict[str, Any], unit: str) -> str:
    """What one more brings, a line each, or why nothing does."""
    lines = "".join(
        f"<li>{escape(each.name[:1].upper() + each.name[1:])}: <b>{escape(change(each.after, each.before, unit))}</b> "
        f"<span class=nk-note>to {escape(amount(each.after, unit))}</span></li>"
        for each in ask.gain(question, settings)
    )
    if lines:
        return f"<ul class=nk-gains>{lines}</ul>"
    return f"<p>{escape(question.no_gain or 'There is no more: the slider is at its end.')}</p>"


def matters(question: Question) -> str:
    """The heading of the sensitivity bar."""
    return f"Which {question.sides.what} matters most here"


def sensitivity(question: Question, settings: dict[str, Any], unit: str) -> str:
    """A bar for each change: how far the answer goes to either side. The greatest come first, the least are left out"""
    rows = ask.sensitivity(question, settings)
    if not rows:
        return ""
    here = ask.answer(question, settings).value
    most = max(each.size for each in rows) or 1.0
    sides = question.sides
    bars = "".join(_bar(each, float(here), most, unit, sides) for each in rows[:BARS])
    more = f" The {BARS} that matter most, of {len(rows)}." if len(rows) > BARS else ""
    head = f"<thead><tr><th>{sides.what}</th><th>{sides.down}</th><th>{sides.up}</th></tr></thead>"
    note = f"<p class=nk-note>How much the answer changes.{more}</p>"
    return f"{note}<table class=nk-tornado>{head}<tbody>{bars}</tbody></table>"


def _bar(each: Influence, here: float, most: float, unit: str, sides: Sides) -> str:
    cells = []
    for side, word in ((each.down, sides.down), (each.up, sides.up)):
        if side is None:
            cells.append("<td class=nk-none-there>–</td>")
            continue
        by = float(side[1]) - here
        sign = "more" if by > 0 else "less" if by < 0 else "same"
        title = f"{each.name}, {word} ({each.control.shown(side[0])}): {amount(side[1], unit)}"
        cells.append(
            f"<td title='{escape(title, quote=True)}'>"
            f"<span class='nk-bar-{sign}' style='width:{100 * abs(by) / most:.0f}%'></span>"
            f"<span>{escape(change(side[1], here, unit))}</span></td>"
        )
    return f"<tr><th scope=row>{escape(each.name)}</th>{''.join(cells)}</tr>"


def run(tally: Tally | None, done: int, n: int, answer: Answer | None, seed: int, running: bool) -> str:
    """Where a Monte Carlo run stands: progress, estimate, and how far it is from the exact value."""
    bar = f"<progress max='{n}' value='{done}' aria-label='trials made'></progress>"
    if tally is None or not done:
        return f"{bar}<p>Press Run: {n:,} trials, drawn and played one by one.</p>"
    unit = answer.unit if answer else ""
    text = estimate(tally.mean, tally.error, tally.n, unit)
    lines = [f"<b>{escape(text)}</b>"]
    if tally.tried > tally.n:
        lines.append(f"{tally.n:,} of {tally.tried:,} trials fit what is known ({percent(tally.n / tally.tried)}).")
    if answer is not None and tally.n:
        spread = (tally.error**2 + answer.error**2) ** 0.5
        away = abs(tally.mean - float(answer.value)) / spread if spread else 0.0
        other = "the other estimate" if answer.n else "the exact value"
        lines.append(f"{away:.1f} standard errors from {other}.")
    state = "running" if running else "done" if done >= n else "paused"
    return f"{bar}<p>{' '.join(lines)}</p><p class=nk-note>{done:,} of {n:,} trials · seed {seed} · {state}</p>"
