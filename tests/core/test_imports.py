"""Dependencies run one way: every import of every module is read, and held against the plan of the house."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
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
    "testing": {"core", "grids", "prob", "players", "games", "sim", "view", "walks"},
    "teach": {"core", "grids", "prob", "players", "games", "sim", "view"},
    "view": {"core", "grids"},
    "walks": {"core", "players", "view"},
    "explore": {"core", "view"},
    "rooms": {"core", "view"},
    "ui": {"core", "grids", "prob", "players", "games", "sim", "view", "teach", "explore", "rooms", "walks"},
    "": {"core", "players", "games"},  # navalkit itself
    "serve": {"core", "rooms", "view"},
    "cli": {"core", "players", "games", "sim", "teach", "view", "serve", ""},
    "__main__": {"cli"},
}
DRAWS = {
    "scene.py", "pieces.py", "card.py", "sheets.py", "overlay.py", "conn.py", "evidence.py", "film.py", "seascape.py",
    "picture.py",
}  # fmt: skip
"""Modules of a small game that make pictures as data; a large one has them all in its room "board"."""
SHOWS = {"page.py", "hunt_report.py", "walk.py"}
"""Modules of a game that put together what is shown, painters included."""
FILES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))


ROOMS = {  # room of a game -> the rooms of the same game that it may import nothing of
    "state": {"rules", "odds", "bots", "board"},
    "sea": {"combat", "escort", "rules", "odds", "bots", "board"},
    "combat": {"escort", "rules", "odds", "bots", "board"},
    "escort": {"rules", "odds", "bots", "board"},
    "rules": {"odds", "bots", "board"},
    "odds": {"bots", "board"},
    "bots": {"board"},
}
KINDS = {".py", ".js", ".css", ".toml"}
MOST = 15
"""Modules in a room: more than these nobody finds their way about in."""


def layer(module: str) -> str:
    """The layer of a module of ours: "navalkit.core.match" is in "core"."""
    return (module.split(".") + [""])[1]


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


def imports(file: Path, run: bool = False) -> Iterator[str]:
    """Absolute names of all that a module imports, at its head or anywhere in it; ``run``: only as it is loaded."""
    package = ["navalkit", *file.parent.parts]
    tree = tree_of(file)
    for node in tree.body if run else ast.walk(tree):
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
        if "board" in file.parts:
            return True
        if file.name in DRAWS:
            return module in ("navalkit.view.scene", "navalkit.view.drawings", "navalkit.view.art")
        return file.name in SHOWS
    if mine == "games" and other == "walks":
        return "board" in file.parts or file.name == "walk.py"
    if mine == "games" and other == "explore":
        return "questions" in file.with_suffix("").parts
    if mine == "games" == other and len(file.parts) > 2:  # no game knows another
        return module.split(".")[2:3] == [file.parts[1]]
    return other == mine or other in MAY[mine]


@pytest.mark.parametrize("file", FILES, ids=str)
def test_imports_run_one_way(file: Path) -> None:
    wrong = {m for m in imports(file) if m.split(".")[0] == "navalkit" and not allowed(file, m)}
    assert not wrong, f"{file} imports {', '.join(sorted(wrong))}"


def rooms(file: Path) -> tuple[str, ...]:
    """The game of a module and its room in it, if it has them."""
    return file.with_suffix("").parts[1:3] if file.parts[0] == "games" else ()


ROOMY = sorted(path.parent.name for path in ROOT.glob("games/*/board"))
"""The games that have rooms."""


@pytest.mark.parametrize("file", [f for f in FILES if rooms(f)[:1] and rooms(f)[0] in ROOMY], ids=str)
def test_rooms_of_a_game_import_one_way(file: Path) -> None:
    game, room = rooms(file)[0], rooms(file)[-1]
    forbidden = {f"navalkit.games.{game}.{other}" for other in ROOMS.get(room, ())}
    wrong = {m for m in imports(file) if ".".join(m.split(".")[:4]) in forbidden}
    assert not wrong, f"{file} imports {', '.join(sorted(wrong))}"


@pytest.mark.parametrize("folder", sorted({f.parent for f in FILES}), ids=str)
def test_a_room_holds_few_modules(folder: Path) -> None:
    assert len([f for f in FILES if f.parent == folder and f.name != "__init__.py"]) <= MOST


def test_a_canvas_knows_no_page() -> None:
    rooms = {".".join(m.split(".")[:3]) for f in FILES if f.parent == Path("ui/canvas") for m in imports(f)}
    assert "navalkit.ui.widgets" in rooms  # they were read
    assert not rooms & {f"navalkit.ui.{room}" for room in ("explore", "play", "rooms", "step")}


GAMES = {name for game in navalkit.games.names() for name in (game, game.replace("-", "_"), game.replace("-", " "))}


def plain(file: Path) -> str:
    """The text of a file, of a module without its docstrings, which may give examples."""
    text = (ROOT / file).read_text(encoding="utf-8")
    if file.suffix != ".py":
        return text.lower()
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            body[:] = [x for x in body if not (isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant))]
    return ast.unparse(tree).lower()


def test_pages_and_walks_name_no_game() -> None:
    folders = "ui", "walks", "rooms", "serve"
    files = [p.relative_to(ROOT) for f in folders for p in (ROOT / f).rglob("*.*") if p.suffix in KINDS]
    assert len(files) > 50
    assert not [(str(file), game) for file in files for game in GAMES if game in plain(file)]


def go_round(files: list[Path], depth: int) -> list[str] | None:
    """A circle of imports, those for type checkers apart, between what the first parts of the modules' names name."""
    names = {file: ".".join(["navalkit", *file.with_suffix("").parts]).removesuffix(".__init__") for file in files}
    graph: dict[str, set[str]] = {}
    for file, name in names.items():
        here = ".".join(name.split(".")[:depth])
        found = {next((m for m in (each, each.rpartition(".")[0]) if m in names.values()), here)
                 for each in imports(file, run=True)}  # fmt: skip
        graph[here] = graph.get(here, set()) | {".".join(m.split(".")[:depth]) for m in found} - {here}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        return list(circle.args[1])
    return None


def test_no_imports_go_round() -> None:
    assert go_round(FILES, 9) is None


@pytest.mark.parametrize("game", ROOMY)
def test_no_imports_go_round_between_the_rooms_of_a_game(game: str) -> None:
    assert go_round([f for f in FILES if f.parts[:2] == ("games", game) and len(f.parts) > 2], 4) is None


SERVER = {Path("serve") / f"{name}.py" for name in ("server", "kernels", "extension")}
"""Modules that run in the server of the pages, or in Jupyter's; no other module imports them."""


@pytest.mark.parametrize("file", [f for f in FILES if f.parts[0] != "ui" and f not in SERVER], ids=str)
def test_widgets_stay_in_ui(file: Path) -> None:
    assert not {m.split(".")[0] for m in imports(file)} & WIDGETS


def test_the_reader_of_imports_sees_them_all() -> None:
    """Lest the tests above pass by seeing nothing."""
    assert {"navalkit.core.match", "navalkit.games", "navalkit.players"} <= set(imports(Path("__init__.py")))
    assert "navalkit.core.errors" in set(imports(Path("core/match.py")))
    assert "navalkit.serve" in set(imports(Path("cli/__init__.py")))  # inside a function
    assert not allowed(Path("core/match.py"), "navalkit.games")
    assert not allowed(Path("games/uss_lox/rules/game.py"), "navalkit.view.scene")
    assert not allowed(Path("games/uss_lox/rules/game.py"), "navalkit.explore.question")
    assert not allowed(Path("explore/ask.py"), "navalkit.games.uss_lox")
    assert not allowed(Path("games/uss_lox/bots/solve.py"), "navalkit.view.painters")
    assert not allowed(Path("games/uss_lox/rules/game.py"), "navalkit.games.on_patrol.rules")


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
    assert not {name for name in loaded if layer(name) in ("ui", "view", "walks", "sim", "testing")} & {
        name for name in loaded if name.startswith("navalkit.")
    }


def test_the_public_face_is_six_names() -> None:
    assert set(navalkit.__all__) == {"load", "games", "Match", "player", "register", "__version__"}
    assert navalkit.games.names() == navalkit.core.registry.names()


LATER = (
    "navalkit.ui.play.begin", "navalkit.ui.play.review_panel", "navalkit.ui.rooms.door",
    "navalkit.rooms", "navalkit.players.review", "navalkit.view.painters", "navalkit.view.files", "segno",
)  # fmt: skip
"""What a page of a game imports when it is asked for, after its first board."""


def test_a_first_board_waits_for_nothing_that_is_shown_later() -> None:
    program = (
        "import asyncio, sys\n"
        "async def page():\n"  # with a loop, as in a kernel: what may come later comes later
        "    from navalkit.ui.play.app import GameApp\n"
        "    app = GameApp('uss-lox')\n"
        "    assert app.board.painter.frames\n"
        "    print(*sys.modules)\n"
        "asyncio.run(page())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "navalkit.games.uss_lox.page" in loaded
    assert loaded.isdisjoint(LATER)
