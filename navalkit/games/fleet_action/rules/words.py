"""Typed loader of options.toml: the options and sentences of Fleet Action, and what every step of the rules gives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from navalkit.core.datafile import read, sourced
from navalkit.core.event import Event
from navalkit.core.options import OptionSpec
from navalkit.core.trace import Sentences

from ..state import State

Step = tuple[State, tuple[Event, ...]]
"""A state, and what happened on the way to it."""

_DATA = read("navalkit.games.fleet_action", "data/options.toml")
SAY = Sentences(_DATA["say"])


def options(**more: dict[str, Any]) -> tuple[OptionSpec, ...]:
    """The options; ``more`` adds fields to some by name (the choices of scenarios, readers of texts)."""
    found = []
    for row in _DATA["option"]:
        fields = sourced(row, f"option {row.get('name')}")
        fields["choices"] = tuple(fields.get("choices", ()))
        found.append(OptionSpec(**{**fields, **more.get(fields["name"], {})}))
    return tuple(found)


def count(number: int, noun: str) -> str:
    """So many of something: "1 point", "3 points"."""
    return f"{number} {noun}{'s' * (number != 1)}"


def with_ship(state: State, ship: int, **changes: Any) -> State:
    """The state with one ship changed."""
    ships = list(state.ships)
    ships[ship] = replace(ships[ship], **changes)
    return replace(state, ships=tuple(ships))
