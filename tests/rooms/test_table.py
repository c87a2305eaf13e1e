"""Two people, two devices: both sides play the same game, and neither gets to know more than its own side."""

from __future__ import annotations
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.errors import IllegalActionError
from navalkit.core.seeds import fresh_seed
from navalkit.core.words import Phrase
from navalkit.games.wolf_pack.odds import permute
from navalkit.rooms.refused import RoomError
from navalkit.rooms.store import Rooms
from navalkit.rooms.table import GONE, GRACE, HERE, LEFT, QUIET, Table
from navalkit.testing import refused, said
from navalkit.ui.play.controller import Controller
from navalkit.ui.rooms.door import Desk, view
from ..sentences import CLASSES, UI, WOLF


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Rooms]:
    opened = Rooms(tmp_path / "rooms.sqlite3")
    yield opened
    opened.close()


def laid(rooms: Rooms, game: str, seed: int | None = None, minutes: int = 0) -> Table:
    made = nk.Match.new(game, fresh_seed(secret=True) if seed is None else seed, ("host", "guest"))
    return Table.lay(rooms, made, 0, minutes)


@pytest.mark.parametrize("game", ["wolf-pack", "fleet-action"])
def test_both_sides_play_the_same_game(rooms: Rooms, game: str) -> None:
    host = laid(rooms, game)
    guest, rng = Table(rooms, host.code, 1), np.random.default_rng(0)
    for _ in range(60):
        if host.match.over:
            break
        table = (host, guest)[host.match.turn]
        legal = table.match.legal()
        table.play(legal[rng.integers(len(legal))])
        host.catch_up()
        guest.catch_up()
        assert host.match.state == guest.match.state
    later = Table(rooms, host.code, 1)  # after a restart
    assert later.match.state == host.match.state and later.done == host.done > 10
    assert Table.again(rooms, host.ticket) is not None
    assert Table.again(rooms, f"{host.code} x") is None and Table.again(rooms, "") is None


def test_nobody_plays_for_the_other_nor_what_is_not_legal(rooms: Rooms) -> None:
    host = laid(rooms, "wolf-pack", 7)
    guest = Table(rooms, host.code, 1)
    with refused(IllegalActionError, CLASSES, "no.turn"):
        (guest if host.match.turn == 0 else host).play(host.match.legal()[0])
    with pytest.raises(IllegalActionError):
        (host if host.match.turn == 0 else guest).play(host.match.game.parse_action("discard miss"))
    assert rooms.moves(host.code) == []


def test_of_two_screens_of_one_side_the_first_is_heard(rooms: Rooms) -> None:
    host = laid(rooms, "wolf-pack", 7)
    me = host.match.turn
    one, two = Table(rooms, host.code, me), Table(rooms, host.code, me)
    first, second, *_ = one.match.legal()
    one.play(first)
    with refused(RoomError, CLASSES, "no.moved"):
        two.play(second)
    assert two.match.state == one.match.state


def test_an_action_is_taken_back_if_the_other_side_agrees(rooms: Rooms) -> None:
    host = laid(rooms, "wolf-pack", 7)
    tables = host, Table(rooms, host.code, 1)
    me = tables[host.match.turn]
    other = tables[1 - me.me]
    with refused(IllegalActionError, CLASSES, "no.undo"):
        me.ask_undo()
    before = me.match.state
    me.play(me.match.legal()[0])
    me.ask_undo()
    with refused(IllegalActionError, CLASSES, "no.twice"):
        me.ask_undo()
    with refused(IllegalActionError, CLASSES, "no.asked"):
        me.answer_undo(True)
    other.catch_up()
    other.answer_undo(False)
    me.catch_up()
    assert me.match.state != before and me.asks is None
    me.ask_undo()
    other.catch_up()
    other.answer_undo(True)
    me.catch_up()
    assert me.match.state == other.match.state == before and me.match.analysis


def test_the_clock_of_the_side_on_turn_runs(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("time.time", lambda: now)
    host = laid(rooms, "wolf-pack", 7, minutes=1)
    me = host.match.turn
    rooms.sit(host.code, seats=range(1, 2))
    now += 20
    assert host.left(me) == 40 and host.left(1 - me) == 60
    table = Table(rooms, host.code, me)
    table.play(table.match.legal()[0])
    assert table.used[me] == 20


def test_a_clock_set_back_gives_nobody_more_time_than_there_is(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 10000.0
    monkeypatch.setattr("time.time", lambda: now)
    host = laid(rooms, "wolf-pack", 7, minutes=10)
    me = host.match.turn
    rooms.sit(host.code, seats=range(1, 2))
    now -= 3600
    assert host.left(me) == 600
    now += 20
    assert host.left(me) == 580, "and it runs"


def test_a_game_for_one_is_laid_for_nobody(rooms: Rooms) -> None:
    with refused(IllegalActionError, CLASSES, "no.two"):
        Table.lay(rooms, nk.Match.new("uss-lox"), 0)


# What a guest gets ------------------------------------------------------------------------------------------------


NUMBERS = itertools.count(1)


def ask(desk: Desk, table: Table, **do: Any) -> dict[str, Any]:
    """The answer to a guest who looks, or, with something to do, gives the next order of a journal."""
    asked = {"room": table.code, "seat": 1, "size": [390, 480]}
    if do and "rules" not in do:
        at = desk.answer(asked | {"do": {}})["view"]["standing"]["at"]
        do = {"journal": "0123456789abcdef", "n": next(NUMBERS), "at": at, "do": do}
    return desk.answer(asked | {"do": do})


def seated(rooms: Rooms, table: Table, me: int) -> Controller:
    control = Controller(table.match.game.name)
    control.sit_down(Table(rooms, table.code, me))
    return control


def test_what_a_guest_gets_does_not_change_with_what_is_hidden_from_them(rooms: Rooms) -> None:
    table, rng = laid(rooms, "wolf-pack"), np.random.default_rng(3)
    looked = 0
    for _ in range(12):
        current = Table(rooms, table.code, Table(rooms, table.code, 0).match.turn)
        legal = current.match.legal()
        current.play(legal[rng.integers(len(legal))])
        for me in (0, 1):
            control = seated(rooms, table, me)
            mine = json.dumps(view(control))
            state = control.match.state
            other = permute(state, me, rng)
            looked += other != state
            control.match._plies[-1] = control.match._plies[-1].__class__(
                *(getattr(control.match._plies[-1], name) for name in ("by", "action")), other,
                control.match._plies[-1].events,
            )  # fmt: skip
            control._glance = control._scene = None
            assert json.dumps(view(control)) == mine
            assert str(table.match.seed) not in mine
    assert looked > 12


@pytest.mark.parametrize("name", ["wolf-pack", "fleet-action"])
def test_a_guest_sees_how_it_stands_and_why_it_ended(rooms: Rooms, name: str) -> None:
    """What the strip over the host's board says."""
    table, rng = laid(rooms, name), np.random.default_rng(2)
    guest = seated(rooms, table, 1)
    aims = guest.page.aims(guest.glance())
    assert aims is not None
    told = view(guest)["aims"]
    for part in (*(camp.name for camp in aims.camps), *(camp.score for camp in aims.camps), aims.left, aims.of):
        assert part in told
    sides = [Table(rooms, table.code, me) for me in (0, 1)]
    while not sides[0].match.over:
        side = sides[sides[0].match.turn]
        legal = side.match.legal()
        side.play(legal[rng.integers(len(legal))])
        for each in sides:
            each.catch_up()
    guest = seated(rooms, table, 1)
    assert view(guest)["aims"] == guest.page.why(guest.game, guest.match, 1) != ""


def test_a_guest_plays_with_buttons_cells_and_typed_orders(rooms: Rooms) -> None:
    table, desk = laid(rooms, "wolf-pack", 7), Desk(rooms)
    host = seated(rooms, table, 0)
    ways = {"give", "point", "type"}
    for _ in range(40):
        if host.match.over or not ways:
            break
        if host.match.turn == 0:
            host.give(host.legal[0])
            continue
        seen = ask(desk, table)["view"]
        assert seen["mine"] and seen["orders"] and "record" not in seen
        way = sorted(ways)[0]
        cell = next((id for id, _, _, does in seen["board"]["cells"] if does and id != "discards"), None)
        if way == "point" and cell is None:
            way = "give"
        what = cell if way == "point" else seen["orders"][0]["text"]
        assert ask(desk, table, **{way: what})["status"] == 200
        ways.discard(way)
        assert host.catch_up()
    assert not ways


def test_nobody_is_offered_to_take_back_what_the_other_side_did(rooms: Rooms) -> None:
    table, desk = laid(rooms, "fleet-action", 7), Desk(rooms)
    first = Table(rooms, table.code, 1)
    while first.match.turn == 1:
        first.play(first.match.legal()[-1])
    assert not seated(rooms, table, 0).can_undo() and ask(desk, table)["view"]["undo"]["can"]


def test_an_order_held_back_is_forgotten_when_the_game_has_gone_on_without_it(rooms: Rooms) -> None:
    """As it does where the same side plays on another screen."""
    table = laid(rooms, "fleet-action", 7)
    sides = [seated(rooms, table, me) for me in (0, 1)]
    while (side := sides[sides[0].match.turn]).held is None:  # until the last fire of a side waits
        side.give(side.orders()[0].action)
        for each in sides:
            each.catch_up()
    screens = [Table(rooms, table.code, me) for me in (0, 1)]
    phase = side.match.state.phase
    while screens[0].match.turn != side.me or screens[0].match.state.phase is phase:
        now = screens[screens[0].match.turn]
        now.play(now.match.legal()[-1])
        for each in screens:
            each.catch_up()
    side.catch_up()
    assert all(side.match.why_not(order.action) is None for order in side.orders())
    side.give(side.orders()[0].action)


@pytest.mark.parametrize(
    "do, status, says",
    [
        ({"give": "play torpedo, torpedo"}, 409, UI.phrase("order.gone")),
        ({"type": "nonsense"}, 400, WOLF.phrase("wrong.order", text="'nonsense'")),
        ({"type": "x" * 100_000}, 400, WOLF.phrase("wrong.order")),
        ({"type": 7}, 400, UI.phrase("order.empty")),
        ({"point": "no such cell"}, 200, None),
        ({"agree": True}, 400, CLASSES.phrase("no.asked")),
        ({"undo": True}, 400, UI.phrase("undo.nothing")),
        ({"what": "is this"}, 200, None),
    ],
)
def test_a_guest_who_asks_for_nonsense_reads_one_sentence(
    rooms: Rooms, do: dict[str, Any], status: int, says: Phrase | None
) -> None:
    table, desk = laid(rooms, "wolf-pack", 7), Desk(rooms)
    while table.match.turn == 0:
        table.play(table.match.legal()[0])
    told = ask(desk, table, **do)
    assert told["status"] == status and ("error" in told) is (says is not None)
    if says:
        said(told["error"], says)
    assert len(told.get("error", "")) < 400
    assert len(rooms.moves(table.code)) == table.done


def test_at_the_end_the_record_belongs_to_both_and_proves_the_luck(rooms: Rooms) -> None:
    table, desk, rng = laid(rooms, "wolf-pack", 5), Desk(rooms), np.random.default_rng(1)
    commitment = ask(desk, table)["view"]["commitment"]
    sides = table, Table(rooms, table.code, 1)
    while not table.match.over:
        side = sides[table.match.turn]
        legal = side.match.legal()
        side.play(legal[rng.integers(len(legal))])
        sides[1 - side.me].catch_up()
    seen = ask(desk, table)["view"]
    assert seen["over"] and seen["seed"] == "5" and seen["commitment"] == commitment
    record = nk.Match.loads(seen["record"])
    assert record.state == table.match.state and record.true_to_seed
    assert record.commitment == commitment


def played(rooms: Rooms, *tables: Table) -> None:
    """Play the game of these tables to its end, at random."""
    rng = np.random.default_rng(2)
    while not tables[0].match.over:
        table = next(each for each in tables if each.me == tables[0].match.turn)
        legal = table.match.legal()
        table.play(legal[rng.integers(len(legal))])
        for each in tables:
            each.catch_up()


@pytest.mark.parametrize("how", ["same", "swap"])
def test_another_game_begins_when_both_want_it(rooms: Rooms, how: str) -> None:
    host = laid(rooms, "wolf-pack", 7)
    guest = Table(rooms, host.code, 1)
    with refused(IllegalActionError, CLASSES, "no.again"):
        host.ask_again(how)
    played(rooms, host, guest)
    before, won = host.match, host.won
    assert sum(won) <= 1 and won == guest.won
    guest.ask_again(how)
    with refused(IllegalActionError, CLASSES, "no.twice"):
        guest.ask_again(how)
    host.catch_up()
    host.answer_again(False)
    guest.catch_up()
    assert guest.wants is None and host.match is before
    host.ask_again(how)
    guest.catch_up()
    guest.ask_again(how)  # who wants the same says yes
    host.catch_up()
    assert host.match is not before and host.match.ply == guest.match.ply and host.match.seed == guest.match.seed
    assert host.match.seed != before.seed and host.won == won and host.games == 2
    assert (host.me, guest.me) == ((1, 0) if how == "swap" else (0, 1))
    played(rooms, host, guest)
    later = Table(rooms, host.code, 1)  # after a restart
    assert later.match.state == host.match.state and later.me == guest.me and later.won == host.won


def test_who_is_there_is_known_by_signs_of_life(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("time.time", lambda: now)
    host = laid(rooms, "wolf-pack", 7)
    guest = Table(rooms, host.code, 1)
    assert host.where == QUIET
    guest.here()
    assert host.where == HERE and guest.where == QUIET
    now += 100
    assert host.where == QUIET


def test_who_leaves_a_page_has_left_once_it_is_not_loaded_again(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("time.time", lambda: now)
    host = laid(rooms, "wolf-pack", 7)
    guest = Table(rooms, host.code, 1)
    for each in (host, guest):
        each.here()
    for mine, theirs in ((host, guest), (guest, host)):
        before = rooms.rev(host.code)
        rooms.leave(host.code, theirs.seat)
        assert rooms.rev(host.code) > before, "the other side's page is not told"
        now += GRACE - 1
        assert mine.where == HERE and 0 < mine.doubt <= GRACE  # the page may be loading
        theirs.here()
        now += 2
        assert (mine.where, mine.doubt) == (HERE, 0.0)
        rooms.leave(host.code, theirs.seat)
        now += GRACE
        assert (mine.where, mine.doubt, theirs.where) == (LEFT, 0.0, HERE)
        before = rooms.rev(host.code)
        theirs.here()
        assert mine.where == HERE and rooms.rev(host.code) > before
    rooms.plays("kernel", host.code, 0)
    rooms.ended("of something else")
    assert guest.doubt == 0.0
    rooms.ended("kernel")
    assert guest.doubt > 0.0
    host.here()
    host.leave()
    rooms.ended("kernel")  # and then their page is closed
    assert guest.where == GONE and guest.doubt == 0.0


def test_of_rooms_that_are_forgotten_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = Rooms(tmp_path / "rooms.sqlite3")
    codes = [laid(rooms, "wolf-pack", seed).code for seed in (1, 2)]
    for code in codes:
        rooms.plays(f"kernel of {code}", code, 0)
        rooms.leave(code, 0)
    rooms.sql.execute("UPDATE room SET used = 0 WHERE code = ?", (codes[0],))
    rooms.close()
    rooms = Rooms(tmp_path / "rooms.sqlite3")  # a first look, which a second one later has to agree with
    rooms.sql.execute("UPDATE said SET value = 0 WHERE key LIKE 'idle %'")
    rooms.close()
    rooms = Rooms(tmp_path / "rooms.sqlite3")
    assert [rooms.left(code, 0) is not None for code in codes] == [False, True]
    assert [rooms.said(f"page kernel of {code}") is not None for code in codes] == [False, True]
    rooms.close()
