"""No English is left on a German page: a sentence that another language lacks is said in English, and is found here.

Nothing here names a language or a game: whatever a game's page says it speaks is tried.
"""

from __future__ import annotations
import re
from collections.abc import Callable
from string import Formatter

import numpy as np
import pytest

from navalkit.core.registry import load, names, package
from navalkit.core.words import ENGLISH, Voice, Words, speaking
from navalkit.ui.play.begin import NewGame
from navalkit.ui.play.controller import Controller
from navalkit.view import lobby
from navalkit.view.page import page_of
from .test_sheets import NAMED

SPOKEN = [(name, lang) for name in names() for lang in page_of(name).languages if lang != ENGLISH]
TERMINAL = {
    "cli": "", "balance": "", "reviews": "", "calibration": "",
    "wolf": "calibrate.kept_head",
    "teach": r"(help|class|copy|cut|check|print|feedback|book|exercise|formula|picture|shown|hunt)\..*",
    "clickers": "typed",
}
"""What stays in English, whole files or some keys of them: what no page says. RULINGS.md has the reasons."""
SPOKEN_FILES = {name: words for name, words in NAMED.items() if TERMINAL.get(name) != ""}


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The keys of sentences that were said in English to a reader of another language."""
    found: set[str] = set()
    find: Callable[[Words, str, str], str | None] = Words._find

    def watched(self: Words, key: str, lang: str) -> str | None:
        said = find(self, key, lang)
        if lang != ENGLISH and said is not None and key not in self.tables.get(lang, {}):
            found.add(key)
        return said

    monkeypatch.setattr(Words, "_find", watched)
    return found


@pytest.mark.parametrize("what", SPOKEN_FILES)
def test_what_pages_say_is_said_in_all_languages(what: str) -> None:
    words, english = SPOKEN_FILES[what], re.compile(TERMINAL.get(what, "(?!)"))
    own = words.origin is not None and words.origin[0].startswith("navalkit.games")  # may use facts English does not
    assert set(words.languages) >= {lang for _, lang in SPOKEN}
    for lang in words.languages:
        left = words.tables[ENGLISH].keys() - words.tables[lang].keys()
        assert not [key for key in left if not english.fullmatch(key)], lang
        for key, sentence in words.tables[lang].items() if not own else ():
            fields, known = ({name for _, name, _, _ in Formatter().parse(each) if name}
                             for each in (sentence, words.tables[ENGLISH][key]))
            assert fields <= known, f"{lang} {key}"


@pytest.mark.parametrize(("name", "lang"), SPOKEN)
def test_a_game_is_played_in_a_language_without_a_word_of_english(name: str, lang: str, left: set[str]) -> None:
    control, rng = Controller(name), np.random.default_rng(4)
    control.lang = lang
    with speaking(control.voice):
        control.new(seed=4, seats=("",) * len(control.deciders))
        for _ in range(60):
            if control.match.over:
                break
            control.covered = False
            scene, page, glance = control.scene(), control.page, control.glance()
            told = [scene.desc, page.now(glance), page.guide(glance), control.happened(), control.headline()]
            told += [f"{order.label} {order.help}" for order in control.orders()]
            told += [cell.alt for cell in scene.cells]
            assert all(isinstance(each, str) for each in told)
            control.give(control.legal[rng.integers(len(control.legal))])
    assert not left


@pytest.mark.parametrize(("name", "lang"), SPOKEN)
def test_hints_and_what_was_weighed_are_in_that_language_too(name: str, lang: str, left: set[str]) -> None:
    control = Controller(name, adviser=page_of(name).seats[-1] if page_of(name).seats else "")
    control.lang = lang
    with speaking(control.voice):
        control.new(seed=9)
        for _ in range(4):
            if not control.legal:
                break
            control.advise()
            assert control.hint is not None
            hint = control.hint
            assert all(str(line) for line, _ in hint.weighed())
            assert all(str(each.question) and str(each.verdict) for each in hint.findings)
            control.give(hint.action)
    assert not left


@pytest.mark.parametrize(("name", "lang"), SPOKEN)
def test_what_a_new_game_offers_is_in_that_language(name: str, lang: str) -> None:
    game, offered = load(name), lobby.starts(name)
    with speaking(Voice(ENGLISH)):
        english = [spec.told("label") for spec in game.specs]
        panel = NewGame(game, lambda *_: None, lambda: None)
        before = list(panel.cards.rows)
    with speaking(Voice(lang)):
        own = [spec.told("label") for spec in game.specs]
        panel.relabel()
    assert not [one for one, other in zip(english, own, strict=True) if one == other and one not in SAME]
    assert all(set(start.tongues[lang]) >= {"title", "about", "forces", "suits"} for start in offered)
    assert all(lang in captain.tongues for captain in package(name).offered("CAPTAINS", ()))
    assert all(one[1] != other[1] for one, other in zip(before, panel.cards.rows, strict=True))
    if lobby.has_tutorial(name):
        first = lobby.tutorial(name)
        assert lang in first.win and all(lang in step.say for step in first.steps)


SAME = {"His nob"}
"""Labels that may be the same in two languages."""
