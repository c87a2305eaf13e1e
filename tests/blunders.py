"""Games of all five, played well but for one move that lost or cost most, with the step at which it was made."""

from __future__ import annotations
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from navalkit.core.game import TERMINAL
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.core.trace import Decision
from navalkit.games.on_patrol.odds.solution import solutions
from navalkit.games.on_patrol.sea.state import Order
from navalkit.players import player

RUNNER = """
title = "The runner"
blurb = "A supply ship is four moves from home."
sides = ["Germans", "British"]
sections = [2, 1]
moves = 4
exit = [{ side = "Germans", squares = ["P4", "P5", "P6"] }]
ship = [{ side = "Germans", name = "Altmark", at = "I5 E" }, { side = "British", name = "Jenkins", at = "B5 E" }]
objective = [
  { side = "Germans", aim = "exit", points = 100 },
  { side = "British", aim = "survive", points = 10 },
]
"""
SMALL = {"rows": 6, "columns": 6, "deep": 3, "fleet": "tiny", "anti_air": 0, "strike_fighters": 0, "helicopters": False}


class Blundered(NamedTuple):
    """A game that is over: the step of the blunder, from 1, and what its captain would have done there."""

    match: Match
    step: int
    better: Any


def blundered(name: str, seed: int = 0) -> Blundered:
    """A game of that name with a blunder of the first player's; the first of `SEEDS` unless another is asked for."""
    options, captain, blunder = CASES[name]
    seed = seed or SEEDS[name][0]
    game = load(name, **options)
    match, rng, step, better = Match.new(game, seed), np.random.default_rng(seed), 0, None
    players = [player(captain, game) for _ in game.players]
    while not match.over:
        best = players[match.turn].decide(match.observe(), match.legal(), rng)
        worse = None if step else blunder(match, best)
        if worse is not None:
            step, better = match.ply + 1, best.action
        match.play(best.action if worse is None else worse)
    return Blundered(match, step, better)


def _stays(match: Match, best: Decision) -> Any:
    """Fleet Action: she is home, and does not leave the board on the last move."""
    stay = match.game.parse_action("done")
    return stay if str(best.action) == "Altmark: leave" else None


def _wide_of_her(match: Match, best: Decision) -> Any:
    """On Patrol: all that is loaded runs on a course on which it hits nobody, where one torpedo in three would."""
    order = best.action
    if not isinstance(order, Order) or not order.shots:
        return None
    boat = match.state.boat(order.boat)
    there = replace(boat, place=(boat.place, *order.path(boat.place))[-1])
    chances = {each.direction: each.total for each in solutions(match.state, there, match.game.sea)}
    if max(chances[shot.direction] for shot in order.shots) < 1 / 3:
        return None
    salvo = order.shots[0]._replace(number=sum(shot.number for shot in order.shots))
    wide = (order._replace(shots=(salvo._replace(direction=course),)) for course in chances if not chances[course])
    return next((each for each in wide if match.game.why_not(match.state, each) is None), None)


def _into_the_missile(match: Match, best: Decision) -> Any:
    """Task Force: the last ship but one is risked on the worst square there is."""
    valued = [option for option in best.options if option.value is not None]
    if len(match.state.afloat) > 1 or not valued:
        return None
    return min(valued, key=lambda option: option.value or 0).action


def _dear(match: Match, best: Decision) -> Any:
    """USS Lox: the worst there is, where that costs five thousand tons of what could be hoped for."""
    values = {option.action: float(option.value) for option in best.options if option.value is not None}
    worst = min(values, key=lambda action: values[action], default=None)
    return worst if worst is not None and max(values.values()) - values[worst] > 5000 else None


def _strike_left(match: Match, best: Decision) -> Any:
    """Wolf Pack: she passes where her card would have won."""
    won = match.turn == 0 and match.game.turn(match.game.apply(match.state, best.action).state) == TERMINAL
    return match.game.parse_action("pass") if won else None


Blunder = Callable[[Match, Decision], Any]
CASES: dict[str, tuple[dict[str, Any], str, Blunder]] = {
    "fleet-action": ({"custom": RUNNER}, "admiral", _stays),
    "on-patrol": ({"scenario": "lone-merchant"}, "skipper", _wide_of_her),
    "task-force": (SMALL, "planner", _into_the_missile),
    "uss-lox": ({}, "optimal", _dear),
    "wolf-pack": ({"transports": 2, "u_boats": 2}, "careful", _strike_left),
}
"""Options, the captain in all seats, and the blunder."""
SEEDS: dict[str, tuple[int, ...]] = {
    "fleet-action": (1, 4, 5, 6, 8, 9),
    "on-patrol": (1, 6, 8, 9, 10, 15),
    "task-force": (38, 53, 65, 102, 107, 135),
    "uss-lox": (3, 9, 12, 16, 23, 29),
    "wolf-pack": (25, 35, 68, 79, 89, 116),
}
"""Seeds of each whose game has its blunder and is lost: the first there are."""
