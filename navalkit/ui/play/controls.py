"""The widgets around a board: order buttons, the box for typed orders, and the stepper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import traitlets
from ipywidgets import Layout

from navalkit.view.page import Order

from ..say import SAY
from ..widgets import Box, Button, IntSlider, Scripted, Text
from ..widgets.playback import Playback
from ..widgets.spoken import Heard, KeyButton, Spoken, box


class OrderButtons(Scripted):
    """The legal actions as buttons, each with its odds and a bar as long as they are. ``give`` is called with the
    action of the order whose button was pressed."""

    _esm = Path(__file__).with_name("orders.js")
    rows: Any = traitlets.List().tag(sync=True)
    """Of each button its label, odds, help, group, and whether it is the primary one."""
    set = traitlets.Int(0).tag(sync=True)
    """Goes up with each set of orders."""
    hinted = traitlets.Int(-1).tag(sync=True)
    """The button that a hint speaks of."""
    note = traitlets.Unicode().tag(sync=True)
    """What stands in the place of the buttons where there are none."""

    def __init__(self, give: Callable[[Any], None]) -> None:
        super().__init__()
        self._give = give
        self._sets: dict[int, Sequence[Order]] = {0: ()}
        self.hear(give=lambda told: self.press(int(told["n"]), late=self.set - int(told["set"])))

    def show(self, orders: Sequence[Order], note: str = "") -> None:
        """Show these orders and no others, or a note; odds that are awaited come with `tell`."""
        with self.hold_sync():
            self.set, self.hinted, self.note = self.set + 1, -1, note
            self._sets = {self.set - 1: self._sets[self.set - 1], self.set: orders}
            self.rows = [_row(order, order.odds if isinstance(order.odds, str) else "…") for order in orders]

    def tell(self, number: int, odds: str) -> None:
        """Write the odds of an order on its button."""
        rows = list(self.rows)
        rows[number] = _row(self._sets[self.set][number], odds)
        self.rows = rows

    def hint(self, action: Any) -> None:
        """Light the button of an action, if it has one."""
        self.hinted = next((n for n, order in enumerate(self._sets[self.set]) if order.action == action), -1)

    def press(self, number: int, *, late: int = 0) -> None:
        """What a press on a button does; ``late`` sets of orders ago it was pressed."""
        orders = self._sets.get(self.set - late, ())
        if number < len(orders):
            self._give(orders[number].action)


def _row(order: Order, odds: str) -> list[Any]:
    return [order.label, odds, order.help, order.group, order.primary]


class OrderBox(Box, Spoken):
    """The box for typed orders. Enter gives the order; the text stays if it was wrong."""

    def __init__(self, give: Callable[[str], None], example: str) -> None:
        self._give, self._example = give, example
        self.text = Text()
        self.text.add_class("nk-order")
        self.text.on_msg(self._heard)
        super().__init__([self.text, KeyButton("give", lambda _: self._submit())])
        self.add_class("nk-play-order-box")
        self.relabel()

    def relabel(self) -> None:
        self.text.placeholder, self.text.tooltip = SAY("box", example=self._example), SAY("box.help")

    def _heard(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if isinstance(content, dict) and content.get("event") == "submit":
            self._submit()

    def _submit(self) -> None:
        self._give(self.text.value)

    def clear(self) -> None:
        """Empty the box: the order was taken."""
        self.text.value = ""


class Stepper(Playback):
    """Step back and forward through a game: first, back, play, forward, last, a slider and a speed. ``look`` is called
    with the step to look at. ``on`` is called for a further step at the end of a game that machines play."""

    def __init__(self, look: Callable[[int], None], on: Callable[[], None]) -> None:
        self._look, self._on = look, on
        self._last, self._goes_on = 0, False
        self._marked: tuple[tuple[int, str, str], ...] = ()
        self._heard = Heard()
        super().__init__()
        self.slider = IntSlider(0, 0, 0, description=SAY("step"), readout=True)
        self._heard.value(self.slider, self._go)
        self.marks = box("nk-play-marks")
        self.first = KeyButton("step.first", lambda _: self._go(0), "nk-step-glyph")
        self.back = KeyButton("step.back", lambda _: self._go(self.slider.value - 1), "nk-step-glyph")
        self.forward = KeyButton("step.forward", lambda _: self.by_hand(self.step), "nk-step-glyph")
        self.last = KeyButton("step.last", lambda _: self._go(self._last), "nk-step-glyph")
        self.widget = box(
            "nk-play-stepper", self.first, self.back, self.play, self.forward, self.last,
            box("nk-play-track", self.slider, self.marks), self.speed,
        )  # fmt: skip

    def mark(self, marks: Sequence[tuple[int, str, str]]) -> None:
        """Mark steps on the time line, each with a sign, and what it was as its tooltip; a press goes there."""
        if self._marked == tuple(marks):
            return
        self._marked, buttons = tuple(marks), []
        for step, sign, said in marks:
            button = Button(description=sign, tooltip=said, layout=Layout(left=f"{step / max(1, self._last):.1%}"))
            button.add_class("nk-play-mark")
            button.on_click(lambda _, step=step: self._go(step))
            buttons.append(button)
        self.marks.children = tuple(buttons)

    def show(self, ply: int, last: int, *, goes_on: bool = False) -> None:
        """Show where one is, without stepping there; ``goes_on``: a step from the end is one more of the game."""
        if self.playing and last > self._last:
            self.seen()
        self._last, self._goes_on = last, goes_on
        self.slider.description = SAY("step")
        with self._heard.quietly():
            self.slider.max = last
            self.slider.value = ply
        self.first.disabled = self.back.disabled = ply == 0
        self.last.disabled = ply == last
        self.forward.disabled = ply == last and not goes_on
        self.play.disabled = last == 0 and not goes_on
        if self.at_end:
            self.stop()

    @property
    def at_end(self) -> bool:
        return bool(self.slider.value >= self._last) and not self._goes_on

    def step(self) -> None:
        """Look at the next step, or have it played."""
        if self.slider.value < self._last:
            self._look(self.slider.value + 1)
        else:
            self._on()

    def rewind(self) -> bool:
        self._look(0)
        return True

    def _go(self, ply: int) -> None:
        self.by_hand(lambda: self._look(ply))
