"""On Patrol: a submarine on a hex sea against escorts that hunt by rule."""

from __future__ import annotations

from .formation import formation, stations
from .rules import OnPatrol
from .scenario import scenario

GAME = OnPatrol

__all__ = ["GAME", "OnPatrol", "formation", "scenario", "stations"]
