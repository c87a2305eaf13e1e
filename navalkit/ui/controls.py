"""The widgets around a board: order buttons, control bar, stepper, and the panel for a new game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ipywidgets import HTML, BoundedIntText, Box, Button, Checkbox, Combobox, Dropdown, IntSlider, Text, VBox

from navalkit.core.game import Game
from navalkit.core.options import OptionSpec
from navalkit.players import makers
from navalkit.view.page import Order

from .playback import SPEEDS, Playback

HERE = "somebody at this screen"


def button(label: str, title: str, call: Callable[..., None], *classes: str) -> Button:
    """A button with a tooltip, which is also its name for screen readers where the label is a sign."""
    made = Button(description=label, tooltip=title)
    made.on_click(call)
    for name in classes:
        made.add_class(name)
    return made


class OrderButtons:
    """The legal actions as buttons, each with its odds. Buttons are kept and reused: a widget made is a widget kept.

    Parameters
    ----------
    give : callable
        Called with the notation of the order whose button was pressed.
    """

    def __init__(self, give: Callable[[str], None]) -> None:
        self._give = give
        self._buttons: list[Button] = []
        self._texts: list[str] = []
        self._groups: list[str] = []
        self.widget = Box([])
        self.widget.add_class("nk-order-buttons")

    def show(self, orders: Sequence[Order], enabled: bool = True) -> None:
        """Show these orders and no others."""
        while len(self._buttons) < len(orders):
            self._buttons.append(self._new(len(self._buttons)))
        self._texts = [order.text for order in orders]
        for i, (made, order) in enumerate(zip(self._buttons, orders, strict=False)):
            made.description = f"{order.label}\n{order.odds}" if order.odds else order.label
            made.tooltip = order.help
            made.disabled = not enabled
            if self._groups[i] != order.group:
                made.remove_class(f"nk-group-{self._groups[i]}")
                made.add_class(f"nk-group-{order.group}")
                self._groups[i] = order.group
        shown = tuple(self._buttons[: len(orders)])
        if self.widget.children != shown:
            self.widget.children = shown

    def _new(self, index: int) -> Button:
        made = button("", "", lambda _: self._give(self._texts[index]), "nk-order-button")
        self._groups.append("")
        return made


class OrderBox:
    """The box for typed orders. Enter gives the order; the text stays if it was wrong."""

    def __init__(self, give: Callable[[str], None], example: str) -> None:
        self._give = give
        self.text = Text(placeholder=f"type an order: {example}", tooltip="Type an order")
        self.text.add_class("nk-order")
        self.text.on_msg(self._heard)
        self.widget = Box([self.text, button("Give", "Give the typed order", lambda _: self._submit())])
        self.widget.add_class("nk-order-box")

    def _heard(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if isinstance(content, dict) and content.get("event") == "submit":
            self._submit()

    def _submit(self) -> None:
        self._give(self.text.value)

    def clear(self) -> None:
        """Empty the box: the order was taken."""
        self.text.value = ""


class Stepper(Playback):
    """Step back and forward through a game: first, back, play, forward, last, a slider and a speed.

    Parameters
    ----------
    look : callable
        Called with the step to look at.
    """

    def __init__(self, look: Callable[[int], None]) -> None:
        self._look = look
        self._last = 0
        self._quiet = False
        super().__init__(
            button("Play", "Play the game step by step", lambda _: self.toggle(), "nk-play"),
            Dropdown(options=list(SPEEDS), value="normal", tooltip="Speed"),
        )
        self.slider = IntSlider(0, 0, 0, description="Step", readout=True)
        self.slider.observe(self._slid, "value")
        self.first = button("|‹", "First step", lambda _: self._go(0), "nk-glyph")
        self.back = button(
            "‹", "Step back", lambda _: self._go(self.slider.value - 1), "nk-glyph", "nk-step-back"
        )
        self.forward = button(
            "›", "Step forward", lambda _: self._go(self.slider.value + 1), "nk-glyph", "nk-step-forward"
        )
        self.last = button("›|", "Last step", lambda _: self._go(self._last), "nk-glyph")
        self.widget = Box(
            [self.first, self.back, self.play, self.forward, self.last, self.slider, self.speed]
        )
        self.widget.add_class("nk-stepper")

    def show(self, ply: int, last: int) -> None:
        """Show where one is, without stepping there."""
        self._quiet, self._last = True, last
        self.slider.max = last
        self.slider.value = ply
        self._quiet = False
        self.first.disabled = self.back.disabled = ply == 0
        self.forward.disabled = self.last.disabled = ply == last
        self.play.disabled = last == 0
        if ply == last:
            self.stop()

    @property
    def at_end(self) -> bool:
        """Whether one looks at the last step."""
        return bool(self.slider.value >= self._last)

    def step(self) -> None:
        """Look at the next step."""
        self._look(self.slider.value + 1)

    def rewind(self) -> bool:
        """Look at the start."""
        self._look(0)
        return True

    def _go(self, ply: int) -> None:
        self.stop()
        self._look(ply)

    def _slid(self, change: Any) -> None:
        if not self._quiet:
            self._go(change["new"])


class NewGame:
    """The panel for a new game: who plays, a seed, and the game's options.

    Parameters
    ----------
    game : Game
        Whose options and players there are to choose from.
    start : callable
        Called with the seed's text, the options and the seats (see `Controller`).
    cancel : callable
        Called when the reader goes back.
    others : sequence of Button
        Other ways to begin.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        start: Callable[[str, dict[str, Any], tuple[str, ...]], None],
        cancel: Callable[[], None],
        others: Sequence[Button] = (),
    ) -> None:
        people = [(HERE, ""), *((f"the {name} player", name) for name in makers(game))]
        sides = game.players if game.deciders > 1 else ()
        self.seats = [Dropdown(options=people, description=f"The {side}") for side in sides]
        self.seed = Text(
            description="Seed", placeholder="empty: a new one", tooltip="Seed: one number, one sea"
        )
        self.fields = {spec.name: _field(spec) for spec in game.specs}
        rows = [
            VBox([field, HTML(f"<p class=nk-note>{spec.help}</p>")])
            for spec, field in zip(game.specs, self.fields.values(), strict=True)
        ]
        for row in rows:
            row.add_class("nk-option")
        go = button(
            "Start",
            "Start a new game with these options",
            lambda _: start(self.seed.value, self.values(), tuple(seat.value for seat in self.seats)),
            "nk-start",
        )
        go.button_style = "primary"
        back = button("Back", "Back to the present game", lambda _: cancel())
        ways = Box([go, *others, back])
        ways.add_class("nk-ask")
        self.widget = VBox([HTML("<h3>A new game</h3>"), *self.seats, self.seed, *rows, ways])
        self.widget.add_class("nk-panel")
        self.widget.layout.display = "none"

    def values(self) -> dict[str, Any]:
        """The options as they stand."""
        return {name: field.value for name, field in self.fields.items()}

    def open(self, options: Any, seats: Sequence[str]) -> None:
        """Show the panel with these options, and these players in the seats."""
        self.seed.value = ""
        for field, seat in zip(self.seats, seats, strict=False):
            field.value = seat
        for name, field in self.fields.items():
            field.value = options[name]
        self.widget.layout.display = ""

    def close(self) -> None:
        """Hide the panel."""
        self.widget.layout.display = "none"

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return bool(self.widget.layout.display != "none")


def _field(spec: OptionSpec) -> Any:
    if isinstance(spec.default, bool):
        return Checkbox(value=spec.default, description=spec.label, indent=False)
    if isinstance(spec.default, int):
        return BoundedIntText(value=spec.default, min=spec.low, max=spec.high, description=spec.label)
    if spec.choices and spec.read:  # these, or a text of one's own
        return Combobox(options=spec.choices, value=spec.default, description=spec.label, continuous_update=False)
    if spec.choices:
        return Dropdown(options=spec.choices, value=spec.default, description=spec.label)
    return Text(value=spec.default, description=spec.label)
