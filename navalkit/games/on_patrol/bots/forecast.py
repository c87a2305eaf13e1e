"""What the escorts will do next turn, as a captain who knows their rules can work it out, and what it costs a boat.

Their moves hang on the markers alone, which lie before them on the sea. Left out is the fleet die, which only shifts
ships that sail in formation.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ..combat.attacks import one_attack
from ..combat.search import duty, radar, sonar
from ..combat.sight import AWASH, as_escorts_see
from ..escort.automaton import decide
from ..escort.markers import assign
from ..escort.precedence import next_to_move
from ..sea.combat_tables import COMBAT
from ..sea.fleet import in_formation
from ..sea.setting import Sea
from ..sea.state import Boat, Charge, MarkerKind, Phase, State, Vessel

CRUISE = 2  # hexes that a fleet makes good in a turn


class Forecast:
    """The next turn for one boat, if she is not in sight at the end of this one.

    ``state``: in phase 8, before her order. ``charges``: where charges will fall. ``ships``: where the escorts will
    search from, and how fast they will have been.
    """

    def __init__(self, state: State, boat: Boat, sea: Sea) -> None:
        marker = state.marker(boat.id)
        if marker and marker.kind in (MarkerKind.SURFACED, MarkerKind.VISIBLE):  # she dives, and a marker stays
            state = state.with_marker(marker._replace(kind=MarkerKind.CONTACT))
        self.sea = sea
        self._after = self._moved(assign(state).state)
        self.ships: tuple[Vessel, ...] = self._after.escorts
        self.charges: tuple[Charge, ...] = self._after.charges

    def _moved(self, state: State) -> State:
        """The sea after phase 3 of the next turn."""
        state = replace(state, phase=Phase.ESCORTS, moved=(), charges=(), todo=(), torpedoes=())
        ahead = state.fleet.guide.direction
        formed = [v for v in state.escorts if in_formation(state, v)]
        while (id := next_to_move(state)) is not None:
            move = decide(as_escorts_see(state, self.sea), id, trace=False)
            ship = state.vessel(id)
            place = move.action.path[-1] if move.action.path else ship.place
            state = state.with_vessel(replace(ship, place=place, speed=len(move.action.path), hunt=move.hunt))
            state = replace(state, charges=(*state.charges, *move.action.charges), moved=(*state.moved, id))
        for ship in formed:
            bow = ship.place.bow.step(ahead, CRUISE)
            state = state.with_vessel(replace(ship, place=ship.place._replace(bow=bow), speed=CRUISE))
        return state

    def loss(self, boat: Boat) -> float:
        """The hull points that the charges may be expected to cost a boat."""
        bow, weapons = boat.place.bow, COMBAT.weapons
        return sum(
            _harm(charge.weapon, charge.at.distance(bow))
            for charge in self.charges
            if boat.depth <= weapons[charge.weapon].deepest
        )

    def found(self, boat: Boat) -> float:
        """The chance that sonar or radar finds a boat, in sight or not."""
        missed = 1.0
        for ship in self.ships:
            missed *= 1 - float(sonar(ship, boat, duty(self._after, ship, boat))[0])
            if boat.depth <= AWASH:
                missed *= 1 - float(radar(ship, boat, self.sea)[0])
        return 1 - missed


@lru_cache(maxsize=256)
def _harm(weapon: str, distance: int) -> float:
    if distance > COMBAT.reach(weapon):
        return 0.0
    return float(one_attack(weapon, distance).mean)
