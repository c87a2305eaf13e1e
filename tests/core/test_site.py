"""The site (`make docs`): what its pages are made of is there; built, it asks nothing of another host."""

from __future__ import annotations
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from ..servers import ROOT

SITE = ROOT / "dist" / "site"
SOURCES = sorted((ROOT / "docs" / "site").glob("*.md"))
LOADED = re.compile(r"<(?:script|link|img|iframe|source)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"")
CANONICAL = re.compile(r"<link[^>]*rel=\"(?:canonical|author)\"[^>]*>")


@pytest.fixture(scope="module")
def pages() -> list[Path]:
    if not SITE.exists():
        pytest.skip("The site is not built: `make docs`.")
    return sorted(SITE.rglob("*.html"))


def _listed() -> Iterator[tuple[Path, str]]:
    """Every entry of a table of contents, with the page it stands in."""
    for source in SOURCES:
        for block in re.findall(r"```\{toctree\}\n(.*?)```", source.read_text(encoding="utf-8"), flags=re.S):
            for line in filter(None, (line.strip() for line in block.splitlines())):
                if not line.startswith(":"):
                    yield source, line.rpartition("<")[2].rstrip(">")


@pytest.mark.parametrize(("source", "entry"), [*_listed()], ids=lambda each: getattr(each, "name", each))
def test_every_page_that_is_listed_has_its_source(source: Path, entry: str) -> None:
    if not entry.startswith("reference/"):  # written when the site is built
        found = [file for end in (".md", ".ipynb") for file in source.parent.glob(f"{entry}{end}")]
        assert found, entry


def test_no_page_asks_anything_of_another_host(pages: list[Path]) -> None:
    foreign = {(page.name, url) for page in pages
               for url in LOADED.findall(CANONICAL.sub("", page.read_text(encoding="utf-8"))) if urlsplit(url).netloc}
    assert len(pages) > 100 and not foreign


def test_every_inner_link_leads_to_a_page_and_a_place_that_are_there(pages: list[Path]) -> None:
    text = {page: page.read_text(encoding="utf-8") for page in pages}
    places = {page: set(re.findall(r"\bid=\"([^\"]+)\"", told)) for page, told in text.items()}
    broken = []
    for page, told in text.items():
        for link in re.findall(r"<a\b[^>]*?\bhref=\"([^\"]+)\"", told):
            parts = urlsplit(link.replace("&amp;", "&"))
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            if not target.exists() or (parts.fragment and target in places
                                       and unquote(parts.fragment) not in places[target] | {"", "main-content"}):
                broken.append((page.relative_to(SITE).as_posix(), link))
    assert not broken


def test_the_build_leaves_the_site_alone_behind(pages: list[Path]) -> None:
    assert len(pages) > 100 and not (SITE.parent / "jupyter_execute").exists()


def test_the_tutorial_was_run_to_its_end(pages: list[Path]) -> None:
    told = (SITE / "docs" / "site" / "tutorial.html").read_text(encoding="utf-8")
    assert told.count("cell_output") >= 7 and "Traceback" not in told
