"""A question opens from a position: with what the player may know there, and nothing that is hidden."""

from __future__ import annotations
from urllib.parse import parse_qs

import numpy as np
import pytest

from navalkit import explore
from navalkit.core import registry
from navalkit.core.match import Match
from navalkit.explore import QUESTIONS, ask
from navalkit.games.fleet_action import sight
from navalkit.games.task_force import belief
from navalkit.games.wolf_pack import odds as wolf_odds
from navalkit.view.page import Glance, glance_at

GAMES = sorted({each.game for each in QUESTIONS.values()})
PLAYED = {name: {} for name in GAMES} | {"task-force": dict(registry.package("task-force").offered("SMALL", {}))}
"""The options of a game from whose positions a question opens."""
MOVES = 40


def played(name, seed):
    """A game played by chance, and its positions from both seats."""
    match = Match.new(registry.game_class(name)(**PLAYED[name]), seed)
    rng = np.random.default_rng(seed)
    for _ in range(MOVES):
        if match.over:
            break
        yield match
        legal = match.legal()
        match.play(legal[int(rng.integers(len(legal)))])


def settings_of(query):
    words = {key: values[-1] for key, values in parse_qs(query.lstrip("?")).items()}
    question = explore.question(words.pop("q"))
    return question, question.settings(words)


@pytest.mark.parametrize("name", GAMES)
def test_a_question_opens_from_most_positions_and_has_an_answer(name):
    found = [explore.opened(glance_at(match)) for match in played(name, 3)]
    assert sum(map(bool, found)) >= len(found) / 3
    for query in [query for query in dict.fromkeys(found) if query][:6]:
        question, settings = settings_of(query)
        assert question.game == name
        assert ask.answer(question, settings).said
        assert question.link(settings) == query, "what it opens with is what the position has"


@pytest.mark.parametrize("name", GAMES)
def test_what_is_hidden_changes_nothing_of_the_link(name):
    """Of all positions that look alike to a player the link is the same: it is made of what that player sees."""
    compared = 0
    for seed in (1, 2):
        for match in played(name, seed):
            game = match.game
            for me in range(game.deciders):
                seen = game.observe(match.state, me)
                query = explore.opened(Glance(game, seen, me, live=False))
                for other in others(game, match.state, me, seed):
                    assert game.observe(other, me) == seen
                    assert explore.opened(Glance(game, game.observe(other, me), me, live=False)) == query
                    compared += other != match.state
    assert compared or name not in HIDING


HIDING = ("fleet-action", "task-force", "wolf-pack")


def others(game, state, me, seed):
    """Other states that look the same to this player."""
    rng = np.random.default_rng(seed)
    if game.name == "fleet-action":
        return [sight.permute(game.battle, state, me, rng)]
    if game.name == "wolf-pack":
        return [wolf_odds.permute(state, me, rng)]
    return [belief.elsewhere(game.observe(state, 0), state, rng)] if game.name == "task-force" else []
