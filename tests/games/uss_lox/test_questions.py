"""The explorer's questions about USS Lox, against plain counting."""

from __future__ import annotations
import itertools
from fractions import Fraction

from navalkit import explore
from navalkit.games.uss_lox import cards, cribbage


def test_two_torpedoes_for_a_queen_once_three_fives_are_gone():
    gone = {cards.parse(word) for word in ("QH", "5C", "5D", "5H")}
    salvoes = list(itertools.combinations([card for card in range(52) if card not in gone], 2))
    hits = sum(bool(cribbage.hits("QH", salvo)) for salvo in salvoes)
    answer = explore.answer("lox-sink", ship="QH", torpedoes=2, seen="5C 5D 5H")
    assert answer.value == Fraction(hits, len(salvoes)) == Fraction(43, 141)
    assert f"{hits:,} / {len(salvoes):,}" in answer.how[-1]
    assert explore.inverse("lox-sink", 0.6, ship="QH", seen="5C 5D 5H").least == 3
