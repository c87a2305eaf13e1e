"""``navalkit new-game``: the skeleton of a game in a package of its own, playable and tested as it is."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from navalkit.core.echo import brief
from navalkit.core.errors import OptionError
from navalkit.core.registry import names

from .text import SAY

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def new_game(arguments: argparse.Namespace) -> int:
    """The command: write the skeleton into a new folder, and say what comes next."""
    folder = write(arguments.name, Path(arguments.folder))
    print(SAY("new-game.written", game=arguments.name, folder=str(folder)))
    return 0


def write(name: str, inside: Path) -> Path:
    """Write the skeleton of a game.

    ``name``: of the game ("night-duel"); its package is called alike ("night_duel"). ``inside``: the folder in which a
    folder of that name is made. Returns the new folder. OptionError if the name is none or is taken, or the folder is
    there already.
    """
    package = name.replace("-", "_")
    if not _NAME.fullmatch(name) or iskeyword(package):
        raise OptionError(SAY("new-game.no-name", name=brief(name)))
    if name in names() or find_spec(package):
        raise OptionError(SAY("new-game.taken", name=name))
    folder = inside / name
    if folder.exists():
        raise OptionError(SAY("new-game.there", folder=str(folder)))
    title = name.replace("-", " ").title()
    filled = {"game": name, "package": package, "title": title, "Class": title.replace(" ", "")}
    for path, text in _files(resources.files("navalkit.cli") / "skeleton"):
        target = folder / _fill(path.removesuffix(".txt"), filled)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_fill(text, filled), encoding="utf-8")
    return folder


def _files(folder: Traversable, above: str = "") -> Iterator[tuple[str, str]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{above}{entry.name}/")
        else:
            yield above + entry.name, entry.read_text(encoding="utf-8")


def _fill(text: str, filled: dict[str, str]) -> str:
    return re.sub(r"\{\{(\w+)\}\}", lambda found: filled[found[1]], text)
