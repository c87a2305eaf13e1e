"""A turn as a film: the convoy's move, the escorts one by one, charges, torpedoes, searches, guns, the boats' moves.

All of it comes from what the captain saw and was told: the moments, and the pieces of the last scene.
"""

from __future__ import annotations
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from navalkit.core.words import Event
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from navalkit.view.film import FADE, Beat, Effect, Mark, Pose, Travel
from navalkit.view.page import Moment
from navalkit.view.scene import Scene
from ..combat.rolls import SONAR_REACH
from ..escort.pattern import HEDGEHOG, SQUID, THROWN
from ..sea.state import MarkerKind, Phase, State
from .scene import SAY
from .shapes import View

_SAIL, _HEX, _NEXT, _BOAT = 340, 75, 130, 280  # ms of the fleet's move, of a hex, between two escorts, of a boat's move
_RUN, _FALL, _READ = 420, 70, 800  # ms of torpedoes, between two charges, of what is to be read
_AHEAD = {HEDGEHOG, SQUID}


@dataclass
class _Way:
    """Where a piece has gone so far, and when."""

    poses: list[Pose]
    begins: float
    ends: float


@dataclass
class _Film:
    """The film as far as it is made; ``now`` is when what comes next begins."""

    view: View
    last: Scene
    now: float = 0
    ways: dict[str, _Way] = field(default_factory=dict)
    changes: dict[str, float] = field(default_factory=dict)  # when a piece begins to look as it will
    marks: list[Mark] = field(default_factory=list)
    searched: set[str] = field(default_factory=set)
    ran: dict[str, int] = field(default_factory=dict)  # torpedoes that run, each with its mark
    beats: list[Beat] = field(default_factory=list)

    def beat(self, key: str, at: float | None = None, **facts: Any) -> None:
        """A headline of the film, once."""
        text = SAY(f"beat.{key}", **facts)
        if all(each.text != text for each in self.beats):
            self.beats.append(Beat(text, self.now if at is None else at))

    def go(self, id: str, poses: Sequence[Pose], ms: float, at: float) -> None:
        """A piece goes on through ``poses``, the first of which is where it is."""
        way = self.ways.get(id)
        if way is None:
            self.ways[id] = _Way(list(poses), at, at + ms)
        else:
            way.poses += poses[1:]
            way.ends = at + ms

    def mark(self, kind: Any, h: Hex, at: float, to: Hex | None = None, **more: Any) -> None:
        x, y = self.view.layout.center(h)
        self.marks.append(Mark(kind, x, y, self.view.layout.center(to) if to else None, at=at, **more))

    def run(self, id: str, start: Hex, end: Hex) -> None:
        """A torpedo runs; however many steps a turn takes it, it is one track."""
        self.beat("run")
        if id in self.ran:
            self.marks[self.ran[id]] = replace(self.marks[self.ran[id]], to=self.view.layout.center(end))
        else:
            self.ran[id] = len(self.marks)
            self.mark("track", start, self.now, end, ms=_RUN, tone="vermilion")

    def note(self, h: Hex, at: float, text: str, tone: str = "ink") -> None:
        """Words above what they are about, said once where they are said of several charges."""
        x, y = self.view.layout.center(h)
        if all(mark.text != text or mark.at + _READ <= at for mark in self.marks):
            self.marks.append(Mark("note", x, y - 26, text=text, tone=tone, at=at, ms=_READ))

    def effects(self) -> list[Effect]:
        """All of it; a name goes with its ship."""
        made: list[Effect] = [*self.marks, *self.beats]
        pieces = self.last.pieces()
        for id, way in self.ways.items():
            ms = way.ends - way.begins
            made.append(Travel(id, tuple(way.poses), way.begins, ms, changes=self.changes.get(id, -1)))
            ship, name = pieces.get(id), pieces.get(f"{id} name")
            if ship and name:
                off = name.x - ship.x, name.y - ship.y
                beside = tuple((x + off[0], y + off[1], 0.0) for x, y, _ in way.poses)
                made.append(Travel(name.id, beside, way.begins, ms, changes=self.changes.get(id, way.ends)))
        made += [Travel(id, at=at, ms=FADE, changes=at) for id, at in self.changes.items() if id not in self.ways]
        return made


def performed(moments: Sequence[Moment[State]], view: View, last: Scene) -> list[Effect]:
    """The effects of what happened. ``view``: the window that the last scene shows."""
    film = _Film(view, last)
    afters: list[State | None] = [*(moment.seen for moment in moments[1:]), None]
    for moment, after in zip(moments, afters, strict=True):
        for event in moment.events:
            if act := _ACTS.get(event.kind):
                act(film, moment.seen, event)
        if after is not None:
            _between(film, moment.seen, after)
    return film.effects()


def _between(film: _Film, before: State, after: State) -> None:
    """What the positions about an action tell: ships that sailed with the fleet, torpedoes that ran, light."""
    if before.phase is Phase.CONVOY:
        _sail(film, before, after)
    ran = {torpedo.id: torpedo for torpedo in before.torpedoes}
    for torpedo in after.torpedoes:
        old = ran.get(torpedo.id)
        if old is not None and old.at != torpedo.at:
            ends = [(*film.view.layout.center(h), 60.0 * torpedo.direction % 360) for h in (old.at, torpedo.at)]
            film.go(torpedo.id, ends, _RUN, film.now)
            film.run(torpedo.id, old.at, torpedo.at)
    if before.torpedoes and (before.phase <= Phase.TORPEDOES < after.phase or before.turn < after.turn):
        film.now += _RUN
    for light in set(after.lights) - set(before.lights):
        r = (light.radius + 0.5) * film.view.layout.height
        film.mark("light", light.at, film.now, r=r, tone="yellow", ms=_READ)


def _sail(film: _Film, before: State, after: State) -> None:
    """The fleet's move: every ship turns where she lies, then goes ahead."""
    old = {vessel.id: vessel.place for vessel in before.vessels}
    moved = [v for v in after.vessels if v.id in after.moved and old.get(v.id, v.place) != v.place]
    for vessel in moved:
        start, end = film.view.pose(old[vessel.id]), film.view.pose(vessel.place)
        film.go(vessel.id, (start, end), _SAIL, film.now)
    film.now += 0.7 * _SAIL if moved else 0


def _escort(film: _Film, seen: State, event: Event) -> None:
    id, way = event.facts["escort"], event.facts["way"]
    _along(film, id, seen.vessel(id).place, way, film.now, _HEX * (len(way) + 1))
    film.now += _NEXT


def _along(film: _Film, id: str, start: Place, way: Iterable[Place], at: float, ms: float) -> None:
    film.go(id, [film.view.pose(place) for place in (start, *way)], ms, at)


def _drops(film: _Film, seen: State, event: Event) -> None:
    """Charges go over the side while she runs, or fly ahead: of these alone their weapon is named."""
    weapons = {charge.weapon for charge in event.facts["marked"]}
    film.beat(f"charges.{weapons.pop()}" if len(weapons) == 1 and weapons <= _AHEAD else "charges",
              ship=event.facts["escort"])
    ship = seen.vessel(event.facts["escort"])
    for n, charge in enumerate(event.facts["marked"]):
        at = film.now + _FALL * n
        if charge.weapon in THROWN:
            film.mark("shell", ship.place.bow, at, charge.at, ms=300, r=4, tone="ink")
        film.mark("splash", charge.at, at + 120, r=0.7 * film.view.side, tone="foam", ms=500)
    film.now += _FALL * len(event.facts["marked"])


def _detonates(film: _Film, seen: State, event: Event) -> None:
    """A charge goes off: how far its depth was from the boat's stands beside it."""
    off = event.kind.removeprefix("depth.")
    tone = "bad" if off == "0" else "accent" if off == "25" else "muted"
    film.mark("splash", event.facts["hex"], film.now, r=1.2 * film.view.side, tone=tone, ms=600)
    if off != "miss":
        text = SAY("film.depth", depth=seen.boat(event.facts["boat"]).depth, off=int(off))
        film.note(event.facts["hex"], film.now + 80, text)
    film.now += _FALL


def _hurt(film: _Film, seen: State, event: Event) -> None:
    boat = seen.boat(event.facts["boat"])
    film.mark("hit", boat.place.bow, film.now, tone="bad", ms=600)
    film.note(boat.place.bow, film.now + 60, SAY("film.hull", points=event.facts["points"]), "bad")
    film.now += 120


def _boat(film: _Film, seen: State, event: Event) -> None:
    id, way = event.facts["boat"], event.facts["way"]
    if seen.boat(id).place != (way[-1] if way else seen.boat(id).place) or not film.beats:
        film.beat("moves" if way else "stays", boat=id)
    _along(film, id, seen.boat(id).place, way, film.now, _BOAT)
    marker = seen.marker(id)
    if marker and marker.kind in (MarkerKind.SURFACED, MarkerKind.VISIBLE):
        _along(film, f"{id} marker", seen.boat(id).place, way, film.now, _BOAT)
    film.now += 0.6 * _BOAT


def _launch(film: _Film, seen: State, event: Event) -> None:
    film.beat("launch")
    film.mark("flash", event.facts["hex"], film.now, r=film.view.side, ms=250)
    film.now += 200


def _run_in(film: _Film, seen: State, event: Event) -> None:
    """A torpedo that came to its end runs there, once, however many events tell of it."""
    there, before = event.facts["hex"], {torpedo.id: torpedo for torpedo in seen.torpedoes}
    own = before.get(str(event.facts.get("torpedo", "")))
    if own is None:
        own = min(before.values(), key=lambda torpedo: torpedo.at.distance(there), default=None)
    if own is not None:
        film.run(own.id, own.at, there)


def _struck(film: _Film, seen: State, event: Event) -> None:
    _run_in(film, seen, event)
    film.mark("hit", event.facts["hex"], film.now + _RUN, tone="bad", r=2 * film.view.side, ms=700)
    film.changes[event.facts["ship"]] = film.now + _RUN


def _sinks(film: _Film, seen: State, event: Event) -> None:
    _struck(film, seen, event)
    film.mark("sink", event.facts["hex"], film.now + _RUN, ms=900)


def _fails(film: _Film, seen: State, event: Event) -> None:
    _run_in(film, seen, event)
    film.note(event.facts["hex"], film.now + _RUN, SAY(f"film.{event.kind}"))


def _lost(film: _Film, seen: State, event: Event) -> None:
    film.changes[event.facts["boat"]] = film.now + 400
    film.mark("sink", seen.boat(event.facts["boat"]).place.bow, film.now, ms=1000)
    film.now += 300


def _searches(film: _Film, seen: State, event: Event) -> None:
    """A ping from each ship that searches, once a turn, and a ring where it comes back."""
    ship = event.facts["actor"]
    film.beat("search", ship=ship)
    if ship not in film.searched:
        film.searched.add(ship)
        reach = min(SONAR_REACH, 9) * film.view.layout.height
        film.mark("ping", seen.vessel(ship).place.bow, film.now, r=reach, tone="sky", ms=600)
    if event.kind == "search_found":
        film.mark("ring", seen.boat(event.facts["boat"]).place.bow, film.now + 300, tone="accent", ms=600)
    film.now += 90


def _fires(film: _Film, seen: State, event: Event) -> None:
    ship, boat = seen.vessel(event.facts["ship"]), seen.boat(event.facts["boat"])
    film.beat("guns", ship=ship.id, boat=boat.id)
    film.mark("flash", ship.place.bow, film.now, ms=200)
    film.mark("shell", ship.place.bow, film.now, boat.place.bow, ms=350, r=4, tone="ink")
    kind = "hit" if event.kind == "gun_hit" else "splash"
    film.mark(kind, boat.place.bow, film.now + 330, r=1.2 * film.view.side, ms=500)
    film.now += 150


def _known(film: _Film, seen: State, event: Event) -> None:
    """The escorts come to know where a boat is, or lose her: their marker is laid, or moved, now and not before."""
    id = f"{event.facts['boat']} marker"
    if id not in film.ways:
        film.go(id, (), FADE, film.now)
    if event.kind in ("visible", "surfaced"):
        film.mark("ring", event.facts["place"].bow, film.now, r=24, tone="yellow", ms=700)
        film.now += 200


def _turn(film: _Film, _seen: State, _event: Event) -> None:
    film.searched.clear()


_ACTS: Mapping[str, Callable[[_Film, State, Event], None]] = {
    "turn": _turn, "escort_moves": _escort, "attacks": _drops, "damage": _hurt, "ram_hit": _hurt, "crush": _hurt,
    "moves": _boat, "launched": _launch, "hit": _struck, "sunk_ship": _sinks, "dud": _fails, "unarmed": _fails,
    "sunk_boat": _lost, "search_found": _searches, "search_missed": _searches, "gun_hit": _fires,
    "gun_missed": _fires, "visible": _known, "surfaced": _known, "found": _known, "torpedoes": _known,
    "missed": _known, "disappears": _known, **{f"depth.{off}": _detonates for off in ("miss", "0", "25", "50")},
}
"""Kind of event -> how it is played."""
