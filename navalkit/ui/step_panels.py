"""The panels of the stepper that come with a mode: the score of predictions, and what a what-if changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from ipywidgets import HTML, Box, VBox

from navalkit.games.on_patrol.escort.whatif import KINDS, Difference
from navalkit.games.on_patrol.sea.state import MarkerKind as Kind

from .say import STEP
from .spoken import KeyButton, button
from .step_model import PREDICT, WHAT_IF, StepModel


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
            mode: button(str(mode), _supposed(mode, kind), safe(_supposing(model, mode)), "nk-mode")
            for mode, kind in KINDS.items()
        }
        turns = [
            KeyButton("what-if.port", safe(lambda _: model.turn_piece(-1)), "nk-turn", words=STEP),
            KeyButton("what-if.starboard", safe(lambda _: model.turn_piece(1)), "nk-turn", words=STEP),
            KeyButton("what-if.reset", safe(lambda _: model.reset()), "nk-reset", words=STEP),
        ]
        modes, rest = Box([HTML(f"<span>{escape(STEP('what-if.mode'))}</span>"), *self.modes.values()]), Box(turns)
        for row in (modes, rest):
            row.add_class("nk-ask")
            row.add_class("nk-small-buttons")
        self.what_if = VBox([HTML(f"<p class=nk-note>{escape(STEP('what-if.ask'))}</p>"), modes, rest, self.changes])
        self.what_if.add_class("nk-what-if")

    def show(self, model: StepModel) -> None:
        """Bring both up to date."""
        self.predict.layout.display = "" if model.mode == PREDICT else "none"
        self.what_if.layout.display = "" if model.mode == WHAT_IF else "none"
        good, asked = model.score
        near = sum(guess.off <= 1 for guess in model.guesses.values())
        count = STEP("predict.score", good=good, asked=asked)
        right, close = STEP("predict.right"), STEP("predict.near", near=near)
        score = f"<b>{count}</b> {right} · {close}" if asked else STEP("predict.none")
        ask = escape(STEP("predict.ask"))
        self.predict.value = f"<p class=nk-note>{ask}</p><p class=nk-score>{score}</p>"
        self.changes.value = changes(model.differences)
        now = model.decision.mode if model.decision else 0
        for mode, made in self.modes.items():
            made.button_style = "primary" if mode == now else ""


def _supposed(mode: int, kind: Kind | None) -> str:
    key = "what-if.suppose" if kind else "what-if.suppose.none"
    return STEP(key, mode=mode, kind=kind.value if kind else "")


def _supposing(model: StepModel, mode: int) -> Callable[[Any], None]:
    return lambda _button: model.suppose_mode(mode)


def changes(rows: Sequence[Difference]) -> str:
    """A what-if as a table: each field as it is, and as it would be."""
    if not rows:
        return f"<p class=nk-note>{escape(STEP('what-if.none'))}</p>"
    body = "".join(
        f"<tr{' class=nk-changed' * row.changed}><th scope=row>{'≠ ' * row.changed}{escape(row.field)}</th>"
        f"<td>{escape(row.before)}</td><td>{escape(row.after)}</td></tr>"
        for row in rows
        if row.changed or row.before != "none"
    )
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in STEP("what-if.head").split("|"))
    return f"<div class=nk-table><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
