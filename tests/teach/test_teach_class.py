"""A class: tries that last, files that merge without losing, tables, and notebooks run again on the teacher's desk."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navalkit.cli import main
from navalkit.core.errors import DataError
from navalkit.teach import ask, begin, book, check, fresh, grade, progress, report
from navalkit.teach import students as copies
from navalkit.teach.progress import PROGRESS, Student, Tried, Try, summed_up
from navalkit.teach.rerun import rerun

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def afresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    PROGRESS.forget()
    monkeypatch.setattr(book, "_OWN", {})
    monkeypatch.setattr(book, "USED", [])
    monkeypatch.chdir(tmp_path)


def restart(name: str = "Ada", group: str = "", folder: Path | str = ".", numbers: str | int = "lesson") -> str:
    """Another kernel, in which the first cell is run."""
    PROGRESS.forget()
    return begin(name, group, numbers, folder).text


def student(folder: Path, name: str, *answers: tuple[str, object], group: str = "") -> Path:
    """One student's file."""
    PROGRESS.forget()
    for id, answer in answers:
        check(id, answer)
    folder.mkdir(exist_ok=True)
    return report(name, group, folder).files[0]


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


# -- tries ---------------------------------------------------------------------------------------------


def test_tries_count_until_the_first_right_answer():
    for answer in (7, 5, 6, 7, 6):
        check("cards.1", answer)
    assert summed_up(PROGRESS.tries) == {"cards.1": Tried(1, 3, ["forgot the cards seen", "one_too_few"])}


def test_a_cell_run_again_is_no_new_try_and_costs_no_hint():
    first = check("cards.1", 9)
    assert check("cards.1", 9) == first and "Hint 1 of" in first.text
    assert "Hint 2 of" in check("cards.1", 10).text
    for _ in range(2):  # a function is what it gives: defined anew, it is the same answer
        check("hexes.4", lambda a, b, c, d: 3)
    assert {id: each.tries for id, each in summed_up(PROGRESS.tries).items()} == {"cards.1": 2, "hexes.4": 1}


def test_a_wrong_answer_after_a_right_one_still_gets_a_hint():
    check("cards.1", 6)
    assert "Hint 1 of" in check("cards.1", 5).text
    assert summed_up(PROGRESS.tries) == {"cards.1": Tried(1, 1, [])}


def test_tries_survive_a_restarted_kernel_and_run_all():
    restart()
    check("cards.1", 9)
    check("cards.1", 10)
    assert "Found from before: 2 tries" in restart()
    assert "Hint 2 of" in check("cards.1", 10).text, "the cell is run again: no new try"
    assert "Hint 3 of" in check("cards.1", 11).text
    check("cards.1", 6)
    for _ in range(3):  # Run All, again and again
        restart()
        check("cards.1", 6)
    assert summed_up(PROGRESS.tries)["cards.1"] == Tried(1, 4, ["other", "other", "other"])
    assert report().files == (Path.cwd() / "ada.cards.report.json",)


def test_what_was_tried_before_the_name_was_written_is_taken_along():
    check("cards.1", 7)
    begin("Ada", numbers="lesson")
    check("cards.1", 6)
    restart()
    assert summed_up(PROGRESS.tries)["cards.1"] == Tried(1, 2, ["forgot the cards seen"])


def test_two_kernels_at_once_lose_nothing(tmp_path):
    restart()
    check("cards.1", 7)
    one, PROGRESS.tries = set(PROGRESS.tries), set()  # a second kernel that began at the same time
    check("cards.2", 0.5)
    assert one | PROGRESS.tries == progress.read_report(tmp_path / "ada.cards.report.json").tries


def test_another_student_at_the_same_desk_starts_anew(tmp_path):
    restart()
    check("cards.1", 7)
    begin("Bob", numbers="lesson")
    assert PROGRESS.tries == set() and "Hint 1 of" in check("cards.1", 9).text
    begin("Ada", "7b", "lesson")
    assert PROGRESS.tries == set(), "a class tells two students of one name apart"
    check("cards.1", 6)
    files = ["ada.7b.cards.report.json", "ada.cards.report.json", "bob.cards.report.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == files


def test_a_retest_is_counted_for_itself():
    restart(numbers="own")
    question = book.shipped()["cards.1"]
    for retest in range(2):
        fresh("cards.1", retest)
        assert check("cards.1", question.drawn(PROGRESS.seed, retest).reference.value).right
    assert summed_up(PROGRESS.tries)["cards.1"] == Tried(2, 2, [])


def test_a_folder_that_cannot_be_written_to_stops_nobody(tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(progress, "write_atomic", full)
    restart()
    assert check("cards.1", 6).right
    assert "cannot be kept (No space left on device)" in report().text


@pytest.mark.parametrize("damage", ["nonsense", "changed", "another"])
def test_a_file_that_is_damaged_or_not_ones_own_is_not_written_over(tmp_path, damage):
    path = student(tmp_path, "Ada", ("cards.1", 7))
    text = path.read_text()
    damages = {"nonsense": "{", "changed": text.replace("forgot", "got"), "another": text.replace("Ada", "Eve")}
    path.write_text(damages[damage])
    before = path.read_text()
    restart()
    check("cards.1", 6)
    assert path.read_text() == before
    assert progress.read_report(tmp_path / "ada.cards.2.report.json").tries == PROGRESS.tries


def test_nothing_is_written_without_a_name_or_a_try(tmp_path):
    assert "nothing to report" in report("Ada", folder=tmp_path).text
    PROGRESS.forget()
    check("cards.1", 6)
    for name in (..., "", "  ", 7):
        assert report(name).files == () and "Write your name" in begin(name).text
    assert "whole number" in begin("Ada", numbers="mine").text
    assert list(tmp_path.iterdir()) == []


# -- files -----------------------------------------------------------------------------------------------


def test_a_report_goes_round_and_says_what_it_is(tmp_path):
    check("cards.1", 6)
    check("cards.2", 0.9)
    check("hexes.5", 61)
    receipt = report("Ada  Lovelace", "7b", tmp_path)
    assert [path.name for path in receipt.files] == [
        "ada-lovelace.7b.cards.report.json", "ada-lovelace.7b.hexes.report.json"]  # fmt: skip
    assert "2 right of 3 tried" in receipt.text and "as it is" in receipt.text
    read = [progress.read_report(path) for path in receipt.files]
    assert {each.student for each in read} == {Student("Ada Lovelace", "7b", "lesson")} and all(r.intact for r in read)
    assert read[0].tries | read[1].tries == PROGRESS.tries
    assert "0.9" not in receipt.files[0].read_text(), "no answer is in it"


TRIES = st.builds(
    Try, st.sampled_from(["2026-01-01", "2026-01-02"]), st.sampled_from("ab"), st.integers(1, 9),
    st.sampled_from(["cards.1", "cards.2"]), st.integers(0, 1), st.sampled_from(["", "sign", "other"]), st.just("x"),
)  # fmt: skip


@given(st.sets(TRIES), st.sets(TRIES))
def test_merging_loses_nothing(mine, other):
    """What is right stays right, whatever file it is in, and no slip disappears that came before."""
    both, sums = summed_up(mine | other), [summed_up(mine), summed_up(other)]
    for part in sums:
        for id, tried in part.items():
            assert both[id].right >= tried.right
    assert summed_up([*mine, *mine]) == sums[0]
    assert {each.exercise for each in mine | other} == set(both)


CHANGES = [('"lesson"', '"own"'), ("Ada", "Bob"), ('"forgot the cards seen"', '""')]


@pytest.mark.parametrize("old, new", CHANGES)
def test_a_changed_report_is_found_out(tmp_path, old, new):
    path = student(tmp_path, "Ada", ("cards.1", 7))
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert not progress.read_report(path).intact


DAMAGED = ["", "{}", "[1]", "nonsense", '{"navalkit-report": 3}', '{"navalkit-report": 2, "tries": [[1]]}']


@pytest.mark.parametrize("text", [*DAMAGED, "[" * 99999, " " * 2_000_000])
def test_a_damaged_report_is_one_clear_error(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(DataError, match="x.json is not a report of navalkit"):
        progress.read_report(tmp_path / "x.json")


def test_a_report_of_the_first_version_is_still_read(tmp_path):
    body = {"navalkit report": 1, "name": "Ada", "made": "2025-11-22T10:00:00+00:00",
            "exercises": {"cards.1": {"right": True, "tries": 2, "slips": ["sign"]}}}  # fmt: skip
    (tmp_path / "old.report.json").write_text(json.dumps(body | {"seal": progress._seal(body)}))
    old = progress.read_report(tmp_path / "old.report.json")
    assert old.intact and summed_up(old.tries) == {"cards.1": Tried(1, 2, ["sign"])}


# -- tables ----------------------------------------------------------------------------------------------


def test_the_class_table_has_a_row_a_student(tmp_path, capsys):
    files = [
        student(tmp_path, "Zoë", ("cards.1", 7), ("cards.1", 6)),
        student(tmp_path, "Ada", ("cards.1", 6), ("cards.2", 0.9)),
        student(tmp_path / "second lesson", "ada", ("hexes.5", 61)),
        student(tmp_path, "=SUM(A1)", ("cards.1", 5)),
    ]
    files[0].write_text(files[0].read_text().replace("forgot the cards seen", "other"))
    out = tmp_path / "class.csv"
    assert main(["teach", "grade", *map(str, files), "--csv", str(out)]) == 0
    rows = {row["name"]: row for row in table(out.read_text(encoding="utf-8"))}
    assert list(rows) == ["'=SUM(A1)", "Ada", "Zoë"]
    assert rows["Ada"]["right"] == "2" and rows["Ada"]["tried"] == "3" and rows["Ada"]["intact"] == "yes"
    assert (rows["Ada"]["cards.1"], rows["Ada"]["cards.2"], rows["Ada"]["hexes.5"]) == ("right", "wrong", "right")
    assert rows["Zoë"]["intact"] == "no" and rows["Zoë"]["hexes.5"] == ""
    assert rows["Zoë"]["note"] == "changed by hand: zoe.cards.report.json"
    assert rows["'=SUM(A1)"]["cards.1 tries"] == "1"
    assert "Zoë: changed by hand" in capsys.readouterr().err


def test_two_students_of_one_name_are_warned_of_and_kept_apart(tmp_path, capsys):
    student(tmp_path / "a", "Max", ("cards.1", 6))
    student(tmp_path / "b", "max", ("cards.1", 7), ("cards.2", 0.5))
    student(tmp_path / "c", "Max", ("cards.1", 6), group="7b")
    assert main(["teach", "grade", str(tmp_path)]) == 0
    said = capsys.readouterr()
    rows = table(said.out)
    assert [(row["name"], row["group"], row["tried"]) for row in rows] == [
        ("max (1)", "", "2"), ("Max (2)", "", "1"), ("Max", "7b", "1")]  # fmt: skip
    assert "2 students of this name" in rows[0]["note"] and "2 students of this name" in said.err
    assert main(["teach", "grade", str(tmp_path), "--join"]) == 0
    assert [(row["name"], row["right"]) for row in table(capsys.readouterr().out)] == [("Max", "1"), ("Max", "1")]


def test_an_older_copy_of_a_file_is_the_same_student(tmp_path, capsys):
    first = student(tmp_path / "monday", "Ada", ("cards.1", 7))
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / first.name).write_text(first.read_text())
    restart(folder=tmp_path / "monday")
    check("cards.1", 6)
    assert main(["teach", "grade", str(tmp_path)]) == 0
    rows = table(capsys.readouterr().out)
    assert [(row["name"], row["cards.1"], row["cards.1 tries"]) for row in rows] == [("Ada", "right", "2")]
    assert rows[0]["note"] == ""


def test_one_damaged_file_does_not_stop_a_class_table(tmp_path, capsys):
    student(tmp_path, "Ada", ("cards.1", 6))
    (tmp_path / "eve.cards.report.json").write_text("{")
    assert main(["teach", "grade", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert [row["name"] for row in table(said.out)] == ["Ada", ""]
    assert "eve.cards.report.json is not a report" in table(said.out)[1]["note"] and "eve.cards.report.json" in said.err


def test_the_table_by_exercise_counts_slips_marks_forged_rows_and_says_who(tmp_path, capsys):
    for name, answers in (("Ann", (7, 6)), ("Bob", (7, 6)), ("Cem", (5,))):
        path = student(tmp_path, name, *(("cards.1", answer) for answer in answers))
    path.write_text(path.read_text().replace('"lesson"', '"own"'))
    assert main(["teach", "grade", "--by-exercise", str(tmp_path)]) == 0
    rows = table(capsys.readouterr().out)
    assert len(rows) == 1 and (rows[0]["students"], rows[0]["right"], rows[0]["tries"]) == ("3", "2", "1.7")
    assert rows[0]["slips"] == "forgot the cards seen 2; one_too_few 1"
    assert (rows[0]["changed"], rows[0]["who_right"], rows[0]["who_not_yet"]) == ("Cem", "Ann; Bob", "Cem")


def test_reports_are_taken_from_a_folder_or_a_pattern_too(tmp_path, capsys):
    student(tmp_path, "Ada", ("cards.1", 6))
    student(tmp_path, "Zoë", ("cards.1", 6))
    for word in (str(tmp_path), str(tmp_path / "*.report.json")):
        assert main(["teach", "grade", word]) == 0
        assert [row["name"] for row in table(capsys.readouterr().out)] == ["Ada", "Zoë"]
    assert main(["teach", "grade", str(tmp_path / "x*.json")]) == 2
    assert "end in .report.json" in capsys.readouterr().err


def test_a_class_of_thirty_ends_in_a_table_that_loses_nothing(tmp_path, capsys):
    """Restarts, Run All, same names, tampering, a damaged file, wrong answers of every kind: every slip is counted."""
    rng = random.Random(1914)
    ids = [id for id in book.shipped() if id.startswith(("cards", "unseen")) and book.shipped()[id].mistakes]
    wanted: dict[tuple[str, str], dict[str, Tried]] = {}
    for number in range(30):
        name, group = ("Max Müller", f"7{'ab'[number]}") if number < 2 else (f"Student {number}", "")
        folder = tmp_path / f"desk {number}"
        folder.mkdir()
        restart(name, group, folder, "own")
        done: dict[str, Tried] = {}
        for id in rng.sample(ids, 4):
            question = book.shipped()[id].drawn(PROGRESS.seed)
            mistakes = rng.sample(question.mistakes, min(2, len(question.mistakes)))
            right = rng.random() < 0.7
            for answer in (*(mistake.value for mistake in mistakes), *([question.reference.value] if right else [])):
                assert ask(id).numbers == question.numbers
                for _ in range(rng.choice((1, 2))):
                    check(id, answer)
                if rng.random() < 0.5:
                    restart(name, group, folder, "own")
            done[id] = Tried(int(right), len(mistakes) + right, [mistake.slip for mistake in mistakes])
        wanted[name, group] = done
    forged = next(iter((tmp_path / "desk 5").glob("*.json")))
    forged.write_text(forged.read_text().replace('"own"', '"lesson"'))
    (tmp_path / "broken.report.json").write_text("[")
    reports, damaged = grade.read_all(tmp_path.rglob("*.report.json"))
    handed = grade.students(reports)
    assert {(each.name, each.group): each.tried for each in handed} == wanted
    assert [each.name for each in handed if not each.intact] == ["Student 5"] and len(damaged) == 1
    assert main(["teach", "grade", str(tmp_path), "--by-exercise"]) == 1
    rows = table(capsys.readouterr().out)
    slips = [int(entry.rpartition(" ")[2]) for row in rows for entry in row["slips"].split("; ")]
    assert sum(slips) == sum(len(tried.slips) for done in wanted.values() for tried in done.values())


# -- notebooks run again ------------------------------------------------------------------------------


def worked_on(folder: Path, lesson: str, changes: dict[str, str], name: str = "handed.ipynb") -> Path:
    """A student's notebook: the copy of a lesson with some cells written."""
    notebook = copies.read(ROOT / "notebooks" / "lessons" / lesson / copies.COPY)
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
    said = capsys.readouterr()
    rows = table(said.out)
    ada = rows[0]
    assert (ada["name"], ada["group"], ada["cards.1"], ada["cards.5"]) == ("Ada", "7b", "right", "right")
    assert ada["risk.4"] == "wrong" and "cards.3" not in ada, "what was not answered is not tried"
    assert "cards.6" not in ada, "a check of one's own hands nothing over"
    assert "ZeroDivisionError" in said.err and "broken.ipynb is not a notebook" in rows[1]["note"]
    assert texts.read_text() == ("# An open question\n\n## Ada 7b (in/ada.ipynb)\n\n> It never helps.\n>\n"
                                 "> A torpedo shows no more than another card.\n")  # fmt: skip
    assert not list((tmp_path / "in").glob("*.json")), "nothing is written beside them"


def test_a_notebook_that_never_ends_is_stopped_and_what_it_answered_counts(tmp_path):
    path = worked_on(tmp_path / "eve", "01_counting_cards", {"sol1": "alone = 6", "sol2": "while True:\n    pass"})
    work = rerun(path, seconds=5)
    assert "stopped after 5 seconds" in work.note and "no name written" in work.note
    assert {each.exercise: each.slip for each in work.report.tries} == {"cards.1": ""}
    assert work.report.student.name == "eve handed"


def test_answers_that_are_forged_on_the_way_are_still_judged_here(tmp_path):
    """A notebook may write what it likes into its answers: they are only answers."""
    answers = [["cards.1", 0, 7], ["none.1", 0, 1], ["cards.2", "x", 1], ["cards.3", 0, {}]]
    body = json.dumps({"answers": answers, "name": "Eve"})
    lie = f"import os, sys\nopen(sys.argv[2], 'w').write({body!r})\nos._exit(0)"
    work = rerun(worked_on(tmp_path / "eve", "01_counting_cards", {"sol1": lie}))
    assert {each.exercise: each.slip for each in work.report.tries}["cards.1"] != ""
    assert {each.exercise for each in work.report.tries} == {"cards.1", "cards.3"}


def test_own_exercises_are_taken_along(tmp_path, capsys):
    (tmp_path / "mine.toml").write_text(
        '[[exercise]]\nid = "my.1"\ntitle = "T"\nkind = "whole"\nanswer = "2 + 2"\nhints = ["Count."]\n'
    )
    path = worked_on(tmp_path / "in", "01_counting_cards", {"sol1": 'use("mine.toml")\ncheck("my.1", 4)'})
    assert main(["teach", "grade", "--notebooks", str(path), "--exercises", str(tmp_path / "mine.toml")]) == 1
    assert table(capsys.readouterr().out)[0]["my.1"] == "right"
