"""A page for several players: machine players answer, people pass the screen, and nobody's hand leaks."""

from __future__ import annotations
import json
import random
from dataclasses import replace
from itertools import pairwise

import pytest

from navalkit.core.errors import NavalkitError
from navalkit.core.game import CHANCE
from navalkit.core.match import Match, Store
from navalkit.core.registry import load
from navalkit.core.words import speaking
from navalkit.games.fleet_action.state import Turret
from navalkit.games.wolf_pack import PAGE
from navalkit.games.wolf_pack.cards import listed
from navalkit.games.wolf_pack.state import Pass, Phase
from navalkit.testing import refused, said
from navalkit.ui.play.app import GameApp
from navalkit.ui.play.controller import Controller
from navalkit.ui.play.turns import Wait
from navalkit.view.page import Glance, Look
from navalkit.view.painters import svg
from ..sentences import CORE, UI, WOLF

SHORT = {"transports": 1, "u_boats": 1}


@pytest.fixture(autouse=True)
def raise_what_we_did_wrong(monkeypatch):
    monkeypatch.setenv("NAVALKIT_RAISE", "1")


def against(seats, seed=4, store=None, **options):
    control = Controller("wolf-pack", store, adviser="careful", seats=seats)
    control.new(seed, SHORT | options)
    return control


def play_on(control, steps=10_000):
    """Play the first legal order until the game is over, or that many orders were given."""
    while steps and not control.match.over:
        if control.covered:
            control.take_seat()
        control.order(str(control.legal[0]))
        steps -= 1


@pytest.mark.parametrize("seats", [("", "careful"), ("careful", "")])
def test_machine_players_answer_until_it_is_ones_own_turn(seats):
    control = against(seats)
    me = seats.index("")
    for _ in range(30):
        if control.match.over:
            break
        assert control.match.turn == me == control.me and control.legal == control.match.legal()
        control.order(str(control.legal[-1]))
    assert any(ply.by == 1 - me for ply in control.match.plies)


def test_undo_goes_back_to_ones_own_decision_and_redo_to_the_next():
    control = against(("", "careful"))
    play_on(control, 4)
    before = control.match.ply
    control.undo()
    assert control.asking_undo and control.match.ply == before
    control.undo(agreed=True)
    assert control.match.turn == 0 and control.match.ply < before and control.match.analysis
    control.redo()
    assert control.match.turn == 0 and control.match.ply == before


def test_a_machines_opening_move_is_not_ones_own_to_undo():
    control = against(("careful", ""))
    while control.can_undo():
        control.undo(agreed=True)
    before = control.match.ply
    with refused(NavalkitError, UI, "undo.nothing"):
        control.undo(agreed=True)
    assert control.match.ply == before and control.match.turn == control.me == 1


def test_a_game_against_a_machine_is_taken_up_with_its_seats(tmp_path):
    control = against(("careful", ""), store=Store(tmp_path))
    play_on(control, 3)
    again = Controller("wolf-pack", Store(tmp_path))
    assert again.resume(control.token)
    assert again.seats == ("careful", "") and again.me == 1 and again.match.record() == control.match.record()


def test_an_unknown_machine_player_is_refused_and_the_game_stays():
    control = against(("", "careful"))
    match = control.match
    with refused(NavalkitError, CORE, "players.unknown"):
        control.new(1, SHORT, ("", "admiral"))
    assert control.match is match


def test_people_at_one_screen_pass_it_and_see_only_their_own_side():
    control = against(("", ""))
    covered = 0
    for _ in range(40):
        if control.match.over:
            break
        if control.covered:
            covered += 1
            assert control.legal == ()
            with refused(NavalkitError, UI, "order.covered"):
                control.order(str(control.match.legal()[0]))
            control.take_seat()
        assert control.seen.me == control.me
        if control.ahead:
            control.give(Wait())
            continue
        assert control.me == control.match.turn
        control.order(str(control.legal[0]))
    assert covered > 3


def sittings(name, seed, *, wait=False):
    """A game of two at one screen by the first orders that are asked for: of each turn who took the screen."""
    control = Controller(name, seats=("", ""))
    control.new(seed)
    control.take_seat() if control.covered else None
    taken, turns = [(turn_of(control), control.me)], 0
    while not control.match.over and turns < 12:
        if control.covered:
            control.take_seat()
            taken.append((turn_of(control), control.me))
        orders = control.orders()
        control.give(orders[-1].action if wait and control.ahead else random.Random(len(taken)).choice(control.legal))
        turns = turn_of(control)
    found = {}
    for turn, who in taken:
        found.setdefault(turn, []).append(who)
    return [found[turn] for turn in sorted(found)[1:-1]]


def turn_of(control):
    return getattr(control.match.state, "turn", None) or getattr(control.match.state, "move", 0)


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_of_two_at_one_screen_each_takes_it_once_a_turn(seed):
    """Wolf Pack has four parts to a turn: who gives the action ahead sits down once; who waits to see, twice."""
    assert max(map(len, sittings("wolf-pack", seed))) <= 2
    waited = sittings("wolf-pack", seed, wait=True)
    assert max(map(len, waited)) in (3, 4)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_battle_changes_hands_no_oftener_than_who_comes_first_alternates(seed):
    """Fleet Action: both move, both fire, who comes first alternates. So whoever has fired last goes on to move, and
    the screen is passed three times a turn at the most, but for who chooses what a hit puts out of action."""
    control = Controller("fleet-action", seats=("", ""))
    control.new(seed)
    dice, passed, deciders = random.Random(seed), 0, []
    for _ in range(150):
        if control.match.over:
            break
        if control.covered:
            control.take_seat()
            passed += 1
        deciders.append(control.me)
        control.give(dice.choice(control.legal))
    changes = sum(one != other for one, other in pairwise(deciders))
    moves = control.match.state.move
    chosen = sum(isinstance(ply.action, Turret) for ply in control.match.plies)
    assert passed <= changes + 1 and changes <= 3 * moves + 2 * chosen


def test_an_order_given_ahead_waits_for_its_turn_and_tells_nothing_until_then(tmp_path):
    app = GameApp("wolf-pack", Store(tmp_path), adviser="careful", seats=("", ""))
    control = app.control
    control.new(4, SHORT)
    while not control.ahead:
        control.take_seat() if control.covered else control.give(control.legal[0])
    ply, me = control.match.ply, control.me
    assert me == 0 and not control.covered and control.match.turn == 1 and app.hint.disabled
    assert {order.action for order in control.orders()} >= set(control.legal) and len(control.orders()) > 1
    with refused(NavalkitError, UI, "order.turn"):
        control.order("discard water")
    action = next(each for each in control.legal if each != Pass())
    control.give(action)
    assert control.covered and control.me == 1 and control.match.ply == ply and control.later
    control.take_seat()
    assert str(action) not in app.log.value + app.status.value
    while control.match.state.phase is Phase.DISCARD:
        control.give(control.legal[0])
    played = next(each for each in control.match.plies if each.action == action)
    assert played.by == 0 and control.me == control.match.turn == 1 and not control.covered and not control.later
    told = app.status.value  # what they did stands before the convoy, whose turn it is without passing the screen
    with speaking(control.voice):
        assert control.headline() and all(event.text in control.happened() for event in played.events)
    discarded = [event for each in control.match.plies[ply:] for event in each.events if event.kind == "discarded"]
    control.give(Pass())
    assert told and control.covered and control.me == 0
    control.take_seat()
    with speaking(control.voice):
        assert all(str(event.facts["card"]) in control.happened() for event in discarded), "what they did meanwhile"


def test_nobody_is_asked_for_an_order_ahead_against_a_machine_or_when_a_game_is_taken_up(tmp_path):
    control = against(("", "careful"))
    for _ in range(20):
        if not control.match.over:
            control.order(str(control.legal[0]))
            assert not control.ahead
    control = against(("", ""), store=Store(tmp_path))
    while not control.ahead:
        control.take_seat() if control.covered else control.give(control.legal[0])
    again = Controller("wolf-pack", Store(tmp_path))
    assert again.resume(control.token) and not again.ahead and again.covered


def test_all_that_the_other_side_did_stands_in_the_headline():
    """A pass, both discards, and what was played: whoever reads one line knows it all."""
    assert sum(deeds_told(seed) for seed in range(6)) >= 3


def deeds_told(seed):
    """How often in a game the other side did several things, all of which the headline told."""
    dice, wholes = random.Random(seed), 0
    control = against(("", "careful") if seed % 2 else ("careful", ""), seed, transports=3, u_boats=3)
    for _ in range(60):
        if control.match.over:
            break
        since = max((i for i, ply in enumerate(control.match.plies) if ply.by == control.me), default=None)
        if since is not None:
            with speaking(control.voice):
                line = control.headline()
            theirs = (ply for ply in control.match.plies[since + 1 :] if ply.by == 1 - control.me)
            deeds = [event for ply in theirs for event in ply.events]
            for event in deeds:
                if event.kind in ("discarded", "laid", "raid"):
                    assert str(event.facts["card"]) in line, (line, event.text)
                elif event.kind == "passed":
                    assert WOLF("did.passed") in line, (line, event.text)
            wholes += len({event.kind for event in deeds}) > 1
        control.give(dice.choice(control.legal))
    return wholes


def test_the_covered_page_shows_nothing_of_the_game(tmp_path):
    app = GameApp("wolf-pack", Store(tmp_path), adviser="careful", seats=("", ""))
    control = app.control
    control.new(4, SHORT)
    while not control.covered:
        control.order(str(control.legal[0]))
    words = " ".join([app.status.value, app.log.value, app.facts.value, app.reasons.value, app.guide.value])
    said(words, UI, "seat.pass")
    for card in range(11):
        assert list(listed(tuple(int(i == card) for i in range(11))))[0].title not in words
    assert app.board._scene.cells == () and not app.orders.rows
    assert app.drawer.layout.display == app.controls.layout.display == app.uncovered.layout.display == "none"
    app.take_seat.click()
    assert not control.covered and app.board._scene.cells and app.orders.rows


def test_the_seed_of_a_hidden_game_is_shown_at_its_end_unless_somebody_chose_it(tmp_path):
    app = GameApp("wolf-pack", Store(tmp_path), seats=("", "careful"))
    app.control.new(None, SHORT)
    seed = str(app.control.match.seed)
    assert seed not in app.seed.value and app.handouts.copy_seed.disabled
    bound = app.control.match.commitment
    assert bound and bound in app.seed.value  # from the first move on, and at the end beside the seed that it binds
    next(made for made in app.handouts.buttons if made.description == UI("copy_link")).click()
    assert app.control.status.error
    said(app.control.status.text, UI, "link.secret")
    play_on(app.control)
    assert seed in app.seed.value and not app.handouts.copy_seed.disabled
    assert bound in app.seed.value and Match.loads(app.control.match.dumps()).commitment == bound
    app.control.new(5, SHORT)
    assert "5" in app.seed.value and not app.handouts.copy_seed.disabled


def test_an_unfinished_game_downloads_sealed_and_opens_again(tmp_path):
    control = against(("", "careful"))
    play_on(control, 5)
    text = control.match.dumps()
    assert "sealed" in text and "draw" not in text and f"seed = {control.match.seed}" not in text.split("sealed")[0]
    other = Controller("wolf-pack")
    other.open(text.encode())
    assert other.match.record() == control.match.record() and other.seats == ("", "careful")


def test_the_csv_of_an_unfinished_game_keeps_the_opponents_draws_to_itself():
    control = against(("", "careful"))
    play_on(control, 5)
    assert "convoy draw" not in control.csv()
    said(control.csv(), WOLF, "drawn", side="U-boats")
    play_on(control)
    assert "convoy draw" in control.csv()


def test_the_csv_of_an_unfinished_hunt_does_not_name_the_fleet():
    control = Controller("task-force", adviser="hunter")
    control.new(3, {"rows": 5, "columns": 5, "deep": 3, "fleet": "small", "submarines": 1, "missiles": 1})
    control.order(str(control.legal[0]))
    hidden = [str(ply.action) for ply in control.match.plies if ply.by == CHANCE]
    assert hidden and not any(action in control.csv() for action in hidden)
    play_on(control)
    assert all(action in control.csv() for action in hidden)


def swapped(game, state, me):
    """The same state with one card of the opponent's hand and one other card of the deck exchanged, if that can be."""
    theirs, deck = state.hands[1 - me], state.deck
    for a in range(11):
        for b in range(11):
            if a != b and theirs[a] > state.known[1 - me][a] and deck[b]:
                hand, pile = list(theirs), list(deck)
                hand[a], hand[b], pile[a], pile[b] = hand[a] - 1, hand[b] + 1, pile[a] + 1, pile[b] - 1
                hands = (tuple(hand), state.hands[1]) if me == 1 else (state.hands[0], tuple(hand))
                return replace(state, hands=hands, deck=tuple(pile))
    return None


@pytest.mark.parametrize("me", [0, 1])
def test_the_page_is_the_same_whatever_the_opponent_holds(me):
    game = load("wolf-pack")
    match = Match.new(game, seed=8)
    checked = 0
    while not match.over and checked < 12:
        match.play(match.legal()[-1])
        if match.turn != me or (other := swapped(game, match.state, me)) is None:
            continue
        checked += 1
        shown = []
        for state in (match.state, other):
            glance = Glance(game, game.observe(state, me), me, game.legal(state))
            pictures = [svg(PAGE.scene(glance, Look(tall))) for tall in (False, True)]
            words = [PAGE.now(glance), PAGE.guide(glance), PAGE.charts(glance), PAGE.facts(glance)]
            shown.append((pictures, PAGE.orders(glance), words))
        assert shown[0] == shown[1]
    assert checked == 12


def test_no_widget_ever_carries_a_card_the_opponent_drew(tmp_path):
    """Every text the page holds, searched for the opponent's unseen draws: the log tells only the own ones."""
    app = GameApp("wolf-pack", Store(tmp_path), seats=("", "careful"))
    control = app.control
    control.new(6, SHORT)
    for _ in range(12):
        if control.match.over:
            break
        held = json.dumps([app.log.value, app.status.value, app.facts.value, app.reasons.value])
        drawn = WOLF("drawn", side="convoy", card="?").partition("?")[0]
        dealt = WOLF("dealt", side="convoy", card="?").partition("?")[0]
        assert drawn not in held and dealt not in held
        said(held, WOLF, "drawn")
        control.order(str(control.legal[0]))


def test_after_the_end_the_machines_moves_open_to_their_reasons():
    control = against(("", "careful"))
    play_on(control)
    plies = control.match.plies
    moves = [i + 1 for i, ply in enumerate(plies) if ply.by == 1]
    for ply in moves[:5]:
        control.look_at(ply)
        reasons = control.reasons()
        assert reasons.action == plies[ply - 1].action and reasons.explain()
    chance = next(i + 1 for i, ply in enumerate(plies) if ply.by == CHANCE)
    control.look_at(chance)
    assert control.reasons() is None


def test_the_new_game_panel_chooses_the_seats(tmp_path):
    app = GameApp("wolf-pack", Store(tmp_path), seats=("", "careful"))
    app._ask_new()
    boats, convoy = app.new_game.seats
    assert (boats.value, convoy.value) == ("", "careful")
    boats.value, convoy.value = "brandt", ""
    app.new_game.children[-1].children[0].click()
    assert app.control.seats == ("brandt", "") and app.control.me == 1
