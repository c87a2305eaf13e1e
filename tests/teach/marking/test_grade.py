"""Files of a class merge without losing; tables say who, what and what to look at."""

from __future__ import annotations
import errno
import os
import random
from contextlib import suppress
from threading import Thread

import pytest

from navalkit.cli import main
from navalkit.teach import ask, begin, commands, feedback, fresh, grade, use
from navalkit.teach.checking import PROGRESS, UNANSWERED, Tried, check, is_typed_badly, judge, named, read_report
from navalkit.teach.exercises import book
from navalkit.teach.exercises.exercise import Computed, Function
from navalkit.testing import said
from ...sentences import TEACH
from ..desks import SHIPPED, answer_of, restart, student, table


def test_the_class_table_has_a_row_a_student(tmp_path, capsys):
    files = [
        student(tmp_path, "Zoë", ("cards.1", 7), ("cards.1", 6)),
        student(tmp_path / "01_counting_cards", "Ada", ("cards.1", 6), ("cards.2", 0.9)),
        student(tmp_path / "06_hexes", "ada", ("hexes.5", 61)),
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
    assert rows["Zoë"]["note"] == TEACH("class.changed", files="zoe.cards.report.json")
    assert rows["'=SUM(A1)"]["cards.1 tries"] == "1"
    said(capsys.readouterr().err, TEACH, "class.changed", files="zoe.cards.report.json")


def test_two_students_of_one_name_are_warned_of_and_kept_apart(tmp_path, capsys):
    student(tmp_path / "a", "Max", ("cards.1", 6))
    student(tmp_path / "b", "max", ("cards.1", 7), ("cards.2", 0.5))
    student(tmp_path / "c", "Max", ("cards.1", 6), group="7b")
    assert main(["teach", "grade", str(tmp_path)]) == 0
    told = capsys.readouterr()
    rows = table(told.out)
    assert [(row["name"], row["group"], row["tried"]) for row in rows] == [
        ("max (1)", "", "2"), ("Max (2)", "", "1"), ("Max", "7b", "1")]  # fmt: skip
    said(rows[0]["note"], TEACH, "class.same_name", n=2)
    said(told.err, TEACH, "class.same_name", n=2)
    assert main(["teach", "grade", str(tmp_path), "--join"]) == 0
    assert [(row["name"], row["right"]) for row in table(capsys.readouterr().out)] == [("Max", "1"), ("Max", "1")]


def test_histories_of_one_name_never_mix_even_where_they_would_fit(tmp_path, capsys):
    """One did the first lesson at her desk, the other the sixth at his: what tells them apart is the id alone."""
    first = student(tmp_path / "a", "Max", ("cards.1", 6))
    second = student(tmp_path / "b", "Max", ("hexes.5", 61))
    ids = [read_report(path).student.id for path in (first, second)]
    assert len(set(ids)) == 2 and all(ids)
    assert main(["teach", "grade", str(tmp_path)]) == 0
    rows = table(capsys.readouterr().out)
    assert [(row["name"], row["tried"]) for row in rows] == [("Max (1)", "1"), ("Max (2)", "1")]
    assert {row["id"] for row in rows} == set(ids) and all(row["note"] == TEACH("class.same_name", n=2) for row in rows)


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
    told = capsys.readouterr()
    assert [row["name"] for row in table(told.out)] == ["Ada", ""]
    said(table(told.out)[1]["note"], TEACH, "class.damaged", file="eve.cards.report.json")
    assert "eve.cards.report.json" in told.err


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
    said(capsys.readouterr().err, TEACH, "class.nothing", suffix=".report.json")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.ipynb").write_text("{}")
    assert main(["teach", "grade", str(tmp_path / "in")]) == 2
    said(capsys.readouterr().err, TEACH, "class.notebooks", suffix=".report.json")


@pytest.mark.slow
def test_a_class_of_thirty_ends_in_a_table_that_loses_nothing(tmp_path, capsys):
    """Restarts, Run All, same names, tampering, a damaged file, wrong answers of every kind: every slip is counted."""
    rng = random.Random(1914)
    ids = [
        id
        for id, question in book.shipped().items()
        if question.mistakes and not id.startswith(("sure", "risk", "hand"))
    ]
    odd = [object(), "what?", float("nan"), float("inf"), [], {}, -1e200, True, "Z9 Z10", lambda: 1, b"6", 10**5000]
    wanted: dict[tuple[str, str], dict[str, Tried]] = {}
    same: list[dict[str, Tried]] = []
    for number in range(30):
        name, group = ("Max Müller", f"7{'ab'[number]}") if number < 2 else (f"Student {number}", "")
        name = "Sam" if number > 27 else name  # two of one name, and no class to tell them apart
        folder = tmp_path / f"desk {number}"
        folder.mkdir()
        restart(name, group, folder, "own")
        done: dict[str, Tried] = {}
        for id in (ids[0], *rng.sample(ids[1:], 5)):
            question = book.opened(book.everything()[id], PROGRESS.seed)
            mistakes = rng.sample(question.mistakes, min(2, len(question.mistakes)))
            known = () if isinstance(question.kind, Function) else [(each.slip, each.value) for each in mistakes]
            more = [(judge(question, answer)[0], answer) for answer in rng.sample(odd, 2)]
            wrong = [*known, *more[: 1 if number == 28 else 2]]
            assert all(slip not in ("", UNANSWERED) for slip, _ in wrong)
            knowable = isinstance(question.reference, Computed) and not isinstance(question.kind, Function)
            right = knowable and rng.random() < 0.7
            for answer in (*(answer for _, answer in wrong), *([question.reference.value] if right else [])):
                assert ask(id).numbers == question.shown
                for _ in range(rng.choice((1, 2))):
                    check(id, answer)
                if rng.random() < 0.5:
                    restart(name, group, folder, "own")
            slips = [slip for slip, _ in wrong if not is_typed_badly(question, slip)]
            if slips or right:
                done[id] = Tried(int(right), len(slips) + right, slips)
        if name == "Sam":
            same.append(done)
        else:
            wanted[name, group] = done
    forged = next(iter((tmp_path / "desk 5").glob("*.json")))
    forged.write_text(forged.read_text().replace('"own"', '"lesson"'))
    (tmp_path / "broken.report.json").write_text("[")
    reports, damaged = grade.read_all(tmp_path.rglob("*.report.json"), read_report)
    handed = grade.students(reports)
    sams = [each for each in handed if each.name.startswith("Sam (")]
    assert len(handed) == 30 and len(sams) == 2 and all(each.note for each in sams)
    assert all(each.tried in same for each in sams) and sams[0].tried != sams[1].tried
    assert {(each.name, each.group): each.tried for each in handed if each not in sams} == wanted
    assert [each.name for each in handed if not each.intact] == ["Student 5"] and len(damaged) == 1
    assert main(["teach", "grade", str(tmp_path), "--by-exercise"]) == 1
    rows = table(capsys.readouterr().out)
    slips = [int(entry.rpartition(" ")[2]) for row in rows for entry in row["slips"].split("; ")]
    assert sum(slips) == sum(len(tried.slips) for done in (*wanted.values(), *same) for tried in done.values())


def test_reports_to_other_numbers_than_the_courses_are_noted(tmp_path, capsys):
    for name, more in (("Ann", {"course": "autumn"}), ("Bob", {"course": "spring"}), ("Cem", {"numbers": "lesson"})):
        PROGRESS.forget()
        begin(name, folder=tmp_path, **more)
        check("cards.1", 6)
    for course, noted in (("autumn", ["Bob", "Cem"]), ("", [])):
        assert main(["teach", "grade", str(tmp_path), *(["--course", course] if course else [])]) == 0
        rows = table(capsys.readouterr().out)
        assert [row["name"] for row in rows if row["note"]] == noted and len(rows) == 3
        assert all(said(row["note"], TEACH, "class.other_course") for row in rows if row["note"])
        assert {row["intact"] for row in rows} == {"yes"}


def right_of(id: str, retest: int = 0) -> object:
    return answer_of(SHIPPED[id].drawn(PROGRESS.seed, retest))


def test_the_first_numbers_are_marked_and_retests_are_told_apart(tmp_path, capsys):
    """Who may choose the numbers finds a neighbour's: only those that nobody chooses make a "right"."""
    restart("Bob", folder=tmp_path, numbers="own")
    check("cards.2", 0.9)
    for retest, answer in ((3, right_of("cards.2", 3)), (5, 0.9)):
        fresh("cards.2", retest)
        check("cards.2", answer)
    fresh("cards.1", 2)
    check("cards.1", right_of("cards.1", 2))
    restart("Ann", folder=tmp_path, numbers="own")
    check("cards.2", right_of("cards.2"))
    assert main(["teach", "grade", str(tmp_path)]) == 0
    told = capsys.readouterr()
    ann, bob = table(told.out)
    assert (bob["cards.1"], bob["cards.2"], bob["cards.2 tries"]) == ("", "wrong", "1")
    assert (bob["right"], bob["tried"], bob["retests"]) == ("0", "1", "2")
    said(bob["which_retests"], TEACH, "class.which_retests", id="cards.2", right=1, n=2, which="3, 5")
    said(bob["which_retests"], TEACH, "class.which_retests", id="cards.1", right=1, n=1, which="2")
    assert bob["note"] == TEACH("class.retests_alone", ids="cards.1") and bob["note"] in told.err
    assert (ann["right"], ann["retests"], ann["which_retests"], ann["note"]) == ("1", "0", "", "")
    assert main(["teach", "grade", str(tmp_path), "--by-exercise"]) == 0
    first, second = table(capsys.readouterr().out)
    assert (first["exercise"], first["students"], first["right"], first["tries"]) == ("cards.1", "0", "0", "")
    assert first["who_retests_alone"] == "Bob" and first["retests"] == TEACH("class.retests", right=1, n=1)
    assert (second["students"], second["right"], second["who_right"], second["who_not_yet"]) == ("2", "1", "Ann", "Bob")
    assert second["who_retests_alone"] == ""


def test_a_retest_that_a_teacher_ordered_is_marked_by_its_number(tmp_path, capsys):
    plain = next(id for id, each in SHIPPED.items() if not each.family and each.lesson == "cards")
    restart("Ada", folder=tmp_path, numbers="own")
    check("cards.2", 0.9)
    check(plain, answer_of(SHIPPED[plain]))
    fresh(retest=2)
    check("cards.2", right_of("cards.2", 2))
    for retest, verdict, note in ((0, "wrong", ""), (2, "right", ""), (1, "", "cards.2")):
        assert main(["teach", "grade", str(tmp_path), "--retest", str(retest)]) == 0
        (ada,) = table(capsys.readouterr().out)
        assert (ada["cards.2"], ada[plain]) == (verdict, "right"), "what has no other numbers is marked always"
        assert ada["note"] == (TEACH("class.not_retest", retest=retest, ids=note) if note else "")
    for retest in ("-1", "1000"):
        assert main(["teach", "grade", str(tmp_path), "--retest", retest]) == 2
        said(capsys.readouterr().err, TEACH, "class.retest", most=999)


DEEP = "[" * 100_000
HALF = '"\\ud800'
HOSTILE = {
    "deep": lambda text: DEEP,
    "deep inside": lambda text: text.replace('"tries": [', f'"more": {DEEP}{"]" * 100_000}, "tries": ['),
    "no exercise": lambda text: text.replace('"cards.1"', f'{HALF}.1"'),
    "far": lambda text: text.replace(" 0,", f" {10**30},"),
    "back": lambda text: text.replace(" 0,", " -1,"),
    "long": lambda text: text.replace(" 0,", f" {'9' * 5000},"),
}
"""What makes a report one that cannot be read."""
STRANGE = {
    "slip": lambda text: text.replace('"forgot the cards seen"', f'{HALF}"'),
    "name": lambda text: text.replace('"Eve"', '"Eve\\ud800"'),
    "session": lambda text: text.replace('"cards.1"', f'"cards.1", 0, "", {HALF}"], ["", "", 1, "hexes.5"'),
}
"""What is read all the same."""


@pytest.mark.parametrize("what", [*HOSTILE, *STRANGE])
def test_nothing_in_one_report_stops_the_others(tmp_path, capsys, what):
    student(tmp_path / "in", "Ada", ("cards.1", 6))
    path = student(tmp_path / "in", "Eve", ("cards.1", 7))
    text = path.read_text()
    changed = (HOSTILE | STRANGE)[what](text)
    assert changed != text
    path.write_text(changed)
    for more in ([], ["--by-exercise"]):
        out, pages = tmp_path / "class.csv", tmp_path / "pages"
        given = ["teach", "grade", str(tmp_path / "in"), "--csv", str(out), "--feedback", str(pages), *more]
        assert main(given) == int(what in HOSTILE)
        rows = table(out.read_text(encoding="utf-8"))
        assert "Ada" in rows[0]["who_right" if more else "name"] and (pages / "ada.feedback.html").exists()
    assert main(["teach", "grade", str(tmp_path / "in")]) == int(what in HOSTILE)
    eve = table(capsys.readouterr().out)[1]
    assert eve["intact"] == "no" and said(eve["note"], TEACH, "class.damaged" if what in HOSTILE else "class.changed")


def test_exercises_that_nobody_set_are_not_counted(tmp_path, capsys):
    """A student may take in a file of their own; a teacher's own exercises count where they are named."""
    own = "".join(f'[[exercise]]\nid = "my.{n}"\ntitle = "T"\nkind = "whole"\nanswer = "1"\nhints = ["Count."]\n'
                  for n in range(1, 8))
    (tmp_path / "mine.toml").write_text(own)
    use(tmp_path / "mine.toml")
    restart("Ada", folder=tmp_path)
    for id in ("cards.1", *(f"my.{n}" for n in range(1, 8))):
        check(id, 6 if id == "cards.1" else 1)
    book._OWN.clear()
    files = [str(path) for path in tmp_path.glob("*.report.json")]
    pages = tmp_path / "pages"
    assert len(files) == 2 and main(["teach", "grade", *files, "--feedback", str(pages)]) == 0
    told = capsys.readouterr()
    (ada,) = table(told.out)
    assert (ada["right"], ada["tried"], ada["cards.1"]) == ("1", "1", "right") and "my." not in "".join(ada)
    ids = "my.1, my.2, my.3, my.4, my.5, ..."
    assert ada["note"] == TEACH("class.not_known", n=7, ids=ids) and said(told.err, TEACH, "class.not_known", n=7)
    assert "my." not in (pages / "ada.feedback.html").read_text(encoding="utf-8")
    assert main(["teach", "grade", *files, "--by-exercise"]) == 0
    assert [row["exercise"] for row in table(capsys.readouterr().out)] == ["cards.1"]
    assert main(["teach", "grade", *files, "--exercises", str(tmp_path / "mine.toml")]) == 0
    (ada,) = table(capsys.readouterr().out)
    assert (ada["right"], ada["tried"], ada["my.7"], ada["note"]) == ("8", "8", "right", "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes among the files")
@pytest.mark.parametrize("suffix, more", [(".report.json", []), (".ipynb", ["--notebooks"])])
def test_a_pipe_or_a_device_that_is_handed_in_stops_nothing(tmp_path, capsys, suffix, more):
    pipe, device, folder = (tmp_path / f"{name}{suffix}" for name in "abc")
    os.mkfifo(pipe)

    def write() -> None:  # so that nobody who reads it waits for ever
        with suppress(BrokenPipeError):
            pipe.write_text("{}")

    Thread(target=write, daemon=True).start()
    device.symlink_to(os.devnull)
    folder.mkdir()
    assert main(["teach", "grade", str(tmp_path), *more]) == 1
    rows = table(capsys.readouterr().out)
    for row, path in zip(rows, (pipe, device, folder), strict=True):
        why = os.strerror(errno.EISDIR) if path == folder else TEACH("class.no_file")
        assert row["note"] == TEACH("class.unreadable", file=path.name, why=why)


def test_whatever_goes_wrong_with_a_file_is_its_row_and_names_its_kind(tmp_path, capsys, monkeypatch):
    """One guard for what nobody thought of: as a file is read, and as its page is written."""
    student(tmp_path / "in", "Ada", ("cards.1", 6))
    path = student(tmp_path / "in", "Zoë", ("cards.1", 7))

    def fails_for_zoe(call):
        return lambda some, *more: 1 / 0 if "zoe." in str(some) else call(some, *more)

    for module, name in ((commands, "read_report"), (feedback, "feedback")):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, fails_for_zoe(getattr(module, name)))
            assert main(["teach", "grade", str(tmp_path / "in"), "--feedback", str(tmp_path / "out")]) == 1
        told = capsys.readouterr()
        rows = table(told.out)
        assert rows[0]["name"] == "Ada"
        said(rows[-1]["note"], TEACH, "class.failed", file=path.name, why="ZeroDivisionError")
        said(told.err, TEACH, "class.failed", file=path.name)


def test_a_name_holds_nothing_that_cannot_be_seen():
    assert named("A\u202en\u200bn", "7\ufeffb\ud800").key == ("ann", "7b")
    assert named("می\u200cخواهم").name == "می\u200cخواهم", "but what belongs to a word stays"


@pytest.mark.parametrize("answer", ["1/" + "9" * 4000, "-1/" + "9" * 4000, "9" * 4000, "0." + "0" * 4000 + "1"])
def test_no_number_is_too_long_to_be_judged(answer):
    for id, question in SHIPPED.items():
        assert judge(question, answer)[0] != "", id
