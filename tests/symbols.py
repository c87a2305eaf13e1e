"""Code by its names, wherever it lies: so that a test outlives a move."""

from __future__ import annotations
import ast
from collections.abc import Iterator

__all__ = ["definitions"]


def definitions(text: str) -> Iterator[tuple[str, int, int]]:
    """Each class, function and constant of a module: its name, and where its lines begin and end."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def inside(node: ast.AST, above: str) -> Iterator[tuple[str, int, int]]:
        for each in ast.iter_child_nodes(node):
            names = [each.name] if isinstance(each, ast.ClassDef | ast.FunctionDef) else []
            if isinstance(each, ast.Assign | ast.AnnAssign) and isinstance(node, ast.Module):
                targets = each.targets if isinstance(each, ast.Assign) else [each.target]
                names = [target.id for target in targets if isinstance(target, ast.Name)]
            for name in names:
                yield above + name, lines[each.lineno - 1], lines[each.end_lineno or 0]
            yield from inside(each, f"{above}{names[0]}." if names else above)

    return inside(ast.parse(text), "")
