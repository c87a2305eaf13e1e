"""On Patrol: a submarine on a hex sea against escorts that hunt by rule.

The rooms, each built on those before it: ``sea`` (what there is: state, tables, scenarios, formations), ``combat`` (all
that is rolled), ``escort`` (what the escorts know, decide and explain), ``rules`` (the game), ``odds``, ``bots``, and
``board`` (what a page shows). Their tables and sentences are in ``data``.
"""

from __future__ import annotations

from navalkit.core.registry import lazily
from .bots import BOTS, CAPTAINS
from .escort.automaton import decide
from .escort.positions import explain, position
from .odds import runs
from .rules.game import OnPatrol
from .sea import tables
from .sea.formation import formation, stations
from .sea.scenario import scenario

GAME = OnPatrol

__all__ = [
    "ACCOUNT", "BOTS", "CAPTAINS", "CODING", "GAME", "KILLS", "ODDS", "PAGE", "PICTURE", "PREDICTIONS", "QUESTIONS",
    "REVIEW", "OnPatrol", "decide", "explain", "formation", "position", "runs", "scenario", "stations", "tables",
    "lesson", "WALK", "WORKSHOP",
]
__getattr__ = lazily(__name__, CODING=".coding", ACCOUNT=".measures", KILLS=".odds.runs", ODDS=".odds",
                     PAGE=".board.page", PICTURE=".board.page", PREDICTIONS=".measures",
                     QUESTIONS=".questions", REVIEW=".measures", lesson=".lesson", WALK=".walk",
                     WORKSHOP=".board.workshop")
