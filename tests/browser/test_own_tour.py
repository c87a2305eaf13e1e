"""A teacher makes a tour in the page, saves it, hands it on by file and by link, and plays it before a class."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from navalkit.rooms.store import Rooms
from navalkit.walks import shows
from ..crowd import Crowd
from ..sentences import UI_STEP
from ..servers import ROOT, serve, wait_for
from .conftest import axe, open_page, shot, sideways, wait_for_board
from .test_class_screen import fits, opened, screens

__all__ = ["screens"]
PHONES = 3
NOTE = 'Wait for the vote. "Why?" <b>first</b>.'


def put(page, kind: int, title: str, note: str, n: int) -> None:
    """Put the step that is shown into the tour, with a question or without one."""
    page.locator(".nk-step-own-tour select").nth(1).select_option(index=kind)
    page.locator(f".nk-step-own-tour .widget-text:has-text('{UI_STEP('tour.title')}') input").fill(title)
    page.locator(".nk-step-own-tour textarea").fill(note)
    page.click(".nk-key-tour-add")
    expect(page.locator(".nk-step-own-tour select").first.locator("option")).to_have_count(n + 1)


def pressed(screen, sentence: str) -> str:
    """Press the presenter's key, and wait for what comes of it: the last that comes within a second. The phase then."""
    stand = lambda: screen.get_attribute(".nk-wall", "data-stand")  # noqa: E731
    before = stand()
    screen.keyboard.press("PageDown")
    wait_for(lambda: stand() != before, 60, sentence)
    while before != (before := stand()):
        screen.wait_for_timeout(1000)
    return str(screen.get_attribute(".nk-wall", "data-phase"))


def step_to_a_decision(page, n: int) -> None:
    """Press Next until somebody decides whose decision can be asked about, n times."""
    for _ in range(n):
        before = page.get_attribute(".nk-status [data-count]", "data-count")
        page.click(".nk-key-bar-on")
        page.wait_for_function("b => document.querySelector('.nk-status [data-count]').dataset.count !== b", arg=before)


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 800)], indirect=True)
@pytest.mark.parametrize("game", ["wolf-pack", "on-patrol", "task-force"])
def test_a_tour_made_in_the_page_is_handed_on_and_played_before_a_class(page, context, screens, tmp_path, game):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    with serve(ROOT / "notebooks", tmp_path) as server:
        open_page(page, f"{server.page('step.ipynb')}?game={game}")
        wait_for_board(page)
        page.wait_for_function("() => +document.querySelector('.nk-status [data-count]').dataset.count > 0")
        page.click(".nk-key-tour-make")
        page.fill(f".nk-step-own-tour .widget-text:has-text('{UI_STEP('tour.name')}') input", "Our own lesson")
        step_to_a_decision(page, 1)
        put(page, 1, "What now?", NOTE, 1)
        shot(page, f"own-tour-{game}-first")
        step_to_a_decision(page, 2)
        put(page, 0, "", "", 2)
        step_to_a_decision(page, 1)
        put(page, 1, "And then?", "", 3)
        assert not sideways(page) and axe(page) == []
        shot(page, f"own-tour-{game}", full_page=True)

        # What is put together can be changed, moved, taken out, and tried here.
        stops = page.locator(".nk-step-own-tour select").first
        stops.select_option(index=2)
        page.locator(".nk-step-own-tour textarea").fill("Let them talk.")
        page.click(".nk-key-tour-change")
        page.click(".nk-key-tour-try")
        expect(page.locator(".nk-step-tour")).to_be_visible()
        shot(page, f"own-tour-{game}-tried")

        # A reload loses nothing; it is saved, and it is linked to.
        page.reload()
        page.wait_for_selector("#nk-loading", state="detached")
        wait_for_board(page)
        page.click(".nk-key-tour-make")
        expect(page.locator(".nk-step-own-tour select").first.locator("option")).to_have_count(4)
        with page.expect_download() as saved:
            page.click(".nk-key-tour-save")
        data = saved.value.path().read_text()
        tour = shows.loads(data)
        assert tour.title == "Our own lesson" and [stop.predict for stop in tour.stops] == [True, False, True]
        assert tour.stops[0].note == NOTE and tour.stops[1].note == "Let them talk." and tour.game == game
        page.click(".nk-key-tour-link")
        copied = "() => navigator.clipboard.readText()"
        page_ = server.page("")  # one clipboard is that of all
        wait_for(lambda: page.evaluate(copied).startswith(page_), 60, "the link has not been copied")
        link = page.evaluate(copied)

        # Another teacher opens the file.
        other = context.new_page()
        open_page(other, f"{server.page('step.ipynb')}?game={game}")
        wait_for_board(other)
        other.click(".nk-key-menu")
        with other.expect_file_chooser() as chooser:
            other.click(".nk-key-open")
        chooser.value.set_files(saved.value.path().rename(tmp_path / "tour.toml"))
        expect(other.locator(".nk-step-tour")).to_contain_text("Our own lesson")
        expect(other.locator(".nk-step-tour")).to_contain_text("What now?")
        shot(other, f"own-tour-{game}-opened")
        other.close()

        # It is played before a class: its title, its questions, its notes for nobody but the teacher.
        screen, rooms = screens(1280, 800), Rooms(tmp_path / "rooms.sqlite3")
        code = opened(screen, server, link.removeprefix(server.page("")) + "&class=1&view=class")
        expect(screen.locator(".nk-wall-door h1")).to_have_text("Our own lesson")
        crowd = Crowd(int(server.url.rpartition(":")[2]), code, PHONES, think=(0.0, 0.2))
        with crowd.beside():
            wait_for(lambda: len(crowd.listening) == PHONES, 60, "the phones are not in")
            phases = []
            for number in range(60):
                phase = pressed(screen, f"nothing came of press {number}")
                if phases[-1:] != [phase]:
                    phases.append(phase)
                    fits(screen)
                    shot(screen, f"own-tour-{game}-class-{len(phases)}-{phase}", full_page=False)
                assert NOTE not in screen.inner_text("body") and "Let them talk" not in screen.inner_text("body")
                if phase == "open":
                    round = rooms.room(code).shown["round"]
                    wait_for(lambda round=round: len(rooms.answers(code, round)) == PHONES, 60, "answers are missing")
                    assert rooms.room(code).shown["title"] == "Our own lesson"
                if rooms.room(code).shown["round"] == 2 and phase == "shown":
                    break
            assert phases.count("open") == 2 and phases.count("shown") >= 2, phases
            room = rooms.room(code)
            assert [each["text"] for each in room.kept["asked"]] and "stop=2" in room.kept["link"]
            screen.keyboard.press("Escape")
            screen.click(".nk-key-class-more")
            with screen.expect_download() as report:
                screen.click(".nk-key-class-end")
            assert report.value.path().read_text().count("<section>") == 2
        page.goto("about:blank")
        rooms.close()

