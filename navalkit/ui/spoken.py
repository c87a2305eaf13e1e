"""Widgets with words of their own: made from sentences by key, and said anew when the reader changes the language."""

from __future__ import annotations

from collections.abc import Callable

from ipywidgets import Box, Button, DOMWidget, VBox, Widget

from navalkit.core.words import Words

from .say import SAY


def button(label: str, title: str, call: Callable[..., None], *classes: str) -> Button:
    """A button with a tooltip, which is also its name for screen readers where the label is a sign."""
    made = Button(description=label, tooltip=title)
    made.on_click(call)
    for name in classes:
        made.add_class(name)
    return made


class Spoken(DOMWidget):
    """A widget with words of its own: `relabel` says them anew, for a reader who has changed the language."""

    def relabel(self) -> None:
        """Say its words to the present reader."""


class KeyButton(Button, Spoken):
    """A button whose label is the sentence KEY, and whose tooltip, its name for screen readers, is KEY.help.

    Parameters
    ----------
    key : str
        The label may be changed to another key's by `say`.
    call : callable
        Called with the button when it is pressed.
    *classes : str
        CSS classes.
    words : Words
        Where the sentences are.
    """

    def __init__(self, key: str, call: Callable[..., None], *classes: str, words: Words = SAY) -> None:
        super().__init__()
        self._words, self._label, self._tip = words, key, f"{key}.help"
        self.on_click(call)
        for name in classes:
            self.add_class(name)
        self.relabel()

    def say(self, key: str) -> None:
        """Change the label."""
        self._label = key
        self.relabel()

    def relabel(self) -> None:
        self.description, self.tooltip = self._words(self._label), self._words(self._tip)


def relabel(root: Widget) -> None:
    """Say all words of a widget, and of what is inside it, to the present reader."""
    if isinstance(root, Spoken):
        root.relabel()
    if isinstance(root, Box):
        for child in root.children:
            relabel(child)


def box(name: str, *children: Widget, column: bool = False) -> Box:
    """A row, or a column, of a CSS class."""
    made = VBox(children) if column else Box(children)
    made.add_class(name)
    return made
