"""The sentences of the log, and those that refuse something."""

from __future__ import annotations

from ..data import words

SAY = words("log.toml")
WHY = words("refusals.toml")
