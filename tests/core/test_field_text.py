"""A state as one line of field=value: written, read back, and refused with one sentence."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from navalkit.core.errors import NotationError
from navalkit.core.field_text import format_fields, parse_fields


@dataclass(frozen=True)
class Boat:
    name: str
    depth: int = 0
    tubes: tuple[int, ...] = ()


def show(name, value):
    return ",".join(map(str, value)) if name == "tubes" else str(value)


def read(name, value):
    if name == "tubes":
        return tuple(map(int, value.split(",")))
    return int(value) if name == "depth" else "U7 U9".split()[int(value)]


def test_what_is_at_its_default_is_not_written():
    assert format_fields(Boat("0"), show) == "name=0"
    assert format_fields(Boat("0", tubes=(1, 4)), show) == "name=0 tubes=1,4"


def test_what_was_written_is_read():
    assert parse_fields(" depth=50  tubes=1,4 name=1", ["name", "depth", "tubes"], read, "name=0") == {
        "depth": 50, "tubes": (1, 4), "name": "U9",
    }  # fmt: skip
    assert parse_fields("", ["name"], read) == {}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name=0 keel=3", "'keel=3' in the state is no field=value, or stands twice; fields: depth, name."),
        ("name=0 name=1", "'name=1' in the state is no field=value, or stands twice; fields: depth, name."),
        ("name", "'name' in the state is no field=value, or stands twice; fields: depth, name."),
        ("name=0 depth=deep", "depth='deep' in the state is not valid."),
        ("name=2", "name='2' in the state is not valid."),
        ("depth=1", "the state has no name; it begins with one, such as name=0."),
    ],
)
def test_a_sentence_says_which_field_is_wrong(text, sentence):
    with pytest.raises(NotationError, match=f"^{sentence}$"):
        parse_fields(text, ["name", "depth"], read, "name=0")
