"""Golden battles: records and their logs, kept word for word.

`iowa_convoy` is the worked example of the source: a battle played order by order and die by die to just the damage
sheet it describes. The others were played at random from the seed named. A change of the rules, of notation or of a
sentence shows here, line by line. If the change is meant, write the files anew with

    NAVALKIT_RENEW=1 python -m pytest tests/golden

and look at the difference before it goes in. The seeds were chosen so that the rules listed come up.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.record import GameRecord
from navalkit.games.fleet_action.sheet import sheet
from navalkit.games.fleet_action.state import Fate, Guns, Hits, Torpedoes

FOLDER = Path(__file__).parent
IOWA = "iowa_convoy"


@dataclass(frozen=True)
class Golden:
    """One golden battle: its seed and options, what must come up in it, and who won."""

    name: str
    seed: int
    shows: tuple[str, ...]
    result: str
    options: dict[str, Any] = field(default_factory=dict)

    def play(self) -> nk.Match:
        if self.name == IOWA:  # its dice come from no seed: what was done then is done again
            return replayed(GameRecord.loads((FOLDER / f"{IOWA}.toml").read_bytes()))
        game = nk.load("fleet-action", **self.options)
        match, rng = nk.Match.new(game, self.seed, ("random", "random")), np.random.default_rng(self.seed)
        bot = nk.player("random", game)
        while not match.over:
            match.play(bot.decide(match.observe(), match.legal(), rng).action)
        return match


def replayed(record: GameRecord) -> nk.Match:
    """The match of a record, whatever result the record gives."""
    game = nk.load(record.game, **record.options)
    state = game.initial()
    for text in record.actions:
        state = game.apply(state, game.parse_action(text)).state
    outcome = game.outcome(state)
    assert outcome is not None
    return nk.Match.replay(replace(record, result=outcome.result, scores=outcome.scores))


MINED = {"scenario": "mined_strait"}
RAIDER = {"scenario": "raider_hunt"}
NIGHT = {"scenario": "night_action"}
GAMES = [
    Golden(IOWA, 1944, ("F2a", "F5", "F12", "F15", "F16", "F17", "F19", "F20", "F37", "F38"), "blue"),
    Golden("river_plate", 1, ("F15", "F16", "F17", "F19", "F20"), "red", {"moves": 8}),
    Golden("mined_strait", 47, ("F21", "F22", "F23", "F24", "F26"), "red", MINED),
    Golden("raider_hunt", 57, ("F12", "F28", "F34", "F35"), "red", RAIDER),
    Golden("night_action", 0, ("F17", "F19", "F20", "F35"), "red", NIGHT),
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
def test_its_seed_and_players_still_play_the_same_battle(golden: Golden) -> None:
    assert golden.play().plies == nk.Match.load(FOLDER / f"{golden.name}.toml").plies


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.name)
def test_it_shows_the_rules_it_is_there_for(golden: Golden) -> None:
    assert set(golden.shows) <= {event.rule for event in nk.Match.load(FOLDER / f"{golden.name}.toml").log}


def test_every_record_belongs_to_a_battle() -> None:
    names = {golden.name for golden in GAMES}
    assert {path.stem for path in FOLDER.iterdir() if path.suffix in (".toml", ".log")} == names


def test_together_they_show_every_rule_that_has_events() -> None:
    shown = {event.rule for golden in GAMES for event in nk.Match.load(FOLDER / f"{golden.name}.toml").log}
    silent = {"F1", "F1a", "F3", "F4", "F6", "F7", "F8", "F9", "F10", "F11", "F13", "F14", "F18", "F25", "F27"}
    assert set(nk.load("fleet-action").rules()) - shown == silent | {"F29", "F30", "F31", "F32", "F33", "F36", "F39"}


def test_the_damage_sheet_of_the_source_is_reached() -> None:
    """Its worked example: the convoy gets through, at the price it describes."""
    match = nk.Match.load(FOLDER / f"{IOWA}.toml")
    battle, state = match.game.battle, match.state
    rows = {row.ship: row for side in (0, 1) for row in sheet(battle, state, side)}
    hits = [ply.action for ply in match.plies if isinstance(ply.action, Hits) and ply.action.target == "Iowa"]
    assert rows["Iowa"].fate is Fate.SUNK and rows["Iowa"].damage > 900
    assert sum(shot.hits for shot in hits if shot.torpedo) == 6 and 6 * 120 > rows["Iowa"].damage / 2
    assert rows["Oakland"].fate is Fate.SUNK and rows["Oakland"].tubes_fired == 0
    assert rows["Jenkins"].fate is Fate.SUNK and rows["Jenkins"].tubes_fired == 10
    fletcher, radford = rows["Fletcher"], rows["Radford"]
    assert fletcher.fate is Fate.AT_SEA and fletcher.tubes_fired == 10 and fletcher.full - fletcher.speed == 1
    assert radford.fate is Fate.AT_SEA and radford.tubes_fired == 5
    shooters: dict[str, set[str]] = {target: set() for target in ("Oakland", "Jenkins")}
    for ply in match.plies:
        if isinstance(ply.action, Guns | Torpedoes) and ply.action.target in shooters:
            shooters[ply.action.target].add(ply.action.ship)
    assert shooters["Oakland"] == {"Musashi"} and len(shooters["Jenkins"]) > 1
    convoy = [unit.name for unit in battle.units if unit.division == "Convoy"]
    assert all(rows[name].fate is Fate.LEFT for name in convoy) and match.outcome.result == "blue"


def test_an_unfinished_record_seals_what_is_hidden() -> None:
    match = nk.Match.new("fleet-action", seed=9)
    assert "sealed" in match.dumps() and nk.Match.loads(match.dumps()).plies == match.plies
    assert "record" not in match.share()
