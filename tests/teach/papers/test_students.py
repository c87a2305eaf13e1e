"""Students' copies hold what they need and nothing of the teacher's."""

from __future__ import annotations
import json
import re
from pathlib import Path

import pytest

from navalkit.cli import main
from navalkit.teach import papers, students as copies
from navalkit.testing import said
from ...sentences import TEACH

ROOT = Path(__file__).parents[3]


def notebook(*cells: tuple[str, str, list[str]]) -> dict:
    made = [{"cell_type": kind, "id": f"c{i}", "metadata": {"tags": tags}, "source": text}
            | ({"outputs": [{}], "execution_count": 3} if kind == "code" else {})
            for i, (kind, text, tags) in enumerate(cells)]  # fmt: skip
    return {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def test_a_copy_keeps_the_names_that_given_cells_need():
    lesson = notebook(
        ("code", "def f(a, b=2):\n    return a * b\n\n\nhelper = 3\nx, y = 1, helper", ["solution"]),
        ("code", "check('a.1', f)\ncheck('a.2', x)", ["nbval-check-output"]),
        ("code", "unseen = helper + 1", ["solution"]),
        ("markdown", "Because.", ["solution"]),
    )
    cells = copies.copy(lesson)["cells"]
    turn = TEACH("copy.your_turn")
    assert copies.source(cells[0]) == f"def f(a, b=2):\n    ...  # {turn}\nx = ...  # {turn}"
    assert copies.source(cells[1]) == copies.source(lesson["cells"][1])
    assert copies.source(cells[2]) == f"...  # {turn}"
    assert copies.source(cells[3]) == copies.WRITE_HERE and cells[3]["metadata"]["tags"] == [copies.WORDS]
    assert all(not cell.get("outputs") and "tags" not in cell["metadata"] for cell in cells[:3])
    assert lesson["cells"][0]["outputs"] == [{}], "the source is left as it is"


def test_the_command_makes_copies_and_tells_stale_ones(tmp_path, capsys):
    lesson = tmp_path / "01_mine"
    lesson.mkdir()
    (lesson / copies.SOURCE).write_text(json.dumps(notebook(("code", "x = 1", ["solution"]), ("code", "x", []))))
    order = ["teach", "students", str(tmp_path)]
    assert main([*order, "--check"]) == 1
    said(capsys.readouterr().out, TEACH, "copy.stale")
    assert main(order) == 0 and main([*order, "--check"]) == 0
    assert "x = ..." in (lesson / copies.COPY).read_text()
    (lesson / copies.SOURCE).write_text(json.dumps(notebook(("code", "x = ", ["solution"]))))
    assert main(order) == 2
    said(capsys.readouterr().err, TEACH, "copy.no_python", cell="c0")
    assert main(["teach", "students", str(lesson / "none")]) == 2


def test_what_is_handed_out_holds_nothing_of_the_teachers_and_is_never_written_over(tmp_path, capsys):
    out = tmp_path / "handout"
    assert main(["teach", "students", "--to", str(out)]) == 0
    written = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert sorted(file for file in out.rglob("*") if file.is_file()) == sorted(written)
    assert {file.name for file in written} == {"requirements.txt", copies.INDEX, copies.COPY} and len(written) == 14
    assert "navalkit[app]==" in (out / "requirements.txt").read_text()
    index = (out / copies.INDEX).read_text()
    assert "To work through one" in index and "For teachers" not in index and "teachers.ipynb" not in index
    for link in re.findall(
        r"\]\(([^)]+)\)", "".join(copies.source(cell) for cell in copies.read(out / copies.INDEX)["cells"])
    ):
        assert (out / link).is_file(), link
    assert main(["teach", "students", "--to", str(out)]) == 0, "what nobody has worked in may be made again"
    worked_in = out / "01_counting_cards" / copies.COPY
    worked_in.write_text(worked_in.read_text().replace("alone = ...", "alone = 6"))
    before = worked_in.read_text()
    assert main(["teach", "students", "--to", str(out)]) == 2
    said(capsys.readouterr().err, TEACH, "copy.other")
    assert worked_in.read_text() == before


@pytest.mark.parametrize("numbers, call", [("7", "numbers=7"), ("lesson", "numbers='lesson'")])
def test_a_teacher_fixes_the_numbers_of_a_handout(tmp_path, capsys, numbers, call):
    assert main(["teach", "students", "--to", str(tmp_path / "out"), "--numbers", numbers]) == 0
    for copy in (tmp_path / "out").glob(f"*/{copies.COPY}"):
        assert f"begin(my_name, {call})" in copy.read_text()
    assert main(["teach", "students", "--to", str(tmp_path / "other"), "--numbers", "mine"]) == 2
    said(capsys.readouterr().err, TEACH, "class.numbers")


def test_what_pages_are_served_from_holds_no_solution_and_no_plan():
    """Voila serves the folder `notebooks`, and Binder opens it: whatever a class can reach is in it."""
    served = [file for file in (ROOT / "notebooks").rglob("*") if ".ipynb_checkpoints" not in file.parts]
    assert not [file for file in served if file.name in (copies.SOURCE, papers.PLAN)]
    assert not [file for file in served if file.suffix == ".ipynb" and copies.SOLUTION in
                {tag for cell in copies.read(file)["cells"] for tag in cell["metadata"].get("tags", [])}]  # fmt: skip


def test_a_course_is_written_into_each_copy_that_is_handed_out(tmp_path, capsys):
    word = "it's \"7b\""
    assert main(["teach", "students", "--to", str(tmp_path / "out"), "--course", word]) == 0
    given = sorted((tmp_path / "out").glob(f"*/{copies.COPY}"))
    assert len(given) == 12
    for copy in given:
        (cell,) = (cell for cell in copies.read(copy)["cells"] if cell["id"] == "begin")
        names = {"my_name": "Ada", "begin": lambda *given, **more: (given, more)}
        assert eval(copies.source(cell).splitlines()[-1], names) == (("Ada",), {"course": word})
    assert main(["teach", "students", "--to", str(tmp_path / "new"), "--course", "a", "--numbers", "7"]) == 2
    said(capsys.readouterr().err, TEACH, "class.course_numbers")
