"""Orders that come over a line: each is played once, for the position it was given for, whatever breaks meanwhile."""

from __future__ import annotations
import random
from pathlib import Path
from typing import Any

import pytest

import navalkit as nk
from navalkit.core.match import Match, Store
from navalkit.core.seeds import fresh_seed
from navalkit.rooms.refused import RoomError
from navalkit.rooms.store import Rooms
from navalkit.rooms.table import SAME, SWAP, Table
from navalkit.testing import said
from navalkit.ui.play.app import GameApp
from navalkit.ui.play.controller import Controller
from navalkit.ui.play.turns import Prints, Sent, StaleError
from navalkit.ui.rooms.door import Desk
from ...sentences import CLASSES, UI
from ..pages import JOURNAL, Browser, named, order

OTHER = JOURNAL[::-1]
FIRE = "Exeter: guns Graf Spee"
AHEAD = "Exeter: G6 E; guns Graf Spee"
"""An order, and one that waits for the next phase."""


@pytest.fixture(autouse=True)
def raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAVALKIT_RAISE", "1")


def opened(folder: Path, name: str = "task-force", token: str = "") -> tuple[GameApp, Browser]:
    """A page, as it is after a kernel's death where there is a token."""
    app = GameApp(name, Store(folder))
    browser = Browser(app)
    stored = {app._token_key: token} if token else {}
    browser.hello(query="?seed=42", stored=stored, tab=True)
    return app, browser


def given(app: GameApp) -> list[str]:
    return [str(ply.action) for ply in app.control.match.plies if ply.by == 0]


def stood(browser: Browser) -> dict[str, Any]:
    """What the tab's journal was told last."""
    return browser.heard("stand")[-1]


def test_an_order_that_comes_twice_is_played_once_and_acknowledged_each_time(tmp_path):
    app, browser = opened(tmp_path)
    at = app.control.position
    for _ in range(3):
        order(app, at=at, n=1, type="A1")
    assert given(app) == ["A1"]
    assert stood(browser) | {"do": ""} == app.control.standing() | {"do": ""}
    assert (stood(browser)["n"], stood(browser)["safe"], stood(browser)["journal"]) == (1, 1, JOURNAL)


def test_a_double_press_is_one_order_and_two_quick_ones_are_two(tmp_path):
    """The second is given before the first is answered: for the same position."""
    app, _ = opened(tmp_path)
    at = app.control.position
    order(app, at=at, type="A1")
    order(app, at=at, type="B1")
    assert given(app) == ["A1", "B1"]
    order(app, at=at, type="B1")
    said(app.status.value, UI, "order.stale")
    assert given(app) == ["A1", "B1"]


def test_what_was_given_for_another_position_is_refused_in_a_sentence(tmp_path):
    app, browser = opened(tmp_path)
    at = app.control.position
    order(app, type="A1")
    order(app, at=at, n=1, journal=OTHER, type="C1")  # another tab, that has not seen it
    said(app.status.value, UI, "order.stale")
    app.control.undo(agreed=True)
    order(app, type="D1")  # the same number of actions, and not the same ones
    after = app.control.position
    app.control.undo(agreed=True)
    order(app, type="E1")
    order(app, at=after, n=2, journal=OTHER, type="F1")
    said(app.status.value, UI, "order.stale")
    assert given(app) == ["E1"]
    assert stood(browser)["journal"] == OTHER and stood(browser)["safe"] == 2, "what was refused need not come again"


@pytest.mark.parametrize("at", ["", "3", "3.x.y", "-1.0.0", "99999999999.0.0", "1.2.3.4", "٣.0.0"])
def test_a_position_that_is_none_is_an_earlier_one(tmp_path, at):
    control = opened(tmp_path)[0].control
    with pytest.raises(StaleError):
        control.take(Sent(JOURNAL, 1, at, {"type": "A1"}))
    assert not any(ply.by == 0 for ply in control.match.plies)


@pytest.mark.parametrize("told", [
    {"journal": None}, {"journal": "x"}, {"n": 0}, {"n": True}, {"n": "1"}, {"n": 1 << 40}, {"at": 1}, {"at": None},
    {"do": "A1"}, {"do": None},
])  # fmt: skip
def test_what_is_no_order_is_refused_in_a_sentence(tmp_path, told):
    app, _ = opened(tmp_path)
    whole = {"journal": JOURNAL, "n": 1, "at": app.control.position, "do": {"type": "A1"}}
    app.bridge._handle_custom_msg({"event": "order", "order": whole | told}, [])
    said(app.status.value, UI, "order.damaged")


def test_an_order_after_one_that_was_lost_waits_until_that_one_has_come(tmp_path):
    app, browser = opened(tmp_path)
    at = app.control.position
    order(app, at=at, n=1, type="A1")
    order(app, at=at, n=3, after=2, type="C1")
    assert given(app) == ["A1"] and (stood(browser)["n"], stood(browser)["safe"]) == (1, 1)
    order(app, at=at, n=2, after=0, type="B1")  # the tab, told so, sends both again
    order(app, at=at, n=3, after=2, type="C1")
    assert given(app) == ["A1", "B1", "C1"] and (stood(browser)["n"], stood(browser)["safe"]) == (3, 3)


def test_what_was_refused_or_given_up_is_waited_for_by_nobody(tmp_path):
    """An order names the one before it only as long as the tab means to send that one."""
    app, browser = opened(tmp_path)
    order(app, n=1, type="no such order")
    assert stood(browser)["n"] == 1 and not given(app)
    order(app, n=2, after=1, type="A1")
    order(app, n=7, type="B1")  # the tab has none of those between any more
    order(app, n=8, after=7, at="3.x.y", type="C1")
    said(app.status.value, UI, "order.stale")
    order(app, n=9, after=8, type="D1")
    again, browser = opened(tmp_path, token=app.control.token)
    order(again, n=20, type="E1")
    order(again, n=21, after=99, type="F1")  # what says that it comes before itself is no gap
    assert given(again) == ["A1", "B1", "D1", "E1", "F1"] and stood(browser)["safe"] == 21


def test_an_order_that_comes_again_is_acknowledged_again(tmp_path):
    """The first acknowledgement may have been lost."""
    app, browser = opened(tmp_path)
    at = app.control.position
    order(app, at=at, n=1, type="A1")
    told = len(browser.heard("stand"))
    order(app, at=at, n=1, type="A1")
    assert len(browser.heard("stand")) == told + 1 and given(app) == ["A1"]


@pytest.mark.parametrize("spot", [(0.3, 0.3), (None, None)])
def test_a_press_on_the_board_is_heard_wherever_it_is(tmp_path, spot):
    app, browser = opened(tmp_path)
    order(app, n=1, spot=list(spot))
    assert stood(browser)["n"] == 1


# Undo and the like --------------------------------------------------------------------------------------------------


def test_undo_comes_once_and_in_its_place_among_the_orders(tmp_path):
    app, browser = opened(tmp_path)
    for text in ("A1", "B1"):
        order(app, type=text)
    at = app.control.position
    for _ in range(2):
        order(app, at=at, n=3, press="undo")
    assert app.control.asking_undo and given(app) == ["A1", "B1"]  # what was seen is taken back once agreed
    for _ in range(2):
        order(app, at=at, n=4, press="undo-yes")
    assert given(app) == ["A1"] and stood(browser)["safe"] == stood(browser)["n"] == 4
    order(app, at=at, n=5, press="undo-yes")  # a double press
    said(app.status.value, UI, "order.stale")
    order(app, at=at, n=6, type="C1")  # given together with undo: whoever gave it knew of that
    assert given(app) == ["A1", "C1"]
    order(app, at=at, n=1, journal=OTHER, type="D1")
    said(app.status.value, UI, "order.stale")


def test_undo_after_a_kernels_death_takes_back_what_it_was_pressed_for(tmp_path):
    app, _ = opened(tmp_path)
    order(app, n=1, type="A1")
    at = app.control.position
    order(app, at=at, n=2, type="B1")
    again, browser = opened(tmp_path, token=app.control.token)
    order(again, at=at, n=2, type="B1")
    order(again, at=at, n=3, after=2, press="undo-yes")
    assert given(again) == ["A1"] and stood(browser)["safe"] == 3
    third, _ = opened(tmp_path, token=app.control.token)
    order(third, at=at, n=3, after=2, press="undo-yes")
    assert given(third) == ["A1"]


def test_undo_in_another_tabs_position_is_refused(tmp_path):
    app, _ = opened(tmp_path)
    at = app.control.position
    order(app, n=1, type="A1")
    order(app, at=at, n=1, journal=OTHER, press="undo-yes")
    said(app.status.value, UI, "order.stale")
    assert given(app) == ["A1"]


def test_what_is_lit_is_done_once_and_refused_when_it_is_lit_no_more(tmp_path):
    app, _ = opened(tmp_path)
    app.control.advise()
    at = app.control.position
    for _ in range(2):
        order(app, at=at, n=1, press="do-it")
    assert len(given(app)) == 1
    again, _ = opened(tmp_path, token=app.control.token)
    order(again, n=2, press="do-it")
    said(again.status.value, UI, "order.gone")
    assert len(given(again)) == 1


@pytest.mark.parametrize("key", ["new", "hint"])
def test_what_does_not_go_through_the_journal_leaves_the_game_where_it_is(tmp_path, key):
    """New opens a panel, and a hint lights an order: neither is worse for coming twice, or not at all."""
    app, browser = opened(tmp_path)
    order(app, n=1, type="A1")
    before, token = app.control.standing(), app.control.token
    for _ in range(2):
        named(app, f"nk-key-{key}").click()
        assert app.control.standing() == before and app.control.token == token


@pytest.mark.parametrize("press", ["", "new", "no such key", None, 3])
def test_a_press_that_is_none_is_refused(tmp_path, press):
    app, browser = opened(tmp_path)
    order(app, n=1, press=press)
    said(app.status.value, UI, "order.empty" if press is None or press == 3 else "order.gone")
    assert stood(browser)["n"] == 1


def test_what_was_typed_ahead_outlives_the_kernel(tmp_path):
    """The orders of a line that are not due yet are kept with the game."""
    app, _ = opened(tmp_path, "fleet-action")
    order(app, n=1, type=AHEAD)
    assert len(app.control.later) == 1
    again, _ = opened(tmp_path, "fleet-action", token=app.control.token)
    assert again.control.later == app.control.later and again.control.match.ply == app.control.match.ply
    order(again, n=1, type=AHEAD)  # it is not played anew
    assert again.control.match.ply == app.control.match.ply
    for n in range(2, 40):
        if not again.control.later:
            break
        order(again, n=n, type="done")
    assert sum(text == FIRE for text in map(str, (ply.action for ply in again.control.match.plies))) == 1


@pytest.mark.parametrize("mark", ["[1]", "[[0, 1]]", '[[0, 1, "no such order"]]', '[["a", "b", "c"]]', "[", "[[null]]"])
def test_a_damaged_word_of_what_was_typed_ahead_leaves_the_game_whole(tmp_path, mark):
    app, _ = opened(tmp_path)
    order(app, n=1, type="A1")
    Store(tmp_path).save(app.control.token, app.control.match, f"{JOURNAL} 1 {mark}")
    again, _ = opened(tmp_path, token=app.control.token)
    assert given(again) == ["A1"] and not again.control.later


def test_after_the_kernels_death_what_it_had_played_is_known_and_the_rest_is_played(tmp_path):
    app, browser = opened(tmp_path)
    at = app.control.position
    order(app, at=at, type="A1")
    token = app.control.token
    later, browser = opened(tmp_path, token=token)  # it died before it could acknowledge anything
    assert stood(browser) == {"do": "stand"} | later.control.standing()
    assert (stood(browser)["journal"], stood(browser)["n"]) == (JOURNAL, 1)
    order(later, at=at, n=1, type="A1")
    order(later, at=at, n=2, type="B1")  # it was given when nobody answered any more
    assert given(later) == ["A1", "B1"]


def test_orders_that_the_disk_did_not_take_are_not_safe_and_bring_the_game_back(tmp_path, monkeypatch):
    app, browser = opened(tmp_path)
    order(app, type="A1")
    journal = []

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Store, "save", full)
        for n, text in enumerate(("B1", "C1", "D1"), 2):
            journal.append((n, app.control.position, text))
            order(app, type=text)
            said(app.status.value, UI, "keep.failed")
        assert (stood(browser)["n"], stood(browser)["safe"]) == (4, 1)
    again, browser = opened(tmp_path, token=app.control.token)
    assert given(again) == ["A1"]
    for n, at, text in journal:
        order(again, at=at, n=n, type=text)
    assert given(again) == ["A1", "B1", "C1", "D1"] and stood(browser)["safe"] == 4
    assert again.control.position == app.control.position


def test_what_was_picked_and_not_yet_ordered_comes_back_too(tmp_path):
    """A press that only picks is sent again until an order is given; what was picked before is not what it was."""
    app, browser = opened(tmp_path, "on-patrol")
    picking = next(cell for cell in app.scene().cells if cell.pick is not None)
    at = app.control.position
    order(app, point=picking.id)
    assert app.control.position != at and (stood(browser)["n"], stood(browser)["safe"]) == (1, 0)
    picked = app.control.position
    again, _ = opened(tmp_path, "on-patrol", token=app.control.token)
    order(again, at=at, n=1, point=picking.id)
    assert again.control.position == picked
    third, _ = opened(tmp_path, "on-patrol", token=app.control.token)
    order(third, at=picked, n=2, point=picking.id)
    said(third.status.value, UI, "order.stale")


def test_an_order_that_is_held_is_not_safe(tmp_path):
    app, browser = opened(tmp_path, "fleet-action")
    for _ in range(200):
        if app.control.held is not None or app.control.match.over:
            break
        order(app, give=app.orders.rows[0][5])
    assert app.control.held is not None and stood(browser)["safe"] < stood(browser)["n"]
    number, position = stood(browser)["n"], app.control.position
    again, browser = opened(tmp_path, "fleet-action", token=app.control.token)
    assert again.control.held is None
    order(again, n=number, give=str(app.control.held))
    assert again.control.held == app.control.held
    assert again.control.position.split(".")[:2] == position.split(".")[:2], "but for the window, which is made anew"


def test_a_second_tab_plays_a_copy_and_says_so(tmp_path):
    app, _ = opened(tmp_path)
    order(app, type="A1")
    second = GameApp("task-force", Store(tmp_path))
    Browser(second).hello(query="?seed=42", stored={second._token_key: app.control.token}, tab=False)
    said(second.status.value, UI, "open.copy")
    assert given(second) == ["A1"] and second.control.token != app.control.token
    order(second, journal=OTHER, type="B1")
    order(app, type="C1")
    assert (given(app), given(second)) == (["A1", "C1"], ["A1", "B1"])


def test_a_process_that_wakes_up_writes_nothing_over_what_another_has_kept_since(tmp_path):
    """A page's Python was frozen, and hears its orders after another one has taken the game up."""
    old, heard = opened(tmp_path)
    order(old, n=1, type="A1")
    at, token = old.control.position, old.control.token
    new, browser = opened(tmp_path, token=token)
    order(new, at=at, n=2, type="B1")
    order(new, n=3, type="C1")
    order(old, at=at, n=2, type="B1")
    said(old.status.value, UI, "keep.elsewhere")
    assert given(old) == ["A1", "B1", "C1"] and (stood(heard)["n"], stood(heard)["safe"]) == (3, 3)
    order(new, n=4, type="D1")
    assert given(new) == ["A1", "B1", "C1", "D1"] and stood(browser)["safe"] == 4
    assert given(opened(tmp_path, token=token)[0]) == ["A1", "B1", "C1", "D1"]


def test_a_process_that_wakes_up_before_the_other_has_played_loses_no_order_and_gives_none_twice(tmp_path):
    old, heard = opened(tmp_path)
    order(old, n=1, type="A1")
    at, token = old.control.position, old.control.token
    new, browser = opened(tmp_path, token=token)
    order(old, at=at, n=2, type="B1")
    said(old.status.value, UI, "keep.elsewhere")
    assert given(old) == ["A1"] and stood(heard)["safe"] == stood(heard)["n"] == 1, "it is not safe, and not played"
    order(old, at=at, n=2, type="B1")  # it had come twice: the process goes on with what was there
    order(new, at=at, n=2, type="B1")
    order(new, n=3, type="C1")
    assert given(new) == ["A1", "B1", "C1"] and stood(browser)["safe"] == 3
    assert given(opened(tmp_path, token=token)[0]) == ["A1", "B1", "C1"]


def test_a_damaged_order_is_told_to_be_dropped(tmp_path):
    app, browser = opened(tmp_path)
    damaged = {"journal": JOURNAL, "n": 1 << 40, "at": "", "do": {}}
    app.bridge._handle_custom_msg({"event": "order", "order": damaged}, [])
    said(app.status.value, UI, "order.damaged")
    assert browser.heard("drop") == [{"do": "drop", "n": 1 << 40}]
    for n, spot in enumerate(([1], [1, 2, 3], ["a", 1], "12", 5, {}), 1):
        order(app, n=n, spot=spot)
        assert browser.heard("drop")[-1] == {"do": "drop", "n": n}
        said(app.status.value, UI, "order.damaged")
    dropped = len(browser.heard("drop"))
    order(app, n=7, type="A1")
    assert given(app) == ["A1"] and len(browser.heard("drop")) == dropped == 7


def test_the_prints_of_positions_are_equal_where_the_same_was_played_and_tell_nothing_without_the_seed():
    seed = fresh_seed(secret=True)
    one, other = (Match.new("wolf-pack", seed) for _ in range(2))
    prints, told = Prints(), Prints()
    for _ in range(12):
        assert prints(one, one.ply, 0) == told(other, other.ply, 0)
        for match in (one, other):
            match.play(match.legal()[0])
    assert [prints(one, ply, 0) for ply in range(one.ply + 1)] == [told(other, ply, 0) for ply in range(one.ply + 1)]
    assert len({prints(one, ply, 0) for ply in range(one.ply + 1)}) == one.ply + 1
    assert prints(one, one.ply, 0, "held") != prints(one, one.ply, 0)
    # The same game from another seed, as far as anybody at the table can know.
    hidden = Match.replay(one.record())
    hidden.seed += 1
    assert Prints()(hidden, hidden.ply, 0) != prints(one, one.ply, 0)
    # Back, and on by another way: what was known of the plies in between is forgotten.
    before = prints(one, one.ply, 0)
    one.undo(analysis=True)
    while len(one.legal()) == 1 or one.turn != 0:
        one.undo(analysis=True)
    one.play(one.legal()[-1])
    while one.ply < other.ply:
        one.play(one.legal()[0])
    assert prints(one, one.ply, 0) != before
    # What the other side did unseen says nothing to this one, even with the seed known.
    match, hidden = (Match.new("wolf-pack", 5) for _ in range(2))
    while match.turn != 1 or len(match.legal()) == 1:
        for each in (match, hidden):
            each.play(each.legal()[0])
    match.play(match.legal()[0])
    hidden.play(hidden.legal()[-1])
    one, other = ([(e.rule, e.kind) for e in each.plies[-1].events if e.seen_by(0)] for each in (match, hidden))
    assert (Prints()(match, match.ply, 0) == Prints()(hidden, hidden.ply, 0)) == (one == other)
    assert Prints()(match, match.ply, 1) != Prints()(hidden, hidden.ply, 1)


# With somebody on another device ----------------------------------------------------------------------------------


@pytest.fixture
def rooms(tmp_path):
    made = Rooms(tmp_path / "rooms.sqlite3")
    yield made
    made.close()


def laid(rooms):
    """A game of Wolf Pack at which it is the guest's turn."""
    table = Table.lay(rooms, nk.Match.new("wolf-pack", 7, ("host", "guest")), 0)
    while table.match.turn == 0:
        table.play(table.match.legal()[0])
    return table


def aiming(rooms):
    """A game of Fleet Action at which the guest is to choose a target, and then to fire."""
    table = Table.lay(rooms, nk.Match.new("fleet-action", 11, ("host", "guest")), 0)
    sides = [table, Table(rooms, table.code, 1)]
    while table.match.turn == 0 or "guns" not in table.match.game.format_action(table.match.legal()[0]):
        sides[table.match.turn].play(table.match.legal()[0])
        for side in sides:
            side.catch_up()
    return table


def ask(desk, table, n=0, at="", journal=JOURNAL, after=0, **do):
    sent = {"journal": journal, "n": n, "at": at, "do": do, "after": after} if do else {}
    return desk.answer({"room": table.code, "seat": 1, "size": [390, 480], "do": sent})


def test_a_guests_order_sent_twice_is_played_once_and_a_new_process_knows(rooms):
    table = laid(rooms)
    desk = Desk(rooms)
    seen = ask(desk, table)["view"]
    at, text, before = seen["standing"]["at"], seen["orders"][0]["text"], len(rooms.moves(table.code))
    for asked in (desk, desk, Desk(rooms)):
        told = ask(asked, table, 1, at, give=text)
        assert told["status"] == 200 and told["view"]["standing"]["n"] == 1
        assert len(rooms.moves(table.code)) == before + 1
    told = ask(desk, table, 2, at, give=text)  # a double tap: another order, the same position
    assert told["status"] == 409
    said(told["error"], UI, "order.stale")
    told = ask(desk, table, 1, at, journal=OTHER, give=text)  # the same seat in another tab
    assert told["status"] == 409 and len(rooms.moves(table.code)) == before + 1


@pytest.mark.parametrize("how", [SAME, SWAP])
def test_a_guests_order_of_a_rematch_sent_twice_is_played_once_and_a_new_process_knows(rooms, how):
    """What was given is kept by seat: with sides changed the guest sits at the same one."""
    table, dice = laid(rooms), random.Random(5)
    guest = Table(rooms, table.code, 1)
    while not table.match.over:
        side = (table, guest)[table.match.turn]
        side.play(dice.choice(list(side.match.legal())))
        table.catch_up(), guest.catch_up()
    guest.ask_again(how)
    table.catch_up(), table.ask_again(how)
    while table.match.turn == table.me:
        table.play(table.match.legal()[0])
    seen, before = ask(Desk(rooms), table)["view"], len(rooms.moves(table.code))
    at, text = seen["standing"]["at"], seen["orders"][0]["text"]
    for _ in range(2):
        told = ask(Desk(rooms), table, 1, at, give=text)
        assert told["status"] == 200 and len(rooms.moves(table.code)) == before + 1


def test_an_order_that_was_refused_is_refused_again_when_it_comes_again(rooms):
    """Its answer was lost: it is neither taken nor dropped without a word, whatever was played meanwhile."""
    table = laid(rooms)
    desk = Desk(rooms)
    seen = ask(desk, table)["view"]
    at, text, before = seen["standing"]["at"], seen["orders"][0]["text"], len(rooms.moves(table.code))
    stale, nonsense = {"n": 1, "at": "0.0.0", "give": text}, {"n": 2, "at": at, "type": "no such order"}
    for sent, status in ((stale, 409), (nonsense, 400)):
        told = ask(desk, table, **sent)
        assert told["status"] == status and ask(desk, table, **sent) == told == ask(Desk(rooms), table, **sent)
    assert ask(desk, table, 3, at, give=text)["status"] == 200
    assert ask(desk, table, **stale)["status"] == 409 and ask(desk, table, **nonsense) == told
    assert ask(desk, table, 3, at, give=text)["status"] == 200 and len(rooms.moves(table.code)) == before + 1


def test_an_order_that_a_page_refused_is_refused_again_when_it_comes_again(tmp_path):
    app, _ = opened(tmp_path)
    at = app.control.position
    order(app, n=1, type="A1")
    for _ in range(2):
        app.control.hush()
        order(app, at="0.0.0", n=2, type="B1")
        said(app.control.status.text, UI, "order.stale")
    order(app, at=at, n=3, type="B1")
    assert given(app) == ["A1", "B1"]


def test_what_was_held_is_told_to_be_unheard_by_a_process_that_knows_nothing_of_it(rooms):
    """What waits until all of a fleet's orders are given is in no file: the phone gives it again."""
    table = aiming(rooms)
    before, seen = len(rooms.moves(table.code)), ask(Desk(rooms), table)["view"]
    aim = {"n": 1, "at": seen["standing"]["at"], "give": seen["orders"][0]["text"]}
    held = ask(Desk(rooms), table, **aim)["view"]
    assert (held["standing"]["n"], held["standing"]["safe"]) == (1, 0) and len(rooms.moves(table.code)) == before
    anew = Desk(rooms)
    looked = ask(anew, table)["view"]["standing"]
    assert (looked["journal"], looked["n"]) == ("", 0)
    fire = {"n": 2, "at": held["standing"]["at"], "after": 1, "give": held["orders"][0]["text"]}
    assert ask(anew, table, **fire)["view"]["standing"]["n"] == 0 and len(rooms.moves(table.code)) == before
    for sent in (aim, fire):
        told = ask(anew, table, **sent)["view"]["standing"]
        assert told["n"] == sent["n"]
    assert told["safe"] == 2 and len(rooms.moves(table.code)) == before + 1


def test_an_order_at_which_the_game_failed_is_played_once_when_it_comes_again(rooms, monkeypatch):
    table = laid(rooms)
    desk = Desk(rooms)
    seen = ask(desk, table)["view"]
    at, text, before = seen["standing"]["at"], seen["orders"][0]["text"], len(rooms.moves(table.code))
    for broken in ("act", "_moved"):  # before the move is claimed, and after
        with monkeypatch.context() as patched:
            patched.setattr(Controller, broken, lambda *_: 1 / 0)
            assert ask(desk, table, 1, at, give=text)["status"] == 500
    for _ in range(2):
        told = ask(desk, table, 1, at, give=text)
        assert told["status"] == 200 and told["view"]["standing"]["n"] == 1
        assert len(rooms.moves(table.code)) == before + 1


def test_what_cannot_be_written_for_both_devices_is_said_and_played_once_when_it_comes_again(rooms):
    """As on a full disk: neither the guest's order is lost, nor the host's."""
    table = laid(rooms)
    desk, before = Desk(rooms), len(rooms.moves(table.code))
    seen = ask(desk, table)["view"]
    rooms.sql.execute("PRAGMA query_only = ON")
    told = ask(desk, table, 1, seen["standing"]["at"], give=seen["orders"][0]["text"])
    assert told["status"] == 503
    said(told["error"], CLASSES, "no.written")
    rooms.sql.execute("PRAGMA query_only = OFF")
    for _ in range(2):
        assert ask(desk, table, 1, seen["standing"]["at"], give=seen["orders"][0]["text"])["status"] == 200
    assert len(rooms.moves(table.code)) == before + 1

    other = Table.lay(rooms, nk.Match.new("wolf-pack", 7, ("host", "guest")), 0)
    host = Controller("wolf-pack")
    host.sit_down(other)
    sent, stood = Sent(JOURNAL, 1, host.position, {"give": host.orders()[0].text}), host.standing(JOURNAL)
    rooms.sql.execute("PRAGMA query_only = ON")
    with pytest.raises(RoomError) as refused:
        host.take(sent)
    assert refused.value.status == 503 and host.standing(JOURNAL) == stood
    rooms.sql.execute("PRAGMA query_only = OFF")
    for _ in range(2):
        host.take(sent)
    assert len(rooms.moves(other.code)) == 1 and host.standing(JOURNAL)["n"] == 1


def test_a_host_whose_kernel_died_after_the_move_was_claimed_does_not_move_twice(rooms):
    table = Table.lay(rooms, nk.Match.new("wolf-pack", 7, ("host", "guest")), 0)

    def host():
        control = Controller("wolf-pack")
        control.sit_down(Table.again(rooms, table.ticket))
        return control

    control = host()
    sent = Sent(JOURNAL, 1, control.position, {"give": control.orders()[0].text})
    second = Sent(JOURNAL, 2, control.position, {"give": control.orders()[1].text})
    control.take(sent)
    again = host()
    again.take(sent)
    assert len(rooms.moves(table.code)) == 1 and again.standing() == control.standing()
    again.take(second)  # given together with the first, and never answered
    assert len(rooms.moves(table.code)) == 2
