"""Sentences live in TOML: no Python file holds one that a reader could see, and every key is used and exists.

`PENDING` names the files that still do; it only ever gets shorter.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import navalkit

ROOT = Path(navalkit.__file__).parent
FILES = sorted(file for path in ROOT.rglob("*.py") if (file := path.relative_to(ROOT).as_posix())[:8] != "testing/")
"""All but the conformance kit, which speaks to the writer of a game."""
PENDING = frozenset((Path(__file__).parent / "words_pending.txt").read_text().split())
_WORDS = re.compile(r"[A-Za-z]{2,}[ ,;:]+[a-z]{2,}")
"""Two words in a row, of which the second is in small letters: prose, and no name, format or style sheet."""
_CODE = re.compile(r"[<>{};=]|--|://|\bnk-|^\.|rgba?\(|\bpx\b|^[A-Z0-9_ ,:%.\-]+$"
                   r"|^(SELECT|INSERT|UPDATE|DELETE|PRAGMA) ")
INSIDE = ("AssertionError", "TypeError", "KeyError", "AttributeError", "NotImplementedError", "RuntimeError")
"""Errors of the programmer, which no reader sees."""


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of the string literals that are no docstring, no key and no argument of an internal error."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            if isinstance(node.exc.func, ast.Name) and node.exc.func.id in INSIDE:
                skipped.update(id(each) for each in ast.walk(node.exc))
        if isinstance(node, ast.Assert) and node.msg is not None:
            skipped.update(id(each) for each in ast.walk(node.msg))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("compile", "sub"):
            skipped.update(id(each) for each in ast.walk(node))
        if isinstance(node, ast.Call) and any(isinstance(node.func, ast.Name) and node.func.id == name
                                              for name in ("TypeVar", "warn")):
            skipped.update(id(each) for each in ast.walk(node))
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            skipped.update(id(each) for each in node.values)
            yield node.lineno, "".join(each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def prose(file: str) -> list[str]:
    """The literals of a module that read like a sentence, each with its line."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    found = []
    for line, text in literals(tree):
        plain = text.replace("{}", "")
        if _WORDS.search(text) and not _CODE.search(plain):
            found.append(f"{file}:{line} {text[:70]!r}")
    return found


@pytest.mark.parametrize("file", [file for file in FILES if file not in PENDING])
def test_no_sentence_is_in_code(file: str) -> None:
    assert prose(file) == []


def test_the_list_of_what_is_pending_is_true() -> None:
    """A file that holds no sentence any more leaves the list."""
    assert [file for file in sorted(PENDING) if file not in FILES or not prose(file)] == []


def test_a_sentence_in_code_would_be_found() -> None:
    tree = ast.parse('"""A docstring."""\nx = f"You sank {n} ships."\ny = "nk-board nk-drag"\nz = "a_key"')
    assert [text for _, text in literals(tree)] == ["You sank {} ships.", "nk-board nk-drag", "a_key"]
    assert _WORDS.search("You sank {} ships.") and not _WORDS.search("a_key")
