"""Scenes on paper: one HTML page that a browser prints, or saves as a PDF, a sheet of A4 a scene."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from importlib import resources

from navalkit.core.language.say import SAY
from navalkit.core.language.words import voice
from navalkit.view.painters.svg import svg
from navalkit.view.scene import Scene


def printed(scenes: Sequence[Scene]) -> str:
    """A page of scenes for light paper, each in vectors as large as its sheet; always the same for the same scenes. Its
    title is that of the first scene, which also says which way the paper lies. On a screen it says how to print it."""
    first = scenes[0]
    parts = {
        "lang": voice().lang, "title": escape(first.title), "button": escape(SAY("print.button")),
        "how": escape(SAY("print.how")), "turn": "landscape" if first.width > first.height else "portrait",
        "sheets": "".join(map(svg, scenes)),
    }  # fmt: skip
    frame = (resources.files(__package__) / "printed.html").read_text(encoding="utf-8")
    return re.sub(r"{{(\w+)}}", lambda part: parts[part[1]], frame)
