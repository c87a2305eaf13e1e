"""The end of a hunt: what it came to, the moment that decided it, and where the wrecks lie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from navalkit.games.on_patrol.board.moments import Key, Moment, key_of
from navalkit.grids.hex import Place

from ..hunts import Show
from ..say import STEP


def decisive(row: Sequence[Moment]) -> int:
    """The moment that decided a hunt: the last sinking, else the last hit, else the last time contact was lost."""
    for key in (Key.SINKING, Key.HIT, Key.LOSS):
        found = [i for i, moment in enumerate(row) if key in moment.keys]
        if found:
            return found[-1]
    return len(row) - 1


def wrecks(row: Sequence[Moment]) -> Iterator[tuple[str, Place]]:
    """What the deciding moment sank, by name; without a sinking, the boats that are left."""
    at = decisive(row)
    now, before = row[at].state, row[max(0, at - 1)].state
    floating = {v.id for v in before.vessels if not v.sunk} | {b.id for b in before.boats if not b.sunk}
    found = [(v.id, v.place) for v in now.vessels if v.sunk and v.id in floating]
    found += [(b.id, b.place) for b in now.boats if b.sunk and b.id in floating]
    yield from found or [(b.id, b.place) for b in row[-1].state.boats]


def told(show: Show) -> str:
    """The ending as HTML: result, points, and what decided it."""
    row = show.row
    last = row[-1].state
    outcome = show.game.outcome(last)
    if outcome is None:
        return ""
    moment = row[decisive(row)]
    happened = " ".join(event.text for event in moment.events if key_of(event))
    facts = outcome.facts
    counted = STEP("ending.counted", turns=last.turn, ships=facts["ships_sunk"], boats=facts["boats_lost"])
    decided = STEP("ending.decided", turn=moment.turn, happened=happened)
    head = escape(STEP("ending.head", points=facts["points"]))
    lines = "".join(f"<p>{escape(text)}</p>" for text in (outcome.text, counted, decided))
    return f"<h3>{head}</h3>{lines}"
