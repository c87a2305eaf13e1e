"""The own hand on phones of every height: a fan of which each card can be read and pressed; and the discards."""

from __future__ import annotations
import random
from dataclasses import replace
from itertools import product

import pytest

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.core.words import Voice, speaking
from navalkit.games.wolf_pack.cards import Card
from navalkit.games.wolf_pack.scene import RATIO, face
from navalkit.testing import said
from navalkit.view.page import Glance, Look, page_of
from navalkit.view.scene import Picks, Text, contains, extent, hit
from ...sentences import WOLF

ROOMS = ((360, 428), (360, 512), (390, 576), (390, 632))


@pytest.fixture(scope="module")
def full():
    """A hand of more cards than stand side by side."""
    game = load("wolf-pack")
    match = Match.new(game, 5)
    while sum(game.observe(match.state, 0).hand) < 6 or match.turn != 0:
        match.play(match.legal()[0])
    return Glance(game, game.observe(match.state, 0), 0, match.legal())


@pytest.mark.parametrize("room", ROOMS)
def test_sign_and_name_of_each_card_of_the_fan_are_seen(full, room):
    scene = page_of("wolf-pack").scene(full, Look(tall=True, room=room))
    hand = [piece for piece in scene.pieces().values() if piece.id.startswith("hand ")]
    strips = [cell for cell in scene.cells if cell.id.startswith("hand ")]
    assert len(hand) == len(strips) >= 6
    for strip, piece in zip(strips, hand, strict=True):
        names = [text for text in piece.placed() if isinstance(text, Text) and text.text]
        assert len(names) >= 2 and all(contains(strip.outline, text.x, text.y) for text in names), piece.id
        assert hit(scene, *strip.centre) == strip
        left, top, right, low = extent(piece.placed())
        assert 0 <= left and right <= room[0] and low <= room[1]


@pytest.mark.parametrize("room", ROOMS)
def test_a_card_that_is_asked_about_is_lifted(full, room):
    scenes = [page_of("wolf-pack").scene(full, Look(tall=True, room=room, hover=hover)) for hover in ("", "hand 2")]
    (_, low, *_), (_, up, *_) = ([piece for id, piece in scene.pieces().items() if id.startswith("hand ")]
                                 for scene in scenes)
    assert up.y < low.y and [cell.outline for cell in scenes[0].cells] == [cell.outline for cell in scenes[1].cells]


@pytest.mark.parametrize("room", ROOMS)
def test_no_heading_lies_on_a_card_or_a_place(full, room):
    scene = page_of("wolf-pack").scene(full, Look(tall=True, room=room))
    table = next(layer.flat for layer in scene.layers if layer.name == "table")
    headings = [shape for shape in table if isinstance(shape, Text) and shape.anchor == "start" and shape.bold]
    others = [extent((shape,)) for shape in table[1:] if not isinstance(shape, Text)]
    others += [extent(piece.placed()) for piece in scene.pieces().values() if not piece.id.startswith("target")]
    assert len(headings) == 3
    for text in headings:
        top, low, end = text.y - text.size / 2, text.y + text.size / 2, text.x + 0.45 * text.size * len(text.text)
        for box in others:
            assert low <= box[1] or top >= box[3] or end <= box[0] or text.x >= box[2], (text.text, box)


LYING = Look(room=(792, 390), hole=(552, 96, 780, 280))


@pytest.mark.parametrize("lang", ["en", "de"])
def test_names_of_cards_still_to_come_lie_in_their_places(lang):
    game, found = load("wolf-pack"), 0
    with speaking(Voice(lang)):
        for look in (Look(), Look(tall=True, room=(360, 428)), LYING, Look(room=(667, 331), hole=(427, 82, 655, 240))):
            drawn = page_of("wolf-pack").scene(Glance(game, game.observe(game.initial(), 0), 0, ()), look)
            places = [cell for cell in drawn.cells if cell.id.rpartition(" ")[2] in ("1", "2", "3")]
            for text in (shape for layer in drawn.layers for shape in layer.flat if isinstance(shape, Text)):
                for place in (place for place in places if contains(place.outline, text.x, text.y)):
                    (left, _), (right, _), *_ = place.outline
                    assert 0.5 * text.size * len(text.text) <= right - left, text.text
                    found += 1
    assert found > 12


@pytest.mark.parametrize("look", [Look(), Look(tall=True, room=(360, 428)), LYING])
def test_the_discards_are_looked_through(look):
    game = load("wolf-pack")
    match, rng = Match.new(game, 5), random.Random(2)
    while sum(game.observe(match.state, 0).discards) < 9 or match.turn != 0:
        match.play(rng.choice(match.legal()))
    seen = game.observe(match.state, 0)
    glance = Glance(game, seen, 0, match.legal())
    shut = page_of("wolf-pack").scene(glance, look)
    pile = shut.cell("discards").pick
    shown = page_of("wolf-pack").scene(glance, replace(look, picks=Picks.of(pile)))
    texts = [shape.text for shape in shown.layers[-1].flat if isinstance(shape, Text)]
    for card in Card:
        said(" ".join(texts), WOLF, "table.through.card", n=seen.discards[card], unseen=seen.unseen[card])
    assert not shut.layers[-1].shapes


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("side", [0, 1])
def test_what_a_card_does_ends_within_the_card(side, lang):
    """Also where a narrow one breaks it into four lines, as in a notebook's cell and in a picture."""
    with speaking(Voice(lang, side)):
        for card, w in product(Card, range(96, 140, 4)):
            shapes = face(card, w, does=WOLF(f"does.{side}.{card}"))
            told = [shape for shape in shapes if isinstance(shape, Text) and not shape.glyph and shape.text]
            assert told and max(text.y + text.size / 2 for text in told) <= w * RATIO / 2 - 3, (card, w)
