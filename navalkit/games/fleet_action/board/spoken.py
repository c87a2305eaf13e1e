"""The board of Fleet Action in words: a square, and all of it, for screen readers and for what is pointed at."""

from __future__ import annotations

from collections.abc import Iterable

from navalkit.grids.square_headings import HEADINGS

from ..state import sight
from ..state.observation import Observation
from . import SAY
from .choice import located


def spoken(seen: Observation, squares: Iterable[int]) -> dict[int, str]:
    """What is on each of the squares, in words."""
    battle, state = seen.battle, seen.view
    on: dict[int, list[str]] = {square: [] for square in squares}

    def put(where: Iterable[int], words: str) -> None:
        for square in on.keys() & set(where):
            on[square].append(words)

    for side in (0, 1):
        for number in located(seen, side):
            own, unit = state.ships[number], battle.units[number]
            facts = {
                "ship": unit.name,
                "type": unit.card.type,
                "side": battle.sides[side],
                "heading": HEADINGS[own.heading],
            }
            put([own.square], SAY("spoken.ship", damage=own.damage, rate=unit.card.sinking_rate, **facts))
    for number, ship in enumerate(state.ships):
        put([ship.wreck], SAY("spoken.wreck", ship=battle.units[number].name))
    for square in set(seen.discs):
        put([square], SAY("spoken.disc", n=seen.discs.count(square)))
    for field in state.fields:
        put([field.square], SAY("spoken.mines", side=battle.sides[field.side]))
    for side in (0, 1):
        put(battle.harbours[side], SAY("spoken.harbour", side=battle.sides[side]))
        put(battle.exits[side], SAY("spoken.exit", side=battle.sides[side]))
    for island in battle.islands:
        put(island.squares, island.name)
    put(battle.coast, SAY("spoken.land"))
    sea = on.keys() - battle.land
    put((s for s in sea if sight.foggy(battle, state, s)), SAY("sea.fog"))
    put((s for s in sea if sight.rough(battle, state, s)), SAY("sea.rough"))
    names = battle.grid.names
    return {square: f"{names[square]}: {'; '.join(parts) or SAY('spoken.sea')}" for square, parts in on.items()}


def describe(seen: Observation) -> str:
    """The board in words, for screen readers."""
    battle, state = seen.battle, seen.view
    names, told = battle.grid.names, []
    for side in (seen.me, 1 - seen.me):
        ships = (
            SAY("spoken.at", ship=battle.units[n].name, square=names[at.square], heading=HEADINGS[at.heading])
            for n, at in ((n, state.ships[n]) for n in located(seen, side))
        )
        told.append(f"{battle.sides[side]}: {', '.join(ships) or SAY('spoken.none')}.")
    unknown = ", ".join(battle.grid.names[s] for s in seen.discs)
    discs = SAY("desc.discs", squares=unknown) if unknown else ""
    sunk = ", ".join(
        f"{battle.units[n].name} at {battle.grid.names[ship.wreck]}"
        for n, ship in enumerate(state.ships)
        if ship.wreck >= 0
    )
    wrecks = SAY("desc.wrecks", ships=sunk) if sunk else ""
    return " ".join(filter(None, (SAY("desc.you", side=battle.sides[seen.me], move=state.move), *told, discs, wrecks)))
