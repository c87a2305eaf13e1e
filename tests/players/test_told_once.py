"""No two places of one page contradict each other: what a hint says, weighs and finds, and what the page shows, over
sampled positions of games with slips."""

from __future__ import annotations
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.core.trace import Decision
from navalkit.core.words import percent
from navalkit.games.task_force.deduce import deduce
from navalkit.games.task_force.state import UNSEEN, Fly, Phase, Scratch, Strike
from navalkit.games.wolf_pack import odds
from navalkit.players import player
from navalkit.players.generic import Careless
from navalkit.testing import heard
from ..samples import sizes
from ..sentences import FLEET_BOTS, LOX, PATROL_SKIPPER, TASK, WOLF

SMALL = {"rows": 6, "columns": 6, "deep": 3, "fleet": "tiny"}
CRUISERS = {"scenario": "build_your_own", "blue": "Norfolk", "red": "Fletcher"}
QUICK = {"ismcts": {"iterations": 120}}


def hints(name: str, options: dict[str, Any], captain: str, adviser: str, seeds: range, every: int,
          ) -> Iterator[tuple[Match, Decision]]:
    """What the adviser says at some decisions of games in which a captain slips."""
    game = load(name, **options)
    slipping, asked = Careless(player(captain, game), game, 0.3), player(adviser, game, **QUICK.get(adviser, {}))
    for seed in seeds:
        match, rng, turn = Match.new(game, seed), np.random.default_rng(seed), 0
        while not match.over:
            turn += 1
            if not turn % every:
                yield match, asked.decide(match.observe(), match.legal(), rng)
            match.play(slipping.decide(match.observe(), match.legal(), rng).action)


def shown(told: Any, words: Any, key: str) -> list[str]:
    """The values of all facts of that name."""
    return [str(fact.value) for fact in told.facts if str(fact.name) == words(key)]


@sizes("games", 3, 30)
@pytest.mark.parametrize("adviser", ["bayes", "planner"])
def test_task_force_says_of_a_square_what_it_weighs_and_what_is_proved(adviser: str, games: int) -> None:
    """T5, T7: a hit and the harm are the same in the reason and beside the square; nothing does harm in the air; and
    what is proved of a square is what is told of it."""
    asked = 0
    for match, hint in hints("task-force", SMALL, "hunter", adviser, range(1, 1 + games), 3):
        seen, chosen = match.observe(), hint.options[0]
        flying = seen.phase is Phase.FLIGHT
        told = heard(hint.reason, TASK, "bot.best", "bot.best_flight", "bot.sure", "bot.flies", "bot.flies.strike")
        assert ("bot.sure" in told) or ("bot.best_flight" in told) == flying
        assert all((chosen.value or 0) >= (option.value or 0) for option in hint.options)
        proved = {str(each.facts[0].value): str(each.facts[1].value) for each in deduce(seen)}
        for option in hint.options:
            if not isinstance(option.action, Scratch):
                continue
            (hit,), (harm,) = shown(option, TASK, "bot.hit"), shown(option, TASK, "bot.harm")
            none = TASK("bot.ships", n="0.00")
            assert not flying or harm == none
            kind = proved.get(option.action.square)
            assert {"hit": hit == percent(1) and harm == none, "empty": hit == percent(0) and harm == none,
                    "no_ship": hit == percent(0), None: True}[kind], (option.action, kind, hit, harm)
            if option is chosen:
                (facts,) = told.values()
                assert str(facts["hit"]) == hit and ("bot.sure" in told) == (hit == percent(1))
                assert "bot.sure" in told or str(facts["harm"]) == harm
                asked += 1
    assert asked > games


@sizes("games", 4, 12)
def test_task_force_names_the_aircraft_that_flies_and_what_she_spares(games: int) -> None:
    """T7a, T8: a helicopter by her number and where she takes off, a strike by its square and how many it scratches;
    and neither is advised of a scratch that costs nothing."""
    met = set()
    wide = SMALL | {"deep": 4, "fleet": "small", "submarines": 1, "missiles": 1}
    for match, hint in hints("task-force", wide, "hunter", "planner", range(700_800, 700_800 + games), 1):
        said = heard(hint.reason, TASK, "bot.flies", "bot.flies.strike")
        assert bool(said) == isinstance(hint.action, Fly | Strike)
        for key, facts in said.items():
            met.add(key)
            assert (key == "bot.flies.strike") == isinstance(hint.action, Strike)
            assert str(facts["harm"]) != TASK("bot.ships", n="0.00")
            if isinstance(hint.action, Fly):
                assert (facts["number"], facts["first"]) == (hint.action.number, hint.action.square)
                continue
            assert facts["around"] == hint.action.square
            game = match.game
            before, after = (game.observe(state, 0).squares(UNSEEN) for state in (
                match.state, game.apply(match.state, hint.action).state))
            assert facts["n"] == len(before) - len(after) > 0
    assert met == {"bot.flies", "bot.flies.strike"}


@sizes("games", 2, 12)
def test_wolf_pack_says_one_chance_to_win_and_one_guess_of_the_hand(games: int) -> None:
    """W13: the reason, the option beside it, and what the page shows of the other hand."""
    for match, hint in hints("wolf-pack", {"transports": 3, "u_boats": 2}, "careful", "ismcts", range(1, 1 + games), 9):
        seen, chosen = match.observe(), hint.options[0]
        if chosen.value is None:  # there was no choice
            continue
        (facts,) = heard(hint.reason, WOLF, "bot.ahead", "bot.as_careful").values()
        assert facts["chance"] == chosen.value and shown(chosen, WOLF, "bot.chance") == [f"{chosen.value:.1%}"]
        assert not (against := shown(chosen, WOLF, "bot.against")) or str(facts["gain"]) in against[0]
        page = {WOLF("bot.chance_of", card=card.title): p for card, p in odds.may_hold(seen, kept=True).items()}
        (guess,) = hint.findings
        assert len(guess.facts) == 2 and all(fact.value == page[str(fact.name)] for fact in guess.facts)


@pytest.mark.parametrize("games", [4])
def test_uss_lox_says_one_chance_of_a_salvo(games: int) -> None:
    for _, hint in hints("uss-lox", {}, "greedy", "greedy", range(1, 1 + games), 2):
        chosen = hint.options[0]
        for facts in heard(hint.reason, LOX).values():
            if "chance" in facts and chosen.value is not None:
                assert float(facts["chance"]) == pytest.approx(float(chosen.value))


@pytest.mark.parametrize("games", [2])
def test_the_skipper_fires_if_and_only_if_it_says_that_the_odds_are_good_enough(games: int) -> None:
    for _, hint in hints("on-patrol", {"scenario": "lone-merchant"}, "skipper", "skipper", range(1, 1 + games), 2):
        asked = heard(hint.findings, PATROL_SKIPPER, "fire.yes", "fire.no", "hunted.yes", "hunted.no")
        plan = heard(hint.reason, PATROL_SKIPPER, "fires", "evades", "approaches", "leaves")
        assert ("fire.yes" in asked) == ("fires" in plan) == bool(hint.action.shots)
        assert not ("hunted.yes" in asked and "approaches" in plan)
        assert hint.options[0].value == max(option.value for option in hint.options)


@pytest.mark.parametrize("games", [1])
def test_the_admiral_gains_by_an_order_what_is_told_beside_it(games: int) -> None:
    told = 0
    for _, hint in hints("fleet-action", CRUISERS, "gunnery", "admiral", range(1, 1 + games), 3):
        for facts in heard(hint.reason, FLEET_BOTS, "why.move").values():
            assert [each.lstrip("+") for each in shown(hint.options[0], FLEET_BOTS, "fact.gain")] == [facts["gain"]]
            told += 1
    assert told
