"""The widgets around a board: order buttons, the box for typed orders, and the stepper."""

from __future__ import annotations
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

import traitlets
from ipywidgets import Layout

from navalkit.core.files import Rule
from navalkit.core.registry import package
from navalkit.core.trace import Decision, Finding
from navalkit.core.words import ENGLISH, Event, voice
from navalkit.view.drawings import HEIGHT, RATIO, card, drawing
from navalkit.view.lobby import has_tutorial, tutorial
from navalkit.view.page import Order, Table
from navalkit.view.scene import Layer, Scene
from .. import SAY
from ..widgets import (
    HTML,
    Box,
    Button,
    Checkbox,
    Heard,
    IntSlider,
    KeyButton,
    Playback,
    Scripted,
    Spoken,
    Text,
    VBox,
    box,
    classed,
)


class OrderButtons(Scripted):
    """The legal actions as buttons, each with its odds and a bar as long as they are. A press on one is an order of
    the page's journal (`Controller.take`)."""

    _esm = Path(__file__).with_name("orders.js")
    rows: Any = traitlets.List().tag(sync=True)
    """Of each button its label, odds, help, group, whether it is the primary one, and the order's notation."""
    hinted = traitlets.Int(-1).tag(sync=True)
    """The button that a hint speaks of."""
    note = traitlets.Unicode().tag(sync=True)
    """What stands in the place of the buttons where there are none."""

    def __init__(self) -> None:
        super().__init__()
        self._orders: Sequence[Order] = ()

    def show(self, orders: Sequence[Order], note: str = "") -> None:
        """Show these orders and no others, or a note; odds that are awaited come with `tell`."""
        with self.hold_sync():
            self.hinted, self.note, self._orders = -1, note, orders
            self.rows = [_row(order, order.odds if isinstance(order.odds, str) else "…") for order in orders]

    def tell(self, number: int, odds: str) -> None:
        """Write the odds of an order on its button."""
        rows = list(self.rows)
        rows[number] = _row(self._orders[number], odds)
        self.rows = rows

    def hint(self, action: Any) -> None:
        """Light the button of an action, if it has one."""
        self.hinted = next((n for n, order in enumerate(self._orders) if order.action == action), -1)


def _row(order: Order, odds: str) -> list[Any]:
    return [order.label, odds, order.help, order.group, order.primary, order.text]


class OrderBox(Box, Spoken):
    """The box for typed orders. Enter gives the order; the text stays if it was wrong."""

    def __init__(self, give: Callable[[str], None], example: str) -> None:
        self._give, self._example = give, example
        self.text = Text()
        self.text.add_class("nk-order")
        self.text.on_msg(self._heard)
        super().__init__([self.text, KeyButton("give", lambda _: self._submit())])
        self.add_class("nk-play-order-box")
        self.relabel()

    def relabel(self) -> None:
        self.text.placeholder, self.text.tooltip = SAY("box", example=self._example), SAY("box.help")

    def _heard(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if isinstance(content, dict) and content.get("event") == "submit":
            self._submit()

    def _submit(self) -> None:
        self._give(self.text.value)

    def clear(self) -> None:
        """Empty the box: the order was taken."""
        self.text.value = ""


class Stepper(Playback):
    """Step back and forward through a game: first, back, play, forward, last, a slider and a speed. ``look`` is called
    with the step to look at. ``on`` is called for a further step at the end of a game that machines play."""

    def __init__(self, look: Callable[[int], None], on: Callable[[], None]) -> None:
        self._look, self._on = look, on
        self._last, self._goes_on = 0, False
        self._marked: tuple[tuple[int, str, str], ...] = ()
        self._heard = Heard()
        super().__init__()
        self.slider = IntSlider(0, 0, 0, description=SAY("step"), readout=True)
        self._heard.value(self.slider, self._go)
        self.marks = box("nk-play-marks")
        self.first = KeyButton("step.first", lambda _: self._go(0), "nk-step-glyph")
        self.back = KeyButton("step.back", lambda _: self._go(self.slider.value - 1), "nk-step-glyph")
        self.forward = KeyButton("step.forward", lambda _: self.by_hand(self.step), "nk-step-glyph")
        self.last = KeyButton("step.last", lambda _: self._go(self._last), "nk-step-glyph")
        self.widget = box("nk-play-stepper", self.first, self.back, self.play, self.forward, self.last,
                          box("nk-play-track", self.slider, self.marks), self.speed)

    def mark(self, marks: Sequence[tuple[int, str, str]]) -> None:
        """Mark steps on the time line, each with a sign, and what it was as its tooltip; a press goes there."""
        if self._marked == tuple(marks):
            return
        self._marked, buttons = tuple(marks), []
        for step, sign, said in marks:
            button = Button(description=sign, tooltip=said, layout=Layout(left=f"{step / max(1, self._last):.1%}"))
            button.add_class("nk-play-mark")
            button.on_click(lambda _, step=step: self._go(step))
            buttons.append(button)
        self.marks.children = tuple(buttons)

    def show(self, ply: int, last: int, *, goes_on: bool = False) -> None:
        """Show where one is, without stepping there; ``goes_on``: a step from the end is one more of the game."""
        if self.playing and last > self._last:
            self.seen()
        self._last, self._goes_on = last, goes_on
        self.slider.description = SAY("step")
        with self._heard.quietly():
            self.slider.max = last
            self.slider.value = ply
        self.first.disabled = self.back.disabled = ply == 0
        self.last.disabled = ply == last
        self.forward.disabled = ply == last and not goes_on
        self.play.disabled = last == 0 and not goes_on
        if self.at_end:
            self.stop()

    @property
    def at_end(self) -> bool:
        return bool(self.slider.value >= self._last) and not self._goes_on

    def step(self) -> None:
        """Look at the next step, or have it played."""
        if self.slider.value < self._last:
            self._look(self.slider.value + 1)
        else:
            self._on()

    def rewind(self) -> bool:
        self._look(0)
        return True

    def _go(self, ply: int) -> None:
        self.by_hand(lambda: self._look(ply))


# -- The rules on a page: how to win on one screen, then the rule book, a search, and its sources behind a switch

_WIDE, _CARD = 72.0, 44.0  # px of a section's picture, and of a card of the primer


class RuleBook(VBox, Spoken):
    """The rules of a game. ``name``: the game. ``safe`` puts a callback inside the page's error boundary."""

    def __init__(self, name: str, safe: Callable[[Callable[[Any], None]], Callable[..., None]]) -> None:
        self._name = name
        self._rules: Mapping[str, Rule] = {}
        self.win, self.text = HTML(), classed(HTML(), "nk-play-rule-book")
        self.search, self.sources = Text(continuous_update=True), Checkbox(indent=False)
        for asked in (self.search, self.sources):
            asked.observe(safe(lambda _: self._tell()), "value")
        super().__init__([self.win, box("nk-ask", self.search, self.sources), self.text])
        self.add_class("nk-play-book")
        self.relabel()

    def relabel(self) -> None:
        self.search.placeholder = self.search.tooltip = SAY("rules.search")
        self.sources.description = SAY("rules.sources")

    def shows(self, rules: Mapping[str, Rule]) -> bool:
        """Whether these are shown already."""
        return rules is self._rules

    def show(self, rules: Mapping[str, Rule]) -> None:
        """Show these rules; nothing is done where they are shown already."""
        if not self.shows(rules):
            self._rules, self.win.value = rules, how_to_win(self._name)
            self.relabel()
            self._tell()

    def _tell(self) -> None:
        self.text.value = book(self._rules, self.search.value, sources=self.sources.value)


def how_to_win(name: str) -> str:
    """How a game is won, on one screen with its picture, before its rule book; "" where nothing says it."""
    if not has_tutorial(name):
        return ""
    lines = "".join(f"<li>{escape(line)}</li>" for line in tutorial(name).how_to_win)
    lang = voice().lang
    asked = "?first=1" if lang == ENGLISH else f"?first=1&lang={lang}"
    again = f'<p><a href="{escape(asked)}">{escape(SAY("first.again"))}</a></p>'
    head = f"<h3>{escape(SAY('first.win'))}</h3>{package(name).picture}"
    examples = "".join(f"<li>{_hand(each.cards)}{escape(each.text)}</li>" for each in tutorial(name).primer)
    primer = f"<h3>{escape(SAY('first.primer'))}</h3><ul class=nk-play-primer>{examples}</ul>" if examples else ""
    return f"<section class=nk-play-win>{head}<ol>{lines}</ol>{again}{primer}</section>"


def book(rules: Mapping[str, Rule], search: str = "", *, sources: bool = False) -> str:
    """The rules by section, each with its picture; of a search those that have all of its words."""
    words = search.lower().split()
    found = [(id, rule)
             for id, rule in rules.items() if all(word in f"{id} {rule.section} {rule.text}".lower() for word in words)]
    if not found:
        return f"<p class=nk-note>{escape(SAY('rules.none'))}</p>"
    parts = []
    for (section, picture), group in groupby(found, key=lambda each: (each[1].section, each[1].picture)):
        head = f"<h3>{_picture(picture) if picture else ''}{escape(section)}</h3>" if section else ""
        rows = "".join(f"<dt>{escape(id)}</dt><dd>{escape(rule.text)}"
                       + (f" <span class=nk-note>[{escape(_source(rule))}]</span>" if sources else "")
                       + "</dd>"
                       for id, rule in group)
        parts.append(f"{head}<dl class=nk-play-rules>{rows}</dl>")
    return "".join(parts)


def _source(rule: Rule) -> str:
    ours = {"": "", "yes": SAY("rule.ours")}
    ruling = ours.get(rule.ruling, SAY("rule.because", why=rule.ruling))
    return "; ".join(part for part in (rule.source.replace("seed", SAY("rule.source")), ruling) if part)


@cache
def _picture(name: str) -> str:
    high = HEIGHT * _WIDE
    return _drawn(Scene(_WIDE, high, (Layer("picture", drawing(name, _WIDE, _WIDE / 2, high / 2)),)))


@cache
def _hand(cards: tuple[str, ...]) -> str:
    """Cards beside one another."""
    high = _CARD * RATIO
    shapes = tuple(shape for n, each in enumerate(cards) for shape in card(n * (_CARD + 4), 0, _CARD, high, each))
    return _drawn(Scene(len(cards) * (_CARD + 4), high, (Layer("cards", shapes),)))


def _drawn(scene: Scene) -> str:
    from navalkit.view.painters import svg

    return svg(scene, background=False)


# -- Texts of a page as HTML; everything from a game or a file is escaped here ---------------------

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
        f"<p>{chosen} {escape(str(decision.reason))}</p>" + (f"<ul class=nk-lines>{findings}</ul>" if findings else "")
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
