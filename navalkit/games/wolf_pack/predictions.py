"""Forecasts of games of cards, for `navalkit calibration`: what the page says of the other hand, and of the own row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from navalkit.core.game import CHANCE

from . import odds
from .bots import BOTS
from .odds.belief import permute
from .rules.cards import ROWS, Card
from .rules.game import WolfPack
from .rules.state import Action, Discard, Pass, Phase, Play, State

Forecasts = Sequence[tuple[float, bool]]
TURNS = (1, 2, 3, 4, 6, 8)  # turns that the chart of the own row looks ahead


def _games(seed: int, player: str) -> Iterator[tuple[WolfPack, State, np.random.Generator]]:
    """The positions of a game between two players of that name in which somebody decides."""
    game, rng = WolfPack(), np.random.default_rng(seed)
    bot, state = BOTS[player](game) if player in BOTS else None, game.initial()
    while game.turn(state) >= CHANCE:
        side = game.turn(state)
        if side == CHANCE:
            action: Any = game.chance(state).sample(rng)
        else:
            yield game, state, rng
            legal = game.legal(state)
            action = (
                bot.decide(game.observe(state, side), legal, rng).action if bot else legal[rng.integers(len(legal))]
            )
        state = game.apply(state, action).state


def counted(seed: int) -> Iterator[Forecasts]:
    """What the opponent may hold, by counting alone, if the hand is a random choice from the unseen cards."""
    for game, state, rng in _games(seed, "careful"):
        me = game.turn(state)
        shown = odds.may_hold(game.observe(state, me))
        hand = permute(state, me, rng).hands[1 - me]
        yield [(float(chance), hand[card] > 0) for card, chance in shown.items()]


def weighed(seed: int) -> Iterator[Forecasts]:
    """What the opponent may hold, weighed by what careful players keep, against a careful player."""
    for game, state, _ in _games(seed, "careful"):
        me = game.turn(state)
        shown = odds.may_hold(game.observe(state, me), kept=True)
        yield [(float(chance), state.hands[1 - me][card] > 0) for card, chance in shown.items()]


def complete(seed: int) -> Iterator[Forecasts]:
    """The chance to complete the own row within some turns, if nobody interferes (unseen cards in any order)."""
    positions = [each for each in _games(seed, "careful") if each[1].phase is Phase.ACTION]
    game, state, rng = positions[np.random.default_rng(seed).integers(len(positions))]
    me = state.side
    seen = game.observe(state, me)
    done, last = _undisturbed(game, permute(state, me, rng), me, rng)
    yield [(float(odds.within(seen, turns)), done <= turns) for turns in TURNS if turns <= last]


def _undisturbed(game: WolfPack, state: State, me: int, rng: np.random.Generator) -> tuple[int, int]:
    """On which own turn from now the row is complete, and how many own turns there are before the cards are shuffled
    again: one side collects its row, the other lays and clears nothing."""
    sunk, turns, deck, done = state.sunk[me], 0, state.shuffles, len(Card) ** 2
    while turns < TURNS[-1] and state.phase is not Phase.END:
        side = game.turn(state)
        acts = side == me and state.phase is Phase.ACTION
        action = game.chance(state).sample(rng) if side == CHANCE else _collect(game, state, side == me)
        state = game.apply(state, action).state
        if state.shuffles > deck:
            break
        turns += acts
        if state.sunk[me] > sunk:
            done = min(done, turns)
    return done, turns


def _collect(game: WolfPack, state: State, mine: bool) -> Action:
    """The due card where it is in hand; what is not needed is discarded first."""
    legal, row = game.legal(state), ROWS[state.side]
    if state.phase is Phase.ACTION:
        due = Play(row[state.rows[state.side]])
        return due if mine and due in legal else Pass()
    needed = row[state.rows[state.side] :] if mine else ()
    hand = state.hands[state.side]
    spare = [a for a in legal if isinstance(a, Discard) and (a.card not in needed or hand[a.card] > 1)]
    return spare[0]


PREDICTIONS = {"counted": (counted, 300), "weighed": (weighed, 300), "complete": (complete, 800)}
"""Which of the page's numbers are measured, and over how many games."""
