"""ipywidgets' own widgets, but that all of them share one layout and one style until they are given their own.

A page has hundreds of widgets. With a layout and a style each, as ipywidgets makes them, it would have three times as
many: each one a message from Python and a model in the browser before the first board is there. Looks come from style
sheets, by class, so a layout says no more than whether a widget is on the page (`shown`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import comm
import ipywidgets
from anywidget import AnyWidget
from ipykernel.comm.comm import BaseComm
from ipykernel.kernelbase import Kernel
from ipywidgets import Layout
from traitlets import default

__all__ = [
    "HTML", "Box", "BoundedIntText", "Button", "Checkbox", "Combobox", "Dropdown", "IntSlider", "Plain", "Scripted",
    "Tab", "Text", "Textarea", "VBox", "is_shown", "shown", "unheard",
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

    @default("layout")
    def _own_layout(self) -> Layout:
        return Layout()  # where it is given another, the browser goes on with the first

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


@contextmanager
def unheard() -> Iterator[None]:
    """Say nothing of the widgets that are made meanwhile, where nobody would hear it.

    A page in Voila asks for all of them at once when it is there. The 320 messages by which a game's page is made would
    be read by the server alone, and take three times as long as all the rest.
    """
    if not os.environ.get("SERVER_SOFTWARE", "").startswith("voila/"):
        yield
        return
    usual, made = comm.create_comm, []

    def line(data: object = None, metadata: object = None, buffers: object = None, **keys: Any) -> BaseComm:
        """A line that exists here only, until the page asks for it; on one without a kernel a widget says nothing."""
        made.append(BaseComm(primary=False, **keys))
        comm.get_comm_manager().register_comm(made[-1])
        return made[-1]

    comm.create_comm = line
    try:
        yield
    finally:
        comm.create_comm = usual
        for each in made:
            each.kernel = Kernel.instance() if Kernel.initialized() else None
