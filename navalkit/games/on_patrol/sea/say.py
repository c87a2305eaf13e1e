"""The sentences of the log."""

from __future__ import annotations

from ..data import words

SAY = words("log.toml")
