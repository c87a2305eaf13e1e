"""Points and victory (W1): ships sunk against boats lost or damaged."""

from __future__ import annotations

from navalkit.core.game import Outcome

from ..sea.say import SAY, WHY
from ..sea.setting import Sea
from ..sea.state import Boat, State
from ..sea.tables import TABLES


def damage_points(boat: Boat) -> int:
    """What damage to a boat that is not sunk costs: of half her value the share of hull points lost, rounded down."""
    type_ = TABLES.boats[boat.type]
    return 0 if boat.sunk else type_.value * (type_.hull - boat.hull) // (2 * type_.hull)


def points(state: State) -> int:
    """The captain's points so far."""
    return sum(score.value for score in state.points) - sum(map(damage_points, state.boats))


def result(state: State, sea: Sea) -> str:
    """ "win" with the points the scenario asks for and a boat afloat, "draw" with a boat afloat and no points lost,
    otherwise "loss"."""
    if all(boat.sunk for boat in state.boats) or points(state) < 0:
        return "loss"
    return "win" if points(state) >= sea.points else "draw"


def outcome(state: State, sea: Sea) -> Outcome:
    """How a game that is over ended."""
    total, how = points(state), result(state, sea)
    ships = [score.of for score in state.points if score.kind == "sunk"]
    boats = [boat.id for boat in state.boats if boat.sunk]
    away = sum(boat.away > 0 for boat in state.boats)
    text = SAY(
        f"result.{how}",
        points=total,
        goal=sea.points,
        sunk=WHY("victory.ships_sunk", ids=", ".join(ships)) if ships else WHY("victory.no_ship_sunk"),
        lost=WHY("victory.boats_lost", ids=", ".join(boats)) if boats else WHY("victory.no_boat_lost"),
    )
    facts = {
        "points": total,
        "ships_sunk": len(ships),
        "boats_lost": len(boats),
        "boats_away": away,
        "boats_found": len(state.found),
        "turns": state.turn,
    }
    return Outcome((float(total), float(-total)), how, text, facts)
