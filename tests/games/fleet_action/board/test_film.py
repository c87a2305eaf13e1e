"""What comes over the board of Fleet Action: salvoes as a film, the hint's reasons, arcs under the pointer, wrecks."""

from __future__ import annotations

import asyncio
import re

import numpy as np
import pytest

from navalkit.core.store import Store
from navalkit.games.fleet_action.board.choice import located, pointed_at, unit_pick
from navalkit.games.fleet_action.board.evidence import evidence
from navalkit.games.fleet_action.board.page import PAGE
from navalkit.games.fleet_action.board.pieces import wreck
from navalkit.games.fleet_action.board.scene import wrecks
from navalkit.games.fleet_action.board.window import window
from navalkit.games.fleet_action.state import Fate, Move, Phase, observation
from navalkit.ui import film as player_of_films
from navalkit.ui.app import GameApp
from navalkit.ui.controller import Controller
from navalkit.ui.film import Film
from navalkit.view.page import Look, Moment
from navalkit.view.scene import Rect, Text

from ....boxes import outside
from ..battles import Story, battle
from .test_scene import LAYOUTS, battles, moments, shown

BEFORE_FIRE = ("H4 E", "G6 E", "guns Graf Spee", "guns Graf Spee")
"""The beginning of seed 3 on the River Plate, but for the last order before the guns go off."""
LAST_ORDER = "guns Graf Spee"


@pytest.fixture(autouse=True)
def raise_what_we_did_wrong(monkeypatch):
    monkeypatch.setenv("NAVALKIT_RAISE", "1")


# Salvoes --------------------------------------------------------------------------------------------------------


def salvoes(me):
    """Every salvo of the battles: game, moments as that side has them, and the picture after it."""
    for match in battles():
        control = Controller("fleet-action", seats=())
        control.match, control.me = match, me
        since = 0
        for ply in range(1, match.ply + 1):
            was, now = match.at(ply - 1), match.at(ply)
            if was.phase is Phase.SALVO and now.phase is not Phase.SALVO:
                control.view = ply if ply < match.ply else None
                yield match.game, now, control.moments(since)
                since = ply


@LAYOUTS
def test_a_film_differs_in_one_layer_and_ends_as_large_as_the_page(tall):
    filmed = 0
    for game, state, told in salvoes(0):
        last = shown(game, state, tall, me=0)
        pictures = PAGE.film(game, told, Look(tall), last)
        for picture in pictures:
            assert (picture.width, picture.height, picture.cells) == (last.width, last.height, last.cells)
            assert picture.layers[4:] == last.layers[4:]
            assert picture.layers[:3] == pictures[0].layers[:3]
            assert outside(picture.layers[3].shapes, (0, 0, last.width, last.height), 2) == []
        assert not pictures or 4 <= len(pictures) <= 10
        filmed += bool(pictures)
    assert filmed > 10


def test_the_film_tells_the_hits_that_the_log_tells():
    told_hits = 0
    for game, state, told in salvoes(1):
        events = [event for moment in told for event in moment.events if event.kind in ("salvo", "torpedoes")]
        pictures = PAGE.film(game, told, Look(), shown(game, state, me=1))
        words = [shape.text for shape in pictures[-1].shapes() if isinstance(shape, Text)] if pictures else []
        hits = [int(found[1]) for text in words if (found := re.match(r"hits (\d+) · ", text))]
        seen = told[-1].seen
        known = {seen.battle.units[n].name for side in (0, 1) for n in located(seen, side)}
        assert sum(hits) == sum(e.facts["hits"] for e in events if {e.facts["ship"], e.facts["target"]} <= known)
        told_hits += sum(hits)
    assert told_hits > 50


def test_a_film_holds_nothing_that_is_hidden():
    rng, compared = np.random.default_rng(5), 0
    for game, state, told in salvoes(0):
        permuted = observation.permute(game.battle, state, 0, rng)
        other, same = ([Moment(game.observe(s, 0), told[-1].events)] for s in (permuted, state))
        last = shown(game, state, me=0)
        assert PAGE.film(game, other, Look(), last) == PAGE.film(game, same, Look(), last)
        compared += 1
    assert compared > 10


def test_nobody_fires_no_film():
    game, state = moments()[0]
    assert PAGE.film(game, [Moment(game.observe(state, 0), ())], Look(), shown(game, state, me=0)) == ()


def test_scenes_are_played_in_turn_and_the_last_one_stays(monkeypatch):
    monkeypatch.setattr(player_of_films, "PAUSE", 0.001)

    async def whole():
        seen = []
        film = Film(seen.append)
        film.play("abc", "z")
        assert seen == ["a"] and film.running
        while film.running:
            await asyncio.sleep(0.001)
        return seen

    assert asyncio.run(whole()) == ["a", "b", "c", "z"]


def test_a_film_is_skipped_once_and_gives_way_to_the_next(monkeypatch):
    async def cut():
        seen = []
        film = Film(seen.append)
        assert not film.skip()
        film.play("abc", "z")
        assert film.skip() and not film.running and not film.skip()
        film.play("de", "y")
        film.play((), "x")
        await asyncio.sleep(0)
        return seen, film.running

    assert asyncio.run(cut()) == (["a", "z", "d", "x"], False)


def test_calm_browsers_and_plain_python_see_the_end_at_once():
    async def calm():
        seen = []
        film = Film(seen.append)
        film.calm = True
        film.play("abc", "z")
        return seen

    seen = []
    Film(seen.append).play("abc", "z")
    assert seen == ["z"] == asyncio.run(calm())


@pytest.fixture
def app(tmp_path):
    made = GameApp("fleet-action", Store(tmp_path), adviser="admiral", seats=("", "admiral"))
    made.bridge.send = lambda content, buffers=None: None
    hello = {"event": "hello", "query": "?seed=3", "stored": {}, "tab": False, "theme": "light", "width": 1280}
    made.bridge._handle_custom_msg(hello | {"header": True, "calm": False}, [])
    return made


def test_the_page_plays_a_salvo_and_a_press_on_the_board_ends_it_and_orders_nothing(app):
    async def play():
        for text in BEFORE_FIRE:
            app.control.order(text)
            assert not app.film.running, "a move or an order of fire is no film"
        app.control.order(LAST_ORDER)
        assert app.film.running and app.board._scene != app.scene()
        before, ply = app.control.status.count, app.control.match.ply
        square = next(cell for cell in app.scene().cells if cell.pick and cell.pick.kind == "aim")
        x, y = square.centre
        app.board._press(2 * x, 2 * y)
        assert not app.film.running and app.board._scene == app.scene()
        assert (app.control.status.count, app.control.match.ply) == (before, ply)
        app.board._press(2 * x, 2 * y)
        assert app.control.status.count > before
        app.control.undo(agreed=True)
        assert not app.film.running

    asyncio.run(play())


def test_a_press_beside_every_cell_and_a_key_end_the_film_too(app):
    async def play(end):
        app.control.new("3")
        for text in (*BEFORE_FIRE, LAST_ORDER):
            app.control.order(text)
        assert app.film.running
        end()
        assert not app.film.running

    canvas = app.board.canvas[-1]
    asyncio.run(play(lambda: canvas._handle_frontend_event(None, {"event": "mouse_down", "x": 1.0, "y": 1.0}, [])))
    key = {"event": "key_down", "key": "a", "shift_key": False, "ctrl_key": False, "meta_key": False}
    asyncio.run(play(lambda: canvas._handle_frontend_event(None, key, [])))


def test_at_one_screen_each_sees_the_salvo_from_her_own_seat(app):
    async def play():
        control, films = app.control, []
        control.new("3", seats=("", ""))
        for _ in range(90):
            if control.covered:
                assert not app.film.running and app.board._scene != app.scene()
                control.take_seat()
                continue
            if app.film.running:
                films.append(control.me)
                app.film.skip()
            if len(films) == 2:
                break
            control.order(control.orders()[0].text)  # ahead, and then fire
        return films

    assert sorted(asyncio.run(play())) == [0, 1]


# Reasons --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["river_plate", "night_action", "mined_strait", "iowa_convoy"])
def test_the_hint_is_drawn_on_the_board_until_the_next_order(scenario):
    control = Controller("fleet-action", adviser="admiral", seats=("", "admiral"))
    control.new("3", {"scenario": scenario})
    drawn = set()
    for _ in range(8):
        if control.match.over:
            break
        plain = control.scene()
        control.advise()
        for tall in (True, False):
            control.tall = tall
            told = control.scene()
            assert outside(told.layers[3].shapes, (0, 0, told.width, told.height), 2) == []
        seen = control.seen
        w = window(seen.battle.grid, False, None)
        over = set(control.scene().layers[3].shapes) - set(plain.layers[3].shapes)
        frames = {(shape.x, shape.y) for shape in over if isinstance(shape, Rect) and shape.style.stroke == "accent"}
        chosen = [option for option in control.hint.options if option.action == control.hint.action]
        marks = [mark for option in chosen for fact in option.facts for mark in fact.marks if mark.kind == "cell"]
        for cell in {cell for mark in marks for cell in mark.at}:
            x, y = w.corner(seen.battle.grid.number(cell))
            assert (x + 2, y + 2) in frames, cell
            drawn.add(cell)
        if isinstance(control.hint.action, Move):
            x, y = w.centre(seen.battle.grid.number(control.hint.action.square))
            assert any(shape.style.dash == (4, 3) for shape in over), "a hull where she would lie"
        control.order(str(control.hint.action))
        assert control.hint is None
    assert drawn


def test_after_the_end_the_reasons_of_a_machines_order_are_drawn_where_one_looks_back():
    control = Controller("fleet-action", adviser="admiral", seats=("gunnery", "admiral"))
    control.new("3", {"moves": 2})
    assert control.match.over
    w = window(control.game.battle.grid, False, None)
    shown_ = 0
    for ply in range(1, control.match.ply):
        control.look_at(ply)
        drawn = evidence(w, control.seen, control.reasons())
        shown_ += bool(drawn)
        assert set(drawn) <= set(control.scene().layers[3].shapes)
    assert shown_ > 3 and evidence(w, control.seen, None) == ()


# The pointer ----------------------------------------------------------------------------------------------------


def hover(app, x, y):
    """The browser says that the pointer rests there, in px of the picture."""
    scene = app.board._scene
    app.bridge._handle_custom_msg({"event": "hover", "x": x / scene.width, "y": y / scene.height}, [])


def test_arcs_and_ranges_of_any_ship_under_the_pointer_and_no_word_about_it(app):
    plain, count, frames = app.board._scene, app.control.status.count, app.board.frames
    w, seen = window(app.control.game.battle.grid, False, None), app.control.seen
    for name, token in (("Ajax", "orange"), ("Exeter", "orange"), ("Graf Spee", "vermilion")):
        hover(app, *w.centre(seen.view.ships[seen.battle.numbers[name]].square))
        fields = [s for s in app.board._scene.layers[1].shapes if s.style.fill == token]
        rings = [s for s in app.board._scene.layers[1].shapes if s.style.width == 3.0]
        assert len(fields) > 20 and rings, name
        changed = [a.name for a, b in zip(plain.layers, app.board._scene.layers, strict=True) if a != b]
        assert changed == ["under"]
    hover(app, *w.centre(seen.battle.grid.number("P10")))
    assert app.board._scene == plain
    sent = app.board.frames
    hover(app, *w.centre(seen.battle.grid.number("P9")))
    hover(app, -1, -1)
    assert app.board.frames == sent > frames and app.control.status.count == count


def test_a_ship_is_pointed_at_by_her_square_or_her_name():
    story = Story(battle("Ajax C4 NE", "Emden M5 W"))
    seen = story.game.observe(story.state, 0)
    numbers = seen.battle.numbers
    assert pointed_at(seen, "C4") == pointed_at(seen, "unit Ajax") == numbers["Ajax"]
    assert pointed_at(seen, "foe Emden") == pointed_at(seen, "M5") == numbers["Emden"]
    assert pointed_at(seen, "") is pointed_at(seen, "D4") is pointed_at(seen, "head N") is None


def test_a_ship_that_is_picked_shows_how_far_she_reaches():
    """On a touch screen nothing hovers."""
    story = Story(battle("Ajax C4 NE", "Emden M5 W"))
    plain, picked = (shown(story.game, story.state, True, picks) for picks in ((), (unit_pick("Ajax"),)))
    assert len(picked.layers[1].shapes) > len(plain.layers[1].shapes)


# Wrecks ---------------------------------------------------------------------------------------------------------


def test_a_wreck_lies_where_she_sank_and_is_told_of():
    seen_wrecks = 0
    for game, state in moments():
        for me in (0, 1):
            seen = game.observe(state, me)
            drawn = shown(game, state, me=me)
            for square, numbers in wrecks(seen).items():
                place = game.battle.grid.names[square]
                cell = drawn.cell(place)
                for number in numbers:
                    name = game.battle.units[number].name
                    assert state.ships[number].fate is Fate.SUNK
                    assert f"{name} at {place}" in drawn.desc
                    assert cell.action or f"wreck of {name}" in cell.alt
                    seen_wrecks += 1
    assert seen_wrecks > 20


def test_a_ship_sunk_behind_the_screen_leaves_no_wreck_on_the_board():
    open_sea = Story(battle("Ajax E5 E", "Emden M5 W")).hurt("Ajax", damage=205).mine("F5", 1)
    open_sea.play("Ajax: F5 E", "Ajax: mine F5 7")
    ajax = open_sea.ship("Ajax")
    assert ajax.fate is Fate.SUNK and ajax.wreck == open_sea.battle.grid.number("F5")
    behind = battle("Ajax E5 E", "Emden M5 W", more='hidden = 2\nscreen = "I"')
    screened = Story(behind).hurt("Ajax", damage=205).mine("F5", 1)
    screened.play("Ajax: F5 E", "Ajax: mine F5 7")
    assert screened.ship("Ajax").fate is Fate.SUNK and screened.ship("Ajax").wreck < 0


def test_a_wreck_is_muted_and_lies_under_the_ships():
    story = Story(battle("Ajax E5 E", "Emden M5 W")).hurt("Ajax", damage=205).mine("F5", 1)
    story.play("Ajax: F5 E", "Ajax: mine F5 7")
    drawn, w = shown(story.game, story.state, me=1), window(story.battle.grid, False, None)
    hull = wreck(*w.centre(story.battle.grid.number("F5")), "light cruiser", 0, w.side, 2, "muted")
    assert set(hull) <= set(drawn.layers[1].shapes)
    assert {shape.style.stroke for shape in hull} == {"muted"}
