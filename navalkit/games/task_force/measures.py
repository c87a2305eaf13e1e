"""Forecasts of searches, for `navalkit calibration`: what the map shows, and what lay there."""

from __future__ import annotations
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from navalkit.core.awaited import Steps
from navalkit.core.files import read
from navalkit.core.game import Permute
from navalkit.core.match import Match
from navalkit.core.trace import Player
from navalkit.core.words import from_percent
from navalkit.grids.square import SquareGrid
from navalkit.players.review import Yardstick
from . import odds
from .belief import elsewhere, filled, searching
from .bots import BOTS, pressing
from .deduce import deduce
from .game import SMALL, TaskForce
from .state import CRUISER, EMPTY, HIT, MISSILES, SAY, SUBMARINE, UNSEEN, Observation, Phase, Scratch, State, contents

Forecasts = Sequence[tuple[float, bool]]


def PERMUTE(game: TaskForce) -> Permute:
    """What lays another sea under what ``game`` has shown, for `navalkit.testing`."""
    return lambda state, player, rng: elsewhere(game.observe(state, player), state, rng)


LOOKS = 3  # looks at the map in a game


def _looks(seed: int, game: TaskForce, looks: int) -> Iterator[tuple[Observation, str]]:
    """What is known at some moments of a search, and what lies on the whole map."""
    match, rng = Match.new(game, seed), np.random.default_rng(seed)
    captain: Player = BOTS["hunter"](game)
    seen = []
    while not match.over:
        seen.append(match.observe())
        match.play(captain.decide(seen[-1], match.legal(), rng).action)
    state = match.state
    chart = contents(game.sea.grid.size, state.fleet, state.submarines, state.missiles)
    for moment in sorted(rng.choice(len(seen), min(looks, len(seen)), replace=False)):
        yield seen[moment], chart


def _shown(seen: Observation, chart: str, what: str, sample: int) -> Forecasts:
    found = odds.posterior(seen, sample=sample)
    chances = found.hit if what == HIT else found.missile + found.submarine
    return [(float(chances.flat[square]), chart[square] in what) for square in seen.squares(UNSEEN)]


def ships(seed: int) -> Iterator[Forecasts]:
    """The map of ships: the chance that a square not scratched holds one."""
    return (_shown(seen, chart, HIT, odds.SAMPLE) for seen, chart in _looks(seed, TaskForce(), LOOKS))


def danger(seed: int) -> Iterator[Forecasts]:
    """The map of danger: the chance that a square not scratched holds a missile or a submarine."""
    looks = _looks(seed, TaskForce(), LOOKS)
    return (_shown(seen, chart, MISSILES + SUBMARINE, odds.SAMPLE) for seen, chart in looks)


def small(seed: int) -> Iterator[Forecasts]:
    """Both maps on a small sea, where every world is weighed."""
    for seen, chart in _looks(seed, TaskForce(**SMALL), 2 * LOOKS):
        for what in (HIT, MISSILES + SUBMARINE):
            yield _shown(seen, chart, what, odds.SAMPLE)


def certain(seed: int) -> Iterator[Forecasts]:
    """The squares that are proved: what is said to be certain there is so."""
    for seen, chart in _looks(seed, TaskForce(), LOOKS):
        proved = [(seen.sea.grid.number(str(f.facts[0].value)), str(f.facts[1].value)) for f in deduce(seen)]
        yield [(1.0, chart[square] in _MEANS[kind]) for square, kind in proved]


class _Hints:
    """What hints say of the chance of a hit, in searches by the captain who gives them."""

    def __init__(self, title: str, options: Mapping[str, Any]) -> None:
        self.options, self.__doc__ = options, SAY("calibrate.hints", start=title)

    def __call__(self, seed: int) -> Iterator[Forecasts]:
        game, rng = TaskForce(**self.options), np.random.default_rng(seed)
        match, planner, hit = Match.new(game, seed), BOTS["planner"](game), str(SAY.phrase("bot.hit"))
        while not match.over:
            hint = planner.decide(match.observe(), match.legal(), rng)
            match.play(hint.action)
            told = [fact.value for fact in hint.options[0].facts if str(fact.name) == hit]
            if told and isinstance(hint.action, Scratch):
                square = game.sea.grid.number(hint.action.square)
                state = match.state
                chart = contents(game.sea.grid.size, state.fleet, state.submarines, state.missiles)
                yield [(from_percent(str(told[0])), chart[square] == HIT)]


HINTS = {
    f"hints_{each['title'].lower().replace(' ', '_')}": (_Hints(each["title"], each.get("options", {})), 200)
    for each in read("navalkit.games.task_force", "starts.toml")["start"]
}
_MEANS = {"hit": HIT, "empty": EMPTY, "no_ship": EMPTY + MISSILES + SUBMARINE}
PREDICTIONS = {
    "ships": (ships, 100), "danger": (danger, 100), "small": (small, 1000), "certain": (certain, 150), **HINTS,
}
"""Which of the page's numbers are measured, and over how many games."""


# -- How the review after a game of Task Force measures: in own ships left at the end, over all seas that look alike

SAMPLE = 200  # weighted fleets from which the states are drawn


def _ships(game: TaskForce, state: State, me: int) -> float:
    return float(len(state.afloat)) if state.result == "win" else 0.0


def imagined(game: TaskForce, seen: Observation, n: int, rng: np.random.Generator) -> Steps[list[State]]:
    """``n`` states that look the same, by their odds."""
    found = yield from searching(seen, SAMPLE, rng, groups=2)
    scratched = sum(1 << square for square, mark in enumerate(seen.marks) if mark != UNSEEN)
    shown = State(seen.phase, scratched=scratched, afloat=seen.afloat, anti_air=seen.anti_air, strikes=seen.strikes,
                  helicopters=seen.helicopters, flying=seen.flying, flight=seen.flight)
    rows = rng.choice(len(found.weights), n, p=found.weights / found.weights.sum())
    return [filled(seen, shown, found, int(row), rng) for row in rows]


def rest(game: TaskForce, state: State, me: int, crew: Sequence[Player], rng: np.random.Generator) -> float:
    """Own ships left if the hunter scratches on to the end (rules T4 to T7 and T9, once more in plain numbers). Of
    squares that press alike it takes the first in an order drawn beforehand: with the same dice most choices are the
    same in two games that differ in little."""
    grid, chart = game.sea.grid, contents(game.sea.grid.size, state.fleet, state.submarines, state.missiles)
    marks = [mark if state.seen(square) else UNSEEN for square, mark in enumerate(chart)]
    order, near, nearby = rng.random(grid.size).tolist(), grid.neighbours, _within_two(grid)
    left = {square: (pressing(grid, marks, square)[0], order[square])
            for square, mark in enumerate(marks) if mark == UNSEEN}
    hits, afloat, shots = chart.count(HIT) - marks.count(HIT), list(state.afloat), state.anti_air
    flight = {n for s in state.flight for n in near[s]} if state.phase is Phase.FLIGHT else None
    while hits and afloat:
        square = max(left if flight is None else flight & left.keys(), key=left.__getitem__)
        mark = marks[square] = chart[square]
        del left[square]
        hits -= mark == HIT
        if flight is not None:
            flight |= set(near[square])
            if mark in MISSILES or mark == SUBMARINE or not flight & left.keys():
                flight = None
        elif mark == SUBMARINE:
            afloat.pop()
        elif mark in MISSILES and (target := MISSILES.index(mark)) in afloat:
            if CRUISER in afloat and shots:
                shots -= 1
            else:
                afloat.remove(target)
        for other in nearby[square]:
            if other in left:
                left[other] = pressing(grid, marks, other)[0], order[other]
    return 0.0 if hits else float(len(afloat))


@lru_cache(maxsize=8)
def _within_two(grid: SquareGrid) -> tuple[tuple[int, ...], ...]:
    """For every square those at most two steps away."""
    near = grid.neighbours
    return tuple(tuple({t for s in near[square] for t in (s, *near[s])}) for square in range(grid.size))


# The hunter alone: with the few fleets that there is time for, bayes may find none that fits what it sees
REVIEW = Yardstick(("hunter",), by=SAY.phrase("review.by"), adviser="planner",
                   unit=SAY.phrase("review.unit"), least=0.5, trifle=0.1, worth=_ships, worlds=imagined,
                   rest=rest, times=8)
