"""How a board comes from one picture to the next: pieces that travel, and marks that come and go, as data with times.

A film says nothing that the log does not say, and the scene under it is already the last one: a page that plays none,
or is stopped half way, is right all the same. Most of a film nobody writes: a piece that is elsewhere in the new scene
goes there, a new one appears, one that is gone fades. A game adds what pictures alone do not tell (`Page.effects`): the
order of events, the way a ship took, shots, splashes, pings. Places are those of the scene; times are milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Literal

from .scene import Piece, Point, Scene

__all__ = ["LONGEST", "Effect", "Film", "Mark", "Pose", "Travel", "film"]

Pose = tuple[float, float, float]
"""x, y and heading in degrees."""
Kind = Literal["ring", "flash", "shell", "track", "splash", "hit", "sink", "ping", "light", "note"]
"""What a mark is: a ring about a place; the flash of a gun; a shell in flight and a torpedo's track, both from a place
to another; a splash; a hit; the rings where something sinks; sonar or radar; a lit circle; words that rise and fade."""

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
    """What a note says ("100 ft", "miss")."""
    at: float = 0
    ms: float = 500
    """When it comes, and for how long it is seen."""


Effect = Travel | Mark


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

    @property
    def ms(self) -> float:
        """How long it takes."""
        ends = [max(each.at + each.ms, each.changes + FADE if each.changes >= 0 else 0) for each in self.goings]
        return max((*ends, *(each.at + each.ms for each in self.marks)), default=0)

    def hurried(self, most: float) -> Film:
        """The same, no longer than ``most``: everything quicker alike."""
        share = most / self.ms if self.ms > most else 1.0

        def quick(going: Going) -> Going:
            changes = going.changes * share if going.changes >= 0 else -1
            return replace(going, at=going.at * share, ms=going.ms * share, changes=changes)

        if share == 1:
            return self
        marks = (replace(mark, at=mark.at * share, ms=mark.ms * share) for mark in self.marks)
        return Film(tuple(map(quick, self.goings)), tuple(marks))



def film(before: Scene | None, last: Scene, effects: Sequence[Effect] = (), most: float = LONGEST) -> Film:
    """The film from one scene to another.

    ``before``: what was shown; None, or a scene of another size, and nothing moves. ``last``: what is shown now.
    ``effects``: what the game adds. Of several travels of one piece the last counts. ``most``: milliseconds it may
    take.
    """
    told = {each.piece: each for each in effects if isinstance(each, Travel)}
    marks = tuple(_apart([each for each in effects if isinstance(each, Mark)], last))
    if before is None or (before.width, before.height) != (last.width, last.height):
        return Film((), ())
    old, new = before.pieces(), last.pieces()
    was = {each.piece: each.was or each.piece for each in told.values()}
    gone = [id for id in old if id not in new and id not in was.values()]
    gone += [id for id, before in was.items() if id not in new and before in old]
    goings = tuple(_going(old.get(was.get(id, id)), new.get(id), told.get(id)) for id in (*gone, *new))
    if not marks and all(each.ms == 0 for each in goings):
        return Film((), ())
    return Film(goings, marks).hurried(most)


def _going(before: Piece | None, after: Piece | None, told: Travel | None) -> Going:
    ends = [piece for piece in (before, after) if piece is not None]
    way = told.way if told and told.way else tuple((piece.x, piece.y, piece.heading) for piece in ends)
    long = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(way, way[1:], strict=False))
    still = before is not None and after is not None and before.shapes == after.shapes and len(set(way)) == 1
    usual = 0.0 if still and told is None else max(FADE, min(_STEP + _PER_PIXEL * long, 900))
    changes = told.changes if told and before and after and before.shapes != after.shapes else -1
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
