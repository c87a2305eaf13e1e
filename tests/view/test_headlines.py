"""What the status has room for: a headline, and what to decide, each in one line, through whole games."""

from __future__ import annotations
import random

import pytest

import navalkit as nk
from navalkit.core.match import Match
from navalkit.core.words import speaking
from navalkit.ui.play.controller import Controller
from navalkit.view.page import page_of

LINE = 48
"""Letters of a line on the narrowest phone."""
LINES = {"fleet-action": 2, "wolf-pack": 2}
"""Lines that a headline may take, if not one: all that the other side did stands in it."""


@pytest.mark.parametrize("name", nk.games.names())
def test_a_headline_and_a_decision_are_a_line_each(name):
    dice, long = random.Random(7), set()
    for seed in (1, 2):
        control = Controller(name, adviser=page_of(name).adviser, seats=("",) * len(nk.load(name).players))
        control.match = Match.new(nk.load(name), seed)
        for _ in range(120):
            if control.match.over:
                break
            control.me, control.covered = control.match.turn, False
            with speaking(control.voice):
                headline, now = control.headline(), control.page.now(control.glance())
                long |= {headline} if len(headline) > LINES.get(name, 1) * LINE else set()
                long |= {now} if len(now) > LINE else set()
            control.match.play(dice.choice(control.match.legal()))
    assert not long
