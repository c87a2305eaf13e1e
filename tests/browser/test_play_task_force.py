"""The page of Task Force in a real Chromium: a game won by clicks and typed orders, one lost by taps on a phone.

Each page is shadowed by a `Match` of the same seed in this process: it says where a cell lies on the canvas, what the
status line must tell, and what must not be in any message to the browser yet.
"""

from __future__ import annotations
import re
from datetime import date
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from navalkit.core.awaited import run
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.games.task_force import (
    PAGE,
    daily_seed,
    scene,
)
from navalkit.games.task_force.game import SMALL
from navalkit.games.task_force.state import EMPTY, HIT, MISSILES, SUBMARINE, UNSEEN
from navalkit.testing import said
from navalkit.view.page import Glance, Look
from navalkit.view.scene import Lasts, Pick, Picks
from ..sentences import TASK, UI, like
from .conftest import axe, open_page, set_theme, sheets_printed, shot, sideways, wait_for_board
from .driver import Driver

QUERY = "?" + "&".join(f"{name}={value}" for name, value in SMALL.items())
SEED = 3


class Wire:
    """Everything the browser is told through its websockets."""

    def __init__(self, page):
        self.text = ""
        page.on("websocket", lambda socket: socket.on("framereceived", self._heard))

    def _heard(self, frame):
        self.text += frame if isinstance(frame, str) else frame.decode("utf-8", "ignore")


class Card(Driver):
    """The page, and the same game played beside it."""

    def __init__(self, page, voila, options, seed=SEED, tall=False):
        self.tall, self.picks = tall, Picks()
        self.wire = Wire(page)
        self.match = Match.new(load("task-force", **options), seed)
        self.hidden = [str(ply.action) for ply in self.match.plies]  # fleet, submarines, missiles
        query = "&".join(f"{name}={value}" for name, value in (options | {"seed": seed}).items())
        super().__init__(page, voila.page("play_task_force.ipynb") + "?" + query)
        self.settled()

    def settled(self):
        super().settled(self.match)

    def at(self, cell):
        """Where a cell lies on the canvas, in CSS pixels from its corner."""
        return self.place(self.scene(), cell)

    def scene(self):
        """The board; of what it awaits, the proofs alone, for they alone change its cells."""
        seen = self.match.observe(0)
        aim = self.picks.get("aim")
        proofs = scene.proofs(seen)
        answers = {proofs.key: run(proofs)} if aim and aim.kind == "why" else {}
        glance = Glance(self.match.game, seen, 0, self.match.legal())
        box = self.canvas.bounding_box()
        return PAGE.scene(glance, Look(self.tall, self.picks, answers=answers, room=(box["width"], box["height"])))

    def point(self, cell):
        """Click or tap a cell."""
        act = self.canvas.tap if self.tall else self.canvas.click
        with self.answer():
            act(position=self.at(cell))

    def note(self, cell):
        pick = self.scene().cell(cell).pick
        self.point(cell)
        self.picks = self.picks.toggled(pick)

    def played(self, order):
        """The same order beside; the page tells the same, and nothing yet of what is not scratched."""
        events = self.match.play(order)
        self.picks = self.picks.after_order()
        self.settled()
        self.tells(*(event.text for event in events))
        if not self.match.over:
            self.tells_no_secret()

    def tells_no_secret(self):
        seen = self.match.observe(0)
        told = self.wire.text
        assert seen.marks and "nk-status" in told, "the wire must be listened to"
        assert not any(action in told for action in self.hidden)
        assert not re.search(r"\b(fleet|submarines|missiles) [A-Z]\d|[A-Z]\d+=(AIR|CRU|D-)", told)
        for square in seen.squares(UNSEEN):
            assert not re.search(rf"\b{seen.sea.grid.names[square]}: (empty|a )", told)


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 900)], indirect=True)
def test_a_game_is_won_by_clicks_and_typed_squares_and_the_browser_is_told_no_secret(page, voila):
    card = Card(page, voila, dict(SMALL))
    names, state = card.match.game.sea.grid.names, card.match.at(3)
    ships = [names[s] for ship in state.fleet for s in ship]
    water = [name for name in names if name not in ships]
    card.tells_no_secret()
    shot(page, "task-1280-start")
    assert axe(page) == []

    card.point(ships[0])
    card.played(ships[0])
    card.type(f"scratch {ships[1].lower()}")
    card.played(ships[1])
    card.type(ships[1])
    said(card.status, TASK, "no.scratched")
    assert card.match.ply == 5

    card.note("heat.hit")
    said(card.status, TASK, "heat.on", what=TASK("heat.hit.said"))
    shot(page, "task-1280-heat")
    card.note("heat.danger")
    set_theme(page, "dark")
    page.wait_for_timeout(1000)
    shot(page, "task-1280-danger-dark")
    assert axe(page) == []
    set_theme(page, "light")
    card.note("destroyer 1")
    said(card.status, TASK, "notes.on")
    card.tells_no_secret()

    card.note("D-3")
    edge = next(name for name in water if name[0] in "AE" or name[1:] in ("1", "5"))
    shot(page, "task-1280-aim")
    card.point(edge)
    card.played(f"fly helicopter 3 from {edge}")
    while card.match.observe(0).flying:
        on = str(card.match.legal()[0])
        card.point(on)
        card.played(on)
    shot(page, "task-1280-flown")
    with card.answer():
        page.click(".nk-key-hint")
    said(card.status, UI, "hint.said")
    for name in ships[2:]:
        if not card.match.over and name in {str(action) for action in card.match.legal()}:
            card.point(name)
            card.played(name)
    assert card.match.outcome.result == "win"
    page.wait_for_selector(".nk-play-report .nk-table", timeout=60_000)
    expect(page.locator(".nk-play-report")).to_contain_text(TASK("compare.title"), timeout=60_000)
    report = page.inner_text(".nk-play-report")
    said(report, TASK, "report.title")
    said(report, TASK, "report.bits")
    page.wait_for_timeout(300)
    fleet = ", ".join(card.hidden[0].split()[1:])
    assert fleet in card.wire.text, "what is searched for would be found"
    said(report, TASK, "report.note", fleet=fleet)
    shot(page, "task-1280-won")
    assert axe(page) == []


def row_of(match, wanted):
    """Squares side by side that hold what is wanted, one set of marks after the other."""
    grid, chart = match.game.sea.grid, match.game._contents(match.at(3))
    for row in range(grid.rows):
        for column in range(grid.columns - len(wanted) + 1):
            squares = [row * grid.columns + column + i for i in range(len(wanted))]
            if all(chart[s] in marks for s, marks in zip(squares, wanted, strict=True)):
                return [grid.names[s] for s in squares]
    raise AssertionError("no such squares on this map")


SAFE, DANGER = (EMPTY, HIT), SUBMARINE + MISSILES


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 900)], indirect=True)
def test_a_drag_scratches_until_the_first_danger_and_proofs_are_drawn(page, voila):
    card = Card(page, voila, {}, seed=5)
    safe, risky = row_of(card.match, [SAFE] * 4), row_of(card.match, [SAFE, DANGER, SAFE])
    corner = card.canvas.bounding_box()

    def drag(names):
        places = [card.at(name) for name in names]
        page.mouse.move(corner["x"] + places[0]["x"], corner["y"] + places[0]["y"])
        page.mouse.down()
        for place in places[1:]:
            page.mouse.move(corner["x"] + place["x"], corner["y"] + place["y"], steps=3)
        page.mouse.up()

    drag(safe)
    for name in safe:
        card.match.play(name)
    card.settled()
    drag(risky)
    for name in risky[:2]:
        card.match.play(name)
    card.settled()
    page.mouse.move(corner["x"] + 5, corner["y"] + 5)
    card.point("heat.hit")  # whatever was sent before this has been done by now
    card.picks = Picks.of(Pick("heat", "hit", Lasts.PAGE))
    card.settled()
    card.tells_no_secret()
    card.note("heat.hit")
    card.note("why")
    proofs = run(scene.proofs(card.match.observe(0)))
    square, proof = max(proofs.items(), key=lambda found: len(scene.evidence(found[1])))
    card.note(square)
    kind = TASK(f"why.kind.{scene.kind(proof)}")
    said(card.status, TASK, "why.certain", square=square, kind=kind)
    shot(page, "task-1280-why")
    assert axe(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 900)], indirect=True)
def test_the_map_of_the_day_shows_its_date_and_no_seed_and_a_card_can_be_printed(page, voila):
    wire = Wire(page)
    open_page(page, voila.page("play_task_force.ipynb") + "?day=2026-01-31")
    wait_for_board(page)
    page.get_by_role("tab", name=UI("tab.options")).click()
    day = UI("daily", day="31 January 2026")
    expect(page.locator(".nk-play-seed-line")).to_contain_text(day)
    with page.expect_download() as waiting:
        page.click(".nk-key-card")
    assert re.fullmatch(r"task-force-card-\d+\.html", waiting.value.suggested_filename)
    assert sheets_printed(page, waiting.value.path().read_text()) == 2
    shot(page, "task-1280-day")
    seed = str(daily_seed(date(2026, 1, 31)))
    assert day in wire.text and seed not in wire.text
    page.click(".nk-key-new")
    page.wait_for_selector(".nk-play-panel .nk-key-today:visible")
    shot(page, "task-1280-new")
    assert axe(page) == []
    page.click(".nk-play-panel .nk-key-today")
    expect(page.locator(".nk-play-seed-line")).not_to_contain_text("31 January 2026")
    expect(page.locator(".nk-play-seed-line")).to_contain_text(like(UI, "daily"))


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 900)], indirect=True)
def test_the_seed_of_a_game_in_play_stays_on_the_server(page, voila):
    wire, earlier = Wire(page), set((voila.home / "games").glob("*.toml"))
    open_page(page, voila.page("play_task_force.ipynb") + QUERY)
    wait_for_board(page)
    page.get_by_role("tab", name=UI("tab.options")).click()
    expect(page.locator(".nk-play-seed-line")).to_contain_text(UI("seed.secret"))
    before = page.get_attribute(".nk-status [data-count]", "data-count")
    box = page.locator(".nk-order input")
    box.fill("C3")
    box.press("Enter")
    page.wait_for_function(
        "n => document.querySelector('.nk-status [data-count]').dataset.count !== n", arg=before, timeout=60_000
    )
    files = [path.read_text() for path in set((voila.home / "games").glob("*.toml")) - earlier]
    records = [text for text in files if 'game = "task-force"' in text]
    seeds = {re.search(r'^seed = "?(\d+)', text, re.M)[1] for text in records}
    assert seeds and not any(seed in wire.text for seed in seeds)
    assert page.locator(".nk-key-copy-seed").is_disabled()


def drag_by_finger(card, names):
    """Sideways a finger scratches; up and down it scratches nothing."""
    page = card.page
    send = page.context.new_cdp_session(page).send

    def way():
        corner, places = card.canvas.bounding_box(), [card.at(name) for name in names]
        return [(corner["x"] + place["x"], corner["y"] + place["y"]) for place in places]

    def touch(kind, *points):
        send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def stroke(points):
        touch("touchStart", points[0])
        for (x0, y0), (x1, y1) in pairwise(points):
            for i in range(1, 5):
                touch("touchMove", (x0 + (x1 - x0) * i / 4, y0 + (y1 - y0) * i / 4))
        page.wait_for_timeout(300)  # a finger that rests before it lifts flings nothing
        touch("touchEnd")

    card.canvas.scroll_into_view_if_needed()
    stroke(way())
    for name in names:
        card.match.play(name)
    card.settled()
    (x, y), before = way()[0], card.count
    stroke([(x, y), (x + 3, y + 120)])
    page.wait_for_timeout(500)
    assert card.count == before and page.evaluate("scrollY") == 0, "the page has nowhere to scroll"
    card.settled()


@pytest.mark.slow
def test_a_game_is_lost_by_taps_on_a_phone(browser, voila):
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    page = context.new_page()
    card = Card(page, voila, {"anti_air": 0}, tall=True)
    shot(page, "task-390-start")
    assert sideways(page) <= 0 and axe(page) == []
    names = card.match.game.sea.grid.names
    drag_by_finger(card, row_of(card.match, [SAFE] * 4))
    missiles = [names[square] for square, _ in card.match.at(3).missiles]
    card.note("frigate 2")
    said(card.status, TASK, "notes.on")
    for number, name in enumerate(missiles):
        if card.match.over:
            break
        card.point(name)
        card.played(name)
        if number == 2:
            card.note("heat.hit")
            page.wait_for_timeout(300)
            shot(page, "task-390-heat")
            assert sideways(page) <= 0 and axe(page) == []
            card.note("heat.hit")
    assert card.match.outcome.result == "loss"
    page.wait_for_selector(".nk-play-report .nk-table", timeout=60_000)
    said(page.inner_text(".nk-play-report"), TASK, "report.lost")
    shot(page, "task-390-lost")
    assert sideways(page) <= 0 and axe(page) == []
    context.close()
