"""Cards of Task Force to print: what stands on them, and the PDF that they are written as."""

from __future__ import annotations

import re
import zlib
from base64 import a85decode
from datetime import date

import pytest

from navalkit.cli import main
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.games.task_force import PAGE, SMALL, daily_seed
from navalkit.testing import heard, said
from navalkit.view.painters.pdf import pdf, width
from navalkit.view.scene import Circle, Layer, Line, Polygon, Rect, Scene, Style, Text

from ..sentences import CLI, TASK

MAPS = pytest.mark.parametrize(
    "options", [{}, SMALL, {"rows": 14, "columns": 12}, {"helicopters": False, "anti_air": 9}]
)


def texts(scene):
    return [shape.text for shape in scene.shapes() if isinstance(shape, Text)]


def objects(document):
    """The objects of a PDF by number, found by its own table of where they begin."""
    table = int(re.search(r"startxref\n(\d+)\n%%EOF\n$", document)[1])
    head, count = re.match(r"xref\n0 (\d+)\n0000000000 65535 f \n", document[table:]).group(0, 1)
    lines = document[table + len(head) :].split("\n")[: int(count) - 1]
    found = {}
    for number, line in enumerate(lines, 1):
        assert re.fullmatch(r"\d{10} 00000 n ", line)
        begin = document[int(line[:10]) :]
        assert begin.startswith(f"{number} 0 obj\n")
        found[number] = begin[len(f"{number} 0 obj\n") : begin.index("\nendobj\n")]
    return found


def drawing(body):
    """What a page draws, unpacked; its stated length must be right."""
    length, packed = re.fullmatch(r"<< /Length (\d+) .*>>\nstream\n(.*)\nendstream", body, re.S).groups()
    assert int(length) == len(packed)
    return zlib.decompress(a85decode(packed.removesuffix("~>"))).decode("ascii")


@MAPS
def test_the_sheet_tells_nothing_of_its_map_but_the_seed(options):
    game = load("task-force", **options)
    one, other = (PAGE.card(game, Match.new(game, seed))[0] for seed in (911, 922))
    assert [t.replace("911", "922") for t in texts(one)] == texts(other) and TASK("card.seed", seed=911) in texts(one)
    drawn, also = ([s for s in sheet.shapes() if not isinstance(s, Text)] for sheet in (one, other))
    assert drawn == also


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
                wide = width(shape.text, shape.size, shape.bold)
                left = shape.x - {"start": 0, "middle": wide / 2, "end": wide}[shape.anchor]
                assert left >= 36 and left + wide <= scene.width - 36, shape.text
                assert 20 <= shape.y <= scene.height - 20
        lines = sorted({s.y for s in scene.shapes() if isinstance(s, Text) and s.anchor == "start"})
        assert all(b - a > 9 for a, b in zip(lines, lines[1:], strict=False))


def test_the_pdf_is_two_pages_whose_text_is_that_of_the_scenes():
    game = load("task-force")
    sheets = PAGE.card(game, Match.new(game, 5))
    found = objects(pdf(sheets))
    pages = [body for body in found.values() if "/Type /Page " in body]
    assert len(pages) == 2 and "/Count 2" in found[2] and "[0 0 595 842]" in pages[0]
    for body, sheet in zip(pages, sheets, strict=True):
        drawn = drawing(found[int(re.search(r"/Contents (\d+) 0 R", body)[1])])
        told = [re.sub(r"\\(\d{3})", lambda m: chr(int(m[1], 8)), text) for text in re.findall(r"\((.*)\) Tj", drawn)]
        assert told == texts(sheet)
        assert all(f"/{name} <<" in body for name in re.findall(r"/(A\d+) gs", drawn)), "every opacity is declared"
    assert pdf(sheets) == pdf(sheets) and pdf(sheets).isascii()


def test_every_kind_of_shape_is_drawn():
    both, half = Style("blue", "ink", 2, (3, 1)), Style(None, "ink", 1, opacity=0.5)
    shapes = (
        Rect(1, 2, 3, 4, both), Rect(1, 2, 30, 40, half, 5), Circle(50, 60, 10, both),
        Polygon(((0, 0), (9, 0), (0, 9)), both), Line(((0, 0), (20, 20)), Style(None, "ink", 1), arrow=True),
        Line(((0, 0), (20, 20)), Style()),
        Text(10, 20, "a (b) \\ é−☃", Style("ink", "paper", 2), 10, "start", bold=True),
    )  # fmt: skip
    found = objects(pdf([Scene(100, 200, (Layer("all", shapes),), title="All (of them)")]))
    drawn = drawing(found[6]).split("\n")
    assert drawn[0] == "1 0 0 -1 0 200 cm", "y goes downward"
    assert "1 2 m 4 2 l 4 6 l 1 6 l h B" in drawn and "[3 1] 0 d" in "\n".join(drawn)
    assert sum(" c " in line for line in drawn) == 1, "one circle"
    assert drawn.count("/A50 gs") == 1 and "/A50 << /ca 0.5 /CA 0.5 >>" in found[5]
    told = "(a \\050b\\051 \\134 \\351-?) Tj"
    assert [f"1 0 0 -1 10 23.5 Tm {mode} Tr {told}" for mode in (1, 0)] == [line for line in drawn if "Tj" in line]
    assert "(All \\050of them\\051)" in found[7]


def test_text_is_as_wide_as_the_core_fonts_make_it():
    assert width("A", 1000) == 667 and width("i", 1000) == 222 and width("i", 1000, bold=True) == 278
    assert width("Task", 10) == pytest.approx(10 * (611 + 556 + 500 + 500) / 1000)
    assert width("é", 1000) == 556


# On the command line ----------------------------------------------------------------------------------------------


def test_the_command_line_writes_a_card_of_a_seed_and_of_a_day(tmp_path, capsys):
    file = tmp_path / "card.pdf"
    assert main(["card", "task-force", str(file), "--seed", "42"]) == 0
    game = load("task-force")
    assert file.read_text() == pdf(PAGE.card(game, Match.new(game, 42)))
    said(capsys.readouterr().out, CLI, "card.written", seed=42)
    drawn = tmp_path / "card.svg"
    assert main(["card", "task-force", str(drawn), "--day", "2026-11-21"]) == 0
    seed = daily_seed(date(2026, 11, 21))
    said(drawn.read_text(), TASK, "card.seed", seed=seed)
    assert not heard(drawn.read_text(), TASK, "card.ships")
    said((tmp_path / "card-solution.svg").read_text(), TASK, "card.ships", length=5)
    assert main(["card", "task-force", str(tmp_path / "small.pdf"), "--option", "rows=9"]) == 0


@pytest.mark.parametrize(
    "order, words",
    [
        (["uss-lox", "x.pdf"], CLI.phrase("card.none")),
        (["task-force", "x.doc"], CLI.phrase("card.ending")),
        (["task-force", "x.pdf", "--day", "friday"], CLI.phrase("card.no-day")),
        (["task-force", "x.pdf", "--day", "2026-11-21", "--seed", "1"], CLI.phrase("card.day-alone")),
    ],
)
def test_a_bad_order_for_a_card_is_told_in_one_sentence_and_writes_nothing(tmp_path, capsys, monkeypatch, order, words):
    monkeypatch.chdir(tmp_path)
    assert main(["card", *order]) == 2
    said(capsys.readouterr().err, words)
    assert not list(tmp_path.iterdir())
