"""The turn, phase by phase (Q1): what each phase begins with, who is on turn in it, and what it ends with."""

from __future__ import annotations
import re
from collections.abc import Callable, Iterator, Mapping

from navalkit.core.codec import Codec, Form
from navalkit.core.errors import NotationError, brief
from navalkit.core.game import CHANCE
from navalkit.core.words import Event
from navalkit.grids.hex import DIRECTIONS, Hex
from navalkit.grids.hex_moves import Place
from ..combat import rolls as combat
from ..combat.damage import AWASH, STEP, Resolution, crush_tasks, star_shells
from ..combat.torpedoes import reload
from ..escort import prolonged
from ..escort.pattern import Step, assign, next_to_move, search_ends, sight
from ..sea.combat_tables import COMBAT
from ..sea.scenario import DEPTHS
from ..sea.state import (
    CAPTAIN,
    ESCORTS,
    Cause,
    Charge,
    EscortMove,
    Marker,
    MarkerKind,
    Order,
    Phase,
    Roll,
    Shot,
    State,
    Task,
    replace,
)
from ..sea.tables import SAY, TABLES, WHY, Sea, leave_map


def on_turn(state: State) -> int | None:
    """Who is to do something in this phase: `CHANCE`, a player, or nobody (None)."""
    if state.todo:
        return CHANCE
    if state.phase is Phase.ESCORTS and next_to_move(state):
        return ESCORTS
    if state.phase is Phase.BOATS and next_boat(state):
        return CAPTAIN
    if state.phase is Phase.END:
        return ESCORTS if state.moved else CAPTAIN if prolonged.next_boat(state) else None
    return None


def next_boat(state: State) -> str | None:
    """The boat to be given her order: in phase 8 by number, in the prolonged attack the one that is hunted next."""
    if state.phase is Phase.END:
        return prolonged.next_boat(state)
    return next((boat.id for boat in state.boats if boat.active and boat.id not in state.moved), None)


def start(state: State, sea: Sea) -> Step:
    """The first state: boats in sight are marked and the Escort Action Table consulted (104.2.2). A boat at 25 ft or
    less is taken for seen at the start, even by night."""
    seen = sight(state, sea)
    for boat in seen.state.boats:
        if boat.depth <= AWASH and seen.state.marker(boat.id) is None:
            kind = MarkerKind.VISIBLE if boat.depth else MarkerKind.SURFACED
            event = SAY.event("104.2.2", "seen_at_start", boat=boat.id, place=boat.place)
            seen = Step(seen.state.with_marker(Marker(boat.id, kind, boat.place, Cause.SEEN)), (*seen.events, event))
    sent = assign(seen.state)
    return Step(_noted(sent.state), seen.events + sent.events)


def _noted(state: State) -> State:
    """The state that remembers which boats have ever been found."""
    new = {marker.boat for marker in state.markers}.difference(state.found)
    return replace(state, found=tuple(sorted((*state.found, *new)))) if new else state


def proceed(state: State, sea: Sea) -> Step:
    """Go on from phase to phase until somebody is on turn or the game is over."""
    events: list[Event] = []
    state = _noted(state)
    while not state.over:
        while state.todo and not combat.still_due(state, state.todo[0]):
            state = replace(state, todo=state.todo[1:])
        if on_turn(state) is not None:
            break
        closed = _CLOSE[state.phase](state, sea) if state.phase in _CLOSE else Step(state)
        state = closed.state
        events += closed.events
        if not state.over:
            opened = _open(state, sea)
            state = replace(opened.state, todo=opened.tasks)
            events += opened.events
    return Step(_noted(state), tuple(events))


# How phases begin ------------------------------------------------------------------------------------------------

def _open(state: State, sea: Sea) -> Resolution:
    """The phase that follows, as it begins."""
    if state.phase is Phase.END:
        state = replace(state, turn=state.turn + 1, phase=Phase.CONVOY, moved=())
    else:
        state = replace(state, phase=Phase(state.phase + 1))
    return _OPEN.get(state.phase, combat.opening)(state, sea)


def _convoy(state: State, _sea: Sea) -> Resolution:
    return Resolution(state, (Task("fleet"),), (SAY.event("Q1", "turn", turn=state.turn),))


def _capital(state: State, sea: Sea) -> Resolution:
    left, events = leave_map(state, sea)
    return Resolution(left, (), events)


def _boats(state: State, _sea: Sea) -> Resolution:
    return reload(replace(state, moved=()))


def _star_shells(state: State, sea: Sea) -> Resolution:
    return star_shells(replace(state, moved=()), sea)


def _end(state: State, sea: Sea) -> Resolution:
    """Ships that sank last turn leave the sea; after the last turn the prolonged attack begins."""
    gone = [v.id for v in state.vessels if 0 < v.sunk < state.turn]
    events = tuple(SAY.event("D3", "gone", ship=id) for id in gone)
    state = replace(state, vessels=tuple(v for v in state.vessels if v.id not in gone))
    if state.turn < sea.turns or _ended(state):
        return Resolution(state, (), events)
    begun = prolonged.begin(state, sea)
    return Resolution(begun.state, begun.state.todo, (*events, *begun.events))


_OPEN: Mapping[Phase, Callable[[State, Sea], Resolution]] = {
    Phase.CONVOY: _convoy, Phase.CAPITAL: _capital, Phase.BOATS: _boats, Phase.STAR_SHELLS: _star_shells,
    Phase.END: _end
}


# How phases end --------------------------------------------------------------------------------------------------

def _exploded(state: State, sea: Sea) -> Step:
    """The charges of the turn are gone."""
    return sight(replace(state, charges=()), sea)


def _searched(state: State, sea: Sea) -> Step:
    seen = sight(state, sea)
    ended = search_ends(seen.state, sea)
    return Step(ended.state, seen.events + ended.events)


def _consult(state: State, sea: Sea) -> Step:
    """The game ends, or the Escort Action Table is consulted for the turn that follows."""
    if key := _ended(state) or ("end_turns" if state.turn >= sea.turns else ""):
        return Step(replace(state, over=True), (SAY.event("W3", key, turn=state.turn),))
    return assign(state)


def _ended(state: State) -> str:
    """Why nothing is left to do, "" if something is: torpedoes under way may still hit when the boats are gone."""
    if not any(not v.sunk for v in state.vessels):
        return "end_ships"
    return "" if state.torpedoes or any(boat.active for boat in state.boats) else "end_boats"


_CLOSE: Mapping[Phase, Callable[[State, Sea], Step]] = {
    Phase.TORPEDOES: sight, Phase.ATTACKS: _exploded, Phase.SEARCH: _searched, Phase.GUNFIRE: sight, Phase.BOATS: sight,
    Phase.STAR_SHELLS: sight, Phase.END: _consult
}
"""Boats in sight are marked at the end of every phase from the fourth on: while ships move, markers lie still, for
modes are fixed at the end of a turn (104.2.1)."""


def boat_moved(state: State, id: str) -> State:
    """The state once a boat has carried out her order in phase 8: after the last one, the sea presses on those that
    are too deep (H2)."""
    state = replace(state, moved=(*state.moved, id))
    return state if next_boat(state) else replace(state, todo=crush_tasks(state))


# -- Text <-> action and text <-> state of On Patrol -----------------------------------------------

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
    return EscortMove(escort,
                      tuple(map(_read_place, (places or "").split())),
                      tuple(Charge(weapon, escort, Hex.parse(at)) for weapon, _, at in marked))


def _parse_roll(line: str) -> Roll:
    match = _ROLL.fullmatch(line)
    if match is None:
        raise NotationError(WHY("notation.no_roll", line=brief(line)))
    kind, actor, target, at, detail, result = match.groups()
    return Roll(
        Task(kind,
             actor or "",
             target or "",
             Hex.parse(at) if at else None,
             tuple(map(_word, detail.split(", "))) if detail else ()),
        _word(result),
    )


def _word(text: str) -> str | int:
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text


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
