"""The SVG painter, and the stored snapshots of it and of the text painter.

After a wanted change renew the snapshots with ``NAVALKIT_RENEW=1 pytest tests/view/painters/test_svg.py`` and look at
them.
"""

from __future__ import annotations
import os
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from navalkit.core.errors import OptionError
from navalkit.testing import refused
from navalkit.view.painters import number, svg, text
from navalkit.view.scene import Circle, Layer, Line, Rect, Scene, Style, Text
from navalkit.view.theme import THEMES, Theme, theme
from ...sentences import CORE

SNAPSHOTS = Path(__file__).parent / "snapshots"
NS = "{http://www.w3.org/2000/svg}"


def scene_of(*shapes, **more):
    return Scene(100, 50, (Layer("only", shapes),), **more)


NAMES = Theme("names", {token: token for token in theme("light").colours})
"""Colours by their names, so that a stored picture says what is painted and another colour changes none."""
PAINTERS = [("svg", lambda scene: svg(scene, NAMES)), ("txt", lambda scene: text(scene) + "\n")]


@pytest.mark.parametrize("suffix, paint", PAINTERS, ids=["svg", "txt"])
@pytest.mark.parametrize("name", ["card_table", "square_map", "hex_map"])
def test_painting_equals_the_stored_snapshot(name, suffix, paint, request):
    painted = paint(request.getfixturevalue(name))
    path = SNAPSHOTS / f"{name}.{suffix}"
    if os.environ.get("NAVALKIT_RENEW"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(painted, encoding="utf-8")
    assert painted == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("theme", THEMES)
def test_svg_is_well_formed_and_titled_and_has_a_group_for_each_layer(card_table, theme):
    root = ET.fromstring(svg(card_table, theme))
    assert root.get("role") == "img"
    assert root[0].tag == NS + "title" and root[0].text == "USS Lox <demo>"
    assert [g.get("id") for g in root.findall(NS + "g")] == [layer.name for layer in card_table.layers]


def test_description_ends_with_the_text_painting(card_table):
    desc = ET.fromstring(svg(card_table)).findtext(NS + "desc")
    assert desc.startswith(card_table.desc) and desc.endswith(text(card_table))


def test_markup_and_control_characters_in_texts_do_no_harm():
    nasty = '<b> & "q" \' \x00\x0b\ud800 </text>'
    root = ET.fromstring(svg(scene_of(Text(1, 2, nasty, Style("ink")), title=nasty, desc=nasty)))
    assert root.find(f"{NS}g/{NS}text").text == '<b> & "q" \'  </text>'


def test_same_scene_same_svg_and_other_theme_other_colours(card_table):
    assert svg(card_table) == svg(card_table, THEMES["light"])
    assert svg(card_table, "dark") != svg(card_table)
    assert THEMES["dark"]["sea_deep"] in svg(card_table, "dark")


def test_scale_enlarges_the_picture_not_its_coordinates(card_table):
    root = ET.fromstring(svg(card_table, scale=2))
    assert (root.get("width"), root.get("viewBox")) == ("1200", "0 0 600 474")


def test_background_can_be_left_out():
    assert "<rect" in svg(scene_of()) and "<rect" not in svg(scene_of(), background=False)


def test_shape_that_paints_nothing_leaves_no_element():
    assert (
        len(ET.fromstring(svg(scene_of(Text(1, 1, "8♦", Style()), Circle(1, 1, 1, Style())))).find(NS + "g"))
        == 0
    )


def test_arrow_has_a_head_whose_tip_is_the_end_of_the_line():
    arrow = Line(((0, 0), (50, 0)), Style(None, "ink", 2), arrow=True)
    line, head = ET.fromstring(svg(scene_of(arrow))).find(NS + "g")
    assert head.get("points").startswith("50,0 ") and head.get("fill") == line.get("stroke")
    assert float(line.get("points").split()[-1].split(",")[0]) < 50


def test_style_becomes_attributes():
    (rect,) = ET.fromstring(svg(scene_of(Rect(0, 0, 9, 9, Style("card", "ink", 1.5, (4, 2), 0.5), 3)))).find(
        NS + "g"
    )
    assert rect.attrib == {
        "x": "0", "y": "0", "width": "9", "height": "9", "rx": "3", "fill": "#FFFDF8", "stroke": "#0F1F2A",
        "stroke-width": "1.5", "stroke-dasharray": "4 2", "fill-opacity": "0.5", "stroke-opacity": "0.5",
    }  # fmt: skip


def test_unknown_colour_is_an_error():
    with refused(OptionError, CORE, "view.colour", name="'mauve'"):
        svg(scene_of(Circle(0, 0, 1, Style("mauve"))))


@pytest.mark.parametrize(
    "value, written",
    [(12, "12"), (100.0, "100"), (0.5, "0.5"), (-0.001, "0"), (1 / 3, "0.33"), (-2.5, "-2.5")],
)
def test_numbers_are_short(value, written):
    assert number(value) == written
