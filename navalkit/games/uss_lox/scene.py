"""The card table of USS Lox as a `Scene`: the ocean, the ship before you, your torpedoes, the deck, the score pile.

Pieces: "B2" (the card that lies face down there), "card 8D" (one that lies face up), "sunk 3" (of the score pile),
"supply" and "deck" (their tops). A face-down card is named by its place alone.
"""

from __future__ import annotations
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from navalkit.view.drawings import RATIO, badge, card, empty_place, face_down, outline
from navalkit.view.scene import Cell, Flat, Layer, Piece, Rect, Scene, Shape, Style, Text, rect_outline
from . import cards, cribbage
from .cards import SAY
from .game import UssLox
from .state import GONE, MAX_TORPEDOES, NO_CARD, Action, Attack, Chase, Escape, Flip, State

_INK = Style("ink")
_MUTED = Style("muted")


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things lie, in px."""

    width: float
    height: float
    ocean: tuple[float, float, float, float]  # x, y, w, h of the room for the ocean
    gap: float  # between its cards
    attack: tuple[float, float]  # top left of the attack row
    card: float  # width of the cards in the attack row
    piles: tuple[tuple[float, float], tuple[float, float]]  # top left of supply and deck
    pile: float  # their width
    score: tuple[float, float, float]  # top left of the score pile, and the width it has
    sunk: float  # width of its cards
    text: float  # size of ordinary text
    lines: int  # lines of small text that have room under the attack row
    missed: tuple[float, float, float]  # the cards of an attack that failed: top left, and their width


_ROOM = {False: (800.0, 560.0), True: (390.0, 584.0)}  # the room of a picture that no page shows, wide and tall
_GAP = 8.0  # between the cards of the attack row
_ROW = 1 + MAX_TORPEDOES


def _size(names: Sequence[str]) -> tuple[int, int]:
    """Columns and rows of the ocean, at least the usual three rows."""
    return 1 + max(("ABCDE".index(name[0]) for name in names), default=2), max(3, *(int(name[1]) for name in names), 3)


def _wide(room: tuple[float, float], names: Sequence[str]) -> _Layout:
    """The ocean on the left, as high as the board; everything else beside it."""
    width, height = (max(given, least) for given, least in zip(room, _ROOM[False], strict=True))
    columns, rows = _size(names)
    card = min(0.105 * width, 0.15 * height)
    row = _ROW * card + (_ROW - 1) * _GAP
    high, gap = height - 76, 10.0
    most = (high - gap * (rows - 1)) / rows / RATIO  # a card as the rows have room for
    across = min(width - row - 80, (most + gap) * max(columns, 3) - gap)
    x = 24 + across + 40
    under = 52 + card * RATIO
    pile, sunk = 0.79 * card, min(0.6 * card, 54.0)
    score = height - 24 - sunk * RATIO
    piles = max(under + 148, (under + 148 + score - 32 - pile * RATIO - 24) / 2)
    return _Layout(width, height, (24, 52, across, high), gap, (x, 52), card, ((x, piles), (x + pile + 22, piles)),
                   pile, (x, score, width - x - 24), sunk, 16, 6, (x, under + 46, 50))


def _still(names: Sequence[str]) -> _Layout:
    """For a class: all of it smaller but its type, and so, as large as the screen, all of it legible."""
    card, high, gap = 62.0, 318.0, 8.0
    columns, rows = _size(names)
    row = _ROW * card + (_ROW - 1) * _GAP
    across = min(607 - row - 68, ((high - gap * (rows - 1)) / rows / RATIO + gap) * max(columns, 3) - gap)
    x = 20 + across + 32
    y, beside = 44 + card * RATIO, x + 178
    return _Layout(607, 394, (20, 52, across, high), gap, (x, 44), card, ((beside, y + 36), (beside, y + 132)), 48,
                   (x, 334, 170), 36, 15, 5, (x, y + 40, 34))


def _tall(room: tuple[float, float], names: Sequence[str]) -> _Layout:
    """One thing under the other; the cards of the ocean stay large enough for a finger, however low the room."""
    width, height = room
    _, rows = _size(names)
    card = min((width - 24 - (_ROW - 1) * _GAP) / _ROW, 0.128 * height)
    under, sunk = 28 + card * RATIO, 0.5 * card
    ocean = under + 98
    score = max(height - 6 - sunk * RATIO, ocean + rows * 71 + 34)
    pile = 66.0
    right = width - pile - 16
    return _Layout(width, score + sunk * RATIO + 6, (12, ocean, right - 32, score - 34 - ocean), 7, (12, 28), card,
                   ((right, ocean - 20), (right, ocean + 98)), pile, (12, score, width - 24), sunk, 15, 3,
                   (160, under + 25, 28))


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


def scene(game: UssLox, state: State, legal: Sequence[Action], chances: Mapping[Attack, str], tall: bool = False,
          room: tuple[float, float] | None = None, still: bool = False) -> Scene:
    """The table at one moment.

    ``game``: the game and its options. ``state``: what the captain sees, which is all there is. ``legal``: what can be
    done now. ``chances``: the chance of every attack that is possible now ("63 %"), written on the torpedo places.
    ``tall``: the layout for phones. ``room``: width and height that the page has for the board, in px; None takes the
    usual. ``still``: whether it is for a class.
    """
    layout = _still(state.squares) if still else (_tall if tall else _wide)(room or _ROOM[tall], state.squares)
    builder = _Table(game, state, legal, layout, chances)
    pieces = (*builder.ocean(), *builder.piles(), *builder.score(), *builder.attack())
    layers = (
        Layer("table", (Rect(0, 0, layout.width, layout.height, Style("sea_shallow")), *builder.flat)),
        Layer("told", tuple(builder.told)),
        Layer("cards", pieces),
        Layer("names", tuple(builder.over)),
        Layer("evidence", builder.evidence(), late=True),
    )
    return Scene(layout.width, layout.height, layers, tuple(builder.cells), game.title, _describe(state))


class _Table:
    """Collects shapes and cells of one scene."""

    def __init__(self, game: UssLox, state: State, legal: Sequence[Action], layout: _Layout,
                 chances: Mapping[Attack, str]) -> None:
        self.game, self.state, self.legal, self.layout, self.chances = game, state, legal, layout, chances
        self.above = layout.text  # a heading's middle over what it heads
        self.cells: list[Cell] = []
        self.flat: list[Shape] = []  # under the cards
        self.over: list[Shape] = []  # on them
        self.told: list[Piece] = []  # headings and what came of it, which change when a film has shown it
        self.attack_cards = self.state.last or (
            (self.state.ship, *self.state.fired) if self.state.ship != NO_CARD else ()
        )

    def _cell(self, id: str, x: float, y: float, w: float, alt: str, action: Action | None = None) -> None:
        known = action if action in self.legal else None
        self.cells.append(Cell(id, rect_outline(x, y, w, w * RATIO), alt, action=known))

    def _heading(self, id: str, x: float, y: float, text: str) -> None:
        said = Text(0, 0, text, _INK, self.layout.text, anchor="start", bold=True)
        self.told.append(Piece(f"told/{id}", x, y, (said,)))

    def ocean(self) -> tuple[Piece, ...]:
        x, y, room_w, room_h = self.layout.ocean
        names = self.state.squares
        title = SAY("table.ocean" if names else "table.ocean.none", left=self.state.ocean_left, all=len(names))
        above = 2 * self.above
        self.flat.append(Rect(x - 8, y - above, room_w + 16, room_h + above + 8, Style("sea_deep"), 12))
        self._heading("ocean", x, y - self.above, title)
        if not names:
            return ()
        (wide, high), gap = _size(names), self.layout.gap
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
        state, up, size = self.state, self.attack_cards, self.layout.text
        self._heading("attack", x, y - self.above, self._attack_title())
        if not up:
            self.flat += empty_place(x, y, w, w * RATIO)
            return ()
        found = []
        ship_now = state.ship if state.ship != NO_CARD else up[0]
        if state.ship != NO_CARD and state.last:  # the failed attack is history, the escort counts
            up = (state.ship,)
            found += self._failed()
        found.append(_piece(f"card {cards.text(ship_now)}", x, y, w, cards.text(ship_now)))
        # Firing nothing at anything but a jack throws the attack away: a button may do so, a slip of the mouse may not.
        gun = Attack(0) if Attack(0) in self.chances and cards.by_gun(state.ship, 0) else None
        told = SAY(f"table.ship.{self.state.role or 'last'}", ship=cards.named(ship_now))
        most = max(self.chances, key=lambda each: each.torpedoes, default=None)
        if state.ship != NO_CARD and most is not None:
            told = SAY("table.worth", said=told, tons=1000 * cards.pips(ship_now), n=most.torpedoes,
                       chance=self.chances[most])
        self._cell("ship", x, y, w, told, gun)
        for n in range(1, MAX_TORPEDOES + 1):
            cx = x + n * (w + _GAP)
            if n < len(up):
                found.append(_piece(f"card {cards.text(up[n])}", cx, y, w, cards.text(up[n])))
                self._cell(f"tube {n}", cx, y, w, SAY("table.torpedo", n=n, card=cards.named(up[n])))
            else:
                self.flat += empty_place(cx, y, w, w * RATIO)
                if chance := self.chances.get(Attack(n)):
                    self.flat.append(Text(cx + w / 2, y + 0.5 * w, SAY("order.fire", n=n), _INK, size, bold=True))
                    self.flat.append(Text(cx + w / 2, y + 0.86 * w, chance, _INK, size))
                    self._cell(f"tube {n}", cx, y, w, SAY("table.fire", n=n, chance=chance), Attack(n))
        for i, line in enumerate(self._lines()):
            text = Text(0, 0, line, _INK, 14, anchor="start")
            self.told.append(Piece(f"told/{i}", x, y + w * RATIO + 16 + 18 * i, (text,)))
        return tuple(found)

    def _failed(self) -> list[Piece]:
        """The cards of an attack that failed, small."""
        x, y, w = self.layout.missed
        return [
            _piece(f"card {cards.text(c)}", x + i * (w + 6), y, w, cards.text(c)) for i, c in enumerate(self.state.last)
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

    def _lines(self) -> list[str]:
        """What the last attack scored, or what the escort costs, in a few short lines."""
        state = self.state
        if state.role == "escort":
            cost, left = cards.pips(state.ship), state.torpedoes
            lines = [SAY("table.cost" if cost <= left else "table.cost.too_much", cost=cost, left=left)]
            return [*lines, SAY("table.failed")] if state.last else lines
        if state.ship != NO_CARD or not state.last:
            return []
        if hits := self._hits():
            lines = [SAY(f"scores.short.{hit.kind}", cards=" ".join(map(cards.symbol, hit.cards))) for hit in hits]
            room = self.layout.lines
            return lines if len(lines) <= room else [*lines[: room - 1], SAY("table.more", n=len(lines) - room + 1)]
        return [SAY("table.gun" if self._sank() else "table.nothing")]

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
                shapes += outline(x + i * (w + _GAP), y, w, w * RATIO)
        return tuple(shapes)

    def piles(self) -> tuple[Piece, ...]:
        """Torpedo supply and deck, with their counts."""
        state, w, found = self.state, self.layout.pile, []
        piles: tuple[tuple[str, int, Action], ...] = (
            ("supply", state.torpedoes, Escape()),
            ("deck", len(state.deck), Chase()),
        )
        for (x, y), (id, count, action) in zip(self.layout.piles, piles, strict=True):
            label = SAY(f"table.{id}")
            self.flat += empty_place(x, y, w, w * RATIO)
            if count:
                found.append(_piece(id, x, y, w))
            self.over += badge(x + w / 2, y + w * RATIO / 2, str(count), fill="card", ink="ink", size=17)
            self.flat.append(Text(x + w / 2, y + w * RATIO + 12, label, _INK, 14))
            self._cell(id, x, y, w, SAY("table.pile", name=label, count=count), action)
        return tuple(found)

    def score(self) -> tuple[Piece, ...]:
        x, y, room = self.layout.score
        state, w = self.state, self.layout.sunk
        pile = [cards.text(c) for c in state.sunk + state.estimated]
        waiting = len(state.estimates) - len(state.estimated)
        count = len(pile) + waiting
        self._heading("sunk", x, y - 16, SAY("table.sunk", tons=state.tons))
        step = min(w + 6, (room - w) / max(count - 1, 1))
        if not count:
            self.flat += empty_place(x, y, w, w * RATIO)
        self._cell("score", x, y, w, SAY("table.score", count=count, tons=state.tons))
        labels = [*pile, *([""] * waiting)]
        return tuple(_piece(f"sunk {i}", x + i * step, y, w, label) for i, label in enumerate(labels))


def _describe(state: State) -> str:
    """The table in words, for screen readers."""
    parts = [SAY("table.told.ocean", left=state.ocean_left)]
    if state.ship != NO_CARD:
        parts.append(f"{SAY(f'table.ship.{state.role}', ship=cards.named(state.ship))}.")
    parts.append(SAY("table.told.left", torpedoes=state.torpedoes, deck=len(state.deck), tons=state.tons))
    return " ".join(parts)
