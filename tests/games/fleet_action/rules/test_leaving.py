"""Who could still leave in time: held against playing on, order by order."""

from __future__ import annotations
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from navalkit.games.fleet_action import FleetAction
from navalkit.games.fleet_action.craft import DEPTHS
from navalkit.games.fleet_action.rules import boats, play, sailing
from navalkit.games.fleet_action.state import OFF, Fate, Move, Objective, Scenario, State, Task, with_ship
from navalkit.grids.square import distance
from ....samples import sizes
from ..battles import battle as fought

BOATS = fought("U 94 C4 E (U 94), Walker D8 N", "Ajax X9 W", 'moves = 9\n[[exit]]\nside = "Blue"\nsquares = ["E4"]')
SCENARIOS = ("denmark_strait", "iowa_convoy", "mined_strait", "night_convoy", "raider_hunt", "river_plate", "rudder",
             "wounded_cruiser")  # fmt: skip


def sails_out(battle: Scenario, state: State, ship: int) -> bool:
    """Whether orders lead her off the board: every order there is, move after move."""
    own = state.ships[ship]
    if own.fate is Fate.WAITING:
        first = max(state.move + 1, battle.units[ship].enters)
        there = (with_ship(replace(state, move=first - 1), ship, square=n, fate=Fate.AT_SEA)
                 for n in battle.units[ship].entry)
        return all(sails_out(battle, each, ship) for each in there)
    state = replace(state, weather=(), fields=(), side=battle.side(ship))
    ships = tuple(each if n == ship else replace(each, fate=Fate.LEFT, square=OFF)
                  for n, each in enumerate(state.ships))
    found = [replace(state, ships=ships)]
    for move in range(state.move + 1, battle.moves + 1):
        if any(each.ships[ship].square in battle.exits[battle.side(ship)] for each in found):
            return True
        after: dict[object, State] = {}
        for each in found:
            each = with_ship(replace(each, move=move), ship, task=Task.NONE, wake=(), loading=-1, still=False)
            for order in ("", *(order for order in sailing.orders(battle, each) if isinstance(order, Move))):
                there = boats.rest(battle, sailing.move(battle, each, order)[0] if order else each)[0]
                gone = there.ships[ship]
                after.setdefault((gone.square, gone.heading, gone.depth, gone.battery), there)
        found = list(after.values())
    return False


def positions(number: int) -> Iterator[tuple[Scenario, State, int]]:
    """Ships that are paid for leaving, near enough to an exit that it may go either way, with few moves to go."""
    rng = np.random.default_rng(12)
    for _ in range(number):
        game = BOATS if rng.random() < 0.2 else FleetAction(scenario=str(rng.choice(SCENARIOS)))
        battle, state = game.battle, game.initial()
        ship = int(rng.choice([n for side in (0, 1) if battle.exits[side] for n in battle.fleet(side)]))
        paid = Objective(battle.side(ship), "exit", (ship,), 10)
        sea = sorted(set(range(battle.grid.size)) - battle.land)
        near = [n for n in sea if min(distance(battle.grid, n, out) for out in battle.exits[paid.side]) < 8]
        screened = battle.screened and rng.random() < 0.3
        to_go = int(rng.integers(1, 5 if battle.card(ship).boat else 4))
        move = int(rng.integers(0, battle.screened + 1)) if screened else battle.moves - to_go
        battle = replace(battle, moves=min(battle.moves, move + to_go), objectives=(paid,))
        facts = {"heading": int(rng.integers(8)), "damage": int(rng.integers(battle.card(ship).sinking_rate + 1))}
        if battle.card(ship).boat:
            facts |= {"depth": DEPTHS[rng.integers(3)], "battery": int(rng.integers(3))}
        if state.ships[ship].fate is Fate.AT_SEA:
            facts["square"] = int(rng.choice(near))
        state = with_ship(replace(state, move=move), ship, screws=bool(rng.random() < 0.1), **facts)
        yield battle, state, ship


@sizes("ships", 40, 1_500)
def test_F37_who_could_leave_in_time_is_who_gets_away_by_playing_on(ships: int) -> None:
    found = [0, 0]
    for battle, state, ship in positions(ships):
        got = play.leaves_in_time(battle, state, ship)
        assert got == sails_out(battle, state, ship), (battle.key, battle.moves, state.move, state.ships[ship])
        found[got] += 1
    assert min(found) > ships / 10, found
