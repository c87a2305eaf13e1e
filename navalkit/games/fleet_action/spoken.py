"""The board of Fleet action in words: a square, and all of it, for screen readers and whoever points at something."""

from __future__ import annotations

from navalkit.grids.square_headings import HEADINGS

from . import sight
from .choice import located
from .observation import Observation
from .page_say import SAY


def spoken(seen: Observation, square: int) -> str:
    """What is on a square, in words."""
    battle, state = seen.battle, seen.view
    name = battle.grid.names[square]
    parts = []
    for side in (0, 1):
        for number in located(seen, side):
            own, unit = state.ships[number], battle.units[number]
            if own.square == square:
                parts.append(
                    SAY(
                        "spoken.ship", ship=unit.name, type=unit.card.type, side=battle.sides[side],
                        heading=HEADINGS[own.heading], damage=own.damage, rate=unit.card.sinking_rate,
                    )
                )  # fmt: skip
    count = seen.discs.count(square)
    parts += [SAY("spoken.disc", n=count)] * bool(count)
    parts += [SAY("spoken.mines", side=battle.sides[f.side]) for f in state.fields if f.square == square]
    parts += [SAY("spoken.harbour", side=battle.sides[s]) for s in (0, 1) if square in battle.harbours[s]]
    parts += [SAY("spoken.exit", side=battle.sides[s]) for s in (0, 1) if square in battle.exits[s]]
    if square in battle.land:
        parts += [island.name for island in battle.islands if square in island.squares] or [SAY("spoken.land")]
    elif sight.foggy(battle, state, square):
        parts.append(SAY("sea.fog"))
    elif sight.rough(battle, state, square):
        parts.append(SAY("sea.rough"))
    return f"{name}: {'; '.join(parts) or SAY('spoken.sea')}"


def describe(seen: Observation) -> str:
    """The board in words, for screen readers."""
    battle, state = seen.battle, seen.view
    told = []
    for side in (seen.me, 1 - seen.me):
        ships = (
            f"{battle.units[n].name} at {battle.grid.names[state.ships[n].square]} heading "
            f"{HEADINGS[state.ships[n].heading]}"
            for n in located(seen, side)
        )
        told.append(f"{battle.sides[side]}: {', '.join(ships) or SAY('spoken.none')}.")
    unknown = ", ".join(battle.grid.names[s] for s in seen.discs)
    discs = SAY("desc.discs", squares=unknown) if unknown else ""
    return " ".join(filter(None, (SAY("desc.you", side=battle.sides[seen.me], move=state.move), *told, discs)))
