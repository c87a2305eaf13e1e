"""Whose a class is: no sheet names another room's, pages use none that no sheet knows, and none is left over."""

from __future__ import annotations
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from navalkit.core import registry
from navalkit.explore import QUESTIONS
from navalkit.ui.widgets import keyed
from ..sheets import FOLDERS, FOREIGN, Sheet, classes, files, known, outside, sheets

IDS = re.compile(r"""#nk\-[\w-]*|(?:\bid=|getElementById\()[\\"']*nk\-[\w-]*""")
TOKEN = re.compile(r"(?<![\w-])([.`]?)(nk\-[\w-]*)(?=(\$?\{|%)?)")
"""A class, with a sign before it where it is asked for and not given, and what follows where the rest is calculated."""
GIVEN = re.compile(
    r"""[\s']class=(?:\\?["']([^"'\\{}]*)|([A-Za-z][\w-]*))|\bclassName[:=] *["`]([\w -]+)"""
    r"""|\bclassList\.\w+\(["`]([\w -]+)|\bsetAttribute\("class", "([\w -]+)|\badd_class\(["']([\w -]+)"""
)
"""Classes where a page gives them, with or without a prefix."""
KEY = "nk-key-"


@cache
def rooms() -> dict[str, Sheet]:
    """The sheet of each room."""
    return {room: each for each in sheets() for room in each.rooms}


def room(name: str) -> str:
    """Whose a class is; "" for nobody's."""
    found = [each for each in rooms() if name == each or name.startswith(f"{each}-")]
    return max(found, key=len, default="")


def is_shared(name: str) -> bool:
    """Whether every room may name a class: the shared sheet tells of it, or it is a button's by its key."""
    return name.startswith(KEY) or (room(name) == "nk" and name in {"nk", *rooms()["nk"].told})


def flat(table: dict[str, Any], before: str = "") -> Iterator[str]:
    """The keys of a table, with those of the tables inside it."""
    for key, value in table.items():
        yield before + key
        if isinstance(value, dict):
            yield from flat(value, f"{before}{key}.")


class Given(list):
    """Stands in for a widget: the classes it was given."""

    add_class = list.append


def buttons() -> set[str]:
    """The classes that keys give."""
    sentences = {key for path, text in files("navalkit") if path.suffix == ".toml" for key in flat(tomllib.loads(text))}
    keys = {key.removesuffix(".help") for key in sentences if key.endswith(".help")}  # a button's has a tooltip
    keys |= {f"game.{name}" for name in registry.names()}
    keys |= {f"control.{control.name}" for question in QUESTIONS.values() for control in question.controls}
    given = Given()
    for key in keys:
        keyed(given, key)
    return set(given)


@cache
def used(*folders: str) -> tuple[dict[str, str], dict[str, str], list[str]]:
    """What code says of classes: those it gives and those it asks for, each with a place, and calculated ones."""
    given, asked, calculated = {}, {}, []
    for path, text in files(*folders):
        if path.suffix != ".css":
            for sign, name, rest in TOKEN.findall(IDS.sub("", outside(text))):
                if not rest and not name.endswith("-"):
                    (asked if sign else given)[name] = path.name
                elif not name.startswith(KEY):
                    calculated.append(f"{path.name}: {name}{rest}")
    return given, asked, calculated


def test_a_room_has_one_sheet():
    told = [name for each in sheets() for name in each.rooms]
    assert sorted(rooms()) == sorted(told), "a room is told of in two sheets"
    assert all(each.rooms for each in sheets()), "the first comment of a sheet begins with its rooms"


def test_a_sheet_names_classes_of_its_rooms_and_shared_ones_alone():
    wrong = [
        f"{each.place}: .{name} {'is of ' + room(name) if room(name) else 'has no room'}"
        for each in sheets()
        for name in sorted(each.named | each.told)
        if not FOREIGN.match(name) and room(name) not in each.rooms and not is_shared(name)
    ]
    assert wrong == []


def test_a_rule_of_a_widgets_sheet_holds_in_its_room_alone():
    wrong = [
        f"{each.place}: {selector}"
        for each in sheets()
        if each.place.parts[:2] == ("navalkit", "ui") and each.place.suffix == ".css"
        for selector in each.selectors
        if not any(room(name) in each.rooms for name in classes(selector))
    ]
    assert wrong == [], "it would change other pages: name a class of the room"


def test_the_shared_sheet_tells_of_each_shared_class_and_it_has_one_word():
    shared = {name for name in known() if room(name) == "nk"}
    assert [name for name in shared if not is_shared(name) or name.count("-") > 1] == []


def test_pages_and_tests_use_no_class_that_no_sheet_knows():
    given, asked, calculated = used(*FOLDERS, "tests", "docs", "binder")
    assert calculated == [], "a class is written whole; what differs by a key is a data attribute, or `keyed`"
    right = known() | buttons()
    assert {name: place for name, place in (given | asked).items() if name not in right} == {}


def test_a_page_gives_no_class_without_a_prefix():
    strange = [
        f"{path.name}: {name}"
        for path, text in files(*FOLDERS)
        if path.suffix != ".css"
        for names in GIVEN.findall(outside(text))
        for name in " ".join(names).split()
        if name.split("-")[0] != "nk" and not FOREIGN.match(name)
    ]
    assert strange == []


def test_no_sheet_knows_a_class_that_no_page_uses():
    own = {name for name in known() if not FOREIGN.match(name)}
    assert own - {*used(*FOLDERS)[0], *buttons(), "nk"} == set()


@pytest.mark.parametrize("name", ["nk-play-orders", "nk-board", "nk-key-undo", "nk-phone-cell"])
def test_the_sheets_are_read(name):
    assert name in known()
