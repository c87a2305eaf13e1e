"""The game's own players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .skipper import Skipper

BOTS: Mapping[str, Callable[..., Any]] = {"skipper": Skipper}
"""Name -> maker(game, **options)."""
