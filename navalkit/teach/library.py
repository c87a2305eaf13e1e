"""The functions that the formula of an exercise may call: each is named here, and none else is ever found."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import MappingProxyType
from typing import Any


def _found_when_called(address: str) -> Callable[..., Any]:
    """The function at "module:name", imported at its first call: most exercises need one game of the five."""

    def call(*args: Any, **named: Any) -> Any:
        module, _, name = address.partition(":")
        return getattr(import_module(module), name)(*args, **named)

    return call


_GAMES, _HERE = "navalkit.games", "navalkit.teach.questions"
_ADDRESSES = {
    # numbers
    "comb": "math:comb",
    "factorial": "math:factorial",
    "sqrt": "math:sqrt",
    "log": "math:log",
    "log2": "math:log2",
    "exp": "math:exp",
    "floor": "math:floor",
    "ceil": "math:ceil",
    "abs": "builtins:abs",
    "sum": "builtins:sum",
    "round": "builtins:round",
    "min": "builtins:min",
    "max": "builtins:max",
    "len": "builtins:len",
    "sorted": "builtins:sorted",
    # distributions
    "hypergeometric": "navalkit.prob.deals:hypergeometric",
    "at_least": "navalkit.prob.deals:at_least",
    "waiting_time": "navalkit.prob.deals:waiting_time",
    "binomial": f"{_HERE}:binomial",
    "dice": f"{_HERE}:dice",
    "first_at": f"{_HERE}:first_at",
    "poisson": f"{_HERE}:poisson",
    "normal": f"{_HERE}:normal",
    "mean": f"{_HERE}:mean",
    "deviation": f"{_HERE}:deviation",
    "at_most": f"{_HERE}:at_most",
    "or_more": f"{_HERE}:or_more",
    # words
    "counted": f"{_HERE}:counted",
    "share": f"{_HERE}:share",
    "cards_named": f"{_HERE}:cards_named",
    # USS Lox
    "sink": f"{_GAMES}.uss_lox.odds:sink",
    "escape": f"{_GAMES}.uss_lox.odds:escape",
    "survive_escort": f"{_GAMES}.uss_lox.odds:survive_escort",
    "torpedoes_for": f"{_HERE}:torpedoes_for",
    "worth_going_on": f"{_HERE}:worth_going_on",
    "always_sails_on": f"{_HERE}:always_sails_on",
    "turns_home_at": f"{_HERE}:turns_home_at",
    "best_patrol": f"{_HERE}:best_patrol",
    "patrols_mean": f"{_HERE}:patrols_mean",
    "patrols_error": f"{_HERE}:patrols_error",
    "share_of_hits": f"{_HERE}:share_of_hits",
    # Fleet Action
    "salvo": f"{_GAMES}.fleet_action.odds:salvo",
    "broadside": f"{_GAMES}.fleet_action.odds:broadside",
    "torpedoes": f"{_GAMES}.fleet_action.odds:torpedoes",
    "sink_chance": f"{_GAMES}.fleet_action.odds:sink_chance",
    "sink_within": f"{_GAMES}.fleet_action.odds:sink_within",
    # Task Force
    "count_fleets": f"{_GAMES}.task_force.odds:count_fleets",
    "fleets": f"{_HERE}:fleets",
    "squares": f"{_HERE}:squares",
    "likeliest": f"{_HERE}:likeliest",
    "chance_at": f"{_HERE}:chance_at",
    # Wolf Pack
    "wolf_pack": f"{_HERE}:wolf_pack",
    "unseen": f"{_HERE}:unseen",
    "holds": f"{_GAMES}.wolf_pack.odds:holds",
    "held": f"{_GAMES}.wolf_pack.odds:held",
    "complete_within": f"{_GAMES}.wolf_pack.odds:complete_within",
    "expected_turns": f"{_GAMES}.wolf_pack.odds:expected_turns",
    # On Patrol
    "attack": f"{_GAMES}.on_patrol.odds:attack",
    "mode_after": f"{_HERE}:mode_after",
    "radial_at": f"{_HERE}:radial_at",
    "turned": f"{_HERE}:turned",
    "stopped_by": f"{_HERE}:stopped_by",
    "courses_after": f"{_HERE}:courses_after",
    "rows_that_fit": f"{_HERE}:rows_that_fit",
    "table_shown": f"{_HERE}:table_shown",
    # hexes
    "axial": f"{_HERE}:axial",
    "hex_distance": f"{_HERE}:hex_distance",
    "square_distance": f"{_HERE}:square_distance",
    "street_distance": f"{_HERE}:street_distance",
    "hexes_apart": f"{_HERE}:hexes_apart",
    "hex_ring": f"{_HERE}:hex_ring",
    "neighbours_otherwise": f"{_HERE}:neighbours_otherwise",
    "hex_line": f"{_HERE}:hex_line",
    "turn_between": "navalkit.grids.hex:turn_between",
    "hexes_to_face": f"{_HERE}:hexes_to_face",
    "hexes_to_reach": f"{_HERE}:hexes_to_reach",
}

FUNCTIONS = MappingProxyType({name: _found_when_called(address) for name, address in _ADDRESSES.items()})
"""Name -> function. A teacher who needs one that is not here writes the exercise in Python."""
