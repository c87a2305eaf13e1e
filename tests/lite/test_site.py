"""The built site in a real Chromium, served as any static server does: it plays, keeps, goes on offline, and asks no
other host. A sample is in `make test`: one game, the records, the start without a snapshot."""

from __future__ import annotations
import gzip
import hashlib
import json
import re
from base64 import b64encode

import pytest

from navalkit.core.registry import names
from navalkit.ui.rooms import ROOM
from ..browser.conftest import shot
from ..servers import ROOT
from .conftest import GIVEN, PAGE, loaded, offline_ready, open_page, order, python

slow = pytest.mark.slow
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


@slow
def test_a_worker_that_was_killed_is_replaced_and_the_game_goes_on(page, url):
    open_page(page, f"{url}/{PAGE}.html?seed=11")
    order(page, "flip A1")
    with page.expect_navigation(wait_until="commit"):
        page.evaluate("() => navalkitLite.worker.terminate()")
    loaded(page)
    order(page, "attack 1")


@slow
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


PAINTERS = """
from ipywidgets.widgets.widget import _instances
from navalkit.ui.board import Painter
painters = [each for each in _instances.values() if isinstance(each, Painter)]
"""
FRAMES = f"{PAINTERS}str(sum(each.frames for each in painters))"
WHOLE = f"""{PAINTERS}
for each in painters:
    each.forget(each._looks.colours)
    each.paint(each._layers, each._cells, each._facts)
"""
STAIN = """() => {
  const canvas = document.querySelector("canvas.nk-canvas"), g = canvas.getContext("2d");
  window.nkSeen = g.getImageData(0, 0, canvas.width, canvas.height).data;
  g.fillStyle = "#f0f";
  g.fillRect(0, 0, canvas.width, canvas.height);
}"""
CLEAN = """() => {
  const canvas = document.querySelector("canvas.nk-canvas"), g = canvas.getContext("2d");
  const [r, n, b] = g.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data;
  return !(r === 255 && n === 0 && b === 255);
}"""
UNLIKE = """() => {
  const canvas = document.querySelector("canvas.nk-canvas"), g = canvas.getContext("2d");
  const now = g.getImageData(0, 0, canvas.width, canvas.height).data;
  return window.nkSeen.filter((each, i) => Math.abs(each - now[i]) > 64).length;
}"""
EDGES = 40
"""Values that may differ much: at a corner that is drawn within a place, and not with all of the board, some do a
little. Of a mark that is missing thousands would."""


def is_whole(page):
    """Whether the board, of which only some places were drawn anew, is what it is when all of it is."""
    before, frames = "", python(page, FRAMES)
    while before != frames:  # what the board awaits comes a moment later
        page.wait_for_timeout(500)
        before, frames = frames, python(page, FRAMES)
    page.evaluate(STAIN)
    python(page, WHOLE)
    page.wait_for_function(CLEAN)
    return page.evaluate(UNLIKE) < EDGES


@slow
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
        assert is_whole(made)
    shot(made, f"lite_{name}_{width}", full_page=False)
    kept = python(made, "import navalkit as nk\nfrom navalkit.ui.worker import WORKER\n"
                        "max(nk.Match.load(path).ply for path in WORKER.shelf.folder.glob('*.toml'))")
    context.close()
    assert int(kept) >= 6 and not wrong


@slow
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


@slow
def test_a_link_to_a_friend_says_that_it_needs_a_server(page, url):
    open_page(page, f"{url}/play_wolf_pack.html?friend=1")
    page.wait_for_function("(text) => document.querySelector('.nk-status').textContent.includes(text)",
                           arg=ROOM("friend.none")[:30])


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
    files = {name: path for name, path in files.items() if not name.startswith("lessons/")}  # which keep themselves
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
    need = [path for path in (site / "py").iterdir() if path.name.endswith((".so.gz", ".wasm.gz", ".js"))
            or path.name in ("base.snap.gz", f"{PAGE}.snap.gz", "data.pack.gz")]
    need += [site / name for name in ("main.js", "main.css", "worker.js", "boot.js", f"{PAGE}.html", "nbx/anywidget.js",
                                      "nbx/ipycanvas.js")] + [p for p in (site / "static").rglob("*") if p.is_file()]
    size = sum(path.stat().st_size if path.suffix in (".gz", ".woff2") else len(gzip.compress(path.read_bytes(), 6))
               for path in need)
    assert size < 15_000_000, size
