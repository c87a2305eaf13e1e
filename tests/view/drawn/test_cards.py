"""Cards as shapes."""

from __future__ import annotations
from itertools import product

import pytest

from navalkit.core.errors import NotationError, OptionError
from navalkit.testing import refused
from navalkit.view import drawings
from navalkit.view.painters import text
from navalkit.view.scene import Layer, Scene, Style, contains
from ...boxes import outside
from ...sentences import CORE


@pytest.mark.parametrize("w", [44, 60, 90])
@pytest.mark.parametrize("label", [*(r + s for r, s in product(drawings.RANKS, "CDHS")), "X1"])
def test_every_card_stays_within_its_frame(label, w):
    h = 1.4 * w
    assert outside(drawings.card(10, 20, w, h, label), (10, 20, 10 + w, 20 + h), em=0.7) == []  # its widest characters


def test_all_cards_look_and_read_differently():
    faces = {drawings.card(0, 0, 90, 126, r + s) for r, s in product(drawings.RANKS, "CDHS")}
    read = {text(Scene(90, 126, (Layer("card", face),))).strip() for face in faces}
    assert len(faces) == len(read) == 52 and {"8♦", "10♠", "A♣", "K♥"} <= read


def test_suits_differ_by_shape_without_their_tint():
    def drawn(letter):
        sign = drawings.suit(letter, 0.0, 0.0, 2.0, Style("ink"))
        grid = [(i / 10 + 0.01, j / 10 + 0.01) for i in range(-10, 10) for j in range(-10, 10)]
        return {point for point in grid if contains(sign.points, *point)}

    signs = [drawn(letter) for letter in "CDHSX"]
    assert all(80 < len(sign) < 300 for sign in signs)  # of 400: none is a sliver, none fills the square
    for i, a in enumerate(signs):
        for b in signs[:i]:
            assert len(a ^ b) > 25


@pytest.mark.parametrize("letter", "CDHSX")
def test_suit_signs_fill_their_square_and_are_mirror_images_of_themselves(letter):
    points = drawings.suit(letter, 0.0, 0.0, 2.0, Style("ink")).points
    ys = [y for _, y in points]
    assert max(abs(v) for point in points for v in point) <= 1.02 and max(ys) - min(ys) > 1.7
    rounded = {(round(x, 3) + 0.0, round(y, 3) + 0.0) for x, y in points}
    assert {(-x + 0.0, y) for x, y in rounded} == rounded


def test_states_differ_in_the_picture_and_in_the_text():
    drawn = {state: drawings.card(0, 0, 90, 126, "8D", state=state) for state in drawings.STATES}
    assert len(set(drawn.values())) == len(drawings.STATES)
    read = {state: text(Scene(90, 126, (Layer("card", shapes),))).strip() for state, shapes in drawn.items()}
    assert read == {"up": "8♦", "selected": "[8♦]", "sunk": "8♦×", "gone": "(8♦)"}


def test_all_backs_are_the_same():
    assert drawings.face_down(0, 0, 90, 126) == drawings.face_down(0, 0, 90, 126)
    assert text(Scene(90, 126, (Layer("card", drawings.face_down(0, 0, 90, 126)),))).strip() == "▒▒"


def test_badge_has_room_for_its_label():
    pill, label = drawings.badge(100, 50, "fifteen: 8 + 7")
    assert pill.w > 0.55 * label.size * len(label.text) and (pill.x + pill.w / 2, pill.y + pill.h / 2) == (
        100,
        50,
    )


@pytest.mark.parametrize("label", ["", "8", "D8", "1D", "8d", "10D", "X3", "8DD"])
def test_what_is_no_card_is_refused(label):
    with refused(NotationError, CORE, "view.card"):
        drawings.card(0, 0, 90, 126, label)


def test_unknown_state_is_refused():
    with refused(OptionError, CORE, "view.state", listed="up, selected, sunk, gone"):
        drawings.card(0, 0, 90, 126, "8D", state="lost")
