"""The board of On Patrol: silhouettes, names that keep clear of one another, the film of a turn, watch and computer."""

from __future__ import annotations
import itertools
from dataclasses import replace
from math import hypot

import numpy as np
import pytest

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.games.on_patrol.board import conn, page, scene as sea_scene, shapes as hulls
from navalkit.games.on_patrol.board.page import PAGE, alarmed, legend
from navalkit.games.on_patrol.board.scene import scene
from navalkit.games.on_patrol.board.shapes import SIZES, TALL, WIDE, Named, View, everything, fit, labels
from navalkit.games.on_patrol.bots import Forecast
from navalkit.games.on_patrol.odds.solution import solutions
from navalkit.games.on_patrol.sea.state import CAPTAIN, Marker, MarkerKind, Score, State
from navalkit.games.on_patrol.sea.tables import TABLES
from navalkit.grids.hex import Hex
from navalkit.players import player
from navalkit.view.film import LONGEST, Mark, Travel, film
from navalkit.view.page import Glance, Look, Moment
from navalkit.view.scene import Line, Piece, Text
from ...sentences import PATROL_PAGE


def hunted(name: str, turns: int, seed: int = 1000) -> Match:
    """A hunt played by the skipper up to a turn."""
    match = Match.new(load("on-patrol", scenario=name), seed)
    captain, rng = player("skipper", match.game), np.random.default_rng(0)
    while not match.over and match.state.turn < turns:
        match.play(captain.decide(match.observe(), match.legal(), rng).action)
    return match


@pytest.mark.parametrize("zoom", range(len(SIZES)))
def test_every_kind_of_ship_is_at_least_26_pixels_long(zoom: int) -> None:
    height = View(everything(hunted("lone-merchant", 1).state)[0], zoom).layout.height
    for type_ in TABLES.vessels.values():
        assert hulls.length(type_.kind, height) >= 26


@pytest.mark.parametrize("name", ["three-boats", "night-convoy", "carrier-group"])
@pytest.mark.parametrize("size", [WIDE, TALL], ids=["wide", "tall"])
def test_names_do_not_lie_over_one_another_and_stay_in_the_window(name: str, size: tuple[float, float]) -> None:
    state = hunted(name, 6).state
    shown = scene(state, fit(everything(state), size))
    names = [piece for id, piece in shown.pieces().items() if id.endswith(" name") and not id.startswith("S")]
    boxes = []
    for piece in names:
        text = piece.shapes[0]
        assert isinstance(text, Text) and text.size >= 12
        half = 0.25 * text.size * len(text.text)
        boxes.append((piece.x - half, piece.y - 5, piece.x + half, piece.y + 5))
    assert all(0 <= box[0] and box[2] <= size[0] for box in boxes)
    pairs = [(a, b) for n, a in enumerate(boxes) for b in boxes[:n]]
    assert not [pair for pair in pairs if pair[0][0] < pair[1][2] and pair[1][0] < pair[0][2]
                and pair[0][1] < pair[1][3] and pair[1][1] < pair[0][3]]  # fmt: skip


def test_pieces_keep_their_ids_and_share_their_looks() -> None:
    state = hunted("small-convoy", 3).state
    shown = scene(state)
    pieces = shown.pieces()
    assert {v.id for v in state.vessels} | {"S1"} <= set(pieces)
    merchants = [pieces[v.id].shapes for v in state.vessels if v.type == "tramp"]
    assert len({id(shapes) for shapes in merchants}) == 1
    assert all(isinstance(shape, Piece) for layer in shown.layers if layer.pieces for shape in layer.shapes)


def test_the_sea_is_the_same_layer_while_nothing_there_changes() -> None:
    state = hunted("night-convoy", 3).state
    view = fit(everything(state))
    assert scene(state, view, night=True).layers[0] is scene(replace(state, turn=4), view, night=True).layers[0]
    assert len(scene(state, view).layers[0].shapes) < 700


@pytest.mark.parametrize(("name", "kinds"), [
    ("small-convoy", {"ping", "ring", "track", "splash", "hit"}), ("night-convoy", {"ping", "ring", "light"}),
])  # fmt: skip
def test_a_turn_is_performed_from_what_was_told(name: str, kinds: set[str]) -> None:
    match = hunted(name, 30)
    own = [i for i, ply in enumerate(match.plies) if ply.by == CAPTAIN]
    shown = set()
    for begin, end in zip(own, own[1:], strict=False):
        glances = [Glance(match.game, match.at(n), 0, ()) for n in (begin, end)]
        look = Look(window=PAGE.frame(glances[1], Look()))
        before, last = (PAGE.scene(glance, look) for glance in glances)
        moments = [Moment(match.at(i), match.plies[i].events) for i in range(begin, end)]
        effects = PAGE.effects(match.game, moments, look, before, last)
        made = film(before, last, effects)
        assert made.ms <= LONGEST + 1
        shown |= {each.kind for each in effects if isinstance(each, Mark)}
        bursts = [each.at for each in effects if isinstance(each, Mark) and each.kind in ("hit", "sink")]
        struck = [each.changes for each in effects
                  if isinstance(each, Travel) and each.changes >= 0 and not each.piece.endswith(" name")]
        assert all(min(bursts) <= at for at in struck), "no ship looks hit before she is"
        for each in effects:
            if isinstance(each, Travel) and each.way and each.piece in last.pieces() and each.piece[0] in "EMC":
                piece = last.pieces()[each.piece]
                assert each.way[-1][:2] == pytest.approx((piece.x, piece.y), abs=0.1), each.piece
    assert kinds <= shown


def test_the_whole_sea_lies_clear_of_what_covers_its_edges() -> None:
    hexes = [Hex(0, 0), Hex(20, 0), Hex(0, 30), Hex(20, 30)]
    for size, rim in (((390.0, 430.0), (62.0, 0.0, 28.0)), ((860.0, 608.0), (22.0, 48.0, 28.0))):
        view = fit(hexes, size, rim)
        for x, y in map(view.layout.center, hexes):
            assert 0 < x < size[0] - rim[1] and rim[0] < y < size[1] - rim[2]


def test_a_name_stands_close_by_or_not_at_all_and_a_boats_has_a_line_to_her() -> None:
    crowd = [Named(f"M{n}", f"M{n}", (100 + 14 * (n % 6), 100 + 30 * (n // 6), 0.0), 46, 5) for n in range(24)]
    boat = Named("S1", "S1 · 200 ft", (135.0, 145.0, 90.0), 46, 5, keep=True)
    names = {each.id: each for each in labels([boat, *crowd], (400, 400))}
    assert len(names) < 25 and any(isinstance(shape, Line) for shape in names["S1 name"].shapes)
    for each in crowd:
        if name := names.get(f"{each.id} name"):
            assert hypot(name.x - each.pose[0], name.y - each.pose[1]) < 60


def test_a_plotted_course_is_left_when_something_happens() -> None:
    match = hunted("small-convoy", 2)
    state = match.state.without_marker("S1")
    assert not alarmed(state, replace(state, turn=3))
    assert alarmed(state, state.with_marker(Marker("S1", MarkerKind.CONTACT, state.boats[0].place)))
    assert alarmed(state, state.with_boat(replace(state.boats[0], hull=9)))
    near = replace(state.escorts[0], place=state.boats[0].place)
    assert alarmed(state, state.with_vessel(near)) and alarmed(state, replace(state, over=True))
    glance = Glance(match.game, state, 0, match.legal())
    plans = [order.action for order in PAGE.orders(glance) if len(PAGE.unfold(glance, order.action)) > 1]
    assert len(plans) == 2 and all(match.game.why_not(state, PAGE.unfold(glance, plan)[0]) is None for plan in plans)
    assert PAGE.due(state, glance, plans[0].orders[1]) is True
    later = Glance(match.game, state.with_boat(replace(state.boats[0], hull=9)), 0, match.legal())
    assert PAGE.due(state, later, plans[0].orders[1]) is None


def test_the_attack_computer_counts_every_fleet_die() -> None:
    state = hunted("small-convoy", 2).state
    ship = state.vessel("M1")
    first, second = conn.chances(state, ship)
    assert (sum(first.values()), sum(second.values())) == (6, 36)
    assert all(h.distance(ship.place.bow) <= 2 for h in first)


def test_the_attack_computer_draws_the_torpedoes_it_can_fire_and_their_figures_clear_of_ships() -> None:
    match = Match.new(load("on-patrol", scenario="lone-merchant"), 2)
    state, boat = match.state, match.state.boats[0]
    found = {s.direction: s for s in solutions(state, boat, match.game.sea)}
    view = page.framed(state, Look()).view
    (x, y), side = view.layout.center(state.vessels[0].place.bow), view.side
    drawn = conn.layer(view, state, boat, found)
    figures = [shape for shape in drawn.shapes if isinstance(shape, Text)]
    assert len(figures) == sum(s.total > 0 for s in found.values()) > 0
    assert all(hypot(each.x - x, each.y - y) > 4 * side for each in figures)


def test_the_forecast_is_what_the_escorts_do() -> None:
    """Charges fall where it says, if the marker stays where it lies."""
    right = told = 0
    for seed in range(1000, 1006):
        match = hunted("small-convoy", 40, seed)
        for i, ply in enumerate(match.plies):
            if ply.by == CAPTAIN and match.at(i).markers and match.at(i).markers[0].kind is MarkerKind.CONTACT:
                state = match.at(i)
                forecast = Forecast(state, state.boats[0], match.game.sea)
                later = [match.at(n) for n in range(i + 1, min(i + 12, match.ply))]
                fell = next((s.charges for s in later if s.turn == state.turn + 1 and s.phase > 3), ())
                if fell and forecast.charges and later[0].markers == state.markers:
                    told += 1
                    right += {c.at for c in fell} == {c.at for c in forecast.charges}
    assert told >= 5 and right >= 0.8 * told


def test_a_legend_names_what_there_is_and_as_much_as_has_room() -> None:
    state = hunted("small-convoy", 2).state.without_marker("S1")
    found = state.with_marker(Marker("S1", MarkerKind.CONTACT, state.boats[0].place))

    def told(state: State, size: tuple[float, float]) -> list[str]:
        signs, (_, _, right, _) = legend(View(state.boats[0].place.bow, size=size), state)
        assert right <= size[0]
        return [shape.text for shape in signs.shapes if isinstance(shape, Text)]

    you, merchant, escort, contact, zone = (
        PATROL_PAGE(f"legend.{key}") for key in ("boat", "merchant", "escort", "contact", "zone")
    )
    assert told(state, WIDE) == [you, merchant, escort]
    assert told(found, WIDE)[3:] == [contact, zone]
    assert told(found, TALL)[:3] == [you, merchant, escort] and not told(found, (90.0, 90.0))


def test_the_panel_after_the_end_tells_what_was_sunk_though_the_wrecks_are_gone() -> None:
    state = hunted("small-convoy", 2).state
    told = {points: [each.text for each in conn.closed(replace(state, points=points), 0, 800) if isinstance(each, Text)]
            for points in ((), (Score("sunk", "M4", 3), Score("lost", "S1", -12)))}  # fmt: skip
    none, some = (lines[-1] for lines in told.values())
    assert (none, some) == (PATROL_PAGE("panel.sunk.none"), PATROL_PAGE("panel.sunk", ships="M4"))


@pytest.mark.parametrize("size", [(360.0, 278.0), (580.0, 366.0), (860.0, 552.0)])
def test_words_at_a_place_lie_in_the_window_and_under_no_button(size: tuple[float, float]) -> None:
    for at in itertools.product((-50.0, 10.0, size[0] / 2, size[0] + 50), (-50.0, 30.0, size[1] / 2, size[1] + 50)):
        words = sea_scene._tag(at, "gone in 40 turns", size)
        half = sea_scene._LETTER * len(words.text)
        assert 0 <= words.x - half and words.x + half <= size[0] and words.y + 10 <= size[1]
        if size[0] < sea_scene.NARROW:
            assert words.y - 10 >= sea_scene.PAD - 4, "under the row of buttons"
        else:
            assert words.x + half <= size[0] - sea_scene.BUTTON - 8, "under the column of buttons"


def test_after_the_end_no_dial_is_shown_though_the_boat_is_afloat() -> None:
    match = Match.new("on-patrol", 5)
    while match.turn < 0:
        match.advance()
    for over in (False, True):
        glance = Glance(match.game, replace(match.state, over=over), 0, [] if over else match.legal())
        for look in (Look(), Look(tall=True, room=(792.0, 366.0), hole=(548.0, 96.0, 776.0, 226.0))):
            cells = {cell.id.partition("=")[0] for cell in PAGE.scene(glance, look).cells}
            assert ("depth" in cells) is not over
