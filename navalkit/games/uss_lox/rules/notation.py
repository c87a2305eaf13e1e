"""Text <-> action and text <-> state of USS Lox."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.errors import NotationError
from navalkit.core.files.codec import Codec, Form, bits, one_of, series, upto

from . import cards
from .say import SAY
from .state import (
    MAX_OCEAN,
    NO_CARD,
    PLACES,
    SHIP_ROLES,
    Action,
    Attack,
    Chase,
    Deal,
    Decline,
    Escape,
    Flip,
    Phase,
    Plan,
    Return,
    State,
)

_WORDS: dict[str, Action] = {
    "decline": Decline(),
    "let her go": Decline(),
    "pass": Decline(),
    "escape": Escape(),
    "run silent": Escape(),
    "chase": Chase(),
    "return": Return(),
    "home": Return(),
}
_SQUARE = re.compile(r"[A-E][1-5]")
_DEAL = re.compile(r"(\w+) ?= ?(\w+)")


def parse_action(text: str) -> Action:
    """The action of that notation; case and extra blanks do not matter.

    ``text``: "plan 9", "flip B2" (or "B2"), "attack 2" (or "fire 2"), "decline", "escape", "chase", "return"; chance's
    actions are written "B2=8D", "torpedo=5S", "escort=KH", "extra=4C", "estimate=9D". NotationError if it is none of
    these.
    """
    line = " ".join(text.split()).lower()
    if line in _WORDS:
        return _WORDS[line]
    if match := _DEAL.fullmatch(line):
        place = match[1] if match[1] in PLACES else match[1].upper()
        if place in PLACES or _SQUARE.fullmatch(place):
            return Deal(place, cards.parse(match[2]))
        places = ", ".join(PLACES)
        raise NotationError(SAY("wrong.deal", text=brief(text), places=places, place=brief(match[1])))
    verb, _, rest = line.rpartition(" ")
    if verb in ("flip", "turn", "") and _SQUARE.fullmatch(rest.upper()):
        return Flip(rest.upper())
    if verb in ("attack", "fire", "plan") and rest.isascii() and rest.isdigit() and len(rest) < 4:
        return Plan(int(rest)) if verb == "plan" else Attack(int(rest))
    raise NotationError(SAY("wrong.order", text=brief(text)))


def format_state(state: State) -> str:
    """The state as one line."""
    return _codec(54).write(state)


def parse_state(text: str, pack: int = 54) -> State:
    """The state of that notation; NotationError naming the field that is wrong.

    ``pack``: number of cards in the pack: slots and cards beyond it are refused.
    """
    return _consistent(_codec(pack).read(text))


def _place(text: str) -> str:
    if text not in PLACES and not _SQUARE.fullmatch(text):
        raise ValueError(text)
    return text


_CARD = Form(cards.text, cards.parse)


@cache
def _codec(pack: int) -> Codec[State]:
    """States as text: cards by their names, slots of the pack by number, cards seen as bits."""
    slots = series(one_of(range(pack)))
    forms: dict[Any, Form] = {
        int: upto(99), "seen": bits(54), "ship": _CARD, "drawing": Form(str, _place), "role": one_of(SHIP_ROLES),
        "result": one_of(("win", "loss")), "ocean": series(one_of(range(-1, pack))),
    }  # fmt: skip
    forms |= dict.fromkeys(("supply", "deck", "estimates"), slots)
    return Codec(State, forms | dict.fromkeys(("fired", "last", "sunk", "estimated"), series(_CARD)))


def _consistent(state: State) -> State:
    """The state, if its parts fit together."""
    wrong = None
    up = [c for c in (state.ship, *state.last, *state.fired, *state.sunk, *state.estimated) if c != NO_CARD]
    slots = [s for s in (*state.ocean, *state.supply, *state.deck, *state.estimates[len(state.estimated) :]) if s >= 0]
    if any(not state.seen >> card & 1 for card in up):
        wrong = SAY("state.unseen")
    elif len(set(slots)) < len(slots):
        wrong = SAY("state.slot")
    elif len(state.ocean) > MAX_OCEAN:
        wrong = SAY("state.ocean", squares=len(state.ocean), most=MAX_OCEAN)
    elif state.ship != NO_CARD and cards.is_joker(state.ship):
        wrong = SAY("state.joker")
    elif state.phase in (Phase.TARGET, Phase.ESCORT) and (state.ship == NO_CARD or not state.role):
        wrong = SAY("state.ship", phase=state.phase)
    elif state.drawing == "torpedo" and (state.ship == NO_CARD or len(state.fired) >= state.firing):
        wrong = SAY("state.torpedo")
    elif (state.phase is Phase.END or state.drawing == "estimate") and not state.result:
        wrong = SAY("state.result")
    elif (state.phase is Phase.DRAW) != bool(state.drawing):
        wrong = SAY("state.drawing")
    elif state.phase is Phase.DRAW:
        try:
            wrong = None if state.slot(state.drawing) >= 0 else SAY("state.empty", place=state.drawing)
        except (IndexError, ValueError):
            wrong = SAY("state.empty", place=state.drawing)
    if wrong:
        raise NotationError(SAY("state.wrong", why=wrong))
    return state
