"""The print of what a player is: all that can be seen of it counts, and nothing that is another in another process."""

from __future__ import annotations
import copy
import importlib
import multiprocessing
import os
import pickle
import subprocess
import sys
import zipfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.errors import OptionError
from navalkit.players import own
from navalkit.players.arena import Games, run
from navalkit.testing import refused
from ..sentences import CORE

BOT = "class {name}:\n    def decide(self, seen, legal, rng):\n        return legal[{k}]\n"
"""A player's class; ``{k}``, here and below, is what is changed."""
LAST = "\nclass P:\n    def decide(self, seen, legal, rng):\n        return legal[{}]\nwho = P\n"
HELD = """
class P:
    def __init__(self, k=0): self.k = k
    def decide(self, seen, legal, rng): return legal[self.k if isinstance(self.k, int) else 0]
"""
ASKS = "class P:\n    def __init__(self, f): self.f = f\n    def decide(self, seen, legal, rng): return self.f(legal)\n"
BOX = "class H:\n    def __init__(self, k): self.k = k\n    def f(self, legal): return legal[self.k]\n"
HELPER = {"helper_.py": "def h(l): return l[{k}]\n"}
CALLS = "class P:\n    def decide(self, seen, legal, rng):\n        {} return {}h(legal)\n"

CASES: dict[str, tuple[str, dict[str, str]]] = {
    "a class of a module": ("import bots_; who = bots_.P", {"bots_.py": BOT.replace("{name}", "P")}),
    "its module's function": ("import bots_; who = bots_.P", {
        "bots_.py": HELPER["helper_.py"] + CALLS.format("", "")}),
    "another module's function": ("import bots_; who = bots_.P", {
        "bots_.py": "import helper_\n" + CALLS.format("", "helper_."), **HELPER}),
    "a function from another": ("import bots_; who = bots_.P", {
        "bots_.py": "from helper_ import h\n" + CALLS.format("", ""), **HELPER}),
    "a late import": ("import bots_; who = bots_.P", {
        "bots_.py": CALLS.format("from helper_ import h;", ""), **HELPER}),
    "importlib": ("import bots_; who = bots_.P", {
        "bots_.py": "import importlib\n" + CALLS.format("", "importlib.import_module('helper_')."), **HELPER}),
    "a helper's helper": ("import bots_; who = bots_.P", {
        "bots_.py": "from helper_ import h\n" + CALLS.format("", ""),
        "helper_.py": "import deep_\ndef h(l): return deep_.g(l)\n", "deep_.py": "def g(l): return l[{k}]\n"}),
    "a base elsewhere": ("import bots_; who = bots_.P", {
        "bots_.py": "from base_ import B\nclass P(B): pass\n", "base_.py": BOT.replace("{name}", "B")}),
    "a package's part": ("import pk_; who = pk_.P", {
        "pk_/__init__.py": "from .bot import P\n", "pk_/val.py": "W = {k}\n",
        "pk_/bot.py": "from . import val\nclass P:\n    def decide(self, seen, legal, rng): return legal[val.W]\n"}),
    "a global": ("W = {k}" + LAST.format("W"), {}),
    "one number of a large array": ("W = np.zeros(5000); W[2500] = {k}" + LAST.format("int(W[2500])"), {}),
    "deep in a dictionary": ("W = dict(a=[1, 2, dict(deep={k})])" + LAST.format("W['a'][2]['deep']"), {}),
    "a module's global set later": ("import bots_; bots_.W = {k}; who = bots_.P", {
        "bots_.py": "W = 0" + LAST.format("W")}),
    "an attribute": (HELD + "who = P({k})", {}),
    "a slot": (HELD.replace("P:", "P:\n    __slots__ = ('k',)") + "who = P({k})", {}),
    "hidden from pickle": (HELD + "    def __getstate__(self): return dict()\nwho = P({k})", {}),
    "equal to all": (HELD + "    def __repr__(self): return 'P'\n    def __eq__(self, o): return True\n"
                     "    def __hash__(self): return 1\nwho = P({k})", {}),
    "an array held": (HELD + "w = np.zeros((100, 100)); w[50, 50] = {k}; who = P(w)", {}),
    "a mask": ("W = np.ma.array([0, -1], mask=[{k} != 0, False])" + LAST.format("int(W.compressed()[0])"), {}),
    "an array of its own kind": ("class A(np.ndarray): pass\nW = np.zeros(2).view(A); W.k = {k}"
                                 + LAST.format("W.k"), {}),
    "an object held": (BOX + HELD + "who = P(H({k}))", {}),
    "a set held": (HELD + "who = P(set(['alpha', 'beta', 'gamma', str({k})]))", {}),
    "a class's attribute": ("K = 0" + LAST.format("self.k") + "P.k = {k}", {}),
    "a base's attribute": ("class B: k = 0\nclass P(B):\n    def decide(self, seen, legal, rng): return legal[self.k]\n"
                           "B.k = {k}; who = P", {}),
    "a method patched": (LAST.format("0") + "if {k}: P.decide = lambda self, seen, legal, rng: legal[-1]", {}),
    "a closure": ("def make(k):\n    class P:\n        def decide(self, seen, legal, rng): return legal[k]\n"
                  "    return P\nwho = make({k})", {}),
    "a default": ("D = {k}\nclass P:\n    def decide(self, seen, legal, rng, k=D): return legal[k]\nwho = P", {}),
    "a default of a maker": ("D = {k}" + HELD.replace("k=0", "k=D") + "who = P", {}),
    "partial": ("import functools" + HELD + "who = functools.partial(P, {k})", {}),
    "options": (HELD + "who = P, dict(k={k})", {}),
    "made by the library": (HELD + "who = nk.player(P, 'uss-lox', k={k})", {}),
    "made by type": ("who = type('P', (), dict(decide=[lambda s, a, l, r: l[0], lambda s, a, l, r: l[-1]][{k}]))", {}),
    "made by exec": ('ns = dict()\nexec("class P:\\n def decide(self, seen, legal, rng): return legal[{k}]", ns)\n'
                     "who = ns['P']", {}),
    "a namespace": ("from types import SimpleNamespace\nK = {k}\n"
                    "who = SimpleNamespace(name='p', decide=lambda seen, legal, rng: legal[K])", {}),
    "a function held": ("def f(l): return l[0]\ndef g(l): return l[-1]\n" + ASKS + "who = P([f, g][{k}])", {}),
    "a lambda of one line": (ASKS + "who = P([lambda l: l[0], lambda l: l[-1]][{k}])", {}),
    "a captain within": ("class P:\n    def __init__(self, g):\n"
                         "        self.i = nk.player('greedy', g, threshold=.5 + {k} / 4)\n"
                         "    def decide(self, seen, legal, rng):\n"
                         "        return self.i.decide(seen, legal, rng).action\nwho = P", {}),
    "a captain held": (HELD + "who = P(nk.player('greedy', 'uss-lox', threshold=.5 + {k} / 4))", {}),
    "a captain": ("who = nk.player('greedy', 'uss-lox', threshold=.5 + {k} / 4)", {}),
    "a global captain": ("h = nk.player('optimal', 'uss-lox', objective=('home', 20000 - 5000 * {k}))\n"
                         + LAST.format("legal.index(h.decide(seen, legal, rng).action)"), {}),
    "by name": ("who = 'bots_:P'", {"bots_.py": BOT.replace("{name}", "P")}),
    "by name, a helper": ("who = 'bots_:P'", {"bots_.py": "from helper_ import h\n" + CALLS.format("", ""), **HELPER}),
    "decorated": ("def deco(k):\n    def w(f):\n        def g(self, seen, legal, rng): return legal[k]\n"
                  "        return g\n    return w\nclass P:\n    @deco({k})\n"
                  "    def decide(self, seen, legal, rng): return legal[0]\n"
                  "who = P", {}),
    "a cached property": ("import functools\nK = {k}\nclass P:\n    @functools.cached_property\n"
                          "    def k(self): return K\n"
                          "    def decide(self, seen, legal, rng): return legal[self.k]\nwho = P", {}),
    "a static method": ("K = {k}\nclass P:\n    @staticmethod\n    def k(): return K\n"
                        "    def decide(self, seen, legal, rng): return legal[self.k()]\nwho = P", {}),
    "a class's class": ("class M(type): k = 0\nM.k = {k}\nclass P(metaclass=M):\n"
                        "    def decide(self, seen, legal, rng): return legal[type(self).k]\nwho = P", {}),
    "a cached function": ("import functools\nK = {k}\n@functools.lru_cache\ndef kk(): return K"
                          + LAST.format("kk()"), {}),
    "globals()": ("K = {k}" + LAST.format("globals()['K']"), {}),
    "a function within": ("K = {k}" + LAST.format("[K for _ in range(1)][0]"), {}),
    "a generator held": (HELD + "who = P(np.random.default_rng(3 + {k}))", {}),
    "a bound method": (BOX + ASKS + "who = P(H({k}).f)", {}),
    "a global object": (BOX + "h = H({k})" + LAST.format("h.k"), {}),
    "a default dictionary": ("from collections import defaultdict\nh = defaultdict(int); h['a'] = {k}"
                             + LAST.format("h['a']"), {}),
    "a queue": ("from collections import deque\nh = deque([1, {k}])" + LAST.format("h[1]"), {}),
    "a dataclass": ("from dataclasses import dataclass, field\n@dataclass\nclass H:\n"
                    "    k: int = field(default=0, repr=False, compare=False)\nh = H({k})" + LAST.format("h.k"), {}),
    "a class of settings": ("import cfg_" + LAST.format("cfg_.S.k"), {"cfg_.py": "class S:\n    k = {k}\n"}),
    "a module in an archive": ("import zmod_" + LAST.format("zmod_.K"), {"zmod_.zip": "K = {k}\n"}),
    "named by a text": ("import cfg_" + LAST.format("getattr(cfg_, 'K' + '')"), {"cfg_.py": "K = {k}\n"}),
    "called by another name": ("class P:\n    def __call__(self, seen, legal, rng): return legal[{k}]\n"
                               "    def __getattr__(self, n):\n        if n == 'decide': return self.__call__\n"
                               "        raise AttributeError(n)\nwho = P()", {}),
    "a model from a file": ("import pickle\nM = pickle.loads(pickle.dumps(dict(k={k})))" + LAST.format("M['k']"), {}),
}


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A player from the text of a script and of the modules beside it."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(tmp_path / "zmod_.zip")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def make(main: str, files: dict[str, str], k: int) -> Any:
        for name in [name for name in sys.modules if name.partition(".")[0].endswith("_") and name[0] != "_"]:
            del sys.modules[name]
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            if path.suffix == ".zip":
                with zipfile.ZipFile(path, "w") as packed:
                    packed.writestr(f"{path.stem}.py", text.replace("{k}", str(k)))
            else:
                path.write_text(text.replace("{k}", str(k)))
        sys.path_importer_cache.clear()
        importlib.invalidate_caches()
        names: dict[str, Any] = {"__name__": "__main__", "np": np, "nk": nk}
        exec(dedent(main).replace("{k}", str(k)), names)  # noqa: S102
        return names["who"]

    yield make
    make("who = 0", {}, 0)


def key(who: Any) -> str:
    return Games(nk.load("uss-lox"), ((who,),), 1).key


@pytest.mark.parametrize("case", CASES)
def test_a_player_that_was_changed_is_another(case: str, made: Any) -> None:
    """However it is changed: else the rows that are there would be told as the changed one's."""
    keys = [key(made(*CASES[case], k)) for k in (0, -1, 0)]
    assert keys[0] != keys[1] and keys[0] == keys[2]


@pytest.mark.parametrize("case", [case for case in CASES if case != "hidden from pickle"])
def test_a_player_that_has_played_is_the_same(case: str, made: Any) -> None:
    who = made(*CASES[case], 0)
    games = Games(nk.load("uss-lox"), ((who,),), 1)
    before = games.key
    assert "error" not in games(0)
    assert key(who) == before == key(copy.deepcopy(who))


def test_comments_are_no_change(made: Any) -> None:
    main, files = CASES["another module's function"]
    more = {name: f"# {name}\n\n{text}" for name, text in files.items()}
    assert key(made(main, files, 0)) == key(made(main, more, 0))


def test_where_a_module_is_and_how_many_names_a_function_has_do_not_matter(made: Any) -> None:
    main = "def make():\n    class P:\n        def decide(self, seen, legal, rng): return legal[{k}]\n    return P()\n"
    whole = f"def h(legal): return make().decide(0, legal, 0)\n{main}{LAST.format('legal.index(h(legal))')}"
    assert key(made(whole, {}, 0)) == key(made(f"__name__ = '__mp_main__'\n{whole}", {}, 0)) != key(made(whole, {}, -1))
    many = "class P:\n    def decide(self, seen, legal, rng):\n" + "".join(
        f"        if n{n} is None: n{n}.x{n}\n" for n in range(300))
    asks = f"{many}        import helper_\n        return helper_.h(legal)\nwho = P"
    assert key(made(asks, HELPER, 0)) != key(made(asks, HELPER, -1))


class Box:
    """Holds what it is given, and itself."""

    def __init__(self, *held: Any) -> None:
        self.held, self.me = held, self

    def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
        return legal[0] if self.held else other(self, legal)


def other(box: Box, legal: Any) -> Any:
    return once_more(box, legal)


def once_more(box: Box, legal: Any) -> Any:
    return other(box, legal)


def mixed() -> Box:
    """Of all that is in another order, or at another place, in another process."""
    return Box({"alpha", "beta", ("gamma", 1)}, {other, once_more, Box}, frozenset({Path("a"), Path("b")}),
               np.random.default_rng(1), nk.player("optimal", "uss-lox"), Box(np.arange(3.0)), {Box: other}, print,
               nk.load("wolf-pack"), np.array([{"a"}, None], dtype=object))


def _key_of(who: Any) -> str:
    return key(who)


def test_it_is_the_same_in_another_process_and_of_what_was_pickled() -> None:
    here = key(mixed())
    assert key(pickle.loads(pickle.dumps(mixed()))) == here == key(copy.deepcopy(mixed()))  # noqa: S301
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(_key_of, mixed()).result() == here
    order = "from tests.sim.test_prints import key, mixed; print(key(mixed()))"
    for seed in ("1", "2"):
        told = subprocess.run([sys.executable, "-c", order], capture_output=True, text=True, check=True,
                              env={**os.environ, "PYTHONHASHSEED": seed}, cwd=Path(__file__).parents[2])
        assert told.stdout.strip() == here


def test_what_is_too_large_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert key(Box(list(range(1_000_000)))) != key(Box(list(range(1, 1_000_001))))  # plain values are one part
    monkeypatch.setattr(own, "MOST", 1000)
    with refused(OptionError, CORE, "own.large", most=1000):
        key(Box([[object()] for _ in range(1000)]))
    deep: Any = Box()
    for _ in range(50_000):
        deep = [deep]
    monkeypatch.setattr(own, "MOST", 1_000_000)
    with refused(OptionError, CORE, "own.large"):
        key(Box(deep))
    assert run(Games(nk.load("uss-lox"), ((Box([[]] * 3),),), 1), 1)


def test_what_makes_a_row_is_in_the_print_by_its_code() -> None:
    def key(number: int) -> str:
        return Games(nk.load("uss-lox"), (("random",),), 1, row=lambda match: {"mine": number}).key

    assert key(1) == key(1) != key(2)
    assert key(1) != Games(nk.load("uss-lox"), (("random",),), 1, row=lambda match: {"other": 1}).key
