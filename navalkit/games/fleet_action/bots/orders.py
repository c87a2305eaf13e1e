"""The orders of the movement phase as the admiral weighs them: each ship's and division's best place, and the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from navalkit.grids.square_headings import HEADINGS, shifted

from ..cards.vessels import quarters
from ..rules import victory
from ..rules.movement import can_move, movers
from ..state import Action, Done, Fate, Lay, Leave, Move, Reload, Sweep
from .move import Survey, in_formation, survey
from .sea import Sea
from .tasks import passing

FIRST = 1.0  # what an order that is right counts above any move of the same ship


@dataclass(frozen=True, slots=True)
class Weighed:
    """An order that was weighed."""

    action: Move | Lay | Sweep | Reload | Leave
    gain: float  # what it is worth, in points of the scenario, against staying
    # for moves: each ship's survey, and which of its places she goes to
    places: tuple[tuple[Survey, int], ...] = ()
    key: str = "move"  # of the sentence that says why

    @property
    def who(self) -> str:
        """The ship or division that carries it out."""
        return self.action.who if isinstance(self.action, Move) else self.action.ship


Moves = dict[str, dict[tuple[int, int], Move]]
"""Ship or division -> where she can go, square and heading -> the order."""


def weigh(sea: Sea, legal: Sequence[Action]) -> list[Weighed]:
    """All orders of the movement phase that are worth more than staying, best first; of each ship or division the best
    few moves."""
    others: list[Weighed] = []
    moves = _moves(sea, legal)
    numbers, divisions = sea.battle.numbers, sea.battle.divisions
    surveys = _surveys(sea, moves)
    for action in legal:
        if not isinstance(action, Move) and (found := _special(sea, surveys, action)):
            others.append(found)
    found_moves: list[Weighed] = []
    for who, places in moves.items():
        if who in divisions:
            found_moves += _together(sea, who, places, surveys)
        elif (ship := numbers[who]) in surveys:
            found_moves += _alone(sea, surveys[ship], list(places.values()))
    return sorted((*others, *found_moves), key=lambda w: -w.gain)


def worth(sea: Sea, legal: Sequence[Action], action: Action) -> Weighed | str:
    """What one order is worth, whether or not the admiral would think of it; or where it is worth nothing, the key of
    the sentence that says why."""
    if isinstance(action, Done):
        return "stay"
    if not isinstance(action, Move):
        assert isinstance(action, Lay | Sweep | Reload | Leave)
        own = _moves(sea, [each for each in legal if isinstance(each, Move) and each.who == action.ship])
        return _special(sea, _surveys(sea, own), action) or type(action).__name__.lower()
    ships = movers(sea.battle, sea.view, action.who)
    names = {action.who, *(sea.battle.units[ship].name for ship in ships)}
    moves = _moves(sea, [each for each in legal if isinstance(each, Move) and each.who in names])
    surveys, place = _surveys(sea, moves), (sea.battle.grid.number(action.square), HEADINGS.index(action.heading))
    if action.who not in sea.battle.divisions:
        found, row = surveys[ships[0]], list(moves[action.who]).index(place) + 1
        return Weighed(action, float(found.total[row] - found.total[0]), ((found, row),))
    together = _in_company(sea, action.who, {place: action}, surveys)
    if not together:
        return "follow"
    return together[0] if together[0].gain >= _apart(surveys, ships) else "apart"


def _moves(sea: Sea, legal: Sequence[Action]) -> Moves:
    found: Moves = {}
    for action in legal:
        if isinstance(action, Move):
            place = sea.battle.grid.number(action.square), HEADINGS.index(action.heading)
            found.setdefault(action.who, {})[place] = action
    return found


def _surveys(sea: Sea, moves: Moves) -> dict[int, Survey]:
    """What the places of each ship are worth."""
    numbers = sea.battle.numbers
    return {numbers[who]: survey(sea, numbers[who], list(at)) for who, at in moves.items() if who in numbers}


def _alone(sea: Sea, found: Survey, actions: Sequence[Move]) -> list[Weighed]:
    gains = (found.total - found.total[0])[1:]
    best = np.argsort(-gains, kind="stable")[: int(sea.figures["options"])]
    return [Weighed(actions[i], float(gains[i]), ((found, int(i) + 1),)) for i in best]


def _together(sea: Sea, who: str, places: dict[tuple[int, int], Move], surveys: dict[int, Survey]) -> list[Weighed]:
    """A division's moves, if one is worth as much as what its ships would do alone, but for the formation they keep."""
    best = _in_company(sea, who, places, surveys)[: int(sea.figures["options"])]
    alone = _apart(surveys, movers(sea.battle, sea.view, who)) if best else 0.0
    return [w for w in best if w.gain >= alone]


def _apart(surveys: dict[int, Survey], ships: Sequence[int]) -> float:
    """What ships gain by the best that each does alone."""
    return sum(float(surveys[s].total.max() - surveys[s].total[0]) for s in ships)


def _in_company(
    sea: Sea, who: str, places: dict[tuple[int, int], Move], surveys: dict[int, Survey]
) -> list[Weighed]:
    """A division's moves in which all its ships can follow the guide, best first."""
    ships = movers(sea.battle, sea.view, who)
    if not all(ship in surveys for ship in ships):
        return []
    index = {ship: _index(surveys[ship]) for ship in ships}
    guide = sea.view.ships[ships[0]].square
    mates = len(sea.battle.divisions[who]) - 1
    kept = sum(in_formation(sea, ship) for ship in ships) * (len(ships) - 1) / mates
    found = []
    for (square, heading), action in places.items():
        ends = [_end(sea, guide, square, ship) for ship in ships]
        rows = [None if end is None else index[ship].get((end, heading)) for ship, end in zip(ships, ends, strict=True)]
        gain = 0.0
        pairs = []
        for ship, row in zip(ships, rows, strict=True):
            if row is not None:
                own = surveys[ship]
                gain += float(own.total[row] - own.total[0])
                pairs.append((own, row))
        if len(pairs) == len(ships):
            found.append(Weighed(action, gain + kept, tuple(pairs)))
    return sorted(found, key=lambda w: -w.gain)


def _index(found: Survey) -> dict[tuple[int, int], int]:
    return {(int(s), int(h)): i for i, (s, h) in enumerate(zip(found.at.squares, found.at.headings, strict=True))}


def _end(sea: Sea, guide: int, square: int, ship: int) -> int | None:
    """Where a ship ends if the guide goes to that square."""
    grid = sea.battle.grid
    (row, column), (to_row, to_column) = grid.place(guide), grid.place(square)
    return shifted(grid, sea.view.ships[ship].square, to_row - row, to_column - column)


# Other orders ---------------------------------------------------------------------------------------------------


def _special(sea: Sea, surveys: dict[int, Survey], action: Action) -> Weighed | None:
    """An order that is no move, if it is worth giving."""
    match action:
        case Leave(name):
            return _leave(sea, surveys.get(sea.battle.numbers[name]), action)
        case Reload(name) | Sweep(name):
            return _work(sea, surveys.get(sea.battle.numbers[name]), action)
        case Lay(name, squares):
            return _lay(sea, sea.battle.numbers[name], squares, action)
    return None


def _leave(sea: Sea, found: Survey | None, action: Leave) -> Weighed | None:
    """A ship that is paid for it leaves, unless that ends a battle that is lost; a wreck leaves before she sinks."""
    battle, ship = sea.battle, sea.battle.numbers[action.ship]
    card, own, gain = battle.card(ship), sea.view.ships[ship], sea.stakes.exit[ship]
    alone = sum(s.fate in (Fate.AT_SEA, Fate.WAITING) for s in (sea.view.ships[n] for n in battle.fleet(sea.me))) == 1
    ours, theirs = (victory.score(battle, sea.view, side) for side in (sea.me, 1 - sea.me))
    if alone and ours + gain < theirs:
        return None
    best = 0.0 if found is None else float(found.total.max())
    wreck = quarters(own.damage, card.sinking_rate) >= 3 and best < 0
    if not gain and not wreck:
        return None
    return Weighed(action, _most(found) + FIRST, key="leave")


def _work(sea: Sea, found: Survey | None, action: Reload | Sweep) -> Weighed | None:
    """Torpedoes are taken on, and mines swept, while nobody fires at the ship."""
    if found is not None and found.taken[0].sum() > 0:
        return None
    ship = sea.battle.numbers[action.ship]
    if isinstance(action, Sweep):
        square = sea.view.ships[ship].square
        here = any(f.square == square and f.side != sea.me for f in sea.view.fields)
        return Weighed(action, _most(found) + FIRST, key="sweep") if here else None
    empty = not sea.view.ships[ship].loaded
    return Weighed(action, _most(found) + FIRST, key="reload") if empty else None


def _lay(sea: Sea, ship: int, squares: int, action: Lay) -> Weighed | None:
    """Mines are laid where an enemy is likely to pass: the last squares of the way as far as all of them are."""
    own, passed = sea.view.ships[ship], passing(sea)
    sown = own.wake[-squares:] if own.wake else (own.square,)
    worth = [float(passed[s]) for s in sown]
    if min(worth) <= 0 or min(worth) < sea.figures["mining"] * float(passed.max()):
        return None
    return Weighed(action, sum(worth) + (FIRST if can_move(sea.view, ship) else 0.0), key="lay")


def _most(found: Survey | None) -> float:
    """The most that a move of hers gains."""
    return 0.0 if found is None else float(found.total.max() - found.total[0])
