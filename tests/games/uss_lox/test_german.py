"""USS Lox in German: every sentence is there, fits its place, and the page speaks it."""

from __future__ import annotations
import itertools
import re
from string import Formatter

import pytest

from navalkit.core.match import Match, Store
from navalkit.core.registry import load
from navalkit.core.words import Voice, Words, speaking
from navalkit.explore.question import SAY as EXPLORER
from navalkit.games.uss_lox import cards, cribbage
from navalkit.games.uss_lox.bots import CAPTAINS, Optimal
from navalkit.games.uss_lox.cards import SAY
from navalkit.games.uss_lox.page import PAGE
from navalkit.games.uss_lox.questions import SAY as ASKED
from navalkit.players.captains import Captain
from navalkit.testing import said
from navalkit.ui import SAY as PAGES
from navalkit.ui.play.app import GameApp
from navalkit.view.page import Glance, Look
from ...boxes import box, outside
from ...english import ENGLISH, english, texts
from ...patrols import SEED, WON
from ...sentences import LOX, UI
from ...ui.pages import words
from .test_scene import LAYOUTS, TABLES, played, table, visible_texts

GERMAN = Voice("de", 0)
SAME = {
    "card", "list", "choice", "joker", "odds.gain.label", "report.tons", "compare.again", "yard.flasher", "yard.tang",
    "table.torpedo", "table.pile", "table.tons", "table.joker", "captain.unit.tons", "captain.tons", "option.nob",
    "scores.short.nob", "tonnage.all", "film.reason",
}  # fmt: skip
"""Sentences that are the same in both languages."""


@pytest.mark.parametrize("say", [SAY, PAGES, ASKED, EXPLORER], ids=["game", "pages", "questions", "explorer"])
def test_every_sentence_has_its_german(say: Words) -> None:
    english, german = say.tables["en"], say.tables["de"]
    assert english.keys() == german.keys()
    for key, sentence in german.items():
        both = sentence, english[key]
        fields, known = ({name for _, name, _, _ in Formatter().parse(text) if name} for text in both)
        assert fields <= known | {"count", "word"}, key


def test_no_sentence_of_the_game_was_left_in_english() -> None:
    english, german = SAY.tables["en"], SAY.tables["de"]
    assert {key for key in english if english[key] == german[key]} <= SAME


def test_the_rules_are_the_same_rules() -> None:
    game = load("uss-lox")
    english = game.rules()
    with speaking(GERMAN):
        german = game.rules()
    assert list(english) == list(german)
    for id, rule in german.items():
        assert rule.text != english[id].text and rule.source == english[id].source
        assert bool(rule.ruling) == bool(english[id].ruling)
    # The figures of a rule are those of the English one.
    for id, rule in german.items():
        assert re.findall(r"\d+", rule.text.replace(".", "")) == re.findall(r"\d+", english[id].text.replace(",", ""))


def test_cards_odds_and_numbers_are_german() -> None:
    def told() -> list[str]:
        """What is said here, which must be what it says in the present language."""
        names = [cards.name(cards.parse("8D")), cards.name(52)]
        assert names == [LOX("card", rank=LOX("rank.7"), suit=LOX("suit.1")), LOX("joker.52")]
        fifteen = str(cribbage.hits("8D", ["7C"])[0])
        two = LOX("scores.and", some="7♣", last="8♦")
        assert fifteen == LOX("scores.fifteen", cards=two, points=2) + "."
        fire = next(order for order in PAGE.orders(at("ship")) if str(order.action) == "attack 2")
        assert fire.label == LOX("order.fire", n=2)
        said(fire.help, LOX, "order.fire.target")
        return [*names, fifteen, fire.label, fire.help]

    with speaking(GERMAN):
        german = told()
    assert all(one != other for one, other in zip(german, told(), strict=True))


def at(name: str) -> Glance:
    game, state = played(name)
    return Glance(game, state, 0, game.legal(state))


def test_a_log_kept_in_one_language_is_read_in_the_other() -> None:
    match = Match.new("uss-lox", seed=SEED)
    for order in WON:
        match.play(order)
    english = [event.text for event in match.log]
    with speaking(GERMAN):
        german = [event.text for event in match.log]
        report = PAGE.report(match.game, match, ())
    assert all(event.text == one for event, one in zip(match.log, english, strict=True))
    named = [event.kind in ("sighted", "escort") for event in match.log]
    assert all(one != other for one, other, ship in zip(english, german, named, strict=True) if ship) and any(named)
    with speaking(GERMAN):
        assert report is not None and report.title == LOX("report.title")


def test_reasons_and_refusals_are_german() -> None:
    game, state = played("ship")
    with speaking(GERMAN):
        decision = Optimal(game).decide(state, game.legal(state), None)
        german = [str(decision.reason), decision.explain()]
        reason = game.why_not(state, game.parse_action("escape"))
        assert reason == LOX("not.now.target", action="escape")
    said(decision, LOX, "captain.expects.next")
    assert german[0] != str(decision.reason) and german[1] != decision.explain()
    assert reason != game.why_not(state, game.parse_action("escape"))


@LAYOUTS
def test_german_texts_fit_the_table(look: Look) -> None:
    for name in TABLES:
        with speaking(GERMAN):
            shown = table(*played(name), look)
        assert outside(shown.shapes(), (0, 0, shown.width, shown.height)) == [], name
        for one, other in itertools.combinations(visible_texts(shown), 2):
            (a0, b0, a1, b1), (c0, d0, c1, d1) = box(one), box(other)
            assert a1 <= c0 or c1 <= a0 or b1 <= d0 or d1 <= b0, (one.text, other.text)


def test_the_page_is_german_by_link_and_by_switch(tmp_path) -> None:  # type: ignore[no-untyped-def]
    app = GameApp("uss-lox", Store(tmp_path))
    app.speak("de")
    app.control.new(SEED)
    app.control.order("flip A1")
    with speaking(GERMAN):
        back, fire, rules = UI("undo"), [LOX("order.fire", n=n) for n in (1, 2)], app.control.game.rules()
    assert app.undo.description == back and back != UI("undo")
    assert [row[0] for row in app.orders.rows][:2] == fire
    assert "[" not in app.charts[0].widget.value and words(rules["L1"].text) in words(app.rules.text.value)
    german = app.status.value
    said(german, LOX, "now.target")
    app.lang_switch.click()
    assert app.control.lang == "en" and app.undo.description == UI("undo") and app.status.value != german
    said(app.status.value, LOX, "now.target")
    app.lang_switch.click()
    assert app.control.lang == "de" and words(app.status.value) == words(german)


@pytest.mark.parametrize("captain", CAPTAINS, ids=lambda captain: captain.name)
def test_a_captain_is_told_of_in_german(captain: Captain) -> None:
    assert captain.told == captain.temperament and captain.called == captain.title
    with speaking(GERMAN):
        assert captain.told.endswith(".") and captain.told != captain.temperament
        assert captain.called.endswith(captain.title.split()[-1]) and captain.called != captain.title
        assert not ENGLISH.intersection(captain.told.lower().split())


def test_no_english_is_left_on_the_page_from_the_first_order_to_the_last(tmp_path) -> None:  # type: ignore[no-untyped-def]
    app = GameApp("uss-lox", Store(tmp_path))
    app.speak("de")
    left: set[str] = set()
    assert not any("nk-key-invite" in each._dom_classes for each in app.handouts.buttons)  # that is for two players
    for order in ("", *WON, "new"):
        with speaking(GERMAN):
            if order == "new":
                assert app.control.match.over
                app.new_game.offer(app.control.game.options, app.control.seats)
            else:
                app.control.order(order) if order else app.control.new(SEED)
        left |= set(english(texts(app.widget)))
    assert left == set()
