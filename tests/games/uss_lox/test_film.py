"""The films of USS Lox: torpedoes run, a ship sinks or gets away, and an escort comes; nothing face down is named."""

from __future__ import annotations
import random
import re

import pytest

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.games.uss_lox.page import PAGE
from navalkit.view.film import LONGEST, Mark, Travel, film
from navalkit.view.page import Glance, Look, Moment

IDS = re.compile(r"told/.*|[A-E][1-5]|card (?:[A23456789TJQK][CDHS]|X[12])|sunk \d+|supply|deck|told/\d+(?:/\d+)?")


def films(seed: int, tall: bool, **options):
    """A patrol of a random captain: before and after each order the scene, what was told, and the effects."""
    rng, match, before = random.Random(seed), Match.new(load("uss-lox", **options), seed=seed), None
    while not match.over:
        since = match.ply
        legal = [action for action in match.legal() if str(action) != "return"]
        match.play(rng.choice(legal))
        while match.turn == -1:
            match.play(rng.choice(match.legal()))
        legal = match.legal() if not match.over else ()
        scene = PAGE.scene(Glance(match.game, match.state, 0, tuple(legal)), Look(tall=tall))
        moments = tuple(Moment(match.at(n), match.plies[n].events) for n in range(since, match.ply))  # seen before it
        if before is not None:
            yield before, scene, moments, PAGE.effects(match.game, moments, Look(tall=tall), before, scene)
        before = scene


@pytest.mark.parametrize("tall", [False, True])
def test_a_film_moves_only_what_lies_there_and_is_short(tall: bool) -> None:
    kinds = set()
    for seed in range(20):
        for before, scene, moments, effects in films(seed, tall, jokers=True, face_estimates=seed % 3 == 0):
            there = {**before.pieces(), **scene.pieces()}
            assert all(IDS.fullmatch(id) for id in there)
            for effect in effects:
                if isinstance(effect, Travel):
                    assert effect.piece in there and (not effect.was or effect.was in there)
                elif isinstance(effect, Mark):
                    assert 0 <= effect.x <= scene.width and 0 <= effect.y <= scene.height
            assert film(before, scene, effects).ms <= LONGEST
            told = [event.kind for moment in moments for event in moment.events]
            marks = [effect.kind for effect in effects if isinstance(effect, Mark)]
            kinds.update(told)
            assert ("track" in marks) == any(kind in ("hit", "missed", "joker_torpedo") for kind in told)
            assert ("sink" in marks) == any(kind in ("sunk", "estimate_later", "lost") for kind in told)
    assert {"hit", "missed", "sunk", "escort", "escaped", "lost", "deck_gun", "joker_ocean"} <= kinds


def test_the_card_turned_up_was_the_one_on_its_square_and_the_escort_the_top_of_the_deck() -> None:
    places = set()
    for seed in range(6):
        for _, scene, _, effects in films(seed, False):
            for effect in effects:
                if isinstance(effect, Travel) and effect.piece.startswith("card "):
                    assert scene.pieces()[effect.piece].flips
                    places.add(effect.was[:1] if effect.was[:1] in "ABC" else effect.was)
    assert {"A", "B", "C", "deck", "supply"} <= places
