"""Boats, hunters and flights on the page: every order by pointing, what it would do, how it is drawn and played."""

from __future__ import annotations
import re
from collections import Counter
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest

from navalkit.core.game import CHANCE, TERMINAL
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.core.words import Voice, speaking
from navalkit.games.fleet_action import prospects, scenarios, sight
from navalkit.games.fleet_action.board import forecast, helm, percent, points
from navalkit.games.fleet_action.board.afloat import window
from navalkit.games.fleet_action.board.aloft import counter, more, role, slots
from navalkit.games.fleet_action.board.choice import (
    Choice,
    aim_pick,
    choose,
    depth_pick,
    describe,
    foe_pick,
    located,
    look_pick,
    prices,
    spoken,
    unit_pick,
    ward_pick,
    who,
)
from navalkit.games.fleet_action.board.conn import middle
from navalkit.games.fleet_action.board.forecast import Fleet, foretold, search
from navalkit.games.fleet_action.board.page import PAGE, aims
from navalkit.games.fleet_action.board.pieces import contact, ship
from navalkit.games.fleet_action.board.seascape import seascape, tags
from navalkit.games.fleet_action.craft import Attack, Contact, Depth, Fly, Land, Launch, Load, Patrol, Range, Seek
from navalkit.games.fleet_action.rules import flying
from navalkit.games.fleet_action.state import OFF, Done, Fate, Guns, Move, Phase, Torpedoes, with_ship
from navalkit.players import player
from navalkit.testing import heard, said
from navalkit.ui.play.controller import Controller
from navalkit.view.film import LONGEST, Beat, Mark, Travel, film
from navalkit.view.page import Glance, Look, Moment
from navalkit.view.painters import svg
from navalkit.view.scene import Picks, Rect, Text, meet
from ....boxes import outside
from ....sentences import FLEET_PAGE
from ..battles import AIMS, CHAPTERS
from ..rules.test_flights import air, flight, raid
from .test_scene import LAYOUTS, glance, layer, shown

KINDS = {Attack, Fly, Land, Launch, Patrol, Range, Seek, Load, Depth}
MOST, EACH = 220, 3  # actions of a battle that is looked at; states of it with every sort of order


@lru_cache
def played(key: str) -> Match:
    """A battle between captains who do what they can: attack, launch, search; carriers go ahead."""
    rng, match = np.random.default_rng(len(key)), Match.new(load("fleet-action", scenario=key), len(key))
    while not match.over and match.ply < MOST:
        legal = match.legal()
        first = [a for a in legal if isinstance(a, Attack | Launch | Seek)]
        some = first or [a for a in legal if not isinstance(a, Done)] if rng.random() < 0.85 else legal
        match.play((some or legal)[int(rng.integers(len(some or legal)))])
    return match


def kind(action):
    """What sort of order it is; of a move whether a boat changes her depth."""
    return Depth if isinstance(action, Move) and action.depth else type(action)


@lru_cache
def moments():
    """Some states of those battles in which somebody decides, with their games: a few with every sort of order."""
    found = []
    for key in CHAPTERS:
        match, seen = played(key), Counter()
        for n in range(match.ply):
            state = match.at(n)
            kinds = {kind(a) for a in match.game.legal(state)} if match.game.turn(state) >= 0 else set()
            if any(seen[each] < EACH for each in kinds):
                seen.update(kinds)
                found.append((match.game, state))
    return found


def test_the_moments_hold_the_orders_of_both_chapters():
    kinds = {kind(action) for game, state in moments() for action in game.legal(state)}
    assert kinds >= KINDS


def given(game, state, unit, tall, *picks):
    """What can be given by one press, with these picks."""
    return {cell.action for cell in shown(game, state, tall, (unit_pick(unit), *picks)).cells if cell.action}


@LAYOUTS
def test_every_order_to_a_boat_a_hunter_or_a_flight_can_be_given_by_pointing(tall):
    """Pick whom it is for; then a depth, an enemy or an own ship; then press. On a phone the window goes along."""
    tried = 0
    rng = np.random.default_rng(int(tall))
    for game, state in moments():
        battle, seen = game.battle, game.observe(state, state.side)
        news = [a for a in game.legal(state) if kind(a) in KINDS]
        for n in rng.permutation(len(news))[:4]:
            action, picks = news[int(n)], ()
            if isinstance(action, Move):
                square = battle.grid.number(action.square)
                reached = given(game, state, who(action), tall, depth_pick(Depth(action.depth)))
                reached |= given(game, state, who(action), tall, depth_pick(Depth(action.depth)), aim_pick(square))
                assert action in reached, action
            else:
                if isinstance(action, Attack):
                    picks = (foe_pick(battle.numbers[action.target]),)
                elif isinstance(action, Patrol):
                    picks = (ward_pick(battle.numbers[action.target]),)
                elif isinstance(action, Fly):
                    there = battle.grid.number(action.square)
                    own = [k for k in battle.fleet(seen.me) if seen.view.ships[k].square == there]
                    foe = [k for k in battle.fleet(1 - seen.me) if seen.view.ships[k].square == there]
                    picks = (ward_pick(own[0]),) if own else (foe_pick(foe[0]),) if foe else ()
                if isinstance(action, Fly):  # a phone shows a part of the sea
                    picks = (*picks, look_pick(battle.grid.number(action.square)))
                assert action in given(game, state, who(action), tall, *picks), (action, picks)
            tried += 1
    assert tried > 80


@LAYOUTS
def test_the_pictures_can_be_painted_and_nothing_lies_outside_or_is_too_small(tall):
    for game, state in moments()[::2]:
        drawn = shown(game, state, tall)
        assert svg(drawn) and outside(drawn.shapes(), (0, 0, drawn.width, drawn.height), 2) == []
        assert len({cell.id for cell in drawn.cells}) == len(drawn.cells)
        for cell in drawn.cells:
            xs, ys = zip(*cell.outline, strict=True)
            if cell.id.startswith(("depth ", "fly ", "hunt ")):
                assert min(max(xs) - min(xs), max(ys) - min(ys)) >= 44, cell.id


def test_a_phone_lying_down_keeps_all_of_it_in_its_column():
    hole = 604.0, 96.0, 832.0, 284.0
    for game, state in moments()[::2]:
        drawn = PAGE.scene(glance(game, state), Look(True, room=(844.0, 390.0), hole=hole))
        for cell in drawn.cells:
            if cell.id.startswith(("depth ", "fly ", "hunt ", "unit ")):
                assert all(y <= hole[3] + 1 and y >= hole[1] - 1 for _, y in cell.outline), (cell.id, cell.outline)


# What a side's page is sent ---------------------------------------------------------------------------------------

def test_the_page_holds_nothing_of_a_boat_or_a_flight_that_is_not_known():
    rng, hidden = np.random.default_rng(4), 0
    for game, state in moments():
        for me in (0, 1):
            other = sight.permute(game.battle, state, me, rng)
            hidden += other != state
            a, b = (Glance(game, game.observe(each, me), me, game.legal(each) if each.side == me else ())
                    for each in (state, other))
            if a.legal != b.legal:  # what is refused tells of it: that is the rules' affair
                continue
            assert PAGE.scene(a, Look()) == PAGE.scene(b, Look())
            assert PAGE.orders(a) == PAGE.orders(b) and PAGE.now(a) == PAGE.now(b)
    assert hidden > 20


# What an order does, exactly --------------------------------------------------------------------------------------

def outcomes(told, target):
    """Damage points of all that follows, by every way the dice can fall: the slow, obvious twin."""
    game, found, waiting = told.game, {}, [(told.state, Fraction(1))]
    number, before = game.battle.numbers[target], told.state.ships[game.battle.numbers[target]].damage
    while waiting:
        state, chance = waiting.pop()
        if state.move > told.state.move or state.phase is Phase.TURRETS or state.phase is Phase.END:
            own = state.ships[number]
            damage = own.damage - before, own.screws, own.fate is Fate.SUNK
            found[damage] = found.get(damage, Fraction(0)) + chance
        elif game.turn(state) == CHANCE:
            waiting += [(game.apply(state, action).state, chance * p) for action, p in game.chance(state).items()]
        else:
            waiting.append((game.apply(state, Done()).state, chance))
    return found


@pytest.mark.parametrize(("kind", "count", "more", "red"), [
    ("Swordfish", 3, "", "Bismarck F6 N"), ("Val", 2, "", "Bismarck F6 N, Ajax F7 N"),
    ("Kate", 4, "level = true", "Exeter F6 N"), ("Dauntless", 2, "", "Fletcher F6 N"),
])  # fmt: skip
def test_an_attack_does_what_its_button_says(kind, count, more, red):
    told = raid(red, kind=kind, count=count, more=more)
    target = red.split()[0]
    seen = told.game.observe(told.state, 0)
    shown_ = foretold(seen, Attack("Wing", target))
    told.play(f"Wing: attack {target}")
    found = outcomes(told, target)
    assert shown_.mean == sum(points * p for (points, _, _), p in found.items())
    assert shown_.hit == sum(p for (points, _, _), p in found.items() if points)
    assert shown_.sink == sum(p for (_, _, sunk), p in found.items() if sunk)
    blow = forecast.blow(told.battle, seen.view, 0, told.battle.numbers[target])
    assert blow.chance(lambda each: each[1]) == sum(p for (_, screws, _), p in found.items() if screws)


def test_aircraft_over_a_surfaced_boat_do_what_their_button_says():
    told = air("Ark Royal A1 E", "U 552 F6 N (U 552)", flight("Blue", "Wing", "Hudson", 2, "Ark Royal"))
    told.aloft("Wing", "F8").to(Phase.FLY, 0)
    shown_ = foretold(told.game.observe(told.state, 0), Attack("Wing", "U 552"))
    told.play("Wing: attack U 552")
    found = outcomes(told, "U 552")
    assert shown_.mean == sum(points * p for (points, _, _), p in found.items())
    assert shown_.hit == sum(p for (points, _, _), p in found.items() if points)


def test_a_strike_of_several_does_what_its_button_says():
    told = raid("Fletcher F6 N", flight("Blue", "Other", "Val", 2, "Ark Royal")).aloft("Other", "G8")
    (strike,) = [order for order in PAGE.orders(glance(told.game, told.state))
                 if isinstance(order.action, Fleet) and order.action.kind == "strike"]
    orders = PAGE.unfold(glance(told.game, told.state), strike.action)
    assert {str(order) for order in orders} == {"Wing: attack Fletcher", "Other: attack Fletcher"}
    told.play(*map(str, orders))
    found = outcomes(told, "Fletcher")
    assert strike.action.told.sink == sum(p for (_, _, sunk), p in found.items() if sunk)
    assert strike.action.told.hit == sum(p for (points, _, sunk), p in found.items() if points or sunk)


def test_a_search_does_what_its_button_says():
    searched = 0
    for game, state in moments():
        seeks = [a for a in game.legal(state) if isinstance(a, Seek)]
        boats = [n for n in game.battle.boats if game.battle.side(n) != state.side]
        if state.phase is not Phase.FIRE or not seeks or not boats or state.hunts:
            continue
        for order in seeks[:2]:
            put = with_ship(state, boats[0], square=game.battle.grid.number(order.square), depth=Depth.DEEP,
                            fate=Fate.AT_SEA, announced=False)
            told = search(game.observe(put, put.side), order)
            now = game.apply(put, order).state
            while now.phase is not Phase.HUNT:
                action = Done() if game.turn(now) >= 0 else next(iter(game.chance(now)))
                now = game.apply(now, action).state
            chances = {action.result: p for action, p in game.chance(now).items() if isinstance(action, Contact)}
            assert told.heard == chances["contact"]
            after = game.apply(now, Contact(order.ship, order.square, "contact")).state
            if told.points and after.phase is Phase.HUNT:
                sixes = game.chance(after)
                assert told.breaks == told.heard * sum(p for a, p in sixes.items() if a.telling)
                assert told.oil == told.heard * sum(p for a, p in sixes.items() if a.oil)
            searched += 1
    assert searched > 3


# Orders to many at once -------------------------------------------------------------------------------------------

def test_an_order_to_all_is_made_of_orders_that_can_be_given_one_after_the_other():
    seen = set()
    for game, state in moments():
        now = glance(game, state)
        for order in PAGE.orders(now):
            if not isinstance(order.action, Fleet):
                continue
            seen.add(order.action.kind)
            orders, after = PAGE.unfold(now, order.action), state
            assert len(set(orders)) == len(orders) > 1
            for each in orders:
                assert game.why_not(after, each) is None, each
                after = game.apply(after, each).state
    assert seen >= {"strike", "launch", "range", "hunt"}


def test_all_fighters_aloft_guard_one_ship_by_one_press():
    wings = "".join(flight("Blue", name, "Fulmar", 6, "Ark Royal") for name in ("Wing", "Other"))
    told = air("Ark Royal F6 E", "Ajax X9 N", wings).aloft("Wing", "F6").aloft("Other", "G6").to(Phase.FLY, 0)
    now = glance(told.game, told.state)
    (order,) = [order for order in PAGE.orders(now) if isinstance(order.action, Fleet)]
    said(order.label, FLEET_PAGE, "fleet.guard", target="Ark Royal")
    assert set(map(str, PAGE.unfold(now, order.action))) == {f"{n}: patrol Ark Royal" for n in ("Wing", "Other")}


def test_all_fire_at_one_is_given_by_one_press_and_fires_all_guns():
    control = to_fire(SQUADRON)
    (order,) = [order for order in control.orders() if isinstance(order.action, Fleet)]
    said(order.label, FLEET_PAGE, "fleet.fire", target="Emden")
    before = control.match.ply
    control.act({"give": order.text})
    assert control.match.ply == before and control.waiting() == order.action.orders, "it is looked over first"
    (given, change) = control.orders()
    assert given.primary and given.action == order.action
    said(given.label, FLEET_PAGE, "fleet.fire", target="Emden")
    control.give(change.action)
    assert control.held is None and order.action in [each.action for each in control.orders()]
    control.act({"give": order.text})
    control.act({"give": control.orders()[0].text})
    guns = [ply.action for ply in control.match.plies[before:] if isinstance(ply.action, Guns) and ply.by == 0]
    assert tuple(guns) == order.action.orders and len(guns) == 2 and not control.status.error


def to_fire(squadron):
    """Two against one, about to fire for the first time; something flies beyond the board."""
    control = Controller("fleet-action", adviser="admiral", seats=("", ""))
    control.new("3", {"custom": squadron + flight("Blue", "Wing", "Fulmar", 6, more='call = 6\nentry = ["A1"]')})
    while control.match.state.phase is not Phase.FIRE or control.match.turn != 0:
        control.covered = False
        control.order("done")
    control.covered = False
    return control


def fire(control):
    return next(order.action for order in control.orders() if isinstance(order.action, Fleet))


def test_an_order_to_all_that_leaves_others_to_be_given_is_given_at_once_and_taken_back_at_once():
    far = ("Blue", "Achilles", "V4 E"), ("Red", "Leipzig", "V6 W")
    control = to_fire(SQUADRON + "".join(f'[[ship]]\nside = "{side}"\nname = "{name}"\nat = "{at}"\n'
                                         for side, name, at in far))
    all_fire, before = fire(control), control.match.ply
    control.give(all_fire)
    assert control.held is None and tuple(control.given()) == all_fire.orders
    control.undo()
    assert control.match.ply == before and not control.asking_undo and not control.match.analysis
    control.order("Ajax: guns Emden")
    control.order("Exeter: guns Emden")
    control.undo()
    assert control.match.ply == before + 1, "of orders given one by one the last alone"


def test_an_order_to_all_is_dropped_for_another_and_given_by_what_ends_the_phase():
    control = to_fire(SQUADRON)
    before = control.match.ply
    control.give(fire(control))
    control.order("Ajax: guns main Emden")
    assert control.held is None and [str(each) for each in control.given()] == ["Ajax: guns main Emden"]
    control.undo()
    control.give(fire(control))
    control.undo()
    assert control.held is None and control.match.ply == before
    control.give(fire(control))
    control.order("done")
    fired = [ply.action for ply in control.match.plies[before:] if isinstance(ply.action, Guns) and ply.by == 0]
    assert len(fired) == 2 and control.match.state.phase is not Phase.FIRE or control.match.turn != 0


def test_flights_of_a_square_lie_over_no_letters_and_over_each_other_only_where_that_is_said():
    for side in (20.0, 28.0, 36.0, 48.0, 66.0, 80.0):
        spots = slots(side)
        boxes = [(x - 15, y - 8.5, x + 15, y + 8.5) for x, y in spots]
        assert not any(meet(a, b) for n, a in enumerate(boxes) for b in boxes[n + 1:])
        assert side < 28 or not any(box[1] < 0 < box[3] and box[0] < 0 < box[2] for box in boxes)
    wings = "".join(flight("Blue", f"Wing {n}", "Fulmar", n, "Ark Royal") for n in range(1, 7))
    told = air("Ark Royal F6 E", "Ajax X9 N", wings)
    for n in range(1, 7):
        told.aloft(f"Wing {n}", "F6")
    told.to(Phase.FLY, 0)
    for tall in (False, True):
        drawn = shown(told.game, told.state, tall, (unit_pick("Wing 4"),))
        pieces = [each for each in layer(drawn, "ships").shapes if each.id in told.game.battle.wings]
        assert len(pieces) == 6 and pieces[0].id == "Wing 4", "the chosen one has the first place"
        room = len({(piece.x, piece.y) for piece in pieces})
        assert room in (2, 4) and pieces[-1].shapes == more(6 - room + 1)


def test_what_an_exit_brings_is_told_where_no_ship_lies():
    tried = hidden = 0
    for game, state in [(g, s) for g, s in moments() if any(a.aim == "exit" for a in g.battle.objectives)]:
        for tall in (False, True):
            seen = game.observe(state, state.side)
            w = window(game.battle.grid, tall, middle(seen, Choice()))
            made = [each for each in tags(w, seen) if isinstance(each, Rect) and each.style.stroke]
            ships = [w.centre(seen.view.ships[n].square) for side in (0, 1) for n in located(seen, side)]
            for tag in made:
                tried += 1
                assert not any(tag.x < x < tag.x + tag.w and tag.y < y < tag.y + tag.h for x, y in ships)
                assert tag.x >= w.left and tag.x + tag.w <= w.width
            hidden += not made
    assert tried > 5


@LAYOUTS
@pytest.mark.parametrize(("key", "told"), [
    ("wounded_cruiser", {"name": "Leipzig, Nurnberg, Koln", "points": "20"}), ("night_convoy", {"name": "Convoy"}),
    ("raider_hunt", {"name": "Doric Star, Patrick Henry"}), ("iowa_convoy", {"name": "Convoy", "points": "50"})])
def test_points_at_an_exit_are_promised_to_the_ships_alone_whom_the_aim_names(tall, key, told):
    game = load("fleet-action", scenario=key)
    seen = game.observe(game.battle.start(), 0)
    drawn = [str(each.text) for square in seen.battle.exits[0] | seen.battle.exits[1]
             for each in tags(window(game.battle.grid, tall, square), seen) if isinstance(each, Text)]
    assert drawn and not any(heard(each, FLEET_PAGE, "exit.tag.each") for each in drawn)
    for each in drawn:  # where there is no room for the names it says how many
        found = heard(each, FLEET_PAGE, "exit.tag.of", "exit.tag.some")
        assert any(facts.items() >= told.items() for facts in found.values()) or (tall and found["exit.tag.some"])


def test_of_many_ships_that_an_exit_brings_points_it_says_how_many():
    text = scenarios.text("night_convoy").replace('"John W. Brown"]\npoints = 20', '"Walker"]\npoints = 20')
    game = load("fleet-action", custom=text)
    seen = game.observe(game.battle.start(), 0)
    drawn = " ".join(str(each) for each in tags(window(game.battle.grid, False, 0), seen))
    said(drawn, FLEET_PAGE, "exit.tag.some", n=6, fleet=10, points=20)


def test_of_several_ships_to_sink_each_brings_the_points():
    battle = load("fleet-action", scenario="wounded_cruiser").battle
    said(aims(battle, 0), FLEET_PAGE, "aim.sink.each", points=28, names="Leipzig, Nurnberg, Koln")
    assert not heard(aims(battle, 1), FLEET_PAGE, "aim.sink.each"), "any of them"


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_weather_is_named_where_no_ship_lies(lang):
    game = load("fleet-action", scenario="carriers_in_the_cloud")
    tried = 0
    for seed in range(30, 36):
        match = Match.new(game, seed)
        while match.game.turn(match.state) == CHANCE:
            match.play(match.legal()[0])
        for tall in (False, True):
            with speaking(Voice(lang)):
                seen = game.observe(match.state, 0)
                w = window(game.battle.grid, tall, middle(seen, Choice()))
                plates = [each for each in seascape(w, seen) if isinstance(each, Rect) and each.style.stroke]
            ships = [w.centre(seen.view.ships[n].square) for n in located(seen, 0)]
            tried += len(plates)
            assert not any(each.x < x < each.x + each.w and each.y < y < each.y + each.h
                           for each in plates for x, y in ships)
    assert tried


def test_the_opening_tells_all_that_brings_points():
    for key in CHAPTERS:
        game = load("fleet-action", scenario=key)
        for me in (0, 1):
            told = PAGE.opening(Glance(game, game.observe(game.battle.start(), me), me, ()))
            own = [aim for aim in game.battle.objectives if aim.side == me]
            assert sum(bool(heard(told, FLEET_PAGE, f"opening.{aim.aim}")) for aim in own) >= 1
            for aim in own:
                assert str(aim.points) in told or len(own) == 1 or prices(game.battle, aim) in told or (
                    aim.points == max(each.points for each in own)), (key, aim)


def test_where_nothing_flies_or_dives_ships_are_ordered_one_by_one():
    control = Controller("fleet-action", adviser="admiral", seats=("", ""))
    control.new("3", {"custom": SQUADRON})
    while control.match.state.phase is not Phase.FIRE or control.match.turn != 0:
        control.covered = False
        control.order("done")
    control.covered = False
    assert control.orders() and not [order for order in control.orders() if isinstance(order.action, Fleet)]


SQUADRON = """title = "A test"
blurb = "Two against one."
sides = ["Blue", "Red"]
moves = 6
""" + "".join(f'[[ship]]\nside = "{side}"\nname = "{name}"\nat = "{at}"\n' for side, name, at in (
    ("Blue", "Ajax", "C4 E"), ("Blue", "Exeter", "C6 E"), ("Red", "Emden", "F5 N"))) + AIMS


# How it looks -----------------------------------------------------------------------------------------------------

def test_each_depth_and_each_role_has_a_look_of_its_own():
    looks = {depth: ship("submarine", 0, 40.0, "SS", depth=depth) for depth in Depth}
    assert len(set(looks.values())) == 3
    assert contact(0, 40.0, "SS") not in looks.values()
    roles = {role(squadron) for key in CHAPTERS for squadron in load("fleet-action", scenario=key).battle.flights}
    assert roles >= {"fighter", "torpedo", "dive", "level"}
    assert len({counter(each, 0, 5) for each in roles}) == len(roles)
    assert ship("carrier", 0, 40.0, "CV", shut=True) != ship("carrier", 0, 40.0, "CV")


def test_a_patrol_is_drawn_as_far_as_it_guards_and_a_search_in_its_square():
    told = air("Ark Royal F6 E", "Ajax X9 N", flight("Blue", "Wing", "Fulmar", 6, "Ark Royal")).aloft("Wing", "F6")
    told.to(Phase.FLY, 0)
    plain = layer(shown(told.game, told.state, me=0), "flags").flat
    told.play("Wing: patrol Ark Royal")
    drawn = shown(told.game, told.state, me=0)
    lines = set(layer(drawn, "flags").flat) - set(plain)
    assert len(lines) == 4 * 5  # the edge of all squares within two of one
    other = layer(shown(told.game, told.state, me=1), "flags").flat
    assert not lines & set(other), "the enemy sees no task"


@pytest.mark.parametrize(("pips", "key"), [(1, "flight.ranged"), (sight.FOG, "flight.ranged.fog")])
def test_F55_a_flight_on_a_deck_in_fog_says_so(pips, key):
    wings = (flight("Blue", "Wing", "Swordfish", 9, "Ark Royal", "ranged = true")
             + flight("Blue", "Other", "Swordfish", 9, "Ark Royal"))  # in the air, so that there is something to order
    told = air("Ark Royal C4 E", "Ajax X9 N", wings, "moves = 20\nweather = true")
    told.play(*(f"weather {zone} {pips}" for zone in range(1, 5)))
    told.play(f"Ark Royal: {'E4' if pips == 1 else 'D4'} E").aloft("Other", "D6").to(Phase.FLY, 0)
    seen = told.game.observe(told.state, 0)
    said(helm.flight_status(seen, "Wing"), FLEET_PAGE, key)
    assert bool(helm.held(seen)) == (pips == sight.FOG)
    assert helm.held(seen) in PAGE.guide(glance(told.game, told.state, 0))


@pytest.mark.parametrize(("pips", "key"), [(5, "headline.rough"), (sight.FOG, "headline.fog")])
def test_F28_the_headline_numbers_no_zone(pips, key):
    told = air("Ark Royal C4 E", "Ajax X9 N", "", "moves = 20\nweather = true")
    told.play(*(f"weather {zone} {pips if zone == 2 else 1}" for zone in range(1, 5)))
    said(PAGE.headline(told.events), FLEET_PAGE, key)


def test_F58_the_spoken_board_names_the_flights_in_sight():
    told = air("Ark Royal C4 E", "Ajax L4 N", flight("Blue", "Wing", "Swordfish", 9, "Ark Royal")
               + flight("Red", "Nells", "Nell", 8, more='enters = 9\nentry = ["X1"]')
               + flight("Red", "Bettys", "Betty", 7, more='enters = 9\nentry = ["X1"]'))
    told.aloft("Wing", "D6").aloft("Nells", "E7").aloft("Bettys", "F8", shown=True)
    seen = told.game.observe(told.state, 0)
    board = describe(seen)
    for words in ("Wing", "D6", "E7", "Bettys", "F8"):
        assert words in board
    assert "Nells" not in board
    squares = spoken(seen, [told.battle.grid.number(name) for name in ("D6", "E7", "F8")])
    facts = {told.battle.grid.names[square]: words for square, words in squares.items()}
    assert "Wing" in facts["D6"] and "8" in facts["E7"] and "Nells" not in facts["E7"] and "Bettys" in facts["F8"]


# Films --------------------------------------------------------------------------------------------------------------

def raid_film(hits, telling):
    """A raid to its end, as the attacker is shown it."""
    told = raid("Bismarck F6 N", count=3)
    told.play("Wing: attack Bismarck")
    state, since = told.state, len(told.events)
    while told.state.phase is not Phase.RAID:
        told.done()
    story = [(told.state, len(told.events))]
    for text in ("Bismarck: fire at Wing off 1 lost 1", f"Wing: at Bismarck hits {hits} telling {telling}"):
        told.play(text)
        story.append((told.state, len(told.events)))
    moments_ = [Moment(told.game.observe(at, 0), tuple(told.events[n:m]))
                for (at, n), (_, m) in zip(story, story[1:], strict=False)]
    first, last = shown(told.game, state, me=0), shown(told.game, told.state, me=0)
    assert since <= story[0][1]
    return PAGE.effects(told.game, moments_, Look(), first, last), first, last


def test_a_raid_is_shown_in_order_fighters_guns_drops_and_then_what_they_did():
    made, first, last = raid_film(2, 1)
    beats = [each for each in made if isinstance(each, Beat)]
    said(beats[0].text, FLEET_PAGE, "film.raid", flight="Wing", target="Bismarck")
    (hit,) = [beat for beat in beats if getattr(beat.text, "key", "") == "film.hits"]
    assert hit.text.facts == {"hits": 2, "n": 2}  # one of three was broken off
    tracks = [each for each in made if isinstance(each, Mark) and each.kind == "track"]
    (flak,) = [each for each in made if isinstance(each, Mark) and getattr(each.text, "key", "") == "film.flak"]
    assert flak.at < tracks[0].at < hit.at < next(beat.at for beat in beats if not beat.text)
    assert film(first, last, made).ms <= LONGEST


def test_no_mark_of_a_raid_comes_before_its_drop_tells_of_hits():
    for hits in (0, 2):
        made, _, _ = raid_film(hits, 0)
        landed = min(each.at + each.ms for each in made if isinstance(each, Mark) and each.kind == "track")
        told = [each.at for each in made if isinstance(each, Mark) and each.kind in ("hit", "die", "splash", "count")]
        assert told and min(told) >= landed - 1


def test_a_search_is_heard_before_it_is_told_and_charges_fall_after_it():
    game, state = next((g, s) for g, s in moments() if s.phase is Phase.FIRE
                       and any(isinstance(a, Seek) for a in g.legal(s)))
    order = next(a for a in game.legal(state) if isinstance(a, Seek))
    boat = next(n for n in game.battle.boats if game.battle.side(n) != state.side)
    square, me = game.battle.grid.number(order.square), state.side
    state = with_ship(state, boat, square=square, depth=Depth.DEEP, fate=Fate.AT_SEA, announced=False)
    now, told = state, []
    while now.move == state.move and now.phase is not Phase.END:
        if game.turn(now) >= 0:
            action = order if now is state else Done() if now.phase is not Phase.TURRETS else game.legal(now)[0]
        else:
            chance = game.chance(now)
            action = next((a for a in chance if isinstance(a, Contact) and a.result == "contact"), next(iter(chance)))
        step = game.apply(now, action)
        told.append(Moment(game.observe(now, me), tuple(e for e in step.events if e.seen_by(me))))
        now = step.state
    made = PAGE.effects(game, told, Look(), shown(game, state, me=me), shown(game, now, me=me))
    (ping,) = [each for each in made if isinstance(each, Mark) and each.kind == "ping"][:1]
    (heard,) = [each for each in made if isinstance(each, Mark) and getattr(each.text, "key", "") == "film.contact"][:1]
    assert ping.at < heard.at
    assert [each for each in made if isinstance(each, Mark) and each.kind == "splash" and each.at >= heard.at]


def test_films_of_whole_battles_hold_what_their_events_tell():
    kinds, flown = set(), 0
    for key in CHAPTERS:
        match = played(key)
        for me in (0, 1):
            control = Controller("fleet-action", seats=())
            control.match, control.me = match, me
            ends = [n for n in range(1, match.ply + 1) if match.game.turn(match.at(n)) == me or n == match.ply]
            for since, ply in list(zip([0, *ends], ends, strict=False))[::3]:
                control.view = ply if ply < match.ply else None
                told = control.moments(since)
                first, last = (shown(match.game, match.at(n), me=me) for n in (since, ply))
                made = PAGE.effects(match.game, told, Look(), first, last)
                flown += sum(isinstance(each, Travel) and each.piece in match.game.battle.wings for each in made)
                kinds |= {each.kind for each in made if isinstance(each, Mark)}
                assert film(first, last, made).ms <= LONGEST
    assert kinds >= {"track", "splash", "flash", "note", "die", "count"} and flown > 10


def test_what_a_flight_is_told_to_be_is_what_it_is():
    for game, state in moments():
        if state.phase is not Phase.FLY:
            continue
        seen = game.observe(state, state.side)
        for number, squadron in enumerate(game.battle.flights):
            if squadron.side == state.side and seen.view.flights[number].square > OFF:
                said(helm.flight_facts(seen, number), FLEET_PAGE, "flight.facts", plane=squadron.plane.name,
                     n=seen.view.flights[number].count)
                return
    raise AssertionError


def test_picks_of_the_chapters_are_dropped_after_an_order():
    picks = Picks.of(depth_pick(Depth.DEEP), ward_pick(1), unit_pick("Ursula"))
    assert set(picks.after_order()) == {unit_pick("Ursula")}


def force_z():
    """Force Z with its fighters still at their base, the British to order flights."""
    match = Match.new(load("fleet-action", scenario="force_z"), 5)
    while match.state.phase is not Phase.FLY or match.state.side:
        match.play(Done() if Done() in match.legal() else match.legal()[0])
    return match


def test_who_is_called_comes_once_and_later_and_the_button_says_so():
    match = force_z()
    seen, call = glance(match.game, match.state), Launch("Buffaloes")
    (order,) = [each for each in PAGE.orders(seen) if each.action == call]
    said(order.label, FLEET_PAGE, "order.call", flight="Buffaloes")
    said(order.help, FLEET_PAGE, "order.call.help", n=3)
    said(PAGE.spoken(seen, call), FLEET_PAGE, "fly.call")
    said(helm.flight_facts(seen.seen, 0), FLEET_PAGE, "flight.horizon.call", n=3)
    said(PAGE.guide(seen), FLEET_PAGE, "order.call.help", n=3)
    (item,) = [each for each in helm.flight_orders(seen.seen, choose(seen, Picks((unit_pick("Buffaloes"),))))
               if each.action == call]
    for told in (item.alt, order.odds):
        said(told, FLEET_PAGE, "call.once", move=4)
        said(told, FLEET_PAGE, "call.heard")
    assert len(item.lines) == 3, "on a phone, too, where the order is given"
    match.play(call)
    assert match.state.flights[0].ready == 4, "and so the button's move is true"
    decks = [(game.observe(state, state.side), a) for game, state in moments() for a in game.legal(state)
             if isinstance(a, Launch)]
    assert decks and all((helm.called(seen, a) > 0) == (seen.battle.flights[seen.battle.wings[a.flight]].base < 0)
                         for seen, a in decks)


def test_F57_that_a_call_is_heard_stands_on_its_button_as_long_as_it_is_true():
    match, found = force_z(), set()
    while match.state.move < 6:
        seen, call = glance(match.game, match.state), Launch("Buffaloes")
        if match.turn == 0 and call in match.legal():
            true = flying.heard(match.game.battle, match.state, 0)
            assert (len(helm.calling(seen.seen, call)) == 2) == true
            found.add(true)
        match.play(Done() if Done() in match.legal() else match.legal()[0])
    assert found == {True, False}


def test_the_reason_of_a_hint_to_fire_and_its_button_tell_the_same_chance_to_sink():
    """Once other fire at her is ordered, the button counts it in, and so must what is said beside it."""
    match, met = Match.new(load("fleet-action", scenario="wounded_cruiser"), 3), Counter()
    who = player("admiral", match.game)
    while match.turn != TERMINAL and len(met) < 2:
        decision = who.decide(match.observe(), match.legal())
        if isinstance(order := decision.action, Guns | Torpedoes):
            seen = glance(match.game, match.state, match.turn)
            reason, target = PAGE.because(seen, decision), match.game.battle.numbers[order.target]
            before = any(shot.target == target for shot in seen.seen.view.shots)
            if before:
                sink = percent(prospects.prospect(match.game.battle, seen.seen.view, order).sink)
                assert percent(said(reason, FLEET_PAGE, "because.fire.ordered")["sink"]) == sink
            assert ("because.fire.left" in heard(reason, FLEET_PAGE)) != before
            met[before] += 1
        match.play(decision.action)
    assert set(met) == {True, False}


def test_a_hint_names_the_range_as_its_reason_only_if_guns_bear_or_the_range_falls():
    match, met = Match.new(load("fleet-action", scenario="rudder"), 4), Counter()
    who = player("admiral", match.game)
    while match.turn != TERMINAL and match.state.move < 12:
        decision = who.decide(match.observe(), match.legal())
        if isinstance(decision.action, Move):
            reason = PAGE.because(glance(match.game, match.state, match.turn), decision)
            for key in ("because.under", "because.closes"):
                if facts := heard(reason, FLEET_PAGE, key).get(key):
                    assert int(re.match(r"\d+", str(facts["n"]))[0]) < int(facts["before"])
                    met[key] += 1
            met["other"] += str(decision.reason) == reason
        match.play(decision.action)
    assert met["because.closes"] and met["other"]


def test_on_german_pages_german_ships_have_their_umlauts_and_an_order_is_read_either_way():
    match, told = Match.new(load("fleet-action", scenario="wounded_cruiser"), 3), []
    with speaking(Voice("de")):
        for ply in range(90):
            if match.over:
                break
            if match.turn == 1 and not ply % 4:
                now = glance(match.game, match.state, 1)
                drawn = shown(match.game, match.state, False, me=1)
                told += [str(each.text) for layer in drawn.layers for each in layer.flat if isinstance(each, Text)]
                told += [cell.alt for cell in drawn.cells] + [str(drawn.desc), PAGE.guide(now), PAGE.opening(now)]
            legal = [each for each in match.legal() if not isinstance(each, Done)]
            match.play((legal or match.legal())[ply % len(legal or match.legal())])
        told += [str(event.text) for ply in match.plies for event in ply.events]
        everything = " ".join(told)
        assert "Nürnberg" in everything and "Köln" in everything
        plain = re.compile(r"(Nurnberg|Koln)\b(?!: guns|: torpedoes)")  # orders as they are recorded stay so
        assert not [each for each in told if plain.search(each)]
        order = match.game.parse_action("Köln: guns Salmon")
    assert order == match.game.parse_action("Koln: guns Salmon")


def test_F41_an_order_that_changes_a_boats_depth_says_to_which():
    match = Match.new(load("fleet-action", scenario="wounded_cruiser"), 3)
    while match.state.phase is not Phase.MOVE or match.turn:
        match.play(Done() if Done() in match.legal() else match.legal()[0])
    now, told = glance(match.game, match.state), set()
    for move in match.legal():
        if isinstance(move, Move):
            key = f"move.alt.{move.depth}" if move.depth else "move.alt"
            said(PAGE.spoken(now, move), FLEET_PAGE, key, square=move.square)
            told.add(key)
    assert len(told) > 1


@LAYOUTS
def test_an_exit_that_saves_is_named_on_the_board_and_where_the_aim_is_told(tall):
    match = force_z()
    seen, battle = glance(match.game, match.state), match.game.battle
    texts = " ".join(str(each) for each in tags(window(battle.grid, tall, 0), seen.seen))
    assert heard(texts, FLEET_PAGE, "exit.tag.away", "exit.tag.away.some"), "not all who leave are saved"
    assert not heard(texts, FLEET_PAGE, "exit.tag.away.each")
    said(" ".join(PAGE.aims(seen).camps[0].aims), FLEET_PAGE, "strip.survive.away.named", name="Repulse", points=35)
    said(PAGE.opening(seen), FLEET_PAGE, "opening.survive.away", name="Prince of Wales", moves=12, place="Singapore")
    said(aims(battle, 0), FLEET_PAGE, "aim.survive.away", points=35, names="Repulse", place="Singapore")


@pytest.mark.parametrize("key", ["night_convoy", "force_z"])
def test_points_that_end_a_battle_at_once_stand_over_the_board_all_the_time(key):
    match = Match.new(load("fleet-action", scenario=key), 5)
    while match.game.turn(match.state) == CHANCE:
        match.play(match.legal()[0])
    battle, total = match.game.battle, match.game.battle.total
    strip = PAGE.aims(glance(match.game, match.state)).of
    assert bool(heard(strip, FLEET_PAGE, "strip.moves.total")) == bool(total)
    assert not total or (str(total) in strip and str(total) in aims(battle, match.state.side))


def test_figures_on_the_board_are_written_as_the_reader_writes_them():
    for lang, point in (("en", "."), ("de", ",")):
        with speaking(Voice(lang)):
            assert percent(0.937) == f"93{point}7 %" and points(Fraction(13, 2)) == f"6{point}5"
    told = raid("Bismarck F6 N", count=3)
    seen = told.game.observe(told.state, 0)
    with speaking(Voice("de")):
        found = foretold(seen, Attack("Wing", "Bismarck"))
        said(helm.attack_words(seen, Attack("Wing", "Bismarck")), FLEET_PAGE, "target.odds",
             points=points(found.mean), sink=percent(found.sink))
