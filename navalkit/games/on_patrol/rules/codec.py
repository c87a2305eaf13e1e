"""Records as text and back, by their types: the notation of states.

A record is ``(field=value ...)`` without the fields at their defaults, a tuple ``[value ...]``, a hex its label, a
place ``M20/3``, a text that is no single word stands in quotes, and None is ``-``.
"""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum, IntEnum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from navalkit.core.errors import NotationError
from navalkit.core.options import brief
from navalkit.grids.hex import DIRECTIONS, Hex, Place

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[()\[\]=]|[^\s()\[\]="]+')
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")
_NUMBER = re.compile(r"-?[0-9]{1,9}")
LONGEST = 200_000
"""Characters of a text that is still read."""


@lru_cache
def _shape(kind: type[Any]) -> dict[str, tuple[Any, Any]] | None:
    """Fields of a record with type and default (``MISSING`` if it must be given); None for what is no record."""
    hints = get_type_hints(kind) if is_dataclass(kind) or hasattr(kind, "_fields") else {}
    if is_dataclass(kind):
        return {f.name: (hints[f.name], f.default) for f in fields(kind)}
    if hasattr(kind, "_fields"):
        return {name: (hints[name], kind._field_defaults.get(name, MISSING)) for name in kind._fields}
    return None


def write(value: Any) -> str:
    """The text of a record, or of anything in one."""
    if value is None:
        return "-"
    if isinstance(value, Hex):
        return value.label
    if isinstance(value, Place):
        return write_place(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, IntEnum):
        return str(int(value))
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, str):
        return value if _WORD.fullmatch(value) else json.dumps(value)
    kind: Any = type(value)
    if (shape := _shape(kind)) is not None:
        shown = ((name, getattr(value, name), default) for name, (_, default) in shape.items())
        return "(" + " ".join(f"{name}={write(v)}" for name, v, default in shown if v != default) + ")"
    if isinstance(value, tuple):
        return "[" + " ".join(map(write, value)) + "]"
    return str(value)


def write_place(place: Place) -> str:
    """A place as "M20/3"."""
    return f"{place.bow}/{place.direction}"


def read_place(text: str) -> Place:
    """The place of "M20/3" (NotationError if it is none)."""
    label, slash, direction = text.partition("/")
    if not slash or direction not in map(str, DIRECTIONS):
        raise NotationError(f"{brief(text)} is no place: write bow hex and direction, such as M20/3.")
    return Place(Hex.parse(label), int(direction))


def read(text: str, kind: type) -> Any:
    """The record of that kind in a text that ``write`` could have given.

    Raises
    ------
    NotationError
        Naming the field that is wrong.
    """
    if len(text) > LONGEST:
        raise NotationError(f"the text has {len(text)} characters, and more than {LONGEST} are not read.")
    tokens = _TOKEN.findall(text)
    reader = _Reader(tokens)
    value = reader.value(kind, kind.__name__.lower())
    if reader.at < len(tokens):
        raise NotationError(f"{brief(tokens[reader.at])} stands after the end of the {kind.__name__.lower()}.")
    return value


class _Reader:
    """Reads values off a list of tokens."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.at = tokens, 0

    def take(self, where: str, expected: str = "") -> str:
        token = self.tokens[self.at] if self.at < len(self.tokens) else ""
        if not token or (expected and token != expected):
            raise NotationError(f"{where} needs {expected or 'a value'} where {brief(token or 'the end')} stands.")
        self.at += 1
        return token

    def value(self, kind: Any, where: str) -> Any:
        """The next value, which must be of that type; ``where`` names its field."""
        if kind in (Hex, Place):
            token = self.take(where)
            return Hex.parse(token) if kind is Hex else read_place(token)
        if isinstance(kind, UnionType):
            return self.one_of(get_args(kind), where)
        if get_origin(kind) is tuple:
            return self.items(get_args(kind), where)
        if isinstance(kind, type) and (shape := _shape(kind)) is not None:
            return self.record(kind, shape, where)
        return self.plain(kind, where)

    def record(self, kind: type, shape: dict[str, tuple[Any, Any]], where: str) -> Any:
        self.take(where, "(")
        values: dict[str, Any] = {}
        while self.tokens[self.at : self.at + 1] != [")"]:
            name = self.take(where)
            if name not in shape or name in values:
                known = ", ".join(shape)
                raise NotationError(f"{where} has no field {brief(name)}, or has it twice; its fields: {known}.")
            self.take(f"{where}.{name}", "=")
            values[name] = self.value(shape[name][0], f"{where}.{name}")
        self.take(where, ")")
        for name, (_, default) in shape.items():
            if default is MISSING and name not in values:
                raise NotationError(f"{where} has no {name}.")
        return kind(**values)

    def items(self, kinds: tuple[Any, ...], where: str) -> tuple[Any, ...]:
        self.take(where, "[")
        found: list[Any] = []
        endless = kinds[-1] is ...
        while self.tokens[self.at : self.at + 1] != ["]"]:
            if not endless and len(found) == len(kinds):
                raise NotationError(f"{where} has more than {len(kinds)} values.")
            found.append(self.value(kinds[0] if endless else kinds[len(found)], where))
        self.take(where, "]")
        if not endless and len(found) < len(kinds):
            raise NotationError(f"{where} has {len(found)} values and needs {len(kinds)}.")
        return tuple(found)

    def one_of(self, kinds: tuple[Any, ...], where: str) -> Any:
        """A value of a union: None, a number, or the other type there is."""
        token = self.tokens[self.at : self.at + 1]
        if token == ["-"] and NoneType in kinds:
            self.at += 1
            return None
        if int in kinds and token and _NUMBER.fullmatch(token[0]):
            return self.value(int, where)
        return self.value(next(kind for kind in kinds if kind not in (NoneType, int)), where)

    def plain(self, kind: Any, where: str) -> Any:
        token = self.take(where)
        if kind is str:
            if token.startswith('"'):
                try:
                    return json.loads(token)
                except ValueError:
                    pass
            elif _WORD.fullmatch(token):
                return token
        elif kind is bool:
            if token in ("true", "false"):
                return token == "true"
        elif issubclass(kind, IntEnum) or kind is int:
            if _NUMBER.fullmatch(token) and (kind is int or int(token) in list(kind)):
                return kind(int(token))
        elif token in [member.value for member in kind]:
            return kind(token)
        raise NotationError(f"{where}={brief(token)} is not valid.")
