"""House and referee agree on Task Force: what may hide where, missiles, torpedoes and flights, and what is certain."""

from __future__ import annotations
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.games.task_force.deduce import deduce
from navalkit.games.task_force.odds import count_fleets
from ..samples import sizes
from . import task_force
from .driver import agree, load
from .tables import TASK_FORCE

SILENT = {f"T{rule}" for rule in "1a 1b 1c 1d 1e 1f 2a 2b 2c 2d 3b 4a 7b 9c 9d 10".split()}
"""Rules of what is hidden, and of what may be done, have no event."""
SEAS: tuple[dict[str, Any], ...] = (
    {"rows": 5, "columns": 5, "deep": 3, "fleet": "small", "submarines": 1, "missiles": 1},
    {"rows": 4, "columns": 5, "deep": 2, "fleet": "small", "submarines": 1, "missiles": 1},
    {"rows": 4, "columns": 4, "deep": 2, "fleet": "tiny", "submarines": 2, "missiles": 0},
    {"rows": 4, "columns": 5, "deep": 3, "fleet": "tiny", "submarines": 1, "missiles": 1},
)


@sizes("positions", 1_000, 2_000)
def test_house_and_referee_agree(positions: int) -> None:
    agree(TASK_FORCE, positions, silent=SILENT)


@pytest.mark.slow
def test_house_and_referee_agree_over_a_long_run() -> None:
    agree(TASK_FORCE, 150_000, seed=1_000_000, silent=SILENT)


@pytest.mark.parametrize("options", SEAS, ids=str)
def test_the_house_hides_every_legal_fleet_and_no_other(options: dict[str, Any]) -> None:
    house = nk.load("task-force", **options)
    chance = house.chance(house.initial())
    fleets = list(task_force.fleets(house.options))
    sea = {key: options[key] for key in ("rows", "columns", "deep", "fleet")}
    assert len(fleets) == count_fleets(**sea)
    for ships in fleets:
        spans = sorted((f"{ship[0]}-{ship[-1]}" for ship in ships), key=task_force.in_order)
        assert house.parse_action("fleet " + " ".join(spans)) in chance


def hiding_places_agree(games: int, seed: int) -> int:
    """What is hidden, and the same with one thing moved: both say whether it may hide like this."""
    asked = legal = 0
    for number in range(seed, seed + games):
        rng = np.random.default_rng(number)
        house = load(TASK_FORCE, rng)
        state, game = TASK_FORCE.begin(house, rng)
        squares = task_force.squares(house.options)
        while task_force.turn(game) == "chance":
            action = house.chance(state).pick(number)
            for _ in range(20):
                text = _moved(rng, str(action), squares)
                allowed = task_force.may_hide(game, text)
                assert (house.why_not(state, house.parse_action(text)) is None) == allowed, (
                    f"{house!r}: {house.format_state(state)}\n{text}\nreferee: {allowed}"
                )
                asked, legal = asked + 1, legal + allowed
            state, game = house.apply(state, action).state, task_force.play(game, str(action))
    assert 0.02 < legal / asked < 0.98
    return asked


def _moved(rng: np.random.Generator, text: str, squares: list[str]) -> str:
    """The same text with one ship, submarine or missile somewhere near or far, in the order of the map."""
    word, *parts = text.split()
    if parts:
        i = int(rng.integers(len(parts)))
        square, rest = parts[i].split("=")[0].split("-")[0], parts[i][len(parts[i].split("=")[0].split("-")[0]) :]
        near = [s for s in task_force.beside(square) if s in squares]
        to = str(rng.choice(near if rng.random() < 0.7 else squares))
        if word == "fleet":
            (c, r), (c2, r2) = task_force.place(square), task_force.place(rest[1:])
            column, row = task_force.place(to)
            rest = f"-{task_force.LETTERS[min(13, column + c2 - c)]}{row + r2 - r + 1}"
        parts[i] = to + rest
    return " ".join((word, *sorted(parts, key=task_force.in_order)))


def test_hiding_places_agree() -> None:
    hiding_places_agree(15, 0)


@pytest.mark.slow
def test_hiding_places_agree_in_a_long_run() -> None:
    hiding_places_agree(1_500, 1_000)


WORDS = {"-": "empty", "x": "hit", "s": "submarine", **dict(zip("AC123", task_force.OWN, strict=True))}


def deductions(options: dict[str, Any], games: int, seed: int) -> tuple[int, int]:
    """Certain squares by walking through all maps, and how many of them the house proves; none may be untrue."""
    house = nk.load("task-force", **options)
    fleets = list(task_force.fleets(house.options))
    known = proved = 0
    for number in range(seed, seed + games):
        rng = np.random.default_rng(number)
        match = nk.Match.new(house, number)
        while not match.over:
            view = house.observe(match.state, 0)
            names = task_force.squares(house.options)
            seen = {s: WORDS[mark] for s, mark in zip(names, view.marks, strict=True) if mark != "."}
            sure = task_force.certain(house.options, seen, fleets)
            facts = [{fact.name: fact.value for fact in finding.facts} for finding in deduce(view)]
            said = {fact["square"]: fact["certain"].replace("_", " ") for fact in facts}
            for square, what in said.items():
                assert sure.get(square) == what or (what, sure.get(square)) == ("no ship", "empty"), (
                    f"{house!r}\n{view}\n{square}: the house says {what}, and all maps say {sure.get(square)}"
                )
            known, proved = known + len(sure), proved + sum(said.get(s) == what for s, what in sure.items())
            legal = match.legal()
            match.play(legal[int(rng.integers(len(legal)))])
    return known, proved


@pytest.mark.parametrize("options", SEAS, ids=str)
def test_what_the_house_proves_is_true(options: dict[str, Any]) -> None:
    known, proved = deductions(options, 4, 0)
    print(f"{proved} of {known} certain squares are proved.")
    assert proved == known
