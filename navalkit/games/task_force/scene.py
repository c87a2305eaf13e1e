"""The scratch card of Task Force as a `Scene`: the map, the carrier group below it, and the captain's own notes.

Everything comes from an `Observation`: a square not scratched off looks the same whatever hides under it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import pi, sin

from navalkit.core.chances import percent
from navalkit.view.cards import outline
from navalkit.view.scene import Cell, Circle, Layer, Line, Polygon, Rect, Scene, Shape, Style, Text, rect_outline

from .odds import Posterior, posterior
from .rules import TaskForce
from .sea import OWN
from .state import CARRIER, CRUISER, EMPTY, FIRST_DESTROYER, HIT, MISSILES, SUBMARINE, UNSEEN, Observation, Phase
from .tables import TABLES

HEATS = {"note:heat=hit": ("Chance of a ship", 0.6), "note:heat=danger": ("Danger", 0.5)}
"""The switches of the map: what each shows, and the probability from which on its colour is the last."""
_INK, _MUTED = Style("ink"), Style("muted")
_THIN, _CROSS = Style(None, "ink", 1.0), Style(None, "ink", 2.5)
_COAT, _WAVE = Style("card_back", "card_line", 1.0), Style(None, "card_back_wave", 1.4, opacity=0.75)
_STEPS = 10  # colours of the ramp heat0 to heat9
_PALE_STEPS = 5  # so many of them are dark enough for light figures


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things lie, in px. What is below the map is lower by ``drop`` where the map is taller."""

    width: float
    height: float
    map: tuple[float, float, float, float]  # room for the squares: x, y, w, h
    switches: tuple[tuple[float, float], tuple[float, float]]
    switch: tuple[float, float]  # size of a switch
    key: tuple[float, float, float]  # legend: x, y, w
    group: tuple[float, float, float]  # carrier group: x, y, w
    notes: tuple[float, float]
    note: tuple[float, float]  # size of a note
    across: int  # notes side by side


_WIDE = _Layout(
    800, 644, (30, 36, 480, 480), ((540, 40), (540, 82)), (236, 36), (540, 130, 236), (24, 550, 752),
    (540, 218), (236, 30), 1,
)  # fmt: skip
_LARGEST = 96.0  # side of a square of a small map


def _tall(rows: int, columns: int) -> _Layout:
    """The layout for phones: squares as large as the width allows, and all else below them."""
    y = 24 + rows * min(370 / columns, _LARGEST)
    return _Layout(
        390, y + 534, (18, 24, 370, y - 24), ((8, y + 10), (199, y + 10)), (183, 49), (12, y + 70, 366),
        (8, y + 154, 374), (8, y + 270), (184, 51), 2,
    )  # fmt: skip


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
        Ids of the switched-on cells: ships noted as found ("note:destroyer 2"), the probability shown on the map
        ("note:heat=hit", "note:heat=danger"), and the flight that a click on the map orders ("note:aim=strike",
        "note:aim=fly 1").
    """
    grid = seen.sea.grid
    card = _Card(game, seen, _tall(grid.rows, grid.columns) if tall else _WIDE, odds or {}, notes)
    layout = card.layout
    layers = (
        Layer("paper", (Rect(0, 0, layout.width, layout.height, Style("paper")), *card.water())),
        Layer("map", card.map()),
        Layer("panel", card.panel()),
        Layer("group", (*card.group(), *card.checks())),
    )
    return Scene(layout.width, layout.height, layers, tuple(card.cells), game.title, _describe(seen))


@lru_cache(maxsize=32)
def likely(seen: Observation) -> Posterior:
    """The posterior that the map shows."""
    return posterior(seen)


def precision(odds: Posterior) -> str:
    """How far off the figures may be, in words."""
    if odds.exact:
        return "exact"
    return f"± {196 * float(odds.errors.max()):.1f} points (sample, n = {odds.worlds:,})"


class _Card:
    """Collects shapes and cells of one scene."""

    def __init__(
        self, game: TaskForce, seen: Observation, layout: _Layout, odds: Mapping[str, str], notes: Collection[str]
    ) -> None:
        self.game, self.seen, self.layout, self.odds, self.notes = game, seen, layout, odds, notes
        self.cells: list[Cell] = []
        self.grid = seen.sea.grid
        x, y, w, h = layout.map
        self.side = min(w / self.grid.columns, h / self.grid.rows, _LARGEST)
        self.left = x + (w - self.side * self.grid.columns) / 2
        self.top = y
        self.deep = min(game.options["deep"], self.grid.columns)
        self.heat = next((note for note in HEATS if note in notes), None)
        self.aim = next((n.partition("=")[2] for n in notes if n.startswith("note:aim=") and self._flights(n)), "")

    def _flights(self, note: str) -> bool:
        """Whether there is any flight of that kind to order."""
        return any(order.startswith(_order(note.partition("=")[2], "")) for order in self.odds)

    def _place(self, square: int) -> tuple[float, float]:
        row, column = self.grid.place(square)
        return self.left + column * self.side, self.top + row * self.side

    def _heading(self, x: float, y: float, text: str) -> Text:
        return Text(x, y, text, _INK, 15, anchor="start", bold=True)

    # The map ----------------------------------------------------------------------------------------------------

    def water(self) -> tuple[Shape, ...]:
        """Deep and shallow water, and the names of columns and rows."""
        s, grid = self.side, self.grid
        split, right, high = self.left + self.deep * s, self.left + grid.columns * s, grid.rows * s
        names = [
            Text(self.left + (c + 0.5) * s, self.top - 11, grid.names[c][0], _MUTED, 14, bold=True)
            for c in range(grid.columns)
        ]
        names += [
            Text(self.left - 2, self.top + (r + 0.5) * s, str(r + 1), _MUTED, 13, anchor="end", bold=True)
            for r in range(grid.rows)
        ]
        return (
            Rect(self.left, self.top, split - self.left, high, Style("sea_deep")),
            Rect(split, self.top, right - split, high, Style("sea_shallow")),
            *names,
        )

    def map(self) -> tuple[Shape, ...]:
        """Every square with what it shows, coats and waves in one go each."""
        coats: list[Shape] = []
        waves: list[Shape] = []
        marks: list[Shape] = []
        frames: list[Shape] = []
        for square, mark in enumerate(self.seen.marks):
            x, y = self._place(square)
            order = self._order_at(square)
            if mark != UNSEEN:
                marks += self._mark(square, mark)
            elif self.heat:
                coats += self._heated(square)
            else:
                coats.append(self._coat(x, y))
                waves += _waves(x, y, self.side, self._is_deep(square))
            if order and (self.aim or self.seen.phase is Phase.FLIGHT):
                frames += outline(x + 5, y + 5, self.side - 10, self.side - 10)
            elif square in self.seen.flight:
                frames.append(Rect(x + 2, y + 2, self.side - 4, self.side - 4, Style(None, "select", 2.5, (5, 4)), 5))
            place = rect_outline(x, y, self.side, self.side)
            self.cells.append(Cell(self.grid.names[square], place, self._say(square), order))
        border = self.left + self.deep * self.side
        low = self.top + self.side * self.grid.rows
        shore = Line(((border, self.top), (border, low)), Style(None, "ink", 2.5, (7, 4)))
        return (*self._lines(), *coats, *waves, *marks, shore, *frames)

    def _lines(self) -> tuple[Shape, ...]:
        s, left, top = self.side, self.left, self.top
        right, low = left + s * self.grid.columns, top + s * self.grid.rows
        down = [((left + c * s, top), (left + c * s, low)) for c in range(self.grid.columns + 1)]
        across = [((left, top + r * s), (right, top + r * s)) for r in range(self.grid.rows + 1)]
        return tuple(Line(ends, Style(None, "grid", 1)) for ends in (*down, *across))

    def _coat(self, x: float, y: float) -> Rect:
        return Rect(x + 1.5, y + 1.5, self.side - 3, self.side - 3, _COAT, 0.14 * self.side)

    def _is_deep(self, square: int) -> bool:
        return bool(self.grid.place(square)[1] < self.deep)

    def _order_at(self, square: int) -> str | None:
        """The order that a click on a square gives."""
        order = _order(self.aim, self.grid.names[square])
        return order if order in self.odds else None

    def _chance(self, square: int) -> float:
        """What the map shows of a square; sums of many weights are off by a hair, and 1 is to be 1."""
        odds = likely(self.seen)
        chance = odds.hit if self.heat == "note:heat=hit" else odds.missile + odds.submarine
        return min(1.0, max(0.0, round(float(chance.flat[square]), 9)))

    def _heated(self, square: int) -> tuple[Shape, ...]:
        (x, y), s, p = self._place(square), self.side, self._chance(square)
        step = _step(p, HEATS[self.heat][1]) if self.heat else 0
        return (
            Rect(x + 1, y + 1, s - 2, s - 2, Style(f"heat{step}"), 0.1 * s),
            Text(x + s / 2, y + s / 2, _whole(p), Style(_figure(step)), min(17.0, 0.42 * s), bold=True),
        )

    def _mark(self, square: int, mark: str) -> tuple[Shape, ...]:
        (x, y), s = self._place(square), self.side
        cx, cy, m = x + s / 2, y + s / 2, 0.2 * s
        if mark == EMPTY:
            return (Circle(cx, cy, 0.09 * s, Style("muted")),)
        if mark == HIT:
            return (
                Rect(x + 0.1 * s, y + 0.1 * s, 0.8 * s, 0.8 * s, Style("vermilion", "ink", 1.5), 0.1 * s),
                Line(((cx - m, cy - m), (cx + m, cy + m)), _CROSS),
                Line(((cx - m, cy + m), (cx + m, cy - m)), _CROSS),
            )
        if mark == SUBMARINE:
            hull = tuple((cx + u * s, cy + v * s) for u, v in _SUBMARINE)
            return (
                Polygon(hull, Style("purple", "ink", 1.2)),
                Text(cx, cy + 0.1 * s, "S", Style("black"), 0.36 * s, bold=True),
            )
        rocket = tuple((cx + u * s, cy + v * s) for u, v in _ROCKET)
        name = OWN[MISSILES.index(mark)]
        label = Text(cx, y + 0.73 * s, name, _INK, min(15.0, 0.36 * s), bold=True)
        return (Polygon(rocket, Style("orange", "ink", 1.2)), label)

    def _say(self, square: int) -> str:
        """A square in words."""
        name, mark = self.grid.names[square], self.seen.marks[square]
        if mark != UNSEEN:
            return f"{name}: {spoken(mark)}"
        water = "deep" if self._is_deep(square) else "shallow"
        shown = f", {HEATS[self.heat][0].lower()} {percent(self._chance(square))}" if self.heat else ""
        return f"{name}: not scratched, {water} water{shown}"

    # Switches and legend ----------------------------------------------------------------------------------------

    def panel(self) -> tuple[Shape, ...]:
        """The two switches of the map, and the legend."""
        (w, h), shapes = self.layout.switch, list[Shape]()
        if self.layout is _WIDE:
            shapes.append(self._heading(self.layout.switches[0][0], 24, "Show on the map"))
        for (x, y), (note, (title, _)) in zip(self.layout.switches, HEATS.items(), strict=True):
            on = note == self.heat
            shapes += _box(x, y, w, h, on, title, 15)
            what = "of a missile or submarine " if "danger" in note else ""
            said = f"{title} {what}on the map: {'on' if on else 'off'}"
            self.cells.append(Cell(note, rect_outline(x, y, w, h), said))
        return (*shapes, *(self._scale() if self.heat else self._waters()))

    def _scale(self) -> tuple[Shape, ...]:
        """The colours with their meaning, and how exact the figures are."""
        x, y, w = self.layout.key
        top = HEATS[self.heat or "note:heat=hit"][1]
        step = w / _STEPS
        bar = [Rect(x + i * step, y, step, 14, Style(f"heat{i}")) for i in range(_STEPS)]
        return (
            *bar,
            Rect(x, y, w, 14, _THIN),
            Text(x, y + 26, "0 %", _MUTED, 14, anchor="start"),
            Text(x + w, y + 26, f"{100 * top:.0f} % and more", _MUTED, 14, anchor="end"),
            Text(x, y + 46, precision(likely(self.seen)), _MUTED, 13, anchor="start"),
        )

    def _waters(self) -> tuple[Shape, ...]:
        """What the waves on the coating mean."""
        x, y, w = self.layout.key
        shapes: list[Shape] = []
        for i, name in enumerate(("deep water", "shallow water")):
            cx = x + i * w / 2
            shapes += (Rect(cx, y + 4, 26, 26, _COAT, 4), *_waves(cx - 1.5, y + 2.5, 29, i == 0))
            shapes.append(Text(cx + 32, y + 17, name if w > 300 else name.split()[0], _MUTED, 14, anchor="start"))
        if self.layout is not _WIDE:
            return tuple(shapes)
        return (*shapes, Text(x, y + 46, "Click a square to scratch it off.", _MUTED, 14, anchor="start"))

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
            ready = bool(kind) and afloat and self._flights(f"note:aim={kind}")
            aimed = bool(kind) and kind == self.aim
            frame = Style("card", "select", 4) if aimed else Style("card", "card_line", 2 if ready else 1)
            shapes.append(Rect(cx + 2, y, w - 4, h, frame, 8))
            shapes += _hull(cx + w / 2, y + 20, min(w - 14, 100.0), ship, afloat)
            shapes.append(Text(cx + w / 2, y + 43, key, _INK if afloat else _MUTED, 15, bold=True))
            shapes += self._carries(ship, cx + w / 2, y + 66, w)
            what = "aimed: point at a square" if aimed else "click to aim her flight" if ready else ""
            words = ", ".join(filter(None, (self._loaded(ship) if afloat else "destroyed", what)))
            id = f"note:aim={kind}" if ready else key
            self.cells.append(Cell(id, rect_outline(cx + 2, y, w - 4, h), f"{key}, your {TABLES.own[key]}: {words}"))
        return tuple(shapes)

    def _group_title(self) -> str:
        if self.seen.phase is Phase.FLIGHT:
            return f"Helicopter {self.seen.flying} is in the air"
        if self.aim == "strike":
            return "Strike: point at a scratched square"
        if self.aim:
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
            return (Text(x, y, "lost", _MUTED, 14),)
        name = thing.removesuffix(" missile") + "s" * (count != 1 and ship != CRUISER) if w > 120 else short
        return (Text(x, y, f"{count} {name}" if count else "none", _INK if count else _MUTED, 14 if w > 120 else 13),)

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
            shapes += _box(cx, cy + 1, w, h - 2, on, kind.name, 14)
            size = 8.0
            for j in range(kind.length):
                at = cx + w - 6 - (kind.length - j) * size, cy + h / 2 - size / 2
                shapes.append(Rect(*at, size - 1.5, size - 1.5, Style("vermilion" if on else None, "ink", 1)))
            said = f"{kind.name} {number}, {kind.length} squares: {'noted as found' if on else 'not noted as found'}"
            self.cells.append(Cell(note, rect_outline(cx, cy + 1, w, h - 2), said))
        return tuple(shapes)


def _order(aim: str, square: str) -> str:
    """The notation of what a click on a square orders, for that aim: "", "strike" or "fly 1"."""
    if aim.startswith("fly"):
        return f"fly helicopter {aim[4:]} from {square}"
    return f"{aim} {square}".lstrip() if aim else square


def _step(p: float, top: float) -> int:
    return min(_STEPS - 1, int(_STEPS * p / top))


def _figure(step: int) -> str:
    """The token in which figures are read on a step of the ramp."""
    return "on_heat_low" if step < _PALE_STEPS else "on_heat_high"


def _whole(p: float) -> str:
    """A probability in whole percent; 0 and 100 only for what is so."""
    if 0 < p < 0.005:
        return "<1"
    return ">99" if 0.995 <= p < 1 else f"{100 * p:.0f}"


def spoken(mark: str) -> str:
    """What a mark stands for, in words."""
    if mark in MISSILES:
        return f"a missile for {OWN[MISSILES.index(mark)]}"
    return {EMPTY: "empty", HIT: "a hit", SUBMARINE: "a submarine"}[mark]


def _box(x: float, y: float, w: float, h: float, on: bool, text: str, size: float) -> tuple[Shape, ...]:
    """A check-box with its text."""
    b, cy = 18.0, y + h / 2
    tick = (Line(((x + 11, cy), (x + 15, cy + 5), (x + 23, cy - 6)), Style(None, "ink", 3)),) if on else ()
    return (
        Rect(x, y, w, h, Style("card", "select" if on else "card_line", 2 if on else 1), 7),
        Rect(x + 8, cy - b / 2, b, b, Style(None, "ink", 1.5), 4),
        *tick,
        Text(x + 32, cy, text, _INK, size, anchor="start"),
    )


def _waves(x: float, y: float, side: float, deep: bool) -> tuple[Line, ...]:
    """Two waves for deep water, one for shallow."""
    n, left, right = 8, x + 0.26 * side, x + 0.74 * side

    def wave(share: float) -> Line:
        low, high = y + side * share, 0.045 * side
        return Line(
            tuple((left + (right - left) * i / n, low - high * sin(4 * pi * i / n)) for i in range(n + 1)), _WAVE
        )

    return tuple(map(wave, (0.41, 0.59) if deep else (0.5,)))


def _hull(x: float, y: float, length: float, ship: int, afloat: bool) -> tuple[Shape, ...]:
    """One of our ships, bow to the right: the carrier broad, destroyers slender; hollow and crossed once lost."""
    half, beam = length / 2, {CARRIER: 11.0, CRUISER: 9.0}.get(ship, 7.0)
    bow = 6.0 if ship == CARRIER else 18.0
    aft, fore = x - half, x + half - bow
    points = ((aft, y - beam), (fore, y - beam), (x + half, y), (fore, y + beam), (aft, y + beam))
    if not afloat:
        return (
            Polygon(points, Style(None, "muted", 1.5)),
            Line(((x - 16, y - 12), (x + 16, y + 12)), _CROSS),
            Line(((x - 16, y + 12), (x + 16, y - 12)), _CROSS),
        )
    return (Polygon(points, Style("blue", "ink", 1.2)),)


_SUBMARINE = (
    (-0.42, 0.1), (-0.3, -0.1), (-0.12, -0.1), (-0.12, -0.32), (0.08, -0.32), (0.08, -0.1), (0.3, -0.1), (0.42, 0.1),
    (0.3, 0.3), (-0.3, 0.3),
)  # fmt: skip
_ROCKET = ((0.0, -0.46), (0.11, -0.29), (0.11, -0.08), (0.2, 0.03), (-0.2, 0.03), (-0.11, -0.08), (-0.11, -0.29))


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
