"""The board and the page of Fleet Action as data: nothing else of the game draws. Here, the sentences of all of it."""

from __future__ import annotations

from navalkit.core.words import Words
from ..cards import HOME

SAY = Words.load(HOME, "data/page.toml")
