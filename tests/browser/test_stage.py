"""The stage in a real Chromium: a film plays over the last board and ends, a press is lit at once, calm stays calm."""

from __future__ import annotations
import json

import pytest

from ..servers import serve
from .conftest import chromium, open_page, wait_for_board

PAGE = '''
from ipywidgets import Button, VBox
from navalkit.ui.board import Board
from navalkit.ui.board import Stage
from navalkit.view.film import Mark, film
from navalkit.view.scene import Cell, Layer, Piece, Polygon, Rect, Scene, Style, Text, rect_outline

OUTLINE = Polygon(((0, -30), (9, -10), (9, 30), (-9, 30), (-9, -10)), Style("ink", "paper"))
HULL = (OUTLINE, Text(0, 0, "E1", Style("paper"), 12))
FACE, BACK = ((Rect(-20, -30, 40, 60, Style(colour, "ink"), 5),) for colour in ("card", "card_back"))

def scene(n):
    place = ((100, 200, 0), (500, 120, 90))[n % 2]
    card = Piece("hand 1", 400, 300, FACE if n % 2 else BACK, flips=True)
    sea = Layer("sea", (Rect(0, 0, 600, 400, Style("sea_deep")),))
    lone = (Piece("new", 300, 300, FACE),) if n % 2 else ()
    ships = Layer("ships", (Piece("E1", *place[:2], HULL, place[2]), card, *lone))
    return Scene(600, 400, (sea, ships), (Cell("A1", rect_outline(50, 50, 100, 100), "A1"),))

step = [0]
def go(_):
    before = scene(step[0])
    step[0] += 1
    last = scene(step[0])
    kinds = ("ring", "flash", "shell", "track", "splash", "hit", "sink", "ping", "light", "note")
    marks = [Mark(kind, 100 + 40 * i, 100, (300, 300), text="miss", at=60 * i) for i, kind in enumerate(kinds)]
    stage.show(last, film(before, last, marks))
    stage.answered()

points = []
board = Board(points.append)
stage = Stage(board)
stage.show(scene(0))
button = Button(description="go")
button.add_class("go")
button.on_click(go)
VBox([button, board.widget])
'''
PLAYING = "() => document.querySelector('.nk-board').classList.contains('nk-playing')"
LIT = """() => { const c = document.querySelector('.nk-stage[data-layer=fx]'); const g = c.getContext('2d');
  return g.getImageData(0, 0, c.width, c.height).data.some((v, i) => i % 4 === 3 && v > 0); }"""


@pytest.fixture(scope="module")
def theatre(tmp_path_factory):
    chromium()
    home = tmp_path_factory.mktemp("theatre")
    cell = {"cell_type": "code", "id": "a", "execution_count": None, "metadata": {}, "outputs": [], "source": PAGE}
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    book = {"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (home / "stage.ipynb").write_text(json.dumps(book))
    with serve(home, home) as server:
        yield server


def opened(page, theatre, *, motion="no-preference"):
    page.emulate_media(reduced_motion=motion)
    open_page(page, theatre.page("stage.ipynb"))
    wait_for_board(page)
    page.wait_for_selector(".nk-stage[data-layer=fx]", state="attached")


def test_a_film_plays_over_the_last_board_and_ends_by_itself_or_by_a_press(page, theatre):
    opened(page, theatre)
    page.click(".go")
    page.wait_for_function(PLAYING)
    page.wait_for_function(f"() => !({PLAYING})()")
    assert page.evaluate("nkStage.plays") == 1 == page.evaluate("nkStage.ended")
    assert page.evaluate("nkStage.gaps.length") > 10
    assert page.evaluate(LIT), "the last move stays ringed"
    for end in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(5, 5)):
        page.click(".go")
        page.wait_for_function(PLAYING)
        page.wait_for_function("n => nkStage.plays > n", arg=page.evaluate("nkStage.ended"))
        end()
        assert not page.evaluate(PLAYING)


def test_a_press_is_lit_before_python_has_seen_it(page, theatre):
    opened(page, theatre)
    box = page.locator(".nk-canvas").first.bounding_box()
    share = box["width"] / 600
    page.evaluate(f"document.addEventListener('pointerdown', () => {{ window.lit = ({LIT})() }}, true)")
    page.mouse.click(box["x"] + 100 * share, box["y"] + 100 * share)
    assert page.evaluate("window.lit") is True
    page.wait_for_selector(".nk-late.nk-open")  # nobody answers on this page


@pytest.mark.slow
def test_who_asks_for_little_motion_sees_the_last_board_at_once(page, theatre):
    opened(page, theatre, motion="reduce")
    page.click(".go")
    page.wait_for_function(LIT)  # its ring
    assert page.evaluate("nkStage.plays") == 0 and not page.evaluate(PLAYING)


@pytest.mark.slow
def test_a_page_and_its_kernel_speak_in_compressed_messages(page, theatre):
    watch = page.context.new_cdp_session(page)
    watch.send("Network.enable")
    shaken = []
    watch.on("Network.webSocketHandshakeResponseReceived", lambda event: shaken.append(event["response"]["headers"]))
    opened(page, theatre)
    assert shaken and all("permessage-deflate" in str(headers) for headers in shaken)
