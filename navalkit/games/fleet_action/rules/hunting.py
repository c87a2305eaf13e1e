"""The hunting of boats: who can listen, contact, charges and what is thrown ahead (rules F49 to F52)."""

from __future__ import annotations
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any

from navalkit.core.dist import Dist
from navalkit.core.errors import brief
from navalkit.core.words import Event
from navalkit.grids.square import distance
from .. import sight
from ..cards import SAY, TABLES, Gear
from ..craft import Charges, Contact, Hunt, Search, Seek
from ..state import Fate, Scenario, State, Step, Task, with_ship

BREAKS = {"charges": 40, "hedgehog": 60, "squid": 80}
"""Damage points of what tells, by weapon (rules F51, F52)."""
NEEDS = {"hedgehog": 6, "squid": 5}
"""The lowest die that hits, of what is thrown ahead."""
DEAF = 7  # a die that nobody throws


# The dice, exactly ----------------------------------------------------------------------------------------------

def contact(gear: Gear, away: int, rough: bool) -> Fraction:
    """The chance to hear a dived boat that many squares away (rule F50)."""
    return Fraction(max(0, 7 - lowest(gear, away, rough)), 6)


def lowest(gear: Gear, away: int, rough: bool) -> int:
    """The lowest die that makes contact. In high seas one more is needed; a 6 is still heard."""
    need = gear.own if away == 0 else gear.next if away == 1 else DEAF
    return need + 1 if rough and need < 6 else need


def pattern(gear: Gear) -> Dist[tuple[int, int]]:
    """Sixes of what is dropped or thrown at a boat, and those of them that tell (rules F51, F52). A six of a charge is
    thrown again; of what is thrown ahead every hit tells."""
    if gear.weapon != "charges":
        hits = 7 - NEEDS[gear.weapon]
        return Dist({(0, 0): 6 - hits, (1, 1): hits})
    return charges(gear.dice)


def charges(dice: int) -> Dist[tuple[int, int]]:
    """Sixes of a number of dice, and second sixes: (oil, telling) (rule F51)."""
    return Dist({(oil, telling): comb(dice, oil) * 5 ** (dice - oil) * 6 ** (dice - oil) * comb(oil, telling)
                 * 5 ** (oil - telling) for oil in range(dice + 1) for telling in range(oil + 1)})


# Orders (F49, F50) ----------------------------------------------------------------------------------------------

def gear_of(battle: Scenario, ship: int) -> Gear | None:
    """What a ship hunts with."""
    return TABLES.gear.get(battle.card(ship).gear)


def prey(battle: Scenario, state: State, side: int) -> bool:
    """Whether that side has an enemy boat left at sea."""
    return any(battle.side(ship) != side and state.ships[ship].fate is Fate.AT_SEA for ship in battle.boats)


def orders(battle: Scenario, state: State) -> Iterator[Seek]:
    """The searches that the side on turn can order."""
    if not prey(battle, state, state.side):
        return
    for ship in battle.fleet(state.side):
        if deaf(battle, state, ship) is None:
            for square in within(battle, state, ship):
                yield Seek(battle.units[ship].name, battle.grid.names[square])


def within(battle: Scenario, state: State, ship: int) -> tuple[int, ...]:
    """The squares that a hunter can search: her own, and with late gear the next."""
    own, gear = state.ships[ship].square, gear_of(battle, ship)
    assert gear is not None
    around = () if gear.next >= DEAF else tuple(sorted(battle.grid.around[own]))
    return (own, *(square for square in around
                   if square not in battle.land and distance(battle.grid, own, square) == 1))


def deaf(battle: Scenario, state: State, ship: int) -> str | None:
    """Why a ship cannot listen in this move, or None."""
    own, gear, name = state.ships[ship], gear_of(battle, ship), battle.units[ship].name
    if own.fate is not Fate.AT_SEA:
        return SAY("no.board", name=name)
    if gear is None:
        return SAY("no.gear", name=name)
    if own.square in battle.harbours[battle.side(ship)]:
        return SAY("no.harbour", name=name)
    if own.task is Task.RELOAD:
        return SAY("no.reloading", name=name)
    if own.went > gear.squares(state.move):
        return SAY("no.fast", name=name, n=gear.squares(state.move))
    if any(hunt.ship == ship for hunt in state.hunts):
        return SAY("no.hunted", name=name)
    return None


def why_not(battle: Scenario, state: State, action: Seek) -> str | None:
    """Why the side on turn cannot order that search, or None."""
    if action.ship not in battle.numbers:
        return SAY("no.ship", name=brief(action.ship))
    ship = battle.numbers[action.ship]
    if battle.side(ship) != state.side:
        return SAY("no.own", name=action.ship)
    if reason := deaf(battle, state, ship):
        return reason
    if not prey(battle, state, state.side):
        return SAY("no.prey")
    squares = [battle.grid.names[square] for square in within(battle, state, ship)]
    return None if action.square in squares else SAY("no.search", name=action.ship, squares=", ".join(squares))


def seek(battle: Scenario, state: State, action: Seek) -> Step:
    """A search is ordered; the other side learns nothing of it."""
    ship, square = battle.numbers[action.ship], battle.grid.number(action.square)
    facts: dict[str, Any] = {"order": str(action), "ship": action.ship, "target": action.square}
    event = SAY.event("F50", "ordered", to=frozenset((state.side,)), **facts)
    return replace(state, hunts=(*state.hunts, Hunt(ship, square))), (event,)


# The dice (F50 to F52) ------------------------------------------------------------------------------------------

def due(battle: Scenario, state: State) -> tuple[int, Hunt] | None:
    """The search whose die is thrown next, or whose charges fall; None if all is done."""
    for number, hunt in enumerate(state.hunts):
        if hunt.heard < 0 or (hunt.heard and hunt.oil < 0 and armed(battle, state, hunt)):
            return number, hunt
    return None


def armed(battle: Scenario, state: State, hunt: Hunt) -> bool:
    """Whether contact is followed by charges: in her own square, while she has any (rule F51)."""
    own = state.ships[hunt.ship]
    return own.square == hunt.square and own.patterns > 0


def boat_in(battle: Scenario, state: State, hunt: Hunt) -> int | None:
    """The dived enemy boat in the square of a search, the first of several."""
    side = battle.side(hunt.ship)
    return next((boat for boat in battle.boats if battle.side(boat) != side and state.ships[boat].dived
                 and state.ships[boat].fate is Fate.AT_SEA and state.ships[boat].square == hunt.square), None)


def chance(battle: Scenario, state: State) -> Dist[Any]:
    """The die of the search that is due, or its charges. The die is thrown whether there is a boat or not."""
    found = due(battle, state)
    assert found is not None
    _, hunt = found
    name, square, gear = battle.units[hunt.ship].name, battle.grid.names[hunt.square], gear_of(battle, hunt.ship)
    assert gear is not None
    if hunt.heard > 0:
        return pattern(gear).map(lambda sixes: Charges(name, square, *sixes))
    heard = Fraction(0)
    if boat_in(battle, state, hunt) is not None:
        heard = Fraction(max(0, 7 - _needed(battle, state, hunt)), 6)
    return Dist(((Contact(name, square, "contact"), heard), (Contact(name, square, "nothing"), 1 - heard)))


def _needed(battle: Scenario, state: State, hunt: Hunt) -> int:
    """The lowest die that makes contact in a search, if there is a boat; none in foul water (rules F50, F51)."""
    own, gear = state.ships[hunt.ship].square, gear_of(battle, hunt.ship)
    if gear is None or hunt.square in state.fouled:
        return DEAF
    return lowest(gear, distance(battle.grid, own, hunt.square), sight.rough(battle, state, own))


def listen(battle: Scenario, state: State, action: Contact) -> Step:
    """The die of a search: contact announces the boat's square; in vain, her own side alone may learn of it."""
    found = due(battle, state)
    assert found is not None
    number, hunt = found
    heard, side, boat = action.result == "contact", battle.side(hunt.ship), boat_in(battle, state, hunt)
    state = _put(state, number, replace(hunt, heard=int(heard)))
    facts: dict[str, Any] = {"ship": action.ship, "square": action.square}
    if heard:
        assert boat is not None
        return with_ship(state, boat, announced=True, heard=True), (SAY.event("F50", "contact", **facts),)
    search = Search(state.move, hunt.ship, hunt.square, _needed(battle, state, hunt))
    state = replace(state, searched=(*state.searched, search))
    events: list[Event] = [SAY.event("F50", "nothing", to=frozenset((side,)), **facts)]
    if boat is not None:
        to = frozenset((1 - side,))
        events.append(SAY.event("F50", "pinged", to=to, boat=battle.units[boat].name, square=action.square))
    return state, tuple(events)


def drop(battle: Scenario, state: State, action: Charges) -> Step:
    """Charges fall, or bombs are thrown ahead; what they do takes effect with all else of the move."""
    found = due(battle, state)
    assert found is not None
    number, hunt = found
    gear, boat = gear_of(battle, hunt.ship), boat_in(battle, state, hunt)
    assert gear is not None and boat is not None
    state = _put(state, number, replace(hunt, oil=action.oil, telling=action.telling))
    state = with_ship(state, hunt.ship, patterns=state.ships[hunt.ship].patterns - 1)
    if action.oil:
        state = with_ship(state, boat, oil=True)
    if gear.weapon == "charges":
        state = replace(state, fouled=tuple(sorted({*state.fouled, hunt.square})))
    facts: dict[str, Any] = {"ship": action.ship, "square": action.square, "oil": action.oil}
    facts |= {"telling": action.telling, "points": BREAKS[gear.weapon] * action.telling}
    rule = "F51" if gear.weapon == "charges" else "F52"
    return state, (SAY.event(rule, gear.weapon, **facts),)


def damage(battle: Scenario, state: State) -> dict[int, int]:
    """Boat -> damage points of this move's charges."""
    points: dict[int, int] = {}
    for hunt in state.hunts:
        gear, boat = gear_of(battle, hunt.ship), boat_in(battle, state, hunt)
        if hunt.telling and gear and boat is not None:
            points[boat] = points.get(boat, 0) + BREAKS[gear.weapon] * hunt.telling
    return points


def slot(battle: Scenario, state: State) -> str:
    """Names the dice of a search."""
    found = due(battle, state)
    assert found is not None
    _, hunt = found
    return f"move {state.move} {hunt.ship} {'charges' if hunt.heard > 0 else 'hunt'} {hunt.square}"


def _put(state: State, number: int, hunt: Hunt) -> State:
    hunts = list(state.hunts)
    hunts[number] = hunt
    return replace(state, hunts=tuple(hunts))
