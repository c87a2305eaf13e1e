"""Widgets with words of their own: made from sentences by key, and said anew when the reader changes the language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from ipywidgets import DOMWidget, Widget

from navalkit.core.language.words import Words, speaking, voice

from ..say import SAY
from . import Box, Button, VBox

W = TypeVar("W", bound=DOMWidget)


def classed(widget: W, *classes: str) -> W:
    """The widget, with these CSS classes."""
    for name in classes:
        widget.add_class(name)
    return widget


def keyed(widget: W, key: str) -> W:
    """The widget, with the CSS class of its key: of "undo.yes" it is ``.nk-key-undo-yes``."""
    return classed(widget, f"nk-key-{re.sub('[^a-z0-9]+', '-', key)}")


def button(label: str, title: str, call: Callable[[], object], *classes: str) -> Button:
    """A button with a tooltip, which is also its name for screen readers where the label is a sign."""
    made = Button(description=label, tooltip=title)
    made.on_click(lambda _: call())
    return classed(made, *classes)


class Spoken(DOMWidget):
    """A widget with words of its own: `relabel` says them anew, for a reader who has changed the language."""

    def relabel(self) -> None:
        """Say its words to the present reader."""


class KeyButton(Button, Spoken):
    """A button whose label is the sentence KEY, and whose tooltip, its name for screen readers, is KEY.help.

    ``key``: the label may be changed to another key's by `say`. ``call`` is called with the button when it is pressed.
    ``*classes``: CSS classes beside its key's (`keyed`). ``words``: where the sentences are.
    """

    def __init__(self, key: str, call: Callable[..., None], *classes: str, words: Words = SAY) -> None:
        super().__init__()
        self._words, self._label, self._tip = words, key, f"{key}.help"
        self.on_click(call)
        classed(keyed(self, key), *classes)
        self.relabel()

    def say(self, key: str) -> None:
        """Change the label, and the tooltip where the new key has one."""
        self._label = key
        self._tip = f"{key}.help" if f"{key}.help" in self._words else self._tip
        with speaking(self._voice):  # a timer speaks to nobody
            self.relabel()

    def relabel(self) -> None:
        self._voice = voice()
        self.description, self.tooltip = self._words(self._label), self._words(self._tip)


def maker(guard: Callable[..., Callable[..., None]], words: Words = SAY) -> Callable[..., KeyButton]:
    """What makes buttons: of a key, what a press calls inside ``guard``, and CSS classes."""

    def made(key: str, call: Callable[[], object], *classes: str) -> KeyButton:
        return KeyButton(key, guard(lambda _: call()), *classes, words=words)

    return made


class Heard:
    """Hears what a reader chooses; what the page itself sets, `quietly`, nobody is told of."""

    def __init__(self) -> None:
        self._quiet = False

    def value(self, widget: Widget, call: Callable[[Any], object]) -> None:
        """Call with the widget's new value."""
        widget.observe(lambda change: None if self._quiet else call(change["new"]), "value")

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Within it values are the page's."""
        self._quiet = True
        try:
            yield
        finally:
            self._quiet = False


def relabel(root: Widget) -> None:
    """Say all words of a widget, and of what is inside it, to the present reader."""
    if isinstance(root, Spoken):
        root.relabel()
    if isinstance(root, Box):
        for child in root.children:
            relabel(child)


def box(name: str, *children: Widget, column: bool = False) -> Box:
    """A row, or a column, of CSS classes."""
    return classed(VBox(children) if column else Box(children), *name.split())
