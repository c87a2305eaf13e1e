"""What the explorer says, as HTML: the number, what goes with it, and what lies beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from markupsafe import Markup

from navalkit.core.errors import NavalkitError
from navalkit.explore import Answer, Question, Tally, ask
from navalkit.explore.ask import Influence
from navalkit.explore.say import SAY
from navalkit.explore.text import amount, change, estimate, inline, parts, trials

from .model import Pinned

BARS = 8
"""Rows of the sensitivity bar, at most."""


def _each(form: str, rows: Iterable[Any]) -> Markup:
    """The form filled with each row, in which texts are escaped."""
    return Markup("").join(Markup(form).format(*(row if isinstance(row, tuple) else (row,))) for row in rows)


def heading(text: str) -> Markup:
    """A heading."""
    return Markup("<h3>{}</h3>").format(text)


def note(text: str, error: bool = False) -> Markup:
    """A sentence by the way, or what is wrong."""
    return Markup("<p class='{}'>{}</p>").format("nk-bad" if error else "nk-note", text) if text else Markup("")


def number(answer: Answer, pinned: Pinned | None, settings: dict[str, Any], count: int) -> Markup:
    """The number: large, then as fraction, decimal and in words; and the pinned one, if there is one."""
    value, unit = answer.value, answer.unit
    large = estimate(float(value), answer.error, unit) if answer.n else amount(value, unit)
    ways = [*parts(value, unit), *([("", trials(answer.n), "")] if answer.n else [])]
    form = (
        "<div data-count='{}'><p class=nk-said>{}</p><p class=nk-explore-big>{}</p>"
        "<div class=nk-explore-ways>{} <span class=nk-explore-exact>{}</span></div>{}</div>"
    )
    return Markup(form).format(
        count, answer.said, large, Markup("").join(map(_way, ways)), answer.exactness, _pinned(answer, pinned, settings)
    )


def _way(way: tuple[str, str, str]) -> Markup:
    """A way to write the number; what is too long to read is a click away."""
    name, text, whole = way
    if not whole:
        return Markup("<span title='{}'>{}</span> ").format(name, text)
    return Markup("<details class=nk-explore-whole><summary>{}</summary>{}</details> ").format(text, whole)


def _pinned(answer: Answer, pinned: Pinned | None, settings: dict[str, Any]) -> Markup:
    if pinned is None:
        return Markup("")
    unit = pinned.answer.unit
    differing = "; ".join(
        f"{inline(control.label)} {control.shown(pinned.settings[control.name])}"
        for control in pinned.question.controls
        if pinned.settings[control.name] != settings[control.name]
    )
    by = change(answer.value, pinned.answer.value, unit)
    where = SAY("pinned.other", settings=differing, change=by) if differing else SAY("pinned.same")
    head = SAY("pinned.value", value=amount(pinned.answer.value, unit))
    return Markup("<p class=nk-explore-pinned><b>{}</b>{}</p>").format(head, where)


def trouble(text: str, count: int) -> Markup:
    """What is wrong, in place of the number."""
    return Markup("<div data-count='{}'><p class='nk-said nk-bad'>{}</p></div>").format(count, text)


def waiting(count: int) -> Markup:
    """That a slow answer is on its way."""
    form = "<div data-count='{}'><p class=nk-said>{}</p><p class=nk-explore-big>…</p></div>"
    return Markup(form).format(count, SAY("waiting"))


def words(answer: Answer) -> Markup:
    """The figures beside the number, the formula with the numbers put in, and the assumptions."""
    figures = _each("<li>{}: <b>{}</b></li>", answer.beside)
    return Markup("{}<h3>{}</h3><ol>{}</ol><h3>{}</h3><ul>{}</ul>").format(
        Markup("<ul class=nk-explore-facts>{}</ul>").format(figures) if figures else "",
        SAY("head.how"), _each("<li>{}</li>", answer.how), SAY("head.assumes"), _each("<li>{}</li>", answer.assumes),
    )  # fmt: skip


def inverse(question: Question, settings: dict[str, Any], target: int, unit: str) -> Markup:
    """How much of the question's own control a target takes, or why that cannot be asked, in a sentence."""
    plain = Markup("<p>{}</p>")
    if not question.inverse:
        return plain.format(question.say("no_inverse"))
    goal = f"{target:,} {unit}" if unit else f"{target} %"
    try:
        found = ask.inverse(question, settings, target if unit else target / 100)
    except NavalkitError as error:
        return plain.format(str(error))
    name, reached = inline(found.control.label), amount(found.reached, unit)
    if found.least is None:
        best = SAY("inverse.best", control=name, best=found.control.shown(found.best), reached=reached)
        return Markup("<p><b>{}</b> {}</p>").format(SAY("inverse.never", goal=goal), best)
    goal, gives = SAY("inverse.goal", goal=goal), SAY("inverse.gives", reached=reached)
    takes = SAY("inverse.takes", control=name, value=found.control.shown(found.least))
    return Markup("<p>{} <b>{}</b>, {}</p>").format(goal, takes, gives)


def gains(question: Question, settings: dict[str, Any], unit: str) -> Markup:
    """What one more brings, a line each, or why nothing does."""
    rows = [
        (each.name[:1].upper() + each.name[1:], change(each.after, each.before, unit),
         SAY("gain.to", value=amount(each.after, unit)))
        for each in ask.gain(question, settings)
    ]  # fmt: skip
    if not rows:
        return Markup("<p>{}</p>").format(question.say("no_gain") or SAY("gain.none"))
    lines = _each("<li>{}: <b>{}</b> <span class=nk-note>{}</span></li>", rows)
    return Markup("<ul class=nk-explore-gains>{}</ul>").format(lines)


def matters(question: Question) -> str:
    """The heading of the sensitivity bar."""
    return SAY("head.matters", what=question.say("sides.what"))


def sensitivity(question: Question, settings: dict[str, Any], unit: str) -> Markup:
    """A bar for each change: how far the answer goes to either side. The greatest come first, the least are left out"""
    rows = ask.sensitivity(question, settings)
    if not rows:
        return Markup("")
    here = float(ask.answer(question, settings).value)
    most = max(each.size for each in rows) or 1.0
    key = "tornado.first" if len(rows) > BARS else "tornado.all"
    head = _each("<th>{}</th>", (question.say(f"sides.{part}") for part in ("what", "down", "up")))
    bars = Markup("").join(_bar(question, each, here, most, unit) for each in rows[:BARS])
    form = "{}<table class=nk-explore-tornado><thead><tr>{}</tr></thead><tbody>{}</tbody></table>"
    return Markup(form).format(note(SAY(key, shown=BARS, all=len(rows))), head, bars)


def _bar(question: Question, each: Influence, here: float, most: float, unit: str) -> Markup:
    cells = []
    for side, word in ((each.down, "down"), (each.up, "up")):
        if side is None:
            cells.append(Markup("<td class=nk-explore-none-there>–</td>"))
            continue
        by = float(side[1]) - here
        sign = "more" if by > 0 else "less" if by < 0 else "same"
        to = each.control.shown(side[0])
        title = f"{each.name}, {question.say(f'sides.{word}')} ({to}): {amount(side[1], unit)}"
        cells.append(
            Markup("<td title='{}'><span data-sign='{}' style='width:{:.0f}%'></span><span>{}</span></td>").format(
                title, sign, 100 * abs(by) / most, change(side[1], here, unit)
            )
        )
    return Markup("<tr><th scope=row>{}</th>{}</tr>").format(each.name, Markup("").join(cells))


def run(tally: Tally | None, done: int, n: int, answer: Answer | None, seed: int, running: bool) -> Markup:
    """Where a Monte Carlo run stands: progress, estimate, and how far it is from the exact value."""
    bar = Markup("<progress max='{}' value='{}' aria-label='{}'></progress>").format(n, done, SAY("run.made"))
    if tally is None or not done:
        return Markup("{}<p>{}</p>").format(bar, SAY("run.press", n=n))
    lines = []
    if tally.tried > tally.n:
        lines.append(SAY("run.fit", n=tally.n, tried=tally.tried, share=tally.n / tally.tried))
    if answer is not None and tally.n:
        spread = (tally.error**2 + answer.error**2) ** 0.5
        away = abs(tally.mean - float(answer.value)) / spread if spread else 0.0
        lines.append(SAY("run.from-estimate" if answer.n else "run.from-exact", away=away))
    state = SAY("run.running" if running else "run.done" if done >= n else "run.paused")
    mean = f"{estimate(tally.mean, tally.error, answer.unit if answer else '')} {trials(tally.n)}"
    stands = note(SAY("run.stands", done=done, n=n, seed=seed, state=state))
    return Markup("{}<p><b>{}</b> {}</p>{}").format(bar, mean, " ".join(lines), stands)
