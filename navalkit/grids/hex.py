"""The hex sea: everything about hexes under one name.

Each part is a module to read in one sitting: ``hex_cells`` (hexes, labels, directions, lines), ``hex_sight``
(what can be seen), ``hex_radials`` (radials, vectors, assault zones, circles), ``hex_ships`` (ships on two hexes
and their legal moves), ``hex_search`` (shortest legal paths) and ``hex_pixels`` (hexes on a screen).
"""

from __future__ import annotations

from .hex_cells import (
    DIRECTIONS,
    Hex,
    HexSet,
    Side,
    opposite,
    side_sign,
    turn_between,
    turned,
)
from .hex_pixels import Layout
from .hex_radials import Circle, Radial, Vector, assault_zone, radial_at, radials, vectors
from .hex_search import any_heading, reachable, shortest_path
from .hex_ships import Place, moves, why_not_move, why_not_path, williamson
from .hex_sight import line_of_sight, sight_blockers

__all__ = [
    "DIRECTIONS",
    "Circle",
    "Hex",
    "HexSet",
    "Layout",
    "Place",
    "Radial",
    "Side",
    "Vector",
    "any_heading",
    "assault_zone",
    "line_of_sight",
    "moves",
    "opposite",
    "radial_at",
    "radials",
    "reachable",
    "shortest_path",
    "side_sign",
    "sight_blockers",
    "turn_between",
    "turned",
    "vectors",
    "why_not_move",
    "why_not_path",
    "williamson",
]
