"""Records as text: what is written reads back by the types of its fields, and what is wrong is named."""

from __future__ import annotations
import doctest
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from navalkit.core import codec
from navalkit.core.codec import LONGEST, Codec, Form
from navalkit.core.errors import NotationError
from ...sentences import CORE


class Kind(StrEnum):
    BOAT = "boat"
    SHIP = "big ship"


class Side(IntEnum):
    US = 0
    THEM = 1


class At(NamedTuple):
    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Unit:
    name: str
    kind: Kind = Kind.BOAT
    at: At | None = None
    square: int = 0
    wake: tuple[int, ...] = ()
    sunk: bool = False


@dataclass(frozen=True, slots=True)
class Sea:
    turn: int
    units: tuple[Unit, ...] = ()
    side: Side = Side.US
    last: str | int = ""
    loads: tuple[tuple[str, int], ...] = ()


def square(text: str) -> int:
    return "ABC".index(text[0]) + 3 * int(text[1:]) - 3


def at(text: str) -> At:
    column, row = text.split("/")
    return At(int(column), int(row))


SQUARE = Form(lambda n: f"{'ABC'[n % 3]}{n // 3 + 1}", square)
AT = Form(lambda at: f"{at.column}/{at.row}", at)
SEAS = Codec(Sea, {At: AT, "square": SQUARE, "wake": SQUARE})
NUMBERS = st.integers(-999_999, 999_999)
UNITS = st.builds(
    Unit,
    st.text(max_size=8),
    st.sampled_from(Kind),
    st.none() | st.builds(At, NUMBERS, NUMBERS),
    st.integers(0, 99),
    st.lists(st.integers(0, 99), max_size=3).map(tuple),
    st.booleans(),
)
ALL = st.builds(
    Sea,
    NUMBERS,
    st.lists(UNITS, max_size=4).map(tuple),
    st.sampled_from(Side),
    st.text(max_size=5) | NUMBERS,
    st.lists(st.tuples(st.text(max_size=3), NUMBERS), max_size=2).map(tuple),
)


@given(ALL)
def test_what_is_written_reads_back(sea: Sea) -> None:
    assert SEAS.read(SEAS.write(sea)) == sea
    assert Codec(Sea).read(Codec(Sea).write(sea)) == sea


@given(ALL, ALL)
def test_what_differs_from_a_base_reads_back(sea: Sea, base: Sea) -> None:
    assert SEAS.read(SEAS.write(sea, base), base) == sea


def test_a_record_is_its_fields_that_are_not_at_their_defaults() -> None:
    assert SEAS.write(Sea(3)) == "(turn=3)"
    unit = Unit("the Hood", Kind.SHIP, At(2, -5), 4, (0, 5), True)
    text = '(name="the Hood" kind="big ship" at=2/-5 square=B2 wake=[A1 C2] sunk=true)'
    assert SEAS.write(Sea(3, (unit,), Side.THEM, 7, (("G7e", 9),))) == (
        f"(turn=3 units=[{text}] side=1 last=7 loads=[[G7e 9]])"
    )


def test_beside_a_base_only_the_difference_is_written() -> None:
    base = Sea(1, (Unit("U1"), Unit("U2", wake=(1,))))
    assert SEAS.write(base, base) == "()"
    moved = Sea(1, (Unit("U1"), Unit("U2", square=3, wake=(1,))))
    assert SEAS.write(moved, base) == "(units=[= (square=A2)])"
    assert SEAS.write(Sea(1, (Unit("U1"),)), base) == "(units=[=])"


def test_a_text_that_looks_like_another_value_stands_in_quotes() -> None:
    for last in ("7", "-", "=", "a b", 'a "b"', "ü", ""):
        sea = Sea(1, last=last)
        assert SEAS.read(SEAS.write(sea)) == sea


KNOWN = "turn, units, side, last, loads"


def invalid(field: str, token: str) -> str:
    return CORE("codec.invalid", where=f"sea.{field}", token=token)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", CORE("codec.needs", where="sea", wanted="(", found=CORE("codec.end"))),
        ("(1)", CORE("codec.field", where="sea", name="'1'", known=KNOWN)),
        ("(turn=1", CORE("codec.needs", where="sea", wanted=CORE("codec.value"), found=CORE("codec.end"))),
        ("(turn=1))", CORE("codec.stands_after_end", tokens="')'", name="sea")),
        ("(turn=first)", invalid("turn", "'first'")),
        ("(side=1)", CORE("codec.said", where="sea", name="turn")),
        ("(turn=1 turn=1)", CORE("codec.field", where="sea", name="'turn'", known=KNOWN)),
        ("(turn=1 side=2)", invalid("side", "'2'")),
        ("(turn=1 units=[(name=U1 kind=cutter)])", invalid("units.kind", "'cutter'")),
        ("(turn=1 units=[(name=U1 square=Z1)])", invalid("units.square", "'Z1'")),
        ("(turn=1 units=[(name=U1 at=1)])", invalid("units.at", "'1'")),
        ("(turn=1 units=[(name=U1 sunk=yes)])", invalid("units.sunk", "'yes'")),
        ("(turn=1 units=[=])", CORE("codec.needs", where="sea.units", wanted="(", found="'='")),
        ("(turn=1 loads=[[G7e]])", CORE("codec.values_needs", where="sea.loads", found=1, kinds=2)),
        ("(turn=1 loads=[[G7e 1 2]])", CORE("codec.more_values", where="sea.loads", kinds=2)),
        (r'(turn=1 last="\x")', invalid("last", r"""'"\\x"'""")),
        (" " * (LONGEST + 1), CORE("codec.text_characters_more", text=LONGEST + 1, longest=LONGEST)),
    ],
)
def test_a_sentence_says_what_is_wrong(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as info:
        SEAS.read(text)
    assert str(info.value) == sentence


def test_its_example_runs() -> None:
    assert doctest.testmod(codec).failed == 0
