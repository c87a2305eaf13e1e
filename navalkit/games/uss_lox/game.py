"""The rules of USS Lox: the place that teaches them; `round` is a quick copy. Rule ids are those of RULES.md."""

from __future__ import annotations
import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache, reduce
from typing import Any, ClassVar

from navalkit.core.codec import Codec, Form, bits, one_of, series, upto
from navalkit.core.dist import Dist
from navalkit.core.errors import IllegalActionError, NotationError, brief
from navalkit.core.files import sourced, values
from navalkit.core.game import CHANCE, TERMINAL, Draw, Game, OptionSpec, Outcome, Transition, read_options
from navalkit.core.words import Event
from . import cards, cribbage
from .cards import SAY
from .state import (
    GONE,
    MAX_OCEAN,
    MAX_TORPEDOES,
    NO_CARD,
    PLACES,
    SHIP_ROLES,
    Action,
    Attack,
    Chase,
    Deal,
    Decline,
    Escape,
    Flip,
    Phase,
    Plan,
    Return,
    State,
)

# -- Text <-> action and text <-> state of USS Lox -------------------------------------------------

_WORDS: dict[str, Action] = {
    "decline": Decline(), "let her go": Decline(), "pass": Decline(), "escape": Escape(), "run silent": Escape(),
    "chase": Chase(), "return": Return(), "home": Return()
}
_SQUARE = re.compile(r"[A-E][1-5]")
_DEAL = re.compile(r"(\w+) ?= ?(\w+)")


def parse_action(text: str) -> Action:
    """The action of that notation; case and extra blanks do not matter. ``text``: "plan 9", "flip B2" (or "B2"),
    "attack 2" (or "fire 2"), "decline", "escape", "chase", "return"; chance's actions are written "B2=8D",
    "torpedo=5S", "escort=KH", "extra=4C", "estimate=9D". NotationError if it is none of these."""
    line = " ".join(text.split()).lower()
    if line in _WORDS:
        return _WORDS[line]
    if match := _DEAL.fullmatch(line):
        place = match[1] if match[1] in PLACES else match[1].upper()
        if place in PLACES or _SQUARE.fullmatch(place):
            return Deal(place, cards.parse(match[2]))
        places = ", ".join(PLACES)
        raise NotationError(SAY("wrong.deal", text=brief(text), places=places, place=brief(match[1])))
    verb, _, rest = line.rpartition(" ")
    if verb in ("flip", "turn", "") and _SQUARE.fullmatch(rest.upper()):
        return Flip(rest.upper())
    if verb in ("attack", "fire", "plan") and rest.isascii() and rest.isdigit() and len(rest) < 4:
        return Plan(int(rest)) if verb == "plan" else Attack(int(rest))
    raise NotationError(SAY("wrong.order", text=brief(text)))


def format_state(state: State) -> str:
    """The state as one line."""
    return _codec(54).write(state)


def parse_state(text: str, pack: int = 54) -> State:
    """The state of that notation; NotationError naming the field that is wrong. ``pack``: number of cards in the pack:
    slots and cards beyond it are refused."""
    return _consistent(_codec(pack).read(text))


def _place(text: str) -> str:
    if text not in PLACES and not _SQUARE.fullmatch(text):
        raise ValueError(text)
    return text


_CARD = Form(cards.text, cards.parse)


@cache
def _codec(pack: int) -> Codec[State]:
    """States as text: cards by their names, slots of the pack by number, cards seen as bits."""
    slots = series(one_of(range(pack)))
    forms: dict[Any, Form] = {
        int: upto(99), "seen": bits(54), "ship": _CARD, "drawing": Form(str, _place), "role": one_of(SHIP_ROLES),
        "result": one_of(("win", "loss")), "ocean": series(one_of(range(-1, pack))),
    }
    forms |= dict.fromkeys(("supply", "deck", "estimates"), slots)
    return Codec(State, forms | dict.fromkeys(("fired", "last", "sunk", "estimated"), series(_CARD)))


def _consistent(state: State) -> State:
    """The state, if its parts fit together."""
    wrong = None
    up = [c for c in (state.ship, *state.last, *state.fired, *state.sunk, *state.estimated) if c != NO_CARD]
    slots = [s for s in (*state.ocean, *state.supply, *state.deck, *state.estimates[len(state.estimated) :]) if s >= 0]
    if any(not state.seen >> card & 1 for card in up):
        wrong = SAY("state.unseen")
    elif len(set(slots)) < len(slots):
        wrong = SAY("state.slot")
    elif len(state.ocean) > MAX_OCEAN:
        wrong = SAY("state.ocean", squares=len(state.ocean), most=MAX_OCEAN)
    elif state.ship != NO_CARD and cards.is_joker(state.ship):
        wrong = SAY("state.joker")
    elif state.phase in (Phase.TARGET, Phase.ESCORT) and (state.ship == NO_CARD or not state.role):
        wrong = SAY("state.ship", phase=state.phase)
    elif state.drawing == "torpedo" and (state.ship == NO_CARD or len(state.fired) >= state.firing):
        wrong = SAY("state.torpedo")
    elif (state.phase is Phase.END or state.drawing == "estimate") and not state.result:
        wrong = SAY("state.result")
    elif (state.phase is Phase.DRAW) != bool(state.drawing):
        wrong = SAY("state.drawing")
    elif state.phase is Phase.DRAW:
        try:
            wrong = None if state.slot(state.drawing) >= 0 else SAY("state.empty", place=state.drawing)
        except (IndexError, ValueError):
            wrong = SAY("state.empty", place=state.drawing)
    if wrong:
        raise NotationError(SAY("state.wrong", why=wrong))
    return state


# -- Typed loader of data.toml: figures and options of USS Lox -------------------------------------

@dataclass(frozen=True, slots=True)
class Yardstick:
    """A patrol to measure against: ``tons`` sunk on one patrol."""

    key: str
    tons: int

    @property
    def name(self) -> str:
        """Whose patrols they are, said now."""
        return SAY(f"yard.{self.key}")

    @property
    def note(self) -> str:
        """What else is known of them, said now."""
        return SAY.get(f"yard.{self.key}.note")


@dataclass(frozen=True, slots=True)
class Tables:
    """All of data.toml."""

    supply: int
    ocean: int
    yardsticks: tuple[Yardstick, ...]
    options: tuple[OptionSpec, ...]


def _load() -> Tables:
    data = cards.DATA
    said = {
        row["name"]: {key: SAY.phrase(f"option.{row['name']}{end}") for key, end in (("label", ""), ("help", ".help"))}
        for row in data["option"]
    }
    return Tables(
        **values(data["setup"], "setup"),
        yardsticks=tuple(Yardstick(**sourced(row, f"yardstick {row.get('key')}")) for row in data["yardstick"]),
        options=read_options(data["option"], **said),
    )


TABLES = _load()


Step = tuple[State, tuple[Event, ...]]

_ATTACKS = tuple(Attack(n) for n in range(MAX_TORPEDOES + 1))
_PHASES: dict[type, tuple[Phase, ...]] = {
    Plan: (Phase.PLAN,), Flip: (Phase.PERISCOPE, Phase.DEBRIEF), Attack: (Phase.TARGET, Phase.ESCORT),
    Decline: (Phase.TARGET, Phase.QUEEN), Escape: (Phase.ESCORT,), Chase: (Phase.QUEEN,), Return: (Phase.DEBRIEF,),
    Deal: (Phase.DRAW,)
}


@lru_cache(maxsize=64)
def _deals(place: str, pack: tuple[int, ...]) -> tuple[Deal, ...]:
    return tuple(Deal(place, card) for card in pack)


class UssLox(Game[State, Action, State]):
    """USS Lox, a submarine patrol with a pack of cards, for one captain."""

    name = "uss-lox"
    title = "USS Lox"
    blurb = SAY.phrase("blurb")
    specs: ClassVar[tuple[OptionSpec, ...]] = TABLES.options
    supply_size: ClassVar[int] = TABLES.supply

    def __init__(self, /, **options: Any) -> None:
        super().__init__(**options)
        self.pack: tuple[int, ...] = tuple(cards.PACK) + (cards.JOKERS if self.options["jokers"] else ())

    @property
    def loss_weight(self) -> float:
        """What a ton counts when the boat is lost: 1, or 0 where the goal is to come home."""
        return 0.0 if self.options["home"] else 1.0

    @property
    def goal(self) -> str:
        """What the captain plays for: "tonnage" or "home"."""
        return "home" if self.options["home"] else "tonnage"

    def initial(self) -> State:
        start = State(Phase.PLAN, deck=tuple(range(len(self.pack))))
        return self._deal_patrol(start)

    def estimated(self, state: State, ship: int) -> bool:
        """Whether a card of the deck counts in the place of that ship, were she sunk now (rule A2)."""
        return bool(self.options["face_estimates"] and cards.rank(ship) >= cards.JACK and state.deck)

    def turn(self, state: State) -> int:
        if state.phase is Phase.DRAW:
            return CHANCE
        return TERMINAL if state.phase is Phase.END else 0

    def legal(self, state: State) -> tuple[Action, ...]:
        phase = state.phase
        options: tuple[Action, ...] = ()
        if phase is Phase.PLAN:
            options = tuple(Plan(n) for n in range(1, state.torpedoes))
        elif phase in (Phase.PERISCOPE, Phase.DEBRIEF):
            options = (*(Flip(square) for square in state.squares), Return())
        elif phase in (Phase.TARGET, Phase.ESCORT):
            options = (*_ATTACKS, Decline(), Escape())
        elif phase is Phase.QUEEN:
            options = (Chase(), Decline())
        return tuple(action for action in options if self.why_not(state, action) is None)

    def why_not(self, state: State, action: Action) -> str | None:
        phases = _PHASES.get(type(action))
        if phases is None:
            return SAY("not.action", action=brief(action))
        if state.phase not in phases:
            return SAY(f"not.now.{state.phase}", action=action)
        check = self._CHECKS.get(type(action))
        return check(self, state, action) if check else None

    def chance(self, state: State) -> Draw:
        deals = _deals(state.drawing, self.pack)
        seen = state.seen
        return Draw(Dist.uniform(deal for deal in deals if not seen >> deal.card & 1), slot="cards", deck=deals,
                    index=state.slot(state.drawing))

    def apply(self, state: State, action: Action) -> Transition[State]:
        if reason := self.why_not(state, action):
            raise IllegalActionError(reason)
        return Transition(*self._APPLY[type(action)](self, state, action))

    def observe(self, state: State, player: int) -> State:
        return state  # face-down cards have no identity, so there is nothing to hide

    def outcome(self, state: State) -> Outcome | None:
        if state.phase is not Phase.END:
            return None
        win = state.result == "win"
        text = SAY("report.win" if win else "report.loss", tons=state.tons,
                   ships=len(state.sunk) + len(state.estimated))
        facts = {
            "tonnage": state.tons, "won": win, "ships": len(state.sunk) + len(state.estimated),
            "torpedoes_fired": state.spent, "torpedoes_left": state.torpedoes, "escorts_met": state.met,
            "patrols": state.patrol
        }
        return Outcome((float(state.tons),), state.result, text, facts)

    def parse_action(self, text: str) -> Action:
        return parse_action(text)

    def parse_state(self, text: str) -> State:
        return parse_state(text, len(self.pack))

    def format_state(self, state: State) -> str:
        return format_state(state)

    # Why not -------------------------------------------------------------------------------------------

    def _why_not_plan(self, state: State, action: Plan) -> str | None:
        if isinstance(action.size, int) and 1 <= action.size < state.torpedoes:
            return None
        return SAY("not.plan", most=state.torpedoes - 1, cards=state.torpedoes, size=brief(action.size))

    def _why_not_flip(self, state: State, action: Flip) -> str | None:
        names = state.squares
        if action.square not in names:
            return SAY("not.square", square=brief(action.square), first=names[0], last=names[-1])
        if state.ocean[names.index(action.square)] == GONE:
            left = ", ".join(name for name, slot in zip(names, state.ocean, strict=True) if slot != GONE)
            return SAY("not.turned", square=action.square, left=left)
        return None

    def _why_not_attack(self, state: State, action: Attack) -> str | None:
        n = action.torpedoes
        if not isinstance(n, int) or not 0 <= n <= MAX_TORPEDOES:
            return SAY("not.salvo", most=MAX_TORPEDOES, n=brief(n))
        if n and cards.by_gun(state.ship, n - 1):
            return SAY("not.gun", torpedoes=cards.GUN_TORPEDOES)
        if n > state.torpedoes:
            return SAY("not.few", left=state.torpedoes, n=n)
        return None

    def _why_not_escape(self, state: State, action: Escape) -> str | None:
        cost = cards.pips(state.ship)
        if cost <= state.torpedoes:
            return None
        return SAY("not.escape", ship=cards.text(state.ship), cost=cost, left=state.torpedoes)

    def _why_not_deal(self, state: State, action: Deal) -> str | None:
        if action.place != state.drawing:
            return SAY("not.place", now=state.drawing, place=brief(action.place))
        if action.card not in self.pack:
            return SAY("not.pack", card=cards.text(action.card))
        if state.seen >> action.card & 1:
            return SAY("not.seen", card=cards.text(action.card))
        return None

    # What actions do -----------------------------------------------------------------------------------

    def _plan(self, state: State, action: Plan) -> Step:
        return self._lay_ocean(state, action.size), (
            SAY.event("A3", "plan", size=action.size, torpedoes=state.torpedoes - action.size),
        )

    def _flip(self, state: State, action: Flip) -> Step:
        return replace(state, phase=Phase.DRAW, drawing=action.square, last=()), ()

    def _attack(self, state: State, action: Attack) -> Step:
        if cards.by_gun(state.ship, 0):
            return self._shell(replace(state, last=(state.ship,)))
        if action.torpedoes == 0:
            return self._miss(replace(state, last=(state.ship,)),
                              SAY.event("L2b", "held_fire", ship=cards.named(state.ship)))
        return replace(state, phase=Phase.DRAW, drawing="torpedo", firing=action.torpedoes, fired=(), last=()), ()

    def _decline(self, state: State, action: Decline) -> Step:
        if state.phase is Phase.QUEEN:
            return self._debrief(state, SAY.event("A5", "no_chase"))
        event = SAY.event("L2a", "declined", ship=cards.named(state.ship))
        extra = state.role == "extra"
        state = replace(state, ship=NO_CARD, role="")
        if extra:
            return self._debrief(state, event)
        if not state.ocean_left:
            return self._patrol_won(state, event, SAY.event("L6", "ocean_empty"))
        return replace(state, phase=Phase.PERISCOPE), (event,)

    def _escape(self, state: State, action: Escape) -> Step:
        cost = cards.pips(state.ship)
        event = SAY.event("L4c", "escaped", ship=cards.named(state.ship), cost=cost)
        keep = state.torpedoes - cost  # the last ones go: the n-th torpedo fired is then the same for every captain
        supply, deck = state.supply[:keep], state.deck + state.supply[keep:]
        state = replace(state, supply=supply, deck=deck, ship=NO_CARD, role="")
        return self._debrief(state, event)

    def _chase(self, state: State, action: Chase) -> Step:
        return replace(state, phase=Phase.DRAW, drawing="extra", last=()), ()

    def _return(self, state: State, action: Return) -> Step:
        return self._patrol_won(state, SAY.event("L5", "returned"))

    def _deal(self, state: State, action: Deal) -> Step:
        place, card = action.place, action.card
        state = replace(state, drawing="", seen=state.seen | 1 << card)
        if place == "torpedo":
            return self._torpedo(state, card)
        if place == "estimate":
            return self._estimate(state, card)
        if place in ("escort", "extra"):
            state = replace(state, deck=state.deck[1:])
        else:
            i = state.squares.index(place)
            state = replace(state, ocean=state.ocean[:i] + (GONE,) + state.ocean[i + 1 :])
        if place == "escort":
            if cards.is_joker(card):
                return self._draw_escort(state, SAY.event("A1", "joker_escort"))
            return self._meet_escort(state, card, SAY.event("L4b", "escort", ship=cards.named(card)))
        return self._sight(state, place, card)

    # What follows --------------------------------------------------------------------------------------

    def _sight(self, state: State, place: str, card: int) -> Step:
        """A card was turned up in the ocean, or as an extra target."""
        if cards.is_joker(card):
            return self._draw_escort(state, SAY.event("A1", "joker_ocean", place=place))
        event = (
            SAY.event("A5", "extra", ship=cards.named(card))
            if place == "extra"
            else SAY.event("L1", "sighted", place=place, ship=cards.named(card))
        )
        if self.options["king_ships"] and cards.rank(card) == cards.KING and place != "extra":
            return self._meet_escort(state, card, event, SAY.event("A4", "king", ship=cards.named(card)))
        role = "extra" if place == "extra" else "target"
        return replace(state, phase=Phase.TARGET, ship=card, role=role), (event,)

    def _torpedo(self, state: State, card: int) -> Step:
        fired = (*state.fired, card)
        state = replace(state, supply=state.supply[1:], fired=fired, spent=state.spent + 1)
        if len(fired) < state.firing:
            return replace(state, phase=Phase.DRAW, drawing="torpedo"), ()
        ship, shots = cards.named(state.ship), ", ".join(map(cards.symbol, fired))
        state = replace(state, last=(state.ship, *fired), firing=0, fired=())
        if cards.by_gun(state.ship, len(fired)):
            return self._shell(state)
        if any(map(cards.is_joker, fired)):
            return self._miss(state, SAY.event("A1", "joker_torpedo", ship=ship, shots=shots, fired=fired))
        if hits := cribbage.hits(state.ship, fired, nob=self.options["nob"]):
            how = reduce(lambda some, hit: SAY.phrase("list", first=some, rest=hit), (hit.said for hit in hits))
            rule = "A6" if all(hit.kind == "nob" for hit in hits) else "L3b"
            return self._sink(state, SAY.event(rule, "hit", ship=ship, shots=shots, how=how, fired=fired))
        return self._miss(state, SAY.event("L3c", "missed", ship=ship, shots=shots, fired=fired))

    def _shell(self, state: State) -> Step:
        return self._sink(state, SAY.event("L3a", "deck_gun", ship=cards.named(state.ship)))

    def _sink(self, state: State, *events: Event) -> Step:
        card, rank, later = state.ship, cards.rank(state.ship), self.estimated(state, state.ship)
        state = replace(state, ship=NO_CARD, role="")
        if later:
            state = replace(state, estimates=(*state.estimates, state.deck[0]), deck=state.deck[1:])
            events += (SAY.event("A2", "estimate_later", ship=cards.named(card)),)
        else:
            state = replace(state, sunk=(*state.sunk, card))
            events += (SAY.event("L4a", "sunk", ship=cards.named(card), tons=1000 * cards.pips(card)),)
        if self.options["queen_ships"] and rank == cards.QUEEN and state.deck:
            return replace(state, phase=Phase.QUEEN), events
        return self._debrief(state, *events)

    def _miss(self, state: State, event: Event) -> Step:
        if state.role == "escort":
            state = replace(state, ship=NO_CARD, role="")
            return self._finish(state, "loss", event, SAY.event("L4d", "lost"))
        return self._draw_escort(replace(state, ship=NO_CARD, role=""), event)

    def _draw_escort(self, state: State, *events: Event) -> Step:
        if state.deck:
            return replace(state, phase=Phase.DRAW, drawing="escort"), events
        if state.patrol > 1:
            return self._finish(state, "loss", *events, SAY.event("A7", "no_escort_lost"))
        return self._debrief(state, *events, SAY.event("L4e", "no_escort"))

    def _meet_escort(self, state: State, card: int, *events: Event) -> Step:
        return replace(state, phase=Phase.ESCORT, ship=card, role="escort", met=state.met + 1), events

    def _debrief(self, state: State, *events: Event) -> Step:
        if not state.ocean_left:
            return self._patrol_won(state, *events, SAY.event("L6", "ocean_empty"))
        if not state.torpedoes:
            return self._patrol_won(state, *events, SAY.event("L6", "no_torpedoes"))
        return replace(state, phase=Phase.DEBRIEF), events

    def _patrol_won(self, state: State, *events: Event) -> Step:
        if state.patrol < self.options["patrols"] and len(state.deck) > 1:
            state = self._deal_patrol(replace(state, patrol=state.patrol + 1))
            cards_dealt = state.ocean_left + state.torpedoes
            return state, (*events, SAY.event("A7", "second_patrol", cards=cards_dealt))
        return self._finish(state, "win", *events)

    def _deal_patrol(self, state: State) -> State:
        """Deal a supply from the deck, and the ocean from the supply (rules L0, A7)."""
        size = min(self.supply_size, len(state.deck))
        state = replace(state, phase=Phase.PLAN, supply=state.deck[:size], deck=state.deck[size:], ocean=())
        return state if self.options["plan_patrol"] else self._lay_ocean(state, min(TABLES.ocean, size - 1))

    def _lay_ocean(self, state: State, size: int) -> State:
        return replace(state, phase=Phase.PERISCOPE, ocean=state.supply[:size], supply=state.supply[size:])

    def _finish(self, state: State, result: str, *events: Event) -> Step:
        state = replace(state, result=result)
        if len(state.estimated) < len(state.estimates):
            return replace(state, phase=Phase.DRAW, drawing="estimate"), events
        report = SAY.event("L7", f"report.{result}", tons=state.tons, ships=len(state.sunk) + len(state.estimated))
        return replace(state, phase=Phase.END), (*events, report)

    def _estimate(self, state: State, card: int) -> Step:
        state = replace(state, estimated=(*state.estimated, card))
        return self._finish(state, state.result,
                            SAY.event("A2", "estimated", card=cards.named(card), tons=1000 * cards.pips(card)))

    _CHECKS: ClassVar[dict[type, Any]] = {
        Plan: _why_not_plan, Flip: _why_not_flip, Attack: _why_not_attack, Escape: _why_not_escape, Deal: _why_not_deal
    }
    _APPLY: ClassVar[dict[type, Any]] = {
        Plan: _plan, Flip: _flip, Attack: _attack, Decline: _decline, Escape: _escape, Chase: _chase, Return: _return,
        Deal: _deal
    }
