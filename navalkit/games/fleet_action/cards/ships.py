"""Ships given as TOML: read and checked field by field. The ships of data.toml come in the same way.

A ship is a table ``[[ship]]`` such as

    [[ship]]
    name = "Zephyr"
    like = "Fletcher"       # every field not given here is hers
    displacement = 2200
    main = [{ gun = "5in/38", forward = 2, aft = 2 }]
    torpedoes = [{ kind = "Mk 15", tubes = 5, sets = 2 }]

``protection`` names a grade from which the sinking rate is calculated; ``sinking_rate`` gives it outright instead.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.errors import DataError
from navalkit.core.files.datafile import sourced

from ..words import SAY
from .figures import DATA, FIGURES, find, sinking_rate
from .vessels import ARCS, BATTERIES, Mount, ShipCard, TorpedoSet

LONGEST = 200_000  # characters of TOML; a fleet of a hundred ships has about 40,000
NAME = r"[^\W\d_](?:[^\W_]|[ '-]){0,27}"  # nothing in it that means something in an order
PLAYERS = SAY("ships.by_players")

# Field -> least and most. Anything bolder than these is surely a slip of the pen.
NUMBERS = {
    "year": (1850, 2100),
    "displacement": (1, 100_000),
    "speed": (0, 80),
    "mines": (0, 1000),
    "aircraft": (0, 200),
    "anti_aircraft": (0, 10),
    "sinking_rate": (1, 2000),
}
TEXTS = {"name": 28, "class": 24, "nation": 16, "type": 24, "armour": 32, "protection": 24, "source": 200}  # characters
KINDS = 4  # kinds of gun in a battery, and of torpedo set: as many as a card has room for
NEEDED = ("name", "type", "displacement", "speed")
DEFAULTS: Mapping[str, Any] = {
    "class": "", "nation": "", "year": 1940, "armour": "", "protection": "unarmoured", "main": [], "secondary": [],
    "torpedoes": [], "mines": 0, "aircraft": 0, "anti_aircraft": 0, "source": PLAYERS,
}  # fmt: skip
FIELDS = (*NEEDED, *DEFAULTS, "sinking_rate")


def ship_card(row: Mapping[str, Any], where: str) -> ShipCard:
    """The card of one ``[[ship]]``; ``where`` begins every complaint.

    DataError if a field is missing, unknown or out of range: the sentence names it.
    """
    if unknown := [key for key in row if key not in FIELDS]:
        raise DataError(SAY("ships.field", where=where, name=brief(unknown[0]), names=", ".join(sorted(FIELDS))))
    if missing := [key for key in NEEDED if key not in row]:
        raise DataError(SAY("ships.lacks", where=where, name=brief(missing[0])))
    full = {**DEFAULTS, **row}
    text = {key: _text(full, key, where) for key in TEXTS}
    if not re.fullmatch(NAME, text["name"]):
        raise DataError(SAY("ships.name", where=where))
    if text["type"] not in FIGURES.types:
        raise DataError(SAY("ships.type", where=where, names=", ".join(FIGURES.types), value=brief(text["type"])))
    number = {key: _number(full, key, where) for key in NUMBERS if key != "sinking_rate"}
    protection = ""
    if "sinking_rate" in row:
        rate = int(_number(full, "sinking_rate", where))
    else:
        protection = text["protection"]
        _known(protection, FIGURES.grades, f"{where}: protection", "grade")
        rate = sinking_rate(int(number["displacement"]), protection)
    mounts = tuple(mount for battery in BATTERIES for mount in _mounts(full, battery, where))
    return ShipCard(
        name=text["name"],
        ship_class=text["class"],
        nation=text["nation"],
        year=int(number["year"]),
        type=text["type"],
        displacement=int(number["displacement"]),
        speed=float(number["speed"]),
        armour=text["armour"],
        mounts=mounts,
        torpedoes=tuple(_sets(full, where)),
        mines=int(number["mines"]),
        aircraft=int(number["aircraft"]),
        anti_aircraft=int(number["anti_aircraft"]),
        sinking_rate=rate,
        source=text["source"],
        protection=protection,
    )


def read_ships(text: str) -> tuple[ShipCard, ...]:
    """The ships of a TOML text, in its order.

    ``text``: tables ``[[ship]]``, as the head of this module shows; ``like`` names a ship of data.toml. DataError if
    the text is no TOML, too long, holds no ship or one twice, or a field is wrong: the sentence names ship and field.
    """
    if len(text) > LONGEST:
        raise DataError(SAY("ships.long", n=len(text), most=LONGEST))
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(SAY("ships.toml", error=error)) from None
    rows = data.get("ship")
    if set(data) != {"ship"} or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise DataError(SAY("ships.tables"))
    cards: dict[str, ShipCard] = {}
    for i, row in enumerate(rows, 1):
        where = SAY("ships.ship", name=brief(row["name"]) if isinstance(row.get("name"), str) else i)
        if "like" in row:
            row = {**_model(row, where), **{key: value for key, value in row.items() if key != "like"}}
        card = ship_card(row, where)
        if card.name.casefold() in cards:
            raise DataError(SAY("ships.twice", where=where))
        cards[card.name.casefold()] = card
    return tuple(cards.values())


def _model(row: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The table of the ship that ``like`` names, without the rating that the new ship's own fields overrule."""
    model = dict(_known(row["like"], ROWS, f"{where}: like", "ship"))
    model["source"] = PLAYERS
    for given, overruled in (("protection", "sinking_rate"), ("sinking_rate", "protection")):
        if given in row:
            model.pop(overruled, None)
    return model


def _known(name: object, table: Mapping[str, Any], where: str, what: str) -> Any:
    try:
        return find(name, table, what)
    except DataError as error:
        raise DataError(SAY("ships.at", where=where, wrong=error)) from None


def _text(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row[key]
    if not isinstance(value, str) or len(value) > TEXTS[key] or not value.isprintable():
        raise DataError(SAY("ships.text", where=where, field=key, most=TEXTS[key]))
    return value


def _number(row: Mapping[str, Any], key: str, where: str) -> float:
    low, high = NUMBERS[key]
    value = row[key]
    kinds, what = ((int, float), "ships.number") if key == "speed" else ((int,), "ships.whole")
    if isinstance(value, bool) or not isinstance(value, kinds) or not low <= value <= high:
        raise DataError(SAY(what, where=where, field=key, low=low, high=high, value=brief(value)))
    return value


def _tables(row: Mapping[str, Any], key: str, where: str, form: str) -> list[dict[str, Any]]:
    value = row[key]
    if not isinstance(value, list) or len(value) > KINDS or not all(isinstance(entry, dict) for entry in value):
        raise DataError(SAY("ships.list", where=where, field=key, most=KINDS, form=SAY(form)))
    return value


def _count(value: object, where: str, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= high:
        raise DataError(SAY("ships.count", where=where, high=high, value=brief(value)))
    return value


def _mounts(row: Mapping[str, Any], battery: str, where: str) -> Iterable[Mount]:
    """The mounts of a battery: one for each arc of each kind of gun."""
    for i, entry in enumerate(_tables(row, battery, where, "ships.gun_form"), 1):
        here = f"{where}: {battery} {i}"
        arcs = {key: value for key, value in entry.items() if key != "gun"}
        if "gun" not in entry or not arcs or (unknown := [arc for arc in arcs if arc not in ARCS]):
            key, wrong = ("ships.arc", unknown[0]) if "gun" in entry and arcs else ("ships.gun", "")
            raise DataError(SAY(key, where=here, arcs=", ".join(ARCS), value=brief(wrong)))
        gun = _known(entry["gun"], FIGURES.guns, f"{here}: gun", "gun").name
        for arc, guns in arcs.items():
            yield Mount(gun, _count(guns, f"{here}: {arc}", 60), arc, battery)


def _sets(row: Mapping[str, Any], where: str) -> Iterable[TorpedoSet]:
    """The torpedo sets, those of ``sets = 2`` one by one."""
    for i, entry in enumerate(_tables(row, "torpedoes", where, "ships.set_form"), 1):
        here = f"{where}: torpedoes {i}"
        if not {"kind", "tubes"} <= set(entry) <= {"kind", "tubes", "sets"}:
            raise DataError(SAY("ships.set", where=here))
        kind = _known(entry["kind"], FIGURES.torpedoes, f"{here}: kind", "torpedo").name
        tubes = _count(entry["tubes"], f"{here}: tubes", 20)
        yield from [TorpedoSet(kind, tubes)] * _count(entry.get("sets", 1), f"{here}: sets", 10)


def _own() -> tuple[ShipCard, ...]:
    """The ships of data.toml."""
    for row in DATA["ship"]:
        sourced(row, f"ship {row.get('name')}")
    return tuple(ship_card(row, SAY("ships.row", name=row.get("name"))) for row in DATA["ship"])


ROWS: Mapping[str, Mapping[str, Any]] = MappingProxyType({row["name"]: row for row in DATA["ship"]})
SHIPS = _own()
