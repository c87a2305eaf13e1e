"""Looks at Task Force without a page: what is picked by the ids of cells, with all that the board awaits."""

from __future__ import annotations
from collections.abc import Iterable
from dataclasses import replace

from navalkit.core.awaited import finish
from navalkit.games.task_force import PAGE
from navalkit.view.page import Glance, Look
from navalkit.view.scene import Scene


def glance_of(game, state) -> Glance:
    return Glance(game, game.observe(state, 0), 0, game.legal(state))


def look_at(
    glance: Glance, tall: bool = False, ids: Iterable[str] = (), room: tuple[float, float] | None = None
) -> tuple[Scene, Look]:
    """The board after presses on those cells, as far as they are there, and the look that shows it."""
    look = Look(tall, room=room)
    for id in (None, *ids):
        if id and (cell := PAGE.scene(glance, look).cell(id)) and cell.pick:
            look = replace(look, picks=look.picks.toggled(cell.pick))
        look = replace(look, answers={each.key: finish(each.start()) for each in PAGE.awaits(glance, look)})
    return PAGE.scene(glance, look), look


def scene_of(
    glance: Glance, tall: bool = False, ids: Iterable[str] = (), room: tuple[float, float] | None = None
) -> Scene:
    return look_at(glance, tall, ids, room)[0]


