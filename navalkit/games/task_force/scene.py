"""The scratch card of Task Force as a `Scene`: the map, the carrier group below it, and the captain's own notes.

Everything comes from an `Observation`: until the end a square not scratched off looks the same whatever hides under it.
"""

from __future__ import annotations
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.trace import Finding
from navalkit.view.drawings import badge, outline
from navalkit.view.page import Glance, Look
from navalkit.view.scene import (
    Cell,
    Circle,
    Lasts,
    Layer,
    Line,
    Pick,
    Piece,
    Rect,
    Scene,
    Shape,
    Style,
    Text,
    rect_outline,
)
from . import pieces
from .deduce import deducing
from .game import TaskForce
from .pieces import HEATS, INK, MUTED, STEPS, STILL, WIDE, Figures, Heat, lying, side, spoken, tall
from .state import (
    CARRIER,
    CRUISER,
    EMPTY,
    FIRST_DESTROYER,
    HIT,
    MISSILES,
    OWN,
    SAY,
    SUBMARINE,
    TABLES,
    UNSEEN,
    Action,
    Fly,
    Observation,
    Phase,
    Scratch,
    Strike,
)

# -- Why a square is certain: its proof in words, and the squares that it rests on -----------------

KINDS = ("hit", "empty", "no_ship")  # what can be certain of a square, the most useful first
_SHOWN = 8  # squares that a proof in words names


def proofs(seen: Observation) -> Awaited[Mapping[str, Finding]]:
    """The squares that are certain now, each with its proof; none while no order can be given."""
    return Awaited(("task-force.proofs", seen), lambda: _proving(seen))


def _proving(seen: Observation) -> Steps[Mapping[str, Finding]]:
    if seen.phase not in (Phase.TURN, Phase.FLIGHT):
        return {}
    found = yield from deducing(seen)
    return {str(finding.facts[0].value): finding for finding in found}


def kind(proof: Finding) -> str:
    """What is certain: one of `KINDS`."""
    return str(proof.facts[1].value)


def because(proof: Finding) -> str:
    """The proof in short: its last steps, and the squares it all rests on."""
    steps = " ".join(dict.fromkeys(f"{child.verdict} [{child.rule}]" for child in proof.children))
    squares = evidence(proof)
    key, more = ("why.seen_more", len(squares) - _SHOWN) if len(squares) > _SHOWN else ("why.seen_at", 0)
    return SAY(key, steps=steps, squares=", ".join(squares[:_SHOWN]), more=more)


def evidence(proof: Finding) -> tuple[str, ...]:
    """The squares seen that a proof rests on."""
    return _cells(finding for finding in _steps(proof) if not finding.children)


def between(proof: Finding) -> tuple[str, ...]:
    """The squares not seen that a proof leads over: what must be so there is a step of it."""
    ends = {*evidence(proof), str(proof.facts[0].value)}
    return tuple(cell for cell in _cells(_steps(proof)) if cell not in ends)


def _steps(proof: Finding) -> Iterator[Finding]:
    """The proof and all it is made from, each once: many conclusions share their grounds."""
    met, left = set[int](), [proof]
    while left:
        finding = left.pop()
        if id(finding) not in met:
            met.add(id(finding))
            yield finding
            left += reversed(finding.children)


def _cells(findings: Iterable[Finding]) -> tuple[str, ...]:
    facts = (fact for finding in findings for fact in finding.facts)
    return tuple(dict.fromkeys(cell for fact in facts for mark in fact.marks for cell in mark.at))


# -- The map of the scratch card: water, coats and marks, figures and evidence upon them, the switches and the legend

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
        size = self.grid.rows, self.grid.columns
        down = look.hole and look.room and lying(*size, look.room, look.hole)
        self.layout = down or (tall(*size, look.room) if look.tall else STILL if look.still else WIDE)
        self.side = side(self.layout, self.grid.rows, self.grid.columns)
        x, self.top, w, _ = self.layout.map
        self.left = x + (w - self.side * self.grid.columns) / 2
        self.deep = min(glance.game.options["deep"], self.grid.columns)
        self.over = self.seen.phase is Phase.END
        self.heat = None if self.over else heat_of(look)
        asked = self.heat.asks(glance.game, self.seen) if self.heat else None
        found = look.known(asked) if asked else None
        drawn = look.before(asked) if asked and found is None else found  # a map stays until the new one is there
        waiting = SAY("heat.waiting")
        self.figures: Figures = self.heat.figures(self.seen, drawn) if self.heat and drawn is not None else {}
        self.precision = self.heat.note(self.seen, found) if self.heat and found is not None else waiting
        aim = look.picks.get("aim")
        self.aim: Aim | None = None if self.over or not (aim == WHY or self.useful(aim)) else aim
        self.asks_why = self.aim is not None and self.aim.kind == "why"
        known = look.known(proofs(self.seen)) if self.asks_why else None
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

    def heading(self, x: float, y: float, text: str, room: float = inf) -> Text:
        size = max(12.0, min(15.0, room / (_LETTER * len(text))))
        return Text(x, y, text, INK, size, anchor="start", bold=True)

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
        water = Style("sea_deep" if self._is_deep(square) else "sea_shallow")  # in a film the coat is still under it
        sea = Rect(1 - half, 1 - half, self.side - 2, self.side - 2, water)
        return Piece(self.grid.names[square], x + half, y + half, (sea, *pieces.mark_about(self.side, mark)))

    def _point_at(self, square: int, action: Action | None) -> None:
        """Let a square be pointed at: to give its order, or to ask why it is certain."""
        name, place = self.grid.names[square], rect_outline(*self.place(square), self.side, self.side)
        if proof := self.proofs.get(name):
            called = SAY(f"why.kind.{kind(proof)}")
            said = SAY("why.certain", square=name, kind=called, because=because(proof).rstrip("."))
            self.cells.append(Cell(name, place, said, pick=aimed(Aim("why", name))))
        else:
            ask = SAY(f"ask.{self.aim.kind if self.aim else 'scratch'}", square=name) if action else ""
            self.cells.append(Cell(name, place, self._say(square), action=action, ask=ask))

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
            shapes += self._sure(x, y, self.side, kind(proof))
        if self.asked:
            s, gap = self.side, 0.12 * self.side
            for name in between(self.asked):
                x, y = self.place(self.grid.number(name))
                shapes.append(Rect(x + gap, y + gap, s - 2 * gap, s - 2 * gap, Style(None, "accent", 2.5, (4, 3)), 4))
            for name in evidence(self.asked):
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
        if self.layout is STILL:
            return ()
        if self.layout is WIDE:
            shapes.append(self.heading(self.layout.switches[0][0], 20, SAY("heat.heading")))
        switches = [(f"heat.{key}", Pick("heat", key, Lasts.PAGE), heat is self.heat) for key, heat in HEATS.items()]
        switches.append(("why", aimed(WHY), self.asks_why))
        (w, h) = self.layout.switch
        for (x, y), (key, pick, on) in zip(self.layout.switches, switches, strict=True):
            shapes += pieces.box(x, y, w, h, on, SAY(f"{key}.title"), 15 if w > 86 else 14 if w > 76 else 12)
            said = SAY("heat.on" if on else "heat.off", what=SAY(f"{key}.said"))
            self.cells.append(Cell(key, rect_outline(x, y, w, h), said, pick=pick))
        if self.has_legend():
            shapes += self._certain() if self.asks_why else self._scale() if self.heat else self._waters()
        return tuple(shapes)

    def has_legend(self) -> bool:
        """On a phone the legend of figures takes the room of the notes."""
        if self.layout.bare:
            return False
        always = self.layout is WIDE or self.layout.both or self.layout.notes is None
        return always or self.asks_why or self.heat is not None

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
            *self._note(x, y + last, self.precision, 13, w),
        )

    def _shown(self) -> str:
        return str(self.picks.get("heat"))

    def _certain(self) -> tuple[Shape, ...]:
        """What the signs on certain squares mean, and what to do."""
        x, y, w = self.layout.key
        shapes: list[Shape] = []
        for i, what in enumerate(KINDS):
            at = x + i * w / 3
            shapes += self._sure(at - 10, y - 8, 36, what)
            shapes.append(Text(at + 21, y + 10, SAY(f"why.kind.{what}"), MUTED, 14, anchor="start"))
        text = SAY("heat.waiting" if self.proving else "why.some" if self.proofs else "why.nothing")
        return (*shapes, *self._note(x, y + 38, text, 14, w))

    def _note(self, x: float, y: float, text: str, size: float, w: float) -> tuple[Shape, ...]:
        """A text of the legend: a little smaller, or else in two lines, where it has no room in one."""
        if _LETTER * size * len(text) > w >= _LETTER * 12 * len(text):
            size = 12.0
        words = text.split(" ")
        most = len(words) if _LETTER * size * len(text) <= w else (len(words) + 1) // 2
        lines = (" ".join(words[:most]), " ".join(words[most:]))
        return tuple(Text(x, y + (size + 2) * n, line, MUTED, size, anchor="start")
                     for n, line in enumerate(filter(None, lines)))

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
        return (*shapes, *self._note(x, y + 39, text, 13, w))


_SLIM, _THREE = 50.0, 62.0  # px of one of our ships in which her load takes two lines, and of the height they need
_LETTER = 0.5  # mean width of a letter, of its size

MAP = 534.0, 546.0  # px of the board's upper left corner in which the map lies


def awaits(glance: Seen, look: Look) -> Sequence[Awaited[Any]]:
    """What the map shows besides once it is calculated."""
    if glance.seen.phase is Phase.END:
        return ()
    heat, aim = heat_of(look), look.picks.get("aim")
    asked: list[Awaited[Any]] = [heat.asks(glance.game, glance.seen)] if heat else []
    return asked + ([proofs(glance.seen)] if aim and aim.kind == "why" else [])


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
    )
    return Scene(*MAP, layers, (), SAY("map.searches"), _describe(glance.seen))


class _Card(Sheet):
    """All of the card: below the map our ships, and the captain's notes."""

    def group(self) -> tuple[Shape, ...]:
        """The carrier group from left to right; a click on a ship that can send a flight aims it."""
        x, y, room = self.layout.group
        gap, still = 6.0, self.layout is STILL
        w, h = room if still else (room - gap * (len(OWN) - 1)) / len(OWN), self.layout.high
        deck, name = min(20.0, 0.24 * h), 39.0 if h > 60 else min(0.59 * h, h - 25.0)
        if w < _SLIM:
            name = 0.54 * h if h >= _THREE else h - 11.0
        around = 0.29 if still else 0.5  # the middle of her picture, in her frame
        if still:
            deck, name = 0.5 * h, 0.3 * h
        above = 14 if self.layout is WIDE else 11
        shapes: list[Shape] = [self.heading(x, y - above, self._group_title(), inf if still else room)]
        for ship, key in enumerate(OWN):
            cx, afloat = x if still else x + ship * (w + gap), ship in self.seen.afloat
            y = self.layout.group[1] + ship * (h + gap) if still else y
            aim = {CARRIER: Aim("strike"), CRUISER: None}.get(ship, Aim("fly", ship - FIRST_DESTROYER + 1))
            ready = afloat and not self.over and self.useful(aim)
            chosen = aim is not None and aim == self.aim
            frame = Style("card", "select", 4) if chosen else Style("card", "card_line", 2 if ready else 1)
            shapes.append(Rect(cx + 2, y, w - 4, h, frame, 8))
            wide = 2 * around * w
            look = pieces.own_ship(0, 0, min(wide - 14, 100.0), ship, afloat)
            self.ships.append(Piece(key, cx + around * w, y + deck, look))
            self._flights(ship, cx + around * w, y + deck, wide)
            said_at = cx + (0.78 if still else 0.5) * w
            shapes.append(Text(said_at, y + name, key, INK if afloat else MUTED, 15 if h > 60 else 14, bold=True))
            if w >= _SLIM or h >= _THREE:
                shapes += self._carries(ship, said_at, y + h - (15 if still else 11), wide)
            what = SAY("group.aimed") if chosen else SAY("group.aim") if ready else ""
            words = ", ".join(filter(None, (self._loaded(ship) if afloat else SAY("group.destroyed"), what)))
            said = SAY("group.ship", ship=key, name=TABLES.own[key], words=words)
            place = rect_outline(cx + 2, y, w - 4, h)
            self.cells.append(Cell(key, place, said, pick=aimed(aim) if ready and aim else None))
        return tuple(shapes)

    def _flights(self, ship: int, x: float, y: float, w: float) -> None:
        """Her aircraft beside her; the helicopter in the air over the square it scratched last."""
        if ship == CARRIER:
            down, step = (10, 12) if w < _SLIM else (8, 16)  # a small card has her name close below
            self.ships += [Piece(f"fighter {n}", x + w / 2 - 12, y - down + step * n, pieces.FIGHTER, what="fighter")
                           for n in range(self.seen.strikes)]
        elif (number := ship - FIRST_DESTROYER + 1) == self.seen.flying and self.seen.flight:
            at, half = self.place(self.seen.flight[-1]), self.side / 2
            self._helicopter(number, at[0] + half, at[1] + 0.25 * self.side)
        elif number in self.seen.helicopters:
            self._helicopter(number, x + w / 2 - 13, y - 6)

    def _helicopter(self, number: int, x: float, y: float) -> None:
        self.ships.append(Piece(f"helicopter {number}", x, y, pieces.HELICOPTER, what=("helicopter", number)))

    def _group_title(self) -> str:
        if self.layout is STILL:
            return SAY("group.still")
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
            return (Text(x, y, SAY("load.lost.narrow" if w < _SLIM else "load.lost"), MUTED, 14),)
        text = SAY(f"load.{thing}.{'wide' if w > 120 else 'narrow'}", n=count) if count else SAY("load.none")
        ink = INK if count else MUTED
        if w < _SLIM:  # in the column of a phone lying down, a word a line
            return tuple(Text(x, y + 12 * n - 7, part, ink, 12) for n, part in enumerate(text.split(" ", 1)))
        return (Text(x, y, text, ink, 14 if w > 120 else 13),)

    def checks(self) -> tuple[Shape, ...]:
        """The check-boxes for the enemy ships: the captain's own notes (T9d)."""
        apart = self.layout is WIDE or self.layout.both
        if self.layout.notes is None or not apart and self.has_legend():
            return ()
        x, y = self.layout.notes
        w, h = self.layout.note
        shapes: list[Shape] = [self.heading(x, y - 16, SAY("notes.title"))] if self.layout is WIDE else []
        ships = [(kind, number) for kind in self.seen.sea.waters.classes for number in range(1, kind.count + 1)]
        for i, (kind, number) in enumerate(ships):
            cx, cy = x + i % self.layout.across * (w + 6), y + i // self.layout.across * h
            pick = Pick((kind.name, number))
            on = pick in self.picks
            shapes += pieces.box(cx, cy + 1, w, h - 2, on, SAY.named(kind.name) if self.layout is WIDE else "", 14)
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

    return SAY("map.said", columns=grid.columns, rows=grid.rows, unseen=len(seen.squares(UNSEEN)), hits=at(HIT),
               missiles=at(MISSILES), submarines=at(SUBMARINE),
               afloat=", ".join(OWN[s] for s in seen.afloat) or SAY("none"), anti_air=seen.anti_air,
               helicopters=len(seen.helicopters), strikes=seen.strikes)
