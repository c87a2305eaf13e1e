"""Positions as version 0.1.0 wrote them, without brackets, are still read; they are written in the notation of now."""

from __future__ import annotations

from pathlib import Path

import pytest

import navalkit as nk

LINES = Path(__file__).with_name("states_0_1_0.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", LINES, ids=[line.split()[0] for line in LINES])
def test_a_position_of_the_first_version_is_read(line: str) -> None:
    name, text = line.split(" ", 1)
    game = nk.load(name)
    state = game.parse_state(text)
    assert game.format_state(state).replace('"', "") == f"({text})"
    assert game.parse_state(game.format_state(state)) == state
