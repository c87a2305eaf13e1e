"""The widgets around a board: order buttons, the box for typed orders, the stepper, and what a reader takes home."""

from __future__ import annotations
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import traitlets
from ipywidgets import Layout

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.files import Rule
from navalkit.core.match import Match
from navalkit.core.registry import package, page_url
from navalkit.core.seeds import fresh_seed
from navalkit.core.shown import Markup, html, many
from navalkit.core.trace import Decision, Finding
from navalkit.core.words import ENGLISH, Event, Text as Worded, Voice, number, voice
from navalkit.view.drawings import HEIGHT, RATIO, card, drawing
from navalkit.view.lobby import EXPLORER, chapters, has_tutorial, tutorial
from navalkit.view.page import Aims, Camp, Glance, Order, Table
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
    maker,
)

if TYPE_CHECKING:
    from ..shell import Bridge
    from .controller import Controller


def explored(glance: Glance[Any, Any, Any]) -> Awaited[Markup]:
    """A link to the explorer with the settings of a position, or nothing where no question arises. It is made after the
    board, for the first one has the game's questions loaded."""

    def made() -> Steps[Markup]:
        yield from ()  # in one slice
        from navalkit.explore import opened

        query = opened(glance)
        form = '<p><a href="{}{}" target=_blank rel=noopener title="{}">{}</a></p>'
        shown = html(form, page_url(EXPLORER), query, SAY("explore.help"), SAY("explore"))
        return shown if query else Markup()

    return Awaited(object(), made)


class OrderButtons(Scripted):
    """The legal actions as buttons, each with its odds and a bar as long as they are. A press on one is an order of
    the page's journal (`Controller.take`)."""

    _esm = Path(__file__).with_name("orders.js")
    rows: Any = traitlets.List().tag(sync=True)
    """Of each button its label, odds, help, group, whether it is the primary one, the order's notation, and whether the
    board gives it as well."""
    hinted = traitlets.Int(-1).tag(sync=True)
    """The button that a hint speaks of."""
    note = traitlets.Unicode().tag(sync=True)
    """What stands in the place of the buttons where there are none."""
    cards = traitlets.Unicode().tag(sync=True)
    """The same on a phone where the board gives every one of them."""

    def __init__(self) -> None:
        super().__init__()
        self._orders: Sequence[Order] = ()

    def show(self, orders: Sequence[Order], note: str = "", cards: str = "") -> None:
        """Show these orders and no others, or a note; odds that are awaited come with `tell`."""
        with self.hold_sync():
            self.hinted, self.note, self.cards, self._orders = -1, note, cards, orders
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
    return [order.label, odds, order.help, order.group, order.primary, order.text, order.on_board]


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
        self._lang = ""
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
        return rules is self._rules and self._lang == voice().lang

    def show(self, rules: Mapping[str, Rule]) -> None:
        """Show these rules; nothing is done where they are shown already."""
        if not self.shows(rules):
            self._rules, self._lang, self.win.value = rules, voice().lang, how_to_win(self._name)
            self.relabel()
            self._tell()

    def _tell(self) -> None:
        self.text.value = book(self._rules, self.search.value, sources=self.sources.value)


def how_to_win(name: str) -> Markup:
    """How a game is won, on one screen with its picture, before its rule book; "" where nothing says it."""
    if not has_tutorial(name):
        return Markup()
    lines = many("<li>{}</li>", tutorial(name).how_to_win)
    lang = voice().lang
    more = "" if lang == ENGLISH else f"&lang={lang}"
    ways = [(f"?first=1{more}", SAY("first.again"))]
    ways += [(f"?first={each}{more}", tutorial(name, each).called) for each in chapters(name)]
    again = many('<p><a href="{}">{}</a></p>', ways)
    head = html("<h3>{}</h3>{}", SAY("first.win"), Markup(package(name).picture))
    examples = many("<li>{}{}</li>", ((_hand(hand.cards), hand.text) for hand in tutorial(name).primer))
    primer = html("<h3>{}</h3><ul class=nk-play-primer>{}</ul>", SAY("first.primer"), examples) if examples else ""
    return html("<section class=nk-play-win>{}<ol>{}</ol>{}{}</section>", head, lines, again, primer)


def book(rules: Mapping[str, Rule], search: str = "", *, sources: bool = False) -> Markup:
    """The rules by section, each with its picture; of a search those that have all of its words."""
    words = search.lower().split()
    found = [(id, rule)
             for id, rule in rules.items() if all(word in f"{id} {rule.section} {rule.text}".lower() for word in words)]
    if not found:
        return _note(SAY("rules.none"))
    parts = Markup()
    for (section, picture), group in groupby(found, key=lambda each: (each[1].section, each[1].picture)):
        head = html("<h3>{}{}</h3>", _picture(picture) if picture else "", section) if section else ""
        rows = ((id, rule.text, html(" <span class=nk-note>[{}]</span>", _source(rule) if sources else ""))
                for id, rule in group)
        parts += html("{}<dl class=nk-play-rules>{}</dl>", head, many("<dt>{}</dt><dd>{}{}</dd>", rows))
    return parts


def _source(rule: Rule) -> str:
    ours = {"": "", "yes": SAY("rule.ours")}
    ruling = ours.get(rule.ruling, SAY("rule.because", why=rule.ruling))
    return "; ".join(part for part in (rule.source.replace("seed", SAY("rule.source")), ruling) if part)


@cache
def _picture(name: str) -> Markup:
    high = HEIGHT * _WIDE
    return _drawn(Scene(_WIDE, high, (Layer("picture", drawing(name, _WIDE, _WIDE / 2, high / 2)),)))


@cache
def _hand(cards: tuple[str, ...]) -> Markup:
    """Cards beside one another."""
    high = _CARD * RATIO
    shapes = tuple(shape for n, each in enumerate(cards) for shape in card(n * (_CARD + 4), 0, _CARD, high, each))
    return _drawn(Scene(len(cards) * (_CARD + 4), high, (Layer("cards", shapes),)))


def _drawn(scene: Scene) -> Markup:
    from navalkit.view.painters import svg

    return Markup(svg(scene, background=False))


# -- Texts of a page as HTML -----------------------------------------------------------------------

_SHOWN = 12  # options of a decision that a page shows


LINE = 42
"""Letters of a message that surely fit one line of the status, on a phone too; a longer one takes both lines."""
HEAD = 36
"""The same of a headline; a longer one is smaller, in two lines."""
MOST = 48
"""The same of one that fits a phone's line when it is smaller; a longer one is smaller still there."""


def status(headline: str, happened: str, now: str, message: str, error: bool, count: int, *,
           over: bool = False) -> Markup:
    """The status: a message or the headline, then what can be done now, a line each; all of it is a press away. Under
    a message in a game that is ``over`` there is room to read how it ended."""
    first, whole = message or headline, message or happened
    look = "nk-bad" if error else "nk-said" if message else "nk-play-end" if over else ""
    long = " nk-play-long" * (len(message) > LINE) + " nk-play-two" * (not message and len(headline) > HEAD)
    long += " nk-play-most" * (not message and not over and len(headline) > MOST)
    rest = whole.removeprefix(first).strip()  # what is read already is not said again
    more = html("<p class=nk-play-whole>{}</p>", rest) if rest else ""
    return html(
        "<div{0} data-count='{1}'><p class='{2}' title='{3}'>{4}</p> <p class='{7}' title='{5}'>{5}</p>{6}</div>",
        " class=nk-play-over" * over, count, look + long, whole, first, now, more,
        "nk-now nk-play-both" if message and len(now) > LINE else "nk-now",
    )


_FLEET = " ".join(f"M{x} 20l5 8h46l9-8h-14v-6h-8v-6h-4v6h-10v6zm28-12v-6h2v6z" for x in (0, 84, 152, 232))
"""Ships on the horizon, behind the end of a game."""


def strip(aims: Aims, *, why: str = "") -> Markup:
    """The strip over the board; with ``why`` the game is over, and it is a banner that says how."""
    if why:
        scored = ((camp.name, camp.score) for camp in aims.camps if camp.score)
        scores = many("<span>{} <b data-nk-runs>{}</b></span>", scored)
        form = (
            "<div class=nk-play-banner><svg viewBox='0 0 300 30' aria-hidden=true><path d='{}'/></svg>"
            "<p>{}</p><span>{}</span></div>"
        )
        return html(form, _FLEET, why, scores)
    first, *others = aims.camps
    middle = html("<div class=nk-play-left><b>{}</b><span>{}</span></div>", aims.left, aims.of)
    return html("<div class=nk-play-strip>{}{}{}</div>", _camp(first), middle, many("{}", map(_camp, others)))


def _camp(camp: Camp) -> Markup:
    form = (
        "<div class=nk-play-camp style='--side:var(--nk-{0}, currentColor)' title='{1}: {3}'>"
        "<b>{2}</b><p><b>{1}</b><span>{3}</span></p></div>"
    )
    return html(form, camp.tone, camp.name, camp.score, " · ".join(camp.aims))


def table(data: Table | None) -> Markup:
    """A table with its title and note."""
    if data is None or not data.rows:
        return Markup()
    head = many("<th scope=col>{}</th>", data.head)
    rows = many("<tr>{}</tr>", (many("<td>{}</td>", row) for row in data.rows))
    body = html("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", head, rows)
    return html("<div class=nk-table><h3>{}</h3>{}{}</div>", data.title, body, _note(data.note))


def _note(text: str) -> Markup:
    return html("<p class=nk-note>{}</p>", text)


class Log:
    """The log as HTML, latest last, each line with its rule id and the rule's text as a tooltip. A line is made once
    for each reader: a game has hundreds, and a click adds a few."""

    def __init__(self) -> None:
        self._to: tuple[Voice, Mapping[str, Rule]] | None = None
        self._events: list[Event] = []
        self._lines: list[Markup] = []

    def __call__(self, events: Sequence[Event], rules: Mapping[str, Rule]) -> Markup:
        to = voice(), rules
        if self._to is None or self._to[0] != to[0] or self._to[1] is not rules:
            self._events = []
        same = next((n for n, (old, new) in enumerate(zip(self._events, events, strict=False)) if old is not new),
                    min(len(self._events), len(events)))
        lines = (html("<li>{} {}</li>", each.text, _rule(each.rule, rules[each.rule].text)) for each in events[same:])
        self._to, self._events, self._lines = to, list(events), [*self._lines[:same], *lines]
        return html("<ol class=nk-lines>{}</ol>", html("").join(self._lines)) or _note(SAY("log.none"))


def decision(decision: Decision | None, spoken: Callable[[Any], str] = str, called: Callable[[str], str] = str,
             because: Callable[[Decision], str] = lambda decision: "") -> Markup:
    """A decision with its findings and options, the actions as ``spoken`` says them, who decided as ``called`` says,
    and why as ``because`` does; without one, how to get one."""
    if decision is None:
        return _note(SAY("hint.none"))
    weighed = list(decision.weighed(spoken))
    lines = ((" class=nk-play-chosen" * chosen, line) for line, chosen in weighed[:_SHOWN])
    left = len(weighed) - _SHOWN
    more = _note(SAY("hint.more", n=left)) if left > 0 else ""
    head = SAY("hint.unit", unit=decision.unit) if decision.unit else SAY("hint.weighed")
    options = html("<h3>{}</h3><ol class=nk-lines>{}</ol>{}", head, many("<li{}>{}</li>", lines), more)
    chosen = html("<strong>{}: {}.</strong> {}", called(decision.by), spoken(decision.action), because(decision))
    findings = html("<ul class=nk-lines>{}</ul>", many("{}", map(_finding, decision.findings)))
    reason = str(decision.reason)
    worth = _note(reason) if reason not in chosen else ""
    return html("<p>{}</p>{}{}{}", chosen, worth, findings, options if weighed else "")


def _finding(finding: Finding) -> Markup:
    inner = html("<ul>{}</ul>", many("{}", map(_finding, finding.children)))
    return html("<li>{} {} {}{}</li>", finding.question, finding.verdict, _rule(finding.rule), inner)


def _rule(id: str, text: str = "") -> Markup:
    return html("<abbr{} class=nk-play-rule>{}</abbr>", html(" title='{}'", text), id)


def bests(rows: Iterable[Mapping[str, Any]], of: str, unit: Worded) -> Markup:
    """The personal bests in one scenario against one captain, as the browser keeps them. ``unit``: of their points,
    which are said anew: a browser may keep games that were played in another language."""
    items = many("<li>{}</li>", (_best(row, unit) for row in rows))
    return html("<h3>{}</h3><ol class=nk-lines>{}</ol>", SAY("bests.title", of=of), items) if items else items


def _best(row: Mapping[str, Any], unit: Worded) -> str:
    if row.get("won"):
        return SAY("bests.row.won", score=row.get("score", ""), seed=row.get("seed", ""))
    result = row.get("result", "")
    said = SAY(f"day.{result}") if result in ("win", "loss", "draw") else result
    return SAY("bests.row", score=f"{number(row['points'], ',.0f')} {unit}", seed=row.get("seed", ""), result=said)


# -- What a reader takes home from a game: its record, a link, pictures, the log, cards and sheets; a button each

class Handouts:
    """The buttons, for a game's page. ``bridge`` hands the files over. ``picture`` hands the board over as a picture,
    or the last turn as a film, from the file's name. ``copy_seed``: among them; the page switches it off while the seed
    is a secret."""

    def __init__(self, control: Controller, bridge: Bridge, picture: Callable[[str], None]) -> None:
        self.control, self.bridge = control, bridge
        made = maker(control.guard)
        self.copy_seed = made("copy_seed", lambda: self.bridge.copy(str(control.match.seed), "seed"))
        self.buttons = [
            made("save", lambda: self.bridge.download(self._file("toml"), control.match.dumps())),
            KeyButton("open", lambda _: None),  # the browser opens it
            made("copy_link", lambda: self.bridge.copy(control.link(), "link", link=True)),
            made("png", lambda: picture(self._file("png"))),
            made("svg", lambda: picture(self._file("svg"))),
            made("film", lambda: picture(self._file("film.svg"))),
            made("csv", lambda: self.bridge.download(self._file("csv"), control.csv())),
            self.copy_seed,
        ]
        if control.page.prints_card:
            self.buttons.append(made("card", self._card))
        if control.page.prints_sheets:
            self.buttons.append(made("sheets", self._sheets))

    def _file(self, ending: str) -> str:
        match = self.control.match
        return f"{match.game.name}-{'game' if match.secret else match.seed}.{ending}"

    def _print(self, name: str, pages: Sequence[Scene]) -> None:
        from navalkit.view.files import printed

        self.bridge.download(name, printed(pages))

    def _card(self) -> None:
        """A card to print: of this game once it is over, else of a fresh seed, so that nothing in play is told."""
        match = self.control.match
        if match.secret:
            match = Match.new(match.game, fresh_seed())
        self._print(f"{match.game.name}-card-{match.seed}.html", self.control.page.card(match.game, match))
        self.control.say(SAY("card.made", seed=match.seed))

    def _sheets(self) -> None:
        """The sheets as they stand, with what the player may know."""
        control = self.control
        self._print(f"{control.game.name}-sheets-{control.ply}.html", control.page.sheets(control.glance()))
        control.say(SAY("sheets.made"))
