"""The style sheets and whose their classes are, read from the files.

A sheet's first comment begins with its rooms, before a colon, and names each class that has no look. Whose a class is
stands in navalkit/ui/page.css.
"""

from __future__ import annotations
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .servers import ROOT

FOLDERS = ("navalkit", "voila_templates/navalkit", "notebooks", "teaching")
"""Where pages come from."""
CODE = {".py", ".js", ".html", ".j2", ".toml", ".ipynb", ".css", ""}
FOREIGN = re.compile(r"(jp|lm|jupyter|widget|mod|noUi)-|(bqplot|axis|tick|anchor-link)$")
"""Classes that are Jupyter's or a library's, by how they begin."""

_INSIDE = re.compile(r'<style>([^{]+\{.*?)</style>|\b_?[A-Z_]*STYLE = ("""|["`])(.*?)\2', re.DOTALL)
"""A sheet inside a document, or in a constant of code whose name ends with STYLE."""
_COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
_RULE = re.compile(r"([^{};]+)\{")
_NAME = re.compile(r"(?<![\w-])nk(?:-[a-z0-9]+)*(?![\w-])")


@dataclass(frozen=True)
class Sheet:
    """A style sheet: where it is, whose rooms' it is, its selectors, and the classes that it knows without a look."""

    place: Path
    rooms: frozenset[str]
    selectors: tuple[str, ...]
    told: frozenset[str]

    @property
    def named(self) -> set[str]:
        """The classes that its selectors name."""
        return {name for selector in self.selectors for name in classes(selector)}


def classes(selector: str) -> list[str]:
    """The classes that a selector names."""
    return re.findall(r"\.([A-Za-z_][\w-]*)", selector)


def sheet(text: str, place: Path) -> Sheet:
    """Read a sheet."""
    comment = _COMMENT.search(text)
    rooms, _, told = comment[1].partition(":") if comment else ("", "", "")
    rules = [found[1].strip() for found in _RULE.finditer(_COMMENT.sub("", text))]
    selectors = [part.strip() for rule in rules if not rule.startswith("@") for part in _parts(rule)]
    return Sheet(place, frozenset(_NAME.findall(rooms)), tuple(selectors), frozenset(_NAME.findall(told)))


def _parts(rule: str) -> Iterator[str]:
    """The selectors of a rule: parted at commas that are in no brackets."""
    depth, start = 0, 0
    for at, sign in enumerate(rule):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            yield rule[start:at]
            start = at + 1
    yield rule[start:]


def files(*folders: str) -> Iterator[tuple[Path, str]]:
    """Files of code with their texts."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in CODE and path.is_file():
                yield path, path.read_text(encoding="utf-8")


def outside(text: str) -> str:
    """Code without the sheets inside it."""
    return _INSIDE.sub("", text)


@cache
def sheets() -> tuple[Sheet, ...]:
    """All sheets that name a class of the project."""
    found = []
    for path, text in files(*FOLDERS):
        inside = [each[1] or each[3] for each in _INSIDE.finditer(text)] if path.suffix != ".css" else [text]
        found += [sheet(each, path.relative_to(ROOT)) for each in inside]
    return tuple(each for each in found if each.named)


@cache
def known() -> frozenset[str]:
    """The classes that the sheets know."""
    return frozenset(name for each in sheets() for name in each.named | each.told)
