"""The eleven kinds of card of Wolf Pack, and counted piles of them.

Cards of one kind are alike, so a hand, the discard pile or the deck is a `Counts`: how many of each kind it holds, in
the order of `Card`.
"""

from __future__ import annotations
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Any

from navalkit.core.errors import NotationError, OptionError, brief
from navalkit.core.words import Words

__all__ = ["Card", "counts", "less", "listed", "parse", "plus", "row_counts", "total", "write"]

SAY = Words.load("navalkit.games.wolf_pack", "data/words.toml")


class Card(IntEnum):
    """A kind of card; its number is its place in `Counts`."""

    PERISCOPE = 0
    TORPEDO = 1
    TRANSPORT = 2
    SONAR = 3
    CHARGES = 4
    UBOAT = 5
    DIVE = 6
    SWEEP = 7
    MOUSE = 8
    MISS = 9
    WATER = 10

    def __str__(self) -> str:
        return WORDS[self]

    @property
    def title(self) -> str:
        """The name as printed on the card, in English, as rules and records have it."""
        return TITLES[self]

    @property
    def named(self) -> str:
        """The same, for the present reader."""
        return SAY.named(TITLES[self])


Counts = tuple[int, ...]  # number of cards of each kind, shape (11,)

WORDS = ("periscope", "torpedo", "transport", "sonar", "charges", "u-boat", "dive", "sweep", "mouse", "miss", "water")
"""The kinds in notation, in order."""
TITLES = (
    "PERISCOPE", "TORPEDO", "TRANSPORT", "SONAR", "DEPTH CHARGES", "U-BOAT", "DIVE", "DESTROYER SWEEP", "CAT AND MOUSE",
    "NEAR MISS", "WATER"
)
NONE: Counts = (0,) * len(Card)  # no cards

UBOATS, CONVOY = 0, 1  # the sides, as player numbers
SIDES = ("U-boats", "convoy")
ROWS = ((Card.PERISCOPE, Card.TORPEDO, Card.TRANSPORT), (Card.SONAR, Card.CHARGES, Card.UBOAT))
"""The attack row of each side, in the order it must be laid (rules W6, W7)."""
CLEARS = (Card.DIVE, Card.SWEEP)  # the card with which each side clears both rows (rules W8, W9)
RAIDS = (Card.MOUSE, Card.MISS)  # the cards that cost the opponent a card, for either side (rule W10)

_WORD_TO_CARD = dict(zip(WORDS, Card, strict=True)) | {
    "uboat": Card.UBOAT, "depth-charges": Card.CHARGES, "destroyer-sweep": Card.SWEEP, "cat-and-mouse": Card.MOUSE,
    "near-miss": Card.MISS
}


def parse(text: str) -> Card:
    """The card of that name ("u-boat", "depth charges"); case does not matter.

    Raises
    ------
    NotationError
        If there is no such card; the sentence lists them.
    """
    card = _WORD_TO_CARD.get("-".join(text.lower().replace("_", " ").split())) if isinstance(text, str) else None
    if card is None:
        raise NotationError(SAY("wrong.card", card=brief(text), cards=", ".join(WORDS)))
    return card


def counts(cards: str | Iterable[str | Card] | Counts) -> Counts:
    """A pile of cards, counted.

    Parameters
    ----------
    cards : str, iterable of Card or of names, or Counts
        "sonar sonar water", or ``[Card.SONAR, "water"]``. A tuple of eleven plain numbers is taken as counts.

    Raises
    ------
    NotationError
        If something in it is no card.
    """
    given: list[Any] = cards.replace(",", " ").split() if isinstance(cards, str) else list(cards)
    if len(given) == len(Card) and all(type(n) is int and n >= 0 for n in given):
        return tuple(given)
    pile = [0] * len(Card)
    for card in given:
        pile[card if isinstance(card, Card) else parse(card)] += 1
    return tuple(pile)


def listed(pile: Sequence[int]) -> Iterator[Card]:
    """The cards of a counted pile, one by one, in the order of `Card`."""
    for card in Card:
        for _ in range(pile[card]):
            yield card


def plus(pile: Counts, card: int, n: int = 1) -> Counts:
    """The pile with ``n`` more of that card (fewer, if negative).

    Parameters
    ----------
    pile : Counts
    card : int
    n : int

    Returns
    -------
    Counts

    >>> plus(NONE, Card.SONAR, 2)
    (0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0)
    """
    return (*pile[:card], pile[card] + n, *pile[card + 1 :])


def total(a: Counts, b: Counts) -> Counts:
    """Two piles in one."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


def less(a: Counts, b: Counts) -> Counts:
    """What is left of ``a`` without ``b``."""
    return tuple(x - y for x, y in zip(a, b, strict=True))


def row_counts(rows: tuple[int, int]) -> Counts:
    """The cards that lie in both rows, given how many each holds."""
    pile = [0] * len(Card)
    for side in (UBOATS, CONVOY):
        for card in ROWS[side][: rows[side]]:
            pile[card] += 1
    return tuple(pile)


def show(pile: Counts) -> str:
    """A pile in words: "2 sonar, water"; "-" for none."""
    return ", ".join(f"{n} {WORDS[i]}" if n > 1 else WORDS[i] for i, n in enumerate(pile) if n) or "-"


# -- The deck as an option: a table of counts, its notation, and what makes a deck fit to play with (rules W1, W1a)

DEFAULT = "default"
MOST_OF_A_KIND = 60


def least(hand: int) -> int:
    """The fewest cards with which something is always left to draw: two hands, two open rows, and one more."""
    return 2 * hand + 2 * (len(ROWS[0]) - 1) + 1


def check(cards: Mapping[Card, int], hand: int) -> Counts:
    """The deck as counts; OptionError with the reason if it cannot be played with, or not won by both sides.

    ``hand``: the largest hand a side may keep.
    """
    for card in Card:
        n = cards.get(card, 0)
        if not 0 <= n <= MOST_OF_A_KIND:
            raise OptionError(SAY("deck.kind", most=MOST_OF_A_KIND, n=n, card=TITLES[card]))
    for side, row in enumerate(ROWS):
        for card in row:
            if not cards.get(card, 0):
                raise OptionError(SAY("deck.none", card=TITLES[card], side=SIDES[side]))
    if (size := sum(cards.values())) < least(hand):
        raise OptionError(SAY("deck.small", size=size, held=least(hand) - 1, least=least(hand)))
    return tuple(cards.get(card, 0) for card in Card)


@lru_cache(maxsize=256)
def read(text: str, default: Counts, hand: int) -> Counts:
    """The deck of a notation; OptionError if it is malformed or cannot be played with. ``text``: "default", or
    ``kind=count`` for every kind that differs from the default deck. ``hand``: the largest hand a side may keep."""
    table = dict(zip(Card, default, strict=True))
    given: set[Card] = set()
    for part in text.replace(",", " ").split():
        if part.lower() == DEFAULT:
            continue
        word, _, number = part.partition("=")
        try:
            card = parse(word)
        except NotationError as error:
            raise OptionError(str(error)) from None
        if not (number.isascii() and number.isdigit() and len(number) < 4):
            raise OptionError(SAY("deck.count", part=brief(part), card=WORDS[card]))
        if card in given:
            raise OptionError(SAY("deck.twice", card=WORDS[card]))
        given.add(card)
        table[card] = int(number)
    return check(table, hand)


def write(deck: Counts, default: Counts) -> str:
    """The shortest notation of a deck."""
    return " ".join(f"{WORDS[c]}={deck[c]}" for c in Card if deck[c] != default[c]) or DEFAULT
