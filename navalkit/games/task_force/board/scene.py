"""The scratch card of Task Force as a `Scene`: the map, the carrier group below it, and the captain's own notes.

Everything comes from an `Observation`: until the end a square not scratched off looks the same whatever hides under it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from navalkit.view.cards import badge, outline
from navalkit.view.scene import Cell, Layer, Line, Rect, Scene, Shape, Style, Text, rect_outline

from ..rules.game import TaskForce
from ..rules.sea import OWN
from ..rules.state import CARRIER, CRUISER, EMPTY, FIRST_DESTROYER, HIT, MISSILES, SUBMARINE, UNSEEN, Observation, Phase
from ..rules.tables import SAY, TABLES
from . import pieces, why
from .heat import HEATS, STEPS
from .layout import WIDE, side
from .layout import tall as tall_layout
from .pieces import INK, MUTED, spoken

AIM = "note:aim="
WHY = "why"
"""The aim of a click that asks why a square is certain; behind a blank follows the square asked about."""


def scene(
    game: TaskForce,
    seen: Observation,
    tall: bool = False,
    odds: Mapping[str, str] | None = None,
    notes: Collection[str] = frozenset(),
) -> Scene:
    """The card at one moment.

    Parameters
    ----------
    game : TaskForce
    seen : Observation
        What the captain knows.
    tall : bool
        The layout for phones.
    odds : mapping of str to str, optional
        The orders that a click may give now ("C7", "strike E5").
    notes : collection of str
        Ids of the switched-on cells: ships noted as found ("note:destroyer 2"), what the map shows (`heat.HEATS`), and
        what a click on the map means: a flight ("note:aim=strike", "note:aim=fly 1"), or the question why a square is
        certain ("note:aim=why", and for the square whose proof is drawn "note:aim=why C7").
    """
    card = _Card(game, seen, tall, odds or {}, notes)
    layout = card.layout
    layers = (
        Layer("paper", (Rect(0, 0, layout.width, layout.height, Style("paper")), *card.water())),
        Layer("map", card.map()),
        Layer("panel", card.panel()),
        Layer("group", (*card.group(), *card.checks())),
        Layer("evidence", card.evidence()),
    )
    return Scene(layout.width, layout.height, layers, tuple(card.cells), game.title, _describe(seen))


class _Card:
    """Collects shapes and cells of one scene."""

    def __init__(
        self, game: TaskForce, seen: Observation, tall: bool, odds: Mapping[str, str], notes: Collection[str]
    ) -> None:
        self.game, self.seen, self.odds, self.notes = game, seen, odds, notes
        self.cells: list[Cell] = []
        self.grid = seen.sea.grid
        self.layout = tall_layout(self.grid.rows, self.grid.columns) if tall else WIDE
        self.side = side(self.layout, self.grid.rows, self.grid.columns)
        x, self.top, w, _ = self.layout.map
        self.left = x + (w - self.side * self.grid.columns) / 2
        self.deep = min(game.options["deep"], self.grid.columns)
        self.over = seen.phase is Phase.END
        self.heat = None if self.over else next((HEATS[note] for note in HEATS if note in notes), None)
        self.figures = self.heat.figures(game, seen) if self.heat else {}
        aim = next((note.removeprefix(AIM) for note in notes if note.startswith(AIM)), "")
        self.proofs = why.proofs(seen) if aim.startswith(WHY) else {}
        self.asked = self.proofs.get(aim.removeprefix(WHY).strip())
        self.aim = aim if not self.over and (aim.startswith(WHY) or self._flights(aim)) else ""

    def _flights(self, aim: str) -> bool:
        """Whether there is any flight of that kind to order."""
        return bool(aim) and any(order.startswith(_order(aim, "")) for order in self.odds)

    def _place(self, square: int) -> tuple[float, float]:
        row, column = self.grid.place(square)
        return self.left + column * self.side, self.top + row * self.side

    def _heading(self, x: float, y: float, text: str) -> Text:
        return Text(x, y, text, INK, 15, anchor="start", bold=True)

    # The map ----------------------------------------------------------------------------------------------------

    def water(self) -> tuple[Shape, ...]:
        """Deep and shallow water, and the names of columns and rows."""
        s, rows, columns = self.side, self.grid.rows, self.grid.columns
        split = self.left + self.deep * s
        return (
            Rect(self.left, self.top, self.deep * s, rows * s, Style("sea_deep")),
            Rect(split, self.top, (columns - self.deep) * s, rows * s, Style("sea_shallow")),
            *pieces.labels(self.left, self.top, s, rows, columns),
        )

    def map(self) -> tuple[Shape, ...]:
        """Every square with what it shows, coats and waves in one go each; after the end the whole fleet."""
        coats: list[Shape] = []
        waves: list[Shape] = []
        marks: list[Shape] = []
        frames: list[Shape] = []
        for square, mark in enumerate(self.seen.marks):
            (x, y), s = self._place(square), self.side
            order = self._order_at(square)
            if mark != UNSEEN:
                marks += pieces.mark(x, y, s, mark)
            elif self.over:
                coats.append(Rect(x + 1.5, y + 1.5, s - 3, s - 3, Style(None, "muted", 1, (3, 3)), 0.14 * s))
                marks += pieces.mark(x, y, s, self.seen.chart[square]) if self.seen.chart[square] != EMPTY else ()
            elif square in self.figures:
                coats += self._heated(square)
            else:
                coats.append(pieces.coat(x, y, s))
                waves += pieces.waves(x, y, s, self._is_deep(square))
            if order and (self.aim or self.seen.phase is Phase.FLIGHT):
                frames += outline(x + 5, y + 5, s - 10, s - 10)
            elif square in self.seen.flight:
                frames.append(Rect(x + 2, y + 2, s - 4, s - 4, Style(None, "select", 2.5, (5, 4)), 5))
            self._point_at(square, order)
        for ship in self.seen.fleet:
            (x, y), (r0, c0), (r1, c1) = self._place(ship[0]), self.grid.place(ship[0]), self.grid.place(ship[-1])
            frames.append(pieces.ship(x, y, self.side, c1 - c0 + 1, r1 - r0 + 1))
        border = self.left + self.deep * self.side
        low = self.top + self.side * self.grid.rows
        shore = Line(((border, self.top), (border, low)), Style(None, "ink", 2.5, (7, 4)))
        lines = pieces.grid(self.left, self.top, self.side, self.grid.rows, self.grid.columns)
        return (*lines, *coats, *waves, *marks, shore, *frames)

    def _point_at(self, square: int, order: str | None) -> None:
        """Let a square be pointed at: to give its order, or to ask why it is certain."""
        name, place = self.grid.names[square], rect_outline(*self._place(square), self.side, self.side)
        if proof := self.proofs.get(name):
            said = f"{name}: certain, {why.kind(proof)}. {why.because(proof).rstrip('.')}"
            self.cells.append(Cell(f"{AIM}{WHY} {name}", place, said))
        else:
            self.cells.append(Cell(name, place, self._say(square), order))

    def _is_deep(self, square: int) -> bool:
        return bool(self.grid.place(square)[1] < self.deep)

    def _order_at(self, square: int) -> str | None:
        """The order that a click on a square gives."""
        order = _order(self.aim, self.grid.names[square])
        return order if order in self.odds else None

    def _heated(self, square: int) -> tuple[Shape, ...]:
        (x, y), s, figure = self._place(square), self.side, self.figures[square]
        size = 0.42 if len(figure.text) < 4 else 0.33
        return (
            Rect(x + 1, y + 1, s - 2, s - 2, Style(f"heat{figure.step}"), 0.1 * s),
            Text(x + s / 2, y + s / 2, figure.text, Style(figure.token), min(17.0, size * s), bold=True),
        )

    def _say(self, square: int) -> str:
        """A square in words."""
        name, mark = self.grid.names[square], self.seen.marks[square]
        if mark != UNSEEN:
            return f"{name}: {spoken(mark)}"
        if self.over:
            return f"{name}: not scratched; there was {spoken(self.seen.chart[square]).replace('empty', 'nothing')}"
        water = "deep" if self._is_deep(square) else "shallow"
        shown = f", {self.figures[square].words}" if square in self.figures else ""
        return f"{name}: not scratched, {water} water{shown}"

    # Certain squares, and the evidence ----------------------------------------------------------------------------

    def evidence(self) -> tuple[Shape, ...]:
        """The squares that are certain; and around those that prove the one asked about a frame each."""
        shapes: list[Shape] = []
        for name, proof in self.proofs.items():
            x, y = self._place(self.grid.number(name))
            shapes += self._sure(x, y, self.side, why.kind(proof))
        if self.asked:
            s, gap = self.side, 0.12 * self.side
            for name in why.between(self.asked):
                x, y = self._place(self.grid.number(name))
                shapes.append(Rect(x + gap, y + gap, s - 2 * gap, s - 2 * gap, Style(None, "accent", 2.5, (4, 3)), 4))
            for name in why.evidence(self.asked):
                x, y = self._place(self.grid.number(name))
                shapes += outline(x + 4, y + 4, s - 8, s - 8)
            x, y = self._place(self.grid.number(str(self.asked.facts[0].value)))
            shapes += badge(x + s / 2, y + s / 2, "why?", size=min(14.0, 0.3 * s))
        return tuple(shapes)

    def _sure(self, x: float, y: float, s: float, what: str) -> tuple[Shape, ...]:
        """A small sign on a white tile: what the square must hold."""
        cx, cy, m = x + s / 2, y + s / 2, 0.13 * s
        tile = Rect(cx - 2 * m, cy - 2 * m, 4 * m, 4 * m, Style("card", "ink", 1), m)
        if what == "hit":
            return (tile, *pieces.cross(cx, cy, m))
        if what == "empty":
            return (tile, pieces.mark(x, y, s, EMPTY)[0])
        return (tile, Line(((cx - m, cy), (cx + m, cy)), pieces.CROSS))

    # Switches and legend ----------------------------------------------------------------------------------------

    def panel(self) -> tuple[Shape, ...]:
        """The switches of the map, and the legend."""
        shapes = list[Shape]()
        if self.layout is WIDE:
            shapes.append(self._heading(self.layout.switches[0][0], 20, "Show on the map"))
        switches = [(note, heat.title, heat.said, heat is self.heat) for note, heat in HEATS.items()]
        switches.append((AIM + WHY, "Certain", "which squares are certain, and why", self.aim.startswith(WHY)))
        (w, h) = self.layout.switch
        for (x, y), (note, title, said, on) in zip(self.layout.switches, switches, strict=True):
            shapes += pieces.box(x, y, w, h, on, title, 15)
            self.cells.append(Cell(note, rect_outline(x, y, w, h), f"Show {said}: {'on' if on else 'off'}"))
        legend = self._certain() if self.aim.startswith(WHY) else self._scale() if self.heat else self._waters()
        return (*shapes, *legend)

    def _scale(self) -> tuple[Shape, ...]:
        """The colours with their meaning, and how exact the figures are."""
        assert self.heat is not None
        x, y, w = self.layout.key
        step = w / STEPS
        bar = [Rect(x + i * step, y, step, 14, Style(f"heat{i}")) for i in range(STEPS)]
        return (
            *bar,
            Rect(x, y, w, 14, Style(None, "ink", 1.0)),
            Text(x, y + 26, self.heat.low, MUTED, 14, anchor="start"),
            Text(x + w, y + 26, self.heat.high, MUTED, 14, anchor="end"),
            Text(x, y + 46, self.heat.note(self.game, self.seen), MUTED, 13, anchor="start"),
        )

    def _certain(self) -> tuple[Shape, ...]:
        """What the signs on certain squares mean, and what to do."""
        x, y, w = self.layout.key
        shapes: list[Shape] = []
        for i, what in enumerate(why.KINDS):
            at = x + i * w / 3
            shapes += self._sure(at - 10, y - 8, 36, what)
            shapes.append(Text(at + 21, y + 10, what, MUTED, 14, anchor="start"))
        return (*shapes, Text(x, y + 40, SAY("why.some" if self.proofs else "why.none"), MUTED, 14, anchor="start"))

    def _waters(self) -> tuple[Shape, ...]:
        """What the waves on the coating mean."""
        x, y, w = self.layout.key
        shapes: list[Shape] = []
        for i, name in enumerate(("deep water", "shallow water")):
            cx = x + i * w / 2
            shapes += (pieces.coat(cx - 1.5, y - 1.5, 29), *pieces.waves(cx - 1.5, y - 1.5, 29, i == 0))
            shapes.append(Text(cx + 32, y + 13, name if w > 300 else name.split()[0], MUTED, 14, anchor="start"))
        if not self.over and not self.odds:
            return tuple(shapes)  # a picture, on which nobody can click
        text = SAY("scratch.over" if self.over else "scratch.how" if self.layout is WIDE else "scratch.touch")
        return (*shapes, Text(x, y + 44, text, MUTED, 14, anchor="start"))

    # Our ships, and the captain's notes -------------------------------------------------------------------------

    def group(self) -> tuple[Shape, ...]:
        """The carrier group from left to right; a click on a ship that can send a flight aims it."""
        x, y, room = self.layout.group
        gap = 6.0
        w, h = (room - gap * (len(OWN) - 1)) / len(OWN), 84.0
        shapes: list[Shape] = [self._heading(x, y - 14, self._group_title())]
        for ship, key in enumerate(OWN):
            cx, afloat = x + ship * (w + gap), ship in self.seen.afloat
            kind = {CARRIER: "strike", CRUISER: ""}.get(ship, f"fly {ship - FIRST_DESTROYER + 1}")
            ready = bool(kind) and afloat and not self.over and self._flights(kind)
            aimed = bool(kind) and kind == self.aim
            frame = Style("card", "select", 4) if aimed else Style("card", "card_line", 2 if ready else 1)
            shapes.append(Rect(cx + 2, y, w - 4, h, frame, 8))
            shapes += pieces.own_ship(cx + w / 2, y + 20, min(w - 14, 100.0), ship, afloat)
            shapes.append(Text(cx + w / 2, y + 43, key, INK if afloat else MUTED, 15, bold=True))
            shapes += self._carries(ship, cx + w / 2, y + 66, w)
            what = "aimed: point at a square" if aimed else "click to aim her flight" if ready else ""
            words = ", ".join(filter(None, (self._loaded(ship) if afloat else "destroyed", what)))
            id = f"{AIM}{kind}" if ready else key
            self.cells.append(Cell(id, rect_outline(cx + 2, y, w - 4, h), f"{key}, your {TABLES.own[key]}: {words}"))
        return tuple(shapes)

    def _group_title(self) -> str:
        if self.seen.phase is Phase.FLIGHT:
            return f"Helicopter {self.seen.flying} is in the air"
        if self.aim == "strike":
            return "Strike: point at a scratched square"
        if self.aim.startswith("fly"):
            return f"Helicopter {self.aim[-1]}: point at the map's edge"
        return f"Your carrier group: {len(self.seen.afloat)} of {len(OWN)} afloat"

    def _load(self, ship: int) -> tuple[int, str, str]:
        """How many of what she has left."""
        if ship == CARRIER:
            return self.seen.strikes, "strike-fighter", "strike"
        if ship == CRUISER:
            return self.seen.anti_air, "anti-air missile", "AA"
        return int(ship - FIRST_DESTROYER + 1 in self.seen.helicopters), "helicopter", "helo"

    def _loaded(self, ship: int) -> str:
        count, thing, _ = self._load(ship)
        return f"{count} {thing}{'s' * (count != 1)} left"

    def _carries(self, ship: int, x: float, y: float, w: float) -> tuple[Shape, ...]:
        count, thing, short = self._load(ship)
        if ship not in self.seen.afloat:
            return (Text(x, y, "lost", MUTED, 14),)
        name = thing.removesuffix(" missile") + "s" * (count != 1 and ship != CRUISER) if w > 120 else short
        return (Text(x, y, f"{count} {name}" if count else "none", INK if count else MUTED, 14 if w > 120 else 13),)

    def checks(self) -> tuple[Shape, ...]:
        """The check-boxes for the enemy ships: the captain's own notes (T9d)."""
        x, y = self.layout.notes
        w, h = self.layout.note
        shapes: list[Shape] = [self._heading(x, y - 16, "Enemy ships: your notes")]
        ships = [(kind, number) for kind in self.seen.sea.waters.classes for number in range(1, kind.count + 1)]
        for i, (kind, number) in enumerate(ships):
            cx, cy = x + i % self.layout.across * (w + 6), y + i // self.layout.across * h
            note = f"note:{kind.name} {number}"
            on = note in self.notes
            shapes += pieces.box(cx, cy + 1, w, h - 2, on, kind.name, 14)
            size = 8.0
            for j in range(kind.length):
                at = cx + w - 6 - (kind.length - j) * size, cy + h / 2 - size / 2
                shapes.append(Rect(*at, size - 1.5, size - 1.5, Style("vermilion" if on else None, "ink", 1)))
            said = f"{kind.name} {number}, {kind.length} squares: {'noted as found' if on else 'not noted as found'}"
            self.cells.append(Cell(note, rect_outline(cx, cy + 1, w, h - 2), said))
        return tuple(shapes)


def _order(aim: str, square: str) -> str:
    """The notation of what a click on a square orders, for that aim ("", "strike", "fly 1"); "" for any other."""
    if aim.startswith("fly"):
        return f"fly helicopter {aim[4:]} from {square}"
    return f"{aim} {square}" if aim == "strike" else "" if aim else square


def _describe(seen: Observation) -> str:
    """The card in words, for screen readers."""
    grid = seen.sea.grid

    def at(marks: str) -> str:
        return ", ".join(grid.names[s] for s in seen.squares(marks)) or "none"

    ours = ", ".join(OWN[ship] for ship in seen.afloat) or "none"
    return (
        f"A map of {grid.columns} columns and {grid.rows} rows; {len(seen.squares(UNSEEN))} squares are not scratched. "
        f"Hits: {at(HIT)}. Missiles: {at(MISSILES)}. Submarines: {at(SUBMARINE)}. Afloat: {ours}; "
        f"{seen.anti_air} anti-air missiles, {len(seen.helicopters)} helicopters, {seen.strikes} strike-fighters."
    )
