"""Typed loader of data.toml: the ships and boats, the four tables of the source, formations and packages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import floor
from typing import Any, TypeVar

from navalkit.core.errors import DataError
from navalkit.core.files.datafile import Fields, sourced, values
from navalkit.grids.hex import Hex

from ..data import read
from .rows import (
    D66,
    ActionRow,
    BoatType,
    DepthRow,
    DetectionRow,
    FleetMove,
    FleetRow,
    FormationRow,
    Package,
    VesselType,
)
from .say import WHY
from .state import MarkerKind, Role

__all__ = [
    "D66", "FLEET_DIE", "TABLES", "ActionRow", "BoatType", "DepthRow", "DetectionRow", "FleetMove", "FleetRow",
    "FormationRow", "Package", "Tables", "VesselType", "fleet_move", "load",
]  # fmt: skip

Row = TypeVar("Row")

FLEET_DIE = range(1, 7)  # the faces of the fleet die


@dataclass(frozen=True, slots=True)
class Tables:
    """All of data.toml.

    Parameters
    ----------
    scale : mapping of str to int
        "search", "ship_gap", "column_gap", "beside" and "clear", in hexes; "knots" a hex.
    vessels : mapping of str to VesselType
    boats : mapping of str to BoatType
    packages : mapping of str to Package
    fleet_rows : mapping of str to FleetRow
    fleet : mapping of str to tuple of FleetMove
        The Fleet Movement Table: row -> its six cells, the one of the die at index die - 1.
    action_rows : tuple of ActionRow
        In the order of the source.
    actions : mapping of MarkerKind or None to ActionRow
        The Escort Action Table by marker, None for no marker: modes 1 to 6.
    detection, depth : tuple of rows
        In the order of the source.
    formations : mapping of int to FormationRow
    """

    scale: Mapping[str, int]
    vessels: Mapping[str, VesselType]
    boats: Mapping[str, BoatType]
    packages: Mapping[str, Package]
    fleet_rows: Mapping[str, FleetRow]
    fleet: Mapping[str, tuple[FleetMove, ...]]
    action_rows: tuple[ActionRow, ...]
    actions: Mapping[MarkerKind | None, ActionRow]
    detection: tuple[DetectionRow, ...]
    depth: tuple[DepthRow, ...]
    formations: Mapping[int, FormationRow]

    def action(self, id: str) -> ActionRow:
        """The row of the Escort Action Table with that id, such as "end" or "double" (KeyError if there is none)."""
        return {row.id: row for row in self.action_rows}[id]

    def detected(self, id: str) -> DetectionRow:
        """The row of the Submarine Detection Table with that id (KeyError if there is none)."""
        return {row.id: row for row in self.detection}[id]


def fleet_move(text: str) -> FleetMove:
    """A cell of the Fleet Movement Table from its text ("L2", "2R", "M").

    Raises
    ------
    DataError
        If the text is no cell.
    """
    match = re.fullmatch(r"([LR]?)([1-9]|M)([LR]?)", text)
    if match is None:
        raise DataError(WHY("tables.no_cell_fleet", text=text))
    turns = {"L": -1, "": 0, "R": 1}
    before, hexes, after = match.groups()
    return FleetMove(turns[before], None if hexes == "M" else int(hexes), turns[after], text)


def _make(kind: type[Row], row: Mapping[str, Any], where: str) -> Row:
    """A row as its dataclass, its source checked; DataError if the row lacks a field, has one too many, or names no
    source."""
    figures = sourced(dict(row), where) | {"source": row["source"]}
    f = Fields(figures, where)
    f.known.update(field.name for field in fields(kind))  # type: ignore[arg-type]
    f.done()
    try:
        return kind(**figures)
    except TypeError as error:
        raise DataError(WHY("tables.data_toml_not", where=where, error=error)) from None


def _marked(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with the word for its marker, if it has one, as a ``MarkerKind``."""
    return {**row, "marker": MarkerKind(row["marker"])} if "marker" in row else dict(row)


def load(data: Mapping[str, Any]) -> Tables:
    """The tables from the content of data.toml.

    Raises
    ------
    DataError
        If a row is incomplete, has an unknown field or names no source.
    """
    scale = values(data["scale"], "scale")

    def hexes(knots: float) -> int:
        return floor(knots / int(scale["knots"]) + 0.5)

    def vessel(id: str, row: Mapping[str, Any]) -> VesselType:
        hits = next(step["hits"] for step in data["endurance"] if row["tons"] <= step["tons"])
        made = {**row, "id": id, "role": Role(row["role"]), "speed": hexes(row["knots"]), "hits": hits}
        return _make(VesselType, made, f"vessel.{id}")

    def boat(id: str, row: Mapping[str, Any]) -> BoatType:
        made = {**row, "id": id, "surfaced": hexes(row["surfaced_knots"])}
        del made["surfaced_knots"]
        made |= {"torpedoes": tuple(row["torpedoes"]), "since": tuple(row["torpedoes"].values())}
        return _make(BoatType, made, f"boat.{id}")

    def formation(row: Mapping[str, Any]) -> FormationRow:
        made = {**row, "bows": tuple(map(Hex.parse, row["bows"])), "ships": tuple(row["ships"])}
        return _make(FormationRow, made, f"formation {row['number']}")

    def fleet(row: Mapping[str, Any]) -> FleetRow:
        return _make(FleetRow, {**row, "moves": tuple(map(fleet_move, row["moves"]))}, f"fleet {row['id']!r}")

    for step in data["endurance"]:
        sourced(step, WHY("tables.endurance_up_tons", step=step['tons']))
    fleet_rows = tuple(fleet(row) for row in data["fleet"])
    action_rows = tuple(_make(ActionRow, _marked(row), f"action {row['id']!r}") for row in data["action"])
    return Tables(
        scale=scale,
        vessels={id: vessel(id, row) for id, row in data["vessel"].items()},
        boats={id: boat(id, row) for id, row in data["boat"].items()},
        packages={
            id: _make(Package, {**row, "id": id, "parts": tuple(row["parts"])}, f"package.{id}")
            for id, row in data["package"].items()
        },
        fleet_rows={row.id: row for row in fleet_rows},
        fleet={row.id: row.moves for row in fleet_rows},
        action_rows=action_rows,
        actions={row.marker: row for row in action_rows if row.mode in range(1, 7)},
        detection=tuple(_make(DetectionRow, _marked(row), f"detection {row['id']!r}") for row in data["detection"]),
        depth=tuple(_make(DepthRow, row, f"depth {row['id']!r}") for row in data["depth"]),
        formations={row["number"]: formation(row) for row in data["formation"]},
    )


TABLES = load(DATA := read("data.toml"))
