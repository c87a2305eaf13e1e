"""The board of Fleet Action as a `Scene`: the sea as one side sees it, the conning panel, and ship cards on demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from navalkit.grids.square_headings import ahead
from navalkit.view.page import Look
from navalkit.view.scene import Cell, Circle, Layer, Line, Pick, Rect, Scene, Shape, Style, Text, rect_outline

from ..rules.damage import failing
from ..state import Action, Phase, Turret
from ..state.observation import Observation
from . import SAY
from .card import card
from .choice import Choice, Sight, aim_pick, choose, foe_pick, located, natural, pointed_at, unit_pick
from .conn import GAP, Panel
from .shapes import afloat, overlay
from .shapes.evidence import evidence
from .shapes.pieces import ON_BAND, SIDE_COLOURS, SMALLEST_TEXT, moved
from .shapes.seascape import seascape
from .shapes.window import LEFT, ROOMS, Window, window
from .spoken import describe, spoken

CARD_WIDTH = 390.0
SQUARE, TRACKED = 30.0, 44.0  # px of a square where the whole board is a small picture, and on the track chart


def scene(glance: Sight, look: Look) -> Scene:
    """The board as one side sees it; on a phone a window on it, with an overview below."""
    seen, tall = glance.seen, look.tall
    choice = choose(glance, look.picks)
    w = window(seen.battle.grid, tall, middle(seen, choice) if look.window is None else look.window, look.room)
    sea = Layer("sea", tuple(seascape(w, seen)))
    under = Layer("under", tuple(_fields(w, seen, choice, look.hover)), late=True)
    flags = Layer("flags", (*_flags(w, seen), *_wakes(w, seen)))
    ships = Layer("ships", afloat.pieces(w, seen, choice))
    laid = (*overlay.destination(w, seen, choice), *overlay.shots(w, seen), *overlay.odds_at_targets(w, seen, choice))
    laid = (*laid, *evidence(w, seen, look.reasons))
    told = (each for each in (*sea.flat, *laid) if isinstance(each, Rect) and each.style.stroke == "card_line")
    plates = ((each.x, each.y, each.x + each.w, each.y + each.h) for each in told)
    names, over = Layer("names", afloat.names(w, seen, choice, plates)), Layer("over", laid)
    cells = list(_cells(w, seen, choice))
    cards, end = _cards(seen, choice, w.width, tall)
    panel = Panel(w, seen, choice, tall, end)
    if cards:  # over the sea, whose squares they hide
        cells = [cell for each in cards for cell in each.cells]
    cells += panel.cells
    shown = Layer("cards", tuple(shape for each in cards for shape in each.shapes()))
    height = max(panel.y, (look.room or ROOMS[tall])[1])
    rest = Rect(0, panel.y, w.width, height - panel.y, Style("paper"))  # the panel's, down to the board's end
    layers = (sea, under, flags, ships, names, over, Layer("conn", (rest, *panel.shapes)), shown)
    return Scene(w.width, height, layers, tuple(cells), seen.battle.title, describe(seen))


def _everything(seen: Observation, side: float) -> Window:
    grid = seen.battle.grid
    return Window(grid, 0, 0, grid.rows, grid.columns, side, grid.columns * side + LEFT + 4)


def whole(seen: Observation) -> Scene:
    """The whole board and what sails on it, for a picture too small to read."""
    w = _everything(seen, SQUARE)
    sea, ships = Layer("sea", tuple(seascape(w, seen))), Layer("ships", afloat.pieces(w, seen, Choice()))
    return Scene(w.width, w.height, (sea, Layer("flags", tuple(_flags(w, seen))), ships)).bare()


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
    layers = Layer("sea", tuple(seascape(w, seen))), Layer("tracks", tuple(lines)), Layer("ships", ships), names
    return Scene(w.width, w.height, layers, (), SAY("track.title", battle=seen.battle.title), describe(seen))


def middle(seen: Observation, choice: Choice) -> int | None:
    """The middle of the window: the place looked at, somewhat ahead of the ship, or between her and her target."""
    if choice.look is not None or not choice.ships:
        return choice.look
    own = seen.view.ships[choice.ships[0]]
    if own.square < 0:
        return None
    square = own.square
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
    """Squares in reach; the field of fire from where the ship lies or would lie, and that of the enemy picked.

    While the pointer is over a ship, what she can fire at in place of all that.
    """
    shapes: list[Shape] = [*(overlay.threats(w, seen) if choice.threats else ()), *overlay.reach(w, choice)]
    if choice.aim is None and (under := pointed_at(seen, hover)) is not None:
        lies = seen.view.ships[under]
        theirs = seen.battle.side(under) != seen.me
        return (*shapes, *overlay.field_of_fire(w, seen, under, lies.square, lies.heading, foe=theirs))
    one = choice.ships[0] if choice.ships else None
    if one is not None and choice.aim is not None:
        course = natural(seen, choice.ships, choice.aim, choice.moves[choice.aim])
        shapes += overlay.field_of_fire(w, seen, one, choice.aim, course)
    elif one is not None and seen.view.ships[one].square >= 0 and seen.view.phase is Phase.FIRE:
        own = seen.view.ships[one]
        shapes += overlay.field_of_fire(w, seen, one, own.square, own.heading)
    elif one is not None and seen.view.ships[one].square >= 0 and choice.picked:
        shapes += overlay.rings(w, seen, one, seen.view.ships[one].square, "accent")
    if choice.foe in located(seen, 1 - seen.me) and seen.view.phase is not Phase.FIRE:
        foe = choice.foe
        assert foe is not None
        lies = seen.view.ships[foe]
        shapes += overlay.field_of_fire(w, seen, foe, lies.square, lies.heading, foe=True)
    return tuple(shapes)


def _flags(w: Window, seen: Observation) -> Iterator[Shape]:
    """Who holds the islands."""
    for island, hold in zip(seen.battle.islands, seen.view.islands, strict=True):
        flag = min(island.squares)
        if hold.owner >= 0 and w.holds(flag):
            x, y = w.corner(flag)
            high = max(15.0, 0.28 * w.side)
            yield Rect(x + 3, y + 3, 1.4 * high, high, Style(SIDE_COLOURS[hold.owner], "ink", 1), 2)
            letter = seen.battle.sides[hold.owner][0]
            yield Text(x + 3 + 0.7 * high, y + 3 + high / 2, letter, ON_BAND[hold.owner], SMALLEST_TEXT, bold=True)


def _wakes(w: Window, seen: Observation) -> Iterator[Shape]:
    """Where ships have come through in this move."""
    for side in (0, 1):
        for number in located(seen, side):
            own = seen.view.ships[number]
            wake = [w.centre(s) for s in own.wake if w.holds(s)]
            if len(wake) > 1:
                yield Line(tuple(wake), Style(None, SIDE_COLOURS[side], 2.0, (2, 4), 0.8))


# Cards ---------------------------------------------------------------------------------------------------------


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
        placed.append(_at(drawn, x, y, seen.battle.units[number].name))
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
    cells = tuple(
        replace(cell, id=f"{name} {cell.id}", outline=tuple((x + dx, y + dy) for x, y in cell.outline))
        for cell in drawn.cells
    )
    return Scene(drawn.width, drawn.height, layers, cells, drawn.title, drawn.desc)


# Cells and words ------------------------------------------------------------------------------------------------


def _cells(w: Window, seen: Observation, choice: Choice) -> Iterator[Cell]:
    """Every square of the window, with what a press on it does."""
    names, battle, ships = w.grid.names, seen.battle, seen.view.ships
    going = choice.moves[choice.aim] if choice.aim is not None else {}
    headings: dict[int, int] = {}
    if choice.aim is not None:
        headings = {square: heading for heading, square in overlay.rose(w, choice).items()}
        headings.setdefault(choice.aim, natural(seen, choice.ships, choice.aim, going))
    owns: dict[int, int] = {}
    for number in sorted(located(seen, seen.me), key=lambda n: battle.units[n].name not in choice.orders, reverse=True):
        owns[ships[number].square] = number
    foes = {ships[n].square: n for n in reversed(located(seen, 1 - seen.me))}
    aims = choice.targets
    foes |= {ships[n].square: n for n in (*(n for n in aims if n != choice.foe), *(n for n in aims if n == choice.foe))}
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
        elif square in owns:
            pick = unit_pick(battle.units[owns[square]].name)
        outline = rect_outline(*w.corner(square), w.side, w.side)
        yield Cell(names[square], outline, alt, action=action, pick=pick)
