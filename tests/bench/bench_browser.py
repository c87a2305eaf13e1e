"""The pages in a real Chromium: press to light, click to repaint, frames of a film, bytes a move, the first board.

The machine's load stands beside the numbers: a browser on a busy machine measures the machine.
"""

from __future__ import annotations
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

from navalkit.core import registry
from navalkit.serve.server import COMPRESSION
from tests.bench.measure import row

ROOT = Path(__file__).parents[2]
SEED, MOVES, VISITS = 5, 15, 5
FRAME = 1 / 60
REFILL = 7  # seconds in which the server has the next kernel ready
STEP = "step_escorts.ipynb?scenario=night-convoy&seed=2&step=60&by=rule&line=3"
# The page as it is, but that it writes down where the next press goes: a cell that gives an action, or a button.
PLAYED = """
import json
from pathlib import Path
from navalkit.ui.play.app import GameApp
app = GameApp("{game}")
refresh = app.refresh
def noted():
    refresh()
    scene, orders = app.scene(), app.orders
    places = [(x / scene.width, y / scene.height) for cell in scene.cells if cell.action is not None
              for x, y in [cell.centre]]
    primary = next((n for n, row in enumerate(orders.rows) if row[4]), -1)
    ply = app.control.match.ply
    said = dict(cells=places, buttons=len(orders.rows), primary=primary, ply=ply, over=app.control.match.over)
    Path("next.new").write_text(json.dumps(said))
    Path("next.new").replace("next.json")
app.refresh = noted
app.widget
"""
BARE = """
from ipycanvas import Canvas, hold_canvas
canvas = Canvas(width=1760, height=1400)
canvas.add_class("nk-canvas")
def draw():
    with hold_canvas():
        canvas.fill_style = "#336699"
        canvas.fill_rect(0, 0, 1760, 1400)
canvas.on_client_ready(draw)
canvas
"""
# Watches for the next answer: the status line counts up when all of it is there; the frame after that shows it.
WATCH = """() => {
  const status = document.querySelector('.nk-status');
  const count = () => +status.querySelector('[data-count]')?.dataset.count;
  window.nkAnswer = new Promise((done) => addEventListener('pointerdown', (event) => {
    const from = event.timeStamp, before = count();
    new MutationObserver((_, watch) => {
      if (!(count() > before)) return;
      watch.disconnect();
      requestAnimationFrame(() => done(performance.now() - from));
    }).observe(status, { subtree: true, childList: true, attributes: true });
  }, { capture: true, once: true }));
}"""
STILL = "() => !document.querySelector('.nk-board').classList.contains('nk-playing')"
DRAWN = """() => {
  const canvas = document.querySelector('canvas.nk-canvas');
  if (!canvas || !canvas.width || document.querySelector('#nk-loading')) return false;
  return canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[3] > 0;
}"""


def bench_moves() -> list[dict[str, Any]]:
    """Each game played for some moves: press to light, click to repaint, frames of the films, bytes a move."""
    rows, presses, gaps = [], [], []
    with _chromium() as browser:
        for game in registry.names():
            played = _played(browser, game)
            presses += played["presses"]
            gaps += played["gaps"]
            taken, sent = sorted(played["taken"]), played["bytes"]
            note = f"{game}, {len(taken)} moves; {_load()}"
            rows.append(row("click to repaint, median", statistics.median(taken), "a frame", FRAME, note))
            rows.append(row("click to repaint, 95th percentile", _p95(taken), "a frame", FRAME, note))
            kilo = statistics.mean(sent) / 1000
            most, messages, plain = max(sent) / 1000, played["messages"], statistics.mean(played["plain"]) / 1000
            note = f"{game}: {kilo:.1f} kB a move with its film (most {most:.1f}; {plain:.1f} before compression)"
            note += f" in {messages:.0f} messages with their headers; aim 8"
            rows.append(row("a move's bytes, at 1 MB a second", kilo / 1000, "aim", 0.008, note))
    note = f"{len(presses)} presses; aim one frame; {_load()}"
    rows.append(row("press to first change, 95th percentile", _p95(presses), "a frame", FRAME, note))
    rate = len(gaps) / sum(gaps)
    slow = 1 / _p95(gaps)
    note = f"{rate:.1f} frames a second ({len(gaps)} frames; slowest twentieth {slow:.0f}); aim 55; {_load()}"
    rows.append(row("frame of a film", sum(gaps) / len(gaps), "a frame", FRAME, note))
    return rows


def bench_first_board() -> list[dict[str, Any]]:
    """From asking for a page to its first board, against a page that is nothing but an ipycanvas, by turns.

    With a kernel kept ready, as pages are served, and with none. The bare page is served twice: by the project's server
    with its template, whose savings it shares, and by plain Voila with the template of its own.
    """
    rows = []
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(ROOT / "notebooks" / "play_uss_lox.ipynb", folder)
        _notebook(folder, "bare", BARE)
        for kernels in ("warm", "cold"):
            pages = f"play_uss_lox.ipynb?seed={SEED}", "bare.ipynb"
            ours, bare, plain = _first_boards(folder, pages, ("bare.ipynb",), warm=kernels == "warm")
            for name, took in (("a bare ipycanvas page", bare), ("the same in plain Voila, cold", plain)):
                note = f"{ours / took:.2f} times, medians of {VISITS} visits by turns; aim 1.25; {_load()}"
                rows.append(row(f"first board, {kernels} kernel", ours, name, took, note))
    return rows


def bench_first_step() -> list[dict[str, Any]]:
    """From asking for a link to a step, on the page and in class, to its first board, against the page alone."""
    ours, in_class, plain = _first_boards(ROOT / "notebooks", (STEP, f"{STEP}&view=class", "step_escorts.ipynb"))
    note = "{:.2f} times the plain page's, medians of {} visits by turns, cold kernels; aim 1.25; {}"
    return [
        row(name, took, "the stepper's plain page", plain, note.format(took / plain, VISITS, _load()))
        for name, took in (("first board of a linked step", ours), ("the same in class", in_class))
    ]


def _first_boards(folder: Path, pages: Sequence[str], plain: Sequence[str] = (), warm: bool = False) -> list[float]:
    """Medians of the seconds to the first board, visited by turns; a first round fills the caches.

    ``pages`` are served as the project's are, ``plain`` by Voila as it comes.
    """
    with _chromium() as browser, _server(folder, warm) as url, _plain_voila(folder) as other:
        found: dict[str, list[float]] = {f"{url}/voila/render/{page}": [] for page in pages}
        found |= {f"{other}/voila/render/{page}": [] for page in plain}
        for _ in range(VISITS + 1):
            for address, times in found.items():
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                start = time.perf_counter()
                page.goto(address, wait_until="commit")
                page.wait_for_function(DRAWN, timeout=60_000)
                times.append(time.perf_counter() - start)
                page.close(run_before_unload=True)
                time.sleep(REFILL if warm else 1)
    return [statistics.median(times[1:]) for times in found.values()]


def bench_lobby() -> dict[str, Any]:
    """From asking for the lobby to its first game's card."""
    times = []
    with _chromium() as browser, _server(ROOT / "notebooks") as url:
        for _ in range(VISITS + 1):
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            start = time.perf_counter()
            page.goto(url, wait_until="commit")
            page.locator("main a").first.wait_for()
            times.append(time.perf_counter() - start)
            page.close()
    note = f"median of {VISITS} visits, most {max(times[1:]):.2f} s; {_load()}"
    return row("lobby", statistics.median(times[1:]), "aim", 1.0, note)


def _played(browser: Any, game: str) -> dict[str, Any]:
    """Some moves of a game; times in seconds."""
    rng, taken, sent, plain, frames = random.Random(SEED), [], [], [], []
    with TemporaryDirectory() as name:
        folder = Path(name)
        _notebook(folder, "played", PLAYED.format(game=game))
        with _server(folder) as url:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.on("websocket", lambda line: line.on("framereceived", lambda data: frames.append(data)))
            page.goto(f"{url}/voila/render/played.ipynb?seed={SEED}", wait_until="commit")
            page.wait_for_function(DRAWN, timeout=60_000)
            page.wait_for_function("() => +document.querySelector('.nk-status [data-count]')?.dataset.count > 0")
            page.wait_for_timeout(1000)
            messages, line = 0, zlib.compressobj(COMPRESSION["compression_level"], zlib.DEFLATED, -zlib.MAX_WBITS)
            for _ in range(MOVES):
                now = json.loads((folder / "next.json").read_text())
                if now["over"]:
                    break
                page.evaluate(WATCH)
                frames.clear()
                if now["primary"] >= 0 or not now["cells"]:
                    button = max(now["primary"], 0)
                    page.locator(".nk-play-order-button:visible").nth(button).click()
                else:
                    box = page.locator("canvas.nk-canvas").bounding_box()
                    x, y = rng.choice(now["cells"])
                    page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
                taken.append(page.evaluate("window.nkAnswer") / 1000)
                page.wait_for_timeout(400)  # what is calculated after the move is part of it
                page.wait_for_function(STILL)
                heard = [frame.encode() if isinstance(frame, str) else frame for frame in frames]
                plain.append(sum(map(len, heard)))
                sent.append(sum(len(line.compress(each) + line.flush(zlib.Z_SYNC_FLUSH)) - 4 for each in heard))
                messages += len(frames)
            seen = page.evaluate("() => ({presses: nkStage.presses, gaps: nkStage.gaps})")
            page.close(run_before_unload=True)
    gaps = [gap / 1000 for gap in seen["gaps"] if gap > 0]
    presses = [press / 1000 for press in seen["presses"]]
    return {
        "taken": taken,
        "bytes": sent,
        "plain": plain,
        "messages": messages / len(sent),
        "gaps": gaps,
        "presses": presses,
    }


def _notebook(folder: Path, name: str, source: str) -> None:
    cell = {"cell_type": "code", "id": "app", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    book = {"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (folder / f"{name}.ipynb").write_text(json.dumps(book))


@contextmanager
def _chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@contextmanager
def _server(notebooks: Path, warm: bool = False) -> Iterator[str]:
    """The pages' server on a free port, with the project's template, and a kernel waiting if ``warm``."""
    with TemporaryDirectory() as home:
        there = {"JUPYTER_PATH": str(ROOT / "voila_templates"), "NAVALKIT_HOME": home}
        command = ["navalkit.serve.server", str(notebooks), "--Voila.ip=127.0.0.1", f"--Kernels.keep_warm={warm}"]
        with _running(command, ROOT, home, there) as url:
            yield url


@contextmanager
def _plain_voila(notebooks: Path) -> Iterator[str]:
    """Voila with nothing of the project's, and an empty configuration."""
    with TemporaryDirectory() as home:
        command = ["voila", str(notebooks), "--no-browser", "--Voila.ip=127.0.0.1"]
        with _running(command, Path(home), home, {}) as url:
            yield url


@contextmanager
def _running(command: list[str], folder: Path, home: str, there: dict[str, str]) -> Iterator[str]:
    """A server of that module on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    environment = os.environ | {"JUPYTER_CONFIG_DIR": home, "IPYTHONDIR": home} | there
    command = [sys.executable, "-m", *command, f"--port={port}"]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet
    )
    assert process.stdin is not None
    try:
        while not _answers(url):
            if process.poll() is not None:
                raise RuntimeError("the server did not start")
            time.sleep(0.1)
        yield url
    finally:
        process.stdin.close()  # as its launcher does
        if command[2] == "voila":
            process.terminate()
        process.wait(60)


def _answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]
