"""Wolf Pack: what the state of a game is made of, the actions, and what each side may see of it.

Cards of the deck have no identity until they are drawn: the state knows how many of each kind are left, and chance
says which one comes next.
"""

from __future__ import annotations
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from navalkit.core.codec import Codec, Form, one_of, series, upto, written_as
from navalkit.core.errors import NotationError, brief
from navalkit.core.files import read, sourced, values
from navalkit.core.game import OptionSpec, read_options
from navalkit.core.shown import OneLine
from . import cards
from .cards import NONE, SAY, SIDES, WORDS, Card, Counts, less, parse, row_counts, total


class Phase(StrEnum):
    """What comes next."""

    DRAW = "draw"  # chance: `State.side` draws a card
    DISCARD = "discard"  # `State.side` has more than five cards
    ACTION = "action"  # `State.side` plays one card, or passes
    LOSS = "loss"  # chance: the opponent of `State.side` loses a random card
    END = "end"


@written_as("discard {card}")
class Discard:
    """Lay one card too many face up on the discard pile (rule W4)."""

    card: Card


@written_as("play {card}")
class Play:
    """Play a card: into the own row, or for what it does (rules W5 to W10)."""

    card: Card


@written_as("pass")
class Pass:
    """Play nothing this turn (rule W5)."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Chance: the card that a side draws (rules W0, W3)."""

    side: int
    card: Card

    def __str__(self) -> str:
        return f"{SIDES[self.side].lower()} draw {self.card}"


@dataclass(frozen=True, slots=True)
class Lost:
    """Chance: the card that a side loses from its hand (rule W10)."""

    side: int
    card: Card

    def __str__(self) -> str:
        return f"{SIDES[self.side].lower()} lose {self.card}"


Action = Discard | Play | Pass | Drawn | Lost


@dataclass(frozen=True, slots=True, repr=False)
class State(OneLine):
    """A game at one moment; U-boats first wherever there are two of something."""

    phase: Phase  # what comes next
    side: int = 0  # whose draw, discard or action it is (0 U-boats, 1 convoy)
    turn: int = 0  # from 1; 0 while the first hands are dealt
    to_draw: int = 0  # cards that ``side`` has yet to draw in this phase
    hands: tuple[Counts, Counts] = (NONE, NONE)  # each is hidden from the other side
    rows: tuple[int, int] = (0, 0)  # how many cards lie in each row, 0 to 2
    sunk: tuple[int, int] = (0, 0)  # transports sunk by the U-boats, U-boats sunk by the convoy
    discards: Counts = NONE  # the pile of discards, face up
    pool: Counts = NONE  # what was shuffled into the present deck: public, since it had lain face up
    deck: Counts = NONE  # what is left of it: hidden but for its size
    shuffles: int = 1  # which deck it is, from 1
    losses: int = 0  # cards lost at random so far
    # cards of each hand that the other side knows of by counting (rule W13)
    known: tuple[Counts, Counts] = (NONE, NONE)
    last: tuple[Action | None, Action | None] = (None, None)  # what each side did last
    result: str = ""  # "U-boats", "convoy" or "draw" once that is decided


@dataclass(frozen=True, slots=True, repr=False)
class Observation(OneLine):
    """All that one side may know, and nothing else."""

    me: int  # the side that looks
    # phase, side, turn, rows, sunk, discards, pool, shuffles, last, result: as in `State`
    phase: Phase
    side: int
    turn: int
    hand: Counts  # the own hand
    their_size: int  # how many cards the opponent holds
    rows: tuple[int, int]
    sunk: tuple[int, int]
    discards: Counts
    pool: Counts
    deck_size: int  # how many cards are left in the deck
    shuffles: int
    known: Counts  # cards the opponent is known to hold (rule W13)
    my_known: Counts  # own cards that the opponent knows of
    last: tuple[Action | None, Action | None]
    result: str
    cards: Counts  # all cards of the game
    goals: tuple[int, int]  # transports and U-boats to sink for victory
    turn_limit: int  # the last turn

    @property
    def seen(self) -> Counts:
        """The cards whose place is known: own hand, rows, discards, and what the opponent surely holds."""
        return total(total(self.hand, row_counts(self.rows)), total(self.discards, self.known))

    @property
    def unseen(self) -> Counts:
        """The other cards: they lie in the deck or, unknown, in the opponent's hand."""
        return less(self.cards, self.seen)


# -- Typed loader of data.toml: figures, default deck, options and sentences of Wolf Pack ----------

@dataclass(frozen=True, slots=True)
class Race:
    """What is ahead in the race of the two sides for their strikes, fitted to careful players (`odds.race`)."""

    strike: tuple[float, float]
    """What a transport still to sink puts the U-boats behind, and a U-boat the convoy."""
    noise: tuple[float, float]
    """The variance that each of them adds."""
    ahead: tuple[float, ...]
    """How far each of 19 standings (`odds.standing`) puts the U-boats ahead."""
    spread: tuple[float, ...]
    """The variance that each of them adds."""


Weights = tuple[tuple[Fraction, ...], ...]
"""What the first, second ... card of each kind counts, shape (11, n); the last stands for all further ones. Only the
proportions matter."""


@dataclass(frozen=True, slots=True)
class Tables:
    """All of data.toml but its sentences."""

    hand: int
    draw: int
    deck: Counts
    kept: tuple[Mapping[tuple[int, bool, str], Weights], ...]
    """Of each side: cards in its row, whether it has drawn since it acted, what it did last -> the weights of each kind
    (`odds.kept`)."""
    soon: tuple[Mapping[tuple[int, bool], Weights], ...]
    """Of each side: an early turn, whether it has drawn since it acted -> what those weights are multiplied with."""
    race: Race
    options: tuple[OptionSpec, ...]


def _load() -> Tables:
    data = read("navalkit.games.wolf_pack", "data/data.toml")
    setup = values(data["setup"], "setup")
    hand = setup["hand"]
    deck = cards.check({parse(key): number for key, number in values(data["deck"], "deck").items()}, hand)

    def canonical(text: str) -> str:
        return cards.write(cards.read(text, deck, hand), deck)

    sides = [{tuple(key.split()): tuple(tuple(Fraction(str(weight)) for weight in row) for row in rows)
              for key, rows in sourced(table, f"kept.{side}").items()}
             for side, table in read("navalkit.games.wolf_pack", "data/kept.toml").items()]
    kept = tuple({(int(row), drawn == "drawn", did): weights for (row, drawn, did), weights in side.items()
                  if row != "turn"} for side in sides)
    soon = tuple({(int(turn), drawn == "drawn"): weights for (row, turn, drawn), weights in side.items()
                  if row == "turn"} for side in sides)
    race = Race(**{name: tuple(value) for name, value in sourced(data["race"], "race").items()})
    options = read_options(data["option"], deck={"read": canonical, "form": SAY("deck.form")})
    return Tables(hand, setup["draw"], deck, kept, soon, race, options)


TABLES = _load()


# -- Text <-> action and text <-> state of Wolf Pack -----------------------------------------------

_VERBS: dict[str, Callable[[Card], Action]] = {"play": Play, "lay": Play, "discard": Discard, "throw": Discard}
_CHANCE: dict[str, Callable[[int, Card], Action]] = {"draw": Drawn, "draws": Drawn, "lose": Lost, "loses": Lost}
_ROLES = {side.lower(): i for i, side in enumerate(SIDES)}
_PILE = re.compile(r"(?:(\d{1,3})\*)?([a-z-]+)")


def parse_action(text: str) -> Action:
    """The action of that notation; case and extra blanks do not matter. ``text``: "play sonar", "play depth charges",
    "discard water", "pass"; chance's actions are written "u-boats draw sonar" and "convoy lose water". NotationError if
    it is none of these."""
    words = text[:200].lower().split()
    if words == ["pass"]:
        return Pass()
    if len(words) > 1 and words[0] in _VERBS:
        return _VERBS[words[0]](cards.parse(" ".join(words[1:])))
    if len(words) > 2 and words[0] in _ROLES and words[1] in _CHANCE:
        return _CHANCE[words[1]](_ROLES[words[0]], cards.parse(" ".join(words[2:])))
    raise NotationError(SAY("wrong.order", text=brief(text)))


def format_state(state: State) -> str:
    """The state as one line."""
    return STATES.write(state)


def parse_state(text: str, deck: Counts, goals: tuple[int, int]) -> State:
    """The state of that notation. ``text``: as `format_state` gives it. ``deck``: all cards of the game: each must lie
    somewhere. ``goals``: transports and U-boats to sink for victory. NotationError naming the field that is wrong, or
    what does not fit together."""
    state = STATES.read(text)
    if wrong := _misfit(state, deck, goals):
        raise NotationError(wrong)
    return state


def _show_pile(pile: Counts) -> str:
    return ",".join(f"{n}*{WORDS[i]}" if n > 1 else WORDS[i] for i, n in enumerate(pile) if n) or "-"


def _read_pile(text: str) -> Counts:
    pile = [0] * len(Card)
    for part in text.split(",") if text != "-" else ():
        match = _PILE.fullmatch(part)
        if match is None or match[2] not in WORDS or pile[WORDS.index(match[2])] or match[1] == "0":
            raise ValueError(part)
        pile[WORDS.index(match[2])] = int(match[1] or 1)
    return tuple(pile)


def _read_last(text: str) -> Action | None:
    return None if text == "-" else parse_action(text.replace("_", " "))


_PILE_FORM, _SMALL = Form(_show_pile, _read_pile, whole=True), upto(999_999)
_LAST = Form(lambda action: str(action or "-").replace(" ", "_"), _read_last)
STATES = Codec(State, {
    int: _SMALL, "discards": _PILE_FORM, "pool": _PILE_FORM, "deck": _PILE_FORM,
    "hands": series(_PILE_FORM, "/", 2), "known": series(_PILE_FORM, "/", 2), "rows": series(_SMALL, "/", 2),
    "sunk": series(_SMALL, "/", 2), "last": series(_LAST, "/", 2), "result": one_of((*SIDES, "draw")),
})
"""States as text: piles as "2*water,sonar", what there is two of as "1/0", U-boats first."""


def _misfit(state: State, deck: Counts, goals: tuple[int, int]) -> str | None:
    """What does not fit together, if anything."""
    if state.side not in (0, 1):
        return SAY("wrong.side", side=state.side)
    if max(state.rows) > 2:
        return SAY("wrong.row")
    lying = cards.total(cards.row_counts(state.rows), cards.total(state.discards, state.deck))
    for pile in state.hands:
        lying = cards.total(lying, pile)
    for card in Card:
        if lying[card] != deck[card]:
            return SAY("wrong.count", n=lying[card], card=card.title, deck=deck[card])
        if state.deck[card] > state.pool[card] or state.pool[card] > deck[card]:
            return SAY("wrong.pool", card=card.title)
        if any(known[card] > hand[card] for known, hand in zip(state.known, state.hands, strict=True)):
            return SAY("wrong.known", card=card.title)
    if (state.phase is Phase.END) != bool(state.result):
        return SAY("wrong.result")
    if state.result != "draw" and any(
        (sunk >= goal) != (state.result == side) for sunk, goal, side in zip(state.sunk, goals, SIDES, strict=True)
    ):
        return SAY("wrong.sunk")
    if (state.phase is Phase.DRAW) != bool(state.to_draw):
        return SAY("wrong.to_draw")
    if state.phase is Phase.DRAW and state.deck == NONE:
        return SAY("wrong.empty")
    if state.phase is Phase.LOSS and not any(state.hands[1 - state.side]):
        return SAY("wrong.loss")
    if state.shuffles < 1:
        return SAY("wrong.shuffles")
    return None
