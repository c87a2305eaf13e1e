"""What the explorer says, as HTML: the number, what goes with it, and what lies beside it."""

from __future__ import annotations
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from time import perf_counter
from typing import Any

import numpy as np

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.errors import NavalkitError
from navalkit.core.files import written
from navalkit.core.game import OptionSpec
from navalkit.core.shown import Markup, html, many
from navalkit.explore import QUESTIONS, Answer, ask, picture, question
from navalkit.explore.ask import (
    Influence,
    amount,
    change,
    estimate,
    inline,
    parts,
    tornado_csv,
    tornado_picture,
    trials,
)
from navalkit.explore.picture import Beside
from navalkit.explore.question import SAY, Marks, Plot, Proof, Question, Tally
from navalkit.view.scene import Scene
from ..desk import Desk
from ..shell import Model, asked

# -- What the explorer is at: the question, its settings, what is pinned, the target. No widgets ---

PINS = 4
"""Settings that can be pinned at a time."""
_AIM = "aim"  # what a link calls the target: some questions have a control of that name


@dataclass(frozen=True)
class Pinned:
    """A setting kept to compare with, and its answer."""

    question: Question
    settings: dict[str, Any]
    answer: Answer


@dataclass(eq=False)
class ExploreModel(Model):
    """One reader's explorer."""

    question: Question = field(default_factory=lambda: next(iter(QUESTIONS.values())))
    all_settings: dict[str, dict[str, Any]] = field(
        default_factory=lambda: {id: each.settings() for id, each in QUESTIONS.items()}
    )
    targets: dict[str, int] = field(default_factory=lambda: {id: each.targets[2] for id, each in QUESTIONS.items()})
    pins: list[Pinned] = field(default_factory=list)
    map: tuple[str, str] | None = None
    """The controls across and down of the map, while it is wanted."""

    @property
    def languages(self) -> tuple[str, ...]:
        """Those of the present question."""
        return self.question.words.languages

    @property
    def settings(self) -> dict[str, Any]:
        """The present question's settings."""
        return self.all_settings[self.question.id]

    @property
    def target(self) -> int:
        """What the inverse question asks for: percent, or the answer's unit."""
        return self.targets[self.question.id]

    # What the reader does ------------------------------------------------------------------------------------------

    def choose(self, id: str) -> None:
        """Turn to a question; each keeps its own settings."""
        self._turn(question(id))
        self.say("")

    def _turn(self, to: Question) -> None:
        if to is not self.question:
            self.pins, self.map = [], None
        self.question = to

    def set(self, name: str, value: Any) -> None:
        """Move one control."""
        self.move({name: value})

    def move(self, values: Mapping[str, Any]) -> None:
        """Move some controls at once."""
        checked = {name: self.question.control(name).check(value) for name, value in values.items()}
        self.all_settings[self.question.id] = {**self.settings, **checked}
        self.say("")

    def mark(self, name: str, cell: str, by: int) -> None:
        """Take a cell of a board of marks to its next mark, or by some marks further."""
        control = self.question.control(name)
        assert isinstance(control, Marks)
        levels = control.levels(self.settings[name])
        levels[cell] = (levels.get(cell, 0) + by) % len(control.marks)
        self.set(name, control.write(levels))

    def aim(self, target: int) -> None:
        """Ask the inverse question for another target."""
        self.targets[self.question.id] = target
        self.say("")

    def reset(self) -> None:
        """All controls back to their defaults."""
        self.all_settings[self.question.id] = self.question.settings()
        self.say("")

    @property
    def pinned(self) -> list[Pinned]:
        """The pinned settings that are not the present ones, in the order in which they were pinned."""
        return [each for each in self.pins if each.settings != self.settings]

    @property
    def is_pinned(self) -> bool:
        """Whether the present settings are among the pinned ones."""
        return len(self.pinned) < len(self.pins)

    def pin(self, answer: Answer) -> None:
        """Keep the present setting and its answer, to compare with; of more than `PINS` the oldest goes."""
        self.pins = [*self.pins, Pinned(self.question, self.settings, answer)][-PINS:]
        self.say("")

    def unpin(self, *, all: bool = False) -> None:
        """Let the present setting go, or all that are pinned."""
        self.pins = [] if all else self.pinned
        self.say("")

    def back_to(self, n: int) -> None:
        """Bring the sliders back to a pinned setting; ``n``: which of `pins`."""
        if n < len(self.pins):
            self.all_settings[self.question.id] = dict(self.pins[n].settings)
            self.say("")

    def over(self, across: str, down: str) -> None:
        """Have a map of these two controls, or with the same ones none."""
        self.map = (across, down) if across != down else None
        self.say("")

    def link(self) -> str:
        """A query that brings back the question, and every control and the target if it is not at its default."""
        aim = {_AIM: str(self.target)} if self.target != self.question.targets[2] else {}
        return self.question.link(self.settings, **aim)

    def open_query(self, query: str) -> None:
        """What a page's address asks for; OptionError for a link that is wrong, and nothing is changed."""
        self.take(query)
        self.say("")

    def take(self, query: str) -> None:
        """The same, to be shown later."""
        words, _ = asked(query)
        chosen = question(words.pop("q")) if "q" in words else self.question
        names = {control.name for control in chosen.controls}
        settings = chosen.settings({name: value for name, value in words.items() if name in names})
        low, high, usual = chosen.targets
        aim = int(OptionSpec(_AIM, usual, "target", "", low, high).check(words.get(_AIM, usual)))
        self._turn(chosen)
        self.all_settings[chosen.id], self.targets[chosen.id] = settings, aim

    def stands(self) -> dict[str, Any]:
        """Where it stands, for `stand_at`."""
        copied = {"all_settings": dict(self.all_settings), "targets": dict(self.targets)}
        return {name: vars(self)[name] for name in ("question", "pins", "map")} | copied

    def stand_at(self, stood: Mapping[str, Any]) -> None:
        """Stand where it stood."""
        vars(self).update(stood)


BARS = 8
"""Rows of the sensitivity bar, at most."""


def heading(text: str) -> Markup:
    """A heading."""
    return html("<h3>{}</h3>", text)


def note(text: str, error: bool = False) -> Markup:
    """A sentence by the way, or what is wrong."""
    return html("<p class='{}'>{}</p>", "nk-bad" if error else "nk-note", text) if text else Markup()


def number(answer: Answer, pinned: Sequence[Pinned], settings: dict[str, Any], count: int) -> Markup:
    """The number: large, then as fraction, decimal and in words; and the pinned ones, if there are any."""
    value, unit = answer.value, answer.unit
    large = estimate(float(value), answer.error, unit) if answer.n else amount(value, unit)
    ways = [*parts(value, unit), *([("", trials(answer.n), "")] if answer.n else [])]
    form = (
        "<div data-count='{}'><p class=nk-said>{}</p><p class=nk-explore-big>{}</p>"
        "<div class=nk-explore-ways>{} <span class=nk-explore-exact>{}</span></div>{}</div>"
    )
    shown = many("{}", map(_way, ways))
    return html(form, count, answer.said, large, shown, answer.exactness,
                many("{}", (_pinned(answer, each, settings, n) for n, each in enumerate(pinned))))


def _way(way: tuple[str, str, str]) -> Markup:
    """A way to write the number; what is too long to read is a click away."""
    name, text, whole = way
    if not whole:
        return html("<span title='{}'>{}</span> ", name, text)
    return html("<details class=nk-explore-whole><summary>{}</summary>{}</details> ", text, whole)


def _pinned(answer: Answer, pinned: Pinned, settings: dict[str, Any], n: int) -> Markup:
    unit, differ = pinned.answer.unit, differing(pinned, settings)
    by = change(answer.value, pinned.answer.value, unit)
    where = SAY("pinned.other", settings=differ, change=by) if differ else SAY("pinned.same")
    head = SAY("pinned.value", value=amount(pinned.answer.value, unit))
    return html("<p class=nk-explore-pinned><i data-n={}>{}</i> <b>{}</b>{}</p>", n, picture.SIGNS[n], head, where)


def differing(pinned: Pinned, settings: Mapping[str, Any]) -> str:
    """In what pinned settings differ from the present ones, as people read it."""
    return "; ".join(
        f"{inline(control.label)} {control.shown(pinned.settings[control.name])}"
        for control in pinned.question.controls if pinned.settings[control.name] != settings[control.name]
    )


def trouble(text: str, count: int) -> Markup:
    """What is wrong, in place of the number."""
    return html("<div data-count='{}'><p class='nk-said nk-bad'>{}</p></div>", count, text)


def waiting(count: int) -> Markup:
    """That a slow answer is on its way."""
    form = "<div data-count='{}'><p class=nk-said>{}</p><p class=nk-explore-big>…</p></div>"
    return html(form, count, SAY("waiting"))


def words(answer: Answer) -> Markup:
    """The figures beside the number, the formula with the numbers put in, and the assumptions."""
    figures = many("<li>{}: <b>{}</b></li>", answer.beside)
    how, assumes = (many("<li>{}</li>", lines) for lines in (answer.how, answer.assumes))
    form = "{}<h3>{}</h3><ol>{}</ol><h3>{}</h3><ul>{}</ul>"
    shown = html("<ul class=nk-explore-facts>{}</ul>", figures)
    return html(form, shown, SAY("head.how"), how, SAY("head.assumes"), assumes)


def opened(proof: Proof | NavalkitError) -> Markup:
    """What an answer rests on: its rules, and the lines that reproduce it; or why there are none."""
    if not isinstance(proof, Proof):
        return html("<h3>{}</h3><p>{}</p>", SAY("head.proof"), proof)
    rules = many("<dt>{}</dt><dd>{}</dd>", proof.rules)
    form = "<h3>{}</h3><dl class=nk-explore-rules>{}</dl><h3>{}</h3><pre class=nk-explore-code tabindex=0>{}</pre>"
    return html(form, SAY("head.rules"), rules, SAY("head.proof"), proof.code)


def inverse(question: Question, settings: dict[str, Any], target: int, unit: str) -> Markup:
    """How much of the question's own control a target takes, or why that cannot be asked, in a sentence."""
    if not question.inverse:
        return html("<p>{}</p>", question.say("no_inverse"))
    goal = f"{target:,} {unit}" if unit else f"{target} %"
    try:
        found = ask.inverse(question, settings, target if unit else target / 100)
    except NavalkitError as error:
        return html("<p>{}</p>", error)
    name, reached = inline(found.control.label), amount(found.reached, unit)
    if found.least is None:
        best = SAY("inverse.best", control=name, best=found.control.shown(found.best), reached=reached)
        return html("<p><b>{}</b> {}</p>", SAY("inverse.never", goal=goal), best)
    goal, gives = SAY("inverse.goal", goal=goal), SAY("inverse.gives", reached=reached)
    takes = SAY("inverse.takes", control=name, value=found.control.shown(found.least))
    return html("<p>{} <b>{}</b>, {}</p>", goal, takes, gives)


def gains(question: Question, settings: dict[str, Any], unit: str) -> Markup:
    """What one more brings, a line each, or why nothing does."""
    rows = [
        (each.name[:1].upper() + each.name[1:], change(each.after, each.before, unit),
         SAY("gain.to", value=amount(each.after, unit)))
        for each in ask.gain(question, settings)
    ]
    if not rows:
        return html("<p>{}</p>", question.say("no_gain") or SAY("gain.none"))
    lines = many("<li>{}: <b>{}</b> <span class=nk-note>{}</span></li>", rows)
    return html("<ul class=nk-explore-gains>{}</ul>", lines)


def matters(question: Question) -> str:
    """The heading of the sensitivity bar."""
    return SAY("head.matters", what=question.say("sides.what"))


def sensitivity(question: Question, settings: dict[str, Any], unit: str) -> Markup:
    """A bar for each change: how far the answer goes to either side. The greatest come first, the least are left out"""
    rows = ask.sensitivity(question, settings)
    if not rows:
        return Markup()
    here = float(ask.answer(question, settings).value)
    most = max(each.size for each in rows) or 1.0
    key = "tornado.first" if len(rows) > BARS else "tornado.all"
    head = many("<th>{}</th>", (question.say(f"sides.{part}") for part in ("what", "down", "up")))
    bars = many("{}", (_bar(question, each, here, most, unit) for each in rows[:BARS]))
    form = "{}<table class=nk-explore-tornado><thead><tr>{}</tr></thead><tbody>{}</tbody></table>"
    return html(form, note(SAY(key, shown=BARS, all=len(rows))), head, bars)


def _bar(question: Question, each: Influence, here: float, most: float, unit: str) -> Markup:
    cells = []
    for side, word in ((each.down, "down"), (each.up, "up")):
        if side is None:
            cells.append(html("<td class=nk-explore-none-there>–</td>"))
            continue
        by = float(side[1]) - here
        sign = "more" if by > 0 else "less" if by < 0 else "same"
        to = each.control.shown(side[0])
        title = f"{each.name}, {question.say(f'sides.{word}')} ({to}): {amount(side[1], unit)}"
        form = "<td title='{}'><span data-sign='{}' style='width:{:.0f}%'></span><span>{}</span></td>"
        cells.append(html(form, title, sign, 100 * abs(by) / most, change(side[1], here, unit)))
    return html("<tr><th scope=row>{}</th>{}</tr>", each.name, many("{}", cells))


def run(tally: Tally | None, done: int, n: int, answer: Answer | None, seed: int, running: bool) -> Markup:
    """Where a Monte Carlo run stands: progress, estimate, and how far it is from the exact value."""
    bar = html("<progress max='{}' value='{}' aria-label='{}'></progress>", n, done, SAY("run.made"))
    if tally is None or not done:
        return html("{}<p>{}</p>", bar, SAY("run.press", n=n))
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
    return html("{}<p><b>{}</b> {}</p>{}", bar, mean, " ".join(lines), stands)


# -- A Monte Carlo run of the explorer: it can be paused, resumed and started again; the desk gives it its slices

SLOT = "run"
SLICE = 0.008
"""Seconds of trials at a time."""
SHOW = 0.12
"""Seconds between two looks at a run."""
POINTS = 60
"""Points of the curve of a run."""


class Run:
    """One Monte Carlo run. ``show`` is called now and then while it runs, and when it ends. ``tally``: what has come so
    far. ``curve``: trials, estimate and standard error, as it went on. ``n``: trials in all."""

    def __init__(self, desk: Desk, show: Callable[[], None]) -> None:
        self._desk, self._show = desk, show
        self.seed, self.n = 1, 20_000
        self._of: tuple[Question, dict[str, Any]] | None = None
        self.clear()

    @property
    def running(self) -> bool:
        """Whether trials are being made."""
        return self._desk.busy(SLOT)

    @property
    def done(self) -> int:
        """Trials made."""
        return self.tally.tried if self.tally else 0

    def of(self, question: Question, settings: dict[str, Any]) -> None:
        """Say what to simulate; if that is new, what came before is dropped, and a run that was going begins anew."""
        if self._of and self._of[0] is question and self._of[1] == settings:
            return
        again = self.running and self._of is not None and self._of[0] is question
        self._of = question, dict(settings)
        self.clear()
        if again:
            self.start()

    def start(self) -> None:
        """Begin, or go on; from the start with the next seed if it had come to its end."""
        if self.running or self._of is None:
            return
        if self.done >= self.n:
            self.seed += 1
            self.clear()
        of = self._of
        self._desk.ask(SLOT, Awaited(object(), lambda: self._steps(*of)), lambda _: self._show())

    def pause(self) -> None:
        """Stop for now."""
        self._desk.cancel(SLOT)

    def clear(self) -> None:
        """Stop, and drop what has come."""
        self.pause()
        self.tally: Tally | None = None
        self.curve: list[tuple[int, float, float]] = []
        self._rng = np.random.default_rng(self.seed)
        self._size = 16

    def _steps(self, question: Question, settings: dict[str, Any]) -> Steps[None]:
        shown = 0.0
        while self.done < self.n:
            self.chunk(question, settings)
            if perf_counter() - shown > SHOW:
                self._show()
                shown = perf_counter()
            yield None

    def chunk(self, question: Question, settings: dict[str, Any]) -> None:
        """As many trials as fit in a slice of time."""
        begin = perf_counter()
        part = question.simulate(settings, self._rng, min(self._size, self.n - self.done))
        took = max(perf_counter() - begin, 1e-5)
        self._size = max(1, min(2 * self._size, int(self._size * SLICE / took)))
        self.tally = part if self.tally is None else self.tally + part
        if self.tally.n:
            self.curve.append((self.tally.tried, self.tally.mean, self.tally.error))
        if len(self.curve) > 2 * POINTS:
            self.curve = [*self.curve[:-1:2], self.curve[-1]]


# -- The charts of an answer as they are saved: a table, and a picture that says where it is from --

Over = tuple[Plot, Beside, Sequence[Beside]]
"""A chart with what was simulated, and what was pinned."""


@dataclass(frozen=True)
class Export:
    """A chart as it is saved: its name, and what makes the table and the picture."""

    name: str
    table: Callable[[], str]
    scene: Callable[[], Scene]


def over(answer: Answer | None, tally: Tally | None, pinned: Sequence[Pinned]) -> list[Over]:
    """Every chart of an answer with what was simulated and what was pinned."""
    rows: list[Over] = []
    for i, plot in enumerate(answer.plots if answer else ()):
        counts = tally.bars[i] if tally else None
        others = [each.answer.plots[i] if i < len(each.answer.plots) else None for each in pinned]
        shares = picture.shares(counts, tally.n if tally else 0, len(plot.x))
        rows.append((plot, shares, [picture.beside(plot, other) for other in others]))
    return rows


def chart(question: Question, shown: Over, link: str) -> Export:
    """One of the answer's charts."""
    return Export(f"{question.id}-{shown[0].key}", lambda: picture.csv_text(*shown),
                  lambda: picture.picture(*shown, link))


def simulated(question: Question, answer: Answer, run: Run) -> Export:
    """How the simulated share came near the answer."""
    title = SAY("run.title", said=answer.said.rstrip("."))
    return Export(f"{question.id}-run", lambda: picture.run_csv(run.curve),
                  lambda: picture.run_picture(run.curve, run.n, float(answer.value), answer.unit, title))


def influences(question: Question, settings: Mapping[str, Any], answer: Answer) -> Export:
    """Which control matters most."""
    rows, title = ask.sensitivity(question, settings), f"{question.title} {matters(question)}"
    return Export(f"{question.id}-sensitivity", lambda: tornado_csv(rows, answer.value, question),
                  lambda: tornado_picture(rows[: BARS], answer.value, answer.unit, question, title))


def over_two(question: Question, across: str, down: str, found: ask.Map) -> Export:
    """The map of two controls: a table with a row for each value of the one, and a picture."""
    one, two = question.control(across), question.control(down)
    xs, ys = (list(dict.fromkeys(key[i] for key in found)) for i in (0, 1))
    head = [f"{two.label} / {one.label}", *(one.text(x) for x in xs)]
    rows: list[list[Any]] = [[two.text(y), *("" if (v := found[x, y]) is None else float(v) for x in xs)] for y in ys]
    values = [(i, j, float(v)) for (i, j) in product(range(len(xs)), range(len(ys)))
              if (v := found[xs[i], ys[j]]) is not None]
    return Export(f"{question.id}-map", lambda: written([head, *rows]),
                  lambda: picture.heat(question.title, (one.label, two.label), (head[1:], [row[0] for row in rows]),
                                       values))
