"""Scenes to paint: a card table with every kind of card and mark, a square map and a hex map."""

from __future__ import annotations
from math import cos, pi, sin

import pytest

from navalkit.view import drawings
from navalkit.view.scene import Cell, Circle, Layer, Line, Polygon, Rect, Scene, Style, Text, rect_outline


@pytest.fixture
def card_table() -> Scene:
    w, h, gap = 90, 126, 16
    places = {
        f"{c}{r}": (24 + i * (w + gap), 24 + j * (h + gap))
        for j, r in enumerate("123")
        for i, c in enumerate("ABC")
    }
    faces = {"A1": "8D", "B1": "TS", "C1": "QH", "A2": "AC", "B2": "X1"}
    states = {"C1": "sunk", "A2": "gone", "B1": "selected"}
    shapes, cells = [], []
    for id, (x, y) in places.items():
        if id == "A3":
            shapes += drawings.empty_place(x, y, w, h)
        elif id in faces:
            shapes += drawings.card(x, y, w, h, faces[id], state=states.get(id, "up"))
        else:
            shapes += drawings.face_down(x, y, w, h, selected=id == "B3")
        alt = f"{id}: {faces.get(id, 'face down')}"
        cells.append(Cell(id, rect_outline(x, y, w, h), alt, f"flip {id}"))
    small = []
    for i, label in enumerate(("7H", "TD", "KC", "5S")):
        small += drawings.card(360 + i * 52, 60, 44, 62, label)
    small += drawings.face_down(360, 190, 44, 62)
    cells.append(Cell("supply", rect_outline(360, 190, 44, 62), "Torpedoes left: 12", "attack 1"))
    labels = (
        Text(360, 36, "Torpedo run", Style("ink"), 16, "start", bold=True),
        Text(416, 212, "12 torpedoes – 24 %", Style("muted"), 16, "start"),
        Text(416, 236, "fifteen: 8♦ + 7♥", Style("ink"), 16, "start"),
    )
    evidence = (
        *drawings.outline(24, 24, w, h),
        *drawings.outline(360, 60, 44, 62),
        Line(((118, 80), (240, 36), (352, 80)), Style(None, "accent", 3), arrow=True),
        *drawings.badge(240, 36, "fifteen"),
        Line(((360, 290), (560, 290)), Style(None, "bad", 2, (8, 4)), arrow=True),
        Circle(380, 330, 18, Style("sky", "ink", 2, opacity=0.5)),
        Circle(395, 330, 18, Style("orange", "ink", 2, opacity=0.5)),
        Polygon(((430, 315), (470, 330), (430, 345)), Style("green", "ink", 1.5)),
    )
    sea = (Rect(0, 0, 600, 474, Style("sea_deep")), Rect(12, 12, 330, 450, Style("sea_shallow", "grid"), 12))
    layers = (
        Layer("sea", sea),
        Layer("cards", (*shapes, *small)),
        Layer("labels", labels),
        Layer("evidence", evidence),
    )
    return Scene(600, 474, layers, tuple(cells), "USS Lox <demo>", "Nine cards & a torpedo run.")


@pytest.fixture
def square_map() -> Scene:
    """Ten by six squares of 40 px with letters above and numbers at the left, a few of them marked."""
    cells = tuple(
        Cell(f"{c}{r}", rect_outline(40 + 40 * i, 40 + 40 * j, 40, 40), f"{c}{r}")
        for j, r in enumerate("123456")
        for i, c in enumerate("ABCDEFGHIJ")
    )
    grid = tuple(Polygon(cell.outline, Style("sea_deep", "grid")) for cell in cells)
    head = [Text(60 + 40 * i, 20, c, Style("ink")) for i, c in enumerate("ABCDEFGHIJ")]
    side = [Text(20, 60 + 40 * j, r, Style("ink")) for j, r in enumerate("123456")]
    marks = [
        Text(60 + 40 * i, 60 + 40 * j, m, Style("ink")) for i, j, m in ((2, 1, "X"), (3, 1, "X"), (7, 4, "M"))
    ]
    return Scene(
        450, 290, (Layer("grid", grid), Layer("labels", (*head, *side, *marks))), cells, "Map", "A map."
    )


@pytest.fixture
def hex_map() -> Scene:
    """Seven by five hexes standing on a corner, odd rows half a hex to the right; three have a letter."""
    r, cells = 30.0, []
    for row in range(5):
        for column in range(7):
            x = 40 + (column + row % 2 / 2) * r * 3**0.5
            y = 40 + row * 1.5 * r
            corners = tuple((x + r * sin(k * pi / 3), y - r * cos(k * pi / 3)) for k in range(6))
            cells.append(Cell(f"{column}{row}", corners, f"hex {column}{row}"))
    grid = tuple(Polygon(cell.outline, Style("sea_shallow", "grid")) for cell in cells)
    ships = tuple(
        Text(*cells[i].centre, letter, Style("ink")) for i, letter in ((9, "D"), (17, "S"), (24, "E"))
    )
    return Scene(440, 260, (Layer("grid", grid), Layer("ships", ships)), tuple(cells), "Hexes", "A hex map.")
