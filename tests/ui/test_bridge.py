"""The widgets that are heard and not seen take no place on a page."""

from __future__ import annotations

import pytest

from navalkit.core.match import Store
from navalkit.ui.play.app import GameApp
from navalkit.ui.rooms.door import Door
from .pages import Browser


def test_what_only_talks_to_the_browser_takes_no_place(tmp_path):
    """Said in the widget's layout: what a script sets on the element, ipywidgets may set back as it starts."""
    app = GameApp("uss-lox", Store(tmp_path))
    for widget in (app.bridge, app.board.painter, Door()):
        assert widget.layout.display == "none"


CHOSEN = [("", {}, "de"), ("", {"lang": "en"}, "en"), ("?lang=en", {}, "en")]


@pytest.mark.parametrize(("query", "chosen", "lang"), CHOSEN)
def test_a_page_speaks_as_the_device_does_until_a_language_is_chosen(tmp_path, query, chosen, lang):
    app = GameApp("wolf-pack", Store(tmp_path))
    Browser(app).hello(query=query, stored=chosen, tongue="de")
    assert app.control.voice.lang == lang
