"""Where an escort's weapons go in the assault zone (105.4.4 to 105.4.11): hexes by priority, one weapon each, evenly.

Which hexes can be covered at once is a matching of hexes with weapons; taking hexes in their order of priority and
making room by moving earlier weapons aside (an augmenting path) covers the best hexes there are. What is left after
a round begins the next, so that no hex gets a second weapon before every hex that can be reached has its first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from navalkit.grids.hex import Hex, Place, turned

DEPTH_CHARGE, K_GUN, HEDGEHOG, SQUID, ONE_TON = "depth charge", "k-gun", "hedgehog", "squid", "one-ton charge"
AHEAD = {HEDGEHOG: 2, SQUID: 3}  # hexes ahead of the bow that ahead-throwing weapons reach
THROWN = (K_GUN, HEDGEHOG, SQUID)
"""What may go where another attack is marked already, if nothing else can be reached (105.4.10)."""


class Unit(NamedTuple):
    """One weapon to be used once this turn, and the hexes of the zone it can reach, each with the step (from 1) of the
    path on which it does."""

    weapon: str
    reach: Mapping[Hex, int]


class Placement(NamedTuple):
    """A weapon placed: on which hex, of which rank, on which step of the path, and in which round (1 = first on it)."""

    weapon: str
    at: Hex
    rank: int
    step: int
    round: int


def reach(weapon: str, path: Sequence[Place], zone: Collection[Hex], closed: Collection[Hex] = ()) -> dict[Hex, int]:
    """The hexes of the zone a weapon reaches along a path.

    Depth charges leave the stern after each hex entered; K-guns throw one hex to either quarter of the stern;
    ahead-throwing weapons fire along the heading.

    ``path``: the places entered. ``zone``: the assault zone. ``closed``: hexes with other ships, for ahead-throwing
    weapons (105.4.11).
    """
    found: dict[Hex, int] = {}
    for step, place in enumerate(path, 1):
        if weapon in (DEPTH_CHARGE, ONE_TON):
            at: tuple[Hex, ...] = (place.stern,)
        elif weapon == K_GUN:
            at = tuple(place.stern.step(turned(place.direction, turn)) for turn in (-2, 2))
        else:
            at = (place.bow.step(place.direction, AHEAD[weapon]),)
        for h in at:
            if h in zone and not (weapon in AHEAD and h in closed):
                found.setdefault(h, step)
    return found


def cover(units: Sequence[Unit], ranked: Sequence[tuple[int, Hex]], marked: Collection[Hex] = ()) -> list[Placement]:
    """Spread weapons over the zone.

    ``ranked``: the zone by priority, (rank, hex), as ``assault_zone`` gives it. ``marked``: hexes with earlier escorts'
    attacks: only what is thrown goes there, and only what can reach no vacant hex. They come in the order of rounds and
    priority.
    """
    vacant = [Unit(unit.weapon, {h: step for h, step in unit.reach.items() if h not in marked}) for unit in units]
    placed, left = _rounds(vacant, ranked)
    again = [units[i] for i in left if units[i].weapon in THROWN and units[i].reach]
    return placed + _rounds(again, ranked)[0]


def _rounds(units: Sequence[Unit], ranked: Sequence[tuple[int, Hex]]) -> tuple[list[Placement], list[int]]:
    """Rounds of matching until nothing more can be placed: the placements, and the units left over (by index)."""
    placed: list[Placement] = []
    left = list(range(len(units)))
    number = 1
    while left:
        holder = _match(units, left, [h for _, h in ranked])
        if not holder:
            break
        for rank, h in ranked:
            if h in holder:
                unit = units[holder[h]]
                placed.append(Placement(unit.weapon, h, rank, unit.reach[h], number))
        used = set(holder.values())
        left = [i for i in left if i not in used]
        number += 1
    return placed, left


def _match(units: Sequence[Unit], free: Sequence[int], order: Sequence[Hex]) -> dict[Hex, int]:
    """One weapon each for the best set of hexes: hex -> unit. Kuhn's algorithm, hexes by priority."""
    holder: dict[Hex, int] = {}
    held: dict[int, Hex] = {}

    def find(h: Hex, tried: set[int]) -> bool:
        for i in free:
            if i in tried or h not in units[i].reach:
                continue
            tried.add(i)
            if i not in held or find(held[i], tried):
                holder[h], held[i] = i, h
                return True
        return False

    for h in order:
        find(h, set())
    return holder
