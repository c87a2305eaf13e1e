"""Pages in a notebook's cells: linked to Python, and pictures where nobody can press a button."""

from __future__ import annotations
import gc
import weakref
from fractions import Fraction
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from traitlets import TraitError

import navalkit as nk
from navalkit.core.errors import OptionError, RecordError
from navalkit.core.words import Events
from navalkit.explore import QUESTIONS
from navalkit.players import own
from navalkit.players.arena import Rows
from navalkit.sim import play
from navalkit.testing import refused
from navalkit.ui import cells
from navalkit.ui.cells import VIEW
from ..sentences import CORE, EXPLORE, UI, WALKS


class Kernel:
    """A kernel whose frontend can be asked for input, or cannot."""

    def __init__(self, stdin: bool) -> None:
        self.stdin = stdin

    def get_parent(self) -> dict[str, Any]:
        return {"content": {"allow_stdin": self.stdin}}


def played(game: str = "uss-lox", seed: int = 1) -> nk.Match:
    match, captain = nk.Match.new(game, seed), nk.player("greedy", game)
    while not match.over:
        match.play(captain.decide(match.observe(), match.legal(), 1).action)
    return match


SHOWN = {
    "game": lambda: nk.Match.new("uss-lox", seed=42).show(),
    "explorer": lambda: nk.explorer("lox-sink", ship="QH"),
    "stepper": lambda: nk.stepper(played()),
}


@pytest.mark.parametrize("kind", SHOWN)
def test_a_page_is_made_for_somebody_and_a_picture_for_all(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = SHOWN[kind]()
    bundle = shown._repr_mimebundle_()
    assert VIEW not in bundle and "page" not in vars(shown)
    assert bundle["text/html"].count("<img alt") >= 1 and "<button" not in bundle["text/html"]
    assert bundle["image/png"] and bundle["text/plain"] == repr(shown)
    for stdin in (False, True):
        monkeypatch.setattr(cells, "_kernel", lambda stdin=stdin: Kernel(stdin))
        assert (VIEW in shown._repr_mimebundle_()) is stdin
    assert shown._repr_mimebundle_()[VIEW]["model_id"] == shown.page.widget.model_id
    assert "nk-cell" in shown.page.widget._dom_classes


def test_a_shown_match_is_played_and_what_python_does_is_seen() -> None:
    match = nk.Match.new("uss-lox", seed=42)
    shown, heard = match.show(), []
    shown.observe(lambda change: heard.append(change["new"]), "ply")
    page = shown.page
    page.control.give(match.legal()[0])
    assert match.ply == shown.ply == heard[-1] > 0
    had = match.ply
    match.play(match.legal()[0])
    assert shown.ply == had
    shown._ran()  # the cell is over
    assert shown.ply == match.ply > had and page.control.ply == match.ply
    shown.ply = 1
    assert page.control.ply == 1 and shown.match is match
    page.control.new(7)
    assert shown.match is not match and shown.match.seed == 7


def test_a_class_of_ones_own_sits_across_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "_registered", dict(own._registered))

    class Eager:
        def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
            return legal[0]

    match = nk.Match.new("wolf-pack", seed=3)
    shown = match.show(None, Eager)
    assert shown.seats == ("", "eager") and match.players == ("you", "eager")
    shown.control.give(match.legal()[0])
    while match.turn == 0 and not match.over:
        shown.control.give(match.legal()[-1])
    assert any(ply.by == 1 for ply in match.plies) or match.over
    assert nk.Match.new("wolf-pack", seed=3).show().seats == ("", "careful")
    with refused(OptionError, UI, "cells.players", game="Wolf Pack", n=2, m=3):
        match.show(None, None, None)
    with pytest.raises(OptionError):
        nk.Match.new("wolf-pack", seed=3).show(None, "nobody")


def test_an_address_or_a_kept_game_opens_nothing_in_a_cell() -> None:
    match = nk.Match.new("uss-lox", seed=42)
    shown = match.show()
    hello = {"query": "?seed=9", "stored": {"uss-lox:token?": "x" * 32}, "width": 1280, "room": [400, 300]}
    shown.page.bridge.handlers["hello"](hello)
    assert shown.page.control.match is match and match.seed == 42
    assert shown.page.bridge.place and not shown.page.control.store


def test_an_explorer_is_linked_to_values() -> None:
    shown, heard = nk.explorer("lox-sink", ship="QH", seen="5C 5D 5H"), []
    shown.observe(lambda change: heard.append(change["new"]), "value")
    assert shown.value == Fraction(43, 141) and shown.answer.value == shown.value
    shown.settings = {"torpedoes": 3}
    assert heard == [Fraction(10555, 17296)] and shown.settings["ship"] == "QH"
    page = shown.page
    shown.page.model.set("torpedoes", 1)  # as a slider does
    page.desk.settle()
    assert shown.settings["torpedoes"] == 1 and heard[-1] == shown.value == Fraction(1, 12)
    with pytest.raises(OptionError):
        shown.settings = {"ship": "nothing"}
    assert shown.settings["ship"] == "QH"
    with refused(OptionError, EXPLORE, "error.question", id="'nothing'", ids=", ".join(QUESTIONS)):
        shown.question = "nothing"
    shown.question = "wolf-holds"
    page.desk.settle()
    assert shown.value == page._answer.value and page.model.question.id == "wolf-holds"


@pytest.mark.parametrize("id", QUESTIONS)
def test_every_question_has_its_picture(id: str) -> None:
    shown = nk.explorer(id)
    assert shown.answer is not None and shown._repr_html_().count("<img") == 2
    assert "?." not in shown._repr_html_()
    assert shown.answer.said in shown._repr_html_()


def test_a_stepper_is_linked_to_its_moment() -> None:
    match = played()
    shown, heard = nk.stepper(match), []
    shown.observe(lambda change: heard.append(change["new"]), "at")
    shown.page.stepper.forward()
    assert heard and shown.at == shown.page.stepper.at
    shown.at = next(i for i, moment in enumerate(shown.stepper.row) if moment.who)
    assert shown.decision is not None and shown.decision.action in match.game.legal(match.at(shown.at))
    assert shown.match is match
    with refused(RecordError, WALKS, "open.secret"):
        nk.stepper(nk.Match.new("wolf-pack", seed=1))


def test_what_cannot_be_set_is_refused_and_nothing_moves() -> None:
    match = played()
    cells = nk.explorer("lox-sink"), nk.stepper(match), match.show()
    for cell, name in zip((0, 0, 1, 1, 2, 2), ("value", "answer", "match", "decision", "match", "seats"), strict=True):
        before = getattr(cells[cell], name)
        with pytest.raises(TraitError, match=name):
            setattr(cells[cell], name, 3)
        assert getattr(cells[cell], name) is before
    for shown, name, last in ((cells[1], "at", len(cells[1].stepper.row) - 1), (cells[2], "ply", match.ply)):
        had = getattr(shown, name)
        for wrong in (-1, last + 1, 99_999):
            with refused(OptionError, CORE, "match.no_ply", cursor=last, ply=str(wrong)):
                setattr(shown, name, wrong)
            assert getattr(shown, name) == had
        setattr(shown, name, last)
        assert getattr(shown, name) == last


def test_a_page_that_nobody_holds_is_let_go() -> None:
    shown = nk.explorer("lox-sink")
    gone = weakref.ref(shown)
    del shown
    gc.collect()
    assert gone() is None


def test_values_show_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    match = nk.Match.new("uss-lox", seed=42)
    events = match.play("flip B2")
    assert isinstance(events, Events) and isinstance(match.log, tuple)
    assert events == tuple(events) and events[0].text in events._repr_html_()
    assert f"[{events[0].rule}]" in events[0]._repr_html_()
    assert "torpedoes" in match.state._repr_html_() or match.state.torpedoes == 15
    assert len(Events(events * 30)._repr_html_().split("<li>")) == 21
    rows = play(match.game, "random", 30, 1)
    assert isinstance(rows, Rows) and rows == list(rows)
    shown = rows._repr_html_()
    assert str(rows[0]["seed"]) in shown and str(rows[-1]["seed"]) in shown and str(rows[15]["seed"]) not in shown
    assert shown.count("<tr>") == 22  # the head, and what is left out


BOOK = (
    "import navalkit as nk\nmatch = nk.Match.new('uss-lox', seed=42)\nmatch.show()",
    "nk.explorer('lox-sink', ship='QH')",
    "captain = nk.player('greedy', match.game)\n"
    "while not match.over:\n    match.play(captain.decide(match.observe(), match.legal()).action)\nnk.stepper(match)",
    "match.log",
)


def test_a_notebook_that_nobody_watches_keeps_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in BOOK])
    NotebookClient(book, timeout=120, kernel_name="python3").execute()
    for cell in book.cells:
        data = cell.outputs[-1].data
        assert VIEW not in data and ("<img alt" in data["text/html"]) is (cell is not book.cells[-1])
    state = book.metadata.get("widgets", {}).get("application/vnd.jupyter.widget-state+json", {}).get("state", {})
    assert not [each for each in state.values() if each["model_name"] not in ("CanvasManagerModel",)]
