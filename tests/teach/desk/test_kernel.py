"""What a student's kernel holds: questions, and nothing that leads to their answers."""

from __future__ import annotations
import functools
import sys
import types
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest

from navalkit.teach import ask, begin, check, checking, exercises, fresh, lesson
from navalkit.teach.checking import PROGRESS
from navalkit.teach.exercises import book, exercise
from navalkit.teach.exercises.exercise import Computed, Exercise, Mistake, Sealed
from navalkit.testing import said
from ...sentences import TEACH
from ..desks import FAMILIES, SHIPPED, restart, wrong_of

ROOTS = (lesson, checking, exercises, book, exercise, PROGRESS)
"""From here a student may go wherever a dot, a bracket or `__closure__` leads."""


def reached(thing: Any) -> Iterator[Any]:
    """What one step leads to: attributes, items, cells of closures, defaults; of modules only navalkit's."""
    if isinstance(thing, types.ModuleType):
        if thing.__name__.startswith("navalkit.teach"):
            yield from vars(thing).values()
        return
    if isinstance(thing, Mapping):
        yield from (*thing.keys(), *thing.values())
    elif isinstance(thing, list | tuple | set | frozenset):
        yield from thing
    elif isinstance(thing, functools.partial):
        yield from (thing.func, *thing.args, *thing.keywords.values())
    elif isinstance(thing, types.MethodType):
        yield from (thing.__self__, thing.__func__)
    elif isinstance(thing, types.FunctionType):
        yield from (thing.__defaults__ or (), thing.__kwdefaults__ or (), vars(thing))
        yield from (cell.cell_contents for cell in thing.__closure__ or () if cell != types.CellType())
    module = getattr(thing, "__module__", None) if isinstance(thing, type) else type(thing).__module__
    if isinstance(module, str) and module.startswith("navalkit.teach"):
        yield from list(getattr(thing, "__dict__", {}).values())
        for name in getattr(type(thing), "__slots__", ()):
            yield getattr(thing, name, None)


def everything_reached() -> Iterator[Any]:
    seen: set[int] = set()
    drawn = [each.drawn(PROGRESS.seed) for each in book.everything().values()]
    found: list[Any] = [*ROOTS, vars(PROGRESS), *sys.modules["navalkit.teach"].__dict__.values(), *drawn]
    found.append(book.everything())
    while found:
        thing = found.pop()
        if id(thing) not in seen:
            seen.add(id(thing))
            yield thing
            found.extend(reached(thing))


def leaks() -> list[Any]:
    """All that holds an answer, or the formula of one."""
    formulas = {each.row["answer"] for each in SHIPPED.values() if isinstance(each.row["answer"], str)}
    formulas = {text for text in formulas if not text.isidentifier()}  # the name of a listed function is public
    found = []
    for thing in everything_reached():
        if isinstance(thing, Exercise | Computed | Sealed | Mistake) or isinstance(thing, str) and thing in formulas:
            found.append(thing)
        elif isinstance(thing, Fraction) and thing in RIGHT:
            found.append(thing)
    return found


RIGHT = {each.reference.value for each in SHIPPED.values()
         if isinstance(each.reference, Computed) and isinstance(each.reference.value, Fraction)
         and each.reference.value.denominator > 40}  # fmt: skip


def test_no_attribute_leads_to_an_answer_or_its_formula(tmp_path):
    begin("Ada", numbers="lesson", folder=tmp_path)
    for id in ("cards.2", "dice.1", "hexes.6", "unseen.4", "machine.5"):
        ask(id)
        check(id, next(wrong_of(SHIPPED[id])))
    check("cards.2", "6/49")
    begin("Ada", "7b", folder=tmp_path)
    fresh("cards.2")
    check("cards.2", 0.3)
    entries = [thing for thing in everything_reached() if isinstance(thing, book.Entry)]
    assert len(entries) > len(SHIPPED), "the way leads to all questions, and to those with numbers of one's own"
    assert leaks() == []


@pytest.mark.parametrize("id", [*FAMILIES, *(id for id, each in SHIPPED.items() if not each.family)])
def test_no_method_of_a_question_opens_it(id):
    question = book.everything()[id]
    for name in dir(question):
        found = getattr(question, name)
        if not name.startswith("__"):
            made = found() if callable(found) else found
            assert not isinstance(made, Exercise | Computed | Sealed), name


def test_the_walk_would_find_an_answer_that_is_kept(monkeypatch):
    kept = SHIPPED["cards.2"]
    assert kept.reference.value in RIGHT
    monkeypatch.setattr(checking, "last", lambda: kept, raising=False)
    assert kept in leaks()
    monkeypatch.setattr(checking, "last", [kept.reference.value], raising=False)
    assert leaks() == [kept.reference.value]


@pytest.mark.parametrize("id", FAMILIES)
def test_the_numbers_of_a_question_are_those_that_it_names(id):
    """What follows from them may be the answer itself: hexes.6 had it as its number t."""
    restart(numbers="lesson")
    shown = ask(id).numbers
    given = SHIPPED[id].family
    assert set(shown) <= {*given.draw, *given.let} and shown == SHIPPED[id].shown
    assert "t" not in shown or id != "hexes.6"
    right = SHIPPED[id].row["answer"]
    assert right not in shown


def test_an_exercise_without_an_answer_is_taken_and_judged_elsewhere():
    book.take([{"id": "my.1", "title": "T", "kind": "whole", "ask": "Twice 21?"}])
    verdict = check("my.1", 42)
    assert not verdict and verdict.slip == "taken" and verdict.free
    said(verdict.text, TEACH, "taken")
    assert check("my.1", "many").slip == "not_a_number" and not PROGRESS.tries
