"""Golden battles of Fleet Action.

`iowa_convoy` is the worked example of the source: a battle played order by order and die by die to just the damage
sheet it describes. The others were played at random from the seed named.
"""

from __future__ import annotations
from dataclasses import replace
from pathlib import Path

import navalkit as nk
from navalkit.core.record import GameRecord
from navalkit.games.fleet_action.board.effects import Row, sheet
from navalkit.games.fleet_action.state import Fate, Guns, Hits, Torpedoes
from ..suite import Golden, WholeSuite

IOWA = "iowa_convoy"
RANDOM = ("random", "random")
MINED = {"scenario": "mined_strait"}
RAIDER = {"scenario": "raider_hunt"}
NIGHT = {"scenario": "night_action"}
GAMES = (
    Golden(IOWA, 1944, ("F2a", "F5", "F12", "F15", "F16", "F17", "F19", "F20", "F37", "F38"), "blue"),
    Golden("river_plate", 61, ("F15", "F16", "F19", "F20"), "red", RANDOM, {"moves": 8}),
    Golden("mined_strait", 204, ("F17", "F21", "F22", "F23", "F24", "F26"), "red", RANDOM, MINED),
    Golden("raider_hunt", 121, ("F12", "F28", "F34", "F35"), "red", RANDOM, RAIDER),
    Golden("night_action", 15, ("F16", "F19", "F20", "F35"), "red", RANDOM, NIGHT),
    Golden("night_convoy", 4, ("F41", "F45", "F50"), "blue", RANDOM, {"scenario": "night_convoy"}),
    Golden("wounded_cruiser", 1, ("F41", "F44", "F45", "F50"), "blue", RANDOM, {"scenario": "wounded_cruiser"}),
    Golden("force_z", 1, ("F56", "F57", "F63", "F66"), "blue", RANDOM, {"scenario": "force_z"}),
    Golden("rudder", 3, ("F55", "F56"), "red", RANDOM, {"scenario": "rudder"}),
)


def replayed(record: GameRecord) -> nk.Match:
    """The match of a record, whatever result the record gives."""
    game = nk.load("fleet-action", **record.options)
    state = game.initial()
    for text in record.actions:
        state = game.apply(state, game.parse_action(text)).state
    outcome = game.outcome(state)
    assert outcome is not None
    return nk.Match.replay(replace(record, result=outcome.result, scores=outcome.scores))


def tubes_fired(row: Row) -> int:
    return sum(tubes for _, tubes, loaded in row.torpedoes if not loaded)


class TestGoldenBattles(WholeSuite):
    game = "fleet-action"
    folder = Path(__file__).parent
    goldens = GAMES
    late = {*range(41, 69)} - {41, 44, 45, 50, 55, 56, 57, 63, 66}  # seldom at random: see tests of rules
    silent = {f"F{n}" for n in (1, 3, 4, *range(6, 12), 13, 14, 18, 25, 27, *range(29, 34), 36, 39, 40, *late)}
    silent |= {"F1a"}

    def play(self, golden: Golden) -> nk.Match:
        if golden.name == IOWA:  # its dice come from no seed: what was done then is done again
            return replayed(GameRecord.loads((self.folder / f"{IOWA}.toml").read_bytes()))
        return super().play(golden)


def test_the_damage_sheet_of_the_source_is_reached() -> None:
    """Its worked example: the convoy gets through, at the price it describes."""
    match = nk.Match.load(Path(__file__).parent / f"{IOWA}.toml")
    battle, state = match.game.battle, match.state
    rows = {row.ship: row for side in (0, 1) for row in sheet(battle, state, side)}
    hits = [ply.action for ply in match.plies if isinstance(ply.action, Hits) and ply.action.target == "Iowa"]
    assert rows["Iowa"].fate is Fate.SUNK and rows["Iowa"].damage > 900 == rows["Iowa"].rate
    assert sum(shot.hits for shot in hits if shot.torpedo) == 6 and 6 * 120 > rows["Iowa"].damage / 2
    assert rows["Oakland"].fate is Fate.SUNK and tubes_fired(rows["Oakland"]) == 0
    assert rows["Jenkins"].fate is Fate.SUNK and tubes_fired(rows["Jenkins"]) == 10
    fletcher, radford = rows["Fletcher"], rows["Radford"]
    assert fletcher.fate is Fate.AT_SEA and tubes_fired(fletcher) == 10 and fletcher.full - fletcher.speed == 1
    assert radford.fate is Fate.AT_SEA and tubes_fired(radford) == 5
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
