"""What the pages (`build.py`) and the lessons (`lessons.py`) have in common: the tree of the browser's Python, compiled
once, and the files of a build with what tells them from another's."""

from __future__ import annotations
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterable
from importlib.metadata import distribution
from pathlib import Path

LITE = Path(__file__).resolve().parent
ROOT = LITE.parent
MADE = LITE / ".made"  # what is compiled, kept while nothing of it changes
PYODIDE = LITE / "node_modules" / "pyodide"
PURE = ("anywidget", "bqplot", "bqscales", "comm", "ipycanvas", "ipywidgets", "markupsafe", "psygnal", "segno",
        "tomli-w", "traitlets", "traittypes", "typing-extensions")
WITHOUT = ("/tests/", "/test/", "/testing/", "/__pycache__/", "/labextension/", "/static/", "_cellmagic")
NO_OURS = {"serve", "cli", "testing"}


def stdlib(to: Path, without: set[str]) -> None:
    """The standard library of the browser's Python."""
    unzip(PYODIDE / "python_stdlib.zip", to, lambda name: not without & set(name.split("/")))


def unzip(path: Path | io.BytesIO, to: Path, wanted: Callable[[str], bool] = lambda name: True) -> None:
    """Unpack what is wanted."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if not name.endswith("/") and wanted(name):
                (to / name).parent.mkdir(parents=True, exist_ok=True)
                (to / name).write_bytes(archive.read(name))


def pure(site: Path, packages: Iterable[str], wanted: Callable[[str], bool]) -> None:
    """What is wanted of others' packages, as they are in this environment."""
    for package in packages:
        for file in distribution(package).files or ():
            if not (name := str(file)).startswith("..") and wanted(name):
                (site / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file.locate(), site / name)


def ours(site: Path) -> None:
    """navalkit but for what serves, whose scripts for widgets are there; the pure packages it needs; and the stubs."""
    pure(site, PURE, lambda name: name.endswith((".py", "WorldMap.json", "/METADATA"))
         and not any(part in f"/{name}" for part in WITHOUT))
    for path in sorted((ROOT / "navalkit").rglob("*")):
        parts = path.relative_to(ROOT / "navalkit").parts
        if path.is_file() and "__pycache__" not in parts and (parts[0] not in NO_OURS or "static" in parts):
            (to := site.joinpath("navalkit", *parts)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, to)
    shutil.copytree(LITE / "stubs", site, dirs_exist_ok=True)


def compiled(name: str, collect: Callable[[Path], None], *how: str) -> Path:
    """A tree, compiled by the browser's Python, made anew where something of it has changed: its name, "KIND-KEY", is
    another then."""
    tree = MADE / name
    if not (tree / "sides.json").is_file():
        for old in MADE.glob(f"{name.partition('-')[0]}-*"):
            shutil.rmtree(old)
        collect(tree)
        subprocess.run(["node", str(LITE / "compile.mjs"), str(tree), *how], check=True, cwd=LITE)
    return tree


def files(folder: Path) -> dict[str, Path]:
    """All files below a folder by their names, in order."""
    return {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}


def zipped(folder: Path, how: int) -> bytes:
    """A folder as a zip, the same for the same files. ``how``: `zipfile.ZIP_STORED` or another of its kind."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", how) as archive:
        for name, path in files(folder).items():
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), how)
    return made.getvalue()


def gz(data: bytes) -> bytes:
    """Packed; the same for the same data. Not every server packs what it sends."""
    return gzip.compress(data, 9, mtime=0)


def digest(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def keeper(form: str, found: dict[str, Path], told: Callable[[dict[str, bytes]], object]) -> tuple[str, str]:
    """A service worker of that form, which names a whole build by a hash of its files; and the name. ``told``: what it
    is to know of them, by their hashes."""
    hashes = {name: hashlib.sha256(path.read_bytes()).digest() for name, path in found.items()}
    build = digest(*(name.encode() + value for name, value in hashes.items()))
    text = (LITE / form).read_text().replace("__BUILD__", build)
    return text.replace("__FILES__", json.dumps(told(hashes), indent=0)), build
