"""ipywidgets' own widgets, but that all of them share one layout and one style until they are given their own.

A page has hundreds of widgets. With a layout and a style each, as ipywidgets makes them, it would have three times as
many: each one a message from Python and a model in the browser before the first board is there. Looks come from style
sheets, by class, so a layout says no more than whether a widget is on the page (`shown`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import ipywidgets
from anywidget import AnyWidget
from ipywidgets import Layout
from traitlets import default

__all__ = [
    "HTML", "Box", "BoundedIntText", "Button", "Checkbox", "Combobox", "Dropdown", "IntSlider", "Plain", "Scripted",
    "Tab", "Text", "Textarea", "VBox", "is_shown", "shown",
]  # fmt: skip


@cache
def _layout(display: str) -> Layout:
    return Layout(display=display)


@cache
def _style(kind: type[Any]) -> Any:
    return kind()


class Plain(ipywidgets.DOMWidget):
    """A widget that shares its layout and style; pass it ``layout`` or ``style`` for one that may be changed."""

    @default("layout")
    def _shared_layout(self) -> Layout:
        return _layout("")

    @default("style")
    def _shared_style(self) -> Any:
        return _style(self.traits()["style"].klass)


class Box(Plain, ipywidgets.Box): ...


class VBox(Box, ipywidgets.VBox): ...


class Tab(Box, ipywidgets.Tab): ...


class HTML(Plain, ipywidgets.HTML): ...


class Button(Plain, ipywidgets.Button): ...


class Checkbox(Plain, ipywidgets.Checkbox): ...


class Combobox(Plain, ipywidgets.Combobox): ...


class Dropdown(Plain, ipywidgets.Dropdown): ...


class IntSlider(Plain, ipywidgets.IntSlider): ...


class BoundedIntText(Plain, ipywidgets.BoundedIntText): ...


class Text(Plain, ipywidgets.Text): ...


class Textarea(Plain, ipywidgets.Textarea): ...


class Scripted(Plain, AnyWidget):
    """A widget with a script of its own."""

    def hear(self, **calls: Callable[[dict[str, Any]], object]) -> None:
        """Have these called with what the script says, each by the name of its event."""

        def heard(_widget: Any, message: dict[str, Any], _buffers: Any) -> None:
            if call := calls.get(message.get("event", "")):
                call(message)

        self.on_msg(heard)


def shown(widget: ipywidgets.DOMWidget, on: bool) -> None:
    """Have a widget on the page, or take it away; what is as it should be sends nothing."""
    wanted, other = _layout("" if on else "none"), _layout("none" if on else "")
    if widget.layout is other:
        widget.layout = wanted
    elif widget.layout is not wanted:
        widget.layout.display = "" if on else "none"


def is_shown(widget: ipywidgets.DOMWidget) -> bool:
    """Whether a widget is on the page."""
    return bool(widget.layout.display != "none")
