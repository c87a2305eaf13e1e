"""A ship card as a `Scene`: the ship from above with her guns, her figures, and in pencil what the game makes of them.

The same card serves as damage sheet: it shows guns out of action, tubes fired and the quarters of damage where given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from navalkit.core.errors import OptionError
from navalkit.view.scene import Cell, Circle, Layer, Line, Point, Polygon, Rect, Scene, Shape, Style, Text, rect_outline

from ..cards import TABLES
from ..cards.figures import points
from ..cards.vessels import BATTERIES, ShipCard, allowance, quarters
from ..state import Turret
from . import SAY

WIDTH = 390.0
_MARGIN, _LINE = 20.0, 24.0
_MIDDLE = 128.0  # height of the keel line in the picture of the ship
_LONGEST = 64_000  # tons of the ship whose hull is as long as the card allows
_INK, _MUTED, _PENCIL, _HURT = Style("ink"), Style("muted"), Style("select"), Style("bad")
_COLUMNS = (("range", 258.0), ("damage", 314.0), ("firings", 370.0))
# Along the hull from stern to bow, and across it: where the guns of an arc stand, and the way the next ones are put.
_PLACES = {
    "forward": (0.80, 0.0, -0.105),
    "amidships": (0.46, 0.0, 0.09),
    "aft": (0.17, 0.0, 0.105),
    "port": (0.67, -1.0, -0.12),
    "starboard": (0.67, 1.0, -0.12),
}


def card(
    ship: ShipCard,
    *,
    damage: int = 0,
    out: Sequence[int] = (),
    loaded: Sequence[bool] = (),
    orders: Mapping[int, Turret] | None = None,
) -> Scene:
    """The card of a ship.

    ``damage``: damage points she has taken. ``out``: guns out of action in each mount, in the order of her mounts; none
    if not given. ``loaded``: whether each torpedo set is loaded; all are if not given. ``orders``: mount (from 0) ->
    the order a press on it gives. The scene is 390 px wide, as high as her armament needs; its cells are
    "mount 1", "mount 2" ... and "set 1" ... OptionError if ``out`` or ``loaded`` does not fit her mounts and sets.
    """
    if len(out) not in (0, len(ship.mounts)) or len(loaded) not in (0, len(ship.torpedoes)):
        counts = {"mounts": len(ship.mounts), "sets": len(ship.torpedoes), "out": len(out), "loaded": len(loaded)}
        raise OptionError(SAY("card.counts", name=ship.name, **counts))
    drawn = _Card(ship, damage, tuple(out) or (0,) * len(ship.mounts), tuple(loaded) or (True,) * len(ship.torpedoes))
    layers = [Layer("head", drawn.head()), Layer("ship", drawn.plan(orders or {})), Layer("figures", drawn.figures())]
    height = drawn.y + 8
    paper = Rect(2, 2, WIDTH - 4, height - 4, Style("card", "card_line", 1.5), 10)
    return Scene(WIDTH, height, (Layer("card", (paper,)), *layers), tuple(drawn.cells), ship.name, " ".join(drawn.said))


class _Card:
    """Collects the shapes, cells and sentences of one card, from top to bottom."""

    def __init__(self, ship: ShipCard, damage: int, out: tuple[int, ...], loaded: tuple[bool, ...]) -> None:
        self.ship, self.damage, self.out, self.loaded = ship, damage, out, loaded
        self.cells: list[Cell] = []
        self.said: list[str] = []
        self.y = 0.0

    def head(self) -> tuple[Shape, ...]:
        ship = self.ship
        letters = TABLES.types[ship.type]
        line = " · ".join(part for part in (ship.type, ship.nation, str(ship.year)) if part)
        named = SAY("card.class", name=ship.ship_class) if ship.ship_class else ""
        self.said.append(f"{ship.name}: {line}" + (f", {named}." if named else "."))
        return (
            Text(_MARGIN, 30, ship.name, _INK, 20, "start", bold=True),
            Text(WIDTH - _MARGIN, 30, letters, _MUTED, 18, "end", bold=True),
            Text(_MARGIN, 55, line, _MUTED, 14, "start"),
            Text(_MARGIN, 75, named, _MUTED, 14, "start"),
        )

    def plan(self, orders: Mapping[int, Turret]) -> tuple[Shape, ...]:
        """The ship from above, her bow to the right, each mount with the number of its guns in action."""
        size = max(0.5, min(1.0, (self.ship.displacement / _LONGEST) ** 0.25))
        length, beam = size * (WIDTH - 2 * _MARGIN), 12 + 18 * size
        left = (WIDTH - length) / 2
        shapes: list[Shape] = [Polygon(_hull(left, length, beam), Style("sea_deep", "ink", 1.5))]
        standing = dict.fromkeys(_PLACES, 0)
        for i, mount in enumerate(self.ship.mounts):
            along, across, step = _PLACES[mount.arc]
            x = left + (along + step * standing[mount.arc]) * length
            standing[mount.arc] += 1
            y, r = _MIDDLE + across * (beam - 9), 13.0 if mount.battery == "main" else 9.0
            left_guns = mount.guns - self.out[i]
            whole = Style("card", "ink", 2.0 if mount.battery == "main" else 1.0)
            shapes.append(Circle(x, y, r, whole if left_guns else Style(None, "bad", 1.5, (3, 3))))
            shapes.append(Text(x, y, str(left_guns), _INK if left_guns == mount.guns else Style("bad"), r))
            facts = {"n": i + 1, "guns": mount.guns, "gun": mount.gun, "arc": mount.arc, "battery": mount.battery}
            alt = SAY("card.mount_hurt" if self.out[i] else "card.mount", lost=self.out[i], **facts)
            outline = rect_outline(x - r, y - r, 2 * r, 2 * r)
            self.cells.append(Cell(f"mount {i + 1}", outline, alt, action=orders.get(i)))
        self.y = _MIDDLE + 56
        return tuple(shapes)

    def figures(self) -> tuple[Shape, ...]:
        """The rows below the picture: what was built, and in pencil what the game makes of it."""
        ship = self.ship
        short, long = allowance(ship.speed)
        pace = SAY("card.pace" if short == long else "card.paces", knots=f"{ship.speed:g}", short=short, long=long)
        shapes: list[Shape] = [
            *self._row("displacement", SAY("card.tons", n=ship.displacement)),
            *self._row("speed", pace),
        ]
        for key, value in (("armour", ship.armour), ("mines", ship.mines), ("aircraft", ship.aircraft)):
            if value:
                shapes += self._row(key, str(value))
        shapes += self._weapons()
        shapes.append(Line(((_MARGIN, self.y - 8), (WIDTH - _MARGIN, self.y - 8)), Style(None, "grid", 1, (4, 4))))
        self.y += 6
        shapes += self._row("sinking_rate", SAY("card.points", n=ship.sinking_rate), _PENCIL)
        shapes += self._row("anti_aircraft", str(ship.anti_aircraft), _PENCIL)
        shapes += self._row("value", str(points(ship)), _PENCIL)
        if self.damage:
            shapes += self._damage()
        return tuple(shapes)

    def _row(self, key: str, value: str, style: Style = _INK) -> tuple[Shape, ...]:
        y, label = self.y, SAY(f"card.{key}")
        self.y += _LINE
        self.said.append(f"{label}: {value}.")
        return (
            Text(_MARGIN, y, label, _MUTED, 15, "start"),
            Text(WIDTH - _MARGIN, y, value, style, 15, "end", bold=style is not _INK),
        )

    def _weapons(self) -> Iterator[Shape]:
        """A table: a row for each kind of gun of each battery, and one for each torpedo set."""
        if not self.ship.mounts and not self.ship.torpedoes:
            yield from self._row("armament", SAY("card.none"))
            return
        for key, x in _COLUMNS:
            yield Text(x, self.y, SAY(f"card.{key}"), _MUTED, 13, "end")
        self.y += _LINE
        for battery in BATTERIES:
            guns: Counter[str] = Counter()
            for mount in self.ship.mounts:
                guns[mount.gun] += mount.guns * (mount.battery == battery)
            for name, number in (+guns).items():
                gun = TABLES.guns[name]
                yield from self._weapon(f"{number} × {name}", gun.range, gun.damage, gun.firings)
        for i, tubes in enumerate(self.ship.torpedoes):
            torpedo, words = TABLES.torpedoes[tubes.kind], f"{tubes.tubes} × {tubes.kind}"
            alt = SAY("card.set" if self.loaded[i] else "card.set_fired", n=i + 1, what=words)
            outline = rect_outline(_MARGIN, self.y - _LINE / 2, WIDTH - 2 * _MARGIN, _LINE)
            self.cells.append(Cell(f"set {i + 1}", outline, alt))
            if not self.loaded[i]:
                yield Line(((_MARGIN, self.y), (_MARGIN + 7.5 * len(words), self.y)), Style(None, "bad", 1.5))
            yield from self._weapon(words, torpedo.range, torpedo.damage)

    def _weapon(self, words: str, *figures: int) -> Iterator[Shape]:
        yield Text(_MARGIN, self.y, words, _INK, 14, "start")
        for (_, x), figure in zip(_COLUMNS, figures, strict=False):
            yield Text(x, self.y, str(figure), _INK, 14, "end")
        parts = (f"{SAY(f'card.{key}').lower()} {figure}" for (key, _), figure in zip(_COLUMNS, figures, strict=False))
        self.said.append(f"{words}: {', '.join(parts)}.")
        self.y += _LINE

    def _damage(self) -> Iterator[Shape]:
        """Damage taken, and a bar of four quarters."""
        rate = self.ship.sinking_rate
        key = "card.sunk" if self.damage > rate else "card.hurt"
        yield from self._row("damage_taken", SAY(key, n=self.damage, quarters=quarters(self.damage, rate)), _HURT)
        width = (WIDTH - 2 * _MARGIN) / 4
        for quarter in range(4):
            x = _MARGIN + quarter * width
            share = min(1.0, max(0.0, 4 * self.damage / rate - quarter))
            yield Rect(x, self.y - 6, share * width, 10, Style("vermilion"))
            yield Rect(x, self.y - 6, width, 10, Style(None, "ink", 1))
        self.y += _LINE


def _hull(left: float, length: float, beam: float) -> tuple[Point, ...]:
    """The outline of a deck, bow to the right."""
    half = ((0.0, 0.45), (0.06, 0.8), (0.25, 1.0), (0.65, 1.0), (0.85, 0.65), (1.0, 0.0))
    upper = [(left + x * length, _MIDDLE - y * beam) for x, y in half]
    lower = [(x, 2 * _MIDDLE - y) for x, y in reversed(upper[:-1])]
    return (*upper, *lower)
