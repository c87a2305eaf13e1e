"""The sentences of what all games share: refusals and errors, and the names that somebody may have meant."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from .words import Words

SAY = Words.load("navalkit.core.language")


def suggested(name: object, known: Collection[str]) -> str:
    """Of the names there are, the one that ``name`` comes nearest to, as an error suggests it; "" if none is near."""
    if not isinstance(name, str):
        return ""
    meant = name[:60], name[:60].lower().replace("_", "-")
    found = [best for each in meant for best in get_close_matches(each, known, 1)]
    return SAY("near", name=found[0]) if found else ""
