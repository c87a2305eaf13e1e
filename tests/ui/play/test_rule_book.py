"""The rules on a page: how to win first, a picture a section, a search, and sources behind a switch."""

from __future__ import annotations
import re

import pytest

from navalkit.core.registry import names, package
from navalkit.core.words import Voice, speaking
from navalkit.testing import heard, said
from navalkit.ui.play.app import GameApp
from navalkit.ui.play.controls import book, how_to_win
from ...sentences import UI

GAMES = [name for name in names() if package(name).module.startswith("navalkit.games.")]


@pytest.mark.parametrize("name", GAMES)
def test_every_section_has_its_picture_and_no_rule_is_lost(name: str) -> None:
    rules = package(name).game().rules()
    told = book(rules)
    sections = list(dict.fromkeys(rule.section for rule in rules.values()))
    assert len(sections) > 1 and all(sections)
    assert re.findall(r"<h3><svg.*?</svg>\s*([^<]+)</h3>", told, re.DOTALL) == sections
    assert told.count("<dt>") == len(rules)


def test_a_search_leaves_the_rules_with_all_its_words_and_sources_are_behind_a_switch() -> None:
    rules = GameApp("uss-lox").rules
    source = f"[{UI('rule.source')} 4b; "
    assert source not in rules.text.value and "<dt>L3b</dt>" in rules.text.value
    rules.search.value = "escort escape"
    assert "<dt>L4c</dt>" in rules.text.value and "<dt>L0</dt>" not in rules.text.value
    rules.search.value = "kraken"
    said(rules.text.value, UI, "rules.none")
    rules.search.value = ""
    rules.sources.value = True
    assert source in rules.text.value


def test_a_primer_shows_what_scores_at_cribbage() -> None:
    told = how_to_win("uss-lox")
    said(told, UI, "first.primer")
    assert told.count("<svg") == 1 + 5
    with speaking(Voice("de")):
        assert "Eine Fünfzehn" in how_to_win("uss-lox")
    assert not heard(how_to_win("wolf-pack"), UI, "first.primer")


def test_no_rule_of_on_patrol_has_the_name_of_a_boat_or_a_ship() -> None:
    assert not [id for id in package("on-patrol").game().rules() if re.fullmatch(r"[SEM]\d+", id)]


def test_the_link_to_the_first_game_keeps_the_language() -> None:
    assert 'href="?first=1"' in how_to_win("uss-lox")
    with speaking(Voice("de")):
        assert 'href="?first=1&amp;lang=de"' in how_to_win("uss-lox")
