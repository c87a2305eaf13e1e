"""What pages are given is typed: nothing above the rules asks an object what it has, or reads an order's text."""

from __future__ import annotations
import ast
import re
from pathlib import Path

import pytest

import navalkit
from ..symbols import definitions

ROOT = Path(navalkit.__file__).parent
ABOVE = ("cli", "explore", "players", "rooms", "serve", "sim", "ui", "view")
"""Layers that meet games and pages through their types alone."""
DOORS = {
    "parsed",  # records, and `Match.play` of a text
    "Page.read",  # the typed box
    "FleetPage.read",  # the same, for several orders on a line
    "Sight.first_action",  # the orders of a first game, from its file
    "suggested",  # the same, of a match that followed them
    "Controller._typed_ahead",  # what was typed and is not due yet, kept with the game
    "_Hints.__call__",  # the orders that the marks of a hint name, to ask how often they come true
    "_check_action",  # that notation is read back
    "Tutorial.leads",  # the orders that a first game leads by, to see whether they were followed
}
"""Where the text of an action becomes an action."""


def called(file: Path) -> set[str]:
    """Names of what a module's functions call or pass on."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def above() -> list[Path]:
    files = [file for layer in ABOVE for file in (ROOT / layer).rglob("*.py")]
    return sorted(files + list(ROOT.glob("games/*/board/**/*.py")))


FOREIGN = ("players/own.py", "players/arena.py")
"""Players and executors of others have no type of ours: they are known by what they have."""


OURS = [file for file in above() if not file.as_posix().endswith(FOREIGN)]


@pytest.mark.parametrize("file", OURS, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_no_page_is_probed_for_what_it_has(file: Path) -> None:
    assert not called(file) & {"hasattr", "getattr"}


def test_notation_is_parsed_at_the_typed_box_and_in_records_alone() -> None:
    found = set()
    for text in (file.read_text(encoding="utf-8") for file in ROOT.rglob("*.py")):
        called = [match.start() for match in re.finditer(r"\.parse_action\b", text)]
        inside = [[name for name, start, end in definitions(text) if start <= at < end][-1] for at in called]
        found |= {name for name in inside if "parse_action" not in name}
    assert found == DOORS
