"""What a page says, and what of it is English: for pages in German."""

from __future__ import annotations
import itertools
import re
from collections.abc import Iterable, Iterator

from ipywidgets import Widget

ENGLISH = frozenset("""
    the of and your you is are with from this that not all for be it its which who what how when where then at
    by as if or but have had can would she his he their them one two three no yes new game play open save next show
    hide take turn ship torpedoes card cards sunk lost won home mean about expected chances
""".split())
"""Words that no German sentence has; those of both languages ("war", "die", "also", "in") are left out."""
QUOTED = re.compile(r"\[Quelle: .*?\]|His nob|attack \d|flip \w\d")
"""What stands in English on purpose: the source's headings, a rule's name, the notation of orders."""


def texts(widget: Widget, seen: set[int] | None = None) -> Iterator[str]:
    """All that a page says: the texts of a widget and of those in it, tags taken off, tooltips among them."""
    seen = set() if seen is None else seen
    seen.add(id(widget))
    for name in {"value", "description", "tooltip", "placeholder", "rows", "options"} & set(widget.trait_names()):
        yield from spoken(widget.trait_values()[name])
    values = widget.trait_values().values()
    for child in itertools.chain.from_iterable(each if isinstance(each, tuple) else (each,) for each in values):
        if isinstance(child, Widget) and id(child) not in seen:
            yield from texts(child, seen)


def spoken(value: object) -> Iterator[str]:
    if isinstance(value, str):
        plain = re.sub(r"(?s)<style.*?</style>|<script.*?</script>|data:[^\"']+", " ", value)
        yield from (each for each in re.findall(r'(?:title|aria-label|alt)="([^"]*)"', plain))
        yield from re.sub(r"<[^>]*>", "\n", plain).split("\n")
    elif isinstance(value, (list, tuple, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from spoken(each)


def english(said: Iterable[str]) -> Iterator[str]:
    """Of what a page says the lines with an English word."""
    for line in said:
        words = re.findall(r"[^\W\d_]+", QUOTED.sub("", line).lower())
        if ENGLISH.intersection(words) and "{" not in line:
            yield line.strip()
