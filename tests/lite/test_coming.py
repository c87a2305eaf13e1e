"""What a reader sees until the first board is there, and what is kept meanwhile for later."""

from __future__ import annotations
import functools
import http.server
import os
import re
import threading
import time
import zipfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from navalkit.core.words import Voice, speaking
from navalkit.ui import SAY
from ..browser.conftest import shot
from ..browser.driver import Driver
from ..servers import ROOT
from .conftest import PAGE, loaded, needs_numpy, python, until, watched

PHONE = {"width": 390, "height": 844}
RATE = 2_000_000
"""Bytes a second of each answer of a slow server."""
NOTE = """() => {
  window.nkSeen = [];
  const look = () => {
    // what stands after it is there too: the parser may stop before the picture
    const bar = document.querySelector("#nk-cells") && document.querySelector("#nk-progress");
    const text = document.querySelector("#nk-stage")?.textContent;
    const now = bar && [Math.round(bar.value), text, document.querySelector("#nk-stage").getBoundingClientRect().x,
                        document.querySelector("#nk-loading img")?.getAttribute("src") ?? ""];
    if (now && `${now}` !== `${window.nkSeen.at(-1)}`) window.nkSeen.push(now);
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true,
    attributes: true, attributeFilter: ["value"] });
}"""
KEPT = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("navalkit-"));
  return names.length ? (await (await caches.open(names[0])).keys()).map((each) => new URL(each.url).pathname) : [];
}"""


@contextmanager
def slow(folder: Path, rate: int = RATE, wait: float = 0):
    """A folder served slowly; gives its address, and what was asked for."""
    asked: list[str] = []

    class Slow(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

        def copyfile(self, source, outputfile) -> None:
            asked.append(self.path)
            time.sleep(wait)
            while piece := source.read(1 << 16):
                outputfile.write(piece)
                time.sleep(len(piece) / rate)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Slow, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def phone(browser, home, **how):
    """A page as a phone opens it, that must not fail."""
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce", **how)
    context.set_default_timeout(120_000)
    page = watched(context, home)
    yield page
    context.close()
    assert not page.wrong


def told(key: str, lang: str = "en") -> str:
    """A sentence, up to its first fact."""
    with speaking(Voice(lang)):
        return SAY(f"lite.{key}", got="", whole="")


@pytest.fixture
def built(monkeypatch):
    """The build, to be asked for its parts."""
    monkeypatch.syspath_prepend(ROOT / "lite")
    import build

    return build


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_bar_shows_what_is_fetched_and_its_words_are_true(browser, site, lang):
    needs_numpy()
    with slow(site) as (home, _), phone(browser, home) as page:
        page.add_init_script(f"({NOTE})()")
        page.goto(f"{home}/{PAGE}.html?lang={lang}" if lang != "en" else f"{home}/{PAGE}.html", wait_until="commit")
        page.wait_for_function("() => document.querySelector('#nk-progress')?.value > 30")
        shot(page, f"lite_coming_{lang}", full_page=False)
        loaded(page)
        seen = page.evaluate("nkSeen")
    fetching, starting, drawing = (told(key, lang) for key in ("fetching", "stage", "drawing"))
    values = [value for value, text, *_ in seen if text == fetching]
    assert len(set(values)) >= 5 and values == sorted(values) and max(values) <= 85
    words = [text for n, (_, text, *_) in enumerate(seen) if not n or text != seen[n - 1][1]]
    first, rest = words[: words.index(fetching)], words[words.index(fetching) :]
    # What is written in the page, until it knows its language; a page read late is fetching by then.
    assert first in ([], [starting], [told("stage")], [told("stage"), starting])
    assert rest in ([fetching, starting], [fetching, starting, drawing])
    assert min(x for *_, x, _ in seen) >= 8  # at the screen's edge nothing can be read


def test_a_first_game_shows_its_own_board_while_it_comes(browser, site):
    needs_numpy()
    with slow(site) as (home, _), phone(browser, home) as page:
        page.add_init_script(f"({NOTE})()")
        page.goto(f"{home}/{PAGE}.html?first=1", wait_until="commit")
        loaded(page)
        pictures = {picture for *_, picture in page.evaluate("nkSeen")}
    assert f"first/first{PAGE}.svg" in pictures and "" not in pictures
    boards = {path.stem: path.read_text("utf-8") for path in (site / "first").iterdir()}
    assert any(boards[f"first{name}"] != board for name, board in boards.items() if not name.startswith("first"))


def test_a_network_that_breaks_off_in_the_first_fetch_is_told_on_the_page_itself(page, url):
    page.expected = "net::|Failed to fetch|fetch"
    opened = [1]
    page.route("**/base.snap.gz", lambda route: route.abort())
    page.route(f"**/{PAGE}.html", lambda route: route.continue_() if opened and opened.pop() else route.abort())
    page.goto(f"{url}/{PAGE}.html", wait_until="commit")
    page.wait_for_selector("#nk-lost:not([hidden]) button:visible")
    shot(page, "lite_broken", full_page=False)
    assert page.url == f"{url}/{PAGE}.html"
    assert page.inner_text("#nk-lost").startswith(told("broken"))
    page.unroute("**/base.snap.gz")
    page.unroute(f"**/{PAGE}.html")
    page.click("#nk-lost button")
    loaded(page)
    assert page.evaluate("navalkitLite.how") == "warm"


def test_a_script_that_does_not_come_is_told_too(page, url):
    page.expected = "net::"
    page.route("**/main.js", lambda route: route.abort())
    page.goto(f"{url}/{PAGE}.html", wait_until="commit")
    page.wait_for_selector("#nk-lost:not([hidden]) button:visible")
    assert page.inner_text("#nk-lost").startswith(told("broken"))


def test_a_picture_is_taken_as_png(page, url):
    driver = Driver(page, f"{url}/{PAGE}.html?seed=1")
    came = "import PIL.Image as p; str('open' in dir(p))"
    until(page, "async (code) => (await navalkitLite.python(code)) === 'True'", came)
    assert python(page, "import navalkit as nk\nfrom navalkit.view.files import png\n"
                        "from navalkit.ui.play.controller import Controller\ncontrol = Controller('uss-lox')\n"
                        "control.new(1)\nstr(png(control.scene())[:8])") == str(b"\x89PNG\r\n\x1a\n")
    driver.drawer(tab="options")
    with page.expect_download() as found:
        page.click("button.nk-key-png")
    assert Path(found.value.path()).read_bytes().startswith(b"\x89PNG")


def test_a_page_that_loads_is_not_held_up_by_what_is_kept_for_later(browser, site):
    needs_numpy()
    with slow(site) as (home, asked), phone(browser, home) as page:
        page.goto(f"{home}/index.html", wait_until="load")
        until(page, f"async () => (await ({KEPT})()).length > 2")
        page.goto(f"{home}/{PAGE}.html", wait_until="commit")
        page.wait_for_function("() => document.querySelector('#nk-progress')?.value > 10")  # its word to wait was heard
        before = page.evaluate(KEPT)
        loaded(page)
        after = page.evaluate(KEPT)
        assert len(after) <= len(before) + 2, after[len(before):]
        page.wait_for_function("() => !!navigator.serviceWorker.controller")  # it goes on, and ends


# -- What needs no packages -----------------------------------------------------------------------

LOADING = """<!doctype html><meta charset="utf-8"><script src="go.js"></script>"""
GO = """navigator.serviceWorker.register("sw.js").then((found) => found.installing.postMessage("wait"));"""


def test_what_is_kept_waits_for_a_page_and_a_page_that_is_not_kept_says_so(browser, built, tmp_path):
    (tmp_path / "index.html").write_text(LOADING)
    (tmp_path / "go.js").write_text(GO)
    (tmp_path / "away.html").write_text("<!doctype html><title>away</title>")
    for n in range(6):
        (tmp_path / f"{n}.txt").write_text(str(n))
    built.seal(tmp_path)
    context = browser.new_context()
    with slow(tmp_path, wait=0.3) as (home, asked):
        page = context.new_page()
        page.goto(f"{home}/index.html")
        page.wait_for_function("async () => !!(await navigator.serviceWorker.getRegistration())?.installing")
        page.wait_for_timeout(2000)
        waiting = page.evaluate(KEPT)
        page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).installing.postMessage('go on')")
        page.wait_for_function("() => !!navigator.serviceWorker.controller")
        assert len(waiting) <= 2 < len(page.evaluate(KEPT))
    page.goto(f"{home}/lessons/notebooks/index.html?path=one")  # the server has ended
    assert page.url == f"{home}/away.html" and page.title() == "away"
    context.close()


def test_what_all_pages_share_is_kept_first_and_then_the_game_that_the_lobby_offers(built):
    names = ["py/edit.snap.gz", "py/files.pack.gz", "py/play_uss_lox.snap.gz", f"{built.FIRST}.html", "index.html",
             f"first/first{built.FIRST}.svg", "py/base.snap.gz", f"py/{built.FIRST}.snap.gz", "nbx/bqplot.js"]
    found = [name for name in sorted(names, key=built.late)]
    assert set(found[:2]) == {"index.html", "py/base.snap.gz"} and all(built.FIRST in name for name in found[2:5])
    assert set(found[-2:]) == {"py/files.pack.gz", "nbx/bqplot.js"}
    from navalkit.view import lobby

    offered = re.search('data-game="([^"]+)', str(lobby.page(ROOT / "notebooks", alone=True)))
    assert offered and built.FIRST == f"play_{offered[1].replace('-', '_')}"


def test_a_reader_who_saves_data_is_given_no_whole_build(browser, site):
    with slow(site, rate=50_000_000) as (home, asked), phone(browser, home) as page:
        page.add_init_script("Object.defineProperty(navigator.connection, 'saveData', { get: () => true })")
        page.goto(f"{home}/index.html", wait_until="load")
        page.wait_for_timeout(1000)
        assert not page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length")
        assert not any(path.startswith("/py/") for path in asked)


@pytest.mark.parametrize("module", ["PIL/Image.pyc", "PIL/Image.py", ""])
def test_pillow_is_packed_with_its_modules_however_they_come(built, tmp_path, monkeypatch, module):
    given = tmp_path / "pillow.whl"
    with zipfile.ZipFile(given, "w") as archive:
        for name in ("PIL/_imaging.so", "PIL/_webp.so", "PIL/py.typed", *([module] if module else [])):
            archive.writestr(name, name)
    monkeypatch.setattr(built, "wheel", lambda name: given)
    if not module:
        with pytest.raises(SystemExit):
            built.pillow(tmp_path)
        return
    built.pillow(tmp_path)
    import gzip

    packed = gzip.decompress((tmp_path / "pillow.pack.gz").read_bytes())
    assert module.encode() in packed and b"_imaging" in packed and b"_webp" not in packed and b"typed" not in packed


def test_what_is_large_is_packed_for_servers_that_pack_nothing(site):
    bare = [str(path.relative_to(site)) for path in (site / "py").iterdir() if path.suffix in (".so", ".wasm")]
    assert not bare and (site / "py" / "pyodide.asm.wasm.gz").is_file()


HELD = """<!doctype html><html data-nk-build="{build}"><meta charset="utf-8"><script src="../held.js"></script>
<script defer src="offline.js"></script><p id="nk-update" hidden><button>take</button></p>"""


def test_a_page_on_its_way_while_another_takes_an_update_is_of_one_build(browser, built, tmp_path):
    kit, free = tmp_path / "kit", threading.Event()
    kit.mkdir()
    (kit / "offline.js").write_text((ROOT / "lite" / "offline.js").read_text())
    (tmp_path / "held.js").write_text("")
    free.set()

    def build(name, later=0):
        (kit / "sw.js").unlink(missing_ok=True)
        (kit / "index.html").write_text(HELD.format(build=name))
        built.seal(kit)
        for each in kit.iterdir():  # the server counts in seconds
            os.utime(each, (time.time() + later,) * 2)

    class Holding(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

        def end_headers(self) -> None:
            if self.path == "/held.js":
                free.wait(60)
                self.send_header("Cache-Control", "no-store")
            super().end_headers()

    build("one")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Holding, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = browser.new_context()
    try:
        address = f"http://127.0.0.1:{server.server_port}/kit/index.html"
        first, second = context.new_page(), context.new_page()
        first.goto(address)
        first.wait_for_function("() => !!navigator.serviceWorker.controller")
        build("two", 10)
        first.evaluate("async () => (await navigator.serviceWorker.getRegistration()).update()")
        first.wait_for_selector("#nk-update:not([hidden])")
        free.clear()
        second.goto(address, wait_until="commit")
        first.click("button", no_wait_after=True)
        until(second, "async () => (await (await fetch('index.html')).text()).includes('two')")
        assert second.evaluate("document.documentElement.dataset.nkBuild") == "one"
        free.set()
        for page in (first, second):
            page.wait_for_function("() => document.documentElement.dataset.nkBuild === 'two'")
    finally:
        free.set()
        server.shutdown()
        server.server_close()
        context.close()
