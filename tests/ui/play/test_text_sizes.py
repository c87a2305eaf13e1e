"""What is written on a board can be read on every screen: 12 px at the least, as the page shows it."""

from __future__ import annotations
import random

import pytest

from navalkit.core.registry import names
from navalkit.ui.play.controller import Controller
from navalkit.view.scene import Text

SCREENS = {  # width of the window -> room for the board, px, as `ui/page.css` leaves it
    360: (360.0, 512.0),
    390: (390.0, 616.0),
    1280: (860.0, 688.0),
    1920: (1400.0, 960.0),
}
LEAST, MOST = 12, 2  # px of a text; times that a board is shown larger


def small(control: Controller) -> list[tuple[str, float]]:
    """Texts of the board that are shown smaller than the least, with their size."""
    control.window = control.page.frame(control.glance(), control.look)
    scene = control.scene()
    assert control.room is not None
    scale = min(MOST, control.room[0] / scene.width, control.room[1] / scene.height)
    texts = [shape for shape in scene.shapes() if isinstance(shape, Text) and shape.text]
    assert texts
    return [(text.text, round(text.size * scale, 2)) for text in texts if text.size * scale < LEAST - 0.01]


@pytest.mark.parametrize("width", SCREENS)
@pytest.mark.parametrize("game", names())
def test_no_text_on_a_board_is_under_12_px(game: str, width: int) -> None:
    control, rng = Controller(game), random.Random(3)
    control.new(3)
    control.room, control.tall = SCREENS[width], width < 640
    found = small(control)
    for turn in range(60):
        if control.match.over or not control.legal:
            break
        control.give(rng.choice(control.legal))
        control.desk.settle()
        if turn % 3 == 0:
            found += small(control)
    assert control.match.ply > 5
    assert not found, sorted(set(found))
