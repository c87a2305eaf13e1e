"""What Wolf Pack says of its decisions: what may be supposed of the hands, and which moments are of note."""

from __future__ import annotations
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from navalkit.core.errors import IllegalActionError
from navalkit.core.trace import Decision
from navalkit.core.words import Words
from navalkit.view.page import Question
from navalkit.walks.told import Change, Moment
from navalkit.walks.walk import Walk
from .cards import CLEARS, NONE, ROWS, SIDES, Card, Counts, plus
from .rules import WolfPack
from .state import State

SAY = Words.load("navalkit.games.wolf_pack", "data/walk.toml")


class WolfPackWalk(Walk[WolfPack, State, Decision]):
    """Two hands of cards: what if they held the card that is due, or you the one that clears the table?"""

    words = SAY
    keys = {"raid": "◆", "sweep": "◇", "sinking": "✖"}
    marks = {"lost": "raid", "dive": "sweep", "sweep": "sweep", "struck": "sinking"}
    players = ("winter", "brandt")

    def ask(self, kind: str, game: Any, moment: Moment[State], who: str) -> Question:
        asked = super().ask(kind, game, moment, who)
        return asked if moment.person else replace(asked, text=SAY(f"ask.{moment.phase}", who=who))

    def changes(self, game: Any, moment: Moment[State], who: str) -> Sequence[Change]:
        me, state = moment.seat, moment.state
        due, clear = ROWS[1 - me][state.rows[1 - me]], CLEARS[me]
        side = SIDES[1 - me][:1].upper() + SIDES[1 - me][1:]
        held = "without" if state.hands[me][clear] else "with"
        return (
            *super().changes(game, moment, who),
            Change("due", SAY("due", side=side, card=due.title), SAY("due.help"), "cards"),
            Change(held, SAY(held, card=clear.title), SAY(f"{held}.help"), "cards"),
        )

    def suppose(self, game: Any, state: State, moment: Moment[State], who: str, change: str, piece: Any) -> State:
        me, other = moment.seat, 1 - moment.seat
        if change == "due":
            due = ROWS[other][state.rows[other]]
            if not state.hands[other][due]:
                state = _exchanged(state, other, due, spare=state.known[other])
            known = state.known[other]
            return replace(state, known=_pair(other, plus(known, due, not known[due]), state.known[me]))
        if change == "with":
            return _exchanged(state, me, CLEARS[me])
        if change == "without":
            spare = next((card for card in Card if state.deck[card] and card is not CLEARS[me]), None)
            return _exchanged(state, me, spare, gives=CLEARS[me])
        return super().suppose(game, state, moment, who, change, piece)


WALK = WolfPackWalk()


def _exchanged(state: State, side: int, card: Card | None, gives: Card | None = None, spare: Counts = NONE) -> State:
    """The state with a card of the deck in a hand, and one of that hand in the deck: that of which it has most, but
    none of those to spare. IllegalActionError if the deck has no such card."""
    hand, deck = state.hands[side], state.deck
    if card is None or not deck[card]:
        raise IllegalActionError(SAY("none.left", card=card.title if card else ""))
    given = gives or max((each for each in Card if hand[each] > spare[each]), key=lambda each: hand[each])
    hands = _pair(side, plus(plus(hand, card), given, -1), state.hands[1 - side])
    return replace(state, hands=hands, deck=plus(plus(deck, card, -1), given))


def _pair(side: int, own: Counts, other: Counts) -> tuple[Counts, Counts]:
    return (own, other) if side == 0 else (other, own)
