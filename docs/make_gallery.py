"""Writes pictures of all pages, games in their middle: ``python docs/make_gallery.py [--all FOLDER]``.

Without an argument the selection in docs/gallery is made anew. With ``--all`` every page goes to a folder, in every
width and theme, to be looked at before and after a change.
"""

from __future__ import annotations
import argparse
import shutil
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.servers import Server, serve  # noqa: E402

PAGES = {
    "lobby": "",
    "lox": "voila/render/play_uss_lox.ipynb?seed=5",
    "patrol": "voila/render/play_on_patrol.ipynb?seed=5",
    "wolf": "voila/render/play_wolf_pack.ipynb?seed=5",
    "task": "voila/render/play_task_force.ipynb?seed=5",
    "fleet": "voila/render/play_fleet_action.ipynb?seed=5",
    "step": "voila/render/step_escorts.ipynb",
    "explore": "voila/render/explore_sinking.ipynb",
}
SIZES = ((1280, 800), (1920, 1080), (768, 1024), (390, 844), (360, 740))
THEMES = ("light", "dark", "contrast")
SELECTION = {
    ("lox", (1280, 800), "light"),
    ("patrol", (1280, 800), "light"),
    ("patrol", (1280, 800), "dark"),
    ("wolf", (1280, 800), "light"),
    ("task", (1280, 800), "light"),
    ("fleet", (1280, 800), "light"),
    ("fleet", (390, 844), "light"),
    ("wolf", (390, 844), "dark"),
}


MOVES = {"lox": 8, "patrol": 6, "wolf": 8, "task": 5, "fleet": 8}
"""Orders that are given before a game's picture is taken."""
SAID = "() => +document.querySelector('.nk-status [data-count]').dataset.count"


def pictures(server: Server, folder: Path, wanted: set[tuple[str, tuple[int, int], str]]) -> None:
    """Write the pictures that are wanted, a page opened once for its themes."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for name, size in sorted({(name, size) for name, size, _ in wanted}):
            page = browser.new_page(viewport=dict(zip(("width", "height"), size, strict=True)), reduced_motion="reduce")
            page.goto(f"{server.url}/{PAGES[name]}", wait_until="commit")
            page.wait_for_selector("main a" if name == "lobby" else ".nk-status [data-count]", timeout=120_000)
            page.wait_for_selector("#nk-loading", state="detached", timeout=120_000)
            for _ in range(MOVES.get(name, 0)):  # into the middle of a game, as the adviser would play it
                said = page.evaluate(SAID)
                page.click(".nk-key-hint")
                page.wait_for_selector(".nk-play-advised .nk-key-do-it", timeout=60_000)
                page.click(".nk-key-do-it")
                page.wait_for_function(f"said => ({SAID})() > said + 1", arg=said, timeout=60_000)
                page.wait_for_selector(".nk-page:not(.nk-play-advised)", timeout=60_000)
            page.wait_for_timeout(4000)  # numbers that are calculated after the board
            for theme in (theme for theme in THEMES if (name, size, theme) in wanted):
                page.select_option("#nk-theme", theme)
                page.wait_for_timeout(1000)
                picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
                small = picture.quantize(256, Image.Quantize.FASTOCTREE)  # a quarter of the bytes
                small.save(folder / f"{name}-{size[0]}-{theme}.png", optimize=True)
            page.close(run_before_unload=True)
        browser.close()


def main() -> None:
    """Serve the notebooks and take the pictures."""
    parser = argparse.ArgumentParser(description="Write pictures of the pages.")
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="every page, width and theme, into this folder")
    parser.add_argument("--only", default="", metavar="PAGE", help=f"one of {', '.join(PAGES)}")
    given = parser.parse_args()
    wanted = {(page, size, theme) for page in PAGES for size in SIZES for theme in THEMES} if given.all else SELECTION
    wanted = {each for each in wanted if given.only in ("", each[0])}
    with TemporaryDirectory() as home, serve(ROOT / "notebooks", Path(home)) as server:
        pictures(server, given.all or ROOT / "docs" / "gallery", wanted)


if __name__ == "__main__":
    main()
