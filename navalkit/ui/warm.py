"""What a kernel that is kept warm does before it knows its page: everything that pages would else do first of all."""

from __future__ import annotations

import gc

from navalkit.core.registry import names
from navalkit.view.page import page_of
from navalkit.view.painters import film_svg, printed

from .explore import app as explorer
from .play import app as game
from .play.begin import new_game
from .play.controller import Controller
from .play.end import review_panel
from .rooms import invite
from .step import app as stepper
from .step import hunts
from .step.model import StepModel
from .step.scene import Camera, board

PAGES = game, explorer, stepper
PANELS = new_game, review_panel, invite, film_svg, printed  # which a page imports when it makes them
FIRST_BOARDS = "fleet-action", "on-patrol", "uss-lox", "wolf-pack"
"""Games whose first board is drawn once; that of Task Force takes 50 MB, which no other page needs."""


def warm() -> None:
    """Import all games with their pages, and look once at the first boards: what they are made of is kept.

    All of it lives as long as the page, so the garbage collector need not look at it again, which took 50 ms of some
    click.
    """
    for name in names():
        page_of(name)
    for name in FIRST_BOARDS:
        control = Controller(name)
        control.scene()
        control.orders()
    model = StepModel(hunts.hunt(*hunts.FIRST))
    board(model, Camera().view(model))
    gc.collect()
    gc.freeze()
