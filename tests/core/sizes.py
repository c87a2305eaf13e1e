"""How large the house is: modules, lines, and the share of code that only imports; `make check` prints it."""

from __future__ import annotations
import ast
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2] / "navalkit"
PARTS = {
    "library": ("core", "grids", "prob", "players", "games", "sim", "explore", "testing", "cli"),
    "pages": ("view", "walks", "ui"),
    "class": ("teach", "rooms", "serve"),
}


@dataclass(frozen=True, slots=True)
class Size:
    """Modules; all their lines; those of code, with neither blanks, comments nor docstrings; those that import."""

    modules: int = 0
    lines: int = 0
    code: int = 0
    imports: int = 0

    def __add__(self, other: Size) -> Size:
        return Size(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def share(self) -> float:
        """The share of the code that only imports."""
        return self.imports / self.code


def size(files: Iterable[Path]) -> Size:
    """What modules come to."""
    return sum(map(_of, files), Size())


def _of(file: Path) -> Size:
    text = file.read_text(encoding="utf-8")
    lines, tree = text.splitlines(), ast.parse(text)
    told = [node for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    spoken, importing = _lines(told), _lines(n for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom))
    code = {n for n, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")} - spoken
    return Size(1, len(lines), len(code), len(importing))


def _lines(nodes: Iterable[ast.stmt]) -> set[int]:
    return {line for node in nodes for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


if __name__ == "__main__":
    row = "{:<10}{:>9}{:>9}{:>9}{:>10}".format
    print(row("", "modules", "lines", "code", "imports"))
    parts = {name: [file for part in found for file in (ROOT / part).rglob("*.py")] for name, found in PARTS.items()}
    for name, files in (*parts.items(), ("all", list(ROOT.rglob("*.py")))):
        found = size(files)
        print(row(name, found.modules, f"{found.lines:,}", f"{found.code:,}", f"{found.share:.1%}"))
