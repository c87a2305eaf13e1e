"""The games as environments to learn in: PettingZoo for all of them, Gymnasium where one decides (the extra ``envs``).

What a learner sees is an array of figures, each named and scaled (`NavalEnv.axes`), and which actions are legal. Where
every action has its number, that is the action; where a place in the list of legal actions means nothing, each legal
one is told by figures too (``action_features``), and the action is its place. Chance and automatic players act by
themselves. A finished game pays each agent its score; hidden information and the seed of a game stay inside.
"""

from __future__ import annotations
from operator import index
from typing import Any

import numpy as np

from navalkit.core.coding import Coding, Figure
from navalkit.core.errors import OptionError, brief
from navalkit.core.match import Match
from navalkit.core.registry import load, package_of
from navalkit.core.seeds import MAX_SEED
from navalkit.core.words import SAY

try:
    import gymnasium
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError as error:
    raise ImportError(SAY("envs.library")) from error

__all__ = ["NavalEnv", "SoloEnv"]

SEEDS = 1 << 62


class NavalEnv(AECEnv):
    """A game as PettingZoo has it: one agent after the other (AEC).

    Parameters
    ----------
    name : str
        The game's, such as "wolf-pack".
    render_mode : str, optional
        "ansi" tells the last events.
    **options
        Of the game.

    Raises
    ------
    OptionError
        For a game or an option that there is not, and a game that is not written in figures (``CODING``).

    Examples
    --------
    >>> env = NavalEnv("wolf-pack")
    >>> env.reset(seed=1)
    >>> env.agents, env.axes[0]
    (['uboats_0', 'convoy_1'], ('phase.draw', 1.0))
    """

    metadata = {"name": "navalkit_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, name: str, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        self.game = load(name, **options)
        made = package_of(self.game).offered("CODING", None)
        if made is None:
            raise OptionError(SAY("envs.none", game=self.game.name))
        self.coding: Coding = made(self.game)
        self.render_mode = render_mode
        self._seats = {f"{''.join(filter(str.isalpha, role.lower()))}_{seat}": seat
                       for seat, role in enumerate(self.game.players) if seat not in self.game.automatic}
        self.possible_agents = list(self._seats)
        self._number = {action: number for number, action in enumerate(self.coding.actions)}
        first = Match.new(self.game, 1)
        seen = first.observe(first.turn)
        self.axes = tuple((each, float(scale)) for each, _, scale in self.coding.look(seen))
        """Name and scale of each figure of an observation: the value, in the game's unit, that counts as 1."""
        tell = self.coding.tell
        self.features = tuple((each, float(scale)) for each, _, scale in tell(seen, first.legal()[0])) if tell else ()
        """The same of the figures that tell an action; () where actions have their numbers."""
        self._places = n = self.coding.places or len(self.coding.actions)
        shown: dict[str, Any] = {"observation": spaces.Box(-1, 1, (len(self.axes),), np.float32),
                                 "action_mask": spaces.Box(0, 1, (n,), np.int8)}
        if tell:
            shown["action_features"] = spaces.Box(-1, 1, (n, len(self.features)), np.float32)
        self.observation_spaces = {agent: spaces.Dict(shown) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(n) for agent in self.possible_agents}
        self._dice = np.random.default_rng()
        self._match: Match | None = None

    @property
    def match(self) -> Match:
        """The game that is played. OptionError before `reset` has begun one."""
        return self._begun()

    def observation_space(self, agent: str) -> Any:
        """What `observe` gives an agent, as Gymnasium's spaces."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers that an agent's actions have."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; ``seed``: of this one and of those that follow. OptionError for a seed that is none."""
        if seed is not None:
            self._dice = np.random.default_rng(_seed(seed))
        self._match = Match.new(self.game, int(self._dice.integers(SEEDS)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._choose()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent is shown: ``observation``, ``action_mask`` and, where actions are told, ``action_features``."""
        seat = self._seats[agent]
        seen = self.match.observe(seat)
        mask = np.zeros(self._places, np.int8)
        legal = self.match.legal() if self.match.turn == seat else ()
        found: dict[str, Any] = {"observation": _array(self.coding.look(seen)), "action_mask": mask}
        if self.coding.tell:
            mask[: len(legal)] = 1
            told = np.zeros((self._places, len(self.features)), np.float32)
            for row, action in zip(told, legal, strict=False):
                row[:] = _array(self.coding.tell(seen, action))
            found["action_features"] = told
        else:
            mask[[self._number[action] for action in legal]] = 1
        return found

    def last(self, observe: bool = True) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:
        """As PettingZoo has it; OptionError before `reset`."""
        self._begun()
        found: tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]] = super().last(observe)
        return found

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """As PettingZoo has it; OptionError before `reset`."""
        self._begun()
        return super().agent_iter(max_iter)

    def step(self, action: int | None) -> None:
        """Play an action for the agent on turn; IllegalActionError for one that the mask does not allow,
        OptionError for what is no number of an action, and before `reset`."""
        match, agent = self.match, self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        match.play(self.action(action))
        if outcome := match.outcome:
            self.rewards = {each: outcome.scores[seat] / self.coding.reward for each, seat in self._seats.items()}
            self.terminations = dict.fromkeys(self.agents, True)
        self._choose()
        self._accumulate_rewards()

    def action(self, number: int | None) -> Any:
        """The game's action of that number, now. OptionError for a number that none has."""
        known = self.match.legal() if self.coding.tell else self.coding.actions
        return known[placed(number, len(known))]

    def render(self) -> str:
        """The last five events, as sentences."""
        return "\n".join(map(str, self.match.log[-5:]))

    def close(self) -> None:
        """Nothing is open."""

    def _begun(self) -> Match:
        if self._match is None:
            raise OptionError(SAY("envs.reset"))
        return self._match

    def _choose(self) -> None:
        turn = self.match.turn
        self.agent_selection = next((each for each, seat in self._seats.items() if seat == turn), self.agents[0])


class SoloEnv(gymnasium.Env):
    """A game in which one decides, as Gymnasium has it. An action that is not legal changes nothing, and costs.

    Parameters
    ----------
    name : str
        The game's, such as "uss-lox".
    render_mode : str, optional
        "ansi" tells the last events.
    **options
        Of the game.

    Raises
    ------
    OptionError
        As `NavalEnv`, and for a game in which several decide.

    Examples
    --------
    >>> env = SoloEnv("uss-lox")
    >>> seen, info = env.reset(seed=1)
    >>> int(info["action_mask"].sum())
    9
    """

    metadata = {"render_modes": ["ansi"]}
    COST = 0.01
    """Of an action that is not legal."""

    def __init__(self, name: str, render_mode: str | None = None, **options: Any) -> None:
        self.aec = NavalEnv(name, render_mode, **options)
        if self.aec.game.deciders > 1:
            raise OptionError(SAY("envs.several", game=self.aec.game.name))
        (self._agent,) = self.aec.possible_agents
        self.action_space = self.aec.action_space(self._agent)
        self.observation_space = self.aec.observation_space(self._agent)
        self.render_mode = render_mode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game: what is shown, and an ``info`` with the ``action_mask``. ``seed``: of this one and of those
        that follow. OptionError for a seed that is none."""
        super().reset(seed=None if seed is None else _seed(seed))
        self.aec.reset(int(self.np_random.integers(SEEDS)))
        return self._shown()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action: what is shown, the reward, whether the game is over, False, and an ``info`` with the
        ``action_mask``, and with ``illegal`` if the action was, which is then not played."""
        mask = self.aec.observe(self._agent)["action_mask"]
        if not mask[placed(action, len(mask))]:
            seen, info = self._shown()
            return seen, -self.COST, self.aec.match.over, False, info | {"illegal": True}
        self.aec.step(int(action))
        seen, info = self._shown()
        return seen, float(self.aec.rewards[self._agent]), self.aec.match.over, False, info

    def render(self) -> Any:
        """As `NavalEnv.render`."""
        return self.aec.render()

    def _shown(self) -> tuple[Any, dict[str, Any]]:
        seen = self.aec.observe(self._agent)
        return seen, {"action_mask": seen["action_mask"]}


def placed(number: Any, n: int) -> int:
    """``number``, if it is a whole one from 0 to ``n`` - 1, of whatever type; OptionError for anything else."""
    try:
        place = index(number)
    except TypeError:
        place = -1
    if not 0 <= place < n:
        raise OptionError(SAY("envs.number", number=brief(number), last=n - 1))
    return place


def _seed(seed: Any) -> int:
    """``seed``, if it is a whole number from 0 to `MAX_SEED`, of whatever type; OptionError for anything else."""
    try:
        number = index(seed)
    except TypeError:
        number = -1
    if not 0 <= number <= MAX_SEED:
        raise OptionError(SAY("seed", max_seed=MAX_SEED, seed=brief(seed)))
    return number


def _array(figures: Any) -> np.ndarray[Any, Any]:
    found: list[Figure] = list(figures)
    return np.clip([value / scale for _, value, scale in found], -1, 1).astype(np.float32)
