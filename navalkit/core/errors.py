"""The errors of navalkit: each carries one clear sentence that says what is wrong, where, and what would be right."""

from __future__ import annotations
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

__all__ = [
    "DataError", "IllegalActionError", "NavalkitError", "NotationError", "OptionError", "OutOfTimeError",
    "PeekError", "PlayerError", "RecordError",
]


class NavalkitError(ValueError):
    """Base of all errors that bad input can cause. It knows the ``key`` and ``facts`` its sentence was said with; a
    sentence that was put together has none ("" and no facts)."""

    status = 400
    """What a server answers with."""

    @property
    def key(self) -> str:
        """Of its sentence ("seed"), for who tells errors apart without reading them; "" if it has none."""
        return getattr(self.args[0], "key", "") if self.args else ""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What fills its sentence, by name."""
        return getattr(self.args[0], "facts", {}) if self.args else {}


class NotationError(NavalkitError):
    """A text that is no action, state or card of the game."""


class IllegalActionError(NavalkitError):
    """An action the rules forbid in this state."""


class PeekError(IllegalActionError):
    """Going back here would take back something already seen; the match must be made an analysis first."""


class RecordError(NavalkitError):
    """A saved game that is malformed, too big, foreign, or does not replay."""


class DataError(NavalkitError):
    """A data table or scenario file with a wrong or missing entry. ``place``: which, as the way there from the whole
    table, such as ("ship", 2, "at"); () where it is not known."""

    def __init__(self, *args: object, place: tuple[str | int, ...] = ()) -> None:
        super().__init__(*args)
        self.place = place


class OptionError(NavalkitError):
    """An unknown game, player or option, or a value out of range."""


class PlayerError(NavalkitError):
    """A machine player of somebody's own that failed; its own error is the cause."""


class OutOfTimeError(NavalkitError):
    """Work that was given a budget of time and did not end within it."""


# -- What somebody put in, as an error sentence repeats it -----------------------------------------

LONGEST_ECHO = 160
"""Characters of somebody's input that an error sentence repeats at the most."""


def cut(text: str) -> str:
    """``text``, or its beginning with an ellipsis if it is longer than `LONGEST_ECHO`."""
    return text if len(text) <= LONGEST_ECHO else text[: LONGEST_ECHO - 1] + "…"


def near(name: object, names: Iterable[str], most: int = 8) -> str:
    """Names to choose from, as a sentence lists them: all if they are few, else those that begin with ``name`` or come
    near it, else the first of them.

    >>> near("titel", ["blurb", "title", "sides"], 2), near("?", ["blurb", "title", "sides"], 2)
    ('title', 'blurb, title ...')
    >>> near("16in", ["16in/45", "16in/50", "6in/47"], 2)
    '16in/45, 16in/50, 6in/47'
    """
    known = list(names)
    if len(known) <= most:
        return ", ".join(known)
    folded = {each.casefold(): each for each in known}
    asked = str(name)[:LONGEST_ECHO].strip().casefold()
    begun = [known_as for each, known_as in folded.items() if len(asked) > 1 and each.startswith(asked)]
    close = list(dict.fromkeys([*begun[:most], *(folded[each] for each in get_close_matches(asked, folded, 3))]))
    return ", ".join(close) if close or not most else ", ".join(known[:most]) + " ..."


def brief(value: Any) -> str:
    """``value`` as an error sentence shows it: at most `LONGEST_ECHO` characters, whatever a hostile file holds.

    >>> brief("a" * 1000) == repr("a" * 60 + "…")
    True
    """
    if isinstance(value, str):
        return cut(repr(value if len(value) <= 60 else value[:60] + "…"))
    if isinstance(value, int) and value.bit_length() > 128:
        return f"{value >> (value.bit_length() - 64):#x}…"  # one too long to be written out at all, if need be
    for kind, sign in ((list, "[…]"), (dict, "{…}")):
        if isinstance(value, kind):
            return sign
    try:
        return cut(str(value) if isinstance(value, Fraction) else repr(value))
    except ValueError:  # a huge number inside
        return f"{type(value).__name__}(…)"
