"""The explorer's questions: how soon is the attack complete, and does the opponent hold a card?"""

from __future__ import annotations
from fractions import Fraction
from typing import Any

import numpy as np

from navalkit.core.words import Words
from navalkit.explore.picture import PHONE, Room, at_sea, rows, type_size, word
from navalkit.explore.question import Answer, Cell, Choice, Marks, Plot, Question, Settings, Switch, Tally, Whole
from navalkit.view.drawings import RATIO, empty_place
from navalkit.view.page import Glance
from navalkit.view.scene import Piece, Rect, Scene, Shape, Style
from . import odds
from .cards import NONE, ROWS, SIDES, TITLES, WORDS, Card, Counts, counts, less, listed, parse, row_counts, total
from .odds import EVEN, kept
from .rules import WolfPack
from .scene import back, face, small
from .state import Observation, Phase

GAME = "wolf-pack"
SAY = Words.load("navalkit.games.wolf_pack", "questions.toml")
_TURNS = 20
_DRAW = odds.DRAW
_SIDE = Choice("side", SIDES[0], {side: f"the {side}" for side in SIDES})


def _pile(name: str, default: str = "") -> Marks:
    cells = tuple(Cell(word, TITLES[i].capitalize(), TITLES[i].lower()) for i, word in enumerate(WORDS))
    return Marks(name, default=default, tally=True, marks=("", *map(str, range(1, max(odds.DEFAULT_DECK) + 1))),
                 rows=(cells[:3], cells[3:6], cells[6:10], cells[10:]), read=lambda word: WORDS[parse(word)])


# What it looks like, and where it arises ------------------------------------------------------------------------------

def _drawn(question: str, settings: Settings, room: Room, hand: str | int) -> Scene:
    """A side's row, what is missing from it dashed, and its hand: face up, or of a number of cards face down."""
    (wide, high), size = room, type_size(room)
    side = SIDES.index(settings["side"])
    w = min((high - 2.6 * size) / RATIO, wide / 8)
    y, shapes, look = 0.5 * (high - 1.6 * size), list[Shape](), face if wide >= PHONE else small
    for i, (card, x) in enumerate(zip(ROWS[side], rows(len(ROWS[side]), 0.02 * wide, 0.46 * wide, w), strict=True)):
        shapes += Piece(card.name, x, y, look(card, w)).placed()
        if i >= settings["laid"]:
            shapes.append(Rect(x - w / 2, y - w * RATIO / 2, w, w * RATIO, Style("sea_shallow", opacity=0.75)))
            shapes += empty_place(x - w / 2, y - w * RATIO / 2, w, w * RATIO)
    held = [back(w)] * hand if isinstance(hand, int) else [look(parse(name), w) for name in hand.split()]
    for i, x in enumerate(rows(len(held), 0.52 * wide, 0.98 * wide, w)):
        shapes += Piece(f"hand {i}", x, y, held[i]).placed()
    shapes.append(word(0.24 * wide, high - 1.1 * size, SAY("picture.row", n=settings["laid"], side=SIDES[side]), size))
    shapes.append(word(0.75 * wide, high - 1.1 * size, SAY("picture.hand", n=len(held)), size))
    told = SAY("picture.desc", n=settings["laid"], side=SIDES[side], hand=len(held))
    return at_sea(room, shapes, SAY(f"{question}.title"), told)


def _pile_of(some: Counts) -> str:
    """Cards as a board of marks has them."""
    return " ".join(WORDS[card] for card in listed(some))


def _complete_here(glance: Glance[Any, Observation, Any]) -> dict[str, Any] | None:
    """The own attack: the hand one holds, and of the other cards those that lie face up."""
    seen = glance.seen
    if seen.cards != odds.DEFAULT_DECK or seen.result or not any(seen.hand):
        return None
    both = row_counts((0, seen.rows[1]) if seen.me == 0 else (seen.rows[0], 0))
    elsewhere = total(total(seen.discards, seen.known), both)
    drawn = seen.side == seen.me and seen.phase in (Phase.DISCARD, Phase.ACTION)
    return {"side": SIDES[seen.me], "laid": seen.rows[seen.me], "drawn": drawn, "hand": _pile_of(seen.hand),
            "seen": _pile_of(elsewhere)}


# How soon is the attack complete? ------------------------------------------------------------------------------------

def _within(settings: Settings, turns: int) -> Fraction:
    row = ROWS[SIDES.index(settings["side"])][: settings["laid"]]
    return odds.complete_within(settings["hand"], side=settings["side"], turns=turns, row=row, seen=settings["seen"],
                                drawn=settings["drawn"])


def _complete(settings: Settings) -> Answer:
    turns, side = settings["turns"], SIDES.index(settings["side"])
    chances = [_within(settings, k) for k in range(_TURNS + 1)]
    missing = ROWS[side][settings["laid"] :]
    held = counts(settings["hand"])
    unseen = _unseen(settings)
    need = [card for card in missing if not held[card]]
    among = SAY("among").join(SAY("copies", card=card.title, copies=unseen[card], unseen=sum(unseen)) for card in need)
    return Answer(
        chances[turns],
        (
            Plot("by-turn", tuple(map(str, range(_TURNS + 1))), tuple(map(float, chances)), turns),
            Plot("on-turn", tuple(map(str, range(1, _TURNS + 1))),
                 tuple(float(b - a) for a, b in zip(chances, chances[1:], strict=False)), turns - 1 if turns else None),
        ),
        ("missing", "copies", "draw") if need else ("missing", "in-hand"),
        ("alone", "deck"),
        ("unseen",),
        {
            "side": SIDES[side], "turns": turns, "draw": _DRAW, "unseen": sum(unseen), "copies": among,
            "missing": SAY("then").join(card.title for card in missing),
        },
    )


def _complete_given(settings: Settings) -> dict[str, Any]:
    """The missing cards, those in the hand, and how many of each lie unseen."""
    unseen, side = _unseen(settings), SIDES.index(settings["side"])
    return {"turns": settings["turns"], "drawn": settings["drawn"], "draw": _DRAW, "hand": settings["hand"].split(),
            "missing": [WORDS[card] for card in ROWS[side][settings["laid"] :]],
            "copies": {WORDS[card]: unseen[card] for card in Card if unseen[card]}, "unseen": sum(unseen)}


def _unseen(settings: Settings) -> Counts:
    side = SIDES.index(settings["side"])
    row = row_counts((settings["laid"], 0) if side == 0 else (0, settings["laid"]))
    return less(odds.DEFAULT_DECK, total(total(counts(settings["hand"]), counts(settings["seen"])), row))


def _deal(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Decks shuffled and drawn from turn by turn, the row laid as soon as it can be."""
    unseen, held = _unseen(settings), counts(settings["hand"])
    deck = np.array(list(map(int, listed(unseen))), dtype=np.int8)
    order = deck[np.argsort(rng.random((n, len(deck))), axis=1)]
    done = np.zeros(n, dtype=np.int64)
    for card in ROWS[SIDES.index(settings["side"])][settings["laid"] :]:
        place = np.where((order == card).any(axis=1), (order == card).argmax(axis=1), 10**6)
        turn = place // _DRAW + 1 + settings["drawn"]
        done = np.maximum(done + 1, 1 if held[card] else turn)
    by = (done[:, None] <= np.arange(_TURNS + 1)).sum(axis=0)
    return Tally.of(done <= settings["turns"], by, np.diff(by))


COMPLETE = Question(
    "wolf-complete", GAME, SAY,
    (
        _SIDE, Whole("turns", 5, 0, _TURNS), Whole("laid", 0, 0, 2), Switch("drawn"), _pile("hand", "periscope"),
        _pile("seen"),
    ),
    _complete, _deal, inverse="turns", gains=(("turns", 1, "turn"), ("laid", 1, "laid")),
    picture=lambda settings, answer, room: _drawn("wolf-complete", settings, room, settings["hand"]),
    here=_complete_here, given=_complete_given,
)


# Does the opponent hold it? ------------------------------------------------------------------------------------------

def _observed(settings: Settings) -> Observation:
    """What the asking side knows: the cards seen lie among the discards, and the opponent's row is on the table."""
    them = SIDES.index(settings["side"])
    laid = settings["laid"]
    rows = (laid, 0) if them == 0 else (0, laid)
    deck = odds.DEFAULT_DECK
    seen = counts(settings["seen"])
    left = sum(less(deck, total(seen, row_counts(rows)))) - settings["cards"]
    game = _GAME
    return Observation(1 - them, Phase.ACTION, 1 - them, 1, NONE, settings["cards"], rows, (0, 0), seen, deck, left, 1,
                       NONE, NONE, (None, None), "", deck, (game.options["transports"], game.options["u_boats"]), 100)


_GAME = WolfPack()


def _holds(settings: Settings) -> Answer:
    seen, card, n = _observed(settings), parse(settings["card"]), settings["cards"]
    them = SIDES.index(settings["side"])
    weights = kept(them, settings["laid"]) if settings["kept"] else EVEN
    held = odds.held(card, observation=seen, weights=weights)
    every = [odds.held(kind, observation=seen, weights=weights).at_least(1) for kind in Card]
    left, size = seen.unseen[card], sum(seen.unseen)
    most = max(4, max(held))
    return Answer(
        held.at_least(1),
        (
            Plot("held", tuple(map(str, range(most + 1))), tuple(float(held[k]) for k in range(most + 1))),
            Plot("kinds", tuple(title.capitalize() for title in TITLES), tuple(map(float, every)), int(card)),
        ),
        ("copies", "weighed" if settings["kept"] else "counting"),
        ("kept",) if settings["kept"] else ("even",),
        ("mean",),
        {
            "side": SIDES[them], "card": card.title, "copies": left, "unseen": size, "others": size - left, "hand": n,
            "mean": float(held.mean),
            **{name: float(weights[card][min(i, len(weights[card]) - 1)])
               for i, name in enumerate(("weight", "again", "further"))},
        },
    )


def _holds_given(settings: Settings) -> dict[str, Any]:
    """How many of each kind are unseen, and how likely each copy of one is kept."""
    seen, weights = _observed(settings), EVEN
    if settings["kept"]:
        weights = kept(SIDES.index(settings["side"]), settings["laid"])
    kinds = [card for card in Card if seen.unseen[card] or card == parse(settings["card"])]
    return {"card": WORDS[parse(settings["card"])], "cards": settings["cards"],
            "unseen": {WORDS[card]: seen.unseen[card] for card in kinds},
            "worth": {WORDS[card]: list(weights[card]) for card in kinds}}


def _guess(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Hands drawn card by card; if cards are kept for their worth, a hand counts only as often as it is worth it."""
    seen, card = _observed(settings), parse(settings["card"])
    deck = np.array(list(map(int, listed(seen.unseen))))
    hands = deck[np.argsort(rng.random((n, len(deck))), axis=1)[:, : settings["cards"]]]
    if settings["kept"]:
        weights = np.array(kept(SIDES.index(settings["side"]), settings["laid"]), dtype=float)
        hands = np.sort(hands, axis=1)
        place = np.arange(hands.shape[1])
        starts = np.diff(hands, axis=1, prepend=-1) != 0
        copy = place - np.maximum.accumulate(np.where(starts, place, 0), axis=1)  # 0 for the first of its kind
        worth = weights[hands, np.minimum(copy, weights.shape[1] - 1)] / weights[deck].max()
        hands = hands[rng.random(n) < worth.prod(axis=1)]
    number = (hands == card).sum(axis=1)
    most = max(4, max(odds.held(card, observation=seen)))
    kinds = [int((hands == kind).any(axis=1).sum()) for kind in Card]
    return Tally.of(number > 0, np.bincount(number.astype(np.intp), minlength=most + 1), kinds, tried=n)


HOLDS = Question(
    "wolf-holds", GAME, SAY,
    (
        _SIDE, Choice("card", "transport", dict(zip(WORDS, map(str.capitalize, TITLES), strict=True))),
        Whole("cards", 5, 0, 7), Whole("laid", 0, 0, 2), Switch("kept"), _pile("seen"),
    ),
    _holds, _guess, inverse="cards", gains=(("cards", 1, "card"),),
    picture=lambda settings, answer, room: _drawn("wolf-holds", settings, room, settings["cards"]),
    given=_holds_given,
)

QUESTIONS: tuple[Question, ...] = (COMPLETE, HOLDS)
