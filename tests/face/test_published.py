"""What is published: the version in one voice, the README as the package's page shows it, addresses that are whole."""

from __future__ import annotations
import importlib.util
import re
import tomllib
from types import ModuleType

import navalkit as nk
from ..servers import ROOT


def _hook() -> ModuleType:
    """The build hook, without the builder: only its function is wanted."""
    text = (ROOT / "hatch_build.py").read_text(encoding="utf-8")
    spec = importlib.util.spec_from_loader("hatch_build", loader=None)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    exec(text.replace("from hatchling.metadata.plugin.interface import MetadataHookInterface", "").partition(
        "\nclass ")[0], vars(module))
    return module


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SOURCE = PROJECT["urls"]["Source"]


def test_the_version_is_the_same_everywhere() -> None:
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", cited, re.M)[1] == nk.__version__  # type: ignore[index]
    assert re.search(r"^repository-code: (.+)$", cited, re.M)[1] == SOURCE  # type: ignore[index]
    assert f"## {nk.__version__} (" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_readme_has_no_link_that_is_relative_on_the_packages_page() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = _hook().whole(text, SOURCE)
    links = re.findall(r"\]\(([^)\s]+)\)", shown)
    assert len(links) > 8 and all(link.startswith("https://") for link in links)
    relative = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if ":" not in link]
    assert relative and all((ROOT / link.partition("#")[0]).exists() for link in relative)
    assert f"![a picture]({SOURCE}/raw/HEAD/x.png)" == _hook().whole("![a picture](x.png)", SOURCE)
    assert _hook().whole("[a](#b) [c](https://d)", SOURCE) == "[a](#b) [c](https://d)"


def test_what_a_release_takes_is_written_down_and_its_commands_are_there() -> None:
    told = (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    asked = set(re.findall(r"`make ([a-z-]+)", told))
    assert asked and asked <= targets


def test_the_projects_addresses_are_those_the_readme_gives() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\[([^]]+)\]\((https://[^)\s]+)\)", text)
    given = {name.replace("*", "").lower(): url for name, url in links}
    for name, told in (("Play now", "play now"), ("Binder", "on binder"), ("Documentation", "the site")):
        assert PROJECT["urls"][name] == given[told], name
