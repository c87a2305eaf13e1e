"""The sentences of what happens and of what is refused, and the options, of Fleet Action."""

from __future__ import annotations

from typing import Any

from navalkit.core.files.datafile import read, sourced
from navalkit.core.language.words import Words
from navalkit.core.options import OptionSpec

HOME = "navalkit.games.fleet_action"
SAY = Words.load(HOME, "data/words.toml")


def options(**more: dict[str, Any]) -> tuple[OptionSpec, ...]:
    """The options; ``more`` adds fields to some by name (the choices of scenarios, readers of texts)."""
    found = []
    for row in read(HOME, "data/options.toml")["option"]:
        fields = sourced(row, f"option {row.get('name')}")
        fields["choices"] = tuple(fields.get("choices", ()))
        found.append(OptionSpec(**{**fields, **more.get(fields["name"], {})}))
    return tuple(found)
