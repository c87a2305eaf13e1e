"""A lesson cut to a shorter time, or filled up to a longer one, by the tags of its cells.

A section begins at a cell tagged "cut-20", "cut-45" or "cut-90", the shortest cut that has it, and "minutes-7", how
long it takes with a class that talks. The cut of 90 minutes has the whole lesson; what time is left is a second
round with new numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from navalkit.core.errors import DataError, OptionError

from ..exercises import book
from ..say import SAY

CUTS = (20, 45, 90)
"""Minutes of the cuts."""
AGAIN = 5
"""Minutes of an exercise in the second round."""
_TAG = re.compile(r"(cut|minutes)-([0-9]{1,2})")
_SAID = re.compile(r"[0-9]+ minutes")
_CHECK = re.compile(r'^check\("([^"]+)"', re.MULTILINE)

Notebook = dict[str, Any]


@dataclass
class Section:
    """Cells that belong together: minutes, the shortest cut that has them, and the cells."""

    minutes: int
    cut: int
    cells: list[Notebook] = field(default_factory=list)


def source(cell: Notebook) -> str:
    """The text of a cell, which a file may hold as one string or as lines."""
    given = cell["source"]
    return given if isinstance(given, str) else "".join(given)


def tags(cell: Notebook) -> list[str]:
    """The tags of a cell."""
    return list(cell.get("metadata", {}).get("tags", []))


def sections(notebook: Notebook) -> list[Section]:
    """The sections of a lesson, in order; cells before the first tag are in every cut. DataError if a section lacks its
    minutes or its cut, or there is no such cut."""
    found = [Section(0, CUTS[0])]
    for cell in notebook["cells"]:
        given = {name: int(number) for name, number in (m.groups() for m in map(_TAG.fullmatch, tags(cell)) if m)}
        if given:
            if given.keys() != {"cut", "minutes"} or given["cut"] not in CUTS:
                raise DataError(SAY("cut.tags", cell=cell["id"]))
            found.append(Section(given["minutes"], given["cut"]))
        found[-1].cells.append(cell)
    return [section for section in found if section.cells]


def minutes(notebook: Notebook) -> int:
    """How long a lesson takes."""
    return sum(section.minutes for section in sections(notebook))


def checked(cells: list[Notebook]) -> list[str]:
    """The ids of the exercises that cells check, in order."""
    return [id for cell in cells if cell["cell_type"] == "code" for id in _CHECK.findall(source(cell))]


def cut(notebook: Notebook, length: int) -> Notebook:
    """The lesson for 20, 45 or 90 minutes; it says how many it really takes. OptionError if there is no such cut."""
    if length not in CUTS:
        raise OptionError(SAY("cut.unknown", cuts=", ".join(map(str, CUTS)), found=length))
    kept = [section for section in sections(notebook) if section.cut <= length]
    taken = sum(section.minutes for section in kept)
    cells = [cell for section in kept[:-1] for cell in section.cells]
    if length == CUTS[-1]:
        again = list(_second_round(checked(notebook["cells"]), (length - taken) // AGAIN))
        taken += AGAIN * sum("ask" in source(cell) for cell in again)
        cells += again
    cells = [*cells, *kept[-1].cells]
    first = cells[0]
    said = _SAID.sub(SAY("cut.minutes", n=taken), source(first), count=1)
    return notebook | {"cells": [first | {"source": said.splitlines(keepends=True)}, *cells[1:]]}


def _second_round(ids: list[str], most: int) -> Iterator[Notebook]:
    """Cells that ask the exercises with numbers of their own once more."""
    known = book.everything()
    families = [id for id in ids if id in known and known[id].family][: max(0, most)]
    if not families:
        return
    yield _cell("again", "markdown", SAY("cut.again"))
    yield _cell("again-fresh", "code", "fresh()")
    for number, id in enumerate(families, 1):
        yield _cell(f"again-ask{number}", "code", f'ask("{id}")')
        yield _cell(f"again-sol{number}", "code", f"again_{number} = ...  # {SAY('copy.your_turn')}")
        yield _cell(f"again-check{number}", "code", f'check("{id}", again_{number})')


def _cell(id: str, kind: str, text: str) -> Notebook:
    cell: Notebook = {"cell_type": kind, "id": id, "metadata": {}, "source": text.splitlines(keepends=True)}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})
