"""Students' notebooks run again on the teacher's machine."""

from __future__ import annotations
import json
from pathlib import Path

import pytest

from navalkit.cli import main
from navalkit.teach import brig, grade, rerun as rerunning, students as copies
from navalkit.teach.checking import MOST_RETESTS, PROGRESS, RETESTS
from navalkit.teach.exercises import book
from navalkit.teach.feedback import feedback
from navalkit.teach.rerun import rerun
from navalkit.testing import heard, said
from ...sentences import TEACH
from ..desks import restart, table

ROOT = Path(__file__).parents[3]


def worked_on(folder: Path, lesson: str, changes: dict[str, str], name: str = "handed.ipynb") -> Path:
    """A student's notebook: the copy of a lesson with some cells written."""
    notebook = copies.copy(copies.read(ROOT / "teaching" / lesson / copies.SOURCE))
    for cell in notebook["cells"]:
        if cell["id"] in changes:
            cell["source"] = changes[cell["id"]]
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(copies.text(notebook), encoding="utf-8")
    return folder / name


def test_notebooks_are_run_again_and_judged_where_the_formulas_are(tmp_path, capsys):
    restart("Ada", "7b", numbers="own")
    mine = {number: book.shipped()[f"cards.{number}"].drawn(PROGRESS.seed).reference.value for number in (1, 5)}
    worked_on(tmp_path / "in", "01_counting_cards", {
        "begin": 'begin("Ada", "7b")',
        "sol1": f"alone = {mine[1]}",
        "sol2": "%matplotlib inline\none_torpedo = 1 / 0",
        "sol5": f"two_at_the_queen = {float(mine[5])}",
        "sol6": "check = lambda *_: print('Right.')\nneeded = 99",
        "open-answer": "It never helps.\n\nA torpedo shows no more than another card.",
    }, "ada.ipynb")  # fmt: skip
    worked_on(tmp_path / "in", "03_risk_and_stopping", {
        "begin": 'begin("Ada", "7b")',
        "sol4": "def worth(left, tons, sink, lost, ship):\n    return tons",
    }, "ada3.ipynb")  # fmt: skip
    (tmp_path / "in" / "broken.ipynb").write_text("{")
    texts = tmp_path / "texts.md"
    assert main(["teach", "grade", "--notebooks", str(tmp_path / "in"), "--texts", str(texts)]) == 1
    told = capsys.readouterr()
    rows = table(told.out)
    ada = rows[0]
    assert (ada["name"], ada["group"], ada["cards.1"], ada["cards.5"]) == ("Ada", "7b", "right", "right")
    assert ada["risk.4"] == "wrong" and "cards.3" not in ada, "what was not answered is not tried"
    assert "cards.6" not in ada, "a check of one's own hands nothing over"
    assert "ZeroDivisionError" in told.err
    said(rows[1]["note"], TEACH, "copy.no_notebook", file="broken.ipynb")
    assert texts.read_text() == ("# An open question\n\n## Ada 7b (in/ada.ipynb)\n\n> It never helps.\n>\n"
                                 "> A torpedo shows no more than another card.\n")  # fmt: skip
    assert not list((tmp_path / "in").glob("*.json")), "nothing is written beside them"


@pytest.mark.slow
def test_notebooks_of_two_students_of_one_name_are_kept_apart(tmp_path, capsys):
    for desk, answer in (("a", 6), ("b", 7), ("c", 6)):
        begin, cells = 'begin("Sam", numbers="lesson")', {"sol1": f"alone = {answer}"}
        worked_on(tmp_path / desk, "01_counting_cards", {"begin": begin, **cells})
    worked_on(tmp_path / "a", "06_hexes", {"begin": begin, "sol5": "within_four = 61"}, "hexes.ipynb")
    assert main(["teach", "grade", "--notebooks", str(tmp_path)]) == 0
    rows = table(capsys.readouterr().out)
    assert [row["name"] for row in rows] == ["Sam (1)", "Sam (2)", "Sam (3)"]
    assert sorted(row["cards.1"] for row in rows) == ["right", "right", "wrong"]
    assert all(said(row["note"], TEACH, "class.same_name", n=3) for row in rows)
    assert sum(row["hexes.5"] != "" for row in rows) == 1
    assert main(["teach", "grade", "--notebooks", str(tmp_path), "--join"]) == 0
    assert [row["name"] for row in table(capsys.readouterr().out)] == ["Sam"]


@pytest.mark.slow
def test_a_notebook_that_never_ends_is_stopped_and_what_it_answered_counts(tmp_path):
    path = worked_on(tmp_path / "eve", "01_counting_cards", {"sol1": "alone = 6", "sol2": "while True:\n    pass"})
    work = rerun(path, seconds=20)  # the games are imported first, on a busy machine too
    said(work.note, TEACH, "class.stopped", seconds=20)
    said(work.note, TEACH, "class.no_name")
    assert {each.exercise: each.slip for each in work.report.tries} == {"cards.1": ""}
    assert work.report.student.name == "eve handed"


def test_answers_that_are_forged_on_the_way_are_still_judged_here(tmp_path):
    """A notebook may write what it likes into its answers: they are only answers."""
    answers = [["cards.1", 0, 7], ["none.1", 0, 1], ["cards.2", "x", 1], ["cards.3", 0, {}]]
    body = json.dumps({"answers": answers, "name": "Eve"})
    lie = f"""
import os
for number in range(3, 30):
    try:
        os.write(number, {body!r}.encode() + b"\\n")
    except OSError:
        pass
os._exit(0)"""
    work = rerun(worked_on(tmp_path / "eve", "01_counting_cards", {"sol1": lie}))
    assert {each.exercise: each.slip for each in work.report.tries}["cards.1"] != ""
    assert {each.exercise for each in work.report.tries} == {"cards.1"}
    said(work.note, TEACH, "class.unread", ids="cards.3")


def test_what_cannot_be_read_is_no_try_and_is_told_to_teacher_and_student(tmp_path):
    """As in a kernel; and a page says what became of its notebook, and how its student goes on."""
    answers = {"begin": 'begin("Eve")', "sol1": 'alone = "about 4"', "sol2": "no_such_name"}
    path = worked_on(tmp_path / "eve", "01_counting_cards", answers)
    work = rerun(path)
    assert not work.report.tries
    said(work.note, TEACH, "class.unread", ids="cards.1")
    said(work.note, TEACH, "class.cell", cell="'no_such_name'")
    [mine] = grade.students([work.report])
    page = feedback(mine, False, {work.report.file: work.note})
    said(page, TEACH, "feedback.nothing")
    said(page, TEACH, "feedback.noted", file=work.report.file)


WRITES = """import json, os
for number in range(3, 30):
    try:
        told = json.dumps({"answers": [["machine.3", 0, "-" * 1_900_000]]}).encode() + b"\\n"
        while told:
            told = told[os.write(number, told):]
    except OSError:
        pass
os._exit(0)"""


@pytest.mark.parametrize("how", ['check("machine.3", "-" * 1_900_000)', WRITES])
def test_an_answer_as_large_as_a_book_holds_nobody_up(tmp_path, how):
    """It would be looked at for an hour."""
    work = rerun(worked_on(tmp_path / "eve", "05_rules_as_a_machine", {"sol6": how}))
    assert "machine.3" not in {each.exercise for each in work.report.tries}
    said(work.note, TEACH, "class.unread", ids="machine.3")


def test_own_exercises_are_taken_along(tmp_path, capsys):
    (tmp_path / "mine.toml").write_text(
        '[[exercise]]\nid = "my.1"\ntitle = "T"\nkind = "whole"\nanswer = "2 + 2"\nhints = ["Count."]\n'
    )
    path = worked_on(tmp_path / "in", "01_counting_cards", {"sol1": 'use("mine.toml")\ncheck("my.1", 4)'})
    assert main(["teach", "grade", "--notebooks", str(path), "--exercises", str(tmp_path / "mine.toml")]) == 1
    assert table(capsys.readouterr().out)[0]["my.1"] == "right"


HABITS = """%%time
total = (7
% 4)
text = '''
%matplotlib inline
!ls
what?
'''
check.__name__?
??check
t = %timeit -n1 sum([1])
files = !ls "it's
!echo $HOME (
display(total, clear=True)
for number in range(2):
    %time sum([1])
    last = !pwd
    if number:
        check?
"""


def test_what_only_a_notebook_understands_is_none():
    names = {"check": None, "display": lambda *_, **__: None}
    exec(compile(rerunning._python(HABITS), "cell", "exec"), names)
    assert names["total"] == 3 and names["text"] == "\n%matplotlib inline\n!ls\nwhat?\n"
    assert names["t"] is names["files"] is names["last"] is None and names["number"] == 1
    for text in ("x = (1", "x = 1 +\n%time y", "not python at all", "x = 1\0"):
        with pytest.raises((SyntaxError, ValueError)):
            rerunning._python(text)


def test_an_answer_is_not_lost_by_a_habit_of_notebooks(tmp_path):
    path = worked_on(tmp_path / "ann", "01_counting_cards", {
        "begin": 'begin("Ann", numbers="lesson")', "sol1": "alone = 6\nt = %timeit -o -n1 sum([1])\nodds.sink?",
        "sol2": "one_torpedo = '6/49'\ndisplay(one_torpedo)",
    })  # fmt: skip
    work = rerun(path)
    assert {each.exercise: each.slip for each in work.report.tries} == {"cards.1": "", "cards.2": ""}
    assert work.note == ""


@pytest.mark.slow
def test_a_course_has_its_numbers_judged_whatever_the_notebook_says(tmp_path, capsys):
    """Who takes the lesson's numbers, whose answers are known, is judged by those of the course all the same."""
    question = book.everything()["cards.2"]
    right = {name: book.opened(question, f"{name}||autumn").reference.value for name in ("ann", "bob")}
    cells = {"sol2": f"one_torpedo = '{right['ann']}'"}
    worked_on(tmp_path / "in", "01_counting_cards", cells | {"begin": 'begin("Ann", course="autumn")'}, "ann.ipynb")
    cells = {"sol2": "one_torpedo = '6/49'"}
    worked_on(tmp_path / "in", "01_counting_cards", cells | {"begin": 'begin("Bob", numbers="lesson")'}, "bob.ipynb")
    assert str(right["bob"]) != "6/49"
    assert main(["teach", "grade", "--notebooks", str(tmp_path / "in"), "--course", "autumn"]) == 1
    told = capsys.readouterr()
    ann, bob = table(told.out)
    assert (ann["name"], ann["cards.2"]) == ("Ann", "right") and (bob["name"], bob["cards.2"]) == ("Bob", "wrong")
    said(bob["note"], TEACH, "class.other_numbers")
    assert bob["intact"] == "yes" and not ann["note"], "what there is to say stands in the row of whose it is"
    assert told.err.count("bob.ipynb") == 1 and "ann.ipynb" not in told.err


def test_nothing_in_one_notebook_stops_the_others(tmp_path, capsys):
    """Too deep, no notebook at all, half an emoji among its words, or an answer longer than a float."""
    worked_on(tmp_path / "in", "01_counting_cards", {"begin": 'begin("Ann")'}, "ann.ipynb")
    path = worked_on(tmp_path / "in", "01_counting_cards", {
        "begin": 'begin("Bob")', "sol1": "check('sure.7', '1/' + '9' * 4000)", "open-answer": "Never. HALF",
    }, "bob.ipynb")  # fmt: skip
    path.write_text(path.read_text(encoding="utf-8").replace("HALF", "\\ud83d"), encoding="utf-8")
    bad = {"deep": "[" * 100_000, "list": '{"nbformat": 4, "cells": [["cell_type", "id", "source"]]}',
           "source": '{"nbformat": 4, "cells": [{"cell_type": "code", "id": 1, "source": 3}]}'}  # fmt: skip
    for name, text in bad.items():
        (tmp_path / "in" / f"{name}.ipynb").write_text(text)
    csv, texts = tmp_path / "class.csv", tmp_path / "texts.md"
    more = ["--csv", str(csv), "--texts", str(texts), "--feedback", str(tmp_path / "pages")]
    assert main(["teach", "grade", "--notebooks", str(tmp_path / "in"), *more]) == 1
    rows = table(csv.read_text(encoding="utf-8"))
    assert [row["name"] for row in rows] == ["Ann", "Bob", "", "", ""] and rows[1]["sure.7"] == "wrong"
    assert {row["note"].partition(" ")[0] for row in rows[2:]} == {f"{name}.ipynb" for name in bad}
    assert "Never. ?" in texts.read_text(encoding="utf-8") and len(list((tmp_path / "pages").iterdir())) == 2


def told(monkeypatch: pytest.MonkeyPatch, rows: list[list[object]], **more: object) -> None:
    """Every notebook hands over these answers, and no process runs."""
    text = json.dumps({"answers": rows, "name": "Eve", "ended": True} | more)
    monkeypatch.setattr(brig, "run", lambda *_: brig.Ended(text.encode(), True))


def test_of_one_exercise_a_few_sets_of_numbers_are_judged_and_the_rest_is_counted(tmp_path, monkeypatch):
    """A notebook may go through all retests of all exercises: the teacher's machine is not kept busy by it."""
    ids = ["cards.2", "hexes.6", "machine.5"]
    told(monkeypatch, [[id, number, 1] for id in ids for number in reversed(range(RETESTS))])
    path = worked_on(tmp_path / "eve", "01_counting_cards", {})
    judged = []
    monkeypatch.setattr(rerunning, "judge", lambda question, answer: (judged.append(question.id), ("other", "", 0))[1])
    for retest in (0, 700):
        judged.clear()
        work = rerun(path, course="autumn", retest=retest)
        assert len(judged) == 3 * MOST_RETESTS and judged[:3] == ids, "the numbers that are marked come first"
        kept = {each.retest for each in work.report.tries if each.exercise == "cards.2"}
        assert {retest, 0} <= kept and len(kept) == MOST_RETESTS
        said(work.note, TEACH, "class.not_judged", n=3 * (RETESTS - MOST_RETESTS))


def test_a_notebooks_answers_have_an_end_of_time_too(tmp_path, monkeypatch):
    told(monkeypatch, [[id, 0, 1] for id in ("cards.1", "cards.2", "hexes.6")])
    clock = iter(range(0, 10_000, 40))
    monkeypatch.setattr(rerunning, "monotonic", lambda: next(clock))
    work = rerun(worked_on(tmp_path / "eve", "01_counting_cards", {}))
    assert {each.exercise for each in work.report.tries} == {"cards.1"}
    said(work.note, TEACH, "class.not_judged", n=2)


def test_only_the_answer_to_the_first_numbers_is_right_in_a_notebook(tmp_path, capsys, monkeypatch):
    question = book.everything()["cards.2"]
    right = str(book.opened(question, "eve||autumn", 4).reference.value)
    told(monkeypatch, [["cards.2", 4, right], ["cards.1", 0, 99]])
    given = ["teach", "grade", "--notebooks", str(worked_on(tmp_path / "eve", "01_counting_cards", {})), "--course"]
    for more, verdict in (([], ""), (["--retest", "4"], "right")):
        assert main([*given, "autumn", *more]) == 1, "its numbers were others than the course's"
        (eve,) = table(capsys.readouterr().out)
        assert eve["cards.2"] == verdict and (eve["retests"] == "0") == bool(more)
        assert bool(heard(eve["note"], TEACH, "class.retests_alone")) != bool(more)


def test_notebooks_of_one_name_that_make_one_row_are_noted(tmp_path, capsys, monkeypatch):
    """They may be two students', and the second may have written the first one's name."""
    for number, name in enumerate(("ann", "enemy"), 1):
        worked_on(tmp_path / "in", "01_counting_cards", {"begin": f"{number}"}, f"{name}.ipynb")

    def run(module: str, given: bytes, limits: brig.Limits) -> brig.Ended:
        ids = ["cards.1", "cards.2"] if b'"source": "1"' in given else ["hexes.5"]
        body = {"answers": [[id, 0, 1] for id in ids], "name": "Ann", "ended": True}
        return brig.Ended(json.dumps(body).encode(), True)

    monkeypatch.setattr(brig, "run", run)
    for more in ([], ["--join"]):
        assert main(["teach", "grade", "--notebooks", str(tmp_path / "in"), *more]) == 0
        (ann,) = table(capsys.readouterr().out)
        assert ann["tried"] == "3"
        assert ann["note"] == ("" if more else TEACH("class.put_together", n=2))


def test_a_notebook_that_ends_early_or_tells_too_much_is_noted(tmp_path, monkeypatch):
    path = worked_on(tmp_path / "eve", "01_counting_cards", {"begin": 'begin("Eve")', "sol1": "alone = 6",
                                                             "sol2": "import os\nos._exit(0)"})  # fmt: skip
    work = rerun(path)
    assert work.note == TEACH("class.ended_early") and len(work.report.tries) == 1
    assert rerun(worked_on(tmp_path / "ann", "01_counting_cards", {"begin": 'begin("Ann")'})).note == ""
    told(monkeypatch, [], more="x" * brig.Limits().told)
    assert rerun(path).note == TEACH("class.too_much")


def test_what_a_notebooks_error_says_is_on_no_page_of_several_files(tmp_path):
    """Another's notebook may have the name of a student, and nothing but an error."""
    one = worked_on(tmp_path / "ada", "01_counting_cards", {"begin": 'begin("Ada")', "sol1": "alone = 6"})
    shame = {"begin": 'begin("Ada")', "sol1": 'raise ValueError("SHAME")'}
    other = worked_on(tmp_path / "x", "01_counting_cards", shame)
    works = [rerun(one), rerun(other)]
    notes = {work.report.file: work.note for work in works if work.note}
    pages = [feedback(mine, False, notes) for mine in grade.students(work.report for work in works)]
    assert not any("SHAME" in page for page in pages if "cards.1" in page)
    said("".join(pages), TEACH, "feedback.look", file=works[1].report.file)
