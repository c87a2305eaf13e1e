"""Formulas are exact, are never run as Python, and call only what is listed."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navalkit.core.errors import DataError
from navalkit.teach.exercises import formula, kinds, library
from navalkit.teach.exercises.reference import Computed
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
    "text, part",
    [
        ("__import__('os').getcwd()", "may not stand in a formula"),
        ("().__class__", "may not stand"),
        ("sink.__globals__", "may not stand"),
        ("open('x')", "is not a listed function"),
        ("lambda: 1", "may not stand"),
        ("[x for x in [1]]", "may not stand"),
        ("sink(**{})", "may not stand"),
        ("True if 1 else 2", "may not stand"),
        ("comb('a'", "is not a formula"),
        ("1 / 0", "cannot be calculated"),
        ("2 ** 99999", "too high a power"),
        ("comb(1", "is not a formula"),
        ("1" * 2000, "at most 1000 characters"),
        ("5[0]", "asks a distribution or a list"),
        ('sink("ZZ", 1)', "cannot be calculated"),
    ],
)
def test_a_formula_is_never_run_as_python(text, part):
    with pytest.raises(DataError, match=part.replace("(", r"\(")):
        formula.value(text)


@given(st.text(max_size=60))
def test_any_text_is_a_value_or_a_data_error(text):
    try:
        formula.value(text, functions={"comb": comb})
    except DataError:
        pass


def test_the_whole_list_of_functions_can_be_called():
    """Each listed name leads to a function that is there."""
    for module, listed in library.LISTED.items():
        for name in listed.split():
            assert callable(getattr(import_module(module), name)), name


def test_the_reference_of_a_function_is_the_listed_one():
    kind = kinds.kind("function of whole", cases=[[0, 0, 3, 2]])
    assert Computed(kind, "hex_distance").value == [5]
    with refused(DataError, TEACH, "exercise.needs_cases"):
        kinds.kind("function of whole")
