"""Measures, and prints the table of ratios: ``python tests/bench/run.py [--only WORD] [--output FILE] [--list]``.

Runs every function ``bench_*`` of every ``bench_*.py`` beside this file. Each returns one row, or a list of
rows: ``name``, ``ours_seconds``, ``baseline`` (what it is compared with), ``baseline_seconds``, ``ratio``,
``note``. Ours and baseline are measured in one run on one machine, so the ratios can be compared between
machines; the times cannot.
"""

from __future__ import annotations
import argparse
import importlib.util
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]
FOLDER = Path(__file__).parent
sys.path.append(str(FOLDER.parents[1]))  # benches share helpers with tests


def benches(folder: Path = FOLDER) -> Iterator[tuple[str, Callable[[], Row | list[Row]]]]:
    """All bench functions by "file.function", in the order they are written."""
    for path in sorted(folder.glob("bench_*.py")):
        spec = importlib.util.spec_from_file_location(f"navalkit_{path.stem}", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        for name, value in list(vars(module).items()):  # a bench may import as it runs
            if name.startswith("bench_") and callable(value):
                yield f"{path.stem}.{name}", value


def table(rows: list[Row]) -> str:
    """The rows in Markdown."""
    lines = ["| what | ours | compared with | that | ratio | |", "|---|---:|---|---:|---:|---|"]
    for row in rows:
        ours, other = seconds(row["ours_seconds"]), seconds(row["baseline_seconds"])
        ratio = row["ratio"]
        lines.append(
            f"| {row['name']} | {ours} | {row['baseline']} | {other} | "
            f"{ratio:,.{0 if ratio >= 10 else 1 if ratio >= 1 else 2}f}x | {row.get('note', '')} |"
        )
    return "\n".join(lines) + "\n"


def seconds(value: float) -> str:
    """A time with its unit, to three figures."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:,.3g} {unit}" if value / size < 1000 else f"{value / size:,.0f} {unit}"
    return f"{value / 1e-9:,.3g} ns"


def main(argv: list[str] | None = None) -> int:
    """Run the benches; the table goes to stdout, and to a file if one is named."""
    parser = argparse.ArgumentParser(description="Measure, and print the table of ratios.")
    parser.add_argument("--only", default="", metavar="WORD", help="run the benches whose name holds this")
    parser.add_argument("--output", metavar="FILE", type=Path, help="write the table to this file as well")
    parser.add_argument("--list", action="store_true", help="only name the benches")
    arguments = parser.parse_args(argv)
    rows: list[Row] = []
    for name, bench in benches():
        if arguments.list:
            print(name)
        elif arguments.only in name:
            print(f"{name} ...", file=sys.stderr, flush=True)
            found = bench()
            rows += found if isinstance(found, list) else [found]
    if arguments.list:
        return 0
    system = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}\n"
    text = f"{table(rows)}\n{system}"
    print(text, end="")
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
