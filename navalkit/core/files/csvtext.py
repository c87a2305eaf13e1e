"""Rows as comma-separated values: the one writer of every table that is taken home."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

_FORMULA = ("=", "+", "-", "@")


def written(rows: Iterable[Iterable[Any]]) -> str:
    """Rows as CSV, each in a line; None is an empty cell, and no text in it is a formula (`harmless`)."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return text.getvalue()


def harmless(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: a text that begins like one gets an apostrophe before it.

    Names come from people, and a spreadsheet would carry out "=HYPERLINK(...)". Numbers stay what they are.
    """
    if not isinstance(cell, str):
        return cell
    cell = cell.replace("\r", " ")  # the csv module does not quote it, and it ends a line
    if not (cell.lstrip().startswith(_FORMULA) or cell[:1] == "\t"):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell
