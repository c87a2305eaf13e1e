"""What a lesson opens with, as a vote on phones: hooks.toml has them. A board is a position of a game after orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from navalkit.core.files.datafile import read
from navalkit.core.match import Match
from navalkit.core.registry import load

from .clicker import Clicker, Option

HOOKS: Mapping[str, list[dict[str, Any]]] = read("navalkit.teach", "hooks.toml")
"""Word of a lesson -> its hooks: title, text, choices, and perhaps right, told and look."""


def hooks(lesson: str) -> list[Clicker]:
    """The hooks of a lesson by its word."""
    return [_hook(f"{lesson}.hook{number}", row) for number, row in enumerate(HOOKS.get(lesson, ()), 1)]


def _hook(id: str, row: Mapping[str, Any]) -> Clicker:
    options = tuple(Option(str(number), label) for number, label in enumerate(row.get("choices", ())))
    right = tuple(each.id for each in options if each.label == row.get("right"))
    return Clicker(
        id, row["title"], row["text"].strip(), options, right, row.get("told", ""), False, row.get("look", {})
    )


def position(look: Mapping[str, Any]) -> Match:
    """The match a hook looks at: ``game`` with its ``options`` from ``seed``, after ``orders``."""
    match = Match.new(load(look["game"], **look.get("options", {})), seed=look["seed"])
    for order in look["orders"]:
        match.play(order)
    return match
