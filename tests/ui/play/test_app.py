"""A game's page without a browser: what its widgets show and send, played through by their own callbacks."""

from __future__ import annotations
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from comm import DummyComm
from ipywidgets.widgets.widget import _instances

from navalkit.core.awaited import run
from navalkit.core.match import Match, Store
from navalkit.core.words import percent
from navalkit.games.uss_lox import cards
from navalkit.games.uss_lox.page import chance_to_sink
from navalkit.testing import heard, said
from navalkit.ui.play import controls
from navalkit.ui.play.app import GameApp
from navalkit.ui.play.controls import how_to_win
from navalkit.ui.play.ending import MOST
from ...patrols import HOME, LOST, SEED, SEED_LOST, SHIP, TONS, WON
from ...sentences import LOX, UI
from ..pages import Browser, all_of, named, order as give_order, words


@pytest.fixture(autouse=True)
def raise_what_we_did_wrong(monkeypatch):
    monkeypatch.setenv("NAVALKIT_RAISE", "1")


@pytest.fixture
def app(tmp_path):
    return GameApp("uss-lox", Store(tmp_path))


@pytest.fixture
def browser(app):
    browser = Browser(app)
    browser.hello(query=f"?seed={SEED}")
    return browser


def press(app, label):
    """Press the visible order button that bears this label."""
    labels = [row[0] for row in app.orders.rows]
    assert labels.count(label) == 1, labels
    give_order(app, give=app.orders.rows[labels.index(label)][5])


def type_order(app, text):
    app.box.text.value = text
    app.box.text._handle_custom_msg({"event": "submit"}, [])


def play(app, *texts):
    for text in texts:
        type_order(app, text)
        assert not app.control.status.error, app.control.status.text


def test_every_widget_follows_a_move(app, browser):
    before = app.status.value, app.facts.value, app.log.value, app.board.painter.frames
    press(app, "A1")
    after = app.status.value, app.facts.value, app.log.value, app.board.painter.frames
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert app.control.match.log[-1].text in words(app.status.value)
    assert cards.name(SHIP) in app.charts[0].widget.value
    assert app.stepper.slider.value == app.stepper.slider.max == 2
    assert cards.name(SHIP) in app.board.description


def test_every_legal_action_has_a_button_with_its_exact_odds(app, browser):
    play(app, "flip A1")
    game, seen = app.control.game, app.control.seen
    shown = {row[0]: row for row in app.orders.rows}
    assert len(shown) == len(app.control.match.legal())
    for n in range(4):
        chance = chance_to_sink(game, seen, n)
        _, odds, tooltip, *_ = shown[LOX("order.fire", n=n)]
        assert odds == percent(chance)
        assert n in (0,) or f"{chance.numerator}/{chance.denominator}" in tooltip
    for text in WON[1:]:
        play(app, text)
        page = app.control.orders()
        assert sorted(order.text for order in page) == sorted(map(str, app.control.match.legal()))
        assert len(app.orders.rows) == len(page)


def test_each_button_gives_the_order_it_shows(app, browser):
    for label, text in (("B2", "flip B2"), (LOX("order.fire", n=3), "attack 3")):
        match = app.control.match.branch()
        press(app, label)
        match.play(text)
        assert app.control.match.record() == match.record()


def test_a_press_on_a_button_that_shows_another_order_by_now_gives_what_it_showed(app, browser):
    old, other = app.control.position, app.orders.rows[1][5]
    press(app, "A1")
    give_order(app, at=old, give=other)
    said(app.status.value, UI, "order.gone")
    assert "nk-bad" in app.status.value and app.control.match.ply == 2, "another card cannot be turned up now"


def test_looking_back_hides_the_orders_and_the_present_brings_them_again(app, browser):
    play(app, "flip A1")
    named(app, "nk-key-step-back").click()
    assert app.orders.rows == [] and app.hint.disabled
    said(app.status.value, UI, "look.back", step=1, of=2)
    app.stepper.slider.value = 0
    assert app.control.ply == 0
    app.stepper.slider.value = 2
    assert len(app.orders.rows) == 5 and not app.hint.disabled


def test_the_odds_on_the_board_are_those_on_the_buttons(app, browser):
    play(app, "flip A1")
    for order in app.control.orders():
        if order.text.startswith("attack") and order.text != "attack 0":
            assert order.odds in app.scene().cell(f"tube {order.text[-1]}").alt


def test_a_long_game_makes_no_new_widgets(app, browser):
    def game(seed):
        app.control.new(seed, {})
        match = app.control.match
        while not match.over:
            app.control.order(str(match.legal()[len(match.plies) % len(match.legal())]))
            app.control.look_at(match.ply // 2)
            app.control.look_at(match.ply)

    game(0)
    count = len(_instances)
    for seed in range(1, 12):
        game(seed)
    assert len(_instances) == count


def test_a_wrong_order_is_told_in_the_status_line_and_stays_in_the_box(app, browser):
    count, frames, widgets = app.control.status.count, app.board.painter.frames, len(_instances)
    type_order(app, "fire at will")
    assert "nk-bad" in app.status.value and "fire at will" in words(app.status.value)
    assert app.box.text.value == "fire at will" and app.control.status.count == count + 1
    assert app.board.painter.frames == frames and len(_instances) == widgets
    type_order(app, "flip A1")
    assert app.box.text.value == "" and "nk-bad" not in app.status.value


def test_the_status_line_escapes_what_is_typed(app, browser):
    type_order(app, "<img src=x onerror=alert(1)>")
    assert "<img" not in app.status.value and "&lt;img" in app.status.value


def test_the_panel_for_a_new_game_goes_round(app, browser):
    play(app, "flip A1")
    named(app, "nk-key-new").click()
    assert app.new_game.is_open and app.play.layout.display == "none"
    named(app, "nk-key-new").click()
    assert not app.new_game.is_open and app.play.layout.display == "" and app.control.match.ply == 2

    named(app, "nk-key-new").click()
    app.new_game.seed.value = "77"
    app.new_game.fields["jokers"].value = True
    app.new_game.fields["patrols"].value = 2
    named(app, "nk-key-start").click()
    assert not app.new_game.is_open and app.control.match.seed == 77
    assert app.control.game.options["jokers"] and app.control.game.options["patrols"] == 2
    assert app.seed.value.find("77") > 0

    named(app, "nk-key-new").click()
    assert app.new_game.values() == dict(app.control.game.options), "the panel opens with the options in play"
    app.new_game.seed.value = "a number"
    match = app.control.match
    named(app, "nk-key-start").click()
    assert app.control.match is match and "nk-bad" in app.status.value and app.new_game.is_open


def test_hello_sets_query_theme_width_guide_and_bests(app):
    browser = Browser(app)
    best = [{"of": "", "score": "9,000 t", "points": 9000.0, "seed": 9, "result": "win", "day": "2026-01-01"}]
    stored = {"guide": "off", "uss-lox:bests": json.dumps(best)}
    browser.hello(query="?seed=42&jokers=1", theme="dark", width=390, stored=stored, calm=True)
    assert app.control.match.seed == 42 and app.control.game.options["jokers"]
    assert app.board.theme == "dark" and app.calm
    assert app.control.tall and app.scene().width < 400
    assert not app.guided and app.guide.layout.display == "none"
    assert app.ending.bests.rows == best
    browser.says("width", width=1280)
    assert not app.control.tall and app.scene().width > 600
    browser.says("theme", theme="contrast")
    assert app.board.theme == "contrast"
    browser.says("theme", theme="sepia")
    assert app.board.theme == "light"


@pytest.mark.parametrize(
    "bests",
    ["", "no json", "7", "null", "[1, 2]", '[{"of": "", "points": "many"}]', '[{"points": 1}]', '{"points": 1}'],
)
def test_damaged_personal_bests_are_dropped(app, bests):
    Browser(app).hello(stored={"uss-lox:bests": bests})
    assert app.ending.bests.rows == []


def test_a_bad_link_is_told_and_there_is_a_game_to_play_all_the_same(app):
    Browser(app).hello(query="?record=rubbish")
    assert "nk-bad" in app.status.value and app.orders.rows
    play(app, "flip A1")


def test_a_page_opened_anew_takes_the_game_up_from_what_the_browser_kept(app, browser, tmp_path):
    play(app, *WON[:3])
    for tab in (True, False):
        again = GameApp("uss-lox", Store(tmp_path))
        there = Browser(again)
        there.hello(query=f"?seed={SEED}", stored={"uss-lox:token?": browser.kept()["uss-lox:token?"]}, tab=tab)
        assert again.control.match.record() == app.control.match.record()
        own = there.kept()["uss-lox:token?"] == browser.kept()["uss-lox:token?"]
        assert own is tab, "a game that another tab has open goes on as a copy, under a token of its own"
        assert len([*app.control.store.folder.glob("*.toml")]) == 1 + (not tab), "what is taken up is no further game"


@pytest.mark.parametrize("left", ["", "half", None])
@pytest.mark.parametrize("begun", ["1", ""])
def test_a_game_that_cannot_be_taken_up_is_told_where_a_new_one_begins(app, browser, tmp_path, left, begun):
    """Torn by a power cut, empty or gone; a game in which nothing was done is no loss."""
    play(app, *WON[:2])
    kept = next((tmp_path / "games").glob("*.toml"))
    if left is None:
        kept.unlink()
    else:
        kept.write_text(kept.read_text()[: 60 * len(left)])
    again = GameApp("uss-lox", Store(tmp_path))
    stored = {"uss-lox:token?": browser.kept()["uss-lox:token?"], "uss-lox:begun?": begun}
    Browser(again).hello(query=f"?seed={SEED}", stored=stored, tab=True)
    assert again.control.match.ply == 0
    assert bool(heard(again.control.status.text, UI, "open.lost")) is bool(begun)


def test_a_second_hello_keeps_the_game(app, browser):
    play(app, *WON[:2])
    record = app.control.match.record()
    browser.hello(query=f"?seed={SEED}", theme="dark")
    assert app.control.match.record() == record and app.board.theme == "dark"


def test_the_game_is_kept_under_one_token_that_no_page_can_guess(app, browser):
    play(app, *WON)
    tokens = [c["value"] for c in browser.heard("store") if "token" in c["key"]]
    assert len(set(tokens)) == 1 and len(tokens[0]) == 32


def test_the_lobby_is_told_of_a_game_that_was_begun_and_is_not_over(app, browser):
    def told():
        return [command["value"] for command in browser.heard("store") if "begun" in command["key"]]

    app.control.new(SEED)
    assert not any(told()), "nobody has played in it yet"
    play(app, *WON[:2])
    assert told()[-1] == "1"
    play(app, *WON[2:])
    assert app.control.match.over and told()[-1] is None and told().count("1") == 1


def test_a_file_opened_twice_is_two_games(app, browser):
    """The first reader's stays his own."""
    before = app.control.match
    for _ in range(2):
        app.opened(HOME.dumps().encode(), "mine.toml")
        assert app.control.match.record() == HOME.record() and app.control.match is not before
        before = app.control.match


def test_luck_that_is_not_the_seeds_is_said_and_is_no_personal_best(app, browser):
    assert "commitment" not in app.seed.value and "committed" not in app.seed.value  # nothing is hidden
    changed = replace(HOME.record(), seed=SEED + 1)
    app.control.open(changed.dumps().encode(), "made.toml")
    said(app.control.status.text, UI, "open.luck", n=2)
    said(app.seed.value, UI, "luck", n=2)
    assert app.ending.bests.rows == []
    app.control.open(HOME.dumps().encode(), "mine.toml")
    assert "luck" not in app.control.status.text and "luck" not in app.seed.value


def test_the_report_shows_the_best_players_game_on_the_same_seed(app, browser):
    play(app, *WON)
    report = words(app.ending.report.value)
    other = run(app.control.same_seed())
    assert app.ending.report.layout.display == "" and app.box.layout.display == "none"
    assert TONS in report and f"{other.outcome.facts['tonnage']:,}" in report
    assert "optimal" not in report and app.control.called("optimal") in report
    said(report, LOX, "yard.tang")
    assert other.seed == SEED
    named(app, "nk-key-step-back").click()
    assert app.ending.report.layout.display == "none"


def test_a_finished_game_is_a_personal_best_once(app, browser):
    play(app, *WON)
    app.refresh()
    app.control.look_at(0)
    app.control.look_at(app.control.match.ply)
    kept = [json.loads(c["value"]) for c in browser.heard("store") if "bests" in c["key"]]
    assert len(kept) == 1 and [(row["seed"], row["points"], row["result"]) for row in kept[0]] == [
        (SEED, HOME.outcome.scores[0], "win")
    ]
    said(app.ending.report.value, UI, "bests.row", seed=SEED)
    browser.hello(stored={"uss-lox:bests": json.dumps(kept[0])}, query=f"?seed={SEED}")
    app.control.new(SEED)
    play(app, *WON)
    assert len(app.ending.bests.rows) == 1, "the same game played again is the same best"


def test_bests_are_few_and_in_order(app, browser):
    for seed in range(MOST + 3):
        app.control.new(seed)
        while not app.control.match.over:
            app.control.order(str(app.control.match.legal()[0]))
    points = [row["points"] for row in app.ending.bests.rows]
    assert len(points) <= MOST and points == sorted(points, reverse=True)


@pytest.mark.parametrize("how", ["analysis", "opened"])
def test_an_analysis_or_a_game_finished_elsewhere_is_nobodys_best(app, browser, how):
    if how == "analysis":
        play(app, "flip A1")
        app.control.undo(agreed=True)
        play(app, *WON)
    else:
        browser.says("file", [HOME.dumps().encode()], name="won.toml", size=999)
    assert app.control.match.over and app.ending.report.layout.display == ""
    assert app.ending.bests.rows == [] and not any("bests" in c["key"] for c in browser.heard("store"))


def test_a_hint_fills_the_reasons_and_opens_their_tab(app, browser):
    play(app, "flip A1")
    named(app, "nk-key-hint").click()
    assert app.tabs.selected_index == 1
    said(app.reasons.value, UI, "hint.unit")
    for order in app.control.orders():  # each by the words of its button
        assert order.label in words(app.reasons.value)
    assert "attack" not in words(app.reasons.value)
    hinted = app.control.hint.action
    lit = [order.action for order in app.control.orders()][app.orders.hinted]
    assert lit == hinted and "nk-play-advised" in app.widget._dom_classes
    ply = app.control.match.ply
    named(app, "nk-key-do-it").click()
    assert not heard(app.reasons.value, UI, "hint.weighed", "hint.unit")
    assert "nk-play-advised" not in app.widget._dom_classes
    after = app.control.match.ply
    assert app.control.match.plies[ply].action == hinted and app.orders.hinted == -1
    named(app, "nk-key-do-it").click()
    assert app.control.match.ply == after, "without a hint it does nothing"


def test_undo_past_a_card_asks_in_the_place_of_the_orders(app, browser):
    play(app, "flip A1")
    app.undo.click()
    assert app.ask.layout.display == "" and app.orders.rows == []
    named(app, "nk-key-undo-no").click()
    assert app.ask.layout.display == "none" and len(app.orders.rows) == 5
    app.undo.click()
    named(app, "nk-key-undo-yes").click()
    assert app.control.match.ply == 0
    said(app.seed.value, UI, "analysis")
    assert app.undo.disabled and not app.redo.disabled
    app.redo.click()
    assert app.control.match.ply == 2


def test_downloads_carry_the_right_bytes(app, browser):
    play(app, *WON[:3])
    for kind in ("save", "png", "svg", "csv"):
        named(app, f"nk-key-{kind}").click()
    sent = {
        content["name"]: (content["mime"], buffers[0])
        for content, buffers in browser.sent
        if content["do"] == "download"
    }
    assert set(sent) == {f"uss-lox-{SEED}.{kind}" for kind in ("toml", "png", "svg", "csv")}
    assert Match.loads(sent[f"uss-lox-{SEED}.toml"][1]).record() == app.control.match.record()
    assert sent[f"uss-lox-{SEED}.png"][0] == "image/png" and sent[f"uss-lox-{SEED}.png"][1].startswith(b"\x89PNG")
    assert b"</svg>" in sent[f"uss-lox-{SEED}.svg"][1] and sent[f"uss-lox-{SEED}.svg"][0] == "image/svg+xml"
    assert sent[f"uss-lox-{SEED}.csv"][1].decode() == app.control.csv()


def test_the_last_turn_is_saved_as_a_film_by_whom_asks_for_little_motion_too(app, browser):
    named(app, "nk-key-film").click()
    assert not browser.heard("download")
    said(app.status.value, UI, "film.none")
    play(app, WON[0])
    assert app.calm
    named(app, "nk-key-film").click()
    (content, (data,)) = next((content, data) for content, data in browser.sent if content["do"] == "download")
    assert content["name"] == f"uss-lox-{SEED}.film.svg" and content["mime"] == "image/svg+xml"
    moves = [each for each in ElementTree.fromstring(data).iter() if each.tag.endswith("}animateTransform")]
    assert "scale" in {each.get("type") for each in moves}, "a card is turned up"
    named(app, "nk-key-new").click()
    app.control.new(SEED)
    named(app, "nk-key-film").click()
    assert len(browser.heard("download")) == 1, "another game's film is none of this"


def test_a_chosen_file_opens_and_a_bad_or_too_big_one_loses_nothing(app, browser):
    play(app, "flip A1")
    record = app.control.match.record()
    browser.says("file", [b"no record"], name="bad.toml", size=9)
    assert "nk-bad" in app.status.value and app.control.match.record() == record
    browser.says("file", [b""], name="big.toml", size=9_000_000)
    said(app.status.value, UI, "open.large", size=9_000_000)
    assert app.control.match.record() == record
    match = Match.new("uss-lox", seed=8)
    match.play("flip C3")
    browser.says("file", [match.dumps().encode()], name="mine.toml", size=400)
    assert app.control.match.record() == match.record() and "mine.toml" in words(app.status.value)


def test_a_link_is_copied_and_said_or_shown_where_the_browser_refuses(app, browser):
    play(app, "flip A1")
    named(app, "nk-key-copy-link").click()
    (copy,) = browser.heard("copy")
    assert copy["link"] and copy["text"] == app.control.link()
    browser.says("copied", ok=True, what="link", text="http://here/" + "x" * 200)
    said(app.status.value, UI, "copy.long")
    browser.says("copied", ok=False, what="link", text="http://here/?seed=5")
    assert "http://here/?seed=5" in words(app.status.value)
    named(app, "nk-key-copy-seed").click()
    assert browser.heard("copy")[-1]["text"] == str(SEED)


def test_the_guide_can_be_switched_off_and_stays_off(app, browser):
    assert app.guide.layout.display == "" and app.guide.value
    named(app, "nk-key-guide-off").click()
    assert app.guide.layout.display == "none"
    assert browser.heard("store")[-1] | {"tab": None} == {"do": "store", "key": "guide", "value": "off", "tab": None}
    named(app, "nk-key-guide-off").click()
    assert app.guide.layout.display == "" and browser.heard("store")[-1]["value"] is None


def test_a_client_that_is_ready_gets_the_whole_board_and_an_unchanged_refresh_nothing(app, browser):
    play(app, "flip A1")
    frames = app.board.painter.frames
    app.refresh()
    app.refresh()
    assert app.board.painter.frames == frames
    app.board.painter._handle_custom_msg({"event": "ready"}, [])
    assert app.board.painter.frames == frames + 1 and app.board.painter.last_frame_bytes > 3000


def test_a_click_on_the_canvas_plays(app, browser):
    x, y = app.scene().cell("B3").centre
    app.board.canvas._handle_frontend_event(None, {"event": "mouse_down", "x": 2 * x, "y": 2 * y}, [])
    assert app.control.match.record().actions[0] == "flip B3"


def test_pictures_keep_nothing_of_other_games(app, browser):
    """Each chart keeps its widget, whatever is shown: no new figure for a new ship."""
    figures = [chart.widget for chart in app.charts]
    play(app, *WON[:4])
    assert [chart.widget for chart in app.charts] == figures


# Honesty: a card that nobody has turned up is nowhere on the page


@pytest.fixture
def wire(monkeypatch):
    """Every message any widget sends, as text, with its buffers that are text: the others are points to draw."""
    messages = []

    def publish(_comm, msg_type, data=None, metadata=None, buffers=None, **_keys):
        messages.append(json.dumps(data, default=repr, ensure_ascii=False))
        messages.extend(text for buffer in buffers or () if (text := readable(bytes(memoryview(buffer)))))

    monkeypatch.setattr(DummyComm, "publish_msg", publish)
    return messages


def readable(data):
    """The text in a buffer, or None if it holds no text."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def named_cards(text):
    """The cards that a text names, in any of the ways the page has."""
    names = {cards.name(c): c for c in range(52)}
    marks = dict(zip("♣♦♥♠", "CDHS", strict=True))
    found = {names[word] for word in re.findall(rf"\b(?:{'|'.join(map(re.escape, names))})\b", text)}
    found |= {cards.parse(rank + marks[suit]) for rank, suit in re.findall(r"\b(10|[A2-9JQK])([♣♦♥♠])", text)}
    return found | {cards.parse(code) for code in re.findall(r"(?<![\w+/-])([A2-9TJQK][CDHS])(?![\w+/-])", text)}


@pytest.mark.parametrize("seed, texts", [(SEED, WON), (SEED_LOST, LOST)])
def test_no_message_names_a_card_that_has_not_been_turned_up(wire, tmp_path, seed, texts):
    example = cards.parse("8D")  # of an order in the rules
    primer = json.dumps(how_to_win("uss-lox"), ensure_ascii=False)[1:-1]  # it shows cards, always the same
    app = GameApp("uss-lox", Store(tmp_path))
    Browser(app).hello(query=f"?seed={seed}")
    for text in (None, *texts):
        if text:
            play(app, text)
        if app.control.match.over:
            break  # the report shows another captain's patrol over the same sea
        named(app, "nk-key-hint").click()
        app.board.redraw()
        for kind in ("save", "svg", "csv"):
            named(app, f"nk-key-{kind}").click()
        seen = set(app.control.match.state.seen_cards)
        told = named_cards("\n".join(wire).replace(primer, ""))
        assert seen <= told <= seen | {example}
    assert len(wire) > 100


def test_until_a_card_is_turned_up_two_seas_look_alike_but_for_their_seed(app, browser):
    pages = []
    for seed in (1111111111111, 2222222222222):
        app.control.new(seed)
        count = app.status, app.orders
        shown = [w for w in all_of(app.widget) if w not in count]
        states = {w.model_id: str(w.get_state()).replace(str(seed), "#") for w in shown}
        pages.append((states, app.orders.rows, app.scene()))
    assert pages[0] == pages[1]


def test_a_short_message_leaves_its_line_to_what_can_be_done():
    short, long = "All is calm.", "S1 cannot go there in this turn: she makes two hexes under water."
    assert "nk-play-long" not in controls.status("", "", "Press a square.", short, False, 0)
    assert "nk-play-long" in controls.status("", "", "Press a square.", long, True, 0)


def test_panels_are_made_when_they_are_asked_for_and_once(tmp_path):
    before = len(_instances)
    app = GameApp("wolf-pack", Store(tmp_path))
    made = len(_instances) - before
    assert made < 110, "every widget is a message and a model in the browser before the first board"
    assert not app.uncovered.children[1:] and not app.invited.children and not app.ending.review_place.children
    app._ask_new()
    panel = app.new_game
    assert app.uncovered.children[1:] == (panel,) and panel.is_open and len(_instances) > before + made
    app._ask_new()
    app._ask_new()
    assert app.new_game is panel and app.uncovered.children[1:] == (panel,)
    app.invite.toggle()
    assert app.invitation.children and app.invitation.layout.display == ""
    app.invite.toggle()
    assert app.invitation.layout.display == "none"
