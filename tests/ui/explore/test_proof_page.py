"""An answer that is opened on the explorer's page."""

from __future__ import annotations

import pytest
from markupsafe import escape

import navalkit as nk
from navalkit import explore
from navalkit.core.errors import DataError
from navalkit.core.registry import Package, game_class
from navalkit.explore.question import SAY
from navalkit.testing import refused, said
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


@pytest.fixture(params=["none", "none of it", "no TOML", "no such rule"])
def sentence(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The key of what is said of On Patrol's proofs, which are not there, or faulty."""
    written = {"none": "", "none of it": "[other]", "no TOML": "[", "no such rule": """
        [patrol-torpedo]
        rules = ["none"]
        code = ""
    """}[request.param]
    put_down(monkeypatch, written)
    return "error.proof" if request.param.startswith("none") else "error.proofs"


def put_down(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    """On Patrol's proofs, as if they were these."""
    text = Package.text
    monkeypatch.setattr(Package, "text", lambda self, file: (
        written if (self.name, file) == ("on-patrol", "proofs.toml") else text(self, file)))


@pytest.mark.parametrize("written, part, facts", [
    ('rules = ["none"]\ncode = ""', "rule", {"rule": "'none'"}), ("rules = [[]]\ncode = ''", "rule", {"rule": "[…]"}),
    ("rules = []", "part", {"name": "code"}), ("code = ''", "part", {"name": "rules"}),
])
def test_what_is_wrong_with_a_proof_is_named(
    written: str, part: str, facts: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put_down(monkeypatch, f"[patrol-torpedo]\n{written}")
    with pytest.raises(DataError) as refusal:
        explore.proof("patrol-torpedo")
    said(str(refusal.value), SAY, f"error.proofs.{part}", **facts)


def test_an_answer_that_nobody_checks_is_shown_all_the_same(sentence: str) -> None:
    title = game_class("on-patrol").title
    page = Explorer()
    page.model.choose("lox-sink")
    page.desk.settle()
    page.proof_switch.click()
    assert is_shown(page.copy_code)

    def follows() -> None:
        page.desk.settle()
        said(page.proof.value, SAY, sentence, title=title)
        assert "sinks" not in page.proof.value and not is_shown(page.copy_code)
        answer = explore.answer("patrol-torpedo", **page.model.settings)
        assert str(answer.value) in page.status.value and answer.said in page.status.value

    page.model.choose("patrol-torpedo")
    follows()
    control = page.model.question.controls[0]
    page.model.set(control.name, next(value for value in control.values() if value != control.default))
    follows()
    page.proof_switch.click()
    assert not is_shown(page.proof)
    page.proof_switch.click()
    follows()
    page.model.choose("lox-sink")
    page.desk.settle()
    assert is_shown(page.copy_code) and "sinks" in page.proof.value


def test_so_it_is_in_a_cell_and_python_is_told(sentence: str) -> None:
    title = game_class("on-patrol").title
    shown = nk.explorer("patrol-torpedo")
    html = shown._repr_html_()
    said(html, SAY, sentence, title=title)
    assert shown.answer.number in html and "<svg" in html or "<img" in html
    with refused(DataError, SAY, sentence, title=title):
        explore.proof("patrol-torpedo")
