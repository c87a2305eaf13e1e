"""What the command and the docstrings show is true."""

from __future__ import annotations
import doctest

import pytest

from navalkit.cli import main
from navalkit.teach import checking
from navalkit.teach.checking import PROGRESS
from navalkit.teach.exercises import formula
from navalkit.testing import said
from ..sentences import TEACH


@pytest.mark.parametrize("module", [formula, checking], ids=lambda module: module.__name__)
def test_the_examples_of_the_docstrings_are_true(module):
    PROGRESS.forget()
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


def test_help_shows_examples(capsys):
    for name in ("grade", "students", "check-exercises", "seal"):
        assert main(["teach", name, "--help"]) == 0
        example = TEACH(f"help.{name.replace('-', '_')}_example")
        said(capsys.readouterr().out, TEACH, "help.example", example=example)
