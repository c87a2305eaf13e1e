"""A lesson's questions for phones: one choice is right, and each wrong one is the mistake it says."""

from __future__ import annotations
from fractions import Fraction

import pytest

from navalkit.core.errors import OptionError
from navalkit.teach.clicker import Clicker, clicker, clickers, lessons, position, title
from navalkit.teach.exercises import book
from navalkit.teach.exercises.exercise import Function
from navalkit.testing import refused
from ...sentences import CLICKERS
from ...servers import ROOT

LESSONS = ROOT / "notebooks" / "lessons"
ASKED = {id: each for id, each in book.shipped().items() if not isinstance(each.kind, Function)}


@pytest.mark.parametrize("id", ASKED)
@pytest.mark.parametrize("retest", [0, 1, 2])
def test_one_choice_is_right_and_every_other_is_told_by_its_mistake(id: str, retest: int) -> None:
    question = ASKED[id].drawn("", retest)
    made = clicker(ASKED[id], retest=retest)
    assert made is not None
    (right,) = made.right
    labels = {each.id: each.label for each in made.options}
    assert len(set(labels.values())) == len(labels) >= 3
    if "/" not in labels[right]:  # as a student would type it
        assert question.reference.right(question.kind.read(labels[right]))
    for each in made.options:
        if each.label != CLICKERS("else") and each.id != right and "/" in each.label:
            assert not question.reference.right(question.kind.read(Fraction(each.label)))
    if getattr(question.kind, "name", "") == "probability":  # what is none gives itself away
        assert all(0 <= Fraction(label) <= 1 for label in labels.values() if label != CLICKERS("else"))
    slips = {mistake.slip for mistake in question.mistakes}
    found = {each.slip for each in made.options}
    assert len(slips & found) >= min(1, len(slips))
    assert next(each for each in made.options if each.id == right).slip == ""


def test_a_lesson_opens_with_its_hook_and_goes_on_in_its_order() -> None:
    asked = clickers("1", LESSONS)
    assert [each.id for each in asked][:3] == ["cards.hook1", "cards.1", "cards.2"]
    assert asked[0].right == () and position(asked[0].look).ply == 2
    assert title("cards", LESSONS) == "Counting cards"
    assert "7 of 51 cards hit alone" in asked[3].text  # the lesson's own text, where the exercise has none
    assert "Fraction" not in asked[2].text  # nobody writes anything


def test_every_lesson_has_a_hook_and_four_exercises_at_least() -> None:
    for word in lessons():
        found: list[Clicker] = clickers(word, LESSONS)
        hooks = [each for each in found if ".hook" in each.id]
        assert hooks and len(found) - len(hooks) >= 4, word
        assert all(each.options or "cells" in each.look for each in found)


def test_without_its_notebook_a_lesson_asks_what_its_exercises_say(tmp_path) -> None:
    asked = clickers("cards", tmp_path)
    assert all(each.text for each in asked) and title("cards", tmp_path) == CLICKERS("lesson", number=1)


def test_numbers_of_one_question_have_one_form() -> None:
    fractions, decimals = clicker(ASKED["cards.2"]), clicker(ASKED["cards.5"])
    assert fractions and decimals
    assert {"/" in each.label for each in fractions.options[:-1]} == {True}
    assert {"/" in each.label for each in decimals.options[:-1]} == {False}


def test_a_lesson_there_is_not_is_said() -> None:
    with refused(OptionError, CLICKERS, "no.lesson", most=12):
        clickers("13", LESSONS)
