"""Playing cards as small integers.

A card is ``rank * 4 + suit`` in 0..51: rank 0 is the ace and 12 the king, the suits are clubs, diamonds,
hearts and spades. The two jokers are 52 and 53. In text a card is its rank letter and its suit letter, "8D"
or "TS" ("10S" is understood too); the jokers are "X1" and "X2".
"""

from __future__ import annotations
import operator
from collections.abc import Iterable

from navalkit.core.errors import NotationError, brief
from navalkit.core.files import read, values
from navalkit.core.words import Phrase, Words

__all__ = [
    "as_card", "as_cards", "by_gun", "is_joker", "name", "named", "parse", "parse_many", "pips", "rank", "suit",
    "symbol", "text",
]

SAY = Words.load("navalkit.games.uss_lox", "data/words.toml")


RANKS = "A23456789TJQK"
SUITS = "CDHS"
PACK = range(52)
JOKERS = (52, 53)
JACK, QUEEN, KING = 10, 11, 12
DATA = read("navalkit.games.uss_lox", "data/data.toml")
GUN_TORPEDOES: int = values(DATA["deck_gun"], "deck_gun")["torpedoes"]
"""How many torpedoes sink a jack for certain (rule L3a); no more are fired at her."""

_TEXTS = tuple(r + s for r in RANKS for s in SUITS) + ("X1", "X2")
_NAMES = tuple(SAY.phrase("card", rank=SAY.phrase(f"rank.{card >> 2}"), suit=SAY.phrase(f"suit.{card & 3}"))
               for card in PACK) + tuple(SAY.phrase(f"joker.{joker}") for joker in JOKERS)
_NUMBERS = {text: card for card, text in enumerate(_TEXTS)}


def parse(text: str) -> int:
    """The card that `text` names, such as "8D", "ts", "10S" or "X1".

    Raises
    ------
    NotationError
        If `text` names no card.
    """
    plain = str(text).strip().upper()
    if plain[:2] == "10":
        plain = "T" + plain[2:]
    if plain not in _NUMBERS:
        raise NotationError(SAY("wrong.card", text=brief(text), ranks=RANKS, suits=SUITS))
    return _NUMBERS[plain]


def parse_many(text: str) -> tuple[int, ...]:
    """The cards of a text such as "5H 5S JC", separated by blanks or commas, in the order written."""
    return tuple(parse(word) for word in text.replace(",", " ").split())


def as_card(value: str | int) -> int:
    """`value` as a card number, whether it is a text or a number already.

    Raises
    ------
    NotationError
        If it names no card.
    """
    if isinstance(value, str):
        return parse(value)
    try:
        card = operator.index(value)
    except TypeError:
        raise NotationError(SAY("wrong.card.kind", text=brief(value))) from None
    if not 0 <= card < len(_TEXTS):
        raise NotationError(SAY("wrong.card.number", number=brief(card)))
    return card


def as_cards(values: str | Iterable[str | int]) -> tuple[int, ...]:
    """Card numbers from one text ("5H 5S JC") or from any mixture of texts and numbers, all different.

    Raises
    ------
    NotationError
        If something in it is no card, or if a card is there twice.
    """
    cards = parse_many(values) if isinstance(values, str) else tuple(as_card(value) for value in values)
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise NotationError(SAY("wrong.card.twice", card=text(twice)))
    return cards


def text(card: int) -> str:
    """The notation of a card: "8D", "TS", "X1"."""
    return _TEXTS[as_card(card)]


def is_joker(card: int) -> bool:
    """Whether a card number is that of a joker (rule A1)."""
    return card >= JOKERS[0]


def rank(card: int) -> int:
    """The rank of a card, 0 (ace) to 12 (king); a joker has none (NotationError)."""
    return _plain(card, "rank") >> 2


def by_gun(card: int, torpedoes: int) -> bool:
    """Whether the deck gun sinks her for certain, with that many torpedoes (rule L3a)."""
    return card >> 2 == JACK and torpedoes >= GUN_TORPEDOES


def suit(card: int) -> int:
    """The suit of a card, 0..3 for clubs, diamonds, hearts, spades; a joker has none (NotationError)."""
    return _plain(card, "suit") & 3


def pips(card: int) -> int:
    """What a card counts: the ace 1, the face cards 10, a joker nothing."""
    return 0 if is_joker(card) else min((card >> 2) + 1, 10)


def sum_of(some: Iterable[int]) -> str:
    """What cards add up to: "8 + 7 = 15"."""
    counts = sorted(map(pips, some), reverse=True)
    return f"{' + '.join(map(str, counts))} = {sum(counts)}"


def named(card: int) -> Phrase:
    """The card in words, to be said when it is read: "eight of diamonds", "Karo Acht", "first joker"."""
    return _NAMES[as_card(card)]


def name(card: int) -> str:
    """The card in words, said now to the present reader."""
    return str(named(card))


def symbol(card: int) -> str:
    """The card for the eye: "10♦"; a joker in a word."""
    if is_joker(as_card(card)):
        return SAY("table.joker")
    rank = RANKS[card >> 2]
    return ("10" if rank == "T" else rank) + "♣♦♥♠"[card & 3]


def _plain(card: int, what: str) -> int:
    if not 0 <= card < JOKERS[0]:
        raise NotationError(SAY(f"wrong.joker.{what}", card=text(card)))
    return card
