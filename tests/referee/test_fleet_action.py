"""House and referee agree on Fleet Action: ways of ships and divisions, arcs, fire, mines, damage, turrets, sight."""

from __future__ import annotations
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from navalkit.games.fleet_action import FleetAction
from navalkit.games.fleet_action.craft import Place
from navalkit.games.fleet_action.rules.play import leaves_in_time, verdict
from navalkit.games.fleet_action.state import OFF, Fate, Phase, with_flight, with_ship
from navalkit.grids.square import distance
from ..samples import sizes
from .craft_tables import FLEET_CRAFT, SCENARIOS, position as craft
from .driver import agree, one_game
from .fleet_action import end_of_move, gets_away
from .fleet_tables import FLEET_ACTION, position

SILENT = {f"F{rule}" for rule in "1 1a 3 4 6 7 8 9 10 11 13 14 18 25 27 29 30 31 32 33 36 39 40".split()}
"""Rules that no event belongs to: the board, how far and where ships go, what guns bear, what is seen."""
SILENT |= {f"F{rule}" for rule in range(41, 69)}  # boats and aircraft have a table of their own
RARE = {"F12", "F21", "F22", "F34", "F35"}
"""Harbours, islands and exits are not the referee's business; random ships seldom come there."""
LEAVERS = "denmark_strait", "iowa_convoy", "mined_strait", "raider_hunt", "river_plate"


def test_house_and_referee_agree() -> None:
    agree(FLEET_ACTION, 1_500, silent=SILENT, rare=RARE)


@pytest.mark.slow
def test_house_and_referee_agree_over_a_long_run() -> None:
    agree(FLEET_ACTION, 120_000, seed=1_000_000, silent=SILENT, rare=RARE)


def test_house_and_referee_agree_on_boats_and_aircraft() -> None:
    """Orders to boats, hunters and flights, all their dice, who sees whom, and what orders leave."""
    counted: Counter[str] = Counter()
    agreed = sum(one_game(FLEET_CRAFT, seed, counted) for seed in range(12))
    assert agreed > 300 and {f"F{rule}" for rule in (44, 50, 55, 56, 63, 64, 66)} <= set(counted)


@sizes("ships", 60, 1_500)
def test_house_and_referee_agree_on_who_could_leave_in_time(ships: int) -> None:
    """A ship anywhere within reach of her exit, as the last moves run out (F37)."""
    rng, found = np.random.default_rng(37), Counter[bool]()
    for _ in range(ships):
        house = FleetAction(scenario=str(rng.choice(LEAVERS)))
        board, state = house.battle, house.initial()
        paid = next(aim for aim in board.objectives if aim.aim == "exit")
        ship = int(rng.choice(paid.of))
        exits = board.exits[paid.side]
        sea = sorted(set(range(board.grid.size)) - board.land)
        near = [n for n in sea if min(distance(board.grid, n, there) for there in exits) < 9]
        hurt = int(rng.integers(board.card(ship).sinking_rate + 1))
        if state.ships[ship].fate is Fate.AT_SEA:
            state = with_ship(state, ship, square=int(rng.choice(near)), heading=int(rng.integers(8)))
        first = 0 if board.screened and rng.random() < 0.3 else board.moves - 4
        state = replace(with_ship(state, ship, damage=hurt), move=first + int(rng.integers(4)))
        board = replace(board, moves=min(board.moves, state.move + 3))
        told = leaves_in_time(board, state, ship)
        battle = position(SimpleNamespace(battle=board), state)
        assert told == gets_away(battle, battle["ships"][board.units[ship].name]), (board.key, board.moves, state)
        found[told] += 1
    assert min(found[True], found[False]) > ships / 10, found


def test_F37_house_and_referee_agree_on_whether_a_side_has_anything_left() -> None:
    """Sides of few ships, or of none, with flights below, aloft, to come, at home or lost (F37)."""
    rng, found = np.random.default_rng(38), Counter[tuple[bool, bool]]()
    for _ in range(120):
        house = FleetAction(scenario=str(rng.choice(SCENARIOS)))
        board, state = replace(house.battle, total=0), house.initial()
        sunk = [n for side in (0, 1) if rng.random() < 0.6 for n in board.fleet(side)]
        for n in sunk:
            state = with_ship(state, n, fate=Fate.SUNK, square=OFF, damage=board.card(n).sinking_rate + 1)
        for n, squadron in enumerate(board.flights):
            places = [Place.BELOW, Place.LOST] if squadron.base >= 0 else [Place.COMING, Place.HOME, Place.LOST]
            place = (Place.ALOFT, *places)[int(rng.integers(len(places) + 1))] if rng.random() < 0.5 else Place.LOST
            square = int(rng.integers(board.grid.size)) if place is Place.ALOFT else OFF
            state = with_flight(state, n, place=place, square=square, came=square,
                                count=0 if place is Place.LOST else squadron.count)
        told = verdict(board, state)[0].phase is Phase.END
        battle = craft(SimpleNamespace(battle=replace(board, objectives=())), state)
        assert told == end_of_move(battle), (board.key, state)
        found[told, bool(sunk)] += 1
    assert min(found[True, True], found[False, True]) > 10, found


@pytest.mark.slow
def test_house_and_referee_agree_on_boats_and_aircraft_over_a_long_run() -> None:
    agreed, seed, counted = 0, 1_000_000, Counter[str]()
    while agreed < 30_000:
        agreed += one_game(FLEET_CRAFT, seed, counted)
        seed += 1
    assert {f"F{rule}" for rule in (41, 44, 45, 48, 50, 51, 55, 56, 57, 63, 64, 66, 67)} <= set(counted)
