"""Notebooks are thin doors to the library: a purpose, an import, an app, further reading."""

from __future__ import annotations
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_is_a_lobby():
    assert ROOT / "notebooks" / "lobby.ipynb" in NOTEBOOKS


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request) -> nbformat.NotebookNode:
    return nbformat.read(request.param, as_version=4)


def test_is_a_valid_notebook_of_at_most_four_cells_with_a_title(notebook):
    nbformat.validate(notebook)
    assert len(notebook.cells) <= 4
    assert notebook.metadata.title.strip()
    assert notebook.metadata.kernelspec.name == "python3"


def test_says_its_purpose_in_the_first_cell(notebook):
    first = notebook.cells[0]
    assert first.cell_type == "markdown"
    assert len(first.source.split()) >= 5


def test_has_no_main_heading_but_its_title(notebook):
    """On a page the title stands in the header and the notebook's own copy of it is hidden."""
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    lines = [line for text in texts for line in text.splitlines()]
    headings = [line.removeprefix("# ").strip() for line in lines if line.startswith("# ")]
    assert headings in ([], [notebook.metadata.title])


def test_holds_no_program_and_no_outputs(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert len(cell.source.splitlines()) <= 6
            assert cell.outputs == []
            assert cell.execution_count is None
