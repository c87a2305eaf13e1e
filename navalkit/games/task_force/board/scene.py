"""The scratch card of Task Force as a `Scene`: the map, the carrier group below it, and the captain's own notes.

Everything comes from an `Observation`: until the end a square not scratched off looks the same whatever hides under it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from navalkit.core.awaited import Awaited
from navalkit.view.page import Look
from navalkit.view.scene import Cell, Circle, Layer, Pick, Piece, Rect, Scene, Shape, Style, Text, rect_outline

from ..rules.say import SAY
from ..rules.sea import OWN
from ..rules.state import CARRIER, CRUISER, FIRST_DESTROYER, HIT, MISSILES, SUBMARINE, UNSEEN, Observation, Phase
from ..rules.tables import TABLES
from . import pieces, why
from .layout import WIDE
from .pieces import INK, MUTED
from .sheet import Aim, Seen, Sheet, aimed, heat_of

MAP = 534.0, 546.0  # px of the board's upper left corner in which the map lies


def awaits(glance: Seen, look: Look) -> Sequence[Awaited[Any]]:
    """What the map shows besides once it is calculated."""
    if glance.seen.phase is Phase.END:
        return ()
    heat, aim = heat_of(look), look.picks.get("aim")
    asked: list[Awaited[Any]] = [heat.asks(glance.game, glance.seen)] if heat else []
    return asked + ([why.proofs(glance.seen)] if aim and aim.kind == "why" else [])


def scene(glance: Seen, look: Look) -> Scene:
    """The card at one moment; what is picked: ships noted as found, a heat map (`heat.HEATS`), an `Aim`."""
    card = _Card(glance, look)
    layout = card.layout
    under, marks, frames = card.map()
    layers = (
        Layer("paper", (Rect(0, 0, layout.width, layout.height, Style("paper")), *card.water())),
        Layer("map", under),
        Layer("panel", card.panel()),
        Layer("group", (*card.group(), *card.checks())),
        Layer("marks", marks),
        Layer("ships", tuple(card.ships)),
        Layer("frames", frames, late=True),
        Layer("evidence", card.evidence(), late=True),
    )
    return Scene(layout.width, layout.height, layers, tuple(card.cells), glance.game.title, _describe(glance.seen))


def searches(glance: Seen, order: Sequence[int]) -> Scene:
    """The map at the end, with a number in each square searched: when it was."""
    card = _Card(glance, Look())
    layout, (under, marks, frames) = card.layout, card.map()
    numbers: list[Shape] = []
    for number, square in enumerate(order, 1):
        x, y = card.place(square)
        at = x + 0.24 * card.side, y + 0.2 * card.side
        numbers += [Circle(*at, 9, Style("card", "card_line", 1)), Text(*at, str(number), INK, 12, bold=True)]
    layers = (
        Layer("paper", (Rect(0, 0, layout.width, layout.height, Style("paper")), *card.water())),
        Layer("map", under), Layer("marks", marks), Layer("frames", frames), Layer("numbers", tuple(numbers)),
    )  # fmt: skip
    return Scene(*MAP, layers, (), SAY("map.searches"), _describe(glance.seen))


class _Card(Sheet):
    """All of the card: below the map our ships, and the captain's notes."""

    def group(self) -> tuple[Shape, ...]:
        """The carrier group from left to right; a click on a ship that can send a flight aims it."""
        x, y, room = self.layout.group
        gap = 6.0
        w, h = (room - gap * (len(OWN) - 1)) / len(OWN), self.layout.high
        deck, name = min(20.0, 0.27 * h), 39.0 if h > 60 else 0.565 * h
        shapes: list[Shape] = [self.heading(x, y - (14 if self.layout is WIDE else 11), self._group_title())]
        for ship, key in enumerate(OWN):
            cx, afloat = x + ship * (w + gap), ship in self.seen.afloat
            aim = {CARRIER: Aim("strike"), CRUISER: None}.get(ship, Aim("fly", ship - FIRST_DESTROYER + 1))
            ready = afloat and not self.over and self.useful(aim)
            chosen = aim is not None and aim == self.aim
            frame = Style("card", "select", 4) if chosen else Style("card", "card_line", 2 if ready else 1)
            shapes.append(Rect(cx + 2, y, w - 4, h, frame, 8))
            look = pieces.own_ship(0, 0, min(w - 14, 100.0), ship, afloat)
            self.ships.append(Piece(key, cx + w / 2, y + deck, look))
            self._flights(ship, cx + w / 2, y + deck, w)
            shapes.append(Text(cx + w / 2, y + name, key, INK if afloat else MUTED, 15 if h > 60 else 14, bold=True))
            shapes += self._carries(ship, cx + w / 2, y + h - 11, w)
            what = SAY("group.aimed") if chosen else SAY("group.aim") if ready else ""
            words = ", ".join(filter(None, (self._loaded(ship) if afloat else SAY("group.destroyed"), what)))
            said = SAY("group.ship", ship=key, name=TABLES.own[key], words=words)
            place = rect_outline(cx + 2, y, w - 4, h)
            self.cells.append(Cell(key, place, said, pick=aimed(aim) if ready and aim else None))
        return tuple(shapes)

    def _flights(self, ship: int, x: float, y: float, w: float) -> None:
        """Her aircraft beside her; the helicopter in the air over the square it scratched last."""
        if ship == CARRIER:
            self.ships += [
                Piece(f"fighter {n}", x + w / 2 - 12, y - 8 + 16 * n, pieces.FIGHTER, what="fighter")
                for n in range(self.seen.strikes)
            ]
        elif (number := ship - FIRST_DESTROYER + 1) == self.seen.flying and self.seen.flight:
            at, half = self.place(self.seen.flight[-1]), self.side / 2
            self._helicopter(number, at[0] + half, at[1] + 0.25 * self.side)
        elif number in self.seen.helicopters:
            self._helicopter(number, x + w / 2 - 13, y - 6)

    def _helicopter(self, number: int, x: float, y: float) -> None:
        self.ships.append(Piece(f"helicopter {number}", x, y, pieces.HELICOPTER, what=("helicopter", number)))

    def _group_title(self) -> str:
        if self.seen.phase is Phase.FLIGHT:
            return SAY("group.flying", number=self.seen.flying)
        if self.aim and not self.asks_why:
            return SAY(f"group.{self.aim.kind}", number=self.aim.which)
        return SAY("group.title", afloat=len(self.seen.afloat), ships=len(OWN))

    def _load(self, ship: int) -> tuple[int, str]:
        """How many of what she has left."""
        if ship == CARRIER:
            return self.seen.strikes, "strike"
        if ship == CRUISER:
            return self.seen.anti_air, "anti_air"
        return int(ship - FIRST_DESTROYER + 1 in self.seen.helicopters), "helicopter"

    def _loaded(self, ship: int) -> str:
        count, thing = self._load(ship)
        return SAY(f"load.{thing}", n=count)

    def _carries(self, ship: int, x: float, y: float, w: float) -> tuple[Shape, ...]:
        count, thing = self._load(ship)
        if ship not in self.seen.afloat:
            return (Text(x, y, SAY("load.lost"), MUTED, 14),)
        text = SAY(f"load.{thing}.{'wide' if w > 120 else 'narrow'}", n=count) if count else SAY("load.none")
        return (Text(x, y, text, INK if count else MUTED, 14 if w > 120 else 13),)

    def checks(self) -> tuple[Shape, ...]:
        """The check-boxes for the enemy ships: the captain's own notes (T9d)."""
        if self.layout.notes is None or self.layout is not WIDE and self.has_legend():
            return ()
        x, y = self.layout.notes
        w, h = self.layout.note
        shapes: list[Shape] = [self.heading(x, y - 16, SAY("notes.title"))] if self.layout is WIDE else []
        ships = [(kind, number) for kind in self.seen.sea.waters.classes for number in range(1, kind.count + 1)]
        for i, (kind, number) in enumerate(ships):
            cx, cy = x + i % self.layout.across * (w + 6), y + i // self.layout.across * h
            pick = Pick((kind.name, number))
            on = pick in self.picks
            shapes += pieces.box(cx, cy + 1, w, h - 2, on, kind.name if self.layout is WIDE else "", 14)
            size = 8.0 if self.layout is WIDE else 7.0
            for j in range(kind.length):
                at = cx + w - 6 - (kind.length - j) * size, cy + h / 2 - size / 2
                shapes.append(Rect(*at, size - 1.5, size - 1.5, Style("vermilion" if on else None, "ink", 1)))
            said = SAY("notes.on" if on else "notes.off", ship=kind.name, number=number, length=kind.length)
            place = rect_outline(cx, cy + 1, w, h - 2)
            self.cells.append(Cell(f"{kind.name} {number}", place, said, pick=pick))
        return tuple(shapes)


def _describe(seen: Observation) -> str:
    """The card in words, for screen readers."""
    grid = seen.sea.grid

    def at(marks: str) -> str:
        return ", ".join(grid.names[s] for s in seen.squares(marks)) or SAY("none")

    return SAY(
        "map.said", columns=grid.columns, rows=grid.rows, unseen=len(seen.squares(UNSEEN)), hits=at(HIT),
        missiles=at(MISSILES), submarines=at(SUBMARINE), afloat=", ".join(OWN[s] for s in seen.afloat) or SAY("none"),
        anti_air=seen.anti_air, helicopters=len(seen.helicopters), strikes=seen.strikes,
    )  # fmt: skip
