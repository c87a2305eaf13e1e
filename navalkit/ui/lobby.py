"""The lobby in a notebook, for servers that are not ours: ours shows it without a kernel (`navalkit.serve`)."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import parse_qs

from ipywidgets import DOMWidget

from navalkit.core import registry
from navalkit.view.lobby import page

from .widgets import HTML


def asked(folder: str | Path = ".") -> DOMWidget:
    """The game that the page's address asks for (``?game=NAME``), or the lobby."""
    from .play.app import play  # the lobby itself needs no board

    game = parse_qs(os.environ.get("QUERY_STRING", "")).get("game", [""])[0]
    return play(registry.package(game).name) if game else lobby(folder)


def lobby(folder: str | Path = ".") -> HTML:
    """The lobby as a widget, for the notebook in `folder`."""
    return HTML(page(Path(folder)))
