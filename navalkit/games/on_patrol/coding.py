"""On Patrol in figures, for learners (`core.coding`)."""

from __future__ import annotations
from collections.abc import Iterator

from navalkit.core.coding import Coding, Figure, course, hot
from .rules.game import OnPatrol
from .sea.state import Order, Phase, Role, State

PLACES, TURNS, SHOTS, FAR = 256, 4, 5, 40
"""Legal orders that are told at once (how many random play meets is in docs/envs.md); hexes of an order and torpedoes
of it that are told; hexes that count as 1 beside the convoy's guide."""


def CODING(game: OnPatrol) -> Coding:
    """The coding of a hunt: boats, then ships, in the order in which they begin; hexes are counted from the guide."""
    begun = game.initial()
    boats, ships = [boat.id for boat in begun.boats], [vessel.id for vessel in begun.vessels]

    def look(seen: State) -> Iterator[Figure]:
        guide = seen.fleet.guide.bow
        yield from hot("phase", seen.phase, list(Phase))
        yield from (("turn", seen.turn, 60), ("torpedoes", len(seen.torpedoes), 20))
        yield from course("fleet", seen.fleet.guide.direction, 6)
        for boat in seen.boats:
            yield from (("boat.q", boat.place.bow.q - guide.q, FAR), ("boat.r", boat.place.bow.r - guide.r, FAR))
            yield from course("boat", boat.place.direction, 6)
            yield from (("boat.depth", boat.depth, 700), ("boat.speed", boat.speed, 4), ("boat.hull", boat.hull, 20),
                        ("boat.ready", sum(tube.ready == 0 for tube in boat.tubes), 10),
                        ("boat.gone", float(bool(boat.sunk or boat.away)), 1),
                        ("boat.marked", float(seen.marker(boat.id) is not None), 1))
        there = {vessel.id: vessel for vessel in seen.vessels}
        for name in ships:
            ship = there.get(name, begun.vessels[ships.index(name)])
            yield f"ship.{name}.there", float(name in there and not ship.sunk), 1
            yield f"ship.{name}.q", ship.place.bow.q - guide.q, FAR
            yield f"ship.{name}.r", ship.place.bow.r - guide.r, FAR
            yield from course(f"ship.{name}", ship.place.direction, 6)
            yield from ((f"ship.{name}.speed", ship.speed, 4), (f"ship.{name}.hits", ship.hits, 4))
            yield from hot(f"ship.{name}", ship.role, list(Role))

    def tell(seen: State, action: Order) -> Iterator[Figure]:
        depth = next((boat.depth for boat in seen.boats if boat.id == action.boat), 0)
        yield from (("boat", boats.index(action.boat), max(1, len(boats))), ("hexes", len(action.turns), TURNS),
                    ("depth", depth if action.depth is None else action.depth, 700))
        for n in range(TURNS):
            yield f"turn.{n}", action.turns[n] if n < len(action.turns) else 0, 2
        yield "shots", len(action.shots), SHOTS
        for n in range(SHOTS):
            yield f"shot.{n}.number", action.shots[n].number if n < len(action.shots) else 0, 6
            yield from course(f"shot.{n}", action.shots[n].direction if n < len(action.shots) else 0, 6)

    return Coding(look, places=PLACES, tell=tell, reward=10)
