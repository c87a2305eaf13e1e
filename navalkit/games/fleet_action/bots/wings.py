"""What captains do with their flights: strike what is in reach, launch what is ranged, guard, and bring them home."""

from __future__ import annotations
from collections.abc import Sequence

from navalkit.core.trace import Decision, Option
from navalkit.core.words import Words
from navalkit.grids.square import distance
from ..craft import Attack, Flight, Land, Launch, Patrol, Range
from ..rules.play import value
from ..rules.raiding import lowest
from ..sight import Observation
from ..state import Action, Done, Squadron

SAY = Words.load("navalkit.games.fleet_action", "data/bots_words.toml")
NEARLY_DRY = 2  # moves aloft with which a flight turns for home


def fly(seen: Observation, legal: Sequence[Action], name: str, unit: str) -> Decision:
    """The next order to a flight: the strike that does most, then launching and ranging, then home, then a patrol."""
    weighed = [(action, *_worth(seen, action)) for action in legal]
    action, worth, reason = max(weighed, key=lambda found: found[1])
    if worth <= 0:
        return Decision(Done(), name, SAY("why.fly_done"), options=(Option(Done()),), unit=unit)
    others = sorted((found for found in weighed if found[1] > 0), key=lambda found: (found[0] != action, -found[1]))
    options = tuple(Option(each, points, (), SAY("not.flight") * (each != action)) for each, points, _ in others)
    return Decision(action, name, reason, options=options, unit=unit)


def _worth(seen: Observation, action: Action) -> tuple[float, str]:
    """What an order is worth, in points of damage where it strikes; and why."""
    battle, view = seen.battle, seen.view
    if not isinstance(action, Attack | Launch | Range | Land | Patrol):
        return 0.0, ""
    number = battle.wings[action.flight]
    own, squadron = view.flights[number], battle.flights[number]
    if isinstance(action, Attack):
        ship = battle.numbers[action.target]
        if squadron.fighter:  # escorts go where bombers go
            mine = (other for n, other in enumerate(view.flights) if battle.flights[n].side == seen.me)
            going = any(other.mark == ship for other in mine)
            return (2.0 if going else 0.0), SAY("why.escort", flight=action.flight, target=action.target)
        load = squadron.drops[1] if squadron.plane.weapon != "charges" else squadron.plane.load
        mean = own.count * load * (7 - lowest(battle, view, ship)) / 6
        mean *= 1 + value(battle, ship) / 1000
        return 10 + mean, SAY("why.attack", flight=action.flight, target=action.target)
    if isinstance(action, Launch):
        return 5.0, SAY("why.launch", flight=action.flight)
    if isinstance(action, Range):
        return 3.0, SAY("why.range", flight=action.flight)
    if isinstance(action, Land):
        due = own.moves <= NEARLY_DRY or not (own.loaded or squadron.fighter)
        return (4.0 if due else 0.0), SAY("why.land", flight=action.flight, base=action.base)
    return _guard(seen, action, own, squadron)


def _guard(seen: Observation, action: Patrol, own: Flight, squadron: Squadron) -> tuple[float, str]:
    """A patrol over the ship that is worth most, unless it flies there already."""
    battle, ship = seen.battle, seen.battle.numbers[action.target]
    if own.mark == ship and distance(battle.grid, own.square, seen.view.ships[ship].square) == 0:
        return 0.0, ""
    dearest = max(battle.fleet(seen.me), key=lambda n: (seen.view.ships[n].square >= 0, value(battle, n)))
    return float(ship == dearest), SAY("why.patrol", flight=action.flight, target=action.target)
