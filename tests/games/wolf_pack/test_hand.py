"""The own hand on phones of every height: both of its rows can be read."""

from __future__ import annotations

import pytest

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.view.page import Glance, Look, page_of
from navalkit.view.scene import Text, extent
from ...sentences import WOLF

ROOMS = ((360, 512), (360, 540), (390, 576), (390, 616))


@pytest.fixture(scope="module")
def full():
    """A hand of more cards than stand side by side."""
    game = load("wolf-pack")
    match = Match.new(game, 5)
    while sum(game.observe(match.state, 0).hand) < 6 or match.turn != 0:
        match.play(match.legal()[0])
    return Glance(game, game.observe(match.state, 0), 0, match.legal())


@pytest.mark.parametrize("room", ROOMS)
def test_no_card_covers_the_name_of_another(full, room):
    scene = page_of("wolf-pack").scene(full, Look(tall=True, room=room))
    hand = [piece for piece in scene.pieces().values() if piece.id.startswith("hand ")]
    assert len(hand) >= 6
    boxes = [extent(piece.placed()) for piece in hand]
    assert max(box[3] for box in boxes) <= room[1] and max(box[2] for box in boxes) <= room[0]
    for n, piece in enumerate(hand):
        names = [text for text in piece.placed() if isinstance(text, Text) and len(text.text) > 1]
        assert names
        for text in names:
            for left, top, right, _ in boxes[n + 1 :]:
                assert not (left <= text.x <= right and text.y + text.size / 2 > top), (piece.id, text.text)


@pytest.mark.parametrize("room", ROOMS)
def test_no_heading_lies_on_a_card_or_a_place_or_a_pile_s_name(full, room):
    scene = page_of("wolf-pack").scene(full, Look(tall=True, room=room))
    table = next(layer.flat for layer in scene.layers if layer.name == "table")
    headings = [shape for shape in table if isinstance(shape, Text) and shape.anchor == "start"]
    others = [extent((shape,)) for shape in table[1:] if not isinstance(shape, Text)]
    others += [extent(piece.placed()) for piece in scene.pieces().values() if not piece.id.startswith("target")]
    assert len(headings) == 4
    for text in headings:
        top, low, end = text.y - text.size / 2, text.y + text.size / 2, text.x + 0.45 * text.size * len(text.text)
        for box in others:
            assert low <= box[1] or top >= box[3] or end <= box[0] or text.x >= box[2], (text.text, box)
    ships = [extent(piece.placed()) for id, piece in scene.pieces().items() if id.startswith("target")]
    piles = WOLF("table.deck.short"), WOLF("table.discards.short")
    names = [shape for shape in table if isinstance(shape, Text) and shape.text in piles]
    assert len(names) == 2 and all(name.y + name.size / 2 <= min(box[1] for box in ships) for name in names)
