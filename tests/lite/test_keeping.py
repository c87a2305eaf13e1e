"""What becomes of a reader's games and of a build: a full storage, another window, a newer build, links to and from a
server, an installation."""

from __future__ import annotations
import json
import os
import shutil
import subprocess
import sys
from base64 import b64decode

import pytest

from navalkit.core.record import GameRecord
from ..browser.conftest import shot
from ..browser.driver import Driver
from ..sentences import UI
from ..servers import ROOT, serve
from .conftest import PAGE, loaded, needs_numpy, offline_ready, open_page, order, python, served, until, watched

pytestmark = pytest.mark.slow
KEPT = """
import json
from navalkit.ui.worker import WORKER
json.dumps([path.read_text() for path in WORKER.shelf.folder.glob("*.toml")])"""

SAID = "document.querySelector('.nk-status').textContent"
STORED = """() => new Promise((done, no) => {
  const opening = indexedDB.open("navalkit", 1);
  opening.onsuccess = () => {
    const all = opening.result.transaction("games").objectStore("games").getAll();
    all.onsuccess = () => { opening.result.close(); done(all.result.map((row) => row.text)); };
  };
  opening.onerror = () => no(opening.error);
})"""


def test_a_full_storage_is_told_and_the_game_is_kept_once_there_is_room(page, url, context):
    page.expected = "Quota|quota"
    open_page(page, f"{url}/{PAGE}.html?seed=7")
    order(page, "flip A1")
    origin = "/".join(url.split("/")[:3])
    line = context.new_cdp_session(page)
    line.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
    page.wait_for_timeout(35_000)  # so long Chromium goes by what it knew of the room there is
    order(page, "attack 1")
    page.wait_for_function(f"(full) => {SAID}.includes(full)", arg=UI("lite.full"))
    shot(page, "lite_full", full_page=False)
    told = page.inner_text(".nk-status").strip()  # so long a text takes both lines: what is to be done is behind it
    assert told == UI("keep.failed", text="", why=UI("lite.full")).strip()
    assert page.text_content(".nk-status .nk-now")
    assert not any("attack 1" in text for text in page.evaluate(STORED))
    line.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    order(page, "escape")
    until(page, f"async () => (await ({STORED})()).some((text) => text.includes('escape'))")
    assert any("attack 1" in text for text in page.evaluate(STORED))  # nothing of it is lost
    assert not page.evaluate(f"(full) => {SAID}.includes(full)", UI("lite.full"))


def test_another_window_of_no_history_knows_nothing_of_this_one(browser, page, url):
    open_page(page, f"{url}/{PAGE}.html?seed=9")
    order(page, "flip A1")
    private = browser.new_context()
    private.set_default_timeout(120_000)
    other = watched(private, url)
    open_page(other, f"{url}/{PAGE}.html?seed=9")
    assert "flip A1" not in python(other, KEPT)
    order(other, "flip A1")
    other.reload(wait_until="commit")
    loaded(other)
    assert "flip A1" in python(other, KEPT) and not other.wrong
    private.close()


@pytest.mark.parametrize("visit", ["first", "second"])
def test_an_update_is_offered_and_taken_whole(browser, site, tmp_path, visit):
    needs_numpy()
    kit = tmp_path / "kit"
    shutil.copytree(site, kit, copy_function=os.link, ignore=shutil.ignore_patterns("lessons"))
    context = browser.new_context()
    context.set_default_timeout(120_000)
    with served(tmp_path) as home:
        page = watched(context, home)
        open_page(page, f"{home}/kit/{PAGE}.html?seed=3")
        offline_ready(page)
        order(page, "flip A1")
        marked = 'data-nk-build="'
        for name, old, new in ((f"{PAGE}.html", marked, f"{marked}new-"), ("main.js", "", "/* new */")):
            text = (kit / name).read_text().replace(old, new, 1)
            (kit / name).unlink()  # it is the other's too
            (kit / name).write_text(text)
        (kit / "sw.js").unlink()
        code = "import sys; from pathlib import Path; import build; build.seal(Path(sys.argv[1]))"
        subprocess.run([sys.executable, "-c", code, str(kit)], check=True, cwd=ROOT / "lite", timeout=120)
        if visit == "second":
            page.reload(wait_until="commit")
            loaded(page)
        else:
            page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).update()")
        page.wait_for_selector("#nk-update:not([hidden])")
        seen = """async () => [document.documentElement.dataset.nkBuild.startsWith("new-"),
            (await (await fetch("main.js")).text()).startsWith("/* new */"), (await caches.keys()).length]"""
        assert page.evaluate(seen) == [False, False, 2]  # offered: all of it is the old build's
        page.click("#nk-update [data-nk-word=update_later]")
        assert page.is_hidden("#nk-update")
        page.reload(wait_until="commit")
        loaded(page)
        page.wait_for_selector("#nk-update:not([hidden])")
        assert page.evaluate(seen) == [False, False, 2]  # put off: it still is
        with page.expect_navigation(wait_until="commit"):
            page.click("#nk-update [data-nk-word=update_take]")
        loaded(page)
        until(page, "async () => (await caches.keys()).length === 1")
        assert page.evaluate(seen) == [True, True, 1]
        assert "flip A1" in python(page, KEPT) and not page.wrong
    context.close()


def test_it_can_be_installed(site):
    told = json.loads((site / "manifest.webmanifest").read_text())
    needs_numpy()  # a browser makes the pictures
    sides = {each["sizes"]: (site / each["src"]).read_bytes() for each in told["icons"] if each["type"] == "image/png"}
    assert set(sides) == {"192x192", "512x512"} and told["display"] == "standalone" and told["start_url"] == "./"
    for side, data in sides.items():
        assert data.startswith(b64decode("iVBORw0KGgo=")) and f"{int.from_bytes(data[16:20])}x" == side[:4]


def test_a_link_from_a_server_opens_the_same_game_here_and_back(browser, context, page, url, tmp_path):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    away = browser.new_context(permissions=["clipboard-read", "clipboard-write"], reduced_motion="reduce")
    with serve(ROOT / "notebooks", tmp_path) as server:
        there = Driver(away.new_page(), server.page(f"{PAGE}.ipynb?seed=42"))
        for text in ("flip B2", "attack 1"):
            there.type(text)
        first = link_of(there)
        here = Driver(page, f"{url}/{PAGE}.html?{first.partition('?')[2]}")
        here.tells("4")  # steps
        second = link_of(here)
        back = Driver(away.new_page(), server.page(f"{PAGE}.ipynb?{second.partition('?')[2]}"))
        third = link_of(back)
        away.close()
    assert first.startswith(server.url) and second.startswith(f"{url}/{PAGE}.html?record=")
    one, two, three = (GameRecord.from_link_text(link.partition("record=")[2]) for link in (first, second, third))
    assert one == two == three and len(one.actions) > 2


def link_of(driver):
    """The link that the page copies."""
    driver.drawer(tab="options")
    with driver.answer():
        driver.page.locator("button.nk-key-copy-link").click()
    return driver.page.evaluate("navigator.clipboard.readText()")
