"""The board and the page of Fleet Action as data: nothing else of the game draws. Here, the sentences of all of it."""

from __future__ import annotations

from navalkit.core.datafile import read
from navalkit.core.trace import Sentences

SAY = Sentences(read("navalkit.games.fleet_action", "data/page.toml")["sentences"])
