"""The arena's rows in files: as they come, whole after whatever ends a run, and a game that fails is a row."""

from __future__ import annotations
import csv
import importlib.util
import inspect
import io
import json
import linecache
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

import navalkit as nk
from navalkit.cli import main, records
from navalkit.cli.commands import _pair_told
from navalkit.core.errors import DataError, OptionError
from navalkit.core.registry import package_of
from navalkit.players.arena import Games, Workers, run
from navalkit.players.meeting import Meeting, Sequential
from navalkit.sim import columns, game_seed, play, summary
from navalkit.sim.balance import HEAD, balance, cells
from navalkit.sim.calibration import calibrate
from navalkit.sim.kept import Kept
from navalkit.testing import check_player, heard, refused, said
from ..sentences import CLI, CORE

N, SEED = 12, 5
PARQUET = pytest.param(".parquet", marks=pytest.mark.skipif(
    importlib.util.find_spec("pyarrow") is None, reason="Parquet's library, the extra `parquet`, is not installed."))
ENDINGS = [".jsonl", ".csv", PARQUET]


class Unlucky:
    """Plays any action; but where a file says so, in games of some seeds it fails, or takes its process along."""

    name = "unlucky"

    def __init__(self, fails: float = 0.0, dies: float = 0.0) -> None:
        self.fails, self.dies = fails, dies

    def decide(self, seen: Any, legal: Any, rng: np.random.Generator) -> Any:
        draw = rng.random()
        if draw < self.fails:
            raise ZeroDivisionError("no luck")
        if draw > 1 - self.dies:
            os.kill(os.getpid(), signal.SIGKILL)
        return legal[int(rng.integers(len(legal)))]


def games(who: Any = "random", **options: Any) -> Games:
    return Games(nk.load("uss-lox"), (((who, options) if options else who,),), SEED, told={"who": "a, b"})


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_is_whole_and_the_same_however_often_a_run_was_broken_off(ending: str, tmp_path: Path) -> None:
    whole, broken = tmp_path / f"whole{ending}", tmp_path / f"broken{ending}"
    rows = run(games(), N)
    with Kept(whole) as kept:
        assert run(games(), N, kept=kept) == rows
    for upto in (1, 5, 5, 9):
        with pytest.raises(KeyboardInterrupt), Kept(broken) as kept:
            seen: list[int] = []

            def stop(done: int, n: int, upto: int = upto, seen: list[int] = seen) -> None:
                seen.append(done)
                if done >= upto:
                    raise KeyboardInterrupt

            run(games(), N, kept=kept, progress=stop)
        assert not broken.exists() or ending != ".parquet"
    with Kept(broken) as kept:
        assert len(kept.rows(games())) == 9  # each run begins where the last one ended
        assert run(games(), N, kept=kept) == rows
    assert broken.read_bytes() == whole.read_bytes()
    with Kept(whole) as kept:
        assert run(games(), N, kept=kept, progress=lambda *_: pytest.fail("a game was played again")) == rows
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([whole.name, broken.name])


@pytest.mark.parametrize("ending", [".jsonl", ".csv"])
def test_a_row_that_was_cut_in_the_middle_is_played_again(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"x{ending}"
    with Kept(file) as kept:
        run(games(Unlucky, fails=0.05), N, kept=kept)
    text = file.read_bytes()
    for end in range(len(text) - 1, len(text) - 3000, -97):
        file.write_bytes(text[:end])
        with Kept(file) as kept:
            assert len(kept.rows(games(Unlucky, fails=0.05))) < N or end == len(text) - 1
            run(games(Unlucky, fails=0.05), N, kept=kept)
        assert file.read_bytes() == text, end


def test_rows_that_are_kept_stay_when_fewer_games_are_asked_for(tmp_path: Path) -> None:
    """What is told is of the games asked for; to play more again costs nothing."""
    for ending in (".jsonl", ".csv"):
        file = tmp_path / f"a{ending}"
        rows = play("uss-lox", "random", N, SEED, kept=file)
        whole = file.read_bytes()
        for fewer in (5, 1, 0, N):
            assert play("uss-lox", "random", fewer, SEED, kept=file) == rows[:fewer]
            assert file.read_bytes() == whole
        with Kept(file) as kept, Workers(2) as pool:
            task = Games(nk.load("uss-lox"), (("random",),), SEED, told={"who": "a"})
            assert run(task, N, kept=kept, executor=pool, enough=lambda row: row["game"] == 3) == rows[:4]
        assert file.read_bytes() == whole


def test_rows_stay_when_a_meeting_would_have_stopped_before(tmp_path: Path) -> None:
    meeting, file = Meeting("wolf-pack", options={"turn_limit": 30}), tmp_path / "a.jsonl"
    with Kept(file) as kept:
        meeting.meet("careful", "random", 60, 1, kept=kept)
    whole, until = file.read_bytes(), Sequential(0.2)
    with Kept(file) as kept:
        assert meeting.meet("careful", "random", 400, 1, until=until, kept=kept)[0].games == until.games < 60
    assert file.read_bytes() == whole and whole.count(b"\n") == 60


def test_a_run_that_may_stop_early_and_is_broken_off_ends_in_the_same_file(tmp_path: Path) -> None:
    """With several processes, which play beyond the end."""
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"

    def enough(row: Any) -> bool:
        return bool(row["game"] == 9)

    def stop(done: int, n: int) -> None:
        if done >= 6:
            raise KeyboardInterrupt

    with Kept(whole) as kept:
        rows = run(games(), 30, kept=kept, enough=enough)
    with Workers(2) as pool:
        with pytest.raises(KeyboardInterrupt), Kept(broken) as kept:
            run(games(), 30, kept=kept, enough=enough, executor=pool, chunk=3, progress=stop)
        with Kept(broken) as kept:
            assert run(games(), 30, kept=kept, enough=enough, executor=pool, chunk=3) == rows
    assert whole.read_bytes() == broken.read_bytes() and len(rows) == 10


@pytest.mark.parametrize("name, text, key", [
    ("a.jsonl", "hello\n", "line"), ("a.jsonl", "[1, 2]\n", "line"), ("a.jsonl", "hello", "line"),
    ("a.jsonl", '{"weights": [1, 2]}', "line"), ("a.csv", "hello\n", "foreign"), ("a.csv", "hello", "foreign"),
    ("a.csv", "game,run\n1,12345678\nhello\n", "line"), ("a.csv", "game,run\nhello\n1,12345678\n", "line"),
    ("a.csv", 'game,run\n1,"12345678\n2,12345678\n', "line"),
    ("a.csv", 'game,run\n1,own\n2,"own\n3,own\n', "line"),  # a quotation mark too many
    pytest.param("a.csv", 'game,run\n1,own\n2,"own\n' + 30_000 * "3,own\n", "line", id="a large file"),
    ("a.jsonl", b"\xff\n", "foreign"), ("a.csv", b"\xff\n", "foreign"),
    pytest.param("a.parquet", b"", "foreign", marks=PARQUET.marks),
])
def test_what_is_no_row_is_left_as_it_is(name: str, text: str | bytes, key: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    before = file.read_bytes()
    with refused(DataError, CORE, f"kept.{key}"):
        Kept(file)
    assert file.read_bytes() == before


def test_a_file_that_was_closed_takes_no_rows_and_still_tells_its_own(tmp_path: Path) -> None:
    with Kept(tmp_path / "a.jsonl") as kept:
        rows = run(games(), 2, kept=kept)
    assert [*kept.rows(games()).values()] == rows
    with refused(DataError, CORE, "kept.closed"):
        run(games(), 3, kept=kept)
    with Kept(tmp_path / "a.jsonl") as kept:
        assert run(games(), 3, kept=kept)[:2] == rows


@pytest.mark.parametrize("ending", [".jsonl", ".csv"])
def test_a_task_of_ones_own_has_the_key_that_it_likes(ending: str, tmp_path: Path) -> None:
    class Own(Games):
        key = "mine"

    own = Own(nk.load("uss-lox"), (("random",),), SEED)
    for n in (2, 4):
        with Kept(tmp_path / f"a{ending}") as kept:
            rows = run(own, n, kept=kept)
    assert rows == run(games(), 4)


def test_rows_are_tidy_and_say_what_was_played(tmp_path: Path) -> None:
    with Kept(tmp_path / "a.csv") as kept:
        rows = run(games(), N, kept=kept)
    table = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text())))
    assert [row["who"] for row in table] == ["a, b"] * N and [int(row["game"]) for row in table] == list(range(N))
    assert [{name: row[name] for name in rows[0]} for row in table] == [
        {name: str(value) for name, value in row.items()} for row in rows]
    assert list(table[0])[-3:] == ["error", "record", "run"]


def test_rows_are_there_as_soon_as_they_are_played(tmp_path: Path) -> None:
    file, seen = tmp_path / "a.jsonl", []
    with Kept(file) as kept:
        run(games(), 4, kept=kept, progress=lambda done, n: seen.append(file.read_text().count("\n")))
    assert seen == [1, 2, 3, 4]


@pytest.mark.parametrize("given", ["changed_bots:Eager", "changed_bots:Eager:depth=2", "changed_bots:eager"])
def test_a_run_of_a_player_whose_source_was_changed_is_another(given: str, tmp_path: Path,
                                                               monkeypatch: pytest.MonkeyPatch) -> None:
    """However it is named: else the rows that there are would be told as the changed one's."""
    monkeypatch.syspath_prepend(tmp_path)
    keys = []
    for choice in ("0", "-1", "-1"):
        sys.modules.pop("changed_bots", None)
        (tmp_path / "changed_bots.py").write_text(f"""class Eager:
    def decide(self, observation, legal, rng):
        return legal[{choice}]


def eager(depth=1):
    return Eager() if "{choice}" else None
""")
        importlib.invalidate_caches()
        linecache.clearcache()
        keys.append(games(given).key)
    assert keys[0] != keys[1] == keys[2]


def test_a_run_of_a_class_of_a_cell_of_its_base_or_of_other_weights_is_another() -> None:
    """A notebook's cells are in no file."""
    def made(choice: int, base: str = "") -> Any:
        cell = {"__name__": "__main__"}
        exec(f"class Base:\n    best = {base or 0}\n    def pick(self, legal):\n        return legal[{choice}]\n"  # noqa: S102
             "class Eager(Base):\n    def __init__(self, weights=None):\n        self.weights = weights\n"
             "    def decide(self, observation, legal, rng):\n        return self.pick(legal)\n", cell)
        return cell["Eager"]

    assert len({games(made(0)).key, games(made(-1)).key, games(made(0, "1")).key}) == 3
    assert games(made(0)).key == games(made(0)).key
    kind = made(0)
    assert len({games(kind(np.array(weights))).key for weights in ([0.0], [1.0], [0.0, 0.0])}) == 3
    assert games(kind(np.array([1.0]))).key == games(kind(np.array([1.0]))).key != games(kind([1.0])).key


def test_rows_of_another_run_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    with Kept(file) as kept:
        run(games(), 3, kept=kept)
    other = Games(nk.load("uss-lox", jokers=True), (("random",),), SEED)
    again = Games(nk.load("uss-lox"), (("random",),), SEED + 1)
    assert len({games().key, other.key, again.key, games("greedy").key, games(Unlucky).key,
                games(Unlucky, fails=0.1).key}) == 6
    with Kept(file) as kept, refused(DataError, CORE, "kept.other", n=3):
        kept.check([other])
    before = file.read_bytes()
    with refused(DataError, CORE, "kept.other", n=3), Kept(file) as kept:  # a run that nobody has checked
        run(again, 3, kept=kept)
    assert file.read_bytes() == before
    both = tmp_path / "both.jsonl"
    with Kept(both) as kept:
        rows = [run(each, 2, kept=kept) for each in (games(), again)]
    with Kept(both) as kept:
        assert [run(each, 2, kept=kept) for each in (games(), again)] == rows
    with refused(DataError, CORE, "kept.other", n=2), Kept(both) as kept:
        run(games(), 2, kept=kept)
    for name, text, key in (("b.jsonl", '{"a": 1}\n', "foreign"), ("b.csv", "a,b\n1,2\n", "foreign"),
                            ("c.jsonl", 'x\n{"game": 1, "run": "1"}\n', "line")):
        (tmp_path / name).write_text(text)
        with refused(DataError, CORE, f"kept.{key}"):
            Kept(tmp_path / name)
        assert (tmp_path / name).read_text() == text
    with refused(OptionError, CORE, "kept.ending"):
        Kept(tmp_path / "a.txt")
    for nowhere in (tmp_path / "none" / "a.jsonl", tmp_path / "a.jsonl" / "a.csv"):
        with refused(DataError, CORE, "kept.cannot"):
            Kept(nowhere)


@pytest.mark.parametrize("ending", [".jsonl", ".csv"])
def test_an_empty_text_in_a_row_is_there_when_the_run_is_taken_up(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{ending}"
    ranked = Games(nk.load("task-force"), (("random",),), SEED, row=lambda match: {"rank": "", "moves": match.ply})
    rows = run(ranked, 4)
    with Kept(path) as kept:
        run(ranked, 2, kept=kept)
        run(games(), 2, kept=kept)  # another game, with columns of its own
    with Kept(path) as kept:
        assert run(ranked, 4, kept=kept) == rows
        assert run(games(), 2, kept=kept) == run(games(), 2)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_game_that_fails_is_a_row_with_its_record(jobs: int, tmp_path: Path) -> None:
    with Workers(jobs) as pool, Kept(tmp_path / "a.csv") as kept:
        rows = run(games(Unlucky, fails=0.02), 20, executor=pool if jobs > 1 else None, kept=kept)
    failed = [row for row in rows if row["error"]]
    assert 0 < len(failed) < 20 and len(columns(rows)) == len(rows[0])
    good = run(games(Unlucky), 20)
    assert [row["game"] for row in rows] == list(range(20)) and len(good) == 20
    for row in failed:
        assert row["result"] == "failed" and row["score"] is None and "no luck" in row["error"]
        match = nk.Match.loads(row["record"])
        assert match.seed == row["seed"] == game_seed(SEED, row["game"])
        assert match.ply == row["plies"] and not match.over
    assert summary(rows)["score"].n == 20 - len(failed)
    with Kept(tmp_path / "a.csv") as kept:
        assert run(games(Unlucky, fails=0.02), 20, kept=kept) == rows


def test_if_all_fail_it_is_said() -> None:
    with refused(DataError, CORE, "arena.all_failed", n=3):
        play(nk.load("uss-lox"), (Unlucky, {"fails": 1.0}), 3, 1)


def test_a_game_that_its_process_does_not_survive_is_a_row_and_takes_no_other_along() -> None:
    with Workers(2) as pool:
        rows = run(games(Unlucky, dies=0.02), 20, executor=pool, chunk=2)
    assert {row.pop("players") for row in rows} == {"unlucky:dies=0.02"}  # of the dead ones too
    quiet = [{name: value for name, value in row.items() if name != "players"} for row in run(games(Unlucky), 20)]
    dead = [row["game"] for row in rows if row["error"]]
    assert dead and len(dead) < 15
    said(rows[dead[0]]["error"], CORE, "arena.died")
    assert all(row["seed"] == game_seed(SEED, row["game"]) for row in rows)
    assert not any(rows[number]["record"] for number in dead)
    for row, other in zip(rows, quiet, strict=True):
        assert row["game"] in dead or {name: row[name] for name in other} == other


def test_what_cannot_be_sent_is_said_before_anything_is_played() -> None:
    class Local(Unlucky):
        pass

    with Workers(2) as pool, refused(OptionError, CORE, "arena.pickle"):
        run(games(Local), 4, executor=pool)
    with ProcessPoolExecutor(1) as other, refused(OptionError, CORE, "arena.pickle"):
        play(nk.load("uss-lox"), Local, 4, 1, other)


def test_a_player_that_cannot_be_copied_is_refused() -> None:
    holds = type("Holds", (), {"decide": lambda self, seen, legal, rng: legal[0]})()
    holds.lock = threading.Lock()
    with refused(DataError, CORE, "arena.all_failed") as refusal:
        run(games(holds), 1)
    said(refusal.value.facts["error"], CORE, "arena.copy", who="Holds")
    assert len(run(games(type(holds)), 1)) == 1
    with refused(OptionError, CORE, "arena.copy", who="Holds"):
        check_player(holds, "uss-lox", seeds=range(1))


def test_players_keep_nothing_from_game_to_game() -> None:
    class Counts(Unlucky):
        asked = 0

        def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
            self.asked += 1
            return legal[self.asked % len(legal)]

    whole = run(games(Counts()), 6)
    assert whole == run(games(Counts), 6) and whole[3:] == [games(Counts()).__call__(number) for number in (3, 4, 5)]


@pytest.mark.parametrize("game", nk.games())
def test_the_librarys_players_play_the_same_games_anew_and_again(game: str) -> None:
    """So that it does not matter which process has played what before."""
    made = nk.load(game)
    for name in ("random", next(iter(package_of(made).bots))):
        task = Games(made, ((name,) * len(made.players),), 3)
        used = [task(number) for number in (0, 1)]
        assert Games(made, task.seats, 3)(1) == used[1]


# -- The commands ----------------------------------------------------------------------------------

ORDERS = {
    "tournament": ["tournament", "wolf-pack", "--player", "careful", "--player", "random", "-n", "6", "--option",
                   "turn_limit=10"],
    "alone": ["tournament", "uss-lox", "--player", "greedy", "--player", "random", "-n", "3"],
    "sim": ["sim", "wolf-pack", "-n", "6", "--option", "turn_limit=10"],
    "balance": ["balance", "wolf-pack", "-n", "4", "--captain", "random", "--scenario", "a-short-hunt"],
    "calibration": ["calibration", "uss-lox", "--number", "attacks", "--part", "0.01", "--seed", "3"],
}


@pytest.mark.parametrize("which", ORDERS)
def test_every_command_keeps_rows_and_says_the_same_from_them(which: str, tmp_path: Path,
                                                              capsys: pytest.CaptureFixture[str]) -> None:
    def told(*more: str) -> str:
        assert main([*ORDERS[which], *more]) == 0
        return "".join(line for line in capsys.readouterr().out.splitlines(keepends=True) if " seed " not in line)

    plain, file = told(), tmp_path / "rows.jsonl"
    assert told("--rows", str(file), "--jobs", "2") == plain
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert rows and not any(row["error"] for row in rows)
    file.write_text("".join(f"{line}\n" for line in file.read_text().splitlines()[::2]))
    assert told("--rows", str(file)) == plain
    assert [json.loads(line) for line in file.read_text().splitlines()] == rows
    order = [*ORDERS[which], "--rows", str(file), "--seed", "99"]
    assert main(order) == 2
    said(capsys.readouterr().err, CORE, "kept.other")


def test_of_several_runs_in_one_file_each_is_that_of_players_before_any_has_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "noting_bots.py").write_text("""NOTED = []
class A:
    def decide(self, observation, legal, rng):
        NOTED.append(1)
        return legal[0]
class B(A):
    pass
""")
    order = ["tournament", "uss-lox", "--player", "noting_bots:A", "--player", "noting_bots:B", "-n", "2", "--rows",
             str(tmp_path / "a.jsonl")]
    for _ in range(2):
        sys.modules.pop("noting_bots", None)
        assert main(order) == 0, capsys.readouterr().err
    assert (tmp_path / "a.jsonl").read_text().count("\n") == 4


def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    """The driver itself is killed, with all its processes."""
    file = tmp_path / "rows.csv"
    order = [sys.executable, "-m", "navalkit", "tournament", "wolf-pack", "--player", "careful", "--player", "random",
             "-n", "40", "--rows", str(file)]
    child = subprocess.Popen([*order, "--jobs", "2"], start_new_session=True, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    try:
        while not file.exists() or file.read_text().count("\n") < 4:
            assert child.poll() is None, "it ended before it could be killed"
            time.sleep(0.02)
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    assert file.read_text().count("\n") < 41
    subprocess.run(order, check=True, capture_output=True)
    clean = tmp_path / "clean.csv"
    subprocess.run([*order[:-1], str(clean)], check=True, capture_output=True)
    assert file.read_bytes() == clean.read_bytes() and file.read_text().count("\n") == 41


def _games(facts: Mapping[str, Any]) -> int:
    return int(str(facts["n"]).partition(" ")[0])


def test_failed_games_are_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                  monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "unlucky_bots.py"
    file.write_text(f"import os, signal\nfrom typing import Any\nimport numpy as np\n{inspect.getsource(Unlucky)}")
    monkeypatch.syspath_prepend(str(tmp_path))
    order = ["sim", "uss-lox", "--policy", "unlucky_bots:Unlucky", "-n", "2"]
    assert main(order) == 0 and not capsys.readouterr().err
    order = ["tournament", "wolf-pack", "--player", "unlucky_bots:Unlucky:fails=0.01", "--player", "random", "-n", "8",
             "--option", "turn_limit=20", "--rows", str(tmp_path / "rows.jsonl")]
    assert main(order) == 0
    err = capsys.readouterr().err
    assert 0 < _games(said(err, CLI, "arena.failed", of=8)) < 8
    said(err, CLI, "arena.failed-kept")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_player_that_fails_in_every_game_ends_nobody_elses(
    jobs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "never_bots.py"
    file.write_text(f"import os, signal\nfrom typing import Any\nimport numpy as np\n{inspect.getsource(Unlucky)}")
    monkeypatch.syspath_prepend(str(tmp_path))
    never = "never_bots:Unlucky:fails=1.0"
    players = [part for name in (never, "random", "greedy", "careful") for part in ("--player", name)]
    order = ["tournament", "wolf-pack", *players, "-n", "2", "--option", "turn_limit=10", "--jobs", jobs]
    assert main(order) == 0
    out = capsys.readouterr().out
    assert len([line for line in out.splitlines() if heard(line, CLI, "tournament.failed")]) == 3
    assert len([line for line in out.splitlines() if heard(line, CLI, "tournament.rating")]) == 3
    said(out, CLI, "tournament.unrated", names=never)
    assert main([*order[:4], "--player", "random", *order[-7:]]) == 2  # nobody else is there
    rows = [*balance("wolf-pack", ("random", (Unlucky, {"fails": 1.0})), 2, options={"turn_limit": 10},
                     only=["a-short-hunt"])]
    assert [row.games for row in rows] == [2, 0, 0, 0]
    assert rows[1].data()["games"] == 0 and len(cells(rows[1])) == len(HEAD)
    with refused(DataError, CORE, "arena.all_failed"):
        [*balance("wolf-pack", [(Unlucky, {"fails": 1.0})], 2, options={"turn_limit": 10}, only=["a-short-hunt"])]


HALF = """class Half:
    name = "half"

    def decide(self, seen, legal, rng):
        if seen.me:
            raise ArithmeticError
        return legal[0]
"""


def test_a_player_that_fails_on_one_side_is_not_rated_by_the_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_bots.py").write_text(HALF)
    monkeypatch.syspath_prepend(str(tmp_path))
    players = [part for name in ("half_bots:Half", "random", "greedy") for part in ("--player", name)]
    assert main(["tournament", "wolf-pack", *players, "-n", "2", "--option", "turn_limit=10"]) == 0
    out = capsys.readouterr().out
    assert out.count("half_bots:Half against ") == 2 and heard(out, CLI, "tournament.half-pair")
    assert len([line for line in out.splitlines() if heard(line, CLI, "tournament.rating")]) == 2
    said(out, CLI, "tournament.unrated", names="half_bots:Half")


def test_a_side_of_which_no_game_was_played_has_no_share() -> None:
    meeting, pair, sides = Meeting("wolf-pack"), ("careful", "greedy"), ("U-boats", "convoy")
    some, none = meeting._result({0: (0.25, 3)}), meeting._result({})
    said(_pair_told(pair, sides, some, some, some), CLI, "tournament.pair", first=0.25, second=0.25)
    for had, apart in enumerate(((some, none), (none, some))):
        told = _pair_told(pair, sides, some, *apart)
        said(told, CLI, "tournament.half-pair", side=sides[had], other=sides[1 - had], share=0.25)


HANGS = "class Hangs:\n    name = 'hangs'\n    def decide(self, seen, legal, rng):\n        while True: pass\n"


def test_a_run_in_which_a_player_hangs_is_stopped_at_a_press(tmp_path: Path) -> None:
    (tmp_path / "hanging_bots.py").write_text(HANGS)
    order = [sys.executable, "-m", "navalkit", "tournament", "wolf-pack", "--player", "hanging_bots:Hangs",
             "--player", "random", "-n", "4", "--jobs", "2"]
    child = subprocess.Popen(order, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    try:
        pool: list[psutil.Process] = []
        while len(pool) < 2:
            assert child.poll() is None, "it ended before it could be stopped"
            time.sleep(0.02)
            pool = psutil.Process(child.pid).children()
        time.sleep(1)  # by now they hang
        child.send_signal(signal.SIGINT)
        child.wait(30)
        assert not psutil.wait_procs(pool, 10)[1]
    finally:
        child.kill()
        for each in pool:
            if each.is_running():
                each.kill()


def test_of_a_process_that_died_it_is_said_that_there_is_no_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "deadly_bots.py"
    file.write_text(f"import os, signal\nfrom typing import Any\nimport numpy as np\n{inspect.getsource(Unlucky)}")
    monkeypatch.syspath_prepend(str(tmp_path))
    rows = tmp_path / "rows.jsonl"
    order = ["tournament", "uss-lox", "--player", "deadly_bots:Unlucky:dies=0.05", "-n", "12", "--rows", str(rows),
             "--jobs", "2"]
    assert main(order) == 0
    err, kept = capsys.readouterr().err, [json.loads(line) for line in rows.read_text().splitlines()]
    lost = [row for row in kept if row["error"]]
    assert lost and all(row["record"] == "" for row in lost)
    said(err, CLI, "arena.failed", seed=str(lost[0]["seed"]), of=12)
    assert _games(said(err, CLI, "arena.failed-lost")) == len(lost)


def test_the_processes_of_a_run_that_is_killed_end_with_it() -> None:
    order = [sys.executable, "-m", "navalkit", "sim", "wolf-pack", "--rules", "-n", "100000", "--jobs", "2"]
    child = subprocess.Popen(order, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        pool: list[psutil.Process] = []
        while len(pool) < 2:
            assert child.poll() is None, "it ended before it could be killed"
            time.sleep(0.02)
            pool = psutil.Process(child.pid).children()
        time.sleep(0.5)  # by now they play
    finally:
        child.kill()
        child.wait()
    _, alive = psutil.wait_procs(pool, timeout=60)
    for process in alive:
        process.kill()
    assert not alive


@pytest.mark.parametrize("order", [["--policy", "random", "--policy", "greedy"]])
def test_sim_takes_one_policy(order: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", "wolf-pack", "-n", "2", *order]) == 2
    said(capsys.readouterr().err, CLI, "sim.policies", names="'random', 'greedy'")


def test_a_number_of_processes_and_a_files_name_are_enough(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    rows = play("uss-lox", "random", 4, 1, executor=2, kept=str(file))
    assert rows == play("uss-lox", "random", 4, 1) == play("uss-lox", "random", 4, 1, executor=1, kept=file)
    assert file.read_text().count("\n") == 4
    with refused(DataError, CORE, "kept.other", n=4):
        play("uss-lox", "random", 4, 2, kept=file)


@pytest.mark.parametrize("wrong, key", [
    ({"executor": 0}, "jobs"), ({"executor": True}, "jobs"), ({"executor": "two"}, "executor"),
    ({"kept": 3}, "kept"), ({"chunk": 0}, "chunk"), ({"chunk": "all"}, "chunk"),
])
def test_what_plays_no_games_and_keeps_no_rows_is_refused(wrong: dict[str, Any], key: str) -> None:
    with refused(OptionError, CORE, f"arena.{key}"):
        play("uss-lox", "random", 2, 1, **wrong)


def test_the_bar_is_silent_where_nobody_looks(capsys: pytest.CaptureFixture[str],
                                              monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "LATE", -1)
    with records.Progress() as bar:
        bar(1, 2)
    assert not capsys.readouterr().err
    monkeypatch.setattr(records, "watched", lambda: True)
    with records.Progress() as bar:
        bar(1, 2)
    said(capsys.readouterr().err, CLI, "progress.of", done=1, total=2)


@pytest.mark.parametrize("jobs", ["0", "many", "-1"])
def test_jobs_are_a_number_or_all(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", "uss-lox", "--jobs", jobs]) == 2
    said(capsys.readouterr().err, CLI, "arena.no-jobs", text=repr(jobs))
    assert main(["sim", "uss-lox", "-n", "20", "--rules", "--jobs", "auto"]) == 0


# -- What rows say to a reader of the file ---------------------------------------------------------

@pytest.mark.parametrize("ending", ENDINGS)
def test_a_tournaments_rows_say_who_sat_where_in_that_very_game(ending: str, tmp_path: Path,
                                                               capsys: pytest.CaptureFixture[str]) -> None:
    """The printed shares are made again from the rows alone, read as they stand."""
    file, one, two = tmp_path / f"rows{ending}", "careful", "greedy"
    order = ["tournament", "wolf-pack", "--player", one, "--player", two, "-n", "12", "--seed", "3"]
    order += ["--rows", str(file)]
    assert main(order) == 0
    told = capsys.readouterr().out
    assert main(order) == 0 and capsys.readouterr().out == told  # from the file
    scores = [f"score_{role}" for role in nk.load("wolf-pack").players]
    seats = [(row["players"].split(" : "), row) for row in _as_read(file)]
    points = {(who, side): [float(row[score]) for seated, row in seats if seated[side] == who]
              for who in (one, two) for side, score in enumerate(scores)}
    assert all(len(each) == 6 for each in points.values())
    share = {who: sum(points[who, 0] + points[who, 1]) / 12 for who in (one, two)}
    assert share[one] + share[two] == 1 and f"{share[one]:.1%} (95 %" in told and share[one] != 0.5
    facts = {"one": one, "two": two, "side": "U-boats", "other": "convoy"}
    assert said(told, CLI, "tournament.pair", **facts, first=sum(points[one, 0]) / 6, second=sum(points[one, 1]) / 6)


def _as_read(file: Path) -> list[dict[str, Any]]:
    """Rows as they are read from the file without the library."""
    if file.suffix == ".parquet":
        return list(pytest.importorskip("pyarrow.parquet").read_table(file).to_pylist())
    text = file.read_text()
    return list(csv.DictReader(io.StringIO(text))) if file.suffix == ".csv" else [*map(json.loads, text.splitlines())]


def test_a_game_without_a_record_says_who_sat_where_too() -> None:
    both = Meeting("wolf-pack").games("random", ("unlucky", {}), seed=1)
    rows = [both.begun(number) for number in range(3)]
    assert [row["players"] for row in rows] == ["random : unlucky", "unlucky : random", "random : unlucky"]
    assert [(row["game"], row["seed"]) for row in rows] == [(0, 1), (1, 1), (2, 2)]


@pytest.mark.parametrize("ending, held", [
    (".jsonl", b"\xff"), (".csv", b"\xff"), pytest.param(".parquet", b"", marks=PARQUET.marks),
    pytest.param(".parquet", b"\x00\xff\x00", marks=PARQUET.marks)])
def test_a_command_refuses_a_file_of_other_bytes(ending: str, held: bytes, tmp_path: Path,
                                                 capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / f"rows{ending}"
    file.write_bytes(held)
    assert main([*ORDERS["tournament"], "--rows", str(file)]) == 2
    said(capsys.readouterr().err, CORE, "kept.foreign")
    assert file.read_bytes() == held


# -- The sequential test ---------------------------------------------------------------------------

@pytest.mark.parametrize("share", [0.4, 0.6])
def test_a_wrong_answer_is_as_rare_as_it_says(share: float) -> None:
    rng, wrong, played = np.random.default_rng(7), 0, []
    for _ in range(300):
        question = Sequential(0.1)
        while not question.add(float(rng.random() < share)):
            assert question.games < 5000
        wrong += question.answer != (1 if share > 0.5 else -1)
        played.append(question.games)
    assert wrong / 300 < 0.05 + 4 * (0.05 * 0.95 / 300) ** 0.5
    assert np.mean(played) < 200  # a fixed number of games with errors that rare would take some 270


def test_it_stops_at_the_same_game_wherever_games_are_played(tmp_path: Path) -> None:
    meeting, found = Meeting("wolf-pack", options={"turn_limit": 30}), []
    for jobs in (1, 2):
        file, until = tmp_path / f"{jobs}.jsonl", Sequential(0.2)
        with Kept(file) as kept:
            found.append((meeting.meet("careful", "random", 400, 1, jobs, until=until, kept=kept), until.games))
        assert until.answer == 1 and until.games < 100 and until.games % 2 == 0
        assert file.read_text().count("\n") == until.games  # what was played beyond is forgotten
    assert found[0] == found[1] and (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    assert found[0][0][0].games == found[0][1]


def test_a_failed_game_takes_its_pair_out() -> None:
    question = Sequential(0.1)
    for points in (1.0, None, 0.5, 1.0):
        assert not question.add(points)
    assert question.pairs == [0.75] and question.games == 4
    for wrong in ((0.0, 0.05), (0.5, 0.05), (0.1, 0.5)):
        with refused(OptionError, CORE, "sequential.range"):
            Sequential(*wrong)


def test_the_command_says_what_the_test_came_to(capsys: pytest.CaptureFixture[str]) -> None:
    order = ["tournament", "wolf-pack", "--player", "careful", "--player", "random", "--option", "turn_limit=30"]
    assert main([*order, "-n", "200", "--margin", "0.2"]) == 0
    assert _games(said(capsys.readouterr().out, CLI, "tournament.sure", name="careful", most=200)) < 200
    assert main([*order, "-n", "2", "--margin", "0.1"]) == 0
    said(capsys.readouterr().out, CLI, "tournament.unsure", n=2)
    assert main([*order, "--margin", "0.7"]) == 2


def test_rows_of_a_balance_and_of_a_calibration_come_back_as_they_were(tmp_path: Path) -> None:
    short: dict[str, Any] = {"only": ["river_plate"], "options": {"moves": 2}}
    for ending in (".jsonl", ".csv"):
        with Kept(tmp_path / f"b{ending}") as kept:
            first = list(balance("fleet-action", ["random"], 2, 3, **short, kept=kept))
        with Kept(tmp_path / f"b{ending}") as kept:
            again = list(balance("fleet-action", ["random"], 2, 3, **short, kept=kept))
        assert [row.data() for row in again] == [row.data() for row in first] and again[0].accounts[0].leads
        with Kept(tmp_path / f"c{ending}") as kept:
            one = list(calibrate("uss-lox", 0.005, 3, "attacks", kept=kept))
        with Kept(tmp_path / f"c{ending}") as kept:
            assert list(calibrate("uss-lox", 0.005, 3, "attacks", kept=kept)) == one
