"""Formulas are exact, are never run as Python, and call only what is listed."""

from __future__ import annotations
from fractions import Fraction
from importlib import import_module
from math import comb

import pytest
from hypothesis import given, strategies as st

from navalkit.core.errors import DataError
from navalkit.teach.exercises import exercise, formula
from navalkit.teach.exercises.exercise import Computed
from navalkit.testing import refused
from ...sentences import TEACH


@pytest.mark.parametrize(
    "text, value",
    [
        ("7 / 51", Fraction(7, 51)),
        ("1 - comb(44, 2) / comb(51, 2)", Fraction(329, 1275)),
        ("2 ** -3", Fraction(1, 8)),
        ("hypergeometric(51, 7, 2)[1]", Fraction(2 * 7 * 44, 51 * 50)),
        ('[axial("A1"), -1]', [[0, 0], -1]),
        ('sink("8D", 1, seen="7C 7D")', Fraction(5, 49)),
    ],
)
def test_a_formula_is_exact(text, value):
    assert formula.value(text) == value


@pytest.mark.parametrize(
    "text, key",
    [
        ("__import__('os').getcwd()", "refused"),
        ("().__class__", "refused"),
        ("sink.__globals__", "refused"),
        ("open('x')", "no_function"),
        ("lambda: 1", "refused"),
        ("[x for x in [1]]", "refused"),
        ("sink(**{})", "refused"),
        ("True if 1 else 2", "refused"),
        ("comb('a'", "broken"),
        ("1 / 0", "fails"),
        ("2 ** 99999", "power"),
        ("comb(1", "broken"),
        ("1" * 2000, "length"),
        ("5[0]", "no_parts"),
        ('sink("ZZ", 1)', "fails"),
    ],
)
def test_a_formula_is_never_run_as_python(text, key):
    with refused(DataError, TEACH, f"formula.{key}"):
        formula.value(text)


@given(st.text(max_size=60))
def test_any_text_is_a_value_or_a_data_error(text):
    try:
        formula.value(text, functions={"comb": comb})
    except DataError:
        pass


def test_the_whole_list_of_functions_can_be_called():
    """Each listed name leads to a function that is there."""
    listed = list(formula.listed())
    assert len(listed) == len(formula.FUNCTIONS)  # no name twice
    for module, name in listed:
        assert callable(getattr(import_module(module), name)), name


def test_the_reference_of_a_function_is_the_listed_one():
    kind = exercise.kind("function of whole", cases=[[0, 0, 3, 2]])
    assert Computed(kind, "hex_distance").value == [5]
    with refused(DataError, TEACH, "exercise.needs_cases"):
        exercise.kind("function of whole")
