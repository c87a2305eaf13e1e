"""The lobby names no game: it shows those there are."""

from __future__ import annotations
import html
import sys
from pathlib import Path
from types import ModuleType

import pytest

from navalkit.core import registry
from navalkit.games.uss_lox.game import UssLox
from navalkit.view import lobby
from ..sentences import LOBBY

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


class Another(UssLox):
    name = "another-game"
    title = "Ships & more"
    blurb = "Sail <away>."


def test_every_game_has_a_card_with_picture_and_line_and_a_page_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    cards = list(lobby.games(NOTEBOOKS))
    assert {card.title for card in cards} == {registry.package(name).game.title for name in registry.names()}
    assert all(card.line and card.picture.startswith("<svg") for card in cards)
    assert all((NOTEBOOKS / card.address).is_file() for card in (*cards, *lobby.tools()))


def test_every_game_can_be_stepped_through_from_its_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    for card in lobby.games(NOTEBOOKS):
        page = registry.package(card.game).stepper
        assert (lobby.SAY("step"), page) in card.ways and (NOTEBOOKS / page.partition("?")[0]).is_file()


def test_a_game_of_another_package_has_a_card_too(monkeypatch: pytest.MonkeyPatch) -> None:
    package = ModuleType("another_package")
    package.GAME = Another  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "another_package", package)
    monkeypatch.setattr(registry, "_registered", {})
    registry.register(package)
    shown = lobby.page(NOTEBOOKS)
    assert '<a href="play.ipynb?game=another-game">Ships &amp; more</a>' in shown
    assert "<p>Sail &lt;away&gt;.</p>" in shown  # a line is text, whatever it holds


def test_a_card_says_how_hard_and_long_a_game_is_for_how_many_and_where_to_start() -> None:
    shown = lobby.page(NOTEBOOKS)
    here = LOBBY("here")
    assert shown.count(here) == 1 and shown.index(here) < shown.index("<h3>")
    cards = {card.game: card.facts for card in lobby.games(NOTEBOOKS)}
    assert cards["uss-lox"] == LOBBY("facts", levels="●●○○○", minutes=5, players=LOBBY("one"))
    assert cards["wolf-pack"] == LOBBY("facts", levels="●○○○○", minutes=4, players=LOBBY("two"))
    assert shown.count("?day=today") == len(cards) == html.unescape(shown).count(f">{LOBBY('today')}</a>")
    assert f'data-game="on-patrol" data-continue="{LOBBY("continue")}"' in html.unescape(shown)
