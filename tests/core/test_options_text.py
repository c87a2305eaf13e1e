"""Text options of endless values: read into one standard form, or refused with the reader's reason."""

from __future__ import annotations

import pytest

from navalkit.core.errors import OptionError
from navalkit.core.game import OptionSpec, check_options
from navalkit.testing import refused
from ..sentences import CORE


def course(text: str) -> str:
    """A course in degrees, in three figures."""
    if not text.strip().isdigit() or int(text) >= 360:
        raise OptionError("a compass has 360 degrees.")
    return f"{int(text):03}"


SPECS = (OptionSpec("course", "000", "Course", "Where she heads.", read=course, form="a course such as 045"),)


@pytest.mark.parametrize("text, value", [("045", "045"), (" 45 ", "045"), ("0", "000")])
def test_equal_values_become_equal_texts(text: str, value: str) -> None:
    assert check_options("sea", SPECS, {"course": text})["course"] == value


def test_the_default_is_read_too() -> None:
    assert check_options("sea", SPECS, {})["course"] == "000"


@pytest.mark.parametrize("value", ["360", "north", "", "x" * 500])
def test_a_text_that_cannot_be_read_is_refused_with_the_readers_reason(value: str) -> None:
    with refused(OptionError, CORE, "options.wrong", name="course", values="a course such as 045") as info:
        check_options("sea", SPECS, {"course": value})
    assert str(info.value).endswith(": a compass has 360 degrees.")


@pytest.mark.parametrize("value", [45, True, None, ["045"]])
def test_what_is_no_text_is_refused(value: object) -> None:
    with refused(OptionError, CORE, "options.wrong", name="course"):
        check_options("sea", SPECS, {"course": value})


def test_an_unknown_option_is_answered_with_the_form() -> None:
    with refused(OptionError, CORE, "options.unknown"):
        check_options("sea", SPECS, {"speed": 3})
