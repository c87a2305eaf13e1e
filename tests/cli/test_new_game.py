"""A new game is playable as it is written: by the commands, by its own tests, saved and loaded, by machine."""

from __future__ import annotations
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import navalkit as nk
from navalkit.cli import main
from navalkit.cli.commands import write
from navalkit.core.errors import OptionError
from navalkit.core.registry import names
from navalkit.core.words import Phrase, Words
from navalkit.testing import refused, said
from ..sentences import CLI, TEACH

ROOT = Path(nk.__file__).parents[1]


def installed(folder: Path, name: str) -> dict[str, str]:
    """An environment in which the game of that name is installed, as pip would: its entry point can be read."""
    info = folder / f"{name.replace('-', '_')}-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(f"[navalkit.games]\n{name} = {name.replace('-', '_')}\n")
    return os.environ | {"PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}


def run(order: list[str], folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, *order], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_game_written_into_an_empty_folder_plays_saves_loads_and_explains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-game", "night-duel", "--folder", str(tmp_path)]) == 0
    said(capsys.readouterr().out, CLI, "new-game.written", game="night-duel")
    folder = tmp_path / "night-duel"
    environment = installed(folder, "night-duel")
    assert "passed" in run(["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"], folder, environment)
    run(["-c", EXPLORED], folder, environment)
    run(["-c", PLAYED], folder, environment)
    words = Words({"en": tomllib.loads((folder / "night_duel" / "words.toml").read_text(encoding="utf-8"))})
    (folder / "night_duel" / "words.de.toml").write_text('won = "Der Raider ist gesunken."\n', encoding="utf-8")
    run(["-c", GERMAN], folder, environment)
    navalkit = ["-m", "navalkit"]
    assert "1/9" in run([*navalkit, "odds", "night-duel", "sink", "4", "2", "1-5"], folder, environment)
    said(run([*navalkit, "sim", "night-duel", "-n", "20", "--policy", "gunner"], folder, environment), CLI, "sim.mean")
    said(run([*navalkit, "replay", "duel.toml", "--svg", "x.svg"], folder, environment), words, "closed", range=3)
    assert (folder / "x.svg").read_text().startswith("<svg")
    said(run([*navalkit, "explain", "duel.toml", "--player", "gunner"], folder, environment), words, "bot.reason")
    # A lesson of its own.
    (folder / "mine.py").write_text(EXERCISE, encoding="utf-8")
    (folder / "lesson").mkdir()
    (folder / "lesson" / "lesson.ipynb").write_text(json.dumps(LESSON), encoding="utf-8")
    checked = run([*navalkit, "teach", "check-exercises", "mine.py"], folder, environment)
    said(checked, TEACH, "check.good", id="duel.1", title="Five turns")
    for paper in ("slides", "worksheet"):
        run([*navalkit, "teach", paper, "lesson", "--exercises", "mine.py"], folder, environment)
    assert "20/27" in (folder / "lesson.slides.html").read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["teach", "slides", str(folder / "lesson")]) != 0
    said(capsys.readouterr().err, TEACH, "print.no_exercise")


PLAYED = """
import navalkit as nk
match = nk.Match.new("night-duel", seed=5)
match.play("close")
while not match.over:
    match.play("fire")
match.save("duel.toml")
assert nk.Match.load("duel.toml").log == match.log
"""
EXERCISE = """
from night_duel import odds
from navalkit.teach import exercise
five = exercise(id="duel.1", title="Five turns", kind="probability", answer=lambda: odds.sink(4, 2, 5), hints=["?"])
EXERCISES = [five]
"""
_CELL = {"cell_type": "code", "id": "five", "metadata": {}, "outputs": [], "execution_count": None}
LESSON = {
    "nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
        {"cell_type": "markdown", "id": "head", "metadata": {}, "source": "# A duel"},
        _CELL | {"source": 'check("duel.1", p)'},
    ],
}  # fmt: skip
GERMAN = """
from navalkit.core.words import Voice, speaking
from night_duel import PAGE
from night_duel.rules import SAY
assert PAGE.languages == ("en", "de")
with speaking(Voice("de")):
    assert SAY("won") == "Der Raider ist gesunken."
"""
"""Another language is a file beside the sentences, and no line of code."""
EXPLORED = """
from navalkit import explore
answer = explore.answer("night-duel-sink", turns=5)
assert 0 < answer.value < 1 and answer.said and all(answer.how)
tally = explore.simulate("night-duel-sink", 4000)
assert abs(tally.mean - float(answer.value)) < 4 * tally.error
"""


@pytest.mark.parametrize(
    "name, sentence",
    [
        ("Night Duel", CLI.phrase("new-game.no-name")),
        ("class", CLI.phrase("new-game.keyword", name="class")),
        ("uss-lox", CLI.phrase("new-game.taken", name="uss-lox")),
        ("json", CLI.phrase("new-game.taken", name="json")),
        ("there", CLI.phrase("new-game.there")),
    ],
)
def test_a_name_that_cannot_be_is_refused(name: str, sentence: Phrase, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with refused(OptionError, sentence):
        write(name, tmp_path, "game", names(), name)
    assert [path.name for path in tmp_path.rglob("*")] == ["there"]


def test_the_skeleton_is_written_in_the_style_of_the_house(tmp_path: Path) -> None:
    folder = write("night-duel", tmp_path, "game", names(), "night-duel")
    assert "{{" not in "".join(path.read_text() for path in folder.rglob("*") if path.is_file())
    style = ["--config", str(ROOT / "pyproject.toml"), "--ignore", "I"]  # the order of imports hangs on the name
    run(["-m", "ruff", "check", *style, "."], folder, dict(os.environ))
