"""The panels of the stepper that come with a mode: the score of predictions, and what a what-if changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from ipywidgets import HTML, Box, VBox

from navalkit.games.on_patrol.escort.whatif import KINDS, Difference

from .spoken import button
from .step_model import StepModel

_PREDICT = "Where will her bow be at the end of her move? The class clicks that hex; then her rules are shown."
_WHAT_IF = "Click or drag the marker or an escort to another hex, turn it, or suppose another mode."


class Panels:
    """What stands above the lines in the modes "predict" and "what if".

    Parameters
    ----------
    model : StepModel
    safe : callable
        The error boundary.
    """

    def __init__(self, model: StepModel, safe: Callable[..., Callable[..., None]]) -> None:
        self.predict, self.changes = HTML(), HTML()
        self.predict.add_class("nk-predict")
        self.changes.add_class("nk-changes")
        self.modes = {
            mode: button(str(mode), f"Suppose mode {mode}: {kind.value if kind else 'no'} marker",
                         safe(_supposing(model, mode)), "nk-mode")
            for mode, kind in KINDS.items()
        }  # fmt: skip
        turns = [
            button("↺ port", "Turn it 60 degrees to port", safe(lambda _: model.turn_piece(-1)), "nk-turn"),
            button("↻ starboard", "Turn it 60 degrees to starboard", safe(lambda _: model.turn_piece(1)), "nk-turn"),
            button("Reset", "The sea as it is", safe(lambda _: model.reset()), "nk-reset"),
        ]
        modes, rest = Box([HTML("<span>Mode</span>"), *self.modes.values()]), Box(turns)
        for row in (modes, rest):
            row.add_class("nk-ask")
            row.add_class("nk-small-buttons")
        self.what_if = VBox([HTML(f"<p class=nk-note>{_WHAT_IF}</p>"), modes, rest, self.changes])
        self.what_if.add_class("nk-what-if")

    def show(self, model: StepModel) -> None:
        """Bring both up to date."""
        self.predict.layout.display = "" if model.mode == "predict" else "none"
        self.what_if.layout.display = "" if model.mode == "what if" else "none"
        good, asked = model.score
        score = f"<b>{good} of {asked}</b> right to the hex" if asked else "Nothing predicted yet"
        near = sum(guess.off <= 1 for guess in model.guesses.values())
        close = f" · {near} within one hex" if asked else ""
        self.predict.value = f"<p class=nk-note>{_PREDICT}</p><p class=nk-score>{score}{close}</p>"
        self.changes.value = changes(model.differences)
        now = model.decision.mode if model.decision else 0
        for mode, made in self.modes.items():
            made.button_style = "primary" if mode == now else ""


def _supposing(model: StepModel, mode: int) -> Callable[[Any], None]:
    return lambda _button: model.suppose_mode(mode)


def changes(rows: Sequence[Difference]) -> str:
    """A what-if as a table: each field as it is, and as it would be."""
    if not rows:
        return "<p class=nk-note>Nothing has been changed yet.</p>"
    body = "".join(
        f"<tr{' class=nk-changed' * row.changed}><th scope=row>{'≠ ' * row.changed}{escape(row.field)}</th>"
        f"<td>{escape(row.before)}</td><td>{escape(row.after)}</td></tr>"
        for row in rows
        if row.changed or row.before != "none"
    )
    head = "<tr><th scope=col>Field</th><th scope=col>As it is</th><th scope=col>What if</th></tr>"
    return f"<div class=nk-table><table><thead>{head}</thead><tbody>{body}</tbody></table></div>"
