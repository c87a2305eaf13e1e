"""The lessons as notebooks, a part of the site: JupyterLite, with navalkit in the Python of its kernel.

JupyterLite's own command is not needed: its pages and its kernel are in two wheels (`requirements.txt`, by their
hashes), and what it would write beside them is a few files of JSON. The notebooks are the students' copies alone.
"""

from __future__ import annotations
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import tree
from tree import LITE, MADE, PYODIDE, ROOT

from navalkit.ui import SAY

LESSONS = ROOT / "notebooks" / "lessons"
PURE = ("asttokens", "executing", "ipython", "ipython-pygments-lexers", "matplotlib-inline",
        "prompt_toolkit", "pure-eval", "pygments", "stack_data", "wcwidth")
"""What IPython needs, on top of what every page does."""
NO_PURE = re.compile(r"^\.\.|/tests/|^IPython/testing/(?!__init__|skipdoctest)|table_grapheme_overrides|"
                     r"^pygments/lexers/(?!_mapping|__init__|python|special)")
KERNEL = "@jupyterlite/pyodide-kernel-extension"
EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "anywidget", "bqplot", "bqscales", "ipycanvas")
APPS = ("notebooks", "tree")
NO_STDLIB = {"ensurepip", "idlelib", "lib2to3", "test", "tkinter", "turtle.py", "turtledemo", "venv"}
THERE = ("comm", "ipykernel", "ipython", "jedi", "micropip", "piplite", "pyodide-kernel", "sqlite3")
"""What the kernel would fetch from elsewhere, and finds here."""
STUBS = {
    "piplite/__init__.py": "",
    "piplite/piplite.py": "_PIPLITE_DISABLE_PYPI = True\n_PIPLITE_URLS = []\n",
    "sqlite3.py": "class Error(Exception): ...\nclass Connection: ...\nDatabaseError = OperationalError = Error\n"
                  "def register_converter(*_): ...\n",
}
"""As much as the kernel asks for of what is not there."""
CHANGED = (
    ("interpreter.py", "use_jedi = True", "use_jedi = False"),  # it would be 5 MB
    # as IPython asks since 9.16
    ("kernel.py", "should_run_async(code)", "should_run_async(code, transformed_cell=exec_code)"),
    ("kernel.py", "run_cell_async(code,", "run_cell_async(code, transformed_cell=exec_code,"),
)
POLICY = "; ".join((
    "default-src 'self'", "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:", "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:", "font-src 'self' data:", "connect-src 'self' data: blob:", "worker-src 'self' blob:",
    "form-action 'none'",
))  # JupyterLite's pages hold scripts
_FORWARD = ('<!doctype html><meta charset="utf-8"><title>navalkit</title><meta http-equiv="refresh" '
            'content="0; url={}"><script id="jupyter-config-data" type="application/json">{{}}</script>')
_BACK = ('<a href="../../index.html" style="position:fixed;bottom:0;left:0;z-index:9;padding:6px 12px;'
         'border-radius:0 9px 0 0;background:#0b4a6b;color:#fff;font:14px sans-serif">{}</a>')
_COMING = (LITE / "lessons_coming.html").read_text()
"""What is seen until JupyterLite has drawn its page, or if it does not come whole."""
_PHONE = ("<style>@media (max-width: 480px) {"
          " body .jp-NotebookPanel-notebook { padding-left: 2px; padding-right: 2px; }"
          " body .jp-MarkdownCell .jp-RenderedMarkdown { padding-left: 2px; padding-right: 2px; }"
          " body .jp-RenderedMarkdown table { font-size: 12px; hyphens: auto; margin: 0; }"
          " body .jp-RenderedMarkdown :is(td, th) { padding: 5px 3px; } }</style>")
"""On a phone a table has all its columns on the screen."""
_REGISTERS = (
    b'if(t.controller){const e=t.controller.scriptURL;await this._unregisterOldServiceWorkers(e),'
    b's=await t.getRegistration(e)||null,console.info("JupyterLite ServiceWorker was already registered")}'
    b'if(!s&&t)try{console.info("Registering new JupyterLite ServiceWorker",e),s=await t.register(e),',
    b'try{s=await t.register(e),await new Promise((r=>{const o=()=>t.controller?.scriptURL===e?r():'
    b's.active?.postMessage("claim");t.addEventListener("controllerchange",o),setTimeout(r,3e4),o()})),'
    b't.controller?.scriptURL===e||(s=null),')
"""JupyterLite takes the worker that controls a page for its own, though it may be the site's, and ends all workers of
the host as it comes in a new version. It is to register its own always, which changes nothing where that is there, to
end none, and to go on once its own controls the page; a page without it has cells that run, and nothing kept."""
_STARTS = (b"create:async e=>{const{PyodideKernel:n}=await ",
           b"create:async e=>{navigator.serviceWorker&&i&&await i.ready.catch((()=>{}));const{PyodideKernel:n}=await ")
"""The kernel asks as it starts whether there is a worker to reach its files by: it is to wait for it."""
_WRITES = (b"const s=await this._driveContentsProcessor.processDriveRequest(e);",
           b"const s=await this._driveContentsProcessor.processDriveRequest(e).catch((e=>({failed:String(e)})));")
_ANSWERS = "e(new Response(JSON.stringify(s)))", "e(new Response(JSON.stringify(s),{status:s?.failed?507:200}))"
"""A file that cannot be written (no room is left) is answered too: the kernel waits for it, and would wait for ever."""
SAVE = 10
"""Seconds between two saves of a lesson that is being written in."""
START = "notebooks/index.html?path=index.ipynb"
"""The page that lists the lessons."""


def wheels(to: Path) -> tuple[Path, Path]:
    """JupyterLite's pages and its kernel, fetched once."""
    to.mkdir(parents=True, exist_ok=True)
    asked = LITE / "requirements.txt"
    if not (mark := to / hashlib.sha256(asked.read_bytes()).hexdigest()[:16]).exists():
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps",
                        "--require-hashes", "-r", str(asked), "-d", str(to)], check=True)
        mark.touch()
    return next(to.glob("jupyterlite_core-*.whl")), next(to.glob("jupyterlite_pyodide_kernel-*.whl"))


def extension(to: Path, files: dict[str, bytes]) -> dict[str, str]:
    """An extension's files; returns how JupyterLite loads it."""
    for name, data in files.items():
        if not name.endswith(".map"):
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            (to / name).write_bytes(data)
    told = json.loads(files["package.json"])
    return {"name": told["name"]} | {key: value for key, value in told["jupyterlab"]["_build"].items() if key != "_"}


def mend(files: dict[str, bytes], what: str, old: bytes, new: bytes) -> None:
    """Have these bytes, which are once in these scripts, replaced."""
    found = [name for name, data in files.items() if name.endswith(".js") for _ in range(data.count(old))]
    if len(found) != 1:
        raise SystemExit(f"JupyterLite starts {what} in another way now ({len(found)} places): see lite/lessons.py.")
    files[found[0]] = files[found[0]].replace(old, new)


def pages(to: Path, core: Path, kernel: Path) -> dict[str, bytes]:
    """JupyterLite's pages, with the extensions they load; returns what the kernel brings of Python."""
    with zipfile.ZipFile(core) as archive:
        packed = archive.read(next(name for name in archive.namelist() if name.endswith(".tgz")))
    built: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            inner = Path(*Path(member.name).parts[1:])
            wanted = inner.parts[:1] and inner.parts[0] in (*APPS, "build") or len(inner.parts) == 1
            if member.isfile() and wanted and inner.suffix != ".map":
                built[str(inner)] = archive.extractfile(member).read()  # type: ignore[union-attr]
    mend(built, "its service worker", *_REGISTERS)
    mend(built, "its files", *_WRITES)
    for name, data in built.items():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        (to / name).write_bytes(data)
    with zipfile.ZipFile(kernel) as archive:
        brought = {name.partition(f"{KERNEL}/")[2]: archive.read(name) for name in archive.namelist() if KERNEL in name}
    python = {name.rpartition("/")[2]: brought.pop(name) for name in list(brought) if name.endswith(".whl")}
    mend(brought, "its service worker", *_REGISTERS)
    mend(brought, "its files", *_WRITES)
    mend(brought, "its kernel", *_STARTS)
    found = [extension(to / "extensions" / KERNEL, brought)]
    for name in EXTENSIONS:
        folder = Path(sys.prefix) / "share" / "jupyter" / "labextensions" / name
        found.append(extension(to / "extensions" / name, {str(path.relative_to(folder)): path.read_bytes()
                                                          for path in folder.rglob("*") if path.is_file()}))
    config = to / "jupyter-lite.json"
    told = json.loads(config.read_text())
    options = {"packages": ["numpy", "navalkit", *THERE, "pyodide_kernel"], "lockFileURL": "py/pyodide-lock.json",
               "stdLibURL": "py/python.zip"}
    told["jupyter-config-data"] |= {
        "settingsOverrides": {"@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": SAVE}},
        "appName": "navalkit", "appUrl": "./notebooks", "federated_extensions": found,
        "litePluginSettings": {f"{KERNEL}:kernel": {"pyodideUrl": "./py/pyodide.js", "pipliteUrls": [],
                                                    "disablePyPIFallback": True, "loadPyodideOptions": options}}}
    config.write_text(json.dumps(told))
    schemas = [{"id": f"{each['name']}:{path.stem}", "raw": "{}", "settings": {}, "version": "1",
                "schema": json.loads(path.read_text())}
               for each in found for path in (to / "extensions" / each["name"] / "schemas").rglob("*.json")]
    english = {"en": {"displayName": "English", "nativeName": "English"}}
    for name, content in (("build/schemas/all_federated", schemas), ("api/workspaces/all", {}),
                          ("api/translations/en", {"data": {}, "message": ""}),
                          ("api/translations/all", {"data": english, "message": ""})):
        (to / f"{name}.json").parent.mkdir(parents=True, exist_ok=True)
        (to / f"{name}.json").write_text(json.dumps(content))
    (to / "index.html").write_text(_FORWARD.format(START))
    (to / "static" / "favicons").mkdir(parents=True)
    for name in ("file", "notebook", "busy-1", "busy-2", "busy-3"):
        shutil.copy(to / "icon-120x120.png", to / "static" / "favicons" / f"favicon-{name}.ico")
    for app in APPS:
        page, first = to / app / "index.html", '<meta charset="utf-8" />'
        policy = f'{first}<meta http-equiv="Content-Security-Policy" content="{POLICY}" />'
        text = page.read_text().replace(first, policy, 1)
        coming = _COMING
        for name, key in (("COMING", "lite.lessons"), ("TORN", "lite.lessons.torn"), ("AGAIN", "lite.lessons.again")):
            coming = coming.replace(f"__{name}__", SAY(key))
        said = f"{coming}{_PHONE}{_BACK.format(SAY('lite.lobby'))}"
        page.write_text(text.replace("</html>", f"{said}</html>"))
    return python


def collect(to: Path, python: dict[str, bytes]) -> None:
    """The tree of the kernel's Python."""
    site = to / "site"
    tree.stdlib(to / "std", NO_STDLIB)
    tree.ours(site)
    shutil.rmtree(site / "IPython")
    (site / "navalkit_start.py").unlink()
    tree.pure(site, PURE, lambda name: name.endswith((".py", "METADATA", ".txt", ".json"))
              and not NO_PURE.search(name))
    for name, data in python.items():
        if name.startswith(("pyodide_kernel", "ipykernel")):
            tree.unzip(io.BytesIO(data), site)
    for name, old, new in CHANGED:
        file = site / "pyodide_kernel" / name
        text = file.read_text()
        assert old in text, old
        file.write_text(text.replace(old, new))
    for name, text in STUBS.items():
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).write_text(text)


def packed(to: Path, made: Path, numpy: Path) -> None:
    """Python, and a lock that names what it finds here."""
    to.mkdir()
    for name in ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm"):
        shutil.copy(PYODIDE / name, to / name)
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text())

    def entry(name: str, file: str) -> dict[str, object]:
        return {"name": name, "version": "1", "file_name": file, "install_dir": "site", "depends": [],
                "sha256": hashlib.sha256((to / file).read_bytes()).hexdigest(), "package_type": "package",
                "imports": [], "unvendored_tests": False}

    (made / "nothing").mkdir(exist_ok=True)
    for name, folder in (("python", "std"), ("nothing", "nothing"), ("navalkit", "site")):
        (to / f"{name}.zip").write_bytes(tree.zipped(made / folder, zipfile.ZIP_DEFLATED))
    shutil.copy(numpy, to / numpy.name)
    lock["packages"] = {name: entry(name, "nothing.zip") for name in THERE} | {
        "numpy": lock["packages"]["numpy"] | entry("numpy", numpy.name) | {"imports": ["numpy"]},
        "navalkit": entry("navalkit", "navalkit.zip")}
    (to / "pyodide-lock.json").write_text(json.dumps(lock))


def build(to: Path, key: str, numpy: Path) -> None:
    """Write them to a folder. What is compiled is kept under this key."""
    python = pages(to, *wheels(MADE / "jupyterlite"))
    packed(to / "py", tree.compiled(f"lessons-{key}", lambda made: collect(made, python), "whole"), numpy)
    notebooks(to)
    keeper(to)


def notebooks(to: Path) -> None:
    """The students' notebooks, and the list of them without what is for teachers or for other places."""
    found = {"index.ipynb": json.loads((LESSONS / "index.ipynb").read_text(encoding="utf-8"))}
    found["index.ipynb"]["cells"] = found["index.ipynb"]["cells"][:1]
    found |= {str(path.relative_to(LESSONS)): json.loads(path.read_text(encoding="utf-8"))
              for path in sorted(LESSONS.glob("*/student.ipynb"))}
    for notebook in found.values():
        notebook["cells"][0]["source"] += ["\n\n", SAY("lite.lesson_saved")]
    made = "2026-01-01T00:00:00Z"  # the same in every build
    same = {"writable": True, "created": made, "last_modified": made, "mimetype": None}
    listed: dict[str, list[dict[str, object]]] = {"": []}
    for name, notebook in found.items():
        (to / "files" / name).parent.mkdir(parents=True, exist_ok=True)
        (to / "files" / name).write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
        folder = name.rpartition("/")[0]
        if folder not in listed:
            listed[folder] = []
            listed[""].append({"name": folder, "path": folder, "type": "directory", "format": None, "content": None,
                               "size": None} | same)
        listed[folder].append({"name": Path(name).name, "path": name, "type": "notebook", "format": None,
                               "content": None, "size": (to / "files" / name).stat().st_size} | same)
    for folder, content in listed.items():
        (to / "api" / "contents" / folder).mkdir(parents=True, exist_ok=True)
        told = {"name": folder, "path": folder, "type": "directory", "format": "json", "content": content, "size": None}
        (to / "api" / "contents" / folder / "all.json").write_text(json.dumps(told | same))


def keeper(to: Path) -> None:
    """JupyterLite's service worker, which lets the kernel reach its files, and before it what keeps this build."""
    text, _ = tree.keeper("lessons_sw.js", tree.files(to), list)
    theirs = (to / "service-worker.js").read_text()
    for old, new in (("self.skipWaiting(),", ""), _ANSWERS):  # else a page of two builds could be
        assert old in theirs
        theirs = theirs.replace(old, new)
    (to / "service-worker.js").write_text(text + theirs)
