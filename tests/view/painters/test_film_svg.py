"""A film as an animated SVG: well-formed, the last scene where nothing moves, and in it what the film tells."""

from __future__ import annotations
from xml.etree import ElementTree

import pytest

from navalkit.view.files import REST, film_svg
from navalkit.view.film import Film, Mark, Travel, film
from navalkit.view.scene import Layer, Piece, Polygon, Rect, Scene, Style, Text

SVG = "{http://www.w3.org/2000/svg}"
HULL = (Polygon(((0, -20), (6, 20), (-6, 20)), Style("ink")), Text(0, 0, "E1", Style("paper"), 12))
FACE, BACK = ((Rect(-20, -30, 40, 60, Style(colour)),) for colour in ("card", "card_back"))


def scene(*pieces: Piece) -> Scene:
    sea = Layer("sea", (Rect(0, 0, 300, 200, Style("sea_deep")),))
    return Scene(300, 200, (sea, Layer("ships", pieces)), title="Sea", desc="A ship.")


def read(last: Scene, made: Film) -> ElementTree.Element:
    return ElementTree.fromstring(film_svg(last, made))


def animations(tree: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    found = (*tree.iter(f"{SVG}animate"), *tree.iter(f"{SVG}animateTransform"))
    return [each for each in found if kind in (each.get("type"), each.get("attributeName"))]


def test_a_ship_goes_her_way_in_her_time_and_stands_where_she_ends() -> None:
    before, last = scene(Piece("E1", 30, 40, HULL)), scene(Piece("E1", 90, 40, HULL, 90))
    made = film(before, last, [Travel("E1", ((30, 40, 0), (30, 90, 350), (90, 40, 90)), at=500, ms=1000)])
    tree = read(last, made)
    (way,), (turn,) = animations(tree, "translate"), animations(tree, "rotate")
    assert way.get("dur") == f"{1500 + REST}ms" and way.get("repeatCount") == "indefinite"
    times = [float(time) for time in way.get("keyTimes", "").split(";")]
    values = way.get("values", "").split(";")
    assert len(times) == len(values) and times == sorted(times) and (times[0], times[-1]) == (0, 1)
    assert times[1] == pytest.approx(500 / 3500, abs=1e-3)
    assert values[0] == values[1] == "-60 0" and values[-1] == "0 0"
    headings = [float(value) for value in turn.get("values", "").split(";")]
    assert headings[0] == -90 and headings[-1] == 0 and min(headings) == pytest.approx(-100, abs=2.5), "the short way"
    assert "translate(90 40)" in {group.get("transform") for group in tree.iter(f"{SVG}g")}


def test_a_card_is_turned_over_a_new_one_comes_and_one_that_is_gone_is_hidden_at_the_end() -> None:
    before = scene(Piece("hand", 40, 40, BACK, flips=True), Piece("old", 90, 40, FACE))
    last = scene(Piece("hand", 40, 40, FACE, flips=True), Piece("new", 140, 40, FACE))
    tree = read(last, film(before, last))
    assert len(animations(tree, "scale")) == 2, "back and face grow narrow and wide together"
    ends = [fade.get("values", "").split(";")[-1] for fade in animations(tree, "opacity")]
    assert sorted(ends) == ["0", "0", "1", "1"]
    hidden = [group for group in tree.iter(f"{SVG}g") if group.get("opacity") == "0"]
    assert len(hidden) == 2, "what is no more is not seen where nothing is animated"


@pytest.mark.parametrize("kind", ["ring", "flash", "shell", "track", "splash", "hit", "sink", "ping", "light", "note"])
def test_each_mark_is_seen_in_its_time_alone(kind: str) -> None:
    last = scene(Piece("E1", 30, 40, HULL))
    tree = read(last, film(last, last, [Mark(kind, 50, 60, (90, 90), text="100 ft <", at=200, ms=400)]))
    (mark,) = (group for group in tree.iter(f"{SVG}g") if group.get("data-mark") == kind)
    fade = mark.find(f"{SVG}animate")
    assert fade is not None and mark.get("opacity") == "0"
    values = fade.get("values", "").split(";")
    assert values[0] == values[-1] == "0" and "1" in values
    assert [text.text for text in mark.iter(f"{SVG}text")] == ["100 ft <"]
    assert len(list(mark.iter(f"{SVG}circle"))) == (0 if kind == "note" else 1)


def test_a_film_in_which_nothing_happens_is_a_still_picture() -> None:
    last = scene(Piece("E1", 30, 40, HULL, 45))
    tree = read(last, Film((), ()))
    assert not animations(tree, "translate") and tree.find(f"{SVG}title").text == "Sea"  # type: ignore[union-attr]
    assert any(text.text == "E1" for text in tree.iter(f"{SVG}text"))
