"""Sixty lines of navalkit as somebody writes them on a first evening; a test runs them and asks two type checkers."""

from fractions import Fraction
from typing import TYPE_CHECKING, assert_type

import numpy as np

import navalkit as nk
from navalkit.core.dist import Dist
from navalkit.core.trace import Decision
from navalkit.core.words import Event
from navalkit.games.fleet_action import odds as guns
from navalkit.games.uss_lox import odds as lox_odds, simulate
from navalkit.games.uss_lox.game import UssLox
from navalkit.games.uss_lox.state import Action, State
from navalkit.games.wolf_pack.state import Observation

print(*nk.games(), sep=", ")
game = nk.load("uss-lox", jokers=True)
assert_type(game, UssLox)
match = nk.Match.new(game, seed=42)
assert_type(match, nk.Match[State, Action, State])
assert_type(match.state.torpedoes, int)
assert_type(match.legal(), tuple[Action, ...])
assert_type(match.play("flip B2"), tuple[Event, ...])
match.play(match.legal()[0])
print(match, match.log[-1], sep="\n")

captain = nk.player("optimal", game)
decision = captain.decide(match.observe(), match.legal())
while not match.over:
    decision = captain.decide(match.observe(), match.legal(), np.random.default_rng(1))
    assert_type(decision, Decision[Action])
    match.play(decision.action)
print(decision.explain(), match.outcome, sep="\n")

match.undo(analysis=True)
match.redo()
again = nk.Match.loads(match.dumps())
print(again.at(5), again.share()[:60])

duel = nk.Match.new(nk.load("wolf-pack"), seed=7)
seen = duel.observe()
assert_type(seen, Observation)
print(f"You hold {sum(seen.hand)} cards; they hold {seen.their_size}.")
greedy = nk.player("greedy", duel.game)
duel.play(greedy.decide(seen, duel.legal()).action)  # the greedy player draws nothing by chance: no generator

assert_type(lox_odds.sink("8D", 2), Fraction)
salvo = guns.salvo("16in/50 Mk 7", 9, 5)
assert_type(salvo, Dist[int])
print(salvo.mean, salvo.at_least(200))
run = simulate("greedy", 2_000, seed=1)
print(run, f"{run['tonnage'].max():,} t")

if TYPE_CHECKING:  # a slip that both checkers see
    slip = match.state.no_such_field  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
