"""The scratch card of Task Force: promises that hold for many moments of many games, and what the page says of them."""

from __future__ import annotations
import itertools
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from navalkit.core.awaited import run
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.core.words import Voice, speaking
from navalkit.games.task_force import PAGE, odds, page, pieces
from navalkit.games.task_force.belief import elsewhere
from navalkit.games.task_force.game import SMALL
from navalkit.games.task_force.odds import Observation, posterior
from navalkit.games.task_force.state import UNSEEN, Fly, Phase, Scratch, Strike
from navalkit.players import player
from navalkit.testing import heard, said
from navalkit.ui.play.controller import Controller
from navalkit.view.page import Glance, Look
from navalkit.view.scene import Rect, Text, contains, hit
from ..boxes import box, outside
from ..samples import sizes
from ..sentences import TASK
from .task_looks import glance_of, scene_of

LAYOUTS = pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])
NOTES = [
    frozenset(),
    frozenset({"heat.hit", "destroyer 1", "frigate 1"}),
    frozenset({"heat.danger"}),
    frozenset({"AIR"}),
    frozenset({"D-3"}),
    frozenset({"heat.value"}),
    frozenset({"why"}),
]
MAPS = ((SMALL, 0), (SMALL, 1), (SMALL, 2), ({}, 0), ({"rows": 14}, 0))


@pytest.fixture(autouse=True)
def small_samples(monkeypatch):
    """The figures need not be good here, but quick."""
    monkeypatch.setattr(odds, "SAMPLE", 200)
    monkeypatch.setattr(pieces, "VALUE_SAMPLE", 100)


@lru_cache
def games():
    """Random games on several maps, rich in flights."""
    found = []
    for options, seed in MAPS:
        rng = np.random.default_rng(seed)
        match = Match.new(load("task-force", **options), seed)
        while not match.over:
            legal = match.legal()
            flights = [a for a in legal if not isinstance(a, Scratch)]
            match.play(
                (flights or legal)[int(rng.integers(len(flights or legal)))]
                if rng.random() < 0.2
                else legal[int(rng.integers(sum(isinstance(a, Scratch) for a in legal)))]
            )
        found.append(match)
    return found


@lru_cache
def moments():
    """Some states of those games, with their games."""
    return [(m.game, m.at(n)) for m in games() for n in sorted({0, 3, *range(4, m.ply, 9), m.ply})]


def shown(game, state, tall=False, notes=frozenset()):
    return scene_of(glance_of(game, state), tall, sorted(notes))


@lru_cache
def pictures(tall):
    """The moments, each with one or other of the notes."""
    return [(game, state, shown(game, state, tall, NOTES[i % len(NOTES)])) for i, (game, state) in enumerate(moments())]


def test_the_games_come_through_every_kind_of_moment():
    assert {state.phase for _, state in moments()} >= {Phase.FLEET, Phase.TURN, Phase.FLIGHT, Phase.END}
    assert {type(ply.action) for match in games() for ply in match.plies} >= {Scratch, Fly, Strike}
    marks = set("".join(game.observe(state, 0).marks for game, state in moments()))
    assert marks >= set(".-xs") and marks & set("AC123")


@LAYOUTS
def test_every_cell_is_hit_at_its_centre_and_has_a_name_and_none_overlap(tall):
    for _, _, picture in pictures(tall):
        assert len({cell.id for cell in picture.cells}) == len(picture.cells)
        for cell in picture.cells:
            assert hit(picture, *cell.centre) == cell and cell.alt
    for one, other in itertools.permutations(picture.cells, 2):
        assert not contains(one.outline, *other.centre), (one.id, other.id)


@LAYOUTS
def test_a_click_scratches_every_square_that_may_be_scratched_and_no_other(tall):
    for game, state in moments():
        orders = {cell.action for cell in shown(game, state, tall).cells if cell.action}
        assert orders == {a for a in game.legal(state) if isinstance(a, Scratch)}


def test_with_a_flight_aimed_a_click_orders_it():
    aims = {"AIR": "strike ", "D-2": "fly helicopter 2 "}
    met = set()
    for game, state in moments():
        for aim, start in aims.items():
            wanted = {str(a) for a in game.legal(state) if str(a).startswith(start)}
            cells = shown(game, state, False, frozenset({aim})).cells
            orders = {str(c.action) for c in cells if c.action}
            assert orders == (wanted or {str(a) for a in game.legal(state) if isinstance(a, Scratch)})
            met |= {aim} if wanted else set()
    assert met == set(aims)


def test_cells_are_large_enough_for_a_finger_on_a_phone():
    """At 390 px the whole card is in sight: ten columns and all below them make squares of 33 px and more."""
    for game, _, picture in pictures(True):
        share = 390 / picture.width
        for cell in picture.cells:
            (x0, y0), _, (x1, y1), _ = cell.outline
            least = 33 if cell.id.split()[-1] in game.sea.grid.names else 44
            assert share * min(x1 - x0, y1 - y0) >= least, (cell.id, share * (x1 - x0), share * (y1 - y0))


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_waters_of_a_small_map_are_explained_in_one_line_on_a_phone(lang):
    game = load("task-force", **SMALL)
    with speaking(Voice(lang)):
        picture = scene_of(glance_of(game, Match.new(game, 1).state), True, (), (360, 340))
        assert outside(picture.shapes(), (0, 0, 360, 340)) == []


@pytest.mark.parametrize("room", [(390, 616), (360, 512), (360, 472)], ids=str)
def test_a_phones_card_is_as_large_as_its_room_and_its_texts_are_12_px(room):
    for game, state in moments()[::9]:
        for notes in NOTES:
            picture = scene_of(glance_of(game, state), True, sorted(notes), room)
            texts = [shape for shape in picture.shapes() if isinstance(shape, Text)]
            assert (picture.width, picture.height) == room and min(text.size for text in texts) >= 12
            assert outside(picture.shapes(), (0, 0, *room)) == []
            for one, other in itertools.combinations(texts, 2):
                (a0, b0, a1, b1), (c0, d0, c1, d1) = box(one), box(other)
                assert a1 <= c0 or c1 <= a0 or b1 <= d0 or d1 <= b0, (one.text, other.text)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_in_the_column_of_a_phone_lying_down_no_text_is_cut_and_no_two_meet(lang):
    room, hole = (792.0, 366.0), (552.0, 98.0, 780.0, 278.0)
    for game, state in moments()[::9]:
        for aim in ("", "AIR", "D-3"):
            look = Look(room=room, hole=hole)
            with speaking(Voice(lang)):
                glance = glance_of(game, state)
                if aim and (cell := PAGE.scene(glance, look).cell(aim)) and cell.pick:
                    look = replace(look, picks=look.picks.toggled(cell.pick))
                group = next(each for each in PAGE.scene(glance, look).layers if each.name == "group")
            texts = [shape for shape in group.shapes if isinstance(shape, Text) and shape.x >= hole[0]]
            assert texts and outside(texts, (0, 0, *room), em=0.54) == []
            for one, other in itertools.combinations(texts, 2):
                (a0, b0, a1, b1), (c0, d0, c1, d1) = box(one), box(other)
                assert a1 <= c0 or c1 <= a0 or b1 <= d0 or d1 <= b0, (one.text, other.text)


@LAYOUTS
def test_nothing_lies_outside_the_picture_and_no_two_texts_meet(tall):
    for _, _, picture in pictures(tall):
        assert outside(picture.shapes(), (0, 0, picture.width, picture.height)) == []
    texts = [s for s in picture.shapes() if isinstance(s, Text)]
    for one, other in itertools.combinations(texts, 2):
        (a0, b0, a1, b1), (c0, d0, c1, d1) = box(one), box(other)
        assert a1 <= c0 or c1 <= a0 or b1 <= d0 or d1 <= b0, (one.text, other.text)


@LAYOUTS
def test_texts_lie_wholly_in_or_wholly_beside_every_frame(tall):
    for _, _, picture in pictures(tall):
        rects = [box(s) for s in picture.shapes() if isinstance(s, Rect)]
        for words in (s for s in picture.shapes() if isinstance(s, Text)):
            left, top, right, bottom = box(words)
            for x0, y0, x1, y1 in rects:
                beside = right <= x0 or left >= x1 or bottom <= y0 or top >= y1
                assert beside or (x0 <= left and right <= x1 and y0 <= top and bottom <= y1), words.text


@sizes("every", 6, 3)
def test_two_seas_that_look_alike_make_the_same_page(every):
    rng, differ = np.random.default_rng(7), 0
    for game, state in moments()[::every]:
        if state.phase is Phase.END:
            continue
        other = elsewhere(game.observe(state, 0), state, rng)
        differ += other != state
        one, two = (game.observe(s, 0) for s in (state, other))
        assert game.legal(state) == game.legal(other)
        mine, theirs = (Glance(game, seen, 0, game.legal(state)) for seen in (one, two))
        assert run(PAGE.facts(mine)) == run(PAGE.facts(theirs))
        assert PAGE.now(mine) == PAGE.now(theirs) and PAGE.guide(mine) == PAGE.guide(theirs)
        for tall, notes in itertools.product((False, True), NOTES[:2]):
            assert shown(game, state, tall, notes) == shown(game, other, tall, notes)
    assert differ > 24 / every


def test_the_heat_map_says_what_the_posterior_says():
    seen = Observation.parse("x---. / ..... / ..-.. / ..... / .....", load("task-force", **SMALL).sea)
    game, odds = load("task-force", **SMALL), posterior(seen)
    assert odds.exact
    for note, chance in (("heat.hit", odds.hit), ("heat.danger", odds.missile + odds.submarine)):
        picture = scene_of(Glance(game, seen), False, [note])
        for square in seen.squares(UNSEEN):
            cell, p = picture.cell(seen.sea.grid.names[square]), float(chance.flat[square])
            figure = next(s.text for s in picture.shapes() if isinstance(s, Text) and (s.x, s.y) == cell.centre)
            assert figure == ("<1" if 0 < p < 0.005 else ">99" if 0.995 <= p < 1 else f"{100 * p:.0f}")
    said([s.text for s in picture.shapes() if isinstance(s, Text)], TASK, "heat.exact")


def test_lost_ships_are_crossed_out_and_said_to_be_destroyed():
    match = Match.new(load("task-force", anti_air=0), 2)
    names = match.game.sea.grid.names
    for square, _ in match.at(3).missiles:
        if not match.over:
            match.play(names[square])
    assert match.outcome.result == "loss"
    picture = shown(match.game, match.at(match.ply))
    for key in ("AIR", "CRU", "D-1", "D-2", "D-3"):
        said(picture.cell(key).alt, TASK, "group.destroyed")
    assert sum(s.text == TASK("load.lost") for s in picture.shapes() if isinstance(s, Text)) == 5


# Notes in the controller ----------------------------------------------------------------------------------------


def test_notes_toggle_rivals_exclude_each_other_and_an_aim_is_for_one_order():
    control = Controller("task-force", adviser="bayes")
    control.new(3, dict(SMALL))
    for cell in ("destroyer 1", "heat.danger", "heat.hit", "D-2"):
        control.point(cell)
    noted, heated, aimed = ("destroyer", 1), "heat", "aim"
    assert {p.kind for p in control.picks} == {noted, heated, aimed} and control.picks.get("heat") == "hit"
    said(control.status.text, TASK, "group.aimed")
    assert control.match.ply == 3
    control.point("A3")
    assert str(control.match.plies[3].action) == "fly helicopter 2 from A3"
    assert {p.kind for p in control.picks} == {noted, heated}
    control.point("destroyer 1")
    assert {p.kind for p in control.picks} == {heated}
    said(control.status.text, TASK, "notes.off")
    control.point("frigate 1")
    control.new(4)
    assert {p.kind for p in control.picks} == {heated}, "a new game begins with empty boxes"


# What the page says ---------------------------------------------------------------------------------------------


def test_orders_have_buttons_only_where_they_are_few():
    for game, state in moments():
        glance = glance_of(game, state)
        orders = PAGE.orders(glance)
        assert len(orders) <= page.MAX_BUTTONS
        few = len(glance.legal) <= page.MAX_BUTTONS
        assert [order.action for order in orders] == (list(glance.legal) if few else [])
        assert all(PAGE.spoken(glance, action) for action in glance.legal)


@sizes("every", 12, 4)
def test_what_is_called_certain_is_so_and_names_its_hints(every):
    rows = 0
    for match in games():
        end = match.at(match.ply)
        ships = {match.game.sea.grid.names[s] for ship in end.fleet for s in ship}
        for n in range(3, match.ply, every):
            for what, why in run(PAGE.facts(Glance(match.game, match.game.observe(match.at(n), 0)))).rows[3:]:
                certain = said(what, TASK, "left.certain")
                hit = certain["kind"] == TASK("why.kind.hit")
                assert all((name in ships) == hit for name in certain["squares"].split(", "))
                assert heard(why, TASK, "why.seen_at", "why.seen_more")
                rows += 1
    assert rows > 200 / every


def test_the_report_tells_where_the_fleet_lay_and_what_was_learnt():
    match = games()[0]
    report = run(PAGE.report(match.game, match, ()))
    fleet = str(match.plies[0].action).split()[1:]
    assert all(ship in report.note for ship in fleet) and match.outcome.text in report.note
    assert 0 < len(report.rows) <= 2 * page.KEY_MOMENTS
    assert all(len(row) == len(report.head) for row in report.rows)
    assert all(heard(row[2], TASK, "report.bits", "report.over") for row in report.rows)
    assert PAGE.report(match.game, Match.new("task-force", 1), ()) is None
    both = PAGE.compare(match.game, "the bayes player", match, games()[1])
    assert [row[0] for row in both.rows] == [TASK(f"compare.{key}") for key in ("rank", "ships", "hits", "scratched")]


def test_the_report_calls_a_bad_move_worse_than_the_best():
    match = Match.new(load("task-force", **SMALL), 3)
    ship = match.at(3).fleet[0]
    names = match.game.sea.grid.names
    for square in ship:
        match.play(names[square])
    seen = match.observe(0)
    odds = posterior(seen)
    hopeless = min(seen.squares(UNSEEN), key=lambda s: odds.hit.flat[s] - odds.missile.flat[s] - odds.submarine.flat[s])
    match.play(names[hopeless])
    step = match.ply
    captain, rng = player("bayes", match.game), np.random.default_rng(0)
    while not match.over:
        match.play(captain.decide(match.observe(0), match.legal(), rng).action)
    row = next(row for row in run(PAGE.report(match.game, match, ())).rows if row[0] == str(step))
    said(row[3], TASK, "report.worse")
