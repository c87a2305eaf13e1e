"""The review on a game's page: asked for after the end, it names turns, and a press on one looks there."""

from __future__ import annotations
import asyncio
from contextlib import suppress
from itertools import islice

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.errors import OutOfTimeError
from navalkit.core.game import CHANCE
from navalkit.core.match import Store
from navalkit.core.registry import names, package
from navalkit.core.shown import html
from navalkit.players.review import SEVERAL, Mistake, Point, Review, Turn
from navalkit.testing import heard, said
from navalkit.ui.play import review_panel
from navalkit.ui.play.app import GameApp
from navalkit.ui.widgets import Button, is_shown
from navalkit.view.scene import Circle, Line
from ....blunders import CASES, blundered
from ....sentences import LOX, PATROL, UI, WOLF
from ...pages import words

GAMES = [name for name in names() if package(name).module.startswith("navalkit.games.")]

LIGHTS = [UI("light.taken"), UI("light.better")]
"""The words on the frames of an order and the better one."""


@pytest.fixture(scope="module")
def over() -> nk.Match:
    match, rng = nk.Match.new("wolf-pack", 5), np.random.default_rng(1)
    players = [nk.player(name, "wolf-pack") for name in ("random", "greedy")]
    while not match.over:
        match.play(players[match.turn].decide(match.observe(), match.legal(), rng).action)
    return match


def test_a_finished_game_is_reviewed_picture_by_picture(over, tmp_path, monkeypatch):
    monkeypatch.setattr(review_panel, "STAGES", ((1, 3), (2, 4)))
    app = GameApp("wolf-pack", Store(tmp_path))
    panel = app.ending.review
    assert panel.button.layout.display == "none", "there is nothing to review yet"
    app.opened(over.dumps().encode(), "over.toml")
    assert app.control.match.over and panel.button.layout.display == "" and panel.widget.layout.display == "none"
    said(app.status.value, UI, "end.loss")
    said(app.status.value, WOLF, "report.convoy")
    app.tabs.selected_index, sent = 2, []
    monkeypatch.setattr(app.bridge, "send", lambda message, *_: sent.append(message))
    panel.button.click()
    assert app.tabs.selected_index == 0 and {"do": "sheet", "open": True} in sent, "it is brought to sight"
    app.control.desk.settle(300)
    assert panel.widget.layout.display == "" and "<polyline" in panel._chart.value
    apart = panel._found.apart(app.control.match)  # of a long game few decisions are: their sum would say little
    assert bool(heard(panel._sums.value, UI, "review.sums")) == (apart >= review_panel.APART)
    yardstick = package("wolf-pack").offered("REVIEW", None)  # the second picture took its place; all is broken off
    said(panel._chart.value, UI, "review.judged", n=2 * yardstick.times, turns=yardstick.ahead)


def test_the_headline_comes_at_once_what_is_found_as_it_is_found_and_stop_keeps_it(tmp_path, monkeypatch):
    monkeypatch.setattr(review_panel, "PACE", 0.0)
    app = GameApp("on-patrol", Store(tmp_path))
    (match,) = islice(lost_in_turn("on-patrol", {"scenario": "lone-merchant"}, range(1, 9)), 1)
    app.control.take_up(match)
    panel, desk = app.ending.review, app.control.desk
    panel.button.click()
    with pytest.raises(OutOfTimeError):
        desk.settle(0)
    assert panel.widget.layout.display == "" and panel._stop.layout.display == "", "after one slice of work"
    said(app.control.ending(), PATROL, "result.draw")
    assert html("<h3 class=nk-play-ended>{}</h3>", app.control.ending()) in panel._head.value
    said(panel._head.value, UI, "review.so_far", points=1)
    assert panel._told.children == ()
    while len(panel._found.points) < 3:
        with pytest.raises(OutOfTimeError):
            desk.settle(0)
    said(panel._head.value, UI, "review.so_far", points=3)
    assert panel._chart.value.count("<polyline") == 1
    assert panel._sums.value == "", "they would be wrong yet"
    panel._stop.click()
    assert desk.idle and panel._stop.layout.display == "none" and panel.widget.layout.display == ""
    assert not heard(panel._head.value, UI, "review.so_far") and len(panel._found.points) == 3


def test_curve_list_and_time_line_number_a_mistake_alike_while_it_is_calculated_and_when_stopped(
    tmp_path, monkeypatch,
) -> None:
    drawn, draw = list[list[int]](), review_panel.curve
    monkeypatch.setattr(review_panel, "curve", lambda title, line, marked, note, **of: (
        drawn.append(list(marked)), draw(title, line, marked, note, **of))[1])
    monkeypatch.setattr(review_panel, "STAGES", ((1, 6), (4, 8), (4, 10)))
    match, rng = nk.Match.new(nk.load("wolf-pack", transports=2, u_boats=2), 5), np.random.default_rng(1)
    players = [nk.player(name, match.game) for name in ("random", "careful")]
    while not match.over:
        match.play(players[match.turn].decide(match.observe(), match.legal(), rng).action)
    app = GameApp("wolf-pack", Store(tmp_path))
    app.control.take_up(match)
    panel, seen = app.ending.review, set[tuple[int, ...]]()
    panel.button.click()
    while panel._done < 2:
        with suppress(OutOfTimeError):
            app.control.desk.settle(0)
        if panel.marks:
            assert drawn[-1] == [step for step, sign, _ in panel.marks if sign.isdigit()]
            assert not panel._going or drawn[-1] == sorted(drawn[-1])
            seen.add(tuple(drawn[-1]))
    assert max(map(len, seen)) > 1
    panel._stop.click()
    assert drawn[-1] == [step for step, sign, _ in panel.marks if sign.isdigit()]
    assert drawn[-1] == [each.ply - 1 for each in panel._named(panel._found)], "the costliest comes first now"


@pytest.mark.slow
def test_no_move_is_called_the_costliest_before_all_is_compared(tmp_path, monkeypatch):
    monkeypatch.setattr(review_panel, "STAGES", ((12, 8), (14, 10)))
    app, (match, step, _) = GameApp("task-force", Store(tmp_path)), blundered("task-force")
    app.control.take_up(match)
    panel, listed = app.ending.review, []

    async def watch():
        panel.button.click()
        while not app.control.desk.idle:
            await asyncio.sleep(0.01)
            told = " ".join(words(row.children[0].value) for row in panel._told.children)
            if panel._going and panel._named(panel._found) and not panel._first:
                said(told, UI, "review.comparing")
                assert not heard(told, UI, "review.worst", "review.perhaps")
                listed.append([each.ply for each in panel._found.mistakes[:2]])

    asyncio.run(watch())
    assert listed, "mistakes were told while they were still being compared"
    said(panel._told.children[0].children[0].value, UI, "review.worst", n=step)
    assert panel.marks[0][:2] == (step - 1, "1")


@pytest.mark.parametrize(
    ("name", "options", "captain"),
    [
        ("fleet-action", {"moves": 4}, "gunnery"),
        ("on-patrol", {"scenario": "lone-merchant"}, "skipper"),
        ("task-force", {"rows": 6, "columns": 6, "deep": 3, "fleet": "tiny", "submarines": 1, "missiles": 1}, "hunter"),
    ],
)
def test_a_track_chart_draws_the_ways_of_the_board_games(name, options, captain, tmp_path):
    game = nk.load(name, **options)
    match, rng, best = nk.Match.new(game, 3), np.random.default_rng(3), nk.player(captain, game)
    while not match.over:
        match.play(best.decide(match.observe(), match.legal(), rng).action)
    app, kept = GameApp(name, Store(tmp_path)), []
    app.bridge.download = lambda name, data: kept.append((name, data))
    app.control.take_up(match)
    panel = app.ending.review
    panel.button.click()
    assert "<img class=nk-play-tracks" in panel._chart_of_tracks.value
    panel.tracks[0].click()
    (picture, drawn), scene = kept[0], app.control.page.track(game, match)
    assert picture == f"{name}-tracks.svg" and "<svg" in drawn
    if name == "task-force":
        numbers = [shape.text for layer in scene.layers if layer.name == "numbers" for shape in layer.flat[1::2]]
        assert len(numbers) == sum(mark != "." for mark in match.observe(0).marks) and numbers[:2] == ["1", "2"]
        return
    ways = [shape for layer in scene.layers if layer.name == "tracks" for shape in layer.shapes]
    ends = [each for each in ways if isinstance(each, Line)]
    ships = game.battle.units if name == "fleet-action" else (*match.state.vessels, *match.state.boats)
    assert sum(isinstance(each, Circle) for each in ways) == len(ships)
    assert len(ends) >= 2 and all(len(each.points) > 1 for each in ends)


def test_the_curve_is_handed_out_with_its_headline_and_captains_play_the_seed(tmp_path):
    app = GameApp("uss-lox", Store(tmp_path))
    kept = []
    app.bridge.download = lambda name, data: kept.append((name, data))
    app.opened(lost_patrol().dumps().encode(), "lost.toml")
    panel = app.ending.review
    panel.button.click()
    app.control.desk.settle(60)
    captains, as_svg, as_png, link = panel.widget.children[7].children[2:]
    as_svg.click()
    as_png.click()
    (svg, drawn), (png, pixels) = kept
    assert (svg, png) == ("uss-lox-review.svg", "uss-lox-review.png") and pixels[:4] == b"\x89PNG"
    said(drawn, LOX, "report.loss")
    assert "<svg" in drawn and "USS Lox" in drawn
    captains.click()
    app.control.desk.settle(120)
    told = panel._table.value
    assert told.count("<tr>") == 2 + len(package("uss-lox").offered("CAPTAINS", ())) and f">{UI('review.you')}<" in told
    app.control.new()
    assert panel._table.value == "" and app.stepper.marks.children == ()


LOST = "own", "luck", "other", "unknown", "start"
LOSING = ["review.worst", "review.perhaps", *(f"review.lost.{each}" for each in LOST)]
"""What names the step that lost a game."""


def lost_in_turn(name, options, seeds):
    """Games that somebody without a plan lost, one a seed."""
    game = nk.load(name, **options)
    for seed in seeds:
        match, rng = nk.Match.new(game, seed), np.random.default_rng(seed)
        players = [nk.player("random", game), nk.player("greedy" if name == "wolf-pack" else "skipper", game)]
        while not match.over:
            match.play(players[match.turn].decide(match.observe(), match.legal(), rng).action)
        if package(name).offered("REVIEW", None).worth(game, match.state, 0) < 0.5:
            yield match


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [("wolf-pack", {"transports": 2, "u_boats": 2}), ("on-patrol", {"scenario": "lone-merchant"})],
)
def test_of_twenty_games_lost_each_review_names_the_step_that_lost_it(name, options, tmp_path, monkeypatch):
    monkeypatch.setattr(review_panel, "STAGES", ((1, 4),))
    app, named = GameApp(name, Store(tmp_path)), []
    for match in islice(lost_in_turn(name, options, range(1, 100)), 20):
        app.control.take_up(match)
        app.ending.review.button.click()
        app.control.desk.settle(600)
        told = app.ending.review._told.children[0].children[0].value
        named.append(bool(heard(told, UI, *LOSING)))
    assert named == [True] * 20


@pytest.mark.parametrize(("between", "key"), [(0.0, "review.lost.start"), (0.08, "review.none")])
def test_lost_from_the_start_is_a_game_that_was_won_from_nowhere(between, key, tmp_path):
    panel = GameApp("wolf-pack", Store(tmp_path)).ending.review
    points = Point(0, 0.0, 0.04), Point(20, between, 0.08), Point(40, 0.0, 0.0)
    turns = Turn(1, 20, SEVERAL, between, 0.09), Turn(21, 40, SEVERAL, -between, 0.08)
    (row,) = panel._rows(Review(0, points, turns))
    said(row.children[0].value, UI, key)


def test_the_step_that_decided_a_patrol_without_a_mistake_is_listed(tmp_path):
    """Of a game measured in tons no line says what lost it, so that the turning points are all listed."""
    match, captain = nk.Match.new("uss-lox", 7702), nk.player("optimal", "uss-lox")
    while not match.over:
        match.play(captain.decide(match.observe(), match.legal(), np.random.default_rng(match.ply)).action)
    app = GameApp("uss-lox", Store(tmp_path))
    app.control.take_up(match)
    panel = app.ending.review
    panel.button.click()
    app.control.desk.settle(60)
    found, (none, *rows) = panel._found, [row.children[0].value for row in panel._told.children]
    said(none, UI, "review.none")
    assert found.deciding in found.turning and not found.mistakes
    assert len(rows) == len(panel._telling(found))
    assert any(panel._turn(found, found.deciding) in row for row in rows)


def test_every_game_has_a_yardstick():
    for name in GAMES:
        assert package(name).offered("REVIEW", None) is not None, name


def lost_patrol() -> nk.Match:
    captain, rng = nk.player("harper", "uss-lox"), np.random.default_rng(1)
    match = nk.Match.new("uss-lox", 3)
    while not match.over:
        match.play(captain.decide(match.observe(), match.legal(), rng).action)
    return match


def test_the_costliest_move_is_named_in_tons_looked_at_and_tried_again(tmp_path):
    app, match = GameApp("uss-lox", Store(tmp_path)), lost_patrol()
    app.opened(match.dumps().encode(), "lost.toml")
    panel, control = app.ending.review, app.control
    panel.button.click()
    control.desk.settle(60)
    told, look, link = panel._told.children[0].children
    assert "explore_sinking.ipynb?q=lox-sink" in link.value
    said(told.value, UI, "review.worst", n=8, taken=LOX("order.fire", n=1), better=LOX("order.fire", n=3))
    assert "15,006 t" in told.value and "(t)" in panel._chart.value
    assert panel.decided is not None and panel._chart.value.count("data-ring") == 1, "what decided it has a ring"
    assert panel.marks[0][:2] == (7, "1") and LOX("order.fire", n=3) in panel.marks[0][2]
    on_line = app.stepper.marks.children[0]
    assert on_line.description == "1" and on_line.layout.left == f"{7 / match.ply:.1%}"
    on_line.click()
    assert control.ply == 7 and [word for _, word in app.stage.lights] == LIGHTS
    control.look_at(match.ply)
    assert not app.stage.lights
    look.click()
    assert control.ply == 7 and panel.widget.layout.display == "none", "looking back shows the game"
    control.look_at(match.ply)
    assert panel.widget.layout.display == "", "back at the end it is still there"
    panel.retry.click()
    assert control.match.ply == 7 and control.match.analysis and not control.match.over
    assert panel.widget.layout.display == panel.button.layout.display == "none"
    control.order("attack 3")
    assert not control.status.error and control.match.ply > 7


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.slow if name == "on-patrol" else ()) for name in CASES
])
def test_a_review_ends_in_one_lesson_and_one_position_to_try(name, tmp_path, monkeypatch):
    """The costliest move, what would have been better and why; and one button, which leads to just before it."""
    monkeypatch.setattr(review_panel, "STAGES", ((6, 8), (8, 10)))
    app, (match, step, better) = GameApp(name, Store(tmp_path)), blundered(name)
    control, panel = app.control, app.ending.review
    control.take_up(match)
    assert not is_shown(panel.lesson)
    panel.button.click()
    control.desk.settle(600)
    glance, taken = control.glance_at(step - 1), match.plies[step - 1].action
    facts = {"n": step, "better": control.page.spoken(glance, better), "taken": control.page.spoken(glance, taken)}
    (told,) = heard(panel._lesson.value, UI, "lesson.move").values()
    assert {key: told[key] for key in facts} == {key: words(str(fact)) for key, fact in facts.items()}
    assert told["why"].strip() and is_shown(panel.lesson)
    tries = [each for each in buttons_of(panel.widget) if each.description in (UI("lesson.try"), UI("review.again"))]
    assert tries == [panel.retry] and is_shown(panel.retry)
    panel.retry.click()
    assert control.match.ply == step - 1 and control.match.analysis and control.match.turn == 0
    assert not is_shown(panel.lesson) or not is_shown(panel.widget)
    control.give(better)
    given = [*(ply.action for ply in control.match.plies[step - 1 :]), control.held]
    assert not control.status.error and better in given


def test_a_line_stays_while_the_review_gets_more_precise(tmp_path):
    """A press on what leads on from it would else be lost between two pictures."""
    app, match = GameApp("uss-lox", Store(tmp_path)), lost_patrol()
    app.opened(match.dumps().encode(), "lost.toml")
    panel = app.ending.review
    panel.button.click()
    app.control.desk.settle(60)
    lines = panel._told.children
    assert lines and "href" in lines[0].children[-1].value
    panel._told.children = tuple(panel._rows(panel._found))
    assert all(before is now for before, now in zip(lines, panel._told.children, strict=True))
    assert len(set(map(id, lines))) == len(lines)


def buttons_of(box):
    """All buttons in a box."""
    for each in getattr(box, "children", ()):
        if isinstance(each, Button):
            yield each
        yield from buttons_of(each)


@pytest.mark.parametrize(("by", "key", "decision"),
                         [(CHANCE, "luck", 3), (0, "own", 4), (1, "turn", 3), (None, "none", 0)])
def test_where_no_move_cost_anything_the_lesson_says_what_turned_the_game(by, key, decision, tmp_path):
    app, (match, _, _) = GameApp("wolf-pack", Store(tmp_path)), blundered("wolf-pack")
    app.control.take_up(match)
    panel = app.ending.review
    own = [n for n, ply in enumerate(match.plies) if ply.by == 0]
    turn = () if by is None else (Turn(own[4] + 1, own[4] + 2, by, -0.5, 0.01),)
    found = Review(0, (Point(0, 1, 0), Point(match.ply, 0, 0)), turn)
    panel._of, panel._found, panel._done = match, found, 1
    panel._list(found)
    said(panel._lesson.value, UI, f"lesson.{key}", **({"n": own[4] + 2} if by is not None else {}))
    assert is_shown(panel.retry) == (by is not None)
    if by is not None:
        panel.retry.click()
        assert app.control.match.ply == own[decision] and app.control.match.turn == 0


def test_what_went_well_is_nothing_to_do_otherwise(tmp_path):
    app, (match, _, _) = GameApp("wolf-pack", Store(tmp_path)), blundered("wolf-pack")
    app.control.take_up(match)
    panel = app.ending.review
    own = next(n for n, ply in enumerate(match.plies) if ply.by == 0)
    found = Review(0, (Point(0, 0, 0), Point(match.ply, 1, 0)), (Turn(own + 1, own + 1, 0, 0.5, 0.01),))
    panel._of, panel._found, panel._done = match, found, 1
    panel._list(found)
    said(panel._lesson.value, UI, "lesson.none")
    assert found.deciding in found.turning and not is_shown(panel.retry)


def test_no_two_marks_of_the_time_line_lie_on_one_another(tmp_path):
    app = GameApp("uss-lox", Store(tmp_path))
    app.control.new(7)
    for order in ("flip A1", "attack 1", "attack 1"):
        app.control.order(order)
    app.ending.review.button.click()
    app.control.desk.settle(60)
    steps = [step for step, _, _ in app.ending.review.marks]
    assert len(steps) == len(set(steps)) > 0


def test_a_move_looked_at_is_played_anew_or_left_for_the_review(tmp_path):
    app, match = GameApp("uss-lox", Store(tmp_path)), lost_patrol()
    app.opened(match.dumps().encode(), "lost.toml")
    control, looking = app.control, app.ending.looking
    control.look_at(7)
    assert not is_shown(looking), "there is no review to go back to"
    control.look_at(match.ply)
    app.ending.review.button.click()
    control.desk.settle(60)
    assert not is_shown(looking) and is_shown(app.ending.again)
    control.look_at(7)
    again, back, *_ = looking.children
    assert is_shown(looking) and not is_shown(app.ending.again)
    back.click()
    assert control.live and is_shown(app.ending.review.widget) and not is_shown(looking)
    control.look_at(7)
    again.click()
    assert control.match.ply == 7 and control.match.analysis and not is_shown(looking)


def test_a_link_to_the_review_opens_the_same_game_with_its_review(tmp_path):
    app, match, copied = GameApp("uss-lox", Store(tmp_path)), lost_patrol(), []
    app.opened(match.dumps().encode(), "lost.toml")
    app.ending.review.button.click()
    app.control.desk.settle(60)
    app.bridge.copy = lambda text, what, *, link: copied.append((text, what, link))
    app.ending.review.widget.children[7].children[-1].click()
    ((query, what, link),) = copied
    assert link and what == "link" and query.startswith("?record=")
    other = GameApp("uss-lox", Store(tmp_path / "other"))
    other.met(query, {}, another_tab=False)
    other.control.desk.settle(60)
    assert other.control.match.state == match.state and is_shown(other.ending.review.widget)
    said(other.ending.review._told.children[0].children[0].value, UI, "review.worst", n=8)
    plain = GameApp("uss-lox", Store(tmp_path / "plain"))
    plain.met(query.removesuffix("&review=1"), {}, another_tab=False)
    plain.control.desk.settle(60)
    assert plain.control.match.over and not is_shown(plain.ending.review.widget)


def test_where_an_order_and_the_better_one_are_alike_nothing_is_framed(tmp_path):
    app, (match, step, better) = GameApp("on-patrol", Store(tmp_path)), blundered("on-patrol")
    app.control.take_up(match)
    panel, taken = app.ending.review, match.plies[step - 1].action
    panel._of, panel._found = match, Review(0, (Point(0, 1, 0),), (), (Mistake(step, taken, better, 0.4, 0.1),))
    app.control.look_at(step - 1)
    lights = app.stage.lights
    assert [word for _, word in lights] == LIGHTS and len({outline for outline, _ in lights}) == 2


@pytest.mark.parametrize(("cost", "key"), [(0.15, ""), (0.25, "review.perhaps"), (0.35, "review.worst")])
def test_a_move_is_blamed_as_far_as_it_is_known_to_have_cost_anything(cost, key, tmp_path):
    app, (match, step, better) = GameApp("wolf-pack", Store(tmp_path)), blundered("wolf-pack")
    app.control.take_up(match)
    points = Point(0, 1, 0), Point(match.ply, 0, 0)
    mistakes = (Mistake(step, match.plies[step - 1].action, better, cost, 0.1), Mistake(3, "this", "that", 0.2, 0.1))
    panel, found = app.ending.review, Review(0, points, (Turn(1, match.ply, -1, -1.0, 0),), mistakes)
    panel._of, panel._found, panel._done = match, found, 1
    panel._list(found)
    first, *more = [row.children[0].value for row in panel._told.children]
    assert set(heard(first, UI, "review.perhaps", "review.worst")) == ({key} if key else set())
    assert all(told["n"] != "3" for row in (first, *more) for told in heard(row, UI, "review.mistake").values())
    assert (panel.decided[0] == step - 1) == (cost > 0.3)
