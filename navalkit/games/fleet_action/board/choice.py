"""What a player has picked on the page: the ship or division to be ordered, an enemy, a square to go to.

A pick is of one of the kinds below; a square to go to and the place looked at are dropped after an order.
"""

from __future__ import annotations
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from navalkit.core.errors import OptionError
from navalkit.grids.square import HEADINGS, ahead, bearing, distance, shifted
from navalkit.view.lobby import Stock, Stocked
from navalkit.view.page import Glance
from navalkit.view.scene import (
    Cell,
    Circle,
    Lasts,
    Layer,
    Line,
    Pick,
    Picks,
    Point,
    Polygon,
    Rect,
    Scene,
    Shape,
    Style,
    Text,
    rect_outline,
)
from .. import sight
from ..cards import BATTERIES, TABLES, ShipCard, allowance, points, quarters
from ..craft import DEPTHS, Attack, Bombs, Depth, Down, Fly, Land, Launch, Patrol, Place, Range, Seek
from ..game import FleetAction
from ..rules.sailing import movers, reach
from ..scenarios import OWN
from ..sight import Observation
from ..state import (
    HIDDEN,
    Action,
    Done,
    Fate,
    First,
    Move,
    Objective,
    Phase,
    Scenario,
    Turret,
    Weather,
    weapons,
)
from . import SAY
from .forecast import Aimed, Fleet, foretold, gain

Sight = Glance[FleetAction, Observation, Action]  # one look at a battle

_SHIP, _FOE, _AIM, _LOOK, _CARDS, _THREATS = "ship", "foe", "aim", "look", "cards", "threats"
_DEPTH, _WARD = "depth", "ward"
CARDS = Pick(_CARDS, lasts=Lasts.PAGE)  # ship cards are shown
THREATS = Pick(_THREATS, lasts=Lasts.PAGE)  # what the enemy can do is shown on the sea


def unit_pick(name: str) -> Pick:
    """That ship or division is given her orders."""
    return Pick(_SHIP, name)


def foe_pick(ship: int) -> Pick:
    """That enemy ship is aimed at, or looked at."""
    return Pick(_FOE, ship)


def aim_pick(square: int) -> Pick:
    """The ship is to go there."""
    return Pick(_AIM, square, Lasts.ORDER)


def depth_pick(depth: Depth) -> Pick:
    """The boat changes to that depth before she goes anywhere."""
    return Pick(_DEPTH, depth, Lasts.ORDER)


def ward_pick(ship: int) -> Pick:
    """That own ship is flown to: guarded, or landed on."""
    return Pick(_WARD, ship, Lasts.ORDER)


def look_pick(square: int) -> Pick:
    """The window shows the board around there."""
    return Pick(_LOOK, square, Lasts.ORDER)


@dataclass(frozen=True, slots=True)
class Choice:
    """What is picked, or taken by default."""

    unit: str = ""  # the ship, division or flight whose orders are given; "" if the side has none left
    ships: tuple[int, ...] = ()  # her number, or those of the division's ships that move together, the guide first
    flight: int | None = None  # the number of the flight, if it is one
    foe: int | None = None  # the enemy ship that is aimed at, or looked at
    aim: int | None = None  # the square to go to
    look: int | None = None  # the square in the middle of the window
    cards: bool = False  # whether ship cards are shown
    threats: bool = False  # whether what the enemy can do is shown on the sea
    picked: bool = False  # whether ``unit`` was picked, and is not merely the next
    # ship or division -> the orders that can be given to her now
    orders: Mapping[str, tuple[Action, ...]] = field(default_factory=dict)
    # square -> heading -> the order that takes ``unit`` there
    moves: Mapping[int, Mapping[int, Move]] = field(default_factory=dict)
    # enemy -> the ways in which ``unit`` can fire at her or attack her, all guns first
    targets: Mapping[int, tuple[Aimed, ...]] = field(default_factory=dict)
    depth: Depth | None = None  # of a boat the depth picked, to which she changes first
    hunts: Mapping[int, Seek] = field(default_factory=dict)  # square -> the order to a hunter to search it
    flies: Mapping[int, Fly] = field(default_factory=dict)  # square -> the order to a flight to go there
    wards: Mapping[int, tuple[Patrol | Land, ...]] = field(default_factory=dict)  # own ship -> what a flight does there
    ward: int | None = None  # the own ship that a flight is to go to


def by_unit(glance: Sight) -> Mapping[str, tuple[Action, ...]]:
    """The orders that can be given now, by the ship or division they are for."""
    found: dict[str, list[Action]] = {}
    for action in glance.legal:
        if name := who(action):
            found.setdefault(name, []).append(action)
    return {name: tuple(orders) for name, orders in found.items()}


def who(action: Action) -> str:
    """The ship, division or flight that an order is for; "" for none."""
    if isinstance(action, Done | First | Weather | Fleet):
        return ""
    if isinstance(action, Move):
        return action.who
    if isinstance(action, Range | Launch | Fly | Patrol | Attack | Land | Down | Bombs):
        return action.flight
    return action.ship


def units(battle: Scenario, side: int) -> tuple[str, ...]:
    """The divisions of a side, and then its ships."""
    fleet = battle.fleet(side)
    divisions = tuple(name for name, ships in battle.divisions.items() if ships[0] in fleet and len(ships) > 1)
    return (*divisions, *(battle.units[ship].name for ship in fleet))


def choose(glance: Sight, picks: Picks) -> Choice:
    """What is picked, where it still can be; else what comes next."""
    seen, orders = glance.seen, glance.once(by_unit)
    picked = picks.get(_SHIP)
    unit = _unit(seen, orders, picked)
    ships, own = unit_ships(seen, unit), orders.get(unit, ())
    aims, names = targets(seen.battle, own), seen.battle.grid.number
    depth = picks.get(_DEPTH)
    depth = depth if any(isinstance(order, Move) and order.depth == depth for order in own) else None
    moves = places(seen.battle, own, depth)
    aim, flight, about = picks.get(_AIM), seen.battle.wings.get(unit), wards(seen.battle, own)
    return Choice(unit=unit, ships=ships, flight=flight, foe=_foe(seen, ships, flight, aims, picks.get(_FOE)),
                  aim=aim if aim in moves else None, look=picks.get(_LOOK), cards=CARDS in picks,
                  threats=THREATS in picks, picked=bool(unit) and unit == picked, orders=orders, moves=moves,
                  targets=aims, depth=depth, wards=about, ward=_ward(seen, about, picks.get(_WARD)),
                  hunts={names(order.square): order for order in own if isinstance(order, Seek)},
                  flies={names(order.square): order for order in own if isinstance(order, Fly)})


def places(battle: Scenario, orders: Iterable[Action], depth: Depth | None = None) -> dict[int, dict[int, Move]]:
    """Of the orders to one ship or division those to go somewhere: square -> heading -> order. ``depth``: to which a
    boat changes first."""
    found: dict[int, dict[int, Move]] = {}
    for order in orders:
        if isinstance(order, Move) and order.depth == (depth or ""):
            found.setdefault(battle.grid.number(order.square), {})[HEADINGS.index(order.heading)] = order
    return found


def dives(seen: Observation, choice: Choice) -> dict[Depth, Move | None]:
    """The depths to which the chosen boat can change, each with the order that does it where she does nothing else."""
    own = [order for order in choice.orders.get(choice.unit, ()) if isinstance(order, Move) and order.depth]
    found: dict[Depth, Move | None] = {}
    for depth in DEPTHS:
        ways = [order for order in own if order.depth == depth]
        if ways:
            found[depth] = ways[0] if len(ways) == 1 else None
    return found


def wards(battle: Scenario, orders: Iterable[Action]) -> dict[int, tuple[Patrol | Land, ...]]:
    """Of the orders to one flight those about an own ship: ship -> orders, to land on her last."""
    found: dict[int, tuple[Patrol | Land, ...]] = {}
    for order in orders:
        if isinstance(order, Patrol | Land):
            name = order.target if isinstance(order, Patrol) else order.base
            if (ship := battle.numbers.get(name)) is not None:
                found[ship] = (*found.get(ship, ()), order)
    return found


def targets(battle: Scenario, orders: Iterable[Action]) -> dict[int, tuple[Aimed, ...]]:
    """Of the orders to one ship or flight those at an enemy: target -> orders, all guns first."""
    found: dict[int, tuple[Aimed, ...]] = {}
    for order in orders:
        if isinstance(order, Aimed):
            target = battle.numbers[order.target]
            found[target] = (*found.get(target, ()), order)
    return found


def natural(seen: Observation, ships: tuple[int, ...], square: int, headings: Iterable[int]) -> int:
    """Of the headings on which a ship may arrive in a square that which costs least, and lies nearest to her way."""
    battle, state = seen.battle, seen.view
    guide, found = state.ships[ships[0]], reach(battle, state, ships[0])
    way = bearing(battle.grid, guide.square, square)

    def rank(heading: int) -> tuple[int, int, int]:
        cost = found[square, heading].cost if (square, heading) in found else 99
        turn = (heading - way) % 8
        return cost, min(turn, 8 - turn), heading

    return min(headings, key=rank)


def formation(seen: Observation, ships: tuple[int, ...], square: int) -> tuple[tuple[int, int], ...]:
    """Ship and square of each of the ships, once the first of them is in that square."""
    grid, state = seen.battle.grid, seen.view
    (row, column), (to_row, to_column) = grid.place(state.ships[ships[0]].square), grid.place(square)
    moved = ((s, shifted(grid, state.ships[s].square, to_row - row, to_column - column)) for s in ships)
    return tuple((ship, end) for ship, end in moved if end is not None)


def unit_ships(seen: Observation, unit: str) -> tuple[int, ...]:
    """Her number, or those of a division's ships: in the movement phase of those that can still move."""
    battle = seen.battle
    if unit in battle.divisions:
        moving = seen.view.phase is Phase.MOVE
        return (moving and movers(battle, seen.view, unit)) or tuple(
            n for n in battle.divisions[unit] if n in located(seen, seen.me)
        )
    return (battle.numbers[unit],) if unit in battle.numbers else ()


def furthest(seen: Observation, ships: tuple[int, ...], moves: Mapping[int, Mapping[int, Move]]) -> Move | None:
    """The order that takes the first of the ships as far straight ahead as she goes."""
    if not ships:
        return None
    own, found = seen.view.ships[ships[0]], None
    square = ahead(seen.battle.grid, own.square, own.heading)
    while square is not None and (further := moves.get(square, {}).get(own.heading)):
        found, square = further, ahead(seen.battle.grid, square, own.heading)
    return found


def unit_id(name: str) -> str:
    """The id of the cell in the panel that stands for a ship or division."""
    return f"unit {name}"


def foe_id(name: str) -> str:
    """The id of the cell in the panel that stands for a target."""
    return f"foe {name}"


def pointed_at(seen: Observation, cell: str) -> int | None:
    """The ship, at a place that is known, that a cell stands for: by where she lies, or in the panel."""
    names = seen.battle.grid.names
    for n in (*located(seen, seen.me), *located(seen, 1 - seen.me)):
        name = seen.battle.units[n].name
        if cell in (names[seen.view.ships[n].square], unit_id(name), foe_id(name)):
            return n
    return None


def located(seen: Observation, side: int) -> tuple[int, ...]:
    """The ships of a side that are on the board at a place that is known."""
    ships = seen.view.ships
    return tuple(n for n in seen.battle.fleet(side) if ships[n].fate is Fate.AT_SEA and ships[n].square != HIDDEN)


def _unit(seen: Observation, orders: Mapping[str, tuple[Action, ...]], picked: str | None) -> str:
    """The one picked, if she has something to do or nobody has; else the first with something to do: of a boat and a
    hunter what listens comes after what fires."""
    own = (*units(seen.battle, seen.me), *flights(seen))
    if picked in own and (picked in orders or not orders):
        return picked
    afloat = [seen.battle.units[n].name for n in located(seen, seen.me)]
    return next((name for name in own if name in orders), next(iter(afloat), ""))


def flights(seen: Observation) -> tuple[str, ...]:
    """The side's flights that are not lost, those aloft first."""
    battle, state = seen.battle, seen.view
    own = [n for n, squadron in enumerate(battle.flights) if squadron.side == seen.me
           and state.flights[n].place not in (Place.LOST, Place.HOME)]
    return tuple(battle.flights[n].name for n in sorted(own, key=lambda n: state.flights[n].place is not Place.ALOFT))


def _foe(seen: Observation, ships: tuple[int, ...], flight: int | None, aims: Mapping[int, tuple[Aimed, ...]],
         picked: int | None) -> int | None:
    """The enemy picked; where something can be aimed she must be a target, or else it is the nearest, and for a flight
    the one at whom an attack brings most."""
    battle, state = seen.battle, seen.view
    number = picked if picked in battle.fleet(1 - seen.me) else None
    if number in aims or not aims:
        return number
    if flight is not None:
        return max(aims, key=lambda n: (gain(seen, n, foretold(seen, aims[n][0])), -n))
    if state.phase is not Phase.FIRE or not ships:
        return number
    own = state.ships[ships[0]].square
    return min(aims, key=lambda n: (distance(battle.grid, own, state.ships[n].square), n))


def _ward(seen: Observation, about: Mapping[int, tuple[Patrol | Land, ...]], picked: int | None) -> int | None:
    """The own ship picked, as long as a flight can do something there."""
    return picked if picked in about or (picked in seen.battle.fleet(seen.me) and about) else None


# -- A ship card as a `Scene`: the ship from above with her guns, her figures, and in pencil what the game makes of them
# The same card serves as damage sheet: it shows guns out of action, tubes fired and the quarters of damage where given.

WIDTH = 390.0
_MARGIN, _LINE = 20.0, 24.0
_MIDDLE = 128.0  # height of the keel line in the picture of the ship
_LONGEST = 64_000  # tons of the ship whose hull is as long as the card allows
_INK, _MUTED, _PENCIL, _HURT = Style("ink"), Style("muted"), Style("select"), Style("bad")
_COLUMNS = (("range", 258.0), ("damage", 314.0), ("firings", 370.0))
# Along the hull from stern to bow, and across it: where the guns of an arc stand, and the way the next ones are put.
_PLACES = {
    "forward": (0.80, 0.0, -0.105), "amidships": (0.46, 0.0, 0.09), "aft": (0.17, 0.0, 0.105),
    "port": (0.67, -1.0, -0.12), "starboard": (0.67, 1.0, -0.12)
}


def card(ship: ShipCard, *, damage: int = 0, out: Sequence[int] = (), loaded: Sequence[bool] = (),
         orders: Mapping[int, Turret] | None = None) -> Scene:
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
        line = " · ".join(SAY.named(part) for part in (ship.type, ship.nation, str(ship.year)) if part)
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
                shapes += self._row(key, SAY.named(str(value)))
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


# -- The board of Fleet Action in words: a square, and all of it, for screen readers and for what is pointed at

def prices(battle: Scenario, aim: Objective) -> str:
    """An objective in a few words with what it brings: "sink Graf Spee 100"."""
    names = [battle.islands[n].name if aim.aim == "island" else battle.units[n].name for n in aim.of]
    value = str(aim.points) if aim.points else SAY("strip.value")
    place = battle.exit_names[aim.side] or SAY("strip.exit.place")
    alone = sum(each.aim == aim.aim and each.side == aim.side for each in battle.objectives) < 2
    many = "" if len(names) == 1 and (alone or aim.aim != "survive") else ".named" if len(names) == 1 else ".many"
    return SAY(f"strip.{aim.aim}{away(battle, aim)}{many}", name=names[0] if names else "", points=value, place=place)


def away(battle: Scenario, aim: Objective) -> str:
    """The ending of a key of an aim: of one to stay afloat that leaving by an exit fulfils, too, ".away", else ""."""
    return ".away" if aim.aim == "survive" and battle.exits[aim.side] else ""


def worth(seen: Observation, number: int) -> str:
    """What a ship in sight brings whom, and how many hits of the enemy's guns sink her."""
    battle, own, card = seen.battle, seen.view.ships[number], seen.battle.card(number)
    found = [aim for aim in battle.objectives if aim.aim != "island" and number in aim.of]
    value = points(card)
    told = [SAY(f"worth.{aim.aim}{away(battle, aim)}", points=aim.points or value) for aim in found]
    need = card.sinking_rate + 1 - own.damage
    foes = [battle.card(n) for n in battle.fleet(1 - battle.side(number)) if seen.view.ships[n].fate is Fate.AT_SEA]
    most = max((weapon.gun.damage for foe in foes for weapon in weapons(foe)), default=0)
    hits = SAY("worth.hits", need=need, n=-(-need // most)) if most else ""
    return " ".join(filter(None, (SAY("worth", aims=", ".join(told)) if told else "", hits)))


def spoken(seen: Observation, squares: Iterable[int]) -> dict[int, str]:
    """What is on each of the squares, in words."""
    battle, state = seen.battle, seen.view
    on: dict[int, list[str]] = {square: [] for square in squares}

    def put(where: Iterable[int], words: str) -> None:
        for square in on.keys() & set(where):
            on[square].append(words)

    for side in (0, 1):
        for number in located(seen, side):
            own, unit = state.ships[number], battle.units[number]
            facts = {
                "ship": unit.name, "type": unit.card.type, "side": battle.sides[side], "heading": HEADINGS[own.heading]
            }
            said = SAY("spoken.ship", damage=own.damage, rate=unit.card.sinking_rate, **facts)
            put([own.square], ". ".join(filter(None, (said, worth(seen, number).rstrip(".")))))
    for _, square, words in _aloft(seen):
        put([square], words)
    for number, ship in enumerate(state.ships):
        put([ship.wreck], SAY("spoken.wreck", ship=battle.units[number].name))
    for square in set(seen.discs):
        put([square], SAY("spoken.disc", n=seen.discs.count(square)))
    for mines in state.fields:
        put([mines.square], SAY("spoken.mines", side=battle.sides[mines.side]))
    for side in (0, 1):
        put(battle.harbours[side], SAY("spoken.harbour", side=battle.sides[side]))
        put(battle.exits[side], SAY("spoken.exit", side=battle.sides[side]))
    for island in battle.islands:
        put(island.squares, SAY.named(island.name))
    put(battle.coast, SAY("spoken.land"))
    sea = on.keys() - battle.land
    put((s for s in sea if sight.foggy(battle, state, s)), SAY("sea.fog"))
    put((s for s in sea if sight.rough(battle, state, s)), SAY("sea.rough"))
    names = battle.grid.names
    return {square: f"{names[square]}: {'; '.join(parts) or SAY('spoken.sea')}" for square, parts in on.items()}


def _aloft(seen: Observation) -> Iterator[tuple[int, int, str]]:
    """Side, square and words of each flight that is seen in the air."""
    for own, squadron in zip(seen.view.flights, seen.battle.flights, strict=True):
        if own.place is Place.ALOFT and own.square >= 0:
            yield squadron.side, own.square, SAY("spoken.flight", flight=squadron.name, n=own.count)
    yield from ((1 - seen.me, square, SAY("spoken.flight.disc", n=n)) for square, n in seen.sky)


def describe(seen: Observation) -> str:
    """The board in words, for screen readers."""
    battle, state = seen.battle, seen.view
    names, told = battle.grid.names, []
    for side in (seen.me, 1 - seen.me):
        ships = (SAY("spoken.at", ship=battle.units[n].name, square=names[at.square], heading=HEADINGS[at.heading])
                 for n, at in ((n, state.ships[n]) for n in located(seen, side)))
        told.append(f"{SAY.named(battle.sides[side])}: {', '.join(ships) or SAY('spoken.none')}.")
    unknown = ", ".join(battle.grid.names[s] for s in seen.discs)
    discs = SAY("desc.discs", squares=unknown) if unknown else ""
    for side in (seen.me, 1 - seen.me):
        air = [SAY("desc.wreck", ship=words, square=names[at]) for whose, at, words in _aloft(seen) if whose == side]
        told += [SAY("desc.aloft", side=battle.sides[side], flights=", ".join(air))] * bool(air)
    sunk = ", ".join(SAY("desc.wreck", ship=battle.units[n].name, square=battle.grid.names[ship.wreck])
                     for n, ship in enumerate(state.ships) if ship.wreck >= 0)
    wrecks = SAY("desc.wrecks", ships=sunk) if sunk else ""
    return " ".join(filter(None, (SAY("desc.you", side=battle.sides[seen.me], move=state.move), *told, discs, wrecks)))


# -- Orders in words

# -- The ships that squadrons of one's own are put together from (rule F39) ------------------------

def _guns(card: ShipCard) -> str:
    """Her main guns, or those she has, and her torpedo tubes."""
    battery = min((mount.battery for mount in card.mounts), default="")  # "main" before "secondary"
    bores = Counter[float]()
    for mount in card.mounts:
        bores[TABLES.guns[mount.gun].calibre_in] += mount.guns * (mount.battery == battery)
    told = [SAY("stock.guns", n=n, bore=f"{bore:g}") for bore, n in bores.items() if n]
    tubes = sum(each.tubes for each in card.torpedoes)
    return ", ".join([*told, *([SAY("stock.tubes", n=tubes)] if tubes else [])]) or SAY("stock.none")


def _stocked(card: ShipCard) -> Stocked:
    worth = points(card)
    cells = str(worth), _guns(card), SAY("stock.speed", knots=f"{card.speed:g}")
    about = SAY("stock.about", ship_class=card.ship_class, nation=card.nation, year=card.year)
    return Stocked(card.name, SAY("stock.group", type=card.type), about, cells, worth)


STOCK = Stock(("blue", "red"), {"scenario": OWN}, SAY.phrase("stock.head"),
              lambda: tuple(map(_stocked, TABLES.ships.values())))
