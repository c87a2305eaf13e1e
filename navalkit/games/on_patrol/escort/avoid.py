"""Who stands in an escort's way, and the nearest legal path beside the one she would take (105.4, 108.1, 108.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from navalkit.grids.hex import Hex, Place, turn_between
from navalkit.grids.hex_ships import obstacle

from ..sea.combat_tables import COMBAT
from ..sea.fleet import could_enter, in_formation, pivot_hexes
from ..sea.state import MarkerKind, Phase, Role, State, Vessel
from ..sea.swift import Latest

HEDGEHOG = "hedgehog"
_TURNS = (0, -1, 1)


class Ban(NamedTuple):
    """Why a hex is closed: the rule, and whose fault it is."""

    rule: str
    whose: str


@dataclass(frozen=True, slots=True)
class Hindrances:
    """The hexes closed to one escort, each with its reason."""

    taken: Mapping[Hex, Ban]  # others lie there: she may neither enter nor swing her stern into them
    forbidden: Mapping[Hex, Ban]  # her bow may not enter them
    ending: Mapping[Hex, Ban]  # she may cross them, but neither bow nor stern may end its move there

    def ban(self, h: Hex) -> Ban:
        """Why a hex is closed (KeyError if it is open)."""
        return self.taken[h] if h in self.taken else self.forbidden[h] if h in self.forbidden else self.ending[h]

    def first(self, start: Place, path: Sequence[Place]) -> tuple[int, Hex] | None:
        """The first trouble on a path: how many hexes are entered before it, and the closed hex; None if clear."""
        place = start
        for i, to in enumerate(path):
            turn = turn_between(place.direction, to.direction)
            hex_ = obstacle(place, turn, self.forbidden.keys(), self.taken.keys())
            if hex_ is not None:
                return i, hex_
            place = to
        return next(((len(path), h) for h in place.hexes if h in self.ending), None)


def _fleet(state: State) -> State:
    """What hangs on merchants and capital ships alone is the same for all escorts of a turn."""
    ships = tuple(v for v in state.vessels if v.role is not Role.ESCORT)
    return State(0, Phase.ESCORTS, state.fleet, ships, (), package=state.package)


@Latest
def _fleet_bans(fleet: State) -> Mapping[Hex, Ban]:
    """What merchants and capital ships might enter or swing into with the next fleet die; one that is dead in the water
    or sunk does neither."""
    bans: dict[Hex, Ban] = {}
    for ship in fleet.vessels:
        if not (ship.stopped or ship.sunk):
            merchant = ship.role is Role.MERCHANT
            enter = Ban("108.1.1" if merchant else "108.1.3", ship.id)
            swing = Ban("108.1.2" if merchant else "108.1.3", ship.id)
            bans.update(dict.fromkeys(pivot_hexes(ship), swing))
            bans.update(dict.fromkeys(could_enter(fleet, ship), enter))
    return bans


def _station_bans(state: State) -> dict[Hex, Ban]:
    """What escorts in formation might enter or swing into: one that returns does not push them off their stations."""
    bans: dict[Hex, Ban] = {}
    for ship in state.escorts:
        if in_formation(state, ship):
            bans.update(dict.fromkeys((*pivot_hexes(ship), *could_enter(state, ship)), Ban("104.2.3", ship.id)))
    return bans


def hindrances(state: State, ship: Vessel, *, ramming: bool = False) -> Hindrances:
    """What is closed to an escort now; ``ramming``: she is the one that may run down a surfaced boat (108.1.5)."""
    taken: dict[Hex, Ban] = {}
    for other in state.vessels:
        if other.id != ship.id:
            moved = other.role is Role.ESCORT and other.id in state.moved
            bow, stern = other.place.hexes
            taken[bow] = taken[stern] = Ban("105.4.8" if moved else "105.4.11", other.id)
    returning = state.marker(ship.hunt.boat) is None
    forbidden = {**(_station_bans(state) if returning else {}), **_fleet_bans(_fleet(state))}
    for charge in state.charges:
        if charge.weapon != HEDGEHOG:
            forbidden[charge.at] = Ban("105.4.2", charge.escort)
    ending: dict[Hex, Ban] = {}
    for torpedo in state.torpedoes:
        forbidden[torpedo.at] = Ban("108.2.1", torpedo.id)
        for n in range(1, COMBAT.torpedoes[torpedo.type].speed + 1):
            ending.setdefault(torpedo.at.step(torpedo.direction, n), Ban("108.2.1", torpedo.id))
    if not ramming:
        for marker in state.markers:
            if marker.kind is MarkerKind.SURFACED:
                for h in marker.place.hexes:
                    forbidden[h] = Ban("108.1.5", marker.boat)
    return Hindrances(taken, forbidden, ending)


def nearest_parallel(start: Place, intended: Sequence[Place], closed: Hindrances) -> tuple[Place, ...]:
    """The legal path that keeps closest to an intended one.

    Paths as long as the intended one come before shorter ones; among those of one length the path whose hexes are
    nearest to the intended hexes (distances added up), then the one whose last heading is nearest, then the one with
    fewer turns, then straight on before port before starboard. If nothing is legal the ship stays where she is.
    """
    for length in range(len(intended), 0, -1):
        found = min(_paths(start, intended[:length], closed), default=None)
        if found is not None:
            return found[-1]
    return ()


def _paths(
    start: Place, intended: Sequence[Place], closed: Hindrances
) -> Iterator[tuple[int, int, int, tuple[int, ...], tuple[Place, ...]]]:
    """All legal paths as long as ``intended`` that are not yet worse than the best, as sortable tuples."""
    best = [10**6]
    taken, forbidden, ending = closed.taken.keys(), closed.forbidden.keys(), closed.ending

    def extend(
        path: tuple[Place, ...], ranks: tuple[int, ...], cost: int
    ) -> Iterator[tuple[int, int, int, tuple[int, ...], tuple[Place, ...]]]:
        place = path[-1] if path else start
        if len(path) == len(intended):
            if not any(h in ending for h in place.hexes):
                best[0] = min(best[0], cost)
                off = abs(turn_between(place.direction, intended[-1].direction))
                yield cost, off, sum(rank > 0 for rank in ranks), ranks, path
            return
        for rank, turn in enumerate(_TURNS):
            to = place.entering(turn)
            more = cost + to.bow.distance(intended[len(path)].bow)
            if more <= best[0] and obstacle(place, turn, forbidden, taken) is None:
                yield from extend((*path, to), (*ranks, rank), more)

    return extend((), (), 0)
