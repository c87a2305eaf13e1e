"""The explorer's own widgets: a board of marks, and the slider, menu or box of every other control."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import traitlets
from markupsafe import Markup

from navalkit.explore.controls import Choice, Control, Marks, Switch, Whole
from navalkit.explore.say import SAY

from ..widgets import HTML, Checkbox, Dropdown, IntSlider, Scripted, VBox
from ..widgets.spoken import Heard, box, button, classed, keyed

HERE = Path(__file__)
_HEATS = 10


class MarksBoard(Scripted):
    """A board of cells; each click takes one to its next mark. ``clicked`` is called with the id of a cell, and 1, or
    -1 to go back."""

    _esm = HERE.with_name("board.js")
    _css = HERE.with_name("explore.css")
    rows: traitlets.List[Any] = traitlets.List().tag(sync=True)
    marks: traitlets.List[Any] = traitlets.List().tag(sync=True)
    levels = traitlets.Dict().tag(sync=True)
    notes = traitlets.Dict().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    kind = traitlets.Unicode("deck").tag(sync=True)

    def __init__(self, control: Marks | None = None) -> None:
        rows = [] if control is None else [
            [{"id": c.id, "label": c.label, "name": str(c.name), "tone": c.tone} for c in row] for row in control.rows
        ]  # fmt: skip
        kind = "deck" if control is None or len(control.marks) == 2 else "pile" if control.tally else "map"
        marks = [["", ""]] if control is None else [
            [sign, control.say(f"mark.{i}") or str(i)] for i, sign in enumerate(control.marks)
        ]  # fmt: skip
        super().__init__(rows=rows, kind=kind, marks=marks, label=control.label if control else "")
        self.clicked: Callable[[str, int], None] = lambda cell, by: None
        self._notes: dict[str, list[Any]] = {}
        self.hear(mark=lambda told: self.clicked(str(told["cell"]), 1 if told.get("by") == 1 else -1))

    def show(self, levels: Mapping[str, int], chances: Mapping[str, float] | None) -> None:
        """Show these marks, and a probability on every cell that has one; None keeps those that are shown."""
        if chances is not None:
            top = max(chances.values(), default=0.0) or 1.0
            self._notes = {id: [f"{100 * p:.0f}", min(_HEATS - 1, int(_HEATS * p / top))] for id, p in chances.items()}
        self.levels = dict(levels)
        self.notes = {id: note for id, note in self._notes.items() if id not in levels}


class ControlWidget:
    """The widget of one control. ``moved`` is called with the control's name and new value when the reader moves it.
    ``marked`` is called with the name, a cell and 1 or -1."""

    def __init__(
        self, control: Control, moved: Callable[[str, Any], None], marked: Callable[[str, str, int], None]
    ) -> None:
        self.control, self._heard = control, Heard()
        self.field: Any = None
        self.board: MarksBoard | None = None
        unit, help = control.say("unit"), control.say("help")
        name = f"{control.label}, {unit}" if unit else control.label
        note = Markup("<p class=nk-note>{}</p>").format(help) if help else ""
        if isinstance(control, Marks):
            self.board = MarksBoard(control)
            self.board.clicked = lambda cell, by: marked(control.name, cell, by)
            self._head = HTML()
            title = SAY("button.clear.help", label=control.label)
            clear = button(SAY("button.clear"), title, partial(moved, control.name, ""), "nk-explore-clear")
            self.widget = VBox([box("nk-explore-marks-head", self._head, clear), self.board, HTML(note)])
        else:
            self.field = _field(control, name)
            self._heard.value(self.field, partial(moved, control.name))
            self.widget = VBox([self.field, HTML(note)] if note and isinstance(control, Choice) else [self.field])
            if note and not isinstance(control, Choice):
                self.field.tooltip = help
        keyed(classed(self.widget, "nk-explore-control"), f"control.{control.name}")

    def show(self, value: Any, chances: Mapping[str, float] | None) -> None:
        """Show a value without having moved to it; see `MarksBoard.show`."""
        if self.board is not None:
            assert isinstance(self.control, Marks)
            levels = self.control.levels(value)
            self.board.show(levels, chances)
            marks = sum(levels.values()) if self.control.tally else len(levels)
            text = Markup("<b>{}</b>: {}").format(self.control.label, marks or self.control.say("none"))
            self._head.value = str(text)
            return
        with self._heard.quietly():
            self.field.value = value


def _field(control: Control, name: str) -> Any:
    if isinstance(control, Whole):
        return IntSlider(control.default, control.low, control.high, control.step, description=name)
    if isinstance(control, Switch):
        return Checkbox(control.default, description=name, indent=False)
    assert isinstance(control, Choice)
    options = [(control.shown(word), word) for word in control.choices]
    return Dropdown(options=options, value=control.default, description=name)
