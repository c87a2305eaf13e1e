"""Text <-> action and text <-> state of USS Lox."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.errors import NotationError
from navalkit.core.field_text import format_fields, parse_fields

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

    Parameters
    ----------
    text : str
        "plan 9", "flip B2" (or "B2"), "attack 2" (or "fire 2"), "decline", "escape", "chase", "return";
        chance's actions are written "B2=8D", "torpedo=5S", "escort=KH", "extra=4C", "estimate=9D".

    Raises
    ------
    NotationError
        If it is none of these.
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
    """One line: ``field=value`` for every field that is not at its default, in a fixed order."""
    return format_fields(state, _show)


def parse_state(text: str, pack: int = 54) -> State:
    """The state of that notation.

    Parameters
    ----------
    text : str
        As `format_state` gives it.
    pack : int
        Number of cards in the pack: slots and cards beyond it are refused.

    Raises
    ------
    NotationError
        Naming the field that is wrong.
    """
    names = [f.name for f in fields(State)]
    values = parse_fields(text, names, lambda name, value: _read(name, value, pack), "phase=periscope")
    return _consistent(State(**values), text)


_CARD_LISTS = ("fired", "last", "sunk", "estimated")
_SLOT_LISTS = ("ocean", "supply", "deck", "estimates")
_WORDS_OF = {"role": SHIP_ROLES, "result": ("win", "loss")}


def _show(name: str, value: Any) -> str:
    if name in _CARD_LISTS:
        return ",".join(map(cards.text, value)) or "-"
    if name in _SLOT_LISTS:
        return ",".join(map(str, value)) or "-"
    if name == "ship":
        return cards.text(value)
    return f"{value:x}" if name == "seen" else str(value)


def _read(name: str, value: str, pack: int) -> Any:
    if name == "phase":
        return Phase(value)
    if name in _CARD_LISTS:
        return tuple(cards.parse(part) for part in value.split(",")) if value != "-" else ()
    if name in _SLOT_LISTS:
        slots = tuple(int(part) for part in value.split(",")) if value != "-" else ()
        if all(-(name == "ocean") <= slot < pack for slot in slots):
            return slots
    elif name == "ship":
        return cards.parse(value)
    elif name == "seen":
        if 0 <= (seen := int(value, 16)) < 1 << 54:
            return seen
    elif name == "drawing":
        if value in PLACES or _SQUARE.fullmatch(value):
            return value
    elif name in _WORDS_OF:
        if value in _WORDS_OF[name]:
            return value
    elif 0 <= (number := int(value)) <= 99:
        return number
    raise ValueError(value)


def _consistent(state: State, text: str) -> State:
    """The state, if its parts fit together."""
    wrong = None
    up = [c for c in (state.ship, *state.last, *state.fired, *state.sunk, *state.estimated) if c != NO_CARD]
    slots = [
        s
        for s in (*state.ocean, *state.supply, *state.deck, *state.estimates[len(state.estimated) :])
        if s >= 0
    ]
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
