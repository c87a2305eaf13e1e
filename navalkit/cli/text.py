"""What the commands share: a parser that fails in one line, options in, tables out."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

from navalkit.core.echo import LONGEST_ECHO, brief, cut
from navalkit.core.errors import OptionError
from navalkit.core.language.words import Words

SAY = Words.load("navalkit.cli")


class Parser(argparse.ArgumentParser):
    """Ends with one line on stderr and code 2 after a bad order."""

    def error(self, message: str) -> NoReturn:
        told = re.sub(rf"\S{{{LONGEST_ECHO},}}", lambda word: cut(word[0]), message)
        print(SAY("bad-order", command=self.prog, message=told), file=sys.stderr)
        raise SystemExit(2)


def options(pairs: Sequence[str]) -> Mapping[str, str]:
    """Options written NAME=VALUE; OptionError for any other text."""
    given = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise OptionError(SAY("refuse.option", pair=brief(pair)))
        given[name.strip()] = value.strip()
    return given


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns side by side; the first is left-aligned, the others right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        first, *others = zip(row, widths, strict=True)
        cells = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
        print("  ".join(cells).rstrip())
