"""Wolf Pack as a game of OpenSpiel, with its exact chance: `pip install open_spiel`, then `python openspiel_game.py`.

Cards drawn are chance nodes with the probabilities that navalkit itself counts with; what a player sees is text.
"""

from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]

import navalkit as nk
from navalkit.core.game import CHANCE, TERMINAL
from navalkit.games.wolf_pack.cards import Card
from navalkit.games.wolf_pack.coding import CODING

GAME = nk.load("wolf-pack")
ACTIONS = CODING(GAME).actions
NUMBER = {action: number for number, action in enumerate(ACTIONS)}
TYPE = pyspiel.GameType(
    short_name="navalkit_wolf_pack", long_name="Wolf Pack", dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.CONSTANT_SUM, reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2, min_num_players=2, provides_information_state_string=False,
    provides_information_state_tensor=False, provides_observation_string=True, provides_observation_tensor=False,
    parameter_specification={})
INFO = pyspiel.GameInfo(num_distinct_actions=len(ACTIONS), max_chance_outcomes=len(Card), num_players=2,
                        min_utility=0.0, max_utility=1.0, utility_sum=1.0, max_game_length=4000)


class Observer:
    tensor: None = None
    dict: dict[str, Any] = {}

    def set_from(self, state: Any, player: int) -> None:
        pass

    def string_from(self, state: Any, player: int) -> str:
        return repr(GAME.observe(state.now, player))


class WolfPack(pyspiel.Game):  # type: ignore[misc,unused-ignore]
    def __init__(self, params: Any = None) -> None:
        super().__init__(TYPE, INFO, params or {})

    def new_initial_state(self) -> Any:
        return Position(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer()


class Position(pyspiel.State):  # type: ignore[misc,unused-ignore]
    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.now = GAME.initial()

    def current_player(self) -> Any:
        turn = GAME.turn(self.now)
        return {CHANCE: pyspiel.PlayerId.CHANCE, TERMINAL: pyspiel.PlayerId.TERMINAL}.get(turn, turn)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(NUMBER[action] for action in GAME.legal(self.now))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(int(draw.card), float(p)) for draw, p in GAME.chance(self.now).items()]

    def _apply_action(self, number: int) -> None:
        draws = {int(draw.card): draw for draw in GAME.chance(self.now)} if self.is_chance_node() else {}
        self.now = GAME.apply(self.now, draws[number] if draws else ACTIONS[number]).state

    def _action_to_string(self, player: int, number: int) -> str:
        return f"draw {Card(number).name}" if player == pyspiel.PlayerId.CHANCE else str(ACTIONS[number])

    def is_terminal(self) -> bool:
        return GAME.turn(self.now) == TERMINAL

    def returns(self) -> list[float]:
        outcome = GAME.outcome(self.now)
        return list(map(float, outcome.scores)) if outcome else [0.0, 0.0]

    def observation_string(self, player: int) -> str:
        return repr(GAME.observe(self.now, player))

    def __str__(self) -> str:
        return GAME.format_state(self.now)


pyspiel.register_game(TYPE, WolfPack)

if __name__ == "__main__":
    state, rng, plies = pyspiel.load_game("navalkit_wolf_pack").new_initial_state(), np.random.default_rng(1), 0
    while not state.is_terminal():
        numbers, chances = zip(*(state.chance_outcomes() if state.is_chance_node() else
                                 [(number, 1.0) for number in state.legal_actions()]), strict=True)
        state.apply_action(int(rng.choice(numbers, p=np.array(chances) / sum(chances))))
        plies += 1
    print(plies, "plies:", state.returns())
