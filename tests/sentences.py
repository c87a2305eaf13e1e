"""All files of sentences, by the names that tests ask for them with; what they look like; and pages without words."""

from __future__ import annotations
import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from navalkit.core.words import FORMAT, Voice, Words, parts, speaking, voice

CORE = Words.load("navalkit.core")
LOBBY = Words.load("navalkit.view", "lobby.toml")
EXPLORE = Words.load("navalkit.explore")
BALANCE = Words.load("navalkit.sim", "balance.toml")
REVIEWS = Words.load("navalkit.sim", "reviews.toml")
CALIBRATION = Words.load("navalkit.sim", "calibration.toml")
TEACH = Words.load("navalkit.teach")
CLICKERS = Words.load("navalkit.teach", "clickers.toml")
CLI = Words.load("navalkit.cli")
CLASSES = Words.load("navalkit.rooms")
SERVE = Words.load("navalkit.serve")
SERVE_PHONE = Words.load("navalkit.serve", "phone.toml")
UI = Words.load("navalkit.ui")
UI_EDIT = Words.load("navalkit.ui.edit")
UI_ROOMS = Words.load("navalkit.ui.rooms")
UI_STEP = Words.load("navalkit.ui.step")
WALKS = Words.load("navalkit.walks")
FLEET = Words.load("navalkit.games.fleet_action", "data/words.toml")
FLEET_PAGE = Words.load("navalkit.games.fleet_action", "data/page.toml")
FLEET_BOTS = Words.load("navalkit.games.fleet_action", "data/bots_words.toml")
FLEET_ASK = Words.load("navalkit.games.fleet_action", "questions.toml")
FLEET_WALK = Words.load("navalkit.games.fleet_action", "data/walk.toml")
PATROL = Words.load("navalkit.games.on_patrol.data", "log.toml")
PATROL_WHY = Words.load("navalkit.games.on_patrol.data", "refusals.toml")
PATROL_PAGE = Words.load("navalkit.games.on_patrol.data", "page.toml")
PATROL_RUNS = Words.load("navalkit.games.on_patrol.data", "runs.toml")
PATROL_ASK = Words.load("navalkit.games.on_patrol", "questions.toml")
PATROL_ESCORT = Words.load("navalkit.games.on_patrol.data", "escort.toml")
PATROL_EXPLAIN = Words.load("navalkit.games.on_patrol.data", "explain.toml")
PATROL_SKIPPER = Words.load("navalkit.games.on_patrol.data", "skipper.toml")
PATROL_WALK = Words.load("navalkit.games.on_patrol.data", "walk.toml")
TASK = Words.load("navalkit.games.task_force", "data/words.toml")
TASK_ASK = Words.load("navalkit.games.task_force", "questions.toml")
TASK_WALK = Words.load("navalkit.games.task_force", "data/walk.toml")
LOX = Words.load("navalkit.games.uss_lox", "data/words.toml")
LOX_ASK = Words.load("navalkit.games.uss_lox", "questions.toml")
LOX_WALK = Words.load("navalkit.games.uss_lox", "data/walk.toml")
WOLF = Words.load("navalkit.games.wolf_pack", "data/words.toml")
WOLF_ASK = Words.load("navalkit.games.wolf_pack", "questions.toml")
WOLF_WALK = Words.load("navalkit.games.wolf_pack", "data/walk.toml")


def like(words: Words, key: str, /, **facts: Any) -> re.Pattern[str]:
    """What a browser may look for: the sentence as the present reader has it; a fact that is not given is anything."""
    pattern = ""
    for text, name, spec, _ in parts(words._find(key, voice().lang) or ""):
        value = FORMAT.format_field(facts[name], spec) if name in facts else r"[\s\S]*?" if name else ""
        plain = re.sub(r"<[^>]*>", "", html.unescape(text))
        pattern += re.escape(plain) + (value if name and name not in facts else re.escape(value))
    return re.compile(re.sub(r"(\\\s)+", r"\\s+", pattern))


@contextmanager
def wordless() -> Iterator[None]:
    """Within it every sentence is its facts alone: a picture kept of what is said then changes with no wording."""
    find, facts = Words._find, "facts"  # as a language of its own, for sentences that were said are kept by language

    def bare(words: Words, key: str, lang: str) -> str | None:
        sentence = find(words, key, lang)
        if lang != facts or sentence is None:
            return sentence
        fields = sorted(set(re.findall(r"\{[^{}]*\}", sentence)))
        return " ".join(["~", *(re.sub(r":[^{}]*\|[^{}]*", "", field) for field in fields)])  # no nouns

    with pytest.MonkeyPatch.context() as patch, speaking(Voice(facts)):
        patch.setattr(Words, "_find", bare)
        yield
