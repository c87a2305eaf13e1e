"""The page of Task Force without a browser: drags, the map of the day, cards, evidence, and what messages tell."""

from __future__ import annotations
import json
import re
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
from comm import DummyComm

from navalkit.core.awaited import finish, run
from navalkit.core.errors import NotationError, OptionError
from navalkit.core.match import Match, Store
from navalkit.core.registry import load
from navalkit.core.words import percent
from navalkit.games.task_force import PAGE as GAME_PAGE, daily_seed, odds, pieces, scene
from navalkit.games.task_force.belief import elsewhere
from navalkit.games.task_force.game import SMALL
from navalkit.games.task_force.state import (
    EMPTY,
    HIT,
    UNSEEN,
    HideFleet,
    HideMissiles,
    HideSubmarines,
    Observation,
    Phase,
    Scratch,
)
from navalkit.players.captains import Crew
from navalkit.testing import heard, refused, said
from navalkit.ui.board import SCALE
from navalkit.ui.play import controller as controllers
from navalkit.ui.play.app import GameApp
from navalkit.view.page import Glance, Look
from navalkit.view.scene import Pick, Picks, Rect, Style
from ..samples import sizes
from ..sentences import TASK, UI
from .pages import PAGE, Browser, named
from .task_looks import scene_of

TODAY = date(2026, 11, 21)
SEED = 3


@pytest.fixture(autouse=True)
def quick_and_strict(monkeypatch):
    """We see what we did wrong; figures need not be good, but quick; and the day stands still."""
    monkeypatch.setenv("NAVALKIT_RAISE", "1")
    monkeypatch.setattr(odds, "SAMPLE", 200)
    monkeypatch.setattr(pieces, "VALUE_SAMPLE", 100)
    monkeypatch.setattr(controllers, "today", lambda: TODAY)
    monkeypatch.setattr("navalkit.ui.play.ending.today", lambda: TODAY)


def opened(folder, **message):
    app = GameApp("task-force", Store(folder), adviser="bayes")
    browser = Browser(app)
    browser.hello(**message)
    return app, browser


def link(options=SMALL, **more):
    return "?" + "&".join(f"{name}={value}" for name, value in {**options, **more}.items())


def press(app, css):
    named(app, css).click()


def mouse(app, event, *cells):
    """The pointer is pressed, moved over, or released at the middle of cells."""
    for cell in cells:
        x, y = app.scene().cell(cell).centre
        message = {"event": f"mouse_{event}", "x": SCALE * x, "y": SCALE * y}
        app.board.canvas._handle_frontend_event(None, message, [])


def drag(app, first, *others):
    mouse(app, "down", first)
    mouse(app, "move", *others)
    mouse(app, "up", (first, *others)[-1])


def orders(app):
    return [str(ply.action) for ply in app.control.match.plies[3:]]


def test_where_no_order_has_a_button_the_page_says_where_they_are_given(tmp_path):
    app, _ = opened(tmp_path)
    assert not app.orders.rows
    said(app.orders.note, UI, "orders.board")
    app.control.look_at(0)
    assert not app.orders.rows and app.orders.note == "", "looking back gives no orders"


# Drags ----------------------------------------------------------------------------------------------------------


def a_row(match, wanted):
    """Squares side by side that hold what is wanted, one after the other: sets of marks."""
    grid = match.game.sea.grid
    chart = full_chart(match)
    for row in range(grid.rows):
        for column in range(grid.columns - len(wanted) + 1):
            squares = [row * grid.columns + column + i for i in range(len(wanted))]
            if all(chart[s] in marks for s, marks in zip(squares, wanted, strict=True)):
                return [grid.names[s] for s in squares]
    return None


def full_chart(match):
    game, state = match.game, match.at(3)
    return game._contents(state)


def find(wanted, **options):
    """A game with such squares: the page's link, and the squares."""
    for seed in range(60):
        match = Match.new(load("task-force", **options), seed)
        if names := a_row(match, wanted):
            return link(options, seed=seed), names
    raise AssertionError("no such map")


SAFE, DANGER = (EMPTY, HIT), "sAC123"


def test_a_drag_scratches_square_after_square_and_skips_none_however_quick_it_is(tmp_path):
    query, names = find([SAFE] * 4)
    app, _ = opened(tmp_path, query=query)
    mouse(app, "down", names[0])
    mouse(app, "move", names[3])  # in one leap
    assert orders(app) == names
    mouse(app, "up", names[3])
    mouse(app, "move", names[0])
    assert orders(app) == names, "a pointer that is not pressed does nothing"


def test_a_drag_stops_at_the_first_danger_and_goes_on_only_when_pressed_anew(tmp_path):
    query, names = find([SAFE, DANGER, SAFE, SAFE])
    app, _ = opened(tmp_path, query=query)
    drag(app, *names)
    assert orders(app) == names[:2]
    drag(app, *names[2:])
    assert orders(app) == names


def test_a_drag_passes_over_what_is_scratched_and_ends_where_it_leaves_the_board(tmp_path):
    query, names = find([SAFE] * 3)
    app, _ = opened(tmp_path, query=query)
    app.control.order(names[1])
    mouse(app, "down", names[0])
    mouse(app, "move", names[2])
    assert orders(app) == [names[1], names[0], names[2]]
    mouse(app, "out", names[2])
    mouse(app, "move", "frigate 1", "A1")
    assert len(orders(app)) == 3 and not set(app.control.picks), "what leaves the board is no longer pressed"


def test_a_drag_that_begins_beside_the_map_or_on_a_scratched_square_does_nothing(tmp_path):
    query, names = find([SAFE] * 3)
    app, _ = opened(tmp_path, query=query)
    drag(app, "AIR" if app.scene().cell("AIR") else "CRU", *names)
    app.control.order(names[0])
    drag(app, *names)
    assert orders(app) == [names[0]]


def test_a_drag_takes_one_step_while_figures_are_on_the_map(tmp_path):
    query, names = find([SAFE] * 3)
    app, _ = opened(tmp_path, query=query)
    app.control.point("heat.hit")
    drag(app, *names)
    assert orders(app) == names[:1]


def test_a_drag_ends_with_a_strike_and_with_a_flight(tmp_path):
    game = load("task-force", **SMALL)
    base = Observation(game.sea, UNSEEN * 25)
    flying = Observation(game.sea, EMPTY + UNSEEN * 24, flying=1, flight=(0,))
    landed = Observation(game.sea, EMPTY * 2 + UNSEEN * 23)
    met = Observation(game.sea, EMPTY + "s" + UNSEEN * 23)
    swept = Observation(game.sea, EMPTY * 5 + UNSEEN * 20)

    def goes_on(before, after, *picks):
        return GAME_PAGE.goes_on(Glance(game, before), Glance(game, after), Look(picks=Picks.of(*picks)))

    assert goes_on(base, Observation(game.sea, EMPTY + UNSEEN * 24))
    assert goes_on(base, flying), "a take-off goes on over the map"
    assert not goes_on(flying, landed), "nothing is protected after the landing"
    assert not goes_on(flying, met) and not goes_on(base, swept)
    assert not goes_on(base, flying, Pick("heat", "danger"))


@sizes("seeds", range(2), range(2, 8))
def test_no_drag_meets_two_dangers_or_plays_on_after_the_end(tmp_path, seeds):
    """Wild drags over many maps: whatever is pressed, at most one missile or submarine comes of it."""
    rng = np.random.default_rng(0)
    for seed in seeds:
        app, _ = opened(tmp_path, query=link(seed=seed))
        grid = app.control.game.sea.grid
        while not app.control.match.over:
            before = app.control.seen.marks
            path = [grid.names[s] for s in rng.permutation(grid.size)[:8]]
            drag(app, *path)
            after = app.control.seen.marks
            new = [mark for was, mark in zip(before, after, strict=True) if was != mark]
            assert sum(mark in DANGER for mark in new) <= 1


# The map of the day ---------------------------------------------------------------------------------------------


def test_everybody_gets_the_map_of_the_day_and_its_seed_stays_here_until_the_end(tmp_path):
    app, browser = opened(tmp_path, query=link(seed=SEED))
    press(app, "nk-key-today")
    control = app.control
    assert control.match.seed == daily_seed(TODAY) and dict(control.game.options) == dict(load("task-force").options)
    day = UI("day", day=21, month=UI("month.11"), year=2026)
    said(app.seed.value, UI, "daily", day=day)
    said(app.status.value, UI, "day.new", day=day)
    assert str(control.match.seed) not in app.seed.value and app.handouts.copy_seed.disabled
    press(app, "nk-key-copy-link")
    assert browser.heard("copy")[-1]["text"] == "?day=2026-11-21"
    told = json.dumps([content for content, _ in browser.sent])
    assert str(control.match.seed) not in told
    other, _ = opened(tmp_path / "other", query="?day=2026-11-21")
    assert other.control.match.plies == control.match.plies


def test_the_end_of_the_day_s_game_shows_its_seed_and_offers_today_s_map_no_more(tmp_path):
    app, _ = opened(tmp_path, query="?day=today")
    match = app.control.match
    for square, _ in match.at(3).missiles + tuple((s, 0) for s in match.at(3).submarines):
        if not app.control.match.over:
            app.control.order(match.game.sea.grid.names[square])
    while not app.control.match.over:
        app.control.order(str(app.control.legal[0]))
    said(app.seed.value, UI, "daily")
    assert str(app.control.match.seed) in app.seed.value
    today = next(each for each in app.ending.again.children if "nk-key-today" in each._dom_classes)
    assert today.layout.display == "none"
    app.control.new(SEED)
    assert app.control.day is None and not heard(app.seed.value, UI, "daily")


def test_every_game_has_a_game_of_the_day_and_its_result_is_a_line_that_tells_nothing_of_it(tmp_path):
    app = GameApp("uss-lox", Store(tmp_path))
    app.control.new_daily()
    for order in ("flip A1", "decline"):
        app.control.guard(app.control.order)(order)
    assert app.control.day == TODAY and app.control.day_line() == ""
    while not app.control.match.over:
        legal = app.control.legal
        app.control.give(next((action for action in legal if str(action) == "decline"), legal[0]))
    line = app.control.day_line()
    day = UI("day", day=21, month=UI("month.11"), year=2026)
    said(line, UI, "day.line", game="USS Lox", day=day)
    assert app.ending.share.layout.display == "" and str(app.control.match.seed) not in line


@pytest.mark.parametrize("day", ["tomorrow", "2026-11-22", "21.11.2026", ""])
def test_a_day_that_has_no_map_is_refused_in_one_sentence(tmp_path, day):
    app, _ = opened(tmp_path, query=link(seed=SEED))
    if day:
        with pytest.raises(OptionError) as info:
            app.control.open_query(f"?day={day}")
        assert info.value.key in ("day.bad", "day.future")
    assert app.control.match.seed == SEED


def test_a_page_taken_up_again_still_knows_its_day_and_goes_on_over_midnight(tmp_path, monkeypatch):
    app, browser = opened(tmp_path, query="?day=today")
    seed = app.control.match.seed
    kept = {"task-force:token?": app.control.token}

    def again(day):
        monkeypatch.setattr(controllers, "today", lambda: day)
        return opened(tmp_path, query="?day=today", stored=kept, tab=True)[0].control

    assert again(TODAY).match.seed == seed
    assert again(TODAY + timedelta(days=1)).match.seed == daily_seed(TODAY + timedelta(days=1)), "nothing was scratched"
    newest = again(TODAY)  # the page that took it up last goes on with it
    newest.order("A1")
    kept = {"task-force:token?": newest.token}
    later = again(TODAY + timedelta(days=1))
    assert later.match.seed == seed and later.day == TODAY, "a game that goes on is not taken away"


# Cards ----------------------------------------------------------------------------------------------------------


def test_a_card_is_never_of_the_map_in_play_but_of_that_map_after_the_end(tmp_path):
    app, browser = opened(tmp_path, query=link(seed=SEED))
    press(app, "nk-key-card")
    first = browser.heard("download")[-1]["name"]
    seed = int(re.fullmatch(r"task-force-card-(\d+)\.html", first)[1])
    assert seed != SEED and str(seed) in app.status.value
    chart = full_chart(app.control.match)
    for square in (s for s, mark in enumerate(chart) if mark == HIT):
        app.control.order(app.control.game.sea.grid.names[square])
    assert app.control.match.outcome.result == "win"
    press(app, "nk-key-card")
    assert browser.heard("download")[-1]["name"] == f"task-force-card-{SEED}.html"


# Typed orders ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["fly helicopter from A3", "Fly from a3", "fly a3", " fly  helicopter  A3 "])
def test_a_flight_without_a_number_takes_the_rightmost_helicopter(tmp_path, text):
    app, _ = opened(tmp_path, query=link(seed=SEED))
    app.control.order(text)
    assert orders(app)[0] == "fly helicopter 3 from A3"


def test_other_typed_orders_are_left_as_they_are_and_a_flight_without_helicopters_is_refused(tmp_path):
    app, _ = opened(tmp_path, query=link(seed=SEED))
    for text in ("C7", "fly helicopter 1 from A3", "strike E5"):
        assert [str(action) for action in GAME_PAGE.read(app.control.glance(), text)] == [text]
    for text in ("fly", "fly helicopter from nowhere"):
        with pytest.raises(NotationError):
            GAME_PAGE.read(app.control.glance(), text)
    bare, _ = opened(tmp_path, query=link({**SMALL, "helicopters": "false"}, seed=SEED))
    with refused(Exception, TASK, "no.helicopter"):
        bare.control.order("fly helicopter from A3")


# Evidence, values, and the end ----------------------------------------------------------------------------------


def seen_of(rows):
    return Observation.parse("/".join(rows.get(row, "." * 10) for row in range(1, 11)))


def test_the_evidence_of_a_certain_square_is_framed_on_the_board():
    game = load("task-force")
    seen = seen_of({1: "-x-.......", 2: ".........."})
    proofs = run(scene.proofs(seen))
    assert scene.kind(proofs["B2"]) == "hit" and set(scene.evidence(proofs["B2"])) == {"A1", "B1", "C1"}
    glance = Glance(game, seen, 0, (Scratch("B2"), Scratch("A5")))
    mode = scene_of(glance, False, ["why"])
    asked = scene_of(glance, False, ["why", "B2"])
    assert mode.cell("B2").action is None, "a click asks, and scratches nothing"
    assert heard(mode.cell("B2").alt, TASK, "why.seen_at", "why.seen_more") and mode.cell("A5").action is None
    before, after = ({s for s in p.layers[-1].shapes if isinstance(s, Rect)} for p in (mode, asked))
    framed = {s for s in after - before if s.style.stroke == "accent" and not s.style.dash}
    for name in ("A1", "B1", "C1"):
        x, y = asked.cell(name).centre
        assert any(s.x < x < s.x + s.w and s.y < y < s.y + s.h for s in framed), name
    assert len(framed) == 3


def test_evidence_is_made_of_seen_squares_and_steps_of_unseen_ones():
    rng = np.random.default_rng(1)
    match = Match.new(load("task-force"), 4)
    steps = 0
    for _ in range(45):
        scratches = [a for a in match.legal() if len(str(a)) < 4]
        match.play(scratches[int(rng.integers(len(scratches)))])
        if match.over:
            break
    seen = match.observe() if not match.over else match.game.observe(match.at(match.ply - 1), 0)
    number = seen.sea.grid.number
    for name, proof in run(scene.proofs(seen)).items():
        assert scene.evidence(proof) and all(seen.marks[number(cell)] != UNSEEN for cell in scene.evidence(proof))
        assert name not in scene.between(proof)
        steps += any(seen.marks[number(cell)] == UNSEEN for cell in scene.between(proof))
    assert steps


def test_asking_why_is_over_with_the_next_order(tmp_path):
    query, names = find([SAFE] * 2)
    app, _ = opened(tmp_path, query=query)
    app.control.point("why")
    assert [p.kind for p in app.control.picks] == ["aim"] and app.scene().cell(names[0]) is not None
    app.control.order(names[0])
    assert not set(app.control.picks)


def test_the_value_of_a_scratch_is_what_the_planner_would_say():
    game = load("task-force", **SMALL)
    seen = Match.new(game, SEED).observe()
    worth = run(pieces.values(game, seen))
    figures = pieces.HEATS["value"].figures(seen, worth)
    best = max(worth, key=worth.get)
    assert set(worth) == set(seen.squares(UNSEEN)) == set(figures)
    assert figures[best].text == "0" and figures[best].step == pieces.STEPS - 1
    for square, figure in figures.items():
        assert figure.text in ("0", f"−{100 * (worth[best] - worth[square]):.0f}")
    flying = Observation(game.sea, EMPTY + UNSEEN * 24, Phase.FLIGHT, flying=1, flight=(0,))
    assert set(run(pieces.values(game, flying))) == {1, 5}


@pytest.mark.parametrize("tall", [False, True])
def test_after_the_end_the_whole_fleet_is_on_the_map_and_before_it_is_not(tall):
    match = Match.new(load("task-force", anti_air=0), 2)
    names = match.game.sea.grid.names
    for square, _ in match.at(3).missiles:
        if not match.over:
            match.play(names[square])
    assert match.outcome.result == "loss"
    end, before = match.observe(), match.game.observe(match.at(match.ply - 1), 0)
    assert not before.fleet and not before.chart

    def hulls(seen):
        shown = scene_of(Glance(match.game, seen), tall)
        return [s for s in shown.shapes() if isinstance(s, Rect) and s.style == Style(None, "ink", 3)]

    assert len(hulls(end)) == len(end.fleet) == 10 and not hulls(before)
    picture = scene_of(Glance(match.game, end), tall)
    unseen = [s for ship in end.fleet for s in ship if end.marks[s] == UNSEEN]
    assert unseen
    for square in unseen:
        said(picture.cell(names[square]).alt, TASK, "square.missed", what=TASK("mark.hit"))


# Honesty: no message tells what is not scratched ------------------------------------------------------------------


@pytest.fixture
def wire(monkeypatch):
    """Every message any widget sends, made comparable: numbers of models by the order they come in."""
    messages = []

    def publish(comm, msg_type, data=None, metadata=None, buffers=None, **_keys):
        messages.append((comm.comm_id, msg_type, data, [bytes(memoryview(buffer)) for buffer in buffers or ()]))

    monkeypatch.setattr(DummyComm, "publish_msg", publish)
    return messages


def same(messages, tokens):
    """The messages with names that are new every time made alike."""
    numbers: dict[str, str] = {}
    found = []
    for comm, kind, data, buffers in messages:
        text = json.dumps([comm, kind, data], default=repr, sort_keys=True)
        parts = [text, *(each.decode("latin-1") for each in buffers)]
        for token in tokens:
            parts = [part.replace(token, "TOKEN") for part in parts]
        parts = [re.sub(r"[0-9a-f]{32}", lambda m: numbers.setdefault(m[0], f"#{len(numbers)}"), x) for x in parts]
        found.append(parts)
    return found


def twin(match):
    """The same game over another fleet: every square scratched so far held the same there."""
    game = match.game
    other = elsewhere(match.observe(), match.state, np.random.default_rng(5))
    names = game.sea.grid.names
    hidden = (
        HideFleet(tuple(f"{names[s[0]]}-{names[s[-1]]}" for s in other.fleet)),
        HideSubmarines(tuple(names[s] for s in other.submarines)),
        HideMissiles(tuple(f"{names[s]}={('AIR', 'CRU', 'D-1', 'D-2', 'D-3')[t]}" for s, t in other.missiles)),
    )
    record = match.record()
    assert {*map(str, hidden)}.isdisjoint(record.actions[:1]), "another fleet"
    return Match.replay(replace(record, actions=(*map(str, hidden), *record.actions[3:])))


@sizes("plies", 8, 15)
def test_two_games_that_look_alike_send_the_same_messages_byte_for_byte(wire, tmp_path, monkeypatch, plies):
    """All a browser is sent through a game, orders, figures, drags, hints, files and pictures: it cannot tell one fleet
    from another, so nothing in it can depend on a square that is not scratched."""
    monkeypatch.setattr("navalkit.ui.play.controls.fresh_seed", lambda: 77)  # of the printed card
    monkeypatch.setattr("navalkit.ui.desk.LATE", 1e9)  # however slow the machine
    match, rng = Match.new(load("task-force", **SMALL), 12), np.random.default_rng(3)
    while len(match.plies) < plies:
        legal = [a for a in match.legal() if rng.random() < 0.5 or len(str(a)) < 4] or match.legal()
        match.play(legal[int(rng.integers(len(legal)))])
        assert not match.over
    sent = []
    for which, played in enumerate((match, twin(match))):
        wire.clear()
        app = GameApp("task-force", Store(tmp_path / str(which)), adviser="bayes")
        app.bridge._handle_custom_msg(PAGE, [])
        record = replace(played.record(), seed=13, commitment="")  # neither has its seed's luck
        start = Match.replay(replace(record, actions=record.actions[:3]))
        app.control.desk.settle()
        wire.clear()
        app.control._take(start, "A word.")
        tokens = {app.control.token}
        for n, ply in enumerate(played.plies[3:]):
            if n == 2:
                press(app, "nk-key-hint")
            for note in ("heat.hit", "heat.danger", "heat.value", "why")[n % 4 :][:1]:
                app.control.point(note)
            app.control.desk.settle()
            app.control.order(str(ply.action))
            app.control.desk.settle()
            tokens.add(app.control.token)
            app.board.redraw()
            for kind in ("svg", "png", "csv", "card"):
                if n % 5 == 0:
                    press(app, f"nk-key-{kind}")
        assert app.control.match.plies[3:] != [] and not app.control.match.over
        sent.append(same(wire, tokens))
    assert len(sent[0]) > 100
    for one, other in zip(*map(sorted, sent), strict=True):  # which of two answers comes first is up to the machine
        assert one == other


@pytest.mark.parametrize("captain", ["bayes", "planner", "marchetti"])
def test_a_hint_tells_the_chances_that_the_map_shows(captain) -> None:
    game = load("task-force")
    match, crew, seen_chances = Match.new(game, 11), Crew(), 0
    for _ in range(12):
        seen = match.observe()
        hint = run(crew.decision(captain, match, match.ply, 0))
        map_of = run(pieces.likely(game, seen)).hit.ravel()
        own = finish(crew.player(captain, game).think(seen, match.legal(), np.random.default_rng(match.ply)))
        assert hint.action == own.action  # what is told does not change what is advised
        for option in hint.options:
            told = [str(fact.value) for fact in option.facts if str(fact.name) == TASK("bot.hit")]
            if told and isinstance(option.action, Scratch):
                assert told == [percent(float(map_of[seen.sea.grid.number(option.action.square)]))]
                seen_chances += 1
        match.play(hint.action)
    assert seen_chances > 50
