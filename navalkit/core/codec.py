"""States as text and back, by the types of their fields: one notation for every game.

A record (a dataclass or a named tuple) is ``(field=value ...)`` without the fields that are at their defaults, a tuple
``[value ...]``, an enum its value, a text that is no single word stands in quotes, and None is ``-``. What a game wants
to read otherwise, a square by its label, say, is a `Form`: for a type, or for the fields of a name.

>>> from typing import NamedTuple
>>> class Boat(NamedTuple):
...     id: str
...     at: int
...     wake: tuple[int, ...] = ()
>>> square = Form(lambda n: f"{'ABC'[n % 3]}{n // 3 + 1}", lambda text: "ABC".index(text[0]) + 3 * int(text[1:]) - 3)
>>> boats = Codec(Boat, {"at": square, "wake": square})
>>> boats.write(Boat("S1", 4, (0, 3)))
'(id=S1 at=B2 wake=[A1 A2])'
>>> boats.read("(id=S1 at=B2 wake=[A1 A2])")
Boat(id='S1', at=4, wake=(0, 3))
"""

from __future__ import annotations
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, dataclass_transform, get_args, get_origin, get_type_hints

from .errors import NotationError, brief
from .words import SAY

R = TypeVar("R")

_PLAIN = r'[^\s()\[\]="]+'
_TOKEN = re.compile(rf'"(?:[^"\\]|\\.)*"|[()\[\]=]|{_PLAIN}')
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")
_NUMBER = re.compile(r"-?[0-9]{1,9}")
LONGEST = 200_000
"""Characters of a text that is still read."""


@dataclass(frozen=True, slots=True)
class Form:
    """How one value is written and read."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    """Raises ValueError (`NotationError` is one) or LookupError for a text that is no such value."""
    whole: bool = False
    """Whether in a tuple it is for all of it, not for each value there: `series`."""


def series(item: Form, between: str = ",", number: int = 0) -> Form:
    """A tuple as one word, "-" for an empty one. ``item``: of each value. ``between``: what divides them. ``number``:
    how many there must be; 0 for any number.

    >>> series(Form(str, int)).write((3, 1)), series(Form(str, int)).read("-")
    ('3,1', ())
    """

    def read(text: str) -> tuple[Any, ...]:
        values = () if text == "-" else tuple(map(item.read, text.split(between)))
        if number and len(values) != number:
            raise ValueError(text)
        return values

    return Form(lambda values: between.join(map(item.write, values)) or "-", read, whole=True)


def one_of(values: Iterable[Any]) -> Form:
    """One of a few texts or numbers."""
    return Form(str, {str(value): value for value in values}.__getitem__)


def upto(most: int) -> Form:
    """A whole number from 0 to ``most``."""
    return Form(str, lambda text: range(most + 1)[_whole(text)])


def bits(most: int) -> Form:
    """A set of numbers below ``most`` as one number, written in hexadecimal."""
    return Form("{:x}".format, lambda text: range(1 << most)[_whole(text, 16)])


def _whole(text: str, base: int = 10) -> int:
    """A whole number without sign; ValueError for anything else."""
    if not (text.isascii() and text.isalnum()):
        raise ValueError(text)
    return int(text, base)


class Codec(Generic[R]):
    """Writes and reads the records of one type, with all that is in them.

    Fields may be of any record, ``int``, ``bool``, ``str``, an enum, ``tuple[X, ...]``, ``tuple[X, Y]``, or a union of
    one of these with ``int`` or None.

    ``kind``: a dataclass or a named tuple. ``forms``: by type, or by the name of a field: then for its value, and in a
    tuple for every value there.
    """

    def __init__(self, kind: type[R], forms: Mapping[Any, Form] | None = None) -> None:
        self.kind, self.forms = kind, forms or {}

    def write(self, value: R, base: R | None = None) -> str:
        """The text of a record. ``base``: what the reader has too, such as the start of the game: only what differs
        from it is written, and ``=`` stands for an item that is the same there."""
        return self._write(value, "", MISSING if base is None else base)

    def read(self, text: str, base: R | None = None) -> R:
        """The record in a text that ``write`` could have given, with the same ``base``; NotationError naming the field
        that is wrong."""
        if len(text) > LONGEST:
            raise NotationError(SAY("codec.text_characters_more", text=len(text), longest=LONGEST))
        tokens, name = _TOKEN.findall(text), self.kind.__name__.lower()
        reader = _Reader(tokens, self.forms)
        value: R = reader.value(self.kind, "", name, MISSING if base is None else base)
        if reader.at < len(tokens):
            raise NotationError(SAY("codec.stands_after_end", tokens=brief(tokens[reader.at]), name=name))
        return value

    def _write(self, value: Any, field: str, base: Any) -> str:
        kind: Any = type(value)
        form = self.forms.get(kind)
        if value is None:
            return "-"
        if form is None and (shape := _shape(kind)):
            near = type(base) is kind
            parts = []
            for name, (_, default) in shape.items():
                usual, now = getattr(base, name) if near else default, getattr(value, name)
                if now != usual:
                    parts.append(f"{name}={self._write(now, name, usual)}")
            return f"({' '.join(parts)})"
        whole = field in self.forms and self.forms[field].whole
        if form is None and isinstance(value, tuple) and not whole:
            pairs = ((item, _beside(base, n)) for n, item in enumerate(value))
            return f"[{' '.join('=' if item == old else self._write(item, field, old) for item, old in pairs)}]"
        if form := self.forms.get(field) or form:
            text = form.write(value)
            return text if re.fullmatch(_PLAIN, text) else json.dumps(text)
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, Enum):
            value = value.value
        return str(value) if not isinstance(value, str) or _WORD.fullmatch(value) else json.dumps(value)


@lru_cache
def _shape(kind: type[Any]) -> dict[str, tuple[Any, Any]] | None:
    """Fields of a record with type and default (``MISSING`` if it must be given); None for what is no record."""
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return {f.name: (hints[f.name], f.default) for f in fields(kind)}
    if issubclass(kind, tuple) and (names := vars(kind).get("_fields")):
        hints, defaults = get_type_hints(kind), vars(kind)["_field_defaults"]
        return {name: (hints[name], defaults.get(name, MISSING)) for name in names}
    return None


def _beside(base: Any, n: int) -> Any:
    """What item ``n`` of a tuple is compared with: the record at that place of the base, if there is one."""
    item: Any = base[n] if type(base) is tuple and n < len(base) else MISSING
    kind: Any = type(item)
    return item if _shape(kind) else MISSING


class _Reader:
    """Reads values off a list of tokens; ``field`` is a field's name, ``where`` all names on the way to it."""

    def __init__(self, tokens: list[str], forms: Mapping[Any, Form]) -> None:
        self.tokens, self.forms, self.at = tokens, forms, 0

    @property
    def token(self) -> str:
        """The next token, "" at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, where: str, expected: str = "") -> str:
        token = self.token
        if not token or (expected and token != expected):
            found = brief(token) if token else SAY("codec.end")
            raise NotationError(SAY("codec.needs", where=where, wanted=expected or SAY("codec.value"), found=found))
        self.at += 1
        return token

    def value(self, kind: Any, field: str, where: str, base: Any = MISSING) -> Any:
        """The next value, which must be of that type."""
        if isinstance(kind, UnionType):
            kind = self.chosen(get_args(kind))
        whole = field in self.forms and self.forms[field].whole
        if get_origin(kind) is tuple and not whole:
            return self.items(get_args(kind), field, where, base)
        if kind is NoneType:
            return self.take(where, "-") and None
        form = self.forms.get(kind)
        if form is None and isinstance(kind, type) and (shape := _shape(kind)) is not None:
            return self.record(kind, shape, where, base)
        form = self.forms.get(field) or form
        token = self.take(where)
        try:
            return form.read(_text(token)) if form else _plain(kind, token)
        except NotationError:
            raise
        except (ValueError, LookupError):
            raise NotationError(SAY("codec.invalid", where=where, token=brief(token))) from None

    def chosen(self, kinds: tuple[Any, ...]) -> Any:
        """Of the types of a union, the one that the next token is of: None, a number, or the other one there is."""
        if self.token == "-" and NoneType in kinds:
            return NoneType
        others = [kind for kind in kinds if kind not in (NoneType, int)]
        return int if int in kinds and (not others or _NUMBER.fullmatch(self.token)) else others[0]

    def record(self, kind: type, shape: dict[str, tuple[Any, Any]], where: str, base: Any) -> Any:
        self.take(where, "(")
        values: dict[str, Any] = {name: getattr(base, name) for name in shape} if type(base) is kind else {}
        seen = set()
        while self.token != ")":
            name = self.take(where)
            if name not in shape or name in seen:
                known = ", ".join(shape)
                raise NotationError(SAY("codec.field", where=where, name=brief(name), known=known))
            self.take(f"{where}.{name}", "=")
            type_, default = shape[name]
            values[name] = self.value(type_, name, f"{where}.{name}", values.get(name, default))
            seen.add(name)
        self.take(where, ")")
        for name, (_, default) in shape.items():
            if default is MISSING and name not in values:
                raise NotationError(SAY("codec.said", where=where, name=name))
        return kind(**values)

    def items(self, kinds: tuple[Any, ...], field: str, where: str, base: Any) -> tuple[Any, ...]:
        self.take(where, "[")
        found: list[Any] = []
        endless = kinds[-1] is ...
        while self.token != "]":
            n = len(found)
            if not endless and n == len(kinds):
                raise NotationError(SAY("codec.more_values", where=where, kinds=len(kinds)))
            beside = _beside(base, n)
            if self.token == "=" and beside is not MISSING:
                self.at += 1
                found.append(beside)
            else:
                found.append(self.value(kinds[0] if endless else kinds[n], field, where, beside))
        self.take(where, "]")
        if not endless and len(found) < len(kinds):
            raise NotationError(SAY("codec.values_needs", where=where, found=len(found), kinds=len(kinds)))
        return tuple(found)


def _text(token: str) -> str:
    return str(json.loads(token)) if token.startswith('"') else token


def _plain(kind: Any, token: str) -> Any:
    """A text, truth value, whole number or enum; ValueError for any other token."""
    if kind is str:
        if token.startswith('"') or _WORD.fullmatch(token):
            return _text(token)
    elif kind is bool:
        if token in ("true", "false"):
            return token == "true"
    elif kind is int:
        if _NUMBER.fullmatch(token):
            return int(token)
    else:
        return {str(member.value): member for member in kind}[_text(token)]
    raise ValueError(token)


# -- Actions that are written in one form ----------------------------------------------------------

A = TypeVar("A")


@dataclass_transform(frozen_default=True)
def written_as(form: str) -> Callable[[type[A]], type[A]]:
    """A frozen, slotted dataclass whose text is ``form``, filled from its fields.

    >>> @written_as("fly helicopter {number} from {square}")
    ... class Fly:
    ...     number: int
    ...     square: str
    >>> str(Fly(1, "A3"))
    'fly helicopter 1 from A3'
    """
    fill = re.sub(r"{(?=\w)", "{0.", form).format

    def make(kind: type[A]) -> type[A]:
        kind.__str__ = lambda self: fill(self)  # type: ignore[method-assign]
        return dataclass(frozen=True, slots=True)(kind)

    return make
