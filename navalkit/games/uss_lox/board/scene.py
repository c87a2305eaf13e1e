"""The card table of USS Lox as a `Scene`: the ocean, the ship before you, your torpedoes, the deck, the score pile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from navalkit.view.cards import badge, card, empty_place, face_down, outline
from navalkit.view.scene import Cell, Layer, Rect, Scene, Shape, Style, Text, rect_outline

from ..rules import cards, cribbage
from ..rules.game import UssLox
from ..rules.say import SAY
from ..rules.state import GONE, MAX_TORPEDOES, NO_CARD, Action, Attack, Chase, Escape, Flip, State

_RATIO = 1.4  # a card's height by its width
_INK = Style("ink")
_MUTED = Style("muted")


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things lie, in px: one for wide pages, one for phones."""

    width: float
    height: float
    ocean: tuple[float, float, float, float]  # x, y, w, h of the room for the ocean
    attack: tuple[float, float]  # top left of the attack row
    card: float  # width of the cards in the attack row
    piles: tuple[float, float]  # top left of supply and deck
    score: tuple[float, float, float]  # top left of the score pile, and the width it has
    text: float  # size of ordinary text
    lines: int  # lines of small text that have room under the attack row


_WIDE = _Layout(800, 560, (24, 52, 360, 484), (424, 52), 82, (424, 300), (424, 446, 352), 16, 6)
_TALL = _Layout(390, 724, (20, 262, 350, 290), (14, 40), 84, (14, 586), (170, 586, 206), 15, 3)


def _tall_for(state: State) -> _Layout:
    """The tall layout, taller where the ocean has more than three rows: its cards stay large enough for a finger."""
    more = 97.0 * max(0, max((int(name[1]) for name in state.squares), default=3) - 3)
    (x, y, w, h), (piles_x, piles_y), (score_x, score_y, room) = _TALL.ocean, _TALL.piles, _TALL.score
    return replace(
        _TALL,
        height=_TALL.height + more,
        ocean=(x, y, w, h + more),
        piles=(piles_x, piles_y + more),
        score=(score_x, score_y + more, room),
    )


def scene(
    game: UssLox, state: State, legal: Sequence[Action], chances: Mapping[Action, str], tall: bool = False
) -> Scene:
    """The table at one moment.

    Parameters
    ----------
    game : UssLox
        The game and its options.
    state : State
        What the captain sees, which is all there is.
    legal : sequence of Action
        What can be done now.
    chances : mapping of Action to str
        The chance of every attack that is possible now ("63 %"), written on the torpedo places.
    tall : bool
        The layout for phones.
    """
    layout = _tall_for(state) if tall else _WIDE
    builder = _Table(game, state, legal, layout, chances)
    layers = (
        Layer("table", (Rect(0, 0, layout.width, layout.height, Style("sea_shallow")),)),
        Layer("ocean", builder.ocean()),
        Layer("piles", (*builder.piles(), *builder.score())),
        Layer("attack", builder.attack()),
        Layer("evidence", builder.evidence()),
    )
    return Scene(layout.width, layout.height, layers, tuple(builder.cells), game.title, _describe(state))


class _Table:
    """Collects shapes and cells of one scene."""

    def __init__(
        self, game: UssLox, state: State, legal: Sequence[Action], layout: _Layout, chances: Mapping[Action, str]
    ) -> None:
        self.game, self.state, self.legal, self.layout, self.chances = game, state, legal, layout, chances
        self.cells: list[Cell] = []
        self.attack_cards = self.state.last or (
            (self.state.ship, *self.state.fired) if self.state.ship != NO_CARD else ()
        )

    def _cell(self, id: str, x: float, y: float, w: float, alt: str, action: Action | None = None) -> None:
        known = action if action in self.legal else None
        self.cells.append(Cell(id, rect_outline(x, y, w, w * _RATIO), alt, action=known))

    def _heading(self, x: float, y: float, text: str) -> Text:
        return Text(x, y, text, _INK, self.layout.text, anchor="start", bold=True)

    def ocean(self) -> tuple[Shape, ...]:
        x, y, room_w, room_h = self.layout.ocean
        names = self.state.squares
        title = SAY("table.ocean" if names else "table.ocean.none", left=self.state.ocean_left, all=len(names))
        shapes: list[Shape] = [
            Rect(x - 12, y - 40, room_w + 24, room_h + 48, Style("sea_deep"), 12),
            self._heading(x, y - 20, title),
        ]
        if not names:
            return tuple(shapes)
        wide, high = 1 + max("ABCDE".index(name[0]) for name in names), max(int(name[1]) for name in names)
        label, gap = 18.0, 10.0
        w = min(
            (room_w - gap * (wide - 1)) / wide, ((room_h - gap * (high - 1)) / high - label) / _RATIO, 116
        )
        left = x + (room_w - wide * w - (wide - 1) * gap) / 2
        step = (room_h - high * (w * _RATIO + label)) / max(high, 1)
        for name, slot in zip(names, self.state.ocean, strict=True):
            cx = left + "ABCDE".index(name[0]) * (w + gap)
            cy = y + (int(name[1]) - 1) * (w * _RATIO + label + min(step, gap)) + label
            shapes.append(Text(cx + w / 2, cy - 9, name, _MUTED, 14))
            if slot == GONE:
                shapes += empty_place(cx, cy, w, w * _RATIO)
                self._cell(name, cx, cy, w, SAY("table.turned", square=name))
            else:
                shapes += face_down(cx, cy, w, w * _RATIO)
                self._cell(name, cx, cy, w, SAY("table.face_down", square=name), Flip(name))
        return tuple(shapes)

    def attack(self) -> tuple[Shape, ...]:
        """The ship that lies face up, or was attacked last, and the places of three torpedoes beside her."""
        x, y = self.layout.attack
        w = self.layout.card
        state, up = self.state, self.attack_cards
        shapes: list[Shape] = [self._heading(x, y - 20, self._attack_title())]
        if not up:
            shapes += empty_place(x, y, w, w * _RATIO)
            return tuple(shapes)
        live = state.ship != NO_CARD
        ship_now = state.ship if live else up[0]
        if (
            live and state.last
        ):  # an escort after a failed attack: the failed attack is history, the escort counts
            up = (state.ship,)
        shapes += card(x, y, w, w * _RATIO, cards.text(ship_now))
        # Firing nothing at anything but a jack throws the attack away: a button may do so, a slip of the mouse may not.
        gun = Attack(0) if cards.rank(ship_now) == cards.JACK else None
        told = SAY(f"table.ship.{self.state.role or 'last'}", ship=cards.named(ship_now))
        self._cell("ship", x, y, w, told, gun)
        for n in range(1, MAX_TORPEDOES + 1):
            cx = x + n * (w + 8)
            if n < len(up):
                shapes += card(cx, y, w, w * _RATIO, cards.text(up[n]))
                self._cell(f"tube {n}", cx, y, w, SAY("table.torpedo", n=n, card=cards.named(up[n])))
            else:
                shapes += empty_place(cx, y, w, w * _RATIO)
                if chance := self.chances.get(Attack(n)):
                    shapes.append(Text(cx + w / 2, y + 0.5 * w, SAY("order.fire", n=n), _INK, 16, bold=True))
                    shapes.append(Text(cx + w / 2, y + 0.86 * w, chance, _INK, 16))
                    self._cell(f"tube {n}", cx, y, w, SAY("table.fire", n=n, chance=chance), Attack(n))
        for i, line in enumerate(self._lines()):
            shapes.append(Text(x, y + w * _RATIO + 18 + 18 * i, line, _INK, 14, anchor="start"))
        return tuple(shapes)

    def _attack_title(self) -> str:
        state = self.state
        last = "sunk" if self._sank() else "away" if state.last else "none"
        return SAY(f"table.attack.{state.role if state.ship != NO_CARD else last}")

    def _sank(self) -> bool:
        last = self.state.last
        return bool(last) and (cards.rank(last[0]) == cards.JACK or bool(self._hits()))

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
            if state.last:
                lines.append(SAY("table.failed", cards=" ".join(map(cards.symbol, state.last))))
            return lines
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
                shapes += outline(x + i * (w + 8), y, w, w * _RATIO)
        return tuple(shapes)

    def piles(self) -> tuple[Shape, ...]:
        """Torpedo supply and deck, with their counts."""
        x, y = self.layout.piles
        state, w = self.state, 64.0
        shapes: list[Shape] = []
        piles: tuple[tuple[str, int, Action], ...] = (
            ("supply", state.torpedoes, Escape()),
            ("deck", len(state.deck), Chase()),
        )
        for i, (id, count, action) in enumerate(piles):
            label = SAY(f"table.{id}")
            cx = x + i * (w + 12)
            shapes += face_down(cx, y, w, w * _RATIO) if count else empty_place(cx, y, w, w * _RATIO)
            shapes += badge(cx + w / 2, y + w * _RATIO / 2, str(count), fill="card", ink="ink", size=17)
            shapes.append(Text(cx + w / 2, y + w * _RATIO + 14, label, _INK, 14))
            self._cell(id, cx, y, w, SAY("table.pile", name=label, count=count), action)
        return tuple(shapes)

    def score(self) -> tuple[Shape, ...]:
        x, y, room = self.layout.score
        state, w = self.state, 50.0
        pile = [cards.text(c) for c in state.sunk + state.estimated]
        waiting = len(state.estimates) - len(state.estimated)
        count = len(pile) + waiting
        shapes: list[Shape] = [
            self._heading(x, y - 16 if self.layout is _WIDE else y + 6, SAY("table.sunk", tons=state.tons))
        ]
        top = y + (6 if self.layout is _WIDE else 22)
        step = min(w + 6, (room - w) / max(count - 1, 1))
        for i in range(count):
            cx = x + i * step
            shapes += (
                card(cx, top, w, w * _RATIO, pile[i]) if i < len(pile) else face_down(cx, top, w, w * _RATIO)
            )
        if not count:
            shapes += empty_place(x, top, w, w * _RATIO)
        self._cell("score", x, top, w, SAY("table.score", count=count, tons=state.tons))
        return tuple(shapes)


def _describe(state: State) -> str:
    """The table in words, for screen readers."""
    parts = [SAY("table.told.ocean", left=state.ocean_left)]
    if state.ship != NO_CARD:
        parts.append(f"{SAY(f'table.ship.{state.role}', ship=cards.named(state.ship))}.")
    parts.append(SAY("table.told.left", torpedoes=state.torpedoes, deck=len(state.deck), tons=state.tons))
    return " ".join(parts)
