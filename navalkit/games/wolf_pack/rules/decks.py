"""The deck as an option: a table of counts, its notation, and what makes a deck fit to play with (rules W1, W1a)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from navalkit.core.echo import brief
from navalkit.core.errors import NotationError, OptionError

from .cards import ROWS, SIDES, TITLES, WORDS, Card, Counts, parse
from .say import SAY

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
