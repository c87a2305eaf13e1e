"""The explorer's questions: does the salvo score, does the boat get away, what is a patrol worth?"""

from __future__ import annotations
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np

from navalkit.core.awaited import Steps
from navalkit.core.words import Words
from navalkit.explore.picture import PHONE, Room, at_sea, rows, type_size, word
from navalkit.explore.question import (
    Answer,
    Cell,
    Choice,
    Marks,
    Plot,
    Question,
    Settings,
    Switch,
    Tally,
    Whole,
    option,
)
from navalkit.view.drawings import RATIO, card as drawn_card, empty_place, face_down
from navalkit.view.page import Glance
from navalkit.view.scene import Rect, Scene, Shape, Style, Text
from . import cards, cribbage, odds, patrols
from .cards import SAY as SAY_CARDS
from .game import TABLES
from .state import NO_CARD, Phase, State

GAME = "uss-lox"
SAY = Words.load("navalkit.games.uss_lox", "questions.toml")
SALVO = (0, 1, 2, 3)
_SIGNS = "♣♦♥♠"
_TONES = ("clubs", "diamonds", "hearts", "spades")
_INDEX = dict(zip(cards.RANKS, ("A", *map(str, range(2, 11)), "J", "Q", "K"), strict=True))


def _label(card: int) -> str:
    return _INDEX[cards.RANKS[card >> 2]] + _SIGNS[card & 3]


_DECK = tuple(
    tuple(Cell(cards.text(card), _label(card), cards.named(card), _TONES[suit]) for card in range(suit, 52, 4))
    for suit in range(4)
)
_SEEN = Marks("seen", rows=_DECK, read=lambda word: cards.text(cards.parse(word)))
_SHIPS = {
    cards.text(card): SAY_CARDS.phrase("choice", label=_label(card), card=cards.named(card)) for card in range(52)
}
_JOKERS = Whole("jokers", 0, 0, 2)
_NOB = Switch("nob")


# What it looks like, and where it arises ------------------------------------------------------------------------------

def _drawn(question: str, settings: Settings, room: Room) -> Scene:
    """The ship if one lies there, the torpedoes face down with the places of those not fired, and the pack: what may
    still be drawn is light, what was seen is not."""
    (wide, high), size = room, type_size(room)
    ship, n = settings.get("ship", ""), settings["torpedoes"]
    most = SALVO[-1] if ship else _MOST
    w = min((high - 2.6 * size) / RATIO, wide / 9)
    h, y = w * RATIO, 0.5 * (high - 1.6 * size - w * RATIO)
    left, grid = 0.02 * wide, 0.54 * wide
    shapes: list[Shape] = []
    if ship:
        shapes += drawn_card(left, y, w, h, ship)
        left += 1.35 * w
    for i, x in enumerate(rows(most, left, grid - 0.04 * wide, w)):
        if i < n:
            shapes += face_down(x - w / 2, y, w, h)
        elif ship:
            shapes += empty_place(x - w / 2, y, w, h)
    shapes.append(word((left + grid) / 2 - 0.02 * wide, high - 1.1 * size, SAY("picture.torpedoes", n=n), size))
    seen = {*cards.parse_many(settings["seen"]), *([cards.parse(ship)] if ship else [])}
    cell, tall = (0.97 * wide - grid - size) / 13, (high - 2.6 * size) / 4
    for card in range(52):
        column, row = card >> 2, card & 3
        x, top = grid + size + cell * column, 0.5 * size + tall * row
        style = Style(None, "muted", 1, (4, 3)) if card in seen else Style("card_face", "card_line", 1)
        shapes.append(Rect(x + 1, top + 1, cell - 2, tall - 2, style, 3))
        if card not in seen and wide >= PHONE:
            ink = Style("suit_heart" if row in (1, 2) else "card_ink")
            shapes.append(Text(x + cell / 2, top + tall / 2, _INDEX[cards.RANKS[column]], ink, size - 2, bold=True))
    for row, sign in enumerate(_SIGNS):
        shapes.append(word(grid + 0.3 * size, 0.5 * size + tall * (row + 0.5), sign, size))
    unseen = 52 - len(seen) + settings["jokers"]
    shapes.append(word((grid + wide) / 2, high - 1.1 * size, SAY("picture.unseen", n=unseen), size))
    return at_sea(room, shapes, SAY(f"{question}.title"), SAY("picture.desc", n=n, unseen=unseen))


def _known(state: State, options: Any) -> dict[str, Any]:
    """What the captain has seen, but for the ship that lies there."""
    seen = [card for card in state.seen_cards if card != state.ship]
    jokers = 2 * options["jokers"] - sum(map(cards.is_joker, seen))
    gone = " ".join(cards.text(card) for card in seen if not cards.is_joker(card))
    return {"seen": gone, "jokers": jokers, "nob": options["nob"]}


def _sink_here(glance: Glance[Any, State, Any]) -> dict[str, Any] | None:
    state = glance.seen
    if state.phase not in (Phase.TARGET, Phase.ESCORT) or state.ship == NO_CARD:
        return None
    best = min(2, state.torpedoes)
    return {"ship": cards.text(state.ship), "torpedoes": best} | _known(state, glance.game.options)


def _escape_here(glance: Glance[Any, State, Any]) -> dict[str, Any] | None:
    state = glance.seen
    if state.phase in (Phase.PLAN, Phase.END) or len(state.seen_cards) >= 50:
        return None
    known = _known(state, glance.game.options)
    return {"torpedoes": min(state.torpedoes, _MOST)} | known if state.ship == NO_CARD else None


# Does the salvo score? -----------------------------------------------------------------------------------------------

def _sink(settings: Settings) -> Answer:
    card, n = cards.parse(settings["ship"]), settings["torpedoes"]
    known = {key: settings[key] for key in ("seen", "jokers", "nob")}
    chances = [odds.sink(card, k, **known) for k in SALVO]
    ranks = [odds.sink(4 * rank + (card & 3), n, **known) for rank in range(13)]
    unseen = 52 - len({card, *cards.parse_many(settings["seen"])}) + settings["jokers"]
    salvoes = comb(unseen, n)
    scores = ("hits", "jokers", "result") if settings["jokers"] else ("hits", "result")
    return Answer(
        chances[n],
        (
            Plot("by-torpedoes", tuple(map(str, SALVO)), tuple(map(float, chances)), n),
            Plot("by-ship", tuple(_INDEX.values()), tuple(map(float, ranks)), card >> 2),
        ),
        ("jack",) if cards.by_gun(card, n) else ("unseen", *scores),
        ("even", "alone"),
        facts={
            "n": n, "ship": cards.named(card), "suit": SAY_CARDS.phrase(f"suit.one.{card & 3}"), "unseen": unseen,
            "salvoes": salvoes, "hits": int(chances[n] * salvoes), "chance": float(chances[n]),
        },
    )


def _fire(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Three cards drawn one after another in each trial: its first k are the salvo of k."""
    ship, nob = cards.parse(settings["ship"]), settings["nob"]
    gone = {ship, *cards.parse_many(settings["seen"])}
    pool = [card for card in range(52 + settings["jokers"]) if card not in gone]
    deals = _deals(pool, min(3, len(pool)), rng, n)
    hit = np.array([[cribbage.sinks(ship, deal[:k], nob) for k in SALVO] for deal in deals])
    return Tally.of(hit[:, settings["torpedoes"]], hit.sum(axis=0), None)


def _deals(pool: list[int], size: int, rng: np.random.Generator, n: int) -> list[list[int]]:
    """``n`` times ``size`` different cards of the pool, in the order drawn."""
    order = np.argsort(rng.random((n, len(pool))), axis=1)[:, :size]
    found: list[list[int]] = np.array(pool)[order].tolist()
    return found


SINK = Question(
    "lox-sink", GAME, SAY,
    (
        Choice("ship", "QH", _SHIPS, True, 4, lambda word: cards.text(cards.as_card(word))),
        Whole("torpedoes", 2, 0, 3), _SEEN, _JOKERS, _NOB,
    ),
    _sink, _fire, inverse="torpedoes", gains=(("torpedoes", 1, "torpedo"),),
    picture=lambda settings, answer, room: _drawn("lox-sink", settings, room), here=_sink_here,
)


# Does the boat get away? ---------------------------------------------------------------------------------------------

_MOST = 15


_survive = lru_cache(maxsize=512)(odds.survive_escort)


def _escort(settings: Settings) -> Steps[Answer]:
    n, seen, jokers, nob = (settings[key] for key in ("torpedoes", "seen", "jokers", "nob"))
    lives = []
    for k in range(_MOST + 1):
        lives.append(_survive(k, seen=seen, jokers=jokers, nob=nob))
        yield k / _MOST
    pays = [odds.escape(k, seen=seen, jokers=jokers) for k in range(_MOST + 1)]
    escorts = [card for card in range(52) if card not in cards.parse_many(seen)]
    x = tuple(map(str, range(_MOST + 1)))
    return Answer(
        lives[n],
        (Plot("get-away", x, tuple(map(float, lives)), n), Plot("pay", x, tuple(map(float, pays)), n)),
        ("pay", "attack", "mean"),
        ("even", "survive", "joker"),
        ("pay",),
        {"n": n, "escorts": len(escorts), "payable": sum(cards.pips(card) <= n for card in escorts)},
    )


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
        price = cards.pips(escort)
        paid.append([price <= k for k in range(_MOST + 1)])
        alive.append([price <= k or cribbage.sinks(escort, shots[: _best(escort, min(k, 3), seen, left, nob)], nob)
                      for k in range(_MOST + 1)])
    lives = np.array(alive)
    return Tally.of(lives[:, settings["torpedoes"]], lives.sum(axis=0), np.array(paid).sum(axis=0))


@lru_cache(maxsize=2048)
def _best(escort: int, left: int, seen: str, jokers: int, nob: bool) -> int:
    """The salvo of up to ``left`` torpedoes with the best chance against that escort."""
    return max(range(left + 1), key=lambda k: odds.sink(escort, k, seen=seen, jokers=jokers, nob=nob))


ESCAPE = Question("lox-escape", GAME, SAY, (Whole("torpedoes", 6, 0, _MOST), _SEEN, _JOKERS, _NOB), _escort, _flee,
                  inverse="torpedoes", gains=(("torpedoes", 1, "torpedo"),),
                  picture=lambda settings, answer, room: _drawn("lox-escape", settings, room), here=_escape_here)


# What is a patrol worth? ---------------------------------------------------------------------------------------------

_PATROLS = 2048
_CURVE = range(0, 101, 10)
_BIN, _BINS = 5000, 16
_OPTIONS = ("jokers", "king_ships", "queen_ships", "nob")


@lru_cache(maxsize=1024)
def _patrols(threshold: int, options: tuple[tuple[str, Any], ...]) -> patrols.Simulation:
    """Patrols of one threshold; all thresholds with the same seed, so that their differences are steadier."""
    return patrols.simulate(_captain(threshold), _PATROLS, 1, options=dict(options))


def _captain(threshold: int) -> str:
    return f"greedy:{threshold / 100}"


def _patrol(settings: Settings) -> Steps[Answer]:
    threshold, options = settings["threshold"], tuple((key, settings[key]) for key in _OPTIONS)
    runs = {}
    for k in sorted({*_CURVE, threshold}):
        runs[k] = _patrols(k, options)
        yield k / 100
    here = runs[threshold]
    mean, error = here.mean("tonnage")
    home, home_error = here.mean("won")
    lines = tuple((stick.name, float(stick.tons)) for stick in TABLES.yardsticks if stick.key != "average")
    return Answer(
        mean,
        (
            Plot("by-threshold", tuple(map(str, runs)), tuple(run.mean("tonnage")[0] for run in runs.values()),
                 list(runs).index(threshold), "t", lines),
            Plot("tonnage", _names(), tuple((_histogram(here["tonnage"]) / _PATROLS).tolist())),
        ),
        ("fires", "escort", "mean"),
        ("lost", "lines"),
        ("home", "ships"),
        {"threshold": threshold, "patrols": _PATROLS, "home": 100 * home, "error": 100 * home_error,
         "ships": here.mean("ships")[0]},
        unit="t", error=error, n=_PATROLS, exactness="estimate",
    )


def _names() -> tuple[str, ...]:
    step = _BIN // 1000
    return (*(f"{step * i}–{step * (i + 1)}" for i in range(_BINS - 1)), f"{step * (_BINS - 1)}+")


def _histogram(tons: Any) -> Any:
    return np.bincount(np.minimum(tons // _BIN, _BINS - 1).astype(np.intp), minlength=_BINS)


def _sail(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    options = {key: settings[key] for key in _OPTIONS}
    seed = int(rng.integers(2**62))
    tons = patrols.simulate(_captain(settings["threshold"]), n, seed, options=options)["tonnage"]
    return Tally.of(tons, None, _histogram(tons))


PATROL = Question(
    "lox-patrol", GAME, SAY,
    (Whole("threshold", 60, 0, 100, 5), *(option(spec) for spec in TABLES.options if spec.name in _OPTIONS)),
    _patrol, _sail, inverse="threshold", gains=(("threshold", 2, "choosier"), ("threshold", -2, "bolder")),
    targets=(1000, 40000, 25000),
)

QUESTIONS: tuple[Question, ...] = (SINK, ESCAPE, PATROL)
