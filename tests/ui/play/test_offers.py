"""The cards of a new game say what machine captains came to in each scenario, as its file has it."""

from __future__ import annotations

import pytest

import navalkit as nk
from navalkit.core.language.words import Voice, speaking
from navalkit.players.measured import measured
from navalkit.ui.play.new_game import NewGame
from navalkit.view.starts import starts


def cards(name: str) -> dict[str, str]:
    panel = NewGame(nk.load(name), lambda *_: None, lambda: None)
    (spec,) = (spec for spec in nk.load(name).specs if spec.name == "scenario")
    offered = [each.options.get("scenario", spec.default) for each in starts(name)]
    return dict(zip(offered, (card.description for card in panel.cards), strict=True))


@pytest.mark.parametrize("name", ["fleet-action", "on-patrol"])
def test_a_card_tells_the_figures_of_its_scenarios_file(name: str) -> None:
    shown = 0
    for scenario, card in cards(name).items():
        if figures := measured(name, scenario):
            low, high = (f"{100 * end:.0f}" for end in figures.interval)
            assert f" {100 * figures.share:.0f} % of {figures.games} ({low} to {high} %)" in card.splitlines()[-1]
            assert not figures.length or f" {figures.unit}" in card
            shown += 1
        else:
            assert scenario == "build_your_own" and len(card.splitlines()) == 3
    assert shown >= 6


def test_they_are_told_in_german() -> None:
    with speaking(Voice("de")):
        card = cards("fleet-action")["river_plate"]
    assert "gewinnt 48 % von 60 (36 bis 61 %) · 8 bis 9 Züge · Geschütze entscheiden" in card
