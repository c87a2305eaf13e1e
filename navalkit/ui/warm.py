"""What a kernel that is kept warm does before it knows its page: everything that pages would else do first of all."""

from __future__ import annotations
import gc
from pathlib import Path
from urllib.parse import parse_qs

from ipywidgets import DOMWidget

from navalkit.core import registry
from navalkit.core.awaited import finish
from navalkit.core.registry import names, package
from navalkit.view import files
from navalkit.view.lobby import page
from navalkit.view.page import page_of
from navalkit.walks import shows
from navalkit.walks.stepper import Stepper
from .explore import app as explorer
from .frontend import current
from .play import app as game, begin, review_panel
from .play.controller import Controller
from .rooms import door
from .shell import trim
from .step import page as stepper
from .widgets import HTML

PAGES = game, explorer, stepper
PANELS = begin, review_panel, door, files, files  # which a page imports when it makes them


def warm() -> None:
    """Import all games with their pages, and look once at the first boards, of play and of stepping: what they are made
    of is kept. A game that offers ``WARM`` as false is left out. All of it lives as long as the page, so the garbage
    collector need not look at it again, which took 50 ms of some click."""
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
    trim()


# -- The lobby in a notebook, for servers that are not ours: ours shows it without a kernel (`navalkit.serve`)

def asked(folder: str | Path = ".") -> DOMWidget:
    """The game that the page's address asks for (``?game=NAME``), or the lobby."""
    from .play.app import play  # the lobby itself needs no board

    game = parse_qs(current().query).get("game", [""])[0]
    return play(registry.package(game).name) if game else lobby(folder)


def lobby(folder: str | Path = ".") -> HTML:
    """The lobby as a widget, for the notebook in `folder`."""
    return HTML(page(Path(folder)))
