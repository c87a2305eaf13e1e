"""Every pair of options' values, of every game: it plays, is saved and opened again, or is refused in a sentence."""

from __future__ import annotations
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.errors import OptionError
from navalkit.core.game import OptionSpec

GAMES = ("uss-lox", "wolf-pack", "task-force", "fleet-action", "on-patrol")
WRITTEN: dict[str, tuple[str, ...]] = {
    "deck": ("default", "sonar=9 water=0", "water=40"),
    "blue": ("Hood, Prince of Wales", "Ajax", "Cossack, Cossack, Cossack, Cossack"),
    "red": ("Bismarck, Prinz Eugen", "Emden"),
}
"""Values of options that take any text."""
DECISIONS = 8


def values(spec: OptionSpec) -> tuple[bool | int | str, ...]:
    """All values of an option; of a number the default and both ends, of free text some."""
    if isinstance(spec.default, bool):
        return False, True
    if isinstance(spec.default, int):
        return tuple(dict.fromkeys(v for v in (spec.default, spec.low, spec.high) if v is not None))
    return WRITTEN.get(spec.name) or spec.choices or (spec.default,)


def pairs(game: str) -> Iterator[dict[str, Any]]:
    """Each value of each option with each of every other."""
    for one, other in combinations(nk.load(game).specs, 2):
        for here, there in product(values(one), values(other)):
            yield {one.name: here, other.name: there}


def plays(game: str, options: dict[str, Any], seed: int) -> bool:
    """Whether these options go together: then some moves are played, and what is saved opens as the same game."""
    try:
        house = nk.load(game, **options)
    except OptionError as error:
        said = str(error)
        assert said.endswith(".") and len(said) < 400, f"{options}: {said}"
        return False
    rng = np.random.default_rng(seed)
    match = nk.Match.new(house, seed)
    for _ in range(DECISIONS):
        if match.over:
            break
        assert match.observe() is not None
        legal = match.legal()
        match.play(legal[int(rng.integers(len(legal)))])
    again = nk.Match.loads(match.dumps())
    assert {name: again.game.options[name] for name in options} == {name: house.options[name] for name in options}
    assert (again.state, again.ply, again.log) == (match.state, match.ply, match.log), options
    assert again.true_to_seed and again.dumps() == match.dumps(), options
    return True


@pytest.mark.parametrize("game", GAMES)
def test_one_pair_of_options_in_ten_plays_or_is_refused(game: str) -> None:
    assert any([plays(game, options, seed) for seed, options in enumerate(pairs(game)) if seed % 10 == 3])


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_pair_of_options_plays_or_is_refused(game: str) -> None:
    played = [plays(game, options, seed) for seed, options in enumerate(pairs(game))]
    print(f"{game}: {sum(played)} of {len(played)} pairs of options are played, the others refused.")
    assert sum(played) >= 0.7 * len(played)
