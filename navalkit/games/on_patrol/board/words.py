"""The sentences of the board."""

from __future__ import annotations

from ..data import words

SAY = words("page.toml")
