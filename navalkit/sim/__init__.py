"""Many games at once, as tidy rows."""

from __future__ import annotations

from .arena import play
from .table import Estimate, columns, joined, summary, write_csv

__all__ = ["Estimate", "columns", "joined", "play", "summary", "write_csv"]
