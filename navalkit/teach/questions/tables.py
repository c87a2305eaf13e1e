"""Decision tables in lessons."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product


def turned(radial: str, by: int) -> str:
    """The radial that lies ``by`` times sixty degrees to starboard of another."""
    return f"radial {(int(radial.split()[1]) - 1 + by) % 6 + 1}"


def rows_that_fit(table: str, count: int) -> int:
    """In how many cases exactly ``count`` rows of a decision table fit. ``table``: rows such as "yy-- --ny": y for yes,
    n for no, - for a condition that does not matter."""
    rows = table.split()
    fits = (sum(all(r in ("-", c) for r, c in zip(row, case, strict=True)) for row in rows) for case in
            product("yn", repeat=len(rows[0])))  # fmt: skip
    return sum(fit == count for fit in fits)


def table_shown(table: str, heads: Sequence[str], results: Sequence[int]) -> str:
    """A decision table in Markdown, its rows as for `rows_that_fit`, with what each sets."""
    words = {"y": "yes", "n": "no", "-": "–"}
    lines = [["row", *heads], ["---:", *["---"] * (len(heads) - 1), "---:"]]
    for number, (row, result) in enumerate(zip(table.split(), results, strict=True), 1):
        lines.append([str(number), *(words[each] for each in row), str(result)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
