"""Dependencies run one way: every import of every module is read, and held against the plan of the house."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import navalkit

ROOT = Path(navalkit.__file__).parent
WIDGETS = {"ipywidgets", "ipycanvas", "bqplot", "anywidget", "voila", "traitlets", "IPython", "ipykernel"}

MAY = {  # layer -> the layers it may import besides itself
    "core": set(),
    "grids": {"core"},
    "prob": {"core", "grids"},
    "players": {"core", "grids", "prob"},
    "games": {"core", "grids", "prob", "players"},
    "sim": {"core", "grids", "prob", "players", "games"},
    "testing": {"core", "grids", "prob", "players", "games", "sim"},
    "teach": {"core", "grids", "prob", "players", "games", "sim", "view"},
    "view": {"core", "grids"},
    "explore": {"core", "grids", "prob", "players", "games", "sim", "view"},
    "ui": {"core", "grids", "prob", "players", "games", "sim", "view", "teach", "explore"},
    "": {"core", "players", "games"},  # navalkit itself
    "serve": {"core"},
    "cli": {"core", "players", "games", "sim", "teach", "view", "serve", ""},
    "__main__": {"cli"},
}
DRAWS = {
    "scene.py", "pieces.py", "card.py", "sheets.py", "overlay.py", "conn.py", "evidence.py", "film.py", "seascape.py",
}  # fmt: skip
"""Modules of a game that make pictures as data; its rules, odds and players import none of them."""
SHOWS = {"page.py", "hunt_report.py"}
"""Modules of a game that put together what is shown, painters included."""
FILES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))


def layer(module: str) -> str:
    """The layer of a module of ours: "navalkit.core.match" is in "core"."""
    return (module.split(".") + [""])[1]


def imports(file: Path) -> Iterator[str]:
    """Absolute names of all that a module imports, at its head or anywhere in it."""
    package = ["navalkit", *file.parent.parts]
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            for (
                alias
            ) in node.names:  # "from navalkit import sim" imports a module, "from .sim import play" does not
                inside = ROOT.parent.joinpath(*module.split("."), alias.name)
                is_module = module.startswith("navalkit") and (
                    inside.is_dir() or inside.with_suffix(".py").exists()
                )
                yield f"{module}.{alias.name}" if is_module else module


def allowed(file: Path, module: str) -> bool:
    mine, other = layer(".".join(["navalkit", *file.with_suffix("").parts])), layer(module)
    if file == Path("__init__.py"):
        mine = ""
    if mine == "games" and other == "view":
        if file.name in DRAWS:
            return module in ("navalkit.view.scene", "navalkit.view.cards")
        return file.name in SHOWS
    if mine == "games" == other and len(file.parts) > 2:  # no game knows another
        return module.split(".")[2:3] == [file.parts[1]]
    return other == mine or other in MAY[mine]


@pytest.mark.parametrize("file", FILES, ids=str)
def test_imports_run_one_way(file: Path) -> None:
    wrong = {m for m in imports(file) if m.split(".")[0] == "navalkit" and not allowed(file, m)}
    assert not wrong, f"{file} imports {', '.join(sorted(wrong))}"


@pytest.mark.parametrize("file", [f for f in FILES if f.parts[0] != "ui"], ids=str)
def test_widgets_stay_in_ui(file: Path) -> None:
    assert not {m.split(".")[0] for m in imports(file)} & WIDGETS


def test_the_reader_of_imports_sees_them_all() -> None:
    """Lest the tests above pass by seeing nothing."""
    assert {"navalkit.core.match", "navalkit.games", "navalkit.players"} <= set(imports(Path("__init__.py")))
    assert "navalkit.core.errors" in set(imports(Path("core/match.py")))
    assert "navalkit.serve" in set(imports(Path("cli.py")))  # inside a function
    assert not allowed(Path("core/match.py"), "navalkit.games")
    assert not allowed(Path("games/uss_lox/rules.py"), "navalkit.view.scene")
    assert not allowed(Path("games/uss_lox/scene.py"), "navalkit.view.svg")
    assert not allowed(Path("games/uss_lox/rules.py"), "navalkit.games.on_patrol.rules")


@pytest.mark.parametrize("name", navalkit.games.names())
def test_importing_a_game_loads_no_widget_and_no_other_part(name: str) -> None:
    program = (
        "import sys, navalkit\n"
        f"game = navalkit.load({name!r})\n"
        "match = navalkit.Match.new(game, seed=1)\n"
        "match.play(match.legal()[0])\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert f"navalkit.games.{name.replace('-', '_')}.rules" in loaded
    assert not {name.split(".")[0] for name in loaded} & WIDGETS
    assert not {name for name in loaded if layer(name) in ("ui", "view", "sim", "testing")} & {
        name for name in loaded if name.startswith("navalkit.")
    }


def test_the_public_face_is_five_names() -> None:
    assert set(navalkit.__all__) == {"load", "games", "Match", "player", "__version__"}
    assert navalkit.games.names() == navalkit.core.registry.names()
