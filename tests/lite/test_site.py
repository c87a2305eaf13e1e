"""The built site in a real Chromium, served as any static server does: it plays, keeps, goes on offline, and asks no
other host.

Python for the browser needs numpy from outside the registries: a folder named by NAVALKIT_PYODIDE, or
shared/static/pyodide beside the checkout. Without it, or without npm, these tests are skipped with a
sentence. They belong to `make test-all` until they have been seen to pass on a machine that is busy.
"""

from __future__ import annotations
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest

from navalkit.core.registry import names
from navalkit.ui.rooms import ROOM
from ..browser.conftest import FLAGS, chromium, shot
from ..servers import ROOT

pytestmark = pytest.mark.slow
BESIDE = ROOT.parent / "shared" / "static" / "pyodide"
GIVEN = os.environ.get("NAVALKIT_PYODIDE") or (str(BESIDE) if BESIDE.is_dir() else "")
PAGE = "play_uss_lox"
RECORDS = """
import hashlib, json, re
import navalkit as nk
from navalkit import explore
from navalkit.core.registry import names
found = {}
for name in names():
    match, n = nk.Match.new(name, seed=42), 0
    while not match.over and n < 12:
        legal = list(match.legal())
        match.play(legal[n % len(legal)])
        n += 1
    found[name] = match.record().dumps()
found["odds"] = str(explore.answer("lox-sink", ship="QH", torpedoes=2, seen="5C 5D 5H").value)
json.dumps(found)
"""


def built(to: Path, *only: str) -> Path:
    """A site made of this checkout, without numpy where there is none; the test is skipped where it cannot be."""
    if not shutil.which("npm"):
        pytest.skip("no npm was found: install Node.js to test the pages without a server.")
    if GIVEN:
        chromium()
    if not (ROOT / "lite" / "node_modules" / ".package-lock.json").is_file():
        subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund", "--prefix", str(ROOT / "lite")], check=True)
    build = [sys.executable, str(ROOT / "lite" / "build.py"), "build", "--to", str(to)]
    how = ["--bare"] if not GIVEN else ["--only", *only] if only else []
    made = subprocess.run([*build, *how], env=os.environ | {"NAVALKIT_PYODIDE": GIVEN}, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return to


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site with one snapshot, under a path of its own; or one that is built already, named by NAVALKIT_LITE."""
    if "NAVALKIT_LITE" in os.environ:
        return Path(os.environ["NAVALKIT_LITE"]).resolve()
    return built(tmp_path_factory.mktemp("static") / "below" / "kit", PAGE)


@pytest.fixture(scope="module")
def url(site):
    """Its address, served by Python's own server, without a slash at its end."""
    if not GIVEN:
        pytest.skip("no numpy for Pyodide: name its folder by NAVALKIT_PYODIDE to test the pages without a server.")
    chromium()
    code = "import sys; sys.argv[1:] = sys.argv[1:]; from http.server import test, SimpleHTTPRequestHandler as H; " \
           "H.extensions_map = {**H.extensions_map, '.wasm': 'application/wasm'}; test(H, port=0, bind='127.0.0.1')"
    server = subprocess.Popen([sys.executable, "-u", "-c", code], cwd=site.parents[1], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    with server:
        port = re.search(r"port (\d+)", server.stdout.readline())[1]
        yield f"http://127.0.0.1:{port}/{site.relative_to(site.parents[1])}"
        server.kill()


@pytest.fixture(scope="module")
def browser():
    """One Chromium for this file."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def context(browser):
    made = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    made.set_default_timeout(60_000)
    yield made
    made.close()


@pytest.fixture
def page(context, url):
    """A page that must not fail, and asks no host but its own."""
    made, wrong = context.new_page(), []
    made.on("pageerror", lambda error: wrong.append(str(error)))
    made.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    home = url, "blob:", "data:"
    context.on("request", lambda sent: None if sent.url.startswith(home) else wrong.append(sent.url))
    made.expected = ""
    yield made
    assert not [each for each in wrong if not made.expected or not re.search(made.expected, each)]


def open_page(page, address):
    page.goto(address, wait_until="commit")
    loaded(page)


def loaded(page):
    page.wait_for_selector("#nk-cells:not([hidden])")
    page.wait_for_selector("#nk-loading", state="detached")


def python(page, code):
    answer = page.evaluate("(code) => navalkitLite.python(code)", code)
    assert not answer.startswith("failed: "), answer
    return answer


def order(page, text):
    """Type an order, and wait until the page has answered it."""
    before = page.evaluate("() => document.querySelector('.nk-status').textContent")
    page.fill(".nk-order input", text)
    page.press(".nk-order input", "Enter")
    page.wait_for_function("(before) => document.querySelector('.nk-status').textContent !== before", arg=before)


def offline_ready(page):
    """Wait until the whole build is kept."""
    page.wait_for_function("() => !!navigator.serviceWorker.controller")


def test_a_game_is_played_kept_and_taken_up_again_and_goes_on_offline(page, url, site, context):
    open_page(page, f"{url}/{PAGE}.html?seed=42")
    assert page.evaluate("navalkitLite.how") == "warm"
    order(page, "flip B2")
    shot(page, "lite_lox")
    seen = page.inner_text(".nk-status")
    page.reload(wait_until="commit")
    loaded(page)
    kept = json.loads(python(page, """
import json
from navalkit.ui.worker import WORKER
json.dumps([path.read_text() for path in WORKER.shelf.folder.glob("*.toml")])"""))
    assert any("flip B2" in text for text in kept) and seen
    offline_ready(page)
    context.set_offline(True)
    page.reload(wait_until="commit")
    loaded(page)
    order(page, "attack 1")
    context.set_offline(False)


def test_python_in_the_browser_gives_the_same_records_and_the_same_fractions(page, url):
    open_page(page, f"{url}/{PAGE}.html")
    there = json.loads(python(page, RECORDS))
    here: dict = {}
    exec(RECORDS.replace("json.dumps(found)", ""), here)
    assert set(there) == {*names(), "odds"}
    for name, text in here["found"].items():
        assert strip(there[name]) == strip(text), name


def strip(text):
    """A record without when it was made."""
    return hashlib.sha256(re.sub(r"(?m)^(created|time|version|at|python).*$", "", text).encode()).hexdigest()


def test_a_page_without_a_snapshot_starts_all_the_same(page, url):
    page.expected = "snap.gz|404"
    page.route("**/play_uss_lox.snap.gz", lambda route: route.fulfill(status=404))
    open_page(page, f"{url}/{PAGE}.html")
    assert page.evaluate("navalkitLite.how") == "cold" and page.locator("canvas").count()


def test_a_full_storage_and_a_storage_that_is_off_are_told(page, url, context):
    open_page(page, f"{url}/{PAGE}.html?seed=7")
    python(page, "from navalkit.ui.worker import WORKER; WORKER.unkept('QuotaExceededError'); ''")
    page.wait_for_function("() => document.querySelector('.nk-status').textContent.includes('QuotaExceededError')")


def test_a_worker_that_was_killed_is_replaced_and_the_game_goes_on(page, url):
    open_page(page, f"{url}/{PAGE}.html?seed=11")
    order(page, "flip A1")
    with page.expect_navigation(wait_until="commit"):
        page.evaluate("() => navalkitLite.worker.terminate()")
    loaded(page)
    order(page, "attack 1")


def test_a_second_tab_of_the_same_address_goes_on_with_a_copy(page, url, context):
    open_page(page, f"{url}/{PAGE}.html?seed=5")
    order(page, "flip A1")
    other = context.new_page()
    open_page(other, f"{url}/{PAGE}.html?seed=5")
    order(other, "attack 1")
    tokens = json.loads(python(other, """
import json
from navalkit.ui.worker import WORKER
json.dumps([path.read_text().count("flip A1") for path in WORKER.shelf.folder.glob("*.toml")])"""))
    assert sum(tokens) == 2  # the first tab's, and the copy's


GAMES = sorted(f"play_{name.replace('-', '_')}" for name in names())


@pytest.mark.parametrize("width, height", [(1280, 800), (390, 844)])
@pytest.mark.parametrize("name", GAMES)
def test_each_game_is_played_by_its_hints(browser, site, url, name, width, height):
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    made, wrong = context.new_page(), []
    made.on("pageerror", lambda error: wrong.append(str(error)))
    open_page(made, f"{url}/{name}.html?seed=3")
    stands = "() => [...document.querySelectorAll('.nk-status, .nk-log')].map((each) => each.textContent).join()"
    for _ in range(6):
        before = made.evaluate(stands)
        made.click(".nk-key-hint")
        made.wait_for_selector(".nk-play-advised")
        made.locator(".nk-key-do-it").dispatch_event("click")
        made.wait_for_function(f"(before) => ({stands})() !== before && !document.querySelector('.nk-play-advised')",
                               arg=before)
    shot(made, f"lite_{name}_{width}", full_page=False)
    kept = python(made, "import navalkit as nk\nfrom navalkit.ui.worker import WORKER\n"
                        "max(nk.Match.load(path).ply for path in WORKER.shelf.folder.glob('*.toml'))")
    context.close()
    assert int(kept) >= 6 and not wrong


def test_the_steppers_and_the_explorer_answer(page, url):
    open_page(page, f"{url}/step_escorts.html")
    before = page.inner_text(".nk-status")
    for _ in range(4):
        page.click(".nk-step button:has-text('Next')")
    page.wait_for_function("(before) => document.querySelector('.nk-status').textContent !== before", arg=before)
    shot(page, "lite_step", full_page=False)
    open_page(page, f"{url}/explore_sinking.html?q=lox-sink&lang=de")
    page.wait_for_selector("html[lang=de]")
    assert page.locator(".bqplot").count()
    shot(page, "lite_explore", full_page=False)
    page.goto(f"{url}/index.html?lang=de")
    page.wait_for_url("**/index.de.html")
    assert page.locator("[data-game]").count() == 5


def test_a_link_to_a_friend_says_that_it_needs_a_server(page, url):
    open_page(page, f"{url}/play_wolf_pack.html?friend=1")
    page.wait_for_function("(text) => document.querySelector('.nk-status').textContent.includes(text)",
                           arg=ROOM("none")[:30])


# -- What needs no numpy --------------------------------------------------------------------------

def test_every_link_of_every_page_leads_somewhere(site):
    broken = [(page.name, link) for page in site.glob("*.html")
              for link in re.findall(r'(?:href|src)="([^"#?]+)', page.read_text(encoding="utf-8"))
              if not link.startswith(("data:", "http")) and not (site / link).exists()]
    assert not broken and len(list(site.glob("*.html"))) > 10


def test_no_page_names_another_host_or_runs_what_stands_in_it(site):
    for page in site.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r'(?:href|src)="(?:https?:)?//', text), page.name
        assert "script-src 'self' blob:;" in text and "unsafe-eval" not in text
        assert not re.search(r"<script(?![^>]*(?:src=|application/json))", text), page.name
        assert not re.search(r" on[a-z]+=", text), page.name


def test_the_service_worker_keeps_every_file_by_its_hash(site):
    kept = json.loads(re.search(r"FILES = (\{.*?\});", (site / "sw.js").read_text(), re.DOTALL)[1])
    files = {str(path.relative_to(site)): path for path in site.rglob("*") if path.is_file() and path.name != "sw.js"}
    hashes = {name: hashlib.sha256(path.read_bytes()).digest() for name, path in files.items()}
    assert kept == {name: b64encode(value).decode() for name, value in hashes.items()}


def test_what_is_pinned_has_a_hash(site):
    lock = json.loads((ROOT / "lite" / "package-lock.json").read_text())["packages"]
    asked = lock.pop("")["dependencies"]
    assert asked and all(re.fullmatch(r"[\d.]+", version) for version in asked.values())
    assert all(each.get("integrity") for each in lock.values())


def test_the_worker_of_a_page_says_its_pin(site):
    pin = json.loads((ROOT / "lite" / "node_modules" / "pyodide" / "pyodide-lock.json").read_text())["info"]
    script = (site / "worker.js").read_text()
    version = json.loads((ROOT / "lite" / "package.json").read_text())["dependencies"]["pyodide"]
    for fact in (*pin.values(), version):
        assert fact in script


def test_what_the_first_game_fetches_is_small(site):
    """Bytes over the line where the server packs what it sends."""
    if not GIVEN:
        pytest.skip("no numpy for Pyodide: what a first game fetches is not all here.")
    need = [path for path in (site / "py").iterdir() if path.suffix in (".so", ".wasm", ".js") or path.name in
            ("base.snap.gz", f"{PAGE}.snap.gz", "data.pack.gz")]
    need += [site / name for name in ("main.js", "main.css", "worker.js", "boot.js", f"{PAGE}.html", "nbx/anywidget.js",
                                      "nbx/ipycanvas.js")] + [p for p in (site / "static").rglob("*") if p.is_file()]
    size = sum(path.stat().st_size if path.suffix in (".gz", ".woff2") else len(gzip.compress(path.read_bytes(), 6))
               for path in need)
    assert size < 16_500_000, size
