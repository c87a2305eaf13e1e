"""Text <-> action and text <-> state of Task Force."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.errors import NotationError
from navalkit.core.files.codec import Codec, Form, bits, one_of, series, upto
from navalkit.grids.square import SquareGrid

from .say import SAY
from .sea import OWN, Missiles, Sea, Ships
from .state import FIRST_DESTROYER, Action, Fly, HideFleet, HideMissiles, HideSubmarines, Phase, Scratch, State, Strike

_SQUARE = "([A-Z][1-9][0-9]?)"
_SCRATCH = re.compile(rf"(?:SCRATCH )?{_SQUARE}")
_FLY = re.compile(rf"FLY (?:HELICOPTER )?(?:([0-9]) )?(?:FROM )?{_SQUARE}")
_STRIKE = re.compile(rf"STRIKE {_SQUARE}")
_SHIP = re.compile(rf"{_SQUARE}-{_SQUARE}")
_MISSILE = re.compile(rf"{_SQUARE}=({'|'.join(OWN)})")
_HIDDEN: dict[str, tuple[re.Pattern[str], Any]] = {
    "FLEET": (_SHIP, HideFleet),
    "SUBMARINES": (re.compile(_SQUARE), HideSubmarines),
    "MISSILES": (_MISSILE, HideMissiles),
}


def parse_action(text: str) -> Action:
    """The action of that notation; case and extra blanks do not matter.

    ``text``: "C7" (or "scratch C7"), "fly helicopter 1 from A3" (or "fly 1 A3"), "strike E5"; chance's actions are
    written "fleet A1-A5 C2-F2 ...", "submarines B9 ...", "missiles B1=AIR ...". NotationError if it is none of these.
    """
    line = " ".join(text.split()).upper()
    if match := _SCRATCH.fullmatch(line):
        return Scratch(match[1])
    if match := _FLY.fullmatch(line):
        if match[1] is None:
            raise NotationError(SAY("wrong.which", text=brief(text), square=match[2]))
        return Fly(int(match[1]), match[2])
    if match := _STRIKE.fullmatch(line):
        return Strike(match[1])
    word, *parts = line.split(" ")
    if word in _HIDDEN:
        pattern, kind = _HIDDEN[word]
        for part in parts:
            if not pattern.fullmatch(part):
                raise NotationError(SAY("wrong.hidden", part=brief(part), what=word.lower()))
        return kind(tuple(parts))  # type: ignore[no-any-return]
    raise NotationError(SAY("wrong.order", text=brief(text)))


def ships(spans: Iterable[str], grid: SquareGrid) -> Ships | None:
    """The squares of ships given as "A1-A5"; None if one does not lie straight on the map."""
    found = []
    for span in spans:
        match = _SHIP.fullmatch(span)
        if not match or match[1] not in grid.names or match[2] not in grid.names:
            return None
        first, last = grid.number(match[1]), grid.number(match[2])
        (r, c), (r2, c2) = grid.place(first), grid.place(last)
        if first > last or (r != r2 and c != c2):
            return None
        found.append(tuple(range(first, last + 1, 1 if r == r2 else grid.columns)))
    return tuple(found)


def missiles(texts: Iterable[str], grid: SquareGrid) -> Missiles | None:
    """Missiles given as "B1=AIR"; None if one is not on the map."""
    found = []
    for text in texts:
        match = _MISSILE.fullmatch(text)
        if not match or match[1] not in grid.names:
            return None
        found.append((grid.number(match[1]), OWN.index(match[2])))
    return tuple(found)


def format_state(state: State, sea: Sea) -> str:
    """The state as one line."""
    return _codec(sea.grid).write(state)


def parse_state(text: str, sea: Sea) -> State:
    """The state of that notation. ``text``: as `format_state` gives it. ``sea``: what hides there: anything else is
    refused. NotationError naming the field that is wrong."""
    return _consistent(_codec(sea.grid).read(text), sea)


@cache
def _codec(grid: SquareGrid) -> Codec[State]:
    """States as text: squares by their names, a ship by her ends, ours and missiles by our ships' names."""
    names = grid.names
    square, ours = Form(names.__getitem__, grid.number), Form(OWN.__getitem__, OWN.index)
    ship = Form(lambda ship: f"{names[ship[0]]}-{names[ship[-1]]}", lambda span: _the_one(ships((span,), grid)))
    missile = Form(lambda each: f"{names[each[0]]}={OWN[each[1]]}", lambda text: _the_one(missiles((text,), grid)))
    forms = {
        int: upto(10**6), "scratched": bits(grid.size), "fleet": series(ship), "submarines": series(square),
        "missiles": series(missile), "afloat": series(ours), "helicopters": series(upto(10**6)),
        "flight": series(square), "result": one_of(("win", "loss")),
    }  # fmt: skip
    return Codec(State, forms)


def _the_one(found: tuple[Any, ...] | None) -> Any:
    if found is None:
        raise ValueError
    return found[0]


def _consistent(state: State, sea: Sea) -> State:
    """The state, if its parts fit together."""
    wrong = None
    phase = state.phase
    if (phase is Phase.FLEET) != (not state.fleet) or (state.fleet and not sea.is_fleet(state.fleet)):
        wrong = "fleet"
    elif state.submarines and not sea.are_submarines(state.fleet, state.submarines):
        wrong = "submarines"
    elif phase not in (Phase.FLEET, Phase.SUBMARINES, Phase.MISSILES) and not (
        sea.are_submarines(state.fleet, state.submarines)
        and sea.are_missiles(state.fleet, state.submarines, state.missiles)
    ):
        wrong = "missing"
    elif (phase is Phase.FLIGHT) != bool(state.flying and state.flight):
        wrong = "flight"
    elif any(not state.seen(s) for s in state.flight):
        wrong = "flight_square"
    elif state.afloat != tuple(sorted(set(state.afloat))):
        wrong = "afloat"
    elif any(n + FIRST_DESTROYER - 1 not in state.afloat for n in state.helicopters):
        wrong = "helicopter"
    elif (phase is Phase.END) != bool(state.result):
        wrong = "result"
    if wrong:
        raise NotationError(SAY(f"wrong.state.{wrong}"))
    return state
