"""Cards of Task Force to print: what stands on them, and the page that a browser prints."""

from __future__ import annotations
import re
from datetime import date

import pytest
from PIL import ImageFont

from navalkit.cli import main
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.core.words import Voice, speaking
from navalkit.games.task_force import PAGE, SMALL, daily_seed
from navalkit.games.task_force.state import SAY
from navalkit.testing import heard, said
from navalkit.view.files import printed
from navalkit.view.painters import svg
from navalkit.view.scene import Layer, Scene, Text
from ..sentences import CLI, TASK
from .task_looks import glance_of, scene_of

MAPS = pytest.mark.parametrize(
    "options", [{}, SMALL, {"rows": 14, "columns": 12}, {"helicopters": False, "anti_air": 9}]
)


def texts(scene):
    return [shape.text for shape in scene.shapes() if isinstance(shape, Text)]


@MAPS
def test_the_sheet_tells_nothing_of_its_map_but_the_seed(options):
    game = load("task-force", **options)
    one, other = (PAGE.card(game, Match.new(game, seed))[0] for seed in (911, 922))
    assert [t.replace("911", "922") for t in texts(one)] == texts(other) and TASK("card.seed", seed=911) in texts(one)
    drawn, also = ([s for s in sheet.shapes() if not isinstance(s, Text)] for sheet in (one, other))
    assert drawn == also


@pytest.mark.parametrize("where", ["board", "sheet"])
def test_a_german_reader_finds_the_enemys_ships_by_their_german_names(where):
    game = load("task-force", **SMALL)
    match = Match.new(game, 1)
    with speaking(Voice("de")):
        scene = PAGE.card(game, match)[0] if where == "sheet" else scene_of(glance_of(game, match.state))
    drawn = {each.text for each in scene.texts()}
    for kind in game.sea.waters.classes:
        with speaking(Voice("de")):
            called = SAY.named(kind.name)
        assert called != kind.name and called in drawn and kind.name not in drawn


@MAPS
def test_the_solution_names_everything_that_is_hidden(options):
    game = load("task-force", **options)
    match = Match.new(game, 11)
    told, names, state = "\n".join(texts(PAGE.card(game, match)[1])), game.sea.grid.names, match.at(3)
    for ship in state.fleet:
        assert f"{names[ship[0]]}-{names[ship[-1]]}" in told
    for square, target in state.missiles:
        name = ("AIR", "CRU", "D-1", "D-2", "D-3")[target]
        line = next(line for line in told.split("\n") if f" {name}:" in line)
        assert re.search(rf"\b{names[square]}\b", line)
    subs = next(line for line in told.split("\n") if heard(line, TASK, "card.submarines"))
    assert all(re.search(rf"\b{names[s]}\b", subs) for s in state.submarines)


def test_a_card_does_not_change_with_the_game():
    game = load("task-force")
    match = Match.new(game, 4)
    fresh = PAGE.card(game, match)
    match.play("A1")
    match.play("fly helicopter 1 from J10")
    assert PAGE.card(game, match) == fresh


@MAPS
def test_everything_on_a_card_lies_within_its_margins(options):
    game = load("task-force", **options)
    for scene in PAGE.card(game, Match.new(game, 11)):
        for shape in scene.shapes():
            if isinstance(shape, Text):
                wide = ImageFont.load_default(shape.size).getlength(shape.text) * (1.05 if shape.bold else 1)
                left = shape.x - {"start": 0, "middle": wide / 2, "end": wide}[shape.anchor]
                assert left >= 36 and left + wide <= scene.width - 36, shape.text
                assert 20 <= shape.y <= scene.height - 20
        lines = sorted({s.y for s in scene.shapes() if isinstance(s, Text) and s.anchor == "start"})
        assert all(b - a > 9 for a, b in zip(lines, lines[1:], strict=False))


def test_the_page_holds_both_sheets_and_says_how_to_print_them_on_the_screen_alone():
    game = load("task-force")
    sheets = PAGE.card(game, Match.new(game, 5))
    page = printed(sheets)
    assert page == printed(sheets) and all(svg(sheet) in page for sheet in sheets)
    assert "size: A4 portrait" in page and "{{" not in page
    screen, paper = page.split("@media print")
    assert "p { display: none; }" in paper and "display: none" not in screen


def test_the_first_scene_names_the_page_and_lays_the_paper():
    page = printed([Scene(200, 100, (Layer("all", ()),), title="All <of> them")])
    assert "size: A4 landscape" in page and "<title>All &lt;of&gt; them</title>" in page


# On the command line ----------------------------------------------------------------------------------------------


def test_the_command_line_writes_a_card_of_a_seed_and_of_a_day(tmp_path, capsys):
    file = tmp_path / "card.html"
    assert main(["card", "task-force", str(file), "--seed", "42"]) == 0
    game = load("task-force")
    assert file.read_text() == printed(PAGE.card(game, Match.new(game, 42)))
    said(capsys.readouterr().out, CLI, "card.written", seed=42)
    drawn = tmp_path / "card.svg"
    assert main(["card", "task-force", str(drawn), "--day", "2026-11-21"]) == 0
    seed = daily_seed(date(2026, 11, 21))
    said(drawn.read_text(), TASK, "card.seed", seed=seed)
    assert not heard(drawn.read_text(), TASK, "card.ships")
    said((tmp_path / "card-solution.svg").read_text(), TASK, "card.ships", length=5)
    assert main(["card", "task-force", str(tmp_path / "small.html"), "--option", "rows=9"]) == 0


@pytest.mark.parametrize(
    "order, words",
    [
        (["uss-lox", "x.html"], CLI.phrase("card.none")),
        (["task-force", "x.doc"], CLI.phrase("card.ending")),
        (["task-force", "x.html", "--day", "friday"], CLI.phrase("card.no-day")),
        (["task-force", "x.html", "--day", "2026-11-21", "--seed", "1"], CLI.phrase("card.day-alone")),
    ],
)
def test_a_bad_order_for_a_card_is_told_in_one_sentence_and_writes_nothing(tmp_path, capsys, monkeypatch, order, words):
    monkeypatch.chdir(tmp_path)
    assert main(["card", *order]) == 2
    said(capsys.readouterr().err, words)
    assert not list(tmp_path.iterdir())
