"""The command line, called as a function."""

from __future__ import annotations
import csv
import os
import re
import shlex
import socket
import subprocess
import sys
from dataclasses import replace
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import navalkit as nk
from navalkit import serve
from navalkit.cli import commands, main, records
from navalkit.core import match as playing
from navalkit.core.awaited import Steps
from navalkit.core.errors import OptionError
from navalkit.core.registry import package
from navalkit.core.words import Phrase
from navalkit.games.on_patrol.sea.scenario import names as scenarios
from navalkit.players.meeting import figures
from navalkit.teach.papers import DOOR, KEY
from navalkit.testing import heard, refused, said
from navalkit.view.page import page_of
from ..sentences import BALANCE, CLI, CORE, LOX, SERVE


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    match = nk.Match.new("uss-lox", seed=11)
    for order in ("flip B2", "attack 1"):
        match.play(order)
    while not match.over:
        match.play(match.legal()[-1])
    match.comments = {2: "A fat one."}
    match.save(tmp_path / "patrol.toml")
    return tmp_path / "patrol.toml"


@pytest.mark.parametrize("command", ["play", "sim", "odds", "replay", "explain"])
def test_help_shows_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    said(capsys.readouterr().out, CLI, "example", order=CLI(f"{command}.example"))


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == nk.__version__


@pytest.mark.parametrize(
    "order, sentence",
    [
        ("", CLI.phrase("bad-order", command="navalkit")),
        ("sail", CLI.phrase("bad-order", command="navalkit")),
        ("sim", CLI.phrase("bad-order", command="navalkit sim")),
        ("sim chess", CORE.phrase("registry.unknown", name="'chess'")),
        ("sim uss-lox -n 0", CLI.phrase("sim.numbers")),
        ("sim uss-lox -n x", CLI.phrase("bad-order", command="navalkit sim")),
        ("sim uss-lox -n 9 --policy nobody", LOX.phrase("wrong.policy", name="'nobody'")),
        ("sim uss-lox -n 9 --rules --policy nobody", CORE.phrase("players.unknown", name="'nobody'")),
        ("sim uss-lox -n 9 --option jokers", CLI.phrase("refuse.option", pair="'jokers'")),
        ("sim uss-lox -n 9 --option sails=3", CORE.phrase("options.unknown", name="'sails'")),
        ("sim uss-lox -n 9 --by ocean", CLI.phrase("sim.no-option", by="'ocean'", game="uss-lox")),
        ("sim uss-lox -n 9 --seed -1", LOX.phrase("wrong.seed")),

        ("odds wolf-pack sink 8D", CLI.phrase("odds.unknown", game="wolf-pack", asked="'sink'")),
        ("odds uss-lox sink 8D", CLI.phrase("bad-order", command=CLI("odds.order", game="uss-lox", question="sink"))),
        ("odds uss-lox sink 8D many", CLI.phrase("odds.number", text="'many'")),
        ("odds uss-lox sink 8D 3-0", CLI.phrase("odds.range")),
        ("odds uss-lox sink 8D 0-3 --jokers 0-2", CLI.phrase("odds.ranges", n=2, names="torpedoes, jokers")),
        ("odds uss-lox sink ZZ 1", LOX.phrase("wrong.card", text="'ZZ'")),
        ("odds uss-lox sink 8D 4", LOX.phrase("wrong.salvo", n="4")),
        ("odds uss-lox sink 8D 1 --seen 5H,5H", LOX.phrase("wrong.card.twice", card="5H")),
        ("replay none.toml", CORE.phrase("match.cannot_read", name="'none.toml'")),
        ("explain none.toml", CORE.phrase("match.cannot_read", name="'none.toml'")),
        ("play chess --no-browser", CORE.phrase("registry.unknown", name="'chess'")),
        ("play --port 0 --no-browser", SERVE.phrase("no-port", port="0")),
    ],
)
def test_a_bad_order_ends_in_one_line_and_code_2(
    order: str, sentence: Phrase, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(order.split()) == 2
    out, err = capsys.readouterr()
    said(err, sentence)
    assert out == "" and err.count("\n") == 1 and err.startswith("navalkit")


def test_a_place_that_cannot_be_written_to_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main("sim uss-lox -n 9 --csv /no/such/folder/x.csv".split()) == 2
    assert "'/no/such/folder/x.csv'" in capsys.readouterr().err


def test_odds_are_exact(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "uss-lox", "sink", "8D", "0-3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["torpedoes", CLI("odds.exactly"), CLI("odds.chance"), CLI("odds.odds")]
    assert [line.split()[0] for line in lines[1:]] == ["0", "1", "2", "3"]
    assert lines[2].split()[1:3] == ["7/51", "14"]  # three more eights and four sevens among 51 cards
    assert main("odds uss-lox sink 8D 1 --seen 7C,7D --jokers 2".split()) == 0
    assert "5/51" in capsys.readouterr().out  # 51 = 49 unseen cards and two jokers
    assert main("odds uss-lox sink 8D 1 --nob".split()) == 0
    assert "8/51" in capsys.readouterr().out
    assert main("odds uss-lox sink 8D 1 --seen 8D".split()) == 0
    assert "7/51" in capsys.readouterr().out  # the ship is seen, whether it is listed or not


@pytest.mark.parametrize("game", nk.games.names())
def test_odds_of_a_game_lists_its_questions_and_each_explains_itself(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", game]) == 0
    listed = capsys.readouterr().out
    questions = package(game).odds
    assert questions
    for name, question in questions.items():
        assert f"  {name}" in listed
        assert main(["odds", game, name, "--help"]) == 0
        text = " ".join(capsys.readouterr().out.split())
        assert " ".join(str(question.__doc__).splitlines()[0].split()) in text and "As in `" not in text
        told = vars(commands)["_told"](question)
        assert [setting for setting in signature(question).parameters if not told.get(setting)] == []


@pytest.mark.parametrize(
    "order, rows",
    [
        ("wolf-pack complete_within periscope,torpedo,transport --side U-boats --turns 2-3", ["2", "3"]),
        ("wolf-pack turns_to_complete periscope,torpedo,transport --side U-boats", ["3", CLI("odds.mean", mean=3)]),
        ("fleet-action sink-within Exeter 'Admiral Graf Spee' 6 4", ["1", "2", "3", "4"]),
        ("fleet-action mine", ["0", *map(str, range(20, 111, 10)), CLI("odds.mean", mean=66.67)]),
        ("on-patrol torpedo G7a 10 --spread 2", ["0", "1", "2", CLI("odds.mean", mean=1.0)]),
        ("on-patrol found 4 --times 1-2", ["1", "2"]),
        ("on-patrol depth-to-go --points 1", [str(25 * n) for n in range(1, 25)]),
        ("task-force likely --map " + "/".join(["." * 10] * 10) + " --what submarine --best 2", ["", ""]),
    ],
)
def test_odds_answer_for_all_games(order: str, rows: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", *shlex.split(order)]) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(rows) and all(map(str.startswith, lines, rows))


@pytest.mark.parametrize("how", [[], ["--rules"], ["--rules", "--jobs", "2"]])
def test_sim_prints_a_summary_and_writes_rows(
    how: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "out.csv"
    order = ["sim", "uss-lox", "-n", "60", "--seed", "3", "--option", "jokers=yes", "--csv", str(path)]
    assert main(order + how) == 0
    out = capsys.readouterr().out
    said(out, CLI, "sim.done", n=60, policy="random", seed="3")
    said(out, CLI, "sim.error")
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 60
    mean = sum(float(row["tonnage"]) for row in rows) / 60
    shown = next(line for line in out.splitlines() if line.startswith("tonnage")).split()[1].replace(",", "")
    assert float(shown) == pytest.approx(mean, rel=0.01)


def test_sim_by_an_option_sums_up_each_of_its_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rows.csv"
    main(["sim", "uss-lox", "-n", "9", "--by", "jokers", "--csv", str(path)])
    shown = capsys.readouterr().out
    for value, games in (False, 5), (True, 4):
        said(shown, CLI, "sim.share", option="jokers", value=value, n=games)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("jokers,") and len(lines) == 10
    assert [line.split(",")[0] for line in lines[1:]] == ["False"] * 5 + ["True"] * 4


def test_sim_of_a_game_of_scenarios_goes_through_all_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    main(["sim", "on-patrol", "-n", "8"])
    shown = capsys.readouterr().out
    assert shown.count("boats found") == shown.count("ships sunk") == shown.count("boats lost") == len(scenarios())
    main(["sim", "on-patrol", "-n", "1", "--option", "scenario=lone-merchant"])
    assert "scenario" not in capsys.readouterr().out


def test_sim_over_processes_is_sim_alone(tmp_path: Path) -> None:
    texts = []
    for jobs in ("1", "2"):
        main(["sim", "uss-lox", "-n", "40", "--rules", "--jobs", jobs, "--csv", str(tmp_path / jobs)])
        texts.append((tmp_path / jobs).read_text())
    assert texts[0] == texts[1]


def test_replay_tells_the_story_with_rule_ids(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(saved)]) == 0
    out = capsys.readouterr().out
    match = nk.Match.load(saved)
    assert all(str(event) in out for event in match.log)
    assert "1. flip B2" in out and "(A fat one.)" in out
    assert match.outcome is not None and match.outcome.text in out


def test_replay_stops_where_it_is_told(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(saved), "--ply", "2"]) == 0
    assert capsys.readouterr().out.count(". ") >= 2
    assert main(["replay", str(saved), "--ply", "0"]) == 0
    assert capsys.readouterr().out == "USS Lox, seed 11\n"
    assert main(["replay", str(saved), "--ply", "999"]) == 2
    said(capsys.readouterr().err, CLI, "replay.no-ply")


def test_replay_draws_the_board(saved: Path, tmp_path: Path) -> None:
    assert main(["replay", str(saved), "--ply", "2", "--svg", str(tmp_path / "board.svg")]) == 0
    assert (tmp_path / "board.svg").read_text().startswith("<svg")


def test_replay_spoils_no_game_by_accident(
    toys: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = nk.Match.new("toy", seed=1)
    match.save(tmp_path / "toy.toml")
    assert main(["replay", str(tmp_path / "toy.toml")]) == 2
    out, err = capsys.readouterr()
    said(err, CLI, "replay.hidden")
    assert out == ""
    assert main(["replay", str(tmp_path / "toy.toml"), "--all"]) == 0
    assert str(match.plies[0].action) in capsys.readouterr().out


def test_explain_sets_beside_each_decision_what_a_machine_would_do(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", str(saved), "--player", "random"]) == 0
    out = capsys.readouterr().out
    decisions = [ply for ply in nk.Match.load(saved).plies if ply.by == 0]
    assert out.count("captain: ") == len(decisions)
    assert all(f"captain: {ply.action} (" in out for ply in decisions)
    assert sum("random.any" in heard(line, CORE) for line in out.splitlines()) == len(decisions)
    assert main(["explain", str(saved), "--player", "nobody"]) == 2


def test_replay_and_explain_say_if_luck_is_not_the_seeds(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = nk.Match.load(saved).record()
    made = saved.with_name("made.toml")
    made.write_text(replace(record, seed=record.seed + 1).dumps(), encoding="utf-8")
    for order in (["replay"], ["explain", "--player", "random"]):
        assert main([*order, str(made)]) == 0
        said(capsys.readouterr().out, CLI, "replay.luck", action=2)
        assert main([*order, str(saved)]) == 0
        assert "replay.luck" not in heard(capsys.readouterr().out, CLI)


def test_replay_opens_what_was_hidden_and_shows_what_was_committed_to(
    toys: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = nk.Match.new("toy", seed=1)
    while not match.over:
        match.play(match.legal()[0])
    match.save(tmp_path / "toy.toml")
    assert main(["replay", str(tmp_path / "toy.toml")]) == 0
    out = capsys.readouterr().out
    said(out, CLI, "replay.commitment", text=match.commitment)
    assert match.commitment and ", seed 1\n" in out


def test_explain_asks_the_best_player_there_is(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(saved)]) == 0
    out = capsys.readouterr().out
    assert "optimal: " in out
    said(out.splitlines()[0], CLI, "explain.alike", name="optimal", action="flip A1")  # where every square is alike


@pytest.mark.parametrize("game", ["on-patrol", "fleet-action", "wolf-pack", "uss-lox"])
def test_explain_asks_whom_the_page_asks_for_a_hint(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of On Patrol that is its captain: the generic player would play out every order of every turn, for hours."""
    match = nk.Match.new(game, seed=1)
    match.play(match.legal()[0])
    match.save(tmp_path / "begun.toml")
    assert main(["explain", str(tmp_path / "begun.toml")]) == 0
    assert f"\n   {page_of(game).adviser}: " in capsys.readouterr().out


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar is shown at once, and at every step."""
    monkeypatch.setattr(records, "LATE", 0.0)
    monkeypatch.setattr(records, "LOOK", 0.0)
    monkeypatch.setattr(records, "watched", lambda: True)
    monkeypatch.setattr(playing, "Pace", lambda: lambda: True)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("order", ["replay", "explain --player greedy"])
def test_a_record_that_takes_long_shows_how_far_it_has_come(
    order: str, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *more = order.split()
    assert main([command, str(saved), *more]) == 0
    out, err = capsys.readouterr()
    shares = [int(share) for share in re.findall(r"(\d+)%", err)]
    assert len(set(shares)) > 5 and shares[0] < 30 and max(shares) == 100
    said(err, CLI, "progress.bar", said="100%")
    assert err.endswith("\r\033[K") and "progress.bar" not in heard(out, CLI)


@pytest.mark.usefixtures("impatient")
def test_explain_is_stopped_while_a_player_thinks(
    saved: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was explained by then stands there."""
    whole = records.Progress.watch
    watched = []

    def watch(self: records.Progress, steps: Steps[Any]) -> Any:
        watched.append(steps)
        if len(watched) < 4:  # the record, and two decisions
            return whole(self, steps)
        raise KeyboardInterrupt

    monkeypatch.setattr(records.Progress, "watch", watch)
    assert main(["explain", str(saved), "--player", "random"]) == 130
    out, err = capsys.readouterr()
    assert out.count("captain: ") == 2
    assert err.endswith(f"{CLI('stopped')}\n")


def test_a_reader_that_has_seen_enough_is_no_error(saved: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "navalkit", "replay", str(saved)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()  # before it has said a word
        assert process.stderr.read() == b""
    assert process.returncode == 0


# Serving pages


def test_a_port_in_use_is_passed_over() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert serve.free_port("127.0.0.1", port) > port


def test_an_address_of_another_machine_is_refused() -> None:
    with refused(OptionError, SERVE, "no-address"):
        serve.free_port("192.0.2.1", 8866)


def test_the_lobby_and_the_pages_of_games_are_found(tmp_path: Path) -> None:
    notebooks = serve.pages() / "notebooks"
    assert (notebooks / "lobby.ipynb").is_file() and (serve.pages() / "voila.json").is_file()
    assert package("uss-lox").page(notebooks) == "play_uss_lox.ipynb"
    assert package("uss-lox").page(tmp_path) == "play.ipynb?game=uss-lox"  # as for any game of another package


def test_voila_finds_the_template_of_the_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JUPYTER_PATH", "/elsewhere")
    (tmp_path / "voila_templates").mkdir()
    path = serve.environment(tmp_path)["JUPYTER_PATH"].split(os.pathsep)
    assert path == [str(tmp_path / "voila_templates"), "/elsewhere"]
    assert serve.environment(tmp_path / "installed")["JUPYTER_PATH"] == "/elsewhere"


def test_play_waits_for_the_server_opens_the_browser_and_stops_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With a small web server in Voila's place; the browser's part of the suite tries the real one."""
    opened: list[str] = []
    servers: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(command: list[str], **options: object) -> subprocess.Popen[bytes]:
        servers.append(popen(command, **options, stderr=subprocess.DEVNULL))  # type: ignore[call-overload]
        return servers[-1]

    def open_and_interrupt(address: str) -> None:
        opened.append(address)
        raise KeyboardInterrupt

    def stand_in(port: int, host: str, *_: object) -> list[str]:
        return [sys.executable, "-m", "http.server", str(port), "--bind", host, "--directory", str(tmp_path)]

    monkeypatch.setattr(serve, "command", stand_in)
    monkeypatch.setattr(serve.subprocess, "Popen", start)
    monkeypatch.setattr(serve.webbrowser, "open", open_and_interrupt)
    assert main(["play", "--port", "18866"]) == 0
    (address,) = opened
    assert address.startswith("http://localhost:188") and address.endswith("/voila/render/lobby.ipynb")
    assert address in capsys.readouterr().out
    assert servers[0].poll() is not None  # it was stopped


def test_play_says_so_if_the_server_does_not_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "command", lambda *_: [sys.executable, "-c", "raise SystemExit(3)"])
    assert main(["play", "--no-browser", "--port", "18966"]) == 3
    said(capsys.readouterr().err, SERVE, "not-started")


def test_a_tournament_of_two_sides_swaps_them_and_says_how_sure_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--option", "transports=2", "--option", "u_boats=2", "-n", "4"]
    players = ["--player", "careful", "--player", "ismcts:iterations=5"]
    assert main(["tournament", "wolf-pack", *players, *few]) == 0
    side, other = nk.load("wolf-pack").players
    out = capsys.readouterr().out
    pair = said(out, CLI, "tournament.pair", one="careful", two=players[-1], side=side, other=other)
    assert "95 %" in pair["result"] and "n = 4" in pair["result"]
    assert main(["tournament", "wolf-pack", "--player", "careful", "--even", *few]) == 0
    said(capsys.readouterr().out, CLI, "tournament.even-result", name="careful", side="U-boats")


def test_players_are_named_as_the_tables_of_figures_name_them(capsys: pytest.CaptureFixture[str]) -> None:
    """Wherever a command takes one; two with options of their own are two."""
    named = {who for each in figures().values() if each.game == "uss-lox" for who in each.players}
    tuned = sorted(who for who in named if ":" in who)
    assert len(tuned) > 1
    for name in tuned:
        assert main(["sim", "uss-lox", "-n", "2", "--policy", name]) == 0
        assert main(["sim", "uss-lox", "-n", "1", "--rules", "--policy", name]) == 0
        assert main(["balance", "uss-lox", "-n", "1", "--captain", name]) == 0
    capsys.readouterr()
    assert main(["tournament", "uss-lox", *(f"--player={name}" for name in tuned), "-n", "2"]) == 0
    told = capsys.readouterr().out
    assert all(f"{name}: " in told for name in tuned)


def test_what_was_not_measured_is_said_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["balance", "uss-lox", "--stated"]) == 0
    said(capsys.readouterr().out, BALANCE, "nothing", title=nk.load("uss-lox").title)
    assert main(["balance", "fleet-action", "--stated"]) == 0
    assert "fleet-action/river_plate" in capsys.readouterr().out


@pytest.mark.parametrize("players", [["careful"], ["careful", "careful"]])
def test_a_tournament_needs_two_players(players: list[str], tmp_path: Path,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    order = ["tournament", "wolf-pack", *(f"--player={name}" for name in players), "-n", "2"]
    assert main([*order, "--rows", str(tmp_path / "rows.jsonl")]) == 2
    said(capsys.readouterr().err, CLI, "tournament.two", name="'careful'")
    assert not [*tmp_path.iterdir()]


def test_a_tournament_of_one_side_is_played_on_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "uss-lox", "--player", "greedy:threshold=0.6", "--player", "random", "-n", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[0] for line in lines] == ["greedy:threshold=0.6", "random"]
    assert all("n = 3" in line for line in lines)
    three = ["--player", "greedy", "--player", "random", "--player", "harper"]
    assert main(["tournament", "uss-lox", *three, "-n", "2"]) == 0
    rated = capsys.readouterr().out.splitlines()[3:]
    assert len(rated) == 3 and all("±" in line and "n = 4" in line for line in rated)
    assert main(["tournament", "uss-lox", "--player", "brave", "-n", "3"]) == 2
    said(capsys.readouterr().err, CORE, "players.unknown", name="'brave'")
    assert main(["tournament", "uss-lox", "-n", "0"]) == 2


def test_plans_need_a_key_where_others_reach_the_server(monkeypatch, capsys, tmp_path):
    for name in (DOOR, KEY):
        monkeypatch.setenv(name, "")  # so that both are as before afterwards
        monkeypatch.delenv(name)
    monkeypatch.setattr(serve, "serve", lambda *_: 0)
    assert main(["play", "--teacher", "--no-browser"]) == 0
    assert os.environ[DOOR].endswith("teaching") and KEY not in os.environ
    assert main(["play", "--teacher", "--no-browser", "--host", "0.0.0.0"]) == 0
    said(capsys.readouterr().out, CLI, "play.door", key=os.environ[KEY])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(serve, "pages", lambda: tmp_path)  # as it is installed: without lessons
    assert main(["teach", "slides", "4"]) == 2
    said(capsys.readouterr().err, CLI, "no-lessons")
