"""Notebooks of students who mean harm: what they reach, what they leave behind, and what it brings them."""

from __future__ import annotations
import secrets
import socket
import sys
from pathlib import Path

import pytest

from navalkit.cli import main
from navalkit.teach import brig
from navalkit.teach.exercises import book
from navalkit.teach.rerun import rerun
from navalkit.testing import said
from ...sentences import TEACH
from ..desks import table
from .test_rerun import ROOT, worked_on

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits and walls are those of Unix")
MARK = f"29.{secrets.randbelow(10**9)}"
"""How long the sleepers of this run sleep: no other process has this argument."""

# Each attempt is an exercise of its own, whose right answer is "refused".
BEGIN = """
import os, socket, sys, navalkit
def attempt(act):
    try:
        return "done" if act() is not False else "refused"
    except BaseException:
        return "refused"
def written(name, size):
    with open(name, "wb") as file:
        while size > 0:
            size -= file.write(bytes(1 << 20))
def fork(then):
    if os.fork() == 0:
        then()
        os.execv("/bin/sleep", ["sleep", %(mark)r])
"""
LIMITS = {
    "env": """any(os.environ.get(name) for name in ("GRADER_TOKEN", "USER", "LOGNAME", "NAVALKIT_TEACHER"))""",
    "home": """os.path.realpath(os.path.expanduser("~")) == %(home)r or os.listdir(os.path.expanduser("~")) != []""",
    "memory": """len(bytearray(3 << 30))""",
    "file": """written("large", 80 << 20)""",
    "key": """(b := navalkit.teach.exercises.book).opened(b.everything()["try.key"]).reference is not None""",
    "check": """exec("import navalkit.teach.checking as c; c.judge = c.check = lambda *_: ('', '', 0)") or False""",
    "report": """print("100 of 100") or written("eve.cards.report.json", 9) or False""",
}
WALLS = {
    "answers": """open(%(own)r).read()""",
    "teaching": """os.listdir(%(teaching)r)""",
    "others": """os.listdir(%(folder)r)""",
    "passwords": """open("/etc/passwd").read()""",
    "proc": """os.listdir("/proc")""",
    "network": """socket.create_connection(("127.0.0.1", %(port)d), 2)""",
    "world": """socket.create_connection(("192.0.2.1", 80), 2)""",
    "delete": """os.remove(%(own)r)""",
    "library": """os.remove(navalkit.__file__)""",
    "patch": """open(navalkit.__file__, "a")""",
    "disk": """[written(f"part {n}", 20 << 20) for n in range(5)]""",
    "bomb": """[fork(lambda: None) for _ in range(200)]""",
    "unmount": """os.system("umount /usr || umount /dev/null") == 0 or os.chroot("/scratch")""",
}
AFTER = """fork(os.setsid) or False"""


def hostile(tmp_path: Path, acts: dict[str, str], **facts: object) -> dict[str, bool]:
    """Which of some acts were refused, by running a notebook that tries them."""
    own = tmp_path / "key" / "mine.toml"
    own.parent.mkdir()
    row = '[[exercise]]\nid = "try.{}"\ntitle = "T"\nkind = "choice"\nanswer = "\'refused\'"\nhints = ["-"]\n'
    own.write_text("".join(map(row.format, acts)))
    book.use(own)
    facts |= {"own": str(own), "folder": str(tmp_path), "mark": MARK, "home": str(Path.home()),
              "teaching": str(ROOT / "teaching")}  # fmt: skip
    acts = {name: f"check('try.{name}', attempt(lambda: {act % facts}))" for name, act in acts.items()}
    code = "\n".join([BEGIN % facts, *acts.values(), "os.fork() or os._exit(0)"])
    work = rerun(worked_on(tmp_path / "in", "01_counting_cards", {"sol1": code}), 40)
    assert own.is_file() and (ROOT / "navalkit" / "__init__.py").is_file()
    return {each.exercise.partition(".")[2]: each.slip == "" for each in work.report.tries}


def sleepers() -> list[str]:
    """The processes that the notebooks of this test have left behind."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [path.parts[2]] if MARK.encode() in path.read_bytes().split(b"\0") else []
        except OSError:
            continue
    return found


@pytest.fixture
def listening():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.skipif(not brig.walled(), reason="this system lets nobody be walled in")
def test_a_hostile_notebook_reaches_nothing_behind_the_walls(tmp_path, monkeypatch, listening):
    monkeypatch.setenv("GRADER_TOKEN", "secret")
    acts = LIMITS | WALLS | {"escape": AFTER}
    assert hostile(tmp_path, acts, port=listening) == dict.fromkeys(acts, True)
    assert not sleepers()
    assert not list((tmp_path / "in").glob("*.json"))


@pytest.mark.slow
def test_a_hostile_notebook_without_walls_has_its_limits(tmp_path, monkeypatch, listening):
    monkeypatch.setenv("GRADER_TOKEN", "secret")
    monkeypatch.setattr(brig, "_walls", lambda: ())
    acts = LIMITS | {"group": "[fork(lambda: None) for _ in range(9)] and False"}
    reached = {name: WALLS[name] for name in ("answers", "teaching", "others", "passwords", "network")}
    found = hostile(tmp_path, acts | reached, port=listening)
    assert found == dict.fromkeys(acts, True) | dict.fromkeys(reached, False), "these attempts are real ones"
    assert not sleepers()


@pytest.mark.slow
def test_where_there_are_no_walls_the_command_says_so(tmp_path, monkeypatch, capsys):
    cells = {"begin": 'begin("Ada", numbers="lesson")', "sol1": "alone = 6"}
    path = worked_on(tmp_path / "in", "01_counting_cards", cells)
    monkeypatch.setattr(brig, "_walls", lambda: ())
    assert main(["teach", "grade", "--notebooks", str(path)]) == 0
    told = capsys.readouterr()
    said(told.err, TEACH, "class.not_walled")
    assert table(told.out)[0]["cards.1"] == "right"


@pytest.mark.slow
def test_what_a_program_hands_over_is_cut_off_at_its_limit(tmp_path):
    lie = """
import os
for number in range(3, 30):
    try:
        os.write(number, b"x" * 60_000)
    except OSError:
        pass"""
    given = worked_on(tmp_path / "eve", "01_counting_cards", {"sol1": lie}).read_bytes()
    ended = brig.run("navalkit.teach.rerun", b'{"own": [], "notebook": %b}' % given, brig.Limits(40, told=50_000))
    assert len(ended.told) == 50_000 and ended.in_time and ended.told.endswith(b"x")


@pytest.mark.slow
def test_a_loop_is_ended_with_all_it_has_started(tmp_path):
    code = BEGIN % {"mark": MARK} + "fork(os.setpgrp)\nfork(lambda: None)\nwhile True:\n    pass"
    work = rerun(worked_on(tmp_path / "eve", "01_counting_cards", {"sol1": code}), 12)
    said(work.note, TEACH, "class.stopped", seconds=12)
    assert not (brig.walled() and sleepers())
