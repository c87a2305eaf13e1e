"""Numbers in German sentences: decimal commas, and points between thousands."""

from __future__ import annotations
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from navalkit.core.game import TERMINAL
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.core.trace import Decision
from navalkit.core.words import Voice, from_percent, percent, speaking
from navalkit.explore.ask import amount
from navalkit.explore.picture import number, tick
from navalkit.players import player
from navalkit.view.page import page_of

ENGLISH = re.compile(r"(?<![\d.,:])\d+\.(?!\d{3}(?!\d))\d+|\d,\d{3}(?!\d)")
"""A decimal point, or a comma between thousands."""
GAMES: dict[str, dict[str, Any]] = {
    "fleet-action": {"scenario": "night_convoy"}, "on-patrol": {}, "task-force": {}, "uss-lox": {}, "wolf-pack": {},
}
DECISIONS = 60


def told(decision: Decision) -> Iterator[str]:
    """All that a decision says in words and figures."""
    yield str(decision.reason)
    for finding in decision.findings:
        yield from (str(finding.question), str(finding.verdict))
        yield from (f"{fact.name}: {fact.value}" for fact in finding.facts if isinstance(fact.value, str))
    for option in decision.options:
        yield str(option.rejected)
        yield from (f"{fact.name}: {fact.value}" for fact in option.facts if isinstance(fact.value, str))
        yield from (mark.label for fact in option.facts for mark in fact.marks)
    yield re.sub(r"\[[\d.]+\]", "", decision.explain())  # without the numbers of rules


@pytest.mark.parametrize("name", GAMES)
def test_what_captains_say_in_german_has_decimal_commas(name: str) -> None:
    game, found = load(name, **GAMES[name]), []
    with speaking(Voice("de")):
        who = player(page_of(name).adviser, game)
        match, n, rng = Match.new(game, 3), 0, np.random.default_rng(3)
        while match.turn != TERMINAL and n < DECISIONS:
            decision = who.decide(match.observe(), match.legal(), rng)
            found += [text for text in told(decision) if ENGLISH.search(text)]
            match.play(decision.action)
            n += 1
    assert not found, found[:5]


def test_a_number_is_written_as_its_reader_writes_it_once() -> None:
    with speaking(Voice("de")):
        assert (percent(0.983), percent(Fraction(1, 10**5))) == ("98,3 %", "<0,1 %")
        assert (amount(0.983, ""), tick(0.005, 0.005, ""), number(12.5, "t")) == ("98,3 %", "0,5 %", "12,50")
        assert from_percent(percent(0.983)) == 0.983
    assert percent(0.983) == "98.3 %"
