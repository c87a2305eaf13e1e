"""Fleet Action: squadrons, guns, torpedoes and mines on a grid of squares."""

from __future__ import annotations

from .cards import points, range_squares, ship
from .game import FleetAction

GAME = FleetAction

__all__ = ["GAME", "FleetAction", "points", "range_squares", "ship"]
