"""The generic players, on games small enough to check by hand."""

from __future__ import annotations
import sys
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.core.game import CHANCE, TERMINAL, Draw, Game, Outcome, Transition
from navalkit.core.words import Phrase
from navalkit.players import Expectimax, Greedy, Random
from navalkit.testing import refused, said
from ..sentences import CORE


@dataclass(frozen=True, slots=True)
class Dice:
    rolled: tuple[int, ...] = ()
    rolling: bool = True
    kept: bool = False


class Keep(Game[Dice, str]):
    """Up to three throws of a die; after each you keep it or throw again. The score is the last throw.

    By hand: the last throw is worth 3.5, so the second is kept from 4 on and worth (3 * 3.5 + 4 + 5 + 6) / 6
    = 4.25, and the first is kept from 5 on and worth (4 * 4.25 + 5 + 6) / 6 = 14/3.
    """

    name = "keep"
    title = "Keep"
    blurb = "Optimal stopping with a die."
    sides = 6
    throws = 3

    def initial(self) -> Dice:
        return Dice()

    def turn(self, state: Dice) -> int:
        if state.rolling:
            return CHANCE
        return TERMINAL if state.kept or len(state.rolled) == self.throws else 0

    def legal(self, state: Dice) -> tuple[str, ...]:
        return ("keep", "throw") if self.turn(state) == 0 else ()

    def why_not(self, state: Dice, action: str) -> str | None:
        able = tuple(self.chance(state)) if self.turn(state) == CHANCE else self.legal(state)
        return None if action in able else f"{action} is not possible."

    def chance(self, state: Dice) -> Draw:
        return Draw({str(i): 1 for i in range(1, self.sides + 1)}, slot="die", index=len(state.rolled))

    def apply(self, state: Dice, action: str) -> Transition[Dice]:
        if reason := self.why_not(state, action):
            raise IllegalActionError(reason)
        if action.isdigit():
            return Transition(Dice((*state.rolled, int(action)), False))
        return Transition(Dice(state.rolled, action == "throw", action == "keep"))

    def observe(self, state: Dice, player: int) -> Dice:
        return state

    def outcome(self, state: Dice) -> Outcome | None:
        return Outcome((float(state.rolled[-1]),), "end", "Kept.") if self.turn(state) == TERMINAL else None

    def parse_action(self, text: str) -> str:
        return text

    def parse_state(self, text: str) -> Dice:
        raise NotImplementedError

    def format_state(self, state: Dice) -> str:
        raise NotImplementedError


class WideKeep(Keep):
    """With a die of 1,000 sides."""

    sides = 1000


def decide(player: Any, *rolled: int, seed: int = 1) -> Any:
    state = Dice(rolled, False)
    return player.decide(state, player.game.legal(state), np.random.default_rng(seed))


def values(decision: Any) -> dict[str, float]:
    return {option.action: option.value for option in decision.options}


def test_random_takes_every_action_equally_often_and_says_so() -> None:
    player = Random(Keep())
    counts = Counter(decide(player, 1, seed=seed).action for seed in range(2000))
    assert abs(counts["keep"] - 1000) < 4 * 22.4  # four standard errors
    assert values(decide(player, 1)) == {"keep": Fraction(1, 2), "throw": Fraction(1, 2)}


@pytest.mark.parametrize("first, choice", [(1, "throw"), (4, "throw"), (5, "keep"), (6, "keep")])
def test_expectimax_is_exact_where_it_reaches_the_end(first: int, choice: str) -> None:
    decision = decide(Expectimax(Keep(), depth=5), first)
    assert decision.action == choice
    assert values(decision) == pytest.approx({"keep": first, "throw": 4.25})
    assert [option.rejected == "" for option in decision.options] == [True, False]
    said(decision, CORE, "expectimax.best")


def test_expectimax_judges_by_its_evaluation_where_it_stops() -> None:
    player = Expectimax(Keep(), depth=1, evaluate=lambda state: (state.rolled[-1] + 0.5,))
    assert values(decide(player, 2)) == pytest.approx({"keep": 2, "throw": 4.0})


def test_expectimax_draws_from_wide_chance_nodes_and_says_so() -> None:
    decision = decide(Expectimax(WideKeep(), depth=5, width=20), 1)
    assert decision.action == "throw"
    said(decision, CORE, "expectimax.estimate")
    assert (
        decide(Expectimax(WideKeep(), depth=5, width=20), 1) == decision
    )  # the same generator, the same choice


def test_expectimax_keeps_to_its_budget() -> None:
    with refused(OptionError, CORE, "expectimax.nodes", nodes=3):
        decide(Expectimax(Keep(), nodes=3), 1)
    # One decision ahead are 8 states: kept; thrown; six faces. Two are 56: for each face as many again.
    for nodes, ahead, states in ((8, 1, 8), (63, 1, 8), (64, 2, 56)):
        player = Expectimax(Keep(), depth=9, nodes=nodes, evaluate=lambda state: (3.5,))
        said(decide(player, 1).reason, CORE, "expectimax.best", ahead=ahead, states=states)


def test_greedy_finds_the_better_action_and_shows_its_error() -> None:
    decision = decide(Greedy(Keep(), samples=400), 1)
    assert decision.action == "throw"
    assert "±" in decision.explain() and "n = 400" in decision.explain()
    by_evaluation = decide(Greedy(Keep(), samples=4, evaluate=lambda state: (9.0,)), 6)
    assert values(by_evaluation) == {"throw": 9.0, "keep": 6.0}


class Fight(Keep):
    """The same game for two in turn, each scoring his own last throw."""

    name = "fight"
    players = ("red", "blue")
    throws = 2

    def turn(self, state: Dice) -> int:
        turn = super().turn(state)
        return turn if turn < 0 else (len(state.rolled) - 1) % 2

    def legal(self, state: Dice) -> tuple[str, ...]:
        return ("keep", "throw") if self.turn(state) >= 0 else ()

    def outcome(self, state: Dice) -> Outcome | None:
        if self.turn(state) != TERMINAL:
            return None
        return Outcome((float(state.rolled[-1]), -float(state.rolled[-1])), "end", "Kept.")


def test_expectimax_takes_every_player_for_himself() -> None:
    class Longer(Fight):
        throws = 3

    # Red may throw; then Blue, who wants low numbers, keeps up to 3 and else throws for 3.5.
    assert values(decide(Expectimax(Longer(), depth=4), 2)) == pytest.approx(
        {"keep": 2, "throw": (6 + 3 * 3.5) / 6}
    )


# By name


def test_players_are_made_by_name() -> None:
    assert nk.player("expectimax", Keep(), depth=3).depth == 3  # type: ignore[attr-defined]
    assert nk.player("random", Keep()).name == "random"


def test_the_games_own_players_take_precedence(monkeypatch: pytest.MonkeyPatch) -> None:
    own = ModuleType("own_game")
    own.BOTS = {"greedy": lambda game, boldness=1: ("own", boldness), "sly": Random}  # type: ignore[attr-defined]
    own.__all__ = ["BOTS"]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "own_game", own)

    class Own(Keep):
        __module__ = "own_game"

    assert nk.player("greedy", Own(), boldness=2) == ("own", 2)
    assert isinstance(nk.player("sly", Own()), Random)
    with refused(OptionError, CORE, "players.option", name="'samples'", listed="boldness"):
        nk.player("greedy", Own(), samples=3)


@pytest.mark.parametrize(
    "name, options, sentence",
    [
        ("oracle", {}, CORE.phrase("players.unknown", name="'oracle'", listed="expectimax, greedy, random")),
        ("random", {"depth": 1}, CORE.phrase("players.option", who="random", name="'depth'", listed="none")),
        (
            "expectimax",
            {"depths": 1},
            CORE.phrase("players.option", name="'depths'", listed="depth, width, nodes, evaluate, playouts"),
        ),
        ("expectimax", {"depth": 0}, CORE.phrase("players.whole_number", name="depth", value="0")),
        ("greedy", {"samples": "many"}, CORE.phrase("players.whole_number", name="samples", value="'many'")),
    ],
)
def test_what_is_wrong_is_named(name: str, options: dict[str, Any], sentence: Phrase) -> None:
    with pytest.raises(OptionError) as caught:
        nk.player(name, Keep(), **options)
    said(caught.value, sentence)


@pytest.mark.parametrize("name", ["greedy", "expectimax"])
def test_players_that_look_ahead_refuse_games_that_hide(name: str, toys: ModuleType) -> None:
    with refused(OptionError, CORE, "players.hides", game="toy"):
        nk.player(name, nk.load("toy"))


@pytest.mark.parametrize("maker", [Random, Greedy, lambda game: Expectimax(game, depth=1, width=2)])
def test_generic_players_can_play_uss_lox(maker: Any) -> None:
    player = maker(nk.load("uss-lox"))
    match, rng = nk.Match.new(player.game, seed=3), np.random.default_rng(3)
    for _ in range(4):
        if not match.over:
            decision = player.decide(match.observe(), match.legal(), rng)
            assert {option.action for option in decision.options} == set(match.legal())
            match.play(decision.action)


def test_random_says_where_there_is_nothing_to_decide():
    with pytest.raises(IllegalActionError) as refused:
        Random(Keep()).decide(None, ())
    assert refused.value.key == "players.none"
