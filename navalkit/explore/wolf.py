"""The questions about Wolf Pack: how soon is the attack complete, and does the opponent hold a card?"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from navalkit.games.wolf_pack import odds
from navalkit.games.wolf_pack.belief import EVEN, kept
from navalkit.games.wolf_pack.cards import (
    NONE,
    ROWS,
    SIDES,
    TITLES,
    WORDS,
    Card,
    Counts,
    counts,
    less,
    listed,
    parse,
    row_counts,
    total,
)
from navalkit.games.wolf_pack.rules import WolfPack
from navalkit.games.wolf_pack.state import Observation, Phase

from .controls import Cell, Choice, Marks, Settings, Switch, Whole
from .question import Answer, Plot, Question, Tally

GAME = "wolf-pack"
_TURNS = 20
_DRAW = odds.DRAW
_SIDE = Choice(name="side", label="Side", default=SIDES[0], choices=tuple((side, f"the {side}") for side in SIDES))
_NUMBERS = (("", "none"), *((str(n), str(n)) for n in range(1, 7)))


def _pile(name: str, label: str, default: str, help: str) -> Marks:
    cells = tuple(Cell(word, TITLES[i].capitalize(), TITLES[i].lower()) for i, word in enumerate(WORDS))
    return Marks(
        name=name, label=label, default=default, help=help, tally=True, marks=_NUMBERS,
        rows=(cells[:3], cells[3:6], cells[6:10], cells[10:]), read=lambda word: WORDS[parse(word)],
    )  # fmt: skip


# How soon is the attack complete? ------------------------------------------------------------------------------------


def _within(settings: Settings, turns: int) -> Fraction:
    row = ROWS[SIDES.index(settings["side"])][: settings["laid"]]
    return odds.complete_within(
        settings["hand"], side=settings["side"], turns=turns, row=row, seen=settings["seen"], drawn=settings["drawn"]
    )


def _complete(settings: Settings) -> Answer:
    turns, side = settings["turns"], SIDES.index(settings["side"])
    chances = [_within(settings, k) for k in range(_TURNS + 1)]
    missing = ROWS[side][settings["laid"] :]
    held = counts(settings["hand"])
    unseen = _unseen(settings)
    need = [card for card in missing if not held[card]]
    how = [
        f"To come: {', then '.join(card.title for card in missing)}, one a turn.",
        *(f"{card.title}: {unseen[card]} among {sum(unseen)} unseen cards." for card in need),
        f"{_DRAW} cards are drawn on each own turn. A card to be laid i turns before the last must be drawn by then; "
        "inclusion and exclusion over the kinds that come too late gives the chance.",
    ]
    if not need:
        how = [how[0], "All of them are in hand: only the turns count."]
    return Answer(
        chances[turns],
        f"The chance that the {SIDES[side]} complete the attack within {turns} {'turn' if turns == 1 else 'turns'}.",
        (
            Plot("by-turn", "Chance that the attack is complete by turn", "own turns",
                 tuple(map(str, range(_TURNS + 1))),
                 tuple(map(float, chances)), turns),
            Plot("on-turn", "Chance that it is completed on turn", "own turns", tuple(map(str, range(1, _TURNS + 1))),
                 tuple(float(b - a) for a, b in zip(chances, chances[1:], strict=False)), turns - 1 if turns else None),
        ),
        tuple(how),
        ("Nobody interferes: no raid, no clearing, no reshuffle; no needed card is discarded.", "The default deck."),
        facts=(("Unseen cards", str(sum(unseen))),),
    )  # fmt: skip


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
    "wolf-complete", GAME, "How soon is the attack complete?",
    (
        _SIDE,
        Whole(name="turns", label="Own turns", default=5, low=0, high=_TURNS),
        Whole(name="laid", label="Cards laid in the row", default=0, low=0, high=2),
        Switch(name="drawn", label="Drawn already this turn", default=False),
        _pile("hand", "Your hand", "periscope", "Click a card once for each you hold."),
        _pile("seen", "Other cards seen", "", "Discards, the other row, and what the opponent surely holds."),
    ),
    _complete, _deal, inverse="turns", gains=(("turns", 1, "one more turn"), ("laid", 1, "one more card in the row")),
)  # fmt: skip


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
    return Observation(
        1 - them, Phase.ACTION, 1 - them, 1, NONE, settings["cards"], rows, (0, 0), seen, deck, left, 1, NONE, NONE,
        ("", ""), "", deck, (game.options["transports"], game.options["u_boats"]), 100,
    )  # fmt: skip


_GAME = WolfPack()


def _holds(settings: Settings) -> Answer:
    seen, card, n = _observed(settings), parse(settings["card"]), settings["cards"]
    them = SIDES.index(settings["side"])
    weights = kept(them, settings["laid"]) if settings["kept"] else EVEN
    held = odds.held(card, observation=seen, weights=weights)
    every = [odds.held(kind, observation=seen, weights=weights).at_least(1) for kind in Card]
    left, size = seen.unseen[card], sum(seen.unseen)
    most = max(4, max(held))
    how = [
        f"{left} {card.title} are among the {size} cards whose place is unknown; {n} of those are in the hand.",
        f"Counting alone: 1 − C({size - left}, {n}) / C({size}, {n}).",
    ]
    if settings["kept"]:
        how[1] = (
            "A hand is chosen: hands count by the product of C(u, h) w^h over the kinds, with a weight "
            "w for how likely a "
            f"kind is kept, measured on careful players; {card.title} here {float(weights[card]):.2f}."
        )
    return Answer(
        held.at_least(1),
        f"The chance that the {SIDES[them]} hold {card.title}.",
        (
            Plot("held", f"{card.title} in the hand", "cards", tuple(map(str, range(most + 1))),
                 tuple(float(held[k]) for k in range(most + 1))),
            Plot("kinds", "Chance to be held, every kind", "", tuple(title.capitalize() for title in TITLES),
                 tuple(map(float, every)), int(card)),
        ),
        tuple(how),
        (("A hand is weighed by what is worth keeping.",) if settings["kept"] else
         ("The unknown cards of the hand are a random choice from the unseen; kept cards are chosen, so this errs.",)),
        facts=(("Mean number held", f"{float(held.mean):.2f}"),),
    )  # fmt: skip


def _guess(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Hands drawn card by card; if cards are kept for their worth, a hand counts only as often as it is worth it."""
    seen, card = _observed(settings), parse(settings["card"])
    deck = np.array(list(map(int, listed(seen.unseen))))
    hands = deck[np.argsort(rng.random((n, len(deck))), axis=1)[:, : settings["cards"]]]
    if settings["kept"]:
        weights = np.array([float(w) for w in kept(SIDES.index(settings["side"]), settings["laid"])])
        hands = hands[rng.random(n) < (weights / weights[np.unique(deck)].max())[hands].prod(axis=1)]
    number = (hands == card).sum(axis=1)
    most = max(4, max(odds.held(card, observation=seen)))
    kinds = [int((hands == kind).any(axis=1).sum()) for kind in Card]
    return Tally.of(number > 0, np.bincount(number.astype(np.intp), minlength=most + 1), kinds, tried=n)


HOLDS = Question(
    "wolf-holds", GAME, "Does the opponent hold it?",
    (
        Choice(name="side", label="Opponent", default=SIDES[0], choices=tuple((side, f"the {side}") for side in SIDES)),
        Choice(name="card", label="Card", default="transport",
               choices=tuple((word, title.capitalize()) for word, title in zip(WORDS, TITLES, strict=True))),
        Whole(name="cards", label="Cards in the hand", default=5, low=0, high=7),
        Whole(name="laid", label="Cards in that row", default=0, low=0, high=2),
        Switch(name="kept", label="Kept cards are chosen", default=False),
        _pile("seen", "Cards seen", "", "Your hand, your row and the discards."),
    ),
    _holds, _guess, inverse="cards", gains=(("cards", 1, "one more card in the hand"),),
)  # fmt: skip

QUESTIONS: tuple[Question, ...] = (COMPLETE, HOLDS)
