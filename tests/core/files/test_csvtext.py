"""Tables that are taken home: one writer, and nothing in them that a spreadsheet carries out."""

from __future__ import annotations
import csv
import io
from pathlib import Path

import pytest

import navalkit as nk
from navalkit.core.dist import Dist
from navalkit.core.files import harmless, written
from navalkit.sim import write_csv
from navalkit.ui.shell import log_csv
from ...symbols import definitions


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-A1", "@SUM(A1)", "\t=1", " =1", "  =1", "=HYPERLINK(\"x\")"])
def test_a_text_that_begins_like_a_formula_is_neutralised(text):
    assert harmless(text) == f"'{text}"
    assert list(csv.reader(io.StringIO(written([["name"], [text]]), newline="")))[-1] == [f"'{text}"]


@pytest.mark.parametrize("cell", ["-3", "+2.5", "- no", -3, 0.5, None, "a=b", "", "Ada"])
def test_numbers_and_other_texts_stay_as_they_are(cell):
    assert harmless(cell) == ("'- no" if cell == "- no" else cell)


def test_a_cell_never_ends_its_line():
    assert written([["a\rb", 1], ["a\nb", 2]]) == 'a b,1\n"a\nb",2\n'


def test_every_table_comes_from_the_one_writer():
    texts = [path.read_text("utf-8") for path in Path(nk.__file__).parent.rglob("*.py")]
    likely = [text for text in texts if "csv.writer(" in text]  # the others need not be taken apart
    users = [name for text in likely for name, start, end in definitions(text) if "csv.writer(" in text[start:end]]
    assert users == ["written"]


def test_names_are_neutralised_in_every_csv(tmp_path):
    assert "'=cmd" in Dist.point("=cmd").csv()
    write_csv([{"name": "=cmd", "=x": 1}], tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "name,'=x\n'=cmd,1\n"
    match = nk.Match.new("uss-lox", seed=7, players=["=cmd"])
    match.play("flip B2")
    assert "'=cmd" in log_csv(match, 0, lambda event: True)
