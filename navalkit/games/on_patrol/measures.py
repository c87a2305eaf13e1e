"""Forecasts of hunts, for `navalkit calibration`: firing solutions, and what became of the torpedo."""

from __future__ import annotations
from collections.abc import Iterator, Sequence

import numpy as np

from navalkit.core.match import Match
from navalkit.core.words import from_percent, percent
from navalkit.players.generic import Account
from navalkit.players.review import Yardstick
from .board.conn import can_fire
from .board.scene import SAY
from .bots import BOTS
from .odds.solution import solutions
from .rules.game import OnPatrol, points, result, why_not_order
from .sea.scenario import names, scenario
from .sea.state import Order, Phase, Roll, Shot, State

Forecasts = Sequence[tuple[float, bool]]
LAST = 30  # turns of skipper's hunt from which the shot is taken


def shots(seed: int) -> Iterator[Forecasts]:
    """A firing solution: the chance that one torpedo on a course hits any ship."""
    rng = np.random.default_rng(seed)
    game = OnPatrol(scenario=str(rng.choice(names())))
    match, first = Match.new(game, seed), int(rng.integers(LAST))
    skipper = BOTS["skipper"](game)
    while not match.over:
        state = match.state
        order = match.legal()[0]
        assert isinstance(order, Order)  # she alone decides
        boat = state.boat(order.boat)
        if state.turn >= first and state.phase is Phase.BOATS and can_fire(state, boat, game.sea):
            found = [s for s in solutions(state, boat, game.sea) if s.total]
            orders = [Order(boat.id, (), None, (Shot(1, s.direction),)) for s in found]
            legal = [n for n, order in enumerate(orders) if why_not_order(state, order, game.sea) is None]
            if legal:
                chosen = int(rng.choice(legal))
                yield [(float(found[chosen].total), _hits(match, orders[chosen]))]
                return
        match.play(skipper.decide(match.observe(), match.legal(), rng).action)


def _hits(match: Match, order: Order) -> bool:
    """Whether the torpedo of an order hits and explodes; the boats do nothing more."""
    before = match.ply
    match.play(order)
    fired = next(t.id for n in range(before, match.ply + 1)
                 for t in match.at(n).torpedoes if t not in match.at(before).torpedoes)
    while True:
        for ply in match.plies[before:]:
            if isinstance(ply.action, Roll) and ply.action.task.actor == fired and ply.action.result == "hit":
                return True
        if match.over or all(torpedo.id != fired for torpedo in match.state.torpedoes):
            return False
        before = match.ply
        match.play(match.legal()[0])


class _Hints:
    """What hints say of the chance of one torpedo on the course with most points in view, fired then and there."""

    def __init__(self, name: str, title: str) -> None:
        self.scenario, self.__doc__ = name, SAY("calibrate.hints", start=title)

    def __call__(self, seed: int) -> Iterator[Forecasts]:
        game, rng = OnPatrol(scenario=self.scenario), np.random.default_rng(seed)
        match, skipper, first = Match.new(game, seed), BOTS["skipper"](game), int(rng.integers(game.sea.turns))
        while not match.over:
            state, hint = match.state, skipper.decide(match.observe(), match.legal(), rng)
            facts = {str(fact.name): fact.value for finding in hint.findings for fact in finding.facts}
            if "chance" in facts and state.turn >= first:
                boat = state.boat(hint.action.boat)
                courses = (each for each in solutions(state, boat, game.sea)
                           if (percent(each.total), each.best or "nobody") == (facts["chance"], facts["ship"]))
                orders = (Order(boat.id, (), None, (Shot(1, each.direction),)) for each in courses)
                order = next((each for each in orders if why_not_order(state, each, game.sea) is None), None)
                if order is not None:
                    yield [(from_percent(facts["chance"]), _hits(match, order))]
                    return
            match.play(hint.action)


HINTS = {f"hints_{name}": (_Hints(name, scenario(name).title), 400) for name in names()}
PREDICTIONS = {"shots": (shots, 500), **HINTS}  # which of the page's numbers are measured, and over how many games


# -- What a hunt came to: won with the points that its scenario asks for, and what decided it ------

def ACCOUNT(match: Match) -> Account:
    """What a finished hunt came to, in turns; the captain is its first player, and a draw is no win.

    It was decided by the goal reached, by boats lost, by damage that cost more than was sunk, or by time.
    """
    game, state = match.game, match.state
    assert isinstance(game, OnPatrol)
    if result(state, game.sea) == "win":
        decided = "goal"
    elif any(boat.sunk for boat in state.boats):
        decided = "boats"
    else:
        decided = "damage" if points(state) < 0 else "time"
    return Account(int(decided != "goal"), state.turn, "turns", decided=decided, clock=decided == "time")


# -- How the review after a hunt measures: in chances to reach the scenario's goal -----------------

def _reached(game: OnPatrol, state: State, me: int) -> float:
    """Whether the hunt has the points that its scenario asks for, and a boat afloat."""
    return float(result(state, game.sea) == "win")


# Who plays it out: the skipper, and one who minds depth charges less, but does as well. With Tamm in his place, who
# forgets every third order, the hunter group was won from the start with 30 %, where its card says 56.
REVIEW = Yardstick(("skipper", ("skipper", {"care": 0.6})), by=SAY.phrase("review.by"), worth=_reached, times=3)
