"""The games as environments: what the libraries themselves test, and what their tests do not see."""

from __future__ import annotations
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.core.registry import package_of
from navalkit.testing import refused
from .sentences import CORE
from .servers import ROOT

pytest.importorskip("pettingzoo", reason="PettingZoo and Gymnasium, the extra `envs`, are not installed.")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

from navalkit.envs import NavalEnv, SoloEnv  # noqa: E402

# Both warn of what is so on purpose, such as observations that are dictionaries.
pytestmark = pytest.mark.filterwarnings("ignore")
GAMES, SOLO = nk.games(), [name for name in nk.games() if nk.load(name).deciders == 1]


@pytest.mark.parametrize("game", GAMES)
def test_what_pettingzoo_asks(game: str) -> None:
    api_test(NavalEnv(game), num_cycles=60, verbose_progress=False)
    seed_test(lambda: NavalEnv(game), num_cycles=20)


@pytest.mark.parametrize("game", SOLO)
def test_what_gymnasium_asks(game: str) -> None:
    check_env(SoloEnv(game), skip_render_check=True)


def walk(env: NavalEnv, seed: int, longest: int = 60) -> Any:
    """Random steps of one game: (agent, what it is shown) each time."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(longest):
        if env.match.over:
            return
        agent = env.agent_selection
        shown = env.observe(agent)
        yield agent, shown
        env.step(int(rng.choice(np.flatnonzero(shown["action_mask"]))))


@pytest.mark.parametrize("game", GAMES)
def test_the_mask_is_what_is_legal_and_no_figure_leaves_its_space(game: str) -> None:
    env = NavalEnv(game)
    for agent, shown in walk(env, 3):
        legal = env.match.legal()
        allowed = [env.action(number) for number in np.flatnonzero(shown["action_mask"])]
        assert sorted(map(str, allowed)) == sorted(map(str, legal))
        assert env.observation_space(agent).contains(shown)
        others = [each for each in env.possible_agents if each != agent]
        assert not any(env.observe(each)["action_mask"].any() for each in others)
    assert len({name for name, _ in env.axes}) == len(env.axes) and all(scale > 0 for _, scale in env.axes)


@pytest.mark.parametrize("game", [game for game in GAMES if NavalEnv(game).features])
def test_actions_that_are_told_are_told_apart(game: str) -> None:
    env, same, all_ = NavalEnv(game), 0, 0
    for _, shown in walk(env, 5, 40):
        rows = shown["action_features"][shown["action_mask"] == 1]
        all_ += len(rows)
        same += len(rows) - len(np.unique(rows, axis=0))
    assert all_ > 100 and same <= all_ / 20, (same, all_)


@pytest.mark.parametrize("game", [game for game in GAMES if nk.load(game).hides])
def test_no_figure_tells_what_is_hidden(game: str) -> None:
    env, rng = NavalEnv(game), np.random.default_rng(1)
    permute = package_of(env.game).offered("PERMUTE", None)
    differ = 0
    for agent, shown in walk(env, 7, 30):
        seat = env.possible_agents.index(agent)
        other = permute(env.game)(env.match.state, seat, rng)
        differ += other != env.match.state
        figures = list(env.coding.look(env.game.observe(other, seat)))
        assert np.allclose(np.clip([value / scale for _, value, scale in figures], -1, 1), shown["observation"])
    assert differ


def test_a_finished_game_pays_its_score() -> None:
    env = NavalEnv("wolf-pack", turn_limit=20)
    for _ in walk(env, 2, 5000):
        pass
    outcome = env.match.outcome
    assert outcome is not None and list(env.rewards.values()) == list(outcome.scores)
    assert all(env.terminations.values())
    solo = SoloEnv("uss-lox")
    seen, info = solo.reset(seed=4)
    over, paid, rng = False, 0.0, np.random.default_rng(4)
    while not over:
        seen, reward, over, _, info = solo.step(rng.choice(np.flatnonzero(info["action_mask"])))
        paid += reward
    assert paid == pytest.approx(solo.aec.match.outcome.scores[0] / 10_000)  # type: ignore[union-attr]


def test_what_comes_too_early_and_what_is_no_number_is_said() -> None:
    env, solo = NavalEnv("wolf-pack"), SoloEnv("uss-lox")
    for early in (lambda: env.step(0), lambda: env.observe("uboats_0"), env.render, lambda: solo.step(0), env.last,
                  env.agent_iter):
        with refused(OptionError, CORE, "envs.reset"):
            early()
    for each in (env, solo):
        for wrong in (-1, "x", 1.5, 1 << 128):
            with refused(OptionError, CORE, "seed"):
                each.reset(seed=wrong)
    env.reset(seed=1)
    solo.reset(seed=1)
    for wrong in ("x", None, 1.5, -1, 10_000):
        for each in (env, solo):
            with refused(OptionError, CORE, "envs.number"):
                each.step(wrong)
    legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]
    env.step(np.array(legal))  # a number of any type
    assert env.match.ply > 0


def test_what_is_illegal_costs_alone_and_is_refused_among_several() -> None:
    solo = SoloEnv("uss-lox")
    before, info = solo.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    seen, reward, over, _, info = solo.step(wrong)
    assert reward < 0 and not over and info["illegal"] and np.array_equal(seen["observation"], before["observation"])
    env = NavalEnv("wolf-pack")
    env.reset(seed=1)
    mask = env.observe(env.agent_selection)["action_mask"]
    with pytest.raises(IllegalActionError):
        env.step(int(np.flatnonzero(mask == 0)[0]))
    with refused(OptionError, CORE, "envs.number"):
        env.step(999)
    with refused(OptionError, CORE, "envs.number", last=len(mask) - 1):
        env.step(len(mask))
    with refused(OptionError, CORE, "envs.several", game="wolf-pack"):
        SoloEnv("wolf-pack")


DOCS = (ROOT / "docs" / "envs.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_the_documents_figures_are_the_codes(game: str) -> None:
    env = NavalEnv(game)
    told = f"| {env.game.title} | {len(env.axes)} | {env.action_space(env.possible_agents[0]).n} |"
    assert f"{told} {len(env.features) or 'numbered'} |" in DOCS


def test_the_documents_know_the_most_legal_actions_that_are_met() -> None:
    most = {game: max(len(legal) for seed in range(12) for legal in legals(game, seed))
            for game in ("fleet-action", "on-patrol")}
    assert re.search(rf"\(seeds 0 to 11\) came to {most['fleet-action']} and {most['on-patrol']} at most", DOCS), most
    assert all(n < NavalEnv(game).action_spaces[NavalEnv(game).possible_agents[0]].n for game, n in most.items())


def legals(game: str, seed: int) -> Iterator[tuple[Any, ...]]:
    """What is legal at each decision of a game played at random."""
    match, rng = nk.Match.new(game, seed), np.random.default_rng(seed)
    while not match.over:
        legal = match.legal()
        yield legal
        match.play(legal[int(rng.integers(len(legal)))])


def test_a_game_without_figures_says_so(toys: Any) -> None:
    with refused(OptionError, CORE, "envs.none", game="toy"):
        NavalEnv("toy")
