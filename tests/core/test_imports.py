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
from .sizes import size

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
    "envs": {"core"},
    "cli": {"core", "players", "games", "sim", "teach", "view", "serve", ""},
    "__main__": {"cli"},
}
FILES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))


PARTS = {  # kind of part of a game, from what is known first to what shows it -> the modules and folders that are of it
    "rules": "data cards craft planes cribbage round state sight notation scenarios sea combat escort rules game",
    "odds": "odds raids prospects belief deduce cases",
    "bots": "bots quick search optimal endgame patrols",
    "board": "layout board scene pieces card page",
    "edge": "coding measures questions lesson walk",
}
ORDER = [kind for kind, names in PARTS.items() for _ in names.split()]
KIND = dict(zip(" ".join(PARTS.values()).split(), ORDER, strict=True))
KINDS = {".py", ".js", ".css", ".toml"}
LONGEST, MOST, IMPORTS = 600, 286, 0.09
"""Lines of a module, modules of the library (230 when its walls were moved; since then the fitted race, the figures,
the table of how good reviews are, the brig that students' notebooks run in, which knows no exercise, the pages that go
back to students, the explorer before a class and its guesses, a class's screen, how a page holds a class, its panel
before a stepper, what leads it from a second device, the gate to the network, which is all that it opens, what is at
the other end of a page, that end in a browser's worker, and films, which pages no longer hold: what is told when, On
Patrol's own, and her window; players of one's own and their check, the arena, its files and its cluster, and the games
in figures, as environments to learn in, each game's own beside it; Fleet Action's boats, their hunters, aircraft, the
odds and orders of these, their captains, the sky these see, and what is asked of them; of her board what they would do,
how they are told to, how they look and their part of a film, and what lessons ask of a boat that is lost; the pages in
a notebook's cells, which play, explore and step alike; the workshop for scenarios: what they are made of, which knows
no draft of one, drafts, the page, and what two games say of theirs), and the share of its code lines that import."""


def layer(module: str) -> str:
    """The layer of a module of ours: "navalkit.core.match" is in "core"."""
    return (module.split(".") + [""])[1]


def part_of(file: Path) -> str:
    """The part of a game that a module is, or lies in: "bots" of games/on_patrol/bots.py; "" of what is none."""
    inside = file.with_suffix("").parts[2:] if file.parts[0] == "games" else ()
    return inside[0] if inside and not inside[0].startswith("__") else ""


def kind_of(file: Path) -> str:
    """The kind of part of a game (`PARTS`) that a module is of, "" of none."""
    return KIND[part_of(file)] if part_of(file) else ""


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


@cache
def imports(file: Path, run: bool = False) -> tuple[str, ...]:
    """Absolute names of all that a module imports, at its head or anywhere in it; ``run``: only as it is loaded."""
    return tuple(read(file, run))


def read(file: Path, run: bool) -> Iterator[str]:
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
        return kind_of(file) == "board" or part_of(file) in ("measures", "walk", "questions")
    if mine == "games" and other == "walks":
        return kind_of(file) == "board" or part_of(file) == "walk"
    if mine == "games" and other == "explore":
        return part_of(file) == "questions"
    if mine == "games" == other and len(file.parts) > 2:  # no game knows another
        return module.split(".")[2:3] == [file.parts[1]]
    return other == mine or other in MAY[mine]


@pytest.mark.parametrize("file", FILES, ids=str)
def test_imports_run_one_way(file: Path) -> None:
    wrong = {m for m in imports(file) if m.split(".")[0] == "navalkit" and not allowed(file, m)}
    assert not wrong, f"{file} imports {', '.join(sorted(wrong))}"


@pytest.mark.parametrize("file", [file for file in FILES if part_of(file)], ids=str)
def test_parts_of_a_game_import_one_way(file: Path) -> None:
    """Rules know no odds, odds no machine player, and no player the board."""
    kinds = list(PARTS)
    here = kinds.index(kind_of(file))
    others = {m for m in imports(file) if m.startswith(f"navalkit.games.{file.parts[1]}.")}
    wrong = {m for m in others if (other := KIND.get(m.split(".")[3])) and kinds.index(other) > here}
    assert not wrong, f"{file} imports {', '.join(sorted(wrong))}"


def test_modules_are_few_and_can_be_read_in_one_sitting() -> None:
    long = {str(file): n for file in FILES if (n := (ROOT / file).read_text(encoding="utf-8").count("\n")) > LONGEST}
    assert not long and len(FILES) <= MOST


def test_few_lines_of_code_only_import() -> None:
    assert size(ROOT / file for file in FILES).share < IMPORTS



def test_a_board_knows_no_page() -> None:
    found = set(imports(Path("ui/board.py")))
    assert "navalkit.ui.widgets" in found  # they were read
    rooms = tuple(f"navalkit.ui.{room}" for room in ("explore", "play", "rooms", "step"))
    assert not {module for module in found if module.startswith(rooms)}


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
    told = {str(file): plain(file) for file in files}
    assert not [(file, game) for file, text in told.items() for game in GAMES if game in text]


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


@pytest.mark.parametrize("game", sorted({f.parts[1] for f in FILES if part_of(f)}))
def test_no_imports_go_round_between_the_parts_of_a_game(game: str) -> None:
    assert go_round([f for f in FILES if f.parts[:2] == ("games", game) and len(f.parts) > 2], 4) is None


SERVER = {Path("serve") / f"{name}.py" for name in ("server", "extension")}
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
    assert not allowed(Path("games/uss_lox/game.py"), "navalkit.view.scene")
    assert not allowed(Path("games/uss_lox/game.py"), "navalkit.explore.question")
    assert not allowed(Path("explore/ask.py"), "navalkit.games.uss_lox")
    assert not allowed(Path("games/uss_lox/endgame.py"), "navalkit.view.painters")
    assert not allowed(Path("games/uss_lox/game.py"), "navalkit.games.on_patrol.rules")


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
    assert navalkit.load(name).__module__ in loaded
    assert not {name.split(".")[0] for name in loaded} & WIDGETS
    assert not {name for name in loaded if layer(name) in ("ui", "view", "walks", "sim", "testing")} & {
        name for name in loaded if name.startswith("navalkit.")
    }


def test_the_public_face_is_eight_names() -> None:
    names = {"load", "games", "Match", "player", "register", "explorer", "stepper", "__version__"}
    assert set(navalkit.__all__) == names
    assert navalkit.games.names() == navalkit.core.registry.names()


LATER = (
    "navalkit.ui.play.begin", "navalkit.ui.play.review_panel", "navalkit.ui.rooms.door",
    "navalkit.rooms", "navalkit.players.review", "navalkit.view.files", "segno",
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
