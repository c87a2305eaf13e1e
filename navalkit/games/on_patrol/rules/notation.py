"""Text <-> action and text <-> state of On Patrol."""

from __future__ import annotations

import re
from collections.abc import Iterator

from navalkit.core.echo import brief
from navalkit.core.errors import NotationError
from navalkit.core.files.codec import Codec, Form
from navalkit.grids.hex import DIRECTIONS, Hex, Place

from ..combat.hull import STEP
from ..sea.actions import EscortMove, Order, Roll, Shot
from ..sea.combat_tables import COMBAT
from ..sea.say import WHY
from ..sea.scenario import DEPTHS
from ..sea.state import Charge, State, Task
from ..sea.tables import TABLES

Action = Order | EscortMove | Roll

LONGEST_WAY = 30  # hexes of an order that is still read

_ID = r"[A-Z][0-9]{1,4}"
_HEX = r"-?[A-Z]{1,4}-?[0-9]{1,4}"
_CHARGE = rf"(?:{'|'.join(COMBAT.weapons)}) ON {_HEX}".upper()
_ESCORT = re.compile(rf"(E[0-9]{{1,4}}) (?:STAYS|TO((?: {_HEX}/[1-6])+))((?:, {_CHARGE})*)")
_ROLL = re.compile(rf"roll ([a-z]+)(?: ({_ID}))?(?: against ({_ID}))?(?: at ({_HEX}))?(?: \(([^()=]+)\))? = ([^=]+)")
_TURNS = {"PORT": -1, "AHEAD": 0, "STARBOARD": 1}
_DEPTH = ("DIVE", "RISE", "DEPTH")
_TORPEDOES = {type.upper(): type for type in COMBAT.torpedoes}


def parse_action(text: str) -> Action:
    """The action of that notation; extra blanks do not matter.

    ``text``: an order such as "S1 ahead 2 port, depth 50, fire 2 at 3": ``ahead n`` hexes; ``port`` or ``starboard`` is
    a turn of 60 degrees and then one hex, or n; ``depth``, ``dive`` or ``rise`` to some feet, ``surface`` for 0;
    ``fire`` a number of torpedoes, of a type if one is named, on a course from 1 to 6. What is left out stays as it is.
    An escort's move is "E1 to M21/3 M22/3, depth charge on M20" or "E1 stays", a roll "roll fleet = 3". NotationError
    if it is none of these.
    """
    line = " ".join(text.split())
    if line.lower().startswith("roll "):
        return _parse_roll(line)
    upper = line.upper()
    return _parse_escort(upper) if upper.startswith("E") else _parse_order(upper)


def _parse_order(line: str) -> Order:
    words = _Words(line)
    boat = words.take()
    if not re.fullmatch(r"S[1-9]", boat):
        raise NotationError(WHY("notation.no_order_begin", line=brief(line)))
    turns: list[int] = []
    depth: int | None = None
    shots: list[Shot] = []
    while word := words.take():
        if word in _TURNS and depth is None and not shots:
            number = words.number(1)
            if not 1 <= number <= LONGEST_WAY - len(turns):
                facts = {"word": word.lower(), "number": number, "most": LONGEST_WAY}
                raise NotationError(WHY("notation.way_has_hexes", **facts))
            turns += [_TURNS[word], *(0,) * (number - 1)]
        elif word in _DEPTH and depth is None and not shots:
            depth = words.number(None)
        elif word == "SURFACE" and depth is None and not shots:
            depth = 0
        elif word == "FIRE":
            number = words.number(None)
            type = _TORPEDOES.get(words.peek(), "")
            if type:
                words.take()
            words.expect("AT")
            shots.append(Shot(number, words.number(None), type))
        else:
            raise NotationError(WHY("notation.does_not_belong", word=brief(word.lower()), line=brief(line)))
    return Order(boat, tuple(turns), depth, tuple(shots))


class _Words:
    """The words of an order, one after the other; commas only divide."""

    def __init__(self, line: str) -> None:
        self.line, self.words = line, line.replace(",", " ").split()

    def peek(self) -> str:
        return self.words[0] if self.words else ""

    def take(self) -> str:
        """The next word, "" after the last."""
        return self.words.pop(0) if self.words else ""

    def expect(self, word: str) -> None:
        if (found := self.take()) != word:
            stands = brief(found or WHY("notation.end"))
            raise NotationError(WHY("notation.needs_word", line=brief(self.line), word=word.lower(), found=stands))

    def number(self, default: int | None) -> int:
        """The next word as a number, or the default if it is none (None: it must be one)."""
        if re.fullmatch(r"[0-9]{1,4}", self.peek()):
            return int(self.take())
        if default is None:
            found = brief(self.peek() or WHY("notation.end"))
            raise NotationError(WHY("notation.needs_number_where", line=brief(self.line), found=found))
        return default


def _parse_escort(line: str) -> EscortMove:
    match = _ESCORT.fullmatch(line)
    if match is None:
        raise NotationError(WHY("notation.no_move_escort", line=brief(line)))
    escort, places, charges = match.groups()
    marked = (charge.lower().rpartition(" on ") for charge in charges.split(", ")[1:])
    return EscortMove(
        escort,
        tuple(map(_read_place, (places or "").split())),
        tuple(Charge(weapon, escort, Hex.parse(at)) for weapon, _, at in marked),
    )


def _parse_roll(line: str) -> Roll:
    match = _ROLL.fullmatch(line)
    if match is None:
        raise NotationError(WHY("notation.no_roll", line=brief(line)))
    kind, actor, target, at, detail, result = match.groups()
    return Roll(
        Task(
            kind,
            actor or "",
            target or "",
            Hex.parse(at) if at else None,
            tuple(map(_word, detail.split(", "))) if detail else (),
        ),
        _word(result),
    )


def _word(text: str) -> str | int:
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text


# States ----------------------------------------------------------------------------------------------------------


def _read_place(text: str) -> Place:
    """The place of "M20/3" (NotationError if it is none)."""
    label, slash, direction = text.partition("/")
    if not slash or direction not in map(str, DIRECTIONS):
        raise NotationError(WHY("notation.no_place_write", text=brief(text)))
    return Place(Hex.parse(label), int(direction))


_FORMS = {Hex: Form(str, Hex.parse), Place: Form(lambda place: f"{place.bow}/{place.direction}", _read_place)}
STATES = Codec(State, _FORMS)
"""States as text: hexes by their labels, places as "M20/3"."""


def format_state(state: State) -> str:
    """The state as one line."""
    return STATES.write(state)


def parse_state(text: str) -> State:
    """The state of that notation; NotationError if a field is wrong, or what stands in them does not fit together; the
    sentence says which."""
    state = STATES.read(text)
    if wrong := next(_misfits(state), None):
        raise NotationError(WHY("notation.state_does_not", wrong=wrong))
    return state


def _misfits(state: State) -> Iterator[str]:
    """What does not fit together in a state."""
    if state.package not in TABLES.packages:
        yield WHY("notation.no_package", package=brief(state.package))
    if state.fleet.row not in TABLES.fleet:
        yield WHY("notation.fleet_movement_table", row=brief(state.fleet.row))
    ids = [*(v.id for v in state.vessels), *(b.id for b in state.boats), *(t.id for t in state.torpedoes)]
    if twice := next((id for id in ids if ids.count(id) > 1), None):
        yield WHY("notation.twice", twice=twice)
    for vessel in state.vessels:
        if vessel.type not in TABLES.vessels or TABLES.vessels[vessel.type].role is not vessel.role:
            yield WHY("notation.no_type", vessel=vessel.id, role=vessel.role, type=brief(vessel.type))
    for boat in state.boats:
        if boat.type not in TABLES.boats:
            yield WHY("notation.no_known_type", boat=boat.id, type=brief(boat.type))
        elif not 0 <= boat.hull <= TABLES.boats[boat.type].hull or (boat.hull == 0) != (boat.sunk > 0):
            yield WHY("notation.has_hull_points", boat=boat.id, hull=boat.hull)
        if boat.depth not in DEPTHS:
            yield WHY("notation.ft_depths_go", boat=boat.id, depth=boat.depth, deepest=DEPTHS[-1], by_feet=STEP)
        for type in (*(t.torpedo for t in boat.tubes), *(t for t, _ in boat.reloads)):
            if type and type not in COMBAT.torpedoes:
                yield WHY("notation.has_torpedo_which", boat=boat.id, type=brief(type))
    active = [boat.id for boat in state.boats if boat.active]
    marked = [marker.boat for marker in state.markers]
    if any(boat not in active for boat in marked) or sorted(set(marked)) != marked:
        yield WHY("notation.markers_lie_one")
    for torpedo in state.torpedoes:
        if torpedo.type not in COMBAT.torpedoes:
            yield WHY("notation.type_which_not", torpedo=torpedo.id, type=brief(torpedo.type))
    for charge in state.charges:
        if charge.weapon not in COMBAT.weapons:
            yield WHY("notation.no_weapon", weapon=brief(charge.weapon))
