"""The class table: from the files of all students to one CSV."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

from . import book
from .progress import Report, merged, read_report, same_student

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def class_table(paths: Sequence[str | os.PathLike[str]]) -> list[dict[str, Any]]:
    """One row a student, in the order of names; several files of one student (a lesson each) make one row.

    Returns
    -------
    list of dict
        ``name``, ``right`` and ``tried`` (how many exercises), ``intact`` ("no" if a file was changed by hand),
        ``files``; then for every exercise that anybody tried "right" or "wrong" under its id, and "<id> tries".

    Raises
    ------
    DataError
        If a file is no report.
    """
    reports = [read_report(path) for path in paths]
    ids = _ids(reports)
    rows = []
    for mine in same_student(reports):
        tried = merged(each.tried for each in mine)
        row: dict[str, Any] = {
            "name": _harmless(mine[0].name),
            "right": sum(each.right for each in tried.values()),
            "tried": len(tried),
            "intact": "yes" if all(each.intact for each in mine) else "no",
            "files": _harmless(" ".join(each.file for each in mine)),
        }
        for id in ids:
            row[_harmless(id)] = ("right" if tried[id].right else "wrong") if id in tried else ""
            row[_harmless(f"{id} tries")] = tried[id].tries if id in tried else ""
        rows.append(row)
    return rows


def exercise_table(paths: Sequence[str | os.PathLike[str]]) -> list[dict[str, Any]]:
    """One row an exercise: what went wrong in this class. Parameters and errors as for `class_table`.

    Returns
    -------
    list of dict
        ``exercise``, ``title``, ``students`` who tried, ``right`` of them, ``tries`` on average, and ``slips``: the
        kinds of wrong with their number, the most frequent first.
    """
    reports = [read_report(path) for path in paths]
    students = [merged(each.tried for each in mine) for mine in same_student(reports)]
    known = book.everything()
    rows = []
    for id in _ids(reports):
        tried = [student[id] for student in students if id in student]
        slips = Counter(slip for each in tried for slip in each.slips)
        rows.append(
            {
                "exercise": _harmless(id),
                "title": known[id].title if id in known else "",
                "students": len(tried),
                "right": sum(each.right for each in tried),
                "tries": round(sum(each.tries for each in tried) / len(tried), 1),
                "slips": _harmless("; ".join(f"{slip} {n}" for slip, n in slips.most_common())),
            }
        )
    return rows


def _ids(reports: Sequence[Report]) -> list[str]:
    """The exercises tried, in the order of the lessons, unknown ones last."""
    order = {id: number for number, id in enumerate(book.everything())}
    return sorted({id for each in reports for id in each.tried}, key=lambda id: (order.get(id, len(order)), id))


def _harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
