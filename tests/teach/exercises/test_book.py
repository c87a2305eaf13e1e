"""A teacher's own exercises: in TOML, in Python, sealed, and broken in every way."""

from __future__ import annotations
import hashlib
import re
from pathlib import Path

import pytest

from navalkit.cli import main
from navalkit.core.errors import DataError
from navalkit.teach import checking
from navalkit.teach.checking import PROGRESS, check
from navalkit.teach.exercises import book
from navalkit.teach.exercises.book import faults
from navalkit.teach.exercises.exercise import Sealed, exercise, kind, seal, stretched
from navalkit.teach.exercises.formula import MISREAD
from navalkit.testing import heard, refused, said
from ...sentences import TEACH
from ..desks import answer_of

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs" / "teaching.md"


def test_a_fault_of_an_exercise_is_the_teachers_and_never_stops_a_student():
    book._OWN["my.1"] = book.entry(exercise("my.1", "Mine", "whole", "sink('ZZ', 1)", ["Think."]))
    verdict = check("my.1", 3)
    assert verdict.slip == "broken"
    said(verdict.text, TEACH, "broken", id="my.1")
    assert not PROGRESS.tries
    wrong = [{"is": "1 / 3", "slip": "a", "say": "b"}]
    book._OWN["my.2"] = book.entry(exercise("my.2", "Mine", "whole", "4", ["Think."], wrong))
    assert check("my.2", 4).right and check("my.2", 9).slip == "other"
    said(next(faults(book.opened(book._OWN["my.2"]))), TEACH, "not_whole")


@pytest.mark.parametrize(
    "name, right, wrong, slip",
    [
        ("whole", 424242, 424241, "one_too_few"),
        ("probability", 0.258, 0.742, "complement"),
        ("number", "1.25", 125, "percentage"),
        ("list", "B2 B3", "B3 B2", "backwards"),
        ("set", "B2 B3", "B4", "other"),
        ("choice", "a mouse", "a cat", "other"),
    ],
)
def test_a_sealed_answer_is_checked_without_being_known(name, right, wrong, slip):
    sealed = seal(kind(name), right)
    row = {"salt": sealed.salt, "digest": sealed.digest, "of": sealed.of}
    question = exercise("mine.1", "Mine", name, row, ["Think."])
    book._OWN["mine.1"] = book.entry(question)
    assert list(faults(question)) == []
    assert str(right) not in repr(question)
    assert check("mine.1", right).right
    assert check("mine.1", wrong).slip == slip


def test_a_seal_is_the_same_where_there_is_no_openssl(monkeypatch):
    for text in (b"", b"mode 6", b"x" * 64, b"y" * 65):
        assert stretched(text, b"salt", 3) == hashlib.pbkdf2_hmac("sha256", text, b"salt", 3)
    sealed = seal(kind("choice"), "mode 6")
    monkeypatch.delattr(hashlib, "pbkdf2_hmac")
    assert sealed.right("mode 6") and not sealed.right("mode 5")


def test_a_bad_seal_is_found_by_the_command_and_not_by_a_student():
    def made(sealed: Sealed, kind: str, **more: object) -> list[str]:
        row = {"salt": sealed.salt, "digest": sealed.digest, "of": sealed.of}
        return list(faults(exercise("my.1", "Mine", kind, row, ["Think."], **more)))

    whole = seal(kind("whole"), 42)
    assert made(whole, "whole") == []
    with refused(DataError, TEACH, "exercise.at", id="my.1"):
        made(whole, "number")
    with refused(DataError, TEACH, "formula.digest"):
        exercise("my.1", "Mine", "whole", {"salt": "00", "digest": whole.digest[:-1]}, ["Think."])
    for mode, faulty in (("mode 9", True), ("Mode 2", False)):
        found = made(seal(kind("choice"), mode), "choice", choices=["mode 1", "mode 2"])
        assert bool(heard(found, TEACH, "exercise.no_choice_sealed")) == faulty


def test_the_worked_example_of_the_docs_is_good(tmp_path, capsys):
    """docs/teaching.md shows an exercise in TOML and in Python: both pass the command, and work."""
    text = DOCS.read_text(encoding="utf-8")
    for language, name in (("toml", "mine.toml"), ("python", "mine.py")):
        block = text.split(f"```{language}\n# {name}")[1].split("```")[0]
        (tmp_path / name).write_text(f"# {name}{block}", encoding="utf-8")
        assert main(["teach", "check-exercises", str(tmp_path / name)]) == 0
        said(capsys.readouterr().out, TEACH, "check.good")
        for id in book.use(tmp_path / name):
            question = book.opened(book.everything()[id])
            assert check(id, answer_of(question)).right
            assert not check(id, object())


GOOD = '[[exercise]]\nid = "my.1"\ntitle = "T"\nkind = "whole"\nanswer = "2 + 2"\nhints = ["Count."]\n'


@pytest.mark.parametrize(
    "text, part",
    [
        ("nonsense", TEACH.phrase("book.no_toml")),
        ("a = 1", TEACH.phrase("book.no_exercise")),
        ("[[exercise]]\nid = 'my.1'", TEACH.phrase("book.incomplete")),
        (GOOD.replace("my.1", "My 1"), TEACH.phrase("exercise.id")),
        (GOOD.replace("whole", "guess"), TEACH.phrase("exercise.no_kind", kind="'guess'")),
        (GOOD.replace('"2 + 2"', "4"), TEACH.phrase("formula.answer")),
        (GOOD.replace('["Count."]', '"Count."'), TEACH.phrase("exercise.texts", most=9)),
        (GOOD + "wrong = [{ is = 3 }]", TEACH.phrase("exercise.wrong_lacks")),
        (GOOD + "colour = 1", TEACH.phrase("exercise.no_entry", entry="'colour'")),
        (GOOD + GOOD, TEACH.phrase("book.twice", id="my.1")),
    ],
)
def test_a_malformed_file_is_one_clear_error(tmp_path, text, part, capsys):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    assert main(["teach", "check-exercises", str(path)]) == 2
    err = capsys.readouterr().err
    said(err, part)
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "text, part",
    [
        (GOOD.replace("Count.", "It is 4."), TEACH.phrase("exercise.given_away")),
        (GOOD.replace("2 + 2", "nothing(1)"), TEACH.phrase("formula.no_function")),
        (GOOD.replace("2 + 2", "1 / 3"), TEACH.phrase("not_whole")),
        (GOOD + 'wrong = [{ is = 4, slip = "a", say = "b" }]', TEACH.phrase("exercise.counts")),
        (
            GOOD + 'wrong = [{ is = 1, slip = "a", say = "b" }, { is = 1, slip = "c", say = "d" }]',
            TEACH.phrase("exercise.same"),
        ),
    ],
)
def test_the_command_finds_what_is_wrong_with_an_exercise(tmp_path, text, part, capsys):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    assert main(["teach", "check-exercises", str(path)]) == 1
    out = capsys.readouterr().out
    said(out, part)
    assert "(good)" not in out


def test_questions_are_handed_out_without_what_answers_them(tmp_path, capsys):
    (tmp_path / "mine.toml").write_text(GOOD + """
[[exercise]]
id = "my.2"
title = "Hits"
kind = "probability"
ask = '''{n} "guns" fire, {name}; \\ how likely are **{k} hits**?'''
answer = "binomial(n, 1 / 3)[k] + secret"
hints = ["In how many ways?"]
wrong = [{ is = "k / n", slip = "a share", say = "No share." }]
draw = { n = [6, 5, 7], k = [2, 3], name = ["Ä é", "b"] }
let = { m = "n - k", secret = "0", miss = "m + 1" }
where = ["miss > 2"]

[[exercise]]
id = "my.3"
title = "Same"
kind = "choice"
choices = ["a", "b"]
answer = "'b'"
hints = ["Look."]
numbers_of = "my.2"
ask = "And {k}?"
""", encoding="utf-8")
    to = tmp_path / "questions.toml"
    assert main(["teach", "questions", str(tmp_path / "mine.toml"), "--to", str(to)]) == 0
    capsys.readouterr()
    text = to.read_text(encoding="utf-8")
    assert not re.search("answer|hints|wrong|binomial|secret|share|2 \\+ 2", text)
    given, mine = book.read(to), book.read(tmp_path / "mine.toml")
    assert list(given) == list(mine)
    for id, question in mine.items():
        for seed, retest in (("", 0), ("ada|", 0), ("ada|", 3), ("zoë|7b|spring", 1)):
            assert given[id].drawn(seed, retest).ask == question.drawn(seed, retest).ask
            assert given[id].drawn(seed, retest).kind == question.kind
    assert main(["teach", "check-exercises", str(to)]) == 1
    said(capsys.readouterr().out, TEACH, "exercise.no_answer")
    book.use(to)
    assert check("my.2", 0.3).slip == check("my.3", "a").slip == "taken" and not PROGRESS.tries


def test_an_own_exercise_does_not_replace_one_of_navalkit(tmp_path):
    (tmp_path / "mine.toml").write_text(GOOD.replace("my.1", "cards.1"))
    with refused(DataError, TEACH, "book.taken"):
        book.use(tmp_path / "mine.toml")
    assert check("cards.1", 6).right


@pytest.mark.parametrize(
    "text, part",
    [
        ("1 / 0", TEACH.phrase("book.stops", why="ZeroDivisionError: division by zero")),
        ("EXERCISES = 3", TEACH.phrase("book.no_list")),
    ],
)
def test_a_broken_python_file_is_one_clear_error(tmp_path, text, part):
    (tmp_path / "mine.py").write_text(text)
    with refused(DataError, part):
        book.use(tmp_path / "mine.py")
    with refused(DataError, TEACH, "book.no_file"):
        book.use(tmp_path / "none.py")


def test_seal_prints_what_an_exercise_takes(capsys):
    assert main(["teach", "seal", "whole", "42"]) == 0
    line = capsys.readouterr().out
    assert line.startswith("answer = { salt = ") and "42" not in line.split("digest")[0][:20]
    assert main(["teach", "seal", "whole", "4.2"]) == 2
    said(capsys.readouterr().err, TEACH, "not_whole")


def test_no_mistake_has_a_name_that_makes_it_no_try():
    """A slip "unanswered", of guns, would be taken for an answer that was not given."""
    ours = {checking.UNANSWERED, checking.TAKEN, checking.OTHER, *MISREAD}
    assert not [each.id for each in book.shipped().values() for wrong in each.mistakes if wrong.slip in ours]
