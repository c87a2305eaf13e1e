"""Golden patrols: records and their logs, kept word for word.

Each patrol below was played by the scripted captain of its name and is stored as ``uss_lox/<name>.toml`` with
its log beside it. A change of the rules, of notation or of a sentence shows here, line by line. If the change
is meant, write the files anew with

    NAVALKIT_RENEW=1 python -m pytest tests/golden

and look at the difference before it goes in. The seeds were chosen so that the rules listed come up.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import navalkit as nk

FOLDER = Path(__file__).parent / "uss_lox"


def steady(match: nk.Match) -> str:
    """Fires two, escapes if he can afford it, chases every extra target, and stays out to the end."""
    legal = [str(action) for action in match.legal()]
    for wish in ("plan 12", "escape", "chase", "attack 2", "attack 1", "attack 0"):
        if wish in legal:
            return wish
    return next(order for order in legal if order.startswith("flip"))


def choosy(match: nk.Match) -> str:
    """Lets small ships go, fires three at the others and at every escort, and returns with 30,000 tons."""
    legal = [str(action) for action in match.legal()]
    if "return" in legal and match.state.tons >= 30_000:
        return "return"
    if "plan 6" in legal:
        return "plan 6"
    if "decline" in legal and "chase" not in legal and match.state.ship // 4 < 6:
        return "decline"
    for wish in ("chase", "attack 3", "attack 2", "attack 1", "attack 0"):
        if wish in legal:
            return wish
    return [order for order in legal if order.startswith("flip")][-1]


@dataclass(frozen=True)
class Patrol:
    """One golden patrol: who played it, from which seed and options, and what must come up in it."""

    name: str
    captain: Callable[[nk.Match], str]
    seed: int
    shows: tuple[str, ...]
    result: str
    options: dict[str, Any] = field(default_factory=dict)

    def play(self) -> nk.Match:
        match = nk.Match.new(
            nk.load("uss-lox", **self.options), seed=self.seed, players=[self.captain.__name__]
        )
        while not match.over:
            match.play(self.captain(match))
        return match


ALL = dict(
    jokers=True, face_estimates=True, plan_patrol=True, king_ships=True, queen_ships=True, nob=True, patrols=2
)
PATROLS = [
    Patrol("basic_win", choosy, 2, ("L1", "L2a", "L3b", "L3c", "L4a", "L4b", "L5", "L7"), "win"),
    Patrol("basic_loss", steady, 13, ("L1", "L3a", "L3c", "L4b", "L4c", "L4d", "L7"), "loss"),
    Patrol("basic_last_torpedo", steady, 6, ("L3b", "L6", "L7"), "win"),
    Patrol("jokers", steady, 52, ("A1", "L3b", "L4c"), "win", {"jokers": True}),
    Patrol("face_estimates", choosy, 14, ("A2", "L3b", "L5"), "win", {"face_estimates": True}),
    Patrol("plan_patrol", steady, 13, ("A3", "L3b", "L4c"), "win", {"plan_patrol": True}),
    Patrol("king_ships", steady, 40, ("A4", "L3b", "L4c"), "win", {"king_ships": True}),
    Patrol("queen_ships", choosy, 11, ("A5", "L3b", "L5"), "win", {"queen_ships": True}),
    Patrol("nob", steady, 13, ("A6", "L3b"), "win", {"nob": True}),
    Patrol("second_patrol", steady, 24, ("A7", "L3b", "L6"), "win", {"patrols": 2}),
    Patrol("second_patrol_empty_deck", steady, 31480, ("A7", "L3c"), "loss", {"patrols": 2}),
    Patrol("all_options", steady, 3070, ("A1", "A2", "A3", "A4", "A5", "A6", "A7", "L7"), "win", ALL),
]


def log_text(match: nk.Match) -> str:
    return "".join(f"{event}\n" for event in match.log)


@pytest.fixture(scope="module", autouse=True)
def renewed() -> None:
    """Writes the golden files anew, if asked to."""
    if os.environ.get("NAVALKIT_RENEW") != "1":
        return
    FOLDER.mkdir(exist_ok=True)
    for patrol in PATROLS:
        match = patrol.play()
        match.save(FOLDER / f"{patrol.name}.toml")
        (FOLDER / f"{patrol.name}.log").write_text(log_text(match), encoding="utf-8")


@pytest.mark.parametrize("patrol", PATROLS, ids=lambda patrol: patrol.name)
def test_a_golden_record_replays_to_its_result_and_log(patrol: Patrol) -> None:
    match = nk.Match.load(FOLDER / f"{patrol.name}.toml")  # replays, and compares result and score
    assert match.over and match.outcome is not None and match.outcome.result == patrol.result
    assert log_text(match) == (FOLDER / f"{patrol.name}.log").read_text(encoding="utf-8")
    assert match.dumps() == (FOLDER / f"{patrol.name}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("patrol", PATROLS, ids=lambda patrol: patrol.name)
def test_its_seed_still_deals_the_same_sea(patrol: Patrol) -> None:
    """Unlike the record, this may change with the generator; but then every shared link changes its sea."""
    assert patrol.play().plies == nk.Match.load(FOLDER / f"{patrol.name}.toml").plies


@pytest.mark.parametrize("patrol", PATROLS, ids=lambda patrol: patrol.name)
def test_it_shows_the_rules_it_is_there_for(patrol: Patrol) -> None:
    assert set(patrol.shows) <= {event.rule for event in patrol.play().log}


def test_every_file_belongs_to_a_patrol() -> None:
    names = {patrol.name for patrol in PATROLS}
    assert {path.stem for path in FOLDER.iterdir()} == names


def test_together_they_show_every_rule_that_has_events() -> None:
    shown = {event.rule for patrol in PATROLS for event in patrol.play().log}
    # L0, L2b's count and L4e leave no trace in these patrols, or none at all.
    assert set(nk.load("uss-lox").rules()) - shown <= {"L0", "L2b", "L4e"}
