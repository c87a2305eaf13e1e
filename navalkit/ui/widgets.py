"""ipywidgets' own widgets, but that all of them share one layout and one style until they are given their own.

A page has hundreds of widgets. With a layout and a style each, as ipywidgets makes them, it would have three times as
many: each one a message from Python and a model in the browser before the first board is there. Looks come from style
sheets, by class, so a layout says no more than whether a widget is on the page (`shown`).
"""

from __future__ import annotations
import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import ipywidgets
from anywidget import AnyWidget
from ipywidgets import DOMWidget, Layout, Widget
from traitlets import default, validate

from navalkit.core.shown import Markup, html, many, paragraph
from navalkit.core.words import Words, local, speaking, voice
from navalkit.teach.checking import Verdict, check
from navalkit.teach.exercises.book import Entry
from navalkit.teach.exercises.exercise import Choice, Function
from navalkit.teach.say import SAY as TEACH
from navalkit.view.art import curve_top
from navalkit.view.page import Chart
from . import SAY


@cache
def _layout(display: str) -> Layout:
    return Layout(display=display)


@cache
def _style(kind: type[Any]) -> Any:
    return kind()


def share_anew() -> None:
    """Have the widgets to come share nothing with those there are."""
    _layout.cache_clear()
    _style.cache_clear()


class Plain(ipywidgets.DOMWidget):
    """A widget that shares its layout and style; pass it ``layout`` or ``style`` for one that may be changed."""

    @default("layout")
    def _shared_layout(self) -> Layout:
        return _layout("")

    @default("style")
    def _shared_style(self) -> Any:
        return _style(self.traits()["style"].klass)


class Box(Plain, ipywidgets.Box): ...


class VBox(Box, ipywidgets.VBox): ...


class Tab(Box, ipywidgets.Tab): ...


class HTML(Plain, ipywidgets.HTML):
    """Shows HTML; what is no `Markup` as the text that it is."""

    @validate("value")
    def _safe(self, proposal: dict[str, Any]) -> Markup:
        return html("{}", proposal["value"])


class Button(Plain, ipywidgets.Button): ...


class Checkbox(Plain, ipywidgets.Checkbox): ...


class Combobox(Plain, ipywidgets.Combobox): ...


class Dropdown(Plain, ipywidgets.Dropdown): ...


class IntSlider(Plain, ipywidgets.IntSlider): ...


class BoundedIntText(Plain, ipywidgets.BoundedIntText): ...


class Text(Plain, ipywidgets.Text): ...


class Textarea(Plain, ipywidgets.Textarea): ...


class Scripted(Plain, AnyWidget):
    """A widget with a script of its own."""

    @default("layout")
    def _own_layout(self) -> Layout:
        return Layout()  # where it is given another, the browser goes on with the first

    def hear(self, **calls: Callable[[dict[str, Any]], object]) -> None:
        """Have these called with what the script says, each by the name of its event."""

        def heard(_widget: Any, message: dict[str, Any], _buffers: Any) -> None:
            if call := calls.get(message.get("event", "")):
                call(message)

        self.on_msg(heard)


def shown(widget: ipywidgets.DOMWidget, on: bool) -> None:
    """Have a widget on the page, or take it away; what is as it should be sends nothing."""
    wanted, other = _layout("" if on else "none"), _layout("none" if on else "")
    if widget.layout is other:
        widget.layout = wanted
    elif widget.layout is not wanted:
        widget.layout.display = "" if on else "none"


def is_shown(widget: ipywidgets.DOMWidget) -> bool:
    """Whether a widget is on the page."""
    return bool(widget.layout.display != "none")


# -- Answers on a page of Voila, where nobody can write into a cell: a box to type into, or buttons to choose from

_BUTTONS = 6
"""With more choices than these the answer is typed."""


class AnswerBox:
    """What stands on a page under the question of an exercise. ``said``: what came of the last answer."""

    def __init__(self, question: Entry) -> None:
        self.id, self.said = question.id, HTML()
        kind = question.kind
        self.cases: tuple[tuple[Any, ...], ...] = kind.cases if isinstance(kind, Function) else ()
        self.fields: list[Text] = []
        self.buttons: list[Button] = []
        if isinstance(kind, Choice) and 0 < len(kind.choices) <= _BUTTONS:
            self.buttons = [_button(choice, self._chosen) for choice in kind.choices]
            rows = [VBox(self.buttons)]
        else:
            calls = [f"({', '.join(map(str, case))})" for case in self.cases] or [""]
            self.fields = [_field(call) for call in calls]
            self.buttons = [_button(TEACH("page.check"), self._typed)]
            if not self.cases:  # of many, one that is mended is no try before the rest is
                self.fields[0].observe(self._typed, "value")
            rows = [*self.fields, *self.buttons] if self.cases else [Box([*self.fields, *self.buttons])]
        note = [HTML(paragraph(TEACH("page.cases")))] if self.cases else []
        self.widget = VBox([*note, *rows, self.said])
        self.widget.add_class("nk-answer")
        if self.cases:
            self.widget.add_class("nk-answer-cases")

    def _chosen(self, pressed: Button) -> None:
        for each in self.buttons:
            each.button_style = "primary" if each is pressed else ""
        self._tell(check(self.id, pressed.description))

    def _typed(self, _pressed: Any) -> None:
        typed = [each.value.strip() or None for each in self.fields]
        if not self.cases:
            self._tell(check(self.id, typed[0]))
            return
        given = dict(zip(self.cases, typed, strict=True))
        self._tell(check(self.id, (lambda *case: given[case]) if all(typed) else None))

    def _tell(self, verdict: Verdict) -> None:
        self.said.value = verdict._repr_html_()


def _field(call: str) -> Text:
    style = {"description_width": "initial"}
    made = Text(description=call, placeholder=TEACH("page.answer"), continuous_update=False, style=style)
    made.tooltip = TEACH("page.answer_to", call=call) if call else TEACH("page.answer")
    return made


def _button(text: str, call: Any) -> Button:
    made = Button(description=text)
    made.on_click(call)
    return made


# -- HTML that changes a little at a time: of a long log, only its new lines are sent --------------

def _alike(one: str, two: str) -> int:
    """How many signs both begin with, halving: a comparison of two pieces takes no step of Python's for each sign."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


class LongHTML(Scripted):
    """Shows HTML, as `HTML` does; ``value`` is all of it."""

    _esm = Path(__file__).with_name("markup.js")

    def __init__(self) -> None:
        super().__init__()
        self._value, self._wide = Markup(), False
        self.hear(ready=lambda _: self._send_all())  # a browser that has just come

    @property
    def value(self) -> Markup:
        """The markup."""
        return self._value

    @value.setter
    def value(self, given: str) -> None:
        old, self._value = str(self._value), html("{}", given)
        value = str(self._value)
        if value == old:
            return
        # A browser counts some signs as two: then places do not agree.
        old_wide, self._wide = self._wide, len(value.encode("utf-16-le", "surrogatepass")) > 2 * len(value)
        if old_wide or self._wide:
            self._send_all()
            return
        before = _alike(old, value)
        behind = _alike(old[before:][::-1], value[before:][::-1])
        self.send({"before": before, "behind": behind, "text": value[before : len(value) - behind]})

    def _send_all(self) -> None:
        self.send({"before": 0, "behind": 0, "text": self._value, "fresh": True})


# -- Charts of a page: a row a category, with its bar and its figure, legible at every width and to every reader

class BarChart:
    """One `Chart`, kept up to date by `show`."""

    def __init__(self) -> None:
        self.widget = LongHTML()
        self.widget.add_class("nk-chart")

    def wait(self) -> None:
        """Fade what is shown: it belongs to another position, and the chart of this one is still being calculated."""
        self.widget.add_class("nk-stale")

    def show(self, chart: Chart) -> None:
        """Draw the chart. Without categories there are title and note alone."""
        self.widget.remove_class("nk-stale")
        self.widget.value = _drawn(chart)


def _drawn(chart: Chart) -> Markup:
    top = 1.0 if chart.percent else max(1.0, max(chart.y, default=1.0))
    rows = many("<tr><th scope=row>{}</th><td><i style='width:{:.1f}%'></i></td><td>{}</td></tr>",
                ((x, 100 * y / top, label) for x, y, label in zip(chart.x, chart.y, chart.labels, strict=True)))
    table = html("<table class=nk-bars aria-label='{}'>{}</table>", chart.title, rows) if rows else ""
    return html("<h3>{}</h3>", chart.title) + table + html("<p class=nk-note>{}</p>", chart.note)


def curve(title: str, line: Sequence[tuple[int, float, float]], marked: Sequence[int], note: str, *,
          percent: bool, ringed: int | None = None) -> Markup:
    """A value over the steps of a game as HTML: a line in a band of its standard error, some steps marked and numbered.
    ``line``: step, value and standard error, in order. ``marked``: steps that get a dot with their number in this
    sequence, from 1. ``note``: how it was found. ``percent``: whether values are chances, drawn from 0 to 100 %.
    ``ringed``: the step that decided it, which gets a ring."""
    last = max(1, line[-1][0])
    top = curve_top(line, percent)

    def at(step: float, value: float) -> tuple[float, float]:
        return 40 + 300 * step / last, 110 - 100 * min(max(value / top, 0), 1)

    def points(places: Iterable[tuple[float, float]]) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)

    band = [at(x, y + e) for x, y, e in line] + [at(x, y - e) for x, y, e in reversed(line)]
    steps = [(top * share, 110 - 100 * share) for share in (0.0, 0.5, 1.0)]
    axis = many(
        "<path d='M40 {0:.0f}h300' stroke='currentColor' stroke-opacity='.2'/>"
        "<text x='36' y='{1:.0f}' text-anchor='end'>{2}</text>",
        ((y, y + 4, local(f"{value:.0%}" if percent else f"{value:,.3g}" if value < 100 else f"{value:,.0f}"))
         for value, y in steps),
    )
    values = (max((each for each in line if each[0] <= step), default=line[0])[1] for step in marked)
    dots = many(
        "<circle cx='{0:.1f}' cy='{1:.1f}' r='7' fill='var(--accent, #d55e00)'/>"
        "<text x='{0:.1f}' y='{2:.1f}' text-anchor='middle' fill='var(--on-accent, #fff)'>{3}</text>",
        ((x, y, y + 4, number) for number, (x, y) in enumerate(map(at, marked, values), 1)),
    )
    if ringed is not None:
        x, y = at(ringed, max((each for each in line if each[0] <= ringed), default=line[0])[1])
        dots += html("<circle data-ring cx='{:.1f}' cy='{:.1f}' r='11' fill='none' stroke-width='3.5' "
                     "stroke='var(--evidence, #e69f00)'/>", x, y)
    form = (
        "<h3>{0}</h3><svg class=nk-curve viewBox='-16 0 366 130' role=img aria-label='{0}' font-size='12' "
        "fill='currentColor'>{1}<polygon points='{2}' fill='var(--bar, #0072b2)' fill-opacity='.25'/>"
        "<polyline points='{3}' fill='none' stroke='var(--bar, #0072b2)' stroke-width='2'/>{4}"
        "<text x='40' y='126'>{5}</text><text x='340' y='126' text-anchor='end'>{6}</text></svg>"
        "<p class=nk-note>{7}</p>"
    )
    graph = points(at(x, y) for x, y, _ in line)
    return html(form, title, axis, points(band), graph, dots, line[0][0], line[-1][0], note)


# -- Widgets with words of their own: made from sentences by key, and said anew when the reader changes the language

W = TypeVar("W", bound=DOMWidget)


def classed(widget: W, *classes: str) -> W:
    """The widget, with these CSS classes."""
    for name in classes:
        widget.add_class(name)
    return widget


def keyed(widget: W, key: str) -> W:
    """The widget, with the CSS class of its key: of "undo.yes" it is ``.nk-key-undo-yes``."""
    return classed(widget, f"nk-key-{re.sub('[^a-z0-9]+', '-', key)}")


def button(label: str, title: str, call: Callable[[], object], *classes: str) -> Button:
    """A button with a tooltip, which is also its name for screen readers where the label is a sign."""
    made = Button(description=label, tooltip=title)
    made.on_click(lambda _: call())
    return classed(made, *classes)


class Spoken(DOMWidget):
    """A widget with words of its own: `relabel` says them anew, for a reader who has changed the language."""

    def relabel(self) -> None:
        """Say its words to the present reader."""


class KeyButton(Button, Spoken):
    """A button whose label is the sentence KEY, and whose tooltip, its name for screen readers, is KEY.help. ``key``:
    the label may be changed to another key's by `say`. ``call`` is called with the button when it is pressed.
    ``*classes``: CSS classes beside its key's (`keyed`). ``words``: where the sentences are."""

    def __init__(self, key: str, call: Callable[..., None], *classes: str, words: Words = SAY) -> None:
        super().__init__()
        self._words, self._label, self._tip = words, key, f"{key}.help"
        self._facts: dict[str, Any] = {}
        self.on_click(call)
        classed(keyed(self, key), *classes)
        self.relabel()

    def say(self, key: str, **facts: Any) -> None:
        """Change the label, filled with ``facts``, and the tooltip where the new key has one."""
        self._label, self._facts = key, facts
        self._tip = f"{key}.help" if f"{key}.help" in self._words else self._tip
        with speaking(self._voice):  # a timer speaks to nobody
            self.relabel()

    def relabel(self) -> None:
        self._voice = voice()
        self.description, self.tooltip = self._words(self._label, **self._facts), self._words(self._tip)


class KeyCheck(Checkbox, Spoken):
    """A box to tick whose label is the sentence KEY of ``words``."""

    def __init__(self, key: str, words: Words = SAY) -> None:
        super().__init__(indent=False)
        self._words, self._label = words, key
        self.relabel()

    def relabel(self) -> None:
        self.description = self._words(self._label)


def maker(guard: Callable[..., Callable[..., None]], words: Words = SAY) -> Callable[..., KeyButton]:
    """What makes buttons: of a key, what a press calls inside ``guard``, and CSS classes."""

    def made(key: str, call: Callable[[], object], *classes: str) -> KeyButton:
        return KeyButton(key, guard(lambda _: call()), *classes, words=words)

    return made


class Heard:
    """Hears what a reader chooses; what the page itself sets, `quietly`, nobody is told of."""

    def __init__(self) -> None:
        self._quiet = False

    def value(self, widget: Widget, call: Callable[[Any], object]) -> None:
        """Call with the widget's new value."""
        widget.observe(lambda change: None if self._quiet else call(change["new"]), "value")

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Within it values are the page's."""
        self._quiet = True
        try:
            yield
        finally:
            self._quiet = False


def relabel(root: Widget) -> None:
    """Say all words of a widget, and of what is inside it, to the present reader."""
    if isinstance(root, Spoken):
        root.relabel()
    if isinstance(root, Box):
        for child in root.children:
            relabel(child)


def box(name: str, *children: Widget, column: bool = False) -> Box:
    """A row, or a column, of CSS classes."""
    return classed(VBox(children) if column else Box(children), *name.split())


# -- Stepping by itself: a button that plays and stops, and a speed --------------------------------

SPEEDS = {"slow": 2.0, "normal": 1.0, "fast": 0.35}
"""Seconds a step."""


class SpeedChoice(Dropdown, Spoken):
    """How fast something steps by itself: its value is seconds a step."""

    def __init__(self) -> None:
        super().__init__(options=[("", seconds) for seconds in SPEEDS.values()], value=SPEEDS["normal"])
        self.add_class("nk-speed")
        self.relabel()

    def relabel(self) -> None:
        seconds: float = self.get_interact_value()
        self.options = [(SAY(f"speed.{name}"), seconds) for name, seconds in SPEEDS.items()]
        self.value, self.tooltip = seconds, SAY("speed")


class Playback(ABC):
    """What steps by itself while ``playing``, until it is at its end or is stopped."""

    def __init__(self) -> None:
        self.play, self.speed = KeyButton("play", lambda _: self.toggle()), SpeedChoice()
        self.linger = 0.0
        """Seconds that what is shown now takes to be seen: the next step waits for it."""
        self._timer: asyncio.TimerHandle | None = None

    @property
    @abstractmethod
    def at_end(self) -> bool:
        """Whether there is no further step."""

    @abstractmethod
    def step(self) -> None:
        """Go one step on."""

    def rewind(self) -> bool:
        """Go from the end to where playing begins anew; False where it does not."""
        return False

    @property
    def playing(self) -> bool:
        """Whether it steps by itself."""
        return self._timer is not None

    def toggle(self) -> None:
        """Play, or stop."""
        if self.playing:
            self.stop()
            return
        if not self.at_end or self.rewind():
            self.play.say("play.stop")
            self._schedule()

    def stop(self) -> None:
        """Step no further by itself."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.play.say("play")

    def by_hand(self, call: Callable[..., None]) -> None:
        """What a press of a reader does: it steps no further by itself."""
        self.stop()
        call()

    def tick(self) -> None:
        """One step by itself."""
        self._timer = None
        if not self.at_end:
            self.step()
        if self.at_end:
            self.stop()
        else:
            self._schedule()

    def seen(self) -> None:
        """Wait anew: what was asked for has only now come."""
        if self._timer is not None:
            self._timer.cancel()
            self._schedule()

    def _schedule(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(max(self.speed.value, self.linger), self.tick)
