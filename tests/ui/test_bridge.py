"""The widgets that are heard and not seen take no place on a page."""

from __future__ import annotations

from navalkit.core.match import Store
from navalkit.ui.play.app import GameApp
from navalkit.ui.rooms.door import Door


def test_what_only_talks_to_the_browser_takes_no_place(tmp_path):
    """Said in the widget's layout: what a script sets on the element, ipywidgets may set back as it starts."""
    app = GameApp("uss-lox", Store(tmp_path))
    for widget in (app.bridge, app.board.painter, Door()):
        assert widget.layout.display == "none"
