"""Lessons as pages of Voila, where nobody can write into a cell, and the teacher's page of plans."""

from __future__ import annotations

import hmac
import os
import re
from pathlib import Path
from urllib.parse import parse_qs

from navalkit.core.errors import DataError

from ..say import SAY

PLAN = "instructor.md"
TEACHING = "teaching"
"""The folder of lessons with their solutions and plans, which no page is served from."""
DOOR = "NAVALKIT_TEACHER"
"""The variable of the environment that opens the teachers' page: it names the folder of lessons with solutions."""
KEY = "NAVALKIT_TEACHER_KEY"
"""The variable that holds what the page's address must say, where others read pages of the same server."""


def read_only() -> bool:
    """Whether this runs for a page of Voila, which shows no cells."""
    return os.environ.get("SERVER_SOFTWARE", "").startswith("voila/")


class Plans:
    """The plans of lessons, one after the other, for a notebook or a page to show. ``texts``: by the names of the
    lessons' folders, in order."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def __repr__(self) -> str:
        return "\n\n".join(self.texts.values())

    def _repr_markdown_(self) -> str:
        """All plans under their list, headings one step lower, for the page has a title of its own."""
        if not self.texts:
            return SAY("door")
        links = "\n".join(  # as HTML, for a link in Markdown would open a tab of its own
            f'- <a href="#{name}" target="_self">{_title(text)}</a>' for name, text in self.texts.items()
        )
        plans = (f'<a id="{name}"></a>\n\n' + re.sub(r"^#", "##", t, flags=re.M) for name, t in self.texts.items())
        return "\n\n".join((links, *plans))


def plans(folder: str | os.PathLike[str] = "") -> Plans:
    """The plans by the minute of all lessons in a folder, with their answers.

    A page of Voila shows them only where the server was started with ``navalkit play --teacher``; and where others can
    reach that server, only at an address with its key. So a class on the same server does not pass.

    Parameters
    ----------
    folder : path
        Of lessons; left out, the one that the open door names, or that of this checkout.

    Raises
    ------
    DataError
        If no lesson in it has a plan.
    """
    if read_only() and not _open():
        return Plans({})
    place = Path(folder or os.environ.get(DOOR, f"../../{TEACHING}"))
    found = sorted(place.glob(f"*/{PLAN}"))
    if not found:
        raise DataError(SAY("copy.no_plan", folder=place.resolve(), file=PLAN))
    return Plans({file.parent.name: file.read_text(encoding="utf-8") for file in found})


def _open() -> bool:
    """Whether this page's reader may pass the door."""
    given = parse_qs(os.environ.get("QUERY_STRING", "")).get("key", [""])[-1]
    key = os.environ.get(KEY, "")
    return DOOR in os.environ and (not key or hmac.compare_digest(given.encode(), key.encode()))


def _title(text: str) -> str:
    return text.splitlines()[0].lstrip("# ").rpartition(":")[0]
