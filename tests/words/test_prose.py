"""No test quotes a sentence: tests ask for keys and facts, so that an editor may change every word."""

from __future__ import annotations
import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from navalkit.core.words import parts
from ..servers import ROOT
from .test_sheets import NAMED

FILES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py"))
FILES.remove("tests/changes/changes.py")  # it edits sentences, and must name them
KEPT: dict[str, str] = tomllib.loads(Path(__file__).with_name("kept.toml").read_text(encoding="utf-8"))
"""Texts that may stand in a test though a sentence has the same words, each with the reason."""
RUN = 3
"""This many words in a row make a quotation, if two of them say something, or they are a whole sentence."""
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_OTHER = re.compile(r"<[^>]*>|&\w+;|\"[^\"]*\"|„[^“]*“|`[^`]*`")
"""Markup, and what a sentence itself quotes: orders, options, commands."""
_SMALL = 4
TOLD = ("fail", "skip", "skipif", "until", "wait_for")
"""Functions that are given a text of the test's own, for who reads the log."""


def words(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(_WORD.findall(text))


def runs(text: str) -> set[tuple[str, ...]]:
    """The words in a row that would tell where a text is from."""
    found = words(text)
    rows = zip(*(islice(found, n, None) for n in range(RUN)), strict=False)
    return {row for row in rows if sum(len(word) >= _SMALL for word in row) > 1}


@cache
def said() -> tuple[set[tuple[str, ...]], set[tuple[str, ...]]]:
    """What all sentences consist of between their facts: the runs of words, and the whole sentences."""
    tables = [table for known in NAMED.values() for table in known.tables.values()]
    every = [
        parts(_OTHER.sub("{_}", text)) for table in tables for key, text in table.items() if not key.endswith("example")
    ]
    fixed = [[text for text, *_ in sentence] for sentence in every]
    whole = {words(texts[0]) for texts in fixed if len(texts) == 1}
    return set().union(*(runs(text) for texts in fixed for text in texts)), {each for each in whole if len(each) >= RUN}


@cache
def literals(code: str) -> tuple[ast.Constant, ...]:
    """The texts of a module that are no docstring and no message of an assertion."""
    return tuple(_literals(ast.parse(code)))


def _literals(tree: ast.AST) -> Iterator[ast.Constant]:
    own: set[int] = set()
    for node in ast.walk(tree):
        told: list[ast.AST | None] = []
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            told = [node.value]
        elif isinstance(node, ast.Assert):
            told = [node.msg]
        elif isinstance(node, ast.Raise):
            told = [node.exc]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in TOLD:
            told = [*node.args, *(each.value for each in node.keywords)]
        own.update(id(each) for top in told if top is not None for each in ast.walk(top))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in own:
            yield node


def quoted(code: str) -> list[tuple[int, str]]:
    """The texts of a module, of one line each, that quote a sentence; with where they are."""
    pieces, whole = said()
    texts = [(node.lineno, node.value) for node in literals(code) if re.fullmatch(r".*\S .*", node.value)]
    return [(line, text) for line, text in texts if words(text) in whole or runs(text) & pieces]


@pytest.mark.parametrize("file", FILES)
def test_no_test_quotes_a_sentence(file: str) -> None:
    found = quoted((ROOT / file).read_text(encoding="utf-8"))
    assert [(line, text) for line, text in found if text not in KEPT] == []


def test_what_is_kept_is_in_use() -> None:
    there = {node.value for file in FILES for node in literals((ROOT / file).read_text(encoding="utf-8"))}
    assert KEPT.keys() - there == set() and all(KEPT.values())


def test_a_quotation_would_be_found() -> None:
    key, text = next((key, text) for key, text in NAMED["ui"].tables["en"].items() if "{" not in text and runs(text))
    code = f"'''{text}'''\nassert here, {text!r}\nassert {text!r} in page\nsaid(page, UI, {key!r})\n"
    assert [line for line, _ in quoted(code)] == [3]
