"""The film from one scene to the next: what moves by itself, what a game adds, and what reaches the browser."""

from __future__ import annotations
import json
from dataclasses import replace

import pytest

from navalkit.view.files import film_svg
from navalkit.view.film import FADE, LONGEST, Mark, Travel, film
from navalkit.view.painters import Looks, packed, svg
from navalkit.view.scene import Circle, Layer, Line, Piece, Polygon, Rect, Scene, Style, Text
from navalkit.view.theme import theme

INK = Style("ink")
HULL = (Polygon(((0, -10), (4, 10), (-4, 10)), INK),)
BACK = (Rect(-5, -8, 10, 16, INK, 2),)


def scene(*pieces: Piece) -> Scene:
    return Scene(100, 100, (Layer("sea", (Circle(50, 50, 9, INK),)), Layer("ships", pieces)))


def test_a_piece_is_drawn_where_it_lies_and_texts_keep_upright() -> None:
    shapes = (*HULL, Text(0, -20, "E1", INK), Circle(0, 5, 1, INK), Line(((0, 0), (0, -9)), INK), Rect(0, 0, 2, 1, INK))
    hull, name, circle, line, box = Piece("E1", 30, 40, shapes, 90).placed()
    assert isinstance(hull, Polygon) and hull.points[0] == pytest.approx((40, 40))  # the bow points to the right
    assert isinstance(name, Text) and (name.x, name.y) == pytest.approx((50, 40))
    assert isinstance(circle, Circle) and (circle.x, circle.y) == pytest.approx((25, 40))
    assert isinstance(line, Line) and line.points[1] == pytest.approx((39, 40))
    assert isinstance(box, Polygon) and box.points[1] == pytest.approx((30, 42))
    here = scene(Piece("E1", 30, 40, shapes))
    assert ">E1</text>" in svg(here) and len(list(here.shapes())) == 6 and list(here.pieces()) == ["E1"]


def test_what_is_elsewhere_goes_there_what_is_new_appears_and_what_is_gone_fades() -> None:
    stays, goes, went = Piece("a", 1, 1, HULL), Piece("b", 10, 10, HULL), Piece("c", 5, 5, HULL)
    made = film(scene(stays, goes, went), scene(stays, Piece("b", 40, 50, HULL, 90), Piece("d", 9, 9, BACK)))
    ways = {(each.before or each.after).id: each for each in made.goings}  # type: ignore[union-attr]
    assert ways["a"].ms == 0 and ways["b"].way == ((10, 10, 0), (40, 50, 90)) and ways["b"].ms > 0
    assert ways["c"].after is None and ways["d"].before is None and ways["d"].ms > 0
    turned = film(scene(Piece("card", 1, 1, BACK, flips=True)), scene(Piece("card", 1, 1, HULL, flips=True)))
    assert turned.goings[0].ms > 0


def test_nothing_moves_where_nothing_has_changed_and_from_no_picture_or_another_size() -> None:
    one = scene(Piece("a", 1, 1, HULL))
    assert film(one, one).ms == 0 == film(None, one).ms
    assert film(Scene(9, 9, one.layers), one).goings == ()


def test_a_game_says_when_and_which_way_and_a_long_film_is_hurried() -> None:
    way = ((1.0, 1.0, 0.0), (9.0, 1.0, 90.0), (9.0, 9.0, 180.0))
    effects = [Travel("a", way, at=400, ms=600), Mark("splash", 5, 5, at=1000), Mark("shell", 1, 1, (9, 9), at=9000)]
    made = film(scene(Piece("a", 1, 1, HULL)), scene(Piece("a", 9, 9, HULL, 180)), effects)
    assert made.ms == pytest.approx(LONGEST)
    assert made.goings[0].way == way and made.goings[0].at == pytest.approx(400 * LONGEST / 9500)
    slow = film(scene(Piece("a", 1, 1, HULL)), scene(Piece("a", 9, 9, HULL, 180)), effects, most=20_000)
    assert slow.goings[0].at == 400 and slow.ms == 9500


def test_packed_a_film_is_short_and_says_each_look_once() -> None:
    before = [Piece(f"s{i}", 10 * i, 10, HULL) for i in range(8)]
    after = [Piece(f"s{i}", 10 * i, 30, HULL) for i in range(8)]
    made, looks = film(scene(*before), scene(*after), [Mark("hit", 10, 30, tone="vermilion")]), Looks(theme("light"))
    sent = packed(made, looks, {f"s{i}": i for i in range(8)})
    assert len(looks.news()["looks"]) == 1 and looks.news() == {} and len(sent["go"]) == 8
    assert sent["marks"][0][0] == "hit"
    assert sent["marks"][0][6] == theme("light")["vermilion"] and len(json.dumps(sent)) < 1000


def test_a_card_dealt_was_the_top_of_its_pile_and_the_pile_stays() -> None:
    pile, card = Piece("deck", 1, 1, BACK, flips=True), Piece("hand", 50, 60, HULL, flips=True)
    dealt = film(scene(pile), scene(pile, card), [Travel("hand", was="deck", at=100)])
    going = {each.after.id: each for each in dealt.goings if each.after}
    assert going["hand"].before == pile and going["hand"].way == ((1, 1, 0), (50, 60, 0)) and going["hand"].at == 100
    assert going["deck"].ms == 0 and len(dealt.goings) == 2
    played = film(scene(pile), scene(card), [Travel("hand", was="deck"), Travel("nowhere", was="deck too")])
    assert len(played.goings) == 1  # the card that turned into another does not fade besides


def test_a_ship_looks_hit_when_she_is_hit_however_early_she_set_out() -> None:
    before, after = scene(Piece("M1", 1, 1, HULL)), scene(Piece("M1", 9, 9, BACK))
    made = film(before, after, [Travel("M1", at=0, ms=300, changes=900)])
    assert made.goings[0].changes == 900 and made.ms == 900 + FADE
    assert made.hurried(550).goings[0].changes == pytest.approx(550 - FADE)  # and is seen to change
    assert packed(made, Looks(theme("light")), {"M1": 0})["go"][0][4:7] == [0, 300, 900]
    same = film(before, scene(Piece("M1", 9, 9, HULL)), [Travel("M1", at=0, ms=300, changes=900)])
    assert same.goings[0].changes == -1 and same.ms == 300, "what looks the same needs no time to change"


def test_words_that_are_read_at_once_do_not_lie_over_one_another_nor_outside() -> None:
    said = [Mark("note", 5, 90, text="200 ft, 0 ft off", at=at) for at in (0, 100, 900)]
    first, second, later = film(scene(), scene(), said).marks
    assert first.x > 60 and first.y == later.y == 90 and second.y < 75


def test_what_would_tell_the_end_too_soon_is_hidden_while_a_film_plays() -> None:
    frame = Layer("frame", (Rect(0, 0, 9, 9, INK),), late=True)
    assert Looks(theme("light")).layer(frame)[0] == 2
    last = Scene(100, 100, (Layer("ships", (Piece("a", 9, 9, HULL),)), frame))
    made = film(scene(Piece("a", 1, 1, HULL)), last)
    bare = replace(last, layers=last.layers[:1])
    fades = [film_svg(each, made).count('attributeName="opacity"') for each in (last, bare)]
    assert fades == [1, 0]
