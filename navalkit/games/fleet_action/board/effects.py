"""What has happened as a film: ships along their ways, mines, salvos and torpedoes, and what they came to.

Both sides fire at once, and only what the player was told of is seen: it is all in the moments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import atan2, cos, hypot, pi, sin, sqrt

from navalkit.core.event import Event
from navalkit.grids.square_headings import HEADINGS
from navalkit.view.effect import FADE, Effect, Mark, Pose, Travel
from navalkit.view.page import Moment
from navalkit.view.scene import Point, Scene

from ..state.observation import Observation
from . import SAY
from .choice import located
from .shapes.afloat import name_piece

FIRES = ("salvo", "torpedoes")  # the kinds of event that tell of fire
_NEXT, _STEP, _START = 160, 110, 180  # ms between two ships that set out, of a square of a way, and besides
_FLIGHT, _RUN, _STAYS = 350, 600, 900  # ms of shells, of torpedoes, and of what is to be read
_MOST = 5  # splashes or bursts at one target
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
        return self.at(square) if beyond or self._scene.cell(self.grid.names[square]) else None


@dataclass
class _Story:
    """The film as far as it has been told; ``now`` is when what comes next begins."""

    places: _Places
    now: float = 0
    end: float = 0
    marks: list[Mark] = field(default_factory=list)
    ways: dict[str, Travel] = field(default_factory=dict)
    changes: dict[str, float] = field(default_factory=dict)  # when a ship begins to look hurt or sunk

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

    def fires(self, seen: Observation, events: Sequence[Event]) -> None:
        """All fire of a move at once: flashes, shells and tracks, splashes and bursts, what it came to."""
        at = self.now = max(self.end, self.now)
        told: dict[str, list[Fire]] = {}
        for n, fire in enumerate(_fires(events)):
            start, end = self.places.ship(seen, fire.ship, beyond=True), self.places.ship(seen, fire.target)
            if start and end:
                self._shoot(fire, start, end, at + 40 * (n % 5))
                told.setdefault(fire.target, []).append(fire)
        sunk = {event.facts["ship"] for event in events if event.kind == "sunk"}
        for target, fires in told.items():
            spot = self.places.ship(seen, target)
            assert spot is not None
            arrive = at + 40 + (_RUN if all(fire.torpedo for fire in fires) else _FLIGHT)
            self._fall(fires, spot, arrive, target in sunk)
            self.changes[target] = arrive + 200
        self.now = self.end = at + _RUN + 500 if told else at

    def _shoot(self, fire: Fire, start: Point, end: Point, at: float) -> None:
        (x0, y0), (x1, y1) = start, end
        far = hypot(x1 - x0, y1 - y0) or 1.0
        muzzle = x0 + 0.4 * self.places.side * (x1 - x0) / far, y0 + 0.4 * self.places.side * (y1 - y0) / far
        if fire.torpedo:
            self.marks.append(Mark("track", *muzzle, to=end, r=4, tone="ink", at=at, ms=_RUN))
            return
        self.marks.append(Mark("flash", *muzzle, r=0.3 * self.places.side, at=at, ms=200))
        self.marks.append(Mark("shell", *muzzle, to=end, r=4, tone="ink", at=at + 60, ms=_FLIGHT))

    def _fall(self, fires: Sequence[Fire], spot: Point, at: float, sinks: bool) -> None:
        (x, y), side = spot, self.places.side
        hits, points, dice = (sum(each) for each in zip(*((f.hits, f.points, f.dice) for f in fires), strict=True))
        for i in range(min(dice - hits, _MOST)):
            r = (0.38 + 0.04 * i) * side
            there = x + r * cos(i * _GOLDEN), y + r * sin(i * _GOLDEN)
            self.marks.append(Mark("splash", *there, r=0.16 * side, tone="card", at=at + 30 * i, ms=450))
        for i in range(min(hits, _MOST)):
            r = 0.1 * side * sqrt(i)
            there = x + r * cos(1 + i * _GOLDEN), y + r * sin(1 + i * _GOLDEN)
            self.marks.append(Mark("hit", *there, r=0.24 * side, tone="vermilion", at=at + 40 * i, ms=400))
        key = "film.sunk" if sinks else "film.hits" if hits else "film.missed"
        self.marks.append(self._note(x, y, SAY(key, hits=hits, points=points), at + 80))

    def _note(self, x: float, y: float, words: str, at: float) -> Mark:
        return Mark("note", x, y - 0.6 * self.places.side, r=14, tone="ink", text=words, at=at, ms=_STAYS)

    def sinks(self, seen: Observation, name: str) -> None:
        """A ship goes down where she is seen last."""
        if spot := self.places.ship(seen, name):
            at = max(self.end - 300, self.now - 300, 0)
            self.marks.append(Mark("sink", *spot, r=0.7 * self.places.side, tone="bad", at=at, ms=700))
            self.changes[name] = at + 200
            self.end = max(self.end, at + 400)

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
            below = tuple((x, y + 0.42 * self.places.side + 3, 0.0) for x, y, _ in travel.way)
            yield Travel(name_piece(name), below, travel.at, travel.ms)
        yield from (Travel(name, at=at, ms=FADE, changes=at) for name, at in self.changes.items())
        yield from self.marks


def effects(moments: Sequence[Moment[Observation]], last: Scene) -> tuple[Effect, ...]:
    """The film of what happened. ``moments``: before each action since the page was shown, what was seen, and what the
    action then brought. ``last``: what the page shows at the end. Empty if nothing happened that is to be seen.
    """
    if not moments or not any(last.cell(name) for name in moments[0].seen.battle.grid.names):
        return ()  # nothing has happened, or ship cards hide the sea
    story = _Story(_Places(moments[0].seen, last))
    salvo: list[Event] = []
    firing = moments[0].seen  # by night a ship may be out of sight again when all of it has been told
    for moment in moments:
        fell = [event for event in moment.events if event.kind in FIRES]
        firing = firing if salvo else moment.seen
        salvo += fell
        after = [event for event in moment.events if event.kind not in FIRES]
        if salvo and (after or not fell):
            story.fires(firing, [*salvo, *after])
            salvo = []
        for event in after:
            match event.kind:
                case "moved":
                    story.moved(moment.seen, event)
                case "mine" | "mine_missed":
                    story.mine(event)
                case "sunk":
                    story.sinks(moment.seen, event.facts["ship"])
                case "captured":
                    story.captured(moment.seen, event.facts["island"])
    if salvo:
        story.fires(firing, salvo)
    return tuple(story.effects())


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
