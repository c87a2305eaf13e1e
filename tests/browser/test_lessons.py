"""A class's way in a real Chromium: lobby, lesson 1, how to write into it, and the teachers' door, which stays shut."""

from __future__ import annotations
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from navalkit.teach import papers
from navalkit.teach.exercises import book
from navalkit.teach.exercises.exercise import Choice, Number
from navalkit.teach.papers import DOOR
from ..sentences import LOBBY, TEACH, like
from .conftest import ROOT, Server, axe, chromium, open_page, serve, shot, sideways


@pytest.fixture
def voila_of_a_teacher(tmp_path, monkeypatch) -> Iterator[Server]:
    """A server with the teachers' door open, as `navalkit play --teacher` starts it."""
    chromium()
    monkeypatch.setenv(DOOR, str(ROOT / "teaching"))
    with serve(ROOT / "notebooks", tmp_path) as server:
        yield server


@pytest.mark.parametrize(
    "context", [(1280, 900), pytest.param((390, 844), marks=pytest.mark.slow)], indirect=True, ids=["1280", "390"]
)
def test_from_the_lobby_to_the_first_lesson_and_its_plan(page, voila):
    open_page(page, voila.page("lobby.ipynb"))
    page.get_by_role("link", name=LOBBY("lessons.title"), exact=True).click()
    page.wait_for_selector("text=To work through one")
    assert sideways(page) <= 0 and axe(page) == []
    page.get_by_role("link", name="Counting cards").click()
    page.wait_for_selector("text=Exercise 7: on average")
    boxes = page.locator(".nk-answer")
    assert boxes.count() == 7
    for wrong_or_right, sign in (("0.5", like(TEACH, "hint", number=1)), ("6/49", TEACH("right"))):
        boxes.nth(1).locator("input").fill(wrong_or_right)
        boxes.nth(1).locator("button").click()
        expect(boxes.nth(1)).to_contain_text(sign, timeout=60_000)
    assert sideways(page) <= 0 and axe(page) == []
    shot(page, f"lesson-{page.viewport_size['width']}")
    page.get_by_role("link", name="how to open it in Jupyter").click()
    page.wait_for_selector("text=navalkit teach students --to my_lessons")
    page.get_by_role("link", name="Plans by the minute").click()
    page.wait_for_selector("text=navalkit play --teacher")
    assert page.locator("text=43/141").count() == 0
    assert sideways(page) <= 0 and axe(page) == []


def answers(lesson: str) -> list[tuple[str, str, str]]:
    """Of each exercise of a lesson what is right, wrong, and no answer at all."""
    found = []
    for id, question in book.shipped().items():
        if id.startswith(f"{lesson}."):
            kind, right = question.kind, papers.answer(question).removeprefix("≈ ")
            wrong = next(each for each in kind.choices if each != right) if isinstance(kind, Choice) else "0.987654"
            if isinstance(kind, Number) and kind.name == "whole":
                wrong = "987654"
            found.append((re.split(" [=≈] ", right)[0], wrong, "a lot"))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 800), (390, 844)], indirect=True, ids=["1280", "390"])
@pytest.mark.parametrize(("folder", "word"), [("02_one_die_nine_guns", "dice"), ("04_seeing_the_unseen", "unseen")])
def test_every_exercise_is_answered_on_a_page_rightly_wrongly_and_badly(page, voila, folder, word):
    open_page(page, voila.page(f"lessons/{folder}/student.ipynb"))
    given = answers(word)
    boxes = page.locator(".nk-answer")
    expect(boxes).to_have_count(len(given))
    for box, (right, wrong, bad) in zip(boxes.all(), given, strict=True):
        signs = like(TEACH, "no_try"), like(TEACH, "hint", number=1), f"✓ {TEACH('right')}"
        for text, sign in zip((bad, wrong, right), signs, strict=True):
            box.locator("input").fill(text)
            box.locator("button").click()
            expect(box).to_contain_text(sign)
        edge = box.bounding_box()
        assert edge["x"] >= 0 and edge["x"] + edge["width"] <= page.viewport_size["width"]
    assert sideways(page) <= 0 and axe(page) == []
    shot(page, f"lesson-{word}-{page.viewport_size['width']}")


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 900), (390, 844)], indirect=True, ids=["1280", "390"])
def test_a_teacher_finds_every_plan_behind_the_door(page, voila_of_a_teacher):
    open_page(page, voila_of_a_teacher.page("lessons/teachers.ipynb"))
    page.wait_for_selector("text=Lesson 9, calibrating to history: for the instructor")
    assert page.locator("text=43/141").count() == 1
    assert sideways(page) <= 0 and axe(page) == []
    page.get_by_role("link", name="Lesson 2, one die, nine guns").click()
    assert page.url.endswith("#02_one_die_nine_guns")
