"""What somebody put in, as an error sentence repeats it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

LONGEST_ECHO = 160
"""Characters of somebody's input that an error sentence repeats at the most."""


def cut(text: str) -> str:
    """``text``, or its beginning with an ellipsis if it is longer than `LONGEST_ECHO`."""
    return text if len(text) <= LONGEST_ECHO else text[: LONGEST_ECHO - 1] + "…"


def brief(value: Any) -> str:
    """``value`` as an error sentence shows it: at most `LONGEST_ECHO` characters, whatever a hostile file holds.

    >>> brief("a" * 1000) == repr("a" * 60 + "…")
    True
    """
    if isinstance(value, str):
        return cut(repr(value if len(value) <= 60 else value[:60] + "…"))
    if isinstance(value, int) and value.bit_length() > 128:
        return f"{value >> (value.bit_length() - 64):#x}…"  # one too long to be written out at all, if need be
    for kind, name in ((list, "a list"), (dict, "a table")):
        if isinstance(value, kind):
            return name
    try:
        return cut(str(value) if isinstance(value, Fraction) else repr(value))
    except ValueError:  # a huge number inside
        return f"a {type(value).__name__}"
