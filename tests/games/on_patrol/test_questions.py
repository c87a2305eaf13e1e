"""The explorer's questions about On Patrol, against the exact chain."""

from __future__ import annotations

import numpy as np

from navalkit import explore
from navalkit.games.on_patrol import odds, questions
from navalkit.testing import said
from ...sentences import PATROL_RUNS


def test_attack_after_attack_in_floats_is_the_exact_chain():
    exact = odds.sunk_after([("squid", 0)] * 2, 6, depth=200, points=8)
    chain = questions._after("squid", (2,), 200, 8)
    assert np.allclose(chain[:6], [float(p) for p in exact[1:]], rtol=0, atol=1e-12)
    assert explore.answer("patrol-charges", weapon="squid", on=2, beside=0, hull=8).value == exact[1]


def test_the_page_opens_with_a_pattern_as_escorts_really_drop_it():
    """Not every charge on the right hex: one attack rarely sinks her, and played runs stand beside history's."""
    answer = explore.answer("patrol-charges")
    assert 0 < answer.value < 0.05
    said(answer.facts["played"], PATROL_RUNS, "measured.line")
    said(answer.facts["played"], PATROL_RUNS, "against", captain="skipper")
