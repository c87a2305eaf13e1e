"""How an encounter of USS Lox is played: the ship sighted, torpedoes run, she sinks or slips away, an escort comes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from navalkit.core.event import Event
from navalkit.view.effect import FADE, Effect, Mark, Pose, Travel
from navalkit.view.page import Moment
from navalkit.view.scene import Piece, Point, Scene

from ..rules.say import SAY
from ..rules.state import State

_CARD, _LOAD, _RUN = 320, 140, 450
"""Milliseconds for a card to come, from one torpedo loaded to the next, and for the torpedoes to run."""


def effects(moments: Sequence[Moment[State]], before: Scene, last: Scene) -> Sequence[Effect]:
    """What happened, from what was told of it."""
    film = _Film(before, last)
    played = tuple(effect for moment in moments for event in moment.events for effect in film.of(event))
    return (*played, *film.told())


class _Film:
    def __init__(self, before: Scene, last: Scene) -> None:
        self.old, self.new, self.now = before.pieces(), last.pieces(), 0.0
        here = before.cell("ship") or last.cell("ship")
        self.ship = here.centre if here else (0.0, 0.0)
        self.tubes = [cell.centre for n in (1, 2, 3) if (cell := before.cell(f"tube {n}") or last.cell(f"tube {n}"))]
        there = last.cell("ship")
        fresh = [id for id in self.new if id.startswith("card ") and id not in self.old]
        self.coming = [id for id in fresh if there and _lies(self.new[id], there.centre)]  # a ship or an escort
        self.fired = [id for id in fresh if id not in self.coming]
        self.met = next((id for id in self.old if id.startswith("card ") and _lies(self.old[id], self.ship)), "")

    def of(self, event: Event) -> Iterator[Effect]:
        """What is played for one event; the next follows it."""
        match event.kind:
            case "sighted" | "joker_ocean":
                yield from self._come(str(event.facts["place"]))
            case "extra":
                yield from self._come("deck")
            case "escort":
                yield from self._come("deck")
                yield Mark("ping", *self.ship, r=60, tone="bad", at=self.now, ms=600)
            case "hit" | "missed" | "joker_torpedo":
                yield from self._run(sinks=event.kind == "hit")
            case "held_fire":
                yield self._note(SAY("film.away"))
            case "deck_gun":
                yield Mark("shell", *self._pile("supply")[:2], to=self.ship, at=self.now, ms=250)
                self.now += 250
                yield Mark("hit", *self.ship, at=self.now)
            case "sunk" | "estimate_later":
                yield from self._sunk(event)
            case "escaped" | "lost":
                yield from self._charged(event)

    def told(self) -> Iterator[Effect]:
        """What is said of it changes at the end."""
        for id in dict.fromkeys((*self.old, *self.new)):
            if id.startswith("told") and self.old.get(id) != self.new.get(id):
                yield Travel(id, at=self.now, ms=FADE, changes=self.now)

    def _come(self, place: str) -> Iterator[Effect]:
        for id in self.coming:
            yield Travel(id, was=place if place in self.old else "", at=self.now, ms=_CARD)
        self.now += _CARD

    def _run(self, sinks: bool) -> Iterator[Effect]:
        """The torpedoes are loaded, their tracks run to the ship; those that missed are laid aside with her."""
        start = self._pile("supply")
        for n, id in enumerate(self.fired):
            tube = self.tubes[min(n, len(self.tubes) - 1)] if self.tubes else self.ship
            way = tuple(dict.fromkeys((start, (*tube, 0.0), _pose(self.new[id]))))
            yield Travel(id, way, was="supply", at=self.now + n * _LOAD, ms=_CARD if len(way) < 3 else 2 * _CARD)
        self.now += _CARD + _LOAD * max(0, len(self.fired) - 1)
        for tube in self.tubes[: len(self.fired)]:
            yield Mark("track", *tube, to=self.ship, tone="ink", at=self.now, ms=_RUN)
        self.now += _RUN
        if not sinks:
            yield Mark("splash", self.ship[0] + 26, self.ship[1] - 20, at=self.now)
            yield self._note(SAY("film.missed"))
            if self.met in self.new:
                yield Travel(self.met, at=self.now, ms=_CARD)
            self.now += 200

    def _sunk(self, event: Event) -> Iterator[Effect]:
        yield Mark("hit", *self.ship, r=40, at=self.now)
        yield Mark("sink", *self.ship, r=50, at=self.now + 150, ms=800)
        if tons := event.facts.get("tons"):
            yield self._note(SAY("film.tons", tons=tons))
        for id in self.new:
            if id.startswith("sunk ") and id not in self.old:
                yield Travel(id, was=self.met, at=self.now + 350, ms=_CARD)
        self.now += 500

    def _charged(self, event: Event) -> Iterator[Effect]:
        """The escort's charges fall about the boat, and cost torpedoes or all."""
        x, y, _ = self._pile("supply")
        for n, (dx, dy) in enumerate(((-34, -30), (36, -8), (-20, 34), (28, 30))):
            yield Mark("splash", x + dx, y + dy, at=self.now + 140 * n, ms=450)
        self.now += 600
        if event.kind == "lost":
            yield Mark("hit", x, y, r=50, at=self.now)
            yield Mark("sink", x, y, r=60, at=self.now + 150, ms=900)
        else:
            cost = SAY("film.cost", cost=event.facts["cost"])
            yield Mark("note", x, y, text=cost, tone="bad", at=self.now, ms=900)

    def _note(self, text: str) -> Mark:
        return Mark("note", *self.ship, text=text, tone="ink", at=self.now, ms=900)

    def _pile(self, id: str) -> Pose:
        piece = self.old.get(id) or self.new.get(id)
        return _pose(piece) if piece else (*self.ship, 0.0)


def _lies(piece: Piece, at: Point) -> bool:
    return abs(piece.x - at[0]) + abs(piece.y - at[1]) < 1


def _pose(piece: Piece) -> Pose:
    return piece.x, piece.y, piece.heading
