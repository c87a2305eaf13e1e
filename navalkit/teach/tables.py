"""The sentences of checks and reports, from data.toml."""

from __future__ import annotations

from navalkit.core.datafile import read
from navalkit.core.trace import Sentences

SAY = Sentences(read(__package__)["sentences"])
