"""A real Voila and a real Chromium for the tests in this folder.

Every test gets a fresh page, which fails the test on an unexpected error in the console or a request to a
foreign host. Without a Chromium the tests are skipped with a sentence, unless NAVALKIT_REQUIRE_BROWSER=1.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import psutil
import pytest

ROOT = Path(__file__).parents[2]
SCREENSHOTS = ROOT / ".screenshots"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
# Voila bundles JupyterLab 4.2 and says so of newer extensions; a page left early breaks off its requests.
HOME = re.compile(r"(https?|wss?)://127\.0\.0\.1[:/]|data:|blob:|about:")
HARMLESS = re.compile(r"Unsatisfied version|net::ERR_ABORTED")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder as needing a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


def chromium() -> str:
    """Path of an installed Chromium; skips (or fails, where a browser is required) if there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    sentence = "no Chromium was found: install chromium to run the browser tests."
    if os.environ.get("NAVALKIT_REQUIRE_BROWSER") == "1":
        pytest.fail(sentence)
    pytest.skip(sentence)


@dataclass(frozen=True)
class Server:
    """A running Voila: its address, its process and the folder its games are saved in."""

    url: str
    process: subprocess.Popen[bytes]
    home: Path

    def page(self, notebook: str) -> str:
        """Address of a notebook's page."""
        return f"{self.url}/voila/render/{notebook}"

    def kernels(self) -> int:
        """How many kernels it runs: Voila offers no list, so count its child processes."""
        return len(children(self.process.pid))


def children(pid: int) -> list[int]:
    """The living ipykernel processes that a process started."""
    try:
        found = psutil.Process(pid).children()
        return [
            each.pid
            for each in found
            if each.is_running()
            and each.status() != psutil.STATUS_ZOMBIE
            and any("ipykernel" in word for word in each.cmdline())
        ]
    except psutil.NoSuchProcess:  # one ended while we looked: look again, or there is nothing left to look at
        return children(pid) if psutil.pid_exists(pid) else []


@contextmanager
def serve(notebooks: Path, home: Path) -> Iterator[Server]:
    """Voila on a free port, with the project's template and settings; games are saved under `home`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {
        "JUPYTER_PATH": str(ROOT / "voila_templates"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "NAVALKIT_HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    command = [
        sys.executable,
        "-m",
        "voila",
        str(notebooks),
        "--no-browser",
        f"--port={port}",
        "--Voila.ip=127.0.0.1",
        "--Voila.port_retries=0",
    ]
    with (home / "voila.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True)
    server = Server(f"http://127.0.0.1:{port}", process, home)
    try:
        wait_for(lambda: answers(server.url), 60, f"Voila did not start; see {home / 'voila.log'}")
        yield server
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()


def answers(url: str) -> bool:
    """Whether a server answers at this address."""
    try:
        with urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


def wait_for(condition: Callable[[], bool], seconds: float, sentence: str) -> None:
    """Wait until the condition holds; fail with the sentence if it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            pytest.fail(sentence)
        time.sleep(0.1)


@pytest.fixture(scope="session")
def voila(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One Voila over notebooks/ for all tests of this worker."""
    chromium()
    with serve(ROOT / "notebooks", tmp_path_factory.mktemp("voila")) as server:
        yield server


@pytest.fixture(scope="session")
def voila_url(voila: Server) -> str:
    """Address of that Voila, without a slash at its end."""
    return voila.url


@pytest.fixture
def kernels(voila: Server) -> Callable[[], int]:
    """Counts the kernels that Voila is running."""
    return voila.kernels


@pytest.fixture(scope="session")
def browser():
    """One headless Chromium for all tests of this worker."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def context(browser, request):
    """A fresh browser profile, 1280 x 900 unless parametrized: nothing remembered from other tests."""
    width, height = getattr(request, "param", (1280, 900))
    made = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    made.set_default_timeout(60_000)  # for a machine that is busy
    yield made
    made.close()


@pytest.fixture
def page(context):
    """A page that watches itself; the test fails on any unexpected error or foreign request it saw."""
    made = context.new_page()
    seen: list[str] = []
    made.expected_errors = []  # a test that provokes errors says which: patterns to let pass
    made.on("pageerror", lambda error: seen.append(f"page error: {error}"))
    made.on("console", lambda line: seen.append(f"console: {line.text}") if line.type == "error" else None)
    made.on("request", lambda sent: HOME.match(sent.url) or seen.append(f"foreign request: {sent.url}"))
    yield made
    unexpected = [
        line
        for line in seen
        if not HARMLESS.search(line) and not any(re.search(pattern, line) for pattern in made.expected_errors)
    ]
    made.close(run_before_unload=True)
    assert not unexpected, "\n".join(unexpected)


def open_page(page, url: str) -> None:
    """Open a dashboard and wait until its loading page has gone."""
    page.goto(url, wait_until="commit")
    page.wait_for_selector("#nk-cells:not([hidden])", timeout=60_000)
    page.wait_for_selector("#nk-loading", state="detached", timeout=60_000)


def wait_for_board(page) -> None:
    """Wait until something opaque has been drawn on the board's canvas."""
    page.wait_for_function(
        """() => { const canvas = document.querySelector('.nk-board canvas, canvas.nk-board');
             if (!canvas || !canvas.width) return false;
             const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
             return data.some((value, i) => i % 4 === 3 && value > 0); }""",
        timeout=60_000,
    )


def shot(page, name: str, *, full_page: bool = True) -> Path:
    """Save a screenshot as .screenshots/<name>.png, to be looked at."""
    SCREENSHOTS.mkdir(exist_ok=True)
    path = SCREENSHOTS / f"{name}.png"
    page.screenshot(path=path, full_page=full_page)
    return path


def set_theme(page, name: str) -> None:
    """Choose a theme by the switch in the header: auto, light, dark or contrast."""
    page.select_option("#nk-theme", name)
    if name != "auto":
        page.wait_for_selector(f"html[data-nk-theme={name}]", state="attached")


def sideways(page) -> int:
    """By how many pixels the page is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


def axe(page) -> list[str]:
    """Serious and critical violations that axe-core finds, one line each."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{each['impact']} {each['id']}: {each['help']}: {json.dumps(node['target'])} {node['html'][:160]}"
        f" {node.get('failureSummary', '')[:300]}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
