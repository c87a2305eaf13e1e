"""What comes over the board of Fleet Action: the film of a move, the hint's reasons, arcs under the pointer, wrecks."""

from __future__ import annotations
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from navalkit.core.match import Store
from navalkit.games.fleet_action import sight
from navalkit.games.fleet_action.board import effects
from navalkit.games.fleet_action.board.afloat import name_piece, window, wrecks
from navalkit.games.fleet_action.board.choice import located, pointed_at, unit_pick
from navalkit.games.fleet_action.board.page import PAGE
from navalkit.games.fleet_action.board.pieces import LEAST, wreck
from navalkit.games.fleet_action.board.seascape import evidence
from navalkit.games.fleet_action.state import Done, Fate, Move, Phase
from navalkit.testing import said
from navalkit.ui.play.app import GameApp
from navalkit.ui.play.controller import Controller
from navalkit.view.film import LONGEST, Beat, Mark, Travel, film
from navalkit.view.page import Look, Moment
from navalkit.view.scene import Rect
from ....boxes import box, outside
from ....samples import sizes
from ....sentences import FLEET_PAGE
from ..battles import Story, battle
from .test_scene import LAYOUTS, battles, layer, moments, shown


@pytest.fixture(autouse=True)
def raise_what_we_did_wrong(monkeypatch):
    monkeypatch.setenv("NAVALKIT_RAISE", "1")


# The film -------------------------------------------------------------------------------------------------------


FILMS = sizes("nth", 6, 3)


def turns(me, nth=3):
    """What a side has not been shown when it decides again: game, state before, after, moments.

    Of every battle each nth decision, beginning with another one in each.
    """
    for number, match in enumerate(battles()):
        control = Controller("fleet-action", seats=())
        control.match, control.me = match, me
        ends = [ply for ply in range(1, match.ply + 1) if match.game.turn(match.at(ply)) == me or ply == match.ply]
        for since, ply in list(pairwise([0, *ends]))[number % nth :: nth]:
            control.view = ply if ply < match.ply else None
            yield match.game, match.at(since), match.at(ply), control.moments(since)


@FILMS
@LAYOUTS
def test_ships_travel_from_where_they_were_to_where_they_are(tall, nth):
    travelled = 0
    for game, before, after, told in turns(0, nth):
        first, last = shown(game, before, tall, me=0), shown(game, after, tall, me=0)
        made = PAGE.effects(game, told, Look(tall), first, last)
        pieces = last.pieces()
        for each in made:
            if isinstance(each, Travel) and each.piece in pieces and each.way:
                piece = pieces[each.piece]
                if piece.id in game.battle.numbers and after.ships[game.battle.numbers[piece.id]].fate is Fate.AT_SEA:
                    # Within half a square: several ships lie side by side in one.
                    assert np.hypot(each.way[-1][0] - piece.x, each.way[-1][1] - piece.y) < 24
                    travelled += 1
        assert film(first, last, made).ms <= LONGEST
    assert travelled > 50


def test_a_ship_goes_by_the_squares_she_entered():
    story = Story(battle("Ajax C4 NE", "Emden M5 W"))
    before, state = shown(story.game, story.state, me=0), story.state
    story.play("Ajax: F3 E")
    last = shown(story.game, story.state, me=0)
    (way,) = [event.facts["way"] for event in story.events if event.kind == "moved"]
    told = [Moment(story.game.observe(state, 0), tuple(story.events[-1:]))]
    made = PAGE.effects(story.game, told, Look(), before, last)
    (ajax,) = [each for each in made if isinstance(each, Travel) and each.piece == "Ajax"]
    places = [last.cell(name).centre for name in ("C4", *way)]
    assert np.allclose([pose[:2] for pose in ajax.way], places) and ajax.way[-1][2] == 90.0
    assert ajax.way[0][2] == 45.0 and len(way) >= 2


def test_ships_that_sail_twice_are_told_once():
    story = Story(battle("Ajax C4 NE, Exeter C6 NE", "Emden M5 W"))
    before, seen = shown(story.game, story.state, me=0), story.game.observe(story.state, 0)
    story.play("Ajax: F3 E", "Exeter: F5 E")
    sailed = tuple(event for event in story.events if event.kind == "moved") * 2
    made = PAGE.effects(story.game, [Moment(seen, sailed)], Look(), before, shown(story.game, story.state, me=0))
    assert said([each.text for each in made if isinstance(each, Beat)], FLEET_PAGE, "film.sail")["n"] == 2


def test_fire_from_beyond_a_phones_window_comes_from_where_the_ship_is():
    story = Story(battle("Ajax C4 NE", "Emden M5 W"), move=2)
    seen, last = story.game.observe(story.state, 0), shown(story.game, story.state, tall=True, me=0)
    places = effects._Places(seen, last)
    assert places.ship(seen, "Emden") is None and places.ship(seen, "Emden", beyond=True)[0] > last.width


@FILMS
def test_the_film_tells_the_hits_that_the_log_tells(nth):
    told_hits = 0
    for game, before, after, told in turns(1, nth):
        events = [event for moment in told for event in moment.events if event.kind in ("salvo", "torpedoes")]
        if not events:
            continue
        last = shown(game, after, me=1)
        made = PAGE.effects(game, told, Look(), shown(game, before, me=1), last)
        words = [each.text for each in made if isinstance(each, Beat)]
        hits = [text.facts["hits"] for text in words if getattr(text, "key", "") == "film.hits"]
        firing = next(moment.seen for moment in told if any(e in moment.events for e in events))
        seen = [n for side in (0, 1) for n in located(firing, side)]
        names, ships = firing.battle.grid.names, firing.view.ships  # a large sea is shown in part
        known = {firing.battle.units[n].name for n in seen if last.cell(names[ships[n].square])}
        assert sum(hits) == sum(e.facts["hits"] for e in events if {e.facts["ship"], e.facts["target"]} <= known)
        told_hits += sum(hits)
        kinds = {each.kind for each in made if isinstance(each, Mark)}
        assert kinds & {"shell", "track"} or not hits
    assert told_hits > 50


@FILMS
def test_a_film_holds_nothing_that_is_hidden(nth):
    """Neither the effects nor the ids of pieces depend on what the player does not know."""
    rng, compared = np.random.default_rng(5), 0
    for game, _, after, _ in turns(0, nth):
        if game.turn(after) < 0:
            continue
        permuted = sight.permute(game.battle, after, 0, rng)
        last, other = (shown(game, state, me=0) for state in (after, permuted))
        assert last.pieces() == other.pieces()
        hidden = {game.battle.units[n].name for n in game.battle.fleet(1)}
        hidden -= {game.battle.units[n].name for n in located(game.observe(after, 0), 1)}
        hidden -= {unit.name for unit, own in zip(game.battle.units, after.ships, strict=True) if own.wreck >= 0}
        assert not hidden & last.pieces().keys()
        compared += bool(hidden)
    assert compared > 30 / nth


def test_nothing_happens_no_film():
    game, state = moments()[0]
    last = shown(game, state, me=0)
    assert PAGE.effects(game, [Moment(game.observe(state, 0), ())], Look(), last, last) == ()
    assert PAGE.effects(game, (), Look(), last, last) == ()


def test_a_mine_and_a_ship_that_sinks_are_seen():
    story = Story(battle("Ajax E5 E", "Emden M5 W")).hurt("Ajax", damage=205).mine("F5", 1)
    state, since = story.state, len(story.events)
    story.play("Ajax: F5 E", "Ajax: mine F5 7")
    told = [Moment(story.game.observe(state, 0), tuple(story.events[since:]))]
    last = shown(story.game, story.state, me=1)
    made = PAGE.effects(story.game, told, Look(), last, last)
    marks = [each for each in made if isinstance(each, Mark)]
    assert [each.kind for each in marks] == ["hit", "note", "sink"] and "70" in marks[1].text
    ajax = next(each for each in made if isinstance(each, Travel) and each.piece == "Ajax")
    assert ajax.changes >= marks[2].at > 0, "she looks sunk when she sinks, not when she sets out"


def fought(story, me, *orders):
    """The film of those orders and of all that follows in the move, every gun hitting with all its dice."""
    game, since, told = story.game, story.state, []
    waiting = list(orders)
    while story.state.move == since.move and story.state.phase is not Phase.END:
        before, n = story.state, len(story.events)
        if game.turn(before) >= 0:
            ready = next((text for text in waiting if game.parse_action(text) in game.legal(before)), "")
            waiting = [text for text in waiting if text != ready]
            story.play(ready or str(game.legal(before)[0] if before.phase is Phase.TURRETS else Done()))
        else:
            story.play(str(list(game.chance(before))[-1]))
        events = tuple(event for event in story.events[n:] if event.seen_by(me))
        told.append(Moment(game.observe(before, me), events))
    assert not waiting
    first, last = shown(game, since, me=me), shown(game, story.state, me=me)
    return PAGE.effects(game, told, Look(), first, last), told, last


@pytest.mark.parametrize("later", [False, True])
def test_F43_the_guns_of_a_boat_that_nobody_has_seen_are_shown_as_they_fire(later):
    """Whom they hit, with what; and where she lies as far as the board shows it afterwards."""
    story = Story(battle("U 552 F6 E (U 552)", "Walker H6 W (Walker 1941)", light="night"))
    made, told, last = fought(story, 1, "U 552: guns Walker")
    boat = story.battle.numbers["U 552"]
    assert all(boat not in located(each.seen, 0) for each in told), "she is not seen before she has fired"
    marks = [each for each in made if isinstance(each, Mark)]
    (beat,) = [each for each in made if isinstance(each, Beat) and getattr(each.text, "key", "") == "film.fire"]
    dice = [each for each in marks if each.kind == "die"]
    thrown = sum(event.facts["dice"] for each in told for event in each.events if event.kind == "salvo")
    assert beat.text.facts["target"] == "Walker" and len(dice) == thrown > 0
    assert [each for each in marks if each.kind == "count"]
    (shell,) = [each for each in marks if each.kind == "shell"]
    (came,) = [each for each in made if isinstance(each, Travel) and each.piece == "U 552"]
    assert "U 552" in last.pieces() and beat.at <= came.at <= shell.at and not came.way
    piece = last.pieces()["U 552"]
    assert np.hypot(shell.x - piece.x, shell.y - piece.y) < 30
    if later:  # she dived again before anybody could look
        hidden = replace(last, layers=tuple(
            replace(each, shapes=tuple(shape for shape in each.shapes if getattr(shape, "id", "") != "U 552"))
            for each in last.layers))
        made = PAGE.effects(story.game, told, Look(), hidden, hidden)
        kinds = {each.kind for each in made if isinstance(each, Mark)}
        assert "die" in kinds and not kinds & {"shell", "flash"}
        assert "U 552" not in {each.piece for each in made if isinstance(each, Travel)}


def test_F19_a_ship_that_sinks_is_seen_to_sink_when_all_have_fired():
    story = Story(battle("Ajax E5 N", "Emden H5 N, Cossack E8 E"))
    for name in ("Ajax", "Emden"):
        story.hurt(name, damage=story.battle.card(story.battle.numbers[name]).sinking_rate)
    made, _, _ = fought(story, 0, "Ajax: guns Emden", "Emden: guns Ajax", "Cossack: guns Ajax")
    marks = [each for each in made if isinstance(each, Mark)]
    fired = max(each.at + each.ms for each in marks if each.kind in ("shell", "flash", "track"))
    counted = max(each.at for each in marks if each.kind == "count")
    sinks = [each for each in marks if each.kind == "sink"]
    words = [each for each in marks if getattr(each.text, "key", "") == "film.sunk"]
    assert len(sinks) == len(words) == 2
    assert min(each.at for each in (*sinks, *words)) >= max(fired, counted)
    looks = [each.changes for each in made if isinstance(each, Travel) and each.piece in ("Ajax", "Emden")]
    assert len(looks) == 2 and min(looks) >= fired


# Pieces ---------------------------------------------------------------------------------------------------------


@LAYOUTS
def test_every_ship_is_a_piece_of_26_px_at_least_and_there_are_few_looks(tall):
    looks = set()
    for game, state in moments():
        for piece in layer(shown(game, state, tall), "ships").pieces:
            if piece.id in game.battle.numbers:
                left, top, right, bottom = box(piece.shapes[0])
                assert bottom - top >= LEAST - 0.01
            looks.add(id(piece.shapes))
    assert len(looks) < 150


@LAYOUTS
def test_names_hide_no_other_name(tall):
    for game, state in moments():
        found = [box(shape) for shape in layer(shown(game, state, tall), "names").flat]
        for i, a in enumerate(found):
            for b in found[:i]:
                assert not (a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3])


@pytest.fixture
def app(tmp_path):
    made = GameApp("fleet-action", Store(tmp_path), adviser="admiral", seats=("", "admiral"))
    made.bridge.send = lambda content, buffers=None: None
    hello = {"event": "hello", "query": "?seed=3", "stored": {}, "tab": False, "theme": "light", "width": 1280}
    made.bridge._handle_custom_msg(hello | {"header": True, "calm": False}, [])
    return made


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
            assert outside(layer(told, "over").flat, (0, 0, told.width, told.height), 2) == []
        seen = control.seen
        w = window(seen.battle.grid, False, None)
        over = set(layer(control.scene(), "over").flat) - set(layer(plain, "over").flat)
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
    while not control.match.over:  # machines play both sides: they play on when they are told to
        control.play_on()
    w = window(control.game.battle.grid, False, None)
    shown_ = 0
    for ply in range(1, control.match.ply):
        control.look_at(ply)
        drawn = evidence(w, control.seen, control.reasons())
        shown_ += bool(drawn)
        assert set(drawn) <= set(layer(control.scene(), "over").flat)
    assert shown_ > 3 and evidence(w, control.seen, None) == ()


# The pointer ----------------------------------------------------------------------------------------------------


def hover(app, x, y):
    """The browser says that the pointer rests there, in px of the picture."""
    scene = app.board._scene
    app.bridge._handle_custom_msg({"event": "hover", "x": x / scene.width, "y": y / scene.height}, [])


def test_arcs_and_ranges_of_any_ship_under_the_pointer_and_no_word_about_it(app):
    plain, count, frames = app.board._scene, app.control.status.count, app.board.painter.frames
    w, seen = window(app.control.game.battle.grid, False, None), app.control.seen
    for name, token in (("Ajax", "orange"), ("Exeter", "orange"), ("Graf Spee", "vermilion")):
        hover(app, *w.centre(seen.view.ships[seen.battle.numbers[name]].square))
        fields = [s for s in layer(app.board._scene, "under").flat if s.style.fill == token]
        rings = [s for s in layer(app.board._scene, "under").flat if s.style.width == 3.0]
        assert len(fields) > 20 and rings, name
        changed = [a.name for a, b in zip(plain.layers, app.board._scene.layers, strict=True) if a != b]
        assert changed == ["under"]
    hover(app, *w.centre(seen.battle.grid.number("P10")))
    assert app.board._scene == plain
    sent = app.board.painter.frames
    hover(app, *w.centre(seen.battle.grid.number("P9")))
    hover(app, -1, -1)
    assert app.board.painter.frames == sent > frames and app.control.status.count == count


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
    assert len(layer(picked, "under").flat) > len(layer(plain, "under").flat)


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
                    assert cell.action or said(cell.alt, FLEET_PAGE, "spoken.wreck", ship=name)
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
    first, *_, last = (piece for piece in layer(drawn, "ships").pieces if piece.id in story.battle.numbers)
    assert (first.id, last.id) == ("Ajax", "Emden") and (first.x, first.y) == w.centre(story.battle.grid.number("F5"))
    assert first.shapes is wreck("light cruiser", 0, w.side) and first.heading == 90.0
    assert {shape.style.stroke for shape in first.shapes} == {"muted"}
    assert name_piece("Ajax") in drawn.pieces()
