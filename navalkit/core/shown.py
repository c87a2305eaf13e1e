"""Values that show themselves: on one line at a prompt, in full by ``print``, as HTML in a notebook.

What draws stands above the core: `navalkit` itself names it (`drawn_by`), so that nothing here looks upwards.

All HTML of the house is made by `html` and `many`: a form that stands in the code, and values that are escaped unless
they are `Markup`, which is HTML already.
"""

from __future__ import annotations
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import fields
from enum import Enum
from typing import Any, LiteralString

from markupsafe import Markup as Markup, escape

_WIDTH = 100
"""Characters of a value's line."""
_FEW = 8
"""Values of a row that are shown themselves, not counted."""

_NUMBERS = int, float  # which a form may round

_drawn: dict[str, Callable[..., Any]] = {}


def drawn_by(**forms: Callable[..., Any]) -> None:
    """From now on `Shown` values are drawn by these: ``html`` for a notebook, ``text`` for ``print``, ``show`` as a
    page in a cell."""
    _drawn.update(forms)


def drawn(form: str, value: Any, *more: Any) -> Any:
    """A value as the function that draws that form shows it."""
    return _drawn[form](value, *more)


class Shown:
    """A value that a notebook shows as a picture or a list."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(_drawn["html"](self))


class Printed(Shown):
    """A value that ``print`` shows in full too."""

    __slots__ = ()

    def __str__(self) -> str:
        return str(_drawn["text"](self))


class OneLine(Shown):
    """A frozen dataclass whose ``repr`` is one useful line: fields that differ from their defaults, long rows counted.
    A notebook shows a table of the same.
    Give it to a class made with ``@dataclass(repr=False)``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return line(type(self).__name__, _told(self))


def told(value: OneLine) -> list[tuple[str, str]]:
    """The fields of such a value that differ from their defaults, each with its value on one line."""
    return [(name, _short(found)) for name, found in _told(value).items()]


def line(name: str, told: Mapping[str, Any]) -> str:
    """A value on one line, "<State turn=3 ships=8>": its name, and what is worth saying of it."""
    said = f"<{name}"
    for key, value in told.items():
        more = f" {key}={_short(value)}"
        if len(said) + len(more) > _WIDTH - 3:
            return f"{said} …>"
        said += more
    return f"{said}>"


def _told(value: Any) -> dict[str, Any]:
    return {f.name: found for f in fields(value) if f.repr and (found := getattr(value, f.name)) != f.default}


def _short(value: Any) -> str:
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, tuple | list | Set | Mapping):
        plain = not isinstance(value, Mapping) and all(isinstance(each, int | float | str) for each in value)
        return repr(value) if plain and len(value) <= _FEW else f"[{len(value)}]"
    if hasattr(value, "__dataclass_fields__"):
        return str(value) if "__str__" in vars(type(value)) else type(value).__name__
    return repr(value)


def html(form: LiteralString, *values: object) -> Markup:
    """HTML: a form, as in "<p class=nk-note>{}</p>", with the values in its places, escaped unless they are `Markup`.
    A form around nothing is nothing: "" if it has values and all of them are empty."""
    return _filled(form, values) if not values or values.count("") < len(values) else Markup()


def many(form: LiteralString, rows: Iterable[object]) -> Markup:
    """The form filled with every row, a value or a tuple of them, as `html` does it; an empty row is kept."""
    return Markup("".join(_filled(form, row if isinstance(row, tuple) else (row,)) for row in rows))


def _filled(form: str, values: Iterable[object]) -> Markup:
    return Markup(form.format(*[value if isinstance(value, _NUMBERS) else escape(value) for value in values]))


def paragraph(said: str) -> Markup:
    """A paragraph of HTML; "" for nothing said."""
    return html("<p>{}</p>", said)


def listing(kind: str, items: Iterable[str]) -> Markup:
    """A list, "ul" or "ol"; "" for no items."""
    return html("<ol>{}</ol>" if kind == "ol" else "<ul>{}</ul>", many("<li>{}</li>", items))
