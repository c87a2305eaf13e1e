"""The conformance suite over all games; and that it finds what is wrong with broken ones."""

from __future__ import annotations
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import navalkit as nk
from navalkit.core.errors import IllegalActionError
from navalkit.core.files import Rule
from navalkit.core.game import CHANCE, Draw, Outcome, Transition
from navalkit.core.registry import names
from navalkit.core.words import Event
from navalkit.games.uss_lox import UssLox
from navalkit.games.uss_lox.state import Flip, Phase, State
from navalkit.testing import check_game
from navalkit.testing.strategies import states, walks
from navalkit.view.page import Question
from navalkit.view.scene import Scene
from navalkit.walks.told import Camera, Line, Moment, Sight, Told
from navalkit.walks.walk import Walk
from ..samples import sizes

ALL = dict(
    jokers=True, face_estimates=True, plan_patrol=True, king_ships=True, queen_ships=True, nob=True, patrols=2
)


OPEN = [name for name in names() if not nk.load(name).hides]


@sizes("seeds", range(1), range(1, 5))
@pytest.mark.parametrize("name", OPEN)
def test_every_game_that_hides_nothing_conforms(name: str, seeds: range) -> None:
    """The others are checked beside their rules, each with its own way to change what a player cannot see."""
    check_game(nk.load(name), seeds=seeds, walks=1 + (len(seeds) > 1))


@pytest.mark.parametrize("name", sorted(set(names()) - set(OPEN)))
def test_every_game_that_hides_something_brings_its_own_check(name: str) -> None:
    folder = Path(__file__).parents[1] / "games" / name.replace("-", "_")
    assert any(re.search(r"check_game\(.*permute=", each.read_text(encoding="utf-8")) for each in folder.rglob("*.py"))


@pytest.mark.parametrize("option", ALL)
def test_uss_lox_conforms_under_every_option(option: str) -> None:
    check_game(nk.load("uss-lox", **{option: ALL[option]}), seeds=[len(option)])


@pytest.mark.parametrize("pair", list(combinations(ALL, 2)), ids="+".join)
def test_uss_lox_conforms_under_every_pair_of_options(pair: tuple[str, str]) -> None:
    check_game(
        nk.load("uss-lox", **{option: ALL[option] for option in pair}), seeds=[len("".join(pair))], walks=1
    )


def test_uss_lox_conforms_under_all_options() -> None:
    check_game(nk.load("uss-lox", **ALL), seeds=range(3))


def test_all_combinations_of_options_can_be_played_to_the_end() -> None:
    for number, values in enumerate(product((False, True), repeat=len(ALL))):
        options = {name: ALL[name] for name, on in zip(ALL, values, strict=True) if on}
        match, rng = nk.Match.new(nk.load("uss-lox", **options), seed=number), random.Random(number)
        while not match.over:
            match.play(rng.choice(match.legal()))
        assert match.outcome is not None and match.outcome.scores == (match.state.tons,)


def swap_hidden(state: Any, player: int, rng: np.random.Generator) -> Any:
    """Another card for each that ``player`` cannot see, of those that lie nowhere face up for him."""
    if not state.south:
        return state if player == 0 or not state.north else replace(state, north=int(rng.integers(1, 4)))
    if player == 2:
        north, south = rng.permutation([1, 2, 3])[:2]
        return replace(state, north=int(north), south=int(south))
    own = state.north if player == 0 else state.south
    other = int(rng.choice([card for card in (1, 2, 3) if card != own]))
    return replace(state, south=other) if player == 0 else replace(state, north=other)


def test_a_game_that_hides_conforms(toys: ModuleType) -> None:
    check_game(nk.load("toy"), permute=swap_hidden)


def test_a_game_that_hides_must_be_checked_for_honesty(toys: ModuleType) -> None:
    with pytest.raises(AssertionError, match="give check_game a permute"):
        check_game(nk.load("toy"))


def test_a_dishonest_observation_is_found(toys: ModuleType) -> None:
    class Leak(toys.Toy):  # type: ignore[misc, name-defined]
        def observe(self, state: Any, player: int) -> Any:
            return state

    with pytest.raises(AssertionError, match="sees what is hidden"):
        check_game(Leak(), permute=swap_hidden)


# What a class is asked, shown and told of a decision: each of these walks breaks one promise.


class TellsInTheQuestion(Walk[Any, Any, Any]):
    def ask(self, kind: str, game: Any, moment: Moment[Any], who: str) -> Question:
        return replace(super().ask(kind, game, moment, who), more=str(moment.state))


class TellsOnTheBoard(Walk[Any, Any, Any]):
    def scene(self, sight: Sight[Any], camera: Camera) -> Scene:
        return replace(super().scene(sight, camera), title=str(sight.state))


class TellsInTheLines(Walk[Any, Any, Any]):
    def lines(self, told: Told[Any, Any]) -> Iterator[Line]:
        yield from super().lines(told)
        yield Line("finding", "", "", str(told.state))


class CallsAllTheSame(Walk[Any, Any, Any]):
    def labelled(self, glance: Any, action: Any) -> str:
        return "an order"


class AnswersAnother(Walk[Any, Any, Any]):
    def open(self, game: Any, moment: Moment[Any], legal: Any) -> Any:
        return ("bet", "call") if moment.seat else ("call", "fold")


WALKS = {
    TellsInTheQuestion: "a question tells what is hidden",
    TellsOnTheBoard: "what is shown before the decision is told tells what is hidden",
    TellsInTheLines: "how a decision is explained tells what is hidden",
    CallsAllTheSame: "choices of 'what' have the same label",
    AnswersAnother: "is decided, and is no choice",
}


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_that_tells_too_much_or_asks_amiss_is_found(
    walk: type[Walk[Any, Any, Any]], toys: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toys, "WALK", walk(), raising=False)
    monkeypatch.setattr(toys, "__all__", ["WALK"], raising=False)
    with pytest.raises(AssertionError, match=WALKS[walk]):
        check_game(nk.load("toy"), permute=swap_hidden)


# Each of these breaks one promise, and the suite must say which.


class Broken(UssLox):
    def rules(self) -> Mapping[str, Rule]:
        return UssLox().rules()


class ForgetsAnAction(Broken):
    def legal(self, state: State) -> tuple[Any, ...]:
        return super().legal(state)[:1]


class AllowsTooMuch(Broken):
    def legal(self, state: State) -> tuple[Any, ...]:
        legal = super().legal(state)
        return (*legal, Flip("E5")) if legal else ()


class RefusesWithoutASentence(Broken):
    def apply(self, state: State, action: Any) -> Transition[State]:
        try:
            return super().apply(state, action)
        except IllegalActionError:
            raise IllegalActionError("no.") from None


class AppliesAnything(Broken):
    def apply(self, state: State, action: Any) -> Transition[State]:
        return super().apply(state, action) if self.why_not(state, action) is None else Transition(state)


class DealsTwice(Broken):
    def chance(self, state: State) -> Draw:
        draw = super().chance(state)
        return Draw({deal: 1 for deal in draw.deck}, slot=draw.slot, deck=draw.deck, index=draw.index)


class NeverReports(Broken):
    def outcome(self, state: State) -> Outcome | None:
        return None if state.tons > 0 else super().outcome(state)


class ReportsEarly(Broken):
    def outcome(self, state: State) -> Outcome | None:
        return super().outcome(replace(state, phase=Phase.END, result="win"))


class InventsARule(Broken):
    def apply(self, state: State, action: Any) -> Transition[State]:
        step = super().apply(state, action)
        return Transition(step.state, (*step.events, Event("L99", "new", "A new rule.")))


class ForgetsInNotation(Broken):
    def format_state(self, state: State) -> str:
        return super().format_state(replace(state, spent=0))


class Dithers(Broken):
    count = 0

    def apply(self, state: State, action: Any) -> Transition[State]:
        Dithers.count += 1
        step = super().apply(state, action)
        return Transition(step.state, step.events[: 1 if Dithers.count % 2 else None])


class StopsDead(Broken):
    def legal(self, state: State) -> tuple[Any, ...]:
        return () if state.phase is Phase.ESCORT else super().legal(state)


class PlaysOn(Broken):
    def legal(self, state: State) -> tuple[Any, ...]:
        return (Flip("A1"),) if self.turn(state) == CHANCE else super().legal(state)


@pytest.mark.parametrize(
    "broken, sentence",
    [
        (ForgetsAnAction, "why_not says None"),
        (AllowsTooMuch, "E5"),
        (RefusesWithoutASentence, "is refused with no., not with"),
        (AppliesAnything, "is applied although why_not says"),
        (DealsTwice, "is possible, and why_not says"),
        (NeverReports, "the outcome None"),
        (ReportsEarly, "turn is 0 and the outcome"),
        (InventsARule, "unknown rule 'L99'"),
        (ForgetsInNotation, "reads back differently"),
        (Dithers, "does not always lead to the same"),
        (StopsDead, "nothing is legal, and the game is not over"),
        (PlaysOn, "is legal on chance's turn"),
    ],
)
def test_a_broken_game_is_found_out(broken: type[Broken], sentence: str) -> None:
    with pytest.raises((AssertionError, IllegalActionError), match=sentence):
        check_game(broken(), seeds=range(3))


# Hypothesis


@given(walks(nk.load("uss-lox", **ALL)))
def test_walks_are_matches(match: nk.Match) -> None:
    assert nk.Match.loads(match.dumps()).plies == match.plies


@given(states(nk.load("uss-lox", **{**ALL, "patrols": 1})))
def test_every_card_is_in_one_place(state: State) -> None:
    """Face down somewhere or turned up: together that is the whole pack."""
    face_down = [s for s in (*state.ocean, *state.supply, *state.deck) if s >= 0]
    face_down += state.estimates[len(state.estimated) :]
    assert len(set(face_down)) == len(face_down)
    assert len(face_down) + len(state.seen_cards) == 54


@given(states(nk.load("uss-lox")))
def test_tonnage_is_that_of_the_score_pile(state: State) -> None:
    assert state.tons == sum(1000 * min(card // 4 + 1, 10) for card in state.sunk)
