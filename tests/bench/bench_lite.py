"""The pages without a server against the same pages from Voila, by turns, and a click in each game of theirs.

They are measured as `make lite` has built them. Beside each wall time stands what the browser calculated (as Linux
tells of its threads), which a busy machine changes less; of Voila's page its kernel's Python comes on top.
"""

from __future__ import annotations
import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from navalkit.core import registry
from tests.bench.bench_browser import DRAWN, REFILL, ROOT, STILL, WATCH, _chromium, _load, _p95, _server
from tests.bench.measure import row
from tests.lite.conftest import served

SITE = Path(os.environ.get("NAVALKIT_LITE", ROOT / "dist" / "lite"))
PAGE, SEED, VISITS, MOVES = "play_uss_lox", 5, 5, 20
KEPT = "() => !!navigator.serviceWorker.controller"
ORDERS = """
from random import Random
import navalkit as nk
from navalkit.ui.play.app import GameApp
app, dice, given = GameApp("{game}", seats=("",) * len(nk.load("{game}").players)), Random(1), 0
app.control.changed = app.refresh
app.control.new(1)
"""
GIVEN = f"""
while given < {MOVES} and not app.control.match.over:
    app.control.covered = False
    app.control.give(dice.choice(app.control.legal))
    given += 1
    app.desk.cancel_all()
str(given)
"""
"""Orders one after another, each with the new state of all widgets; what is awaited is left."""
LATER = """
from time import perf_counter
from navalkit.ui import desk, worker
usual, hear, pressed = desk.Desk._wake, worker.Worker.hear, [0.0]
def heard(self, *given):
    pressed[0] = perf_counter()
    hear(self, *given)
def wake(self):
    if self.busy("machine"):
        desk.REST = max(0.002, pressed[0] + 0.4 - perf_counter())
        usual(self)
worker.Worker.hear, desk.Desk._wake = heard, wake
"""
"""What is awaited follows the board in slices; on a busy machine it would be counted with the click. So a machine's
moves come later, and numbers not at all."""
ASK = "(code) => navalkitLite.python(code)"
PLACES = "() => nkStage.places().filter((place) => place.ask)"
OPEN = f"""() => ({PLACES})().length || [...document.querySelectorAll(".nk-play-order-button, .nk-play-report h3")]
  .some((each) => each.offsetParent)"""


def bench_first_board() -> list[dict[str, Any]]:
    """From asking for a game to its first board: for somebody new, with nothing kept and no Python ready, and for
    somebody who was here before, with Voila's next kernel waiting."""
    if not _built():
        return []
    found: dict[str, list[tuple[float, float]]] = {}
    notebooks = ROOT / "notebooks"
    with _chromium() as browser, served(SITE) as lite, _server(notebooks) as cold, _server(notebooks, True) as warm:
        pages = {"lite": f"{lite}/{PAGE}.html?seed={SEED}"}
        for name, url in (("cold", cold), ("warm", warm)):
            pages[name] = f"{url}/voila/render/{PAGE}.ipynb?seed={SEED}"
        back = {name: browser.new_context(viewport={"width": 1280, "height": 800}) for name in ("lite", "warm")}
        for _ in range(VISITS + 1):
            for name in ("lite", "cold"):
                new = browser.new_context(viewport={"width": 1280, "height": 800})
                found.setdefault(f"{name}, new", []).append(_visit(new, pages[name]))
                new.close()
            for name, context in back.items():
                kept = KEPT if name == "lite" else ""
                found.setdefault(f"{name}, back", []).append(_visit(context, pages[name], kept))
            time.sleep(REFILL)
    rows = []
    for who, other in (("new", "cold"), ("back", "warm")):
        ours, theirs = found[f"lite, {who}"][1:], found[f"{other}, {who}"][1:]
        took, voila = (statistics.median(wall for wall, _ in times) for times in (ours, theirs))
        cpu, other_cpu = (statistics.median(spent for _, spent in times) for times in (ours, theirs))
        note = f"{took / voila:.2f} times, medians of {VISITS} visits by turns; aim 1.2; the browser's processes "
        note += f"{cpu:.2f} s and {other_cpu:.2f} s; {_load()}"
        rows.append(row(f"first board without a server, somebody {who}", took, f"Voila, {other} kernel", voila, note))
    return rows


def bench_clicks() -> list[dict[str, Any]]:
    """A press in each game, to the frame that shows its answer: what is calculated on its way, by the page's script and
    by Python in its worker, which follow one another; and the same orders in this Python, against Python there."""
    rows = []
    with _chromium() as browser, served(SITE) as lite:
        for game in registry.names() if _built() else ():
            found, seed = list[tuple[float, float, float]](), SEED
            while len(found) < MOVES:  # a short game's first and last moves count as often as they come
                # A film would be counted for as long as a busy machine lets the answer wait.
                page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
                page.goto(f"{lite}/play_{game.replace('-', '_')}.html?seed={seed}", wait_until="commit")
                page.wait_for_function(DRAWN, timeout=120_000)
                _quiet(page)
                page.evaluate(ASK, LATER)
                found += _moves(page, MOVES - len(found))
                seed += 1
                if len(found) < MOVES:
                    page.close()
            wall, ways, pythons = (list(each) for each in zip(*found, strict=True))
            note = f"{len(wall)} moves, {seed - SEED} games: median {1000 * statistics.median(ways):.0f} ms, of them "
            note += f"Python {1000 * statistics.median(pythons):.0f} (95th percentile {1000 * _p95(pythons):.0f}); "
            note += f"by the clock {1000 * statistics.median(wall):.0f} and {1000 * _p95(wall):.0f}; {_load()}"
            name = f"a click's calculation without a server, {game}, 95th percentile"
            rows.append(row(name, _p95(ways), "aim", 0.1, note))
            told: dict[str, Any] = {}
            code = ORDERS.format(game=game)
            exec(code, told)
            begun = time.process_time()
            exec(GIVEN, told)
            here = time.process_time() - begun
            page.evaluate(ASK, code)
            with _calculated() as spent:
                assert page.evaluate(ASK, GIVEN) == str(told["given"])
            there = spent().python
            note = f"{told['given']} orders; {there / here:.1f} times as long; {_load()}"
            name = f"an order in the browser's Python, {game}"
            rows.append(row(name, there / told["given"], "this Python", here / told["given"], note))
            page.close()
    return rows


def _quiet(page: Any) -> None:
    """Wait until Python has done what follows the first board, and the paths of first clicks have been tried."""
    calm = 0
    while calm < 3:
        with _calculated() as spent:
            page.wait_for_timeout(500)
            calm = calm + 1 if spent().python < 0.01 else 0


def _moves(page: Any, most: int) -> Iterator[tuple[float, float, float]]:
    """Seconds of each move by the clock, those calculated on its way, and Python's share of them; films, and what
    follows a move, pass between."""
    rng, buttons = random.Random(SEED), page.locator(".nk-play-order-button:visible")
    for _ in range(most):
        if page.locator(".nk-play-report h3:visible").count():
            return
        if count := buttons.count():
            box = (button := buttons.nth(rng.randrange(count))).scroll_into_view_if_needed() or button.bounding_box()
            place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        else:
            place = rng.choice(page.evaluate(PLACES))
        page.evaluate(WATCH)
        with _calculated() as spent:
            page.mouse.click(place["x"], place["y"])
            took = page.evaluate("window.nkAnswer") / 1000
            found = spent()
        yield took, found.script + found.python, found.python
        page.wait_for_timeout(1000)
        page.wait_for_function(STILL)
        page.wait_for_function(OPEN)


def _visit(context: Any, address: str, kept: str = "") -> tuple[float, float]:
    """Seconds to the board, and those that the browser calculated meanwhile."""
    page = context.new_page()
    with _calculated() as spent:
        begun = time.perf_counter()
        page.goto(address, wait_until="commit", timeout=120_000)
        page.wait_for_function(DRAWN, timeout=120_000)
        took = time.perf_counter() - begun, spent().all
    if kept:
        page.wait_for_function(kept, timeout=120_000)
    page.close(run_before_unload=True)
    time.sleep(1)
    return took


class Spent(NamedTuple):
    """Seconds that the browser calculated: pages' own scripts, Python in their workers, and all its processes."""

    script: float
    python: float
    all: float


@contextmanager
def _calculated() -> Iterator[Callable[[], Spent]]:
    """Asks what the browser has calculated since; a thread that has ended does not count."""

    def all_of_them() -> dict[Path, tuple[str, float]]:
        found = {}
        for each in psutil.Process().children(recursive=True):
            try:
                draws = "--type=renderer" in each.cmdline() and "chrom" in each.name()
                for thread in Path(f"/proc/{each.pid}/task").iterdir() if "chrom" in each.name() else ():
                    name = "script" if draws and thread.name == str(each.pid) else (thread / "comm").read_text()
                    found[thread] = name, int((thread / "schedstat").read_text().split()[0]) / 1e9
            except (psutil.NoSuchProcess, OSError):
                continue
        return found

    def spent() -> Spent:
        since = [(name, ran - before.get(thread, ("", 0.0))[1]) for thread, (name, ran) in all_of_them().items()]
        return Spent(*(sum(ran for name, ran in since if name.startswith(kind))
                       for kind in ("script", "DedicatedWorker", "")))

    before = all_of_them()
    yield spent


def _built() -> bool:
    there = (SITE / "sw.js").is_file()
    if not there:
        print(f"{SITE} is not there: `make lite` builds the pages without a server, which are measured then.")
    return there
