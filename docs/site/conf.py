"""The site: ``make docs`` builds it from the documents as they stand in this folder and the docstrings.

The source folder is the whole project, so that one document may link another as it does anywhere else; what becomes a
page is named in ``include_patterns``. The reference is written here, from what each module offers.
"""

from __future__ import annotations
import importlib
import inspect
import os
import posixpath
import re
import shutil
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from navalkit import __version__
from navalkit.core.registry import names

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_CACHED = type(cache(len))
ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "site" / "reference"
MODULES = (
    "navalkit", "navalkit.core.game", "navalkit.core.match", "navalkit.core.record", "navalkit.core.dist",
    "navalkit.core.trace", "navalkit.core.words", "navalkit.core.errors",
    "navalkit.core.awaited", "navalkit.core.coding",
    "navalkit.prob.deals", "navalkit.prob.intervals", "navalkit.prob.placements",
    "navalkit.players", "navalkit.players.meeting", "navalkit.players.arena", "navalkit.sim", "navalkit.sim.kept",
    "navalkit.sim.cluster", "navalkit.envs", "navalkit.explore", "navalkit.teach",
    "navalkit.testing", "navalkit.testing.strategies", "navalkit.grids.hex", "navalkit.grids.hex_moves",
    "navalkit.grids.square",
)  # fmt: skip
"""What stays importable under these names; all other modules are the inside of the house."""

# -- Sphinx reads these names -----------------------------------------------------------------------------------------

project, author, version = "navalkit", "navalkit", __version__
root_doc = "docs/site/index"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
extensions += ["sphinx_copybutton", "sphinx_design"]
include_patterns = [
    "docs/site/**", "docs/*.md", "RULINGS.md", "CHANGELOG.md", "CONTRIBUTING.md", "navalkit/games/*/RULES*.md",
    "deploy/README.md",
    "notebooks/lessons/index.ipynb", "notebooks/lessons/0*/student.ipynb", "notebooks/lessons/1*/student.ipynb",
]  # fmt: skip
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb", ".rst": "restructuredtext"}
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
nb_execution_mode = "cache" if os.environ.get("NAVALKIT_SITE_CACHE") else "force"
nb_execution_excludepatterns = ["notebooks/lessons/*"]  # `make check` runs them, and readers' exercises stand open
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_ipywidgets_js: dict[str, object] = {}  # they would come from another host; a picture takes the widgets' place
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}
napoleon_use_param = napoleon_use_rtype = False  # types are words here, not names to look up
default_role = "py:obj"
python_use_unqualified_type_names = True
templates_path: list[str] = []
html_theme = "pydata_sphinx_theme"
html_title = "navalkit"
html_show_sphinx = False
html_sourcelink_suffix = ""
html_show_sourcelink = False
html_theme_options = {
    "show_prev_next": False,
    "navigation_with_keys": True,
    "show_nav_level": 1,
    "header_links_before_dropdown": 7,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}
html_static_path = ["site.css"]  # beside this file
html_css_files = ["site.css"]
_ALONE = root_doc, "docs/site/tutorial", "docs/site/pictures", "docs/figures"
html_sidebars: dict[str, list[str]] = {page: [] for page in _ALONE}
copyright = "navalkit"


def modules() -> tuple[str, ...]:
    """`MODULES` and the games' own helpers: each package, its ``odds``, and what other modules it offers."""
    found = list(MODULES)
    for game in (f"navalkit.games.{name.replace('-', '_')}" for name in names()):
        offered = public(importlib.import_module(game)).values()
        found += dict.fromkeys((game, f"{game}.odds", *(each.__name__ for each in offered if inspect.ismodule(each))))
    return tuple(found)


def public(module: ModuleType) -> dict[str, object]:
    """What a module offers: its ``__all__``, which every module of the reference has."""
    found = {name: getattr(module, name) for name in module.__all__ if not name.startswith("__")}
    return {name: each.__wrapped__ if isinstance(each, _CACHED) else each for name, each in found.items()}


def reference() -> dict[str, str]:
    """The pages of the reference by their names, as reStructuredText."""
    offered = {name: public(importlib.import_module(name)) for name in modules()}
    pages = {"index": _heading("Reference") + _HEAD + "".join(f"   {name}\n" for name in offered)}
    for name, found in offered.items():
        things = {each: value for each, value in found.items() if not inspect.ismodule(value)}
        homes = {each: getattr(value, "__module__", name) for each, value in things.items()}
        elsewhere = [each for each, home in homes.items() if home != name and each in offered.get(home, ())]
        made = [each for each in things if each not in elsewhere]
        pages[name] = f"{_heading(name)}.. automodule:: {name}\n   :members: {', '.join(made)}\n"
        if elsewhere:
            pages[name] += f"   :exclude-members: {', '.join(elsewhere)}\n"
            pages[name] += "\nAlso here: " + ", ".join(f":py:obj:`~{homes[each]}.{each}`" for each in elsewhere) + ".\n"
    return pages


def _write() -> None:
    pages = reference()
    REFERENCE.mkdir(exist_ok=True)
    for name, text in pages.items():
        file = REFERENCE / f"{name}.rst"
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    for file in REFERENCE.glob("*.rst"):
        if file.stem not in pages:
            file.unlink()


def _heading(text: str) -> str:
    return f"{text}\n{'=' * len(text)}\n\n"


_HEAD = """What stands here stays importable under these names; between versions whose first two numbers are the same,
arguments keep their meaning. Modules that do not stand here are the inside of the house: their names may move.

.. toctree::
   :maxdepth: 1

"""


def _for_readers(app: Sphinx, name: str, text: list[str]) -> None:
    """The list of lessons without the teachers' door, which opens on a page of one's own alone."""
    if name == "notebooks/lessons/index":
        text[0] = text[0].replace("](teachers.ipynb)", "]").replace("](class.ipynb)", "]")


_BACK = re.compile(r'(<div class="viewcode-block" id="([^"]+)">\n)<a class="viewcode-back" href="([^"#]+)#[^"]+">')


def _listed(app: Sphinx) -> list[object]:
    """The list of sources without what has none, such as Python's own types."""
    sources: dict[str, object] = getattr(app.env, "_viewcode_modules", {})
    for name in [name for name, source in sources.items() if not source]:
        del sources[name]
    return []


def _back(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """From a source back to where the reference tells of it: viewcode takes all that a module holds to be told of under
    one module's name, and here some is told of where it is offered."""
    if not page.startswith("_modules/"):
        return
    places = {(entry.docname, name): entry.node_id for name, entry in app.env.get_domain("py").objects.items()}

    def led(found: re.Match[str]) -> str:
        before, name, url = found.groups()
        doc = posixpath.normpath(posixpath.join(posixpath.dirname(page), url)).removesuffix(".html")
        there = [id for (each, full), id in places.items() if each == doc and full.endswith(f".{name}")]
        return f'{before}<a class="viewcode-back" href="{url}#{min(there, key=len)}">' if there else found[0]

    context["body"] = _BACK.sub(led, context["body"])


def _quiet() -> None:
    """Kernels that run the tutorials warn, each of them, that their sockets are not encrypted; on this machine alone
    nobody listens in."""
    profile = ROOT / "build" / "ipython" / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text("c.IPKernelApp.log_level = 40\n", encoding="utf-8")
    os.environ["IPYTHONDIR"] = str(profile.parent)


def _door(app: Sphinx, error: Exception | None) -> None:
    """The site's own address leads to its first page. What the tutorials' cells wrote on the way goes: it is in the
    pages."""
    shutil.rmtree(Path(app.outdir).parent / "jupyter_execute", ignore_errors=True)
    page = Path(app.outdir) / "index.html"
    leads = f'<meta http-equiv="refresh" content="0; url={root_doc}.html">'
    page.write_text(f"<!doctype html><html lang=en>{leads}<title>{project}</title></html>", encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Sphinx calls this before it reads anything."""
    sys.path.insert(0, str(ROOT))
    _quiet()
    _write()
    app.connect("source-read", _for_readers)
    app.connect("html-collect-pages", _listed, priority=400)  # before viewcode's own
    app.connect("html-page-context", _back)
    app.connect("build-finished", _door)
