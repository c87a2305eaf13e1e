"""The files of On Patrol: tables, options, sentences, scenarios and ready-made positions."""

from __future__ import annotations
from importlib import resources
from typing import Any

from navalkit.core.files import read as read_toml
from navalkit.core.words import Words


def read(file: str) -> dict[str, Any]:
    """The content of a TOML file in this folder ("combat.toml")."""
    return read_toml(__name__, file)


def text(file: str) -> str:
    """The same as it is written."""
    return (resources.files(__name__) / file).read_text(encoding="utf-8")


def words(*files: str) -> Words:
    """The sentences of TOML files in this folder, by key."""
    return Words.load(__name__, *files)


def listed(folder: str) -> tuple[str, ...]:
    """The names of the TOML files in a subfolder ("scenarios"), in order."""
    files = (resources.files(__name__) / folder).iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))
