"""How a board comes from one picture to the next: pieces that travel, and marks that come and go, as data with times.

A film says nothing that the log does not say, and the scene under it is already the last one: a page that plays
none, or is stopped half way, is right all the same. Most of a film nobody writes: a piece that is elsewhere in the
new scene goes there, a new one appears, one that is gone fades. A game adds what pictures alone do not tell
(`Page.effects`): the order of events, the way a ship took, shots, splashes, pings. Places are those of the scene;
times are milliseconds.
"""

from __future__ import annotations
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Literal

from .scene import Flat, Layer, Piece, Point, Scene

__all__ = ["FADE", "LONGEST", "Beat", "Effect", "Film", "Going", "Mark", "Pose", "Travel", "film"]

Pose = tuple[float, float, float]
"""x, y and heading in degrees."""
Kind = Literal[
    "ring", "flash", "shell", "track", "splash", "hit", "sink", "ping", "light", "note",
    "bar", "die", "join", "count",
]
"""What a mark is: a ring about a place; the flash of a gun; a shell in flight and a torpedo's track, both from a place
to another; a splash; a hit; the rings where something sinks; sonar or radar; a lit circle; words that rise and fade.
And what stands still to be read: a bar from a place to another, filled to a share; a die; a bracket over what belongs
together, from a place to another; a number that runs."""

LONGEST = 3000
"""Milliseconds that the film of a turn may take at normal speed: a longer one is played faster."""
FADE = 200
"""Milliseconds in which a piece comes to look otherwise."""
_STEP, _PER_PIXEL = 160, 1.2
_LINE, _SIGN = 24, 8.5  # px of a line of a mark's words, and of a sign


@dataclass(frozen=True, slots=True)
class Travel:
    """A piece comes to where the new scene shows it."""

    piece: str
    """Its id. One that the new scene has not goes its way and fades at its end; a new one appears when it sets out."""
    way: tuple[Pose, ...] = ()
    """The places it comes through, from the first to the last; () is straight from where it was."""
    at: float = 0
    ms: float = 0
    """When it sets out, and for how long it goes; 0 ms is by the length of the way."""
    was: str = ""
    """Id of the piece that it was before, where that is another: a card dealt was the top of its pile, which may
    stay."""
    changes: float = -1
    """When it begins to look as it will; -1: little by little on its way."""
    looks: tuple[tuple[Flat, ...], ...] = ()
    """What it looks like until then, and from then to the film's end, if not as before and as after it."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign that comes and goes, at a place or from there to another."""

    kind: Kind
    """One of `Kind`; it also says what is heard."""
    x: float
    y: float
    to: Point | None = None
    """Where a shell or a track goes."""
    r: float = 24
    """Its size."""
    tone: str = "accent"
    """A theme's token."""
    text: str = ""
    """What a note says ("100 ft", "miss"). In that of a number that runs "{}" is the number."""
    at: float = 0
    ms: float = 500
    """When it comes, and for how long it is seen."""
    share: tuple[float, float] = (0, 0)
    """Of a bar how much is filled, from 0 to 1, and of a number that runs the number: at first, and soon after."""


@dataclass(frozen=True, slots=True)
class Beat:
    """What the headline says from a moment on. Whatever tells the result (log, scores, orders, tags on the board) keeps
    what it showed before the film until the verdict, which is a beat without a text; left out, the film's end."""

    text: str = ""
    at: float = 0


Effect = Travel | Mark | Beat


@dataclass(frozen=True, slots=True)
class Going:
    """One piece in a film: how it looks before and after (None: it is not there), and its way."""

    before: Piece | None
    after: Piece | None
    way: tuple[Pose, ...]
    at: float = 0
    ms: float = 0
    changes: float = -1


@dataclass(frozen=True, slots=True)
class Film:
    """All that moves between two scenes: every piece of both, those that stand still too, in the order of painting."""

    goings: tuple[Going, ...]
    marks: tuple[Mark, ...]
    beats: tuple[Beat, ...] = ()
    """What the headline says meanwhile, in order."""
    told: float = -1
    """When the verdict comes; -1: at the end."""
    under: tuple[Layer, ...] = ()
    """The layers of the scene it begins with, in this window: what tells the result is shown as there until then."""

    @property
    def ms(self) -> float:
        """How long it takes."""
        ends = [max(each.at + each.ms, each.changes + FADE if each.changes >= 0 else 0) for each in self.goings]
        return max((*ends, *(each.at + each.ms for each in self.marks)), default=0)

    def hurried(self, most: float) -> Film:
        """The same, no longer than ``most``: everything quicker alike."""
        share = (most - 1e-6) / self.ms if self.ms > most else 1.0

        def quick(going: Going) -> Going:
            changes = min(going.changes * share, most - FADE) if going.changes >= 0 else -1
            return replace(going, at=going.at * share, ms=going.ms * share, changes=changes)

        if share == 1:
            return self
        marks = (replace(mark, at=mark.at * share, ms=mark.ms * share) for mark in self.marks)
        beats = (replace(beat, at=beat.at * share) for beat in self.beats)
        told = self.told * share if self.told >= 0 else -1
        return Film(tuple(map(quick, self.goings)), tuple(marks), tuple(beats), told, self.under)


def film(before: Scene | None, last: Scene, effects: Sequence[Effect] = (), most: float = LONGEST) -> Film:
    """The film from one scene to another.

    ``before``: what was shown; None, or a scene of another size, and nothing moves. ``last``: what is shown now.
    ``effects``: what the game adds. Of several travels of one piece the last counts. ``most``: milliseconds it may
    take.
    """
    told = {each.piece: each for each in effects if isinstance(each, Travel)}
    marks = tuple(_apart([each for each in effects if isinstance(each, Mark)], last))
    beats = sorted((each for each in effects if isinstance(each, Beat)), key=lambda beat: beat.at)
    if before is None or (before.width, before.height) != (last.width, last.height):
        return Film((), ())
    old, new = before.pieces(), last.pieces()
    was = {each.piece: each.was or each.piece for each in told.values()}
    gone = [id for id in old if id not in new and id not in was.values()]
    gone += [id for id, before in was.items() if id not in new and before in old]
    ends = [*(each.at + each.ms for each in told.values()), *(mark.at + mark.ms for mark in marks)]
    verdict = min((beat.at for beat in beats if not beat.text), default=-1.0)
    end = verdict if verdict >= 0 else max(0.0, max(ends, default=0.0) - FADE)
    goings = tuple(_going(old.get(was.get(id, id)), new.get(id), told.get(id), end) for id in (*gone, *new))
    if not marks and all(each.ms == 0 for each in goings):
        return Film((), ())
    said = tuple(beat for beat in beats if beat.text)
    return Film(goings, marks, said, verdict, before.layers).hurried(most)


def _going(before: Piece | None, after: Piece | None, told: Travel | None, end: float) -> Going:
    """``end``: when what nobody told of comes, goes, and looks otherwise: not before it has been shown why."""
    if told and told.looks and before is not None and after is not None:
        first, second = told.looks
        before, after = replace(before, shapes=first), replace(after, shapes=second)
    ends = [piece for piece in (before, after) if piece is not None]
    way = told.way if told and told.way else tuple(piece.pose for piece in ends)
    long = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(way, way[1:], strict=False))
    still = before is not None and after is not None and before.shapes == after.shapes and len(set(way)) == 1
    usual = 0.0 if still and told is None else max(FADE, min(_STEP + _PER_PIXEL * long, 900))
    other = before is not None and after is not None and before.shapes != after.shapes
    if told is None and end and (len(ends) == 1 or (other and len(set(way)) == 1)):
        return Going(before, after, way, end, FADE)
    changes = told.changes if told and other else end if other and end and not ends[0].flips else -1
    return Going(before, after, way, told.at if told else 0, (told.ms if told else 0) or usual, changes)


def _apart(marks: Sequence[Mark], last: Scene) -> Iterator[Mark]:
    """The marks, their words inside the picture and none over others that are read at the same time."""
    said: list[Mark] = []
    for mark in marks:
        if mark.text:
            half = _SIGN * len(mark.text) / 2
            x, y = max(half, min(last.width - half, mark.x)), mark.y
            if mark.kind == "note":
                y = max(1.5 * _LINE, y)
                while any(_meet(each, mark, x, y) for each in said):
                    y += _LINE if mark.y < 3 * _LINE else -_LINE
                mark = replace(mark, x=x, y=y)
                said.append(mark)
        yield mark


def _meet(one: Mark, mark: Mark, x: float, y: float) -> bool:
    at_once = one.at < mark.at + mark.ms and mark.at < one.at + one.ms
    return at_once and abs(one.y - y) < _LINE and abs(one.x - x) < _SIGN * (len(one.text) + len(mark.text)) / 2
