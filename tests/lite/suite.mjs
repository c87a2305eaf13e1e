// Runs pytest under Pyodide, in node: node suite.mjs PYODIDE CHECKOUT SITE PACKAGES ARGUMENT...
// SITE holds numpy for it (lite/build.py), PACKAGES what is pure of this machine's environment, pytest among it.
const [pyodide, checkout, site, packages, ...given] = process.argv.slice(2);
const { loadPyodide } = await import(pyodide);
const py = await loadPyodide({ env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1", PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1" } });
for (const [name, folder] of Object.entries({ checkout, site, packages })) {
  py.FS.mkdirTree(`/${name}`);
  py.mountNodeFS(`/${name}`, folder);
}
py.globals.set("given", given);
process.exitCode = await py.runPythonAsync(`
import os, sys, types
os.chdir("/checkout")
sys.path[:0] = ["/checkout", "/site"]
sys.path.append("/packages")
import pytest

class Nothing(types.ModuleType):
    "Stands for Hypothesis, which is compiled and not there: what it would give to a test is skipped."
    __path__ = []
    def __getattr__(self, name):
        return (lambda *_, **__: pytest.mark.skip("no Hypothesis here")) if name == "given" else Nothing(name)
    def __call__(self, *found, **_):
        return found[0] if found and self.__name__ == "settings" else self

for name in ("hypothesis", "hypothesis.strategies", "hypothesis.stateful"):
    sys.modules[name] = Nothing(name)
int(pytest.main(["-p", "no:cacheprovider", "-p", "no:faulthandler", *given]))
`);
