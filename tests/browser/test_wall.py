"""The class's screen as its script draws it from data alone: what is told on the board can be told apart, and hides
nothing."""

from __future__ import annotations
import json

import pytest

from ..servers import ROOT

STATIC = ROOT / "navalkit" / "serve" / "static"
OVER = """() => { const tick = document.querySelector('.nk-wall-tick').getBoundingClientRect();
  return [...document.querySelectorAll('.nk-wall-board > svg:first-child text')].filter((each) => {
    const b = each.getBoundingClientRect();
    return tick.left < b.right && b.left < tick.right && tick.top < b.bottom && b.top < tick.bottom;
  }).map((each) => each.textContent); }"""
LIGHT = """() => ['.nk-wall-cell', '.nk-wall-full'].map((each) => {
  const fill = getComputedStyle(document.querySelector(each));
  return [fill.fill.match(/[\\d.]+/g).slice(0, 3).map(Number), +fill.fillOpacity]; })"""


def drawn(page, cell: str, labels: list[tuple[float, float, str]], colour: str = "#1f5278",
          way: list[tuple[float, float]] | None = None) -> None:
    """Draw a question that was told: one cell, which was right, on a board of that colour with labels on it."""
    texts = "".join(f"<text x='{x}' y='{y}' font-size='14'>{text}</text>" for x, y, text in labels)
    paper = f"<path fill='{colour}' d='M0 0H400V300H0Z'/>"
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 400 300'>{paper}{texts}</svg>"
    view = {"sees": "board", "phase": "shown", "key": "1", "stand": "", "head": "", "strong": "", "soft": "",
            "side": "", "way": way or [],
            "in": {"code": "", "qr": "", "address": ""}, "cells": [["A1", cell]], "rows": [["A1", "A1", 2, 0, True]],
            "says": {"answers": "", "before": "", "now": "", "flow": ""}}
    script = (STATIC / "screen.js").read_text().replace("export default", "const page =").replace("export ", "")
    board = {"svg": svg, "width": 400, "height": 300, "alt": ""}
    lead = (STATIC / "lead.css").read_text()
    tokens = lead[lead.index(":root{") :]
    css = tokens[: tokens.index("}") + 1] + (STATIC / "screen.css").read_text()
    page.set_content(f"<!DOCTYPE html><style>{css}</style><body></body>")
    page.add_script_tag(type="module", content=f"""{script}
        const root = element("div", {{ className: "nk-wall" }});
        document.body.append(root);
        draw(root, {json.dumps(view)}, {json.dumps(board)});""")
    page.wait_for_selector(".nk-wall-tick", state="attached")


CELLS = ["180,130 220,130 220,170 180,170", "160,110 240,110 240,190 160,190"]


@pytest.mark.parametrize("cell", CELLS, ids=["small", "large"])
def test_the_tick_beside_what_was_right_lies_over_no_label(page, cell):
    drawn(page, cell, [])
    x, y = page.evaluate("() => document.querySelector('.nk-wall-tick').places[0]")
    for labels in ([(x - 8, y + 4, "S1")], [(x - 8, y + 4, "S1 · 25 ft"), (160, 154, "E")]):
        drawn(page, cell, labels)
        assert page.evaluate(OVER) == []


def test_a_label_that_the_way_crosses_is_read_above_it(page):
    drawn(page, CELLS[0], [(196, 90, "E2"), (40, 90, "M3")], way=[(200, 40), (200, 150)])
    again = page.locator(".nk-wall-over > text:not(.nk-wall-n)")
    assert again.all_text_contents() == ["E2"]
    there, here = page.locator(".nk-wall-board > svg:first-child text").first.bounding_box(), again.bounding_box()
    assert all(abs(there[each] - here[each]) < 1 for each in there)
    assert page.evaluate("""() => { const [way, again] = ['.nk-wall-way', '.nk-wall-over > text:not(.nk-wall-n)'].map(
        (each) => document.querySelector(each)); return !!(way.compareDocumentPosition(again) & 4); }""")


def test_of_the_bar_in_a_cell_both_parts_stand_out_whatever_board_is_below(page):
    """Contrast of the two fills, each laid over the board, as WCAG defines it; and a line between them."""
    def light(colour: list[float]) -> float:
        each = [value / 255 / 12.92 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4 for value in colour]
        return 0.2126 * each[0] + 0.7152 * each[1] + 0.0722 * each[2]

    for below in ("#1f5278", "#d7cdb1", "#9fc3cf"):
        drawn(page, "180,130 220,130 220,170 180,170", [], below)
        sea = [int(below[i : i + 2], 16) for i in (1, 3, 5)]
        laid = [light([a * c + (1 - a) * s for c, s in zip(colour, sea, strict=True)])
                for colour, a in page.evaluate(LIGHT)]
        assert (max(laid) + 0.05) / (min(laid) + 0.05) >= 1.6
        assert page.evaluate("() => getComputedStyle(document.querySelector('.nk-wall-full')).stroke") != "none"


def test_the_clock_set_back_an_hour_leaves_the_classs_keyboard_alive(page):
    """A press goes by a clock that nobody sets: a summer's end, or a machine that learns the time, silences nothing."""
    script = (STATIC / "screen.js").read_text().replace("export default", "const made =").replace("export ", "")
    page.set_content("<!DOCTYPE html><body><div id=w></div></body>")
    page.add_script_tag(type="module", content=f"""{script}
        const send = (each) => window.sent.push(each.event);
        const view = {{ sees: "blank", phase: "free", key: "1", stand: "1", line: {{}}, says: {{}}, in: {{}} }};
        window.sent = [];
        made.render({{ el: document.getElementById("w"), model: {{
          get: (key) => ({{ active: true, view, board: {{}} }})[key], on() {{}}, send }} }});
        window.ready = true;""")
    page.wait_for_function("() => window.ready")
    presses = "() => window.sent.filter((each) => each === 'press').length"
    page.keyboard.press("Space")
    page.keyboard.press("Space")  # at once: the same press
    assert page.evaluate(presses) == 1
    page.evaluate("() => { const now = Date.now; Date.now = () => now() - 3600e3; }")
    page.wait_for_timeout(500)
    page.keyboard.press("Space")
    assert page.evaluate(presses) == 2
