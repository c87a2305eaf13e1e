"""A game's RULES.md as data: each rule with its id, its text in our words, and where it comes from.

A rule is a list item ``- **L3b** Text. [seed 3b]``; it may run over several lines. What stands in the
brackets is the source: ``seed ...`` or ``ruling ...``, or both with a semicolon between. A heading may name a drawing
(`navalkit.view.drawn.drawings`) for its section: ``## Guns <!-- battleship -->``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from ..errors import DataError
from .say import SAY
from .words import voice

_HEADING = re.compile(r"^## (?P<section>.+?)(?: <!-- (?P<picture>[\w-]+) -->)?$")
_ITEM = re.compile(r"^- \*\*(?P<id>[A-Z0-9][A-Za-z0-9.]*)\*\* (?P<text>.+) \[(?P<source>[^\]]+)\]$")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its text, where in the source it stands, and the ruling it needed, if any."""

    text: str
    source: str
    ruling: str
    section: str = ""
    """The heading it stands under."""
    picture: str = ""
    """The drawing of its section."""


@lru_cache
def home(module: str) -> str:
    """The nearest package at or around an imported module that has a RULES.md; "" if there is none."""
    while module:
        folders = vars(sys.modules[module]).get("__path__", ()) if module in sys.modules else ()
        if any((Path(folder) / "RULES.md").is_file() for folder in folders):
            return module
        module = module.rpartition(".")[0]
    return ""


def rulebook(package: str) -> Mapping[str, Rule]:
    """The rules of a game package ("navalkit.games.uss_lox") by id, in the order of its RULES.md.

    In the present reader's language where there is, say, a RULES.de.md; else in English. DataError if an item has no id
    or no source, or an id stands twice.
    """
    own = f"RULES.{voice().lang}.md"
    return _read(package, own if (resources.files(package) / own).is_file() else "RULES.md")


@lru_cache
def _read(package: str, file: str) -> Mapping[str, Rule]:
    text = (resources.files(package) / file).read_text(encoding="utf-8")
    rules: dict[str, Rule] = {}
    section = picture = ""
    for item in re.findall(r"^## .*|^- .*(?:\n(?:  ).*)*", text, flags=re.MULTILINE):
        if heading := _HEADING.match(item):
            section, picture = heading["section"], heading["picture"] or ""
            continue
        line = " ".join(part.strip() for part in item.splitlines())
        match = _ITEM.match(line)
        if match is None:
            raise DataError(SAY("rulebook.item", file=file, package=package, line=repr(line[:60])))
        if match["id"] in rules:
            raise DataError(SAY("rulebook.twice", file=file, package=package, id=match["id"]))
        source, _, ruling = f"; {match['source']}".partition("; ruling")  # a ruling goes on to the end of the brackets
        ruled = ruling.lstrip(": ") or ("yes" if "; ruling" in f"; {match['source']}" else "")
        rules[match["id"]] = Rule(match["text"], source.removeprefix("; ").strip(), ruled, section, picture)
    return MappingProxyType(rules)
