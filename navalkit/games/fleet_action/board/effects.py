"""What has happened as a film: ships along their ways, mines, salvos and torpedoes, and what they came to.

Both sides fire at once, and only what the player was told of is seen: it is all in the moments.
"""

from __future__ import annotations
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import atan2, cos, hypot, pi, sin, sqrt

from navalkit.core.words import Event
from navalkit.grids.square import HEADINGS
from navalkit.view.film import FADE, Beat, Effect, Mark, Pose, Travel
from navalkit.view.page import Moment
from navalkit.view.scene import Circle, Layer, Line, Point, Polygon, Rect, Scene, Shape, Style, Text
from ..cards import BATTERIES, quarters
from ..rules.sailing import full_speed, squares_a_move
from ..sight import Observation
from ..state import Fate, Scenario, State
from . import SAY, drama
from .afloat import name_piece
from .choice import located
from .pieces import fitting

FIRES = ("salvo", "torpedoes")  # the kinds of event that tell of fire
_NEXT, _STEP, _START = 160, 110, 180  # ms between two ships that set out, of a square of a way, and besides
_FLIGHT, _RUN, _STAYS = 350, 600, 400  # ms of shells, of torpedoes, and of what is to be read
_OPEN, _EACH, _ALL, _REST, _COUNTS, _STAY, _FURTHER = 200, 90, 540, 250, 300, 150, 900
"""Of a volley, in ms: when guns fire, from one shell that falls to the next and for all of them at most, the rest after
the last, for the count, for what stays to be read after it, and from one target to the next."""
_MOST_WIDE = 4  # squares for the dice of a volley at most
_GOLDEN = pi * (3 - sqrt(5))  # radians between two splashes: they never stand in rows


@dataclass
class Fire:
    """All that one ship fires at another in a move, guns or torpedoes."""

    ship: str
    target: str
    torpedo: bool
    dice: int = 0
    hits: int = 0
    points: int = 0


class _Places:
    """Where squares lie on a scene, also beyond its edges, by the cells of those that it shows."""

    def __init__(self, seen: Observation, last: Scene) -> None:
        self.grid = seen.battle.grid
        shown = ((cell, number) for number, name in enumerate(self.grid.names) if (cell := last.cell(name)))
        cell, number = next(shown)
        self.side = cell.outline[1][0] - cell.outline[0][0]
        row, column = self.grid.place(number)
        x, y = cell.centre
        self._origin = x - column * self.side, y - row * self.side
        self._scene = last

    def at(self, square: int) -> Point:
        """The middle of a square."""
        row, column = self.grid.place(square)
        return self._origin[0] + column * self.side, self._origin[1] + row * self.side

    def named(self, name: str) -> Point:
        """The middle of the square of that name."""
        return self.at(self.grid.number(name))

    def ship(self, seen: Observation, name: str, beyond: bool = False) -> Point | None:
        """Where a ship is seen; None if her place is not known, or, unless ``beyond``, not shown."""
        number = seen.battle.numbers[name]
        if number not in (*located(seen, 0), *located(seen, 1)):
            return None
        square = seen.view.ships[number].square
        return self.at(square) if beyond or self.shows(self.grid.names[square]) else None

    def shows(self, name: str) -> bool:
        """Whether the scene shows the square of that name."""
        return self._scene.cell(name) is not None


@dataclass
class Story:
    """The film as far as it has been told; ``now`` is when what comes next begins."""

    places: _Places
    now: float = 0
    end: float = 0
    marks: list[Mark] = field(default_factory=list)
    ways: dict[str, Travel] = field(default_factory=dict)
    changes: dict[str, float] = field(default_factory=dict)  # when a ship begins to look hurt or sunk
    beats: list[Beat] = field(default_factory=list)
    doomed: dict[str, Point] = field(default_factory=dict)  # where they lie whom this move's fire sinks
    counted: dict[str, int] = field(default_factory=dict)  # what still sinks a ship that has been fired at

    def sets_out(self, seen: Observation, events: Sequence[Event]) -> None:
        """Who moves, told as they set out."""
        own = list(dict.fromkeys(event.facts["ship"] for event in events))
        sides = {seen.battle.side(seen.battle.numbers[name]) for name in own}
        for side in sides:
            names = [name for name in own if seen.battle.side(seen.battle.numbers[name]) == side]
            key = "film.sails" if len(names) == 1 else "film.sail"
            self.beats.append(Beat(SAY(key, ship=names[0], n=len(names), side=seen.battle.sides[side]), self.now))
            break  # the others follow at once

    def moved(self, seen: Observation, event: Event) -> None:
        """A ship along the squares she entered; the next one sets out soon after her."""
        name, heading = event.facts["ship"], 45.0 * HEADINGS.index(event.facts["heading"])
        points = [self.places.named(square) for square in event.facts["way"]]
        if start := self.places.ship(seen, name):
            points.insert(0, start)
        was = 45.0 * seen.view.ships[seen.battle.numbers[name]].heading if start else heading
        way = tuple(_poses(points, was, heading))
        ms = _START + _STEP * len(way)
        self.ways[name] = Travel(name, way, self.now, ms)
        self.end = max(self.end, self.now + ms)
        self.now += _NEXT

    def mine(self, event: Event) -> None:
        """A ship strikes a mine when she has arrived."""
        x, y = self.places.named(event.facts["square"])
        at = self.now = max(self.end, self.now)
        hit, r = event.kind == "mine", 0.5 * self.places.side
        words = SAY("film.mine", points=event.facts["damage"]) if hit else SAY("film.mine.missed")
        self.marks += [Mark("hit" if hit else "splash", x, y, r=r, at=at), self._note(x, y, words, at + 100)]
        self.now, self.end = at + _NEXT, at + 500

    def fires(self, seen: Observation, events: Sequence[Event], sunk: frozenset[str],
              found: Mapping[str, Point]) -> None:
        """The fire of a move, target by target: who fires, the shells, a die for each, and what is left of her.
        ``found``: where they lie who show themselves only by their fire; of others yet the shells alone are seen."""
        at = self.now = max(self.end, self.now)
        told: dict[str, list[Fire]] = {}
        for fire in _fires(events):
            if self.places.ship(seen, fire.target):
                told.setdefault(fire.target, []).append(fire)
        for target, fires in told.items():
            for fire in fires:
                if fire.ship in found and fire.ship not in self.ways:
                    self.ways[fire.ship] = Travel(fire.ship, at=at, ms=FADE)
            end = self._volley(seen, fires, at, target in sunk, found)
            self.end = max(self.end, end)
            at += _FURTHER
        self.now = self.end

    def _volley(self, seen: Observation, fires: Sequence[Fire], at: float, sinks: bool,
                found: Mapping[str, Point]) -> float:
        """All fire at one ship, from the stake to the count; returns when it has been told."""
        target = fires[0].target
        spot = self.places.ship(seen, target)
        assert spot is not None
        names = list(dict.fromkeys(fire.ship for fire in fires))
        torpedoes = all(fire.torpedo for fire in fires)
        key = "film.torpedoes" if torpedoes else "film.fire" if len(names) == 1 else "film.fire.many"
        self.beats.append(Beat(SAY(key, ships=SAY("film.and").join(names), target=target), at))
        for n, fire in enumerate(fires):
            if start := self.places.ship(seen, fire.ship, beyond=True) or found.get(fire.ship):
                self._shoot(fire, start, spot, at + _OPEN + 40 * (n % 5))
        flight: float = _RUN if torpedoes else _FLIGHT
        hits, points, dice = (sum(each) for each in zip(*((f.hits, f.points, f.dice) for f in fires), strict=True))
        down = self.falls(dice, hits, spot, at + _OPEN + 60 + flight)
        self.beats.append(Beat(SAY("film.hits", hits=hits, n=dice), down + FADE))
        return self.verdict(seen, target, points, spot, down, sinks)

    def falls(self, dice: int, hits: int, spot: Point, first: float) -> float:
        """What is fired or dropped comes down one after the other, the first at ``first``; returns when the last is."""
        each: float = min(_EACH, _ALL / max(1, dice - 1))
        down: float = first + each * max(0, dice - 1)
        self._fall(_thrown(dice, hits), spot, first, each, down + _REST + _COUNTS + _STAY)
        return down

    def verdict(self, seen: Observation, target: str, points: int, spot: Point, down: float, sinks: bool) -> float:
        """What is left of a ship once all has come down on her; returns when it has been told. One that sinks still
        fires in this move (rule F19): that is seen when all have fired."""
        self._count(seen, target, points, spot, down + _REST)
        verdict: float = down + _REST + _COUNTS
        if sinks:
            self.doomed[target] = spot
        else:
            self.changes[target] = verdict
        return verdict

    def _note(self, x: float, y: float, words: str, at: float) -> Mark:
        return Mark("note", x, y - 0.6 * self.places.side, r=14, tone="ink", text=words, at=at, ms=_STAYS)

    def _shoot(self, fire: Fire, start: Point, end: Point, at: float) -> None:
        (x0, y0), (x1, y1) = start, end
        far = hypot(x1 - x0, y1 - y0) or 1.0
        muzzle = x0 + 0.4 * self.places.side * (x1 - x0) / far, y0 + 0.4 * self.places.side * (y1 - y0) / far
        if fire.torpedo:
            self.marks.append(Mark("track", *muzzle, to=end, r=4, tone="ink", at=at, ms=_RUN))
            return
        self.marks.append(Mark("flash", *muzzle, r=0.3 * self.places.side, at=at, ms=200))
        self.marks.append(Mark("shell", *muzzle, to=end, r=4, tone="ink", at=at + 60, ms=_FLIGHT))

    def _fall(self, dice: Sequence[bool], spot: Point, at: float, each: float, until: float) -> None:
        """The shells come down one after the other: a burst or a splash each, and a die, orange and thick for a hit."""
        (x, y), side = spot, self.places.side
        r = min(9.0, 0.5 * _MOST_WIDE * side / max(1, len(dice)))
        left = x - r * 1.15 * (len(dice) - 1)
        y0 = y - 0.95 * side if y > 1.4 * side else y + 0.95 * side
        for n, hit in enumerate(dice):
            when = at + each * n
            out = (0.1 * sqrt(n) if hit else 0.36 + 0.02 * n) * side
            there = x + out * cos(1 + n * _GOLDEN), y + out * sin(1 + n * _GOLDEN)
            if hit:
                self.marks.append(Mark("hit", *there, r=0.24 * side, tone="vermilion", at=when, ms=400))
            else:
                self.marks.append(Mark("splash", *there, r=0.16 * side, tone="card", at=when, ms=450))
            pip = SAY("film.die") if hit else ""
            self.marks.append(Mark("die", left + 2.3 * r * n, y0, r=r, tone="orange", text=pip, share=(0, float(hit)),
                                   at=when, ms=until - when))

    def _count(self, seen: Observation, target: str, points: int, spot: Point, at: float) -> None:
        """What still sinks her runs down, above her."""
        number = seen.battle.numbers[target]
        need = seen.battle.card(number).sinking_rate + 1 - seen.view.ships[number].damage
        left = self.counted.setdefault(target, need)
        self.counted[target] = after = max(0, left - points)
        self.marks.append(Mark("count", spot[0], spot[1] + 0.95 * self.places.side, text=SAY("film.left", n="{}"),
                               tone="yellow", at=at, ms=_COUNTS + _STAY, share=(left, after)))

    def sinks(self, seen: Observation, name: str) -> None:
        """A ship goes down where she is seen last, once everybody has fired."""
        fired_at = self.doomed.pop(name, None)
        if spot := fired_at or self.places.ship(seen, name):
            at = max(self.end, self.now, 0)
            if fired_at:
                self.marks.append(self._note(*spot, SAY("film.sunk"), at))
            self.marks.append(Mark("sink", *spot, r=0.7 * self.places.side, tone="bad", at=at, ms=500))
            self.changes[name] = at
            self.end = max(self.end, at)

    def captured(self, seen: Observation, name: str) -> None:
        """An island has another owner."""
        island = next(each for each in seen.battle.islands if each.name == name)
        x, y = self.places.at(min(island.squares))
        at = max(self.now, self.end)
        self.marks.append(Mark("ring", x, y, r=0.6 * self.places.side, at=at))

    def effects(self) -> Iterator[Effect]:
        """All of it; names go with their ships."""
        for name, travel in self.ways.items():
            yield replace(travel, changes=self.changes.pop(name, -1))
            if not travel.way:  # a flight, which has no name on the board, or who shows herself only now
                continue
            below = tuple((x, y + 0.42 * self.places.side + 3, 0.0) for x, y, _ in travel.way)
            yield Travel(name_piece(name), below, travel.at, travel.ms)
        yield from (Travel(name, at=at, ms=FADE, changes=at) for name, at in self.changes.items())
        yield from self.marks
        yield from self.beats
        if self.counted:
            yield Beat("", self.end)


def effects(moments: Sequence[Moment[Observation]], last: Scene) -> tuple[Effect, ...]:
    """The film of what happened. ``moments``: before each action since the page was shown, what was seen, and what the
    action then brought. ``last``: what the page shows at the end. Empty if nothing happened that is to be seen.
    """
    if not moments or not any(last.cell(name) for name in moments[0].seen.battle.grid.names):
        return ()  # nothing has happened, or ship cards hide the sea
    story = Story(_Places(moments[0].seen, last))
    if sailing := [event for moment in moments for event in moment.events if _sails(event)]:
        story.sets_out(moments[0].seen, sailing)
    told = [(moment.seen, event) for moment in moments for event in moment.events]
    sunk = frozenset(event.facts["ship"] for _, event in told if event.kind == "sunk")
    for kind, group in groupby(told, key=lambda each: _sort(each[1])):
        some = list(group)
        match kind:
            case "fire":  # by night a ship may be out of sight again when all of it has been told
                story.fires(some[0][0], [event for _, event in some], sunk, _shown(story, some, told, last))
            case "raid":
                drama.raided(story, some, sunk)
            case "hunt":
                drama.hunted(story, some)
            case _:
                for seen, event in some:
                    _told(story, seen, event)
    return tuple(story.effects())


def _shown(story: Story, fires: Sequence[drama.Told], told: Sequence[drama.Told], last: Scene) -> dict[str, Point]:
    """Where those lie who are not seen as they fire, but are before they move again, or at the end."""
    found: dict[str, Point] = {}
    since = next(n for n, each in enumerate(told) if each is fires[-1])
    for name in {event.facts["ship"] for _, event in fires}:
        if story.places.ship(fires[0][0], name, beyond=True):
            continue
        for seen, event in told[since:]:
            if spot := story.places.ship(seen, name, beyond=True):
                found[name] = spot
            if spot or _sails(event) and event.facts["ship"] == name:
                break
        else:
            if piece := last.pieces().get(name):
                found[name] = piece.x, piece.y
    return found


def _sort(event: Event) -> str:
    """Events of one sort are shown together."""
    sorts = {"fire": FIRES, "raid": drama.RAIDS, "hunt": drama.HUNTS}
    return next((sort for sort, kinds in sorts.items() if event.kind in kinds), "")


def _sails(event: Event) -> bool:
    """Whether it tells of a ship under way, a boat that changes her depth included."""
    return event.kind.partition(".")[0] == "moved"


def _told(story: Story, seen: Observation, event: Event) -> None:
    """An event that is shown by itself."""
    match event.kind.partition(".")[0]:
        case "moved":
            story.moved(seen, event)
        case "mine" | "mine_missed":
            story.mine(event)
        case "sunk":
            story.sinks(seen, event.facts["ship"])
        case "captured":
            story.captured(seen, event.facts["island"])
        case kind if kind in drama.FLOWN:
            drama.flown(story, event)
        case kind if kind in drama.NOTES:
            drama.note(story, seen, event)


def _thrown(dice: int, hits: int) -> list[bool]:
    """The dice of a volley in an order, for none is known: hits spread evenly among them."""
    return [(n + 1) * hits // dice > n * hits // dice for n in range(dice)]


def _fires(events: Sequence[Event]) -> list[Fire]:
    """Who fired at whom with what success, firing by firing put together."""
    found: dict[tuple[str, str, bool], Fire] = {}
    for event in events:
        if event.kind in FIRES:
            facts = event.facts
            key = facts["ship"], facts["target"], event.kind == "torpedoes"
            fire = found.setdefault(key, Fire(*key))
            fire.dice += facts["dice"]
            fire.hits += facts["hits"]
            fire.points += facts["points"]
    return list(found.values())


def _poses(points: Sequence[Point], was: float, last: float) -> Iterator[Pose]:
    """A ship through those points: she turns toward each next one, and at the end to her heading."""
    for n, (x, y) in enumerate(points):
        heading = was if n == 0 else last
        if 0 < n < len(points) - 1:
            (x1, y1) = points[n + 1]
            heading = 45.0 * round(4 / pi * atan2(x1 - x, y - y1)) % 360
        yield x, y, heading


# -- The damage sheet of a squadron as data, and as pages to print: a row a ship, with every gun and tube

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

    @property
    def told(self) -> str:
        """Her damage in words: no ship loses more than she had."""
        key = "sheet.sunk" if self.damage > self.rate else "sheet.damage"
        return SAY(key, damage=self.damage, rate=self.rate, quarters=self.quarters)


def sheet(battle: Scenario, state: State, side: int) -> tuple[Row, ...]:
    """The damage sheet of a side of `FleetAction.battle`: a row a ship, in the order of battle. ``state``: the state,
    or the view of an observation; there the sheet of the enemy shows what is known of it."""
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
        guns=tuple((mount.gun, mount.arc, mount.battery, mount.guns - out, mount.guns)
                   for mount, out in zip(card.mounts, own.out, strict=True)),
        torpedoes=tuple(
            (tubes.kind, tubes.tubes, bool(own.loaded >> number & 1)) for number, tubes in enumerate(card.torpedoes)
        ),
        mines=own.mines,
        speed=squares_a_move(battle, state, ship) if afloat else 0,
        full=full_speed(card.speed, state.move),
    )


def sheets(seen: Observation) -> tuple[Scene, ...]:
    """The damage sheet of one's own side, then that of the enemy as far as it is known; a page each. A4, higher
    where there are more ships than have room."""
    return tuple(_page(seen, side) for side in (seen.me, 1 - seen.me))


def _page(seen: Observation, side: int) -> Scene:
    battle, rows = seen.battle, sheet(seen.battle, seen.view, side)
    title = SAY("print.title", side=battle.sides[side])
    head = (("print.ship", _NAME, "start"), ("print.damage", _DAMAGE, "start"), ("print.guns", _GUNS, "start"),
            ("print.speed", _SPEED, "end"))
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
    yield Text(_DAMAGE, y + 16, row.told, _INK, 11,
               "start")
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
