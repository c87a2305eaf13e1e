"""Notation of USS Lox: what is written reads back, and what is wrong is named, never half believed."""

from __future__ import annotations
import random

import pytest

import navalkit as nk
from navalkit.core.errors import NotationError
from navalkit.core.game import CHANCE
from navalkit.core.words import Phrase
from navalkit.games.uss_lox import UssLox
from navalkit.testing import refused
from ...sentences import CORE, LOX

ALL = dict(jokers=True, face_estimates=True, plan_patrol=True, king_ships=True, queen_ships=True, nob=True, patrols=2)
GAME = UssLox(**ALL)


@pytest.fixture(scope="module")
def states() -> list[str]:
    """States of some patrols, in notation."""
    texts = []
    for seed in range(20):
        match, rng = nk.Match.new(GAME, seed=seed), random.Random(seed)
        while not match.over:
            match.play(rng.choice(match.legal()))
        texts += [GAME.format_state(match.at(ply)) for ply in range(match.ply + 1)]
    return texts


@pytest.mark.parametrize(
    "text, plain",
    [
        ("B2", "flip B2"),
        ("  FLIP   b2 ", "flip B2"),
        ("fire 3", "attack 3"),
        ("Let her go", "decline"),
        ("pass", "decline"),
        ("run silent", "escape"),
        ("home", "return"),
        ("b2=10s", "B2=TS"),
        ("Torpedo = 5h", "torpedo=5H"),
        ("estimate=x1", "estimate=X1"),
    ],
)
def test_orders_are_read_as_people_write_them(text: str, plain: str) -> None:
    assert str(GAME.parse_action(text)) == plain


@pytest.mark.parametrize(
    "text", ["", "flip", "flip F1", "flip A6", "attack", "attack -1", "attack 1.0", "attack ²", "plan 1000"]
)
def test_what_is_no_order_is_answered_with_orders(text: str) -> None:
    with refused(NotationError, LOX, "wrong.order"):
        GAME.parse_action(text)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("Q9=8D", LOX.phrase("wrong.deal", place="'q9'")),
        ("B2=ZZ", LOX.phrase("wrong.card")),
        ("deck=8D", LOX.phrase("wrong.deal", place="'deck'")),
    ],
)
def test_a_card_turned_up_is_a_card_at_a_place(text: str, sentence: Phrase) -> None:
    with refused(NotationError, sentence):
        GAME.parse_action(text)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("", CORE.phrase("codec.said", where="state", name="phase")),
        ("phase=asleep", CORE.phrase("codec.invalid", where="state.phase", token="'asleep'")),
        ("phase=debrief speed=9", CORE.phrase("codec.field", where="state", name="'speed'")),
        ("phase=debrief phase=debrief", CORE.phrase("codec.field")),
        ("phase=debrief supply=1,1", LOX.phrase("state.slot")),
        ("phase=debrief supply=60", CORE.phrase("codec.invalid", where="state.supply", token="'60'")),
        ("phase=target", LOX.phrase("state.ship")),
        ("phase=target role=target ship=8D", LOX.phrase("state.unseen")),
        ("phase=debrief drawing=escort", LOX.phrase("state.drawing")),
        ("phase=draw", LOX.phrase("state.drawing")),
        ("phase=draw drawing=escort", LOX.phrase("state.empty", place="escort")),
        ("phase=draw drawing=torpedo supply=3", LOX.phrase("state.torpedo")),
        ("phase=end", LOX.phrase("state.result")),
        ("phase=target role=target ship=X1 seen=10000000000000", LOX.phrase("state.joker")),
        ("phase=periscope ocean=" + ",".join(map(str, range(26))), LOX.phrase("state.ocean", squares=26, most=25)),
    ],
)
def test_a_state_that_does_not_fit_together_is_refused(text: str, sentence: Phrase) -> None:
    with refused(NotationError, sentence):
        GAME.parse_state(f"({text})")


def edited(text: str, others: list[str], rng: random.Random) -> str:
    parts = text.split()
    at = rng.randrange(len(parts))
    match rng.randrange(4):
        case 0:
            del parts[at]
        case 1:
            parts[at] = rng.choice(rng.choice(others).split())
        case 2:
            cut = rng.randrange(len(parts[at]))
            parts[at] = parts[at][:cut] + rng.choice("0123456789,-=ACDHSXabf") + parts[at][cut + rng.randrange(2) :]
        case 3:
            parts.append(rng.choice(rng.choice(others).split()))
    return " ".join(parts)


def test_an_edited_state_is_refused_or_can_be_played(states: list[str]) -> None:
    rng = random.Random(5)
    playable = 0
    for _ in range(3000):
        try:
            state = GAME.parse_state(edited(rng.choice(states), states, rng))
        except NotationError:
            continue
        playable += 1
        assert GAME.parse_state(GAME.format_state(state)) == state
        for action in GAME.legal(state) or (list(GAME.chance(state))[:3] if GAME.turn(state) == CHANCE else ()):
            GAME.apply(state, action)
        GAME.outcome(state)
    assert 300 < playable < 2700  # the edits do bite, and not always


def test_an_edited_order_is_refused_or_reads_back() -> None:
    rng = random.Random(6)
    for _ in range(5000):
        text = list(rng.choice(["flip B2", "attack 2", "plan 9", "B2=8D", "torpedo=5S", "escape", "estimate=X1"]))
        for _ in range(rng.randint(1, 3)):
            text[rng.randrange(len(text))] = rng.choice("ABX019 ²=ß\n\0é")
        try:
            action = GAME.parse_action("".join(text))
        except NotationError:
            continue
        assert GAME.parse_action(str(action)) == action
