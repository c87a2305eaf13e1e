"""Text <-> action and text <-> state of Wolf Pack."""

from __future__ import annotations

import re
from collections.abc import Callable

from navalkit.core.echo import brief
from navalkit.core.errors import NotationError
from navalkit.core.files.codec import Codec, Form, one_of, series, upto

from . import cards
from .cards import NONE, SIDES, WORDS, Card, Counts
from .say import SAY
from .state import Action, Discard, Drawn, Lost, Pass, Phase, Play, State

_VERBS: dict[str, Callable[[Card], Action]] = {"play": Play, "lay": Play, "discard": Discard, "throw": Discard}
_CHANCE: dict[str, Callable[[int, Card], Action]] = {"draw": Drawn, "draws": Drawn, "lose": Lost, "loses": Lost}
_ROLES = {side.lower(): i for i, side in enumerate(SIDES)}
_PILE = re.compile(r"(?:(\d{1,3})\*)?([a-z-]+)")


def parse_action(text: str) -> Action:
    """The action of that notation; case and extra blanks do not matter.

    ``text``: "play sonar", "play depth charges", "discard water", "pass"; chance's actions are written "u-boats draw
    sonar" and "convoy lose water". NotationError if it is none of these.
    """
    words = text[:200].lower().split()
    if words == ["pass"]:
        return Pass()
    if len(words) > 1 and words[0] in _VERBS:
        return _VERBS[words[0]](cards.parse(" ".join(words[1:])))
    if len(words) > 2 and words[0] in _ROLES and words[1] in _CHANCE:
        return _CHANCE[words[1]](_ROLES[words[0]], cards.parse(" ".join(words[2:])))
    raise NotationError(SAY("wrong.order", text=brief(text)))


def format_state(state: State) -> str:
    """The state as one line."""
    return STATES.write(state)


def parse_state(text: str, deck: Counts, goals: tuple[int, int]) -> State:
    """The state of that notation.

    ``text``: as `format_state` gives it. ``deck``: all cards of the game: each must lie somewhere. ``goals``:
    transports and U-boats to sink for victory. NotationError naming the field that is wrong, or what does not fit
    together.
    """
    state = STATES.read(text)
    if wrong := _misfit(state, deck, goals):
        raise NotationError(wrong)
    return state


def _show_pile(pile: Counts) -> str:
    return ",".join(f"{n}*{WORDS[i]}" if n > 1 else WORDS[i] for i, n in enumerate(pile) if n) or "-"


def _read_pile(text: str) -> Counts:
    pile = [0] * len(Card)
    for part in text.split(",") if text != "-" else ():
        match = _PILE.fullmatch(part)
        if match is None or match[2] not in WORDS or pile[WORDS.index(match[2])] or match[1] == "0":
            raise ValueError(part)
        pile[WORDS.index(match[2])] = int(match[1] or 1)
    return tuple(pile)


def _read_last(text: str) -> Action | None:
    return None if text == "-" else parse_action(text.replace("_", " "))


_PILE_FORM, _SMALL = Form(_show_pile, _read_pile, whole=True), upto(999_999)
_LAST = Form(lambda action: str(action or "-").replace(" ", "_"), _read_last)
STATES = Codec(State, {
    int: _SMALL, "discards": _PILE_FORM, "pool": _PILE_FORM, "deck": _PILE_FORM,
    "hands": series(_PILE_FORM, "/", 2), "known": series(_PILE_FORM, "/", 2), "rows": series(_SMALL, "/", 2),
    "sunk": series(_SMALL, "/", 2), "last": series(_LAST, "/", 2), "result": one_of((*SIDES, "draw")),
})  # fmt: skip
"""States as text: piles as "2*water,sonar", what there is two of as "1/0", U-boats first."""


def _misfit(state: State, deck: Counts, goals: tuple[int, int]) -> str | None:
    """What does not fit together, if anything."""
    if state.side not in (0, 1):
        return SAY("wrong.side", side=state.side)
    if max(state.rows) > 2:
        return SAY("wrong.row")
    lying = cards.total(cards.row_counts(state.rows), cards.total(state.discards, state.deck))
    for pile in state.hands:
        lying = cards.total(lying, pile)
    for card in Card:
        if lying[card] != deck[card]:
            return SAY("wrong.count", n=lying[card], card=card.title, deck=deck[card])
        if state.deck[card] > state.pool[card] or state.pool[card] > deck[card]:
            return SAY("wrong.pool", card=card.title)
        if any(known[card] > hand[card] for known, hand in zip(state.known, state.hands, strict=True)):
            return SAY("wrong.known", card=card.title)
    if (state.phase is Phase.END) != bool(state.result):
        return SAY("wrong.result")
    if state.result != "draw" and any(
        (sunk >= goal) != (state.result == side) for sunk, goal, side in zip(state.sunk, goals, SIDES, strict=True)
    ):
        return SAY("wrong.sunk")
    if (state.phase is Phase.DRAW) != bool(state.to_draw):
        return SAY("wrong.to_draw")
    if state.phase is Phase.DRAW and state.deck == NONE:
        return SAY("wrong.empty")
    if state.phase is Phase.LOSS and not any(state.hands[1 - state.side]):
        return SAY("wrong.loss")
    if state.shuffles < 1:
        return SAY("wrong.shuffles")
    return None
