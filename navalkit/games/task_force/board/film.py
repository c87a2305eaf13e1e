"""How a turn of Task Force is played: scratches, missiles, torpedoes, reconnaissance flights and strikes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from navalkit.core.event import Event
from navalkit.view.effect import Effect, Mark, Pose, Travel
from navalkit.view.page import Moment
from navalkit.view.scene import Piece, Point, Scene

from ..rules.say import SAY
from ..rules.state import Observation

_LOOK, _FLY, _RUN, _SWEEP = 200, 250, 500, 60
"""Milliseconds for a square to show, a leg of a flight, a missile or torpedo, and between the squares of a strike."""
_HELICOPTERS = {("helicopter", number) for number in (1, 2, 3)}


def effects(moments: Sequence[Moment[Observation]], before: Scene, last: Scene) -> Sequence[Effect]:
    """What happened, from what was told of it."""
    film = _Film(before, last)
    return (*(effect for moment in moments for event in moment.events for effect in film.of(event)), *film.landing())


class _Film:
    def __init__(self, before: Scene, last: Scene) -> None:
        self.old, self.new, self.now = before.pieces(), last.pieces(), 0.0
        self.cells = {cell.id: cell.centre for cell in (*last.cells, *before.cells)}
        self.flying, self.way = "", list[Pose]()
        self.step = _LOOK
        for id, piece in self.old.items():
            if piece.what in _HELICOPTERS and id in self.new and _pose(piece) != _pose(self.new[id]):
                self._start(piece.what)

    def of(self, event: Event) -> Iterator[Effect]:
        """What is played for one event; the next follows it."""
        facts = event.facts
        square = str(facts.get("square", ""))
        match event.kind:
            case "fly":
                self._start(("helicopter", facts["number"]))
            case "strike":
                yield from self._strike(square)
            case "hit" | "empty" | "ignored":
                yield from self._show(square)
                x, y = self._at(square)
                if event.kind != "ignored":
                    yield Mark("hit" if event.kind == "hit" else "splash", x, y, r=18, at=self.now, ms=450)
                elif not self.flying or self.step != _SWEEP:
                    yield Mark("ping", x, y, r=22, at=self.now, ms=400)
                self.now += self.step
            case "submarine":
                yield from self._show(square)
                yield from self._hurt(square, str(facts["target"]), "track")
            case "missile_void" | "missile_lost":
                yield from self._show(square)
                yield from self._hurt(square, str(facts["target"]), "shell", event.kind == "missile_lost")
            case "missile_shot":
                yield from self._show(square)
                yield from self._shot_down(square, str(facts["target"]))

    def landing(self) -> Iterator[Effect]:
        """The flight as one way over all its squares."""
        if self.flying and len(self.way) > 1:
            yield Travel(self.flying, tuple(self.way), ms=max(self.now, _FLY))

    def _start(self, helicopter: Hashable) -> None:
        self.step = _FLY
        if piece := next((each for each in self.old.values() if each.what == helicopter), None):
            self.flying, self.way = piece.id, [_pose(piece)]
            self.now += _FLY

    def _show(self, square: str) -> Iterator[Effect]:
        if square in self.new and square not in self.old:
            yield Travel(square, at=self.now, ms=_LOOK)
        if self.flying:
            x, y = self._at(square)
            self.way.append((x, y, 0.0))

    def _strike(self, centre: str) -> Iterator[Effect]:
        self.step = _SWEEP
        for id, piece in self.old.items():
            if piece.what == "fighter" and id not in self.new:
                yield Travel(id, (_pose(piece), (*self._at(centre), 0.0)), at=self.now, ms=_RUN)
        self.now += _RUN
        yield Mark("light", *self._at(centre), r=60, at=self.now, ms=700)

    def _hurt(self, square: str, target: str, kind: str, lost: bool = True) -> Iterator[Effect]:
        """A missile or a torpedo comes from a square for one of our ships."""
        ship = self._at(target)
        yield Mark(
            "track" if kind == "track" else "shell", *self._at(square), to=ship, tone="bad", at=self.now, ms=_RUN
        )
        self.now += _RUN
        yield Mark("hit" if lost else "splash", *ship, r=34, at=self.now)
        if lost:
            yield Mark("sink", *ship, r=44, at=self.now + 150, ms=800)
            yield Travel(target, at=self.now, ms=_LOOK)
            yield Mark("note", *ship, text=SAY("film.lost", ship=target), tone="bad", at=self.now, ms=1000)
        self.now += 300

    def _shot_down(self, square: str, target: str) -> Iterator[Effect]:
        start, end, cruiser = self._at(square), self._at(target), self._at("CRU")
        met = (start[0] + 0.6 * (end[0] - start[0]), start[1] + 0.6 * (end[1] - start[1]))
        yield Mark("shell", *start, to=met, tone="bad", at=self.now, ms=_RUN)
        yield Mark("shell", *cruiser, to=met, at=self.now + 0.3 * _RUN, ms=0.7 * _RUN)
        self.now += _RUN
        yield Mark("flash", *met, r=26, at=self.now, ms=400)
        yield Mark("note", *met, text=SAY("film.shot"), tone="ink", at=self.now, ms=900)

    def _at(self, id: str) -> Point:
        """Where a square or one of our ships lies."""
        piece = self.new.get(id) or self.old.get(id)
        return (piece.x, piece.y) if piece else self.cells.get(id, (0.0, 0.0))


def _pose(piece: Piece) -> Pose:
    return piece.x, piece.y, piece.heading
