// Compile what the browser's Python needs by that very Python, in node: node compile.mjs FOLDER. It holds `std` (the standard
// library, to become a zip) and `site` (all else). What numpy and the pages load of shared objects is written to sides.json.
// "whole" keeps all docstrings, for notebooks, where help() shows them.
import { writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [folder, whole] = process.argv.slice(2);
// Where in a line something failed is told by carets in a console: nobody sees one.
const py = await loadPyodide({ env: { HOME: "/home/pyodide", PYTHONNODEBUGRANGES: "1" } });
py.FS.mkdirTree("/made");
py.mountNodeFS("/made", folder);
py.runPython(`
import dis, itertools, marshal, os, types
from importlib import _bootstrap_external as ext

WHERE = {"std": "/lib/python313.zip", "site": "/lib/python3.13/site-packages"}

def bare(code, lines):
    "What code says of itself is nobody's on a page: docstrings, and in others' code the lines, which tracebacks name. A class keeps one of one blank, so that no dataclass makes its own."
    consts, steps = list(code.co_consts), list(dis.get_instructions(code))
    if code.co_flags & 1 and code.co_name[0] != "<" and isinstance(consts[0], str):
        consts[0] = ""
    for one, two in itertools.pairwise(steps):
        if (one.opname, two.opname, two.argval) == ("LOAD_CONST", "STORE_NAME", "__doc__") and one.argval:
            consts[one.arg] = " "
    inner = (bare(each, lines) if isinstance(each, types.CodeType) else each for each in consts)
    return code.replace(co_consts=tuple(inner), co_linetable=code.co_linetable if lines else b"")

for root, shown in WHERE.items():
    for folder, _, files in os.walk(f"/made/{root}"):
        for file in files:
            path = os.path.join(folder, file)
            if not file.endswith((".py", ".pyc")):
                continue
            with open(path, "rb") as source:
                text = source.read()
            os.remove(path)
            name = (shown + path[len(f"/made/{root}"):]).removesuffix("c")
            if file.startswith("_add_newdocs"):  # all that numpy says of itself
                text, path = b"def refer_to_array_attribute(attr, method=True): return attr, ''", path.removesuffix("c")
            if path.endswith(".py"):
                path, code = path + "c", compile(text, name, "exec", dont_inherit=True)
            else:  # numpy comes compiled
                code = marshal.loads(text[16:])
            with open(path, "wb") as made:
                made.write(ext._code_to_hash_pyc(code if ${whole ? "True" : "False"} else bare(code, "/navalkit" in name), b"navalkit", False))
`);
const sides = py.runPython(`
import json, os, sys
sys.path[:0] = ["/made/site"]
found = []
if os.path.exists("/made/site/numpy"):
    import numpy, numpy.random, numpy.linalg, numpy.fft
    found = [m.__file__[len("/made/site/"):] for m in sys.modules.values() if getattr(m, "__file__", None) and m.__file__.endswith(".so")]
json.dumps(found)
`);
writeFileSync(`${folder}/sides.json`, sides);
