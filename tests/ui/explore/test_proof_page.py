"""An answer that is opened on the explorer's page."""

from __future__ import annotations

from markupsafe import escape

from navalkit import explore
from navalkit.ui.explore.app import Explorer
from navalkit.ui.widgets import is_shown


def test_the_page_opens_the_answer_and_follows_the_sliders() -> None:
    page = Explorer()
    page.model.choose("lox-sink")
    page.desk.settle()
    assert not is_shown(page.proof) and not page.proof.value
    page.proof_switch.click()
    settings = dict(page.model.settings)
    assert is_shown(page.proof) and escape(explore.proof("lox-sink", **settings).code) in page.proof.value
    page.model.set("torpedoes", 3)
    page.desk.settle()
    code = explore.proof("lox-sink", **settings | {"torpedoes": 3}).code
    assert escape(code) in page.proof.value
    sent = []
    page.bridge.copy = lambda text, what, **_: sent.append((text, what))
    page.copy_code.click()
    assert sent == [(code, "code")]
    page.proof_switch.click()
    assert not is_shown(page.proof)
