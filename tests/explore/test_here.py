"""A question opens from a position: with what the player may know there, and nothing that is hidden."""

from __future__ import annotations
from urllib.parse import parse_qs

import numpy as np
import pytest

from navalkit import explore
from navalkit.core import registry
from navalkit.core.errors import NavalkitError
from navalkit.core.match import Match
from navalkit.explore import QUESTIONS, ask
from navalkit.games.fleet_action import sight
from navalkit.games.task_force import belief, odds as task_odds
from navalkit.games.wolf_pack import odds as wolf_odds
from navalkit.view.page import Glance, glance_at
from ..blunders import blundered

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


@pytest.mark.parametrize("options", [{}, {"rows": 6, "columns": 6, "deep": 3, "fleet": "tiny", "missiles": 1}])
def test_a_map_of_any_size_opens_at_every_position_with_the_numbers_of_the_games_page(options):
    """Of Task Force; ``options``: the usual map, and one that a newcomer begins on."""
    match = Match.new(registry.game_class("task-force")(**options), 5)
    rng, compared = np.random.default_rng(5), 0
    while not match.over:
        if match.legal():
            question, settings = settings_of(explore.opened(glance_at(match)))
            assert question.id == "task-real"
            if match.ply % 5 == 0:
                found = task_odds.posterior(match.observe(0))
                square = match.game.sea.grid.names.index(f"{settings['column']}{settings['row']}")
                assert float(ask.answer(question, settings).value) == pytest.approx(found.of(square)["hit"], abs=1e-9)
                compared += 1
        match.play(match.legal()[int(rng.integers(len(match.legal())))])
    assert compared > 1


def test_what_lies_beside_its_map_is_refused_in_a_sentence():
    for given in ({"rows": "6", "row": 8}, {"columns": "6", "seen": "H3x"}, {"rows": "3", "columns": "3"}):
        with pytest.raises(NavalkitError):
            explore.answer("task-real", **given)
        question = explore.question("task-real")
        assert question.picture(question.settings(given), None, (917, 298)), "the map is drawn all the same"


def test_a_ship_without_guns_asks_what_she_is_under():
    """Of Fleet Action: a lone merchant and the destroyer that hunts her, from either side."""
    match, step, _ = blundered("fleet-action")
    for me in (0, 1):
        question, settings = settings_of(explore.opened(glance_at(match, me, step - 1)))
        assert (question.id, settings["attacker"], settings["target"]) == ("fleet-broadside", "Jenkins", "Altmark")


HIDING = ("fleet-action", "task-force", "wolf-pack")


def others(game, state, me, seed):
    """Other states that look the same to this player."""
    rng = np.random.default_rng(seed)
    if game.name == "fleet-action":
        return [sight.permute(game.battle, state, me, rng)]
    if game.name == "wolf-pack":
        return [wolf_odds.permute(state, me, rng)]
    return [belief.elsewhere(game.observe(state, 0), state, rng)] if game.name == "task-force" else []
