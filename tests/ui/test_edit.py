"""The page on which scenarios are made: all that is wrong, at its place; a trial without a thread or a server."""

from __future__ import annotations
import html
import json
from functools import partial
from typing import Any

import pytest

from navalkit.core.errors import OptionError
from navalkit.core.registry import load
from navalkit.core.words import Voice, speaking
from navalkit.sim.balance import trial
from navalkit.testing import heard, said
from navalkit.ui.edit.page import GAMES, EditPage
from navalkit.view.workshop import Whole, loads
from ..sentences import CORE, UI_EDIT


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


def test_a_text_that_cannot_be_read_stays_as_typed_and_marked_and_comes_back_by_undo(page: EditPage) -> None:
    good, sent = page.text.value, len(page.draft.past)
    slip = good.replace('name = "Exeter"', 'name = "Exeter', 1)
    line = next(n for n, each in enumerate(slip.splitlines(), 1) if '"Exeter,' in each)
    page._typed(slip)
    assert page.text.value == slip and page.draft.text == good and page.links.value, "it does not count yet"
    assert str(line) in page.unread.value and "<pre>" in page.unread.value
    said(page.unread.value, CORE, "toml.at", line=line)
    assert not any(word in page.unread.value.lower() for word in ("illegal", "namespace", "token"))
    said(page.status.value, UI_EDIT, "unread")
    page._take("ship")
    page._pressed("H5")  # an edit elsewhere is refused, and what was typed stays
    assert page.text.value == slip and page.unread.value and page.draft.text == good
    said(page.status.value, CORE, "view.typed")
    for call in (page._begin, partial(page._heard, {"event": "add", "kind": "ship"}),
                 partial(page._heard, {"event": "set", "name": "moves", "value": "9"})):
        own = page.own
        page.safe(call)()
        assert (page.text.value, page.own) == (slip, own) and page.draft.text == good
        said(page.status.value, CORE, "view.typed")
    again = EditPage("fleet-action")
    kept = json.dumps({"own": "a", "text": page.draft.text, "typed": page.draft.typed})
    again.met("", {again._kept: kept}, another_tab=False)
    again.refresh()
    assert again.text.value == slip, "nor is it lost when the page is loaded again"
    page._do(page.draft.undo)
    assert page.text.value == good and len(page.draft.past) == sent and not page.unread.value
    page._do(page.draft.redo)
    page._typed(good)
    assert page.text.value == good and not page.unread.value


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_refused_value_is_told_at_its_field_by_the_fields_name_and_nothing_else_is_claimed(lang: str) -> None:
    page = EditPage("fleet-action")
    page.speak(lang)
    sent: list[dict[str, Any]] = []
    page.sheet.send = sent.append  # type: ignore[method-assign]
    with speaking(Voice(lang)):
        label = page.draft.label(("moves",))
        page.safe(page._heard)({"event": "set", "name": "moves", "value": "0"})
        (told,) = sent
        assert told["name"] == "moves" and label in told["why"] and "moves" not in told["why"]
        assert heard(page.status.value, UI_EDIT, "refused") and not heard(page.status.value, UI_EDIT, "right")
        page.draft.choose(("ship", 0))
        page.safe(page._heard)({"event": "set", "name": "at", "value": "D6 X"})
        assert page.draft.label(("ship", 0, "at")) in sent[-1]["why"]


def test_headings_are_read_and_shown_as_the_board_names_them() -> None:
    page = EditPage("fleet-action")
    page.draft.choose(("ship", 0))
    with speaking(Voice("de")):
        page.draft.set("at", "D6 so")
        assert page.draft.doc["ship"][0]["at"] == "D6 SE"
        assert [field["value"] for field in page.draft.form() if field["name"] == "at"] == ["D6 SO"]
        page.draft.set("at", "D6 SE")  # a text has the English names: they are read too
        with pytest.raises(OptionError) as error:
            page.draft.set("at", "D6 X")
        assert "NO, O, SO" in str(error.value)
    with speaking(Voice("en")), pytest.raises(OptionError):
        page.draft.set("at", "D6 SO")


def test_one_link_opens_the_workshop_and_another_the_game(page: EditPage) -> None:
    sent: list[str] = []
    page.bridge.copy = lambda text, *_, **__: sent.append(text)  # type: ignore[method-assign]
    page._link()
    page._invite()
    build, play = sent
    assert page.draft.link in build and page.draft.link in play
    assert build.startswith("?game=fleet-action&") and play.split("?")[0] not in ("", "edit.ipynb")
    assert play in html.unescape(str(page.links.value)), "it is the address of the button that plays it"


def test_captains_of_a_trial_are_named_by_their_sides(page: EditPage) -> None:
    assert [seat.description for seat in page.seats] == page.draft.doc["sides"]
    page.draft.choose(())
    page.draft.set("sides", "Reds, Blues")
    page._changed()
    assert [seat.description for seat in page.seats] == ["Reds", "Blues"]


def test_on_a_german_page_of_on_patrol_types_and_who_plays_alone_have_german_names() -> None:
    page = EditPage("on-patrol")
    page.speak("de")
    told: list[Any] = []
    made = load("on-patrol", **{page.shop.option: page.draft.text})
    for _ in trial(made, [page.seats[0].options[0][1]], 1, tell=told.append):
        pass
    with speaking(Voice("de")):
        page._changed()
        page._show_result(told[-1])
        said(page.result.value, UI_EDIT, "test.won", side=UI_EDIT("seat"), of=1)
        assert UI_EDIT("seat") != "Captain"
        listed = [part[1] for row in page.sheet.kinds for part in row[3]]
        for english in ("Tramp steamer", "Flower corvette"):
            assert page.shop.words.named(english) != english
            assert english not in listed and page.shop.words.named(english) in listed
