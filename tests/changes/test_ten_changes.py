"""The ten changes of CONTRIBUTING, each made on a copy of the house: it touches the files of its row, and it works."""

from __future__ import annotations
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from ..servers import ROOT
from .changes import CHANGES, WORDS

_HEADING = "## Ten changes, and the files each touches"


def table() -> dict[str, list[str]]:
    """The files of each change, as patterns, as CONTRIBUTING has them."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition(_HEADING)[2].strip()
    rows = [line.split("|") for line in text.split("\n\n")[0].splitlines()[2:]]
    return {change.strip(): re.findall(r"`([^`]+)`", files) for _, change, files, _ in rows}


def test_the_table_has_the_ten_changes_that_are_made() -> None:
    assert list(table()) == list(CHANGES) and len(CHANGES) == 10


def test_every_edit_can_be_made() -> None:
    for change in CHANGES.values():
        for file, edits in change.edits.items():
            text = (ROOT / file).read_text(encoding="utf-8")
            assert [old for old, _ in edits if old and text.count(old) != 1] == [], file


class House:
    """A copy of the tracked files, under git, in which commands run with its own package."""

    def __init__(self, home: Path) -> None:
        self.home = home
        for name in self._git("ls-files", "-z", at=ROOT).split("\0"):
            if (source := ROOT / name).is_file():
                (home / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, home / name, follow_symlinks=False)
        self._git("init", "-q")
        self._git("add", "-A")
        self._git("-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-q", "-m", "As it was")

    def touched(self) -> set[str]:
        """The files that differ from the copy, new ones too."""
        lines = self._git("status", "--porcelain", "-uall", "-z").split("\0")
        return {line[3:] for line in lines if line}

    def edit(self, file: str, old: str, new: str) -> None:
        """Put a text in another's place, or at the end."""
        text = (self.home / file).read_text(encoding="utf-8")
        (self.home / file).write_text(text.replace(old, new) if old else text + new, encoding="utf-8")

    def python(self, *arguments: str, renew: bool = False) -> None:
        """Run Python in the house; it must end well."""
        self._run([sys.executable, *arguments], {"NAVALKIT_RENEW": "1"} if renew else {})

    def pytest(self, tests: str, renew: bool = False) -> None:
        """Run tests of the house, given as on a command line."""
        options = ["-q", "-x", "-n", "0", "-m", "not slow and not browser", "-p", "no:cacheprovider", "--tb=short"]
        self.python("-m", "pytest", *options, *tests.split(), renew=renew)

    def make_words(self) -> None:
        """`make words`, with the Python that runs now in place of an environment of the house."""
        made = self.home / ".venv"
        made.mkdir()
        for stamp in (".run", ".dev"):
            (made / stamp).touch()
        self._run(["make", "-s", "words", f"PY={sys.executable}", "-o", ".venv/.run", "-o", ".venv/.dev"], {})

    def _run(self, command: list[str], more: dict[str, str]) -> None:
        plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "NAVALKIT"))}
        environment = plain | {"PYTHONPATH": str(self.home), "PYTHONDONTWRITEBYTECODE": "1"} | more
        done = subprocess.run(command, cwd=self.home, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-5000:]}\n{done.stderr[-5000:]}"

    def _git(self, *command: str, at: Path | None = None) -> str:
        plain = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        return subprocess.run(
            ["git", *command], cwd=at or self.home, env=plain, capture_output=True, text=True, check=True
        ).stdout


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("it takes a checkout under git")
    yield House(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_touches_the_files_of_its_row_and_works(name: str, house: House) -> None:
    change, patterns = CHANGES[name], table()[name]
    for file, edits in change.edits.items():
        for old, new in edits:
            house.edit(file, old, new)
    for command in change.renew:
        house.make_words() if command == WORDS else house.pytest(command, renew=True)
    touched = house.touched()
    assert {file for file in touched if not any(fnmatchcase(file, pattern) for pattern in patterns)} == set()
    assert [pattern for pattern in patterns if not any(fnmatchcase(file, pattern) for file in touched)] == []
    house.python("-c", f"from tests.changes.changes import CHANGES; CHANGES[{name!r}].effect()")
    for tests in change.tests:
        house.pytest(tests)
