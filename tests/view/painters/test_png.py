"""The PNG painter: size, and the colours that must be found at given places."""

from __future__ import annotations
import shutil
import subprocess
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from navalkit.core.errors import OptionError
from navalkit.testing import refused
from navalkit.view.files import png
from navalkit.view.painters import svg
from navalkit.view.scene import Circle, Layer, Line, Polygon, Rect, Scene, Style, Text
from navalkit.view.theme import THEMES, rgb
from ...sentences import CORE


def pixels(*shapes, theme="light", scale=2.0, size=(40, 40)):
    """The picture as an array (rows, columns, 3)."""
    data = png(Scene(*size, (Layer("only", shapes),)), theme, scale=scale)
    return np.asarray(Image.open(BytesIO(data)).convert("RGB")).astype(int)


def colour(token, theme="light"):
    return rgb(THEMES[theme][token])


@pytest.mark.parametrize("theme", THEMES)
def test_demo_has_its_size_and_its_surfaces(card_table, theme):
    image = Image.open(BytesIO(png(card_table, theme)))
    assert image.format == "PNG" and image.size == (1200, 948)
    seen = {c for _, c in image.convert("RGB").getcolors(1 << 20)}
    assert {colour(t, theme) for t in ("sea_deep", "sea_shallow", "card_face", "card_back", "accent")} <= seen


def test_same_scene_same_bytes(card_table):
    assert png(card_table, scale=1) == png(card_table, scale=1)


@pytest.mark.parametrize("scale", [1, 1.5, 3])
def test_shapes_lie_where_the_scene_says(scale):
    shape = Rect(10, 5, 20, 30, Style("blue"))
    a = pixels(shape, scale=scale)
    inside = np.all(a == colour("blue"), axis=2)
    assert inside.sum() == pytest.approx(20 * 30 * scale**2, rel=0.06)
    rows, columns = np.nonzero(inside)
    assert (columns.mean() / scale, rows.mean() / scale) == pytest.approx((20, 20), abs=0.8)


def test_fill_covers_the_area_of_circle_and_polygon():
    for shape, area in (
        (Circle(20, 20, 15, Style("ink")), np.pi * 225),
        (Polygon(((5, 5), (35, 5), (5, 35)), Style("ink")), 450),
    ):
        a = pixels(shape, scale=3).astype(int)
        paper, ink = colour("paper")[0], colour("ink")[0]
        share = (paper - a[:, :, 0]) / (paper - ink)  # smooth edges count for a part
        assert share.sum() / 9 == pytest.approx(area, rel=0.03)


def test_edges_are_smooth():
    a = pixels(Circle(20, 20, 15, Style("black")))
    assert len(np.unique(a)) > 5


def test_half_opaque_colours_mix_and_a_stroke_does_not_add_up_where_it_crosses_itself():
    paper, ink = np.array(colour("paper")), np.array(colour("black"))
    half = (paper + ink) / 2
    assert np.allclose(pixels(Rect(0, 0, 40, 40, Style("black", opacity=0.5)))[40, 40], half, atol=1)
    bent = Line(((5, 5), (35, 35), (5, 35), (35, 5)), Style(None, "black", 6, opacity=0.5))
    assert pixels(bent)[:, :, 0].min() == pytest.approx(half[0], abs=1)


def test_dashes_leave_gaps():
    row = pixels(Line(((0, 20), (40, 20)), Style(None, "black", 4, (10, 10))))[40, :, 0]
    assert list(row[[10, 30, 50, 70]]) == [0, colour("paper")[0], 0, colour("paper")[0]]


def test_suit_signs_and_missing_letters_are_drawn_though_the_font_has_none():
    def ink(content):
        return (pixels(Text(20, 20, content, Style("ink"), 24)) < 128).sum()

    assert ink("♦") > 100 and ink("♦") != ink("♥")
    assert ink("–") == ink("-") and ink("é") == ink("e") and ink("€±%") > ink("")


def test_bold_text_is_heavier_and_anchors_move_it():
    def columns(**more):
        return np.nonzero((pixels(Text(20, 20, "8", Style("ink"), 20, **more)) < 128).any(axis=(0, 2)))[0]

    assert len(columns(bold=True)) > len(columns())
    assert columns(anchor="start").min() >= 39 and columns(anchor="end").max() <= 41


def test_unpainted_text_leaves_the_paper_blank():
    assert (pixels(Text(20, 20, "8♦", Style())) == colour("paper")).all()


@pytest.mark.parametrize("scale", [0, -1, 0.001, 1000])
def test_scale_out_of_reason_is_refused(scale, card_table):
    with refused(OptionError, CORE, "view.scale"):
        png(card_table, scale=scale)


@pytest.mark.browser
@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs a chromium on the path")
@pytest.mark.parametrize("theme", THEMES)
def test_png_looks_like_the_svg_in_a_browser(card_table, theme, tmp_path):
    # letters are left out: the browser has another font
    layers = (
        replace(layer, shapes=tuple(s for s in layer.shapes if not isinstance(s, Text)))
        for layer in card_table.layers
    )
    scene = replace(card_table, layers=tuple(layers))
    (tmp_path / "scene.svg").write_text(svg(scene, theme, scale=2), encoding="utf-8")
    shot, page = tmp_path / "shot.png", (tmp_path / "scene.svg").as_uri()
    flags = (
        "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync"
    )
    sizes = ["--hide-scrollbars", "--window-size=1200,948", f"--user-data-dir={tmp_path}"]
    command = ["chromium", *flags.split(), *sizes, f"--screenshot={shot}", page]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    pictures = Image.open(BytesIO(png(scene, theme))), Image.open(shot)
    # means over 4 x 4 pixels, so that edges may be smoothed differently but nothing may be elsewhere
    ours, theirs = (np.asarray(picture.convert("RGB").reduce(4)).astype(int) for picture in pictures)
    assert np.abs(ours - theirs).max() < 60


@pytest.mark.parametrize(("umlaut", "letter"), ["äa", "öo", "üu", "ÄA", "ÖO", "ÜU"])
def test_an_umlaut_is_its_letter_with_two_dots_over_it(umlaut, letter):
    """The font has none of them, and German pictures are to be read."""
    dotted, plain = (pixels(Text(40, 25, f"n{each}n", Style("ink"), 24), size=(80, 50)) for each in (umlaut, letter))
    rows, columns = np.nonzero(np.any(dotted != plain, axis=2))
    top = np.nonzero(np.any(plain != colour("paper"), axis=2).any(axis=1))[0][0] if letter.isupper() else rows.max()
    assert rows.max() <= top + 2 and len(rows) > 20, "what is there stays as it is"
    gaps = np.flatnonzero(np.diff(np.unique(columns)) > 1)
    assert len(gaps) == 1, "two of them, side by side"
