"""The rules on a page: how to win on one screen, then the rule book with a picture a section, a search, and its sources
behind a switch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from itertools import groupby
from typing import Any

from navalkit.core.language.rulebook import Rule
from navalkit.core.language.words import ENGLISH, voice
from navalkit.core.registry import package
from navalkit.view.drawn.cards import RATIO, card
from navalkit.view.drawn.drawings import HEIGHT, drawing
from navalkit.view.scene import Layer, Scene
from navalkit.view.tutorial import has_tutorial, tutorial

from ..say import SAY
from ..widgets import HTML, Checkbox, Text, VBox
from ..widgets.spoken import Spoken, box, classed

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
    found = [
        (id, rule)
        for id, rule in rules.items()
        if all(word in f"{id} {rule.section} {rule.text}".lower() for word in words)
    ]
    if not found:
        return f"<p class=nk-note>{escape(SAY('rules.none'))}</p>"
    parts = []
    for (section, picture), group in groupby(found, key=lambda each: (each[1].section, each[1].picture)):
        head = f"<h3>{_picture(picture) if picture else ''}{escape(section)}</h3>" if section else ""
        rows = "".join(
            f"<dt>{escape(id)}</dt><dd>{escape(rule.text)}"
            + (f" <span class=nk-note>[{escape(_source(rule))}]</span>" if sources else "")
            + "</dd>"
            for id, rule in group
        )
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
    from navalkit.view.painters.svg import svg

    return svg(scene, background=False)
