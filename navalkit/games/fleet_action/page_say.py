"""The sentences of the page."""

from __future__ import annotations

from navalkit.core.datafile import read
from navalkit.core.trace import Sentences

SAY = Sentences(read(__package__, "page.toml")["sentences"])
