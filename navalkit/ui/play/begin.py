"""The panel for a new game: who plays, what is played, and what only some will want to change."""

from __future__ import annotations
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import traitlets

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.errors import NavalkitError, OptionError, brief
from navalkit.core.files import linked
from navalkit.core.game import Game, OptionSpec
from navalkit.core.match import Match
from navalkit.core.registry import load, package_of, page_url
from navalkit.core.shown import html
from navalkit.core.words import speaking, voice
from navalkit.players import makers
from navalkit.players.captains import LEVELS
from navalkit.players.meeting import measured
from navalkit.players.own import owned
from navalkit.view.lobby import WORKSHOP, Start, Stock, starts
from navalkit.view.page import Glance, page_of
from navalkit.view.painters import svg
from .. import SAY
from ..desk import Desk
from ..widgets import (
    HTML,
    BoundedIntText,
    Box,
    Button,
    Checkbox,
    Combobox,
    Dropdown,
    KeyButton,
    Scripted,
    Spoken,
    Text,
    Textarea,
    VBox,
    box,
    classed,
    is_shown,
    shown,
)

# -- What the panel for a new game offers to choose from: cards with a map each, and ships for squadrons of one's own

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
        super().__init__()
        self._stock, self._pick = stock, pick
        self.relabel()
        self._worth = {each.name: each.worth for each in stock.things()}
        self.hear(toggle=lambda told: self.toggle(int(told["field"]), told["name"]))

    def relabel(self) -> None:
        """Say it all to the present reader."""
        self.head = str(self._stock.head).split("|")
        self.things = [[each.group, each.name, each.about, *each.cells] for each in self._stock.things()]

    def show(self, texts: Mapping[str, str]) -> None:
        """Mark what the options name, by their texts."""
        known = {name.casefold(): name for name in self._worth}
        named = [[known.get(part.strip().casefold(), "") for part in texts[field].split(",")] for field in self._fields]
        self.picked = [[name for name in names if name] for names in named]
        self.sums = [SAY("new.stock.sum", field=field, n=len(names), points=sum(self._worth[name] for name in names))
                     for field, names in zip(self.fields, self.picked, strict=True)]

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


class NewGame(VBox, Spoken):
    """The panel for a new game: who plays, cards of what can be played, and, folded away, a seed and the options.

    ``game``: whose options and players there are to choose from. ``start`` is called with the seed's text, the options
    and the seats (see `Controller`). ``cancel`` is called when the reader goes back. ``others``: other ways to begin.
    ``desk``: where the maps on the cards are drawn.
    """

    def __init__(self, game: Game[Any, Any], start: Callable[[str, dict[str, Any], tuple[str, ...]], None],
                 cancel: Callable[[], None], others: Sequence[Button] = (), desk: Desk | None = None) -> None:
        self._desk = desk or Desk(lambda call: call)
        self._game, self._captains = game, package_of(game).offered("CAPTAINS", ())
        self._sides = [side for number, side in enumerate(game.players) if number not in game.automatic]
        self.seats = [Dropdown(options=("", *makers(game))) for _ in self._sides]
        self._told = [HTML() for _ in self._sides]
        for number, seat in enumerate(self.seats):
            seat.observe(lambda _, number=number: self._tell(number), "value")
        self._starts = starts(game.name)
        self.cards = Offers(lambda number: self._choose(self._starts[number]))
        self._stock = package_of(game).offered("STOCK", None)
        self.stock = StockList(self._stock, self._fill) if self._stock else None
        self.seed = Text()
        self.fields = {spec.name: _field(spec) for spec in game.specs}
        for field in self.fields.values():
            field.observe(lambda _: self._mark(), "value")
        self._helps = [HTML() for _ in game.specs]
        rows = [self._row(*row) for row in zip(game.specs, self.fields.values(), self._helps, strict=True)]
        go = KeyButton("start",
                       lambda _: start(self.seed.value, self.values(), tuple(seat.value for seat in self.seats)))
        go.button_style = "primary"
        back = KeyButton("back", lambda _: cancel())
        self.fold = KeyButton("new.more", lambda _: self._fold())
        self._more = box("nk-play-more-options", self.seed, *rows, column=True)
        self._title = HTML()
        sides = [box("nk-play-option", *row, column=True) for row in zip(self.seats, self._told, strict=True)]
        # In a box that is shown or not: a script's own element, made and hidden at once, would stay hidden.
        self.ships = box("", *([self.stock] if self.stock else []), column=True)
        self._shop = package_of(game).offered("WORKSHOP", None)
        self.build = HTML()
        end = self.build, self.fold, self._more, box("nk-ask", go, *others, back)
        super().__init__([self._title, *sides, self.cards, self.ships, *end])
        self.add_class("nk-play-panel")
        shown(self.ships, False)
        shown(self, False)
        self.relabel()
        self._fold(opened=not self._starts)

    def _row(self, spec: OptionSpec, field: Any, help: HTML) -> Box:
        """An option with what is said of it. A long text may come from a file; what is wrong with it stands there."""
        if not spec.long:
            return box("nk-play-option", field, help, column=True)
        field.observe(lambda _: self._tell_of(spec, help), "value")
        return box("nk-play-option", field, help, KeyButton("new.file", lambda _: None), column=True)

    def _tell_of(self, spec: OptionSpec, help: HTML) -> None:
        """What is said of a long text: what it is, or what is wrong with it."""
        with speaking(self._voice):
            try:
                spec.check(self.fields[spec.name].value)
                help.value = html("<p class=nk-note>{}</p>", spec.told("help"))
            except NavalkitError as error:
                text = str(error)
                help.value = html("<p class=nk-bad role=alert>{}</p>", text[:1].upper() + text[1:])

    def read(self, data: bytes, name: str) -> None:
        """Put a file into the box for a long text; OptionError if it is no text."""
        spec = next(spec for spec in self._game.specs if spec.long)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise OptionError(SAY("new.file.bad", name=brief(name))) from None
        self.fields[spec.name].value = text

    def relabel(self) -> None:
        self._voice = voice()
        self._title.value = html("<h3>{}</h3>", SAY("new.title"))
        named = {each.name: SAY("seat.captain", name=each.called, level=each.level) for each in self._captains}
        yours = {name: maker.title for name, maker in owned(self._game).items()}
        plain = {name: SAY("seat.machine") for name in makers(self._game)} | yours
        for number, (side, seat) in enumerate(zip(self._sides, self.seats, strict=True)):
            value = seat.value
            wanted = (*named, *yours, *filter(None, (value,))) if named else (*plain,)
            people = [(SAY("seat.here"), ""), *((named.get(name, plain.get(name, "")), name) for name in wanted)]
            seat.options = list(dict.fromkeys(people))
            seat.description, seat.value = SAY("seat.of" if len(self._sides) > 1 else "seat.alone", side=side), value
            self._tell(number)
        self.cards.rows = [self._card(offered).splitlines() for offered in self._starts]
        self.seed.description, self.seed.placeholder = SAY("new.seed.label"), SAY("new.seed.empty")
        self.seed.tooltip = SAY("new.seed.help")
        for spec, help in zip(self._game.specs, self._helps, strict=True):
            self.fields[spec.name].description = spec.told("label")
            help.value = html("<p class=nk-note>{}</p>", spec.told("help"))
        if self.stock and self._stock:
            self.stock.relabel()
            self.stock.find = SAY("new.stock.find")
            self.stock.fields = [self.fields[field].description for field in self._stock.fields]
            self._mark()
        self._lead()
        for spec in self._game.specs:
            if isinstance(field := self.fields[spec.name], Dropdown):
                value = field.value
                field.options = [(self._titled(spec.name, each), each) for each in spec.choices]
                field.value = value

    def _titled(self, option: str, value: str) -> str:
        """What the value of an option is called: as the way to begin that has it, or by its sentence."""
        usual = next(spec.default for spec in self._game.specs if spec.name == option)
        named = any(option in each.options for each in self._starts)
        found = [each.said("title") for each in self._starts if named and each.options.get(option, usual) == value]
        own = f"choice.{value}" if value else "choice.none"
        plain = value.replace("_", " ").replace("-", " ")
        return found[0] if len(found) == 1 else SAY.get(own) or plain[:1].upper() + plain[1:]

    def values(self) -> dict[str, Any]:
        """The options as they stand."""
        return {name: field.value for name, field in self.fields.items()}

    def offer(self, options: Any, seats: Sequence[str], theme: str = "light") -> None:
        """Show the panel with these options, and these players in the seats; maps on its cards in that theme."""
        for number, offered in enumerate(self._starts):
            self._desk.ask(("map", number), picture(self._game.name, offered, theme), partial(self.cards.map, number))
        self.seed.value = ""
        for field, seat in zip(self.seats, seats, strict=False):
            field.options = [("", ""), (seat, seat)]
            field.value = seat
        for name, field in self.fields.items():
            field.value = options[name]
        self.relabel()
        self._mark()
        shown(self, True)

    def hide(self) -> None:
        """Hide the panel."""
        shown(self, False)

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return is_shown(self)

    def _tell(self, number: int) -> None:
        """What the captain in a seat is like."""
        with speaking(self._voice):
            told = {each.name: each.told for each in self._captains}.get(self.seats[number].value, "")
        self._told[number].value = html("<p class=nk-note>{}</p>", told)

    def _card(self, offered: Start) -> str:
        """What stands on a card, its title in the first line."""
        return SAY("new.card", title=offered.said("title"), about=offered.said("about"), forces=offered.said("forces"),
                   suits=offered.said("suits"), minutes=offered.minutes,
                   level=_level(offered.difficulty)) + self._figures(offered)

    def _figures(self, offered: Start) -> str:
        """What machine captains came to in its scenario, in a line of its own; "" where nothing was measured."""
        told = measured(self._game.name, offered.options)
        if told is None:
            return ""
        share, low, high = (100 * part for part in (told.value, *told.interval))
        key, side = ("new.even", told.sides[0]) if told.sides else ("new.alone", "")
        parts = [SAY(key, side=side, games=told.games, share=share, low=low, high=high)]
        if told.length:
            same = ".same" if told.length[0] == told.length[1] else ""
            parts.append(SAY(f"new.length.{told.unit}{same}", short=told.length[0], long=told.length[1]))
        parts += [SAY(f"new.decided.{what}") for what, share in told.decided.items() if share >= 0.5]
        return "\n" + " · ".join(parts)

    def _options(self, offered: Start) -> dict[str, Any]:
        return {spec.name: spec.check(offered.options.get(spec.name, spec.default)) for spec in self._game.specs}

    def _choose(self, offered: Start) -> None:
        for name, value in self._options(offered).items():
            self.fields[name].value = value

    def _mark(self) -> None:
        """Mark the card whose options stand in the fields."""
        self._lead()
        values, listed = self.values(), dict.fromkeys(self._stock.fields if self._stock else (), "")
        fits = (number for number, each in enumerate(self._starts) if values | listed == self._options(each) | listed)
        self.cards.chosen = next(fits, -1)
        if self.stock and self._stock:
            self.stock.show(values)
            shown(self.ships, all(values[name] == wanted for name, wanted in self._stock.needs.items()))

    def _lead(self) -> None:
        """The way to where scenarios are made, with the one that stands in the field, if it is one's own."""
        if self._shop is not None:
            text = self.fields[self._shop.option].value
            query = urlencode({"game": self._game.name} | ({self._shop.option: linked(text)} if "\n" in text else {}))
            with speaking(self._voice):
                self.build.value = html('<p><a href="{}">{}</a></p>', page_url(WORKSHOP, query), SAY("new.build"))

    def _fill(self, field: str, text: str) -> None:
        self.fields[field].value = text

    def _fold(self, *, opened: bool | None = None) -> None:
        opened = not is_shown(self._more) if opened is None else opened
        shown(self._more, opened)
        self.fold.say("new.less" if opened else "new.more")
        shown(self.fold, bool(self._starts))


def _level(difficulty: int) -> str:
    """A difficulty as filled and empty circles."""
    return "●" * difficulty + "○" * (max(LEVELS) - difficulty)


def _field(spec: OptionSpec) -> Any:
    if isinstance(spec.default, bool):
        return Checkbox(value=spec.default, indent=False)
    if isinstance(spec.default, int):
        return BoundedIntText(value=spec.default, min=spec.low, max=spec.high)
    if spec.long:
        return classed(Textarea(value=spec.default, rows=12, continuous_update=False), "nk-play-long-text")
    if spec.choices and not spec.read:
        return Dropdown(options=[(each, each) for each in spec.choices], value=spec.default)
    if spec.choices and spec.read:  # these, or a text of one's own
        return Combobox(options=spec.choices, value=spec.default, continuous_update=False)
    return Text(value=spec.default)
