"""What is written on a board can be read in every theme: 4.5 : 1 with its halo, or with all that lies under it."""

from __future__ import annotations
import random
from functools import cache

import pytest

from navalkit.core.registry import names
from navalkit.ui.play.controller import Controller
from navalkit.view.painters import rounded
from navalkit.view.scene import Circle, Line, Polygon, Rect, Text, contains
from navalkit.view.theme import THEMES, rgb
from ..boxes import EM
from ..contrast import contrast_ratio

LEAST = 4.5
LOOKS = {  # width and height of the room, whether upright on a phone, and the hole of one lying down
    "1280": ((860.0, 688.0), False, None),
    "390": ((390.0, 632.0), True, None),
    "844": ((792.0, 390.0), False, (552.0, 96.0, 780.0, 280.0)),
}
TURNS, EVERY = 24, 8


@cache
def pictures(game: str, look: str):
    """A few scenes of a game, from its start on."""
    control, rng = Controller(game), random.Random(4)
    control.new(4)
    control.room, control.tall, control.hole = LOOKS[look]
    found = []
    for turn in range(TURNS):
        if control.match.over or not control.legal:
            break
        if turn % EVERY == 0:
            control.window = control.page.frame(control.glance(), control.look)
            found.append(control.scene())
        control.give(rng.choice(control.legal))
        control.desk.settle()
    return found


def covers(shape, x: float, y: float) -> bool:
    match shape:
        case Circle(cx, cy, r):
            return (x - cx) ** 2 + (y - cy) ** 2 < r * r
        case Rect():
            return contains(rounded(shape), x, y)
        case Polygon(points):
            return contains(points, x, y)
    return False


def under(shapes, x: float, y: float, colours) -> str:
    """The colour at a place, of all that was painted there one over the other."""
    mixed = rgb(colours["paper"])
    for shape in shapes:
        if not isinstance(shape, Text | Line) and shape.style.fill and covers(shape, x, y):
            share, over = shape.style.opacity, rgb(colours[shape.style.fill])
            mixed = tuple(share * b + (1 - share) * a for a, b in zip(mixed, over, strict=True))
    return "#" + "".join(f"{round(value):02X}" for value in mixed)


def pale(scene, theme: str):
    """Texts that cannot be read: with their contrast."""
    shapes, colours = list(scene.shapes()), THEMES[theme]
    for i, text in enumerate(shapes):
        if not isinstance(text, Text) or not text.text or not text.style.fill or text.style.opacity < 1:
            continue
        back = {"start": 0.5, "middle": 0.0, "end": -0.5}[text.anchor] * EM * text.size * len(text.text)
        x, y = (text.x + back, text.y) if text.turn is None else (text.x, text.y)
        veiled = any(not isinstance(each, Text | Line) and each.style.fill and covers(each, x, y)
                     for each in shapes[i + 1 :])  # it cannot be played now, or something else is read there
        if veiled:
            continue
        halo = text.style.stroke if text.style.width >= 3 else None
        ground = colours[halo] if halo else under(shapes[:i], x, y, colours)
        ratio = contrast_ratio(colours[text.style.fill], ground)
        if ratio < LEAST:
            yield text.text, text.style.fill, ground, round(ratio, 2)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("game", names())
def test_what_is_drawn_is_read(game: str, look: str, theme: str) -> None:
    scenes = pictures(game, look)
    assert scenes
    assert sorted({found for scene in scenes for found in pale(scene, theme)}) == []


def test_a_pale_text_is_found() -> None:
    from navalkit.view.scene import Layer, Scene, Style

    ground = Rect(0, 0, 100, 20, Style("vermilion"))
    layer = Layer("words", (ground, Text(50, 10, "CA", Style("card_face")), Text(50, 10, "CA", Style("black"))))
    assert [each[1] for each in pale(Scene(100, 20, (layer,)), "light")] == ["card_face"]
