"""The exercises that come with navalkit are sound, whatever numbers a student has."""

from __future__ import annotations
import re

import pytest

from navalkit.core.errors import DataError
from navalkit.teach import ask, begin, checking, fresh
from navalkit.teach.checking import PROGRESS, check
from navalkit.teach.exercises.book import SEEDS, faults
from navalkit.teach.exercises.exercise import Items, Number, exercise, with_names
from navalkit.testing import refused, said
from ...sentences import LOX, TEACH
from ..desks import FAMILIES, SHIPPED, answer_of


@pytest.mark.parametrize("id", SHIPPED)
def test_an_exercise_is_sound(id):
    assert list(faults(SHIPPED[id], 5)) == []
    assert check(id, answer_of(SHIPPED[id])).right


def told(id: str, seed: str, retest: int = 0) -> None:
    """With these numbers the right answer is right, every slip is found out by name, and hints come in turn."""
    PROGRESS.forget()
    question = SHIPPED[id].drawn(seed, retest)
    assert checking.judge(question, answer_of(question))[0] == ""
    for mistake in question.mistakes:
        slip, say, _ = checking.judge(question, mistake.value)
        assert (slip, say) == (mistake.slip, mistake.say), (question.numbers, mistake)
    for text in (question.ask, question.after, *question.hints, *(mistake.say for mistake in question.mistakes)):
        assert not re.search(r"[{}]|Fraction\(\d+, \d+\)\.", text), text


def test_every_lesson_has_four_families_at_least():
    lessons = {question.lesson for question in SHIPPED.values()}
    assert len(lessons) == 12
    for lesson in lessons:
        assert sum(SHIPPED[id].lesson == lesson for id in FAMILIES) >= 4, lesson


@pytest.mark.parametrize("id", FAMILIES)
def test_a_familys_slips_are_told_whatever_the_numbers(id):
    for seed in ("", "ada|", "zoë|7b", "1914"):
        told(id, seed)
    told(id, "ada|", retest=1)


@pytest.mark.slow
@pytest.mark.parametrize("id", FAMILIES)
def test_a_familys_slips_are_told_for_200_seeds(id):
    assert list(faults(SHIPPED[id], SEEDS)) == []
    for seed in range(SEEDS):
        told(id, str(seed))


FEW_ANSWERS = ("cards.6", "hexes.6")
"""Families of numbers and lists with fewer than ten answers. Rule L2b lets three torpedoes be fired at most; a ship
turns once or twice to either side, for three turns are as far one way as the other."""


@pytest.mark.parametrize("id", FAMILIES)
def test_a_family_has_thirty_variants_and_their_answers_differ(id):
    """Of all variants: the question as it is read, with the numbers in it, and its answer."""
    found = set()
    answers = set()
    for names in SHIPPED[id].family.in_order("a seed"):
        question = with_names(SHIPPED[id], names)
        right = repr(question.reference.value)
        found.add((question.ask, right))
        answers.add(right)
        if len(found) >= 30 and len(answers) >= 10:
            break
    assert len(found) >= 30, "neighbours would share"
    assert len(answers) >= (10 if isinstance(SHIPPED[id].kind, Number | Items) and id not in FEW_ANSWERS else 3)


def test_the_exceptions_are_such():
    """An exception that has ten answers is none any more."""
    for id in FEW_ANSWERS:
        family = SHIPPED[id].family
        assert len({with_names(SHIPPED[id], names).reference.value for names in family.in_order("")}) < 10


def test_a_course_has_numbers_of_its_own(tmp_path):
    """Other than those of the public kit, of another course, and of one's neighbour; the same on every machine."""
    def numbers(name: str, **more: object) -> str:
        begin(name, folder=tmp_path, **more)
        return repr([ask(id).text for id in FAMILIES])

    courses = [numbers("Ada", course=word) for word in ("", "spring", "autumn")]
    assert len(set(courses)) == 3 and numbers(" ADA", course="spring") == courses[1]
    assert numbers("Bob", course="spring") != courses[1]
    assert PROGRESS.student.course == "spring" and PROGRESS.seed == "bob||spring"
    assert numbers("Ada", numbers="lesson", course="spring") == numbers("Bob", numbers="lesson")


@pytest.mark.parametrize("id", FAMILIES)
def test_neighbours_and_retests_have_other_numbers(id):
    family = SHIPPED[id].family
    names = [repr(family.names(f"student {number}|")) for number in range(60)]
    assert len(set(names)) >= 4 and family.names() == SHIPPED[id].numbers
    retests = [repr(family.names("ada|", retest)) for retest in range(4)]
    assert len(set(retests)) == 4
    assert family.names("ada|") == family.names("ada|") != {}


def test_numbers_follow_from_the_name_and_a_teacher_can_fix_them(tmp_path):
    def numbers(name: str, **more: object) -> str:
        begin(name, folder=tmp_path, **more)
        return repr([ask(id).numbers for id in FAMILIES])

    ada = numbers("Ada")
    assert ada == numbers(" ADA ") != numbers("Bob") and ada != numbers("Ada", group="7b")
    assert numbers("Ada", numbers=7) == numbers("Bob", numbers=7) != numbers("Bob", numbers=8)
    assert numbers("Bob", numbers="lesson") == repr([SHIPPED[id].shown for id in FAMILIES])


def test_a_question_is_asked_with_its_own_numbers_and_a_retest_with_new_ones(tmp_path):
    assert LOX("card", rank=LOX("rank.11"), suit=LOX("suit.1")) in ask("cards.1").text
    assert check("cards.1", 6).right
    begin("Ada", folder=tmp_path)
    first = ask("cards.1")
    again = fresh("cards.1")
    assert again.text != first.text and ask("cards.1").text == again.text == again._repr_markdown_()
    assert ask("cards.2")["ship"] == again["ship"], "exercises that share numbers keep doing so"
    mine = SHIPPED["cards.1"].drawn(PROGRESS.seed, 1)
    assert check("cards.1", mine.reference.value).right and fresh("cards.1", 0).text == first.text
    said(fresh(retest=2).text, TEACH, "all_fresh", retest=2)
    assert ask("cards.1").text not in (first.text, again.text)
    assert fresh("cards.3").text == TEACH("no_family", id="cards.3")
    said(ask("card.9").text, TEACH, "unknown")
    said(fresh(retest=-1).text, TEACH, "no_retest")


def test_a_family_needs_its_question_and_numbers_it_can_have():
    row = dict(id="my.1", title="T", kind="whole", hints=["Count."], answer="2 * n")
    with refused(DataError, TEACH, "exercise.needs_ask"):
        exercise(**row, draw={"n": [1, 2]})
    with refused(DataError, TEACH, "exercise.no_values"):
        exercise(**row, ask="{n}?", draw={"n": 3})
    with refused(DataError, TEACH, "exercise.too_many", n=100000000):
        exercise(**row, ask="{n}?", draw={name: list(range(100)) for name in "nmkl"})
    said(next(faults(exercise(**row, ask="{n}?", draw={"n": [1, 2]}, where=["n > 2"]))), TEACH, "exercise.none_fit")
    twice = exercise(**row, ask="Twice {n}?", draw={"n": [1, 2]}, let={"m": "n + 1"}, wrong=[
        {"is": "n + m - 1", "slip": "added", "say": "You added {n} and {m}."}])  # fmt: skip
    said(list(faults(twice)), TEACH, "exercise.with", fault=TEACH("exercise.counts", slip="'added'"), numbers="n = 1")
