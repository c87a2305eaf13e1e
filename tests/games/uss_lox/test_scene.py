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
from navalkit.games.uss_lox.page import PAGE
from navalkit.games.uss_lox.state import Phase
from navalkit.testing import heard, said
from navalkit.view.page import Glance, Look
from navalkit.view.painters import text
from navalkit.view.scene import Rect, Text, contains, hit
from ...boxes import box, outside
from ...sentences import LOX, wordless

SNAPSHOTS = Path(__file__).with_name("snapshots")
USUAL = {"wide": Look(), "tall": Look(tall=True)}
LOW = (360, 480)
ROOMS = {
    f"{width}x{height}": Look(tall=width < 400, room=(width, height))
    for width, height in ((1400, 960), LOW)
}
# A phone that lies down, with what its page's column leaves free: in play, in a first game, after the end.
ROOMS |= {
    f"{width:.0f}x{height:.0f} hole {high:.0f}": Look(room=(width, height), hole=(width - 240, high, width - 12, low))
    for width, height, high, low in ((792.0, 390.0, 96.0, 280.0), (792.0, 366.0, 130.0, 280.0),
                                     (792.0, 354.0, 90.0, 228.0))
}
LAYOUTS = pytest.mark.parametrize("look", [*USUAL.values(), *ROOMS.values()], ids=[*USUAL, *ROOMS])

# What each snapshot shows: options, and actions with every card that is turned up, so that no seed matters.
ESCORT = "flip A1; A1=4H; attack 2; torpedo=7D; torpedo=9D; escort=9H"
SCORED = f"{ESCORT}; escape; flip B1; B1=8C; attack 3; torpedo=7S; torpedo=8S; torpedo=9C"


def gun(*torpedoes):
    """A jack is sunk with as many of these as it takes."""
    fired = torpedoes[: cards.GUN_TORPEDOES]
    return "; ".join([f"attack {len(fired)}", *(f"torpedo={card}" for card in fired)])


TABLES = {
    "start": ({}, ""),
    "ship": ({}, "flip A1; A1=4H"),
    "jack": ({}, "flip C3; C3=JS"),
    "escort": ({}, ESCORT),
    "escort_too_dear": ({}, f"{SCORED}; flip B2; B2=KS; attack 1; torpedo=2D; escort=TH"),
    "scored": ({}, SCORED),
    "home": ({}, f"{SCORED}; return"),
    "lost": ({}, f"{ESCORT}; attack 0"),
    "plan": ({"plan_patrol": True}, ""),
    "ocean_of_23": ({"plan_patrol": True}, "plan 23"),
    "ocean_of_1": ({"plan_patrol": True}, "plan 1"),
    "queen": ({"queen_ships": True}, "flip A1; A1=QH; attack 1; torpedo=QS"),
    "extra_target": ({"queen_ships": True}, "flip A1; A1=QH; attack 1; torpedo=QS; chase; extra=KD"),
    "estimates": ({"face_estimates": True},
                  f"flip A1; A1=JH; {gun('3C', '5D', '9S')}; flip A2; A2=JS; {gun('2C', '4D', '8S')}; "
                  "return; estimate=7C"),
    "king_ship": ({"king_ships": True}, "flip B2; B2=KC"),
    "joker": ({"jokers": True}, "flip A1; A1=4H; attack 1; torpedo=X1; escort=3H"),
    "second_patrol": ({"patrols": 2}, f"flip A1; A1=JH; {gun('3C', '5D', '9S')}; return"),
}


def played(name):
    """The game and the state of one of these tables."""
    options, actions = TABLES[name]
    game = load("uss-lox", **options)
    state = game.initial()
    for action in filter(None, actions.split("; ")):
        state = game.apply(state, game.parse_action(action)).state
    return game, state


def table(game, state, look=USUAL["wide"]):
    """The scene as the page shows it, with odds on the torpedo places."""
    return PAGE.scene(Glance(game, state, 0, game.legal(state)), look)


@pytest.mark.parametrize("layout", USUAL)
@pytest.mark.parametrize("name", TABLES)
def test_table_in_characters(name, layout):
    """After a wanted change renew the snapshots with ``NAVALKIT_RENEW=1`` and look at them."""
    with wordless():
        shown = text(table(*played(name), USUAL[layout])) + "\n"
    path = SNAPSHOTS / f"{name}_{layout}.txt"
    if os.environ.get("NAVALKIT_RENEW"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


# Every state of many patrols


@lru_cache
def moments():
    """The tables above, and states that random captains come through under all options, with their games."""
    rng = random.Random(20)
    names = ("jokers", "face_estimates", "plan_patrol", "king_ships", "queen_ships", "nob")
    found = [played(name) for name in TABLES]
    for seed in range(8):
        options = {name: rng.random() < 0.5 for name in names} | {"patrols": rng.choice((1, 2))}
        match = Match.new(load("uss-lox", **options), seed=seed)
        while not match.over:
            legal = match.legal()
            sparing = [action for action in legal if str(action) not in ("return", "attack 0")]
            match.play(rng.choice(sparing or legal))
        found += [(match.game, match.at(ply)) for ply in range(match.ply + 1)]
    return found


@lru_cache
def _tables(name):
    return [(game, state, table(game, state, (USUAL | ROOMS)[name])) for game, state in moments()]


def tables(look):
    """The moments, each with its picture, which is drawn once."""
    return _tables(next(name for name, each in (USUAL | ROOMS).items() if each == look))


def test_the_patrols_come_through_every_phase():
    assert {state.phase for _, state in moments()} == set(Phase)
    assert any(state.patrol == 2 for _, state in moments())
    assert any(state.estimates for _, state in moments()) and any(state.estimated for _, state in moments())
    assert any(state.role == "extra" for _, state in moments())
    assert any(any(map(cards.is_joker, state.last)) for _, state in moments())


def clickable(game, state):
    """The orders that a click on the table gives; the others have buttons alone.

    To plan, to let a ship go, to end the patrol, and to fire nothing at a ship that takes a torpedo to sink.
    """
    legal = [str(action) for action in game.legal(state)]
    jack = cards.by_gun(state.ship, 0)
    buttons = ("decline", "return") if jack else ("decline", "return", "attack 0")
    return sorted(o for o in legal if o not in buttons and not o.startswith("plan"))


@LAYOUTS
def test_every_click_order_has_one_cell_and_no_cell_an_illegal_order(look):
    for game, state, shown in tables(look):
        given = [str(cell.action) for cell in shown.cells if cell.action]
        assert sorted(given) == clickable(game, state)


@LAYOUTS
def test_every_cell_is_hit_at_its_centre_and_has_a_name(look):
    for *_, shown in tables(look):
        assert len({cell.id for cell in shown.cells}) == len(shown.cells)
        for cell in shown.cells:
            assert hit(shown, *cell.centre) == cell and cell.alt


@LAYOUTS
def test_cells_do_not_overlap(look):
    for _, state, shown in tables(look):
        for one, other in itertools.combinations(shown.cells, 2):
            assert not any(contains(one.outline, x, y) for x, y in other.outline), (one.id, other.id, state)


@LAYOUTS
def test_cells_are_large_enough_for_a_finger_on_a_phone(look):
    """On a low phone too. On a desk an ocean of 25 may have smaller ones."""
    for _, state, shown in tables(look):
        if (look.tall or look.hole) and look.room and len(state.squares) > 9:
            continue  # a planned ocean of five rows is made smaller where it does not fit
        width, height = look.room or (shown.width, shown.height)
        share = min(width / shown.width, height / shown.height) if look.tall else 1
        for cell in shown.cells:
            if cell.action is not None:
                (x0, y0), _, (x1, y1), _ = cell.outline
                assert share * min(x1 - x0, y1 - y0) >= 44, (cell.id, share * (x1 - x0))


@LAYOUTS
def test_nothing_lies_outside_the_picture(look):
    for _, state, shown in tables(look):
        assert outside(shown.shapes(), (0, 0, shown.width, shown.height)) == [], state


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
def test_texts_do_not_run_into_each_other(look):
    for _, state, shown in tables(look):
        texts = list(visible_texts(shown))
        for one, other in itertools.combinations(texts, 2):
            (a0, b0, a1, b1), (c0, d0, c1, d1) = box(one), box(other)
            assert a1 <= c0 or c1 <= a0 or b1 <= d0 or d1 <= b0, (one.text, other.text, state)


@LAYOUTS
def test_texts_lie_wholly_on_a_card_or_wholly_beside_it(look):
    for *_, shown in tables(look):
        shapes = list(shown.shapes())
        rects = [(i, box(shape), shape.style.fill) for i, shape in enumerate(shapes) if isinstance(shape, Rect)]
        for words in visible_texts(shown):
            left, top, right, bottom = box(words)
            under = shapes.index(words)
            holds = [
                i for i, (x0, y0, x1, y1), fill in rects
                if fill and i < under and x0 <= left and right <= x1 and y0 <= top and bottom <= y1
            ]  # fmt: skip
            for i, (x0, y0, x1, y1), _ in rects:
                if i >= max(holds, default=0):  # what lies under the card that holds the text does not matter
                    beside = right <= x0 or left >= x1 or bottom <= y0 or top >= y1
                    within = x0 <= left and right <= x1 and y0 <= top and bottom <= y1
                    assert beside or within, (words.text, box(words), (x0, y0, x1, y1))


@LAYOUTS
@pytest.mark.parametrize("ships", [1, 5, 8])
def test_every_ship_on_the_sea_floor_can_be_told(look, ships):
    """By her card, on the floor and beside the names of the others."""
    game, state = played("ship")
    pile = tuple(c for c in range(51, -1, -4) if c != state.ship)[:ships]
    state = replace(state, sunk=pile, seen=state.seen | sum(1 << c for c in pile))
    shown = table(game, state, look)
    pieces = [piece for id, piece in shown.pieces().items() if id.startswith("sunk ")]
    names = [next(shape for shape in piece.placed() if isinstance(shape, Text)) for piece in pieces]
    assert [name.text for name in names] == [cards.symbol(c) for c in pile]
    (left, top), _, (right, low), _ = shown.cell("score").outline
    for name, other in itertools.combinations(names, 2):
        (a0, b0, a1, b1), (c0, d0, c1, d1) = box(name), box(other)
        assert a1 <= c0 or c1 <= a0 or b1 <= d0 or d1 <= b0, (name.text, other.text)
    assert outside(names, (left, top, right, low)) == []
    said(shown.desc, LOX, "table.told.left", tonnage=LOX.phrase("tonnage.all", tons=state.tons))


@LAYOUTS
def test_what_nobody_has_turned_up_is_not_in_the_picture(look):
    """The state holds no such card, and slots in another order make the same picture."""
    game, state = played("escort")
    other = replace(state, supply=state.supply[::-1], deck=state.deck[::-1])
    assert table(game, state, look) == table(game, other, look)


def test_the_description_tells_all_that_counts():
    desc = table(*played("escort")).desc
    said(desc, LOX, "table.ship.escort")
    said(desc, LOX, "table.told.left", torpedoes=13)
    said(desc, LOX, "table.told.ocean", left=8)


@LAYOUTS
def test_the_combinations_that_scored_are_outlined_and_named(look):
    shown = table(*played("scored"), look)
    evidence = next(layer for layer in shown.layers if layer.name == "evidence")
    assert len({box(shape) for shape in evidence.shapes}) == 4, "8 7 8 9: every card scores"
    told = " ".join(s.text for s in visible_texts(shown))
    said(told, LOX, "scores.short.fifteen", cards="7♠ 8♣")
    assert look.tall or said(told, LOX, "scores.short.pair", cards="8♣ 8♠")


@LAYOUTS
def test_of_many_combinations_as_many_are_named_as_have_room(look):
    game, state = played("scored")
    hand = tuple(cards.parse(c) for c in ("5H", "5S", "5D", "JC"))
    state = replace(state, last=hand, seen=state.seen | sum(1 << c for c in hand))
    shown = table(game, state, look)
    told = [s for s in visible_texts(shown) if heard(s.text, LOX, "table.more")]
    named = [s for s in visible_texts(shown) if heard(s.text, LOX, "scores.short.fifteen", "scores.short.pair")]
    assert len(told) == 1 or (look.room and look.room[0] > 1000 and len(named) > 5)


def test_what_can_be_done_fits_the_ship_and_the_torpedoes_left():
    told, dice = set(), random.Random(5)
    for seed in range(60):
        match = Match.new(load("uss-lox"), seed)
        while not match.over:
            state = match.state
            words = PAGE.now(Glance(match.game, match.observe(0), 0, match.legal()))
            if state.phase in (Phase.TARGET, Phase.ESCORT):
                cost, gun = cards.pips(state.ship), cards.by_gun(state.ship, state.torpedoes)
                cornered = not gun and state.phase is Phase.ESCORT and cost > state.torpedoes
                now = heard(words, LOX, "now.gun", "now.cornered")
                assert ("now.gun" in now) == gun and ("now.cornered" in now) == cornered
                assert not cornered or said(words, LOX, "now.cornered", cost=cost, cards=state.torpedoes)
                told.add((gun, cornered))
            match.play(dice.choice(match.legal()))
    assert told == {(True, False), (False, True), (False, False)}
