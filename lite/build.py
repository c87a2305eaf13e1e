"""Build the pages without a server: `make lite` writes them to dist/lite, for any static server and any path.

Python for the browser is Pyodide's, from npm by its pin. numpy and Pillow for it are in no registry: they are taken
from $NAVALKIT_PYODIDE, a folder, or from Pyodide's public CDN, and checked against the hashes in Pyodide's own lock.
Others' pure packages are those of this environment, which has its own lock. A page asks no other host for anything.
"""

from __future__ import annotations
import argparse
import base64
import functools
import gzip
import hashlib
import http.server
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import threading
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import lessons
import tree
from tree import LITE, MADE, PYODIDE, ROOT

LOCK = json.loads((PYODIDE / "pyodide-lock.json").read_text()) if PYODIDE.is_dir() else {"info": {}, "packages": {}}
VERSION = json.loads((LITE / "package.json").read_text())["dependencies"]["pyodide"]
CDN = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
EARLIER = {  # as an earlier edition of the same Pyodide series published them
    "numpy": {"numpy-2.2.5-cp313-cp313-pyodide_2025_0_wasm32.whl":
              "be1aee57f9855e51543bc342aa7a4eb881552887d7ddd6df58fce1f43360f8de"},
    "pillow": {"pillow-11.3.0-cp313-cp313-pyodide_2025_0_wasm32.whl":
               "82dd784b55582729f7631b84dcaf2eded2fe78d216d33dd1680e59633cabee84"},
}
SITE = "/lib/python3.13/site-packages"
NO_STDLIB = {"curses", "dbm", "distutils", "doctest.py", "ensurepip", "idlelib", "lib2to3", "micropip", "pydoc.py",
             "pydoc_data", "sqlite3", "test", "tkinter", "turtle.py", "turtledemo", "unittest", "venv", "wsgiref",
             "xmlrpc"}
NO_NUMPY = re.compile(r"/tests/|\.(pyi|pxd|h|a|c|txt|ini|typed|lib)$|^numpy/(f2py|distutils|_core/include|testing|"
                      r"_core/lib|_pyinstaller)|_tests\.cpython|\.dist-info/(?!METADATA)")
LANGUAGES = ("en", "de")
FIRST = "play_wolf_pack"
"""The page whose game the lobby offers first."""
LATER = ("files.pack.gz", "pillow.pack.gz", "bqplot.js", "bqscales.js")
"""What no first board asks for."""


# -- What is collected ----------------------------------------------------------------------------

def pages() -> list[Path]:
    """The notebooks that become pages."""
    return sorted((ROOT / "notebooks").glob("*.ipynb"))


def wheel(name: str) -> Path | None:
    """A package compiled for Pyodide, checked against its hash; None where it can be had from nowhere."""
    given, entry = os.environ.get("NAVALKIT_PYODIDE", ""), LOCK["packages"][name]
    known = {entry["file_name"]: entry["sha256"]} | EARLIER[name]
    folder = Path(given) if given else MADE / "wheels"
    path = next((folder / file for file in known if (folder / file).is_file()), folder / entry["file_name"])
    if not path.is_file() and given:
        raise SystemExit(f"{given} has no {entry['file_name']}.")
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with urllib.request.urlopen(CDN + path.name, timeout=60) as got:
                path.write_bytes(got.read())
        except OSError as error:
            print(f"{path.name} could not be had from {CDN} ({error}): name a folder by NAVALKIT_PYODIDE.")
            return None
    if hashlib.sha256(path.read_bytes()).hexdigest() != known[path.name]:
        if not given:
            path.unlink()
        raise SystemExit(f"{path.name} is not the file that was pinned: its SHA-256 differs.")
    return path


def collect(to: Path, numpy: Path | None) -> None:
    """The tree of the browser's Python: `std`, which becomes a zip, and `site`."""
    tree.stdlib(to / "std", NO_STDLIB)
    tree.ours(to / "site")
    if numpy:
        tree.unzip(numpy, to / "site", lambda name: not NO_NUMPY.search(name))


def source_key(numpy: Path | None) -> str:
    """Of all that is compiled."""
    found = [*tree.files(ROOT / "navalkit").values(), *tree.files(LITE / "stubs").values(), *sorted(LITE.glob("*.py")),
             LITE / "compile.mjs", LITE / "package-lock.json", ROOT / "binder" / "requirements.txt"]
    kept = (path for path in found if "__pycache__" not in path.parts)
    names = (str(path.relative_to(ROOT)).encode() + path.read_bytes() for path in kept)
    return tree.digest(str(numpy).encode(), *names)


# -- What is packed -------------------------------------------------------------------------------

def pack(files: Iterator[tuple[str, bytes]] | list[tuple[str, bytes]]) -> bytes:
    """Files as one: a table in JSON with its length before it, and what is in them."""
    table, parts, at = [], [], 0
    for name, data in files:
        table.append([name, at, len(data)])
        parts.append(data)
        at += len(data)
    head = json.dumps(table, separators=(",", ":")).encode()
    return struct.pack("<I", len(head)) + head + b"".join(parts)


def packed(to: Path, made: Path) -> None:
    """Python and its files, as the worker fetches them: `data` (what is read, not imported), `files` (all of it)."""
    to.mkdir(parents=True)
    files = [("/lib/python313.zip", tree.zipped(made / "std", zipfile.ZIP_STORED))]
    sides = json.loads((made / "sides.json").read_text())
    files += [(f"{SITE}/{name}", path.read_bytes()) for name, path in tree.files(made / "site").items()
              if path.suffix != ".so"]
    for name in sides:
        (to / f"{Path(name).name}.gz").write_bytes(tree.gz((made / "site" / name).read_bytes()))
    data = [(name, read) for name, read in files if not name.endswith((".pyc", ".zip"))]
    for name, kept in (("files", files), ("data", data)):
        (to / f"{name}.pack.gz").write_bytes(tree.gz(pack(kept)))
    (to / "sides.json").write_text(json.dumps([f"{SITE}/{name}" for name in sides]))
    for name in ("pyodide.js", "pyodide.asm.js"):
        shutil.copy(PYODIDE / name, to / name)
    core = "pyodide.asm.wasm"
    (to / f"{core}.gz").write_bytes(tree.gz((PYODIDE / core).read_bytes()))


def pillow(to: Path) -> None:
    """Pillow, which only a picture to take home asks for."""
    if (path := wheel("pillow")) is None:
        return
    with zipfile.ZipFile(path) as archive:
        kept = [name for name in archive.namelist() if re.match(r"PIL/(.*\.pyc?$|_imaging.*\.so$)", name)]
        files = [(f"{SITE}/{name}", archive.read(name)) for name in kept]
    if not any(name.startswith("PIL/Image.py") for name in kept):
        raise SystemExit(f"{path.name} has no PIL.Image that Python could import.")
    (to / "pillow.pack.gz").write_bytes(tree.gz(pack(files)))


# -- What is made of the notebooks ----------------------------------------------------------------

TOLD = ("loading", "fetching", "fetched", "stage", "detail", "progress", "script", "drawing", "nearly", "busy", "game",
        "where", "broken", "away")
"""What is said of a page before Python is there."""
POLICY = "; ".join((
    "default-src 'none'", "script-src 'self' blob:", "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:",
    "font-src 'self' data:", "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'",
    "form-action 'none'",
))  # as the server's: widgets bring their modules as blobs, and ipywidgets its looks in attributes
_CELL = ('<div class="jp-Cell jp-CodeCell jp-Notebook-cell" data-nk-kind="code"><div class="jp-Cell-outputWrapper">'
         '<div class="jp-OutputArea jp-Cell-outputArea"><div class="jp-OutputArea-child"><div class="jp-RenderedWidget '
         'jp-OutputArea-output">Loading widget...</div></div></div></div></div>')
_TEXT = ('<div class="jp-Cell jp-MarkdownCell jp-Notebook-cell"><div class="jp-RenderedHTMLCommon jp-RenderedMarkdown '
         'jp-MarkdownOutput">{}</div></div>')


def read_notebook(path: Path) -> tuple[str, str, list[str]]:
    """Title, cells as HTML, and the code of those that have some."""
    import mistune

    notebook = json.loads(path.read_text(encoding="utf-8"))
    shown, code = [], []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            code.append(source)
            shown.append(_CELL)
        else:
            shown.append(_TEXT.format(mistune.html(re.sub(r"(\w+)\.ipynb", r"\1.html", source))))
    return notebook["metadata"].get("title", path.stem), "".join(shown), code


def first_board(game: str, query: str) -> str:
    """A game's first board as an SVG, shown while Python comes; that of an address's query."""
    from navalkit.ui.play.controller import Controller
    from navalkit.view.painters import svg

    control = Controller(game)
    control.open_query(query)
    return str(svg(control.scene()))


def write_pages(to: Path, build: str, sizes: dict[str, int], shown: dict[str, str], taught: str) -> None:
    """All pages, by the template's own macros. ``shown``: what they show, where it is known. ``taught``: the lessons'
    page, "" where there is none."""
    import jinja2

    from navalkit.core import registry
    from navalkit.core.words import ENGLISH, Voice, speaking
    from navalkit.ui import SAY
    from navalkit.view import lobby

    registry.pages_end(".html")
    loader = jinja2.FileSystemLoader([str(LITE), str(ROOT / "voila_templates" / "navalkit")])
    form = jinja2.Environment(loader=loader).get_template("page.html.j2")
    said = {}
    for lang in LANGUAGES:
        with speaking(Voice(lang)):
            said[lang] = {key: SAY(f"lite.{key}", got="{got}", whole="{whole}") for key in TOLD}
    same = {"policy": POLICY, "url": lambda name: name, "build": build, "said": said, "lang": ENGLISH}
    games = {f"play_{name.replace('-', '_')}": name for name in registry.names()}
    (to / "first").mkdir()
    for path in pages():
        if path.stem == "lobby":
            continue
        title, cells, code = read_notebook(path)
        first = f"first/{path.stem}.svg" if path.stem in games else ""
        for query in ("", "first=1") if first else ():
            board = first_board(games[path.stem], query)
            (to / f"first/{query[:5]}{path.stem}.svg").write_text(board, encoding="utf-8")
        told, early = (text.replace("</", "<\\/") for text in (json.dumps(code), shown.get(path.stem, "")))
        facts = {"bytes": sizes.get(path.stem, 1), "page": path.stem,
                 "title": title, "cells": cells, "code": told, "early": early, "first": first}
        (to / f"{path.stem}.html").write_text(form.render(**facts, **same), encoding="utf-8")
    for lang in LANGUAGES:
        with speaking(Voice(lang)):
            shown = str(lobby.page(ROOT / "notebooks", alone=True, lessons=taught))
        if lang != ENGLISH:
            shown = re.sub(r'(href="[a-z_]+\.html)\??', rf"\1?lang={lang}&amp;", shown)
        page = form.render(title="navalkit", cells=shown, **(same | {"lang": lang}))
        for name in ("index", "lobby") if lang == ENGLISH else (f"index.{lang}",):
            (to / f"{name}.html").write_text(page, encoding="utf-8")
    away = "".join(f'<p lang="{lang}">{said[lang]["away"]}</p>' for lang in LANGUAGES)
    (to / "away.html").write_text(form.render(title="navalkit", cells=_TEXT.format(away), **same), encoding="utf-8")


def write_scripts(to: Path) -> None:
    """Scripts, style sheets, and what Python's packages bring for the browser."""
    share = Path(sys.prefix) / "share" / "jupyter"
    shutil.copytree(ROOT / "voila_templates" / "navalkit" / "static", to / "static", dirs_exist_ok=True)
    (to / "static" / "connection.js").unlink()  # the line to a kernel
    (to / "nbx").mkdir()
    for name in ("anywidget", "bqplot", "bqscales", "ipycanvas"):
        shutil.copy(share / "nbextensions" / name / "index.js", to / "nbx" / f"{name}.js")
    for name in ("index.css", "theme-light.css"):
        shutil.copy(share / "nbconvert" / "templates" / "lab" / "static" / name, to / "static" / name)
    for name in ("boot.js", "worker.js", "offline.js"):
        shutil.copy(LITE / name, to / name)
    subprocess.run([LITE / "node_modules" / ".bin" / "esbuild", "main.js", "--bundle", "--minify", "--format=iife",
                    f"--outfile={to / 'main.js'}", "--loader:.svg=dataurl", "--loader:.png=dataurl",
                    "--define:process.env={}", "--define:global=window", "--log-level=error"], cwd=LITE, check=True)


# -- Snapshots, made in the browser that is to take them up ----------------------------------------

PATIENCE = 300
"""Seconds that a page may take to be made."""
_MAKE = """([name, cells, patience]) => new Promise((done) => {
  setTimeout(() => done({ failed: "it took too long" }), patience * 1000);
  const worker = new Worker("worker.js", { name: `make ${name}` });
  worker.onerror = (event) => done({ failed: event.message });
  worker.onmessage = async ({ data }) => {
    if (data.failed) done({ failed: data.failed });
    if (!data.made) return;
    const send = async (name, memory) => { // packed, as Playwright hears all that is sent
      const packed = new Blob([memory]).stream().pipeThrough(new CompressionStream("gzip"));
      return fetch(`made/${name}`, { method: "PUT", body: await new Response(packed).arrayBuffer() });
    };
    if (data.fresh) await send("fresh", data.fresh);
    const answer = await send(name || "base", data.made);
    done({ told: data.told, ok: answer.ok });
    worker.terminate();
  };
  worker.postMessage({ make: cells });
})"""


PIECE = 1024
"""Bytes of memory that are told where one of them differs."""


def memory_of(raw: bytes) -> tuple[bytes, bytes]:
    """A snapshot's head and the memory in it; Pyodide's form."""
    head = struct.unpack("<2I", raw[:8])[1]
    return raw[:head], raw[head:]


def difference(raw: bytes, before: bytes) -> bytes:
    """A snapshot by a memory that is there before: the length of its head, the size of its memory, how many pieces
    differ; the head; which pieces; and each by its exclusive or, which packs well."""
    import numpy as np

    head, memory = memory_of(raw)
    size = -(-len(memory) // PIECE) * PIECE
    assert size == len(memory) and len(head) % 4 == 0
    now = np.frombuffer(memory, np.uint8)
    then = np.zeros(size, np.uint8)
    then[: len(before)] = np.frombuffer(before, np.uint8)[:size]
    pieces = (now ^ then).reshape(-1, PIECE)
    differs = np.flatnonzero(pieces.any(axis=1)).astype(np.uint32)
    return struct.pack("<3I", len(head), size, len(differs)) + head + differs.tobytes() + pieces[differs].tobytes()


def snapshots(to: Path, names: list[str]) -> dict[str, str]:
    """The memory of Python with each page made, as ``py/NAME.snap.gz``; returns what each shows (`Worker.make`)."""
    from playwright.sync_api import sync_playwright

    before: list[bytes] = []
    told: dict[str, str] = {}

    class Taking(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

        def do_PUT(self) -> None:
            raw = gzip.decompress(self.rfile.read(int(self.headers["Content-Length"])))
            name = Path(self.path).name
            if name == "fresh":
                before.append(raw)
            else:
                kept = difference(raw, before[-1])
                print(f"  {name}: {len(raw) >> 20} MB of memory, {len(kept) >> 20} MB of it told")
                (to / "py" / f"{name}.snap.gz").write_bytes(tree.gz(kept))
            if name == "base":
                before.append(memory_of(raw)[1])
            self.send_response(201)
            self.send_header("Content-Length", "0")
            self.end_headers()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Taking, directory=str(to)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.on("console", lambda line: print("  browser:", line.text[:2000]) if line.type == "error" else None)
        page.goto(f"http://127.0.0.1:{server.server_port}/static/favicon.svg")
        page.goto(f"http://127.0.0.1:{server.server_port}/make.html")
        for name in ["", *names]:
            cells = "" if not name else json.dumps(read_notebook(ROOT / "notebooks" / f"{name}.ipynb")[2])
            found = page.evaluate(_MAKE, [name, cells, PATIENCE])
            if "failed" in found:
                raise SystemExit(f"No snapshot of {name} could be made: {found['failed']}")
            told[name] = found["told"]
        for size in ICONS:
            page.set_viewport_size({"width": size, "height": size})
            page.set_content(f'<body style="margin:0"><img src="static/favicon.svg" width="{size}" height="{size}">')
            page.screenshot(path=to / "static" / f"icon-{size}.png", omit_background=True)
        browser.close()
    server.shutdown()
    return told


def chromium() -> str | None:
    """An installed Chromium; None for Playwright's own."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


# -- All of it ------------------------------------------------------------------------------------

ICONS = (192, 512)
"""Sides in pixels of the pictures that a browser wants of a program."""


def manifest(to: Path) -> None:
    """What makes it a program that can be installed."""
    pictures = [{"src": f"static/{path.name}", "sizes": "x".join(2 * [path.stem[5:]]), "type": "image/png"}
                for path in sorted((to / "static").glob("icon-*.png"))]
    told = {"name": "navalkit", "short_name": "navalkit", "start_url": "./", "scope": "./", "display": "standalone",
            "background_color": "#ffffff", "theme_color": "#0b3a5b",
            "icons": [*pictures, {"src": "static/favicon.svg", "sizes": "any", "type": "image/svg+xml"}]}
    (to / "manifest.webmanifest").write_text(json.dumps(told))


def late(name: str) -> int:
    """How late a file is fetched to be kept: what all pages share is wanted first, then the game that the lobby offers,
    and what no first board asks for last."""
    page = Path(name).name.partition(".")[0].removeprefix("first")
    own = page in {path.stem for path in pages()} - {"lobby"}
    return 3 if Path(name).name in LATER else 0 if not own else 1 if page == FIRST else 2


def seal(to: Path) -> str:
    """The service worker, which names every file of the build by its hash; returns the build's name."""
    found = {name: path for name, path in tree.files(to).items() if not name.startswith("lessons/")}  # keep themselves
    found = {name: found[name] for name in sorted(found, key=late)}
    text, build = tree.keeper("sw.js", found, lambda hashes: {name: base64.b64encode(value).decode()
                                                              for name, value in hashes.items()})
    (to / "sw.js").write_text(text)
    return build


def compiled(numpy: Path | None) -> Path:
    """The compiled tree of the pages."""
    return tree.compiled(f"pages-{source_key(numpy)}", lambda to: collect(to, numpy))


def build(to: Path, only: list[str], bare: bool) -> None:
    """Write the site. ``only``: the pages that get a snapshot, and "lessons" for the lessons; all if there are none.
    ``bare``: without what is in no registry, so that no page starts."""
    if not LOCK["packages"]:
        raise SystemExit(f"{PYODIDE} has no Pyodide: run npm ci --prefix {LITE} first.")
    numpy = None if bare else wheel("numpy")
    shutil.rmtree(to, ignore_errors=True)
    packed(to / "py", compiled(numpy))
    if numpy:
        pillow(to / "py")
    write_scripts(to)
    names = [path.stem for path in pages() if path.stem != "lobby" and (not only or path.stem in only)]
    shown: dict[str, str] = {}
    if numpy:
        (to / "make.html").write_text("<!doctype html><title>make</title>")
        shown = snapshots(to, names)
        (to / "make.html").unlink()
    manifest(to)
    shared = sum(path.stat().st_size for form in ("*.so.gz", "*.wasm.gz", "base.snap.gz", "data.pack.gz")
                 for path in (to / "py").glob(form))
    sizes = {name: shared + path.stat().st_size for name in names if (path := to / "py" / f"{name}.snap.gz").is_file()}
    taught = bool(numpy) and (not only or "lessons" in only)
    if numpy and taught:
        lessons.build(to / "lessons", source_key(numpy), numpy)
    name = tree.digest(*(path.read_bytes() for path in tree.files(to).values()))
    write_pages(to, name, sizes, shown, f"lessons/{lessons.START}" if taught else "")
    print(f"{to}: build {seal(to)}, {sum(p.stat().st_size for p in to.rglob('*') if p.is_file()) / 1e6:.1f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the pages without a server.")
    parser.add_argument("--to", type=lambda given: Path(given).resolve(), default=ROOT / "dist" / "lite")
    parser.add_argument("--only", nargs="*", default=[],
                        help="pages to make snapshots of, the others start without; and lessons, if they are wanted")
    parser.add_argument("--bare", action="store_true", help="without numpy: for tests of the build alone")
    given = parser.parse_args()
    build(given.to, given.only, given.bare)


if __name__ == "__main__":
    main()
