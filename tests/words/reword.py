"""Another wording of a sentence, for the proof that no test depends on one."""

from __future__ import annotations
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

_CIRCLES = ("mw", "il", "tfr", "aoesc", "nuhbdpqg", "kvxyz", "MW", "TF", "AOESC", "NUHBDPQGR", "KVXYZ", "IJL")
"""Letters that change places: each is about as wide as the next, so that what fits still fits."""
_OTHER = str.maketrans({letter: circle[n - 1] for circle in _CIRCLES for n, letter in enumerate(circle)})
_KEPT = re.compile(r"(\{[^{}]*\}|%\(\w+\)s|<[^>]*>|&\w+;|\b[A-Z]\d+[a-z]?\b)")
"""Fields, markup, entities, and the ids of rules."""
PATTERNS = re.compile(r"(^typed|^print\.(exercise|screen)|^term\..*\.(forms|layers|position))$")
"""Keys of what is no sentence but a pattern, with which lessons and reasons are read."""


def reword(sentence: str) -> str:
    """Other words with the same fields and markup.

    >>> reword("<b>{n:hex|hexes}</b> to go")
    '<b>{n:uov|uovoe}</b> ra qa'
    """
    return "".join(_other(part) for part in _KEPT.split(sentence))


def _other(part: str) -> str:
    if not _KEPT.fullmatch(part):
        return part.translate(_OTHER)
    if "|" in part:  # nouns
        name, _, nouns = part.partition(":")
        return f"{name}:{nouns.translate(_OTHER)}"
    return part


def rewrite(file: Path, changed: Callable[[str], bool]) -> int:
    """Words the sentences of a file anew whose keys ``changed`` wants; gives how many they were."""
    table = dict(_flat(tomllib.loads(file.read_text(encoding="utf-8"))))
    names = {key: ".".join(key) for key in table}
    wanted = {key for key, name in names.items() if changed(name) and not PATTERNS.search(name)}
    new = {key: reword(text) if key in wanted else text for key, text in table.items()}
    lines = (".".join(map(json.dumps, key)) + " = " + json.dumps(text) for key, text in new.items())
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return sum(new[key] != text for key, text in table.items())


def _flat(table: Mapping[str, Any], above: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]]:
    pairs: list[tuple[tuple[str, ...], str]] = []
    for key, value in table.items():
        pairs += _flat(value, (*above, key)) if isinstance(value, dict) else [((*above, key), str(value))]
    return pairs
