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
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.errors import DataError
from navalkit.core.files.datafile import Fields, sourced

from ..words import SAY
from .figures import DATA, FIGURES, find, sinking_rate
from .vessels import ARCS, BATTERIES, Mount, ShipCard, TorpedoSet

LONGEST = 200_000  # characters of TOML; a fleet of a hundred ships has about 40,000
NAME = r"[^\W\d_](?:[^\W_]|[ '-]){0,27}"  # nothing in it that means something in an order
PLAYERS = SAY("ships.by_players")

# What a field may be. Anything bolder than these is surely a slip of the pen.
NUMBERS = {
    "year": range(1850, 2101),
    "displacement": range(1, 100_001),
    "mines": range(1001),
    "aircraft": range(201),
    "anti_aircraft": range(11),
}
RATES = range(1, 2001)
TEXTS = {"name": 28, "class": 24, "nation": 16, "armour": 32, "protection": 24, "source": 200}  # characters
KINDS = range(5)  # kinds of gun in a battery, and of torpedo set: as many as a card has room for
DEFAULTS: Mapping[str, Any] = {
    "class": "", "nation": "", "year": 1940, "armour": "", "protection": "unarmoured", "mines": 0, "aircraft": 0,
    "anti_aircraft": 0, "source": PLAYERS,
}  # fmt: skip


def ship_card(f: Fields) -> ShipCard:
    """The card of one ``[[ship]]``; DataError if a field is missing, unknown or out of range: the sentence names it."""
    text = {name: f.text(name, DEFAULTS.get(name), most) for name, most in TEXTS.items()}
    if not re.fullmatch(NAME, text["name"]):
        raise f.wrong("name", SAY("ships.name"))
    number = {name: f.whole(name, numbers, DEFAULTS.get(name)) for name, numbers in NUMBERS.items()}
    protection = ""
    if "sinking_rate" in f:
        rate = f.whole("sinking_rate", RATES)
    else:
        protection = text["protection"]
        f.read("protection", find, protection, FIGURES.grades, "grade")
        rate = sinking_rate(number["displacement"], protection)
    card = ShipCard(
        name=text["name"],
        ship_class=text["class"],
        nation=text["nation"],
        year=number["year"],
        type=f.one_of("type", FIGURES.types),
        displacement=number["displacement"],
        speed=float(f.number("speed", 0, 80)),
        armour=text["armour"],
        mounts=tuple(mount for battery in BATTERIES for mount in _mounts(f, battery)),
        torpedoes=tuple(_sets(f)),
        mines=number["mines"],
        aircraft=number["aircraft"],
        anti_aircraft=number["anti_aircraft"],
        sinking_rate=rate,
        source=text["source"],
        protection=protection,
    )
    f.done()
    return card


def read_ships(text: str, like: Mapping[str, Mapping[str, Any]] | None = None) -> tuple[ShipCard, ...]:
    """The ships of a TOML text, in its order.

    ``text``: tables ``[[ship]]``, as the head of this module shows. ``like``: the ships that ``like`` may name, as
    tables; those of data.toml if not given. DataError if the text is no TOML, too long, holds no ship or one twice, or
    a field is wrong: the sentence names ship and field.
    """
    if len(text) > LONGEST:
        raise DataError(SAY("ships.long", n=len(text), most=LONGEST))
    file = Fields.of(text, SAY("ships.file"))
    rows = file.rows("ship", range(1, LONGEST), SAY.phrase("ships.tables"))
    file.done()
    for f in rows:
        if isinstance(name := f.data.get("name"), str):
            f.where = SAY("ships.ship", name=brief(name))
    return ships_of(rows, like)


def ships_of(rows: Iterable[Fields], like: Mapping[str, Mapping[str, Any]] | None = None) -> tuple[ShipCard, ...]:
    """The ships of some tables; as `read_ships`."""
    cards: dict[str, ShipCard] = {}
    for f in rows:
        if "like" in f:
            f.data = {**_model(f, ROWS if like is None else like), **f.data}
        card = ship_card(f)
        if card.name.casefold() in cards:
            raise DataError(SAY("ships.twice", where=f.where))
        cards[card.name.casefold()] = card
    return tuple(cards.values())


def _model(f: Fields, known: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The table of the ship that ``like`` names, without the rating that the new ship's own fields overrule."""
    model = {**f.read("like", find, f.data["like"], known, "ship"), "source": PLAYERS}
    for given, overruled in (("protection", "sinking_rate"), ("sinking_rate", "protection")):
        if given in f.data:
            model.pop(overruled, None)
    return model


def _mounts(f: Fields, battery: str) -> Iterator[Mount]:
    """The mounts of a battery: one for each arc of each kind of gun."""
    for row in f.rows(battery, KINDS, SAY.phrase("ships.guns", most=KINDS[-1])):
        gun = row.read("gun", find, row.text("gun"), FIGURES.guns, "gun").name
        arcs = [arc for arc in row.data if arc in ARCS]
        yield from (Mount(gun, row.whole(arc, range(1, 61)), arc, battery) for arc in arcs)
        row.known.update(ARCS)
        row.done()
        if not arcs:
            raise DataError(SAY("ships.arc", where=row.where, arcs=", ".join(ARCS)))


def _sets(f: Fields) -> Iterator[TorpedoSet]:
    """The torpedo sets, those of ``sets = 2`` one by one."""
    for row in f.rows("torpedoes", KINDS, SAY.phrase("ships.sets", most=KINDS[-1])):
        kind = row.read("kind", find, row.text("kind"), FIGURES.torpedoes, "torpedo").name
        yield from [TorpedoSet(kind, row.whole("tubes", range(1, 21)))] * row.whole("sets", range(1, 11), 1)
        row.done()


def _own() -> tuple[ShipCard, ...]:
    """The ships of data.toml."""
    for row in DATA["ship"]:
        sourced(row, f"ship {row.get('name')}")
    return tuple(ship_card(Fields(row, SAY("ships.row", name=row.get("name")))) for row in DATA["ship"])


ROWS: Mapping[str, Mapping[str, Any]] = MappingProxyType({row["name"]: row for row in DATA["ship"]})
SHIPS = _own()
