"""How a turn of Wolf Pack is played: cards are dealt, laid, turned up and given up one by one, and torpedoes run."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from navalkit.view.effect import Effect, Mark, Pose, Travel
from navalkit.view.page import Moment
from navalkit.view.scene import Piece, Scene

from ..rules.cards import ROWS, TITLES, Card
from ..rules.state import Observation

_DEAL, _CARD, _RUN = 120, 300, 350
"""Milliseconds from one card dealt to the next, for a card to be played, and for a torpedo or a charge to arrive."""
_ROWS = ("row", 0), ("row", 1)


def effects(moments: Sequence[Moment[Observation]], before: Scene, last: Scene) -> Sequence[Effect]:
    """What happened, card by card, from what was told of it."""
    return tuple(_Film(moments[0].seen.me, before, last).play(moments)) if moments else ()


class _Film:
    def __init__(self, me: int, before: Scene, last: Scene) -> None:
        self.me, self.old, self.new, self.now = me, before.pieces(), last.pieces(), 0.0
        self.held = {("hand", card) for card in Card}
        self.dealt = [piece for id, piece in self.new.items() if piece.what in self.held and id not in self.old]

    def play(self, moments: Sequence[Moment[Observation]]) -> Iterator[Effect]:
        for event in (event for moment in moments for event in moment.events):
            by, card = int(event.facts.get("by", 0)), _card(str(event.facts.get("card", "")))
            match event.kind:
                case "dealt" | "drawn" if card is not None and by == self.me:
                    yield from self._draw(card)
                case "discarded" | "lost" if card is not None:
                    yield from self._give_up(by, card, event.kind == "lost")
                case "laid" if card is not None:
                    yield from self._lay(by, f"row {by} {ROWS[by].index(card)}", card)
                case "struck":
                    yield from self._strike(by, event.facts["sunk"], str(event.facts["what"]))
                case "dive" | "sweep":
                    yield from self._lay(by, self._played(by), Card.DIVE if event.kind == "dive" else Card.SWEEP)
                    yield from self._clear(event.kind == "sweep")
                case "raid" | "raid_in_vain" if card is not None:
                    yield from self._lay(by, self._played(by), card)
                case "passed":
                    yield from self._note(self._hand(by), event.text)
        theirs = [id for id, piece in self.new.items() if piece.what == "theirs" and id not in self.old]
        yield from (Travel(id, was="deck", at=_DEAL * i, ms=_CARD) for i, id in enumerate(theirs))

    def _draw(self, card: Card) -> Iterator[Effect]:
        if piece := next((piece for piece in self.dealt if piece.what == ("hand", card)), None):
            self.dealt.remove(piece)
            yield Travel(piece.id, was="deck", at=self.now, ms=_CARD)
            self.now += _DEAL

    def _give_up(self, by: int, card: Card, lost: bool) -> Iterator[Effect]:
        """A card goes to the discards: seen as it goes, and named."""
        pile = self._at("discards") or self._at("deck")
        if gone := self._from(by, card):
            if gone not in self.new and pile:
                yield Travel(gone, (_pose(self.old[gone]), pile), at=self.now, ms=_CARD)
            elif lost:
                yield Mark("splash", *_pose(self.old[gone])[:2], at=self.now)
        yield from self._note(pile, card.title)

    def _lay(self, by: int, id: str, card: Card) -> Iterator[Effect]:
        if id in self.new:
            yield Travel(id, was=self._from(by, card), at=self.now, ms=_CARD)
        self.now += _CARD

    def _strike(self, by: int, sunk: int, what: str) -> Iterator[Effect]:
        """The third card is laid, the attack runs to the ship that it sinks, and the row goes to the discards."""
        yield from self._lay(by, self._played(by), ROWS[by][2])
        ship, start = self._at(f"target {by} {sunk - 1}"), self._at(self._played(by))
        if ship and start:
            yield Mark("track" if by == 0 else "shell", *start[:2], to=ship[:2], at=self.now, ms=_RUN)
            self.now += _RUN
            yield Mark("hit", *ship[:2], at=self.now)
            yield Mark("sink", *ship[:2], at=self.now + 150, ms=700)
            yield Mark("note", *ship[:2], text=what, tone="bad", at=self.now, ms=900)
        yield from self._sweep_up(("row", by))

    def _clear(self, sweep: bool) -> Iterator[Effect]:
        for id, piece in self.old.items():
            if piece.what in _ROWS and id not in self.new:
                yield Mark("splash" if sweep else "ping", *_pose(piece)[:2], at=self.now, ms=400)
        self.now += 150
        yield from self._sweep_up(*_ROWS)

    def _sweep_up(self, *rows: Hashable) -> Iterator[Effect]:
        pile = self._at("discards")
        for id, piece in self.old.items():
            if pile and piece.what in rows and id not in self.new:
                yield Travel(id, (_pose(piece), pile), at=self.now, ms=_CARD)
        self.now += 200

    def _note(self, at: Pose | None, text: str) -> Iterator[Effect]:
        if at:
            yield Mark("note", *at[:2], text=text, tone="ink", at=self.now, ms=900)
        self.now += 200

    def _from(self, by: int, card: Card) -> str:
        """The piece that a card was in the hand it came from; "" for one drawn in the same breath."""
        if by == self.me:
            held = [id for id, piece in self.old.items() if piece.what == ("hand", card)]
            return max(held, default="", key=lambda id: (id not in self.new, id))
        return next((id for id, piece in reversed(self.old.items()) if piece.what == "theirs"), "")

    def _played(self, by: int) -> str:
        return next((id for id, piece in self.new.items() if piece.what == ("played", by)), "")

    def _hand(self, by: int) -> Pose | None:
        held = self.held if by == self.me else {"theirs"}
        return next((_pose(piece) for piece in self.new.values() if piece.what in held), None)

    def _at(self, id: str) -> Pose | None:
        return _pose(self.new[id]) if id in self.new else None


def _pose(piece: Piece) -> Pose:
    return piece.x, piece.y, piece.heading


def _card(title: str) -> Card | None:
    return Card(TITLES.index(title)) if title in TITLES else None
