"""No English is left on a German page: played, stepped through and asked, as a reader sees it.

`test_left` finds sentences that a language lacks; here whole pages are read, so that names, titles and labels that are
English in the data are found too. What a page says is looked through for words that no German sentence has.
"""

from __future__ import annotations
from pathlib import Path

import pytest

from navalkit.core.match import Store
from navalkit.core.registry import load, names
from navalkit.core.words import ENGLISH, Voice, speaking
from navalkit.explore import QUESTIONS
from navalkit.view.page import page_of
from navalkit.walks.walk import walk_of
from ..english import english, played, refused, stepped, unexplored

GAMES = tuple(name for name in names() if "de" in page_of(name).languages)


def test_every_game_speaks_german() -> None:
    assert set(GAMES) == set(names())


@pytest.mark.parametrize("name", GAMES)
def test_a_page_is_german_from_the_first_board_to_a_new_game(name: str, tmp_path: Path) -> None:
    assert played(name, "de", Store(tmp_path), 14) == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_stepped_through_in_german(name: str) -> None:
    assert stepped(name, "de", 5) == set()


@pytest.mark.parametrize("number", range(len(GAMES)), ids=GAMES)
def test_what_a_page_refuses_it_refuses_in_german(number: int, tmp_path: Path) -> None:
    """Bad links, files that are no saved game, orders that are none or late, options that do not exist."""
    told = refused(GAMES[number], GAMES[number - 1], "de", Store(tmp_path))
    assert set(english(told)) == set()


def test_the_explorer_refuses_bad_links_in_german() -> None:
    assert set(english(unexplored("de"))) == set()


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_are_the_same_rules(name: str) -> None:
    game = load(name)
    plain = game.rules()
    with speaking(Voice("de")):
        german = game.rules()
    assert list(german) == list(plain)
    for id, rule in german.items():
        assert rule.text != plain[id].text and rule.source == plain[id].source, id
        assert bool(rule.ruling) == bool(plain[id].ruling), id


def test_what_the_explorer_asks_is_german() -> None:
    left = set()
    with speaking(Voice("de")):
        for question in QUESTIONS.values():
            assert "de" in question.words.languages, question.id
            said = [question.title, *(control.label for control in question.controls)]
            said += [control.shown(value) for control in question.controls for value in list(control.values())[:60]]
            left |= set(english(map(str, said)))
    assert left == set()


@pytest.mark.parametrize("name", GAMES)
def test_all_that_a_walk_and_a_page_say_is_there(name: str) -> None:
    for words in filter(None, (walk_of(load(name)).words,)):
        assert words.tables["de"].keys() == words.tables[ENGLISH].keys()
