"""What the page of Wolf Pack says: where the game stands, the orders, what she may hold, the story at the end."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from navalkit.core.chances import describe, percent
from navalkit.core.match import Match
from navalkit.view.page import Chart, Order, Table

from .. import odds
from ..rules.cards import ROWS, SIDES, Card, listed
from ..rules.game import WolfPack
from ..rules.state import Action, Discard, Observation, Pass, Phase, Play
from ..rules.tables import SAY
from .scene import scene

__all__ = ["charts", "facts", "guide", "now", "orders", "report", "scene"]

_LABELS = ("peri", "torp", "trans", "sonar", "chrg", "u-boat", "dive", "sweep", "mouse", "miss", "water")
"""The kinds of card, short enough to stand under bars."""
_TURNS = (1, 2, 3, 4, 6, 8)
"""The chart of the own row looks so many turns ahead."""


def now(game: WolfPack, seen: Observation) -> str:
    """What can be done now, in a sentence."""
    if seen.phase in (Phase.DISCARD, Phase.ACTION) and seen.side != seen.me:
        return SAY("now.wait", side=SIDES[seen.side])
    return SAY.get(f"now.{seen.phase}", hand=game.hand_size)


def guide(game: WolfPack, seen: Observation) -> str:
    """For a first game: what one sees here, and what to think of."""
    return SAY.get(f"guide.{seen.phase}.{seen.me}" if seen.phase is Phase.ACTION else f"guide.{seen.phase}")


def orders(game: WolfPack, seen: Observation, legal: Sequence[Action]) -> tuple[Order, ...]:
    """Every legal action."""
    return tuple(_order(game, seen, action) for action in legal)


def _order(game: WolfPack, seen: Observation, action: Action) -> Order:
    match action:
        case Discard(card=card):
            return Order(str(action), f"Discard {card}", "", f"Lay {card.title} face up on the pile (W4).", "discard")
        case Play(card=card):
            return Order(str(action), f"Play {card}", _use(seen, card), SAY.get(f"use.{card}"), "play")
        case Pass():
            return Order(str(action), "Pass", "", "Play nothing this turn (W5).", "leave")
    raise TypeError(f"no order for {action!r}")


def _use(seen: Observation, card: Card) -> str:
    """What a card does now, in a word or two."""
    row = ROWS[seen.me]
    if card in row:
        place = row.index(card) + 1
        return "strikes" if place == len(row) else f"card {place} of 3"
    if card in (Card.DIVE, Card.SWEEP):
        return f"clears {sum(seen.rows)}"
    return "costs her a card"


def charts(game: WolfPack, seen: Observation) -> tuple[Chart, Chart]:
    """What the opponent may hold, and how soon the own attack can be complete."""
    may = _may_hold(seen, False)
    hold = Chart(
        "hold",
        f"What the {SIDES[1 - seen.me]} may hold",
        "",
        "chance to hold one or more",
        tuple(_LABELS),
        tuple(map(float, may.values())),
        tuple(percent(chance).removesuffix(" %") for chance in may.values()),
        True,
        SAY("note.hold"),
    )
    over = seen.phase is Phase.END
    done = [Fraction(0) if over else odds.within(seen, turns) for turns in _TURNS]
    soon = Chart(
        "complete",
        "Your attack complete within so many turns",
        "turns of yours",
        "chance",
        tuple(map(str, _TURNS)),
        tuple(map(float, done)),
        tuple(map(percent, done)),
        True,
        SAY("note.complete"),
    )
    return hold, soon


@lru_cache(maxsize=64)
def _may_hold(seen: Observation, kept: bool) -> dict[Card, Fraction]:
    return odds.may_hold(seen, kept=kept)


def facts(game: WolfPack, seen: Observation) -> Table:
    """The cards of the opponent that matter now: her chance to hold one by counting, and weighing what is kept."""
    row, laid = ROWS[1 - seen.me], seen.rows[1 - seen.me]
    clear = (Card.SWEEP, Card.DIVE)[seen.me]
    asked = {f"her next card, {row[laid].title}": row[laid], f"{clear.title}, which clears both rows": clear}
    counted, weighed = _may_hold(seen, False), _may_hold(seen, True)
    rows = [(what, describe(counted[card]), percent(weighed[card])) for what, card in asked.items()]
    if sum(seen.known):
        rows.append((f"known for certain: {', '.join(card.title for card in listed(seen.known))}", "100 %", "100 %"))
    return Table("What she may hold", ("card", "by counting", "weighing what is kept"), tuple(rows), SAY("note.hold"))


def report(game: WolfPack, match: Match, others: Sequence[tuple[str, Match]] = ()) -> Table | None:
    """The story of the game: every ship sunk, every row swept away, and how it ended."""
    outcome = match.outcome
    if outcome is None:
        return None
    rows = [
        (str(ply.state.turn), event.text)
        for ply in match.plies
        for event in ply.events
        if event.kind == "struck" or (event.kind in ("dive", "sweep") and "discarded" in event.text)
    ]
    note = outcome.text + (" This game was an analysis." if match.analysis else "")
    return Table("The story of the game", ("turn", "what turned it"), tuple(rows), note)
