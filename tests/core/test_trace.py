"""Sentences: the one table that turns facts into text."""

from __future__ import annotations

from navalkit.core.trace import Sentences


def test_a_sentence_counts_with_the_noun_in_the_right_number():
    say = Sentences(
        {"way": "{ship} goes {hexes:hex|hexes}, {weapons:weapon fires|weapons fire}.", "plain": "{n} of {of}"}
    )
    assert say("way", ship="E1", hexes=1, weapons=2) == "E1 goes 1 hex, 2 weapons fire."
    assert say("way", ship="E1", hexes=0, weapons=1) == "E1 goes 0 hexes, 1 weapon fires."
    assert say("way", ship="E1", hexes=1200, weapons=1).startswith("E1 goes 1,200 hexes")
    assert say("plain", n=1, of=3) == "1 of 3"
    assert say.event("105", "way", ship="E1", hexes=1, weapons=1).text == "E1 goes 1 hex, 1 weapon fires."
