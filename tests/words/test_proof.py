"""The proof that no test depends on a wording: sentences change, and nothing fails but what `make words` writes anew.

Seeds of one's own: NAVALKIT_SEEDS="2 3 4" python -m pytest tests/words/test_proof.py
"""

from __future__ import annotations
import doctest
import os
import random
import re
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from ..servers import ROOT
from . import reword
from .test_sheets import NAMED, SHEETS

MANY = 50
SHEET = "tests/words/test_sheets.py::test_the_sentences_read_as_on_their_proof_sheet"
ABOUT = {
    "tests/notebooks/test_lessons.py::test_the_copy_is_what_the_command_makes": "`make words` makes the copies too",
    "tests/ui/test_frame.py::test_the_template_says_what_the_sentences_say": "`make words` writes the template too",
    "tests/changes/test_ten_changes.py::test_every_edit_can_be_made": "two of the ten changes edit a sentence",
    "tests/core/test_reference.py::test_what_is_public_has_a_docstring_and_its_examples_are_true": "an example says it",
}
"""Other tests whose subject is wording, each with the reason."""
SKIPPED = shutil.ignore_patterns(".git", ".venv*", ".hub", ".*_cache", "__pycache__", ".hypothesis", "build", "dist",
                                 "node_modules", ".made")


def file_of(sheet: str) -> Path:
    """The sentence file of a proof sheet, from the root."""
    name, _, lang = sheet.partition(".")
    origin = NAMED[name].origin
    assert origin is not None
    package, (file,) = origin
    path = Path(str(resources.files(package))) / file
    return path.with_suffix(f".{lang}.toml" if lang else ".toml").relative_to(ROOT)


FILES = {sheet: file_of(sheet) for sheet in SHEETS}
TERMS = reword.terms(ROOT / file for file in FILES.values())
ALL = [(sheet, key) for sheet, file in FILES.items() for key in reword.sentences(ROOT / file)]
SEEDS = [int(seed) for seed in os.environ.get("NAVALKIT_SEEDS", "1").split()]


def test_another_wording_says_the_same() -> None:
    assert len(ALL) > 4000 and doctest.testmod(reword).failed == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "chosen",
    [*(random.Random(seed).sample(ALL, MANY) for seed in SEEDS), ALL],
    ids=[*(f"{MANY} by seed {seed}" for seed in SEEDS), "all"],
)
def test_sentences_worded_anew_fail_their_proof_sheets_and_nothing_else(
    chosen: list[tuple[str, str]], tmp_path: Path
) -> None:
    house = tmp_path / "house"
    shutil.copytree(ROOT, house, symlinks=True, ignore=SKIPPED)
    changed = set()
    for sheet, file in FILES.items():
        before = reword.sentences(house / file)
        reword.rewrite(house / file, {key for each, key in chosen if each == sheet}, TERMS)
        if reword.sentences(house / file) != before:
            changed.add(f"{SHEET}[{sheet}]")
    order = ["-q", "-n", "2", "--dist", "loadfile", "-m", "not slow", "-rfE", "--tb=short", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *order]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(
        command, cwd=house, env=environment | {"PYTHONPATH": str(house)}, capture_output=True, text=True
    )
    failed = set(re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE))
    others = sorted(test for test in failed if test.split("[")[0] not in {SHEET, *ABOUT})
    told = "\n".join([*others, done.stdout[-20_000:], done.stderr[-2_000:]])
    assert not others and done.returncode == 1, told
    assert changed <= failed, f"a sheet must show what was worded anew\n{told}"
