"""The conning panel under the sea: the ships of a side with their damage, and what the chosen one can do, with odds.

A phone shows a window on the board; its panel begins with what can be done now and has an overview of the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

from navalkit.core.chances import percent
from navalkit.grids.square_headings import HEADINGS, distance
from navalkit.view.scene import Cell, Circle, Pick, Piece, Rect, Shape, Style, Text, rect_outline

from ..odds.prospects import guns_on, prospect
from ..rules import victory
from ..rules.damage import failing, mounts_left
from ..rules.movement import squares_a_move
from ..state import Action, Fate, Guns, Lay, Leave, Phase, Reload, Sweep, Torpedoes, Turret, sight
from ..state.observation import Observation
from ..state.scenario import weapons
from . import SAY
from .choice import (
    CARDS,
    Choice,
    aim_pick,
    foe_id,
    foe_pick,
    furthest,
    located,
    look_pick,
    natural,
    places,
    targets,
    unit_id,
    unit_pick,
    units,
)  # fmt: skip
from .overlay import points
from .pieces import INK, MUTED, SIDE_COLOURS, chip, fitting, quarters_bar, wreck
from .window import Window

GAP = 6.0
HEAD, ROW = 50.0, 50.0
"""Px of the head of the panel, and of a row of places to press."""
SIZE = 14.0
"""Px of its text."""
_SWITCH, _TOUCH = 116.0, 48.0
_CLEAR = 7.0  # px between the head's last line and the switch below it
_DOT = 11.0  # px of a square in the overview
_ACROSS, _DOWN = 4, 10  # squares of a place to press in the overview: 44 px across
_LOW, _FLAT = 158.0, 107.0  # px kept free for the choice of a heading, so that nothing moves when it comes

Special = Lay | Sweep | Reload | Leave
"""What a ship can do in the movement phase besides going somewhere."""


@dataclass(frozen=True, slots=True)
class Item:
    """A place to press: its lines, cell id, alt text, what it does, whether it is chosen; without an id it is dead."""

    lines: Sequence[str]
    id: str
    alt: str
    action: Action | None = None
    pick: Pick | None = None
    on: bool = False


class Panel:
    """Collects the shapes and cells of the panel, row by row from its top.

    Parameters
    ----------
    w : Window
        Above it.
    seen : Observation
    choice : Choice
    tall : bool
        For a phone.

    Attributes
    ----------
    shapes : list of Shape
    cells : list of Cell
    y : float
        Px: where it ends.
    """

    def __init__(self, w: Window, seen: Observation, choice: Choice, tall: bool) -> None:
        self.seen, self.choice = seen, choice
        self.width, self.tall = w.width, tall
        self.y = top = w.height
        self.shapes: list[Shape] = []
        self.cells: list[Cell] = []
        if tall:
            self._orders()
        if w.whole:
            self._head(GAP, self.y, self.width - 2 * GAP)
            self.y += HEAD + GAP
        else:
            self._overview(w)
        self._strip()
        if not tall:
            self._orders()
        self.shapes.insert(0, Rect(0, top, self.width, self.y - top, Style("paper")))

    def _orders(self) -> None:
        """What the chosen ship can do, if it is her side's turn."""
        match self.seen.view.phase:
            case Phase.MOVE if self.choice.orders:
                top = self.y
                self._move()
                self.y = max(self.y, top + (_LOW if self.tall else _FLAT))
            case Phase.FIRE if self.choice.orders:
                self._fire()
            case Phase.TURRETS if self.choice.orders:
                self._turrets()

    # Rows -------------------------------------------------------------------------------------------------------

    def _row(self, items: Sequence[Item], across: int, high: float = ROW) -> None:
        """Places to press, so many side by side."""
        wide = (self.width - GAP * (across + 1)) / across
        for i, item in enumerate(items):
            x, y = GAP + i % across * (wide + GAP), self.y + i // across * (high + GAP)
            self.shapes += chip(x, y, wide, high, item.lines, on=item.on, live=bool(item.id))
            if item.id:
                outline = rect_outline(x, y, wide, high)
                self.cells.append(Cell(item.id, outline, item.alt, action=item.action, pick=item.pick))
        self.y += -(-len(items) // across) * (high + GAP)

    def _says(self, words: str) -> None:
        """A sentence, in as many lines as it needs."""
        room = int((self.width - 3 * GAP) / (0.56 * SIZE))
        for line in wrap(words, room):
            self.shapes.append(Text(GAP + 2, self.y + 10, line, INK, SIZE, "start"))
            self.y += SIZE + 5
        self.y += GAP

    def _head(self, x: float, y: float, wide: float) -> None:
        """Move, light and points, and the switch of the ship cards: side by side, or one below the other."""
        seen, battle = self.seen, self.seen.battle
        state = seen.view
        light = SAY("head.night" if sight.is_night(battle, state.move) else "head.day")
        scores = [SAY("head.side", side=battle.sides[side], n=victory.score(battle, state, side)) for side in (0, 1)]
        narrow = wide < 3 * _SWITCH
        lines = [SAY("head.move", move=state.move, moves=battle.moves), light, *scores]
        if not narrow:
            lines = [f"{lines[0]} · {light}", SAY("head.score", first=scores[0], second=scores[1])]
        step = 15.0 if narrow else 20.0
        across = wide if narrow else wide - _SWITCH - 2 * GAP
        for i, line in enumerate(lines):
            size = fitting(line, across, 13.0 if narrow else 15.0)
            self.shapes.append(Text(x, y + 10 + step * i, line, MUTED if i else INK, size, "start", bold=not i))
        switch = min(wide, _SWITCH)
        left, high = x + wide - switch, y + (len(lines) * step + _CLEAR if narrow else 0)
        on = self.choice.cards
        self.shapes += chip(left, high, switch, _TOUCH, (SAY("cards.hide" if on else "cards.show"),), on=on)
        self.cells.append(Cell("cards", rect_outline(left, high, switch, _TOUCH), SAY("cards.alt"), pick=CARDS))

    def _overview(self, w: Window) -> None:
        """The whole board, small, with the window's frame; a press moves the window there. Beside it the head."""
        seen, grid, u = self.seen, w.grid, _DOT
        left, top = GAP, self.y
        wide, high = grid.columns * u, grid.rows * u
        night = sight.is_night(seen.battle, seen.view.move)
        sea = Style("shadow" if night else "sea_shallow", "card_line", 1)
        self.shapes.append(Rect(left, top, wide, high, sea))
        for square in sorted(seen.battle.land):
            row, column = grid.place(square)
            self.shapes.append(Rect(left + column * u, top + row * u, u, u, Style("land")))
        dots = [(seen.view.ships[n].square, side) for side in (0, 1) for n in located(seen, side)]
        for square, side in (*dots, *((square, 1 - seen.me) for square in seen.discs)):
            row, column = grid.place(square)
            x, y = left + (column + 0.5) * u, top + (row + 0.5) * u
            style = Style(SIDE_COLOURS[side], "ink", 0.8)
            self.shapes.append(Rect(x - 4, y - 4, 8, 8, style) if side == 0 else Circle(x, y, 4.2, style))
        frame = Rect(left + w.column * u, top + w.row * u, w.columns * u, w.rows * u, Style(None, "select", 2.5))
        self.shapes.append(frame)
        for column in range(0, grid.columns, _ACROSS):
            for row in range(0, grid.rows, _DOWN):
                across, down = min(_ACROSS, grid.columns - column), min(_DOWN, grid.rows - row)
                middle = (row + down // 2) * grid.columns + column + across // 2
                outline, name = rect_outline(left + column * u, top + row * u, across * u, down * u), grid.names[middle]
                alt = SAY("look.alt", square=name)
                self.cells.append(Cell(f"look {name}", outline, alt, pick=look_pick(middle)))
        x = left + wide + 1.5 * GAP
        self._head(x, top, self.width - x - GAP)
        self.y += max(high, 4 * 15.0 + _CLEAR + _TOUCH) + GAP

    def _strip(self) -> None:
        """A place to press for every ship and division of the side, with her damage."""
        seen, battle = self.seen, self.seen.battle
        names = [name for name in units(battle, seen.me) if name in battle.numbers or (name in self.choice.orders)]
        across = 3 if self.tall else min(7, max(4, len(names)))
        wide = (self.width - GAP * (across + 1)) / across
        top = self.y
        self._row([self._unit(name) for name in names], across)
        for i, name in enumerate(names):
            if (number := battle.numbers.get(name)) is None:
                continue
            x, y = GAP + i % across * (wide + GAP), top + i // across * (ROW + GAP)
            own, card = seen.view.ships[number], battle.card(number)
            if own.fate is Fate.SUNK:
                self.shapes += Piece("", x + wide - 18, y + ROW - 14, wreck(card.type, seen.me, 20), 90).placed()
            else:
                self.shapes += quarters_bar(x + 8, y + ROW - 9, wide - 16, own.damage, card.sinking_rate)

    def _unit(self, name: str) -> Item:
        lines = (name, self._status(name))
        return Item(lines, unit_id(name), f"{name}: {lines[1]}", pick=unit_pick(name), on=name == self.choice.unit)

    def _status(self, name: str) -> str:
        """What a ship or division can still do in this phase, or what has become of her."""
        seen, state = self.seen, self.seen.view
        if name not in seen.battle.numbers:
            return SAY("status.division")
        number = seen.battle.numbers[name]
        if state.ships[number].fate is not Fate.AT_SEA:
            return SAY(f"status.{state.ships[number].fate}")
        orders = self.choice.orders.get(name, ())
        if state.phase is Phase.MOVE and orders:
            if not places(seen.battle, orders):
                return SAY("status.more")
            n = squares_a_move(seen.battle, state, number)
            return SAY("status.squares", n=n) if n != 1 else SAY("status.square")
        if state.phase is Phase.FIRE and self.choice.orders:
            aims = targets(seen.battle, orders)
            fired = any(shot.ship == number for shot in state.shots)
            return SAY("status.targets", n=len(aims)) if aims else SAY("status.fired" if fired else "status.quiet")
        return SAY("status.moved") if state.phase is Phase.MOVE and self.choice.orders else SAY("status.afloat")

    # What the chosen one can do ---------------------------------------------------------------------------------

    def _move(self) -> None:
        """The headings at the square picked; else what to do, and what else than going she can do."""
        seen, choice = self.seen, self.choice
        if choice.aim is not None:
            self._headings(choice.aim)
            return
        self._says(SAY("move.pick" if choice.moves else "move.none", unit=choice.unit))
        if choice.ships:
            self._says(self._facts(choice.ships[0]))
        items: list[Item] = []
        if far := furthest(seen, choice.ships, choice.moves):
            alt = SAY("move.alt", unit=choice.unit, square=far.square, heading=far.heading)
            items.append(Item((SAY("move.ahead"), f"{far.square} {far.heading}"), "ahead", alt, far))
        for order in choice.orders.get(choice.unit, ()):
            if isinstance(order, Special):
                words = special_words(order)
                items.append(Item((words,), f"do {words}", f"{choice.unit}: {words}", order))
        self._row(items, 3 if self.tall else 6)

    def _facts(self, ship: int) -> str:
        """What to bear in mind of a ship that is to move."""
        seen, own, card = self.seen, self.seen.view.ships[ship], self.seen.battle.card(ship)
        guns = max((w.gun.range for w in weapons(card) if w.battery == "main"), default=0)
        tubes = max(
            (seen.battle.torpedo_range(ship, n) for n in range(len(card.torpedoes)) if own.loaded >> n & 1), default=0
        )
        words = card.type[:1].upper() + card.type[1:]
        told = SAY("move.facts", type=words, heading=HEADINGS[own.heading], guns=guns, tubes=tubes)
        foe = self._nearest(own.square)
        if foe is None:
            return told
        far = distance(seen.battle.grid, own.square, seen.view.ships[foe].square)
        return f"{told} {SAY('move.facts.foe', foe=seen.battle.units[foe].name, n=far)}"

    def _headings(self, square: int) -> None:
        seen, choice = self.seen, self.choice
        name = seen.battle.grid.names[square]
        ship = choice.ships[0]
        foe = choice.foe if choice.foe in located(seen, 1 - seen.me) else self._nearest(square)
        course = natural(seen, choice.ships, square, choice.moves[square])
        if foe is None:
            self._says(SAY("move.heading", unit=choice.unit, square=name))
        else:
            far = distance(seen.battle.grid, square, seen.view.ships[foe].square)
            self._says(SAY("move.bearing", unit=choice.unit, square=name, foe=seen.battle.units[foe].name, n=far))
        items: list[Item] = []
        for heading, word in enumerate(HEADINGS):
            guns = guns_on(seen.battle, seen.view, ship, square, heading, foe) if foe is not None else None
            there = heading in choice.moves[square]
            lines = (word, "" if guns is None or not there else SAY("move.guns", n=guns))
            alt = SAY("move.alt", unit=choice.unit, square=name, heading=word)
            id_, order = f"head {word}" if there else "", choice.moves[square].get(heading)
            items.append(Item(lines if lines[1] else lines[:1], id_, alt, order, on=heading == course))
        items.append(Item((SAY("move.back"),), "back", SAY("move.back.alt", square=name), pick=aim_pick(square)))
        self._row(items, 5 if self.tall else 9)

    def _nearest(self, square: int) -> int | None:
        """The enemy that lies nearest to a square, of those whose place is known."""
        seen = self.seen
        enemies = located(seen, 1 - seen.me)
        return min(
            enemies, key=lambda n: (distance(seen.battle.grid, square, seen.view.ships[n].square), n), default=None
        )

    def _fire(self) -> None:
        """The targets of the chosen ship, and what she can fire at the one picked."""
        seen, choice, battle = self.seen, self.choice, self.seen.battle
        aims, foe = choice.targets, choice.foe
        if foe is None or foe not in aims:
            self._says(SAY("fire.none", unit=choice.unit))
            return
        own = seen.view.ships[choice.ships[0]].square
        self._says(SAY("fire.pick", unit=choice.unit))
        items: list[Item] = []
        for target in aims:
            name, card = battle.units[target].name, battle.card(target)
            far = distance(battle.grid, own, seen.view.ships[target].square)
            left = card.sinking_rate + 1 - seen.view.ships[target].damage
            facts = SAY("fire.range", n=far), SAY("fire.left", left=left)
            told = " · ".join(facts)
            lines = (name, *facts) if self.tall else (name, told)
            items.append(Item(lines, foe_id(name), f"{name}: {told}", pick=foe_pick(target), on=target == foe))
        across, high = (3, ROW + 14) if self.tall else (5, ROW)
        self._row(items, across, high)
        ways = {prospect(battle, seen.view, order): order for order in reversed(aims[foe])}
        self._row([self._shot(order) for order in reversed(ways.values())], 2 if self.tall else 4, ROW + 14)

    def _shot(self, order: Guns | Torpedoes) -> Item:
        """One way to fire, with its odds."""
        found, weapon = prospect(self.seen.battle, self.seen.view, order), weapon_words(order)
        hit, sink, mean = percent(found.hit), percent(found.sink), points(found)
        lines = (weapon, SAY("fire.hit", hit=hit, points=mean), SAY("fire.sink", sink=sink))
        return Item(lines, f"fire {weapon}", f"{order}: {lines[1]}, {lines[2]}", order)

    def _turrets(self) -> None:
        """The mounts of which one loses its guns."""
        battle, state = self.seen.battle, self.seen.view
        ship = failing(battle, state)[0]
        name, card = battle.units[ship].name, battle.card(ship)
        self._says(SAY("turret.pick", ship=name))
        items: list[Item] = []
        for mount in mounts_left(battle, state, ship):
            row = card.mounts[mount]
            turret = SAY("turret.name", n=mount + 1, arc=row.arc)
            lines = (turret, f"{row.guns - state.ships[ship].out[mount]} × {row.gun}")
            items.append(Item(lines, f"turret {mount + 1}", f"{name}: {turret}", Turret(name, mount + 1)))
        self._row(items, 2 if self.tall else 4)


def weapon_words(order: Guns | Torpedoes) -> str:
    """What fires, in words: "All guns", "Main guns, once", "Torpedo set 2"."""
    if isinstance(order, Torpedoes):
        return SAY("fire.set", n=order.number)
    return SAY(f"fire.{order.battery or 'all'}") + (SAY("fire.once") if order.once else "")


def special_words(order: Special) -> str:
    """What a ship does besides going somewhere, in words."""
    if isinstance(order, Lay):
        return SAY("do.lay", n=order.squares)
    return SAY({Sweep: "do.sweep", Reload: "do.reload", Leave: "do.leave"}[type(order)])
