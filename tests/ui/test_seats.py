"""A page for several players: machine players answer, people pass the screen, and nobody's hand leaks."""

from __future__ import annotations
import json
from dataclasses import replace

import pytest

from navalkit.core.errors import NavalkitError
from navalkit.core.game import CHANCE
from navalkit.core.match import Match, Store
from navalkit.core.registry import load
from navalkit.games.wolf_pack import PAGE
from navalkit.games.wolf_pack.cards import listed
from navalkit.testing import refused, said
from navalkit.ui.play.app import GameApp
from navalkit.ui.play.controller import Controller
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
        assert control.me == control.match.turn and control.seen.me == control.me
        control.order(str(control.legal[0]))
    assert covered > 3


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
