"""Figures of games between machine players: read, refused, written as they are read, and told on cards."""

from __future__ import annotations
from functools import lru_cache

import numpy as np
import pytest

from navalkit.core.errors import DataError, OptionError
from navalkit.core.registry import load, names
from navalkit.players.generic import DRAW, Account
from navalkit.players.meeting import Measured, Meeting, Rating, figures, measured, strengths
from navalkit.prob.intervals import wilson
from navalkit.sim import figures as making
from navalkit.sim.balance import Row
from navalkit.sim.calibration import calibrate, outside, predictions
from navalkit.testing import refused
from ..sentences import CALIBRATION, CORE

FIGURE = {
    "name": "fleet-action/river_plate", "kind": "balance", "game": "fleet-action", "players": ("admiral",),
    "seeds": (20, 21), "games": 60, "rules": "1", "value": 0.48, "options": {"scenario": "river_plate"},
    "runs": (0.5, 0.46), "length": (8.0, 9.0), "unit": "moves", "decided": {"guns": 1.0},
}  # fmt: skip


def figure(**changes: object) -> Measured:
    return Measured(**(FIGURE | changes))  # type: ignore[arg-type]


def test_a_figure_has_an_interval_and_the_sides_of_its_scenario() -> None:
    found = figure()
    low, high = found.interval
    assert 0.35 < low < 0.48 < high < 0.61
    assert found.each == 30 and len(found.sides) == 2 and figure(game="wolf-pack", options={}).title


@pytest.mark.parametrize(
    "changes",
    [
        {"value": 1.2}, {"games": 0}, {"games": 61}, {"seeds": (-1, 2)}, {"length": (9, 8)}, {"length": (8, 8, 9)},
        {"length": (0, 1)}, {"decided": {"guns": 0.5}}, {"one_blow": -0.1}, {"runs": (0.5,)}, {"kind": "guess"},
        {"clock": 1.5}, {"won": -0.1}, {"half": -1.0}, {"over": ({}, {}, {}, {})}, {"runs": (0.5, 0.46, 0.4)},
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(changes: dict[str, object]) -> None:
    with refused(DataError, CORE, "measured.wrong"):
        figure(**changes)


def test_all_figures_are_written_as_they_are_read(tmp_path, monkeypatch) -> None:
    file, before = tmp_path / "figures.toml", dict(figures())
    making.write(before, file)
    text = file.read_text(encoding="utf-8")
    assert text == making.FILE.read_text(encoding="utf-8") and list(before) == [each.name for each in before.values()]


def test_the_runs_of_a_figure_are_summed_up() -> None:
    games = [Account(0, 8, "moves", decided="guns"), Account(1, 9, "moves", decided="guns", one_blow=True)]
    games += [Account(DRAW, 10, "moves", decided="draw", clock=True)] * 2
    found = making.summed(figure(), [Row("", ("admiral",), tuple(games)), Row("", ("admiral",), tuple(games[:1] * 4))])
    assert (found.games, found.value, found.runs, found.one_blow, found.clock) == (8, 0.75, (0.5, 1.0), 0.125, 0.25)
    assert found.sample == ("1 8", "0 9", "0.5 10")


def test_figures_are_found_by_options_and_where_nothing_was_measured_there_is_none() -> None:
    assert measured("fleet-action", {}) == measured("fleet-action", {"scenario": "river_plate"})
    assert measured("wolf-pack", {"transports": 6}) == measured("wolf-pack", {})
    assert measured("uss-lox", {}) is None and measured("wolf-pack", {"transports": 1}) is None


def test_the_mean_of_one_who_plays_alone_has_half_an_interval() -> None:
    found = figure(kind="alone", game="uss-lox", options={}, players=("greedy",), value=26000.0, half=80.0, runs=())
    assert found.interval == (25920.0, 26080.0) and not found.sides


SMALL = {
    "meeting": {"kind": "meeting", "players": ("gunnery", "random"), "seeds": (3, 5), "games": 8, "runs": (),
                "options": {"moves": "1"}, "over": ({}, {"scenario": "denmark_strait"})},
    "same": {"kind": "meeting", "game": "on-patrol", "players": ("brook", "random"), "seeds": (3,), "games": 2,
             "runs": (), "options": {"scenario": "lone-merchant"}},
    "alone": {"kind": "alone", "game": "task-force", "players": ("random",), "seeds": (3,), "games": 3, "runs": (),
              "options": {}},
    "fast": {"kind": "alone", "game": "uss-lox", "players": ("random",), "seeds": (3,), "games": 50, "runs": (),
             "options": {}},
    "kills": {"name": "on-patrol/kills/random/squid", "kind": "kills", "game": "on-patrol", "players": ("random",),
              "seeds": (3,), "games": 4, "runs": (), "options": {}},
    "calibration": {"name": "uss-lox/calibration/attacks", "kind": "calibration", "game": "uss-lox", "players": (),
                    "seeds": (3,), "games": 30, "runs": (), "options": {}},
}  # fmt: skip


@pytest.mark.parametrize("changes", SMALL.values(), ids=SMALL)
def test_a_figure_is_made_by_its_games_and_comes_out_as_it_did(changes: dict[str, object], monkeypatch,
                                                               tmp_path) -> None:
    page = tmp_path / "calibration.md"
    page.write_text("# Head\n\n## Other\n\ntext\n", encoding="utf-8")
    monkeypatch.setattr(making, "BINS", page)
    found = making.made(figure(**changes, length=(), unit="", decided={}, value=0.5))
    meeting = Meeting(found.game, options=found.grounds[-1])
    if found.kind == "alone":
        scores = making.package(found.game).simulate
        told = scores("random", 50, 3)["tonnage"] if scores else meeting.alone("random", 3, 3).scores
        assert found.value == pytest.approx(np.mean(told), rel=1e-4) and 0 <= found.won <= 1
        assert found.half == pytest.approx(1.96 * np.std(told, ddof=1) / len(told) ** 0.5, rel=0.01)
    elif found.kind == "kills":
        hunts = [hunt.split() for hunt in making.sample(found, 4)]
        assert found.made == sum(int(made) for _, made in hunts) > 0
        assert found.value == round(sum(int(sunk) for sunk, _ in hunts) / found.made, 4)
        assert found.interval == wilson(found.value, found.made)
    elif found.kind == "calibration":
        [measured] = calibrate("uss-lox", 30 / 6000, 3, "attacks")
        level, tilt = measured.pooled
        assert (found.value, found.tilt[0]) == (round(level.error, 4), round(tilt.error, 4))
        assert found.bins == (len(measured.bins), len(outside([measured], 100)))
        text = page.read_text(encoding="utf-8")
        assert making.sectioned(text, found, "anew").count(making.NUMBER.format(found.name)) == 1
        assert text.count(f"\n{making.NUMBER.format(found.name)}**") == 1
        assert text.startswith("# Head\n\n## Other\n\ntext")
        assert found.interval == (found.value - found.half, found.value + found.half)
    else:
        one, two = found.players
        last = found.seeds[-1]
        alike = load(found.game).deciders > 1
        share = meeting.meet(one, two, found.each, last)[0] if alike else (
            meeting.alone(one, 2, last).against(meeting.alone(two, 2, last)))
        assert found.runs[-1] == round(share.share, 4) and found.value == pytest.approx(np.mean(found.runs), abs=1e-4)
        assert len(found.runs) == len(found.seeds) * len(found.grounds)
    assert len(found.sample) >= 3 and found.code == making.code(found.game) and making.sample(found) == found.sample


def test_a_print_of_the_sources_is_the_games_own() -> None:
    prints = {game: making.code(game) for game in ("uss-lox", "wolf-pack")}
    assert len(set(prints.values())) == 2 and all(len(each) == 8 for each in prints.values())


def test_strengths_are_ratings_of_meetings_or_means() -> None:
    met = {each.players: each for each in figures().values() if each.kind == "meeting" and each.game == "wolf-pack"}
    found = strengths("wolf-pack")
    assert list(found) == sorted(found, key=lambda name: -found[name].elo)
    assert abs(sum(each.elo for each in found.values())) < 1
    assert {name for pair in met for name in pair} == set(found)
    alone = figures()["uss-lox/vance"]
    assert strengths("uss-lox")["vance"] == Rating(alone.value, alone.half, alone.games)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, each in figures().items() if each.sample])
def test_the_first_games_of_a_figure_come_out_as_they_did(name: str) -> None:
    assert making.sample(figures()[name], len(figures()[name].sample)) == figures()[name].sample


def test_meetings_of_one_pair_are_summed() -> None:
    """Captains of Fleet Action have met over its battles, and over those of boats and aircraft."""
    met = [each for each in figures().values() if each.kind == "meeting" and each.game == "fleet-action"]
    games = {name: sum(each.games for each in met if name in each.players) for name in strengths("fleet-action")}
    assert {name: rating.games for name, rating in strengths("fleet-action").items()} == games


def test_figures_are_made_by_name_or_by_kind(monkeypatch, tmp_path) -> None:
    made: list[str] = []
    monkeypatch.setattr(making, "made", lambda figure: made.append(figure.name) or figure)
    monkeypatch.setattr(making, "write", lambda found: None)
    monkeypatch.setattr(making, "write_atomic", lambda file, text: None)
    making.main(["kills", "uss-lox/vance"])
    assert made == [each.name for each in figures().values() if each.kind == "kills" or each.name == "uss-lox/vance"]
    making.main(["--tables"])
    assert made[-1] != "--tables" and len(made) == 9
    made_of: list[Measured] = []
    monkeypatch.setattr(making, "made", lambda figure: made_of.append(figure) or figure)
    written: list[set[str]] = []
    monkeypatch.setattr(making, "write", lambda found: written.append(set(found)))
    making.main(["wolf-pack/calibration/counted:7:31"])  # other games and another seed, or a number without a figure
    assert [(each.name, each.kind, each.games, each.seeds) for each in made_of] == [
        ("wolf-pack/calibration/counted", "calibration", 7, (31,))
    ]
    unmeasured = [f"on-patrol/calibration/curve_{hunt}" for hunt in ("night_convoy", "wolf_pack")]
    known = {name: each for name, each in figures().items() if name not in unmeasured}
    monkeypatch.setattr(making, "figures", lru_cache(lambda: known))  # `main` clears it
    making.main([f"{name}:7:31" for name in unmeasured])
    new = [each - {*known} for each in written[1:]]
    assert [len(each) for each in new] == [1, 2], "what is not measured yet is not written"
    for wrong in ("no-such", "wolf-pack/calibration/nothing:7:31", "wolf-pack/calibration/counted:some:31",
                  "wolf-pack/calibration/counted:7", "nowhere/calibration/counted:7:31"):
        with pytest.raises(OptionError):
            making.main([wrong])


def test_each_number_that_was_measured_has_its_bins_on_the_page() -> None:
    text = making.BINS.read_text(encoding="utf-8")
    sections = {name: rest.partition(making.END)[0] for name, _, rest in
                (part.partition(" -->\n") for part in text.split("<!-- number: ")[1:])}
    known = {f"{game}/calibration/{number}" for game in names() for number in predictions(game)}
    measured = [each for each in figures().values() if each.kind == "calibration"]
    assert set(sections) <= known and {each.name for each in measured} <= set(sections)
    for each in measured:
        rows = [line for line in sections[each.name].splitlines() if line.startswith("|")][2:]
        assert each.sample and each.bins == (len(rows), sum(CALIBRATION("page.outside") in row for row in rows))
