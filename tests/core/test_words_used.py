"""Sentences live in TOML: no Python file holds one that a reader could see; every key is there, with all its facts.

`KEYS` names the texts of two words and more that nobody reads, each with the reason: keys and notation.
"""

from __future__ import annotations
import ast
import re
import textwrap
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest

import navalkit
from navalkit.core.words import Words

ROOT = Path(navalkit.__file__).parent
FILES = sorted(file for path in ROOT.rglob("*.py") if (file := path.relative_to(ROOT).as_posix())[:8] != "testing/")
"""All but the conformance kit, which speaks to the writer of a game."""
KEYS: dict[str, str] = tomllib.loads((Path(__file__).parent / "words_inside.toml").read_text(encoding="utf-8"))
"""Text in code -> why no reader sees it as it stands there."""
_WORDS = re.compile(r"[A-Za-z]{2,}[ ,;:]+[a-z]{2,}|[A-Z][a-z]+ [A-Z][a-z]+")
"""Two words in a row, the second in small letters or both with a capital: prose, and no format or style sheet."""
_COUNTED = re.compile(r"\{\} [a-z]{3,}")
"""A noun behind a number."""
_TAG = re.compile(r"<[^>]*>")
_CODE = re.compile(r"[{}]|[\w-]+: ?[^;]+;|(?:^|\s)--\w|://|\bnk-|^\.|rgba?\(|\d ?px\b|^[A-Z0-9_ ,:%.\-]+$|; charset="
                   r"|^\s*(SELECT|INSERT|UPDATE|DELETE|PRAGMA|CREATE|ALTER) ")
INSIDE = ("AssertionError", "TypeError", "KeyError", "AttributeError", "NotImplementedError", "RuntimeError")
"""Errors of the programmer, which no reader sees."""


def literals(tree: ast.AST) -> Iterator[tuple[int, str, bool]]:
    """Line and text of the literals that are no docstring, key, notation or argument of an internal error.

    The last says whether it is of an error that a reader sees: then nothing in it makes it code.
    """
    skipped: set[int] = set()
    refusals: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            inside = isinstance(node.exc.func, ast.Name) and node.exc.func.id in INSIDE
            (skipped if inside else refusals).update(id(each) for each in ast.walk(node.exc))
        if isinstance(node, ast.Assert) and node.msg is not None:
            skipped.update(id(each) for each in ast.walk(node.msg))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("compile", "sub"):
            skipped.update(id(each) for each in ast.walk(node))
        if isinstance(node, ast.Call) and any(isinstance(node.func, ast.Name) and node.func.id == name
                                              for name in ("TypeVar", "warn", "written_as")):
            skipped.update(id(each) for each in ast.walk(node))
        if isinstance(node, ast.FunctionDef) and node.name == "__str__":  # of an action or a state: its notation
            skipped.update(id(each) for each in ast.walk(node))
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            skipped.update(id(each) for each in node.values)
            text = "".join(each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
            yield node.lineno, text, id(node) in refusals
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value, id(node) in refusals


def prose(code: str) -> list[tuple[int, str]]:
    """The literals of a module that read like a sentence, each with its line."""
    found = []
    for line, text, refuses in literals(ast.parse(code)):
        plain = _TAG.sub(" ", text.replace("{}", ""))
        if (_WORDS.search(plain) or _COUNTED.search(text)) and (refuses or not _CODE.search(plain)):
            found.append((line, text))
    return found


@cache
def found(file: str) -> list[tuple[int, str]]:
    """What `prose` finds in a module of navalkit."""
    return prose((ROOT / file).read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", FILES)
def test_no_sentence_is_in_code(file: str) -> None:
    assert [(line, text) for line, text in found(file) if text not in KEYS] == []


def test_what_nobody_reads_is_in_use() -> None:
    """A text that is in code no more leaves the list."""
    assert KEYS.keys() - {text for file in FILES for _, text in found(file)} == set()
    assert all(KEYS.values())


def test_a_sentence_in_code_would_be_found() -> None:
    code = """
        '''A docstring.'''
        x = f"You sank {n} ships."
        x = Order(a, "Open Fire"), f"{n} hexes", "wait -- or fire"
        y = "nk-board nk-drag", "a_key"
        head = "<h2>What happened</h2>"
        raise DataError(f"{where} has no {name}; it has: {names}.")
        raise KeyError("this is inside")
    """
    found = [
        "You sank {} ships.", "Open Fire", "{} hexes", "wait -- or fire",
        "<h2>What happened</h2>", "{} has no {}; it has: {}.",
    ]  # fmt: skip
    assert sorted(text for _, text in prose(textwrap.dedent(code))) == sorted(found)


# Keys and facts ----------------------------------------------------------------------------------------------------


def _asked(words: dict[str, Words], tree: ast.AST) -> Iterator[tuple[int, Words, str, set[str | None]]]:
    """Where sentences are asked for by a literal key: line, sentences, key, and the names of the facts given."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name(name), [ast.Constant(str() as key), *_], facts):
                pass
            case ast.Call(ast.Attribute(ast.Name(name), "phrase"), [ast.Constant(str() as key), *_], facts):
                pass
            case ast.Call(ast.Attribute(ast.Name(name), "event"), [_, ast.Constant(str() as key), *_], facts):
                pass
            case _:
                continue
        if name in words:
            yield node.lineno, words[name], key, {fact.arg for fact in facts}


def _wanted(sentence: str) -> set[str]:
    """The names of the facts that a sentence is filled with."""
    fields = [name for _, name, _, _ in Formatter().parse(sentence) if name]
    return {re.split(r"[.\[]", name)[0] for name in fields}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("file", FILES)
def test_every_key_has_its_sentence_and_all_its_facts(file: str) -> None:
    if file.startswith("cli/skeletons/") or file.endswith("__main__.py"):
        return
    module = import_module(".".join(("navalkit", *Path(file).with_suffix("").parts)).removesuffix(".__init__"))
    words = {name: value for name, value in vars(module).items() if isinstance(value, Words)}
    for line, said, key, facts in _asked(words, ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        assert key in said, (file, line, key)
        for table in said.tables.values():
            for sentence in (table[each] for each in (key, f"{key}.you") if each in table):
                assert None in facts or _wanted(sentence) <= facts, (file, line, sentence)
