"""The patrol of USS Lox as a `Scene`: the ocean; beside it the ship before you and what sinks her, the torpedo rack,
what is unseen, the log; along the foot the sea floor with every ship sunk.

Pieces: "B2" (the card that lies face down there), "card 8D" (one that lies face up), "sunk 3" (on the sea floor),
"supply" and "deck" (their tops), "told/..." (what a film changes at its end). A face-down card is named by its place
alone.
"""

from __future__ import annotations
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import ceil
from textwrap import wrap

from navalkit.core.words import Event
from navalkit.view.drawings import RATIO, card, drawing, empty_place, face_down, outline, suit
from navalkit.view.page import Look
from navalkit.view.scene import (
    Box,
    Cell,
    Flat,
    Layer,
    Line,
    Piece,
    Polygon,
    Rect,
    Scene,
    Shape,
    Style,
    Text,
    rect_outline,
)
from . import cards, cribbage, odds
from .cards import SAY
from .game import UssLox
from .layout import GAP, LINE, OVER, Layout, laid_out, size
from .state import GONE, MAX_TORPEDOES, NO_CARD, Action, Attack, Chase, Escape, Flip, Phase, State

_INK = Style("ink")
_MUTED = Style("muted")
_ON_DEEP = Style("on_deep")
_PLATE = Style("card", "card_line", 1)

@cache
def face(w: float, label: str) -> tuple[Flat, ...]:
    return card(-w / 2, -w * RATIO / 2, w, w * RATIO, label)


@cache
def back(w: float) -> tuple[Flat, ...]:
    return face_down(-w / 2, -w * RATIO / 2, w, w * RATIO)


@cache
def _square(w: float, name: str) -> tuple[Flat, ...]:
    """A card that lies face down in the ocean, with its square's name."""
    return (*back(w), Text(0, (0.29 - RATIO / 2) * w, name, Style("on_heat_low"), 14, bold=True))


def _piece(id: str, x: float, y: float, w: float, label: str = "") -> Piece:
    """A card by its top left corner: face up, or down without a label."""
    return Piece(id, x + w / 2, y + w * RATIO / 2, face(w, label) if label else back(w), flips=True)


@cache
def _torpedo(long: float, spent: bool) -> tuple[Flat, ...]:
    """A torpedo in the rack, about its middle; a spent one is a dashed outline."""
    half, beam = long / 2, min(5.0, 0.24 * long)
    body = ((-half, -0.6 * beam), (-0.7 * half, -beam), (0.7 * half, -beam), (half, 0.0), (0.7 * half, beam),
            (-0.7 * half, beam), (-half, 0.6 * beam))
    if spent:
        return (Polygon(body, Style(None, "muted", 1, (3, 2))),)
    return Polygon(body, Style("hull", "ink", 1)), Rect(0.3 * half, -beam, 0.14 * half, 2 * beam, Style("accent"))


@cache
def _hull(wide: float, label: str, tons: str, face: bool, flat: bool) -> tuple[Flat, ...]:
    """A ship on the sea floor, the larger the more she carried, with her card and, where there is room, her tons."""
    half, high = wide / 2, 0.16 * wide
    deck = ((-half, -high), (half, -high * 1.3), (0.8 * half, high), (-0.78 * half, high))
    style = Style("hull", "on_deep", 1.2, opacity=0.7)
    if flat:
        return (Polygon(deck, style), Text(0, 0, label, _ON_DEEP, 12, bold=True))
    house = Rect(-0.36 * half, -2.3 * high, 0.5 * half, 1.3 * high, style)
    funnel = (Rect(0.24 * half, -2.9 * high, 0.16 * half, 1.8 * high, style),) if face or wide > 40 else ()
    said = Text(0, high + 11, label, _ON_DEEP, 13, bold=True), Text(0, high + 27, tons, _ON_DEEP, 12)
    texts = (each for each in said if each.text)
    return (*funnel, house, Polygon(deck, style), *texts)


def scene(game: UssLox, state: State, legal: Sequence[Action], chances: Mapping[Attack, str], look: Look) -> Scene:
    """The table at one moment.

    ``game``: the game and its options. ``state``: what the captain sees, which is all there is. ``legal``: what can be
    done now. ``chances``: the chance of every attack that is possible now ("63 %"), written on the torpedo places.
    """
    layout = laid_out(look, state.squares, over=state.phase is Phase.END)
    builder = _Table(game, state, legal, layout, chances)
    builder.written(look.told)
    pieces = (*builder.ocean(), *builder.piles(), *builder.sunk(), *builder.attack())
    width, height = look.room if look.hole and look.room else (layout.width, layout.height)
    beside = (Rect(layout.width, 0, width - layout.width, height, Style("paper")),) if look.hole else ()
    layers = (
        Layer("table", (Rect(0, 0, layout.width, height, Style("sea_shallow")), *beside, *builder.flat)),
        Layer("told", tuple(builder.told)),
        Layer("cards", pieces),
        Layer("names", tuple(builder.over)),
        Layer("evidence", builder.evidence(), late=True),
    )
    return Scene(width, height, layers, tuple(builder.cells), game.title, _describe(state))


class _Table:
    """Collects shapes and cells of one scene."""

    def __init__(self, game: UssLox, state: State, legal: Sequence[Action], layout: Layout,
                 chances: Mapping[Attack, str]) -> None:
        self.game, self.state, self.legal, self.layout, self.chances = game, state, legal, layout, chances
        self.cells: list[Cell] = []
        self.flat: list[Shape] = []  # under the cards
        self.over: list[Shape] = []  # on them
        self.told: list[Piece] = []  # headings and what came of it, which change when a film has shown it
        self.attack_cards = self.state.last or (
            (self.state.ship, *self.state.fired) if self.state.ship != NO_CARD else ()
        )

    def _cell(self, id: str, x: float, y: float, w: float, alt: str, action: Action | None = None,
              h: float | None = None) -> None:
        known = action if action in self.legal else None
        self.cells.append(Cell(id, rect_outline(x, y, w, w * RATIO if h is None else h), alt, action=known))

    def _say(self, id: str, x: float, y: float, *shapes: Flat) -> None:
        """What a film changes at its end, about a place."""
        self.told.append(Piece(f"told/{id}", x, y, shapes))

    def _heading(self, id: str, x: float, y: float, text: str, room: float = 400.0) -> None:
        size = max(12.0, min(self.layout.text, room / (_EM * len(text))))
        self._say(id, x, y, Text(0, 0, text, _INK, size, anchor="start", bold=True))

    def ocean(self) -> tuple[Piece, ...]:
        x, y, room_w, room_h = self.layout.ocean
        names = self.state.squares
        title = SAY("table.ocean" if room_w > 210 else "table.ocean.short", left=self.state.ocean_left, all=len(names))
        self.flat.append(Rect(x - 8, y - 22, room_w + 16, room_h + 30, Style("sea_deep"), 12))
        self._heading("ocean", x, y - 10, title if names else SAY("table.ocean.none"), room_w)
        if not names:
            return ()
        (wide, high), gap = size(names), self.layout.gap
        w = min((room_w - gap * (wide - 1)) / wide, (room_h - gap * (high - 1)) / high / RATIO)
        left = x + (room_w - wide * w - (wide - 1) * gap) / 2
        top = y + (room_h - high * w * RATIO - (high - 1) * gap) / 2
        found = []
        for name, slot in zip(names, self.state.ocean, strict=True):
            cx = left + "ABCDE".index(name[0]) * (w + gap)
            cy = top + (int(name[1]) - 1) * (w * RATIO + gap)
            if slot == GONE:
                self.flat += empty_place(cx, cy, w, w * RATIO)
                self.flat.append(Text(cx + w / 2, cy + 0.7 * w, name, _MUTED, 14))
                self._cell(name, cx, cy, w, SAY("table.turned", square=name))
            else:
                found.append(Piece(name, cx + w / 2, cy + w * RATIO / 2, _square(w, name), flips=True))
                self._cell(name, cx, cy, w, SAY("table.face_down", square=name), Flip(name))
        return tuple(found)

    def attack(self) -> tuple[Piece, ...]:
        """The ship that lies face up, or was attacked last, the places of three torpedoes, an attack that failed."""
        x, y = self.layout.attack
        w = self.layout.card
        state, up = self.state, self.attack_cards
        self._heading("attack", x, y - OVER, self._attack_title(), self.layout.width - x - 4)
        size = min(14.0, self.layout.text - 1)
        room = int((self.layout.width - self.layout.told[0]) / (_EM * size))
        lines = [part for line in self._lines(room) for part in wrap(line, room)]
        for i, line in enumerate(lines):
            self._say(str(i), self.layout.told[0], self.layout.told[1] + LINE * i,
                      Text(0, 0, line, _INK, size, anchor="start"))
        if not up:
            self.flat += empty_place(x, y, w, w * RATIO)
            return ()
        found, size = [], min(self.layout.text, max(12.0, 0.24 * w))
        ship_now = state.ship if state.ship != NO_CARD else up[0]
        if state.ship != NO_CARD and state.last:  # the failed attack is history, the escort counts
            up = (state.ship,)
            found += self._failed()
        self._view(ship_now)
        found.append(_piece(f"card {cards.text(ship_now)}", x, y, w, cards.text(ship_now)))
        # Firing nothing at anything but a jack throws the attack away: a button may do so, a slip of the mouse may not.
        gun = Attack(0) if Attack(0) in self.chances and cards.by_gun(state.ship, 0) else None
        told = SAY(f"table.ship.{self.state.role or 'last'}", ship=cards.named(ship_now))
        most = max(self.chances, key=lambda each: each.torpedoes, default=None)
        if state.ship != NO_CARD and most is not None:
            key, tons = worth(self.game, state, "table.worth")
            told = SAY(key, said=told, tons=tons, n=most.torpedoes, chance=self.chances[most])
        self._cell("ship", x, y, w, told, gun)
        for n in range(1, MAX_TORPEDOES + 1):
            cx = x + n * (w + GAP)
            if n < len(up):
                found.append(_piece(f"card {cards.text(up[n])}", cx, y, w, cards.text(up[n])))
                self._cell(f"tube {n}", cx, y, w, SAY("table.torpedo", n=n, card=cards.named(up[n])))
            else:
                self.flat += empty_place(cx, y, w, w * RATIO)
                if chance := self.chances.get(Attack(n)):
                    fire = SAY("order.fire", n=n) if w > 58 else str(n)
                    self.flat.append(Text(cx + w / 2, y + 0.5 * w, fire, _INK, size, bold=True))
                    self.flat.append(Text(cx + w / 2, y + 0.86 * w, chance, _INK, max(12.0, size - 1)))
                    self._cell(f"tube {n}", cx, y, w, SAY("table.fire", n=n, chance=chance), Attack(n))
        return tuple(found)

    def _view(self, ship: int) -> None:
        """She through the periscope, with its cross hairs; her card says what she is."""
        if self.layout.scope is None or cards.is_joker(ship):
            return
        (_, _, w, h), kind = self.layout.scope, _KINDS.get(cards.rank(ship), "transport")
        kind = "sweep" if self.state.role == "escort" and kind == "transport" else kind
        thin = Style(None, "card_ink", 1)
        ticks = (Line(((i * w / 12, -3), (i * w / 12, 3)), thin) for i in range(-5, 6))
        rim = Rect(-w / 2, -h / 2, w, h, Style(None, "card_ink", 5), 5)
        self._say("view", self.layout.scope[0] + w / 2, self.layout.scope[1] + h / 2, *drawing(kind, w),
                  Line(((-w / 2, 0), (w / 2, 0)), thin), Line(((0, -h / 2), (0, h / 2)), thin), *ticks, rim)

    def _failed(self) -> list[Piece]:
        """The cards of an attack that failed, small."""
        x, y, w = self.layout.missed
        if not self._lines(99):  # nothing is said over them
            x, y = self.layout.told[0], self.layout.told[1] - 4
        if y + w * RATIO > self.layout.rack[1] and x < self.layout.rack[0] + self.layout.rack[2]:
            return []
        step = min(w + 6, (self.layout.width - 4 - x - w) / max(1, len(self.state.last) - 1))
        return [
            _piece(f"card {cards.text(c)}", x + i * step, y, w, cards.text(c)) for i, c in enumerate(self.state.last)
        ]

    def _attack_title(self) -> str:
        state = self.state
        last = "lost" if state.result == "loss" else "sunk" if self._sank() else "away" if state.last else "none"
        return SAY(f"table.attack.{state.role if state.ship != NO_CARD else last}")

    def _sank(self) -> bool:
        last = self.state.last
        return bool(last) and cribbage.sinks(last[0], last[1:], self.game.options["nob"])

    def _hits(self) -> list[cribbage.Combination]:
        last = self.state.last
        if len(last) < 2 or any(cards.is_joker(c) for c in last):
            return []
        return cribbage.hits(last[0], last[1:], nob=self.game.options["nob"])

    def _lines(self, letters: int) -> list[str]:
        """What sinks the ship before you, what the last attack scored, or what the escort costs, in a few lines.
        ``letters``: how many a line has room for."""
        state, room = self.state, self.layout.lines
        if state.role == "escort":
            cost, left = cards.pips(state.ship), state.torpedoes
            lines = [SAY("table.cost" if cost <= left else "table.cost.too_much", cost=cost, left=left)]
            if self.layout.width - self.layout.told[0] < _SENTENCE:  # the log says that it failed
                return lines if self.layout.scope else []
            return [*lines, SAY("table.failed")] if state.last else lines
        if state.ship != NO_CARD:
            said = self._what_sinks(state.ship)
            return said if sum(len(wrap(line, letters)) for line in said) <= room else said[:1]
        if not state.last:
            return []
        if hits := self._hits():
            lines = [SAY(f"scores.short.{hit.kind}", cards=" ".join(map(cards.symbol, hit.cards))) for hit in hits]
            high = [len(wrap(line, letters)) for line in lines]
            if sum(high) <= room:
                return lines
            n = next(n for n in range(len(lines), -1, -1) if sum(high[:n]) < room)
            return [*lines[:n], SAY("table.more", n=len(lines) - n)]
        return [SAY("table.gun" if self._sank() else "table.nothing")]

    def _what_sinks(self, ship: int) -> list[str]:
        """In words, while she can still be fired at; on a phone the buttons' chances say enough."""
        if self.layout.scope is None or self.state.fired or cards.is_joker(ship):
            return []
        key, count = worth(self.game, self.state, "table.tons")
        tons = SAY(key, tons=count)
        if cards.by_gun(ship, cards.GUN_TORPEDOES):
            return [tons, SAY("table.sinks.gun")]
        return [tons, SAY("table.sinks.pair"), SAY("table.sinks.run")]

    def evidence(self) -> tuple[Shape, ...]:
        """Outlines of the cards that scored in the last attack."""
        state = self.state
        if state.ship != NO_CARD:
            return ()
        x, y = self.layout.attack
        w = self.layout.card
        scoring = {c for hit in self._hits() for c in hit.cards}
        shapes: list[Shape] = []
        for i, c in enumerate(state.last):
            if c in scoring:
                shapes += outline(x + i * (w + GAP), y, w, w * RATIO)
        return tuple(shapes)

    def _plate(self, box: Box) -> None:
        self.flat.append(Rect(*box, _PLATE, 8))

    def piles(self) -> tuple[Piece, ...]:
        """The torpedo rack and the deck, with their counts."""
        state = self.state
        x, y, w, h = self.layout.rack
        self._plate(self.layout.rack)
        label = SAY("table.supply")
        self.flat.append(Text(x + 8, y + 13, label, _INK, 13, "start", True))
        self._say("left", x + w - 8, y + 14, Text(0, 0, str(state.torpedoes), _INK, 16, "end", True))
        places = max(state.torpedoes, self.game.supply_size - len(state.squares))
        step = (w - 16) / places
        long, at = min(0.88 * step, 34.0), y + h - (12 if h < 55 else 18)
        found = []
        for i in range(places):
            cx, loaded = x + 8 + (i + 0.5) * step, i < state.torpedoes
            if loaded and i == state.torpedoes - 1:
                found.append(Piece("supply", cx, at, _torpedo(long, False), 0, flips=True))
            else:
                self._say(f"rack {i}", cx, at, *_torpedo(long, not loaded))
        self._cell("supply", x, y, w, SAY("table.pile", name=label, count=state.torpedoes), Escape(), h)
        x, y, w, h = self.layout.deck
        self._plate(self.layout.deck)
        name, small = SAY("table.deck"), (h - 10) / RATIO
        if state.deck:
            found.append(_piece("deck", x + 7, y + 5, small))
        room = x + small + 14
        self.flat.append(Text(room, y + h / 2 - 9, name, _INK, 13, "start", True))
        self._say("deck", room, y + h / 2 + 9, Text(0, 0, str(len(state.deck)), _INK, 14, "start"))
        self._cell("deck", x, y, w, SAY("table.pile", name=name, count=len(state.deck)), Chase(), h)
        return tuple(found)

    def sunk(self) -> tuple[Piece, ...]:
        """The sea floor, with every ship that lies there, by her size."""
        x, y, w, h = self.layout.floor
        state = self.state
        pile = [cards.text(c) for c in state.sunk + state.estimated]
        count = len(state.sunk) + len(state.estimates)
        self.flat.append(Rect(x, y, w, h, Style("deep"), 10))
        waves = tuple((x + 10 + i * (w - 20) / 48, y + 6 + (2.5 if i % 2 else 0)) for i in range(49))
        bed = ((x + 6, y + h - 2), (x + 0.2 * w, y + h - 10), (x + 0.5 * w, y + h - 5), (x + 0.8 * w, y + h - 12),
               (x + w - 6, y + h - 2))
        self.flat += [Line(waves, Style(None, "card_back_wave", 1.5, opacity=0.8)),
                      Polygon(bed, Style("black", opacity=0.35))]
        said = SAY("table.sunk", tonnage=tonnage(state)) if count else SAY("table.sunk.none")
        if count and _EM * 12 * len(said) > w - 16:
            said = tonnage(state)
        size = min(15.0, max(12.0, (w - 16) / (_EM * len(said))))
        self._say("sunk", x + 8, y + 20, Text(0, 0, said, _ON_DEEP, size, "start", True))
        self._cell("score", x, y, w, SAY("table.score", count=count, tonnage=tonnage(state)), h=h)
        if not count:
            return ()
        step = min((w - 20) / count, 110.0)
        flat = h < 84  # too low for names under the hulls: they lie on them
        rows = 1 if flat else max(1, min(ceil(_NAME / step), int((h - 44) / LINE)))  # of names
        tons = step >= _TONS and h >= 104
        found = []
        labels = [*pile, *([""] * (count - len(pile)))]
        for i, label in enumerate(labels):
            pips = cards.pips(cards.parse(label)) if label else 5
            low = y + h - (16 if flat else 52 if tons else 34) - LINE * (i % rows)
            high = (low - y - 28) / 0.47  # under what is said at its head
            wide = min(step * (0.5 + 0.045 * pips), 14 + 7.5 * pips, 60.0 if flat else max(24.0, high))
            named = cards.symbol(cards.parse(label)) if label else "?"
            said = SAY("table.tons", tons=1000 * pips) if tons and label else ""
            look = _hull(wide, named if step * rows >= 0.8 * _NAME else "", said, pips == 10, flat)
            found.append(Piece(f"sunk {i}", x + 10 + (i + 0.5) * step, low, look, flips=True))
        return tuple(found)

    def written(self, told: Sequence[Event]) -> None:
        """The cards that nobody has turned up yet, and the log of the crossing; where there is room for them."""
        if self.layout.unseen:
            self._unseen(*self.layout.unseen)
        if self.layout.log:
            self._log(self.layout.log, told)

    def _unseen(self, x: float, y: float, w: float, h: float) -> None:
        """A grid of all plain cards, those turned up dashed."""
        self._plate((x, y, w, h))
        seen = {c for c in self.state.seen_cards if not cards.is_joker(c)}
        self.flat.append(Text(x + 10, y + 15, SAY("table.unseen"), _INK, 14, "start", True))
        left = SAY("table.unseen.of", left=52 - len(seen))
        self._say("unseen", x + w - 10, y + 15, Text(0, 0, left, _INK, 13, "end"))
        step, down = (w - 36) / 13, (h - 52) / 4
        shapes: list[Flat] = []
        for rank, name in enumerate(cards.RANKS):
            cx = 28 + (rank + 0.5) * step
            shapes.append(Text(cx, 36, "10" if name == "T" else name, _MUTED, 12, bold=True, glyph=False))
            for row, letter in enumerate("CDHS"):
                cy, hidden = 46 + (row + 0.5) * down, 4 * rank + row not in seen
                colour = Style("tile_red" if letter in "DH" else "tile_black") if hidden else Style(
                    None, "card_line", 1, (2, 2))
                shapes.append(Rect(cx - step / 2 + 1.5, cy - down / 2 + 1.5, step - 3, down - 3, colour, 3))
        for row, letter in enumerate("CDHS"):
            tone = "bad" if letter in "DH" else "ink"
            shapes.append(suit(letter, 16, 46 + (row + 0.5) * down, min(12.0, down), Style(tone)))
        self._say("grid", x, y, *shapes)

    def _log(self, box: Box, told: Sequence[Event]) -> None:
        """What became of each ship that was met, the last ones first to be kept."""
        x, y, w, h = box
        self._plate(box)
        self.flat.append(Text(x + 10, y + 15, SAY("table.log"), _INK, 14, "start", True))
        rows = list(_crossing(told))
        room = int((h - 34) / LINE)
        for i, (where, fate) in enumerate(rows[-room:]):
            at = y + 40 + i * LINE
            self._say(f"log {i}", x + 10, at, Text(0, 0, where, _INK, 12, "start", True),
                      Text(w - 20, 0, fate, _MUTED, 12, "end"))
        if not rows:
            self._say("log 0", x + 10, y + 40, Text(0, 0, SAY("table.log.none"), _MUTED, 12, "start"))


_KINDS = {cards.JACK: "sampan", cards.QUEEN: "tanker", cards.KING: "battleship"}
_EM, _SENTENCE = 0.56, 240.0  # mean width of a letter, of its size; px that a whole sentence needs
_NAME, _TONS = 26.0, 54.0  # px of a ship on the sea floor that has room for her card, and for her tons
_FATES = {"declined", "held_fire", "missed", "joker_torpedo", "deck_gun", "sunk", "estimate_later", "escaped", "lost"}


def _crossing(told: Sequence[Event]) -> Iterator[tuple[str, str]]:
    """Each ship met, by square and card, and what became of her."""
    met: tuple[str, str] | None = None
    for event in told:
        if event.kind in ("sighted", "extra", "escort"):
            if met:
                yield met
            ship = next((c for c in range(54) if cards.named(c) == event.facts["ship"]), None)
            name = cards.symbol(ship) if ship is not None else ""
            where = event.facts["place"] if event.kind == "sighted" else SAY(f"table.log.{event.kind}")
            met = f"{where} {name}", ""
        elif event.kind in _FATES and met:
            met = met[0], SAY(f"table.log.{event.kind}")
    if met:
        yield met


def worth(game: UssLox, state: State, key: str) -> tuple[str, int]:
    """The sentence of what the ship before you counts if she is sunk, and how many tons it tells: where a card of the
    deck counts in her place (rule A2), what such a card does on average."""
    if game.estimated(state, state.ship):
        return f"{key}.later", round(odds.estimate(game, state))
    return key, 1000 * cards.pips(state.ship)


def tonnage(state: State) -> str:
    """What is sunk so far, with the cards that count in the place of ships and are not turned up yet (rule A2)."""
    left = len(state.estimates) - len(state.estimated)
    return SAY("tonnage.later", tons=state.tons, cards=left) if left else SAY("tonnage.all", tons=state.tons)


def _describe(state: State) -> str:
    """The table in words, for screen readers."""
    parts = [SAY("table.told.ocean", left=state.ocean_left)]
    if state.ship != NO_CARD:
        parts.append(f"{SAY(f'table.ship.{state.role}', ship=cards.named(state.ship))}.")
    parts.append(SAY("table.told.left", torpedoes=state.torpedoes, deck=len(state.deck), tonnage=tonnage(state)))
    return " ".join(parts)
