"""What the browser's Python does before it shows a page (lite/worker.js calls it)."""

import gc
import gzip
import importlib
import json
import random
import struct
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

FIRST = Path("/lib/python313.zip")
SMALL = 1 << 18
"""Bytes of each of the sizes that Python itself hands out."""
early: list[str] = []
"""What was imported before the files were there: to be imported for the snapshot."""


class Late(MetaPathFinder):
    """Fetches all files at once where something is imported before they are there: a snapshot holds what a first board
    needs, and the rest comes a moment later. It is asked first of all, for a folder with data alone would be taken for
    a package."""

    def find_spec(self, name, path=None, target=None):
        if not files_wanted() or name in sys.builtin_module_names or name.split(".")[0] in ("js", "pyodide_js"):
            return
        early.append(name)
        from js import XMLHttpRequest

        request = XMLHttpRequest.new()
        request.open("GET", "py/files.pack.gz", False)
        request.responseType = "arraybuffer"
        request.send()
        raw = gzip.decompress(request.response.to_bytes())
        size = struct.unpack("<I", raw[:4])[0]
        for file, at, length in json.loads(raw[4 : 4 + size]):
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_bytes(raw[4 + size + at : 4 + size + at + length])
        files_came()


def files_wanted() -> bool:
    """Whether the files are still to come."""
    return not FIRST.exists()


def files_came() -> None:
    """They are there."""
    sys.meta_path[:] = [each for each in sys.meta_path if not isinstance(each, Late)]
    sys.path_importer_cache.clear()
    importlib.invalidate_caches()


def pillow_came() -> None:
    """Pillow takes the place of what stood for it."""
    for name in [name for name in sys.modules if name.split(".")[0] == "PIL" or name == "navalkit.view.files"]:
        del sys.modules[name]
    importlib.invalidate_caches()


def pillow_missed() -> None:
    """It does not come: what stands for it says so."""
    import PIL.Image

    PIL.Image.said = "lite.no_pillow"


def start() -> None:
    """Import what every page needs."""
    if "/lib/python3.13/site-packages" not in sys.path:
        sys.path.insert(0, "/lib/python3.13/site-packages")
    from navalkit.ui import worker

    worker.install()


def share() -> None:
    """Import what pages share, for a snapshot of it."""
    start()
    import navalkit.ui.play.app  # noqa: F401
    packed()


def make(cells: str) -> str:
    """Make a page, for a snapshot of it; returns what it shows."""
    from navalkit.ui.worker import WORKER

    told = WORKER.make(cells)
    packed()
    return told


def packed() -> None:
    """What lives now lives on; what was used for small things and is free is blank, so that it packs well (what was
    used for large ones: `sweep` in worker.js)."""
    gc.collect()
    gc.freeze()
    blank = [bytes(size) for size in range(1, 512, 16) for _ in range(SMALL // (size + 33))]
    del blank


def woken():
    """A reader is there: after a snapshot, chance and the folders are others."""
    from navalkit.ui.worker import WORKER

    random.seed()
    importlib.invalidate_caches()
    if files_wanted():
        sys.meta_path.insert(0, Late())
    return WORKER
