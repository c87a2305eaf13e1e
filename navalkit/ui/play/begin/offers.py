"""What the panel for a new game offers to choose from: cards with a map each, and ships for squadrons of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import traitlets

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.view.page import Glance, page_of
from navalkit.view.painters.svg import svg
from navalkit.view.starts import Start, Stock

from ...say import SAY
from ...widgets import Scripted

SEED = 1
"""Of the game whose beginning is on a map."""


class Offers(Scripted):
    """Cards to choose one from: each a map, a title, and lines about it. ``choose`` is called with the number of the
    card that is pressed."""

    _esm = Path(__file__).with_name("offers.js")
    rows: Any = traitlets.List().tag(sync=True)
    """Of each card its lines, the title first."""
    maps: Any = traitlets.Dict().tag(sync=True)
    """By the number of a card its map, as SVG; those drawn so far."""
    chosen = traitlets.Int(-1).tag(sync=True)
    """The card whose game is chosen; -1 for none of them."""

    def __init__(self, choose: Callable[[int], None]) -> None:
        super().__init__()
        self._choose = choose
        self.hear(choose=self._chosen)

    def map(self, number: int, drawn: str) -> None:
        """A map is there."""
        self.maps = {**self.maps, str(number): drawn}

    def _chosen(self, told: dict[str, Any]) -> None:
        if 0 <= int(told["n"]) < len(self.rows):
            self._choose(int(told["n"]))


class StockList(Scripted):
    """Things by their headings, each with a button for every option that may name it. ``pick`` is called with the
    option's name and its new text, when something is added to it or taken from it."""

    _esm = Path(__file__).with_name("stock.js")
    head: Any = traitlets.List().tag(sync=True)
    things: Any = traitlets.List().tag(sync=True)
    """Of each its heading, name, what is said of it, and its cells."""
    fields: Any = traitlets.List().tag(sync=True)
    """What the options are called."""
    picked: Any = traitlets.List().tag(sync=True)
    """Of each option the names in it."""
    sums: Any = traitlets.List().tag(sync=True)
    """What is said of each."""
    find = traitlets.Unicode().tag(sync=True)
    """Stands in the box that looks for names."""

    def __init__(self, stock: Stock, pick: Callable[[str, str], None]) -> None:
        things = [[each.group, each.name, each.about, *each.cells] for each in stock.things]
        super().__init__(head=list(stock.head), things=things)
        self._stock, self._pick = stock, pick
        self._worth = {each.name: each.worth for each in stock.things}
        self.hear(toggle=lambda told: self.toggle(int(told["field"]), told["name"]))

    def show(self, texts: Mapping[str, str]) -> None:
        """Mark what the options name, by their texts."""
        known = {name.casefold(): name for name in self._worth}
        named = [[known.get(part.strip().casefold(), "") for part in texts[field].split(",")] for field in self._fields]
        self.picked = [[name for name in names if name] for names in named]
        self.sums = [
            SAY("new.stock.sum", field=field, n=len(names), points=sum(self._worth[name] for name in names))
            for field, names in zip(self.fields, self.picked, strict=True)
        ]

    @property
    def _fields(self) -> tuple[str, ...]:
        return self._stock.fields

    def toggle(self, field: int, name: str) -> None:
        """Add a thing to an option, and take it from the others; or take it away, if it is there."""
        if name not in self._worth:
            return
        for number, (option, names) in enumerate(zip(self._fields, self.picked, strict=True)):
            left = [each for each in names if each != name]
            added = [name] if number == field and left == names else []
            if [*left, *added] != names:
                self._pick(option, ", ".join([*left, *added]))


def begun(name: str, start: Start) -> Glance[Any, Any, Any]:
    """What the first player sees of a way to begin."""
    game = load(name, **start.options)
    me = min(set(range(len(game.players))) - game.automatic)
    return Glance(game, Match.new(game, SEED).observe(me), me)


def picture(name: str, start: Start, theme: str) -> Awaited[str]:
    """The map of a way to begin, as SVG."""

    def steps() -> Steps[str]:
        glance = begun(name, start)
        yield None
        drawn = page_of(name).map(glance)
        yield None
        return svg(drawn, theme, background=False)

    return Awaited(("map", name, start.title, theme), steps)
