"""Values that show themselves in a notebook: a game its board, a distribution its bars, a decision its options."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib import import_module


class Shown:
    """A value that a notebook shows as a picture or a list. What draws stands above the core, and is imported when a
    notebook first asks for it."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        html: str = import_module("navalkit.teach.shown").html(self)
        return html


def paragraph(said: str) -> str:
    """A paragraph of HTML; "" for nothing said."""
    return f"<p>{escape(said)}</p>" if said else ""


def listing(kind: str, items: Iterable[str]) -> str:
    """A list, "ul" or "ol", of items that are HTML already; "" for none."""
    inside = "".join(f"<li>{item}</li>" for item in items)
    return f"<{kind}>{inside}</{kind}>" if inside else ""
