"""Golden games: records and their logs, kept word for word.

Each game below was played by the players named and is stored as ``<name>.toml`` with its log beside it. A change of the
rules, of notation or of a sentence shows here, line by line. If the change is meant, write the files anew with

    NAVALKIT_RENEW=1 python -m pytest tests/golden

and look at the difference before it goes in. The seeds were chosen so that the rules listed come up.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import navalkit as nk

FOLDER = Path(__file__).parent
SHORT = {"transports": 3, "u_boats": 2}
LEAST = "periscope=2 torpedo=2 transport=2 sonar=2 charges=2 u-boat=2 dive=1 sweep=1 mouse=1 miss=0 water=0"


@dataclass(frozen=True)
class Golden:
    """One golden game: who played it, from which seed and options, what must come up in it, and who won."""

    name: str
    players: tuple[str, str]
    seed: int
    shows: tuple[str, ...]
    result: str
    options: dict[str, Any] = field(default_factory=dict)

    def play(self) -> nk.Match:
        game = nk.load("wolf-pack", **self.options)
        seated = [nk.player(name, game) for name in self.players]
        match, rng = nk.Match.new(game, seed=self.seed, players=self.players), np.random.default_rng(self.seed)
        while not match.over:
            match.play(seated[match.turn].decide(match.observe(), match.legal(), rng).action)
        return match


GAMES = [
    Golden("wolf_pack_wins", ("careful", "careful"), 1, ("W3a", "W4", "W5", "W8", "W12"), "U-boats"),
    Golden("convoy_wins", ("careful", "careful"), 2, ("W3a", "W6", "W7", "W9", "W10", "W12"), "convoy"),
    Golden("short", ("greedy", "careful"), 1, ("W6", "W7", "W12"), "U-boats", SHORT),
    Golden("least_deck", ("random", "random"), 7, ("W3a", "W3b", "W12"), "U-boats", {"deck": LEAST, **SHORT}),
    Golden("last_turn", ("random", "greedy"), 1, ("W12a",), "draw", {"turn_limit": 10}),
]


def log_text(match: nk.Match) -> str:
    return "".join(f"{event}\n" for event in match.log)


@pytest.fixture(scope="module", autouse=True)
def renewed() -> None:
    """Writes the golden files anew, if asked to."""
    if os.environ.get("NAVALKIT_RENEW") != "1":
        return
    for golden in GAMES:
        match = golden.play()
        match.save(FOLDER / f"{golden.name}.toml")
        (FOLDER / f"{golden.name}.log").write_text(log_text(match), encoding="utf-8")


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.name)
def test_a_golden_record_replays_to_its_result_and_log(golden: Golden) -> None:
    match = nk.Match.load(FOLDER / f"{golden.name}.toml")  # replays, and compares result and score
    assert match.over and match.outcome is not None and match.outcome.result == golden.result
    assert log_text(match) == (FOLDER / f"{golden.name}.log").read_text(encoding="utf-8")
    assert match.dumps() == (FOLDER / f"{golden.name}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.name)
def test_its_seed_and_players_still_play_the_same_game(golden: Golden) -> None:
    assert golden.play().plies == nk.Match.load(FOLDER / f"{golden.name}.toml").plies


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.name)
def test_it_shows_the_rules_it_is_there_for(golden: Golden) -> None:
    assert set(golden.shows) <= {event.rule for event in nk.Match.load(FOLDER / f"{golden.name}.toml").log}


def test_every_record_belongs_to_a_game() -> None:
    names = {golden.name for golden in GAMES}
    assert {path.stem for path in FOLDER.iterdir() if path.suffix in (".toml", ".log")} == names


def test_together_they_show_every_rule_that_has_events() -> None:
    shown = {event.rule for golden in GAMES for event in nk.Match.load(FOLDER / f"{golden.name}.toml").log}
    # The deck's make-up, the order of play, what cannot be played and what is known leave no event.
    assert set(nk.load("wolf-pack").rules()) - shown == {"W1", "W1a", "W2", "W11", "W13"}


def test_an_unfinished_record_seals_its_cards() -> None:
    match = nk.Match.new("wolf-pack", seed=9)
    assert "sealed" in match.dumps() and "draw" not in match.dumps()
    assert nk.Match.loads(match.dumps()).plies == match.plies
    assert "record" not in match.share()
