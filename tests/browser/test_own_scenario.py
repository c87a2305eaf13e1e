"""A scenario of one's own in the panel for a new game: by a file, by the text box, and what is wrong stands there."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ..blunders import RUNNER
from ..sentences import UI
from .conftest import axe, shot, sideways
from .driver import Driver


@pytest.mark.parametrize("context", [(1280, 800), pytest.param((390, 844), marks=pytest.mark.slow)], indirect=True,
                         ids=["1280", "390"])
def test_a_scenario_of_ones_own_comes_from_a_file_or_is_typed_and_says_where_it_is_wrong(page, voila, tmp_path):
    width = page.viewport_size["width"]
    game = Driver(page, voila.page("play_fleet_action.ipynb") + "?seed=3")
    game.new_game()
    page.click(".nk-play-panel .nk-key-new-more")
    place = page.locator(".nk-play-option:has(.nk-key-new-file)").first
    box, wrong = place.locator("textarea"), place.locator(".nk-bad")
    file = tmp_path / "runner.toml"
    file.write_text(RUNNER.replace("moves = 4", "moves = 0"), encoding="utf-8")
    with page.expect_file_chooser() as chooser:
        place.locator(".nk-key-new-file").click()
    chooser.value.set_files(file)
    expect(box).to_have_value(file.read_text(encoding="utf-8"))
    expect(wrong).to_be_visible()
    expect(wrong).to_contain_text("moves")  # the field that is wrong, by its name in the file
    assert box.bounding_box()["height"] >= 200 and sideways(page) <= 0
    before = game.status
    page.click(".nk-play-panel .nk-key-start")
    page.wait_for_timeout(500)
    assert page.locator(".nk-play-panel").is_visible() and wrong.is_visible(), "nothing begins, and nothing is lost"
    wrong.scroll_into_view_if_needed()
    shot(page, f"own-scenario-wrong-{width}", full_page=False)
    assert axe(page) == []
    assert before

    box.fill(RUNNER)  # put right by hand
    box.blur()
    expect(wrong).to_have_count(0)
    game.click(page.locator(".nk-play-panel .nk-key-start"))
    expect(page.locator(".nk-play-panel")).to_be_hidden()
    expect(page.locator(".nk-play-aims").first).to_contain_text("of 4")
    shot(page, f"own-scenario-{width}", full_page=False)

    junk = tmp_path / "junk.toml"
    junk.write_bytes(b"\xff\xfe\x00\x80")
    game.new_game()
    if not place.locator("textarea").is_visible():
        page.click(".nk-play-panel .nk-key-new-more")
    with game.answer(), page.expect_file_chooser() as chooser:
        place.locator(".nk-key-new-file").click()
        chooser.value.set_files(junk)
    game.tells(UI("new.file.bad", name=repr("junk.toml")))
