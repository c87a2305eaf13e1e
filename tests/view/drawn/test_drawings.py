"""The drawings on cards: inside their frame, all different, the same in every theme."""

from __future__ import annotations

import pytest

from navalkit.core.errors import OptionError
from navalkit.testing import refused
from navalkit.view.drawings import HEIGHT, drawing
from navalkit.view.theme import THEMES
from ...boxes import outside
from ...sentences import CORE

NAMES = (
    "periscope", "torpedo", "transport", "sonar", "charges", "u-boat", "dive", "sweep", "mouse", "miss", "water",
    "sampan", "tanker", "battleship",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_keeps_within_its_frame_and_looks_the_same_by_day_and_by_night(name: str) -> None:
    shapes = drawing(name, 100, 200, 80)
    assert outside(shapes[:-1], (149, 80 - 50 * HEIGHT - 1, 251, 80 + 50 * HEIGHT + 1), em=0.7) == []
    tokens = {token for shape in shapes[:-1] for token in (shape.style.fill, shape.style.stroke) if token}
    assert len(tokens) > 1 and all(len({each[token] for each in THEMES.values()}) == 1 for token in tokens)


def test_no_two_drawings_are_alike_and_there_is_no_other() -> None:
    assert len({drawing(name, 80) for name in NAMES}) == len(NAMES)
    with refused(OptionError, CORE, "view.drawing"):
        drawing("aeroplane", 80)
