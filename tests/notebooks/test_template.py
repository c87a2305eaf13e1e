"""The page's template: its colours agree with the boards', and nothing in it comes from elsewhere."""

from __future__ import annotations
import json
import re
from pathlib import Path

import pytest
from nbformat.v4 import new_notebook
from traitlets.config import Config
from voila.execute import VoilaExecutor

from navalkit.view.theme import THEMES
from ..contrast import contrast_ratio

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "voila_templates" / "navalkit"
SHARED = {  # variable of the stylesheet -> token of navalkit.view.theme
    "ink": "ink", "ink-soft": "muted", "good": "good", "bad": "bad", "evidence": "accent",
    "sea-deep": "sea_deep", "sea-shallow": "sea_shallow", "grid": "grid", "land": "land",
}
SURFACES = ("bg", "card", "raised")
TEXTS = ("ink", "ink-soft", "accent", "good", "bad", "warn")


def palette(theme: str) -> dict[str, str]:
    css = (TEMPLATE / "static" / "tokens.css").read_text()
    block = re.search(rf'html\[data-nk-theme="{theme}"\] \{{(.*?)\}}', css, re.DOTALL)
    assert block
    return dict(re.findall(r"--nk-([a-z-]+): (#[0-9a-f]{6});", block[1]))


@pytest.mark.parametrize("theme", THEMES)
def test_the_stylesheet_and_the_boards_share_their_colours(theme):
    colours = palette(theme)
    for variable, token in SHARED.items():
        assert colours[variable] == THEMES[theme].colours[token].lower(), variable


@pytest.mark.parametrize("theme", THEMES)
def test_text_has_contrast_of_at_least_4_5_on_every_surface(theme):
    colours = palette(theme)
    for text in TEXTS:
        for surface in SURFACES:
            assert contrast_ratio(colours[text], colours[surface]) >= 4.5, (text, surface)
    assert contrast_ratio(colours["accent-ink"], colours["accent"]) >= 4.5
    for edged in SURFACES[:2]:
        assert contrast_ratio(colours["edge"], colours[edged]) >= 3


def test_no_file_of_the_template_names_a_foreign_host():
    for path in TEMPLATE.rglob("*"):
        if path.is_file() and path.suffix != ".woff2" and not path.name.endswith("-OFL.txt"):
            addresses = re.findall(r"(?:https?:)?//[a-z][\w.-]+\.[a-z]{2,}", path.read_text())
            assert set(addresses) <= {"http://www.w3.org"}, path  # the name of SVG's namespace


def test_the_development_link_leads_to_the_template():
    assert (ROOT / "voila_templates" / "voila" / "templates" / "navalkit").resolve() == TEMPLATE.resolve()


def test_voila_is_told_to_keep_tracebacks_to_itself_and_to_cull_lost_kernels():
    settings = json.loads((ROOT / "voila.json").read_text())
    assert settings["VoilaConfiguration"]["template"] == "navalkit"
    assert settings["VoilaConfiguration"]["show_tracebacks"] is False
    assert settings["MappingKernelManager"]["cull_idle_timeout"] > 0
    assert settings["MappingKernelManager"]["cull_connected"] is False


def test_a_busy_machine_gets_its_time_to_send_what_a_page_shows():
    """After four seconds, which is nbclient's own limit, a page would be left without its board for good."""
    settings = Config(json.loads((ROOT / "voila.json").read_text()))
    assert VoilaExecutor(new_notebook(), config=settings).iopub_timeout >= 60
