"""A real Voila and a real Chromium for the tests in this folder.

Every test gets a fresh page, which fails the test on an unexpected error in the console or a request to a
foreign host. Without a Chromium the tests are skipped with a sentence, unless NAVALKIT_REQUIRE_BROWSER=1.
"""

from __future__ import annotations
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ..servers import ROOT, Server, children, serve, wait_for

__all__ = ["ROOT", "Server", "children", "serve", "wait_for"]
SCREENSHOTS = ROOT / ".screenshots"
# What Playwright switches off, since Chromium hears the last list alone, and the two pages that Chromium keeps ready
# for suggestions under its address bar: nobody sees them, and every page of a test would start them anew.
WITHOUT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,"
    "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,WebUIOmniboxPopup,WebUIOmniboxAimPopup"
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--disable-features={WITHOUT}",
]
# Voila bundles JupyterLab 4.2 and says so of newer extensions; a page left early breaks off its requests.
HOME = re.compile(r"(https?|wss?)://127\.0\.0\.1[:/]|data:|blob:|about:")
HARMLESS = re.compile(r"Unsatisfied version|net::ERR_ABORTED")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder as needing a browser."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
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


@pytest.fixture(scope="module")
def browser():
    """One headless Chromium for each file; Playwright leaves no event loop running for the files that follow."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)  # for a machine that is busy
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


def shot(page, name: str, *, full_page: bool = True) -> None:
    """With NAVALKIT_SHOTS=1 save a screenshot as .screenshots/<name>.png, to be looked at."""
    if os.environ.get("NAVALKIT_SHOTS") == "1":
        SCREENSHOTS.mkdir(exist_ok=True)
        page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=full_page)


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


def sheets_printed(page, text: str) -> int:
    """How many sheets of paper the browser prints a page of HTML on."""
    other = page.context.new_page()
    other.set_content(text)
    printed = other.pdf(prefer_css_page_size=True)
    other.close()
    return printed.count(b"/Type /Page\n")
