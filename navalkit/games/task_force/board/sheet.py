"""The map of the scratch card: water, coats and marks, figures and evidence upon them, the switches and the legend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from navalkit.core.trace import Finding
from navalkit.view.drawn.cards import badge, outline
from navalkit.view.page import Glance, Look
from navalkit.view.scene import Cell, Lasts, Line, Pick, Piece, Rect, Shape, Style, Text, rect_outline

from ..rules.game import TaskForce
from ..rules.say import SAY
from ..rules.state import EMPTY, UNSEEN, Action, Fly, Observation, Phase, Scratch, Strike
from . import pieces, why
from .heat import HEATS, STEPS, Figures, Heat
from .layout import WIDE, side
from .layout import tall as tall_layout
from .pieces import INK, MUTED, spoken

Seen = Glance[TaskForce, Observation, Action]
_EM = 0.56  # mean width of a character, in font sizes


@dataclass(frozen=True, slots=True)
class Aim:
    """What a press on the map means, if not a scratch: the value of the pick "aim"."""

    kind: str  # "strike", "fly", or "why": to ask why a square is certain
    which: int | str = ""  # the number of the helicopter; of "why" the square asked about, or ""

    def action(self, square: str) -> Action | None:
        """What a press on a square orders."""
        if self.kind == "strike":
            return Strike(square)
        return Fly(self.which, square) if self.kind == "fly" and isinstance(self.which, int) else None


WHY = Aim("why")


def heat_of(look: Look) -> Heat | None:
    """What the map is to show."""
    return HEATS.get(look.picks.get("heat"))


def aimed(aim: Aim) -> Pick:
    return Pick("aim", aim, Lasts.ORDER)


def _legal(glance: Seen) -> frozenset[Action]:
    return frozenset(glance.legal)


class Sheet:
    """Collects shapes and cells of the map, its switches and its legend."""

    def __init__(self, glance: Seen, look: Look) -> None:
        self.seen, self.picks = glance.seen, look.picks
        self.legal = glance.once(_legal)
        self.cells: list[Cell] = []
        self.ships: list[Piece] = []
        self.grid = self.seen.sea.grid
        self.layout = tall_layout(self.grid.rows, self.grid.columns, look.room) if look.tall else WIDE
        self.side = side(self.layout, self.grid.rows, self.grid.columns)
        x, self.top, w, _ = self.layout.map
        self.left = x + (w - self.side * self.grid.columns) / 2
        self.deep = min(glance.game.options["deep"], self.grid.columns)
        self.over = self.seen.phase is Phase.END
        self.heat = None if self.over else heat_of(look)
        found = look.known(self.heat.asks(glance.game, self.seen)) if self.heat else None
        waiting = SAY("heat.waiting")
        self.figures: Figures = self.heat.figures(self.seen, found) if self.heat and found is not None else {}
        self.precision = self.heat.note(self.seen, found) if self.heat and found is not None else waiting
        aim = look.picks.get("aim")
        self.aim: Aim | None = None if self.over or not (aim == WHY or self.useful(aim)) else aim
        self.asks_why = self.aim is not None and self.aim.kind == "why"
        known = look.known(why.proofs(self.seen)) if self.asks_why else None
        self.proofs: Mapping[str, Finding] = known or {}
        self.proving = self.asks_why and known is None
        self.asked = self.proofs.get(str(self.aim.which)) if self.aim else None

    def useful(self, aim: Aim | None) -> bool:
        """Whether there is any order of that aim to give."""
        if aim is None or aim.kind == "why":
            return aim is not None
        return any(aim.action(name) in self.legal for name in self.grid.names)

    def place(self, square: int) -> tuple[float, float]:
        row, column = self.grid.place(square)
        return self.left + column * self.side, self.top + row * self.side

    def heading(self, x: float, y: float, text: str) -> Text:
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

    def map(self) -> tuple[tuple[Shape, ...], tuple[Piece, ...], tuple[Shape, ...]]:
        """What lies under the marks, coats and waves in one go each; the marks of squares seen; what lies over them."""
        coats: list[Shape] = []
        waves: list[Shape] = []
        marks: list[Piece] = []
        frames: list[Shape] = []
        for square, mark in enumerate(self.seen.marks):
            (x, y), s = self.place(square), self.side
            action = self._action_at(square)
            if mark != UNSEEN:
                marks.append(self._marked(square, mark))
            elif self.over:
                coats.append(Rect(x + 1.5, y + 1.5, s - 3, s - 3, Style(None, "muted", 1, (3, 3)), 0.14 * s))
                marks += [self._marked(square, self.seen.chart[square])] if self.seen.chart[square] != EMPTY else ()
            elif square in self.figures:
                coats += self._heated(square)
            else:
                coats.append(pieces.coat(x, y, s))
                waves += pieces.waves(x, y, s, self._is_deep(square))
            if action and (self.aim or self.seen.phase is Phase.FLIGHT):
                frames += outline(x + 5, y + 5, s - 10, s - 10)
            elif square in self.seen.flight:
                frames.append(Rect(x + 2, y + 2, s - 4, s - 4, Style(None, "select", 2.5, (5, 4)), 5))
            self._point_at(square, action)
        for ship in self.seen.fleet:
            (x, y), (r0, c0), (r1, c1) = self.place(ship[0]), self.grid.place(ship[0]), self.grid.place(ship[-1])
            frames.append(pieces.ship(x, y, self.side, c1 - c0 + 1, r1 - r0 + 1))
        border = self.left + self.deep * self.side
        low = self.top + self.side * self.grid.rows
        shore = Line(((border, self.top), (border, low)), Style(None, "ink", 2.5, (7, 4)))
        lines = pieces.grid(self.left, self.top, self.side, self.grid.rows, self.grid.columns)
        return (*lines, *coats, *waves, shore), tuple(marks), tuple(frames)

    def _marked(self, square: int, mark: str) -> Piece:
        (x, y), half = self.place(square), self.side / 2
        return Piece(self.grid.names[square], x + half, y + half, pieces.mark_about(self.side, mark))

    def _point_at(self, square: int, action: Action | None) -> None:
        """Let a square be pointed at: to give its order, or to ask why it is certain."""
        name, place = self.grid.names[square], rect_outline(*self.place(square), self.side, self.side)
        if proof := self.proofs.get(name):
            called = SAY(f"why.kind.{why.kind(proof)}")
            said = SAY("why.certain", square=name, kind=called, because=why.because(proof).rstrip("."))
            self.cells.append(Cell(name, place, said, pick=aimed(Aim("why", name))))
        else:
            self.cells.append(Cell(name, place, self._say(square), action=action))

    def _is_deep(self, square: int) -> bool:
        return bool(self.grid.place(square)[1] < self.deep)

    def _action_at(self, square: int) -> Action | None:
        """What a press on a square orders."""
        name = self.grid.names[square]
        action = self.aim.action(name) if self.aim else Scratch(name)
        return action if action in self.legal else None

    def _heated(self, square: int) -> tuple[Shape, ...]:
        (x, y), s, figure = self.place(square), self.side, self.figures[square]
        size = max(12.0, min(17.0, (0.42 if len(figure.text) < 4 else 0.33) * s))
        tile = Rect(x + 1, y + 1, s - 2, s - 2, Style(f"heat{figure.step}"), 0.1 * s)
        if _EM * size * len(figure.text) > s:  # the smallest squares: their colour says it, and their words
            return (tile,)
        return tile, Text(x + s / 2, y + s / 2, figure.text, Style(figure.token), size, bold=True)

    def _say(self, square: int) -> str:
        """A square in words."""
        name, mark = self.grid.names[square], self.seen.marks[square]
        if mark != UNSEEN:
            return SAY("square.seen", square=name, what=spoken(mark))
        if self.over:
            there = self.seen.chart[square]
            what = SAY("square.nothing") if there == EMPTY else spoken(there)
            return SAY("square.missed", square=name, what=what)
        said = SAY("square.deep" if self._is_deep(square) else "square.shallow", square=name)
        return f"{said}, {self.figures[square].words}" if square in self.figures else said

    # Certain squares, and the evidence ----------------------------------------------------------------------------

    def evidence(self) -> tuple[Shape, ...]:
        """The squares that are certain; and around those that prove the one asked about a frame each."""
        shapes: list[Shape] = []
        for name, proof in self.proofs.items():
            x, y = self.place(self.grid.number(name))
            shapes += self._sure(x, y, self.side, why.kind(proof))
        if self.asked:
            s, gap = self.side, 0.12 * self.side
            for name in why.between(self.asked):
                x, y = self.place(self.grid.number(name))
                shapes.append(Rect(x + gap, y + gap, s - 2 * gap, s - 2 * gap, Style(None, "accent", 2.5, (4, 3)), 4))
            for name in why.evidence(self.asked):
                x, y = self.place(self.grid.number(name))
                shapes += outline(x + 4, y + 4, s - 8, s - 8)
            x, y = self.place(self.grid.number(str(self.asked.facts[0].value)))
            shapes += badge(x + s / 2, y + s / 2, SAY("why.badge"), size=max(12.0, min(14.0, 0.3 * s)))
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
            shapes.append(self.heading(self.layout.switches[0][0], 20, SAY("heat.heading")))
        switches = [(f"heat.{key}", Pick("heat", key, Lasts.PAGE), heat is self.heat) for key, heat in HEATS.items()]
        switches.append(("why", aimed(WHY), self.asks_why))
        (w, h) = self.layout.switch
        for (x, y), (key, pick, on) in zip(self.layout.switches, switches, strict=True):
            shapes += pieces.box(x, y, w, h, on, SAY(f"{key}.title"), 15 if w > 86 else 14)
            said = SAY("heat.on" if on else "heat.off", what=SAY(f"{key}.said"))
            self.cells.append(Cell(key, rect_outline(x, y, w, h), said, pick=pick))
        if self.has_legend():
            shapes += self._certain() if self.asks_why else self._scale() if self.heat else self._waters()
        return tuple(shapes)

    def has_legend(self) -> bool:
        """On a phone the legend of figures takes the room of the notes."""
        return self.layout is WIDE or self.layout.notes is None or self.asks_why or self.heat is not None

    def _scale(self) -> tuple[Shape, ...]:
        """The colours with their meaning, and how exact the figures are."""
        assert self.heat is not None
        x, y, w = self.layout.key
        step, (low, last) = w / STEPS, (22, 38) if self.layout.notes is None else (26, 46)
        bar = [Rect(x + i * step, y, step, 14, Style(f"heat{i}")) for i in range(STEPS)]
        return (
            *bar,
            Rect(x, y, w, 14, Style(None, "ink", 1.0)),
            Text(x, y + low, SAY(f"heat.{self._shown()}.low", figure=self.heat.low), MUTED, 14, anchor="start"),
            Text(x + w, y + low, SAY(f"heat.{self._shown()}.high", figure=self.heat.high), MUTED, 14, anchor="end"),
            Text(x, y + last, self.precision, MUTED, 13, anchor="start"),
        )

    def _shown(self) -> str:
        return str(self.picks.get("heat"))

    def _certain(self) -> tuple[Shape, ...]:
        """What the signs on certain squares mean, and what to do."""
        x, y, w = self.layout.key
        shapes: list[Shape] = []
        for i, what in enumerate(why.KINDS):
            at = x + i * w / 3
            shapes += self._sure(at - 10, y - 8, 36, what)
            shapes.append(Text(at + 21, y + 10, SAY(f"why.kind.{what}"), MUTED, 14, anchor="start"))
        text = SAY("heat.waiting" if self.proving else "why.some" if self.proofs else "why.nothing")
        return (*shapes, Text(x, y + 38, text, MUTED, 14, anchor="start"))

    def _waters(self) -> tuple[Shape, ...]:
        """What the waves on the coating mean."""
        x, y, w = self.layout.key
        shapes: list[Shape] = []
        for i, name in enumerate(("deep", "shallow")):
            cx = x + i * w / 2
            shapes += (pieces.coat(cx - 1.5, y - 1.5, 29), *pieces.waves(cx - 1.5, y - 1.5, 29, i == 0))
            text = SAY(f"water.{name}" if w > 300 else f"water.{name}_short")
            shapes.append(Text(cx + 32, y + 13, text, MUTED, 14, anchor="start"))
        if not self.over and not self.legal:
            return tuple(shapes)  # a picture, on which nobody can click
        text = SAY("scratch.over" if self.over else "scratch.how" if self.layout is WIDE else "scratch.touch")
        return (*shapes, Text(x, y + 39, text, MUTED, 13, anchor="start"))
