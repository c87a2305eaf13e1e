"""The questions about USS Lox: does the salvo score, does the boat get away, what is a patrol worth?"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np

from navalkit.games.uss_lox import cards, cribbage, odds, patrols
from navalkit.games.uss_lox.tables import TABLES

from .controls import Cell, Choice, Marks, Settings, Switch, Whole
from .question import Answer, Plot, Question, Tally

GAME = "uss-lox"
SALVO = (0, 1, 2, 3)
_SIGNS = "♣♦♥♠"
_INDEX = dict(zip(cards.RANKS, ("A", *map(str, range(2, 11)), "J", "Q", "K"), strict=True))


def _label(card: int) -> str:
    return _INDEX[cards.RANKS[card >> 2]] + _SIGNS[card & 3]


_DECK = tuple(
    tuple(Cell(cards.text(card), _label(card), cards.name(card), cards.SUIT_NAMES[suit]) for card in range(suit, 52, 4))
    for suit in range(4)
)
_SEEN = Marks(
    name="seen", label="Cards seen", rows=_DECK, read=lambda word: cards.text(cards.parse(word)),
    help="Click a card that lies face up: it cannot be among the torpedoes.",
)  # fmt: skip
_JOKERS = Whole(
    name="jokers", label="Jokers unseen", default=0, low=0, high=2, help="A joker among the torpedoes is a dud."
)
_NOB = Switch(name="nob", label="His nob", default=False, help="A jack of the ship's suit hits her.")
_EVEN = "Every unseen card is as likely as any other to be among those drawn."


# Does the salvo score? -----------------------------------------------------------------------------------------------


def _sink(settings: Settings) -> Answer:
    card, n = cards.parse(settings["ship"]), settings["torpedoes"]
    known = {key: settings[key] for key in ("seen", "jokers", "nob")}
    chances = [odds.sink(card, k, **known) for k in SALVO]
    ranks = [odds.sink(4 * rank + (card & 3), n, **known) for rank in range(13)]
    unseen = 52 - len({card, *cards.parse_many(settings["seen"])}) + settings["jokers"]
    salvoes = comb(unseen, n)
    hits = int(chances[n] * salvoes)
    if card >> 2 == cards.JACK:
        how = ["A jack is sunk by the deck gun, whatever is fired."]
    else:
        how = [
            f"{unseen} cards are unseen. C({unseen}, {n}) = {salvoes:,} salvoes of {n} can be drawn from them.",
            f"{hits:,} of them score with her: a pair, a fifteen, a run of three or more, or four cards of one suit.",
            f"{hits:,} / {salvoes:,} = {float(chances[n]):.4f}.",
        ]
        if settings["jokers"]:
            how.insert(2, "A salvo with a joker in it never scores.")
    return Answer(
        chances[n],
        f"The chance that {_torpedoes(n)} the {cards.name(card)}.",
        (
            Plot("by-torpedoes", f"Chance to sink the {cards.name(card)}", "torpedoes fired",
                 tuple(map(str, SALVO)), tuple(map(float, chances)), n),
            Plot("by-ship", f"Chance of {_shots(n)} against every {cards.SUIT_NAMES[card & 3][:-1]}", "ship",
                 tuple(_INDEX.values()), tuple(map(float, ranks)), card >> 2),
        ),
        tuple(how),
        (_EVEN, "Only this salvo counts; what an escort does after a miss is not in it."),
    )  # fmt: skip


def _torpedoes(n: int) -> str:
    return "1 torpedo sinks" if n == 1 else f"{n} torpedoes sink"


def _shots(n: int) -> str:
    return "1 torpedo" if n == 1 else f"{n} torpedoes"


def _fire(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Three cards drawn one after another in each trial: its first k are the salvo of k."""
    ship, nob = cards.parse(settings["ship"]), settings["nob"]
    gone = {ship, *cards.parse_many(settings["seen"])}
    pool = [card for card in range(52 + settings["jokers"]) if card not in gone]
    deals = _deals(pool, min(3, len(pool)), rng, n)
    jack = ship >> 2 == cards.JACK
    hit = np.array([[jack or cribbage.is_hit(ship, deal[:k], nob) for k in SALVO] for deal in deals])
    return Tally.of(hit[:, settings["torpedoes"]], hit.sum(axis=0), None)


def _deals(pool: list[int], size: int, rng: np.random.Generator, n: int) -> list[list[int]]:
    """``n`` times ``size`` different cards of the pool, in the order drawn."""
    order = np.argsort(rng.random((n, len(pool))), axis=1)[:, :size]
    found: list[list[int]] = np.array(pool)[order].tolist()
    return found


SINK = Question(
    "lox-sink", GAME, "Will these torpedoes sink her?",
    (
        Choice(name="ship", label="Ship", default="QH", ordered=True, stride=4,
               choices=tuple((cards.text(card), f"{_label(card)}  {cards.name(card)}") for card in range(52)),
               read=lambda word: cards.text(cards.as_card(word))),
        Whole(name="torpedoes", label="Torpedoes", default=2, low=0, high=3),
        _SEEN, _JOKERS, _NOB,
    ),
    _sink, _fire, inverse="torpedoes", gains=(("torpedoes", 1, "one more torpedo"),),
)  # fmt: skip


# Does the boat get away? ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _survive(left: int, seen: str, jokers: int, nob: bool) -> Fraction:
    return odds.survive_escort(left, seen=seen, jokers=jokers, nob=nob)


def _escort(settings: Settings) -> Answer:
    n, seen, jokers, nob = (settings[key] for key in ("torpedoes", "seen", "jokers", "nob"))
    lives = [_survive(k, seen, jokers, nob) for k in range(_MOST + 1)]
    pays = [odds.escape(k, seen=seen, jokers=jokers) for k in range(_MOST + 1)]
    escorts = [card for card in range(52) if card not in cards.parse_many(seen)]
    payable = sum(cards.pips(card) <= n for card in escorts)
    x = tuple(map(str, range(_MOST + 1)))
    return Answer(
        lives[n],
        f"The chance to get away from the next escort with {_shots(n)} left.",
        (
            Plot("get-away", "Chance to get away from an escort", "torpedoes left", x, tuple(map(float, lives)), n),
            Plot("pay", "Chance that she can be paid off", "torpedoes left", x, tuple(map(float, pays)), n),
        ),
        (
            f"{len(escorts)} cards may be the escort. {payable} of them cost no more than {n}, so that "
            "she can be paid off.",
            "A jack is sunk by the deck gun. Any other is attacked with the salvo, of up to three, that "
            "has the best chance.",
            "The chance is the mean, over all these cards, of 1 where she is paid off or a jack, and "
            "else of that best salvo.",
        ),
        (_EVEN, "The captain plays to survive, and for nothing else.", "A joker drawn as escort is set aside."),
        facts=(("She can be paid off", f"{payable} of {len(escorts)} cards"),),
    )  # fmt: skip


_MOST = 15


def _flee(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """An escort drawn in each trial, and the cards that would be fired at her, for every number of torpedoes left."""
    seen, jokers, nob = settings["seen"], settings["jokers"], settings["nob"]
    gone = set(cards.parse_many(seen))
    pool = [card for card in range(52 + jokers) if card not in gone]
    alive, paid = [], []
    for deal in _deals(pool, min(6, len(pool)), rng, n):
        while cards.is_joker(deal[0]):
            deal = deal[1:]
        escort, *shots = deal
        left = jokers - (min(6, len(pool)) - len(deal))  # jokers set aside are gone
        price, jack = cards.pips(escort), escort >> 2 == cards.JACK
        paid.append([price <= k for k in range(_MOST + 1)])
        alive.append([
            jack or price <= k or cribbage.is_hit(escort, shots[: _best(escort, min(k, 3), seen, left, nob)], nob)
            for k in range(_MOST + 1)
        ])  # fmt: skip
    lives = np.array(alive)
    return Tally.of(lives[:, settings["torpedoes"]], lives.sum(axis=0), np.array(paid).sum(axis=0))


@lru_cache(maxsize=2048)
def _best(escort: int, left: int, seen: str, jokers: int, nob: bool) -> int:
    """The salvo of up to ``left`` torpedoes with the best chance against that escort."""
    return max(range(left + 1), key=lambda k: odds.sink(escort, k, seen=seen, jokers=jokers, nob=nob))


ESCAPE = Question(
    "lox-escape", GAME, "Will the boat get away from an escort?",
    (Whole(name="torpedoes", label="Torpedoes left", default=6, low=0, high=_MOST), _SEEN, _JOKERS, _NOB),
    _escort, _flee, inverse="torpedoes", gains=(("torpedoes", 1, "one more torpedo kept"),),
)  # fmt: skip


# What is a patrol worth? ---------------------------------------------------------------------------------------------

_PATROLS = 2048
_CURVE = range(0, 101, 10)
_BIN, _BINS = 5000, 16


@lru_cache(maxsize=1024)
def _patrols(threshold: int, options: tuple[tuple[str, Any], ...]) -> patrols.Simulation:
    """Patrols of one threshold; all thresholds with the same seed, so that their differences are steadier."""
    return patrols.simulate(_captain(threshold), _PATROLS, 1, options=dict(options))


def _captain(threshold: int) -> str:
    return f"greedy:{threshold / 100}"


_OPTIONS = ("jokers", "king_ships", "queen_ships", "nob")


def _patrol(settings: Settings) -> Answer:
    threshold, options = settings["threshold"], tuple((key, settings[key]) for key in _OPTIONS)
    runs = {k: _patrols(k, options) for k in sorted({*_CURVE, threshold})}
    here = runs[threshold]
    mean, error = here.mean("tonnage")
    home, home_error = here.mean("won")
    lines = tuple((stick.name, float(stick.tons)) for stick in TABLES.yardsticks if stick.key != "average")
    return Answer(
        mean,
        "The expected tonnage of a patrol on which a target is attacked if up to three torpedoes give "
        f"{threshold} % or more.",
        (
            Plot("by-threshold", "Expected tonnage", "least chance to fire at, percent", tuple(map(str, runs)),
                 tuple(run.mean("tonnage")[0] for run in runs.values()), list(runs).index(threshold), "t", lines),
            Plot("tonnage", "Tonnage of a patrol", "thousand tons", _names(),
                 tuple((_histogram(here["tonnage"]) / _PATROLS).tolist())),
        ),
        (
            "The captain fires the fewest torpedoes whose chance, from a fresh pack, reaches the "
            "threshold; else lets her go.",
            "An escort is attacked if that takes fewer torpedoes than paying her off; else she is paid "
            "off if she can be.",
            f"{_PATROLS:,} patrols were played for each threshold; the number is their mean tonnage. There is no exact "
            "one: too much hangs on the order of the cards.",
        ),
        (
            "Tonnage counts even if the boat is lost.",
            "Lines: USS Tang sank 96,628 tons in 5 patrols, USS Flasher 100,131 tons in 6; each line is a mean patrol.",
        ),
        unit="t", error=error, n=_PATROLS, exactness="estimate",
        facts=(("The boat comes home", f"{100 * home:.1f} ± {100 * home_error:.1f} %"),
               ("Ships sunk", f"{here.mean('ships')[0]:.1f}")),
    )  # fmt: skip


def _names() -> tuple[str, ...]:
    step = _BIN // 1000
    return (*(f"{step * i}–{step * (i + 1)}" for i in range(_BINS - 1)), f"{step * (_BINS - 1)}+")


def _histogram(tons: Any) -> Any:
    return np.bincount(np.minimum(tons // _BIN, _BINS - 1), minlength=_BINS)


def _sail(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    options = {key: settings[key] for key in _OPTIONS}
    seed = int(rng.integers(2**62))
    tons = patrols.simulate(_captain(settings["threshold"]), n, seed, options=options)["tonnage"]
    return Tally.of(tons, None, _histogram(tons))


PATROL = Question(
    "lox-patrol", GAME, "At what odds should a captain fire?",
    (
        Whole(name="threshold", label="Least chance to fire at", default=60, low=0, high=100, step=5, unit="%"),
        *(Switch(name=spec.name, label=spec.label, default=False, help=spec.help)
          for spec in TABLES.options if spec.name in _OPTIONS),
    ),
    _patrol, _sail, inverse="threshold", targets=(1000, 40000, 25000),
    gains=(("threshold", 2, "a captain 10 points choosier"), ("threshold", -2, "a captain 10 points bolder")),
)  # fmt: skip

QUESTIONS: tuple[Question, ...] = (SINK, ESCAPE, PATROL)
