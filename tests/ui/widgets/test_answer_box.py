"""Answers on a page of Voila: every exercise of lessons 1 to 4 can be answered there, rightly and wrongly."""

from __future__ import annotations

import pytest

from navalkit.teach.checking import PROGRESS, check
from navalkit.teach.exercises import book
from navalkit.teach.exercises.exercise import Choice, Computed, Function
from navalkit.testing import said
from navalkit.ui.widgets import AnswerBox
from ...sentences import TEACH

FIRST = [id for id in book.shipped() if id.partition(".")[0] in ("cards", "dice", "risk", "unseen")]


@pytest.fixture(autouse=True)
def on_a_page(monkeypatch):
    PROGRESS.forget()
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5")


def check_of(id):
    return lambda answer: check(id, answer).right


def give(box, *texts):
    if box.fields:
        for field, text in zip(box.fields, texts, strict=True):
            field.value = text
        box.buttons[0].click()
    else:
        next(each for each in box.buttons if each.description == texts[0]).click()


@pytest.mark.parametrize("id", FIRST)
def test_an_exercise_can_be_answered_on_a_page(id):
    question = book.shipped()[id]
    kind = question.kind
    sealed = not isinstance(question.reference, Computed)
    right = next(filter(check_of(id), kind.choices)) if sealed else question.reference.value
    texts = list(map(str, right)) if isinstance(kind, Function) else [str(right)]
    PROGRESS.forget()
    box = AnswerBox(question)
    give(box, *texts)
    assert "✓" in box.said.value, box.said.value
    wrong = ["-123456789"] * len(texts)
    if isinstance(kind, Choice):
        wrong = [next(choice for choice in kind.choices if choice != texts[0])]
    give(box, *wrong)
    said(box.said.value, TEACH, "hint", number=1)
    assert "✗" in box.said.value
    assert bool(box.fields) == (not isinstance(kind, Choice) or len(kind.choices) > 6)


def test_a_check_shows_a_box_on_a_page_alone(monkeypatch):
    shown = check("cards.2", ...)
    assert "application/vnd.jupyter.widget-view+json" in shown._repr_mimebundle_()
    assert check("cards.2", "6/49")._repr_mimebundle_() == {}
    monkeypatch.delenv("SERVER_SOFTWARE")
    assert check("cards.2", ...)._repr_mimebundle_() == {}


def test_what_is_typed_is_checked_at_return_and_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    box = AnswerBox(book.shipped()["risk.4"])
    assert len(box.fields) == len(book.shipped()["risk.4"].kind.cases)
    box.fields[0].value = "6"
    box.buttons[0].click()
    assert "…" in box.said.value  # the other cases are still to be answered
    assert list(tmp_path.iterdir()) == []


def test_of_many_cases_one_that_is_mended_is_no_try_before_check_is_pressed():
    question = book.shipped()["risk.4"]
    box = AnswerBox(question)
    give(box, *["7"] * len(question.kind.cases))
    tried = len(PROGRESS.tries)
    for field in box.fields[:3]:
        field.value = "8"
    assert tried == len(PROGRESS.tries) == 1
    box.buttons[0].click()
    assert len(PROGRESS.tries) == 2


def test_a_sentence_on_a_wrong_type_has_one_comma():
    found = TEACH("exercise.text", text="'perhaps'")
    assert TEACH("not_a_number", kind=TEACH("kind_probability"), found=found) in check("cards.2", "perhaps").text
    assert ",," not in check("cards.2", "perhaps").text
