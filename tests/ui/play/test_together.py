"""Orders that take effect at the same moment: all are seen before they do, each can be changed, one press gives all."""

from __future__ import annotations

import pytest

from navalkit.core.game import TERMINAL
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.core.trace import Decision
from navalkit.games.fleet_action.state import Done, Phase
from navalkit.players import player
from navalkit.testing import heard, said
from navalkit.ui.play.app import GameApp
from navalkit.ui.play.controls import bests
from navalkit.ui.play.ending import Bests
from navalkit.ui.play.turns import Change
from ...sentences import FLEET_PAGE, UI
from ..pages import order as give_order

DUEL = {"scenario": "build_your_own", "blue": "Norfolk", "red": "Fletcher"}
GUNS = ("Norfolk: guns main Fletcher", "Norfolk: guns secondary Fletcher")


@pytest.fixture
def app() -> GameApp:
    """A cruiser about to fire at a destroyer, for the first time."""
    made = GameApp("fleet-action")
    made.control.new(2, DUEL, ("", "gunnery"))
    for order in ("Norfolk: G6 E", "Norfolk: K6 E"):
        made.control.order(order)
    assert made.control.match.state.phase is Phase.FIRE
    return made


def labels(app: GameApp) -> list[str]:
    return [row[0] for row in app.orders.rows]


def test_the_last_order_waits_until_all_have_been_looked_at(app):
    control = app.control
    control.order(GUNS[0])
    assert len(control.given()) == 1
    ply = control.match.ply
    control.order(GUNS[1])
    assert control.match.ply == ply and control.match.state.phase is Phase.FIRE, "nobody has fired yet"
    assert list(map(str, control.given())) == list(GUNS)
    assert labels(app)[0] == FLEET_PAGE("order.done.fire") and app.orders.rows[0][4], (
        "one primary button gives them all"
    )
    changed = [heard(label, UI, "together.change").get("together.change") for label in labels(app)]
    assert sum(change is not None and change["order"].startswith("Norfolk") for change in changed) == 2
    said(app.status.value, UI, "together.now")
    give_order(app, give=app.orders.rows[0][5])
    fired = [str(each.action) for each in control.match.plies]
    assert all(order in fired for order in GUNS) and control.match.state.move == 3 and control.held is None


@pytest.mark.parametrize("number", [0, 1])
def test_each_can_be_changed_and_the_others_stand(app, number):
    control = app.control
    for order in GUNS:
        control.order(order)
    control.give(Change(number))
    assert list(map(str, control.given())) == [GUNS[1 - number]]
    assert not control.match.analysis and control.match.state.phase is Phase.FIRE
    control.order(GUNS[number])
    assert sorted(map(str, control.given())) == sorted(GUNS) and control.held is not None
    control.order("done")
    assert control.match.state.move == 3


def test_a_hint_does_not_speak_of_the_last_order_alone_once_all_are_given(app):
    control = app.control
    for order in GUNS:
        control.order(order)
    control._advised(Decision(control.held, "admiral", "why"))
    said(app.status.value, UI, "hint.held")
    assert control.advised == control.held


def test_a_hint_to_leave_out_the_order_that_waits_leaves_it_out(app):
    """Its reason would contradict the order's chance, were it given all the same."""
    control = app.control
    for order in GUNS:
        control.order(order)
    control._advised(Decision(Done(), "admiral", "why"))
    said(said(app.status.value, UI, "hint.said")["order"], UI, "together.change")
    control.follow()
    assert list(map(str, control.given())) == [GUNS[0]] and control.held is None
    assert control.match.state.phase is Phase.FIRE


def test_undo_takes_back_the_one_that_waits(app):
    control = app.control
    for order in GUNS:
        control.order(order)
    control.undo()
    assert control.held is None and control.match.state.phase is Phase.FIRE


def test_a_battle_won_is_a_best_by_its_sentence_and_not_by_a_score_of_one():
    match = Match.new(load("fleet-action", **DUEL), 2)
    seats = [player("gunnery", match.game)] * 2
    while match.turn != TERMINAL:
        match.play(seats[match.turn].decide(match.observe(), match.legal()).action)
    kept = Bests()
    assert kept.note(match, "a duel", match.outcome.scores.index(1.0))
    written = bests(kept.rows, "a duel", "points")
    told = said(str(written), UI, "bests.row.won", seed="2")["score"]
    assert str(match.outcome.text) in told and not heard(str(written), UI, "bests.row")
