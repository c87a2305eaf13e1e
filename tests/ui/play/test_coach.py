"""The coach: hints in words of the board, in the button's words, with nothing of a program in them."""

from __future__ import annotations

import pytest

from navalkit.core.registry import names
from navalkit.core.words import speaking
from navalkit.players import makers
from navalkit.ui.play import controls
from navalkit.ui.play.controller import Controller
from navalkit.view.lobby import starts


@pytest.mark.parametrize("name", names())
def test_hints_do_not_repeat_themselves_and_fill_the_button_they_name(name: str) -> None:
    control = Controller(name)
    with speaking(control.voice):
        offered = starts(name)
        control.new(seed=7, options=offered[0].options if offered else {}, seats=control.page.seats)
        said: list[str] = []
        while control.legal and len(said) < 12:
            assert len(control.legal) == 1 or control.held is not None or not any(o.primary for o in control.orders())
            control.advise()
            hint = control.hint
            assert hint is not None
            filled = [order for order in control.orders() if order.primary]
            assert all(order.action == hint.action for order in filled)
            shown = [order for order in control.orders() if order.action == hint.action]
            assert filled == shown and all(order.label in control.status.text for order in shown)
            because = control.page.because(control.glance(), hint)
            why = controls.decision(hint, str, control.called, lambda _, because=because: because)
            assert not [player for player in makers(control.game) if f"{player}:" in why]
            said.append(control.status.text)
            typed = shown[0].label if shown else control.page.spoken(control.glance(), hint.action)
            ply = control.match.ply
            control.order(typed)  # what it says can be typed
            assert control.match.ply > ply or control.held is not None
        assert max(map(said.count, said)) <= 3 and len(set(said)) > len(said) / 2
