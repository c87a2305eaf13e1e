"""What a kernel that is kept warm does before it knows its page: everything that pages would else do first of all."""

from __future__ import annotations

import gc

from navalkit.core.awaited import finish
from navalkit.core.registry import names, package
from navalkit.view.page import page_of
from navalkit.view.painters import film_svg, printed
from navalkit.walks import shows
from navalkit.walks.stepper import Stepper

from .explore import app as explorer
from .play import app as game
from .play.begin import new_game
from .play.controller import Controller
from .play.end import review_panel
from .rooms import invite
from .step import page as stepper

PAGES = game, explorer, stepper
PANELS = new_game, review_panel, invite, film_svg, printed  # which a page imports when it makes them


def warm() -> None:
    """Import all games with their pages, and look once at the first boards, of play and of stepping: what they are made
    of is kept. A game that offers ``WARM`` as false is left out.

    All of it lives as long as the page, so the garbage collector need not look at it again, which took 50 ms of some
    click.
    """
    for name in names():
        page_of(name)
        if package(name).offered("WARM", True):
            control = Controller(name)
            control.scene()
            control.orders()
            walked = Stepper(finish(shows.from_query(name, "")).show)
            walked.walk.scene(walked.sight, walked.walk.camera())
    gc.collect()
    gc.freeze()
