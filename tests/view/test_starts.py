"""The cards of a new game: each is a game that can be begun, and every scenario has one."""

from __future__ import annotations

import pytest

from navalkit.core.registry import load, names, package
from navalkit.core.words import Voice, speaking
from navalkit.view import lobby as reading
from navalkit.view.lobby import starts

GAMES = [name for name in names() if package(name).module.startswith("navalkit.games.")]


@pytest.mark.parametrize("name", GAMES)
def test_every_card_is_a_game_and_says_what_it_is(name: str) -> None:
    offered = starts(name)
    assert len(offered) >= 3 and len({each.title for each in offered}) == len(offered)
    for each in offered:
        load(name, **each.options).initial()
        assert 1 <= each.difficulty <= 5 and 1 <= each.minutes <= 60
        assert each.about.endswith((".", "?")) and len(each.about) <= 120 and len(each.forces) <= 50


@pytest.mark.parametrize("name", ["fleet-action", "on-patrol"])
def test_every_scenario_has_a_card(name: str) -> None:
    game = load(name)
    (spec,) = (spec for spec in game.specs if spec.name == "scenario")
    assert {each.options.get("scenario", spec.default) for each in starts(name)} == set(spec.choices)


def test_lox_speaks_german() -> None:
    with speaking(Voice("de")):
        assert starts("uss-lox")[0].said("title") == "Eine Feindfahrt"
    assert starts("uss-lox")[0].said("title") == "A patrol"


def test_a_line_of_any_language_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"title": "A patrol", "about": "Sail.", "forces": "1 boat", "difficulty": 1, "minutes": 5, "suits": "all"}
    monkeypatch.setattr(reading, "read", lambda module, file: {"start": [row | {"fr": {"title": "Une patrouille"}}]})
    (one,) = reading._load_starts.__wrapped__("navalkit.games.uss_lox")
    with speaking(Voice("fr")):
        assert (one.said("title"), one.said("about")) == ("Une patrouille", "Sail.")
    monkeypatch.setattr(reading, "read", lambda module, file: {"start": [row | {"minuts": 5}]})
    with pytest.raises(TypeError):
        reading._load_starts.__wrapped__("navalkit.games.uss_lox")
