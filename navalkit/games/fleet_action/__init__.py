"""Fleet Action: squadrons, guns, torpedoes and mines on a grid of squares."""

from __future__ import annotations

from .rules import FleetAction
from .tables import points, range_squares, ship

GAME = FleetAction

__all__ = ["GAME", "FleetAction", "points", "range_squares", "ship"]
