"""The sentences of say.toml: what the log says of markers, orders, turns and the end."""

from __future__ import annotations

from navalkit.core.datafile import read
from navalkit.core.trace import Sentences

SAY = Sentences(read(__package__, "say.toml")["sentences"])
