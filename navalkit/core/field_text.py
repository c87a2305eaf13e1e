"""A state as one line of ``field=value``, as most games write theirs."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import fields
from typing import Any

from .echo import brief
from .errors import NotationError


def format_fields(state: Any, show: Callable[[str, Any], str]) -> str:
    """``field=value`` for every field that is not at its default, in their order.

    Parameters
    ----------
    state : dataclass
    show : callable
        Gives a value as text without blanks, from the field's name and the value.
    """
    values = ((f, getattr(state, f.name)) for f in fields(state))
    return " ".join(f"{f.name}={show(f.name, value)}" for f, value in values if value != f.default)


def parse_fields(
    text: str, names: Collection[str], read: Callable[[str, str], Any], first: str = ""
) -> dict[str, Any]:
    """The values of that notation, by name.

    Parameters
    ----------
    text : str
        As `format_fields` gives it.
    names : collection of str
        What may stand there, each once at the most.
    read : callable
        Gives the value from the field's name and the text; it raises ValueError or IndexError if that is not valid.
    first : str
        What the line begins with, if it must, such as "phase=move".

    Raises
    ------
    NotationError
        Naming the field that is wrong.
    """
    values: dict[str, Any] = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if not equals or name not in names or name in values:
            listed = ", ".join(sorted(names))
            raise NotationError(f"{brief(part)} in the state is no field=value, or stands twice; fields: {listed}.")
        try:
            values[name] = read(name, value)
        except (ValueError, IndexError):  # NotationError is a ValueError too
            raise NotationError(f"{name}={brief(value)} in the state is not valid.") from None
    needed = first.partition("=")[0]
    if needed and needed not in values:
        raise NotationError(f"the state has no {needed}; it begins with one, such as {first}.")
    return values
