"""What a page does, without its widgets: orders, undo, looking back, files, links, and taking a game up again."""

from __future__ import annotations
import csv
import io
import logging
import random

import pytest

from navalkit.core.awaited import run
from navalkit.core.errors import IllegalActionError, NotationError, OptionError, RecordError, brief
from navalkit.core.match import Match, Store
from navalkit.core.record import MAX_BYTES
from navalkit.core.seeds import MAX_SEED
from navalkit.games.uss_lox import cards
from navalkit.testing import heard, said
from navalkit.ui.play.controller import Controller
from ...patrols import HOME, LOST, SEED, SEED_LOST, SHIP, WON
from ...sentences import CORE, LOX, UI


@pytest.fixture(autouse=True)
def raise_what_we_did_wrong(monkeypatch):
    monkeypatch.setenv("NAVALKIT_RAISE", "1")


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


@pytest.fixture
def control():
    return new(SEED)


def new(seed, *orders, store=None, **options):
    control = Controller("uss-lox", store)
    control.new(seed, options)
    for order in orders:
        control.order(order)
    return control


def picture(control):
    """All of a controller that an error must leave alone."""
    match = control.match
    return match, match.record(), control.view, control.token, control.hint, control.asking_undo, control.opened


def failed(control, call, *args):
    """What the page says when a guarded call fails; the game, and all that one sees of it, must be as before."""
    before, count = picture(control), control.status.count
    control.guard(call)(*args)
    assert picture(control) == before
    assert control.status.error and control.status.count == count + 1
    sentence = control.status.text
    assert sentence[0].isupper() or not sentence[0].isalpha()
    assert sentence.endswith(".") and "\n" not in sentence and len(sentence) < 400
    return sentence


# Orders


def test_orders_are_played_and_the_status_line_tells_what_came_of_them(control):
    repaints = []
    control.changed = lambda: repaints.append(control.match.ply)
    for order in WON:
        control.order(order)
        assert control.live and control.happened() and not control.status.error
    assert control.match.outcome == HOME.outcome and HOME.outcome.result == "win"
    assert len(repaints) == len(WON) and repaints[-1] == control.match.ply


@pytest.mark.parametrize(
    "text, error, words",
    [
        ("", OptionError, UI.phrase("order.empty")),
        ("   ", OptionError, UI.phrase("order.empty")),
        ("sink her", NotationError, LOX.phrase("wrong.order", text=brief("sink her"))),
        ("attack 2", IllegalActionError, LOX.phrase("not.now.periscope")),
        ("flip E5", IllegalActionError, LOX.phrase("not.square", first="A1", last="C3")),
        ("return", IllegalActionError, LOX.phrase("not.now.periscope")),
        ("flip A1\n<script>", NotationError, LOX.phrase("wrong.order", text=brief("flip A1\n<script>"))),
        ("A1=8D", IllegalActionError, LOX.phrase("not.now.periscope", action="A1=8D")),
    ],
)
def test_a_wrong_order_is_refused_in_one_sentence_and_changes_nothing(control, text, error, words):
    with pytest.raises(error):
        control.order(text)
    said(failed(control, control.order, text), words)


def test_nothing_can_be_ordered_after_the_end():
    control = new(SEED_LOST, *LOST)
    assert control.match.outcome.result == "loss"
    said(failed(control, control.order, "flip C1"), LOX, "not.now.end")
    said(failed(control, control.advise), UI, "hint.present")


def test_a_click_gives_the_order_of_its_cell_or_says_what_lies_there(control):
    control.point("A1")
    assert control.match.observe().ship >= 0
    ply = control.match.ply
    control.point("B1")
    assert control.status.text == LOX("table.face_down", square="B1") + "." and control.match.ply == ply
    control.point("no such cell")
    assert control.match.ply == ply
    control.point("tube 2")
    assert control.match.ply > ply and control.match.observe().spent == 2


def test_a_click_on_the_ship_never_throws_the_boat_away(control):
    """Firing nothing at a ship always fails: a button may say so, a slip of the mouse may not do it."""
    control.point("A1")
    ply = control.match.ply
    control.point("ship")
    assert control.match.ply == ply and cards.name(SHIP) in control.status.text


# Undo and redo


def test_undo_past_a_card_asks_first_and_no_keeps_the_game(control):
    control.order("flip A1")
    before = control.match.record()
    control.undo()
    said(control.status.text, UI, "undo.ask")
    assert control.asking_undo and control.match.record() == before
    control.keep()
    assert not control.asking_undo and control.match.record() == before and not control.match.analysis


def test_agreed_undo_makes_an_analysis_and_redo_plays_it_again(control):
    control.order("flip A1")
    control.undo()
    control.undo(agreed=True)
    assert not control.asking_undo and control.match.ply == 0 and control.match.analysis
    said(control.status.text, UI, "undo.analysis")
    control.redo()
    assert control.match.ply == 2 and control.happened()
    control.undo()  # an analysis does not ask again
    assert control.match.ply == 0 and not control.asking_undo


def test_playing_on_or_looking_back_is_an_answer_to_the_question_too(control):
    control.order("flip A1")
    control.undo()
    control.order("decline")
    assert not control.asking_undo and not control.match.analysis
    control.undo()
    assert not control.asking_undo, "a refused ship turns up no card, so that nothing need be asked"
    control.undo()
    assert control.asking_undo
    control.look_at(0)
    assert not control.asking_undo


def test_undo_and_redo_with_nothing_there_say_so(control):
    said(failed(control, control.undo), UI, "undo.nothing")
    said(failed(control, control.redo), CORE, "match.redo_nothing")


# Looking back


def test_looking_back_shows_that_step_and_the_last_step_is_the_present():
    control = new(SEED, *WON)
    last = control.match.ply
    for ply in range(last):
        control.look_at(ply)
        assert not control.live and control.ply == ply
        assert control.seen == control.match.at(ply)
        assert control.happened() == "" if ply == 0 else True
    control.look_at(last)
    assert control.live and control.seen == control.match.observe(0)
    control.look_at(-3)
    assert control.ply == 0
    control.look_at(10**6)
    assert control.live and control.match.ply == last


def test_what_happened_is_told_up_to_the_step_looked_at(control):
    control.order("flip A1")
    first = control.happened()
    control.order("attack 2")
    assert control.happened() != first
    control.look_at(2)
    assert control.happened() == first


def test_an_order_while_looking_back_returns_to_the_present_and_plays_nothing(control):
    control.order("flip A1")
    control.look_at(0)
    control.order("attack 1")
    said(control.status.text, UI, "order.present")
    assert control.live and control.match.ply == 2
    control.order("attack 1")
    assert control.match.ply > 2


def test_a_hint_is_for_the_present(control):
    control.order("flip A1")
    control.look_at(0)
    said(failed(control, control.advise), UI, "hint.present")


# New games


def test_a_new_game_takes_a_seed_as_text_or_number_and_keeps_the_options(control):
    for seed, number in (("42", 42), (" 1,234 ", 1234), (7, 7), (str(MAX_SEED), MAX_SEED)):
        control.new(seed)
        assert control.match.seed == number and control.match.ply == 0
    control.new("1", {"jokers": "true", "patrols": "2"})
    control.new("2")
    assert control.game.options["jokers"] is True and control.game.options["patrols"] == 2
    control.new("3", {})
    assert control.game.options["jokers"] is False


def test_without_a_seed_every_new_game_is_another_sea(control):
    seeds = set()
    for empty in (None, "", None, ""):
        control.new(empty)
        seeds.add(control.match.seed)
    assert len(seeds) == 4


@pytest.mark.parametrize("seed", ["twelve", "-1", "1.5", "0x10", "²", str(MAX_SEED + 1), "9" * 400, -1, MAX_SEED + 1])
def test_a_bad_seed_is_refused(control, seed):
    control.order("flip A1")
    said(failed(control, control.new, seed), CORE, "seed")


@pytest.mark.parametrize("options", [{"sonar": "1"}, {"jokers": "perhaps"}, {"patrols": "9"}, {"patrols": ""}])
def test_a_bad_option_is_refused(control, options):
    control.order("flip A1")
    assert heard(failed(control, control.new, "1", options), CORE, "options.unknown", "options.wrong")


# Files


def test_a_saved_game_opens_as_it_was(control):
    for order in WON[:3]:
        control.order(order)
    data = control.match.dumps().encode()
    other = new(1)
    other.open(data, "patrol.toml")
    assert other.match.record() == control.match.record()
    assert "patrol.toml" in other.status.text and not other.status.error
    other.order(WON[3])
    assert other.match.ply > control.match.ply


def test_a_saved_analysis_says_so_when_it_opens(control):
    control.order("flip A1")
    control.undo(agreed=True)
    other = new(1)
    other.open(control.match.dumps().encode())
    said(other.status.text, UI, "open.analysis")
    assert other.match.analysis


def _another_game(text):
    return text.replace('game = "uss-lox"', 'game = "wolf-pack"')


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: "\x00\xff",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("attack 2", "attack 9"),
        lambda text: text.replace(f"seed = {SEED}", 'seed = "five"'),
        lambda text: text.replace("navalkit-record-1", "chess"),
        lambda text: text + "# " + "x" * MAX_BYTES,
        _another_game,
    ],
    ids=["empty", "binary", "half", "illegal", "wrong kind", "schema", "too big", "another game"],
)
def test_a_bad_file_is_refused_in_one_sentence_and_loses_nothing(control, spoil):
    text = new(SEED, *WON[:2]).match.dumps()
    spoilt = spoil(text)
    assert spoilt != text
    control.order("flip A1")
    with pytest.raises(RecordError):
        control.open(spoilt.encode("latin-1"))
    told = heard(failed(control, control.open, spoilt.encode("latin-1")), CORE)
    assert any(key.startswith(("record.", "match.")) for key in told)


def test_a_game_that_another_page_plays_is_sent_there(control):
    match = Match.new("uss-lox", seed=3)
    control.name = "wolf-pack"
    said(failed(control, control.open, match.dumps().encode()), UI, "open.foreign")


# Links


def test_a_query_opens_a_seed_with_options():
    control = Controller("uss-lox")
    assert control.open_query("?seed=42&jokers=true&utm_source=mail&seed=43")
    assert control.match.seed == 43 and control.game.options["jokers"] is True
    assert control.open_query("queen_ships=1")
    assert control.game.options["queen_ships"] is True and control.game.options["jokers"] is False


@pytest.mark.parametrize("query", ["", "?", "?utm_source=mail", "?step=3", "&&&=", "?SEED=1"])
def test_a_query_that_asks_for_nothing_changes_nothing(control, query):
    before = picture(control)
    assert not control.open_query(query)
    assert picture(control) == before


@pytest.mark.parametrize("n", [0, 1, 4, len(WON)])
def test_a_link_leads_to_this_very_game(n):
    control = new(SEED, *WON[:n], jokers="true") if n < 2 else new(SEED, *WON[:n])
    other = Controller("uss-lox")
    assert other.open_query(control.link())
    assert other.match.record() == control.match.record()


def test_a_link_made_while_looking_back_leads_to_that_step():
    control = new(SEED, *WON)
    control.look_at(4)
    other = Controller("uss-lox")
    other.open_query(control.link())
    assert other.match.record() == control.match.record() and other.ply == 4 and not other.live


@pytest.mark.parametrize(
    "query",
    [
        "?seed=forty-two",
        "?seed=1&patrols=9",
        "?record=",
        "?record=abc",
        "?record=%00%ff",
        "?seed=1&step=two",
        "?seed=1&step=-1",
        "?seed=1&step=99999999999999999999",
        "?" + "&".join(f"x{i}={i}" for i in range(100)) + "&seed=2",
    ],
)
def test_a_bad_link_is_refused_in_one_sentence_and_loses_nothing(control, query):
    control.order("flip A1")
    if query != "?record=":  # an empty value is none
        failed(control, control.open_query, query)


def test_a_damaged_record_in_a_link_is_refused_wherever_it_is_damaged(control):
    link = new(SEED, *WON).link()
    head = len("?record=")
    for i in range(head, len(link), 37):
        changed = "A" if link[i] != "A" else "B"
        for spoilt in (link[:i], link[:i] + changed + link[i + 1 :]):
            other = Controller("uss-lox")
            other.new(1)
            if spoilt == "?record=":
                continue
            other.guard(other.open_query)(spoilt)
            assert other.status.error or other.match.record() == new(SEED, *WON).match.record()


# Taken up again


def test_every_move_is_kept_so_that_a_killed_kernel_loses_none(store):
    tokens = []
    control = Controller("uss-lox", store)
    control.kept = lambda: tokens.append(control.token)
    control.new(SEED)
    for order in WON:
        control.order(order)
        again = Controller("uss-lox", store)  # the old one is simply gone
        assert again.resume(control.token)
        assert again.match.record() == control.match.record() and again.token == control.token
    assert set(tokens) == {control.token}, "one game has one token"
    assert len(tokens) == 3, "it is told as it is new, as it is begun, and as it ends"


def test_a_second_tab_goes_on_with_a_copy_and_neither_writes_over_the_other(store):
    control = new(SEED, "flip A1", store=store)
    second = Controller("uss-lox", store)
    assert second.resume(control.token, another_tab=True)
    assert second.match.record() == control.match.record() and second.token not in ("", control.token)
    control.order("attack 2")
    second.order("decline")
    for tab in (control, second):
        again = Controller("uss-lox", store)
        assert again.resume(tab.token) and again.match.record() == tab.match.record()


def test_undo_is_kept_too(store):
    control = new(SEED, *WON[:2], store=store)
    control.undo(agreed=True)
    again = Controller("uss-lox", store)
    assert again.resume(control.token) and again.match.record() == control.match.record() and again.match.analysis


def test_a_new_game_gets_a_token_of_its_own_and_the_old_game_stays(store):
    control = new(SEED, "flip A1", store=store)
    first = control.token
    control.new(6)
    assert control.token != first
    assert Controller("uss-lox", store).resume(first)


@pytest.mark.parametrize("token", ["", "nonsense", "../../etc/passwd", "A" * 32])
def test_a_token_of_nothing_resumes_nothing(store, token):
    control = Controller("uss-lox", store)
    before = picture(control)
    assert not control.resume(token)
    assert picture(control) == before


def test_a_damaged_game_on_the_disk_resumes_nothing(store):
    control = new(SEED, "flip A1", store=store)
    path = next(store.folder.glob("*.toml"))
    path.write_text(path.read_text()[:60])
    assert not Controller("uss-lox", store).resume(control.token)


def test_without_a_store_nothing_is_kept_and_nothing_resumed(control):
    control.order("flip A1")
    assert control.token == "" and not Controller("uss-lox").resume("A" * 32)


def test_a_full_disk_does_not_stop_the_game(store, monkeypatch):
    control = new(SEED, store=store)

    def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "save", full)
    control.guard(control.order)("flip A1")
    assert control.match.ply == 2 and control.live
    assert control.status.error
    said(control.status.text, UI, "keep.failed")


# Tables, hints, and the same sea


def test_csv_has_a_row_for_every_event_and_reads_back():
    control = new(SEED, *WON)
    rows = list(csv.DictReader(io.StringIO(control.csv())))
    assert [row["event"] for row in rows if row["event"]] == [event.text for event in control.match.log]
    actions = {int(row["ply"]): row["action"] for row in rows}
    assert tuple(actions.values()) == control.match.record().actions
    assert rows[1]["by"] == "chance"


def test_a_hint_names_a_legal_order_with_its_reasons_and_goes_with_the_next_move(control):
    control.order("flip A1")
    control.advise()
    assert control.hint.action in control.match.legal() and control.hint.reason
    assert control.page.spoken(control.glance(), control.hint.action) in control.status.text
    assert {option.action for option in control.hint.options} == set(control.match.legal())
    control.order(str(control.hint.action))
    assert control.hint is None


def test_the_adviser_plays_the_same_seed_to_its_end_once(control):
    other = run(control.same_seed())
    assert other.over and other.seed == SEED and other.game.options == control.game.options
    assert control.same_seed().key == control.same_seed().key
    control.new(6)
    assert run(control.same_seed()).seed == 6


# The error boundary


def test_what_we_did_wrong_is_logged_told_and_loses_no_game(control, monkeypatch, caplog):
    monkeypatch.delenv("NAVALKIT_RAISE")
    control.order("flip A1")

    def broken():
        raise ZeroDivisionError("secret detail")

    with caplog.at_level(logging.ERROR):
        sentence = failed(control, broken)
    assert "secret" not in sentence
    said(sentence, UI, "comfort")
    assert "secret detail" in caplog.text
    control.order("decline")
    assert not control.status.error


def test_tests_see_what_we_did_wrong(control):
    def broken():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        control.guard(broken)()


def test_the_only_thing_to_do_is_the_one_to_press():
    control, dice, alone = Controller("wolf-pack", seats=()), random.Random(3), 0
    control.new(7, {})
    while not control.match.over:
        control.me, control.covered, control.ahead = control.match.turn, False, ()
        primary = [order.action for order in control.orders() if order.primary]
        assert primary == (list(control.legal) if len(control.legal) == 1 else [])
        alone += len(primary)
        control.order(str(dice.choice(control.legal)))
    assert alone
