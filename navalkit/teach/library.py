"""The functions that the formula of an exercise may call: each is named here, and none else is ever found."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import MappingProxyType
from typing import Any

LISTED = {
    "math": "comb factorial sqrt log log2 exp floor ceil",
    "builtins": "abs sum round min max len sorted",
    "navalkit.prob.deals": "hypergeometric at_least waiting_time",
    "navalkit.games.uss_lox.odds": "sink escape survive_escort",
    "navalkit.games.fleet_action.odds": "salvo broadside torpedoes sink_chance sink_within",
    "navalkit.games.task_force.odds": "count_fleets",
    "navalkit.games.wolf_pack.odds": "holds held complete_within expected_turns",
    "navalkit.games.on_patrol.odds": "attack",
    "navalkit.grids.hex": "turn_between",
    "navalkit.teach.questions": """
        binomial dice first_at poisson normal mean deviation at_most or_more
        counted share cards_named
        torpedoes_for worth_going_on always_sails_on turns_home_at best_patrol patrols_mean patrols_error share_of_hits
        fleets squares likeliest chance_at
        wolf_pack unseen
        mode_after radial_at turned stopped_by courses_after rows_that_fit table_shown
        axial hex_distance square_distance street_distance hexes_apart hex_ring neighbours_otherwise hex_line
        hexes_to_face hexes_to_reach""",
}
"""Module -> the names of its functions."""


def _found_when_called(module: str, name: str) -> Callable[..., Any]:
    """A function that is imported at its first call: most exercises need one game of the five."""

    def call(*args: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*args, **named)

    return call


FUNCTIONS = MappingProxyType(
    {name: _found_when_called(module, name) for module, names in LISTED.items() for name in names.split()}
)
"""Name -> function. A teacher who needs one that is not here writes the exercise in Python."""
