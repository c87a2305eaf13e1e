"""What goes back to students: their own work, what was wrong and why, and nothing of anybody else."""

from __future__ import annotations
from dataclasses import replace
from pathlib import Path

from navalkit import cli
from navalkit.cli import main
from navalkit.teach import feedback as feedback_module, grade, papers
from navalkit.teach.checking import PROGRESS, Report, Student, Try, check, read_report
from navalkit.teach.exercises import book
from navalkit.teach.exercises.formula import MISREAD
from navalkit.teach.feedback import feedback
from navalkit.testing import heard, said
from ...sentences import TEACH
from ..desks import SHIPPED, restart, student

ROOT = Path(__file__).parents[3]


def handed(folder: Path) -> list[grade.Handed]:
    return grade.students(read_report(path) for path in sorted(folder.glob("*.json")))


def test_a_page_tells_what_was_right_what_was_not_and_by_which_rule(tmp_path):
    student(tmp_path, "Ada", ("cards.1", 7), ("cards.1", 6), ("cards.2", "6/52"), ("cards.2", 0.5), ("cards.7", 3))
    (ada,) = handed(tmp_path)
    page = feedback(ada)
    said(page, TEACH, "feedback.sum", right=1, tried=3)
    said(page, TEACH, "feedback.right", n=2)
    for id, slips in (("cards.1", ["forgot the cards seen"]), ("cards.2", ["forgot without replacement"])):
        for slip in slips:
            (mistake,) = (each for each in SHIPPED[id].mistakes if each.slip == slip and "deal" not in each.say)
            said(page, TEACH, "feedback.slip", slip=slip[0].upper() + slip[1:], say=mistake.say)
    said(page, TEACH, "feedback.other")
    said(page, TEACH, "feedback.wrong", n=2)
    said(page, TEACH, "hint", number=1, hint=SHIPPED["cards.2"].hints[0])
    assert SHIPPED["cards.2"].hints[1] not in page
    for rule in ("whole", "number"):
        said(page, TEACH, f"feedback.rule.{rule}")
    assert not heard(page, TEACH, "feedback.rule.choice"), "no rule of an exercise that was not tried"


def test_a_page_has_the_students_own_numbers_and_answers_only_if_the_teacher_wants_them(tmp_path):
    restart("Ada", "7b", tmp_path, "own")
    check("cards.2", 0.001)
    mine = book.opened(book.everything()["cards.2"], PROGRESS.seed)
    assert mine.ask != SHIPPED["cards.2"].ask
    (ada,) = handed(tmp_path)
    plain, told = feedback(ada), feedback(ada, answers=True)
    said(told, TEACH, "feedback.answer", answer=papers.answer(mine))
    assert not heard(plain, TEACH, "feedback.answer") and str(mine.reference.value) not in plain
    assert mine.ask.split("?")[0].strip()[1:] in plain


def test_every_exercise_and_every_slip_has_its_words():
    """Each exercise answered wrongly in each way its author expects and in each that its kind knows, then rightly."""
    slips = {id: [*(each.slip for each in one.mistakes), *one.kind.slips, "other", *MISREAD]
             for id, one in SHIPPED.items()}  # fmt: skip
    tries = [Try("", "s", number, id, 0, slip, "") for id in SHIPPED for number, slip in enumerate([*slips[id], ""])]
    (ada,) = grade.students([Report(Student("Ada", numbers="lesson"), frozenset(tries), True, "ada")])
    page = feedback(ada)
    assert "{" not in page.partition("</style>")[2] and all(f"({id})" in page for id in SHIPPED)
    for id, one in SHIPPED.items():
        part = page.partition(f"({id})</h2>")[2].partition("<h2>")[0]
        said(part, TEACH, "feedback.right", n=len(slips[id]) + 1)
        for mistake in one.mistakes:  # a slip has one sentence: of a try no more is known
            said(part, TEACH, "feedback.slip", slip=mistake.slip[0].upper() + mistake.slip[1:], say=mistake.say)


def test_of_two_mistakes_of_one_name_neither_sentence_is_told(tmp_path):
    """As in a teacher's own file: one of them would be false."""
    twins = tuple(replace(each, slip="twin") for each in SHIPPED["cards.2"].mistakes)
    one = replace(SHIPPED["cards.2"], mistakes=twins)
    page = str(feedback_module._round(one, [Try("", "s", 0, "cards.2", 0, "twin", "")], False))
    said(page, TEACH, "feedback.slip_alone", slip="Twin")
    assert not heard(page, TEACH, "feedback.slip")


def test_the_command_writes_a_page_for_each_and_nothing_of_the_others(tmp_path, capsys):
    for name, group in (("Ada", "7b"), ("Bob <b>", "7b"), ("Zoë", "")):
        student(tmp_path / "in", name, ("cards.1", 7 if name == "Ada" else 6), group=group)
    for desk in "ab":
        student(tmp_path / "in" / desk, "Sam", ("hexes.5", 61 if desk == "a" else 60))
    assert main(["teach", "grade", str(tmp_path / "in"), "--feedback", str(tmp_path / "out")]) == 0
    said(capsys.readouterr().err, TEACH, "feedback.written", n=5)
    pages = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir()}
    assert {name.partition(".")[0] for name in pages} == {"ada", "bob-b", "zoe", "sam-1", "sam-2"}
    names = {"ada": "Ada", "bob-b": "Bob", "zoe": "Zoë", "sam-1": "Sam", "sam-2": "Sam"}
    for file, page in pages.items():
        mine = names[file.partition(".")[0]]
        assert mine in page and not any(other in page for other in {*names.values()} - {mine}), file
        assert "<b>" not in page and str(tmp_path) not in page
        assert not heard(page, TEACH, "class.same_name"), "not even that there is another of this name"
    ids = {report.student.id for report in map(read_report, (tmp_path / "in").rglob("*.json"))}
    assert len(ids) == 5 and not any(id in page for id in ids for page in pages.values())


def test_answers_are_told_only_where_the_teachers_folder_is(tmp_path, capsys, monkeypatch):
    """A student who has a report and navalkit installed would read the answers to the numbers of their own."""
    student(tmp_path / "in", "Ada", ("cards.1", 7))
    given = ["teach", "grade", str(tmp_path / "in"), "--feedback", str(tmp_path / "out"), "--answers"]
    monkeypatch.setattr(cli, "TEACHING", "nowhere")
    monkeypatch.delenv(papers.DOOR, raising=False)
    for refused in range(2):
        assert main(given) == 2
        said(capsys.readouterr().err, TEACH, "feedback.teachers_alone")
        assert not (tmp_path / "out").exists()
        if not refused:
            (tmp_path / "nowhere").mkdir()  # a folder of that name, and nothing in it
    assert main(given[:-1]) == 0, "without answers anybody may"
    monkeypatch.setenv(papers.DOOR, str(ROOT / "teaching"))
    assert main(given) == 0
    said((tmp_path / "out" / "ada.feedback.html").read_text(encoding="utf-8"), TEACH, "feedback.answer", answer=6)
