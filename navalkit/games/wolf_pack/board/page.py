"""The page of Wolf Pack: where the game stands, the orders, what the opponent may hold, the story at the end."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from navalkit.core.event import Event
from navalkit.core.language.chances import describe, percent
from navalkit.core.match import Match
from navalkit.view.effect import Effect
from navalkit.view.page import Chart, Glance, Look, Moment, Order, Page, Table, gravest, override
from navalkit.view.scene import Scene

from .. import odds
from ..rules.cards import CLEARS, ROWS, SIDES, Card, listed
from ..rules.game import WolfPack
from ..rules.say import SAY
from ..rules.state import Action, Discard, Observation, Pass, Phase, Play
from . import film
from .scene import scene

_TURNS = (1, 2, 3, 4, 6, 8)  # turns that the chart of the own row looks ahead
_GRAVE = ("struck", "sweep", "dive", "lost", "raid", "laid", "passed", "discarded", "drawn")
"""Kinds of events that make a headline, the gravest first."""
_STORY = {"struck", "dive", "sweep"}  # the events that the story of a game is told by
_Glance = Glance[WolfPack, Observation, Action]


class WolfPackPage(Page[WolfPack, Observation, Action]):
    """The page of either side."""

    example = SAY("example")
    adviser = "ismcts"
    seats = ("", "careful")
    unit = "wins"
    languages = SAY.languages

    @override
    def scene(self, glance: _Glance, look: Look) -> Scene:
        return scene(glance, look.tall, look.room)

    @override
    def effects(
        self, game: WolfPack, moments: Sequence[Moment[Observation]], look: Look, before: Scene, last: Scene
    ) -> Sequence[Effect]:
        return film.effects(moments, before, last)

    @override
    def now(self, glance: _Glance) -> str:
        seen = glance.seen
        if seen.phase in (Phase.DISCARD, Phase.ACTION) and seen.side != seen.me:
            return SAY("now.wait", side=SIDES[seen.side])
        return SAY.get(f"now.{seen.phase}", hand=glance.game.hand_size)

    @override
    def guide(self, glance: _Glance) -> str:
        seen = glance.seen
        return SAY.get(f"guide.{seen.phase}.{seen.me}" if seen.phase is Phase.ACTION else f"guide.{seen.phase}")

    @override
    def orders(self, glance: _Glance) -> Sequence[Order]:
        return tuple(_order(glance.seen, action) for action in glance.legal)

    @override
    def charts(self, glance: _Glance) -> Sequence[Chart]:
        seen, may = glance.seen, glance.once(_counted)
        over = seen.phase is Phase.END
        done = [Fraction(0) if over else odds.within(seen, turns) for turns in _TURNS]
        return (
            Chart(
                "hold", SAY("hold.title", side=SIDES[1 - seen.me]), "",
                tuple(SAY(f"short.{card}") for card in may), tuple(map(float, may.values())),
                tuple(percent(chance).removesuffix(" %") for chance in may.values()), True, SAY("note.hold"),
            ),
            Chart(
                "complete", SAY("complete.title"), SAY("complete.x"), tuple(map(str, _TURNS)),
                tuple(map(float, done)), tuple(map(percent, done)), True, SAY("note.complete"),
            ),
        )  # fmt: skip

    @override
    def facts(self, glance: _Glance) -> Table | None:
        if glance.seen.phase is Phase.END:
            return None  # the game is over: nothing is guessed any more
        seen, other = glance.seen, 1 - glance.seen.me
        row, laid, clear = ROWS[other], seen.rows[other], CLEARS[other]
        asked = {SAY("facts.next", card=row[laid].title): row[laid], SAY("facts.clear", card=clear.title): clear}
        counted, weighed = glance.once(_counted), glance.once(_weighed)
        rows = [(what, describe(counted[card]), percent(weighed[card])) for what, card in asked.items()]
        if sum(seen.known):
            known = ", ".join(card.title for card in listed(seen.known))
            rows.append((SAY("facts.known", cards=known), percent(1), percent(1)))
        head = SAY("facts.card"), SAY("facts.counted"), SAY("facts.weighed")
        return Table(SAY("hold.title", side=SIDES[other]), head, tuple(rows), SAY("note.hold"))

    @override
    def happened(self, events: Sequence[Event]) -> str:
        """A game begins with its aim; cards drawn or discarded one after the other are told in one sentence."""
        if events and events[0].kind == "dealt":
            return SAY(f"start.{events[0].facts['by']}", **events[0].facts)
        told = []
        for _, group in groupby(events, lambda event: (event.kind, event.facts.get("by"), "card" in event.facts)):
            first, *others = group
            if others and first.kind in ("dealt", "drawn", "discarded"):
                *some, last = (event.facts["card"] for event in (first, *others))
                told.append(SAY(first.kind, **{**first.facts, "card": SAY("and", some=", ".join(some), last=last)}))
            else:
                told += [event.text for event in (first, *others)]
        return " ".join(told)

    @override
    def headline(self, events: Sequence[Event]) -> str:
        event = None if events and events[0].kind == "dealt" else gravest(events, _GRAVE)
        if event is None:
            return SAY(f"headline.start.{events[0].facts['by']}", **events[0].facts) if events else ""
        return SAY.get(f"headline.{event.kind}", **event.facts) or event.text

    @override
    def report(self, game: WolfPack, match: Match, others: Sequence[tuple[str, Match]]) -> Table | None:
        """The story of the game: every ship sunk, every row swept away, and how it ended."""
        outcome = match.outcome
        if outcome is None:
            return None
        rows = [
            (str(ply.state.turn), event.text)
            for ply in match.plies
            for event in ply.events
            if event.kind in _STORY and event.facts.get("cards", 1)
        ]
        note = f"{outcome.text} {SAY('story.analysis')}" if match.analysis else outcome.text
        return Table(SAY("story.title"), (SAY("story.turn"), SAY("story.what")), tuple(rows), note)


def _counted(glance: _Glance) -> dict[Card, Fraction]:
    """What the opponent may hold, by counting alone."""
    return odds.may_hold(glance.seen)


def _weighed(glance: _Glance) -> dict[Card, Fraction]:
    """The same, weighed by what is worth keeping."""
    return odds.may_hold(glance.seen, kept=True)


def _order(seen: Observation, action: Action) -> Order:
    match action:
        case Discard(card=card):
            return Order(
                action, SAY("order.discard", card=card.title), "", SAY("help.discard", card=card.title), "discard"
            )
        case Play(card=card):
            return Order(action, SAY("order.play", card=card.title), _use(seen, card), SAY(f"use.{card}"), "play")
        case Pass():
            return Order(action, SAY("order.pass"), "", SAY("help.pass"), "leave")
    raise TypeError(f"no order for {action!r}")


def _use(seen: Observation, card: Card) -> str:
    """What a card does now, in a word or two."""
    row = ROWS[seen.me]
    if card in row:
        place = row.index(card) + 1
        return SAY("use.strikes") if place == len(row) else SAY("use.place", place=place, of=len(row))
    if card in CLEARS:
        return SAY("use.clears", n=sum(seen.rows))
    return SAY("use.costs")


PAGE = WolfPackPage()
