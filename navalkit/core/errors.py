"""The errors of navalkit: each carries one clear sentence that says what is wrong, where, and what would be right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class NavalkitError(ValueError):
    """Base of all errors that bad input can cause. It knows the ``key`` and ``facts`` its sentence was said with; a
    sentence that was put together has none ("" and no facts)."""

    @property
    def key(self) -> str:
        return getattr(self.args[0], "key", "") if self.args else ""

    @property
    def facts(self) -> Mapping[str, Any]:
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
    """A data table or scenario file with a wrong or missing entry."""


class OptionError(NavalkitError):
    """An unknown game, player or option, or a value out of range."""


class OutOfTimeError(NavalkitError):
    """Work that was given a budget of time and did not end within it."""
