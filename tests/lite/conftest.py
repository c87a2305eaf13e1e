"""The built site in a real Chromium, served as any static server does.

Python for the browser needs numpy from outside the registries: a folder named by NAVALKIT_PYODIDE, or
shared/static/pyodide beside the checkout. Without it, or without npm, these tests are skipped with a sentence.
Every wait has an end: a browser that says nothing for `PATIENCE` seconds is killed, and its test fails.
"""

from __future__ import annotations
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from ..browser.conftest import FLAGS, chromium
from ..servers import ROOT, answers, wait_for

BESIDE = ROOT.parent / "shared" / "static" / "pyodide"
GIVEN = os.environ.get("NAVALKIT_PYODIDE") or (str(BESIDE) if BESIDE.is_dir() else "")
PAGE = "play_uss_lox"
PATIENCE = 600
SERVE = ("from http.server import test, SimpleHTTPRequestHandler as H; "
         "H.extensions_map = {**H.extensions_map, '.wasm': 'application/wasm'}; test(H, port=0, bind='127.0.0.1')")


@contextmanager
def alone(path: Path):
    """Nobody else is in here: pytest's workers build one site between them."""
    end = time.monotonic() + PATIENCE
    with path.open("a") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                assert time.monotonic() < end, "another worker still builds the site"
                time.sleep(0.5)
        yield


def needs_node() -> None:
    """Skips where Pyodide is not there, and npm cannot fetch it. Only one fetches: npm begins by taking away what there
    is, and another might be reading it."""
    if not shutil.which("npm"):
        pytest.skip("no npm was found: install Node.js to test the pages without a server.")
    with alone(Path(tempfile.gettempdir()) / f"npm-{hashlib.sha256(bytes(ROOT)).hexdigest()[:16]}.lock"):
        if not (ROOT / "lite" / "node_modules" / ".package-lock.json").is_file():  # npm writes it last
            got = subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund", "--prefix", str(ROOT / "lite")],
                                 capture_output=True, text=True, timeout=PATIENCE)
            if got.returncode:
                pytest.skip(f"npm fetched no Pyodide: the pages without a server are not tested. {got.stderr[-300:]}")


def build(to: Path, *only: str) -> Path:
    """A site made of this checkout, without numpy where there is none; the test is skipped where it cannot be."""
    needs_node()
    if GIVEN:
        chromium()
    how = ["--bare"] if not GIVEN else ["--only", *only] if only else []
    made = subprocess.run([sys.executable, str(ROOT / "lite" / "build.py"), "--to", str(to), *how],
                          env=os.environ | {"NAVALKIT_PYODIDE": GIVEN}, capture_output=True, text=True,
                          timeout=PATIENCE)
    assert made.returncode == 0, made.stderr
    return to


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """A site with one snapshot, under a path of its own; or one that is built already, named by NAVALKIT_LITE."""
    if "NAVALKIT_LITE" in os.environ:
        return Path(os.environ["NAVALKIT_LITE"]).resolve()
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    made = shared / "static" / "below" / "kit"
    with alone(shared / "static.lock"):
        if not (made / "sw.js").is_file():  # written last
            build(made, PAGE)
    return made


@contextmanager
def served(folder: Path):
    """A folder served by Python's own server; gives its address without a slash at its end."""
    server = subprocess.Popen([sys.executable, "-u", "-c", SERVE], cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    try:
        found = re.search(r"port (\d+)", server.stdout.readline())
        assert found, "the server did not start"
        url = f"http://127.0.0.1:{found[1]}"
        wait_for(lambda: answers(url), 60, "the server does not answer")
        yield url
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


@pytest.fixture(scope="session")
def url(site):
    """The site's address."""
    needs_numpy()
    with served(site.parents[1]) as home:
        yield f"{home}/{site.relative_to(site.parents[1])}"


def needs_numpy() -> None:
    """Skips where there is no numpy for the browser."""
    if not GIVEN:
        pytest.skip("no numpy for Pyodide: name its folder by NAVALKIT_PYODIDE to test the pages without a server.")
    chromium()


@pytest.fixture(scope="module")
def browser():
    """One Chromium for each file."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        started.close()


@pytest.fixture(autouse=True)
def no_wait_is_endless():
    """What asks a page something waits for as long as the page calculates: its browser is killed at last."""
    def end() -> None:
        for each in psutil.Process().children(recursive=True):
            if "chrom" in each.name():
                each.kill()

    late = threading.Timer(PATIENCE, end)
    late.daemon = True
    late.start()
    yield
    late.cancel()


@pytest.fixture
def context(browser):
    made = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    made.set_default_timeout(120_000)
    yield made
    made.close()


@pytest.fixture
def page(context, url, site):
    """A page that must not fail, and asks no host but its own."""
    made = watched(context, url)
    yield made
    assert not failed(made, site)


def failed(page, site):
    """What went wrong in a page, but for what its test expects, and snapshots that the site lacks: it may have one."""
    snaps = [f"{path.stem}.snap.gz" for path in site.glob("*.html")]
    lacks = [name for name in snaps if not (site / "py" / name).exists()]
    return [each for each in page.wrong if not any(name in each for name in lacks)
            and not (page.expected and re.search(page.expected, each))]


def watched(context, url):
    """A page that keeps what went wrong in it, and what it asked of another host."""
    made, home = context.new_page(), (url, "blob:", "data:")
    made.wrong, made.expected = [], ""
    made.on("pageerror", lambda error: made.wrong.append(str(error)))
    made.on("console", lambda line: made.wrong.append(f"{line.text} {line.location.get('url')}")
            if line.type == "error" and not line.location.get("url", "").endswith("/favicon.ico") else None)
    context.on("request", lambda sent: None if sent.url.startswith(home) else made.wrong.append(sent.url))
    return made


def open_page(page, address):
    page.goto(address, wait_until="commit")
    loaded(page)


def loaded(page):
    """Wait for the page; what became of Python is told where it did not come."""
    page.wait_for_function("() => document.querySelector('#nk-cells:not([hidden])') &&"
                           " !document.querySelector('#nk-loading') || window.navalkitLite?.failed")
    assert not page.evaluate("() => window.navalkitLite?.failed")


def python(page, code):
    """What Python says in the page's worker."""
    late = "new Promise((done) => setTimeout(() => done('failed: no answer'), 240000))"
    answer = page.evaluate(f"(code) => Promise.race([navalkitLite.python(code), {late}])", code)
    assert not answer.startswith("failed: "), answer
    return answer


def order(page, text):
    """Type an order, and wait until the page has answered it."""
    before = page.evaluate("() => document.querySelector('.nk-status').textContent")
    page.fill(".nk-order input", text)
    page.press(".nk-order input", "Enter")
    page.wait_for_function("(before) => document.querySelector('.nk-status').textContent !== before", arg=before)


def until(page, code, arg=None):
    """Wait until a page's async function says yes: `wait_for_function` takes its promise for a yes."""
    wait_for(lambda: page.evaluate(code, arg), PATIENCE / 2, f"never true: {code}")


def offline_ready(page):
    """Wait until the whole build is kept."""
    page.wait_for_function("() => !!navigator.serviceWorker.controller")
