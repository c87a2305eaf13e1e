"""The ship cards of Fleet Action as pictures."""

from __future__ import annotations
from collections import Counter

import pytest

from navalkit.core.errors import OptionError
from navalkit.games.fleet_action.board.choice import WIDTH, card
from navalkit.games.fleet_action.cards import TABLES, points, ship
from navalkit.games.fleet_action.state import Turret
from navalkit.testing import heard, refused, said
from navalkit.view.painters import svg, text
from navalkit.view.scene import Circle, Polygon, Rect, Text, contains
from ....sentences import FLEET_PAGE

ALL = pytest.mark.parametrize("name", TABLES.ships)


def written(scene):
    return [shape.text for shape in scene.shapes() if isinstance(shape, Text)]


@ALL
def test_nothing_sticks_out_of_the_card(name):
    scene = card(ship(name), damage=1)
    assert scene.width == WIDTH
    for shape in scene.shapes():
        if isinstance(shape, Text):
            w = 0.56 * shape.size * len(shape.text)
            left = shape.x - {"start": 0, "middle": 0.5, "end": 1}[shape.anchor] * w
            assert left > 0 and left + w < WIDTH and shape.size / 2 < shape.y < scene.height - shape.size / 2
        if isinstance(shape, Rect):
            assert shape.x >= 0 and shape.x + shape.w <= WIDTH and shape.y + shape.h <= scene.height


@ALL
def test_labels_and_figures_of_a_row_do_not_meet(name):
    rows = {}
    for shape in card(ship(name)).shapes():
        if isinstance(shape, Text) and shape.anchor != "middle":
            w = 0.56 * shape.size * len(shape.text)
            rows.setdefault(shape.y, []).append(
                (shape.x, shape.x + w) if shape.anchor == "start" else (shape.x - w, shape.x)
            )
    for spans in rows.values():
        spans.sort()
        assert all(a[1] < b[0] for a, b in zip(spans, spans[1:], strict=False)), spans


@ALL
def test_every_mount_stands_on_her_deck_and_can_be_pointed_at(name):
    vessel = ship(name)
    scene = card(vessel)
    (hull,) = (shape for shape in scene.shapes() if isinstance(shape, Polygon))
    turrets = [shape for shape in scene.shapes() if isinstance(shape, Circle)]
    assert len(turrets) == len(vessel.mounts)
    for i, (a, mount) in enumerate(zip(turrets, vessel.mounts, strict=True)):
        assert contains(hull.points, a.x, a.y)
        assert all((a.x - b.x) ** 2 + (a.y - b.y) ** 2 > (a.r + b.r) ** 2 * 0.7 for b in turrets[:i])
        cell = scene.cell(f"mount {i + 1}")
        assert cell.centre == pytest.approx((a.x, a.y))
        assert mount.gun in cell.alt and mount.arc in cell.alt and f"{mount.guns} ×" in cell.alt
    for i, tubes in enumerate(vessel.torpedoes):
        assert tubes.kind in scene.cell(f"set {i + 1}").alt
    assert len(scene.cells) == len(vessel.mounts) + len(vessel.torpedoes)


@ALL
def test_a_card_says_all_that_a_player_needs(name):
    vessel = ship(name)
    scene = card(vessel)
    words = written(scene)
    assert vessel.name in words and TABLES.types[vessel.type] in words
    assert FLEET_PAGE("card.tons", n=vessel.displacement) in words
    assert FLEET_PAGE("card.points", n=vessel.sinking_rate) in words
    assert str(points(vessel)) in words and str(vessel.anti_aircraft) in words
    guns = Counter()
    for mount in vessel.mounts:
        guns[mount.battery, mount.gun] += mount.guns
    assert all(f"{number} × {gun}" in words for (_, gun), number in guns.items())
    rate = f"{FLEET_PAGE('card.sinking_rate')}: {vessel.sinking_rate:,}"
    assert all(value in scene.desc for value in (vessel.name, vessel.nation, vessel.armour, rate))
    assert heard(scene.desc, FLEET_PAGE, "card.pace", "card.paces")


def test_a_card_keeps_the_damage():
    scene = card(ship("Fletcher"), damage=40, out=(1, 2), loaded=(True, False), orders={0: Turret("Fletcher", 1)})
    words = written(scene)
    assert FLEET_PAGE("card.hurt", n=40, quarters=2) in words
    said(scene.cell("mount 2").alt, FLEET_PAGE, "card.mount_hurt", lost=2)
    assert scene.cell("mount 1").action == Turret("Fletcher", 1) and scene.cell("mount 2").action is None
    said(scene.cell("set 2").alt, FLEET_PAGE, "card.set_fired", n=2)
    said(scene.cell("set 1").alt, FLEET_PAGE, "card.set", n=1)
    assert "card.set_fired" not in heard(scene.cell("set 1").alt, FLEET_PAGE)
    bars = [s for s in scene.shapes() if isinstance(s, Rect) and s.style.fill == "vermilion"]
    assert sum(bar.w for bar in bars) == pytest.approx((WIDTH - 40) * 40 / 75)
    assert FLEET_PAGE("card.sunk", n=76) in written(card(ship("Fletcher"), damage=76))
    assert not heard(written(card(ship("Fletcher"))), FLEET_PAGE, "card.hurt", "card.sunk")


def test_painters_paint_it():
    scene = card(ship("Admiral Graf Spee"), damage=200)
    assert "Admiral Graf Spee" in svg(scene) and "11in SK C/28" in text(scene)
    assert FLEET_PAGE("card.armament") in text(card(ship("Altmark")))


@pytest.mark.parametrize("options", [{"out": (1,)}, {"loaded": (True, True, True)}])
def test_a_sheet_that_does_not_fit_the_ship_is_refused(options):
    with refused(OptionError, FLEET_PAGE, "card.counts", name="Fletcher", mounts=2, sets=2):
        card(ship("Fletcher"), **options)
