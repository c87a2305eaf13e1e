"""How fast the page of USS Lox is in a real Chromium: click to repaint, time to the first board, bytes a redraw."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

from navalkit.core.match import Match
from navalkit.core.store import Store
from navalkit.games.uss_lox.board.page import scene
from navalkit.ui.app import GameApp

ROOT = Path(__file__).parents[2]
SEED = 5
GAMES = 5
VISITS = 5
# The page as it is, but for a note in a file of how long Python took over each click.
TIMED = """
import time
from pathlib import Path
from navalkit.ui.app import GameApp
app = GameApp("uss-lox")
point = app.board.on_point
def timed(cell):
    start = time.perf_counter()
    point(cell)
    taken = time.perf_counter() - start
    with Path("times.txt").open("a") as file:
        file.write(f"{taken}\\n")
app.board.on_point = timed
app.widget
"""
# Arms a watch on one pixel of the board; resolves with the time from the press to the frame in which it has changed.
WATCH = """([x, y]) => {
  const canvas = document.querySelector('.nk-board canvas'), pen = canvas.getContext('2d');
  const pixel = () => pen.getImageData(x, y, 1, 1).data.join();
  window.nkWatch = new Promise((done) => {
    addEventListener('mousedown', () => {
      const start = performance.now(), before = pixel();
      const look = () => pixel() === before ? requestAnimationFrame(look) : done(performance.now() - start);
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  });
}"""
DRAWN = """() => {
  const canvas = document.querySelector('.nk-board canvas');
  if (!canvas || !canvas.width) return false;
  return canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[3] > 0;
}"""


def bench_click_to_repaint() -> list[dict[str, Any]]:
    """From the press on a face-down card to the frame that shows it gone, with Python's part of it."""
    squares = [f"{column}{row}" for row in "123" for column in "ABC"]
    match = Match.new("uss-lox", seed=SEED)
    table = scene(match.game, match.state)
    taken = []
    with TemporaryDirectory() as folder, _chromium() as browser:
        notebook = {"cells": [_cell(TIMED)], "metadata": _KERNEL, "nbformat": 4, "nbformat_minor": 5}
        (Path(folder) / "timed.ipynb").write_text(json.dumps(notebook))
        with _voila(Path(folder)) as url:
            page = browser.new_page(viewport={"width": 1280, "height": 1000})
            page.goto(f"{url}/voila/render/timed.ipynb?seed={SEED}", wait_until="commit")
            page.wait_for_selector("#nk-loading", state="detached", timeout=60_000)
            page.wait_for_function(DRAWN)
            canvas = page.locator(".nk-board canvas")
            box = canvas.bounding_box()
            assert box is not None
            share = box["width"] / table.width
            decline = page.get_by_role("button", name="Let her go")
            for game in range(GAMES):
                if game:
                    page.locator("button.nk-same-sea").click()
                    page.wait_for_selector(".nk-report", state="hidden")
                for square in squares:
                    x, y = table.cell(square).centre  # type: ignore[union-attr]
                    page.evaluate(WATCH, [2 * x, 2 * y])
                    page.mouse.click(box["x"] + share * x, box["y"] + share * y)
                    taken.append(page.evaluate("window.nkWatch") / 1000)
                    decline.click()
                    decline.wait_for(state="hidden")
        python = [float(line) for line in (Path(folder) / "times.txt").read_text().split()]
    return [
        _row(f"click to repaint, {name}", of(taken), "of it in Python", of(python), note)
        for name, of, note in (
            ("median", statistics.median, f"{len(taken)} clicks in Chromium; the ratio is Python's share"),
            ("95th percentile", _p95, "of all clicks, and of Python's times"),
        )
    ]


def bench_first_board() -> list[dict[str, Any]]:
    """From asking for the page to the first board, with a kernel started for it and with one that was waiting."""
    with _chromium() as browser:
        cold, warm = (
            _first_boards(browser, *arguments) for arguments in ((), ("--preheat_kernel=True", "--pool_size=1"))
        )
    return [
        _row(
            "first board, preheated kernel",
            statistics.median(warm),
            "cold kernel",
            statistics.median(cold),
            f"medians of {VISITS} visits",
        )
    ]


def bench_redraw() -> dict[str, Any]:
    """What a move sends to the browser's canvas, against drawing the whole board anew."""
    with TemporaryDirectory() as folder:
        app = GameApp("uss-lox", store=Store(Path(folder)))
    app.control.new(SEED)
    app.control.order("flip A1")
    after, theme = app.scene(), app.board
    move_bytes = theme.last_frame_bytes
    app.control.look_at(0)
    before = app.scene()
    moves = _times(lambda: theme.show(after), lambda: theme.show(before))
    full = _times(theme.redraw)
    theme.redraw()
    full_bytes = theme.last_frame_bytes
    note = f"{move_bytes / 1000:.1f} kB against {full_bytes / 1000:.1f} kB sent"
    return _row(
        "board redrawn after a move", statistics.median(moves), "the whole board", statistics.median(full), note
    )


_KERNEL = {
    "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
    "language_info": {"name": "python"},
}


def _cell(source: str) -> dict[str, Any]:
    return {"cell_type": "code", "id": "app", "execution_count": None, "metadata": {}, "outputs": [], "source": source}


def _first_boards(browser: Any, *arguments: str) -> list[float]:
    found = []
    with TemporaryDirectory() as folder:
        shutil.copy(ROOT / "notebooks" / "play_uss_lox.ipynb", folder)  # alone: a pool heats every notebook it finds
        with _voila(Path(folder), *arguments) as url:
            for _ in range(VISITS + 1):
                if arguments:
                    time.sleep(6)  # the pool fills up again
                page = browser.new_page(viewport={"width": 1280, "height": 1000})
                start = time.perf_counter()
                page.goto(f"{url}/voila/render/play_uss_lox.ipynb?seed={SEED}", wait_until="commit")
                page.wait_for_selector("#nk-loading", state="detached", timeout=60_000)
                page.wait_for_function(DRAWN)
                found.append(time.perf_counter() - start)
                page.close(run_before_unload=True)
    return found[1:]  # the first visit fills the caches of browser and server


@contextmanager
def _chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@contextmanager
def _voila(notebooks: Path, *arguments: str) -> Iterator[str]:
    """A Voila of our own on a free port, with the project's template."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with TemporaryDirectory() as home:
        environment = os.environ | {
            "JUPYTER_PATH": str(ROOT / "voila_templates"), "JUPYTER_CONFIG_DIR": home,
            "NAVALKIT_HOME": home, "IPYTHONDIR": home,
        }  # fmt: skip
        process = subprocess.Popen(
            [sys.executable, "-m", "voila", str(notebooks), "--no-browser", f"--port={port}",
             "--Voila.ip=127.0.0.1", *arguments],
            cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            while not _answers(url):
                if process.poll() is not None:
                    raise RuntimeError("Voila did not start")
                time.sleep(0.1)
            yield url
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)


def _answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _times(work: Callable[[], object], undo: Callable[[], object] = lambda: None, repeats: int = 40) -> list[float]:
    found = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
        undo()
    return found


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def _row(name: str, ours: float, baseline: str, baseline_seconds: float, note: str) -> dict[str, Any]:
    return {
        "name": name,
        "ours_seconds": ours,
        "baseline": baseline,
        "baseline_seconds": baseline_seconds,
        "ratio": baseline_seconds / ours,
        "note": note,
    }
