"""The damage sheet of a squadron as data, and as pages to print: a row a ship, with every gun and tube."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from navalkit.view.scene import Circle, Layer, Line, Polygon, Rect, Scene, Shape, Style, Text

from ..cards.vessels import BATTERIES, quarters
from ..rules.movement import full_speed, squares_a_move
from ..state import Fate, State
from ..state.observation import Observation
from ..state.scenario import Scenario
from . import SAY
from .shapes.pieces import fitting

WIDTH, HEIGHT = 595.0, 842.0  # A4, in points
_MARGIN, _ROW, _TOP = 40.0, 66.0, 96.0
_BAR = 150.0  # of the whole sinking rate
_NAME, _DAMAGE, _GUNS, _SPEED = _MARGIN, 150.0, 320.0, WIDTH - _MARGIN
_INK, _MUTED, _LINE = Style("ink"), Style("muted"), Style(None, "card_line", 0.8)
_CROSS = Style(None, "bad", 1.2)


@dataclass(frozen=True, slots=True)
class Row:
    """One ship on the sheet."""

    ship: str
    ship_class: str
    fate: Fate
    damage: int  # points she has taken
    rate: int  # her sinking rate
    quarters: int  # full quarters of the rate, 0 to 4
    guns: tuple[tuple[str, str, str, int, int], ...]  # gun, arc, battery, in action, of; a mount each
    torpedoes: tuple[tuple[str, int, bool], ...]  # kind, tubes, loaded; a set each
    mines: int  # mines aboard
    speed: int  # squares she may go in this move
    full: int  # those she could if she and the weather were sound


def sheet(battle: Scenario, state: State, side: int) -> tuple[Row, ...]:
    """The damage sheet of a side of `FleetAction.battle`: a row a ship, in the order of battle.

    ``state``: the state, or the view of an observation; there the sheet of the enemy shows what is known of it.
    """
    return tuple(_row(battle, state, ship) for ship in battle.fleet(side))


def _row(battle: Scenario, state: State, ship: int) -> Row:
    unit, own = battle.units[ship], state.ships[ship]
    card = unit.card
    afloat = own.fate is Fate.AT_SEA and own.square >= 0
    return Row(
        ship=unit.name,
        ship_class=card.ship_class,
        fate=own.fate,
        damage=own.damage,
        rate=card.sinking_rate,
        quarters=quarters(own.damage, card.sinking_rate),
        guns=tuple(
            (mount.gun, mount.arc, mount.battery, mount.guns - out, mount.guns)
            for mount, out in zip(card.mounts, own.out, strict=True)
        ),
        torpedoes=tuple(
            (tubes.kind, tubes.tubes, bool(own.loaded >> number & 1)) for number, tubes in enumerate(card.torpedoes)
        ),
        mines=own.mines,
        speed=squares_a_move(battle, state, ship) if afloat else 0,
        full=full_speed(card.speed, state.move),
    )


# Printed ------------------------------------------------------------------------------------------------------------


def sheets(seen: Observation) -> tuple[Scene, ...]:
    """The damage sheet of one's own side, then that of the enemy as far as it is known; a page each. A4, higher
    where there are more ships than have room."""
    return tuple(_page(seen, side) for side in (seen.me, 1 - seen.me))


def _page(seen: Observation, side: int) -> Scene:
    battle, rows = seen.battle, sheet(seen.battle, seen.view, side)
    title = SAY("print.title", side=battle.sides[side])
    head = (("print.ship", _NAME, "start"), ("print.damage", _DAMAGE, "start"), ("print.guns", _GUNS, "start"),
            ("print.speed", _SPEED, "end"))  # fmt: skip
    height = max(HEIGHT, _TOP + _ROW * len(rows) + 60)
    shapes: list[Shape] = [
        Rect(0, 0, WIDTH, height, Style("card")),
        Text(_MARGIN, 40, title, _INK, 20, "start", bold=True),
        Text(_MARGIN, 62, SAY("print.battle", battle=battle.title, move=seen.view.move), _MUTED, 12, "start"),
        *(Text(x, _TOP - 12, SAY(key), _MUTED, 11, anchor, bold=True) for key, x, anchor in head),
    ]
    for number, row in enumerate(rows):
        shapes += _drawn(row, _TOP + _ROW * number)
    shapes.append(Text(_MARGIN, _TOP + _ROW * len(rows) + 22, SAY("print.note"), _MUTED, 10, "start"))
    return Scene(WIDTH, height, (Layer("sheet", tuple(shapes)),), (), title, SAY("print.note"))


def _drawn(row: Row, y: float) -> Iterator[Shape]:
    """One ship."""
    yield Line(((_MARGIN, y), (WIDTH - _MARGIN, y)), _LINE)
    yield Text(_NAME, y + 18, row.ship, _INK, fitting(row.ship, _DAMAGE - _NAME - 6, 14.0), "start", bold=True)
    yield Text(_NAME, y + 36, row.ship_class, _MUTED, 10, "start")
    if row.fate is not Fate.AT_SEA:
        yield Text(_NAME, y + 52, str(row.fate), Style("bad"), 11, "start", bold=True)
    yield Text(
        _DAMAGE, y + 16, SAY("sheet.damage", damage=row.damage, rate=row.rate, quarters=row.quarters), _INK, 11, "start"
    )
    yield Rect(_DAMAGE, y + 28, _BAR * min(1.0, row.damage / row.rate), 16, Style("vermilion"))
    for quarter in range(4):
        yield Rect(_DAMAGE + quarter * _BAR / 4, y + 28, _BAR / 4, 16, Style(None, "ink", 1))
    yield Text(_SPEED, y + 24, SAY("print.squares", speed=row.speed, full=row.full), _INK, 13, "end", bold=True)
    if row.mines:
        yield Text(_SPEED, y + 44, SAY("print.mines", n=row.mines), _INK, 11, "end")
    yield from _weapons(row, y)


def _weapons(row: Row, y: float) -> Iterator[Shape]:
    """A circle a gun, large for the main battery, and a point a torpedo tube; crossed where it is out or fired."""
    for line, battery in enumerate(BATTERIES):
        x, r = _GUNS, 5.0 if line == 0 else 3.5
        for _, _, belongs, ready, all_ in row.guns:
            for gun in range(all_) if belongs == battery else ():
                yield Circle(x + r, y + 16 + 17 * line, r, Style("card", "ink", 1.2))
                if gun >= ready:
                    yield from _crossed(x + r, y + 16 + 17 * line, r)
                x += 2 * r + 2
            x += 5 * (belongs == battery)
    x = _GUNS
    for _, tubes, loaded in row.torpedoes:
        for _ in range(tubes):
            points = ((x, y + 47), (x + 6, y + 50), (x + 9, y + 52), (x + 6, y + 54), (x, y + 57))
            yield Polygon(points, Style("card", "ink", 1))
            if not loaded:
                yield from _crossed(x + 4.5, y + 52, 4.5)
            x += 11
        x += 6


def _crossed(x: float, y: float, r: float) -> tuple[Line, Line]:
    return Line(((x - r, y - r), (x + r, y + r)), _CROSS), Line(((x - r, y + r), (x + r, y - r)), _CROSS)
