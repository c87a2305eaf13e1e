"""The conning panel under the sea: the ships of a side with their damage, and what the chosen one can do, with odds.

A phone shows a window on the board; its panel begins with what can be done now and has an overview of the board.
"""

from __future__ import annotations
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from navalkit.grids.square import HEADINGS, ahead, distance
from navalkit.view.page import Look
from navalkit.view.scene import (
    Box,
    Cell,
    Circle,
    Layer,
    Line,
    Pick,
    Piece,
    Rect,
    Scene,
    Shape,
    Style,
    Text,
    aside,
    rect_outline,
)
from .. import sight
from ..craft import Attack, Fly, Seek
from ..prospects import guns_on
from ..rules.firing import failing, mounts_left
from ..rules.sailing import squares_a_move
from ..sight import Observation
from ..state import Action, Fate, Guns, Move, Phase, Torpedoes, Turret
from . import SAY, afloat, aloft, helm, percent, points, seascape
from .afloat import LEFT, ROOMS, Window, first, window
from .choice import (
    CARDS,
    THREATS,
    Choice,
    Sight,
    aim_pick,
    card,
    choose,
    describe,
    foe_id,
    foe_pick,
    furthest,
    located,
    look_pick,
    natural,
    pointed_at,
    spoken,
    targets,
    unit_id,
    unit_pick,
    units,
    ward_pick,
)
from .forecast import foretold, search
from .helm import Item, Special, special_words, weapon_words
from .pieces import INK, SIDE_COLOURS, chip, moved, quarters_bar, wreck
from .seascape import evidence, seascape as draw_sea

GAP = 5.0
HEAD, ROW = 20.0, 44.0  # px of the line at the head of the panel, and of a row of places to press
SIZE = 13.0  # px of its text
_BAR = 6.0  # px from the bar of a ship's damage to the bottom of her place
_DOT, _TOUCHED = 5.0, 8  # px of a square in the overview; squares across of a place to press there
_WIDEST = 160.0  # px of a place to press
_ABREAST, _PAIR = 3, 2  # of them side by side, beside the sea, and of those with long words
_FIVE = 260.0  # px of a row that has room for five of them
_SWITCH, _LIGHT_WIDE = 58.0, 140.0  # px of a switch beside the overview, and of move and light there


class Panel:
    """Collects the shapes and cells of the panel, row by row from its top, beneath the window ``w``. ``tall``: for a
    phone. ``low``: where a picture ends that is drawn at its full size. ``below``: where ship cards end that lie over
    the sea, ``y``: where the panel ends, in px. ``hole``: where it lies beside the sea of a phone lying down."""

    def __init__(self, w: Window, seen: Observation, choice: Choice, tall: bool, low: float, below: float = 0,
                 hole: Box | None = None) -> None:
        self.seen, self.choice = seen, choice
        self.width, self.tall, self.low = w.width, tall, low
        self.room = hole[3] - hole[1] if hole else 0.0  # px beside the sea; 0: the panel lies beneath it
        if hole:
            self._beside(hole)
            return
        self.y = top = max(w.height, below)
        self.shapes: list[Shape] = []
        self.cells: list[Cell] = []
        if w.whole:
            self._head(GAP, self.width - 2 * GAP)
            self.y += HEAD
            self._strip()
        else:
            self._overview(w)
        self._can()
        self.shapes.insert(0, Rect(0, top, self.width, self.y - top, Style("paper")))

    def _can(self) -> None:
        """What the chosen one can do."""
        match self.seen.view.phase:
            case Phase.MOVE if self.choice.orders:
                self._move()
            case Phase.FLY if self.choice.orders:
                self._fly()
            case Phase.FIRE if self.choice.orders:
                self._fire()
            case Phase.TURRETS if self.choice.orders:
                self._turrets()

    def _beside(self, hole: Box) -> None:
        """In a column: what can be done, and above it as much of the rest as has room."""
        left, top, right, low = hole
        self.width, self.tall, self.y = right - left + 2 * GAP, True, 0.0
        self.shapes, self.cells = [], []
        self._can()
        below, room = (self.shapes, self.cells), low - top - self.y
        self.shapes, self.cells, self.y = [], [], 0.0
        fleet = [] if self._flying else [self._unit(name) for name in units(self.seen.battle, self.seen.me)
                                         if name in self.seen.battle.numbers or name in self.choice.orders]
        switches = self._cards(), self._threats()
        step, high = ROW + GAP, 3 * 17 + GAP
        for items in ((*fleet, *switches), switches):
            if -(-len(items) // _ABREAST) * step <= room:
                if -(-len(items) // _ABREAST) * step + high <= room:
                    self._head(GAP, self.width)
                    self.y += high
                self._row(items, _ABREAST)
                break
        parts = aside(self.shapes, self.cells, left - GAP, top), aside(*below, left - GAP, top + self.y)
        self.shapes = [shape for shapes, _ in parts for shape in shapes]
        self.cells = [cell for _, cells in parts for cell in cells]
        self.y = low

    @property
    def _flying(self) -> bool:
        """Whether flights are given their orders."""
        return self.seen.view.phase is Phase.FLY and bool(self.choice.orders)

    def _row(self, items: Sequence[Item], across: int, high: float = ROW, foot: float = 0.0) -> None:
        """Places to press, in rows of that length; ``foot``: as `chip` has it."""
        wide = min(_WIDEST, (self.width - GAP * (across + 1)) / across)
        for i, item in enumerate(items):
            x, y = GAP + i % across * (wide + GAP), self.y + i // across * (high + GAP)
            self.shapes += chip(x, y, wide, high, item.lines, on=item.on, live=bool(item.id), foot=foot)
            if item.id:
                outline = rect_outline(x, y, wide, high)
                self.cells.append(Cell(item.id, outline, item.alt, action=item.action, pick=item.pick))
        self.y += -(-len(items) // across) * (high + GAP)

    def _says(self, words: str) -> None:
        """A sentence, where there is room for one."""
        if not self.tall:
            self.shapes.append(Text(GAP + 2, self.y + 9, words, INK, SIZE, "start"))
            self.y += SIZE + GAP

    def _head(self, x: float, wide: float) -> None:
        """Move and light; the points are in the strip over the board."""
        battle, state = self.seen.battle, self.seen.view
        light = SAY("head.night" if sight.is_night(battle, state.move) else "head.day")
        move = SAY("head.move", move=state.move, moves=battle.moves)
        if wide >= _LIGHT_WIDE:  # where there is less the sea alone says it
            move = f"{move} · {light}"
        self.shapes.append(Text(x, self.y + 9, move, INK, SIZE, "start", bold=True))

    def _cards(self) -> Item:
        """The switch of the ship cards."""
        on = self.choice.cards
        words = SAY("cards.short" if self.tall else "cards.hide" if on else "cards.show")
        return Item((words,), "cards", SAY("cards.alt"), pick=CARDS, on=on)

    def _threats(self) -> Item:
        """The switch of what the enemy can do."""
        on = self.choice.threats
        words = SAY("threats.hide" if on and not self.tall else "threats.show")
        return Item((words,), "threats", SAY("threats.alt"), pick=THREATS, on=on)

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
            self.shapes.append(Rect(x - 3, y - 3, 6, 6, style) if side == 0 else Circle(x, y, 3.2, style))
        frame = Rect(left + w.column * u, top + w.row * u, w.columns * u, w.rows * u, Style(None, "select", 2.0))
        self.shapes.append(frame)
        for column in range(0, grid.columns, _TOUCHED):
            across = min(_TOUCHED, grid.columns - column)
            middle = grid.rows // 2 * grid.columns + column + across // 2
            outline, name = rect_outline(left + column * u, top, across * u, high), grid.names[middle]
            alt = SAY("look.alt", square=name)
            self.cells.append(Cell(f"look {name}", outline, alt, pick=look_pick(middle)))
        x = left + wide + 2 * GAP
        switches = self._cards(), self._threats()
        self._head(x, self.width - x - GAP - len(switches) * (_SWITCH + GAP))
        for i, item in enumerate(switches):
            place = self.width - (_SWITCH + GAP) * (i + 1), top + 2, _SWITCH, ROW
            self.shapes += chip(*place, item.lines, on=item.on)
            self.cells.append(Cell(item.id, rect_outline(*place), item.alt, pick=item.pick))
        self.y += max(high, 50.0) + GAP

    def _strip(self) -> None:
        """A place to press for every ship and division of the side, with her damage; the switch of the cards."""
        seen, battle = self.seen, self.seen.battle
        if self._flying:
            items = [*helm.flight_items(seen, self.choice), self._cards(), self._threats()]
            self._row(items, min(len(items), int(self.width // 118)))
            return
        names = [name for name in units(battle, seen.me) if name in battle.numbers or (name in self.choice.orders)]
        across = min(len(names) + 2, int(self.width // 96))
        wide = min(_WIDEST, (self.width - GAP * (across + 1)) / across)
        top = self.y
        self._row([*map(self._unit, names), self._cards(), self._threats()], across, foot=_BAR)
        for i, name in enumerate(names):
            if (number := battle.numbers.get(name)) is None:
                continue
            x, y = GAP + i % across * (wide + GAP), top + i // across * (ROW + GAP)
            own, card = seen.view.ships[number], battle.card(number)
            if own.fate is Fate.SUNK:
                self.shapes += Piece("", x + wide - 18, y + ROW - 14, wreck(card.type, seen.me, 20), 90).placed()
            else:
                self.shapes += quarters_bar(x + 8, y + ROW - _BAR, wide - 16, own.damage, card.sinking_rate)

    def _unit(self, name: str) -> Item:
        lines = (SAY.named(name), self._status(name))
        return Item(lines, unit_id(name), ": ".join(lines), pick=unit_pick(name), on=name == self.choice.unit)

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
            if not any(isinstance(order, Move) for order in orders):
                return SAY("status.more")
            n = squares_a_move(seen.battle, state, number)
            return SAY("status.squares", n=n) if n != 1 else SAY("status.square")
        if state.phase is Phase.FIRE and self.choice.orders:
            aims = targets(seen.battle, orders)
            if any(isinstance(order, Seek) for order in orders) and not aims:
                return SAY("status.listens")
            fired = any(shot.ship == number for shot in state.shots)
            return SAY("status.targets", n=len(aims)) if aims else SAY("status.fired" if fired else "status.quiet")
        return SAY("status.moved") if state.phase is Phase.MOVE and self.choice.orders else SAY("status.afloat")

    # What the chosen one can do ---------------------------------------------------------------------------------

    def _fly(self) -> None:
        """The flights, where no strip has them, and what the chosen one can do."""
        if self.choice.flight is None:
            return
        self._says(helm.flight_facts(self.seen, self.choice.flight))
        across = _PAIR if self.width < _FIVE + 40 else 3 if self.tall else min(6, int(self.width // 140))
        if self.tall:
            self._row(helm.flight_items(self.seen, self.choice, across), across)
        self._row(helm.flight_orders(self.seen, self.choice)[:2 * across], across, ROW if self.tall else ROW + 6)

    def _move(self) -> None:
        """The headings at the square picked; else what else than going to a square she can do."""
        seen, choice = self.seen, self.choice
        if choice.aim is not None:
            self._headings(choice.aim)
            return
        items: list[Item] = []
        if choice.ships:
            boat = seen.battle.card(choice.ships[0]).boat
            self._says(helm.boat_facts(seen, choice.ships[0]) if boat else helm.ship_facts(seen, choice.ships[0]))
            items += helm.depths(seen, choice)
        if far := furthest(seen, choice.ships, choice.moves):
            alt = SAY("move.alt", unit=choice.unit, square=far.square, heading=far.heading)
            items.append(Item((SAY("move.ahead"), f"{far.square} {SAY.named(far.heading)}"), "ahead", alt, far))
        for order in choice.orders.get(choice.unit, ()):
            if isinstance(order, Special):
                words = special_words(order)
                items.append(Item((words,), f"do {words}", f"{choice.unit}: {words}", order))
        self._row(items, 5 if not self.tall else 3 if self.width >= _FIVE else self._abreast(len(items)))

    def _headings(self, square: int) -> None:
        seen, choice = self.seen, self.choice
        name = seen.battle.grid.names[square]
        ship = choice.ships[0]
        foe = choice.foe if choice.foe in located(seen, 1 - seen.me) else helm.nearest(seen, square)
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
            lines = (SAY.named(word), "" if guns is None or not there else SAY("move.guns", n=guns))
            alt = SAY("move.alt", unit=choice.unit, square=name, heading=word)
            id_, order = f"head {word}" if there else "", choice.moves[square].get(heading)
            items.append(Item(lines if lines[1] else lines[:1], id_, alt, order, on=heading == course))
        items.append(Item((SAY("move.back"),), "back", SAY("move.back.alt", square=name), pick=aim_pick(square)))
        self._row(items, 9 if not self.tall else 5 if self.width >= _FIVE else 3)

    def _fire(self) -> None:
        """What the chosen ship can fire at the target picked, and the targets that lie in one square."""
        seen, choice, battle = self.seen, self.choice, self.seen.battle
        aims, foe = choice.targets, choice.foe
        heard = list(helm.searches(seen, choice))
        across = _PAIR if heard and self.width < _FIVE + 40 else 3 if self.tall else min(6, int(self.width // 140))
        if foe is None or foe not in aims:
            self._says(helm.hunter_facts(seen, choice.ships[0]) if heard else SAY("fire.none", unit=choice.unit))
            self._row(heard, across, ROW + 6)
            return
        there = seen.view.ships[foe].square
        stacked = [target for target in aims if seen.view.ships[target].square == there]
        items: list[Item] = []
        for target in stacked if len(stacked) > 1 else ():
            name, rate = battle.units[target].name, battle.card(target).sinking_rate
            called, on = SAY.named(name), target == foe
            told = SAY("fire.left", left=rate + 1 - seen.view.ships[target].damage)
            items.append(Item((called, told), foe_id(name), f"{called}: {told}", pick=foe_pick(target), on=on))
        far = distance(battle.grid, seen.view.ships[choice.ships[0]].square, there)
        left = SAY("fire.left", left=battle.card(foe).sinking_rate + 1 - seen.view.ships[foe].damage)
        whom = SAY("order.fire", ship=choice.unit, target=battle.units[foe].name)
        self._says(f"{whom}: {SAY('fire.range', n=far)}, {left}")
        fire = [order for order in aims[foe] if isinstance(order, Guns | Torpedoes)]
        ways = {foretold(seen, order): order for order in reversed(fire)}
        if self.tall and not heard:
            across = self._abreast(len(items) + len(ways))
        whole = across == 2 or not self.room
        items += [self._shot(order, whole) for order in reversed(ways.values())]
        rows = -(-(len(items) + len(heard)) // across)
        cramped = not heard if self.room else self.tall and self.y + rows * (ROW + 6 + GAP) > self.low
        self._row([*items, *heard], across, ROW if cramped else ROW + 6)

    def _abreast(self, n: int) -> int:
        """How many of ``n`` places with two lines stand side by side on a phone: two beside the sea of one that lies
        down, so that all of their words are read, where there is room for as many rows."""
        return 2 if -(-n // 2) * (ROW + GAP) <= self.room + GAP else _ABREAST

    def _shot(self, order: Guns | Torpedoes, whole: bool) -> Item:
        """One way to fire, with its odds; ``whole``: whether there is room to say what they count."""
        found, weapon = foretold(self.seen, order), weapon_words(order)
        hit, sink, mean = percent(found.hit), percent(found.sink), points(found.mean)
        alt = f"{order}: {SAY('fire.hit', hit=hit, points=mean)}, {SAY('fire.sink', sink=sink)}"
        odds = SAY("target.odds" if self.tall else "fire.odds", points=mean, sink=sink)
        odds = odds if whole else f"{mean} · {sink}"  # as at the target herself
        return Item((weapon, odds), f"fire {weapon}", alt, order)

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
            gun = row.gun.split()[0] if self.tall else SAY.named(row.gun)  # a phone has room for bore and length
            lines = (turret, f"{row.guns - state.ships[ship].out[mount]} × {gun}")
            items.append(Item(lines, f"turret {mount + 1}", f"{SAY.named(name)}: {turret}", Turret(name, mount + 1)))
        self._row(items, self._abreast(len(items)) if self.tall else 5)


# -- The board of Fleet Action as a `Scene`: the sea as one side sees it, the conning panel, and ship cards on demand

CARD_WIDTH = 390.0
SQUARE, TRACKED = 30.0, 44.0  # px of a square where the whole board is a small picture, and on the track chart


def scene(glance: Sight, look: Look) -> Scene:
    """The board as one side sees it; on a phone a window on it, with an overview below."""
    seen, tall = glance.seen, look.tall
    choice = choose(glance, look.picks)
    if look.still and not choice.picked:
        choice = Choice()
    at = middle(seen, choice) if look.window is None else look.window
    w = window(seen.battle.grid, tall, at, look.room, look.hole, first(seen), look.still)
    sea = Layer("sea", tuple(draw_sea(w, seen)))
    under = Layer("under", () if look.still else _fields(w, seen, choice, look.hover), late=True)
    flags = Layer("flags", (*seascape.flags(w, seen), *seascape.wakes(w, seen), *aloft.signs(w, seen)))
    flying = tuple(aloft.flights(w, seen, choice))
    ships = Layer("ships", (*afloat.pieces(w, seen, choice), *flying))
    tags = tuple(seascape.tags(w, seen))
    shots = *seascape.shots(w, seen), *seascape.odds_at_targets(w, seen, choice)
    laid = *seascape.destination(w, seen, choice), *shots
    laid = (*laid, *evidence(w, seen, look.reasons))
    told = (each for each in (*sea.flat, *tags, *laid) if isinstance(each, Rect) and each.style.stroke == "card_line")
    plates = (*((each.x, each.y, each.x + each.w, each.y + each.h) for each in told), *aloft.plates(flying))
    names = Layer("names", afloat.names(w, seen, choice, plates))
    over = Layer("over", (*tags, *laid, *afloat.beyond(w, seen)))
    cells = list(_cells(w, seen, choice))
    if look.still:
        open_sea = sea, under, flags, ships, names, over
        return Scene(w.width, w.height, open_sea, tuple(cells), SAY.named(seen.battle.title), describe(seen))
    cards, end = _cards(seen, choice, w.width, tall)
    width, height = look.room or ROOMS[tall]
    panel = Panel(w, seen, choice, tall, height, end, look.hole)
    if cards:  # over the sea, whose squares they hide
        cells = [cell for each in cards for cell in each.cells]
    cells += panel.cells
    shown = Layer("cards", tuple(shape for each in cards for shape in each.shapes()))
    if look.hole:
        rest = Rect(w.width, 0, width - w.width, height, Style("paper"))
    else:
        width, height = w.width, max(panel.y, height)
        rest = Rect(0, panel.y, width, height - panel.y, Style("paper"))  # the panel's, down to the board's end
    layers = (sea, under, flags, ships, names, over, Layer("conn", (rest, *panel.shapes)), shown)
    return Scene(width, height, layers, tuple(cells), SAY.named(seen.battle.title), describe(seen))


def _everything(seen: Observation, side: float) -> Window:
    grid = seen.battle.grid
    return Window(grid, 0, 0, grid.rows, grid.columns, side, grid.columns * side + LEFT + 4)


def whole(seen: Observation) -> Scene:
    """The whole board and what sails on it, for a picture too small to read."""
    w = _everything(seen, SQUARE)
    sea, ships = Layer("sea", tuple(draw_sea(w, seen))), Layer("ships", afloat.pieces(w, seen, Choice()))
    return Scene(w.width, w.height, (sea, Layer("flags", tuple(seascape.flags(w, seen))), ships)).bare()


def track(seen: Observation, ways: Sequence[Sequence[int]]) -> Scene:
    """The whole board at the end, with the squares that every ship has come through and a dot where she began."""
    w, lines = _everything(seen, TRACKED), list[Shape]()
    for number, way in enumerate(ways):
        colour, shift = SIDE_COLOURS[seen.battle.units[number].side], (number % 4 - 1.5) * 0.09 * w.side
        points = tuple((x + shift, y + shift) for x, y in map(w.centre, way))  # those of a line lie side by side
        lines += [Circle(*point, 4, Style(colour, "ink", 1)) for point in points[:1]]
        if len(points) > 1:
            lines.append(Line(points, Style(None, colour, 2.5, opacity=0.85)))
    ships = afloat.pieces(w, seen, Choice())
    names = Layer("names", afloat.names(w, seen, Choice()))
    layers = Layer("sea", tuple(draw_sea(w, seen))), Layer("tracks", tuple(lines)), Layer("ships", ships), names
    return Scene(w.width, w.height, layers, (), SAY("track.title", battle=seen.battle.title), describe(seen))


def middle(seen: Observation, choice: Choice) -> int | None:
    """The middle of the window: the place looked at, somewhat ahead of the ship, or between her and her target."""
    if choice.look is not None or not (choice.ships or choice.flight is not None):
        return choice.look
    if choice.flight is not None:
        return aloft.about(seen, choice)
    own = seen.view.ships[choice.ships[0]]
    if own.square < 0:
        return None
    square = own.square
    if first(seen) and (both := [seen.view.ships[n].square for side in (0, 1) for n in located(seen, side)]):
        places = [seen.battle.grid.place(at) for at in both]
        row, column = ((min(each) + max(each)) // 2 for each in zip(*places, strict=True))
        there: int = row * seen.battle.grid.columns + column
        return there
    if seen.view.phase is Phase.FIRE and choice.foe in located(seen, 1 - seen.me) and choice.foe is not None:
        ends = seen.battle.grid.place(square), seen.battle.grid.place(seen.view.ships[choice.foe].square)
        row, column = (sum(each) // 2 for each in zip(*ends, strict=True))
        return row * seen.battle.grid.columns + column
    if seen.view.phase is Phase.MOVE:
        for _ in range(2):
            further = ahead(seen.battle.grid, square, own.heading)
            square = square if further is None else further
    return square


# What lies and sails on it --------------------------------------------------------------------------------------

def _fields(w: Window, seen: Observation, choice: Choice, hover: str) -> tuple[Shape, ...]:
    """Squares in reach; the field of fire from where the ship lies or would lie, and that of the enemy picked. While
    the pointer is over a ship, what she can fire at in place of all that."""
    shapes: list[Shape] = [*(seascape.threats(w, seen) if choice.threats else ()), *seascape.reach(w, choice),
                           *aloft.reach(w, seen, choice)]
    if choice.aim is None and (under := pointed_at(seen, hover)) is not None:
        lies = seen.view.ships[under]
        theirs = seen.battle.side(under) != seen.me
        return (*shapes, *seascape.field_of_fire(w, seen, under, lies.square, lies.heading, foe=theirs))
    one = choice.ships[0] if choice.ships else None
    if one is not None and choice.aim is not None:
        course = natural(seen, choice.ships, choice.aim, choice.moves[choice.aim])
        shapes += seascape.field_of_fire(w, seen, one, choice.aim, course)
    elif one is not None and seen.view.ships[one].square >= 0 and seen.view.phase is Phase.FIRE:
        own = seen.view.ships[one]
        shapes += seascape.field_of_fire(w, seen, one, own.square, own.heading)
    elif one is not None and seen.view.ships[one].square >= 0 and choice.picked:
        shapes += seascape.rings(w, seen, one, seen.view.ships[one].square, "accent")
    if choice.foe in located(seen, 1 - seen.me) and seen.view.phase not in (Phase.FIRE, Phase.FLY):
        foe = choice.foe
        assert foe is not None
        lies = seen.view.ships[foe]
        shapes += seascape.field_of_fire(w, seen, foe, lies.square, lies.heading, foe=True)
    return tuple(shapes)


def _cards(seen: Observation, choice: Choice, width: float, tall: bool) -> tuple[list[Scene], float]:
    """The cards of the chosen ship and of the foe, side by side or one below the other; and where they end."""
    wanted = [number for number in (*choice.ships[:1], choice.foe) if number is not None] if choice.cards else []
    orders: dict[int, Turret] = {}
    if seen.view.phase is Phase.TURRETS and choice.orders and choice.cards:
        wanted = [failing(seen.battle, seen.view)[0]]
        own = choice.orders[seen.battle.units[wanted[0]].name]
        orders = {order.mount - 1: order for order in own if isinstance(order, Turret)}
    placed: list[Scene] = []
    x, y, end = (width - CARD_WIDTH * (1 if tall else len(wanted))) / 2, 0.0, 0.0
    for number in wanted:
        drawn = _card(seen, number, orders)
        placed.append(_at(drawn, x, y, SAY.named(seen.battle.units[number].name)))
        end = max(end, y + drawn.height)
        x, y = (x, end + GAP) if tall else (x + CARD_WIDTH, y)
    return placed, end


def _card(seen: Observation, number: int, orders: Mapping[int, Turret]) -> Scene:
    unit, own = seen.battle.units[number], seen.view.ships[number]
    loaded = tuple(bool(own.loaded >> k & 1) for k in range(len(unit.card.torpedoes)))
    return card(unit.card, damage=own.damage, out=own.out, loaded=loaded, orders=orders)


def _at(drawn: Scene, dx: float, dy: float, name: str) -> Scene:
    """A card in its place on the page, its cells named for the ship."""
    layers = tuple(Layer(each.name, tuple(moved(shape, dx, dy) for shape in each.flat)) for each in drawn.layers)
    cells = tuple(replace(cell, id=f"{name} {cell.id}", outline=tuple((x + dx, y + dy) for x, y in cell.outline))
                  for cell in drawn.cells)
    return Scene(drawn.width, drawn.height, layers, cells, drawn.title, drawn.desc)


def _cells(w: Window, seen: Observation, choice: Choice) -> Iterator[Cell]:
    """Every square of the window, with what a press on it does."""
    names, battle, ships = w.grid.names, seen.battle, seen.view.ships
    going = choice.moves[choice.aim] if choice.aim is not None else {}
    headings: dict[int, int] = {}
    if choice.aim is not None:
        headings = {square: heading for heading, square in seascape.rose(w, choice).items()}
        headings.setdefault(choice.aim, natural(seen, choice.ships, choice.aim, going))
    owns: dict[int, int] = {}
    for number in sorted(located(seen, seen.me), key=lambda n: battle.units[n].name not in choice.orders, reverse=True):
        owns[ships[number].square] = number
    owns |= {ships[number].square: number for number in choice.wards}
    foes = {ships[n].square: n for n in reversed(located(seen, 1 - seen.me))}
    aims = choice.targets
    foes |= {ships[n].square: n for n in (*(n for n in aims if n != choice.foe), *(n for n in aims if n == choice.foe))}
    flown = aloft.flown(seen, choice)
    told = spoken(seen, w.squares())
    for square in w.squares():
        alt = told[square]
        action: Action | None = None
        pick: Pick | None = None
        if square in headings:
            action = going[headings[square]]
            key = "move.aimed" if square == choice.aim else "move.alt"
            alt = SAY(key, unit=choice.unit, square=action.square, heading=action.heading)
        elif len(choice.moves.get(square, ())) == 1:  # nothing is left to choose
            (action,) = choice.moves[square].values()
            alt = SAY("move.alt", unit=choice.unit, square=action.square, heading=action.heading)
        elif square in choice.moves:
            pick, alt = aim_pick(square), SAY("reach.alt", unit=choice.unit, square=names[square], what=alt)
        elif square in foes and foes[square] == choice.foe and choice.foe in aims:
            action = aims[choice.foe][0]
        elif square in foes:
            pick = foe_pick(foes[square])
        elif square in choice.hunts:
            action = choice.hunts[square]
            alt = SAY("hunt.alt", order=action, told=helm.search_words(search(seen, action)))
        elif square in owns and choice.wards and (owns[square] in choice.wards or square in choice.flies):
            pick, alt = ward_pick(owns[square]), SAY("ward.alt", flight=choice.unit, what=alt)
        elif square in flown and flown[square] != choice.unit:
            pick = unit_pick(flown[square])
        elif square in choice.flies:
            action = choice.flies[square]
            alt = SAY("fly.alt", flight=choice.unit, square=names[square], what=alt)
        elif square in owns:
            pick = unit_pick(battle.units[owns[square]].name)
        outline, ask = rect_outline(*w.corner(square), w.side, w.side), ""
        if isinstance(action, Move):
            ask = SAY("ask.go", square=action.square, heading=action.heading)
        elif isinstance(action, Guns | Torpedoes):
            ask = SAY("ask.fire", target=action.target)
        elif isinstance(action, Attack | Fly | Seek):
            ask = helm.asked(seen, action)
        yield Cell(names[square], outline, alt, action=action, pick=pick, ask=ask)
