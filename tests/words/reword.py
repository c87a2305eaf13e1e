"""Another wording of a sentence, for the proof that no test depends on one."""

from __future__ import annotations
import json
import re
import tomllib
from collections.abc import Container, Iterable
from pathlib import Path

from navalkit.core.words import _flat

_CIRCLES = ("mw", "il", "tfr", "aoesc", "nuhbdpqg", "kvxyz", "MW", "TF", "AOESC", "NUHBDPQGR", "KVXYZ", "IJL")
"""Letters that change places: each is about as wide as the next, so that what fits still fits."""
_OTHER = str.maketrans({letter: circle[n - 1] for circle in _CIRCLES for n, letter in enumerate(circle)})
_KEPT = re.compile(r"(\{[^{}]*\}|%\(\w+\)s|<[^>]*>|&\w+;|\b[A-Z]\d+[a-z]?\b|\bnavalkit\b)")
"""Fields, markup, entities, the ids of rules, and the command."""
PATTERNS = re.compile(r"(^typed|^print\.(exercise|screen)|^term\..*\.(forms|layers|position))$")
"""Keys of what is no sentence but a pattern, with which lessons and reasons are read."""
FORMS = re.compile(r"^term\..*\.forms$")
"""Keys of the patterns by which the glossary finds its terms in other sentences, where they are left as they are."""


def reword(sentence: str, terms: str = "") -> str:
    """Other words with the same fields, markup and terms of the glossary (a pattern).

    >>> reword("<b>{n:hex|hexes}</b> to go")
    '<b>{n:uov|uovoe}</b> ra qa'
    >>> reword("The radial she takes", terms="radials?")
    'Fuo radial euo rczoe'
    """
    kept, made, at = re.compile(f"{_KEPT.pattern}|{terms}" if terms else _KEPT.pattern), "", 0
    for match in kept.finditer(sentence):
        made += sentence[at : match.start()].translate(_OTHER) + _kept(match[0])
        at = match.end()
    return made + sentence[at:].translate(_OTHER)


def _kept(part: str) -> str:
    if part[0] == "{" and "|" in part:  # nouns
        name, _, nouns = part.partition(":")
        return f"{name}:{nouns.translate(_OTHER)}"
    return part


def sentences(file: Path) -> dict[str, str]:
    """The sentences of a file, by key, without its patterns."""
    return {key: text for key, text in _table(file).items() if not PATTERNS.search(key)}


def terms(files: Iterable[Path]) -> str:
    """A pattern of all terms that the glossaries of these files find in sentences."""
    return "(?i:" + "|".join(text for file in files for key, text in _table(file).items() if FORMS.search(key)) + ")"


def rewrite(file: Path, keys: Container[str], terms: str = "") -> None:
    """Word some sentences of a file anew."""
    table = {key: reword(text, terms) if key in keys else text for key, text in _table(file).items()}
    lines = (f"{json.dumps(key)} = {json.dumps(text)}" for key, text in table.items())
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _table(file: Path) -> dict[str, str]:
    return dict(_flat(tomllib.loads(file.read_text(encoding="utf-8"))))
