"""What comes with a page's address, and what a game is written out as."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs

from navalkit.core.echo import brief
from navalkit.core.errors import OptionError, RecordError
from navalkit.core.event import Event
from navalkit.core.files.csvtext import written
from navalkit.core.files.record import MAX_BYTES
from navalkit.core.match import Match

from .say import SAY


def asked(query: str) -> tuple[dict[str, str], int | None]:
    """What a query string asks for by name, and the step it asks for; OptionError if it has more than 50 parts, or its
    step is no whole number."""
    try:
        parts = {key: values[-1] for key, values in parse_qs(query.lstrip("?"), max_num_fields=50).items()}
    except ValueError:
        raise OptionError(SAY("link.parts")) from None
    parts.pop("lang", None)
    step = parts.pop("step", None)
    if step is not None and not re.fullmatch(r"[0-9]{1,9}", step):
        raise OptionError(SAY("link.step", step=repr(step[:20])))
    return parts, None if step is None else int(step)


def language(query: str) -> str:
    """The language that a query string asks for ("de"), or ""."""
    found = re.search(r"[?&]lang=([a-z]{2,3})(?=&|$)", query)
    return found[1] if found else ""


def check_size(name: str, size: int) -> None:
    """Refuse a file that is too large to be a saved game; the browser has then not sent it. RecordError if it has more
    than `MAX_BYTES`."""
    if size > MAX_BYTES:
        raise RecordError(SAY("open.large", name=brief(name), size=size, most=MAX_BYTES))


def log_csv(match: Match, me: int, told: Callable[[Event], bool]) -> str:
    """A game as CSV, one row an event: ply, by, action, rule, event.

    ``me``: for whom it is written. ``told``: whether an event may be told. While the match hides something, chance's
    actions are left out: a drawn hand or a hidden fleet would stand in them.
    """
    rows: list[tuple[object, ...]] = [("ply", "by", "action", "rule", "event")]
    for number, ply in enumerate(match.plies, 1):
        by = "chance" if ply.by < 0 else match.players[ply.by]
        lines = [(event.rule, event.text) for event in ply.events if told(event)]
        shown = not match.secret or ply.by == me or (ply.by >= 0 and lines)
        order = str(ply.action) if shown else ""
        rows += [(number, by, order, rule, text) for rule, text in lines or [("", "")]]
    return written(rows)
