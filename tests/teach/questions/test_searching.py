"""The lost boat of lesson 12: its battle, and its chances beside all her walks, counted one by one."""

from __future__ import annotations
from fractions import Fraction
from itertools import product

import pytest

from navalkit.games.fleet_action import lesson
from navalkit.teach.formulas import unheard

WAYS = ("", "N", "E", "S", "W")


def walked(known: str, steps: tuple[str, ...]) -> list[str]:
    """The squares she is in, move by move; none if she would leave the board."""
    column, row, found = ord(known[0]), int(known[1:]), []
    for step in steps:
        column += (step == "E") - (step == "W")
        row += (step == "S") - (step == "N")
        found.append(f"{chr(column)}{row}")
    return found


@pytest.mark.parametrize("sweeps", [["E5"], ["E5", ""], ["E5 E5", "E4"], ["E5 E6", "E5 E6", ""]])
def test_the_chances_are_those_of_all_walks(sweeps) -> None:
    heard, weights = Fraction(1, 3), dict[str, Fraction]()
    for steps in product(WAYS, repeat=len(sweeps)):  # far from the edge all walks are alike
        places, weight = walked("E5", steps), Fraction(1)
        for place, sweep in zip(places, sweeps, strict=True):
            weight *= (1 - heard) ** sweep.split().count(place)
        weights[places[-1]] = weights.get(places[-1], Fraction(0)) + weight
    total = sum(weights.values())
    for square, weight in weights.items():
        assert lesson.place_chance(square, "E5", sweeps) == weight / total
    best = lesson.best_search("E5", sweeps)
    assert weights[best] == max(weights.values())
    assert lesson.place_chance("A1", "E5", sweeps) == 0


def test_one_search_in_vain_is_a_step_of_the_walk() -> None:
    assert lesson.place_chance("E5", "E5", ["E5"]) == pytest.approx(unheard(0.2, 1 / 3))
    assert unheard(1, 0.5) == 1 and unheard(0.5, 1) == 0


def test_the_battle_of_the_hook_tells_what_the_lesson_tells() -> None:
    match = lesson.lost_contact()
    told = [event for ply in match.plies for event in ply.events]
    heard = [(event.kind, event.facts["square"]) for event in told if event.kind in ("contact", "nothing")]
    assert heard == [("contact", "E5"), ("nothing", "E5"), ("nothing", "E5")]
    since = [event.kind for ply in match.plies[6:] for event in ply.events if event.to is None or 0 in event.to]
    assert not {"oil", "periscope", "surfaced"} & set(since), "the lesson says that she was not heard of again"
    boat = match.game.battle.numbers["U 552"]
    assert match.game.battle.grid.names[match.state.ships[boat].square] == "E3"  # two squares off, as the hook tells


def test_a_sea_of_chances_is_told_in_lines() -> None:
    lines = [*lesson.sea_of({"D4": Fraction(1, 4), "E5": Fraction(3, 4)})]
    assert [line.split() for line in lines] == [["D", "E"], ["4", "25.0", "."], ["5", ".", "75.0"]]
    assert len({len(line) for line in lines}) == 1
