"""The card table of USS Lox: snapshots in characters, and promises that hold for every state of many patrols."""

from __future__ import annotations

import itertools
import os
import random
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.games.uss_lox import cards
from navalkit.games.uss_lox.page import orders, scene
from navalkit.games.uss_lox.state import Phase
from navalkit.view.hit_test import contains, hit
from navalkit.view.scene import Circle, Line, Polygon, Rect, Text
from navalkit.view.text import text

SNAPSHOTS = Path(__file__).with_name("snapshots")
LAYOUTS = pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])
EM = 0.56  # mean width of a character

# What each snapshot shows: seed, options, orders.
TABLES = {
    "start": (5, {}, ()),
    "ship": (5, {}, ("flip A1",)),
    "escort": (5, {}, ("flip A1", "attack 2")),
    "debrief": (5, {}, ("flip A1", "attack 2", "escape", "flip B1", "attack 2")),
    "home": (5, {}, ("flip A1", "attack 2", "escape", "flip B1", "attack 2", "flip C1", "attack 2")),
    "lost": (2, {}, ("flip A1", "attack 2", "escape", "flip B1", "attack 2", "attack 0")),
    "plan": (5, {"plan_patrol": True}, ()),
    "ocean_of_23": (5, {"plan_patrol": True}, ("plan 23",)),
    "ocean_of_1": (5, {"plan_patrol": True}, ("plan 1",)),
}


def played(seed, options, texts):
    match = Match.new(load("uss-lox", **options), seed=seed)
    for order in texts:
        match.play(order)
    return match


def table(game, state, tall=False):
    """The scene as the page shows it, with odds on the torpedo places."""
    return scene(game, state, tall, {order.text: order.odds for order in orders(game, state)})


@LAYOUTS
@pytest.mark.parametrize("name", TABLES)
def test_table_in_characters(name, tall):
    match = played(*TABLES[name])
    shown = text(table(match.game, match.state, tall)) + "\n"
    path = SNAPSHOTS / f"lox_{name}_{'tall' if tall else 'wide'}.txt"
    if os.environ.get("NAVALKIT_UPDATE_SNAPSHOTS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


# Every state of many patrols


@lru_cache
def moments():
    """States that random captains come through, under all options, with the game they belong to."""
    rng = random.Random(20)
    names = ("jokers", "face_estimates", "plan_patrol", "king_ships", "queen_ships", "nob")
    found = []
    for seed in range(60):
        options = {name: rng.random() < 0.5 for name in names} | {"patrols": rng.choice((1, 2))}
        match = Match.new(load("uss-lox", **options), seed=seed)
        while not match.over:
            legal = match.legal()
            sparing = [action for action in legal if str(action) not in ("return", "attack 0")]
            match.play(rng.choice(sparing or legal))
        found += [(match.game, match.at(ply)) for ply in range(match.ply + 1)]
    return found


def test_the_patrols_come_through_every_phase():
    assert {state.phase for _, state in moments()} == set(Phase)
    assert any(state.patrol == 2 for _, state in moments())
    assert any(state.estimates for _, state in moments()) and any(state.estimated for _, state in moments())
    assert any(state.role == "extra" for _, state in moments())
    assert any(any(map(cards.is_joker, state.last)) for _, state in moments())


def clickable(game, state):
    """The orders that a click on the table gives; the others have buttons alone.

    To plan, to let a ship go, and to fire nothing at a ship that takes a torpedo to sink.
    """
    legal = [str(action) for action in game.legal(state)]
    jack = state.ship >= 0 and cards.rank(state.ship) == cards.JACK
    return sorted(o for o in legal if o != "decline" and not o.startswith("plan") and (o != "attack 0" or jack))


@LAYOUTS
def test_every_click_order_has_one_cell_and_no_cell_an_illegal_order(tall):
    for game, state in moments():
        assert sorted(cell.order for cell in table(game, state, tall).cells if cell.order) == clickable(game, state)


@LAYOUTS
def test_every_cell_is_hit_at_its_centre_and_has_a_name(tall):
    for game, state in moments():
        shown = table(game, state, tall)
        assert len({cell.id for cell in shown.cells}) == len(shown.cells)
        for cell in shown.cells:
            assert hit(shown, *cell.centre) == cell and cell.alt


@LAYOUTS
def test_cells_do_not_overlap(tall):
    for game, state in moments():
        for one, other in itertools.combinations(table(game, state, tall).cells, 2):
            assert not any(contains(one.outline, x, y) for x, y in other.outline), (one.id, other.id, state)


@LAYOUTS
def test_cells_are_large_enough_for_a_finger_on_a_phone(tall):
    """At 390 px, of which the page's margins take 34; an ocean of more than 16 cards has the buttons beside it too."""
    for game, state in moments():
        shown = table(game, state, tall)
        share = 356 / shown.width if tall else 1
        for cell in shown.cells:
            if cell.order and (len(state.ocean) <= 16 or not cell.order.startswith("flip")):
                (x0, y0), _, (x1, y1), _ = cell.outline
                assert share * (x1 - x0) >= 44 and share * (y1 - y0) >= 44, (cell.id, share * (x1 - x0))


def box(shape):
    """Left, top, right, bottom."""
    match shape:
        case Rect(x, y, w, h):
            return x, y, x + w, y + h
        case Circle(x, y, r):
            return x - r, y - r, x + r, y + r
        case Polygon(points) | Line(points):
            xs, ys = zip(*points, strict=True)
            return min(xs), min(ys), max(xs), max(ys)
        case Text(x, y, words, _, size, anchor):
            width = EM * size * len(words)
            left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
            return left, y - size / 2, left + width, y + size / 2
    raise AssertionError(shape)


@LAYOUTS
def test_nothing_lies_outside_the_picture(tall):
    for game, state in moments():
        shown = table(game, state, tall)
        for shape in shown.shapes():
            left, top, right, bottom = box(shape)
            inside = left >= 0 and top >= 0 and right <= shown.width and bottom <= shown.height
            assert inside, (shape, state)


def visible_texts(shown):
    """The painted texts that no later shape has covered, with the surface each lies on."""
    shapes = list(shown.shapes())
    for i, shape in enumerate(shapes):
        if isinstance(shape, Text) and shape.text and shape.style.fill:
            left, top, right, bottom = box(shape)
            later = (box(s) for s in shapes[i + 1 :] if isinstance(s, Rect) and s.style.fill)
            if not any(x0 < right and x1 > left and y0 < bottom and y1 > top for x0, y0, x1, y1 in later):
                yield shape


@LAYOUTS
def test_texts_do_not_run_into_each_other(tall):
    for game, state in moments():
        texts = list(visible_texts(table(game, state, tall)))
        for one, other in itertools.combinations(texts, 2):
            (a0, b0, a1, b1), (c0, d0, c1, d1) = box(one), box(other)
            assert a1 <= c0 or c1 <= a0 or b1 <= d0 or d1 <= b0, (one.text, other.text, state)


@LAYOUTS
def test_texts_stay_off_the_cards_they_do_not_lie_on(tall):
    """A text lies wholly on a card or wholly beside it."""
    for game, state in moments():
        shown = table(game, state, tall)
        rects = [box(shape) for shape in shown.shapes() if isinstance(shape, Rect)]
        for words in visible_texts(shown):
            left, top, right, bottom = box(words)
            for x0, y0, x1, y1 in rects:
                beside = right <= x0 or left >= x1 or bottom <= y0 or top >= y1
                within = left >= x0 and right <= x1 and top >= y0 and bottom <= y1
                around = left <= x0 and right >= x1 and top <= y0 and bottom >= y1
                assert beside or within or around, (words.text, box(words), (x0, y0, x1, y1))


@LAYOUTS
@pytest.mark.parametrize("ships", [1, 6, 9])
def test_every_ship_of_a_long_score_pile_can_be_read(tall, ships):
    match = played(5, {}, ("flip A1",))
    pile = tuple(c for c in range(51, -1, -4) if c != match.state.ship)[:ships]
    state = replace(match.state, sunk=pile, seen=match.state.seen | sum(1 << c for c in pile))
    shown = table(match.game, state, tall)
    indexes = {shape.text for shape in visible_texts(shown)}
    assert {cards.text(c)[0].replace("T", "10") for c in pile} <= indexes
    assert f"{state.tons:,} t" in shown.desc


@LAYOUTS
def test_a_seed_or_a_card_not_turned_up_changes_nothing_in_the_picture(tall):
    one, other = (played(seed, {}, ()) for seed in (1, 2))
    assert table(one.game, one.state, tall) == table(other.game, other.state, tall)


def test_the_description_tells_all_that_counts():
    match = played(*TABLES["escort"])
    desc = table(match.game, match.state).desc
    assert cards.name(match.state.ship) in desc and "Escort" in desc
    assert "13 torpedoes" in desc and "8 cards face down" in desc


@LAYOUTS
def test_the_combinations_that_scored_are_outlined_and_named(tall):
    match = played(*TABLES["debrief"])
    shown = table(match.game, match.state, tall)
    evidence = next(layer for layer in shown.layers if layer.name == "evidence")
    outlined = {box(shape)[:2] for shape in evidence.shapes}
    assert len(outlined) >= 2
    assert any(" " in t.text and t.text.split(":")[0] in ("fifteen", "pair", "run", "four of one suit", "flush") for t in visible_texts(shown) if ":" in t.text)
