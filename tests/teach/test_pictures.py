"""Pictures of notebooks, and what they say to those who do not see them."""

from __future__ import annotations
import re
from fractions import Fraction

import pytest

from navalkit import Match
from navalkit.core.registry import names
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from navalkit.teach.pictures import bars, board, hex_map
from navalkit.testing import said
from ..sentences import LOX, TEACH


def test_pictures_say_in_words_what_they_show():
    picture = board(Match.new("uss-lox", seed=154))
    html = picture._repr_html_()
    said(repr(picture), LOX, "table.ocean", left=9)
    assert html.startswith("<img alt=") and "base64," in html
    chart = bars({"one": Fraction(1, 4), "two": Fraction(3, 4)}, "Chances")
    assert chart.scene.desc == "one: 25 %; two: 75 %." and 'alt="Chances. one: 25 %' in chart._repr_html_()
    assert bars({"a": 26006.4, "b": 0}, "Tons", "tons").scene.desc == "a: 26,006; b: 0."
    ship = Place(Hex.parse("D6"), 2)
    sea = hex_map(Hex.parse("D6").disc(2), {"S": ship}, [Hex.parse("E7")], {Hex.parse("D6"): 0})
    said(sea.scene.desc, TEACH, "picture.ship", name="S", bow="D6", course=2)
    said(sea.scene.desc, TEACH, "picture.marked", hexes="E7")
    assert "D5" in repr(sea)


def test_a_hidden_game_is_drawn_as_one_side_sees_it():
    match = Match.new("wolf-pack", seed=76)
    assert repr(board(match, player=0)) != repr(board(match, player=1))
    assert repr(board(match, ply=0)) != repr(board(match))


@pytest.mark.parametrize("name", names())
def test_a_board_is_drawn_for_every_game_and_speaks_of_no_click(name):
    picture = board(Match.new(name, seed=5))
    assert picture.scene.cells is not None and len(picture._repr_html_()) > 1000
    assert not re.search(r"\b(click|tap|drag)\b", repr(picture.scene), re.IGNORECASE)
