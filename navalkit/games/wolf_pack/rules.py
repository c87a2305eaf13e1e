"""The rules of Wolf Pack: the only place that knows them. Rule ids are those of RULES.md."""

from __future__ import annotations
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar

from navalkit.core.dist import Dist
from navalkit.core.errors import IllegalActionError
from navalkit.core.game import CHANCE, TERMINAL, Draw, Game, OptionSpec, Outcome, Transition
from navalkit.core.words import Event
from . import cards
from .cards import CLEARS, CONVOY, NONE, RAIDS, ROWS, SAY, SIDES, UBOATS, Card, Counts, plus
from .state import (
    TABLES,
    Action,
    Discard,
    Drawn,
    Lost,
    Observation,
    Pass,
    Phase,
    Play,
    State,
    format_state,
    parse_action,
    parse_state,
)

Step = tuple[State, tuple[Event, ...]]

_PHASES: dict[type, Phase] = {
    Drawn: Phase.DRAW, Discard: Phase.DISCARD, Play: Phase.ACTION, Pass: Phase.ACTION, Lost: Phase.LOSS
}
_DISCARDS = tuple(map(Discard, Card))
_PLAYS: tuple[Action, ...] = (*map(Play, Card), Pass())


@lru_cache(maxsize=256)
def _shuffled(side: int, pool: Counts) -> tuple[Drawn, ...]:
    """What a side can draw from a deck of these cards, one entry a card."""
    kinds = [Drawn(side, card) for card in Card]
    return tuple(kinds[card] for card in cards.listed(pool))


class WolfPack(Game[State, Action, Observation]):
    """Wolf Pack: U-boats against a convoy, two hands of cards from one deck."""

    name = "wolf-pack"
    title = "Wolf Pack"
    blurb = SAY.phrase("blurb")
    players: ClassVar[tuple[str, ...]] = SIDES
    specs: ClassVar[tuple[OptionSpec, ...]] = TABLES.options
    hides: ClassVar[bool] = True
    hand_size: ClassVar[int] = TABLES.hand
    draw_size: ClassVar[int] = TABLES.draw

    def __init__(self, /, **options: Any) -> None:
        super().__init__(**options)
        self.cards: Counts = cards.read(self.options["deck"], TABLES.deck, TABLES.hand)
        """All cards of the game."""
        self.goals: tuple[int, int] = (self.options["transports"], self.options["u_boats"])
        """Transports and U-boats to sink for victory."""

    def initial(self) -> State:
        return State(Phase.DRAW, to_draw=self.hand_size, pool=self.cards, deck=self.cards)

    def turn(self, state: State) -> int:
        if state.phase is Phase.END:
            return TERMINAL
        return CHANCE if state.phase in (Phase.DRAW, Phase.LOSS) else state.side

    def legal(self, state: State) -> tuple[Action, ...]:
        options: tuple[Action, ...] = ()
        if state.phase is Phase.DISCARD:
            options = _DISCARDS
        elif state.phase is Phase.ACTION:
            options = _PLAYS
        return tuple(action for action in options if self.why_not(state, action) is None)

    def why_not(self, state: State, action: Action) -> str | None:
        phase = _PHASES.get(type(action))
        if phase is None:
            return SAY("no.action", action=repr(action), game=self.title)
        if state.phase is not phase:
            now = SAY(f"no.now.{state.phase}", side=SIDES[state.side], hand=self.hand_size)
            return SAY("no.not_now", action=str(action), now=now)
        if isinstance(action, Drawn):
            return self._why_not_drawn(state, action)
        if isinstance(action, Lost):
            return self._why_not_lost(state, action)
        if isinstance(action, (Discard, Play)) and not state.hands[state.side][action.card]:
            return SAY("no.card", side=SIDES[state.side], card=action.card.title)
        return self._why_not_play(state, action.card) if isinstance(action, Play) else None

    def chance(self, state: State) -> Draw:
        if state.phase is Phase.LOSS:
            victim = 1 - state.side
            lost = ((Lost(victim, card), n) for card, n in zip(Card, state.hands[victim], strict=True))
            return Draw(lost, slot="loss", index=state.losses)
        deck = _shuffled(state.side, state.pool)
        left = _shuffled(state.side, state.deck)
        slot = f"cards {state.shuffles}"
        return Draw(Dist.uniform(left), slot=slot, deck=deck, index=len(deck) - len(left))

    def apply(self, state: State, action: Action) -> Transition[State]:
        if reason := self.why_not(state, action):
            raise IllegalActionError(reason)
        return Transition(*self._APPLY[type(action)](self, state, action))

    def observe(self, state: State, player: int) -> Observation:
        return Observation(
            me=player, phase=state.phase, side=state.side, turn=state.turn, hand=state.hands[player],
            their_size=sum(state.hands[1 - player]), rows=state.rows, sunk=state.sunk, discards=state.discards,
            pool=state.pool, deck_size=sum(state.deck), shuffles=state.shuffles, known=state.known[1 - player],
            my_known=state.known[player], last=state.last, result=state.result, cards=self.cards, goals=self.goals,
            turn_limit=self.options["turn_limit"]
        )

    def outcome(self, state: State) -> Outcome | None:
        if state.phase is not Phase.END:
            return None
        transports, u_boats = state.sunk
        text = SAY(f"report.{state.result}", turn=state.turn, transports=transports, u_boats=u_boats)
        scores = (0.5, 0.5) if state.result == "draw" else tuple(float(side == state.result) for side in SIDES)
        facts = {"transports": transports, "u_boats": u_boats, "turns": state.turn, "shuffles": state.shuffles}
        return Outcome(scores, state.result, text, facts)

    def parse_action(self, text: str) -> Action:
        return parse_action(text)

    def parse_state(self, text: str) -> State:
        return parse_state(text, self.cards, self.goals)

    def format_state(self, state: State) -> str:
        return format_state(state)

    # Why not ----------------------------------------------------------------------------------------------------

    def _why_not_drawn(self, state: State, action: Drawn) -> str | None:
        if action.side != state.side:
            return SAY("no.draw", side=SIDES[state.side], other=SIDES[action.side])
        return None if state.deck[action.card] else SAY("no.left", card=action.card.title)

    def _why_not_lost(self, state: State, action: Lost) -> str | None:
        victim = 1 - state.side
        if action.side != victim:
            return SAY("no.victim", side=SIDES[victim])
        held = state.hands[victim][action.card]
        return None if held else SAY("no.card", side=SIDES[victim], card=action.card.title)

    def _why_not_play(self, state: State, card: Card) -> str | None:
        side = state.side
        if card in (CLEARS[side], *RAIDS):
            return None
        row = ROWS[side]
        if card in row:
            due = row[state.rows[side]]
            return None if card is due else SAY("no.order", card=card.title, due=due.title)
        if card is Card.WATER:
            return SAY("no.water")
        return SAY("no.theirs", card=card.title, side=SIDES[1 - side])

    # What actions do --------------------------------------------------------------------------------------------

    def _drawn(self, state: State, action: Drawn) -> Step:
        rule, key = ("W0", "dealt") if not state.turn else ("W3", "drawn")
        to, side = frozenset((state.side,)), SIDES[state.side]
        goals = dict(zip(("transports", "u_boats"), self.goals, strict=True))
        event = SAY.event(rule, key, to=to, by=state.side, side=side, card=action.card.title, **goals)
        state = replace(state, hands=_set(state.hands, state.side, plus(state.hands[state.side], action.card)),
                        deck=plus(state.deck, action.card, -1), to_draw=state.to_draw - 1)
        return self._draw_on(state, event)

    def _discard(self, state: State, action: Discard) -> Step:
        event = SAY.event("W4", "discarded", by=state.side, side=SIDES[state.side], card=action.card.title)
        return self._discard_on(_leave(state, state.side, action.card), event)

    def _pass(self, state: State, action: Pass) -> Step:
        return self._end_action(_acted(state, action), SAY.event("W5", "passed", by=state.side, side=SIDES[state.side]))

    def _play(self, state: State, action: Play) -> Step:
        card, side = action.card, state.side
        state = _acted(state, action)
        if card in RAIDS:
            return self._raid(_leave(state, side, card), card)
        if card is CLEARS[side]:
            lying = cards.row_counts(state.rows)
            state = _leave(replace(state, rows=(0, 0), discards=cards.total(state.discards, lying)), side, card)
            cleared = SAY.phrase("cleared" if any(lying) else "cleared_none", cards=cards.show(lying))
            rule, key = ("W8", "dive") if side == UBOATS else ("W9", "sweep")
            return self._end_action(state, SAY.event(rule, key, by=side, cleared=cleared, cards=sum(lying)))
        return self._lay(state, card)

    def _lost(self, state: State, action: Lost) -> Step:
        event = SAY.event("W10", "lost", by=action.side, side=SIDES[action.side], card=action.card.title)
        return self._end_action(replace(_leave(state, action.side, action.card), losses=state.losses + 1), event)

    # What follows -----------------------------------------------------------------------------------------------

    def _lay(self, state: State, card: Card) -> Step:
        """Lay the next card of the row; the third one strikes (rules W6, W7)."""
        side, row = state.side, ROWS[state.side]
        laid = state.rows[side] + 1
        rule = ("W6", "W7")[side]
        names = " – ".join(c.title for c in row[:laid])
        if laid < len(row):
            state = replace(_leave(state, side, card, to_pile=False), rows=_set(state.rows, side, laid))
            event = SAY.event(rule, "laid", by=side, side=SIDES[side], card=card.title, row=names)
            return self._end_action(state, event)
        sunk = state.sunk[side] + 1
        state = _leave(state, side, card)
        for under in row[:-1]:
            state = replace(state, discards=plus(state.discards, under))
        state = replace(state, rows=_set(state.rows, side, 0), sunk=_set(state.sunk, side, sunk))
        what = SAY.phrase(("struck.transport", "struck.u_boat")[side])
        facts: dict[str, Any] = {"by": side, "side": SIDES[side], "row": names, "what": what}
        event = SAY.event(rule, "struck", sunk=sunk, goal=self.goals[side], **facts)
        if sunk >= self.goals[side]:
            return self._finish(state, SIDES[side], "W12", event)
        return self._end_action(state, event)

    def _raid(self, state: State, card: Card) -> Step:
        victim = 1 - state.side
        names = {"side": SIDES[state.side], "card": card.title, "victim": SIDES[victim]}
        words: dict[str, Any] = {"by": state.side, **names}
        if not any(state.hands[victim]):
            return self._end_action(state, SAY.event("W10", "raid_in_vain", **words))
        return replace(state, phase=Phase.LOSS), (SAY.event("W10", "raid", **words),)

    def _draw_on(self, state: State, *events: Event) -> Step:
        """Draw on, with a new deck if the old one is used up; then discard (rules W3, W3a, W3b)."""
        if state.to_draw and not any(state.deck):
            if any(state.discards):
                events += (SAY.event("W3a", "reshuffled", cards=sum(state.discards)),)
                state = replace(
                    state,
                    deck=state.discards,
                    pool=state.discards,
                    discards=NONE,
                    shuffles=state.shuffles + 1,
                    known=state.hands,  # all other cards lie, or have just lain, face up: rule W13
                )
            else:
                events += (SAY.event("W3b", "nothing_left", by=state.side, side=SIDES[state.side]),)
                state = replace(state, to_draw=0)
        if state.to_draw:
            return state, events
        return self._discard_on(state, *events)

    def _discard_on(self, state: State, *events: Event) -> Step:
        """Go on discarding, or to what follows the draw phase: the convoy's draw, or the U-boats' action."""
        if sum(state.hands[state.side]) > self.hand_size:
            return replace(state, phase=Phase.DISCARD), events
        if state.side == CONVOY and state.turn:
            return replace(state, phase=Phase.ACTION, side=UBOATS), events
        if state.side == CONVOY:
            return self._begin_draw(replace(state, turn=1), UBOATS, self.draw_size, *events)
        return self._begin_draw(state, CONVOY, self.draw_size if state.turn else self.hand_size, *events)

    def _begin_draw(self, state: State, side: int, n: int, *events: Event) -> Step:
        return self._draw_on(replace(state, phase=Phase.DRAW, side=side, to_draw=n), *events)

    def _end_action(self, state: State, *events: Event) -> Step:
        """After the U-boats' action comes the convoy's, after that the next turn (rule W2)."""
        if state.side == UBOATS:
            return replace(state, phase=Phase.ACTION, side=CONVOY), events
        if state.turn >= self.options["turn_limit"]:
            return self._finish(state, "draw", "W12a", *events)
        return self._begin_draw(replace(state, turn=state.turn + 1), UBOATS, self.draw_size, *events)

    def _finish(self, state: State, result: str, rule: str, *events: Event) -> Step:
        transports, u_boats = state.sunk
        report = SAY.event(rule, f"report.{result}", turn=state.turn, transports=transports, u_boats=u_boats)
        return replace(state, phase=Phase.END, result=result), (*events, report)

    _APPLY: ClassVar[dict[type, Any]] = {Drawn: _drawn, Discard: _discard, Pass: _pass, Play: _play, Lost: _lost}


def _set(pair: tuple[Any, Any], side: int, value: Any) -> tuple[Any, Any]:
    return (value, pair[1]) if side == 0 else (pair[0], value)


def _acted(state: State, action: Action) -> State:
    return replace(state, last=_set(state.last, state.side, action))


def _leave(state: State, side: int, card: Card, to_pile: bool = True) -> State:
    """A card leaves a hand face up: if the other side knew of one like it, that is the one (rule W13)."""
    known = state.known[side]
    return replace(state, hands=_set(state.hands, side, plus(state.hands[side], card, -1)),
                   known=_set(state.known, side, plus(known, card, -1)) if known[card] else state.known,
                   discards=plus(state.discards, card) if to_pile else state.discards)
