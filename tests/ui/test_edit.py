"""The page on which scenarios are made: all that is wrong, at its place; a trial without a thread or a server."""

from __future__ import annotations

import pytest

from navalkit.core.registry import load
from navalkit.sim.balance import trial
from navalkit.testing import heard, said
from navalkit.ui.edit.page import GAMES, EditPage
from navalkit.view.workshop import Whole, loads
from ..sentences import UI_EDIT


@pytest.fixture
def page() -> EditPage:
    return EditPage("fleet-action")


def shown(page: EditPage) -> list[str]:
    """What is said to be wrong beside fields and parts."""
    parts = [part[3] for row in page.sheet.kinds for part in row[3] if part[3]]
    return [*parts, *(field["wrong"] for field in page.sheet.fields if field["wrong"])]


def test_each_fault_is_said_at_its_place_and_their_number_at_the_top(page: EditPage) -> None:
    draft = page.draft
    text = draft.text.replace("moves = 12", "moves = 0").replace('at = "D5 E"', 'at = "Z99 E"')
    page._typed(text)
    assert len(shown(page)) == 2 and not page.links.value and page.test.disabled
    told = page.status.value
    assert heard(told, UI_EDIT, "wrong")
    said(told, UI_EDIT, "wrong.more", n=1)
    assert "Exeter" in told or "Moves" in told
    draft.undo()
    page._changed()
    assert not shown(page) and page.links.value and not page.test.disabled
    said(page.status.value, UI_EDIT, "right")
    draft.do(Whole({key: value for key, value in draft.doc.items() if key != "objective"}))
    page._changed()
    (whole,) = [row[3] for row in page.sheet.kinds if row[0] == "objective"]
    assert [part[0] for part in whole] == [-1], "what is wrong with a whole kind stands under its name"


@pytest.mark.parametrize("game", ["fleet-action", "on-patrol"])
def test_a_trial_is_made_of_steps_and_needs_no_thread(game: str) -> None:
    """So it runs on the pages without a server, too; the page has its turn between two steps."""
    page = EditPage(game)
    made = load(game, **{page.shop.option: page.draft.text})
    captains, told, n = [page.seats[0].options[0][1]] * len(page.seats), [], 0
    steps = trial(made, captains, 2, tell=told.append)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            assert stop.value.games == 2
            break
        n += 1
    assert [row.games for row in told] == [1, 2] and n > 10
    page._show_result(told[-1])
    said(page.result.value, UI_EDIT, "test.title", n=2, of=GAMES)


def test_a_text_that_cannot_be_read_leaves_all_as_it_was(page: EditPage) -> None:
    before = page.draft.doc
    page.safe(page._typed)("sides = [")
    assert page.draft.doc is before and loads(page.draft.text) == before
